//! Shapes of the edge: what the use cases return, ready to be serialised.
//!
//! Names instead of positions, page numbers from 1 instead of page ids, quads instead of byte ranges. Each shape is
//! declared once. JavaScript gets it as it is, with camelCase keys; the command line writes the same value with
//! snake_case keys; the TypeScript beside the wasm build is derived from it (`TS`). Shapes of other crates that need
//! no resolving, such as `Statement`, are used as they are.

mod answer;
mod document;
mod location;
mod profile;
mod search;
mod text;

pub use self::answer::{
    Answer, Citation, Conflict, GlossaryEntry, Note, SupportingProvision, Trace, VectorsOnDemand,
};
pub use self::document::{Diag, DocumentInfo};
pub(crate) use self::text::text_blocks;
pub use self::text::{TextBlock, TextMark};
pub use location::{BlockRange, Location, PageSpan};
pub use profile::{NamedEndpoint, ProfileInfo};
pub use search::{EmptyReason, SearchHit, SearchReply, VectorUse};
