//! Provisions whose number runs into their text: "第十九条 董事会…", "11.2.1 An Authorised Person must…".
//!
//! A paragraph that begins with a number opens a provision when the number belongs to a sequence: its
//! neighbour of the same numbering counts on from it. So a sentence that happens to begin with "Section 7.1"
//! opens nothing, and neither does a lone figure. Bare numbers ("1.", "2.") are the numbering of lists too:
//! they count only where the document has no other provisions, and where they run on instead of starting
//! again every few items. Cost: linear; each candidate is compared with two neighbours on either side.

use document::{BlockKind, Layout, OrNever as _, Role, Slice as _, TextRange};

use crate::numbering::{self, Kind, Number};

/// A paragraph that opens a provision.
pub(crate) struct RunInProvision {
    /// The position of its block.
    pub(crate) block: usize,
    /// The number and the run-in heading.
    pub(crate) range: TextRange,
    /// The number.
    pub(crate) number: Number,
}

/// Fewest provisions of a kind that make a sequence.
const MIN_SEQUENCE: usize = 2;
/// Fewest bare numbers that make one.
const MIN_BARE: usize = 5;
/// Mean bytes from one bare number to the next, above which they number provisions, not items of a list.
const MIN_BARE_SPACING: usize = 160;
/// Least share of the text, in percent, that bare numbers run through when they number provisions.
const MIN_BARE_REACH: usize = 40;
/// Most numbers that a sequence may leave out in one step (repealed, reserved).
const MAX_STEP: u32 = 4;
/// Most numbers that a code may leave out in one step: its sections are numbered with gaps.
const MAX_STEP_OF_CODE: u32 = 50;
/// Longest run-in heading in bytes.
const MAX_RUN_IN: usize = 110;
/// Most words of a phrase that is a heading by itself.
const MAX_PHRASE: usize = 12;
/// Longest line of a table of contents in bytes, and fewest such lines in a row.
const CONTENTS_LINE: usize = 110;
const MIN_CONTENTS: usize = 4;

struct Candidate {
    block: usize,
    number: Number,
    in_heading: bool,
    bytes: usize,
    dropped: bool,
}

/// The run-in provisions of a document in reading order.
pub(crate) fn find(layout: &Layout) -> Vec<RunInProvision> {
    let mut candidates = candidates(layout);
    drop_contents(layout, &mut candidates);
    let mut accepted = vec![false; candidates.len()];
    let mut n_provisions = 0;
    for group in
        [Kind::Tiao, Kind::Article, Kind::Section, Kind::Rule, Kind::Sign, Kind::Decimal, Kind::Chapter]
    {
        let n = accept(&candidates, |kind| family(kind) == group, &mut accepted, MIN_SEQUENCE);
        n_provisions += if group == Kind::Chapter { 0 } else { n };
    }
    if n_provisions < 3 {
        accept_bare(layout, &candidates, &mut accepted);
    }
    candidates
        .into_iter()
        .zip(accepted)
        .filter(|(candidate, accepted)| *accepted && !candidate.in_heading)
        .filter_map(|(candidate, _)| {
            let block = layout.blocks.get(candidate.block)?;
            let text = layout.slice(block.range);
            let start = block.range.start as usize;
            let range = TextRange::new(start, start + heading_end(text, &candidate.number));
            Some(RunInProvision { block: candidate.block, range, number: candidate.number })
        })
        .collect()
}

/// The kinds that share a sequence: 章, 节, 编 stand for each other as containers.
fn family(kind: Kind) -> Kind {
    match kind {
        Kind::Book | Kind::Part | Kind::Subpart | Kind::Division => Kind::Chapter,
        kind => kind,
    }
}

fn candidates(layout: &Layout) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (at, block) in layout.blocks.iter().enumerate() {
        let in_heading = block.kind == BlockKind::Heading;
        let readable =
            matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem) && block.role == Role::Body;
        if !(in_heading || readable) {
            continue;
        }
        let text = layout.slice(block.range);
        let Some(number) = numbering::parse(text) else { continue };
        if in_heading || opens(&number, text) {
            found.push(Candidate { block: at, number, in_heading, bytes: text.len(), dropped: false });
        }
    }
    found
}

/// True if what follows the number can be the text of a provision.
fn opens(number: &Number, text: &str) -> bool {
    let rest = text.slice(number.end..).trim_start_matches([' ', '\u{2014}', '\u{2013}']);
    let Some(next) = rest.chars().next() else { return number.kind.is_named() };
    let leader =
        text.contains("....") || text.contains(". . . .") || text.contains('…') && text.len() < CONTENTS_LINE;
    let fresh = next.is_uppercase() || matches!(next, '(' | '[' | '“' | '"' | '‘') || text::is_cjk(next);
    match number.kind {
        _ if leader => false,
        Kind::Tiao => number.closed || !"规的、和至到所中及或之以与，。；第".contains(next),
        Kind::Book | Kind::Part | Kind::Subpart | Kind::Chapter | Kind::Division => {
            text.starts_with('第') && text.len() < CONTENTS_LINE && !text.ends_with(['。', '；', '，'])
        }
        Kind::Article | Kind::Section | Kind::Rule | Kind::Sign => {
            fresh || number.closed && !next.is_lowercase() && !next.is_ascii_digit()
        }
        Kind::Decimal => fresh && number.values.first().is_some_and(|&first| first < 1_000),
        Kind::Arabic => fresh && number.closed && number.last() < 1_000,
        _ => false,
    }
}

