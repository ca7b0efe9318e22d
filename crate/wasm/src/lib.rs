//! The engine for JavaScript. The only home of wasm-bindgen, js-sys, web-sys and serde-wasm-bindgen.
//!
//! Three classes: [`Parser`] (a pool worker reads a file), [`Encoder`] (a pool worker embeds), [`Library`] (one worker
//! keeps the index and answers). Those beside them are steps of their work. Values cross the border as plain
//! objects whose TypeScript is generated from the Rust types (`types.rs`); big arrays as typed arrays; errors as `EngineError` with a code.
//!
//! No algorithm lives here, no network and no storage.

mod api;
mod asking;
mod clock;
mod convert;
mod error;
mod panic;
mod relaxed;
mod segment_reader;
mod types;
#[cfg(not(target_arch = "wasm32"))]
mod typescript;

pub use api::{Encoder, Library, Parser, distinct_name, format_version, link_graph, version};
pub use asking::{Asking, profiles, read_profile};
pub use panic::start;
pub use segment_reader::SegmentReader;
#[cfg(not(target_arch = "wasm32"))]
pub use typescript::typescript;
