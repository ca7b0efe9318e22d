//! The answer as plain data: statements, the citations they rest on, and what is shown beside them.
//!
//! Every step of this crate reads and writes these types; none of them knows how an answer is made.

use document::{ChunkId, Document, DocumentIdx, LegalStatus, SectionId, TextRange};
use serde::Serialize;
use ts_rs::TS;

use crate::answerability::Answerability;
use citations::{Status, UnsupportedKind};

/// A passage that retrieval found. Lists of evidence are sorted best first.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The document's index in the library.
    pub document: DocumentIdx,
    /// The document.
    pub source: &'a Document,
    /// The passage.
    pub chunk: ChunkId,
    /// Retrieval score; comparable within one search only.
    pub score: f32,
    /// Cosine of the passage's vector to that of the query that found it, the question or a part of it, -1 to 1; `None` if no
    /// vectors were used.
    pub cosine: Option<f32>,
}

/// An answer made of quotations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Statements, in the order of their citations if extracted; empty if the evidence does not suffice.
    pub statements: Vec<Statement>,
    /// Citations of the statements, best first. If the evidence does not suffice: the nearest passages.
    pub citations: Vec<Citation>,
    /// True if the evidence suffices or may suffice and, where a model checked its own answer, supports it.
    pub sufficient: bool,
    /// State of the documents on the question: [`Answerability::Silent`] exactly if not [`Self::sufficient`].
    pub answerability: Answerability,
    /// Probability that the evidence answers the question, 0 to 1.
    pub probability: f64,
    /// Content words of the question that no passage speaks to: none contains them or, if compared, a similar one.
    pub missing: Vec<String>,
    /// Message in the question's language, such as a refusal or a doubt; empty if the evidence suffices for all parts of
    /// the question.
    pub message: String,
    /// Provisions and definitions that the statements refer to.
    pub supporting: Vec<SupportingProvision>,
    /// Provisions that contradict each other; at least one of each conflict is cited.
    pub conflicts: Vec<Conflict>,
    /// Remarks on the citations, such as a later edition.
    pub notes: Vec<Note>,
}

impl Answer {
    /// The answer as one text: the message, if any, then the statements with their marks (`… [P1]`).
    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        for statement in &self.statements {
            if !text.is_empty() {
                text.push(if statement.continues { ' ' } else { '\n' });
            }
            text.push_str(&statement.text);
            for id in &statement.citations {
                text.push_str(&format!(" [P{id}]"));
            }
        }
        text
    }
}

/// A sentence of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Text without citation marks. In an extracted answer it is the quotation of its citation.
    pub text: String,
    /// Ids of the citations that the statement rests on.
    pub citations: Vec<u32>,
    /// Words of the statement that its citations do not support.
    pub unsupported: Vec<UnsupportedClaim>,
    /// Numbers of passages that the model cited but was never given.
    pub unknown: Vec<u32>,
    /// True if the statement continues the line of the statement before it.
    pub continues: bool,
    /// The part of an extracted statement that answers best, where the statement holds more.
    pub operative: Option<String>,
}

/// Words of a statement that its citations do not support.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UnsupportedClaim {
    /// Kind of the words: a number, a modal verb, a negation.
    pub kind: UnsupportedKind,
    /// The words, at most 80 characters.
    pub text: String,
}

/// A pinpoint reference to words of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation {
    /// Number of the citation in the answer, from 1, best first.
    pub id: u32,
    /// The document.
    pub document: DocumentIdx,
    /// The passage that contains the words.
    pub chunk: ChunkId,
    /// The innermost section that contains the words.
    pub section: SectionId,
    /// First range of the words in the document's text.
    pub range: TextRange,
    /// Further ranges of the words, where notes, chunk boundaries or other table rows interrupt them.
    pub rest: Vec<TextRange>,
    /// The words.
    pub quote: String,
    /// Result of looking the words up in the document.
    pub status: Status,
    /// Score by which citations are sorted, 0 to about 1.5.
    pub score: f64,
    /// The sentence of an extracted quotation that answers best, where the quotation holds more.
    pub operative: Option<String>,
}

impl Citation {
    /// All ranges of the words, in order.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = TextRange> + '_ {
        std::iter::once(self.range).chain(self.rest.iter().copied())
    }

    /// True if the citation quotes words of `range` of `document`.
    pub(crate) fn overlaps(&self, document: DocumentIdx, range: TextRange) -> bool {
        self.document == document && self.ranges().any(|quoted| quoted.intersect(range).is_some())
    }
}

/// A provision or definition that a cited statement refers to. The quotation is a copy of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportingProvision {
    /// The [`Citation::id`] of the statement.
    pub citation: u32,
    /// The reference or the defined term.
    pub why: SupportReason,
    /// The document.
    pub document: DocumentIdx,
    /// The innermost section.
    pub section: SectionId,
    /// Ranges of the words in the document's text, in order; headings and notes between them are left out.
    pub ranges: Vec<TextRange>,
    /// The words.
    pub quote: String,
    /// Legal status that the section states, if it states that it is not in force.
    pub legal_status: Option<LegalStatus>,
}

/// The words of a statement that lead to a [`SupportingProvision`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SupportReason {
    /// The statement refers to the provision.
    Reference {
        /// The reference as printed: "Rule 4.2".
        label: String,
    },
    /// The statement uses the term.
    Definition {
        /// The term as defined.
        term: String,
    },
}

/// Two provisions that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The kind of difference.
    pub kind: ConflictKind,
    /// The provisions, a cited one first.
    pub places: Vec<ConflictPlace>,
    /// Index in `places` of the one in force, if dates or the documents themselves say so.
    pub in_force: Option<usize>,
}

/// The difference between two provisions that otherwise say the same. The first kind that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// One denies what the other states.
    Negation,
    /// One permits what the other requires.
    Modality,
    /// Numbers, amounts or dates differ.
    Number,
    /// Two editions of one provision are worded differently.
    Wording,
}

impl ConflictKind {
    /// Name in JSON and JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negation => "negation",
            Self::Modality => "modality",
            Self::Number => "number",
            Self::Wording => "wording",
        }
    }
}

/// One provision of a [`Conflict`]. The quotation is a copy of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictPlace {
    /// The [`Citation::id`] that quotes the provision, if one does.
    pub citation: Option<u32>,
    /// The document.
    pub document: DocumentIdx,
    /// The innermost section.
    pub section: SectionId,
    /// Range of the words in the document's text.
    pub range: TextRange,
    /// The words.
    pub quote: String,
    /// The document's date: `2023-07-01`, `2023-07` or `2023`.
    pub date: Option<String>,
    /// Legal status that the section states, if it states that it is not in force.
    pub legal_status: Option<LegalStatus>,
}

/// A remark on citations that their reader must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The provision states that it is not in force.
    Withdrawn {
        /// The [`Citation::id`].
        citation: u32,
        /// Its legal status.
        legal_status: LegalStatus,
    },
    /// The library has a later edition of the instrument.
    LaterEdition {
        /// The [`Citation::id`].
        citation: u32,
        /// Date of the cited document.
        date: String,
        /// The latest edition among the evidence.
        later: DocumentIdx,
        /// Date of the latest edition.
        later_date: String,
    },
    /// The citations answer for different cases, and the question names none of them.
    SeveralCases {
        /// Ids of the citations, one for each case.
        citations: Vec<u32>,
    },
}
