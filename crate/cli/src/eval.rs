//! `pincite eval`: measures of retrieval, answers, references and refusals, judges of answers, and questions to measure
//! with, one file a verb.

mod agreement;
mod answers;
mod ask;
mod curate;
mod fields;
mod generate;
mod judge;
mod model_replies;
mod output;
mod questions;
mod references;
mod reply_log;
mod retrieval;
mod run;
mod sufficiency;
mod table;
mod train;

use clap::Subcommand;

use crate::failure::Failure;

/// Verbs of `pincite eval`.
#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Rank a corpus for judged queries and print recall, MAP, nDCG and MRR.
    Retrieval(retrieval::Args),
    /// Measure a TREC run that is in a file, or two of the same questions against each other.
    Run(run::Args),
    /// Write test questions with answers and sources from documents, by a language model.
    Generate(generate::Args),
    /// Write rewrites of questions, by a language model, and keep those that find the source passage better.
    Curate(curate::Args),
    /// Answer questions from a corpus of ready-made passages, for `eval answers`.
    Ask(ask::Args),
    /// Measure answers against gold ones: ROUGE-L, BLEU, right documents, passages cited, refusals.
    Answers(answers::Args),
    /// Let a language model judge answers: claims, coverage, score, RePASs, connected passages. Every verdict has a reason.
    Judge(judge::Args),
    /// Compare two files of verdicts, a judge's or those of a person: raw agreement and Cohen's kappa.
    Agreement(agreement::Args),
    /// Resolve the cross-references of a corpus and print recall and precision against curated ones.
    References(references::Args),
    /// Fill a table of a paper: its baselines, ours, and ours with one part left out, each measured on the same questions.
    Table(table::Args),
    /// Train a ranker on judged questions over a library, and measure it on those that were held out.
    Train(train::Args),
    /// Ask a corpus what it answers and what it does not, and measure how well it is told apart.
    Sufficiency(sufficiency::Args),
}

/// Runs the verb.
pub(crate) fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Retrieval(args) => retrieval::run(args),
        Verb::Run(args) => run::run(args),
        Verb::Generate(args) => generate::run(args),
        Verb::Curate(args) => curate::run(args),
        Verb::Ask(args) => ask::run(args),
        Verb::Answers(args) => answers::run(args),
        Verb::Judge(args) => judge::run(args),
        Verb::Agreement(args) => agreement::run(args),
        Verb::References(args) => references::run(args),
        Verb::Table(args) => table::run(args),
        Verb::Train(args) => train::run(args),
        Verb::Sufficiency(args) => sufficiency::run(args),
    }
}
