//! Caveats of the words as they are written: neighbours with one caveat share a range, the space between them included.

use document::{Caveat, CaveatRange, Caveats, TextRange};

/// Writer of the caveats of a text, whose words come in order.
#[derive(Default)]
pub(super) struct CaveatWriter {
    ranges: Vec<CaveatRange>,
    /// Caveat of the word before.
    last: Option<Caveat>,
}

impl CaveatWriter {
    /// Adds the next word with its caveat, if it has one.
    pub(super) fn add(&mut self, range: TextRange, caveat: Option<Caveat>) {
        if let Some(caveat) = caveat {
            match self.ranges.last_mut().filter(|_| self.last == Some(caveat)) {
                Some(open) => open.range.end = range.end,
                None => self.ranges.push(CaveatRange { caveat, range }),
            }
        }
        self.last = caveat;
    }

    /// Ends the last range where the text was cut: a hyphen went.
    pub(super) fn cut(&mut self, end: u32) {
        if let Some(last) = self.ranges.last_mut() {
            last.range.end = last.range.end.min(end);
        }
    }

    /// The caveats of the text.
    pub(super) fn finish(self) -> Caveats {
        Caveats::new(self.ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_range() {
        let mut writer = CaveatWriter::default();
        let words = [(0, 3), (4, 8), (9, 10), (11, 15)];
        for ((start, end), caveat) in
            words.into_iter().zip([Some(Caveat::Ocr), Some(Caveat::Ocr), None, Some(Caveat::Ocr)])
        {
            writer.add(TextRange::new(start, end), caveat);
        }
        writer.cut(14);
        let caveats = writer.finish();
        let ranges: Vec<(u32, u32)> =
            caveats.ranges().iter().map(|each| (each.range.start, each.range.end)).collect();
        assert_eq!(ranges, [(0, 8), (11, 14)]);
    }
}
