//! The tree over layouts built in code.

use document::{
    Block, BlockKind, BlockStyle, Layout, PageId, PlacedWord, Pt, Rect, Role, TextMap, TextRange,
};
use proptest::prelude::*;

use super::*;

/// Lays out blocks of one line each.
struct Sample {
    layout: Layout,
    words: Vec<PlacedWord>,
    page: u32,
}

impl Sample {
    fn new() -> Self {
        Self { layout: Layout::default(), words: Vec::new(), page: 0 }
    }

    fn block(mut self, kind: BlockKind, size: f32, text: &str) -> Self {
        if !self.layout.text.is_empty() {
            self.layout.text.push('\n');
        }
        let start = self.layout.text.len();
        self.layout.text.push_str(text);
        let range = TextRange::new(start, self.layout.text.len());
        self.words.push(PlacedWord { range, page: PageId(self.page), rect: Rect::default() });
        let style = BlockStyle { size: Pt(size), bold: kind == BlockKind::Heading, ..BlockStyle::default() };
        self.layout.blocks.push(Block { kind, role: Role::Body, range, style, marker: None });
        self
    }

    fn heading(self, size: f32, text: &str) -> Self {
        self.block(BlockKind::Heading, size, text)
    }

    fn text(self, text: &str) -> Self {
        self.block(BlockKind::Paragraph, 10.0, text)
    }

    fn note(self, marker: &str, text: &str) -> Self {
        let mut sample = self.block(BlockKind::Footnote, 8.0, text);
        sample.layout.blocks.last_mut().unwrap().marker = Some(marker.to_owned());
        sample
    }

    fn mark(mut self, marker: &str) -> Self {
        let at = u32::try_from(self.layout.text.len()).unwrap();
        self.layout.marks.push(document::NoteMark {
            at,
            marker: marker.to_owned(),
            page: Some(PageId(self.page)),
            rect: Rect::default(),
        });
        self
    }

    fn next_page(mut self) -> Self {
        self.page += 1;
        self
    }

    fn layout(mut self) -> Layout {
        self.layout.words = TextMap::new(self.words);
        self.layout
    }

    fn tree(self) -> Tree {
        build(&self.layout(), &[]).output
    }
}

/// One line a section: its depth, `*` for an article, its title.
fn dump(tree: &Tree) -> Vec<String> {
    tree.sections
        .iter()
        .skip(1)
        .map(|section| {
            format!("{}{}{}", section.level, if section.is_article { "*" } else { " " }, section.title)
        })
        .collect()
}

#[test]
fn a_rulebook_nests_by_its_numbers_and_its_rules_are_articles() {
    let tree = Sample::new()
        .heading(12.0, "3. Conduct")
        .heading(12.0, "3.1 Disclosure")
        .heading(12.0, "3.1.1 Fees")
        .text("A firm must disclose its fees.")
        .heading(12.0, "3.1.2 Risks")
        .text("A firm must disclose risks.")
        .heading(12.0, "3.2 Custody")
        .heading(12.0, "3.2.1 Assets")
        .text("A firm must keep assets safe.")
        .heading(12.0, "4. Final")
        .tree();
    let expected = [
        "1 3. Conduct",
        "2 3.1 Disclosure",
        "3*3.1.1 Fees",
        "3*3.1.2 Risks",
        "2 3.2 Custody",
        "3*3.2.1 Assets",
        "1 4. Final",
    ];
    assert_eq!(dump(&tree), expected);
}

#[test]
fn a_statute_opens_sections_inside_paragraphs() {
    let tree = Sample::new()
        .heading(14.0, "第一章 总则")
        .text("第一条 为了规范，制定本法。")
        .text("第二条 本法适用于下列情形。")
        .text("（一）第一种情形；")
        .heading(14.0, "第二章 附则")
        .text("第三条 依照第一条规定处理。")
        .text("第一条规定的情形除外。")
        .tree();
    assert_eq!(dump(&tree), ["1 第一章 总则", "2*第一条", "2*第二条", "1 第二章 附则", "2*第三条"]);
}

