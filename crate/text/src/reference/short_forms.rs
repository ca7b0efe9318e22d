//! Short forms that a text gives names: "Qualified Investor (QI)", "QI (Qualified Investor)", "the Markets
//! Rules (“MKT”)", "… (the “Agreement”)", “……（以下简称‘本合同’）”.
//!
//! A bracket opens each of them, so only brackets are looked at; what is in them must be a quoted term or an
//! acronym whose letters are the initials of the words before (or behind) it. Cost: linear, the look back is
//! bounded.

use std::ops::Range;

use document::Slice as _;

use super::lex::{self, TokenKind};
use super::line::TokenizedLine;
use super::words::is_small_word;
use crate::steps;

/// Most tokens before a bracket that a name takes.
const MAX_LONG: usize = 20;
/// Most tokens in a bracket.
const MAX_INSIDE: usize = 14;

/// A short form and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortForm {
    /// The short form, in bytes of the text.
    pub short: Range<usize>,
    /// The words that it stands for.
    pub long: Range<usize>,
    /// True if the letters of the short form are the initials of the long one.
    pub acronym: bool,
}

/// The short forms in `text`, in its order.
pub fn short_forms(text: &str) -> Vec<ShortForm> {
    let mut found = Vec::new();
    let mut tokens = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']) {
        if line.contains(['(', '（']) {
            tokens.clear();
            lex::lex(line, start, &mut tokens);
            let view = TokenizedLine { text, tokens: &tokens };
            for at in 0..tokens.len() {
                if view.kind(at) == Some(TokenKind::Open) && view.str(at) == "(" {
                    found.extend(short_form_in_bracket(view, at));
                }
            }
            if !line.is_ascii() {
                chinese_short_forms(line, start, &mut found);
            }
        }
        start += line.len();
    }
    found
}

/// The short form in the bracket that opens at token `open`.
fn short_form_in_bracket(line: TokenizedLine<'_>, open: usize) -> Option<ShortForm> {
    let close = (open + 1..open + 2 + MAX_INSIDE).find(|&at| line.kind(at) == Some(TokenKind::Close))?;
    let quotes: Vec<usize> =
        (open + 1..close).filter(|&at| line.kind(at) == Some(TokenKind::Quote)).take(3).collect();
    if let [from, to] = quotes[..]
        && to > from + 1
        && to - from <= 8
        && (open + 1..from).all(|at| is_lead_word(line.word(at)) || line.kind(at) == Some(TokenKind::Comma))
        && close <= to + 2
    {
        let short = span(line, from + 1, to)?;
        let words = words_before(line, open);
        let letters: Vec<char> = line.word(from + 1).chars().collect();
        if to == from + 2
            && is_capitals(line.word(from + 1))
            && let Some(long) = initials(line, &letters, &words)
        {
            return Some(ShortForm { short, long, acronym: true });
        }
        let long = name_before(line, open)?;
        // A place or a first name before the bracket is not what the term stands for.
        let words = |range: &Range<usize>| line.text.slice(range.clone()).to_lowercase();
        let (name, term) = (words(&long), words(&short));
        if !name.contains(' ') && !term.split(' ').any(|word| word.len() > 2 && name.contains(word)) {
            return None;
        }
        return Some(ShortForm { short, long, acronym: false });
    }
    if !quotes.is_empty() {
        return None;
    }
    if close == open + 2 && is_capitals(line.word(open + 1)) {
        // "Qualified Investor (QI)".
        let letters: Vec<char> = line.word(open + 1).chars().collect();
        let long = initials(line, &letters, &words_before(line, open))?;
        return Some(ShortForm { short: span(line, open + 1, close)?, long, acronym: true });
    }
    // "QI (Qualified Investor)".
    let before = open.checked_sub(1).filter(|&before| is_capitals(line.word(before)))?;
    let inside: Vec<usize> = (open + 1..close).collect();
    let all_words = inside.iter().all(|&at| !line.word(at).is_empty());
    let letters: Vec<char> = line.word(before).chars().collect();
    let long = initials(line, &letters, &inside).filter(|_| all_words)?;
    let whole = span(line, open + 1, close)?;
    (long == whole).then_some(ShortForm { short: span(line, before, open)?, long, acronym: true })
}

/// Words in front of a quoted term.
fn is_lead_word(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "this"
            | "each"
            | "a"
            | "an"
            | "and"
            | "or"
            | "collectively"
            | "together"
            | "hereinafter"
            | "hereafter"
            | "referred"
            | "to"
            | "as"
            | "defined"
            | "known"
            | "such"
            | "in"
            | "individually"
            | "also"
            | "called"
    )
}

fn is_capitals(word: &str) -> bool {
    (2..=10).contains(&word.len())
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.bytes().filter(u8::is_ascii_uppercase).count() * 2 > word.len()
        && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
}

fn span(line: TokenizedLine<'_>, from: usize, to: usize) -> Option<Range<usize>> {
    let end = line.token(to.checked_sub(1)?)?.end;
    let start = line.token(from)?.start;
    (start < end).then_some(start..end)
}

/// The tokens of words before a bracket, in order of the text, up to punctuation.
fn words_before(line: TokenizedLine<'_>, open: usize) -> Vec<usize> {
    let mut words: Vec<usize> = (0..open)
        .rev()
        .take(MAX_LONG)
        .take_while(|&at| {
            matches!(line.kind(at), Some(TokenKind::Word | TokenKind::Dash | TokenKind::Quote))
                || line.str(at) == "&"
        })
        .collect();
    words.reverse();
    words
}

