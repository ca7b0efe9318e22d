//! Structure tree of a tagged file (ISO 32000-2, 14.7 and 14.8): the structure type of marked content, and the
//! replacement text of elements.
//!
//! The tree is walked once from its root. Elements hand down the page and the innermost structure type that layout
//! uses: a paragraph inside a cell, a list item or a note counts as that. Cycles, depth and size are bounded; cost:
//! linear in the tree.

use std::collections::{BTreeMap, BTreeSet};

use document::{PageId, Tag, TagKind};
use lopdf::{Dictionary, Object, ObjectId};

use crate::interpret::actual_text;
use crate::objects::{Objects, integer, reference};
use crate::page_tree::PageNode;

/// Maximum depth of elements.
const MAX_DEPTH: usize = 128;
/// Maximum children of all elements.
const MAX_KIDS: usize = 4_000_000;
/// Maximum tags.
const MAX_TAGS: usize = 2_000_000;
/// Maximum steps through the role map.
const MAX_ROLES: usize = 8;
/// Maximum replacement texts.
const MAX_TEXTS: usize = 100_000;

/// Tags by the page or the form that holds the marked content.
#[derive(Default)]
pub(crate) struct StructureTree {
    pub(crate) pages: BTreeMap<PageId, StreamTags>,
    pub(crate) forms: BTreeMap<ObjectId, StreamTags>,
}

/// Tags of the marked content of one content stream.
#[derive(Default)]
pub(crate) struct StreamTags {
    /// Tags by marked-content id.
    pub(crate) tags: BTreeMap<u32, Tag>,
    /// Replacement texts, each with the ascending ids of the content that it replaces.
    pub(crate) texts: Vec<(Vec<u32>, String)>,
}

impl StructureTree {
    /// Reads the tree under the catalog.
    pub(crate) fn read<'a>(objects: &Objects<'a>, catalog: &'a Dictionary, pages: &[PageNode]) -> Self {
        let Some(root) = objects.dict(catalog, b"StructTreeRoot") else { return Self::default() };
        let page_of = pages.iter().map(|page| (page.id, page.first)).collect();
        let mut walk = StructureTreeWalk {
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
            walk.kids(kids, InheritedTag::default(), 0, &mut None);
        }
        walk.found
    }
}

/// Properties that children inherit from an element.
#[derive(Clone, Copy, Default)]
struct InheritedTag {
    tag: Option<Tag>,
    page: Option<PageId>,
}

/// Content stream that holds marked content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContentStream {
    Page(PageId),
    Form(ObjectId),
}

/// Marked content of an element with replacement text, collected while its descendants are visited.
type ElementContent = Option<Vec<(ContentStream, u32)>>;

struct StructureTreeWalk<'a, 'b> {
    objects: &'b Objects<'a>,
    roles: Option<&'a Dictionary>,
    page_of: BTreeMap<ObjectId, PageId>,
    seen: BTreeSet<ObjectId>,
    kids_left: usize,
    tags_left: usize,
    texts_left: usize,
    /// Elements numbered so far.
    elements: u32,
    found: StructureTree,
}

