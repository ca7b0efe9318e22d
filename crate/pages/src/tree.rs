//! The page tree: which pages the file has, in order, with what they inherit from their ancestors.
//!
//! Inherited resources are kept as the id of the ancestor that has them, never copied: a large dictionary at
//! the root would otherwise be held once a page.

use std::collections::BTreeSet;

use document::PageGeometry;
use lopdf::{Dictionary, Object, ObjectId};

use crate::objects::{Objects, as_dict, integer, number, reference, rotation};

/// How deep the tree may nest.
const MAX_DEPTH: usize = 64;
/// US Letter, for pages without a usable box.
const DEFAULT_BOX: [f64; 4] = [0.0, 0.0, 612.0, 792.0];
/// The largest coordinate that is taken as meant, in points.
const MAX_COORDINATE: f64 = 1e6;
/// The longest side that is taken as meant: seven times the largest that the standard allows.
const MAX_SIDE: f64 = 1e5;

/// A page as found in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageNode {
    /// Its object.
    pub(crate) id: ObjectId,
    /// The object whose `Resources` it uses: its own or an ancestor's.
    pub(crate) resources: Option<ObjectId>,
    /// Size and rotation.
    pub(crate) geometry: PageGeometry,
}

/// What the walk found.
pub(crate) struct Pages {
    pub(crate) nodes: Vec<PageNode>,
    /// There were more pages than the limit.
    pub(crate) too_many: bool,
    /// The tree led to no page, and every page object of the file was taken instead.
    pub(crate) recovered: bool,
}

/// Walks the tree under the catalog. Where it holds no page, every tree of the file counts, and where there is
/// none, every page object, in the order of object numbers.
pub(crate) fn pages(objects: &Objects<'_>, catalog: Option<&Dictionary>) -> Pages {
    let mut walk = Walk { objects: *objects, seen: BTreeSet::new(), nodes: Vec::new(), too_many: false };
    if let Some(root) = catalog.and_then(|catalog| catalog.get(b"Pages").ok()) {
        walk.visit(root, Inherited::default(), 0);
    }
    let recovered = walk.nodes.is_empty();
    if recovered {
        walk.seen.clear();
        // Roots of trees first, for they know the order.
        walk.visit_all(|dict| dict.has_type(b"Pages") && !dict.has(b"Parent"));
        if walk.nodes.is_empty() {
            walk.seen.clear();
            walk.visit_all(|dict| dict.has_type(b"Page"));
        }
    }
    Pages { nodes: walk.nodes, too_many: walk.too_many, recovered }
}

/// What a page takes from its ancestors where it has none of its own (ISO 32000-1, 7.7.3.4).
#[derive(Clone, Copy, Default)]
struct Inherited {
    resources: Option<ObjectId>,
    media: Option<[f64; 4]>,
    crop: Option<[f64; 4]>,
    rotate: Option<i64>,
}

struct Walk<'a> {
    objects: Objects<'a>,
    seen: BTreeSet<ObjectId>,
    nodes: Vec<PageNode>,
    too_many: bool,
}

impl Walk<'_> {
    fn visit_all(&mut self, wanted: impl Fn(&Dictionary) -> bool) {
        let objects = self.objects;
        for (id, object) in &objects.document.objects {
            if as_dict(object).is_some_and(&wanted) {
                self.visit(&Object::Reference(*id), Inherited::default(), 0);
            }
        }
    }

    fn visit(&mut self, object: &Object, inherited: Inherited, depth: usize) {
        if depth > MAX_DEPTH || self.too_many {
            return;
        }
        let objects = self.objects;
        let id = reference(object);
        if id.is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        let found = id.and_then(|id| objects.document.objects.get(&id));
        // A root that is no reference is a copy here, so its kids are looked up through the catalog again.
        let root = || objects.document.catalog().ok().and_then(|catalog| objects.get(catalog, b"Pages"));
        let Some(dict) = found.map(|o| objects.resolve(o)).or_else(root).and_then(as_dict) else { return };
        let here = Inherited {
            resources: id.filter(|_| dict.has(b"Resources")).or(inherited.resources),
            media: page_box(&objects, dict, b"MediaBox").or(inherited.media),
            crop: page_box(&objects, dict, b"CropBox").or(inherited.crop),
            rotate: objects.get(dict, b"Rotate").and_then(integer).or(inherited.rotate),
        };
        let kids = match dict.get(b"Kids") {
            Ok(kids) if !dict.has_type(b"Page") => match objects.resolve(kids) {
                Object::Array(kids) => kids.as_slice(),
                // A lost bracket leaves one kid by itself.
                Object::Dictionary(_) => std::slice::from_ref(kids),
                _ => return self.leaf(id, dict, here),
            },
            _ => return self.leaf(id, dict, here),
        };
        for kid in kids.iter().filter(|kid| reference(kid).is_some()) {
            self.visit(kid, here, depth + 1);
        }
    }

    fn leaf(&mut self, id: Option<ObjectId>, dict: &Dictionary, inherited: Inherited) {
        let Some(id) = id else { return };
        if dict.has_type(b"Pages") || dict.has_type(b"Catalog") {
            return;
        }
        if self.nodes.len() >= self.objects.limits.pages {
            self.too_many = true;
            return;
        }
        let geometry = geometry(inherited.media, inherited.crop, inherited.rotate);
        self.nodes.push(PageNode { id, resources: inherited.resources, geometry });
    }
}

fn page_box<'a>(objects: &Objects<'a>, dict: &'a Dictionary, key: &[u8]) -> Option<[f64; 4]> {
    let [xa, ya, xb, yb] = match objects.array(dict, key)? {
        [xa, ya, xb, yb, ..] => [xa, ya, xb, yb],
        _ => return None,
    }
    .map(|object| number(objects.resolve(object)).map(|n| n.clamp(-MAX_COORDINATE, MAX_COORDINATE)));
    let (xa, ya, xb, yb) = (xa?, ya?, xb?, yb?);
    Some([xa.min(xb), ya.min(yb), xa.max(xb), ya.max(yb)]).filter(is_sensible)
}

/// CropBox cut to MediaBox, and Rotate. A box without area or of absurd size falls back to the other one, then
/// to Letter.
fn geometry(media: Option<[f64; 4]>, crop: Option<[f64; 4]>, rotate: Option<i64>) -> PageGeometry {
    let media = media.or(crop).unwrap_or(DEFAULT_BOX);
    let cut = |crop: [f64; 4]| {
        [crop[0].max(media[0]), crop[1].max(media[1]), crop[2].min(media[2]), crop[3].min(media[3])]
    };
    let crop = crop.map(cut).filter(is_sensible).unwrap_or(media);
    #[expect(clippy::cast_possible_truncation, reason = "clamped to a million points")]
    let crop = crop.map(|c| c as f32);
    PageGeometry { crop, rotation: rotation(rotate.unwrap_or(0)) }
}

fn is_sensible([left, bottom, right, top]: &[f64; 4]) -> bool {
    (0.1..MAX_SIDE).contains(&(right - left)) && (0.1..MAX_SIDE).contains(&(top - bottom))
}
