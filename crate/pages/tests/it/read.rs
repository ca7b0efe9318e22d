//! Small PDFs written in code and read back: position and text of runs, and refusals.

use std::ops::ControlFlow;

use crate::pdf::Pdf;
use document::{Allowance, DiagCode, Page, PageId, PdfText, Visibility, Warned};
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, dictionary};
use pages::{Error, ErrorKind, Limits, Options, standard_widths};

fn read_with(bytes: &[u8], options: &Options) -> Result<Warned<PdfText>, Error> {
    pages::read(bytes, options, &mut |_, _| ControlFlow::Continue(()))
}

fn read(bytes: &[u8]) -> Warned<PdfText> {
    read_with(bytes, &Options::default()).unwrap()
}

/// Page with this content; Helvetica is `F`.
fn page(content: &str) -> Page {
    read(&Pdf::page(content).bytes()).output.pages.remove(0)
}

fn texts(page: &Page) -> Vec<&str> {
    page.runs.iter().map(|run| run.text.as_str()).collect()
}

fn width(text: &str, size: f32) -> f32 {
    let widths = standard_widths("Helvetica").unwrap();
    text.bytes().map(|b| f32::from(widths[usize::from(b)]) / 1000.0 * size).sum()
}

#[track_caller]
fn close(a: f32, b: f32) {
    assert!((a - b).abs() < 0.01, "{a} is not {b}");
}

#[test]
fn a_run_is_placed_by_its_matrices() {
    let page = page("q 2 0 0 2 10 20 cm BT /F 10 Tf 1 0 0 1 30 40 Tm (Hello) Tj ET Q");
    let run = &page.runs[0];
    assert_eq!((run.text.as_str(), run.size.0, run.angle), ("Hello", 20.0, 0.0));
    close(run.rect.x0, 10.0 + 2.0 * 30.0);
    close(run.baseline, 792.0 - (20.0 + 2.0 * 40.0));
    close(run.rect.width(), width("Hello", 20.0));
    close(run.rect.y0, run.baseline - 0.718 * 20.0);
    close(run.rect.y1, run.baseline + 0.207 * 20.0);
    assert_eq!(run.edges.len(), 6);
    close(run.edges[1], width("H", 20.0));
    close(run.edges[5], width("Hello", 20.0));
}

#[test]
fn all_line_operators_move_to_the_next_line() {
    let page = page(
        "BT /F 10 Tf 100 700 Td (a) Tj 0 -12 TD (b) Tj T* (c) Tj 14 TL (d) ' 1 2 (e) \" 5 0 Td (f) Tj ET",
    );
    let places: Vec<_> = page.runs.iter().map(|run| (run.rect.x0, 792.0 - run.baseline)).collect();
    let expected =
        [(100.0, 700.0), (100.0, 688.0), (100.0, 676.0), (100.0, 662.0), (100.0, 648.0), (105.0, 648.0)];
    assert_eq!(texts(&page), ["a", "b", "c", "d", "e", "f"]);
    for (place, expected) in places.iter().zip(expected) {
        close(place.0, expected.0);
        close(place.1, expected.1);
    }
}

#[test]
fn spacing_scale_and_rise_move_glyphs() {
    let page = page("BT /F 10 Tf 2 Tc 5 Tw 50 Tz 4 Ts 100 700 Td (a b) Tj (c) Tj ET");
    let (first, second) = (&page.runs[0], &page.runs[1]);
    close(first.edges[1], (width("a", 10.0) + 2.0) / 2.0);
    close(first.edges[2], (width("a ", 10.0) + 4.0 + 5.0) / 2.0);
    close(first.rect.width(), (width("a b", 10.0) + 9.0) / 2.0);
    close(second.rect.x0 - first.rect.x0, (width("a b", 10.0) + 11.0) / 2.0);
    close(first.rise.0, 4.0);
    close(first.baseline, 792.0 - 704.0);
}

