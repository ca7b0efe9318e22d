//! Classes of the JavaScript API. Each object is used by one worker, so no call is re-entered.

use std::sync::Arc;

use border::{Stopwatch, bad_argument, from_js, into_js, to_js, whole};
use engine::{Glossary, Prepared, RankingOptions, SearchStep, Segment, Step, Steps, Thesaurus};
use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::asking::Asking;
use crate::segment_reader::SegmentReader;
use crate::thesaurus::LazyThesaurus;
use crate::types::{AskOptions, Candidates, SearchOptions, SearchReply, SearchTimes, StoredVectors, Vector};

/// Version of the build.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Version of the stored bytes that this build reads and writes.
#[wasm_bindgen(js_name = formatVersion)]
pub fn format_version() -> u32 {
    engine::FORMAT_VERSION
}

/// Library of documents, in the worker that owns it. Every call is short.
#[wasm_bindgen]
#[derive(Default)]
pub struct Library {
    library: engine::Library,
    thesaurus: Option<LazyThesaurus>,
    /// Preparation of the documents as they are now, once begun.
    preparing: Option<Steps<Prepared>>,
    /// Documents that were taken out, to be freed when no question that began before has them, and the one being freed.
    removed: Vec<Arc<Segment>>,
    freeing: Option<Steps<()>>,
}

#[wasm_bindgen]
impl Library {
    /// An empty library.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a segment, under another name where one is given; it replaces the document of the same bytes. One call, which
    /// a long document makes long: see [`SegmentReader`].
    #[wasm_bindgen(unchecked_return_type = "DocumentInfo")]
    pub fn add(&mut self, segment: Uint8Array, name: Option<String>) -> Result<JsValue, JsValue> {
        let mut reader = SegmentReader::new(segment);
        while reader.read()? {}
        self.add_read(reader, name)
    }

    /// Adds a segment that was read to its end, as [`Self::add`].
    #[wasm_bindgen(js_name = addRead, unchecked_return_type = "DocumentInfo")]
    pub fn add_read(&mut self, segment: SegmentReader, name: Option<String>) -> Result<JsValue, JsValue> {
        let segment = segment.segment().ok_or_else(|| bad_argument("the segment was not read to its end"))?;
        self.leave(&segment.document().digest);
        let segment = match name {
            Some(name) => segment.renamed(&name),
            None => segment,
        };
        into_js(&self.library.add_read(segment).map_err(|error| to_js(&error))?)
    }

    /// Removes a document; false if there is none.
    pub fn remove(&mut self, id: &str) -> bool {
        self.leave(id);
        self.library.remove(id)
    }

    /// Does, for some milliseconds, what the first question after a change needs, then frees what was taken out; false when
    /// nothing is left. A question that does not wait for it does the former in one call.
    pub fn prepare(&mut self) -> bool {
        if self.thesaurus.as_ref().is_some_and(LazyThesaurus::step) {
            return true;
        }
        if let Some(steps) = self.preparing.take().or_else(|| self.library.preparing()) {
            match steps.step() {
                Step::Done(prepared) => self.library.take_prepared(prepared),
                Step::More(steps) => self.preparing = Some(steps),
            }
            return true;
        }
        let Some(steps) = self.freeing.take().or_else(|| self.removed.pop().map(Segment::freeing)) else {
            return false;
        };
        if let Step::More(steps) = steps.step() {
            self.freeing = Some(steps);
        }
        true
    }

    /// The documents, in the order in which they were added.
    #[wasm_bindgen(unchecked_return_type = "DocumentInfo[]")]
    pub fn documents(&self) -> Result<JsValue, JsValue> {
        into_js(&self.library.documents())
    }

    /// Texts to embed of a document's passages `start..start + limit`.
    pub fn passages(&self, id: &str, start: usize, limit: usize) -> Vec<String> {
        self.library.passages(id, start, limit)
    }

    /// Blocks `start..start + limit` of a document's text, shown if it has no pages.
    #[wasm_bindgen(js_name = documentText, unchecked_return_type = "TextBlock[]")]
    pub fn document_text(&self, id: &str, start: usize, limit: usize) -> Result<JsValue, JsValue> {
        into_js(&self.library.text(id, start, limit))
    }

    /// Adds the vectors of `count` passages from `start` on, row by row; returns the bytes to store.
    #[wasm_bindgen(js_name = putVectors)]
    pub fn put_vectors(
        &mut self,
        id: &str,
        start: usize,
        count: usize,
        vectors: Float32Array,
        fingerprint: &str,
    ) -> Result<Uint8Array, JsValue> {
        let values = vectors.to_vec();
        if count == 0 || !values.len().is_multiple_of(count) || values.is_empty() {
            return Err(bad_argument("vectors are not `count` rows of one length"));
        }
        let rows: Vec<Vec<f32>> = values.chunks_exact(values.len() / count).map(<[f32]>::to_vec).collect();
        let bytes = self.library.put_vectors(id, start, &rows, fingerprint).map_err(|error| to_js(&error))?;
        Ok(Uint8Array::from(bytes.as_slice()))
    }

