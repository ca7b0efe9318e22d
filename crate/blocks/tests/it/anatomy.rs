//! The anatomy of legal documents: what is a heading, what only looks like one, what belongs to one paragraph.
//! Pages built in code, one test for each rule.

use document::{Layout, Pt, Rect, Role, Rule};

use crate::doc::{Doc, PROSE, headings, run};

fn texts(layout: &Layout) -> Vec<&str> {
    layout.blocks.iter().map(|block| layout.slice(block.range)).collect()
}

#[test]
fn letters_set_apart_unevenly_are_words_where_spaces_are_written() {
    let mut doc = Doc::default().page();
    let mut x = 72.0;
    for (text, gap) in
        [("ST", 0.0), ("A", 2.5), ("TUT", 2.2), ("OR", 3.1), ("Y", 2.8), (" ", 0.0), ("ACT", 6.0)]
    {
        x += gap;
        doc.put(run(x, 100.0, 10.0, text));
        x += 5.0 * text.len() as f32;
    }
    assert_eq!(texts(&doc.layout()), ["STATUTORY ACT"]);
}

#[test]
fn a_sentence_goes_on_behind_a_run_in_heading_of_another_size() {
    let mut doc = Doc::default().page().line(72.0, 7.0, "FOR FURTHER INFORMATION ABOUT THIS NOTICE CONTACT:");
    let y = doc.y;
    doc.put(run(260.0, y, 9.0, "Jane Alder, Manager of"));
    let doc = doc.line(72.0, 9.0, "the branch, at the address that is given for the docket in this notice.");
    assert_eq!(doc.layout().blocks.len(), 1);
}

#[test]
fn a_bold_label_begins_a_paragraph_below_a_sentence() {
    let mut doc = Doc::default().page();
    for line in PROSE.iter().take(3) {
        doc = doc.line(72.0, 12.0, line);
    }
    doc = doc.line(72.0, 12.0, "its receipt, or on the next day of business in the place of the receiver.");
    doc = doc.bold_line(72.0, 12.0, "DATES:");
    let y = doc.y;
    doc.put(run(114.0, y, 12.0, "Comments are due within sixty days."));
    assert_eq!(texts(&doc.layout()).last(), Some(&"DATES: Comments are due within sixty days."));
}

#[test]
fn the_caption_of_a_court_paper_heads_nothing() {
    let doc = Doc::default()
        .page()
        .bold_centred(12.0, "UNITED STATES COURT OF APPEALS")
        .gap(12.0)
        .centred(12.0, "MARGARET OAKES,")
        .gap(6.0)
        .line(360.0, 12.0, "Plaintiff-Appellant,")
        .gap(6.0)
        .centred(12.0, "v.")
        .gap(6.0)
        .bold_centred(12.0, "COUNTY OF WEXLEY")
        .gap(6.0)
        .line(360.0, 12.0, "Defendant-Appellee.")
        .gap(12.0)
        .bold_centred(12.0, "OPINION")
        .gap(12.0)
        .prose()
        .bold_line(72.0, 12.0, "I. Facts")
        .gap(6.0)
        .prose();
    assert_eq!(doc.headings(), ["OPINION", "I. Facts"]);
}

#[test]
fn of_a_cover_only_the_title_is_a_heading() {
    let mut doc = Doc::default()
        .page()
        .gap(100.0)
        .bold_centred(18.0, "CREDIT AGREEMENT")
        .gap(20.0)
        .bold_centred(12.0, "NORTHWIND HOLDINGS")
        .gap(20.0)
        .bold_centred(12.0, "FIRST HARBOR BANK");
    doc = doc.page().bold_line(72.0, 12.0, "1. Notices").gap(6.0).prose();
    doc = doc.page().gap(30.0).bold_line(72.0, 12.0, "2. Fees").gap(6.0).prose();
    let layout = doc.layout();
    assert_eq!(headings(&layout), ["CREDIT AGREEMENT", "1. Notices", "2. Fees"]);
    assert_eq!(layout.blocks[0].role, Role::Title);
}

#[test]
fn what_stands_above_a_salutation_heads_nothing() {
    let doc = Doc::default()
        .page()
        .bold_centred(12.0, "HALE AND PARTNERS")
        .gap(20.0)
        .bold_line(72.0, 12.0, "Re: Registration Statement")
        .gap(12.0)
        .line(72.0, 12.0, "Ladies and Gentlemen:")
        .gap(12.0)
        .prose()
        .bold_line(72.0, 12.0, "Assumptions")
        .gap(6.0)
        .prose();
    assert_eq!(doc.headings(), ["Assumptions"]);
}

