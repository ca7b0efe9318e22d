//! Search as a whole, against the formula and against what is promised.

use std::collections::BTreeMap;
use std::sync::Arc;

use document::{Chunk, ChunkId, ChunkKind, Document, DocumentIdx, Hit, Section, SectionId, TextRange, Tree};
use index::vector::{Exact, Hnsw, HnswParams, QueryVector};
use index::{Index, Segment, VectorBatch};
use proptest::prelude::*;
use text::{Analyzer, AnalyzerKind};

use crate::{
    Blend, Bm25, Candidate, FeatureContext, Filter, Fusion, LengthNorm, ModelScripts, Norm, Options, Query,
    Ranker, Reranker, Rescored, Rrf, SearchStep, SearchUnits, candidates_with_features, features, parents_of,
    search, search_with, search_with_progress,
};

mod as_such;
mod between;
mod dense;
mod failures;
mod filters;
mod law;
mod shipped;

/// A document of chunks: kind, text, the section and the article they lie in.
struct Builder {
    document: Document,
}

impl Builder {
    fn new(name: &str) -> Self {
        let section = |parent: Option<u32>, level, title: &str| Section {
            parent: parent.map(SectionId),
            level,
            label: None,
            title: title.to_owned(),
            heading: None,
            range: TextRange::default(),
            blocks: Vec::new(),
            is_article: false,
        };
        let sections = vec![
            section(None, 0, ""),
            section(Some(0), 1, "Part 1 Conduct"),
            section(Some(1), 2, "1.1 Records"),
        ];
        let document = Document {
            name: name.to_owned(),
            digest: name.to_owned(),
            tree: Tree { sections, ..Tree::default() },
            ..Document::default()
        };
        Self { document }
    }

    fn chunk(
        mut self,
        kind: ChunkKind,
        text: &str,
        section: u32,
        article: Option<u32>,
        parents: &[u32],
    ) -> Self {
        let layout = &mut self.document.layout;
        if !layout.text.is_empty() {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        layout.text.push_str(text);
        self.document.chunks.push(Chunk {
            kind,
            ranges: vec![TextRange::new(start, layout.text.len())],
            section: SectionId(section),
            n_tokens: 1,
            parents: parents.iter().map(|&parent| ChunkId(parent)).collect(),
            article: article.map(ChunkId),
            notes: Vec::new(),
        });
        self
    }

    fn child(self, text: &str) -> Self {
        self.chunk(ChunkKind::Child, text, 1, None, &[])
    }

    fn segment(self) -> Arc<Segment> {
        Arc::new(Segment::new(self.document, AnalyzerKind::Default))
    }
}

fn index_of(documents: Vec<Builder>) -> Index {
    let mut index = Index::default();
    for document in documents {
        index.insert(document.segment());
    }
    index
}

fn places(hits: &[Hit]) -> Vec<(u32, u32)> {
    hits.iter().map(|hit| (hit.document.0, hit.chunk.0)).collect()
}

fn words(text: &str) -> Query<'_> {
    Query { text, vector: None, analysis: None, citations: None }
}

const BLEND: Ranker = Ranker::Hybrid(Fusion::Blend(Blend { norm: Norm::ZScore, dense_weight: 0.5 }));
const RRF: Ranker = Ranker::Hybrid(Fusion::Rrf(Rrf { k: 60.0 }));

mod naive {
    use super::*;

    /// BM25 by its formula, every unit looked at for every term. Header weight 1.
    pub fn scores(texts: &[String], query: &str, bm25: &Bm25) -> Vec<f64> {
        let analyzer = Analyzer::new(AnalyzerKind::Default);
        let units: Vec<Vec<String>> = texts.iter().map(|text| analyzer.terms(text)).collect();
        let n_units = units.len() as f64;
        let mean = units.iter().map(Vec::len).sum::<usize>() as f64 / n_units;
        let (k1, b) = (f64::from(bm25.k1), f64::from(bm25.b));
        units
            .iter()
            .map(|unit| {
                let mut score = 0.0;
                for term in analyzer.terms(query) {
                    let freq = unit.iter().filter(|other| **other == term).count() as f64;
                    let n = units.iter().filter(|unit| unit.contains(&term)).count() as f64;
                    if freq > 0.0 {
                        let idf = libm::log(1.0 + (n_units - n + 0.5) / (n + 0.5));
                        score += idf * freq / (freq + k1 * (1.0 - b + b * unit.len() as f64 / mean));
                    }
                }
                score
            })
            .collect()
    }
}

