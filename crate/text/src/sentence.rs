//! Sentences of legal text, by rule.
//!
//! UAX #29 ends a sentence at every "v. ", "No. " and "Corp. "; a trained splitter is a dependency and a
//! table of weights for the work of a table of abbreviations. So one pass over the characters; at each stop the
//! words before and after it decide. The rules, in this order:
//!
//! 1. A line end always ends a sentence: the text has one only between blocks and table rows.
//! 2. `。！？；` end one at once (with the closing quotes and brackets after them); `；` because Chinese
//!    statutes chain their items with it.
//! 3. `.`, `!`, `?` and `…` end one only before a space, and never before a lower-case word. So list items
//!    joined by "; and" stay in their sentence, and decimals, "401(k)" and "F.2d" are never looked at.
//! 4. After an abbreviation that is always followed by something ("v.", "Art.", "Treas. Reg.") none ends.
//!    After one that may close a sentence ("Inc.", "U.S.C.", "Id.", an initial) one ends only before a word
//!    that commonly opens a sentence ("The", "However", "If").
//! 5. A number or letter that opens a sentence ("1.", "IV.", "A.") is its label, not a sentence.
//!
//! Cost: linear in the text; looking ahead is bounded by one run of spaces and one word.

use std::ops::Range;

use document::Slice as _;

use crate::chars::is_cjk;
use crate::provision;

/// The sentences of `text`: disjoint, in order, without the space around them; together they hold every
/// character that is not white space.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']) {
        split_line(text, line_start..line_start + line.len(), &mut ranges);
        line_start += line.len();
    }
    ranges
}

fn split_line(text: &str, line: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let Some(body) = text.get(line.clone()) else { return };
    let mut start = 0;
    let mut word_start = 0;
    let mut resume = 0;
    for (at, c) in body.char_indices() {
        if at < resume {
            continue;
        }
        let after = at + c.len_utf8();
        if c.is_whitespace() {
            word_start = after;
        } else if matches!(c, '。' | '！' | '？' | '；' | '｡') {
            let end = skip_closers(body, after);
            push(body, start..end, line.start, ranges);
            (start, word_start, resume) = (end, end, end);
        } else if matches!(c, '.' | '!' | '?' | '…') {
            let end = skip_closers(body, after);
            if ends_sentence(body, start, word_start, at, end) {
                push(body, start..end, line.start, ranges);
                (start, word_start) = (end, end);
            }
            resume = end;
        }
    }
    push(body, start..body.len(), line.start, ranges);
}

fn push(body: &str, range: Range<usize>, offset: usize, ranges: &mut Vec<Range<usize>>) {
    let Some(piece) = body.get(range.clone()) else { return };
    let trimmed = piece.trim();
    if !trimmed.is_empty() {
        let start = offset + range.start + (piece.len() - piece.trim_start().len());
        ranges.push(start..start + trimmed.len());
    }
}

/// Past the further stops, closing quotes and closing brackets that stand directly at `from`.
fn skip_closers(body: &str, from: usize) -> usize {
    let rest = body.slice(from..);
    let closes = |c: char| {
        matches!(c, '.' | '!' | '?' | '…' | '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '}')
            || matches!(c, '。' | '！' | '？' | '；' | '」' | '』' | '）' | '】' | '》' | '〉' | '〕')
    };
    from + rest.find(|c| !closes(c)).unwrap_or(rest.len())
}

/// True if the stop at `at`, with its closers ending at `end`, ends the sentence that began at `start`.
/// `word_start` is where the word before the stop begins.
fn ends_sentence(body: &str, start: usize, word_start: usize, at: usize, end: usize) -> bool {
    let rest = body.slice(end..);
    let next = rest.trim_start();
    let Some(first) = next.chars().next() else { return true };
    if next.len() == rest.len() {
        // Nothing but CJK may follow a stop without a space.
        return is_cjk(first)
            && !body.get(word_start..at).is_some_and(|word| word.ends_with(|c: char| c.is_ascii_digit()));
    }
    let following = next.split(char::is_whitespace).next().unwrap_or_default();
    if !may_open(following) {
        return false;
    }
    let stops = body.slice(at..end);
    let word = body.slice(word_start..at);
    if !stops.starts_with('.') {
        // A mark that stands alone in front is a bullet in a font of its own.
        return !word.is_empty() || body.get(start..at).is_some_and(|lead| !lead.trim().is_empty());
    }
    if word.is_empty() {
        // A stop that stands alone: a spaced ellipsis. Four stops end a sentence, three do not.
        let lead = body.slice(start..at);
        let n_before =
            lead.chars().rev().filter(|c| !c.is_whitespace()).take(4).take_while(|&c| c == '.').count();
        return first != '.' && n_before >= 3;
    }
    if first == '.' {
        return false;
    }
    let closed = stops.len() > 1;
    let core = word.trim_start_matches(['(', '[', '"', '“', '‘', '\'', '«', '—', '–']);
    let lead = body.slice(start..word_start).trim();
    if !closed && (lead.is_empty() || is_label_word(lead)) && is_enumerator(core) {
        return false;
    }
    // "Civ. Code. § 3049": a sign goes with the name of the code before it.
    if following.starts_with(['§', '¶']) && core.starts_with(char::is_uppercase) {
        return false;
    }
    // "(Treas. Reg.)" has closed its bracket: what follows is not what the abbreviation leads to.
    match closing(core, following) {
        Closing::Never => closed && is_starter(following),
        Closing::BeforeStarter => is_starter(following),
        Closing::Always => true,
    }
}