#[test]
fn lines_of_a_table_of_contents_are_no_headings() {
    let entries = ["ARTICLE I GENERAL", "ARTICLE II FEES", "ARTICLE III TERM", "ARTICLE IV NOTICES"];
    let mut doc = Doc::default().page().bold_centred(12.0, "TABLE OF CONTENTS").gap(12.0);
    for entry in entries {
        doc = doc.bold_centred(12.0, entry).gap(8.0);
    }
    doc = doc.page();
    for entry in entries {
        doc = doc.bold_centred(12.0, entry).gap(12.0).prose();
    }
    let mut expected = vec!["TABLE OF CONTENTS"];
    expected.extend(entries);
    assert_eq!(doc.headings(), expected);
}

#[test]
fn the_number_and_the_subject_of_an_instrument_are_headings_and_its_series_is_none() {
    let doc = Doc::default()
        .page()
        .centred(13.0, "STATUTORY INSTRUMENTS")
        .gap(20.0)
        .bold_centred(15.0, "2024 No. 853")
        .gap(20.0)
        .bold_centred(15.0, "PLANT HEALTH")
        .gap(20.0)
        .centred(15.0, "The Seeds Regulations 2024")
        .gap(20.0)
        .prose()
        .page()
        .prose()
        .page()
        .gap(30.0)
        .prose();
    let layout = doc.layout();
    assert_eq!(headings(&layout), ["2024 No. 853", "PLANT HEALTH", "The Seeds Regulations 2024"]);
    let title = layout.blocks.iter().find(|block| block.role == Role::Title).unwrap();
    assert_eq!(layout.slice(title.range), "The Seeds Regulations 2024");
}

#[test]
fn dates_signatures_labels_and_asides_are_no_headings() {
    let doc = Doc::default()
        .page()
        .bold_centred(12.0, "Dated as of March 5, 2021")
        .gap(12.0)
        .bold_line(72.0, 12.0, "Case Number: 21-2728")
        .gap(12.0)
        .bold_centred(12.0, "(This note is not part of the Rules)")
        .gap(12.0)
        .bold_centred(12.0, "FEES—Continued")
        .gap(12.0)
        .prose()
        .bold_line(72.0, 12.0, "NORTHWIND HOLDINGS, INC.")
        .gap(12.0)
        .line(72.0, 12.0, "By: ______________");
    assert_eq!(doc.headings(), Vec::<String>::new());
}

#[test]
fn small_capitals_made_of_two_sizes_have_the_larger() {
    let mut doc = Doc::default().page();
    for (x, size, text) in
        [(72.0, 12.0, "F"), (78.0, 9.0, "INDINGS"), (114.0, 12.0, "M"), (120.0, 9.0, "ADE")]
    {
        doc.put(run(x, 80.0, size, text));
    }
    doc.y = 90.0;
    let layout = doc.prose().layout();
    assert_eq!(layout.slice(layout.blocks[0].range), "FINDINGS MADE");
    assert_eq!(layout.blocks[0].style.size, Pt(12.0));
}

#[test]
fn headings_in_the_margin_of_a_manual_stand_before_their_text() {
    let mut doc = Doc::default().page();
    for (n, title) in [(2, "Overview"), (3, "Basics")] {
        let y = doc.y;
        doc = doc.gap(8.0).line(40.0, 10.0, &format!("2.3.59.{n}")).line(40.0, 10.0, "(01-20-2003)");
        doc = doc.bold_line(40.0, 10.0, title);
        doc.y = y + 8.0;
        for line in [
            "(1) The system gives access to accounts on the file that is",
            "kept in the centre, and to all entities that have one,",
        ] {
            doc = doc.line(200.0, 10.0, line);
        }
        doc = doc.line(200.0, 10.0, "for the seven years before.").gap(30.0);
    }
    let layout = doc.layout();
    assert_eq!(headings(&layout), ["2.3.59.2 (01-20-2003) Overview", "2.3.59.3 (01-20-2003) Basics"]);
    assert!(texts(&layout)[1].ends_with("for the seven years before."));
}

#[test]
fn leaders_in_a_column_do_not_hide_the_gutter() {
    let mut doc = Doc::default().page();
    for i in 0..30 {
        let y = 100.0 + 12.0 * i as f32;
        if i % 3 == 0 {
            doc.put(run(72.0, y, 9.0, "(1) Cathine ........"));
            doc.put(run(260.0, y, 9.0, "1230"));
        } else {
            doc.put(run(72.0, y, 9.0, "of the substances that the schedule lists w"));
        }
        doc.put(run(300.0, y, 9.0, "any person who seeks to have one of them ex"));
    }
    let layout = doc.layout();
    let first_right = layout.text.find("any person").unwrap();
    let last_left = layout.text.rfind("the schedule lists").unwrap();
    assert!(last_left < first_right, "the left column is read first");
}

