//! Tables and their rows, out of `rows.toml`: what each asks, what each row does otherwise, and what is measured.
//!
//! A row is data: chunks, ranker, steps and sizes. Search options, profile and options of the answer all follow from it, so
//! that no step of a run asks which row it is in.

use std::collections::BTreeMap;

use answer::{ReadUnit, RewriteMethod};
use engine::{
    Ann, AnswerOptions, Chunker, Fusion, Learned, Profile, ScoreFilter, SearchOptions, SearchUnits,
};
use retrieval::{Blend, Rrf};
use serde::Deserialize;

use crate::failure::Failure;

/// The file of tables and rows.
const FILE: &str = include_str!("rows.toml");
/// Name of the row that the others are compared with.
pub(super) const DEFAULT: &str = "ours";
/// Passages of a ranking that are kept and measured.
pub(super) const DEPTH: usize = 50;

/// Tables and rows as the file has them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    tables: BTreeMap<String, Table>,
    rows: Vec<Row>,
}

/// A table of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// Name on the command line.
    #[serde(skip)]
    pub(super) name: String,
    /// The paper's tables.
    pub(super) title: String,
    /// Questions and texts in words, and what counts as relevant.
    pub(super) asks: String,
    /// Corpus, questions and judgments below `--data`; none for questions over a library.
    #[serde(default)]
    pub(super) data: Option<[String; 3]>,
    /// Profile of its answers.
    pub(super) profile: String,
    /// Ranker of rows that name none.
    pub(super) ranker: RankerName,
    /// True if extracted answers compare passages with the question token by token, as `ask` does and `eval ask` of a
    /// corpus does not.
    #[serde(default)]
    pub(super) compares: bool,
    /// Criteria of a judge.
    pub(super) judged: Vec<String>,
    /// Columns of the ranking, `measure@k`.
    pub(super) retrieval: Vec<String>,
    /// Columns of the answers, names of [`evaluate::answers::NAMES`].
    pub(super) answers: Vec<String>,
    /// In what the paper's inputs differ from ours.
    pub(super) inputs: String,
    /// The paper's figures.
    pub(super) paper: Vec<PaperRow>,
}

/// Figures of a row of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaperRow {
    /// Its name there.
    pub(super) row: String,
    /// Our row that is built likewise; empty for none.
    pub(super) beside: String,
    /// Figures by column.
    pub(super) figures: BTreeMap<String, f64>,
}

/// A row: what differs from the default.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// Name in files and `--only`.
    pub(super) name: String,
    /// Name in the table.
    pub(super) title: String,
    /// Difference to the default, in words.
    pub(super) differs: String,
    /// Tables that have it; all if empty.
    #[serde(default)]
    pub(super) tables: Vec<String>,
    /// Author of its answers.
    #[serde(default)]
    pub(super) reader: Reader,
    /// Chunks that are searched.
    #[serde(default)]
    pub(super) chunks: ChunkerName,
    /// Ranker; that of the table if it is absent.
    #[serde(default)]
    pub(super) ranker: Option<RankerName>,
    /// Rewrites of the question, 0 to 3.
    #[serde(default)]
    pub(super) rewrites: u32,
    /// True if the rewrites come by way of a hypothetical passage.
    #[serde(default)]
    pub(super) passage: bool,
    /// True if passages are filtered by a model.
    #[serde(default = "on")]
    pub(super) filter: bool,
    /// True if a model quotes from passages before it reads.
    #[serde(default = "on")]
    pub(super) extract: bool,
    /// True if the answer is checked.
    #[serde(default = "on")]
    pub(super) reflect: bool,
    /// True if only passages that score near the best are read.
    #[serde(default)]
    pub(super) score_filter: bool,
    /// True if footnotes belong to the text that calls them.
    #[serde(default = "on")]
    pub(super) notes: bool,
    /// Passages found for a model; those of the profile if absent.
    #[serde(default)]
    pub(super) found: Option<u32>,
    /// Tokens of passages in a request; those of the profile if absent.
    #[serde(default)]
    pub(super) context: Option<u32>,
}

fn on() -> bool {
    true
}

/// Authors of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reader {
    /// A language model.
    #[default]
    Model,
    /// Extraction.
    Extraction,
}

/// Chunkers by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ChunkerName {
    /// Along the layout; the passages of a corpus as they are.
    #[default]
    Layout,
    /// Windows of a fixed size.
    Window,
    /// Long units of whole blocks, or of whole passages.
    Long,
}

