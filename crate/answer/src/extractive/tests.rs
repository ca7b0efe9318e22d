//! The extractive answerer over small documents built in code.

use document::{Block, BlockKind, BlockStyle, Chunk, ChunkKind, Layout, Role, Section, Tree};

use super::*;

struct Flat;
impl TermWeights for Flat {
    fn idf(&self, _: &str) -> f64 {
        1.0
    }
}

/// A document of one section whose blocks are these texts, all in one child.
fn document(blocks: &[(BlockKind, &str)]) -> Document {
    let mut layout = Layout::default();
    for &(kind, text) in blocks {
        if !layout.text.is_empty() {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        layout.text.push_str(text);
        layout.blocks.push(Block {
            kind,
            role: Role::Body,
            range: TextRange::new(start, layout.text.len()),
            style: BlockStyle::default(),
            marker: None,
        });
    }
    let all = TextRange::new(0, layout.text.len());
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: String::new(),
        heading: None,
        range: all,
        blocks: Vec::new(),
        is_article: false,
    };
    let chunk = Chunk {
        kind: ChunkKind::Child,
        ranges: vec![all],
        section: SectionId(0),
        n_tokens: 0,
        parents: Vec::new(),
        article: None,
        notes: Vec::new(),
    };
    Document {
        name: "a.pdf".to_owned(),
        layout,
        tree: Tree { sections: vec![root], ..Tree::default() },
        chunks: vec![chunk],
        ..Document::default()
    }
}

fn ask(question: &str, document: &Document) -> Answer {
    let evidence =
        Evidence { document: DocumentIdx(0), source: document, chunk: ChunkId(0), score: 1.0, cosine: None };
    extractive(question, &[evidence], &Flat, &Options::default())
}

#[test]
fn the_sentence_that_answers_is_quoted_and_cited() {
    let document = document(&[
        (BlockKind::Heading, "Records"),
        (
            BlockKind::Paragraph,
            "A firm is a good thing. A firm must keep its records for six years. Cats sleep.",
        ),
    ]);
    let answer = ask("How long must a firm keep its records?", &document);
    assert!(answer.sufficient);
    let best = &answer.citations[0];
    assert_eq!(best.quote, "A firm must keep its records for six years.");
    assert_eq!(document.layout.slice(best.range), best.quote);
    assert_eq!((best.id, best.status), (1, Status::Verified));
    assert!(answer.text().contains("six years. [P1]"));
}

#[test]
fn an_item_of_a_list_comes_with_its_lead_in() {
    let document = document(&[
        (BlockKind::Paragraph, "A licensed person must:"),
        (BlockKind::ListItem, "(a) act honestly;"),
        (BlockKind::ListItem, "(b) notify the Authority of every breach of the solvency margin."),
    ]);
    let answer = ask("What must be notified about a breach of the solvency margin?", &document);
    assert!(answer.citations[0].quote.starts_with("A licensed person must:"), "{answer:?}");
}

#[test]
fn a_sentence_that_leads_into_a_list_comes_with_the_list() {
    let mut document = document(&[
        (BlockKind::Paragraph, "These Regulations come into force on the following dates:"),
        (BlockKind::ListItem, "(a) for regulation 3, on 26th April;"),
        (BlockKind::ListItem, "(b) otherwise, on 2nd September."),
        (BlockKind::Paragraph, "They extend to Wales."),
    ]);
    document.layout.blocks[1].style.indent.0 = 20.0;
    document.layout.blocks[2].style.indent.0 = 20.0;
    let answer = ask("When do these Regulations come into force?", &document);
    assert!(answer.citations[0].quote.ends_with("2nd September."), "{answer:?}");
}

#[test]
fn a_definition_is_preferred_to_what_only_uses_the_term() {
    let document = document(&[
        (
            BlockKind::Paragraph,
            "The Agent shall notify the Borrower of the Scheduled Termination Date and of any later Scheduled Termination Date.",
        ),
        (BlockKind::Paragraph, "“Scheduled Termination Date” means February 28, 2025, subject to extension."),
    ]);
    let answer = ask("What is the Scheduled Termination Date?", &document);
    assert!(answer.citations[0].quote.contains("means February 28"), "{answer:?}");
}

#[test]
fn what_the_documents_do_not_say_is_said_with_the_words_that_are_missing() {
    let document = document(&[(BlockKind::Paragraph, "A firm must keep its records for six years.")]);
    let answer = ask("Which helicopter licence applies on Mars?", &document);
    assert!(!answer.sufficient && answer.statements.is_empty());
    assert!(answer.missing.iter().any(|word| word == "helicopter"));
    assert!(answer.text().starts_with("The documents do not say."));
    assert!(!answer.citations.is_empty(), "the nearest passages are shown");
}

#[test]
fn statements_follow_the_document_and_citations_the_score() {
    let document = document(&[(
        BlockKind::Paragraph,
        "Records of complaints go to the compliance officer. Records of complaints are kept by the firm for six years after closing.",
    )]);
    let answer =
        ask("For how many years are records of complaints kept by the firm after closing?", &document);
    assert!(answer.citations[0].quote.contains("six years"));
    let order: Vec<u32> =
        answer.statements.iter().flat_map(|statement| statement.citations.clone()).collect();
    let mut by_place: Vec<&Citation> = answer.citations.iter().collect();
    by_place.sort_by_key(|citation| citation.range);
    assert_eq!(order, by_place.iter().map(|citation| citation.id).collect::<Vec<_>>());
}

#[test]
fn nothing_found_is_an_answer_too() {
    let answer = extractive("What now?", &[], &Flat, &Options::default());
    assert!(!answer.sufficient && answer.citations.is_empty());
}
