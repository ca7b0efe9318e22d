//! The criteria by which an answer is judged.

/// Criterion of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Criterion {
    /// Recall of the claims of the reference.
    Claims,
    /// Coverage of the reference: complete, partial, incorrect.
    Coverage,
    /// Weighted score of accuracy, relevance, completeness and fluency.
    Score,
    /// RePASs: entailment, contradiction and obligation coverage by the passages.
    Repass,
    /// Connection of a passage to the question.
    Connection,
}

impl Criterion {
    /// All criteria.
    pub const ALL: [Self; 5] = [Self::Claims, Self::Coverage, Self::Score, Self::Repass, Self::Connection];

    /// Name on the command line and in files of verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claims => "claims",
            Self::Coverage => "coverage",
            Self::Score => "score",
            Self::Repass => "repass",
            Self::Connection => "connection",
        }
    }

    /// The criterion of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|criterion| criterion.name() == name)
    }

    /// Labels of its verdicts from worst to best; none where a verdict is a number.
    pub fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Coverage => &["incorrect", "partial", "complete"],
            Self::Connection => &["not", "indirectly", "directly"],
            Self::Claims | Self::Score | Self::Repass => &[],
        }
    }

    /// True if it compares with a reference answer.
    pub fn needs_reference(self) -> bool {
        matches!(self, Self::Claims | Self::Coverage | Self::Score)
    }

    /// True if it needs the words of passages.
    pub fn needs_passages(self) -> bool {
        matches!(self, Self::Repass | Self::Connection)
    }

    /// Requests to the judge for one item, without repetitions.
    pub fn n_requests(self) -> usize {
        if self == Self::Claims { 2 } else { 1 }
    }
}
