//! Section numbers as legal texts print them: parsed, normalised, compared.
//!
//! "PART 3", "Article 19(2)", "§ 1.1-2(a)(ii)", "COBS 3.2.1", "IV.", "(a)", "第十九条" become a [`Number`]: the
//! kind of numbering, its values, and a [`Label`] for people and for comparison. A parser by hand, because
//! what may follow a number decides as much as its form ("Section 7.1 of the Agreement" opens a sentence, not
//! a section), and because a number costs nothing here to reject: the first characters do. Cost: linear in
//! the length of the number. Values above [`MAX_VALUE`] and more than [`MAX_DEPTH`] components are no numbers.

use document::Label;

use text::numerals::{chinese, is_han_ordinal, roman, spelled};
use text::provision::{self, ProvisionUnit, ProvisionWord, Rank};

/// Most components of a number ("1.2.3" has three).
pub(crate) const MAX_DEPTH: usize = 8;
/// Largest value of a component: years and section numbers of codes fit, page ranges of a statute book too.
const MAX_VALUE: u32 = 99_999;
/// Longest heading text that is read in search of a number.
const MAX_READ: usize = 120;

/// Kinds of numbering. The order of the named kinds is the order in which they usually enclose each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// Schedule, Annex, Appendix, Exhibit: what follows the main text.
    Schedule,
    /// Book, 编.
    Book,
    /// Title.
    Title,
    /// Part, 部分.
    Part,
    /// Subpart, 分编.
    Subpart,
    /// Chapter, 章.
    Chapter,
    /// Division, Subchapter, 节.
    Division,
    /// "Section 3", "Sec. 3".
    Section,
    /// "Article 3".
    Article,
    /// "Rule 3", "Regulation 3", "Clause 3", "Item 1A".
    Rule,
    /// "§ 3".
    Sign,
    /// 条.
    Tiao,
    /// "3.2.1", "COBS 3.2.1".
    Decimal,
    /// "IV."
    Roman,
    /// "A."
    Letter,
    /// "3.", "3".
    Arabic,
    /// "（一）", "一、", 款, 项.
    Item,
    /// "(1)".
    ParenDigit,
    /// "(a)".
    ParenLetter,
    /// "(iv)".
    ParenRoman,
}

impl Kind {
    /// True if the kind is a word or sign, so that its place among the others is known.
    pub(crate) fn is_named(self) -> bool {
        self <= Self::Tiao
    }

    /// The kind of numbers that a word leads.
    fn of_word(word: ProvisionWord) -> Self {
        match word.rank {
            Rank::Schedule => Self::Schedule,
            Rank::Book => Self::Book,
            Rank::Title => Self::Title,
            Rank::Part => Self::Part,
            Rank::Subpart => Self::Subpart,
            Rank::Chapter => Self::Chapter,
            Rank::Division => Self::Division,
            Rank::Section if word.key == "section" => Self::Section,
            Rank::Section if word.key == "article" => Self::Article,
            Rank::Section | Rank::Paragraph | Rank::Subparagraph | Rank::Item => Self::Rule,
        }
    }

    /// The kind of numbers that a Han unit closes.
    fn of_unit(unit: ProvisionUnit) -> Self {
        match unit.rank {
            Rank::Schedule => Self::Schedule,
            Rank::Book => Self::Book,
            Rank::Title => Self::Title,
            Rank::Part => Self::Part,
            Rank::Subpart => Self::Subpart,
            Rank::Chapter => Self::Chapter,
            Rank::Division => Self::Division,
            Rank::Section => Self::Tiao,
            Rank::Paragraph | Rank::Subparagraph | Rank::Item => Self::Item,
        }
    }

    /// True if sections of this kind only hold others.
    pub(crate) fn is_container(self) -> bool {
        self <= Self::Division
    }
}

/// The number in front of a heading or provision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// Kind of numbering.
    pub(crate) kind: Kind,
    /// Its components; never empty.
    pub(crate) values: Vec<u32>,
    /// The letter at its end ("12A"), 1 for A; 0 without one.
    pub(crate) suffix: u32,
    /// As printed and normalised.
    pub(crate) label: Label,
    /// Bytes of the text that the number takes, with the stop or dash that closes it.
    pub(crate) end: usize,
    /// True if a stop, bracket, dash or colon closes it.
    pub(crate) closed: bool,
    /// The other reading of a single letter that is also a roman numeral: the letter's place in the alphabet.
    pub(crate) letter: Option<u32>,
}

impl Number {
    /// The last component.
    pub(crate) fn last(&self) -> u32 {
        self.values.last().copied().unwrap_or(0)
    }

