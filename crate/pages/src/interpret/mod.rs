//! Content streams to text runs, ruled lines and the share of the page that images cover.
//!
//! One pass over the page's content and, through `Do`, its forms. What is no text is followed only as far as
//! it moves text (matrices, state) or separates it (rules). Every operator counts against the page's budget,
//! forms each time they are drawn, so that forms within forms cost no more than the limit.

mod colour;
mod ground;
mod marked;
mod ops;
mod paths;
mod runs;
mod state;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use document::{Diag, DiagCode, Page, PageGeometry, PageId, Rule, Run, Severity, Tag};
use lopdf::{Dictionary, Object, ObjectId, Stream};

use crate::Limits;
use crate::fonts::{Cache, Font};
use crate::layers::Layers;
use crate::lexer::{Lexer, Operand, Token};
use crate::objects::{Objects, StreamError, as_dict};
use marked::{Mark, Sequence};
pub(crate) use marked::{actual_text, replace_marked};
use paths::Paths;
use runs::Runs;
use state::{Matrix, State};

/// Fonts that one page may load.
const MAX_PAGE_FONTS: usize = 2_000;
/// Saved states kept.
const MAX_SAVED: usize = 512;
/// Operands kept of one operator.
const MAX_OPERANDS: usize = 64;
/// Annotations of a page that are looked at.
const MAX_ANNOTATIONS: usize = 10_000;
/// Annotation flags.
const HIDDEN: i64 = 1 << 1;
const NO_VIEW: i64 = 1 << 5;
/// Forms of one page whose marked content is told apart, and how many ids each has.
const MAX_TAGGED_FORMS: usize = 4_000;
const FORM_IDS: u32 = 1 << 20;
/// Marked-content sequences that may be open.
const MAX_MARKED: usize = 512;

/// How much text a page may still show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) characters: usize,
    pub(crate) runs: usize,
}

impl Budget {
    /// That of a whole file.
    pub(crate) fn of_file(limits: &Limits) -> Self {
        Self { characters: limits.characters, runs: limits.runs }
    }

    /// What is left after a page.
    pub(crate) fn after(self, drawn: &Drawn) -> Self {
        Self {
            characters: self.characters.saturating_sub(drawn.characters),
            runs: self.runs.saturating_sub(drawn.runs.len()),
        }
    }

    fn within(self, limits: &Limits) -> Self {
        Self {
            characters: self.characters.min(limits.page_characters),
            runs: self.runs.min(limits.page_runs),
        }
    }
}

/// What one page draws.
pub(crate) struct Drawn {
    pub(crate) runs: Vec<Run>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) image_cover: f32,
    pub(crate) characters: usize,
    /// Forms with marked content of their own; see [`form_base`].
    pub(crate) tagged_forms: Vec<ObjectId>,
    pub(crate) diags: Vec<Diag>,
}

/// Where the ids of the marked content of a page's `idx`-th form with structure of its own begin, so that they
/// do not meet those of the page or of another form.
pub(crate) fn form_base(idx: usize) -> u32 {
    u32::try_from(idx).unwrap_or(u32::MAX).saturating_add(1).saturating_mul(FORM_IDS)
}

/// What all pages of a file share.
pub(crate) struct File<'f> {
    pub(crate) fonts: &'f RefCell<Cache>,
    pub(crate) layers: &'f Layers,
}

/// Draws the page whose dictionary is `page`.
pub(crate) fn page<'a>(
    objects: &Objects<'a>,
    file: &File<'_>,
    id: PageId,
    page: &'a Dictionary,
    resources: Option<&'a Dictionary>,
    geometry: PageGeometry,
    budget: Budget,
) -> Drawn {
    let mut interpreter = Interpreter {
        objects: *objects,
        fonts: file.fonts,
        layers: file.layers,
        runs: Runs::new(geometry, budget.within(objects.limits)),
        paths: Paths::new(geometry),
        geometry,
        image_area: 0.0,
        operators_left: objects.limits.page_operators,
        inflated_before: objects.inflated.get(),
        fonts_left: MAX_PAGE_FONTS,
        forms: Vec::new(),
        tagged_forms: Vec::new(),
        damaged: false,
        limit: None,
    };
    let content = interpreter.page_content(page);
    let mut scope = Scope::new(resources, State::new(Matrix::IDENTITY), Mark::default());
    interpreter.run(&content, &mut scope);
    interpreter.annotations(page);
    interpreter.finish(id)
}

