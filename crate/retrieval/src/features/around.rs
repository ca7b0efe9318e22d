//! What stands around a unit: neighbours, section, citations, and the rest of its document.

use std::collections::BTreeMap;

use document::DocumentIdx;
use index::{Index, Relation, Segment, UnitOf};

use super::runs::{Runs, log_rank};
use super::{Place, Stage};
use crate::rank::Candidate;

pub const NAMES: &[&str] = &[
    "near.before",
    "near.after",
    "near.best",
    "near.mean",
    "near.above",
    "near.below",
    "near.beside.best",
    "near.beside.mean",
    "near.cites",
    "near.cited",
    "near.lead",
];

pub const SEMANTIC_NAMES: &[&str] = &[
    "dense.before",
    "dense.after",
    "dense.near.best",
    "dense.near.mean",
    "dense.above",
    "dense.below",
    "dense.beside.best",
    "dense.beside.mean",
    "dense.cites",
    "dense.cited",
    "dense.lead",
];

pub const DOCUMENT_NAMES: &[&str] = &[
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

pub const STATIC_NAMES: &[&str] = &["length", "depth", "degree", "pagerank", "authority"];

/// Relations in the order of the names: one value of the first three single ones, best or mean of the rest.
const BY_BEST: [Relation; 5] =
    [Relation::Above, Relation::Below, Relation::Beside, Relation::Cites, Relation::CitedBy];

/// The scores of the units around a place, by their words and by their vectors.
pub fn push(place: &Place<'_>, runs: &Runs, stage: &Stage<'_>, out: &mut Vec<f32>) {
    let mut words = Vec::with_capacity(NAMES.len());
    let mut vectors = Vec::with_capacity(NAMES.len());
    let around = |relation| place.graph.related(place.unit, relation);
    let lexical = |unit: u32| runs.lexical_z(stage.lexical.unit_score(place.document, unit));
    let elsewhere = Elsewhere::of(place, stage);
    let best = elsewhere.best(&|(document, unit)| runs.lexical_z(stage.lexical.unit_score(document, unit)));
    collect(&around, &lexical, best, lexical(place.unit), &mut words);
    if runs.dense.is_some() {
        let dense = |unit: u32| {
            let chunk = place.segment.units().get(unit as usize).copied();
            runs.dense_z(chunk.and_then(|chunk| stage.dense.score(place.document, chunk)))
        };
        let own = dense(place.unit);
        let mut known: BTreeMap<u32, f32> = BTreeMap::new();
        for relation in [Relation::Before, Relation::After].into_iter().chain(BY_BEST) {
            for &unit in around(relation) {
                known.entry(unit).or_insert_with(|| dense(unit));
            }
        }
        let best = elsewhere.best(&|(document, unit)| {
            let segment = stage.index.get(document).map(index::Entry::segment);
            let chunk = segment.and_then(|segment| segment.units().get(unit as usize).copied());
            runs.dense_z(chunk.and_then(|chunk| stage.dense.score(document, chunk)))
        });
        collect(&around, &|unit| known.get(&unit).copied().unwrap_or(f32::NAN), best, own, &mut vectors);
    }
    vectors.resize(SEMANTIC_NAMES.len(), f32::NAN);
    out.extend(words);
    out.extend(vectors);
}

/// Units of other documents that a unit cites, and that cite it.
struct Elsewhere<'a> {
    cites: &'a [UnitOf],
    cited_by: &'a [UnitOf],
}

impl<'a> Elsewhere<'a> {
    fn of(place: &Place<'_>, stage: &Stage<'a>) -> Self {
        match stage.citations {
            Some(citations) => Self {
                cites: citations.cites(place.document, place.unit),
                cited_by: citations.cited_by(place.document, place.unit),
            },
            None => Self { cites: &[], cited_by: &[] },
        }
    }

    /// The best score of each.
    fn best(&self, score: &dyn Fn(UnitOf) -> f32) -> [f32; 2] {
        [self.cites, self.cited_by]
            .map(|units| units.iter().map(|&unit| score(unit)).fold(f32::NAN, f32::max))
    }
}

/// The values of one leg in the order of the names. `elsewhere`: the best of other documents that are cited, and cite.
fn collect<'a>(
    around: &dyn Fn(Relation) -> &'a [u32],
    score: &dyn Fn(u32) -> f32,
    elsewhere: [f32; 2],
    own: f32,
    out: &mut Vec<f32>,
) {
    let first = |relation| around(relation).first().map_or(f32::NAN, |&unit| score(unit));
    let (before, after) = (first(Relation::Before), first(Relation::After));
    let best = |relation| around(relation).iter().map(|&unit| score(unit)).fold(f32::NAN, f32::max);
    let mean = |units: &[u32]| {
        let values: Vec<f32> =
            units.iter().map(|&unit| score(unit)).filter(|value| !value.is_nan()).collect();
        if values.is_empty() { f32::NAN } else { values.iter().sum::<f32>() / values.len() as f32 }
    };
    let near_mean = match (before.is_nan(), after.is_nan()) {
        (false, false) => f32::midpoint(before, after),
        (true, false) => after,
        _ => before,
    };
    let near_best = before.max(after);
    let beside_best = best(Relation::Beside);
    out.extend([
        before,
        after,
        near_best,
        near_mean,
        best(Relation::Above),
        best(Relation::Below),
        beside_best,
        mean(around(Relation::Beside)),
        best(Relation::Cites).max(elsewhere[0]),
        best(Relation::CitedBy).max(elsewhere[1]),
        own - near_best.max(beside_best),
    ]);
}

