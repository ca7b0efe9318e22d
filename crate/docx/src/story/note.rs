//! Footnote and endnote properties.

use crate::content::NoteNumbering;
use crate::error::Error;
use crate::numerals::NumberFormat;
use crate::xml::XmlReader;

/// Reads a `w:footnotePr` or `w:endnotePr` to its end.
pub(crate) fn read_note_numbering(
    xml: &mut XmlReader<'_>,
    numbering: &mut NoteNumbering,
) -> Result<(), Error> {
    while let Some(child) = xml.child()? {
        match child.wml_name() {
            "numFmt" => numbering.format = NumberFormat::of(&child.val().unwrap_or_default()),
            "numStart" => {
                numbering.start =
                    child.number("val").and_then(|start| u32::try_from(start).ok()).unwrap_or(1);
            }
            _ => {}
        }
        xml.skip()?;
    }
    Ok(())
}
