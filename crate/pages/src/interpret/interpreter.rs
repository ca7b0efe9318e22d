//! State of the interpreter: of a page, and of one content stream.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use document::{Diag, DiagCode, PageGeometry, PageId, Rule, Run, Severity, Visibility};
use lopdf::{Dictionary, Object, ObjectId, Stream};

use super::budget::TextBudget;
use super::form_cache::FormCache;
use super::marked::{MarkedContext, MarkedSequence};
use super::paint_sources::{Pattern, SoftMask};
use super::paths::Paths;
use super::runs::RunCollector;
use super::state::{GraphicsState, Matrix};
use crate::fonts::{Font, FontCache};
use crate::objects::{Objects, StreamError};
use crate::optional_content::OptionalContent;
use crate::visibility::{Judged, judge};

/// Maximum fonts that one page may load.
const MAX_PAGE_FONTS: usize = 2_000;
/// Maximum forms of one page with marked content of their own.
const MAX_TAGGED_FORMS: usize = 4_000;
/// Marked-content ids reserved for each of them.
const FORM_MCIDS: u32 = 1 << 20;

/// First marked-content id of the `idx`-th form of a page that has structure of its own, so that its ids differ from
/// those of the page and of other forms.
pub(crate) fn form_mcid_base(idx: usize) -> u32 {
    u32::try_from(idx).unwrap_or(u32::MAX).saturating_add(1).saturating_mul(FORM_MCIDS)
}

/// Content of one page.
pub(crate) struct PageContent {
    pub(crate) runs: Vec<Run>,
    pub(crate) rules: Vec<Rule>,
    /// Share of the page that images cover, 0 to 1.
    pub(crate) image_cover: f32,
    /// Forms with marked content of their own; see [`form_mcid_base`].
    pub(crate) tagged_forms: Vec<ObjectId>,
    pub(crate) diags: Vec<Diag>,
}

/// Resources that the pages of a file share.
pub(crate) struct FileResources<'f> {
    pub(crate) fonts: &'f RefCell<FontCache>,
    pub(crate) forms: &'f RefCell<FormCache>,
    pub(crate) optional_content: &'f OptionalContent,
}

/// Interpreter of one page. Its methods stand beside what they read: `content.rs`, `operators.rs`, `annotations.rs`.
pub(super) struct Interpreter<'a, 'f> {
    pub(super) objects: Objects<'a>,
    fonts: &'f RefCell<FontCache>,
    form_cache: &'f RefCell<FormCache>,
    optional_content: &'f OptionalContent,
    pub(super) runs: RunCollector,
    pub(super) paths: Paths,
    pub(super) geometry: PageGeometry,
    /// Area of images in square points; overlaps count twice.
    pub(super) image_area: f64,
    /// Operators that the page may still execute.
    pub(super) operators_left: usize,
    /// Bytes that the file had inflated to when the page began.
    inflated_before: usize,
    /// Fonts that the page may still load.
    fonts_left: usize,
    /// Forms being painted, outermost first.
    pub(super) forms: Vec<ObjectId>,
    /// Forms with marked content of their own, in the order of their first painting.
    tagged_forms: Vec<ObjectId>,
    /// Soft masks and patterns seen so far.
    pub(super) masks: Vec<SoftMask<'a>>,
    pub(super) patterns: Vec<Pattern<'a>>,
    /// Value of all bytes of an image, by the place of the image in memory; see `images.rs`.
    pub(super) plain_values: BTreeMap<usize, Option<u8>>,
    /// True if part of the content could not be read.
    pub(super) damaged: bool,
    /// First limit that was hit: its name, and the number allowed.
    limit: Option<(&'static str, usize)>,
}

/// State of one content stream: of the page or of a form.
pub(super) struct StreamContext<'a> {
    pub(super) resources: Option<&'a Dictionary>,
    pub(super) state: GraphicsState,
    /// States saved by `q`.
    pub(super) saved: Vec<GraphicsState>,
    pub(super) text_matrix: Matrix,
    pub(super) line_matrix: Matrix,
    /// Open marked-content sequences.
    pub(super) marked: Vec<MarkedSequence>,
    /// Open sequences beyond the maximum kept.
    pub(super) n_unkept_marked: usize,
    /// Marked content around the whole stream.
    pub(super) outer: MarkedContext,
    /// First marked-content id of the stream.
    pub(super) mcid_base: u32,
}

