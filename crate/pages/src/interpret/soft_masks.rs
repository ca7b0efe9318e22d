//! Soft masks of graphics states: where nothing of what is painted through one can be seen.
//!
//! The form that a mask is made of is interpreted on a page of its own, once, when text is first shown through it. Where
//! that page stays black, or for masks of alpha empty, text is invisible. Areas of unknown colour let text through.

use lopdf::{Dictionary, Object, Stream};

use super::colour::{self, BLACK, Colour, ColourSpace, Paint, WHITE};
use super::interpreter::{Interpreter, StreamContext};
use super::marked::MarkedContext;
use super::paint_sources::{Painted, SoftMask};
use super::state::{GraphicsState, Matrix};
use crate::objects::{number, reference};
use document::Rect;

/// Maximum soft masks of a page; further ones hide nothing.
const MAX_MASKS: usize = 100;

impl<'a> Interpreter<'a, '_> {
    /// Number of a soft mask, set in this state.
    pub(super) fn soft_mask(&mut self, dict: &'a Dictionary, state: &GraphicsState) -> usize {
        self.add_mask(dict, state.ctm, None)
    }

    /// Number of the soft mask of a state together with that of the groups around it.
    pub(super) fn group_mask(&mut self, state: &GraphicsState) -> Option<usize> {
        let mask = state.mask.and_then(|idx| self.masks.get(idx)).map(|mask| (mask.dict, mask.ctm));
        match (mask, state.group.mask) {
            (Some((dict, ctm)), outer) => Some(self.add_mask(dict, ctm, outer)),
            (None, outer) => outer,
        }
    }

    fn add_mask(&mut self, dict: &'a Dictionary, ctm: Matrix, outer: Option<usize>) -> usize {
        let is_same =
            |mask: &SoftMask<'_>| std::ptr::eq(mask.dict, dict) && mask.ctm == ctm && mask.outer == outer;
        if let Some(known) = self.masks.iter().position(is_same) {
            return known;
        }
        if self.masks.len() < MAX_MASKS {
            self.masks.push(SoftMask { dict, ctm, outer, painted: None });
        } else if let Some(last) = self.masks.last_mut() {
            *last = SoftMask { dict, ctm, outer: None, painted: Some(Painted::Unknown) };
        }
        self.masks.len() - 1
    }

    /// Makes the soft masks of a state ready for [`Self::is_masked`].
    pub(super) fn interpret_masks(&mut self, state: &GraphicsState) {
        for start in [state.mask, state.group.mask] {
            let mut next = start;
            while let Some(idx) = next {
                let Some(mask) = self.masks.get(idx) else { break };
                next = mask.outer.filter(|&outer| outer < idx);
                if mask.painted.is_none() {
                    let (dict, ctm) = (mask.dict, mask.ctm);
                    // A mask within its own form hides nothing.
                    self.set_painted(idx, Painted::Unknown);
                    let painted = self.painted_by(dict, ctm);
                    self.set_painted(idx, painted);
                }
            }
        }
    }

    fn set_painted(&mut self, idx: usize, painted: Painted) {
        if let Some(mask) = self.masks.get_mut(idx) {
            mask.painted = Some(painted);
        }
    }

    /// True if nothing of what a state paints into a box can be seen through its soft masks.
    pub(super) fn is_masked(&mut self, state: &GraphicsState, rect: &Rect) -> bool {
        [state.mask, state.group.mask].into_iter().any(|start| {
            let mut next = start;
            while let Some(idx) = next {
                let Some(mask) = self.masks.get_mut(idx) else { break };
                if let Some(Painted::Areas(areas)) = &mut mask.painted {
                    let before = areas.steps();
                    let is_hidden = areas.hides(rect, BLACK);
                    self.objects.meter.steps(areas.steps() - before);
                    if is_hidden {
                        return true;
                    }
                }
                next = mask.outer.filter(|&outer| outer < idx);
            }
            false
        })
    }

    fn painted_by(&mut self, mask: &'a Dictionary, ctm: Matrix) -> Painted {
        let objects = self.objects;
        let transfer = objects.get(mask, b"TR");
        let Some(form) = objects.stream(mask, b"G") else { return Painted::Unknown };
        let is_plain =
            transfer.is_none_or(|transfer| transfer.as_name().is_ok_and(|name| name == b"Identity"));
        let is_alpha = objects.name(mask, b"S") == Some(b"Alpha");
        let Some(paper) = self.mask_paper(mask, form).filter(|_| is_plain) else { return Painted::Unknown };
        let id = mask.get(b"G").ok().and_then(reference);
        let geometry = self.geometry;
        let aside = self.aside(geometry, |interpreter| {
            let state = GraphicsState::new(ctm);
            interpreter.form(id, form, &mut StreamContext::new(None, state, MarkedContext::default()));
        });
        let mut areas = aside.paths.backdrop;
        if is_alpha {
            areas.forget_colours();
        }
        for run in &aside.runs {
            areas.paint(run.rect, None, false);
        }
        Painted::Areas(if is_alpha { areas.on(BLACK) } else { areas.on(paper) })
    }

    /// Colour of the mask where its form paints nothing; `None` if it is unknown.
    fn mask_paper(&self, mask: &'a Dictionary, form: &'a Stream) -> Option<Colour> {
        let objects = self.objects;
        let Some(parts) = objects.array(mask, b"BC") else { return Some(BLACK) };
        let parts: Vec<f64> = parts.iter().filter_map(|part| number(objects.resolve(part))).collect();
        let group = objects.dict(&form.dict, b"Group");
        let space = match group.and_then(|group| objects.get(group, b"CS")) {
            Some(Object::Name(name)) => colour::space(&objects, None, name),
            Some(Object::Array(array)) => colour::of_array(&objects, array),
            _ => match parts.len() {
                1 => ColourSpace::Gray,
                3 => ColourSpace::Rgb,
                4 => ColourSpace::Cmyk,
                _ => ColourSpace::Unknown,
            },
        };
        // Without a known colour it may be white, which hides nothing.
        Some(Paint::of(space, &parts).colour.unwrap_or(WHITE))
    }
}
