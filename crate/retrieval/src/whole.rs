//! Phrases of the question that mean something as a whole, matched whole: terms that a document defines, names,
//! documents ([`crate::question::Question::phrases`]).
//!
//! BM25 finds a long term in its pieces. Here a unit that has all such phrases of the question whole is lifted by
//! [`Options::phrase_weight`] of the spread of the list, one that has some by their share of the weight. It is off by
//! default: over judged questions it gains nothing in English and costs a point in Chinese
//! (`tests/retrieval/figures.md`), since it lifts the definitions of a term too. Cost, where it is on: the text of
//! every candidate is read once.

use std::collections::BTreeMap;
use std::ops::Range;

use document::{ChunkId, DocumentIdx};
use index::Index;

use crate::fusion::Scored;
use crate::proximity::Matcher;
use crate::{Options, Query, bm25};

/// By how much candidates are lifted.
#[derive(Default)]
pub struct Whole {
    by: BTreeMap<(DocumentIdx, ChunkId), f32>,
}

impl Whole {
    /// Lifts the scores of units that have phrases of the question whole.
    pub fn raise(
        scored: &mut [Scored],
        index: &Index,
        query: &Query<'_>,
        lexical: &bm25::Leg,
        options: &Options,
    ) -> Self {
        let mut whole = Self::default();
        let phrases = phrases(query, options);
        let segment = index.iter().next().map(|(_, entry)| entry.segment());
        let (Some(segment), false) = (segment, phrases.is_empty()) else { return whole };
        let idf: BTreeMap<&str, f64> =
            lexical.terms_for(segment).iter().map(|term| (term.text.as_str(), term.idf)).collect();
        let weight = |term: &str| idf.get(term).copied().unwrap_or(0.0);
        let mut matcher = Matcher::new(segment.analyzer(), query.text, &weight).with_phrases(&phrases);
        let scores = || scored.iter().map(|hit| hit.score);
        let (Some(best), Some(worst)) = (scores().max_by(f32::total_cmp), scores().min_by(f32::total_cmp))
        else {
            return whole;
        };
        for hit in scored {
            let document = index.get(hit.document).map(|entry| entry.segment().document());
            let chunk = document.and_then(|document| Some((document, document.chunks.get(hit.chunk.idx())?)));
            let Some((document, chunk)) = chunk else { continue };
            let share = matcher.evidence(&document.chunk_text(chunk)).whole;
            if share > 0.0 {
                let by = options.phrase_weight * share * (best - worst);
                hit.score += by;
                hit.own += by;
                whole.by.insert((hit.document, hit.chunk), by);
            }
        }
        whole
    }

    /// By how much a unit was lifted.
    pub fn lift(&self, document: DocumentIdx, chunk: ChunkId) -> Option<f32> {
        self.by.get(&(document, chunk)).copied()
    }
}

/// The phrases of more than one word, where they count.
fn phrases(query: &Query<'_>, options: &Options) -> Vec<Range<usize>> {
    let Some(question) = query.question.filter(|_| options.phrase_weight > 0.0) else { return Vec::new() };
    let is_long = |range: &Range<usize>| {
        query.text.get(range.clone()).is_some_and(|phrase| phrase.contains(' ') || !phrase.is_ascii())
    };
    question.phrases().into_iter().filter(is_long).collect()
}
