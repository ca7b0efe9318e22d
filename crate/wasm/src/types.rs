//! Arguments and results that only JavaScript has, and the TypeScript of everything that crosses.
//!
//! Results cross as `engine` declares them. `types.d.ts` is generated from the Rust types: see [`typescript`].

use std::collections::BTreeMap;

use border::bad_argument;
use engine::{AnswerStep, FilterOptions, GoldPlace, Location, Message, PageSpan, QueryVector, Turn};
use js_sys::{Float32Array, Uint8Array};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// Other words for terms, by term.
pub(crate) type GlossaryEntries = BTreeMap<String, Vec<String>>;

/// Options of `Library.search`.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub(crate) struct SearchOptions {
    /// Maximum number of hits, 1 to 1,000; 10 by default.
    pub(crate) k: Option<f64>,
    /// Kinds of chunk to list; `both` by default.
    #[ts(type = "\"child\" | \"article\" | \"both\"", optional = nullable)]
    pub(crate) units: Option<String>,
    /// Vector search: scan, graph, or whichever is faster (`auto`, the default).
    #[ts(type = "\"exact\" | \"hnsw\" | \"auto\"", optional = nullable)]
    pub(crate) ann: Option<String>,
    /// Ranking: learned (`ltr`, the default), blended scores, reciprocal rank fusion, or that of answers.
    #[ts(type = "\"ltr\" | \"blend\" | \"rrf\" | \"answers\"", optional = nullable)]
    pub(crate) fusion: Option<String>,
    /// True to explain the score of each hit.
    #[ts(as = "Option<_>")]
    pub(crate) explain: bool,
    /// Passages to search.
    #[ts(optional = nullable)]
    pub(crate) filter: Option<FilterOptions>,
    /// Other words for terms of the query.
    #[ts(as = "Option<_>")]
    pub(crate) glossary: GlossaryEntries,
    /// Vector of the query.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float32Array | undefined", optional = nullable)]
    pub(crate) vector: JsValue,
    /// Fingerprint of the model that made the vector.
    pub(crate) fingerprint: Option<String>,
    /// BM25's term frequency saturation, from 0.
    pub(crate) k1: Option<f32>,
    /// BM25's length normalisation, 0 to 1.
    pub(crate) b: Option<f32>,
    /// Weight of a word in the header of a passage (title, section path) against one in its text, from 0.
    pub(crate) header_weight: Option<f32>,
    /// Weight of vectors in blended scores, 0 to 1. Not with `rrf`.
    pub(crate) dense_weight: Option<f32>,
    /// Places that answer the query: the reply says which hits reach them.
    #[ts(as = "Option<_>")]
    pub(crate) gold: Vec<GoldPlace>,
}

/// Candidates of a question, with their features and labels: one row each. `Trainer.add` of the lab takes them.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidates {
    /// Names of the features, in the order of the columns.
    pub(crate) names: Vec<&'static str>,
    /// Features, row by row; NaN where one does not apply.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float32Array")]
    pub(crate) features: Float32Array,
    /// By row: 1 if the candidate reaches a gold place.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint8Array")]
    pub(crate) labels: Uint8Array,
    /// By row: score that the forest which ships gives it.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float32Array")]
    pub(crate) scores: Float32Array,
    /// By row: the place of the candidate.
    pub(crate) places: Vec<CandidatePlace>,
    /// Number of gold places that a candidate reaches.
    pub(crate) reached: usize,
}

/// Place of a candidate.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CandidatePlace {
    /// Id of its document.
    pub(crate) document_id: String,
    /// Page on which it begins, from 1; `null` in a document without pages.
    pub(crate) page: Option<u32>,
    /// Start and end in the document's text, in bytes.
    pub(crate) range: [u32; 2],
}