    /// Reads "I." as the ninth letter instead of the first roman numeral.
    pub(crate) fn into_letter(mut self) -> Self {
        if let Some(value) = self.letter {
            self.kind = if self.kind == Kind::ParenRoman { Kind::ParenLetter } else { Kind::Letter };
            self.values = vec![value];
        }
        self
    }
}

/// The number that `text` begins with.
pub(crate) fn parse(text: &str) -> Option<Number> {
    let end = text.floor_char_boundary(MAX_READ);
    let head = text.get(..end)?;
    let first = head.chars().next()?;
    match first {
        '第' => ordinal(head),
        '附' => annexed(head),
        '§' => sign(head),
        '(' | '（' => bracketed(head),
        '0'..='9' => decimal(head, 0),
        _ if is_han_ordinal(first) => enumerated(head),
        _ if first.is_alphabetic() => named(head).or_else(|| prefixed(head)).or_else(|| lettered(head)),
        _ => None,
    }
}

/// Headings that stand for a number: a schedule that is the only one.
pub(crate) fn unnumbered(text: &str) -> Option<Number> {
    let name = text.trim();
    let lower = name.to_lowercase();
    let noun = lower.strip_prefix("the ").unwrap_or(&lower);
    let known = matches!(noun, "explanatory note" | "explanatory notes")
        || provision::attachment(noun) == Some(noun)
        || provision::word(noun).is_some_and(|word| word.stands_alone());
    known.then(|| Number {
        kind: Kind::Schedule,
        values: vec![1],
        suffix: 0,
        label: Label { text: name.to_owned(), key: lower },
        end: text.len(),
        closed: false,
        letter: None,
    })
}

/// Headings that are a numeral and nothing else: "I", "B", "II A" (whose letter opens no section of its own).
pub(crate) fn bare(text: &str) -> Option<Number> {
    let mut words = text.split_whitespace();
    let (word, second) = (words.next()?, words.next());
    let capital = word.len() <= 5 && word.bytes().all(|b| b.is_ascii_uppercase());
    if !capital || second.is_some_and(|second| letter(second).is_none()) || words.next().is_some() {
        return None;
    }
    let as_letter = letter(word);
    let (kind, value) = match roman(word) {
        Some(value) => (Kind::Roman, value),
        None => (Kind::Letter, as_letter?),
    };
    Some(Number {
        kind,
        values: vec![value],
        suffix: 0,
        label: Label { text: word.to_owned(), key: word.to_lowercase() },
        end: word.len(),
        closed: false,
        letter: as_letter.filter(|_| kind == Kind::Roman),
    })
}

/// "Article 19(2)", "PART ONE", "Schedule A".
fn named(head: &str) -> Option<Number> {
    let word_end = head.find(|c: char| !(c.is_alphabetic() || c == '.')).filter(|&end| end <= 24)?;
    let word = provision::heading_word(head.get(..word_end)?)?;
    let rest = head.get(word_end..)?;
    let gap = rest.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
    if gap == 0 {
        return None;
    }
    let start = word_end + gap;
    let tail = head.get(start..)?;
    let (values, suffix, mut end) = dotted(tail).or_else(|| word_value(tail))?;
    end += brackets(tail.get(end..)?);
    let number = tail.get(..end)?;
    let key = format!("{} {}", word.key, number.to_lowercase());
    Some(Number { suffix, ..finish(head, Kind::of_word(word), values, start + end, key)? })
}

/// The value of a capital roman numeral or letter, or of a spelled number, that stands as a word.
fn word_value(tail: &str) -> Option<(Vec<u32>, u32, usize)> {
    let end = tail.find(|c: char| !c.is_alphanumeric()).unwrap_or(tail.len());
    let word = tail.get(..end)?;
    let capital = word.chars().all(|c| c.is_ascii_uppercase());
    let value =
        spelled(word).or_else(|| if capital { roman(word).or_else(|| letter(word)) } else { None })?;
    Some((vec![value], 0, end))
}

/// "§ 1.1-2(a)(ii)".
fn sign(head: &str) -> Option<Number> {
    let rest = head.trim_start_matches(['§', ' ', '\u{a0}']);
    let start = head.len() - rest.len();
    let (values, suffix, mut end) = dotted(rest)?;
    end += brackets(rest.get(end..)?);
    let key = format!("§ {}", rest.get(..end)?.to_lowercase());
    Some(Number { suffix, ..finish(head, Kind::Sign, values, start + end, key)? })
}

