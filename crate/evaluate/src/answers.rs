//! Measures of answers: ROUGE-L and BLEU against a gold answer, selection of documents and of evidence, gold passages cited,
//! refusals.
//!
//! A refused answer has ROUGE-L and BLEU 0 and counts in the mean. A measure without gold (no answer, no passages) is
//! absent for that question and left out of the mean. The accuracy at a ROUGE-L threshold is the share of questions
//! whose F1 reaches it. Legal-DC, section 3.2, has a document selection accuracy (DSA), recall@k and MRR@k, too. Its DSA is
//! `document_selection`; its program asks for exactly the evidence, which is `evidence_selection`. Its recall counts questions,
//! in its program those with all of the evidence; here recall is a share of passages, and MRR that of the first right passage.

use std::collections::BTreeSet;

use crate::overlap::{BleuCounts, Overlap, Unit, rouge_l};

/// The gold of a question.
#[derive(Clone, Debug, Default)]
pub struct Gold {
    /// The gold answer.
    pub answer: Option<String>,
    /// Names of the right documents; any of them counts.
    pub documents: BTreeSet<String>,
    /// Ids of the passages that answer.
    pub passages: BTreeSet<String>,
    /// True if the library can answer it.
    pub answerable: bool,
}

/// The measured parts of an answer.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Its text without citation marks.
    pub text: String,
    /// True if an answer was given, false for a refusal.
    pub sufficient: bool,
    /// Documents and passages cited, best first; repetitions allowed.
    pub cited: Listed,
    /// Documents and passages retrieved for it, best first.
    pub retrieved: Listed,
}

/// Documents and passages of a list, in its order.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The document of each item.
    pub documents: Vec<String>,
    /// The passage of each item; empty where unknown.
    pub passages: Vec<String>,
}

/// Options of the measures.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Cutoff k of the lists, at least 1.
    pub k: usize,
    /// ROUGE-L F1 at which an answer counts as right, 0 to 1.
    pub threshold: f64,
    /// Tokens of ROUGE-L and BLEU; `None` chooses by the gold answer's script.
    pub unit: Option<Unit>,
}

impl Default for Options {
    fn default() -> Self {
        Self { k: 5, threshold: 0.5, unit: None }
    }
}

/// The measures of one question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// ROUGE-L against the gold answer.
    pub rouge_l: Option<Overlap>,
    /// Counts of BLEU against the gold answer.
    pub bleu: Option<BleuCounts>,
    /// 1 when F1 reaches the threshold.
    pub accurate: Option<f64>,
    /// 1 when a right document is among the first k citations.
    pub document_cited: Option<f64>,
    /// 1 when a right document is among the first k passages retrieved.
    pub document_retrieved: Option<f64>,
    /// Recall of the gold passages in the first k citations.
    pub passages_cited: Option<f64>,
    /// 1 when that recall is 1.
    pub all_cited: Option<f64>,
    /// Recall of the gold passages in the first k retrieved.
    pub passages_retrieved: Option<f64>,
    /// 1 over the place of the first gold passage in the first k retrieved; 0 without one.
    pub passages_mrr: Option<f64>,
    /// Document selection accuracy: 1 when a right document is among the first k citations of an answer, 0 for a refusal.
    /// Only for answerable questions that have one among the first k retrieved.
    pub document_selected: Option<f64>,
    /// 1 when the distinct passages that an answer cites are the gold passages and no others, 0 for a refusal. Only for
    /// answerable questions that have all gold passages among the first k retrieved.
    pub evidence_selected: Option<f64>,
    /// Precision: share of the distinct passages cited that are gold.
    pub citation_precision: Option<f64>,
    /// 1 when an answerable question is refused.
    pub false_refusal: Option<f64>,
    /// 1 when an unanswerable question is refused.
    pub true_refusal: Option<f64>,
    /// Characters of the answer.
    pub n_chars: Option<f64>,
    /// Number of distinct passages cited.
    pub n_cited: Option<f64>,
}

