//! RePASs by the judge: which sentences of an answer follow from the passages, and which of their obligations it states.
//!
//! Obligations are found by the modals of a sentence ([`citations::states_obligation`]), or by the judge in a request of its
//! own. Inference is the judge's here; with a model of natural language inference the caller compares the sentences of
//! [`RepassTexts`] itself. A judge says entailed or not, so its probabilities are 1 or 0, and it decides of
//! each obligation whether the answer as a whole states it; a model compares it with the obligations of the answer alone, as the
//! authors' program does.

use answer::Message;
use evaluate::repass::{Inference, Repass};
use serde::Deserialize;

use crate::item::{Item, sentences};
use crate::prompt::Prompt;
use crate::reply::{Complaint, count, read, reason};
use crate::verdict::Finding;

/// Most sentences of an answer, and most obligations, that a judge is asked about.
const MAX_SENTENCES: usize = 60;
/// Most sentences of the passages among which obligations are found.
const MAX_PASSAGE_SENTENCES: usize = 400;

pub(crate) const OBLIGATIONS_SCHEMA: &str = r#"{"type":"object","properties":{"obligations":{"type":"array","items":{"type":"integer"}},"reason":{"type":"string"}},"required":["obligations","reason"],"additionalProperties":false}"#;
pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"sentences":{"type":"array","items":{"type":"string","enum":["entailed","neutral","contradicted"]}},"obligations":{"type":"array","items":{"type":"boolean"}},"reason":{"type":"string"}},"required":["sentences","obligations","reason"],"additionalProperties":false}"#;

/// Finder of the obligations among the sentences of the passages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Obligations {
    /// Modals of the sentence: "must", "shall", "may not", 应当, 不得.
    #[default]
    Modals,
    /// The judge.
    Judge,
}

/// Sentences that RePASs compares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepassTexts {
    /// Sentences of the answer.
    pub answer: Vec<String>,
    /// Sentences of the passages.
    pub passages: Vec<String>,
    /// Obligations among the sentences of the passages.
    pub obligations: Vec<String>,
    /// Obligations among the sentences of the answer: an obligation is covered by one of these only.
    pub answer_obligations: Vec<String>,
}

impl RepassTexts {
    /// The sentences of an item, obligations by their modals. Each list is cut at the most that is compared.
    pub fn of(item: &Item) -> Self {
        let mut answer = sentences(&item.answer);
        answer.truncate(MAX_SENTENCES);
        let mut passages: Vec<String> = item.passages.iter().flat_map(|passage| sentences(passage)).collect();
        passages.truncate(MAX_PASSAGE_SENTENCES);
        let obliges = |sentence: &&String| citations::states_obligation(sentence);
        let obligations = passages.iter().filter(obliges).take(MAX_SENTENCES).cloned().collect();
        let answer_obligations = answer.iter().filter(obliges).cloned().collect();
        Self { answer, passages, obligations, answer_obligations }
    }
}

/// The messages that ask which sentences of the passages are obligations.
pub(crate) fn obligations_prompt(item: &Item, texts: &RepassTexts) -> Vec<Message> {
    let mut prompt = Prompt::new(item, &texts.passages);
    prompt.numbered("sentences", "SENTENCES", &texts.passages);
    prompt.messages(include_str!("prompts/obligations.txt"))
}

/// Reads the obligations.
pub(crate) fn read_obligations(reply: &str, texts: &RepassTexts) -> Result<Vec<String>, Complaint> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        obligations: Vec<usize>,
        reason: String,
    }
    let Reply { obligations, reason: why } = read(reply)?;
    reason(&why)?;
    if !obligations.is_sorted_by(|a, b| a < b) {
        return Err("\"obligations\" has numbers that do not rise".to_owned());
    }
    let sentence = |n: &usize| {
        let found = n.checked_sub(1).and_then(|at| texts.passages.get(at)).cloned();
        found.ok_or_else(|| format!("\"obligations\" has {n}, expected 1 to {}", texts.passages.len()))
    };
    obligations.iter().take(MAX_SENTENCES).map(sentence).collect()
}

/// The messages that ask what follows.
pub(crate) fn prompt(item: &Item, texts: &RepassTexts) -> Vec<Message> {
    let lines: Vec<String> = texts.answer.iter().chain(&texts.obligations).cloned().collect();
    let mut prompt = Prompt::new(item, &lines);
    prompt.numbered("answer", "ANSWER", &texts.answer);
    prompt.numbered("obligations", "OBLIGATIONS", &texts.obligations);
    prompt.set("n_sentences", texts.answer.len().to_string());
    prompt.set("n_obligations", texts.obligations.len().to_string());
    prompt.messages(include_str!("prompts/inference.txt"))
}

/// Reads the finding and its reason.
pub(crate) fn read_finding(reply: &str, texts: &RepassTexts) -> Result<(Finding, String), Complaint> {
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Name {
        Entailed,
        Neutral,
        Contradicted,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        sentences: Vec<Name>,
        obligations: Vec<bool>,
        reason: String,
    }
    let Reply { sentences, obligations, reason: why } = read(reply)?;
    count("sentences", sentences.len(), texts.answer.len())?;
    count("obligations", obligations.len(), texts.obligations.len())?;
    let of = |name: &Name| match name {
        Name::Entailed => Inference { entailment: 1.0, contradiction: 0.0 },
        Name::Neutral => Inference::default(),
        Name::Contradicted => Inference { entailment: 0.0, contradiction: 1.0 },
    };
    let supports: Vec<Vec<Inference>> = sentences.iter().map(|name| vec![of(name)]).collect();
    let covered =
        |covered: &bool| vec![Inference { entailment: f64::from(u8::from(*covered)), contradiction: 0.0 }];
    let obligations: Vec<Vec<Inference>> = obligations.iter().map(covered).collect();
    Ok((Finding::Repass(Repass::of(&supports, &obligations)), reason(&why)?))
}
