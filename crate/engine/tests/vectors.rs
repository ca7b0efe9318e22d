//! Vectors of a library over its life: stored and loaded, taken out and put back, searched by a graph that was
//! built elsewhere, refused when they are not what they are said to be.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use document::{Chunk, ChunkKind, Document, Section, SectionId, TextRange, Tree};
use engine::{Ann, ApproximateTokens, Code, IngestOptions, Library, QueryVector, SearchOptions, SearchReply};
use index::{FORMAT_VERSION, Segment};
use pincite_tests::samples;
use text::AnalyzerKind;

const QUERY: &str = "time limit for paying an invoice";

fn ingest(id: &str) -> Vec<u8> {
    let pdf = samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf;
    let go_on = &mut |_| ControlFlow::Continue(());
    let (name, options) = (format!("{id}.pdf"), IngestOptions::default());
    engine::ingest(&pdf, &name, &options, &ApproximateTokens, go_on).unwrap()
}

/// Unit vectors of eight dimensions, one a text, by the letters in it: near for texts that are alike.
fn rows(texts: &[String]) -> Vec<Vec<f32>> {
    let row = |text: &String| {
        let mut row = [1.0_f32; 8];
        text.bytes().for_each(|byte| row[usize::from(byte % 8)] += 1.0);
        let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
        row.iter().map(|value| value / length).collect()
    };
    texts.iter().map(row).collect()
}

/// A document as it is stored.
struct Stored {
    id: String,
    segment: Vec<u8>,
    batches: Vec<Vec<u8>>,
}

impl Stored {
    fn put(&self, library: &mut Library) {
        library.add(&self.segment).unwrap();
        self.batches.iter().for_each(|batch| library.add_vectors(batch).unwrap());
    }
}

/// The samples, embedded, and what was given to store of them.
fn embedded() -> (Library, Vec<Stored>) {
    let mut library = Library::new();
    let stored = ["rulebook", "contract", "opinion"].map(|id| {
        let segment = ingest(id);
        let info = library.add(&segment).unwrap();
        let batches = (0..info.n_passages).step_by(10).map(|start| {
            let rows = rows(&library.passages(&info.id, start, 10));
            library.put_vectors(&info.id, start, &rows, "m").unwrap()
        });
        let batches = batches.collect();
        Stored { id: info.id, segment, batches }
    });
    (library, stored.into())
}

fn ask(library: &Library, ann: &str) -> SearchReply {
    let values = rows(&[QUERY.to_owned()]).remove(0);
    let vector = QueryVector { fingerprint: "m", values: &values };
    let options = SearchOptions::parse(20, "both", ann, true).unwrap();
    library.search(QUERY, Some(vector), &options).unwrap()
}

#[test]
fn reloading_or_readding_documents_keeps_the_hits() {
    let (mut library, stored) = embedded();
    let before = ask(&library, "exact");
    assert_eq!(before.hits.len(), 20);
    let mut loaded = Library::new();
    stored.iter().for_each(|document| document.put(&mut loaded));
    assert_eq!(ask(&loaded, "exact"), before);

    // The last goes and comes back; the first is replaced by itself; then all go and come back.
    assert!(library.remove(&stored[2].id));
    assert_ne!(ask(&library, "exact"), before);
    stored[2].put(&mut library);
    assert_eq!(ask(&library, "exact"), before);
    library.add(&stored[0].segment).unwrap();
    assert_eq!(ask(&library, "exact"), before);
    stored.iter().for_each(|document| assert!(library.remove(&document.id)));
    assert!(ask(&library, "exact").hits.is_empty() && library.n_vectors() == 0);
    stored.iter().for_each(|document| document.put(&mut library));
    assert_eq!(ask(&library, "exact"), before);
}

