//! Numerals that are not digits: roman, Chinese, spelled. Each returns `None` for what is not exactly one.
//!
//! Section numbers and citations are written with the same numerals. Cost: linear in the word.

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

/// The value of a Chinese numeral up to 9,999, or of digits: 十九, 一百零二, 二〇, 19.
pub fn chinese(word: &str) -> Option<u32> {
    let n_chars = word.chars().count();
    if n_chars == 0 || n_chars > 10 {
        return None;
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok().filter(|&n| n <= 9_999);
    }
    let digit =
        |c: char| "〇一二三四五六七八九".chars().position(|d| d == c).and_then(|d| u32::try_from(d).ok());
    let (mut total, mut current) = (0u32, None);
    let positional = n_chars > 1 && word.chars().all(|c| digit(c).is_some());
    for c in word.chars() {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1_000,
            '零' => continue,
            '两' => {
                current = Some(2);
                continue;
            }
            _ => {
                let d = digit(c)?;
                current = Some(if positional { current.unwrap_or(0) * 10 + d } else { d });
                if current > Some(9_999) {
                    return None;
                }
                continue;
            }
        };
        total += current.take().unwrap_or(1) * unit;
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
}
