//! Title of a document.

use document::{Layout, Role};

/// Endings of file names that writers put into the title property: "draft3.doc".
const FILE_ENDINGS: [&str; 8] = [".doc", ".docx", ".pdf", ".tex", ".dvi", ".qxd", ".indd", ".xml"];

/// Title of a document: the one printed at the head of the text, else the one in the file's properties if it is not a
/// file name.
pub fn document_title(layout: &Layout, declared: Option<&str>) -> Option<String> {
    let printed = layout.blocks.iter().find(|block| block.role == Role::Title);
    let printed = printed.map(|block| layout.slice(block.range));
    let declared = declared.filter(|title| title.contains(' ') && !is_file_name(title));
    printed.or(declared).map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// True for the name of a source file: "Microsoft Word - draft3.doc", "untitled".
fn is_file_name(title: &str) -> bool {
    let lower = title.to_lowercase();
    lower.starts_with("microsoft word")
        || lower.starts_with("untitled")
        || FILE_ENDINGS.iter().any(|ending| lower.ends_with(ending))
}
