//! Page tree: the pages of a file in order, with their inherited attributes (ISO 32000-1, 7.7.3).
//!
//! InheritedAttributes resources are kept as the id of the ancestor that has them. A copy would hold a large dictionary of the
//! root once per page.

use std::collections::BTreeSet;

use document::PageGeometry;
use lopdf::{Dictionary, Object, ObjectId};

use crate::objects::{Objects, as_dict, integer, number, reference, rotation};

/// Maximum depth of the tree.
const MAX_DEPTH: usize = 64;
/// US Letter, for pages without a usable box.
const DEFAULT_BOX: [f64; 4] = [0.0, 0.0, 612.0, 792.0];
/// Maximum coordinate of page boxes, in points.
const MAX_COORDINATE: f64 = 1e6;
/// Maximum side of a page in points: seven times the maximum of the specification.
const MAX_SIDE: f64 = 1e5;

/// Page of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageNode {
    /// Id of the page object.
    pub(crate) id: ObjectId,
    /// Object whose `Resources` it uses: the page or an ancestor.
    pub(crate) resources: Option<ObjectId>,
    /// Size and rotation.
    pub(crate) geometry: PageGeometry,
}

/// Pages of a file.
pub(crate) struct PageTree {
    pub(crate) nodes: Vec<PageNode>,
    /// True if the file has more pages than the limit.
    pub(crate) too_many: bool,
    /// True if the catalog led to no page and the page objects of the file were searched.
    pub(crate) recovered: bool,
}

/// Reads the page tree of the catalog. Without a page there, all page trees of the file are read, and without one of
/// them all page objects, in the order of object numbers.
pub(crate) fn page_tree(objects: &Objects<'_>, catalog: Option<&Dictionary>) -> PageTree {
    let mut walk =
        PageTreeWalk { objects: *objects, seen: BTreeSet::new(), nodes: Vec::new(), too_many: false };
    if let Some(root) = catalog.and_then(|catalog| catalog.get(b"Pages").ok()) {
        walk.visit(root, InheritedAttributes::default(), 0);
    }
    let recovered = walk.nodes.is_empty();
    if recovered {
        walk.seen.clear();
        // Roots of page trees come first: they know the order.
        walk.visit_all(|dict| dict.has_type(b"Pages") && !dict.has(b"Parent"));
        if walk.nodes.is_empty() {
            walk.seen.clear();
            walk.visit_all(|dict| dict.has_type(b"Page"));
        }
    }
    PageTree { nodes: walk.nodes, too_many: walk.too_many, recovered }
}

/// Attributes that a page inherits from its ancestors (ISO 32000-1, 7.7.3.4).
#[derive(Clone, Copy, Default)]
struct InheritedAttributes {
    resources: Option<ObjectId>,
    media: Option<[f64; 4]>,
    crop: Option<[f64; 4]>,
    rotate: Option<i64>,
}

struct PageTreeWalk<'a> {
    objects: Objects<'a>,
    seen: BTreeSet<ObjectId>,
    nodes: Vec<PageNode>,
    too_many: bool,
}

impl PageTreeWalk<'_> {
    fn visit_all(&mut self, wanted: impl Fn(&Dictionary) -> bool) {
        let objects = self.objects;
        for (id, object) in &objects.document.objects {
            if as_dict(object).is_some_and(&wanted) {
                self.visit(&Object::Reference(*id), InheritedAttributes::default(), 0);
            }
        }
    }

    fn visit(&mut self, object: &Object, inherited: InheritedAttributes, depth: usize) {
        if depth > MAX_DEPTH || self.too_many {
            return;
        }
        let objects = self.objects;
        let id = reference(object);
        if id.is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        let found = id.and_then(|id| objects.document.objects.get(&id));
        // A root that is no reference is a copy here, so its kids are read through the catalog.
        let root = || objects.document.catalog().ok().and_then(|catalog| objects.get(catalog, b"Pages"));
        let Some(dict) = found.map(|o| objects.resolve(o)).or_else(root).and_then(as_dict) else { return };
        let here = InheritedAttributes {
            resources: id.filter(|_| dict.has(b"Resources")).or(inherited.resources),
            media: page_box(&objects, dict, b"MediaBox").or(inherited.media),
            crop: page_box(&objects, dict, b"CropBox").or(inherited.crop),
            rotate: objects.get(dict, b"Rotate").and_then(integer).or(inherited.rotate),
        };
        let kids = match dict.get(b"Kids") {
            Ok(kids) if !dict.has_type(b"Page") => match objects.resolve(kids) {
                Object::Array(kids) => kids.as_slice(),
                // A lost bracket leaves a single kid.
                Object::Dictionary(_) => std::slice::from_ref(kids),
                _ => return self.leaf(id, dict, here),
            },
            _ => return self.leaf(id, dict, here),
        };
        for kid in kids.iter().filter(|kid| reference(kid).is_some()) {
            self.visit(kid, here, depth + 1);
        }
    }

    fn leaf(&mut self, id: Option<ObjectId>, dict: &Dictionary, inherited: InheritedAttributes) {
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

/// Geometry of a page: CropBox clipped to MediaBox, and Rotate. A box without area or of implausible size is replaced
/// by the other one, then by US Letter.
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
