//! Content streams of pages, forms and images.

use document::{PageGeometry, PageId};
use lopdf::{Dictionary, Object, ObjectId, Stream};

use super::interpreter::{FileResources, Interpreter, PageContent, StreamContext};
use super::marked::MarkedContext;
use super::paths::Picture;
use super::state::{GraphicsState, Matrix};
use crate::lexer::{Lexer, Operand, Token};
use crate::objects::{Objects, reference};

/// Maximum operands of one operator.
const MAX_OPERANDS: usize = 64;

/// Interprets the content of the page with this dictionary.
pub(crate) fn interpret<'a>(
    objects: &Objects<'a>,
    file: &FileResources<'_>,
    id: PageId,
    page: &'a Dictionary,
    resources: Option<&'a Dictionary>,
    geometry: PageGeometry,
) -> PageContent {
    let mut interpreter = Interpreter::new(objects, file, geometry);
    if let Some(unit) = objects.number(page, b"UserUnit") {
        #[expect(clippy::cast_possible_truncation, reason = "a unit of some points")]
        let unit = unit.clamp(1.0, 1e4) as f32;
        interpreter.runs.unit = unit;
    }
    let content = interpreter.page_content(page);
    let state = GraphicsState::new(Matrix::IDENTITY);
    let mut context = StreamContext::new(resources, state, MarkedContext::default());
    interpreter.run(&content, &mut context);
    interpreter.annotations(page);
    interpreter.finish(id)
}

impl<'a> Interpreter<'a, '_> {
    /// Content streams of the page, joined by line ends: no token spans two streams.
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
            self.record_limit("bytes of content on a page", self.objects.limits.stream_bytes);
            return;
        }
        if content.is_empty() {
            *content = data;
        } else {
            content.push(b'\n');
            content.extend_from_slice(&data);
        }
    }

    /// Executes one content stream.
    pub(super) fn run(&mut self, content: &[u8], context: &mut StreamContext<'a>) {
        self.objects.meter.steps(content.len());
        let mut lexer = Lexer::new(content);
        let mut operands: Vec<Operand> = Vec::new();
        // A path that one stream leaves open is not painted by the next.
        self.paths.discard();
        while let Some(token) = lexer.next_token() {
            match token {
                Token::Operand(operand) => {
                    if operands.len() < MAX_OPERANDS {
                        operands.push(operand);
                    }
                }
                Token::Operator(operator) => {
                    let Some(left) = self.operators_left.checked_sub(1) else {
                        self.record_limit("operators on a page", self.objects.limits.page_operators);
                        break;
                    };
                    self.operators_left = left;
                    if !self.objects.meter.operator() {
                        break;
                    }
                    self.operator(operator, &operands, context, &mut lexer);
                    operands.clear();
                }
            }
        }
        self.paths.discard();
        context.n_unkept_marked = 0;
        while !context.marked.is_empty() {
            self.end_marked(context);
        }
    }

    /// `Do`: interprets a form in place, or counts the area of an image.
    pub(super) fn x_object(&mut self, name: &[u8], context: &mut StreamContext<'a>) {
        let objects = self.objects;
        let Some(x_objects) = context.resources.and_then(|resources| objects.dict(resources, b"XObject"))
        else {
            return;
        };
        let Ok(object) = x_objects.get(name) else { return };
        let id = reference(object);
        let Object::Stream(stream) = objects.resolve(object) else { return };
        let is_hidden = context.mark().hidden || self.is_off(&stream.dict);
        match objects.name(&stream.dict, b"Subtype") {
            Some(b"Image") if !is_hidden => self.image_object(&context.state, stream),
            Some(b"Form") | None => self.form_in(id, stream, context, is_hidden),
            _ => {}
        }
    }

    /// Interprets a form XObject.
    pub(super) fn form(&mut self, id: Option<ObjectId>, form: &'a Stream, context: &mut StreamContext<'a>) {
        self.form_in(id, form, context, context.mark().hidden);
    }

    /// Interprets a form XObject in optional content that is off or not.
    fn form_in(
        &mut self,
        id: Option<ObjectId>,
        form: &'a Stream,
        context: &mut StreamContext<'a>,
        is_hidden: bool,
    ) {
        let objects = self.objects;
        if self.forms.len() >= objects.limits.form_depth {
            self.record_limit("forms within forms", objects.limits.form_depth);
            return;
        }
        let id = id.unwrap_or_default();
        if id != ObjectId::default() && self.forms.contains(&id) {
            return;
        }
        let Some(content) = self.form_data(form) else { return };
        let mut state = context.state.clone();
        if let Some(matrix) = objects.numbers::<6>(&form.dict, b"Matrix") {
            state.ctm = Matrix(matrix).then(&state.ctm);
        }
        if objects.dict(&form.dict, b"Group").and_then(|group| objects.name(group, b"S"))
            == Some(b"Transparency")
        {
            let mask = self.group_mask(&state);
            state.enter_group(mask);
        }
        let resources = objects.dict(&form.dict, b"Resources").or(context.resources);
        if let Some(form_box) = objects.numbers::<4>(&form.dict, b"BBox") {
            self.paths.clip_to(&mut state, form_box);
        }
        let mut inner = StreamContext::new(resources, state, context.mark());
        inner.outer.hidden = is_hidden;
        inner.mcid_base = context.mcid_base;
        // A form with structure of its own has its own range of marked-content ids.
        if form.dict.has(b"StructParents") {
            inner.outer.mcid = None;
            inner.mcid_base = self.mcid_base(id);
        }
        self.forms.push(id);
        self.run(&content, &mut inner);
        self.forms.pop();
    }

    /// Counts the area of an image, which fills the unit square of user space.
    pub(super) fn image(&mut self, state: &GraphicsState, picture: Picture) {
        let ctm = &state.ctm;
        self.paths.image(state, picture);
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
}