impl From<engine::Candidates> for Candidates {
    fn from(candidates: engine::Candidates) -> Self {
        let engine::Candidates { names, features, labels, scores, places, n_reached } = candidates;
        let labels: Vec<u8> = labels.into_iter().map(u8::from).collect();
        let place =
            |(document_id, PageSpan { page, range, quads: _ })| CandidatePlace { document_id, page, range };
        Self {
            names,
            features: Float32Array::from(features.as_slice()),
            labels: Uint8Array::from(labels.as_slice()),
            scores: Float32Array::from(scores.as_slice()),
            places: places.into_iter().map(place).collect(),
            reached: n_reached,
        }
    }
}

/// Options of `Library.ask`.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub(crate) struct AskOptions {
    /// Passages to search.
    #[ts(optional = nullable)]
    pub(crate) filter: Option<FilterOptions>,
    /// Vector of the question.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float32Array | undefined", optional = nullable)]
    pub(crate) vector: JsValue,
    /// Fingerprint of the model that made the vector.
    pub(crate) fingerprint: Option<String>,
}

/// Vector of a query, with the fingerprint of the model that made it.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub(crate) struct EmbeddedQuery {
    /// Vector of the query.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Float32Array | undefined", optional = nullable)]
    pub(crate) vector: JsValue,
    /// Fingerprint of the model.
    pub(crate) fingerprint: Option<String>,
}

/// Vectors of consecutive passages, to store.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredVectors {
    /// The first passage.
    pub(crate) start: usize,
    /// Number of passages.
    pub(crate) count: usize,
    /// Bytes for `Library.addVectors`.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    #[ts(type = "Uint8Array")]
    pub(crate) bytes: Uint8Array,
}

impl From<&engine::StoredVectors> for StoredVectors {
    fn from(stored: &engine::StoredVectors) -> Self {
        let engine::StoredVectors { start, count, bytes } = stored;
        Self { start: *start, count: *count, bytes: Uint8Array::from(bytes.as_slice()) }
    }
}

/// Passage to embed for a question.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WantedPassage {
    /// Id of its document.
    pub(crate) document: String,
    /// Its number among the document's passages, from 0.
    pub(crate) row: usize,
    /// Text to embed.
    pub(crate) text: String,
}

impl From<engine::WantedPassage> for WantedPassage {
    fn from(wanted: engine::WantedPassage) -> Self {
        let engine::WantedPassage { document, row, text } = wanted;
        Self { document, row, text }
    }
}

/// Options of `Library.asking`.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[ts(optional_fields)]
pub(crate) struct AskingOptions {
    /// Earlier questions and answers, oldest first.
    #[ts(as = "Option<_>")]
    pub(crate) history: Vec<Turn>,
    /// Name of a profile that ships, or the TOML of another.
    #[ts(optional = nullable)]
    pub(crate) profile: Option<String>,
    /// True if there is a language model to ask.
    #[ts(as = "Option<_>")]
    pub(crate) model: bool,
    /// Passages to search.
    #[ts(optional = nullable)]
    pub(crate) filter: Option<FilterOptions>,
    /// Other words for terms, added to the glossary of the profile.
    #[ts(as = "Option<_>")]
    pub(crate) glossary: GlossaryEntries,
    /// Vector search, as for a search.
    #[ts(type = "\"exact\" | \"hnsw\" | \"auto\"", optional = nullable)]
    pub(crate) ann: Option<String>,
    /// BM25's term frequency saturation, from 0.
    pub(crate) k1: Option<f32>,
    /// BM25's length normalisation, 0 to 1.
    pub(crate) b: Option<f32>,
    /// Weight of a word in the header of a passage (title, section path) against one in its text, from 0.
    pub(crate) header_weight: Option<f32>,
    /// Weight of vectors in blended scores, 0 to 1.
    pub(crate) dense_weight: Option<f32>,
}

/// Result of a search, with its times.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchReply {
    #[serde(flatten)]
    pub(crate) reply: engine::SearchReply,
    /// Time of each step.
    pub(crate) times: SearchTimes,
}

/// Times of the steps of a search, in milliseconds.
#[derive(Default, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchTimes {
    /// Analysis of the query.
    pub(crate) analysis: f64,
    /// BM25.
    pub(crate) lexical: f64,
    /// Vector search.
    pub(crate) dense: f64,
    /// Fusion and ranking.
    pub(crate) ranking: f64,
    /// Texts and locations of the hits.
    pub(crate) placing: f64,
}

