//! Titles of instruments in running text, by themselves and without a provision.
//!
//! Behind "section 3 of the" any title counts (`instrument`). Without such a lead a title needs two words, one of
//! them a word for laws, or a number. Cost: linear; a run of capitalised words is read once.

use std::ops::Range;

use document::Slice as _;

use super::instrument::is_sentence_opener;
use super::lex::{self, TokenKind};
use super::line::{TokenizedLine, printed};
use super::title::{is_capital, names_provision, title_at};
use super::words::is_instrument_noun;
use crate::steps;

/// The title of an instrument in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstrumentMention {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// With single spaces, without marks.
    pub name: String,
}

/// The name that a text gives itself: "This Act may be cited as the Companies Act 2006".
pub fn short_title(text: &str) -> Option<InstrumentMention> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let found = line.find("be cited as").filter(|_| line.contains("may"));
        if let Some(at) = found {
            tokens.clear();
            let from = at + "be cited as".len();
            lex::lex(line.slice(from..), start + from, &mut tokens);
            let line = TokenizedLine { text, tokens: &tokens };
            let first = (0..4).find(|&i| is_capital(line.word(i)))?;
            let (end, _) = title_at(line, first)?;
            let range = line.token(first)?.start..line.token(end - 1)?.end;
            return Some(InstrumentMention { range, name: line.printed(first, end) });
        }
        start += line.len();
    }
    None
}

/// The titles of instruments in `text`: two words or more, or one with a year or number; and 《…》.
pub fn instruments(text: &str) -> Vec<InstrumentMention> {
    let mut found = Vec::new();
    let mut tokens = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']) {
        tokens.clear();
        let first = found.len();
        lex::lex(line, start, &mut tokens);
        push_titles(TokenizedLine { text, tokens: &tokens }, &mut found);
        if !line.is_ascii() {
            push_marked_titles(line, start, &mut found);
            if let Some(new) = found.get_mut(first..) {
                new.sort_by_key(|mention| mention.range.start);
            }
        }
        start += line.len();
    }
    found
}

fn push_titles(line: TokenizedLine<'_>, found: &mut Vec<InstrumentMention>) {
    let mut i = 0;
    while i < line.tokens.len() {
        let word = line.word(i);
        // A sentence or a list may open with a word that the title does not have.
        if !is_capital(word) || is_sentence_opener(word) || names_provision(line, i) {
            i += 1;
            continue;
        }
        let Some((end, n_words)) = title_at(line, i) else {
            // No title begins at the other capitalised words of this run either.
            i += 1;
            while is_capital(line.word(i)) && !names_provision(line, i) {
                i += 1;
            }
            continue;
        };
        // "Sections of the Code", "Clause of the Constitution": the title is what stands behind "of the".
        let outer = (i + 1..end - 1).find(|&j| {
            matches!(line.word(j), "of" | "to" | "under" | "in")
                && line.word(j + 1) == "the"
                && !(i..j).any(|k| is_instrument_noun(line.word(k)))
        });
        if let Some(outer) = outer {
            i = outer + 2;
            continue;
        }
        let numbered = line.kind(end - 1) != Some(TokenKind::Word);
        let european = (i..end).any(|j| line.kind(j) == Some(TokenKind::Slash));
        let strong = (i..end).any(|j| is_law_noun(line.word(j)));
        if n_words > 1 && (numbered || strong) || european {
            found.push(InstrumentMention { range: line.range(i, end), name: line.printed(i, end) });
        }
        i = end;
    }
}

/// Words that end the name of a law or of a body of rules; a plan, a policy or an order without its number
/// may be anything.
fn is_law_noun(word: &str) -> bool {
    matches!(
        word,
        "Act"
            | "Acts"
            | "Code"
            | "Código"
            | "Constitución"
            | "Constitution"
            | "Convention"
            | "Directive"
            | "Ley"
            | "Ordinance"
            | "Regulation"
            | "Reglamento"
            | "Regulations"
            | "Rulebook"
            | "Rules"
            | "Statute"
            | "Treaty"
    )
}

/// 《…》, up to 100 characters.
fn push_marked_titles(line: &str, base: usize, found: &mut Vec<InstrumentMention>) {
    const MAX_CHARS: usize = 100;
    let mut at = 0;
    while let Some(open) = line.get(at..).and_then(|rest| rest.find('《')) {
        steps::count(1 + open);
        let start = at + open;
        let inner = start + '《'.len_utf8();
        let Some(rest) = line.get(inner..) else { return };
        let close = rest.char_indices().take(MAX_CHARS).find(|&(_, c)| c == '》' || c == '《');
        steps::count(close.map_or(MAX_CHARS, |(n, _)| n));
        let Some((n, '》')) = close else {
            at = inner;
            continue;
        };
        let end = inner + n + '》'.len_utf8();
        let name = printed(rest.slice(..n));
        if !name.is_empty() {
            found.push(InstrumentMention { range: base + start..base + end, name });
        }
        at = end;
    }
}
