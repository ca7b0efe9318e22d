//! The judge over small documents built in code; how well it does on judged questions, `pincite eval sufficiency` says.

use super::*;
use crate::fixture::{Library, document};
use crate::question::QuestionAnalysis;
use crate::similarities::QuerySimilarity;

const RULES: &[(&str, &str)] = &[
    ("1", "A broker must keep its records of complaints for six years after closing."),
    ("2", "A broker must tell each retail client its fees before an account is opened."),
    ("3", "An insurer must hold a solvency margin of 10 per cent of its premiums."),
    ("4", "The Regulator may fine a broker that does not report on time."),
];
const LAW: &[(&str, &str)] = &[
    ("条 1", "董事会应当自收到申请之日起三十日内作出决定，并书面通知申请人。"),
    ("条 2", "公司应当向股东公开会计账簿和原始凭证。"),
    ("条 3", "监事会对董事的行为进行监督。"),
];

/// Judges by the sections whose words the question has most of, best first, as a search would list them.
fn judge(title: &str, sections: &[(&str, &str)], question: &str, cosine: Option<f32>) -> Sufficiency {
    let library = Library::new(vec![document(title, sections)]);
    let question = QuestionAnalysis::of(question);
    let terms = QuestionTerms::new(question.words(), &library);
    let mut evidence = library.evidence();
    evidence.sort_by_key(|item| {
        let text = item.source.layout.slice(item.source.layout.blocks[item.chunk.idx()].range);
        std::cmp::Reverse(terms.ids_in(text).len())
    });
    for (rank, item) in evidence.iter_mut().enumerate() {
        item.cosine = cosine.map(|cosine| cosine - 0.1 * rank as f32);
    }
    sufficiency(question.words(), &evidence, None, &library)
}

#[test]
fn a_question_that_a_passage_answers_is_told_from_one_that_none_does() {
    let answered = [
        "For how long must a broker keep records of complaints?",
        "What solvency margin must an insurer hold?",
        "When is a retail client told of fees?",
    ];
    let others = [
        "Which helicopter licence applies on Mars?",
        "Who may inspect the trust accounts of a solicitor?",
        "Must a broker insure its aircraft hangar against flooding?",
    ];
    for cosine in [None, Some(0.6)] {
        for question in answered {
            let judged = judge("Rules", RULES, question, cosine);
            assert!(judged.answerability > Answerability::Silent, "{question} {judged:?}");
            for other in others {
                let lower = judge("Rules", RULES, other, cosine.map(|_| 0.25));
                assert!(lower.probability < judged.probability, "{question} {other} {judged:?} {lower:?}");
                assert!(lower.answerability < Answerability::Answers, "{other} {lower:?}");
            }
        }
    }
}

#[test]
fn chinese_questions_are_told_apart_too() {
    let judged = judge("办法", LAW, "董事会收到申请之日起多少日内作出决定？", None);
    assert!(judged.answerability > Answerability::Silent, "{judged:?}");
    let other = judge("办法", LAW, "直升机驾驶执照在火星上有效吗？", None);
    assert!(
        other.answerability == Answerability::Silent && other.probability < judged.probability,
        "{other:?}"
    );
    assert!(other.missing.iter().any(|word| word.contains("直升机")), "{other:?}");
}

#[test]
fn what_no_passage_has_is_named_as_the_question_has_it() {
    let judged = judge("Rules", RULES, "Must a broker insure its helicopters in Peru?", None);
    assert_eq!(judged.missing, ["helicopters", "Peru"]);
    assert_eq!(judge("Rules", RULES, "What solvency margin must an insurer hold?", None).missing, [""; 0]);
}

#[test]
fn a_question_in_another_language_than_the_documents_has_no_answer_in_them() {
    assert!(
        judge("Rules", RULES, "董事会收到申请之日起多少日内作出决定？", None).answerability
            == Answerability::Silent
    );
    assert!(
        judge("办法", LAW, "For how long must a broker keep records of complaints?", None).answerability
            == Answerability::Silent
    );
}

#[test]
fn no_evidence_and_no_question_suffice_for_nothing() {
    let library = Library::new(vec![document("Rules", RULES)]);
    for (question, evidence) in [("What margin must be held?", Vec::new()), ("What?", library.evidence())] {
        let judged = sufficiency(QuestionAnalysis::of(question).words(), &evidence, None, &library);
        assert!(judged.answerability == Answerability::Silent && judged.probability == 0.0, "{judged:?}");
    }
}

