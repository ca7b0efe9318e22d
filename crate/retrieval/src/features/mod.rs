//! What the second context knows of each candidate: the features of a learned ranker.
//!
//! The groups are those of the regulatory ranker of Gokhan et al. (paper 002, Table 2), in a form that carries over
//! to other documents: every score is taken relative to the other candidates of the same question, and nothing
//! tells one document from another. [`features`] names them in order; a model says by name which it wants
//! ([`crate::Forest::features`]). What does not apply (no vector, nothing above) is not a number, which the ranker
//! knows from zero.
//!
//! Cost: for each candidate one binary search a term, and a look at some forty units around it, and a reading of its text.

mod context;
mod documents;
mod feedback;
mod graph;
mod keyword;
mod overlap;
mod proximity;
mod runs;

use crate::candidate::Candidate;

pub use context::FeatureContext;
use context::UnitContext;
use runs::Runs;

/// A feature: its group and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it belongs to, for ablations.
    pub group: FeatureGroup,
    /// Its name in model files; unique.
    pub name: &'static str,
}

/// Groups of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureGroup {
    /// Scores and ranks of the legs, and what they give together.
    Run,
    /// Which words of the question the unit has.
    Lexical,
    /// How they stand to each other there.
    Phrase,
    /// How near it is to what stands at the top.
    Feedback,
    /// What the units around it say: beside, above, below, cited, citing.
    Graph,
    /// What the vectors of the units around it say.
    Semantic,
    /// What the other candidates of its document and section say.
    Document,
    /// What the question and the unit are, apart from each other's words.
    Form,
    /// What the words of the question alone say of a unit and of what stands around it, what is asked for left out;
    /// and, beside these, whether the unit does what is asked for. For rankers of few examples, such as the linear
    /// one.
    Keyword,
}

impl FeatureGroup {
    /// The group's name at the edge.
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

/// The features of the candidates of a question: one row a candidate, in their order.
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
    // Looked at by the ranker of texts without spaces alone.
    let mut keywords =
        text::is_mostly_cjk(context.question).then(|| keyword::KeywordFeatures::new(candidates, context));
    let mut reader = proximity::ProximityFeatures::new(context);
    let n_columns = features().count();
    let mut values = Vec::with_capacity(candidates.len() * n_columns);
    for (at, candidate) in candidates.iter().enumerate() {
        let segment = index.get(candidate.document).map(|entry| entry.segment().as_ref());
        let chunk = segment.and_then(|segment| segment.chunk(candidate.chunk));
        let start = values.len();
        let (Some(segment), Some(chunk)) = (segment, chunk) else {
            // Every candidate has its row, whatever is wrong with it.
            values.resize(start + n_columns, f32::NAN);
            continue;
        };
        let unit = segment.unit_of(candidate.chunk).unwrap_or(u32::MAX);
        let place = UnitContext { segment, graph: segment.graph(), document: candidate.document, unit };
        runs.push(at, candidate, &mut values);
        overlap::push(&place, context, &mut values);
        reader.push(segment.document(), chunk, &mut values);
        feedback.push(&place, candidate, context, &mut values);
        graph::push(&place, &runs, context, &mut values);
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
