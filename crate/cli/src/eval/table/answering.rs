//! Rankings and answers of a row: searches without a model, and the answering machine with the replies that a model gave.
//!
//! Questions are answered some at a time, in step: each goes on until it needs a model, then the requests of all are carried
//! together. So as many requests are on their way as the endpoint takes, and the order of the log is that of the steps.

use encoder::Session;
use engine::{Ask, Asking, Fault, Library, NextAction, QueryVector, Reply, Request, ScoreFilter, SearchHit};
use text::{ApproximateTokens, TokenCount as _};

use super::collection::Collection;
use super::record::{Answered, Found, Ranked};
use super::rows::{DEPTH, RankerName, Reader, Row, Searching, Table};
use crate::eval::fields::without_marks;
use crate::eval::model_replies::n_tokens;
use crate::eval::questions::Question;
use crate::eval::retrieval::vectors::clock;
use crate::failure::Failure;
use crate::search::{Embedded, embed_by};

/// Passages that a judge reads with an answer, as `eval judge` does.
const N_JUDGED: usize = 10;
/// Questions between two lines of progress.
const TICK: usize = 200;

/// A collection cut and embedded as a search says, and the encoder.
pub(super) struct Searched<'a> {
    pub(super) collection: &'a Collection,
    pub(super) library: &'a Library,
    pub(super) searching: Searching,
    /// Encoder of questions; `None` to search by words alone.
    pub(super) session: Option<&'a Session>,
}

/// Carrier of the requests of one step: a reply, or a fault, to each.
pub(super) type Carry<'a> = dyn FnMut(&[Request]) -> Result<Vec<Result<Reply, Fault>>, Failure> + 'a;

