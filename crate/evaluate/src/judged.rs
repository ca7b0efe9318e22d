//! Measures of judged answers: recall of claims, coverage, weighted score, and connected passages.
//!
//! A judge's verdict on one answer comes in as plain labels; the formulas are those of the papers that name them. Cost:
//! linear.

/// Status of a claim of the reference answer in a judged answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimStatus {
    /// The answer states it.
    Present,
    /// The answer does not state it.
    Missing,
    /// The answer states something that contradicts it.
    Incorrect,
}

/// Recall of claims, 0 to 1: claims that the answer states over all claims of the reference (LCLF-QA, section 4, after
/// RAGChecker). `None` without claims.
pub fn claim_recall(claims: &[ClaimStatus]) -> Option<f64> {
    let n_present = claims.iter().filter(|status| **status == ClaimStatus::Present).count();
    (!claims.is_empty()).then(|| n_present as f64 / claims.len() as f64)
}

/// Coverage of the reference by an answer, from worst to best (LCLF-QA, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coverage {
    /// A necessary claim is wrong in the answer.
    Incorrect,
    /// A necessary claim is missing, none is wrong. The paper's wording holds where all are missing, too.
    Partial,
    /// All necessary claims are present.
    Complete,
}

impl Coverage {
    /// The category of an answer by its necessary claims: a single wrong one decides. `None` without claims.
    pub fn of(claims: &[ClaimStatus]) -> Option<Self> {
        if claims.is_empty() {
            None
        } else if claims.contains(&ClaimStatus::Incorrect) {
            Some(Self::Incorrect)
        } else if claims.contains(&ClaimStatus::Missing) {
            Some(Self::Partial)
        } else {
            Some(Self::Complete)
        }
    }

    /// Points of an answer: 2, 1 or 0.
    pub fn points(self) -> u32 {
        match self {
            Self::Complete => 2,
            Self::Partial => 1,
            Self::Incorrect => 0,
        }
    }
}

/// Coverage score, 0 to 1: the points of all answers over the most that they could have, (2 · complete + partial) / 2N.
/// `None` without answers.
pub fn coverage_score(answers: &[Coverage]) -> Option<f64> {
    let points: u32 = answers.iter().map(|answer| answer.points()).sum();
    (!answers.is_empty()).then(|| f64::from(points) / (2 * answers.len()) as f64)
}

/// Points of the four dimensions of a legal answer (Legal-DC, section 3.3), each from 0 to its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// Correctness of conclusions, provisions and facts, 0 to 40.
    pub accuracy: u32,
    /// Support by the passages and relevance to the question, 0 to 30.
    pub relevance: u32,
    /// Key legal points covered, 0 to 20.
    pub completeness: u32,
    /// Smoothness and coherence, 0 to 10.
    pub fluency: u32,
}

impl Points {
    /// Names and maxima of the dimensions, in the order of the fields.
    pub const WEIGHTS: [(&'static str, u32); 4] =
        [("accuracy", 40), ("relevance", 30), ("completeness", 20), ("fluency", 10)];

    /// The points in the order of [`Points::WEIGHTS`]; `None` if one is over its maximum.
    pub fn new(points: [u32; 4]) -> Option<Self> {
        let is_within = |(points, (_, most)): (&u32, &(&str, u32))| points <= most;
        let [accuracy, relevance, completeness, fluency] = points;
        let points_of = Self { accuracy, relevance, completeness, fluency };
        points.iter().zip(&Self::WEIGHTS).all(is_within).then_some(points_of)
    }

    /// Score, 0 to 1: the sum of the points over 100.
    pub fn score(self) -> f64 {
        let Self { accuracy, relevance, completeness, fluency } = self;
        f64::from(accuracy + relevance + completeness + fluency) / 100.0
    }
}

/// Connection of a passage to a question, from weakest to strongest (ObliQA-MP, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Connection {
    /// The passage has nothing to do with it.
    NotConnected,
    /// The passage gives related context.
    Indirectly,
    /// The passage answers it, or a part of it.
    Directly,
}

/// True if a question is kept: two passages or more are connected, one or more directly.
pub fn is_kept(connections: &[Connection]) -> bool {
    let n_connected = connections.iter().filter(|label| **label != Connection::NotConnected).count();
    n_connected >= 2 && connections.contains(&Connection::Directly)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClaimStatus::{Incorrect, Missing, Present};

    #[test]
    fn coverage_score_is_the_papers() {
        // LCLF-QA, table 1: 194 complete, 339 partial, 13 incorrect of 546 give .6658.
        let counts = [(Coverage::Complete, 194), (Coverage::Partial, 339), (Coverage::Incorrect, 13)];
        let answers: Vec<Coverage> =
            counts.iter().flat_map(|&(label, n)| std::iter::repeat_n(label, n)).collect();
        assert!((coverage_score(&answers).unwrap() - 0.6658).abs() < 5e-5);
        assert_eq!(coverage_score(&[]), None);
    }

    #[test]
    fn one_wrong_necessary_claim_makes_an_answer_incorrect() {
        let cases: [(&[ClaimStatus], Option<Coverage>, Option<f64>); 5] = [
            (&[Present, Present], Some(Coverage::Complete), Some(1.0)),
            (&[Present, Missing], Some(Coverage::Partial), Some(0.5)),
            (&[Present, Present, Incorrect, Present], Some(Coverage::Incorrect), Some(0.75)),
            (&[Missing], Some(Coverage::Partial), Some(0.0)),
            (&[], None, None),
        ];
        for (claims, coverage, recall) in cases {
            assert_eq!((Coverage::of(claims), claim_recall(claims)), (coverage, recall), "{claims:?}");
        }
    }

    #[test]
    fn points_over_their_weight_are_refused() {
        assert!((Points::new([40, 30, 20, 10]).unwrap().score() - 1.0).abs() < 1e-12);
        assert!((Points::new([20, 15, 10, 5]).unwrap().score() - 0.5).abs() < 1e-12);
        for over in [[41, 0, 0, 0], [0, 31, 0, 0], [0, 0, 21, 0], [0, 0, 0, 11]] {
            assert_eq!(Points::new(over), None);
        }
    }

    #[test]
    fn a_question_is_kept_by_two_connected_passages_one_of_them_directly() {
        use Connection::{Directly, Indirectly, NotConnected};
        let cases: [(&[Connection], bool); 5] = [
            (&[Directly, Indirectly, NotConnected], true),
            (&[Directly, Directly], true),
            (&[Indirectly, Indirectly, Indirectly], false),
            (&[Directly, NotConnected], false),
            (&[], false),
        ];
        for (connections, kept) in cases {
            assert_eq!(is_kept(connections), kept, "{connections:?}");
        }
    }
}