#[test]
fn a_wide_adjustment_starts_a_run_and_kerning_does_not() {
    let page = page("BT /F 10 Tf 100 700 Td [(A) 70 (V) -278 (w) -50 (x) 500 (y)] TJ ET");
    assert_eq!(texts(&page), ["AV", "wx", "y"]);
    close(page.runs[0].edges[1], width("A", 10.0) - 0.7);
    close(page.runs[1].rect.x0 - page.runs[0].rect.x1, 2.78);
}

#[test]
fn rotation_and_crop_box_are_applied() {
    for (rotate, x, y, angle) in [(0, 50.0, 642.0, 0.0), (90, 50.0, 50.0, 90.0), (180, 462.0, 50.0, 180.0)] {
        let bytes = Pdf::page("BT /F 10 Tf 100 100 Td (x) Tj ET")
            .page_entry(&format!("/CropBox [50 50 562 742] /Rotate {rotate}"))
            .bytes();
        let page = read(&bytes).output.pages.remove(0);
        let run = &page.runs[0];
        assert_eq!(run.angle, angle);
        let baseline = if angle == 90.0 { (run.baseline, run.rect.y0) } else { (run.rect.x0, run.baseline) };
        let start = if angle == 180.0 { (run.rect.x1, run.baseline) } else { baseline };
        close(start.0, x);
        close(start.1, y);
        assert_eq!(run.visibility, Visibility::Visible);
    }
}

#[test]
fn forms_have_their_own_matrix_and_resources() {
    let mut pdf = Pdf::page("q 1 0 0 1 100 0 cm /Fm Do Q");
    let font = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>");
    let form = pdf.add_stream(
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 0 50] /Resources << /Font << /G {font} 0 R >> >>"),
        "BT /G 10 Tf 1 0 0 1 7 8 Tm (in form) Tj ET",
    );
    let page = read(&pdf.x_object("Fm", form).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["in form"]);
    close(page.runs[0].rect.x0, 107.0);
    close(page.runs[0].baseline, 792.0 - 58.0);
    close(page.runs[0].rect.width(), 42.0);
    assert!(page.runs[0].font.monospace);
}

#[test]
fn a_form_that_paints_itself_terminates() {
    let mut pdf = Pdf::page("/Fm Do");
    let id = pdf.next_id();
    let form = pdf.add_stream(
        &format!(
            "/Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /Fm {id} 0 R >> /Font << /F 4 0 R >> >>"
        ),
        "BT /F 9 Tf (once) Tj ET /Fm Do /Fm Do",
    );
    let page = read(&pdf.x_object("Fm", form).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["once"]);
}

#[test]
fn forms_that_double_at_each_level_stop_at_the_operator_limit() {
    let mut pdf = Pdf::page("/Fm Do");
    let mut inner = pdf.add_stream("/Subtype /Form /BBox [0 0 9 9]", "q Q");
    for _ in 0..12 {
        let resources =
            format!("/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A {inner} 0 R >> >>");
        inner = pdf.add_stream(&resources, &"/A Do ".repeat(10));
    }
    let options =
        Options { limits: Limits { page_operators: 10_000, ..Limits::default() }, ..Options::default() };
    let read = read_with(&pdf.x_object("Fm", inner).bytes(), &options).unwrap();
    assert!(
        read.diags.iter().any(|diag| diag.code == DiagCode::LimitReached && diag.page == Some(PageId(0)))
    );
}

#[test]
fn to_unicode_comes_first_and_ligatures_share_their_advance() {
    let mut pdf = Pdf::page("BT /U 10 Tf 10 10 Td <010203> Tj ET");
    let map = pdf.add_stream("", "2 beginbfchar <01> <00660069> <02> <7B2C> endbfchar");
    let font = pdf.add(&format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /X /FirstChar 1 /Widths [500 1000 300] /ToUnicode {map} 0 R >>"
    ));
    let page = read(&pdf.font("U", font).bytes()).output.pages.remove(0);
    let run = &page.runs[0];
    assert_eq!(run.text, "fi第 ");
    for (edge, expected) in run.edges.iter().zip([0.0, 2.5, 5.0, 15.0, 18.0]) {
        close(*edge, expected);
    }
}

