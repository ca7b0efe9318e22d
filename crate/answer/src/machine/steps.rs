//! The steps in order: rewrite, search, filter, extract, read, reflect, judge.

use std::collections::BTreeSet;

use super::replies::Next;
use super::state::{Machine, RequestData, State};
use crate::corpus::Corpus;
use crate::extract;
use crate::filter;
use crate::pinning;
use crate::prompt::{self, AnswerFault};
use crate::read::{self, Written};
use crate::reflect;
use crate::request::Step;
use crate::rewrite;
use crate::selection::{FoundPassage, Selection, within};
use crate::trace::{Call, CallOutcome, PARTS_UNREAD};

/// Maximum extraction requests per round.
const MAX_EXTRACTS: usize = 6;

impl Machine {
    /// Takes the step that follows a reply.
    pub(super) fn proceed(&mut self, corpus: &dyn Corpus, next: Next) {
        match next {
            Next::Rewrite => self.rewrite(),
            Next::Search => self.search(self.queries()),
            Next::Extract => self.extract(corpus),
            Next::ExtractRest(data) => self.extract_next(corpus, data),
            Next::Reflect => self.reflect(),
            Next::Judge => self.judge(corpus),
        }
    }

    /// The question, the expanded question and the rewrites.
    pub(super) fn queries(&self) -> Vec<String> {
        let mut queries = vec![self.context.question.text().to_owned()];
        queries.extend(self.expanded.iter().cloned());
        queries.extend(self.context.rewrites.iter().cloned());
        queries
    }

    /// Searches for these queries.
    pub(super) fn search(&mut self, queries: Vec<String>) {
        self.trace.queries.push(queries.clone());
        self.state = State::Searching(queries);
    }

    /// Asks for rewrites of the question.
    pub(super) fn rewrite(&mut self) {
        self.note_left_out(Step::Rewrite);
        if !self.runs(Step::Rewrite) {
            return self.search(self.queries());
        }
        let count = self.profile.steps.rewrite.count;
        let passage = self.trace.passage.clone();
        let messages = rewrite::prompt(&self.profile, &self.context, count, passage.as_deref());
        self.ask(Step::Rewrite, messages, Some(rewrite::schema(count)), RequestData::default());
    }

    /// Asks which of the passages found in this round bear on the question, or at once for quotations from them.
    pub(super) fn filter(&mut self, corpus: &dyn Corpus, new: Vec<FoundPassage>) {
        self.note_left_out(Step::Filter);
        if self.filters_by_extracting() {
            let budget = self.context_tokens(Step::Extract);
            let passages = Selection::gathered(corpus, &self.profile, &new, budget);
            let data = RequestData { found: new, batches: vec![passages], ..RequestData::default() };
            return self.extract_next(corpus, data);
        }
        let (found, passages) = within(corpus, &new, self.context_tokens(Step::Filter));
        if !self.runs(Step::Filter) || passages.is_empty() {
            self.selection.kept.extend(found);
            return self.extract(corpus);
        }
        let messages = filter::prompt(&self.profile, &self.context, &passages);
        let schema = filter::schema(passages.len());
        let data = RequestData { passages, found, ..RequestData::default() };
        self.ask(Step::Filter, messages, Some(schema), data);
    }

    /// True if the passages found are quoted from without a filter before: no other model is to choose among them.
    pub(super) fn filters_by_extracting(&self) -> bool {
        let endpoint = |step| self.profile.endpoint(step);
        self.runs(Step::Extract)
            && (!self.runs(Step::Filter) || endpoint(Step::Filter) == endpoint(Step::Extract))
    }

