//! Writer of hostile PDFs: numbered objects as bytes, deflated streams, pages that share what they hold.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};

/// PDF under construction. Object 1 is the catalog, 2 the page tree, 3 Helvetica.
pub(super) struct Pdf {
    objects: Vec<Vec<u8>>,
    kids: Vec<usize>,
    /// Further entries of the catalog.
    pub(super) catalog: String,
    /// Further entries of every page.
    pub(super) page: String,
    /// Further resources of every page.
    pub(super) resources: String,
}

impl Pdf {
    pub(super) fn new() -> Self {
        let font =
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec();
        Self {
            objects: vec![Vec::new(), Vec::new(), font],
            kids: Vec::new(),
            catalog: String::new(),
            page: String::new(),
            resources: String::new(),
        }
    }

    /// Number of the next object.
    pub(super) fn next_id(&self) -> usize {
        self.objects.len() + 1
    }

    /// Adds an object; its number.
    pub(super) fn add(&mut self, object: impl Into<Vec<u8>>) -> usize {
        self.objects.push(object.into());
        self.objects.len()
    }

    /// Adds a stream as it is; its number.
    pub(super) fn stream(&mut self, entries: &str, data: &[u8]) -> usize {
        let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
        object.extend_from_slice(data);
        object.extend_from_slice(b"\nendstream");
        self.add(object)
    }

    /// Adds a deflated stream; its number.
    pub(super) fn deflated(&mut self, entries: &str, data: &[u8]) -> usize {
        self.stream(&format!("{entries} /Filter /FlateDecode"), &deflate(data))
    }

    /// Adds a form with these resources, deflated; its number.
    pub(super) fn form(&mut self, resources: &str, content: &[u8]) -> usize {
        let entries = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> {resources} >>"
        );
        self.deflated(&entries, content)
    }

    /// Adds an object stream that holds one object; the number of that object. Object streams are found by the scan of
    /// a file without cross-reference data.
    pub(super) fn packed(&mut self, object: &[u8]) -> usize {
        let id = self.add(Vec::new());
        let head = format!("{id} 0 ");
        let data = [head.as_bytes(), object].concat();
        self.deflated(&format!("/Type /ObjStm /N 1 /First {}", head.len()), &data);
        id
    }

    /// Adds `n` pages with one content stream, an object each.
    pub(super) fn pages(&mut self, n: usize, content: usize) {
        for _ in 0..n {
            let page = format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R {} \
                 /Resources << /Font << /F 3 0 R >> {} >> >>",
                self.page, self.resources
            );
            let id = self.add(page);
            self.kids.push(id);
        }
    }

    /// Adds a page with deflated content.
    pub(super) fn page(&mut self, content: &[u8]) {
        let content = self.deflated("", content);
        self.pages(1, content);
    }

    /// Lists the pages so far again, so often.
    pub(super) fn repeat_pages(&mut self, n: usize) {
        self.kids = self.kids.repeat(n);
    }

    /// Replaces the kids of the root.
    pub(super) fn kids_of_root(&mut self, kids: &[usize]) {
        self.kids = kids.to_vec();
    }

    /// Bytes of the object added last.
    pub(super) fn into_last(mut self) -> Vec<u8> {
        self.objects.pop().unwrap_or_default()
    }

    /// The file, with a cross-reference table of the objects that have content.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let mut kids = String::new();
        for id in &self.kids {
            let _ = write!(kids, "{id} 0 R ");
        }
        self.objects[0] = format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalog).into_bytes();
        self.objects[1] =
            format!("<< /Type /Pages /Count {} /Kids [{kids}] >>", self.kids.len()).into_bytes();
        let mut bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let is_packed = self.objects.iter().any(Vec::is_empty);
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.objects.len() + 1);
        for (id, object) in (1..).zip(&self.objects).filter(|(_, object)| !object.is_empty()) {
            let _ = writeln!(table, "{:010} 00000 n ", bytes.len());
            bytes.extend_from_slice(format!("{id} 0 obj\n").as_bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let (start, size) = (bytes.len(), self.objects.len() + 1);
        let end = if is_packed {
            // Objects in streams need a cross-reference stream, or a scan.
            format!("trailer\n<< /Size {size} /Root 1 0 R >>\n%%EOF\n")
        } else {
            format!("{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n")
        };
        bytes.extend_from_slice(end.as_bytes());
        bytes
    }
}

/// Deflated bytes.
pub(super) fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(data);
    debug_assert!(written.is_ok(), "memory takes all bytes");
    encoder.finish().unwrap_or_default()
}
