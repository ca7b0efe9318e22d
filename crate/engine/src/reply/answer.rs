//! Answer with its citations, and the trace of how it was made.

use answer::{Answerability, Author, Call, ConflictKind, Degraded, Statement, Status, Verdict};
use document::LegalStatus;
use serde::Serialize;
use ts_rs::TS;

use super::document::Diag;
use super::location::Location;
use super::search::{SearchHit, VectorUse};

/// Answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Statements with their marks; or the message, if the evidence does not suffice.
    #[serde(rename = "answer")]
    pub text: String,
    /// True if the evidence suffices or may suffice and the check of the answer, if any, passed.
    pub sufficient: bool,
    /// State of the documents on the question: `answers`, `may-answer` with the nearest passages, or `silent`.
    pub answerability: Answerability,
    /// Probability that what was found answers the question, 0 to 1, by extraction.
    pub probability: f64,
    /// Author of the text.
    pub by: Author,
    /// Result of the last check, if one was made.
    pub verdict: Option<Verdict>,
    /// Statements; empty if the evidence does not suffice.
    pub statements: Vec<Statement>,
    /// Citations, best first; the nearest passages if the evidence does not suffice.
    pub citations: Vec<Citation>,
    /// Provisions and definitions that the statements depend on, each with a citation of its own.
    pub supporting: Vec<SupportingProvision>,
    /// Provisions that contradict each other.
    pub conflicts: Vec<Conflict>,
    /// Warnings about the citations.
    pub notes: Vec<Note>,
    /// Content words of the question that no passage speaks to: none contains them or, if compared, a similar one.
    pub missing: Vec<String>,
    /// Why the answer is not sufficient, or which part of the question it leaves open; may be empty.
    pub message: String,
    /// Documents whose vectors took part in the search.
    pub vectors: VectorUse,
    /// Trace of the answer.
    pub trace: Trace,
    /// Hits of the first search, best first. Large, so only the command line prints them.
    #[serde(skip)]
    pub retrieved: Vec<SearchHit>,
}

impl Answer {
    /// Citations that the statements rest on, or the nearest passages: all but those that only show supporting
    /// provisions and conflicts.
    pub fn own_citations(&self) -> impl Iterator<Item = &Citation> {
        let beside = self.supporting.iter().map(|provision| provision.by);
        let beside: Vec<u32> =
            beside.chain(self.conflicts.iter().flat_map(|conflict| conflict.citations.clone())).collect();
        let rests_on = |id: u32| self.statements.iter().any(|statement| statement.citations.contains(&id));
        self.citations.iter().filter(move |citation| rests_on(citation.id) || !beside.contains(&citation.id))
    }
}

/// Pinpoint citation.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Citation {
    /// Number in the answer, from 1, best first.
    pub id: u32,
    /// Location of the quotation.
    #[serde(flatten)]
    pub location: Location,
    /// Quoted words.
    pub quote: String,
    /// Result of comparing the quotation with the document, and the document with its pages.
    pub status: Status,
}

/// Provision or definition that a cited statement depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SupportingProvision {
    /// Citation that names it.
    pub citation: u32,
    /// `reference` or `definition`.
    #[ts(type = "\"reference\" | \"definition\"")]
    pub why: &'static str,
    /// The reference as printed, or the term as defined.
    pub name: String,
    /// Citation that shows it.
    pub by: u32,
}

/// Provisions that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// Difference between the provisions.
    pub kind: ConflictKind,
    /// Citations that show them; one of the answer's first.
    pub citations: Vec<u32>,
    /// Citation of the provision in force, if the documents say which.
    pub preferred: Option<u32>,
}

/// Warning about citations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Note {
    /// The provision is not in force.
    Withdrawn {
        /// Citation.
        citation: u32,
        /// Legal status of the provision.
        legal_status: LegalStatus,
    },
    /// The library has a later edition of the instrument.
    LaterEdition {
        /// Citation.
        citation: u32,
        /// Date of the cited document.
        date: String,
        /// File name of the later edition.
        later: String,
        /// Date of the later edition.
        later_date: String,
    },
    /// The citations answer for different cases, and the question names none of them.
    SeveralCases {
        /// Citations, one per case.
        citations: Vec<u32>,
    },
}

/// Trace of an answer: searches, selections, requests to a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// Question that was searched for: as asked, or as a model made a follow-up question stand alone.
    pub question: String,
    /// Rewrites of the question.
    pub rewrites: Vec<String>,
    /// Hypothetical passage that was written to find real ones.
    pub passage: Option<String>,
    /// Queries, round by round.
    pub queries: Vec<Vec<String>>,
    /// Entries of the glossary whose term is in the question.
    pub glossary: Vec<GlossaryEntry>,
    /// Phrases of the question and the other names of them, in the thesaurus, that were looked for too.
    pub also: Vec<GlossaryEntry>,
    /// Passages that the filter kept.
    pub kept: Vec<Location>,
    /// Extracts from around the passages kept.
    pub extracts: Vec<Location>,
    /// Passages that the answer was written from, P1 first.
    pub selected: Vec<Location>,
    /// Results of the checks, one per round.
    pub reflection: Vec<Verdict>,
    /// Requests to a model.
    pub calls: Vec<Call>,
    /// Steps that were left out or done without a model.
    pub degraded: Vec<Degraded>,
    /// Passages whose vectors the searches wanted before the library had them.
    pub on_demand: VectorsOnDemand,
    /// Number of passages compared with the question and its parts token by token.
    pub compared: usize,
    /// Inconsistencies that came up while answering: errors of the program.
    pub diags: Vec<Diag>,
}

/// Passages that the words of a question find and that had no vector when it was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct VectorsOnDemand {
    /// Number of passages that were embedded for the question.
    pub embedded: usize,
    /// Number of passages that were ranked without a vector.
    pub left: usize,
}

/// Entry of a glossary that a question uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GlossaryEntry {
    /// Term, as the question writes it.
    pub term: String,
    /// Other words for it.
    pub words: Vec<String>,
}
