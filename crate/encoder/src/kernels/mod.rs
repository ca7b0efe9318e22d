//! Arithmetic of the recognised graph: products of int8 matrices, attention, layer norm. Slices in, slices out, without
//! tract, so that another graph or another test can feed it.
//!
//! Every kernel gives the same bits on every machine: integers are summed exactly, floats in an order that is written
//! down here, by functions of our own and never by fused multiply-adds.

mod attention;
mod bytes;
mod dispatch;
mod dot;
mod functions;
mod layer_norm;
mod matrix;
mod rows;

pub(crate) use attention::{Heads, attend};
pub use bytes::{ByteFactors, ByteProducts, byte_products};
pub(crate) use layer_norm::{LayerNorm, normalise};
pub(crate) use matrix::{Activation, Matrix};

/// Rows that a kernel works on at once.
const ROWS: usize = 4;
