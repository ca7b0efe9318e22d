//! The XML of the parts, as the reader of a part wants it: child by child, by the names that matter.
//!
//! Both dialects of the format, transitional and strict, give the same names. A declaration of a document type
//! is refused, so that no entity ever expands; nesting has a cap, so that whoever descends with the elements
//! cannot exhaust the stack. Parts in UTF-16 are decoded first. Cost: linear in the part.

use std::borrow::Cow;

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};

use crate::error::Error;

/// The namespaces that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ns {
    /// WordprocessingML.
    Word,
    /// Office mathematics.
    Math,
    /// Markup compatibility.
    Compatibility,
    /// Everything else.
    Other,
}

impl Ns {
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

/// An element that has been opened.
pub(crate) struct Element<'i> {
    /// Its namespace.
    pub(crate) ns: Ns,
    start: BytesStart<'i>,
}

impl Element<'_> {
    /// Its name without a prefix.
    pub(crate) fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// Its name if it is one of WordprocessingML, else nothing.
    pub(crate) fn word(&self) -> &str {
        if self.ns == Ns::Word { self.start.local_name().into_inner() } else { "" }
    }

    /// An attribute by its name without a prefix.
    pub(crate) fn attr(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        let found = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().into_inner() == name)?;
        let raw = found.value.as_ref();
        Some(quick_xml::escape::unescape(raw).map_or_else(|_| raw.to_owned(), Cow::into_owned))
    }

    /// The attribute `val`.
    pub(crate) fn val(&self) -> Option<String> {
        self.attr("val")
    }

    /// A whole number.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.attr(name)?.trim().parse().ok()
    }

    /// Whether a property that can be switched is on: it is when it is there, unless its value says no.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.val().as_deref(), Some("0" | "false" | "off" | "none"))
    }
}

/// A part that is being read.
pub(crate) struct Xml<'i> {
    reader: NsReader<&'i [u8]>,
    part: &'static str,
    depth: usize,
    max_depth: usize,
}

enum Node<'i> {
    Open(Element<'i>),
    Text(Cow<'i, str>),
    Close,
}

impl<'i> Xml<'i> {
    /// A reader of a part; `part` is what messages call it.
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
            let ns = match resolved {
                ResolveResult::Bound(Namespace(name)) => Ns::of(name),
                _ => Ns::Other,
            };
            match event {
                Event::Start(start) => {
                    self.depth += 1;
                    if self.depth > self.max_depth {
                        return Err(Error::limit(format!("{} nests too deeply", self.part)));
                    }
                    return Ok(Node::Open(Element { ns, start }));
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
                        Ok(None) => predefined(&name.into_inner()),
                        Err(_) => None,
                    };
                    return Ok(Node::Text(Cow::Owned(c.map(String::from).unwrap_or_default())));
                }
                Event::DocType(_) => return Err(damaged()),
                // The end of the part inside an element.
                Event::Eof if self.depth > 0 => return Err(damaged()),
                Event::Eof => return Ok(Node::Close),
                _ => {}
            }
        }
    }

    /// The next child of the element that was opened last; `None` when that closes. Every child must be read to
    /// its end, by this or one of the functions below, before the next one is asked for.
    pub(crate) fn child(&mut self) -> Result<Option<Element<'i>>, Error> {
        loop {
            match self.node()? {
                Node::Open(element) => return Ok(Some(element)),
                Node::Close => return Ok(None),
                Node::Text(_) => {}
            }
        }
    }

    /// Leaves the element that was opened last.
    pub(crate) fn skip(&mut self) -> Result<(), Error> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            self.node()?;
        }
        Ok(())
    }

    /// The text directly in the element that was opened last, to its end.
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

    /// Shows `visit` every element inside the one that was opened last, however deep. What it wants it reads to
    /// its end, anything else it leaves alone.
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
}

fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

/// The characters of a part: UTF-8, or UTF-16 by its byte order mark or by the shape of its first character.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| -> String {
        let units = bytes
            .chunks_exact(2)
            .map(|pair| unit([pair.first().copied().unwrap_or(0), pair.last().copied().unwrap_or(0)]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

    fn names(source: &str) -> Result<Vec<String>, Error> {
        let mut xml = Xml::new(source, "the part", 8);
        let root = xml.child()?.unwrap();
        let mut names = vec![root.word().to_owned()];
        while let Some(child) = xml.child()? {
            names.push(child.word().to_owned());
            xml.skip()?;
        }
        Ok(names)
    }

    #[test]
    fn both_dialects_and_any_prefix_give_the_same_names() {
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
    fn document_types_deep_nesting_and_cut_off_parts_are_refused() {
        let deep = format!("{}{}", "<a>".repeat(9), "</a>".repeat(9));
        assert!(names("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>").is_err());
        assert!(names(&deep).is_err());
        assert!(names("<a><b>").is_err());
        assert!(names("<a></b>").is_err());
    }

    #[test]
    fn references_are_resolved_and_unknown_ones_left_out() {
        let mut xml =
            Xml::new("<a x=\"&lt;&#65;\">&amp;&#x4E00;&nbsp;&lt;<![CDATA[<b>]]></a>", "the part", 8);
        let root = xml.child().unwrap().unwrap();
        assert_eq!(root.attr("x").unwrap(), "<A");
        assert_eq!(xml.text().unwrap(), "&一<<b>");
    }

    #[test]
    fn utf_16_is_decoded() {
        let little: Vec<u8> = "<a>第".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&little), "<a>第");
        let big: Vec<u8> =
            [0xFE, 0xFF].into_iter().chain("<a>".encode_utf16().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(decode(&big), "<a>");
        assert_eq!(decode(b"\xEF\xBB\xBF<a>"), "<a>");
    }
}
