//! Damaged, locked and malicious files, made in code, each with the outcome that is required of it.
//!
//! None may crash a reader, hang it or make it take memory without bound. Those that hold no readable page give
//! one clear error; the others open, as far as they go.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::{Result, ensure};
use flate2::{Compression, write::ZlibEncoder};
use lopdf::encryption::crypt_filters::{Aes256CryptFilter, CryptFilter};
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, StringFormat};

use crate::samples;

/// The password of the locked files.
pub const PASSWORD: &str = "sesame 2026";

/// A file name that a page must show as text and never as markup.
pub const MARKUP_NAME: &str = "<img src=x onerror=alert(1)> & 'Annex' <b>2.pdf";

/// The text on the page of the small files that open.
pub const TEXT: &str = "The quick brown fox files its return by 30 June.";

/// A hostile file.
#[derive(Clone, Debug)]
pub struct Odd {
    /// File name without ending.
    pub file_name: &'static str,
    /// The fault, in a few words.
    pub why: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// The outcome that is required.
    pub fate: Fate,
}

/// The outcome that is required of a hostile file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The error that says that it is no PDF.
    NotPdf,
    /// The error that says that too little of it can be read.
    Damaged,
    /// The error that asks for a password; [`PASSWORD`] opens it.
    Locked,
    /// The error that says that it has no page.
    NoPages,
    /// It opens with this many pages, and [`TEXT`] can be read on the first.
    Opens(usize),
    /// It opens with one page that has an image and no text, and says so.
    Scan,
    /// It opens, cut short with a diagnostic, or gives an error of any kind: any outcome within the limits.
    CutShort,
}

/// All hostile files.
pub fn all() -> Result<Vec<Odd>> {
    let contract = samples::all()[2].make()?.pdf;
    let odd = |file_name, why, bytes, fate| Odd { file_name, why, bytes, fate };
    Ok(vec![
        odd("not-a-pdf.pdf", "a web page with the wrong ending", html(), Fate::NotPdf),
        odd("empty.pdf", "no bytes at all", Vec::new(), Fate::NotPdf),
        odd(
            "header-only.pdf",
            "nothing behind the first line",
            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(),
            Fate::Damaged,
        ),
        odd(
            "truncated.pdf",
            "a download that broke off",
            contract[..contract.len() * 6 / 10].to_vec(),
            Fate::CutShort,
        ),
        odd("locked.pdf", "needs a password, 128-bit RC4", rc4(&contract, PASSWORD)?, Fate::Locked),
        odd("locked-aes.pdf", "needs a password, 256-bit AES", aes(&contract, PASSWORD)?, Fate::Locked),
        odd(
            "owner-password.pdf",
            "encrypted, opens with the empty password",
            rc4(&page("", ""), "")?,
            Fate::Opens(1),
        ),
        odd("no-pages.pdf", "a page tree without leaves", no_pages(), Fate::NoPages),
        odd("scan.pdf", "a page that is one image", scan(), Fate::Scan),
        odd("count-lie.pdf", "claims two thousand million pages", count_lie(), Fate::Opens(1)),
        odd("page-tree-loop.pdf", "a page tree that holds itself", page_tree_loop(), Fate::Opens(1)),
        odd("deep-page-tree.pdf", "a page 20,000 levels down", deep_page_tree(), Fate::CutShort),
        odd("deep-array.pdf", "an array 200,000 levels deep", deep_array(), Fate::CutShort),
        odd("deep-state.pdf", "half a million q operators", page(&"q ".repeat(500_000), ""), Fate::CutShort),
        odd("bomb.pdf", "a stream that inflates twice, to 512 MiB", bomb()?, Fate::CutShort),
        odd("form-loop.pdf", "a form that draws itself", form_loop(), Fate::Opens(1)),
        odd("form-fan.pdf", "forms that draw forms, 10 to the power 15 times", form_fan(), Fate::CutShort),
        odd(
            "previous-loop.pdf",
            "a cross-reference section that precedes itself",
            previous_loop(),
            Fate::Opens(1),
        ),
        odd("wrong-length.pdf", "a content stream with a false length", wrong_length(), Fate::Opens(1)),
        odd("odd-numbers.pdf", "sizes and positions beyond all bounds", odd_numbers(), Fate::CutShort),
        odd(MARKUP_NAME, "a name and a title full of markup", page("", TITLE), Fate::Opens(1)),
    ])
}

const TITLE: &str = "/Title (<script>alert\\(1\\)</script> & \"Annex\")";

fn html() -> Vec<u8> {
    b"<!doctype html><title>Not found</title><p>The document you asked for has moved.".repeat(40)
}

