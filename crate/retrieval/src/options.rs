//! Options of a search: its filter, its retrievers and its fusion, with their parameters.

use std::ops::Range;

use document::{ChunkKind, DocumentIdx, SectionId};
use index::{Entry, Segment};

/// Number of candidates that each retriever lists, unless an option says otherwise.
pub const DEPTH: usize = 200;

/// Options of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Number of hits.
    pub k: usize,
    /// Number of candidates of each retriever, at least `k`.
    pub depth: usize,
    /// Kinds of chunk that are searched besides notes.
    pub units: SearchUnits,
    /// The ranking method.
    pub ranker: Ranker,
    /// Scripts that the embedding model can read.
    pub model_scripts: ModelScripts,
    /// Parameters of the lexical retriever.
    pub bm25: Bm25,
    /// True if provisions that the question names are boosted to the top.
    pub named: bool,
    /// Weight of a synonym from a glossary or a document against a word of the question, from 0.
    pub expansion_weight: f32,
    /// Restricts the hits.
    pub filter: Filter,
    /// True if hits carry the derivation of their score.
    pub explain: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            k: 10,
            depth: DEPTH,
            units: SearchUnits::Both,
            ranker: Ranker::default(),
            model_scripts: ModelScripts::default(),
            bm25: Bm25::default(),
            named: true,
            expansion_weight: 0.1,
            filter: Filter::default(),
            explain: false,
        }
    }
}

impl Options {
    /// True if a question with a vector is ranked by it too. A question mostly in characters that the model cannot read
    /// is ranked by its words alone: over Chinese statutes the vectors of an English model cost ten points of recall
    /// at 5.
    pub fn uses_vector(&self, question: &str) -> bool {
        self.model_scripts.can_read(question) && !matches!(self.ranker, Ranker::Lexical)
    }
}

/// Scripts that an embedding model can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelScripts {
    /// Scripts with spaces between words, as the English model that ships reads; not Chinese, Japanese or Korean.
    #[default]
    Spaced,
    /// All scripts.
    All,
}

impl ModelScripts {
    /// True if the model can read a text: if it is not mostly in other scripts.
    pub fn can_read(self, text: &str) -> bool {
        match self {
            Self::Spaced => !text::is_mostly_cjk(text),
            Self::All => true,
        }
    }

    /// Rows of a segment that the model cannot read, ascending. They get no vector and are found by their words alone: no
    /// question in their script is compared with vectors, and to one in another script they would be noise.
    pub fn unreadable_rows(self, segment: &Segment) -> &[u32] {
        match self {
            Self::Spaced => segment.cjk_rows(),
            Self::All => &[],
        }
    }

    /// Runs of rows of a document whose vectors are still to come, ascending: those that the model can read and that have
    /// none.
    pub fn missing_rows(self, entry: &Entry) -> Vec<Range<usize>> {
        let unreadable = self.unreadable_rows(entry.segment());
        let mut missing = Vec::new();
        for gap in entry.vectors().gaps(0..entry.segment().embeddable().len()) {
            let mut start = gap.start;
            let from = unreadable.partition_point(|&row| (row as usize) < gap.start);
            for row in unreadable.iter().skip(from).map(|&row| row as usize).take_while(|&row| row < gap.end)
            {
                if start < row {
                    missing.push(start..row);
                }
                start = row + 1;
            }
            if start < gap.end {
                missing.push(start..gap.end);
            }
        }
        missing
    }
}

/// Kinds of chunk that are searched. Notes always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchUnits {
    /// Children.
    Child,
    /// Articles, and children outside articles.
    Article,
    /// Both in one list; a child whose article is listed too is folded into it.
    #[default]
    Both,
}

/// Ranking methods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ranker {
    /// By BM25 alone.
    Lexical,
    /// By cosine alone. Chunks without a vector are not found.
    Dense,
    /// By both retrievers; by BM25 alone if the query has no vector.
    Hybrid(Fusion),
}

impl Default for Ranker {
    fn default() -> Self {
        Self::Hybrid(Fusion::default())
    }
}

/// Parameters of BM25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// Term frequency saturation, from 0.
    pub k1: f32,
    /// Length normalisation, 0 to 1.
    pub b: f32,
    /// Weight of an occurrence in the header (title, section path) against one in the text, from 0. At 1 header and
    /// text are one field.
    pub header_weight: f32,
    /// Precision of unit lengths.
    pub length: LengthNorm,
}

impl Default for Bm25 {
    fn default() -> Self {
        Self { k1: 0.7, b: 0.6, header_weight: 2.0, length: LengthNorm::Exact }
    }
}

/// Precision of unit lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthNorm {
    /// As counted.
    #[default]
    Exact,
    /// One byte, as in Lucene: exact up to 39, then four significant bits.
    Lucene,
}

/// Fusion of the lists of two retrievers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// By ranks.
    Rrf(Rrf),
    /// By normalised scores.
    Blend(Blend),
}

impl Default for Fusion {
    fn default() -> Self {
        Self::Blend(Blend::default())
    }
}

/// Reciprocal rank fusion: Σ 1 / (k + rank).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rrf {
    /// Rank constant, from 0; larger values flatten the first ranks.
    pub k: f32,
}

impl Default for Rrf {
    fn default() -> Self {
        Self { k: 60.0 }
    }
}

/// Convex combination: `dense_weight` × dense + (1 − `dense_weight`) × lexical, both normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Normalisation of the scores.
    pub norm: Norm,
    /// Weight of the dense retriever, 0 to 1.
    pub dense_weight: f32,
}

impl Default for Blend {
    fn default() -> Self {
        Self { norm: Norm::ZScore, dense_weight: 0.4 }
    }
}

/// Normalisation of a retriever's scores over its list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// (score − least) / (greatest − least).
    MinMax,
    /// (score − mean) / standard deviation.
    #[default]
    ZScore,
}

/// Restrictions on hits. All that are given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Documents.
    pub documents: Option<Vec<DocumentIdx>>,
    /// Sections, with their subsections.
    pub sections: Option<Vec<(DocumentIdx, SectionId)>>,
    /// Kinds of chunk.
    pub kinds: Option<Vec<ChunkKind>>,
    /// Text in the document's name, title or edition statements, case ignored.
    pub edition: Option<String>,
    /// Earliest date of the document ([`document::Tree::date`]): `2023-07-01`, `2023-07`, `2023`. Documents without a
    /// date are excluded.
    pub from: Option<String>,
    /// Latest date of the document, likewise.
    pub to: Option<String>,
    /// True if sections that are repealed, superseded or reserved are excluded.
    pub in_force: bool,
}
