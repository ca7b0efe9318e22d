//! Stories (the body, a note) read as paragraphs and tables in document order, as a reader sees them.
//!
//! Tracked changes are read as accepted. Hidden text and field instructions are left out; field results are kept,
//! except tables of contents, whose entries repeat headings of the text. List numbers are counted here, since
//! counting follows document order. A text box follows the paragraph that anchors it. Of alternate content the
//! first choice is read. Cost: linear in the part.

mod block;
mod inline;
mod note;
mod paragraph;
mod reader;
mod tables;

pub(crate) use note::read_note_numbering;
pub(crate) use reader::{Notices, StoryReader};
