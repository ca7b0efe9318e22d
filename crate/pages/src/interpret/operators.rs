//! Operators by the groups of the specification (ISO 32000-1, Annex A). Operators without effect on text, rules or
//! painted areas are ignored.

use std::sync::LazyLock;

use document::{Slice as _, Visibility};
use lopdf::{Dictionary, Object};

use super::colour::{self, Blend, ColourSpace, Paint};
use super::images;
use super::interpreter::{Interpreter, StreamContext};
use super::marked::{MarkedSequence, actual_text};
use super::paths::{FillRule, PathPainting};
use super::runs::TextElement;
use super::state::{GraphicsState, Matrix};
use crate::lexer::{Lexer, Operand, Token, is_space};
use crate::objects::{as_dict, integer, number};

/// Font of text whose font is not in the resources.
static NO_FONT: LazyLock<Dictionary> = LazyLock::new(Dictionary::new);
/// Maximum font size in user space units; larger ones are mistakes.
const MAX_SIZE: f64 = 1e5;
/// Maximum saved graphics states.
const MAX_SAVED: usize = 512;
/// Maximum open marked-content sequences that are kept.
const MAX_MARKED: usize = 512;

impl<'a> Interpreter<'a, '_> {
    /// Executes one operator.
    pub(super) fn operator(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
        lexer: &mut Lexer<'_>,
    ) {
        let _ = self.text_showing(operator, operands, context)
            || self.text_state(operator, operands, context)
            || text_positioning(operator, operands, context)
            || self.graphics_state(operator, operands, context)
            || self.colour(operator, operands, context)
            || self.path_construction(operator, operands, context)
            || self.path_painting(operator, operands, context)
            || self.marked_content(operator, operands, context)
            || self.external_object(operator, operands, context, lexer);
    }

    /// General and special graphics state operators; false if `operator` is none. So with the other groups.
    fn graphics_state(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
    ) -> bool {
        match operator {
            b"q" => {
                if context.saved.len() < MAX_SAVED {
                    context.saved.push(context.state.clone());
                }
            }
            b"Q" => {
                if let Some(state) = context.saved.pop() {
                    context.state = state;
                }
            }
            b"cm" => with(operands, |matrix| context.state.ctm = Matrix(matrix).then(&context.state.ctm)),
            b"w" => set(operands, &mut context.state.line_width),
            b"d" => {
                if let Some(Operand::Array(dashes)) = operands.first() {
                    context.state.dashed = !dashes.is_empty();
                }
            }
            b"gs" => self.parameter_dictionary(operands, context),
            _ => return false,
        }
        true
    }

    fn colour(&mut self, operator: &[u8], operands: &[Operand], context: &mut StreamContext<'a>) -> bool {
        let state = &mut context.state;
        match operator {
            b"g" => state.fill = paint(ColourSpace::Gray, operands),
            b"rg" => state.fill = paint(ColourSpace::Rgb, operands),
            b"k" => state.fill = paint(ColourSpace::Cmyk, operands),
            b"scn" if ends_with_name(operands) => {
                let pattern = self.pattern_operand(operands, context.resources);
                context.state.fill = Paint::of_pattern(context.state.fill.space, pattern);
            }
            b"SCN" if ends_with_name(operands) => {
                let pattern = self.pattern_operand(operands, context.resources);
                context.state.stroke = Paint::of_pattern(context.state.stroke.space, pattern);
            }
            b"sc" | b"scn" => state.fill = paint(state.fill.space, operands),
            b"cs" => state.fill = self.initial_paint(operands, context.resources),
            b"G" => state.stroke = paint(ColourSpace::Gray, operands),
            b"RG" => state.stroke = paint(ColourSpace::Rgb, operands),
            b"K" => state.stroke = paint(ColourSpace::Cmyk, operands),
            b"SC" | b"SCN" => state.stroke = paint(state.stroke.space, operands),
            b"CS" => state.stroke = self.initial_paint(operands, context.resources),
            _ => return false,
        }
        true
    }

    fn path_construction(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
    ) -> bool {
        let (paths, ctm) = (&mut self.paths, &context.state.ctm);
        match operator {
            b"m" => with(operands, |[x, y]| paths.move_to(ctm, x, y)),
            b"l" => with(operands, |[x, y]| paths.line_to(ctm, x, y)),
            b"c" => with(operands, |[xa, ya, xb, yb, x, y]| {
                paths.curve_to(ctm, Some((xa, ya)), (xb, yb), (x, y));
            }),
            b"v" => with(operands, |[xb, yb, x, y]| paths.curve_to(ctm, None, (xb, yb), (x, y))),
            b"y" => with(operands, |[xa, ya, x, y]| paths.curve_to(ctm, Some((xa, ya)), (x, y), (x, y))),
            b"h" => paths.close(),
            b"re" => with(operands, |[x, y, width, height]| paths.rectangle(ctm, x, y, width, height)),
            _ => return false,
        }
        true
    }

    /// Path painting, clipping path and shading operators.
    fn path_painting(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
    ) -> bool {
        let is_visible = !context.mark().hidden;
        let (fills, strokes) = match operator {
            b"n" => (None, false),
            b"f" | b"F" => (Some(FillRule::NonZero), false),
            b"f*" => (Some(FillRule::EvenOdd), false),
            b"S" | b"s" => (None, true),
            b"B" | b"b" => (Some(FillRule::NonZero), true),
            b"B*" | b"b*" => (Some(FillRule::EvenOdd), true),
            b"W" | b"W*" => {
                self.paths.clips = Some(if operator == b"W" { FillRule::NonZero } else { FillRule::EvenOdd });
                return true;
            }
            b"sh" => {
                if let Some(Operand::Name(name)) = operands.last().filter(|_| is_visible) {
                    let shading = self.shading(context.resources, name);
                    let is_opaque = shading.is_some_and(|shading| self.is_opaque_shading(shading));
                    self.paths.shade(&context.state, is_opaque);
                }
                return true;
            }
            _ => return false,
        };
        if matches!(operator, b"s" | b"b" | b"b*") {
            self.paths.close();
        }
        let fills = fills.filter(|_| is_visible);
        let sees_through = fills.is_some() && self.is_see_through(&context.state.fill);
        self.paths
            .paint(&mut context.state, PathPainting { fills, strokes: is_visible && strokes, sees_through });
        true
    }

    /// True if something below the current path may show through its fill.
    fn is_see_through(&mut self, fill: &Paint) -> bool {
        match fill.pattern {
            None => false,
            Some(None) => true,
            Some(Some(idx)) => {
                let is_over_text =
                    self.paths.extent().is_some_and(|extent| self.paths.covers.is_over_text(&extent));
                !is_over_text || !self.is_opaque_pattern(idx)
            }
        }
    }

    /// Number of the pattern that the last operand names.
    fn pattern_operand(&mut self, operands: &[Operand], resources: Option<&'a Dictionary>) -> Option<usize> {
        let Some(Operand::Name(name)) = operands.last() else { return None };
        self.pattern(resources, name)
    }

    /// Text state operators, and the beginning of a text object.
    fn text_state(&mut self, operator: &[u8], operands: &[Operand], context: &mut StreamContext<'a>) -> bool {
        let state = &mut context.state;
        match operator {
            b"BT" => {
                context.text_matrix = Matrix::IDENTITY;
                context.line_matrix = Matrix::IDENTITY;
            }
            b"Tc" => set(operands, &mut state.char_space),
            b"Tw" => set(operands, &mut state.word_space),
            b"Tz" => with(operands, |[percent]| state.scale = (percent / 100.0).clamp(-100.0, 100.0)),
            b"TL" => set(operands, &mut state.leading),
            b"Ts" => set(operands, &mut state.rise),
            b"Tr" => with(operands, |[mode]| {
                #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
                let mode = mode as i64;
                state.render = mode;
            }),
            b"Tf" => self.select_font(operands, context),
            _ => return false,
        }
        true
    }

    fn text_showing(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
    ) -> bool {
        match operator {
            b"Tj" | b"TJ" => {}
            b"'" => next_line(context),
            b"\"" => {
                if let [Operand::Number(word_space), Operand::Number(char_space), ..] = operands {
                    context.state.word_space = *word_space;
                    context.state.char_space = *char_space;
                }
                next_line(context);
            }
            _ => return false,
        }
        self.show(operands.last(), context);
        true
    }

    /// External objects and inline images.
    fn external_object(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
        lexer: &mut Lexer<'_>,
    ) -> bool {
        match operator {
            b"Do" => {
                if let Some(Operand::Name(name)) = operands.last() {
                    self.x_object(name, context);
                }
            }
            b"BI" => {
                let entries = skip_inline_image(lexer);
                if !context.mark().hidden {
                    self.image(&context.state, images::inline(&entries));
                }
            }
            _ => return false,
        }
        true
    }

    fn marked_content(
        &mut self,
        operator: &[u8],
        operands: &[Operand],
        context: &mut StreamContext<'a>,
    ) -> bool {
        match operator {
            b"BMC" | b"BDC" => self.begin_marked(operands, context),
            b"EMC" => self.end_marked(context),
            _ => return false,
        }
        true
    }

    /// `gs`: parameters from a graphics state parameter dictionary.
    fn parameter_dictionary(&mut self, operands: &[Operand], context: &mut StreamContext<'a>) {
        let objects = self.objects;
        let Some(Operand::Name(name)) = operands.last() else { return };
        let states = context.resources.and_then(|resources| objects.dict(resources, b"ExtGState"));
        let Some(state) = states.and_then(|states| objects.dict(states, name)) else { return };
        if let Some(width) = objects.number(state, b"LW") {
            context.state.line_width = width;
        }
        if let Some(alpha) = objects.number(state, b"ca") {
            context.state.fill_alpha = alpha;
        }
        if let Some(alpha) = objects.number(state, b"CA") {
            context.state.stroke_alpha = alpha;
        }
        if let Some([dashes, _]) = objects.array(state, b"D") {
            context.state.dashed = objects.resolve(dashes).as_array().is_ok_and(|dashes| !dashes.is_empty());
        }
        match objects.get(state, b"BM") {
            Some(Object::Name(name)) => context.state.blend = Blend::of(name),
            // The first mode that is known applies; this knows all that matter.
            Some(Object::Array(names)) => {
                let first = names.first().and_then(|name| objects.resolve(name).as_name().ok());
                context.state.blend = first.map_or(Blend::Other, Blend::of);
            }
            Some(_) => context.state.blend = Blend::Other,
            None => {}
        }
        match objects.get(state, b"SMask") {
            Some(Object::Dictionary(mask)) => {
                context.state.mask = Some(self.soft_mask(mask, &context.state));
            }
            Some(_) => context.state.mask = None,
            None => {}
        }
        if let Some([font, size]) = objects.array(state, b"Font")
            && let (Object::Dictionary(font), Some(size)) =
                (objects.resolve(font), number(objects.resolve(size)))
        {
            context.state.font = self.font(font);
            context.state.font_size = size.clamp(-MAX_SIZE, MAX_SIZE);
        }
    }

    /// `Tf`: selects a font and its size.
    fn select_font(&mut self, operands: &[Operand], context: &mut StreamContext<'a>) {
        let objects = self.objects;
        let [Operand::Name(name), Operand::Number(size)] = operands else { return };
        let fonts = context.resources.and_then(|resources| objects.dict(resources, b"Font"));
        let font = fonts.and_then(|fonts| objects.dict(fonts, name));
        // Text without a font is read as in a standard font: viewers show it so.
        context.state.font = self.font(font.unwrap_or(&NO_FONT));
        context.state.font_size = size.clamp(-MAX_SIZE, MAX_SIZE);
    }

    /// Shows a string, or an array of strings and adjustments.
    fn show(&mut self, operand: Option<&Operand>, context: &mut StreamContext<'a>) {
        let single;
        let elements: &[Operand] = match operand {
            Some(Operand::Array(elements)) => elements,
            Some(string @ Operand::String(_)) => {
                single = std::slice::from_ref(string);
                single
            }
            _ => return,
        };
        let mark = context.mark();
        let first = self.runs.runs.len();
        let elements = elements.iter().filter_map(|element| match element {
            Operand::String(bytes) => Some(TextElement::String(bytes)),
            Operand::Number(n) => Some(TextElement::Adjustment(*n)),
            _ => None,
        });
        context.text_matrix =
            self.runs.show(&context.state, &context.text_matrix, elements, mark, &mut self.paths);
        self.mask_runs(first, &context.state);
        context.state.clips_to_text |= context.state.render >= 4;
    }

    /// Hides the runs from this index on that a soft mask leaves nothing of.
    fn mask_runs(&mut self, first: usize, state: &GraphicsState) {
        if state.mask.is_none() && state.group.mask.is_none() || first >= self.runs.runs.len() {
            return;
        }
        self.interpret_masks(state);
        let mut idx = first;
        while let Some(rect) = self.runs.runs.get(idx).map(|run| run.rect) {
            if self.is_masked(state, &rect)
                && let Some(run) =
                    self.runs.runs.get_mut(idx).filter(|run| run.visibility == Visibility::Visible)
            {
                run.visibility = Visibility::Invisible;
            }
            idx += 1;
        }
    }

    /// Initial colour of the colour space that the last operand names.
    fn initial_paint(&self, operands: &[Operand], resources: Option<&'a Dictionary>) -> Paint {
        let Some(Operand::Name(name)) = operands.last() else {
            return Paint::initial(ColourSpace::Unknown);
        };
        Paint::initial(colour::space(&self.objects, resources, name))
    }

    /// `BMC` and `BDC`: begins a marked-content sequence.
    fn begin_marked(&mut self, operands: &[Operand], context: &mut StreamContext<'a>) {
        if context.marked.len() >= MAX_MARKED {
            context.n_unkept_marked += 1;
            return;
        }
        let objects = self.objects;
        let mut mark = context.mark();
        let (tag, mcid, text) = match operands {
            [.., Operand::Name(tag), Operand::Dictionary(list)] => {
                let mcid = list.get(b"MCID").ok().and_then(integer);
                (tag.as_slice(), mcid, list.get(b"ActualText").ok().and_then(actual_text))
            }
            [.., Operand::Name(tag), Operand::Name(name)] => {
                let lists = context.resources.and_then(|resources| objects.dict(resources, b"Properties"));
                let list = lists.and_then(|lists| lists.get(name).ok());
                mark.hidden |= tag == b"OC" && list.is_some_and(|list| self.is_hidden_by(list));
                let list: Option<&'a Dictionary> = list.and_then(|list| as_dict(objects.resolve(list)));
                let mcid = list.and_then(|list| objects.integer(list, b"MCID"));
                let text = list.and_then(|list| objects.get(list, b"ActualText")).and_then(actual_text);
                (tag.as_slice(), mcid, text)
            }
            [.., Operand::Name(tag)] => (tag.as_slice(), None, None),
            _ => (&b""[..], None, None),
        };
        let mcid = mcid.and_then(|id| u32::try_from(id).ok());
        mark.mcid = mcid.map(|id| context.mcid_base.saturating_add(id)).or(mark.mcid);
        mark.artifact |= tag == b"Artifact";
        let actual_text = text.filter(|_| !mark.replaced).map(|text| (text, self.runs.runs.len()));
        mark.replaced |= actual_text.is_some();
        context.marked.push(MarkedSequence { context: mark, actual_text });
    }

    /// `EMC`: ends a marked-content sequence and replaces its text by its `ActualText`.
    pub(super) fn end_marked(&mut self, context: &mut StreamContext<'a>) {
        if let Some(left) = context.n_unkept_marked.checked_sub(1) {
            context.n_unkept_marked = left;
            return;
        }
        let Some(MarkedSequence { actual_text: Some((text, first)), .. }) = context.marked.pop() else {
            return;
        };
        self.runs.replace_from(first, &text);
    }
}

