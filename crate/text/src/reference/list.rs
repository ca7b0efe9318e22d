//! A provision and a list of them: "9.8.2(1) to (3) and 9.8.4", "47-54", "12(a), (b) or (c)".
//!
//! Each number or bracket behind a comma or a conjunction is tested: "Rules 4.1, 4.2" goes on with the list, "Rule
//! 4.1, 30 days" does not.

use document::Slice as _;

use super::lex::TokenKind;
use super::line::{TokenizedLine, printed};
use super::provision_reference::Scope;
use super::title::is_year;
use super::words::{connective, provision};
use crate::numerals::{roman, spelled};
use crate::provision::{ProvisionWord, Rank};

/// Most provisions of one list.
const MAX_LIST: usize = 64;

/// Most bracketed parts of one provision.
const MAX_GROUPS: usize = 8;

/// One provision of a list.
#[derive(Clone, Debug)]
pub(super) struct ListedProvision {
    /// Its tokens.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) parts: Vec<String>,
    pub(super) through: bool,
}

/// A list of provisions with all that is said about them.
#[derive(Clone, Debug, Default)]
pub(super) struct ProvisionList {
    pub(super) items: Vec<ListedProvision>,
    pub(super) prefix: Vec<String>,
    pub(super) instrument: Option<String>,
    pub(super) scope: Scope,
    /// The word or sign in front of the numbers.
    pub(super) key: &'static str,
    /// The first token, with a leading instrument.
    pub(super) start: usize,
    /// The token after it all.
    pub(super) end: usize,
}

/// The list whose first number stands at `number`.
pub(super) fn read_list(
    line: TokenizedLine<'_>,
    at: usize,
    number: usize,
    word: Option<ProvisionWord>,
) -> Option<ProvisionList> {
    let (parts, mut end) = read_provision(line, number, word)?;
    let mut items = vec![ListedProvision { from: at, to: end, parts, through: false }];
    while items.len() < MAX_LIST {
        let Some(Separator { next, through, sure }) = separator(line, end, word) else { break };
        let Some(last) = items.last() else { break };
        // "section 3 to section 5".
        let repeated = word
            .filter(|word| through && provision(line.word(next)).is_some_and(|again| again.key == word.key));
        let from = if repeated.is_some() { next + 1 } else { next };
        let found = match line.kind(from) {
            Some(TokenKind::Group) if repeated.is_none() => sibling_brackets(line, from, &last.parts, sure),
            Some(TokenKind::Number) if continues_list(line, from, last, word, through) => {
                read_provision(line, from, word)
            }
            Some(TokenKind::Word) if word.is_some_and(|word| word.plural && word.rank < Rank::Paragraph) => {
                read_provision(line, from, word)
            }
            _ => None,
        };
        let Some((parts, to)) = found else { break };
        if let Some(last) = items.last_mut() {
            last.through = through;
        }
        items.push(ListedProvision { from, to, parts, through: false });
        end = to;
    }
    let key = word.map_or("", |word| word.key);
    Some(ProvisionList { items, key, start: at, end, ..ProvisionList::default() })
}

/// Separator of two members of a list.
struct Separator {
    /// The token after it.
    next: usize,
    /// True if it makes a range.
    through: bool,
    /// True if it is more than a comma.
    sure: bool,
}

fn separator(line: TokenizedLine<'_>, at: usize, word: Option<ProvisionWord>) -> Option<Separator> {
    let range = Separator { next: at + 1, through: true, sure: true };
    let mut sure = true;
    let mut i = at;
    if line.kind(i) == Some(TokenKind::Comma) {
        i += 1;
    }
    // "a" is the article of English.
    let is_spanish_range = || word.is_some_and(|word| word.plural && word.is_spanish());
    match connective(line.word(i)) {
        "and" | "or" => {
            i += 1;
            if line.kind(i) == Some(TokenKind::Slash) && matches!(connective(line.word(i + 1)), "or" | "and")
            {
                i += 2;
            }
        }
        "to" | "through" | "thru" if i == at => return Some(range),
        "a" | "al" if i == at && is_spanish_range() => return Some(range),
        _ if i == at && line.kind(i) == Some(TokenKind::Dash) => return Some(range),
        _ if line.str(i) == "&" => i += 1,
        _ => sure = false,
    }
    (i > at).then_some(Separator { next: i, through: false, sure })
}

