//! A document: read from a file, or from the bytes that a library stores.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use engine::{IngestOptions, Segment, TokenCount};
use numpy::PyReadonlyArray2;
use pyo3::prelude::{
    Bound, Py, PyAny, PyAnyMethods as _, PyErr, PyRef, PyResult, Python, pyclass, pyfunction, pymethods,
};
use pyo3::types::{PyBytes, PyBytesMethods as _};
use pyo3_arrow::PyRecordBatch;

use crate::encoder::Encoder;
use crate::error::{bad_argument, of_engine, of_native};
use crate::progress::Reporter;
use crate::statistics::Statistics;
use crate::tables::{Tables, postings};
use crate::value::to_python;

/// A document that was read: its text, its layout, its passages.
#[pyclass(module = "pincite", frozen)]
pub struct Document {
    /// Stored bytes, as they go into a library.
    stored: Py<PyBytes>,
    segment: Arc<Segment>,
    /// A library of this document alone, for what libraries know of their documents.
    library: Mutex<engine::Library>,
    tables: Tables,
}

impl Document {
    fn of_stored(stored: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let py = stored.py();
        let bytes = stored.as_bytes();
        let read = py.detach(|| {
            let mut library = engine::Library::new();
            let info = library.add(bytes)?;
            let segment = library.segment(&info.id).map(Arc::clone);
            Ok::<_, engine::Error>((library, segment))
        });
        let (library, segment) = read.map_err(|error| of_engine(&error))?;
        let segment = segment.ok_or_else(|| bad_argument("these bytes hold no document"))?;
        Ok(Self {
            stored: stored.clone().unbind(),
            tables: Tables::new(Arc::clone(&segment)),
            segment,
            library: Mutex::new(library),
        })
    }

    /// The document.
    fn document(&self) -> &::document::Document {
        self.segment.document()
    }

    fn library(&self) -> MutexGuard<'_, engine::Library> {
        self.library.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The segment, to be shared with libraries.
    pub fn shared(&self) -> Arc<Segment> {
        Arc::clone(&self.segment)
    }

    /// Stored bytes.
    pub fn stored<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.stored.bind(py).clone()
    }
}

#[pymethods]
impl Document {
    /// A document from the bytes that a library stores: `Document.segment`.
    #[staticmethod]
    fn from_segment(segment: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Self::of_stored(segment)
    }

    /// SHA-256 of the file.
    #[getter]
    fn id(&self) -> &str {
        &self.document().digest
    }

    /// File name.
    #[getter]
    fn name(&self) -> &str {
        &self.document().name
    }

    /// Title, if the document has one.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.document().title.as_deref()
    }

    /// Date that the document gives itself, ISO 8601 to the precision printed.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.document().tree.date()
    }

    /// Edition that the document gives itself, as printed.
    #[getter]
    fn edition(&self) -> Option<String> {
        self.library().documents().pop()?.edition
    }

    /// Statements of the document about its edition, as printed.
    #[getter]
    fn editions(&self) -> Vec<&str> {
        self.document().tree.editions.iter().map(|edition| edition.text.as_str()).collect()
    }

    /// Number of pages; 0 for a document without pages.
    #[getter]
    fn n_pages(&self) -> usize {
        self.document().layout.pages.len()
    }

    /// Number of passages that get a vector, or would if the model could read them: the rows.
    #[getter]
    fn n_passages(&self) -> usize {
        self.segment.embeddable().len()
    }

    /// The text, in reading order.
    #[getter]
    fn text(&self) -> &str {
        &self.document().layout.text
    }

    /// Diagnostics of reading the file.
    #[getter]
    fn diags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.library().documents().pop();
        to_python(py, &info.map(|info| info.diags).unwrap_or_default())
    }

    /// Description, as a library lists it.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // Released before Python runs, which may give up its lock to a thread that waits for this one.
        let info = self.library().documents().pop();
        to_python(py, &info)
    }

    /// Stored bytes: the same as those of the command line and of the page.
    #[getter]
    fn segment<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.stored(py)
    }

    /// Rows whose passages the embedding model can read.
    #[getter]
    fn embeddable(&self) -> Vec<usize> {
        let runs = self.library().passages_without_vectors(self.id());
        runs.into_iter().flat_map(|[start, end]| start..end).collect()
    }

    /// Texts to embed: of all rows, or of those given.
    #[pyo3(signature = (rows = None))]
    fn passages(&self, rows: Option<Vec<usize>>) -> Vec<String> {
        let library = self.library();
        match rows {
            Some(rows) => library.passages_at(self.id(), &rows),
            None => library.passages(self.id(), 0, self.n_passages()),
        }
    }

    /// Statistics for BM25.
    #[getter]
    fn statistics(&self) -> Statistics {
        Statistics::of(&self.segment)
    }

    /// Pages: number, label, width and height in points, as shown.
    #[getter]
    fn pages(&self) -> PyResult<PyRecordBatch> {
        self.tables.pages()
    }

    /// Blocks in reading order.
    #[getter]
    fn blocks(&self) -> PyResult<PyRecordBatch> {
        self.tables.blocks()
    }

    /// Sections in order, the root first.
    #[getter]
    fn sections(&self) -> PyResult<PyRecordBatch> {
        self.tables.sections()
    }

    /// References to provisions.
    #[getter]
    fn references(&self) -> PyResult<PyRecordBatch> {
        self.tables.references()
    }

    /// Footnotes and endnotes with their marks.
    #[getter]
    fn notes(&self) -> PyResult<PyRecordBatch> {
        self.tables.notes()
    }

    /// Terms that the document defines.
    #[getter]
    fn terms(&self) -> PyResult<PyRecordBatch> {
        self.tables.terms()
    }

    /// Chunks: parents, children, articles and notes.
    #[getter]
    fn chunks(&self) -> PyResult<PyRecordBatch> {
        self.tables.chunks()
    }

    /// Places of the chunks on their pages: a quad for each line, in the units of the page, x and y of its four corners.
    #[getter]
    fn quads(&self) -> PyResult<PyRecordBatch> {
        self.tables.quads()
    }

    /// Units: the chunks that are found by words, each with the row of its vector.
    #[getter]
    fn units(&self) -> PyResult<PyRecordBatch> {
        self.tables.units()
    }

    /// Postings: BM25's saturated term frequency of each term in each unit, 0 to 1, without idf. `mean_length` is that of
    /// the collection in terms, by default the document's own.
    #[pyo3(signature = (mean_length = None))]
    fn postings(&self, mean_length: Option<f64>) -> PyResult<PyRecordBatch> {
        postings(&self.segment, mean_length)
    }

    fn __repr__(&self) -> String {
        let (name, n_pages, n_passages) = (self.name(), self.n_pages(), self.n_passages());
        format!("Document({name:?}, n_pages={n_pages}, n_passages={n_passages})")
    }

    fn __reduce__(slf: PyRef<'_, Self>) -> PyResult<(Py<PyAny>, (Py<PyBytes>,))> {
        let py = slf.py();
        let from_segment = py.get_type::<Self>().getattr("from_segment")?;
        Ok((from_segment.unbind(), (slf.stored.clone_ref(py),)))
    }
}

