//! A library in memory: documents that are searched and asked together.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use engine::{Collection, FilterOptions, Glossary, QueryVector, SearchOptions, Thesaurus};
use native::store::Store;
use pyo3::prelude::{Bound, Py, PyAny, PyRef, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyBytes, PyBytesMethods as _};

use crate::asking::{Answerer, BeforeSearch, Question};
use crate::document::Document;
use crate::encoder::Encoder;
use crate::error::{bad_argument, of_engine, of_native};
use crate::shared::SharedLibrary;
use crate::statistics::Statistics;
use crate::value::{from_python, to_python};

/// A library in memory. It may be used by several threads; a search or a question sees it as it was when it began.
#[pyclass(module = "pincite", frozen)]
pub struct Library {
    library: SharedLibrary,
    thesaurus: Mutex<Option<Arc<Thesaurus>>>,
}

impl Library {
    fn of(library: engine::Library) -> Self {
        static LEGAL: OnceLock<Arc<Thesaurus>> = OnceLock::new();
        let legal = LEGAL.get_or_init(|| Arc::new(Thesaurus::parse(native::LEGAL_THESAURUS)));
        let thesaurus = Some(Arc::clone(legal));
        Self { library: SharedLibrary::new(library), thesaurus: Mutex::new(thesaurus) }
    }

    fn thesaurus(&self) -> MutexGuard<'_, Option<Arc<Thesaurus>>> {
        self.thesaurus.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn glossary(&self) -> Glossary {
        Glossary::default().with_thesaurus(self.thesaurus().clone())
    }
}

#[pymethods]
impl Library {
    #[new]
    fn new() -> Self {
        Self::of(engine::Library::new())
    }

    /// The library that `pincite index` made in a directory.
    #[staticmethod]
    fn open(py: Python<'_>, directory: PathBuf) -> PyResult<Self> {
        let loaded = py.detach(|| Store::open(&directory)?.load());
        Ok(Self::of(loaded.map_err(|failure| of_native(&failure))?))
    }

