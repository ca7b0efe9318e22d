//! The two analyzers that an index can be made with.

/// Kind of analyzer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AnalyzerKind {
    /// Pincite's own.
    #[default]
    Default,
    /// Lucene's `EnglishAnalyzer`: `StandardTokenizer`, possessives, lower case, 33 stop words, Porter 1.
    Lucene,
}
