//! The wording of headings and of what looks like them: how a text is numbered, whether it is a date, a label
//! with its value, a caption, one sentence, a title.
//!
//! Only words are asked here, not type or place. Cost: linear in the text of one paragraph.

use document::Slice as _;

use crate::numerals::is_han_ordinal;
use crate::wording::{Numbering, numbering};

/// Longest text of the line on which somebody signs, in bytes.
const MAX_SIGNATURE: usize = 160;

/// True if a text is a title as Chinese documents number them, "一、总体要求", "（二）工作目标": short, and without
/// the stop that ends a sentence.
pub(super) fn is_enumerated_title(text: &str) -> bool {
    let rest = text.trim_start_matches(is_han_ordinal);
    let title = if rest.len() < text.len() {
        rest.strip_prefix('、')
    } else {
        let inner = text.strip_prefix(['（', '(']).unwrap_or_default();
        let rest = inner.trim_start_matches(is_han_ordinal);
        if rest.len() < inner.len() { rest.strip_prefix(['）', ')']) } else { None }
    };
    let ends = ['。', '；', '，', '：', '、', ';', ':', '.', ','];
    title.is_some_and(|title| {
        (2..=28).contains(&title.chars().count()) && !title.contains(['。', '；']) && !title.ends_with(ends)
    })
}

/// True if a text behind its number is one sentence.
pub(super) fn is_one_sentence(text: &str) -> bool {
    let title = text.split_once(' ').map_or("", |(_, title)| title).trim_end_matches(['.', '”', '"']);
    let mut ends = title.match_indices(". ").map(|(at, _)| title.slice(..at));
    // "Ms. Oakes", "No. 5" and "U.S. law" go on.
    ends.all(|head| head.rsplit([' ', '.']).next().is_some_and(|word| word.chars().count() <= 3))
}

/// True if a text is the number of a statutory instrument of its year: "2024 No. 853", "2019 No. 12 (W. 3)".
pub fn is_instrument_number(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_number = |word: Option<&str>| {
        word.is_some_and(|word| {
            !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit())
        })
    };
    let year = words.next().filter(|year| year.len() == 4);
    is_number(year)
        && matches!(words.next(), Some("No." | "No" | "Nos."))
        && is_number(words.next())
        && text.len() <= 32
        && words.all(|word| word.starts_with('(') || word.ends_with(')'))
}

/// True if a text says that a table or a list goes on: "ESTIMATED COSTS—Continued".
pub(super) fn goes_on(text: &str) -> bool {
    let end = text.trim_end_matches([')', ']', '.', ' ']).to_lowercase();
    ["continued", "cont’d", "cont'd", "（续）", "(续"].iter().any(|word| end.ends_with(word))
        && text.contains(['—', '–', '(', '[', '（'])
}

/// True if a text is a label with its value, as letters and forms have them: "RE: Smith", "Case Number: 21-2728",
/// "Page".
pub(super) fn is_label(text: &str) -> bool {
    if matches!(text.to_lowercase().as_str(), "page" | "page no." | "page number" | "pages" | "页码") {
        return true;
    }
    let Some((label, value)) = text.split_once(':') else { return false };
    let value = value.trim();
    const LABELS: [&str; 12] =
        ["attention", "attn", "cc", "date", "from", "in re", "re", "ref", "subject", "to", "via", "your ref"];
    let label = label.trim().to_lowercase();
    let n_digits = value.chars().filter(char::is_ascii_digit).count();
    let is_number = n_digits >= 3 && n_digits * 2 >= value.chars().filter(|c| c.is_alphanumeric()).count();
    !value.is_empty() && (LABELS.contains(&label.as_str()) || is_number && label.len() <= 40)
}

/// True if a text is a date and nothing else, but for what happened then: "Filed March 3, 2020", "December 1998".
pub(super) fn is_date(text: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    const BESIDE: [&str; 24] = [
        "amended",
        "and",
        "argued",
        "as",
        "date",
        "dated",
        "day",
        "decided",
        "effective",
        "filed",
        "friday",
        "issued",
        "monday",
        "of",
        "on",
        "released",
        "revised",
        "saturday",
        "submitted",
        "sunday",
        "the",
        "thursday",
        "tuesday",
        "wednesday",
    ];
    if text.len() > 80 {
        return false;
    }
    if text.contains('年') {
        return text
            .chars()
            .all(|c| c.is_numeric() || c.is_whitespace() || is_han_ordinal(c) || "年月日".contains(c));
    }
    let (mut has_month, mut has_number) = (false, false);
    let only_dates = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(|word| {
        let word = word.to_lowercase();
        let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let is_number = !digits.is_empty()
            && digits.len() <= 4
            && digits.bytes().all(|b| b.is_ascii_digit())
            && matches!(word.get(digits.len()..), Some("" | "st" | "nd" | "rd" | "th"));
        let is_month =
            MONTHS.iter().any(|month| word.starts_with(month)) && word.len() <= 9 && word != "marked";
        has_month |= is_month;
        has_number |= is_number;
        is_number || is_month || BESIDE.binary_search(&word.as_str()).is_ok()
    });
    only_dates && has_month && has_number
}

/// True if a text is a blank to fill in or an entry of a list of codes ("22 = subsection").
pub(super) fn is_form(text: &str) -> bool {
    text.contains("___") || text.contains(" =")
}

/// True if a text is a remark in brackets.
pub(super) fn is_aside(text: &str) -> bool {
    text.starts_with(['(', '[']) && text.ends_with([')', ']']) && text.matches(['(', '[']).count() == 1
}

/// True if a text is the line on which somebody signs: "By: ______", "/s/ A. Moreau".
pub(super) fn is_signature_line(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is_line =
        text.contains("____") || matches!(first.as_str(), "by" | "by:" | "name:" | "per:" | "its:" | "/s/");
    is_line && text.len() < MAX_SIGNATURE
}

/// True if the text is a number of a division or article and nothing else: its title is the next line.
pub fn is_bare_number(text: &str) -> bool {
    let n_words = text.split_whitespace().count();
    let is_cjk_bare = text.chars().count() <= 6 && text.ends_with(['章', '节', '条', '编']);
    match numbering(text) {
        Numbering::Division | Numbering::Article => n_words == 2 || is_cjk_bare,
        _ => false,
    }
}

/// True if the word behind the number at the start begins in a capital.
pub(super) fn starts_like_title(text: &str) -> bool {
    text.split_whitespace()
        .nth(1)
        .and_then(|word| word.chars().find(|c| c.is_alphanumeric()))
        .is_some_and(char::is_uppercase)
}
