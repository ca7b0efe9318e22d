//! Question being answered, step by step: the class `Asking`, and the profiles.

use std::sync::Arc;

use border::{TokenMatches, from_js, into_js, to_js};
use engine::{Ask, Glossary, Profile, ProfileInfo, RankingOptions, Thesaurus};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::types::{
    AskingOptions, EmbeddedQuery, ModelFault, ModelReply, ModelRequest, Need, ReplySchema, Vector,
    WantedPassage,
};

/// The profiles that ship, the default first.
#[wasm_bindgen(unchecked_return_type = "ProfileInfo[]")]
pub fn profiles() -> Result<JsValue, JsValue> {
    into_js(&engine::shipped_profiles())
}

/// Reads a profile from TOML. Throws `profile-invalid`.
#[wasm_bindgen(js_name = readProfile, unchecked_return_type = "ProfileInfo")]
pub fn read_profile(file: &str) -> Result<JsValue, JsValue> {
    let (_, info) = engine::read_profile(file).map_err(|error| to_js(&error))?;
    into_js::<ProfileInfo>(&info)
}

/// Question being answered. Every call is short: one search, or one reply read.
#[wasm_bindgen]
pub struct Asking {
    asking: engine::Asking,
}

#[wasm_bindgen]
impl Asking {
    /// The next action.
    #[wasm_bindgen(unchecked_return_type = "Need")]
    pub fn need(&self) -> Result<JsValue, JsValue> {
        into_js(&need(&self.asking))
    }

    /// Passages whose vectors the search that is needed would use and the library has not, best first by words.
    #[wasm_bindgen(unchecked_return_type = "WantedPassage[]")]
    pub fn wanted(&mut self) -> Result<JsValue, JsValue> {
        let wanted = self.asking.wanted().map_err(|error| to_js(&error))?;
        into_js(&wanted.into_iter().map(WantedPassage::from).collect::<Vec<_>>())
    }

    /// Does the search that is needed.
    pub fn search(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "EmbeddedQuery | undefined")] options: JsValue,
    ) -> Result<(), JsValue> {
        let EmbeddedQuery { vector, fingerprint } = from_js(options)?;
        let vector = Vector::of(vector, fingerprint)?;
        self.asking.search(vector.as_ref().map(Vector::as_query)).map_err(|error| to_js(&error))
    }

    /// Takes the matches of the comparison that is needed, in the order of its passages; null, and missing ones at the end,
    /// for those that were not compared.
    pub fn compared(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "(TokenMatches | null)[]")] matches: JsValue,
    ) -> Result<(), JsValue> {
        let matches: Vec<Option<TokenMatches>> = from_js(matches)?;
        let matches = matches.into_iter().map(|one| one.map(TryInto::try_into).transpose());
        self.asking.compared(&matches.collect::<Result<Vec<_>, _>>()?);
        Ok(())
    }

    /// Takes the reply of a model.
    pub fn replied(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ModelReply")] reply: JsValue,
    ) -> Result<(), JsValue> {
        let ModelReply { text, finish } = from_js(reply)?;
        self.asking.replied(&engine::Reply { text, finish: engine::Finish::named(&finish) });
        Ok(())
    }

    /// Takes the failure to get a reply.
    pub fn failed(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ModelFault")] fault: JsValue,
    ) -> Result<(), JsValue> {
        let ModelFault { code, message, lasts } = from_js(fault)?;
        self.asking.failed(&engine::Fault { code, message }, lasts);
        Ok(())
    }

    /// The answer; made from what there is if something is still needed. The object cannot be used afterwards.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn finish(self) -> Result<JsValue, JsValue> {
        into_js(&self.asking.finish())
    }
}

impl Asking {
    /// Takes over the vectors that the library has got since.
    pub(crate) fn take_vectors(&mut self, library: &engine::Library) {
        self.asking.take_vectors(library);
    }

    /// Starts to answer a question from a library.
    pub(crate) fn start(
        library: &engine::Library,
        thesaurus: Option<Arc<Thesaurus>>,
        question: &str,
        options: JsValue,
    ) -> Result<Self, JsValue> {
        let AskingOptions {
            history,
            profile,
            model,
            filter,
            glossary,
            ann,
            k1,
            b,
            header_weight,
            dense_weight,
        } = from_js(options)?;
        let profile = match profile.as_deref() {
            None => Profile::default(),
            Some(name) => match Profile::named(name) {
                Some(profile) => profile,
                None => engine::read_profile(name).map_err(|error| to_js(&error))?.0,
            },
        };
        let ann = engine::ann_named(ann.as_deref().unwrap_or("auto")).map_err(|error| to_js(&error))?;
        let ranking = RankingOptions { k1, b, header_weight, dense_weight };
        let search = engine::SearchOptions { ann, ..engine::SearchOptions::for_answers() }
            .with_ranking(&ranking)
            .map_err(|error| to_js(&error))?
            .within(filter.unwrap_or_default())
            .with_glossary(Glossary::default().with_thesaurus(thesaurus));
        let ask = Ask { question: question.to_owned(), history, profile, glossary, has_model: model, search };
        Ok(Self { asking: library.asking(ask) })
    }
}

fn need(asking: &engine::Asking) -> Need {
    if let Some(query) = asking.query() {
        return Need::Search { query: query.to_owned() };
    }
    if let Some(engine::Comparison { query, passages }) = asking.comparison() {
        return Need::Compare { query, passages };
    }
    let engine::NextAction::Ask(request) = asking.need() else { return Need::Nothing };
    let passages = asking.sent(request);
    let engine::Request {
        call,
        step,
        endpoint,
        model,
        messages,
        max_tokens,
        temperature,
        schema,
        sent: _,
        n_turns,
    } = request.clone();
    let schema = schema.as_deref().and_then(|schema| serde_json::from_str(schema).ok());
    let schema = schema.map(|schema| ReplySchema { name: step, schema });
    Need::Ask {
        request: ModelRequest {
            call,
            step,
            endpoint,
            model,
            messages,
            max_tokens,
            temperature,
            schema,
            passages,
            turns: n_turns,
        },
    }
}
