//! Answering as a machine without I/O: it says what it needs, a search or a reply of a model, and is fed it.
//!
//! ```text
//! question → [passage] → [rewrite] → search → [filter] → [extract] → read → [reflect] → answer
//!                                      ↑___________________________↑_________|
//! ```
//!
//! The browser, the command line and the tests drive the same code and get the same trace. Steps in brackets
//! are on or off by profile; without a model all of them are off and the answer is extracted. A reply that does not
//! fit is asked for once more with what is wrong; then its step is left out, and the answer says so: rewriting by
//! no rewrites, filtering by keeping all, extracting by the passages themselves, reading by extraction. Where a
//! prompt is longer than the model takes, half is sent to that model, and the answer says that too. Nothing a model or
//! a document says chooses a step, an endpoint, a model or a size: only the profile does.
//!
//! Bounds: at most two more rounds after the first answer, [`MAX_EXTRACTS`] extracting calls a round, two calls
//! a request, and three more of an answer where less is sent; sizes by the profile's budgets.

mod faults;

use std::collections::BTreeSet;

use document::TextRange;

use crate::ambiguity::several_cases;
use crate::answer::{Answer, Evidence, Note};
use crate::conflicts::conflicts;
use crate::corpus::Corpus;
use crate::extract;
use crate::extractive::{Options, extractive};
use crate::filter;
use crate::notes::notes;
use crate::outcome::{self, Author, Outcome};
use crate::parse::{Complaint, MAX_REPLY};
use crate::profile::{Profile, RewriteBy};
use crate::prompt::{self, Subject, Turn};
use crate::read::{self, Written};
use crate::reflect;
use crate::request::{Finish, Message, Reply, Request, Role, Step};
use crate::rewrite;
use crate::selection::{Found, Selection, evidence_of, within};
use crate::source::Source;
use crate::supporting::supporting_provisions;
use crate::trace::{
    CUT_AT_LENGTH, Call, CallOutcome, Degraded, PARTS_UNREAD, QUOTES_DROPPED, Trace, UNUSABLE,
};

/// Most extracting calls in a round.
const MAX_EXTRACTS: usize = 6;
/// Most bytes of an unusable reply that is shown to the model again.
const MAX_SHOWN_AGAIN: usize = 2_000;

/// What the machine needs next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need<'m> {
    /// A search for each of these, the first one foremost; answered with [`Machine::found`].
    Search(&'m [String]),
    /// A reply to this; answered with [`Machine::replied`] or [`Machine::failed`].
    Ask(&'m Request),
    /// Nothing: [`Machine::finish`] has the answer.
    Nothing,
}

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub asked: String,
    /// The same with the words of a glossary put in, where it has any for it.
    pub spelled_out: Option<String>,
    /// What was asked and answered before, oldest first.
    pub history: Vec<Turn>,
}

/// One question being answered.
#[derive(Clone, Debug)]
pub struct Machine {
    profile: Profile,
    options: Options,
    subject: Subject,
    /// What is asked first of a search: the question, without a model with what it refers to.
    query: String,
    /// With a model: the question in the words of the glossary, searched for beside its rewrites.
    spelled_out: Option<String>,
    state: State,
    /// What the first search found for the question itself: what sufficiency is judged by.
    evidence: Vec<Found>,
    /// With a model: what it found for the question in the words of the glossary.
    evidence_spelled_out: Vec<Found>,
    /// Without a model: what it found for each part of a question that asks several things.
    parts: Vec<Vec<Found>>,
    selection: Selection,
    /// The last answer, and what it was written from.
    written: Option<(Written, Vec<Source>)>,
    /// How many checks were of answers before the last.
    n_checks_before: usize,
    has_model: bool,
    /// The endpoint of each request that failed, and whether the next would too.
    faults: Vec<(Option<String>, bool)>,
    /// What models are sent that refused a prompt as too long.
    limits: Vec<Limit>,
    rounds_left: u32,
    trace: Trace,
}

/// How much a model is sent at the most.
#[derive(Clone, Debug)]
struct Limit {
    /// The endpoint and the model, as the profile names them.
    of: (Option<String>, Option<String>),
    /// Tokens of passages.
    n_tokens: u32,
}

#[derive(Clone, Debug)]
enum State {
    Searching(Vec<String>),
    Asking(Box<Asking>),
    Done,
}

