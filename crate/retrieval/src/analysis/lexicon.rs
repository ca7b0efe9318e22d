//! The lexicon of a snapshot: the provisions, terms and names of its documents, to be found in questions.
//!
//! Derived from the documents' trees, not stored. Cost: linear in their sections, terms and names, so it is made once per
//! snapshot, not once per question.

use std::collections::BTreeMap;
use std::sync::Arc;

use document::{
    Cite, CrossReference, Definition, Document, DocumentIdx, EntityKind, Pace, Paced, Section, SectionId,
    TermKind, at_once,
};
use index::{CitationGraph, CrossCitation, Index, Segment};
use text::reference::{
    ProvisionIndex, ProvisionIndexBuilder, ProvisionReference, ReferenceContext, Scope, short_title,
};

use super::named::NamedSection;
use super::phrases::{PhraseMap, PhraseTokens, is_capitals};

/// Bytes of a document in which its short title is looked for.
const OWN_NAME_WITHIN: usize = 50_000;
/// Maximum definitions of a term.
const MAX_DEFINITIONS: usize = 16;
/// Maximum synonyms of a phrase.
const MAX_OTHERS: usize = 8;
/// Maximum words of a meaning that is a long form of its term; a longer one is an explanation.
const MAX_LONG_FORM: usize = 9;

/// References that are resolved between two looks at the pace.
const CITATIONS: usize = 256;
/// Reading of a phrase or a citation, and of a name or a number, in stored bytes decoded in the same time.
const PHRASE_COST: usize = 2000;
const ENTITY_COST: usize = 300;

/// Entry of a phrase.
#[derive(Clone, Debug, Default)]
pub(super) struct PhraseEntry {
    /// The phrase as printed in a document.
    pub printed: String,
    pub definitions: Vec<Definition>,
    /// Kind of entity and number of mentions, if it is a name.
    pub entity: Option<(EntityKind, u32)>,
    /// The documents whose name it is; with more than one it is ambiguous.
    pub documents: Vec<DocumentIdx>,
    /// Its synonyms, each with the first document that gives it.
    pub expansions: Vec<(String, DocumentIdx)>,
}

/// The lexicon of a snapshot.
#[derive(Default)]
pub struct Lexicon {
    of: Vec<Arc<Segment>>,
    provisions: ProvisionIndex,
    /// By document its first node in `provisions`.
    firsts: Vec<usize>,
    pub(super) phrases: PhraseMap<PhraseEntry>,
    citations: CitationGraph,
}

impl Lexicon {
    /// The lexicon of a snapshot.
    pub fn of(index: &Index) -> Self {
        at_once(async |pace| Self::of_paced(index, pace).await)
    }

    /// [`Self::of`], step by step.
    pub fn of_paced<'a>(index: &'a Index, pace: &'a Pace) -> Paced<'a, Self> {
        Box::pin(Self::read(index, pace))
    }

    async fn read(index: &Index, pace: &Pace) -> Self {
        let mut lexicon = Self::default();
        let mut builder = ProvisionIndexBuilder::default();
        let mut words = PhraseTokens::default();
        let mut n_nodes = 0;
        for (document, entry) in index.iter() {
            let segment = entry.segment();
            let source = segment.document();
            let names = names(source);
            list_provisions(&mut builder, source, &names, pace).await;
            lexicon.firsts.push(n_nodes);
            n_nodes += source.tree.sections.len();
            for name in &names {
                // A file named "rules" is not named by every question about rules.
                let is_name = name.trim().contains([' ', '-', '_']) || is_capitals(name) || !name.is_ascii();
                if is_name
                    && let Some(known) = lexicon.phrase(name, &mut words)
                    && known.documents.len() < 2
                    && !known.documents.contains(&document)
                {
                    known.documents.push(document);
                }
            }
            lexicon.add_terms(document, source, &mut words, pace).await;
            lexicon.add_entities(source, &mut words, pace).await;
            lexicon.of.push(Arc::clone(segment));
        }
        lexicon.provisions = builder.build_paced(pace).await;
        let mut between: Vec<CrossCitation> = Vec::new();
        for (document, segment) in lexicon.documents().zip(&lexicon.of) {
            for references in segment.document().tree.references.chunks(CITATIONS) {
                between.extend(lexicon.cited_elsewhere(document, references));
                pace.spend(references.len() * PHRASE_COST).await;
            }
        }
        lexicon.citations = CitationGraph::new(index, &between, pace).await;
        lexicon
    }

