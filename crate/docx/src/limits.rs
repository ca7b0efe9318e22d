//! Limits on everything that a file can inflate. Real files stay far below the defaults.

use document::Allowance;

/// Limits on the cost of one file. A file over a limit on bytes or nesting is refused; over a limit on text the rest is
/// left out, with a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the file in bytes.
    pub file_bytes: usize,
    /// Maximum entries of the ZIP container.
    pub entries: usize,
    /// Maximum inflated size of one part in bytes.
    pub part_bytes: usize,
    /// Maximum compression ratio of a part of more than [`Self::free_bytes`].
    pub ratio: usize,
    /// Inflated size in bytes up to which any compression ratio is allowed.
    pub free_bytes: usize,
    /// Maximum nesting of elements.
    pub depth: usize,
    /// Maximum text in bytes.
    pub text_bytes: Allowance,
    /// Maximum paragraphs and cells, those in cells and notes included.
    pub paragraphs: Allowance,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            entries: 20_000,
            part_bytes: 128 << 20,
            ratio: 300,
            free_bytes: 8 << 20,
            depth: 192,
            text_bytes: Allowance { base: 3 << 20, per_kib: 16 << 10 },
            paragraphs: Allowance { base: 40_000, per_kib: 200 },
        }
    }
}
