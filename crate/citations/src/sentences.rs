//! Sentences and list items of an answer, each with its citation marks: the units that are checked by themselves.
//!
//! Sentences are those of [`text::sentences`], except that none ends inside a quotation, clauses separated by a
//! semicolon stay together, a mark behind the full stop belongs to the sentence before it, a block quotation without a
//! mark belongs to the line that announces it, and a list item whose marks all stand at its end is one. Linear but for
//! binary searches.

use std::ops::Range;

use document::Slice as _;
use text::sentences;
use text::wording::list_marker;

use crate::marks::{CitationMark, marks_in};
use crate::quotes::QuotedSpan;

/// Sentences and list items of an answer in bytes, in order and disjoint.
pub(crate) fn answer_sentences(
    answer: &str,
    marks: &[CitationMark],
    quotes: &[QuotedSpan],
) -> Vec<Range<usize>> {
    let masked = mask_marks(answer, marks);
    let joined = join_quoted(&masked, sentences(&masked), quotes);
    let marked = attach_marks(answer, joined, marks);
    let items = join_list_items(answer, marked, marks);
    join_announced(answer, items, marks, quotes)
}

/// The answer with each mark replaced by as many bytes that do not disturb the sentence splitter: spaces behind a full
/// stop, else letters. A mark before a full stop stands inside its sentence even where the quotation before it ends with an
/// ellipsis.
fn mask_marks(answer: &str, marks: &[CitationMark]) -> String {
    let mut masked = String::with_capacity(answer.len());
    // Of the line so far: true if it has words or marks, and true if they end with a full stop.
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
    for (idx, mark) in marks.iter().enumerate() {
        let before = answer.slice(masked.len()..mark.range.start);
        read(before, &mut has_text, &mut is_stopped);
        masked.push_str(before);
        let next = marks.get(idx + 1).map_or(answer.len(), |next| next.range.start);
        let is_inside = answer.slice(mark.range.end..next).trim_start_matches(' ').starts_with(['.', '。']);
        let filler = if has_text && is_stopped && !is_inside { " " } else { "x" };
        is_stopped &= has_text;
        has_text = true;
        masked.push_str(&filler.repeat(mark.range.len()));
    }
    masked.push_str(answer.slice(masked.len()..));
    masked
}

/// Joins sentences that a quotation spans, and clauses behind a semicolon.
fn join_quoted(masked: &str, sentences: Vec<Range<usize>>, quotes: &[QuotedSpan]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let at = quotes.partition_point(|quote| quote.outer.end <= sentence.start);
        let is_quoted = quotes.get(at).is_some_and(|quote| quote.outer.start < sentence.start);
        let joins = joined.last().is_some_and(|last| {
            let goes_on = masked.get(last.clone()).is_some_and(|text| text.ends_with(['；', ';']));
            let same_line = masked.get(last.end..sentence.start).is_some_and(|gap| !gap.contains('\n'));
            goes_on && same_line
        });
        match joined.last_mut() {
            Some(last) if is_quoted || joins => last.end = sentence.end,
            _ => joined.push(sentence),
        }
    }
    joined
}

/// Gives each mark to the last sentence that begins before it. A line of marks alone belongs to the sentence above.
fn attach_marks(answer: &str, cut: Vec<Range<usize>>, marks: &[CitationMark]) -> Vec<Range<usize>> {
    let mut sentences: Vec<Range<usize>> = Vec::with_capacity(cut.len());
    let mut rest = marks.iter().peekable();
    for sentence in cut {
        while let Some(mark) = rest.next_if(|mark| mark.range.start < sentence.start) {
            match sentences.last_mut() {
                Some(last) => last.end = last.end.max(mark.range.end),
                None => sentences.push(mark.range.clone()),
            }
        }
        let mut at = sentence.start;
        let mut inside = rest.clone();
        while let Some(mark) = inside.next_if(|mark| mark.range.start < sentence.end) {
            let gap = answer.slice(at..mark.range.start);
            if gap.contains(char::is_alphanumeric) {
                break;
            }
            at = mark.range.end;
        }
        let is_marks = at > sentence.start && !answer.slice(at..sentence.end).contains(char::is_alphanumeric);
        match sentences.last_mut() {
            Some(last) if is_marks => last.end = sentence.end.max(last.end),
            _ => sentences.push(sentence),
        }
    }
    if let (Some(mark), Some(last)) = (marks.last(), sentences.last_mut()) {
        last.end = last.end.max(mark.range.end);
    }
    sentences
}

