//! Budget of text, for a page and for a whole file.

use crate::Limits;

/// Maximum text that may still be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextBudget {
    pub(crate) characters: usize,
    pub(crate) runs: usize,
}

impl TextBudget {
    /// Budget of a whole file.
    pub(crate) fn of_file(limits: &Limits) -> Self {
        Self { characters: limits.characters, runs: limits.runs }
    }

    /// Budget of the next page, at most that of a page.
    pub(crate) fn for_page(self, limits: &Limits) -> Self {
        Self {
            characters: self.characters.min(limits.page_characters),
            runs: self.runs.min(limits.page_runs),
        }
    }

    /// Rest of the budget after this much text.
    pub(crate) fn minus(self, characters: usize, runs: usize) -> Self {
        Self { characters: self.characters.saturating_sub(characters), runs: self.runs.saturating_sub(runs) }
    }
}
