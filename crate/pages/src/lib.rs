//! PDF bytes to pages of positioned text runs.
//!
//! Scope: objects by lopdf; the content streams, fonts and encodings are read here. What comes out says what
//! characters stand where, in which type, and which lines are ruled. It knows nothing of words, columns,
//! headings or law, keeps no images, and draws nothing.
//!
//! Hostile files are expected: whatever a file can inflate or nest has a cap in [`Limits`], and odd pages give
//! diagnostics beside their runs. Only a file that gives no page at all is an [`Error`].
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! let bytes = b"not a PDF";
//! let read = pages::read(bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()));
//! assert_eq!(read.unwrap_err().kind(), pages::ErrorKind::NotPdf);
//! ```
#![deny(clippy::indexing_slicing)]

mod error;
mod fonts;
mod interpret;
mod labels;
mod layers;
mod lexer;
mod limits;
mod load;
mod metadata;
mod objects;
mod outline;
mod rescue;
mod structure;
mod tree;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use document::{Diag, DiagCode, OutlineItem, Page, PageId, PdfText, Severity, Tag, Warned};
use lopdf::Document;

pub use error::{Error, ErrorKind};
pub use fonts::standard_widths;
pub use limits::Limits;

use interpret::{Budget, Drawn};
use layers::Layers;
use objects::{Objects, as_dict};
use structure::{Content, Structure};
use tree::PageNode;

/// How to open a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The password, when there is one; the empty one is tried first.
    pub password: Option<String>,
    /// How much the file may cost.
    pub limits: Limits,
}

/// Reads a whole file: opens it, then draws page after page. `progress` is told the pages done and the pages
/// in all, before the first and after each, and can stop the reading.
pub fn read(
    bytes: &[u8],
    options: &Options,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Warned<PdfText>, Error> {
    let reader = Reader::open(bytes, options)?;
    let mut diags = reader.diags().to_vec();
    let mut pages = Vec::with_capacity(reader.n_pages());
    let mut budget = Budget::of_file(&options.limits);
    for idx in 0..reader.n_pages() {
        if progress(idx, reader.n_pages()).is_break() {
            return Err(Error::new(ErrorKind::Cancelled, "reading was cancelled"));
        }
        let (Warned { output, diags: found }, left) = reader.draw(PageId::from_idx(idx), budget);
        budget = left;
        pages.push(output);
        diags.extend(found);
    }
    if progress(pages.len(), pages.len()).is_break() {
        return Err(Error::new(ErrorKind::Cancelled, "reading was cancelled"));
    }
    if pages.iter().all(|page| page.runs.is_empty()) {
        diags.push(Diag {
            code: DiagCode::NoTextLayer,
            severity: Severity::Warning,
            message: format!("none of the {} pages has text", pages.len()),
            hint: "the file is a scan or holds only drawings: run text recognition on it first".to_owned(),
            page: None,
        });
    }
    let source =
        PdfText { pages, outline: reader.outline(), title: reader.title(), language: reader.language() };
    Ok(Warned { output: source, diags })
}

/// An open file, for reading page by page.
pub struct Reader {
    document: Document,
    pages: Vec<PageNode>,
    labels: Vec<Option<String>>,
    limits: Limits,
    fonts: RefCell<fonts::Cache>,
    layers: Layers,
    structure: Structure,
    /// Bytes inflated so far.
    inflated: Cell<usize>,
    diags: Vec<Diag>,
}

impl Reader {
    /// Opens a file.
    pub fn open(bytes: &[u8], options: &Options) -> Result<Self, Error> {
        let load::Loaded { document, pages, diags } = load::load(bytes, options)?;
        let limits = options.limits;
        let inflated = Cell::new(0);
        let objects = Objects { document: &document, limits: &limits, inflated: &inflated };
        let (labels, layers, structure) = match document.catalog() {
            Ok(catalog) => (
                labels::labels(&objects, catalog, pages.len()),
                Layers::read(&objects, catalog),
                Structure::read(&objects, catalog, &pages),
            ),
            Err(_) => (vec![None; pages.len()], Layers::default(), Structure::default()),
        };
        let fonts = RefCell::default();
        Ok(Self { document, pages, labels, limits, fonts, layers, structure, inflated, diags })
    }

    /// How many pages the file has.
    pub fn n_pages(&self) -> usize {
        self.pages.len()
    }

    /// What was noticed while opening.
    pub fn diags(&self) -> &[Diag] {
        &self.diags
    }

    /// Draws one page. A page that is not there is empty.
    pub fn page(&self, id: PageId) -> Warned<Page> {
        self.draw(id, Budget::of_file(&self.limits)).0
    }

    /// The bookmarks, in document order.
    pub fn outline(&self) -> Vec<OutlineItem> {
        match self.document.catalog() {
            Ok(catalog) => outline::outline(&self.objects(), catalog, &self.pages),
            Err(_) => Vec::new(),
        }
    }

    /// The title of the document information or metadata, where it is not blank.
    pub fn title(&self) -> Option<String> {
        metadata::title(&self.objects(), &self.document)
    }

    /// The declared language, a BCP 47 tag.
    pub fn language(&self) -> Option<String> {
        self.objects().text(self.document.catalog().ok()?, b"Lang")
    }

    fn objects(&self) -> Objects<'_> {
        Objects { document: &self.document, limits: &self.limits, inflated: &self.inflated }
    }

    /// Draws one page within a budget; gives what is left of it.
    fn draw(&self, id: PageId, budget: Budget) -> (Warned<Page>, Budget) {
        let Some(node) = self.pages.get(id.idx()) else { return (Warned::clean(empty_page(id)), budget) };
        let objects = self.objects();
        let dict_of =
            |id| self.document.objects.get(&id).map(|object| objects.resolve(object)).and_then(as_dict);
        let resources =
            node.resources.and_then(dict_of).and_then(|holder| objects.dict(holder, b"Resources"));
        let label = self.labels.get(id.idx()).cloned().flatten();
        let Some(page) = dict_of(node.id) else { return (Warned::clean(empty_page(id)), budget) };
        let file = interpret::File { fonts: &self.fonts, layers: &self.layers };
        let mut drawn = interpret::page(&objects, &file, id, page, resources, node.geometry, budget);
        let tags = self.tags(id, &mut drawn);
        let left = budget.after(&drawn);
        let (output, diags) = drawn.into_page(id, label, node.geometry, tags);
        (Warned { output, diags }, left)
    }

    /// What the structure tree says of a page's marked content and that of its forms. Texts that elements have
    /// of their own go into the runs.
    fn tags(&self, id: PageId, drawn: &mut Drawn) -> BTreeMap<u32, Tag> {
        let mut tags = BTreeMap::new();
        let page = self.structure.pages.get(&id).map(|content| (content, 0));
        let forms = drawn.tagged_forms.iter().enumerate().filter_map(|(idx, form)| {
            self.structure.forms.get(form).map(|content| (content, interpret::form_base(idx)))
        });
        for (Content { tags: own, texts }, base) in page.into_iter().chain(forms.collect::<Vec<_>>()) {
            let shift = |id: u32| base.saturating_add(id);
            tags.extend(own.iter().map(|(&id, &tag)| (shift(id), tag)));
            let texts =
                texts.iter().map(|(ids, text)| (ids.iter().copied().map(shift).collect(), text.as_str()));
            interpret::replace_marked(&mut drawn.runs, &texts.collect::<Vec<_>>());
        }
        tags
    }
}

fn empty_page(id: PageId) -> Page {
    let geometry =
        document::PageGeometry { crop: [0.0, 0.0, 612.0, 792.0], rotation: document::Rotation::None };
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
