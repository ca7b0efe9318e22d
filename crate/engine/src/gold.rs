//! Gold: the places that answer a question, and which passages reach them.
//!
//! One rule labels candidates for training, judges the hits of a search and counts hits of a library by page: a passage
//! reaches a place if it shares text with it. The first hit that reaches a place has found it; a later one adds nothing.

use std::collections::BTreeSet;

use document::{Document, PageId, TextRange};
use serde::Deserialize;
use ts_rs::TS;

/// Place that answers a question: a range of a document's text, any of some pages, or, without either, all of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, TS)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[ts(optional_fields)]
pub struct GoldPlace {
    /// Document: its id or its file name.
    #[ts(as = "String")]
    pub document: String,
    /// Pages, from 1: any of them.
    #[ts(as = "Option<_>")]
    pub pages: BTreeSet<u32>,
    /// Start and end in the document's text, in bytes; decides alone where it is given.
    pub range: Option<[u32; 2]>,
}

impl GoldPlace {
    /// True if a passage of a document, given by its ranges, reaches the place.
    pub fn is_reached_by(&self, document: &Document, ranges: &[TextRange]) -> bool {
        if self.document != document.digest && self.document != document.name {
            return false;
        }
        if let Some([start, end]) = self.range {
            let wanted = TextRange { start, end };
            return ranges.iter().any(|range| range.intersect(wanted).is_some());
        }
        if self.pages.is_empty() {
            return true;
        }
        let words = ranges.iter().flat_map(|&range| document.layout.words.words_in(range));
        words.map(|word| word.page).any(|PageId(page)| self.pages.contains(&(page + 1)))
    }
}

/// By passage, in order, the indexes of the places that it is the first to reach.
pub fn first_reached<'a>(
    gold: &[GoldPlace],
    passages: impl IntoIterator<Item = (&'a Document, &'a [TextRange])>,
) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..gold.len()).collect();
    let mut reached = Vec::new();
    for (document, ranges) in passages {
        let is_reached =
            |at: &mut usize| gold.get(*at).is_some_and(|place| place.is_reached_by(document, ranges));
        reached.push(left.extract_if(.., is_reached).collect());
    }
    reached
}

#[cfg(test)]
mod tests {
    use document::{PlacedWord, Rect, TextMap};

    use super::*;

    /// Six words of one letter: four on page 1, one on page 2, one on page 3.
    fn document() -> Document {
        let mut document =
            Document { name: "a.pdf".to_owned(), digest: "d1".to_owned(), ..Document::default() };
        document.layout.text = "w ".repeat(6);
        let word = |(at, page): (usize, u32)| PlacedWord {
            range: TextRange::new(2 * at, 2 * at + 1),
            page: PageId(page),
            rect: Rect::new(0.0, 0.0, 1.0, 1.0),
        };
        document.layout.words = TextMap::new((0..).zip([0, 0, 0, 0, 1, 2]).map(word).collect());
        document
    }

    fn on(document: &str, pages: &[u32], range: Option<[u32; 2]>) -> GoldPlace {
        GoldPlace { document: document.to_owned(), pages: pages.iter().copied().collect(), range }
    }

    #[test]
    fn a_place_is_reached_by_what_shares_text_with_it() {
        let document = document();
        let passage = [TextRange::new(4, 9)]; // the third word to the fifth
        for (place, is_reached) in [
            (on("a.pdf", &[], None), true),
            (on("d1", &[], None), true),
            (on("b.pdf", &[], None), false),
            (on("a.pdf", &[1], None), true),
            (on("a.pdf", &[2, 7], None), true),
            (on("a.pdf", &[3], None), false),
            (on("a.pdf", &[], Some([8, 20])), true),
            (on("a.pdf", &[3], Some([8, 20])), true),
            (on("a.pdf", &[1], Some([9, 20])), false),
            (on("a.pdf", &[1], Some([20, 9])), false),
        ] {
            assert_eq!(place.is_reached_by(&document, &passage), is_reached, "{place:?}");
        }
    }

    #[test]
    fn a_place_is_found_by_the_first_that_reaches_it() {
        let document = document();
        let gold = [on("a.pdf", &[1], None), on("a.pdf", &[2, 3], None), on("b.pdf", &[1], None)];
        let ranges = [(10, 11), (0, 3), (0, 11)].map(|(start, end)| [TextRange::new(start, end)]);
        let passages = ranges.iter().map(|ranges| (&document, &ranges[..]));
        assert_eq!(first_reached(&gold, passages), [vec![1], vec![0], vec![]]);
    }
}
