//! The probability that the evidence answers the question. Something is always nearest; that is not evidence.
//!
//! A passage that answers stands out: it has the question's words together, in the question's order, and those of them
//! that tell the passages apart. Where no passage answers, several have some of the words each. [`signals()`] measures
//! that in shares, which mean the same in every library and under every ranker, whose scores do not enter. Where the
//! passages were compared with the question token by token ([`Similarities`]), four signals more say how well the nearest
//! passages match its tokens, how many of these there are, how well the most similar sentence matches its first ones, which say
//! what is asked for, and how far the most similar passage stands out; with three of the others they are all that the model of
//! compared passages reads. A logistic model weighs the signals: one for each language, one with cosines where there are
//! vectors, and one with the similarities. Its coefficients are made by `models/train_sufficiency.py` from questions with
//! their passages in the library and without them, and recalibrated on questions in lay words, which share few words with
//! their answers; the model of the similarities is fitted on those, and on questions over other kinds of documents.
//!
//! The verdict is one of three answers ([`Answerability`]). Where passages were compared, that the documents are about
//! something else is told well (AUROC .96 within one document, .84 between all but the right one and all, by five folds of
//! documents), that they come near and do not say it less well (.89 and .82): so a refusal is rare, and a doubt says that
//! it is one. The probability is calibrated on documents that the model has not seen: `models/sufficiency.md`.
//!
//! It cannot know that a passage with all the words says something else. Half of its errors on regulations are
//! questions that a near copy of the missing passage answers (`pincite eval sufficiency`). Cost: the analysis of ten
//! passages.

mod coefficients;
mod coverage;
mod signals;

use crate::answer::Evidence;
use crate::answerability::Answerability;
use crate::corpus::TermWeights;
use crate::language::Language;
use crate::question::QuestionWords;
use crate::similarities::Similarities;
use coefficients::{CHINESE, COMPARED, Model, WORDS, WORDS_AND_VECTORS};
use coverage::QuestionTerms;
pub use signals::SIGNALS;
use signals::{N_TOGETHER, PassageSignals, SimilaritySignals, read, values};

/// Probabilities from which a question has another answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// Below it the documents are said not to answer.
    silent: f64,
    /// From it they are said to answer; between the two the nearest passages are shown as what may answer.
    answers: f64,
}

/// With vectors: .08 of the lay questions that the library of all documents answers are refused, .11 of those that one
/// document does, and .85 of those that are asked of another document (dev, `models/lay_signals.py`).
const BY_VECTORS: Bounds = Bounds { silent: 0.35, answers: 0.55 };
/// Where passages were compared, by folds of documents: .11 of the lay questions that one document answers are refused, .08
/// of those that the library of all does, .70 and .52 of the near misses, and .91 of those that are asked of another
/// document (`models/sufficiency.md`).
const BY_COMPARISON: Bounds = Bounds { silent: 0.35, answers: 0.55 };
/// By words alone: .07, .10 and .48 of the same.
const BY_WORDS: Bounds = Bounds { silent: 0.40, answers: 0.50 };
/// In Chinese what is not refused is answered: the model is trained on statutes, whose questions share their words.
const IN_CHINESE: Bounds = Bounds { silent: 0.25, answers: 0.25 };

/// Minimum share of the question's words in a passage on its subject, 0 to 1, where there are no vectors.
const LEAST_SHARED: f64 = 0.15;
/// [`LEAST_SHARED`] for Chinese.
const LEAST_SHARED_ZH: f64 = 0.25;
/// Minimum similarity of a word to a passage that speaks to it, -1 to 1: the median of the words that no passage contains,
/// of lay questions. "Stay" is spoken to where shares must be held for ten years, "password" where accounts are read.
const SPOKEN_TO: f32 = 0.1;
/// Probability if the question names a provision by its number and the passage is of that provision.
const NAMED: f64 = 0.9;
/// Maximum words beside the number: with more, the question is about something in the provision.
const MAX_BESIDE: usize = 2;

impl Bounds {
    /// Answerability by a probability, 0 to 1.
    pub(crate) fn place(self, probability: f64) -> Answerability {
        match probability {
            p if p >= self.answers => Answerability::Answers,
            p if p >= self.silent => Answerability::MayAnswer,
            _ => Answerability::Silent,
        }
    }
}

/// The verdict on the evidence for a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Sufficiency {
    /// Probability that the evidence answers, 0 to 1, if half of all questions had an answer.
    pub probability: f64,
    /// Answerability by the probability.
    pub answerability: Answerability,
    /// The bounds of the model that judged.
    pub(crate) bounds: Bounds,
    /// Words of the question that no passage speaks to, as printed there, in order.
    pub missing: Vec<String>,
}

