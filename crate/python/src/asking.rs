//! The answering machine driven from Python: searches, comparisons, requests to a language model, until it has its answer.

use std::collections::BTreeMap;

use engine::{
    Answer, Ask, Asking, Embedder as _, Fault, FilterOptions, Finish, Glossary, NextAction, Profile,
    QueryVector, Reply, SearchOptions, Turn, WantedPassage,
};
use pyo3::prelude::{Py, PyAny, PyAnyMethods as _, PyResult, Python};
use pyo3::types::{PyDict, PyDictMethods as _};
use serde_json::{Value, json};

use crate::encoder::Encoder;
use crate::endpoint::Endpoint;
use crate::error::{bad_argument, of_engine, of_native};
use crate::shared::SharedLibrary;
use crate::value::to_python;

/// A question and how it is to be answered.
pub struct Question {
    pub question: String,
    pub history: Vec<Turn>,
    pub profile: Profile,
    pub glossary: BTreeMap<String, Vec<String>>,
    pub filter: FilterOptions,
    pub thesaurus: Glossary,
}

/// A callable that is called before each search, and the library that it is called with.
pub struct BeforeSearch {
    pub callable: Py<PyAny>,
    pub library: Py<PyAny>,
}

/// Library, models and callables that answer a question.
pub struct Answerer<'a> {
    pub library: &'a SharedLibrary,
    pub encoder: Option<&'a Encoder>,
    pub endpoint: Option<Py<PyAny>>,
    pub progress: Option<Py<PyAny>>,
    pub before_search: Option<BeforeSearch>,
}

impl Answerer<'_> {
    /// The answer. Python's lock is given up while the engine works or an `Endpoint` is waited for.
    pub fn answer(&self, py: Python<'_>, question: Question) -> PyResult<Answer> {
        let Question { question, history, profile, glossary, filter, thesaurus } = question;
        let mut asking = self.library.snapshot().asking(Ask {
            question,
            history,
            profile,
            glossary,
            has_model: self.endpoint.is_some(),
            search: SearchOptions::for_answers().within(filter).with_glossary(thesaurus),
        });
        loop {
            py.check_signals()?;
            if let Some(query) = asking.query().map(str::to_owned) {
                self.tell(py, &json!({ "step": "search", "query": query }))?;
                self.search(py, &mut asking, &query)?;
                continue;
            }
            let NextAction::Ask(request) = asking.need() else { break };
            let Some(endpoint) = &self.endpoint else { break };
            let request = request.clone();
            self.tell(
                py,
                &json!({ "step": request.step.name(), "bytes": request.n_bytes(), "passages": request.sent.len() }),
            )?;
            match reply(py, endpoint, &request)? {
                Ok(reply) => asking.replied(&reply),
                Err((fault, lasts)) => {
                    self.tell(py, &json!({ "step": request.step.name(), "failed": fault.message }))?;
                    asking.failed(&fault, lasts);
                }
            }
        }
        Ok(py.detach(|| asking.finish()))
    }

    /// Does the search that is due.
    fn search(&self, py: Python<'_>, asking: &mut Asking, query: &str) -> PyResult<()> {
        let library = self.library;
        if let Some(before) = &self.before_search {
            before.callable.call1(py, (query, &before.library))?;
            asking.take_documents(&library.snapshot()).map_err(|error| of_engine(&error))?;
        }
        let encoder = self.encoder;
        py.detach(|| {
            let of_engine = |error: engine::Error| of_engine(&error);
            let values = match encoder {
                Some(encoder) => {
                    embed_wanted(encoder, library, asking)?;
                    Some(encoder.query(query)?)
                }
                None => None,
            };
            let vector = encoder
                .zip(values.as_ref())
                .map(|(encoder, values)| QueryVector { fingerprint: encoder.session_fingerprint(), values });
            asking.search(vector).map_err(of_engine)?;
            if let (Some(encoder), Some(comparison)) = (encoder, asking.comparison()) {
                let matches = native::comparing::compare(encoder.session(), &comparison);
                asking.compared(&matches.map_err(|failure| of_native(&failure))?);
            }
            Ok(())
        })
    }

    fn tell(&self, py: Python<'_>, what: &Value) -> PyResult<()> {
        match &self.progress {
            Some(progress) => progress.call1(py, (to_python(py, what)?,)).map(drop),
            None => Ok(()),
        }
    }
}

/// Embeds the passages that the search which is due needs and that have no vector, and puts them into the library.
fn embed_wanted(encoder: &Encoder, library: &SharedLibrary, asking: &mut Asking) -> PyResult<()> {
    let wanted = asking.wanted().map_err(|error| of_engine(&error))?;
    if wanted.is_empty() {
        return Ok(());
    }
    let texts = wanted.iter().map(|passage| passage.text.clone()).collect();
    let n_threads = std::thread::available_parallelism().unwrap_or(std::num::NonZeroUsize::MIN);
    let vectors = native::embedding::embed(encoder.session(), texts, n_threads, &|_| {})
        .map_err(|failure| of_native(&failure))?;
    let mut by_document: BTreeMap<String, BTreeMap<usize, Vec<f32>>> = BTreeMap::new();
    for (WantedPassage { document, row, text: _ }, vector) in wanted.into_iter().zip(vectors) {
        by_document.entry(document).or_default().insert(row, vector);
    }
    let fingerprint = encoder.session().fingerprint();
    let put = library.change(|library| {
        for (document, vectors) in by_document {
            // A document that was removed since the question began needs none.
            if library.segment(&document).is_some() {
                library.put_single_vectors(&document, vectors, fingerprint)?;
            }
        }
        Ok::<_, engine::Error>(())
    });
    put.map_err(|error| of_engine(&error))?;
    asking.take_vectors(&library.snapshot());
    Ok(())
}

/// The reply to a request, or why none came and whether another request would fail too. An exception of a callable is the
/// caller's.
fn reply(
    py: Python<'_>,
    endpoint: &Py<PyAny>,
    request: &engine::Request,
) -> PyResult<Result<Reply, (Fault, bool)>> {
    let bound = endpoint.bind(py);
    if let Ok(endpoint) = bound.cast::<Endpoint>() {
        let client = endpoint.get().client();
        let replied = py.detach(|| client.reply(&request.chat(), &mut |_| {}));
        return Ok(replied.map_err(|error| (error.fault, error.lasts)));
    }
    if let Ok(named) = bound.cast::<PyDict>() {
        // Endpoints by the names that a profile gives its steps; the one without a name is under "".
        let name = request.endpoint.clone().unwrap_or_default();
        return match named.get_item(&name)? {
            Some(one) if one.cast::<PyDict>().is_err() => reply(py, &one.unbind(), request),
            _ => {
                let message = format!("the profile names an endpoint {name:?}, which was not given");
                Ok(Err((Fault { code: "bad-config".to_owned(), message }, true)))
            }
        };
    }
    if !bound.is_callable() {
        return Err(bad_argument("`endpoint` is no Endpoint, no callable and no dictionary of them"));
    }
    let messages: Vec<Value> = request
        .messages
        .iter()
        .map(|message| json!({ "role": message.role.name(), "content": message.content }))
        .collect();
    let asked = json!({
        "step": request.step.name(),
        "endpoint": request.endpoint,
        "model": request.model,
        "messages": messages,
        "maxTokens": request.max_tokens,
        "temperature": request.temperature,
        "schema": request.schema,
    });
    let text: String = bound.call1((to_python(py, &asked)?,))?.extract()?;
    Ok(Ok(Reply { text, finish: Finish::Stop }))
}
