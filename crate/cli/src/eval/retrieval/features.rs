//! Features of candidates as files for training scripts: `features.json` with the names and groups
//! of the columns, `rows.tsv` with question, passage and relevance, `values.f32` with the rows in little-endian.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use ::index::Index;
use ::index::vector::{QueryVector, VectorIndex};
use retrieval::{AnalyzedQuery, Glossary, Lexicon, Options, Query};
use serde_json::json;

use super::corpus::{Corpus, Queries};
use crate::failure::Failure;

/// The index, and the options of the search.
pub(super) struct FeatureContext<'a> {
    pub(super) index: &'a Index,
    pub(super) vectors: &'a dyn VectorIndex,
    pub(super) options: &'a Options,
    pub(super) fingerprint: &'a str,
}

/// Writes the candidates of all judged questions.
pub(super) fn write<'a>(
    out: &Path,
    source: &FeatureContext<'_>,
    corpus: &Corpus,
    queries: &Queries,
    vector_of: &dyn Fn(usize) -> Option<&'a [f32]>,
) -> Result<(), Failure> {
    let io = |error: std::io::Error| Failure::io(out, &error);
    fs::create_dir_all(out).map_err(io)?;
    let columns: Vec<_> = retrieval::features()
        .map(|feature| json!({ "name": feature.name, "group": feature.group.name() }))
        .collect();
    fs::write(out.join("features.json"), format!("{:#}\n", json!(columns))).map_err(io)?;
    let mut rows = BufWriter::new(File::create(out.join("rows.tsv")).map_err(io)?);
    let mut values = BufWriter::new(File::create(out.join("values.f32")).map_err(io)?);
    let lexicon = Lexicon::of(source.index);
    for (at, question) in queries.judged().enumerate() {
        let vector = vector_of(at).map(|values| QueryVector { fingerprint: source.fingerprint, values });
        let read = AnalyzedQuery::read(&question.text, &lexicon, &Glossary::default());
        let query = Query {
            text: &question.text,
            vector,
            analysis: Some(&read),
            citations: Some(lexicon.citations()),
        };
        let (candidates, features) = retrieval::candidates_with_features(
            source.index,
            source.vectors,
            &query,
            source.options,
            u32::MAX,
        );
        let judgments = queries.judgments(&question.qid);
        for (candidate, row) in candidates.iter().zip(features.rows()) {
            let id = corpus.id_of(source.index, candidate.document, candidate.chunk);
            let gain = judgments.get(id).copied().unwrap_or(0);
            writeln!(rows, "{}\t{id}\t{gain}", question.qid).map_err(io)?;
            for value in row {
                values.write_all(&value.to_le_bytes()).map_err(io)?;
            }
        }
    }
    rows.flush().and_then(|()| values.flush()).map_err(io)
}
