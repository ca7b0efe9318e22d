//! Values across the border: plain objects by serde.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use crate::error::bad_argument;

/// A whole number that JavaScript gave.
///
/// # Errors
/// `bad-argument` when it is not one of 32 bits.
pub fn whole(number: f64, name: &str) -> Result<usize, JsValue> {
    let is_whole =
        number.is_finite() && number >= 0.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX);
    if is_whole { Ok(number as usize) } else { Err(bad_argument(&format!("{name} is not a whole number"))) }
}

/// An argument; the default if it is missing.
///
/// # Errors
/// `bad-argument` when it has another shape.
pub fn from_js<T: DeserializeOwned + Default>(value: JsValue) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    serde_wasm_bindgen::from_value(value).map_err(|error| bad_argument(&error.to_string()))
}

/// A result as a plain object; `None` as `null`.
///
/// # Errors
/// `bad-argument` when the value has no plain form, which no type that crosses is without.
pub fn into_js<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let serializer =
        serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true).serialize_maps_as_objects(true);
    value.serialize(&serializer).map_err(|error| bad_argument(&error.to_string()))
}
