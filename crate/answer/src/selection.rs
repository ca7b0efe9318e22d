//! Selection of the texts that each step reads: retrieved passages, the kept ones, the context to quote from, and the
//! passages that the answer is written from, all within the budget. No words go into one request twice.

use std::collections::BTreeSet;

use document::{ChunkId, Document, DocumentIdx, Slice as _, TextRange};

use crate::answer::Evidence;
use crate::corpus::Corpus;
use crate::profile::{Profile, ReadUnit};
use crate::prompt_passage::{PromptPassage, parts};

/// Share of a passage that a model has read from which it counts as read, 0 to 1.
const READ: f64 = 0.8;
/// Number of passages that are quoted from when the filter keeps none.
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
    /// Cosine of its vector to that of the query that found it, -1 to 1; `None` without vectors.
    pub cosine: Option<f32>,
}

impl FoundPassage {
    pub(crate) fn key(&self) -> (DocumentIdx, ChunkId) {
        (self.document, self.chunk)
    }

    /// Its ranges of the document's text.
    fn ranges<'c>(&self, corpus: &'c dyn Corpus) -> &'c [TextRange] {
        let chunk = corpus.document(self.document).and_then(|source| source.chunks.get(self.chunk.idx()));
        chunk.map_or(&[], |chunk| &chunk.ranges)
    }
}

/// Passages retrieved, kept and quoted so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Retrieved passages, best first, round after round.
    pub found: Vec<FoundPassage>,
    /// Passages that bear on the question: the filter kept them, they are quoted, or no model could say.
    pub kept: Vec<FoundPassage>,
    /// Quoted ranges by document, each list in order of the text.
    pub extracts: Vec<(DocumentIdx, Vec<TextRange>)>,
    /// Ranges from which a model has quoted what bears on the question.
    read: Vec<(DocumentIdx, TextRange)>,
    /// Parents and articles that were sent to be quoted from.
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

    /// True if nothing that was found bears on the question.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.extracts.is_empty()
    }

    /// Takes the quotations from passages that a model has read. Found passages with quoted words are kept.
    pub fn quote(
        &mut self,
        corpus: &dyn Corpus,
        passages: &[PromptPassage],
        quoted: &[(DocumentIdx, Vec<TextRange>)],
    ) {
        let read = passages.iter().flat_map(|sent| sent.ranges().map(|range| (sent.document, range)));
        self.read.extend(read);
        let is_quoted = |found: &FoundPassage| {
            let ranges = found.ranges(corpus);
            quoted.iter().any(|(at, words)| *at == found.document && n_common(ranges, words) > 0)
        };
        self.keep(is_quoted);
        self.extracts.extend_from_slice(quoted);
    }

    /// Keeps the found passages that are to be kept and are not yet.
    pub fn keep(&mut self, is_kept: impl Fn(&FoundPassage) -> bool) {
        let known: BTreeSet<_> = self.kept.iter().map(FoundPassage::key).collect();
        let new = self.found.iter().filter(|found| !known.contains(&found.key()) && is_kept(found));
        self.kept.extend(new.copied().collect::<Vec<_>>());
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

    /// The new passages that fit into a request, best first, those of one read unit as one passage in order of the text.
    pub fn gathered(
        corpus: &dyn Corpus,
        profile: &Profile,
        new: &[FoundPassage],
        budget: u32,
    ) -> Vec<PromptPassage> {
        let mut units: Vec<((DocumentIdx, ChunkId), Vec<TextRange>)> = Vec::new();
        for found in within(corpus, new, budget).0 {
            let Some(document) = corpus.document(found.document) else { continue };
            let unit = (found.document, read_unit(document, found.chunk, profile.retrieval.read));
            match units.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, ranges)) => ranges.extend(found.ranges(corpus)),
                None => units.push((unit, found.ranges(corpus).to_vec())),
            }
        }
        let passage = |((at, _), ranges): ((DocumentIdx, ChunkId), Vec<TextRange>)| {
            Some(PromptPassage::of_ranges(corpus.document(at)?, at, &joined(ranges)))
        };
        units.into_iter().filter_map(passage).collect()
    }

    /// Read units of the kept passages, best first; of the best retrieved ones if none was kept.
    fn read_units(&self, corpus: &dyn Corpus, profile: &Profile) -> Vec<(DocumentIdx, ChunkId)> {
        let of: &[FoundPassage] = match self.kept.as_slice() {
            [] => self.found.slice(..self.found.len().min(BEST)),
            kept => kept,
        };
        let mut units: Vec<(DocumentIdx, ChunkId)> = Vec::new();
        for found in of {
            let Some(document) = corpus.document(found.document) else { continue };
            let unit = (found.document, read_unit(document, found.chunk, profile.retrieval.read));
            if !units.contains(&unit) {
                units.push(unit);
            }
            if units.len() >= profile.retrieval.around as usize {
                break;
            }
        }
        units
    }

    /// Passages that the answer is written from: the quotations, section by section, and the kept passages that no model
    /// has quoted from; as many as fit.
    pub fn for_reader(&self, corpus: &dyn Corpus, budget: u32) -> Vec<PromptPassage> {
        let is_unread = |found: &&FoundPassage| !is_among(corpus, found, &self.read);
        // Kept by one model, and nothing quoted from them by another: they are read as they stand.
        let kept: Vec<FoundPassage> = match self.extracts.as_slice() {
            [] => self.kept.clone(),
            _ => self.kept.iter().filter(is_unread).copied().collect(),
        };
        let (_, whole) = within(corpus, &kept, budget);
        let mut all = quotations(corpus, &self.extracts, &whole);
        all.extend(whole);
        let mut left = budget as usize;
        all.retain(|source| {
            let size = source.n_tokens();
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        });
        all
    }
}

