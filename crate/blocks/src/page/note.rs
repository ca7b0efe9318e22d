//! Notes and the references to them.

use std::collections::BTreeMap;

use document::PageId;

use crate::page::line::Line;
use crate::page::word::Word;

/// A footnote: its mark, and its lines over all pages.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// Its mark without brackets; empty for lines that no mark begins.
    pub marker: String,
    /// The page on which it begins.
    pub page: PageId,
    pub lines: Vec<Line>,
}

/// Words that refer to notes which stand elsewhere than at the foot of their page: the marks they refer to, by the
/// place of the word.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteReferences {
    markers: BTreeMap<(u32, u32, u32), Vec<String>>,
}

impl NoteReferences {
    /// The marks of the notes that this word refers to.
    pub(crate) fn get(&self, word: &Word, page: PageId) -> Option<&[String]> {
        self.markers.get(&key(word, page)).map(Vec::as_slice)
    }

    /// Makes a word refer to the notes of these marks.
    pub(crate) fn insert(&mut self, word: &Word, page: PageId, markers: Vec<String>) {
        self.markers.insert(key(word, page), markers);
    }
}

fn key(word: &Word, page: PageId) -> (u32, u32, u32) {
    (page.0, word.rect.x0.to_bits(), word.baseline.to_bits())
}
