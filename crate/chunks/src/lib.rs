//! A section tree to parents, children, articles and notes.
//!
//! [`split`] reads the sections of a document in order and gives four kinds of [`Chunk`]:
//!
//! - **Parents**: consecutive sections merged until they reach [`Options::parent_tokens`]; a parent begins
//!   with the last section of the one before it when that section is shorter than the limit, and holds
//!   at least one section more. A section far over the limit is cut at paragraphs, then sentences. (A
//!   "section" here is what stands directly under one heading: its subsections are sections of their own, so
//!   a long one is cut at its subsections first.)
//! - **Children**: parents cut at sentences to [`Options::child_tokens`], the headings above them included. No
//!   text stands in two children: a child of an overlap has two parents.
//! - **Articles**: the provisions that [`document::Section::is_article`] marks, whole. An article whose text
//!   is also exactly one child's is kept beside it; whoever ranks them folds one into the other.
//! - **Notes**: the footnotes of a page together, linked to every parent on that page.
//!
//! They come in that order, each kind in reading order; an id is a position in the result. Tokens are counted
//! by whoever embeds, once for each sentence: the cost is linear in the text. Text is never copied, only
//! ranges. [`tagged_text`] is what is embedded, [`header_text`] what is indexed beside the text.
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
mod parent;
mod tree;
mod unit;
mod window;

use document::{Chunk, Layout, Tree};
use text::TokenCount;

pub use header::{header_text, tagged_text};
pub use window::split_windows;

/// Sizes of chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Tokens that a parent reaches (it may be longer by its last section). At least twice the child's.
    pub parent_tokens: usize,
    /// Most tokens of a child, the headings in front of it included: what the encoder reads. At least 128.
    pub child_tokens: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { parent_tokens: 2_048, child_tokens: 256 }
    }
}

impl Options {
    /// The sizes that are used: at least the least that makes sense.
    fn settled(&self) -> Self {
        let child_tokens = self.child_tokens.max(128);
        Self { parent_tokens: self.parent_tokens.max(2 * child_tokens), child_tokens }
    }
}

/// Splits a document into chunks.
pub fn split(layout: &Layout, tree: &Tree, tokens: &dyn TokenCount, options: &Options) -> Vec<Chunk> {
    let options = options.settled();
    let outline = tree::Outline::new(tree);
    let (pieces, units) = unit::collect(layout, tree, tokens, &options);
    let parents = parent::group(&units, options.parent_tokens);
    let mut chunks = parent::chunks(layout, tree, &pieces, &units, &parents);
    let n_parents = chunks.len();
    let mut children = child::cut(layout, tree, &pieces, &units, &parents, &outline);
    let articles = article::chunks(layout, tree, &pieces, &outline, &mut children, n_parents);
    let notes = note::chunks(layout, tree, tokens, &options, &chunks);
    chunks.extend(children);
    chunks.extend(articles);
    chunks.extend(notes);
    chunks
}

#[cfg(test)]
mod tests;
