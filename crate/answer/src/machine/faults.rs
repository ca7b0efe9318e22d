//! Failed requests: an endpoint is asked again with fewer passages if the prompt was too long; otherwise the answer
//! continues without the step.

use super::state::{Limit, Machine, PendingRequest, State};
use crate::corpus::Corpus;
use crate::profile::RewriteMethod;
use crate::prompt_passage::PromptPassage;
use crate::request::{Fault, Step, TOO_LONG};
use crate::trace::{CallOutcome, FAILED_BEFORE, SENT_LESS};

/// Transient faults of an endpoint after which it is not asked again in this answer.
const MAX_FAULTS: usize = 2;
/// Maximum times that the passages are halved for a model.
const MAX_SHORTER: usize = 3;
/// Minimum tokens of passages in a request.
const MIN_CONTEXT: u32 = 200;

impl Machine {
    /// Takes a failure instead of a reply. `lasts` is true if another request to the endpoint would fail too. Does
    /// nothing if no reply is due.
    pub fn failed(&mut self, corpus: &dyn Corpus, fault: &Fault, lasts: bool) {
        let State::Asking(pending) = std::mem::replace(&mut self.state, State::Done) else { return };
        self.close(&pending, 0, CallOutcome::Failed, Some(fault.message.clone()));
        let Some(pending) = self.shorter(corpus, *pending, fault) else { return };
        // An endpoint whose model takes less than this step sends may take what another step sends.
        if fault.code != TOO_LONG {
            self.faults.push((pending.request.endpoint.clone(), lasts));
        }
        self.degrade(pending.request.step, &fault.code, Some(pending.request.call), fault.message.clone());
        self.without(corpus, &pending);
    }

    /// True if a step asks a model: there is one, the profile wants the step and its endpoint answers.
    pub(super) fn runs(&self, step: Step) -> bool {
        let (endpoint, _) = self.profile.endpoint(step);
        let mut faults = self.faults.iter().filter(|(of, _)| *of == endpoint);
        let is_down = faults.clone().any(|&(_, lasts)| lasts) || faults.nth(MAX_FAULTS - 1).is_some();
        // The other steps serve the read step and are skipped without it.
        self.is_wanted(step) && !is_down && (step == Step::Read || self.runs(Step::Read))
    }

    /// True if there is a model and the profile wants the step.
    fn is_wanted(&self, step: Step) -> bool {
        let steps = &self.profile.steps;
        let is_on = match step {
            Step::Passage | Step::Rewrite => {
                steps.rewrite.by != RewriteMethod::Off || !self.context.history.is_empty()
            }
            Step::Filter => steps.filter.on,
            Step::Extract => steps.extract.on,
            Step::Read => steps.read.on,
            Step::Reflect => steps.reflect.on,
        };
        self.has_model && is_on
    }

    /// Maximum tokens of passages in a step's request: the profile's budget, or less if its model refused that.
    pub(super) fn context_tokens(&self, step: Step) -> u32 {
        let of = self.profile.endpoint(step);
        let limits = self.limits.iter().filter(|limit| limit.of == of).map(|limit| limit.n_tokens);
        limits.fold(self.profile.budgets.context, u32::min)
    }

    /// If the prompt was too long, asks with half the passages; else gives the request back.
    fn shorter(
        &mut self,
        corpus: &dyn Corpus,
        pending: PendingRequest,
        fault: &Fault,
    ) -> Option<PendingRequest> {
        let n_sent: usize = pending.data.passages.iter().map(PromptPassage::n_tokens).sum();
        let n_sent = u32::try_from(n_sent).unwrap_or(u32::MAX);
        let half = self.context_tokens(pending.request.step).min(n_sent) / 2;
        // Quotations from all that was found: fewer of them are sent, as to a filter.
        let is_at_once = !pending.data.found.is_empty();
        let is_possible = match pending.request.step {
            Step::Filter | Step::Read => half >= MIN_CONTEXT,
            Step::Extract if is_at_once => half >= MIN_CONTEXT,
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
            Step::Extract if !is_at_once => {
                let mut data = pending.data;
                let rest = data.passages.split_off(data.passages.len() / 2);
                data.batches.push(rest);
                data.batches.push(std::mem::take(&mut data.passages));
                self.extract_next(corpus, data);
            }
            Step::Filter | Step::Extract => self.filter(corpus, pending.data.found),
            _ => self.read(corpus, pending.data.feedback.as_deref()),
        }
        None
    }

    /// Records that a step is skipped because its endpoint failed before.
    pub(super) fn note_left_out(&mut self, step: Step) {
        if self.is_wanted(step) && self.runs(Step::Read) && !self.runs(step) {
            let noted = self.trace.degraded.iter().any(|degraded| degraded.step == step);
            if !noted {
                self.degrade(step, FAILED_BEFORE, None, "its endpoint had failed before".to_owned());
            }
        }
    }

    /// Continues without the reply of a step.
    pub(super) fn without(&mut self, corpus: &dyn Corpus, pending: &PendingRequest) {
        match pending.request.step {
            Step::Passage => self.rewrite(),
            Step::Rewrite => self.search(self.queries()),
            Step::Filter => {
                self.selection.kept.extend(&pending.data.found);
                self.extract(corpus);
            }
            Step::Extract => {
                self.selection.keep(|found| pending.data.found.contains(found));
                self.extract_next(corpus, pending.data.clone());
            }
            Step::Read | Step::Reflect => {}
        }
    }
}