/// A document of so many passages without text: there is nothing to find but by vectors.
fn large(name: &str, n: usize) -> Vec<u8> {
    let chunk = Chunk {
        kind: ChunkKind::Child,
        ranges: vec![TextRange::new(0, 0)],
        section: SectionId(0),
        n_tokens: 1,
        parents: Vec::new(),
        article: None,
        notes: Vec::new(),
    };
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: String::new(),
        heading: None,
        range: TextRange::new(0, 0),
        blocks: Vec::new(),
        is_article: false,
    };
    let document = Document {
        name: name.to_owned(),
        digest: name.to_owned(),
        tree: Tree { sections: vec![root], ..Tree::default() },
        chunks: vec![chunk; n],
        ..Document::default()
    };
    Segment::with_units(document, &[], AnalyzerKind::Default).encode()
}

/// Directions that look random, two to the same point now and then.
fn scattered(seed: usize, n: usize) -> Vec<Vec<f32>> {
    let value = |row: usize, at: usize| {
        let mixed = (seed * 7919 + row * 31 + at).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize);
        ((mixed >> 20) % 2001) as f32 / 1000.0 - 1.0
    };
    (0..n).map(|row| (0..16).map(|at| value(row, at) + 0.001).collect()).collect()
}

#[test]
fn a_graph_is_linked_while_the_library_changes() {
    let mut library = Library::new();
    for (seed, name) in ["one", "two"].into_iter().enumerate() {
        library.add(&large(name, 2500)).unwrap();
        library.put_vectors(name, 0, &scattered(seed, 2500), "m").unwrap();
    }
    assert!(
        library.wants_graph(Ann::Hnsw) && !library.wants_graph(Ann::Auto) && !library.wants_graph(Ann::Exact)
    );
    assert_eq!(library.set_graph(&[]).unwrap_err().code(), Code::BadArgument);

    let places = |library: &Library, ann: &str, values: &[f32]| -> Vec<(String, f32)> {
        let vector = QueryVector { fingerprint: "m", values };
        let options = SearchOptions::parse(10, "both", ann, false).unwrap();
        let reply = library.search("anything", Some(vector), &options).unwrap();
        reply.hits.iter().map(|hit| (hit.location.document.clone(), hit.score)).collect()
    };
    let agreement = |library: &Library| {
        let (mut n_same, mut n) = (0, 0);
        for values in scattered(99, 20) {
            let exact = places(library, "exact", &values);
            let found = places(library, "hnsw", &values);
            n_same += exact.iter().filter(|place| found.contains(place)).count();
            n += exact.len();
        }
        assert_eq!(n, 200);
        n_same
    };
    let points = library.graph_points().unwrap();
    let linking = std::thread::spawn(move || engine::link_graph(&points).unwrap());
    // Meanwhile questions are answered, and documents come and go.
    assert_eq!(agreement(&library), 200);
    library.remove("two");
    library.add(&large("three", 500)).unwrap();
    library.put_vectors("three", 0, &scattered(5, 500), "m").unwrap();
    let links = linking.join().unwrap();
    let mut damaged = links.clone();
    damaged[links.len() / 2] ^= 1;
    assert_eq!(library.set_graph(&damaged).unwrap_err().code(), Code::IndexDamaged);
    library.set_graph(&links).unwrap();
    assert_eq!((library.n_linked(), library.n_vectors()), (2500, 3000));
    assert!(agreement(&library) >= 190, "{}", agreement(&library));
    assert!(!library.wants_graph(Ann::Hnsw));

    // A library that has doubled since wants another.
    library.add(&large("four", 3000)).unwrap();
    library.put_vectors("four", 0, &scattered(6, 3000), "m").unwrap();
    assert!(library.wants_graph(Ann::Hnsw));
    for name in ["one", "three", "four"] {
        assert!(library.remove(name));
    }
    assert_eq!((library.n_linked(), library.graph_points()), (0, None));
}

#[test]
fn a_graph_over_a_small_library_finds_what_the_scan_finds() {
    let (mut library, _) = embedded();
    let exact = ask(&library, "exact");
    assert_eq!(ask(&library, "hnsw"), exact);
    library.build_graph();
    assert!(library.n_linked() > 50);
    assert_eq!(ask(&library, "hnsw"), exact);
}

