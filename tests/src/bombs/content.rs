//! Bombs in content streams: what a page shows, and how often.

use std::fmt::Write as _;

use super::make::Make;
use super::pdf::{Pdf, deflate};

pub(super) const BOMBS: &[(&str, &str, Make)] = &[
    ("shared-form.pdf", "60 pages that share a form of 60,000 words", shared_form),
    ("form-fan-pages.pdf", "200 pages of forms that draw forms, 10 to the power 15 times each", form_fan),
    ("tiny-texts.pdf", "a million operators that show a letter each", tiny_texts),
    ("lone-words.pdf", "two million ideographs, each a word", lone_words),
    ("long-targets.pdf", "codes that stand for 64 characters each", long_targets),
    ("saved-states.pdf", "two million saved graphics states on each of 20 pages", saved_states),
    ("clip-storm.pdf", "16 clipping paths of 9,000 corners over a page of text, 40 times", clip_storm),
    ("cover-storm.pdf", "20,000 shapes painted over text on each of 40 pages", cover_storm),
    ("white-storm.pdf", "white text over 50,000 areas on each of 40 pages", white_storm),
    ("mask-storm.pdf", "text through 100 soft masks of 5,000 areas on each of 20 pages", mask_storm),
    ("pattern-storm.pdf", "boxes in 200 patterns of a huge cell on each of 40 pages", pattern_storm),
    ("inline-images.pdf", "half a million inline images, and one without an end", inline_images),
    ("annotation-storm.pdf", "40 pages with the same 10,000 notes of 16 kB", annotation_storm),
    ("layer-storm.pdf", "an expression of layers that names itself 200 times, nine levels deep", layer_storm),
    ("replacements.pdf", "100,000 marked words with replacement text on each of 20 pages", replacements),
    ("spaces.pdf", "40 pages that inflate to 60 MiB of spaces each", spaces),
    ("nested-filters.pdf", "a page that inflates twice, to 1 GiB", nested_filters),
    ("predictor.pdf", "a predictor over rows of one byte, 60 MiB", predictor),
];

/// A page of a letter's size, with `n` words at places that do not repeat.
fn words(n: usize) -> Vec<u8> {
    let mut content = "BT /F 8 Tf\n".to_owned();
    for at in 0..n {
        let (x, y) = (at * 37 % 560 + 20, at * 53 % 740 + 20);
        let _ = writeln!(content, "1 0 0 1 {x} {y} Tm (word{}) Tj", at % 97);
    }
    content.push_str("ET");
    content.into_bytes()
}

fn shared_form() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let form = pdf.form("", &words(60_000));
    pdf.resources = format!("/XObject << /X {form} 0 R >>");
    let content = pdf.stream("", b"/X Do");
    pdf.pages(60, content);
    pdf.finish()
}

fn form_fan() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut form = pdf.form("", b"BT /F 8 Tf 9 9 Td (again) Tj ET");
    for _ in 0..15 {
        form = pdf.form(&format!("/XObject << /X {form} 0 R >>"), "/X Do ".repeat(10).as_bytes());
    }
    pdf.resources = format!("/XObject << /X {form} 0 R >>");
    let content = pdf.stream("", b"/X Do");
    pdf.pages(200, content);
    pdf.finish()
}

fn tiny_texts() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let line = format!("1 0 0 1 9 9 Tm {}\n", "(a) Tj ( ) Tj ".repeat(50));
    pdf.page(format!("BT /F 2 Tf {} ET", line.repeat(10_000)).as_bytes());
    pdf.finish()
}

/// A font of two-byte codes with this map to Unicode; its number.
fn composite(pdf: &mut Pdf, to_unicode: usize) -> usize {
    let descendant = pdf.add("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 1000 >>");
    pdf.add(format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H \
         /DescendantFonts [{descendant} 0 R] /ToUnicode {to_unicode} 0 R >>"
    ))
}

fn lone_words() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let map = pdf.stream("", b"1 beginbfrange <0000> <0FFF> <4E00> endbfrange");
    let font = composite(&mut pdf, map);
    pdf.resources = format!("/Font << /C {font} 0 R >>");
    let codes: String = (0..500).map(|code| format!("{code:04x}")).collect();
    let mut content = "BT /C 1 Tf 1.2 TL 20 780 Td\n".to_owned();
    for _ in 0..400 {
        let _ = writeln!(content, "<{codes}> Tj T*");
    }
    let content = pdf.deflated("", format!("{content} ET").as_bytes());
    pdf.pages(10, content);
    pdf.finish()
}

fn long_targets() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let target = "0061".repeat(64);
    let map = pdf.stream("", format!("1 beginbfchar <0001> <{target}> endbfchar").as_bytes());
    let font = composite(&mut pdf, map);
    pdf.resources = format!("/Font << /C {font} 0 R >>");
    let line = format!("<{}> Tj T*\n", "0001".repeat(200));
    pdf.page(format!("BT /C 9 Tf 9 TL 20 780 Td {} ET", line.repeat(10_000)).as_bytes());
    pdf.repeat_pages(20);
    pdf.finish()
}

fn saved_states() -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.page("9 9 m 99 9 l 50 99 l W n q q Q q ".repeat(200_000).as_bytes());
    pdf.repeat_pages(20);
    pdf.finish()
}

fn clip_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut content = String::new();
    for ring in 0..16 {
        content.push_str("0 0 m\n");
        for at in 0..9_000 {
            let _ = writeln!(content, "{} {} l", (at * 7 + ring) % 612, (at * 31) % 792);
        }
        content.push_str("W n\n");
    }
    content.push_str(&String::from_utf8_lossy(&words(20_000)));
    let content = pdf.deflated("", content.as_bytes());
    pdf.pages(40, content);
    pdf.finish()
}

