//! What the words of a paragraph say about it: how it is numbered, whether it reads as a title or as a sentence,
//! which marker an item of a list begins with. Cost: linear in the text, which is short where it is asked.

/// How a line is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    Plain,
    /// "PART 3", "Chapter II", "Schedule 1", "第二章".
    Division,
    /// "Article 19", "Section 4.", "§ 3", "第十九条".
    Article,
    /// "3.2", "IV.", "A.", "(a)".
    Number,
}

/// How a text is numbered.
pub(crate) fn opening(text: &str) -> Opening {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return Opening::Plain };
    if let Some(rest) = first.strip_prefix('第') {
        let unit = rest.trim_start_matches(|c: char| is_chinese_digit(c) || c.is_ascii_digit());
        return match unit.chars().next() {
            _ if unit.len() == rest.len() => Opening::Plain,
            Some('编' | '章' | '节' | '分' | '篇' | '部' | '編' | '節') => Opening::Division,
            Some('条' | '款' | '條') => Opening::Article,
            _ => Opening::Plain,
        };
    }
    if first.starts_with('§') {
        return Opening::Article;
    }
    let second = words.next();
    let lower = first.to_lowercase();
    let keyword = lower.trim_end_matches(['.', ':']);
    if first.starts_with(char::is_uppercase) {
        let numbered = second.is_some_and(is_value);
        match keyword {
            "annex" | "schedule" | "appendix" if second.is_none() => return Opening::Division,
            "part" | "chapter" | "title" | "subtitle" | "subpart" | "subchapter" | "division" | "book"
            | "schedule" | "annex" | "appendix" | "exhibit" | "addendum" | "attachment"
                if numbered =>
            {
                return Opening::Division;
            }
            "article" | "section" | "sec" | "rule" | "clause" | "regulation" | "paragraph" if numbered => {
                return Opening::Article;
            }
            _ => {}
        }
    }
    let bare = first.trim_end_matches('.');
    let is_decimal = bare.contains('.')
        && bare.bytes().any(|b| b.is_ascii_digit())
        && bare
            .split('.')
            .all(|part| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    let is_figure = (1..=2).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_digit());
    let is_marker = marker_kind(first).is_some_and(|kind| kind != MarkerKind::Bullet);
    if second.is_some() && (is_decimal || is_figure || is_marker) { Opening::Number } else { Opening::Plain }
}

/// Whether a word is a value that numbers: "3", "IV", "A", "two".
fn is_value(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ':', ',', '—', '-', '–']).trim_matches(['(', ')']);
    let capital = bare.bytes().all(|b| b.is_ascii_uppercase());
    bare.starts_with(|c: char| c.is_ascii_digit())
        || capital && (is_roman(bare) || bare.len() == 1)
        || matches!(
            bare.to_lowercase().as_str(),
            "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten"
        )
}

fn is_roman(word: &str) -> bool {
    (1..=7).contains(&word.len()) && word.bytes().all(|b| b"ivxlcIVXLC".contains(&b))
}

fn is_chinese_digit(c: char) -> bool {
    "〇零一二三四五六七八九十百千".contains(c)
}

/// Whether a text ends as a sentence does.
pub(crate) fn ends_sentence(text: &str) -> bool {
    const ABBREVIATIONS: [&str; 14] = [
        "Inc.", "Ltd.", "Co.", "Corp.", "L.P.", "LLC.", "No.", "Jr.", "Sr.", "S.A.", "N.V.", "U.S.", "al.",
        "etc.",
    ];
    let bare = text.trim_end_matches(['”', '"', '’', ')', ' ']);
    let last = bare.rsplit(' ').next().unwrap_or_default();
    bare.ends_with(['.', '?', '!', '。']) && !bare.ends_with("..") && !ABBREVIATIONS.contains(&last)
}

/// Whether most longer words begin with a capital.
pub(crate) fn is_title_case(text: &str) -> bool {
    let long = || text.split_whitespace().filter(|word| word.chars().count() > 3);
    let first = |word: &str| word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
    let n_capital = long().filter(|word| first(word)).count();
    let n = long().count();
    n > 0 && n_capital * 5 >= n * 4
}

/// Markers of one kind belong to one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerKind {
    Bullet,
    /// "(a)", "（一）".
    Brackets,
    /// "a)".
    Bracket,
    /// "a.".
    Dot,
    /// "一、".
    Comma,
}

/// The marker that a text begins with, when more text follows.
pub(crate) fn list_marker(text: &str) -> Option<&str> {
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

/// The kind of marker that a text is.
pub(crate) fn marker_kind(text: &str) -> Option<MarkerKind> {
    const BULLETS: &str = "•·◦▪■□●○►➢‣–—-❖✓☐☒☑→";
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return BULLETS.contains(c).then_some(MarkerKind::Bullet);
    }
    let is_short = |inner: &str| {
        let is_figure = (1..=3).contains(&inner.len()) && inner.bytes().all(|b| b.is_ascii_digit());
        let bytes = inner.as_bytes();
        let is_letter = inner.bytes().all(|b| b.is_ascii_alphabetic())
            && (bytes.len() == 1 || bytes.len() == 2 && bytes.first() == bytes.last());
        is_figure || is_letter || is_roman(inner)
    };
    let is_chinese =
        |inner: &str| (1..=4).contains(&inner.chars().count()) && inner.chars().all(is_chinese_digit);
    let is_inner = |inner: &str| is_short(inner) || is_chinese(inner);
    let between = |open: char, close: char| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(inner) = between('(', ')').or_else(|| between('（', '）')) {
        return is_inner(inner).then_some(MarkerKind::Brackets);
    }
    if let Some(inner) = text.strip_suffix(')') {
        return is_short(inner).then_some(MarkerKind::Bracket);
    }
    if let Some(inner) = text.strip_suffix('、') {
        return is_inner(inner).then_some(MarkerKind::Comma);
    }
    is_short(text.strip_suffix('.')?).then_some(MarkerKind::Dot)
}

/// Whether a text is the caption of a table or figure.
pub(crate) fn is_caption(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let keyword = words.next().map(str::to_lowercase).unwrap_or_default();
    matches!(keyword.as_str(), "table" | "figure" | "fig." | "chart")
        && words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a text is the heading of a table of contents.
pub(crate) fn is_contents(text: &str) -> bool {
    const TITLES: [&str; 6] = ["contents", "table of contents", "index of contents", "目录", "目 录", "目次"];
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare.len() <= 24 && TITLES.contains(&bare.to_lowercase().as_str())
}

/// Whether a line closes a letter.
pub(crate) fn is_closing(text: &str) -> bool {
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
    text.len() <= 40 && CLOSINGS.contains(&text.to_lowercase().trim_end_matches([',', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numberings_are_told_apart() {
        let cases = [
            ("PART 3 Conduct", Opening::Division),
            ("Chapter II", Opening::Division),
            ("Schedule", Opening::Division),
            ("part 3 of this", Opening::Plain),
            ("Article 19 Duties of the board", Opening::Article),
            ("§ 1.1-2 Scope", Opening::Article),
            ("第二章 总则", Opening::Division),
            ("第十九条", Opening::Article),
            ("第三方", Opening::Plain),
            ("3.2 Disclosure", Opening::Number),
            ("A. Fees and Expenses", Opening::Number),
            ("IV. Discussion", Opening::Number),
            ("Section headings are for convenience", Opening::Plain),
        ];
        for (text, expected) in cases {
            assert_eq!(opening(text), expected, "{text}");
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
}
