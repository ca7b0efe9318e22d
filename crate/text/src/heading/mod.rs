//! Headings: is a paragraph one, by what is known of it in any format.
//!
//! A reader fills [`HeadingEvidence`] for a paragraph: its wording, numbering, type size, weight, place, neighbours,
//! and what its style declares where the format has styles. [`judge`] asks one ordered table of named rules, the
//! same for a PDF and for a Word file; the first rule that gives a verdict decides. What only pages show (page ends,
//! running lines, a title block) stays with the reader of pages. Levels are the business of sections.
//!
//! Cost: linear in the text of the paragraph.

mod evidence;
mod lookalikes;
mod rules;
mod wording;

use document::RuleInfo;

use crate::rules::Rules;

pub use evidence::{Below, DeclaredRole, HeadingEvidence, HeadingStyle};
pub use lookalikes::{is_bare_number, is_instrument_number};
pub use rules::HeadingVerdict;
pub use wording::{HeadingWording, LARGE_TYPE, MAX_CHARS};

/// Lines in a row that only may be headings and are a list.
const MIN_LIST: usize = 3;

const QUIET_LIST: RuleInfo = RuleInfo {
    name: "quiet-list",
    decides: "heading",
    reason: "three lines in a row that only may be headings are a list",
    example: "three names in italics below each other",
};

/// The rules in the order in which they are asked: those of one paragraph, then the rule of several.
pub fn rules() -> impl Iterator<Item = RuleInfo> {
    rules::RULES.iter().map(|rule| rule.info).chain([QUIET_LIST])
}

/// A verdict that stands, and the rule that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadingDecision {
    /// The verdict.
    pub verdict: HeadingVerdict,
    /// The rule; `None` if none applied.
    pub rule: Option<RuleInfo>,
}

impl HeadingDecision {
    /// No heading, because no rule applies.
    pub const NONE: Self = Self { verdict: HeadingVerdict::NotHeading, rule: None };

    /// No heading by this rule.
    pub fn not_by(rule: RuleInfo) -> Self {
        Self { verdict: HeadingVerdict::NotHeading, rule: Some(rule) }
    }

    /// True unless the verdict is that it is none.
    pub fn is_heading(self) -> bool {
        self.verdict != HeadingVerdict::NotHeading
    }

    /// True if it is a heading by its place, number or slant alone.
    pub fn is_weak(self) -> bool {
        self.verdict == HeadingVerdict::Weak
    }
}

/// The decision of the first rule that gives one.
pub fn judge(evidence: &HeadingEvidence<'_>, rules: &Rules) -> HeadingDecision {
    let first = rules.first(&rules::RULES, evidence);
    first.map_or(HeadingDecision::NONE, |(verdict, rule)| HeadingDecision { verdict, rule: Some(rule) })
}

/// Takes back the weak headings that stand in a row, as the lines of a list do.
pub fn drop_quiet_lists(decisions: &mut [HeadingDecision], rules: &Rules) {
    if !rules.has(&QUIET_LIST) {
        return;
    }
    for run in decisions.chunk_by_mut(|a, b| a.is_weak() && b.is_weak()) {
        if run.len() >= MIN_LIST {
            run.fill(HeadingDecision::not_by(QUIET_LIST));
        }
    }
}

#[cfg(test)]
mod tests;
