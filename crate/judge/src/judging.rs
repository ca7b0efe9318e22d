//! The judging machine, without I/O: it names the request that is due and takes its reply.
//!
//! ```text
//! claims:      claims of the reference → status of each in the answer → recall
//! repass:      [obligations] → inference → RePASs
//! others:      one request → label or points
//! ```

use answer::{MAX_REPLY, Reply, ask_again};
use evaluate::judged::{Coverage, Points};
use evaluate::repass::Repass;

use crate::criterion::Criterion;
use crate::item::Item;
use crate::repass::{Obligations, RepassTexts};
use crate::reply::Complaint;
use crate::request::JudgeRequest;
use crate::triple::Triple;
use crate::verdict::{Finding, Verdict};
use crate::{claims, connection, coverage, repass, score};

/// Longest reply of the judge, in tokens.
const MAX_TOKENS: u32 = 4_000;
/// Reason of a verdict on an answer that is none.
const NO_ANSWER: &str = "no answer was given";

/// Judgment of one item by one criterion, in progress.
#[derive(Clone, Debug)]
pub struct Judging {
    item: Item,
    is_cut: bool,
    state: State,
}

/// Failure to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `unusable` for a reply without the form, else the code of the endpoint's fault.
    pub code: String,
    /// Description for a reader.
    pub message: String,
}

#[derive(Clone, Debug)]
enum State {
    Asking(Box<Pending>),
    Done(Result<Verdict, Refusal>),
}

#[derive(Clone, Debug)]
struct Pending {
    request: JudgeRequest,
    stage: Stage,
    is_retry: bool,
}

/// The step that a reply belongs to, with what it needs.
#[derive(Clone, Debug)]
enum Stage {
    Claims,
    Recall(Vec<Triple>),
    Coverage,
    Score,
    Obligations(RepassTexts),
    Inference(RepassTexts),
    Connection,
}

/// The step after a usable reply.
enum Next {
    Ask(Stage),
    Finish(Finding, String),
}

impl Judging {
    /// A judgment. `obligations` counts for [`Criterion::Repass`] only. An empty answer needs no judge: it states nothing.
    pub fn new(criterion: Criterion, item: Item, obligations: Obligations) -> Self {
        let (item, is_cut) = item.within_limits();
        let is_empty = item.answer.trim().is_empty();
        let stage = match criterion {
            Criterion::Connection => Stage::Connection,
            _ if is_empty => {
                let verdict =
                    Verdict { finding: nothing(criterion, &item), reason: NO_ANSWER.to_owned(), is_cut };
                return Self { item, is_cut, state: State::Done(Ok(verdict)) };
            }
            Criterion::Claims => Stage::Claims,
            Criterion::Coverage => Stage::Coverage,
            Criterion::Score => Stage::Score,
            Criterion::Repass => match obligations {
                Obligations::Modals => Stage::Inference(RepassTexts::of(&item)),
                Obligations::Judge => Stage::Obligations(RepassTexts::of(&item)),
            },
        };
        let state = asking(&item, stage);
        Self { item, is_cut, state }
    }

    /// The request that is due; `None` once there is a verdict or a refusal.
    pub fn request(&self) -> Option<&JudgeRequest> {
        match &self.state {
            State::Asking(pending) => Some(&pending.request),
            State::Done(_) => None,
        }
    }

    /// Requests that may still follow the one that is due, without repetitions.
    pub fn n_to_follow(&self) -> usize {
        match &self.state {
            State::Asking(pending) => {
                usize::from(matches!(pending.stage, Stage::Claims | Stage::Obligations(_)))
            }
            State::Done(_) => 0,
        }
    }

    /// Takes a reply. Does nothing if none is due.
    pub fn replied(&mut self, reply: &Reply) {
        let State::Asking(pending) = &self.state else { return };
        let text = if reply.text.len() > MAX_REPLY { "" } else { reply.text.as_str() };
        self.state = match read(&pending.stage, text) {
            Ok(Next::Ask(stage)) => asking(&self.item, stage),
            Ok(Next::Finish(finding, reason)) => {
                State::Done(Ok(Verdict { finding, reason, is_cut: self.is_cut }))
            }
            Err(complaint) if pending.is_retry => {
                let message = format!("the judge's reply could not be used: {complaint}");
                State::Done(Err(Refusal { code: "unusable".to_owned(), message }))
            }
            Err(complaint) => {
                let mut pending = pending.clone();
                pending.is_retry = true;
                ask_again(&mut pending.request.messages, &reply.text, &complaint);
                State::Asking(pending)
            }
        };
    }

