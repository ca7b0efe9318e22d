//! Which kind of figure a question asks for, and whether a sentence has one.
//!
//! "How long" is not answered by a sentence that merely shares words with the question, but by one with a time in it.
//! A figure that names something, a provision ("section 465"), an item ("(2)"), a page, is no answer. English only:
//! Chinese writes its figures as words of the sentence, where every sentence has some. Cost: linear in the sentence.

mod value;

use std::ops::Range;

use text::quantity;

pub(super) use value::{is_of_value, values};

/// What kind of figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Figure {
    /// A date, a length of time, a deadline.
    Time,
    /// The same, or the condition on which something happens: "when" may mean either.
    When,
    /// A sum of money, or a number where none is there.
    Sum,
    /// A percentage, or a number where none is there.
    Share,
    /// Any number.
    Number,
}

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
/// Things that are a time, behind "what", "which" or "within what".
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
const PAYING: &[&str] =
    &["cost", "costs", "pay", "paid", "fee", "earn", "charge", "charged", "owed", "price", "money", "worth"];

/// Words that ask what something is called or is: "what does the term mean" names a term, and asks for no time.
const MEANING: &[&str] = &["mean", "means", "meaning", "define", "defined", "definition"];

/// How far behind "what" the thing may stand that it asks for, in words.
const REACH: usize = 6;

impl Figure {
    /// Whether two sentences can be compared by it: a bare number may count anything.
    pub(crate) fn is_comparable(self) -> bool {
        matches!(self, Self::Time | Self::When | Self::Sum | Self::Share)
    }
}

/// Chinese that asks for a kind of figure; what is asked for first decides.
const CHINESE: &[(&[&str], Figure)] = &[
    (&["百分之几", "比例", "利率", "费率"], Figure::Share),
    (&["多少元", "多少钱", "多少罚款", "金额"], Figure::Sum),
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
        Figure::Time,
    ),
];

/// The kind of figure that a question asks for, if it asks for one.
pub(super) fn figure(question: &str) -> Option<Figure> {
    if text::is_mostly_cjk(question) {
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
        return Some(Figure::Time);
    }
    if ["how much", "what does it cost", "what do they cost"].iter().any(|cue| spaced.contains(cue)) {
        return Some(if has(PAYING) { Figure::Sum } else { Figure::Number });
    }
    let sizes =
        ["how many", "how large", "how high", "how big", "how far", "how small", "how old", "how low"];
    if sizes.iter().any(|cue| spaced.contains(cue)) {
        return Some(Figure::Number);
    }
    // Behind "how long" or "how many" the figure is asked for whatever is defined in it: "how long is a year defined to
    // be"; behind "what" and "when" the meaning is.
    if has(MEANING) {
        return None;
    }
    for (at, _) in words.iter().enumerate().filter(|(_, word)| matches!(**word, "what" | "which")) {
        let near = words.get(at + 1..(at + 1 + REACH).min(words.len())).unwrap_or_default();
        let names = |things: &[&str]| near.iter().any(|word| things.contains(word));
        if names(TIMES) {
            return Some(Figure::Time);
        } else if names(SHARES) {
            return Some(Figure::Share);
        } else if names(SUMS) {
            return Some(Figure::Sum);
        }
    }
    has(&["when"]).then_some(Figure::When)
}

/// Words that measure time.
const UNITS: &[&str] = &["second", "minute", "hour", "day", "week", "month", "year", "quarter", "decade"];
/// What stands behind an hour of the day.
const CLOCK: &[&str] = &["p.m", "a.m", "o'clock", "o’clock"];
/// Words that are a time by themselves.
const TIMELY: &[&str] = &[
    "immediately",
    "promptly",
    "forthwith",
    "annually",
    "monthly",
    "quarterly",
    "weekly",
    "daily",
    "yearly",
    "hourly",
    "at once",
    "without delay",
    "as soon as",
    "semiannually",
    "biannually",
    "each year",
    "every year",
    "indefinitely",
];
/// Words that count without a number.
const COUNTING: &[&str] =
    &[" once ", " twice ", " duplicate ", " triplicate ", " quadruplicate ", " quintuplicate "];
/// Words that open a condition.
const CONDITIONS: &[&str] = &[
    " if ",
    " when ",
    " where ",
    " once ",
    " upon ",
    " after ",
    " before ",
    " until ",
    " unless ",
    " in the event ",
];

/// The unit of time that a word in lower case is, one or several: "days". Whole words only: "secondary" and
/// "headquarters" are none.
fn unit(word: &str) -> Option<&'static str> {
    let one = word.strip_suffix('s').unwrap_or(word);
    UNITS.iter().find(|unit| **unit == one).copied()
}

/// Whether words in lower case have a unit of time or an hour of the day.
fn has_unit(lower: &str) -> bool {
    let is_clock = |word: &str| CLOCK.contains(&word.trim_matches(|c: char| !c.is_alphabetic()));
    lower.split(|c: char| !c.is_alphabetic()).any(|word| unit(word).is_some())
        || lower.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–')).any(is_clock)
}

/// The places of a sentence whose figures name something: its citations, the marker of its item.
struct Naming {
    ranges: Vec<Range<usize>>,
    next: usize,
}

impl Naming {
    fn of(sentence: &str) -> Self {
        let label = text::wording::list_marker(sentence).map_or(0, str::len);
        let cites = text::reference::references(sentence).into_iter().map(|cite| cite.range);
        Self { ranges: std::iter::once(0..label).chain(cites).collect(), next: 0 }
    }

