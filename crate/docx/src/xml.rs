//! Pull parser for the XML parts, child by child, by the names of WordprocessingML.
//!
//! The transitional and the strict dialect give the same names. A document type declaration is refused, so no
//! entity expands. Nesting has a cap, so recursion over elements cannot exhaust the stack. Parts in UTF-16 are
//! decoded first. Cost: linear in the part.

use std::borrow::Cow;

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};

use crate::error::Error;

/// Namespace of an element, as far as the readers need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum XmlNamespace {
    /// WordprocessingML.
    Word,
    /// Office mathematics.
    Math,
    /// Markup compatibility.
    Compatibility,
    /// Everything else.
    Other,
}

impl XmlNamespace {
    fn of(name: &str) -> Self {
        match name {
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
            | "http://purl.oclc.org/ooxml/wordprocessingml/main" => Self::Word,
            "http://schemas.openxmlformats.org/officeDocument/2006/math"
            | "http://purl.oclc.org/ooxml/officeDocument/math" => Self::Math,
            "http://schemas.openxmlformats.org/markup-compatibility/2006" => Self::Compatibility,
            _ => Self::Other,
        }
    }
}

/// Start tag of an element.
pub(crate) struct Element<'i> {
    pub(crate) namespace: XmlNamespace,
    start: BytesStart<'i>,
}

impl Element<'_> {
    /// Local name.
    pub(crate) fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// Local name in WordprocessingML; empty for elements of other namespaces.
    pub(crate) fn wml_name(&self) -> &str {
        if self.namespace == XmlNamespace::Word { self.start.local_name().into_inner() } else { "" }
    }

    /// Attribute by its local name, with references resolved.
    pub(crate) fn attr(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        let attribute = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().into_inner() == name)?;
        let raw = attribute.value.as_ref();
        Some(quick_xml::escape::unescape(raw).map_or_else(|_| raw.to_owned(), Cow::into_owned))
    }

    /// Attribute `w:val`.
    pub(crate) fn val(&self) -> Option<String> {
        self.attr("val")
    }

    /// Attribute as an integer; `None` if it is missing or no integer.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.attr(name)?.trim().parse().ok()
    }

    /// True if an on/off property is on: it is unless its value says otherwise.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.val().as_deref(), Some("0" | "false" | "off" | "none"))
    }

    /// True for `mc:AlternateContent`.
    pub(crate) fn is_alternate_content(&self) -> bool {
        self.namespace == XmlNamespace::Compatibility && self.name() == "AlternateContent"
    }
}

/// Reader of one part.
pub(crate) struct XmlReader<'i> {
    reader: NsReader<&'i [u8]>,
    /// Name of the part in error messages.
    part: &'static str,
    /// Elements that are open.
    depth: usize,
    max_depth: usize,
}