proptest! {
    #[test]
    fn bm25_is_the_formula_over_all_documents(
        documents in prop::collection::vec(prop::collection::vec("[abcd]x( [abcd]x){0,8}", 1..4), 1..4),
        query in "[abcd]x( [abcde]x){0,3}",
    ) {
        let bm25 = Bm25 { k1: 0.9, b: 0.4, header_weight: 0.0, length: LengthNorm::Exact };
        let options = Options { k: 50, bm25, ranker: Ranker::Lexical, ..Options::default() };
        let mut builders = Vec::new();
        for (number, texts) in documents.iter().enumerate() {
            builders.push(texts.iter().fold(Builder::new(&number.to_string()), |builder, text| builder.child(text)));
        }
        let hits = search(&index_of(builders), &words(&query), &options);
        let found: BTreeMap<(u32, u32), f32> =
            hits.iter().map(|hit| ((hit.document.0, hit.chunk.0), hit.score)).collect();
        let all: Vec<String> = documents.concat();
        let mut expected = naive::scores(&all, &query, &bm25).into_iter();
        for (document, texts) in documents.iter().enumerate() {
            for chunk in 0..texts.len() {
                let score = expected.next().unwrap();
                let hit = found.get(&(document as u32, chunk as u32)).copied().unwrap_or(0.0);
                prop_assert!((f64::from(hit) - score).abs() < 1e-5, "{} {}", hit, score);
            }
        }
        prop_assert!(hits.is_sorted_by(|a, b| a.score > b.score
            || (a.score == b.score && (a.document, a.chunk) < (b.document, b.chunk))));
    }
}

#[test]
fn headers_are_searched_and_weighed() {
    let index =
        index_of(vec![Builder::new("a").chunk(ChunkKind::Child, "kept for six years", 2, None, &[]).chunk(
            ChunkKind::Child,
            "records of it",
            1,
            None,
            &[],
        )]);
    let with = |header_weight| Options {
        ranker: Ranker::Lexical,
        bm25: Bm25 { header_weight, ..Bm25::default() },
        ..Options::default()
    };
    assert_eq!(places(&search(&index, &words("records"), &with(0.0))).first(), Some(&(0, 1)));
    assert_eq!(places(&search(&index, &words("records"), &with(4.0))).first(), Some(&(0, 0)));
}

/// Parent 0; article 1 with children 2 and 3; child 4 in no article; note 5.
fn rulebook() -> Builder {
    Builder::new("rules")
        .chunk(ChunkKind::Parent, "parent", 1, None, &[])
        .chunk(ChunkKind::Article, "A firm must keep records. Records are kept for six years.", 2, None, &[])
        .chunk(ChunkKind::Child, "A firm must keep records.", 2, Some(1), &[0])
        .chunk(ChunkKind::Child, "Records are kept for six years.", 2, Some(1), &[0])
        .chunk(ChunkKind::Child, "An auditor looks at records too.", 1, None, &[0])
        .chunk(ChunkKind::Note, "See the records guide.", 1, None, &[0])
}

#[test]
fn a_child_is_folded_into_its_article_and_no_text_stands_twice() {
    let index = index_of(vec![rulebook()]);
    let found = |units| {
        let mut found =
            places(&search(&index, &words("records kept"), &Options { units, ..Options::default() }));
        found.sort_unstable();
        found
    };
    assert_eq!(found(SearchUnits::Both), [(0, 1), (0, 4), (0, 5)]);
    assert_eq!(found(SearchUnits::Child), [(0, 2), (0, 3), (0, 4), (0, 5)]);
    assert_eq!(found(SearchUnits::Article), [(0, 1), (0, 4), (0, 5)]);
}

#[test]
fn hits_lead_to_their_parents() {
    let index = index_of(vec![rulebook()]);
    for hit in search(&index, &words("records"), &Options::default()) {
        assert_eq!(parents_of(&index, &hit), [ChunkId(0)], "{hit:?}");
    }
}

