//! The glossary entries that a question uses, and the question with their words put in.
//!
//! A search takes glossary words as synonyms. An answer is extracted by the words of the question itself, so the words
//! that documents use are written into it. Cost: a look-up for each term of an entry.

use std::collections::BTreeMap;
use std::ops::Range;

use document::Slice as _;
use index::{Index, TermStats};
use text::{Analyzer, AnalyzerKind};

use crate::analysis::{AnalyzedQuery, ExpansionSource};

/// A glossary entry whose term is in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlossaryUse {
    /// The term, as bytes of the question.
    pub range: Range<usize>,
    /// The term as printed in the question.
    pub term: String,
    /// The words of the entry.
    pub words: Vec<String>,
}

/// The glossary entries that a question uses, in order of the question.
pub fn glossary_uses(question: &str, analyzed: &AnalyzedQuery) -> Vec<GlossaryUse> {
    let mut uses: BTreeMap<(usize, usize), GlossaryUse> = BTreeMap::new();
    let from_glossary =
        analyzed.expansions.iter().filter(|expansion| expansion.source == ExpansionSource::Glossary);
    for expansion in from_glossary {
        let range = expansion.range.clone();
        let Some(term) = question.get(range.clone()) else { continue };
        let entry = uses.entry((range.start, range.end));
        let entry = entry.or_insert_with(|| GlossaryUse { range, term: term.to_owned(), words: Vec::new() });
        entry.words.push(expansion.text.clone());
    }
    uses.into_values().collect()
}

/// The question with the words of its glossary entries: in place of a term that no document uses, behind one that some
/// do. `None` without entries.
pub fn with_glossary_words(question: &str, uses: &[GlossaryUse], index: &Index) -> Option<String> {
    let analyzer = Analyzer::new(AnalyzerKind::Default);
    let mut expanded = String::new();
    let mut end = 0;
    for GlossaryUse { range, term, words } in uses {
        let Some(before) = question.get(end..range.start) else { continue };
        let is_known = analyzer.terms(term).iter().all(|term| TermStats::of(index, term).doc_freq > 0);
        expanded.push_str(before);
        if is_known {
            expanded.push_str(term);
            expanded.push(' ');
        }
        expanded.push_str(&words.join(" "));
        end = range.end;
    }
    expanded.push_str(question.slice(end..));
    (!uses.is_empty()).then_some(expanded)
}
