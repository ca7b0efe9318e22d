//! Visible and hidden text: one case for each way of hiding text, and one for each honest page that looks like it.

use std::ops::ControlFlow;

use crate::pdf::Pdf;
use document::{DiagCode, Page, Visibility};
use pages::Options;

const TEXT: &str = "BT /F 10 Tf 100 100 Td (secret) Tj ET";
/// Around the text, and nothing else.
const BOX: &str = "95 95 50 16 re";

fn read(pdf: &Pdf) -> Page {
    let read = pages::read(&pdf.bytes(), &Options::default(), &mut |_, _| ControlFlow::Continue(())).unwrap();
    assert!(read.diags.iter().all(|diag| diag.code != DiagCode::DamagedPage), "{:?}", read.diags);
    read.output.pages.into_iter().next().unwrap()
}

/// Every piece of a page's text with its visibility.
fn pieces(page: &Page) -> Vec<(&str, Visibility)> {
    page.runs.iter().map(|run| (run.text.as_str(), run.visibility)).collect()
}

/// Objects that the cases name, on a page with this content.
fn with_objects(content: &str) -> Pdf {
    let mut pdf = Pdf::page(content);
    let gray = "/Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let clear = pdf.add_stream(gray, "\0\0\0\0");
    let dense = pdf.add_stream(&format!("{gray} /Filter /ASCIIHexDecode"), "FFFFFFFF>");
    let stencil = "/Subtype /Image /ImageMask true /Width 8 /Height 1 /BitsPerComponent 1";
    let form = "/Subtype /Form /BBox [0 0 612 792]";
    let group = "/Group << /S /Transparency /CS /DeviceGray >>";
    let ids = [
        ("Image", pdf.add_stream(gray, "abcd")),
        ("Plain", pdf.add_stream(gray, "aaaa")),
        ("Clear", pdf.add_stream(&format!("{gray} /SMask {clear} 0 R"), "abcd")),
        ("Dense", pdf.add_stream(&format!("{gray} /SMask {dense} 0 R"), "abcd")),
        ("Keyed", pdf.add_stream(&format!("{gray} /Mask [97 98]"), "abcd")),
        ("Stencil", pdf.add_stream(stencil, "U")),
        ("Solid", pdf.add_stream(stencil, "\0")),
        ("Form", pdf.add_stream(form, &format!("{BOX} f"))),
        ("Empty", pdf.add_stream(form, "")),
        ("Group", pdf.add_stream(&format!("{form} {group}"), &format!("{BOX} f"))),
        ("Small", pdf.add_stream("/Subtype /Form /BBox [0 0 20 20]", &format!("{BOX} f"))),
    ];
    let objects: String = ids.iter().map(|(name, id)| format!("/{name} {id} 0 R ")).collect();
    let tile = "/PatternType 1 /PaintType 1 /TilingType 1 /Resources << >> /BBox [0 0 4 4]";
    let full = pdf.add_stream(&format!("{tile} /XStep 4 /YStep 4"), "0 0 4 4 re f");
    let gaps = pdf.add_stream(&format!("{tile} /XStep 9 /YStep 9"), "0 0 4 4 re f");
    let hatch = pdf.add_stream(&format!("{tile} /XStep 4 /YStep 4"), "0 0 4 1 re f");
    let function = "/Function << /FunctionType 2 /Domain [0 1] /N 1 >>";
    let shading = |extend: &str| {
        format!(
            "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 9 9] {function} /Extend [{extend}] >>"
        )
    };
    let (endless, short) = (shading("true true"), shading("false false"));
    let mask = |pdf: &mut Pdf, kind: &str, content: &str| {
        let form = pdf.add_stream(&format!("{form} {group}"), content);
        format!("/SMask << /S /{kind} /G {form} 0 R >>")
    };
    let black = mask(&mut pdf, "Luminosity", "0 g 0 0 612 792 re f");
    let white = mask(&mut pdf, "Luminosity", "1 g 0 0 612 792 re f");
    let elsewhere = mask(&mut pdf, "Luminosity", "1 g 300 300 50 50 re f");
    let nothing = mask(&mut pdf, "Alpha", "");
    let view = "/Type /OCG /Name (x) /Usage << /View << /ViewState /OFF >> >>";
    let (unseen, off) = (pdf.add(&format!("<< {view} >>")), pdf.add("<< /Type /OCG /Name (y) >>"));
    pdf.page_entry(&format!(
        "/Resources << /Font << /F 4 0 R >> /XObject << {objects} >> \
         /Pattern << /Full {full} 0 R /Gaps {gaps} 0 R /Hatch {hatch} 0 R \
         /Endless << /PatternType 2 /Shading {endless} >> /Short << /PatternType 2 /Shading {short} >> >> \
         /Shading << /Endless {endless} /Short {short} >> /Properties << /Unseen {unseen} 0 R /Off {off} 0 R >> \
         /ExtGState << /Faint << /ca 0.001 /CA 0.001 >> /Half << /ca 0.5 >> /Almost << /ca 0.99 >> \
         /Multiply << /BM /Multiply >> /Screen << /BM /Screen >> /Black << {black} >> /White << {white} >> \
         /Elsewhere << {elsewhere} >> /Nothing << {nothing} >> /Unmask << /SMask /None >> >> >>"
    ))
    .catalog_entry(&format!(
        "/OCProperties << /OCGs [{unseen} 0 R {off} 0 R] /D << /OFF [{off} 0 R] >> >>"
    ))
}

