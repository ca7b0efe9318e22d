//! Names of instruments: acronyms ("FSMR"), titles ("the Companies Act 2006", "Law No. 4 of 2020", "Rules of
//! Civil Procedure"), numbered acts of the European Union, 《…》.
//!
//! A title is a run of capitalised words that ends with a word for an instrument; what may stand inside and
//! behind it (connectors, a year, a number, brackets) is a short list. Looking for one takes at most
//! [`MAX_TITLE`] tokens.

use super::lex::TokenKind;
use super::line::TokenizedLine;

use super::words::{NO_ACRONYM, is_instrument_noun, provision};

use crate::chars::is_invisible;

/// Most tokens of a title.
const MAX_TITLE: usize = 24;

/// The instrument that a phrase behind a provision names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedInstrument {
    /// "this Act".
    Own,
    /// "that Act".
    That,
    /// The tokens of its name.
    Tokens(usize, usize),
}

pub(super) fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// "FSMR", "COBS", "MIR's": a name in capitals; not a word for a provision, a currency, a numeral.
pub(super) fn is_acronym(word: &str) -> bool {
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let bare: String = bare.chars().filter(|&c| !is_invisible(c)).collect();
    (2..=8).contains(&bare.len())
        && bare.bytes().all(|b| b.is_ascii_uppercase())
        && provision(&bare).is_none()
        && NO_ACRONYM.binary_search(&bare.as_str()).is_err()
        && crate::numerals::roman(&bare).is_none()
}

/// "I.R.C", "U.S.C": capitals with stops.
fn is_dotted(word: &str) -> bool {
    word.contains('.') && word.chars().all(|c| c.is_ascii_uppercase() || c == '.' || is_invisible(c))
}

fn is_connector(word: &str) -> bool {
    matches!(word, "of" | "and" | "the" | "for" | "on" | "to" | "in" | "with" | "or" | "by" | "from" | "de")
}

/// True if the tokens at `at` are a year.
pub(super) fn is_year(line: TokenizedLine<'_>, at: usize) -> bool {
    line.kind(at) == Some(TokenKind::Number)
        && line.str(at).parse::<u32>().is_ok_and(|year| (1200..2200).contains(&year))
        && line.str(at).len() == 4
}

/// True if a number, a letter or a bracket follows a provision's word at `at`, so that it names one.
pub(super) fn names_provision(line: TokenizedLine<'_>, at: usize) -> bool {
    provision(line.word(at)).is_some()
        && !is_dated(line, at)
        && match line.kind(at + 1) {
            Some(TokenKind::Number | TokenKind::Group | TokenKind::Sign) => {
                line.kind(at + 2) != Some(TokenKind::Slash)
            }
            _ => false,
        }
}

/// "Regulations 2015", "Rules 2003": the year of an instrument, not the number of a provision.
pub(super) fn is_dated(line: TokenizedLine<'_>, at: usize) -> bool {
    matches!(line.word(at), "Regulations" | "Rules" | "Regulation") && is_year(line, at + 1)
}

/// The title that begins at `at`: the token after it and how many words it has.
pub(super) fn title_at(line: TokenizedLine<'_>, at: usize) -> Option<(usize, usize)> {
    if !is_capital(line.word(at)) {
        return None;
    }
    let mut i = at;
    let mut n_words = 0;
    let mut end = None;
    // Past "Guidance on …", "Rules of …": every capitalised word belongs to the title.
    let mut extended = false;
    let mut comma = None;
    while i < at + MAX_TITLE {
        let word = line.word(i);
        if is_capital(word) {
            if names_provision(line, i) {
                break;
            }
            n_words += 1;
            i += 1;
            if !is_instrument_noun(word) {
                if extended {
                    end = Some((i, n_words));
                }
                continue;
            }
            let (tail, last) = title_tail(line, i);
            end = Some((tail, n_words));
            if last {
                break;
            }
            i = tail;
            if !title_continues(line, i) {
                break;
            }
            let next = line.word(i);
            if !is_capital(next) && !next.is_empty() {
                extended = true;
                i += 1;
            }
        } else if is_connector(word) || line.str(i) == "&" {
            // "Rules of Practice and Procedure"; not "the Act and the Code".
            let next = line.word(i + 1);
            let joins = extended
                && word == "and"
                && is_capital(next)
                && !is_acronym(next)
                && !names_provision(line, i + 1);
            if i == at || end.is_some() && word != "the" && !joins {
                break;
            }
            i += 1;
        } else if let Some(after) = bracket_in_title(line, i) {
            i = after;
        } else if end.is_none() && i > at && is_list_comma(line, i) {
            comma = Some(i);
            i += 1;
        } else {
            break;
        }
    }
    // "Food, Drug, and Cosmetic Act": what commas join, a conjunction closes.
    let (end, n_words) = end?;
    let closed = comma
        .is_none_or(|comma| (comma + 1..end).any(|i| line.word(i) == "and" && line.word(i + 1) != "the"));
    closed.then_some((end, n_words))
}

