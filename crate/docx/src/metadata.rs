//! Document settings and core properties.

use crate::content::NoteNumbering;
use crate::error::Error;
use crate::story::read_note_numbering;
use crate::xml::XmlReader;

/// Maximum length of a title, in characters; longer ones are cut.
const MAX_TITLE: usize = 1_000;

/// Reads `word/settings.xml`: the numbering of notes, and the language of the theme.
pub(crate) fn settings(
    source: &str,
    footnotes: &mut NoteNumbering,
    endnotes: &mut NoteNumbering,
    max_depth: usize,
) -> Result<Option<String>, Error> {
    let mut language = None;
    let mut xml = XmlReader::new(source, "its settings", max_depth);
    xml.child()?;
    while let Some(child) = xml.child()? {
        match child.wml_name() {
            "footnotePr" => read_note_numbering(&mut xml, footnotes)?,
            "endnotePr" => read_note_numbering(&mut xml, endnotes)?,
            "themeFontLang" => {
                language =
                    child.val().or_else(|| child.attr("eastAsia")).filter(|language| !language.is_empty());
                xml.skip()?;
            }
            _ => xml.skip()?,
        }
    }
    Ok(language)
}

/// Reads the title of `docProps/core.xml`.
pub(crate) fn title(source: &str, max_depth: usize) -> Result<Option<String>, Error> {
    let mut xml = XmlReader::new(source, "its properties", max_depth);
    xml.child()?;
    while let Some(child) = xml.child()? {
        if child.name() == "title" {
            let title = xml.text()?.split_whitespace().collect::<Vec<_>>().join(" ");
            return Ok((!title.is_empty()).then(|| title.chars().take(MAX_TITLE).collect()));
        }
        xml.skip()?;
    }
    Ok(None)
}
