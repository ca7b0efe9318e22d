//! The graph against the scan, while documents come and go.

use std::collections::BTreeSet;

use super::*;
use crate::vector::tests::{Numbers, batch, document, index_of, query};

const N_DIMS: usize = 24;
const PARAMS: HnswParams = HnswParams { ef_construction: 60, ef_search: 60, seed: 1 };

type Keep = dyn Fn(DocumentIdx, ChunkId) -> bool;

/// The share of the scan's `k` best that the graph finds; scores and order are checked on the way.
fn recall(graph: &HnswView<'_>, index: &Index, seed: u64, k: usize, keep: &Keep) -> f64 {
    let mut numbers = Numbers(seed);
    let (mut n_found, mut n_all) = (0, 0);
    for _ in 0..20 {
        let values = numbers.unit(N_DIMS, None);
        let exact = Exact::new(index).nearest(query(&values), k, keep);
        let found = graph.nearest(query(&values), k, keep);
        assert_eq!(found.len(), exact.len());
        assert!(found.is_sorted_by(|a, b| a.score >= b.score));
        for near in &found {
            assert!(keep(near.document, near.chunk));
            let entry = index.get(near.document).unwrap();
            let row = entry.segment().row_of(near.chunk).unwrap();
            assert_eq!(Some(near.score), entry.vectors().row(row).unwrap().dot(&values));
        }
        let exact: BTreeSet<_> = exact.iter().map(|near| (near.document, near.chunk)).collect();
        let found: BTreeSet<_> = found.iter().map(|near| (near.document, near.chunk)).collect();
        n_found += found.intersection(&exact).count();
        n_all += exact.len();
    }
    f64::from(n_found as u32) / f64::from(n_all as u32)
}

#[test]
fn finds_nearly_all_that_the_scan_finds_while_documents_come_and_go() {
    const SEED: u64 = 7;
    let mut numbers = Numbers(SEED);
    let rows = numbers.clustered(2400, N_DIMS);
    let mut index = index_of(&rows, 8);
    let graph = Hnsw::build(&index, "m", PARAMS);
    assert_eq!(graph.coverage(&index).n_linked(), 2400);
    let all = |_: DocumentIdx, _: ChunkId| true;
    let share = recall(&graph.attach(&index).eager(), &index, SEED, 10, &all);
    assert!(share >= 0.97, "{share}, seed {SEED}");

    // A third is filtered out, a document goes, one is replaced, one is new, one has its vectors again.
    let third = |_: DocumentIdx, chunk: ChunkId| !chunk.0.is_multiple_of(3);
    assert!(recall(&graph.attach(&index).eager(), &index, SEED, 10, &third) >= 0.97);
    index.remove("d0").unwrap();
    let again = document("d3", 100);
    index.insert(again);
    index.add_vectors(&batch("d3", 0, &numbers.scattered(100, N_DIMS))).unwrap();
    index.insert(document("new", 300));
    index.add_vectors(&batch("new", 0, &numbers.clustered(300, N_DIMS))).unwrap();
    let attached = graph.attach(&index).eager();
    assert_eq!(graph.coverage(&index).n_linked(), 1800);
    assert_eq!(attached.n_vectors(), 2200);
    assert!(recall(&attached, &index, SEED, 10, &all) >= 0.97);
    // What has just come is scanned: none of it is missed.
    let new = index.find("new").unwrap();
    for chunk in [0, 150, 299] {
        let values = index.get(new).unwrap().vectors().row(chunk).unwrap().to_vec();
        let found = attached.nearest(query(&values), 5, &all);
        assert!(found.iter().any(|near| (near.document, near.chunk.idx()) == (new, chunk)));
    }
}

#[test]
fn a_walk_that_would_take_longer_than_a_scan_is_a_scan() {
    let index = index_of(&Numbers(3).clustered(600, N_DIMS), 2);
    let graph = Hnsw::build(&index, "m", PARAMS);
    for seed in 0..10 {
        let values = Numbers(seed).unit(N_DIMS, None);
        let exact = Exact::new(&index).nearest(query(&values), 20, &|_, _| true);
        assert_eq!(graph.attach(&index).nearest(query(&values), 20, &|_, _| true), exact);
    }
}