#[test]
fn differences_and_encodings_name_glyphs() {
    let mut pdf = Pdf::page("BT /D 10 Tf 10 10 Td (ab\\223\\251) Tj ET");
    let font = pdf.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica \
         /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [97 /fi /uni20AC] >> >>",
    );
    let page = read(&pdf.font("D", font).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["\u{FB01}€\u{201C}©"]);
}

#[test]
fn composite_fonts_read_two_byte_codes_and_w_widths() {
    let mut pdf = Pdf::page("BT /C 10 Tf 10 700 Td <00010002> Tj ET BT /G 10 Tf 10 600 Td <B5DA41> Tj ET");
    let map = pdf.add_stream("", "1 beginbfrange <0001> <0002> <4E00> endbfrange");
    let identity = pdf.add("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 1000 /W [2 [600]] >>");
    let identity = pdf.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [{identity} 0 R] \
         /ToUnicode {map} 0 R >>"
    ));
    let gbk = pdf.add(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong /CIDSystemInfo << /Registry (Adobe) \
         /Ordering (GB1) /Supplement 2 >> /W [814 [500]] >>",
    );
    let gbk = pdf.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /STSong /Encoding /GBK-EUC-H /DescendantFonts [{gbk} 0 R] >>"
    ));
    let page = read(&pdf.font("C", identity).font("G", gbk).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["\u{4E00}\u{4E01}", "第A"]);
    close(page.runs[0].rect.width(), 16.0);
    close(page.runs[1].edges[1], 10.0);
}

#[test]
fn vertical_text_runs_downwards() {
    let mut pdf = Pdf::page("BT /V 10 Tf 300 700 Td <00010002> Tj ET");
    let map = pdf.add_stream("", "1 beginbfrange <0001> <0002> <4E00> endbfrange");
    let font = pdf.add("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X >>");
    let font = pdf.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-V /DescendantFonts [{font} 0 R] \
         /ToUnicode {map} 0 R >>"
    ));
    let page = read(&pdf.font("V", font).bytes()).output.pages.remove(0);
    let run = &page.runs[0];
    assert_eq!((run.text.as_str(), run.angle), ("\u{4E00}\u{4E01}", 90.0));
    close(run.baseline, 300.0);
    close(run.rect.x0, 295.0);
    close(run.rect.y0, 92.0);
    close(run.rect.y1, 112.0);
    close(run.edges[1], 10.0);
}

#[test]
fn invisible_and_off_page_text_is_marked() {
    let page = page("BT /F 10 Tf 3 Tr 10 10 Td (ocr) Tj 0 Tr 1000 0 Td (away) Tj ET");
    let seen: Vec<_> = page.runs.iter().map(|run| run.visibility).collect();
    assert_eq!(seen, [Visibility::Unpainted, Visibility::OffPage]);
}

#[test]
fn the_innermost_marked_content_id_counts() {
    let page =
        page("/P << /MCID 7 >> BDC BT /F 9 Tf (a) Tj /Span BMC (b) Tj EMC ET EMC BT /F 9 Tf (c) Tj ET");
    let ids: Vec<_> = page.runs.iter().map(|run| run.mcid).collect();
    assert_eq!(ids, [Some(7), Some(7), None]);
}

#[test]
fn thin_boxes_and_strokes_are_rules_and_other_shapes_are_not() {
    let page = page(
        "72 500 200 0.5 re f 1 w 72 400 m 272 400 l S 72 100 300 200 re f 1 g 72 300 200 1 re f \
         0 g 72 350 m 100 380 l S 300 100 m 300 200 l S",
    );
    let rects: Vec<_> = page.rules.iter().map(|rule| rule.rect).collect();
    assert_eq!(rects.len(), 3, "{rects:?}");
    close(rects[0].y0, 291.5);
    close(rects[1].y0, 391.5);
    close(rects[1].width(), 200.0);
    close(rects[2].width(), 1.0);
}