enum Node<'i> {
    Open(Element<'i>),
    Text(Cow<'i, str>),
    Close,
}

impl<'i> XmlReader<'i> {
    /// Reader of `source`; error messages call it `part`.
    pub(crate) fn new(source: &'i str, part: &'static str, max_depth: usize) -> Self {
        let mut reader = NsReader::from_str(source);
        reader.config_mut().expand_empty_elements = true;
        reader.config_mut().allow_dangling_amp = true;
        Self { reader, part, depth: 0, max_depth }
    }

    fn node(&mut self) -> Result<Node<'i>, Error> {
        loop {
            let damaged = || Error::damaged(self.part);
            let (resolved, event) = self.reader.read_resolved_event().map_err(|_| damaged())?;
            let namespace = match resolved {
                ResolveResult::Bound(Namespace(name)) => XmlNamespace::of(name),
                _ => XmlNamespace::Other,
            };
            match event {
                Event::Start(start) => {
                    self.depth += 1;
                    if self.depth > self.max_depth {
                        return Err(Error::limit(format!("{} nests too deeply", self.part)));
                    }
                    return Ok(Node::Open(Element { namespace, start }));
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Node::Close);
                }
                Event::Text(text) => return Ok(Node::Text(text.into_inner())),
                Event::CData(text) => return Ok(Node::Text(text.into_inner())),
                Event::GeneralRef(name) => {
                    let c = match name.resolve_char_ref() {
                        Ok(Some(c)) => Some(c),
                        Ok(None) => predefined_entity(&name.into_inner()),
                        Err(_) => None,
                    };
                    return Ok(Node::Text(Cow::Owned(c.map(String::from).unwrap_or_default())));
                }
                Event::DocType(_) => return Err(damaged()),
                // The part ends inside an element.
                Event::Eof if self.depth > 0 => return Err(damaged()),
                Event::Eof => return Ok(Node::Close),
                _ => {}
            }
        }
    }

    /// Next child of the current element; `None` at its end tag.
    ///
    /// The child becomes the current element. Read it to its end, by this method or one of those below, before
    /// its next sibling.
    pub(crate) fn child(&mut self) -> Result<Option<Element<'i>>, Error> {
        loop {
            match self.node()? {
                Node::Open(element) => return Ok(Some(element)),
                Node::Close => return Ok(None),
                Node::Text(_) => {}
            }
        }
    }

    /// Skips to the end of the current element.
    pub(crate) fn skip(&mut self) -> Result<(), Error> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            self.node()?;
        }
        Ok(())
    }

    /// Text of the current element without that of its children; reads to its end.
    pub(crate) fn text(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        loop {
            match self.node()? {
                Node::Text(part) => text.push_str(&part),
                Node::Open(_) => self.skip()?,
                Node::Close => return Ok(text),
            }
        }
    }

    /// Calls `visit` for each descendant of the current element, in document order. `visit` reads an element to
    /// its end or leaves it untouched, in which case its children are visited too.
    pub(crate) fn descend(
        &mut self,
        visit: &mut dyn FnMut(&mut Self, &Element<'i>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if let Node::Open(element) = self.node()? {
                visit(self, &element)?;
            }
        }
        Ok(())
    }

    /// Reads the first choice of the current `mc:AlternateContent`, which is the richest, and skips the others.
    pub(crate) fn alternate_content(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut is_read = false;
        while let Some(child) = self.child()? {
            let is_choice = child.namespace == XmlNamespace::Compatibility
                && matches!(child.name(), "Choice" | "Fallback");
            if is_choice && !std::mem::replace(&mut is_read, true) { read(self)? } else { self.skip()? }
        }
        Ok(())
    }
}

/// Character of a predefined entity.
fn predefined_entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// Text of a part: UTF-8, or UTF-16 by its byte order mark or its first character.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| -> String {
        let units = bytes.as_chunks().0.iter().map(|pair| unit(*pair));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(&bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(&bytes, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Parts are large: valid UTF-8 is not copied.
        _ => String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

    fn names(source: &str) -> Result<Vec<String>, Error> {
        let mut xml = XmlReader::new(source, "the part", 8);
        let root = xml.child()?.unwrap();
        let mut names = vec![root.wml_name().to_owned()];
        while let Some(child) = xml.child()? {
            names.push(child.wml_name().to_owned());
            xml.skip()?;
        }
        Ok(names)
    }

    #[test]
    fn dialects_and_prefixes_give_the_same_names() {
        for source in [
            format!("<w:a xmlns:w=\"{WORD}\"><w:b><w:c/></w:b>text<w:d/></w:a>"),
            format!("<a xmlns=\"{WORD}\"><b><c/></b>text<d/></a>"),
            "<w:a xmlns:w=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"><w:b/><w:d/></w:a>".to_owned(),
        ] {
            assert_eq!(names(&source).unwrap(), ["a", "b", "d"]);
        }
        assert_eq!(names("<w:a xmlns:w=\"urn:other\"><w:b/></w:a>").unwrap(), ["", ""]);
    }

    #[test]
    fn document_types_deep_nesting_and_truncated_parts_are_refused() {
        let deep = format!("{}{}", "<a>".repeat(9), "</a>".repeat(9));
        assert!(names("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>").is_err());
        assert!(names(&deep).is_err());
        assert!(names("<a><b>").is_err());
        assert!(names("<a></b>").is_err());
    }

    #[test]
    fn references_are_resolved_and_unknown_ones_dropped() {
        let mut xml =
            XmlReader::new("<a x=\"&lt;&#65;\">&amp;&#x4E00;&nbsp;&lt;<![CDATA[<b>]]></a>", "the part", 8);
        let root = xml.child().unwrap().unwrap();
        assert_eq!(root.attr("x").unwrap(), "<A");
        assert_eq!(xml.text().unwrap(), "&一<<b>");
    }

    #[test]
    fn utf_16_is_decoded() {
        let little: Vec<u8> = "<a>第".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(little), "<a>第");
        let big: Vec<u8> =
            [0xFE, 0xFF].into_iter().chain("<a>".encode_utf16().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(decode(big), "<a>");
        assert_eq!(decode(b"\xEF\xBB\xBF<a>".to_vec()), "<a>");
    }
}
