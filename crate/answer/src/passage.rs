//! Quotable parts of a passage: its sentences, the provision around them, and the extent of a self-contained quotation.

mod contents;
mod heading;
mod notes;
mod table;

use std::ops::Range;

use document::{Block, BlockKind, Document, SectionId, Slice as _, TextRange};
use text::numerals::is_han_ordinal;

pub use contents::is_contents;
pub(crate) use heading::heading_of;
pub(crate) use notes::{MAX_NOTE_BYTES, is_note, note_at, note_ranges, notes_called};
pub use table::heads_of;
pub(crate) use table::{is_head, rows, table_at};

/// Longest marker of a list item, in bytes: "（二十一）", "(viii)".
const MAX_MARKER_CHARS: usize = 8;

/// The sentences of body and notes in `ranges`, and the rows of tables; headings are left out.
pub fn sentences_of(source: &Document, ranges: &[TextRange]) -> Vec<TextRange> {
    let layout = &source.layout;
    let mut sentences = Vec::new();
    for &range in ranges {
        let first = layout.blocks.partition_point(|block| block.range.end <= range.start);
        for block in layout.blocks.slice(first..) {
            if block.range.start >= range.end {
                break;
            }
            let Some(part) = block.range.intersect(range) else { continue };
            if block.kind == BlockKind::Heading {
                continue;
            }
            if block.kind == BlockKind::Table {
                sentences.extend(rows(source, part));
                continue;
            }
            for sentence in text::sentences(layout.slice(part)) {
                sentences.push(within(part, sentence));
            }
        }
    }
    sentences
}

/// The parts of a range without the notes between its blocks and without its opening heading; adjacent parts are
/// joined.
pub(crate) fn own_words(source: &Document, range: TextRange) -> Vec<TextRange> {
    let blocks = &source.layout.blocks;
    let first = blocks.partition_point(|block| block.range.end <= range.start);
    let mut words: Vec<TextRange> = Vec::new();
    let mut is_broken = true;
    for block in blocks.slice(first..) {
        let Some(part) = block.range.intersect(range) else { break };
        if block.kind == BlockKind::Footnote || block.kind == BlockKind::Heading && words.is_empty() {
            is_broken = true;
            continue;
        }
        match words.last_mut().filter(|_| !is_broken) {
            Some(last) => last.end = part.end,
            None => words.push(part),
        }
        is_broken = false;
    }
    // A range of only notes, or only a heading, is kept.
    if words.is_empty() { vec![range] } else { words }
}

/// The quoted text of ranges: each trimmed, one per line.
pub(crate) fn quoted(source: &Document, ranges: &[TextRange]) -> String {
    let words: Vec<&str> = ranges.iter().map(|&range| source.layout.slice(range).trim()).collect();
    words.join("\n")
}

/// The provision around a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Provision {
    /// Its section.
    pub(crate) section: SectionId,
    /// Ranges of its text, in order, without heading, number and notes.
    pub(crate) body: Vec<TextRange>,
    /// True for a numbered provision, false for a plain paragraph.
    pub(crate) is_numbered: bool,
}

impl Provision {
    /// Its first byte, which identifies it in its document.
    pub(crate) fn start(&self) -> u32 {
        self.body.first().map_or(0, |range| range.start)
    }

    /// Length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.body.iter().map(|range| range.len()).sum()
    }
}

/// The innermost numbered provision (article, rule) around `range` if it has at most `max_bytes`; else the block.
pub(crate) fn provision(
    source: &Document,
    section: SectionId,
    range: TextRange,
    max_bytes: usize,
) -> Provision {
    let sections = &source.tree.sections;
    let mut next = Some(section);
    for _ in 0..=sections.len() {
        let Some((id, node)) = next.and_then(|id| Some((id, sections.get(id.idx())?))) else { break };
        if node.is_article {
            let start = node.heading.map_or(node.range.start, |heading| heading.end);
            let body = bodies(source, TextRange { start, end: node.range.end.max(start) });
            if node.range.len() <= max_bytes && body.iter().any(|part| part.intersect(range).is_some()) {
                return Provision { section: id, body, is_numbered: true };
            }
            break;
        }
        next = node.parent;
    }
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    let block = source.layout.blocks.get(at).filter(|block| block.range.contains(range));
    let body = block.map_or(range, |block| without_label(source, block.range));
    let body = if body.intersect(range).is_some() { body } else { range };
    Provision { section, body: vec![body], is_numbered: false }
}

