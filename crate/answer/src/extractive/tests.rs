//! The extractive answerer over small documents built in code.

use document::{BlockKind, ChunkId, Document, DocumentIdx};

use super::*;
use crate::fixture::{call_note, numbered, of_blocks as document};
use crate::question::Concept;
use crate::similarities::QuerySimilarity;
use citations::Status;

struct Flat;
impl TermWeights for Flat {
    fn idf(&self, _: &str) -> f64 {
        1.0
    }
}

fn ask(question: &str, document: &Document) -> Answer {
    let evidence =
        Evidence { document: DocumentIdx(0), source: document, chunk: ChunkId(0), score: 1.0, cosine: None };
    extractive(&QuestionAnalysis::of(question), &[evidence], &[], &[], &Flat, &Options::default())
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
fn an_item_and_its_lead_in_are_one_citation_that_marks_what_it_leaves_out() {
    let blocks = [
        (BlockKind::Paragraph, "7. A licensed person must at all times:"),
        (BlockKind::ListItem, "(a) act honestly;"),
        (BlockKind::ListItem, "(b) notify the Authority of every breach of the solvency margin; and"),
        (BlockKind::ListItem, "(c) keep books."),
        (BlockKind::Paragraph, "8. Cats sleep."),
    ];
    let document = numbered(document(&blocks), &[(0, 3), (4, 4)]);
    let answer = ask("Who is told about a breach of the solvency margin?", &document);
    let best = &answer.citations[0];
    let quote = "7. A licensed person must at all times: […] (b) notify the Authority of every breach of the solvency margin; and";
    assert_eq!(best.quote, quote);
    let parts: Vec<&str> = best.ranges().map(|range| document.layout.slice(range).trim()).collect();
    assert_eq!((parts.join(" […] "), best.status), (quote.to_owned(), Status::Verified));
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
fn statements_and_citations_begin_with_the_best() {
    let document = document(&[(
        BlockKind::Paragraph,
        "Records of complaints go to the compliance officer. Records of complaints are kept by the firm for six years after closing.",
    )]);
    let answer =
        ask("For how many years are records of complaints kept by the firm after closing?", &document);
    assert!(answer.citations[0].quote.contains("six years"));
    assert!(answer.statements[0].text.contains("six years"));
    let order = answer.statements.iter().flat_map(|statement| statement.citations.clone());
    assert!(order.eq(answer.citations.iter().map(|citation| citation.id)));
}

#[test]
fn nothing_found_is_an_answer_too() {
    let answer = extractive(&QuestionAnalysis::of("What now?"), &[], &[], &[], &Flat, &Options::default());
    assert!(!answer.sufficient && answer.citations.is_empty());
}

#[test]
fn who_asks_for_conditions_gets_the_article_whole_without_its_number() {
    let blocks = [
        (BlockKind::Paragraph, "第三条　申请许可证应当具备下列条件："),
        (BlockKind::ListItem, "（一）有固定的经营场所；"),
        (BlockKind::ListItem, "（二）有三名以上专业人员。"),
        (BlockKind::Paragraph, "第四条　登记机关应当在十日内答复。"),
    ];
    let document = numbered(document(&blocks), &[(0, 2), (3, 3)]);
    let answer = ask("申请许可证应当具备哪些条件？", &document);
    assert_eq!(answer.citations.len(), 1, "{answer:?}");
    let quote = &answer.citations[0].quote;
    assert!(quote.starts_with("申请许可证") && quote.ends_with("三名以上专业人员。"), "{quote}");
}

#[test]
fn who_asks_what_follows_gets_the_lead_in_and_the_item_that_applies() {
    let blocks = [
        (BlockKind::Paragraph, "第九条　有下列情形之一的，登记机关应当吊销许可证："),
        (BlockKind::ListItem, "（一）拒绝接受检查的；"),
        (BlockKind::ListItem, "（二）许可证暂停期间承接新业务的；"),
        (BlockKind::ListItem, "（三）提供虚假材料的。"),
    ];
    let document = numbered(document(&blocks), &[(0, 3)]);
    let answer = ask("许可证暂停期间承接新业务的，会受到什么处罚？", &document);
    let quoted = answer.citations.iter().map(|citation| citation.quote.as_str()).collect::<String>();
    assert!(quoted.contains("应当吊销许可证：") && quoted.contains("承接新业务"), "{answer:?}");
    assert!(!quoted.contains("虚假材料"), "{answer:?}");
}

#[test]
fn a_rule_comes_with_what_limits_it() {
    let document = document(&[(
        BlockKind::Paragraph,
        "A firm must keep records of complaints for six years. This does not apply to complaints of other firms. \
         Cats sleep.",
    )]);
    let answer = ask("For how many years must a firm keep records of complaints?", &document);
    assert!(answer.citations[0].quote.ends_with("complaints of other firms."), "{answer:?}");
}

/// Text of the first statement, and its operative part.
fn first_operative(question: &str, blocks: &[(BlockKind, &str)]) -> (String, Option<String>) {
    let last = blocks.len() - 1;
    let answer = ask(question, &numbered(document(blocks), &[(0, last)]));
    let statement = answer.statements.first().cloned().unwrap_or_default();
    (statement.text, statement.operative)
}

#[test]
fn the_part_that_answers_best_is_named_with_what_limits_it() {
    let records = "A firm must keep records of complaints for six years.";
    let limit = "This does not apply to complaints of other firms.";
    let office = "A firm must have an office in the town.";
    let question = "What must a firm do with records of complaints?";
    let (text, operative) =
        first_operative(question, &[(BlockKind::Paragraph, &format!("{office} {records} {limit}"))]);
    assert!(text.starts_with(office), "{text}");
    assert_eq!(operative, Some(format!("{records} {limit}")));
    // The whole of a statement is no part of it.
    let (text, operative) = first_operative(question, &[(BlockKind::Paragraph, records)]);
    assert_eq!((text.as_str(), operative), (records, None));
}

#[test]
fn a_lead_in_or_an_item_of_a_list_is_no_operative_part() {
    let blocks = [
        (BlockKind::Paragraph, "A firm must keep the following:"),
        (BlockKind::ListItem, "(a) records of complaints of each client;"),
        (BlockKind::ListItem, "(b) contracts with custodians."),
    ];
    for question in ["What must a firm keep?", "What records of complaints must a firm keep?"] {
        let (text, operative) = first_operative(question, &blocks);
        assert!(text.starts_with("A firm must keep the following:"), "{text}");
        assert_eq!(operative, None, "{question}");
    }
}

fn quotes(answer: &Answer) -> Vec<&str> {
    answer.citations.iter().map(|citation| citation.quote.as_str()).collect()
}

#[test]
fn a_row_of_a_table_is_quoted_with_the_heads_of_its_columns() {
    let document = document(&[
        (
            BlockKind::Paragraph,
            "The fees of applicants for a licence are set by the Authority from time to time.",
        ),
        (
            BlockKind::Table,
            "Applicant\tAnnual fee\tDeposit\nBroker\t$1,200\t$50\nInsurer\t$3,400\t$70\nCustodian\t$900\t$20",
        ),
    ]);
    let answer = ask("How much is the annual fee of an insurer?", &document);
    assert_eq!(
        answer.citations[0].quote, "Applicant\tAnnual fee\tDeposit\nInsurer\t$3,400\t$70",
        "{answer:?}"
    );
    assert_eq!(answer.statements[0].operative, None, "a row without its heads says little");
    assert_eq!(answer.citations[0].status, Status::Verified);
    let Citation { range, rest, .. } = &answer.citations[0];
    assert_eq!(document.layout.slice(*range), "Applicant\tAnnual fee\tDeposit");
    assert_eq!(
        rest.iter().map(|&range| document.layout.slice(range)).collect::<Vec<_>>(),
        ["Insurer\t$3,400\t$70"]
    );
}

#[test]
fn a_note_is_quoted_whole_and_beside_the_sentence_that_calls_it() {
    let called = "A warning is shown when the two sensors differ by more than the threshold.";
    let note = "More than 10 degrees. The difference must last for 10 seconds.";
    let mut document = document(&[
        (BlockKind::Paragraph, called),
        (BlockKind::Paragraph, "The sensors are tested before each flight by the crew."),
        (BlockKind::Footnote, note),
    ]);
    // The passage that was found is the body alone.
    document.chunks[0].ranges[0].end = document.layout.blocks[1].range.end;
    call_note(&mut document, called, "4", note);
    let answer = ask("By how much must the two sensors differ before a warning is shown?", &document);
    assert!(quotes(&answer).contains(&called) && quotes(&answer).contains(&note), "{answer:?}");
}

#[test]
fn who_asks_for_a_figure_gets_the_sentence_that_has_it() {
    let document = document(&[
        (
            BlockKind::Paragraph,
            "The period for which a firm keeps its records of complaints is set by the Authority.",
        ),
        (BlockKind::Paragraph, "Section 12 is about records of complaints that a firm keeps."),
        (BlockKind::Paragraph, "A firm keeps records of complaints for six years."),
    ]);
    let answer = ask("How long does a firm keep its records of complaints?", &document);
    assert_eq!(answer.citations[0].quote, "A firm keeps records of complaints for six years.", "{answer:?}");
}

#[test]
fn each_part_of_a_question_has_its_provision() {
    let document = document(&[
        (BlockKind::Paragraph, "A firm keeps records of complaints for six years after they were closed."),
        (
            BlockKind::Paragraph,
            "Records of complaints are kept in the language of the complaint by the firm.",
        ),
        (BlockKind::Paragraph, "The complaints officer is appointed by the board of the firm."),
    ]);
    let question =
        "How long does a firm keep records of complaints, and who appoints the complaints officer?";
    let answer = ask(question, &document);
    let first_two = quotes(&answer).get(..2).map(<[&str]>::concat).unwrap_or_default();
    assert!(first_two.contains("six years") && first_two.contains("appointed by the board"), "{answer:?}");
}

#[test]
fn a_caption_and_a_closing_are_no_statements() {
    let mut document = document(&[
        (BlockKind::Paragraph, "Table 3: Records of complaints kept by a firm"),
        (BlockKind::Paragraph, "A firm keeps the records of all complaints at its seat."),
        (BlockKind::Paragraph, "Where are records of complaints kept?"),
    ]);
    document.layout.blocks[0].role = ::document::Role::Caption;
    let answer = ask("Where does a firm keep records of complaints?", &document);
    assert_eq!(
        answer.citations[0].quote, "A firm keeps the records of all complaints at its seat.",
        "{answer:?}"
    );
}

#[test]
fn a_question_that_asks_twice_is_judged_part_by_part() {
    let library = crate::fixture::Library::new(vec![crate::fixture::document(
        "Rules",
        &[
            ("rule 1", "Records of complaints are kept for six years."),
            ("rule 2", "The waiver of a levy is signed by the treasurer."),
            ("rule 3", "Cats sleep by day, and a broker eats lunch."),
        ],
    )]);
    let evidence = library.evidence();
    let question = "For how many years are records of complaints kept, and who signs the waiver of a levy?";
    let parts = [vec![evidence[0], evidence[2]], vec![evidence[1], evidence[2]]];
    let answer = |parts: &[Vec<Evidence<'_>>]| {
        extractive(&QuestionAnalysis::of(question), &evidence, parts, &[], &library, &Options::default())
    };
    let (whole, in_parts) = (answer(&[]), answer(&parts));
    assert!(in_parts.probability > whole.probability && in_parts.sufficient, "{whole:?} {in_parts:?}");
    let quotes = quotes(&in_parts).concat();
    assert!(quotes.contains("six years") && quotes.contains("treasurer"), "{quotes}");
}

#[test]
fn a_part_that_the_documents_do_not_answer_is_left_open_and_said() {
    let library = crate::fixture::Library::new(vec![crate::fixture::document(
        "Rules",
        &[
            ("rule 1", "Records of complaints are kept for six years."),
            ("rule 2", "Cats sleep by day, and a broker eats lunch."),
        ],
    )]);
    let evidence = library.evidence();
    let question =
        "For how many years are records of complaints kept, and what penalty does piracy at sea carry?";
    let parts = [vec![evidence[0], evidence[1]], vec![evidence[1]]];
    let answer =
        extractive(&QuestionAnalysis::of(question), &evidence, &parts, &[], &library, &Options::default());
    assert!(answer.sufficient, "{answer:?}");
    assert_eq!(quotes(&answer), ["Records of complaints are kept for six years."]);
    assert_eq!(answer.message, "The documents do not say: “what penalty does piracy at sea carry?”.");
    assert!(answer.missing.iter().any(|word| word == "piracy"), "{:?}", answer.missing);
}

#[test]
fn a_sentence_that_names_a_concept_otherwise_goes_before_one_that_names_nothing() {
    let document = document(&[(
        BlockKind::Paragraph,
        "The employer shall pay the bonus in May. The employer shall give notice of termination of employment in writing.",
    )]);
    let evidence =
        Evidence { document: DocumentIdx(0), source: &document, chunk: ChunkId(0), score: 1.0, cosine: None };
    let concept =
        Concept { phrase: "sack".to_owned(), members: vec!["termination of employment".to_owned()] };
    let question = QuestionAnalysis::with_concepts("When may the employer sack someone?", &[concept]);
    let answer = extractive(&question, &[evidence], &[], &[], &Flat, &Options::default());
    assert!(answer.citations[0].quote.contains("notice of termination"), "{answer:?}");
    assert!(!answer.missing.iter().any(|word| word == "sack"), "{:?}", answer.missing);
}

#[test]
fn where_it_is_doubtful_that_a_passage_answers_the_nearest_are_shown_with_the_words_that_none_has() {
    let document = document(&[(
        BlockKind::Paragraph,
        "A firm must keep its records of complaints for six years. The records are open to clients.",
    )]);
    let mut evidence = Evidence {
        document: DocumentIdx(0),
        source: &document,
        chunk: ChunkId(0),
        score: 1.0,
        cosine: Some(0.35),
    };
    let question = QuestionAnalysis::of("Where does an insurer file grievances of former customers?");
    let ask = |evidence| extractive(&question, &[evidence], &[], &[], &Flat, &Options::default());
    let answer = ask(evidence);
    assert_eq!(answer.answerability, Answerability::MayAnswer, "{}", answer.probability);
    assert!(answer.sufficient && !answer.statements.is_empty());
    assert!(
        answer.message.starts_with("These are the nearest passages; they may answer."),
        "{}",
        answer.message
    );
    assert!(answer.message.contains("insurer"), "{}", answer.message);
    evidence.cosine = Some(0.1);
    assert_eq!(ask(evidence).answerability, Answerability::Silent);
}

#[test]
fn where_passages_were_compared_the_most_similar_sentences_are_quoted_whatever_their_words() {
    let text = "The lessee shall return the vehicle with a full tank. Fuel that is missing is charged at the daily rate. \
                The vehicle is insured against theft.";
    let document = document(&[(BlockKind::Paragraph, text)]);
    let at = DocumentIdx(0);
    let evidence = Evidence { document: at, source: &document, chunk: ChunkId(0), score: 1.0, cosine: None };
    let question = QuestionAnalysis::of("What does the vehicle cost me when I bring it back empty?");
    let options = Options { always: true, ..Options::default() };
    let quoted = |scores: &[Similarities]| {
        quotes(&extractive(&question, &[evidence], &[], scores, &Flat, &options)).concat()
    };
    let sentences = crate::passage::sentences_of(&document, &document.chunks[0].ranges);
    let scores = sentences.iter().zip([-0.1, 0.25, -0.2]).map(|(&range, score)| (at, range, score));
    let compared = [Similarities::new(scores, QuerySimilarity::default())];
    assert!(!quoted(&[]).contains("Fuel that is missing"), "its words have nothing of the question");
    assert_eq!(quoted(&compared), "Fuel that is missing is charged at the daily rate.");
    assert_eq!(quoted(&[Similarities::default()]), quoted(&[]), "nothing was compared");
}

#[test]
fn the_first_sentence_of_a_numbered_provision_is_as_similar_as_it_is_with_its_number() {
    let blocks = [
        (
            BlockKind::Paragraph,
            "6.2.1 A dealer shall file the log of each sale for six years. Nil logs count too.",
        ),
        (BlockKind::Paragraph, "6.2.2 Cats sleep."),
    ];
    let mut document = numbered(document(&blocks), &[(0, 0), (1, 1)]);
    for section in document.tree.sections.iter_mut().filter(|section| section.is_article) {
        let start = section.range.start;
        section.heading = Some(document::TextRange { start, end: start + 6 });
    }
    let at = DocumentIdx(0);
    let evidence = Evidence { document: at, source: &document, chunk: ChunkId(0), score: 1.0, cosine: None };
    let question = QuestionAnalysis::of("How long does a merchant hold its books?");
    let options = Options { always: true, ..Options::default() };
    let sentences = crate::passage::sentences_of(&document, &document.chunks[0].ranges);
    let scores = sentences.iter().zip([0.75, 0.25, 0.125]).map(|(&range, score)| (at, range, score));
    let scores = [Similarities::new(scores, QuerySimilarity::default())];
    let answer = extractive(&question, &[evidence], &[], &scores, &Flat, &options);
    assert_eq!(quotes(&answer)[0], "A dealer shall file the log of each sale for six years.");
}

/// Sections of a heading and a paragraph each, within a part of its own heading.
fn headed() -> Document {
    let blocks = [
        (BlockKind::Heading, "Part 3 Conduct"),
        (BlockKind::Heading, "3.1"),
        (BlockKind::Paragraph, "A broker shall act with care. Care is owed to each client of the broker."),
        (BlockKind::Heading, "3.2 Complaints"),
        (BlockKind::Paragraph, "A broker shall answer a grievance of a client within a week."),
    ];
    let mut document = numbered(document(&blocks), &[(0, 4), (1, 2), (3, 4)]);
    let headings: Vec<document::TextRange> =
        [0, 1, 3].map(|at| document.layout.blocks[at].range).into_iter().collect();
    for (section, heading) in document.tree.sections.iter_mut().skip(1).zip(headings) {
        section.heading = Some(heading);
        section.is_article = false;
    }
    for section in document.tree.sections.iter_mut().skip(2) {
        (section.parent, section.level) = (Some(document::SectionId(1)), 2);
    }
    document
}

#[test]
fn a_question_for_a_place_is_answered_by_its_heading_with_the_words_below_it() {
    let document = headed();
    let first = |question: &str| quotes(&ask(question, &document))[0].replace('\n', " | ");
    assert_eq!(
        first("Which section deals with a grievance of a client?"),
        "3.2 Complaints | A broker shall answer a grievance of a client within a week."
    );
    assert_eq!(
        first("Which part deals with a grievance of a client?"),
        "Part 3 Conduct […] A broker shall answer a grievance of a client within a week."
    );
    assert_eq!(
        first("Which section says that a broker shall act with care?"),
        "Part 3 Conduct | A broker shall act with care.",
        "a number alone tells nobody where"
    );
    let answer = ask("When shall a broker answer a grievance of a client?", &document);
    assert_eq!(quotes(&answer)[0], "A broker shall answer a grievance of a client within a week.");
}

#[test]
fn each_place_is_cited_before_any_of_them_again() {
    let document = headed();
    let answer = ask("Which section tells what a broker shall do for a client?", &document);
    let sections: Vec<usize> = answer.citations.iter().map(|citation| citation.section.idx()).collect();
    assert_eq!((sections.len() > 1, sections[0] != sections[1]), (true, true), "{sections:?}");
}
