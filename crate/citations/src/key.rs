//! The form in which a quotation and a source are compared, with a map back to the source.
//!
//! On top of [`text::normalize::fold`] (ligatures, kinds of quotation marks and dashes, invisible characters, white
//! space): single and double quotation marks are one (except behind a
//! figure), raised figures are not figures, a space beside a CJK character is none, and a hyphen at the
//! end of a line, which may belong to the word or not, becomes [`SOFT`]. What may not differ stays: every letter
//! with its case, every figure, every stop. Linear.

use std::ops::Range;

use text::is_cjk;
use text::normalize::{Case, Folded, fold};

/// A hyphen with a line end behind it: it matches a hyphen, and nothing. Folded text never holds this character.
pub(super) const SOFT: char = '\u{AD}';

/// A text as it is compared.
#[derive(Clone, Debug)]
pub(super) struct Key {
    folded: Folded,
    /// The text.
    pub(super) text: String,
    /// Where a space was left out: the offset here from which on, and how far the folded text is ahead.
    shifts: Vec<(usize, usize)>,
    /// Where dashes longer than a hyphen stand.
    long_dashes: Vec<usize>,
}

impl Key {
    pub(super) fn new(source: &str) -> Self {
        let folded = fold(source, Case::Keep);
        let mut text = String::with_capacity(folded.text().len());
        let mut shifts: Vec<(usize, usize)> = Vec::new();
        let mut long_dashes = Vec::new();
        let mut behind = 0;
        let (mut before_last, mut last) = (' ', ' ');
        let mut chars = folded.text().char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map_or(' ', |&(_, next)| next);
            let printed = |at: usize| {
                let printed = source.get(folded.source(at..at + 1)).unwrap_or_default();
                printed.chars().next().unwrap_or(' ')
            };
            let is_long = |at: usize| matches!(printed(at), '—' | '―');
            let at_line_end = c == ' ' && last == '-' && before_last.is_alphabetic() && next.is_lowercase();
            if at_line_end && !is_cjk(before_last) {
                // One byte for the hyphen and one for the space: two for the soft hyphen.
                text.pop();
                text.push(SOFT);
            } else if c == ' ' && (is_cjk(last) || is_cjk(next)) {
                behind += 1;
                shifts.push((text.len(), behind));
            } else {
                if c == '-' && is_long(at) {
                    long_dashes.push(text.len());
                }
                text.push(match c {
                    // Behind a figure the two are units.
                    '"' if !last.is_numeric() => '\'',
                    '0'..='9' => raised(c, printed(at)),
                    c => c,
                });
            }
            (before_last, last) = (last, c);
        }
        Self { folded, text, shifts, long_dashes }
    }

    /// The bytes of the source that a byte range of the text stands for.
    pub(super) fn source(&self, range: Range<usize>) -> Range<usize> {
        let ahead = |at: usize, upto: bool| {
            let n = self.shifts.partition_point(|&(from, _)| if upto { from < at } else { from <= at });
            n.checked_sub(1).and_then(|n| self.shifts.get(n)).map_or(0, |&(_, ahead)| ahead)
        };
        self.folded.source(range.start + ahead(range.start, false)..range.end + ahead(range.end, true))
    }

    /// The words: letters and figures that stand together; a CJK character is one by itself.
    pub(super) fn words(&self) -> Vec<Range<usize>> {
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

    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Whether a soft hyphen stands directly before or behind a word.
    pub(super) fn is_broken(&self, word: &Range<usize>) -> bool {
        self.breaks_after(word.end) || self.slice(0..word.start).ends_with(SOFT)
    }

    /// Whether a soft hyphen stands at `end`.
    pub(super) fn breaks_after(&self, end: usize) -> bool {
        self.text.get(end..).is_some_and(|rest| rest.starts_with(SOFT))
    }

    /// Whether a quotation may begin at `at`: not within a word, a compound or a number, nor behind a negation that
    /// Chinese writes as a part of its word.
    pub(super) fn may_begin(&self, at: usize) -> bool {
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
            SOFT => self.is_long_dash(at.saturating_sub(SOFT.len_utf8())),
            '-' if self.is_long_dash(at.saturating_sub(1)) => true,
            '-' => !is_word(before) && !first.is_ascii_digit(),
            '\'' | '/' | '_' | '@' => !is_word(before),
            '.' | ',' | ':' => !(first.is_ascii_digit() && before.is_ascii_digit()),
            '$' | '€' | '£' | '¥' | '+' | '<' | '>' | '±' => !first.is_ascii_digit(),
            _ => !is_word(last),
        }
    }

    /// Whether a quotation may end at `at`: as [`Key::may_begin`].
    pub(super) fn may_end(&self, at: usize) -> bool {
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
            SOFT => self.is_long_dash(at),
            '-' => !is_word(second) || self.is_long_dash(at),
            // A genitive is the word itself and a letter more.
            '\'' => !is_word(second) || second == 's' && !ahead.next().is_some_and(is_word),
            '/' | '_' | '@' => !is_word(second),
            '.' | ',' | ':' => !(last.is_ascii_digit() && second.is_ascii_digit()),
            _ => !is_word(first),
        }
    }

    /// Whether the dash at `at` was printed longer than a hyphen: it parts clauses, not the halves of a word.
    fn is_long_dash(&self, at: usize) -> bool {
        self.long_dashes.binary_search(&at).is_ok()
    }

    /// Whether another text says the same: character by character, a soft hyphen standing for a hyphen or for nothing,
    /// the first letter in either case.
    pub(super) fn says(&self, other: &Self) -> bool {
        let (mut mine, mut others) = (self.text.chars(), other.text.chars());
        let recased = match (mine.next(), others.next()) {
            (Some(a), Some(b)) => a == b || a.to_lowercase().eq(b.to_lowercase()),
            _ => false,
        };
        let left = others.as_str().len();
        recased && matches(mine, others, &mut 0) == Some(left)
    }
}

