//! Search: a query to ranked passages with their locations.

use std::collections::BTreeMap;

use document::{ChunkId, Hit};
use index::Entry;
use index::vector::{Ann, Exact, QueryVector};
use retrieval::{
    AnalyzedQuery, Blend, Bm25, Filter, Fusion, Glossary, ModelScripts, Options, Query, Ranker, Rrf,
    SearchStep, SearchUnits,
};

use crate::error::Error;
use crate::gold::{GoldPlace, first_reached};
use crate::library::Library;
use crate::ranker::second_stage_without_graph;
use crate::reply::{EmptyReason, SearchReply, VectorUse};
use crate::resolve::Resolver;
use crate::scope::FilterOptions;

/// The questions whose candidates a learned reranker orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// None.
    Never,
    /// Those that are compared by words alone.
    WithoutVectors,
    /// All.
    Always,
    /// All, the features of the regulatory graph withheld from the forest: the scores of the passages beside, above, below,
    /// cited and citing. To measure what they give.
    WithoutGraph,
}

/// Options of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Maximum number of hits, 1 to [`Self::MAX_K`].
    pub k: usize,
    /// Kinds of chunk to list.
    pub units: SearchUnits,
    /// Vector search.
    pub ann: Ann,
    /// Fusion of the scores of words and vectors.
    pub fusion: Fusion,
    /// The questions whose candidates a learned reranker orders: the forest, or the linear model for questions in Chinese,
    /// Japanese or Korean.
    pub learned: Learned,
    /// True to explain the score of each hit.
    pub explain: bool,
    /// Passages to search.
    pub filter: FilterOptions,
    /// Other words for terms of the query.
    pub glossary: Glossary,
    /// Parameters of BM25.
    pub bm25: Bm25,
    /// Places that answer the query, to say which hits reach them.
    pub gold: Vec<GoldPlace>,
}

/// Parameters of the ranking that a user may change; those not given keep their values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankingOptions {
    /// BM25's term frequency saturation, from 0.
    pub k1: Option<f32>,
    /// BM25's length normalisation, 0 to 1.
    pub b: Option<f32>,
    /// Weight of an occurrence in the header against one in the text, from 0.
    pub header_weight: Option<f32>,
    /// Weight of vectors in blended scores, 0 to 1.
    pub dense_weight: Option<f32>,
}

impl SearchOptions {
    /// Upper limit of [`Self::k`].
    pub const MAX_K: usize = 1000;

    /// Options by name: `units` is `child`, `article` or `both`, `ann` is `exact`, `hnsw` or `auto`.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`], listing the known names.
    pub fn parse(k: usize, units: &str, ann: &str, explain: bool) -> Result<Self, Error> {
        if k == 0 || k > Self::MAX_K {
            return Err(Error::bad_argument(format!("k is {k}, expected 1 to {}", Self::MAX_K)));
        }
        let units = match units {
            "child" => SearchUnits::Child,
            "article" => SearchUnits::Article,
            "both" => SearchUnits::Both,
            _ => return Err(Error::bad_argument("unknown units, expected child, article or both")),
        };
        Ok(Self {
            k,
            units,
            ann: ann_named(ann)?,
            fusion: Fusion::default(),
            learned: Learned::Always,
            explain,
            filter: FilterOptions::default(),
            glossary: Glossary::default(),
            bm25: Bm25::default(),
            gold: Vec::new(),
        })
    }