/// A request that is out.
#[derive(Clone, Debug)]
struct Asking {
    request: Request,
    /// What it is about, to read the reply by.
    sources: Vec<Source>,
    /// What the passages of a filter stand for.
    passages: Vec<Found>,
    /// Extracting calls still to come.
    batches: Vec<Vec<Source>>,
    /// What was wrong with the answer before.
    feedback: Option<String>,
    is_retry: bool,
}

impl Machine {
    /// A machine for a question. Without a model it searches and extracts.
    pub fn new(question: Question, profile: Profile, has_model: bool, options: Options) -> Self {
        let Question { asked: question, spelled_out, history } = question;
        let question = question.trim();
        let glossary = profile.glossary.iter().map(|(term, words)| (term.clone(), words.join(", ")));
        let asked = question.to_lowercase();
        let subject = Subject {
            question: question.to_owned(),
            rewrites: Vec::new(),
            history,
            glossary: glossary.filter(|(term, _)| asked.contains(&term.to_lowercase())).collect(),
        };
        let rounds_left = if profile.steps.reflect.on { profile.steps.reflect.rounds } else { 0 };
        let plain = spelled_out.as_deref().unwrap_or(question);
        let query = if has_model {
            question.to_owned()
        } else {
            crate::followup::in_context(plain, &subject.history)
        };
        let mut machine = Self {
            profile,
            options,
            query,
            spelled_out: spelled_out.filter(|_| has_model),
            subject,
            state: State::Done,
            evidence: Vec::new(),
            evidence_spelled_out: Vec::new(),
            parts: Vec::new(),
            selection: Selection::default(),
            written: None,
            n_checks_before: 0,
            has_model,
            faults: Vec::new(),
            limits: Vec::new(),
            rounds_left,
            trace: Trace::default(),
        };
        if !has_model {
            let mut queries = vec![machine.query.clone()];
            queries.extend(crate::question::asked_in_parts(&machine.query));
            machine.search(queries);
        } else if machine.profile.steps.rewrite.by == RewriteBy::Passage && machine.runs(Step::Passage) {
            let messages = rewrite::passage_prompt(&machine.profile, &machine.subject);
            machine.ask(Step::Passage, messages, None, Asked::default());
        } else {
            machine.rewrite();
        }
        machine
    }