#[test]
fn number_and_title_on_two_lines_are_one_heading() {
    let tree = Sample::new()
        .heading(12.0, "CHAPTER I")
        .heading(11.0, "General")
        .heading(11.0, "SECTION 1")
        .heading(11.0, "Scope")
        .heading(10.0, "Article 1")
        .heading(10.0, "Subject matter")
        .text("This Regulation lays down rules.")
        .heading(10.0, "Article 2")
        .heading(10.0, "Definitions")
        .text("In this Regulation words mean things.")
        .tree();
    let expected =
        ["1 CHAPTER I General", "2 SECTION 1 Scope", "3*Article 1 Subject matter", "3*Article 2 Definitions"];
    assert_eq!(dump(&tree), expected);
}

#[test]
fn a_contract_is_cited_by_its_sections() {
    let tree = Sample::new()
        .heading(12.0, "ARTICLE VII Covenants")
        .text("Section 7.1 Reports. The Borrower shall deliver reports.")
        .text("(a) quarterly reports; and")
        .text("Section 7.2 Insurance. The Borrower shall insure.")
        .text("Section 7.1 of the other agreement is not affected.")
        .heading(12.0, "ARTICLE VIII Default")
        .text("Section 8.1 Events. Each is an event.")
        .tree();
    let expected = [
        "1 ARTICLE VII Covenants",
        "2*Section 7.1 Reports.",
        "2*Section 7.2 Insurance.",
        "1 ARTICLE VIII Default",
        "2*Section 8.1 Events.",
    ];
    assert_eq!(dump(&tree), expected);
}

#[test]
fn an_opinion_nests_by_letters_and_has_no_articles() {
    let mut sample = Sample::new();
    for roman in ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"] {
        sample = sample.heading(14.0, &format!("{roman}. Argument")).heading(12.0, "A. First").text("Text.");
        sample = sample.heading(12.0, "B. Second").heading(11.0, "1. Step").text("Text.");
    }
    let tree = sample.tree();
    assert!(tree.sections.iter().all(|section| !section.is_article));
    let levels: Vec<u8> = tree.sections.iter().skip(1).map(|section| section.level).collect();
    assert_eq!(levels, [1, 2, 2, 3].repeat(9));
}

#[test]
fn the_ninth_letter_is_not_a_numeral() {
    let mut sample = Sample::new().heading(14.0, "II. Law");
    for letter in 'A'..='J' {
        sample = sample.heading(12.0, &format!("{letter}. Point")).text("Text.");
    }
    let levels: Vec<u8> = sample.tree().sections.iter().skip(1).map(|section| section.level).collect();
    assert_eq!(levels, [vec![1], vec![2; 10]].concat());
}

#[test]
fn lists_are_no_provisions() {
    let tree = Sample::new()
        .heading(12.0, "Fees")
        .text("The following are due:")
        .text("1. Entry.")
        .text("2. Exit.")
        .text("3. Other.")
        .text("4. More.")
        .text("5. Most.")
        .tree();
    assert_eq!(dump(&tree), ["1 Fees"]);
}

#[test]
fn the_outline_decides_before_type() {
    let layout = Sample::new()
        .heading(10.0, "Small but first")
        .text("a")
        .heading(20.0, "Large but second")
        .text("b")
        .layout();
    let item = |title: &str, level| OutlineItem { title: title.to_owned(), level, page: None, y: None };
    let tree = build(&layout, &[item("Small but first", 1), item("Large but second", 2)]).output;
    assert_eq!(dump(&tree), ["1 Small but first", "2 Large but second"]);
}

#[test]
fn notes_are_linked_by_marker_and_page() {
    let warned = build(
        &Sample::new()
            .text("One")
            .mark("1")
            .text("two")
            .mark("*")
            .note("1", "First note.")
            .note("*", "Starred.")
            .next_page()
            .text("Three")
            .mark("¹")
            .note("1", "Numbering begins again.")
            .note("9", "Nobody calls me.")
            .layout(),
        &[],
    );
    let marks: Vec<&[u32]> = warned.output.notes.iter().map(|note| note.marks.as_slice()).collect();
    assert_eq!(marks, [&[0][..], &[1], &[2], &[]]);
    assert_eq!(warned.diags.len(), 1);
}

