//! Ingest for JavaScript: [`Parser`] reads a file into a segment, [`link_graph`] links vectors into a graph. Both are long
//! calls, for workers of a pool; what they make goes to the engine's `Library`.
//!
//! No algorithm lives here, no network and no storage.

mod types;

use std::ops::ControlFlow;

use border::{Throttle, from_js, into_js, to_js, whole};
use engine::{ApproximateTokens, IngestOptions, Manifest, Progress, TokenCount, WordPiece};
use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(not(target_arch = "wasm32"))]
pub use types::typescript;
use types::{ParseOptions, Parsed};

/// Interval of progress reports, in milliseconds.
const PROGRESS_INTERVAL: f64 = 50.0;

/// Runs when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start_ingest() {
    border::install_panic_hook();
}

/// Reads files, in a pool worker. A call cannot be interrupted: to cancel, end the worker.
#[wasm_bindgen]
pub struct Parser {
    tokens: Box<dyn TokenCount>,
}

#[wasm_bindgen]
impl Parser {
    /// A parser that counts tokens with the model's vocabulary and manifest; approximately without them.
    #[wasm_bindgen(constructor)]
    pub fn new(vocabulary: Option<Uint8Array>, manifest: Option<String>) -> Result<Self, JsValue> {
        let (Some(vocabulary), Some(manifest)) = (vocabulary, manifest) else {
            return Ok(Self { tokens: Box::new(ApproximateTokens) });
        };
        let load = || -> Result<WordPiece, engine::Error> {
            let manifest = Manifest::from_json(manifest.as_bytes())?;
            Ok(WordPiece::load(&vocabulary.to_vec(), &manifest)?)
        };
        Ok(Self { tokens: Box::new(load().map_err(|error| to_js(&error))?) })
    }

    /// Reads one file into a segment.
    #[wasm_bindgen(unchecked_return_type = "Parsed")]
    pub fn parse(
        &self,
        bytes: Uint8Array,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "ParseOptions | undefined")] options: JsValue,
        #[wasm_bindgen(unchecked_param_type = "OnProgress | undefined")] progress: Option<Function>,
    ) -> Result<JsValue, JsValue> {
        let options: ParseOptions = from_js(options)?;
        let mut ingest = IngestOptions::default();
        ingest.pages.password = options.password;
        if let Some(max) = options.max_bytes {
            ingest.set_file_bytes(whole(max, "maxBytes")?);
        }
        if let Some(max) = options.max_pages {
            ingest.pages.limits.pages = whole(max, "maxPages")?;
        }
        if bytes.length() as usize > ingest.pages.limits.file_bytes {
            return Err(to_js(&engine::Error::too_large(
                bytes.length() as usize,
                ingest.pages.limits.file_bytes,
            )));
        }
        let mut thrown = None;
        let mut throttle = Throttle::new(PROGRESS_INTERVAL);
        let segment = engine::ingest(&bytes.to_vec(), name, &ingest, self.tokens.as_ref(), &mut |at| {
            // The first and the last step of a stage are always reported.
            let passes = at.done == 0 || at.done == at.total || throttle.is_due();
            match if passes { tell(progress.as_ref(), at) } else { Ok(()) } {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    thrown = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        if let Some(error) = thrown {
            return Err(error);
        }
        let segment = segment.map_err(|error| to_js(&error))?;
        let info = engine::Library::new().add(&segment).map_err(|error| to_js(&error))?;
        into_js(&Parsed { segment: Uint8Array::from(segment.as_slice()), info })
    }
}

fn tell(progress: Option<&Function>, at: Progress) -> Result<(), JsValue> {
    let Some(progress) = progress else { return Ok(()) };
    let arguments = [at.stage.name().into(), (at.done as f64).into(), (at.total as f64).into()];
    let [stage, done, total] = &arguments;
    progress.call3(&JsValue::NULL, stage, done, total).map(drop)
}

/// Links the points of `Library.graphPoints`. One long call, for a worker of its own.
#[wasm_bindgen(js_name = linkGraph)]
pub fn link_graph(points: Uint8Array) -> Result<Uint8Array, JsValue> {
    let links = engine::link_graph(&points.to_vec()).map_err(|error| to_js(&error))?;
    Ok(Uint8Array::from(links.as_slice()))
}
