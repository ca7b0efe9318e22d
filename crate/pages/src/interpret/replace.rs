//! Replacement text: `ActualText` in place of the text of runs.

use std::collections::BTreeMap;

use document::{Attestation, Run};

use super::script::is_rtl;
use crate::claims::{contradicts, says_same};

/// Maximum characters that an empty replacement removes: a hyphen, a leader, an ornament.
const MAX_ERASED: usize = 3;

/// Replaces the text of runs. Runs on one line become one. Runs on several lines keep their own text if all of it is
/// mapped, since the position of each word of the replacement is unknown.
pub(super) fn replace(mut drawn: Vec<Run>, text: &str) -> Vec<Run> {
    let shown = || drawn.iter().flat_map(|run| run.text.chars()).filter(|c| !c.is_whitespace());
    let wanted = || text.chars().filter(|c| !c.is_whitespace());
    // Small capitals are often typed as small letters: the text as printed is kept.
    let upper = |c: char| c.to_uppercase();
    let backwards = || text.chars().rev().filter(|c| !c.is_whitespace());
    // What a reader sees must not stand for what is hidden, nor the other way round.
    let is_mixed = drawn.windows(2).any(|pair| matches!(pair, [a, b] if a.visibility != b.visibility));
    if drawn.is_empty()
        || is_mixed
        || shown().flat_map(upper).eq(wanted().flat_map(upper))
        || text.chars().any(is_rtl) && shown().eq(backwards())
    {
        return drawn;
    }
    match judge(&drawn, text) {
        Claim::Unopposed => {}
        Claim::Rephrases => return drawn,
        Claim::Contradicts => {
            drawn.iter_mut().for_each(|run| run.attestation = Attestation::Differs);
            return drawn;
        }
    }
    // A hyphen at a line end, declared as a soft one: producers guess, and are wrong for compounds. Layout decides by
    // the words.
    let hyphen = |c: char| matches!(c, '-' | '\u{AD}' | '\u{2010}' | '\u{2011}');
    if wanted().all(hyphen) && shown().all(hyphen) {
        return drawn;
    }
    if wanted().next().is_none() {
        // Some producers write an empty replacement around whole paragraphs: only a few characters are removed.
        let is_minor =
            shown().take(MAX_ERASED + 1).count() <= MAX_ERASED || !shown().any(char::is_alphanumeric);
        return if is_minor { Vec::new() } else { drawn };
    }
    let one_line = drawn.windows(2).all(|pair| match pair {
        [a, b] => a.angle == b.angle && (a.baseline - b.baseline).abs() < 0.6 * a.size.0.max(b.size.0),
        _ => true,
    });
    if !one_line && !shown().any(|c| c == '\u{FFFD}') {
        return drawn;
    }
    merge(drawn, text).into_iter().collect()
}

/// Result of comparing a replacement with what is drawn.
enum Claim {
    /// It has the letters that are drawn, or nobody vouches for those.
    Unopposed,
    /// It writes out what is drawn.
    Rephrases,
    /// It says something else.
    Contradicts,
}

/// Compares a replacement with the text of runs, if the fonts vouch for it. What is printed then stays.
fn judge(drawn: &[Run], text: &str) -> Claim {
    let has_letters = |run: &&Run| run.text.contains(char::is_alphanumeric);
    let is_claimed = |run: &Run| run.attestation == Attestation::Claimed;
    let any_letters = drawn.iter().any(|run| has_letters(&run));
    if drawn.iter().filter(|run| !any_letters || has_letters(run)).any(is_claimed) {
        return Claim::Unopposed;
    }
    let texts: Vec<&str> = drawn.iter().map(|run| run.text.as_str()).collect();
    let (joined, spaced) = (texts.concat(), texts.join(" "));
    if says_same(text, &joined) {
        Claim::Unopposed
    } else if contradicts(text, &joined) && contradicts(text, &spaced) {
        Claim::Contradicts
    } else if joined.contains(char::is_alphanumeric) {
        Claim::Rephrases
    } else {
        Claim::Unopposed
    }
}

