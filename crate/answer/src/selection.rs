//! Selection of the texts that each step reads: retrieved passages, the kept ones, the context to quote from, and the
//! passages that the answer is written from, all within the profile's budget.

use std::collections::BTreeSet;

use document::{ChunkId, ChunkKind, DocumentIdx, Slice as _, TextRange};

use crate::answer::Evidence;
use crate::corpus::Corpus;
use crate::profile::{Profile, ReadUnit};
use crate::prompt_passage::{PromptPassage, parts};

/// Share of a passage in the quotations from which it is not read again, 0 to 1.
const COVERED: f64 = 0.8;
/// Number of passages used when the filter keeps none.
const BEST: usize = 3;

/// A passage that a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPassage {
    /// The document.
    pub document: DocumentIdx,
    /// The passage.
    pub chunk: ChunkId,
    /// Its score, comparable within one search.
    pub score: f32,
    /// Cosine of its vector to the question's, -1 to 1; `None` without vectors.
    pub cosine: Option<f32>,
}

impl FoundPassage {
    pub(crate) fn key(&self) -> (DocumentIdx, ChunkId) {
        (self.document, self.chunk)
    }
}

/// Passages retrieved, kept and quoted so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Retrieved passages, best first, round after round.
    pub found: Vec<FoundPassage>,
    /// Passages that the filter kept.
    pub kept: Vec<FoundPassage>,
    /// Quoted ranges by document, each list in order of the text.
    pub extracts: Vec<(DocumentIdx, Vec<TextRange>)>,
    /// Parents and articles that were quoted from.
    quoted_from: BTreeSet<(DocumentIdx, ChunkId)>,
}

impl Selection {
    /// Adds the best `n` new passages of a search.
    pub fn take_new(&mut self, together: &[FoundPassage], n: usize) -> Vec<FoundPassage> {
        let known: BTreeSet<_> = self.found.iter().map(FoundPassage::key).collect();
        let is_new = |found: &&FoundPassage| !known.contains(&found.key());
        let new: Vec<FoundPassage> = together.iter().filter(is_new).take(n).copied().collect();
        self.found.extend(&new);
        new
    }

    /// Context of the kept passages that was not quoted from yet, in requests within the budget, best first.
    pub fn batches(
        &mut self,
        corpus: &dyn Corpus,
        profile: &Profile,
        budget: u32,
    ) -> Vec<Vec<PromptPassage>> {
        let budget = budget as usize;
        let units = self.read_units(corpus, profile);
        let new = units.into_iter().filter(|chunk| self.quoted_from.insert(*chunk));
        // The path goes with each part, so a part leaves room for it.
        let sources: Vec<PromptPassage> = new
            .filter_map(|(at, chunk)| Some((at, corpus.document(at)?, chunk)))
            .flat_map(|(at, document, chunk)| {
                let ranges = document.chunks.get(chunk.idx()).map_or(&[][..], |chunk| &chunk.ranges);
                let parts = parts(document, ranges, budget - budget / 8);
                parts.into_iter().map(move |part| PromptPassage::of_ranges(document, at, &part))
            })
            .collect();
        let mut batches: Vec<Vec<PromptPassage>> = Vec::new();
        let mut left = 0;
        for source in sources {
            let size = source.n_tokens();
            if size > left || batches.is_empty() {
                batches.push(Vec::new());
                left = budget;
            }
            left = left.saturating_sub(size);
            if let Some(batch) = batches.last_mut() {
                batch.push(source);
            }
        }
        batches
    }

    /// Read units of the kept passages, best first; of the best retrieved ones if none was kept.
    fn read_units(&self, corpus: &dyn Corpus, profile: &Profile) -> Vec<(DocumentIdx, ChunkId)> {
        let of: &[FoundPassage] = match self.kept.as_slice() {
            [] => self.found.slice(..self.found.len().min(BEST)),
            kept => kept,
        };
        let mut units: Vec<(DocumentIdx, ChunkId)> = Vec::new();
        for found in of {
            let document = corpus.document(found.document);
            let Some(chunk) = document.and_then(|document| document.chunks.get(found.chunk.idx())) else {
                continue;
            };
            let article = chunk.article.filter(|_| profile.retrieval.read == ReadUnit::Article);
            let own = Some(found.chunk).filter(|_| chunk.kind != ChunkKind::Child);
            let whole = article.or_else(|| chunk.parents.first().copied()).or(own).unwrap_or(found.chunk);
            if !units.contains(&(found.document, whole)) {
                units.push((found.document, whole));
            }
            if units.len() >= profile.retrieval.around as usize {
                break;
            }
        }
        units
    }

    /// Passages that the answer is written from: the quotations by document in order of the text, and the kept
    /// passages that they do not cover; as many as fit, at least one.
    pub fn for_reader(&self, corpus: &dyn Corpus, budget: u32) -> Vec<PromptPassage> {
        let mut all: Vec<PromptPassage> = Vec::new();
        for (at, ranges) in &self.extracts {
            if let Some(document) = corpus.document(*at) {
                all.push(PromptPassage::of_ranges(document, *at, ranges));
            }
        }
        let (_, kept) = within(corpus, &self.kept, budget);
        for source in kept {
            let covered: usize = self
                .extracts
                .iter()
                .filter(|(at, _)| *at == source.document)
                .flat_map(|(_, ranges)| ranges)
                .flat_map(|quoted| source.ranges().filter_map(|range| range.intersect(*quoted)))
                .map(TextRange::len)
                .sum();
            let size: usize = source.ranges().map(TextRange::len).sum();
            if (covered as f64) < COVERED * size as f64 {
                all.push(source);
            }
        }
        if all.is_empty() {
            // Nothing kept and nothing quoted: the reader gets the best retrieved passages.
            let best = self.found.slice(..self.found.len().min(BEST));
            all = within(corpus, best, budget).1;
        }
        let mut left = budget as usize;
        let mut fits = |source: &PromptPassage| {
            let size = source.n_tokens();
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        };
        all.retain(|source| fits(source));
        all
    }
}

/// Passages with their documents.
pub(crate) fn evidence_of<'c>(corpus: &'c dyn Corpus, found: &[FoundPassage]) -> Vec<Evidence<'c>> {
    let evidence = |&FoundPassage { document, chunk, score, cosine }: &FoundPassage| {
        Some(Evidence { document, source: corpus.document(document)?, chunk, score, cosine })
    };
    found.iter().filter_map(evidence).collect()
}

/// The passages, best first, that fit into a request of `budget` tokens, with their texts.
pub(crate) fn within(
    corpus: &dyn Corpus,
    passages: &[FoundPassage],
    budget: u32,
) -> (Vec<FoundPassage>, Vec<PromptPassage>) {
    let mut left = budget as usize;
    let mut fitting = (Vec::new(), Vec::new());
    for found in passages {
        let Some(document) = corpus.document(found.document) else { continue };
        let Some(chunk) = document.chunks.get(found.chunk.idx()) else { continue };
        let source = PromptPassage::of_chunk(document, found.document, chunk);
        let size = source.n_tokens();
        if size <= left {
            left -= size;
            fitting.0.push(*found);
            fitting.1.push(source);
        }
    }
    fitting
}
