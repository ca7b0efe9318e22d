//! Document features: how the candidates of one document, and of one section, rank among all candidates.

use std::collections::BTreeMap;

use document::{DocumentIdx, SectionId};
use index::{Index, Segment};

use super::runs::{Runs, log_rank};
use crate::candidate::Candidate;

pub const NAMES: &[&str] = &[
    "document.best",
    "document.rank",
    "document.share",
    "document.sum",
    "section.best",
    "section.share",
    "blend.rank",
    "document.gap",
    "document.early",
    "document.named",
];

/// Number of the best candidates over which shares are taken.
const N_HEAD: usize = 20;
/// Number of a document's candidates whose scores are summed.
const N_SUMMED: usize = 3;

/// The document features of all candidates of a question.
pub struct DocumentFeatures {
    /// By candidate.
    rows: Vec<[f32; NAMES.len()]>,
}

/// The candidates of one document or section.
#[derive(Default)]
struct CandidateGroup {
    /// The best scores, best first.
    best: Vec<f32>,
    /// Number of them among the first [`N_HEAD`] of all candidates.
    n_head: u32,
}

impl CandidateGroup {
    fn add(&mut self, rank: u32, score: f32) {
        if self.best.len() <= N_SUMMED {
            self.best.push(score);
        }
        self.n_head += u32::from(is_head(rank));
    }

    /// The best score apart from a candidate's own.
    fn best_other(&self, own: f32) -> f32 {
        let skip = usize::from(self.best.first() == Some(&own));
        self.best.get(skip).copied().unwrap_or(f32::NAN)
    }

    /// Share of the first [`N_HEAD`] candidates, a candidate's own place left out.
    fn share(&self, rank: u32) -> f32 {
        (self.n_head - u32::from(is_head(rank)).min(self.n_head)) as f32 / N_HEAD as f32
    }
}

fn is_head(rank: u32) -> bool {
    rank as usize <= N_HEAD
}

/// The candidates of a question by document and by section.
#[derive(Default)]
struct Groups {
    documents: BTreeMap<DocumentIdx, CandidateGroup>,
    sections: BTreeMap<(DocumentIdx, SectionId), CandidateGroup>,
    /// Rank of each document's best candidate among the documents, from 1.
    document_ranks: BTreeMap<DocumentIdx, u32>,
}

impl DocumentFeatures {
    /// `order` is that of the candidates by their blended score, best first.
    pub fn new(
        candidates: &[Candidate],
        runs: &Runs,
        order: &[usize],
        index: &Index,
        question: &str,
    ) -> Self {
        let score = |at: usize| runs.blend.get(at).copied().unwrap_or(f32::NEG_INFINITY);
        let sections: Vec<SectionId> =
            candidates.iter().map(|candidate| section_of(candidate, index)).collect();
        let mut groups = Groups::default();
        let mut ranks = vec![0_u32; candidates.len()];
        for (rank, &at) in (1..).zip(order) {
            let (Some(candidate), Some(&section)) = (candidates.get(at), sections.get(at)) else { continue };
            if let Some(slot) = ranks.get_mut(at) {
                *slot = rank;
            }
            let next = groups.document_ranks.len() as u32 + 1;
            groups.document_ranks.entry(candidate.document).or_insert(next);
            groups.documents.entry(candidate.document).or_default().add(rank, score(at));
            groups.sections.entry((candidate.document, section)).or_default().add(rank, score(at));
        }
        let question = question.to_lowercase();
        let mut named: BTreeMap<DocumentIdx, bool> = BTreeMap::new();
        let row = |(at, ((candidate, &section), rank)): (usize, ((&Candidate, &SectionId), u32))| {
            let is_named = *named.entry(candidate.document).or_insert_with(|| {
                index.get(candidate.document).is_some_and(|entry| is_named(entry.segment(), &question))
            });
            groups.row(candidate, section, rank, score(at), index, is_named)
        };
        let rows = candidates.iter().zip(&sections).zip(ranks).enumerate().map(row).collect();
        Self { rows }
    }

    /// Appends the values of [`NAMES`] for a candidate.
    pub fn push(&self, at: usize, out: &mut Vec<f32>) {
        out.extend(self.rows.get(at).copied().unwrap_or([f32::NAN; NAMES.len()]));
    }
}

impl Groups {
    fn row(
        &self,
        candidate: &Candidate,
        section: SectionId,
        rank: u32,
        own: f32,
        index: &Index,
        is_named: bool,
    ) -> [f32; NAMES.len()] {
        let key = (candidate.document, section);
        let (Some(document), Some(section)) =
            (self.documents.get(&candidate.document), self.sections.get(&key))
        else {
            return [f32::NAN; NAMES.len()];
        };
        [
            document.best_other(own),
            log_rank(self.document_ranks.get(&candidate.document).copied()),
            document.share(rank),
            document.best.iter().take(N_SUMMED).sum(),
            section.best_other(own),
            section.share(rank),
            log_rank(Some(rank)),
            own - document.best.first().copied().unwrap_or(own),
            early(index, candidate),
            f32::from(u8::from(is_named)),
        ]
    }
}

/// The section under which a candidate's own section stands; its own at the root.
fn section_of(candidate: &Candidate, index: &Index) -> SectionId {
    let section = || {
        let document = index.get(candidate.document)?.segment().document();
        let own = document.chunks.get(candidate.chunk.idx())?.section;
        Some(document.tree.sections.get(own.idx())?.parent.unwrap_or(own))
    };
    section().unwrap_or(SectionId(u32::MAX))
}

/// Nearness of a unit to the beginning of its document, 0 to 1, where purposes, scope and definitions stand.
fn early(index: &Index, candidate: &Candidate) -> f32 {
    let Some(entry) = index.get(candidate.document) else { return f32::NAN };
    let segment = entry.segment();
    let place = segment.unit_of(candidate.chunk).and_then(|unit| segment.graph().place(unit));
    4.0 / (4.0 + f32::from(place.unwrap_or(index::MAX_PLACE)))
}

/// True if the question contains the document's title without its formal parts.
fn is_named(segment: &Segment, question: &str) -> bool {
    let Some(title) = &segment.document().title else { return false };
    let title = title.to_lowercase().replace(['《', '》'], "").replace("中华人民共和国", "");
    let title = title.split(['（', '(']).next().unwrap_or_default().trim();
    title.chars().count() >= 3 && question.contains(title)
}