/// A file of numbered objects, the first of which is the catalog, with a cross-reference table.
pub(crate) fn file(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", bytes.len());
        bytes.extend_from_slice(format!("{} 0 obj\n", at + 1).as_bytes());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let start = bytes.len();
    let size = objects.len() + 1;
    let end =
        format!("{table}trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n");
    bytes.extend_from_slice(end.as_bytes());
    bytes
}

pub(crate) fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = format!("<< {dict} /Length {} >>\nstream\n", data.len()).into_bytes();
    bytes.extend_from_slice(data);
    bytes.extend_from_slice(b"\nendstream");
    bytes
}

fn text_operators() -> String {
    format!("BT /F1 12 Tf 72 700 Td ({TEXT}) Tj ET\n")
}

const CATALOG: &[u8] = b"<< /Type /Catalog /Pages 2 0 R >>";
const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R";
const FONTS: &str =
    "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>";

fn objects(pages: &str, page: &str, content: Vec<u8>) -> Vec<Vec<u8>> {
    vec![CATALOG.to_vec(), pages.as_bytes().to_vec(), page.as_bytes().to_vec(), content]
}

fn plain_page() -> String {
    format!("{PAGE} /Resources << {FONTS} >> >>")
}

const ONE_PAGE: &str = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";

/// One page with [`TEXT`], after some other operators; `info` goes into the document information.
fn page(before: &str, info: &str) -> Vec<u8> {
    let content = format!("{before}\n{}", text_operators());
    let mut all = objects(ONE_PAGE, &plain_page(), stream("", content.as_bytes()));
    all.push(format!("<< {info} >>").into_bytes());
    file(&all, "/Info 5 0 R")
}

fn no_pages() -> Vec<u8> {
    file(&[CATALOG.to_vec(), b"<< /Type /Pages /Kids [] /Count 0 >>".to_vec()], "")
}

fn count_lie() -> Vec<u8> {
    let pages = "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>";
    file(&objects(pages, &plain_page(), stream("", text_operators().as_bytes())), "")
}

fn page_tree_loop() -> Vec<u8> {
    let pages = "<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 /Parent 2 0 R >>";
    file(&objects(pages, &plain_page(), stream("", text_operators().as_bytes())), "")
}

fn deep_page_tree() -> Vec<u8> {
    const DEPTH: usize = 20_000;
    let mut all = vec![CATALOG.to_vec()];
    for at in 0..DEPTH {
        all.push(
            format!("<< /Type /Pages /Kids [{} 0 R] /Count 1 /Parent {} 0 R >>", at + 3, at + 1).into_bytes(),
        );
    }
    let leaf = format!(
        "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << {FONTS} >> >>",
        DEPTH + 1,
        DEPTH + 3
    );
    all.push(leaf.into_bytes());
    all.push(stream("", text_operators().as_bytes()));
    file(&all, "")
}

fn deep_array() -> Vec<u8> {
    const DEPTH: usize = 200_000;
    let array = format!("{}1{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    let mut all = objects(ONE_PAGE, &plain_page(), stream("", text_operators().as_bytes()));
    all.push(array.into_bytes());
    file(&all, "/Info 5 0 R")
}

/// An image of one grey pixel, drawn over the whole page.
fn scan() -> Vec<u8> {
    let page = format!("{PAGE} /Resources << /XObject << /Im 5 0 R >> >> >>");
    let mut all = objects(ONE_PAGE, &page, stream("", b"q 612 0 0 792 0 0 cm /Im Do Q"));
    let dict =
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    all.push(stream(dict, &[0xd0]));
    file(&all, "")
}

/// Spaces, compressed, and compressed again.
fn bomb() -> Result<Vec<u8>> {
    const MIB: usize = 512;
    let chunk = vec![b' '; 1 << 20];
    let mut once = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..MIB {
        once.write_all(&chunk)?;
    }
    let mut twice = ZlibEncoder::new(Vec::new(), Compression::best());
    twice.write_all(&once.finish()?)?;
    let content = stream("/Filter [/FlateDecode /FlateDecode]", &twice.finish()?);
    Ok(file(&objects(ONE_PAGE, &plain_page(), content), ""))
}

fn form_loop() -> Vec<u8> {
    let page = format!("{PAGE} /Resources << {FONTS} /XObject << /Fm 5 0 R >> >> >>");
    let content = format!("{}/Fm Do", text_operators());
    let mut all = objects(ONE_PAGE, &page, stream("", content.as_bytes()));
    let dict = "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /Fm 5 0 R >> >>";
    all.push(stream(dict, b"/Fm Do /Fm Do"));
    file(&all, "")
}

fn form_fan() -> Vec<u8> {
    const DEPTH: usize = 15;
    let page = format!("{PAGE} /Resources << {FONTS} /XObject << /Fm 5 0 R >> >> >>");
    let content = format!("{}/Fm Do", text_operators());
    let mut all = objects(ONE_PAGE, &page, stream("", content.as_bytes()));
    for at in 0..DEPTH {
        let dict = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << {FONTS} /XObject << /Fm {} 0 R >> >>",
            at + 6
        );
        all.push(stream(&dict, "/Fm Do ".repeat(10).as_bytes()));
    }
    let dict = format!("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << {FONTS} >>");
    all.push(stream(&dict, b"BT /F1 8 Tf 9 9 Td (again) Tj ET"));
    file(&all, "")
}

