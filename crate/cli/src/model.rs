//! Embedding model on disk: `--embedder DIR`, else `PINCITE_MODELS`, else `models/build`.

use std::fs;
use std::path::{Path, PathBuf};

use engine::{ApproximateTokens, Manifest, Session, TokenCount};

use crate::failure::Failure;

/// Directory of the model; true if the user named it.
fn directory(named: Option<&Path>) -> (PathBuf, bool) {
    match (named, std::env::var_os("PINCITE_MODELS")) {
        (Some(named), _) => (named.to_owned(), true),
        (None, Some(named)) => (PathBuf::from(named), true),
        (None, None) => (PathBuf::from("models/build"), false),
    }
}

/// The model; `None` if there is none and the user named none.
pub(crate) fn load(named: Option<&Path>) -> Result<Option<Session>, Failure> {
    let (directory, is_named) = directory(named);
    let path = directory.join("manifest.json");
    if !path.exists() {
        if is_named {
            return Err(Failure::Failed(format!(
                "{}: no model here, expected manifest.json",
                directory.display()
            )));
        }
        return Ok(None);
    }
    let manifest = Manifest::from_json(&bytes(&path)?).map_err(engine::Error::from)?;
    let model = bytes(&directory.join("model.onnx"))?;
    let vocabulary = bytes(&directory.join("vocab.txt"))?;
    let session = Session::load(model, &vocabulary, &manifest).map_err(engine::Error::from)?;
    Ok(Some(session))
}

/// The token counter of the model; an approximation without a model.
pub(crate) fn token_count(named: Option<&Path>) -> Result<Box<dyn TokenCount>, Failure> {
    let directory = directory(named).0;
    let path = directory.join("manifest.json");
    if !path.exists() {
        return Ok(Box::new(ApproximateTokens));
    }
    let manifest = Manifest::from_json(&bytes(&path)?).map_err(engine::Error::from)?;
    let vocabulary = bytes(&directory.join("vocab.txt"))?;
    Ok(Box::new(Session::load_tokenizer(&vocabulary, &manifest).map_err(engine::Error::from)?))
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::io(path, &error))
}
