//! Replies of a model to the requests of a run: from the log where they are there, from the endpoint where they are not.

use std::path::Path;

use engine::Reply;
use testset::{Cost, Request};
use text::{ApproximateTokens, TokenCount as _};

use super::reply_log::ReplyLog;
use crate::endpoint::Endpoint;
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
        let key = request.chat().key(&self.model);
        if let Some(known) = self.log.get(&key) {
            self.usage.known += 1;
            return Ok(known.clone().ok());
        }
        let asked = endpoint.reply(&request.chat(), &mut |what| note!("{}: {what}", request.name));
        self.usage.requests += 1;
        self.usage.sent += request.n_tokens();
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
                note!("{}: {}", request.name, error.fault.message);
                self.usage.failed += 1;
                Err(error.fault)
            }
        };
        self.log.append(&key, &[("name", request.name)], outcome.clone())?;
        Ok(outcome.ok())
    }

    /// Requests and tokens so far.
    pub(super) fn usage(&self) -> Usage {
        self.usage
    }
}
