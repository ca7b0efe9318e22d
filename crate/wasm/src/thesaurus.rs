//! The thesaurus of a library. Parsing takes longer than what else opening a page does, so it is done when the library is prepared
//! for questions, in short steps.

use std::cell::OnceCell;
use std::sync::Arc;

use engine::{Step, Steps, Thesaurus};

/// A thesaurus that is parsed when it is prepared, or else needed.
#[derive(Default)]
pub(crate) struct PreparedThesaurus {
    /// Groups of words for one concept, a line each.
    groups: String,
    /// Parsing, once begun.
    parsing: Option<Steps<Thesaurus>>,
    parsed: OnceCell<Arc<Thesaurus>>,
}

impl PreparedThesaurus {
    /// A thesaurus of groups of words for one concept, a line each.
    pub(crate) fn new(groups: &str) -> Self {
        Self { groups: groups.to_owned(), ..Self::default() }
    }

    /// Parses it for some milliseconds; false when it is parsed.
    pub(crate) fn prepare(&mut self) -> bool {
        let parsing = self.parsing.take();
        if self.parsed.get().is_some() {
            self.groups = String::new();
            return false;
        }
        match parsing.unwrap_or_else(|| Thesaurus::parsing(self.groups.clone())).step() {
            Step::Done(thesaurus) => self.parsed = OnceCell::from(Arc::new(thesaurus)),
            Step::More(steps) => self.parsing = Some(steps),
        }
        true
    }

    /// It, parsed at once where it is not yet.
    pub(crate) fn get(&self) -> Arc<Thesaurus> {
        Arc::clone(self.parsed.get_or_init(|| Arc::new(Thesaurus::parse(&self.groups))))
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
        let mut thesaurus = PreparedThesaurus::new(&groups());
        let n_steps = std::iter::from_fn(|| thesaurus.prepare().then_some(())).count();
        assert!(n_steps > 1, "{n_steps}");
        assert_eq!(*thesaurus.get(), Thesaurus::parse(&groups()));
    }

    #[test]
    fn a_question_that_does_not_wait_gets_it_whole() {
        let mut thesaurus = PreparedThesaurus::new(&groups());
        assert!(thesaurus.prepare());
        assert_eq!(*thesaurus.get(), Thesaurus::parse(&groups()));
        assert!(!thesaurus.prepare(), "nothing is left to parse");
    }
}
