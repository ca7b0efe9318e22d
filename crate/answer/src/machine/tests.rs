//! The machine over documents built in code; the engine's tests drive it with models.

use super::*;
use crate::fixture::{Library, document};
use crate::prompt::Turn;
use crate::question::N_ANALYSES;

/// The library's passages, as a search would list them.
fn found(library: &Library) -> Vec<FoundPassage> {
    let evidence = library.evidence();
    evidence
        .iter()
        .map(|item| FoundPassage { document: item.document, chunk: item.chunk, score: 1.0, cosine: None })
        .collect()
}

#[test]
fn a_question_is_analysed_once() {
    let library = Library::new(vec![document(
        "Rules",
        &[
            ("rule 1", "Records of complaints are kept for six years."),
            ("rule 2", "The waiver of a levy is signed by the treasurer."),
        ],
    )]);
    let question = "For how many years are records of complaints kept, and who signs the waiver of a levy?";
    let before = N_ANALYSES.with(std::cell::Cell::get);
    let request = AskRequest { question: question.to_owned(), ..AskRequest::default() };
    let mut machine = Machine::new(request, Profile::default(), false, Options::default());
    let NextAction::Search(queries) = machine.next_action() else { panic!("a search comes first") };
    assert_eq!(queries.len(), 3, "the question and its two parts: {queries:?}");
    let found = found(&library);
    machine.found(&library, &found, &[found.clone(), found.clone()], &found);
    assert_eq!(machine.next_action(), NextAction::Finish);
    let outcome = machine.finish(&library);
    assert!(outcome.answer.sufficient, "{outcome:?}");
    assert_eq!(N_ANALYSES.with(std::cell::Cell::get) - before, 1);
}

#[test]
fn a_request_says_how_many_earlier_turns_it_carries() {
    let turn = Turn { question: "Who pays the levy?".to_owned(), answer: "The owner [P1].".to_owned() };
    for n in [0, 1, 6] {
        let history = vec![turn.clone(); n];
        let request = AskRequest { question: "When is it due?".to_owned(), history, ..AskRequest::default() };
        let machine = Machine::new(request, Profile::default(), true, Options::default());
        let NextAction::Ask(request) = machine.next_action() else { panic!("the question is rewritten") };
        assert_eq!((request.step, request.n_turns), (Step::Rewrite, n.min(4)));
        let said = request.messages.iter().filter(|message| message.content.contains("<<<TURN1 ")).count();
        assert_eq!(said, usize::from(n > 0));
    }
}
