//! What searching vectors costs: the scan by `f32`, the scan by codes, the graph and its build.
//!
//! ```sh
//! cargo run --release -p pincite-index --example vectors -- 1000 10000 50000        # the scans
//! cargo run --release -p pincite-index --example vectors -- --graph 1000 10000      # and the graph
//! crate/index/examples/vectors.sh --graph 1000 10000                                # the same in wasm, by Node
//! ```
//! Vectors have 384 numbers and lie in clusters within clusters, as those of provisions do; they are the same
//! in each run. Times are medians of questions asked one after the other, in one thread.

#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark has a clock and a table")]

use std::sync::Arc;
use std::time::Instant;

use document::{Chunk, ChunkId, ChunkKind, Document, DocumentIdx, SectionId};
use index::vector::{Exact, Hnsw, HnswParams, QueryVector, TopK, VectorIndex, dot};
use index::{Index, Segment, VectorBatch};
use text::AnalyzerKind;

const N_DIMS: usize = 384;
const N_QUESTIONS: usize = 100;
/// As the page embeds them.
const N_BATCH: usize = 32;
const N_DOCUMENT: usize = 2_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let with_graph = arguments.iter().any(|argument| argument == "--graph");
    let sizes = arguments.iter().filter_map(|argument| argument.parse::<usize>().ok());
    for n in sizes {
        measure(n, with_graph);
    }
}

fn measure(n: usize, with_graph: bool) {
    let mut numbers = Numbers(n as u64);
    let centres: Vec<Vec<f32>> = (0..(n / 400).max(8)).map(|_| numbers.near(&[], 1.0)).collect();
    let clusters: Vec<Vec<f32>> =
        (0..(n / 20).max(8)).map(|at| numbers.near(&centres[at % centres.len()], 0.8)).collect();
    let mut index = Index::default();
    let mut seconds = 0.0;
    for first in (0..n).step_by(N_DOCUMENT) {
        let digest = format!("{first}");
        let n_rows = N_DOCUMENT.min(n - first);
        index.insert(document(&digest, n_rows));
        for start in (0..n_rows).step_by(N_BATCH) {
            let end = n_rows.min(start + N_BATCH);
            let rows: Vec<Vec<f32>> = (start..end)
                .map(|row| numbers.near(&clusters[(first + row) * 7 % clusters.len()], 0.6))
                .collect();
            let since = Instant::now();
            let batch = VectorBatch::new(&digest, "m", start as u32, &rows).map(Arc::new);
            index.add_vectors(batch.expect("rows are unit vectors")).expect("rows are new");
            seconds += since.elapsed().as_secs_f64();
        }
    }
    let questions: Vec<Vec<f32>> =
        (0..N_QUESTIONS).map(|at| numbers.near(&clusters[at * 13 % clusters.len()], 0.9)).collect();
    println!("{n} vectors, added in {:.3} ms for a thousand", seconds * 1e6 / n as f64);
    let exact = Exact::new(&index);
    for k in [10, 400] {
        let (naive_ms, naive) = ask(&questions, |query| by_f32(&index, query, k));
        let (ms, found) = ask(&questions, |query| nearest(&exact, query, k));
        println!("  k {k:3}: f32 {naive_ms:.3} ms, codes {ms:.3} ms, same lists: {}", found == naive);
    }
    if !with_graph {
        return;
    }
    let since = Instant::now();
    let graph = Hnsw::build(&index, "m", HnswParams::default());
    println!("  graph built in {:.1} s", since.elapsed().as_secs_f64());
    let graph = graph.attach(&index);
    for k in [10, 100, 400] {
        let (_, naive) = ask(&questions, |query| nearest(&exact, query, k));
        let (ms, found) = ask(&questions, |query| nearest(&graph, query, k));
        println!("  k {k:3}: graph {ms:.3} ms, recall {:.4}", recall(&found, &naive));
    }
}

type Place = (DocumentIdx, ChunkId);

fn nearest(vectors: &dyn VectorIndex, query: &[f32], k: usize) -> Vec<Place> {
    let query = QueryVector { fingerprint: "m", values: query };
    vectors.nearest(query, k, &|_, _| true).into_iter().map(|near| (near.document, near.chunk)).collect()
}

fn by_f32(index: &Index, query: &[f32], k: usize) -> Vec<Place> {
    let mut top = TopK::new(k);
    for (document, entry) in index.iter() {
        let rows = entry.vectors().batches().iter().flat_map(|batch| batch.rows());
        for (&chunk, row) in entry.segment().embeddable().iter().zip(rows) {
            top.push(dot(query, row), (document, chunk));
        }
    }
    top.into_sorted().into_iter().map(|(_, place)| place).collect()
}

/// The median time of a question, and the answers.
fn ask(questions: &[Vec<f32>], mut search: impl FnMut(&[f32]) -> Vec<Place>) -> (f64, Vec<Vec<Place>>) {
    let (mut times, mut lists) = (Vec::new(), Vec::new());
    for question in questions {
        let since = Instant::now();
        lists.push(search(question));
        times.push(since.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], lists)
}

fn recall(found: &[Vec<Place>], all: &[Vec<Place>]) -> f64 {
    let n: usize = all.iter().map(Vec::len).sum();
    let n_found: usize =
        found.iter().zip(all).map(|(found, all)| found.iter().filter(|place| all.contains(place)).count()).sum();
    n_found as f64 / n.max(1) as f64
}

fn document(digest: &str, n_chunks: usize) -> Arc<Segment> {
    let chunk = Chunk {
        kind: ChunkKind::Child,
        ranges: Vec::new(),
        section: SectionId(0),
        n_tokens: 1,
        parents: Vec::new(),
        article: None,
        notes: Vec::new(),
    };
    let (name, digest) = (digest.to_owned(), digest.to_owned());
    let document = Document { name, digest, chunks: vec![chunk; n_chunks], ..Document::default() };
    Arc::new(Segment::with_units(document, &[], AnalyzerKind::Default))
}

/// Numbers that look random and are the same everywhere (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z >> 40) as f32) / (1_u64 << 24) as f32 - 0.5
    }

    /// A unit vector around `centre`: `width` is the length of what is added to it.
    fn near(&mut self, centre: &[f32], width: f32) -> Vec<f32> {
        let mut values: Vec<f32> = (0..N_DIMS).map(|_| self.next()).collect();
        let length = dot(&values, &values).sqrt();
        for (at, value) in values.iter_mut().enumerate() {
            *value = *value * width / length + centre.get(at).copied().unwrap_or(0.0);
        }
        let length = dot(&values, &values).sqrt();
        values.into_iter().map(|value| value / length).collect()
    }
}