fn previous_loop() -> Vec<u8> {
    let plain = page("", "");
    let text = String::from_utf8_lossy(&plain);
    let start =
        text.rsplit("startxref\n").next().and_then(|rest| rest.lines().next()).unwrap_or("0").to_owned();
    replace(&plain, b"/Root 1 0 R", format!("/Root 1 0 R /Prev {start}").as_bytes())
}

fn wrong_length() -> Vec<u8> {
    let plain = page("", "");
    let length = text_operators().len() + 1;
    replace(&plain, format!("/Length {length} ").as_bytes(), b"/Length 9 ")
}

fn odd_numbers() -> Vec<u8> {
    // PDF has no exponents: a number this large is written out.
    let huge = format!("34{}.5", "0".repeat(37));
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [{huge} -{huge} 9999999999 0] /Rotate 47 \
         /UserUnit -3 /Contents 4 0 R /Resources << {FONTS} >> >>"
    );
    let content = format!(
        "q {huge} 0 0 {huge} 0 0 cm {} Q BT /F1 {huge} Tf 0 Tz -{huge} TL {huge} Tw T* T* (far) Tj \
         0 0 0 0 0 0 Tm (flat) Tj 100 Tz 0 Tw /F1 0 Tf (none) Tj /F1 -12 Tf 1 0 0 1 100 100 Tm (turned) Tj \
         [(a) {huge} (b) -{huge} (c)] TJ ET",
        text_operators()
    );
    file(&objects(ONE_PAGE, &page, stream("", content.as_bytes())), "")
}

/// The bytes with the first occurrence of a pattern replaced. Offsets behind it become wrong, on purpose.
fn replace(bytes: &[u8], pattern: &[u8], with: &[u8]) -> Vec<u8> {
    match bytes.windows(pattern.len()).position(|window| window == pattern) {
        Some(at) => [&bytes[..at], with, &bytes[at + pattern.len()..]].concat(),
        None => bytes.to_vec(),
    }
}

fn rc4(pdf: &[u8], user_password: &str) -> Result<Vec<u8>> {
    let document = with_id(pdf)?;
    let state = EncryptionState::try_from(EncryptionVersion::V2 {
        document: &document,
        owner_password: "the owner's",
        user_password,
        key_length: 128,
        permissions: Permissions::all(),
    })?;
    encrypted(document, &state)
}

fn aes(pdf: &[u8], user_password: &str) -> Result<Vec<u8>> {
    let document = with_id(pdf)?;
    let filter: Arc<dyn CryptFilter> = Arc::new(Aes256CryptFilter);
    let state = EncryptionState::try_from(EncryptionVersion::V5 {
        encrypt_metadata: true,
        crypt_filters: [(b"StdCF".to_vec(), filter)].into(),
        file_encryption_key: &[7; 32],
        stream_filter: b"StdCF".to_vec(),
        string_filter: b"StdCF".to_vec(),
        owner_password: "the owner's",
        user_password,
        permissions: Permissions::all(),
    })?;
    encrypted(document, &state)
}

/// The key of the older schemes depends on the file's identifier.
fn with_id(pdf: &[u8]) -> Result<Document> {
    let mut document = Document::load_mem(pdf)?;
    let id = Object::String(b"pincite-tests-id".to_vec(), StringFormat::Hexadecimal);
    document.trailer.set("ID", vec![id.clone(), id]);
    Ok(document)
}

fn encrypted(mut document: Document, state: &EncryptionState) -> Result<Vec<u8>> {
    document.encrypt(state)?;
    let mut bytes = Vec::new();
    document.save_to(&mut bytes)?;
    ensure!(bytes.windows(8).any(|window| window == b"/Encrypt"), "the file was not encrypted");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_files_stay_small() {
        let all = all().unwrap();
        for (at, odd) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other.file_name != odd.file_name), "{}", odd.file_name);
            assert!(odd.bytes.len() < 3 << 20, "{} {}", odd.file_name, odd.bytes.len());
        }
    }
}