/// The interpreter of one page.
struct Interpreter<'a, 'f> {
    objects: Objects<'a>,
    fonts: &'f RefCell<Cache>,
    layers: &'f Layers,
    runs: Runs,
    paths: Paths,
    geometry: PageGeometry,
    /// In square points, overlaps counted twice.
    image_area: f64,
    operators_left: usize,
    /// What the file had inflated to when the page began.
    inflated_before: usize,
    /// Fonts that may still be loaded.
    fonts_left: usize,
    /// The forms being drawn, outermost first.
    forms: Vec<ObjectId>,
    /// Forms with marked content of their own, in the order in which they were first drawn.
    tagged_forms: Vec<ObjectId>,
    damaged: bool,
    /// The first limit that was hit: what, and how many are allowed.
    limit: Option<(&'static str, usize)>,
}

/// What belongs to one content stream: the page's or a form's.
struct Scope<'a> {
    resources: Option<&'a Dictionary>,
    state: State,
    saved: Vec<State>,
    text_matrix: Matrix,
    line_matrix: Matrix,
    /// Open marked-content sequences.
    marked: Vec<Sequence>,
    /// How many more are open than are kept.
    unmarked: usize,
    /// What holds around the whole stream.
    outer: Mark,
    /// Where the numbers of its marked content begin.
    id_base: u32,
}

impl<'a> Scope<'a> {
    fn new(resources: Option<&'a Dictionary>, state: State, outer: Mark) -> Self {
        Self {
            resources,
            state,
            saved: Vec::new(),
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            marked: Vec::new(),
            unmarked: 0,
            outer,
            id_base: 0,
        }
    }

    fn mark(&self) -> Mark {
        self.marked.last().map_or(self.outer, |sequence| sequence.mark)
    }
}

