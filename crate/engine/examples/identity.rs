//! Prints what must be bit-identical natively and in wasm: `identity QUESTIONS JUDGED FILE...`.
//!
//! For each file the SHA-256 of its segment; for each line of QUESTIONS the hits of a search without vectors, with the
//! bits of every score and of every term in its explanation, and the answer; for the lines `question,document,page` of
//! JUDGED about these files the ranker that is trained on them. `tests/identity/identity.mjs` prints the
//! same from wasm and compares.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use document::Explanation;
use engine::{ApproximateTokens, GoldPlace, IngestOptions, Library, SearchOptions};
use lambdamart::{Base, MIN_QUESTIONS, Options, Trainer};

const USAGE: &str = "usage: identity QUESTIONS JUDGED FILE...";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let questions = std::fs::read_to_string(arguments.next().ok_or(USAGE)?)?;
    let judged = std::fs::read_to_string(arguments.next().ok_or(USAGE)?)?;
    let mut library = Library::new();
    for path in arguments {
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let go_on = &mut |_| ControlFlow::Continue(());
        let bytes = std::fs::read(&path)?;
        let segment = engine::ingest(&bytes, &name, &IngestOptions::default(), &ApproximateTokens, go_on)?;
        println!("segment {name} {}", engine::digest(&segment));
        library.add(&segment)?;
    }
    for question in questions.lines().filter(|line| !line.is_empty()) {
        println!("question {question}");
        let reply = library.search(question, None, &SearchOptions::parse(20, "both", "exact", true)?)?;
        for hit in &reply.hits {
            println!("hit {} {} {:08x}", hit.rank, hit.location.document, hit.score.to_bits());
            if let Some(explanation) = &hit.explanation {
                print(explanation, 1);
            }
        }
        let answer = library.ask(question, None, &SearchOptions::for_answers())?;
        println!("answer {} {}", answer.sufficient, engine::digest(answer.text.as_bytes()));
        for citation in &answer.citations {
            println!("citation {} {}", citation.id, engine::digest(citation.quote.as_bytes()));
        }
    }
    print_ranker(&library, &judged)
}

/// Trains a ranker on judged questions by words, if there are enough about the library.
fn print_ranker(library: &Library, judged: &str) -> Result<(), Box<dyn Error>> {
    let names = retrieval::features().map(|feature| feature.name.to_owned()).collect();
    let options = Options { rounds: 20, ..Options::going_on() };
    let mut trainer = Trainer::new(names, options)?.onto(Base::parse(engine::shipped_ranker())?)?;
    for (at, (question, place)) in judged.lines().filter_map(place).enumerate() {
        let options = SearchOptions::parse(20, "child", "exact", false)?.with_gold(vec![place]);
        let candidates = library.candidates(question, None, &options)?;
        let labels: Vec<u8> = candidates.labels.into_iter().map(u8::from).collect();
        trainer.add(&format!("q{at}"), &candidates.features, &labels, &candidates.scores)?;
    }
    let n = trainer.n_questions();
    if n >= MIN_QUESTIONS {
        while !trainer.step()?.is_done {}
        println!("ranker {n} {}", engine::digest(trainer.model().as_bytes()));
    }
    Ok(())
}

/// Question and place of a line `question,document,page`, the first and last perhaps in quotation marks.
fn place(line: &str) -> Option<(&str, GoldPlace)> {
    let (start, pages) = line.rsplit_once(".pdf,")?;
    let (question, document) = start.rsplit_once(',')?;
    let pages = pages.trim_matches('"').split(',').filter_map(|page| page.parse().ok()).collect();
    Some((question.trim_matches('"'), GoldPlace { document: format!("{document}.pdf"), pages, range: None }))
}

fn print(explanation: &Explanation, depth: usize) {
    let Explanation { value, description, details } = explanation;
    println!("{}{:08x} {description}", "  ".repeat(depth), value.to_bits());
    details.iter().for_each(|detail| print(detail, depth + 1));
}
