//! Embedding model of a verb, loaded when it is first needed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use encoder::Session;
use native::model::{Activations, find};

use crate::failure::Failure;

pub(crate) use native::model::token_count;

/// Reads `--activations`: 16 or 7 bits.
pub(crate) fn activations() -> impl TypedValueParser<Value = Activations> {
    PossibleValuesParser::new(["16", "7"]).map(|bits| match bits.as_str() {
        "7" => Activations::Seven,
        _ => Activations::Sixteen,
    })
}

/// The model; `None` if there is none and the user named none.
pub(crate) fn load(named: Option<&Path>, activations: Activations) -> Result<Option<Session>, Failure> {
    find(named)?.as_deref().map(|directory| load_from(directory, activations)).transpose()
}

fn load_from(directory: &Path, activations: Activations) -> Result<Session, Failure> {
    let loaded = native::model::load(directory, activations)?;
    if let Some(warning) = loaded.warning {
        note!("pincite: {warning}");
    }
    Ok(loaded.session)
}

/// Model that is loaded when it is first needed, once for all threads.
pub(crate) struct LazyModel<'a> {
    named: Option<&'a Path>,
    activations: Activations,
    directory: OnceLock<Result<Option<PathBuf>, Failure>>,
    session: OnceLock<Result<Option<Session>, Failure>>,
}

impl<'a> LazyModel<'a> {
    /// The model in the directory that the user named, or the default one.
    pub(crate) fn new(named: Option<&'a Path>, activations: Activations) -> Self {
        Self { named, activations, directory: OnceLock::new(), session: OnceLock::new() }
    }

    /// Looks for the model. Without one, prints that the search is by words alone, the first time.
    pub(crate) fn find(&self) -> Result<Option<&Path>, Failure> {
        let found = self.directory.get_or_init(|| {
            let found = find(self.named)?;
            if found.is_none() {
                note!("pincite: no embedding model in models/build; searching by words alone");
            }
            Ok(found)
        });
        found.as_ref().map(Option::as_deref).map_err(Clone::clone)
    }

    /// The model; `None` without one.
    pub(crate) fn session(&self) -> Result<Option<&Session>, Failure> {
        let loaded = self
            .session
            .get_or_init(|| self.find()?.map(|directory| load_from(directory, self.activations)).transpose());
        loaded.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// Why the model could not be loaded, if that was tried and failed.
    pub(crate) fn failure(&self) -> Option<Failure> {
        self.session.get()?.as_ref().err().cloned()
    }
}
