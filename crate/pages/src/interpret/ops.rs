//! The operators, one arm each (ISO 32000-1, Annex A). Those without effect on text or rules are not listed.

use std::sync::LazyLock;

use lopdf::{Dictionary, Object};

use super::colour::{self, Paint, Space};
use super::runs::Piece;
use super::state::Matrix;
use super::{Interpreter, MAX_SAVED, Scope};
use crate::lexer::{Lexer, Operand, Token, is_space};
use crate::objects::number;

/// Stands for a font that the resources do not have.
static NO_FONT: LazyLock<Dictionary> = LazyLock::new(Dictionary::new);
/// Text sizes past this, in user space units, are mistakes.
const MAX_SIZE: f64 = 1e5;

impl<'a> Interpreter<'a, '_> {
    pub(super) fn operator(
        &mut self,
        operator: &[u8],
        operands: &mut [Operand],
        scope: &mut Scope<'a>,
        lexer: &mut Lexer<'_>,
    ) {
        match operator {
            // Graphics state.
            b"q" if scope.saved.len() < MAX_SAVED => scope.saved.push(scope.state.clone()),
            b"Q" => {
                if let Some(state) = scope.saved.pop() {
                    scope.state = state;
                }
            }
            b"cm" => {
                if let Some(matrix) = numbers::<6>(operands) {
                    scope.state.ctm = Matrix(matrix).then(&scope.state.ctm);
                }
            }
            b"w" => set(operands, &mut scope.state.line_width),
            b"gs" => self.graphics_state(operands, scope),
            b"g" => scope.state.fill = paint(Space::Gray, operands),
            b"rg" => scope.state.fill = paint(Space::Rgb, operands),
            b"k" => scope.state.fill = paint(Space::Cmyk, operands),
            b"sc" | b"scn" => scope.state.fill = paint(scope.state.fill.space, operands),
            b"cs" => scope.state.fill = self.first_paint(operands, scope),
            b"G" => scope.state.stroke = paint(Space::Gray, operands),
            b"RG" => scope.state.stroke = paint(Space::Rgb, operands),
            b"K" => scope.state.stroke = paint(Space::Cmyk, operands),
            b"SC" | b"SCN" => scope.state.stroke = paint(scope.state.stroke.space, operands),
            b"CS" => scope.state.stroke = self.first_paint(operands, scope),

            // Paths.
            b"m" => with(operands, |[x, y]| self.paths.move_to(&scope.state.ctm, x, y)),
            b"l" => with(operands, |[x, y]| self.paths.line_to(&scope.state.ctm, x, y)),
            b"c" => with(operands, |[xa, ya, xb, yb, x, y]| {
                self.paths.curve_to(&scope.state.ctm, &[(xa, ya), (xb, yb)], x, y);
            }),
            b"v" | b"y" => {
                with(operands, |[xa, ya, x, y]| self.paths.curve_to(&scope.state.ctm, &[(xa, ya)], x, y));
            }
            b"h" => self.paths.close(),
            b"re" => with(operands, |[x, y, width, height]| {
                self.paths.rectangle(&scope.state.ctm, x, y, width, height);
            }),
            b"S" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"n" => self.paint(operator, scope),
            b"s" | b"b" | b"b*" => {
                self.paths.close();
                self.paint(operator, scope);
            }

            b"W" | b"W*" => self.paths.clips = true,
            b"sh" => self.paths.cover_all(&scope.state),

            // Text objects, state and positions.
            b"BT" => {
                scope.text_matrix = Matrix::IDENTITY;
                scope.line_matrix = Matrix::IDENTITY;
            }
            b"Tc" => set(operands, &mut scope.state.char_space),
            b"Tw" => set(operands, &mut scope.state.word_space),
            b"Tz" => {
                if let Some([percent]) = numbers(operands) {
                    scope.state.scale = (percent / 100.0).clamp(-100.0, 100.0);
                }
            }
            b"TL" => set(operands, &mut scope.state.leading),
            b"Ts" => set(operands, &mut scope.state.rise),
            b"Tr" => {
                if let Some([mode]) = numbers(operands) {
                    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
                    let mode = mode as i64;
                    scope.state.render = mode;
                }
            }
            b"Tf" => self.select_font(operands, scope),
            b"Td" => with(operands, |[x, y]| next_line(scope, x, y)),
            b"TD" => with(operands, |[x, y]| {
                scope.state.leading = -y;
                next_line(scope, x, y);
            }),
            b"Tm" => {
                if let Some(matrix) = numbers::<6>(operands) {
                    scope.line_matrix = Matrix::IDENTITY.then(&Matrix(matrix));
                    scope.text_matrix = scope.line_matrix;
                }
            }
            b"T*" => new_line(scope),

            // Showing text.
            b"Tj" => self.show(operands.last(), scope),
            b"'" => {
                new_line(scope);
                self.show(operands.last(), scope);
            }
            b"\"" => {
                if let [Operand::Number(word_space), Operand::Number(char_space), ..] = operands {
                    scope.state.word_space = *word_space;
                    scope.state.char_space = *char_space;
                }
                new_line(scope);
                self.show(operands.last(), scope);
            }
            b"TJ" => self.show(operands.last(), scope),

            // XObjects and inline images.
            b"Do" => {
                if let Some(Operand::Name(name)) = operands.last() {
                    self.x_object(name, scope);
                }
            }
            b"BI" => {
                skip_inline_image(lexer);
                if !scope.mark().hidden {
                    self.image(&scope.state);
                }
            }

            // Marked content.
            b"BMC" | b"BDC" => self.begin_marked(operands, scope),
            b"EMC" => self.end_marked(scope),
            _ => {}
        }
    }

    fn graphics_state(&mut self, operands: &[Operand], scope: &mut Scope<'a>) {
        let objects = self.objects;
        let Some(Operand::Name(name)) = operands.last() else { return };
        let states = scope.resources.and_then(|resources| objects.dict(resources, b"ExtGState"));
        let Some(state) = states.and_then(|states| objects.dict(states, name)) else { return };
        if let Some(width) = objects.number(state, b"LW") {
            scope.state.line_width = width;
        }
        if let Some(alpha) = objects.number(state, b"ca") {
            scope.state.fill_alpha = alpha;
        }
        if let Some(alpha) = objects.number(state, b"CA") {
            scope.state.stroke_alpha = alpha;
        }
        if state.has(b"SMask") || state.has(b"BM") {
            let plain = |key: &[u8], values: &[&[u8]]| match objects.get(state, key) {
                Some(Object::Name(name)) => values.contains(&name.as_slice()),
                Some(_) => false,
                None => true,
            };
            scope.state.covers = plain(b"SMask", &[b"None"]) && plain(b"BM", &[b"Normal", b"Compatible"]);
        }
        if let Some([font, size]) = objects.array(state, b"Font")
            && let (Object::Dictionary(font), Some(size)) =
                (objects.resolve(font), number(objects.resolve(size)))
        {
            scope.state.font = self.font(font);
            scope.state.font_size = size.clamp(-MAX_SIZE, MAX_SIZE);
        }
    }

    fn select_font(&mut self, operands: &[Operand], scope: &mut Scope<'a>) {
        let objects = self.objects;
        let [Operand::Name(name), Operand::Number(size)] = operands else { return };
        let fonts = scope.resources.and_then(|resources| objects.dict(resources, b"Font"));
        let font = fonts.and_then(|fonts| objects.dict(fonts, name));
        // Text in a font that is not there is read as in a standard one: viewers show it so.
        scope.state.font = self.font(font.unwrap_or(&NO_FONT));
        scope.state.font_size = size.clamp(-MAX_SIZE, MAX_SIZE);
    }

    fn show(&mut self, operand: Option<&Operand>, scope: &mut Scope<'a>) {
        let single;
        let pieces: &[Operand] = match operand {
            Some(Operand::Array(pieces)) => pieces,
            Some(string @ Operand::String(_)) => {
                single = std::slice::from_ref(string);
                single
            }
            _ => return,
        };
        let mark = scope.mark();
        let pieces = pieces.iter().filter_map(|piece| match piece {
            Operand::String(bytes) => Some(Piece::Text(bytes)),
            Operand::Number(n) => Some(Piece::Adjust(*n)),
            _ => None,
        });
        scope.text_matrix =
            self.runs.show(&scope.state, &scope.text_matrix, pieces, mark, &mut self.paths.ground);
    }

    fn paint(&mut self, operator: &[u8], scope: &mut Scope<'a>) {
        let hidden = scope.mark().hidden;
        let fills = !hidden && matches!(operator, b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*");
        let strokes = !hidden && matches!(operator, b"S" | b"s" | b"B" | b"B*" | b"b" | b"b*");
        self.paths.paint(&mut scope.state, fills, strokes);
    }

    /// The colour that a colour space begins with.
    fn first_paint(&self, operands: &[Operand], scope: &Scope<'a>) -> Paint {
        let Some(Operand::Name(name)) = operands.last() else { return Paint::first_of(Space::Unknown) };
        Paint::first_of(colour::space(&self.objects, scope.resources, name))
    }
}