    /// True if it is the lexicon of `index`.
    pub fn is_of(&self, index: &Index) -> bool {
        let mut entries = index.iter();
        self.of.len() == index.n_documents()
            && self
                .of
                .iter()
                .all(|own| entries.next().is_some_and(|(_, other)| Arc::ptr_eq(own, other.segment())))
    }

    /// The documents of the snapshot.
    pub(super) fn documents(&self) -> impl Iterator<Item = DocumentIdx> {
        (0..self.of.len()).map(index_of)
    }

    /// The segments of the snapshot.
    pub(super) fn segments(&self) -> &[Arc<Segment>] {
        &self.of
    }

    /// The document with a name.
    pub fn document_named(&self, name: &str) -> Option<DocumentIdx> {
        let number = self.provisions.document_of(usize::MAX, name)?;
        (number < self.of.len()).then(|| index_of(number))
    }

    /// The section, of any document, that a citation in the document `from` refers to.
    pub fn provision(&self, from: DocumentIdx, cite: &Cite) -> Option<NamedSection> {
        let citation = ProvisionReference {
            range: 0..0,
            instrument: cite.instrument.clone(),
            path: cite.path.clone(),
            scope: Scope::Document,
            through: false,
        };
        self.section_in(&citation, Some(from))
    }

    /// The citations between documents.
    pub fn citations(&self) -> &CitationGraph {
        &self.citations
    }

    /// Those of a document's references that are to provisions of other documents. References without an instrument are
    /// resolved by the document's own tree.
    fn cited_elsewhere(
        &self,
        from: DocumentIdx,
        references: &[CrossReference],
    ) -> impl Iterator<Item = CrossCitation> {
        let open = references.iter().filter(|reference| {
            let cite = &reference.cite;
            reference.target.is_none() && cite.instrument.is_some() && !cite.path.is_empty()
        });
        open.filter_map(move |reference| {
            let NamedSection { document: to, section, .. } = self.provision(from, &reference.cite)?;
            (to != from).then_some(CrossCitation { from, at: reference.range.start, to, section })
        })
    }

    /// The section that a citation refers to; in `document` if it has no instrument.
    pub(super) fn section_in(
        &self,
        citation: &ProvisionReference,
        document: Option<DocumentIdx>,
    ) -> Option<NamedSection> {
        let place = ReferenceContext {
            document: document.map_or(usize::MAX, DocumentIdx::idx),
            node: None,
            last: None,
        };
        let node = self.provisions.resolve(citation, place)?;
        let number = self.provisions.document(node)?;
        let document = index_of(number);
        let section = SectionId::from_idx(node.checked_sub(*self.firsts.get(number)?)?);
        let key = |id: SectionId| {
            let sections = &self.of.get(number)?.document().tree.sections;
            Some(sections.get(id.idx())?.label.as_ref()?.key.as_str())
        };
        let is_exact = citation.path.last().zip(key(section)).is_some_and(|(part, key)| {
            let number = |key: &str| key.rsplit(' ').next().unwrap_or_default().to_owned();
            let (part, key) = (number(part), number(key));
            // "3.2.1" refers to "3.2.1R", and "(b)" to "section 7.1(b)".
            key == part
                || key.ends_with(&part) && part.starts_with('(')
                || key.trim_end_matches(char::is_alphabetic) == part
        });
        Some(NamedSection { document, section, is_exact })
    }

    fn phrase(&mut self, phrase: &str, words: &mut PhraseTokens) -> Option<&mut PhraseEntry> {
        let known = self.phrases.entry(phrase, words)?;
        if known.printed.is_empty() {
            known.printed = phrase.to_owned();
        }
        Some(known)
    }

