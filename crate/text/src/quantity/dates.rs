//! Calendar dates: "31 July 2024", "July 31, 2024", "the 31st day of July 2024", "2024-07-31", "31/07/2024",
//! 2024年7月31日, 二〇二四年七月三十一日. A date of figures alone whose day and month could be either is none.

use document::Slice as _;

use super::value::Quantity;
use crate::numerals::{chinese, is_han_ordinal};
use crate::steps;

/// Adds the dates of a line.
pub(super) fn scan(line: &str, found: &mut Vec<Quantity>) {
    let mut at = 0;
    let mut before = ' ';
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        steps::count(1);
        let opens = !before.is_alphanumeric() && !matches!(before, '.' | '/' | '-' | '$' | '£' | '€')
            || !before.is_ascii() && !c.is_ascii_alphabetic();
        let read = match c {
            '0'..='9' if opens => {
                figures(line, at).or_else(|| day_first(line, at)).or_else(|| year(line, at))
            }
            'A' | 'D' | 'F' | 'J' | 'M' | 'N' | 'O' | 'S' if opens && !counted(line, at) => {
                month_first(line, at)
            }
            '一' | '二' => year(line, at),
            _ => None,
        };
        if let Some((value, end)) = read {
            found.push(Quantity { range: at..end, value });
            at = end;
            before = '0';
            continue;
        }
        // The rest of a number is no date.
        let step = if c.is_ascii_digit() {
            line.slice(at..).bytes().take_while(u8::is_ascii_digit).count()
        } else {
            c.len_utf8()
        };
        steps::count(step);
        at += step;
        before = c;
    }
}

/// True if a figure stands before the word at `at`: its day, which was read or is none.
fn counted(line: &str, at: usize) -> bool {
    let before = line.slice(..at).trim_end_matches(' ');
    steps::count(1 + at - before.len());
    before.ends_with(|c: char| c.is_ascii_digit())
}

fn digits(line: &str, at: usize) -> Option<(u32, usize)> {
    let rest = line.get(at..)?;
    let n = rest.bytes().take(5).take_while(u8::is_ascii_digit).count();
    if n == 0 || n > 4 {
        return None;
    }
    Some((rest.get(..n)?.parse().ok()?, at + n))
}

fn ends(line: &str, at: usize) -> bool {
    !line.get(at..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

fn spaces(line: &str, at: usize) -> usize {
    let rest = line.slice(at..);
    let n_bytes = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
    steps::count(1 + n_bytes);
    at + n_bytes
}

fn is_year(year: u32) -> bool {
    (1500..2200).contains(&year)
}

fn iso(year: u32, month: u32, day: u32) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (is_year(year) && (1..=last).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// "2024-07-31", "31/07/2024", "31.07.2024".
fn figures(line: &str, at: usize) -> Option<(String, usize)> {
    let (first, end) = digits(line, at)?;
    let mark = line.get(end..)?.chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let (second, end) = digits(line, end + 1)?;
    let rest = line.get(end..)?.strip_prefix(mark)?;
    let (third, end) = digits(line, line.len() - rest.len())?;
    if !ends(line, end) || line.get(end..)?.starts_with(['-', '/']) {
        return None;
    }
    let value = if first > 31 {
        iso(first, second, third)
    } else if third > 31 && second > 12 {
        iso(third, first, second)
    } else if third > 31 && (first > 12 || first == second || mark == '.') {
        iso(third, second, first)
    } else {
        None
    };
    Some((value?, end))
}

/// "31 July 2024", "31st day of July, 2024".
fn day_first(line: &str, at: usize) -> Option<(String, usize)> {
    let (day, mut end) = digits(line, at)?;
    let rest = line.get(end..)?;
    if let Some(ordinal) = ["st", "nd", "rd", "th"].into_iter().find(|ordinal| rest.starts_with(ordinal)) {
        end += ordinal.len();
    }
    let mut next = spaces(line, end);
    for lead in ["day of ", "of "] {
        if line.get(next..)?.starts_with(lead) {
            next = spaces(line, next + lead.len());
        }
    }
    if next == end {
        return None;
    }
    let (month, end) = month(line, next)?;
    let (year, end) = year_behind(line, end)?;
    Some((iso(year, month, day)?, end))
}

/// "July 31, 2024", "July 2024".
fn month_first(line: &str, at: usize) -> Option<(String, usize)> {
    let (month, end) = month(line, at)?;
    let next = spaces(line, end);
    let (number, mut after) = digits(line, next)?;
    if is_year(number) {
        return ends(line, after).then(|| (format!("{number:04}-{month:02}"), after));
    }
    let rest = line.get(after..)?;
    if let Some(ordinal) = ["st", "nd", "rd", "th"].into_iter().find(|ordinal| rest.starts_with(ordinal)) {
        after += ordinal.len();
    }
    let (year, end) = year_behind(line, after)?;
    Some((iso(year, month, number)?, end))
}

fn year_behind(line: &str, at: usize) -> Option<(u32, usize)> {
    let comma = line.get(at..)?.strip_prefix(',').map_or(at, |_| at + 1);
    let next = spaces(line, comma);
    if next == at {
        return None;
    }
    let (year, end) = digits(line, next)?;
    (is_year(year) && ends(line, end)).then_some((year, end))
}

/// The months in English, lower case.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A month's name at `at`, in full or in three or four letters with or without a stop.
fn month(line: &str, at: usize) -> Option<(u32, usize)> {
    let rest = line.get(at..)?;
    let n = rest.bytes().take(10).take_while(u8::is_ascii_alphabetic).count();
    let word = rest.get(..n)?;
    if !word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let short = lower.len() == 3 || lower == "sept";
    let month =
        MONTHS.iter().position(|name| *name == lower || short && name.starts_with(lower.as_str()))? + 1;
    let stop = usize::from(short && rest.get(n..)?.starts_with('.'));
    Some((u32::try_from(month).ok()?, at + n + stop))
}

/// 2024年7月31日, 二〇二四年七月.
fn year(line: &str, at: usize) -> Option<(String, usize)> {
    let number = |at: usize| -> Option<(u32, usize)> {
        let rest = line.get(at..)?;
        let n = rest
            .char_indices()
            .take(5)
            .find(|&(_, c)| !(c.is_ascii_digit() || is_han_ordinal(c)))
            .map(|(n, _)| n)?;
        let word = rest.get(..n)?.replace('零', "〇");
        Some((chinese(&word)?, at + n))
    };
    let unit = |at: usize, unit: char| -> Option<usize> {
        let next = spaces(line, at);
        line.get(next..)?.starts_with(unit).then(|| spaces(line, next + unit.len_utf8()))
    };
    let (year, end) = number(at)?;
    let end = unit(end, '年').filter(|_| is_year(year))?;
    let (month, end) = number(end)?;
    let after = unit(end, '月').filter(|_| (1..=12).contains(&month))?;
    if let Some((day, end)) = number(after)
        && let Some(value) = iso(year, month, day)
        && (unit(end, '日').is_some() || unit(end, '号').is_some())
    {
        return Some((value, spaces(line, end) + '日'.len_utf8()));
    }
    Some((format!("{year:04}-{month:02}"), spaces(line, end) + '月'.len_utf8()))
}
