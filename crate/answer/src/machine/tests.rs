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
fn a_model_is_given_the_passages_that_score_near_the_best_if_they_are_filtered() {
    let texts = [
        ("rule 1", "Levies are due in May."),
        ("rule 2", "Fees are due in June."),
        ("rule 3", "Dues are due in July."),
    ];
    let library = Library::new(vec![document("Rules", &texts)]);
    let scores = [1.0, 0.9, 0.1];
    let scored =
        found(&library).into_iter().zip(scores).map(|(found, score)| FoundPassage { score, ..found });
    let found: Vec<FoundPassage> = scored.collect();
    let mut profile = Profile::default();
    profile.steps.rewrite.by = RewriteMethod::Off;
    for (filter, n) in [(None, 3), (Some(crate::score_filter::ScoreFilter::default()), 2)] {
        let request = AskRequest { question: "When are levies due?".to_owned(), ..AskRequest::default() };
        let options = Options { filter, ..Options::default() };
        let mut machine = Machine::new(request, profile.clone(), true, options);
        machine.found(&library, &found, &[], &found);
        assert_eq!(machine.trace().retrieved.len(), n);
    }
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

/// A machine that has searched for the levy under a profile, with what was found.
fn searched(library: &Library, profile: Profile) -> Machine {
    let question = "Who pays the levy?".to_owned();
    let request = AskRequest { question, ..AskRequest::default() };
    let mut machine = Machine::new(request, profile, true, Options::default());
    if let NextAction::Ask(asked) = machine.next_action() {
        assert_eq!(asked.step, Step::Rewrite);
        reply(
            &mut machine,
            library,
            r#"{"rewrites": ["Which person owes the levy?", "On whom does the levy fall?", "Who is liable for the levy?"]}"#,
        );
    }
    let found = found(library);
    machine.found(library, &found, &[], &found);
    machine
}

fn reply(machine: &mut Machine, library: &Library, text: &str) {
    machine.replied(library, &Reply { text: text.to_owned(), finish: Finish::Stop });
}

fn asked(machine: &Machine) -> (Step, String) {
    let NextAction::Ask(request) = machine.next_action() else {
        panic!("a request: {:?}", machine.next_action())
    };
    (request.step, request.messages[1].content.clone())
}

fn levies() -> Library {
    Library::new(vec![document(
        "Rules",
        &[
            ("rule 1", "The owner pays the levy."),
            ("rule 2", "The treasurer signs waivers."),
            ("rule 3", "An exempt owner pays no levy."),
        ],
    )])
}

#[test]
fn where_nothing_bears_the_rewrites_are_searched_for_and_then_the_answer_is_the_refusal() {
    let library = levies();
    let mut machine = searched(&library, Profile::default());
    assert_eq!(asked(&machine).0, Step::Extract);
    reply(&mut machine, &library, r#"{"quotes": []}"#);
    let NextAction::Search(queries) = machine.next_action() else { panic!("one more search") };
    assert_eq!(queries.len(), 3, "the rewrites alone: {queries:?}");
    machine.found(&library, &found(&library), &[], &found(&library));
    assert_eq!(machine.next_action(), NextAction::Finish, "nothing new is found, and nothing is read");
    let outcome = machine.finish(&library);
    assert!(!outcome.answer.sufficient && outcome.by == Author::Model);
    assert_eq!(outcome.answer.message, "The documents do not say.");
    assert_eq!(outcome.trace.calls.len(), 2);
}

#[test]
fn each_quotation_is_read_under_its_own_headings_and_what_is_not_quoted_is_not_read() {
    let library = levies();
    let mut machine = searched(&library, Profile::default());
    let quotes = r#"{"quotes": [{"p": 1, "text": "The owner pays the levy."}, {"p": 3, "text": "An exempt owner pays no levy."}]}"#;
    reply(&mut machine, &library, quotes);
    let (step, task) = asked(&machine);
    assert_eq!(step, Step::Read);
    assert!(task.contains("[Rules.pdf › rule 1]\nThe owner pays the levy.\n<<<END"), "{task}");
    assert!(task.contains("[Rules.pdf › rule 3]\nAn exempt owner pays no levy.\n<<<END"), "{task}");
    assert!(!task.contains("treasurer"), "{task}");
}

#[test]
fn the_small_profile_asks_twice() {
    let library = levies();
    let mut machine = searched(&library, Profile::named("small").unwrap());
    assert_eq!(asked(&machine).0, Step::Extract);
    reply(&mut machine, &library, r#"{"quotes": [{"p": 1, "text": "The owner pays the levy."}]}"#);
    assert_eq!(asked(&machine).0, Step::Read);
    reply(&mut machine, &library, "The owner pays it [P1].");
    assert_eq!(machine.next_action(), NextAction::Finish);
    assert_eq!(machine.finish(&library).trace.calls.len(), 2);
}