/// The ranges between headings and footnotes, the first without its number.
fn bodies(source: &Document, range: TextRange) -> Vec<TextRange> {
    let layout = &source.layout;
    let mut runs: Vec<TextRange> = Vec::new();
    let mut is_open = false;
    let first = layout.blocks.partition_point(|block| block.range.end <= range.start);
    for block in layout.blocks.slice(first..) {
        if block.range.start >= range.end {
            break;
        }
        let Some(part) = block.range.intersect(range) else { continue };
        if matches!(block.kind, BlockKind::Heading | BlockKind::Footnote) {
            is_open = false;
            continue;
        }
        match runs.last_mut().filter(|_| is_open) {
            Some(run) => run.end = part.end,
            None => runs.push(part),
        }
        is_open = true;
    }
    if let Some(first) = runs.first_mut() {
        *first = without_label(source, *first);
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// A range without a leading number of a Chinese article (第四十条之一) and white space.
fn without_label(source: &Document, range: TextRange) -> TextRange {
    let text = source.layout.slice(range);
    let trimmed = text.trim();
    let rest = label_end(trimmed).map_or(trimmed, |end| trimmed.slice(end..)).trim_start();
    if rest.is_empty() {
        return range;
    }
    let end = range.start as usize + text.trim_end().len();
    TextRange::new(end - rest.len(), end)
}

fn label_end(text: &str) -> Option<usize> {
    let is_numeral = |c: char| c.is_ascii_digit() || is_han_ordinal(c);
    let figures = text.strip_prefix('第')?;
    let after = figures.trim_start_matches(is_numeral).strip_prefix('条')?;
    let after = after.strip_prefix('之').map_or(after, |more| more.trim_start_matches(is_numeral));
    after.starts_with(char::is_whitespace).then_some(text.len() - after.len())
}

/// A part of a provision that is quoted or left out as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProvisionPart {
    /// Its range.
    pub(crate) range: TextRange,
    /// True if it introduces the list that follows.
    pub(crate) leads: bool,
    /// True for an item of a list.
    pub(crate) is_item: bool,
    /// True if it limits the text before it: "However, …", "This does not apply …".
    pub(crate) qualifies: bool,
}

/// The parts of a provision: sentences, lead-ins, and items of lists, also of lists within a sentence.
/// Chinese clauses that `；` joins are one sentence, unless they are items.
pub(crate) fn provision_parts(source: &Document, body: &[TextRange]) -> Vec<ProvisionPart> {
    let layout = &source.layout;
    let mut parts: Vec<ProvisionPart> = Vec::new();
    for sentence in sentences_of(source, body) {
        let text = layout.slice(sentence);
        let cut = list_within(text).unwrap_or(0);
        let (lead, rest) = (within(sentence, 0..cut), within(sentence, cut..text.len()));
        for range in [lead, rest].into_iter().filter(|range| !range.is_empty()) {
            let text = layout.slice(range);
            let is_item = is_item(text);
            if let Some(last) = parts.last_mut().filter(|_| !is_item)
                && layout.slice(last.range).ends_with(['；', ';'])
                && !layout
                    .text
                    .get(last.range.end as usize..range.start as usize)
                    .unwrap_or("\n")
                    .contains('\n')
            {
                last.range.end = range.end;
                last.leads = leads(text);
                continue;
            }
            parts.push(ProvisionPart { range, leads: leads(text), is_item, qualifies: qualifies(text) });
        }
    }
    parts
}

/// Start of the list that a sentence introduces: "下列职责：(一)…".
fn list_within(text: &str) -> Option<usize> {
    text.match_indices([':', '：']).map(|(at, colon)| at + colon.len()).find(|&at| {
        let rest = text.slice(at..);
        !rest.trim().is_empty() && rest.trim_start().starts_with(['(', '（']) && is_item(rest)
    })
}

/// True if a text begins with the marker of an item: "(a)", "（一）", "1.", "二、", "•".
fn is_item(text: &str) -> bool {
    let text = text.trim_start();
    let head: String = text.chars().take(MAX_MARKER_CHARS).collect();
    let is_numeral = |c: char| c.is_ascii_alphanumeric() || is_han_ordinal(c);
    if let Some(inner) = head.strip_prefix(['(', '（']) {
        let after = inner.trim_start_matches(is_numeral);
        return after.len() < inner.len() && after.starts_with([')', '）']);
    }
    if head.starts_with(['•', '·', '▪', '◦', '①', '②', '③', '④', '⑤', '⑥', '⑦', '⑧', '⑨', '⑩'])
    {
        return true;
    }
    let after = head.trim_start_matches(is_numeral);
    let n_figures = head.len() - after.len();
    let mut rest = after.chars();
    n_figures > 0
        && n_figures <= 6
        && match rest.next() {
            Some('、' | '．') => true,
            Some('.' | ')' | '）') => rest.next().is_some_and(char::is_whitespace),
            _ => false,
        }
}

const QUALIFYING: &[&str] = &[
    "however",
    "unless ",
    "except ",
    "provided that",
    "notwithstanding ",
    "this does not apply",
    "this rule does not apply",
    "但是",
    "但",
    "前款规定不适用",
];

fn qualifies(text: &str) -> bool {
    let head: String = text.trim_start().chars().take(40).collect::<String>().to_lowercase();
    QUALIFYING.iter().any(|opening| head.starts_with(opening)) || head.contains(" does not apply")
}

/// A self-contained quotation: a list item with the lead-in of its list ("A firm must:" … "(b) keep records"), or a
/// lead-in with its list, within bounds.
pub(crate) fn whole(source: &Document, range: TextRange, max_bytes: usize) -> TextRange {
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    let range = with_list(source, at, range, max_bytes);
    with_lead_in(source, at, range, max_bytes)
}

fn within(range: TextRange, part: Range<usize>) -> TextRange {
    let start = range.start as usize;
    TextRange::new(start + part.start, start + part.end)
}

fn leads(text: &str) -> bool {
    text.trim_end().ends_with([':', '：', '—', '–'])
}

/// `range`, and, if it is a lead-in, the items that follow, up to one that is less indented than the first.
fn with_list(source: &Document, at: usize, range: TextRange, max_bytes: usize) -> TextRange {
    let blocks = &source.layout.blocks;
    let Some(lead) = blocks.get(at).filter(|_| leads(source.layout.slice(range))) else { return range };
    let items = blocks.slice(at + 1..);
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
    for lead in blocks.slice(..at).iter().rev() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_known_by_their_markers() {
        for item in [
            "(a) keep",
            "（一）建立",
            "(一)建立",
            "（二十一）其他",
            "1. keep",
            "二、保存",
            "• keep",
            "(viii) it",
            "3) it",
        ] {
            assert!(is_item(item), "{item}");
        }
        for text in
            ["1.5 per cent", "a firm", "（以下简称公司）应当", "第一条", "2006年", "", "(the “Rules”) apply"]
        {
            assert!(!is_item(text), "{text}");
        }
    }

    #[test]
    fn the_number_of_an_article_is_not_quoted() {
        for (text, end) in
            [("第四条　董事会", Some("第四条".len())), ("第四十条之一 甲", Some("第四十条之一".len()))]
        {
            assert_eq!(label_end(text), end);
        }
        assert_eq!(label_end("第四条第二款规定的"), None);
    }

    #[test]
    fn a_list_may_stand_within_a_sentence() {
        let text = "主管部门履行下列职责：(一)组织制定；";
        assert_eq!(list_within(text), Some("主管部门履行下列职责：".len()));
        assert_eq!(list_within("the following (see below): (a) and (b)").map(|at| at > 20), Some(true));
        assert_eq!(list_within("as follows: it applies"), None);
    }

    #[test]
    fn what_limits_a_rule_is_known_by_its_opening() {
        for text in ["However, a firm may", "Rule 3.1 does not apply to", "但是，法律另有规定的"] {
            assert!(qualifies(text), "{text}");
        }
        assert!(!qualifies("A firm must, unless exempt, notify"));
    }
}
