//! A query of a search.

use std::collections::BTreeSet;

use document::Slice as _;
use text::{Analyzer, AnalyzerKind};

use index::CitationGraph;
use index::vector::QueryVector;

use crate::analysis::AnalyzedQuery;

/// A query: a question and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query<'a> {
    /// Text of the question.
    pub text: &'a str,
    /// Its embedding, if there is a model.
    pub vector: Option<QueryVector<'a>>,
    /// Its analysis over this snapshot, if there is one.
    pub analysis: Option<&'a AnalyzedQuery>,
    /// CitationGraph between the documents of this snapshot ([`crate::Lexicon::citations`]), if known.
    pub citations: Option<&'a CitationGraph>,
}

impl Query<'_> {
    /// Terms whose document frequencies a search for the query may read: its own, those of synonyms, and those of the
    /// concepts in it with their other names.
    pub fn terms(&self) -> BTreeSet<String> {
        let analysis = self.analysis.into_iter();
        let expansions = analysis.clone().flat_map(|read| &read.expansions).map(|other| other.text.as_str());
        let concepts = analysis.flat_map(|read| &read.concepts);
        let names = concepts.flat_map(|concept| {
            let own = self.text.slice(concept.range.clone());
            concept.members.iter().map(String::as_str).chain([own])
        });
        let texts: Vec<&str> = expansions.chain(names).collect();
        let mut terms = BTreeSet::new();
        for kind in [AnalyzerKind::Default, AnalyzerKind::Lucene] {
            let analyzer = Analyzer::new(kind);
            analyzer.analyze_question(self.text, &mut |token| {
                terms.insert(token.term.to_owned());
            });
            for text in &texts {
                terms.extend(analyzer.terms(text));
            }
        }
        terms
    }
}
