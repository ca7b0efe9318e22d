//! The verdict on a line: it begins a paragraph, or goes on with the one above.

/// Verdict on a line below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BreakVerdict {
    /// It begins a paragraph.
    Break,
    /// It goes on with the paragraph above.
    Join,
}
