//! Use cases: read a document, keep a library, search it, answer questions from it.
//!
//! ```no_run
//! # fn main() -> Result<(), engine::Error> {
//! # let pdf: Vec<u8> = Vec::new();
//! use std::ops::ControlFlow;
//! use engine::{ApproximateTokens, IngestOptions, Library, SearchOptions};
//!
//! let go_on = &mut |_| ControlFlow::Continue(());
//! let segment = engine::ingest(&pdf, "rules.pdf", &IngestOptions::default(), &ApproximateTokens, go_on)?;
//! let mut library = Library::new();
//! library.add(&segment)?;
//! let answer = library.ask("How long are records kept?", None, &SearchOptions::for_answers())?;
//! println!("{}", answer.text);
//! # Ok(())
//! # }
//! ```
//!
//! Every stage is called from here and nowhere else. This crate has no algorithm, JavaScript, clock or file: callers
//! pass bytes in and take bytes out. What the use cases return is in `reply`, declared once for every interface.

mod ask;
mod candidates;
mod comparison;
mod corpus;
mod error;
mod gold;
mod graph;
mod ingest;
mod library;
mod name;
mod profiles;
mod progress;
mod quotation;
mod ranker;
mod references;
mod reply;
mod resolve;
mod scope;
mod search;
mod training;

pub use answer::{Options as AnswerOptions, ScoreFilter};
pub use blocks::rules as layout_rules;
pub use document::{Caveat, ChunkKind, DiagCode, LegalStatus, Severity, Step, Steps};
pub use document::{Decision as LayoutDecision, Place, RuleInfo as LayoutRule};
pub use embed::{Embedder, Manifest, TokenMatches, WordPiece};
pub use index::vector::{Ann, QueryVector};
pub use index::{Collection, FORMAT_VERSION, Segment, Stats};
pub use retrieval::{DEPTH, Fusion, Glossary, SearchStep, SearchUnits, Thesaurus};
pub use sections::annotate;
pub use text::{ApproximateTokens, TokenCount};

pub use ask::{
    AnswerStep, Ask, Asking, Author, Call, CallOutcome, Degraded, Fault, Finish, Message, NextAction,
    Profile, ProfileError, Reply, Request, Role, SentPassage, Statement, Status, TOO_LONG, Turn,
    UnsupportedClaim, UnsupportedKind, Verdict,
};
pub use candidates::{CANDIDATES, StoredVectors, WantedPassage};
pub use comparison::{COMPARED, Comparison};
pub use error::{Code, Error};
pub use gold::{GoldPlace, first_reached};
pub use graph::link_graph;
pub use ingest::{Chunker, IngestOptions, digest, explain_layout, read, split};
pub use library::{Library, Prepared, ingest, reading};
pub use name::distinct_name;
pub use profiles::{read_profile, shipped_profiles};
pub use progress::{OnProgress, Progress, Stage};
pub use quotation::LocatedQuotation;
pub use ranker::{second_stage, shipped_ranker};
pub use references::Link;
pub use reply::{
    Answer, BlockRange, Citation, Conflict, Diag, DocumentInfo, EmptyReason, GlossaryEntry, Location,
    NamedEndpoint, Note, PageSpan, ProfileInfo, SearchHit, SearchReply, SupportingProvision, TextBlock,
    TextMark, Trace, VectorUse, VectorsOnDemand,
};
pub use scope::FilterOptions;
pub use search::{Learned, RankingOptions, SearchOptions, ann_named};
pub use training::Candidates;
