//! Requests to a model, and their record in the trace.

use document::OrNever as _;

use super::state::{Machine, PendingRequest, RequestData, State};
use crate::prompt;
use crate::prompt_passage::PromptPassage;
use crate::request::{Message, Request, Step};
use crate::template;
use crate::trace::{Call, CallOutcome, Degraded};

impl Machine {
    /// Sends a request.
    pub(super) fn ask(
        &mut self,
        step: Step,
        messages: Vec<Message>,
        schema: Option<String>,
        data: RequestData,
    ) {
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
            sent: data.passages.iter().map(PromptPassage::sent).collect(),
            n_turns: prompt::n_turns(step, &self.context),
        };
        self.open(&request);
        self.state = State::Asking(Box::new(PendingRequest { request, data, is_retry: false }));
    }

    /// Sends a request again, with the unusable reply and the complaint about it.
    pub(super) fn ask_again(&mut self, pending: PendingRequest, reply: &str, complaint: &str) {
        let mut request = pending.request.clone();
        request.call = self.next_call();
        template::ask_again(&mut request.messages, reply, complaint);
        self.open(&request);
        self.state = State::Asking(Box::new(PendingRequest { request, is_retry: true, ..pending }));
    }

    /// Number of the next request, from 1.
    fn next_call(&self) -> u32 {
        u32::try_from(self.trace.calls.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Records a request in the trace.
    fn open(&mut self, request: &Request) {
        self.trace.calls.push(Call {
            call: request.call,
            step: request.step,
            endpoint: request.endpoint.clone(),
            model: request.model.clone(),
            prompt: template::version(prompt::file(request.step)).or_never("the version of a prompt"),
            n_sent: request.n_bytes(),
            n_received: 0,
            outcome: CallOutcome::Open,
            why: None,
        });
    }

    /// Records the outcome of a request in the trace.
    pub(super) fn close(
        &mut self,
        pending: &PendingRequest,
        n_received: usize,
        outcome: CallOutcome,
        why: Option<String>,
    ) {
        if let Some(call) = self.trace.calls.iter_mut().find(|call| call.call == pending.request.call) {
            call.n_received = n_received;
            call.outcome = outcome;
            call.why = why;
        }
    }

    /// Records that a step did not run as the profile says.
    pub(super) fn degrade(&mut self, step: Step, code: &str, call: Option<u32>, why: String) {
        self.trace.degraded.push(Degraded { step, code: code.to_owned(), call, why });
    }
}
