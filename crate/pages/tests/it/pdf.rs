//! Writer of small PDFs: objects 1 to 5 are catalog, page tree, page, Helvetica and content; others follow.

/// PDF under construction.
pub struct Pdf {
    objects: Vec<String>,
    kids: String,
    catalog: String,
    page: String,
    fonts: String,
    x_objects: String,
    info: String,
}

impl Pdf {
    /// One Letter page with this content.
    pub fn page(content: &str) -> Self {
        let mut pdf = Self {
            objects: vec![String::new(); 3],
            kids: "3 0 R".to_owned(),
            catalog: String::new(),
            page: String::new(),
            fonts: "/F 4 0 R".to_owned(),
            x_objects: String::new(),
            info: String::new(),
        };
        pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
        pdf.add_stream("", content);
        pdf
    }

    /// A page tree without a page.
    pub fn empty() -> Self {
        Self::page("").kids("")
    }

    /// Replaces the kids of the page tree.
    pub fn kids(self, kids: &str) -> Self {
        Self { kids: kids.to_owned(), ..self }
    }

    /// Number of the next object.
    pub fn next_id(&self) -> usize {
        self.objects.len() + 1
    }

    /// Adds an object; gives its number.
    pub fn add(&mut self, object: &str) -> usize {
        self.objects.push(object.to_owned());
        self.objects.len()
    }

    /// Adds a stream with these dictionary entries; gives its number.
    pub fn add_stream(&mut self, entries: &str, data: &str) -> usize {
        self.add(&format!("<< {entries} /Length {} >>\nstream\n{data}\nendstream", data.len()))
    }

    /// Adds entries to the catalog.
    pub fn catalog_entry(mut self, entries: &str) -> Self {
        self.catalog.push_str(entries);
        self
    }

    /// Adds entries to the page.
    pub fn page_entry(mut self, entries: &str) -> Self {
        self.page.push_str(entries);
        self
    }

    /// Names a font in the page's resources.
    pub fn font(mut self, name: &str, id: usize) -> Self {
        self.fonts.push_str(&format!(" /{name} {id} 0 R"));
        self
    }

    /// Names an XObject in the page's resources.
    pub fn x_object(mut self, name: &str, id: usize) -> Self {
        self.x_objects.push_str(&format!(" /{name} {id} 0 R"));
        self
    }

    /// Sets the document information.
    pub fn info(mut self, entries: &str) -> Self {
        self.info = entries.to_owned();
        self
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let Self { objects, kids, catalog, page, fonts, x_objects, info } = self;
        let mut objects = objects.clone();
        objects[0] = format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>");
        objects[1] = format!(
            "<< /Type /Pages /Count {} /Kids [{kids}] /MediaBox [0 0 612 792] \
             /Resources << /Font << {fonts} >> /XObject << {x_objects} >> >> >>",
            kids.matches(" R").count()
        );
        objects[2] = match kids.is_empty() {
            true => "null".to_owned(),
            false => format!("<< /Type /Page /Parent 2 0 R /Contents 5 0 R {page} >>"),
        };
        objects.push(format!("<< {info} >>"));
        let mut bytes = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
        let mut offsets = Vec::new();
        for (idx, object) in objects.iter().enumerate() {
            offsets.push(bytes.len());
            bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", idx + 1).bytes());
        }
        let start = bytes.len();
        bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
        for offset in offsets {
            bytes.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        bytes.extend(
            format!(
                "trailer\n<< /Size {} /Root 1 0 R /Info {} 0 R >>\nstartxref\n{start}\n%%EOF\n",
                objects.len() + 1,
                objects.len()
            )
            .bytes(),
        );
        bytes
    }
}