    /// The same with a ranking by name: `rrf` for reciprocal rank fusion, `blend` for weighted scores, `ltr` for the
    /// learned ranker over these, `answers` for that of [`Self::for_answers`].
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`], listing the known names.
    pub fn with_fusion(self, fusion: &str) -> Result<Self, Error> {
        let (fusion, learned) = match fusion {
            "rrf" => (Fusion::Rrf(Rrf::default()), Learned::Never),
            "blend" => (Fusion::default(), Learned::Never),
            "ltr" => (Fusion::default(), Learned::Always),
            "answers" => {
                let Self { fusion, learned, .. } = Self::for_answers();
                (fusion, learned)
            }
            _ => return Err(Error::bad_argument("unknown fusion, expected ltr, blend, rrf or answers")),
        };
        Ok(Self { fusion, learned, ..self })
    }

    /// The same with other parameters of the ranking. The weight of vectors goes with blended scores, so not with `rrf`.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] for a number outside its range.
    pub fn with_ranking(mut self, ranking: &RankingOptions) -> Result<Self, Error> {
        let &RankingOptions { k1, b, header_weight, dense_weight } = ranking;
        /// Limit of the parameters without an upper bound of their own: scores stay finite.
        const MAX: f32 = 1000.0;
        let within = |name: &str, value: Option<f32>, most: f32| match value {
            Some(value) if !(0.0..=most).contains(&value) => {
                Err(Error::bad_argument(format!("{name} is {value}, expected 0 to {most}")))
            }
            value => Ok(value),
        };
        let Bm25 { k1: usual_k1, b: usual_b, header_weight: usual_weight, length } = self.bm25;
        self.bm25 = Bm25 {
            k1: within("k1", k1, MAX)?.unwrap_or(usual_k1),
            b: within("b", b, 1.0)?.unwrap_or(usual_b),
            header_weight: within("the weight of headers", header_weight, MAX)?.unwrap_or(usual_weight),
            length,
        };
        if let (Some(dense_weight), Fusion::Blend(blend)) =
            (within("the weight of vectors", dense_weight, 1.0)?, &mut self.fusion)
        {
            blend.dense_weight = dense_weight;
        }
        Ok(self)
    }

    /// The same with the places that answer the query.
    pub fn with_gold(self, gold: Vec<GoldPlace>) -> Self {
        Self { gold, ..self }
    }

    /// The same with a glossary.
    pub fn with_glossary(self, glossary: Glossary) -> Self {
        Self { glossary, ..self }
    }

    /// The same within a filter.
    pub fn within(self, filter: FilterOptions) -> Self {
        Self { filter, ..self }
    }

    /// Options of the retrieval within a filter.
    pub(crate) fn retrieval(&self, filter: Filter) -> Options {
        let &Self { k, units, ann: _, fusion, learned: _, explain, filter: _, glossary: _, bm25, gold: _ } =
            self;
        Options { k, units, ranker: Ranker::Hybrid(fusion), bm25, explain, filter, ..Options::default() }
    }

    /// Options for answers: two dozen children, by words and vectors about alike. People ask in words that their
    /// documents do not use, so vectors weigh more than in a search, and the forest, whose questions share their words
    /// with the passages, leaves such questions alone: of 332 lay questions .349 cited a right page with it and .482
    /// without, before their passages were compared with them (`ablation.py --questions lay --split dev`, all documents).
    pub fn for_answers() -> Self {
        Self {
            k: 24,
            units: SearchUnits::Child,
            ann: Ann::Auto,
            fusion: Fusion::Blend(Blend { dense_weight: 0.55, ..Blend::default() }),
            learned: Learned::WithoutVectors,
            explain: false,
            filter: FilterOptions::default(),
            glossary: Glossary::default(),
            bm25: Bm25::default(),
            gold: Vec::new(),
        }
    }
}

impl Library {
    /// The best passages for a query; `vector` is the query's, where there is a model. An empty query, or one
    /// without a known word, finds nothing.
    ///
    /// # Errors
    /// [`crate::Code::ModelMismatch`] when a document was embedded by another model than `vector`, or `vector`
    /// has another number of values than its vectors; [`crate::Code::BadArgument`] when `vector` points nowhere,
    /// and for a filter that makes no sense.
    pub fn search(
        &self,
        query: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
    ) -> Result<SearchReply, Error> {
        self.search_with_progress(query, vector, options, &mut |_| {})
    }

    /// [`Self::search`], saying when each step of the ranking is done. What comes after the last one is finding
    /// text and places of the hits.
    ///
    /// # Errors
    /// As [`Self::search`].
    pub fn search_with_progress(
        &self,
        query: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
        done: &mut dyn FnMut(SearchStep),
    ) -> Result<SearchReply, Error> {
        let hits = self.hits(query, vector, options, done)?;
        let resolver = Resolver { index: &self.index };
        let passages = hits.iter().filter_map(|hit| self.passage(hit.document, hit.chunk));
        let gold = if options.gold.is_empty() { Vec::new() } else { first_reached(&options.gold, passages) };
        let hits: Vec<_> = hits.iter().filter_map(|hit| resolver.hit(hit, options.explain)).collect();
        let nothing = if hits.is_empty() { Some(self.empty_reason(query, options)?) } else { None };
        Ok(SearchReply { hits, nothing, vectors: self.vector_use(query, vector), gold })
    }

    /// Terms whose document frequencies a search for the query may read, which [`Library::use_collection`] wants to be told, and
    /// how often the query has each: 0 for a term of another name of what it says.
    pub fn query_terms(&self, query: &str, glossary: &Glossary) -> BTreeMap<String, usize> {
        let lexicon = self.lexicon();
        let analysis = AnalyzedQuery::read(query, &lexicon, glossary);
        Query { text: query, vector: None, analysis: Some(&analysis), citations: None }.term_counts()
    }

    fn empty_reason(&self, query: &str, options: &SearchOptions) -> Result<EmptyReason, Error> {
        if self.index.n_documents() == 0 {
            return Ok(EmptyReason::NoDocuments);
        }
        if !has_words(query) {
            return Ok(EmptyReason::NoQuery);
        }
        let filter = self.filter(&options.filter)?;
        let options = Options { units: options.units, filter, ..Options::default() };
        let any = retrieval::has_matching_units(&self.index, &options);
        Ok(if any { EmptyReason::NoMatch } else { EmptyReason::NothingInScope })
    }

    /// The hits of a search, not yet placed.
    pub(crate) fn hits(
        &self,
        query: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
        done: &mut dyn FnMut(SearchStep),
    ) -> Result<Vec<Hit>, Error> {
        self.check_query(vector)?;
        let filter = self.filter(&options.filter)?;
        if !has_words(query) {
            return Ok(Vec::new());
        }
        let lexicon = self.lexicon();
        let analysis = AnalyzedQuery::read(query, &lexicon, &options.glossary);
        let citations = Some(lexicon.citations());
        let query = Query { text: query, vector, analysis: Some(&analysis), citations };
        let &SearchOptions { ann, learned, .. } = options;
        let options = options.retrieval(filter);
        let is_learned = match learned {
            Learned::Never => false,
            Learned::WithoutVectors => self.vector_use(query.text, vector) == VectorUse::None,
            Learned::Always | Learned::WithoutGraph => true,
        };
        let second = match learned {
            Learned::WithoutGraph => second_stage_without_graph(query.text),
            _ => self.second_stage(query.text).filter(|_| is_learned),
        };
        let exact = Exact::new(&self.index);
        Ok(match vector {
            Some(_) if let Some(graph) = self.graph.attached(&self.index, ann) => {
                retrieval::search_with_progress(&self.index, &graph, second, &query, &options, done)
            }
            _ => retrieval::search_with_progress(&self.index, &exact, second, &query, &options, done),
        })
    }

    /// Checks a query's vector against the library's.
    pub(crate) fn check_query(&self, vector: Option<QueryVector<'_>>) -> Result<(), Error> {
        let Some(vector) = vector else { return Ok(()) };
        self.check_model(vector.fingerprint)?;
        self.check_vector(vector)
    }

    pub(crate) fn vector_use(&self, query: &str, vector: Option<QueryVector<'_>>) -> VectorUse {
        let Some(vector) = vector else { return VectorUse::None };
        if !Options::default().uses_vector(query) {
            return VectorUse::None;
        }
        let is_of_model =
            |entry: &Entry| entry.vectors().fingerprint().is_none_or(|other| other == vector.fingerprint);
        let is_whole =
            |entry: &Entry| is_of_model(entry) && ModelScripts::default().missing_rows(entry).is_empty();
        if self.n_vectors() == 0 {
            VectorUse::None
        } else if self.index.iter().all(|(_, entry)| is_whole(entry)) {
            VectorUse::All
        } else {
            VectorUse::Some
        }
    }
}

/// Vector search by name: `exact`, `hnsw` or `auto`.
///
/// # Errors
/// [`crate::Code::BadArgument`], listing the known names.
pub fn ann_named(name: &str) -> Result<Ann, Error> {
    match name {
        "exact" => Ok(Ann::Exact),
        "hnsw" => Ok(Ann::Hnsw),
        "auto" => Ok(Ann::Auto),
        _ => Err(Error::bad_argument("unknown ann, expected exact, hnsw or auto")),
    }
}

/// True if a query has a letter or a digit.
pub(crate) fn has_words(query: &str) -> bool {
    query.contains(char::is_alphanumeric)
}

/// Cosine of a chunk's vector to the question's, -1 to 1; for an article that of its best child. `None` without
/// vectors.
pub(crate) fn cosine(entry: &Entry, chunk: ChunkId, vector: QueryVector<'_>) -> Option<f32> {
    let cosine = |row: usize| entry.vectors().row(row)?.dot(vector.values);
    entry.segment().rows_of(chunk).filter_map(cosine).max_by(f32::total_cmp)
}