/// True if a sentence may open with this word: not with a small letter, unless it is an item "(b)".
fn may_open(word: &str) -> bool {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return false };
    if matches!(first, '(' | '[') {
        let inner = word.trim_start_matches(['(', '[']);
        let item = inner.find([')', ']']).and_then(|end| inner.get(..end));
        let is_item =
            item.is_some_and(|item| (1..=5).contains(&item.len()) && item.chars().all(char::is_alphanumeric));
        return is_item || !inner.starts_with(char::is_lowercase);
    }
    if matches!(first, '"' | '“' | '‘' | '\'' | '«') {
        return !chars.next().is_some_and(char::is_lowercase);
    }
    !first.is_lowercase() && !matches!(first, ',' | ';' | ':' | ')' | ']' | '&')
}

/// "1", "12", "1.2", "IV", "A": what labels a sentence when it stands in front of it.
fn is_enumerator(word: &str) -> bool {
    let digits = word.len() <= 9 && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let letter = word.len() == 1 && word.chars().all(|c| c.is_ascii_alphabetic());
    let roman = word.len() <= 6 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'i' | 'v' | 'x'));
    digits || letter || roman
}

/// "Section" in front of "2.03.": the two together label a sentence.
fn is_label_word(lead: &str) -> bool {
    provision::heading_word(lead).is_some()
}

/// Meaning of a stop after a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// The word leads to the next one.
    Never,
    /// The stop is the word's own, and may also end the sentence.
    BeforeStarter,
    /// An ordinary word.
    Always,
}

fn closing(word: &str, following: &str) -> Closing {
    if word.is_empty() {
        return Closing::Always;
    }
    let before_number =
        following.trim_start_matches(['(', '[', '§', '¶']).starts_with(|c: char| c.is_ascii_digit())
            || following.starts_with(['§', '¶']);
    // Only the last of words joined by a dash or a slash carries the stop.
    let last = word.rsplit(['—', '–', '/', '(', '-']).next().unwrap_or(word);
    let mut buffer = [0u8; LONGEST];
    let Some(lower) = lowered(last, &mut buffer) else { return Closing::Always };
    let provision = provision::word(lower).filter(|word| word.abbreviation);
    if contains(LEADING, lower) || provision.is_some_and(|word| !word.loose) {
        return Closing::Never;
    }
    if contains(NUMBERED, lower) || provision.is_some() {
        let roman =
            following.chars().take_while(|c| c.is_alphanumeric()).all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'));
        return if before_number || roman { Closing::Never } else { Closing::BeforeStarter };
    }
    if contains(MONTHS, lower) {
        return if before_number { Closing::Never } else { Closing::BeforeStarter };
    }
    if contains(TRAILING, lower) || is_dotted(lower) {
        return if before_number { Closing::Never } else { Closing::BeforeStarter };
    }
    if last.len() == 1 && last.chars().all(|c| c.is_ascii_uppercase()) {
        return Closing::BeforeStarter;
    }
    Closing::Always
}

/// "u.s.c", "l.l.c", "f.3d": letters and figures with stops between, none longer than three.
fn is_dotted(word: &str) -> bool {
    let is_part =
        |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    word.contains('.') && word.starts_with(|c: char| c.is_ascii_lowercase()) && word.split('.').all(is_part)
}

fn is_starter(word: &str) -> bool {
    let bare = word.trim_start_matches(['"', '“', '‘', '(', '[']);
    // "No." and "A." are abbreviations, not words.
    if bare.ends_with('.') && bare.len() <= 3 {
        return false;
    }
    let bare = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut buffer = [0u8; LONGEST];
    bare.starts_with(char::is_uppercase)
        && lowered(bare, &mut buffer).is_some_and(|lower| contains(STARTERS, lower))
}

