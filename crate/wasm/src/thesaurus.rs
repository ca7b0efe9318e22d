//! The thesaurus of a library. Parsing it took a tenth of a second of opening a page, so it is put off until the library is prepared
//! for questions, or the first one asks.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use engine::{Step, Steps, Thesaurus};

/// A thesaurus that is parsed later, in short steps.
pub(crate) struct LazyThesaurus {
    /// The rest of parsing it; `None` once it is parsed.
    rest: Cell<Option<Steps<Thesaurus>>>,
    parsed: OnceCell<Arc<Thesaurus>>,
}

impl LazyThesaurus {
    /// A thesaurus of groups of words for one concept, a line each.
    pub(crate) fn new(groups: &str) -> Self {
        Self { rest: Cell::new(Some(Thesaurus::parsing(groups.to_owned()))), parsed: OnceCell::new() }
    }

    /// Parses it for some milliseconds; false if nothing is left to parse.
    pub(crate) fn step(&self) -> bool {
        match self.rest.take().map(Steps::step) {
            None => return false,
            Some(Step::More(rest)) => self.rest.set(Some(rest)),
            Some(Step::Done(thesaurus)) => {
                self.parsed.get_or_init(|| Arc::new(thesaurus));
            }
        }
        true
    }

    /// The thesaurus. Parses what is left of it.
    pub(crate) fn get(&self) -> Arc<Thesaurus> {
        while self.step() {}
        Arc::clone(self.parsed.get_or_init(Arc::default))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> String {
        (0..2000).map(|n| format!("sack{n} | dismissal{n} | termination of employment{n}\n")).collect()
    }

    #[test]
    fn it_is_parsed_in_steps_and_the_same_as_at_once() {
        let thesaurus = LazyThesaurus::new(&groups());
        let n_steps = std::iter::from_fn(|| thesaurus.step().then_some(())).count();
        assert!(n_steps > 1, "{n_steps}");
        assert_eq!(*thesaurus.get(), Thesaurus::parse(&groups()));
    }

    #[test]
    fn a_question_that_does_not_wait_gets_it_whole() {
        let thesaurus = LazyThesaurus::new(&groups());
        assert!(thesaurus.step());
        assert_eq!(*thesaurus.get(), Thesaurus::parse(&groups()));
        assert!(!thesaurus.step(), "nothing is left to parse");
    }
}
