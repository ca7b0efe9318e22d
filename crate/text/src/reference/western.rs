//! References in scripts with words: English and what is written like it.
//!
//! At each token it is asked whether a reference begins there (a provision's word, `§`, an acronym or a code in
//! front of a number). Then its list is read ("9.8.2(1) to (3) and 9.8.4"), then what stands behind it (outer
//! provisions, the instrument, "above"), then what stood before it.

use super::forms::{
    bracket_reference, code_reference, federal_rule, public_law, relative_reference, whole_instrument,
};
use super::instrument::{instrument_before, numbered_act};
use super::lex::{Token, TokenKind};
use super::line::TokenizedLine;
use super::list::{ProvisionList, read_list};
use super::provision_reference::{ProvisionReference, Scope};
use super::qualifiers::read_qualifiers;
use super::title::{is_acronym, is_dated};
use super::words::{connective, provision};
use crate::provision::{ProvisionWord, Rank};

/// Adds the references of a line. `last` is the instrument that was named last.
pub(super) fn scan(
    text: &str,
    tokens: &[Token],
    last: &mut Option<String>,
    found: &mut Vec<ProvisionReference>,
) {
    let line = TokenizedLine { text, tokens };
    let mut chain: Vec<ProvisionList> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let floor = chain.last().map_or(0, |list| list.end);
        let Some(mut list) = list_at(line, at, floor) else {
            at += 1;
            continue;
        };
        read_qualifiers(line, &mut list, last);
        if list.instrument.is_some() {
            last.clone_from(&list.instrument);
        }
        let joined = chain.last().is_some_and(|before| are_joined(line, before.end, list.start));
        if !joined {
            push_references(line, &mut chain, found);
        }
        if let (true, Some(before)) = (joined, chain.last())
            && before.key == list.key
            && list.instrument.is_none()
            && list.scope == Scope::Document
        {
            // "COBS Rule 3.4 and Rule 3.5".
            list.instrument.clone_from(&before.instrument);
            list.scope = before.scope;
        }
        if list.instrument.is_some() || list.scope == Scope::Own || !list.prefix.is_empty() {
            // "section 198 or section 199 of the Act".
            for before in chain.iter_mut().rev().take_while(|before| before.key == list.key) {
                if before.instrument.is_some() || !before.prefix.is_empty() || before.scope != Scope::Document
                {
                    break;
                }
                before.instrument.clone_from(&list.instrument);
                before.prefix.clone_from(&list.prefix);
                before.scope = list.scope;
            }
        }
        at = list.end.max(at + 1);
        chain.push(list);
    }
    push_references(line, &mut chain, found);
}

/// True if only a comma and a conjunction stand between two lists.
fn are_joined(line: TokenizedLine<'_>, from: usize, to: usize) -> bool {
    to >= from
        && to - from <= 3
        && (from..to).all(|at| {
            line.kind(at) == Some(TokenKind::Comma)
                || line.kind(at) == Some(TokenKind::Slash)
                || matches!(connective(line.word(at)), "and" | "or")
                || line.str(at) == "&"
        })
}

fn push_references(
    line: TokenizedLine<'_>,
    chain: &mut Vec<ProvisionList>,
    found: &mut Vec<ProvisionReference>,
) {
    for list in chain.drain(..) {
        let n_items = list.items.len();
        for (n, item) in list.items.into_iter().enumerate() {
            let from = if n == 0 { list.start } else { item.from };
            let to = if n_items == 1 { list.end } else { item.to };
            let mut path = list.prefix.clone();
            path.extend(item.parts);
            found.push(ProvisionReference {
                range: line.range(from, to),
                instrument: list.instrument.clone(),
                path,
                scope: list.scope,
                through: item.through,
            });
        }
    }
}

/// The list that begins at token `at`; tokens before `floor` belong to the list before it.
fn list_at(line: TokenizedLine<'_>, at: usize, floor: usize) -> Option<ProvisionList> {
    match line.kind(at)? {
        TokenKind::Sign => {
            let double = line.kind(at + 1) == Some(TokenKind::Sign);
            let number = if double { at + 2 } else { at + 1 };
            let word = ProvisionWord::of_key("§", Rank::Section, double);
            Some(with_instrument_before(line, read_list(line, at, number, Some(word))?, at, floor, true))
        }
        TokenKind::Word => list_at_word(line, at, floor),
        TokenKind::Number => code_reference(line, at).or_else(|| {
            let speaks = is_bare_reference(line, at).then(|| read_list(line, at, at, None)).flatten()?;
            Some(with_instrument_before(line, speaks, at, floor, false))
        }),
        TokenKind::Group => bracket_reference(line, at),
        _ => None,
    }
}

