//! A question being answered, step by step: the class, and the shapes of what it needs.

use engine::{Ask, Call, Need, Place, Profile, SearchOptions, Trace, Turn};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::api::{Vector, from_js, into_js};
use crate::error::{bad_argument, to_js};
use crate::{convert, types};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How a question is answered: `profile` is the name of one that ships or the TOML of another; `model` says that there is a language model to ask. */
export interface AskingOptions { history?: Turn[]; profile?: string | null; model?: boolean; filter?: Filter | null }
/** A question and its answer. */
export interface Turn { question: string; answer: string }
export type AnswerStep = "passage" | "rewrite" | "filter" | "extract" | "read" | "reflect";
export interface ChatMessage { role: "system" | "user" | "assistant"; content: string }
/** Where something stands, in short. */
export interface PlaceName { document: string; documentId: string; page: number | null; sectionPath: string[] }
/** A request to a language model. `endpoint` and `model` are those that the profile names for the step; `passages` is what of the documents is in it. */
export interface ModelRequest { call: number; step: AnswerStep; endpoint: string | null; model: string | null; messages: ChatMessage[]; maxTokens: number; temperature: number; schema: { name: string; schema: object } | null; passages: PlaceName[] }
/** What is needed next: the search for a query (with its vector, where there is one), a reply, or nothing more. */
export type Need = { kind: "search"; query: string } | { kind: "ask"; request: ModelRequest } | { kind: "nothing" };
export interface ModelReply { text: string; finish: string }
/** That no reply came; `lasts` says that another request to the endpoint would fail too. */
export interface ModelFault { code: string; message: string; lasts: boolean }
/** What the check of an answer gave. */
export interface Verdict { grounded: boolean; consistent: boolean; complete: boolean; problem: string; missing: string[] }
/** A request to a model and what came of it. */
export interface ModelCall { call: number; step: AnswerStep; endpoint: string | null; model: string | null; prompt: number; sent: number; received: number; outcome: "open" | "used" | "unusable" | "failed"; why: string | null }
/** A step that was left out or done without a model, and why. */
export interface Degraded { step: AnswerStep; code: string; call: number | null; why: string }
/** How an answer came about. */
export interface Trace { question: string; rewrites: string[]; passage: string | null; queries: string[][]; kept: PlaceName[]; extracts: PlaceName[]; selected: PlaceName[]; reflection: Verdict[]; calls: ModelCall[]; degraded: Degraded[] }
/** A profile that ships. */
export interface ProfileInfo { name: string; title: string; file: string }
"#;

/// The profiles that ship, the default first, each with its file to start one's own from.
#[wasm_bindgen(unchecked_return_type = "ProfileInfo[]")]
pub fn profiles() -> Result<JsValue, JsValue> {
    let info = |name: &str| {
        let profile = Profile::named(name)?;
        Some(ProfileInfo { name: profile.name, title: profile.title, file: Profile::file(name)?.to_owned() })
    };
    into_js(&Profile::names().filter_map(info).collect::<Vec<_>>())
}

/// What is wrong with a profile's file; nothing, where it can be used.
#[wasm_bindgen(js_name = checkProfile)]
pub fn check_profile(file: &str) -> Option<String> {
    Profile::from_toml(file).err().map(|error| error.to_string())
}

/// A question being answered. Every call is short: one search, or one reply read.
#[wasm_bindgen]
pub struct Asking {
    asking: engine::Asking,
}

#[wasm_bindgen]
impl Asking {
    /// What is needed now.
    #[wasm_bindgen(unchecked_return_type = "Need")]
    pub fn need(&self) -> Result<JsValue, JsValue> {
        into_js(&need(&self.asking))
    }

    /// Does the search that is needed; `vector` and `fingerprint` are its query's.
    pub fn search(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "{ vector?: Float32Array; fingerprint?: string } | undefined")]
        options: JsValue,
    ) -> Result<(), JsValue> {
        let vector = Vector::of(&options)?;
        self.asking.search(vector.as_ref().map(Vector::as_query)).map_err(|error| to_js(&error))
    }

    /// Takes a reply.
    pub fn replied(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ModelReply")] reply: JsValue,
    ) -> Result<(), JsValue> {
        let Reply { text, finish } = from_js(reply)?;
        self.asking.replied(&engine::Reply { text, finish: engine::Finish::named(&finish) });
        Ok(())
    }

    /// Takes that no reply came.
    pub fn failed(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ModelFault")] fault: JsValue,
    ) -> Result<(), JsValue> {
        let Fault { code, message, lasts } = from_js(fault)?;
        self.asking.failed(&engine::Fault { code, message }, lasts);
        Ok(())
    }

    /// The answer; from what there is, when something is still needed. The object is spent.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn finish(self) -> Result<JsValue, JsValue> {
        into_js(&convert::answer(self.asking.finish()))
    }
}

impl Asking {
    /// Starts to answer a question from a library.
    pub(crate) fn start(
        library: &engine::Library,
        question: &str,
        options: JsValue,
    ) -> Result<Self, JsValue> {
        let AskingOptions { history, profile, model, filter } = from_js(options)?;
        let profile = match profile.as_deref() {
            None => Profile::default(),
            Some(name) => match Profile::named(name) {
                Some(profile) => profile,
                None => Profile::from_toml(name)
                    .map_err(|error| bad_argument(&format!("the profile cannot be used: {error}")))?,
            },
        };
        let ask = Ask {
            question: question.to_owned(),
            history: history.into_iter().map(|Said { question, answer }| Turn { question, answer }).collect(),
            profile,
            has_model: model,
            search: SearchOptions::for_answers().within(convert::filter(filter)),
        };
        Ok(Self { asking: library.asking(ask) })
    }
}

