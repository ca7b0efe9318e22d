//! What a document says about itself and others: provisions it cites, terms it defines, names it mentions.
//!
//! All of them are ranges of the document's text. Parsing lives in `text` and `sections`; here are the nouns.

use serde::{Deserialize, Serialize};

use crate::{DocumentIdx, SectionId, TextRange};

/// A provision named in the text: "Rule 4.2.1(3)", "section 3 above", "第六条第二款", "17 CFR 230.506(b)". A
/// list or a range of provisions is one for each that is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossReference {
    /// Where it is printed; for one of a list, its own part of the list.
    pub range: TextRange,
    /// What it names.
    pub cite: Cite,
    /// The section of this document that it names; `None` where it names another instrument, or nothing that
    /// is here. A provision finer than the sections resolves to the innermost section that holds it.
    pub target: Option<SectionId>,
}

/// A citation, normalised: what it names, however it is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cite {
    /// The instrument, as printed ("FSMR", "the Companies Act 2006", "17 CFR", "《公司法》" without its marks);
    /// `None` where it is the document at hand.
    pub instrument: Option<String>,
    /// The provision, outermost first, each part spelled as [`crate::Label::key`]: `["article 19", "(2)"]`,
    /// `["rule 4.2.1", "(3)"]`, `["条 6", "款 2"]`. Empty where the whole instrument is meant.
    pub path: Vec<String>,
}

/// A term or an acronym that the document gives a meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinedTerm {
    /// The term without its quotation marks: "Qualified Investor", "QI".
    pub term: String,
    /// Where it is printed in its definition.
    pub range: TextRange,
    /// Its meaning: the words that define it, or for an acronym its expansion.
    pub meaning: TextRange,
    /// How it is defined.
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

/// Ways to define a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TermKind {
    /// By a definition: "'Business Day' means …", "本法所称……，是指……".
    Definition,
    /// In passing: "… (the 'Agreement')", "（以下简称……）".
    Inline,
    /// As the short form of the words before it: "Qualified Investor (QI)".
    Acronym,
}

/// A name, a date or an amount in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// Where it is printed.
    pub range: TextRange,
    /// For comparison: names with single spaces, dates as `2024-07-31` (`2024-07`, `2024`), amounts as
    /// `USD 1500000.00`, `15 %`.
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
    /// The kind's name at the edge.
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
    /// The kind's name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Inline => "inline",
            Self::Acronym => "acronym",
        }
    }
}