    async fn add_terms(
        &mut self,
        document: DocumentIdx,
        source: &Document,
        words: &mut PhraseTokens,
        pace: &Pace,
    ) {
        for term in &source.tree.terms {
            pace.spend(PHRASE_COST).await;
            let section = source.tree.innermost_at(term.range.start);
            let definition = Definition { document, section, meaning: term.meaning };
            if let Some(known) = self.phrase(&term.term, words)
                && known.definitions.len() < MAX_DEFINITIONS
            {
                known.definitions.push(definition);
            }
            // An acronym has a long form; a term in lower case has a definition only.
            let meaning = source.layout.slice(term.meaning);
            let is_short = term.kind == TermKind::Acronym || is_capitals(&term.term);
            if is_short && let Some(long) = long_form(meaning) {
                self.add_expansion(&term.term, &long, document, words);
                self.add_expansion(&long, &term.term, document, words);
            }
        }
    }

    fn add_expansion(&mut self, of: &str, other: &str, document: DocumentIdx, words: &mut PhraseTokens) {
        if let Some(known) = self.phrase(of, words)
            && known.expansions.len() < MAX_OTHERS
            && !known.expansions.iter().any(|(text, _)| text.eq_ignore_ascii_case(other))
        {
            known.expansions.push((other.to_owned(), document));
        }
    }

    async fn add_entities(&mut self, source: &Document, words: &mut PhraseTokens, pace: &Pace) {
        let mut counts: BTreeMap<(&str, EntityKind), u32> = BTreeMap::new();
        for entity in &source.tree.entities {
            if !matches!(entity.kind, EntityKind::Date | EntityKind::Amount) {
                *counts.entry((&entity.value, entity.kind)).or_default() += 1;
            }
        }
        pace.spend(source.tree.entities.len() * ENTITY_COST).await;
        for ((value, kind), n) in counts {
            pace.spend(PHRASE_COST).await;
            if let Some(known) = self.phrase(value, words) {
                let (_, mentions) = known.entity.get_or_insert((kind, 0));
                *mentions = mentions.saturating_add(n);
            }
        }
    }
}

fn index_of(number: usize) -> DocumentIdx {
    DocumentIdx(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The long form of a term, if its meaning is one: a few words without punctuation, as in "multilateral trading
/// facility".
fn long_form(meaning: &str) -> Option<String> {
    let trimmed = meaning.trim().trim_end_matches(['.', ';', ',', '。', '；']);
    let mut rest = trimmed;
    for article in ["the ", "a ", "an ", "The ", "A ", "An "] {
        rest = rest.strip_prefix(article).unwrap_or(rest);
    }
    let n_words = rest.split_whitespace().count();
    let stops = [';', ':', '\n', '\t', '。', '；', '：', '，'];
    let is_plain = !rest.contains(stops) && !rest.contains(". ") && !rest.contains(", ");
    (is_plain && (1..=MAX_LONG_FORM).contains(&n_words) && rest.chars().count() <= 100)
        .then(|| rest.to_owned())
}

/// The names of a document: its title, its file name without extension, its short title, and the prefix of its numbers
/// ("COBS 3.2.1").
fn names(document: &Document) -> Vec<String> {
    let stem = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    let mut names: Vec<String> = document.title.iter().cloned().chain([stem.to_owned()]).collect();
    let root = document.tree.sections.first().map(|root| root.title.clone());
    names.extend(root.filter(|title| !title.is_empty()));
    let text = &document.layout.text;
    let end = text.floor_char_boundary(OWN_NAME_WITHIN);
    names.extend(text.get(..end).and_then(short_title).map(|own| own.name));
    names.extend(Section::number_prefix(&document.tree.sections));
    names.sort();
    names.dedup();
    names
}

/// Adds the sections of a document in order, and the short forms of instruments that it defines.
async fn list_provisions(
    builder: &mut ProvisionIndexBuilder,
    source: &Document,
    names: &[String],
    pace: &Pace,
) {
    let document = builder.document(names);
    let mut nodes: Vec<usize> = Vec::with_capacity(source.tree.sections.len());
    for section in &source.tree.sections {
        pace.spend(ENTITY_COST).await;
        let parent = section.parent.and_then(|parent| nodes.get(parent.idx())).copied();
        let key = section.label.as_ref().map_or("", |label| label.key.as_str());
        nodes.push(builder.node(document, parent, key));
    }
    for term in source.tree.terms.iter().filter(|term| term.kind != TermKind::Definition) {
        builder.define(document, &term.term, source.layout.slice(term.meaning));
    }
}
