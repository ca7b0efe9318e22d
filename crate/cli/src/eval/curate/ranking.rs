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
    /// The rankings. Documents that the model cannot read have no vectors; all others have those of this model.
    pub(super) fn new(index: &'a Index, session: &'a Session) -> Result<Self, Failure> {
        let mut n_embedded = 0;
        for (_, entry) in index.iter() {
            match entry.vectors().fingerprint() {
                Some(fingerprint) if fingerprint != session.fingerprint() => {
                    return Err(Failure::Failed(format!(
                        "{}: vectors of another embedding model, index it again or give that model with --embedder DIR",
                        entry.segment().document().name
                    )));
                }
                Some(_) => n_embedded += 1,
                None => {}
            }
        }
        if n_embedded == 0 {
            return Err(Failure::Failed(
                "the library has no vectors, index its files again with the embedding model".to_owned(),
            ));
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
                bm25: self.rank(
                    Query { text, vector: None, analysis: None, citations: None },
                    Ranker::Lexical,
                    &judgments,
                ),
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
