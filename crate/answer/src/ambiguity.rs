//! A question that the passages answer for several cases, of which it names none.
//!
//! "How long are records kept?" has one answer for records of complaints and another for records of training. Who asks
//! is told so, with a citation for each case, before the first is taken for the answer. It is said only where it is
//! nearly sure: the question asks once and for one value, a time, a sum or a share; two cited sentences of different
//! sections have most of the question's words and *the same* ones, so that the question cannot tell them apart; each has
//! just one such value, the values differ, and each has words of its own that say which case it is. Sentences with the
//! same words are no cases but a contradiction: see [`mod@crate::conflicts`]. Cost: linear in what is cited.

use std::collections::{BTreeMap, BTreeSet};

use document::{DocumentIdx, SectionId};
use text::{Analyzer, AnalyzerKind};

use crate::answer::Citation;
use crate::corpus::Corpus;
use crate::language::Language;
use crate::passage::sentences_of;
use crate::question::{Clause, Extent, QuestionAnalysis, is_of_value};

/// The share of the question's words, by rarity, that a case has at the least.
const LEAST_COVERED: f64 = 0.7;
/// A question has at least this many content words.
const MIN_TERMS: usize = 2;
/// The most cases that are told apart.
const MAX_CASES: usize = 6;
/// The most sentences that are read.
const MAX_SENTENCES: usize = 200;

/// A cited sentence that answers.
struct Case {
    citation: u32,
    place: (DocumentIdx, SectionId),
    value: String,
    /// The words of the question that it has, and its other words.
    covered: BTreeSet<String>,
    others: BTreeSet<String>,
}

/// The citations of the cases that a question leaves open, in order; none where it does not.
pub(crate) fn several_cases(
    question: &QuestionAnalysis,
    citations: &[Citation],
    corpus: &dyn Corpus,
) -> Vec<u32> {
    let [clause] = question.clauses() else { return Vec::new() };
    if clause.terms.len() < MIN_TERMS || !clause.asks_for_value() || asks_for_all(clause) {
        return Vec::new();
    }
    let cases = cases(clause, citations, corpus);
    // The first best: what has more of the question's words than others is what is asked for, and what is cited first
    // is nearest to it. Of equals `max_by_key` takes the last, so it reads from the end.
    let best = cases.iter().rev().map(|case| &case.covered).max_by_key(|covered| covered.len());
    let Some(covered) = best else {
        return Vec::new();
    };
    let mut told: Vec<&Case> = Vec::new();
    for case in cases.iter().filter(|case| case.covered == *covered) {
        let is_other = |known: &&Case| known.value != case.value && known.place != case.place;
        if told.len() < MAX_CASES && told.iter().all(is_other) {
            told.push(case);
        }
    }
    let has_own = |case: &&Case| {
        told.iter().all(|other| other.citation == case.citation || !case.others.is_subset(&other.others))
    };
    let mut ids: Vec<u32> = told.iter().filter(|case| has_own(case)).map(|case| case.citation).collect();
    ids.dedup();
    if ids.len() > 1 { ids } else { Vec::new() }
}

fn asks_for_all(clause: &Clause) -> bool {
    clause.language == Language::English && clause.extent == Extent::Provision
}

