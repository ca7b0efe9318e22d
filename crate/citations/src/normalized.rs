//! Normalized text: the form in which quotations and sources are compared, with a map back to the source.
//!
//! [`text::normalize::fold`] unifies ligatures, kinds of quotation marks and dashes, invisible characters and white
//! space. On top of it: single and double quotation marks are equal (except behind a digit, where they are units),
//! superscript digits differ from plain ones, spaces beside CJK characters are dropped, and a hyphen at a line end,
//! which may or may not belong to the word, becomes [`SOFT_HYPHEN`]. Letters, their case, digits and punctuation stay
//! as they are. Linear.

use std::ops::Range;

use document::Slice as _;
use text::is_cjk;
use text::normalize::{Case, Folded, fold};

/// Hyphen at a line end. It matches a hyphen, and it matches nothing. Folded text never holds this character.
pub(crate) const SOFT_HYPHEN: char = '\u{AD}';

/// Normalized text and its map to the source.
#[derive(Clone, Debug)]
pub(crate) struct Normalized {
    folded: Folded,
    /// Normalized text.
    pub(crate) text: String,
    /// Dropped spaces, ascending: first byte of [`Normalized::text`] behind it, number of bytes dropped so far.
    dropped: Vec<(usize, usize)>,
    /// Bytes of [`Normalized::text`] at which an em dash was printed, ascending.
    long_dashes: Vec<usize>,
}

