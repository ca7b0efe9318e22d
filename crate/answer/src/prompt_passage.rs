//! The text of a passage as a model reads it, with its notes inserted, and the map back to the document.
//!
//! A note stands once, between `<note 3>` and `</note>`: behind the block that calls it, or where its own words are
//! asked for. The document's name and headings go in front and are not quotable. A passage over its budget is split at sections, then blocks, then sentences. Linear in
//! the text.

use std::collections::BTreeSet;

use document::{Chunk, Document, DocumentIdx, NoteId, OrNever as _, SectionId, Slice as _, TextRange};
use text::{ApproximateTokens, TokenCount};

use crate::passage::{note_at, note_ranges, notes_called};
use crate::request::SentPassage;

/// A passage as it is sent to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptPassage {
    /// The document.
    pub document: DocumentIdx,
    /// The innermost section around its first byte.
    pub section: SectionId,
    /// The document's name and the headings above the passage.
    pub path: String,
    /// Its words.
    pub text: String,
    /// Map to the document: first byte in `text`, range in the document; in order. Text outside (marks of notes, line
    /// ends) is ours.
    pieces: Vec<(usize, TextRange)>,
}

impl PromptPassage {
    /// A chunk of a document with the notes called in it.
    pub fn of_chunk(source: &Document, document: DocumentIdx, chunk: &Chunk) -> Self {
        Self::of_ranges(source, document, &chunk.ranges)
    }

    /// Ranges of a document, in order, with the notes called in them.
    pub fn of_ranges(source: &Document, document: DocumentIdx, ranges: &[TextRange]) -> Self {
        let section = ranges.first().map_or(SectionId(0), |&range| source.tree.innermost(range));
        let mut path = vec![source.name.clone()];
        path.extend(source.tree.path_titles(section));
        let mut passage =
            Self { document, section, path: path.join(" › "), text: String::new(), pieces: Vec::new() };
        let blocks: Vec<TextRange> = ranges.iter().flat_map(|&range| blocks_in(source, range)).collect();
        let called: Vec<NoteId> = blocks.iter().flat_map(|&part| notes_called(source, part)).collect();
        let mut told = BTreeSet::new();
        for &part in &blocks {
            let Some(note) = note_at(source, part) else {
                passage.push(source, part);
                for note in notes_called(source, part).into_iter().filter(|note| told.insert(*note)) {
                    passage.push_note(source, note, &note_ranges(source, note));
                }
                continue;
            };
            // A note that is called is told whole there.
            if !called.contains(&note) && told.insert(note) {
                let of_note = note_ranges(source, note);
                let is_of_note = |part: &&TextRange| of_note.iter().any(|block| block.contains(**part));
                let parts: Vec<TextRange> = blocks.iter().filter(is_of_note).copied().collect();
                passage.push_note(source, note, &parts);
            }
        }
        passage
    }

    /// A passage of given words.
    #[cfg(test)]
    pub(crate) fn of_words(document: DocumentIdx, section: SectionId, path: &str, text: &str) -> Self {
        let pieces = vec![(0, TextRange::new(0, text.len()))];
        Self { document, section, path: path.to_owned(), text: text.to_owned(), pieces }
    }

