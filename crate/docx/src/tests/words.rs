//! Text of paragraphs: runs, fields, tracked changes, hidden text.

use document::DiagCode;

use super::*;

/// Text of one paragraph with this content.
fn text(content: &str) -> String {
    file(format!("<w:p>{content}</w:p>")).read().layout.text
}

fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

#[test]
fn runs_breaks_hyphens_and_symbols_become_text() {
    let cases = [
        (run("one ") + &run("word"), "one word"),
        (run("wo") + &run("rd"), "word"),
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>".to_owned(), "a b c"),
        ("<w:r><w:t>第一</w:t><w:br/><w:t>条</w:t></w:r>".to_owned(), "第一条"),
        ("<w:r><w:t>co</w:t><w:softHyphen/><w:t>op non</w:t><w:noBreakHyphen/><w:t>bank</w:t></w:r>".to_owned(), "coop non-bank"),
        ("<w:r><w:sym w:font=\"Symbol\" w:char=\"F061\"/><w:sym w:font=\"Wingdings\" w:char=\"F0FE\"/></w:r>".to_owned(), "α☒"),
        ("<w:r><w:lastRenderedPageBreak/><w:t>a</w:t><w:br w:type=\"page\"/></w:r>".to_owned(), "a"),
        ("<w:hyperlink r:id=\"r1\"><w:r><w:t>link</w:t></w:r></w:hyperlink>".to_owned(), "link"),
        ("<w:smartTag><w:customXml><w:r><w:t>tagged</w:t></w:r></w:customXml></w:smartTag>".to_owned(), "tagged"),
        ("<m:oMath><m:r><m:t>a</m:t></m:r><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:oMath>".to_owned(), "a2"),
        ("<w:r><w:ruby><w:rt><w:r><w:t>over</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase></w:ruby></w:r>".to_owned(), "base"),
    ];
    for (content, expected) in cases {
        assert_eq!(text(&content), expected, "{content}");
    }
}

#[test]
fn caps_are_written_as_shown() {
    assert_eq!(text("<w:r><w:rPr><w:caps/></w:rPr><w:t>Part</w:t></w:r>"), "PART");
    assert_eq!(text("<w:r><w:rPr><w:caps w:val=\"0\"/></w:rPr><w:t>Part</w:t></w:r>"), "Part");
}

#[test]
fn tracked_changes_are_read_as_accepted() {
    let content = "<w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>\
        <w:moveFrom><w:r><w:t>away</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>here</w:t></w:r></w:moveTo>";
    let read = file(format!("<w:p>{content}</w:p>")).warned();
    assert_eq!(read.output.layout.text, "new here");
    assert!(read.diags.iter().any(|diag| diag.code == DiagCode::TrackedChanges));
    assert!(file(p("plain")).warned().diags.is_empty());
}

#[test]
fn a_deleted_paragraph_mark_merges_paragraphs() {
    let deleted = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>";
    assert_eq!(texts(&file(deleted.to_owned() + &p(" two")).read()), ["one two"]);
}

#[test]
fn hidden_text_is_left_out_with_a_notice() {
    let content = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>open</w:t></w:r>";
    let read = file(format!("<w:p>{content}</w:p>")).warned();
    assert_eq!(read.output.layout.text, "open");
    assert_eq!(read.diags[0].code, DiagCode::HiddenText);
}

#[test]
fn field_results_are_text_and_instructions_are_not() {
    let field = |instruction: &str, result: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> {instruction} </w:instrText></w:r>\
             <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{result}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
        )
    };
    assert_eq!(text(&field("REF _a \\h", &run("clause 7"))), "clause 7");
    assert_eq!(text(&(run("see ") + &field("REF a", &field("PAGEREF b", &run("12"))))), "see 12");
    assert_eq!(text("<w:fldSimple w:instr=\" DATE \"><w:r><w:t>1 May</w:t></w:r></w:fldSimple>"), "1 May");
    // An instruction without an end does not swallow what follows.
    let open = "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r></w:p>".to_owned();
    let many: String = (0..20).map(|n| p(&format!("paragraph {n}"))).collect();
    assert!(file(open + &many).read().layout.text.contains("paragraph 19"));
}

#[test]
fn tables_of_contents_are_left_out_with_their_heading() {
    let toc = "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>TOC \\o</w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>Scope 1</w:t></w:r></w:p>\
        <w:p><w:r><w:t>Fees 2</w:t></w:r></w:p><w:p><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    assert_eq!(texts(&file(p("Contents") + toc + &p("Scope")).read()), ["Scope"]);
    assert_eq!(texts(&file(p("CONTENTS") + &p("Section Page") + toc + &p("Scope")).read()), ["Scope"]);
    let control = "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val=\"Table of Contents\"/></w:docPartObj></w:sdtPr>\
        <w:sdtContent><w:p><w:r><w:t>Scope 1</w:t></w:r></w:p></w:sdtContent></w:sdt>";
    assert_eq!(texts(&file(control.to_owned() + &p("Scope")).read()), ["Scope"]);
    let styles = "<w:style w:styleId=\"T1\"><w:name w:val=\"toc 1\"/></w:style>";
    assert_eq!(texts(&file(styled("T1", "Scope 1") + &p("Scope")).with("styles", styles).read()), ["Scope"]);
}

#[test]
fn content_controls_are_text_unless_they_show_a_placeholder() {
    let control = |properties: &str| {
        format!("<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>", run("Acme"))
    };
    assert_eq!(text(&control("<w:alias w:val=\"Party\"/>")), "Acme");
    assert_eq!(text(&(run("x") + &control("<w:showingPlcHdr/>"))), "x");
}

#[test]
fn a_text_box_is_read_once_after_its_paragraph() {
    let in_box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>";
    let content = format!(
        "<w:r><w:t>text</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:wsp>\
         <wps:txbx>{in_box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{in_box}\
         </v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t> goes on</w:t></w:r>"
    );
    assert_eq!(texts(&file(format!("<w:p>{content}</w:p>")).read()), ["text goes on", "boxed"]);
    let old = format!(
        "<w:p><w:r><w:t>text</w:t><w:pict><v:shape><v:textbox>{in_box}</v:textbox></v:shape></w:pict></w:r></w:p>"
    );
    assert_eq!(texts(&file(old).read()), ["text", "boxed"]);
}

#[test]
fn both_dialects_and_utf_16_are_read() {
    let strict = "<w:document xmlns:w=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"><w:body><w:p><w:r><w:t>第一条</w:t>\
        </w:r></w:p></w:body></w:document>";
    let utf16: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(strict.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for bytes in [strict.as_bytes(), &utf16] {
        let read = read(&archive(&[("word/document.xml", bytes)]), &Limits::default()).unwrap();
        assert_eq!(read.output.layout.text, "第一条");
    }
}

#[test]
fn title_and_language_come_from_the_properties() {
    let core = b"<cp:coreProperties xmlns:cp=\"x\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title> Rules  &amp; Orders</dc:title></cp:coreProperties>";
    let body = format!("<w:document {NAMESPACES}><w:body>{}</w:body></w:document>", p("x"));
    let bytes = archive(&[("word/document.xml", body.as_bytes()), ("docProps/core.xml", core)]);
    assert_eq!(read(&bytes, &Limits::default()).unwrap().output.title.as_deref(), Some("Rules & Orders"));
    let read = file(p("x")).with("settings", "<w:themeFontLang w:val=\"en-GB\"/>").read();
    assert_eq!(read.language.as_deref(), Some("en-GB"));
}
