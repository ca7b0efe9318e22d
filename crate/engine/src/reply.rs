//! What the use cases give back, resolved: names instead of positions, places instead of ranges. The command
//! line and the browser only spell these in their own way.

use document::{ChunkKind, Diag, Document, Explanation, LegalStatus, PageId, SectionId, Span, TextRange};

use answer::{Author, Call, ConflictKind, Degraded, Verdict};
pub use answer::{Statement, Status};

use crate::text_view::{self, TextPlace};

/// A document of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentInfo {
    /// SHA-256 of the file.
    pub id: String,
    /// The file's name.
    pub name: String,
    /// Its title, where it has one.
    pub title: Option<String>,
    /// Its date, where it says one: `2023-07-01`, `2023-07` or `2023`.
    pub date: Option<String>,
    /// What it says of its edition, as printed.
    pub edition: Option<String>,
    /// Pages.
    pub n_pages: usize,
    /// Passages that are embedded in the end: children and notes.
    pub n_passages: usize,
    /// Passages that have their vector, from the first on.
    pub n_embedded: usize,
    /// What was noticed while it was read.
    pub diags: Vec<Diag>,
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The document's name.
    pub document: String,
    /// The document's id.
    pub document_id: String,
    /// The page on which it begins; `None` where the source has no pages.
    pub page: Option<PageId>,
    /// That page's printed label, where the file has one.
    pub page_label: Option<String>,
    /// The headings above it, outermost first.
    pub section_path: Vec<String>,
    /// Why it holds no law, where its section says so.
    pub legal_status: Option<LegalStatus>,
    /// Its quads, page by page.
    pub spans: Vec<Span>,
    /// Where it stands in the blocks of the text; empty where the source has pages.
    pub places: Vec<TextPlace>,
}

impl Place {
    /// The place of some ranges of a document.
    pub(crate) fn of(document: &Document, section: SectionId, ranges: &[TextRange]) -> Self {
        let mut spans: Vec<Span> = Vec::new();
        for span in ranges.iter().flat_map(|&range| document.layout.spans(range)) {
            match spans.last_mut() {
                Some(last) if last.page == span.page => {
                    last.range.end = span.range.end;
                    last.quads.extend(span.quads);
                }
                _ => spans.push(span),
            }
        }
        let page = spans.first().and_then(|span| span.page);
        let page_label =
            page.and_then(|page| document.layout.pages.get(page.idx())).and_then(|info| info.label.clone());
        Self {
            document: document.name.clone(),
            document_id: document.digest.clone(),
            page,
            page_label,
            section_path: document.tree.path_titles(section),
            legal_status: document.tree.legal_status(section),
            spans,
            places: text_view::places(document, ranges),
        }
    }
}

/// A passage found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub kind: ChunkKind,
    /// Its text.
    pub text: String,
    /// By which hits are ordered; comparable within one search only.
    pub score: f32,
    /// From 1.
    pub rank: u32,
    /// Why, when it was asked for.
    pub explanation: Option<Explanation>,
}

/// Whether vectors took part in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorUse {
    /// For every document.
    All,
    /// Not for documents that are still being embedded.
    Some,
    /// For none: no vectors, or no vector of the question.
    None,
}

impl VectorUse {
    /// Its name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Some => "some",
            Self::None => "none",
        }
    }
}

/// What a search gives.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReply {
    /// Best first.
    pub hits: Vec<Found>,
    /// Why there are none, where there are none.
    pub nothing: Option<Nothing>,
    /// Whether vectors took part.
    pub vectors: VectorUse,
}

/// Why a search found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nothing {
    /// The library is empty.
    NoDocuments,
    /// The query has no letter and no figure.
    NoQuery,
    /// The filter leaves no passage to look in.
    NothingInScope,
    /// No passage has a word of the query, or one like it.
    NoMatch,
}

impl Nothing {
    /// Its name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoDocuments => "no-documents",
            Self::NoQuery => "no-query",
            Self::NothingInScope => "nothing-in-scope",
            Self::NoMatch => "no-match",
        }
    }

    /// What is said of it.
    pub fn message(self) -> &'static str {
        match self {
            Self::NoDocuments => "the library has no documents",
            Self::NoQuery => "the query has no words",
            Self::NothingInScope => "the filter leaves nothing to search",
            Self::NoMatch => "nothing was found",
        }
    }
}

