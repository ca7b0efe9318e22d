//! Dense ids in reading order: an id is an index into the `Vec` of its items.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the `Vec` that this id indexes.
            pub fn idx(self) -> usize {
                self.0 as usize
            }

            /// The id of position `idx`. Positions over `u32::MAX` do not occur, since every stage caps its input.
            pub fn from_idx(idx: usize) -> Self {
                Self(u32::try_from(idx).unwrap_or(u32::MAX))
            }
        }
    )*};
}

ids! {
    /// A physical page, from 0. Shown as `idx + 1` or by its printed label.
    PageId,
    /// A block of [`crate::Layout::blocks`].
    BlockId,
    /// A node of [`crate::Tree::sections`].
    SectionId,
    /// A note of [`crate::Tree::notes`].
    NoteId,
    /// A chunk of [`crate::Document::chunks`].
    ChunkId,
}