    /// Asks for quotations from the text around the passages kept.
    pub(super) fn extract(&mut self, corpus: &dyn Corpus) {
        self.note_left_out(Step::Extract);
        if !self.runs(Step::Extract) {
            return self.read(corpus, None);
        }
        let n_tokens = self.context_tokens(Step::Extract);
        let mut batches = self.selection.batches(corpus, &self.profile, n_tokens);
        if batches.len() > MAX_EXTRACTS {
            let why = format!("{} parts of long passages were not read", batches.len() - MAX_EXTRACTS);
            self.degrade(Step::Extract, PARTS_UNREAD, None, why);
            batches.truncate(MAX_EXTRACTS);
        }
        batches.reverse();
        self.extract_next(corpus, RequestData { batches, ..RequestData::default() });
    }

    /// Asks for quotations from the last batch of these.
    pub(super) fn extract_next(&mut self, corpus: &dyn Corpus, mut data: RequestData) {
        let last = data.batches.pop().filter(|passages| !passages.is_empty() && self.runs(Step::Extract));
        let Some(passages) = last else {
            return self.read(corpus, None);
        };
        let messages = extract::prompt(&self.profile, &self.context, &passages);
        let schema = extract::schema(passages.len());
        self.ask(Step::Extract, messages, Some(schema), RequestData { passages, ..data });
    }

    /// Asks for the answer, unless nothing bears on the question or the last answer was written from the same passages.
    pub(super) fn read(&mut self, corpus: &dyn Corpus, feedback: Option<&str>) {
        self.trace.kept = self.selection.kept.iter().map(FoundPassage::key).collect();
        self.trace.extracts = self.selection.extracts.clone();
        if !self.runs(Step::Read) {
            return;
        }
        if self.selection.is_empty() {
            return self.find_or_refuse();
        }
        let passages = self.selection.for_reader(corpus, self.context_tokens(Step::Read));
        let is_same = self.written.as_ref().is_some_and(|(_, of)| *of == passages);
        if passages.is_empty() || is_same && feedback.is_none() {
            return;
        }
        let messages = read::prompt(&self.profile, &self.context, &passages, feedback);
        let feedback = feedback.map(str::to_owned);
        self.ask(Step::Read, messages, None, RequestData { passages, feedback, ..RequestData::default() });
    }

    /// Nothing that was found bears on the question: searches once more, in the words of the rewrites alone, else says
    /// that the documents do not say. Where no model could say so, the answer is extracted.
    fn find_or_refuse(&mut self) {
        let is_judged = |call: &Call| {
            matches!(call.step, Step::Filter | Step::Extract) && call.outcome == CallOutcome::Used
        };
        if !self.trace.calls.iter().any(is_judged) {
            return;
        }
        if self.trace.queries.len() == 1 && self.rounds_left > 0 && !self.context.rewrites.is_empty() {
            self.rounds_left -= 1;
            return self.search(self.context.rewrites.clone());
        }
        self.written = Some((Written::Refusal, Vec::new()));
    }

    /// Asks for a check of the answer.
    fn reflect(&mut self) {
        if matches!(self.written, Some((Written::Answer(_), _))) {
            self.note_left_out(Step::Reflect);
        }
        let Some((Written::Answer(answer), passages)) = &self.written else { return };
        if !self.runs(Step::Reflect) {
            return;
        }
        let checks = pinning::objections(answer, passages);
        let messages = reflect::prompt(&self.profile, &self.context, passages, answer, &checks);
        let data = RequestData { passages: passages.clone(), ..RequestData::default() };
        self.ask(Step::Reflect, messages, Some(reflect::SCHEMA.to_owned()), data);
    }

    /// Starts another round if the check failed and a round is left.
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
            self.context.missing.clone_from(&missing);
            return self.search(missing);
        }
        let mut feedback = match verdict.problem.as_str() {
            "" if verdict.grounded && verdict.consistent => prompt::feedback(AnswerFault::Incomplete),
            "" => prompt::feedback(AnswerFault::Unsupported),
            problem => problem,
        }
        .to_owned();
        if let Some((Written::Answer(answer), passages)) = &self.written {
            for objection in pinning::objections(answer, passages) {
                feedback.push_str("; ");
                feedback.push_str(&objection);
            }
        }
        self.read(corpus, Some(&feedback));
    }
}
