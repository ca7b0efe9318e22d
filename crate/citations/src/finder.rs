//! One quotation by itself, in sources that are at hand: what a model copied out, before it writes an answer.
//!
//! It stands there by the same rules as a quotation of an answer: word for word, so that the raised mark of a note is
//! no figure, or but for a small edit, and then the source's words are what counts. Cost: linear in the sources once,
//! and the steps of a [`Shelf`] for all quotations together.

use super::checker::verbatim;
use super::key::Key;
use super::repair;
use super::shelf::Shelf;
use super::{Piece, Source};

/// Sources in which quotations are looked up.
pub struct Finder<'a> {
    shelf: Shelf<'a>,
}

impl<'a> Finder<'a> {
    /// Makes the sources searchable.
    pub fn new(sources: &[Source<'a>]) -> Self {
        Self { shelf: Shelf::new(sources) }
    }

    /// Where words stand: in the source named, if one is, else in any.
    pub fn find(&self, words: &str, named: Option<u32>) -> Option<Piece> {
        let key = Key::new(words.trim().trim_matches(['"', '“', '”', '「', '」', '«', '»']));
        let place = named.and_then(|id| self.shelf.place(id));
        let named = place.as_slice();
        let found =
            verbatim(&self.shelf, &key, named).or_else(|| repair::repair(&self.shelf, &key, named))?;
        self.shelf.piece(&found)
    }
}