#[test]
fn filters_keep_documents_sections_and_kinds() {
    let index = index_of(vec![rulebook(), Builder::new("other").child("records elsewhere")]);
    let found =
        |filter| places(&search(&index, &words("records"), &Options { filter, ..Options::default() }));
    let documents = Some(vec![DocumentIdx(1)]);
    assert_eq!(found(Filter { documents, ..Filter::default() }), [(1, 0)]);
    let sections = Some(vec![(DocumentIdx(0), SectionId(2))]);
    assert_eq!(found(Filter { sections, ..Filter::default() }), [(0, 1)]);
    let above = Some(vec![(DocumentIdx(0), SectionId(0))]);
    assert_eq!(found(Filter { sections: above, ..Filter::default() }).len(), 3);
    let kinds = Some(vec![ChunkKind::Note]);
    assert_eq!(found(Filter { kinds, ..Filter::default() }), [(0, 5)]);
}

fn embed(index: &mut Index, digest: &str, rows: &[[f32; 2]]) {
    let rows: Vec<Vec<f32>> = rows.iter().map(|row| row.to_vec()).collect();
    index.add_vectors(&VectorBatch::new(digest, "m", 0, &rows).unwrap()).unwrap();
}

const EAST: QueryVector<'static> = QueryVector { fingerprint: "m", values: &[1.0, 0.0] };

#[test]
fn the_vector_of_a_child_speaks_for_its_article() {
    let mut index = index_of(vec![rulebook()]);
    // Rows: children 2, 3, 4 and note 5.
    embed(&mut index, "rules", &[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]);
    let query = Query { text: "nothing of this", vector: Some(EAST), analysis: None, citations: None };
    for ranker in [Ranker::Dense, BLEND, RRF] {
        let hits = search(&index, &query, &Options { k: 2, ranker, ..Options::default() });
        assert_eq!(places(&hits), [(0, 1), (0, 4)], "{ranker:?}");
    }
    let other = QueryVector { fingerprint: "other", values: &[1.0, 0.0] };
    let query = Query { text: "nothing of this", vector: Some(other), analysis: None, citations: None };
    assert!(search(&index, &query, &Options { ranker: Ranker::Dense, ..Options::default() }).is_empty());
}

#[test]
fn a_graph_finds_what_the_scan_finds_here() {
    let mut index = index_of(vec![rulebook()]);
    embed(&mut index, "rules", &[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]);
    let graph = Hnsw::build(&index, "m", HnswParams::default());
    let query = Query { text: "records", vector: Some(EAST), analysis: None, citations: None };
    let options = Options { explain: true, ..Options::default() };
    assert_eq!(
        search_with(&index, &graph.attach(&index).eager(), None, &query, &options),
        search(&index, &query, &options)
    );
}

#[test]
fn a_document_without_vectors_is_judged_by_its_words() {
    let best = "records are kept for six years by every firm";
    let texts = ["records of firms", "years of plenty", "kept apart", "a firm"];
    let builder = |name: &str, extra: Option<&str>| {
        extra.into_iter().chain(texts).fold(Builder::new(name), Builder::child)
    };
    let mut index = index_of(vec![builder("embedded", None), builder("fresh", Some(best))]);
    embed(&mut index, "embedded", &[[0.9, 0.435_889_9], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]);
    assert_eq!(missing(&index, 0, ModelScripts::default()), [[0; 2]; 0]);
    assert_eq!(missing(&index, 1, ModelScripts::default()), [[0, 5]]);
    let query = Query {
        text: "how long does a firm keep records, six years",
        vector: Some(EAST),
        analysis: None,
        citations: None,
    };
    for ranker in [BLEND, RRF] {
        let hits = search(&index, &query, &Options { ranker, explain: true, ..Options::default() });
        assert_eq!(places(&hits).first(), Some(&(1, 0)), "{ranker:?}");
        let why = &hits.first().unwrap().explanation;
        assert!(why.details.iter().any(|detail| detail.description.starts_with("no vector")), "{why:?}");
        // Nor does it win for want of a vector: what neither words nor meaning favour stays below.
        assert!(hits.len() > 3);
    }
}

