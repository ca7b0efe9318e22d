//! Matches of tokens: found by the encoder's module, ranked by in the engine's.

use js_sys::{Float32Array, Uint32Array};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wasm_bindgen::{JsCast, JsValue};

use crate::bad_argument;

/// Matches of the tokens of a query in a passage: from `Encoder.compare` to `Asking.compared`.
#[derive(Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct TokenMatches {
    /// By piece of the passage and token of the query: the greatest cosine to a token of the piece.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float32Array")]
    pub best: JsValue,
    /// By token of the query: its start and its end, in bytes of UTF-8 of the query.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint32Array")]
    pub ranges: JsValue,
}

impl From<&engine::TokenMatches> for TokenMatches {
    fn from(matches: &engine::TokenMatches) -> Self {
        let at = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        let ranges = matches.ranges.iter().flat_map(|range| [at(range.start), at(range.end)]);
        let ranges: Vec<u32> = ranges.collect();
        Self {
            best: Float32Array::from(matches.best.as_slice()).into(),
            ranges: Uint32Array::from(ranges.as_slice()).into(),
        }
    }
}

impl TryFrom<TokenMatches> for engine::TokenMatches {
    type Error = JsValue;

    fn try_from(matches: TokenMatches) -> Result<Self, JsValue> {
        let best = matches.best.dyn_into::<Float32Array>();
        let ranges = matches.ranges.dyn_into::<Uint32Array>();
        let (Ok(best), Ok(ranges)) = (best, ranges) else {
            return Err(bad_argument("matches are not those of Encoder.compare"));
        };
        let ranges = ranges.to_vec();
        let (ranges, _) = ranges.as_chunks::<2>();
        Ok(Self {
            best: best.to_vec(),
            ranges: ranges.iter().map(|&[start, end]| start as usize..end as usize).collect(),
        })
    }
}