/// Rankers by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RankerName {
    /// Words alone.
    Words,
    /// Vectors alone; words where the model cannot read the question.
    Vectors,
    /// Reciprocal rank fusion.
    Rrf,
    /// Weighted scores.
    Blend,
    /// The learned ranker over these, as `search` and `eval retrieval` rank.
    Ltr,
    /// The same, features of the regulatory graph withheld.
    LtrWithoutGraph,
    /// The ranking of `ask`: weighted scores, vectors a little more than words.
    Answers,
}

/// Settings that a ranking without a model depends on; rows with the same share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Searching {
    /// Chunks that are searched.
    pub(super) chunks: ChunkerName,
    /// True if footnotes belong to the text that calls them.
    pub(super) notes: bool,
    /// Ranker.
    pub(super) ranker: RankerName,
    /// Passages that the score filter looks at; `None` without a filter.
    pub(super) filtered: Option<u32>,
}

impl Row {
    /// Settings of its ranking without a model.
    pub(super) fn searching(&self, table: &Table) -> Searching {
        let found = self.found.unwrap_or(answer::RetrievalSettings::default().found);
        Searching {
            chunks: self.chunks,
            notes: self.notes,
            ranker: self.ranker.unwrap_or(table.ranker),
            filtered: self.score_filter.then_some(found),
        }
    }

    /// True if its ranking needs a model.
    pub(super) fn rewrites(&self) -> bool {
        self.reader == Reader::Model && self.rewrites > 0
    }

    /// Settings that its answers follow from: all of it but its words in the table.
    pub(super) fn settings(&self) -> String {
        let silent =
            Self { title: String::new(), differs: String::new(), tables: Vec::new(), ..self.clone() };
        format!("{silent:?}")
    }

    /// True if its ranking is made of vectors, or of words and vectors.
    pub(super) fn uses_vectors(&self, table: &Table) -> bool {
        self.ranker.unwrap_or(table.ranker) != RankerName::Words
    }

    /// Its profile, made of the table's.
    pub(super) fn profile(&self, table: &Table) -> Result<Profile, Failure> {
        let mut profile = crate::llm::profile(&table.profile)?;
        profile.steps.rewrite.by = match (self.rewrites, self.passage) {
            (0, _) => RewriteMethod::Off,
            (_, true) => RewriteMethod::Passage,
            (_, false) => RewriteMethod::Question,
        };
        profile.steps.rewrite.count = self.rewrites.max(1);
        profile.steps.filter.on = self.filter;
        profile.steps.extract.on = self.extract;
        profile.steps.reflect.on = self.reflect;
        profile.budgets.context = self.context.unwrap_or(profile.budgets.context);
        profile.retrieval.found = self.found.unwrap_or(profile.retrieval.found);
        if self.chunks != ChunkerName::Layout {
            profile.retrieval.read = ReadUnit::Article;
        }
        Ok(profile)
    }

    /// Options of its answer.
    pub(super) fn answering(&self) -> AnswerOptions {
        let filter = self.score_filter.then(ScoreFilter::default);
        AnswerOptions { filter, ..AnswerOptions::default() }
    }

    /// Requests for a question, at most those of a first round, and the tokens of one, by the budgets of its profile.
    pub(super) fn cost(&self, profile: &Profile) -> (usize, usize) {
        let steps =
            [self.rewrites > 0 && self.passage, self.rewrites > 0, self.filter || self.extract, self.reflect];
        let n_requests = 1 + steps.iter().filter(|runs| **runs).count();
        (n_requests, (profile.budgets.context + profile.budgets.reply) as usize)
    }
}

impl Searching {
    /// Name in files.
    pub(super) fn name(self) -> String {
        let Self { chunks, notes, ranker, filtered } = self;
        let notes = if notes { "" } else { "-no-notes" };
        let filtered = filtered.map_or_else(String::new, |n| format!("-filtered-{n}"));
        format!("{chunks:?}-{ranker:?}{notes}{filtered}").to_lowercase()
    }

    /// The chunker of the engine.
    pub(super) fn chunker(self) -> Chunker {
        match self.chunks {
            ChunkerName::Layout => Chunker::Layout,
            ChunkerName::Window => Chunker::Window,
            ChunkerName::Long => Chunker::Long,
        }
    }

