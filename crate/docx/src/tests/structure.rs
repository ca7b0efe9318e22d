//! Headings, titles, tables, notes.

use document::{BlockKind, NoteMark, Role};

use super::*;

const STYLES: &str = "<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"22\"/></w:rPr></w:rPrDefault></w:docDefaults>\
    <w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:rPr><w:b/><w:sz w:val=\"32\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Mine\"><w:name w:val=\"Our Heading\"/><w:basedOn w:val=\"H1\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"berschrift2\"><w:name w:val=\"Überschrift 2\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Lvl\"><w:name w:val=\"Level\"/><w:pPr><w:outlineLvl w:val=\"2\"/></w:pPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"T\"><w:name w:val=\"Title\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Q\"><w:name w:val=\"Quote\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"C\"><w:name w:val=\"caption\"/></w:style>\
    <w:style w:type=\"character\" w:styleId=\"Strong\"><w:name w:val=\"Strong\"/><w:rPr><w:b/></w:rPr></w:style>";

const LONG: &str = "The parties have agreed that the services are to be provided as described below.";

#[test]
fn styles_set_kind_role_and_level() {
    let body = styled("T", "Services Agreement")
        + &styled("H1", "Scope")
        + &styled("Mine", "Fees")
        + &styled("berschrift2", "Dauer")
        + &styled("Lvl", "Renewal")
        + &styled("Q", "As was said.")
        + &styled("C", "Fees by month")
        + &pp("<w:outlineLvl w:val=\"0\"/>", "Direct")
        + &pp("<w:pStyle w:val=\"H1\"/><w:outlineLvl w:val=\"9\"/>", LONG);
    let read = file(body).with("styles", STYLES).read();
    let found: Vec<(BlockKind, Role)> =
        read.layout.blocks.iter().map(|block| (block.kind, block.role)).collect();
    let heading = (BlockKind::Heading, Role::Body);
    assert_eq!(
        found,
        [
            (BlockKind::Heading, Role::Title),
            heading,
            heading,
            heading,
            heading,
            (BlockKind::Paragraph, Role::BlockQuote),
            (BlockKind::Paragraph, Role::Caption),
            heading,
            (BlockKind::Paragraph, Role::Body),
        ]
    );
    assert_eq!(read.outline.iter().map(|item| item.level).collect::<Vec<_>>(), [1, 1, 2, 3, 1]);
}

#[test]
fn clauses_in_a_heading_style_are_paragraphs() {
    let clauses: String = ["The Supplier delivers.", "The Customer pays the charges in good time.", LONG]
        .map(|text| styled("Lvl", text))
        .concat();
    let read = file(styled("H1", "Scope") + &clauses).with("styles", STYLES).read();
    assert!(read.layout.blocks.iter().skip(1).all(|block| block.kind == BlockKind::Paragraph));
    assert_eq!(read.outline.len(), 1);
    // One long sentence among headings is no heading either.
    let stray = format!("{LONG} They are to be provided in good time and with the care of a prudent expert.");
    let read = file(styled("H1", "Scope") + &styled("H1", "Fees") + &styled("H1", &stray))
        .with("styles", STYLES)
        .read();
    let kinds: Vec<BlockKind> = read.layout.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::Heading, BlockKind::Heading, BlockKind::Paragraph]);
}

#[test]
fn without_styles_format_and_numbers_make_headings() {
    let bold = |text: &str| format!("<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>");
    let large = "<w:p><w:pPr><w:jc w:val=\"center\"/></w:pPr><w:r><w:rPr><w:sz w:val=\"36\"/></w:rPr><w:t>Deed of Gift</w:t></w:r></w:p>";
    let body = large.to_owned()
        + &bold("1. Definitions")
        + &p(LONG)
        + &p("Article 2 Duties of the Board")
        + &p(LONG)
        + &p("第三章 附则")
        + &p(LONG);
    let read = file(body).read();
    let kinds: Vec<BlockKind> = read.layout.blocks.iter().map(|block| block.kind).collect();
    use BlockKind::{Heading, Paragraph};
    assert_eq!(kinds, [Heading, Heading, Paragraph, Heading, Paragraph, Heading, Paragraph]);
    assert_eq!(read.layout.blocks[0].role, Role::Title);
    assert!(read.outline.is_empty());
}

#[test]
fn what_only_looks_like_a_heading_is_none() {
    let bold = |text: &str| format!("<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>");
    let body = bold("Fees")
        + &p(LONG)
        + &bold("Table 1: Fees by month")
        + &bold("Dated: 3 February 2026")
        + &bold("Ravelin Water plc")
        + &p("By: ____________");
    let read = file(body).read();
    let found: Vec<(BlockKind, Role)> =
        read.layout.blocks.iter().map(|block| (block.kind, block.role)).collect();
    let text = (BlockKind::Paragraph, Role::Body);
    assert_eq!(
        found,
        [(BlockKind::Heading, Role::Body), text, (BlockKind::Paragraph, Role::Caption), text, text, text]
    );
}

