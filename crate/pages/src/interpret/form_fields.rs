//! Text of form fields and free-text annotations without an appearance stream.
//!
//! Viewers draw one from the value, and a filled form without its answers would be misread. Positions are estimates
//! from the rectangle, the size in the default appearance and the widths of Helvetica: good enough to highlight the
//! field.

use document::{Attestation, FontStyle, PageGeometry, Pt, Rect, Run, Visibility};
use lopdf::{Dictionary, Object};

use super::script::is_rtl;
use crate::fonts::standard_widths;
use crate::lexer::{Lexer, Operand, Token};
use crate::objects::{Objects, text_string};

/// Maximum ancestors of a field that are searched.
const MAX_PARENTS: usize = 16;
/// Maximum length of one value in bytes.
const MAX_VALUE: usize = 16_384;
/// Maximum lines of one value.
const MAX_LINES: usize = 200;
/// Field flag: the value is not shown.
const PASSWORD: i64 = 1 << 13;
/// Maximum type size where the file leaves it to the viewer, in points.
const AUTO_SIZE: f32 = 12.0;

/// Runs of an annotation without an appearance stream.
pub(super) fn runs<'a>(
    objects: &Objects<'a>,
    annotation: &'a Dictionary,
    geometry: &PageGeometry,
) -> Vec<Run> {
    let value = match objects.name(annotation, b"Subtype") {
        Some(b"Widget") => field_value(objects, annotation),
        Some(b"FreeText") => objects.get(annotation, b"Contents").and_then(string),
        _ => None,
    };
    let (Some(value), Some(rect)) = (value, objects.numbers::<4>(annotation, b"Rect")) else {
        return Vec::new();
    };
    let form = || objects.dict(objects.document.catalog().ok()?, b"AcroForm");
    let appearance = inherited(objects, annotation, b"DA").or_else(|| objects.get(form()?, b"DA"));
    let size = appearance.and_then(|appearance| font_size(appearance.as_str().ok()?));
    let [xa, ya, xb, yb] = rect.map(|n| {
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        let n = n as f32;
        n
    });
    let (a, b) = (geometry.to_shown(xa, ya), geometry.to_shown(xb, yb));
    lines(&value, size, Rect::new(a.x, a.y, b.x, b.y), geometry)
}

/// Value of a text or choice field, its own or inherited.
fn field_value<'a>(objects: &Objects<'a>, field: &'a Dictionary) -> Option<String> {
    let kind = inherited(objects, field, b"FT")?.as_name().ok()?;
    let flags = inherited(objects, field, b"Ff").and_then(crate::objects::integer).unwrap_or(0);
    if !matches!(kind, b"Tx" | b"Ch") || kind == b"Tx" && flags & PASSWORD != 0 {
        return None;
    }
    match inherited(objects, field, b"V")? {
        Object::Array(values) => {
            let values = values.iter().take(MAX_LINES).filter_map(|value| string(objects.resolve(value)));
            Some(values.collect::<Vec<_>>().join("\n"))
        }
        value => string(value),
    }
}

/// Entry of a field or of its nearest ancestor that has it.
fn inherited<'a>(objects: &Objects<'a>, field: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    let mut field = field;
    for _ in 0..MAX_PARENTS {
        if let Some(value) = objects.get(field, key) {
            return Some(value);
        }
        field = objects.dict(field, b"Parent")?;
    }
    None
}

/// Text of a string with its line ends; `None` if it is blank.
fn string(object: &Object) -> Option<String> {
    let Object::String(bytes, _) = object else { return None };
    let text = bytes.get(..MAX_VALUE).unwrap_or(bytes);
    // Decoding drops line ends, which here separate the lines of the field.
    let lines: Vec<String> = match text {
        [0xFE | 0xFF | 0xEF, ..] => text_string(text).lines().map(str::to_owned).collect(),
        _ => text.split(|byte| matches!(byte, b'\r' | b'\n')).map(text_string).collect(),
    };
    Some(lines.join("\n")).filter(|text| !text.trim().is_empty())
}

/// Size that a default appearance selects, 1 to 200 points; `None` if the viewer chooses.
fn font_size(appearance: &[u8]) -> Option<f32> {
    let mut lexer = Lexer::new(appearance);
    let mut last = None;
    while let Some(token) = lexer.next_token() {
        match token {
            Token::Operand(Operand::Number(n)) => last = Some(n),
            Token::Operator(b"Tf") => {
                #[expect(clippy::cast_possible_truncation, reason = "a type size")]
                return last.map(|n| n as f32).filter(|size| (1.0..=200.0).contains(size));
            }
            _ => {}
        }
    }
    None
}

/// Runs of the lines of a value, centred vertically in the field.
fn lines(value: &str, size: Option<f32>, field: Rect, geometry: &PageGeometry) -> Vec<Run> {
    let texts: Vec<&str> = value.lines().map(str::trim_end).take(MAX_LINES).collect();
    #[expect(clippy::cast_precision_loss, reason = "some hundred lines")]
    let n = texts.len().max(1) as f32;
    let size = size.unwrap_or_else(|| AUTO_SIZE.min(field.height() / n * 0.8)).max(1.0);
    let leading = 1.15 * size;
    let top = (field.y0 + (field.height() - n * leading) / 2.0).max(field.y0);
    let (width, height) = geometry.size();
    let on_page = field.x1 >= 0.0 && field.y1 >= 0.0 && field.x0 <= width.0 && field.y0 <= height.0;
    let helvetica = standard_widths("Helvetica");
    let mut baseline = top + 0.8 * size;
    let mut runs = Vec::new();
    for text in texts {
        let mut edges = vec![0.0f32];
        let mut reached = 0.0f32;
        let mut shown = String::new();
        let mut chars: Vec<char> = text.chars().filter(|c| !c.is_control()).collect();
        if chars.iter().copied().any(is_rtl) {
            // Runs go from left to right as shown, whatever their reading direction.
            chars.reverse();
        }
        for c in chars {
            let width = match (u8::try_from(u32::from(c)), helvetica) {
                (Ok(byte), Some(widths)) => {
                    widths.get(usize::from(byte)).map_or(500.0, |&width| f32::from(width))
                }
                _ => 1000.0,
            };
            reached += width / 1000.0 * size;
            edges.push(reached);
            shown.push(c);
        }
        // Viewers clip a text that is longer than its field; here it is squeezed into it.
        let squeeze = (field.width() - 4.0).max(1.0) / reached.max(0.01);
        if squeeze < 1.0 {
            edges.iter_mut().for_each(|edge| *edge *= squeeze);
            reached *= squeeze;
        }
        if !shown.trim().is_empty() && field.x0.is_finite() && baseline.is_finite() {
            let x0 = field.x0 + 2.0;
            runs.push(Run {
                text: shown,
                edges,
                rect: Rect { x0, y0: baseline - 0.75 * size, x1: x0 + reached, y1: baseline + 0.25 * size },
                baseline,
                angle: 0.0,
                size: Pt(size),
                rise: Pt(0.0),
                font: FontStyle { name: "Helvetica".into(), ..FontStyle::default() },
                visibility: if on_page { Visibility::Visible } else { Visibility::OffPage },
                attestation: Attestation::Drawn,
                mcid: None,
                artifact: false,
            });
        }
        baseline += leading;
    }
    runs
}
