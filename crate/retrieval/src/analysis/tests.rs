//! Questions read over small libraries.

use std::sync::Arc;

use document::{
    Cite, DefinedTerm, Document, DocumentIdx, Entity, EntityKind, Label, Section, SectionId, TermKind,
    TextRange,
};
use index::{Index, Segment};
use proptest::prelude::*;
use text::AnalyzerKind;

use super::{AnalyzedQuery, ExpansionSource, Glossary, Lexicon, NamedSection};

/// A document of sections, one line each, with the terms and names that are given.
fn document(name: &str, title: &str, sections: &[(&str, &str)]) -> Document {
    let mut document = Document {
        name: name.to_owned(),
        digest: name.to_owned(),
        title: Some(title.to_owned()).filter(|title| !title.is_empty()),
        ..Document::default()
    };
    let section = |parent, level, key: &str, range| Section {
        parent,
        level,
        label: Some(Label { text: key.to_owned(), key: key.to_owned() })
            .filter(|label| !label.key.is_empty()),
        title: key.to_owned(),
        heading: None,
        range,
        blocks: Vec::new(),
        is_article: false,
    };
    document.tree.sections.push(section(None, 0, "", TextRange::default()));
    for (key, text) in sections {
        let start = document.layout.text.len();
        document.layout.text.push_str(text);
        document.layout.text.push('\n');
        let range = TextRange::new(start, document.layout.text.len());
        document.tree.sections.push(section(Some(SectionId(0)), 1, key, range));
    }
    if let Some(root) = document.tree.sections.first_mut() {
        root.range = TextRange::new(0, document.layout.text.len());
    }
    document
}

fn range_of(document: &Document, part: &str) -> TextRange {
    let start = document.layout.text.find(part).unwrap();
    TextRange::new(start, start + part.len())
}

fn term(document: &mut Document, term: &str, meaning: &str, kind: TermKind) {
    let (range, meaning) = (range_of(document, term), range_of(document, meaning));
    document.tree.terms.push(DefinedTerm { term: term.to_owned(), range, meaning, kind });
}

fn entity(document: &mut Document, value: &str, kind: EntityKind) {
    let range = range_of(document, value);
    document.tree.entities.push(Entity { kind, range, value: value.to_owned() });
}

fn index(documents: Vec<Document>) -> Index {
    let mut index = Index::default();
    for document in documents {
        index.insert(Arc::new(Segment::new(document, AnalyzerKind::Default)));
    }
    index
}

fn harbour() -> Vec<Document> {
    let mut act = document(
        "hda.pdf",
        "Harbour Dues Act 2019",
        &[
            ("section 3", "“Pilot Vessel” means a vessel that carries pilots. The Harbour Board decides."),
            (
                "section 4",
                "A Common User Facility (CUF) is open to all. “MTF” means a multilateral trading facility.",
            ),
        ],
    );
    term(&mut act, "Pilot Vessel", "a vessel that carries pilots", TermKind::Definition);
    term(&mut act, "CUF", "Common User Facility", TermKind::Acronym);
    term(&mut act, "MTF", "a multilateral trading facility", TermKind::Definition);
    entity(&mut act, "Harbour Board", EntityKind::Authority);
    let rules = document(
        "rules.pdf",
        "Berth Rulebook",
        &[("4.2.1", "Berths are given in order of arrival."), ("section 4", "Fees are due at once.")],
    );
    let law = document("law.pdf", "港口法", &[("条 19", "经营人应当公示费用。"), ("条 20", "罚则。")]);
    vec![act, rules, law]
}

fn read(text: &str) -> AnalyzedQuery {
    let index = index(harbour());
    AnalyzedQuery::read(text, &Lexicon::of(&index), &Glossary::default())
}

fn targets(text: &str) -> Vec<(u32, u32, bool)> {
    let found = read(text).provisions;
    let sections = found.iter().flat_map(|provision| &provision.targets);
    sections.map(|&NamedSection { document, section, is_exact }| (document.0, section.0, is_exact)).collect()
}