/// Longest entry of the tables below.
const LONGEST: usize = 16;

/// `word` in ASCII lower case, `None` if it is longer than any entry.
fn lowered<'a>(word: &str, buffer: &'a mut [u8; LONGEST]) -> Option<&'a str> {
    let slot = buffer.get_mut(..word.len())?;
    slot.copy_from_slice(word.as_bytes());
    slot.make_ascii_lowercase();
    std::str::from_utf8(slot).ok()
}

fn contains(table: &[&str], word: &str) -> bool {
    table.binary_search(&word).is_ok()
}

/// Abbreviations that lead to what follows them, beside those of provisions. Sorted.
const LEADING: &[&str] = &[
    "acct", "amend", "ann", "approx", "ass'n", "atty", "bankr", "betw", "brig", "bros", "c.f", "ca", "capt",
    "cert", "cf", "cmt", "col", "comm", "cong", "const", "ctr", "def", "dep't", "dept", "doc", "dr", "e.g",
    "ed", "eds", "eng", "exec", "fed", "fig", "figs", "gen", "gov", "gov't", "hon", "i.e", "int'l", "ltr",
    "maj", "messrs", "mr", "mrs", "ms", "nat'l", "op", "pars", "perm", "phil", "pp", "pres", "priv", "prof",
    "pub", "pvt", "rec", "rep", "rev", "rptr", "rul", "sen", "sgt", "stat", "subch", "subd", "subpt", "supp",
    "tech", "temp", "treas", "univ", "v", "viz", "vol", "vols", "vs",
];

/// Abbreviations that lead to a number, and are ordinary words or ends otherwise, beside those of provisions.
/// Sorted.
const NUMBERED: &[&str] = &[
    "c", "cll", "ex", "exh", "exs", "fn", "fns", "item", "l", "ll", "lot", "n", "nn", "no", "nos", "note",
    "p", "par", "so", "ste", "tab",
];

/// Months. Sorted.
const MONTHS: &[&str] =
    &["apr", "aug", "dec", "feb", "jan", "jul", "jun", "mar", "nov", "oct", "sep", "sept"];

/// Abbreviations that may end a sentence. Sorted.
const TRAILING: &[&str] = &[
    "al", "ala", "am", "ariz", "ark", "assocs", "atl", "auth", "ave", "bd", "bhd", "blvd", "cal", "cir",
    "civ", "co", "colo", "comm'r", "conn", "corp", "cos", "crim", "ct", "d.c", "del", "dist", "div", "educ",
    "elec", "envtl", "esq", "etc", "evid", "fin", "fla", "ga", "haw", "hosp", "ibid", "id", "ill", "inc",
    "ind", "indus", "infra", "ins", "j", "jj", "jr", "kan", "ky", "la", "lp", "ltd", "mass", "md", "mem",
    "memo", "mfg", "mgmt", "mich", "minn", "miss", "mo", "mont", "mut", "neb", "nev", "okla", "ore", "pa",
    "ph.d", "plc", "proc", "prods", "pty", "rd", "res", "ry", "seq", "servs", "sess", "soc'y", "sr", "st",
    "supra", "sys", "tel", "tenn", "tex", "transp", "u.s", "u.s.c", "va", "vt", "wash", "wis", "wyo",
];

/// Words that commonly open a sentence and rarely follow an abbreviation inside one. Sorted.
const STARTERS: &[&str] = &[
    "a",
    "accordingly",
    "after",
    "all",
    "although",
    "an",
    "and",
    "any",
    "as",
    "at",
    "because",
    "before",
    "both",
    "but",
    "by",
    "consequently",
    "during",
    "each",
    "either",
    "even",
    "every",
    "except",
    "finally",
    "first",
    "for",
    "from",
    "further",
    "furthermore",
    "generally",
    "given",
    "he",
    "hence",
    "here",
    "his",
    "how",
    "however",
    "if",
    "in",
    "indeed",
    "instead",
    "it",
    "its",
    "like",
    "moreover",
    "nevertheless",
    "no",
    "nor",
    "not",
    "nothing",
    "notwithstanding",
    "now",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "rather",
    "second",
    "see",
    "she",
    "similarly",
    "since",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "then",
    "there",
    "thereafter",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "thus",
    "to",
    "under",
    "unless",
    "until",
    "upon",
    "we",
    "what",
    "when",
    "where",
    "whereas",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "with",
    "within",
    "without",
    "you",
    "your",
];

#[cfg(test)]
mod tests;
