//! Fixed-size windows over the text: the baseline of layout-aware chunks. Sections and sentences are ignored, footnotes
//! stay where the layout puts them.

use document::{BlockKind, Chunk, ChunkId, ChunkKind, Layout, SectionId};
use text::TokenCount;

use crate::budget::SentencePart;
use crate::options::Options;
use crate::tree::chunk;

/// Splits a document into parents of exactly [`Options::parent_tokens`] and children of
/// [`Options::child_tokens`], to the nearest word; no articles, no notes, no overlap, all in the root.
pub fn split_windows(layout: &Layout, tokens: &dyn TokenCount, options: &Options) -> Vec<Chunk> {
    let options = options.clamped();
    let words = words(layout, tokens);
    let mut parents = Vec::new();
    let mut children = Vec::new();
    for window in windows(&words, options.parent_tokens) {
        let id = ChunkId::from_idx(parents.len());
        parents.push(chunk(layout, ChunkKind::Parent, SectionId(0), window));
        for window in windows(window, options.child_tokens) {
            let mut child = chunk(layout, ChunkKind::Child, SectionId(0), window);
            child.parents.push(id);
            children.push(child);
        }
    }
    parents.extend(children);
    parents
}

fn words(layout: &Layout, tokens: &dyn TokenCount) -> Vec<SentencePart> {
    let mut parts = Vec::new();
    for block in &layout.blocks {
        let text = layout.slice(block.range);
        let start = block.range.start as usize;
        crate::budget::each_word(text, tokens, &mut |range, n_tokens| {
            let range = document::TextRange::new(start + range.start, start + range.end);
            let is_heading = block.kind == BlockKind::Heading;
            parts.push(SentencePart {
                range,
                n_tokens,
                section: SectionId(0),
                is_heading,
                starts_block: false,
            });
        });
    }
    parts
}

/// Windows of at most `limit` tokens.
fn windows(words: &[SentencePart], limit: usize) -> Vec<&[SentencePart]> {
    let mut windows = Vec::new();
    let (mut start, mut total) = (0, 0);
    for (at, word) in words.iter().enumerate() {
        if total > 0 && total + word.n_tokens > limit {
            windows.extend(words.get(start..at));
            (start, total) = (at, 0);
        }
        total += word.n_tokens;
    }
    if start < words.len() {
        windows.extend(words.get(start..));
    }
    windows
}
