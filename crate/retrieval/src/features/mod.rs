//! Features of the candidates, for learned rerankers.
//!
//! The groups are those of the regulatory ranker of Gokhan et al. (paper 002, Table 2), in a form that carries over
//! to other documents: every score is relative to the other candidates of the same question, and no feature identifies a
//! document. [`features`] lists them in order; a model names those that it reads ([`crate::Forest::features`]). A value
//! that does not apply (no vector, no section above) is NaN, which the ranker tells from 0.
//!
//! Some features are read by no split of the shipped forest. They stay because training samples columns: it gives the
//! same forest from all of them only.
//!
//! Cost per candidate: one binary search per term, a look-up of some forty units around it, and one pass over its text.

mod context;
mod documents;
mod feedback;
mod graph;
mod keyword;
mod overlap;
mod proximity;
mod runs;

use std::collections::BTreeMap;

use document::DocumentIdx;
use index::{PostingList, TermKey};

use crate::bm25;
use crate::candidate::Candidate;

pub use context::FeatureContext;
use context::UnitContext;
use runs::Runs;

/// A feature: its group and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its group, for ablations.
    pub group: FeatureGroup,
    /// Its unique name in model files.
    pub name: &'static str,
}

/// Groups of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureGroup {
    /// Scores and ranks of the retrievers, and their fusion.
    Run,
    /// Term overlap of question and unit.
    Lexical,
    /// Proximity of the question's words in the unit.
    Phrase,
    /// Pseudo-relevance feedback: similarity to the best candidates.
    Feedback,
    /// Lexical scores of the units around it: beside, above, below, cited, citing.
    Graph,
    /// Dense scores of the units around it.
    Semantic,
    /// The other candidates of its document and section.
    Document,
    /// Forms of question and unit: duty, definition, figures, sanction.
    Form,
    /// Scores of the question's words alone, without the form that it asks for, and the agreement of that form. For
    /// rankers trained on few examples, such as the linear one.
    Keyword,
}

impl FeatureGroup {
    /// Its name in feature files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Lexical => "lexical",
            Self::Phrase => "phrase",
            Self::Feedback => "feedback",
            Self::Graph => "graph",
            Self::Semantic => "semantic",
            Self::Document => "document",
            Self::Form => "form",
            Self::Keyword => "keyword",
        }
    }
}

/// The features in the order of a row of [`FeatureMatrix`].
pub fn features() -> impl Iterator<Item = Feature> {
    let of = |group, names: &'static [&'static str]| names.iter().map(move |name| Feature { group, name });
    of(FeatureGroup::Run, runs::NAMES)
        .chain(of(FeatureGroup::Lexical, overlap::NAMES))
        .chain(of(FeatureGroup::Phrase, proximity::NAMES))
        .chain(of(FeatureGroup::Feedback, feedback::NAMES))
        .chain(of(FeatureGroup::Graph, graph::NAMES))
        .chain(of(FeatureGroup::Semantic, graph::SEMANTIC_NAMES))
        .chain(of(FeatureGroup::Document, documents::NAMES))
        .chain(of(FeatureGroup::Form, proximity::FORM_NAMES))
        .chain(of(FeatureGroup::Keyword, keyword::NAMES))
}

/// Features of the candidates of a question: one row per candidate, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureMatrix {
    n_columns: usize,
    values: Vec<f32>,
}

impl FeatureMatrix {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks(self.n_columns.max(1))
    }
}

/// The features of all candidates.
pub fn extract(candidates: &[Candidate], context: &FeatureContext<'_>) -> FeatureMatrix {
    let index = context.index;
    let runs = Runs::new(candidates);
    let order = runs.best_first();
    let documents = documents::DocumentFeatures::new(candidates, &runs, &order, index, context.question);
    let feedback = feedback::Feedback::new(candidates, &order, context);
    let mut keywords =
        bm25::keeps_word_scores(context.question).then(|| keyword::KeywordFeatures::new(candidates, context));
    let mut reader = proximity::ProximityFeatures::new(context);
    let mut around = graph::DenseScores::default();
    let mut lists: BTreeMap<DocumentIdx, Vec<PostingList<'_>>> = BTreeMap::new();
    let n_columns = features().count();
    let mut values = Vec::with_capacity(candidates.len() * n_columns);
    for (at, candidate) in candidates.iter().enumerate() {
        let segment = index.get(candidate.document).map(|entry| entry.segment().as_ref());
        let chunk = segment.and_then(|segment| segment.chunk(candidate.chunk));
        let start = values.len();
        let (Some(segment), Some(chunk)) = (segment, chunk) else {
            // Every candidate has a row.
            values.resize(start + n_columns, f32::NAN);
            continue;
        };
        let unit = segment.unit_of(candidate.chunk).unwrap_or(u32::MAX);
        let postings = lists.entry(candidate.document).or_insert_with(|| {
            let terms = context.lexical.terms_for(segment).iter();
            let keys: Vec<TermKey<'_>> = terms.map(|term| TermKey::new(&term.text)).collect();
            segment.postings().lists(&keys)
        });
        let place =
            UnitContext { segment, graph: segment.graph(), document: candidate.document, unit, postings };
        runs.push(at, candidate, &mut values);
        overlap::push(&place, context, &mut values);
        reader.push(segment.document(), chunk, &mut values);
        feedback.push(&place, candidate, context, &mut values);
        graph::push(&place, &runs, context, &mut around, &mut values);
        documents.push(at, &mut values);
        reader.push_form(&mut values);
        match &mut keywords {
            Some(keywords) => keywords.push(&place, chunk, context, &mut values),
            None => values.extend(keyword::NAMES.iter().map(|_| f32::NAN)),
        }
        values.resize(start + n_columns, f32::NAN);
    }
    FeatureMatrix { n_columns, values }
}