impl<'a> StructureTreeWalk<'a, '_> {
    /// Visits the value of `K`: one child or an array of them.
    fn kids(
        &mut self,
        kids: &'a Object,
        inherited: InheritedTag,
        depth: usize,
        content_of_element: &mut ElementContent,
    ) {
        match self.objects.resolve(kids) {
            Object::Array(items) => {
                for kid in items {
                    self.kid(kid, inherited, depth, content_of_element);
                }
            }
            _ => self.kid(kids, inherited, depth, content_of_element),
        }
    }

    fn kid(
        &mut self,
        kid: &'a Object,
        inherited: InheritedTag,
        depth: usize,
        content_of_element: &mut ElementContent,
    ) {
        let Some(left) = self.kids_left.checked_sub(1).filter(|_| depth < MAX_DEPTH) else { return };
        self.kids_left = left;
        match self.objects.resolve(kid) {
            id @ Object::Integer(_) => {
                if let (Some(page), Some(id)) = (inherited.page, mcid(id)) {
                    self.content(ContentStream::Page(page), id, inherited.tag, content_of_element);
                }
            }
            Object::Dictionary(dict) => {
                if dict.has_type(b"MCR") || dict.has(b"MCID") && !dict.has(b"S") {
                    let page = self.page(dict).or(inherited.page);
                    let form = dict.get(b"Stm").ok().and_then(reference);
                    let stream = form.map(ContentStream::Form).or(page.map(ContentStream::Page));
                    if let (Some(stream), Some(id)) = (stream, self.objects.get(dict, b"MCID").and_then(mcid))
                    {
                        self.content(stream, id, inherited.tag, content_of_element);
                    }
                } else if !dict.has_type(b"OBJR") {
                    // An element that is its own descendant, or has two parents, counts once.
                    if reference(kid).is_none_or(|id| self.seen.insert(id)) {
                        self.element(dict, inherited, depth, content_of_element);
                    }
                }
            }
            _ => {}
        }
    }

    fn element(
        &mut self,
        dict: &'a Dictionary,
        inherited: InheritedTag,
        depth: usize,
        content_of_element: &mut ElementContent,
    ) {
        let role = self.role(self.objects.name(dict, b"S").unwrap_or_default());
        // Label and body belong to the enclosing item.
        let part_of_item = matches!(role, b"Lbl" | b"LBody") && inherited.tag.is_some();
        let tag = match standard(role).flatten().filter(|_| !part_of_item) {
            Some(kind) if is_more_specific(kind, inherited.tag.map(|tag| tag.kind)) => {
                self.elements = self.elements.saturating_add(1);
                Some(Tag { kind, element: self.elements })
            }
            _ => inherited.tag,
        };
        let here = InheritedTag { tag, page: self.page(dict).or(inherited.page) };
        let Ok(kids) = dict.get(b"K") else { return };
        let actual = self.objects.get(dict, b"ActualText").and_then(actual_text);
        match actual.filter(|_| content_of_element.is_none() && self.texts_left > 0) {
            Some(text) => {
                let mut own = Some(Vec::new());
                self.kids(kids, here, depth + 1, &mut own);
                self.add_text(own.unwrap_or_default(), text);
            }
            None => self.kids(kids, here, depth + 1, content_of_element),
        }
    }

    fn content(
        &mut self,
        stream: ContentStream,
        id: u32,
        tag: Option<Tag>,
        content_of_element: &mut ElementContent,
    ) {
        if let Some(content_of_element) = content_of_element {
            content_of_element.push((stream, id));
        }
        let Some(tag) = tag else { return };
        let Some(left) = self.tags_left.checked_sub(1) else { return };
        self.tags_left = left;
        self.tags_of(stream).tags.entry(id).or_insert(tag);
    }

    /// Adds the replacement text of an element whose content is in one stream.
    fn add_text(&mut self, content: Vec<(ContentStream, u32)>, text: String) {
        let Some(&(stream, _)) = content.first() else { return };
        if content.iter().all(|(other, _)| *other == stream) {
            self.texts_left -= 1;
            let mut ids: Vec<u32> = content.into_iter().map(|(_, id)| id).collect();
            ids.sort_unstable();
            self.tags_of(stream).texts.push((ids, text));
        }
    }

    /// Tags of a content stream.
    fn tags_of(&mut self, stream: ContentStream) -> &mut StreamTags {
        match stream {
            ContentStream::Page(page) => self.found.pages.entry(page).or_default(),
            ContentStream::Form(form) => self.found.forms.entry(form).or_default(),
        }
    }

    fn page(&self, dict: &Dictionary) -> Option<PageId> {
        self.page_of.get(&dict.get(b"Pg").ok().and_then(reference)?).copied()
    }

    /// Standard structure type of a type by the role map; the type itself if there is none.
    fn role(&self, given: &'a [u8]) -> &'a [u8] {
        let mut role = given;
        for _ in 0..MAX_ROLES {
            if standard(role).is_some() {
                return role;
            }
            match self.roles.and_then(|roles| self.objects.name(roles, role)) {
                Some(next) => role = next,
                None => break,
            }
        }
        given
    }
}

fn mcid(object: &Object) -> Option<u32> {
    integer(object).and_then(|id| u32::try_from(id).ok())
}

/// Kind of a standard structure type; `Some(None)` for types without use for layout, `None` for types that are not
/// standard.
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

/// True if an element of this kind says more than the enclosing one.
fn is_more_specific(kind: TagKind, inherited: Option<TagKind>) -> bool {
    match (kind, inherited) {
        (_, None) => true,
        // A reference in a table of contents belongs to its entry.
        (TagKind::NoteMark, Some(TagKind::ContentsItem)) => false,
        (TagKind::Paragraph, Some(inherited)) => inherited == TagKind::Paragraph,
        _ => true,
    }
}
