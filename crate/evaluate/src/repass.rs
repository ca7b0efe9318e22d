//! RePASs: entailment, contradiction and obligation coverage of an answer by its source passages, without a reference.
//!
//! Every sentence of the answer is compared with every sentence of the passages by natural language inference. The
//! entailment score is the mean over the answer's sentences of their best entailment, the contradiction score that of their
//! worst contradiction. Obligation coverage is the share of the passages' obligations that a sentence of the answer
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
    /// as premise; `obligations` a row for each obligation of the passages, with every answer sentence as premise.
    /// An answer without sentences entails and contradicts nothing; without obligations none is covered, as in the authors'
    /// [script](https://github.com/RegNLP/RePASs).
    pub fn of(supports: &[Vec<Inference>], obligations: &[Vec<Inference>]) -> Self {
        let best =
            |row: &Vec<Inference>, part: fn(&Inference) -> f64| row.iter().map(part).fold(0.0, f64::max);
        let mean_best =
            |part| supports.iter().map(|row| best(row, part)).sum::<f64>() / supports.len().max(1) as f64;
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
    fn an_empty_answer_covers_no_obligation() {
        let found = Repass::of(&[], &[Vec::new()]);
        assert_eq!(found, Repass::default());
        assert_eq!(Repass::of(&[], &[]), Repass::default());
    }
}
