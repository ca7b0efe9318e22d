//! Bombs in Word files: archives, markup, tables, styles and numbers.

use std::fmt::Write as _;

use super::make::Make;
use crate::wordpackage::file;

pub(super) const BOMBS: &[(&str, &str, Make)] = &[
    ("inflated.docx", "a document that inflates to 120 MiB of spaces", inflated),
    ("many-parts.docx", "60 parts that inflate to 8 MiB each", many_parts),
    ("deep-markup.docx", "elements 500,000 levels deep", deep_markup),
    ("nested-tables.docx", "tables 40 levels deep, 4,000 times", nested_tables),
    ("table-rows.docx", "a table of 200,000 rows", table_rows),
    ("merged-cells.docx", "a table whose cells span 16,000 columns each", merged_cells),
    ("million-runs.docx", "a paragraph of a million runs", million_runs),
    ("million-words.docx", "a paragraph of a million words", million_words),
    ("style-chain.docx", "60,000 styles, each based on the one before", style_chain),
    ("numbers.docx", "200,000 numbered paragraphs of nine levels", numbers),
    ("notes.docx", "a note that is called 300,000 times", notes),
    ("fields.docx", "300,000 fields that never end", fields),
];

fn inflated() -> Vec<u8> {
    file(&" ".repeat(120 << 20), &[])
}

fn many_parts() -> Vec<u8> {
    let part = " ".repeat(8 << 20);
    let parts = [
        ("styles", part.as_str()),
        ("numbering", &part),
        ("footnotes", &part),
        ("endnotes", &part),
        ("settings", &part),
    ];
    file("<w:p><w:r><w:t>text</w:t></w:r></w:p>", &parts)
}

fn deep_markup() -> Vec<u8> {
    let depth = 500_000;
    file(&format!("{}{}", "<w:sdt>".repeat(depth), "</w:sdt>".repeat(depth)), &[])
}

fn nested_tables() -> Vec<u8> {
    let depth = 40;
    let one = format!(
        "{}<w:p><w:r><w:t>in</w:t></w:r></w:p>{}",
        "<w:tbl><w:tr><w:tc>".repeat(depth),
        "</w:tc></w:tr></w:tbl>".repeat(depth)
    );
    file(&one.repeat(4_000), &[])
}

fn cell(text: &str) -> String {
    format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

fn table_rows() -> Vec<u8> {
    let row = format!("<w:tr>{}{}</w:tr>", cell("a"), cell("b c"));
    file(&format!("<w:tbl>{}</w:tbl>", row.repeat(140_000)), &[])
}

fn merged_cells() -> Vec<u8> {
    let cell = "<w:tc><w:tcPr><w:gridSpan w:val=\"16000\"/><w:vMerge/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>";
    let row = format!("<w:tr>{}</w:tr>", cell.repeat(60));
    file(&format!("<w:tbl>{}</w:tbl>", row.repeat(2_000)), &[])
}

fn million_runs() -> Vec<u8> {
    file(&format!("<w:p>{}</w:p>", "<w:r><w:rPr><w:b/></w:rPr><w:t>a </w:t></w:r>".repeat(1_000_000)), &[])
}

fn million_words() -> Vec<u8> {
    file(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "words of ".repeat(500_000)), &[])
}

fn style_chain() -> Vec<u8> {
    let mut styles = String::new();
    for at in 0..60_000 {
        let _ = write!(
            styles,
            "<w:style w:type=\"paragraph\" w:styleId=\"S{}\"><w:basedOn w:val=\"S{at}\"/></w:style>",
            at + 1
        );
    }
    let paragraph = "<w:p><w:pPr><w:pStyle w:val=\"S60000\"/></w:pPr><w:r><w:t>text</w:t></w:r></w:p>";
    file(&paragraph.repeat(20_000), &[("styles", &styles)])
}

fn numbers() -> Vec<u8> {
    let mut levels = String::new();
    for level in 0..9 {
        let text: String = (1..=level + 1).map(|n| format!("%{n}.")).collect();
        let _ = write!(
            levels,
            "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"upperRoman\"/><w:lvlText w:val=\"{text}\"/></w:lvl>"
        );
    }
    let numbering = format!(
        "<w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
    );
    let mut body = String::new();
    for at in 0..200_000 {
        let _ = write!(
            body,
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{}\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>",
            at % 9
        );
    }
    file(&body, &[("numbering", &numbering)])
}

fn notes() -> Vec<u8> {
    let note = format!(
        "<w:footnote w:id=\"1\"><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:footnote>",
        "words ".repeat(2_000)
    );
    let calls = "<w:r><w:footnoteReference w:id=\"1\"/></w:r>".repeat(300_000);
    file(&format!("<w:p><w:r><w:t>text</w:t></w:r>{calls}</w:p>"), &[("footnotes", &note)])
}

fn fields() -> Vec<u8> {
    let field =
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>PAGEREF x</w:instrText></w:r>";
    file(&format!("<w:p>{}</w:p>", field.repeat(300_000)), &[])
}
