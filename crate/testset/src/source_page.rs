//! Page-based chunks: the text of each page of a document, in reading order, with its place.

use document::{Caveat, ChunkKind, Document, PageId, TextRange};
use text::{ApproximateTokens, TokenCount as _};

/// Fewest letters and digits of a page that is asked about: a title page has fewer.
const MIN_LETTERS: usize = 200;
/// Longest text of a page that is used, in bytes, several times that of a dense page. A longer one is cut.
const MAX_BYTES: usize = 16_000;

/// Page of a document as a source of questions; of a document without pages, a parent chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePage {
    /// File name of the document.
    pub document: String,
    /// SHA-256 of the file.
    pub digest: String,
    /// Number of the page, from 1; `None` in a document without pages.
    pub page: Option<u32>,
    /// The text: the ranges joined by `\n`, at most 16,000 bytes.
    pub text: String,
    /// Ranges of the document's text, in its order.
    ranges: Vec<TextRange>,
    /// Ranges of the document's text with a caveat, those that touch the page.
    caveats: Vec<(TextRange, Caveat)>,
}

impl SourcePage {
    /// Its id as judgments of pages have it: `file.pdf#7`; the name alone in a document without pages.
    pub fn id(&self) -> String {
        match self.page {
            Some(page) => format!("{}#{page}", self.document),
            None => self.document.clone(),
        }
    }

    /// Size of its text in tokens, by [`ApproximateTokens`].
    pub(crate) fn n_tokens(&self) -> usize {
        ApproximateTokens.count(&self.text)
    }

    /// The ranges of the document that a range of the page's text covers, and the caveats that they touch, mildest first.
    pub(crate) fn place(&self, range: TextRange) -> (Vec<TextRange>, Vec<Caveat>) {
        let mut start = 0;
        let mut places = Vec::new();
        for part in &self.ranges {
            let here = TextRange::new(start, start + part.len());
            if let Some(common) = here.intersect(range) {
                let first = part.start as usize + common.start as usize - start;
                places.push(TextRange::new(first, first + common.len()));
            }
            start += part.len() + 1;
        }
        let is_touched = |wanted: &Caveat| {
            let same = self.caveats.iter().filter(|(_, caveat)| caveat == wanted);
            same.into_iter().any(|(at, _)| places.iter().any(|place| place.intersect(*at).is_some()))
        };
        let caveats = Caveat::ALL.into_iter().filter(is_touched).collect();
        (places, caveats)
    }
}

/// The pages of a document that have enough text to be asked about, in their order.
pub fn pages_of(document: &Document) -> Vec<SourcePage> {
    let layout = &document.layout;
    let pages: Vec<(Option<PageId>, Vec<TextRange>)> = if layout.pages.is_empty() {
        let parents = document.chunks.iter().filter(|chunk| chunk.kind == ChunkKind::Parent);
        parents.map(|chunk| (None, chunk.ranges.clone())).collect()
    } else {
        by_page(document).into_iter().map(|(page, ranges)| (Some(page), ranges)).collect()
    };
    let source = |(page, ranges): (Option<PageId>, Vec<TextRange>)| {
        let caveats = layout.caveats.ranges().iter();
        let touching =
            caveats.filter(|each| ranges.iter().any(|range| range.intersect(each.range).is_some()));
        let texts: Vec<&str> = ranges.iter().map(|&range| layout.slice(range)).collect();
        let text = answer::head(&texts.join("\n"), MAX_BYTES).to_owned();
        SourcePage {
            document: document.name.clone(),
            digest: document.digest.clone(),
            page: page.map(|PageId(page)| page + 1),
            text,
            caveats: touching.map(|each| (each.range, each.caveat)).collect(),
            ranges,
        }
    };
    let has_text =
        |page: &SourcePage| page.text.chars().filter(|c| c.is_alphanumeric()).nth(MIN_LETTERS - 1).is_some();
    pages.into_iter().map(source).filter(has_text).collect()
}

/// The ranges of each page that has words: from the first to the last of the words that follow each other there.
fn by_page(document: &Document) -> Vec<(PageId, Vec<TextRange>)> {
    let mut pages: std::collections::BTreeMap<PageId, Vec<TextRange>> = std::collections::BTreeMap::new();
    let mut last = None;
    for word in document.layout.words.words() {
        let ranges = pages.entry(word.page).or_default();
        match ranges.last_mut() {
            Some(range) if last == Some(word.page) => range.end = word.range.end,
            _ => ranges.push(word.range),
        }
        last = Some(word.page);
    }
    pages.into_iter().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use document::{CaveatRange, Caveats, PageGeometry, PageInfo, PlacedWord, Rect, Rotation, TextMap};

    use super::*;

    /// A document of these pages, each word placed on its page; `order` lists pages in reading order.
    pub(crate) fn paged(name: &str, parts: &[(u32, &str)]) -> Document {
        let mut document = Document { name: name.to_owned(), digest: "d".repeat(64), ..Document::default() };
        let (mut text, mut words) = (String::new(), Vec::new());
        for (page, part) in parts {
            for word in part.split(' ') {
                let start = text.len();
                text.push_str(word);
                let range = TextRange::new(start, text.len());
                words.push(PlacedWord { range, page: PageId(*page), rect: Rect::new(0.0, 0.0, 1.0, 1.0) });
                text.push(' ');
            }
        }
        document.layout.text = text;
        document.layout.words = TextMap::new(words);
        let geometry = PageGeometry { crop: [0.0, 0.0, 1.0, 1.0], rotation: Rotation::None };
        document.layout.pages = vec![PageInfo { label: None, geometry }; 9];
        document
    }

    #[test]
    fn a_page_is_its_words_in_reading_order_and_its_ranges_lead_back() {
        let long = "word ".repeat(60);
        let document =
            paged("a.pdf", &[(0, long.trim()), (1, "short"), (2, long.trim()), (0, "a late note")]);
        let pages = pages_of(&document);
        assert_eq!(pages.iter().map(|page| page.page).collect::<Vec<_>>(), [Some(1), Some(3)]);
        let first = &pages[0];
        assert_eq!(first.id(), "a.pdf#1");
        assert!(first.text.ends_with("word\na late note"));
        for words in ["word word", "a late note", "late"] {
            let start = first.text.find(words).unwrap();
            let (places, _) = first.place(TextRange::new(start, start + words.len()));
            let found: Vec<&str> = places.iter().map(|&range| document.layout.slice(range)).collect();
            assert_eq!(found, [words]);
        }
        let start = first.text.find("word\na").unwrap();
        let (across, _) = first.place(TextRange::new(start, start + 6));
        let found: Vec<&str> = across.iter().map(|&range| document.layout.slice(range)).collect();
        assert_eq!(found, ["word", "a"]);
    }

    #[test]
    fn words_that_a_caveat_touches_have_it() {
        let mut document = paged("a.pdf", &[(0, "word ".repeat(60).trim())]);
        let range = TextRange::new(10, 14);
        document.layout.caveats = Caveats::new(vec![CaveatRange { caveat: Caveat::Ocr, range }]);
        let pages = pages_of(&document);
        assert_eq!(pages[0].place(TextRange::new(12, 20)).1, [Caveat::Ocr]);
        assert!(pages[0].place(TextRange::new(15, 20)).1.is_empty());
    }
}
