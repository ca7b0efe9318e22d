//! The embedding model for JavaScript: [`Encoder`], in a module of its own. tract is most of what a page would have to
//! load before it can search; so it stands apart, and a page loads it when it needs vectors.

mod relaxed;
mod types;

use encoder::{ByteProducts, LoadOptions, Session};
use engine::{Embedder as _, Manifest};
use js_sys::{Float32Array, Uint8Array, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use border::{TokenMatches, from_js, into_js, to_js};
use relaxed::products;
use types::Tokens;
#[cfg(not(target_arch = "wasm32"))]
pub use types::typescript;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start_encoder() {
    border::install_panic_hook();
}

/// Embeds texts, in a pool worker.
#[wasm_bindgen]
pub struct Encoder {
    session: Session,
}

#[wasm_bindgen]
impl Encoder {
    /// Loads a model: graph, vocabulary and manifest. `relaxed` says that products of bytes are made by
    /// `globalThis.__pincite_products`, the function of `pincite_relaxed.wasm` over this module's memory. `comparison` is the
    /// manifest's file for comparing; one that does not fit is left out, see `comparingProblem`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        model: Uint8Array,
        vocabulary: Uint8Array,
        manifest: &str,
        relaxed: Option<bool>,
        comparison: Option<Uint8Array>,
    ) -> Result<Self, JsValue> {
        let products = relaxed.unwrap_or_default().then_some(products as ByteProducts);
        let load = || -> Result<Session, engine::Error> {
            let manifest = Manifest::from_json(manifest.as_bytes())?;
            let comparison = comparison.map(|file| file.to_vec());
            let options = LoadOptions { products, comparison: comparison.as_deref() };
            Ok(Session::load_with(model.to_vec(), &vocabulary.to_vec(), &manifest, options)?)
        };
        load().map(|session| Self { session }).map_err(|error| to_js(&error))
    }

    /// Fingerprint that identifies the vectors of this model.
    #[wasm_bindgen(getter)]
    pub fn fingerprint(&self) -> String {
        self.session.fingerprint().to_owned()
    }

    /// Why the file for comparing is not used, and nothing is compared; undefined where nothing is wrong.
    #[wasm_bindgen(getter, js_name = comparingProblem)]
    pub fn comparing_problem(&self) -> Option<String> {
        self.session.comparing_problem().map(ToString::to_string)
    }

    /// Length of a vector.
    #[wasm_bindgen(getter)]
    pub fn dimensions(&self) -> usize {
        self.session.dimensions()
    }

    /// Unit vectors of texts, row by row.
    pub fn embed(&self, texts: Vec<String>) -> Result<Float32Array, JsValue> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rows = self.session.embed(&texts).map_err(|error| to_js(&engine::Error::from(error)))?;
        Ok(Float32Array::from(rows.concat().as_slice()))
    }

    /// As `embed`, without relaxed SIMD: what the vectors of others are compared with.
    #[wasm_bindgen(js_name = embedExactly)]
    pub fn embed_exactly(&self, texts: Vec<String>) -> Result<Float32Array, JsValue> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rows = self.session.embed_exactly(&texts).map_err(|error| to_js(&engine::Error::from(error)))?;
        Ok(Float32Array::from(rows.concat().as_slice()))
    }

    /// Ids of the tokens of texts, each cut at the encoder's limit.
    #[wasm_bindgen(unchecked_return_type = "Tokens")]
    pub fn tokens(&self, texts: Vec<String>) -> Result<JsValue, JsValue> {
        let (tokenizer, limit) = (self.session.tokenizer(), self.session.max_tokens());
        let ids: Vec<Vec<u32>> = texts.iter().map(|text| tokenizer.encode(text, limit)).collect();
        let lengths: Vec<u32> = ids.iter().map(|ids| u32::try_from(ids.len()).unwrap_or(u32::MAX)).collect();
        let ids = Uint32Array::from(ids.concat().as_slice());
        into_js(&Tokens { ids, lengths: Uint32Array::from(lengths.as_slice()) })
    }

    /// Steps of the encoder, for a GPU; undefined where a part of the model is only known to this one.
    #[wasm_bindgen(unchecked_return_type = "Program | undefined")]
    pub fn program(&self) -> Result<JsValue, JsValue> {
        self.session.program().map_or(Ok(JsValue::UNDEFINED), into_js)
    }

    /// Bytes of a constant of the program, empty for one that is not there.
    #[wasm_bindgen(js_name = programConstant)]
    pub fn program_constant(&self, idx: usize) -> Uint8Array {
        let bytes = self.session.program().map(|program| program.constant(idx)).unwrap_or_default();
        Uint8Array::from(bytes.as_slice())
    }

    /// Compares a query with passages token by token, in their order; each passage is given in pieces, such as its sentences.
    /// Empty without the file for comparing.
    #[wasm_bindgen(unchecked_return_type = "TokenMatches[]")]
    pub fn compare(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_param_type = "string[][]")] passages: JsValue,
    ) -> Result<JsValue, JsValue> {
        let passages: Vec<Vec<String>> = from_js(passages)?;
        let matches = self.session.compare(query, &passages);
        let matches = matches.map_err(|error| to_js(&engine::Error::from(error)))?;
        into_js(&matches.iter().map(TokenMatches::from).collect::<Vec<_>>())
    }
}
