//! Stored segment that is read step by step: the class `SegmentReader`.

use engine::{Segment, Step, Steps};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use border::to_js;

/// Bytes that are copied into the engine in one step.
const COPIED: usize = 4 << 20;

/// Stored segment that is read step by step, so that the worker can answer others in between. Call `read` until it returns
/// false, then pass it to `Library.addRead`.
#[wasm_bindgen]
pub struct SegmentReader {
    state: State,
}

enum State {
    Copying {
        source: Uint8Array,
        bytes: Vec<u8>,
    },
    Decoding(Steps<Result<Segment, engine::Error>>),
    Read(Box<Segment>),
    /// An error was thrown.
    Failed,
}

#[wasm_bindgen]
impl SegmentReader {
    /// A reader of the bytes that `Parser.parse` made.
    #[wasm_bindgen(constructor)]
    pub fn new(segment: Uint8Array) -> Self {
        Self { state: State::Copying { source: segment, bytes: Vec::new() } }
    }

    /// Reads on for some milliseconds; false when all is read. Throws `index-version` and `index-damaged`.
    pub fn read(&mut self) -> Result<bool, JsValue> {
        self.state = match std::mem::replace(&mut self.state, State::Failed) {
            State::Copying { source, mut bytes } => {
                let (start, n_bytes) = (bytes.len(), source.length() as usize);
                let end = n_bytes.min(start + COPIED);
                let mut copied = source.subarray(start as u32, end as u32).to_vec();
                if start == 0 && end == n_bytes {
                    bytes = copied;
                } else {
                    bytes.reserve_exact(n_bytes - start);
                    bytes.append(&mut copied);
                }
                if end < n_bytes {
                    State::Copying { source, bytes }
                } else {
                    State::Decoding(engine::reading(bytes))
                }
            }
            State::Decoding(steps) => match steps.step() {
                Step::More(steps) => State::Decoding(steps),
                Step::Done(segment) => State::Read(Box::new(segment.map_err(|error| to_js(&error))?)),
            },
            state @ (State::Read(_) | State::Failed) => state,
        };
        Ok(matches!(self.state, State::Copying { .. } | State::Decoding(_)))
    }
}

impl SegmentReader {
    /// The segment, once it is read.
    pub(crate) fn segment(self) -> Option<Segment> {
        match self.state {
            State::Read(segment) => Some(*segment),
            State::Copying { .. } | State::Decoding(_) | State::Failed => None,
        }
    }
}
