//! Kinds of lines by their words alone, without type or position: numbering, list markers, sentences, titles,
//! captions, tables of contents, closes of letters.
//!
//! The readers of PDF and of Word share these rules, so that the same text gives the same tree. Cost: linear in the
//! line.

use crate::numerals::{is_han_ordinal, long_roman, spelled};
use crate::provision::{self, Rank};

/// Numbering at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Not at all.
    None,
    /// "PART 3", "Chapter II", "Schedule 1", "第二章".
    Division,
    /// "Article 19", "Section 4.", "§ 3", "第十九条".
    Article,
    /// "3.2", "IV.", "A.", "(a)".
    Decimal,
}

/// The numbering at the start of a text.
pub fn numbering(text: &str) -> Numbering {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return Numbering::None };
    if first.starts_with('第') {
        return match provision::han_numbered(first) {
            Some(unit) if unit.rank < Rank::Section => Numbering::Division,
            Some(unit) if unit.rank <= Rank::Paragraph => Numbering::Article,
            _ => Numbering::None,
        };
    }
    let annexed = provision::attachment(first).and_then(|name| first.strip_prefix(name));
    if annexed.is_some_and(|rest| {
        let after = rest.trim_start_matches(|c: char| c.is_numeric() || is_han_ordinal(c));
        after.is_empty() || after.starts_with(['：', ':'])
    }) {
        return Numbering::Division;
    }
    let second = words.next();
    let is_capital = first.chars().next().is_some_and(char::is_uppercase);
    let numbered = second.is_some_and(is_number_word);
    if let Some(word) = provision::heading_word(first.trim_end_matches(':'))
        && (is_capital || first.starts_with('§'))
    {
        // A schedule that is the only one has no number.
        let alone = second.is_none() && word.stands_alone();
        if word.rank < Rank::Section && (numbered || alone) {
            return Numbering::Division;
        }
        if word.rank >= Rank::Section && numbered {
            return Numbering::Article;
        }
    }
    if first.starts_with('§') && first.chars().nth(1).is_some_and(|c| c.is_ascii_digit()) {
        return Numbering::Article;
    }
    let bare = first.trim_end_matches('.');
    let is_decimal = bare.contains('.')
        && bare.split('.').all(|part| {
            !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
        && bare.bytes().any(|b| b.is_ascii_digit());
    let is_marker = marker_kind(first).is_some_and(|kind| kind != MarkerKind::Bullet);
    let is_plain = bare.len() <= 2 && bare.bytes().all(|b| b.is_ascii_digit()) && !bare.is_empty();
    if second.is_some() && (is_decimal || is_marker || is_plain) {
        Numbering::Decimal
    } else {
        Numbering::None
    }
}

/// True for the number behind a word of provisions: "3", "(a)", "IV.", "B", "one".
fn is_number_word(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ':', ',', '—', '-', '–']);
    let bare = bare.trim_matches(['(', ')']);
    !bare.is_empty()
        && (bare.starts_with(|c: char| c.is_ascii_digit())
            || long_roman(bare).is_some()
            || (bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_uppercase()))
            || spelled(bare).is_some_and(|value| value <= 10))
}

/// Markers of one kind belong to one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerKind {
    /// "•", "–".
    Bullet,
    /// "(a)", "(iv)", "(3)".
    Parens,
    /// "a)", "3)".
    Paren,
    /// "3.", "a.", "iv.".
    Dot,
    /// "（一）".
    CjkParens,
    /// "一、", "1、".
    CjkComma,
}

/// The kind of marker that this text is.
pub fn marker_kind(text: &str) -> Option<MarkerKind> {
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        let bullets = [
            '•', '·', '◦', '▪', '■', '□', '●', '○', '►', '➢', '‣', '–', '—', '-', '\u{f0b7}', '\u{f0a7}',
            '❖', '✓',
        ];
        return bullets.contains(&c).then_some(MarkerKind::Bullet);
    }
    let is_short = |inner: &str| {
        let is_number = inner.len() <= 3 && !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
        let is_letter = inner.chars().count() <= 2
            && inner.chars().all(char::is_alphabetic)
            && inner.is_ascii()
            && (inner.len() == 1 || inner.as_bytes().first() == inner.as_bytes().get(1));
        is_number || is_letter || long_roman(&inner.to_lowercase()).is_some()
    };
    let is_han_number =
        |inner: &str| !inner.is_empty() && inner.chars().count() <= 4 && inner.chars().all(is_han_ordinal);
    if let Some(inner) = text.strip_prefix('（').and_then(|rest| rest.strip_suffix('）')) {
        return (is_han_number(inner) || is_short(inner)).then_some(MarkerKind::CjkParens);
    }
    if let Some(inner) = text.strip_suffix('、') {
        return (is_han_number(inner) || is_short(inner)).then_some(MarkerKind::CjkComma);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return (is_short(inner) || is_han_number(inner)).then_some(MarkerKind::Parens);
    }
    if let Some(inner) = text.strip_suffix(')') {
        return is_short(inner).then_some(MarkerKind::Paren);
    }
    let inner = text.strip_suffix('.')?;
    is_short(inner).then_some(MarkerKind::Dot)
}

