//! A question to a cited answer, without a model: search, then quote.

use answer::Evidence;
use index::vector::QueryVector;

use crate::corpus::Snapshot;
use crate::error::Error;
use crate::library::Library;
use crate::reply::{Answer, Citation, Place, VectorUse};
use crate::search::{SearchOptions, cosine};

impl Library {
    /// Answers from the documents alone; `vector` is the question's, where there is a model.
    ///
    /// # Errors
    /// As [`Self::search`]. That the documents do not say is no error.
    pub fn ask(
        &self,
        question: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
    ) -> Result<Answer, Error> {
        let hits = self.hits(question, vector, options, &mut |_| {})?;
        let vectors = self.vector_use(question, vector);
        let vector = vector.filter(|_| vectors != VectorUse::None);
        let evidence: Vec<Evidence<'_>> = hits
            .iter()
            .filter_map(|hit| {
                let entry = self.entry(hit.document)?;
                Some(Evidence {
                    document: hit.document,
                    source: entry.segment().document(),
                    chunk: hit.chunk,
                    score: hit.score,
                    cosine: vector.and_then(|vector| cosine(entry, hit.chunk, vector)),
                })
            })
            .collect();
        let corpus = Snapshot::of(self);
        let answer = answer::extractive(question, &evidence, &corpus, &answer::Options::default());
        let answer = answer.complete(question, &evidence, &corpus);
        let text = answer.text();
        let answer::Answer { statements, citations, sufficient, missing, message, .. } = answer;
        let place = |citation: answer::Citation| {
            let answer::Citation { id, document, chunk: _, section, range, quote, status, score: _ } =
                citation;
            let source = self.entry(document)?.segment().document();
            Some(Citation { id, place: Place::of(source, section, &[range]), quote, status })
        };
        Ok(Answer {
            text,
            sufficient,
            statements,
            citations: citations.into_iter().filter_map(place).collect(),
            missing,
            message,
            retrieved: hits.iter().filter_map(|hit| self.place(hit, false)).collect(),
            vectors,
        })
    }
}
