//! The values of a sentence, normalised, so that sentences can be compared by them.
//!
//! A length of time is a number and the unit after it, in digits or words: "twenty-one days", "six (6) years", 十五日. A
//! number in a label ("rule 4") or a date does not count. Each number has its own unit, except that two may share one
//! ("10 to 20 days"). Cost: linear in the sentence.

use document::Slice as _;
use text::numerals;
use text::quantity::{self, MONTHS, Quantity};

use super::kind::FigureKind;
use super::labels::LabelRanges;
use super::units::{CLOCK, unit};

/// Maximum distance in words from a number to its unit: "thirty full business days".
const REACH: usize = 3;
/// Maximum number in digits, in bytes.
const MAX_DIGITS: usize = 16;
/// Words that separate a number from a unit after them: "4 of each year".
const BREAKS: &[&str] = &["a", "an", "the", "each", "every", "per", "of", "in"];
/// Words and signs that join two numbers with one unit.
const JOINS: &[&str] = &["to", "or", "and", "-", "–", "—"];
/// Number words that are no number alone.
const SCALES: &[&str] = &["hundred", "thousand", "million", "billion"];

/// The different values of a kind in a sentence, normalised: "6 year", "2024-07-31", "USD 1200.00".
pub(in crate::question) fn values(figure: FigureKind, sentence: &str) -> Vec<String> {
    let is_share = |amount: &Quantity| amount.value.ends_with('%');
    let amounts = quantity::amounts(sentence).into_iter();
    let mut values: Vec<String> = match figure {
        FigureKind::Sum => amounts.filter(|amount| !is_share(amount)).map(|amount| amount.value).collect(),
        FigureKind::Share => amounts.filter(is_share).map(|amount| amount.value).collect(),
        FigureKind::Number => Vec::new(),
        FigureKind::Time | FigureKind::When => {
            let dates = quantity::dates(sentence);
            let mut values = spans(sentence, &dates);
            values.extend(chinese_spans(sentence));
            values.extend(dates.into_iter().map(|date| date.value));
            values
        }
    };
    values.sort_unstable();
    values.dedup();
    values
}

/// True if a printed word is part of a value: a figure or its unit. Not for stems: "thirti" is no number.
pub(crate) fn is_of_value(word: &str) -> bool {
    let lower = word.to_lowercase();
    let lower = lower.as_str();
    lower.chars().any(|c| c.is_ascii_digit() || numerals::is_han_ordinal(c))
        || numerals::english(lower).is_some()
        || unit(lower).is_some()
        || [SCALES, CLOCK, &MONTHS].iter().any(|words| words.contains(&lower))
}

/// The words after a number.
enum FollowingUnit {
    /// Its unit.
    Unit(&'static str),
    /// Another number, with which it shares the unit.
    Shared,
    Nothing,
}

/// Lengths of time in English: "six (6) years", "30 business days", "one hundred and eighty days".
fn spans(sentence: &str, dates: &[Quantity]) -> Vec<String> {
    let words = words(sentence);
    let mut labels = LabelRanges::of(sentence);
    let mut dates = dates.iter().map(|date| &date.range).peekable();
    let mut spans = Vec::new();
    // Numbers that share the unit of the next number.
    let mut open: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(&(start, _)) = words.get(at) {
        at += 1;
        while dates.next_if(|date| date.end <= start).is_some() {}
        if labels.contains(start) || dates.peek().is_some_and(|date| date.start <= start) {
            open.clear();
            continue;
        }
        let Some((n, len)) = sentence.get(start..).and_then(number) else { continue };
        while words.get(at).is_some_and(|(next, _)| *next < start + len) {
            at += 1;
        }
        open.push(n);
        match behind(sentence, start + len, words.slice(at..)) {
            FollowingUnit::Unit(unit) => spans.extend(open.drain(..).map(|n| format!("{n} {unit}"))),
            FollowingUnit::Shared => {}
            FollowingUnit::Nothing => open.clear(),
        }
    }
    spans
}

/// The words of letters and digits of a sentence, with their places.
fn words(sentence: &str) -> Vec<(usize, &str)> {
    let mut next = 0;
    let pieces = sentence.split_inclusive(|c: char| !c.is_alphanumeric()).map(|piece| {
        let start = next;
        next += piece.len();
        (start, piece.trim_end_matches(|c: char| !c.is_alphanumeric()))
    });
    pieces.filter(|(_, word)| !word.is_empty()).collect()
}

/// The number at the beginning of a text, in digits or words, and its length in bytes. "4.2.1" and "6th" are none.
fn number(text: &str) -> Option<(String, usize)> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b',' | b'.');
    let len = text.bytes().take(MAX_DIGITS).take_while(is_part).count();
    let digits = text.get(..len)?.trim_end_matches([',', '.']);
    if digits.is_empty() {
        return numerals::english(text).map(|(n, len)| (n.to_string(), len));
    }
    if text.get(digits.len()..)?.starts_with(char::is_alphanumeric) {
        return None;
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_grouped = whole.split(',').skip(1).all(|group| group.len() == 3);
    if !is_grouped || fraction.contains([',', '.']) {
        return None;
    }
    let n: u64 = whole.replace(',', "").parse().ok()?;
    let fraction = fraction.trim_end_matches('0');
    let value = if fraction.is_empty() { n.to_string() } else { format!("{n}.{fraction}") };
    Some((value, digits.len()))
}

