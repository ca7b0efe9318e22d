//! Terms and acronyms that a text defines.
//!
//! Four ways are read: a quoted term with a verb that defines ("“Business Day” means …", “X” 是指 …), 所称 …
//! 是指 …, a row or paragraph of a section of definitions, and a bracket behind a name ("(the “Act”)",
//! "Qualified Investor (QI)"; `text::reference::short_forms`). A term that none of them shows is left out: a
//! wrong definition misleads more than a missing one. Cost: linear in the text.

use std::collections::BTreeSet;

use document::{BlockKind, DefinedTerm, Layout, Section, Slice as _, TermKind, TextRange};
use text::reference::short_forms;
use text::sentences;

/// Longest term in bytes.
const MAX_TERM: usize = 120;
/// Longest aside between a term and its verb: ", in relation to a Fund,".
const MAX_ASIDE: usize = 120;
/// Longest meaning in bytes.
const MAX_MEANING: usize = 4_000;

/// Verbs behind a defined term. Longer ones first.
const VERBS: [&str; 15] = [
    "shall have the meaning",
    "shall have the same meaning",
    "shall mean",
    "shall include",
    "has the meaning",
    "have the meaning",
    "has the same meaning",
    "is defined",
    "are defined",
    "means",
    "mean ",
    "includes",
    "refers to",
    "refer to",
    "has the respective meaning",
];

/// The terms that the text defines, in its order.
pub(crate) fn collect(layout: &Layout, sections: &[Section]) -> Vec<DefinedTerm> {
    let mut terms = Vec::new();
    for block in &layout.blocks {
        let text = layout.slice(block.range);
        quoted(text, block.range, &mut terms);
        if !text.is_ascii() {
            so_called(text, block.range, &mut terms);
        }
    }
    for section in sections.iter().filter(|section| is_definitions(&section.title)) {
        for block in section.blocks.iter().filter_map(|id| layout.blocks.get(id.idx())) {
            let text = layout.slice(block.range);
            match block.kind {
                BlockKind::Table => rows(text, block.range, &mut terms),
                BlockKind::Paragraph | BlockKind::ListItem => plain(text, block.range, &mut terms),
                _ => {}
            }
        }
    }
    for form in short_forms(&layout.text) {
        let kind = if form.acronym { TermKind::Acronym } else { TermKind::Inline };
        let printed = layout.text.slice(form.short.clone());
        let article = printed.strip_prefix("the ").map_or(0, |_| "the ".len());
        let range = TextRange::new(form.short.start + article, form.short.end);
        let meaning = TextRange::new(form.long.start, form.long.end);
        let term = name(layout.slice(range));
        if !term.eq_ignore_ascii_case(&name(layout.slice(meaning))) {
            terms.push(DefinedTerm { term, range, meaning, kind });
        }
    }
    terms.sort_by_key(|term| (term.range, term.kind as u8));
    let mut end = 0;
    terms.retain(|term| {
        let keep = term.range.start >= end && !term.range.is_empty() && !term.meaning.is_empty();
        if keep {
            end = term.range.end;
        }
        keep
    });
    // An acronym that stands behind its name on every page is defined once.
    let mut known = BTreeSet::new();
    terms.retain(|term| term.kind == TermKind::Definition || known.insert(term.term.clone()));
    terms
}

