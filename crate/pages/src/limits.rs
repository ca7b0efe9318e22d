//! Limits on everything that a file can inflate. Real files stay far below the defaults: `tests/limits/figures.md` has
//! their figures.

use document::Allowance;

/// Limits on the cost of one file. A page over a limit is cut short with a diagnostic; a file whose allowance is spent
/// keeps the pages read so far, and the others are empty; a file over another limit on the whole file is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the file in bytes.
    pub file_bytes: usize,
    /// Maximum pages of the file.
    pub pages: usize,
    /// Maximum inflated size of one stream in bytes, whatever the size of the file.
    pub stream_bytes: usize,
    /// Maximum inflated size of one stream in bytes, by the size of the file.
    pub stream: Allowance,
    /// Maximum bytes that the content, new forms and new fonts of one page inflate to.
    pub page_bytes: usize,
    /// Maximum bytes inflated while all pages are read.
    pub inflated: Allowance,
    /// Maximum operators that one page executes, forms included.
    pub page_operators: usize,
    /// Maximum operators that all pages together execute.
    pub operators: Allowance,
    /// Maximum characters of one page.
    pub page_characters: usize,
    /// Maximum characters of all pages together.
    pub characters: Allowance,
    /// Maximum runs of one page.
    pub page_runs: usize,
    /// Maximum runs of all pages together.
    pub runs: Allowance,
    /// Maximum steps that reading all pages takes: its time, counted. A step is a byte lexed, or as much work.
    pub steps: Allowance,
    /// Maximum objects of any kind, those within others included.
    pub objects: Allowance,
    /// Maximum nesting of forms.
    pub form_depth: usize,
    /// Maximum outline items.
    pub outline_items: usize,
}

impl Limits {
    /// The same for a file of this size: a small file has no large stream.
    pub(crate) fn for_file(&self, file_bytes: usize) -> Self {
        Self { stream_bytes: self.stream_bytes.min(self.stream.of(file_bytes)), ..*self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            pages: 20_000,
            stream_bytes: 64 << 20,
            stream: Allowance { base: 24 << 20, per_kib: 8 << 10 },
            page_bytes: 256 << 20,
            inflated: Allowance { base: 64 << 20, per_kib: 100 << 10 },
            page_operators: 5_000_000,
            operators: Allowance { base: 3_000_000, per_kib: 8 << 10 },
            page_characters: 500_000,
            characters: Allowance { base: 250_000, per_kib: 4 << 10 },
            page_runs: 100_000,
            runs: Allowance { base: 200_000, per_kib: 4 << 10 },
            steps: Allowance { base: 300_000_000, per_kib: 400 << 10 },
            objects: Allowance { base: 200_000, per_kib: 512 },
            form_depth: 16,
            outline_items: 50_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_has_no_large_stream() {
        let stream_bytes = |file_bytes| Limits::default().for_file(file_bytes).stream_bytes;
        assert_eq!([0, 1 << 20, 1 << 30].map(stream_bytes), [24 << 20, 32 << 20, 64 << 20]);
    }
}
