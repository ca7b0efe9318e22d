//! A question to a cited answer: the answering machine over one snapshot of a library.
//!
//! [`Library::asking`] starts it. What it needs from outside is a vector for each question it searches for, where there
//! is a model for that, and the replies of a language model, where there is one; how they are come by is the
//! caller's. Each call here is short: one search, or one reply read.

use std::collections::BTreeMap;

use answer::{Found as Passage, Machine, Question};
use document::{DocumentIdx, Hit, TextRange};
use index::TermStats;
use index::vector::QueryVector;
use retrieval::{ExpansionSource, Rrf, fuse_queries};
use text::{Analyzer, AnalyzerKind};

pub use answer::{
    Author, Call, CallOutcome, Degraded, Fault, Finish, Message, Need, Profile, ProfileError, Reply, Request,
    Role, Sent, Step as AnswerStep, TOO_LONG, Turn, UnsupportedClaim, UnsupportedKind, Verdict,
};

use crate::corpus::Snapshot;
use crate::error::Error;
use crate::library::Library;
use crate::reply::{
    Answer, Citation, Conflict, Found, Note, Place, Status, SupportingProvision, Trace, VectorUse,
};
use crate::search::{SearchOptions, cosine};

/// A question, what was asked before, and how it is to be answered.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The question.
    pub question: String,
    /// What was asked and answered before, oldest first.
    pub history: Vec<Turn>,
    /// How.
    pub profile: Profile,
    /// Whether there is a language model to ask.
    pub has_model: bool,
    /// How passages are searched for.
    pub search: SearchOptions,
}

impl Ask {
    /// A question by itself, answered under the default profile from the documents alone.
    pub fn new(question: &str) -> Self {
        Self {
            question: question.to_owned(),
            history: Vec::new(),
            profile: Profile::default(),
            has_model: false,
            search: SearchOptions::for_answers(),
        }
    }
}

/// A question being answered. The library may change meanwhile: the answer is from what it was.
pub struct Asking {
    library: Library,
    corpus: Snapshot,
    machine: Machine,
    options: SearchOptions,
    /// The lists of the searches of this round that are done.
    lists: Vec<Vec<Hit>>,
    /// Those of the first search, and whether vectors took part in it.
    hits: Vec<Hit>,
    vectors: VectorUse,
    /// Cosines of what was found for the question itself.
    cosines: Vec<Option<f32>>,
}

impl Library {
    /// Starts to answer a question.
    pub fn asking(&self, ask: Ask) -> Asking {
        self.asking_with(ask, answer::Options::default())
    }

    /// [`Self::asking`] with other options of what is quoted without a model.
    pub fn asking_with(&self, ask: Ask, answering: answer::Options) -> Asking {
        let Ask { question, history, profile, has_model, search } = ask;
        // Read here, so that it stays when the copy is gone.
        let _ = self.lexicon();
        let mut library = self.clone();
        let glossary =
            profile.glossary.iter().map(|(term, words)| (term.as_str(), words.iter().map(String::as_str)));
        library.extend_glossary(glossary);
        // Without a model the answer is made of few passages; a model chooses from more.
        let k = if has_model { profile.retrieval.found as usize } else { search.k };
        let corpus = Snapshot::of(&library);
        let question = Question { spelled_out: library.spelled_out(&question), asked: question, history };
        let machine = Machine::new(question, profile, has_model, answering);
        Asking {
            library,
            corpus,
            machine,
            options: SearchOptions { k: k.max(search.k), ..search },
            lists: Vec::new(),
            hits: Vec::new(),
            vectors: VectorUse::None,
            cosines: Vec::new(),
        }
    }

