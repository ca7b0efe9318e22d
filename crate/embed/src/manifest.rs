//! The model manifest, `models/manifest.json`, read and checked before a model is loaded.
//!
//! It holds the hashes of the files, so a stale or damaged download is refused with a clear message, and the meaning of
//! the numbers (pooling, normalisation, casing), so incomparable vectors are never compared: see
//! [`Manifest::fingerprint`].

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use ts_rs::TS;

use crate::Error;

/// Version of the manifest format.
const FORMAT: u32 = 1;
/// Upper limit of `max_tokens`: no BERT encoder has longer inputs, and a manifest must not request absurd memory.
const MAX_TOKENS: usize = 8192;
/// Upper limit of `dimensions`.
const MAX_DIMENSIONS: usize = 4096;
/// Upper limit of a file's size, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The declaration of a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the format; 1.
    pub format: u32,
    /// The model's name.
    pub name: String,
    /// Source of the weights.
    pub source: String,
    /// Licence of the weights, an SPDX expression.
    pub licence: String,
    /// Dimensions of the vectors.
    pub dimensions: usize,
    /// Most tokens of a text, special tokens included.
    pub max_tokens: usize,
    /// Pooling of the token vectors.
    pub pooling: Pooling,
    /// Normalisation of the pooled vector.
    pub normalisation: Normalisation,
    /// True for an uncased vocabulary: lower-case, without accents.
    pub lower_case: bool,
    /// Storage of the weights, for human readers; the file itself is decisive.
    pub weights: String,
    /// The files.
    pub files: Files,
}

/// Pooling of token vectors into one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean of all tokens.
    Mean,
    /// The first token, `[CLS]`.
    Cls,
}

/// Normalisation of the pooled vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Normalisation {
    /// Scaling to length 1. The only option, since the other crates compare directions.
    L2,
}

/// The files of a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The encoder, ONNX.
    pub model: FileEntry,
    /// The WordPiece vocabulary, one piece a line, the line number its id.
    pub vocabulary: FileEntry,
    /// Differences that are added to the encoder's matrices where texts are compared token by token, safetensors. No part of
    /// the fingerprint: vectors are made without them.
    #[serde(default)]
    pub comparison: Option<FileEntry>,
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// File name, beside the manifest.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Its SHA-256, 64 lower-case hex digits.
    pub sha256: String,
}

impl Manifest {
    /// Reads `manifest.json`.
    ///
    /// # Errors
    /// [`ErrorKind::ManifestInvalid`](crate::ErrorKind::ManifestInvalid) when it is not JSON of this shape, or
    /// declares something that this code cannot run.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let manifest: Self = serde_json::from_slice(json)
            .map_err(|cause| Error::manifest(format!("the model manifest is not readable: {cause}")))?;
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), Error> {
        let in_range = |what: &str, found: usize, least: usize, most: usize| {
            if (least..=most).contains(&found) {
                return Ok(());
            }
            Err(Error::manifest(format!("manifest has {what} {found}, expected {least} to {most}")))
        };
        if self.format != FORMAT {
            let found = self.format;
            return Err(Error::manifest(format!("manifest has format {found}, expected {FORMAT}")));
        }
        in_range("dimensions", self.dimensions, 1, MAX_DIMENSIONS)?;
        // Two marks and at least one token.
        in_range("max_tokens", self.max_tokens, 3, MAX_TOKENS)?;
        let Files { model, vocabulary, comparison } = &self.files;
        for entry in [model, vocabulary].into_iter().chain(comparison) {
            if entry.bytes > MAX_BYTES {
                let (name, bytes) = (&entry.name, entry.bytes);
                return Err(Error::manifest(format!(
                    "{name} has {bytes} bytes, expected at most {MAX_BYTES}"
                )));
            }
            let is_digest = entry.sha256.len() == 64
                && entry.sha256.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
            if !is_digest {
                let name = &entry.name;
                return Err(Error::manifest(format!("sha256 of {name} is not 64 lower-case hex digits")));
            }
        }
        Ok(())
    }

    /// Identity of the model's vectors, independent of the backend: equal if and only if vectors are comparable, which is to
    /// a cosine of 0.9999 on the same weights. `tests/reference.rs` holds the executor to that; one that falls below it
    /// raises the number in the first line, and an index made before asks to be embedded again.
    pub fn fingerprint(&self) -> String {
        let Self { dimensions, max_tokens, pooling, normalisation, lower_case, files, .. } = self;
        let (model, vocabulary) = (&files.model.sha256, &files.vocabulary.sha256);
        let identity = format!(
            "pincite vectors 1\nmodel {model}\nvocabulary {vocabulary}\ndimensions {dimensions}\n\
             max_tokens {max_tokens}\npooling {pooling:?}\nnormalisation {normalisation:?}\n\
             lower_case {lower_case}\n"
        );
        sha256_hex(identity.as_bytes())
    }
}

