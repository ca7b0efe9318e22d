//! Caps on everything that a file can inflate. Each has a default that real files stay far under.

/// How much one file may cost. A limit that a page hits cuts that page short and leaves a diagnostic; one
/// that the whole file hits is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub file_bytes: usize,
    /// Pages of the file.
    pub pages: usize,
    /// Bytes that one stream may inflate to.
    pub stream_bytes: usize,
    /// Bytes that the content, forms (each time they are drawn) and new fonts of one page may inflate to.
    pub page_bytes: usize,
    /// Operators that one page may execute, forms included.
    pub page_operators: usize,
    /// Characters that one page may show.
    pub page_characters: usize,
    /// Characters that all pages together may show.
    pub characters: usize,
    /// Runs that one page may have.
    pub page_runs: usize,
    /// Runs that all pages together may have.
    pub runs: usize,
    /// How deep forms may be drawn within forms.
    pub form_depth: usize,
    /// Bookmarks that are kept.
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
