//! Classes of headings and the position of a heading in the tree.

use crate::numbering::Kind;

/// Weight that a heading which announces others has beyond theirs.
pub(crate) const ANNOUNCES: i32 = 16;

/// Position of a heading in the tree: its level, its parent among the headings, its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadingPosition {
    /// 1 for the outermost.
    pub(crate) level: u8,
    /// The heading that encloses it.
    pub(crate) parent: Option<usize>,
    /// Its class: equal for headings numbered or set alike.
    pub(crate) class: usize,
}

/// Traits that the headings of a class share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClassKey {
    Outline(u8),
    Numbered { kind: Kind, depth: usize, type_size: i32, bold: bool, in_schedule: bool },
    Styled { look: TypeStyle, in_schedule: bool },
}

/// The looks that rank a heading: quarter points of type, then a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeStyle {
    pub(crate) type_size: i32,
    pub(crate) weight: i32,
}

impl ClassKey {
    /// True if it is of headings that are only set alike.
    pub(crate) fn is_styled(self) -> bool {
        matches!(self, Self::Styled { .. })
    }

    /// True if it is of a heading that announces others.
    pub(crate) fn announces(self) -> bool {
        matches!(self, Self::Styled { look, .. } if look.weight >= ANNOUNCES)
    }
}
