//! Page numbers by their form: "3", "S-3", "xii", "- 3 -", "Page 3 of 9", "第3页". Whether they count with the pages is
//! for furniture to say.

use text::numerals::long_roman;

/// A row that has the form of a page number.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct PageNumber {
    pub value: u32,
    pub form: NumberForm,
}

/// The forms of page numbers.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum NumberForm {
    /// "Page 3", "Page 3 of 9", "- 3 -": a page number wherever it stands.
    Decorated,
    /// "3", "S-3".
    Arabic,
    /// "iii".
    Roman,
    /// A line that begins or ends with a number.
    AtEnd,
}

/// Longest row that ends in "Page 3 of 10", as the stamp of a court's docket does, in words.
const MAX_STAMP_WORDS: usize = 24;
/// Longest row that begins with "Page 3 of 9", in words.
const MAX_TITLED_WORDS: usize = 40;
/// Longest row with a number at its end, in words.
const MAX_WORDS_WITH_NUMBER: usize = 20;

/// The page number that a row of this text is.
pub(crate) fn page_number(text: &str) -> Option<PageNumber> {
    let is_dash = |c: char| {
        matches!(c, '-' | '–' | '—' | '·' | '~' | '|' | '[' | ']' | '－' | '―') || c.is_whitespace()
    };
    let bare = text.trim_matches(is_dash);
    if let Some(value) = value(bare) {
        let form = if bare.len() < text.trim().len() { NumberForm::Decorated } else { NumberForm::Arabic };
        return Some(PageNumber { value, form });
    }
    if let Some(value) = long_roman(&bare.to_lowercase()) {
        return Some(PageNumber { value, form: NumberForm::Roman });
    }
    let words: Vec<&str> = bare.split_whitespace().collect();
    let decorated = decorated(&words).map(|value| PageNumber { value, form: NumberForm::Decorated });
    let single = || match words.as_slice() {
        [word] => of_word(word),
        _ => None,
    };
    decorated.or_else(single).or_else(|| at_end(&words))
}

/// A number of at most six digits.
fn value(text: &str) -> Option<u32> {
    text.parse().ok().filter(|_| !text.is_empty() && text.len() <= 6 && !text.starts_with('+'))
}

/// The number in words that say that it is a page's.
fn decorated(words: &[&str]) -> Option<u32> {
    match words {
        [page, n] | [page, n, ..] if is_page_word(page) && words.len() <= 4 => {
            let digits = n.trim_end_matches(['.', ',']);
            let (n, _) = digits.split_once('/').unwrap_or((digits, ""));
            // "Page A-3", "Page iv".
            let n = n.rsplit(['-', '–']).next().unwrap_or(n);
            value(n).or_else(|| long_roman(&n.to_lowercase()))
        }
        [n, of, total] if *of == "of" || *of == "/" => value(total).and_then(|_| value(n)),
        // "Page 3 of 9 (Prospectus of the Fund)"
        [page, n, of, total, ..] if is_page_word(page) && *of == "of" && words.len() <= MAX_TITLED_WORDS => {
            value(total).and_then(|_| value(n))
        }
        // "3 | Page"
        [n, .., page] if is_page_word(page) && words.len() <= 3 => value(n),
        // The stamp of a court's docket ends in "Page 3 of 10".
        [.., page, n, of, total] if is_page_word(page) && *of == "of" && words.len() <= MAX_STAMP_WORDS => {
            value(total).and_then(|_| value(n))
        }
        _ => None,
    }
}

/// The page number that one word is: "3/10", "S-3", "第3页".
fn of_word(word: &str) -> Option<PageNumber> {
    if let Some((n, total)) = word.split_once('/')
        && let (Some(value), Some(total)) = (value(n), value(total))
        && value <= total
    {
        return Some(PageNumber { value, form: NumberForm::Arabic });
    }
    // "S-3", "A-12", "F3"
    if let Some((prefix, n)) = word.split_once(['-', '–']) {
        let is_prefix = !prefix.is_empty() && prefix.len() <= 3 && prefix.chars().all(char::is_alphanumeric);
        if let (true, Some(value)) = (is_prefix, value(n)) {
            return Some(PageNumber { value, form: NumberForm::Arabic });
        }
    }
    let inner = word.strip_prefix('第').and_then(|rest| rest.split_once('页')).map(|(n, _)| n);
    let value = inner.and_then(|n| value(n.trim()))?;
    Some(PageNumber { value, form: NumberForm::Decorated })
}

/// The number with which a row of words begins or ends: "page 3 … Handbook".
fn at_end(words: &[&str]) -> Option<PageNumber> {
    let after_page = words.first().filter(|word| is_page_word(word)).and_then(|_| words.get(1));
    let ends = [after_page, words.last(), words.first()];
    let value = ends.into_iter().flatten().find_map(|word| value(word))?;
    (words.len() > 1 && words.len() <= MAX_WORDS_WITH_NUMBER)
        .then_some(PageNumber { value, form: NumberForm::AtEnd })
}

/// The number that a row with the form of a page number prints: "3" of "Page 3 of 9", "xii", "A-3".
pub(crate) fn label(text: &str) -> Option<String> {
    let is_frame = |c: char| {
        c.is_whitespace()
            || matches!(c, '-' | '–' | '—' | '·' | '~' | '|' | '[' | ']' | '(' | ')' | '－' | '―' | ',' | '.')
    };
    let bare = text.trim_matches(is_frame);
    if let Some(inner) = bare.strip_prefix('第').and_then(|rest| rest.split('页').next()) {
        return Some(inner.trim().to_owned()).filter(|label| !label.is_empty());
    }
    let words: Vec<&str> = bare.split_whitespace().map(|word| word.trim_matches(is_frame)).collect();
    let is_number = |word: &&&str| {
        word.len() <= 10
            && (word.chars().any(|c| c.is_ascii_digit())
                && page_number(word).is_some_and(|n| n.form != NumberForm::AtEnd)
                || long_roman(&word.to_lowercase()).is_some())
    };
    let after_page = words.iter().position(|word| is_page_word(word)).and_then(|at| words.get(at + 1));
    let ends = [after_page, words.last(), words.first()];
    let found = ends.into_iter().flatten().find(|word| is_number(word))?;
    Some(found.split('/').next().unwrap_or(found).to_owned())
}

/// True if a word says that the number after it is a page's.
fn is_page_word(word: &str) -> bool {
    matches!(word.to_lowercase().trim_end_matches('.'), "page" | "pg" | "p" | "seite")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_have_several_forms() {
        let cases = [
            ("3", Some((3, NumberForm::Arabic))),
            ("- 3 -", Some((3, NumberForm::Decorated))),
            ("Page 3 of 9", Some((3, NumberForm::Decorated))),
            ("xii", Some((12, NumberForm::Roman))),
            ("S-14", Some((14, NumberForm::Arabic))),
            ("— 7 —", Some((7, NumberForm::Decorated))),
            ("47700 Federal Register", Some((47700, NumberForm::AtEnd))),
            ("The parties agree", None),
        ];
        for (text, expected) in cases {
            let found = page_number(text).map(|number| (number.value, number.form));
            assert!(found == expected, "{text}");
        }
    }
}
