//! Results that only JavaScript has, and the TypeScript of everything that crosses.

use js_sys::Uint32Array;
use serde::Serialize;
use ts_rs::TS;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// Tokens of texts, from `Encoder.tokens`: one text after the other.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    /// Ids, as a program looks them up.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint32Array")]
    pub(crate) ids: Uint32Array,
    /// Number of tokens of each text, special tokens included.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint32Array")]
    pub(crate) lengths: Uint32Array,
}

#[cfg(not(target_arch = "wasm32"))]
/// TypeScript of the Rust types that cross this border: the text of `types.d.ts`.
pub fn typescript() -> String {
    border::Declarations::default()
        .with::<Tokens>()
        .with::<border::TokenMatches>()
        .with::<encoder::Program>()
        .text()
}
