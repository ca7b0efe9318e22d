//! The structure tree of a tagged file (ISO 32000-2, 14.7 and 14.8): what each piece of marked content is, and
//! the text that an element says stands for its content.
//!
//! The tree is walked once from its root, with what is above handed down: the innermost element that layout has
//! a use for, and the page. A paragraph inside a cell, an item, a note or the like counts as that, not as a
//! paragraph. Cycles, depth and size are bounded; the walk is linear in the tree.

use std::collections::{BTreeMap, BTreeSet};

use document::{PageId, Tag, TagKind};
use lopdf::{Dictionary, Object, ObjectId};

use crate::interpret::actual_text;
use crate::objects::{Objects, integer, reference};
use crate::tree::PageNode;

/// How deep elements may nest.
const MAX_DEPTH: usize = 128;
/// Children that are looked at.
const MAX_KIDS: usize = 4_000_000;
/// Tags that are kept.
const MAX_TAGS: usize = 2_000_000;
/// Names in a row that the role map may lead through.
const MAX_ROLES: usize = 8;
/// Replacement texts that are kept.
const MAX_TEXTS: usize = 100_000;

/// What the tree says, by the page or the form in which the marked content stands.
#[derive(Default)]
pub(crate) struct Structure {
    pub(crate) pages: BTreeMap<PageId, Content>,
    pub(crate) forms: BTreeMap<ObjectId, Content>,
}

/// What the tree says of the marked content of one stream.
#[derive(Default)]
pub(crate) struct Content {
    pub(crate) tags: BTreeMap<u32, Tag>,
    /// Marked content, by ascending id, that one element replaces by a text of its own.
    pub(crate) texts: Vec<(Vec<u32>, String)>,
}

impl Structure {
    /// Reads the tree under the catalog.
    pub(crate) fn read<'a>(objects: &Objects<'a>, catalog: &'a Dictionary, pages: &[PageNode]) -> Self {
        let Some(root) = objects.dict(catalog, b"StructTreeRoot") else { return Self::default() };
        let page_of = pages.iter().enumerate().map(|(idx, page)| (page.id, PageId::from_idx(idx))).collect();
        let mut walk = Walk {
            objects,
            roles: objects.dict(root, b"RoleMap"),
            page_of,
            seen: BTreeSet::new(),
            kids_left: MAX_KIDS,
            tags_left: MAX_TAGS,
            texts_left: MAX_TEXTS,
            elements: 0,
            found: Self::default(),
        };
        if let Ok(kids) = root.get(b"K") {
            walk.kids(kids, Above::default(), 0, &mut None);
        }
        walk.found
    }
}

/// What holds for the children of an element.
#[derive(Clone, Copy, Default)]
struct Above {
    tag: Option<Tag>,
    page: Option<PageId>,
}

/// Where a piece of marked content stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Page(PageId),
    Form(ObjectId),
}

/// The content of an element that has a text of its own, gathered on the way through it.
type Gathered = Option<Vec<(Place, u32)>>;

struct Walk<'a, 'b> {
    objects: &'b Objects<'a>,
    roles: Option<&'a Dictionary>,
    page_of: BTreeMap<ObjectId, PageId>,
    seen: BTreeSet<ObjectId>,
    kids_left: usize,
    tags_left: usize,
    texts_left: usize,
    /// Elements numbered so far.
    elements: u32,
    found: Structure,
}