#[test]
fn a_narrow_filter_is_answered_by_the_scan() {
    let mut numbers = Numbers(11);
    let index = index_of(&numbers.clustered(1500, N_DIMS), 30);
    let graph = Hnsw::build(&index, "m", PARAMS);
    let attached = graph.attach(&index).eager();
    let one_document = |document: DocumentIdx, _: ChunkId| document == DocumentIdx(17);
    let few = |document: DocumentIdx, chunk: ChunkId| document.0 % 10 == 3 && chunk.0 < 2;
    for keep in [&one_document as &Keep, &few, &|_, _| false] {
        for seed in 0..5 {
            let values = Numbers(seed).unit(N_DIMS, None);
            assert_eq!(
                attached.nearest(query(&values), 12, keep),
                Exact::new(&index).nearest(query(&values), 12, keep)
            );
        }
    }
    // So is a question for more than a walk should find.
    let values = numbers.unit(N_DIMS, None);
    let all = attached.nearest(query(&values), 5000, &|_, _| true);
    assert_eq!(all, Exact::new(&index).nearest(query(&values), 5000, &|_, _| true));
}

#[test]
fn a_graph_linked_elsewhere_finds_the_same() {
    let mut numbers = Numbers(5);
    let mut index = index_of(&numbers.clustered(1200, N_DIMS), 4);
    let source = HnswSource::of(&index, "m");
    assert_eq!(source.n_vectors(), 1200);
    let points = source.encode();
    let links = link(&points, PARAMS).unwrap();
    // Documents came and went while it was linked.
    index.remove("d1").unwrap();
    index.insert(document("new", 50));
    index.add_vectors(&batch("new", 0, &numbers.scattered(50, N_DIMS))).unwrap();
    let graph = source.clone().join(&links, PARAMS).unwrap();
    assert!(recall(&graph.attach(&index).eager(), &index, 5, 10, &|_, _| true) >= 0.97);

    let less = HnswSource::of(&index_of(&numbers.clustered(10, N_DIMS), 1), "m");
    assert_eq!(
        less.join(&links, PARAMS).unwrap_err().to_string(),
        "vectors do not fit the document's: a graph of another number of vectors"
    );
    for part in 0..20 {
        let mut flipped = links.clone();
        flipped[part * links.len() / 20] ^= 1;
        assert!(source.clone().join(&flipped, PARAMS).is_err(), "{part}");
        let mut flipped = points.clone();
        flipped[part * points.len() / 20] ^= 1;
        assert!(link(&flipped, PARAMS).is_err(), "{part}");
    }
    assert!(link(&links, PARAMS).is_err());
}

#[test]
fn links_that_lead_nowhere_are_no_links() {
    let good = Links::build(&[Arc::new(VectorRows::of(&[1.0, 0.0, 0.0, 1.0], 2))], PARAMS);
    let (rows, base, upper) = (good.rows().to_vec(), good.base().to_vec(), good.upper().to_vec());
    assert_eq!(Links::from_parts(rows.clone(), base.clone(), upper.clone()), Some(good));
    let mut astray = base.clone();
    astray[0] = 2;
    for (rows, base) in [(vec![0, 0], base.clone()), (vec![0, 2], base.clone()), (rows.clone(), astray)] {
        assert_eq!(Links::from_parts(rows, base, upper.clone()), None);
    }
    assert_eq!(Links::from_parts(rows.clone(), base[1..].to_vec(), upper), None);
    assert_eq!(Links::from_parts(rows, base, vec![vec![7; 32]]), None);
}

#[test]
fn knows_no_vectors_of_another_model_and_may_be_empty() {
    let rows = [vec![1.0, 0.0], vec![0.0, 1.0]];
    let index = index_of(&rows, 1);
    let graph = Hnsw::build(&index, "m", HnswParams::default());
    let other = QueryVector { fingerprint: "other", values: &[1.0, 0.0] };
    assert!(graph.attach(&index).nearest(other, 5, &|_, _| true).is_empty());
    assert!(graph.attach(&index).nearest(query(&[1.0]), 5, &|_, _| true).is_empty());
    let only_second = |_: DocumentIdx, chunk: ChunkId| chunk == ChunkId(1);
    let near = graph.attach(&index).nearest(query(&rows[0]), 5, &only_second);
    assert_eq!(near.iter().map(|near| near.chunk).collect::<Vec<_>>(), [ChunkId(1)]);
    let nothing = Index::default();
    let empty = Hnsw::build(&nothing, "m", HnswParams::default());
    assert!(empty.attach(&nothing).nearest(query(&rows[0]), 5, &|_, _| true).is_empty());
    assert!(graph.attach(&nothing).nearest(query(&rows[0]), 5, &|_, _| true).is_empty());
    // A graph of nothing, asked of what has come since.
    assert_eq!(empty.attach(&index).nearest(query(&rows[0]), 5, &|_, _| true).len(), 2);
    let joined = HnswSource::of(&nothing, "m");
    let links = link(&joined.encode(), PARAMS).unwrap();
    assert!(joined.join(&links, PARAMS).is_ok());
}
