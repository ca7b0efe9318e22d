//! Verdicts of a judge.

use evaluate::judged::{ClaimStatus, Connection, Coverage, Points, claim_recall};
use evaluate::repass::Repass;
use serde::Deserialize;

use crate::triple::Triple;

/// Verdict on one item by one criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The finding.
    pub finding: Finding,
    /// Reason, in the judge's words.
    pub reason: String,
    /// True if a text was longer than a judge is sent, and was cut.
    pub is_cut: bool,
}

/// Finding of a criterion.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Claims of the reference, as triples, with their status in the answer.
    Claims(Vec<JudgedClaim<Triple>>),
    /// Necessary claims of the reference, in the judge's words, with their status, and the category that follows.
    Coverage(Coverage, Vec<JudgedClaim<String>>),
    /// Points of the four dimensions.
    Score(Points),
    /// Parts of RePASs.
    Repass(Repass),
    /// Connection of the passage.
    Connection(Connection),
}

/// A claim of the reference and its status in the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedClaim<T> {
    /// The claim.
    pub claim: T,
    /// Its status.
    pub status: ClaimStatus,
    /// Reason for the status.
    pub reason: String,
}

impl Verdict {
    /// Label, one of [`Criterion::labels`](crate::Criterion::labels); `None` where the verdict is a number.
    pub fn label(&self) -> Option<&'static str> {
        match &self.finding {
            Finding::Coverage(Coverage::Complete, _) => Some("complete"),
            Finding::Coverage(Coverage::Partial, _) => Some("partial"),
            Finding::Coverage(Coverage::Incorrect, _) => Some("incorrect"),
            Finding::Connection(Connection::Directly) => Some("directly"),
            Finding::Connection(Connection::Indirectly) => Some("indirectly"),
            Finding::Connection(Connection::NotConnected) => Some("not"),
            Finding::Claims(_) | Finding::Score(_) | Finding::Repass(_) => None,
        }
    }

    /// Value, 0 to 1: recall, coverage points over 2, score, RePASs; 1, ½ or 0 for a connection.
    pub fn value(&self) -> f64 {
        match &self.finding {
            Finding::Claims(claims) => {
                let statuses: Vec<ClaimStatus> = claims.iter().map(|claim| claim.status).collect();
                claim_recall(&statuses).unwrap_or(0.0)
            }
            Finding::Coverage(coverage, _) => f64::from(coverage.points()) / 2.0,
            Finding::Score(points) => points.score(),
            Finding::Repass(repass) => repass.score(),
            Finding::Connection(Connection::Directly) => 1.0,
            Finding::Connection(Connection::Indirectly) => 0.5,
            Finding::Connection(Connection::NotConnected) => 0.0,
        }
    }

    /// True if the answer states no claim of the reference at all. Coverage calls that partial, by the paper's wording.
    pub fn is_absent(&self) -> bool {
        let is_missing = |status: ClaimStatus| status == ClaimStatus::Missing;
        match &self.finding {
            Finding::Claims(claims) => claims.iter().all(|claim| is_missing(claim.status)),
            Finding::Coverage(_, claims) => claims.iter().all(|claim| is_missing(claim.status)),
            Finding::Score(_) | Finding::Repass(_) | Finding::Connection(_) => false,
        }
    }
}

/// Name of a status in replies and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StatusName {
    Present,
    Missing,
    Incorrect,
}

impl From<StatusName> for ClaimStatus {
    fn from(name: StatusName) -> Self {
        match name {
            StatusName::Present => Self::Present,
            StatusName::Missing => Self::Missing,
            StatusName::Incorrect => Self::Incorrect,
        }
    }
}
