//! Tables, notes, quotations and furniture of pages built in code: one test a rule.

use document::{BlockKind, DiagCode, FurnitureKind, Layout, PageId, Role, Visibility, Warned};
use proptest::prelude::*;

use crate::doc::{Doc, blocks_of, of_kind};

fn tables(layout: &Layout) -> Vec<&str> {
    of_kind(layout, BlockKind::Table).iter().map(|block| layout.slice(block.range)).collect()
}

const PROSE: [&str; 4] = [
    "The transferee must file the statement with the regulator within the period that the rules set",
    "for the purpose and must keep a copy of it at its office so that the regulator may inspect it at",
    "any time during the hours of business of the office and may ask for any other paper that bears on",
    "the transfer.",
];

#[test]
fn rules_that_cross_make_cells_and_a_cell_may_span() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 80.0, &PROSE)
        .across(72.0, 400.0, 150.0)
        .across(72.0, 400.0, 170.0)
        .across(172.0, 400.0, 210.0)
        .across(72.0, 400.0, 230.0)
        .down(72.0, 150.0, 230.0)
        .down(172.0, 150.0, 230.0)
        .down(300.0, 150.0, 210.0)
        .down(400.0, 150.0, 230.0)
        .run(76.0, 164.0, 10.0, "Committee")
        .run(176.0, 164.0, 10.0, "Powers")
        .run(304.0, 164.0, 10.0, "Members")
        .run(76.0, 196.0, 10.0, "Audit committee")
        .run(176.0, 184.0, 10.0, "Appoints the auditor")
        .run(176.0, 196.0, 10.0, "and reviews accounts")
        .run(304.0, 184.0, 10.0, "Three directors")
        .run(176.0, 224.0, 10.0, "Reports to the members in a meeting")
        .lines(72.0, 260.0, &PROSE)
        .layout();
    assert_eq!(
        tables(&layout),
        [
            "Committee\tPowers\tMembers\nAudit committee\tAppoints the auditor and reviews accounts\tThree directors\n\tReports to the members in a meeting"
        ],
    );
}

#[test]
fn a_currency_sign_joins_its_figure_and_labels_stay_in_the_table() {
    let layout = Doc::default()
        .page()
        .row(100.0, "", &[(330.0, "2018"), (430.0, "2017")])
        .run(72.0, 116.0, 10.0, "Current assets:")
        .row(128.0, "Cash and deposits", &[(280.0, "$"), (330.0, "1,204"), (380.0, "$"), (430.0, "987")])
        .run(72.0, 140.0, 10.0, "Money market funds and funds that are")
        .row(152.0, "   held by a bank", &[(330.0, "310"), (430.0, "(22)")])
        .row(164.0, "Inventories", &[(330.0, "12"), (430.0, "—")])
        .row(176.0, "Total", &[(280.0, "$"), (330.0, "1,526"), (380.0, "$"), (430.0, "965")])
        .layout();
    let found = tables(&layout);
    assert_eq!(found.len(), 1, "{:?}", blocks_of(&layout));
    assert!(found[0].contains("Cash and deposits\t$ 1,204\t$ 987"), "{}", found[0]);
    assert!(found[0].contains("Current assets:"), "{}", found[0]);
    assert!(found[0].contains("Inventories\t12\t—"), "{}", found[0]);
}

#[test]
fn a_head_of_several_lines_is_one_row_and_a_cell_of_several_lines_too() {
    let layout = Doc::default()
        .page()
        .across(72.0, 440.0, 88.0)
        .run(240.0, 100.0, 10.0, "Principal")
        .run(360.0, 100.0, 10.0, "Interest")
        .run(72.0, 112.0, 10.0, "Series of bonds")
        .run(240.0, 112.0, 10.0, "amount")
        .run(360.0, 112.0, 10.0, "rate")
        .across(72.0, 440.0, 118.0)
        .run(72.0, 132.0, 10.0, "Series A, secured on the land")
        .run(240.0, 132.0, 10.0, "1,000")
        .run(360.0, 132.0, 10.0, "5.00%")
        .run(72.0, 144.0, 10.0, "and the plant")
        .run(72.0, 162.0, 10.0, "Series B")
        .run(240.0, 162.0, 10.0, "2,000")
        .run(360.0, 162.0, 10.0, "4.00%")
        .across(72.0, 440.0, 168.0)
        .layout();
    assert_eq!(
        tables(&layout),
        [
            "Series of bonds\tPrincipal amount\tInterest rate\nSeries A, secured on the land and the plant\t1,000\t5.00%\nSeries B\t2,000\t4.00%"
        ],
        "{:?}",
        blocks_of(&layout)
    );
}

