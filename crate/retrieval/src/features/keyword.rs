//! Keyword features: the lexical score without the terms of forms, of a unit and of the units around it, as a share of
//! the best candidate's.
//!
//! In the lexical score a form that a question asks for ([`text::is_form`]) is a term like others. Its weight against
//! words is better learned than fixed, so these features separate the two. Cost: one pass over the units of each
//! document with a candidate, four units around each candidate, and its text if a common form is asked for.

use std::collections::BTreeMap;

use document::{Chunk, ChunkKind, Document, DocumentIdx, Slice as _};
use index::{Relation, Segment};
use text::Analyzer;

use super::context::{FeatureContext, UnitContext};
use crate::candidate::Candidate;

pub const NAMES: &[&str] = &[
    "words.max",
    "words.before",
    "words.near",
    "words.document",
    "words.beyond",
    "form.agree",
    "form.other",
    "defines.asked",
];

/// Number of a document's best units.
const N_BEST: usize = 3;
/// Bytes of a unit that are read.
const MAX_BYTES: usize = 16 << 10;

/// Forms that are not terms of the index, since they are so common that they harm ranking by words: cues in a question,
/// marks in a provision, and the weight, which is the idf over statutes.
const COMMON_FORMS: [(&[&str], &[&str], f32); 2] = [
    (
        &[
            "谁",
            "由哪",
            "哪个部门",
            "哪个机构",
            "哪个机关",
            "哪个单位",
            "哪些部门",
            "哪些机构",
            "哪些机关",
            "哪些单位",
            "什么部门",
            "什么机构",
            "什么机关",
            "什么单位",
            "主管",
            "主体是",
            "负责",
        ],
        &["负责", "主管", "制定", "批准", "审批", "组织", "决定"],
        1.3,
    ),
    (
        &["哪些", "哪几", "包括什么", "什么内容", "内容", "有什么", "包含", "事项"],
        &["下列", "以下", "（一）", "(一)", "包括", "：", "、"],
        0.7,
    ),
];

/// Keyword features of one question.
pub struct KeywordFeatures {
    best: f32,
    documents: BTreeMap<(DocumentIdx, ChunkKind), DocumentKeywords>,
    /// By common form, true if it is asked for.
    asks: [bool; COMMON_FORMS.len()],
}

/// Values shared by all units of one kind in a document.
struct DocumentKeywords {
    /// Mean score of the best units.
    mean: f32,
    /// By term of the question, true if it is in the title.
    in_title: Vec<bool>,
}

impl KeywordFeatures {
    pub fn new(candidates: &[Candidate], context: &FeatureContext<'_>) -> Self {
        let score = |candidate: &Candidate| {
            let segment = context.index.get(candidate.document)?.segment();
            Some(context.lexical.word_score(candidate.document, segment.unit_of(candidate.chunk)?))
        };
        let best = candidates.iter().filter_map(score).fold(f32::MIN_POSITIVE, f32::max);
        let asks = COMMON_FORMS.map(|(cues, ..)| cues.iter().any(|cue| context.question.contains(cue)));
        Self { best, documents: BTreeMap::new(), asks }
    }

    pub fn push(
        &mut self,
        place: &UnitContext<'_>,
        chunk: &Chunk,
        context: &FeatureContext<'_>,
        out: &mut Vec<f32>,
    ) {
        let words = |unit: u32| context.lexical.word_score(place.document, unit) / self.best;
        let next = |unit: u32, relation| place.graph.related(unit, relation).first().copied();
        let (before, after) = (next(place.unit, Relation::Before), next(place.unit, Relation::After));
        let of = |unit: Option<u32>| unit.map_or(0.0, words);
        let second = |unit: Option<u32>, relation| of(unit.and_then(|unit| next(unit, relation)));
        let near = second(before, Relation::Before).max(second(after, Relation::After));
        let key = (place.document, chunk.kind);
        let about = self.documents.entry(key).or_insert_with(|| DocumentKeywords {
            mean: mean_of_best(place, chunk.kind, context) / self.best,
            in_title: in_title(place.segment, context),
        });
        let beyond = beyond_title(place, &about.in_title, context);
        let (asked, other) = forms(place, context);
        out.extend([
            words(place.unit),
            of(before),
            near,
            about.mean,
            beyond,
            asked + self.common_forms(place.segment.document(), chunk),
            other,
            defines(place, chunk, context),
        ]);
    }

