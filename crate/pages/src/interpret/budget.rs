//! Budget of text of one page.

use crate::objects::Objects;

/// Maximum text that may be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextBudget {
    pub(super) characters: usize,
    pub(super) runs: usize,
}

impl TextBudget {
    /// Budget of the next page: that of a page, or what is left of the file's.
    pub(super) fn of_page(objects: &Objects<'_>) -> Self {
        let left = objects.meter.left();
        Self {
            characters: left.characters.min(objects.limits.page_characters),
            runs: left.runs.min(objects.limits.page_runs),
        }
    }
}
