//! The JavaScript boundary in a real browser: types, error codes, big buffers, and the whole path from PDF bytes
//! to a cited answer with the real model. Needs `models/build` (`./build.sh test` makes it).

#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use js_sys::{Array, Float32Array, Function, JSON, Object, Reflect, Uint8Array};
use pincite_tests::samples::{self, Made};
use pincite_wasm::{Library, SegmentReader, distinct_name};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use wasm_encoder::Encoder;
use wasm_ingest::{Parser, link_graph};

wasm_bindgen_test_configure!(run_in_browser);

const MODEL: &[u8] = include_bytes!("../../../models/build/model.onnx");
const VOCABULARY: &[u8] = include_bytes!("../../../models/build/vocab.txt");
const MANIFEST: &str = include_str!("../../../models/build/manifest.json");
const ADAPTER: &[u8] = include_bytes!("../../../models/build/lay.adapter");

/// The sample of this name.
fn sample(id: &str) -> Made {
    samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap()
}

fn bytes(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}

fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &key.into()).unwrap()
}

fn text(object: &JsValue, key: &str) -> String {
    get(object, key).as_string().unwrap_or_else(|| panic!("{key} is no string"))
}

fn number(object: &JsValue, key: &str) -> f64 {
    get(object, key).as_f64().unwrap_or_else(|| panic!("{key} is no number"))
}

fn options(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in entries {
        Reflect::set(&object, &(*key).into(), value).unwrap();
    }
    object.into()
}

fn parse(name: &str, pdf: &[u8]) -> Result<JsValue, JsValue> {
    Parser::new(Some(bytes(VOCABULARY)), Some(MANIFEST.to_owned()))?.parse(
        bytes(pdf),
        name,
        JsValue::UNDEFINED,
        None,
    )
}

fn segment(parsed: &JsValue) -> Uint8Array {
    get(parsed, "segment").dyn_into().unwrap()
}

#[wasm_bindgen_test]
fn a_sample_is_read_with_progress_and_can_be_asked_before_it_is_embedded() {
    let seen = Array::new();
    let stages = seen.clone();
    let record = Closure::<dyn FnMut(JsValue, JsValue, JsValue)>::new(move |stage, _, _| {
        stages.push(&stage);
    });
    let record: Function = record.into_js_value().unchecked_into();
    let parser = Parser::new(Some(bytes(VOCABULARY)), Some(MANIFEST.to_owned())).unwrap();
    let sample = sample("rulebook");
    let parsed = parser.parse(bytes(&sample.pdf), "rulebook.pdf", JsValue::UNDEFINED, Some(record)).unwrap();
    let stages: Vec<String> = seen.iter().filter_map(|stage| stage.as_string()).collect();
    assert!(
        ["pages", "layout", "chunks", "index"].iter().all(|stage| stages.iter().any(|seen| seen == stage))
    );
    let info = get(&parsed, "info");
    assert_eq!(text(&info, "name"), "rulebook.pdf");
    assert!(number(&info, "nPages") > 3.0 && number(&info, "nPassages") > 5.0);

    let mut library = Library::new();
    library.add(segment(&parsed), None).unwrap();
    let answer = library.ask("How long must a firm keep its records?", JsValue::UNDEFINED).unwrap();
    assert_eq!(text(&answer, "vectors"), "none");
    assert_eq!(get(&answer, "sufficient"), JsValue::TRUE, "{}", text(&answer, "answer"));
    let citation = get(&answer, "citations").dyn_into::<Array>().unwrap().get(0);
    assert_eq!(text(&citation, "status"), "verified");
    let quad = get(&citation, "quads").dyn_into::<Array>().unwrap().get(0).dyn_into::<Array>().unwrap();
    assert_eq!(quad.length(), 8);
    assert!(number(&citation, "page") >= 1.0);

    let taken = vec!["rulebook.pdf".to_owned()];
    let name = distinct_name("rulebook.pdf", vec!["2023".to_owned()], taken);
    let renamed = library.add(segment(&parsed), Some(name)).unwrap();
    assert_eq!(text(&renamed, "name"), "rulebook (2023).pdf");
}