#[test]
fn endnotes_are_linked_when_their_marker_is_unique() {
    let notes = Sample::new()
        .text("One")
        .mark("1")
        .text("two")
        .mark("2")
        .next_page()
        .next_page()
        .next_page()
        .heading(12.0, "Notes")
        .note("1", "First.")
        .note("2", "Second.")
        .tree()
        .notes;
    assert_eq!(notes.iter().map(|note| note.marks.clone()).collect::<Vec<_>>(), [[0], [1]]);
}

#[test]
fn a_hundred_thousand_headings_are_one_flat_or_deep_tree() {
    let mut sample = Sample::new();
    for n in 0..100_000u32 {
        let text = match n % 5 {
            0 => format!("{n}. Heading"),
            1 => format!("{n}.{n}.{n}.{n}.{n} Deep"),
            2 => "(((((((((((".to_owned(),
            3 => format!("PART {n}"),
            _ => "第九千九百九十九条".to_owned(),
        };
        sample = sample.heading(f32::from(u16::try_from(n % 300).unwrap()) / 3.0, &text);
    }
    let tree = sample.tree();
    assert!(tree.sections.iter().all(|section| usize::from(section.level) <= 2 * levels::MAX_LEVEL));
}

fn sample_of(blocks: &[(u8, u8, String)]) -> Layout {
    let mut sample = Sample::new();
    for (kind, size, text) in blocks {
        let kind = match kind % 6 {
            0 | 1 => BlockKind::Heading,
            2 => BlockKind::ListItem,
            3 => BlockKind::Footnote,
            4 => BlockKind::Table,
            _ => BlockKind::Paragraph,
        };
        sample = sample.block(kind, f32::from(*size), text).mark("1");
        if size % 3 == 0 {
            sample = sample.next_page();
        }
    }
    sample.layout()
}

#[test]
fn a_spanish_law_has_headings_and_references() {
    let (layout, tree) = {
        let sample = Sample::new()
            .heading(12.0, "TÍTULO I Disposiciones")
            .text("Artículo 1. Objeto. Esta ley regula los faros según el anexo I.")
            .text("Artículo 2. Deber. La autoridad los mantiene conforme al art. 1 de la presente Ley y no de la Ley 39/2015.")
            .heading(12.0, "ANEXO I Faros")
            .text("El faro del dique norte y el faro del muelle.");
        let layout = sample.layout;
        let tree = build(&layout, &[]).output;
        (layout, tree)
    };
    let labels: Vec<&str> =
        tree.sections.iter().filter_map(|section| Some(section.label.as_ref()?.key.as_str())).collect();
    assert_eq!(labels, ["title i", "article 1", "article 2", "annex i"]);
    let references: Vec<(&str, Option<&str>)> = tree
        .references
        .iter()
        .map(|reference| {
            let target = reference.target.and_then(|id| tree.sections[id.idx()].label.as_ref());
            (layout.slice(reference.range), target.map(|label| label.text.as_str()))
        })
        .collect();
    assert_eq!(
        references,
        [
            ("anexo I", Some("ANEXO I")),
            ("art. 1 de la presente Ley", Some("Artículo 1")),
            ("Ley 39/2015", None)
        ]
    );
}