#[test]
fn each_paragraph_has_its_decision() {
    let bytes =
        file(styled("H1", "Scope") + &p(LONG) + &p("Part 2") + &p(LONG)).with("styles", STYLES).bytes();
    let rules = |options: &Options| -> Vec<(u32, &'static str)> {
        let decisions = explain(&bytes, &Limits::default(), options).unwrap();
        let name = |decision: &Decision| decision.rule.map_or("-", |rule| rule.name);
        decisions.iter().map(|decision| (decision.place.number(), name(decision))).collect()
    };
    let all = rules(&Options::default());
    assert_eq!(all, [(1, "style-heading"), (2, "sentence"), (3, "division"), (4, "sentence")]);
    let without = Options { without: ["division".to_owned()].into() };
    assert_eq!(rules(&without)[2], (3, "-"));
    let layout = read_with(&bytes, &Limits::default(), &without).unwrap().output.layout;
    assert_eq!(layout.blocks[2].kind, BlockKind::Paragraph);
}

#[test]
fn formatting_is_inherited_from_defaults_styles_and_runs() {
    let run = |props: &str, text: &str| format!("<w:r><w:rPr>{props}</w:rPr><w:t>{text}</w:t></w:r>");
    let heading = format!("<w:p><w:pPr><w:pStyle w:val=\"H1\"/></w:pPr>{}</w:p>", run("", "Bold by style"));
    // A second style that is bold switches bold off again; the run itself is believed.
    let switched = format!(
        "<w:p><w:pPr><w:pStyle w:val=\"H1\"/></w:pPr>{}</w:p>",
        run("<w:rStyle w:val=\"Strong\"/>", "Plain again")
    );
    let indented = pp("<w:ind w:left=\"720\" w:firstLine=\"360\"/>", LONG);
    let read = file(heading + &switched + &indented).with("styles", STYLES).read();
    let style = |at: usize| read.layout.blocks[at].style;
    assert!(style(0).bold && style(0).size.0 == 16.0);
    assert!(!style(1).bold);
    assert_eq!((style(2).size.0, style(2).indent.0), (11.0, 54.0));
}

#[test]
fn a_run_in_heading_is_merged_with_its_text() {
    let heading = "<w:p><w:pPr><w:pStyle w:val=\"H1\"/><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr><w:r><w:t>Section 2.1 Fees.</w:t></w:r></w:p>";
    let read = file(heading.to_owned() + &p(LONG)).with("styles", STYLES).read();
    assert_eq!(blocks(&read), [(BlockKind::Paragraph, format!("Section 2.1 Fees. {LONG}").as_str())]);
}

#[test]
fn the_outline_omits_headings_repeated_by_an_earlier_paragraph() {
    let body = p("Scope") + &p(LONG) + &styled("H1", "Scope") + &p(LONG) + &styled("H1", "Fees");
    let read = file(body).with("styles", STYLES).read();
    assert_eq!(read.outline.iter().map(|item| item.title.as_str()).collect::<Vec<_>>(), ["Fees"]);
}

fn cell(properties: &str, content: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>")
}

fn row(cells: &[String]) -> String {
    format!("<w:tr>{}</w:tr>", cells.concat())
}

#[test]
fn merged_cells_keep_their_content_once() {
    let inner = format!("<w:tbl>{}</w:tbl>", row(&[cell("", &p("x")), cell("", &p("y"))]));
    let table = format!(
        "<w:tbl>{}{}{}{}</w:tbl>",
        row(&[cell("<w:gridSpan w:val=\"2\"/>", &p("Fees")), cell("", &p("Year"))]),
        row(&[
            cell("<w:vMerge w:val=\"restart\"/>", &p("Basic")),
            cell("", &(p("one") + &p("two"))),
            cell("", &p("1"))
        ]),
        row(&[cell("<w:vMerge/>", &p("")), cell("", &inner), cell("", &p("2"))]),
        "<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>gone</w:t></w:r></w:p></w:tc></w:tr>",
    );
    let read = file(p("before") + &table).read();
    assert_eq!(blocks(&read)[1], (BlockKind::Table, "Fees\t\tYear\nBasic\tone two\t1\n\tx y\t2"));
}

#[test]
fn layout_tables_become_paragraphs() {
    let frame = format!(
        "<w:tbl>{}{}</w:tbl>",
        row(&[cell("", &(p("(a) first") + &p("second")))]),
        row(&[cell("", &p("third"))])
    );
    let read = file(frame).read();
    assert_eq!(texts(&read), ["(a) first", "second", "third"]);
    let headed = format!("<w:tbl>{}</w:tbl>", row(&[cell("", &styled("H1", "Scope")), cell("", &p("text"))]));
    assert_eq!(blocks(&file(headed).with("styles", STYLES).read())[0], (BlockKind::Heading, "Scope"));
}

const NOTES: &str = "<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>\
    <w:footnote w:id=\"1\"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space=\"preserve\"> First note.</w:t></w:r></w:p>\
    <w:p><w:r><w:t>It goes on.</w:t></w:r></w:p></w:footnote>\
    <w:footnote w:id=\"2\"><w:p><w:r><w:t>Second note.</w:t></w:r></w:p></w:footnote>\
    <w:footnote w:id=\"3\"><w:p><w:r><w:t>Starred.</w:t></w:r></w:p></w:footnote>";

