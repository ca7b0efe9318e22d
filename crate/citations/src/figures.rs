//! Figures of a text: numbers, dates, amounts and labels of provisions, each with the values by which it is compared.
//!
//! "Ten", "10", "10.0", 十 and "10th" are one number. A date is one day however it is written. An amount is exact and
//! has a currency. "3.20" behind "Rule" is a label, not the number 3.2. A source is read generously (the day of a date
//! is a number too, "5 million" is 5 as well), an answer strictly. Linear.

use std::collections::BTreeSet;
use std::ops::{Bound, Range};

use document::{OrNever as _, Slice as _};
use text::numerals::{chinese_cardinal, english};
use text::provision;
use text::quantity::{self, MONTHS};
use text::steps;

use crate::report::UnsupportedKind;

/// Figure in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    /// Kind of the statement, if no source supports it.
    pub(crate) kind: UnsupportedKind,
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    /// Value with its type, such as `number 10`; several if the notation is ambiguous, as in "03/04/2024".
    pub(crate) values: Vec<String>,
    /// True if it may be a pronoun or article rather than a number: "one", 一.
    pub(crate) is_word: bool,
    /// Further values that a source with this figure supports.
    parts: Vec<String>,
}

/// Figures of a text, in order.
pub(crate) fn figures(text: &str) -> Vec<Figure> {
    // A figure may run over a line end. The replacement keeps the number of bytes.
    let line = text.replace(['\n', '\r', '\t'], " ");
    let mut quantities: Vec<Figure> = Vec::new();
    quantities.extend(quantity::dates(&line).into_iter().map(date));
    quantities.extend(quantity::amounts(&line).into_iter().map(amount));
    quantities.sort_by_key(|figure| (figure.range.start, usize::MAX - figure.range.end));
    let mut found: Vec<Figure> = Vec::new();
    let mut at = 0;
    for mut figure in quantities {
        if figure.range.start < at {
            continue;
        }
        numbers(&line, at..figure.range.start, &mut found);
        let mut inside = Vec::new();
        numbers(&line, figure.range.clone(), &mut inside);
        figure.parts.extend(inside.into_iter().flat_map(|part| part.values.into_iter().chain(part.parts)));
        at = figure.range.end;
        found.push(figure);
    }
    numbers(&line, at..line.len(), &mut found);
    found
}

/// Set of the figures of a source.
#[derive(Clone, Debug, Default)]
pub(crate) struct FigureSet {
    values: BTreeSet<String>,
    /// Powers of ten in which the text says that it gives its figures.
    powers: BTreeSet<u32>,
}

/// Units of the cells of a table as it says them, with their power of ten.
const UNITS_OF_CELLS: [(&str, u32); 3] = [("in thousands", 3), ("in millions", 6), ("in billions", 9)];

impl FigureSet {
    /// Adds the figures of a text.
    pub(crate) fn add(&mut self, text: &str) {
        let lower = text.to_lowercase();
        let units = UNITS_OF_CELLS.into_iter().filter(|(words, _)| lower.contains(words));
        self.powers.extend(units.map(|(_, power)| power));
        for figure in figures(text) {
            self.values.extend(figure.values);
            self.values.extend(figure.parts);
        }
    }

    /// True if the figure is a number of the set with its unit written out: "12.3 million" of a table in millions.
    pub(crate) fn holds_in_units(&self, figure: &Figure) -> bool {
        let numbers =
            || figure.values.iter().chain(&figure.parts).filter_map(|it| it.strip_prefix("number "));
        numbers().any(|cell| {
            let (whole, part) = cell.split_once('.').unwrap_or((cell, ""));
            let decimals = u32::try_from(part.len()).unwrap_or(0);
            let is_scaled = |&power: &u32| {
                let value = scaled(&format!("{whole}{part}"), decimals, power);
                numbers().any(|number| number == value)
            };
            self.values.contains(&format!("number {cell}")) && self.powers.iter().any(is_scaled)
        })
    }

    /// True if the set supports a figure of an answer.
    pub(crate) fn supports(&self, figure: &Figure) -> bool {
        figure.values.iter().any(|value| {
            // "July 2024" is supported by each of its days.
            let is_prefix = figure.kind == UnsupportedKind::Date;
            let next =
                self.values.range::<str, _>((Bound::Included(value.as_str()), Bound::Unbounded)).next();
            next.is_some_and(|next| next == value || is_prefix && next.starts_with(value.as_str()))
        })
    }
}

