//! Filters and bad queries, over a small rulebook of our own as a Word file and over nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use engine::{
    ApproximateTokens, Code, EmptyReason, FilterOptions, Glossary, IngestOptions, Library, SearchOptions,
    SearchReply,
};
use pincite_tests::samples;

fn library() -> Library {
    let mut library = Library::new();
    for id in ["rulebook", "opinion"] {
        let pdf = samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf;
        let go_on = &mut |_| ControlFlow::Continue(());
        let name = format!("{id}.pdf");
        let segment =
            engine::ingest(&pdf, &name, &IngestOptions::default(), &ApproximateTokens, go_on).unwrap();
        library.add(&segment).unwrap();
    }
    library
}

fn search(library: &Library, query: &str, filter: FilterOptions) -> SearchReply {
    let options = SearchOptions::parse(10, "both", "auto", true).unwrap().within(filter);
    library.search(query, None, &options).unwrap()
}

#[test]
fn documents_are_found_by_file_name_title_or_id() {
    let library = library();
    let info = library.documents().remove(0);
    let title = info.title.clone().unwrap();
    for name in ["rulebook.pdf", "Rulebook", info.id.as_str(), title.as_str()] {
        let filter = FilterOptions { documents: vec![name.to_owned()], ..FilterOptions::default() };
        let reply = search(&library, "records of the opinion", filter);
        assert!(
            !reply.hits.is_empty() && reply.hits.iter().all(|hit| hit.location.document == "rulebook.pdf"),
            "{name}"
        );
    }
}

#[test]
fn sections_are_found_by_citation_or_heading() {
    let library = library();
    let whole = search(&library, "records", FilterOptions::default());
    let deepest = whole.hits.iter().max_by_key(|hit| hit.location.section_path.len()).unwrap();
    let heading = deepest.location.section_path.first().unwrap().clone();
    let filter = FilterOptions { sections: vec![heading.clone()], ..FilterOptions::default() };
    let reply = search(&library, "records", filter);
    assert!(!reply.hits.is_empty());
    assert!(reply.hits.iter().all(|hit| hit.location.section_path.first() == Some(&heading)));
}

#[test]
fn an_empty_result_has_a_reason() {
    let (library, everything) = (library(), FilterOptions::default);
    let none = |reply: SearchReply| (reply.hits.len(), reply.nothing);
    assert_eq!(none(search(&Library::new(), "records", everything())), (0, Some(EmptyReason::NoDocuments)));
    for query in ["", "   ", "?!", "\u{0}\u{7}\u{1b}", "\u{200b}"] {
        assert_eq!(none(search(&library, query, everything())), (0, Some(EmptyReason::NoQuery)), "{query:?}");
    }
    assert_eq!(none(search(&library, "zyxwv", everything())), (0, Some(EmptyReason::NoMatch)));
    assert_eq!(none(search(&library, "of the", everything())), (0, Some(EmptyReason::NoMatch)));
    for filter in [
        FilterOptions { documents: vec!["nothing.pdf".to_owned()], ..everything() },
        FilterOptions { sections: vec!["Rule 99.9.9".to_owned()], ..everything() },
        FilterOptions { sections: vec![String::new()], ..everything() },
        FilterOptions { edition: Some("fortieth edition".to_owned()), ..everything() },
        FilterOptions { from: Some("2999".to_owned()), ..everything() },
    ] {
        assert_eq!(
            none(search(&library, "records", filter.clone())),
            (0, Some(EmptyReason::NothingInScope)),
            "{filter:?}"
        );
        let options = SearchOptions::for_answers().within(filter);
        assert!(!library.ask("How long are records kept?", None, &options).unwrap().sufficient);
    }
    let found = search(&library, "records", everything());
    assert!(found.nothing.is_none() && !found.hits.is_empty());
}

#[test]
fn queries_of_any_size_and_with_any_characters_are_searched() {
    let library = library();
    let control = search(&library, "rec\u{0}ords \u{1b}[31m records\u{7f}\u{202e}", FilterOptions::default());
    assert!(!control.hits.is_empty());
    for unit in
        ["how long are records kept ", "records", "Rule 1.1(a) of the ", "第十九条", "((((", "\u{301}"]
    {
        let long: String = unit.chars().cycle().take(100_000).collect();
        let reply = search(&library, &long, FilterOptions::default());
        assert_eq!(reply.hits.is_empty(), reply.nothing.is_some(), "{unit}");
        library.ask(&long, None, &SearchOptions::for_answers()).unwrap();
    }
}

#[test]
fn invalid_filters_are_refused() {
    let library = library();
    for filter in [
        FilterOptions { kinds: vec!["parent".to_owned()], ..FilterOptions::default() },
        FilterOptions { from: Some("last year".to_owned()), ..FilterOptions::default() },
        FilterOptions { to: Some("2023-13".to_owned()), ..FilterOptions::default() },
    ] {
        let options = SearchOptions::parse(10, "both", "auto", false).unwrap().within(filter);
        for query in ["records", ""] {
            assert_eq!(library.search(query, None, &options).unwrap_err().code(), Code::BadArgument);
        }
    }
}

#[test]
fn a_glossary_expands_a_query() {
    let library = library();
    assert!(search(&library, "paperwork", FilterOptions::default()).hits.is_empty());
    let options = SearchOptions::parse(10, "both", "auto", true).unwrap();
    let options = options.with_glossary(Glossary::new([("paperwork", ["records"])]));
    let found = library.search("paperwork", None, &options).unwrap();
    assert!(!found.hits.is_empty());
    assert!(format!("{:?}", found.hits[0].explanation).contains("for “paperwork”"));
}