/// True for a comma inside a title: "Food, Drug, and Cosmetic Act".
fn is_list_comma(line: TokenizedLine<'_>, at: usize) -> bool {
    line.kind(at) == Some(TokenKind::Comma)
        && (is_capital(line.word(at + 1)) && !names_provision(line, at + 1) || line.word(at + 1) == "and")
}

/// True if a title goes on at `at` behind a word that may end it: "Rules of Civil Procedure", "Code Regulations".
fn title_continues(line: TokenizedLine<'_>, at: usize) -> bool {
    match line.word(at) {
        "of" | "on" | "for" | "concerning" => {
            let after = if line.word(at + 1) == "the" { at + 2 } else { at + 1 };
            is_capital(line.word(after)) && !names_provision(line, after)
        }
        "" => bracket_in_title(line, at).is_some(),
        next => is_capital(next) && !names_provision(line, at),
    }
}

/// "Finance (No. 2) Act", "Interpretation (Consequential) Regulations": the capitalised word behind the
/// brackets at `at`.
fn bracket_in_title(line: TokenizedLine<'_>, at: usize) -> Option<usize> {
    if line.kind(at) != Some(TokenKind::Open) {
        return None;
    }
    let close = (at + 1..at + 10).find(|&j| line.kind(j) == Some(TokenKind::Close))?;
    let word = line.word(close + 1);
    (is_capital(word) && !is_acronym(word) && !names_provision(line, close + 1)).then_some(close + 1)
}

/// Reads the tail behind the last word of a title: a year, "of 1933", "No. 4 of 2020", "(EU) 2016/679". The
/// token after it, and whether it ends the title.
pub(super) fn title_tail(line: TokenizedLine<'_>, at: usize) -> (usize, bool) {
    let mut i = at;
    if line.kind(i) == Some(TokenKind::Open)
        && matches!(line.word(i + 1), "EU" | "EC" | "EEC" | "EU-EURATOM" | "Euratom")
    {
        let close = (i + 2..i + 5).find(|&j| line.kind(j) == Some(TokenKind::Close));
        i = close.map_or(i, |close| close + 1);
    }
    if matches!(line.word(i), "No" | "Nr" | "no" | "Number") {
        let number = if line.kind(i + 1) == Some(TokenKind::Stop) { i + 2 } else { i + 1 };
        if line.kind(number) == Some(TokenKind::Number) {
            i = number;
        }
    }
    if line.kind(i) == Some(TokenKind::Number)
        && line.kind(i + 1) == Some(TokenKind::Slash)
        && line.adjacent(i + 1)
    {
        // "575/2013", "2014/65/EU".
        let mut end = i + 1;
        while line.kind(end) == Some(TokenKind::Slash) && line.adjacent(end) && line.adjacent(end + 1) {
            end += 2;
        }
        return (end, true);
    }
    let law = at.checked_sub(1).is_some_and(|head| line.word(head) == "Law");
    if law && line.kind(i) == Some(TokenKind::Number) && line.kind(i + 1) == Some(TokenKind::Dash) {
        // "Public Law 111-203".
        let end = if line.kind(i + 2) == Some(TokenKind::Number) { i + 3 } else { i + 1 };
        return (end, true);
    }
    if line.kind(i) == Some(TokenKind::Number) && i > at {
        // "No. 4 of 2020".
        let end = if line.word(i + 1) == "of" && is_year(line, i + 2) { i + 3 } else { i + 1 };
        return (end, true);
    }
    if is_year(line, at) {
        return (at + 1, true);
    }
    if line.word(at) == "of" && is_year(line, at + 1) {
        return (at + 2, true);
    }
    (at, false)
}

/// The instrument named at `at`, behind "of", "to", "in" or "under": what it is and the token after it.
pub(super) fn instrument_after(line: TokenizedLine<'_>, at: usize) -> Option<(NamedInstrument, usize)> {
    let first = line.word(at);
    let lower = first.to_lowercase();
    let mut i = at;
    match lower.as_str() {
        "this" | "these" | "that" | "those" | "such" => {
            let noun = line.word(at + 1);
            let mut capital = noun.chars();
            let name: String =
                capital.next().map(char::to_uppercase).into_iter().flatten().chain(capital).collect();
            if !is_instrument_noun(&name) || names_provision(line, at + 1) {
                return None;
            }
            let named = if lower.starts_with("thi") || lower == "these" {
                NamedInstrument::Own
            } else {
                NamedInstrument::That
            };
            return Some((named, at + 2));
        }
        "the" | "said" | "its" | "their" | "our" | "any" => i += 1,
        _ => {}
    }
    while line.kind(i) == Some(TokenKind::Quote) {
        i += 1;
    }
    let word = line.word(i);
    if is_acronym(word) && !names_provision(line, i) {
        let mut end = i + 1;
        if is_instrument_noun(line.word(end)) && !names_provision(line, end) {
            end = title_tail(line, end + 1).0;
        } else if is_year(line, end) {
            end += 1;
        }
        return Some((NamedInstrument::Tokens(i, end), end));
    }
    if is_dotted(word) && line.kind(i + 1) == Some(TokenKind::Stop) {
        return Some((NamedInstrument::Tokens(i, i + 2), i + 2));
    }
    let (end, _) = title_at(line, i)?;
    Some((NamedInstrument::Tokens(i, end), end))
}

