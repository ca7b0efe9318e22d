//! Images: whether they hide what lies below them, and their colour if they have only one.
//!
//! An image with a mask hides something only if the mask leaves all of it; masks and small images are decoded to know.

use lopdf::{Dictionary, Object, Stream};

use super::colour::Colour;
use super::interpreter::Interpreter;
use super::paths::Picture;
use super::state::GraphicsState;
use crate::lexer::Operand;

/// Maximum samples of an image that is decoded.
const MAX_SAMPLES: i64 = 4_000_000;
/// Maximum size as stored of an image that is decoded to see if it has one colour, per sample: real pictures need more.
const MAX_DENSITY: f64 = 0.02;
/// Samples of images that are decoded whatever their density.
const SMALL: i64 = 4_096;
/// Minimum value of a soft mask that leaves the image opaque, of 255.
const MIN_OPAQUE: u8 = 245;

impl<'a> Interpreter<'a, '_> {
    /// Paints an image.
    pub(super) fn image_object(&mut self, state: &GraphicsState, stream: &'a Stream) {
        let picture = if self.paths.is_image_over_text(state) {
            self.picture(state, stream)
        } else {
            let masks: [&[u8]; 4] = [b"ImageMask", b"SMask", b"Mask", b"SMaskInData"];
            Picture { is_opaque: !masks.iter().any(|key| stream.dict.has(key)), ..Picture::default() }
        };
        self.image(state, picture);
    }

    fn picture(&mut self, state: &GraphicsState, stream: &'a Stream) -> Picture {
        let objects = self.objects;
        if let Some(Object::Boolean(true)) = objects.get(&stream.dict, b"ImageMask") {
            // A stencil paints where it is 0, in the current colour.
            let is_painted = self.plain_value(stream)
                == Some(if is_inverted(objects.array(&stream.dict, b"Decode")) { 255 } else { 0 });
            return Picture {
                is_opaque: is_painted && state.fill.pattern.is_none(),
                is_plain: true,
                colour: state.fill.colour,
            };
        }
        let in_data = objects.integer(&stream.dict, b"SMaskInData").unwrap_or(0) != 0;
        let soft = objects.stream(&stream.dict, b"SMask");
        let hard = objects.get(&stream.dict, b"Mask");
        let is_opaque = !in_data
            && soft.is_none_or(|mask| {
                !is_inverted(objects.array(&mask.dict, b"Decode"))
                    && self.plain_value(mask).is_some_and(|value| value >= MIN_OPAQUE)
            })
            && match hard {
                None => true,
                Some(Object::Stream(mask)) => {
                    !is_inverted(objects.array(&mask.dict, b"Decode")) && self.plain_value(mask) == Some(0)
                }
                // Samples of some colours are left out.
                Some(_) => false,
            };
        let value = if is_opaque { self.plain_value(stream) } else { None };
        Picture {
            is_opaque,
            is_plain: value.is_some(),
            colour: value.and_then(|value| self.gray(&stream.dict, value)),
        }
    }

    /// Colour of an image all of whose bytes have this value, if it is a gray.
    fn gray(&self, image: &'a Dictionary, value: u8) -> Option<Colour> {
        let objects = self.objects;
        let is_gray =
            matches!(objects.name(image, b"ColorSpace"), Some(b"DeviceGray" | b"DeviceRGB" | b"CalGray"));
        let deep = objects.integer(image, b"BitsPerComponent").is_some_and(|bits| bits == 8)
            || value == 0
            || value == 255;
        (is_gray && deep && objects.array(image, b"Decode").is_none()).then(|| [f32::from(value) / 255.0; 3])
    }

    /// Value of all bytes of an image, if it is known to have only one.
    fn plain_value(&mut self, stream: &'a Stream) -> Option<u8> {
        let id = std::ptr::from_ref(stream) as usize;
        if let Some(&known) = self.plain_values.get(&id) {
            return known;
        }
        let objects = self.objects;
        let side = |key: &[u8]| objects.integer(&stream.dict, key).unwrap_or(0).clamp(0, 1 << 20);
        let samples = side(b"Width") * side(b"Height");
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let is_dense = stream.content.len() as f64 > MAX_DENSITY * samples as f64;
        let value = if samples > MAX_SAMPLES || samples > SMALL && is_dense || self.over_bytes() {
            None
        } else {
            objects.data(stream).ok().and_then(|data| {
                let (&first, rest) = data.split_first()?;
                rest.iter().all(|&byte| byte == first).then_some(first)
            })
        };
        self.plain_values.insert(id, value);
        value
    }
}

/// An inline image with these keys and values. It has no mask, unless it is one: a stencil.
pub(super) fn inline(entries: &[Operand]) -> Picture {
    let is_stencil = entries
        .iter()
        .any(|entry| matches!(entry, Operand::Name(key) if matches!(key.as_slice(), b"IM" | b"ImageMask")));
    Picture { is_opaque: !is_stencil, ..Picture::default() }
}

/// True if a `Decode` array maps the lowest sample to the highest value.
fn is_inverted(decode: Option<&[Object]>) -> bool {
    let first = decode.and_then(|decode| decode.first()).and_then(crate::objects::number);
    first.is_some_and(|first| first >= 0.5)
}
