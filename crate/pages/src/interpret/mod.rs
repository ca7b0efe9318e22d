//! Content streams to text runs with their visibility, ruled lines and the share of the page that images cover.
//!
//! One pass over the content stream of a page and the forms that it paints. Operators without effect on text are
//! followed only as far as they move it (matrices, state), separate it (rules) or cover it (painted areas). Every
//! operator counts against the limits of the page and the allowance of the file, and forms count each time they are
//! painted, so forms within forms cost no more than the limit.

mod annotation_shapes;
mod annotations;
mod backdrop;
mod budget;
mod colour;
mod content;
mod form_cache;
mod form_fields;
mod images;
mod interpreter;
mod marked;
mod operators;
mod outline;
mod paint_sources;
mod paths;
mod patterns;
mod replace;
mod runs;
mod script;
mod soft_masks;
mod state;

pub(crate) use content::interpret;
pub(crate) use form_cache::FormCache;
pub(crate) use interpreter::{FileResources, PageContent, form_mcid_base};
pub(crate) use marked::actual_text;
pub(crate) use replace::replace_marked;
