//! BERT's WordPiece tokenizer, with offsets kept.
//!
//! Written here because the Hugging Face crate would add 665 kB of compressed wasm for what these files do.
//! Its ids are those of that implementation: `tests/reference.rs` compares them over a committed table. Two
//! differences: special tokens (`[SEP]`, `[MASK]`) are ordinary text when they appear in a document, so a
//! document cannot end its own input; and characters newer than Unicode 8, which the original's
//! tables lack, are classed as Unicode has it (693 of 202,752 code points tried one by one, all of scripts and
//! signs that the vocabulary does not have).

mod normalizer;
mod pre_tokenizer;
mod wordpiece;

use std::ops::{ControlFlow, Range};

pub use normalizer::Casing;

use crate::{Error, Manifest};
use wordpiece::Vocabulary;

/// Special tokens around a text: `[CLS]` and `[SEP]`.
const N_SPECIAL_TOKENS: usize = 2;
/// Special tokens around two texts: `[CLS]` and twice `[SEP]`.
const N_SPECIAL_TOKENS_OF_PAIR: usize = 3;

/// The tokenizer of one vocabulary.
#[derive(Debug)]
pub struct WordPiece {
    vocabulary: Vocabulary,
    casing: Casing,
}

/// One token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its id in the vocabulary.
    pub id: u32,
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// True if it begins a word.
    pub starts_word: bool,
}

impl WordPiece {
    /// The tokenizer of a vocabulary: one piece a line, the line number its id.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](crate::ErrorKind::ModelMismatch) when it is not a WordPiece vocabulary.
    pub fn new(vocabulary: &[u8], casing: Casing) -> Result<Self, Error> {
        Ok(Self { vocabulary: Vocabulary::parse(vocabulary)?, casing })
    }

    /// The tokenizer of a model, after checking that the vocabulary is the one that the manifest declares.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](crate::ErrorKind::ModelMismatch) when it is not.
    pub fn load(vocabulary: &[u8], manifest: &Manifest) -> Result<Self, Error> {
        manifest.files.vocabulary.verify(vocabulary)?;
        Self::new(vocabulary, if manifest.lower_case { Casing::Folded } else { Casing::Kept })
    }

    /// Number of word pieces; every id is smaller.
    pub fn vocabulary_size(&self) -> usize {
        self.vocabulary.n_pieces()
    }

    /// Passes the tokens of `text` in order, without special tokens, to `give` until it breaks. Ranges do not decrease; they
    /// are equal only where one character becomes several tokens.
    pub fn tokens(&self, text: &str, give: &mut dyn FnMut(Token) -> ControlFlow<()>) {
        let mut found = Vec::new();
        // A break is the caller's wish and has been obeyed.
        let _ = pre_tokenizer::words(text, self.casing, |word| {
            self.vocabulary.pieces(word, &mut found);
            for (id, range) in &found {
                let starts_word = range.start == 0;
                give(Token { id: *id, range: word.source_of(range.clone()), starts_word })?;
            }
            ControlFlow::Continue(())
        });
    }

    /// The ids of `text` between the special tokens, truncated to `max_tokens` in all.
    pub fn encode(&self, text: &str, max_tokens: usize) -> Vec<u32> {
        let room = max_tokens.saturating_sub(N_SPECIAL_TOKENS);
        let mut ids = vec![self.vocabulary.cls];
        if room > 0 {
            self.tokens(text, &mut |token| {
                ids.push(token.id);
                if ids.len() > room { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        ids.push(self.vocabulary.sep);
        ids
    }

    /// The ids of two texts as BERT reads pairs, `[CLS] first [SEP] second [SEP]`, truncated to `max_tokens` in all; and the
    /// number of ids up to the first `[SEP]`, which are of type 0. The longer text is truncated first, as by the original's
    /// `longest_first`.
    pub fn encode_pair(&self, first: &str, second: &str, max_tokens: usize) -> (Vec<u32>, usize) {
        let room = max_tokens.saturating_sub(N_SPECIAL_TOKENS_OF_PAIR);
        let ids_of = |text: &str| {
            let ids = self.encode(text, room.saturating_add(N_SPECIAL_TOKENS));
            ids.get(1..ids.len().saturating_sub(1)).unwrap_or_default().to_vec()
        };
        let (mut first, mut second) = (ids_of(first), ids_of(second));
        let (n_first, n_second) = truncated_lengths(first.len(), second.len(), room);
        first.truncate(n_first);
        second.truncate(n_second);
        let Vocabulary { cls, sep, .. } = self.vocabulary;
        let ids: Vec<u32> = [cls].into_iter().chain(first).chain([sep]).chain(second).chain([sep]).collect();
        (ids, n_first + N_SPECIAL_TOKENS)
    }

    /// The ids of a text in pieces, between the special tokens, truncated to `max_tokens` in all; and the number of tokens
    /// of each piece that are left.
    pub fn encode_pieces<S: AsRef<str>>(&self, pieces: &[S], max_tokens: usize) -> (Vec<u32>, Vec<usize>) {
        let most = max_tokens.saturating_sub(1).max(1);
        let mut ids = vec![self.vocabulary.cls];
        let count = |piece: &S| {
            let before = ids.len();
            self.tokens(piece.as_ref(), &mut |token| {
                if ids.len() >= most {
                    return ControlFlow::Break(());
                }
                ids.push(token.id);
                ControlFlow::Continue(())
            });
            ids.len() - before
        };
        let counts = pieces.iter().map(count).collect();
        ids.push(self.vocabulary.sep);
        (ids, counts)
    }

    /// Splits a text into windows of at most `max_tokens` tokens: in order, without gaps, between words, of about the
    /// same number of tokens. A text that fits, or has no token, is one window. A single word of more tokens than fit
    /// is truncated.
    pub fn split(&self, text: &str, max_tokens: usize) -> Vec<Range<usize>> {
        let room = max_tokens.saturating_sub(N_SPECIAL_TOKENS).max(1);
        // Where each word starts, and how many tokens it has.
        let mut words: Vec<(usize, usize)> = Vec::new();
        self.tokens(text, &mut |token| {
            match words.last_mut() {
                Some((_, n)) if !token.starts_word => *n += 1,
                _ => words.push((token.range.start, 1)),
            }
            ControlFlow::Continue(())
        });
        let n_tokens: usize = words.iter().map(|(_, n)| n).sum();
        let target = n_tokens.div_ceil(n_tokens.div_ceil(room).max(1));

        let mut windows = Vec::new();
        let (mut start, mut n_window) = (0, 0);
        for (at, n) in words {
            if n_window > 0 && (n_window >= target || n_window + n > room) {
                windows.push(start..at);
                (start, n_window) = (at, 0);
            }
            n_window += n;
        }
        windows.push(start..text.len());
        windows
    }
}

/// Tokens that are left of two texts of `n_first` and `n_second`, `room` together.
fn truncated_lengths(n_first: usize, n_second: usize, room: usize) -> (usize, usize) {
    if n_first + n_second <= room {
        return (n_first, n_second);
    }
    let shorter = n_first.min(n_second).min(room / 2);
    if n_first > n_second { (room - shorter, shorter) } else { (shorter, room - shorter) }
}

impl text::TokenCount for WordPiece {
    fn count(&self, text: &str) -> usize {
        let mut found = Vec::new();
        let mut n_tokens = 0;
        let _ = pre_tokenizer::words(text, self.casing, |word| {
            self.vocabulary.pieces(word, &mut found);
            n_tokens += found.len();
            ControlFlow::Continue(())
        });
        n_tokens
    }
}

#[cfg(test)]
mod tests;
