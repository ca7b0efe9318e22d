//! Damaged and hostile bytes: reading them always returns.

use std::ops::ControlFlow;

use crate::pdf::Pdf;
use pages::{Limits, Options};
use proptest::prelude::*;

/// A file with a bit of everything that is read.
fn sample() -> Vec<u8> {
    let mut pdf = Pdf::page(
        "q 1 0 0 1 10 20 cm BT /F 12 Tf 72 700 Td [(He) -300 (llo)] TJ T* <48> ' 1 2 (x) \" ET Q \
         /P << /MCID 1 >> BDC BT /C 9 Tf 1 0 0 1 5 5 Tm <00010002> Tj ET EMC 72 72 100 1 re f \
         BI /W 1 /H 1 ID x EI /Fm Do 0 0 m 100 0 l S \
         /OC /L BDC 9 9 9 9 re W n EMC /Span << /ActualText (for) >> BDC 1 g BT 50 500 Td (four) Tj ET EMC",
    );
    let map = pdf.add_stream(
        "",
        "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfrange <0001> <0002> <4E00> \
         <0003> <0004> [<0041> <D835DC00>] endbfrange",
    );
    let font =
        pdf.add("<< /Subtype /CIDFontType2 /BaseFont /X /DW 1000 /W [2 [600] 3 9 500] /DW2 [880 -1000] >>");
    let font = pdf.add(&format!(
        "<< /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [{font} 0 R] /ToUnicode {map} 0 R >>"
    ));
    let form =
        pdf.add_stream("/Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 0 50]", "BT /F 9 Tf (in) Tj ET");
    let root = pdf.add(
        "<< /RoleMap << /A /B /B /P >> /K << /S /A /Pg 3 0 R /ActualText (x) /K [1 << /MCID 2 >>] >> >>",
    );
    let layer = pdf.add("<< /Type /OCG >>");
    let field = pdf.add("<< /Subtype /Widget /FT /Tx /V (typed) /DA (/F 9 Tf) /Rect [9 9 99 30] >>");
    let item = pdf.next_id() + 1;
    let outline = pdf.add(&format!("<< /First {item} 0 R >>"));
    pdf.add("<< /Title (One) /Dest [3 0 R /XYZ 0 700 null] >>");
    pdf.font("C", font)
        .x_object("Fm", form)
        .catalog_entry(&format!(
            "/Outlines {outline} 0 R /PageLabels << /Nums [0 << /S /D >>] >> \
             /StructTreeRoot {root} 0 R /OCProperties << /D << /OFF [{layer} 0 R] >> >>"
        ))
        .page_entry(&format!("/Annots [{field} 0 R]"))
        .info("/Title (Sample)")
        .bytes()
}

fn small_limits() -> Options {
    let limits = Limits { page_operators: 20_000, stream_bytes: 1 << 20, ..Limits::default() };
    Options { limits, ..Options::default() }
}

/// Reads; every run that comes out keeps the promises of `document::Run`.
fn check(bytes: &[u8]) {
    let Ok(read) = pages::read(bytes, &small_limits(), &mut |_, _| ControlFlow::Continue(())) else { return };
    for run in read.output.pages.iter().flat_map(|page| &page.runs) {
        assert!(!run.text.is_empty());
        assert_eq!(run.edges.len(), run.text.chars().count() + 1);
        assert!(run.edges.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", run.edges);
        assert!(run.rect.x0 <= run.rect.x1 && run.rect.y0 <= run.rect.y1, "{:?}", run.rect);
        assert!((0.0..360.0).contains(&run.angle) && run.size.0.is_finite());
    }
}

#[test]
fn the_sample_is_read_completely() {
    let read = pages::read(&sample(), &small_limits(), &mut |_, _| ControlFlow::Continue(())).unwrap();
    let texts: Vec<_> = read.output.pages[0].runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(texts, ["He", "llo", "H", "x", "x", "in", "for", "typed"]);
}

#[test]
fn a_file_truncated_anywhere_is_read_or_refused() {
    let sample = sample();
    for end in 0..sample.len() {
        check(&sample[..end]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24),
    ) {
        let mut bytes = sample();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        check(&bytes);
    }

    #[test]
    fn moved_pieces_are_read_or_refused(
        moves in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1usize..64), 1..6),
    ) {
        let mut bytes = sample();
        for (from, to, length) in moves {
            let from = from.index(bytes.len());
            let piece = bytes[from..(from + length).min(bytes.len())].to_vec();
            let to = to.index(bytes.len());
            bytes.splice(to..to, piece);
        }
        check(&bytes);
    }

    #[test]
    fn any_content_stream_is_interpreted(content in "[ -~\\n]{0,400}") {
        check(&Pdf::page(&content).bytes());
    }

    #[test]
    fn any_operators_with_any_numbers_are_interpreted(
        lines in prop::collection::vec(
            (prop::collection::vec(-1e12f64..1e12, 0..7),
             prop::sample::select(vec![
                "cm", "Tm", "Td", "TD", "TL", "Tz", "Tc", "Tw", "Ts", "Tr", "T*", "re", "m", "l", "f", "S", "q", "Q",
                "w", "(text) Tj", "[(a) 1e9 (b)] TJ", "/F 1 Tf", "/F -9 Tf", "BT", "ET",
             ])), 0..40),
    ) {
        let content: String = lines
            .iter()
            .map(|(numbers, operator)| {
                let numbers: String = numbers.iter().map(|n| format!("{n} ")).collect();
                format!("{numbers}{operator}\n")
            })
            .collect();
        check(&Pdf::page(&content).bytes());
    }
}
