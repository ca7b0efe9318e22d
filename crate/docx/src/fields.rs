//! FieldStack: an instruction and what it gave when it was last carried out. The result is text; the instruction
//! is not, and neither is a table of contents, whose lines stand in the text as headings.

/// FieldStack may stand in fields; deeper ones are taken as text.
const MAX_DEPTH: usize = 32;
/// Longest instruction that is kept, in bytes.
const MAX_INSTRUCTION: usize = 4_000;
/// Paragraphs that an instruction may run over before it is taken for damage.
const MAX_PARAGRAPHS: usize = 8;
/// Longest mark of a note, in characters.
const MAX_MARK: usize = 5;

#[derive(Debug, Default)]
struct Field {
    instruction: String,
    has_result: bool,
    kind: FieldKind,
    result: String,
    n_paragraphs: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FieldKind {
    #[default]
    Text,
    /// A table of contents or authorities.
    Contents,
    /// The mark of a note once more.
    Note,
}

/// The fields that are open.
#[derive(Debug, Default)]
pub(crate) struct FieldStack {
    open: Vec<Field>,
    /// FieldStack past the depth that is followed.
    n_ignored: usize,
}

impl FieldStack {
    pub(crate) fn begin(&mut self) {
        if self.open.len() < MAX_DEPTH {
            self.open.push(Field::default());
        } else {
            self.n_ignored += 1;
        }
    }

    /// Adds to the instruction of the innermost field.
    pub(crate) fn instruct(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut()
            && field.instruction.len() + text.len() <= MAX_INSTRUCTION
        {
            field.instruction.push_str(text);
        }
    }

    /// The instruction ends, the result follows.
    pub(crate) fn separate(&mut self) {
        if self.n_ignored > 0 {
            return;
        }
        if let Some(field) = self.open.last_mut() {
            let name = field.instruction.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            field.has_result = true;
            field.kind = match name.as_str() {
                "TOC" | "TOA" => FieldKind::Contents,
                "NOTEREF" | "FTNREF" => FieldKind::Note,
                _ => FieldKind::Text,
            };
        }
    }

    /// The innermost field ends; the mark of a note, where it was one.
    pub(crate) fn end(&mut self) -> Option<String> {
        if self.n_ignored > 0 {
            self.n_ignored -= 1;
            return None;
        }
        let field = self.open.pop()?;
        let mark = field.result.trim();
        (field.kind == FieldKind::Note && !mark.is_empty() && self.is_shown()).then(|| mark.to_owned())
    }

    /// Whether text is shown where it stands now.
    pub(crate) fn is_shown(&self) -> bool {
        self.open.iter().all(|field| field.has_result && field.kind != FieldKind::Contents)
    }

    /// Offers text: whether it is the field's own business and no text of the document.
    pub(crate) fn capture(&mut self, text: &str) -> bool {
        if !self.is_shown() {
            return true;
        }
        match self.open.iter_mut().find(|field| field.kind == FieldKind::Note) {
            Some(field) if field.result.chars().count() + text.trim().chars().count() <= MAX_MARK => {
                field.result.push_str(text.trim());
                true
            }
            _ => false,
        }
    }

    /// Whether a table of contents is open.
    pub(crate) fn in_contents(&self) -> bool {
        self.open.iter().any(|field| field.kind == FieldKind::Contents)
    }

    /// Closes an open table of contents, and the fields in it.
    pub(crate) fn close_contents(&mut self) {
        if let Some(at) = self.open.iter().position(|field| field.kind == FieldKind::Contents) {
            self.open.truncate(at);
        }
    }

    /// An instruction that does not end is damage, and must not swallow the rest of the text.
    pub(crate) fn end_of_paragraph(&mut self) {
        for field in &mut self.open {
            field.n_paragraphs += 1;
        }
        self.open.retain(|field| field.has_result || field.n_paragraphs <= MAX_PARAGRAPHS);
    }
}
