//! Numerals that are not digits: roman, Chinese, spelled. Each returns `None` for what is not exactly one.
//!
//! Section numbers and citations are written with the same numerals. Cost: linear in the word.

use crate::steps;

/// The value of a roman numeral of one case up to 99, in its canonical form: past that "C", "D", "MIX" and
/// "DIV" are letters and words far more often than numbers.
pub fn roman(word: &str) -> Option<u32> {
    read_roman(word, 100)
}

fn read_roman(word: &str, limit: u32) -> Option<u32> {
    if word.is_empty() || word.len() > 12 {
        return None;
    }
    let upper = word.chars().all(|c| c.is_ascii_uppercase());
    if !upper && !word.chars().all(|c| c.is_ascii_lowercase()) {
        return None;
    }
    let value = |c: char| match c.to_ascii_lowercase() {
        'i' => Some(1u32),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    let mut total = 0;
    let mut last = u32::MAX;
    let mut before = 0;
    for c in word.chars() {
        let v = value(c)?;
        if v > last {
            // The smaller one before it was to be taken away.
            total += v - 2 * before;
        } else {
            total += v;
        }
        (last, before) = (v, v);
    }
    (total < limit && to_roman(total)? == word.to_ascii_lowercase()).then_some(total)
}

/// The value of a roman numeral of one case up to 399, in its canonical form: for where a number is expected,
/// as the number of a page or behind "Part".
pub fn long_roman(word: &str) -> Option<u32> {
    read_roman(word, 400)
}

/// A number in roman numerals, lower case; `None` for 0 and above 4,999.
pub fn to_roman(n: u32) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1_000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if !(1..=4_999).contains(&n) {
        return None;
    }
    let mut rest = n;
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            text.push_str(sign);
            rest -= value;
        }
    }
    Some(text)
}

/// The value of a Han figure: 0 for 〇 and 零, 1 to 9 for 一 to 九, 2 for 两.
pub fn han_figure(c: char) -> Option<u32> {
    match c {
        '零' => Some(0),
        '两' => Some(2),
        _ => "〇一二三四五六七八九".chars().zip(0..).find(|&(figure, _)| figure == c).map(|(_, value)| value),
    }
}

/// The value of a Han unit: 十, 百, 千, 万, 亿.
pub fn han_unit(c: char) -> Option<u64> {
    match c {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1_000),
        '万' => Some(10_000),
        '亿' => Some(100_000_000),
        _ => None,
    }
}

/// True for a character of a Han numeral below 10,000, as ordinals are written: a figure, 十, 百 or 千.
pub fn is_han_ordinal(c: char) -> bool {
    han_figure(c).is_some() || han_unit(c).is_some_and(|unit| unit <= 1_000)
}

/// True for a character of any Han numeral.
pub fn is_han_numeral(c: char) -> bool {
    han_figure(c).is_some() || han_unit(c).is_some()
}

/// The value of a Chinese numeral up to 9,999, or of digits: 十九, 一百零二, 二〇, 19.
pub fn chinese(word: &str) -> Option<u32> {
    let n_chars = word.chars().count();
    if n_chars == 0 || n_chars > 10 {
        return None;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok().filter(|&n| n <= 9_999);
    }
    // 二〇二四 counts by position; 零 and 两 stand in numerals with units.
    let figure = |c: char| han_figure(c).filter(|_| !matches!(c, '零' | '两'));
    let (mut total, mut current) = (0u32, None);
    let positional = n_chars > 1 && word.chars().all(|c| figure(c).is_some());
    for c in word.chars() {
        if let Some(unit) = han_unit(c) {
            let unit = u32::try_from(unit).ok().filter(|&unit| unit <= 1_000)?;
            total += current.take().unwrap_or(1) * unit;
        } else if c != '零' {
            let value = han_figure(c)?;
            current = Some(if positional { current.unwrap_or(0) * 10 + value } else { value });
            if current > Some(9_999) {
                return None;
            }
        }
    }
    Some(total + current.unwrap_or(0)).filter(|&n| n > 0)
}

/// The value of a spelled English number up to twenty.
pub fn spelled(word: &str) -> Option<u32> {
    const NAMES: [&str; 20] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let at = NAMES.iter().position(|name| name.eq_ignore_ascii_case(word))?;
    u32::try_from(at + 1).ok()
}

