//! Numbers as a reader sees them.

use document::BlockKind;

use super::*;

/// One definition with these levels, and list 1 that uses it; `more` follows.
fn numbering(levels: &str, more: &str) -> String {
    format!(
        "<w:abstractNum w:abstractNumId=\"0\">{levels}</w:abstractNum>{more}\
         <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
    )
}

fn level(at: usize, format: &str, text: &str, more: &str) -> String {
    format!(
        "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/>{more}<w:lvlText w:val=\"{text}\"/></w:lvl>"
    )
}

fn item(list: i64, level: usize, text: &str) -> String {
    pp(&format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>"), text)
}

#[test]
fn levels_count_restart_and_show_the_levels_above() {
    let levels = level(0, "decimal", "%1.", "")
        + &level(1, "decimal", "%1.%2", "")
        + &level(2, "lowerLetter", "(%3)", "")
        + &level(3, "lowerRoman", "(%4)", "");
    let body = [(0, "a"), (1, "b"), (1, "c"), (2, "d"), (2, "e"), (3, "f"), (0, "g"), (1, "h"), (2, "i")]
        .map(|(level, text)| item(1, level, text))
        .concat();
    let read = file(body).with("numbering", &numbering(&levels, "")).read();
    assert_eq!(texts(&read), ["1. a", "1.1 b", "1.2 c", "(a) d", "(b) e", "(i) f", "2. g", "2.1 h", "(a) i"]);
    // "1.1" numbers a provision, "(a)" an item; the marker stands in the text.
    let kinds: Vec<(BlockKind, Option<&str>)> =
        read.layout.blocks.iter().map(|block| (block.kind, block.marker.as_deref())).collect();
    assert_eq!(kinds[1], (BlockKind::Paragraph, None));
    assert_eq!(kinds[3], (BlockKind::ListItem, Some("(a)")));
}

#[test]
fn levels_may_continue_be_legal_or_have_no_suffix() {
    let levels = level(0, "upperRoman", "Article %1", "")
        + &level(1, "decimal", "Section %1.%2", "<w:isLgl/>")
        + &level(2, "decimal", "[%3]", "<w:lvlRestart w:val=\"0\"/><w:suff w:val=\"nothing\"/>");
    let body =
        [(0, "a"), (1, "b"), (2, "c"), (0, "d"), (1, "e"), (2, "f")].map(|(l, t)| item(1, l, t)).concat();
    let read = file(body).with("numbering", &numbering(&levels, "")).read();
    assert_eq!(
        texts(&read),
        ["Article I a", "Section 1.1 b", "[1]c", "Article II d", "Section 2.1 e", "[2]f"]
    );
}

#[test]
fn instances_share_counters_unless_they_override_the_start() {
    let levels = level(0, "decimal", "%1.", "");
    let more = "<w:num w:numId=\"2\"><w:abstractNumId w:val=\"0\"/></w:num>\
        <w:num w:numId=\"3\"><w:abstractNumId w:val=\"0\"/><w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"7\"/></w:lvlOverride></w:num>\
        <w:num w:numId=\"4\"><w:abstractNumId w:val=\"0\"/><w:lvlOverride w:ilvl=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/>\
        <w:numFmt w:val=\"upperLetter\"/><w:lvlText w:val=\"%1)\"/></w:lvl></w:lvlOverride></w:num>";
    let body = [1, 1, 2, 3, 3, 4].map(|list| item(list, 0, "x")).concat();
    let read = file(body).with("numbering", &numbering(&levels, more)).read();
    assert_eq!(texts(&read), ["1. x", "2. x", "3. x", "7. x", "8. x", "I) x"]);
}

#[test]
fn styles_number_paragraphs_and_a_paragraph_can_opt_out() {
    let levels = level(0, "decimal", "%1", "<w:pStyle w:val=\"H1\"/>")
        + &level(1, "decimal", "%1.%2", "<w:pStyle w:val=\"H2\"/>");
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
        <w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:name w:val=\"heading 2\"/><w:basedOn w:val=\"H1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>";
    let body = styled("H1", "Scope")
        + &styled("H2", "Who")
        + &pp("<w:pStyle w:val=\"H1\"/><w:numPr><w:numId w:val=\"0\"/></w:numPr>", "Interlude")
        + &styled("H1", "Fees");
    let read = file(body).with("numbering", &numbering(&levels, "")).with("styles", styles).read();
    assert_eq!(texts(&read), ["1 Scope", "1.1 Who", "Interlude", "2 Fees"]);
    let outline: Vec<(&str, u8)> =
        read.outline.iter().map(|item| (item.title.as_str(), item.level)).collect();
    assert_eq!(outline, [("1 Scope", 1), ("1.1 Who", 2), ("Interlude", 1), ("2 Fees", 1)]);
}

#[test]
fn levels_come_from_a_linked_numbering_style() {
    let numbering = format!(
        "<w:abstractNum w:abstractNumId=\"0\"><w:styleLink w:val=\"Legal\"/>{}</w:abstractNum>\
         <w:abstractNum w:abstractNumId=\"1\"><w:numStyleLink w:val=\"Legal\"/></w:abstractNum>\
         <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"1\"/></w:num>",
        level(0, "cardinalText", "Part %1", "")
    );
    let styles = "<w:style w:type=\"numbering\" w:styleId=\"Legal\"><w:name w:val=\"Legal\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>";
    let read =
        file(item(2, 0, "x") + &item(2, 0, "y")).with("numbering", &numbering).with("styles", styles).read();
    assert_eq!(texts(&read), ["Part One x", "Part Two y"]);
}

#[test]
fn chinese_numbers_and_bullets_are_text() {
    let levels = level(0, "chineseCountingThousand", "第%1条", "")
        + &level(1, "bullet", "\u{f0b7}", "")
        + &level(2, "none", "", "");
    let body = item(1, 0, "董事会") + &item(1, 1, "first") + &item(1, 2, "bare");
    let read = file(body).with("numbering", &numbering(&levels, "")).read();
    assert_eq!(texts(&read), ["第一条 董事会", "• first", "bare"]);
    assert_eq!(read.layout.blocks[1].kind, BlockKind::ListItem);
}

#[test]
fn empty_and_deleted_paragraphs_are_counted_as_shown() {
    let levels = level(0, "decimal", "%1.", "");
    let deleted = "<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr><w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r>\
        <w:delText>gone</w:delText></w:r></w:del></w:p>";
    let empty = "<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:p>";
    let read = file(item(1, 0, "a") + deleted + &item(1, 0, "b") + empty + &item(1, 0, "c"))
        .with("numbering", &numbering(&levels, ""))
        .read();
    assert_eq!(texts(&read), ["1. a", "2. b", "4. c"]);
}
