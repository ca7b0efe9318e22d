//! The answering machine, without I/O: it names its next action, a search or a request to a model, and takes the
//! result.
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
//! Where no other model is to filter, one request quotes from all passages found; what is quoted from is kept. Where
//! nothing is kept and nothing quoted, the rewrites are searched for alone, and then the answer is the refusal.
//!
//! Bounds: at most two more rounds after the first answer, six extraction requests a round, two calls
//! a request, and three more of an answer where less is sent; sizes by the profile's budgets.

mod complete;
mod faults;
mod replies;
mod requests;
mod state;
mod steps;
#[cfg(test)]
mod tests;

use document::Slice as _;

use crate::answer::Evidence;
use crate::corpus::Corpus;
use crate::extractive::{Options, extractive};
use crate::followup::in_context;
use crate::outcome::{Author, Outcome};
use crate::parse::{MAX_REPLY, head};
use crate::pinning;
use crate::profile::{Profile, RewriteMethod};
use crate::prompt::PromptContext;
use crate::question::QuestionAnalysis;
use crate::read::Written;
use crate::request::{Finish, Reply, Step};
use crate::rewrite;
use crate::selection::{FoundPassage, Selection, evidence_of};
use crate::similarities::Similarities;
use crate::trace::{CUT_AT_LENGTH, CallOutcome, Trace, UNUSABLE};
use complete::complete;
pub use state::{AskRequest, Machine, NextAction};
use state::{RequestData, State};

impl Machine {
    /// A machine for a question. Without a model it searches and extracts.
    pub fn new(request: AskRequest, profile: Profile, has_model: bool, options: Options) -> Self {
        let AskRequest { question: asked, expanded, concepts, history } = request;
        let asked = asked.trim();
        let glossary = profile.glossary.iter().map(|(term, words)| (term.clone(), words.join(", ")));
        let lower = asked.to_lowercase();
        let glossary = glossary.filter(|(term, _)| lower.contains(&term.to_lowercase())).collect();
        let question = if has_model {
            QuestionAnalysis::with_concepts(asked, &concepts)
        } else {
            let question = in_context(expanded.as_deref().unwrap_or(asked), &history);
            QuestionAnalysis::with_concepts(&question, &concepts)
        };
        let rounds_left = if profile.steps.reflect.on { profile.steps.reflect.rounds } else { 0 };
        let mut machine = Self {
            profile,
            options,
            context: PromptContext { question, history, glossary, ..PromptContext::default() },
            expanded: expanded.filter(|_| has_model),
            state: State::Done,
            evidence: Vec::new(),
            evidence_expanded: Vec::new(),
            parts: Vec::new(),
            similarities: Vec::new(),
            selection: Selection::default(),
            written: None,
            n_checks_before: 0,
            has_model,
            faults: Vec::new(),
            limits: Vec::new(),
            rounds_left,
            trace: Trace { question: asked.to_owned(), ..Trace::default() },
        };
        if !has_model {
            let question = &machine.context.question;
            let mut queries = vec![question.text().to_owned()];
            queries.extend(question.queries().iter().map(|query| query.text.clone()));
            machine.search(queries);
        } else if machine.profile.steps.rewrite.by == RewriteMethod::Passage && machine.runs(Step::Passage) {
            let messages = rewrite::passage_prompt(&machine.profile, &machine.context);
            machine.ask(Step::Passage, messages, None, RequestData::default());
        } else {
            machine.rewrite();
        }
        machine
    }