/// Takes out the lines of a table of contents: many numbered lines in a row, none with a sentence.
fn drop_contents(layout: &Layout, candidates: &mut [Candidate]) {
    let is_line = |candidate: &Candidate| {
        let text = layout
            .blocks
            .get(candidate.block)
            .map(|block| layout.slice(block.range))
            .or_never("the block of a candidate");
        candidate.bytes <= CONTENTS_LINE
            && !candidate.in_heading
            && !text.ends_with(['.', ';', '。', '；', ':', '：'])
    };
    let mut start = 0;
    while start < candidates.len() {
        let mut end = start;
        while let Some(candidate) = candidates.get(end)
            && is_line(candidate)
            && (end == start
                || candidates.get(end - 1).is_some_and(|before| before.block + 1 == candidate.block))
        {
            end += 1;
        }
        if end - start >= MIN_CONTENTS {
            for candidate in candidates.iter_mut().take(end).skip(start) {
                candidate.dropped = true;
            }
        }
        start = end.max(start + 1);
    }
}

/// Accepts the candidates of a group that a neighbour counts on from; returns how many.
fn accept(
    candidates: &[Candidate],
    in_group: impl Fn(Kind) -> bool,
    accepted: &mut [bool],
    min: usize,
) -> usize {
    let members: Vec<usize> = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| !candidate.dropped && in_group(candidate.number.kind))
        .map(|(at, _)| at)
        .collect();
    let number =
        |i: usize| members.get(i).and_then(|&at| candidates.get(at)).map(|candidate| &candidate.number);
    let linked = |a: usize, b: usize| match (number(a), number(b)) {
        (Some(a), Some(b)) => counts_on(a, b),
        _ => false,
    };
    let chosen: Vec<usize> = (0..members.len())
        .filter(|&i| {
            (1..=2).any(|step| i >= step && linked(i - step, i)) || (1..=2).any(|step| linked(i, i + step))
        })
        .filter_map(|i| members.get(i).copied())
        .collect();
    if chosen.len() < min {
        return 0;
    }
    for &at in &chosen {
        if let Some(slot) = accepted.get_mut(at) {
            *slot = true;
        }
    }
    chosen.len()
}

/// Bare numbers: accepted all together or not at all. They number provisions when they seldom start again, and
/// either most of them stand below a heading of their own, or they stand far apart and run through most of the
/// text.
fn accept_bare(layout: &Layout, candidates: &[Candidate], accepted: &mut [bool]) {
    let mut trial = vec![false; candidates.len()];
    let n = accept(candidates, |kind| kind == Kind::Arabic, &mut trial, MIN_SEQUENCE);
    let chosen: Vec<&Candidate> = candidates
        .iter()
        .zip(&trial)
        .filter(|(_, chosen)| **chosen)
        .map(|(candidate, _)| candidate)
        .collect();
    let n_restarts = chosen.iter().filter(|candidate| candidate.number.last() == 1).count();
    let at = |candidate: Option<&&Candidate>| {
        candidate
            .and_then(|candidate| layout.blocks.get(candidate.block))
            .map_or(0, |block| block.range.start as usize)
    };
    let reach = at(chosen.last()).saturating_sub(at(chosen.first()));
    let through = reach * 100 >= layout.text.len() * MIN_BARE_REACH;
    // Under a heading each, they are provisions whose headings stand above their numbers.
    let is_headed = |candidate: &&&Candidate| {
        let above = candidate.block.checked_sub(1).and_then(|above| layout.blocks.get(above));
        above.is_some_and(|above| {
            above.kind == BlockKind::Heading && numbering::parse(layout.slice(above.range)).is_none()
        })
    };
    let n_headed = chosen.iter().filter(is_headed).count();
    let are_headed = n >= MIN_SEQUENCE && n_headed * 5 >= n * 3;
    let are_spaced = n >= MIN_BARE && reach >= n * MIN_BARE_SPACING && through;
    if (are_headed || are_spaced) && n_restarts <= 1 + n / 12 {
        for (slot, chosen) in accepted.iter_mut().zip(trial) {
            *slot |= chosen;
        }
    }
}

