//! Pending tracked changes: read as accepted, and told of the text that touches them.

use document::{Caveat, DiagCode};

use super::*;

/// Text, and the parts of it that touch a pending change.
fn tracked(contents: &WordDocument) -> (String, Vec<&str>) {
    let layout = &contents.layout;
    let ranges = layout.caveats.ranges().iter().filter(|each| each.caveat == Caveat::Tracked);
    (layout.text.clone(), ranges.map(|each| layout.slice(each.range)).collect())
}

fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn ins(content: &str) -> String {
    format!("<w:ins w:id=\"1\">{content}</w:ins>")
}

fn del(text: &str) -> String {
    format!("<w:del w:id=\"2\"><w:r><w:delText xml:space=\"preserve\">{text}</w:delText></w:r></w:del>")
}

#[test]
fn insertions_and_places_of_deletions_are_tracked() {
    let cases = [
        (run("The fee is due."), "The fee is due.", vec![]),
        (run("The fee is ") + &ins(&run("not ")) + &run("due."), "The fee is not due.", vec![" not"]),
        (run("The fee is ") + &del("not ") + &run("due."), "The fee is due.", vec!["s d"]),
        (run("within ") + &del("95") + &ins(&run("5")) + &run(" days"), "within 5 days", vec!["n 5"]),
        (run("to its ") + &del("end."), "to its", vec!["s"]),
        (del("Nobody. ") + &run("Everybody."), "Everybody.", vec!["E"]),
        (
            "<w:moveFrom><w:r><w:t>away</w:t></w:r></w:moveFrom>".to_owned()
                + &run("a ")
                + "<w:moveTo><w:r><w:t>here</w:t></w:r></w:moveTo>",
            "a here",
            vec!["a here"],
        ),
        (
            run("caf") + &run("e") + &ins(&run("\u{301}")) + &run(" bar"),
            "caf\u{e9} bar",
            vec!["caf\u{e9} bar"],
        ),
        (
            "<w:r><w:rPr><w:b/><w:rPrChange w:id=\"3\"><w:rPr/></w:rPrChange></w:rPr><w:t>bold</w:t></w:r>"
                .to_owned(),
            "bold",
            vec![],
        ),
    ];
    for (content, text, expected) in cases {
        let read = file(format!("<w:p>{content}</w:p>")).read();
        assert_eq!(tracked(&read), (text.to_owned(), expected), "{content}");
    }
}

#[test]
fn changes_of_whole_paragraphs_are_tracked() {
    let with_mark =
        |mark: &str, content: &str| format!("<w:p><w:pPr><w:rPr><w:{mark}/></w:rPr></w:pPr>{content}</w:p>");
    let inserted = p("one") + &with_mark("ins", &ins(&run("two"))) + &p("three");
    assert_eq!(tracked(&file(inserted).read()), ("one\ntwo\nthree".to_owned(), vec!["two"]));
    let deleted = p("one") + &with_mark("del", &del("two")) + &p("three");
    assert_eq!(tracked(&file(deleted).read()), ("one\nthree".to_owned(), vec!["t"]));
    let merged = with_mark("del", &run("one")) + &p(" two");
    assert_eq!(tracked(&file(merged).read()), ("one two".to_owned(), vec!["e t"]));
    let wrapped = p("one") + &ins(&p("two")) + "<w:del><w:p/></w:del>" + &p("three");
    assert_eq!(tracked(&file(wrapped).read()), ("one\ntwo\nthree".to_owned(), vec!["two", "t"]));
}

#[test]
fn changes_of_rows_cells_and_notes_are_tracked() {
    let cell = |content: &str| format!("<w:tc><w:p>{content}</w:p></w:tc>");
    let row = |change: &str, cells: &str| format!("<w:tr><w:trPr>{change}</w:trPr>{cells}</w:tr>");
    let table = row("", &(cell(&run("Fee")) + &cell(&(run("5") + &ins(&run("00"))))))
        + &row("<w:ins/>", &(cell(&run("Fine")) + &cell(&run("7"))))
        + &row("<w:del/>", &(cell(&run("Levy")) + &cell(&run("9"))))
        + &row("", &(cell(&run("Tax")) + &cell(&run("8"))));
    let read = file(format!("<w:tbl>{table}</w:tbl>")).read();
    let expected = ("Fee\t500\nFine\t7\nTax\t8".to_owned(), vec!["00", "Fine", "7", "T"]);
    assert_eq!(tracked(&read), expected);
    let note = format!(
        "<w:footnote w:id=\"2\"><w:p>{}</w:p></w:footnote>",
        run("a ") + &ins(&run("new")) + &run(" note")
    );
    let body = "<w:p><w:r><w:t>text</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>";
    let read = file(body).with("footnotes", &note).read();
    assert_eq!(tracked(&read), ("text\na new note".to_owned(), vec![" new"]));
}

#[test]
fn what_is_marked_changes_neither_text_nor_blocks() {
    let empty_of_deleted = p("Scope") + &format!("<w:p>{}</w:p>", del("gone")) + &p("text");
    let empty = p("Scope") + "<w:p/>" + &p("text");
    assert_eq!(blocks(&file(empty_of_deleted).read()), blocks(&file(empty).read()));
}

#[test]
fn comments_headers_and_footers_that_contradict_are_no_text() {
    let body = "<w:p><w:commentRangeStart w:id=\"0\"/><w:r><w:t>The fee is due.</w:t></w:r><w:commentRangeEnd w:id=\"0\"/>\
        <w:r><w:commentReference w:id=\"0\"/></w:r></w:p><w:sectPr><w:headerReference w:type=\"default\" r:id=\"r1\"/></w:sectPr>";
    let contradiction =
        |element: &str| format!("<w:{element} w:id=\"0\">{}</w:{element}>", p("The fee is not due."));
    let read = file(body)
        .with("comments", &contradiction("comment"))
        .with("header", &p("The fee is not due."))
        .with("footer", &p("The fee is not due."))
        .warned();
    assert_eq!(read.output.layout.text, "The fee is due.");
    assert!(read.output.layout.caveats.ranges().is_empty());
    assert!(read.diags.iter().all(|diag| diag.code != DiagCode::TrackedChanges));
}