/// Embeds a document of a library, batch by batch; the stored vectors.
fn embed(library: &mut Library, id: &str, encoder: &Encoder) -> Vec<Uint8Array> {
    let mut stored = Vec::new();
    let mut start = 0;
    loop {
        let passages = library.passages(id, start, 16);
        if passages.is_empty() {
            return stored;
        }
        let n = passages.len();
        let rows = encoder.embed(passages).unwrap();
        assert_eq!(rows.length() as usize, n * encoder.dimensions());
        stored.push(library.put_vectors(id, start, n, rows, &encoder.fingerprint()).unwrap());
        start += n;
    }
}

/// The texts of the five best hits of a search with vectors.
fn hits(library: &Library, encoder: &Encoder, query: &str, ann: &str, fusion: &str) -> Vec<String> {
    let vector: Float32Array = encoder.embed(vec![query.to_owned()]).unwrap();
    let options = options(&[
        ("vector", vector.into()),
        ("fingerprint", encoder.fingerprint().into()),
        ("ann", ann.into()),
        ("fusion", fusion.into()),
        ("k", 5.into()),
        ("explain", JsValue::TRUE),
    ]);
    let reply = library.search(query, options).unwrap();
    assert_eq!(text(&reply, "vectors"), "all");
    let hits: Vec<JsValue> = get(&reply, "hits").dyn_into::<Array>().unwrap().iter().collect();
    let explained = String::from(JSON::stringify(&get(&hits[0], "explanation")).unwrap());
    assert_eq!(explained.contains("rrf"), fusion == "rrf", "{explained}");
    hits.iter().map(|hit| text(hit, "text")).collect()
}

/// The first quotation of an answer whose passages were compared with the question.
fn citation(library: &Library, encoder: &Encoder, question: &str) -> String {
    let mut asking = library.asking(question, JsValue::UNDEFINED).unwrap();
    let vector: Float32Array = encoder.embed(vec![question.to_owned()]).unwrap();
    asking
        .search(options(&[("vector", vector.into()), ("fingerprint", encoder.fingerprint().into())]))
        .unwrap();
    let need = asking.need().unwrap();
    assert_eq!((text(&need, "kind").as_str(), text(&need, "query").as_str()), ("compare", question));
    let matches = encoder.compare(question, get(&need, "passages")).unwrap();
    asking.compared(matches).unwrap();
    assert_eq!(text(&asking.need().unwrap(), "kind"), "nothing");
    let citations = get(&asking.finish().unwrap(), "citations").dyn_into::<Array>().unwrap();
    text(&citations.get(0), "quote")
}

#[wasm_bindgen_test]
fn bm25_hnsw_and_rrf_run_end_to_end_with_the_real_model() {
    let encoder =
        Encoder::new(bytes(MODEL), bytes(VOCABULARY), MANIFEST, None, Some(bytes(ADAPTER))).unwrap();
    assert_eq!(encoder.comparing_problem(), None);
    let sample = sample("contract");
    let parsed = parse("contract.pdf", &sample.pdf).unwrap();
    let id = text(&get(&parsed, "info"), "id");
    let mut library = Library::new();
    library.add(segment(&parsed), None).unwrap();
    let stored = embed(&mut library, &id, &encoder);

    let query = "When may the agreement be brought to an end?";
    let exact = hits(&library, &encoder, query, "exact", "rrf");
    assert!(library.wants_graph(Some("hnsw".to_owned())).unwrap() && !library.wants_graph(None).unwrap());
    let links = link_graph(library.graph_points().unwrap()).unwrap();
    assert_eq!(text(&Library::new().set_graph(links.clone()).unwrap_err(), "code"), "bad-argument");
    library.set_graph(links).unwrap();
    assert!(!library.wants_graph(Some("hnsw".to_owned())).unwrap());
    assert_eq!(
        exact,
        hits(&library, &encoder, query, "hnsw", "rrf"),
        "on a small library the graph finds what the scan finds"
    );
    assert!(exact.iter().any(|hit| hit.to_lowercase().contains("terminat")), "{exact:?}");
    assert!(!hits(&library, &encoder, query, "hnsw", "blend").is_empty());

    let quote = citation(&library, &encoder, query);
    let is_right = ["at any time", "immediately by notice"];
    let is_right = is_right.iter().any(|how| quote.contains(&format!("may terminate this Agreement {how}")));
    assert!(is_right, "{quote}");

    // What was stored gives the same library again.
    let mut reloaded = Library::new();
    reloaded.add(segment(&parsed), None).unwrap();
    for batch in stored {
        reloaded.add_vectors(batch).unwrap();
    }
    assert_eq!(exact, hits(&reloaded, &encoder, query, "exact", "rrf"));
}