/// Measures an answer. `None` is a refusal without citations.
pub fn measure(given: &Given, gold: &Gold, options: &Options) -> Measures {
    let refused = !given.sufficient;
    let spoken = if refused { "" } else { given.text.as_str() };
    let mut measures = Measures::default();
    if let Some(answer) = &gold.answer {
        let unit = options.unit.unwrap_or_else(|| Unit::of(answer));
        let overlap = rouge_l(spoken, answer, unit);
        measures.rouge_l = Some(overlap);
        measures.bleu = Some(BleuCounts::of(spoken, answer, unit));
        measures.accurate = Some(one_if(overlap.f1 >= options.threshold));
    }
    if !gold.documents.is_empty() {
        let is_right = |list: &Listed| {
            one_if(list.documents.iter().take(options.k).any(|name| gold.documents.contains(name)))
        };
        let (cited, retrieved) = (is_right(&given.cited), is_right(&given.retrieved));
        measures.document_cited = Some(cited);
        measures.document_retrieved = Some(retrieved);
        let picked = if refused { 0.0 } else { cited };
        measures.document_selected = (gold.answerable && retrieved > 0.0).then_some(picked);
    }
    let cited = distinct(&given.cited.passages);
    if !gold.passages.is_empty() {
        let found = |list: &[&str]| {
            let n = list.iter().take(options.k).filter(|passage| gold.passages.contains(**passage)).count();
            n as f64 / gold.passages.len() as f64
        };
        let share = found(&cited);
        measures.passages_cited = Some(share);
        measures.all_cited = Some(one_if(share >= 1.0));
        let retrieved = distinct(&given.retrieved.passages);
        let share_retrieved = found(&retrieved);
        measures.passages_retrieved = Some(share_retrieved);
        let first = retrieved.iter().take(options.k).position(|passage| gold.passages.contains(*passage));
        measures.passages_mrr = Some(first.map_or(0.0, |at| 1.0 / (at + 1) as f64));
        let n_gold = cited.iter().filter(|passage| gold.passages.contains(**passage)).count();
        measures.citation_precision = Some(n_gold as f64 / cited.len().max(1) as f64);
        let is_evidence = n_gold == cited.len() && n_gold == gold.passages.len();
        measures.evidence_selected =
            (gold.answerable && share_retrieved >= 1.0).then_some(one_if(is_evidence && !refused));
    }
    let refusal = Some(one_if(refused));
    if gold.answerable {
        measures.false_refusal = refusal;
    } else {
        measures.true_refusal = refusal;
    }
    if !refused {
        measures.n_chars = Some(spoken.chars().count() as f64);
        measures.n_cited = Some(cited.len() as f64);
    }
    measures
}

/// Names of the measures, in the order of [`summary`].
pub const NAMES: [&str; 20] = [
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "bleu",
    "bleu_sentence",
    "accuracy",
    "document_cited",
    "document_retrieved",
    "document_selection",
    "evidence_selection",
    "passages_cited",
    "all_cited",
    "passages_retrieved",
    "passages_mrr",
    "citation_precision",
    "false_refusal",
    "true_refusal",
    "characters",
    "cited",
    "answered",
];

/// The mean of each measure over the questions that have it, in the order of [`NAMES`]; `None` where none has it.
/// `bleu` is the corpus BLEU of all questions.
pub fn summary(questions: &[&Measures]) -> [Option<f64>; NAMES.len()] {
    let mean_of = |get: &dyn Fn(&Measures) -> Option<f64>| mean(questions.iter().filter_map(|one| get(one)));
    let mut corpus: Option<BleuCounts> = None;
    for counts in questions.iter().filter_map(|one| one.bleu.as_ref()) {
        corpus.get_or_insert_with(BleuCounts::default).add(counts);
    }
    [
        mean_of(&|one| one.rouge_l.map(|rouge| rouge.f1)),
        mean_of(&|one| one.rouge_l.map(|rouge| rouge.precision)),
        mean_of(&|one| one.rouge_l.map(|rouge| rouge.recall)),
        corpus.map(|counts| counts.corpus()),
        mean_of(&|one| one.bleu.map(|counts| counts.sentence())),
        mean_of(&|one| one.accurate),
        mean_of(&|one| one.document_cited),
        mean_of(&|one| one.document_retrieved),
        mean_of(&|one| one.document_selected),
        mean_of(&|one| one.evidence_selected),
        mean_of(&|one| one.passages_cited),
        mean_of(&|one| one.all_cited),
        mean_of(&|one| one.passages_retrieved),
        mean_of(&|one| one.passages_mrr),
        mean_of(&|one| one.citation_precision),
        mean_of(&|one| one.false_refusal),
        mean_of(&|one| one.true_refusal),
        mean_of(&|one| one.n_chars),
        mean_of(&|one| one.n_cited),
        mean_of(&|one| Some(one_if(one.n_chars.is_some()))),
    ]
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / n as f64)
}

