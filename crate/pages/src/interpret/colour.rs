//! Colours, as far as the visibility of text against its backdrop needs them.
//!
//! Device colours, and ICC profiles by their number of components. Colours that need a profile or a function (spot
//! colours, indexed colours, patterns) are unknown, and an unknown colour hides nothing.

use lopdf::{Dictionary, Object};

use crate::objects::{Objects, integer};

/// Red, green and blue, 0 to 1.
pub(super) type Colour = [f32; 3];

/// Initial colour of every page.
pub(super) const BLACK: Colour = [0.0; 3];
pub(super) const WHITE: Colour = [1.0; 3];
/// Maximum difference per component of colours that look the same.
const TOLERANCE: f32 = 0.04;

/// Colour space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColourSpace {
    Gray,
    Rgb,
    Cmyk,
    Lab,
    /// Separation or DeviceN: amounts of spot colours, where no amount leaves the paper white.
    Spot,
    Unknown,
}

/// Blend modes by what they do to what lies below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blend {
    /// Replaces it.
    Normal,
    /// Darkens it: black covers it, and white leaves it as it is.
    Darkens,
    /// Lightens it: white covers it, and black leaves it as it is.
    Lightens,
    Other,
}

impl Blend {
    /// Blend mode of a `BM` entry, by its name.
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"Normal" | b"Compatible" => Self::Normal,
            b"Multiply" | b"Darken" => Self::Darkens,
            b"Screen" | b"Lighten" => Self::Lightens,
            _ => Self::Other,
        }
    }
}

/// Current colour and its space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paint {
    pub(super) space: ColourSpace,
    /// `None` if it is unknown.
    pub(super) colour: Option<Colour>,
    /// Pattern, by its number on the page; none if it is not in the resources.
    pub(super) pattern: Option<Option<usize>>,
}

impl Paint {
    pub(super) const INITIAL: Self = Self { space: ColourSpace::Gray, colour: Some(BLACK), pattern: None };

    /// Initial colour of a space (ISO 32000-1, table 74).
    pub(super) fn initial(space: ColourSpace) -> Self {
        let known =
            matches!(space, ColourSpace::Gray | ColourSpace::Rgb | ColourSpace::Cmyk | ColourSpace::Lab);
        Self { space, colour: known.then_some(BLACK), pattern: None }
    }

    /// Colour of these components.
    pub(super) fn of(space: ColourSpace, parts: &[f64]) -> Self {
        let unit = |n: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
            let n = n.clamp(0.0, 1.0) as f32;
            n
        };
        let colour = match (space, parts) {
            (ColourSpace::Gray, [gray]) => Some([unit(*gray); 3]),
            (ColourSpace::Rgb, [r, g, b]) => Some([unit(*r), unit(*g), unit(*b)]),
            (ColourSpace::Cmyk, [c, m, y, k]) => Some([c, m, y].map(|ink| unit((1.0 - ink) * (1.0 - k)))),
            (ColourSpace::Lab, [l, a, b]) if a.abs() < 2.0 && b.abs() < 2.0 => Some([unit(l / 100.0); 3]),
            (ColourSpace::Spot, inks) if !inks.is_empty() && inks.iter().all(|ink| *ink <= 0.0) => {
                Some(WHITE)
            }
            _ => None,
        };
        Self { space, colour, pattern: None }
    }

    /// Pattern of this number on the page; `None` if it is not in the resources.
    pub(super) fn of_pattern(space: ColourSpace, pattern: Option<usize>) -> Self {
        Self { space, colour: None, pattern: Some(pattern) }
    }

    /// True if it is white.
    pub(super) fn is_white(&self) -> bool {
        self.colour.is_some_and(|colour| colour.iter().all(|part| *part >= 0.999))
    }
}

/// True if two colours look the same.
pub(super) fn look_same(a: Colour, b: Colour) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE)
}

/// Colour space of a `cs` operand: a device space, or one of the resources.
pub(super) fn space<'a>(
    objects: &Objects<'a>,
    resources: Option<&'a Dictionary>,
    name: &[u8],
) -> ColourSpace {
    if let Some(space) = device(name) {
        return space;
    }
    let spaces = resources.and_then(|resources| objects.dict(resources, b"ColorSpace"));
    match spaces.and_then(|spaces| objects.get(spaces, name)) {
        Some(Object::Name(name)) => device(name).unwrap_or(ColourSpace::Unknown),
        Some(Object::Array(parts)) => of_array(objects, parts),
        _ => ColourSpace::Unknown,
    }
}

/// Device or CIE-based space of this name; `None` for names in the resources.
fn device(name: &[u8]) -> Option<ColourSpace> {
    Some(match name {
        b"DeviceGray" | b"G" | b"CalGray" => ColourSpace::Gray,
        b"DeviceRGB" | b"RGB" | b"CalRGB" => ColourSpace::Rgb,
        b"DeviceCMYK" | b"CMYK" => ColourSpace::Cmyk,
        b"Pattern" => ColourSpace::Unknown,
        _ => return None,
    })
}

/// Colour space of an array.
pub(super) fn of_array<'a>(objects: &Objects<'a>, parts: &'a [Object]) -> ColourSpace {
    let part = |idx: usize| parts.get(idx).map(|object| objects.resolve(object));
    match part(0).and_then(|kind| kind.as_name().ok()) {
        Some(b"ICCBased") => {
            let profile = part(1).and_then(|profile| profile.as_stream().ok());
            match profile.and_then(|profile| objects.get(&profile.dict, b"N")).and_then(integer) {
                Some(1) => ColourSpace::Gray,
                Some(3) => ColourSpace::Rgb,
                Some(4) => ColourSpace::Cmyk,
                _ => ColourSpace::Unknown,
            }
        }
        Some(b"Lab") => ColourSpace::Lab,
        Some(b"Separation" | b"DeviceN") => ColourSpace::Spot,
        Some(name) => device(name).unwrap_or(ColourSpace::Unknown),
        None => ColourSpace::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_recognized_in_every_known_space() {
        for (space, parts, white) in [
            (ColourSpace::Gray, &[1.0][..], true),
            (ColourSpace::Gray, &[0.9], false),
            (ColourSpace::Rgb, &[1.0, 1.0, 1.0], true),
            (ColourSpace::Cmyk, &[0.0, 0.0, 0.0, 0.0], true),
            (ColourSpace::Cmyk, &[0.0, 0.0, 0.0, 1.0], false),
            (ColourSpace::Lab, &[100.0, 0.0, 0.0], true),
            (ColourSpace::Spot, &[0.0], true),
            (ColourSpace::Spot, &[1.0], false),
            (ColourSpace::Unknown, &[1.0], false),
        ] {
            assert_eq!(Paint::of(space, parts).is_white(), white, "{space:?} {parts:?}");
        }
    }
}