/// Visibility of the text of a page with this content.
fn seen(content: &str) -> Visibility {
    let page = read(&with_objects(content));
    assert!(page.runs.windows(2).all(|pair| pair[0].visibility == pair[1].visibility), "{:?}", pieces(&page));
    page.runs[0].visibility
}

#[test]
fn text_below_opaque_paint_is_covered() {
    for later in [
        "0 g 95 95 50 16 re f",
        "1 g 95 95 50 16 re f",
        "/Spot cs 0.4 scn 95 95 50 16 re f*",
        // Boxes that do it only together, one that is turned, one with a curve, and a thick line.
        "95 95 20 16 re f 114 95 40 16 re f",
        "95 95 50 8 re 95 103 50 8 re f",
        "120 60 m 180 105 l 120 140 l 60 105 l h f",
        "120 80 m 180 80 180 130 120 130 c 60 130 60 80 120 80 c f",
        "16 w 95 103 m 140 103 l S",
        "0 g /Almost gs 95 95 50 16 re f",
        "/Multiply gs 0 g 95 95 50 16 re f",
        "/Screen gs 1 g 95 95 50 16 re f",
        // Images, inline and with masks that leave all of them.
        "q 50 0 0 16 95 95 cm /Image Do Q",
        "q 50 0 0 16 95 95 cm /Dense Do Q",
        "q 50 0 0 16 95 95 cm /Solid Do Q",
        "q 50 0 0 16 95 95 cm BI /W 1 /H 1 ID x EI Q",
        "q 612 0 0 792 0 0 cm /Plain Do Q",
        // Patterns and shadings.
        "/Pattern cs /Full scn 95 95 50 16 re f",
        "/Pattern cs /Endless scn 95 95 50 16 re f",
        "q 95 95 50 16 re W n /Endless sh Q",
        // Forms, within each other too.
        "/Form Do",
        "/Group Do",
    ] {
        assert_eq!(seen(&format!("{TEXT} {later}")), Visibility::Covered, "{later}");
    }
}