/// Compares all of `wanted` with the head of `there` (or, both reversed, with its tail): how many bytes of `there` it
/// takes, `None` where they differ. `steps` counts the work.
pub(super) fn matches(
    wanted: impl Iterator<Item = char>,
    there: impl Iterator<Item = char>,
    steps: &mut usize,
) -> Option<usize> {
    let (mut wanted, mut there) = (wanted.peekable(), there.peekable());
    let mut taken = 0;
    while let Some(&c) = wanted.peek() {
        *steps += 1;
        match there.peek().copied() {
            Some(d) if d == c || d == SOFT && c == '-' || d == '-' && c == SOFT => {
                wanted.next();
                there.next();
                taken += d.len_utf8();
            }
            Some(SOFT) => {
                there.next();
                taken += SOFT.len_utf8();
            }
            _ if c == SOFT => {
                wanted.next();
            }
            _ => return None,
        }
    }
    Some(taken)
}

/// A figure as it is compared: a raised or circled one, which folding makes an ordinary one, stays apart, or the mark
/// of a note would make "10²" a hundred and two. Control characters stand for them; folded text holds none.
fn raised(figure: char, printed: char) -> char {
    let is_plain = matches!(printed, '0'..='9' | '\u{FF10}'..='\u{FF19}' | '\u{1D7CE}'..='\u{1D7FF}');
    let apart =
        u8::try_from(figure).ok().and_then(|byte| byte.checked_sub(b'0')).map(|n| char::from(0x10 + n));
    if is_plain { figure } else { apart.unwrap_or(figure) }
}

/// Letters and figures that a word is made of.
pub(super) fn is_word(c: char) -> bool {
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
    fn keys_leave_out_what_print_adds() {
        let cases = [
            ("the “Fund’s” of\u{FB01}ce", "the 'Fund's' office"),
            ("noti-\nfication", "noti\u{AD}fication"),
            ("co\u{AD}operate", "cooperate"),
            ("第 5 条 规定", "第5条规定"),
            ("2019–2020 — risk", "2019-2020 - risk"),
            ("10-\n20", "10- 20"),
        ];
        for (source, key) in cases {
            assert_eq!(Key::new(source).text, key, "{source:?}");
        }
    }

    #[test]
    fn ranges_lead_back_to_the_source() {
        let source = "按照 第 5 条，noti-\nfication of the of\u{FB01}ce";
        let key = Key::new(source);
        let find = |wanted: &str| {
            let at = key.text.find(wanted).unwrap();
            &source[key.source(at..at + wanted.len())]
        };
        assert_eq!(find("第5条"), "第 5 条");
        assert_eq!(find("5"), "5");
        assert_eq!(find("noti\u{AD}fication"), "noti-\nfication");
        assert_eq!(find("office"), "of\u{FB01}ce");
    }

    #[test]
    fn quotations_begin_and_end_between_words() {
        let source = "A firm must—not non-compliance, $10.50 or 1,000% of firm’s; 不得转让 二十五日";
        let key = Key::new(source);
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
            let at = key.text.find(wanted).unwrap();
            assert_eq!(key.may_begin(at), begins, "{wanted}");
            assert_eq!(key.may_end(at + wanted.len()), ends, "{wanted}");
        }
    }
}