#[test]
fn a_table_goes_on_over_the_page_and_its_head_is_read_once() {
    let page = |doc: Doc, from: usize| {
        let mut doc = doc
            .page()
            .run(72.0, 80.0, 10.0, "Obligor")
            .run(240.0, 80.0, 10.0, "Amount")
            .run(360.0, 80.0, 10.0, "Maturity");
        for i in 0..8 {
            let (n, y) = (from + i, 96.0 + 16.0 * i as f32);
            doc = doc
                .run(72.0, y, 10.0, &format!("Harbor {n} Company"))
                .run(240.0, y, 10.0, &format!("{},250", n + 1))
                .run(360.0, y, 10.0, &format!("20{}", 30 + n));
        }
        doc
    };
    let layout = page(page(Doc::default(), 0), 8).lines(72.0, 300.0, &PROSE).layout();
    let found = tables(&layout);
    assert_eq!(found.len(), 1, "{:?}", blocks_of(&layout));
    assert_eq!(found[0].matches("Obligor").count(), 1, "{}", found[0]);
    assert_eq!(found[0].lines().count(), 17, "{}", found[0]);
    let other: Vec<&str> = layout
        .furniture
        .iter()
        .filter(|furniture| furniture.kind == FurnitureKind::Other)
        .map(|furniture| furniture.text.as_str())
        .collect();
    assert_eq!(other, ["Obligor", "Amount", "Maturity"]);
}

#[test]
fn a_caption_is_named_and_heads_nothing() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 80.0, &PROSE)
        .bold(72.0, 150.0, 10.0, "Table 2. Fees of the funds")
        .row(170.0, "Harbor Fund", &[(330.0, "1,204"), (430.0, "987")])
        .row(182.0, "Mill Fund", &[(330.0, "310"), (430.0, "22")])
        .row(194.0, "Stone Fund", &[(330.0, "12"), (430.0, "13")])
        .layout();
    let caption = layout.blocks.iter().find(|block| block.role == Role::Caption).expect("a caption");
    assert_eq!(layout.slice(caption.range), "Table 2. Fees of the funds");
    assert_eq!(caption.kind, BlockKind::Paragraph);
    assert_eq!(tables(&layout).len(), 1, "{:?}", blocks_of(&layout));
}

#[test]
fn contents_signatures_and_court_captions_are_no_tables() {
    let mut contents = Doc::default().page();
    for (i, title) in ["Definitions", "The loans", "Conditions", "Covenants", "Notices"].iter().enumerate() {
        let y = 100.0 + 14.0 * i as f32;
        contents = contents
            .run(72.0, y, 10.0, &format!("Section {}.01", i + 1))
            .run(160.0, y, 10.0, title)
            .right(540.0, y, 10.0, &format!("{}", 3 + 7 * i));
    }
    let signatures = Doc::default()
        .page()
        .lines(72.0, 100.0, &["By: ________________", "Name: John Doe", "Title: President"])
        .lines(330.0, 100.0, &["By: ________________", "Name: Jane Roe", "Title: Secretary"]);
    let mut caption = Doc::default().page();
    for (i, (left, right)) in
        [("JOHN DOE,", "Case No."), ("Plaintiff,", "1:20-cv-1"), ("v.", "ORDER"), ("JANE ROE,", "2020")]
            .iter()
            .enumerate()
    {
        let y = 100.0 + 14.0 * i as f32;
        caption = caption.run(72.0, y, 10.0, left).run(290.0, y, 10.0, ")").run(330.0, y, 10.0, right);
    }
    for doc in [contents, signatures, caption] {
        let layout = doc.layout();
        assert!(tables(&layout).is_empty(), "{:?}", blocks_of(&layout));
    }
}