#[test]
fn a_scan_is_a_page_with_an_image_and_no_text() {
    let mut pdf = Pdf::page("q 612 0 0 396 0 0 cm /Im Do Q");
    let image = pdf.add_stream("/Subtype /Image /Width 1 /Height 1", "x");
    let read = read(&pdf.x_object("Im", image).bytes());
    close(read.output.pages[0].image_cover, 0.5);
    let found: Vec<_> = read.diags.iter().map(|diag| (diag.code, diag.page)).collect();
    assert_eq!(found, [(DiagCode::NoTextLayer, Some(PageId(0))), (DiagCode::NoTextLayer, None)]);
}

#[test]
fn text_after_an_inline_image_is_read() {
    let page = page("BI /W 2 /H 2 /BPC 8 /CS /G ID \u{1}EI\u{2}EI\u{3} EI Q BT /F 9 Tf (after) Tj ET");
    assert_eq!(texts(&page), ["after"]);
}

#[test]
fn labels_outline_title_and_language_are_read() {
    let mut pdf = Pdf::page("");
    let item = pdf.next_id() + 1;
    let outline = pdf.add(&format!("<< /First {item} 0 R /Last {item} 0 R >>"));
    pdf.add("<< /Title <FEFF00A7002000310031> /Dest [3 0 R /XYZ 72 692 null] >>");
    let bytes = pdf
        .catalog_entry(&format!(
            "/Outlines {outline} 0 R /Lang (en-GB) /PageLabels << /Nums [0 << /S /r /P (A-) /St 4 >>] >>"
        ))
        .info("/Title (A title)")
        .bytes();
    let source = read(&bytes).output;
    assert_eq!(source.pages[0].label.as_deref(), Some("A-iv"));
    assert_eq!((source.title.as_deref(), source.language.as_deref()), (Some("A title"), Some("en-GB")));
    let item = &source.outline[0];
    assert_eq!(
        (item.title.as_str(), item.level, item.page, item.y),
        ("§ 11", 1, Some(PageId(0)), Some(100.0))
    );
}

#[test]
fn filled_form_fields_are_page_text() {
    let mut pdf = Pdf::page("");
    let appearance = pdf.add_stream(
        "/Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 4 0 R >> >>",
        "BT /F 10 Tf 2 5 Td (filled in) Tj ET",
    );
    let widget = pdf.add(&format!(
        "<< /Type /Annot /Subtype /Widget /Rect [200 300 300 320] /AP << /N {appearance} 0 R >> >>"
    ));
    let page = read(&pdf.page_entry(&format!("/Annots [{widget} 0 R]")).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["filled in"]);
    close(page.runs[0].rect.x0, 202.0);
    close(page.runs[0].baseline, 792.0 - 305.0);
}