impl Normalized {
    pub(crate) fn new(source: &str) -> Self {
        let folded = fold(source, Case::Keep);
        let mut text = String::with_capacity(folded.text().len());
        let mut dropped: Vec<(usize, usize)> = Vec::new();
        let mut long_dashes = Vec::new();
        let mut n_dropped = 0;
        let (mut before_last, mut last) = (' ', ' ');
        let mut chars = folded.text().char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map_or(' ', |&(_, next)| next);
            let printed = |at: usize| {
                let printed = source.slice(folded.source(at..at + 1));
                printed.chars().next().unwrap_or(' ')
            };
            let is_long = |at: usize| matches!(printed(at), '—' | '―');
            let at_line_end = c == ' ' && last == '-' && before_last.is_alphabetic() && next.is_lowercase();
            if at_line_end && !is_cjk(before_last) {
                // The hyphen and the space are a byte each, the soft hyphen is two: offsets stay in step.
                text.pop();
                text.push(SOFT_HYPHEN);
            } else if c == ' ' && (is_cjk(last) || is_cjk(next)) {
                n_dropped += 1;
                dropped.push((text.len(), n_dropped));
            } else {
                if c == '-' && is_long(at) {
                    long_dashes.push(text.len());
                }
                text.push(match c {
                    // Behind a digit the two are units: feet and inches.
                    '"' if !last.is_numeric() => '\'',
                    '0'..='9' => digit(c, printed(at)),
                    c => c,
                });
            }
            (before_last, last) = (last, c);
        }
        Self { folded, text, dropped, long_dashes }
    }

    /// Source bytes of a byte range of [`Normalized::text`].
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        let n_dropped = |n: usize| n.checked_sub(1).and_then(|n| self.dropped.get(n)).map_or(0, |&(_, n)| n);
        let before = n_dropped(self.dropped.partition_point(|&(from, _)| from <= range.start));
        let inside = n_dropped(self.dropped.partition_point(|&(from, _)| from < range.end));
        self.folded.source(range.start + before..range.end + inside)
    }

    /// Words in bytes of [`Normalized::text`]: runs of letters and digits. Each CJK character is a word.
    pub(crate) fn words(&self) -> Vec<Range<usize>> {
        let mut words: Vec<Range<usize>> = Vec::new();
        let mut open = false;
        for (at, c) in self.text.char_indices() {
            let end = at + c.len_utf8();
            if !c.is_alphanumeric() {
                open = false;
            } else if is_cjk(c) {
                words.push(at..end);
                open = false;
            } else if open && let Some(last) = words.last_mut() {
                last.end = end;
            } else {
                words.push(at..end);
                open = true;
            }
        }
        words
    }

    /// Text of a range.
    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        self.text.slice(range)
    }

    /// True if a soft hyphen stands directly before or behind the word.
    pub(crate) fn is_broken(&self, word: &Range<usize>) -> bool {
        self.breaks_after(word.end) || self.slice(0..word.start).ends_with(SOFT_HYPHEN)
    }

    /// True if a soft hyphen stands at byte `end`.
    pub(crate) fn breaks_after(&self, end: usize) -> bool {
        self.text.get(end..).is_some_and(|rest| rest.starts_with(SOFT_HYPHEN))
    }

    /// True if a quotation may begin at byte `at`: not inside a word, a compound or a number, and not behind a Chinese
    /// negation, which is a prefix of the word it negates.
    pub(crate) fn may_begin(&self, at: usize) -> bool {
        let (Some(head), Some(tail)) = (self.text.get(..at), self.text.get(at..)) else { return false };
        let (mut back, mut ahead) = (head.chars().rev(), tail.chars());
        let Some(first) = ahead.next() else { return false };
        let (Some(last), before) = (back.next(), back.next().unwrap_or(' ')) else { return true };
        if !first.is_alphanumeric() {
            let is_decimal = matches!(first, '.' | ',') && ahead.next().is_some_and(|c| c.is_ascii_digit());
            return !(is_decimal && last.is_ascii_digit());
        }
        if is_numeral(first) && is_numeral(last) || is_negation(last) && is_cjk(first) {
            return false;
        }
        if is_cjk(first) {
            return true;
        }
        match last {
            SOFT_HYPHEN => self.is_long_dash(at.saturating_sub(SOFT_HYPHEN.len_utf8())),
            '-' if self.is_long_dash(at.saturating_sub(1)) => true,
            '-' => !is_word_char(before) && !first.is_ascii_digit(),
            '\'' | '/' | '_' | '@' => !is_word_char(before),
            '.' | ',' | ':' => !(first.is_ascii_digit() && before.is_ascii_digit()),
            '$' | '€' | '£' | '¥' | '+' | '<' | '>' | '±' => !first.is_ascii_digit(),
            _ => !is_word_char(last),
        }
    }

    /// True if a quotation may end at byte `at`, by the rules of [`Normalized::may_begin`].
    pub(crate) fn may_end(&self, at: usize) -> bool {
        let (Some(head), Some(tail)) = (self.text.get(..at), self.text.get(at..)) else { return false };
        let (mut back, mut ahead) = (head.chars().rev(), tail.chars());
        let Some(last) = back.next() else { return false };
        let (Some(first), second) = (ahead.next(), ahead.next().unwrap_or(' ')) else { return true };
        if !last.is_alphanumeric() {
            let is_decimal = matches!(last, '.' | ',') && back.next().is_some_and(|c| c.is_ascii_digit());
            return !(is_decimal && first.is_ascii_digit());
        }
        if is_numeral(first) && is_numeral(last) || first == '%' && is_numeral(last) {
            return false;
        }
        if is_cjk(last) {
            return true;
        }
        match first {
            SOFT_HYPHEN => self.is_long_dash(at),
            '-' => !is_word_char(second) || self.is_long_dash(at),
            // The genitive "firm's" quotes the word "firm".
            '\'' => !is_word_char(second) || second == 's' && !ahead.next().is_some_and(is_word_char),
            '/' | '_' | '@' => !is_word_char(second),
            '.' | ',' | ':' => !(last.is_ascii_digit() && second.is_ascii_digit()),
            _ => !is_word_char(first),
        }
    }

    /// True if the dash at byte `at` was printed as an em dash: it separates clauses, not parts of a compound.
    fn is_long_dash(&self, at: usize) -> bool {
        self.long_dashes.binary_search(&at).is_ok()
    }

    /// True if both texts are equal, the case of the first letter and soft hyphens aside.
    pub(crate) fn equals(&self, other: &Self) -> bool {
        let (mut mine, mut others) = (self.text.chars(), other.text.chars());
        let recased = match (mine.next(), others.next()) {
            (Some(a), Some(b)) => a == b || a.to_lowercase().eq(b.to_lowercase()),
            _ => false,
        };
        let left = others.as_str().len();
        recased && match_prefix(mine, others, &mut 0) == Some(left)
    }
}

