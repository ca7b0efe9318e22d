//! The vocabulary of Pincite: the data that the stages of the pipeline exchange.
//!
//! Plain data and the few accessors that keep it consistent; no algorithm, no JavaScript, and no file format but that of the
//! words' positions, which are so many that memory has them as they are stored ([`TextMap`]).
//! Stages depend on this crate (and on `text`), never on each other:
//!
//! ```text
//! bytes → PdfText (pages) → Layout (blocks) → Tree (sections) → [Chunk] (chunks) → index → Hit (retrieval)
//! ```
//!
//! **One text.** A document has exactly one canonical text, [`Layout::text`]: the text of its blocks in
//! reading order, furniture and note marks left out, blocks separated by one `\n`. Blocks, sections, notes,
//! chunks and citations are [`TextRange`]s into it; [`Layout::spans`] turns any range into boxes on pages.
//! So a quotation is a range, and its position on the page is never searched for again.

mod allowance;
mod block;
mod caveat;
mod chunk;
pub mod cursor;
mod decision;
mod diag;
mod edition;
mod geom;
mod hit;
mod id;
pub mod never;
mod page;
mod reference;
mod section;
mod span;
mod steps;
mod text_map;

pub use allowance::Allowance;
pub use block::{Block, BlockKind, BlockStyle, Furniture, FurnitureKind, Layout, NoteMark, Role};
pub use caveat::{Caveat, CaveatRange, Caveats};
pub use chunk::{Chunk, ChunkKind, Document};
pub use decision::{Decision, Place, RuleInfo};
pub use diag::{Diag, DiagCode, Severity, Warned};
pub use edition::{Edition, EditionKind, LegalStatus, Withdrawn};
pub use geom::{PageGeometry, Point, Pt, Quad, Rect, Rotation};
pub use hit::{DocumentIdx, Explanation, Hit};
pub use id::{BlockId, ChunkId, NoteId, PageId, SectionId};
pub use never::{OrNever, Slice, never};
pub use page::{
    Attestation, FontStyle, OutlineItem, Page, PageInfo, PdfText, Rule, Run, Tag, TagKind, Visibility,
};
pub use reference::{Cite, CrossReference, DefinedTerm, Definition, Entity, EntityKind, TermKind};
pub use section::{Label, Note, Section, Tree};
pub use span::{PlacedWord, Span, TextRange};
pub use steps::{Pace, Paced, Step, Steps, at_once};
pub use text_map::{TextMap, Words};
