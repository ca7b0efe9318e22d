//! Embedding model on disk: `--embedder DIR`, else `PINCITE_MODELS`, else `models/build`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use encoder::{LoadOptions, Session};
use engine::{ApproximateTokens, Manifest, TokenCount, WordPiece};

use crate::failure::Failure;

const MANIFEST: &str = "manifest.json";

/// Bits of the encoder's activations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Activations {
    /// As exact as the weights.
    #[default]
    #[value(name = "16")]
    Sixteen,
    /// As in browsers with relaxed SIMD.
    #[value(name = "7")]
    Seven,
}

/// Directory of the model; true if the user named it.
fn directory(named: Option<&Path>) -> (PathBuf, bool) {
    match (named, std::env::var_os("PINCITE_MODELS")) {
        (Some(named), _) => (named.to_owned(), true),
        (None, Some(named)) => (PathBuf::from(named), true),
        (None, None) => (PathBuf::from("models/build"), false),
    }
}

/// Directory of the model; `None` if there is none and the user named none.
fn find(named: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    let (directory, is_named) = directory(named);
    if directory.join(MANIFEST).exists() {
        return Ok(Some(directory));
    }
    if is_named {
        return Err(Failure::Failed(format!("{}: no model here, expected {MANIFEST}", directory.display())));
    }
    Ok(None)
}

/// The model; `None` if there is none and the user named none.
pub(crate) fn load(named: Option<&Path>, activations: Activations) -> Result<Option<Session>, Failure> {
    find(named)?.as_deref().map(|directory| load_from(directory, activations)).transpose()
}

fn load_from(directory: &Path, activations: Activations) -> Result<Session, Failure> {
    let manifest = Manifest::from_json(&bytes(&directory.join(MANIFEST))?).map_err(engine::Error::from)?;
    let model = bytes(&directory.join("model.onnx"))?;
    let vocabulary = bytes(&directory.join("vocab.txt"))?;
    let products = match activations {
        Activations::Sixteen => None,
        Activations::Seven => Some(encoder::byte_products as encoder::ByteProducts),
    };
    let comparison = manifest.files.comparison.as_ref().and_then(|file| {
        let path = directory.join(&file.name);
        let found = bytes(&path);
        if let Err(problem) = &found {
            note!("pincite: {problem}; comparing with the encoder as it is");
        }
        found.ok()
    });
    let options = LoadOptions { products, comparison: comparison.as_deref() };
    let session = Session::load_with(model, &vocabulary, &manifest, options).map_err(engine::Error::from)?;
    if let Some(problem) = session.comparing_problem() {
        note!("pincite: {problem}; comparing with the encoder as it is");
    }
    Ok(session)
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

/// The token counter of the model; an approximation without a model.
pub(crate) fn token_count(named: Option<&Path>) -> Result<Box<dyn TokenCount + Sync>, Failure> {
    let directory = directory(named).0;
    let path = directory.join(MANIFEST);
    if !path.exists() {
        return Ok(Box::new(ApproximateTokens));
    }
    let manifest = Manifest::from_json(&bytes(&path)?).map_err(engine::Error::from)?;
    let vocabulary = bytes(&directory.join("vocab.txt"))?;
    Ok(Box::new(WordPiece::load(&vocabulary, &manifest).map_err(engine::Error::from)?))
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::io(path, &error))
}