/// True if the number at `at` goes on with a list: "Rules 4.1, 4.2", not "Rule 4.1, 30 days".
fn continues_list(
    line: TokenizedLine<'_>,
    at: usize,
    last: &ListedProvision,
    word: Option<ProvisionWord>,
    through: bool,
) -> bool {
    let number = line.str(at);
    let n_stops = |s: &str| s.bytes().filter(|&b| b == b'.').count();
    let before = last
        .parts
        .iter()
        .rev()
        .find(|part| !part.starts_with('('))
        .map(|part| part.rsplit(' ').next().unwrap_or_default());
    let Some(before) = before else { return false };
    if line.kind(at + 1) == Some(TokenKind::Slash) && line.adjacent(at + 1) {
        return false;
    }
    if is_year(line, at) && !before.parse::<u32>().is_ok_and(|n| n > 999) {
        return false;
    }
    if is_unit_or_month(line.word(at + 1)) {
        return false;
    }
    let dotted = n_stops(number) > 0;
    let alike = dotted == (n_stops(before) > 0)
        || number.starts_with(|c: char| c.is_ascii_alphabetic())
            == before.starts_with(|c: char| c.is_ascii_lowercase());
    if through {
        return (n_stops(number) == n_stops(before) || !dotted) && alike;
    }
    let plural = word.is_none_or(|word| word.plural);
    alike && (plural || dotted)
}

/// True for a word behind a number that makes it an amount or a date: "30 days", "4 July".
fn is_unit_or_month(word: &str) -> bool {
    matches!(
        word.trim_end_matches('s'),
        "day"
            | "month"
            | "year"
            | "hour"
            | "week"
            | "business"
            | "per"
            | "percent"
            | "million"
            | "minute"
            | "día"
            | "mese"
            | "año"
            | "hora"
            | "January"
            | "February"
            | "March"
            | "April"
            | "May"
            | "June"
            | "July"
            | "August"
            | "September"
            | "October"
            | "November"
            | "December"
            | "Business"
    )
}

/// The provision at `at`: its parts, the word's number first, and the token after it.
pub(super) fn read_provision(
    line: TokenizedLine<'_>,
    at: usize,
    word: Option<ProvisionWord>,
) -> Option<(Vec<String>, usize)> {
    let key = word.map_or("", |word| word.key);
    let name = |number: &str| if key.is_empty() { number.to_owned() } else { format!("{key} {number}") };
    let mut parts = Vec::new();
    let mut end = at + 1;
    match line.kind(at)? {
        TokenKind::Number => {
            if line.kind(at + 1) == Some(TokenKind::Slash) && line.adjacent(at + 1) {
                return None;
            }
            let mut number = lower_case(line.str(at));
            while let Some(joined) = dashed_number(line, end, &number, word) {
                number = joined;
                end += 2;
            }
            let stem = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
            if number.len() == stem.len() + 1 && closes_alone(line, end) {
                // "paragraph 117a)": a letter with a bracket of its own.
                parts.push(name(stem));
                parts.push(format!("({})", number.slice(stem.len()..)));
                return Some((parts, end + 1));
            }
            parts.push(name(&number));
        }
        TokenKind::Group if word.is_some_and(|word| word.rank >= Rank::Section) => end = at,
        TokenKind::Word => {
            parts.push(name(&worded_number(line, at, word?.rank)?));
        }
        _ => return None,
    }
    let start = parts.len();
    while parts.len() < start + MAX_GROUPS && line.kind(end) == Some(TokenKind::Group) {
        let group = lower_case(line.str(end)).replace(' ', "");
        if !parts.is_empty() && !line.adjacent(end) && !belongs_after_space(line, end, &group) {
            break;
        }
        parts.push(group);
        end += 1;
    }
    (!parts.is_empty()).then_some((parts, end))
}

/// The number at `at` that is a numeral, a letter or a word, in lower case: "Part IV", "Schedule A", "Chapter Two".
fn worded_number(line: TokenizedLine<'_>, at: usize, rank: Rank) -> Option<String> {
    if rank > Rank::Section {
        return None;
    }
    let text = line.word(at);
    let capital = text.chars().all(|c| c.is_ascii_uppercase());
    let numeral = (capital && roman(text).is_some())
        || (text.len() > 1 && rank < Rank::Section && roman(text).is_some());
    let letter = capital && text.len() == 1;
    let spelled = rank < Rank::Section && text.len() > 1 && spelled(text).is_some();
    // "Part A person": a letter is a number where no noun follows it.
    let next = line.word(at + 1);
    let is_article = text == "A" && next.starts_with(char::is_lowercase) && !may_follow_letter(next);
    ((numeral || letter || spelled) && !is_article).then(|| text.to_ascii_lowercase())
}

