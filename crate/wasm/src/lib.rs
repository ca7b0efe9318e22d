//! The engine for JavaScript.
//!
//! Two classes: [`Parser`] (a pool worker reads a file) and [`Library`] (one worker keeps the index and answers). Those
//! beside them are steps of their work. What embeds is a module of its own, `wasm-encoder`. Values cross the border as plain
//! objects whose TypeScript is generated from the Rust types (`types.rs`); big arrays as typed arrays; errors as
//! `EngineError` with a code.
//!
//! No algorithm lives here, no network and no storage.

mod api;
mod asking;
mod clock;
mod segment_reader;
mod types;

use wasm_bindgen::prelude::wasm_bindgen;

pub use api::{Library, Parser, distinct_name, format_version, link_graph, version};
pub use asking::{Asking, profiles, read_profile};
pub use segment_reader::SegmentReader;
#[cfg(not(target_arch = "wasm32"))]
pub use types::typescript;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    border::install_panic_hook();
}
