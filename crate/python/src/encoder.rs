//! The sentence encoder: texts to unit vectors.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use encoder::Session;
use engine::{Embedder as _, Progress, Stage, TokenCount};
use native::model::{self, Activations};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::{Bound, Py, PyAny, PyErr, PyResult, Python, pyclass, pymethods};
use pyo3::types::PyAnyMethods as _;

use crate::error::{of_engine, of_native};
use crate::progress::Reporter;

/// Number of texts between two looks at whether to go on.
const PART: usize = 256;
/// Number of queries whose vectors are kept.
const QUERIES: usize = 64;

/// Ids and lengths.
type Tokens<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

/// An embedding model.
#[pyclass(module = "pincite", frozen)]
pub struct Encoder {
    directory: PathBuf,
    session: Session,
    tokens: Arc<dyn TokenCount + Send + Sync>,
    /// Vectors of the latest queries, the latest first: a search over a store needs that of its query twice.
    queries: Mutex<VecDeque<(String, Vec<f32>)>>,
}

impl Encoder {
    /// The model.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Its fingerprint.
    pub fn session_fingerprint(&self) -> &str {
        self.session.fingerprint()
    }

    /// Its token counter.
    pub fn token_count(&self) -> Arc<dyn TokenCount + Send + Sync> {
        Arc::clone(&self.tokens)
    }
}

#[pymethods]
impl Encoder {
    /// The model in a directory; by default that of `PINCITE_MODELS`, else `models/build`, else the one in the wheel.
    #[new]
    #[pyo3(signature = (directory = None))]
    fn new(py: Python<'_>, directory: Option<PathBuf>) -> PyResult<Self> {
        let wheel: PathBuf = py.import("pincite")?.getattr("__file__")?.extract()?;
        let wheel = wheel.with_file_name("model");
        let load = || {
            let found = match model::find(directory.as_deref())? {
                Some(found) => found,
                None => model::find(Some(&wheel))?.unwrap_or(wheel),
            };
            let loaded = model::load(&found, Activations::default())?;
            let tokens = Arc::from(model::token_count(Some(&found))?);
            let queries = Mutex::default();
            Ok((Self { directory: found, session: loaded.session, tokens, queries }, loaded.warning))
        };
        let (encoder, warning) = py.detach(load).map_err(|failure| of_native(&failure))?;
        if let Some(warning) = warning {
            py.import("warnings")?.call_method1("warn", (warning,))?;
        }
        Ok(encoder)
    }

    /// Identity of the vectors: only those of equal fingerprint are comparable.
    #[getter]
    fn fingerprint(&self) -> &str {
        self.session.fingerprint()
    }

    /// Dimensions of a vector.
    #[getter]
    fn dimensions(&self) -> usize {
        self.session.dimensions()
    }

    /// One unit vector a text, float32 of [texts, dimensions]. `threads` is 0 for one a core. A vector is the same for any
    /// number of threads.
    #[pyo3(signature = (texts, *, threads = 0, progress = None))]
    fn embed<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let n_texts = texts.len();
        let values = self.embedded(py, texts, threads, progress)?;
        PyArray1::from_vec(py, values).reshape([n_texts, self.session.dimensions()])
    }

    /// The unit vector of a query, float32 of `[dimensions]`: that of `embed`. Those of the latest queries are kept.
    fn embed_query<'py>(&self, py: Python<'py>, query: &str) -> PyResult<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_vec(py, py.detach(|| self.query(query))?))
    }

    /// Ids of the tokens of all texts, one text after the other, special tokens included and truncated as for `embed`; and the
    /// number of ids of each text.
    fn tokens<'py>(&self, py: Python<'py>, texts: Vec<String>) -> Tokens<'py> {
        let (ids, lengths) = py.detach(|| {
            let (tokenizer, most) = (self.session.tokenizer(), self.session.max_tokens());
            let encoded: Vec<Vec<u32>> = texts.iter().map(|text| tokenizer.encode(text, most)).collect();
            let lengths: Vec<u32> =
                encoded.iter().map(|ids| u32::try_from(ids.len()).unwrap_or(u32::MAX)).collect();
            (encoded.concat(), lengths)
        });
        (PyArray1::from_vec(py, ids), PyArray1::from_vec(py, lengths))
    }

    fn __repr__(&self) -> String {
        format!("Encoder({:?}, dimensions={})", self.directory, self.session.dimensions())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (PathBuf,))> {
        Ok((py.get_type::<Self>().into_any().unbind(), (self.directory.clone(),)))
    }
}

impl Encoder {
    fn embedded(
        &self,
        py: Python<'_>,
        texts: Vec<String>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<f32>> {
        let total = texts.len();
        let n_threads = NonZeroUsize::new(threads)
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN);
        let mut reporter = Reporter::new(progress);
        py.detach(|| {
            let mut values = Vec::with_capacity(total * self.session.dimensions());
            let mut rest = texts;
            while !rest.is_empty() {
                let later = rest.split_off(rest.len().min(PART));
                let vectors = native::embedding::embed(&self.session, rest, n_threads, &|_| {})
                    .map_err(|failure| of_native(&failure))?;
                values.extend(vectors.into_iter().flatten());
                rest = later;
                let at = Progress { stage: Stage::Embed, done: total - rest.len(), total };
                if reporter.report(at).is_break() {
                    reporter.check()?;
                }
            }
            Ok::<_, PyErr>(values)
        })
    }

    /// The vector of a query.
    pub fn query(&self, query: &str) -> PyResult<Vec<f32>> {
        let kept = || self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, vector)) = kept().iter().find(|(known, _)| known == query) {
            return Ok(vector.clone());
        }
        let vectors = self.session.embed(&[query]).map_err(engine::Error::from);
        let vector = vectors.map_err(|error| of_engine(&error))?.pop().unwrap_or_default();
        let mut kept = kept();
        kept.push_front((query.to_owned(), vector.clone()));
        kept.truncate(QUERIES);
        Ok(vector)
    }
}