    /// A question with the words of the glossary put in where it uses others: in place of a term that the
    /// documents never use, behind one that they do. `None` where the glossary has nothing to say.
    fn spelled_out(&self, question: &str) -> Option<String> {
        let read = retrieval::AnalyzedQuery::read(question, &self.lexicon(), &self.glossary);
        let mut said: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for expansion in read.expansions {
            if expansion.source == ExpansionSource::Glossary {
                said.entry((expansion.range.start, expansion.range.end)).or_default().push(expansion.text);
            }
        }
        let analyzer = Analyzer::new(AnalyzerKind::Default);
        let mut spelled = String::new();
        let mut end = 0;
        for (&(start, stop), words) in &said {
            let (Some(before), Some(term)) = (question.get(end..start), question.get(start..stop)) else {
                continue;
            };
            let is_known =
                analyzer.terms(term).iter().all(|term| TermStats::of(&self.index, term).doc_freq > 0);
            spelled.push_str(before);
            if is_known {
                spelled.push_str(term);
                spelled.push(' ');
            }
            spelled.push_str(&words.join(" "));
            end = stop;
        }
        spelled.push_str(question.get(end..).unwrap_or_default());
        (!said.is_empty()).then_some(spelled)
    }

    /// Answers from the documents alone; `vector` is the question's, where there is a model.
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
        }
        Ok(asking.finish())
    }
}