/// A term with single spaces.
fn name(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_definitions(title: &str) -> bool {
    let lower = title.to_lowercase();
    title.len() < 200
        && ["definition", "interpretation", "glossary", "defined terms", "定义", "释义", "术语"]
            .iter()
            .any(|word| lower.contains(word))
}

/// “X” means …, "X" shall mean …, “X”是指…….
fn quoted(text: &str, block: TextRange, terms: &mut Vec<DefinedTerm>) {
    let mut at = 0;
    while let Some((open, c)) = text
        .get(at..)
        .and_then(|rest| rest.char_indices().find(|&(_, c)| matches!(c, '“' | '"' | '‘' | '「')))
    {
        let start = at + open + c.len_utf8();
        let close = match c {
            '“' => '”',
            '‘' => '’',
            '「' => '」',
            _ => '"',
        };
        let Some(rest) = text.get(start..) else { return };
        let end = rest
            .char_indices()
            .take_while(|&(n, c)| n <= MAX_TERM && c != '\n')
            .find(|&(_, c)| c == close)
            .map(|(n, _)| n);
        let Some(n) = end else {
            at = start;
            continue;
        };
        let after = start + n + close.len_utf8();
        at = after;
        let printed = rest.slice(..n);
        if let Some(verb) = verb_behind(text, after)
            && printed.trim().chars().nth(1).is_some()
        {
            let lead = printed.len() - printed.trim_start().len();
            let tail = printed.trim_end_matches([' ', ',', '，']).len();
            push(text, block, start + lead..start + tail.max(lead), verb, terms);
            // The next quotation marks may stand in the meaning.
            at = verb;
        }
    }
}

/// Start of the verb that defines the term before `at`: directly behind it, after a bracket or after an aside.
fn verb_behind(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let trimmed = rest.trim_start();
    let trimmed =
        trimmed.strip_prefix('，').filter(|after| after.starts_with(['是', '系', '指'])).unwrap_or(trimmed);
    let begin = at + rest.len() - trimmed.len();
    if is_verb(trimmed) {
        return Some(begin);
    }
    let aside = trimmed.strip_prefix([',', '，']).map(|aside| (aside, begin + trimmed.len() - aside.len()));
    let (aside, from) = match aside {
        Some(aside) => aside,
        None => {
            let inside = trimmed.strip_prefix('(')?;
            let close = inside.bytes().take(MAX_ASIDE).position(|b| b == b')')? + 2;
            (trimmed.get(close..)?, begin + close)
        }
    };
    let mut offset = 0;
    for word in aside.split_inclusive(' ') {
        if offset > MAX_ASIDE || word.contains(['.', ';', '“', '"']) {
            return None;
        }
        if aside.get(offset..).is_some_and(is_verb) {
            return Some(from + offset);
        }
        offset += word.len();
    }
    None
}

fn is_verb(text: &str) -> bool {
    VERBS.iter().any(|verb| {
        text.strip_prefix(verb)
            .is_some_and(|rest| verb.ends_with(' ') || !rest.starts_with(char::is_alphanumeric))
    }) || ["是指", "系指", "指的是", "指"].iter().any(|verb| text.starts_with(verb))
}

/// Adds a definition: the term, and the rest of the sentence from its verb on (a sentence that ends with a
/// colon goes on to the end of its block).
fn push(
    text: &str,
    block: TextRange,
    term: std::ops::Range<usize>,
    verb: usize,
    terms: &mut Vec<DefinedTerm>,
) {
    let limit = text.floor_char_boundary(verb + MAX_MEANING);
    let Some(rest) = text.get(verb..limit) else { return };
    let first = sentences(rest).into_iter().next();
    let end = match first {
        Some(sentence) if !rest.get(sentence.clone()).is_some_and(|s| s.ends_with([':', '：', '—'])) => {
            verb + sentence.end
        }
        _ => verb + rest.trim_end().len(),
    };
    let Some(printed) = text.get(term.clone()) else { return };
    let offset = block.start as usize;
    terms.push(DefinedTerm {
        term: name(printed),
        range: TextRange::new(offset + term.start, offset + term.end),
        meaning: TextRange::new(offset + verb, offset + end),
        kind: TermKind::Definition,
    });
}

/// 本法所称……，是指…….
fn so_called(text: &str, block: TextRange, terms: &mut Vec<DefinedTerm>) {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find("所称")) {
        let mut start = at + found + "所称".len();
        at = start;
        let Some(mut rest) = text.get(start..) else { return };
        if let Some(after) = rest.strip_prefix('的') {
            start += '的'.len_utf8();
            rest = after;
        }
        let end = rest.char_indices().take(40).find(|&(n, c)| {
            matches!(c, '。' | '；' | '\n') || rest.get(n..).is_some_and(|tail| tail.starts_with("是指"))
        });
        let Some((n, '是')) = end else { continue };
        let printed = rest.slice(..n);
        let term = printed.trim_end_matches(['，', ',', ' ', '”']).trim_start_matches('“');
        let lead = printed.find(term).unwrap_or(0);
        if !term.is_empty() && !term.contains(['，', '、']) {
            push(text, block, start + lead..start + lead + term.len(), start + n, terms);
        }
        at = start + n;
    }
}

/// A table of definitions: the term in the first cell, its meaning in the others.
fn rows(text: &str, block: TextRange, terms: &mut Vec<DefinedTerm>) {
    let mut start = block.start as usize;
    for (n, row) in text.split_inclusive('\n').enumerate() {
        let line = row.trim_end();
        if let Some((term, meaning)) = line.split_once('\t').filter(|(_, meaning)| is_prose(meaning)) {
            let bare = term.trim_matches(|c: char| c.is_whitespace() || "\"“”‘’'".contains(c));
            let lower = bare.to_lowercase();
            let head = n == 0
                && ["term", "defined term", "definition", "expression", "术语"].contains(&lower.as_str());
            let lead = term.find(bare).unwrap_or(0);
            let gap = meaning.len() - meaning.trim_start().len();
            let from = start + term.len() + 1 + gap;
            if !head && !bare.is_empty() && bare.len() <= MAX_TERM && !meaning.trim().is_empty() {
                terms.push(DefinedTerm {
                    term: name(bare),
                    range: TextRange::new(start + lead, start + lead + bare.len()),
                    meaning: TextRange::new(from, start + line.len()),
                    kind: TermKind::Definition,
                });
            }
        }
        start += row.len();
    }
}

/// One cell of words: a second cell or a mere figure makes the table one of something else.
fn is_prose(cell: &str) -> bool {
    !cell.contains('\t')
        && (cell.split_whitespace().count() >= 3 || cell.chars().filter(|&c| text::is_cjk(c)).count() >= 4)
}

