//! Fills rows: what is kept under `--out` is read, what is not is ranked and answered, and kept.
//!
//! Rows are taken by the chunks that they search, so that each library is cut and embedded once, and only if something of it
//! is due.

use std::collections::BTreeMap;
use std::path::PathBuf;

use encoder::Session;
use engine::{Embedder as _, Library, TokenCount};
use evaluate::answers::Options;
use native::model::Activations;
use retrieval::ModelScripts;

use super::answering::Searched;
use super::args::Args;
use super::collection::Collection;
use super::columns::{ACCURACY, Run, Values};
use super::record::{Answered, Found, Ranked, read, write};
use super::report::Filled;
use super::rows::{ChunkerName, Reader, Row, Searching, Table};
use crate::endpoint::Endpoint;
use crate::eval::model_replies::ModelReplies;
use crate::eval::questions::Question;
use crate::eval::retrieval::vectors::TextEmbedder;
use crate::failure::Failure;

/// A table that is being filled.
pub(super) struct Filling<'a> {
    args: &'a Args,
    table: &'a Table,
    collection: &'a Collection,
    pub(super) questions: &'a [Question],
    session: Option<Session>,
    tokens: Box<dyn TokenCount + Sync>,
    replies: ModelReplies,
    endpoints: Vec<Endpoint>,
    /// Identity of questions and collection.
    identity: String,
    question_vectors: Option<Vec<Vec<f32>>>,
}

/// A row with its results.
pub(super) struct Results<'a> {
    pub(super) row: &'a Row,
    ranked: Option<Vec<Ranked>>,
    /// Answers of each run.
    pub(super) answered: Vec<Vec<Answered>>,
    /// Values by a judge, by criterion, for each answer of each run.
    judged: BTreeMap<String, Vec<Vec<Option<f64>>>>,
    as_row: Option<&'a str>,
}

/// Chunker of a library, and whether footnotes belong to the text that calls them. Rows with the same share the library.
type Cut = (ChunkerName, bool);

impl<'a> Filling<'a> {
    pub(super) fn new(
        args: &'a Args,
        table: &'a Table,
        collection: &'a Collection,
        questions: &'a [Question],
    ) -> Result<Self, Failure> {
        let is_readable = |question: &Question| ModelScripts::default().can_read(&question.text);
        let session = match questions.iter().any(is_readable) && !args.run.dry_run {
            true => crate::model::load(args.embedder.as_deref(), Activations::default())?,
            false => None,
        };
        let asked = questions.iter().map(|question| {
            format!("{}\n{}\n{:?}\n{:?}\n", question.id, question.text, question.judged, question.gold)
        });
        let identity = format!(
            "{} {} {}",
            env!("CARGO_PKG_VERSION"),
            collection.identity(),
            engine::digest(asked.collect::<String>().as_bytes())
        );
        Ok(Self {
            args,
            table,
            collection,
            questions,
            session,
            tokens: crate::model::token_count(args.embedder.as_deref())?,
            replies: args.run.replies(&args.out.join("answers"))?,
            endpoints: args.run.endpoints(args.parallel as usize)?,
            identity,
            question_vectors: None,
        })
    }

    /// Lines about encoder, models and figures.
    pub(super) fn about(&self) -> Vec<String> {
        let encoder = match &self.session {
            Some(session) => format!("Encoder: {}.", session.fingerprint()),
            None => "No vectors: there is no encoder, or none that reads these questions, so every row is ranked by words.".to_owned(),
        };
        let reader = match self.args.run.model() {
            "" => "No model answered: there is no endpoint.".to_owned(),
            model => {
                format!("Answers by {model} at the temperature of the profile `{}`.", self.table.profile)
            }
        };
        let judge = match &self.args.judge_model {
            Some(model) => format!("Judged by {model}."),
            None => "Not judged: there is no endpoint of a judge.".to_owned(),
        };
        let mut lines = vec![
            encoder,
            reader,
            judge,
            "What no model takes part in is deterministic: it is run once and has no spread. Figures of several runs are means ± standard deviation of the runs.".to_owned(),
            format!("Differences are of the same questions, with 95 % intervals of {} bootstrap resamples.", self.args.bootstrap),
            "Tokens are estimates; `tokens@k` are those of the first k passages of a ranking, `recall@1500t` is the recall of the passages in its first 1,500 tokens. Seconds are those of our own part on this machine, without the model's.".to_owned(),
        ];
        if self.table.answers.iter().any(|column| column == ACCURACY) {
            let least = Options::default().threshold;
            lines.push(format!(
                "`{ACCURACY}` is the share of answers with a ROUGE-L of {least} or more, not calibrated."
            ));
        }
        lines
    }

    /// True if questions are compared with vectors.
    pub(super) fn has_vectors(&self) -> bool {
        self.session.is_some()
    }

