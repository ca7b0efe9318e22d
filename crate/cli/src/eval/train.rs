//! `pincite eval train`: a ranker from judged questions over a library, measured on questions that were held out.
//!
//! It does what the lab of the page does: the candidates of each question are labelled by the places that answer it,
//! LambdaMART learns from their features, and the questions held out (all of a document, where there are enough documents)
//! are searched with the ranker that ships and with the new one.

use std::path::PathBuf;

use engine::{Embedder as _, Glossary, GoldPlace, Learned, Library, QueryVector, SearchOptions};
use evaluate::bootstrap::Bootstrap;
use evaluate::hold_out::{HeldOutBy, hold_out};
use evaluate::ranking::{Judgments, Metrics, measure};
use lambdamart::{Options, Progress, Trainer};

use crate::eval::output::write_whole;
use crate::eval::questions::{self, Question};
use crate::eval::retrieval::pages::gold_place;
use crate::failure::Failure;
use crate::measures::{Measured, Summary};
use crate::search::{Embedded, embed_by, is_compared, thesaurus};
use crate::store::Store;

/// Rounds, or questions, between two lines of progress.
const TICK: usize = 25;

/// Arguments of `pincite eval train`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library of the documents.
    #[arg(long, value_name = "LIB")]
    library: PathBuf,
    /// Questions: JSON lines with `qid`, `query`, and `document` and `pages` unless there are --qrels; may be gzipped.
    #[arg(long)]
    queries: PathBuf,
    /// Judgments of pages, `file.pdf#7,8` for either of two, instead of those of the questions.
    #[arg(long)]
    qrels: Option<PathBuf>,
    /// Searches that the ranker is for: those of `search`, or, to see what it would do there, those of answers, which use none
    /// where there are vectors.
    #[arg(long = "for", value_enum, default_value = "search")]
    purpose: Purpose,
    /// Ranker that training goes on with: the one that ships, or none, to begin with blended scores.
    #[arg(long, value_enum, default_value = "shipped")]
    base: Base,
    /// Share of the questions that are held out and measured, 0 to 0.5; with 0 all are learned from and nothing is measured.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    hold_out: f64,
    /// Seed of the draw of questions held out, and of training.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// File for the ranker, LightGBM's text model, for `search --ranking-model`.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Cutoffs of the metrics.
    #[arg(long, value_delimiter = ',', default_value = "1,5,10,20")]
    ks: Vec<usize>,
    /// Resamples of the 95 % bootstrap intervals; 0 for none.
    #[arg(long, default_value_t = Bootstrap::default().n_resamples)]
    bootstrap: usize,
    /// Directory of the embedding model.
    #[arg(long)]
    embedder: Option<PathBuf>,
}

/// Searches that a ranker is for.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Purpose {
    /// Searches: children and articles.
    Search,
    /// Searches of answers: children, vectors weighing more.
    Answers,
}

/// Ranker that training goes on with.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Base {
    /// The forest that ships.
    Shipped,
    /// None: the trees correct blended scores.
    None,
}

fn share(value: &str) -> Result<f64, String> {
    value.parse().ok().filter(|share| (0.0..=0.5).contains(share)).ok_or("expected 0 to 0.5".to_owned())
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.ks.is_empty() || args.ks.contains(&0) {
        return Err(Failure::Usage("--ks: expected numbers from 1, such as 5,10".to_owned()));
    }
    let questions = asked(args)?;
    let mut library = Store::open(&args.library)?.load()?;
    let session = crate::model::load(args.embedder.as_deref(), native::model::Activations::default())?;
    let vectors = vectors(&library, session.as_ref(), &questions)?;
    let (held_out, by) = held_out(&questions, args);
    let glossary = Glossary::default().with_thesaurus(thesaurus(None)?);
    let searched = Searched { args, questions: &questions, vectors: &vectors, glossary };
    let mut trainer = searched.trainer(&library, &held_out)?;
    let progress = train(&mut trainer)?;
    let model = trainer.model();
    write_whole(&args.out, |file| std::io::Write::write_all(file, model.as_bytes()))?;
    say!(
        "trained on {} questions that teach something, {} trees; nDCG@10 of their candidates {:.3}",
        trainer.n_questions(),
        progress.best,
        progress.training
    );
    if args.hold_out == 0.0 {
        return Ok(());
    }
    let measured: Vec<usize> = (0..questions.len()).filter(|&at| held_out.get(at) == Some(&true)).collect();
    let before = searched.measured(&library, &measured, false)?;
    library.set_ranker(Some(&model))?;
    let after = searched.measured(&library, &measured, true)?;
    say!(
        "measured on {} questions held out, {}",
        measured.len(),
        match by {
            HeldOutBy::Document => "of other documents",
            HeldOutBy::Question => "of the same documents",
        }
    );
    let bootstrap = Bootstrap { n_resamples: args.bootstrap, ..Bootstrap::default() };
    let summary = Summary { ks: &args.ks, bootstrap: (args.bootstrap > 0).then_some(bootstrap) };
    summary.print_head();
    summary.print("before", &before);
    summary.print("after", &after);
    summary.print("difference", &after.minus(&before));
    Ok(())
}

/// The questions that something answers, by id.
fn asked(args: &Args) -> Result<Vec<Question>, Failure> {
    let mut asked = questions::read(&args.queries, args.qrels.as_deref())?;
    asked.retain(|question| relevant(&question.judged).next().is_some());
    asked.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(asked)
}