/// "COBS 3.2.1R": an acronym of a rulebook in front of a number with two components or more.
fn prefixed(head: &str) -> Option<Number> {
    let word_end = head.find(' ').filter(|end| (2..=8).contains(end))?;
    if !head.get(..word_end)?.chars().all(|c| c.is_ascii_uppercase()) {
        return None;
    }
    let number = decimal(head, word_end + 1)?;
    (number.values.len() >= 2).then_some(number)
}

/// "3.2.1(2)(a)", "3.", "3" at byte `start` of `head`; what stands before it belongs to the label.
fn decimal(head: &str, start: usize) -> Option<Number> {
    let tail = head.get(start..)?;
    let (values, suffix, mut end) = dotted(tail)?;
    let after = tail.get(end..)?;
    // Not "12%", "3/4", "5:30", "1,000", "2nd".
    if after.starts_with(|c: char| {
        c.is_alphanumeric() || matches!(c, '%' | '/' | ',' | '\'' | '’' | '$' | '€' | '°')
    }) {
        return None;
    }
    if after.starts_with(':') && after.chars().nth(1).is_some_and(|c| c.is_ascii_digit()) {
        return None;
    }
    let kind = if values.len() > 1 { Kind::Decimal } else { Kind::Arabic };
    if kind == Kind::Decimal {
        end += brackets(after);
    }
    let key = head.get(..start + end)?.to_lowercase();
    Some(Number { suffix, ..finish(head, kind, values, start + end, key)? })
}

/// "IV.", "A.": a capital letter or numeral that a stop or bracket closes.
fn lettered(head: &str) -> Option<Number> {
    let end = head.find(|c: char| !c.is_ascii_alphabetic()).filter(|end| (1..=6).contains(end))?;
    let word = head.get(..end)?;
    if !head.get(end..)?.starts_with(['.', ')', ':', '、', '．'])
        || !word.chars().all(|c| c.is_ascii_uppercase())
    {
        return None;
    }
    // "A.M.", "U.S.": an abbreviation goes on after its stop.
    if head.get(end + 1..)?.starts_with(|c: char| c.is_alphanumeric()) && end == 1 {
        return None;
    }
    let as_letter = letter(word);
    let (kind, value) = match roman(word) {
        Some(value) => (Kind::Roman, value),
        None => (Kind::Letter, as_letter?),
    };
    let mut number = finish(head, kind, vec![value], end, word.to_lowercase())?;
    number.letter = as_letter.filter(|_| kind == Kind::Roman);
    Some(number)
}

/// "(a)", "(12)", "(iv)", "（一）".
fn bracketed(head: &str) -> Option<Number> {
    let open = head.chars().next()?.len_utf8();
    let close = head.find([')', '）']).filter(|&close| close <= 24)?;
    let inner = head.get(open..close)?.trim();
    let end = close + head.get(close..)?.chars().next()?.len_utf8();
    let key = format!("({})", inner.to_lowercase());
    if let Some(value) = chinese(inner).filter(|_| !inner.is_ascii()) {
        return finish(head, Kind::Item, vec![value], end, key);
    }
    if !inner.is_empty() && inner.len() <= 5 && inner.bytes().all(|b| b.is_ascii_digit()) {
        return finish(head, Kind::ParenDigit, vec![inner.parse().ok()?], end, key);
    }
    let as_letter = letter(inner);
    let (kind, value) = match roman(inner) {
        Some(value) => (Kind::ParenRoman, value),
        None => (Kind::ParenLetter, as_letter?),
    };
    let mut number = finish(head, kind, vec![value], end, key)?;
    number.letter = as_letter.filter(|_| kind == Kind::ParenRoman);
    Some(number)
}

/// 第十九条, 第三章, 第2节, 第十九条之一.
fn ordinal(head: &str) -> Option<Number> {
    let rest = head.get('第'.len_utf8()..)?;
    let digits = rest.find(|c: char| !(is_han_ordinal(c) || c.is_ascii_digit() || c == ' '))?;
    let value = chinese(rest.get(..digits)?.trim())?;
    let unit = rest.get(digits..)?;
    let row = provision::unit(unit)?;
    let name = row.unit;
    let mut values = vec![value];
    let mut end = '第'.len_utf8() + digits + name.len();
    let mut key = format!("{} {value}", row.key);
    if let Some(after) = unit.get(name.len()..).and_then(|after| after.strip_prefix('之')) {
        let n = after.find(|c: char| !is_han_ordinal(c)).unwrap_or(after.len());
        if let Some(sub) = after.get(..n).and_then(chinese) {
            values.push(sub);
            end += '之'.len_utf8() + n;
            key.push_str(&format!("-{sub}"));
        }
    }
    let mut number = finish(head, Kind::of_unit(row), values, end, key)?;
    // "第十九条规定的" speaks of the article: what opens one is followed by a space, a bracket or nothing.
    let next = head.get(end..).and_then(|after| after.chars().next());
    number.closed =
        next.is_none_or(|c| c.is_whitespace() || matches!(c, '【' | '（' | '(' | '：' | ':' | '〔' | '['));
    Some(number)
}