impl<'a> Walk<'a, '_> {
    /// The value of `K`: one child or an array of them.
    fn kids(&mut self, kids: &'a Object, above: Above, depth: usize, gathered: &mut Gathered) {
        match self.objects.resolve(kids) {
            Object::Array(items) => {
                for kid in items {
                    self.kid(kid, above, depth, gathered);
                }
            }
            _ => self.kid(kids, above, depth, gathered),
        }
    }

    fn kid(&mut self, kid: &'a Object, above: Above, depth: usize, gathered: &mut Gathered) {
        let Some(left) = self.kids_left.checked_sub(1).filter(|_| depth < MAX_DEPTH) else { return };
        self.kids_left = left;
        match self.objects.resolve(kid) {
            id @ Object::Integer(_) => {
                if let (Some(page), Some(id)) = (above.page, mcid(id)) {
                    self.content(Place::Page(page), id, above.tag, gathered);
                }
            }
            Object::Dictionary(dict) => {
                if dict.has_type(b"MCR") || dict.has(b"MCID") && !dict.has(b"S") {
                    let page = self.page(dict).or(above.page);
                    let form = dict.get(b"Stm").ok().and_then(reference);
                    let place = form.map(Place::Form).or(page.map(Place::Page));
                    if let (Some(place), Some(id)) = (place, self.objects.get(dict, b"MCID").and_then(mcid)) {
                        self.content(place, id, above.tag, gathered);
                    }
                } else if !dict.has_type(b"OBJR") {
                    // An element that is its own descendant, or that two others claim, counts once.
                    if reference(kid).is_none_or(|id| self.seen.insert(id)) {
                        self.element(dict, above, depth, gathered);
                    }
                }
            }
            _ => {}
        }
    }

    fn element(&mut self, dict: &'a Dictionary, above: Above, depth: usize, gathered: &mut Gathered) {
        let role = self.objects.name(dict, b"S").unwrap_or_default();
        let part_of_item = matches!(role, b"Lbl" | b"LBody") && above.tag.is_some();
        let tag = match self.kind(role).filter(|_| !part_of_item) {
            Some(kind) if counts(kind, above.tag.map(|tag| tag.kind)) => {
                self.elements = self.elements.saturating_add(1);
                Some(Tag { kind, element: self.elements })
            }
            _ => above.tag,
        };
        let here = Above { tag, page: self.page(dict).or(above.page) };
        let Ok(kids) = dict.get(b"K") else { return };
        let actual = self.objects.get(dict, b"ActualText").and_then(actual_text);
        match actual.filter(|_| gathered.is_none() && self.texts_left > 0) {
            Some(text) => {
                let mut own = Some(Vec::new());
                self.kids(kids, here, depth + 1, &mut own);
                self.replace(own.unwrap_or_default(), text);
            }
            None => self.kids(kids, here, depth + 1, gathered),
        }
    }

    fn content(&mut self, place: Place, id: u32, tag: Option<Tag>, gathered: &mut Gathered) {
        if let Some(gathered) = gathered {
            gathered.push((place, id));
        }
        let Some(tag) = tag else { return };
        let Some(left) = self.tags_left.checked_sub(1) else { return };
        self.tags_left = left;
        self.at(place).tags.entry(id).or_insert(tag);
    }

    /// Keeps the text of an element all of whose content stands in one stream.
    fn replace(&mut self, content: Vec<(Place, u32)>, text: String) {
        let Some(&(place, _)) = content.first() else { return };
        if content.iter().all(|(other, _)| *other == place) {
            self.texts_left -= 1;
            let mut ids: Vec<u32> = content.into_iter().map(|(_, id)| id).collect();
            ids.sort_unstable();
            self.at(place).texts.push((ids, text));
        }
    }

    fn at(&mut self, place: Place) -> &mut Content {
        match place {
            Place::Page(page) => self.found.pages.entry(page).or_default(),
            Place::Form(form) => self.found.forms.entry(form).or_default(),
        }
    }

    fn page(&self, dict: &Dictionary) -> Option<PageId> {
        self.page_of.get(&dict.get(b"Pg").ok().and_then(reference)?).copied()
    }

    /// The kind of a structure type, by the role map where it is no standard one.
    fn kind(&self, role: &'a [u8]) -> Option<TagKind> {
        let mut role = role;
        for _ in 0..MAX_ROLES {
            if let Some(kind) = standard(role) {
                return kind;
            }
            role = self.objects.name(self.roles?, role)?;
        }
        None
    }
}

fn mcid(object: &Object) -> Option<u32> {
    integer(object).and_then(|id| u32::try_from(id).ok())
}

/// The kind of a standard structure type; `Some(None)` for those that layout has no use for, and `None` for
/// types that are not standard.
fn standard(role: &[u8]) -> Option<Option<TagKind>> {
    Some(Some(match role {
        b"H" | b"Title" => TagKind::Heading(0),
        b"P" => TagKind::Paragraph,
        b"LI" | b"Lbl" | b"LBody" => TagKind::ListItem,
        b"TD" | b"TH" => TagKind::Cell,
        b"Note" | b"FENote" => TagKind::Note,
        b"Reference" => TagKind::NoteMark,
        b"Caption" => TagKind::Caption,
        b"BlockQuote" => TagKind::BlockQuote,
        b"TOCI" => TagKind::ContentsItem,
        b"Document" | b"DocumentFragment" | b"Part" | b"Art" | b"Sect" | b"Div" | b"TOC" | b"Index"
        | b"NonStruct" | b"Private" | b"Aside" | b"L" | b"Table" | b"TR" | b"THead" | b"TBody" | b"TFoot"
        | b"Span" | b"Quote" | b"BibEntry" | b"Code" | b"Link" | b"Annot" | b"Ruby" | b"RB" | b"RT"
        | b"RP" | b"Warichu" | b"WT" | b"WP" | b"Em" | b"Strong" | b"Sub" | b"Figure" | b"Formula"
        | b"Form" | b"Artifact" => return Some(None),
        [b'H', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            let level = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            TagKind::Heading(level.unwrap_or(u8::MAX))
        }
        _ => return None,
    }))
}

/// Whether an element of this kind says more than the one around it.
fn counts(kind: TagKind, above: Option<TagKind>) -> bool {
    match (kind, above) {
        (_, None) => true,
        // The reference in a table of contents belongs to its line.
        (TagKind::NoteMark, Some(TagKind::ContentsItem)) => false,
        (TagKind::Paragraph, Some(above)) => above == TagKind::Paragraph,
        _ => true,
    }
}