#[test]
fn rrf_does_not_look_at_the_size_of_scores() {
    let mut index = index_of(vec![rulebook()]);
    embed(&mut index, "rules", &[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]);
    let query = Query { text: "records kept", vector: Some(EAST), analysis: None, citations: None };
    let with =
        |k1| Options { ranker: RRF, bm25: Bm25 { k1, b: 0.0, ..Bm25::default() }, ..Options::default() };
    assert_eq!(places(&search(&index, &query, &with(0.8))), places(&search(&index, &query, &with(0.9))));
}

#[test]
fn explanations_add_up() {
    let index = index_of(vec![rulebook()]);
    let options = Options { ranker: Ranker::Lexical, explain: true, ..Options::default() };
    for hit in search(&index, &words("records kept kept"), &options) {
        let mut bm25 = hit.explanation.details.first().unwrap();
        if hit.chunk == ChunkId(1) {
            let parts = hit.explanation.details.iter().map(|part| part.value);
            assert!((parts.fold(0.0, f32::max) - hit.score).abs() < f32::EPSILON);
            bm25 = bm25.details.first().unwrap();
        }
        let sum: f32 = bm25.details.iter().map(|term| term.value).sum();
        assert!((bm25.value - sum).abs() < 1e-5, "{:?}", hit.explanation);
        assert!((hit.explanation.value - hit.score).abs() < f32::EPSILON);
    }
}

#[test]
fn a_question_the_model_cannot_read_is_ranked_by_its_words() {
    let mut index = index_of(vec![Builder::new("a").child("记录保存六年").child("其他规定")]);
    embed(&mut index, "a", &[[0.0, 1.0], [1.0, 0.0]]);
    let query = Query { text: "规定", vector: Some(EAST), analysis: None, citations: None };
    let query_of = |text| Query { text, ..query };
    assert_eq!(places(&search(&index, &query_of("记录"), &Options::default())), [(0, 0)]);
    let everything = Options { model_scripts: ModelScripts::All, ..Options::default() };
    assert_eq!(search(&index, &query_of("记录"), &everything).len(), 2);
    assert!(Options::default().uses_vector("What of 规定?"));
    assert!(!Options::default().uses_vector(query.text));
}

/// Runs of a document's rows whose vectors are still to come, as first and last + 1.
fn missing(index: &Index, document: u32, scripts: ModelScripts) -> Vec<[usize; 2]> {
    let missing = scripts.missing_rows(index.get(DocumentIdx(document)).unwrap());
    missing.into_iter().map(|run| [run.start, run.end]).collect()
}

#[test]
fn passages_the_model_cannot_read_are_not_missed_and_those_between_are() {
    let texts =
        ["第一条 公司", "records", "accounts", "第二条 记录", "ledgers", "第三条 账簿", "AML 反洗钱报告"];
    let mut index = index_of(vec![texts.into_iter().fold(Builder::new("a"), Builder::child)]);
    let mut put = |start, n| {
        let batch = VectorBatch::new("a", "m", start, &vec![vec![1.0, 0.0]; n]).unwrap();
        index.add_vectors(&batch).unwrap();
        [ModelScripts::Spaced, ModelScripts::All].map(|scripts| missing(&index, 0, scripts))
    };
    assert_eq!(put(0, 0), [vec![[1, 3], [4, 5]], vec![[0, 7]]]);
    assert_eq!(put(2, 1), [vec![[1, 2], [4, 5]], vec![[0, 2], [3, 7]]]);
    // A batch of an earlier version has vectors of all passages.
    assert_eq!(put(3, 4), [vec![[1, 2]], vec![[0, 2]]]);
    assert_eq!(put(1, 1), [vec![], vec![[0, 1]]]);
}

#[test]
fn who_watches_a_search_hears_of_each_step_once_and_changes_nothing() {
    let mut index = index_of(vec![rulebook()]);
    embed(&mut index, "rules", &[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]);
    let exact = Exact::new(&index);
    for vector in [None, Some(EAST)] {
        let (query, options) =
            (Query { text: "records", vector, analysis: None, citations: None }, Options::default());
        let mut steps = Vec::new();
        let hits = search_with_progress(&index, &exact, None, &query, &options, &mut |step| steps.push(step));
        assert_eq!(hits, search(&index, &query, &options));
        assert_eq!(
            steps,
            [SearchStep::Analysis, SearchStep::Lexical, SearchStep::Dense, SearchStep::Ranking]
        );
    }
}