#[test]
fn provisions_are_found_in_the_document_that_is_named_or_in_all() {
    type Case<'a> = (&'a str, &'a [(u32, u32, bool)]);
    let cases: &[Case<'_>] = &[
        ("What does Rule 4.2.1 require?", &[(1, 1, true)]),
        ("What does Rule 4.2.1(3) require?", &[(1, 1, false)]),
        ("What is due under section 4?", &[(0, 2, true), (1, 2, true)]),
        ("What is due under section 4 of the Harbour Dues Act 2019?", &[(0, 2, true)]),
        ("What is due under section 4 of the Berth Rulebook?", &[(1, 2, true)]),
        ("Under the Berth Rulebook, what does section 4 say?", &[(1, 2, true)]),
        ("section 4 of the Pilotage Act 1987", &[]),
        ("第十九条规定了什么？", &[(2, 1, true)]),
        ("《港口法》第二十条", &[(2, 2, true)]),
        ("section 99", &[]),
        ("What does this section say of the following paragraph?", &[]),
        ("fees in 2019 of 4.5 per cent", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(&targets(text), expected, "{text}");
    }
    let cite = read("see Rule 4.2.1(3)").provisions.remove(0).cite;
    assert_eq!(cite, Cite { instrument: None, path: vec!["rule 4.2.1".to_owned(), "(3)".to_owned()] });
}

#[test]
fn terms_names_and_documents_are_found_as_phrases() {
    let text = "May the Harbour Board refuse Pilot Vessels under the Harbour Dues Act 2019?";
    let question = read(text);
    let shown = |range: &std::ops::Range<usize>| &text[range.clone()];
    assert_eq!(shown(&question.terms[0].range), "Pilot Vessels");
    assert_eq!(
        (question.terms[0].term.as_str(), question.terms[0].definitions[0].section),
        ("Pilot Vessel", SectionId(1))
    );
    assert_eq!(shown(&question.entities[0].range), "Harbour Board");
    assert_eq!(question.documents[0].document, DocumentIdx(0));
    // A single word of the phrase is not the phrase.
    let question = read("Which vessel pays the board?");
    assert!(question.terms.is_empty() && question.entities.is_empty() && question.documents.is_empty());
}

#[test]
fn short_forms_are_spelled_out_and_long_forms_shortened() {
    let expansions =
        |text: &str| -> Vec<String> { read(text).expansions.into_iter().map(|e| e.text).collect() };
    assert_eq!(expansions("Who may use a CUF?"), ["Common User Facility"]);
    assert_eq!(expansions("Who may use common user facilities?"), ["CUF"]);
    assert_eq!(expansions("Is an MTF a market?"), ["multilateral trading facility"]);
    // What is written in capitals is meant in capitals.
    assert!(expansions("cuf and mtf").is_empty());
}

#[test]
fn what_else_is_asked_is_counted() {
    for (text, n) in [
        ("What does Rule 4.2.1 require?", 1),
        ("第十九条", 0),
        ("section 4 of the Harbour Dues Act 2019", 0),
        ("", 0),
    ] {
        assert_eq!(read(text).n_other_words, n, "{text}");
    }
}

#[test]
fn a_glossary_adds_its_words() {
    let index = index(harbour());
    let glossary = Glossary::new([("wharfage", vec!["berth fee", "quay dues"]), ("", vec!["nothing"])]);
    let question = AnalyzedQuery::read("Who pays wharfage?", &Lexicon::of(&index), &glossary);
    let texts: Vec<&str> = question.expansions.iter().map(|e| e.text.as_str()).collect();
    assert_eq!(texts, ["berth fee", "quay dues"]);
    assert!(question.expansions.iter().all(|e| e.source == ExpansionSource::Glossary && e.range == (9..17)));
}

#[test]
fn a_lexicon_knows_its_snapshot() {
    let mut index = index(harbour());
    let lexicon = Lexicon::of(&index);
    assert!(lexicon.is_of(&index) && lexicon.is_of(&index.clone()));
    index.remove("law.pdf");
    assert!(!lexicon.is_of(&index));
    assert!(Lexicon::default().is_of(&Index::default()));
}

#[test]
fn of_a_question_of_any_size_a_bounded_part_is_read() {
    let index = index(harbour());
    let lexicon = Lexicon::of(&index);
    for unit in ["Rule 4.2.1 and ", "Pilot Vessel ", "第十九条", "(", "§ ", "a", "MTF "] {
        let long = unit.repeat(100_000 / unit.len());
        let question = AnalyzedQuery::read(&long, &lexicon, &Glossary::default());
        assert!(question.provisions.len() <= super::MAX_NAMED && question.terms.len() <= super::MAX_NAMED);
    }
}

proptest! {
    #[test]
    fn any_question_gives_ranges_of_itself(text in "(\\PC|Rule 4|Pilot Vessel|第十九条|CUF| ){0,30}") {
        let question = read(&text);
        let provisions = question.provisions.iter().map(|provision| provision.range.clone());
        let expansions = question.expansions.iter().map(|expansion| expansion.range.clone());
        let terms = question.terms.iter().map(|term| term.range.clone());
        for range in terms.chain(provisions).chain(expansions) {
            prop_assert!(text.get(range).is_some_and(|part| !part.is_empty()));
        }
    }
}
