//! Marked content, structure tree, optional content, and hidden text.

use std::ops::ControlFlow;

use crate::pdf::Pdf;
use document::{Page, Tag, TagKind, Visibility};
use pages::Options;

fn read(pdf: &Pdf) -> Page {
    let read = pages::read(&pdf.bytes(), &Options::default(), &mut |_, _| ControlFlow::Continue(()));
    read.unwrap().output.pages.remove(0)
}

fn page(content: &str) -> Page {
    read(&Pdf::page(content))
}

fn texts(page: &Page) -> Vec<&str> {
    page.runs.iter().map(|run| run.text.as_str()).collect()
}

/// Visibility of the last run of a page with this content.
fn seen(content: &str) -> Visibility {
    let page = page(&format!("{content} BT /F 10 Tf 100 100 Td (text) Tj ET"));
    page.runs.last().unwrap().visibility
}

#[test]
fn content_inside_artifacts_is_marked() {
    let page = page(
        "/Artifact BMC BT /F 9 Tf (a) Tj /P << /MCID 1 >> BDC (b) Tj EMC (c) Tj ET EMC \
         /Artifact << /Type /Pagination >> BDC BT (d) Tj ET EMC BT (e) Tj ET",
    );
    let artifacts: Vec<_> = page.runs.iter().map(|run| run.artifact).collect();
    assert_eq!(artifacts, [true, true, true, true, false]);
}

#[test]
fn actual_text_replaces_the_text() {
    for (content, expected) in [
        // One run over all that it replaces; what both texts share keeps its place.
        ("/Span << /ActualText (o1/2ce) >> BDC (o) Tj (\\275) Tj (ce) Tj EMC (s) Tj", &["o1/2ce", "s"][..]),
        // The same text, or the same but for its case, changes nothing.
        ("/Span << /ActualText (a b) >> BDC (a) Tj (b) Tj EMC", &["a", "b"]),
        ("/Span << /ActualText (Rule) >> BDC (RULE) Tj EMC", &["RULE"]),
        // An empty one takes ornaments away, and not whole words; line ends are for layout to judge.
        ("/Span << /ActualText () >> BDC (....) Tj EMC (x) Tj", &["x"]),
        ("/Span << /ActualText <FEFF> >> BDC (words) Tj EMC", &["words"]),
        ("/Span << /ActualText <FEFF00AD> >> BDC (-) Tj EMC", &["-"]),
        // The outermost of nested ones counts.
        ("/Span << /ActualText (-a) >> BDC /Span << /ActualText (+a) >> BDC (a) Tj EMC EMC", &["-a"]),
        // Left open, it ends with the stream.
        ("/Span << /ActualText (open!) >> BDC (open) Tj", &["open!"]),
        // Nothing drawn, nothing replaced.
        ("/Span << /ActualText (ghost) >> BDC EMC (x) Tj", &["x"]),
    ] {
        assert_eq!(texts(&page(&format!("BT /F 10 Tf 10 10 Td {content} ET"))), expected, "{content}");
    }
}