    /// Sum of the weights of the common forms that are asked for and that the unit has.
    fn common_forms(&self, document: &Document, chunk: &Chunk) -> f32 {
        if self.asks.iter().all(|asks| !asks) {
            return 0.0;
        }
        let text = document.chunk_text(chunk);
        let text = text.slice(..text.floor_char_boundary(MAX_BYTES));
        let forms = COMMON_FORMS.iter().zip(self.asks).filter(|(_, asks)| *asks);
        forms
            .filter(|((_, marks, _), _)| marks.iter().any(|mark| text.contains(mark)))
            .map(|((.., n), _)| n)
            .sum()
    }
}

/// By term of the question, true if it is in the document's title.
fn in_title(segment: &Segment, context: &FeatureContext<'_>) -> Vec<bool> {
    let title = segment.document().title.as_deref().unwrap_or_default();
    let title = Analyzer::new(segment.analyzer()).terms(title);
    context.lexical.terms_for(segment).iter().map(|term| title.contains(&term.text)).collect()
}

/// Share by idf of the question's words outside the title that the unit's text has. A question that names a law asks by
/// its other words.
fn beyond_title(place: &UnitContext<'_>, in_title: &[bool], context: &FeatureContext<'_>) -> f32 {
    let (mut all, mut found) = (0.0_f64, 0.0_f64);
    let terms = context.lexical.terms_for(place.segment).iter().zip(in_title);
    for ((term, &in_title), (posting, _)) in terms.zip(place.postings()) {
        if in_title || term.instead_of.is_some() || text::is_form(&term.text) {
            continue;
        }
        all += term.idf;
        if posting.is_some_and(|posting| posting.text_freq > 0) {
            found += term.idf;
        }
    }
    // A question may consist of the title alone.
    (found / all.max(1.0)) as f32
}

/// Mean score of the best units of one kind in a document.
fn mean_of_best(place: &UnitContext<'_>, kind: ChunkKind, context: &FeatureContext<'_>) -> f32 {
    let mut best = [0.0_f32; N_BEST];
    for (unit, &chunk) in (0_u32..).zip(place.segment.units()) {
        if place.segment.chunk(chunk).is_none_or(|chunk| chunk.kind != kind) {
            continue;
        }
        let mut score = context.lexical.word_score(place.document, unit);
        for kept in &mut best {
            if score > *kept {
                std::mem::swap(kept, &mut score);
            }
        }
    }
    best.iter().sum::<f32>() / N_BEST as f32
}

/// Sum of the idf of the forms that are asked for and that the unit has; and 1 for a sanction that is not asked for,
/// since a provision that punishes the breach of another repeats its words.
fn forms(place: &UnitContext<'_>, context: &FeatureContext<'_>) -> (f32, f32) {
    const SANCTION: &str = "=sanction";
    let postings = place.segment.postings();
    let has = |term: &str| postings.of(term).in_unit(place.unit).is_some();
    let (mut agreed, mut asks_sanction) = (0.0, false);
    for term in context.lexical.terms_for(place.segment).iter().filter(|term| text::is_form(&term.text)) {
        agreed += if has(&term.text) { term.idf } else { 0.0 };
        asks_sanction |= term.text == SANCTION;
    }
    (agreed as f32, f32::from(u8::from(!asks_sanction && has(SANCTION))))
}

/// Length of the longest term of the question that the unit's section defines, as a share of the question.
fn defines(place: &UnitContext<'_>, chunk: &Chunk, context: &FeatureContext<'_>) -> f32 {
    let terms = context.analysis.into_iter().flat_map(|analysis| &analysis.terms);
    let here = terms.filter(|term| {
        let mut definitions = term.definitions.iter();
        definitions.any(|found| found.document == place.document && found.section == chunk.section)
    });
    let longest = here.map(|term| term.range.len()).max().unwrap_or(0);
    longest as f32 / context.question.len().max(1) as f32
}