/// The last words among `words` whose initials are `letters`; small words and plurals may be passed over.
fn initials(line: TokenizedLine<'_>, letters: &[char], words: &[usize]) -> Option<Range<usize>> {
    let mut letters: Vec<char> = letters.iter().filter(|c| c.is_alphabetic()).copied().collect();
    // "QIs" is the plural of QI.
    if letters.len() > 2 && letters.last() == Some(&'s') {
        letters.pop();
    }
    let n_letters = letters.len();
    let last = *words.iter().rev().find(|&&at| !line.word(at).is_empty())?;
    let mut first = None;
    for &at in words.iter().rev() {
        let word = line.word(at);
        if word.is_empty() {
            continue;
        }
        // A hyphenated word may stand for one letter or for one of each part.
        let parts: Vec<char> = word.split(['-', '‑']).filter_map(|part| part.chars().next()).collect();
        let mut matched = false;
        for take in [parts.len(), 1] {
            let tail = letters.len().checked_sub(take).and_then(|from| letters.get(from..));
            let same =
                tail.is_some_and(|tail| tail.iter().zip(&parts).all(|(a, b)| a.eq_ignore_ascii_case(b)));
            if same {
                letters.truncate(letters.len() - take);
                matched = true;
                break;
            }
        }
        if matched {
            first = Some(at);
            if letters.is_empty() {
                break;
            }
        } else if !is_small_word(word) {
            return None;
        }
    }
    if !letters.is_empty() || n_letters < 2 {
        return None;
    }
    // All names begin with a capital, or the words are a term in small letters ("net asset value").
    span(line, first?, last + 1)
}

/// The name before a bracket: capitalised words with small ones between, a year at the end.
fn name_before(line: TokenizedLine<'_>, open: usize) -> Option<Range<usize>> {
    let mut first = None;
    let mut at = open;
    for _ in 0..MAX_LONG {
        let Some(before) = at.checked_sub(1) else { break };
        let word = line.word(before);
        let year = line.kind(before) == Some(TokenKind::Number) && line.str(before).len() == 4;
        if word.starts_with(char::is_uppercase) || (year && before + 1 == open) {
            first = Some(before);
        } else if !(is_small_word(word) && first.is_some()
            || line.str(before) == "&"
            || line.kind(before) == Some(TokenKind::Quote)
            || line.kind(before) == Some(TokenKind::Stop)
                && is_company_suffix(line.word(before.saturating_sub(1)))
            || line.kind(before) == Some(TokenKind::Comma) && is_company_suffix(line.word(at)))
        {
            break;
        }
        at = before;
    }
    let mut first = first?;
    // "The Companies Act 2006": the article is no part of the name; "This Rulebook" says whose it is.
    if line.word(first) == "The" && first + 1 < open {
        first += 1;
    }
    let mut end = open;
    if line.kind(end - 1) == Some(TokenKind::Quote) {
        end -= 1;
    }
    span(line, first, end)
}

/// True for a suffix of a company's name, before which a comma may stand.
fn is_company_suffix(word: &str) -> bool {
    matches!(
        word,
        "Inc" | "LLC" | "L.L.C" | "Ltd" | "LLP" | "L.P" | "LP" | "N.A" | "S.A" | "Corp" | "Limited" | "plc"
    )
}

/// （以下简称“……”）: the short form; the long one is the name in 《》 or the words before it.
fn chinese_short_forms(line: &str, base: usize, found: &mut Vec<ShortForm>) {
    const MAX_CHARS: usize = 40;
    let mut at = 0;
    while let Some(open) = line.get(at..).and_then(|rest| rest.find(['（', '('])) {
        steps::count(1 + open);
        let start = at + open;
        let width = line.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        at = start + width;
        let Some(rest) = line.get(at..) else { return };
        let Some(after) =
            ["以下简称", "以下称", "下称", "简称"].iter().find_map(|lead| rest.strip_prefix(lead))
        else {
            continue;
        };
        let from = line.len() - after.len();
        let Some(close) =
            after.char_indices().take(MAX_CHARS).find(|&(_, c)| matches!(c, '）' | ')')).map(|(n, _)| n)
        else {
            continue;
        };
        let marks = ['“', '”', '"', '「', '」', '《', '》', '：', ':', '为', ' ', '‘', '’', '\''];
        let inner = after.slice(..close);
        let term = inner.trim_matches(marks);
        let lead = inner.len() - inner.trim_start_matches(marks).len();
        let short = base + from + lead..base + from + lead + term.len();
        let before = line.slice(..start);
        let body = before.strip_suffix('》').unwrap_or(before);
        let stop =
            |c: char| matches!(c, '《' | '，' | '。' | '；' | '、' | '：' | '）' | '（') || c.is_whitespace();
        let begin = body
            .char_indices()
            .rev()
            .take(MAX_CHARS)
            .take_while(|&(_, c)| !stop(c))
            .last()
            .map_or(body.len(), |(n, _)| n);
        if !term.is_empty() && begin < body.len() {
            found.push(ShortForm { short, long: base + begin..base + body.len(), acronym: false });
        }
        at = from + close;
    }
}
