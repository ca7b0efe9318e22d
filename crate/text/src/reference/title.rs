//! Titles of instruments: "the Companies Act 2006", "Law No. 4 of 2020", "Rules of Civil Procedure".
//!
//! A title is a run of capitalised words that ends with a noun for an instrument; what may stand inside and
//! behind it (connectors, a year, a number, brackets) is a short list. Looking for one takes at most
//! [`MAX_TITLE`] tokens.

use super::lex::TokenKind;
use super::line::TokenizedLine;
use super::words::{NO_ACRONYM, is_instrument_noun, opens_title, provision};
use crate::chars::is_invisible;

/// Most tokens of a title.
pub(super) const MAX_TITLE: usize = 24;
/// Connectors in a row inside a title ("de la"), and one more.
const MAX_CONNECTORS: usize = 3;

/// The title that begins at `at`: the token after it and how many words it has.
pub(super) fn title_at(line: TokenizedLine<'_>, at: usize) -> Option<(usize, usize)> {
    if !is_capital(line.word(at)) {
        return None;
    }
    if let Some(found) = title_behind_noun(line, at) {
        return Some(found);
    }
    let mut title = TitleReader { line, start: at, at, n_words: 0, end: None, extended: false, comma: None };
    while title.at < at + MAX_TITLE && title.read_token() {}
    title.finish()
}

/// Reader of a title, token by token.
struct TitleReader<'t> {
    line: TokenizedLine<'t>,
    /// First token of the title.
    start: usize,
    /// The token that is read next.
    at: usize,
    /// Number of capitalised words read.
    n_words: usize,
    /// The token after the longest title read, and the number of its words.
    end: Option<(usize, usize)>,
    /// True past "Guidance on …", "Rules of …": every capitalised word belongs to the title.
    extended: bool,
    /// The last comma inside it.
    comma: Option<usize>,
}

impl TitleReader<'_> {
    /// Reads a token; false if the title ends there.
    fn read_token(&mut self) -> bool {
        let word = self.line.word(self.at);
        if is_capital(word) {
            return self.read_capitalised(word);
        }
        if is_connector(word) || self.line.str(self.at) == "&" {
            return self.read_connector(word);
        }
        if let Some(after) = bracket_in_title(self.line, self.at) {
            self.at = after;
            return true;
        }
        if self.end.is_none() && self.at > self.start && is_list_comma(self.line, self.at) {
            self.comma = Some(self.at);
            self.at += 1;
            return true;
        }
        false
    }

    fn read_capitalised(&mut self, word: &str) -> bool {
        if names_provision(self.line, self.at) {
            return false;
        }
        self.n_words += 1;
        self.at += 1;
        if !is_instrument_noun(word) {
            if self.extended {
                self.end = Some((self.at, self.n_words));
            }
            return true;
        }
        let (tail, is_last) = title_tail(self.line, self.at);
        self.end = Some((tail, self.n_words));
        if is_last {
            return false;
        }
        self.at = tail;
        if !title_continues(self.line, self.at) {
            return false;
        }
        let next = self.line.word(self.at);
        if !is_capital(next) && !next.is_empty() {
            self.extended = true;
            self.at += 1;
        }
        true
    }

    fn read_connector(&mut self, word: &str) -> bool {
        // "Rules of Practice and Procedure"; not "the Act and the Code".
        let next = self.line.word(self.at + 1);
        let joins = self.extended
            && word == "and"
            && is_capital(next)
            && !is_acronym(next)
            && !names_provision(self.line, self.at + 1);
        if self.at == self.start || self.end.is_some() && word != "the" && !joins {
            return false;
        }
        self.at += 1;
        true
    }

    /// The longest title read. "Food, Drug, and Cosmetic Act": what commas join, a conjunction closes.
    fn finish(self) -> Option<(usize, usize)> {
        let (end, n_words) = self.end?;
        let is_conjunction = |i: usize| self.line.word(i) == "and" && self.line.word(i + 1) != "the";
        let is_closed = self.comma.is_none_or(|comma| (comma + 1..end).any(is_conjunction));
        is_closed.then_some((end, n_words))
    }
}

/// The title that a word for an instrument opens, as in Spanish: "Ley Orgánica 3/2018", "Reglamento (UE) 2016/679",
/// "Código Civil", "Ley General de la Seguridad Social". The word alone is none.
pub(super) fn title_behind_noun(line: TokenizedLine<'_>, at: usize) -> Option<(usize, usize)> {
    let is_name = |at: usize| is_capital(line.word(at)) && !names_provision(line, at);
    if !opens_title(line.word(at)) || line.word(at) == "Real" && line.word(at + 1) != "Decreto" {
        return None;
    }
    let (mut i, mut n_words) = (at + 1, 1);
    while i < at + MAX_TITLE {
        if is_name(i) {
            (i, n_words) = (i + 1, n_words + 1);
            continue;
        }
        let (tail, last) = title_tail(line, i);
        if last {
            return Some((tail, n_words));
        }
        let is_joining = |at: &usize| is_spanish_connector(line.word(*at));
        let next = (i..i + MAX_CONNECTORS).find(|at| !is_joining(at)).filter(|&next| next > i);
        match next.filter(|&next| is_name(next) && !opens_title(line.word(next))) {
            Some(next) => i = next,
            None => break,
        }
    }
    (n_words > 1).then_some((i, n_words))
}

fn is_spanish_connector(word: &str) -> bool {
    matches!(word, "de" | "del" | "la" | "las" | "los" | "el" | "y" | "e" | "para" | "sobre")
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
        && matches!(
            line.word(i + 1),
            "EU" | "EC" | "EEC" | "EU-EURATOM" | "Euratom" | "UE" | "CE" | "CEE" | "UE-EURATOM"
        )
    {
        let close = (i + 2..i + 5).find(|&j| line.kind(j) == Some(TokenKind::Close));
        i = close.map_or(i, |close| close + 1);
    }
    if matches!(line.word(i), "No" | "Nr" | "no" | "Number" | "núm") {
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

pub(super) fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// "FSMR", "COBS", "MIR's": a name in capitals; not a word for a provision, a currency, a numeral.
pub(super) fn is_acronym(word: &str) -> bool {
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    // Every word is asked, and most say so by their first letter.
    if bare.starts_with(|c: char| c.is_lowercase()) {
        return false;
    }
    let bare: String = bare.chars().filter(|&c| !is_invisible(c)).collect();
    (2..=8).contains(&bare.len())
        && bare.bytes().all(|b| b.is_ascii_uppercase())
        && provision(&bare).is_none()
        && NO_ACRONYM.binary_search(&bare.as_str()).is_err()
        && crate::numerals::roman(&bare).is_none()
}

pub(super) fn is_connector(word: &str) -> bool {
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
