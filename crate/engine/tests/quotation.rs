//! Quotations from elsewhere, looked up in a document by the rules of an answer's quotations.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use engine::{ApproximateTokens, IngestOptions, Library};
use pincite_tests::wordfile::{self, Manner};
use pincite_tests::{samples, typeset};

const RECORD: &str = "A Firm must keep a record of each Complaint, of the steps taken to deal with it and of its outcome, \
                      for at least six years from the date on which the Complaint was received.";

fn read(file: &[u8], name: &str) -> (Library, String) {
    let go_on = &mut |_| ControlFlow::Continue(());
    let options = IngestOptions::default();
    let segment = engine::ingest(file, name, &options, &ApproximateTokens, go_on).unwrap();
    let mut library = Library::new();
    let id = library.add(&segment).unwrap().id;
    (library, id)
}

fn rulebook() -> (Library, String) {
    let samples = samples::all();
    let sample = samples.iter().find(|sample| sample.id == "rulebook").unwrap();
    read(&sample.make().unwrap().pdf, "rulebook.pdf")
}

#[test]
fn a_quotation_is_verified_word_for_word_repaired_or_not_found() {
    let (library, id) = rulebook();
    let marked = format!("“{RECORD}”");
    let reworded = RECORD.replace("a record of each", "the record of each");
    let other_figure = RECORD.replace("six years", "nine years");
    for (quotation, status) in [
        (RECORD, "verified"),
        (marked.as_str(), "verified"),
        (reworded.as_str(), "repaired"),
        (other_figure.as_str(), "not-found"),
        ("The moon is made of green cheese and of nothing else.", "not-found"),
        ("", "not-found"),
    ] {
        let found = library.locate_quotation(&id, quotation).unwrap();
        assert_eq!(found.status.name(), status, "{quotation}");
        let location = found.location;
        assert_eq!(location.is_some(), status != "not-found", "{quotation}");
        if let Some(location) = location {
            assert!(location.page.is_some() && !location.quads.is_empty());
            let words = found.quote.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(words.trim_end_matches('.'), RECORD.trim_end_matches('.'), "{quotation}");
        }
    }
    assert!(library.locate_quotation("0", RECORD).is_err());
}

#[test]
fn a_part_of_a_number_is_no_quotation() {
    let (library, id) = rulebook();
    let status = |quotation: &str| library.locate_quotation(&id, quotation).unwrap().status.name();
    assert_eq!(status("up to USD 3,000 for each return"), "verified");
    assert_eq!(status("000 for each return"), "not-found");
}

#[test]
fn words_far_into_a_long_text_are_found_where_they_stand() {
    let last = "The keeper polishes the great lens every nineteen days.";
    let mut text = String::new();
    for plant in 0..4_000 {
        text += &format!(
            "The operator of plant {plant} must test its valve and note the day on which it did so.\n\n"
        );
    }
    text += last;
    let samples = samples::all();
    let sample = samples.first().unwrap();
    let manuscript = typeset::parse(&text).unwrap();
    let file = wordfile::write(&manuscript, &sample.style, sample.scheme, Manner::Typed, "Plants").unwrap();
    let (library, id) = read(&file, "plants.docx");
    let found = |words: &str| {
        let found = library.locate_quotation(&id, words).unwrap();
        (found.status.name(), found.quote)
    };
    assert_eq!(found(last), ("verified", last.to_owned()));
    let early = "The operator of plant 7 must test its valve";
    assert_eq!(found(early), ("verified", early.to_owned()));
    assert_eq!(found("The operator of plant 4000 must test its valve").0, "not-found");
}