#[wasm_bindgen_test]
fn errors_are_errors_with_a_code() {
    let error = parse("notes.pdf", b"just some notes").unwrap_err();
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(text(&error, "name"), "EngineError");
    assert_eq!(text(&error, "code"), "format-unknown");
    assert!(!text(&error, "message").is_empty() && !text(&error, "hint").is_empty());

    let error = Library::new().add(bytes(b"PINCITE"), None).unwrap_err();
    assert_eq!(text(&error, "code"), "index-damaged");
    let error = Library::new().search("x", options(&[("units", "chapter".into())])).unwrap_err();
    assert_eq!(text(&error, "code"), "bad-argument");
}

#[wasm_bindgen_test]
fn a_flipped_byte_in_a_stored_segment_is_refused() {
    let parsed = parse("opinion.pdf", &sample("opinion").pdf).unwrap();
    let mut stored = segment(&parsed).to_vec();
    let middle = stored.len() / 2;
    stored[middle] ^= 1;
    let error = Library::new().add(bytes(&stored), None).unwrap_err();
    assert_eq!(text(&error, "code"), "index-damaged");
}

#[wasm_bindgen_test]
fn a_segment_that_is_read_in_steps_is_added_and_what_is_taken_out_is_freed_in_steps() {
    let stored = segment(&parse("rulebook.pdf", &sample("rulebook").pdf).unwrap());
    let mut library = Library::new();
    let unread = SegmentReader::new(stored.clone());
    assert_eq!(text(&library.add_read(unread, None).unwrap_err(), "code"), "bad-argument");
    let mut reader = SegmentReader::new(stored.clone());
    while reader.read().unwrap() {}
    let info = library.add_read(reader, Some("rules.pdf".to_owned())).unwrap();
    assert_eq!(text(&info, "name"), "rules.pdf");
    assert!(library.prepare(), "the document was not prepared before");
    while library.prepare() {}
    let answer = library.ask("How long must a firm keep its records?", JsValue::UNDEFINED).unwrap();
    assert_eq!(get(&answer, "sufficient"), JsValue::TRUE);
    assert!(!library.prepare(), "the question left nothing to prepare");
    assert!(library.remove(&text(&info, "id")));
    let mut n_steps = 0;
    while library.prepare() {
        n_steps += 1;
    }
    assert!(n_steps >= 2, "one prepares the empty library, one frees the document");

    let mut damaged = stored.to_vec();
    let at = damaged.len() - 9;
    damaged[at] ^= 1;
    let mut reader = SegmentReader::new(bytes(&damaged));
    let error = loop {
        match reader.read() {
            Ok(more) => assert!(more, "damaged bytes were read to their end"),
            Err(error) => break error,
        }
    };
    assert_eq!(text(&error, "code"), "index-damaged");
    assert!(library.add_read(reader, None).is_err());
}

#[wasm_bindgen_test]
fn a_buffer_over_the_limit_is_refused_before_it_is_copied() {
    let parser = Parser::new(None, None).unwrap();
    let error = parser
        .parse(
            Uint8Array::new_with_length(70 << 20),
            "big.pdf",
            options(&[("maxBytes", (64 << 20).into())]),
            None,
        )
        .unwrap_err();
    assert_eq!(text(&error, "code"), "limit-exceeded");
}

#[wasm_bindgen_test]
fn an_empty_library_and_odd_queries_do_not_trap() {
    let library = Library::new();
    for query in ["", "   ", "\u{0}", &"long ".repeat(20_000)] {
        let reply = library.search(query, JsValue::UNDEFINED).unwrap();
        assert_eq!(get(&reply, "hits").dyn_into::<Array>().unwrap().length(), 0);
        for step in ["analysis", "lexical", "dense", "ranking", "placing"] {
            assert!(get(&get(&reply, "times"), step).as_f64().is_some_and(|time| time >= 0.0), "{step}");
        }
        assert_eq!(get(&library.ask(query, JsValue::UNDEFINED).unwrap(), "sufficient"), JsValue::FALSE);
    }
}
