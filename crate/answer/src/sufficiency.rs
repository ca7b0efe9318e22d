//! Whether the evidence answers the question: a calibrated probability. Something is always nearest; that is not
//! evidence.
//!
//! What tells is not how good the best passage is but how it stands out: a passage that answers has the question's
//! words together, in the question's order, and those of them that tell the passages found apart; where no passage
//! answers, several have some of the words each. [`signals`] measures that in shares, which mean the same in every
//! library and under every ranker, whose scores do not enter. A logistic model weighs them; one for each language,
//! and where there are vectors one with cosines. Its numbers are made by `models/train_sufficiency.py` from questions
//! with their passages in the library and without them, half and half.
//!
//! What it cannot know: that a passage with all the words says something else. Measured by `pincite eval
//! sufficiency`; half of what it gets wrong on regulations are questions that a near copy of the missing passage
//! answers. Cost: the analysis of ten passages.

mod coefficients;
mod reading;

use document::Document;

use crate::answer::Evidence;
use crate::corpus::TermWeights;
use crate::passage::sentences_of;
use coefficients::{CHINESE, Model, WORDS, WORDS_AND_VECTORS};
use reading::{Found, Wanted};

/// How many passages are read, best first.
const N_READ: usize = 10;
/// How many of them together may have what one lacks.
const N_TOGETHER: usize = 5;
/// The most sentences of a passage that are read one by one.
const MAX_SENTENCES: usize = 64;
/// Below this the documents do not say. The models know as many questions without an answer as with one; people ask
/// more of the second kind, and an answer with a doubt is of more use than none.
pub(crate) const SUFFICIENT: f64 = 0.25;

/// The share of the question's words that a passage on its subject has at the least.
const LEAST_SHARED: f64 = 0.25;
/// What is asked for by its number, and found, is the answer as surely as can be.
const NAMED: f64 = 0.9;
/// The most words beside the number: with more the question is about something in the provision.
const MAX_BESIDE: usize = 2;

/// What [`sufficiency`] says.
#[derive(Clone, Debug, PartialEq)]
pub struct Sufficiency {
    /// That the evidence answers, 0 to 1, if every other question had an answer.
    pub probability: f64,
    /// Whether to answer.
    pub is_sufficient: bool,
    /// Words of the question that no passage read has, as the question has them, in its order.
    pub missing: Vec<String>,
}

/// The names of [`signals`], in order.
pub const SIGNALS: &[&str] = &[
    "covered",
    "flat",
    "repeated",
    "sentence",
    "near",
    "together",
    "constraints",
    "stands.together",
    "stands.rows",
    "stands.saturated",
    "stands.focus",
    "elsewhere",
    "cosine",
    "stands.cosine",
];

