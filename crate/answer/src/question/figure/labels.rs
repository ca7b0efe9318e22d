//! Figures that are labels: "section 465", "(2)".

use std::ops::Range;

/// Ranges of a sentence whose figures are labels: references to provisions, the marker of a list item.
pub(super) struct LabelRanges {
    ranges: Vec<Range<usize>>,
    next: usize,
}

impl LabelRanges {
    pub(super) fn of(sentence: &str) -> Self {
        let label = text::wording::list_marker(sentence).map_or(0, str::len);
        let cites = text::reference::references(sentence).into_iter().map(|cite| cite.range);
        Self { ranges: std::iter::once(0..label).chain(cites).collect(), next: 0 }
    }

    /// True if a byte lies in a label. Ask in ascending order: the calls together pass the ranges once.
    pub(super) fn contains(&mut self, at: usize) -> bool {
        while self.ranges.get(self.next).is_some_and(|range| range.end <= at) {
            self.next += 1;
        }
        self.ranges.get(self.next).is_some_and(|range| range.start <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_that_name_something_are_passed_once() {
        let sentence = "(2) Under section 12 and rule 4 it is 30 days.";
        let mut naming = LabelRanges::of(sentence);
        let held: Vec<bool> = sentence
            .char_indices()
            .filter(|(_, c)| c.is_ascii_digit())
            .map(|(at, _)| naming.contains(at))
            .collect();
        assert_eq!(held, [true, true, true, true, false, false]);
    }
}
