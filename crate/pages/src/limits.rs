//! Limits on everything that a file can inflate. Real files stay far below the defaults.

/// Limits on the cost of one file. A page over a limit is cut short with a diagnostic; a file over a limit on the whole
/// file is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of the file in bytes.
    pub file_bytes: usize,
    /// Maximum pages of the file.
    pub pages: usize,
    /// Maximum inflated size of one stream in bytes.
    pub stream_bytes: usize,
    /// Maximum inflated size in bytes of the content, forms (each time they are painted) and new fonts of one page.
    pub page_bytes: usize,
    /// Maximum operators that one page executes, forms included.
    pub page_operators: usize,
    /// Maximum characters of one page.
    pub page_characters: usize,
    /// Maximum characters of all pages together.
    pub characters: usize,
    /// Maximum runs of one page.
    pub page_runs: usize,
    /// Maximum runs of all pages together.
    pub runs: usize,
    /// Maximum nesting of forms.
    pub form_depth: usize,
    /// Maximum outline items.
    pub outline_items: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 256 << 20,
            pages: 20_000,
            stream_bytes: 64 << 20,
            page_bytes: 256 << 20,
            page_operators: 5_000_000,
            page_characters: 1_000_000,
            characters: 100_000_000,
            page_runs: 250_000,
            runs: 10_000_000,
            form_depth: 16,
            outline_items: 50_000,
        }
    }
}