/// Figure without further values.
fn figure(kind: UnsupportedKind, range: Range<usize>, values: Vec<String>) -> Figure {
    Figure { kind, range, values, is_word: false, parts: Vec::new() }
}

/// Date that supports its year, and its day and month, as well.
fn date(quantity: quantity::Quantity) -> Figure {
    let mut date = figure(UnsupportedKind::Date, quantity.range, vec![format!("date {}", quantity.value)]);
    let mut parts = quantity.value.split('-');
    if let (Some(year), Some(month)) = (parts.next(), parts.next()) {
        date.parts.push(format!("number {year}"));
        if let Some(day) = parts.next() {
            date.parts.push(format!("day {month}-{day}"));
        }
    }
    date
}

fn amount(quantity: quantity::Quantity) -> Figure {
    figure(UnsupportedKind::Amount, quantity.range, vec![format!("amount {}", quantity.value)])
}

/// Adds the numbers, labels and dates without a year in a range of a line.
fn numbers(line: &str, range: Range<usize>, found: &mut Vec<Figure>) {
    let mut at = range.start;
    let mut before = ' ';
    while let Some(c) = line.get(at..range.end).and_then(|rest| rest.chars().next()) {
        steps::count(1);
        let rest = line.slice(at..range.end);
        let read = if c.is_ascii_digit() {
            day_and_month(line, at).or_else(|| digits(line, at, before))
        } else if c.is_ascii_alphabetic() && !before.is_alphanumeric() {
            month_and_day(line, at).or_else(|| spelled(line, at))
        } else if text::is_cjk(c) && !(before == '统' || before == '第' && rest.starts_with("三方")) {
            chinese_cardinal(rest).map(|(value, len)| {
                let mut number = counted(line, at..at + len, &value.to_string(), 0);
                number.is_word = value == 1 && len == c.len_utf8();
                number
            })
        } else {
            None
        };
        let end = match read {
            Some(figure) => {
                let end = figure.range.end.max(at + c.len_utf8());
                found.push(figure);
                end
            }
            None if c.is_ascii_alphanumeric() => {
                let len = rest.bytes().take_while(u8::is_ascii_alphanumeric).count().max(1);
                steps::count(len);
                at + len
            }
            None => at + c.len_utf8(),
        };
        before = line.slice(at..end).chars().next_back().or_never("the last character of what was read");
        at = end;
    }
}

/// Number or label at byte `at`: "10", "1,000", "10.50", "3.2.1", "10th", "12A". `before` is the character before it.
fn digits(line: &str, at: usize, before: char) -> Option<Figure> {
    /// Maximum length of a number, in bytes.
    const MAX: usize = 64;
    let bytes = line.as_bytes().get(at..)?;
    let bytes = bytes.slice(..bytes.len().min(MAX));
    let mut len = 0;
    while let Some(b) = bytes.get(len) {
        steps::count(1);
        let joins = matches!(b, b'.' | b',') && bytes.get(len + 1).is_some_and(u8::is_ascii_digit);
        if !b.is_ascii_digit() && !joins {
            break;
        }
        len += 1;
    }
    let printed = line.get(at..at + len)?;
    let letters = bytes.get(len..)?.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let suffix = line.get(at + len..at + len + letters)?.to_ascii_lowercase();
    // No word for a provision is longer than a number may be, so no more is looked at.
    let label = || {
        let head = line.slice(..at).trim_end();
        let near = head.slice(head.floor_char_boundary(head.len().saturating_sub(MAX))..);
        steps::count(near.len());
        let word = near.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        let word = word.trim_end_matches('.');
        provision::word(word).is_some_and(|word| !word.loose) || head.ends_with('§')
    };
    let is_ordinal = matches!(suffix.as_str(), "st" | "nd" | "rd" | "th");
    if before.is_ascii_alphanumeric() || (1..=2).contains(&letters) && !is_ordinal && !is_scale(&suffix) {
        // "12A", "B2": a label.
        let start =
            at - line.get(..at)?.bytes().rev().take(MAX).take_while(u8::is_ascii_alphanumeric).count();
        steps::count(at - start);
        let name = line.get(start..at + len + letters)?.to_ascii_lowercase();
        let mut named =
            figure(UnsupportedKind::Number, at..at + len + letters, vec![format!("label {name}")]);
        named.parts.push(format!("number {printed}"));
        return Some(named);
    }
    if printed.bytes().filter(|&b| b == b'.').count() > 1 || label() && printed.contains('.') {
        let mut named = figure(UnsupportedKind::Number, at..at + len, vec![format!("label {printed}")]);
        named.parts.push(format!("number {printed}"));
        return Some(named);
    }
    let grouped = printed.replace(',', "");
    let (whole, part) = grouped.split_once('.').unwrap_or((&grouped, ""));
    let mut number =
        counted(line, at..at + len, &format!("{whole}{part}"), u32::try_from(part.len()).unwrap_or(0));
    number.parts.push(format!("label {printed}"));
    // A list "1,2,3" or a decimal comma "1,5" supports each member; "1,000" supports none.
    if printed.split(',').skip(1).any(|member| member.len() != 3) {
        number.parts.extend(printed.split(',').map(|member| format!("number {}", plain(member))));
    }
    Some(number)
}

