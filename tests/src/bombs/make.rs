//! Maker of a bomb.

/// Function that makes the bytes of a bomb.
pub(super) type Make = fn() -> Vec<u8>;