/// Vectors of the questions, where they are compared with those of the library.
fn vectors(
    library: &Library,
    session: Option<&encoder::Session>,
    questions: &[Question],
) -> Result<Vec<Option<Embedded>>, Failure> {
    let Some(session) = session else {
        note!("no model found: by words alone, as `search` does");
        return Ok(questions.iter().map(|_| None).collect());
    };
    library.check_model(session.fingerprint())?;
    let embed = |question: &Question| {
        is_compared(library, &question.text).then(|| embed_by(session, &question.text)).transpose()
    };
    questions.iter().map(embed).collect()
}

fn held_out(questions: &[Question], args: &Args) -> (Vec<bool>, HeldOutBy) {
    let ids: Vec<String> = questions.iter().map(|question| question.id.clone()).collect();
    let document = |question: &Question| {
        relevant(&question.judged).next().map(|id| gold_place(id).document).unwrap_or_default()
    };
    hold_out(&ids, &questions.iter().map(document).collect::<Vec<_>>(), args.hold_out, args.seed)
}

/// Grows all trees.
fn train(trainer: &mut Trainer) -> Result<Progress, Failure> {
    loop {
        let progress = trainer.step().map_err(|error| Failure::Failed(error.to_string()))?;
        if progress.is_done {
            return Ok(progress);
        }
        if progress.round.is_multiple_of(TICK) {
            note!("round {} of {}: nDCG@10 {:.3}", progress.round, progress.rounds, progress.training);
        }
    }
}

/// The questions, and how they are searched.
struct Searched<'a> {
    args: &'a Args,
    questions: &'a [Question],
    vectors: &'a [Option<Embedded>],
    glossary: Glossary,
}

impl Searched<'_> {
    fn options(&self, gold: Vec<GoldPlace>) -> Result<SearchOptions, Failure> {
        let k = self.args.ks.iter().copied().max().unwrap_or(1).clamp(10, SearchOptions::MAX_K);
        let options = match self.args.purpose {
            Purpose::Search => SearchOptions::parse(k, "both", "exact", false)?,
            Purpose::Answers => SearchOptions { k, ..SearchOptions::for_answers() },
        };
        Ok(options.with_glossary(self.glossary.clone()).with_gold(gold))
    }

    fn vector(&self, at: usize) -> Option<QueryVector<'_>> {
        self.vectors.get(at)?.as_ref().map(Embedded::as_query)
    }

    /// A trainer with the candidates of the questions that are not held out.
    fn trainer(&self, library: &Library, held_out: &[bool]) -> Result<Trainer, Failure> {
        let names = retrieval::features().map(|feature| feature.name.to_owned()).collect();
        let failed = |error: lambdamart::Error| Failure::Failed(error.to_string());
        let goes_on = self.args.base == Base::Shipped;
        let options = if goes_on { Options::going_on() } else { Options::default() };
        let options = Options { seed: self.args.seed, ..options };
        let mut trainer = Trainer::new(names, options).map_err(failed)?;
        if goes_on {
            let base = lambdamart::Base::parse(engine::shipped_ranker()).map_err(failed)?;
            trainer = trainer.onto(base).map_err(failed)?;
        }
        for (at, question) in self.questions.iter().enumerate() {
            if held_out.get(at) == Some(&true) {
                continue;
            }
            let options = self.options(gold(&question.judged))?;
            let candidates = library.candidates(&question.text, self.vector(at), &options)?;
            let labels: Vec<u8> = candidates.labels.iter().copied().map(u8::from).collect();
            let scores = if goes_on { &candidates.scores[..] } else { &[] };
            trainer.add(&question.id, &candidates.features, &labels, scores).map_err(failed)?;
            if (at + 1).is_multiple_of(TICK) {
                note!("candidates of {} of {} questions", at + 1, self.questions.len());
            }
        }
        Ok(trainer)
    }

    /// The metrics of some questions, by the ranker that the library has; `is_own` if it is the new one.
    fn measured(&self, library: &Library, some: &[usize], is_own: bool) -> Result<Measured, Failure> {
        let mut metrics = Vec::with_capacity(some.len());
        for &at in some {
            let Some(question) = self.questions.get(at) else { continue };
            let mut options = self.options(gold(&question.judged))?;
            if is_own {
                options.learned = Learned::Always;
            }
            let reply = library.search(&question.text, self.vector(at), &options)?;
            metrics.push(self.cuts(&reply.gold, &question.judged));
        }
        Ok(Measured::new(self.args.ks.len(), &metrics))
    }

    /// Metrics at each cutoff of a ranking, given by the places that each hit is first to reach.
    fn cuts(&self, reached: &[Vec<usize>], judged: &Judgments) -> Vec<Metrics> {
        let ids: Vec<&str> = relevant(judged).collect();
        let mut ranking: Vec<String> = Vec::new();
        for (at, places) in reached.iter().enumerate() {
            match places.as_slice() {
                [] => ranking.push(format!("hit {at}")),
                places => {
                    ranking.extend(places.iter().filter_map(|&place| Some((*ids.get(place)?).to_owned())));
                }
            }
        }
        let ranking: Vec<&str> = ranking.iter().map(String::as_str).collect();
        self.args.ks.iter().map(|&k| measure(&ranking, judged, k).unwrap_or_default()).collect()
    }
}

/// Ids of the places that answer.
fn relevant(judged: &Judgments) -> impl Iterator<Item = &str> {
    judged.iter().filter(|(_, gain)| **gain > 0).map(|(id, _)| id.as_str())
}

/// The places that answer, in the order of their ids.
fn gold(judged: &Judgments) -> Vec<GoldPlace> {
    relevant(judged).map(gold_place).collect()
}
