//! Candidates of a question with their features and labels, for training a ranker of one's own.

use document::{Span, TextRange};
use index::vector::{Exact, QueryVector};
use retrieval::{AnalyzedQuery, Candidate, Query, RERANK_DEPTH};

use crate::error::Error;
use crate::gold::GoldPlace;
use crate::library::Library;
use crate::ranker::ranker;
use crate::reply::PageSpan;
use crate::search::{SearchOptions, has_words};

/// Candidates of a question, by document id and passage: in an order that depends on neither rank nor the order in which
/// documents were added, since training follows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Names of the features, in the order of the columns.
    pub names: Vec<&'static str>,
    /// Features, row by row; NaN where one does not apply.
    pub features: Vec<f32>,
    /// By row: true if the candidate reaches a gold place.
    pub labels: Vec<bool>,
    /// By row: score that the forest which ships gives it, 0 without one.
    pub scores: Vec<f32>,
    /// By row: id of the document, and the first part of the passage on a page.
    pub places: Vec<(String, PageSpan)>,
    /// Number of gold places that a candidate reaches.
    pub n_reached: usize,
}

impl Library {
    /// The candidates of a question that a second stage would order, labelled by the gold places of the options. Fusion,
    /// explanations and k of the options are not used; vectors are scanned.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn candidates(
        &self,
        query: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
    ) -> Result<Candidates, Error> {
        self.check_query(vector)?;
        let filter = self.filter(&options.filter)?;
        let names: Vec<&'static str> = retrieval::features().map(|feature| feature.name).collect();
        if !has_words(query) {
            return Ok(Candidates { names, ..Candidates::default() });
        }
        let lexicon = self.lexicon();
        let analysis = AnalyzedQuery::read(query, &lexicon, &options.glossary);
        let citations = Some(lexicon.citations());
        let query = Query { text: query, vector, analysis: Some(&analysis), citations };
        let retrieval = options.retrieval(filter);
        let exact = Exact::new(&self.index);
        let (found, features) =
            retrieval::candidates_with_features(&self.index, &exact, &query, &retrieval, RERANK_DEPTH);
        let mut is_reached = vec![false; options.gold.len()];
        let mut candidates = Candidates { names, ..Candidates::default() };
        let scores = ranker().map_or_else(|| vec![0.0; found.len()], |ranker| ranker.scores(&features));
        let rows = found.iter().zip(features.rows()).zip(scores);
        let mut rows: Vec<_> = rows
            .filter_map(|((candidate, row), score)| Some((self.place(candidate)?, candidate, row, score)))
            .collect();
        rows.sort_by(|((document, ..), candidate, ..), ((other, ..), of_other, ..)| {
            document.cmp(other).then(candidate.chunk.cmp(&of_other.chunk))
        });
        for (place, candidate, row, score) in rows {
            candidates.labels.push(self.label(candidate, &options.gold, &mut is_reached));
            candidates.features.extend_from_slice(row);
            candidates.scores.push(score);
            candidates.places.push(place);
        }
        candidates.n_reached = is_reached.into_iter().filter(|is_reached| *is_reached).count();
        Ok(candidates)
    }

    /// True if a candidate reaches a gold place; marks those that it reaches.
    fn label(&self, candidate: &Candidate, gold: &[GoldPlace], is_reached: &mut [bool]) -> bool {
        let Some((document, ranges)) = self.passage(candidate.document, candidate.chunk) else {
            return false;
        };
        let mut label = false;
        for (place, is_reached) in gold.iter().zip(is_reached) {
            if place.is_reached_by(document, ranges) {
                (*is_reached, label) = (true, true);
            }
        }
        label
    }

    fn place(&self, candidate: &Candidate) -> Option<(String, PageSpan)> {
        let (document, ranges) = self.passage(candidate.document, candidate.chunk)?;
        let whole = TextRange { start: ranges.first()?.start, end: ranges.last()?.end };
        let page = document.layout.words.words_in(whole).next().map(|word| word.page);
        let span = Span { page, range: whole, quads: Vec::new() };
        Some((document.digest.clone(), PageSpan::from(span)))
    }
}
