//! Boosts of provisions that the question names: always candidates, and first unless the name is ambiguous.
//!
//! "What does Rule 4.2.1 require?" has one answer, whatever its words weigh. The units of a section that the question
//! names join the candidates of both retrievers. The best of them is boosted above the top of the list and the others
//! by as much, so that their order stays. The boost is smaller if the name fits several documents, if only a section
//! around the provision exists, or if the question has many other words: "what must a fund report each year under Rule
//! 4.2.1" is answered as often by the provisions around that rule. Cost: linear in the units of the named documents.

use std::collections::BTreeMap;

use document::{ChunkId, ChunkKind, DocumentIdx};
use index::{Index, Segment};

use crate::analysis::{AnalyzedQuery, NamedProvision, NamedSection};
use crate::candidate::ScoredCandidate;
use crate::filter::Scope;
use crate::options::Options;

/// Maximum units of one section that are boosted: of a chapter its first.
const MAX_UNITS: usize = 8;
/// Boost of a section that contains the named provision, as a share of the full boost.
const ENCLOSING: f32 = 0.5;
/// Number of other words that leave the full boost.
const FREE_WORDS: usize = 4;
/// Number of other words that leave no boost: the unit is a candidate only.
const MAX_OTHER_WORDS: usize = 8;
/// Distance of a boosted unit above the best score, as a share of the list's range of scores.
const MARGIN: f32 = 0.01;

/// Boosts of the units that the question names.
#[derive(Default)]
pub struct ProvisionBoosts {
    /// By unit the sections that it belongs to, as indices into `sections`.
    units: BTreeMap<(DocumentIdx, ChunkId), Vec<usize>>,
    sections: Vec<Boost>,
}

/// Boost of a named section.
struct Boost {
    label: String,
    /// Share of the full boost, 0 to 1.
    strength: f32,
    /// The boost, in units of the score.
    by: f32,
}

impl ProvisionBoosts {
    /// The units in scope of the sections that the question names.
    pub fn new(
        index: &Index,
        analysis: Option<&AnalyzedQuery>,
        options: &Options,
        scope: &Scope<'_>,
    ) -> Self {
        let mut boosts = Self::default();
        let Some(analysis) = analysis.filter(|_| options.named) else { return boosts };
        let left = MAX_OTHER_WORDS.saturating_sub(analysis.n_other_words.max(FREE_WORDS));
        let asked = left as f32 / (MAX_OTHER_WORDS - FREE_WORDS) as f32;
        for provision in &analysis.provisions {
            // The question means a document that passes the filter.
            let here: Vec<&NamedSection> =
                provision.targets.iter().filter(|target| scope.holds_document(target.document)).collect();
            for target in &here {
                let Some(entry) = index.get(target.document) else { continue };
                let exact = if target.is_exact { 1.0 } else { ENCLOSING };
                let strength = asked * exact / here.len() as f32;
                let at = boosts.sections.len();
                boosts.sections.push(Boost { label: label(provision), strength, by: 0.0 });
                for chunk in units_of(entry.segment(), target, scope) {
                    boosts.units.entry((target.document, chunk)).or_default().push(at);
                }
            }
        }
        boosts
    }

    /// The units.
    pub fn units(&self) -> impl Iterator<Item = (DocumentIdx, ChunkId)> + '_ {
        self.units.keys().copied()
    }

    /// Adds the boosts to the scores of the units.
    pub fn apply(&mut self, scored: &mut [ScoredCandidate]) {
        if self.units.is_empty() {
            return;
        }
        let scores = || scored.iter().map(|hit| hit.score);
        let (Some(best), Some(worst)) = (scores().max_by(f32::total_cmp), scores().min_by(f32::total_cmp))
        else {
            return;
        };
        let mut tops = vec![f32::NEG_INFINITY; self.sections.len()];
        for hit in scored.iter() {
            for &section in self.units.get(&(hit.document, hit.chunk)).into_iter().flatten() {
                if let Some(top) = tops.get_mut(section) {
                    *top = top.max(hit.score);
                }
            }
        }
        let margin = MARGIN * (best - worst) + 1e-6;
        for (section, top) in self.sections.iter_mut().zip(tops) {
            section.by = if top.is_finite() { section.strength * (best - top + margin) } else { 0.0 };
        }
        for hit in scored {
            let by = self.of(hit.document, hit.chunk).map_or(0.0, |(by, _)| by);
            hit.score += by;
            hit.own += by;
        }
    }

    /// Boost of a unit, and the provision by which the question names it.
    pub fn of(&self, document: DocumentIdx, chunk: ChunkId) -> Option<(f32, &str)> {
        let sections = self.units.get(&(document, chunk))?.iter().filter_map(|&at| self.sections.get(at));
        sections.map(|section| (section.by, section.label.as_str())).max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

fn label(provision: &NamedProvision) -> String {
    provision.cite.path.join(" ")
}

/// The units that overlap a section, articles first, then in order of the text.
fn units_of(segment: &Segment, target: &NamedSection, scope: &Scope<'_>) -> Vec<ChunkId> {
    let Some(section) = segment.document().tree.sections.get(target.section.idx()) else { return Vec::new() };
    let mut units: Vec<(bool, u32, ChunkId)> = Vec::new();
    for &id in segment.units() {
        let Some(chunk) = segment.chunk(id).filter(|chunk| chunk.kind != ChunkKind::Note) else { continue };
        let touches = chunk.ranges.iter().any(|range| range.intersect(section.range).is_some());
        if touches && scope.holds(target.document, id) {
            let start = chunk.ranges.first().map_or(0, |range| range.start);
            units.push((chunk.kind != ChunkKind::Article, start, id));
        }
    }
    units.sort_unstable();
    units.into_iter().take(MAX_UNITS).map(|(_, _, id)| id).collect()
}
