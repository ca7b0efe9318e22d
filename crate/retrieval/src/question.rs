//! What a question means as such: provisions it cites, documents it names, terms that documents define, names,
//! short forms with what they stand for.
//!
//! BM25 takes a question for a bag of words, in which "Rule 4.2.1" is a common word and a rare number. Here the
//! same grammar that reads the citations of documents reads those of the question, and [`Lexicon`], made of a
//! snapshot, says which sections they name. Phrases that the documents define or name are found word by word
//! in the same stems that are searched, the longest first.
//!
//! Cost: linear in the question, of which the first [`MAX_BYTES`] are read; a citation that names no document is
//! looked up in each.

mod lexicon;
mod phrases;

use std::collections::BTreeSet;
use std::ops::Range;

use document::{Cite, Definition, DocumentIdx, EntityKind, SectionId};
use text::reference::{ProvisionReference, Scope, instruments, references};

pub use lexicon::Lexicon;
use phrases::{MAX_WORDS, Words};

/// How much of a question is read: the first words of a pasted document say what it is about.
pub const MAX_BYTES: usize = 16_384;
/// Most citations, names and terms that are looked at.
const MAX_NAMED: usize = 64;
/// Most sections that a citation without a document may name in all documents.
const MAX_TARGETS: usize = 64;
/// Most expansions of a phrase.
const MAX_EXPANSIONS: usize = 3;

/// A question and what it means as such. Ranges are bytes of the question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// Provisions, in order of the question.
    pub provisions: Vec<NamedProvision>,
    /// Documents of the library.
    pub documents: Vec<NamedDocument>,
    /// Terms that a document defines.
    pub terms: Vec<NamedTerm>,
    /// Names that a document mentions.
    pub entities: Vec<NamedEntity>,
    /// Other words for what is asked: acronyms spelled out, names shortened, entries of a glossary.
    pub expansions: Vec<Expansion>,
    /// Words, stop words left out, that are part of no provision and of no document's name: what else is asked.
    pub n_other_words: usize,
}

/// A provision that the question names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedProvision {
    /// Where.
    pub range: Range<usize>,
    /// Its citation, normalised.
    pub cite: Cite,
    /// The sections that it may mean; of several documents where the question names none.
    pub targets: Vec<NamedSection>,
}

/// A section that a citation may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSection {
    /// Its document.
    pub document: DocumentIdx,
    /// The section.
    pub section: SectionId,
    /// Whether it is what the citation says, not something that holds it.
    pub is_exact: bool,
}

/// A document that the question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDocument {
    /// Where.
    pub range: Range<usize>,
    /// Which.
    pub document: DocumentIdx,
}

/// A defined term in the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTerm {
    /// Where.
    pub range: Range<usize>,
    /// The term as defined.
    pub term: String,
    /// Where it is defined, in order of documents and text.
    pub definitions: Vec<Definition>,
}

/// A name in the question that documents mention too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEntity {
    /// Where.
    pub range: Range<usize>,
    /// What it is.
    pub kind: EntityKind,
    /// The name as a document has it.
    pub value: String,
    /// How often the documents mention it.
    pub n_mentions: u32,
}

/// Other words for a phrase of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The phrase.
    pub range: Range<usize>,
    /// The other words.
    pub text: String,
    /// Who says so.
    pub source: ExpansionSource,
}

/// Who says that words mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionSource {
    /// A document, the first that does.
    Document(DocumentIdx),
    /// The caller's glossary.
    Glossary,
}

/// Terms with other words for them, given by the caller. They hold in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glossary {
    entries: phrases::Map<Vec<String>>,
}