#[test]
fn each_kind_of_bad_file_has_its_error() {
    let good = Pdf::page("").bytes();
    let small = Options { limits: Limits { file_bytes: 100, ..Limits::default() }, ..Options::default() };
    let no_pages = Options { limits: Limits { pages: 0, ..Limits::default() }, ..Options::default() };
    for (bytes, options, kind) in [
        (&b""[..], Options::default(), ErrorKind::NotPdf),
        (b"<html>no</html>", Options::default(), ErrorKind::NotPdf),
        (b"%PDF-1.7\nnothing here", Options::default(), ErrorKind::Damaged),
        (&good, small, ErrorKind::LimitExceeded),
        (&good, no_pages, ErrorKind::LimitExceeded),
        (&Pdf::empty().bytes(), Options::default(), ErrorKind::NoPages),
    ] {
        let error = read_with(bytes, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(!error.hint().is_empty());
        assert_eq!(error.to_string().lines().count(), 1);
    }
    let cancelled = pages::read(&good, &Options::default(), &mut |_, _| ControlFlow::Break(()));
    assert_eq!(cancelled.unwrap_err().kind(), ErrorKind::Cancelled);
}

#[test]
fn a_file_without_its_cross_reference_table_is_repaired() {
    let bytes = Pdf::page("BT /F 9 Tf (still here) Tj ET").bytes();
    let cut = bytes.windows(4).rposition(|window| window == b"xref").unwrap();
    let cut = bytes[..cut].windows(5).rposition(|window| window == b"\nxref").unwrap_or(cut);
    let read = read(&bytes[..cut]);
    assert_eq!(texts(&read.output.pages[0]), ["still here"]);
    assert_eq!(read.diags[0].code, DiagCode::Repaired);
}

#[test]
fn a_file_truncated_before_its_catalog_keeps_its_pages() {
    let bytes = Pdf::page("BT /F 9 Tf (left over) Tj ET").bytes();
    let text = String::from_utf8_lossy(&bytes);
    let broken = text.replace("/Catalog", "/Catalo5").replace("/Root", "/Rooo");
    let cut = broken.split("\nxref").next().unwrap();
    let read = read(cut.as_bytes());
    assert_eq!(texts(&read.output.pages[0]), ["left over"]);
    assert_eq!(read.diags[0].code, DiagCode::Repaired);
}

#[test]
fn bytes_before_the_header_are_skipped() {
    let bytes = [&b"mail header\r\n\r\n"[..], &Pdf::page("BT /F 9 Tf (x) Tj ET").bytes()].concat();
    assert_eq!(texts(&read(&bytes).output.pages[0]), ["x"]);
}

/// File encrypted by lopdf with 128-bit RC4.
fn encrypted(bytes: &[u8], user_password: &str) -> Vec<u8> {
    let mut document = Document::load_mem(bytes).unwrap();
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password,
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn encrypted_files_open_with_the_empty_or_the_given_password() {
    let plain = Pdf::page("BT /F 9 Tf (secret) Tj ET").bytes();
    let with = |password: &str| Options { password: Some(password.to_owned()), ..Options::default() };
    assert_eq!(texts(&read(&encrypted(&plain, "")).output.pages[0]), ["secret"]);
    let locked = encrypted(&plain, "user");
    for password in ["user", "owner"] {
        let read = read_with(&locked, &with(password)).unwrap();
        assert_eq!(texts(&read.output.pages[0]), ["secret"], "{password}");
    }
    for options in [Options::default(), with("wrong")] {
        let error = read_with(&locked, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encrypted, "{error}");
    }
}

#[test]
fn pages_are_readable_when_only_attachments_are_encrypted() {
    let plain = Pdf::page("BT /F 9 Tf (open) Tj ET").bytes();
    let mut document = Document::load_mem(&plain).unwrap();
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    let unknown = Object::string_literal([b'x'; 32]);
    let encrypt = document.add_object(dictionary! {
        "Filter" => "Standard", "V" => 4, "R" => 4, "Length" => 128, "P" => -1,
        "O" => unknown.clone(), "U" => unknown,
        "CF" => dictionary! { "StdCF" => dictionary! { "CFM" => "AESV2", "AuthEvent" => "EFOpen" } },
        "EFF" => "StdCF", "StmF" => "Identity", "StrF" => "Identity",
    });
    document.trailer.set("Encrypt", encrypt);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    assert_eq!(texts(&read(&bytes).output.pages[0]), ["open"]);
}

#[test]
fn text_without_a_font_is_read_as_in_a_standard_font() {
    let page = page("BT /Gone 10 Tf 10 10 Td (text) Tj ET");
    assert_eq!(texts(&page), ["text"]);
    close(page.runs[0].rect.width(), width("text", 10.0));
}

#[test]
fn labels_as_type3_glyph_names_fall_back_to_codes() {
    let mut pdf = Pdf::page("BT /T 1 Tf 10 10 Td (ab) Tj ET");
    let glyph = pdf.add_stream("", "10 0 0 0 10 20 d1");
    let font = pdf.add(&format!(
        "<< /Subtype /Type3 /FontMatrix [0.5 0 0 0.5 0 0] /FontBBox [0 0 0 0] /FirstChar 97 /Widths [10 10] \
         /CharProcs << /C1 {glyph} 0 R /C2 {glyph} 0 R >> /Encoding << /Differences [97 /C1 /C2] >> >>"
    ));
    let page = read(&pdf.font("T", font).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["ab"]);
    close(page.runs[0].rect.width(), 10.0);
    close(page.runs[0].size.0, 10.0);
}

#[test]
fn pages_over_the_text_limits_are_cut_with_a_diagnostic() {
    let content = format!("BT /F 9 Tf {} ET", "(ab) Tj ".repeat(100));
    let twice = Pdf::page(&content).bytes();
    for limits in [
        Limits { page_characters: 20, ..Limits::default() },
        Limits { page_runs: 10, ..Limits::default() },
        Limits { characters: Allowance::flat(20), ..Limits::default() },
        Limits { runs: Allowance::flat(10), ..Limits::default() },
    ] {
        let read = read_with(&twice, &Options { limits, ..Options::default() }).unwrap();
        assert_eq!(read.output.pages[0].runs.len(), 10, "{limits:?}");
        assert!(read.diags.iter().any(|diag| diag.code == DiagCode::LimitReached), "{limits:?}");
    }
}

#[test]
fn a_truncated_stream_is_read_with_a_diagnostic() {
    let mut stream = lopdf::Stream::new(
        dictionary! {},
        format!("BT /F 9 Tf (start) Tj {} ET", "(more and more) Tj 1 2 Td ".repeat(500)).into_bytes(),
    );
    stream.compress().unwrap();
    for (length, whole) in [(stream.content.len(), true), (stream.content.len() / 2, false)] {
        let mut document = Document::load_mem(&Pdf::page("").bytes()).unwrap();
        let cut = lopdf::Stream::new(stream.dict.clone(), stream.content[..length].to_vec());
        document.objects.insert((5, 0), Object::Stream(cut));
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        let read = read(&bytes);
        assert_eq!(read.output.pages[0].runs[0].text, "start");
        let damaged = read.diags.iter().any(|d| d.code == DiagCode::DamagedPage && d.page == Some(PageId(0)));
        assert_eq!(damaged, !whole);
    }
}

#[test]
fn pages_with_implausible_boxes_are_kept() {
    for (boxes, size) in [
        ("/MediaBox [0 0 0 0]", (612.0, 792.0)),
        ("/MediaBox [0 0 612]", (612.0, 792.0)),
        ("/MediaBox [0 0 99999999 99999999]", (612.0, 792.0)),
        ("/MediaBox [0 0 -99999999 99999999999999999999] /CropBox [0 0 500 700]", (500.0, 700.0)),
        ("/MediaBox [(a) /b null 1]", (612.0, 792.0)),
        ("/CropBox [700 800 900 950]", (612.0, 792.0)),
        ("/MediaBox [100 100 0 0]", (100.0, 100.0)),
    ] {
        let page = read(&Pdf::page("BT /F 9 Tf 10 10 Td (x) Tj ET").page_entry(boxes).bytes())
            .output
            .pages
            .remove(0);
        let (width, height) = page.geometry.size();
        assert_eq!((width.0, height.0), size, "{boxes}");
        assert_eq!(page.runs[0].visibility, Visibility::Visible, "{boxes}");
    }
}

#[test]
fn an_uninformative_to_unicode_map_comes_last() {
    let font = |map: &str, codes: &str| {
        let mut pdf = Pdf::page(&format!("BT /U 10 Tf 10 10 Td {codes} Tj ET"));
        let map = pdf.add_stream("", map);
        let font = pdf.add(&format!(
            "<< /Type /Font /Subtype /TrueType /BaseFont /X /Encoding /WinAnsiEncoding /ToUnicode {map} 0 R >>"
        ));
        let composite = pdf.add("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 500 >>");
        let composite = pdf.add(&format!(
            "<< /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [{composite} 0 R] /ToUnicode {map} 0 R >>"
        ));
        let id = if codes.starts_with('<') { composite } else { font };
        let page = read(&pdf.font("U", id).bytes()).output.pages.remove(0);
        page.runs.iter().map(|run| run.text.clone()).collect::<String>()
    };
    assert_eq!(font("2 beginbfchar <41> <FFFD> <42> <FFFD> endbfchar", "(AB)"), "AB");
    let spaces =
        "6 beginbfchar <41> <0020> <42> <0020> <43> <0020> <44> <0020> <45> <0020> <46> <0020> endbfchar";
    assert_eq!(font(spaces, "(ABC)"), "ABC");
    assert_eq!(font("1 beginbfchar <20> <0020> endbfchar", "(A B)"), "A B");
    let cluster = "3 beginbfchar <0001> <00660069> <0002> <> <0003> <FFFD> endbfchar";
    assert_eq!(font(cluster, "<000100020003>"), "fi\u{FFFD}");
}

#[test]
fn identity_maps_and_collections_give_unicode() {
    for (to_unicode, ordering) in [("/ToUnicode /Identity-H", "Identity"), ("", "UCS")] {
        let mut pdf = Pdf::page("BT /U 10 Tf 10 10 Td <00410161> Tj ET");
        let font = pdf.add(&format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) >> >>"
        ));
        let font = pdf.add(&format!(
            "<< /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [{font} 0 R] {to_unicode} >>"
        ));
        let page = read(&pdf.font("U", font).bytes()).output.pages.remove(0);
        assert_eq!(texts(&page), ["Aš"], "{ordering}");
    }
}

