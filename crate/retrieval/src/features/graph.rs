//! Graph features: the scores of the units around a unit: its neighbours, its section, and what it cites or is cited by.

use std::collections::BTreeMap;

use document::DocumentIdx;
use index::{Relation, UnitKey};

use super::context::{FeatureContext, UnitContext};
use super::runs::Runs;

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

/// Relations whose best score is a feature, in the order of the names.
const BY_BEST: [Relation; 5] =
    [Relation::Above, Relation::Below, Relation::Beside, Relation::Cites, Relation::CitedBy];

/// Appends the lexical and the dense scores of the units around a unit.
pub fn push(
    place: &UnitContext<'_>,
    runs: &Runs,
    context: &FeatureContext<'_>,
    known: &mut DenseScores,
    out: &mut Vec<f32>,
) {
    let mut words = Vec::with_capacity(NAMES.len());
    let mut vectors = Vec::with_capacity(NAMES.len());
    let around = |relation| place.graph.related(place.unit, relation);
    let lexical = |unit: u32| runs.lexical_z(context.lexical.unit_score(place.document, unit));
    let elsewhere = CrossDocumentEdges::of(place, context);
    let best = elsewhere.best(&|(document, unit)| runs.lexical_z(context.lexical.unit_score(document, unit)));
    collect(&around, &lexical, best, lexical(place.unit), &mut words);
    if runs.dense.is_some() {
        let dense = |unit: u32| {
            let chunk = place.segment.units().get(unit as usize).copied();
            runs.dense_z(chunk.and_then(|chunk| context.dense.near_cosine(place.document, chunk)))
        };
        let known = known.of(place);
        let own = known
            .get_mut(place.unit as usize)
            .map_or(f32::NAN, |own| *own.get_or_insert_with(|| dense(place.unit)));
        for relation in [Relation::Before, Relation::After].into_iter().chain(BY_BEST) {
            for &unit in around(relation) {
                if let Some(score) = known.get_mut(unit as usize) {
                    score.get_or_insert_with(|| dense(unit));
                }
            }
        }
        let best = elsewhere.best(&|(document, unit)| {
            let segment = context.index.get(document).map(index::Entry::segment);
            let chunk = segment.and_then(|segment| segment.units().get(unit as usize).copied());
            runs.dense_z(chunk.and_then(|chunk| context.dense.near_cosine(document, chunk)))
        });
        let score = |unit: u32| known.get(unit as usize).copied().flatten().unwrap_or(f32::NAN);
        collect(&around, &score, best, own, &mut vectors);
    }
    vectors.resize(SEMANTIC_NAMES.len(), f32::NAN);
    out.extend(words);
    out.extend(vectors);
}

/// Dense scores of the units around the candidates of one question, which share most of them: by document, by unit, those
/// that were needed so far. By eight bits a value ([`crate::knn::DenseRetriever::near_cosine`]).
#[derive(Default)]
pub struct DenseScores(BTreeMap<DocumentIdx, Vec<Option<f32>>>);

impl DenseScores {
    fn of(&mut self, place: &UnitContext<'_>) -> &mut [Option<f32>] {
        self.0.entry(place.document).or_insert_with(|| vec![None; place.segment.units().len()])
    }
}

/// Units of other documents that a unit cites or that cite it.
struct CrossDocumentEdges<'a> {
    cites: &'a [UnitKey],
    cited_by: &'a [UnitKey],
}

impl<'a> CrossDocumentEdges<'a> {
    fn of(place: &UnitContext<'_>, context: &FeatureContext<'a>) -> Self {
        match context.citations {
            Some(citations) => Self {
                cites: citations.cites(place.document, place.unit),
                cited_by: citations.cited_by(place.document, place.unit),
            },
            None => Self { cites: &[], cited_by: &[] },
        }
    }

    /// The best score among the cited, and among the citing.
    fn best(&self, score: &dyn Fn(UnitKey) -> f32) -> [f32; 2] {
        [self.cites, self.cited_by]
            .map(|units| units.iter().map(|&unit| score(unit)).fold(f32::NAN, f32::max))
    }
}

/// Appends the values of one retriever in the order of the names. `elsewhere` has the best scores in other documents
/// among the cited and the citing.
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
