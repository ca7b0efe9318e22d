//! Plain data of the engine as Python's dictionaries and lists, with the keys that JavaScript gets.

use pyo3::prelude::{Bound, PyAny, PyAnyMethods as _, PyResult, Python};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::bad_argument;

/// A value of the engine as Python's.
pub fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| bad_argument(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// A value of Python's as the engine's; `what` names it in the error.
pub fn from_python<T: DeserializeOwned>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<T> {
    let text: String = value.py().import("json")?.call_method1("dumps", (value,))?.extract()?;
    serde_json::from_str(&text).map_err(|error| bad_argument(format!("{what}: {error}")))
}
