//! Pages as a viewer counts them: one for each place where the page tree lists one.

use std::ops::ControlFlow;

use document::PageId;
use pages::{ErrorKind, Options};

use crate::pdf::Pdf;

/// Text of each page.
fn texts_of_pages(bytes: &[u8]) -> Vec<String> {
    let read = pages::read(bytes, &Options::default(), &mut |_, _| ControlFlow::Continue(())).unwrap();
    let text = |page: &document::Page| page.runs.iter().map(|run| run.text.as_str()).collect();
    read.output.pages.iter().map(text).collect()
}

/// Adds a page that shows `text`; gives its number.
fn add_page(pdf: &mut Pdf, text: &str) -> usize {
    let content = pdf.add_stream("", &show(text));
    pdf.add(&format!("<< /Type /Page /Parent 2 0 R /Contents {content} 0 R >>"))
}

fn show(text: &str) -> String {
    format!("BT /F 12 Tf 72 700 Td ({text}) Tj ET")
}

#[test]
fn a_page_that_is_listed_twice_is_two_pages() {
    let mut pdf = Pdf::page(&show("one"));
    let (two, three, four) =
        (add_page(&mut pdf, "two"), add_page(&mut pdf, "three"), add_page(&mut pdf, "four"));
    let pdf = pdf.kids(&format!("3 0 R {two} 0 R {three} 0 R {two} 0 R {four} 0 R"));
    assert_eq!(texts_of_pages(&pdf.bytes()), ["one", "two", "three", "two", "four"]);
}

#[test]
fn a_page_and_a_node_written_in_place_count() {
    let mut pdf = Pdf::page(&show("one"));
    let (two, three) = (pdf.add_stream("", &show("two")), pdf.add_stream("", &show("three")));
    let page = |content: usize| format!("<< /Type /Page /Contents {content} 0 R >>");
    let node = format!("<< /Type /Pages /Count 1 /Kids [{}] >>", page(three));
    let pdf = pdf.kids(&format!("3 0 R {} {node} 3 0 R", page(two)));
    assert_eq!(texts_of_pages(&pdf.bytes()), ["one", "two", "three", "one"]);
}

#[test]
fn a_node_that_is_listed_twice_counts_its_pages_twice_and_a_loop_counts_once() {
    let mut pdf = Pdf::page(&show("one"));
    let node = pdf.next_id();
    pdf.add(&format!("<< /Type /Pages /Count 1 /Kids [3 0 R {node} 0 R 2 0 R] >>"));
    let pdf = pdf.kids(&format!("{node} 0 R 3 0 R {node} 0 R"));
    assert_eq!(texts_of_pages(&pdf.bytes()), ["one"; 3]);
}

#[test]
fn a_bookmark_leads_to_the_first_of_two_pages_that_are_one_object() {
    let mut pdf = Pdf::page(&show("one"));
    let two = add_page(&mut pdf, "two");
    let outline = pdf.next_id();
    pdf.add(&format!("<< /First {} 0 R >>", outline + 1));
    pdf.add(&format!("<< /Title (Two) /Dest [{two} 0 R /Fit] >>"));
    let pdf =
        pdf.kids(&format!("3 0 R {two} 0 R {two} 0 R")).catalog_entry(&format!("/Outlines {outline} 0 R"));
    let read = pages::read(&pdf.bytes(), &Options::default(), &mut |_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(read.output.outline[0].page, Some(PageId::from_idx(1)));
}

#[test]
fn nodes_that_hold_each_other_s_copies_are_refused_and_not_walked_without_end() {
    let mut pdf = Pdf::page(&show("one"));
    // Thirty storeys of two doors each: 2^30 ways, and no page at the end of any.
    let ground = pdf.next_id();
    for storey in 0..30 {
        let above = ground + storey + 1;
        pdf.add(&format!("<< /Type /Pages /Kids [{above} 0 R {above} 0 R] /Count 2 >>"));
    }
    pdf.add("<< /Type /Pages /Kids [] /Count 0 >>");
    let bytes = pdf.kids(&format!("3 0 R {ground} 0 R")).bytes();
    let error = pages::read(&bytes, &Options::default(), &mut |_, _| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
}
