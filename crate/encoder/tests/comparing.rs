//! The adapter for comparing: with it a question is read before each passage and tokens match by what answers; no vector
//! depends on it; without it, or where it does not fit, nothing is compared.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a helper fails its test")]

mod built;

use std::collections::BTreeMap;

use embed::{Embedder as _, Manifest, TokenMatches};
use encoder::{LoadOptions, Session};

const QUESTION: &str = "What happens to my data after I close my account?";

fn adapter() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/lay.adapter")).unwrap()
}

fn load(test: &str, manifest: impl FnOnce(&mut Manifest), adapter: Option<&[u8]>) -> Option<Session> {
    let mut built = built::files(test)?;
    manifest(&mut built.manifest);
    let options = LoadOptions { comparison: adapter, ..LoadOptions::default() };
    Some(Session::load_with(built.model, &built.vocabulary, &built.manifest, options).unwrap())
}

fn compared(session: &Session) -> Vec<TokenMatches> {
    let passages = [["Termination", "We erase personal information within thirty days."], ["Fees", "None."]];
    session.compare(QUESTION, &passages.map(|pieces| pieces.map(str::to_owned).to_vec())).unwrap()
}

#[test]
fn an_adapter_lets_passages_be_compared_and_changes_no_bit_of_a_vector() {
    let test = "an_adapter_lets_passages_be_compared_and_changes_no_bit_of_a_vector";
    let Some(plain) = load(test, |_| {}, None) else { return };
    let adapted = load(test, |_| {}, Some(&adapter())).unwrap();
    assert!(adapted.comparing_problem().is_none(), "{:?}", adapted.comparing_problem());
    assert_eq!(adapted.fingerprint(), plain.fingerprint());
    let texts = [QUESTION, "", "A firm must keep a record of each complaint."];
    assert_eq!(adapted.embed(&texts).unwrap(), plain.embed(&texts).unwrap());
    let (program, plain_program) = (adapted.program().unwrap(), plain.program().unwrap());
    assert_eq!(program.steps, plain_program.steps);
    assert!((0..program.sizes.len()).all(|idx| program.constant(idx) == plain_program.constant(idx)));

    assert_eq!((compared(&adapted).len(), compared(&plain).len()), (2, 0));
}

#[test]
fn a_passage_and_a_sentence_that_answer_match_better_than_others() {
    let test = "a_passage_and_a_sentence_that_answer_match_better_than_others";
    let Some(session) = load(test, |_| {}, Some(&adapter())) else { return };
    let passages = [
        [
            "Terms › Fees",
            "The provider may change its fees with one month's notice.",
            "Fees are payable in advance.",
        ],
        [
            "Terms › Termination",
            "On closure of an account the provider erases personal information within thirty days.",
            "Fees that are due remain payable.",
        ],
        ["", "", ""],
    ];
    let passages = passages.map(|pieces| pieces.map(str::to_owned).to_vec());
    let matches = session.compare(QUESTION, &passages).unwrap();
    let scores: Vec<f32> = matches.iter().take(2).map(TokenMatches::max_sim).collect();
    assert!(scores[0] < scores[1], "{scores:?}");
    let pieces = matches[1].piece_matches(&BTreeMap::new());
    let pieces: Vec<f32> = pieces.iter().map(|piece| embed::mean_match(piece)).collect();
    assert!(pieces[2] < pieces[1], "the sentence that answers: {pieces:?}");
    assert_eq!(matches[2].best, vec![-1.0; 3 * matches[2].n_tokens()], "nothing to match");
    let tokens: Vec<&str> = matches[0].ranges.iter().map(|range| &QUESTION[range.clone()]).collect();
    assert_eq!((tokens.len(), tokens[0], tokens.contains(&"data")), (matches[0].n_tokens(), "What", true));
    // Whoever divides the work, the result is the same.
    assert_eq!(session.compare(QUESTION, &passages[1..2]).unwrap(), matches[1..2]);
    assert!(session.compare("", &passages[..1]).unwrap()[0].ranges.is_empty());
}

#[test]
fn a_long_question_leaves_most_of_the_tokens_to_the_passage() {
    let test = "a_long_question_leaves_most_of_the_tokens_to_the_passage";
    let Some(session) = load(test, |_| {}, Some(&adapter())) else { return };
    let question = "why ".repeat(300);
    // 46 tokens and two marks of the question, 207 and a mark of the passage.
    let pieces = vec!["one ".repeat(207), "two".to_owned()];
    let matches = session.compare(&question, &[pieces]).unwrap().remove(0);
    assert_eq!((matches.n_tokens(), matches.ranges.len(), matches.best.len()), (46, 46, 92));
    assert!(matches.best[..46].iter().all(|&value| value > -1.0), "read to its end");
    assert!(matches.best[46..].iter().all(|&value| value == -1.0), "beyond the limit");
}

#[test]
fn a_model_that_reads_few_tokens_compares_within_them() {
    let test = "a_model_that_reads_few_tokens_compares_within_them";
    for max_tokens in [3, 4, 7, 48] {
        let few = |manifest: &mut Manifest| manifest.max_tokens = max_tokens;
        let Some(session) = load(test, few, Some(&adapter())) else { return };
        let matches = session.compare(&"why ".repeat(60), &[vec!["one ".repeat(60)]]).unwrap().remove(0);
        assert_eq!(matches.n_tokens(), (max_tokens / 2).max(2) - 2, "{max_tokens}");
    }
}

#[test]
fn an_adapter_that_does_not_fit_is_named_and_left_out() {
    let test = "an_adapter_that_does_not_fit_is_named_and_left_out";
    if load(test, |_| {}, None).is_none() {
        return;
    }
    let file = adapter();
    let mut damaged = file.clone();
    damaged[300_000] ^= 1;
    let undeclared = |manifest: &mut Manifest| manifest.files.comparison = None;
    for (session, found) in [
        (load(test, |_| {}, Some(&damaged)), "lay.adapter has sha256"),
        (load(test, |_| {}, Some(&file[..1000])), "lay.adapter has 1000 bytes"),
        (load(test, undeclared, Some(&file)), "declares no file for comparing"),
    ] {
        let session = session.unwrap();
        let problem = session.comparing_problem().unwrap().to_string();
        assert!(problem.contains(found), "{problem}, expected to name {found}");
        assert!(compared(&session).is_empty());
    }
}
