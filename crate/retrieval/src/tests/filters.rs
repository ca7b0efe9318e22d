//! Filters: on both legs alike, and never at the cost of depth.

use std::sync::Arc;

use document::{ChunkKind, DocumentIdx, Edition, EditionKind, LegalStatus, SectionId, Withdrawn};
use index::vector::{Hnsw, HnswParams, QueryVector};
use index::{Index, Segment, VectorBatch};
use proptest::prelude::*;
use text::AnalyzerKind;

use super::law::{index, law};
use crate::{Filter, Options, Query, Ranker, SearchUnits, search, search_with};

fn dated(name: &str, kind: EditionKind, text: &str, date: Option<&str>) -> document::Document {
    let mut law =
        law(name, name, &[("1", "Fees", "A fee is due."), ("2", "Records", "Records of fees are kept.")]);
    law.tree.editions.push(Edition { kind, text: text.to_owned(), date: date.map(str::to_owned) });
    law
}

/// The laws and sections that are found.
fn found(index: &Index, filter: Filter) -> Vec<String> {
    let options =
        Options { filter, ranker: Ranker::Lexical, units: SearchUnits::Article, ..Options::default() };
    let query = Query { text: "fee records", vector: None, analysis: None, citations: None };
    let mut found: Vec<String> = search(index, &query, &options)
        .iter()
        .map(|hit| {
            let law = index.get(hit.document).unwrap().segment().document();
            format!("{} {}", law.digest, law.chunks[hit.chunk.idx()].section.0)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn editions_and_dates_choose_documents() {
    let index = index(vec![
        dated("old", EditionKind::Version, "VER08.010120", Some("2020-01-01")),
        dated("new", EditionKind::Consolidated, "as amended to July 2023", Some("2023-07")),
        dated("none", EditionKind::Version, "Version 3.2", None),
    ]);
    let of = |filter: Filter| {
        let mut laws: Vec<String> =
            found(&index, filter).iter().map(|hit| hit[..hit.len() - 2].to_owned()).collect();
        laws.dedup();
        laws
    };
    let from = |date: &str| Filter { from: Some(date.to_owned()), ..Filter::default() };
    let to = |date: &str| Filter { to: Some(date.to_owned()), ..Filter::default() };
    let edition = |text: &str| Filter { edition: Some(text.to_owned()), ..Filter::default() };
    assert_eq!(of(from("2020")), ["new", "old"]);
    assert_eq!(of(from("2020-01-02")), ["new"]);
    // July 2023 may be the 15th or later.
    assert_eq!(of(from("2023-07-15")), ["new"]);
    assert_eq!(of(from("2023-08")), [""; 0]);
    assert_eq!(of(to("2020")), ["old"]);
    assert_eq!(of(to("2019-12-31")), [""; 0]);
    assert_eq!(of(to("2023-07-15")), ["new", "old"]);
    assert_eq!(of(edition("ver08")), ["old"]);
    assert_eq!(of(edition("3.2")), ["none"]);
    assert_eq!(of(edition("nothing")), [""; 0]);
}

#[test]
fn repealed_sections_can_be_left_out_with_all_below_them() {
    let mut berths = law(
        "berths",
        "Berths",
        &[
            ("1", "Fees", "A fee is due."),
            ("2", "Records", "[Repealed]"),
            ("  2.1", "Keeping", "Records of fees are kept."),
            ("3", "Refunds", "A fee is given back."),
        ],
    );
    berths.tree.withdrawn.push(Withdrawn { section: SectionId(2), legal_status: LegalStatus::Repealed });
    assert_eq!(berths.tree.legal_status(SectionId(3)), Some(LegalStatus::Repealed));
    assert_eq!(berths.tree.legal_status(SectionId(4)), None);
    let index = index(vec![berths]);
    assert_eq!(found(&index, Filter::default()), ["berths 1", "berths 2", "berths 3", "berths 4"]);
    assert_eq!(found(&index, Filter { in_force: true, ..Filter::default() }), ["berths 1", "berths 4"]);
    let all_of =
        |section| Filter { sections: Some(vec![(DocumentIdx(0), SectionId(section))]), ..Filter::default() };
    assert_eq!(found(&index, all_of(2)), ["berths 2", "berths 3"]);
    assert_eq!(found(&index, Filter { in_force: true, ..all_of(2) }), [""; 0]);
}

#[test]
fn a_filter_that_holds_nothing_finds_nothing() {
    let index = index(vec![dated("old", EditionKind::Issued, "dated 1 May 2020", Some("2020-05-01"))]);
    for filter in [
        Filter { documents: Some(Vec::new()), ..Filter::default() },
        Filter { documents: Some(vec![DocumentIdx(9)]), ..Filter::default() },
        Filter { sections: Some(vec![(DocumentIdx(0), SectionId(99))]), ..Filter::default() },
        Filter { sections: Some(vec![(DocumentIdx(7), SectionId(1))]), ..Filter::default() },
        Filter { kinds: Some(Vec::new()), ..Filter::default() },
        Filter { from: Some(String::from("not a date")), ..Filter::default() },
    ] {
        assert_eq!(found(&index, filter.clone()), [""; 0], "{filter:?}");
    }
}

const MODEL: &str = "m";

/// A library of laws whose chunks have vectors, by numbers.
fn library(laws: &[Vec<(u8, u8)>]) -> Index {
    const WORDS: [&str; 4] = ["fee", "record", "berth", "fee record"];
    let mut index = Index::default();
    for (at, provisions) in laws.iter().enumerate() {
        let keys: Vec<(String, &str)> = provisions
            .iter()
            .enumerate()
            .map(|(key, &(word, _))| {
                let indent = if key % 3 == 0 { "" } else { "  " };
                (format!("{indent}{key}"), WORDS[usize::from(word) % WORDS.len()])
            })
            .collect();
        let rows: Vec<(&str, &str, &str)> =
            keys.iter().map(|(key, text)| (key.as_str(), "", *text)).collect();
        let name = format!("law{at}");
        let mut law = law(&name, &name, &rows);
        if at % 2 == 1 {
            let date = format!("20{:02}", 10 + at);
            law.tree.editions.push(Edition {
                kind: EditionKind::Issued,
                text: date.clone(),
                date: Some(date),
            });
        }
        if provisions.len() > 2 {
            law.tree.withdrawn.push(Withdrawn { section: SectionId(2), legal_status: LegalStatus::Reserved });
        }
        let segment = Arc::new(Segment::new(law, AnalyzerKind::Default));
        index.insert(Arc::clone(&segment));
        let vectors: Vec<Vec<f32>> = provisions
            .iter()
            .map(|&(_, turn)| {
                let (x, y) = (f32::from(turn) + 1.0, 7.0);
                let norm = (x * x + y * y).sqrt();
                vec![x / norm, y / norm]
            })
            .collect();
        if !vectors.is_empty() {
            index.add_vectors(&VectorBatch::new(&name, MODEL, 0, &vectors).unwrap()).unwrap();
        }
    }
    index
}

/// The definition of the filter, read aloud for one hit.
fn holds(index: &Index, filter: &Filter, document: DocumentIdx, chunk: document::ChunkId) -> bool {
    let law = index.get(document).unwrap().segment().document();
    let chunk = &law.chunks[chunk.idx()];
    let mut path = vec![chunk.section];
    while let Some(parent) = law.tree.sections[path[path.len() - 1].idx()].parent {
        path.push(parent);
    }
    let date = law.tree.date();
    filter.documents.as_ref().is_none_or(|list| list.contains(&document))
        && filter.kinds.as_ref().is_none_or(|list| list.contains(&chunk.kind))
        && filter
            .sections
            .as_ref()
            .is_none_or(|list| path.iter().any(|section| list.contains(&(document, *section))))
        && (!filter.in_force || !law.tree.withdrawn.iter().any(|gone| path.contains(&gone.section)))
        && filter.from.as_deref().is_none_or(|from| date.is_some_and(|date| date >= from))
}

fn filters() -> impl Strategy<Value = Filter> {
    let documents = prop::option::of(prop::collection::vec((0..4_u32).prop_map(DocumentIdx), 0..3));
    let section =
        (0..4_u32, 0..6_u32).prop_map(|(document, section)| (DocumentIdx(document), SectionId(section)));
    let sections = prop::option::of(prop::collection::vec(section, 0..3));
    let kinds = prop::option::of(prop::collection::vec(
        prop_oneof![Just(ChunkKind::Child), Just(ChunkKind::Article), Just(ChunkKind::Note)],
        0..3,
    ));
    let from = prop::option::of(prop_oneof![
        Just("2011".to_owned()),
        Just("2012".to_owned()),
        Just("2014".to_owned())
    ]);
    (documents, sections, kinds, from, any::<bool>()).prop_map(
        |(documents, sections, kinds, from, in_force)| Filter {
            documents,
            sections,
            kinds,
            from,
            in_force,
            ..Filter::default()
        },
    )
}

proptest! {
    #[test]
    fn filtering_is_searching_everything_and_filtering_after(
        laws in prop::collection::vec(prop::collection::vec((any::<u8>(), any::<u8>()), 0..8), 1..5),
        filter in filters(),
        dense in any::<bool>(),
        article in any::<bool>(),
        k in 1..4_usize,
    ) {
        let index = library(&laws);
        let values = [0.6, 0.8];
        let vector = QueryVector { fingerprint: MODEL, values: &values };
        let query = Query { text: "fee record", vector: Some(vector), analysis: None, citations: None };
        // An article's cosine is that of its nearest child, which a filter on articles must not hide.
        let units = if article && !dense { SearchUnits::Article } else { SearchUnits::Child };
        let ranker = if dense { Ranker::Dense } else { Ranker::Lexical };
        let narrow = Options { k, depth: k, units, ranker, filter: filter.clone(), ..Options::default() };
        let wide = Options { k: 1_000, depth: 1_000, filter: Filter::default(), ..narrow.clone() };
        let place = |hit: &document::Hit| (hit.document, hit.chunk, hit.score.to_bits());
        let expected: Vec<_> = search(&index, &query, &wide)
            .iter()
            .filter(|hit| holds(&index, &filter, hit.document, hit.chunk))
            .take(k)
            .map(place)
            .collect();
        let found: Vec<_> = search(&index, &query, &narrow).iter().map(place).collect();
        prop_assert_eq!(&found, &expected);
        if dense {
            let graph = Hnsw::build(&index, MODEL, HnswParams::default());
            let found: Vec<_> = search_with(&index, &graph.attach(&index), None, &query, &narrow).iter().map(|hit| hit.score.to_bits()).collect();
            let expected: Vec<_> = expected.iter().map(|hit| hit.2).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