fn cover_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut content = String::from_utf8_lossy(&words(2_000)).into_owned();
    content.push_str(" 1 0 0 rg\n");
    for at in 0..20_000 {
        let _ = writeln!(
            content,
            "{} 0 m 612 {} l 0 {} l 300 0 l 612 792 l 5 9 l 0 792 l f",
            at % 612,
            at % 792,
            (at * 7) % 792
        );
    }
    let content = pdf.deflated("", content.as_bytes());
    pdf.pages(40, content);
    pdf.finish()
}

fn white_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut content = "1 g\n".to_owned();
    for at in 0..49_000 {
        let _ = writeln!(content, "{} {} 3 3 re f", at % 50, at % 60);
    }
    content.push_str(&String::from_utf8_lossy(&words(3_000)));
    let content = pdf.deflated("", content.as_bytes());
    pdf.pages(40, content);
    pdf.finish()
}

fn mask_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut areas = "0 g\n".to_owned();
    for at in 0..5_000 {
        let _ = writeln!(areas, "{} {} 3 3 re f", at % 50, at % 60);
    }
    let form = pdf.form("", areas.as_bytes());
    let states: String = (0..100)
        .map(|at| format!("/G{at} << /SMask << /S /Luminosity /G {form} 0 R /BC [0] >> >> "))
        .collect();
    pdf.resources = format!("/ExtGState << {states} >>");
    let mut content = String::new();
    for at in 0..10_000 {
        let _ = writeln!(content, "/G{} gs BT /F 8 Tf {} 300 Td (word) Tj ET", at % 100, at % 500);
    }
    let content = pdf.deflated("", content.as_bytes());
    pdf.pages(20, content);
    pdf.finish()
}

fn pattern_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let cell = "0 0 m 5000 0 l 2500 5000 l 100 7 l 9 4000 l f ".repeat(2_000);
    let mut patterns = String::new();
    for at in 0..200 {
        let id = pdf.deflated(
            "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5000 5000] /XStep 5000 /YStep 5000",
            cell.as_bytes(),
        );
        let _ = write!(patterns, "/P{at} {id} 0 R ");
    }
    pdf.resources = format!("/Pattern << {patterns} >>");
    let mut content = String::from_utf8_lossy(&words(500)).into_owned();
    content.push_str(" /Pattern cs\n");
    for at in 0..200 {
        let _ = writeln!(content, "/P{at} scn 0 0 612 792 re f");
    }
    let content = pdf.deflated("", content.as_bytes());
    pdf.pages(40, content);
    pdf.finish()
}

fn inline_images() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let images = "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI\n".repeat(500_000);
    pdf.page(
        format!(
            "{} {images} BI /W 9 /H 9 ID {}",
            String::from_utf8_lossy(&words(500)),
            "EIEI".repeat(500_000)
        )
        .as_bytes(),
    );
    pdf.repeat_pages(10);
    pdf.finish()
}

fn annotation_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let note = pdf.add(format!(
        "<< /Type /Annot /Subtype /FreeText /Rect [9 9 600 700] /Contents ({}) >>",
        "some words of a note\\n".repeat(780)
    ));
    let all = pdf.add(format!("[{}]", format!("{note} 0 R ").repeat(10_000)));
    pdf.page = format!("/Annots {all} 0 R");
    let content = pdf.stream("", b"");
    pdf.pages(40, content);
    pdf.finish()
}

fn layer_storm() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let layer = pdf.add("<< /Type /OCG /Name (a) >>");
    let other = pdf.add("<< /Type /OCG /Name (b) >>");
    let expression = pdf.next_id();
    pdf.add(format!("[/And {}]", format!("{expression} 0 R ").repeat(200)));
    let membership = pdf.add(format!("<< /Type /OCMD /VE {expression} 0 R >>"));
    pdf.catalog = format!("/OCProperties << /OCGs [{layer} 0 R {other} 0 R] /D << /OFF [{other} 0 R] >> >>");
    pdf.resources = format!("/Properties << /L {membership} 0 R >>");
    pdf.page(b"/OC /L BDC BT /F 9 Tf 99 99 Td (layer) Tj ET EMC");
    pdf.finish()
}

fn replacements() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut content = "BT /F 8 Tf 8 TL 20 780 Td\n".to_owned();
    for at in 0..100_000 {
        let _ = writeln!(content, "/Span << /ActualText (other{}) >> BDC (word) Tj T* EMC", at % 7);
    }
    let content = pdf.deflated("", content.as_bytes());
    pdf.pages(20, content);
    pdf.finish()
}

fn spaces() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let content = pdf.deflated("", &vec![b' '; 60 << 20]);
    pdf.pages(40, content);
    pdf.finish()
}

fn nested_filters() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let once = deflate(&vec![b' '; 64 << 20]);
    // Deflated data is a sequence of blocks that can be joined no more easily than by deflating the same again.
    let twice = deflate(&once.repeat(16));
    let content = pdf.stream("/Filter [/FlateDecode /FlateDecode]", &twice);
    pdf.pages(20, content);
    pdf.finish()
}

fn predictor() -> Vec<u8> {
    let mut pdf = Pdf::new();
    let content = pdf.deflated("/DecodeParms << /Predictor 15 /Columns 1 >>", &vec![0; 60 << 20]);
    pdf.pages(10, content);
    pdf.finish()
}