    /// The next action to take.
    pub fn next_action(&self) -> NextAction<'_> {
        match &self.state {
            State::Searching(queries) => NextAction::Search(queries),
            State::Asking(pending) => NextAction::Ask(&pending.request),
            State::Done => NextAction::Finish,
        }
    }

    /// The record of the answer so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Takes the similarities of what was compared, for each query of the search that is due, in order; before
    /// [`Self::found`].
    pub fn compared(&mut self, similarities: Vec<Similarities>) {
        self.similarities = similarities;
    }

    /// Takes search results, best first: those of the first query, those of each other query, and all in one list.
    /// Does nothing if no search is due.
    pub fn found(
        &mut self,
        corpus: &dyn Corpus,
        question: &[FoundPassage],
        parts: &[Vec<FoundPassage>],
        together: &[FoundPassage],
    ) {
        if !matches!(self.state, State::Searching(_)) {
            return;
        }
        self.state = State::Done;
        if self.evidence.is_empty() {
            self.evidence = question.to_vec();
            if !self.has_model {
                self.parts = parts.to_vec();
            } else if self.expanded.is_some() {
                // The expanded question is the second query of the first search.
                self.evidence_expanded = parts.first().cloned().unwrap_or_default();
            }
        }
        let n_found = self.profile.retrieval.found as usize;
        let together = together.slice(..self.n_in_score(together, n_found));
        let new = self.selection.take_new(together, n_found);
        self.trace.retrieved = self.selection.found.iter().map(FoundPassage::key).collect();
        if !self.runs(Step::Read) || self.selection.found.is_empty() {
            return;
        }
        self.filter(corpus, new);
    }

    /// Number of the best passages that the score filter leaves to a model, if it is on; an extracted answer applies the
    /// filter to its provisions.
    fn n_in_score(&self, together: &[FoundPassage], n_found: usize) -> usize {
        let best = together.iter().take(n_found);
        let scores = || best.map(|found| f64::from(found.score)).collect::<Vec<_>>();
        let filter = self.options.filter.filter(|_| self.has_model);
        filter.map_or(together.len(), |filter| filter.kept(&scores()))
    }

    /// Takes a reply. Does nothing if none is due.
    pub fn replied(&mut self, corpus: &dyn Corpus, reply: &Reply) {
        let State::Asking(pending) = std::mem::replace(&mut self.state, State::Done) else { return };
        let text = head(&reply.text, MAX_REPLY);
        let (step, call) = (pending.request.step, Some(pending.request.call));
        match self.read_reply(corpus, &pending, text) {
            Ok(next) => {
                self.close(&pending, text.len(), CallOutcome::Used, None);
                if step == Step::Read && reply.finish == Finish::Length {
                    let why = "the answer was cut at the maximum length".to_owned();
                    self.degrade(step, CUT_AT_LENGTH, call, why);
                }
                self.proceed(corpus, next);
            }
            Err(complaint) => {
                let complaint = match reply.finish {
                    Finish::Length => {
                        format!("it was cut off at {} tokens: {complaint}", pending.request.max_tokens)
                    }
                    _ => complaint,
                };
                self.close(&pending, text.len(), CallOutcome::Unusable, Some(complaint.clone()));
                if pending.is_retry {
                    let why = format!("the model's reply could not be used: {complaint}");
                    self.degrade(step, UNUSABLE, call, why);
                    self.without(corpus, &pending);
                } else {
                    self.ask_again(*pending, text, &complaint);
                }
            }
        }
    }

    /// The signals of sufficiency ([`crate::SIGNALS`]) of what the first search found for the question.
    pub fn signals(&self, corpus: &dyn Corpus) -> Vec<f64> {
        crate::sufficiency::signals(
            self.context.question.words(),
            &evidence_of(corpus, &self.evidence),
            self.similarities.first(),
            corpus,
        )
    }

    /// The answer. If an action is still due, the answer is made from what there is.
    pub fn finish(mut self, corpus: &dyn Corpus) -> Outcome {
        self.trace.rewrites = self.context.rewrites.clone();
        let language = self.context.question.language();
        // If no model wrote an answer, the glossary helps as it does without a model.
        let expanded = self.expanded.as_ref().filter(|_| self.written.is_none());
        let expanded = expanded.filter(|_| !self.evidence_expanded.is_empty());
        let (question, found) = match expanded {
            Some(expanded) => (&QuestionAnalysis::of(expanded), &self.evidence_expanded),
            None => (&self.context.question, &self.evidence),
        };
        let evidence = evidence_of(corpus, found);
        let parts: Vec<Vec<Evidence<'_>>> =
            self.parts.iter().map(|found| evidence_of(corpus, found)).collect();
        let extracted = extractive(question, &evidence, &parts, &self.similarities, corpus, &self.options);
        let mut verdicts = self.trace.reflection.iter().skip(self.n_checks_before);
        let is_grounded = verdicts.next_back().is_none_or(|verdict| verdict.grounded);
        let (answer, by) = match self.written {
            Some((Written::Answer(text), passages)) => {
                let answer = pinning::pinned(corpus, &text, &passages, extracted);
                (if is_grounded { answer } else { pinning::ungrounded(answer, language) }, Author::Model)
            }
            Some((Written::Refusal, _)) => {
                (pinning::refused(extracted, self.profile.refusal(language)), Author::Model)
            }
            None => (extracted, Author::Extraction),
        };
        Outcome { answer: complete(answer, question, &evidence, corpus), by, trace: self.trace }
    }
}