#[test]
fn numbers_of_rows_are_no_line_numbers() {
    let mut doc = Doc::default().page().lines(72.0, 60.0, &PROSE);
    for i in 0..20 {
        let y = 130.0 + 16.0 * i as f32;
        doc = doc.run(72.0, y, 10.0, &format!("{}", i + 1)).run(110.0, y, 10.0, "Harbor Company").right(
            400.0,
            y,
            10.0,
            &format!("{},500", i + 3),
        );
    }
    let layout = doc.layout();
    assert!(layout.furniture.is_empty(), "{:?}", layout.furniture);
}

#[test]
fn notes_at_the_end_are_linked_by_their_sequence() {
    let mut doc = Doc::default().page();
    for i in 0..3 {
        let y = 80.0 + 60.0 * i as f32;
        doc = doc.lines(72.0, y, &PROSE).run(137.0, y + 32.0, 6.0, &format!("{}", i + 1));
    }
    doc = doc
        .run(72.0, 270.0, 10.0, "The area of the land is 120 m")
        .run(217.0, 266.0, 6.0, "2")
        .bold(72.0, 310.0, 10.0, "Notes");
    for i in 0..3 {
        let y = 334.0 + 30.0 * i as f32;
        doc = doc.lines(
            72.0,
            y,
            &[&format!("{}. See the rules of the exchange, which apply here too.", i + 1)],
        );
    }
    let layout = doc.layout();
    let notes = of_kind(&layout, BlockKind::Footnote);
    let markers: Vec<Option<&str>> = notes.iter().map(|note| note.marker.as_deref()).collect();
    assert_eq!(markers, [Some("1"), Some("2"), Some("3")], "{:?}", blocks_of(&layout));
    assert!(layout.slice(notes[0].range).starts_with("See the rules"), "{:?}", blocks_of(&layout));
    let marks: Vec<&str> = layout.marks.iter().map(|mark| mark.marker.as_str()).collect();
    assert_eq!(marks, ["1", "2", "3"]);
    assert!(layout.text.contains("120 m2"), "{}", layout.text);
}

#[test]
fn a_numbered_list_below_a_heading_notes_stays_a_list() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 80.0, &PROSE)
        .bold(72.0, 150.0, 10.0, "Notes")
        .lines(72.0, 174.0, &["1. The first thing to know.", "2. The second thing to know."])
        .layout();
    assert!(of_kind(&layout, BlockKind::Footnote).is_empty(), "{:?}", blocks_of(&layout));
}

#[test]
fn notes_below_a_table_belong_to_its_marks() {
    let layout = Doc::default()
        .page()
        .row(100.0, "Fund", &[(330.0, "2022"), (430.0, "2023(1)")])
        .row(114.0, "Harbor Fund", &[(330.0, "1,204"), (430.0, "987")])
        .row(128.0, "Mill Fund*", &[(330.0, "310"), (430.0, "22")])
        .row(142.0, "Stone Fund", &[(330.0, "12"), (430.0, "13")])
        .run(72.0, 158.0, 8.0, "(1) Restated for the change of the year.")
        .run(72.0, 168.0, 8.0, "* In liquidation.")
        .lines(72.0, 200.0, &PROSE)
        .layout();
    let markers: Vec<Option<&str>> =
        of_kind(&layout, BlockKind::Footnote).iter().map(|note| note.marker.as_deref()).collect();
    assert_eq!(markers, [Some("1"), Some("*")], "{:?}", blocks_of(&layout));
    assert_eq!(layout.marks.len(), 2);
    assert!(tables(&layout)[0].starts_with("Fund\t2022\t2023\n"), "{:?}", blocks_of(&layout));
}

