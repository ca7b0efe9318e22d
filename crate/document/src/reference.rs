//! References to provisions, defined terms and named entities, as ranges of a document's text. Parsed by `text` and
//! `sections`.

use serde::{Deserialize, Serialize};

use crate::{DocumentIdx, SectionId, TextRange};

/// A reference to a provision: "Rule 4.2.1(3)", "section 3 above", "第六条第二款", "17 CFR 230.506(b)". Lists and
/// ranges of provisions give one reference per provision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossReference {
    /// Its range of the text; for one of a list, its own part of the list.
    pub range: TextRange,
    /// The citation.
    pub cite: Cite,
    /// The section of this document that it refers to; `None` if that is in another instrument or missing. A provision
    /// finer than the sections resolves to the innermost section that contains it.
    pub target: Option<SectionId>,
}

/// A normalised citation.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cite {
    /// The instrument as printed ("FSMR", "the Companies Act 2006", "17 CFR", "《公司法》" without its marks); `None`
    /// for the citing document.
    pub instrument: Option<String>,
    /// The provision, outermost part first, each as a [`crate::Label::key`]: `["article 19", "(2)"]`,
    /// `["rule 4.2.1", "(3)"]`, `["条 6", "款 2"]`. Empty for the whole instrument.
    pub path: Vec<String>,
}

/// A term or an acronym with its definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedTerm {
    /// The term without its quotation marks: "Qualified Investor", "QI".
    pub term: String,
    /// Its range in the definition.
    pub range: TextRange,
    /// Range of its meaning: the defining words, or the expansion of an acronym.
    pub meaning: TextRange,
    /// Kind of definition.
    pub kind: TermKind,
}

/// A definition in a library: which document defines a term, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The document that defines it.
    pub document: DocumentIdx,
    /// The innermost section there.
    pub section: SectionId,
    /// The words that define it, a range of that document's text.
    pub meaning: TextRange,
}

/// Kinds of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TermKind {
    /// A sentence: "'Business Day' means …", "本法所称……，是指……".
    Definition,
    /// In parentheses: "… (the 'Agreement')", "（以下简称……）".
    Inline,
    /// An acronym of the words before it: "Qualified Investor (QI)".
    Acronym,
}

/// A name, a date or an amount in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// Its kind.
    pub kind: EntityKind,
    /// Its range of the text.
    pub range: TextRange,
    /// Normalised: names with single spaces, dates as `2024-07-31` (`2024-07`, `2024`), amounts as `USD 1500000.00`,
    /// `15 %`.
    pub value: String,
}

/// Kinds of entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EntityKind {
    /// A court, a regulator, a ministry.
    Authority,
    /// A company or another organisation.
    Organisation,
    /// An Act, a code, a set of rules, a treaty: 《…》, "Securities Act of 1933".
    Instrument,
    /// A calendar date.
    Date,
    /// Money or a share.
    Amount,
}

impl EntityKind {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authority => "authority",
            Self::Organisation => "organisation",
            Self::Instrument => "instrument",
            Self::Date => "date",
            Self::Amount => "amount",
        }
    }
}

impl TermKind {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Inline => "inline",
            Self::Acronym => "acronym",
        }
    }
}
