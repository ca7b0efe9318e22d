//! Named rules: ordered tables from which a step takes its decisions, and the record of the rule that decided.
//!
//! A step puts what it knows of a line or paragraph into a context and asks a table: the first rule that gives a
//! verdict decides. Each rule has a name, by which it can be left out to measure what it is worth, a reason, and
//! an example. Nothing is recorded unless it is asked for.

use std::cell::RefCell;
use std::collections::BTreeSet;

use document::{Decision, Place, RuleInfo};

/// Options of the layout.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of the rules that are left out; empty by default.
    pub without: BTreeSet<String>,
}

/// Characters of a text that a decision records.
const MAX_TEXT: usize = 60;

/// A kind of decision: what its rules see and say.
pub trait Decides {
    /// Evidence that the rules read.
    type Context<'a>;
    /// Outcome of a rule.
    type Verdict: Copy;
    /// Its name in [`RuleInfo::decides`].
    const NAME: &'static str;
}

/// A rule of a table.
pub struct Rule<D: Decides> {
    /// Its name and reason.
    pub info: RuleInfo,
    decide: fn(&D::Context<'_>) -> Option<D::Verdict>,
}

/// A row of a table of rules.
pub const fn rule<D: Decides>(
    name: &'static str,
    reason: &'static str,
    example: &'static str,
    decide: fn(&D::Context<'_>) -> Option<D::Verdict>,
) -> Rule<D> {
    Rule { info: RuleInfo { name, decides: D::NAME, reason, example }, decide }
}

/// The rules of a run, and the record of their decisions if there is one.
pub struct Rules {
    without: BTreeSet<String>,
    record: Option<RefCell<Vec<Decision>>>,
}

impl Rules {
    /// All rules but those left out, without a record.
    pub fn new(options: &Options) -> Self {
        Self { without: options.without.clone(), record: None }
    }

    /// The same with a record of all decisions.
    pub fn recorded(options: &Options) -> Self {
        Self { record: Some(RefCell::default()), ..Self::new(options) }
    }

    /// The decisions recorded, in the order in which they were made.
    pub fn into_decisions(self) -> Vec<Decision> {
        self.record.map(RefCell::into_inner).unwrap_or_default()
    }

    /// True if a rule is not left out.
    pub fn has(&self, rule: &RuleInfo) -> bool {
        self.without.is_empty() || !self.without.contains(rule.name)
    }

    /// The verdict of the first rule that gives one, and the rule.
    pub fn first<D: Decides>(
        &self,
        table: &'static [Rule<D>],
        context: &D::Context<'_>,
    ) -> Option<(D::Verdict, RuleInfo)> {
        let mut rules = table.iter().filter(|rule| self.has(&rule.info));
        rules.find_map(|rule| Some(((rule.decide)(context)?, rule.info)))
    }

    /// Records a decision, if there is a record. `subject` gives the place and the text of what it is about.
    pub fn record(
        &self,
        decides: &'static str,
        verdict: &'static str,
        rule: Option<RuleInfo>,
        subject: impl FnOnce() -> (Place, String),
    ) {
        let Some(record) = &self.record else { return };
        let (place, text) = subject();
        let text = text.chars().take(MAX_TEXT).collect();
        record.borrow_mut().push(Decision { place, decides, text, verdict, rule });
    }
}
