//! Replies of a model to the requests of a run: from the log where they are there, from the endpoint where they are not.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use answer::Chat;
use engine::{Fault, Reply};
use testset::{Cost, Request};
use text::{ApproximateTokens, TokenCount as _};

use super::reply_log::ReplyLog;
use crate::endpoint::{Endpoint, ReplyError};
use crate::failure::Failure;
use crate::llm::LlmArgs;

/// Arguments of a run that asks a model, and can be gone on with.
#[derive(clap::Args)]
pub(super) struct RunArgs {
    /// Say what it costs and stop.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Ask again where the endpoint failed in an earlier run.
    #[arg(long)]
    retry_failed: bool,
    #[command(flatten)]
    llm: LlmArgs,
}

impl RunArgs {
    /// The replies with the log beside the output.
    pub(super) fn replies(&self, out: &Path) -> Result<ModelReplies, Failure> {
        ModelReplies::open(out, self.llm.model(), self.retry_failed)
    }

    /// `n` endpoints of the same model, for as many requests at a time; none without `--llm`.
    pub(super) fn endpoints(&self, n: usize) -> Result<Vec<Endpoint>, Failure> {
        let endpoints: Result<Vec<Option<Endpoint>>, Failure> = (0..n).map(|_| self.llm.endpoint()).collect();
        Ok(endpoints?.into_iter().flatten().collect())
    }

    /// The language model's arguments.
    pub(super) fn llm(&self) -> &LlmArgs {
        &self.llm
    }

    /// Name of the model; empty if there is none.
    pub(super) fn model(&self) -> &str {
        self.llm.model()
    }

    /// The endpoint; `writes` says what it is asked for, such as "the questions".
    pub(super) fn endpoint(&self, writes: &str) -> Result<Endpoint, Failure> {
        let missing = || Failure::Usage(format!("a language model writes {writes}: give --llm and --model"));
        self.llm.endpoint()?.ok_or_else(missing)
    }
}

/// Requests and replies of a run, in tokens by estimate.
#[derive(Clone, Copy, Default)]
pub(super) struct Usage {
    /// Requests made.
    pub(super) requests: usize,
    /// Requests that were answered by the log.
    pub(super) known: usize,
    /// Requests that failed.
    pub(super) failed: usize,
    /// Tokens sent.
    pub(super) sent: usize,
    /// Tokens received.
    pub(super) received: usize,
}

impl Usage {
    /// Prints it.
    pub(super) fn report(self) {
        let Self { requests, known, failed, sent, received } = self;
        say!("{:16} {requests:>8}  {known} more were answered before, {failed} failed", "requests");
        say!("{:16} {sent:>8}  sent, estimated", "tokens");
        say!("{:16} {received:>8}  received, estimated", "");
    }
}

/// Says what a run over these things costs, before the first request.
pub(super) fn announce(what: &str, Cost { requests, sent, received }: Cost) {
    note!(
        "{what}; at most {requests} requests, besides those made again for their replies: about {sent} tokens, and at most \
         {received} of replies"
    );
}

/// Size of a request's messages in tokens, by estimate.
pub(super) fn n_tokens(chat: &Chat<'_>) -> usize {
    chat.messages.iter().map(|message| ApproximateTokens.count(&message.content)).sum()
}

/// Replies of one model.
pub(super) struct ModelReplies {
    log: ReplyLog,
    model: String,
    usage: Usage,
}

impl ModelReplies {
    /// The replies with the log beside the output of a run; `tries_again` forgets the failures in it.
    fn open(out: &Path, model: &str, tries_again: bool) -> Result<Self, Failure> {
        let log = ReplyLog::open(out, tries_again)?;
        Ok(Self { log, model: model.to_owned(), usage: Usage::default() })
    }

    /// True if the reply to a request is in the log.
    pub(super) fn has(&self, request: &Request) -> bool {
        self.log.get(&request.chat().key(&self.model)).is_some()
    }

    /// The reply to a request, from the log or the endpoint; `None` if the endpoint failed on it.
    ///
    /// # Errors
    /// The endpoint would fail on every other request too, or the log cannot be written.
    pub(super) fn reply(&mut self, request: &Request, endpoint: &Endpoint) -> Result<Option<Reply>, Failure> {
        let chat = request.chat();
        let key = chat.key(&self.model);
        if self.log.get(&key).is_some() {
            self.usage.known += 1;
        } else {
            let asked = endpoint.reply(&chat, &mut |what| note!("{}: {what}", chat.name));
            self.take(&key, &chat, asked)?;
        }
        Ok(self.log.reply(&key).cloned())
    }

    /// The replies to requests of a numbered run, from 1, each from the log or from one of the endpoints, as many at a time
    /// as there are. Equal requests of a run ask once; each run asks anew. Where the endpoint failed on a request its fault
    /// stands.
    ///
    /// # Errors
    /// As [`Self::reply`]; the replies that came are kept.
    pub(super) fn replies(
        &mut self,
        run: u32,
        chats: &[Chat<'_>],
        endpoints: &mut [Endpoint],
    ) -> Result<Vec<Result<Reply, Fault>>, Failure> {
        let label = if run == 1 { self.model.clone() } else { format!("{}, run {run}", self.model) };
        let keys: Vec<String> = chats.iter().map(|chat| chat.key(&label)).collect();
        let mut due: BTreeMap<&str, &Chat<'_>> = BTreeMap::new();
        for (key, chat) in keys.iter().zip(chats) {
            if self.log.get(key).is_some() {
                self.usage.known += 1;
            } else {
                due.insert(key, chat);
            }
        }
        let due: Vec<(&str, &Chat<'_>)> = due.into_iter().collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = Mutex::new((self, None::<Failure>));
        std::thread::scope(|scope| {
            for endpoint in endpoints.iter_mut() {
                let (due, next, stop, shared) = (&due, &next, &stop, &shared);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed)
                        && let Some((key, chat)) = due.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let asked = endpoint.reply(chat, &mut |what| note!("{}: {what}", chat.name));
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (replies, failure) = &mut *shared;
                        if let Err(new) = replies.take(key, chat, asked) {
                            stop.store(true, Ordering::Relaxed);
                            failure.get_or_insert(new);
                        }
                    }
                });
            }
        });
        let (replies, failure) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = failure {
            return Err(failure);
        }
        let unasked = || Fault { code: "unasked".to_owned(), message: "there is no endpoint".to_owned() };
        let found = |key: &String| replies.log.get(key).cloned().unwrap_or_else(|| Err(unasked()));
        Ok(keys.iter().map(found).collect())
    }

    /// Counts the outcome of a request and keeps it, but for a failure that would befall every other request too.
    fn take(&mut self, key: &str, chat: &Chat<'_>, asked: Result<Reply, ReplyError>) -> Result<(), Failure> {
        self.usage.requests += 1;
        self.usage.sent += n_tokens(chat);
        let outcome = match asked {
            Ok(reply) => {
                self.usage.received += ApproximateTokens.count(&reply.text);
                Ok(reply)
            }
            Err(error) if error.lasts => {
                let message = error.fault.message;
                return Err(Failure::Failed(format!("{message} (the replies so far are kept)")));
            }
            Err(error) => {
                note!("{}: {}", chat.name, error.fault.message);
                self.usage.failed += 1;
                Err(error.fault)
            }
        };
        self.log.append(key, &[("name", chat.name)], outcome)
    }

    /// Number of replies in the log.
    pub(super) fn n_known(&self) -> usize {
        self.log.n_replies()
    }

    /// Requests and tokens so far.
    pub(super) fn usage(&self) -> Usage {
        self.usage
    }
}