fn cases(clause: &Clause, citations: &[Citation], corpus: &dyn Corpus) -> Vec<Case> {
    let analyzer = Analyzer::new(AnalyzerKind::Default);
    // Each term with whether it is part of a value, which the printed word shows and the stem does not: "thirti".
    let terms = |text: &str, terms: &mut BTreeMap<String, bool>| {
        analyzer.analyze(text, &mut |token| {
            let is_value = text.get(token.range.clone()).is_some_and(is_of_value);
            *terms.entry(token.term.to_owned()).or_default() |= is_value;
        });
    };
    let weights: BTreeMap<&String, f64> =
        clause.terms.keys().map(|term| (term, corpus.idf(term).max(0.1))).collect();
    let total: f64 = weights.values().sum();
    let mut cases = Vec::new();
    let mut n_read = 0;
    for citation in citations {
        let Some(source) = corpus.document(citation.document) else { continue };
        let ranges: Vec<_> = citation.ranges().collect();
        for range in sentences_of(source, &ranges) {
            n_read += 1;
            if n_read > MAX_SENTENCES {
                return cases;
            }
            let sentence = source.layout.slice(range);
            let Ok([value]) = <[String; 1]>::try_from(clause.values_in(sentence)) else { continue };
            let section = source.tree.innermost(range);
            let mut words = BTreeMap::new();
            terms(sentence, &mut words);
            terms(&source.tree.path_titles(section).join("\n"), &mut words);
            let is_asked = |term: &&String| clause.terms.contains_key(*term);
            let covered: BTreeSet<String> = words.keys().filter(is_asked).cloned().collect();
            let share = covered.iter().filter_map(|term| weights.get(term)).sum::<f64>() / total;
            if share < LEAST_COVERED {
                continue;
            }
            let of_case = words.iter().filter(|(term, is_value)| !**is_value && !is_asked(term));
            let others = of_case.map(|(term, _)| term.clone()).collect();
            let place = (citation.document, section);
            cases.push(Case { citation: citation.id, place, value, covered, others });
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Library, cite, document};

    /// The citations told apart for a question that is answered by these sentences, each a section.
    fn told(question: &str, sentences: &[&str]) -> Vec<u32> {
        let labels: Vec<String> = (1..=sentences.len()).map(|n| format!("rule {n}")).collect();
        let sections: Vec<(&str, &str)> =
            labels.iter().map(String::as_str).zip(sentences.iter().copied()).collect();
        let library = Library::new(vec![document("Rules", &sections)]);
        let citations: Vec<Citation> = (1..)
            .zip(sentences)
            .map(|(id, sentence)| Citation { id, ..cite(&library, 0, id, sentence) })
            .collect();
        several_cases(&QuestionAnalysis::of(question), &citations, &library)
    }

    const COMPLAINTS: &str = "A firm must keep records of complaints for six years.";
    const TRAINING: &str = "A firm must keep records of training for two years.";

    #[test]
    fn a_question_that_names_no_case_is_answered_for_each() {
        assert_eq!(told("How long must a firm keep records?", &[COMPLAINTS, TRAINING]), [1, 2]);
        assert_eq!(
            told(
                "What is the fee for an application?",
                &[
                    "The fee for an application of a broker is $1,000.",
                    "The fee for an application of an insurer is $2,500.",
                ]
            ),
            [1, 2]
        );
        assert_eq!(
            told(
                "登记机关应当在多少日内作出登记决定？",
                &[
                    "设立申请，登记机关应当在十五日内作出登记决定。",
                    "注销申请，登记机关应当在三十日内作出登记决定。",
                ]
            ),
            [1, 2]
        );
    }

    #[test]
    fn of_cases_with_as_many_words_of_the_question_the_first_decides() {
        let question = "How long must a broker or an insurer keep records?";
        let broker = "A broker must keep records of complaints for six years.";
        let training = "A broker must keep records of training for two years.";
        let insurer = "An insurer must keep records of claims for four years.";
        assert_eq!(told(question, &[broker, training, insurer]), [1, 2]);
        assert_eq!(told(question, &[insurer, broker, training]), [] as [u32; 0]);
    }

    #[test]
    fn a_question_that_names_its_case_is_not() {
        for question in [
            "How long must a firm keep records of complaints?",
            "How long must a firm keep records of training?",
            "How long must a firm keep records of complaints, and who may see them?",
            "What are the periods for which a firm must keep records?",
            "Who must keep records?",
        ] {
            assert_eq!(told(question, &[COMPLAINTS, TRAINING]), [] as [u32; 0], "{question}");
        }
    }

    #[test]
    fn sentences_without_a_case_or_a_value_of_their_own_leave_nothing_open() {
        let question = "How long must a firm keep records?";
        for others in [
            // The same value.
            "A firm must keep records of training for 6 years.",
            // No value, and two.
            "A firm must keep records of training in good order.",
            "A firm must keep records of training for two years, or for four years on paper.",
            // Nothing that says which case it is: a contradiction.
            "A firm must keep records for two years.",
            "A firm must keep records for one hundred and twenty days.",
            // About something else.
            "A firm must reply within two days.",
        ] {
            assert_eq!(told(question, &[COMPLAINTS, others]), [] as [u32; 0], "{others}");
        }
        // Words that only the value differs by are of no case, however they are stemmed.
        for (one, other) in [
            ("thirty days", "sixty days"),
            ("one hundred days", "two thousand days"),
            ("twenty days", "6 months"),
        ] {
            let sentence = |value: &str| format!("A firm must keep records for {value}.");
            assert_eq!(told(question, &[&sentence(one), &sentence(other)]), [] as [u32; 0], "{one}, {other}");
        }
    }
}