/// True for abbreviated scales: "5m".
fn is_scale(suffix: &str) -> bool {
    matches!(suffix, "m" | "bn" | "mn" | "k")
}

/// Number with the scale, currency or percent sign behind it. `digits` are its digits, the last `decimals` of them
/// behind the decimal point.
fn counted(line: &str, range: Range<usize>, digits: &str, decimals: u32) -> Figure {
    const SCALES: [(&str, u32); 11] = [
        ("thousand", 3),
        ("million", 6),
        ("billion", 9),
        ("trillion", 12),
        ("bn", 9),
        ("mn", 6),
        ("m", 6),
        ("k", 3),
        ("万", 4),
        ("亿", 8),
        ("千", 3),
    ];
    let behind = |end: usize| line.slice(end..).trim_start_matches([' ', '\u{a0}', '-']);
    let whole =
        |word: &str, tail: &str| !word.is_ascii() || !tail.starts_with(|c: char| c.is_ascii_alphanumeric());
    let mut end = range.end;
    let mut power = 0;
    for (word, exponent) in SCALES {
        let tail = if word.len() > 2 { behind(end) } else { line.slice(end..) };
        if tail.strip_prefix(word).is_some_and(|rest| whole(word, rest)) {
            (power, end) = (exponent, line.len() - tail.len() + word.len());
            break;
        }
    }
    let value = scaled(digits, decimals, power);
    let tail = behind(end);
    let share = ["%", "％", "per cent", "percent"].into_iter().find(|sign| {
        tail.strip_prefix(sign)
            .is_some_and(|rest| *sign == "%" || !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    let mut read = if let Some(sign) = share {
        let end = line.len() - tail.len() + sign.len();
        let value = quantity::percent(digits, decimals).unwrap_or_default();
        figure(UnsupportedKind::Amount, range.start..end, vec![format!("amount {value}")])
    } else if let Some((code, len)) = quantity::currency(tail) {
        let end = line.len() - tail.len() + len;
        let value = quantity::money(code, digits, decimals, power).unwrap_or_default();
        figure(UnsupportedKind::Amount, range.start..end, vec![format!("amount {value}")])
    } else {
        figure(UnsupportedKind::Number, range.start..end, vec![format!("number {value}")])
    };
    read.parts.push(format!("number {value}"));
    read.parts.push(format!("number {}", scaled(digits, decimals, 0)));
    read
}

/// Decimal notation of `digits`, the last `decimals` of them behind the decimal point, times ten to the `power`, without
/// leading and trailing zeros.
fn scaled(digits: &str, decimals: u32, power: u32) -> String {
    let (decimals, power) = (decimals as usize, power as usize);
    let Some(decimals) = decimals.checked_sub(power).filter(|&n| n > 0) else {
        return plain(&format!("{digits}{}", "0".repeat(power.saturating_sub(decimals))));
    };
    let units = format!("{}{digits}", "0".repeat((decimals + 1).saturating_sub(digits.len())));
    let (whole, part) = units.split_at_checked(units.len() - decimals).or_never("the decimals of a figure");
    let part = part.trim_end_matches('0');
    if part.is_empty() { plain(whole) } else { format!("{}.{part}", plain(whole)) }
}

/// Digits without leading zeros.
fn plain(digits: &str) -> String {
    let plain = digits.trim_start_matches('0');
    if plain.is_empty() { "0".to_owned() } else { plain.to_owned() }
}

/// Spelled number at byte `at`: "ten", "twenty-one", "five million".
fn spelled(line: &str, at: usize) -> Option<Figure> {
    let (value, len) = english(line.get(at..)?)?;
    let mut number = counted(line, at..at + len, &value.to_string(), 0);
    number.is_word = value == 1 || value < 10 && counts_own_words(line, at, number.range.end);
    Some(number)
}

/// True if a number at the head of a sentence counts what the sentence lists: "Two exceptions apply". With a unit of
/// time or money behind it, it is a figure.
fn counts_own_words(line: &str, at: usize, end: usize) -> bool {
    const COUNTED: [&str; 12] = [
        "cases",
        "conditions",
        "documents",
        "exceptions",
        "grounds",
        "limits",
        "passages",
        "points",
        "provisions",
        "requirements",
        "rules",
        "things",
    ];
    let next = line.slice(end..).split_whitespace().next().unwrap_or_default();
    let next = next.trim_end_matches(|c: char| !c.is_alphabetic());
    line.slice(..at).trim().is_empty() && COUNTED.contains(&next)
}

/// Month (1 to 12) that a capitalised word at byte `at` names, and the end of the word.
fn named_month(line: &str, at: usize) -> Option<(usize, usize)> {
    let rest = line.get(at..)?;
    let len = rest.bytes().take(10).take_while(u8::is_ascii_alphabetic).count();
    let word = rest.get(..len).filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))?;
    let lower = word.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == lower || len == 3 && name.starts_with(&lower))?;
    Some((month + 1, at + len))
}

