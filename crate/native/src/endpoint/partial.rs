//! Reply of a model while its stream is read.

use engine::Finish;

use super::fault::ServerMessage;

/// Reply of a model so far.
#[derive(Default)]
pub(super) struct PartialReply {
    pub(super) text: String,
    pub(super) finish: Option<Finish>,
    pub(super) error: Option<ServerMessage>,
    /// True after the protocol's end of stream.
    pub(super) is_done: bool,
}