/// Judges the evidence for a question, by `similarities` where passages were compared with it. Without evidence, and
/// without a question, the probability is 0.
pub fn sufficiency(
    question: &QuestionWords,
    evidence: &[Evidence<'_>],
    similarities: Option<&Similarities>,
    weights: &dyn TermWeights,
) -> Sufficiency {
    let terms = QuestionTerms::new(question, weights);
    let read = read(&terms, evidence);
    let similarities = similarities.filter(|all| !all.is_empty());
    let missing = missing(question, &terms, &read, similarities);
    if read.is_empty() || terms.terms.is_empty() {
        return Sufficiency {
            probability: 0.0,
            answerability: Answerability::Silent,
            bounds: BY_WORDS,
            missing,
        };
    }
    let similar = similarities.map(SimilaritySignals::of);
    let values = values(&terms, &read, similar.unwrap_or_default());
    let has_vectors = read.iter().all(|passage| passage.cosine.is_some());
    let (model, bounds, least_shared): (&Model, Bounds, f64) = match question.language {
        Language::Chinese => (&CHINESE, IN_CHINESE, LEAST_SHARED_ZH),
        Language::English if has_vectors && similar.is_some() => (&COMPARED, BY_COMPARISON, 0.0),
        Language::English if has_vectors => (&WORDS_AND_VECTORS, BY_VECTORS, 0.0),
        Language::English => (&WORDS, BY_WORDS, LEAST_SHARED),
    };
    let weighed = model.weights.iter().zip(&values).map(|(weight, value)| weight * value);
    // By words alone a passage with a smaller share of them is on another subject, however it stands out.
    let shared = read.iter().map(|passage| passage.coverage.flat).fold(0.0, f64::max);
    let on_subject = if shared < least_shared { shared / least_shared } else { 1.0 };
    let by_words = logistic(model.intercept + weighed.sum::<f64>()) * on_subject;
    let probability = if is_named(question, &terms, evidence) { by_words.max(NAMED) } else { by_words };
    Sufficiency { probability, answerability: bounds.place(probability), bounds, missing }
}

/// The signals by name ([`SIGNALS`]), for training and evaluation; 0 where nothing can be measured.
pub fn signals(
    question: &QuestionWords,
    evidence: &[Evidence<'_>],
    similarities: Option<&Similarities>,
    weights: &dyn TermWeights,
) -> Vec<f64> {
    let terms = QuestionTerms::new(question, weights);
    let similarities = similarities.filter(|all| !all.is_empty());
    let similar = similarities.map(SimilaritySignals::of).unwrap_or_default();
    values(&terms, &read(&terms, evidence), similar).to_vec()
}

/// True if the question asks for a provision by its number and little else, and a passage is of that provision.
fn is_named(question: &QuestionWords, terms: &QuestionTerms, evidence: &[Evidence<'_>]) -> bool {
    let named = &question.references;
    let is_beside =
        |range: &std::ops::Range<usize>| !named.iter().any(|cite| cite.range.contains(&range.start));
    if terms.terms.iter().filter(|term| is_beside(&term.range)).count() > MAX_BESIDE {
        return false;
    }
    let is_of = |item: &Evidence<'_>, key: &str| {
        let Some(chunk) = item.source.chunks.get(item.chunk.idx()) else { return false };
        let path = item.source.tree.path(chunk.section);
        let mut labels = path.iter().filter_map(|id| item.source.tree.sections.get(id.idx())?.label.as_ref());
        labels.any(|label| label.key == key)
    };
    let mut keys = named.iter().filter_map(|cite| cite.path.first());
    keys.any(|key| evidence.iter().take(N_TOGETHER).any(|item| is_of(item, key)))
}

/// Words that no passage speaks to: none contains them and, where passages were compared, none has a similar one.
/// Overlapping pairs of Chinese characters are joined into one word.
fn missing(
    question: &QuestionWords,
    terms: &QuestionTerms,
    read: &[PassageSignals],
    similarities: Option<&Similarities>,
) -> Vec<String> {
    let has = |id: usize| read.iter().any(|passage| passage.coverage.counts.get(id).is_some_and(|&n| n > 0));
    let is_spoken_to = |word: &std::ops::Range<usize>| {
        let similarity = similarities.and_then(|all| all.of_word(&question.text, word));
        similarity.is_some_and(|similarity| similarity >= SPOKEN_TO)
    };
    let absent =
        terms.terms.iter().enumerate().filter(|(id, _)| !has(*id)).map(|(_, term)| term.range.clone());
    let absent = absent.filter(|word| !is_spoken_to(word));
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for range in absent {
        match ranges.last_mut().filter(|last| range.start < last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => ranges.push(range),
        }
    }
    ranges.into_iter().filter_map(|range| question.text.get(range)).map(str::to_owned).collect()
}

/// 1 / (1 + e^-x), with the same bits on every platform.
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[cfg(test)]
mod tests;