impl<'a> Interpreter<'a, '_> {
    /// The page's content streams, joined by line ends: tokens do not reach over the joints.
    fn page_content(&mut self, page: &'a Dictionary) -> Vec<u8> {
        let objects = self.objects;
        let mut content = Vec::new();
        match objects.get(page, b"Contents") {
            Some(Object::Stream(stream)) => self.append(stream, &mut content),
            Some(Object::Array(items)) => {
                for item in items {
                    match objects.resolve(item) {
                        Object::Stream(stream) => self.append(stream, &mut content),
                        _ => self.damaged = true,
                    }
                }
            }
            _ => {}
        }
        content
    }

    fn append(&mut self, stream: &'a Stream, content: &mut Vec<u8>) {
        let Some(data) = self.stream_data(stream) else { return };
        if content.len().saturating_add(data.len()) > self.objects.limits.stream_bytes {
            return self.hit("bytes of content on a page", self.objects.limits.stream_bytes);
        }
        if content.is_empty() {
            *content = data;
        } else {
            content.push(b'\n');
            content.extend_from_slice(&data);
        }
    }

    /// Inflated data, while the page has not inflated too much.
    fn stream_data(&mut self, stream: &'a Stream) -> Option<Vec<u8>> {
        if self.over_bytes() {
            return None;
        }
        match self.objects.data_as_far(stream) {
            Ok((data, whole)) => {
                self.damaged |= !whole;
                Some(data)
            }
            Err(StreamError::TooLarge) => {
                self.hit("inflated bytes of a stream", self.objects.limits.stream_bytes);
                None
            }
            Err(StreamError::Undecodable) => {
                self.damaged = true;
                None
            }
        }
    }

    fn over_bytes(&mut self) -> bool {
        let spent = self.objects.inflated.get().saturating_sub(self.inflated_before);
        let over = spent >= self.objects.limits.page_bytes;
        if over {
            self.hit("inflated bytes on a page", self.objects.limits.page_bytes);
        }
        over
    }

    /// The font of a dictionary. Loading one is work that a page may ask for only so often.
    fn font(&mut self, font: &'a Dictionary) -> Option<Arc<Font>> {
        if let Some(font) = self.fonts.borrow().cached(font) {
            return Some(font);
        }
        if self.over_bytes() {
            return None;
        }
        let Some(left) = self.fonts_left.checked_sub(1) else {
            self.hit("fonts on a page", MAX_PAGE_FONTS);
            return None;
        };
        self.fonts_left = left;
        Some(self.fonts.borrow_mut().load(&self.objects, font))
    }

    fn hit(&mut self, what: &'static str, allowed: usize) {
        self.limit.get_or_insert((what, allowed));
    }

    /// Executes one content stream.
    fn run(&mut self, content: &[u8], scope: &mut Scope<'a>) {
        let mut lexer = Lexer::new(content);
        let mut operands: Vec<Operand> = Vec::new();
        // A path that one stream leaves open is not for the next one to paint.
        self.paths.forget();
        while let Some(token) = lexer.next_token() {
            match token {
                Token::Operand(operand) => {
                    if operands.len() < MAX_OPERANDS {
                        operands.push(operand);
                    }
                }
                Token::Operator(operator) => {
                    let Some(left) = self.operators_left.checked_sub(1) else {
                        self.hit("operators on a page", self.objects.limits.page_operators);
                        break;
                    };
                    self.operators_left = left;
                    self.operator(operator, &mut operands, scope, &mut lexer);
                    operands.clear();
                }
            }
        }
        self.paths.forget();
        scope.unmarked = 0;
        while !scope.marked.is_empty() {
            self.end_marked(scope);
        }
    }

    /// `Do`: a form is drawn in place, an image counts by its area.
    fn x_object(&mut self, name: &[u8], scope: &mut Scope<'a>) {
        let objects = self.objects;
        let Some(x_objects) = scope.resources.and_then(|resources| objects.dict(resources, b"XObject"))
        else {
            return;
        };
        let Ok(object) = x_objects.get(name) else { return };
        let id = crate::objects::reference(object);
        let Object::Stream(stream) = objects.resolve(object) else { return };
        if scope.mark().hidden || self.is_off(&stream.dict) {
            return;
        }
        match objects.name(&stream.dict, b"Subtype") {
            Some(b"Image") => self.image(&scope.state),
            Some(b"Form") | None => self.form(id, stream, scope),
            Some(_) => {}
        }
    }

    fn form(&mut self, id: Option<ObjectId>, form: &'a Stream, scope: &mut Scope<'a>) {
        let objects = self.objects;
        if self.forms.len() >= objects.limits.form_depth {
            self.hit("forms within forms", objects.limits.form_depth);
            return;
        }
        let id = id.unwrap_or_default();
        if id != ObjectId::default() && self.forms.contains(&id) {
            return;
        }
        let Some(content) = self.stream_data(form) else { return };
        let mut state = scope.state.clone();
        if let Some(matrix) = objects.numbers::<6>(&form.dict, b"Matrix") {
            state.ctm = Matrix(matrix).then(&state.ctm);
        }
        let resources = objects.dict(&form.dict, b"Resources").or(scope.resources);
        if let Some(form_box) = objects.numbers::<4>(&form.dict, b"BBox") {
            self.paths.clip_to(&mut state, form_box);
        }
        let mut inner = Scope::new(resources, state, scope.mark());
        inner.id_base = scope.id_base;
        // Ids inside a form with structure of its own are numbered apart from the page's.
        if form.dict.has(b"StructParents") {
            inner.outer.mcid = None;
            inner.id_base = self.id_base(id);
        }
        self.forms.push(id);
        self.run(&content, &mut inner);
        self.forms.pop();
    }

    /// Where the marked content of a form begins to count.
    fn id_base(&mut self, form: ObjectId) -> u32 {
        let idx = self.tagged_forms.iter().position(|&known| known == form).unwrap_or_else(|| {
            if self.tagged_forms.len() < MAX_TAGGED_FORMS {
                self.tagged_forms.push(form);
            }
            self.tagged_forms.len() - 1
        });
        form_base(idx)
    }

    /// Whether the dictionary belongs to a layer that is off.
    fn is_off(&self, dict: &'a Dictionary) -> bool {
        dict.get(b"OC").is_ok_and(|content| self.layers.hide(&self.objects, content))
    }

    /// The appearances of annotations: filled form fields, stamps, free text.
    fn annotations(&mut self, page: &'a Dictionary) {
        let objects = self.objects;
        for annotation in objects.array(page, b"Annots").unwrap_or_default().iter().take(MAX_ANNOTATIONS) {
            let Some(annotation) = as_dict(objects.resolve(annotation)) else { continue };
            let flags = objects.integer(annotation, b"F").unwrap_or(0);
            if flags & (HIDDEN | NO_VIEW) != 0
                || self.is_off(annotation)
                || objects.name(annotation, b"Subtype") == Some(b"Popup")
            {
                continue;
            }
            let appearance = objects.dict(annotation, b"AP").and_then(|all| all.get(b"N").ok());
            let Some(mut appearance) = appearance else { continue };
            if let Object::Dictionary(states) = objects.resolve(appearance) {
                let state = objects.name(annotation, b"AS").unwrap_or(b"Off");
                let Ok(chosen) = states.get(state) else { continue };
                appearance = chosen;
            }
            let Object::Stream(form) = objects.resolve(appearance) else { continue };
            let Some(rect) = objects.numbers::<4>(annotation, b"Rect") else { continue };
            let form_box = objects.numbers::<4>(&form.dict, b"BBox").unwrap_or([0.0, 0.0, 1.0, 1.0]);
            let matrix = objects.numbers::<6>(&form.dict, b"Matrix").map_or(Matrix::IDENTITY, Matrix);
            let fit = fit(&matrix, form_box, rect);
            self.form(
                crate::objects::reference(appearance),
                form,
                &mut Scope::new(None, State::new(fit), Mark::default()),
            );
        }
    }

    /// An image fills the unit square of user space.
    fn image(&mut self, state: &State) {
        let ctm = &state.ctm;
        self.paths.cover(state);
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| ctm.point(x, y));
        let [left, bottom, right, top] = self.geometry.crop.map(f64::from);
        let span = |values: [f64; 4], low: f64, high: f64| {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min).max(low);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(high);
            (most - least).max(0.0)
        };
        let area = span(corners.map(|c| c.0), left, right) * span(corners.map(|c| c.1), bottom, top);
        self.image_area += area;
    }

    fn finish(self, id: PageId) -> Drawn {
        let mut diags = Vec::new();
        let mut note = |code, severity, message: String, hint: &str| {
            diags.push(Diag { code, severity, message, hint: hint.to_owned(), page: Some(id) });
        };
        let Runs { runs, characters, unmapped, budget, .. } = self.runs;
        let full = characters >= budget.characters || runs.len() >= budget.runs;
        let full = full.then_some(("characters or runs", budget.characters.min(budget.runs)));
        if let Some((what, allowed)) = self.limit.or(full) {
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
        if runs.is_empty() && image_cover > 0.0 {
            let message = "the page has images but no text".to_owned();
            note(DiagCode::NoTextLayer, Severity::Info, message, "run text recognition on the file first");
        }
        Drawn {
            runs,
            rules: self.paths.rules,
            image_cover,
            characters,
            tagged_forms: self.tagged_forms,
            diags,
        }
    }
}