/// True if the last operand is a name: that of a pattern.
fn ends_with_name(operands: &[Operand]) -> bool {
    matches!(operands.last(), Some(Operand::Name(_)))
}

/// Colour of these components.
fn paint(space: ColourSpace, operands: &[Operand]) -> Paint {
    let parts: Vec<f64> =
        operands.iter().filter_map(|o| if let Operand::Number(n) = o { Some(*n) } else { None }).collect();
    Paint::of(space, &parts)
}

fn text_positioning(operator: &[u8], operands: &[Operand], context: &mut StreamContext<'_>) -> bool {
    match operator {
        b"Td" => with(operands, |[x, y]| move_line(context, x, y)),
        b"TD" => with(operands, |[x, y]| {
            context.state.leading = -y;
            move_line(context, x, y);
        }),
        b"Tm" => with(operands, |matrix| {
            context.line_matrix = Matrix::IDENTITY.then(&Matrix(matrix));
            context.text_matrix = context.line_matrix;
        }),
        b"T*" => next_line(context),
        _ => return false,
    }
    true
}

/// Moves to the start of a line at this offset from the start of the current one.
fn move_line(context: &mut StreamContext<'_>, x: f64, y: f64) {
    context.line_matrix = Matrix::translation(x, y).then(&context.line_matrix);
    context.text_matrix = context.line_matrix;
}