    fn push(&mut self, source: &Document, range: TextRange) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.pieces.push((self.text.len(), range));
        self.text.push_str(source.layout.slice(range));
    }

    fn push_note(&mut self, source: &Document, id: NoteId, parts: &[TextRange]) {
        let Some(note) = source.tree.note(id).filter(|_| !parts.is_empty()) else { return };
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str("<note ");
        self.text.push_str(&note.marker);
        self.text.push('>');
        for &part in parts {
            self.push(source, part);
        }
        self.text.push_str("\n</note>");
    }

    /// The ranges of the document behind a range of [`Self::text`], in order.
    pub fn origin(&self, range: TextRange) -> Vec<TextRange> {
        let part = |&(start, piece): &(usize, TextRange)| {
            let shown = TextRange::new(start, start + piece.len());
            let common = shown.intersect(range)?;
            let at = |byte: u32| piece.start as usize + (byte as usize - start);
            Some(TextRange::new(at(common.start), at(common.end)))
        };
        self.pieces.iter().filter_map(part).collect()
    }

    /// True if a range of [`Self::text`] contains no mark of a note.
    pub fn is_of_document(&self, range: TextRange) -> bool {
        let mut end = range.start;
        let is_ours = |start: u32, stop: u32| {
            let between = self.text.slice(start as usize..stop.max(start) as usize);
            !between.trim().is_empty()
        };
        for &(start, piece) in &self.pieces {
            let shown = TextRange::new(start, start + piece.len());
            let Some(common) = shown.intersect(range) else { continue };
            if is_ours(end, common.start) {
                return false;
            }
            end = common.end;
        }
        !is_ours(end, range.end)
    }

    /// All ranges of the document in it.
    pub fn ranges(&self) -> impl Iterator<Item = TextRange> + '_ {
        self.pieces.iter().map(|&(_, range)| range)
    }

    /// The words of the document that are sent with it.
    pub fn sent(&self) -> SentPassage {
        let start = self.pieces.first().map_or(0, |(_, range)| range.start);
        let end = self.ranges().map(|range| range.end).max().unwrap_or(start);
        SentPassage {
            document: self.document,
            section: self.section,
            range: TextRange { start, end: end.max(start) },
        }
    }

    /// Size with path, in tokens.
    pub fn n_tokens(&self) -> usize {
        ApproximateTokens.count(&self.text) + ApproximateTokens.count(&self.path)
    }
}

/// Splits a passage into parts of at most `budget` tokens: at sections, else blocks, else sentences. A sentence over the
/// budget is a part of its own, truncated.
pub fn parts(source: &Document, ranges: &[TextRange], budget: usize) -> Vec<Vec<TextRange>> {
    let mut pieces: Vec<(TextRange, bool)> = Vec::new();
    for &range in ranges {
        for block in blocks_in(source, range) {
            let heads = source
                .tree
                .sections
                .binary_search_by_key(&block.start, |section| section.range.start)
                .is_ok();
            if ApproximateTokens.count(source.layout.slice(block)) <= budget {
                pieces.push((block, heads));
                continue;
            }
            for (at, sentence) in text::sentences(source.layout.slice(block)).into_iter().enumerate() {
                let start = block.start as usize + sentence.start;
                let sentence = TextRange::new(start, start + sentence.len());
                pieces.push((shortened(source, sentence, budget), heads && at == 0));
            }
        }
    }
    let mut parts: Vec<Vec<TextRange>> = Vec::new();
    let mut part: Vec<(TextRange, bool, usize)> = Vec::new();
    for (range, heads) in pieces {
        let size = ApproximateTokens.count(source.layout.slice(range));
        let total: usize = part.iter().map(|&(_, _, size)| size).sum();
        if total + size > budget && !part.is_empty() {
            // Back to the start of the last section, to keep its heading with its text.
            let cut = part.iter().rposition(|&(_, heads, _)| heads).filter(|&at| at > 0 && !heads);
            let rest = cut.map_or_else(Vec::new, |at| part.split_off(at));
            let rest_size: usize = rest.iter().map(|&(_, _, size)| size).sum();
            parts.push(part.iter().map(|&(range, _, _)| range).collect());
            part = rest;
            if rest_size + size > budget && !part.is_empty() {
                parts.push(part.iter().map(|&(range, _, _)| range).collect());
                part.clear();
            }
        }
        part.push((range, heads, size));
    }
    parts.push(part.iter().map(|&(range, _, _)| range).collect());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The longest prefix of a range that fits.
fn shortened(source: &Document, range: TextRange, budget: usize) -> TextRange {
    let text = source.layout.slice(range);
    if ApproximateTokens.count(text) <= budget {
        return range;
    }
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let fits = ends.partition_point(|&end| ApproximateTokens.count(text.slice(..end)) <= budget);
    let end = fits.checked_sub(1).and_then(|at| ends.get(at)).copied().or_never("the empty prefix");
    TextRange::new(range.start as usize, range.start as usize + end)
}

/// The parts of blocks in a range.
fn blocks_in(source: &Document, range: TextRange) -> impl Iterator<Item = TextRange> + '_ {
    let blocks = &source.layout.blocks;
    let first = blocks.partition_point(|block| block.range.end <= range.start);
    let rest = blocks.slice(first..).iter();
    rest.take_while(move |block| block.range.start < range.end)
        .filter_map(move |block| block.range.intersect(range))
}

