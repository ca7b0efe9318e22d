//! Runs the judgments: replies from the log where there are, from the endpoint where there are none.
//!
//! Each thread takes the next job and carries its requests to an endpoint of its own. Two jobs with the same request, such as
//! the claims of one reference, ask once: the second waits for the first.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use engine::Reply;
use judge::{Criterion, JudgeRequest, Judging, Obligations, Refusal, Verdict};

use super::items::Job;
use super::nli::Nli;
use crate::endpoint::{Endpoint, ReplyError};
use crate::eval::reply_log::ReplyLog;
use crate::failure::Failure;

/// Bytes a token, about, for the estimate.
const BYTES_A_TOKEN: usize = 4;
/// Tokens of a reply, about, for the estimate.
const REPLY_TOKENS: usize = 200;
/// Judgments between two lines of progress.
const TICK: usize = 20;

/// A job and its verdict, or why there is none.
pub(super) type Judged<'a> = (&'a Job, Result<Verdict, Refusal>);

/// Jobs with what they have been told.
pub(super) struct Runner {
    jobs: Vec<Job>,
    model: String,
    obligations: Obligations,
    nli: Option<Nli>,
    shared: Mutex<Shared>,
    answered: Condvar,
}

/// State that the threads share.
struct Shared {
    log: ReplyLog,
    in_flight: BTreeSet<String>,
    /// Faults by job.
    faults: Vec<Option<Refusal>>,
    /// The fault after which the endpoint is asked no more.
    down: Option<Refusal>,
    /// The failure to write the log.
    broken: Option<Failure>,
}

/// Requests that are due.
pub(super) struct Due {
    /// Number of requests, repetitions after unusable replies not counted.
    pub(super) n_requests: usize,
    /// Tokens of prompts and replies, about.
    n_tokens: usize,
    n_jobs: usize,
    n_open: usize,
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_requests, n_tokens, n_jobs, n_open } = self;
        write!(f, "{n_jobs} judgments, {n_open} open: {n_requests} requests, about {n_tokens} tokens")
    }
}

/// Fields of a reply in the log, for whoever reads it.
fn about<'a>(job: &'a Job, request: &'a JudgeRequest, model: &'a str) -> [(&'a str, &'a str); 3] {
    [("id", &job.id), ("step", request.step), ("model", model)]
}

impl Runner {
    pub(super) fn new(
        jobs: Vec<Job>,
        log: ReplyLog,
        model: String,
        obligations: Obligations,
        nli: Option<Nli>,
    ) -> Self {
        let faults = jobs.iter().map(|_| None).collect();
        let shared = Shared { log, in_flight: BTreeSet::new(), faults, down: None, broken: None };
        Self { jobs, model, obligations, nli, shared: Mutex::new(shared), answered: Condvar::new() }
    }

    /// The requests that are due.
    pub(super) fn due(&self) -> Due {
        let mut due = Due { n_requests: 0, n_tokens: 0, n_jobs: self.jobs.len(), n_open: 0 };
        let mut known = BTreeSet::new();
        for job in &self.jobs {
            let judging = self.replayed(job);
            let Some(request) = judging.request() else { continue };
            let n = usize::from(known.insert(request.key(&self.model))) + judging.n_to_follow();
            due.n_open += 1;
            due.n_requests += n;
            due.n_tokens += n * (request.n_bytes() / BYTES_A_TOKEN + REPLY_TOKENS);
        }
        due
    }

    /// Asks for what is due, one thread an endpoint.
    pub(super) fn ask(&self, endpoints: Vec<Endpoint>) -> Result<(), Failure> {
        self.each_job(endpoints, |endpoint, at, job| self.ask_one(at, job, endpoint))
    }

    /// Runs the inference that the log does not have, on several threads.
    pub(super) fn infer(&self, n_threads: usize) -> Result<(), Failure> {
        let Some(nli) = &self.nli else { return Ok(()) };
        self.each_job(vec![(); n_threads], |(), at, job| {
            let request = nli.request(&job.item);
            let key = request.key(nli.name());
            if self.nli_of(job).is_none() || self.shared().log.reply(&key).is_some() {
                return;
            }
            let found = nli.reply(&job.item);
            let mut shared = self.shared();
            match found {
                Ok(reply) => {
                    let kept = shared.log.append(&key, &about(job, &request, nli.name()), Ok(reply));
                    shared.broken = kept.err().or(shared.broken.take());
                }
                Err(refusal) => {
                    if let Some(fault) = shared.faults.get_mut(at) {
                        *fault = Some(refusal);
                    }
                }
            }
        })
    }