/// Judges the evidence for a question, best first. No evidence and no question is not sufficient.
pub fn sufficiency(question: &str, evidence: &[Evidence<'_>], weights: &dyn TermWeights) -> Sufficiency {
    let wanted = Wanted::new(question, weights);
    let read = read(&wanted, evidence);
    let missing = missing(question, &wanted, &read);
    if read.is_empty() || wanted.terms.is_empty() {
        return Sufficiency { probability: 0.0, is_sufficient: false, missing };
    }
    let values = values(&wanted, &read);
    let model: &Model = if text::is_mostly_cjk(question) {
        &CHINESE
    } else if read.iter().all(|passage| passage.cosine.is_some()) {
        &WORDS_AND_VECTORS
    } else {
        &WORDS
    };
    let weighed = model.weights.iter().zip(&values).map(|(weight, value)| weight * value);
    // A passage with less than this of the words is about something else, however it stands out.
    let shared = read.iter().map(|passage| passage.found.flat).fold(0.0, f64::max);
    let by_words = logistic(model.intercept + weighed.sum::<f64>()) * (shared / LEAST_SHARED).min(1.0);
    let probability = if is_named(question, &wanted, evidence) { by_words.max(NAMED) } else { by_words };
    Sufficiency { probability, is_sufficient: probability >= SUFFICIENT, missing }
}

/// What the models weigh, for whoever trains them. Zero where nothing can be said.
pub fn signals(question: &str, evidence: &[Evidence<'_>], weights: &dyn TermWeights) -> Vec<f64> {
    let wanted = Wanted::new(question, weights);
    values(&wanted, &read(&wanted, evidence)).to_vec()
}

/// Whether a question asks for a provision by its number and little else, and a passage is of that provision.
fn is_named(question: &str, wanted: &Wanted, evidence: &[Evidence<'_>]) -> bool {
    let cited = text::reference::references(question);
    let is_beside =
        |range: &std::ops::Range<usize>| !cited.iter().any(|cite| cite.range.contains(&range.start));
    if wanted.terms.iter().filter(|term| is_beside(&term.range)).count() > MAX_BESIDE {
        return false;
    }
    let bears = |item: &Evidence<'_>, key: &str| {
        let Some(chunk) = item.source.chunks.get(item.chunk.idx()) else { return false };
        let path = item.source.tree.path(chunk.section);
        let mut labels = path.iter().filter_map(|id| item.source.tree.sections.get(id.idx())?.label.as_ref());
        labels.any(|label| label.key == key)
    };
    let mut keys = cited.iter().filter_map(|cite| cite.path.first());
    keys.any(|key| evidence.iter().take(N_TOGETHER).any(|item| bears(item, key)))
}

/// A passage that was read.
struct Passage {
    found: Found,
    /// The best share of the question in one sentence.
    sentence: f64,
    cosine: Option<f64>,
}

fn read(wanted: &Wanted, evidence: &[Evidence<'_>]) -> Vec<Passage> {
    let passage = |item: &Evidence<'_>| {
        let chunk = item.source.chunks.get(item.chunk.idx())?;
        let found = wanted.read(&item.source.chunk_text(chunk), &headings(item.source, item.chunk.idx()));
        let sentences = sentences_of(item.source, &chunk.ranges).into_iter().take(MAX_SENTENCES);
        let share = |range| {
            let ids = wanted.ids_in(item.source.layout.slice(range));
            wanted.share(&|id| ids.contains(&id))
        };
        let sentence = sentences.map(share).fold(0.0, f64::max);
        Some(Passage { found, sentence, cosine: item.cosine.map(f64::from) })
    };
    evidence.iter().take(N_READ).filter_map(passage).collect()
}

/// What stands over a passage: its headings and the document's title.
fn headings(source: &Document, chunk: usize) -> String {
    let Some(chunk) = source.chunks.get(chunk) else { return String::new() };
    let mut path = source.section_path(chunk);
    path.extend(source.title.clone());
    path.join("\n")
}

fn values(wanted: &Wanted, read: &[Passage]) -> [f64; SIGNALS.len()] {
    let n = wanted.terms.len();
    let has = |passage: &Passage, id: usize| passage.found.counts.get(id).is_some_and(|&n| n > 0);
    let first = |of: &dyn Fn(&Passage) -> f64| read.first().map_or(0.0, of);
    let best = |of: &dyn Fn(&Passage) -> f64| read.iter().map(of).fold(0.0, f64::max);
    // What the first has over the mean of the others; all of it where there are no others.
    let stands = |of: &dyn Fn(&Passage) -> f64| {
        let others = read.get(1..).unwrap_or_default();
        first(of) - others.iter().map(of).sum::<f64>() / others.len().max(1) as f64
    };
    // A word that all passages have tells none of them from the others.
    let telling = |id: usize| {
        let n_with = read.iter().filter(|passage| has(passage, id)).count() as f64;
        wanted.idf(id) * (1.0 - n_with / (read.len() as f64 + 1.0))
    };
    let telling: Vec<f64> = (0..n).map(telling).collect();
    let all_telling = telling.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let focus = |passage: &Passage| {
        let had = telling.iter().enumerate().filter(|(id, _)| has(passage, *id));
        had.map(|(_, weight)| weight).sum::<f64>() / all_telling
    };
    let constraints: Vec<usize> =
        wanted.terms.iter().enumerate().filter(|(_, term)| term.is_constraint).map(|(id, _)| id).collect();
    let all_constraints = constraints.iter().map(|&id| wanted.idf(id)).sum::<f64>().max(f64::MIN_POSITIVE);
    // What a passage lacks of numbers and names, as a share below zero; nothing where the question has none.
    let lacks = |passage: &Passage| {
        let lacking = constraints.iter().filter(|&&id| !has(passage, id));
        lacking.map(|&id| wanted.idf(id)).sum::<f64>() / all_constraints
    };
    let together = read.get(..N_TOGETHER.min(read.len())).unwrap_or_default();
    let least_lacking = together.iter().map(lacks).fold(1.0, f64::min);
    let elsewhere = wanted.share(&|id| {
        let mut others = together.iter().skip(1);
        read.first().is_some_and(|first| !has(first, id)) && others.any(|passage| has(passage, id))
    });
    let cosine = |passage: &Passage| passage.cosine.unwrap_or(0.0);
    [
        first(&|passage| passage.found.covered),
        first(&|passage| passage.found.flat),
        first(&|passage| passage.found.repeated),
        best(&|passage| passage.sentence),
        best(&|passage| passage.found.near),
        first(&|passage| passage.found.together),
        if constraints.is_empty() { 0.0 } else { -least_lacking },
        stands(&|passage| passage.found.together),
        stands(&|passage| passage.found.rows),
        stands(&|passage| passage.found.saturated),
        stands(&focus),
        elsewhere,
        first(&cosine),
        stands(&cosine),
    ]
}

/// Words that no passage has. Pairs of Chinese characters that overlap are one word.
fn missing(question: &str, wanted: &Wanted, read: &[Passage]) -> Vec<String> {
    let has = |id: usize| read.iter().any(|passage| passage.found.counts.get(id).is_some_and(|&n| n > 0));
    let absent =
        wanted.terms.iter().enumerate().filter(|(id, _)| !has(*id)).map(|(_, term)| term.range.clone());
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for range in absent {
        match ranges.last_mut().filter(|last| range.start < last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => ranges.push(range),
        }
    }
    ranges.into_iter().filter_map(|range| question.get(range)).map(str::to_owned).collect()
}

/// 1 / (1 + e^-x), by operations that are the same on every platform.
fn logistic(x: f64) -> f64 {
    /// e^y for y in -30 to 30, as (e^(y / 2^10))^(2^10).
    const HALVINGS: u32 = 10;
    let y = -x.clamp(-30.0, 30.0) / f64::from(1_u32 << HALVINGS);
    let mut power = 1.0 + y * (1.0 + y / 2.0 * (1.0 + y / 3.0 * (1.0 + y / 4.0 * (1.0 + y / 5.0))));
    for _ in 0..HALVINGS {
        power *= power;
    }
    1.0 / (1.0 + power)
}

#[cfg(test)]
mod tests;