#[test]
fn nothing_is_found_in_nothing() {
    let hits = search(
        &Index::default(),
        &Query { text: "records", vector: Some(EAST), analysis: None, citations: None },
        &Options::default(),
    );
    assert!(hits.is_empty());
    let index = index_of(vec![rulebook()]);
    assert!(search(&index, &words(""), &Options::default()).is_empty());
    assert!(search(&index, &words("records"), &Options { k: 0, ..Options::default() }).is_empty());
}

#[test]
fn the_rows_of_an_article_are_those_of_its_children() {
    let mut index = index_of(vec![rulebook()]);
    embed(&mut index, "rules", &[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]);
    let segment = index.get(DocumentIdx(0)).unwrap().segment();
    let chunks = &segment.document().chunks;
    for (idx, chunk) in chunks.iter().enumerate().filter(|(_, chunk)| chunk.kind == ChunkKind::Article) {
        let article = ChunkId::from_idx(idx);
        let naive: Vec<usize> = (0..segment.embeddable().len())
            .filter(|&row| chunks[segment.embeddable()[row].idx()].article == Some(article))
            .collect();
        assert_eq!(segment.rows_of_article(article).collect::<Vec<_>>(), naive, "{chunk:?}");
    }
    assert_eq!(segment.rows_of_article(ChunkId(99)).count(), 0);
}

/// A second stage that turns the list around.
#[derive(Debug)]
struct Backwards;

impl Reranker for Backwards {
    fn name(&self) -> &'static str {
        "backwards"
    }

    fn rescore(&self, candidates: &[Candidate], _: &FeatureContext<'_>) -> Rescored {
        let scores = candidates.iter().map(|found| -found.lexical).collect();
        Rescored { scores, reasons: vec![vec![("lexical", 1.0)]; candidates.len()] }
    }
}

#[test]
fn a_second_stage_orders_what_the_legs_list_and_is_seen_in_explanations() {
    let index = index_of(vec![rulebook()]);
    let query = Query { text: "records", vector: None, analysis: None, citations: None };
    let options = Options { units: SearchUnits::Child, explain: true, ..Options::default() };
    let first = search(&index, &query, &options);
    let again = search_with(&index, &Exact::new(&index), Some(&Backwards), &query, &options);
    assert!(first.len() > 1);
    let scores = |hits: &[Hit]| hits.iter().map(|hit| hit.score).collect::<Vec<_>>();
    assert_eq!(scores(&again), scores(&first).into_iter().rev().map(|score| -score).collect::<Vec<_>>());
    let best = &again[0].explanation;
    assert_eq!(best.description, "backwards");
    assert!(best.details.iter().any(|detail| detail.description == "lexical" && detail.value == 1.0));
    // BM25 that is asked for by name stays BM25.
    let lexical = Options { ranker: Ranker::Lexical, ..options };
    let plain = search_with(&index, &Exact::new(&index), Some(&Backwards), &query, &lexical);
    assert_eq!(scores(&plain), scores(&first));
}

#[test]
fn every_candidate_has_every_feature_and_vectors_are_not_needed() {
    let mut index = index_of(vec![rulebook()]);
    let exact_of = |index: &Index, vector| {
        let query = Query { text: "records of the firm", vector, analysis: None, citations: None };
        candidates_with_features(index, &Exact::new(index), &query, &Options::default(), u32::MAX)
    };
    let n_features = features().count();
    let (candidates, bare) = exact_of(&index, None);
    assert_eq!(bare.rows().count(), candidates.len());
    assert!(bare.rows().all(|row| row.len() == n_features));
    let dense = features().position(|feature| feature.name == "dense.cos").unwrap();
    assert!(bare.rows().all(|row| row[dense].is_nan() && row.iter().any(|value| value.is_finite())));
    embed(&mut index, "rules", &[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]);
    let (_, embedded) = exact_of(&index, Some(EAST));
    assert!(embedded.rows().any(|row| row[dense].is_finite()));
}
