//! Parts of an analyzed question: provisions, documents, defined terms, names, and synonyms of its phrases.

use std::ops::Range;

use document::{Cite, Definition, DocumentIdx, EntityKind, SectionId};

/// A provision that the question names.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedProvision {
    /// Its bytes in the question.
    pub range: Range<usize>,
    /// The normalised citation.
    pub cite: Cite,
    /// The sections that it may mean; of several documents if the question names none.
    pub targets: Vec<NamedSection>,
}

/// A section that a citation may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSection {
    /// Its document.
    pub document: DocumentIdx,
    /// The section.
    pub section: SectionId,
    /// True if it is the cited provision; false if it only encloses it.
    pub is_exact: bool,
}

/// A document that the question names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDocument {
    /// Its bytes in the question.
    pub range: Range<usize>,
    /// The document.
    pub document: DocumentIdx,
}

/// A defined term in the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTerm {
    /// Its bytes in the question.
    pub range: Range<usize>,
    /// The term as defined.
    pub term: String,
    /// Its definitions, in order of documents and text.
    pub definitions: Vec<Definition>,
}

/// A name in the question that documents mention too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEntity {
    /// Its bytes in the question.
    pub range: Range<usize>,
    /// Kind of entity.
    pub kind: EntityKind,
    /// The name as printed in a document.
    pub value: String,
    /// Number of mentions in all documents.
    pub n_mentions: u32,
}

/// A synonym of a phrase of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The phrase, as bytes of the question.
    pub range: Range<usize>,
    /// The synonym.
    pub text: String,
    /// Its source.
    pub source: ExpansionSource,
}

/// Source of a synonym.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionSource {
    /// A document, the first that gives it.
    Document(DocumentIdx),
    /// The caller's glossary.
    Glossary,
}

/// A concept of the thesaurus in the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concept {
    /// The phrase that triggers it, as bytes of the question.
    pub range: Range<usize>,
    /// Its members, the usual term of documents first. The phrase of the question may be one of them.
    pub members: Vec<String>,
}