impl Asking {
    /// What is needed now. A search is done query by query: see [`Self::query`].
    pub fn need(&self) -> Need<'_> {
        self.machine.need()
    }

    /// The query whose search is due, if one is.
    pub fn query(&self) -> Option<&str> {
        match self.machine.need() {
            Need::Search(queries) => queries.get(self.lists.len()).map(String::as_str),
            Need::Ask(_) | Need::Nothing => None,
        }
    }

    /// Does the search that is due; `vector` is that of [`Self::query`].
    ///
    /// # Errors
    /// As [`Library::search`]. The machine is as it was.
    pub fn search(&mut self, vector: Option<QueryVector<'_>>) -> Result<(), Error> {
        let Need::Search(queries) = self.machine.need() else { return Ok(()) };
        let n_queries = queries.len();
        let Some(query) = queries.get(self.lists.len()) else { return Ok(()) };
        let hits = self.library.hits(query, vector, &self.options, &mut |_| {})?;
        if self.hits.is_empty() && self.lists.is_empty() {
            self.vectors = self.library.vector_use(query, vector);
            let vector = vector.filter(|_| self.vectors != VectorUse::None);
            let cosine = |hit: &Hit| cosine(self.library.entry(hit.document)?, hit.chunk, vector?);
            self.cosines = hits.iter().map(cosine).collect();
            self.hits = hits.clone();
        }
        self.lists.push(hits);
        if self.lists.len() >= n_queries {
            let lists = std::mem::take(&mut self.lists);
            let together: Vec<Passage> =
                fuse_queries(&lists, Rrf::default()).iter().map(|hit| passage(hit, None)).collect();
            let cosines = self.cosines.iter().copied().chain(std::iter::repeat(None));
            let question: Vec<Passage> =
                self.hits.iter().zip(cosines).map(|(hit, cosine)| passage(hit, cosine)).collect();
            let parts = lists.get(1..).unwrap_or_default().iter();
            let parts: Vec<Vec<Passage>> =
                parts.map(|hits| hits.iter().map(|hit| passage(hit, None)).collect()).collect();
            self.machine.found(&self.corpus, &question, &parts, &together);
        }
        Ok(())
    }

    /// Hands over a reply.
    pub fn replied(&mut self, reply: &Reply) {
        self.machine.replied(&self.corpus, reply);
    }

    /// Says that no reply came; `lasts` that another request to the same endpoint would fail too.
    pub fn failed(&mut self, fault: &Fault, lasts: bool) {
        self.machine.failed(&self.corpus, fault, lasts);
    }

    /// Where the words that a request carries stand.
    pub fn sent(&self, request: &Request) -> Vec<Place> {
        let place = |sent: &Sent| {
            let source = self.library.entry(sent.document)?.segment().document();
            let start = TextRange { end: sent.range.start + 1, ..sent.range };
            Some(Place::of(source, sent.section, &[start.intersect(sent.range).unwrap_or(sent.range)]))
        };
        request.sent.iter().filter_map(place).collect()
    }

    /// The answer. When something is still needed it is made from what there is.
    pub fn finish(self) -> Answer {
        let Self { library, corpus, machine, hits, vectors, .. } = self;
        let outcome = machine.finish(&corpus);
        let answer::Outcome { answer, by, trace } = outcome;
        let text = answer.text();
        let answer::Answer {
            statements,
            citations,
            sufficient,
            missing,
            message,
            supporting,
            conflicts,
            notes,
        } = answer;
        let place_of = |document, section, ranges: &[TextRange]| {
            Some(Place::of(library.entry(document)?.segment().document(), section, ranges))
        };
        let citation = |citation: answer::Citation| {
            let answer::Citation { id, document, chunk: _, section, range, rest, quote, status, score: _ } =
                citation;
            let mut ranges = vec![range];
            ranges.extend(rest);
            Some(Citation { id, place: place_of(document, section, &ranges)?, quote, status })
        };
        let mut citations: Vec<Citation> = citations.into_iter().filter_map(citation).collect();
        let mut cite = |document, section, ranges: &[TextRange], quote| -> Option<u32> {
            let id = citations.iter().map(|citation| citation.id).max().unwrap_or(0) + 1;
            let place = place_of(document, section, ranges)?;
            citations.push(Citation { id, place, quote, status: Status::Verified });
            Some(id)
        };
        let supporting = supporting
            .into_iter()
            .filter_map(
                |answer::SupportingProvision {
                     citation,
                     why,
                     document,
                     section,
                     ranges,
                     quote,
                     legal_status: _,
                 }| {
                    let (why, name) = match why {
                        answer::SupportReason::Reference { label } => ("reference", label),
                        answer::SupportReason::Definition { term } => ("definition", term),
                    };
                    Some(SupportingProvision {
                        citation,
                        why,
                        name,
                        by: cite(document, section, &ranges, quote)?,
                    })
                },
            )
            .collect();
        let conflicts = conflicts
            .into_iter()
            .map(|answer::Conflict { kind, places, in_force }| {
                let place = |place: answer::ConflictPlace| {
                    let answer::ConflictPlace {
                        citation,
                        document,
                        section,
                        range,
                        quote,
                        date: _,
                        legal_status: _,
                    } = place;
                    citation.or_else(|| cite(document, section, &[range], quote))
                };
                let citations: Vec<Option<u32>> = places.into_iter().map(place).collect();
                let preferred = in_force.and_then(|at| citations.get(at).copied().flatten());
                Conflict { kind, citations: citations.into_iter().flatten().collect(), preferred }
            })
            .collect();
        let note = |note: answer::Note| {
            Some(match note {
                answer::Note::Withdrawn { citation, legal_status } => {
                    Note::Withdrawn { citation, legal_status }
                }
                answer::Note::LaterEdition { citation, date, later, later_date } => {
                    let later = library.entry(later)?.segment().document().name.clone();
                    Note::LaterEdition { citation, date, later, later_date }
                }
                answer::Note::SeveralCases { citations } => Note::SeveralCases { citations },
            })
        };
        let chunk_place = |&(document, chunk): &(DocumentIdx, document::ChunkId)| {
            let source = library.entry(document)?.segment().document();
            let chunk = source.chunks.get(chunk.idx())?;
            place_of(document, chunk.section, &chunk.ranges)
        };
        let range_place = |(document, ranges): &(DocumentIdx, Vec<TextRange>)| {
            let source = library.entry(*document)?.segment().document();
            let section = source.tree.innermost(*ranges.first()?);
            place_of(*document, section, ranges)
        };
        let answer::Trace {
            question,
            rewrites,
            passage,
            queries,
            retrieved: _,
            kept,
            extracts,
            selected,
            reflection,
            calls,
            degraded,
        } = trace;
        let retrieved: Vec<Found> = hits.iter().filter_map(|hit| library.place(hit, false)).collect();
        Answer {
            text,
            sufficient,
            by,
            verdict: reflection.last().cloned(),
            statements,
            citations,
            supporting,
            conflicts,
            notes: notes.into_iter().filter_map(note).collect(),
            missing,
            message,
            retrieved,
            vectors,
            trace: Trace {
                question,
                rewrites,
                passage,
                queries,
                kept: kept.iter().filter_map(chunk_place).collect(),
                extracts: extracts.iter().filter_map(range_place).collect(),
                selected: selected.iter().filter_map(range_place).collect(),
                reflection,
                calls,
                degraded,
            },
        }
    }
}

fn passage(hit: &Hit, cosine: Option<f32>) -> Passage {
    Passage { document: hit.document, chunk: hit.chunk, score: hit.score, cosine }
}