impl<'a> StreamContext<'a> {
    pub(super) fn new(resources: Option<&'a Dictionary>, state: GraphicsState, outer: MarkedContext) -> Self {
        Self {
            resources,
            state,
            saved: Vec::new(),
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            marked: Vec::new(),
            n_unkept_marked: 0,
            outer,
            mcid_base: 0,
        }
    }

    /// Marked content around the current position.
    pub(super) fn mark(&self) -> MarkedContext {
        self.marked.last().map_or(self.outer, |sequence| sequence.context)
    }
}

impl<'a, 'f> Interpreter<'a, 'f> {
    pub(super) fn new(objects: &Objects<'a>, resources: &FileResources<'f>, geometry: PageGeometry) -> Self {
        Self {
            objects: *objects,
            fonts: resources.fonts,
            form_cache: resources.forms,
            optional_content: resources.optional_content,
            runs: RunCollector::new(geometry, TextBudget::of_page(objects)),
            paths: Paths::new(geometry),
            geometry,
            image_area: 0.0,
            operators_left: objects.limits.page_operators,
            inflated_before: objects.meter.costs().inflated,
            fonts_left: MAX_PAGE_FONTS,
            forms: Vec::new(),
            tagged_forms: Vec::new(),
            masks: Vec::new(),
            patterns: Vec::new(),
            plain_values: BTreeMap::new(),
            damaged: false,
            limit: None,
        }
    }

    /// Inflated content of a form; `None` once the page or the file has inflated too much.
    pub(super) fn form_data(&mut self, form: &'a Stream) -> Option<Arc<[u8]>> {
        if let Some(known) = self.form_cache.borrow().get(form) {
            return Some(known);
        }
        let was_damaged = std::mem::take(&mut self.damaged);
        let content: Option<Arc<[u8]>> = self.stream_data(form).map(Arc::from);
        if let Some(content) = content.as_ref().filter(|_| !self.damaged) {
            self.form_cache.borrow_mut().keep(form, content);
        }
        self.damaged |= was_damaged;
        content
    }

    /// Inflated data of a stream; `None` once the page or the file has inflated too much.
    pub(super) fn stream_data(&mut self, stream: &'a Stream) -> Option<Vec<u8>> {
        if self.over_bytes() {
            return None;
        }
        match self.objects.data_as_far(stream) {
            Ok((data, whole)) => {
                self.damaged |= !whole;
                Some(data)
            }
            Err(StreamError::TooLarge) => {
                self.record_limit("inflated bytes of a stream", self.objects.limits.stream_bytes);
                None
            }
            Err(StreamError::Undecodable) => {
                self.damaged = true;
                None
            }
        }
    }

    /// True if the page has inflated as much as it may, or the file has cost as much.
    pub(super) fn over_bytes(&mut self) -> bool {
        let spent = self.objects.meter.costs().inflated.saturating_sub(self.inflated_before);
        let over = spent >= self.objects.limits.page_bytes;
        if over {
            self.record_limit("inflated bytes on a page", self.objects.limits.page_bytes);
        }
        over || self.objects.meter.spent().is_some()
    }

    /// Font of a dictionary; `None` once the page has loaded as many fonts as it may.
    pub(super) fn font(&mut self, font: &'a Dictionary) -> Option<Arc<Font>> {
        if let Some(font) = self.fonts.borrow().get(font) {
            return Some(font);
        }
        if self.over_bytes() {
            return None;
        }
        let Some(left) = self.fonts_left.checked_sub(1) else {
            self.record_limit("fonts on a page", MAX_PAGE_FONTS);
            return None;
        };
        self.fonts_left = left;
        Some(self.fonts.borrow_mut().load(&self.objects, font))
    }

