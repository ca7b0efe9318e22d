//! Meter: what reading a file has cost so far, against what it may cost.
//!
//! Costs are counted, not timed. A clock would cut a file short at another word on each machine, and the same bytes
//! would no longer give the same index; counted steps take about the same time wherever a file comes from, and are the
//! same natively and in wasm. What costs more than its operators and bytes say (text held against the areas below it,
//! covers painted over it, the tables of a font) counts its steps itself.

use std::cell::Cell;

use crate::limits::Limits;

/// Steps of executing an operator, beside those of its bytes.
const OPERATOR: usize = 10;
/// Steps of showing a character.
const CHARACTER: usize = 20;
/// Steps of a run.
const RUN: usize = 50;

/// Costs of reading the pages of a file, or as much as they may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Bytes inflated.
    pub inflated: usize,
    /// Operators executed.
    pub operators: usize,
    /// Characters shown.
    pub characters: usize,
    /// Runs of them.
    pub runs: usize,
    /// Steps: bytes lexed, or as much work.
    pub steps: usize,
}

/// Counter of costs.
pub(crate) struct Meter {
    allowed: Costs,
    inflated: Cell<usize>,
    operators: Cell<usize>,
    characters: Cell<usize>,
    runs: Cell<usize>,
    steps: Cell<usize>,
}

impl Meter {
    /// Meter of a file of this size.
    pub(crate) fn of_file(limits: &Limits, file_bytes: usize) -> Self {
        Self::new(Costs {
            inflated: limits.inflated.of(file_bytes),
            operators: limits.operators.of(file_bytes),
            characters: limits.characters.of(file_bytes),
            runs: limits.runs.of(file_bytes),
            steps: limits.steps.of(file_bytes),
        })
    }

    /// Meter that allows any costs.
    pub(crate) fn unlimited() -> Self {
        let most = usize::MAX;
        Self::new(Costs { inflated: most, operators: most, characters: most, runs: most, steps: most })
    }

    fn new(allowed: Costs) -> Self {
        let [inflated, operators, characters, runs, steps] = [0; 5].map(Cell::new);
        Self { allowed, inflated, operators, characters, runs, steps }
    }

    /// Costs so far.
    pub(crate) fn costs(&self) -> Costs {
        Costs {
            inflated: self.inflated.get(),
            operators: self.operators.get(),
            characters: self.characters.get(),
            runs: self.runs.get(),
            steps: self.steps.get(),
        }
    }

    /// Counts steps.
    pub(crate) fn steps(&self, n: usize) {
        add(&self.steps, n);
    }

    /// Counts bytes inflated.
    pub(crate) fn inflate(&self, n: usize) {
        add(&self.inflated, n);
    }

    /// Counts text shown.
    pub(crate) fn show(&self, characters: usize, runs: usize) {
        add(&self.characters, characters);
        add(&self.runs, runs);
        self.steps(characters.saturating_mul(CHARACTER).saturating_add(runs.saturating_mul(RUN)));
    }

    /// Counts an operator; false if it may not be executed any more.
    pub(crate) fn operator(&self) -> bool {
        let may = self.operators.get() < self.allowed.operators && self.steps.get() < self.allowed.steps;
        add(&self.operators, usize::from(may));
        self.steps(OPERATOR);
        may
    }

    /// Costs that are still allowed.
    pub(crate) fn left(&self) -> Costs {
        let spent = self.costs();
        Costs {
            inflated: self.allowed.inflated.saturating_sub(spent.inflated),
            operators: self.allowed.operators.saturating_sub(spent.operators),
            characters: self.allowed.characters.saturating_sub(spent.characters),
            runs: self.allowed.runs.saturating_sub(spent.runs),
            steps: self.allowed.steps.saturating_sub(spent.steps),
        }
    }

    /// Allowance that is spent, if one is: its name, and what was allowed.
    pub(crate) fn spent(&self) -> Option<(&'static str, usize)> {
        let (left, allowed) = (self.left(), self.allowed);
        [
            ("operators", left.operators, allowed.operators),
            ("characters", left.characters, allowed.characters),
            ("runs", left.runs, allowed.runs),
            ("inflated bytes", left.inflated, allowed.inflated),
            ("steps", left.steps, allowed.steps),
        ]
        .into_iter()
        .find_map(|(what, left, allowed)| (left == 0).then_some((what, allowed)))
    }
}

fn add(counter: &Cell<usize>, n: usize) {
    counter.set(counter.get().saturating_add(n));
}

#[cfg(test)]
mod tests {
    use document::Allowance;

    use super::*;

    #[test]
    fn the_allowance_that_is_spent_first_is_named() {
        let limits = Limits { operators: Allowance::flat(2), ..Limits::default() };
        let meter = Meter::of_file(&limits, 0);
        assert!(meter.operator() && meter.spent().is_none() && meter.operator() && !meter.operator());
        assert_eq!(meter.spent(), Some(("operators", 2)));
        assert_eq!(meter.costs().operators, 2);
        let meter = Meter::of_file(&Limits { runs: Allowance::flat(3), ..Limits::default() }, 0);
        meter.show(30, 3);
        assert_eq!(meter.spent(), Some(("runs", 3)));
        let meter = Meter::of_file(&Limits { steps: Allowance::flat(0), ..Limits::default() }, 0);
        assert!(!meter.operator(), "no step is left for it");
        assert!(Meter::unlimited().spent().is_none());
    }
}