    /// Gives each job to the next of the workers that is free, each on a thread of its own.
    fn each_job<W: Send>(
        &self,
        workers: Vec<W>,
        work: impl Fn(&W, usize, &Job) + Sync,
    ) -> Result<(), Failure> {
        let (next, n_done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (next, n_done, work) = (&next, &n_done, &work);
        std::thread::scope(|scope| {
            for worker in workers {
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = self.jobs.get(at) else { break };
                        work(&worker, at, job);
                        let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
                        if done.is_multiple_of(TICK) {
                            note!("{done} of {} judged", self.jobs.len());
                        }
                    }
                });
            }
        });
        match self.shared().broken.take() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// The verdicts, from the log alone.
    pub(super) fn judge(&self) -> Vec<Judged<'_>> {
        self.jobs.iter().enumerate().map(|(at, job)| (job, self.verdict(at, job))).collect()
    }

    fn verdict(&self, at: usize, job: &Job) -> Result<Verdict, Refusal> {
        let fault = self.shared().faults.get(at).cloned().flatten();
        if let Some(fault) = fault {
            return Err(fault);
        }
        match self.nli_of(job) {
            Some(nli) => {
                let key = nli.request(&job.item).key(nli.name());
                nli.verdict(&job.item, self.shared().log.reply(&key))
            }
            None => self.replayed(job).finish(),
        }
    }

    fn nli_of(&self, job: &Job) -> Option<&Nli> {
        self.nli.as_ref().filter(|_| job.criterion == Criterion::Repass)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job's judgment as far as the log goes.
    fn replayed(&self, job: &Job) -> Judging {
        let mut judging = Judging::new(job.criterion, job.item.clone(), self.obligations);
        if self.nli_of(job).is_some() {
            judging.failed("unasked", "judged by inference");
        }
        let shared = self.shared();
        while let Some(request) = judging.request() {
            let Some(reply) = shared.log.reply(&request.key(&self.model)) else { break };
            judging.replied(reply);
        }
        judging
    }

    fn ask_one(&self, at: usize, job: &Job, endpoint: &Endpoint) {
        let mut judging = self.replayed(job);
        while let Some(request) = judging.request() {
            match self.reply(job, request, endpoint) {
                Ok(reply) => judging.replied(&reply),
                Err(refusal) => {
                    judging.failed(&refusal.code, &refusal.message);
                    if let Some(fault) = self.shared().faults.get_mut(at) {
                        *fault = Some(refusal);
                    }
                }
            }
        }
    }

    /// The reply to a request, asked for if nobody has it or is asking for it.
    fn reply(&self, job: &Job, request: &JudgeRequest, endpoint: &Endpoint) -> Result<Reply, Refusal> {
        let key = request.key(&self.model);
        let mut shared = self.shared();
        loop {
            if let Some(reply) = shared.log.reply(&key) {
                return Ok(reply.clone());
            }
            if let Some(down) = &shared.down {
                return Err(down.clone());
            }
            if shared.in_flight.insert(key.clone()) {
                break;
            }
            shared = self.answered.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
        drop(shared);
        let told = endpoint.reply(&request.chat(), &mut |what| note!("{} {}: {what}", job.id, request.step));
        let mut shared = self.shared();
        shared.in_flight.remove(&key);
        let told = match told {
            Ok(reply) => {
                let kept = shared.log.append(&key, &about(job, request, &self.model), Ok(reply.clone()));
                kept.map(|()| reply).map_err(|failure| {
                    let refusal = Refusal { code: "log".to_owned(), message: failure.to_string() };
                    shared.broken = Some(failure);
                    shared.down = Some(refusal.clone());
                    refusal
                })
            }
            Err(ReplyError { fault, lasts }) => {
                note!("{} {}: {}", job.id, request.step, fault.message);
                let refusal = Refusal { code: fault.code, message: fault.message };
                if lasts {
                    shared.down = Some(refusal.clone());
                }
                Err(refusal)
            }
        };
        drop(shared);
        self.answered.notify_all();
        told
    }
}
