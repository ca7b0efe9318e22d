//! One reference to a provision: its range, its instrument, its path and where the path starts.
//!
//! Plain data below the scanners that fill it and the resolver that reads it.

use std::ops::Range;

/// A provision named in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvisionReference {
    /// Bytes of the text; for a member of a list, its own part of the list.
    pub range: Range<usize>,
    /// The instrument as printed, without its article and marks; `None` where it is the document at hand or
    /// is not said.
    pub instrument: Option<String>,
    /// Outermost first: `["schedule 2", "paragraph 4"]`, `["rule 4.2.1", "(3)"]`, `["条 6", "款 2"]`.
    pub path: Vec<String>,
    /// Start of the path.
    pub scope: Scope,
    /// True if the next reference is the other end of a range ("187 to 189").
    pub through: bool,
}

/// Start of a reference's path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The instrument, or where none is named the document at hand.
    #[default]
    Document,
    /// The document at hand and no other: "this Act", "these Rules", 本法.
    Own,
    /// The provision in which it stands: "paragraph (b)", "this section", 本条.
    Here,
    /// The text before it: "section 3 above".
    Above,
    /// The text after it: "section 3 below".
    Below,
    /// The provision before the one in which it stands: "the preceding section", 前条.
    Previous,
    /// The provision after it: "the following section".
    Next,
    /// The provision cited last: "that section".
    That,
}
