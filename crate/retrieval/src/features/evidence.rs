//! How the words of the question stand to each other in a unit, and what the unit and the question are.

use document::ChunkId;

use super::Place;
use crate::bm25;

pub const NAMES: &[&str] = &[];
pub const FORM_NAMES: &[&str] = &[];

/// Reads units for one question.
pub struct Reader;

impl Reader {
    pub fn new(_question: &str) -> Self {
        Self
    }

    pub fn push(&mut self, _place: &Place<'_>, _chunk: ChunkId, _lexical: &bm25::Leg, _out: &mut Vec<f32>) {}

    pub fn push_form(&self, _out: &mut Vec<f32>) {}
}
