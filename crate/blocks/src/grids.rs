//! Grids: rules that cross, from which ruled tables are read.
//!
//! Rules on one line are put together, then those that touch make components; the places of a component's rules
//! cut it into elementary cells.
//!
//! Cost: rules across times rules down of a page, both capped.

use document::Rect;

use crate::disjoint_sets::DisjointSets;
use crate::page::Grid;

/// Rules of one direction on a page beyond which no grid is looked for.
const MAX_RULES: usize = 600;
/// Places of rules in one grid beyond which it is none.
const MAX_PLACES: usize = 400;
/// Elementary cells beyond which it is none.
const MAX_CELLS: usize = 10_000;

/// The grids that these rules make.
pub(crate) fn find(across: &[Rect], down: &[Rect]) -> Vec<Grid> {
    let across = joined(across, false);
    let down = joined(down, true);
    if down.is_empty() || across.len() < 2 || across.len() > MAX_RULES || down.len() > MAX_RULES {
        return Vec::new();
    }
    let mut sets = DisjointSets::new(across.len() + down.len());
    for (a, rule) in across.iter().enumerate() {
        for (d, other) in down.iter().enumerate() {
            let touches = rule.x0 - Grid::TOUCH <= other.x_mid()
                && other.x_mid() <= rule.x1 + Grid::TOUCH
                && other.y0 - Grid::TOUCH <= rule.y_mid()
                && rule.y_mid() <= other.y1 + Grid::TOUCH;
            if touches {
                sets.union(a, across.len() + d);
            }
        }
    }
    let roots = sets.roots();
    let mut grids = Vec::new();
    for root in (0..roots.len()).filter(|&i| roots.get(i) == Some(&i)) {
        let of_root = |from: usize, rules: &[Rect]| -> Vec<Rect> {
            let own = rules.iter().zip(roots.iter().skip(from)).filter(|(_, own)| **own == root);
            own.map(|(rule, _)| *rule).collect()
        };
        grids.extend(grid(of_root(0, &across), of_root(across.len(), &down)));
    }
    grids.sort_by(|a, b| a.rect.y0.total_cmp(&b.rect.y0).then(a.rect.x0.total_cmp(&b.rect.x0)));
    // A grid inside another is a part of a cell of it.
    let inside = |a: &Grid, b: &Grid| {
        a.rect.x0 >= b.rect.x0 - 1.0
            && a.rect.x1 <= b.rect.x1 + 1.0
            && a.rect.y0 >= b.rect.y0 - 1.0
            && a.rect.y1 <= b.rect.y1 + 1.0
            && a.rect.width() * a.rect.height() < 0.98 * b.rect.width() * b.rect.height()
    };
    let outer: Vec<bool> = grids.iter().map(|a| !grids.iter().take(64).any(|b| inside(a, b))).collect();
    let mut keep = outer.into_iter();
    grids.retain(|_| keep.next().unwrap_or(true));
    grids
}

fn grid(across: Vec<Rect>, down: Vec<Rect>) -> Option<Grid> {
    let rect = across.iter().chain(&down).copied().reduce(|a, b| a.union(&b))?;
    let mut xs: Vec<f32> = down.iter().map(Rect::x_mid).chain([rect.x0, rect.x1]).collect();
    let mut ys: Vec<f32> = across.iter().map(Rect::y_mid).chain([rect.y0, rect.y1]).collect();
    places(&mut xs);
    places(&mut ys);
    let is_grid = across.len() >= 2 && xs.len() >= 3 && ys.len() >= 2 && rect.height() > 12.0;
    (is_grid && xs.len() <= MAX_PLACES && ys.len() <= MAX_PLACES && xs.len() * ys.len() <= MAX_CELLS)
        .then_some(Grid { rect, xs, ys, across, down })
}

/// Sorts places and takes those together that are close.
fn places(values: &mut Vec<f32>) {
    values.sort_by(f32::total_cmp);
    values.dedup_by(|next, kept| *next - *kept < Grid::ONE_PLACE);
}

/// Rules that lie on one line and touch as one rule.
fn joined(rules: &[Rect], upright: bool) -> Vec<Rect> {
    let turned = |rule: &Rect| {
        if upright { Rect { x0: rule.y0, y0: rule.x0, x1: rule.y1, y1: rule.x1 } } else { *rule }
    };
    let mut turned_rules: Vec<Rect> = rules.iter().take(8 * MAX_RULES).map(turned).collect();
    turned_rules.sort_by(|a, b| a.y_mid().total_cmp(&b.y_mid()).then(a.x0.total_cmp(&b.x0)));
    let mut out: Vec<Rect> = Vec::new();
    let mut rest = turned_rules.as_mut_slice();
    while let Some(first) = rest.first() {
        let limit = first.y_mid() + 1.5;
        let n = rest.partition_point(|rule| rule.y_mid() <= limit).max(1);
        let (line, tail) = rest.split_at_mut(n);
        line.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let mut open: Option<Rect> = None;
        for rule in line.iter() {
            match &mut open {
                Some(last) if rule.x0 <= last.x1 + Grid::TOUCH => *last = last.union(rule),
                _ => out.extend(open.replace(*rule)),
            }
        }
        out.extend(open);
        rest = tail;
    }
    out.iter().map(turned).collect()
}
