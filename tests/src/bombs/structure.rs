//! Bombs in the structure of a PDF: objects, cross-references, page trees, fonts, outlines, tags.

use std::fmt::Write as _;

use super::make::Make;
use super::pdf::Pdf;

pub(super) const BOMBS: &[(&str, &str, Make)] = &[
    ("object-streams.pdf", "80 object streams that inflate to 4 MiB of numbers each", object_streams),
    ("xref-entries.pdf", "a cross-reference stream of two thousand million entries", xref_entries),
    ("xref-rows.pdf", "a cross-reference stream that inflates to 4 million rows", xref_rows),
    ("page-list.pdf", "a page of 5,000 words that is listed 19,000 times", page_list),
    ("page-tree.pdf", "a page tree whose nodes list each other, 19,000 pages", page_tree),
    ("width-arrays.pdf", "1,500 fonts with the widths of 300,000 glyphs", width_arrays),
    ("to-unicode.pdf", "1,500 fonts with a map of 200,000 entries", to_unicode),
    ("cid-maps.pdf", "1,500 fonts with an encoding of 200,000 ranges", cid_maps),
    ("glyph-tables.pdf", "200 fonts whose program has 4,000 tables of codes", glyph_tables),
    (
        "outline-loop.pdf",
        "an outline whose items follow each other in a ring, and 50,000 names",
        outline_loop,
    ),
    ("tag-fan.pdf", "a structure tree of elements that hold each other, 10 to the power 12 paths", tag_fan),
    ("labels.pdf", "20,000 pages with a label each that counts to thousands", labels),
];

/// Content that shows a letter in each of `n` fonts `/F0` and on.
fn show_in_fonts(n: usize) -> Vec<u8> {
    let mut content = "BT\n".to_owned();
    for at in 0..n {
        let _ = writeln!(content, "/F{at} 9 Tf 1 0 0 1 {} {} Tm <0041> Tj", at * 7 % 600, at * 11 % 780);
    }
    content.push_str("ET");
    content.into_bytes()
}

/// A file of 20 pages that show a letter in each of `n` fonts. `font` gives the entries of a composite font and of its
/// descendant.
fn fonts(mut pdf: Pdf, n: usize, font: (&str, &str)) -> Vec<u8> {
    let mut named = String::new();
    for at in 0..n {
        let descendant =
            pdf.add(format!("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X{at} {} >>", font.1));
        let id = pdf.add(format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /X{at} /DescendantFonts [{descendant} 0 R] {} >>",
            font.0
        ));
        let _ = write!(named, "/F{at} {id} 0 R ");
    }
    pdf.resources = format!("/Font << {named} >>");
    let content = pdf.deflated("", &show_in_fonts(n));
    pdf.pages(20, content);
    pdf.finish()
}

fn object_streams() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let numbers = format!("[{}]", "0 ".repeat((4 << 19) - 40));
    for _ in 0..80 {
        pdf.packed(numbers.as_bytes());
    }
    pdf.page(b"BT /F 9 Tf 99 99 Td (text) Tj ET");
    pdf.finish()
}

fn xref_stream(entries: &str, rows: &[u8]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(b"BT /F 9 Tf 99 99 Td (text) Tj ET");
    let mut bytes = pdf.finish();
    let tail = bytes.windows(4).rposition(|window| window == b"xref").unwrap_or(bytes.len());
    bytes.truncate(tail.saturating_sub(5));
    let start = bytes.len();
    let mut stream = Pdf::new();
    stream.deflated(&format!("/Type /XRef /Root 1 0 R {entries}"), rows);
    bytes.extend_from_slice(b"9 0 obj\n");
    bytes.extend_from_slice(&stream.into_last());
    bytes.extend_from_slice(format!("\nendobj\nstartxref\n{start}\n%%EOF\n").as_bytes());
    bytes
}

fn xref_entries() -> Vec<u8> {
    xref_stream("/Size 2000000000 /W [0 0 0] /Index [0 2000000000]", b"")
}

fn xref_rows() -> Vec<u8> {
    xref_stream("/Size 4000000 /W [1 1 1] /Index [10 3999990]", &vec![1; 12 << 20])
}

fn page_list() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut content = "BT /F 8 Tf\n".to_owned();
    for at in 0..5_000 {
        let _ = writeln!(content, "1 0 0 1 {} {} Tm (words{at}) Tj", at * 37 % 560, at * 53 % 740);
    }
    pdf.page(content.as_bytes());
    pdf.repeat_pages(19_000);
    pdf.finish()
}

fn page_tree() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let content = pdf.stream("", b"BT /F 9 Tf 99 99 Td (text) Tj ET");
    pdf.pages(1, content);
    let mut node = pdf.next_id() - 1;
    for _ in 0..6 {
        node = pdf.add(format!("<< /Type /Pages /Count 5 /Kids [{}] >>", format!("{node} 0 R ").repeat(5)));
    }
    pdf.kids_of_root(&[node]);
    pdf.finish()
}

