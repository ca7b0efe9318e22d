//! Modals and negations of a text: what one must, may and must not do.
//!
//! Words and their nearest neighbours only: "shall not" and "no person may" prohibit, "is not required to" permits.
//! "Will" is no modal here: it is a duty in a contract and the future elsewhere. Linear.

use std::collections::BTreeSet;
use std::ops::Range;

use document::Slice as _;

/// Deontic modality of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Modal {
    /// Must, shall, is required to; 应当, 必须.
    Obligation,
    /// May, can, is permitted to, need not; 可以.
    Permission,
    /// Must not, may not, is prohibited from; 不得, 禁止.
    Prohibition,
    /// Should, ought to.
    Advice,
}

/// Modals of a text with their bytes, in order.
pub(crate) fn modals(text: &str) -> Vec<(Modal, Range<usize>)> {
    let words = lowercase_words(text);
    let mut found = Vec::new();
    for (at, (range, word)) in words.iter().enumerate() {
        let word_at = |n: usize| words.get(n).map_or("", |(_, word)| word.as_str());
        let back = |n: usize| at.checked_sub(n).map_or("", word_at);
        let next = word_at(at + 1);
        let is_negated = || {
            let auxiliary =
                matches!(back(1), "not" | "never" | "longer") || matches!(back(2), "not" | "never");
            auxiliary || ["isn't", "aren't", "wasn't", "weren't"].contains(&back(1))
        };
        // "No person may": the subject is negated, in the same clause.
        let has_negated_subject = || {
            let is_negative =
                |n: usize| matches!(back(n), "no" | "nor" | "neither" | "nothing" | "none" | "nobody");
            let before = (1..=6).find(|&n| is_negative(n)).and_then(|n| words.get(at.checked_sub(n)?));
            let between = before.and_then(|(before, _)| text.get(before.end..range.start));
            between.is_some_and(|between| !between.contains(['.', ';', ':', '\n']))
        };
        // "Must not only" adds to an obligation.
        let is_denied = matches!(next, "not" | "never") && word_at(at + 2) != "only";
        let (modal, more) = match word.as_str() {
            "must" | "shall" | "may" | "can" if is_denied => (Modal::Prohibition, 1),
            "must" | "shall" | "may" | "can" if has_negated_subject() => (Modal::Prohibition, 0),
            "must" | "shall" => (Modal::Obligation, 0),
            "mustn't" | "shan't" | "can't" | "cannot" => (Modal::Prohibition, 0),
            "may" if is_month(text, range, next) => continue,
            "may" | "can" => (Modal::Permission, 0),
            "permitted" | "allowed" | "entitled" | "authorised" | "authorized" if is_negated() => {
                (Modal::Prohibition, 0)
            }
            "permitted" | "allowed" | "entitled" if next == "to" => (Modal::Permission, 0),
            "required" | "obliged" | "obligated" if is_negated() => (Modal::Permission, 0),
            "required" | "obliged" | "obligated" if next == "to" => (Modal::Obligation, 0),
            "has" | "have" if next == "to" && is_negated() => (Modal::Permission, 1),
            "has" | "have" if next == "to" => (Modal::Obligation, 1),
            "need" if next == "not" => (Modal::Permission, 1),
            "prohibited" | "forbidden" if !is_negated() => (Modal::Prohibition, 0),
            "should" | "ought" => (Modal::Advice, 0),
            _ => continue,
        };
        let end = words.get(at + more).map_or(range.end, |(range, _)| range.end);
        found.push((modal, range.start..end));
    }
    chinese(text, &mut found);
    found.sort_by_key(|(_, range)| range.start);
    found
}

/// Set of the modals of a text.
pub(crate) fn modal_kinds(text: &str) -> BTreeSet<Modal> {
    modals(text).into_iter().map(|(modal, _)| modal).collect()
}

/// Modals that a text implies in words that are none: "requires the firm to", "the borrower will not", "at its
/// discretion". They support what an answer states, and are none that it could change. A denied word implies none.
pub(crate) fn implied_kinds(text: &str) -> BTreeSet<Modal> {
    let words = lowercase_words(text);
    let word_at = |at: usize| words.get(at).map_or("", |(_, word)| word.as_str());
    let denies = |word: &str| {
        matches!(word, "not" | "no" | "never" | "nor" | "neither" | "without") || word.ends_with("n't")
    };
    let mut kinds = BTreeSet::new();
    for at in 0..words.len() {
        let is_denied = (at.saturating_sub(3)..at).any(|before| denies(word_at(before)));
        kinds.extend(match word_at(at) {
            "will" if (at + 1..=at + 3).any(|behind| denies(word_at(behind))) => Some(Modal::Prohibition),
            _ if is_denied => None,
            "will" | "require" | "requires" | "required" | "requirement" | "requirements" | "obligation"
            | "obligations" | "duty" | "duties" | "undertakes" | "covenants" | "responsible"
            | "condition" | "conditions" | "criteria" | "provided" => Some(Modal::Obligation),
            "possibility" | "option" | "options" | "discretion" | "right" | "entitled" | "authorises"
            | "authorizes" | "permits" | "allows" | "able" | "power" => Some(Modal::Permission),
            "prohibits" | "prohibition" | "forbids" => Some(Modal::Prohibition),
            _ => None,
        });
    }
    kinds
}

