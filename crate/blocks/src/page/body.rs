//! The usual style of a document's running text, against which headings and notes stand out.

/// Style of most of the running text of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyStyle {
    /// Type size in points, > 0.
    pub size: f32,
    /// True if most of it is bold, so that bold marks nothing.
    pub bold: bool,
    /// True if most of it is in capitals, so that capitals mark nothing.
    pub caps: bool,
}
