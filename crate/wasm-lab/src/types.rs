//! Arguments and results of the lab, and their TypeScript.

use border::whole;
use evaluate::ranking::{Judgments, Metrics};
use evaluate::reliability::Bin;
use js_sys::Uint8Array;
use lambdamart::{Options, Progress};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// Options of `Trainer`. Those not given have good values for some hundred questions.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[ts(optional_fields)]
pub(crate) struct TrainerOptions {
    /// Ranker that training goes on with, as LightGBM's text model: `Library.shippedRanker`. Without one the trees correct
    /// blended scores.
    pub(crate) base: Option<String>,
    /// Maximum number of trees, 1 to 1,000.
    pub(crate) rounds: Option<f64>,
    /// Maximum leaves of a tree, 2 to 64.
    pub(crate) num_leaves: Option<f64>,
    /// Factor of each tree's values, above 0 to 1.
    pub(crate) learning_rate: Option<f64>,
    /// Minimum candidates in a leaf.
    pub(crate) min_data_in_leaf: Option<f64>,
    /// L2 regularisation of leaf values.
    pub(crate) lambda_l2: Option<f64>,
    /// Share of the added questions by which training knows when to stop, 0 to 0.5.
    pub(crate) held_out: Option<f64>,
    /// Number of rounds without a better nDCG of those after which training stops.
    pub(crate) patience: Option<f64>,
    /// Number of candidates of a question to learn from.
    pub(crate) depth: Option<f64>,
    /// Seed of every draw, a whole number of 32 bits.
    pub(crate) seed: Option<f64>,
}

impl TrainerOptions {
    /// The trainer's options; the base apart.
    pub(crate) fn resolved(self) -> Result<(Options, Option<String>), JsValue> {
        let Self {
            base,
            rounds,
            num_leaves,
            learning_rate,
            min_data_in_leaf,
            lambda_l2,
            held_out,
            patience,
            depth,
            seed,
        } = self;
        let count =
            |given: Option<f64>, usual: usize, name: &str| given.map_or(Ok(usual), |n| whole(n, name));
        let usual = if base.is_some() { Options::going_on() } else { Options::default() };
        let seed = match seed {
            Some(seed) => whole(seed, "seed")? as u64,
            None => usual.seed,
        };
        let options = Options {
            rounds: count(rounds, usual.rounds, "rounds")?,
            num_leaves: count(num_leaves, usual.num_leaves, "numLeaves")?,
            learning_rate: learning_rate.unwrap_or(usual.learning_rate),
            min_data_in_leaf: count(min_data_in_leaf, usual.min_data_in_leaf, "minDataInLeaf")?,
            lambda_l2: lambda_l2.unwrap_or(usual.lambda_l2),
            held_out: held_out.unwrap_or(usual.held_out),
            patience: count(patience, usual.patience, "patience")?,
            depth: count(depth, usual.depth, "depth")?,
            seed,
            ..usual
        };
        Ok((options, base))
    }
}

/// Progress of training, after a round.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrainerProgress {
    /// Number of rounds done.
    pub(crate) round: usize,
    /// Maximum number of rounds.
    pub(crate) rounds: usize,
    /// nDCG@10 of the questions that are learned from, over their candidates, 0 to 1.
    pub(crate) training: f64,
    /// nDCG@10 of those by which training knows when to stop; `null` without any.
    pub(crate) held_out: Option<f64>,
    /// Round with the best of these.
    pub(crate) best: usize,
    /// True if training is over.
    pub(crate) done: bool,
}

impl From<Progress> for TrainerProgress {
    fn from(progress: Progress) -> Self {
        let Progress { round, rounds, training, held_out, best, is_done } = progress;
        Self { round, rounds, training, held_out, best, done: is_done }
    }
}

/// Questions that are held out.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "HeldOut")]
pub(crate) struct Held {
    /// By question: 1 if it is held out.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint8Array")]
    pub(crate) held_out: Uint8Array,
    /// Unit that is held out as a whole.
    #[ts(type = "\"document\" | \"question\"")]
    pub(crate) by: &'static str,
}

