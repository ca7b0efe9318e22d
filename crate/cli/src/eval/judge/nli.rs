//! RePASs by a model of natural language inference that the caller gives, instead of the judge. Its results are kept in the
//! log as replies are: an answer of ten sentences over two hundred is two thousand runs of the model.

use std::fs;
use std::path::Path;

use answer::{Finish, Message, Reply, Role};
use encoder::{ClassifierManifest, PairClassifier};
use evaluate::repass::{Inference, Repass};
use judge::{Finding, Item, JudgeRequest, Refusal, RepassTexts, Verdict};
use serde_json::json;

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
        let identity = manifest.model.sha256.get(..12).unwrap_or_default();
        Ok(Self { name: format!("{} {identity}", manifest.name), classifier })
    }

    /// Its name and the identity of its graph: what a log keeps its results under.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// An item's sentences as a request, whose key is that of its result in the log.
    pub(super) fn request(&self, item: &Item) -> JudgeRequest {
        let RepassTexts { answer, passages, obligations, answer_obligations } = RepassTexts::of(item);
        let list = |sentences: Vec<String>| Message { role: Role::User, content: sentences.join("\n") };
        JudgeRequest {
            step: "nli",
            messages: [answer, passages, obligations, answer_obligations].map(list).to_vec(),
            max_tokens: 0,
            schema: "",
        }
    }

    /// The parts of RePASs as a log keeps them: every sentence of the answer against every sentence of the passages,
    /// and every obligation against every obligation of the answer.
    pub(super) fn reply(&self, item: &Item) -> Result<Reply, Refusal> {
        let RepassTexts { answer, passages, obligations, answer_obligations } = RepassTexts::of(item);
        let supports = self.rows(&answer, &passages)?;
        let parts = Repass::of(&supports, &self.rows(&obligations, &answer_obligations)?);
        let text = json!([parts.entailment, parts.contradiction, parts.obligation_coverage]).to_string();
        Ok(Reply { text, finish: Finish::Stop })
    }

    /// The verdict of a result.
    pub(super) fn verdict(&self, item: &Item, reply: Option<&Reply>) -> Result<Verdict, Refusal> {
        let parts = reply.and_then(|reply| serde_json::from_str::<[f64; 3]>(&reply.text).ok());
        let Some([entailment, contradiction, obligation_coverage]) = parts else {
            return Err(Refusal {
                code: "nli".to_owned(),
                message: "the log has no result of inference".to_owned(),
            });
        };
        let texts = RepassTexts::of(item);
        let reason = format!(
            "inference by {} over {} sentences of the answer, {} of them obligations, and {} of the passages, {} obligations; by modals",
            self.name,
            texts.answer.len(),
            texts.answer_obligations.len(),
            texts.passages.len(),
            texts.obligations.len()
        );
        let parts = Repass { entailment, contradiction, obligation_coverage };
        Ok(Verdict { finding: Finding::Repass(parts), reason, is_cut: false })
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