/// The instrument named directly before token `at`, as tokens. `sign` says that a `§` stands at `at`.
pub(super) fn instrument_before(line: TokenizedLine<'_>, at: usize, sign: bool) -> Option<(usize, usize)> {
    let last = at.checked_sub(1)?;
    match line.kind(last)? {
        TokenKind::Close => {
            // "Infrastructure Rules (MIR) Rule 2.8", "(“MKT”) Rule 3".
            let open =
                (last.saturating_sub(3)..last).rev().find(|&j| line.kind(j) == Some(TokenKind::Open))?;
            let name = (open + 1..last).find(|&j| is_acronym(line.word(j)))?;
            (1..=3).contains(&(last - open - 1)).then_some((name, name + 1))
        }
        TokenKind::Stop => abbreviation_before(line, last, sign),
        TokenKind::Word => {
            let word = line.word(last);
            if is_acronym(word) {
                let before = last.checked_sub(1).map(|before| line.word(before)).unwrap_or_default();
                // In a heading in capitals every word looks like one.
                let shouting = before.len() > 1 && before.chars().all(|c| !c.is_lowercase());
                return (!shouting).then_some((last, at));
            }
            if is_instrument_noun(word) { title_ending_with(line, last, at) } else { None }
        }
        TokenKind::Comma | TokenKind::Number => {
            let end = if line.kind(last)? == TokenKind::Comma { last } else { at };
            let mut head = end.checked_sub(1)?;
            if is_year(line, head) {
                head = head.checked_sub(1)?;
                if line.word(head) == "of" {
                    head = head.checked_sub(1)?;
                }
            } else if end == at {
                return None;
            }
            if is_instrument_noun(line.word(head)) { title_ending_with(line, head, end) } else { None }
        }
        _ => None,
    }
}

/// The title that ends at token `end` and whose last word is `head`.
fn title_ending_with(line: TokenizedLine<'_>, head: usize, end: usize) -> Option<(usize, usize)> {
    let mut start = head;
    let mut first = head;
    while start + MAX_TITLE > head {
        let Some(before) = start.checked_sub(1) else { break };
        let word = line.word(before);
        if is_capital(word) && !is_sentence_opener(word) {
            first = before;
        } else if !(is_connector(word) || line.str(before) == "&") || before + 1 == head && word != "the" {
            break;
        }
        start = before;
    }
    if first == head && head.checked_sub(1).map(|before| line.word(before)) != Some("the") {
        return None;
    }
    let found = title_at(line, first)?.0;
    // A title inside the run: "the Board and the Companies Act".
    if found == end {
        return Some((first, end));
    }
    None
}

/// Capitalised words that open a sentence rather than a title.
pub(super) fn is_sentence_opener(word: &str) -> bool {
    matches!(
        word,
        "The"
            | "Under"
            | "In"
            | "See"
            | "And"
            | "Pursuant"
            | "For"
            | "By"
            | "If"
            | "As"
            | "Where"
            | "Each"
            | "This"
            | "These"
            | "That"
            | "Those"
            | "Such"
            | "Any"
            | "All"
            | "Our"
            | "Its"
            | "A"
            | "An"
            | "No"
            | "Or"
            | "When"
    )
}

/// "Treas. Reg. §", "Cal. Civ. Code §", "I.R.C. §": abbreviations up to the stop at `last`.
fn abbreviation_before(line: TokenizedLine<'_>, last: usize, sign: bool) -> Option<(usize, usize)> {
    let word = last.checked_sub(1)?;
    if !sign && !is_dotted(line.word(word)) {
        return None;
    }
    let mut start = last + 1;
    let mut i = last;
    while start + 10 > last {
        let (stop, word) =
            if line.kind(i) == Some(TokenKind::Stop) { (true, i.checked_sub(1)) } else { (false, Some(i)) };
        let Some(word) = word else { break };
        let name = line.word(word);
        if !is_capital(name) || !stop && (name.len() > 4 || is_sentence_opener(name)) || name.len() > 6 {
            break;
        }
        start = word;
        match word.checked_sub(1) {
            Some(before) => i = before,
            None => break,
        }
    }
    (start <= last).then_some((start, last + 1))
}

/// "Directive 2014/65/EU", "Regulation (EU) No 575/2013" at `at`: the token after it.
pub(super) fn numbered_act(line: TokenizedLine<'_>, at: usize) -> Option<usize> {
    if !matches!(line.word(at), "Directive" | "Regulation" | "Decision") {
        return None;
    }
    let (end, last) = title_tail(line, at + 1);
    (last && (at + 1..end).any(|i| line.kind(i) == Some(TokenKind::Slash))).then_some(end)
}
