//! What `chunks` gives, and the document as a whole: what is read, what is matched, and what both stand on.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ChunkId, Diag, Layout, NoteId, SectionId, TextRange, Tree};

/// A document ready to be indexed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The file's name as the user knows it; what citations show.
    pub name: String,
    /// SHA-256 of the file's bytes, 64 lower-case hex digits: the document's identity.
    pub digest: String,
    /// Its title: the file's own, or the title block of its first page.
    pub title: Option<String>,
    /// Text, words, blocks.
    pub layout: Layout,
    /// Sections and notes.
    pub tree: Tree,
    /// Parents, children, articles and notes, by [`ChunkId`].
    pub chunks: Vec<Chunk>,
    /// What was noticed while it was read.
    pub diags: Vec<Diag>,
}

impl Document {
    /// The text of a chunk: its ranges joined by `\n`.
    pub fn chunk_text(&self, chunk: &Chunk) -> String {
        let parts: Vec<&str> = chunk.ranges.iter().map(|&range| self.layout.slice(range)).collect();
        parts.join("\n")
    }

    /// The headings above a chunk, outermost first.
    pub fn section_path(&self, chunk: &Chunk) -> Vec<String> {
        self.tree.path_titles(chunk.section)
    }
}

/// A piece of a document with a purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// What it is for.
    pub kind: ChunkKind,
    /// Its text: ranges of the document's text in reading order, not overlapping. More than one where
    /// footnotes stand between its blocks.
    pub ranges: Vec<TextRange>,
    /// The innermost section that holds all of it, headings of outer sections in front of its text left out.
    pub section: SectionId,
    /// Size in tokens of its text, by the counter it was split with; header tags not counted.
    pub n_tokens: u32,
    /// For a child: its parents. For a note: every parent that touches its page. For others: none.
    pub parents: Vec<ChunkId>,
    /// For a child: the article it lies in, where it lies in one.
    pub article: Option<ChunkId>,
    /// For a note chunk: the notes it groups. For a parent: the notes called in it.
    pub notes: Vec<NoteId>,
}

/// Kinds of chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ChunkKind {
    /// Consecutive sections: what a model reads.
    Parent,
    /// A piece of a parent that fits the encoder: what is embedded and matched.
    Child,
    /// One numbered provision whole.
    Article,
    /// The footnotes of a page: matched, and read with their parents.
    Note,
}

impl ChunkKind {
    /// The kind's name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Child => "child",
            Self::Article => "article",
            Self::Note => "note",
        }
    }
}