/// "Business Day means …" in a section of definitions, without quotation marks.
fn plain(text: &str, block: TextRange, terms: &mut Vec<DefinedTerm>) {
    const MAX_WORDS: usize = 8;
    let mut verb = 0;
    for (n, word) in text.split_inclusive(' ').enumerate() {
        if n > MAX_WORDS || verb > MAX_TERM {
            return;
        }
        if n > 0 && text.get(verb..).is_some_and(is_verb) {
            break;
        }
        if word.contains(['.', ';', ':', '"', '“']) && n > 0 {
            return;
        }
        verb += word.len();
    }
    if verb >= text.len() {
        return;
    }
    let head = text.slice(..verb);
    // "(a) Business Day": the mark of a list item is no part of the term.
    let lead = if head.starts_with('(') { head.find(')').map_or(0, |close| close + 1) } else { 0 };
    let body = head.slice(lead..);
    let start = lead + body.len() - body.trim_start().len();
    let term = body.trim().trim_end_matches([',', ':']);
    let opens = term.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let common =
        ["This", "That", "It", "The following", "Nothing", "Any reference", "A reference", "References"];
    if opens && !common.iter().any(|word| term.starts_with(word)) {
        push(text, block, start..start + term.len(), verb, terms);
    }
}

#[cfg(test)]
mod tests {
    use document::{Block, BlockId, BlockStyle, Role};

    use super::*;

    /// Term, kind, meaning.
    type Expected = (&'static str, TermKind, &'static str);

    /// Term, kind and meaning of each line's definitions; `title` is the section's.
    fn defined(title: &str, kind: BlockKind, text: &str) -> Vec<(String, TermKind, String)> {
        let range = TextRange::new(0, text.len());
        let block = Block { kind, role: Role::Body, range, style: BlockStyle::default(), marker: None };
        let layout = Layout { text: text.to_owned(), blocks: vec![block], ..Layout::default() };
        let section = Section {
            parent: None,
            level: 0,
            label: None,
            title: title.to_owned(),
            heading: None,
            range,
            blocks: vec![BlockId(0)],
            is_article: false,
        };
        collect(&layout, &[section])
            .into_iter()
            .map(|term| (term.term, term.kind, layout.slice(term.meaning).to_owned()))
            .collect()
    }

    use TermKind::{Acronym, Definition, Inline};

    /// Title, kind and text of a block; the terms in it, with their kinds and meanings.
    const TERMS: &[(&str, BlockKind, &str, &[Expected])] = &[
        (
            "",
            BlockKind::Paragraph,
            "“Business Day” means a day on which banks are open. It is counted whole.",
            &[("Business Day", Definition, "means a day on which banks are open.")],
        ),
        (
            "",
            BlockKind::Paragraph,
            "\"Dues\", in relation to a ship, means the dues under Rule 4.",
            &[("Dues", Definition, "means the dues under Rule 4.")],
        ),
        (
            "",
            BlockKind::Paragraph,
            "“Berth” shall have the meaning given in clause 2.",
            &[("Berth", Definition, "shall have the meaning given in clause 2.")],
        ),
        ("", BlockKind::Paragraph, "He said “so be it” and means it.", &[]),
        (
            "",
            BlockKind::Paragraph,
            "本法所称港口经营人，是指经营港口的企业。其他企业除外。",
            &[("港口经营人", Definition, "是指经营港口的企业。")],
        ),
        (
            "",
            BlockKind::Paragraph,
            "“泊位”，是指船舶停靠的位置。",
            &[("泊位", Definition, "是指船舶停靠的位置。")],
        ),
        (
            "1.1 Definitions",
            BlockKind::ListItem,
            "(a) Harbour Master means the person in charge of the harbour;",
            &[("Harbour Master", Definition, "means the person in charge of the harbour;")],
        ),
        ("4 Fees", BlockKind::ListItem, "(a) Harbour Master means the person in charge;", &[]),
        (
            "Glossary",
            BlockKind::Table,
            "Term\tMeaning of it\nBerth\tA place for one ship\nYear\t2019\t3",
            &[("Berth", Definition, "A place for one ship")],
        ),
        (
            "",
            BlockKind::Paragraph,
            "between Acme Holdings, Inc. (the “Company”) and a Qualified Investor (QI); each Qualified Investor (QI)",
            &[("Company", Inline, "Acme Holdings, Inc."), ("QI", Acronym, "Qualified Investor")],
        ),
    ];

    #[test]
    fn terms_are_found_with_their_meanings() {
        for (title, kind, text, expected) in TERMS {
            let found = defined(title, *kind, text);
            let found: Vec<(&str, TermKind, &str)> =
                found.iter().map(|(term, kind, meaning)| (term.as_str(), *kind, meaning.as_str())).collect();
            assert_eq!(found, *expected, "{text:?}");
        }
    }
}
