//! Page tree: the pages of a file in order, with their inherited attributes (ISO 32000-1, 7.7.3).
//!
//! Pages are those that a viewer counts: a page that is listed twice is two pages, and so is what a node that is listed
//! twice holds. Only a node among its own descendants is a loop.
//!
//! Inherited resources are kept as the id of the ancestor that has them. A copy would hold a large dictionary of the
//! root once per page.

use std::collections::BTreeMap;
use std::mem;

use document::{PageGeometry, PageId};
use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::Limits;
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
    /// First page with this page object.
    pub(crate) first: PageId,
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

/// Gives ids to the nodes that are written in place, in the catalog or among the kids of another node: pages, inherited
/// resources and destinations go by id. Nodes above the limit of pages stay as they are.
pub(crate) fn give_ids(document: &mut Document, limits: &Limits) {
    let Some(mut next) = document.objects.keys().next_back().and_then(|id| id.0.checked_add(1)) else {
        return;
    };
    let mut left = max_nodes(limits);
    let mut take = |object: &mut Object| {
        left = left.checked_sub(1)?;
        let id = (next, 0);
        next = next.checked_add(1)?;
        Some((id, mem::replace(object, Object::Reference(id))))
    };
    let root = document.catalog_mut().ok().and_then(|catalog| catalog.get_mut(b"Pages").ok());
    let root = root.filter(|root| matches!(root, Object::Dictionary(_))).and_then(&mut take);
    document.objects.extend(root);
    let mut holders: Vec<ObjectId> = document.objects.keys().copied().collect();
    while let Some(holder) = holders.pop() {
        let kids = match document.objects.get_mut(&holder) {
            Some(Object::Array(kids)) => kids,
            Some(Object::Dictionary(dict)) => match dict.get_mut(b"Kids") {
                Ok(Object::Array(kids)) => kids,
                _ => continue,
            },
            _ => continue,
        };
        let named: Vec<_> = kids.iter_mut().filter(|kid| is_node(kid)).map_while(&mut take).collect();
        holders.extend(named.iter().map(|(id, _)| *id));
        document.objects.extend(named);
    }
}

/// True for a page or an inner node that is written in place.
fn is_node(object: &Object) -> bool {
    matches!(object, Object::Dictionary(dict) if dict.has_type(b"Page") || dict.has_type(b"Pages"))
}

/// Maximum nodes of a page tree: a node that is listed twice counts each time, and a tree of such nodes that holds no
/// page would never end.
fn max_nodes(limits: &Limits) -> usize {
    limits.pages.saturating_mul(2).saturating_add(1_000)
}

/// Reads the page tree of the catalog. Without a page there, all page trees of the file are read, and without one of
/// them all page objects, in the order of object numbers.
pub(crate) fn page_tree(objects: &Objects<'_>, catalog: Option<&Dictionary>) -> PageTree {
    let mut walk = PageTreeWalk {
        objects: *objects,
        ancestors: Vec::new(),
        visits_left: max_nodes(objects.limits),
        first: BTreeMap::new(),
        nodes: Vec::new(),
        too_many: false,
    };
    if let Some(root) = catalog.and_then(|catalog| catalog.get(b"Pages").ok()) {
        walk.visit(root, InheritedAttributes::default());
    }
    let recovered = walk.nodes.is_empty();
    if recovered {
        // Roots of page trees come first: they know the order.
        walk.visit_all(|dict| dict.has_type(b"Pages") && !dict.has(b"Parent"));
        if walk.nodes.is_empty() {
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
    /// Nodes from the root to the one that is visited.
    ancestors: Vec<ObjectId>,
    visits_left: usize,
    /// First page of each page object.
    first: BTreeMap<ObjectId, PageId>,
    nodes: Vec<PageNode>,
    too_many: bool,
}

impl PageTreeWalk<'_> {
    fn visit_all(&mut self, wanted: impl Fn(&Dictionary) -> bool) {
        let objects = self.objects;
        for (id, object) in &objects.document.objects {
            if as_dict(object).is_some_and(&wanted) {
                self.visit(&Object::Reference(*id), InheritedAttributes::default());
            }
        }
    }

    fn visit(&mut self, object: &Object, inherited: InheritedAttributes) {
        let Some(id) = reference(object) else { return };
        if self.too_many || self.ancestors.len() > MAX_DEPTH || self.ancestors.contains(&id) {
            return;
        }
        let Some(left) = self.visits_left.checked_sub(1) else {
            self.too_many = true;
            return;
        };
        self.visits_left = left;
        let objects = self.objects;
        let found = objects.document.objects.get(&id);
        let Some(dict) = found.map(|object| objects.resolve(object)).and_then(as_dict) else { return };
        let here = InheritedAttributes {
            resources: dict.has(b"Resources").then_some(id).or(inherited.resources),
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
        self.ancestors.push(id);
        for kid in kids {
            self.visit(kid, here);
        }
        self.ancestors.pop();
    }

    fn leaf(&mut self, id: ObjectId, dict: &Dictionary, inherited: InheritedAttributes) {
        if dict.has_type(b"Pages") || dict.has_type(b"Catalog") {
            return;
        }
        if self.nodes.len() >= self.objects.limits.pages {
            self.too_many = true;
            return;
        }
        let geometry = geometry(inherited.media, inherited.crop, inherited.rotate);
        let first = *self.first.entry(id).or_insert(PageId::from_idx(self.nodes.len()));
        self.nodes.push(PageNode { id, first, resources: inherited.resources, geometry });
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
