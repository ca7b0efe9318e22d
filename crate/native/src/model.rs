//! Embedding model on disk: the directory that is named, else `PINCITE_MODELS`, else `models/build`.

use std::fs;
use std::path::{Path, PathBuf};

use encoder::{LoadOptions, Session};
use engine::{ApproximateTokens, Manifest, TokenCount, WordPiece};

use crate::failure::Failure;

const MANIFEST: &str = "manifest.json";

/// Bits of the encoder's activations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activations {
    /// As exact as the weights.
    #[default]
    Sixteen,
    /// As in browsers with relaxed SIMD.
    Seven,
}

/// Model that was loaded.
pub struct Loaded {
    /// The model.
    pub session: Session,
    /// Why passages are not compared with questions, if the encoder's adapter is missing or does not fit.
    pub warning: Option<String>,
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
///
/// # Errors
/// [`Failure::Failed`] if there is none where the user named one.
pub fn find(named: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    let (directory, is_named) = directory(named);
    if directory.join(MANIFEST).exists() {
        return Ok(Some(directory));
    }
    if is_named {
        return Err(Failure::Failed(format!("{}: no model here, expected {MANIFEST}", directory.display())));
    }
    Ok(None)
}

/// Loads the model of a directory.
///
/// # Errors
/// If a file cannot be read or is not what the manifest declares.
pub fn load(directory: &Path, activations: Activations) -> Result<Loaded, Failure> {
    let manifest = Manifest::from_json(&bytes(&directory.join(MANIFEST))?).map_err(engine::Error::from)?;
    let model = bytes(&directory.join("model.onnx"))?;
    let vocabulary = bytes(&directory.join("vocab.txt"))?;
    let products = match activations {
        Activations::Sixteen => None,
        Activations::Seven => Some(encoder::byte_products as encoder::ByteProducts),
    };
    let comparison = manifest.files.comparison.as_ref().map(|file| bytes(&directory.join(&file.name)));
    let missing = comparison.as_ref().and_then(|found| found.as_ref().err()).map(ToString::to_string);
    let comparison = comparison.and_then(Result::ok);
    let options = LoadOptions { products, comparison: comparison.as_deref() };
    let session = Session::load_with(model, &vocabulary, &manifest, options).map_err(engine::Error::from)?;
    let problem = missing.or_else(|| session.comparing_problem().map(ToString::to_string));
    let warning = problem.map(|problem| format!("{problem}; passages are not compared with questions"));
    Ok(Loaded { session, warning })
}

/// The token counter of the model; an approximation without a model.
///
/// # Errors
/// If a file cannot be read or is not what the manifest declares.
pub fn token_count(named: Option<&Path>) -> Result<Box<dyn TokenCount + Send + Sync>, Failure> {
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
