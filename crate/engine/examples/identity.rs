//! Prints what must be bit-identical natively and in wasm: `identity QUESTIONS FILE...`.
//!
//! For each file the SHA-256 of its segment; for each line of QUESTIONS the hits of a search without vectors, with the
//! bits of every score and of every term in its explanation, and the answer. `tests/identity/identity.mjs` prints the
//! same from wasm and compares.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use document::Explanation;
use engine::{ApproximateTokens, IngestOptions, Library, SearchOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let questions = std::fs::read_to_string(arguments.next().ok_or("usage: identity QUESTIONS FILE...")?)?;
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
    Ok(())
}

fn print(explanation: &Explanation, depth: usize) {
    let Explanation { value, description, details } = explanation;
    println!("{}{:08x} {description}", "  ".repeat(depth), value.to_bits());
    details.iter().for_each(|detail| print(detail, depth + 1));
}
