//! Natural language inference by a tiny graph that the test writes, against the same sums done by hand.

#[path = "../../../tests/src/tiny_nli.rs"]
mod tiny_nli;

use embed::{Casing, ErrorKind, FileEntry, WordPiece};
use encoder::{ClassifierManifest, PairClassifier};
use tiny_nli::TinyNli;

fn manifest(model: &[u8], labels: [&str; 3], max_tokens: usize) -> ClassifierManifest {
    ClassifierManifest {
        format: 1,
        task: "nli".to_owned(),
        name: "tiny".to_owned(),
        source: "a seed".to_owned(),
        licence: "MIT".to_owned(),
        max_tokens,
        lower_case: true,
        labels: labels.map(str::to_owned).to_vec(),
        model: FileEntry::of("model.onnx", model),
        vocabulary: FileEntry::of("vocab.txt", &TinyNli::vocabulary()),
    }
}

const PAIRS: [(&str, &str); 4] = [
    ("A firm must keep records for six years.", "A firm must keep records."),
    ("A firm must not keep records.", "Records"),
    ("", "firm"),
    ("six six six six six six six six six six six six", "a firm must keep a record for six years."),
];

#[test]
fn probabilities_are_those_of_the_sums_by_hand_in_the_order_of_the_labels() {
    let tiny = TinyNli::new(5);
    let (model, vocabulary) = (tiny.onnx(), TinyNli::vocabulary());
    let tokenizer = WordPiece::new(&vocabulary, Casing::Folded).unwrap();
    let names = ["entailment", "neutral", "contradiction"];
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let manifest = manifest(&model, order.map(|at| names[at]), 16);
        let classifier = PairClassifier::load(&model, &vocabulary, &manifest).unwrap();
        for (premise, hypothesis) in PAIRS {
            let (ids, n_first) = tokenizer.encode_pair(premise, hypothesis, 16);
            assert!(ids.len() <= 16);
            let types: Vec<u32> = (0..ids.len()).map(|at| u32::from(at >= n_first)).collect();
            let powers = tiny.logits(&ids, &types).map(libm::exp);
            let sum: f64 = powers.iter().sum();
            let found = classifier.classify(premise, hypothesis).unwrap();
            let found = [found.entailment, found.neutral, found.contradiction];
            for (place, name) in order.into_iter().enumerate() {
                let expected = powers[place] / sum;
                assert!((found[name] - expected).abs() < 1e-4, "{premise:?}, {}: {found:?}", names[name]);
            }
        }
    }
}

#[test]
fn what_is_not_as_declared_is_refused() {
    let (model, vocabulary) = (TinyNli::new(5).onnx(), TinyNli::vocabulary());
    let names = ["entailment", "neutral", "contradiction"];
    let good = manifest(&model, names, 16);
    let other = TinyNli::new(6).onnx();
    for (model, vocabulary) in [(&other, &vocabulary), (&model, &b"[CLS]".to_vec())] {
        let error = PairClassifier::load(model, vocabulary, &good).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModelMismatch, "{error}");
    }
    let junk = b"no graph".to_vec();
    assert!(PairClassifier::load(&junk, &vocabulary, &manifest(&junk, names, 16)).is_err());
    for labels in [["entailment", "neutral", "neutral"], ["LABEL_0", "LABEL_1", "LABEL_2"]] {
        assert!(PairClassifier::load(&model, &vocabulary, &manifest(&model, labels, 16)).is_err());
    }
}

#[test]
fn manifests_that_cannot_be_run_are_refused() {
    let file = r#"{"name": "f", "bytes": 1, "sha256": ""}"#;
    let json = format!(
        r#"{{"format": 1, "task": "nli", "name": "n", "source": "s", "licence": "MIT", "max_tokens": 16, "lower_case": true,
        "labels": ["contradiction", "entailment", "neutral"], "model": {file}, "vocabulary": {file}}}"#
    );
    assert!(ClassifierManifest::from_json(json.as_bytes()).is_ok());
    for (from, to) in [
        ("\"format\": 1", "\"format\": 2"),
        ("\"nli\"", "\"ner\""),
        ("\"max_tokens\": 16", "\"max_tokens\": 4"),
        ("\"neutral\"", "\"unknown\""),
        (", \"neutral\"", ""),
        ("\"bytes\": 1", "\"bytes\": 99999999999"),
        ("\"licence\"", "\"license\""),
    ] {
        assert!(ClassifierManifest::from_json(json.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
}
