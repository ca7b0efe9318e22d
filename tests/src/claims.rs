//! Files that claim for their glyphs what is not drawn, or say it in other forms, and a scan with a text layer.
//!
//! Each is one page of the same provision, so that one question is answered from any of them.

use crate::hostile::{file, stream};

/// Question that the provision answers.
pub const QUESTION: &str = "Within how many days shall the tenant pay the deposit?";

/// The provision as it is drawn.
const DRAWN: &str = "The tenant shall pay the deposit within 5 days of the request.";

/// The provision, drawn as what it says.
pub fn honest() -> Vec<u8> {
    page(&lines(&show(DRAWN)), "")
}

/// A replacement text that denies the obligation and changes the figure.
pub fn false_replacement() -> Vec<u8> {
    let claimed = "The tenant shall not pay the deposit within 95 days of the request.";
    page(&lines(&replaced(&[(claimed, DRAWN)])), "")
}

/// A `ToUnicode` map that makes a 9 of the 5.
pub fn false_digit() -> Vec<u8> {
    page(&lines(&show(DRAWN)), "1 beginbfchar <35> <0039> endbfchar")
}

/// Replacement texts that say the same in other forms: a soft hyphen, a ligature, a letter of a mathematical alphabet, an
/// abbreviation written out.
pub fn honest_replacements() -> Vec<u8> {
    let parts = [
        ("The ten\u{AD}ant", "The ten-ant"),
        (" shall pay the deposit at the o\u{FB03}ce", " shall pay the deposit at the office"),
        (" within", " within"),
        (" \u{1D7D3}", " 5"),
        (" days of the request, et cetera", " days of the request, etc."),
    ];
    page(&lines(&replaced(&parts)), "")
}

/// A scan: an image that fills the page, and over it the recognised text without ink.
pub fn scan() -> Vec<u8> {
    page(&format!("q 612 0 0 792 0 0 cm /Im Do Q 3 Tr {}", lines(&show(DRAWN))), "")
}

/// The provision between its heading and another sentence.
fn lines(provision: &str) -> String {
    format!(
        "BT /F1 16 Tf 72 700 Td (1. Deposit) Tj /F1 12 Tf 0 -30 Td {provision} \
         0 -30 Td (The landlord keeps the deposit in an account of its own.) Tj ET"
    )
}

fn show(text: &str) -> String {
    format!("({text}) Tj")
}

/// Text drawn, each part with its replacement.
fn replaced(parts: &[(&str, &str)]) -> String {
    let hex = |text: &str| text.encode_utf16().map(|unit| format!("{unit:04X}")).collect::<String>();
    let part = |(text, drawn): &(&str, &str)| {
        format!("/Span << /ActualText <FEFF{}> >> BDC {} EMC ", hex(text), show(drawn))
    };
    parts.iter().map(part).collect()
}

/// A page with this content in Helvetica, and with these entries of a `ToUnicode` map.
fn page(content: &str, entries: &str) -> Vec<u8> {
    let map = format!("1 begincodespacerange <00> <FF> endcodespacerange {entries}");
    let to_unicode = if entries.is_empty() { "" } else { "/ToUnicode 6 0 R" };
    let image =
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
                /Resources << /Font << /F1 5 0 R >> /XObject << /Im 7 0 R >> >> >>";
    let font = format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding {to_unicode} >>"
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.as_bytes().to_vec(),
        stream("", content.as_bytes()),
        font.into_bytes(),
        stream("", map.as_bytes()),
        stream(image, &[0xd0]),
    ];
    file(&objects, "")
}
