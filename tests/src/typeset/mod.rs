//! A small typesetter: a manuscript and a style become a PDF, and the truth about where every word stands.
//!
//! It exists so that what the pipeline reads from a page can be compared with what was put there. So it does
//! what legal documents do (hanging numbers, justified lines, notes at the foot that run on to the next page,
//! running heads, bookmarks, page labels) and no more, and its output is the same bytes every time.
//!
//! ```text
//! parse → lines (words broken into lines, element by element) → paginate → write
//! ```

mod flow;
mod font;
mod lines;
mod markup;
mod paginate;
mod printed;
mod style;
mod write;

pub use font::{Face, Family, Font, encode};
pub use markup::{Element, Inline, Manuscript, parse};
pub use printed::{Flow, Mark, SetPage, SetPart, SetWord};
pub use style::{HeadingStyle, Spacing, Style};

use anyhow::Result;

/// A manuscript in print.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The file.
    pub pdf: Vec<u8>,
    /// Its pages.
    pub pages: Vec<SetPage>,
}

/// Sets a manuscript. `title` goes into the file's document information.
pub fn set(manuscript: &Manuscript, style: &Style, title: &str) -> Result<Printed> {
    let (lines, notes) = flow::lines(manuscript, style);
    let pages = paginate::paginate(lines, notes, style)?;
    let pdf = write::write(&pages, manuscript, style, title);
    Ok(Printed { pdf, pages })
}
