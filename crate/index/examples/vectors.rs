//! Benchmark of vector search: the scan by all bits, the scan by codes, the graph and its build.
//!
//! ```sh
//! cargo run --release -p pincite-index --example vectors -- 1000 10000 50000        # the scans
//! cargo run --release -p pincite-index --example vectors -- --graph 1000 10000      # and the graph
//! cargo run --release -p pincite-index --example vectors -- --graph --file target/bench/obliqa.vectors
//!
//! export RUSTFLAGS="-C target-feature=+simd128"                                     # the same in wasm, by Node
//! cargo build --release -p pincite-index --example vectors --target wasm32-wasip1
//! node crate/index/examples/wasi.mjs target/wasm32-wasip1/release/examples/vectors.wasm --graph 1000 10000
//! ```
//! Vectors have 384 numbers and lie in clusters within clusters, as those of provisions do; they are the same
//! in each run, and so are the bits of the scores, natively and in wasm. `--file` takes those that `pincite eval
//! retrieval --vectors` has kept: of the texts that are most the passages, of the others up to 500 questions. Times are means of questions asked
//! one after the other, and are times of the processor: another process that wants it too does not count.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use document::{Chunk, ChunkId, ChunkKind, Document, DocumentIdx, SectionId};
use index::vector::{Exact, Hnsw, HnswParams, HnswSource, QueryVector, TopK, VectorIndex, dot};
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
        let (index, questions, seconds) = made(n);
        println!("{n} vectors, added in {:.3} ms for a thousand", seconds * 1e6 / n as f64);
        measure(&index, &questions, with_graph);
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--file") {
        let path = arguments.get(at + 1).expect("--file PATH");
        let (index, questions) = kept(&std::fs::read(path).expect("a file of vectors"));
        println!("{} vectors of {path}, {} questions", Exact::new(&index).n_vectors(), questions.len());
        measure(&index, &questions, with_graph);
    }
}

/// Vectors that are made up, questions near them, and how long it took to add them.
fn made(n: usize) -> (Index, Vec<Vec<f32>>, f64) {
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
                .map(|row| numbers.near(&clusters[(first + row) * 7 % clusters.len()], 0.9))
                .collect();
            let since = seconds_here();
            let batch = VectorBatch::new(&digest, "m", start as u32, &rows);
            index.add_vectors(&batch.expect("rows are unit vectors")).expect("rows are new");
            seconds += seconds_here() - since;
        }
    }
    let questions: Vec<Vec<f32>> =
        (0..N_QUESTIONS).map(|at| numbers.near(&clusters[at * 13 % clusters.len()], 0.9)).collect();
    (index, questions, seconds)
}

/// Vectors from a file of batches, each after its length: the rows of the digest that has the most, as one document,
/// and those of the others as questions.
fn kept(bytes: &[u8]) -> (Index, Vec<Vec<f32>>) {
    const MAX_QUESTIONS: usize = 500;
    let mut rows: BTreeMap<String, Vec<Vec<f32>>> = BTreeMap::new();
    let mut rest = bytes;
    while let Some((length, tail)) = rest.split_first_chunk::<8>() {
        let (body, tail) = tail.split_at(usize::try_from(u64::from_le_bytes(*length)).expect("a length"));
        let batch = VectorBatch::decode(body).expect("a batch");
        rows.entry(batch.digest().to_owned())
            .or_default()
            .extend(batch.rows().iter().map(|row| row.to_vec()));
        rest = tail;
    }
    let most = rows.iter().max_by_key(|(_, rows)| rows.len()).map(|(digest, _)| digest.clone());
    let passages = most.and_then(|digest| rows.remove(&digest)).expect("vectors");
    let mut index = Index::default();
    index.insert(document("passages", passages.len()));
    for (at, rows) in passages.chunks(N_BATCH).enumerate() {
        let batch = VectorBatch::new("passages", "m", (at * N_BATCH) as u32, rows);
        index.add_vectors(&batch.expect("rows are unit vectors")).expect("rows are new");
    }
    let questions: Vec<Vec<f32>> = rows.into_values().flatten().collect();
    let step = questions.len().div_ceil(MAX_QUESTIONS).max(1);
    (index, questions.into_iter().step_by(step).collect())
}

