//! The engine for JavaScript.
//!
//! [`Library`] keeps the index and answers, in one worker; the classes beside it are steps of its work. What reads files is a
//! module of its own, `wasm-ingest`, and so is what embeds, `wasm-encoder`. Values cross the border as plain
//! objects whose TypeScript is generated from the Rust types (`types.rs`); big arrays as typed arrays; errors as
//! `EngineError` with a code.
//!
//! No algorithm lives here, no network and no storage.

mod api;
mod asking;
mod segment_reader;
mod thesaurus;
mod types;

use wasm_bindgen::prelude::wasm_bindgen;

pub use api::{Library, distinct_name, format_version, version};
pub use asking::{Asking, profiles, read_profile};
pub use segment_reader::SegmentReader;
#[cfg(not(target_arch = "wasm32"))]
pub use types::typescript;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    border::install_panic_hook();
}
