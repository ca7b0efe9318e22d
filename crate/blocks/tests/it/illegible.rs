//! Text that forms no words is set apart by the fonts that it is set in.

use document::{DiagCode, FurnitureKind, PageId, Severity, Warned};

use crate::doc::{Doc, PROSE};

/// The prose as a font shows it whose codes are 29 too low.
const BROKEN: [&str; 4] = [
    "7KH SDUWLHV KDYH DJUHHG WKDW HYHU\\ QRWLFH XQGHU WKLV LQVWUXPHQW VKDOO EH LQ",
    "ZULWLQJ DQG VKDOO EH GHOLYHUHG E\\ KDQG RU E\\ FRXULHU WR WKH DGGUHVV WKDW WKH",
    "RWKHU SDUW\\ KDV JLYHQ IRU WKLV SXUSRVH DQG WKDW D QRWLFH WDNHV HIIHFW XSRQ",
    "LWV UHFHLSW RU RQ WKH VDPH GDWH RI EXVLQHVV",
];

/// Pieces that are set apart, and the pages of the diagnostics.
fn apart<T>(warned: &Warned<document::Layout>, of: impl Fn(&document::Diag) -> T) -> (Vec<&str>, Vec<T>) {
    let pieces = warned.output.furniture.iter().filter(|piece| piece.kind == FurnitureKind::Illegible);
    let told = warned.diags.iter().filter(|diag| diag.code == DiagCode::IllegibleText);
    (pieces.map(|piece| piece.text.as_str()).collect(), told.map(of).collect())
}

#[test]
fn a_broken_font_is_set_apart_and_its_page_is_told() {
    let read = Doc::default()
        .page()
        .lines_in(1, 72.0, 100.0, &PROSE)
        .page()
        .lines_in(1, 72.0, 300.0, &PROSE)
        .lines_in(2, 72.0, 500.0, &BROKEN)
        .page()
        .lines_in(1, 72.0, 500.0, &PROSE)
        .warned();
    assert_eq!(apart(&read, |diag| diag.page), (BROKEN.to_vec(), vec![Some(PageId(1))]));
    assert_eq!(read.output.text.matches("The parties have agreed").count(), 3);
    assert!(!read.output.text.contains("SDUWLHV"), "{}", read.output.text);
}

#[test]
fn a_document_that_is_mostly_illegible_says_once_that_it_needs_recognition() {
    let mut document = Doc::default();
    for _ in 0..3 {
        document = document.page().lines_in(2, 72.0, 100.0, &BROKEN).lines_in(1, 72.0, 300.0, &PROSE[..1]);
    }
    let read = document.warned();
    let (pieces, told) = apart(&read, Clone::clone);
    assert_eq!(pieces.len(), 12);
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].page, told[0].severity), (None, Severity::Warning));
    assert!(
        told[0].hint.starts_with("its text cannot be read: run text recognition (OCR)"),
        "{}",
        told[0].hint
    );
}

#[test]
fn scraps_of_an_illegible_document_are_set_apart_with_it() {
    let mut document = Doc::default();
    for _ in 0..3 {
        document =
            document.page().lines_in(2, 72.0, 100.0, &BROKEN).lines_in(1, 72.0, 300.0, &["1 -NA", "27"]);
    }
    assert_eq!(document.warned().output.text, "");
}

#[test]
fn an_odd_line_among_honest_ones_in_its_font_stays() {
    let read = Doc::default()
        .page()
        .lines(72.0, 100.0, &PROSE)
        .lines(72.0, 160.0, &["ZULWLQJ DQG VKDOO GHOLYHUHG"])
        .lines(72.0, 184.0, &PROSE)
        .warned();
    assert_eq!(apart(&read, |_| ()), (vec![], vec![]));
    assert!(read.output.text.contains("GHOLYHUHG"));
}

#[test]
fn operators_and_characters_without_a_meaning_are_set_apart() {
    let operators = [
        "/F1 12 Tf 1 0 0 1 72 712 Tm [(T)8(he)-20( p)] TJ",
        "0 -14.4 Td [(ag)12(r)] TJ 0 -14.4 Td [(x)3(i)] TJ",
        "0.5 0 0 rg /Im1 Do /GS0 gs 0 -14.4 Td (ab) Tj",
    ];
    let private = [
        "\u{F041}\u{F042}\u{F043} \u{F044}\u{F045}\u{F046}\u{F047}\u{F048}\u{F049}\u{F04A}\u{F04B}\u{F04C}\u{F04D} \u{F041}\u{F042}\u{F043}\u{F044}\u{F045}",
    ];
    let unknown = [
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
    ];
    let read = Doc::default()
        .page()
        .lines_in(1, 72.0, 100.0, &PROSE)
        .lines_in(2, 72.0, 200.0, &operators)
        .lines_in(3, 72.0, 300.0, &private)
        .lines_in(4, 72.0, 400.0, &unknown)
        .warned();
    assert_eq!(read.output.text.lines().count(), 1, "{}", read.output.text);
}

#[test]
fn fonts_of_figures_codes_and_labels_are_honest() {
    let honest: [&[&str]; 6] = [
        &[
            "1,234.56  (7,890)  12.5%  $3,000,000",
            "2024  2025  2026  4.25x  n/a  --",
            "17 C.F.R. 240.10b-5(b)(2)(iv)",
        ],
        &[
            "CUSIP 254687FX9",
            "ISIN US2546871060 LEI 5493000F4ZO33MV32P92",
            "AAPL MSFT XOM BRKB JPM TSLA ALBAX SPEDX",
        ],
        &["NOTICE OF REDEMPTION", "THE DEPOSITORY TRUST COMPANY", "ARTICLE XXIV MISCELLANEOUS"],
        &["x = (a + b) / c", "dx dy dz mgh ijk", "f(x) = sin x + cos y"],
        &[
            "jane.doe@example.com",
            "https://www.example.org/a/b?id=42#top",
            "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
        ],
        &[
            "Szczepan Brz\u{119}czyszczykiewicz",
            "Nguy\u{1ec5}n Th\u{1ecb} H\u{1b0}\u{1a1}ng",
            "\u{de}orger\u{f0}ur Gu\u{f0}mundsd\u{f3}ttir",
        ],
    ];
    for (number, lines) in (1..).zip(honest) {
        let read = Doc::default().page().lines_in(number, 72.0, 100.0, lines).warned();
        assert_eq!(apart(&read, |_| ()), (vec![], vec![]), "{lines:?}");
    }
}
