//! The encoder's graph: read by tract, and then run by operators of ours where the pass knows what stands there.
//!
//! tract loads, types and declutters; [`recognise`] replaces linear layers, attention and layer norms. What it does not
//! know runs as tract runs it, so any BERT-like graph works, only slower. Batch and length stay symbolic, and one plan
//! serves every shape. A graph of which everything is known is a [`Program`] too, for executors that are not tract.

mod ops;
mod plan;
mod program;
mod recognise;
mod stored;
#[cfg(test)]
mod tests;

pub(crate) use ops::ByteUnit;
pub(crate) use plan::{Plan, Plans, plans};
pub use program::{Program, ProgramStep};
