//! Judged questions of a file: all, or a sample of them, each with its judged places and its gold.

use std::collections::BTreeMap;
use std::path::Path;

use evaluate::answers::Gold;
use evaluate::random::SplitMix64;
use evaluate::ranking::Judgments;
use serde_json::{Map, Value};

use crate::eval::fields::{gold, strings};
use crate::eval::retrieval::corpus::{JudgedQuestion, read_judgments, read_questions};
use crate::failure::Failure;

/// Judged question.
pub(crate) struct Question {
    /// Its id.
    pub(crate) id: String,
    /// Its words.
    pub(crate) text: String,
    /// Judged places, passages or pages; empty where nothing answers it.
    pub(crate) judged: Judgments,
    /// Gold that its answer is measured by.
    pub(crate) gold: Gold,
}

/// The questions of a file with the judgments of another, if there is one, else those of their own fields. Questions of
/// the file without any are kept only if the library is not to answer them.
pub(crate) fn read(queries: &Path, qrels: Option<&Path>) -> Result<Vec<Question>, Failure> {
    let judgments = qrels.map(read_judgments).transpose()?.unwrap_or_default();
    let asked = read_questions(queries)?;
    let n_read = asked.len();
    let mut questions: Vec<Question> =
        asked.into_iter().map(|question| judged(question, &judgments, qrels.is_some())).collect();
    questions.retain(|question| !question.judged.is_empty() || !question.gold.answerable);
    if questions.is_empty() {
        return Err(Failure::Failed(format!(
            "{}: none of {n_read} questions is judged: expected --qrels, or `passages`, or `document` and `pages`",
            queries.display()
        )));
    }
    if questions.len() < n_read {
        note!(
            "{}: {} questions are not judged and are left out",
            queries.display(),
            n_read - questions.len()
        );
    }
    Ok(questions)
}

fn judged(question: JudgedQuestion, judgments: &BTreeMap<String, Judgments>, has_file: bool) -> Question {
    let JudgedQuestion { qid, text, fields } = question;
    let judged = match judgments.get(&qid) {
        Some(judged) => judged.clone(),
        None if has_file => Judgments::new(),
        None => own(&fields),
    };
    let mut gold = gold(&fields, None);
    gold.passages = judged.iter().filter(|(_, gain)| **gain > 0).map(|(id, _)| id.clone()).collect();
    // A question that names its document and no page of it has no answer there.
    let is_silent = fields.get("pages").and_then(Value::as_array).is_some_and(Vec::is_empty);
    gold.answerable &= !is_silent;
    // What such a question has as its answer says why there is none.
    gold.answer = gold.answer.filter(|_| gold.answerable);
    Question { id: qid, text, judged, gold }
}

/// The judged places of a question's own fields: `passages` by id, else `pages` of its `document`, or groups of pages in
/// `parts`, of each of which one is needed.
fn own(fields: &Map<String, Value>) -> Judgments {
    let mut judged = Judgments::new();
    for name in ["passages", "ev_units"] {
        strings(fields.get(name), &mut |id| judged.extend([(id.to_owned(), 1)]));
    }
    let Some(document) = fields.get("document").and_then(Value::as_str).filter(|_| judged.is_empty()) else {
        return judged;
    };
    let groups: Vec<&Value> = match fields.get("parts").and_then(Value::as_array) {
        Some(parts) => parts.iter().collect(),
        None => fields.get("pages").into_iter().collect(),
    };
    for group in groups {
        let pages = group.as_array().into_iter().flatten().filter_map(Value::as_u64);
        let pages: Vec<String> = pages.map(|page| page.to_string()).collect();
        if !pages.is_empty() {
            judged.insert(format!("{document}#{}", pages.join(",")), 1);
        }
    }
    judged
}

/// `n` of the questions, drawn by a seed, in their order; all if there are no more.
pub(crate) fn sample(mut questions: Vec<Question>, n: Option<usize>, seed: u64) -> Vec<Question> {
    let n = n.unwrap_or(usize::MAX);
    let mut random = SplitMix64::new(seed);
    while questions.len() > n {
        questions.remove(random.below(questions.len()));
    }
    questions
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn places(fields: Value) -> Vec<String> {
        own(fields.as_object().unwrap()).into_keys().collect()
    }

    #[test]
    fn places_are_passages_else_pages_and_their_parts() {
        let pages = json!({ "document": "a.pdf", "pages": [6, 17] });
        assert_eq!(places(pages), ["a.pdf#6,17"]);
        let parts = json!({ "document": "a.pdf", "pages": [1, 2], "parts": [[1], [2]] });
        assert_eq!(places(parts), ["a.pdf#1", "a.pdf#2"]);
        let passages = json!({ "document": "a.pdf", "pages": [1], "passages": ["a.pdf#3"] });
        assert_eq!(places(passages), ["a.pdf#3"]);
        assert!(places(json!({ "document": "a.pdf", "pages": [] })).is_empty());
    }

    #[test]
    fn a_sample_keeps_the_order_and_depends_on_the_seed_alone() {
        let all = || {
            let question = |n: usize| Question {
                id: n.to_string(),
                text: String::new(),
                judged: Judgments::new(),
                gold: Gold::default(),
            };
            (0..50).map(question).collect::<Vec<_>>()
        };
        let ids = |n, seed| -> Vec<usize> {
            sample(all(), n, seed).iter().map(|question| question.id.parse().unwrap()).collect()
        };
        assert_eq!(ids(Some(7), 1), ids(Some(7), 1));
        assert!(
            ids(Some(7), 1).is_sorted() && ids(Some(7), 1).len() == 7 && ids(Some(7), 1) != ids(Some(7), 2)
        );
        assert_eq!(ids(None, 1).len(), 50);
        assert_eq!(ids(Some(80), 1).len(), 50);
    }
}