/// Day of a month (1 to 31) at byte `at`, and its end.
fn day_number(line: &str, at: usize) -> Option<(u32, usize)> {
    let rest = line.get(at..)?;
    let len = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let day = rest.get(..len)?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let ordinal =
        ["st", "nd", "rd", "th"].iter().any(|end| rest.get(len..).is_some_and(|tail| tail.starts_with(end)));
    Some((day, at + len + if ordinal { 2 } else { 0 }))
}

/// Date without a year at byte `at`, "12 March" or 3月1日, or the ambiguous "03/04/2024".
fn day_and_month(line: &str, at: usize) -> Option<Figure> {
    let (first, end) = day_number(line, at)?;
    let rest = line.get(end..)?;
    if let Some(tail) = rest.strip_prefix('月') {
        let (day, end) = day_number(line, line.len() - tail.trim_start().len())?;
        let unit = line.get(end..)?.trim_start();
        let end = line.len() - unit.strip_prefix(['日', '号'])?.len();
        return Some(yearless(at..end, first as usize, day));
    }
    if let Some(tail) = rest.strip_prefix('/') {
        let (second, end) = day_number(line, line.len() - tail.len())?;
        let year = line.get(end..)?.strip_prefix('/')?.get(..4)?;
        let is_ambiguous = first <= 12 && second <= 12 && year.bytes().all(|b| b.is_ascii_digit());
        let values = vec![
            format!("date {year}-{first:02}-{second:02}"),
            format!("date {year}-{second:02}-{first:02}"),
        ];
        return is_ambiguous.then(|| figure(UnsupportedKind::Date, at..end + 5, values));
    }
    let name = rest.strip_prefix(' ')?;
    let name = name.strip_prefix("day of ").or_else(|| name.strip_prefix("of ")).unwrap_or(name);
    let (month, end) = named_month(line, line.len() - name.len())?;
    Some(yearless(at..end, month, first))
}

/// Date without a year at byte `at`: "March 12".
fn month_and_day(line: &str, at: usize) -> Option<Figure> {
    let (month, end) = named_month(line, at)?;
    let tail = line.get(end..)?.strip_prefix(' ')?;
    let (day, end) = day_number(line, line.len() - tail.len())?;
    (!line.get(end..)?.starts_with(|c: char| c.is_alphanumeric())).then(|| yearless(at..end, month, day))
}

