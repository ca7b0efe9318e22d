//! The parts of the ranking that a user may change, and those that a ranker of one's own is trained on: parameters, gold places, candidates
//! with labels, and the ranker that is set.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use engine::{
    ApproximateTokens, Code, GoldPlace, IngestOptions, Library, RankingOptions, SearchHit, SearchOptions,
};
use pincite_tests::samples;

const QUESTION: &str = "How long must a firm keep records of complaints?";

/// Ranks by one feature alone: a tree that sends a high share of the question's words right, to a value of 1.
const OWN: &str = "feature_names=cover.terms\nTree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold=0.5\n\
    decision_type=8\nleft_child=-1\nright_child=-2\nleaf_value=0 1\nend of trees\n";

fn library() -> Library {
    library_of(["rulebook", "contract"])
}

fn library_of(ids: [&str; 2]) -> Library {
    let mut library = Library::new();
    for id in ids {
        let pdf = samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf;
        let (name, options) = (format!("{id}.pdf"), IngestOptions::default());
        let go_on = &mut |_| ControlFlow::Continue(());
        library.add(&engine::ingest(&pdf, &name, &options, &ApproximateTokens, go_on).unwrap()).unwrap();
    }
    library
}

fn options() -> SearchOptions {
    SearchOptions::parse(10, "child", "auto", true).unwrap()
}

fn hits(library: &Library, options: &SearchOptions) -> Vec<SearchHit> {
    library.search(QUESTION, None, options).unwrap().hits
}

fn why(hit: &SearchHit) -> &str {
    &hit.explanation.as_ref().unwrap().description
}

#[test]
fn parameters_change_the_scores_and_those_out_of_range_are_refused() {
    let library = library();
    let blend = || options().with_fusion("blend").unwrap();
    let with = |ranking: RankingOptions| hits(&library, &blend().with_ranking(&ranking).unwrap());
    let usual = hits(&library, &blend());
    assert_eq!(usual, with(RankingOptions::default()));
    for changed in [
        RankingOptions { k1: Some(2.0), ..RankingOptions::default() },
        RankingOptions { b: Some(0.0), ..RankingOptions::default() },
        RankingOptions { header_weight: Some(9.0), ..RankingOptions::default() },
        RankingOptions { dense_weight: Some(0.9), ..RankingOptions::default() },
    ] {
        assert_ne!(usual, with(changed), "{changed:?}");
    }
    for wrong in [
        RankingOptions { k1: Some(-1.0), ..RankingOptions::default() },
        RankingOptions { b: Some(1.5), ..RankingOptions::default() },
        RankingOptions { header_weight: Some(f32::INFINITY), ..RankingOptions::default() },
        RankingOptions { dense_weight: Some(f32::NAN), ..RankingOptions::default() },
    ] {
        assert_eq!(blend().with_ranking(&wrong).unwrap_err().code(), Code::BadArgument, "{wrong:?}");
    }
}

#[test]
fn gold_places_are_found_by_the_hits_and_label_the_candidates() {
    let library = library();
    let first = &hits(&library, &options())[0].location;
    let (document, [start, end]) = (first.document_id.clone(), first.spans[0].range);
    let gold = vec![
        GoldPlace { document: document.clone(), range: Some([start, end]), ..GoldPlace::default() },
        GoldPlace { document, range: Some([u32::MAX - 1, u32::MAX]), ..GoldPlace::default() },
    ];
    let reply = library.search(QUESTION, None, &options().with_gold(gold.clone())).unwrap();
    assert_eq!(reply.gold.len(), reply.hits.len());
    assert_eq!(reply.gold[0], [0]);
    assert!(reply.gold[1..].iter().all(Vec::is_empty));
    assert!(library.search(QUESTION, None, &options()).unwrap().gold.is_empty());

    let candidates = library.candidates(QUESTION, None, &options().with_gold(gold)).unwrap();
    assert_eq!(candidates.n_reached, 1);
    assert_eq!(candidates.features.len(), candidates.labels.len() * candidates.names.len());
    assert_eq!(candidates.places.len(), candidates.labels.len());
    assert!(candidates.labels.contains(&true) && candidates.labels.contains(&false));
    for ((_, place), label) in candidates.places.iter().zip(&candidates.labels) {
        let overlaps = place.range[0] < end && start < place.range[1];
        assert!(overlaps || !label, "{place:?} is outside {start}..{end}");
    }
    assert!(library.candidates("?", None, &options()).unwrap().labels.is_empty());
}

#[test]
fn candidates_are_the_same_in_whatever_order_documents_were_added() {
    let candidates = |library: Library| library.candidates(QUESTION, None, &options()).unwrap();
    let (forth, back) = (candidates(library()), candidates(library_of(["contract", "rulebook"])));
    assert!(forth.places.len() > 20);
    assert_eq!(forth.places, back.places);
    assert_eq!(forth.scores, back.scores);
}

#[test]
fn a_ranker_of_ones_own_is_used_and_named_and_a_bad_one_changes_nothing() {
    let mut library = library();
    let shipped = hits(&library, &options());
    assert_eq!(why(&shipped[0]), "lambdamart");
    let mark = library.set_ranker(Some(OWN)).unwrap().unwrap();
    let own = hits(&library, &options());
    assert_eq!(why(&own[0]), format!("lambdamart, own ranker {mark}"));
    assert!(own.iter().all(|hit| hit.score <= 1.0) && (own[0].score - 1.0).abs() < 1e-6);
    for (bad, says) in [
        ("", "names no features"),
        ("feature_names=cover.terms\n", "has no trees"),
        (&OWN.replace("cover.terms", "of.others"), "of.others"),
    ] {
        let error = library.set_ranker(Some(bad)).unwrap_err();
        assert_eq!(error.code(), Code::BadArgument);
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!(hits(&library, &options()), own);
    }
    assert_eq!(library.set_ranker(None).unwrap(), None);
    assert_eq!(hits(&library, &options()), shipped);
}