/// Moves to the start of the next line.
fn next_line(context: &mut StreamContext<'_>) {
    move_line(context, 0.0, -context.state.leading);
}

/// The last `N` operands, if all are numbers.
fn numbers<const N: usize>(operands: &[Operand]) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let last = operands.get(operands.len().checked_sub(N)?..)?;
    for (slot, operand) in numbers.iter_mut().zip(last) {
        let Operand::Number(number) = operand else { return None };
        *slot = *number;
    }
    Some(numbers)
}

/// Calls `then` with the last `N` operands, if all are numbers.
fn with<const N: usize>(operands: &[Operand], then: impl FnOnce([f64; N])) {
    if let Some(numbers) = numbers(operands) {
        then(numbers);
    }
}

/// Sets a parameter to the last operand, if it is a number.
fn set(operands: &[Operand], value: &mut f64) {
    if let Some([number]) = numbers(operands) {
        *value = number.clamp(-1e6, 1e6);
    }
}

/// Skips the dictionary and data of an inline image and its `EI`; the keys and values of the dictionary.
fn skip_inline_image(lexer: &mut Lexer<'_>) -> Vec<Operand> {
    let mut entries = Vec::new();
    // Keys and values of the dictionary, up to `ID`.
    for _ in 0..256 {
        match lexer.next_token() {
            Some(Token::Operator(b"ID")) | None => break,
            Some(Token::Operand(operand)) => entries.push(operand),
            _ => {}
        }
    }
    let data = lexer.rest();
    let mut from = 0;
    // `EI` stands between white space, and text follows it, not more image data.
    while let Some(at) = data.get(from..).and_then(|rest| rest.windows(2).position(|pair| pair == b"EI")) {
        let at = from + at;
        let before = at.checked_sub(1).and_then(|i| data.get(i)).is_none_or(|&b| is_space(b));
        let after = data.get(at + 2).is_none_or(|&b| is_space(b) || b == b'Q');
        let plain = data
            .slice(at + 2..data.len().min(at + 18))
            .iter()
            .all(|&b| is_space(b) && b != 0 || (b' '..=b'~').contains(&b));
        if before && after && plain {
            lexer.skip(at + 2);
            return entries;
        }
        from = at + 2;
    }
    lexer.skip(data.len());
    entries
}