/// The colour of the operands. A name at their end is a pattern, which has none.
fn paint(space: Space, operands: &[Operand]) -> Paint {
    if let Some(Operand::Name(_)) = operands.last() {
        return Paint { space, colour: None };
    }
    let parts: Vec<f64> =
        operands.iter().filter_map(|o| if let Operand::Number(n) = o { Some(*n) } else { None }).collect();
    Paint::of(space, &parts)
}

fn next_line(scope: &mut Scope<'_>, x: f64, y: f64) {
    scope.line_matrix = Matrix::translation(x, y).then(&scope.line_matrix);
    scope.text_matrix = scope.line_matrix;
}

fn new_line(scope: &mut Scope<'_>) {
    next_line(scope, 0.0, -scope.state.leading);
}

/// The last `N` operands, all numbers.
fn numbers<const N: usize>(operands: &[Operand]) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    let last = operands.get(operands.len().checked_sub(N)?..)?;
    for (slot, operand) in numbers.iter_mut().zip(last) {
        let Operand::Number(number) = operand else { return None };
        *slot = *number;
    }
    Some(numbers)
}

fn with<const N: usize>(operands: &[Operand], then: impl FnOnce([f64; N])) {
    if let Some(numbers) = numbers(operands) {
        then(numbers);
    }
}

