//! Passages that are tables of contents: they have the words of every question and answer none, but one for a place.

use document::{Block, Document, Slice as _, TextRange};
use text::leaders::numbers_behind_leaders;
use text::wording::is_contents_title;

/// Fewest entries of a table of contents.
const MIN_ENTRIES: usize = 4;
/// Entries of which one may have a smaller page number than the entry before.
const PER_DESCENT: usize = 10;
/// Blocks before a passage among which the title of the table is, and longest of them without a page number, in bytes.
const MAX_ABOVE: usize = 200;
const MAX_TITLE: usize = 200;
/// Blocks read before a passage and behind it: of leaders as wide as the page a passage has one or two.
const MAX_BESIDE: usize = 12;

/// True if most of these ranges, of a passage, is entries of a table of contents: leaders, then page numbers that ascend, also
/// those of the entries beside them, below a title such as "Contents". Fees behind leaders may ascend, too. Cost: linear in the
/// text of the passage and of some 200 short blocks before it.
pub fn is_contents(source: &Document, ranges: &[TextRange]) -> bool {
    let blocks = &source.layout.blocks;
    let numbers = |block: &Block| numbers_behind_leaders(source.layout.slice(block.range));
    let (mut n_entry_bytes, mut n_bytes) = (0, 0);
    let (mut first, mut last) = (blocks.len(), 0);
    for &range in ranges {
        let start = blocks.partition_point(|block| block.range.end <= range.start);
        let parts =
            blocks.slice(start..).iter().map_while(|block| Some((block, block.range.intersect(range)?)));
        for (at, (block, part)) in parts.enumerate() {
            n_bytes += part.len();
            n_entry_bytes += if numbers(block).is_empty() { 0 } else { part.len() };
            (first, last) = (first.min(start + at), last.max(start + at));
        }
    }
    if 2 * n_entry_bytes <= n_bytes {
        return false;
    }
    let above = blocks.slice(..first + 1).iter().rev().take(MAX_ABOVE);
    let mut above = above.take_while(|block| block.range.len() <= MAX_TITLE || !numbers(block).is_empty());
    if !above.any(|block| is_contents_title(source.layout.slice(block.range).trim())) {
        return false;
    }
    let around = first.saturating_sub(MAX_BESIDE)..(last + 1 + MAX_BESIDE).min(blocks.len());
    let pages: Vec<u32> = blocks.slice(around).iter().flat_map(numbers).collect();
    let n_descents = pages.windows(2).filter(|pair| pair.first() > pair.last()).count();
    pages.len() >= MIN_ENTRIES && n_descents * PER_DESCENT < pages.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::of_blocks;
    use document::BlockKind;

    fn is_one(blocks: &[&str]) -> bool {
        let blocks: Vec<(BlockKind, &str)> =
            blocks.iter().map(|text| (BlockKind::Paragraph, *text)).collect();
        let document = of_blocks(&blocks);
        is_contents(&document, &[TextRange::new(0, document.layout.text.len())])
    }

    #[test]
    fn leaders_with_ascending_pages_are_a_table_of_contents() {
        let entries = [
            "Contents",
            "1. Fees ........ 3",
            "2. Notices ........ 3",
            "3. Law ........ 9",
            "Annex ........ 12",
        ];
        assert!(is_one(&entries));
        assert!(is_one(&["Contents", &entries[1..].join(" ")]), "read as one paragraph");
        assert!(!is_one(&entries[..4]), "too few to tell");
        assert!(!is_one(&entries[1..]), "fees behind leaders ascend, too");
    }

    #[test]
    fn an_entry_alone_is_told_by_those_beside_it() {
        let entries = [
            "Contents",
            "Fees ........ 3",
            "Notices ........ 3",
            "Law ........ 9",
            "Annex ........ 12",
            "Fees are due.",
        ];
        let blocks: Vec<(BlockKind, &str)> =
            entries.iter().map(|text| (BlockKind::Paragraph, *text)).collect();
        let document = of_blocks(&blocks);
        let is_contents = |at: usize| super::is_contents(&document, &[document.layout.blocks[at].range]);
        assert_eq!([1, 2, 3, 4, 5].map(is_contents), [true, true, true, true, false]);
    }

    #[test]
    fn codes_behind_leaders_and_text_with_some_are_none() {
        let codes = [
            "Contents",
            "Peyote .... 7415",
            "Ibogaine .... 7260",
            "Heroin .... 9200",
            "LSD .... 7315",
            "THC .... 7370",
        ];
        assert!(!is_one(&codes));
        let text = "The fees of the first year are due on its last day, with interest from the first day of the second.";
        assert!(!is_one(&[
            "Contents",
            "1. Fees .... 3",
            text,
            "2. Notices .... 4",
            text,
            "3. Law .... 9",
            text,
            "4. Form .... 12"
        ]));
    }
}
