//! Marked content (ISO 32000-1, 14.6).

use lopdf::Object;

use crate::objects::text_string;

/// Maximum length of one `ActualText` in bytes.
const MAX_ACTUAL_TEXT: usize = 8_192;

/// Properties of the marked-content sequences around a position, the inner ones first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MarkedContext {
    pub(super) mcid: Option<u32>,
    pub(super) artifact: bool,
    /// True if optional content around it is off.
    pub(super) hidden: bool,
    /// True if a sequence around it has an `ActualText`, which replaces that of inner sequences too.
    pub(super) replaced: bool,
}

/// Open marked-content sequence.
pub(super) struct MarkedSequence {
    pub(super) context: MarkedContext,
    /// `ActualText`, and the index of the first run that it replaces.
    pub(super) actual_text: Option<(String, usize)>,
}

/// Text of an `ActualText` entry; control characters are spaces.
pub(crate) fn actual_text(object: &Object) -> Option<String> {
    let bytes = object.as_str().ok()?;
    let text = text_string(bytes.get(..MAX_ACTUAL_TEXT).unwrap_or(bytes));
    Some(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}