#[test]
fn an_incomparable_vector_is_refused_with_the_reason() {
    let (mut library, stored) = embedded();
    let options = SearchOptions::parse(5, "both", "auto", false).unwrap();
    let [nan, none, short, other] =
        [("m", vec![f32::NAN; 8]), ("m", vec![0.0; 8]), ("m", vec![1.0; 7]), ("other", vec![1.0; 8])].map(
            |(fingerprint, values)| {
                let vector = QueryVector { fingerprint, values: &values };
                let error = library.search(QUERY, Some(vector), &options).unwrap_err();
                assert_eq!(
                    library.ask(QUERY, Some(vector), &options).unwrap_err().to_string(),
                    error.to_string()
                );
                (error.code(), error.to_string())
            },
        );
    assert_eq!(
        nan,
        (Code::BadArgument, "the vector of the question has a value that is not a number".to_owned())
    );
    assert_eq!(none, (Code::BadArgument, "the vector of the question has no length".to_owned()));
    let message = "the vector of the question has 7 values, those of rulebook.pdf have 8";
    assert_eq!(short, (Code::ModelMismatch, message.to_owned()));
    let message = "rulebook.pdf was embedded by model m, the one given is other";
    assert_eq!(other, (Code::ModelMismatch, message.to_owned()));

    let mut put = |row: Vec<f32>, fingerprint: &str| {
        library.remove(&stored[0].id);
        library.add(&stored[0].segment).unwrap();
        library.put_vectors(&stored[0].id, 0, &[vec![1.0; 8]], "m").unwrap();
        let error = library.put_vectors(&stored[0].id, 1, &[row], fingerprint).unwrap_err();
        (error.code(), error.to_string())
    };
    let message = "vectors were made by model other, the document's by model m";
    assert_eq!(put(vec![1.0; 8], "other"), (Code::ModelMismatch, message.to_owned()));
    let message = "vectors have 9 values, the document's have 8";
    assert_eq!(put(vec![1.0; 9], "m"), (Code::ModelMismatch, message.to_owned()));
    for (row, what) in [
        (vec![f32::INFINITY; 8], "a value that is not a number"),
        (vec![0.0; 8], "a vector whose length is zero"),
    ] {
        assert!(put(row, "m").1.contains(what));
    }
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let (mut library, stored) = embedded();
    let (segment, vectors) = (&stored[0].segment, &stored[0].batches[0]);
    let before = (library.documents(), ask(&library, "auto"));
    let altered = |bytes: &[u8], at: usize, value: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = value;
        bytes
    };
    let version = format!("the stored bytes have format 9, this build reads format {FORMAT_VERSION}");
    let last = |bytes: &[u8]| altered(bytes, bytes.len() - 1, !bytes[bytes.len() - 1]);
    let cases = [
        (altered(segment, 16, 9), Code::IndexVersion, version.as_str()),
        (last(segment), Code::IndexDamaged, "section postings is not what was written"),
        (altered(segment, 40, 77), Code::IndexDamaged, "section header is not what was written"),
        (vectors.clone(), Code::IndexDamaged, "the stored bytes are not a pincite segment"),
        (Vec::new(), Code::IndexDamaged, "the stored bytes are not a pincite segment"),
    ];
    for (bytes, code, message) in cases {
        let error = library.add(&bytes).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(message) && !error.hint().is_empty(), "{error}");
    }
    let cases = [
        (altered(vectors, 16, 9), Code::IndexVersion, version.as_str()),
        (last(vectors), Code::IndexDamaged, "section rests is not what was written"),
        (segment.clone(), Code::IndexDamaged, "the stored bytes are not a pincite vectors"),
        (vectors[..vectors.len() / 2].to_vec(), Code::IndexDamaged, "section meta"),
    ];
    for (bytes, code, message) in cases {
        let error = library.add_vectors(&bytes).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(message) && !error.hint().is_empty(), "{error}");
    }
    let error = Library::new().add_vectors(vectors).unwrap_err();
    assert_eq!(error.to_string(), "vectors of a document that is not in the index");
    assert_eq!((library.documents(), ask(&library, "auto")), before);
}