#[cfg(test)]
mod tests {
    use document::BlockKind;

    use super::*;
    use crate::fixture::{call_note, of_blocks as document, range_of};

    #[test]
    fn a_note_stands_where_it_is_called_and_leads_back_to_its_own_place() {
        let mut document = document(&[
            (BlockKind::Paragraph, "Fees are due."),
            (BlockKind::Paragraph, "They are refunded."),
            (BlockKind::Footnote, "Unless waived."),
        ]);
        call_note(&mut document, "Fees are due.", "3", "Unless waived.");
        let source = PromptPassage::of_ranges(&document, DocumentIdx(0), &[TextRange::new(0, 32)]);
        assert_eq!(source.text, "Fees are due.\n<note 3>\nUnless waived.\n</note>\nThey are refunded.");
        let at = source.text.find("Unless").unwrap();
        let origin = source.origin(TextRange::new(at, at + 6));
        assert_eq!(origin.iter().map(|&range| document.layout.slice(range)).collect::<Vec<_>>(), ["Unless"]);
        let all = source.origin(TextRange::new(0, source.text.len()));
        assert_eq!(all.len(), 3);
        assert!(source.origin(TextRange::new(14, 22)).is_empty(), "the tag is in no document");
        assert!(
            source.is_of_document(TextRange::new(0, 13)) && source.is_of_document(TextRange::new(at, at + 6))
        );
        assert!(
            !source.is_of_document(TextRange::new(0, at + 6))
                && !source.is_of_document(TextRange::new(14, 22))
        );
    }

    #[test]
    fn a_note_stands_once_in_its_marks_even_where_its_own_words_are_asked_for() {
        let mut document = document(&[
            (BlockKind::Paragraph, "Fees are due."),
            (BlockKind::Footnote, "Unless waived. Or paid."),
        ]);
        call_note(&mut document, "Fees are due.", "3", "Unless waived. Or paid.");
        let shown = |words: &[&str]| {
            let ranges: Vec<TextRange> = words.iter().map(|words| range_of(&document, words)).collect();
            PromptPassage::of_ranges(&document, DocumentIdx(0), &ranges).text
        };
        let whole = "Fees are due.\n<note 3>\nUnless waived. Or paid.\n</note>";
        assert_eq!(shown(&["Fees are due."]), whole);
        assert_eq!(shown(&["Fees are due.", "Unless waived. Or paid."]), whole);
        assert_eq!(shown(&["Fees are due.", "Or paid."]), whole, "its words are not said again");
        assert_eq!(shown(&["Unless waived.", "Or paid."]), "<note 3>\nUnless waived.\nOr paid.\n</note>");
    }

    #[test]
    fn a_long_passage_is_cut_where_a_section_begins() {
        let mut document = document(&[
            (BlockKind::Paragraph, "One two three."),
            (BlockKind::Heading, "Head"),
            (BlockKind::Paragraph, "Four five six."),
            (BlockKind::Paragraph, "Seven eight nine. Ten eleven twelve."),
        ]);
        let mut section = document.tree.sections[0].clone();
        section.range = TextRange::new(15, document.layout.text.len());
        document.tree.sections.push(section);
        let all = [TextRange::new(0, document.layout.text.len())];
        let shown = |budget: usize| -> Vec<Vec<&str>> {
            let parts = parts(&document, &all, budget);
            parts
                .iter()
                .map(|part| part.iter().map(|&range| document.layout.slice(range)).collect())
                .collect()
        };
        assert_eq!(shown(1000).len(), 1);
        assert_eq!(shown(9)[0], ["One two three."]);
        assert_eq!(shown(9)[1], ["Head", "Four five six.", "Seven eight nine."]);
        let all_of: String = shown(6).concat().concat();
        assert!(all_of.contains("Seven eight nine.") && all_of.contains("Ten eleven twelve."));
        assert!(shown(6).iter().all(|part| ApproximateTokens.count(&part.join("\n")) <= 6));
        assert!(!shown(1).is_empty(), "a budget that nothing fits ends too");
    }
}
