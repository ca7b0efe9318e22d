//! The phrases behind a list of provisions: outer provisions ("of Part 4 of Schedule 2"), the instrument ("of the
//! Companies Act 2006"), inner provisions ("Schedule 2 paragraph 4"), "above" and "below".

use super::instrument::{NamedInstrument, determiner, instrument_after};
use super::lex::TokenKind;
use super::line::TokenizedLine;
use super::list::{ProvisionList, read_provision};
use super::provision_reference::Scope;
use super::title::{is_acronym, is_year, title_at};
use super::words::{connective, provision, rank_of};
use crate::provision::Rank;

/// Most outer provisions behind one ("of Part 4 of Chapter 3 of …").
const MAX_OUTER: usize = 6;

/// Reads the phrases behind a list: outer provisions, the instrument, "above".
pub(super) fn read_qualifiers(line: TokenizedLine<'_>, list: &mut ProvisionList, last: &Option<String>) {
    for _ in 0..MAX_OUTER {
        let at = list.end;
        let word = line.word(at);
        match word {
            "above" => return set_scope(list, Scope::Above, at + 1),
            "below" => return set_scope(list, Scope::Below, at + 1),
            "hereof" | "hereto" => return set_scope(list, Scope::Own, at + 1),
            _ => {}
        }
        if matches!(connective(word), "of" | "to" | "in" | "under" | "from") {
            // A slip of the pen ("of of the") costs nothing.
            let at = if line.word(at + 1) == word { at + 1 } else { at };
            if outer_provision(line, list, at + 1) {
                continue;
            }
            return instrument_after_preposition(line, list, at + 1, last);
        }
        let comma = line.kind(at) == Some(TokenKind::Comma);
        let next = if comma { at + 1 } else { at };
        if list.items.len() == 1 && inner_provision(line, list, next) {
            continue;
        }
        if list.instrument.is_none() {
            instrument_without_preposition(line, list, next, comma);
        }
        return;
    }
}

/// Takes the instrument named at `at`, behind a preposition: "of the Companies Act 2006", "of that Act".
fn instrument_after_preposition(
    line: TokenizedLine<'_>,
    list: &mut ProvisionList,
    at: usize,
    last: &Option<String>,
) {
    if list.instrument.is_some() {
        return;
    }
    let Some((named, end)) = instrument_after(line, at) else { return };
    match named {
        NamedInstrument::Own => list.scope = Scope::Own,
        // Where none was named before, it is at least not this document.
        NamedInstrument::That => list.instrument = last.clone().or_else(|| Some(line.printed(at, end))),
        // "in Company X": only a title or an acronym, which `forward` has seen.
        NamedInstrument::Tokens(from, to) => list.instrument = Some(line.printed(from, to)),
    }
    list.end = end;
}

/// Takes the instrument that stands at `at` without a preposition: "section 58(2) FSMR", "section 172 Companies Act
/// 2006", "section 172, Companies Act 2006".
fn instrument_without_preposition(line: TokenizedLine<'_>, list: &mut ProvisionList, at: usize, comma: bool) {
    let word = line.word(at);
    let many_words = |&(_, n_words): &(usize, usize)| n_words > 1;
    let end = if comma {
        title_at(line, at).filter(many_words).filter(|_| word != "the")
    } else if is_acronym(word) && word.len() > 2 && may_name_instrument(line, list, at) {
        Some((at + 1, 1))
    } else {
        title_at(line, at).filter(many_words).filter(|&(end, _)| is_year(line, end - 1))
    };
    if let Some((end, _)) = end
        && (comma || provision(word).is_none())
    {
        list.instrument = Some(line.printed(at, end));
        list.end = end;
    }
}