impl FileEntry {
    /// The entry of a file.
    pub fn of(name: &str, data: &[u8]) -> Self {
        Self { name: name.to_owned(), bytes: data.len() as u64, sha256: sha256_hex(data) }
    }

    /// Checks that `data` is this file.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](crate::ErrorKind::ModelMismatch) when it is not.
    pub fn verify(&self, data: &[u8]) -> Result<(), Error> {
        let Self { name, bytes, sha256 } = self;
        if data.len() as u64 != *bytes {
            let found = data.len();
            return Err(Error::mismatch(format!("{name} has {found} bytes, the manifest declares {bytes}")));
        }
        let found = sha256_hex(data);
        if found != *sha256 {
            return Err(Error::mismatch(format!(
                "{name} has sha256 {found}, the manifest declares {sha256}"
            )));
        }
        Ok(())
    }
}

fn sha256_hex(data: &[u8]) -> String {
    Sha256::digest(data).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    const COMMITTED: &[u8] = include_bytes!("../../../models/manifest.json");

    fn altered(from: &str, to: &str) -> Result<Manifest, Error> {
        let text = String::from_utf8(COMMITTED.to_vec()).unwrap();
        assert!(text.contains(from), "the manifest has no {from}");
        Manifest::from_json(text.replacen(from, to, 1).as_bytes())
    }

    #[test]
    fn the_committed_manifest_is_read() {
        let manifest = Manifest::from_json(COMMITTED).unwrap();
        assert_eq!((manifest.dimensions, manifest.max_tokens), (384, 256));
        assert_eq!(manifest.pooling, Pooling::Mean);
        assert_eq!(manifest.fingerprint().len(), 64);
    }

    #[test]
    fn a_manifest_that_cannot_be_run_is_refused() {
        for (from, to) in [
            ("\"format\": 1", "\"format\": 2"),
            ("\"dimensions\": 384", "\"dimensions\": 0"),
            ("\"dimensions\": 384", "\"dimensions\": -1"),
            ("\"max_tokens\": 256", "\"max_tokens\": 2"),
            ("\"max_tokens\": 256", "\"max_tokens\": 1000000"),
            ("\"pooling\": \"mean\"", "\"pooling\": \"max\""),
            ("\"normalisation\": \"l2\"", "\"normalisation\": \"none\""),
            ("\"sha256\": \"", "\"sha256\": \"F"),
            ("\"bytes\": ", "\"bytes\": 9999999999"),
            ("\"licence\"", "\"license\""),
            ("{", "["),
        ] {
            let error = altered(from, to).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ManifestInvalid, "{to}: {error}");
        }
    }

    #[test]
    fn the_fingerprint_changes_with_what_changes_vectors_only() {
        let base = Manifest::from_json(COMMITTED).unwrap().fingerprint();
        for (from, to) in [
            ("\"max_tokens\": 256", "\"max_tokens\": 128"),
            ("\"pooling\": \"mean\"", "\"pooling\": \"cls\""),
            ("\"lower_case\": true", "\"lower_case\": false"),
        ] {
            assert_ne!(altered(from, to).unwrap().fingerprint(), base, "{to}");
        }
        assert_eq!(altered("\"name\": \"all", "\"name\": \"All").unwrap().fingerprint(), base);
    }

    #[test]
    fn what_is_for_comparing_alone_may_be_left_out_and_changes_no_fingerprint() {
        let with = Manifest::from_json(COMMITTED).unwrap();
        let entry = with.files.comparison.clone().unwrap();
        assert_eq!(altered(&entry.sha256, &"0".repeat(64)).unwrap().fingerprint(), with.fingerprint());
        let mut json: serde_json::Value = serde_json::from_slice(COMMITTED).unwrap();
        json["files"].as_object_mut().unwrap().remove("comparison").unwrap();
        let without = Manifest::from_json(json.to_string().as_bytes()).unwrap();
        assert!(without.files.comparison.is_none());
        assert_eq!(without.fingerprint(), with.fingerprint());
        let error = altered(&entry.sha256, "short").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ManifestInvalid, "{error}");
    }

    #[test]
    fn other_bytes_than_declared_are_named() {
        let entry = FileEntry { name: "vocab.txt".into(), bytes: 3, sha256: sha256_hex(b"abc") };
        assert!(entry.verify(b"abc").is_ok());
        for wrong in [&b"abcd"[..], b"abd", b""] {
            let error = entry.verify(wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ModelMismatch);
            assert!(error.to_string().contains("vocab.txt"), "{error}");
        }
    }
}
