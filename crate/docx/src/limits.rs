//! Caps on everything that a file can inflate. Each has a default that real files stay far under.

/// How much one file may cost. Over the limits on bytes and nesting a file is refused; over those on text the
/// rest of it is left out, with a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub file_bytes: usize,
    /// Entries of the container.
    pub entries: usize,
    /// Bytes that one part may inflate to.
    pub part_bytes: usize,
    /// How many times its packed size a part of more than [`Self::free_bytes`] may inflate to.
    pub ratio: usize,
    /// Bytes that a part may inflate to whatever its packed size.
    pub free_bytes: usize,
    /// How deep elements may nest.
    pub depth: usize,
    /// Bytes of text that are kept.
    pub text_bytes: usize,
    /// Paragraphs that are kept, those in cells and notes included.
    pub paragraphs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            entries: 20_000,
            part_bytes: 192 << 20,
            ratio: 300,
            free_bytes: 8 << 20,
            depth: 192,
            text_bytes: 64 << 20,
            paragraphs: 1_000_000,
        }
    }
}
