//! Caveats: ranges of a document's text whose words may not be what a reader of the page sees.
//!
//! A caveat belongs to the text, not to a quotation: it is found when the file is read and kept with the document, so
//! every citation and every hit of that range has it, whoever quotes. Lookups are two binary searches a caveat.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Slice as _, TextRange};

/// Reason why the words of a range may not be what a reader of the page sees, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// The words were recognised in the image of a scan: text without ink over an image.
    Ocr,
    /// The words touch a pending insertion or deletion of a Word file.
    Tracked,
    /// The file claims other letters or digits for the glyphs than those drawn.
    Differs,
}

impl Caveat {
    /// All caveats, mildest first.
    pub const ALL: [Self; 3] = [Self::Ocr, Self::Tracked, Self::Differs];

    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Tracked => "tracked",
            Self::Differs => "differs",
        }
    }
}

/// A range of the text with a caveat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CaveatRange {
    /// The caveat.
    pub caveat: Caveat,
    /// The range, not empty.
    pub range: TextRange,
}

/// The caveats of a text: sorted by caveat and range, the ranges of one caveat disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caveats {
    ranges: Vec<CaveatRange>,
}

impl Caveats {
    /// The caveats of these ranges, in any order; overlapping ones are merged, empty ones dropped.
    pub fn new(mut ranges: Vec<CaveatRange>) -> Self {
        ranges.retain(|each| !each.range.is_empty());
        ranges.sort();
        ranges.dedup_by(|next, last| {
            let overlaps = next.caveat == last.caveat && next.range.start <= last.range.end;
            if overlaps {
                last.range.end = last.range.end.max(next.range.end);
            }
            overlaps
        });
        Self { ranges }
    }

    /// All of them.
    pub fn ranges(&self) -> &[CaveatRange] {
        &self.ranges
    }

    /// The caveats that any of these ranges touches, mildest first, each once.
    pub fn of(&self, ranges: &[TextRange]) -> Vec<Caveat> {
        let touches = |caveat: &Caveat| ranges.iter().any(|&range| self.touches(*caveat, range));
        Caveat::ALL.into_iter().filter(touches).collect()
    }

    fn touches(&self, caveat: Caveat, range: TextRange) -> bool {
        let start = self.ranges.partition_point(|each| each.caveat < caveat);
        let end = self.ranges.partition_point(|each| each.caveat <= caveat);
        let all = self.ranges.slice(start..end);
        let first = all.partition_point(|each| each.range.end <= range.start);
        all.get(first).is_some_and(|each| each.range.intersect(range).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(caveat: Caveat, start: usize, end: usize) -> CaveatRange {
        CaveatRange { caveat, range: TextRange::new(start, end) }
    }

    #[test]
    fn ranges_are_sorted_and_those_of_one_caveat_merged() {
        use Caveat::{Differs, Ocr, Tracked};
        let caveats = Caveats::new(vec![
            of(Differs, 4, 9),
            of(Ocr, 8, 12),
            of(Ocr, 0, 8),
            of(Tracked, 5, 5),
            of(Ocr, 14, 20),
            of(Ocr, 15, 16),
        ]);
        assert_eq!(caveats.ranges(), [of(Ocr, 0, 12), of(Ocr, 14, 20), of(Differs, 4, 9)]);
    }

    #[test]
    fn a_range_has_the_caveats_that_it_touches() {
        use Caveat::{Differs, Ocr, Tracked};
        let caveats = Caveats::new(vec![of(Ocr, 0, 10), of(Differs, 4, 6), of(Tracked, 20, 30)]);
        for (start, end, expected) in [
            (0, 4, vec![Ocr]),
            (0, 5, vec![Ocr, Differs]),
            (6, 10, vec![Ocr]),
            (10, 20, vec![]),
            (9, 21, vec![Ocr, Tracked]),
            (29, 99, vec![Tracked]),
            (30, 99, vec![]),
            (5, 5, vec![]),
        ] {
            assert_eq!(caveats.of(&[TextRange::new(start, end)]), expected, "{start}..{end}");
        }
        assert_eq!(caveats.of(&[TextRange::new(25, 26), TextRange::new(1, 2)]), [Ocr, Tracked]);
        assert_eq!(caveats.of(&[]), []);
    }
}