/// True if a text begins with a negation, as items behind "must:" do.
pub(crate) fn begins_denied(text: &str) -> bool {
    negations(text).first().is_some_and(|denial| text.slice(..denial.start).trim().is_empty())
}

/// True if a text excludes something without a negation: "other than", "except", "unless", "only".
pub(crate) fn excludes(text: &str) -> bool {
    let words = lowercase_words(text);
    let is = |at: usize, expected: &str| words.get(at).is_some_and(|(_, word)| word == expected);
    words.iter().enumerate().any(|(at, (_, word))| match word.as_str() {
        "except" | "excluding" | "excludes" | "unless" | "only" | "prohibits" | "prohibited" | "exempt" => {
            true
        }
        "other" | "rather" => is(at + 1, "than"),
        _ => false,
    })
}

/// True if "May" is the month: "May 2024", "5 May".
fn is_month(text: &str, range: &Range<usize>, next: &str) -> bool {
    let before = text.slice(..range.start).trim_end();
    let is_capital = text.get(range.clone()).is_some_and(|word| word == "May");
    is_capital
        && (next.starts_with(|c: char| c.is_ascii_digit()) || before.ends_with(|c: char| c.is_ascii_digit()))
}

/// Modals of Chinese and words that only contain one (`None`), the longer before those they contain.
const CHINESE: [(&str, Option<Modal>); 47] = [
    ("不应当", Some(Modal::Prohibition)),
    ("不得不", Some(Modal::Obligation)),
    ("不可以", Some(Modal::Prohibition)),
    ("不允许", Some(Modal::Prohibition)),
    ("不可抗力", None),
    ("不得", Some(Modal::Prohibition)),
    ("不准", Some(Modal::Prohibition)),
    ("不能", Some(Modal::Prohibition)),
    ("严禁", Some(Modal::Prohibition)),
    ("禁止", Some(Modal::Prohibition)),
    ("不必", Some(Modal::Permission)),
    ("无须", Some(Modal::Permission)),
    ("无需", Some(Modal::Permission)),
    ("不可", None),
    ("许可", None),
    ("认可", None),
    ("可能", None),
    ("可疑", None),
    ("可持续", None),
    ("可再生", None),
    ("可燃", None),
    ("可信", None),
    ("可靠", None),
    ("可行使", Some(Modal::Permission)),
    ("可行权", Some(Modal::Permission)),
    ("可行", None),
    ("可见", None),
    ("可以", Some(Modal::Permission)),
    ("有权", Some(Modal::Permission)),
    ("允许", Some(Modal::Permission)),
    ("可", Some(Modal::Permission)),
    ("应当", Some(Modal::Obligation)),
    ("必须", Some(Modal::Obligation)),
    ("必需", None),
    ("相应", None),
    ("适应", None),
    ("对应", None),
    ("反应", None),
    ("供应", None),
    ("响应", None),
    ("效应", None),
    ("应用", None),
    ("应付", None),
    ("应收", None),
    ("应急", None),
    ("应", Some(Modal::Obligation)),
    ("须", Some(Modal::Obligation)),
];

/// Adds the modals of Chinese.
fn chinese(text: &str, found: &mut Vec<(Modal, Range<usize>)>) {
    if text.is_ascii() {
        return;
    }
    let mut resume = 0;
    for (at, c) in text.char_indices() {
        if at < resume || !text::is_cjk(c) {
            continue;
        }
        let rest = text.slice(at..);
        if let Some((word, modal)) = CHINESE.into_iter().find(|(word, _)| rest.starts_with(word)) {
            resume = at + word.len();
            found.extend(modal.map(|modal| (modal, at..resume)));
        }
    }
}

