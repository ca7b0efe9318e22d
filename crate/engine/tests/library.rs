//! The use cases over the sample documents: ingest, keep, search, answer, with vectors of some documents, of all,
//! of another model. (What the real model's vectors are worth is tested in `wasm`, and measured by `eval`.)

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use engine::{
    ApproximateTokens, Code, Error, IngestOptions, Library, QueryVector, SearchOptions, Stage, Step, Steps,
    VectorUse,
};
use pincite_tests::samples;
use pincite_tests::wordfile::Manner;

fn pdf(id: &str) -> Vec<u8> {
    samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf
}

fn ingest(id: &str) -> Vec<u8> {
    let name = format!("{id}.pdf");
    let go_on = &mut |_| ControlFlow::Continue(());
    engine::ingest(&pdf(id), &name, &IngestOptions::default(), &ApproximateTokens, go_on).unwrap()
}

fn library(ids: &[&str]) -> Library {
    let mut library = Library::new();
    for id in ids {
        library.add(&ingest(id)).unwrap();
    }
    library
}

/// Unit vectors of eight dimensions, one a text, by the letters in it: near for texts that are alike.
fn rows(texts: &[String]) -> Vec<Vec<f32>> {
    let row = |text: &String| {
        let mut row = [1.0_f32; 8];
        text.bytes().for_each(|byte| row[usize::from(byte % 8)] += 1.0);
        let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
        row.iter().map(|value| value / length).collect()
    };
    texts.iter().map(row).collect()
}

fn embed(library: &mut Library, id: &str, fingerprint: &str) -> Result<Vec<Vec<u8>>, Error> {
    let n = library.documents().iter().find(|info| info.id == id).unwrap().n_passages;
    (0..n)
        .step_by(10)
        .map(|start| {
            let rows = rows(&library.passages(id, start, 10));
            library.put_vectors(id, start, &rows, fingerprint)
        })
        .collect()
}

fn options() -> SearchOptions {
    SearchOptions::parse(5, "both", "auto", true).unwrap()
}

#[test]
fn the_same_bytes_give_the_same_segment() {
    assert_eq!(ingest("rulebook"), ingest("rulebook"));
}

