//! Legibility: evidence that the characters of a word are language, and not what a font without a usable map, or a
//! broken content stream, makes of it ("Kz]mq\ht", "7KH 3DUWLHV").
//!
//! The measure is a likelihood ratio: the trigrams of a word in language against letters drawn evenly, as those of a
//! substituted alphabet are on average. It knows Latin, Cyrillic and Greek letters by trigrams of many languages at once,
//! Han by the characters of our own texts, and has no list of words. Other scripts count as language where letters stand
//! together. A table of figures, a code, a formula or an acronym gives little evidence either way: honest text is full of
//! them, so one word decides nothing. The caller sums over the words of a font.
//!
//! The tables are made by `models/train_legibility.py`. Cost: linear in the characters.

mod alphabet;
mod operator;
mod tables;
mod word;

pub use operator::evidence_of_operator;
pub use word::evidence;

/// Most evidence of one word either way, in half bits.
pub const MOST: i32 = 40;

#[cfg(test)]
mod tests;