#[test]
fn text_below_what_shows_it_is_visible() {
    for later in [
        "0 g 300 95 50 16 re f",
        "0 g /Half gs 95 95 50 16 re f",
        "/Multiply gs 1 1 0 rg 95 95 50 16 re f",
        "/Half gs /Group Do",
        "/Multiply gs 1 1 0 rg /Group Do",
        "/White gs 95 95 50 16 re f",
        "/Nothing gs 95 95 50 16 re f",
        // A frame, by its line, by a hole of either kind, and lines with gaps.
        "95 95 50 16 re S",
        "90 90 60 26 re 95 95 50 16 re f*",
        "90 90 60 26 re 95 95 m 95 111 l 145 111 l 145 95 l h f",
        "16 w [1 3] 0 d 95 103 m 140 103 l S",
        "1.5 w 95 103 m 140 103 l S",
        // A line below the text, whose width a transform stretches along it alone.
        "q 190 0 0 15 90 80 cm 1 w 0 0 m 1 0 l S Q",
        // Paint that a clip keeps away, or leaves only a part of.
        "q 300 300 50 50 re W n 95 95 50 16 re f Q",
        "q 95 95 m 145 95 l 95 111 l h 145 111 l W n Q",
        "/Small Do",
        "/Empty Do",
        "95 95 50 4 re f",
        // Images that show what is below, and patterns with gaps.
        "q 50 0 0 16 95 95 cm /Clear Do Q",
        "q 50 0 0 16 95 95 cm /Keyed Do Q",
        "q 50 0 0 16 95 95 cm /Stencil Do Q",
        "q 50 0 0 16 95 95 cm BI /IM true /W 1 /H 1 ID x EI Q",
        "/Pattern cs /Gaps scn 95 95 50 16 re f",
        "/Pattern cs /Hatch scn 95 95 50 16 re f",
        "/Pattern cs /Short scn 95 95 50 16 re f",
        "/Pattern cs /Lacking scn 95 95 50 16 re f",
        "q 95 95 50 16 re W n /Short sh Q",
        "q 95 95 50 16 re W n /Lacking sh Q",
        "/OC /Off BDC 95 95 50 16 re f EMC",
        "/OC /Unseen BDC /Form Do EMC",
        // Text as the clipping path of a picture.
        "BT 7 Tr /F 10 Tf 300 100 Td (x) Tj ET 95 95 50 16 re f",
    ] {
        let page = read(&with_objects(&format!("{TEXT} {later}")));
        assert_eq!(pieces(&page)[0], ("secret", Visibility::Visible), "{later}");
    }
    for earlier in ["1 0 0 rg 95 95 50 16 re f 0 g", "q 612 0 0 792 0 0 cm /Image Do Q", "/Form Do 1 g"] {
        assert_eq!(seen(&format!("{earlier} {TEXT}")), Visibility::Visible, "{earlier}");
    }
}

#[test]
fn a_run_is_split_where_a_box_begins_and_ends() {
    let page =
        read(&Pdf::page("BT /F 10 Tf 100 100 Td (The price is 5,000 per unit) Tj ET 154 96 27 14 re f"));
    assert_eq!(
        pieces(&page),
        [
            ("The price is ", Visibility::Visible),
            ("5,000 ", Visibility::Covered),
            ("per unit", Visibility::Visible)
        ]
    );
    let [first, second, third] = [0, 1, 2].map(|idx: usize| &page.runs[idx]);
    assert!((first.rect.x1 - second.rect.x0).abs() < 0.01 && (second.rect.x1 - third.rect.x0).abs() < 0.01);
    assert_eq!((second.edges[0], second.edges.len()), (0.0, 7));
}

#[test]
fn words_in_the_colour_of_a_box_below_them_are_hidden_one_by_one() {
    for content in [
        "154 96 27 14 re f BT /F 10 Tf 100 100 Td (The price is 5,000 per unit) Tj ET",
        "0 g 90 90 64 30 re f 181 90 90 30 re f 1 g BT /F 10 Tf 100 100 Td (The price is 5,000 per unit) Tj ET",
    ] {
        let page = read(&Pdf::page(content));
        assert_eq!(
            pieces(&page),
            [
                ("The price is ", Visibility::Visible),
                ("5,000 ", Visibility::Background),
                ("per unit", Visibility::Visible)
            ],
            "{content}"
        );
    }
    // The box is no higher than the letters.
    let page = read(&Pdf::page("95 99 60 8 re f BT /F 10 Tf 100 100 Td (none) Tj ET"));
    assert_eq!(pieces(&page), [("none", Visibility::Background)]);
}

#[test]
fn turned_pages_and_turned_text_are_judged_alike() {
    for (entry, content) in [
        ("/Rotate 90", format!("{TEXT} 95 95 50 16 re f")),
        (
            "",
            "BT /F 10 Tf 0.7 0.7 -0.7 0.7 100 100 Tm (secret) Tj ET 90 85 m 140 135 l 120 155 l 70 105 l f"
                .to_owned(),
        ),
        ("", "BT /F 10 Tf 0 1 -1 0 100 100 Tm (secret) Tj ET 88 95 16 50 re f".to_owned()),
    ] {
        let page = read(&Pdf::page(&content).page_entry(entry));
        assert_eq!(pieces(&page), [("secret", Visibility::Covered)], "{content}");
    }
}