    /// Whether a place lies in one. Asked from left to right, so that all the questions together pass the places once.
    fn holds(&mut self, at: usize) -> bool {
        while self.ranges.get(self.next).is_some_and(|range| range.end <= at) {
            self.next += 1;
        }
        self.ranges.get(self.next).is_some_and(|range| range.start <= at)
    }
}

/// How well a sentence has the figure asked for, 0 to 1.
pub(super) fn has_figure(figure: Figure, sentence: &str) -> f64 {
    let lower = format!(" {} ", sentence.to_lowercase());
    let mut naming = Naming::of(sentence);
    let mut has_number =
        lower.split(|c: char| !c.is_alphanumeric()).any(|word| text::numerals::english(word).is_some());
    has_number |= COUNTING.iter().any(|word| lower.contains(word));
    let mut at = 0;
    // "*13]" and "[3]" are marks of pages and of places of a list.
    for word in sentence.split_inclusive(|c: char| c.is_whitespace()) {
        let is_mark = word.starts_with("[*") || word.starts_with('[') && word.trim_end().ends_with(']');
        // "(s.465)": the figure lies in the citation, the bracket does not.
        let digit = word.find(|c: char| c.is_ascii_digit()).filter(|_| !is_mark);
        has_number |= digit.is_some_and(|digit| !naming.holds(at + digit));
        at += word.len();
    }
    let number = if has_number { 1.0 } else { 0.0 };
    let times = || {
        let is_timed = has_number && has_unit(&lower);
        !quantity::dates(sentence).is_empty() || is_timed || TIMELY.iter().any(|word| lower.contains(word))
    };
    let amounts = || quantity::amounts(sentence);
    match figure {
        Figure::Number => number,
        Figure::Time if times() => 1.0,
        Figure::Time => 0.3 * number,
        Figure::When if times() => 1.0,
        Figure::When if CONDITIONS.iter().any(|word| lower.contains(word)) => 0.7,
        Figure::When => 0.0,
        Figure::Sum if amounts().iter().any(|amount| !amount.value.ends_with('%')) => 1.0,
        Figure::Share if amounts().iter().any(|amount| amount.value.ends_with('%')) => 1.0,
        Figure::Sum | Figure::Share => 0.5 * number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_for_kinds_of_figures() {
        let cases = [
            ("How long must records be kept?", Some(Figure::Time)),
            ("By what hour must a request arrive?", Some(Figure::Time)),
            ("When is a fee due?", Some(Figure::When)),
            ("How much does a licence cost?", Some(Figure::Sum)),
            ("What is the maximum fine?", Some(Figure::Sum)),
            ("At what rate is interest reckoned?", Some(Figure::Share)),
            ("How many copies are filed?", Some(Figure::Number)),
            ("What is a limitation of liability?", None),
            ("Who pays the fee?", None),
            ("What does the term 'Qualified Investor' mean?", None),
            ("What is the definition of notice?", None),
            ("Which age does 'minor' mean?", None),
            ("How long is a year defined to be?", Some(Figure::Time)),
            ("What is the term of the lease?", Some(Figure::Time)),
        ];
        for (question, expected) in cases {
            assert_eq!(figure(question), expected, "{question}");
        }
    }

    #[test]
    fn the_figure_asked_for_tells_sentences_apart() {
        let cases = [
            (Figure::Time, "Records are kept for six years.", 1.0),
            (Figure::Time, "A reply is given promptly.", 1.0),
            (Figure::Time, "Records are kept under section 12(3).", 0.0),
            (Figure::When, "It is due if the firm asks for it.", 0.7),
            (Figure::Sum, "The fee is $1,200.", 1.0),
            (Figure::Sum, "The fee is reasonable.", 0.0),
            (Figure::Share, "Interest runs at 4.5 per cent.", 1.0),
            (Figure::Share, "Interest runs for 30 days.", 0.5),
            (Figure::Number, "The firm files reports in triplicate with the Regulator.", 1.0),
            (Figure::Number, "[*13] The firm files reports.", 0.0),
            (Figure::Number, "(2) The firm files reports.", 0.0),
            (Figure::Number, "The firm files reports (section 12) under rules 4, 5 and 6.", 0.0),
            (Figure::Number, "Under section 12 the firm files 3 reports.", 1.0),
            (Figure::Time, "The 3 headquarters keep secondary records.", 0.3),
            (Figure::Time, "Two firms reply on Monday.", 0.3),
            (Figure::Time, "Records are kept for two-year periods.", 1.0),
            (Figure::Time, "It closes at 5 p.m. sharp.", 1.0),
            (Figure::Time, "It closes at 5 o’clock.", 1.0),
        ];
        for (figure, sentence, expected) in cases {
            assert_eq!(has_figure(figure, sentence), expected, "{sentence}");
        }
    }

    #[test]
    fn the_places_that_name_something_are_passed_once() {
        let sentence = "(2) Under section 12 and rule 4 it is 30 days.";
        let mut naming = Naming::of(sentence);
        let held: Vec<bool> = sentence
            .char_indices()
            .filter(|(_, c)| c.is_ascii_digit())
            .map(|(at, _)| naming.holds(at))
            .collect();
        assert_eq!(held, [true, true, true, true, false, false]);
    }
}
