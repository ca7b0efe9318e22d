//! Options of chunking.

/// Sizes of chunks, in tokens of the caller's counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size at which a parent is full, its last section included. At least twice `child_tokens`.
    pub parent_tokens: usize,
    /// Maximum size of a child with the headings in front of it: the encoder's input. At least 128.
    pub child_tokens: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { parent_tokens: 2_048, child_tokens: 256 }
    }
}

impl Options {
    /// The sizes within their bounds.
    pub(crate) fn clamped(&self) -> Self {
        let child_tokens = self.child_tokens.max(128);
        Self { parent_tokens: self.parent_tokens.max(2 * child_tokens), child_tokens }
    }
}
