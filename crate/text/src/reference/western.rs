//! Citations in scripts with words: English and what is written like it.
//!
//! At each token it is asked whether a citation begins there (a provision's word, `§`, an acronym or a code in
//! front of a number). Then its list is read ("9.8.2(1) to (3) and 9.8.4"), then what stands behind it (outer
//! provisions, the instrument, "above"), then what stood before it.

use super::instrument::{
    Line, Named, backward, forward, is_acronym, is_dated, is_year, numbered_act, printed,
};
use super::lex::{Kind, Token};
use super::words::{Provision, Rank, provision};
use super::{Citation, Scope};
use crate::analyzer::is_invisible;
use crate::numerals::{roman, spelled};

/// Most provisions of one list.
const MAX_LIST: usize = 64;
/// Most bracketed parts of one provision.
const MAX_GROUPS: usize = 8;
/// Most outer provisions behind one ("of Part 4 of Chapter 3 of …").
const MAX_OUTER: usize = 6;

/// One provision of a list.
#[derive(Clone, Debug)]
struct Item {
    /// Its tokens.
    from: usize,
    to: usize,
    parts: Vec<String>,
    through: bool,
}

/// A list of provisions with all that is said about them.
#[derive(Clone, Debug, Default)]
struct List {
    items: Vec<Item>,
    prefix: Vec<String>,
    instrument: Option<String>,
    scope: Scope,
    /// The word or sign in front of the numbers.
    key: &'static str,
    /// The first token, with a leading instrument.
    start: usize,
    /// The token after it all.
    end: usize,
}

