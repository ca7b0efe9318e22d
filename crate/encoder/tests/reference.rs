//! Token ids and vectors against those of the original implementations, over the texts of
//! `models/reference.py`; and what loading refuses.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a helper fails its test")]

mod built;

use std::ops::ControlFlow;

use embed::{Embedder as _, ErrorKind, WordPiece};
use encoder::Session;
use serde_json::Value;
use text::TokenCount as _;

fn load(test: &str) -> Option<Session> {
    let built = built::files(test)?;
    Some(Session::load(built.model, &built.vocabulary, &built.manifest).unwrap())
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// A vector as `models/reference.py` packs it: base64 of little-endian `i16`.
fn unpack(packed: &str) -> Vec<f32> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut n_bits, mut bytes) = (0u32, 0, Vec::new());
    for c in packed.bytes().filter(|&c| c != b'=') {
        let value = alphabet.iter().position(|&known| known == c).expect("base64");
        bits = bits << 6 | u32::try_from(value).unwrap();
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xff) as u8);
        }
    }
    bytes.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32767.0).collect()
}

struct Reference {
    model: String,
    texts: Vec<String>,
    same: Vec<Vec<f32>>,
    full: Vec<Vec<f32>>,
}

fn reference() -> Reference {
    let table: Value = serde_json::from_str(include_str!("vectors.json")).unwrap();
    let strings = |key: &str| -> Vec<String> {
        table[key].as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_string()).collect()
    };
    let vectors = |key: &str| strings(key).iter().map(|packed| unpack(packed)).collect();
    Reference {
        model: table["model"].as_str().unwrap().to_string(),
        texts: strings("texts"),
        same: vectors("same"),
        full: vectors("full"),
    }
}

#[test]
fn vectors_are_those_of_onnxruntime() {
    let Some(session) = load("vectors_are_those_of_onnxruntime") else { return };
    let Reference { model, texts, same, full } = reference();
    let manifest = include_str!("../../../models/manifest.json");
    assert!(manifest.contains(&model), "vectors.json is of another model; run models/reference.py");
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = session.embed(&texts).unwrap();
    let (mut least_same, mut least_full) = (1f64, 1f64);
    for ((vector, same), full) in vectors.iter().zip(&same).zip(&full) {
        assert_eq!(vector.len(), session.dimensions());
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-6);
        let length: f64 = vector.iter().map(|&v| f64::from(v) * f64::from(v)).sum();
        assert!((length - 1.0).abs() < 1e-5, "length {length}");
        least_same = least_same.min(cosine(vector, same));
        least_full = least_full.min(cosine(vector, full));
    }
    println!("least cosine: {least_same:.8} on the same weights, {least_full:.6} to f32");
    assert!(least_same >= 0.9999, "{least_same} on the same weights");
    // Few levels, for a small download: models/README.md has how little rankings and answers change by that.
    assert!(least_full >= 0.997, "{least_full} to f32");
}

#[test]
fn a_vector_has_the_same_bits_whatever_is_embedded_beside_its_text() {
    let Some(session) = load("a_vector_has_the_same_bits_whatever_is_embedded_beside_its_text") else {
        return;
    };
    // Reference texts, and short ones, of which many of one length fill a batch.
    let mut texts = reference().texts;
    texts.push(String::new());
    texts
        .extend((0..60).map(|n| "a firm must keep records of its clients".split_at(3 + n % 36).0.to_owned()));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = session.embed(&texts).unwrap();
    let in_batches: Vec<Vec<f32>> = texts.chunks(7).flat_map(|some| session.embed(some).unwrap()).collect();
    let alone: Vec<Vec<f32>> = texts.iter().flat_map(|text| session.embed(&[*text]).unwrap()).collect();
    let bits = |rows: &[Vec<f32>]| -> Vec<Vec<u32>> {
        rows.iter().map(|row| row.iter().map(|value| value.to_bits()).collect()).collect()
    };
    assert!(bits(&together) == bits(&in_batches) && bits(&together) == bits(&alone));
    assert!(session.embed(&[]).unwrap().is_empty());
}

#[test]
fn a_text_is_cut_at_the_size_of_the_encoder() {
    let Some(session) = load("a_text_is_cut_at_the_size_of_the_encoder") else { return };
    let (long, longer) = ("rule ".repeat(254), "rule ".repeat(254) + "and much more, said at length");
    let vectors = session.embed(&[&long, &longer]).unwrap();
    assert_eq!(vectors[0], vectors[1]);
}

#[test]
fn work_is_reported_and_can_be_stopped() {
    let Some(session) = load("work_is_reported_and_can_be_stopped") else { return };
    let texts = ["a", "a b", "a b c", "a b c d"];
    let mut seen = Vec::new();
    session
        .embed_with(&texts, &mut |done, total| {
            seen.push((done, total));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(seen, [(1, 4), (2, 4), (3, 4), (4, 4)]);
    let error = session.embed_with(&texts, &mut |_, _| ControlFlow::Break(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

#[test]
fn another_model_than_declared_is_refused() {
    let Some(built) = built::files("another_model_than_declared_is_refused") else { return };
    let refuse = |model: &[u8], vocabulary: &[u8], manifest: &embed::Manifest, found: &str| {
        let error = Session::load(model.to_vec(), vocabulary, manifest).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModelMismatch, "{error}");
        assert!(error.to_string().contains(found), "{error}, expected to name {found}");
        assert!(!error.hint().is_empty());
    };
    let mut damaged = built.model.clone();
    damaged[1_000_000] ^= 1;
    refuse(&damaged, &built.vocabulary, &built.manifest, "model.onnx has sha256");
    refuse(&built.model[..1000], &built.vocabulary, &built.manifest, "model.onnx has 1000 bytes");
    refuse(&built.model, b"the\n", &built.manifest, "vocab.txt has 4 bytes");

    let mut wider = built.manifest.clone();
    wider.dimensions = 768;
    refuse(&built.model, &built.vocabulary, &wider, "768");
    let mut longer = built.manifest.clone();
    longer.max_tokens = 512;
    refuse(&built.model, &built.vocabulary, &longer, "256 positions, expected 512");
}

#[test]
fn ids_are_those_of_the_original() {
    let Some(built) = built::files("ids_are_those_of_the_original") else { return };
    let tokenizer = WordPiece::load(&built.vocabulary, &built.manifest).unwrap();
    let table: Value = serde_json::from_str(include_str!("tokenizer.json")).unwrap();
    let cases = table["cases"].as_array().unwrap();
    assert!(cases.len() >= 50);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<u64> = case["ids"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        let encoded = tokenizer.encode(text, usize::MAX);
        let ids: Vec<u64> = encoded[1..encoded.len() - 1].iter().map(|&id| u64::from(id)).collect();
        let head: String = text.chars().take(60).collect();
        assert_eq!(ids, expected, "{head:?}");
        assert_eq!(tokenizer.count(text), expected.len(), "{head:?}");
        assert_eq!((encoded[0], encoded[encoded.len() - 1]), (101, 102));

        let cut = tokenizer.encode(text, 256);
        assert!(cut.len() <= 256 && cut[..cut.len() - 1] == encoded[..cut.len() - 1], "{head:?}");
        for part in tokenizer.split(text, 256) {
            assert!(tokenizer.count(&text[part]) <= 254, "{head:?}");
        }
    }
}