/// True if a line begins like a list item.
pub(crate) fn is_list_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("* ") || line.starts_with("+ ") || list_marker(line).is_some()
}

/// Joins the sentences of a list item whose marks all stand in the last of them.
fn join_list_items(answer: &str, sentences: Vec<Range<usize>>, marks: &[CitationMark]) -> Vec<Range<usize>> {
    let has_marks = |range: &Range<usize>| !marks_in(marks, range).is_empty();
    let mut before = 0;
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    let mut sentences = sentences.into_iter().peekable();
    while let Some(first) = sentences.next() {
        let gap = answer.slice(before..first.start);
        let opens_line = before == 0 || gap.contains('\n');
        before = first.end;
        let line = answer.slice(first.start..).lines().next().filter(|_| opens_line).unwrap_or_default();
        let mut line_of = vec![first.clone()];
        if opens_line && is_list_item(line) {
            let end = first.start + line.len();
            while let Some(next) = sentences.next_if(|next| next.start < end) {
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

/// Joins a block quotation without a mark to the sentence above it, if that ends with a colon.
fn join_announced(
    answer: &str,
    sentences: Vec<Range<usize>>,
    marks: &[CitationMark],
    quotes: &[QuotedSpan],
) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let at = quotes.partition_point(|quote| quote.outer.end <= sentence.start);
        let is_block =
            quotes.get(at).is_some_and(|quote| quote.is_block && quote.outer.start <= sentence.start);
        let is_marked = !marks_in(marks, &sentence).is_empty();
        match joined.last_mut() {
            Some(last) if is_block && !is_marked && announces(answer, last) => last.end = sentence.end,
            _ => joined.push(sentence),
        }
    }
    joined
}

/// True if a sentence ends with a colon, before or behind its mark.
fn announces(answer: &str, sentence: &Range<usize>) -> bool {
    let text = answer.slice(sentence.clone());
    let tail = text.trim_end_matches(|c: char| c.is_whitespace() || c == '*');
    let mark = tail.rfind(['[', '【', '(']).map_or("", |at| tail.slice(..at));
    tail.ends_with([':', '：']) || tail.ends_with([']', '】', ')']) && mark.trim_end().ends_with([':', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::citation_marks;
    use crate::quotes::quoted_spans;

    fn cut(answer: &str) -> Vec<&str> {
        let (marks, quotes) = (citation_marks(answer), quoted_spans(answer));
        answer_sentences(answer, &marks, &quotes).into_iter().map(|range| &answer[range]).collect()
    }

    #[test]
    fn a_mark_belongs_to_its_sentence_before_and_behind_the_full_stop() {
        assert_eq!(
            cut("A firm must. [P1] It may [P2]. It can [P3][P4]."),
            ["A firm must. [P1]", "It may [P2].", "It can [P3][P4]."]
        );
        assert_eq!(cut("A firm must.[P1] It may.【P2】"), ["A firm must.[P1]", "It may.【P2】"]);
        assert_eq!(cut("应当报告。[P1]可以免除。[P2]"), ["应当报告。[P1]", "可以免除。[P2]"]);
        assert_eq!(cut("[P1] says so. The rest."), ["[P1] says so.", "The rest."]);
        assert_eq!(cut("It is “… as agreed …” [P1]. Next."), ["It is “… as agreed …” [P1].", "Next."]);
        assert_eq!(cut("It is “as agreed …” [P1][P2]. Next."), ["It is “as agreed …” [P1][P2].", "Next."]);
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
    fn a_list_item_with_its_marks_at_the_end_is_one() {
        assert_eq!(
            cut("- First. Second. [P1]\n- Third [P2]. Fourth [P3]."),
            ["- First. Second. [P1]", "- Third [P2].", "Fourth [P3]."]
        );
        assert_eq!(cut("1. First. Second. [P1]\n2. Third."), ["1. First. Second. [P1]", "2. Third."]);
    }
}
