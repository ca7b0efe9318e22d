//! Files whose text may not be what a reader sees: claims for glyphs that are not drawn so, or say it in other forms, a scan
//! with a text layer, a pending change, the letters of a broken font.
//!
//! Each is one page of the same provision, so that one question is answered from any of them.

use crate::hostile::{file, stream};
use crate::wordpackage;

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

/// The provision with a pending insertion, in a Word file.
pub fn pending_change() -> Vec<u8> {
    let inserted = "<w:ins w:id=\"1\" w:author=\"A\" w:date=\"2026-01-05T10:00:00Z\"><w:r><w:t>5 days</w:t></w:r></w:ins>";
    let run = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let paragraph = |runs: &str| format!("<w:p>{runs}</w:p>");
    wordpackage::file(
        &[
            paragraph(&run("1. Deposit")),
            paragraph(
                &[&run("The tenant shall pay the deposit within "), inserted, &run(" of the request.")]
                    .concat(),
            ),
            paragraph(&run("The landlord keeps the deposit in an account of its own.")),
        ]
        .concat(),
        &[],
    )
}

/// The provision in a font whose codes are 29 too low, and whose letters therefore form no word.
pub fn illegible() -> Vec<u8> {
    const SHOWN: [&str; 8] = [
        "7KH WHQDQW VKDOO SD\\ WKH GHSRVLW ZLWKLQ ILYH GD\\V RI WKH UHTXHVW",
        "7KH ODQGORUG NHHSV WKH GHSRVLW LQ DQ DFFRXQW RI LWV RZQ",
        "7KH SDUWLHV KDYH DJUHHG WKDW HYHU\\ QRWLFH XQGHU WKLV LQVWUXPHQW VKDOO EH LQ",
        "ZULWLQJ DQG VKDOO EH GHOLYHUHG E\\ KDQG RU E\\ FRXULHU WR WKH DGGUHVV WKDW WKH",
        "RWKHU SDUW\\ KDV JLYHQ IRU WKLV SXUSRVH DQG WKDW D QRWLFH WDNHV HIIHFW XSRQ",
        "LWV UHFHLSW RU RQ WKH VDPH GDWH RI EXVLQHVV",
        "7KH WHQDQW VKDOO NHHS WKH SUHPLVHV LQ JRRG UHSDLU DQG VKDOO QRW DOWHU WKHP",
        "ZLWKRXW WKH FRQVHQW RI WKH ODQGORUG LQ ZULWLQJ",
    ];
    let shown: String =
        SHOWN.iter().map(|line| format!("0 -20 Td {} ", show(&line.replace('\\', "\\\\")))).collect();
    page(&format!("BT /F1 12 Tf 72 700 Td {shown} ET"), "")
}

/// Files whose text carries a caveat or cannot be read, by file name.
pub fn all() -> [(&'static str, Vec<u8>); 5] {
    [
        ("scan.pdf", scan()),
        ("false-replacement.pdf", false_replacement()),
        ("false-digit.pdf", false_digit()),
        ("pending-change.docx", pending_change()),
        ("illegible.pdf", illegible()),
    ]
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
