//! The pieces of an answer that are checked by themselves: a sentence with its marks, or a bullet.
//!
//! Sentences are those of [`text::sentences`], except that none ends within a quotation, clauses parted by a semicolon
//! stay together, a mark behind the full stop belongs to the sentence before it, a quotation set with `>` belongs to
//! the line that announces it, and a bullet whose marks all stand at its end is one. Linear but for sorted look-ups.

use std::ops::Range;

use text::sentences;
use text::wording::list_marker;

use super::marks::Mark;
use super::quotes::Quote;

/// The units of an answer: disjoint, in its order.
pub(super) fn units(answer: &str, marks: &[Mark], quotes: &[Quote]) -> Vec<Range<usize>> {
    let masked = mask(answer, marks);
    let cut = glue(&masked, sentences(&masked), quotes);
    let marked = attach(answer, cut, marks);
    let bullets = join_bullets(answer, marked, marks);
    announce(answer, bullets, marks, quotes)
}

/// The answer with each mark replaced by as many bytes that do not disturb the cutting of sentences: spaces behind a
/// full stop, else letters.
fn mask(answer: &str, marks: &[Mark]) -> String {
    let mut masked = String::with_capacity(answer.len());
    // Of the line so far: whether it has words or marks, and whether what it has ends with a stop.
    let (mut has_text, mut is_stopped) = (false, false);
    let read = |text: &str, has_text: &mut bool, is_stopped: &mut bool| {
        for c in text.chars() {
            if c == '\n' {
                *has_text = false;
            } else if !c.is_whitespace() {
                *has_text = true;
                let closes = matches!(c, '”' | '"' | '’' | '\'' | '»' | '」' | '』' | ')' | '）' | '*');
                *is_stopped =
                    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '；' | '…') || *is_stopped && closes;
            }
        }
    };
    for mark in marks {
        let before = answer.get(masked.len()..mark.range.start).unwrap_or_default();
        read(before, &mut has_text, &mut is_stopped);
        masked.push_str(before);
        let filler = if has_text && is_stopped { " " } else { "x" };
        is_stopped &= has_text;
        has_text = true;
        masked.push_str(&filler.repeat(mark.range.len()));
    }
    masked.push_str(answer.get(masked.len()..).unwrap_or_default());
    masked
}

/// Sentences that a quotation spans become one, and so do clauses behind a semicolon.
fn glue(masked: &str, sentences: Vec<Range<usize>>, quotes: &[Quote]) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let at = quotes.partition_point(|quote| quote.outer.end <= sentence.start);
        let is_quoted = quotes.get(at).is_some_and(|quote| quote.outer.start < sentence.start);
        let joins = units.last().is_some_and(|last| {
            let goes_on = masked.get(last.clone()).is_some_and(|text| text.ends_with(['；', ';']));
            let same_line = masked.get(last.end..sentence.start).is_some_and(|gap| !gap.contains('\n'));
            goes_on && same_line
        });
        match units.last_mut() {
            Some(last) if is_quoted || joins => last.end = sentence.end,
            _ => units.push(sentence),
        }
    }
    units
}

/// Gives each mark to the last unit that begins before it. A line of nothing but marks belongs to the one above.
fn attach(answer: &str, cut: Vec<Range<usize>>, marks: &[Mark]) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::with_capacity(cut.len());
    let mut rest = marks.iter().peekable();
    for unit in cut {
        while let Some(mark) = rest.next_if(|mark| mark.range.start < unit.start) {
            match units.last_mut() {
                Some(last) => last.end = last.end.max(mark.range.end),
                None => units.push(mark.range.clone()),
            }
        }
        let mut at = unit.start;
        let mut inside = rest.clone();
        while let Some(mark) = inside.next_if(|mark| mark.range.start < unit.end) {
            let gap = answer.get(at..mark.range.start).unwrap_or_default();
            if gap.contains(char::is_alphanumeric) {
                break;
            }
            at = mark.range.end;
        }
        let is_marks =
            at > unit.start && !answer.get(at..unit.end).unwrap_or_default().contains(char::is_alphanumeric);
        match units.last_mut() {
            Some(last) if is_marks => last.end = unit.end.max(last.end),
            _ => units.push(unit),
        }
    }
    if let (Some(mark), Some(last)) = (marks.last(), units.last_mut()) {
        last.end = last.end.max(mark.range.end);
    }
    units
}

fn has_marks(marks: &[Mark], range: &Range<usize>) -> bool {
    let at = marks.partition_point(|mark| mark.range.start < range.start);
    marks.get(at).is_some_and(|mark| mark.range.start < range.end)
}

/// Whether a line begins as an item of a list does.
pub(super) fn is_bullet(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("* ") || line.starts_with("+ ") || list_marker(line).is_some()
}

