//! Vectors that an answer needs: of the question, and of passages of files, as many as `--vectors` says.
//!
//! Files are read and indexed by words; of their passages those are embedded that the words of a question find. So a
//! file of 400 pages is answered from in seconds, where embedding all of it takes a minute. A library has its vectors
//! from `pincite index`.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use engine::{Asking, Embedder, Library, Progress, Session, Stage, WantedPassage};

use crate::failure::Failure;
use crate::index::{Meter, ModelArgs};
use crate::search::{Embedded, embed_by};

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
    model: &'a ModelArgs,
    vectors: Vectors,
    /// True if passages are embedded as questions need them.
    is_on_demand: bool,
    session: OnceCell<Option<Session>>,
}

impl<'a> Embedding<'a> {
    /// For a library, or for files.
    pub(super) fn new(model: &'a ModelArgs, vectors: Vectors, is_library: bool) -> Self {
        let is_on_demand = vectors == Vectors::Candidates && !is_library;
        Self { model, vectors, is_on_demand, session: OnceCell::new() }
    }

    /// The model; `None` without one.
    fn session(&self) -> Result<Option<&Session>, Failure> {
        if self.session.get().is_none() {
            let loaded = self.model.load()?;
            return Ok(self.session.get_or_init(|| loaded).as_ref());
        }
        Ok(self.session.get().and_then(Option::as_ref))
    }

    /// The model that embeds all passages of a file, if all are to be embedded.
    pub(super) fn of_files(&self) -> Result<Option<&Session>, Failure> {
        if self.vectors == Vectors::All { self.session() } else { Ok(None) }
    }

    /// Embeds the passages that the search which is due needs, and puts them into the library.
    pub(super) fn passages(&self, library: &mut Library, asking: &mut Asking) -> Result<(), Failure> {
        if !self.is_on_demand {
            return Ok(());
        }
        let wanted = asking.wanted()?;
        let Some(session) = (if wanted.is_empty() { None } else { self.session()? }) else { return Ok(()) };
        let meter = Meter::new("question");
        let texts: Vec<&str> = wanted.iter().map(|passage| passage.text.as_str()).collect();
        let mut show = |done, total| {
            meter.show(Progress { stage: Stage::Embed, done, total });
            ControlFlow::Continue(())
        };
        let embedded = session.embed_with(&texts, &mut show).map_err(engine::Error::from)?;
        meter.clear();
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
        let Some(session) = self.session()? else { return Ok(()) };
        asking.compared(&crate::comparing::compare(session, &comparison)?);
        Ok(())
    }

    /// The vector of a query, if any passage has one.
    pub(super) fn query(&self, library: &Library, query: &str) -> Result<Option<Embedded>, Failure> {
        if self.vectors == Vectors::None || !crate::search::is_compared(library, query) {
            return Ok(None);
        }
        let Some(session) = self.session()? else { return Ok(None) };
        embed_by(session, query).map(Some)
    }
}