    /// Takes a failure of the endpoint instead of a reply. Does nothing if no reply is due.
    pub fn failed(&mut self, code: &str, message: &str) {
        if let State::Asking(_) = self.state {
            self.state = State::Done(Err(Refusal { code: code.to_owned(), message: message.to_owned() }));
        }
    }

    /// The verdict, or why there is none.
    ///
    /// # Errors
    /// The refusal of an unusable reply, of a failed endpoint, or of a judgment that a reply is still due for.
    pub fn finish(self) -> Result<Verdict, Refusal> {
        match self.state {
            State::Done(done) => done,
            State::Asking(pending) => {
                let message = format!("{} was not answered", pending.request.step);
                Err(Refusal { code: "unasked".to_owned(), message })
            }
        }
    }
}

/// The state that asks for a stage.
fn asking(item: &Item, stage: Stage) -> State {
    let (step, schema, messages) = match &stage {
        Stage::Claims => ("judge-claims", claims::SCHEMA, claims::prompt(item)),
        Stage::Recall(found) => ("judge-recall", claims::RECALL_SCHEMA, claims::recall_prompt(item, found)),
        Stage::Coverage => ("judge-coverage", coverage::SCHEMA, coverage::prompt(item)),
        Stage::Score => ("judge-score", score::SCHEMA, score::prompt(item)),
        Stage::Obligations(texts) => {
            ("judge-obligations", repass::OBLIGATIONS_SCHEMA, repass::obligations_prompt(item, texts))
        }
        Stage::Inference(texts) => ("judge-inference", repass::SCHEMA, repass::prompt(item, texts)),
        Stage::Connection => ("judge-connection", connection::SCHEMA, connection::prompt(item)),
    };
    let request = JudgeRequest { step, messages, max_tokens: MAX_TOKENS, schema };
    State::Asking(Box::new(Pending { request, stage, is_retry: false }))
}

fn read(stage: &Stage, reply: &str) -> Result<Next, Complaint> {
    let finish = |(finding, reason)| Next::Finish(finding, reason);
    match stage {
        Stage::Claims => claims::read_claims(reply).map(|claims| Next::Ask(Stage::Recall(claims))),
        Stage::Recall(claims) => {
            let judged = claims::read_recall(reply, claims)?;
            let reasons: Vec<String> =
                (1..).zip(&judged).map(|(n, claim)| format!("{n}. {}", claim.reason)).collect();
            Ok(Next::Finish(Finding::Claims(judged), reasons.join(" ")))
        }
        Stage::Coverage => coverage::read_finding(reply).map(finish),
        Stage::Score => score::read_finding(reply).map(finish),
        Stage::Obligations(texts) => {
            let obligations = repass::read_obligations(reply, texts)?;
            Ok(Next::Ask(Stage::Inference(RepassTexts { obligations, ..texts.clone() })))
        }
        Stage::Inference(texts) => repass::read_finding(reply, texts).map(finish),
        Stage::Connection => connection::read_finding(reply).map(finish),
    }
}

/// The finding about an answer that is none.
fn nothing(criterion: Criterion, item: &Item) -> Finding {
    match criterion {
        Criterion::Claims => Finding::Claims(Vec::new()),
        Criterion::Coverage => Finding::Coverage(Coverage::Partial, Vec::new()),
        Criterion::Score => Finding::Score(Points::default()),
        Criterion::Repass => {
            let obligations =
                RepassTexts::of(item).obligations.iter().map(|_| Vec::new()).collect::<Vec<_>>();
            Finding::Repass(Repass::of(&[], &obligations))
        }
        Criterion::Connection => Finding::Connection(evaluate::judged::Connection::NotConnected),
    }
}