/// The quotations as passages, one for each place that headings tell apart, without those that stand in `whole`.
fn quotations(
    corpus: &dyn Corpus,
    extracts: &[(DocumentIdx, Vec<TextRange>)],
    whole: &[PromptPassage],
) -> Vec<PromptPassage> {
    let mut groups: Vec<(DocumentIdx, Vec<String>, Vec<TextRange>)> = Vec::new();
    for (at, ranges) in extracts {
        let Some(source) = corpus.document(*at) else { continue };
        let is_whole = |range: TextRange| {
            whole.iter().any(|sent| sent.document == *at && sent.ranges().any(|words| words.contains(range)))
        };
        for range in ranges.iter().flat_map(|&range| by_section(source, range)) {
            if is_whole(range) {
                continue;
            }
            let path = source.tree.path_titles(source.tree.innermost(range));
            match groups.iter_mut().find(|(of, titles, _)| of == at && *titles == path) {
                Some((_, _, words)) => words.push(range),
                None => groups.push((*at, path, vec![range])),
            }
        }
    }
    let passage = |(at, _, ranges): (DocumentIdx, Vec<String>, Vec<TextRange>)| {
        Some(PromptPassage::of_ranges(corpus.document(at)?, at, &joined(ranges)))
    };
    groups.into_iter().filter_map(passage).collect()
}

/// A range cut where a section begins or ends.
fn by_section(source: &Document, range: TextRange) -> Vec<TextRange> {
    let ends = source.tree.sections.iter().flat_map(|section| [section.range.start, section.range.end]);
    let cuts: BTreeSet<u32> = ends.filter(|&at| range.start < at && at < range.end).collect();
    let starts = std::iter::once(range.start).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([range.end]);
    starts.zip(ends).map(|(start, end)| TextRange { start, end }).collect()
}

/// Ranges in order, overlaps joined.
fn joined(mut ranges: Vec<TextRange>) -> Vec<TextRange> {
    ranges.sort_unstable();
    ranges.dedup_by(|next, kept| {
        let joins = next.start <= kept.end;
        if joins {
            kept.end = kept.end.max(next.end);
        }
        joins
    });
    ranges
}

/// The unit that is read around a chunk: its article or its parent, or the chunk itself.
fn read_unit(source: &Document, id: ChunkId, read: ReadUnit) -> ChunkId {
    let Some(chunk) = source.chunks.get(id.idx()) else { return id };
    let article = chunk.article.filter(|_| read == ReadUnit::Article);
    article.or_else(|| chunk.parents.first().copied()).unwrap_or(id)
}

/// Passages with their documents.
pub(crate) fn evidence_of<'c>(corpus: &'c dyn Corpus, found: &[FoundPassage]) -> Vec<Evidence<'c>> {
    let evidence = |&FoundPassage { document, chunk, score, cosine }: &FoundPassage| {
        Some(Evidence { document, source: corpus.document(document)?, chunk, score, cosine })
    };
    found.iter().filter_map(evidence).collect()
}

/// The passages, best first, that fit into a request of `budget` tokens, with their texts. Of two of which one holds the
/// other, the larger is sent.
pub(crate) fn within(
    corpus: &dyn Corpus,
    passages: &[FoundPassage],
    budget: u32,
) -> (Vec<FoundPassage>, Vec<PromptPassage>) {
    let mut left = budget as usize;
    let mut fitting: Vec<(FoundPassage, PromptPassage)> = Vec::new();
    for found in passages {
        let Some(document) = corpus.document(found.document) else { continue };
        let Some(chunk) = document.chunks.get(found.chunk.idx()) else { continue };
        let holds = |outer: &FoundPassage, inner: &FoundPassage| {
            let words = inner.ranges(corpus);
            outer.document == inner.document && n_common(outer.ranges(corpus), words) == n_bytes(words)
        };
        if fitting.iter().any(|(taken, _)| holds(taken, found)) {
            continue;
        }
        let source = PromptPassage::of_chunk(document, found.document, chunk);
        let inside = |(taken, _): &(FoundPassage, PromptPassage)| holds(found, taken);
        let freed: usize =
            fitting.iter().filter(|taken| inside(taken)).map(|(_, held)| held.n_tokens()).sum();
        let size = source.n_tokens();
        if size <= left + freed {
            let at = fitting.iter().position(inside).unwrap_or(fitting.len());
            fitting.retain(|taken| !inside(taken));
            fitting.insert(at, (*found, source));
            left = left + freed - size;
        }
    }
    fitting.into_iter().unzip()
}

/// True if a model has read a found passage among these ranges.
fn is_among(corpus: &dyn Corpus, found: &FoundPassage, ranges: &[(DocumentIdx, TextRange)]) -> bool {
    let words = found.ranges(corpus);
    let of: Vec<TextRange> =
        ranges.iter().filter(|(at, _)| *at == found.document).map(|&(_, range)| range).collect();
    n_common(words, &joined(of)) as f64 >= READ * n_bytes(words) as f64
}

/// Bytes that two lists of disjoint ranges share.
fn n_common(some: &[TextRange], others: &[TextRange]) -> usize {
    let pairs = some.iter().flat_map(|range| others.iter().map(move |other| (range, other)));
    pairs.filter_map(|(range, other)| range.intersect(*other)).map(TextRange::len).sum()
}

fn n_bytes(ranges: &[TextRange]) -> usize {
    ranges.iter().map(|range| range.len()).sum()
}
