//! Errors of the engine as Python's exception `PinciteError`, with their codes.

use native::failure::Failure;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::{PyAnyMethods as _, PyErr, Python};

create_exception!(
    pincite,
    PinciteError,
    PyException,
    "Error of the engine: `code` for a program, the text and `hint` for a person."
);

/// Makes the exception of a code.
fn exception(code: &str, text: String, hint: &str) -> PyErr {
    let error = PinciteError::new_err(text);
    let with_details = Python::attach(|py| {
        let value = error.value(py);
        value.setattr("code", code)?;
        value.setattr("hint", hint)
    });
    with_details.err().unwrap_or(error)
}

/// An error of the engine.
pub fn of_engine(error: &engine::Error) -> PyErr {
    exception(error.code().name(), error.to_string(), error.hint())
}

/// A failure of what is around the engine: files, threads, requests.
pub fn of_native(failure: &Failure) -> PyErr {
    let code = match failure {
        Failure::Usage(_) => engine::Code::BadArgument.name(),
        Failure::Engine { code, .. } => code.name(),
        Failure::Failed(_) => "failed",
    };
    exception(code, failure.to_string(), "")
}

/// A wrong argument.
pub fn bad_argument(text: impl Into<String>) -> PyErr {
    of_engine(&engine::Error::bad_argument(text))
}