/// Length in bytes of the prefix of `haystack` that equals all of `wanted`, soft hyphens aside; `None` if they differ.
/// With both iterators reversed it is the length of the suffix. Adds the number of characters compared to `steps`.
pub(crate) fn match_prefix(
    wanted: impl Iterator<Item = char>,
    haystack: impl Iterator<Item = char>,
    steps: &mut usize,
) -> Option<usize> {
    let (mut wanted, mut haystack) = (wanted.peekable(), haystack.peekable());
    let mut taken = 0;
    while let Some(&c) = wanted.peek() {
        *steps += 1;
        match haystack.peek().copied() {
            Some(d) if d == c || d == SOFT_HYPHEN && c == '-' || d == '-' && c == SOFT_HYPHEN => {
                wanted.next();
                haystack.next();
                taken += d.len_utf8();
            }
            Some(SOFT_HYPHEN) => {
                haystack.next();
                taken += SOFT_HYPHEN.len_utf8();
            }
            _ if c == SOFT_HYPHEN => {
                wanted.next();
            }
            _ => return None,
        }
    }
    Some(taken)
}

/// Digit for comparison. Folding turns superscript and circled digits into plain ones, so that "10²", ten with a note
/// mark, would equal "102"; here they become control characters, which folded text never holds.
fn digit(folded: char, printed: char) -> char {
    let is_plain = matches!(printed, '0'..='9' | '\u{FF10}'..='\u{FF19}' | '\u{1D7CE}'..='\u{1D7FF}');
    let marked =
        u8::try_from(folded).ok().and_then(|byte| byte.checked_sub(b'0')).map(|n| char::from(0x10 + n));
    if is_plain { folded } else { marked.unwrap_or(folded) }
}

/// True for letters and digits of scripts that separate words by spaces.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

fn is_numeral(c: char) -> bool {
    c.is_ascii_digit() || text::numerals::is_han_numeral(c)
}

