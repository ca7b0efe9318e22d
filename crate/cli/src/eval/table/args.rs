//! Arguments of `pincite eval table`.

use std::path::PathBuf;

use evaluate::bootstrap::Bootstrap;

use crate::eval::model_replies::RunArgs;
use crate::threads::ThreadArgs;

/// Arguments of `pincite eval table`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Table: `lclf` (LCLF-QA), over a library; `obliqa` (ObliQA) or `legaldc` (Legal-DC), over a corpus of passages.
    pub(super) table: String,
    /// Directory with the papers' data: obliqa/passages.jsonl.gz, legaldc/units.jsonl.gz and their questions.
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Passages instead of those of --data: JSON lines with `id`, `text`, optional `title`, `chapter`, `doc`; may be gzipped.
    #[arg(long)]
    pub(super) corpus: Option<PathBuf>,
    /// Library instead of a corpus; judgments then name pages, `file.pdf#7,8` for either of two.
    #[arg(long, value_name = "LIB", conflicts_with_all = ["corpus", "data"])]
    pub(super) library: Option<PathBuf>,
    /// Questions instead of those of --data: JSON lines with `qid`, `query` and what there is of gold; may be gzipped.
    #[arg(long)]
    pub(super) queries: Option<PathBuf>,
    /// Judgments instead of those of --data. Without them those of the questions count: `passages`, or `document` and `pages`.
    #[arg(long)]
    pub(super) qrels: Option<PathBuf>,
    /// Only these rows, and the default, with which they are compared.
    #[arg(long, value_name = "ROW", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Only N of the questions, drawn by --seed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) n: Option<u32>,
    /// Seed of the draw.
    #[arg(long, default_value_t = 7)]
    pub(super) seed: u64,
    /// Runs of rows that a model answers: each asks all anew.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(super) runs: u32,
    /// Requests at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=128))]
    pub(super) parallel: u32,
    /// Directory of the results, made where it is not there; a second run goes on in it.
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// File that caches vectors [default: one under --out].
    #[arg(long)]
    pub(super) vectors: Option<PathBuf>,
    /// Directory of the embedding model.
    #[arg(long)]
    pub(super) embedder: Option<PathBuf>,
    /// Resamples of the 95 % bootstrap intervals.
    #[arg(long, default_value_t = Bootstrap::default().n_resamples, value_parser = at_least_one)]
    pub(super) bootstrap: usize,
    /// Base URL of a judge of the answers, by the criteria of the table. Its key, if it needs one, in PINCITE_API_KEY_JUDGE.
    #[arg(long, value_name = "BASE_URL", requires = "judge_model")]
    pub(super) judge: Option<String>,
    /// Name of the judge's model.
    #[arg(long, value_name = "M", requires = "judge")]
    pub(super) judge_model: Option<String>,
    #[command(flatten)]
    pub(super) run: RunArgs,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
}

fn at_least_one(value: &str) -> Result<usize, String> {
    value.parse().ok().filter(|&n| n >= 1).ok_or_else(|| "expected a number from 1".to_owned())
}

impl Args {
    /// True if there is a model to answer.
    pub(super) fn has_model(&self) -> bool {
        !self.run.model().is_empty()
    }
}