/// Adds the citations of a line. `last` is the instrument that was named last.
pub(super) fn scan(text: &str, tokens: &[Token], last: &mut Option<String>, found: &mut Vec<Citation>) {
    let line = Line { text, tokens };
    let mut chain: Vec<List> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let floor = chain.last().map_or(0, |list| list.end);
        let Some(mut list) = head(line, at, floor) else {
            at += 1;
            continue;
        };
        behind(line, &mut list, last);
        let joined = chain.last().is_some_and(|before| joins(line, before.end, list.start));
        if !joined {
            flush(line, &mut chain, last, found);
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
    flush(line, &mut chain, last, found);
}

/// Whether only a comma and a conjunction stand between two lists.
fn joins(line: Line<'_>, from: usize, to: usize) -> bool {
    to >= from
        && to - from <= 3
        && (from..to).all(|at| {
            line.kind(at) == Some(Kind::Comma)
                || line.kind(at) == Some(Kind::Slash)
                || matches!(line.word(at), "and" | "or")
                || line.str(at) == "&"
        })
}

fn flush(line: Line<'_>, chain: &mut Vec<List>, last: &mut Option<String>, found: &mut Vec<Citation>) {
    for list in chain.drain(..) {
        if list.instrument.is_some() {
            last.clone_from(&list.instrument);
        }
        let n_items = list.items.len();
        for (n, item) in list.items.into_iter().enumerate() {
            let from = if n == 0 { list.start } else { item.from };
            let to = if n_items == 1 { list.end } else { item.to };
            let start = line.token(from).map_or(0, |token| token.start);
            let end = to.checked_sub(1).and_then(|to| line.token(to)).map_or(start, |token| token.end);
            let mut path = list.prefix.clone();
            path.extend(item.parts);
            found.push(Citation {
                range: start..end,
                instrument: list.instrument.clone(),
                path,
                scope: list.scope,
                through: item.through,
            });
        }
    }
}

/// The list that begins at token `at`; tokens before `floor` belong to the list before it.
fn head(line: Line<'_>, at: usize, floor: usize) -> Option<List> {
    let before = |list: List, sign: bool| match backward(line, at, sign).filter(|&(from, _)| from >= floor) {
        Some((from, to)) => List { instrument: Some(line.printed(from, to)), start: from, ..list },
        None => list,
    };
    match line.kind(at)? {
        Kind::Sign => {
            let double = line.kind(at + 1) == Some(Kind::Sign);
            let number = if double { at + 2 } else { at + 1 };
            let word = Provision { key: "§", rank: Rank::Section, plural: double, short: false };
            Some(before(list(line, at, number, Some(word))?, true))
        }
        Kind::Word => {
            if let Some(found) = public_law(line, at).or_else(|| federal_rule(line, at)) {
                return Some(found);
            }
            let word = line.word(at);
            if let Some(end) = numbered_act(line, at) {
                return Some(whole(line, at, end));
            }
            if let Some(provision) = provision(word)
                && !is_dated(line, at)
                && let Some(list) = led(line, at, provision)
            {
                return Some(before(list, false));
            }
            if let Some(list) = relative(line, at) {
                return Some(list);
            }
            // "COBS 3.2.1R": an acronym and a number with two components or more.
            if is_acronym(word) && line.kind(at + 1) == Some(Kind::Number) && line.str(at + 1).contains('.') {
                let list = list(line, at, at + 1, None)?;
                return Some(List { instrument: Some(line.printed(at, at + 1)), ..list });
            }
            None
        }
        Kind::Number => code(line, at).or_else(|| {
            // "A6.9.3": the numbers of an appendix speak for themselves.
            let number = line.str(at);
            let own = number.starts_with(|c: char| c.is_ascii_uppercase()) && number.contains('.');
            // "subject to 3.2.3": three components are no amount.
            let led = number.bytes().filter(|&b| b == b'.').count() >= 2
                && at.checked_sub(1).is_some_and(|b| {
                    matches!(
                        line.word(b),
                        "in" | "under" | "of" | "to" | "with" | "by" | "from" | "and" | "or"
                    )
                });
            if own || led { Some(before(list(line, at, at, None)?, false)) } else { None }
        }),
        Kind::Group => bare(line, at),
        _ => None,
    }
}

/// A list that a word leads: "Rules 4.1 and 4.2", "s. 12A", "paragraph (b)", "Guidance notes 1 and 2".
fn led(line: Line<'_>, at: usize, word: Provision) -> Option<List> {
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
    if word.short {
        if line.kind(number) == Some(Kind::Stop) {
            number += 1;
        }
        // "s" and "r" are letters more often than sections.
        let lone = text.len() == 1
            && (text.starts_with(char::is_uppercase)
                || at.checked_sub(1).is_some_and(|b| line.kind(b) == Some(Kind::Quote) && line.adjacent(at)));
        if lone || !matches!(line.kind(number), Some(Kind::Number | Kind::Group)) {
            return None;
        }
    }
    list(line, at, number, Some(word))
}

/// The list whose first number stands at `number`.
fn list(line: Line<'_>, at: usize, number: usize, word: Option<Provision>) -> Option<List> {
    let (parts, mut end) = one(line, number, word)?;
    let mut items = vec![Item { from: at, to: end, parts, through: false }];
    while items.len() < MAX_LIST {
        let Some(Separator { next, through, sure }) = separator(line, end) else { break };
        let Some(last) = items.last() else { break };
        // "section 3 to section 5".
        let repeated = word
            .filter(|word| through && provision(line.word(next)).is_some_and(|again| again.key == word.key));
        let from = if repeated.is_some() { next + 1 } else { next };
        let found = match line.kind(from) {
            Some(Kind::Group) if repeated.is_none() => sibling(line, from, &last.parts, sure),
            Some(Kind::Number) if continues(line, from, last, word, through) => one(line, from, word),
            Some(Kind::Word) if word.is_some_and(|word| word.plural && word.rank < Rank::Paragraph) => {
                one(line, from, word)
            }
            _ => None,
        };
        let Some((parts, to)) = found else { break };
        if let Some(last) = items.last_mut() {
            last.through = through;
        }
        items.push(Item { from, to, parts, through: false });
        end = to;
    }
    let key = word.map_or("", |word| word.key);
    Some(List { items, key, start: at, end, ..List::default() })
}

/// What stands between two parts of a list.
struct Separator {
    /// The token after it.
    next: usize,
    /// Whether it makes a range.
    through: bool,
    /// Whether it is more than a comma.
    sure: bool,
}

fn separator(line: Line<'_>, at: usize) -> Option<Separator> {
    let range = Separator { next: at + 1, through: true, sure: true };
    let mut sure = true;
    let mut i = at;
    if line.kind(i) == Some(Kind::Comma) {
        i += 1;
    }
    match line.word(i) {
        "and" | "or" => {
            i += 1;
            if line.kind(i) == Some(Kind::Slash) && matches!(line.word(i + 1), "or" | "and") {
                i += 2;
            }
        }
        "to" | "through" | "thru" if i == at => return Some(range),
        _ if i == at && line.kind(i) == Some(Kind::Dash) => return Some(range),
        _ if line.str(i) == "&" => i += 1,
        _ => sure = false,
    }
    (i > at).then_some(Separator { next: i, through: false, sure })
}

/// Whether the number at `at` goes on with a list: "Rules 4.1, 4.2", not "Rule 4.1, 30 days".
fn continues(line: Line<'_>, at: usize, last: &Item, word: Option<Provision>, through: bool) -> bool {
    let number = line.str(at);
    let n_stops = |s: &str| s.bytes().filter(|&b| b == b'.').count();
    let before = last
        .parts
        .iter()
        .rev()
        .find(|part| !part.starts_with('('))
        .map(|part| part.rsplit(' ').next().unwrap_or_default());
    let Some(before) = before else { return false };
    if line.kind(at + 1) == Some(Kind::Slash) && line.adjacent(at + 1) {
        return false;
    }
    if is_year(line, at) && !before.parse::<u32>().is_ok_and(|n| n > 999) {
        return false;
    }
    let next = line.word(at + 1);
    let unit = matches!(
        next.trim_end_matches('s'),
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
    );
    if unit {
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

/// The provision at `at`: its parts, the word's number first, and the token after it.
fn one(line: Line<'_>, at: usize, word: Option<Provision>) -> Option<(Vec<String>, usize)> {
    let key = word.map_or("", |word| word.key);
    let name = |number: &str| if key.is_empty() { number.to_owned() } else { format!("{key} {number}") };
    let mut parts = Vec::new();
    let mut end = at + 1;
    match line.kind(at)? {
        Kind::Number => {
            if line.kind(at + 1) == Some(Kind::Slash) && line.adjacent(at + 1) {
                return None;
            }
            let mut number = lower(line.str(at));
            while let Some(joined) = dashed(line, end, &number, word) {
                number = joined;
                end += 2;
            }
            let stem = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
            if number.len() == stem.len() + 1 && closes_alone(line, end) {
                // "paragraph 117a)": a letter with a bracket of its own.
                parts.push(name(stem));
                parts.push(format!("({})", number.get(stem.len()..).unwrap_or_default()));
                return Some((parts, end + 1));
            }
            parts.push(name(&number));
        }
        Kind::Group if word.is_some_and(|word| word.rank >= Rank::Section) => end = at,
        Kind::Word => {
            let text = line.word(at);
            let rank = word.filter(|word| word.rank <= Rank::Section)?.rank;
            let capital = text.chars().all(|c| c.is_ascii_uppercase());
            let numeral = (capital && roman(text).is_some())
                || (text.len() > 1 && rank < Rank::Section && roman(text).is_some());
            let letter = capital && text.len() == 1;
            let spelled = rank < Rank::Section && text.len() > 1 && spelled(text).is_some();
            if !(numeral || letter || spelled) {
                return None;
            }
            // "Part A person": a letter is a number where no noun follows it.
            if text == "A"
                && line.word(at + 1).starts_with(char::is_lowercase)
                && !is_behind(line.word(at + 1))
            {
                return None;
            }
            parts.push(name(&text.to_ascii_lowercase()));
        }
        _ => return None,
    }
    let start = parts.len();
    while parts.len() < start + MAX_GROUPS && line.kind(end) == Some(Kind::Group) {
        let group = lower(line.str(end)).replace(' ', "");
        if !parts.is_empty() && !line.adjacent(end) && !spaced(line, end, &group) {
            break;
        }
        parts.push(group);
        end += 1;
    }
    (!parts.is_empty()).then_some((parts, end))
}

/// Whether a bracket closes at `at`, directly behind a number, that none has opened.
fn closes_alone(line: Line<'_>, at: usize) -> bool {
    const FAR: usize = 40;
    if line.kind(at) != Some(Kind::Close) || !line.adjacent(at) {
        return false;
    }
    let mut depth = 0i32;
    for before in (at.saturating_sub(FAR)..at).rev() {
        match line.kind(before) {
            Some(Kind::Close) => depth += 1,
            Some(Kind::Open) => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    true
}

/// Words that may follow a lettered provision.
fn is_behind(word: &str) -> bool {
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

/// Whether a bracket after a space still belongs to the number: "92 (4)(b)", not "section 4 (a) the buyer".
fn spaced(line: Line<'_>, at: usize, group: &str) -> bool {
    if group.starts_with("(1") && group.len() == 3 && line.word(at + 1).starts_with(char::is_lowercase) {
        // "section 4 (1) the buyer".
        return is_behind(line.word(at + 1));
    }
    if group.bytes().nth(1).is_some_and(|b| b.is_ascii_digit()) {
        return true;
    }
    match line.kind(at + 1) {
        None | Some(Kind::Stop | Kind::Comma | Kind::Close | Kind::Group) => true,
        Some(Kind::Word) => is_behind(line.word(at + 1)),
        _ => false,
    }
}

/// "1.1-2", "78u-4": number, dash and number as one, where they are no range.
fn dashed(line: Line<'_>, at: usize, number: &str, word: Option<Provision>) -> Option<String> {
    if line.kind(at)? != Kind::Dash || line.kind(at + 1)? != Kind::Number {
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
    Some(format!("{number}-{}", lower(second)))
}

/// "(f), (g) and (h)": the bracket at `at` in the place of the last one of its kind, with those behind it.
fn sibling(line: Line<'_>, at: usize, last: &[String], sure: bool) -> Option<(Vec<String>, usize)> {
    let group = lower(line.str(at)).replace(' ', "");
    let inner = |part: &str| part.trim_matches(['(', ')']).to_owned();
    let is_digit = |part: &str| inner(part).starts_with(|c: char| c.is_ascii_digit());
    let is_roman = |part: &str| roman(&inner(part)).is_some();
    // "section 4(a), (b) the buyer": after a mere comma what follows must not be a noun.
    if !sure && line.kind(at + 1) == Some(Kind::Word) && !is_behind(line.word(at + 1)) {
        return None;
    }
    let groups: Vec<usize> =
        last.iter().enumerate().filter(|(_, part)| part.starts_with('(')).map(|(n, _)| n).collect();
    let same = |n: usize| {
        let part = last.get(n).map_or("", String::as_str);
        is_digit(part) == is_digit(&group)
            && (is_digit(&group) || !is_roman(part) || is_roman(&group) || inner(part).len() == 1)
    };
    let place = groups.iter().rev().copied().find(|&n| {
        let part = last.get(n).map_or("", String::as_str);
        same(n)
            && (is_digit(&group)
                || is_roman(part) == is_roman(&group)
                || !is_roman(part)
                || groups.len() == 1)
    });
    let place = place.or_else(|| groups.iter().rev().copied().find(|&n| same(n)));
    let keep = match place {
        Some(place) => place,
        None if groups.is_empty() && is_digit(&group) && sure => last.len(),
        None => return None,
    };
    let mut parts: Vec<String> = last.get(..keep)?.to_vec();
    parts.push(group);
    let mut end = at + 1;
    while parts.len() < keep + MAX_GROUPS && line.kind(end) == Some(Kind::Group) && line.adjacent(end) {
        parts.push(lower(line.str(end)).replace(' ', ""));
        end += 1;
    }
    Some((parts, end))
}

/// Reads what stands behind a list: outer provisions, the instrument, "above".
fn behind(line: Line<'_>, list: &mut List, last: &Option<String>) {
    for _ in 0..MAX_OUTER {
        let at = list.end;
        let word = line.word(at);
        match word {
            "above" => return set(list, Scope::Above, at + 1),
            "below" => return set(list, Scope::Below, at + 1),
            "hereof" | "hereto" => return set(list, Scope::Own, at + 1),
            _ => {}
        }
        if matches!(word, "of" | "to" | "in" | "under" | "from") {
            // A slip of the pen ("of of the") costs nothing.
            let at = if line.word(at + 1) == word { at + 1 } else { at };
            if outer(line, list, at + 1) {
                continue;
            }
            if list.instrument.is_some() {
                return;
            }
            let Some((named, end)) = forward(line, at + 1) else { return };
            match named {
                Named::Own => list.scope = Scope::Own,
                // Where none was named before, it is at least not this document.
                Named::That => list.instrument = last.clone().or_else(|| Some(line.printed(at + 1, end))),
                Named::Tokens(from, to) => {
                    // "in Company X": only a title or an acronym, which `forward` has seen.
                    list.instrument = Some(line.printed(from, to));
                }
            }
            list.end = end;
            return;
        }
        let comma = line.kind(at) == Some(Kind::Comma);
        let next = if comma { at + 1 } else { at };
        if list.items.len() == 1 && inner(line, list, next) {
            continue;
        }
        if !comma && list.instrument.is_none() {
            // "section 58(2) FSMR", "section 172 Companies Act 2006".
            let shouting = line.word(at + 1).chars().any(char::is_lowercase);
            let calm = at + 1 >= line.tokens.len() || line.word(at + 1).is_empty() || shouting;
            let end = if is_acronym(word) && word.len() > 2 && calm && line.kind(at + 1) != Some(Kind::Number)
            {
                Some(at + 1)
            } else {
                super::instrument::title(line, at)
                    .filter(|&(end, n_words)| n_words > 1 && is_year(line, end - 1))
                    .map(|(end, _)| end)
            };
            if let Some(end) = end
                && provision(word).is_none()
            {
                list.instrument = Some(line.printed(at, end));
                list.end = end;
            }
            return;
        }
        if comma && list.instrument.is_none() && line.word(next) != "the" {
            // "section 172, Companies Act 2006".
            if let Some((end, n_words)) = super::instrument::title(line, next)
                && n_words > 1
            {
                list.instrument = Some(line.printed(next, end));
                list.end = end;
            }
        }
        return;
    }
}

fn set(list: &mut List, scope: Scope, end: usize) {
    list.scope = scope;
    list.end = end;
}

/// An outer provision at `at` ("Part 4", "the Schedule", "this section"), put in front; whether there is one.
fn outer(line: Line<'_>, list: &mut List, at: usize) -> bool {
    let determiner = line.word(at).to_lowercase();
    let i = match determiner.as_str() {
        "the" | "this" | "that" | "those" | "these" | "said" => at + 1,
        _ => at,
    };
    if line.kind(i) == Some(Kind::Number) && line.str(i).starts_with(|c: char| c.is_ascii_uppercase()) {
        // "Guidance note 1 of A6.9.3".
        let Some((parts, end)) = one(line, i, None) else { return false };
        list.prefix.splice(0..0, parts);
        list.end = end;
        return true;
    }
    let Some(word) = provision(line.word(i)) else {
        // "in COBS 3.2.1".
        if is_acronym(line.word(i))
            && line.kind(i + 1) == Some(Kind::Number)
            && line.str(i + 1).contains('.')
            && list.instrument.is_none()
            && let Some((parts, end)) = one(line, i + 1, None)
        {
            list.instrument = Some(line.printed(i, i + 1));
            list.prefix.splice(0..0, parts);
            list.end = end;
            return true;
        }
        return false;
    };
    let number = if word.short && line.kind(i + 1) == Some(Kind::Stop) { i + 2 } else { i + 1 };
    if let Some((parts, end)) = one(line, number, Some(word)) {
        list.prefix.splice(0..0, parts);
        list.end = end;
        return true;
    }
    let key = word.key.to_owned();
    match determiner.as_str() {
        "this" | "these" if !word.short => {
            // "this Regulation" is the instrument at least as often as the provision.
            if matches!(word.key, "regulation" | "guidance" | "note") || word.key == "rule" && word.plural {
                set(list, Scope::Own, i + 1);
            } else {
                list.prefix.insert(0, key);
                set(list, Scope::Here, i + 1);
            }
        }
        "that" | "said" if !word.short && !word.plural && word.rank >= Rank::Schedule => {
            list.prefix.insert(0, key);
            set(list, Scope::That, i + 1);
        }
        "the" if word.rank == Rank::Schedule && !word.short && !word.plural => {
            list.prefix.insert(0, key);
            list.end = i + 1;
        }
        _ => return false,
    }
    true
}

/// An inner provision directly behind: "Schedule 2 paragraph 4", "Article 5, paragraph 2", "Part 3, Chapter 2".
fn inner(line: Line<'_>, list: &mut List, at: usize) -> bool {
    let Some(word) = provision(line.word(at)).filter(|word| !word.plural) else { return false };
    let Some(item) = list.items.first_mut() else { return false };
    let rank = item
        .parts
        .iter()
        .rev()
        .find_map(|part| part.split_once(' ').and_then(|(key, _)| super::words::rank_of(key)));
    let number = if word.short && line.kind(at + 1) == Some(Kind::Stop) { at + 2 } else { at + 1 };
    if rank.is_none_or(|rank| rank >= word.rank || word.rank == Rank::Section && rank != Rank::Schedule) {
        return false;
    }
    let Some((parts, end)) = one(line, number, Some(word)) else { return false };
    item.parts.extend(parts);
    item.to = end;
    list.end = end;
    true
}

/// "this section", "the preceding section", "that paragraph".
fn relative(line: Line<'_>, at: usize) -> Option<List> {
    let first = line.word(at).to_lowercase();
    let (scope, noun) = match first.as_str() {
        "this" => (Scope::Here, at + 1),
        "that" => (Scope::That, at + 1),
        "the" => match line.word(at + 1) {
            "preceding" | "previous" | "foregoing" => (Scope::Previous, at + 2),
            "following" | "next" | "succeeding" => (Scope::Next, at + 2),
            _ => return None,
        },
        _ => return None,
    };
    let word = provision(line.word(noun)).filter(|word| {
        !word.plural
            && !word.short
            && word.rank < Rank::Item
            && !matches!(word.key, "title" | "book" | "regulation")
    })?;
    // With a number of its own it is cited by that.
    if one(line, noun + 1, Some(word)).is_some() || line.kind(noun + 1) == Some(Kind::Dash) {
        return None;
    }
    let item = Item { from: at, to: noun + 1, parts: vec![word.key.to_owned()], through: false };
    Some(List { items: vec![item], key: "this", scope, start: at, end: noun + 1, ..List::default() })
}

/// "in (1)", "under (2)(a)": brackets alone, behind a word that takes a provision and before one that takes none.
fn bare(line: Line<'_>, at: usize) -> Option<List> {
    let before = at.checked_sub(1)?;
    if !matches!(line.word(before), "in" | "under" | "of" | "to" | "with" | "by") || line.adjacent(at) {
        return None;
    }
    let word = Provision { key: "", rank: Rank::Paragraph, plural: true, short: false };
    let list = list(line, at, at, Some(word))?;
    let ends = match line.kind(list.end) {
        None | Some(Kind::Comma | Kind::Stop | Kind::Close | Kind::Dash) => true,
        Some(Kind::Word) => matches!(
            line.word(list.end),
            "above" | "below" | "applies" | "apply" | "does" | "do" | "shall" | "must" | "is" | "are" | "may"
        ),
        Some(Kind::Other) => line.str(list.end) == ";" || line.str(list.end) == ":",
        _ => false,
    };
    ends.then_some(List { key: "()", ..list })
}

/// "17 CFR 230.506(b)", "15 U.S.C. § 78j(b)".
fn code(line: Line<'_>, at: usize) -> Option<List> {
    const CODES: [&str; 6] = ["CFR", "C.F.R", "USC", "U.S.C", "USCA", "U.S.C.A"];
    if !CODES.contains(&line.word(at + 1)) || !line.str(at).bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut number = at + 2;
    if line.kind(number) == Some(Kind::Stop) {
        number += 1;
    }
    let to = number;
    let mut word = Provision { key: "§", rank: Rank::Section, plural: false, short: false };
    if line.kind(number) == Some(Kind::Sign) {
        number += 1;
        if line.kind(number) == Some(Kind::Sign) {
            word.plural = true;
            number += 1;
        }
    } else if let Some(named) = provision(line.word(number)) {
        word = named;
        number += 1;
        if line.kind(number) == Some(Kind::Stop) {
            number += 1;
        }
    }
    let list = list(line, at, number, Some(word))?;
    Some(List { instrument: Some(line.printed(at, to)), ..list })
}

/// "Pub. L. No. 111-203", "Public Law 111-203": the whole law.
fn public_law(line: Line<'_>, at: usize) -> Option<List> {
    let mut number = match line.word(at) {
        "Pub" if line.kind(at + 1) == Some(Kind::Stop) && line.word(at + 2) == "L" => at + 3,
        "Public" if line.word(at + 1) == "Law" => at + 2,
        _ => return None,
    };
    while line.kind(number) == Some(Kind::Stop) || matches!(line.word(number), "No" | "Nos") {
        number += 1;
    }
    let dash = line.kind(number) == Some(Kind::Number)
        && line.kind(number + 1) == Some(Kind::Dash)
        && line.kind(number + 2) == Some(Kind::Number);
    if !dash || number > at + 6 {
        return None;
    }
    Some(whole(line, at, number + 3))
}

/// A whole instrument: tokens `at..end`.
fn whole(line: Line<'_>, at: usize, end: usize) -> List {
    let item = Item { from: at, to: end, parts: Vec::new(), through: false };
    List {
        items: vec![item],
        key: "law",
        instrument: Some(line.printed(at, end)),
        start: at,
        end,
        ..List::default()
    }
}

/// "Fed. R. Civ. P. 12(b)(6)", "Fed. R. Evid. 403".
fn federal_rule(line: Line<'_>, at: usize) -> Option<List> {
    if line.word(at) != "Fed" || line.kind(at + 1) != Some(Kind::Stop) || line.word(at + 2) != "R" {
        return None;
    }
    let mut number = at + 3;
    while number < at + 9
        && (line.kind(number) == Some(Kind::Stop)
            || matches!(line.word(number), "Civ" | "Crim" | "App" | "Evid" | "Bankr" | "P"))
    {
        number += 1;
    }
    let word = Provision { key: "rule", rank: Rank::Section, plural: false, short: false };
    let list = list(line, at, number, Some(word))?;
    Some(List { instrument: Some(line.printed(at, number)), ..list })
}

/// In lower case, invisible characters left out.
fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    printed(text).chars().filter(|&c| !is_invisible(c)).flat_map(char::to_lowercase).collect()
}
