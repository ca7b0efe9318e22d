//! What of a passage may be quoted: its sentences, and how far a quotation must reach to stand by itself.

use document::{Block, BlockKind, Document, SectionId, TextRange};

/// The sentences of the body and notes that lie in `ranges`; headings are no answers.
pub(crate) fn sentences_of(source: &Document, ranges: &[TextRange]) -> Vec<TextRange> {
    let layout = &source.layout;
    let mut sentences = Vec::new();
    for &range in ranges {
        let first = layout.blocks.partition_point(|block| block.range.end <= range.start);
        for block in layout.blocks.get(first..).unwrap_or_default() {
            if block.range.start >= range.end {
                break;
            }
            let Some(part) = block.range.intersect(range) else { continue };
            if block.kind == BlockKind::Heading {
                continue;
            }
            for sentence in text::sentences(layout.slice(part)) {
                let start = part.start as usize + sentence.start;
                sentences.push(TextRange::new(start, start + sentence.len()));
            }
        }
    }
    sentences
}

/// The innermost section that holds a range.
pub fn section_at(source: &Document, range: TextRange) -> SectionId {
    let mut innermost = (0, SectionId(0));
    for (idx, section) in source.tree.sections.iter().enumerate() {
        if section.range.start > range.start {
            break;
        }
        if section.range.contains(range) && section.level >= innermost.0 {
            innermost = (section.level, SectionId::from_idx(idx));
        }
    }
    innermost.1
}

/// A quotation that stands by itself: a list item with the sentence that leads into its list ("A firm must:" …
/// "(b) keep records"), and a sentence that leads into a list with the list, as far as that is near enough.
pub(crate) fn whole(source: &Document, range: TextRange, max_bytes: usize) -> TextRange {
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    let range = with_list(source, at, range, max_bytes);
    with_lead_in(source, at, range, max_bytes)
}

fn leads(text: &str) -> bool {
    text.trim_end().ends_with([':', '：', '—', '–'])
}

/// `range`, and if it ends by leading into a list, the items that follow, down to one that stands further out
/// than the first.
fn with_list(source: &Document, at: usize, range: TextRange, max_bytes: usize) -> TextRange {
    let blocks = &source.layout.blocks;
    let Some(lead) = blocks.get(at).filter(|_| leads(source.layout.slice(range))) else { return range };
    let items = blocks.get(at + 1..).unwrap_or_default();
    let Some(first) = items.first() else { return range };
    let deeper = first.style.indent.0 > lead.style.indent.0 + 1.0;
    if !deeper && lead.kind != BlockKind::Paragraph {
        return range;
    }
    let belongs = |item: &&Block| {
        item.kind == BlockKind::ListItem
            && item.style.indent.0 > first.style.indent.0 - 1.0
            && (item.range.end - range.start) as usize <= max_bytes
    };
    let end = items.iter().take_while(belongs).last().map_or(range.end, |item| item.range.end);
    TextRange { end, ..range }
}

fn with_lead_in(source: &Document, at: usize, range: TextRange, max_bytes: usize) -> TextRange {
    let blocks = &source.layout.blocks;
    let Some(item) = blocks.get(at).filter(|block| block.kind == BlockKind::ListItem) else { return range };
    for lead in blocks.get(..at).unwrap_or_default().iter().rev() {
        let start = lead.range.start;
        if (range.end - start) as usize > max_bytes || lead.kind == BlockKind::Heading {
            return range;
        }
        if leads(source.layout.slice(lead.range)) && lead.style.indent.0 < item.style.indent.0 + 1.0 {
            return TextRange { start, end: range.end };
        }
        if lead.kind != BlockKind::ListItem {
            return range;
        }
    }
    range
}