/// The English cardinal that stands at the head of a text, and how many bytes it takes: "ten", "twenty-one", "one
/// hundred and fifty", "three million". Capitals do not matter. What is no chain of number words ends it.
pub fn english(text: &str) -> Option<(u64, usize)> {
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let (mut total, mut current, mut end) = (0u64, 0u64, 0);
    // What may follow: the room that the last word left below it (a unit behind tens, anything behind a thousand).
    let mut room = u64::MAX;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        steps::count(1);
        let len = rest.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
        let word = rest.get(..len)?.to_ascii_lowercase();
        let whole = !rest.get(len..)?.starts_with(char::is_alphanumeric);
        let tens = || TENS.iter().position(|name| *name == word).and_then(|n| u64::try_from(n + 2).ok());
        let value = spelled(&word).map(u64::from).or_else(|| tens().map(|n| n * 10));
        let scale = match word.as_str() {
            "hundred" => Some(100),
            "thousand" => Some(1_000),
            "million" => Some(1_000_000),
            "billion" => Some(1_000_000_000),
            _ => None,
        };
        match (value, scale) {
            _ if !whole => break,
            (Some(value), _) if value < room => {
                current += value;
                room = if value >= 20 { 10 } else { 0 };
            }
            (_, Some(100)) if (1..100).contains(&current) => {
                current *= 100;
                room = 100;
            }
            (_, Some(scale)) if scale > 100 && current > 0 && (total == 0 || total > current * scale) => {
                total += current * scale;
                current = 0;
                room = 1_000;
            }
            _ if word == "and" && end > 0 && room >= 100 => {
                at += len + 1;
                continue;
            }
            _ => break,
        }
        at += len;
        end = at;
        match text.as_bytes().get(at) {
            Some(b' ' | b'-') => at += 1,
            _ => break,
        }
    }
    (end > 0).then_some((total + current, end))
}

/// The Chinese numeral that stands at the head of a text, and how many bytes it takes: 十, 三万五千, 二〇二四,
/// 一百二十万. `None` for 零 alone and for a unit without a figure in front of it, which is part of a word.
pub fn chinese_cardinal(text: &str) -> Option<(u64, usize)> {
    const MAX_CHARS: usize = 16;
    let (mut total, mut section, mut current) = (0u64, 0u64, None);
    let mut end = 0;
    let mut positional = true;
    for c in text.chars().take(MAX_CHARS) {
        steps::count(1);
        let figure = han_figure(c).filter(|_| !matches!(c, '零' | '两')).map(u64::from);
        match (figure, han_unit(c)) {
            (Some(d), _) => {
                current = Some(if positional { current.unwrap_or(0) * 10 + d } else { d });
            }
            _ if c == '两' && current.is_none() => current = Some(2),
            _ if c == '零' && end > 0 => positional = positional && current.is_some(),
            (_, Some(unit)) if end > 0 || c == '十' => {
                positional = false;
                if unit >= 10_000 {
                    total = (total + section + current.take().unwrap_or(0)).saturating_mul(unit);
                    section = 0;
                } else {
                    section += current.take().unwrap_or(1) * unit;
                }
            }
            _ => break,
        }
        end += c.len_utf8();
    }
    let value = total.saturating_add(section).saturating_add(current.unwrap_or(0));
    (end > 0 && value > 0).then_some((value, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_roman_numeral_reads_back() {
        for n in 1..400 {
            let written = to_roman(n).unwrap();
            assert_eq!(long_roman(&written), Some(n));
            assert_eq!(long_roman(&written.to_uppercase()), Some(n));
            assert_eq!(roman(&written), Some(n).filter(|&n| n < 100));
        }
        assert_eq!((to_roman(1_994).as_deref(), to_roman(0), to_roman(5_000)), (Some("mcmxciv"), None, None));
        for word in ["", "Iv", "IIII", "VX", "IC", "MIX", "CIVIL", "ill"] {
            assert_eq!(roman(word), None, "{word:?}");
        }
    }

    #[test]
    fn chinese_numerals() {
        let cases = [
            ("十", 10),
            ("十九", 19),
            ("二十", 20),
            ("一百零二", 102),
            ("一千二百六十", 1260),
            ("二〇", 20),
            ("两百", 200),
            ("19", 19),
        ];
        for (word, value) in cases {
            assert_eq!(chinese(word), Some(value), "{word}");
        }
        for word in ["", "零", "一般", "99999"] {
            assert_eq!(chinese(word), None, "{word}");
        }
    }

    #[test]
    fn spelled_numbers_are_read_as_far_as_they_go() {
        let cases = [
            ("ten days", Some((10, 3))),
            ("Twenty-one", Some((21, 10))),
            ("one hundred and fifty units", Some((150, 21))),
            ("three million dollars", Some((3_000_000, 13))),
            ("two thousand three hundred", Some((2_300, 26))),
            ("two three", Some((2, 3))),
            ("twenty twenty", Some((20, 6))),
            ("ten and five", Some((10, 3))),
            ("tenant", None),
            ("hundred", None),
            ("onе", None),
            ("one hundred and", Some((100, 11))),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(english(text), expected, "{text}");
        }
    }

    #[test]
    fn chinese_cardinals_are_read_as_far_as_they_go() {
        let cases = [
            ("十日内", Some((10, 3))),
            ("三万元", Some((30_000, 6))),
            ("三万五千", Some((35_000, 12))),
            ("一百二十万元", Some((1_200_000, 15))),
            ("二〇二四年", Some((2_024, 12))),
            ("两百", Some((200, 6))),
            ("五亿", Some((500_000_000, 6))),
            ("万一", None),
            ("零", None),
            ("第三", None),
        ];
        for (text, expected) in cases {
            assert_eq!(chinese_cardinal(text), expected, "{text}");
        }
    }
}
