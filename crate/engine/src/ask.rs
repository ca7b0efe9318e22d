//! Question to cited answer: the answering machine over a snapshot of a library.
//!
//! [`Library::asking`] starts it. The caller supplies a vector for each query, if there is an embedding model, and the
//! replies of a language model, if there is one. Each call is short: one search, or one reply read.

use std::collections::BTreeMap;
use std::sync::Arc;

use answer::{AskRequest, Concept, FoundPassage, Machine, Similarities, asks_for_place, is_contents};
use document::{ChunkId, DocumentIdx, Explanation, Hit, Slice as _, TextRange};
use embed::TokenMatches;
use index::TermStats;
use index::vector::QueryVector;
use retrieval::{
    AnalyzedQuery, Glossary, GlossaryUse, Rrf, fuse_queries, glossary_uses, with_glossary_words,
};
use text::{Analyzer, AnalyzerKind};

pub use answer::{
    Author, Call, CallOutcome, Degraded, Fault, Finish, Message, NextAction, Profile, ProfileError, Reply,
    Request, Role, SentPassage, Statement, Status, Step as AnswerStep, TOO_LONG, Turn, UnsupportedClaim,
    UnsupportedKind, Verdict,
};

use crate::candidates::{Row, WantedPassage};
use crate::comparison::{COMPARED, Compared, Comparison};
use crate::corpus::Snapshot;
use crate::error::Error;
use crate::library::Library;
use crate::reply::{Answer, Diag, GlossaryEntry, Location, SearchHit, VectorUse, VectorsOnDemand};
use crate::resolve::Resolver;
use crate::search::{SearchOptions, cosine};

/// Question, conversation before it, and how to answer.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Question.
    pub question: String,
    /// Earlier questions and answers, oldest first.
    pub history: Vec<Turn>,
    /// Profile.
    pub profile: Profile,
    /// Entries added to the profile's glossary: terms with other words for them.
    pub glossary: BTreeMap<String, Vec<String>>,
    /// True if there is a language model to ask.
    pub has_model: bool,
    /// Options of the searches. Of their glossary the thesaurus is kept; the entries are those of the profile and of
    /// [`Self::glossary`].
    pub search: SearchOptions,
}

impl Ask {
    /// A single question, answered under the default profile without a model.
    pub fn new(question: &str) -> Self {
        Self {
            question: question.to_owned(),
            history: Vec::new(),
            profile: Profile::default(),
            glossary: BTreeMap::new(),
            has_model: false,
            search: SearchOptions::for_answers(),
        }
    }
}

/// Question being answered. Later changes of the library do not affect the answer, but for vectors and documents that are
/// taken over: see [`Self::take_vectors`] and [`Self::take_documents`].
pub struct Asking {
    library: Library,
    corpus: Snapshot,
    machine: Machine,
    options: SearchOptions,
    /// Entries of the glossary that the question uses.
    glossary: Vec<GlossaryEntry>,
    /// Other names of its phrases that were looked for, by the thesaurus.
    also: Vec<GlossaryEntry>,
    /// True if passages are compared with the question: without a language model, which compares for itself.
    compares: bool,
    /// Search whose passages are to be compared with its query.
    compared: Option<Compared>,
    /// Hits of this round's queries so far, the same with their cosines to their query, and their similarities.
    lists: Vec<Vec<Hit>>,
    found: Vec<Vec<FoundPassage>>,
    similarities: Vec<Similarities>,
    /// Hits of the first query, the same with their cosines to it, and the documents whose vectors took part.
    hits: Vec<Hit>,
    question: Vec<FoundPassage>,
    vectors: VectorUse,
    /// Passages that were wanted for the search that is due.
    wanted: Vec<Row>,
    on_demand: VectorsOnDemand,
    /// Number of passages compared with the question and its parts.
    n_compared: usize,
    /// Inconsistencies that came up.
    diags: Vec<document::Diag>,
}

impl Library {
    /// Starts to answer a question.
    pub fn asking(&self, ask: Ask) -> Asking {
        self.asking_with(ask, answer::Options::default())
    }

