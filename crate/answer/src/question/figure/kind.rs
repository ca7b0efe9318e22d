//! The kind of figure that a question asks for: a time, a sum, a share or a number.

use document::Slice as _;

use crate::language::Language;

/// The kind of figure that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::question) enum FigureKind {
    /// A date, a length of time, a deadline.
    Time,
    /// A time or a condition: "when" may mean either.
    When,
    /// A sum of money, or a number where none is there.
    Sum,
    /// A percentage, or a number where none is there.
    Share,
    /// Any number.
    Number,
}

/// Phrases that ask for a time.
const TIME: &[&str] = &[
    "how long",
    "how soon",
    "how often",
    "how frequently",
    "how quickly",
    "how late",
    "how early",
    "how many days",
    "how many months",
    "how many years",
    "how many hours",
    "how many weeks",
    "how much notice",
    "how much time",
    "by when",
    "since when",
    "from when",
    "until when",
];
/// Nouns of times, after "what", "which" or "within what".
const TIMES: &[&str] = &[
    "date",
    "day",
    "days",
    "month",
    "year",
    "hour",
    "time",
    "deadline",
    "period",
    "term",
    "duration",
    "age",
    "interval",
    "frequency",
    "notice",
];
/// Nouns of sums of money.
const SUMS: &[&str] = &[
    "fee",
    "fees",
    "price",
    "cost",
    "costs",
    "amount",
    "sum",
    "fine",
    "salary",
    "premium",
    "threshold",
    "minimum",
    "maximum",
    "limit",
    "cap",
    "charge",
    "smallest",
    "largest",
    "lowest",
    "highest",
    "ceiling",
    "floor",
    "budget",
    "deductible",
    "stake",
];
/// Nouns of shares.
const SHARES: &[&str] = &[
    "rate",
    "percentage",
    "proportion",
    "share",
    "spread",
    "margin",
    "discount",
    "yield",
    "accuracy",
    "score",
];
/// Words that make "how much" ask for money.
const PAYING: &[&str] =
    &["cost", "costs", "pay", "paid", "fee", "earn", "charge", "charged", "owed", "price", "money", "worth"];

/// Words that ask for a meaning. "What does the term mean" names a term and asks for no time.
const MEANING: &[&str] = &["mean", "means", "meaning", "define", "defined", "definition"];

/// Maximum distance in words from "what" to the noun that it asks for.
const REACH: usize = 6;

impl FigureKind {
    /// True if sentences can be compared by figures of this kind. A bare number may count anything.
    pub(in crate::question) fn is_comparable(self) -> bool {
        matches!(self, Self::Time | Self::When | Self::Sum | Self::Share)
    }
}

/// Chinese cues by kind; the first kind with a cue in the question wins.
const CHINESE: &[(&[&str], FigureKind)] = &[
    (&["百分之几", "比例", "利率", "费率"], FigureKind::Share),
    (&["多少元", "多少钱", "多少罚款", "金额"], FigureKind::Sum),
    (
        &[
            "多久",
            "多长时间",
            "何时",
            "什么时候",
            "期限",
            "几日",
            "几天",
            "几年",
            "几个月",
            "多少日",
            "多少天",
            "多少年",
        ],
        FigureKind::Time,
    ),
];

/// The kind of figure that a question in this language asks for, if any.
pub(in crate::question) fn figure_kind(question: &str, language: Language) -> Option<FigureKind> {
    if language == Language::Chinese {
        let mut kinds = CHINESE.iter();
        return kinds
            .find(|(cues, _)| cues.iter().any(|cue| question.contains(cue)))
            .map(|(_, figure)| *figure);
    }
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |needles: &[&str]| words.iter().any(|word| needles.contains(word));
    let spaced = format!(" {} ", words.join(" "));
    if TIME.iter().any(|cue| spaced.contains(&format!(" {cue} "))) {
        return Some(FigureKind::Time);
    }
    if ["how much", "what does it cost", "what do they cost"].iter().any(|cue| spaced.contains(cue)) {
        return Some(if has(PAYING) { FigureKind::Sum } else { FigureKind::Number });
    }
    let sizes =
        ["how many", "how large", "how high", "how big", "how far", "how small", "how old", "how low"];
    if sizes.iter().any(|cue| spaced.contains(cue)) {
        return Some(FigureKind::Number);
    }
    // "How long is a year defined to be" asks for a figure; "what" and "when" with such a word ask for a meaning.
    if has(MEANING) {
        return None;
    }
    for (at, _) in words.iter().enumerate().filter(|(_, word)| matches!(**word, "what" | "which")) {
        let near = words.slice(at + 1..(at + 1 + REACH).min(words.len()));
        let names = |things: &[&str]| near.iter().any(|word| things.contains(word));
        if names(TIMES) {
            return Some(FigureKind::Time);
        } else if names(SHARES) {
            return Some(FigureKind::Share);
        } else if names(SUMS) {
            return Some(FigureKind::Sum);
        }
    }
    has(&["when"]).then_some(FigureKind::When)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_for_kinds_of_figures() {
        let cases = [
            ("How long must records be kept?", Some(FigureKind::Time)),
            ("By what hour must a request arrive?", Some(FigureKind::Time)),
            ("When is a fee due?", Some(FigureKind::When)),
            ("How much does a licence cost?", Some(FigureKind::Sum)),
            ("What is the maximum fine?", Some(FigureKind::Sum)),
            ("At what rate is interest reckoned?", Some(FigureKind::Share)),
            ("How many copies are filed?", Some(FigureKind::Number)),
            ("What is a limitation of liability?", None),
            ("Who pays the fee?", None),
            ("What does the term 'Qualified Investor' mean?", None),
            ("What is the definition of notice?", None),
            ("Which age does 'minor' mean?", None),
            ("How long is a year defined to be?", Some(FigureKind::Time)),
            ("What is the term of the lease?", Some(FigureKind::Time)),
        ];
        for (question, expected) in cases {
            assert_eq!(figure_kind(question, Language::of(question)), expected, "{question}");
        }
    }
}
