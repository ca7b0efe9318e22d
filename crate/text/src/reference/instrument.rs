//! The instrument that stands behind or before a provision: acronyms ("FSMR"), titles ("the Companies Act 2006"),
//! abbreviations ("Treas. Reg. §"), numbered acts of the European Union, 《…》.

use super::lex::TokenKind;
use super::line::TokenizedLine;
use super::title::{
    MAX_TITLE, is_acronym, is_capital, is_connector, is_year, names_provision, title_at, title_behind_noun,
    title_tail,
};
use super::words::{connective, is_instrument_noun, opens_title};
use crate::chars::is_invisible;

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

/// "I.R.C", "U.S.C": capitals with stops.
fn is_dotted(word: &str) -> bool {
    word.contains('.') && word.chars().all(|c| c.is_ascii_uppercase() || c == '.' || is_invisible(c))
}

/// The determiner at `at` in lower-case English, and the token behind it: "the" of "la Ley", "this" of "la presente
/// Ley". The article of "del" is read although it is no token of its own.
pub(super) fn determiner(line: TokenizedLine<'_>, at: usize) -> (String, usize) {
    let own = line.word(at).to_lowercase();
    let first = match connective(&own) {
        english @ ("the" | "this" | "that") => english,
        _ => own.as_str(),
    };
    let next = line.word(at + 1);
    let second = connective(next);
    if first == "the" && second != next && matches!(second, "this" | "that") {
        return (second.to_owned(), at + 2);
    }
    let is_behind_del = at.checked_sub(1).is_some_and(|before| line.word(before) == "del");
    if is_behind_del && !matches!(first, "this" | "that") {
        return ("the".to_owned(), at);
    }
    (first.to_owned(), at + 1)
}

/// The instrument named at `at`, behind "of", "to", "in" or "under": what it is and the token after it.
pub(super) fn instrument_after(line: TokenizedLine<'_>, at: usize) -> Option<(NamedInstrument, usize)> {
    let (lower, noun_at) = determiner(line, at);
    let mut i = at;
    match lower.as_str() {
        "this" | "these" | "that" | "those" | "such" => {
            let noun = line.word(noun_at);
            let mut capital = noun.chars();
            let name: String =
                capital.next().map(char::to_uppercase).into_iter().flatten().chain(capital).collect();
            if !(is_instrument_noun(&name) || opens_title(&name)) || names_provision(line, noun_at) {
                return None;
            }
            let named = if lower.starts_with("thi") || lower == "these" {
                NamedInstrument::Own
            } else {
                NamedInstrument::That
            };
            return Some((named, noun_at + 1));
        }
        "the" | "said" | "its" | "their" | "our" | "any" => i = noun_at,
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

/// "Directive 2014/65/EU", "Regulation (EU) No 575/2013", "Ley 39/2015" at `at`: the token after it.
pub(super) fn numbered_act(line: TokenizedLine<'_>, at: usize) -> Option<usize> {
    let (end, last) = match line.word(at) {
        "Directive" | "Regulation" | "Decision" => title_tail(line, at + 1),
        _ => (title_behind_noun(line, at)?.0, true),
    };
    (last && (at + 1..end).any(|i| line.kind(i) == Some(TokenKind::Slash))).then_some(end)
}