/// How the candidates of a document and of a section stand together.
pub struct Standing {
    /// By candidate.
    rows: Vec<[f32; DOCUMENT_NAMES.len()]>,
}

/// How many of the best count for shares.
const N_HEAD: usize = 20;
/// How many of a document's candidates are summed.
const N_SUMMED: usize = 3;

#[derive(Default)]
struct Bundle {
    best: Vec<f32>,
    n_head: u32,
}

impl Bundle {
    /// The best of the others.
    fn best_but(&self, own: f32) -> f32 {
        let skip = usize::from(self.best.first() == Some(&own));
        self.best.get(skip).copied().unwrap_or(f32::NAN)
    }
}

impl Standing {
    pub fn new(
        candidates: &[Candidate],
        runs: &Runs,
        order: &[usize],
        index: &Index,
        question: &str,
    ) -> Self {
        let blend = |at: usize| runs.blend.get(at).copied().unwrap_or(f32::NEG_INFINITY);
        let mut documents: BTreeMap<DocumentIdx, Bundle> = BTreeMap::new();
        let mut sections: BTreeMap<(DocumentIdx, usize), Bundle> = BTreeMap::new();
        let mut document_ranks: BTreeMap<DocumentIdx, u32> = BTreeMap::new();
        let mut ranks = vec![0_u32; candidates.len()];
        let section_of = |candidate: &Candidate| {
            let document = index.get(candidate.document)?.segment().document();
            let home = document.chunks.get(candidate.chunk.idx())?.section;
            Some(document.tree.sections.get(home.idx())?.parent.map_or(home.idx(), document::SectionId::idx))
        };
        let homes: Vec<usize> =
            candidates.iter().map(|candidate| section_of(candidate).unwrap_or(usize::MAX)).collect();
        for (rank, &at) in (1..).zip(order) {
            let (Some(candidate), Some(&home)) = (candidates.get(at), homes.get(at)) else { continue };
            if let Some(slot) = ranks.get_mut(at) {
                *slot = rank;
            }
            let next = document_ranks.len() as u32 + 1;
            document_ranks.entry(candidate.document).or_insert(next);
            for bundle in [
                documents.entry(candidate.document).or_default(),
                sections.entry((candidate.document, home)).or_default(),
            ] {
                if bundle.best.len() <= N_SUMMED {
                    bundle.best.push(blend(at));
                }
                bundle.n_head += u32::from(rank as usize <= N_HEAD);
            }
        }
        let question = question.to_lowercase();
        let mut named: BTreeMap<DocumentIdx, bool> = BTreeMap::new();
        let rows = candidates
            .iter()
            .zip(&homes)
            .enumerate()
            .map(|(at, (candidate, &home))| {
                let own = blend(at);
                let (Some(document), Some(section)) =
                    (documents.get(&candidate.document), sections.get(&(candidate.document, home)))
                else {
                    return [f32::NAN; DOCUMENT_NAMES.len()];
                };
                let rank = ranks.get(at).copied();
                let in_head = u32::from(rank.is_some_and(|rank| rank as usize <= N_HEAD));
                let share =
                    |bundle: &Bundle| (bundle.n_head - in_head.min(bundle.n_head)) as f32 / N_HEAD as f32;
                [
                    document.best_but(own),
                    log_rank(document_ranks.get(&candidate.document).copied()),
                    share(document),
                    document.best.iter().take(N_SUMMED).sum(),
                    section.best_but(own),
                    share(section),
                    log_rank(rank),
                    own - document.best.first().copied().unwrap_or(own),
                    early(index, candidate),
                    f32::from(u8::from(*named.entry(candidate.document).or_insert_with(|| {
                        index
                            .get(candidate.document)
                            .is_some_and(|entry| is_named(entry.segment(), &question))
                    }))),
                ]
            })
            .collect();
        Self { rows }
    }

    pub fn push(&self, at: usize, out: &mut Vec<f32>) {
        out.extend(self.rows.get(at).copied().unwrap_or([f32::NAN; DOCUMENT_NAMES.len()]));
    }
}

/// How near the beginning of its document a unit stands, from 1 down: purposes, scope and definitions do.
fn early(index: &Index, candidate: &Candidate) -> f32 {
    let Some(entry) = index.get(candidate.document) else { return f32::NAN };
    let segment = entry.segment();
    let kind = segment.chunk(candidate.chunk).map(|chunk| chunk.kind);
    let before = segment.units().iter().take_while(|&&unit| unit < candidate.chunk).take(1 << 12);
    let before = before.filter(|&&unit| segment.chunk(unit).map(|chunk| chunk.kind) == kind).count();
    4.0 / (4.0 + before as f32)
}

/// Whether the question says the document's title, its formal parts left out.
fn is_named(segment: &Segment, question: &str) -> bool {
    let Some(title) = &segment.document().title else { return false };
    let title = title.to_lowercase().replace(['《', '》'], "").replace("中华人民共和国", "");
    let title = title.split(['（', '(']).next().unwrap_or_default().trim();
    title.chars().count() >= 3 && question.contains(title)
}

pub fn push_static(place: &Place<'_>, out: &mut Vec<f32>) {
    let length = place.segment.postings().lengths().get(place.unit as usize).map_or(0, |length| length.text);
    out.extend([
        length as f32,
        f32::from(place.graph.depth(place.unit)),
        place.graph.degree(place.unit) as f32,
        place.graph.page_rank(place.unit),
        place.graph.authority(place.unit),
    ]);
}
