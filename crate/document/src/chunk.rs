//! Documents with their chunks. Made by `chunks`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ChunkId, Diag, Layout, NoteId, SectionId, TextRange, Tree};

/// A document ready to be indexed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The file's name, as shown in citations.
    pub name: String,
    /// SHA-256 of the file's bytes, 64 lower-case hex digits: the document's identity.
    pub digest: String,
    /// Its title: that of the file's metadata, else of the title block on its first page.
    pub title: Option<String>,
    /// Its layout.
    pub layout: Layout,
    /// Its sections and notes.
    pub tree: Tree,
    /// Its chunks by [`ChunkId`].
    pub chunks: Vec<Chunk>,
    /// Diagnostics of reading it.
    pub diags: Vec<Diag>,
}

impl Document {
    /// The text of a chunk: its ranges joined by `\n`.
    pub fn chunk_text(&self, chunk: &Chunk) -> Cow<'_, str> {
        let slice = |&range| self.layout.slice(range);
        match chunk.ranges.as_slice() {
            [range] => Cow::Borrowed(slice(range)),
            ranges => Cow::Owned(ranges.iter().map(slice).collect::<Vec<_>>().join("\n")),
        }
    }

    /// The headings above a chunk, outermost first.
    pub fn section_path(&self, chunk: &Chunk) -> Vec<String> {
        self.tree.path_titles(chunk.section)
    }
}

/// A chunk: a part of a document as the unit of retrieval or reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its kind.
    pub kind: ChunkKind,
    /// Its text: disjoint ranges in reading order, more than one if footnotes interrupt its blocks.
    pub ranges: Vec<TextRange>,
    /// The innermost section that contains it, apart from headings of outer sections at its beginning.
    pub section: SectionId,
    /// Size of its text in tokens of the counter it was split with, without header tags.
    pub n_tokens: u32,
    /// For a child its parents; for a note every parent on its page; for others none.
    pub parents: Vec<ChunkId>,
    /// For a child the article that contains it, if any.
    pub article: Option<ChunkId>,
    /// For a note chunk its notes; for a parent the notes called in it.
    pub notes: Vec<NoteId>,
}

/// Kinds of chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ChunkKind {
    /// Consecutive sections, as a language model reads them.
    Parent,
    /// A part of a parent that fits the encoder: embedded and searched.
    Child,
    /// A whole numbered provision: searched.
    Article,
    /// The footnotes of a page: embedded, searched, and read with their parents.
    Note,
}

impl ChunkKind {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Child => "child",
            Self::Article => "article",
            Self::Note => "note",
        }
    }
}