fn one_if(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn distinct(passages: &[String]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    passages
        .iter()
        .map(String::as_str)
        .filter(|passage| !passage.is_empty() && seen.insert(*passage))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(documents: &[&str], passages: &[&str]) -> Listed {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Listed { documents: owned(documents), passages: owned(passages) }
    }

    fn gold() -> Gold {
        Gold {
            answer: Some("records for six years".to_owned()),
            documents: BTreeSet::from(["Rules".to_owned()]),
            passages: BTreeSet::from(["r1".to_owned(), "r2".to_owned()]),
            answerable: true,
        }
    }

    #[test]
    fn an_answer_is_measured_by_words_document_and_passages() {
        let given = Given {
            text: "Keep records for six years.".to_owned(),
            sufficient: true,
            cited: list(&["Rules", "Rules", "Guide"], &["r1", "r1", "g"]),
            retrieved: list(&["Guide", "Rules"], &["g", "r2"]),
        };
        let found = measure(&given, &gold(), &Options::default());
        assert_eq!(found.rouge_l.map(|rouge| (rouge.recall, rouge.precision)), Some((1.0, 0.8)));
        assert_eq!(
            (found.accurate, found.document_cited, found.document_retrieved),
            (Some(1.0), Some(1.0), Some(1.0))
        );
        assert_eq!((found.passages_cited, found.all_cited), (Some(0.5), Some(0.0)));
        assert_eq!((found.passages_retrieved, found.citation_precision), (Some(0.5), Some(0.5)));
        assert_eq!((found.false_refusal, found.true_refusal, found.n_cited), (Some(0.0), None, Some(2.0)));
        assert_eq!((found.passages_mrr, found.document_selected), (Some(0.5), Some(1.0)));
        let first = measure(&given, &gold(), &Options { k: 1, ..Options::default() });
        assert_eq!((first.document_retrieved, first.passages_cited), (Some(0.0), Some(0.5)));
        assert_eq!((first.passages_mrr, first.document_selected), (Some(0.0), None), "not among the first");
    }

    #[test]
    fn selection_is_of_answerable_questions_whose_evidence_was_found() {
        let given = |cited: &[&str]| Given {
            text: "Keep records.".to_owned(),
            sufficient: true,
            cited: list(&["Rules"], cited),
            retrieved: list(&["Rules", "Rules", "Guide"], &["r2", "r1", "g"]),
        };
        let selected = |given: &Given, gold: &Gold| {
            let found = measure(given, gold, &Options::default());
            (found.document_selected, found.evidence_selected)
        };
        assert_eq!(
            selected(&given(&["r1", "r1"]), &gold()),
            (Some(1.0), Some(0.0)),
            "a part of the evidence"
        );
        assert_eq!(selected(&given(&["r1", "r2", "r1"]), &gold()), (Some(1.0), Some(1.0)));
        assert_eq!(
            selected(&given(&["r1", "r2", "g"]), &gold()),
            (Some(1.0), Some(0.0)),
            "and something else"
        );
        let refused = Given { sufficient: false, ..given(&["r1", "r2"]) };
        assert_eq!(selected(&refused, &gold()), (Some(0.0), Some(0.0)), "citations beside a refusal");
        let unanswerable = Gold { answerable: false, ..gold() };
        assert_eq!(selected(&given(&["r1", "r2"]), &unanswerable), (None, None));
        let missed = Given { retrieved: list(&["Guide", "Rules"], &["g", "r2"]), ..given(&["r1", "r2"]) };
        assert_eq!(selected(&missed, &gold()), (Some(1.0), None), "a part of the evidence was not found");
    }

    #[test]
    fn a_refusal_agrees_with_nothing_and_counts_by_whether_there_was_an_answer() {
        let refused = Given { text: "records for six years".to_owned(), ..Given::default() };
        let found = measure(&refused, &gold(), &Options::default());
        assert_eq!(found.rouge_l, Some(Overlap::default()));
        assert_eq!((found.false_refusal, found.n_chars), (Some(1.0), None));
        let unanswerable = Gold { answerable: false, ..Gold::default() };
        let found = measure(&refused, &unanswerable, &Options::default());
        assert_eq!((found.true_refusal, found.false_refusal, found.rouge_l), (Some(1.0), None, None));
    }

    #[test]
    fn means_are_over_the_questions_that_have_the_measure() {
        let some = Measures { accurate: Some(1.0), ..Measures::default() };
        let other = Measures { accurate: Some(0.0), all_cited: Some(1.0), ..Measures::default() };
        let none = Measures::default();
        let means = summary(&[&some, &other, &none]);
        let by_name = |name: &str| {
            NAMES.iter().zip(means).find(|(known, _)| **known == name).and_then(|(_, mean)| mean)
        };
        assert_eq!(by_name("accuracy"), Some(0.5));
        assert_eq!(by_name("all_cited"), Some(1.0));
        assert_eq!(by_name("bleu"), None);
        assert_eq!(by_name("answered"), Some(0.0));
    }
}