#[test]
fn notes_in_the_type_of_the_body_are_found_below_a_short_rule() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 80.0, &PROSE)
        .run(137.0, 112.0, 6.0, "1")
        .lines(72.0, 128.0, &PROSE)
        .run(137.0, 160.0, 6.0, "2")
        .across(72.0, 200.0, 600.0)
        .lines(72.0, 620.0, &["1. See the rules of the exchange.", "2. See the rules of the market."])
        .layout();
    let markers: Vec<Option<&str>> =
        of_kind(&layout, BlockKind::Footnote).iter().map(|note| note.marker.as_deref()).collect();
    assert_eq!(markers, [Some("1"), Some("2")], "{:?}", blocks_of(&layout));
    assert_eq!(layout.marks.len(), 2);
}

#[test]
fn paragraphs_of_an_order_in_small_type_are_no_notes_unless_a_mark_calls_them() {
    let order = |is_called: bool| {
        let mut doc = Doc::default().page().lines(72.0, 80.0, &PROSE).lines(72.0, 140.0, &PROSE);
        if is_called {
            doc = doc.run(137.0, 172.0, 6.0, "(a)");
        }
        let layout = doc
            .run(72.0, 210.0, 8.0, "(a) The regulator must receive comments by the first of June.")
            .run(72.0, 220.0, 8.0, "(b) This order replaces the order of the year before.")
            .layout();
        of_kind(&layout, BlockKind::Footnote).len()
    };
    assert_eq!((order(false), order(true)), (0, 2));
}

#[test]
fn a_paragraph_goes_on_over_the_page_where_dashes_part_it_from_the_notes() {
    let layout = Doc::default()
        .page()
        .lines(72.0, 80.0, &PROSE[..3])
        .run(137.0, 76.0, 6.0, "1")
        .lines(72.0, 116.0, &["the transfer, of the notices that it has received and of all un-"])
        .run(72.0, 132.0, 10.0, "——————")
        .run(72.0, 146.0, 5.0, "1")
        .run(76.0, 148.0, 8.0, "See the rules of the exchange.")
        .page()
        .lines(72.0, 80.0, &["published papers that it holds at the end of the year."])
        .layout();
    assert!(layout.text.contains("all unpublished papers"), "{:?}", blocks_of(&layout));
    assert_eq!(of_kind(&layout, BlockKind::Footnote).len(), 1);
    assert!(layout.furniture.iter().any(|piece| piece.text == "——————"));
}

#[test]
fn a_quotation_is_set_in_on_both_sides() {
    let quote = [
        "The duty is not one of silence and it is not one of speech; it is a duty not",
        "to deceive, and those who keep silent where they ought to speak deceive no",
        "less than those who speak where they ought to be silent.",
    ];
    let item = [
        "(a) the transferee must file the statement with the regulator within the period that",
        "the rules set for the purpose and must keep a copy of it at its office so that it is",
    ];
    let layout = Doc::default()
        .page()
        .lines(72.0, 80.0, &PROSE)
        .lines(112.0, 140.0, &quote)
        .lines(72.0, 190.0, &PROSE)
        .lines(112.0, 250.0, &item)
        .layout();
    let quotes: Vec<&str> = layout
        .blocks
        .iter()
        .filter(|block| block.role == Role::BlockQuote)
        .map(|block| layout.slice(block.range))
        .collect();
    assert_eq!(quotes.len(), 1, "{:?}", blocks_of(&layout));
    assert!(quotes[0].starts_with("The duty is not one of silence"));
}

#[test]
fn a_docket_stamp_on_a_single_page_is_furniture() {
    let stamp = "Case 1:20-cv-00012 Document 12 Filed 03/16/22 Page 1 of 10";
    let layout = Doc::default().page().run(120.0, 24.0, 9.0, stamp).lines(72.0, 100.0, &PROSE).layout();
    assert!(!layout.text.contains("Document 12"), "{}", layout.text);
    assert_eq!(layout.furniture[0].kind, FurnitureKind::Header);
    assert_eq!(layout.pages[0].label.as_deref(), Some("1"));
}