/// Joins the sentences of a bullet when all its marks stand in the last of them.
fn join_bullets(answer: &str, units: Vec<Range<usize>>, marks: &[Mark]) -> Vec<Range<usize>> {
    let has_marks = |range: &Range<usize>| has_marks(marks, range);
    let mut before = 0;
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(units.len());
    let mut units = units.into_iter().peekable();
    while let Some(first) = units.next() {
        let gap = answer.get(before..first.start).unwrap_or_default();
        let opens_line = before == 0 || gap.contains('\n');
        before = first.end;
        let line = answer.get(first.start..).filter(|_| opens_line).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default();
        let mut line_of = vec![first.clone()];
        if opens_line && is_bullet(line) {
            let end = first.start + line.len();
            while let Some(next) = units.next_if(|next| next.start < end) {
                before = next.end;
                line_of.push(next);
            }
        }
        let early = line_of.split_last().is_some_and(|(_, before)| before.iter().any(has_marks));
        match line_of.last() {
            Some(last) if !early && has_marks(last) => joined.push(first.start..last.end),
            _ => joined.extend(line_of),
        }
    }
    joined
}

/// Joins a quotation set with `>` that has no mark to the sentence with a colon above it.
fn announce(answer: &str, units: Vec<Range<usize>>, marks: &[Mark], quotes: &[Quote]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(units.len());
    for unit in units {
        let at = quotes.partition_point(|quote| quote.outer.end <= unit.start);
        let is_block = quotes.get(at).is_some_and(|quote| quote.is_block && quote.outer.start <= unit.start);
        let is_marked = has_marks(marks, &unit);
        match joined.last_mut() {
            Some(last) if is_block && !is_marked && announces(answer, last) => last.end = unit.end,
            _ => joined.push(unit),
        }
    }
    joined
}

fn announces(answer: &str, unit: &Range<usize>) -> bool {
    let text = answer.get(unit.clone()).unwrap_or_default();
    let tail = text.trim_end_matches(|c: char| c.is_whitespace() || c == '*');
    // The mark may stand in front of the colon or behind it.
    let mark = tail.rfind(['[', '【', '(']).and_then(|at| tail.get(..at)).unwrap_or_default();
    tail.ends_with([':', '：']) || tail.ends_with([']', '】', ')']) && mark.trim_end().ends_with([':', '：'])
}

#[cfg(test)]
mod tests {
    use super::super::marks::marks;
    use super::super::quotes::quotes;
    use super::*;

    fn cut(answer: &str) -> Vec<&str> {
        let (marks, quotes) = (marks(answer), quotes(answer));
        units(answer, &marks, &quotes).into_iter().map(|range| &answer[range]).collect()
    }

    #[test]
    fn a_mark_belongs_to_its_sentence_before_and_behind_the_stop() {
        assert_eq!(
            cut("A firm must. [P1] It may [P2]. It can [P3][P4]."),
            ["A firm must. [P1]", "It may [P2].", "It can [P3][P4]."]
        );
        assert_eq!(cut("A firm must.[P1] It may.【P2】"), ["A firm must.[P1]", "It may.【P2】"]);
        assert_eq!(cut("应当报告。[P1]可以免除。[P2]"), ["应当报告。[P1]", "可以免除。[P2]"]);
        assert_eq!(cut("[P1] says so. The rest."), ["[P1] says so.", "The rest."]);
        assert_eq!(cut("A firm must\n[P1]\n\nNext."), ["A firm must\n[P1]", "Next."]);
        assert_eq!(cut("[P1]"), ["[P1]"]);
        assert_eq!(cut("He said so. [P1]\n[P2] adds more."), ["He said so. [P1]", "[P2] adds more."]);
    }

    #[test]
    fn a_quotation_is_not_cut() {
        assert_eq!(
            cut("It says “One. Two. Three.” [P1] Then more."),
            ["It says “One. Two. Three.” [P1]", "Then more."]
        );
        assert_eq!(
            cut("Rule 3 says [P1]:\n> One. Two.\n> Three.\n\nMore."),
            ["Rule 3 says [P1]:\n> One. Two.\n> Three.", "More."]
        );
        assert_eq!(cut("Rule 3 says:\n> One. Two. [P1]"), ["Rule 3 says:", "> One. Two. [P1]"]);
    }

    #[test]
    fn a_bullet_with_its_marks_at_the_end_is_one() {
        assert_eq!(
            cut("- First. Second. [P1]\n- Third [P2]. Fourth [P3]."),
            ["- First. Second. [P1]", "- Third [P2].", "Fourth [P3]."]
        );
        assert_eq!(cut("1. First. Second. [P1]\n2. Third."), ["1. First. Second. [P1]", "2. Third."]);
    }
}