    /// Texts to embed of single passages of a document.
    #[wasm_bindgen(js_name = passagesAt)]
    pub fn passages_at(&self, id: &str, rows: Vec<u32>) -> Vec<String> {
        let rows: Vec<usize> = rows.into_iter().map(|row| row as usize).collect();
        self.library.passages_at(id, &rows)
    }

    /// Runs of passages of a document whose vectors are still to come: each its first passage and the one after its last.
    /// A passage mostly in a script that the embedding model cannot read gets none.
    #[wasm_bindgen(js_name = passagesWithoutVectors, unchecked_return_type = "[number, number][]")]
    pub fn passages_without_vectors(&self, id: &str) -> Result<JsValue, JsValue> {
        into_js(&self.library.passages_without_vectors(id))
    }

    /// Adds the vectors of single passages, row by row. Returns the bytes to store: of each run of consecutive passages,
    /// without those that had vectors.
    #[wasm_bindgen(js_name = putSingleVectors, unchecked_return_type = "StoredVectors[]")]
    pub fn put_single_vectors(
        &mut self,
        id: &str,
        rows: Vec<u32>,
        vectors: Float32Array,
        fingerprint: &str,
    ) -> Result<JsValue, JsValue> {
        let values = vectors.to_vec();
        if rows.is_empty() || !values.len().is_multiple_of(rows.len()) || values.is_empty() {
            return Err(bad_argument("vectors are not rows of one length, one for each passage"));
        }
        let vectors = values.chunks_exact(values.len() / rows.len()).map(<[f32]>::to_vec);
        let by_row = rows.into_iter().map(|row| row as usize).zip(vectors).collect();
        let stored =
            self.library.put_single_vectors(id, by_row, fingerprint).map_err(|error| to_js(&error))?;
        into_js(&stored.iter().map(StoredVectors::from).collect::<Vec<_>>())
    }

    /// Adds stored vectors of [`Self::put_vectors`].
    #[wasm_bindgen(js_name = addVectors)]
    pub fn add_vectors(&mut self, bytes: Uint8Array) -> Result<(), JsValue> {
        self.library.add_vectors(&bytes.to_vec()).map_err(|error| to_js(&error))
    }

    /// True if a new graph over the vectors would make searches with `ann` (`"auto"` by default) quicker.
    #[wasm_bindgen(js_name = wantsGraph)]
    pub fn wants_graph(&self, ann: Option<String>) -> Result<bool, JsValue> {
        let ann = ann.as_deref().unwrap_or("auto");
        Ok(self.library.wants_graph(engine::ann_named(ann).map_err(|error| to_js(&error))?))
    }

    /// Input of `linkGraph` of ingest, which is called in another worker; nothing without vectors.
    #[wasm_bindgen(js_name = graphPoints)]
    pub fn graph_points(&mut self) -> Option<Uint8Array> {
        self.library.graph_points().map(|points| Uint8Array::from(points.as_slice()))
    }

    /// Takes the links that `linkGraph` made of the last [`Self::graph_points`]. Vectors added since are scanned,
    /// removed ones left out.
    #[wasm_bindgen(js_name = setGraph)]
    pub fn set_graph(&mut self, links: Uint8Array) -> Result<(), JsValue> {
        self.library.set_graph(&links.to_vec()).map_err(|error| to_js(&error))
    }

    /// Takes the thesaurus of the searches and questions from now on: a group of words for one concept a line, with `|`
    /// between them. A passage that has a concept under another name than the question is found too.
    #[wasm_bindgen(js_name = useThesaurus)]
    pub fn use_thesaurus(&mut self, groups: &str) {
        self.thesaurus = Some(LazyThesaurus::new(groups));
    }

