//! Layout of pages built in code: what a reader would say of them.

use document::{
    Attestation, BlockKind, Caveat, DiagCode, FurnitureKind, PageId, Rect, Run, TextRange, Visibility,
};
use proptest::prelude::*;

use crate::doc::{Doc, blocks_of, of_kind, run};

#[test]
fn a_glyph_a_run_gives_words() {
    let mut doc = Doc::default().page();
    let mut x = 72.0;
    for c in "the board".chars() {
        if c != ' ' {
            doc = doc.run(x, 100.0, 10.0, &c.to_string());
        }
        x += if c == ' ' { 3.0 } else { 5.0 };
    }
    assert_eq!(doc.layout().text, "the board");
}

#[test]
fn letters_set_apart_are_words() {
    let mut doc = Doc::default().page();
    let mut x = 72.0;
    for word in ["NOTICE", "PERIOD"] {
        for c in word.chars() {
            doc = doc.run(x, 100.0, 10.0, &c.to_string());
            x += 5.0 + 3.0;
        }
        x += 5.0;
    }
    assert_eq!(doc.layout().text, "NOTICE PERIOD");
}

#[test]
fn a_change_of_type_moves_on_without_a_space() {
    // A tight line: its spaces are written, 0.2 of the size wide, but none is where the type changes.
    let mut doc = Doc::default().page().bold(72.0, 100.0, 10.0, "“Complaint”");
    let mut x = 72.0 + 55.0 + 2.0;
    for word in ["means", " an", " expression", " of", " dissatisfaction"] {
        let mut run = run(x, 100.0, 10.0, word);
        if word.starts_with(' ') {
            for edge in run.edges.iter_mut().skip(1) {
                *edge -= 3.0;
            }
            run.rect.x1 -= 3.0;
        }
        x = run.rect.x1;
        doc.last().runs.push(run);
    }
    assert_eq!(doc.layout().text, "“Complaint” means an expression of dissatisfaction");
}

#[test]
fn ligatures_and_soft_hyphens_do_not_reach_the_text() {
    let layout = Doc::default().page().run(72.0, 100.0, 10.0, "of\u{fb01}ce bene\u{ad}fit a\u{308}").layout();
    assert_eq!(layout.text, "office benefit ä");
}

#[test]
fn lines_of_cjk_text_join_without_a_space() {
    let layout = Doc::default()
        .page()
        .run(92.0, 100.0, 10.0, "第一条证券监督管理机构应当向主管机关报送")
        .run(72.0, 114.0, 10.0, "财务会计报告和其他有关资料以及其他的文件。")
        .layout();
    assert_eq!(
        blocks_of(&layout),
        vec![(
            BlockKind::Paragraph,
            "第一条证券监督管理机构应当向主管机关报送财务会计报告和其他有关资料以及其他的文件。"
        )]
    );
    assert!(layout.words.words().all(|word| word.range.len() <= 6), "placed character by character");
}

const PROSE: [&str; 4] = [
    "The transferee must file the statement with the regulator within the period",
    "that the rules set for the purpose and must keep a copy of it at its office so",
    "that the regulator may inspect it at any time during the hours of business of",
    "the office.",
];

#[test]
fn white_and_short_lines_part_paragraphs() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 100.0, &PROSE)
        .lines(72.0, 148.0, &PROSE)
        .lines(72.0, 220.0, &PROSE)
        .layout();
    assert_eq!(layout.blocks.len(), 3, "{:?}", blocks_of(&layout));
    assert!(layout.slice(layout.blocks[0].range).ends_with("business of the office."));
}

#[test]
fn white_parts_paragraphs_where_most_have_one_line() {
    let mut doc = Doc::default().page();
    let mut y = 100.0;
    for _ in 0..6 {
        doc = doc.run(72.0, y, 10.0, "“Term” means the number of years in the schedule of this contract.");
        y += 18.0;
    }
    let open = "“Data” means all that is read from sensors and all results that the";
    doc = doc.lines(
        72.0,
        y,
        &[open, "services derive from it and keep, whether in writing or not in all the", "offices."],
    );
    let layout = doc.layout();
    assert_eq!(layout.blocks.len(), 7, "{:?}", blocks_of(&layout));
}

#[test]
fn text_hangs_under_the_second_of_two_markers() {
    let layout = Doc::default()
        .page()
        .run(72.0, 100.0, 10.0, "1.1.1")
        .run(114.0, 100.0, 10.0, "(1)")
        .run(136.0, 100.0, 10.0, "A notice is given to the office before the end of the month in")
        .run(136.0, 112.0, 10.0, "Spring, if it is due.")
        .run(114.0, 130.0, 10.0, "(2)")
        .run(136.0, 130.0, 10.0, "A notice may be withdrawn.")
        .layout();
    assert_eq!(layout.blocks.len(), 2, "{:?}", blocks_of(&layout));
}

