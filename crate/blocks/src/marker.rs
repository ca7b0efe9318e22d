//! Markers of list items: "(a)", "1.", "•", "(iv)", "（一）".

use crate::lines::Line;
use crate::page_number::roman;

/// A marker at the start of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marker {
    pub text: String,
    pub kind: MarkerKind,
    /// How many words of the line it takes.
    pub n_words: usize,
    pub is_bullet: bool,
}

/// Markers of one kind belong to one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerKind {
    Bullet,
    /// "(a)", "(iv)", "(3)".
    Parens,
    /// "a)", "3)".
    Paren,
    /// "3.", "a.", "iv.".
    Dot,
    /// "（一）".
    CjkParens,
    /// "一、", "1、".
    CjkComma,
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
        text: first.text.clone(),
        kind: MarkerKind::Bullet,
        n_words: 1,
        is_bullet: true,
    })
}

/// Whether a text is a letter or Roman numeral that stands alone, as centred headings do: "I", "A.", "iv".
pub(crate) fn is_lone_number(text: &str) -> bool {
    let bare = text.strip_suffix('.').unwrap_or(text);
    let is_letter = bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_uppercase());
    is_letter || (roman(&bare.to_lowercase()).is_some() && bare.chars().all(char::is_uppercase))
}

/// The kind of marker that this text is.
pub(crate) fn marker_kind(text: &str) -> Option<MarkerKind> {
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        let bullets = [
            '•', '·', '◦', '▪', '■', '□', '●', '○', '►', '➢', '‣', '–', '—', '-', '\u{f0b7}', '\u{f0a7}',
            '❖', '✓',
        ];
        return bullets.contains(&c).then_some(MarkerKind::Bullet);
    }
    let is_short = |inner: &str| {
        let is_number = inner.len() <= 3 && !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
        let lower = inner.to_lowercase();
        let is_letter = inner.chars().count() <= 2
            && inner.chars().all(char::is_alphabetic)
            && inner.is_ascii()
            && (inner.len() == 1 || inner.as_bytes().first() == inner.as_bytes().get(1));
        is_number || is_letter || roman(&lower).is_some()
    };
    let is_han_number = |inner: &str| {
        !inner.is_empty()
            && inner.chars().count() <= 4
            && inner.chars().all(|c| "一二三四五六七八九十百".contains(c))
    };
    if let Some(inner) = text.strip_prefix('（').and_then(|rest| rest.strip_suffix('）')) {
        return (is_han_number(inner) || is_short(inner)).then_some(MarkerKind::CjkParens);
    }
    if let Some(inner) = text.strip_suffix('、') {
        return (is_han_number(inner) || is_short(inner)).then_some(MarkerKind::CjkComma);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return (is_short(inner) || is_han_number(inner)).then_some(MarkerKind::Parens);
    }
    if let Some(inner) = text.strip_suffix(')') {
        return is_short(inner).then_some(MarkerKind::Paren);
    }
    let inner = text.strip_suffix('.')?;
    is_short(inner).then_some(MarkerKind::Dot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_words() {
        let cases = [
            ("(a)", Some(MarkerKind::Parens)),
            ("(iv)", Some(MarkerKind::Parens)),
            ("(aa)", Some(MarkerKind::Parens)),
            ("(the)", None),
            ("1.", Some(MarkerKind::Dot)),
            ("1.2", None),
            ("v.", Some(MarkerKind::Dot)),
            ("Inc.", None),
            ("•", Some(MarkerKind::Bullet)),
            ("（一）", Some(MarkerKind::CjkParens)),
            ("第一条", None),
            ("b)", Some(MarkerKind::Paren)),
        ];
        for (text, expected) in cases {
            assert_eq!(marker_kind(text), expected, "{text}");
        }
    }
}