fn measure(index: &Index, questions: &[Vec<f32>], with_graph: bool) {
    let exact = Exact::new(index);
    for k in [10, 400] {
        let (naive_ms, naive) = ask(questions, |query| by_all_bits(index, query, k));
        let (ms, found) = ask(questions, |query| nearest(&exact, query, k));
        println!("  k {k:3}: all bits {naive_ms:.3} ms, codes {ms:.3} ms, same lists: {}", found == naive);
    }
    let query = QueryVector { fingerprint: "m", values: &questions[0] };
    let scores = exact.nearest(query, 400, &|_, _| true);
    let sum = scores.iter().fold(0_u32, |sum, near| sum.rotate_left(5) ^ near.score.to_bits() ^ near.chunk.0);
    println!("  bits of the first question's scores: {sum:08x}");
    if !with_graph {
        return;
    }
    let since = seconds_of_all_threads();
    let graph = Hnsw::build(index, "m", HnswParams::default());
    println!("  graph built in {:.1} s", seconds_of_all_threads() - since);
    let source = HnswSource::of(index, "m");
    let (points, links) = (source.encode(), graph.encode_links());
    let since = seconds_here();
    let joined = source.join(&links, HnswParams::default()).is_ok();
    let ms = (seconds_here() - since) * 1000.0;
    println!(
        "  handed over: {} kB of points, {} kB of links, read in {ms:.1} ms: {joined}",
        points.len() / 1000,
        links.len() / 1000
    );
    let graph = graph.attach(index);
    for k in [10, 100, 400] {
        let (_, naive) = ask(questions, |query| nearest(&exact, query, k));
        let (ms, found) = ask(questions, |query| nearest(&graph.clone().eager(), query, k));
        println!("  k {k:3}: graph {ms:.3} ms, recall {:.4}", recall(&found, &naive));
    }
}

type NodeLocation = (DocumentIdx, ChunkId);

fn nearest(vectors: &dyn VectorIndex, query: &[f32], k: usize) -> Vec<NodeLocation> {
    let query = QueryVector { fingerprint: "m", values: query };
    vectors.nearest(query, k, &|_, _| true).into_iter().map(|near| (near.document, near.chunk)).collect()
}

fn by_all_bits(index: &Index, query: &[f32], k: usize) -> Vec<NodeLocation> {
    let mut top = TopK::new(k);
    for (document, entry) in index.iter() {
        for (row, &chunk) in entry.segment().embeddable().iter().enumerate() {
            let row = entry.vectors().row(row).expect("a vector");
            top.push(row.dot(query).expect("one dimension"), (document, chunk));
        }
    }
    top.into_sorted().into_iter().map(|(_, place)| place).collect()
}

/// The mean time of a question, and the answers. Asked again and again: clocks of the processor tick slowly.
fn ask(
    questions: &[Vec<f32>],
    mut search: impl FnMut(&[f32]) -> Vec<NodeLocation>,
) -> (f64, Vec<Vec<NodeLocation>>) {
    let mut lists = Vec::new();
    let (since, mut n, mut seconds) = (seconds_here(), 0, 0.0);
    while seconds < 0.5 {
        lists = questions.iter().map(|question| search(question)).collect();
        n += questions.len();
        seconds = seconds_here() - since;
    }
    (seconds * 1000.0 / n as f64, lists)
}

/// Time that this thread had the processor for; where that is not told, time.
fn seconds_here() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    // In wasm the clock is that of `wasi.mjs`, which counts the processor's time too.
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The same of all threads together, to a hundredth of a second.
fn seconds_of_all_threads() -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = told.rsplit(')').next().map(|rest| rest.split(' ').skip(12).take(2));
    match ticks.and_then(|ticks| ticks.map(|ticks| ticks.parse::<f64>().ok()).sum::<Option<f64>>()) {
        Some(ticks) if ticks > 0.0 => ticks / 100.0,
        _ => seconds_here(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark has a clock")]
static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);

fn recall(found: &[Vec<NodeLocation>], all: &[Vec<NodeLocation>]) -> f64 {
    let n: usize = all.iter().map(Vec::len).sum();
    let n_found: usize = found
        .iter()
        .zip(all)
        .map(|(found, all)| found.iter().filter(|place| all.contains(place)).count())
        .sum();
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