#[test]
fn a_broken_word_loses_its_hyphen_and_a_compound_keeps_it() {
    let layout = Doc::default()
        .page()
        .lines(
            72.0,
            100.0,
            &[
                "The first and only third-party claim that was made under the rule con-",
                "cerned the land and it was one that a third party had made against a third-",
                "party before the court of the state in which all of the land of it is found.",
            ],
        )
        .layout();
    assert!(layout.text.contains("rule concerned the land"), "{}", layout.text);
    assert!(layout.text.contains("against a third-party before"), "{}", layout.text);
}

#[test]
fn a_raised_number_with_a_note_is_a_mark_and_without_one_is_text() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 100.0, &PROSE)
        .run(127.0, 132.0, 6.0, "1")
        .lines(72.0, 172.0, &["The area of the land in question is a hundred km"])
        .run(312.0, 168.0, 6.0, "2")
        .across(72.0, 200.0, 700.0)
        .run(72.0, 708.0, 5.0, "1")
        .run(76.0, 711.0, 8.0, "See the rules of the exchange, which apply here as well.")
        .layout();
    let notes = of_kind(&layout, BlockKind::Footnote);
    assert_eq!(notes.len(), 1, "{:?}", blocks_of(&layout));
    assert_eq!(notes[0].marker.as_deref(), Some("1"));
    assert_eq!(layout.slice(notes[0].range), "See the rules of the exchange, which apply here as well.");
    assert_eq!(layout.marks.len(), 1);
    assert!(layout.text[..layout.marks[0].at as usize].ends_with("the office."), "{}", layout.text);
    assert!(layout.text.contains("km2"), "{}", layout.text);
}

#[test]
fn a_note_goes_on_over_the_page() {
    let note = [
        "1 See the rules of the exchange which apply to all of its members and to those",
        "who trade on it for",
    ];
    let mut doc = Doc::default()
        .page()
        .lines(72.0, 100.0, &PROSE)
        .run(127.0, 132.0, 6.0, "1")
        .across(72.0, 200.0, 700.0);
    for (i, line) in note.iter().enumerate() {
        doc = doc.run(72.0, 712.0 + 10.0 * i as f32, 8.0, line);
    }
    let layout = doc
        .page()
        .lines(72.0, 112.0, &PROSE)
        .across(72.0, 200.0, 700.0)
        .run(72.0, 712.0, 8.0, "their own account.")
        .layout();
    let notes = of_kind(&layout, BlockKind::Footnote);
    assert_eq!(notes.len(), 1, "{:?}", blocks_of(&layout));
    assert!(
        layout.slice(notes[0].range).ends_with("who trade on it for their own account."),
        "{:?}",
        blocks_of(&layout)
    );
    assert_eq!(layout.parts(notes[0]).len(), 2);
    assert_eq!(of_kind(&layout, BlockKind::Paragraph).len(), 2, "{:?}", blocks_of(&layout));
}

#[test]
fn a_bracketed_number_is_a_mark_only_where_a_note_has_it() {
    let body =
        "The rule applies [1] to all members of the exchange and to those listed in [7] as well as others.";
    let layout = Doc::default()
        .page()
        .run(72.0, 100.0, 10.0, body)
        .across(72.0, 200.0, 700.0)
        .run(72.0, 712.0, 8.0, "[1] See the rules of the exchange.")
        .layout();
    let marks: Vec<&str> = layout.marks.iter().map(|mark| mark.marker.as_str()).collect();
    assert_eq!(marks, vec!["1"], "{:?}", blocks_of(&layout));
    assert!(layout.text.starts_with("The rule applies to all members"), "{}", layout.text);
    assert!(layout.text.contains("listed in [7] as well"), "{}", layout.text);
}

#[test]
fn running_lines_and_page_numbers_are_furniture() {
    let mut doc = Doc::default();
    for page in 1..=4 {
        doc = doc
            .page()
            .run(72.0, 40.0, 9.0, "Conduct of Business Rulebook")
            .run(72.0, 100.0 + 9.0 * page as f32, 10.0, PROSE[page % 4])
            .lines(72.0, 172.0, &PROSE)
            .run(300.0, 760.0, 9.0, &format!("{page}"));
    }
    let layout = doc.layout();
    let n = |kind| layout.furniture.iter().filter(|furniture| furniture.kind == kind).count();
    assert_eq!((n(FurnitureKind::Header), n(FurnitureKind::Footer)), (4, 4));
    assert!(!layout.text.contains("Rulebook"));
}

