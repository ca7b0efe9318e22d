//! The accuracy of Legal-DC, calibrated: the ROUGE-L of an answer at which it counts as right is the one that agrees best with
//! the judge's coverage, *complete* or not. Half of the questions choose it over all rows, the others are measured with it.
//!
//! The paper has judgments of people. A judge's are what there is here, so the table says how well the threshold agrees with
//! them, and what calling every answer right would.

use std::collections::BTreeMap;

use evaluate::calibration::{agreement_at, calibrates, threshold};
use evaluate::overlap::{Unit, rouge_l};

use super::columns::CALIBRATED;
use super::fill::Results;
use crate::eval::questions::Question;

/// Seed of the halves, that of `eval answers`: they are the same whichever questions are drawn.
const SEED: u64 = 7;

/// Place of an answer: row, run and question.
pub(super) type At = (usize, usize, usize);

/// A threshold that half of the questions chose.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Chosen {
    /// Least ROUGE-L of an answer that counts as right.
    least: f64,
    /// Number of answers that chose it.
    n: usize,
    /// Share of the other half's answers on which it agrees with the judge.
    agreement: f64,
    /// Share of these that are complete: with which calling every answer right agrees.
    all_right: f64,
}

/// Measures the calibrated accuracy of the answers to the half that does not choose, and says what was chosen; `None` where
/// a half has no answer that was judged. `complete` says of an answer if the judge called it complete.
pub(super) fn calibrate(
    complete: &BTreeMap<At, bool>,
    questions: &[Question],
    filled: &mut [Results<'_>],
) -> Option<String> {
    let scored = scored(questions, filled);
    let judged: Vec<(&str, f64, bool)> =
        scored.iter().filter_map(|(at, id, score)| Some((*id, *score, *complete.get(at)?))).collect();
    let Chosen { least, n, agreement, all_right } = chosen(&judged)?;
    for ((row, run, at), _, score) in scored.into_iter().filter(|(_, id, _)| !calibrates(id, SEED)) {
        if let Some(results) = filled.get_mut(row) {
            results.judge(CALIBRATED, run, at, f64::from(u8::from(score >= least)));
        }
    }
    Some(format!(
        "{CALIBRATED}: ROUGE-L of {least:.3} or more, which the judge's coverage of {n} answers to one half of the questions chose; \
         it agrees with {agreement:.3} of the other half, calling every answer right with {all_right:.3}."
    ))
}

/// The answers to questions with a reference, with the question's id and their ROUGE-L; a refusal says nothing.
fn scored<'q>(questions: &'q [Question], filled: &[Results<'_>]) -> Vec<(At, &'q str, f64)> {
    let mut all = Vec::new();
    for (row, results) in filled.iter().enumerate() {
        for (run, answers) in results.answered.iter().enumerate() {
            for (at, (answer, question)) in answers.iter().zip(questions).enumerate() {
                let Some(reference) = question.gold.answer.as_deref() else { continue };
                let spoken = if answer.sufficient { answer.text.as_str() } else { "" };
                let score = rouge_l(spoken, reference, Unit::of(reference)).f1;
                all.push(((row, run, at), question.id.as_str(), score));
            }
        }
    }
    all
}

/// The threshold by answers with the question's id, their score, and if they are complete.
fn chosen(judged: &[(&str, f64, bool)]) -> Option<Chosen> {
    let half = |chooses: bool| -> Vec<(f64, bool)> {
        let of_half = judged.iter().filter(|(id, _, _)| calibrates(id, SEED) == chooses);
        of_half.map(|&(_, score, is_complete)| (score, is_complete)).collect()
    };
    let (choosing, others) = (half(true), half(false));
    let (least, _) = threshold(&choosing)?;
    let agreement = agreement_at(&others, least)?;
    let all_right = agreement_at(&others, 0.0)?;
    Some(Chosen { least, n: choosing.len(), agreement, all_right })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_half_chooses_and_the_other_is_measured() {
        let ids: Vec<String> = (0..20).map(|n| format!("q{n}")).collect();
        let is_choosing = |id: &&String| calibrates(id, SEED);
        let n = ids.iter().filter(is_choosing).count();
        assert!(n > 0 && n < ids.len());
        // Two rows: of the half that chooses, what has .6 is complete and what has .2 is not; of the others one answer of four
        // is on the wrong side.
        let mut judged = Vec::new();
        for id in &ids {
            if is_choosing(&id) {
                judged.extend([(id.as_str(), 0.6, true), (id.as_str(), 0.2, false)]);
            } else {
                judged.extend([(id.as_str(), 0.9, true), (id.as_str(), 0.5, false)]);
                judged.extend([(id.as_str(), 0.1, false), (id.as_str(), 0.0, false)]);
            }
        }
        let found = chosen(&judged).unwrap();
        assert!((found.least - 0.4).abs() < 1e-12, "{found:?}");
        assert_eq!((found.n, found.agreement, found.all_right), (2 * n, 0.75, 0.25));
        judged.retain(|(id, _, _)| calibrates(id, SEED));
        assert_eq!(chosen(&judged), None, "no half is left to measure");
        assert_eq!(chosen(&[]), None);
    }
}
