//! Accuracy at a calibrated ROUGE-L threshold (Legal-DC, section 3.2): judged answers of one half of the questions choose
//! the threshold, the other half is measured with it.

use std::collections::BTreeMap;
use std::path::Path;

use evaluate::calibration::{Judged, agreement_at, calibrates, threshold};
use serde_json::{Value, json};

use crate::eval::fields::{id_of, object};
use crate::eval::retrieval::corpus::for_lines;
use crate::failure::Failure;

/// Figures of the two halves.
pub(super) struct Calibrated {
    /// ROUGE-L F1 that agrees best with the judgments of the first half.
    threshold: f64,
    /// Number of judged questions that chose it, and their agreement with it.
    n_calibrating: usize,
    calibrating: f64,
    /// Number of judged questions of the other half, and their agreement with it.
    n_held_out: usize,
    held_out: f64,
    /// Share of the other half, judged or not, at or over the threshold.
    accuracy: f64,
}

impl Calibrated {
    /// From the ROUGE-L F1 of each question and the file of verdicts.
    pub(super) fn of(scores: &[(&str, f64)], verdicts: &Path, seed: u64) -> Result<Self, Failure> {
        let right = judgments(verdicts)?;
        let (mut calibrating, mut held_out, mut all_held_out) =
            (Vec::<Judged>::new(), Vec::<Judged>::new(), Vec::new());
        for &(id, score) in scores {
            let half = if calibrates(id, seed) {
                &mut calibrating
            } else {
                all_held_out.push(score);
                &mut held_out
            };
            half.extend(right.get(id).map(|&right| (score, right)));
        }
        let few = || {
            Failure::Failed(format!(
                "{}: {} judged questions calibrate and {} are held out, expected one or more of each",
                verdicts.display(),
                calibrating.len(),
                held_out.len()
            ))
        };
        let (threshold, agreement) = threshold(&calibrating).ok_or_else(few)?;
        let n_over = all_held_out.iter().filter(|score| **score >= threshold).count();
        Ok(Self {
            threshold,
            n_calibrating: calibrating.len(),
            calibrating: agreement,
            n_held_out: held_out.len(),
            held_out: agreement_at(&held_out, threshold).ok_or_else(few)?,
            accuracy: n_over as f64 / all_held_out.len().max(1) as f64,
        })
    }

    pub(super) fn json(&self) -> Value {
        let Self { threshold, n_calibrating, calibrating, n_held_out, held_out, accuracy } = self;
        json!({
            "threshold": threshold,
            "calibrating": { "questions": n_calibrating, "agreement": calibrating },
            "held_out": { "questions": n_held_out, "agreement": held_out, "accuracy": accuracy },
        })
    }

    pub(super) fn print(&self) {
        let Self { threshold, n_calibrating, calibrating, n_held_out, held_out, accuracy } = self;
        say!(
            "calibrated ROUGE-L threshold {threshold:.4}: agrees with {calibrating:.4} of the {n_calibrating} judged answers that chose it"
        );
        say!("  held out: agrees with {held_out:.4} of {n_held_out} judged answers; accuracy {accuracy:.4}");
    }
}

/// The judgments by question: true where coverage is complete.
fn judgments(path: &Path) -> Result<BTreeMap<String, bool>, Failure> {
    let mut right = BTreeMap::new();
    for_lines(path, |line| {
        let fields = object(line)?;
        let text_at = |name: &str| fields.get(name).and_then(Value::as_str);
        if let (Some("coverage"), Some(label)) = (text_at("criterion"), text_at("label")) {
            right.insert(id_of(&fields)?, label == "complete");
        }
        Ok(())
    })?;
    Ok(right)
}