/// True if a bracket closes at `at`, directly behind a number, that none has opened.
fn closes_alone(line: TokenizedLine<'_>, at: usize) -> bool {
    const FAR: usize = 40;
    if line.kind(at) != Some(TokenKind::Close) || !line.adjacent(at) {
        return false;
    }
    let mut depth = 0i32;
    for before in (at.saturating_sub(FAR)..at).rev() {
        match line.kind(before) {
            Some(TokenKind::Close) => depth += 1,
            Some(TokenKind::Open) => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    true
}

/// Words that may follow a lettered provision.
fn may_follow_letter(word: &str) -> bool {
    matches!(
        word,
        "of" | "to"
            | "and"
            | "or"
            | "in"
            | "is"
            | "applies"
            | "shall"
            | "must"
            | "hereto"
            | "attached"
            | "above"
            | "below"
            | "sets"
            | "may"
            | "for"
            | "with"
            | "as"
            | "on"
            | "are"
            | "does"
            | "contains"
    )
}

/// True if a bracket after a space still belongs to the number: "92 (4)(b)", not "section 4 (a) the buyer".
fn belongs_after_space(line: TokenizedLine<'_>, at: usize, group: &str) -> bool {
    if group.starts_with("(1") && group.len() == 3 && line.word(at + 1).starts_with(char::is_lowercase) {
        // "section 4 (1) the buyer".
        return may_follow_letter(line.word(at + 1));
    }
    if group.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return true;
    }
    match line.kind(at + 1) {
        None | Some(TokenKind::Stop | TokenKind::Comma | TokenKind::Close | TokenKind::Group) => true,
        Some(TokenKind::Word) => may_follow_letter(line.word(at + 1)),
        _ => false,
    }
}

/// "1.1-2", "78u-4": number, dash and number as one, where they are no range.
fn dashed_number(
    line: TokenizedLine<'_>,
    at: usize,
    number: &str,
    word: Option<ProvisionWord>,
) -> Option<String> {
    if line.kind(at)? != TokenKind::Dash || line.kind(at + 1)? != TokenKind::Number {
        return None;
    }
    if !line.adjacent(at) || !line.adjacent(at + 1) {
        return None;
    }
    let second = line.str(at + 1);
    if word.is_none_or(|word| word.plural) {
        let (first, last) = (number.parse::<u32>().ok(), second.parse::<u32>().ok());
        let rises = match (first, last) {
            (Some(first), Some(last)) => first < last && last - first <= 200,
            (None, None) => {
                let n_stops = |s: &str| s.bytes().filter(|&b| b == b'.').count();
                n_stops(number) > 0 && n_stops(number) == n_stops(second)
            }
            _ => false,
        };
        if rises {
            return None;
        }
    }
    Some(format!("{number}-{}", lower_case(second)))
}

/// "(f), (g) and (h)": the bracket at `at` in the place of the last one of its kind, with those behind it.
fn sibling_brackets(
    line: TokenizedLine<'_>,
    at: usize,
    last: &[String],
    sure: bool,
) -> Option<(Vec<String>, usize)> {
    let group = lower_case(line.str(at)).replace(' ', "");
    let inner = |part: &str| part.trim_matches(['(', ')']).to_owned();
    let is_digit = |part: &str| inner(part).starts_with(|c: char| c.is_ascii_digit());
    let is_roman = |part: &str| roman(&inner(part)).is_some();
    // "section 4(a), (b) the buyer": after a mere comma what follows must not be a noun.
    if !sure && line.kind(at + 1) == Some(TokenKind::Word) && !may_follow_letter(line.word(at + 1)) {
        return None;
    }
    let groups: Vec<(usize, &String)> =
        last.iter().enumerate().filter(|(_, part)| part.starts_with('(')).collect();
    let same = |part: &str| {
        is_digit(part) == is_digit(&group)
            && (is_digit(&group) || !is_roman(part) || is_roman(&group) || inner(part).len() == 1)
    };
    let place = groups.iter().rev().find(|(_, part)| {
        same(part)
            && (is_digit(&group)
                || is_roman(part) == is_roman(&group)
                || !is_roman(part)
                || groups.len() == 1)
    });
    let place = place.or_else(|| groups.iter().rev().find(|(_, part)| same(part)));
    let keep = match place {
        Some(&(place, _)) => place,
        None if groups.is_empty() && is_digit(&group) && sure => last.len(),
        None => return None,
    };
    let mut parts: Vec<String> = last.get(..keep)?.to_vec();
    parts.push(group);
    let mut end = at + 1;
    while parts.len() < keep + MAX_GROUPS && line.kind(end) == Some(TokenKind::Group) && line.adjacent(end) {
        parts.push(lower_case(line.str(end)).replace(' ', ""));
        end += 1;
    }
    Some((parts, end))
}

/// In lower case, invisible characters left out.
pub(super) fn lower_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    printed(text).to_lowercase()
}
