//! Query analysis in the ranking: labels, short forms, glossaries.

use std::sync::Arc;

use document::{Document, TermKind};
use index::Index;

use super::law::{ask, defines, index, law};
use crate::{AnalyzedQuery, Filter, Glossary, Lexicon, Options, Query, Thesaurus, search};

fn berths() -> Document {
    let berths = law(
        "berths",
        "Berth Rulebook",
        &[
            ("4.1", "Order", "Vessels are given berths in order of arrival."),
            ("4.2", "Fees", "A fee is due when a vessel leaves, as rule 4.1 requires of every rule on fees."),
            ("  4.2.1", "Time", "It is paid at once."),
            ("  4.2.2", "Refund", "It is given back where a berth was not fit for use."),
            ("5", "Facilities", "A Common User Facility (CUF) is open to every vessel. Rule 9 of a rule."),
            ("6", "Closing", "Common users leave the facility at night."),
            ("7", "Access", "The CUF is entered by the north gate."),
        ],
    );
    defines(berths, "CUF", "Common User Facility", TermKind::Acronym)
}

fn dues() -> Document {
    law(
        "dues",
        "Harbour Dues Act 2019",
        &[
            ("section 4.1", "Dues", "Dues are charged by tonnage."),
            ("section 4.2", "Relief", "A vessel in distress pays nothing."),
            ("section 5", "Offences", "A master who does not pay commits an offence."),
        ],
    )
}

fn first(index: &Index, text: &str, options: &Options) -> String {
    ask(index, text, &Glossary::default(), options).first().cloned().unwrap_or_default()
}

#[test]
fn a_provision_that_is_named_comes_first() {
    let index = index(vec![berths(), dues()]);
    let on = Options::default();
    let off = Options { named: false, ..Options::default() };
    let text = "What does rule 4.2.1 say of rules on fees?";
    assert_eq!(first(&index, text, &off), "berths 4.2");
    assert_eq!(first(&index, text, &on), "berths 4.2.1");
    assert_eq!(
        first(&index, "What is the rule in section 5 of the Harbour Dues Act 2019?", &on),
        "dues section 5"
    );
    assert_eq!(first(&index, "In the Berth Rulebook, what is section 5 about?", &on), "berths 5");
    // Much else is asked: the name is one word of many.
    let long = "Which fee falls due under rule 4.2.1 when a vessel leaves its berth before arrival is known?";
    assert_eq!(first(&index, long, &on), first(&index, long, &off));
    // Of what is finer than the sections, what holds it.
    assert_eq!(first(&index, "Does rule 4.2.1(b) apply?", &on), "berths 4.2.1");
}

#[test]
fn a_provision_without_any_word_of_the_question_is_a_candidate_all_the_same() {
    let index = index(vec![berths(), dues()]);
    let text = "Do rules on fees hold under Rule 4.2.1?";
    let one = Options { depth: 1, k: 1, ..Options::default() };
    assert_ne!(first(&index, text, &Options { named: false, ..one.clone() }), "berths 4.2.1");
    assert_eq!(first(&index, text, &one), "berths 4.2.1");
    assert_eq!(first(&index, text, &Options::default()), "berths 4.2.1");
    let filter = Filter { documents: Some(vec![document::DocumentIdx(1)]), ..Filter::default() };
    let elsewhere = Options { filter, ..Options::default() };
    assert!(ask(&index, text, &Glossary::default(), &elsewhere).iter().all(|hit| hit.starts_with("dues")));
}

#[test]
fn a_hit_says_that_it_was_named_and_which_words_stand_for_others() {
    let index = index(vec![berths()]);
    let options = Options { explain: true, ..Options::default() };
    let said = |text: &str| {
        let question = AnalyzedQuery::read(text, &Lexicon::of(&index), &Glossary::default());
        let query = Query { text, vector: None, analysis: Some(&question), citations: None };
        format!("{:?}", search(&index, &query, &options))
    };
    assert!(said("What does Rule 4.2.1 require?").contains("boost: the question names rule 4.2.1"));
    assert!(said("Who uses the CUF?").contains("for “CUF”, weighed 0.1"));
}

