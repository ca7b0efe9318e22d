//! Query analysis: the provisions, documents, defined terms, names and short forms in a question.
//!
//! To BM25 a question is a bag of words, in which "Rule 4.2.1" is a common word and a rare number. Here the grammar of
//! citations in documents reads those of the question, and the [`Lexicon`] of a snapshot resolves them to sections.
//! Phrases that documents define or name are matched by stem, the longest first.
//!
//! Cost: linear in the question, of which the first [`MAX_BYTES`] are read. A citation without an instrument is looked up
//! in each document.

mod lexicon;
mod named;
mod phrases;
mod provisions;
mod thesaurus;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use document::{DocumentIdx, Slice as _};
use text::reference::{instruments, references};

pub use lexicon::Lexicon;
pub use named::{
    Concept, Expansion, ExpansionSource, NamedDocument, NamedEntity, NamedProvision, NamedSection, NamedTerm,
};
use phrases::{MAX_WORDS, PhraseTokens};
use provisions::{MAX_NAMED, names_provision, provision};
pub use thesaurus::Thesaurus;

/// Maximum bytes of a question that are read; a longer question is a pasted document.
pub const MAX_BYTES: usize = 16_384;
/// Maximum expansions of a phrase.
const MAX_EXPANSIONS: usize = 3;

/// An analyzed question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalyzedQuery {
    /// The provisions that it names, in order of the question.
    pub provisions: Vec<NamedProvision>,
    /// The documents of the library that it names.
    pub documents: Vec<NamedDocument>,
    /// The terms in it that a document defines.
    pub terms: Vec<NamedTerm>,
    /// The names in it that a document mentions.
    pub entities: Vec<NamedEntity>,
    /// Synonyms of its phrases: acronyms spelled out, names shortened, entries of a glossary.
    pub expansions: Vec<Expansion>,
    /// The concepts of the thesaurus in it, but for phrases that [`Self::expansions`] explain.
    pub concepts: Vec<Concept>,
    /// Number of words outside the names of provisions and documents, without stop words.
    pub n_other_words: usize,
}

/// A glossary of the caller: terms and their synonyms, in one direction, and a thesaurus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glossary {
    entries: phrases::PhraseMap<Vec<String>>,
    /// Concepts that stand behind the entries.
    thesaurus: Option<Arc<Thesaurus>>,
}

impl Glossary {
    /// A glossary of terms and their synonyms. Terms of more than twelve words are dropped.
    pub fn new<'a, E: IntoIterator<Item = &'a str>>(entries: impl IntoIterator<Item = (&'a str, E)>) -> Self {
        let mut glossary = Self::default();
        glossary.extend(entries);
        glossary
    }

    /// The same with a thesaurus, for phrases that no entry explains.
    pub fn with_thesaurus(self, thesaurus: Option<Arc<Thesaurus>>) -> Self {
        Self { thesaurus, ..self }
    }

    /// The thesaurus, if there is one.
    pub fn thesaurus(&self) -> Option<&Arc<Thesaurus>> {
        self.thesaurus.as_ref()
    }

    /// Adds terms and their synonyms, as in [`Self::new`].
    pub fn extend<'a, E: IntoIterator<Item = &'a str>>(
        &mut self,
        entries: impl IntoIterator<Item = (&'a str, E)>,
    ) {
        let mut words = PhraseTokens::default();
        for (term, expansions) in entries {
            if let Some(known) = self.entries.entry(term, &mut words) {
                known.extend(expansions.into_iter().map(str::to_owned));
            }
        }
    }
}

impl AnalyzedQuery {
    /// Analyzes a question over a snapshot.
    pub fn read(text: &str, lexicon: &Lexicon, glossary: &Glossary) -> Self {
        let text = text.slice(..text.floor_char_boundary(MAX_BYTES));
        let mut question = Self::default();
        let mut words = PhraseTokens::default();
        words.read(text, MAX_WORDS);
        question.read_phrases(text, &words, lexicon, glossary);
        for mention in instruments(text).into_iter().take(MAX_NAMED) {
            if let Some(document) = lexicon.document_named(&mention.name) {
                question.documents.push(NamedDocument { range: mention.range, document });
            }
        }
        question.documents.sort_by_key(|named| (named.range.start, named.range.end, named.document));
        question.documents.dedup();
        let named: BTreeSet<DocumentIdx> = question.documents.iter().map(|named| named.document).collect();
        let cited = references(text).into_iter().filter(names_provision);
        question.provisions =
            cited.take(MAX_NAMED).map(|citation| provision(citation, lexicon, &named)).collect();
        question.n_other_words = words.ranges().filter(|range| !question.names(range)).count();
        question
    }

    /// True if a word is part of the name of a provision or a document.
    fn names(&self, word: &Range<usize>) -> bool {
        let holds = |range: &Range<usize>| range.start <= word.start && word.end <= range.end;
        self.provisions.iter().any(|provision| holds(&provision.range))
            || self.documents.iter().any(|named| holds(&named.range))
    }

    fn read_phrases(&mut self, text: &str, words: &PhraseTokens, lexicon: &Lexicon, glossary: &Glossary) {
        for (range, entry) in lexicon.phrases.find(words, text).into_iter().take(4 * MAX_NAMED) {
            if !entry.definitions.is_empty() && self.terms.len() < MAX_NAMED {
                self.terms.push(NamedTerm {
                    range: range.clone(),
                    term: entry.printed.clone(),
                    definitions: entry.definitions.clone(),
                });
            }
            if let Some((kind, n_mentions)) = entry.entity
                && self.entities.len() < MAX_NAMED
            {
                let value = entry.printed.clone();
                self.entities.push(NamedEntity { range: range.clone(), kind, value, n_mentions });
            }
            if let [document] = entry.documents[..] {
                self.documents.push(NamedDocument { range: range.clone(), document });
            }
            for (other, document) in entry.expansions.iter().take(MAX_EXPANSIONS) {
                let source = ExpansionSource::Document(*document);
                self.expansions.push(Expansion { range: range.clone(), text: other.clone(), source });
            }
        }
        for (range, others) in glossary.entries.find(words, text).into_iter().take(MAX_NAMED) {
            for other in others.iter().take(MAX_EXPANSIONS) {
                let source = ExpansionSource::Glossary;
                self.expansions.push(Expansion { range: range.clone(), text: other.clone(), source });
            }
        }
        self.expansions.truncate(MAX_NAMED);
        let explained = |range: &Range<usize>| {
            self.expansions.iter().any(|known| known.range.start < range.end && range.start < known.range.end)
        };
        let thesaurus = glossary.thesaurus.as_ref();
        let mut concepts = thesaurus.map(|known| known.concepts(text, words)).unwrap_or_default();
        concepts.retain(|concept| !explained(&concept.range));
        self.concepts = concepts;
    }
}

#[cfg(test)]
mod tests;