#[test]
fn columns_of_widely_spaced_lines_are_columns() {
    let mut doc = Doc::default().page();
    for i in 0..24 {
        let y = 100.0 + 12.0 * i as f32;
        for (x, word) in [(72.0, "written"), (109.0, "notice"), (172.0, "provision"), (219.0, "agreement")] {
            doc.put(run(x, y, 9.0, word));
        }
        for (x, word) in [(310.0, "pursuant"), (352.0, "to"), (388.0, "obligations"), (443.0, "hereunder")] {
            doc.put(run(x, y + 3.0, 9.0, word));
        }
    }
    let layout = doc.layout();
    assert!(layout.text.rfind("agreement").unwrap() < layout.text.find("pursuant").unwrap());
}

#[test]
fn the_lines_of_an_address_stay_together() {
    let doc = Doc::default()
        .page()
        .prose()
        .line(120.0, 12.0, "Northwind Holdings")
        .line(120.0, 12.0, "500 South Buena Vista Street")
        .line(120.0, 12.0, "Burbank, California 91521")
        .line(120.0, 12.0, "Attention: Treasurer")
        .gap(14.0)
        .prose();
    assert_eq!(doc.layout().blocks.len(), 3);
}

#[test]
fn numerals_that_stand_alone_are_headings_of_their_own() {
    let doc = Doc::default().page().prose().gap(8.0).centred(12.0, "I").centred(12.0, "A").gap(8.0).prose();
    assert_eq!(doc.headings(), ["I", "A"]);
}

#[test]
fn a_heading_that_the_page_ends_below_is_known_by_its_likes() {
    let italic = |mut doc: Doc, text: &str| {
        doc = doc.gap(8.0).line(72.0, 12.0, text);
        doc.last_run().font.italic = true;
        doc.gap(8.0)
    };
    let mut doc = Doc::default().page();
    for title in ["Scope", "Refusal"] {
        doc = italic(doc, title).prose();
    }
    let doc = italic(doc, "Appeals").page().prose();
    assert_eq!(doc.headings(), ["Scope", "Refusal", "Appeals"]);
}

#[test]
fn the_points_of_an_argument_are_headings_although_they_are_sentences() {
    let doc = Doc::default()
        .page()
        .prose()
        .bold_line(72.0, 12.0, "I. THE COURT BELOW ERRED IN GRANTING JUDGMENT ON THE CLAIM OF MS. OAKES")
        .bold_line(72.0, 12.0, "THAT SHE WAS DENIED DUE PROCESS.")
        .gap(8.0)
        .prose();
    assert_eq!(doc.headings().len(), 1);
}

#[test]
fn chinese_enumerated_titles_are_headings_and_items_are_not() {
    let prose =
        ["为了加强对投资基金的监督管理保护投资者合法权益促进市场健康发展根据有", "关法律制定本规则。"];
    let mut doc = Doc::default().page();
    for title in ["一、总体要求", "二、工作目标"] {
        doc = doc.line(96.0, 12.0, title).gap(4.0);
        for line in prose {
            doc = doc.line(72.0, 12.0, line);
        }
        doc = doc.line(96.0, 12.0, "（一）第一项内容；").gap(6.0);
    }
    assert_eq!(doc.headings(), ["一、总体要求", "二、工作目标"]);
}

#[test]
fn a_stop_of_an_abbreviation_does_not_end_a_paragraph_at_the_end_of_a_page() {
    let mut doc = Doc::default().page();
    for line in PROSE.iter().take(3) {
        doc = doc.line(72.0, 12.0, line);
    }
    let doc = doc
        .line(72.0, 12.0, "that carry out activities of business of any size in the region or U.S.")
        .page()
        .line(72.0, 12.0, "companies that benefit from it directly or in any other way, as long as they")
        .line(72.0, 12.0, "do so.");
    assert_eq!(doc.layout().blocks.len(), 1);
}

#[test]
fn an_underlined_title_behind_its_number_is_a_heading() {
    let mut doc = Doc::default().page().prose().line(72.0, 12.0, "I.");
    let y = doc.y;
    doc.put(run(108.0, y, 12.0, "Whether the taxpayer was at risk for the loan"));
    doc.last().rules.push(Rule { rect: Rect { x0: 108.0, y0: y + 1.5, x1: 378.0, y1: y + 2.0 } });
    assert_eq!(doc.prose().headings(), ["I. Whether the taxpayer was at risk for the loan"]);
}

#[test]
fn what_ends_many_pages_in_the_same_words_is_no_heading() {
    let mut doc = Doc::default();
    for i in 0..5 {
        doc = doc.page().gap(40.0 * i as f32).prose().gap(30.0 + 23.0 * i as f32);
        doc = doc.bold_centred(12.0, "SIGNATURE PAGE TO THE AGREEMENT");
    }
    assert_eq!(doc.headings(), Vec::<String>::new());
}
