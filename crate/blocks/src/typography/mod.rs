//! Questions about type and place that several steps ask of words, lines and paragraphs.
//!
//! They read the data of [`crate::page`] and import no step.

mod compose;
mod fragments;
mod leader_entry;
mod marker;
mod note_mark;
mod prose;
mod rows;
mod script;
mod sizes;
mod spacing;
mod visibility;

pub(crate) use compose::{compose_line, line_part};
pub(crate) use fragments::{Fragment, fragments};
pub(crate) use leader_entry::ends_in_page_number;
pub(crate) use marker::{Marker, is_section_number, list_marker};
pub(crate) use note_mark::{
    LeadingMark, bare_mark, is_circled, is_exponent, is_symbol, leading_mark, ordinal, raised_numbers,
};
pub(crate) use prose::is_prose;
pub(crate) use rows::{Row, rows};
pub(crate) use script::{has_rtl, is_unspaced, superscript};
pub(crate) use sizes::usual_size;
pub(crate) use spacing::SPACE;
pub(crate) use visibility::{is_finite, is_sane, reads_invisible};
