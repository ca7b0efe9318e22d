//! Words of the text that refer to notes.

use document::{PageId, Slice as _};

use crate::page::{Note, NoteReferences, Word};
use crate::typography::{bare_mark, is_circled, is_exponent, is_symbol, ordinal};

/// The notes that a page's text may call.
pub(crate) struct ReferableNotes<'a> {
    notes: &'a [Note],
    /// References to notes that stand elsewhere.
    references: &'a NoteReferences,
}

impl<'a> ReferableNotes<'a> {
    /// Of all notes, which are in order of their pages, and of what calls notes that stand elsewhere.
    pub(crate) fn new(notes: &'a [Note], references: &'a NoteReferences) -> Self {
        Self { notes, references }
    }

    /// The markers that a word calls from its page; empty if it is no mark. `prev` is the word before it.
    pub(crate) fn marks(&self, word: &Word, prev: Option<&Word>, page: PageId) -> Vec<String> {
        if let Some(markers) = self.references.get(word, page) {
            return markers.to_vec();
        }
        let text = bare_mark(&word.text);
        if prev.is_some_and(|prev| is_exponent(prev, word)) {
            return Vec::new();
        }
        let is_bracketed = text.starts_with('[') && text.ends_with(']') && text.len() > 2;
        if !(word.raised || is_bracketed || is_symbol(&text) || is_circled(&text)) {
            return Vec::new();
        }
        let text = if is_bracketed { text.trim_matches(['[', ']']) } else { &*text };
        let parts: Vec<&str> =
            text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
        let known = |part: &&str| self.is_known(part, page);
        if parts.is_empty() || !parts.iter().all(known) {
            Vec::new()
        } else {
            parts.into_iter().map(str::to_owned).collect()
        }
    }

    fn is_known(&self, marker: &str, page: PageId) -> bool {
        let start = self.notes.partition_point(|note| note.page < page);
        // No printed page has more notes than this; a hostile one must not cost their square.
        let here = self.notes.slice(start..(start + 1024).min(self.notes.len()));
        let on = |note: &&Note, at: u32| note.page.0 == at;
        if here.iter().take_while(|note| on(note, page.0)).any(|note| note.marker == marker) {
            return true;
        }
        // Pushed over: the first notes of the next page.
        let next = here.iter().skip_while(|note| on(note, page.0)).take_while(|note| on(note, page.0 + 1));
        ordinal(marker).is_some() && next.take(2).any(|note| note.marker == marker)
    }
}