/// "附件1", "附录二：", "附表 3".
fn annexed(head: &str) -> Option<Number> {
    let name = provision::attachment(head)?;
    let rest = head.get(name.len()..)?;
    let gap = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '\u{3000}']).len();
    let tail = rest.get(gap..)?;
    let end = tail.find(|c: char| !(is_han_ordinal(c) || c.is_ascii_digit())).unwrap_or(tail.len());
    let value = chinese(tail.get(..end)?)?;
    finish(head, Kind::Schedule, vec![value], name.len() + gap + end, format!("{name} {value}"))
}

/// "一、", "十二．": an enumerated heading.
fn enumerated(head: &str) -> Option<Number> {
    let end = head.find(|c: char| !is_han_ordinal(c))?;
    let value = chinese(head.get(..end)?)?;
    let after = head.get(end..)?.chars().next()?;
    if !matches!(after, '、' | '．' | '.' | '，') {
        return None;
    }
    finish(head, Kind::Item, vec![value], end, format!("{value}、"))
}

/// The number with the stop, dash or colon that closes it; `None` if a value is out of range.
fn finish(head: &str, kind: Kind, values: Vec<u32>, end: usize, key: String) -> Option<Number> {
    if values.is_empty() || values.len() > MAX_DEPTH || values.iter().any(|&value| value > MAX_VALUE) {
        return None;
    }
    let printed = head.get(..end)?;
    let rest = head.get(end..)?;
    let closer =
        rest.find(|c| !matches!(c, '.' | ')' | ':' | '—' | '–' | '、' | '．' | '：')).unwrap_or(rest.len());
    let bracketed = printed.ends_with([')', '）']);
    Some(Number {
        kind,
        values,
        label: Label { text: printed.trim().to_owned(), key },
        end: end + closer,
        closed: closer > 0 || bracketed,
        letter: None,
        suffix: 0,
    })
}

/// Digits with stops and dashes between them, and at most one capital letter at the end: "1.1-2", "12A".
fn dotted(text: &str) -> Option<(Vec<u32>, u32, usize)> {
    let mut values: Vec<u32> = Vec::new();
    let mut last = 0;
    let mut end = 0;
    let mut rest = text;
    loop {
        let n = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if n == 0 || n > 5 || values.len() == MAX_DEPTH {
            break;
        }
        values.push(rest.get(..n)?.parse().ok()?);
        end += n;
        rest = text.get(end..)?;
        let mut chars = rest.chars();
        let (separator, after) = (chars.next(), chars.next());
        if let (Some(suffix), false) = (separator, after.is_some_and(char::is_alphanumeric))
            && suffix.is_ascii_uppercase()
        {
            last = u32::from(suffix) - u32::from('A') + 1;
            end += 1;
            break;
        }
        if !matches!(separator, Some('.' | '-' | '–')) || !after.is_some_and(|c| c.is_ascii_digit()) {
            break;
        }
        let step = separator.map_or(0, char::len_utf8);
        end += step;
        rest = rest.get(step..)?;
    }
    // A number that broke off after a separator has not taken it.
    let taken = text.get(..end)?.trim_end_matches(['.', '-', '–']).len();
    (!values.is_empty()).then_some((values, last, taken))
}

/// Bytes of the bracketed parts at the start of `text`: "(2)(a)".
fn brackets(text: &str) -> usize {
    let mut end = 0;
    while let Some(rest) = text.get(end..).filter(|rest| rest.starts_with('(')) {
        let Some(close) = rest.find(')').filter(|&close| (2..=6).contains(&close)) else { break };
        if !rest.get(1..close).is_some_and(|inner| inner.chars().all(|c| c.is_ascii_alphanumeric())) {
            break;
        }
        end += close + 1;
    }
    end
}

/// The place of a single ASCII letter in the alphabet.
fn letter(word: &str) -> Option<u32> {
    let mut bytes = word.bytes();
    match (bytes.next(), bytes.next()) {
        (Some(byte), None) if byte.is_ascii_alphabetic() => {
            Some(u32::from(byte.to_ascii_lowercase() - b'a') + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
