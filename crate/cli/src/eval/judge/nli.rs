//! RePASs by a model of natural language inference that the caller gives, instead of the judge.

use std::fs;
use std::path::Path;

use encoder::{ClassifierManifest, PairClassifier};
use evaluate::repass::{Inference, Repass};
use judge::{Finding, Item, Refusal, RepassTexts, Verdict};

use crate::failure::Failure;

/// A loaded model of inference.
pub(super) struct Nli {
    name: String,
    classifier: PairClassifier,
}

impl Nli {
    /// The model in a directory: `manifest.json` and the files that it names.
    pub(super) fn load(directory: &Path) -> Result<Self, Failure> {
        let read = |name: &str| {
            let path = directory.join(crate::input::name_of(Path::new(name)));
            fs::read(&path).map_err(|error| Failure::io(&path, &error))
        };
        let about =
            |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", directory.display()));
        let manifest =
            ClassifierManifest::from_json(&read("manifest.json")?).map_err(|error| about(&error))?;
        let (model, vocabulary) = (read(&manifest.model.name)?, read(&manifest.vocabulary.name)?);
        let classifier =
            PairClassifier::load(&model, &vocabulary, &manifest).map_err(|error| about(&error))?;
        Ok(Self { name: manifest.name, classifier })
    }

    /// The verdict on an item: every sentence of the answer against every sentence of the passages, and every
    /// obligation against every sentence of the answer.
    pub(super) fn judge(&self, item: &Item) -> Result<Verdict, Refusal> {
        let texts = RepassTexts::of(item);
        let RepassTexts { answer, passages, obligations } = &texts;
        let supports = self.rows(answer, passages)?;
        let covered = self.rows(obligations, answer)?;
        let reason = format!(
            "inference by {} over {} sentences of the answer, {} of the passages and {} obligations by modals",
            self.name,
            answer.len(),
            passages.len(),
            obligations.len()
        );
        Ok(Verdict { finding: Finding::Repass(Repass::of(&supports, &covered)), reason, is_cut: false })
    }

    /// For each hypothesis the inferences from every premise.
    fn rows(&self, hypotheses: &[String], premises: &[String]) -> Result<Vec<Vec<Inference>>, Refusal> {
        let infer = |premise: &String, hypothesis: &String| {
            let found = self.classifier.classify(premise, hypothesis);
            let found =
                found.map_err(|error| Refusal { code: "nli".to_owned(), message: error.to_string() })?;
            Ok(Inference { entailment: found.entailment, contradiction: found.contradiction })
        };
        let row = |hypothesis: &String| premises.iter().map(|premise| infer(premise, hypothesis)).collect();
        hypotheses.iter().map(row).collect()
    }
}
