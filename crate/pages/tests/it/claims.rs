//! Claims of a file about its glyphs, against what its fonts draw.

use std::ops::ControlFlow;

use document::{Attestation, Page};
use pages::Options;

use crate::pdf::Pdf;
use Attestation::{Claimed, Differs, Drawn};

fn read(pdf: &Pdf) -> Page {
    let read = pages::read(&pdf.bytes(), &Options::default(), &mut |_, _| ControlFlow::Continue(()));
    read.unwrap().output.pages.remove(0)
}

/// The runs of a page with this content in the font `G`: texts and who vouches for them.
fn shown(pdf: Pdf, font: usize, content: &str) -> Vec<(String, Attestation)> {
    let mut pdf = pdf.font("G", font);
    let form = pdf.add_stream(
        &format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /G {font} 0 R >> >>"
        ),
        &format!("BT /G 10 Tf 72 700 Td {content} ET"),
    );
    let page = read(&pdf.x_object("X", form));
    page.runs.into_iter().map(|run| (run.text, run.attestation)).collect()
}

fn runs(expected: &[(&str, Attestation)]) -> Vec<(String, Attestation)> {
    expected.iter().map(|(text, attestation)| ((*text).to_owned(), *attestation)).collect()
}

/// A page that paints the form `X`.
fn page() -> Pdf {
    Pdf::page("/X Do")
}

/// A `ToUnicode` map with these pairs of code and UTF-16.
fn to_unicode(pdf: &mut Pdf, pairs: &[(&str, &str)]) -> usize {
    let entries: String = pairs.iter().map(|(code, text)| format!("<{code}> <{text}>\n")).collect();
    pdf.add_stream("", &format!("{} beginbfchar {entries} endbfchar", pairs.len()))
}

/// Helvetica with a `ToUnicode` map.
fn helvetica(pdf: &mut Pdf, pairs: &[(&str, &str)]) -> usize {
    let map = to_unicode(pdf, pairs);
    pdf.add(&format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode {map} 0 R >>"
    ))
}

#[test]
fn a_map_that_makes_another_digit_of_a_digit_is_not_believed() {
    let mut pdf = page();
    let font = helvetica(&mut pdf, &[("35", "0039"), ("66", "00660069"), ("AE", "00AE")]);
    let found = shown(pdf, font, "(in 15 days) Tj");
    assert_eq!(found, runs(&[("in 1", Drawn), ("5", Differs), (" days", Drawn)]));
}

#[test]
fn letters_claimed_for_blanks_and_blanks_for_letters_differ() {
    let mut pdf = page();
    let font = helvetica(&mut pdf, &[("20", "006E"), ("74", "0020")]);
    assert_eq!(shown(pdf, font, "(a t) Tj"), runs(&[("a", Drawn), (" t", Differs)]));
}

#[test]
fn text_without_ink_is_what_it_claims_to_be() {
    let mut pdf = page();
    let font = helvetica(&mut pdf, &[("35", "0039")]);
    assert_eq!(shown(pdf, font, "3 Tr (15) Tj"), runs(&[("19", Claimed)]));
}

/// A font with the built-in encoding of an embedded Type 1 program with these glyph names from code 97 on.
fn embedded(pdf: &mut Pdf, names: &[&str], pairs: &[(&str, &str)]) -> usize {
    let puts: String =
        names.iter().zip(97..).map(|(name, code)| format!("dup {code} /{name} put\n")).collect();
    let program =
        pdf.add_stream("", &format!("%!PS-AdobeFont-1.0: X\n/Encoding 256 array\n{puts}readonly def"));
    let descriptor =
        pdf.add(&format!("<< /Type /FontDescriptor /FontName /ABCDEF+X /Flags 4 /FontFile {program} 0 R >>"));
    let map = to_unicode(pdf, pairs);
    let widths = "500 ".repeat(names.len());
    pdf.add(&format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+X /FirstChar 97 /LastChar 122 /Widths [{widths}] \
         /FontDescriptor {descriptor} 0 R /ToUnicode {map} 0 R >>"
    ))
}

#[test]
fn an_embedded_font_is_believed_if_most_of_its_names_are_as_claimed() {
    let honest = [("61", "0061"), ("62", "0062"), ("63", "0063"), ("64", "0064"), ("65", "0039")];
    let mut pdf = page();
    let font = embedded(&mut pdf, &["a", "b.sc", "C", "uni0064", "five.oldstyle"], &honest);
    assert_eq!(shown(pdf, font, "(abcde) Tj"), runs(&[("abcd", Drawn), ("5", Differs)]));
    // Names that are mere labels, or say nothing, contradict nobody.
    for names in [
        ["x", "y", "z", "w", "five"],
        ["g1", "g2", "g3", "g4", "g5"],
        ["G01", "c65", "a66", "cid3", "index5"],
    ] {
        let mut pdf = page();
        let font = embedded(&mut pdf, &names, &honest);
        assert_eq!(shown(pdf, font, "(abcde) Tj"), runs(&[("abcd9", Claimed)]), "{names:?}");
    }
}