    /// What it needs now.
    pub fn need(&self) -> Need<'_> {
        match &self.state {
            State::Searching(queries) => Need::Search(queries),
            State::Asking(asking) => Need::Ask(&asking.request),
            State::Done => Need::Nothing,
        }
    }

    /// The question as it is understood so far, and what is known of how the answer comes about.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Takes what the searches found, best first: for the first query, for each of the others, and all of it in one
    /// list. Does nothing when no search is asked for.
    pub fn found(
        &mut self,
        corpus: &dyn Corpus,
        question: &[Found],
        parts: &[Vec<Found>],
        together: &[Found],
    ) {
        if !matches!(self.state, State::Searching(_)) {
            return;
        }
        self.state = State::Done;
        if self.evidence.is_empty() {
            self.evidence = question.to_vec();
            if !self.has_model {
                self.parts = parts.to_vec();
            } else if self.spelled_out.is_some() {
                // It is the second query of the first search.
                self.evidence_spelled_out = parts.first().cloned().unwrap_or_default();
            }
        }
        let new = self.selection.take_new(together, self.profile.retrieval.found as usize);
        self.trace.retrieved = self.selection.found.iter().map(Found::key).collect();
        if !self.runs(Step::Read) || self.selection.found.is_empty() {
            return;
        }
        self.filter(corpus, new);
    }

    /// Takes a reply. Does nothing when none is asked for.
    pub fn replied(&mut self, corpus: &dyn Corpus, reply: &Reply) {
        let State::Asking(asking) = std::mem::replace(&mut self.state, State::Done) else { return };
        let end = reply.text.floor_char_boundary(MAX_REPLY);
        let text = reply.text.get(..end).unwrap_or_default();
        match self.read_reply(&asking, text) {
            Ok(next) => {
                self.close(&asking, text.len(), CallOutcome::Used, None);
                if asking.request.step == Step::Read && reply.finish == Finish::Length {
                    let why = "the answer was cut at the maximum length".to_owned();
                    self.degrade(Step::Read, CUT_AT_LENGTH, Some(asking.request.call), why);
                }
                self.go(corpus, next);
            }
            Err(complaint) => {
                let complaint = match reply.finish {
                    Finish::Length => {
                        format!("it was cut off at {} tokens: {complaint}", asking.request.max_tokens)
                    }
                    _ => complaint,
                };
                self.close(&asking, text.len(), CallOutcome::Unusable, Some(complaint.clone()));
                if asking.is_retry {
                    let why = format!("the model's reply could not be used: {complaint}");
                    self.degrade(asking.request.step, UNUSABLE, Some(asking.request.call), why);
                    self.without(corpus, &asking);
                } else {
                    self.ask_again(*asking, text, &complaint);
                }
            }
        }
    }

    /// The answer. A machine that still needs something answers from what it has.
    pub fn finish(mut self, corpus: &dyn Corpus) -> Outcome {
        self.trace.question = self.subject.question.clone();
        self.trace.rewrites = self.subject.rewrites.clone();
        let language = self.subject.language();
        // Where nothing was written, the words of the glossary help as they do without a model.
        let spelled_out = self.spelled_out.as_ref().filter(|_| self.written.is_none());
        let (asked, found) = match spelled_out {
            Some(spelled_out) if !self.evidence_spelled_out.is_empty() => {
                (spelled_out, &self.evidence_spelled_out)
            }
            _ if self.has_model => (&self.subject.question, &self.evidence),
            _ => (&self.query, &self.evidence),
        };
        let evidence = evidence_of(corpus, found);
        let parts: Vec<Vec<Evidence<'_>>> =
            self.parts.iter().map(|found| evidence_of(corpus, found)).collect();
        let extracted = extractive(asked, &evidence, &parts, corpus, &self.options);
        let mut checks = self.trace.reflection.iter().skip(self.n_checks_before);
        let is_founded = checks.next_back().is_none_or(|verdict| verdict.grounded);
        let (answer, by) = match self.written {
            Some((Written::Answer(text), sources)) => {
                let answer = outcome::pinned(corpus, &text, &sources, extracted);
                (if is_founded { answer } else { outcome::unfounded(answer, language) }, Author::Model)
            }
            Some((Written::Refusal, _)) => {
                (outcome::refused(extracted, self.profile.refusal(language)), Author::Model)
            }
            None => (extracted, Author::Extraction),
        };
        Outcome { answer: complete(answer, asked, &evidence, corpus), by, trace: self.trace }
    }

    fn degrade(&mut self, step: Step, code: &str, call: Option<u32>, why: String) {
        self.trace.degraded.push(Degraded { step, code: code.to_owned(), call, why });
    }

    /// The question in all its words.
    fn queries(&self) -> Vec<String> {
        let mut queries = vec![self.subject.question.clone()];
        queries.extend(self.spelled_out.iter().cloned());
        queries.extend(self.subject.rewrites.iter().cloned());
        queries
    }

    fn search(&mut self, queries: Vec<String>) {
        self.trace.queries.push(queries.clone());
        self.state = State::Searching(queries);
    }

    fn rewrite(&mut self) {
        self.note_left_out(Step::Rewrite);
        if !self.runs(Step::Rewrite) {
            return self.search(self.queries());
        }
        let count = self.profile.steps.rewrite.count;
        let passage = self.trace.passage.clone();
        let messages = rewrite::prompt(&self.profile, &self.subject, count, passage.as_deref());
        self.ask(Step::Rewrite, messages, Some(rewrite::schema(count)), Asked::default());
    }

    /// Asks which of the passages found in this round bear on the question.
    fn filter(&mut self, corpus: &dyn Corpus, new: Vec<Found>) {
        let (passages, sources) = within(corpus, &new, self.context(Step::Filter));
        self.note_left_out(Step::Filter);
        if !self.runs(Step::Filter) || sources.is_empty() {
            self.selection.kept.extend(passages);
            return self.extract(corpus);
        }
        let messages = filter::prompt(&self.profile, &self.subject, &sources);
        let schema = filter::schema(sources.len());
        let asked = Asked { sources, passages, ..Asked::default() };
        self.ask(Step::Filter, messages, Some(schema), asked);
    }

    /// Asks for quotations from what stands around the passages kept.
    fn extract(&mut self, corpus: &dyn Corpus) {
        self.trace.kept = self.selection.kept.iter().map(Found::key).collect();
        self.note_left_out(Step::Extract);
        let context = self.context(Step::Extract);
        if !self.runs(Step::Extract) {
            return self.read(corpus, None);
        }
        let mut batches = self.selection.batches(corpus, &self.profile, context);
        if batches.len() > MAX_EXTRACTS {
            let dropped = batches.len() - MAX_EXTRACTS;
            let why = format!("{dropped} parts of long passages were not read");
            self.degrade(Step::Extract, PARTS_UNREAD, None, why);
            batches.truncate(MAX_EXTRACTS);
        }
        batches.reverse();
        self.extract_next(corpus, batches);
    }

    fn extract_next(&mut self, corpus: &dyn Corpus, mut batches: Vec<Vec<Source>>) {
        let Some(sources) = batches.pop().filter(|_| self.runs(Step::Extract)) else {
            return self.read(corpus, None);
        };
        let messages = extract::prompt(&self.profile, &self.subject, &sources);
        let schema = extract::schema(sources.len());
        let asked = Asked { sources, batches, ..Asked::default() };
        self.ask(Step::Extract, messages, Some(schema), asked);
    }

    /// Asks for the answer.
    fn read(&mut self, corpus: &dyn Corpus, feedback: Option<&str>) {
        self.trace.extracts = self.selection.extracts.clone();
        let sources = self.selection.for_reader(corpus, self.context(Step::Read));
        if !self.runs(Step::Read) || sources.is_empty() {
            return;
        }
        let messages = read::prompt(&self.profile, &self.subject, &sources, feedback);
        let feedback = feedback.map(str::to_owned);
        self.ask(Step::Read, messages, None, Asked { sources, feedback, ..Asked::default() });
    }

    fn reflect(&mut self) {
        if matches!(self.written, Some((Written::Answer(_), _))) {
            self.note_left_out(Step::Reflect);
        }
        let Some((Written::Answer(answer), sources)) = &self.written else { return };
        if !self.runs(Step::Reflect) {
            return;
        }
        let checks = outcome::objections(answer, sources);
        let messages = reflect::prompt(&self.profile, &self.subject, sources, answer, &checks);
        let asked = Asked { sources: sources.clone(), ..Asked::default() };
        self.ask(Step::Reflect, messages, Some(reflect::SCHEMA.to_owned()), asked);
    }

    fn ask(&mut self, step: Step, messages: Vec<Message>, schema: Option<String>, asked: Asked) {
        let (endpoint, model) = self.profile.endpoint(step);
        let budgets = &self.profile.budgets;
        let request = Request {
            call: self.next_call(),
            step,
            endpoint,
            model,
            messages,
            max_tokens: if step == Step::Read { budgets.answer } else { budgets.reply },
            temperature: 0.0,
            schema,
            sent: asked.sources.iter().map(Source::sent).collect(),
        };
        self.open(&request);
        let Asked { sources, passages, batches, feedback } = asked;
        let asking = Asking { request, sources, passages, batches, feedback, is_retry: false };
        self.state = State::Asking(Box::new(asking));
    }

    fn ask_again(&mut self, asking: Asking, reply: &str, complaint: &str) {
        let mut request = asking.request.clone();
        request.call = self.next_call();
        let end = reply.floor_char_boundary(MAX_SHOWN_AGAIN);
        let said = reply.get(..end).filter(|said| !said.trim().is_empty()).unwrap_or("(nothing)");
        request.messages.push(Message { role: Role::Assistant, content: said.to_owned() });
        request.messages.push(Message { role: Role::User, content: prompt::retry(complaint) });
        self.open(&request);
        self.state = State::Asking(Box::new(Asking { request, is_retry: true, ..asking }));
    }

    fn next_call(&self) -> u32 {
        u32::try_from(self.trace.calls.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    fn open(&mut self, request: &Request) {
        self.trace.calls.push(Call {
            call: request.call,
            step: request.step,
            endpoint: request.endpoint.clone(),
            model: request.model.clone(),
            prompt: prompt::version(prompt::file(request.step)).unwrap_or(0),
            n_sent: request.n_bytes(),
            n_received: 0,
            outcome: CallOutcome::Open,
            why: None,
        });
    }

    fn close(&mut self, asking: &Asking, n_received: usize, outcome: CallOutcome, why: Option<String>) {
        if let Some(call) = self.trace.calls.iter_mut().find(|call| call.call == asking.request.call) {
            call.n_received = n_received;
            call.outcome = outcome;
            call.why = why;
        }
    }

    /// Reads a reply into what follows from it. Changes nothing when it does not fit.
    fn read_reply(&mut self, asking: &Asking, text: &str) -> Result<Next, Complaint> {
        let language = self.subject.language();
        match asking.request.step {
            Step::Passage => {
                self.trace.passage = Some(rewrite::read_passage(text, language)?);
                Ok(Next::Rewrite)
            }
            Step::Rewrite => {
                let count = self.profile.steps.rewrite.count;
                let is_follow_up = !self.subject.history.is_empty();
                let rewritten = rewrite::read(text, &self.subject.question, is_follow_up, count)?;
                if let Some(question) = rewritten.question {
                    self.subject.question = question;
                }
                if self.profile.steps.rewrite.by != RewriteBy::Off {
                    self.subject.rewrites = rewritten.rewrites;
                }
                Ok(Next::Search)
            }
            Step::Filter => {
                let verdicts = filter::read(text, asking.passages.len())?;
                let kept = asking.passages.iter().zip(verdicts).filter(|(_, keep)| *keep);
                self.selection.kept.extend(kept.map(|(found, _)| *found));
                Ok(Next::Extract)
            }
            Step::Extract => {
                let extracts = extract::read(text, &asking.sources)?;
                if extracts.n_dropped > 0 {
                    let n = extracts.n_dropped;
                    let why = format!("{n} quotations are not in the text and were dropped");
                    self.degrade(Step::Extract, QUOTES_DROPPED, Some(asking.request.call), why);
                }
                for (at, source) in asking.sources.iter().enumerate() {
                    let quoted = extracts.found.iter().filter(|(of, _)| *of == at);
                    let mut ranges: Vec<TextRange> =
                        quoted.flat_map(|&(_, range)| source.origin(range)).collect();
                    ranges.sort_unstable();
                    if !ranges.is_empty() {
                        self.selection.extracts.push((source.document, ranges));
                    }
                }
                Ok(Next::Rest(asking.batches.clone()))
            }
            Step::Read => {
                let sources = &asking.sources;
                let written = read::read(text, &self.profile, language, sources.len())?;
                self.trace.selected =
                    sources.iter().map(|source| (source.document, source.ranges().collect())).collect();
                self.written = Some((written, sources.clone()));
                self.n_checks_before = self.trace.reflection.len();
                Ok(Next::Reflect)
            }
            Step::Reflect => {
                self.trace.reflection.push(reflect::read(text)?);
                Ok(Next::Judge)
            }
        }
    }

    fn go(&mut self, corpus: &dyn Corpus, next: Next) {
        match next {
            Next::Rewrite => self.rewrite(),
            Next::Search => self.search(self.queries()),
            Next::Extract => self.extract(corpus),
            Next::Rest(batches) => self.extract_next(corpus, batches),
            Next::Reflect => self.reflect(),
            Next::Judge => self.judge(corpus),
        }
    }

    /// Another round where the check failed and one is left.
    fn judge(&mut self, corpus: &dyn Corpus) {
        let Some(verdict) = self.trace.reflection.last().cloned() else { return };
        if verdict.passes() || self.rounds_left == 0 {
            return;
        }
        self.rounds_left -= 1;
        let searched: BTreeSet<&String> = self.trace.queries.iter().flatten().collect();
        let missing: Vec<String> =
            verdict.missing.iter().filter(|question| !searched.contains(question)).cloned().collect();
        if verdict.grounded && verdict.consistent && !missing.is_empty() {
            return self.search(missing);
        }
        let mut feedback = match verdict.problem.as_str() {
            "" if verdict.grounded && verdict.consistent => {
                "it left out something that the passages say".to_owned()
            }
            "" => "it is not borne out by the passages".to_owned(),
            problem => problem.to_owned(),
        };
        if let Some((Written::Answer(answer), sources)) = &self.written {
            for objection in outcome::objections(answer, sources) {
                feedback.push_str("; ");
                feedback.push_str(&objection);
            }
        }
        self.read(corpus, Some(&feedback));
    }
}

/// The answer with the provisions that it refers to, its conflicts and its remarks.
fn complete(answer: Answer, question: &str, evidence: &[Evidence<'_>], corpus: &dyn Corpus) -> Answer {
    let citations = &answer.citations;
    let conflicts = conflicts(citations, evidence);
    let mut notes = notes(citations, evidence, corpus);
    if !answer.sufficient {
        return Answer { conflicts, notes, ..answer };
    }
    let supporting = supporting_provisions(question, citations, corpus);
    let cases = several_cases(question, citations, corpus);
    notes.extend((!cases.is_empty()).then_some(Note::SeveralCases { citations: cases }));
    Answer { supporting, conflicts, notes, ..answer }
}

/// What goes with a request.
#[derive(Default)]
struct Asked {
    sources: Vec<Source>,
    passages: Vec<Found>,
    batches: Vec<Vec<Source>>,
    feedback: Option<String>,
}

/// What follows from a reply.
enum Next {
    Rewrite,
    Search,
    Extract,
    Rest(Vec<Vec<Source>>),
    Reflect,
    Judge,
}