impl Searched<'_> {
    /// The rankings of questions, whose vectors are given if they have some.
    pub(super) fn rank(&self, questions: &[Question], vectors: &[Vec<f32>]) -> Result<Vec<Ranked>, Failure> {
        let options = self.searching.options(DEPTH, self.collection.is_corpus());
        let fingerprint = self.session.map_or("", |session| engine::Embedder::fingerprint(session));
        let mut all = Vec::with_capacity(questions.len());
        for (at, question) in questions.iter().enumerate() {
            let since = clock();
            let values = vectors.get(at).filter(|_| self.uses_vectors());
            let vector = values.map(|values| QueryVector { fingerprint, values });
            let mut hits = self.library.search(&question.text, vector, &options)?.hits;
            if let Some(n) = self.searching.filtered {
                let scores: Vec<f64> = hits.iter().take(n as usize).map(|hit| f64::from(hit.score)).collect();
                hits.truncate(ScoreFilter::default().kept(&scores));
            }
            let seconds = since().as_secs_f64();
            all.push(Ranked { id: question.id.clone(), found: self.found(&hits, question), seconds });
            if (at + 1).is_multiple_of(TICK) {
                note!("{}: {} of {} ranked", self.searching.name(), at + 1, questions.len());
            }
        }
        Ok(all)
    }

    fn uses_vectors(&self) -> bool {
        self.session.is_some() && self.searching.ranker != RankerName::Words
    }

    fn found(&self, hits: &[SearchHit], question: &Question) -> Vec<Found> {
        let found = |hit: &SearchHit| Found {
            places: self.collection.places(&hit.location, &question.judged),
            document: self.collection.document(&hit.location),
            tokens: ApproximateTokens.count(&hit.text),
            score: f64::from(hit.score),
        };
        hits.iter().map(found).collect()
    }

    /// The answers to questions under a row, `at_a_time` of them in step; `carry` is asked only if a model reads.
    pub(super) fn answer(
        &self,
        (row, table): (&Row, &Table),
        questions: &[Question],
        at_a_time: usize,
        carry: &mut Carry<'_>,
    ) -> Result<Vec<Answered>, Failure> {
        let mut answers = Vec::with_capacity(questions.len());
        for some in questions.chunks(at_a_time.max(1)) {
            let opened = some.iter().map(|question| self.open(row, table, question));
            let mut open: Vec<Open<'_>> = opened.collect::<Result<_, Failure>>()?;
            loop {
                open.iter_mut().try_for_each(|one| self.advance(one))?;
                let (due, requests): (Vec<usize>, Vec<Request>) =
                    open.iter().enumerate().filter_map(|(at, one)| Some((at, one.request()?))).unzip();
                if requests.is_empty() {
                    break;
                }
                for ((at, request), reply) in due.into_iter().zip(&requests).zip(carry(&requests)?) {
                    open.get_mut(at).into_iter().for_each(|one| one.take(request, &reply));
                }
            }
            answers.extend(open.into_iter().map(|one| self.close(one)));
            if answers.len() / TICK > (answers.len() - some.len()) / TICK || row.reader == Reader::Model {
                note!("{}: {} of {} answered", row.name, answers.len(), questions.len());
            }
        }
        Ok(answers)
    }

    fn open<'q>(&self, row: &Row, table: &Table, question: &'q Question) -> Result<Open<'q>, Failure> {
        let has_model = row.reader == Reader::Model;
        let k = engine::SearchOptions::for_answers().k;
        let ask = Ask {
            profile: row.profile(table)?,
            has_model,
            search: self.searching.options(k, self.collection.is_corpus()),
            ..Ask::new(&question.text)
        };
        let asking = self.library.asking_with(ask, row.answering());
        let answer = Answered {
            id: question.id.clone(),
            text: String::new(),
            sufficient: false,
            cited: Vec::new(),
            found: Vec::new(),
            read: Vec::new(),
            calls: 0,
            failed: 0,
            sent: 0,
            received: 0,
            seconds: 0.0,
        };
        Ok(Open { question, asking, answer, compares: table.compares && !has_model })
    }

    /// Searches until a model is needed or the answer is there.
    fn advance(&self, one: &mut Open<'_>) -> Result<(), Failure> {
        let since = clock();
        while let Some(query) = one.asking.query().map(str::to_owned) {
            let session = self.session.filter(|_| self.uses_vectors());
            let embedded = session.map(|session| embed_by(session, &query)).transpose()?;
            one.asking.search(embedded.as_ref().map(Embedded::as_query))?;
            if let (Some(comparison), Some(session)) = (one.asking.comparison(), session) {
                let matches =
                    if one.compares { crate::comparing::compare(session, &comparison)? } else { Vec::new() };
                one.asking.compared(&matches);
            }
        }
        one.answer.seconds += since().as_secs_f64();
        Ok(())
    }

    fn close(&self, one: Open<'_>) -> Answered {
        let Open { question, asking, answer, .. } = one;
        let since = clock();
        let found = asking.found();
        let read = found.iter().take(N_JUDGED).map(|hit| hit.text.clone()).collect();
        let finished = asking.finish();
        let cited = finished.own_citations().flat_map(|citation| {
            let places = self.collection.places(&citation.location, &question.judged);
            let document = self.collection.document(&citation.location);
            places.into_iter().map(move |place| (place, document.clone())).collect::<Vec<_>>()
        });
        Answered {
            text: without_marks(&finished.text),
            sufficient: finished.sufficient,
            cited: cited.collect(),
            found: self.found(&found, question),
            read,
            seconds: answer.seconds + since().as_secs_f64(),
            ..answer
        }
    }
}

/// A question that is being answered.
struct Open<'q> {
    question: &'q Question,
    asking: Asking,
    answer: Answered,
    compares: bool,
}

impl Open<'_> {
    fn request(&self) -> Option<Request> {
        match self.asking.need() {
            NextAction::Ask(request) => Some(request.clone()),
            NextAction::Search(_) | NextAction::Finish => None,
        }
    }

    /// Takes the reply to a request, or that there is none.
    fn take(&mut self, request: &Request, reply: &Result<Reply, Fault>) {
        let since = clock();
        self.answer.calls += 1;
        self.answer.sent += n_tokens(&request.chat());
        match reply {
            Ok(reply) => {
                self.answer.received += ApproximateTokens.count(&reply.text);
                self.asking.replied(reply);
            }
            Err(fault) => {
                self.answer.failed += 1;
                self.asking.failed(fault, false);
            }
        }
        self.answer.seconds += since().as_secs_f64();
    }
}