fn is_negation(c: char) -> bool {
    "不未无非没勿莫否".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typography_is_normalized() {
        let cases = [
            ("the “Fund’s” of\u{FB01}ce", "the 'Fund's' office"),
            ("noti-\nfication", "noti\u{AD}fication"),
            ("co\u{AD}operate", "cooperate"),
            ("第 5 条 规定", "第5条规定"),
            ("2019–2020 — risk", "2019-2020 - risk"),
            ("10-\n20", "10- 20"),
        ];
        for (source, expected) in cases {
            assert_eq!(Normalized::new(source).text, expected, "{source:?}");
        }
    }

    #[test]
    fn ranges_map_back_to_the_source() {
        let source = "按照 第 5 条，noti-\nfication of the of\u{FB01}ce";
        let normalized = Normalized::new(source);
        let find = |wanted: &str| {
            let at = normalized.text.find(wanted).unwrap();
            &source[normalized.source(at..at + wanted.len())]
        };
        assert_eq!(find("第5条"), "第 5 条");
        assert_eq!(find("5"), "5");
        assert_eq!(find("noti\u{AD}fication"), "noti-\nfication");
        assert_eq!(find("office"), "of\u{FB01}ce");
    }

    #[test]
    fn quotations_begin_and_end_between_words() {
        let source = "A firm must—not non-compliance, $10.50 or 1,000% of firm’s; 不得转让 二十五日";
        let normalized = Normalized::new(source);
        for (wanted, begins, ends) in [
            ("firm", true, true),
            ("must", true, true),
            ("not", true, true),
            ("non", true, false),
            ("compliance", false, true),
            ("10", false, false),
            ("1,000", true, false),
            ("000", false, false),
            ("得转让", false, true),
            ("不得", true, true),
            ("二十", true, false),
            ("五日", false, true),
            ("二十五日", true, true),
        ] {
            let at = normalized.text.find(wanted).unwrap();
            assert_eq!(normalized.may_begin(at), begins, "{wanted}");
            assert_eq!(normalized.may_end(at + wanted.len()), ends, "{wanted}");
        }
    }

    #[test]
    fn compounds_numbers_and_addresses_are_quoted_whole() {
        let cases: [(&str, &str, bool, bool); 42] = [
            ("an A/B test", "A", true, false),
            ("an A/B test", "B", false, true),
            ("near a /z", "z", true, true),
            ("write to user@host today", "user", true, false),
            ("write to user@host today", "host", false, true),
            ("the file_name here", "name", false, true),
            ("a file_ name", "file", true, true),
            ("under 4.2 only", "4", true, false),
            ("under 4.2 only", "2", false, true),
            ("under 4.2 only", "4.2", true, true),
            ("at 10:30 sharp", "10", true, false),
            ("at 10:30 sharp", "30", false, true),
            ("rule A.5 says", "5", true, true),
            ("under 4.Then it", "4", true, true),
            ("under 4.Then it", "Then", true, true),
            ("pays $5 now", "5", false, true),
            ("the $term here", "term", true, true),
            ("over >5 or ±6", "5", false, true),
            ("over >5 or ±6", "6", false, true),
            ("takes 50% off", "50", true, false),
            ("takes 50% off", "50%", true, true),
            ("is 0.5 of it", ".5", false, true),
            ("is .5 of it", ".5", true, true),
            ("is 0.5 of it", "0.", true, false),
            ("is 0. Then it", "0.", true, true),
            ("is 0. Then it", ". Then", true, true),
            ("from 5(6)7 on", "(6)", true, true),
            ("see a.5 here", "a.", true, true),
            ("see a.5 here", ".5", true, true),
            ("a firm, and more", ", and", true, true),
            ("the firm's duty", "firm", true, true),
            ("they don't act", "don", true, false),
            ("at nine o'clock", "clock", false, true),
            ("the 'firm' acts", "firm", true, true),
            ("the firm'st of it", "firm", true, false),
            ("a non-firm act", "firm", false, true),
            ("a non-firm act", "non", true, false),
            ("so -firm-, it acts", "firm", true, true),
            ("so -5 counts", "5", false, true),
            ("a noti-\nfication of", "fication", false, true),
            ("a noti-\nfication of", "noti", true, false),
            ("it must\u{2014}\nnot act", "not", true, true),
        ];
        for (source, wanted, begins, ends) in cases {
            let normalized = Normalized::new(source);
            let at = normalized.text.find(wanted).unwrap();
            let found = (normalized.may_begin(at), normalized.may_end(at + wanted.len()));
            assert_eq!(found, (begins, ends), "{wanted} of {source}");
        }
        let whole = Normalized::new("firm");
        assert!(whole.may_begin(0) && whole.may_end(4) && !whole.may_begin(4) && !whole.may_end(0));
    }

    #[test]
    fn a_word_is_broken_beside_a_hyphen_at_a_line_end() {
        let normalized = Normalized::new("noti-\nfication of it");
        let broken: Vec<bool> = normalized.words().iter().map(|word| normalized.is_broken(word)).collect();
        assert_eq!(broken, [true, true, false, false]);
        let breaks: Vec<usize> =
            (0..normalized.text.len()).filter(|&at| normalized.breaks_after(at)).collect();
        assert_eq!(breaks, ["noti".len()]);
    }

    #[test]
    fn a_hyphen_at_a_line_end_matches_a_hyphen_and_nothing() {
        let cases = [
            ("cooperate", "cooperates", Some(9)),
            ("cooperate", "co", None),
            ("cooperate", "corporate", None),
            ("cooperate", "co\u{AD}operate", Some(11)),
            ("co-operate", "co\u{AD}operate", Some(11)),
            ("co\u{AD}operate", "cooperate", Some(9)),
            ("co\u{AD}operate", "co-operate", Some(10)),
            ("co\u{AD}operate", "co\u{AD}operate", Some(11)),
            ("co-operate", "cooperate", None),
            ("cooperate", "co-operate", None),
            ("", "any", Some(0)),
        ];
        for (wanted, haystack, length) in cases {
            let mut steps = 0;
            let found = match_prefix(wanted.chars(), haystack.chars(), &mut steps);
            assert_eq!(found, length, "{wanted:?} in {haystack:?}");
            assert!(steps <= wanted.len() + haystack.len() && (steps > 0 || wanted.is_empty()), "{steps}");
        }
    }

    #[test]
    fn the_case_of_the_first_letter_alone_does_not_matter() {
        let equals = |a: &str, b: &str| Normalized::new(a).equals(&Normalized::new(b));
        assert!(equals("The firm", "the firm") && equals("the firm", "the firm"));
        assert!(equals("noti-\nfy", "notify"));
        for other in ["the Firm", "the firms", "the fir", "she firm", ""] {
            assert!(!equals("the firm", other), "{other}");
        }
    }
}