impl Glossary {
    /// A glossary of terms and their expansions. Terms longer than a dozen words are left out.
    pub fn new<'a, E: IntoIterator<Item = &'a str>>(entries: impl IntoIterator<Item = (&'a str, E)>) -> Self {
        let mut glossary = Self::default();
        glossary.extend(entries);
        glossary
    }

    /// Adds terms and their expansions, as [`Self::new`] takes them.
    pub fn extend<'a, E: IntoIterator<Item = &'a str>>(
        &mut self,
        entries: impl IntoIterator<Item = (&'a str, E)>,
    ) {
        let mut words = Words::default();
        for (term, expansions) in entries {
            if let Some(known) = self.entries.entry(term, &mut words) {
                known.extend(expansions.into_iter().map(str::to_owned));
            }
        }
    }
}

impl Question {
    /// Reads a question over a snapshot.
    pub fn read(text: &str, lexicon: &Lexicon, glossary: &Glossary) -> Self {
        let mut end = text.len().min(MAX_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end).unwrap_or_default();
        let mut question = Self::default();
        let mut words = Words::default();
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

    /// The phrases that mean something, as ranges of the question: terms, names, documents.
    pub fn phrases(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = (self.terms.iter().map(|term| term.range.clone()))
            .chain(self.entities.iter().map(|entity| entity.range.clone()))
            .chain(self.documents.iter().map(|named| named.range.clone()))
            .collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        ranges
    }

    /// Whether a word is part of a provision or of a document's name.
    fn names(&self, word: &Range<usize>) -> bool {
        let holds = |range: &Range<usize>| range.start <= word.start && word.end <= range.end;
        self.provisions.iter().any(|provision| holds(&provision.range))
            || self.documents.iter().any(|named| holds(&named.range))
    }

    fn read_phrases(&mut self, text: &str, words: &Words, lexicon: &Lexicon, glossary: &Glossary) {
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
    }
}

/// The sections that a text names by citing them, exactly.
fn cited(text: &str, lexicon: &Lexicon) -> Vec<(DocumentIdx, SectionId)> {
    let cited = references(text).into_iter().filter(names_provision).take(MAX_NAMED);
    let targets = cited.flat_map(|citation| provision(citation, lexicon, &BTreeSet::new()).targets);
    targets.filter(|target| target.is_exact).map(|target| (target.document, target.section)).collect()
}

/// Whether a citation names a provision wherever it stands; "this section" does not.
fn names_provision(citation: &ProvisionReference) -> bool {
    let is_number = |c: char| c.is_numeric() || matches!(c, '(' | '（');
    matches!(citation.scope, Scope::Document | Scope::Own)
        && citation.path.iter().any(|part| part.contains(is_number) || part.split(' ').nth(1).is_some())
}

/// The sections that a citation may mean: in the document that it names, else in those that the question names
/// elsewhere, else in all.
fn provision(
    citation: ProvisionReference,
    lexicon: &Lexicon,
    named: &BTreeSet<DocumentIdx>,
) -> NamedProvision {
    // Nobody who asks stands in a document: "of this Act" says nothing.
    let citation = ProvisionReference { scope: Scope::Document, ..citation };
    let mut targets = match &citation.instrument {
        Some(_) => lexicon.section_in(&citation, None).into_iter().collect(),
        None => Vec::new(),
    };
    if targets.is_empty() {
        let bare = ProvisionReference { instrument: None, ..citation.clone() };
        let all = || lexicon.documents();
        // An instrument that is not here leaves nothing to look in, unless another document is named.
        let wanted: Vec<DocumentIdx> = match (named.is_empty(), &citation.instrument) {
            (false, _) => named.iter().copied().collect(),
            (true, None) => all().collect(),
            (true, Some(_)) => Vec::new(),
        };
        let found = wanted.into_iter().filter_map(|document| lexicon.section_in(&bare, Some(document)));
        targets = found.take(MAX_TARGETS).collect();
        // What is said exactly somewhere is not meant where only something that holds it would be found.
        if targets.iter().any(|target| target.is_exact) {
            targets.retain(|target| target.is_exact);
        }
    }
    let ProvisionReference { range, instrument, path, .. } = citation;
    NamedProvision { range, cite: Cite { instrument, path }, targets }
}

#[cfg(test)]
mod tests;