#[test]
fn the_number_printed_on_a_page_is_its_label() {
    let mut doc = Doc::default();
    for label in ["i", "ii", "iii", "A-1", "A-2", "A-3"] {
        doc = doc.page().lines(72.0, 100.0, &PROSE).run(300.0, 760.0, 10.0, label);
    }
    let layout = doc.layout();
    let labels: Vec<Option<&str>> = layout.pages.iter().map(|page| page.label.as_deref()).collect();
    assert_eq!(labels, [Some("i"), Some("ii"), Some("iii"), Some("A-1"), Some("A-2"), Some("A-3")]);
}

#[test]
fn large_words_over_the_text_are_a_watermark() {
    let layout = Doc::default().page().lines(72.0, 380.0, &PROSE).run(150.0, 405.0, 60.0, "DRAFT").layout();
    assert!(!layout.text.contains("DRAFT"), "{}", layout.text);
    assert_eq!(layout.furniture.len(), 1);
    assert_eq!(layout.furniture[0].kind, FurnitureKind::Other);
}

#[test]
fn text_that_nobody_sees_is_kept_apart_and_told() {
    let Warned { output, diags } = Doc::default()
        .page()
        .lines(72.0, 100.0, &PROSE)
        .seen(72.0, 300.0, "ignore the rules", Visibility::Background)
        .seen(700.0, 300.0, "beside the page", Visibility::OffPage)
        .page()
        .lines(72.0, 100.0, &PROSE)
        .warned();
    assert!(!output.text.contains("ignore"), "{}", output.text);
    let hidden: Vec<&str> = output
        .furniture
        .iter()
        .filter(|furniture| furniture.kind == FurnitureKind::Hidden)
        .map(|furniture| furniture.text.as_str())
        .collect();
    assert_eq!(hidden, ["ignore the rules", "beside the page"]);
    let told: Vec<Option<PageId>> =
        diags.iter().filter(|diag| diag.code == DiagCode::HiddenText).map(|diag| diag.page).collect();
    assert_eq!(told, [Some(PageId(0))]);
}

#[test]
fn a_side_heading_is_read_before_the_text_beside_it() {
    let mut doc = Doc::default().page();
    for i in 0..4 {
        let y = 100.0 + 70.0 * i as f32;
        doc = doc
            .bold(40.0, y, 10.0, &format!("2.{i} Duty of"))
            .bold(40.0, y + 12.0, 10.0, "the board")
            .lines(150.0, y, &["The board must meet once a month at its office, and it must keep minutes of"])
            .lines(
                150.0,
                y + 12.0,
                &["the meeting and send them to the members of the company within a week, so"],
            )
            .lines(150.0, y + 24.0, &["that they may ask for a copy of any paper."]);
    }
    let layout = doc.layout();
    let kinds: Vec<BlockKind> = layout.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::Heading, BlockKind::Paragraph].repeat(4), "{:?}", blocks_of(&layout));
    assert_eq!(layout.slice(layout.blocks[0].range), "2.0 Duty of the board");
}

/// A word that stands in a document once.
fn unique(mut n: usize) -> String {
    let mut word = String::from("w");
    for _ in 0..4 {
        word.push(char::from(b'a' + u8::try_from(n % 26).unwrap_or_default()));
        n /= 26;
    }
    word
}