#[test]
fn short_forms_and_their_long_forms_find_each_other() {
    let index = index(vec![berths()]);
    let off = Options { expansion_weight: 0.0, ..Options::default() };
    let hits = |text: &str, options: &Options| ask(&index, text, &Glossary::default(), options);
    // Asked by its long form, the provision that has the short form only.
    let entrance = "Where is the common user facility?";
    assert!(!hits(entrance, &off).contains(&"berths 7".to_owned()));
    assert!(hits(entrance, &Options::default()).contains(&"berths 7".to_owned()));
    // Other words count less than the question's own.
    let place = |hits: &[String], hit: &str| hits.iter().position(|other| other == hit);
    let found = hits("CUF", &Options::default());
    assert!(place(&found, "berths 7") < place(&found, "berths 6"), "{found:?}");
}

#[test]
fn a_glossary_finds_what_no_document_says() {
    let index = index(vec![berths(), dues()]);
    let glossary = Glossary::new([("wharfage", ["dues"])]);
    assert!(ask(&index, "wharfage", &Glossary::default(), &Options::default()).is_empty());
    assert_eq!(ask(&index, "wharfage", &glossary, &Options::default())[0], "dues section 4.1");
}

fn work() -> Document {
    law(
        "work",
        "Employment Handbook",
        &[
            ("1", "Hours", "Employees work from eight to five and may be asked without notice to stay."),
            ("2", "End", "Termination of employment requires a reason that is stated in writing."),
            ("3", "Notice", "Notice is given by letter; a dismissal without it is void."),
        ],
    )
}

fn thesaurus() -> Glossary {
    let groups = "# Lay words.\n[employment]\ntermination of employment | dismissal | sack | ~fire\n";
    Glossary::default().with_thesaurus(Some(Arc::new(Thesaurus::parse(groups))))
}

#[test]
fn a_lay_word_finds_the_term_of_art() {
    let index = index(vec![work(), berths()]);
    let hits = |text: &str, glossary: &Glossary| ask(&index, text, glossary, &Options::default());
    assert_eq!(hits("Can they sack me?", &Glossary::default()), Vec::<String>::new());
    let found = hits("Can they sack me?", &thesaurus());
    assert!(["work 2", "work 3"].iter().all(|hit| found.iter().any(|other| other == hit)), "{found:?}");
    assert!(found.iter().all(|hit| hit.starts_with("work")), "{found:?}");
    assert_eq!(hits("Who puts out a fire?", &thesaurus()), Vec::<String>::new(), "~fire triggers nothing");
}

#[test]
fn a_phrase_that_documents_use_stands_for_itself() {
    let index = index(vec![work()]);
    let hits = |glossary: &Glossary| ask(&index, "dismissal", glossary, &Options::default());
    assert_eq!(hits(&thesaurus()), hits(&Glossary::default()));
    assert_eq!(hits(&thesaurus()), ["work 3"]);
}

#[test]
fn the_glossary_of_a_person_goes_before_the_thesaurus() {
    let lexicon = Lexicon::default();
    let read = |glossary: &Glossary| AnalyzedQuery::read("Can they sack me?", &lexicon, glossary);
    assert_eq!(read(&thesaurus()).concepts.len(), 1);
    let known = thesaurus().thesaurus().cloned();
    let own = read(&Glossary::new([("sack", ["bag"])]).with_thesaurus(known));
    assert_eq!((own.concepts.len(), own.expansions.len()), (0, 1));
}

#[test]
fn a_hit_says_which_member_of_a_concept_it_holds() {
    let index = index(vec![work()]);
    let text = "Can they sack me?";
    let question = AnalyzedQuery::read(text, &Lexicon::of(&index), &thesaurus());
    let query = Query { text, vector: None, analysis: Some(&question), citations: None };
    let hits = search(&index, &query, &Options { explain: true, ..Options::default() });
    let said = format!("{hits:?}");
    assert!(said.contains("bm25(dismissal): for “sack”, as the thesaurus has it"), "{said}");
}

#[test]
fn every_group_of_the_legal_thesaurus_has_members_and_triggers_of_its_own() {
    let text = include_str!("../../../../models/thesaurus/legal.txt");
    let mut triggers = std::collections::BTreeMap::new();
    let mut n_groups = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
        let members: Vec<&str> = line.split('|').map(str::trim).collect();
        n_groups += 1;
        assert!((2..=6).contains(&members.len()), "{line}");
        assert!(members.iter().any(|member| !member.starts_with('~')), "{line} is triggered by nothing");
        for member in members.into_iter().filter(|member| !member.starts_with('~')) {
            if let Some(other) = triggers.insert(member.to_lowercase(), line) {
                panic!("“{member}” triggers “{other}” and “{line}”");
            }
        }
    }
    assert!(n_groups > 3_000, "{n_groups} groups");
}