#[test]
fn forms_of_letters_are_no_difference() {
    let mut pdf = page();
    let names = ["f_i", "A.sc", "hyphen", "mu", "Delta", "dotlessi", "eacute", "five.tnum"];
    let claims = [
        ("61", "FB01"),
        ("62", "0061"),
        ("63", "00AD"),
        ("64", "00B5"),
        ("65", "0394"),
        ("66", "0069"),
        ("67", "00E9"),
        ("68", "D835DFD3"),
    ];
    let font = embedded(&mut pdf, &names, &claims);
    let found = shown(pdf, font, "(abcdefgh) Tj");
    assert!(found.iter().all(|(_, attestation)| *attestation != Differs), "{found:?}");
}

/// A TrueType program with a cmap from these characters to the glyphs from 1 on, as hexadecimal digits.
fn true_type(characters: &[char]) -> String {
    let mut groups = Vec::new();
    let mut glyphs: Vec<(char, u32)> = characters.iter().copied().zip(1..).collect();
    glyphs.sort_unstable();
    for (c, glyph) in glyphs {
        for number in [u32::from(c), u32::from(c), glyph] {
            groups.extend(number.to_be_bytes());
        }
    }
    let mut cmap = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0];
    for number in [16 + groups.len(), 0, characters.len()] {
        cmap.extend(u32::try_from(number).unwrap().to_be_bytes());
    }
    cmap.extend(groups);
    let mut head = vec![0; 54];
    (head[1], head[18], head[19]) = (1, 3, 232);
    let mut hhea = vec![0; 36];
    (hhea[1], hhea[35]) = (1, 1);
    let mut maxp = vec![0, 0, 0x50, 0];
    maxp.extend(u16::try_from(characters.len() + 1).unwrap().to_be_bytes());
    let tables = [(b"cmap", cmap), (b"head", head), (b"hhea", hhea), (b"maxp", maxp)];
    let mut directory = vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0];
    let mut body = Vec::new();
    for (tag, table) in tables {
        directory.extend(tag);
        for number in [0, 12 + 16 * 4 + body.len(), table.len()] {
            directory.extend(u32::try_from(number).unwrap().to_be_bytes());
        }
        body.extend(&table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    directory.into_iter().chain(body).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_cmap_of_an_embedded_true_type_font_is_compared() {
    let mut pdf = page();
    let program =
        pdf.add_stream("/Filter /ASCIIHexDecode", &(true_type(&['a', 'b', 'c', 'd', '5', ' ']) + ">"));
    let descriptor =
        pdf.add(&format!("<< /Type /FontDescriptor /FontName /X /Flags 4 /FontFile2 {program} 0 R >>"));
    let claims = [
        ("0001", "0061"),
        ("0002", "0062"),
        ("0003", "0063"),
        ("0004", "0064"),
        ("0005", "0039"),
        ("0006", "0020"),
    ];
    let map = to_unicode(&mut pdf, &claims);
    let descendant = pdf.add(&format!(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
         /Supplement 0 >> /W [1 [500 500 500 500 500 500]] /CIDToGIDMap /Identity /FontDescriptor {descriptor} 0 R >>"
    ));
    let font = pdf.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [{descendant} 0 R] \
         /ToUnicode {map} 0 R >>"
    ));
    let found = shown(pdf, font, "<00010002000600030005> Tj");
    assert_eq!(found, runs(&[("ab c", Drawn), ("5", Differs)]));
}

#[test]
fn a_replacement_that_says_other_words_is_not_believed() {
    for (replacement, drawn) in
        [("shall not pay 95", "shall pay 5"), ("not", " "), ("", "not"), ("void", "valid")]
    {
        let content = format!("/Span << /ActualText ({replacement}) >> BDC ({drawn}) Tj EMC (.) Tj");
        let mut pdf = page();
        let font = helvetica(&mut pdf, &[]);
        let found = shown(pdf, font, &content);
        assert_eq!(found, runs(&[(drawn, Differs), (".", Drawn)]), "{replacement}");
    }
}

#[test]
fn a_replacement_in_other_forms_is_believed_and_an_abbreviation_stays_as_printed() {
    for (replacement, drawn, expected) in [
        ("<FEFF006500780061006D00AD0070006C0065>", "exam-ple", "exam\u{AD}ple"),
        ("<FEFF0066FB01>", "ffi", "ffi"),
        ("<FEFFD835DFD3>", "5", "\u{1D7D3}"),
        ("(et cetera)", "etc.", "etc."),
        ("(European Union)", "EU", "EU"),
        ("(section)", "\\247", "section"),
    ] {
        let content = format!("/Span << /ActualText {replacement} >> BDC ({drawn}) Tj EMC");
        let mut pdf = page();
        let font = helvetica(&mut pdf, &[]);
        let found = shown(pdf, font, &content);
        assert_eq!(found, runs(&[(expected, Drawn)]), "{replacement}");
    }
}

#[test]
fn a_font_that_says_nothing_leaves_its_text_to_the_file() {
    // A Type 3 font whose names are labels, and a composite font without a program.
    let mut pdf = page();
    let glyph = pdf.add_stream("", "500 0 d0 0 0 400 700 re f");
    let map = to_unicode(&mut pdf, &[("61", "0078")]);
    let font = pdf.add(&format!(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 \
         /LastChar 97 /Widths [500] /CharProcs << /a {glyph} 0 R >> /Encoding << /Differences [97 /a] >> \
         /ToUnicode {map} 0 R >>"
    ));
    let content = "(a) Tj /Span << /ActualText (other) >> BDC (aa) Tj EMC";
    assert_eq!(shown(pdf, font, content), runs(&[("x", Claimed), ("other", Claimed)]));
}