fn set(operands: &[Operand], value: &mut f64) {
    if let Some([number]) = numbers(operands) {
        *value = number.clamp(-1e6, 1e6);
    }
}

/// Moves past the data of an inline image, to after its `EI`.
fn skip_inline_image(lexer: &mut Lexer<'_>) {
    // The dictionary: keys and values up to `ID`.
    for _ in 0..256 {
        match lexer.next_token() {
            Some(Token::Operator(b"ID")) | None => break,
            _ => {}
        }
    }
    let data = lexer.rest();
    let mut from = 0;
    // `EI` between white space, and what follows reads as text and not as more of the image.
    while let Some(at) = data.get(from..).and_then(|rest| rest.windows(2).position(|pair| pair == b"EI")) {
        let at = from + at;
        let before = at.checked_sub(1).and_then(|i| data.get(i)).is_none_or(|&b| is_space(b));
        let after = data.get(at + 2).is_none_or(|&b| is_space(b) || b == b'Q');
        let plain = data
            .get(at + 2..data.len().min(at + 18))
            .unwrap_or_default()
            .iter()
            .all(|&b| is_space(b) && b != 0 || (b' '..=b'~').contains(&b));
        if before && after && plain {
            lexer.skip(at + 2);
            return;
        }
        from = at + 2;
    }
    lexer.skip(data.len());
}
