//! The lab for JavaScript: [`Trainer`], and measures of rankings, in a module of its own. Only who opens the lab loads it.
//!
//! Candidates come from the engine's `Library.candidates`, a trained model goes to its `Library.setRanker`. No algorithm
//! lives here: see `lambdamart` and `evaluate`.

mod types;

use border::{bad_argument, from_js, into_js};
use evaluate::bootstrap::{Bootstrap, percentiles};
use evaluate::calibration::{Judged, agreement_at, threshold};
use evaluate::hold_out::{HeldOutBy, hold_out};
use evaluate::ranking;
use evaluate::reliability::Reliability;
use js_sys::{Float32Array, Float64Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(not(target_arch = "wasm32"))]
pub use types::typescript;
use types::{
    CutMeasures, Difference, Held, MeasureReply, Measures, RankedQuestions, ReliabilityBin, ReliabilityReply,
    TrainerOptions, TrainerProgress,
};

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start_lab() {
    border::install_panic_hook();
}

/// Trains a ranker on questions whose right passages are known: LambdaMART. One tree a step.
#[wasm_bindgen]
pub struct Trainer {
    trainer: lambdamart::Trainer,
}

#[wasm_bindgen]
impl Trainer {
    /// A trainer of a ranker over these features: `Candidates.names`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        names: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "TrainerOptions | undefined")] options: JsValue,
    ) -> Result<Self, JsValue> {
        let options: TrainerOptions = from_js(options)?;
        let (options, base) = options.resolved()?;
        let mut trainer = lambdamart::Trainer::new(names, options).map_err(to_js)?;
        if let Some(base) = base {
            trainer = trainer.onto(lambdamart::Base::parse(&base).map_err(to_js)?).map_err(to_js)?;
        }
        Ok(Self { trainer })
    }

    /// Adds a question with its candidates, as `Library.candidates` gave them; the scores only where a ranker is gone on
    /// with. False if they teach nothing, because all of
    /// them are right or none is; such a question is left out.
    pub fn add(
        &mut self,
        id: &str,
        features: Float32Array,
        labels: Uint8Array,
        scores: Option<Float32Array>,
    ) -> Result<bool, JsValue> {
        let scores = scores.map(|scores| scores.to_vec()).unwrap_or_default();
        self.trainer.add(id, &features.to_vec(), &labels.to_vec(), &scores).map_err(to_js)
    }

    /// Number of questions that teach something.
    #[wasm_bindgen(getter)]
    pub fn questions(&self) -> usize {
        self.trainer.n_questions()
    }

    /// Grows the next tree. The first call also prepares, and fails with fewer than 50 questions. After the end it changes
    /// nothing.
    #[wasm_bindgen(unchecked_return_type = "TrainerProgress")]
    pub fn step(&mut self) -> Result<JsValue, JsValue> {
        into_js(&TrainerProgress::from(self.trainer.step().map_err(to_js)?))
    }

    /// LightGBM's text model of the trees up to the best round, for `Library.setRanker`.
    pub fn model(&self) -> String {
        self.trainer.model()
    }
}

/// Which questions are held out of training, to measure with: a share of them, 0 to 1. `documents` has the document of each,
/// empty where it is not known; questions of one document stay together where there are enough documents.
#[wasm_bindgen(js_name = holdOut, unchecked_return_type = "HeldOut")]
pub fn held_out(ids: Vec<String>, documents: Vec<String>, share: f64, seed: u32) -> Result<JsValue, JsValue> {
    let (held_out, by) = hold_out(&ids, &documents, share, u64::from(seed));
    let held_out: Vec<u8> = held_out.into_iter().map(u8::from).collect();
    let by = match by {
        HeldOutBy::Document => "document",
        HeldOutBy::Question => "question",
    };
    into_js(&Held { held_out: Uint8Array::from(held_out.as_slice()), by })
}

/// Measures of rankings at cutoffs, equal to `trec_eval`'s.
#[wasm_bindgen(unchecked_return_type = "MeasureReply")]
pub fn measure(
    #[wasm_bindgen(unchecked_param_type = "RankedQuestion[]")] questions: JsValue,
    ks: Vec<u32>,
) -> Result<JsValue, JsValue> {
    let RankedQuestions(questions) = from_js(questions)?;
    if ks.is_empty() || ks.contains(&0) {
        return Err(bad_argument("ks is empty or has a 0, expected cutoffs from 1"));
    }
    let at_cut = |&k: &u32| {
        let measured: Vec<Option<ranking::Metrics>> = questions
            .iter()
            .map(|question| {
                ranking::measure(&ranking::order(&question.results), &question.judgments, k as usize)
            })
            .collect();
        let mean = ranking::mean(measured.iter().flatten()).into();
        let questions = measured.into_iter().map(|metrics| metrics.map(Measures::from)).collect();
        CutMeasures { k, mean, questions }
    };
    into_js(&MeasureReply { at: ks.iter().map(at_cut).collect() })
}

/// The mean of `after` − `before`, with its interval by the paired bootstrap: one value for each question, in the same order.
#[wasm_bindgen(unchecked_return_type = "Difference")]
pub fn compare(before: Float64Array, after: Float64Array, seed: Option<u32>) -> Result<JsValue, JsValue> {
    let (before, after) = (before.to_vec(), after.to_vec());
    if before.len() != after.len() || before.is_empty() {
        let (n, m) = (before.len(), after.len());
        return Err(bad_argument(&format!(
            "{n} values before and {m} after, expected as many, and at least one"
        )));
    }
    let differences: Vec<f64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let usual = Bootstrap::default();
    let bootstrap = Bootstrap { seed: seed.map_or(usual.seed, u64::from), ..usual };
    let (low, high) = percentiles(&differences, &bootstrap, |drawn| Some(mean(drawn))).unwrap_or_default();
    into_js(&Difference {
        mean: mean(&differences),
        low,
        high,
        level: bootstrap.level,
        n: differences.len(),
        better: differences.iter().filter(|&&difference| difference > 0.0).count(),
        worse: differences.iter().filter(|&&difference| difference < 0.0).count(),
    })
}

/// Reliability of probabilities: `right` has 1 for each that came true. Ten bins by default.
#[wasm_bindgen(unchecked_return_type = "ReliabilityReply")]
pub fn reliability(
    probabilities: Float64Array,
    right: Uint8Array,
    bins: Option<u32>,
) -> Result<JsValue, JsValue> {
    let bins = bins.unwrap_or(10);
    if probabilities.length() != right.length() || !(1..=100).contains(&bins) {
        return Err(bad_argument("expected one outcome for each probability, and 1 to 100 bins"));
    }
    let right = right.to_vec().into_iter().map(|right| right != 0);
    let judged: Vec<Judged> = probabilities.to_vec().into_iter().zip(right).collect();
    let Reliability { bins, ece, brier } = evaluate::reliability::reliability(&judged, bins as usize);
    let threshold = threshold(&judged).map(|(threshold, _)| threshold);
    into_js(&ReliabilityReply {
        bins: bins.into_iter().map(ReliabilityBin::from).collect(),
        ece,
        brier,
        n: judged.len(),
        threshold,
        agreement: threshold.and_then(|threshold| agreement_at(&judged, threshold)),
    })
}

fn to_js(error: lambdamart::Error) -> JsValue {
    bad_argument(&error.to_string())
}
