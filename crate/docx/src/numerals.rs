//! Number formats of lists and notes: "3", "iv", "C", "third", "十二", "乙" (ST_NumberFormat).

use text::numerals::to_roman;

/// Maximum number in letters ("aaa"), whose length grows with the number.
const MAX_REPEATED: u32 = 26 * 8;

/// Number format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    #[default]
    Decimal,
    DecimalZero,
    UpperRoman,
    LowerRoman,
    UpperLetter,
    LowerLetter,
    Ordinal,
    CardinalText,
    OrdinalText,
    /// 一, 十二, 一百二十.
    Chinese,
    /// 壹, 拾贰.
    ChineseLegal,
    /// 甲, 乙.
    Stems,
    /// 子, 丑.
    Branches,
    /// ①.
    Circled,
    /// １.
    FullWidth,
    /// а, б.
    LowerRussian,
    UpperRussian,
    Bullet,
    None,
}

impl NumberFormat {
    /// Format of this name in the file; decimal if it is unknown.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "decimalZero" => Self::DecimalZero,
            "upperRoman" => Self::UpperRoman,
            "lowerRoman" => Self::LowerRoman,
            "upperLetter" => Self::UpperLetter,
            "lowerLetter" => Self::LowerLetter,
            "ordinal" => Self::Ordinal,
            "cardinalText" => Self::CardinalText,
            "ordinalText" => Self::OrdinalText,
            "chineseCounting"
            | "chineseCountingThousand"
            | "japaneseCounting"
            | "taiwaneseCounting"
            | "taiwaneseCountingThousand"
            | "ideographDigital"
            | "japaneseDigitalTenThousand"
            | "taiwaneseDigital" => Self::Chinese,
            "chineseLegalSimplified" | "ideographLegalTraditional" => Self::ChineseLegal,
            "ideographTraditional" => Self::Stems,
            "ideographZodiac" => Self::Branches,
            "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => Self::Circled,
            "decimalFullWidth" | "decimalFullWidth2" => Self::FullWidth,
            "russianLower" => Self::LowerRussian,
            "russianUpper" => Self::UpperRussian,
            "bullet" => Self::Bullet,
            "none" => Self::None,
            _ => Self::Decimal,
        }
    }

    /// Prints a number; in decimal if the format has no numeral for it.
    pub(crate) fn print(self, n: u32) -> String {
        let from_one = |list: &str| -> Option<String> {
            let at = usize::try_from(n.checked_sub(1)?).ok()?;
            list.chars().nth(at).map(String::from)
        };
        let printed = match self {
            Self::Decimal => None,
            Self::DecimalZero => Some(format!("{n:02}")),
            Self::UpperRoman => to_roman(n).map(|roman| roman.to_uppercase()),
            Self::LowerRoman => to_roman(n),
            Self::UpperLetter => letters(n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            Self::LowerLetter => letters(n, "abcdefghijklmnopqrstuvwxyz"),
            Self::LowerRussian => letters(n, "абвгдежзиклмнопрстуфхцчшщэюя"),
            Self::UpperRussian => letters(n, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"),
            Self::Ordinal => Some(format!("{n}{}", ordinal_ending(n))),
            Self::CardinalText => cardinal(n).map(capitalised),
            Self::OrdinalText => ordinal(n).map(capitalised),
            Self::Chinese => chinese(n, "零一二三四五六七八九", "十百千", true),
            Self::ChineseLegal => chinese(n, "零壹贰叁肆伍陆柒捌玖", "拾佰仟", false),
            Self::Stems => from_one("甲乙丙丁戊己庚辛壬癸"),
            Self::Branches => from_one("子丑寅卯辰巳午未申酉戌亥"),
            Self::Circled => from_one("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
            Self::FullWidth => Some(
                n.to_string()
                    .chars()
                    .filter_map(|c| char::from_u32(u32::from(c) - u32::from('0') + 0xFF10))
                    .collect(),
            ),
            Self::Bullet | Self::None => Some(String::new()),
        };
        printed.unwrap_or_else(|| n.to_string())
    }
}

/// Letters: "a" to "z", then "aa" to "zz", the letter repeated.
fn letters(n: u32, alphabet: &str) -> Option<String> {
    let length = u32::try_from(alphabet.chars().count()).ok()?;
    let at = n.checked_sub(1).filter(|_| n <= MAX_REPEATED)?;
    let letter = alphabet.chars().nth(usize::try_from(at % length).ok()?)?;
    Some((0..=at / length).map(|_| letter).collect())
}

fn ordinal_ending(n: u32) -> &'static str {
    match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

const SMALL: [&str; 20] = [
    "zero",
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
];
const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

fn cardinal(n: u32) -> Option<String> {
    let word = |list: &[&'static str], at: u32| list.get(usize::try_from(at).ok()?).copied();
    match n {
        0..=19 => word(&SMALL, n).map(str::to_owned),
        20..=99 if n.is_multiple_of(10) => word(&TENS, n / 10).map(str::to_owned),
        20..=99 => Some(format!("{}-{}", word(&TENS, n / 10)?, word(&SMALL, n % 10)?)),
        100..=999 if n.is_multiple_of(100) => Some(format!("{} hundred", word(&SMALL, n / 100)?)),
        100..=999 => Some(format!("{} hundred {}", word(&SMALL, n / 100)?, cardinal(n % 100)?)),
        _ => None,
    }
}

fn ordinal(n: u32) -> Option<String> {
    let cardinal = cardinal(n)?;
    let at = cardinal.rfind([' ', '-']).map_or(0, |at| at + 1);
    let (head, last) = (cardinal.get(..at)?, cardinal.get(at..)?);
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        last => match last.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{last}th"),
        },
    };
    Some(format!("{head}{last}"))
}

fn capitalised(word: String) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Chinese numerals; `bare_ten` writes 十二 where the full form is 一十二.
fn chinese(n: u32, digits: &str, units: &str, bare_ten: bool) -> Option<String> {
    if n > 9_999 {
        return None;
    }
    let digit = |value: u32| digits.chars().nth(usize::try_from(value).ok()?);
    if n == 0 {
        return digit(0).map(String::from);
    }
    let mut out = String::new();
    let mut owes_zero = false;
    for (place, value) in [(3, n / 1_000), (2, n / 100 % 10), (1, n / 10 % 10), (0, n % 10)] {
        if value == 0 {
            owes_zero = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut owes_zero) {
            out.push(digit(0)?);
        }
        if !(bare_ten && place == 1 && value == 1 && out.is_empty()) {
            out.push(digit(value)?);
        }
        if place > 0 {
            out.push(units.chars().nth(place - 1)?);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_in_their_format() {
        let cases = [
            ("decimal", 12, "12"),
            ("decimalZero", 3, "03"),
            ("upperRoman", 14, "XIV"),
            ("lowerRoman", 49, "xlix"),
            ("upperLetter", 27, "AA"),
            ("lowerLetter", 2, "b"),
            ("ordinal", 1, "1st"),
            ("ordinal", 12, "12th"),
            ("ordinal", 23, "23rd"),
            ("cardinalText", 21, "Twenty-one"),
            ("ordinalText", 3, "Third"),
            ("ordinalText", 20, "Twentieth"),
            ("ordinalText", 112, "One hundred twelfth"),
            ("chineseCounting", 12, "十二"),
            ("chineseCountingThousand", 102, "一百零二"),
            ("chineseCountingThousand", 1_260, "一千二百六十"),
            ("chineseLegalSimplified", 10, "壹拾"),
            ("ideographTraditional", 2, "乙"),
            ("ideographZodiac", 1, "子"),
            ("decimalEnclosedCircle", 4, "④"),
            ("decimalFullWidth", 10, "１０"),
            ("none", 4, ""),
            ("unheardOf", 4, "4"),
        ];
        for (format, n, printed) in cases {
            assert_eq!(NumberFormat::of(format).print(n), printed, "{format} {n}");
        }
    }

    #[test]
    fn numbers_without_a_numeral_are_printed_in_decimal() {
        for (format, n) in
            [("lowerRoman", 0), ("upperLetter", 0), ("upperLetter", u32::MAX), ("ideographTraditional", 11)]
        {
            assert_eq!(NumberFormat::of(format).print(n), n.to_string());
        }
    }
}