/// True if `next` follows `last` in a numbering: 3.2.1 → 3.2.2, 3.3, 3.3.1, 4.1, 3.2.1.1; 12 → 12A, 13.
pub(crate) fn counts_on(last: &Number, next: &Number) -> bool {
    let (a, b) = (&last.values, &next.values);
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let step = if next.kind == Kind::Sign { MAX_STEP_OF_CODE } else { MAX_STEP };
    let fresh = |values: &[u32]| values.iter().all(|&value| value <= 1);
    match (a.get(same), b.get(same)) {
        (Some(x), Some(y)) => *y > *x && *y <= x + step && fresh(b.slice(same + 1..)),
        (None, Some(_)) => b.len() == same + 1 && b.last().is_some_and(|&value| value <= 2),
        (None, None) => next.suffix > last.suffix,
        (Some(_), None) => false,
    }
}

/// End of the run-in heading: after the number and a short title that a stop or dash closes.
fn heading_end(text: &str, number: &Number) -> usize {
    let label_end = number.end.min(text.len());
    let rest = text.slice(label_end..);
    let gap = rest.len() - rest.trim_start().len();
    let title = rest.trim_start();
    let bracketed = title.starts_with(['【', '〔']).then(|| title.find(['】', '〕'])).flatten();
    if let Some(close) = bracketed.map(|at| at + '】'.len_utf8()).filter(|&close| close <= MAX_RUN_IN) {
        return label_end + gap + close;
    }
    let limit = title.floor_char_boundary(MAX_RUN_IN);
    let head = title.slice(..limit);
    let ends = [". ", ".\u{2014}", ".\u{2013}", "\u{2014}", ": "];
    let close = ends
        .iter()
        .filter_map(|end| head.find(end).map(|at| (at, usize::from(!end.starts_with('\u{2014}')))))
        .min();
    match close.and_then(|(at, n)| head.get(..at).map(|phrase| (phrase, at + n))) {
        Some((phrase, end)) if is_title(phrase) => label_end + gap + end,
        // A phrase alone in its paragraph is all heading.
        _ if is_phrase(text, title) => text.len(),
        _ => text
            .get(..label_end)
            .map_or(label_end, |label| label.trim_end_matches(['—', '–', ':', '：']).len()),
    }
}

/// True if the paragraph `text`, `title` after its number, is a short phrase: no sentence, and nothing that a
/// second number opens ("1.1.1 (1) This Rulebook…").
fn is_phrase(text: &str, title: &str) -> bool {
    text.len() <= MAX_RUN_IN
        && !text.ends_with(['.', ';', ',', ':', '—', '–', '。', '；', '，', '：'])
        && title.strip_prefix('(').and_then(|rest| rest.find(')')).is_none_or(|end| end > 4)
        && title.split_whitespace().count() <= MAX_PHRASE
}

/// True if a phrase is set as a title: it begins with a capital, and so do all its longer words.
fn is_title(phrase: &str) -> bool {
    let mut words = phrase.split_whitespace();
    words.clone().count() <= 12
        && phrase.starts_with(char::is_uppercase)
        && words.all(|word| word.chars().count() <= 4 || !word.starts_with(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_counts_on() {
        let number = |text: &str| numbering::parse(text).unwrap();
        let yes = [
            ("3.2.1 A", "3.2.2 A"),
            ("3.2.1 A", "3.3 A"),
            ("3.2.1 A", "3.3.1 A"),
            ("3.2.1 A", "4.1.1 A"),
            ("3.2 A", "3.2.1 A"),
            ("12. A", "13. A"),
            ("12. A", "12A. A"),
            ("第十九条 ", "第二十条 "),
            ("第十九条 ", "第十九条之一 "),
        ];
        for (a, b) in yes {
            assert!(counts_on(&number(a), &number(b)), "{a} → {b}");
        }
        for (a, b) in
            [("3.2.1 A", "3.2.1 A"), ("3.2.2 A", "3.2.1 A"), ("3.2.1 A", "9.1 A"), ("3.2 A", "3.2.7 A")]
        {
            assert!(!counts_on(&number(a), &number(b)), "{a} → {b}");
        }
    }

    #[test]
    fn run_in_headings_end_at_their_stop() {
        let cases = [
            ("Section 7.1. Termination. Either party may end it.", "Section 7.1. Termination."),
            ("7.1 Either party may end it. The other may not.", "7.1"),
            ("Section 7.1 Notices to the Parties.—Any notice", "Section 7.1 Notices to the Parties."),
            ("第十九条 董事会应当对公司负责。", "第十九条"),
            ("第十九条 【职责】董事会应当对公司负责。", "第十九条 【职责】"),
            ("11.2 Disclosure of Interests", "11.2 Disclosure of Interests"),
            ("5. In these Regulations—", "5."),
            ("1.1.1 (1) This Rule applies to every Firm that", "1.1.1"),
            ("1.1.2 This Rule applies to every Firm that carries on a Service in or from the", "1.1.2"),
        ];
        for (text, expected) in cases {
            let number = numbering::parse(text).unwrap();
            assert_eq!(&text[..heading_end(text, &number)], expected);
        }
    }
}
