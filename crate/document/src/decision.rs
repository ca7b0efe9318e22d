//! Decisions of the layout: which named rule made a line or paragraph what it is.

use crate::PageId;

/// A named rule of the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleInfo {
    /// Unique name in lower case with hyphens.
    pub name: &'static str,
    /// The decision that it makes: "break" (does a line begin a paragraph), "heading" or "table".
    pub decides: &'static str,
    /// Why it holds, in one line.
    pub reason: &'static str,
    /// The sample or the document of `tests/corpus` that shows it, or words of a published document that do.
    pub example: &'static str,
}

/// A decision of the layout about a line or paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Where the line or paragraph begins.
    pub place: Place,
    /// Name of the decision, as in [`RuleInfo::decides`].
    pub decides: &'static str,
    /// The beginning of the text, at most 60 characters.
    pub text: String,
    /// The verdict, in words.
    pub verdict: &'static str,
    /// The rule that decided; `None` if none applied and the default holds.
    pub rule: Option<RuleInfo>,
}

/// Place of a line or paragraph in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A page.
    Page(PageId),
    /// A paragraph of a document without pages, from 0.
    Paragraph(u32),
}

impl Place {
    /// Number of the page or paragraph, from 1.
    pub fn number(self) -> u32 {
        match self {
            Self::Page(page) => page.0 + 1,
            Self::Paragraph(paragraph) => paragraph + 1,
        }
    }
}