#[test]
fn annotations_cover_what_they_lie_on() {
    let with = |annotation: &str, appearance: &str| {
        let mut pdf = Pdf::page(TEXT);
        let form = pdf.add_stream("/Subtype /Form /BBox [0 0 50 16]", appearance);
        let annotation = annotation.replace("FORM", &format!("/AP << /N {form} 0 R >>"));
        read(&pdf.page_entry(&format!("/Annots [<< /Rect [95 95 145 111] {annotation} >>]"))).runs[0]
            .visibility
    };
    let black = "0 g 0 0 50 16 re f";
    assert_eq!(with("/Subtype /Stamp FORM", black), Visibility::Covered);
    assert_eq!(with("/Subtype /Square FORM", black), Visibility::Covered);
    // A frame, an annotation that is not shown, and a pop-up note.
    assert_eq!(with("/Subtype /Square FORM", "0 0 50 16 re S"), Visibility::Visible);
    assert_eq!(with("/Subtype /Stamp /F 2 FORM", black), Visibility::Visible);
    assert_eq!(with("/Subtype /Popup FORM", black), Visibility::Visible);
    // Viewers draw these themselves.
    assert_eq!(with("/Subtype /Square /IC [0 0 0]", ""), Visibility::Covered);
    assert_eq!(with("/Subtype /Circle /IC [0 0 0]", ""), Visibility::Covered);
    assert_eq!(with("/Subtype /Widget /FT /Tx /MK << /BG [1] >>", ""), Visibility::Covered);
    assert_eq!(with("/Subtype /Square /IC [0 0 0] /CA 0.3", ""), Visibility::Visible);
    assert_eq!(with("/Subtype /Square /IC []", ""), Visibility::Visible);
    assert_eq!(
        with("/Subtype /Polygon /IC [0 0 0] /Vertices [90 90 150 90 150 115 90 115]", ""),
        Visibility::Covered
    );
    assert_eq!(with("/Subtype /Highlight /C [1 1 0]", ""), Visibility::Visible);
}

#[test]
fn text_that_is_not_painted_is_unpainted() {
    for content in [
        format!("/Faint gs {TEXT}"),
        format!("/Black gs {TEXT}"),
        format!("/Elsewhere gs {TEXT}"),
        format!("/Nothing gs {TEXT}"),
        format!("/OC /Unseen BDC {TEXT} EMC"),
        format!("/OC /Off BDC {TEXT} EMC"),
        "BT /F 0.6 Tf 100 100 Td (secret) Tj ET".to_owned(),
        "0.06 0 0 0.06 100 100 cm BT /F 10 Tf (secret) Tj ET".to_owned(),
        "BT /F 10 Tf 2 Tz 100 100 Td (secret) Tj ET".to_owned(),
        "BT /F 10 Tf 0.02 0 0 1 100 100 Tm (secret) Tj ET".to_owned(),
        "3 Tr BT /F 10 Tf 100 100 Td (secret) Tj ET".to_owned(),
        "7 Tr BT /F 10 Tf 100 100 Td (secret) Tj ET".to_owned(),
        // An image, but elsewhere on the page.
        "q 90 0 0 90 400 400 cm /Image Do Q 3 Tr BT /F 10 Tf 100 100 Td (secret) Tj ET".to_owned(),
    ] {
        assert_eq!(seen(&content), Visibility::Unpainted, "{content}");
    }
    for content in [
        format!("/Half gs {TEXT}"),
        format!("/White gs {TEXT}"),
        format!("/Black gs /Unmask gs {TEXT}"),
        "BT /F 4 Tf 100 100 Td (secret) Tj ET".to_owned(),
        "0.01 0 0 0.01 100 100 cm BT /F 1000 Tf (secret) Tj ET".to_owned(),
        "1 Tr BT /F 10 Tf 100 100 Td (secret) Tj ET".to_owned(),
        "q 7 Tr BT /F 10 Tf 100 100 Td (secret) Tj ET q 200 0 0 99 90 90 cm /Image Do Q Q".to_owned(),
    ] {
        assert_eq!(seen(&content), Visibility::Visible, "{content}");
    }
}