/// Date without a year.
fn yearless(range: Range<usize>, month: usize, day: u32) -> Figure {
    let mut date = figure(UnsupportedKind::Date, range, vec![format!("day {month:02}-{day:02}")]);
    date.parts.push(format!("number {day}"));
    date
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supported(source: &str, answer: &str) -> Vec<bool> {
        let mut set = FigureSet::default();
        set.add(source);
        figures(answer).iter().filter(|figure| !figure.is_word).map(|figure| set.supports(figure)).collect()
    }

    #[test]
    fn notations_of_one_figure_are_equal() {
        for (source, answer) in [
            ("within ten days", "10 days"),
            ("within 10 days", "ten days"),
            ("1,000 units", "1000 units"),
            ("twenty-one days", "21 days"),
            ("10.0 metres", "10 metres"),
            ("one hundred and fifty", "150"),
            ("十日内", "10日内"),
            ("三万元", "30000元"),
            ("3万元", "三万元"),
            ("US$5 million", "$5,000,000"),
            ("five million dollars", "$5m"),
            ("ten per cent of", "10%"),
            ("百分之十", "10％"),
            ("on 31 July 2024", "July 31, 2024"),
            ("2024年7月31日", "31 July 2024"),
            ("on 31 July 2024", "July 2024"),
            ("on 31 July 2024", "31 July"),
            ("on 31 July 2024", "in 2024"),
            ("by 12 March", "March 12"),
            ("by 3月1日", "1 March"),
            ("03/04/2024", "3 April 2024"),
            ("Rule 3.2.1(a)", "Rule 3.2.1"),
            ("第十九条", "第19条"),
            ("1.5 million shares", "1,500,000 shares"),
            ("the 10th day", "day ten"),
            ("Section 12A", "section 12A"),
            ("Artículo 5.2", "art. 5.2"),
        ] {
            let found = supported(source, answer);
            assert!(
                !found.is_empty() && found.iter().all(|has| *has),
                "{source} / {answer}: {:?}",
                figures(answer)
            );
        }
    }

    #[test]
    fn a_cell_of_a_table_in_millions_supports_millions() {
        let holds = |source: &str, answer: &str| {
            let mut set = FigureSet::default();
            set.add(source);
            figures(answer).iter().all(|figure| set.supports(figure) || set.holds_in_units(figure))
        };
        let table = "(in millions) Revenue 12.3 Cost 9";
        assert!(holds(table, "$12.3 million") && holds(table, "9 million"));
        assert!(!holds(table, "$12.4 million") && !holds(table, "9 billion"));
        assert!(!holds("Revenue 12.3", "$12.3 million"));
    }

    #[test]
    fn a_number_that_counts_what_a_sentence_lists_is_no_figure() {
        assert!(figures("Two exceptions apply.").iter().all(|figure| figure.is_word));
        assert!(figures("Two years pass.").iter().any(|figure| !figure.is_word));
        assert!(figures("It has two exceptions.").iter().any(|figure| !figure.is_word));
    }

    #[test]
    fn other_figures_are_not_supported() {
        for (source, answer) in [
            ("within ten days", "100 days"),
            ("within 10 days", "eleven days"),
            ("1,000 units", "10,000 units"),
            ("10 units", "10%"),
            ("10%", "$10"),
            ("$10", "€10"),
            ("三万元", "三十万元"),
            ("on 31 July 2024", "30 July 2024"),
            ("on 31 July 2024", "31 July 2025"),
            ("July 2024", "31 July 2024"),
            ("Rule 3.20", "Rule 3.2"),
            ("Rule 3.2", "Rule 3.2.1"),
            ("Artículo 5.20", "art. 5.2"),
            ("Subsections 3.20", "subsections 3.2"),
            ("Section 12A", "Section 12B"),
            ("1.5 million", "15 million"),
            ("0.5", "5"),
        ] {
            assert!(supported(source, answer).contains(&false), "{source} / {answer}: {:?}", figures(answer));
        }
    }

    #[test]
    fn repeated_figures_take_steps_in_proportion_to_their_number() {
        for unit in ["1,", "9", "三", "1 ", "a1.1", "one hundred and "] {
            let [once, twice] = steps::of_doubled(unit, 4_000, |text| {
                let _ = figures(text).len();
            });
            assert!(once > 4_000 && twice * 10 <= once * 21, "{unit:?}: {once} steps, then {twice}");
        }
    }
}