proptest! {
    #[test]
    fn sections_nest_follow_and_hold_every_block_once(
        blocks in prop::collection::vec(
            (any::<u8>(), 8u8..14, "(PART [1-4]|[1-3]\\.[1-3]( A)?|[1-9]\\. A|[IVX]{1,3}\\. A|[A-D]\\. B|第[一二三]条 文|Article [1-5]|\\([a-c]\\) X|Text|Annex I)"),
            0..60,
        )
    ) {
        let layout = sample_of(&blocks);
        let tree = build(&layout, &[]).output;
        let mut held = vec![0; layout.blocks.len()];
        for (id, section) in tree.sections.iter().enumerate() {
            if let Some(parent) = section.parent {
                prop_assert!(parent.idx() < id);
                let parent = &tree.sections[parent.idx()];
                prop_assert!(parent.level < section.level);
                prop_assert!(parent.range.contains(section.range), "{:?} {:?}", parent, section);
            }
            for other in tree.sections.iter().skip(id + 1).filter(|other| other.parent == section.parent) {
                prop_assert!(section.range.end <= other.range.start);
            }
            let mut above = section.parent;
            while let (true, Some(up)) = (section.is_article, above) {
                prop_assert!(!tree.sections[up.idx()].is_article);
                above = tree.sections[up.idx()].parent;
            }
            for block in &section.blocks {
                held[block.idx()] += 1;
                prop_assert!(section.range.contains(layout.blocks[block.idx()].range));
            }
        }
        for (n, block) in held.iter().zip(&layout.blocks) {
            prop_assert_eq!(*n, usize::from(block.kind != BlockKind::Footnote));
        }
        let noted: usize = tree.notes.iter().map(|note| note.blocks.len()).sum();
        prop_assert_eq!(noted, layout.blocks.iter().filter(|block| block.kind == BlockKind::Footnote).count());
    }
}

#[test]
fn a_table_of_contents_opens_no_sections() {
    let tree = Sample::new()
        .heading(14.0, "TABLE OF CONTENTS")
        .heading(10.0, "ARTICLE I Definitions")
        .heading(10.0, "ARTICLE II Loans")
        .heading(10.0, "Schedule A")
        .next_page()
        .heading(12.0, "ARTICLE I Definitions")
        .text("Words mean things.")
        .heading(12.0, "ARTICLE II Loans")
        .text("Loans are made.")
        .tree();
    assert_eq!(dump(&tree), ["1 TABLE OF CONTENTS", "1*ARTICLE I Definitions", "1*ARTICLE II Loans"]);
}

#[test]
fn the_words_of_a_cover_enclose_nothing() {
    let tree = Sample::new()
        .heading(24.0, "Prospectus")
        .heading(18.0, "March 2020")
        .heading(12.0, "Summary")
        .text(&"Text of some length. ".repeat(12))
        .heading(12.0, "Risks")
        .text("Text.")
        .tree();
    assert_eq!(dump(&tree), ["1 Prospectus", "1 March 2020", "1 Summary", "1 Risks"]);
}

#[test]
fn a_numeral_whose_first_was_missed_is_not_inside_its_letters() {
    let tree = Sample::new()
        .heading(12.0, "FINDINGS OF FACT")
        .text("Text.")
        .heading(12.0, "OPINION")
        .heading(10.0, "A. First")
        .heading(10.0, "1. Step")
        .text("Text.")
        .heading(10.0, "II. Second question")
        .heading(10.0, "A. Again")
        .tree();
    assert_eq!(
        dump(&tree),
        ["1 FINDINGS OF FACT", "1 OPINION", "2 A. First", "3 1. Step", "2 II. Second question", "3 A. Again"]
    );
}

#[test]
fn a_title_set_as_a_heading_is_no_section_around_the_others() {
    let mut sample =
        Sample::new().heading(14.0, "Memorandum of Law").text(&"Introductory words. ".repeat(20));
    for roman in ["I", "II", "III", "IV"] {
        sample = sample.heading(12.0, &format!("{roman}. Argument")).text("Text.");
    }
    let levels: Vec<u8> = sample.tree().sections.iter().skip(1).map(|section| section.level).collect();
    assert_eq!(levels, [1; 5]);
}

#[test]
fn a_title_that_announces_its_parts_encloses_them() {
    let tree = Sample::new()
        .heading(12.0, "MEMORANDUM FINDINGS OF FACT AND OPINION")
        .text(&"Introductory words. ".repeat(20))
        .heading(12.0, "FINDINGS OF FACT")
        .text("Text.")
        .heading(10.0, "The company")
        .text("Text.")
        .heading(12.0, "OPINION")
        .text("Text.")
        .tree();
    let expected =
        ["1 MEMORANDUM FINDINGS OF FACT AND OPINION", "2 FINDINGS OF FACT", "3 The company", "2 OPINION"];
    assert_eq!(dump(&tree), expected);
}

