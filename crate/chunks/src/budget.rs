//! Text cut to a token limit: into sentences, and longer sentences into parts.
//!
//! Every part is counted once. A sentence over the limit is cut after a clause (`;`, `:`, `,`), else between words, else
//! between characters, since a table row or a leader without a space must fit too.

use document::{SectionId, Slice as _, TextRange};
use text::TokenCount;

/// A sentence or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentencePart {
    /// Its range of the text.
    pub(crate) range: TextRange,
    /// Its size in tokens.
    pub(crate) n_tokens: usize,
    /// Its section.
    pub(crate) section: SectionId,
    /// True if it belongs to a heading; a chunk does not end with it.
    pub(crate) is_heading: bool,
    /// True if it begins a block.
    pub(crate) starts_block: bool,
}

/// Maximum characters of a word; longer ones are split.
const MAX_WORD: usize = 24;

/// Limits in tokens; the first part has less room because headings precede it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenLimits {
    /// For the first part.
    pub(crate) first: usize,
    /// For the others.
    pub(crate) rest: usize,
}

/// Cuts `text`, which begins at byte `offset` of the document, into parts within the limits. Passes the range and the
/// size of each to `give`.
pub(crate) fn sentences(
    text: &str,
    offset: usize,
    limits: TokenLimits,
    tokens: &dyn TokenCount,
    give: &mut dyn FnMut(TextRange, usize),
) {
    let mut limit = limits.first;
    for range in text::sentences(text) {
        let sentence = text.slice(range.clone());
        let n_tokens = tokens.count(sentence);
        if n_tokens <= limit {
            give(TextRange::new(offset + range.start, offset + range.end), n_tokens);
        } else {
            cut(
                sentence,
                offset + range.start,
                TokenLimits { first: limit, rest: limits.rest },
                tokens,
                give,
            );
        }
        limit = limits.rest;
    }
}

/// Cuts one sentence that is over the limit.
fn cut(
    sentence: &str,
    offset: usize,
    limits: TokenLimits,
    tokens: &dyn TokenCount,
    give: &mut dyn FnMut(TextRange, usize),
) {
    let mut limit = limits.first.max(1);
    // The open part: start, end and size, and the end and size of its last whole clause.
    let (mut start, mut end, mut total) = (0, 0, 0);
    let mut clause: Option<(usize, usize)> = None;
    for word in words(sentence) {
        let text = sentence.slice(word.clone());
        let n_tokens = tokens.count(text);
        if total > 0 && total + n_tokens > limit {
            let (at, before) = clause.filter(|&(_, before)| before * 2 >= limit).unwrap_or((end, total));
            let part = sentence.slice(start..at);
            let from = start + (part.len() - part.trim_start().len());
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
    let part = sentence.slice(start..end);
    let from = start + (part.len() - part.trim_start().len());
    if from < end {
        give(TextRange::new(offset + from, offset + end), total);
    }
}

/// Passes the range and size of each word of `text` to `give`.
pub(crate) fn each_word(
    text: &str,
    tokens: &dyn TokenCount,
    give: &mut dyn FnMut(std::ops::Range<usize>, usize),
) {
    for word in words(text) {
        let n_tokens = tokens.count(text.slice(word.clone()));
        give(word, n_tokens);
    }
}

/// The words between spaces; CJK characters are words, words over [`MAX_WORD`] are split.
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
        let mut parts = Vec::new();
        sentences(text, 0, TokenLimits { first, rest }, &ApproximateTokens, &mut |range, n| {
            parts.push((text[range.to_usize()].to_owned(), n));
        });
        parts
    }

    #[test]
    fn a_long_sentence_is_cut_after_clauses() {
        let text = "one two three four, five six seven eight nine ten, and so on it goes";
        let parts: Vec<String> = split(text, 8, 8).into_iter().map(|(text, _)| text).collect();
        assert_eq!(parts, ["one two three four,", "five six seven eight nine ten,", "and so on it goes"]);
    }

    #[test]
    fn the_first_piece_leaves_room_for_its_heading() {
        let parts = split("a b c d e f g h", 3, 6);
        assert_eq!(parts, [("a b c".to_owned(), 3), ("d e f g h".to_owned(), 5)]);
    }

    proptest! {
        #[test]
        fn pieces_fit_and_lose_nothing(text in "[a-z,;. 第一条，。\n]{0,400}|[a-z]{0,900}", first in 24usize..60, rest in 48usize..60) {
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let parts = split(&text, first, rest);
            for (at, (part, n)) in parts.iter().enumerate() {
                prop_assert!(*n <= if at == 0 { first } else { first.max(rest) }, "{part:?} {n}");
                prop_assert_eq!(part.trim(), part.as_str());
            }
            let all: String = parts.iter().map(|(part, _)| bare(part)).collect();
            prop_assert_eq!(all, bare(&text));
        }
    }
}
