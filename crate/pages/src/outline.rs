//! Outline items (bookmarks) with the page and position that each points to (ISO 32000-1, 12.3.3).

use std::collections::{BTreeMap, BTreeSet};

use document::{OutlineItem, PageId, Point};
use lopdf::{Dictionary, Object, ObjectId};

use crate::objects::{Objects, as_dict, number, reference};
use crate::page_tree::PageNode;

/// Maximum depth of the outline and of name trees.
const MAX_DEPTH: usize = 32;
/// Maximum nodes of the name tree.
const MAX_NAMES: usize = 200_000;

/// Outline items in document order.
pub(crate) fn outline(objects: &Objects<'_>, catalog: &Dictionary, pages: &[PageNode]) -> Vec<OutlineItem> {
    let Some(root) = objects.dict(catalog, b"Outlines") else { return Vec::new() };
    let page_of = pages.iter().map(|page| (page.id, page.first)).collect();
    let mut reader = OutlineReader {
        objects,
        catalog,
        pages,
        page_of,
        names: None,
        seen: BTreeSet::new(),
        items: Vec::new(),
    };
    reader.siblings(root, 1);
    reader.items
}

struct OutlineReader<'a, 'b> {
    objects: &'b Objects<'a>,
    catalog: &'b Dictionary,
    pages: &'b [PageNode],
    page_of: BTreeMap<ObjectId, PageId>,
    /// Named destinations, read when first needed.
    names: Option<BTreeMap<Vec<u8>, &'b Object>>,
    seen: BTreeSet<ObjectId>,
    items: Vec<OutlineItem>,
}

impl<'b> OutlineReader<'_, 'b> {
    fn siblings(&mut self, parent: &'b Dictionary, level: usize) {
        let mut next = parent.get(b"First").ok();
        while let Some(id) = next.and_then(reference) {
            if !self.seen.insert(id) || self.items.len() >= self.objects.limits.outline_items {
                return;
            }
            let objects = self.objects;
            let Some(item) = objects.document.objects.get(&id).map(|o| objects.resolve(o)).and_then(as_dict)
            else {
                return;
            };
            if let Some(title) = objects.text(item, b"Title") {
                let (page, y) = self.target(item).unwrap_or_default();
                self.items.push(OutlineItem {
                    title,
                    level: u8::try_from(level).unwrap_or(u8::MAX),
                    page,
                    y,
                });
            }
            if level < MAX_DEPTH {
                self.siblings(item, level + 1);
            }
            next = item.get(b"Next").ok();
        }
    }

    fn target(&mut self, item: &'b Dictionary) -> Option<(Option<PageId>, Option<f32>)> {
        let objects = self.objects;
        let destination = objects.get(item, b"Dest").or_else(|| {
            let action = objects.dict(item, b"A")?;
            (objects.name(action, b"S") == Some(b"GoTo")).then(|| objects.get(action, b"D"))?
        })?;
        self.destination(destination)
    }

    fn destination(&mut self, destination: &'b Object) -> Option<(Option<PageId>, Option<f32>)> {
        let mut destination = destination;
        if let Object::Name(name) | Object::String(name, _) = destination {
            let names = match &self.names {
                Some(names) => names,
                None => self.names.insert(named_destinations(self.objects, self.catalog)),
            };
            destination = names.get(name).copied()?;
        }
        if let Object::Dictionary(dict) = destination {
            destination = self.objects.get(dict, b"D")?;
        }
        let array = destination.as_array().ok()?;
        let page = match array.first()? {
            Object::Reference(id) => self.page_of.get(id).copied(),
            Object::Integer(n) => {
                usize::try_from(*n).ok().filter(|&n| n < self.pages.len()).map(PageId::from_idx)
            }
            _ => None,
        }?;
        let objects = self.objects;
        let coordinate = |idx: usize| array.get(idx).and_then(|object| number(objects.resolve(object)));
        let kind = array.get(1).and_then(|kind| kind.as_name().ok());
        let (x, y) = match kind {
            Some(b"XYZ") => (coordinate(2), coordinate(3)),
            Some(b"FitH" | b"FitBH") => (None, coordinate(2)),
            Some(b"FitR") => (coordinate(2), coordinate(5)),
            _ => (None, None),
        };
        #[expect(clippy::cast_possible_truncation, reason = "positions on a page")]
        let y = y.zip(self.pages.get(page.idx())).map(|(y, node)| {
            let Point { y, .. } = node.geometry.to_shown(x.unwrap_or(0.0) as f32, y as f32);
            y
        });
        Some((Some(page), y.filter(|y| y.is_finite())))
    }
}

/// Named destinations of the name tree `Names/Dests` and of the older dictionary `Dests`.
fn named_destinations<'b>(objects: &Objects<'b>, catalog: &'b Dictionary) -> BTreeMap<Vec<u8>, &'b Object> {
    let mut names = BTreeMap::new();
    if let Some(old) = objects.dict(catalog, b"Dests") {
        for (name, value) in old.iter().take(MAX_NAMES) {
            names.insert(name.clone(), objects.resolve(value));
        }
    }
    let root = objects.dict(catalog, b"Names").and_then(|names| objects.dict(names, b"Dests"));
    let mut stack: Vec<(&Dictionary, usize)> = root.map(|root| (root, 0)).into_iter().collect();
    let mut budget = MAX_NAMES;
    while let Some((node, depth)) = stack.pop() {
        let pairs = objects.array(node, b"Names").unwrap_or_default().chunks_exact(2);
        for pair in pairs {
            if let [key, value] = pair
                && let Object::String(name, _) = objects.resolve(key)
                && names.len() < MAX_NAMES
            {
                names.insert(name.clone(), objects.resolve(value));
            }
        }
        if depth < MAX_DEPTH {
            for kid in objects.array(node, b"Kids").unwrap_or_default() {
                let Some(left) = budget.checked_sub(1) else { return names };
                budget = left;
                stack.extend(as_dict(objects.resolve(kid)).map(|kid| (kid, depth + 1)));
            }
        }
    }
    names
}
