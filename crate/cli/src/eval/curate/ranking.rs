//! Ranks of the source pages of a question by each retriever alone: BM25 over the passages of a library, and their vectors.

use ::index::Index;
use ::index::vector::{Exact, QueryVector};
use encoder::Session;
use engine::Embedder as _;
use evaluate::ranking::Judgments;
use retrieval::{ModelScripts, Options, Query, Ranker, SearchUnits};
use testset::Ranks;

use crate::eval::retrieval::pages::Pages;
use crate::failure::Failure;

/// Depth of each ranking; what is below it counts as not found.
const DEPTH: usize = 1000;

/// The two rankings of a library.
pub(super) struct Ranking<'a> {
    index: &'a Index,
    session: &'a Session,
}

impl<'a> Ranking<'a> {
    /// The rankings; every document has vectors of this model.
    pub(super) fn new(index: &'a Index, session: &'a Session) -> Result<Self, Failure> {
        let mut others = index.iter().filter(|(_, entry)| entry.vectors().fingerprint() != Some(session.fingerprint()));
        if let Some((_, entry)) = others.next() {
            return Err(Failure::Failed(format!(
                "{}: no vectors of this embedding model, index it again with the model",
                entry.segment().document().name
            )));
        }
        Ok(Self { index, session })
    }

    /// Ranks of the first of the pages, `file.pdf#7`, for each query.
    pub(super) fn ranks(&self, queries: &[String], pages: &[String]) -> Result<Vec<Ranks>, Failure> {
        let judgments: Judgments = pages.iter().map(|id| (id.clone(), 1)).collect();
        let texts: Vec<&str> = queries.iter().map(String::as_str).collect();
        let vectors = self.session.embed(&texts).map_err(engine::Error::from)?;
        let ranks = |(text, values): (&&str, &Vec<f32>)| {
            let vector = QueryVector { fingerprint: self.session.fingerprint(), values };
            Ranks {
                bm25: self.rank(Query { text, vector: None, analysis: None, citations: None }, Ranker::Lexical, &judgments),
                dense: self.rank(
                    Query { text, vector: Some(vector), analysis: None, citations: None },
                    Ranker::Dense,
                    &judgments,
                ),
            }
        };
        Ok(texts.iter().zip(&vectors).map(ranks).collect())
    }

    fn rank(&self, query: Query<'_>, ranker: Ranker, judgments: &Judgments) -> Option<u32> {
        let options = Options {
            k: DEPTH,
            depth: DEPTH,
            units: SearchUnits::Child,
            ranker,
            model_scripts: ModelScripts::All,
            named: false,
            ..Options::default()
        };
        let hits = retrieval::search_with(self.index, &Exact::new(self.index), None, &query, &options);
        let results = Pages { words: None }.results(&hits, judgments, self.index);
        let first = results.iter().position(|(id, _)| judgments.contains_key(id))?;
        u32::try_from(first + 1).ok()
    }
}
