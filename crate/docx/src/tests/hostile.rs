//! Files that are something else, damaged, or meant to harm.

use proptest::prelude::*;

use document::Allowance;

use super::*;

fn refused(bytes: &[u8]) -> (ErrorKind, String) {
    let error = read(bytes, &Limits::default()).unwrap_err();
    (error.kind(), error.to_string())
}

/// A compound file whose directory names this stream.
fn compound(stream: &str) -> Vec<u8> {
    let mut bytes = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    bytes.resize(1_024, 0);
    bytes.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
    bytes.resize(2_048, 0);
    bytes
}

#[test]
fn other_formats_are_refused_by_name() {
    assert_eq!(
        refused(&compound("WordDocument")),
        (ErrorKind::LegacyDoc, "this is a Word 97–2003 file (.doc): save it as .docx or PDF".to_owned())
    );
    assert_eq!(refused(&compound("EncryptedPackage")).0, ErrorKind::Encrypted);
    let cases: [(Vec<u8>, &str); 8] = [
        (compound("Workbook"), ".xls"),
        (compound("Something"), "Office 97–2003"),
        (b"{\\rtf1 text}".to_vec(), ".rtf"),
        (archive(&[("xl/workbook.xml", b"<a/>")]), ".xlsx"),
        (archive(&[("ppt/presentation.xml", b"<a/>")]), ".pptx"),
        (archive(&[("mimetype", b"application/vnd.oasis.opendocument.text")]), ".odt"),
        (archive(&[("a.txt", b"text")]), "ZIP archive"),
        (b"plain text".to_vec(), "not a Word document"),
    ];
    for (bytes, name) in cases {
        let (kind, message) = refused(&bytes);
        assert_eq!(kind, ErrorKind::NotDocx, "{message}");
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn a_damaged_body_is_an_error_and_damaged_styles_a_warning() {
    assert_eq!(refused(b"PK\x03\x04 and nothing more").0, ErrorKind::Damaged);
    assert_eq!(refused(&archive(&[("word/document.xml", b"<w:document><w:body>")])).0, ErrorKind::Damaged);
    let read = file(p("text")).with("styles", "<w:style></w:p>").warned();
    assert_eq!(read.output.layout.text, "text");
    assert_eq!(read.diags[0].code, DiagCode::Repaired);
}

#[test]
fn entities_do_not_expand() {
    let bomb = b"<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><w:document xmlns:w=\"x\">&b;</w:document>";
    assert_eq!(refused(&archive(&[("word/document.xml", bomb)])).0, ErrorKind::Damaged);
}

#[test]
fn inflation_and_nesting_over_the_limits_are_refused() {
    let limits = Limits { free_bytes: 1_000, ..Limits::default() };
    let bomb = format!("<a>{}</a>", " ".repeat(1 << 20));
    let bytes = archive(&[("word/document.xml", bomb.as_bytes())]);
    assert_eq!(read(&bytes, &limits).unwrap_err().kind(), ErrorKind::LimitExceeded);
    let deep = "<w:tbl><w:tr><w:tc>".repeat(100) + &"</w:tc></w:tr></w:tbl>".repeat(100);
    assert_eq!(read(&file(deep).bytes(), &Limits::default()).unwrap_err().kind(), ErrorKind::LimitExceeded);
    let limits = Limits { entries: 2, ..Limits::default() };
    assert_eq!(read(&file(p("x")).bytes(), &limits).unwrap_err().kind(), ErrorKind::LimitExceeded);
    let limits = Limits { file_bytes: 10, ..Limits::default() };
    assert_eq!(read(&file(p("x")).bytes(), &limits).unwrap_err().kind(), ErrorKind::LimitExceeded);
}

#[test]
fn a_file_just_within_the_limits_is_read() {
    let bytes = file(p("x")).bytes();
    let refuses = |limits: Limits| read(&bytes, &limits).is_err();
    let with = Limits::default;
    assert!(!refuses(Limits { file_bytes: bytes.len(), ..with() }));
    assert!(refuses(Limits { file_bytes: bytes.len() - 1, ..with() }));
    assert!(!refuses(Limits { entries: 3, ..with() }));
    let part = format!("<w:document {NAMESPACES}><w:body>{}</w:body></w:document>", p("x")).len();
    let alone = |part_bytes| Limits { part_bytes, ..with() };
    let bytes = archive(&[(
        "word/document.xml",
        format!("<w:document {NAMESPACES}><w:body>{}</w:body></w:document>", p("x")).as_bytes(),
    )]);
    assert!(read(&bytes, &alone(part)).is_ok() && read(&bytes, &alone(part - 1)).is_err());
}

#[test]
fn a_file_whose_parts_are_encrypted_is_said_to_be() {
    let mut bytes = file(p("x")).bytes();
    for (head, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let heads: Vec<usize> = (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(head)).collect();
        heads.into_iter().for_each(|at| bytes[at + flags] |= 1);
    }
    assert_eq!(refused(&bytes).0, ErrorKind::Encrypted);
}

#[test]
fn parts_are_found_by_relationship_in_either_case_and_with_either_slash() {
    let document = format!(
        "<w:document {NAMESPACES}><w:body>{}</w:body></w:document>",
        pp("<w:pStyle w:val=\"A\"/>", "text")
    );
    let root = |kind: &str, target: &str| relationships(&[("other", "word/other.xml"), (kind, target)]);
    let text = |root: String, name: &str| {
        let bytes = archive(&[
            ("_rels/.rels", root.as_bytes()),
            ("word/other.xml", b"<w:document xmlns:w=\"x\"/>"),
            (name, document.as_bytes()),
        ]);
        read(&bytes, &Limits::default()).map(|read| read.output.layout.text).ok()
    };
    let main = |target: &str| root("officeDocument", target);
    let found = Some("text".to_owned());
    assert_eq!(text(main("word/second.xml"), "word/second.xml"), found);
    assert_eq!(text(main("/word/./second.xml"), "word/second.xml"), found);
    assert_eq!(text(main("word/../word/second.xml"), "word/second.xml"), found);
    assert_eq!(text(main("word/second.xml"), "WORD\\Second.xml"), found);
    assert_eq!(text(main("word/second.xml"), "word/sec0nd.xml"), None);
    assert_eq!(text(main("xl/second.xml"), "xl/second.xml"), None, "a workbook");
    let outside = main("word/second.xml").replace("Id=\"r1\"", "Id=\"r1\" TargetMode=\"External\"");
    assert_eq!(text(outside, "word/second.xml"), None, "a target outside the file");
}

#[test]
fn text_over_the_limit_is_cut_with_a_warning() {
    let body: String = (0..20).map(|n| p(&format!("paragraph {n}"))).collect();
    for limits in [
        Limits { paragraphs: Allowance::flat(3), ..Limits::default() },
        Limits { text_bytes: Allowance::flat(40), ..Limits::default() },
    ] {
        let read = read(&file(body.clone()).bytes(), &limits).unwrap();
        assert!(read.output.layout.text.len() < 60);
        assert_eq!(read.diags[0].code, DiagCode::LimitReached);
    }
}

#[test]
fn a_paragraph_over_the_limit_keeps_its_beginning() {
    let limits = Limits { text_bytes: Allowance::flat(20), ..Limits::default() };
    let read = read(&file(p(&"words ".repeat(9))).bytes(), &limits).unwrap();
    assert_eq!(read.output.layout.text, "words words words wo");
    assert_eq!(read.diags[0].code, DiagCode::LimitReached);
}

#[test]
fn cells_count_as_paragraphs() {
    let row = format!("<w:tr><w:tc>{}</w:tc></w:tr>", p("cell"));
    let limits = Limits { paragraphs: Allowance::flat(10), ..Limits::default() };
    let read = read(&file(format!("<w:tbl>{}</w:tbl>", row.repeat(9))).bytes(), &limits).unwrap();
    assert_eq!(read.output.layout.text.matches("cell").count(), 5);
    assert_eq!(read.diags[0].code, DiagCode::LimitReached);
}

#[test]
fn cyclic_styles_and_lists_terminate() {
    let styles = "<w:style w:styleId=\"A\"><w:basedOn w:val=\"B\"/></w:style><w:style w:styleId=\"B\"><w:basedOn w:val=\"A\"/></w:style>";
    let numbering = "<w:abstractNum w:abstractNumId=\"0\"><w:numStyleLink w:val=\"A\"/></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let body = pp("<w:pStyle w:val=\"A\"/><w:numPr><w:numId w:val=\"1\"/></w:numPr>", "x");
    assert_eq!(file(body).with("styles", styles).with("numbering", numbering).read().layout.text, "x");
}

fn sample() -> File {
    let body = styled("H1", "Scope")
        + "<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id=\"1\"/></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r></w:p>"
        + &pp("<w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr>", "item")
        + "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc><w:tc/></w:tr></w:tbl>";
    file(body)
        .with("styles", "<w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/></w:style>")
        .with("numbering", "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"1\"><w:start w:val=\"4294967295\"/><w:numFmt w:val=\"upperLetter\"/><w:lvlText w:val=\"%1.%2\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>")
        .with("footnotes", "<w:footnote w:id=\"1\"><w:p><w:r><w:t>Note.</w:t></w:r></w:p></w:footnote>")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Neither the container nor any part panics when bytes of it change, and what is read keeps its promises.
    #[test]
    fn damaged_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bytes = sample().bytes();
        for (at, byte) in &changes {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        let _ = read(&bytes, &Limits::default());
    }

    #[test]
    fn damaged_xml_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), "[<>/&;\"=a-z0-9:]{0,6}"), 1..8)) {
        let mut file = sample();
        for (at, text) in &changes {
            let boundary = file.body.floor_char_boundary(at.index(file.body.len()));
            file.body.insert_str(boundary, text);
        }
        if let Ok(read) = read(&file.bytes(), &Limits::default()) {
            let layout = &read.output.layout;
            prop_assert!(layout.blocks.iter().all(|block| !layout.slice(block.range).is_empty()));
            prop_assert!(layout.blocks.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
            prop_assert!(layout.marks.windows(2).all(|pair| pair[0].at <= pair[1].at));
            prop_assert!(layout.marks.iter().all(|mark| layout.text.is_char_boundary(mark.at as usize)));
        }
    }
}
