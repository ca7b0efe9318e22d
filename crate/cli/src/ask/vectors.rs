//! Vectors that an answer needs: of the question, and of passages of files, as many as `--vectors` says.
//!
//! Files are read and indexed by words; of their passages those are embedded that the words of a question find. So a
//! file of 400 pages is answered from in seconds, where embedding all of it takes a minute. A library has its vectors
//! from `pincite index`.

use std::collections::BTreeMap;

use engine::{Asking, Embedder as _, Library, WantedPassage};

use crate::embedding;
use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::model::LazyModel;
use crate::search::{Embedded, embed_by};
use crate::terminal::{clear_progress, show_progress};
use crate::threads::one_per_core;

/// Passages of files to embed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Vectors {
    /// The best 100 by the words of each question.
    Candidates,
    /// All, before the question is searched.
    All,
    /// None: the search is by words alone.
    None,
}

/// Embedding model of an answer, loaded when it is first needed.
pub(super) struct Embedding<'a> {
    model: LazyModel<'a>,
    vectors: Vectors,
    /// True if passages are embedded as questions need them.
    is_on_demand: bool,
}

impl<'a> Embedding<'a> {
    /// For a library, or for files.
    pub(super) fn new(model: &'a ModelArgs, vectors: Vectors, is_library: bool) -> Self {
        let is_on_demand = vectors == Vectors::Candidates && !is_library;
        Self { model: model.lazy(), vectors, is_on_demand }
    }

    /// The model that embeds all passages of a file, if all are to be embedded.
    pub(super) fn of_files(&self) -> Result<Option<&LazyModel<'a>>, Failure> {
        let is_used = self.vectors == Vectors::All && self.model.find()?.is_some();
        Ok(is_used.then_some(&self.model))
    }

    /// Embeds the passages that the search which is due needs, and puts them into the library.
    pub(super) fn passages(&self, library: &mut Library, asking: &mut Asking) -> Result<(), Failure> {
        if !self.is_on_demand {
            return Ok(());
        }
        let wanted = asking.wanted()?;
        let Some(session) = (if wanted.is_empty() { None } else { self.model.session()? }) else {
            return Ok(());
        };
        let texts = wanted.iter().map(|passage| passage.text.clone()).collect();
        let show = |progress| show_progress("question", progress);
        let embedded = embedding::embed(session, texts, one_per_core(), &show)?;
        clear_progress();
        let mut by_document: BTreeMap<&str, BTreeMap<usize, Vec<f32>>> = BTreeMap::new();
        for (WantedPassage { document, row, text: _ }, vector) in wanted.iter().zip(embedded) {
            by_document.entry(document).or_default().insert(*row, vector);
        }
        for (document, vectors) in by_document {
            library.put_single_vectors(document, vectors, session.fingerprint())?;
        }
        asking.take_vectors(library);
        Ok(())
    }

    /// Compares the passages of the search just done with its query, if they are to be compared.
    pub(super) fn compare(&self, asking: &mut Asking) -> Result<(), Failure> {
        let Some(comparison) = asking.comparison() else { return Ok(()) };
        let Some(session) = self.model.session()? else { return Ok(()) };
        asking.compared(&crate::comparing::compare(session, &comparison)?);
        Ok(())
    }

    /// The vector of a query, if any passage has one.
    pub(super) fn query(&self, library: &Library, query: &str) -> Result<Option<Embedded>, Failure> {
        if self.vectors == Vectors::None || !crate::search::is_compared(library, query) {
            return Ok(None);
        }
        let Some(session) = self.model.session()? else { return Ok(None) };
        embed_by(session, query).map(Some)
    }
}