/// Next action for a question: a search, a comparison, a request to a model, or none.
#[derive(Serialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Need {
    /// Search for a query, with its vector if there is an embedding model.
    Search { query: String },
    /// Compare the passages of the search just done with its query, each given in pieces, best first.
    Compare { query: String, passages: Vec<Vec<String>> },
    /// Send a request to a language model.
    Ask { request: ModelRequest },
    /// Finish.
    Nothing,
}

/// Request to a language model.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModelRequest {
    /// Number of the request in this answer, from 1.
    pub(crate) call: u32,
    /// Step that asks.
    pub(crate) step: AnswerStep,
    /// Endpoint that the profile names for the step.
    pub(crate) endpoint: Option<String>,
    /// Model that the profile names for the step.
    pub(crate) model: Option<String>,
    /// Conversation.
    pub(crate) messages: Vec<Message>,
    /// Maximum length of the reply, in tokens.
    pub(crate) max_tokens: u32,
    /// Sampling temperature, 0 to 2.
    pub(crate) temperature: f32,
    /// JSON schema of the reply; `null` for prose.
    pub(crate) schema: Option<ReplySchema>,
    /// Locations of the passages in the messages; not those that earlier turns cite.
    pub(crate) passages: Vec<Location>,
    /// Number of earlier turns in the messages, the latest.
    pub(crate) turns: usize,
}

/// JSON schema of a reply.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplySchema {
    /// Name.
    pub(crate) name: AnswerStep,
    /// Schema.
    #[ts(type = "object")]
    pub(crate) schema: serde_json::Value,
}

/// Reply of a language model.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModelReply {
    /// Text.
    pub(crate) text: String,
    /// Finish reason, in the words of the protocol.
    pub(crate) finish: String,
}

/// Failure to get a reply.
#[derive(Default, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModelFault {
    /// Code, such as `timeout`.
    pub(crate) code: String,
    /// Message for a person.
    pub(crate) message: String,
    /// True if another request to the endpoint would fail too.
    pub(crate) lasts: bool,
}

/// Query vector as JavaScript gave it.
pub(crate) struct Vector {
    fingerprint: String,
    values: Vec<f32>,
}

impl Vector {
    /// A vector and its fingerprint, neither or both.
    pub(crate) fn of(vector: JsValue, fingerprint: Option<String>) -> Result<Option<Self>, JsValue> {
        if vector.is_undefined() || vector.is_null() {
            return Ok(None);
        }
        match (vector.dyn_into::<Float32Array>(), fingerprint) {
            (Ok(array), Some(fingerprint)) => Ok(Some(Self { fingerprint, values: array.to_vec() })),
            (Ok(_), None) => Err(bad_argument("a vector without the fingerprint of its model")),
            (Err(_), _) => Err(bad_argument("vector is not a Float32Array")),
        }
    }

    pub(crate) fn as_query(&self) -> QueryVector<'_> {
        QueryVector { fingerprint: &self.fingerprint, values: &self.values }
    }
}

/// TypeScript of the Rust types that cross this border: the text of `types.d.ts`.
#[cfg(not(target_arch = "wasm32"))]
pub fn typescript() -> String {
    border::Declarations::default()
        .with::<engine::Answer>()
        .with::<engine::Code>()
        .with::<engine::DocumentInfo>()
        .with::<engine::ProfileInfo>()
        .with::<engine::TextBlock>()
        .with::<AskOptions>()
        .with::<AskingOptions>()
        .with::<Candidates>()
        .with::<EmbeddedQuery>()
        .with::<ModelFault>()
        .with::<ModelReply>()
        .with::<Need>()
        .with::<SearchOptions>()
        .with::<SearchReply>()
        .with::<StoredVectors>()
        .with::<border::TokenMatches>()
        .with::<WantedPassage>()
        .text()
}
