//! One quotation in one text, by plain search over folded text.
//!
//! For text that is copied, not written by a model: the extractive answerer finds its own quotations again. Cost:
//! linear in both texts.

use document::TextRange;
use text::normalize::{Case, fold};

use crate::normalized::is_word_char;

/// Range of `source` that says `quotation`, in bytes; the first of several, `None` if there is none.
///
/// Quotation marks, dashes, ligatures, hyphens at line ends and white space are folded. The match must begin and end
/// between words. An empty quotation is not found.
///
/// ```
/// let source = "The ﬁrm “must notify” the Authority.";
/// let range = citations::locate("firm \"must notify\"", source).map(|range| &source[range.to_usize()]);
/// assert_eq!(range, Some("ﬁrm “must notify”"));
/// assert_eq!(citations::locate("rm must", source), None);
/// ```
pub fn locate(quotation: &str, source: &str) -> Option<TextRange> {
    let folded = fold(quotation, Case::Keep);
    let wanted = folded.text().trim();
    if wanted.is_empty() {
        return None;
    }
    let source = fold(source, Case::Keep);
    let start =
        source.text().match_indices(wanted).map(|(start, _)| start).find(|&start| {
            [start, start + wanted.len()].iter().all(|&at| !is_inside_word(source.text(), at))
        })?;
    let range = source.source(start..start + wanted.len());
    Some(TextRange::new(range.start, range.end))
}

fn is_inside_word(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|head| head.chars().next_back());
    let after = text.get(at..).and_then(|tail| tail.chars().next());
    before.is_some_and(is_word_char) && after.is_some_and(is_word_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_dashes_ligatures_and_line_ends_are_folded() {
        let source = "The ﬁrm “must notify” the Authority – in\nwriting – within 10 days.";
        let range = locate("firm \"must notify\" the Authority - in writing", source).unwrap();
        assert_eq!(&source[range.to_usize()], "ﬁrm “must notify” the Authority – in\nwriting");
    }

    #[test]
    fn other_words_and_parts_of_words_are_not_found() {
        let source = "The firm must notify the Authority within 10 days.";
        for quotation in [
            "",
            "   ",
            "must notify the Authority within 100 days",
            "must not",
            "firm may notify",
            "otify the",
        ] {
            assert_eq!(locate(quotation, source), None, "{quotation:?}");
        }
    }

    #[test]
    fn a_chinese_quotation_may_begin_at_any_character() {
        let source = "第十九条 董事会应当对股东负责。";
        let range = locate("董事会应当对股东负责", source).unwrap();
        assert_eq!(&source[range.to_usize()], "董事会应当对股东负责");
    }
}
