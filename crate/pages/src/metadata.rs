//! Title of the document information dictionary, else of the XMP metadata.

use lopdf::Document;

use crate::objects::{Objects, text_string};

/// Maximum bytes of XMP that are searched.
const MAX_XMP: usize = 1 << 20;
/// Maximum length of a title in characters; longer ones are cut.
const MAX_TITLE: usize = 1_000;

/// Title of the document, if it is not blank.
pub(crate) fn title<'a>(objects: &Objects<'a>, document: &'a Document) -> Option<String> {
    let information = objects.dict(&document.trailer, b"Info").and_then(|info| objects.text(info, b"Title"));
    let title = information.or_else(|| {
        let data = objects.data(objects.stream(document.catalog().ok()?, b"Metadata")?).ok()?;
        let data = data.get(..MAX_XMP).unwrap_or(&data);
        let xmp = if data.starts_with(&[0xFE, 0xFF]) || data.starts_with(&[0xFF, 0xFE]) {
            text_string(data)
        } else {
            String::from_utf8_lossy(data).into_owned()
        };
        xmp_title(&xmp)
    })?;
    Some(title.chars().take(MAX_TITLE).collect())
}

/// First item of `dc:title`. This is no XML parser: the XMP specification fixes the form of the packet, and a title in
/// another form is not found.
fn xmp_title(xmp: &str) -> Option<String> {
    let (_, rest) = xmp.split_once("<dc:title")?;
    let (inside, _) = rest.split_once("</dc:title>")?;
    let (_, item) = inside.split_once("<rdf:li")?;
    let (_, text) = item.split_once('>')?;
    let (text, _) = text.split_once('<')?;
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_item_of_the_title_is_taken() {
        for (xmp, title) in [
            (
                "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Rules &amp;\n Orders</rdf:li></rdf:Alt></dc:title>",
                Some("Rules & Orders"),
            ),
            ("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\"/></rdf:Alt></dc:title>", None),
            ("<dc:title>", None),
            ("", None),
        ] {
            assert_eq!(xmp_title(xmp).as_deref(), title, "{xmp}");
        }
    }
}
