//! An open file, read page by page.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use document::{Diag, DiagCode, OutlineItem, Page, PageGeometry, PageId, Rotation, Severity, Tag, Warned};
use lopdf::Document;

use crate::error::Error;
use crate::fonts::FontCache;
use crate::interpret::{FileResources, FormCache, PageContent, form_mcid_base, interpret, replace_marked};
use crate::limits::Limits;
use crate::load::{Loaded, load};
use crate::meter::{Costs, Meter};
use crate::objects::{Objects, as_dict};
use crate::optional_content::OptionalContent;
use crate::options::Options;
use crate::page_tree::PageNode;
use crate::structure_tree::{StreamTags, StructureTree};
use crate::{metadata, outline, page_labels};

/// Open file.
pub struct Reader {
    document: Document,
    pages: Vec<PageNode>,
    labels: Vec<Option<String>>,
    limits: Limits,
    fonts: RefCell<FontCache>,
    forms: RefCell<FormCache>,
    optional_content: OptionalContent,
    structure: StructureTree,
    meter: Meter,
    /// Page at which an allowance of the file was spent.
    spent_at: Cell<Option<PageId>>,
    /// True if a page read so far has text that a reader sees.
    has_text: Cell<bool>,
    diags: Vec<Diag>,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// If it has no readable page, needs another password, or exceeds a limit.
    pub fn open(bytes: &[u8], options: &Options) -> Result<Self, Error> {
        let Loaded { document, pages, diags } = load(bytes, options)?;
        let limits = options.limits.for_file(bytes.len());
        let meter = Meter::of_file(&limits, bytes.len());
        let objects = Objects { document: &document, limits: &limits, meter: &meter };
        let (labels, optional_content, structure) = match document.catalog() {
            Ok(catalog) => (
                page_labels::page_labels(&objects, catalog, pages.len()),
                OptionalContent::read(&objects, catalog),
                StructureTree::read(&objects, catalog, &pages),
            ),
            Err(_) => (vec![None; pages.len()], OptionalContent::default(), StructureTree::default()),
        };
        Ok(Self {
            document,
            pages,
            labels,
            limits,
            fonts: RefCell::default(),
            forms: RefCell::default(),
            optional_content,
            structure,
            meter,
            spent_at: Cell::new(None),
            has_text: Cell::new(false),
            diags,
        })
    }

    /// Number of pages.
    pub fn n_pages(&self) -> usize {
        self.pages.len()
    }

    /// Diagnostics of opening the file.
    pub fn diags(&self) -> &[Diag] {
        &self.diags
    }

    /// Reads one page; an unknown page is empty, and so are those left when an allowance of the file is spent.
    pub fn page(&self, id: PageId) -> Warned<Page> {
        let Some(node) = self.pages.get(id.idx()) else { return Warned::clean(empty_page(id)) };
        let label = self.labels.get(id.idx()).cloned().flatten();
        if self.meter.spent().is_some() {
            return Warned::clean(Page { label, geometry: node.geometry, ..empty_page(id) });
        }
        let objects = self.objects();
        let dict_of =
            |id| self.document.objects.get(&id).map(|object| objects.resolve(object)).and_then(as_dict);
        let resources =
            node.resources.and_then(dict_of).and_then(|holder| objects.dict(holder, b"Resources"));
        let Some(page) = dict_of(node.id) else { return Warned::clean(empty_page(id)) };
        let file = FileResources {
            fonts: &self.fonts,
            forms: &self.forms,
            optional_content: &self.optional_content,
        };
        let mut content = interpret(&objects, &file, id, page, resources, node.geometry);
        let tags = self.tags(node.first, &mut content);
        let PageContent { runs, rules, image_cover, tagged_forms: _, diags } = content;
        if self.meter.spent().is_some() {
            self.spent_at.set(Some(id));
        }
        let has_text = runs.iter().any(|run| run.visibility.is_legible());
        self.has_text.set(self.has_text.get() || has_text);
        let output = Page { id, label, geometry: node.geometry, runs, rules, image_cover, tags };
        Warned { output, diags }
    }

    /// Diagnostics of the pages read so far together.
    pub fn closing_diags(&self) -> Vec<Diag> {
        let mut diags = Vec::new();
        if let (Some(at), Some((what, allowed))) = (self.spent_at.get(), self.meter.spent()) {
            let (page, n_pages) = (at.idx() + 1, self.pages.len());
            diags.push(Diag {
                code: DiagCode::LimitReached,
                severity: Severity::Warning,
                message: format!(
                    "the file was read up to page {page} of {n_pages}: its pages take more than {allowed} {what}"
                ),
                hint: "print it to a new file, or raise the limit".to_owned(),
                page: Some(at),
            });
        }
        if !self.has_text.get() {
            diags.push(Diag {
                code: DiagCode::NoTextLayer,
                severity: Severity::Warning,
                message: format!("none of the {} pages has text", self.pages.len()),
                hint: "the file is a scan or holds only drawings: run text recognition on it first"
                    .to_owned(),
                page: None,
            });
        }
        diags
    }

    /// Costs of the pages read so far.
    pub fn costs(&self) -> Costs {
        self.meter.costs()
    }

    /// Outline items (bookmarks) in document order.
    pub fn outline(&self) -> Vec<OutlineItem> {
        match self.document.catalog() {
            Ok(catalog) => outline::outline(&self.objects(), catalog, &self.pages),
            Err(_) => Vec::new(),
        }
    }

    /// Title in the document information dictionary or the XMP metadata, if it is not blank.
    pub fn title(&self) -> Option<String> {
        metadata::title(&self.objects(), &self.document)
    }

    /// Declared language, a BCP 47 tag.
    pub fn language(&self) -> Option<String> {
        self.objects().text(self.document.catalog().ok()?, b"Lang")
    }

    fn objects(&self) -> Objects<'_> {
        Objects { document: &self.document, limits: &self.limits, meter: &self.meter }
    }

    /// Tags of the marked content of a page and its forms; `id` is the first page with that page object. Replacement text of structure elements goes into the runs.
    fn tags(&self, id: PageId, content: &mut PageContent) -> BTreeMap<u32, Tag> {
        let mut tags = BTreeMap::new();
        let page = self.structure.pages.get(&id).map(|tags| (tags, 0));
        let forms =
            content.tagged_forms.iter().enumerate().filter_map(|(idx, form)| {
                self.structure.forms.get(form).map(|tags| (tags, form_mcid_base(idx)))
            });
        for (StreamTags { tags: own, texts }, base) in page.into_iter().chain(forms.collect::<Vec<_>>()) {
            let shift = |id: u32| base.saturating_add(id);
            tags.extend(own.iter().map(|(&id, &tag)| (shift(id), tag)));
            let texts =
                texts.iter().map(|(ids, text)| (ids.iter().copied().map(shift).collect(), text.as_str()));
            replace_marked(&mut content.runs, &texts.collect::<Vec<_>>());
        }
        tags
    }
}

fn empty_page(id: PageId) -> Page {
    let geometry = PageGeometry { crop: [0.0, 0.0, 612.0, 792.0], rotation: Rotation::None };
    Page {
        id,
        label: None,
        geometry,
        runs: Vec::new(),
        rules: Vec::new(),
        image_cover: 0.0,
        tags: BTreeMap::new(),
    }
}