/// Ranking for a question, with its judgments.
#[derive(Deserialize, TS)]
pub(crate) struct RankedQuestion {
    /// Id of the question.
    #[expect(dead_code, reason = "the caller's: results are in the order of the questions")]
    pub(crate) id: String,
    /// Ids of what was found, each with its score. Equal scores are ordered by id descending, as `trec_eval` does.
    pub(crate) results: Vec<(String, f64)>,
    /// Relevance by id; above 0 is relevant.
    #[ts(type = "{ [id: string]: number }")]
    pub(crate) judgments: Judgments,
}

/// Several of them.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct RankedQuestions(pub(crate) Vec<RankedQuestion>);

/// Measures of rankings.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeasureReply {
    /// By cutoff, in the order given.
    pub(crate) at: Vec<CutMeasures>,
}

/// Measures at a cutoff.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CutMeasures {
    /// Cutoff.
    pub(crate) k: u32,
    /// Mean over the questions that count.
    pub(crate) mean: Measures,
    /// By question; `null` for one without anything relevant, which does not count.
    pub(crate) questions: Vec<Option<Measures>>,
}

/// Measures of a ranking, 0 to 1.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Measures {
    /// Share of the relevant ones found.
    pub(crate) recall: f64,
    /// Average precision.
    pub(crate) map: f64,
    /// Normalised discounted cumulative gain.
    pub(crate) ndcg: f64,
    /// One over the rank of the first relevant one.
    pub(crate) mrr: f64,
    /// 1 if all relevant ones are found.
    pub(crate) recall_all: f64,
}

impl From<Metrics> for Measures {
    fn from(metrics: Metrics) -> Self {
        let Metrics { recall, map, ndcg, mrr, recall_all } = metrics;
        Self { recall, map, ndcg, mrr, recall_all }
    }
}

/// Mean of paired differences, with its interval.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Difference {
    /// Mean.
    pub(crate) mean: f64,
    /// Lower end of the interval.
    pub(crate) low: f64,
    /// Upper end.
    pub(crate) high: f64,
    /// Confidence level of the interval.
    pub(crate) level: f64,
    /// Number of questions.
    pub(crate) n: usize,
    /// Number of questions that gained.
    pub(crate) better: usize,
    /// Number of questions that lost.
    pub(crate) worse: usize,
}

/// Reliability of probabilities.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReliabilityReply {
    /// Bins, from 0 to 1.
    pub(crate) bins: Vec<ReliabilityBin>,
    /// Expected calibration error, 0 to 1.
    pub(crate) ece: f64,
    /// Brier score, 0 to 1.
    pub(crate) brier: f64,
    /// Number of probabilities.
    pub(crate) n: usize,
    /// Probability that parts right from wrong best; `null` without any.
    pub(crate) threshold: Option<f64>,
    /// Share that it parts rightly.
    pub(crate) agreement: Option<f64>,
}

/// Bin of probabilities.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReliabilityBin {
    /// Lower bound.
    pub(crate) low: f64,
    /// Upper bound.
    pub(crate) high: f64,
    /// Number of probabilities.
    pub(crate) n: usize,
    /// Their mean; `null` without any.
    pub(crate) predicted: Option<f64>,
    /// Share that came true.
    pub(crate) observed: Option<f64>,
}

impl From<Bin> for ReliabilityBin {
    fn from(bin: Bin) -> Self {
        let Bin { low, high, n, predicted, observed } = bin;
        Self { low, high, n, predicted, observed }
    }
}

#[cfg(not(target_arch = "wasm32"))]
/// TypeScript of the Rust types that cross this border: the text of `types.d.ts`.
pub fn typescript() -> String {
    border::Declarations::default()
        .with::<Difference>()
        .with::<Held>()
        .with::<MeasureReply>()
        .with::<RankedQuestion>()
        .with::<ReliabilityReply>()
        .with::<TrainerOptions>()
        .with::<TrainerProgress>()
        .text()
}
