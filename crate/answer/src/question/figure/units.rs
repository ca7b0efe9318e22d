//! Units of time in English words.

/// Units of time in the singular.
const UNITS: &[&str] = &["second", "minute", "hour", "day", "week", "month", "year", "quarter", "decade"];
/// Words after an hour of the day.
pub(super) const CLOCK: &[&str] = &["p.m", "a.m", "o'clock", "o’clock"];
/// The unit of time of a lower-case word, singular or plural: "days". Whole words only: "secondary" and
/// "headquarters" have none.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    let one = word.strip_suffix('s').unwrap_or(word);
    UNITS.iter().find(|unit| **unit == one).copied()
}

/// True if a lower-case text contains a unit of time or an hour of the day.
pub(super) fn has_unit(lower: &str) -> bool {
    let is_clock = |word: &str| CLOCK.contains(&word.trim_matches(|c: char| !c.is_alphabetic()));
    lower.split(|c: char| !c.is_alphabetic()).any(|word| unit(word).is_some())
        || lower.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–')).any(is_clock)
}
