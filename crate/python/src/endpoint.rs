//! A language model over HTTP: the client of the command line.

use std::time::Duration;

use native::endpoint::{Endpoint as Native, Key, Protocol};
use pyo3::prelude::{PyResult, pyclass, pymethods};

use crate::error::{bad_argument, of_native};

/// Longest time for a reply, in seconds.
const MAX_TIMEOUT: f64 = 3600.0;

/// Endpoint of a language model. Its key goes into a header and to this endpoint only, over https or to this machine.
#[pyclass(module = "pincite", frozen)]
pub struct Endpoint {
    endpoint: Native,
    base_url: String,
    model: String,
}

impl Endpoint {
    /// The client.
    pub fn client(&self) -> &Native {
        &self.endpoint
    }
}

#[pymethods]
impl Endpoint {
    /// The endpoint at a base URL, such as `http://localhost:11434/v1`. Without a key, that of the environment variable
    /// `PINCITE_API_KEY` is taken. `protocol` is `openai` or `anthropic`, `timeout` in seconds.
    #[new]
    #[pyo3(signature = (base_url, model, *, protocol = "openai", key = None, timeout = 120.0))]
    fn new(
        base_url: String,
        model: String,
        protocol: &str,
        key: Option<String>,
        timeout: f64,
    ) -> PyResult<Self> {
        let protocol = match protocol {
            "openai" => Protocol::Openai,
            "anthropic" => Protocol::Anthropic,
            _ => return Err(bad_argument("unknown protocol, expected openai or anthropic")),
        };
        if !(timeout > 0.0 && timeout <= MAX_TIMEOUT) {
            return Err(bad_argument("the timeout is not between 0 and 3600 seconds"));
        }
        let variable = "PINCITE_API_KEY".to_owned();
        let key = match key {
            Some(key) => Key { variable, value: Some(key) },
            None => Key::of(variable),
        };
        let timeout = Duration::from_secs_f64(timeout);
        let endpoint = Native::new(&base_url, protocol, &model, timeout, key);
        Ok(Self { endpoint: endpoint.map_err(|failure| of_native(&failure))?, base_url, model })
    }

    /// Without the key.
    fn __repr__(&self) -> String {
        format!("Endpoint({:?}, {:?})", self.base_url, self.model)
    }
}