#[test]
fn reading_reports_progress_and_can_be_cancelled() {
    let pdf = pdf("opinion");
    let mut stages = BTreeSet::new();
    let read = |stop_at: Option<Stage>, stages: &mut BTreeSet<&'static str>| {
        engine::ingest(&pdf, "o.pdf", &IngestOptions::default(), &ApproximateTokens, &mut |at| {
            assert!(at.done <= at.total);
            stages.insert(at.stage.name());
            if Some(at.stage) == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    read(None, &mut stages).unwrap();
    assert_eq!(stages.into_iter().collect::<Vec<_>>(), ["chunks", "index", "layout", "pages"]);
    for stage in [Stage::Pages, Stage::Layout, Stage::Chunks, Stage::Index] {
        let error = read(Some(stage), &mut BTreeSet::new()).unwrap_err();
        assert_eq!(error.code(), Code::Cancelled, "{stage:?}");
    }
}

#[test]
fn a_stored_library_gives_the_same_hits() {
    let mut library = library(&["rulebook", "contract"]);
    let ids: Vec<String> = library.documents().into_iter().map(|info| info.id).collect();
    let mut reloaded = Library::new();
    reloaded.add(&ingest("rulebook")).unwrap();
    reloaded.add(&ingest("contract")).unwrap();
    for id in &ids {
        for batch in embed(&mut library, id, "m").unwrap() {
            reloaded.add_vectors(&batch).unwrap();
        }
    }
    assert_eq!(library.documents(), reloaded.documents());
    let query = "time limit for paying an invoice";
    let values = rows(&[query.to_owned()]).remove(0);
    let vector = Some(QueryVector { fingerprint: "m", values: &values });
    let reply = library.search(query, vector, &options()).unwrap();
    assert_eq!(reply.vectors, VectorUse::All);
    assert_eq!(reply, reloaded.search(query, vector, &options()).unwrap());
}

/// The result of the steps, and how many there were.
fn done<T>(mut steps: Steps<T>) -> (T, usize) {
    for n in 1_usize.. {
        match steps.step() {
            Step::Done(result) => return (result, n),
            Step::More(rest) => steps = rest,
        }
    }
    unreachable!("steps come to an end")
}

#[test]
fn a_library_that_is_read_and_prepared_step_by_step_answers_as_one_that_is_not() {
    let ids = ["rulebook", "contract", "opinion"];
    let at_once = library(&ids);
    let mut stepwise = Library::new();
    for id in ids {
        let (segment, _) = done(engine::reading(ingest(id)));
        stepwise.add_read(segment.unwrap()).unwrap();
    }
    let (prepared, _) = done(stepwise.preparing().unwrap());
    stepwise.take_prepared(prepared);
    assert!(stepwise.preparing().is_none(), "nothing is left to prepare");
    for question in ["How long must a firm keep its records?", "What does Rule 3.2 say of complaints?"] {
        let answers = [&at_once, &stepwise].map(|library| library.ask(question, None, &options()).unwrap());
        assert_eq!(answers[0], answers[1], "{question}");
    }
}

#[test]
fn what_was_prepared_of_other_documents_is_not_taken() {
    let mut library = library(&["rulebook"]);
    let (prepared, _) = done(library.preparing().unwrap());
    library.add(&ingest("contract")).unwrap();
    library.take_prepared(prepared);
    assert!(library.preparing().is_some(), "the second document is not prepared");
}

#[test]
fn damaged_bytes_are_refused_step_by_step_too() {
    let mut stored = ingest("rulebook");
    let at = stored.len() / 2;
    stored[at] ^= 1;
    let (read, _) = done(engine::reading(stored));
    assert_eq!(read.unwrap_err().code(), Code::IndexDamaged);
}

#[test]
fn a_document_without_vectors_is_found_by_words() {
    let mut library = library(&["rulebook", "contract"]);
    let first = library.documents()[0].id.clone();
    embed(&mut library, &first, "m").unwrap();
    let query = "liability cap of the Supplier";
    let values = rows(&[query.to_owned()]).remove(0);
    let vector = Some(QueryVector { fingerprint: "m", values: &values });
    let reply = library.search(query, vector, &options()).unwrap();
    assert_eq!(reply.vectors, VectorUse::Some);
    assert_eq!(reply.hits[0].location.document, "contract.pdf", "{:?}", reply.hits[0]);
    assert_eq!(library.search(query, None, &options()).unwrap().vectors, VectorUse::None);
}

#[test]
fn vectors_of_another_model_are_not_compared() {
    let mut library = library(&["contract"]);
    let id = library.documents()[0].id.clone();
    embed(&mut library, &id, "one model").unwrap();
    let other = QueryVector { fingerprint: "another", values: &[1.0; 8] };
    let error = library.search("liability", Some(other), &options()).unwrap_err();
    assert_eq!(error.code(), Code::ModelMismatch);
    assert!(error.to_string().contains("contract.pdf") && !error.hint().is_empty());
    let rows = rows(&library.passages(&id, 0, 1));
    assert_eq!(library.put_vectors(&id, 0, &rows, "another").unwrap_err().code(), Code::ModelMismatch);
}

#[test]
fn citations_quote_the_text_at_their_location() {
    let library = library(&["rulebook", "opinion", "contract"]);
    for sample in samples::all() {
        for question in sample.questions {
            let answer = library.ask(question, None, &SearchOptions::for_answers()).unwrap();
            for citation in &answer.citations {
                assert_eq!(citation.status.name(), "verified", "{question}");
                assert!(citation.location.spans.iter().all(|span| !span.quads.is_empty()), "{question}");
                assert_eq!(citation.location.page, citation.location.spans[0].page);
            }
            let mut cited: BTreeSet<u32> =
                answer.statements.iter().flat_map(|piece| piece.citations.clone()).collect();
            cited.extend(answer.supporting.iter().map(|supporting| supporting.by));
            cited.extend(answer.conflicts.iter().flat_map(|conflict| conflict.citations.clone()));
            let listed: BTreeSet<u32> = answer.citations.iter().map(|citation| citation.id).collect();
            assert!(!answer.sufficient || cited == listed, "{question}");
        }
    }
}

#[test]
fn the_samples_answer_their_questions() {
    let library = library(&["rulebook", "opinion", "contract"]);
    let cases = [
        ("For how long must records of Client Money be kept?", "eight years"),
        ("What is the cap on liability?", "125 per cent"),
        ("What interest is payable on late payments?", "4 per cent"),
        ("Who may rely on this opinion?", "may not be relied on by any other person"),
    ];
    for (question, expected) in cases {
        let answer = library.ask(question, None, &SearchOptions::for_answers()).unwrap();
        assert!(answer.sufficient && answer.text.contains(expected), "{question}\n{}", answer.text);
    }
}

#[test]
fn codes_are_named_once() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len());
}