/// Reads a PDF or a Word file, from a path or from bytes. `encoder` counts tokens, and nothing is embedded.
#[pyfunction]
#[pyo3(signature = (source, *, name = None, password = None, encoder = None, max_bytes = None, max_pages = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn read(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    password: Option<String>,
    encoder: Option<PyRef<'_, Encoder>>,
    max_bytes: Option<usize>,
    max_pages: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Document> {
    let (bytes, name) = bytes_of(source, name)?;
    let mut options = IngestOptions::default();
    options.pages.password = password;
    if let Some(max) = max_bytes {
        options.set_file_bytes(max);
    }
    if let Some(max) = max_pages {
        options.pages.limits.pages = max;
    }
    let limit = options.pages.limits.file_bytes;
    if bytes.len() > limit {
        return Err(of_engine(&engine::Error::too_large(bytes.len(), limit)));
    }
    let tokens = match encoder {
        Some(encoder) => encoder.token_count(),
        None => usual_tokens()?,
    };
    let mut reporter = Reporter::new(progress);
    let segment =
        py.detach(|| engine::ingest(&bytes, &name, &options, tokens.as_ref(), &mut |at| reporter.report(at)));
    let segment = segment.map_err(|error| reporter.ended(of_engine(&error)))?;
    Document::of_stored(&PyBytes::new(py, &segment))
}

/// The token counter of the model in its usual place, read once: of `PINCITE_MODELS` or `models/build` as they are then.
fn usual_tokens() -> PyResult<Arc<dyn TokenCount + Send + Sync>> {
    static USUAL: OnceLock<Arc<dyn TokenCount + Send + Sync>> = OnceLock::new();
    if let Some(tokens) = USUAL.get() {
        return Ok(Arc::clone(tokens));
    }
    let tokens = Arc::from(native::model::token_count(None).map_err(|failure| of_native(&failure))?);
    Ok(Arc::clone(USUAL.get_or_init(|| tokens)))
}

/// Bytes and name of a file: a path, or bytes under a name.
fn bytes_of(source: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<(Vec<u8>, String)> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok((bytes.as_bytes().to_vec(), name.unwrap_or_else(|| "document".to_owned())));
    }
    let path: PathBuf = source.extract()?;
    let bytes = source.py().detach(|| std::fs::read(&path)).map_err(|error| {
        let kind = PyErr::from(std::io::Error::from(error.kind()));
        let text = format!("{}: {error}", path.display());
        PyErr::from_type(kind.get_type(source.py()), text)
    })?;
    let file = || path.file_name().map_or_else(String::new, |file| file.to_string_lossy().into_owned());
    Ok((bytes, name.unwrap_or_else(file)))
}

/// Stored vectors of the rows from `start` on: what `Library.add_vectors` takes.
#[pyfunction]
#[pyo3(signature = (document, vectors, fingerprint, start = 0))]
pub fn pack_vectors<'py>(
    py: Python<'py>,
    document: PyRef<'py, Document>,
    vectors: PyReadonlyArray2<'py, f32>,
    fingerprint: &str,
    start: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let rows: Vec<Vec<f32>> = vectors.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    let mut library = document.library().clone();
    let id = document.id();
    // Rows that the model cannot read have no vector: they are not asked for, and what is given for them is left out.
    let readable: std::collections::BTreeSet<usize> = document.embeddable().into_iter().collect();
    let rows = (start..).zip(rows).filter(|(row, _)| readable.contains(row)).collect();
    let stored = library.put_single_vectors(id, rows, fingerprint).map_err(|error| of_engine(&error))?;
    let bytes: Vec<u8> = stored.into_iter().flat_map(|stored| stored.bytes).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// Looks up a quotation in a document: its status as that of a citation, the words of the document, where they stand.
#[pyfunction]
pub fn verify<'py>(
    py: Python<'py>,
    quotation: &str,
    document: PyRef<'py, Document>,
) -> PyResult<Bound<'py, PyAny>> {
    let document = &*document;
    let located = py.detach(|| document.library().locate_quotation(document.id(), quotation));
    to_python(py, &located.map_err(|error| of_engine(&error))?)
}
