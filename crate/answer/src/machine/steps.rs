//! The steps in order: rewrite, search, filter, extract, read, reflect, judge.

use std::collections::BTreeSet;

use super::replies::Next;
use super::state::{Machine, RequestData, State};
use crate::corpus::Corpus;
use crate::extract;
use crate::filter;
use crate::pinning;
use crate::prompt::{self, AnswerFault};
use crate::prompt_passage::PromptPassage;
use crate::read::{self, Written};
use crate::reflect;
use crate::request::Step;
use crate::rewrite;
use crate::selection::{FoundPassage, within};
use crate::trace::PARTS_UNREAD;

/// Maximum extraction requests per round.
const MAX_EXTRACTS: usize = 6;

impl Machine {
    /// Takes the step that follows a reply.
    pub(super) fn proceed(&mut self, corpus: &dyn Corpus, next: Next) {
        match next {
            Next::Rewrite => self.rewrite(),
            Next::Search => self.search(self.queries()),
            Next::Extract => self.extract(corpus),
            Next::ExtractRest(batches) => self.extract_next(corpus, batches),
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

    /// Asks which of the passages found in this round bear on the question.
    pub(super) fn filter(&mut self, corpus: &dyn Corpus, new: Vec<FoundPassage>) {
        let (found, passages) = within(corpus, &new, self.context_tokens(Step::Filter));
        self.note_left_out(Step::Filter);
        if !self.runs(Step::Filter) || passages.is_empty() {
            self.selection.kept.extend(found);
            return self.extract(corpus);
        }
        let messages = filter::prompt(&self.profile, &self.context, &passages);
        let schema = filter::schema(passages.len());
        let data = RequestData { passages, found, ..RequestData::default() };
        self.ask(Step::Filter, messages, Some(schema), data);
    }

    /// Asks for quotations from the text around the passages kept.
    pub(super) fn extract(&mut self, corpus: &dyn Corpus) {
        self.trace.kept = self.selection.kept.iter().map(FoundPassage::key).collect();
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
        self.extract_next(corpus, batches);
    }

    /// Asks for quotations from the last of these batches.
    pub(super) fn extract_next(&mut self, corpus: &dyn Corpus, mut batches: Vec<Vec<PromptPassage>>) {
        let Some(passages) = batches.pop().filter(|_| self.runs(Step::Extract)) else {
            return self.read(corpus, None);
        };
        let messages = extract::prompt(&self.profile, &self.context, &passages);
        let schema = extract::schema(passages.len());
        let data = RequestData { passages, batches, ..RequestData::default() };
        self.ask(Step::Extract, messages, Some(schema), data);
    }

    /// Asks for the answer.
    pub(super) fn read(&mut self, corpus: &dyn Corpus, feedback: Option<&str>) {
        self.trace.extracts = self.selection.extracts.clone();
        let passages = self.selection.for_reader(corpus, self.context_tokens(Step::Read));
        if !self.runs(Step::Read) || passages.is_empty() {
            return;
        }
        let messages = read::prompt(&self.profile, &self.context, &passages, feedback);
        let feedback = feedback.map(str::to_owned);
        self.ask(Step::Read, messages, None, RequestData { passages, feedback, ..RequestData::default() });
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