/// True if an acronym at `at` behind a list is no word of a heading in capitals and opens no list of its own.
fn may_name_instrument(line: TokenizedLine<'_>, list: &ProvisionList, at: usize) -> bool {
    let first = line.word(list.start);
    let heading = first.len() > 1 && first.chars().all(|c| !c.is_lowercase());
    let next = line.word(at + 1);
    let calm = at + 1 >= line.tokens.len() || next.is_empty() || next.chars().any(char::is_lowercase);
    !heading && calm && line.kind(at + 1) != Some(TokenKind::Number)
}

fn set_scope(list: &mut ProvisionList, scope: Scope, end: usize) {
    list.scope = scope;
    list.end = end;
}

/// An outer provision at `at` ("Part 4", "the Schedule", "this section"), put in front; whether there is one.
fn outer_provision(line: TokenizedLine<'_>, list: &mut ProvisionList, at: usize) -> bool {
    let (determiner, noun) = determiner(line, at);
    let i = match determiner.as_str() {
        "the" | "this" | "that" | "those" | "these" | "said" => noun,
        _ => at,
    };
    if line.kind(i) == Some(TokenKind::Number) && line.str(i).starts_with(|c: char| c.is_ascii_uppercase()) {
        // "Guidance note 1 of A6.9.3".
        let Some((parts, end)) = read_provision(line, i, None) else { return false };
        list.prefix.splice(0..0, parts);
        list.end = end;
        return true;
    }
    let Some(word) = provision(line.word(i)) else {
        // "in COBS 3.2.1".
        if is_acronym(line.word(i))
            && line.kind(i + 1) == Some(TokenKind::Number)
            && line.str(i + 1).contains('.')
            && list.instrument.is_none()
            && let Some((parts, end)) = read_provision(line, i + 1, None)
        {
            list.instrument = Some(line.printed(i, i + 1));
            list.prefix.splice(0..0, parts);
            list.end = end;
            return true;
        }
        return false;
    };
    let number = if word.abbreviation && line.kind(i + 1) == Some(TokenKind::Stop) { i + 2 } else { i + 1 };
    if let Some((parts, end)) = read_provision(line, number, Some(word)) {
        list.prefix.splice(0..0, parts);
        list.end = end;
        return true;
    }
    let key = word.key.to_owned();
    match determiner.as_str() {
        "this" | "these" if !word.abbreviation => {
            // "this Regulation" is the instrument at least as often as the provision.
            if matches!(word.key, "regulation" | "guidance" | "note") || word.key == "rule" && word.plural {
                set_scope(list, Scope::Own, i + 1);
            } else {
                list.prefix.insert(0, key);
                set_scope(list, Scope::Here, i + 1);
            }
        }
        "that" | "said" if !word.abbreviation && !word.plural && word.rank >= Rank::Schedule => {
            list.prefix.insert(0, key);
            set_scope(list, Scope::That, i + 1);
        }
        "the" if word.rank == Rank::Schedule && !word.abbreviation && !word.plural => {
            list.prefix.insert(0, key);
            list.end = i + 1;
        }
        _ => return false,
    }
    true
}

/// An inner provision directly behind: "Schedule 2 paragraph 4", "Article 5, paragraph 2", "Part 3, Chapter 2".
fn inner_provision(line: TokenizedLine<'_>, list: &mut ProvisionList, at: usize) -> bool {
    let Some(word) = provision(line.word(at)).filter(|word| !word.plural) else { return false };
    let Some(item) = list.items.first_mut() else { return false };
    let rank =
        item.parts.iter().rev().find_map(|part| part.split_once(' ').and_then(|(key, _)| rank_of(key)));
    let number =
        if word.abbreviation && line.kind(at + 1) == Some(TokenKind::Stop) { at + 2 } else { at + 1 };
    if rank.is_none_or(|rank| rank >= word.rank || word.rank == Rank::Section && rank != Rank::Schedule) {
        return false;
    }
    let Some((parts, end)) = read_provision(line, number, Some(word)) else { return false };
    item.parts.extend(parts);
    item.to = end;
    list.end = end;
    true
}