/// A list with the instrument that stands directly before it: "COBS Rule 3.4". `sign` says that a `§` opens the list.
fn with_instrument_before(
    line: TokenizedLine<'_>,
    list: ProvisionList,
    at: usize,
    floor: usize,
    sign: bool,
) -> ProvisionList {
    match instrument_before(line, at, sign).filter(|&(from, _)| from >= floor) {
        Some((from, to)) => {
            // "Infrastructure Rules (MIR) Rule 2.8": the name in brackets is not part of the reference.
            let start = if line.kind(to) == Some(TokenKind::Close) { at } else { from };
            ProvisionList { instrument: Some(line.printed(from, to)), start, ..list }
        }
        None => list,
    }
}

/// The list that the word at `at` opens: a provision's word, a numbered act, "this section", an acronym.
fn list_at_word(line: TokenizedLine<'_>, at: usize, floor: usize) -> Option<ProvisionList> {
    if let Some(found) = public_law(line, at).or_else(|| federal_rule(line, at)) {
        return Some(found);
    }
    let word = line.word(at);
    if let Some(end) = numbered_act(line, at) {
        return Some(whole_instrument(line, at, end));
    }
    if let Some(provision) = provision(word)
        && !is_dated(line, at)
        && let Some(list) = list_after_word(line, at, provision)
    {
        // "this Part 3" is the one at hand.
        let own = at.checked_sub(1).is_some_and(|b| line.word(b).eq_ignore_ascii_case("this"));
        let list = with_instrument_before(line, list, at, floor, false);
        return Some(if own { ProvisionList { scope: Scope::Own, ..list } } else { list });
    }
    if let Some(list) = relative_reference(line, at) {
        return Some(list);
    }
    // "COBS 3.2.1R": an acronym and a number with two components or more.
    if is_acronym(word) && is_rulebook_reference(line, at, floor) {
        let list = read_list(line, at, at + 1, None)?;
        return Some(ProvisionList { instrument: Some(line.printed(at, at + 1)), ..list });
    }
    None
}

/// True for a number that is a reference without a word: "A6.9.3" of an appendix, "subject to 3.2.3" with three
/// components, which no amount has.
fn is_bare_reference(line: TokenizedLine<'_>, at: usize) -> bool {
    let number = line.str(at);
    let own = number.starts_with(|c: char| c.is_ascii_uppercase()) && number.contains('.');
    let is_lead =
        |word: &str| matches!(word, "in" | "under" | "of" | "to" | "with" | "by" | "from" | "and" | "or");
    own || number.bytes().filter(|&b| b == b'.').count() >= 2
        && at.checked_sub(1).is_some_and(|before| is_lead(line.word(before)))
}

/// True if the number behind the acronym at `at` is one of its provisions: with three components always; with
/// two where the words before lead to a provision, since "DPR 76.6" in a table is a measure.
fn is_rulebook_reference(line: TokenizedLine<'_>, at: usize, floor: usize) -> bool {
    let number = line.str(at + 1);
    if line.kind(at + 1) != Some(TokenKind::Number) || number.starts_with('0') {
        return false;
    }
    match number.bytes().filter(|&b| b == b'.').count() {
        0 => false,
        1 => match at.checked_sub(1) {
            None => true,
            Some(before) => {
                // "(GEN 3.3.31, PRU 6.8)": the list goes on.
                let listed = floor > 0 && before == floor && line.kind(before) == Some(TokenKind::Comma);
                listed
                    || line.kind(before) == Some(TokenKind::Open)
                    || matches!(
                        line.word(before),
                        "in" | "under"
                            | "of"
                            | "to"
                            | "by"
                            | "with"
                            | "see"
                            | "See"
                            | "and"
                            | "or"
                            | "from"
                            | "per"
                    )
            }
        },
        _ => true,
    }
}

/// A list that a word leads: "Rules 4.1 and 4.2", "s. 12A", "paragraph (b)", "Guidance notes 1 and 2".
fn list_after_word(line: TokenizedLine<'_>, at: usize, word: ProvisionWord) -> Option<ProvisionList> {
    let text = line.word(at);
    let mut number = at + 1;
    let mut word = word;
    if word.key == "guidance" || word.key == "note" {
        // "Guidance note 4".
        if let Some(next) = provision(line.word(number)).filter(|next| next.key == "note") {
            word.plural = next.plural;
            number += 1;
        }
    }
    if word.abbreviation {
        if line.kind(number) == Some(TokenKind::Stop) {
            number += 1;
        }
        // "s" and "r" are letters more often than sections.
        let lone = text.len() == 1
            && (text.starts_with(char::is_uppercase)
                || at
                    .checked_sub(1)
                    .is_some_and(|b| line.kind(b) == Some(TokenKind::Quote) && line.adjacent(at)));
        // "Ch. IV" and "cap. II" are chapters; "Reg. I" is no regulation.
        let numeral =
            number > at + 1 && word.rank < Rank::Section && line.kind(number) == Some(TokenKind::Word);
        if lone || !(numeral || matches!(line.kind(number), Some(TokenKind::Number | TokenKind::Group))) {
            return None;
        }
    }
    read_list(line, at, number, Some(word))
}
