//! Citations from one document to another, in the features and the reasons of hits.

use document::{Cite, CrossReference, Document, DocumentIdx, TextRange};
use index::vector::Exact;
use index::{Index, Relation};

use super::law::{index, law};
use crate::{
    AnalyzedQuery, Glossary, LambdaMart, Lexicon, Options, Query, SearchUnits, candidates_with_features,
    features, search_with,
};

const MODEL: &str = include_str!("../../../../models/ranker.txt");

fn act() -> Document {
    law(
        "dues",
        "Harbour Dues Act 2019",
        &[
            ("section 3", "", "The council sets a tariff for each class of vessel."),
            (
                "section 4",
                "",
                "Lighters and barges are exempt from the tariff while they carry ballast only.",
            ),
        ],
    )
}

/// Rules that cite the act, one provision of it and one that it does not have.
fn rules() -> Document {
    let mut rules = law(
        "rules",
        "Berth Rules",
        &[
            ("1", "", "Barges are moored under section 4 of the Harbour Dues Act 2019."),
            ("2", "", "Lights are shown as section 99 of the Harbour Dues Act 2019 asks."),
            ("3", "", "Barges give way."),
        ],
    );
    for part in ["section 4", "section 99"] {
        let start = rules.layout.text.find(part).unwrap();
        rules.tree.references.push(CrossReference {
            range: TextRange::new(start, start + part.len()),
            cite: Cite { instrument: Some("Harbour Dues Act 2019".to_owned()), path: vec![part.to_owned()] },
            target: None,
        });
    }
    rules
}

/// A feature of the article at a place among those of a document; `None` where it does not apply.
fn value(index: &Index, lexicon: &Lexicon, at: (u32, usize), feature: &str, sees: bool) -> Option<f32> {
    let text = "Which barges are exempt from the tariff?";
    let question = AnalyzedQuery::read(text, lexicon, &Glossary::default());
    let citations = Some(lexicon.citations()).filter(|_| sees);
    let query = Query { text, vector: None, analysis: Some(&question), citations };
    let options = Options { units: SearchUnits::Article, ..Options::default() };
    let (candidates, values) =
        candidates_with_features(index, &Exact::new(index), &query, &options, u32::MAX);
    let column = features().position(|known| known.name == feature).unwrap();
    let is_meant =
        |found: &crate::Candidate| found.document == DocumentIdx(at.0) && found.chunk.idx() == 2 * at.1;
    let row = candidates.iter().position(is_meant).unwrap();
    Some(values.rows().nth(row).unwrap()[column]).filter(|value| !value.is_nan())
}

#[test]
fn a_provision_stands_beside_what_it_cites_in_another_document() {
    let index = index(vec![act(), rules()]);
    let lexicon = Lexicon::of(&index);
    let (act, rules) = (DocumentIdx(0), DocumentIdx(1));
    let unit = |document, article: usize| {
        let segment = index.get(document).unwrap().segment();
        segment.unit_of(document::ChunkId::from_idx(2 * article)).unwrap()
    };
    assert_eq!(lexicon.citations().cites(rules, unit(rules, 0)), [(act, unit(act, 1))]);
    assert!(lexicon.citations().cites(rules, unit(rules, 1)).is_empty(), "there is no section 99");
    assert!(lexicon.citations().cited_by(act, unit(act, 1)).contains(&(rules, unit(rules, 0))));
    // A segment knows nothing of the others.
    let graph = index.get(rules).unwrap().segment().graph();
    assert!(graph.related(unit(rules, 0), Relation::Cites).is_empty());
    // The score of the one is a feature of the other, for who is told of the citations.
    let own = value(&index, &lexicon, (0, 1), "lexical.z", true).unwrap();
    assert_eq!(value(&index, &lexicon, (1, 0), "near.cites", true), Some(own));
    assert!(value(&index, &lexicon, (0, 1), "near.cited", true).is_some());
    for (at, feature) in [((1, 0), "near.cites"), ((0, 1), "near.cited")] {
        assert_eq!(value(&index, &lexicon, at, feature, false), None);
    }
    // What cites nothing of another document is as it was.
    assert_eq!(value(&index, &lexicon, (1, 2), "near.cites", true), None);
}

#[test]
fn a_hit_says_what_the_provision_that_it_cites_elsewhere_scores() {
    let index = index(vec![act(), rules()]);
    let (lexicon, ranker) = (Lexicon::of(&index), LambdaMart::parse(MODEL).unwrap());
    let text = "Which barges are exempt from the tariff?";
    let question = AnalyzedQuery::read(text, &lexicon, &Glossary::default());
    let query = Query { text, vector: None, analysis: Some(&question), citations: Some(lexicon.citations()) };
    let options = Options { units: SearchUnits::Article, explain: true, ..Options::default() };
    let hits = search_with(&index, &Exact::new(&index), Some(&ranker), &query, &options);
    let hit = hits.iter().find(|hit| hit.document == DocumentIdx(1) && hit.chunk.0 == 0).unwrap();
    assert!(hit.explanation.details.iter().any(|detail| detail.description == "near.cites"));
}
