//! Editions of one instrument: which documents are editions of each other, and which date is later.

use document::Document;

/// True if two documents are editions of one instrument: their names agree without years and version numbers, and at
/// least one states its edition.
pub(crate) fn are_editions(a: &Document, b: &Document) -> bool {
    let name = |document: &Document| {
        let name = document.title.as_deref().unwrap_or(&document.name);
        let name = text::reference::normal_name(name);
        let bare = name.split(['(', '（']).next().unwrap_or_default().to_owned();
        let words = bare.split_whitespace().filter(|word| {
            let has_digit = word.chars().any(|c| c.is_ascii_digit());
            let says_edition =
                ["version", "edition", "consolidated", "amended", "revised", "as", "pdf", "ver"]
                    .contains(word);
            !has_digit && !says_edition
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let says = |document: &Document| !document.tree.editions.is_empty();
    let own = name(a);
    own.chars().nth(3).is_some() && own == name(b) && (says(a) || says(b))
}

/// True if a date is later than another at the precision of both: `2023-07` is not later than `2023`.
pub(crate) fn is_later(date: &str, than: &str) -> bool {
    date > than && !date.starts_with(than)
}