/// True if a text is a letter or Roman numeral that stands alone, as centred headings do: "I", "A.", "iv".
pub fn is_lone_number(text: &str) -> bool {
    let bare = text.strip_suffix('.').unwrap_or(text);
    let is_letter = bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_uppercase());
    is_letter || (long_roman(&bare.to_lowercase()).is_some() && bare.chars().all(char::is_uppercase))
}

/// The marker that a text begins with, when more text follows.
pub fn list_marker(text: &str) -> Option<&str> {
    let first = text.split([' ', '\t']).next()?;
    if first.len() < text.len() && marker_kind(first).is_some() {
        return Some(first);
    }
    // Those of Chinese texts stand without a space.
    let close = text.char_indices().take(8).find(|(_, c)| matches!(c, '）' | '、'))?;
    let marker = text.get(..close.0 + close.1.len_utf8())?;
    let follows = marker.len() < text.len();
    (follows && marker_kind(marker).is_some()).then_some(marker)
}

/// True if a text ends as a sentence does.
pub fn ends_sentence(text: &str) -> bool {
    let bare = text.trim_end_matches(['”', '"', '’', ')', ' ']);
    if !bare.ends_with(['.', '?', '!', '。']) || bare.ends_with("..") {
        return false;
    }
    // An abbreviation at the end of a name is no end of a sentence.
    let last = bare.rsplit(' ').next().unwrap_or_default();
    let is_abbreviation = matches!(
        last,
        "Inc."
            | "Ltd."
            | "Co."
            | "Corp."
            | "L.P."
            | "LLC."
            | "No."
            | "Jr."
            | "Sr."
            | "S.A."
            | "N.V."
            | "U.S."
            | "et."
            | "al."
            | "etc."
    );
    !is_abbreviation
}

/// True if most longer words begin with a capital.
pub fn is_title_case(text: &str) -> bool {
    let is_long = |word: &&str| word.chars().count() > 3 && word.contains(char::is_alphabetic);
    let long: Vec<&str> = text.split_whitespace().filter(is_long).collect();
    let n_capital = long
        .iter()
        .filter(|word| word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase))
        .count();
    !long.is_empty() && n_capital * 5 >= long.len() * 4
}

/// True if a text begins as captions do: a word for tables and a number.
pub fn is_caption(text: &str) -> bool {
    let text = text.trim_start();
    if let Some(rest) =
        text.strip_prefix('表').or_else(|| text.strip_prefix("附表")).or_else(|| text.strip_prefix('图'))
    {
        return rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || is_han_ordinal(c));
    }
    let mut words = text.split_whitespace();
    let keyword = words.next().unwrap_or_default();
    let is_capital = keyword.starts_with(char::is_uppercase);
    let keyword = keyword.to_lowercase();
    let is_keyword =
        matches!(keyword.as_str(), "table" | "figure" | "fig." | "chart" | "tabelle" | "tableau");
    let number = words.next().unwrap_or_default();
    let bare = number.trim_end_matches(['.', ':', '—', '–', '-', ')']);
    let bare = bare.split(['—', '–', ':']).next().unwrap_or_default();
    let is_number = !bare.is_empty()
        && bare.len() <= 8
        && (bare.starts_with(|c: char| c.is_ascii_digit())
            || long_roman(&bare.to_lowercase()).is_some()
            || bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_uppercase())
            || bare
                .split_once(['-', '.'])
                .is_some_and(|(a, b)| a.len() <= 2 && b.starts_with(|c: char| c.is_ascii_digit())));
    // "Table 3 shows …" is a sentence.
    let goes_on =
        words.next().is_some_and(|next| next.starts_with(char::is_lowercase)) && bare.len() == number.len();
    is_keyword && is_capital && is_number && !goes_on
}

