//! Names, dates and amounts by rule.
//!
//! Each kind has its own file and looks only at what opens it: a digit or a month for dates, a currency or a
//! unit for amounts, a last word ("Authority", "Ltd", 有限公司) for names; the titles of instruments are
//! `text::reference`'s. What two kinds claim goes to the longer. A name that no rule is sure of is left out.
//! Cost: linear in the text.

mod amounts;
mod dates;
mod names;

use document::{Entity, EntityKind, Layout, TextRange};
use text::reference::instruments;

/// The entities of the text, in its order; they do not overlap.
pub(crate) fn collect(layout: &Layout) -> Vec<Entity> {
    let text = layout.text.as_str();
    let mut found: Vec<Entity> = instruments(text)
        .into_iter()
        .map(|mention| entity(EntityKind::Instrument, mention.range, mention.name))
        .collect();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\t']) {
        dates::scan(line, start, &mut found);
        amounts::scan(line, start, &mut found);
        names::scan(line, start, &mut found);
        start += line.len();
    }
    found.sort_by_key(|entity| (entity.range.start, u32::MAX - entity.range.end, entity.kind));
    let mut kept: Vec<Entity> = Vec::with_capacity(found.len());
    for entity in found {
        match kept.last_mut() {
            Some(last) if last.range.end > entity.range.start => {
                if entity.range.len() > last.range.len() {
                    *last = entity;
                }
            }
            _ => kept.push(entity),
        }
    }
    kept
}

fn entity(kind: EntityKind, range: std::ops::Range<usize>, value: String) -> Entity {
    Entity { kind, range: TextRange::new(range.start, range.end), value }
}
