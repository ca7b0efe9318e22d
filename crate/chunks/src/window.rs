//! Baselines of layout-aware chunks, without sections, sentences and notes: windows of a fixed size, and long units.
//! Footnotes stay where the layout puts them.

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

/// Splits a document into long units, for readers of long contexts: articles of whole blocks, up to
/// [`Options::parent_tokens`] or one block, and as their children windows of [`Options::child_tokens`], which carry the
/// vectors. A unit is ranked by its best child, since an encoder reads only the beginning of a long text. No parents, no
/// notes, all in the root.
///
/// Source: Jiang, Ma, Chen, [LongRAG](https://arxiv.org/abs/2406.15319) (2024), units of about 4,000 tokens.
pub fn split_long_units(layout: &Layout, tokens: &dyn TokenCount, options: &Options) -> Vec<Chunk> {
    let options = options.clamped();
    let words = words(layout, tokens);
    let mut chunks = Vec::new();
    let blocks: Vec<&[SentencePart]> = words.chunk_by(|_, next| !next.starts_block).collect();
    let (mut start, mut end, mut total) = (0, 0, 0);
    for block in blocks {
        let n_tokens: usize = block.iter().map(|word| word.n_tokens).sum();
        if total > 0 && total + n_tokens > options.parent_tokens {
            push_long(layout, words.get(start..end), options.child_tokens, &mut chunks);
            (start, total) = (end, 0);
        }
        end += block.len();
        total += n_tokens;
    }
    push_long(layout, words.get(start..end), options.child_tokens, &mut chunks);
    chunks
}

/// A long unit, followed by its windows.
fn push_long(layout: &Layout, words: Option<&[SentencePart]>, limit: usize, chunks: &mut Vec<Chunk>) {
    let Some(words) = words.filter(|words| !words.is_empty()) else { return };
    let unit = ChunkId::from_idx(chunks.len());
    chunks.push(chunk(layout, ChunkKind::Article, SectionId(0), words));
    for window in windows(words, limit) {
        let child = chunk(layout, ChunkKind::Child, SectionId(0), window);
        chunks.push(Chunk { article: Some(unit), ..child });
    }
}

fn words(layout: &Layout, tokens: &dyn TokenCount) -> Vec<SentencePart> {
    let mut parts = Vec::new();
    for block in &layout.blocks {
        let text = layout.slice(block.range);
        let start = block.range.start as usize;
        let mut starts_block = true;
        crate::budget::each_word(text, tokens, &mut |range, n_tokens| {
            let range = document::TextRange::new(start + range.start, start + range.end);
            let is_heading = block.kind == BlockKind::Heading;
            parts.push(SentencePart { range, n_tokens, section: SectionId(0), is_heading, starts_block });
            starts_block = false;
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