#[test]
fn replaced_text_keeps_its_edges_and_its_box() {
    let page =
        page("BT /F 10 Tf 100 700 Td /Span << /ActualText (o1/2ce) >> BDC (o) Tj (\\275) Tj (ce) Tj EMC ET");
    let run = &page.runs[0];
    assert_eq!(run.edges.len(), 7);
    assert!(run.edges.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", run.edges);
    assert!((run.rect.width() - run.edges[6]).abs() < 0.01);
    // "o" and "ce" stand where they are drawn, "1/2" shares the advance of "½".
    assert!((run.edges[1] - 5.56).abs() < 0.01, "{:?}", run.edges);
    assert!((run.edges[2] - run.edges[1] - (run.edges[3] - run.edges[2])).abs() < 0.01);
    assert!((run.edges[6] - run.edges[4] - 10.56).abs() < 0.01);
}

#[test]
fn actual_text_over_two_lines_keeps_mapped_text() {
    let drawn = page(
        "BT /F 10 Tf 100 700 Td 12 TL /Span << /ActualText (hyphenated) >> BDC (hyphen-) Tj (ated) ' EMC ET",
    );
    assert_eq!(texts(&drawn), ["hyphen-", "ated"]);
}

#[test]
fn tags_come_from_the_structure_tree() {
    let mut pdf = Pdf::page(
        "/H1 << /MCID 0 >> BDC BT /F 9 Tf (a) Tj ET EMC /P << /MCID 1 >> BDC BT (b) Tj ET EMC \
         /P << /MCID 2 >> BDC BT (c) Tj ET EMC /P << /MCID 3 >> BDC BT (d) Tj ET EMC /Fm Do",
    );
    let form = pdf.add_stream(
        "/Subtype /Form /BBox [0 0 99 99] /StructParents 7 /Resources << /Font << /F 4 0 R >> >>",
        "/P << /MCID 0 >> BDC BT /F 9 Tf (e) Tj ET EMC",
    );
    let first = pdf.next_id();
    pdf.add("<< /S /Headline /K 0 >>");
    pdf.add(&format!("<< /S /P /K [1 << /Type /MCR /Pg 3 0 R /MCID 9 >> {} 0 R] >>", first + 2));
    pdf.add("<< /S /Span /K << /S /Reference /K 2 >> >>");
    pdf.add(&format!(
        "<< /S /TD /K [<< /S /P /K 3 >> << /Type /MCR /Stm {form} 0 R /MCID 0 >> {} 0 R] >>",
        first + 3
    ));
    let kids: String = [0, 1, 3].map(|idx| format!("{} 0 R ", first + idx)).concat();
    let root = pdf.add(&format!(
        "<< /RoleMap << /Headline /Big /Big /H2 >> /K << /S /Document /Pg 3 0 R /K [{kids}] >> >>"
    ));
    let page = read(&pdf.x_object("Fm", form).catalog_entry(&format!("/StructTreeRoot {root} 0 R")));
    let tag = |text: &str| {
        let run = page.runs.iter().find(|run| run.text == text).unwrap();
        page.tags.get(&run.mcid.unwrap()).copied()
    };
    assert_eq!(tag("a"), Some(Tag { kind: TagKind::Heading(2), element: 1 }));
    assert_eq!(tag("b").unwrap().kind, TagKind::Paragraph);
    assert_eq!(tag("c").unwrap().kind, TagKind::NoteMark);
    assert_eq!(tag("d").unwrap().kind, TagKind::Cell);
    assert_eq!(tag("e"), tag("d"));
    assert_ne!(tag("b").unwrap().element, tag("a").unwrap().element);
    assert!(page.tags.contains_key(&9));
}

#[test]
fn label_and_body_share_the_element_of_their_item() {
    let mut pdf = Pdf::page(
        "/X << /MCID 0 >> BDC BT /F 9 Tf (a) Tj ET EMC /X << /MCID 1 >> BDC BT (b) Tj ET EMC /X << /MCID 2 >> BDC BT (c) Tj ET EMC",
    );
    let item = |label: u32| {
        format!(
            "<< /S /LI /K [<< /S /Label /K {label} >> << /S /LBody /K << /S /P /K {} >> >>] >>",
            label + 1
        )
    };
    let root = pdf.add(&format!(
        "<< /RoleMap << /Label /Lbl >> /K << /S /L /Pg 3 0 R /K [{} << /S /LI /K 2 >>] >> >>",
        item(0)
    ));
    let page = read(&pdf.catalog_entry(&format!("/StructTreeRoot {root} 0 R")));
    assert_eq!(page.tags[&0], Tag { kind: TagKind::ListItem, element: 1 });
    assert_eq!(page.tags[&1], page.tags[&0]);
    assert_eq!(page.tags[&2].element, 2);
}

#[test]
fn the_text_of_an_element_replaces_its_content() {
    let mut pdf = Pdf::page(
        "/Span << /MCID 0 >> BDC BT /F 9 Tf 10 10 Td (x) Tj ET EMC /Span << /MCID 1 >> BDC BT 15 10 Td (y) Tj ET EMC",
    );
    let root = pdf.add("<< /K << /S /P /Pg 3 0 R /K << /S /Span /ActualText (x/y) /K [0 1] >> >> >>");
    let page = read(&pdf.catalog_entry(&format!("/StructTreeRoot {root} 0 R")));
    assert_eq!(texts(&page), ["x/y"]);
}

#[test]
fn a_cyclic_structure_tree_terminates() {
    let mut pdf = Pdf::page("");
    let id = pdf.next_id();
    pdf.add(&format!("<< /S /P /K [{id} 0 R [{id} 0 R] << /S /P /K {id} 0 R >>] >>"));
    read(&pdf.catalog_entry(&format!("/StructTreeRoot << /K {id} 0 R >>")));
}

#[test]
fn optional_content_that_is_off_is_hidden() {
    let mut pdf = Pdf::page(
        "/OC /Off BDC BT /F 9 Tf (a) Tj ET 72 500 200 0.5 re f EMC /OC /On BDC BT (b) Tj ET EMC \
         /OC /Any BDC BT (c) Tj ET EMC /OC /All BDC BT (d) Tj ET EMC /OC /Not BDC BT (e) Tj ET EMC /Fm Do",
    );
    let (off, on) = (pdf.add("<< /Type /OCG /Name (x) >>"), pdf.add("<< /Type /OCG /Name (y) >>"));
    let any = pdf.add(&format!("<< /Type /OCMD /OCGs [{off} 0 R {on} 0 R] >>"));
    let all = pdf.add(&format!("<< /Type /OCMD /P /AllOn /OCGs [{off} 0 R {on} 0 R] >>"));
    let not = pdf.add(&format!("<< /Type /OCMD /VE [/Not {off} 0 R] >>"));
    let form = pdf.add_stream(
        &format!("/Subtype /Form /BBox [0 0 9 9] /OC {off} 0 R /Resources << /Font << /F 4 0 R >> >>"),
        "BT /F 9 Tf (f) Tj ET",
    );
    let page = read(
        &pdf.x_object("Fm", form)
            .page_entry(&format!(
                "/Resources << /Font << /F 4 0 R >> /XObject << /Fm {form} 0 R >> /Properties << /Off {off} 0 R \
                 /On {on} 0 R /Any {any} 0 R /All {all} 0 R /Not {not} 0 R >> >>"
            ))
            .catalog_entry(&format!("/OCProperties << /OCGs [{off} 0 R {on} 0 R] /D << /OFF [{off} 0 R] >> >>")),
    );
    let (shown, hidden): (Vec<_>, Vec<_>) =
        page.runs.iter().partition(|run| run.visibility == Visibility::Visible);
    let texts = |runs: Vec<&document::Run>| runs.iter().map(|run| run.text.as_str()).collect::<String>();
    assert_eq!((texts(shown), texts(hidden)), ("bce".to_owned(), "adf".to_owned()));
    assert!(page.rules.is_empty());
}

#[test]
fn text_in_the_colour_of_its_backdrop_is_hidden() {
    let hidden = Visibility::Background;
    for (content, expected) in [
        ("1 g", hidden),
        ("0.99 0.99 1 rg", hidden),
        ("0 0 0 0 k", hidden),
        ("/DeviceRGB cs 1 1 1 sc", hidden),
        ("0 0 1 rg 50 50 400 100 re f", hidden),
        ("1 g 50 50 400 100 re f", hidden),
        // Contrast, however it comes about.
        ("0 g", Visibility::Visible),
        ("0.8 g", Visibility::Visible),
        ("0 0 1 rg 50 50 400 100 re f 1 g", Visibility::Visible),
        ("0 0 1 rg 110 90 20 20 re f 1 g", Visibility::Visible),
        ("10 w 50 102 m 300 102 l S 1 g", Visibility::Visible),
        ("0 g 50 50 m 300 50 400 80 400 300 c 50 300 l f 1 g", Visibility::Visible),
        ("q 400 0 0 100 50 50 cm BI /W 1 /H 1 ID x EI Q 1 g", Visibility::Visible),
        ("/Pattern cs /P scn 50 50 400 100 re f 1 g", Visibility::Visible),
        ("/Shade sh 1 g", Visibility::Visible),
        // A box painted over the one beneath, and one of which a clip leaves nothing here.
        ("0 g 50 50 400 100 re f 1 g 60 60 300 80 re f", hidden),
        ("q 0 0 9 9 re W n 0 g 50 50 400 100 re f Q 1 g", hidden),
        ("q 60 60 300 80 re W n 0 g 50 50 400 100 re f Q 1 g", Visibility::Visible),
    ] {
        assert_eq!(seen(content), expected, "{content}");
    }
}