#[test]
fn line_numbers_at_the_left_edge_are_furniture() {
    let mut doc = Doc::default().page();
    for i in 0..25 {
        let y = 100.0 + 24.0 * i as f32;
        doc = doc.run(40.0, y, 10.0, &format!("{:>2}", i + 1)).run(72.0, y, 10.0, PROSE[i % 3]);
    }
    let layout = doc.layout();
    assert_eq!(layout.furniture.len(), 25);
    assert!(!layout.text.chars().any(|c| c.is_ascii_digit()), "{}", layout.text);
}

#[test]
fn a_paragraph_goes_on_over_the_page() {
    let layout =
        Doc::default().page().lines(72.0, 700.0, &PROSE[..3]).page().lines(72.0, 72.0, &PROSE[3..]).layout();
    assert_eq!(layout.blocks.len(), 1, "{:?}", blocks_of(&layout));
    assert_eq!(layout.parts(&layout.blocks[0]).len(), 2);
}

#[test]
fn two_columns_are_read_one_after_the_other() {
    let left: Vec<String> = (0..12).map(|i| format!("left {i:02} a column of text that is full")).collect();
    let right: Vec<String> = (0..12).map(|i| format!("right {i:02} a column of text that is ful")).collect();
    let mut doc = Doc::default().page();
    for i in 0..12 {
        let y = 100.0 + 12.0 * i as f32;
        doc = doc.run(72.0, y, 10.0, &left[i]).run(320.0, y + 4.0, 10.0, &right[i]);
    }
    let layout = doc.layout();
    let (last_left, first_right) = (layout.text.find("left 11"), layout.text.find("right 00"));
    assert!(last_left < first_right, "{}", layout.text);
}

#[test]
fn headings_lists_and_tables_are_told_from_text() {
    let layout = Doc::default()
        .page()
        .bold(72.0, 100.0, 10.0, "3.2 Disclosure")
        .lines(72.0, 124.0, &PROSE)
        .run(90.0, 172.0, 10.0, "(a) the first of the things;")
        .run(90.0, 184.0, 10.0, "(b) the second of the things.")
        .across(72.0, 300.0, 206.0)
        .lines(72.0, 220.0, &["Class     Year    Rate", "Notes     1990    6.22", "Bonds     1991    7.10"])
        .across(72.0, 300.0, 250.0)
        .layout();
    let kinds: Vec<BlockKind> = layout.blocks.iter().map(|block| block.kind).collect();
    use BlockKind::{Heading, ListItem, Paragraph, Table};
    assert_eq!(kinds, vec![Heading, Paragraph, ListItem, ListItem, Table], "{:?}", blocks_of(&layout));
    assert_eq!(layout.blocks[2].marker.as_deref(), Some("(a)"));
    let table = layout.slice(layout.blocks[4].range);
    assert_eq!(table, "Class\tYear\tRate\nNotes\t1990\t6.22\nBonds\t1991\t7.10");
}

#[test]
fn letterhead_title_block_and_signature_head_nothing() {
    let layout = Doc::default()
        .page()
        .bold(72.0, 60.0, 10.0, "HARLOW & STONE LLP")
        .run(72.0, 74.0, 10.0, "12 Long Street")
        .bold(193.5, 120.0, 14.0, "Opinion on the Merger")
        .run(249.5, 140.0, 10.0, "between")
        .bold(232.0, 160.0, 10.0, "Adam and Byrne")
        .lines(72.0, 200.0, &PROSE)
        .bold(72.0, 260.0, 10.0, "Scope")
        .lines(72.0, 284.0, &PROSE)
        .run(72.0, 350.0, 10.0, "Very truly yours,")
        .bold(72.0, 390.0, 10.0, "HARLOW & STONE LLP")
        .layout();
    let headings: Vec<&str> =
        of_kind(&layout, BlockKind::Heading).iter().map(|block| layout.slice(block.range)).collect();
    assert_eq!(headings, ["Opinion on the Merger", "Scope"], "{:?}", blocks_of(&layout));
}

#[test]
fn a_page_printed_sideways_is_read_along_its_lines() {
    let mut doc = Doc::default().page();
    for (i, line) in ["first line of it", "second line of it"].iter().enumerate() {
        let x = 500.0 - 14.0 * i as f32;
        let upright = run(0.0, 0.0, 10.0, line);
        let width = upright.rect.width();
        doc.last().runs.push(Run {
            rect: Rect { x0: x - 2.0, y0: 72.0, x1: x + 8.0, y1: 72.0 + width },
            baseline: x,
            angle: 90.0,
            ..upright
        });
    }
    let layout = doc.layout();
    assert_eq!(layout.text, "first line of it second line of it");
    let first = layout.words.words().next().unwrap().rect;
    assert!((first.x0 - 498.0).abs() < 0.01 && (first.y0 - 72.0).abs() < 0.01, "{first:?}");
}