#[test]
fn symbol_fonts_are_read_as_symbols() {
    for (name, codes, expected) in [
        ("Wingdings", "(\\247\\330)", "▪➢"),
        ("ABCDEF+Wingdings-Regular", "(l)", "●"),
        ("Symbol", "(\\267a)", "•α"),
    ] {
        let mut pdf = Pdf::page(&format!("BT /W 10 Tf 10 10 Td {codes} Tj ET"));
        let encoding = if name == "Symbol" { "" } else { "/Encoding /WinAnsiEncoding" };
        let font = pdf.add(&format!("<< /Type /Font /Subtype /TrueType /BaseFont /{name} {encoding} >>"));
        let page = read(&pdf.font("W", font).bytes()).output.pages.remove(0);
        assert_eq!(texts(&page), [expected], "{name}");
    }
}

#[test]
fn fields_without_an_appearance_show_their_values() {
    let mut pdf = Pdf::page("");
    let parent = pdf.add("<< /FT /Tx /V (Jane Doe) /DA (/Helv 10 Tf 0 g) >>");
    let ids = [
        format!("<< /Subtype /Widget /Rect [100 700 300 720] /Parent {parent} 0 R >>"),
        "<< /Subtype /Widget /FT /Ch /Rect [100 600 300 660] /V [(One) <FEFF4E8C>] >>".to_owned(),
        "<< /Subtype /FreeText /Rect [100 500 300 560] /Contents (a\\nb) >>".to_owned(),
        "<< /Subtype /Widget /FT /Tx /Ff 8192 /Rect [1 1 9 9] /V (secret) >>".to_owned(),
        "<< /Subtype /Widget /FT /Btn /Rect [1 1 9 9] /V (on) >>".to_owned(),
        "<< /Subtype /Text /Rect [1 1 9 9] /Contents (a note) >>".to_owned(),
    ]
    .map(|annotation| format!("{} 0 R ", pdf.add(&annotation)));
    let page = read(&pdf.page_entry(&format!("/Annots [{}]", ids.concat())).bytes()).output.pages.remove(0);
    assert_eq!(texts(&page), ["Jane Doe", "One", "二", "a", "b"]);
    let run = &page.runs[0];
    assert_eq!((run.size.0, run.edges.len()), (10.0, 9));
    assert!(run.rect.x0 >= 100.0 && run.rect.y0 >= 72.0 && run.rect.y1 <= 92.0, "{:?}", run.rect);
    assert!(page.runs[3].baseline < page.runs[4].baseline);
}
