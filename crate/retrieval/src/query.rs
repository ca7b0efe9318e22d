//! What is asked, and how.

use index::Citations;
use index::vector::QueryVector;

use crate::{Bm25, Filter, Fusion, Question};

/// A question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query<'a> {
    /// Its words.
    pub text: &'a str,
    /// Its vector, where there is a model.
    pub vector: Option<QueryVector<'a>>,
    /// What it means as such, where somebody has read it over this snapshot.
    pub question: Option<&'a Question>,
    /// Which units cite which of other documents, where somebody has read that of this snapshot
    /// ([`crate::Lexicon::citations`]).
    pub citations: Option<&'a Citations>,
}

/// How a search is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How many hits are wanted.
    pub k: usize,
    /// How many candidates each leg gives, at least `k`.
    pub depth: usize,
    /// Which chunks are looked for.
    pub units: Units,
    /// What orders them.
    pub ranker: Ranker,
    /// Which questions the model that made the vectors can read.
    pub model_reads: ModelReads,
    /// The lexical formula.
    pub bm25: Bm25,
    /// Whether provisions that the question names are lifted to the top.
    pub named: bool,
    /// How much terms and names of the question that a unit has whole count beside all else, as a share of the
    /// list's spread; 0 for not at all.
    pub phrase_weight: f32,
    /// How much other words for what the question says (acronyms spelled out, a glossary's) count against its
    /// own, from 0.
    pub expansion_weight: f32,
    /// Where to look.
    pub filter: Filter,
    /// Whether hits carry the whole derivation of their score, or its value alone.
    pub explain: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            k: 10,
            depth: 200,
            units: Units::Both,
            ranker: Ranker::default(),
            model_reads: ModelReads::default(),
            bm25: Bm25::default(),
            named: true,
            phrase_weight: 0.0,
            expansion_weight: 0.1,
            filter: Filter::default(),
            explain: false,
        }
    }
}

impl Options {
    /// Whether a question's vector takes part in its ranking. A question written mostly in characters that the
    /// model cannot read is ranked by its words alone: over Chinese statutes an English model's vectors cost
    /// ten points of recall at 5.
    pub fn uses_vector(&self, query: &Query<'_>) -> bool {
        let readable = match self.model_reads {
            ModelReads::SpacedScripts => !text::is_mostly_cjk(query.text),
            ModelReads::Everything => true,
        };
        query.vector.is_some() && readable && !matches!(self.ranker, Ranker::Lexical)
    }
}

/// Which questions a model can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelReads {
    /// Scripts with spaces between words, as the English model that ships does; not Chinese, Japanese, Korean.
    #[default]
    SpacedScripts,
    /// All scripts.
    Everything,
}

/// Which chunks are looked for. Notes always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// Children.
    Child,
    /// Articles, and children that lie in none.
    Article,
    /// Both in one list; a child whose article is in the list too is folded into it.
    #[default]
    Both,
}

/// What orders the hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ranker {
    /// BM25 alone.
    Lexical,
    /// Cosine alone. Chunks without a vector are not found.
    Dense,
    /// Both legs. BM25 alone when the query has no vector.
    Hybrid(Fusion),
}

impl Default for Ranker {
    fn default() -> Self {
        Self::Hybrid(Fusion::default())
    }
}
