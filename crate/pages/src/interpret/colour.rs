//! Colours, as far as seeing whether text can be told from what lies beneath it needs them.
//!
//! Device colours and those of ICC profiles by their number of components. What would take a profile or a
//! function to know (spot inks, indexed colours, patterns) is unknown, and the unknown hides nothing.

use lopdf::{Dictionary, Object};

use crate::objects::{Objects, integer};

/// Red, green and blue, 0 to 1.
pub(super) type Colour = [f32; 3];

/// The colour of ink that is black, which every page begins with.
const BLACK: Colour = [0.0; 3];
pub(super) const WHITE: Colour = [1.0; 3];
/// How far two colours may lie apart in a component and still look the same.
const NEAR: f32 = 0.04;

/// What the numbers of a colour operator mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
    Lab,
    /// Amounts of spot inks: none of them is paper.
    Inks,
    Unknown,
}

/// The current colour with its space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paint {
    pub(super) space: Space,
    /// `None` where it cannot be told.
    pub(super) colour: Option<Colour>,
}

impl Paint {
    pub(super) const INITIAL: Self = Self { space: Space::Gray, colour: Some(BLACK) };

    /// The first colour of a space (ISO 32000-1, table 74).
    pub(super) fn first_of(space: Space) -> Self {
        let known = matches!(space, Space::Gray | Space::Rgb | Space::Cmyk | Space::Lab);
        Self { space, colour: known.then_some(BLACK) }
    }

    /// The colour of these components.
    pub(super) fn of(space: Space, parts: &[f64]) -> Self {
        let unit = |n: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
            let n = n.clamp(0.0, 1.0) as f32;
            n
        };
        let colour = match (space, parts) {
            (Space::Gray, [gray]) => Some([unit(*gray); 3]),
            (Space::Rgb, [r, g, b]) => Some([unit(*r), unit(*g), unit(*b)]),
            (Space::Cmyk, [c, m, y, k]) => Some([c, m, y].map(|ink| unit((1.0 - ink) * (1.0 - k)))),
            (Space::Lab, [l, a, b]) if a.abs() < 2.0 && b.abs() < 2.0 => Some([unit(l / 100.0); 3]),
            (Space::Inks, inks) if !inks.is_empty() && inks.iter().all(|ink| *ink <= 0.0) => Some(WHITE),
            _ => None,
        };
        Self { space, colour }
    }

    /// Whether it leaves white paper white.
    pub(super) fn is_white(&self) -> bool {
        self.colour.is_some_and(|colour| colour.iter().all(|part| *part >= 0.999))
    }
}

/// Whether nobody could tell the two apart.
pub(super) fn same(a: Colour, b: Colour) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= NEAR)
}

/// The space that a `cs` operand names, in the resources where it is no device space.
pub(super) fn space<'a>(objects: &Objects<'a>, resources: Option<&'a Dictionary>, name: &[u8]) -> Space {
    if let Some(space) = device(name) {
        return space;
    }
    let spaces = resources.and_then(|resources| objects.dict(resources, b"ColorSpace"));
    match spaces.and_then(|spaces| objects.get(spaces, name)) {
        Some(Object::Name(name)) => device(name).unwrap_or(Space::Unknown),
        Some(Object::Array(parts)) => of_array(objects, parts),
        _ => Space::Unknown,
    }
}

fn device(name: &[u8]) -> Option<Space> {
    Some(match name {
        b"DeviceGray" | b"G" | b"CalGray" => Space::Gray,
        b"DeviceRGB" | b"RGB" | b"CalRGB" => Space::Rgb,
        b"DeviceCMYK" | b"CMYK" => Space::Cmyk,
        b"Pattern" => Space::Unknown,
        _ => return None,
    })
}

fn of_array<'a>(objects: &Objects<'a>, parts: &'a [Object]) -> Space {
    let part = |idx: usize| parts.get(idx).map(|object| objects.resolve(object));
    match part(0).and_then(|kind| kind.as_name().ok()) {
        Some(b"ICCBased") => {
            let profile = part(1).and_then(|profile| profile.as_stream().ok());
            match profile.and_then(|profile| objects.get(&profile.dict, b"N")).and_then(integer) {
                Some(1) => Space::Gray,
                Some(3) => Space::Rgb,
                Some(4) => Space::Cmyk,
                _ => Space::Unknown,
            }
        }
        Some(b"Lab") => Space::Lab,
        Some(b"Separation" | b"DeviceN") => Space::Inks,
        Some(name) => device(name).unwrap_or(Space::Unknown),
        None => Space::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_white_in_every_space_that_can_be_told() {
        for (space, parts, white) in [
            (Space::Gray, &[1.0][..], true),
            (Space::Gray, &[0.9], false),
            (Space::Rgb, &[1.0, 1.0, 1.0], true),
            (Space::Cmyk, &[0.0, 0.0, 0.0, 0.0], true),
            (Space::Cmyk, &[0.0, 0.0, 0.0, 1.0], false),
            (Space::Lab, &[100.0, 0.0, 0.0], true),
            (Space::Inks, &[0.0], true),
            (Space::Inks, &[1.0], false),
            (Space::Unknown, &[1.0], false),
        ] {
            assert_eq!(Paint::of(space, parts).is_white(), white, "{space:?} {parts:?}");
        }
    }
}