    /// Ranked passages.
    #[wasm_bindgen(unchecked_return_type = "SearchReply")]
    pub fn search(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_param_type = "SearchOptions | undefined")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let (options, vector) = self.search_options(from_js(options)?)?;
        let (mut times, mut watch) = (SearchTimes::default(), Stopwatch::start());
        let mut done = |step| {
            let time = match step {
                SearchStep::Analysis => &mut times.analysis,
                SearchStep::Lexical => &mut times.lexical,
                SearchStep::Dense => &mut times.dense,
                SearchStep::Ranking => &mut times.ranking,
            };
            *time = watch.lap();
        };
        let vector = vector.as_ref().map(Vector::as_query);
        let reply = self.library.search_with_progress(query, vector, &options, &mut done);
        let reply = reply.map_err(|error| to_js(&error))?;
        times.placing = watch.lap();
        into_js(&SearchReply { reply, times })
    }

    /// Sets a ranker of one's own for `fusion: "ltr"`, as LightGBM's text model: that of the lab's `Trainer`. Nothing brings
    /// back those that ship. Returns its mark, by which explanations name it; a text that cannot be used changes nothing.
    #[wasm_bindgen(js_name = setRanker)]
    pub fn set_ranker(&mut self, text: Option<String>) -> Result<Option<String>, JsValue> {
        self.library.set_ranker(text.as_deref()).map_err(|error| to_js(&error))
    }

    /// The ranker that ships, as LightGBM's text model: what the lab's `Trainer` goes on with.
    #[wasm_bindgen(js_name = shippedRanker)]
    pub fn shipped_ranker(&self) -> String {
        engine::shipped_ranker().to_owned()
    }

    /// The candidates of a question with their features, labelled by `gold`, to train a ranker on. Of the options `k`, `ann`,
    /// `fusion`, `denseWeight` and `explain` are not used.
    #[wasm_bindgen(unchecked_return_type = "Candidates")]
    pub fn candidates(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_param_type = "SearchOptions | undefined")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let (options, vector) = self.search_options(from_js(options)?)?;
        let candidates = self.library.candidates(query, vector.as_ref().map(Vector::as_query), &options);
        into_js(&Candidates::from(candidates.map_err(|error| to_js(&error))?))
    }

    /// Starts to answer a question. Later changes of the library do not affect the answer.
    pub fn asking(
        &self,
        question: &str,
        #[wasm_bindgen(unchecked_param_type = "AskingOptions | undefined")] options: JsValue,
    ) -> Result<Asking, JsValue> {
        Asking::start(&self.library, self.thesaurus(), question, options)
    }

    /// Gives a question that is being answered the vectors that the library has got since it began.
    #[wasm_bindgen(js_name = giveVectors)]
    pub fn give_vectors(&self, asking: &mut Asking) {
        asking.take_vectors(&self.library);
    }

    /// A cited answer without a language model.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn ask(
        &self,
        question: &str,
        #[wasm_bindgen(unchecked_param_type = "AskOptions | undefined")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let AskOptions { filter, vector, fingerprint } = from_js(options)?;
        let vector = Vector::of(vector, fingerprint)?;
        let options = engine::SearchOptions::for_answers()
            .within(filter.unwrap_or_default())
            .with_glossary(Glossary::default().with_thesaurus(self.thesaurus()));
        let answer = self
            .library
            .ask(question, vector.as_ref().map(Vector::as_query), &options)
            .map_err(|error| to_js(&error))?;
        into_js(&answer)
    }
}

impl Library {
    fn thesaurus(&self) -> Option<Arc<Thesaurus>> {
        self.thesaurus.as_ref().map(LazyThesaurus::get)
    }

    /// The engine's options of a search, and the vector among them.
    fn search_options(
        &self,
        options: SearchOptions,
    ) -> Result<(engine::SearchOptions, Option<Vector>), JsValue> {
        let SearchOptions {
            k,
            units,
            ann,
            fusion,
            explain,
            filter,
            glossary,
            vector,
            fingerprint,
            k1,
            b,
            header_weight,
            dense_weight,
            gold,
        } = options;
        let k = k.map_or(Ok(10), |k| whole(k, "k"))?;
        let units = units.as_deref().unwrap_or("both");
        let ann = ann.as_deref().unwrap_or("auto");
        let fusion = fusion.as_deref().unwrap_or("ltr");
        let glossary = glossary.iter().map(|(term, words)| (term.as_str(), words.iter().map(String::as_str)));
        let glossary = Glossary::new(glossary).with_thesaurus(self.thesaurus());
        let vector = Vector::of(vector, fingerprint)?;
        let options = engine::SearchOptions::parse(k, units, ann, explain)
            .and_then(|options| options.with_fusion(fusion))
            .and_then(|options| options.with_ranking(&RankingOptions { k1, b, header_weight, dense_weight }))
            .map_err(|error| to_js(&error))?;
        Ok((options.within(filter.unwrap_or_default()).with_glossary(glossary).with_gold(gold), vector))
    }

    /// Before a document is taken out or replaced, if it is there.
    fn leave(&mut self, id: &str) {
        self.preparing = None;
        self.removed.extend(self.library.segment(id).cloned());
    }
}

/// Name that tells a document from others of its file name: with the first of `marks` (folder, date) that makes it new, or
/// with a number. `taken` are the names that others have.
#[wasm_bindgen(js_name = distinctName)]
pub fn distinct_name(name: &str, marks: Vec<String>, taken: Vec<String>) -> String {
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    engine::distinct_name(name, &marks, &|other| taken.iter().any(|name| name == other))
}
