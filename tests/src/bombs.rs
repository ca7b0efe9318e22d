//! Bombs: small files that ask for much time or memory, made in code, each for a path of its own through the readers.
//!
//! Those of [`crate::hostile`] must not crash a reader or hang it; these must cost no more than their size allows: see
//! `pages::Limits` and `docx::Limits`. `tests/limits/figures.md` has the time and memory of each.

mod content;
mod make;
mod pdf;
mod structure;
mod word;

use make::Make;

/// A file that asks for much.
#[derive(Clone, Debug)]
pub struct Bomb {
    /// File name.
    pub file_name: &'static str,
    /// Cost that the file provokes, in a few words.
    pub why: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// All bombs.
pub fn all() -> impl Iterator<Item = Bomb> {
    let all: Vec<(&'static str, &'static str, Make)> =
        [content::BOMBS, structure::BOMBS, word::BOMBS].concat();
    all.into_iter().map(|(file_name, why, make)| Bomb { file_name, why, bytes: make() })
}
