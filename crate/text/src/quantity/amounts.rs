//! Money and shares: "$1.5 million", "US$ 300,000", "AED 5,000", "10 million euros", 人民币100万元, 5亿元, "15 %",
//! "12.5 per cent", 百分之十五. Values are exact decimals: no float takes part.

use document::Slice as _;

use super::value::Quantity;
use crate::numerals::{chinese, is_han_ordinal};
use crate::steps;

/// Signs and codes in front of a number, the longest first.
const BEFORE: [(&str, &str); 40] = [
    ("US$", "USD"),
    ("HK$", "HKD"),
    ("A$", "AUD"),
    ("C$", "CAD"),
    ("S$", "SGD"),
    ("NZ$", "NZD"),
    ("人民币", "CNY"),
    ("港币", "HKD"),
    ("RMB", "CNY"),
    ("CNY", "CNY"),
    ("USD", "USD"),
    ("EUR", "EUR"),
    ("GBP", "GBP"),
    ("AED", "AED"),
    ("JPY", "JPY"),
    ("CHF", "CHF"),
    ("HKD", "HKD"),
    ("SGD", "SGD"),
    ("AUD", "AUD"),
    ("CAD", "CAD"),
    ("INR", "INR"),
    ("SAR", "SAR"),
    ("NZD", "NZD"),
    ("SEK", "SEK"),
    ("NOK", "NOK"),
    ("DKK", "DKK"),
    ("KRW", "KRW"),
    ("BRL", "BRL"),
    ("ZAR", "ZAR"),
    ("MXN", "MXN"),
    ("QAR", "QAR"),
    ("KWD", "KWD"),
    ("BHD", "BHD"),
    ("OMR", "OMR"),
    ("Rs.", "INR"),
    ("$", "USD"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("¥", "CNY"),
    ("￥", "CNY"),
];

/// Currencies behind a number.
const BEHIND: [(&str, &str); 20] = [
    ("U.S. dollars", "USD"),
    ("US dollars", "USD"),
    ("dollars", "USD"),
    ("euros", "EUR"),
    ("euro", "EUR"),
    ("pounds sterling", "GBP"),
    ("yuan", "CNY"),
    ("renminbi", "CNY"),
    ("dirhams", "AED"),
    ("EUR", "EUR"),
    ("USD", "USD"),
    ("GBP", "GBP"),
    ("AED", "AED"),
    ("CHF", "CHF"),
    ("€", "EUR"),
    ("美元", "USD"),
    ("欧元", "EUR"),
    ("港元", "HKD"),
    ("日元", "JPY"),
    ("元", "CNY"),
];

/// Words that multiply, with their power of ten.
const SCALES: [(&str, u32); 15] = [
    ("thousand", 3),
    ("million", 6),
    ("billion", 9),
    ("trillion", 12),
    ("mn", 6),
    ("bn", 9),
    ("m", 6),
    ("k", 3),
    ("万亿", 12),
    ("千万", 7),
    ("百万", 6),
    ("亿", 8),
    ("万", 4),
    ("千", 3),
    ("百", 2),
];

/// Adds the amounts of a line.
pub(super) fn scan(line: &str, found: &mut Vec<Quantity>) {
    let mut at = 0;
    let mut before = ' ';
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        steps::count(1);
        let free = !before.is_alphanumeric() && before != '.' || !before.is_ascii();
        let read = if free && (c.is_ascii_uppercase() || !c.is_alphanumeric() || matches!(c, '人' | '港')) {
            signed(line, at)
        } else if free && c.is_ascii_digit() {
            share(line, at).or_else(|| named(line, at))
        } else if c == '百' {
            hundredths(line, at)
        } else {
            None
        };
        if let Some((value, end)) = read {
            found.push(Quantity { range: at..end, value });
            at = end;
            before = '0';
            continue;
        }
        // The rest of a number opens no amount, however long it is.
        let rest = line.as_bytes().slice(at..);
        let figure = |b: &u8| b.is_ascii_digit() || matches!(b, b',' | b'.');
        let step =
            if c.is_ascii_digit() { rest.iter().take_while(|b| figure(b)).count() } else { c.len_utf8() };
        steps::count(step);
        at += step;
        before = if c.is_ascii_digit() { '0' } else { c };
    }
}

/// Digits of a number at `at` without separators, how many of them are decimals, and its end.
fn number(line: &str, at: usize) -> Option<(String, u32, usize)> {
    const MAX_DIGITS: usize = 24;
    const MAX_BYTES: usize = 40;
    let bytes = line.as_bytes();
    let mut digits = String::new();
    let mut decimals = None;
    let mut end = at;
    while let Some(&b) = bytes.get(end).filter(|_| end < at + MAX_BYTES) {
        steps::count(1);
        let group =
            |n: usize| bytes.get(end + 1..end + 1 + n).is_some_and(|d| d.iter().all(u8::is_ascii_digit));
        if b.is_ascii_digit() {
            if digits.len() < MAX_DIGITS {
                digits.push(char::from(b));
            }
            decimals = decimals.map(|n: u32| n + 1);
            end += 1;
        } else if b == b',' && decimals.is_none() && group(3) && !digits.is_empty() {
            end += 1;
        } else if b == b'.' && decimals.is_none() && group(1) {
            decimals = Some(0);
            end += 1;
        } else {
            break;
        }
    }
    let fits = !digits.is_empty() && end - at < MAX_BYTES;
    fits.then_some((digits, decimals.unwrap_or(0), end))
}

