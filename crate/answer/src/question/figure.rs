//! Figures: the kind that a question asks for, and the figures of a sentence.
//!
//! "How long" is not answered by a sentence that merely shares words with the question, but by one that states a time.
//! A figure that names something, a provision ("section 465"), an item ("(2)") or a page, is no answer. English only:
//! nearly every Chinese sentence has figures among its words. Cost: linear in the sentence.

mod kind;
mod labels;
mod presence;
mod units;
mod value;

pub(super) use kind::{FigureKind, figure_kind};
pub(super) use presence::has_figure;
pub(crate) use value::is_of_value;
pub(super) use value::values;