    /// Records that a limit was hit.
    pub(super) fn record_limit(&mut self, what: &'static str, allowed: usize) {
        self.limit.get_or_insert((what, allowed));
    }

    /// First marked-content id of a form with structure of its own.
    pub(super) fn mcid_base(&mut self, form: ObjectId) -> u32 {
        self.objects.meter.steps(self.tagged_forms.len());
        let idx = self.tagged_forms.iter().position(|&known| known == form).unwrap_or_else(|| {
            if self.tagged_forms.len() < MAX_TAGGED_FORMS {
                self.tagged_forms.push(form);
            }
            self.tagged_forms.len() - 1
        });
        form_mcid_base(idx)
    }

    /// True if this optional content group or membership dictionary is off.
    pub(super) fn is_hidden_by(&self, content: &'a Object) -> bool {
        self.optional_content.hides(&self.objects, content)
    }

    /// True if the `OC` entry of an XObject or annotation is off.
    pub(super) fn is_off(&self, dict: &'a Dictionary) -> bool {
        dict.get(b"OC").is_ok_and(|content| self.is_hidden_by(content))
    }

    /// Content of the page, with diagnostics.
    pub(super) fn finish(self, id: PageId) -> PageContent {
        let mut diags = Vec::new();
        let mut note = |code, severity, message: String, hint: &str| {
            diags.push(Diag { code, severity, message, hint: hint.to_owned(), page: Some(id) });
        };
        let meter = self.objects.meter;
        let Paths { rules, covers, mut backdrop, .. } = self.paths;
        let RunCollector { mut runs, inks, characters, unmapped, budget, .. } = self.runs;
        for (run, ink) in runs.iter_mut().zip(&inks) {
            // Text that only clips is seen by what is painted through it.
            if ink.only_clips
                && run.visibility == Visibility::Visible
                && !backdrop.is_painted_after(ink.n_areas, &run.rect)
            {
                run.visibility = Visibility::Invisible;
            }
        }
        meter.show(characters, runs.len());
        meter.steps(backdrop.steps());
        let Judged { runs, is_cut, work } = judge(runs, &inks, covers, &self.geometry, meter.left().steps);
        meter.steps(work);
        if is_cut && meter.spent().is_none() {
            let message = "more is painted over the page's text than can be followed".to_owned();
            let hint = "some of the text may be covered: compare it with the page";
            note(DiagCode::LimitReached, Severity::Warning, message, hint);
        }
        let full = characters >= budget.characters || runs.len() >= budget.runs;
        let full = full.then_some(("characters or runs", budget.characters.min(budget.runs)));
        // What the file has spent is told once, for the file.
        if let Some((what, allowed)) = self.limit.or(full).filter(|_| meter.spent().is_none()) {
            let message = format!("the page was cut short: more than {allowed} {what}");
            note(DiagCode::LimitReached, Severity::Warning, message, "raise the limit");
        }
        if self.damaged {
            let message = "part of the page's content could not be read".to_owned();
            note(DiagCode::DamagedPage, Severity::Warning, message, "");
        }
        if unmapped > 0 {
            let message = format!("{unmapped} of {characters} characters have no Unicode value in the file");
            let severity = if unmapped * 10 > characters { Severity::Warning } else { Severity::Info };
            note(DiagCode::UnmappedGlyph, severity, message, "text recognition would be needed to read them");
        }
        let [left, bottom, right, top] = self.geometry.crop.map(f64::from);
        let page_area = (right - left) * (top - bottom);
        #[expect(clippy::cast_possible_truncation, reason = "a share between 0 and 1")]
        let image_cover = (self.image_area / page_area.max(1e-6)).clamp(0.0, 1.0) as f32;
        if image_cover > 0.0 && !runs.iter().any(|run| run.visibility.is_legible()) {
            let message = "the page has images but no text".to_owned();
            note(DiagCode::NoTextLayer, Severity::Info, message, "run text recognition on the file first");
        }
        PageContent { runs, rules, image_cover, tagged_forms: self.tagged_forms, diags }
    }
}
