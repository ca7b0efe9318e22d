//! When no reply comes: whether an endpoint is asked again, with less where the model takes no more, and how the
//! answer goes on without it.

use super::state::{Limit, Machine, PendingRequest, RequestData, State};
use crate::corpus::Corpus;
use crate::profile::RewriteBy;
use crate::prompt_passage::PromptPassage;
use crate::request::{Fault, Step, TOO_LONG};
use crate::trace::{CallOutcome, FAILED_BEFORE, SENT_LESS};

/// Faults of one endpoint that pass, after which it is not asked again in this answer.
const MAX_FAULTS: usize = 2;
/// How often less is sent because the model takes no more, each time half, and the least tokens of it.
const MAX_SHORTER: usize = 3;
const MIN_CONTEXT: u32 = 200;

impl Machine {
    /// Takes that no reply came. `lasts` says that another request to the endpoint would fail too. Does nothing
    /// when no reply is asked for.
    pub fn failed(&mut self, corpus: &dyn Corpus, fault: &Fault, lasts: bool) {
        let State::Asking(pending) = std::mem::replace(&mut self.state, State::Done) else { return };
        self.close(&pending, 0, CallOutcome::Failed, Some(fault.message.clone()));
        let Some(pending) = self.shorter(corpus, *pending, fault) else { return };
        // An endpoint that takes less than this step sends may take what another does.
        if fault.code != TOO_LONG {
            self.faults.push((pending.request.endpoint.clone(), lasts));
        }
        self.degrade(pending.request.step, &fault.code, Some(pending.request.call), fault.message.clone());
        self.without(corpus, &pending);
    }

    /// Whether a step asks a model: there is one, the profile wants it and its endpoint answers.
    pub(super) fn runs(&self, step: Step) -> bool {
        let (endpoint, _) = self.profile.endpoint(step);
        let mut faults = self.faults.iter().filter(|(of, _)| *of == endpoint);
        let is_down = faults.clone().any(|&(_, lasts)| lasts) || faults.nth(MAX_FAULTS - 1).is_some();
        // Rewrites, choices and quotations are for a reader: without one they are not asked for.
        self.is_wanted(step) && !is_down && (step == Step::Read || self.runs(Step::Read))
    }

    /// Whether there is a model and the profile wants the step.
    fn is_wanted(&self, step: Step) -> bool {
        let steps = &self.profile.steps;
        let is_on = match step {
            Step::Passage | Step::Rewrite => {
                steps.rewrite.by != RewriteBy::Off || !self.context.history.is_empty()
            }
            Step::Filter => steps.filter.on,
            Step::Extract => steps.extract.on,
            Step::Read => steps.read.on,
            Step::Reflect => steps.reflect.on,
        };
        self.has_model && is_on
    }

    /// The most tokens of passages that a step is sent: the profile's, or less where its model has refused that.
    pub(super) fn context_tokens(&self, step: Step) -> u32 {
        let of = self.profile.endpoint(step);
        let limits = self.limits.iter().filter(|limit| limit.of == of).map(|limit| limit.n_tokens);
        limits.fold(self.profile.budgets.context, u32::min)
    }

    /// Asks with half as much where the fault is that the prompt is too long; else gives the request back.
    fn shorter(
        &mut self,
        corpus: &dyn Corpus,
        pending: PendingRequest,
        fault: &Fault,
    ) -> Option<PendingRequest> {
        let n_sent: usize = pending.data.passages.iter().map(PromptPassage::n_tokens).sum();
        let n_sent = u32::try_from(n_sent).unwrap_or(u32::MAX);
        let half = self.context_tokens(pending.request.step).min(n_sent) / 2;
        let is_possible = match pending.request.step {
            Step::Filter | Step::Read => half >= MIN_CONTEXT,
            Step::Extract => pending.data.passages.len() > 1,
            Step::Passage | Step::Rewrite | Step::Reflect => false,
        };
        if fault.code != TOO_LONG || !is_possible || self.limits.len() >= MAX_SHORTER {
            return Some(pending);
        }
        let step = pending.request.step;
        self.limits.push(Limit { of: self.profile.endpoint(step), n_tokens: half.max(MIN_CONTEXT) });
        if !self.trace.degraded.iter().any(|degraded| degraded.step == step) {
            let why = "the model takes less than the profile sends: it was sent less".to_owned();
            self.degrade(step, SENT_LESS, Some(pending.request.call), why);
        }
        match step {
            Step::Extract => {
                let RequestData { mut passages, mut batches, .. } = pending.data;
                batches.push(passages.split_off(passages.len() / 2));
                batches.push(passages);
                self.extract_next(corpus, batches);
            }
            Step::Filter => self.filter(corpus, pending.data.found),
            _ => self.read(corpus, pending.data.feedback.as_deref()),
        }
        None
    }

    /// Notes that a step is left out because its endpoint failed before, where the answer is written all the same.
    pub(super) fn note_left_out(&mut self, step: Step) {
        if self.is_wanted(step) && self.runs(Step::Read) && !self.runs(step) {
            let noted = self.trace.degraded.iter().any(|degraded| degraded.step == step);
            if !noted {
                self.degrade(step, FAILED_BEFORE, None, "its endpoint had failed before".to_owned());
            }
        }
    }

    /// Goes on without the reply of a step.
    pub(super) fn without(&mut self, corpus: &dyn Corpus, pending: &PendingRequest) {
        match pending.request.step {
            Step::Passage => self.rewrite(),
            Step::Rewrite => self.search(self.queries()),
            Step::Filter => {
                self.selection.kept.extend(&pending.data.found);
                self.extract(corpus);
            }
            Step::Extract => self.extract_next(corpus, pending.data.batches.clone()),
            Step::Read | Step::Reflect => {}
        }
    }
}