    /// Adds a document, under another name where one is given; it replaces the one of the same bytes. Returns its
    /// description.
    #[pyo3(signature = (document, *, name = None))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        document: PyRef<'py, Document>,
        name: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stored = document.stored(py);
        let (bytes, segment) = (stored.as_bytes(), document.shared());
        let info = py.detach(|| {
            self.library.change(|library| match name {
                Some(name) => library.add_as(bytes, name),
                None => library.add_read(segment),
            })
        });
        to_python(py, &info.map_err(|error| of_engine(&error))?)
    }

    /// Adds stored vectors: those of `pack_vectors`, of the command line or of a page.
    fn add_vectors(&self, py: Python<'_>, stored: &Bound<'_, PyBytes>) -> PyResult<()> {
        let bytes = stored.as_bytes();
        let added = py.detach(|| self.library.change(|library| library.add_vectors(bytes)));
        added.map_err(|error| of_engine(&error))
    }

    /// Removes a document; false if there is none.
    fn remove(&self, id: &str) -> bool {
        self.library.change(|library| library.remove(id))
    }

    /// Descriptions of the documents, in the order in which they were added.
    #[getter]
    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.library.snapshot().documents())
    }

    /// Takes the statistics of a collection of which the library holds the documents that matter: searches then score as if
    /// it held all. `None` for those of its own documents.
    #[pyo3(signature = (statistics))]
    fn use_collection(&self, statistics: Option<PyRef<'_, Statistics>>) {
        let collection = statistics.map(|statistics| Collection::from(&*statistics));
        self.library.change(|library| library.use_collection(collection));
    }

    /// Terms whose document frequencies a search for the query may read, which `use_collection` wants to be told, and how often
    /// the query has each: 0 for a term of another name of what it says.
    fn query_terms(&self, query: &str) -> BTreeMap<String, usize> {
        self.library.snapshot().query_terms(query, &self.glossary())
    }

    /// Takes a thesaurus in place of the legal one that ships: a group of words for one concept a line, with `|` between
    /// them. `None` for no thesaurus.
    #[pyo3(signature = (groups))]
    fn use_thesaurus(&self, groups: Option<&str>) {
        *self.thesaurus() = groups.map(|groups| Arc::new(Thesaurus::parse(groups)));
    }

    /// The best passages for a query: by words alone without an encoder.
    #[pyo3(signature = (query, *, k = 10, encoder = None, units = "child", ann = "auto", fusion = "answers", documents = None, filter = None, explain = false))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        k: usize,
        encoder: Option<PyRef<'py, Encoder>>,
        units: &str,
        ann: &str,
        fusion: &str,
        documents: Option<Vec<String>>,
        filter: Option<Bound<'py, PyAny>>,
        explain: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options =
            SearchOptions::parse(k, units, ann, explain).and_then(|options| options.with_fusion(fusion));
        let options = options
            .map_err(|error| of_engine(&error))?
            .within(filter_of(documents, filter)?)
            .with_glossary(self.glossary());
        let mut library = self.library.snapshot();
        let encoder = encoder.as_deref();
        let reply = py.detach(|| {
            let values = match encoder.filter(|_| library.n_vectors() > 0 && !query.trim().is_empty()) {
                Some(encoder) => Some((encoder, encoder.query(query)?)),
                None => None,
            };
            let vector = values
                .as_ref()
                .map(|(encoder, values)| QueryVector { fingerprint: encoder.session_fingerprint(), values });
            if ann == "hnsw" && vector.is_some() {
                library.build_graph();
            }
            library.search(query, vector, &options).map_err(|error| of_engine(&error))
        })?;
        to_python(py, &reply)
    }

    /// A cited answer: extracted from the documents, or written by a language model where an endpoint is given, an
    /// `Endpoint` or a callable that takes a request (`step`, `endpoint`, `model`, `messages`, `maxTokens`, `temperature`,
    /// `schema`) and returns the reply's text.
    ///
    /// `before_search(query, library)` is called before each search; documents that it adds to the library take part.
    #[pyo3(signature = (question, *, encoder = None, endpoint = None, profile = "general", history = None, documents = None, filter = None, glossary = None, progress = None, before_search = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn ask<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        question: String,
        encoder: Option<PyRef<'py, Encoder>>,
        endpoint: Option<Py<PyAny>>,
        profile: &str,
        history: Option<Bound<'py, PyAny>>,
        documents: Option<Vec<String>>,
        filter: Option<Bound<'py, PyAny>>,
        glossary: Option<Bound<'py, PyAny>>,
        progress: Option<Py<PyAny>>,
        before_search: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = Question {
            question,
            history: history.map(|value| from_python(&value, "history")).transpose()?.unwrap_or_default(),
            glossary: glossary.map(|value| from_python(&value, "glossary")).transpose()?.unwrap_or_default(),
            profile: profile_of(profile)?,
            filter: filter_of(documents, filter)?,
            thesaurus: slf.get().glossary(),
        };
        let before_search =
            before_search.map(|callable| BeforeSearch { callable, library: slf.as_any().clone().unbind() });
        let encoder = encoder.as_deref();
        let library = &slf.get().library;
        let answer = Answerer { library, encoder, endpoint, progress, before_search }.answer(py, question)?;
        to_python(py, &answer)
    }

    fn __repr__(&self) -> String {
        format!("Library(documents=<{}>)", self.library.snapshot().documents().len())
    }
}

/// Descriptions of the profiles that ship.
#[pyfunction]
pub fn profiles(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &engine::shipped_profiles())
}

/// A profile that ships, by its name, or one in TOML.
fn profile_of(named: &str) -> PyResult<engine::Profile> {
    if let Some(profile) = engine::Profile::named(named) {
        return Ok(profile);
    }
    if !named.contains('\n') {
        let known: Vec<&str> = engine::Profile::names().collect();
        let text = format!("unknown profile, expected {} or the text of a TOML file", known.join(", "));
        return Err(bad_argument(text));
    }
    Ok(engine::read_profile(named).map_err(|error| of_engine(&error))?.0)
}

/// The filter of some documents and of further conditions.
fn filter_of(documents: Option<Vec<String>>, filter: Option<Bound<'_, PyAny>>) -> PyResult<FilterOptions> {
    let mut options: FilterOptions =
        filter.map(|value| from_python(&value, "filter")).transpose()?.unwrap_or_default();
    if let Some(documents) = documents {
        if documents.is_empty() {
            return Err(bad_argument("no document to search: leave `documents` out to search all"));
        }
        options.documents.extend(documents);
    }
    Ok(options)
}