#[test]
fn hidden_text_is_read_only_where_nothing_is_shown() {
    let mut scan = Doc::default().page().run(72.0, 100.0, 10.0, "recognised");
    scan.last().runs[0].visibility = Visibility::Invisible;
    let layout = scan.layout();
    assert_eq!(layout.text, "recognised");
    assert_eq!(layout.caveats.of(&[TextRange::new(0, 3)]), [Caveat::Ocr]);
    let mut page = Doc::default().page().run(72.0, 100.0, 10.0, "printed").run(72.0, 200.0, 10.0, "hidden");
    page.last().runs[1].visibility = Visibility::Invisible;
    assert_eq!(page.layout().text, "printed");
}

fn any_run() -> impl Strategy<Value = Run> {
    let coordinate =
        prop_oneof![8 => -50.0f32..850.0, 1 => Just(f32::NAN), 1 => Just(1e30f32), 1 => Just(0.0)];
    let size = prop_oneof![8 => 4.0f32..20.0, 1 => Just(0.0f32), 1 => Just(f32::INFINITY)];
    let words = prop_oneof![
        Just("1"),
        Just("(a)"),
        Just("*"),
        Just("[3]"),
        Just("The rule"),
        Just("con-"),
        Just("第一条"),
        Just(" "),
        Just("PART 3"),
        Just("of\u{fb01}ce\u{ad}"),
        Just("12"),
        Just("."),
        Just("²")
    ];
    (coordinate.clone(), coordinate, size, words, 0usize..8, 0usize..6).prop_map(
        |(x, y, size, text, angle, hidden)| Run {
            angle: [0.0, 0.0, 0.0, 0.0, 0.0, 90.0, 45.0, 180.0][angle],
            visibility: if hidden == 0 { Visibility::Invisible } else { Visibility::Visible },
            ..run(x, y, size, text)
        },
    )
}

proptest! {
    #[test]
    fn any_pages_give_a_consistent_layout(pages in prop::collection::vec(prop::collection::vec(any_run(), 0..60), 0..4)) {
        let mut doc = Doc::default();
        for runs in pages {
            doc = doc.page();
            doc.last().runs = runs;
        }
        let layout = doc.layout();
        let mut end = 0;
        for (i, block) in layout.blocks.iter().enumerate() {
            let range = block.range.to_usize();
            prop_assert!(range.start < range.end && layout.text.get(range.clone()).is_some());
            prop_assert_eq!(range.start, if i == 0 { 0 } else { end + 1 });
            end = range.end;
        }
        prop_assert_eq!(end, layout.text.len());
        // Every placed word lies in one block, in order, and everything that is not white is placed.
        let mut placed = vec![false; layout.text.len()];
        let mut last = 0;
        for word in layout.words.words() {
            prop_assert!(word.range.start >= last && word.range.end > word.range.start);
            last = word.range.end;
            prop_assert!(layout.blocks.iter().any(|block| block.range.contains(word.range)));
            placed[word.range.to_usize()].fill(true);
        }
        for (at, c) in layout.text.char_indices() {
            prop_assert_eq!(placed[at], !c.is_whitespace(), "{:?} at {}", c, at);
        }
        prop_assert!(layout.marks.windows(2).all(|pair| pair[0].at <= pair[1].at));
    }
}

#[test]
fn words_that_differ_from_what_is_claimed_have_a_caveat_and_are_counted() {
    let mut doc = Doc::default().page();
    for (x, text, attestation) in [
        (72.0, "pay", Attestation::Drawn),
        (102.0, "1", Attestation::Drawn),
        (107.0, "5", Attestation::Differs),
        (127.0, "euros", Attestation::Drawn),
        (167.0, "monthly", Attestation::Differs),
    ] {
        doc.last().runs.push(Run { attestation, ..run(x, 100.0, 10.0, text) });
    }
    let warned = doc.warned();
    let layout = &warned.output;
    let differing: Vec<&str> = layout.caveats.ranges().iter().map(|each| layout.slice(each.range)).collect();
    assert_eq!(differing, ["15", "monthly"], "{}", layout.text);
    let told: Vec<_> = warned.diags.iter().filter(|diag| diag.code == DiagCode::DifferingText).collect();
    assert_eq!((told.len(), told[0].page, told[1].page), (3, None, Some(PageId(0))));
    assert!(told[0].message.starts_with("2 passages"), "{}", told[0].message);
}