fn need(asking: &engine::Asking) -> NeedShape {
    if let Some(query) = asking.query() {
        return NeedShape::Search { query: query.to_owned() };
    }
    let Need::Ask(request) = asking.need() else { return NeedShape::Nothing };
    let engine::Request { call, step, endpoint, model, messages, max_tokens, temperature, schema, sent: _ } =
        request;
    let schema = schema.as_deref().and_then(|schema| serde_json::from_str(schema).ok());
    NeedShape::Ask {
        request: ModelRequest {
            call: *call,
            step: step.name(),
            endpoint: endpoint.clone(),
            model: model.clone(),
            messages: messages
                .iter()
                .map(|message| ChatMessage { role: message.role.name(), content: message.content.clone() })
                .collect(),
            max_tokens: *max_tokens,
            temperature: *temperature,
            schema: schema.map(|schema| Schema { name: step.name(), schema }),
            passages: asking.sent(request).into_iter().map(place_name).collect(),
        },
    }
}

fn place_name(place: Place) -> PlaceName {
    let Place { document, document_id, page, section_path, .. } = place;
    PlaceName { document, document_id, page: page.map(|page| page.0 + 1), section_path }
}

pub(crate) fn verdict(verdict: engine::Verdict) -> Verdict {
    let engine::Verdict { grounded, consistent, complete, problem, missing } = verdict;
    Verdict { grounded, consistent, complete, problem, missing }
}

pub(crate) fn trace(trace: Trace) -> TraceShape {
    let Trace { question, rewrites, passage, queries, kept, extracts, selected, reflection, calls, degraded } =
        trace;
    let names = |places: Vec<Place>| places.into_iter().map(place_name).collect();
    let call = |call: Call| {
        let Call { call, step, endpoint, model, prompt, n_sent, n_received, outcome } = call;
        ModelCall {
            call,
            step: step.name(),
            endpoint,
            model,
            prompt,
            sent: n_sent,
            received: n_received,
            outcome: outcome.name(),
            why: outcome.why().map(str::to_owned),
        }
    };
    TraceShape {
        question,
        rewrites,
        passage,
        queries,
        kept: names(kept),
        extracts: names(extracts),
        selected: names(selected),
        reflection: reflection.into_iter().map(verdict).collect(),
        calls: calls.into_iter().map(call).collect(),
        degraded: degraded
            .into_iter()
            .map(|engine::Degraded { step, code, call, why }| Degraded { step: step.name(), code, call, why })
            .collect(),
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AskingOptions {
    history: Vec<Said>,
    profile: Option<String>,
    model: bool,
    filter: Option<types::Filter>,
}

#[derive(Deserialize)]
struct Said {
    question: String,
    answer: String,
}

#[derive(Default, Deserialize)]
struct Reply {
    text: String,
    finish: String,
}

#[derive(Default, Deserialize)]
struct Fault {
    code: String,
    message: String,
    lasts: bool,
}

#[derive(Serialize)]
struct ProfileInfo {
    name: String,
    title: String,
    file: String,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum NeedShape {
    Search { query: String },
    Ask { request: ModelRequest },
    Nothing,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModelRequest {
    call: u32,
    step: &'static str,
    endpoint: Option<String>,
    model: Option<String>,
    messages: Vec<ChatMessage>,
    max_tokens: u32,
    temperature: f32,
    schema: Option<Schema>,
    passages: Vec<PlaceName>,
}

#[derive(Serialize)]
struct ChatMessage {
    role: &'static str,
    content: String,
}

#[derive(Serialize)]
struct Schema {
    name: &'static str,
    schema: serde_json::Value,
}

/// [`engine::Place`] in short.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlaceName {
    document: String,
    document_id: String,
    page: Option<u32>,
    section_path: Vec<String>,
}

/// [`engine::Verdict`].
#[derive(Serialize)]
pub(crate) struct Verdict {
    grounded: bool,
    consistent: bool,
    complete: bool,
    problem: String,
    missing: Vec<String>,
}

#[derive(Serialize)]
struct ModelCall {
    call: u32,
    step: &'static str,
    endpoint: Option<String>,
    model: Option<String>,
    prompt: u32,
    sent: usize,
    received: usize,
    outcome: &'static str,
    why: Option<String>,
}

#[derive(Serialize)]
struct Degraded {
    step: &'static str,
    code: String,
    call: Option<u32>,
    why: String,
}

/// [`engine::Trace`].
#[derive(Serialize)]
pub(crate) struct TraceShape {
    question: String,
    rewrites: Vec<String>,
    passage: Option<String>,
    queries: Vec<Vec<String>>,
    kept: Vec<PlaceName>,
    extracts: Vec<PlaceName>,
    selected: Vec<PlaceName>,
    reflection: Vec<Verdict>,
    calls: Vec<ModelCall>,
    degraded: Vec<Degraded>,
}