/// A pinpoint reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation {
    /// Its number in the answer, from 1, best first.
    pub id: u32,
    /// Where it stands.
    pub place: Place,
    /// The words.
    pub quote: String,
    /// Whether they stand there.
    pub status: Status,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The statements with their marks, in document order; or what is said when the evidence does not suffice.
    pub text: String,
    /// Whether it suffices.
    pub sufficient: bool,
    /// Who wrote it.
    pub by: Author,
    /// What the last check of it gave, where one was made.
    pub verdict: Option<Verdict>,
    /// The pieces of the answer; empty when the evidence does not suffice.
    pub statements: Vec<Statement>,
    /// Best first. When the evidence does not suffice: the nearest passages.
    pub citations: Vec<Citation>,
    /// What the statements lean on, each by a citation of its own, behind those of the statements.
    pub supporting: Vec<SupportingProvision>,
    /// Provisions that contradict each other.
    pub conflicts: Vec<Conflict>,
    /// What a reader of the citations must know.
    pub notes: Vec<Note>,
    /// Content words of the question that were not found.
    pub missing: Vec<String>,
    /// What is said when the evidence does not suffice, else empty.
    pub message: String,
    /// The passages that were found for the question, best first.
    pub retrieved: Vec<Found>,
    /// Whether vectors took part.
    pub vectors: VectorUse,
    /// How it came about.
    pub trace: Trace,
}

impl Answer {
    /// The citations that the statements rest on, or the nearest passages: without those that show what statements
    /// lean on and what contradicts them.
    pub fn own_citations(&self) -> impl Iterator<Item = &Citation> {
        let beside = self.supporting.iter().map(|supporting| supporting.by);
        let beside: Vec<u32> =
            beside.chain(self.conflicts.iter().flat_map(|conflict| conflict.citations.clone())).collect();
        let rests_on = |id: u32| self.statements.iter().any(|statement| statement.citations.contains(&id));
        self.citations.iter().filter(move |citation| rests_on(citation.id) || !beside.contains(&citation.id))
    }
}

/// Something that a statement leans on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportingProvision {
    /// The citation that names it.
    pub citation: u32,
    /// `reference` or `definition`.
    pub why: &'static str,
    /// The reference as printed, or the term as defined.
    pub name: String,
    /// The citation that shows it.
    pub by: u32,
}

/// Provisions that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What differs.
    pub kind: ConflictKind,
    /// The citations that show them; one of the answer's first.
    pub citations: Vec<u32>,
    /// The one that is in force, where the documents say so.
    pub preferred: Option<u32>,
}

/// What a reader of citations must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The provision says that it holds no law.
    Withdrawn {
        /// The citation.
        citation: u32,
        /// What it says.
        legal_status: LegalStatus,
    },
    /// The library has a later edition of the instrument.
    LaterEdition {
        /// The citation.
        citation: u32,
        /// Its document's date.
        date: String,
        /// The name of the document of the later edition.
        later: String,
        /// Its date.
        later_date: String,
    },
    /// The citations answer for different cases, and the question names none of them.
    SeveralCases {
        /// One for each case.
        citations: Vec<u32>,
    },
}

/// How an answer came about: [`answer::Trace`] with places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The question as it was understood.
    pub question: String,
    /// Its rewrites.
    pub rewrites: Vec<String>,
    /// The passage that was written to find real ones, where there was one.
    pub passage: Option<String>,
    /// What was searched for, round by round.
    pub queries: Vec<Vec<String>>,
    /// What the filter kept.
    pub kept: Vec<Place>,
    /// What was quoted around it.
    pub extracts: Vec<Place>,
    /// What the answer was written from: P1 of the model first.
    pub selected: Vec<Place>,
    /// The verdicts on the answers, one a round.
    pub reflection: Vec<Verdict>,
    /// Every request to a model.
    pub calls: Vec<Call>,
    /// Steps that were left out or done without a model, and why.
    pub degraded: Vec<Degraded>,
}