fn word(id: &str, manner: Manner) -> Vec<u8> {
    samples::all().iter().find(|sample| sample.id == id).unwrap().word(manner).unwrap()
}

#[test]
fn a_word_file_is_read_searched_and_cited_by_block() {
    let bytes = word("opinion", Manner::Styles);
    let go_on = &mut |_| ControlFlow::Continue(());
    let segment =
        engine::ingest(&bytes, "opinion.docx", &IngestOptions::default(), &ApproximateTokens, go_on).unwrap();
    let mut library = Library::new();
    let info = library.add(&segment).unwrap();
    assert_eq!(info.n_pages, 0);
    assert!(info.title.unwrap().starts_with("Certain Federal Income Tax"));
    let answer = library.ask("Who may rely on this opinion?", None, &SearchOptions::for_answers()).unwrap();
    assert!(answer.sufficient);
    let blocks = library.text(&info.id, 0, usize::MAX);
    for citation in &answer.citations {
        assert_eq!(citation.location.page, None);
        let cited: Vec<String> = citation
            .location
            .places
            .iter()
            .map(|place| {
                let text: Vec<u16> = blocks[place.block as usize].text.encode_utf16().collect();
                String::from_utf16(&text[place.start as usize..place.end as usize]).unwrap()
            })
            .collect();
        assert_eq!(cited.join("\n"), citation.quote.replace(" […] ", "\n"));
    }
    // Notes are linked to the parents that call them, and the text view knows the note of each mark.
    let marks: Vec<_> = blocks.iter().flat_map(|block| &block.marks).collect();
    assert_eq!(marks.len(), 24);
    for mark in marks {
        assert_eq!(blocks[mark.note.unwrap() as usize].marker.as_deref(), Some(mark.marker.as_str()));
    }
    assert!(blocks.iter().any(|block| block.level == Some(2)));
    assert_eq!(library.text(&info.id, blocks.len(), 10), []);
    assert_eq!(library.text("unknown", 0, 10), []);
}

#[test]
fn the_format_of_a_file_is_read_from_its_bytes() {
    let read = |bytes: &[u8]| {
        let go_on = &mut |_| ControlFlow::Continue(());
        engine::ingest(bytes, "file.pdf", &IngestOptions::default(), &ApproximateTokens, go_on)
    };
    assert!(read(&word("contract", Manner::Typed)).is_ok());
    let mut legacy = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    legacy.resize(512, 0);
    legacy.extend("WordDocument".encode_utf16().flat_map(u16::to_le_bytes));
    legacy.resize(1_024, 0);
    let cases: [(&[u8], Code, &str); 4] = [
        (b"just some notes", Code::FormatUnknown, "neither a PDF nor a Word document (.docx)"),
        (b"", Code::FormatUnknown, "neither a PDF nor a Word document (.docx)"),
        (&legacy, Code::DocLegacy, "this is a Word 97–2003 file (.doc): save it as .docx or PDF"),
        (b"PK\x03\x04", Code::DocxInvalid, "damaged"),
    ];
    for (bytes, code, message) in cases {
        let error = read(bytes).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(message), "{error}");
        assert!(!error.hint().is_empty());
    }
}
