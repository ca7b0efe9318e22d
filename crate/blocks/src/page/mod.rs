//! The data that the steps read and write: words, lines, grids, paragraphs and notes of pages.
//!
//! Plain data without an algorithm: no file here imports a step.

mod body;
mod frame;
mod grid;
mod line;
mod note;
mod pages;
mod paragraph;
mod region;
mod table;
mod word;

pub(crate) use body::BodyStyle;
pub(crate) use frame::Frame;
pub(crate) use grid::Grid;
pub(crate) use line::{Line, LineStyle};
pub(crate) use note::{Note, NoteReferences};
pub(crate) use pages::{PageLines, PageWords};
pub(crate) use paragraph::Paragraph;
pub(crate) use region::{Gutter, Region};
pub(crate) use table::{Table, TableRow, TableShape};
pub(crate) use word::{Word, WordStyle};