fn marks(contents: &WordDocument) -> Vec<(&str, &str)> {
    let before = |mark: &NoteMark| &contents.layout.text[..mark.at as usize];
    contents
        .layout
        .marks
        .iter()
        .map(|mark| (before(mark).rsplit(['\n', ' ']).next().unwrap(), mark.marker.as_str()))
        .collect()
}

#[test]
fn footnotes_follow_the_referencing_paragraph() {
    let body = "<w:p><w:r><w:t xml:space=\"preserve\">A duty, </w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t>owed</w:t></w:r>\
        <w:r><w:footnoteReference w:customMarkFollows=\"1\" w:id=\"3\"/><w:t>*</w:t></w:r><w:r><w:t xml:space=\"preserve\"> to all.</w:t></w:r></w:p>\
        <w:p><w:r><w:t>More.</w:t></w:r><w:r><w:footnoteReference w:id=\"1\"/></w:r><w:r><w:footnoteReference w:id=\"9\"/></w:r></w:p>";
    let read = file(body).with("footnotes", NOTES).read();
    assert_eq!(
        texts(&read),
        ["A duty, owed to all.", "Second note.", "Starred.", "More.", "First note.", "It goes on."]
    );
    let markers: Vec<Option<&str>> = read.layout.blocks.iter().map(|block| block.marker.as_deref()).collect();
    assert_eq!(markers, [None, Some("1"), Some("*"), None, Some("2"), None]);
    // The mark of a note that is not there is left out.
    assert_eq!(marks(&read), [("duty,", "1"), ("owed", "*"), ("More.", "2")]);
    assert!(read.layout.marks.iter().all(|mark| mark.page.is_none()));
}

#[test]
fn endnotes_stand_at_the_end_with_their_own_numbers() {
    let body = "<w:p><w:r><w:t>One</w:t></w:r><w:r><w:endnoteReference w:id=\"1\"/></w:r></w:p>".to_owned()
        + &p("Two")
        + "<w:sectPr><w:endnotePr><w:numFmt w:val=\"upperLetter\"/></w:endnotePr></w:sectPr>";
    let notes = "<w:endnote w:id=\"1\"><w:p><w:r><w:t>Far.</w:t></w:r></w:p></w:endnote>";
    let read = file(body.clone()).with("endnotes", notes).read();
    assert_eq!(texts(&read), ["One", "Two", "Far."]);
    assert_eq!(marks(&read), [("One", "A")]);
    let settings = "<w:endnotePr><w:numStart w:val=\"4\"/></w:endnotePr>";
    let read = file(body).with("endnotes", notes).with("settings", settings).read();
    assert_eq!(marks(&read), [("One", "D")]);
}

#[test]
fn endnotes_numbered_like_footnotes_stand_with_them() {
    let body = "<w:p><w:r><w:t>One</w:t></w:r><w:r><w:endnoteReference w:id=\"1\"/></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>".to_owned()
        + &p("Two")
        + "<w:sectPr><w:endnotePr><w:numFmt w:val=\"decimal\"/></w:endnotePr></w:sectPr>";
    let ends = "<w:endnote w:id=\"1\"><w:p><w:r><w:t>Far.</w:t></w:r></w:p></w:endnote>";
    let read = file(body).with("endnotes", ends).with("footnotes", NOTES).read();
    assert_eq!(texts(&read), ["One", "Far.", "Second note.", "Two"]);
    assert_eq!(marks(&read), [("One", "1"), ("One", "1")]);
}

#[test]
fn notes_in_tables_and_cross_references_are_kept() {
    let call = "<w:p><w:r><w:t>9</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>";
    let again = "<w:p><w:r><w:t>As above</w:t></w:r><w:fldSimple w:instr=\"NOTEREF a\"><w:r><w:t>1</w:t></w:r></w:fldSimple><w:r><w:t>.</w:t></w:r></w:p>";
    let table = format!("<w:tbl>{}</w:tbl>", row(&[cell("", &p("fee")), cell("", call)]));
    let read = file(table + again).with("footnotes", NOTES).read();
    assert_eq!(blocks(&read)[..2], [(BlockKind::Table, "fee\t9"), (BlockKind::Footnote, "Second note.")]);
    assert_eq!(texts(&read)[2], "As above.");
    assert_eq!(read.layout.marks.iter().map(|mark| mark.marker.as_str()).collect::<Vec<_>>(), ["1", "1"]);
}

#[test]
fn block_ranges_and_marks_are_in_order() {
    let read = file(p("one") + &p("two") + &p("") + &p("three")).read();
    let layout = &read.layout;
    assert_eq!(layout.text, "one\ntwo\nthree");
    assert!(layout.blocks.windows(2).all(|pair| pair[0].range.end < pair[1].range.start));
    assert!(layout.pages.is_empty() && layout.words.n_words() == 0 && layout.furniture.is_empty());
}
