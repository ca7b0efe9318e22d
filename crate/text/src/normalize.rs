//! Text folded for comparison: a quotation by a model, a viewer or a person against the words of the page.
//!
//! A quotation rarely comes back byte for byte: quotes are straightened, dashes shortened, ligatures split,
//! lines rejoined. [`fold`] brings both sides to one form and keeps a map, so that a match in the folded text
//! is a byte range of the source. Linear; the map takes one entry for each run of bytes that was copied as it
//! was and one for each cluster that changed.

use std::ops::Range;

use document::Slice as _;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::chars::{is_cjk, is_invisible};

/// Letter case of a folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// As in the source.
    Keep,
    /// Lower case.
    Fold,
}

/// A folded text and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    text: String,
    pieces: Vec<FoldedRun>,
}

/// A stretch of the folded text and of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FoldedRun {
    folded: Range<usize>,
    source: Range<usize>,
    /// Byte stands for byte: characters stand at the same offsets in both.
    aligned: bool,
}

impl Folded {
    /// The folded text: no space at either end, one between words.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the source that a byte range of the folded text stands for. A range that cuts a cluster
    /// (half a ligature) gets the whole of it.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        let first = self.pieces.partition_point(|piece| piece.folded.end <= range.start);
        let last = self.pieces.partition_point(|piece| piece.folded.start < range.end);
        let start = match self.pieces.get(first) {
            Some(piece) if piece.aligned => {
                piece.source.start + range.start.saturating_sub(piece.folded.start)
            }
            Some(piece) => piece.source.start,
            None => self.pieces.last().map_or(0, |piece| piece.source.end),
        };
        let end = match last.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(piece) if piece.aligned => {
                piece.source.start + range.end.min(piece.folded.end).saturating_sub(piece.folded.start)
            }
            Some(piece) => piece.source.end,
            None => start,
        };
        start..end.max(start)
    }

    fn push(&mut self, new: &str, source: Range<usize>, original: &str) {
        if new.is_empty() {
            return;
        }
        let folded = self.text.len()..self.text.len() + new.len();
        let single = |text: &str| text.chars().nth(1).is_none();
        let aligned = new == original || (new.len() == original.len() && single(new) && single(original));
        self.text.push_str(new);
        match self.pieces.last_mut() {
            Some(last) if aligned && last.aligned && last.source.end == source.start => {
                last.folded.end = folded.end;
                last.source.end = source.end;
            }
            _ => self.pieces.push(FoldedRun { folded, source, aligned }),
        }
    }
}

/// Folds a text for comparison: NFKC; one kind of single quote, double quote and dash; soft hyphens and
/// other invisible characters out; runs of white space to one space, none between CJK characters.
pub fn fold(text: &str, case: Case) -> Folded {
    let mut folded = Folded { text: String::with_capacity(text.len()), pieces: Vec::new() };
    let mut gap: Option<Range<usize>> = None;
    let mut cluster = String::new();
    let mut chars = text.char_indices();
    while let Some((start, c)) = chars.next() {
        if is_invisible(c) {
            continue;
        }
        if c.is_whitespace() {
            gap.get_or_insert(start..start).end = start + c.len_utf8();
            continue;
        }
        let mut end = start + c.len_utf8();
        // Marks belong to their letter, also over a soft hyphen between.
        let mut ahead = chars.clone();
        while let Some((at, next)) = ahead.next() {
            if is_invisible(next) {
                continue;
            }
            if !is_combining_mark(next) {
                break;
            }
            end = at + next.len_utf8();
            chars = ahead.clone();
        }
        cluster.clear();
        let original = text.slice(start..end);
        if matches!(c, '\u{00B4}' | '\u{2017}') {
            // Spacing accents: NFKC would make them a space and a combining mark.
            push_folded(c, case, &mut cluster);
        } else {
            for part in original.chars().filter(|&part| !is_invisible(part)).nfkc() {
                push_folded(part, case, &mut cluster);
            }
        }
        let next = cluster.trim_start();
        if let Some(gap) = gap.take()
            && let (Some(before), Some(after)) = (folded.text.chars().next_back(), next.chars().next())
            && before != ' '
            && !(is_cjk(before) && is_cjk(after))
        {
            folded.push(" ", gap.clone(), text.slice(gap));
        }
        folded.push(next, start..end, original);
    }
    folded
}

