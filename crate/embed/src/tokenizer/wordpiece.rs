//! Words to pieces of the vocabulary: greedy, longest first (Schuster and Nakajima 2012; Devlin et al. 2019).
//!
//! Cost: a word of *n* bytes takes at most *n* lookups a piece, in practice one or two; the piece length of
//! the vocabulary and the word length are both bounded, so hostile text costs no more than plain text of its
//! size.

use std::collections::HashMap;
use std::ops::Range;

use crate::Error;

use super::pre_tokenizer::Word;

/// Upper limit of a vocabulary's size, in pieces.
const MAX_PIECES: usize = 1 << 20;

/// The pieces and their ids.
#[derive(Debug)]
pub(super) struct Vocabulary {
    /// Pieces that begin a word.
    initial: HashMap<Box<str>, u32>,
    /// Pieces that continue one, without their `##`.
    continuing: HashMap<Box<str>, u32>,
    /// Length of the longest piece, in bytes.
    max_bytes: usize,
    n_pieces: usize,
    pub(super) unknown: u32,
    pub(super) cls: u32,
    pub(super) sep: u32,
}

impl Vocabulary {
    /// Reads `vocab.txt`: one piece a line, the line number its id.
    pub(super) fn parse(data: &[u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(data)
            .map_err(|cause| Error::mismatch(format!("the vocabulary is not UTF-8: {cause}")))?;
        let (mut initial, mut continuing) = (HashMap::new(), HashMap::new());
        let (mut n_pieces, mut max_bytes) = (0, 0);
        for (id, line) in (0u32..).zip(text.lines()) {
            n_pieces += 1;
            if n_pieces > MAX_PIECES {
                return Err(Error::mismatch(format!("the vocabulary has more than {MAX_PIECES} pieces")));
            }
            max_bytes = max_bytes.max(line.len());
            match line.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => continuing.insert(rest.into(), id),
                _ => initial.insert(line.into(), id),
            };
        }
        let id = |piece: &str| {
            initial.get(piece).copied().ok_or_else(|| {
                Error::mismatch(format!("the vocabulary has {n_pieces} pieces and no {piece}"))
            })
        };
        let (unknown, cls, sep) = (id("[UNK]")?, id("[CLS]")?, id("[SEP]")?);
        Ok(Self { initial, continuing, max_bytes, n_pieces, unknown, cls, sep })
    }

    /// Number of pieces; ids are smaller.
    pub(super) fn n_pieces(&self) -> usize {
        self.n_pieces
    }

    /// Writes the pieces of a word, as id and byte range of its normalised text, into `found`. A word that
    /// is no sequence of pieces is one `[UNK]`.
    pub(super) fn pieces(&self, word: &Word, found: &mut Vec<(u32, Range<usize>)>) {
        found.clear();
        let text = word.text.as_str();
        let mut start = 0;
        while start < text.len() && !word.is_overlong {
            let Some((id, end)) = self.longest(text, start) else { break };
            found.push((id, start..end));
            start = end;
        }
        if start < text.len() || word.is_overlong {
            found.clear();
            found.push((self.unknown, 0..text.len()));
        }
    }

    fn longest(&self, text: &str, start: usize) -> Option<(u32, usize)> {
        let map = if start == 0 { &self.initial } else { &self.continuing };
        let most = text.len().min(start + self.max_bytes);
        (start + 1..=most).rev().find_map(|end| Some((*map.get(text.get(start..end)?)?, end)))
    }
}