    /// [`Self::asking`] with other options of the extractive answer.
    pub fn asking_with(&self, ask: Ask, answering: answer::Options) -> Asking {
        let Ask { question, history, mut profile, glossary, has_model, search } = ask;
        for (term, words) in glossary {
            profile.glossary.entry(term).or_default().extend(words);
        }
        let entries =
            profile.glossary.iter().map(|(term, words)| (term.as_str(), words.iter().map(String::as_str)));
        let glossary = Glossary::new(entries).with_thesaurus(search.glossary.thesaurus().cloned());
        let analyzed = AnalyzedQuery::read(&question, &self.lexicon(), &glossary);
        let uses = glossary_uses(&question, &analyzed);
        let expanded = with_glossary_words(&question, &uses, &self.index);
        let concepts = self.concepts(&question, &analyzed);
        let also = concepts.iter().map(|Concept { phrase, members }| GlossaryEntry {
            term: phrase.clone(),
            words: members.clone(),
        });
        let also = also.collect();
        // Without a model the answer is made of few passages; a model chooses from more.
        let k = if has_model { profile.retrieval.found as usize } else { search.k };
        let options = SearchOptions { k: k.max(search.k), glossary, ..search };
        Asking {
            library: self.clone(),
            corpus: Snapshot::of(self),
            machine: Machine::new(
                AskRequest { question, expanded, concepts, history },
                profile,
                has_model,
                answering,
            ),
            options,
            compares: !has_model,
            compared: None,
            glossary: uses
                .into_iter()
                .map(|GlossaryUse { term, words, range: _ }| GlossaryEntry { term, words })
                .collect(),
            also,
            lists: Vec::new(),
            found: Vec::new(),
            similarities: Vec::new(),
            hits: Vec::new(),
            question: Vec::new(),
            vectors: VectorUse::None,
            wanted: Vec::new(),
            on_demand: VectorsOnDemand::default(),
            n_compared: 0,
            diags: Vec::new(),
        }
    }

    /// The concepts of the thesaurus in a question, with the names that some document uses.
    fn concepts(&self, question: &str, analyzed: &AnalyzedQuery) -> Vec<Concept> {
        let analyzer = Analyzer::new(AnalyzerKind::Default);
        let is_used = |member: &String| {
            let terms = analyzer.terms(member);
            !terms.is_empty() && terms.iter().all(|term| TermStats::of(&self.index, term).doc_freq > 0)
        };
        let concept = |concept: &retrieval::Concept| {
            let phrase = question.get(concept.range.clone())?.to_owned();
            let is_other = |member: &&String| !member.eq_ignore_ascii_case(&phrase) && is_used(member);
            let members: Vec<String> = concept.members.iter().filter(is_other).cloned().collect();
            (!members.is_empty()).then_some(Concept { phrase, members })
        };
        analyzed.concepts.iter().filter_map(concept).collect()
    }

    /// Answers without a language model, and without comparing passages with the question; `vector` is the question's, if
    /// there is an embedding model.
    ///
    /// # Errors
    /// As [`Self::search`]. That the documents do not say is no error.
    pub fn ask(
        &self,
        question: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
    ) -> Result<Answer, Error> {
        self.ask_with(question, vector, options, answer::Options::default())
    }

    /// [`Self::ask`] with other options of what is quoted.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn ask_with(
        &self,
        question: &str,
        vector: Option<QueryVector<'_>>,
        options: &SearchOptions,
        answering: answer::Options,
    ) -> Result<Answer, Error> {
        let ask = Ask { search: options.clone(), ..Ask::new(question) };
        let mut asking = self.asking_with(ask, answering);
        while asking.query().is_some() {
            asking.search(vector)?;
            asking.compared(&[]);
        }
        Ok(asking.finish())
    }
}

