//! Text cut into pieces that fit: sentences, and parts of sentences that are too long.
//!
//! Every piece is counted once. A sentence over its limit is cut after a clause (`;`, `:`, `,`), else between
//! words, else between characters: a table row or a run of leaders without a space must fit as well.

use document::{SectionId, TextRange};
use text::TokenCount;

/// A sentence or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Its text.
    pub(crate) range: TextRange,
    /// Its size.
    pub(crate) n_tokens: usize,
    /// The section whose text it is.
    pub(crate) section: SectionId,
    /// Whether it is a heading or part of one: a chunk does not end with it.
    pub(crate) heads: bool,
    /// Whether it begins a block.
    pub(crate) opens: bool,
}

/// Most characters of a stretch without spaces that is counted as one word.
const MAX_WORD: usize = 24;

/// How much a piece may hold: the first one less, because headings stand before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Tokens of the first piece.
    pub(crate) first: usize,
    /// Tokens of the others.
    pub(crate) rest: usize,
}

/// Cuts `text`, which begins at byte `offset` of the document, into sentences within the limits; gives each
/// with its range and size.
pub(crate) fn sentences(
    text: &str,
    offset: usize,
    limits: Limits,
    tokens: &dyn TokenCount,
    give: &mut dyn FnMut(TextRange, usize),
) {
    let mut limit = limits.first;
    for range in text::sentences(text) {
        let sentence = text.get(range.clone()).unwrap_or_default();
        let n_tokens = tokens.count(sentence);
        if n_tokens <= limit {
            give(TextRange::new(offset + range.start, offset + range.end), n_tokens);
        } else {
            cut(sentence, offset + range.start, Limits { first: limit, rest: limits.rest }, tokens, give);
        }
        limit = limits.rest;
    }
}

/// Cuts one sentence that is too long.
fn cut(
    sentence: &str,
    offset: usize,
    limits: Limits,
    tokens: &dyn TokenCount,
    give: &mut dyn FnMut(TextRange, usize),
) {
    let mut limit = limits.first.max(1);
    // The open piece, and where in it the last clause ended.
    let (mut start, mut end, mut total) = (0, 0, 0);
    let mut clause: Option<(usize, usize)> = None;
    for word in words(sentence) {
        let text = sentence.get(word.clone()).unwrap_or_default();
        let n_tokens = tokens.count(text);
        if total > 0 && total + n_tokens > limit {
            let (at, before) = clause.filter(|&(_, before)| before * 2 >= limit).unwrap_or((end, total));
            let piece = sentence.get(start..at).unwrap_or_default();
            let from = start + (piece.len() - piece.trim_start().len());
            give(TextRange::new(offset + from, offset + at), before);
            (start, total, clause) = (at, total - before, None);
            limit = limits.rest.max(1);
        }
        total += n_tokens;
        end = word.end;
        if text.ends_with([';', ',', ':', '，', '、', '；', '：']) {
            clause = Some((end, total));
        }
    }
    let piece = sentence.get(start..end).unwrap_or_default();
    let from = start + (piece.len() - piece.trim_start().len());
    if from < end {
        give(TextRange::new(offset + from, offset + end), total);
    }
}

/// Gives each word of `text` with its size.
pub(crate) fn each_word(
    text: &str,
    tokens: &dyn TokenCount,
    give: &mut dyn FnMut(std::ops::Range<usize>, usize),
) {
    for word in words(text) {
        let n_tokens = tokens.count(text.get(word.clone()).unwrap_or_default());
        give(word, n_tokens);
    }
}

/// The words between spaces; CJK characters one by one, long words in parts.
fn words(sentence: &str) -> Vec<std::ops::Range<usize>> {
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (at, c) in sentence.char_indices() {
        let after = at + c.len_utf8();
        if c.is_whitespace() {
            words.extend(open.take().map(|(start, _)| start..at));
        } else if text::is_cjk(c) {
            words.extend(open.take().map(|(start, _)| start..at));
            words.push(at..after);
        } else {
            let (start, n) = open.map_or((at, 1), |(start, n)| (start, n + 1));
            if n >= MAX_WORD {
                words.push(start..after);
                open = None;
            } else {
                open = Some((start, n));
            }
        }
    }
    words.extend(open.map(|(start, _)| start..sentence.len()));
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use text::ApproximateTokens;

    use super::*;

    fn split(text: &str, first: usize, rest: usize) -> Vec<(String, usize)> {
        let mut pieces = Vec::new();
        sentences(text, 0, Limits { first, rest }, &ApproximateTokens, &mut |range, n| {
            pieces.push((text[range.to_usize()].to_owned(), n));
        });
        pieces
    }

    #[test]
    fn a_long_sentence_is_cut_after_clauses() {
        let text = "one two three four, five six seven eight nine ten, and so on it goes";
        let pieces: Vec<String> = split(text, 8, 8).into_iter().map(|(text, _)| text).collect();
        assert_eq!(pieces, ["one two three four,", "five six seven eight nine ten,", "and so on it goes"]);
    }

    #[test]
    fn the_first_piece_leaves_room_for_its_heading() {
        let pieces = split("a b c d e f g h", 3, 6);
        assert_eq!(pieces, [("a b c".to_owned(), 3), ("d e f g h".to_owned(), 5)]);
    }

    proptest! {
        #[test]
        fn pieces_fit_and_lose_nothing(text in "[a-z,;. 第一条，。\n]{0,400}|[a-z]{0,900}", first in 24usize..60, rest in 48usize..60) {
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let pieces = split(&text, first, rest);
            for (at, (piece, n)) in pieces.iter().enumerate() {
                prop_assert!(*n <= if at == 0 { first } else { first.max(rest) }, "{piece:?} {n}");
                prop_assert_eq!(piece.trim(), piece.as_str());
            }
            let all: String = pieces.iter().map(|(piece, _)| bare(piece)).collect();
            prop_assert_eq!(all, bare(&text));
        }
    }
}