    /// Number of replies in the log.
    pub(super) fn n_replies(&self) -> usize {
        self.replies.n_known()
    }

    /// Runs of a row's answers.
    pub(super) fn n_runs(&self, row: &Row) -> u32 {
        match row.reader {
            Reader::Extraction => 1,
            Reader::Model if self.args.has_model() => self.args.runs,
            Reader::Model => 0,
        }
    }

    /// Runs of a row's answers that are not there yet.
    pub(super) fn n_runs_due(&self, row: &Row) -> usize {
        (1..=self.n_runs(row)).filter(|&run| self.answered(row, run).is_none()).count()
    }

    /// If the ranking of a row is there, in words.
    pub(super) fn state_of_ranking(&self, row: &Row) -> &'static str {
        if self.ranked(row.searching(self.table)).is_some() { "there" } else { "due" }
    }

    fn fingerprint(&self) -> &str {
        self.session.as_ref().map_or("", |session| session.fingerprint())
    }

    fn ranking_file(&self, searching: Searching) -> (PathBuf, String) {
        let path = self.args.out.join(format!("ranking-{}.jsonl", searching.name()));
        let of = format!("{}\n{searching:?}\n{}", self.identity, self.fingerprint());
        (path, engine::digest(of.as_bytes()))
    }

    fn answers_file(&self, row: &Row, run: u32) -> (PathBuf, String) {
        let path = self.args.out.join(format!("answers-{}-{run}.jsonl", row.name));
        let model = if row.reader == Reader::Model { self.args.run.model() } else { "" };
        let Self { identity, table, .. } = self;
        let of = format!(
            "{identity}\n{}\n{}\n{}\n{model}\n{run}",
            row.settings(),
            table.profile,
            self.fingerprint()
        );
        (path, engine::digest(of.as_bytes()))
    }

    fn ranked(&self, searching: Searching) -> Option<Vec<Ranked>> {
        let (path, identity) = self.ranking_file(searching);
        self.whole(read(&path, &identity)?)
    }

    fn answered(&self, row: &Row, run: u32) -> Option<Vec<Answered>> {
        let (path, identity) = self.answers_file(row, run);
        self.whole(read(&path, &identity)?)
    }

    fn whole<T>(&self, results: Vec<T>) -> Option<Vec<T>> {
        Some(results).filter(|results| results.len() == self.questions.len())
    }

    /// Fills the rows, in their order.
    pub(super) fn fill<'r>(&mut self, rows: &'r [Row]) -> Result<Vec<Results<'r>>, Failure> {
        let mut by_cut: BTreeMap<Cut, Vec<usize>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            by_cut.entry((row.chunks, row.notes)).or_default().push(at);
        }
        let mut filled: BTreeMap<usize, Results<'r>> = BTreeMap::new();
        for members in by_cut.into_values() {
            let mut library: Option<Library> = None;
            for at in members {
                let Some(row) = rows.get(at) else { continue };
                filled.insert(at, self.fill_row(row, &mut library)?);
            }
        }
        let mut filled: Vec<Results<'r>> = filled.into_values().collect();
        let mut first: BTreeMap<Searching, &'r str> = BTreeMap::new();
        for results in filled.iter_mut().filter(|results| !results.row.rewrites()) {
            let searching = results.row.searching(self.table);
            results.as_row = Some(*first.entry(searching).or_insert(&results.row.name));
        }
        Ok(filled)
    }

    fn fill_row<'r>(&mut self, row: &'r Row, library: &mut Option<Library>) -> Result<Results<'r>, Failure> {
        let searching = row.searching(self.table);
        let mut results =
            Results { row, ranked: None, answered: Vec::new(), judged: BTreeMap::new(), as_row: None };
        if !row.rewrites() {
            let ranked = match self.ranked(searching) {
                Some(ranked) => ranked,
                None => {
                    let (path, identity) = self.ranking_file(searching);
                    note!("{}: ranking", row.name);
                    let ranked = self.rank(searching, library)?;
                    write(&path, &identity, &ranked)?;
                    ranked
                }
            };
            results.ranked = Some(ranked);
        }
        for run in 1..=self.n_runs(row) {
            let answered = match self.answered(row, run) {
                Some(answered) => answered,
                None => {
                    let (path, identity) = self.answers_file(row, run);
                    note!("{}: answering, run {run}", row.name);
                    let answered = self.answer(row, run, library)?;
                    // Where the endpoint failed, a later run tries again.
                    if answered.iter().all(|answer| answer.failed == 0) {
                        write(&path, &identity, &answered)?;
                    }
                    answered
                }
            };
            results.answered.push(answered);
        }
        Ok(results)
    }

    /// The library of a search, cut and embedded if it is not there.
    fn library<'l>(
        &self,
        searching: Searching,
        library: &'l mut Option<Library>,
    ) -> Result<&'l Library, Failure> {
        let made = match library.take() {
            Some(library) => library,
            None => {
                let kept = self.vectors();
                let session = self.session.as_ref();
                let n_threads = self.args.threads.count();
                let embedder =
                    session.map(|session| TextEmbedder { session, n_threads, kept: Some(kept.as_path()) });
                self.collection.searched(searching, embedder.as_ref(), self.tokens.as_ref())?
            }
        };
        Ok(library.insert(made))
    }

    fn vectors(&self) -> PathBuf {
        self.args.vectors.clone().unwrap_or_else(|| self.args.out.join("passages.vectors"))
    }

    fn rank(&mut self, searching: Searching, library: &mut Option<Library>) -> Result<Vec<Ranked>, Failure> {
        if self.question_vectors.is_none() {
            let (kept, n_threads) = (self.vectors(), self.args.threads.count());
            let texts: Vec<String> = self.questions.iter().map(|question| question.text.clone()).collect();
            let vectors = match &self.session {
                Some(session) => {
                    TextEmbedder { session, n_threads, kept: Some(&kept) }.rows("questions", &texts)?
                }
                None => Vec::new(),
            };
            self.question_vectors = Some(vectors);
        }
        let searched = Searched {
            collection: self.collection,
            library: self.library(searching, library)?,
            searching,
            session: self.session.as_ref(),
        };
        searched.rank(self.questions, self.question_vectors.as_deref().unwrap_or_default())
    }

    fn answer(
        &mut self,
        row: &Row,
        run: u32,
        library: &mut Option<Library>,
    ) -> Result<Vec<Answered>, Failure> {
        let searching = row.searching(self.table);
        self.library(searching, library)?;
        let Some(library) = library.as_ref() else { return Ok(Vec::new()) };
        let session = self.session.as_ref();
        let searched = Searched { collection: self.collection, library, searching, session };
        let (replies, endpoints) = (&mut self.replies, &mut self.endpoints);
        let n_in_step = if row.reader == Reader::Model { endpoints.len().max(1) } else { 1 };
        let mut carry = |requests: &[engine::Request]| {
            let chats: Vec<_> = requests.iter().map(engine::Request::chat).collect();
            replies.replies(run, &chats, endpoints)
        };
        searched.answer((row, self.table), self.questions, n_in_step, &mut carry)
    }
}

