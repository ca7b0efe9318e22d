//! Marked content: what a sequence says about the text in it, and the text that stands in for it.

use std::collections::BTreeMap;

use document::Run;
use lopdf::{Dictionary, Object};

use super::{Interpreter, MAX_MARKED, Scope};
use crate::lexer::Operand;
use crate::objects::{as_dict, integer, text_string};

/// Bytes read of one replacement text.
const MAX_ACTUAL: usize = 8_192;
/// Text that an empty replacement may take away, in characters: a hyphen, a leader, an ornament.
const MAX_ERASED: usize = 3;

/// What holds for text inside a sequence, with what the sequences around it say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) mcid: Option<u32>,
    pub(super) artifact: bool,
    /// It belongs to a layer that is off.
    pub(super) hidden: bool,
    /// A sequence around it has a text of its own: those inside are part of what that replaces.
    pub(super) replaced: bool,
}

/// An open sequence.
pub(super) struct Sequence {
    pub(super) mark: Mark,
    /// What stands in for its text, and the first run of it.
    actual: Option<(String, usize)>,
}

impl<'a> Interpreter<'a, '_> {
    pub(super) fn begin_marked(&mut self, operands: &mut [Operand], scope: &mut Scope<'a>) {
        if scope.marked.len() >= MAX_MARKED {
            scope.unmarked += 1;
            return;
        }
        let objects = self.objects;
        let mut mark = scope.mark();
        let mut actual = None;
        let tag = match operands {
            [.., Operand::Name(tag), Operand::Name(_) | Operand::Dictionary(_)]
            | [.., Operand::Name(tag)] => tag.clone(),
            _ => Vec::new(),
        };
        match operands {
            [.., Operand::Name(_), Operand::Dictionary(list)] => {
                let id = list.get(b"MCID").ok().and_then(integer).and_then(|id| u32::try_from(id).ok());
                mark.mcid = id.map(|id| scope.id_base.saturating_add(id)).or(mark.mcid);
                actual = list.get(b"ActualText").ok().and_then(actual_text);
            }
            [.., Operand::Name(_), Operand::Name(name)] => {
                let lists = scope.resources.and_then(|resources| objects.dict(resources, b"Properties"));
                if let Some(list) = lists.and_then(|lists| lists.get(name).ok()) {
                    if tag == b"OC" {
                        mark.hidden |= self.layers.hide(&objects, list);
                    }
                    let list: Option<&'a Dictionary> = as_dict(objects.resolve(list));
                    let id = list.and_then(|list| objects.integer(list, b"MCID"));
                    let id = id.and_then(|id| u32::try_from(id).ok());
                    mark.mcid = id.map(|id| scope.id_base.saturating_add(id)).or(mark.mcid);
                    actual = list.and_then(|list| objects.get(list, b"ActualText")).and_then(actual_text);
                }
            }
            _ => {}
        }
        mark.artifact |= tag == b"Artifact";
        let actual = actual.filter(|_| !mark.replaced).map(|text| (text, self.runs.runs.len()));
        mark.replaced |= actual.is_some();
        scope.marked.push(Sequence { mark, actual });
    }

    pub(super) fn end_marked(&mut self, scope: &mut Scope<'a>) {
        if let Some(left) = scope.unmarked.checked_sub(1) {
            scope.unmarked = left;
            return;
        }
        let Some(Sequence { actual: Some((text, first)), .. }) = scope.marked.pop() else { return };
        let drawn = self.runs.runs.split_off(first.min(self.runs.runs.len()));
        let before: usize = drawn.iter().map(|run| run.text.len()).sum();
        let replaced = replace(drawn, &text);
        let after: usize = replaced.iter().map(|run| run.text.len()).sum();
        self.runs.characters += after.saturating_sub(before);
        self.runs.runs.extend(replaced);
    }
}

/// The text of an `ActualText` entry, without controls.
pub(crate) fn actual_text(object: &Object) -> Option<String> {
    let bytes = object.as_str().ok()?;
    let text = text_string(bytes.get(..MAX_ACTUAL.min(bytes.len()))?);
    Some(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}

/// The runs with `text` in place of theirs. Runs on one line become one; over several lines the file's own
/// text is kept where it can be read, for nothing says which word of the replacement stands where.
fn replace(drawn: Vec<Run>, text: &str) -> Vec<Run> {
    let shown = || drawn.iter().flat_map(|run| run.text.chars()).filter(|c| !c.is_whitespace());
    let wanted = || text.chars().filter(|c| !c.is_whitespace());
    // Small capitals are often typed as small letters: what is printed stays.
    let upper = |c: char| c.to_uppercase();
    if drawn.is_empty() || shown().flat_map(upper).eq(wanted().flat_map(upper)) {
        return drawn;
    }
    // A hyphen at the end of a line, said to be a soft one: producers guess, and guess wrong for compounds.
    // Layout decides by the words.
    let hyphen = |c: char| matches!(c, '-' | '\u{AD}' | '\u{2010}' | '\u{2011}');
    if wanted().all(hyphen) && shown().all(hyphen) {
        return drawn;
    }
    if wanted().next().is_none() {
        // Some producers write an empty replacement around whole paragraphs: only trifles are taken away.
        let trifle =
            shown().take(MAX_ERASED + 1).count() <= MAX_ERASED || !shown().any(char::is_alphanumeric);
        return if trifle { Vec::new() } else { drawn };
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

/// Puts the texts of structure elements in place of the runs of their marked content, given by ascending ids.
/// Content that other content interrupts is left alone: its runs are not one piece of the page.
pub(crate) fn replace_marked(runs: &mut Vec<Run>, texts: &[(Vec<u32>, &str)]) {
    if texts.is_empty() {
        return;
    }
    let text_of: BTreeMap<u32, usize> =
        texts.iter().enumerate().flat_map(|(idx, (ids, _))| ids.iter().map(move |&id| (id, idx))).collect();
    let of = |run: &Run| run.mcid.and_then(|id| text_of.get(&id).copied());
    // Of each text how many stretches of runs there are.
    let mut stretches: BTreeMap<usize, usize> = BTreeMap::new();
    let mut last = None;
    for run in runs.iter() {
        let text = of(run);
        if let Some(text) = text.filter(|_| text != last) {
            *stretches.entry(text).or_default() += 1;
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
        let text = of(&run).filter(|text| stretches.get(text) == Some(&1));
        if text != current {
            done.extend(close(std::mem::take(&mut open), current));
            current = text;
        }
        open.push(run);
    }
    done.extend(close(open, current));
    *runs = done;
}

/// One run over all of these with this text. Characters that begin or end both texts keep their places; the
/// others share what lies between.
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
    let new: Vec<char> = text.chars().collect();
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
