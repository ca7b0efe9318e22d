//! Texts that a font itself gives to its codes, against those that the file claims for them.
//!
//! A font says what it draws by the names of its glyphs, by a stated encoding, or by its character map; outlines are not
//! looked at. What it says counts at once if viewers draw by it, because the font is not embedded. Names and maps in
//! embedded programs are sometimes mere labels: where many of them differ from the claims, they are taken for labels.
//!
//! Cost: linear in the codes that a font tells about, at most some thousand.

use std::collections::{BTreeMap, BTreeSet};

use document::Attestation;

use crate::claims::{Comparison, compare};

/// One in this many of the codes that can be compared may differ, if an embedded program is to be believed.
const MAX_DIFFERING: usize = 4;
/// Minimum codes of an embedded program that are as claimed, for others to count as differing.
const MIN_SAME: usize = 4;

/// Texts of a font's codes by the font itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnTexts {
    /// Codes whose letters are as claimed, or that nothing is claimed for.
    known: BTreeSet<u32>,
    /// Texts of codes for which other letters are claimed.
    differing: BTreeMap<u32, Box<str>>,
}

/// Text of a code by the font itself, beside the claimed one.
pub(crate) struct DrawnText {
    pub(crate) code: u32,
    pub(crate) claimed: Option<String>,
    pub(crate) drawn: String,
}

impl DrawnTexts {
    /// Compares texts with claims; `is_embedded` if they are those of an embedded program.
    pub(crate) fn new(texts: impl Iterator<Item = DrawnText>, is_embedded: bool) -> Self {
        let mut found = Self::default();
        let mut n_same = 0;
        for DrawnText { code, claimed, drawn } in texts {
            match claimed.map_or(Comparison::Same, |claimed| compare(&claimed, &drawn)) {
                Comparison::Same => {
                    n_same += 1;
                    found.known.insert(code);
                }
                Comparison::Differs => {
                    found.differing.insert(code, drawn.into());
                }
                Comparison::Incomparable => {}
            }
        }
        let n_differing = found.differing.len();
        let is_label = n_same < MIN_SAME || n_differing * MAX_DIFFERING > n_same + n_differing;
        if is_embedded && n_differing > 0 && is_label {
            return Self::default();
        }
        found
    }

    /// Number of codes that it knows.
    pub(crate) fn n_entries(&self) -> usize {
        self.known.len() + self.differing.len()
    }

    /// Who vouches for the text of a code.
    pub(crate) fn attestation(&self, code: u32) -> Attestation {
        if self.known.contains(&code) {
            Attestation::Drawn
        } else if self.differing.contains_key(&code) {
            Attestation::Differs
        } else {
            Attestation::Claimed
        }
    }

    /// Text of a code for which other letters are claimed.
    pub(crate) fn differing(&self, code: u32) -> Option<&str> {
        self.differing.get(&code).map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> impl Iterator<Item = DrawnText> {
        let texts: Vec<DrawnText> = (0u32..)
            .zip(pairs)
            .map(|(code, (claimed, drawn))| DrawnText {
                code,
                claimed: (!claimed.is_empty()).then(|| (*claimed).to_owned()),
                drawn: (*drawn).to_owned(),
            })
            .collect();
        texts.into_iter()
    }

    #[test]
    fn a_false_digit_among_true_letters_differs() {
        let pairs = [("a", "a"), ("b", "b"), ("c", "C"), ("", "d"), ("9", "5")];
        let found = DrawnTexts::new(texts(&pairs), true);
        assert_eq!((found.attestation(4), found.differing(4)), (Attestation::Differs, Some("5")));
        assert_eq!((found.attestation(0), found.attestation(9)), (Attestation::Drawn, Attestation::Claimed));
    }

    #[test]
    fn names_of_an_embedded_font_that_mostly_differ_are_labels() {
        let pairs = [("a", "a"), ("b", "b"), ("c", "c"), ("d", "d"), ("9", "A"), ("8", "B")];
        let of = |is_embedded| DrawnTexts::new(texts(&pairs), is_embedded);
        assert_eq!(of(true).attestation(4), Attestation::Claimed);
        assert_eq!(of(true).attestation(0), Attestation::Claimed);
        assert_eq!(of(false).attestation(4), Attestation::Differs);
    }
}
