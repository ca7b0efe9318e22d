//! Arguments and results of ingest, and their TypeScript.

use engine::DocumentInfo;
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const ON_PROGRESS: &str = r"
/** Progress of reading a file: `done` of `total` steps of a stage. */
export type OnProgress = (stage: Stage, done: number, total: number) => void;
";

/// File that was read.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Parsed {
    /// Bytes to store and to give to `Library.add`.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint8Array")]
    pub(crate) segment: Uint8Array,
    /// The document.
    pub(crate) info: DocumentInfo,
}

/// Options of `Parser.parse`.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub(crate) struct ParseOptions {
    /// Password of an encrypted PDF.
    pub(crate) password: Option<String>,
    /// Maximum size of a file, in bytes.
    pub(crate) max_bytes: Option<f64>,
    /// Maximum number of pages of a PDF.
    pub(crate) max_pages: Option<f64>,
}

/// TypeScript of the Rust types that cross this border: the text of `types.d.ts`.
#[cfg(not(target_arch = "wasm32"))]
pub fn typescript() -> String {
    border::Declarations::default().with::<engine::Stage>().with::<ParseOptions>().with::<Parsed>().text()
}
