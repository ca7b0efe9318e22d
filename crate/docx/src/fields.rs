//! Fields: an instruction, and its result as of the last update (ECMA-376 part 1, 17.16). Results are text.
//! Instructions are not, nor are tables of contents, whose entries repeat headings of the text.

/// Maximum nesting of fields; deeper ones are read as text.
const MAX_DEPTH: usize = 32;
/// Maximum length of an instruction in bytes.
const MAX_INSTRUCTION: usize = 4_000;
/// Maximum paragraphs that an instruction spans; a longer one is damage.
const MAX_PARAGRAPHS: usize = 8;
/// Maximum length of a note mark in characters.
const MAX_MARK: usize = 5;

/// Open field.
#[derive(Debug, Default)]
struct Field {
    instruction: String,
    /// True once the instruction has ended.
    has_result: bool,
    kind: FieldKind,
    /// Result of a note reference.
    result: String,
    /// Paragraphs that ended inside the field.
    n_paragraphs: usize,
}

/// Kind of a field by its instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FieldKind {
    #[default]
    Text,
    /// A table of contents or authorities.
    Contents,
    /// Cross-reference to the mark of a note.
    Note,
}

/// Stack of the open fields.
#[derive(Debug, Default)]
pub(crate) struct FieldStack {
    open: Vec<Field>,
    /// Open fields beyond the maximum nesting.
    n_ignored: usize,
}

impl FieldStack {
    /// Begins a field.
    pub(crate) fn begin(&mut self) {
        if self.open.len() < MAX_DEPTH {
            self.open.push(Field::default());
        } else {
            self.n_ignored += 1;
        }
    }

    /// Adds text to the instruction of the innermost field.
    pub(crate) fn instruct(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut()
            && field.instruction.len() + text.len() <= MAX_INSTRUCTION
        {
            field.instruction.push_str(text);
        }
    }

    /// Ends the instruction of the innermost field; its result follows.
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

    /// Ends the innermost field; its result if it refers to a note.
    pub(crate) fn end(&mut self) -> Option<String> {
        if self.n_ignored > 0 {
            self.n_ignored -= 1;
            return None;
        }
        let field = self.open.pop()?;
        let mark = field.result.trim();
        (field.kind == FieldKind::Note && !mark.is_empty() && self.is_shown()).then(|| mark.to_owned())
    }

    /// True if text at the current position is shown.
    pub(crate) fn is_shown(&self) -> bool {
        self.open.iter().all(|field| field.has_result && field.kind != FieldKind::Contents)
    }

    /// True if a field captures this text, so that it is no text of the document.
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

    /// True inside a table of contents.
    pub(crate) fn in_contents(&self) -> bool {
        self.open.iter().any(|field| field.kind == FieldKind::Contents)
    }

    /// Closes an open table of contents and the fields in it.
    pub(crate) fn close_contents(&mut self) {
        if let Some(at) = self.open.iter().position(|field| field.kind == FieldKind::Contents) {
            self.open.truncate(at);
        }
    }

    /// Counts a paragraph. An instruction without an end is dropped, so that it does not hide the rest of the text.
    pub(crate) fn end_of_paragraph(&mut self) {
        for field in &mut self.open {
            field.n_paragraphs += 1;
        }
        self.open.retain(|field| field.has_result || field.n_paragraphs <= MAX_PARAGRAPHS);
    }
}
