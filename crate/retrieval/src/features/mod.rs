//! What the second stage knows of each candidate: the features of a learned ranker.
//!
//! The groups are those of the regulatory ranker of Gokhan et al. (paper 002, Table 2), in a form that carries over
//! to other documents: every score is taken relative to the other candidates of the same question, and nothing
//! tells one document from another. [`features`] names them in order; a model says by name which it wants
//! ([`crate::Forest::features`]). What does not apply (no vector, nothing above) is not a number, which the ranker
//! knows from zero.
//!
//! Cost: for each candidate one binary search a term, and a look at some forty units around it, and a reading of its text.

mod around;
mod bare;
mod evidence;
mod feedback;
mod runs;
mod words;

use document::DocumentIdx;
use index::{Citations, Graph, Index, Segment};

use crate::rank::Candidate;
use crate::{bm25, knn};

use runs::Runs;

/// A feature: its group and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it belongs to, for ablations.
    pub group: Group,
    /// Its name in model files; unique.
    pub name: &'static str,
}

/// Groups of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
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
    Bare,
    /// Of the unit alone: length, depth, degree, PageRank, authority. They learn which passages are asked for, and
    /// no model that ships uses them.
    Static,
}

impl Group {
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
            Self::Bare => "bare",
            Self::Static => "static",
        }
    }
}

/// The features in the order of a row of [`Features`].
pub fn features() -> impl Iterator<Item = Feature> {
    let of = |group, names: &'static [&'static str]| names.iter().map(move |name| Feature { group, name });
    of(Group::Run, runs::NAMES)
        .chain(of(Group::Lexical, words::NAMES))
        .chain(of(Group::Phrase, evidence::NAMES))
        .chain(of(Group::Feedback, feedback::NAMES))
        .chain(of(Group::Graph, around::NAMES))
        .chain(of(Group::Semantic, around::SEMANTIC_NAMES))
        .chain(of(Group::Document, around::DOCUMENT_NAMES))
        .chain(of(Group::Form, evidence::FORM_NAMES))
        .chain(of(Group::Bare, bare::NAMES))
        .chain(of(Group::Static, around::STATIC_NAMES))
}

/// The features of the candidates of a question: one row a candidate, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    n_columns: usize,
    values: Vec<f32>,
}

impl Features {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks(self.n_columns.max(1))
    }
}

/// What a second stage can look at.
pub struct Stage<'a> {
    /// The snapshot that is searched.
    pub index: &'a Index,
    /// The question's words.
    pub question: &'a str,
    /// What it means as such, where somebody has read it.
    pub read: Option<&'a crate::Question>,
    /// Which units cite which of other documents, where somebody has read that.
    pub citations: Option<&'a Citations>,
    pub(crate) lexical: &'a bm25::Leg,
    pub(crate) dense: &'a knn::Leg<'a>,
    pub(crate) bm25: &'a crate::Bm25,
    /// Whether reasons are wanted with scores.
    pub explain: bool,
}

/// A candidate with what stands around it.
struct Place<'a> {
    segment: &'a Segment,
    graph: &'a Graph,
    document: DocumentIdx,
    unit: u32,
}

/// The features of all candidates.
pub fn extract(candidates: &[Candidate], stage: &Stage<'_>) -> Features {
    let index = stage.index;
    let runs = Runs::new(candidates);
    let order = runs.best_first();
    let standing = around::Standing::new(candidates, &runs, &order, index, stage.question);
    let feedback = feedback::Feedback::new(candidates, &order, stage);
    // Looked at by the ranker of texts without spaces alone.
    let mut bare = text::is_mostly_cjk(stage.question).then(|| bare::Bare::new(candidates, stage));
    let mut reader = evidence::Reader::new(stage);
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
        let place = Place { segment, graph: segment.graph(), document: candidate.document, unit };
        runs.push(at, candidate, &mut values);
        words::push(&place, stage, &mut values);
        reader.push(segment.document(), chunk, &mut values);
        feedback.push(&place, candidate, stage, &mut values);
        around::push(&place, &runs, stage, &mut values);
        standing.push(at, &mut values);
        reader.push_form(&mut values);
        match &mut bare {
            Some(bare) => bare.push(&place, chunk, stage, &mut values),
            None => values.extend(bare::NAMES.iter().map(|_| f32::NAN)),
        }
        around::push_static(&place, &mut values);
        values.resize(start + n_columns, f32::NAN);
    }
    Features { n_columns, values }
}