#[test]
fn the_heads_of_papers_in_one_file_enclose_nothing() {
    let mut sample = Sample::new();
    for subject in ["Seeds", "Bulbs"] {
        sample = sample
            .heading(14.0, "DEPARTMENT OF PLANTS")
            .heading(12.0, "Seed Agency")
            .heading(12.0, &format!("Rules on {subject}"))
            .text(&"What the agency proposes. ".repeat(10))
            .heading(12.0, "Background")
            .text("Text.")
            .heading(12.0, "Costs")
            .text("Text.")
            .next_page();
    }
    let levels: Vec<u8> = sample.tree().sections.iter().skip(1).map(|section| section.level).collect();
    assert_eq!(levels, [1; 10]);
}

#[test]
fn a_heading_above_the_number_of_a_provision_is_its_heading() {
    let mut sample = Sample::new().heading(14.0, "PART 1 Introductory");
    for (n, title) in [(1, "Citation"), (2, "Interpretation"), (3, "Offences")] {
        sample = sample.heading(11.0, title).text(&format!("{n}.—(1) This section says what it says."));
        sample = sample.text("(2) And it says more, at some length, so that it is a provision of its own.");
    }
    let tree = sample.tree();
    assert_eq!(
        dump(&tree),
        ["1 PART 1 Introductory", "2*1. Citation", "2*2. Interpretation", "2*3. Offences"]
    );
    assert_eq!(tree.sections[2].label.as_ref().map(|label| label.key.as_str()), Some("1"));
}

#[test]
fn an_abstract_does_not_enclose_the_numbered_sections() {
    let tree = Sample::new()
        .heading(12.0, "Synopsis")
        .text(&"What the paper says. ".repeat(10))
        .heading(12.0, "1 Introduction")
        .text("Text.")
        .heading(12.0, "2 Method")
        .text("Text.")
        .heading(12.0, "3 Results")
        .text("Text.")
        .tree();
    assert_eq!(dump(&tree).iter().filter(|line| line.starts_with('1')).count(), 4);
}

#[test]
fn headings_with_text_behind_a_table_of_contents_are_not_lines_of_it() {
    let tree = Sample::new()
        .heading(14.0, "Contents")
        .heading(14.0, "Summary")
        .text(&"Text of some length. ".repeat(12))
        .heading(12.0, "Additional information")
        .text(&"Text of some length. ".repeat(12))
        .heading(14.0, "Risks")
        .text(&"Text of some length. ".repeat(12))
        .heading(12.0, "Additional information")
        .text("Text.")
        .tree();
    assert_eq!(tree.sections.len(), 6);
}

#[test]
fn the_title_printed_again_opens_no_section() {
    let mut sample = Sample::new().heading(16.0, "CREDIT AGREEMENT");
    sample.layout.blocks[0].role = Role::Title;
    let tree = sample
        .heading(11.0, "Credit Agreement")
        .text("This agreement is made.")
        .heading(11.0, "ARTICLE I")
        .text("Text.")
        .heading(11.0, "ARTICLE II")
        .text("Text.")
        .tree();
    assert_eq!(dump(&tree), ["1*ARTICLE I", "1*ARTICLE II"]);
}

#[test]
fn an_article_directly_under_a_chapter_is_as_deep_as_those_under_sections() {
    let tree = Sample::new()
        .heading(14.0, "CHAPTER I")
        .heading(10.0, "Article 1")
        .text("Text.")
        .heading(10.0, "Article 2")
        .text("Text.")
        .heading(14.0, "CHAPTER II")
        .heading(12.0, "Section 1")
        .heading(10.0, "Article 3")
        .text("Text.")
        .tree();
    assert_eq!(
        dump(&tree).iter().filter(|line| line.contains("Article")).map(|line| &line[..1]).collect::<Vec<_>>(),
        ["3", "3", "3"]
    );
}