/// The words after a number that ends at byte `end`.
fn behind(sentence: &str, end: usize, words: &[(usize, &str)]) -> FollowingUnit {
    let mut last = end;
    for &(start, word) in words.iter().take(REACH) {
        // A number and its unit are in one phrase.
        if sentence.get(last..start).is_none_or(|gap| gap.contains([',', ';', ':', '.'])) {
            return FollowingUnit::Nothing;
        }
        let lower = word.to_lowercase();
        if let Some(unit) = unit(&lower) {
            return FollowingUnit::Unit(unit);
        }
        if sentence.get(start..).and_then(number).is_some() {
            let between = sentence.slice(end..start).trim().to_lowercase();
            return if JOINS.contains(&between.as_str()) {
                FollowingUnit::Shared
            } else {
                FollowingUnit::Nothing
            };
        }
        if BREAKS.contains(&lower.as_str()) || MONTHS.contains(&lower.as_str()) {
            return FollowingUnit::Nothing;
        }
        last = start + word.len();
    }
    FollowingUnit::Nothing
}

/// Lengths of time in Chinese: 十五日, 六个月.
fn chinese_spans(sentence: &str) -> Vec<String> {
    let mut spans = Vec::new();
    let mut numeral = String::new();
    let mut rest = sentence.chars().peekable();
    while let Some(c) = rest.next() {
        if c.is_ascii_digit() || numerals::is_han_ordinal(c) {
            numeral.push(c);
            continue;
        }
        let unit = if c == '个' { rest.peek().copied().unwrap_or(c) } else { c };
        if !numeral.is_empty() && "日天年月周时".contains(unit) {
            let n = numeral.parse().ok().or_else(|| numerals::chinese(&numeral));
            spans.extend(n.map(|n: u32| format!("{n} {unit}")));
        }
        numeral.clear();
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_however_they_are_spelled() {
        let cases: [(FigureKind, &str, &[&str]); 6] = [
            (FigureKind::Time, "for five (5) years", &["5 year"]),
            (FigureKind::Time, "within thirty business days", &["30 day"]),
            (FigureKind::Time, "应当在十五日内或者六个月内", &["15 日", "6 月"]),
            (FigureKind::Time, "in good order", &[]),
            (FigureKind::Share, "4.5 per cent of $100", &["4.5 %"]),
            (FigureKind::Sum, "4.5 per cent of USD 100", &["USD 100.00"]),
        ];
        for (figure, sentence, expected) in cases {
            assert_eq!(values(figure, sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn a_number_is_read_whole_and_has_its_own_unit() {
        let cases: [(&str, &[&str]); 14] = [
            ("within one hundred and eighty days", &["180 day"]),
            ("within twenty-one (21) days", &["21 day"]),
            ("a Two-Year period", &["2 year"]),
            ("for 1,000 hours", &["1000 hour"]),
            ("for 1.50 years", &["1.5 year"]),
            ("after 10 to 20 days", &["10 day", "20 day"]),
            ("in 3 reports or within 20 days", &["20 day"]),
            ("Under rule 4, each year is counted.", &[]),
            ("The firm files 4 reports each year.", &[]),
            ("(2) within 30 days", &["30 day"]),
            ("within 30 days under section 12 of the year", &["30 day"]),
            ("on 31 July 2024 in two months", &["2 month", "2024-07-31"]),
            ("on 1 January of a year", &[]),
            ("on the 6th day", &[]),
        ];
        for (sentence, expected) in cases {
            assert_eq!(values(FigureKind::Time, sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn words_of_a_value_are_known_as_they_are_printed() {
        for word in ["thirty", "Sixty", "days", "Months", "hundred", "July", "12", "十五"] {
            assert!(is_of_value(word), "{word}");
        }
        for word in ["secondary", "complaints", "Monday", "headquarters", "登记"] {
            assert!(!is_of_value(word), "{word}");
        }
    }

    #[test]
    fn long_runs_of_figures_end() {
        for run in ["1.", "1,", "one hundred and ", "and ", "10-"] {
            assert!(values(FigureKind::Time, &run.repeat(100_000)).is_empty(), "{run}");
        }
    }
}