impl Asking {
    /// The next action. A search runs query by query: see [`Self::query`].
    pub fn need(&self) -> NextAction<'_> {
        self.machine.next_action()
    }

    /// The query whose search is due, if one is.
    pub fn query(&self) -> Option<&str> {
        if self.compared.is_some() {
            return None;
        }
        match self.machine.next_action() {
            NextAction::Search(queries) => queries.get(self.lists.len()).map(String::as_str),
            NextAction::Ask(_) | NextAction::Finish => None,
        }
    }

    /// Passages whose vectors the search that is due needs and the library has not, best first by words: see
    /// [`crate::CANDIDATES`]. To be embedded and put into the library as time allows, and taken over by [`Self::take_vectors`].
    ///
    /// # Errors
    /// As [`Library::search`].
    pub fn wanted(&mut self) -> Result<Vec<WantedPassage>, Error> {
        let Some(query) = self.query() else { return Ok(Vec::new()) };
        let rows = self.library.rows_without_vectors(query, &self.options)?;
        let passages = rows.iter().filter_map(|&row| self.library.wanted(row)).collect();
        self.wanted = rows;
        Ok(passages)
    }

    /// Takes over the vectors that the library has got since, of the documents that are searched.
    pub fn take_vectors(&mut self, library: &Library) {
        self.library.index.take_vectors(&library.index);
        self.library.graph.update(&self.library.index);
    }

    /// Takes over the documents that the library has got since, and the statistics of its collection: for a library that loads
    /// the documents of each query when it comes.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] if one that is searched was removed, moved or read anew; nothing is taken.
    pub fn take_documents(&mut self, library: &Library) -> Result<(), Error> {
        let stays = |(at, entry): (DocumentIdx, &index::Entry)| {
            library.index.get(at).is_some_and(|other| Arc::ptr_eq(other.segment(), entry.segment()))
        };
        if !self.library.index.iter().all(stays) {
            return Err(Error::bad_argument(
                "a document that the question is asked of was removed or replaced",
            ));
        }
        self.library = library.clone();
        self.corpus = Snapshot::of(&self.library);
        Ok(())
    }

    /// Does the search that is due; `vector` is that of [`Self::query`].
    ///
    /// # Errors
    /// As [`Library::search`]. The machine is as it was.
    pub fn search(&mut self, vector: Option<QueryVector<'_>>) -> Result<(), Error> {
        drop(document::never::take_diags());
        let NextAction::Search(queries) = self.machine.next_action() else { return Ok(()) };
        let n_queries = queries.len();
        let Some(query) = queries.get(self.lists.len()) else { return Ok(()) };
        let (query, compares) = (query.clone(), self.compares && vector.is_some());
        let usual = self.options.k;
        let k = if compares { usual.max(COMPARED) } else { usual };
        let options = SearchOptions { k, ..self.options.clone() };
        let mut hits = self.library.hits(&query, vector, &options, &mut |_| {})?;
        if !asks_for_place(&query) {
            let library = &self.library;
            let is_text = |hit: &Hit| {
                let passage = library.passage(hit.document, hit.chunk);
                passage.is_none_or(|(document, ranges)| !is_contents(document, ranges))
            };
            hits.retain(is_text);
        }
        let wanted = std::mem::take(&mut self.wanted);
        let n_embedded = wanted.iter().filter(|&&row| self.library.has_vector(row)).count();
        self.on_demand.embedded += n_embedded;
        self.on_demand.left += wanted.len() - n_embedded;
        let vectors = self.library.vector_use(&query, vector);
        let vector = vector.filter(|_| vectors != VectorUse::None);
        let cosine = |hit: &Hit| cosine(self.library.entry(hit.document)?, hit.chunk, vector?);
        let cosines: Vec<Option<f32>> = hits.iter().map(cosine).collect();
        if self.is_first() {
            let are_all = n_embedded > 0 && n_embedded == wanted.len();
            let is_partial = vectors == VectorUse::Some && are_all;
            self.vectors = if is_partial { VectorUse::Candidates } else { vectors };
        }
        let compared = Compared { query, hits, cosines };
        if compares && vector.is_some() && !compared.hits.is_empty() {
            self.compared = Some(compared);
        } else {
            let cosines = compared.known_cosines();
            self.take_hits(n_queries, compared.hits, &cosines, Similarities::default());
        }
        self.diags.extend(document::never::take_diags());
        Ok(())
    }

    /// The passages of the search just done, if they are to be compared with its query. The next call is
    /// [`Self::compared`].
    pub fn comparison(&self) -> Option<Comparison> {
        self.compared.as_ref().map(|compared| compared.comparison(&self.library))
    }

    /// Takes the matches of the passages of [`Self::comparison`], in their order; `None`, and missing ones at the end, for
    /// those that were not compared. Does nothing if no comparison is due.
    pub fn compared(&mut self, matches: &[Option<TokenMatches>]) {
        let Some(compared) = self.compared.take() else { return };
        let NextAction::Search(queries) = self.machine.next_action() else { return };
        let n_queries = queries.len();
        drop(document::never::take_diags());
        self.n_compared += matches.iter().take(compared.hits.len()).flatten().count();
        let cosines = compared.known_cosines();
        let (hits, similarities) = compared.ranked(&self.library, matches);
        self.take_hits(n_queries, hits, &cosines, similarities);
        self.diags.extend(document::never::take_diags());
    }

    /// True if no search of this question is done.
    fn is_first(&self) -> bool {
        self.hits.is_empty() && self.lists.is_empty()
    }

    /// Takes the hits of one query, best first; of the last one of a round, all go to the machine.
    fn take_hits(
        &mut self,
        n_queries: usize,
        mut hits: Vec<Hit>,
        cosines: &BTreeMap<(DocumentIdx, ChunkId), f32>,
        similarities: Similarities,
    ) {
        hits.truncate(self.options.k);
        let cosine = |hit: &Hit| cosines.get(&(hit.document, hit.chunk)).copied();
        let found: Vec<FoundPassage> = hits.iter().map(|hit| passage(hit, cosine(hit))).collect();
        if self.is_first() {
            self.hits.clone_from(&hits);
            self.question.clone_from(&found);
        }
        self.lists.push(hits);
        self.found.push(found);
        self.similarities.push(similarities);
        if self.lists.len() < n_queries {
            return;
        }
        let lists = std::mem::take(&mut self.lists);
        let similarities = std::mem::take(&mut self.similarities);
        let together: Vec<FoundPassage> =
            fuse_queries(&lists, Rrf::default()).iter().map(|hit| passage(hit, None)).collect();
        let found = std::mem::take(&mut self.found);
        let parts = found.slice(1..);
        if self.compares {
            self.machine.compared(similarities);
        }
        self.machine.found(&self.corpus, &self.question, parts, &together);
    }

    /// Hands over a reply.
    pub fn replied(&mut self, reply: &Reply) {
        drop(document::never::take_diags());
        self.machine.replied(&self.corpus, reply);
        self.diags.extend(document::never::take_diags());
    }

    /// Says that no reply came; `lasts` that another request to the same endpoint would fail too.
    pub fn failed(&mut self, fault: &Fault, lasts: bool) {
        drop(document::never::take_diags());
        self.machine.failed(&self.corpus, fault, lasts);
        self.diags.extend(document::never::take_diags());
    }

    /// Locations of the beginnings of the passages that a request carries.
    pub fn sent(&self, request: &Request) -> Vec<Location> {
        let resolver = self.resolver();
        // The first character suffices for the page.
        let start = |range: TextRange| TextRange { end: range.end.min(range.start + 1), ..range };
        let location =
            |sent: &SentPassage| resolver.location(sent.document, sent.section, &[start(sent.range)]);
        request.sent.iter().filter_map(location).collect()
    }

    /// Passages that the searches so far gave, of the question and its rewrites together, best first; their scores are
    /// reciprocal ranks.
    pub fn found(&self) -> Vec<SearchHit> {
        let hit = |(rank, &(document, chunk)): (u32, &(DocumentIdx, ChunkId))| {
            let score = 1.0 / rank as f32;
            self.resolver()
                .hit(&Hit { document, chunk, score, rank, explanation: Explanation::default() }, false)
        };
        (1..).zip(&self.machine.trace().retrieved).filter_map(hit).collect()
    }

    /// The signals of sufficiency ([`answer::SIGNALS`]) of what was found for the question, for training.
    pub fn signals(&self) -> Vec<f64> {
        self.machine.signals(&self.corpus)
    }

    /// The answer. If something is still needed, it is made from what there is.
    pub fn finish(mut self) -> Answer {
        self.compared(&[]);
        drop(document::never::take_diags());
        let Self {
            library,
            corpus,
            machine,
            hits,
            vectors,
            glossary,
            also,
            on_demand,
            n_compared,
            mut diags,
            ..
        } = self;
        let resolver = Resolver { index: &library.index };
        let mut answer = resolver.answer(machine.finish(&corpus), &hits, vectors, glossary);
        diags.extend(document::never::take_diags());
        answer.trace.on_demand = on_demand;
        answer.trace.compared = n_compared;
        answer.trace.also = also;
        answer.trace.diags = diags.into_iter().map(Diag::from).collect();
        answer
    }

    fn resolver(&self) -> Resolver<'_> {
        Resolver { index: &self.library.index }
    }
}

fn passage(hit: &Hit, cosine: Option<f32>) -> FoundPassage {
    FoundPassage { document: hit.document, chunk: hit.chunk, score: hit.score, cosine }
}