/// True if a text is the title of a table of contents or of another list of what is where.
pub fn is_contents_title(text: &str) -> bool {
    const TITLES: [&str; 16] = [
        "arrangement of articles",
        "arrangement of provisions",
        "arrangement of regulations",
        "arrangement of rules",
        "arrangement of sections",
        "contents",
        "index of authorities",
        "index of contents",
        "inhaltsverzeichnis",
        "list of contents",
        "sommaire",
        "table of authorities",
        "table of cases",
        "table of contents",
        "table des matières",
        "目录",
    ];
    if text.len() > 40 {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    // 目 录 is often set apart.
    let joined = if text.is_ascii() { words.join(" ") } else { words.concat() };
    let bare = joined.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    TITLES.contains(&bare.as_str()) || TITLES.contains(&words.join(" ").to_lowercase().as_str())
}

/// Closes of letters, without the comma.
const CLOSINGS: [&str; 14] = [
    "very truly yours",
    "yours very truly",
    "truly yours",
    "yours truly",
    "yours sincerely",
    "yours faithfully",
    "yours respectfully",
    "sincerely yours",
    "sincerely",
    "respectfully",
    "respectfully submitted",
    "respectfully yours",
    "best regards",
    "kind regards",
];

/// True if a line closes a letter.
pub fn is_closing(text: &str) -> bool {
    text.len() <= 40 && CLOSINGS.contains(&text.to_lowercase().trim_end_matches([',', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numberings_are_told_apart() {
        let cases = [
            ("PART 3 Conduct", Numbering::Division),
            ("Chapter II", Numbering::Division),
            ("Schedule", Numbering::Division),
            ("附件1：名单", Numbering::Division),
            ("CAPÍTULO II", Numbering::Division),
            ("Artículo 3. Objeto", Numbering::Article),
            ("Item 1A. Risk factors", Numbering::Article),
            ("part 3 of this", Numbering::None),
            ("Article 19 Duties of the board", Numbering::Article),
            ("§ 1.1-2 Scope", Numbering::Article),
            ("第二章 总则", Numbering::Division),
            ("第一部 总则", Numbering::Division),
            ("第十九条", Numbering::Article),
            ("第三方", Numbering::None),
            ("3.2 Disclosure", Numbering::Decimal),
            ("A. Fees and Expenses", Numbering::Decimal),
            ("IV. Discussion", Numbering::Decimal),
            ("Section headings are for convenience", Numbering::None),
            ("The parties", Numbering::None),
        ];
        for (text, expected) in cases {
            assert_eq!(numbering(text), expected, "{text}");
        }
    }

    #[test]
    fn kinds_of_markers_are_told_apart() {
        let cases = [
            ("(a)", Some(MarkerKind::Parens)),
            ("(iv)", Some(MarkerKind::Parens)),
            ("(aa)", Some(MarkerKind::Parens)),
            ("(the)", None),
            ("1.", Some(MarkerKind::Dot)),
            ("1.2", None),
            ("v.", Some(MarkerKind::Dot)),
            ("Inc.", None),
            ("•", Some(MarkerKind::Bullet)),
            ("（一）", Some(MarkerKind::CjkParens)),
            ("第一条", None),
            ("b)", Some(MarkerKind::Paren)),
        ];
        for (text, expected) in cases {
            assert_eq!(marker_kind(text), expected, "{text}");
        }
    }

    #[test]
    fn captions_are_told_from_sentences_and_divisions() {
        let cases = [
            ("Table 3: Fees", true),
            ("TABLE 2.—RATES", true),
            ("Table A-1 Rates by year", true),
            ("Table IV", true),
            ("表1 费用", true),
            ("Figure 2", true),
            ("Table 3 shows the fees of the year.", false),
            ("Schedule 2 Fees", false),
            ("Table of contents", false),
            ("table 3: fees", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_caption(text), expected, "{text}");
        }
    }

    #[test]
    fn titles_of_tables_of_contents_are_known() {
        for text in ["TABLE OF CONTENTS", "Contents", "目 录", "ARRANGEMENT OF SECTIONS", "Contents:"] {
            assert!(is_contents_title(text), "{text}");
        }
        for text in ["Contents of the notice", "Table 1", ""] {
            assert!(!is_contents_title(text), "{text}");
        }
    }

    #[test]
    fn markers_are_told_from_words() {
        let cases = [
            ("(a) first", Some("(a)")),
            ("(aa) first", Some("(aa)")),
            ("(iv) first", Some("(iv)")),
            ("1. first", Some("1.")),
            ("• first", Some("•")),
            ("（一）依法", Some("（一）")),
            ("一、总则", Some("一、")),
            ("(the) first", None),
            ("1.2 first", None),
            ("Inc. was", None),
            ("(a)", None),
        ];
        for (text, expected) in cases {
            assert_eq!(list_marker(text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_end_and_names_do_not() {
        for (text, expected) in
            [("It ends.", true), ("Halden Instruments, Inc.", false), ("See (a).", true), ("Fees", false)]
        {
            assert_eq!(ends_sentence(text), expected, "{text}");
        }
    }

    #[test]
    fn letters_are_closed_in_few_ways() {
        assert!(is_closing("Very truly yours,") && is_closing("Respectfully submitted."));
        assert!(!is_closing("Sincerely held beliefs are protected."));
    }
}
