//! RePASs: entailment, contradiction and obligation coverage of an answer by its source passages, without a reference.
//!
//! Every sentence of the answer is compared with every sentence of the passages by natural language inference. The
//! entailment score is the mean over the answer's sentences of their best entailment, the contradiction score that of their
//! worst contradiction. Obligation coverage is the share of the passages' obligations that an obligation of the answer
//! entails with a probability over [`COVERED`]. Gokhan et al.,
//! [RIRAG](https://arxiv.org/abs/2409.05677) (2024); used in ObliQA-MP, section 5. Time: pairs of sentences.

/// Probability of entailment over which an obligation counts as covered; RIRAG's.
pub const COVERED: f64 = 0.7;

/// Result of natural language inference for a pair (premise, hypothesis): probabilities, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inference {
    /// The premise entails the hypothesis.
    pub entailment: f64,
    /// The premise contradicts the hypothesis.
    pub contradiction: f64,
}

/// The parts of RePASs, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Repass {
    /// Mean over the answer's sentences of their best entailment by the passages.
    pub entailment: f64,
    /// Mean over the answer's sentences of their worst contradiction by the passages; less is better.
    pub contradiction: f64,
    /// Share of the passages' obligations that the answer states.
    pub obligation_coverage: f64,
}

impl Repass {
    /// The parts from inferences. `supports` has a row for each sentence of the answer, with that of every passage sentence
    /// as premise; `obligations` a row for each obligation of the passages, with those sentences of the answer as premises
    /// that are obligations. Without obligations none is covered, as in the authors'
    /// [script](https://github.com/RegNLP/RePASs). The script leaves empty answers out; here their parts are 0.
    pub fn of(supports: &[Vec<Inference>], obligations: &[Vec<Inference>]) -> Self {
        let best =
            |row: &Vec<Inference>, part: fn(&Inference) -> f64| row.iter().map(part).fold(0.0, f64::max);
        // Of no numbers `sum` is −0.
        let mean_best = |part| {
            let sum = supports.iter().map(|row| best(row, part)).fold(0.0, |sum, value| sum + value);
            sum / supports.len().max(1) as f64
        };
        let is_covered = |row: &&Vec<Inference>| best(row, |one| one.entailment) > COVERED;
        let n_covered = obligations.iter().filter(is_covered).count();
        Self {
            entailment: mean_best(|one| one.entailment),
            contradiction: mean_best(|one| one.contradiction),
            obligation_coverage: n_covered as f64 / obligations.len().max(1) as f64,
        }
    }

    /// RePASs, 0 to 1: (entailment − contradiction + obligation coverage + 1) / 3.
    pub fn score(self) -> f64 {
        (self.entailment - self.contradiction + self.obligation_coverage + 1.0) / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_composite_is_the_papers() {
        // ObliQA-MP, the row LTR of the answer table.
        let parts = Repass { entailment: 0.4624, contradiction: 0.1340, obligation_coverage: 0.1984 };
        assert!((parts.score() - 0.509).abs() < 5e-4);
    }

    #[test]
    fn worked_example() {
        let of = |entailment, contradiction| Inference { entailment, contradiction };
        // Two sentences of an answer against three of the passages; two obligations against the two sentences.
        let supports =
            [vec![of(0.1, 0.0), of(0.9, 0.0), of(0.2, 0.1)], vec![of(0.3, 0.6), of(0.0, 0.2), of(0.1, 0.0)]];
        let obligations = [vec![of(0.8, 0.0), of(0.1, 0.0)], vec![of(0.7, 0.0), of(0.2, 0.0)]];
        let found = Repass::of(&supports, &obligations);
        assert!((found.entailment - 0.6).abs() < 1e-12);
        assert!((found.contradiction - 0.35).abs() < 1e-12);
        assert!((found.obligation_coverage - 0.5).abs() < 1e-12, "0.7 itself is not over the threshold");
    }

    #[test]
    fn figures_are_those_of_the_authors_program() {
        // Figures that `evaluate_model.py` of RegNLP/RePASs printed, its models replaced by these tables (`tests/judge/authors_test.py`).
        let of = |&(entailment, contradiction): &(f64, f64)| Inference { entailment, contradiction };
        let supports = |rows: &[&[(f64, f64)]]| -> Vec<Vec<Inference>> {
            rows.iter().map(|row| row.iter().map(of).collect()).collect()
        };
        let obligations = |rows: &[&[f64]]| -> Vec<Vec<Inference>> {
            rows.iter().map(|row| row.iter().map(|&entailment| of(&(entailment, 0.0))).collect()).collect()
        };
        let assert_parts = |found: Repass, expected: [f64; 4]| {
            let Repass { entailment, contradiction, obligation_coverage } = found;
            let figures = [entailment, contradiction, obligation_coverage, found.score()];
            let is_equal =
                figures.iter().zip(expected).all(|(figure, expected)| (figure - expected).abs() < 1e-5);
            assert!(is_equal, "{figures:?}, expected {expected:?}");
        };
        let retention = supports(&[&[(0.33, 0.32), (0.37, 0.41)], &[(0.38, 0.28), (0.23, 0.49)]]);
        assert_parts(Repass::of(&retention, &obligations(&[&[0.01]])), [0.375, 0.45, 0.0, 0.30833]);
        let losses = supports(&[
            &[(0.67, 0.10), (0.73, 0.18), (0.20, 0.25)],
            &[(0.71, 0.28), (0.02, 0.45), (0.23, 0.61)],
            &[(0.23, 0.69), (0.56, 0.13), (0.31, 0.29)],
        ]);
        let of_obligations = obligations(&[&[0.64, 0.29], &[0.79, 0.23]]);
        assert_parts(Repass::of(&losses, &of_obligations), [0.66667, 0.51667, 0.5, 0.55]);
        // The second sentence of the answer states no obligation; it would cover the first of the passages.
        let of_all = obligations(&[&[0.64, 0.95, 0.29], &[0.79, 0.52, 0.23]]);
        assert_eq!(Repass::of(&losses, &of_all).obligation_coverage, 1.0);
    }

    #[test]
    fn an_empty_answer_covers_no_obligation() {
        let found = Repass::of(&[], &[Vec::new()]);
        assert_eq!(found, Repass::default());
        assert_eq!(Repass::of(&[], &[]), Repass::default());
        assert!(found.contradiction.is_sign_positive(), "not printed as -0.0");
    }
}