    /// Options of a search for `k` passages; `is_corpus` if whole passages are ranked.
    pub(super) fn options(self, k: usize, is_corpus: bool) -> SearchOptions {
        let units = match self.chunks {
            ChunkerName::Layout if is_corpus => SearchUnits::Article,
            ChunkerName::Long => SearchUnits::Article,
            _ => SearchUnits::Child,
        };
        let (fusion, learned) = match self.ranker {
            RankerName::Words => (Fusion::default(), Learned::Never),
            RankerName::Vectors => {
                (Fusion::Blend(Blend { dense_weight: 1.0, ..Blend::default() }), Learned::Never)
            }
            RankerName::Rrf => (Fusion::Rrf(Rrf::default()), Learned::Never),
            RankerName::Blend => (Fusion::default(), Learned::Never),
            RankerName::Ltr => (Fusion::default(), Learned::Always),
            RankerName::LtrWithoutGraph => (Fusion::default(), Learned::WithoutGraph),
            RankerName::Answers => {
                let usual = SearchOptions::for_answers();
                (usual.fusion, usual.learned)
            }
        };
        SearchOptions { k, units, ann: Ann::Exact, fusion, learned, ..SearchOptions::for_answers() }
    }
}

/// A table by name, and its rows: those of `only`, or all if it is empty.
pub(super) fn table(name: &str, only: &[String]) -> Result<(Table, Vec<Row>), Failure> {
    let file: Tables =
        toml::from_str(FILE).map_err(|error| Failure::Failed(format!("rows.toml: {error}")))?;
    let Some((name, table)) = file.tables.get_key_value(name) else {
        let known: Vec<&str> = file.tables.keys().map(String::as_str).collect();
        return Err(Failure::Usage(format!("{name}: no table, expected {}", known.join(", "))));
    };
    let table = Table { name: name.clone(), ..table.clone() };
    let is_of_table = |row: &Row| row.tables.is_empty() || row.tables.contains(name);
    let rows: Vec<Row> = file.rows.into_iter().filter(is_of_table).collect();
    if let Some(unknown) = only.iter().find(|wanted| rows.iter().all(|row| row.name != **wanted)) {
        let known: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        return Err(Failure::Usage(format!(
            "--only {unknown}: no row, expected some of {}",
            known.join(", ")
        )));
    }
    let is_wanted = |row: &Row| only.is_empty() || row.name == DEFAULT || only.contains(&row.name);
    Ok((table, rows.into_iter().filter(is_wanted).collect()))
}

#[cfg(test)]
mod tests {
    use evaluate::answers::NAMES;
    use judge::Criterion;

    use super::*;

    #[test]
    fn every_table_names_columns_and_rows_that_there_are() {
        for name in ["lclf", "obliqa", "legaldc"] {
            let (table, rows) = table(name, &[]).unwrap();
            assert_eq!(rows[0].name, DEFAULT, "the default comes first");
            let mut names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            for paper in table.paper.iter().filter(|paper| !paper.beside.is_empty()) {
                assert!(names.contains(&paper.beside.as_str()), "{name}: {}", paper.beside);
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), rows.len(), "{name}: a row twice");
            assert!(table.answers.iter().all(|column| NAMES.contains(&column.as_str())), "{name}");
            assert!(table.judged.iter().all(|criterion| Criterion::named(criterion).is_some()), "{name}");
            assert!(table.retrieval.iter().all(|column| super::super::columns::is_known(column)), "{name}");
            for row in &rows {
                let profile = row.profile(&table).unwrap();
                assert!(row.rewrites <= 3 && (row.rewrites > 0 || !row.passage), "{}", row.name);
                assert_eq!(profile.steps.rewrite.by == RewriteMethod::Off, row.rewrites == 0);
            }
        }
        assert!(matches!(table("none", &[]), Err(Failure::Usage(_))));
        assert!(matches!(table("lclf", &["none".to_owned()]), Err(Failure::Usage(_))));
    }

    #[test]
    fn the_default_stays_among_the_rows_that_are_asked_for() {
        let (table, rows) = table("obliqa", &["bm25".to_owned()]).unwrap();
        assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), [DEFAULT, "bm25"]);
        assert_ne!(rows[0].searching(&table), rows[1].searching(&table));
        assert_eq!(rows[1].searching(&table).name(), "layout-words");
    }
}
