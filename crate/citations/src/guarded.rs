//! Table of guarded words: words that may reverse the meaning of a provision when they are added, dropped or changed.
//!
//! Negations, modals, quantifiers, limits, connectives, units of time. An edit that touches one is never repaired.

/// Guarded words of English, in lower case and ascending order.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "above", "after", "all", "and", "annual", "annually", "any", "april", "august", "before", "below",
    "business", "but", "calendar", "can", "cannot", "cent", "daily", "day", "days", "december", "double",
    "each", "either", "every", "exceed", "exceeds", "except", "excluding", "february", "fewer", "first",
    "forbidden", "half", "hour", "hours", "if", "including", "january", "july", "june", "last", "least",
    "less", "march", "maximum", "may", "minimum", "month", "monthly", "months", "more", "most", "must",
    "neither", "never", "no", "none", "nor", "not", "nothing", "november", "october", "once", "only", "or",
    "other", "ought", "over", "percent", "permitted", "prohibited", "quarterly", "required", "save", "second",
    "september", "shall", "should", "than", "third", "twice", "under", "unless", "until", "week", "weekly",
    "weeks", "will", "within", "without", "year", "yearly", "years",
];

/// Guarded characters of Chinese.
const CHINESE: &str = "不未无非没勿莫禁应当须必可得能除外但且或与及和并仅只均各每以上下内前后多少超低高大小满日月年周时元万亿千百十零〇一二三四五六七八九两半全";

/// True for guarded words, for all words with a digit or numeral in them, and for spelled numbers.
pub(crate) fn is_guarded(word: &str) -> bool {
    let lower = word.to_lowercase();
    ENGLISH.binary_search(&lower.as_str()).is_ok()
        || word.chars().any(|c| c.is_numeric() || CHINESE.contains(c))
        || text::numerals::english(&lower).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(ENGLISH.is_sorted());
    }

    #[test]
    fn words_that_reverse_a_provision_are_guarded() {
        for word in ["not", "Must", "unless", "10", "ten", "不得", "三"] {
            assert!(is_guarded(word), "{word}");
        }
        for word in ["firm", "the", "notify", "股东"] {
            assert!(!is_guarded(word), "{word}");
        }
    }
}