impl<'a> Results<'a> {
    /// Sets a judge's value for the answer to the `n`th question of a run, counted from 0.
    pub(super) fn judge(&mut self, column: &str, run: usize, n: usize, value: f64) {
        let shape = || self.answered.iter().map(|answers| vec![None; answers.len()]).collect();
        let runs = self.judged.entry(column.to_owned()).or_insert_with(shape);
        let place = runs.get_mut(run).and_then(|answers| answers.get_mut(n));
        place.into_iter().for_each(|place| *place = Some(value));
    }

    /// The row with its measures.
    pub(super) fn measured(self, table: &Table, questions: &[Question]) -> Filled<'a> {
        let Self { row, ranked, answered, judged, as_row } = self;
        let found_by = |answers: &[Answered]| -> Vec<Vec<Found>> {
            answers.iter().map(|answer| answer.found.clone()).collect()
        };
        let rankings: Vec<Vec<Vec<Found>>> = match &ranked {
            Some(ranked) => vec![ranked.iter().map(|one| one.found.clone()).collect()],
            None => answered.iter().map(|answers| found_by(answers)).collect(),
        };
        let ranking_runs = rankings.iter().map(|run| {
            let values = run.iter().zip(questions).map(|(found, question)| {
                let mut values = Values::default();
                values.rank(found, question, &table.retrieval);
                values
            });
            values.collect::<Run>()
        });
        let ranking_runs = ranking_runs.collect();
        let answer_runs = answered.iter().enumerate().map(|(run, answers)| {
            let of_run = rankings.get(run).or_else(|| rankings.first());
            let values = answers.iter().zip(questions).enumerate().map(|(at, (answer, question))| {
                let mut values = Values::default();
                let found = of_run.and_then(|run| run.get(at)).map(Vec::as_slice).unwrap_or_default();
                values.answer(answer, found, question);
                for (criterion, runs) in &judged {
                    let value = runs.get(run).and_then(|answers| answers.get(at)).copied().flatten();
                    value.into_iter().for_each(|value| values.set(criterion, value));
                }
                values
            });
            values.collect::<Run>()
        });
        let answers = answer_runs.collect();
        let ids = questions.iter().map(|question| question.id.clone());
        let found = ids.zip(rankings.into_iter().next().unwrap_or_default()).collect();
        Filled { row, rankings: ranking_runs, answers, as_row, found }
    }
}