#[test]
fn a_provision_that_is_asked_for_by_its_number_and_found_is_the_answer() {
    let sections = [("rule 4.2.1", "Brokers are honest."), ("rule 4.2.2", "Insurers are solvent.")];
    let library = Library::new(vec![document("Rules", &sections)]);
    assert!(
        sufficiency(
            QuestionAnalysis::of("What does Rule 4.2.1 say?").words(),
            &library.evidence(),
            None,
            &library
        )
        .answerability
            > Answerability::Silent
    );
    let judged = sufficiency(
        QuestionAnalysis::of("What does Rule 9.9.9 say?").words(),
        &library.evidence(),
        None,
        &library,
    );
    assert!(judged.answerability == Answerability::Silent, "{judged:?}");
}

#[test]
fn signals_have_a_name_each_and_are_finite() {
    let library = Library::new(vec![document("Rules", RULES)]);
    for question in ["", "?", "broker", "a broker and 7 brokers", &"broker record ".repeat(2_000)] {
        let signals = signals(QuestionAnalysis::of(question).words(), &library.evidence(), None, &library);
        assert_eq!(signals.len(), SIGNALS.len());
        assert!(signals.iter().all(|value| value.is_finite()), "{question:.20} {signals:?}");
    }
}

#[test]
fn the_logistic_function_is_symmetric_and_stays_between_0_and_1() {
    assert_eq!((logistic(0.0), logistic(-800.0), logistic(800.0)), (0.5, 0.0, 1.0));
    for x in [0.1, 0.7, 3.0, 5.0, 40.0_f64] {
        assert!((logistic(x) + logistic(-x) - 1.0).abs() < 1e-15, "{x}");
    }
    // e^-1 = 0.367879441171442…
    assert!((logistic(1.0) - 1.0 / 1.367_879_441_171_442_3).abs() < 1e-15);
}

/// Judges [`RULES`] by the similarities of a question.
fn judge_compared(tokens: f32, opening: f32, stands: f32, lacking: f32) -> f64 {
    let library = Library::new(vec![document("Rules", RULES)]);
    let mut evidence = library.evidence();
    evidence.iter_mut().for_each(|item| item.cosine = Some(0.4));
    let question = "What may happen to a dealer who sends figures late?".to_owned();
    let sentences = evidence.iter().map(|item| {
        let range = item.source.layout.blocks[item.chunk.idx()].range;
        (item.document, range, tokens)
    });
    let tokens = vec![(0..question.len(), tokens)];
    let query = QuerySimilarity { text: question.clone(), tokens, opening, stands, lacking };
    let similarities = Similarities::new(sentences, query);
    let question = QuestionAnalysis::of(&question);
    sufficiency(question.words(), &evidence, Some(&similarities), &library).probability
}

#[test]
fn where_passages_were_compared_more_similar_ones_answer_more_probably() {
    let middle = judge_compared(0.15, 0.1, 0.1, 0.0);
    assert!(judge_compared(0.35, 0.1, 0.1, 0.0) > middle + 0.1, "their tokens: {middle}");
    assert!(
        judge_compared(0.15, 0.5, 0.1, 0.0) > middle + 0.03,
        "those that say what is asked for: {middle}"
    );
    assert!(judge_compared(0.15, 0.1, 0.3, 0.0) > middle + 0.03, "one passage alone: {middle}");
    assert!(judge_compared(0.15, 0.1, 0.1, 0.5) > middle + 0.03, "half as many passages: {middle}");
}

#[test]
fn nothing_compared_is_judged_as_without_comparison() {
    let library = Library::new(vec![document("Rules", RULES)]);
    let question = QuestionAnalysis::of("What solvency margin must an insurer hold?");
    let judged = |similarities| sufficiency(question.words(), &library.evidence(), similarities, &library);
    assert_eq!(judged(Some(&Similarities::default())), judged(None));
}

#[test]
fn a_word_that_a_passage_has_a_similar_one_of_is_not_missing() {
    let library = Library::new(vec![document("Rules", RULES)]);
    let question = "Must a broker retain grievances in Peru?";
    let at = |word: &str| question.find(word).map(|start| start..start + word.len()).unwrap();
    let missing = |compared: &str| {
        let tokens = vec![(at("retain"), 0.4), (at("griev"), 0.2), (at("ances"), 0.05), (at("Peru"), -0.2)];
        let query = QuerySimilarity { text: compared.to_owned(), tokens, ..QuerySimilarity::default() };
        let similarities = Similarities::new(
            library.evidence().iter().map(|item| (item.document, item.source.layout.blocks[0].range, 0.5)),
            query,
        );
        let question = QuestionAnalysis::of(question);
        sufficiency(question.words(), &library.evidence(), Some(&similarities), &library).missing
    };
    assert_eq!(missing(question), ["Peru"]);
    assert_eq!(missing("Another query"), ["retain", "grievances", "Peru"], "its tokens are of other words");
}
