//! The encoder's graph: read by tract, and then run by operators of ours where the pass knows what stands there.
//!
//! tract loads, types and declutters; [`recognise`] replaces linear layers, attention and layer norms. What it does not
//! know runs as tract runs it, so any BERT-like graph works, only slower. Batch and length stay symbolic, and one plan
//! serves every shape.

mod ops;
mod plan;
mod recognise;
mod stored;
#[cfg(test)]
mod tests;

pub(crate) use plan::plan;
