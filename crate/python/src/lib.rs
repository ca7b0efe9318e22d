//! The engine as a Python extension module, `pincite._native`; what people import is the package `pincite` around it.
//!
//! A face as `wasm` and `cli` are: no algorithm here. Calls that take long let other Python threads run, report progress to
//! a callable, and end with the exception that it raises. Tables are handed over by the Arrow PyCapsule interface, their
//! texts as views of the document's one text; vectors are NumPy arrays.

mod asking;
mod document;
mod encoder;
mod endpoint;
mod error;
mod library;
mod progress;
mod shared;
mod statistics;
mod tables;
mod value;

use pyo3::prelude::{Bound, PyModule, PyModuleMethods as _, PyResult, pymodule};

/// The module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("FORMAT_VERSION", engine::FORMAT_VERSION)?;
    module.add("DEPTH", engine::DEPTH)?;
    module.add("LEGAL_THESAURUS", native::LEGAL_THESAURUS)?;
    module.add("PinciteError", module.py().get_type::<error::PinciteError>())?;
    module.add_class::<document::Document>()?;
    module.add_class::<encoder::Encoder>()?;
    module.add_class::<endpoint::Endpoint>()?;
    module.add_class::<library::Library>()?;
    module.add_class::<statistics::Statistics>()?;
    module.add_function(pyo3::wrap_pyfunction!(document::read, module)?)?;
    module.add_function(pyo3::wrap_pyfunction!(document::pack_vectors, module)?)?;
    module.add_function(pyo3::wrap_pyfunction!(document::verify, module)?)?;
    module.add_function(pyo3::wrap_pyfunction!(library::profiles, module)?)
}