fn spaces(line: &str, at: usize) -> usize {
    let rest = line.slice(at..);
    let n_bytes = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
    steps::count(1 + n_bytes);
    at + n_bytes
}

/// The power of ten of a word behind a number, and its end.
fn scale(line: &str, at: usize) -> (u32, usize) {
    let next = spaces(line, at);
    let rest = line.slice(next..);
    for (word, power) in SCALES {
        let same = rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let whole = !word.is_ascii()
            || !rest
                .get(word.len()..)
                .is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_alphanumeric()));
        // "5 m" is a length more often than money; "5m" behind a sign is money.
        if same && whole && (word.len() > 1 || next == at) {
            return (power, next + word.len());
        }
    }
    (0, at)
}

/// The currency whose name stands at the head of a text behind a number, and how many bytes the name takes.
pub fn currency(text: &str) -> Option<(&'static str, usize)> {
    let whole =
        |word: &str, tail: &str| !word.is_ascii() || !tail.starts_with(|c: char| c.is_ascii_alphanumeric());
    let (word, code) =
        BEHIND.into_iter().find(|(word, _)| text.strip_prefix(word).is_some_and(|tail| whole(word, tail)))?;
    Some((code, word.len()))
}

/// The value for comparison of `digits`, of which the last `decimals` are decimals, times ten to the `power`, in
/// a currency: exact, with two decimals or more.
pub fn money(code: &str, digits: &str, decimals: u32, power: u32) -> Option<String> {
    let mut units = digits.to_owned();
    let mut decimals = decimals;
    if power >= decimals {
        units.push_str(&"0".repeat((power - decimals) as usize));
        decimals = 0;
    } else {
        decimals -= power;
    }
    while decimals < 2 {
        units.push('0');
        decimals += 1;
    }
    let decimals = decimals as usize;
    while units.len() <= decimals {
        units.insert(0, '0');
    }
    let (whole, part) = units.split_at_checked(units.len() - decimals)?;
    let whole = whole.trim_start_matches('0');
    let mut part = part.to_owned();
    while part.len() > 2 && part.ends_with('0') {
        part.pop();
    }
    Some(format!("{code} {}.{part}", if whole.is_empty() { "0" } else { whole }))
}

/// "$1.5 million", "AED 5,000", 人民币100万元.
fn signed(line: &str, at: usize) -> Option<(String, usize)> {
    let rest = line.get(at..)?;
    let (sign, code) = BEFORE.into_iter().find(|(sign, _)| rest.starts_with(sign))?;
    let start = spaces(line, at + sign.len());
    let (digits, decimals, end) = number(line, start)?;
    // "EUR 2017/625" is an act, not money.
    if line.get(end..).is_some_and(|rest| rest.starts_with(['/', '-'])) {
        return None;
    }
    let (power, mut end) = scale(line, end);
    for unit in ["元", "圆"] {
        if line.get(end..).is_some_and(|rest| rest.starts_with(unit)) {
            end += unit.len();
        }
    }
    Some((money(code, &digits, decimals, power)?, end))
}

/// "10 million euros", 5亿元.
fn named(line: &str, at: usize) -> Option<(String, usize)> {
    let (digits, decimals, end) = number(line, at)?;
    let (power, end) = scale(line, end);
    let next = spaces(line, end);
    let rest = line.get(next..)?;
    let (code, len) = currency(rest)?;
    Some((money(code, &digits, decimals, power)?, next + len))
}

/// The value for comparison of a share: `digits`, of which the last `decimals` are decimals, per cent.
pub fn percent(digits: &str, decimals: u32) -> Option<String> {
    let decimals = decimals as usize;
    let mut units = digits.to_owned();
    while units.len() <= decimals {
        units.insert(0, '0');
    }
    let (whole, part) = units.split_at_checked(units.len() - decimals)?;
    let whole = whole.trim_start_matches('0');
    let part = part.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { format!("{whole} %") } else { format!("{whole}.{part} %") })
}

/// "15 %", "12.5 per cent", "7 percent".
fn share(line: &str, at: usize) -> Option<(String, usize)> {
    let (digits, decimals, end) = number(line, at)?;
    let next = spaces(line, end);
    let rest = line.get(next..)?;
    let word = ["%", "％", "per cent", "percent"].into_iter().find(|word| rest.starts_with(word))?;
    // "percentage points" are no share.
    let tail = rest.get(word.len()..)?;
    if word.is_ascii() && word.len() > 1 && tail.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    Some((percent(&digits, decimals)?, next + word.len()))
}

/// 百分之十五.
fn hundredths(line: &str, at: usize) -> Option<(String, usize)> {
    let rest = line.get(at..)?.strip_prefix("百分之")?;
    let start = line.len() - rest.len();
    if let Some((digits, decimals, end)) = number(line, start) {
        return Some((percent(&digits, decimals)?, end));
    }
    let n = rest.char_indices().take(8).find(|&(_, c)| !is_han_ordinal(c)).map_or(rest.len(), |(n, _)| n);
    let value = chinese(rest.get(..n)?)?;
    Some((format!("{value} %"), start + n))
}