/// Negations of a text in bytes, in order: "not", "no", "never", "without"; 不, 未, 无.
pub(crate) fn negations(text: &str) -> Vec<Range<usize>> {
    let is_negative = |word: &str| {
        matches!(word, "not" | "no" | "never" | "neither" | "nor" | "none" | "nothing" | "cannot" | "without")
            || word.ends_with("n't")
    };
    let mut found: Vec<Range<usize>> = lowercase_words(text)
        .into_iter()
        .filter(|(_, word)| is_negative(word))
        .map(|(range, _)| range)
        .collect();
    /// Words that contain a negative character and negate nothing.
    const EXCEPTIONS: [&str; 10] =
        ["不动产", "不可抗力", "不同", "不仅", "不限于", "无论", "不论", "非常", "未来", "未成年"];
    let mut resume = 0;
    for (at, c) in text.char_indices() {
        let rest = text.slice(at..);
        if at >= resume && matches!(c, '不' | '未' | '无' | '非' | '勿' | '禁') {
            match EXCEPTIONS.into_iter().find(|word| rest.starts_with(word)) {
                Some(word) => resume = at + word.len(),
                None => found.push(at..at + c.len_utf8()),
            }
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

/// Words of a text in lower case with straight apostrophes, and their bytes.
fn lowercase_words(text: &str) -> Vec<(Range<usize>, String)> {
    let mut words: Vec<(Range<usize>, String)> = Vec::new();
    for (at, c) in text.char_indices() {
        let is_word = crate::normalized::is_word_char(c) || matches!(c, '\'' | '’');
        if !is_word {
            continue;
        }
        let c_plain = if c == '’' { '\'' } else { c.to_ascii_lowercase() };
        match words.last_mut() {
            Some((range, word)) if range.end == at => {
                range.end += c.len_utf8();
                word.push(c_plain);
            }
            _ => words.push((at..at + c.len_utf8(), c_plain.to_string())),
        }
    }
    for (range, word) in &mut words {
        let bare = word.trim_end_matches('\'').len();
        // Apostrophes at the end are closing quotation marks, one or three bytes each.
        let n_marks = word.len() - bare;
        let tail = text.slice(range.clone()).char_indices().rev().take(n_marks).last();
        range.end = tail.map_or(range.end, |(at, _)| range.start + at);
        word.truncate(bare);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modals_are_distinguished() {
        use Modal::{Advice, Obligation, Permission, Prohibition};
        let cases: [(&str, &[Modal]); 22] = [
            ("must not only read it", &[Obligation]),
            ("可疑的可燃物应处理，持有人可行使权利", &[Obligation, Permission]),
            ("A firm must notify and shall keep", &[Obligation, Obligation]),
            ("A firm must not notify", &[Prohibition]),
            ("A firm may disclose; it may not sell", &[Permission, Prohibition]),
            ("No person may act", &[Prohibition]),
            ("is required to, is not required to, need not", &[Obligation, Permission, Permission]),
            ("is permitted to, is not permitted to", &[Permission, Prohibition]),
            ("it is prohibited from acting", &[Prohibition]),
            ("You can, you can't, you cannot", &[Permission, Prohibition, Prohibition]),
            ("should or ought to", &[Advice, Advice]),
            ("on 5 May 2024 and in May 2025", &[]),
            ("may, May", &[Permission, Permission]),
            ("It will", &[]),
            ("应当报告，不得转让，可以免除", &[Obligation, Prohibition, Permission]),
            ("必须、禁止、不应当、无须", &[Obligation, Prohibition, Prohibition, Permission]),
            ("相应的许可可能", &[]),
            ("应依法报告", &[Obligation]),
            ("不可抗力", &[]),
            ("has to pay", &[Obligation]),
            ("Mayor and mustard", &[]),
            ("The word ‘must’", &[Obligation]),
        ];
        for (text, expected) in cases {
            let found: Vec<Modal> = modals(text).into_iter().map(|(modal, _)| modal).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn modals_are_implied() {
        use Modal::{Obligation, Permission, Prohibition};
        let cases: [(&str, &[Modal]); 8] = [
            ("The bank has no right to sell and is not responsible", &[]),
            ("It does not require this", &[]),
            ("The bank will in no event sell", &[Prohibition]),
            ("It requires firms to act, at their discretion.", &[Obligation, Permission]),
            ("The Borrower will never sell", &[Prohibition]),
            ("The Borrower will sell", &[Obligation]),
            ("The rule prohibits it", &[Prohibition]),
            ("A firm keeps books", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(implied_kinds(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn exclusions_are_found() {
        for text in [
            "any notice other than a warning notice",
            "Unless he consents",
            "only in writing",
            "except by post",
        ] {
            assert!(excludes(text), "{text}");
        }
        for text in ["any other notice", "he consents in writing", "rather late"] {
            assert!(!excludes(text), "{text}");
        }
    }

    #[test]
    fn negations_are_found() {
        assert_eq!(negations("It is not, and isn't, without no doubt").len(), 4);
        assert_eq!(negations("A note is notable").len(), 0);
        assert_eq!(negations("不得未经许可转让不动产").len(), 2);
    }
}
