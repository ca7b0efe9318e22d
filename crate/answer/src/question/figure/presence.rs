//! Presence of the requested kind of figure in a sentence.

use text::quantity;

use super::kind::FigureKind;
use super::labels::LabelRanges;
use super::units::has_unit;

/// Words that state a time without a number.
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

/// Match of a sentence with a kind of figure, 0 to 1.
pub(in crate::question) fn has_figure(figure: FigureKind, sentence: &str) -> f64 {
    let lower = format!(" {} ", sentence.to_lowercase());
    let mut labels = LabelRanges::of(sentence);
    let mut has_number =
        lower.split(|c: char| !c.is_alphanumeric()).any(|word| text::numerals::english(word).is_some());
    has_number |= COUNTING.iter().any(|word| lower.contains(word));
    let mut at = 0;
    // "*13]" and "[3]" are marks of pages and of places of a list.
    for word in sentence.split_inclusive(|c: char| c.is_whitespace()) {
        let is_mark = word.starts_with("[*") || word.starts_with('[') && word.trim_end().ends_with(']');
        // "(s.465)": the figure lies in the citation, the bracket does not.
        let digit = word.find(|c: char| c.is_ascii_digit()).filter(|_| !is_mark);
        has_number |= digit.is_some_and(|digit| !labels.contains(at + digit));
        at += word.len();
    }
    let number = if has_number { 1.0 } else { 0.0 };
    let times = || {
        let is_timed = has_number && has_unit(&lower);
        !quantity::dates(sentence).is_empty() || is_timed || TIMELY.iter().any(|word| lower.contains(word))
    };
    let amounts = || quantity::amounts(sentence);
    match figure {
        FigureKind::Number => number,
        FigureKind::Time if times() => 1.0,
        FigureKind::Time => 0.3 * number,
        FigureKind::When if times() => 1.0,
        FigureKind::When if CONDITIONS.iter().any(|word| lower.contains(word)) => 0.7,
        FigureKind::When => 0.0,
        FigureKind::Sum if amounts().iter().any(|amount| !amount.value.ends_with('%')) => 1.0,
        FigureKind::Share if amounts().iter().any(|amount| amount.value.ends_with('%')) => 1.0,
        FigureKind::Sum | FigureKind::Share => 0.5 * number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_asked_for_tells_sentences_apart() {
        let cases = [
            (FigureKind::Time, "Records are kept for six years.", 1.0),
            (FigureKind::Time, "A reply is given promptly.", 1.0),
            (FigureKind::Time, "Records are kept under section 12(3).", 0.0),
            (FigureKind::When, "It is due if the firm asks for it.", 0.7),
            (FigureKind::Sum, "The fee is $1,200.", 1.0),
            (FigureKind::Sum, "The fee is reasonable.", 0.0),
            (FigureKind::Share, "Interest runs at 4.5 per cent.", 1.0),
            (FigureKind::Share, "Interest runs for 30 days.", 0.5),
            (FigureKind::Number, "The firm files reports in triplicate with the Regulator.", 1.0),
            (FigureKind::Number, "[*13] The firm files reports.", 0.0),
            (FigureKind::Number, "(2) The firm files reports.", 0.0),
            (FigureKind::Number, "The firm files reports (section 12) under rules 4, 5 and 6.", 0.0),
            (FigureKind::Number, "Under section 12 the firm files 3 reports.", 1.0),
            (FigureKind::Time, "The 3 headquarters keep secondary records.", 0.3),
            (FigureKind::Time, "Two firms reply on Monday.", 0.3),
            (FigureKind::Time, "Records are kept for two-year periods.", 1.0),
            (FigureKind::Time, "It closes at 5 p.m. sharp.", 1.0),
            (FigureKind::Time, "It closes at 5 o’clock.", 1.0),
        ];
        for (figure, sentence, expected) in cases {
            assert_eq!(has_figure(figure, sentence), expected, "{sentence}");
        }
    }
}