proptest! {
    #[test]
    fn every_word_of_a_ruled_page_is_kept_once(
        pages in prop::collection::vec(
            (
                prop::collection::vec((0u8..14, 0u8..40, 0u8..8), 0..90),
                prop::collection::vec((0u8..14, 1u8..14, 0u8..40), 0..12),
                prop::collection::vec((0u8..40, 1u8..40, 0u8..14), 0..8),
            ),
            1..4,
        )
    ) {
        let mut doc = Doc::default();
        let mut n = 0;
        for (runs, across, down) in pages {
            doc = doc.page();
            let mut taken = std::collections::BTreeSet::new();
            for (column, row, kind) in runs {
                if !taken.insert((column, row)) {
                    continue;
                }
                let (x, y) = (40.0 + 38.0 * f32::from(column), 40.0 + 18.0 * f32::from(row));
                let word = unique(n);
                n += 1;
                let text = match kind {
                    0 => "$ 12".to_owned(),
                    1 => "4.5%".to_owned(),
                    2 => "(1)".to_owned(),
                    3 => "*".to_owned(),
                    4 => "Table 2".to_owned(),
                    _ => word,
                };
                doc = doc.run(x, y, if kind == 7 { 6.0 } else { 10.0 }, &text);
            }
            for (from, length, at) in across {
                let x = 36.0 + 38.0 * f32::from(from);
                doc = doc.across(x, x + 38.0 * f32::from(length), 28.0 + 18.0 * f32::from(at));
            }
            for (from, length, at) in down {
                let y = 28.0 + 18.0 * f32::from(from);
                doc = doc.down(36.0 + 38.0 * f32::from(at), y, y + 18.0 * f32::from(length));
            }
        }
        let pages = doc.pages.clone();
        let layout = doc.layout();
        let mut found = std::collections::BTreeMap::new();
        let texts = layout.blocks.iter().map(|block| layout.slice(block.range));
        for word in texts.chain(layout.furniture.iter().map(|f| f.text.as_str())).flat_map(str::split_whitespace) {
            *found.entry(word.to_owned()).or_insert(0usize) += 1;
        }
        for run in pages.iter().flat_map(|page| &page.runs).filter(|run| run.text.starts_with('w')) {
            prop_assert_eq!(found.get(run.text.as_str()).copied().unwrap_or(0), 1, "{} in {:?}", run.text, texts_of(&layout));
        }
        for (i, block) in layout.blocks.iter().enumerate() {
            let end = if i == 0 { None } else { layout.blocks.get(i - 1).map(|last| last.range.end + 1) };
            prop_assert_eq!(block.range.start, end.unwrap_or(0));
            prop_assert!(block.range.start < block.range.end);
        }
        prop_assert!(layout.marks.windows(2).all(|pair| pair[0].at <= pair[1].at));
    }
}

fn texts_of(layout: &Layout) -> Vec<(BlockKind, String)> {
    blocks_of(layout).into_iter().map(|(kind, text)| (kind, text.to_owned())).collect()
}

#[test]
fn covered_passages_are_counted() {
    let covered = |document: Doc, x: f32, y: f32, text: &str| document.seen(x, y, text, Visibility::Covered);
    let mut document = Doc::default().page().lines(72.0, 100.0, &PROSE);
    // Two lines of one box, a box of its own, and one on a dotted line, which says nothing.
    document = covered(document, 72.0, 300.0, "the buyer is");
    document = covered(document, 72.0, 312.0, "Jane Doe of");
    document = covered(document, 300.0, 300.0, "5,000");
    document = covered(document, 72.0, 500.0, "........");
    document = covered(document.page().lines(72.0, 100.0, &PROSE), 72.0, 300.0, "her address");
    let Warned { output, diags } = document.warned();
    assert!(
        ["buyer", "Jane", "5,000", "address"].iter().all(|word| !output.text.contains(word)),
        "{}",
        output.text
    );
    let told: Vec<(Option<PageId>, &str)> = diags
        .iter()
        .filter(|diag| diag.code == DiagCode::CoveredText)
        .map(|diag| (diag.page, diag.message.as_str()))
        .collect();
    let one = "a passage is covered by a box, an image or an annotation";
    assert_eq!(
        told,
        [
            (None, "3 passages are covered in this document"),
            (Some(PageId(0)), one),
            (Some(PageId(0)), one),
            (Some(PageId(1)), one)
        ]
    );
    assert!(diags.iter().any(|diag| diag.code == DiagCode::HiddenText));
}

#[test]
fn a_running_line_under_a_box_is_no_covered_passage() {
    let mut document = Doc::default();
    for _ in 0..3 {
        document =
            document.page().lines(72.0, 100.0, &PROSE).seen(72.0, 30.0, "Draft 7", Visibility::Covered);
    }
    assert!(document.warned().diags.iter().all(|diag| diag.code != DiagCode::CoveredText));
}
