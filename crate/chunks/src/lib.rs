//! Chunking: a section tree to parents, children, articles and notes.
//!
//! [`split`] reads the sections of a document in order and gives four kinds of [`Chunk`]:
//!
//! - **Parents**: consecutive sections merged up to [`Options::parent_tokens`]. A parent begins with the last section
//!   of the previous one, if that is shorter than the limit, and adds at least one. A section far over the limit is
//!   cut between paragraphs, then between sentences. (A "section" here is the text directly under one heading.)
//! - **Children**: parents cut between sentences to [`Options::child_tokens`], their headings included. Children do not
//!   overlap: a child in an overlap of parents has two parents.
//! - **Articles**: the provisions marked by [`document::Section::is_article`], whole. An article may equal its only
//!   child; ranking folds the child into it.
//! - **Notes**: the footnotes of a page, linked to every parent on it.
//!
//! They come in that order, each kind in reading order; an id is a position in the result. The caller's tokenizer counts
//! each sentence once, so the cost is linear in the text. Chunks are ranges, not copies. [`tagged_text`] is embedded;
//! [`header_text`] is indexed beside the text.
//!
//! ```
//! use text::ApproximateTokens;
//! let (layout, tree) = (document::Layout::default(), document::Tree::default());
//! assert!(chunks::split(&layout, &tree, &ApproximateTokens, &chunks::Options::default()).is_empty());
//! ```

mod article;
mod budget;
mod child;
mod header;
mod note;
mod options;
mod parent;
mod tree;
mod unit;
mod window;

use document::{Chunk, Layout, Tree};
use text::TokenCount;

pub use header::{header_text, tagged_text};
pub use options::Options;
pub use window::{split_long_units, split_windows};

/// Splits a document into chunks.
pub fn split(layout: &Layout, tree: &Tree, tokens: &dyn TokenCount, options: &Options) -> Vec<Chunk> {
    let options = options.clamped();
    let section_index = tree::SectionIndex::new(tree);
    let (parts, units) = unit::collect(layout, tree, tokens, &options);
    let parents = parent::group(&units, options.parent_tokens);
    let mut chunks = parent::chunks(layout, tree, &parts, &units, &parents);
    let n_parents = chunks.len();
    let mut children = child::cut(layout, tree, &parts, &units, &parents, &section_index);
    let articles = article::chunks(layout, tree, &parts, &section_index, &mut children, n_parents);
    let notes = note::chunks(layout, tree, tokens, &options, &chunks);
    chunks.extend(children);
    chunks.extend(articles);
    chunks.extend(notes);
    chunks
}

#[cfg(test)]
mod tests;
