//! A query of a search.

use std::collections::BTreeMap;

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
    /// Terms whose document frequencies a search for the query may read, and how often the query has each: its own, and with 0
    /// those of synonyms and of other names of the concepts in it.
    pub fn term_counts(&self) -> BTreeMap<String, usize> {
        let analysis = self.analysis.into_iter();
        let expansions = analysis.clone().flat_map(|read| &read.expansions).map(|other| other.text.as_str());
        let concepts = analysis.flat_map(|read| &read.concepts);
        let names = concepts.flat_map(|concept| {
            let own = self.text.slice(concept.range.clone());
            concept.members.iter().map(String::as_str).chain([own])
        });
        let texts: Vec<&str> = expansions.chain(names).collect();
        let mut terms: BTreeMap<String, usize> = BTreeMap::new();
        for kind in [AnalyzerKind::Default, AnalyzerKind::Lucene] {
            let analyzer = Analyzer::new(kind);
            let mut own: BTreeMap<String, usize> = BTreeMap::new();
            analyzer.analyze_question(self.text, &mut |token| {
                *own.entry(token.term.to_owned()).or_default() += 1;
            });
            let others = texts.iter().flat_map(|text| analyzer.terms(text)).map(|term| (term, 0));
            for (term, n) in own.into_iter().chain(others) {
                let most = terms.entry(term).or_default();
                *most = n.max(*most);
            }
        }
        terms
    }
}