#[test]
fn small_type_on_a_small_page_is_visible() {
    let page = read(&Pdf::page("BT /F 0.9 Tf 10 10 Td (text) Tj ET").page_entry("/MediaBox [0 0 61 79]"));
    assert_eq!(page.runs[0].visibility, Visibility::Visible);
    let page = read(&Pdf::page("BT /F 0.9 Tf 10 10 Td (text) Tj ET").page_entry("/UserUnit 10"));
    assert_eq!(page.runs[0].visibility, Visibility::Visible);
}

#[test]
fn the_text_layer_of_a_scan_stays_over_and_under_its_image() {
    let (scan, layer) = ("q 612 0 0 792 0 0 cm /Image Do Q", "BT 3 Tr /F 10 Tf 100 100 Td (secret) Tj ET");
    for content in [
        format!("{scan} {layer}"),
        format!("{layer} {scan}"),
        // Text with ink below the image, and an image in strips.
        format!("{TEXT} {scan}"),
        format!("{TEXT} q 612 0 0 200 0 0 cm /Image Do Q q 612 0 0 592 0 200 cm /Image Do Q"),
        // A box below the image, where nobody sees it.
        format!("{TEXT} {BOX} f {scan}"),
    ] {
        assert_eq!(seen(&content), Visibility::Invisible, "{content}");
    }
    for content in [
        format!("{scan} {layer} {BOX} f"),
        format!("{layer} {scan} {BOX} f"),
        format!("{TEXT} {scan} {BOX} f"),
    ] {
        assert_eq!(seen(&content), Visibility::Covered, "{content}");
    }
}

#[test]
fn text_outside_a_clipping_path_is_off_the_page() {
    for clip in [
        "300 300 50 50 re W n",
        "90 90 5 5 re 160 120 5 5 re W n",
        "0 0 m 600 0 l 600 80 l h W n",
        "90 90 200 60 re 95 95 50 16 re W* n",
        "0 0 0 0 re W n",
        "0 0 9 9 re W n 50 50 300 300 re W n",
    ] {
        assert_eq!(seen(&format!("{clip} {TEXT}")), Visibility::OffPage, "{clip}");
    }
    for clip in ["50 50 200 200 re W n", "W", "120 20 m 300 105 l 120 300 l 10 105 l h W n"] {
        assert_eq!(seen(&format!("{clip} {TEXT}")), Visibility::Visible, "{clip}");
    }
    let page = read(&Pdf::page("0 0 200 200 re W n BT /F 10 Tf 190 100 Td (in) Tj (and out of it) Tj ET"));
    assert_eq!(pieces(&page)[0], ("in", Visibility::Visible));
    assert!(pieces(&page)[1..].iter().any(|(_, seen)| *seen == Visibility::OffPage), "{:?}", pieces(&page));
}

#[test]
fn replacement_text_does_not_stand_for_what_is_hidden() {
    let page = read(&Pdf::page(
        "/Span << /ActualText (open secret) >> BDC BT /F 10 Tf 100 100 Td (open ) Tj 3 Tr (secret) Tj ET EMC",
    ));
    assert_eq!(pieces(&page), [("open ", Visibility::Visible), ("secret", Visibility::Unpainted)]);
}

#[test]
fn covers_beyond_the_limit_are_told() {
    let mut content = format!("{TEXT} ");
    for idx in 0..25_000 {
        content.push_str(&format!("100 100 0.{:04} 1 re f ", idx % 9_000 + 1_000));
    }
    content.push_str("95 95 50 16 re f");
    let read =
        pages::read(&Pdf::page(&content).bytes(), &Options::default(), &mut |_, _| ControlFlow::Continue(()));
    let read = read.unwrap();
    assert_eq!(read.output.pages[0].runs[0].visibility, Visibility::Covered);
    assert!(read.diags.iter().any(|diag| diag.code == DiagCode::LimitReached), "{:?}", read.diags);
}