/// Moves and scales the form's box, as its matrix leaves it, onto `rect` (ISO 32000-1, 12.5.5).
fn fit(matrix: &Matrix, [xa, ya, xb, yb]: [f64; 4], rect: [f64; 4]) -> Matrix {
    let corners = [(xa, ya), (xb, ya), (xa, yb), (xb, yb)].map(|(x, y)| matrix.point(x, y));
    let bounds = |values: [f64; 4]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        (low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low)
    };
    let ((x, width), (y, height)) = (bounds(corners.map(|c| c.0)), bounds(corners.map(|c| c.1)));
    let [ra, rb, rc, rd] = rect;
    let scale = |to: f64, from: f64| if from > 1e-6 { to.abs() / from } else { 1.0 };
    let (sx, sy) = (scale(rc - ra, width), scale(rd - rb, height));
    Matrix([sx, 0.0, 0.0, sy, ra.min(rc) - x * sx, rb.min(rd) - y * sy])
}

impl Drawn {
    /// The page, with its label.
    pub(crate) fn into_page(
        self,
        id: PageId,
        label: Option<String>,
        geometry: PageGeometry,
        tags: BTreeMap<u32, Tag>,
    ) -> (Page, Vec<Diag>) {
        let Self { runs, rules, image_cover, characters: _, tagged_forms: _, diags } = self;
        (Page { id, label, geometry, runs, rules, image_cover, tags }, diags)
    }
}
