//! Provisions that the question names: always candidates, and first unless the name is doubtful.
//!
//! "What does Rule 4.2.1 require?" has one answer whatever its words weigh. The units of a section that the
//! question names join the candidates of both legs; the best of them is lifted to the top of the list, the others
//! by as much, so that their order stays that of their scores. A name that fits several documents, or only
//! something that holds what is named, lifts part of the way; and so does one beside much else that is asked: "what
//! must a fund report each year under Rule 4.2.1" is answered as often by what stands around that rule. Cost: linear in the units of the documents named.

use std::collections::BTreeMap;

use document::{ChunkId, ChunkKind, DocumentIdx};
use index::{Index, Segment};

use crate::filter::Scope;
use crate::fusion::Scored;
use crate::{NamedProvision, NamedSection, Options, Question};

/// Most units of one section that are lifted: of a chapter its first.
const MAX_UNITS: usize = 8;
/// How far what only holds the provision that is named goes.
const HOLDER: f32 = 0.5;
/// Words beside the name that take nothing from it.
const FREE_WORDS: usize = 4;
/// So many leave nothing of it: the unit is a candidate, no more.
const MAX_OTHER_WORDS: usize = 8;
/// How far above the best of the list a provision comes, as a share of the list's spread.
const MARGIN: f32 = 0.01;

/// The units that the question names.
#[derive(Default)]
pub struct Named {
    /// By unit: the sections of which it is one, as indices into `sections`.
    units: BTreeMap<(DocumentIdx, ChunkId), Vec<usize>>,
    sections: Vec<Lift>,
}

/// A section that is named.
struct Lift {
    label: String,
    /// How far its units go up, 0 to 1.
    strength: f32,
    /// By how much they do.
    by: f32,
}

impl Named {
    /// The units of the sections that the question names, within the scope.
    pub fn of(index: &Index, question: Option<&Question>, options: &Options, scope: &Scope<'_>) -> Self {
        let mut named = Self::default();
        let Some(question) = question.filter(|_| options.named) else { return named };
        let left = MAX_OTHER_WORDS.saturating_sub(question.n_other_words.max(FREE_WORDS));
        let asked = left as f32 / (MAX_OTHER_WORDS - FREE_WORDS) as f32;
        for provision in &question.provisions {
            // Those that the filter leaves are all that can be meant.
            let here: Vec<&NamedSection> =
                provision.targets.iter().filter(|target| scope.holds_document(target.document)).collect();
            for target in &here {
                let Some(entry) = index.get(target.document) else { continue };
                let exact = if target.is_exact { 1.0 } else { HOLDER };
                let strength = asked * exact / here.len() as f32;
                let at = named.sections.len();
                named.sections.push(Lift { label: label(provision), strength, by: 0.0 });
                for chunk in units_of(entry.segment(), target, scope) {
                    named.units.entry((target.document, chunk)).or_default().push(at);
                }
            }
        }
        named
    }

    /// The units.
    pub fn units(&self) -> impl Iterator<Item = (DocumentIdx, ChunkId)> + '_ {
        self.units.keys().copied()
    }

    /// Lifts the scores of the units.
    pub fn raise(&mut self, scored: &mut [Scored]) {
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
            let by = self.lift(hit.document, hit.chunk).map_or(0.0, |(by, _)| by);
            hit.score += by;
            hit.own += by;
        }
    }

    /// By how much a unit was lifted, and the provision that the question names it by.
    pub fn lift(&self, document: DocumentIdx, chunk: ChunkId) -> Option<(f32, &str)> {
        let sections = self.units.get(&(document, chunk))?.iter().filter_map(|&at| self.sections.get(at));
        sections.map(|section| (section.by, section.label.as_str())).max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

fn label(provision: &NamedProvision) -> String {
    provision.cite.path.join(" ")
}

/// The units of a section: those that lie in it or hold it, an article first, then in order of the text.
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