fn push_folded(c: char, case: Case, out: &mut String) {
    match c {
        '\u{2018}'..='\u{201B}'
        | '\u{2032}'
        | '\u{2035}'
        | '\u{02BC}'
        | '\u{00B4}'
        | '\u{0060}'
        | '\u{2039}'
        | '\u{203A}' => out.push('\''),
        '\u{201C}'..='\u{201F}'
        | '\u{2033}'
        | '\u{2036}'
        | '\u{00AB}'
        | '\u{00BB}'
        | '\u{300C}'..='\u{300F}'
        | '\u{301D}'..='\u{301F}' => out.push('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2043}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => {
            out.push('-');
        }
        c if is_invisible(c) => {}
        c if c.is_whitespace() => out.push(' '),
        c => match case {
            Case::Keep => out.push(c),
            Case::Fold => out.extend(c.to_lowercase()),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_ways_to_write_one_thing_fold_alike() {
        let cases = [
            ("“Client’s” money", "\"Client's\" money"),
            ("2019–2020 — risk", "2019-2020 - risk"),
            ("of\u{FB01}ce", "office"),
            ("co\u{AD}operate", "cooperate"),
            ("  two \n\t words ", "two words"),
            ("cafe\u{301}", "café"),
            ("第十九条 \n 规定", "第十九条规定"),
            ("（一）ＡＢ", "(一)AB"),
            ("wait…", "wait..."),
        ];
        for (a, b) in cases {
            assert_eq!(fold(a, Case::Keep).text(), fold(b, Case::Keep).text());
        }
        assert_eq!(fold("Office", Case::Fold).text(), "office");
    }

    #[test]
    fn a_match_in_the_folded_text_is_a_range_of_the_source() {
        let source = "The  of\u{FB01}cer’s “duty”\u{AD} — all";
        let folded = fold(source, Case::Keep);
        let find = |needle: &str| {
            let at = folded.text().find(needle).unwrap();
            &source[folded.source(at..at + needle.len())]
        };
        assert_eq!(find("officer's"), "of\u{FB01}cer’s");
        assert_eq!(find("\"duty\""), "“duty”");
        assert_eq!(find("- all"), "— all");
        assert_eq!(find("The officer"), "The  of\u{FB01}cer");
        assert_eq!(find("i"), "\u{FB01}");
    }

    proptest! {
        #[test]
        fn ranges_lie_on_boundaries_and_nest(text in "(\\PC|[ \u{AD}\u{301}ﬁ“\n…]){0,40}") {
            let folded = fold(&text, Case::Fold);
            let bounds: Vec<usize> =
                folded.text().char_indices().map(|(at, _)| at).chain([folded.text().len()]).collect();
            let whole = folded.source(0..folded.text().len());
            for (i, &start) in bounds.iter().enumerate() {
                for &end in &bounds[i..] {
                    let source = folded.source(start..end);
                    prop_assert!(text.get(source.clone()).is_some(), "{:?} of {:?}", source, text);
                    if start < end {
                        prop_assert!(whole.start <= source.start && source.end <= whole.end);
                    }
                }
            }
        }

        #[test]
        fn folding_twice_changes_nothing(text in "[a-zA-Z0-9 “”‘’—–ﬁﬂ\u{AD}é\u{301}\n…第条，（]{0,40}") {
            let once = fold(&text, Case::Keep);
            let twice = fold(once.text(), Case::Keep);
            prop_assert_eq!(twice.text(), once.text());
        }
    }
}
