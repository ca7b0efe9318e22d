//! Errors in JavaScript: an `Error` with `name = "EngineError"`, `code` and `hint`.
//!
//! The codes are those of [`engine::Code`]; a test of `www/engine/errors.js` reads that table and compares its own.

use engine::{Code, Error};
use wasm_bindgen::JsValue;

/// Error of the engine as a JavaScript `Error`.
pub fn to_js(error: &Error) -> JsValue {
    make(error.code().name(), &error.to_string(), error.hint())
}

/// Error about a wrong argument.
pub fn bad_argument(message: &str) -> JsValue {
    make(Code::BadArgument.name(), message, "")
}

fn make(code: &str, message: &str, hint: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    error.set_name("EngineError");
    for (key, value) in [("code", code), ("hint", hint)] {
        // Setting a property of a fresh, extensible object does not fail.
        drop(js_sys::Reflect::set(&error, &JsValue::from_str(key), &JsValue::from_str(value)));
    }
    error.into()
}
