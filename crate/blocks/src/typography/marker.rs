//! Markers of list items: "(a)", "1.", "•", "(iv)", "（一）".

use text::wording::{MarkerKind, marker_kind};

use crate::page::Line;

/// A marker at the start of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marker {
    pub text: String,
    pub kind: MarkerKind,
    /// Its length in words of the line.
    pub n_words: usize,
    pub is_bullet: bool,
}

/// The marker that a line starts with, when more text follows it.
pub(crate) fn list_marker(line: &Line) -> Option<Marker> {
    // A marker may be several words that are glued, as CJK characters are.
    let mut text = String::new();
    for (i, word) in line.words.iter().take(6).enumerate() {
        if i > 0 && !word.glued {
            break;
        }
        text.push_str(&word.text);
        if let Some(kind) = marker_kind(&text) {
            // "1." of "1.2" goes on; a dot must be followed by white.
            let next = line.words.get(i + 1)?;
            if next.glued && !matches!(kind, MarkerKind::CjkParens | MarkerKind::CjkComma) {
                continue;
            }
            return Some(Marker { text, kind, n_words: i + 1, is_bullet: kind == MarkerKind::Bullet });
        }
    }
    // Any lone sign that wide white follows is a bullet: symbol fonts decode to all sorts of characters.
    let (first, second) = (line.words.first()?, line.words.get(1)?);
    let mut chars = first.text.chars();
    let is_sign = chars.next().is_some_and(|c| !c.is_alphanumeric() && !"(“\"‘'[*†‡§¶$_.".contains(c))
        && chars.next().is_none();
    let is_apart = second.rect.x0 - first.rect.x1 > 0.6 * line.size;
    (is_sign && is_apart).then(|| Marker {
        text: first.text.to_string(),
        kind: MarkerKind::Bullet,
        n_words: 1,
        is_bullet: true,
    })
}

/// True if a word is the number of a section of a manual: "2.3.59.2".
pub(crate) fn is_section_number(word: &str) -> bool {
    word.matches('.').count() >= 2
        && word.starts_with(|c: char| c.is_ascii_digit())
        && word.ends_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b == b'.' || b.is_ascii_digit())
}