/// Replaces the text of marked content, each given by ascending ids with its text. Content whose runs are not
/// consecutive keeps its text.
pub(crate) fn replace_marked(runs: &mut Vec<Run>, texts: &[(Vec<u32>, &str)]) {
    if texts.is_empty() {
        return;
    }
    let text_of: BTreeMap<u32, usize> =
        texts.iter().enumerate().flat_map(|(idx, (ids, _))| ids.iter().map(move |&id| (id, idx))).collect();
    let of = |run: &Run| run.mcid.and_then(|id| text_of.get(&id).copied());
    // Number of consecutive groups of runs of each text.
    let mut groups: BTreeMap<usize, usize> = BTreeMap::new();
    let mut last = None;
    for run in runs.iter() {
        let text = of(run);
        if let Some(text) = text.filter(|_| text != last) {
            *groups.entry(text).or_default() += 1;
        }
        last = text;
    }
    let (mut done, mut open): (Vec<Run>, Vec<Run>) = (Vec::with_capacity(runs.len()), Vec::new());
    let mut current = None;
    let close = |open: Vec<Run>, current: Option<usize>| match current.and_then(|idx| texts.get(idx)) {
        Some((_, text)) => replace(open, text),
        None => open,
    };
    for run in std::mem::take(runs) {
        let text = of(&run).filter(|text| groups.get(text) == Some(&1));
        if text != current {
            done.extend(close(std::mem::take(&mut open), current));
            current = text;
        }
        open.push(run);
    }
    done.extend(close(open, current));
    *runs = done;
}

/// Merges runs into one with this text. Characters of a common prefix or suffix keep their edges; the others share the
/// space between evenly.
fn merge(mut drawn: Vec<Run>, text: &str) -> Option<Run> {
    let first = drawn.first()?;
    let angle = first.angle;
    let start = |run: &Run| match angle {
        45.0..135.0 => run.rect.y0,
        135.0..225.0 => -run.rect.x1,
        225.0..315.0 => -run.rect.y1,
        _ => run.rect.x0,
    };
    drawn.sort_by(|a, b| start(a).total_cmp(&start(b)));
    let origin = start(drawn.first()?);
    let (mut old, mut end): (Vec<(char, f32)>, f32) = (Vec::new(), 0.0);
    for run in &drawn {
        let offset = start(run) - origin;
        old.extend(run.text.chars().zip(run.edges.iter().map(|edge| offset + edge)));
        end = end.max(offset + run.edges.last().copied().unwrap_or(0.0));
    }
    let mut new: Vec<char> = text.chars().collect();
    if new.iter().copied().any(is_rtl) {
        // Runs go from left to right as shown, whatever their reading direction.
        new.reverse();
    }
    let head = old.iter().zip(&new).take_while(|((a, _), b)| a == *b).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|((a, _), b)| a == *b).count();
    let edge = |idx: usize| old.get(idx).map_or(end, |(_, edge)| *edge);
    let (from, to) = (edge(head), edge(old.len() - tail));
    let middle = new.len() - head - tail;
    let mut reached = 0.0f32;
    let mut edges: Vec<f32> = Vec::with_capacity(new.len() + 1);
    for idx in 0..=new.len() {
        #[expect(clippy::cast_precision_loss, reason = "a run has few characters")]
        let at = if idx < head {
            edge(idx)
        } else if idx < head + middle {
            from + (to - from) * (idx - head) as f32 / middle as f32
        } else {
            edge(old.len() + idx - new.len())
        };
        reached = reached.max(at);
        edges.push(reached);
    }
    let rect = drawn.iter().map(|run| run.rect).reduce(|a, b| a.union(&b))?;
    let mut run = drawn.into_iter().next()?;
    run.text = new.into_iter().collect();
    (run.edges, run.rect) = (edges, rect);
    Some(run)
}