fn width_arrays() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let widths = pdf.packed(format!("[0 [{}]]", "500 ".repeat(300_000)).as_bytes());
    fonts(pdf, 1_500, ("/Encoding /Identity-H", &format!("/W {widths} 0 R")))
}

fn to_unicode() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let map = pdf.deflated("", "1 beginbfrange <0000> <FFFF> <00410042> endbfrange ".repeat(4).as_bytes());
    fonts(pdf, 1_500, (&format!("/Encoding /Identity-H /ToUnicode {map} 0 R"), ""))
}

fn cid_maps() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let ranges = format!("200000 begincidrange {} endcidrange", "<0000> <FFFF> 0 ".repeat(99_000)).repeat(2);
    let map = pdf.deflated("/Type /CMap /CMapName /X", ranges.as_bytes());
    fonts(pdf, 1_500, (&format!("/Encoding {map} 0 R"), ""))
}

/// An OpenType program without glyphs whose cmap has this many records for one subtable, of format 12.
fn program(n_records: u16) -> Vec<u8> {
    let mut cmap = [0u16.to_be_bytes(), n_records.to_be_bytes()].concat();
    let offset = 4 + 8 * u32::from(n_records);
    for _ in 0..n_records {
        cmap.extend_from_slice(&[0, 0, 0, 4]);
        cmap.extend_from_slice(&offset.to_be_bytes());
    }
    cmap.extend_from_slice(&[0, 12, 0, 0]);
    for number in [28u32, 0, 1, 0, 0x2_FFFF, 1] {
        cmap.extend_from_slice(&number.to_be_bytes());
    }
    let mut head = [0; 54];
    head[..4].copy_from_slice(&[0, 1, 0, 0]);
    head[12..16].copy_from_slice(&0x5F0F_3CF5u32.to_be_bytes());
    head[18..20].copy_from_slice(&1_000u16.to_be_bytes());
    let mut hhea = [0; 36];
    hhea[..4].copy_from_slice(&[0, 1, 0, 0]);
    let maxp = [0, 0, 0x50, 0, 0xFF, 0xFF];
    let tables: [(&[u8], &[u8]); 4] =
        [(b"cmap", &cmap), (b"head", &head), (b"hhea", &hhea), (b"maxp", &maxp)];
    let mut bytes = vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0];
    let mut at = 12 + 16 * 4u32;
    for (tag, table) in tables {
        let length = u32::try_from(table.len()).unwrap_or(0);
        bytes.extend_from_slice(tag);
        for number in [0, at, length] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        at += length;
    }
    for (_, table) in tables {
        bytes.extend_from_slice(table);
    }
    bytes
}

fn glyph_tables() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let program = pdf.deflated("", &program(4_000));
    let descriptor =
        pdf.add(format!("<< /Type /FontDescriptor /FontName /X /Flags 4 /FontFile2 {program} 0 R >>"));
    fonts(pdf, 200, ("/Encoding /Identity-H", &format!("/FontDescriptor {descriptor} 0 R")))
}

fn outline_loop() -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(b"BT /F 9 Tf 99 99 Td (text) Tj ET");
    let first = pdf.next_id();
    for at in 0..300 {
        let next = first + (at + 1) % 300;
        pdf.add(format!(
            "<< /Title (Item {at}) /Next {next} 0 R /First {first} 0 R /Last {next} 0 R /Dest (name) >>"
        ));
    }
    let names = format!("[{}]", "(name) [4 0 R /Fit] ".repeat(50_000));
    let names = pdf.packed(names.as_bytes());
    let root = pdf.add(format!("<< /First {first} 0 R /Last {first} 0 R >>"));
    pdf.catalog = format!("/Outlines {root} 0 R /Names << /Dests << /Names {names} 0 R >> >>");
    pdf.finish()
}

fn tag_fan() -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(b"/P << /MCID 0 >> BDC BT /F 9 Tf 99 99 Td (text) Tj ET EMC");
    let page = pdf.next_id() - 1;
    let mut element = pdf.add(format!("<< /S /P /Pg {page} 0 R /K 0 /ActualText (other) >>"));
    for _ in 0..12 {
        let kids = format!("{element} 0 R ").repeat(10);
        element = pdf.add(format!("<< /S /Sect /ActualText (more) /K [{kids}] >>"));
    }
    let root = pdf.add(format!("<< /Type /StructTreeRoot /K [{element} 0 R] >>"));
    pdf.catalog = format!("/StructTreeRoot {root} 0 R /MarkInfo << /Marked true >>");
    pdf.finish()
}

fn labels() -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page(b"BT /F 9 Tf 99 99 Td (text) Tj ET");
    pdf.repeat_pages(20_000);
    let mut numbers = String::new();
    for at in 0..20_000 {
        let _ = write!(numbers, "{at} << /S /r /St {} /P (prefix) >> ", 3_999_999 - at);
    }
    let numbers = pdf.packed(format!("[{numbers}]").as_bytes());
    pdf.catalog = format!("/PageLabels << /Nums {numbers} 0 R >>");
    pdf.finish()
}
