//! Allowances of the whole file: what is spent is told once, and the pages read so far are kept.

use std::ops::ControlFlow;

use document::{Allowance, DiagCode, PdfText, Warned};
use pages::{Limits, Options};

use crate::pdf::Pdf;

/// Ten pages that paint one form of twenty words.
fn shared_form() -> Vec<u8> {
    let mut pdf = Pdf::page("/Fm Do");
    let words = "BT /F 9 Tf 9 TL 9 700 Td (ab) ' (ab) ' ET ".repeat(10);
    let form = pdf.add_stream("/Subtype /Form /BBox [0 0 612 792]", &words);
    pdf.x_object("Fm", form).kids(&"3 0 R ".repeat(10)).bytes()
}

fn read(bytes: &[u8], limits: Limits) -> Warned<PdfText> {
    let options = Options { limits, ..Options::default() };
    pages::read(bytes, &options, &mut |_, _| ControlFlow::Continue(())).unwrap()
}

#[test]
fn a_file_that_spends_an_allowance_keeps_the_pages_read_so_far() {
    let bytes = shared_form();
    let whole = read(&bytes, Limits::default());
    assert!(whole.diags.is_empty() && whole.output.pages.iter().all(|page| page.runs.len() == 20));
    for (what, limits) in [
        ("operators", Limits { operators: Allowance::flat(250), ..Limits::default() }),
        ("characters", Limits { characters: Allowance::flat(130), ..Limits::default() }),
        ("runs", Limits { runs: Allowance::flat(65), ..Limits::default() }),
        ("steps", Limits { steps: Allowance::flat(20_000), ..Limits::default() }),
    ] {
        let read = read(&bytes, limits);
        let n_runs: Vec<usize> = read.output.pages.iter().map(|page| page.runs.len()).collect();
        assert_eq!(n_runs.len(), 10, "{what}");
        assert!(n_runs[0] == 20 && n_runs[9] == 0, "{what}: {n_runs:?}");
        assert!(n_runs.is_sorted_by(|before, after| before >= after), "{what}: {n_runs:?}");
        let [diag] = read.diags.as_slice() else { panic!("{what}: {:?}", read.diags) };
        assert_eq!(diag.code, DiagCode::LimitReached);
        let at = diag.page.unwrap().idx();
        assert!(n_runs[..at].iter().all(|&n| n == 20) && n_runs[at + 1..].iter().all(|&n| n == 0), "{what}");
        assert!(diag.message.contains(&format!("page {} of 10", at + 1)), "{}", diag.message);
        assert!(diag.message.ends_with(what), "{}", diag.message);
    }
}

#[test]
fn a_form_of_many_pages_is_inflated_once() {
    let bytes = shared_form();
    let reader = pages::Reader::open(&bytes, &Options::default()).unwrap();
    let costs = [0, 1, 9].map(|idx| {
        drop(reader.page(document::PageId(idx)));
        reader.costs()
    });
    let form = costs[0].inflated - "/Fm Do".len();
    assert!(form > 400, "{costs:?}");
    assert_eq!(costs[2].inflated, form + 3 * "/Fm Do".len());
    assert_eq!(costs[2].operators, 3 * costs[0].operators);
}

#[test]
fn an_expression_of_layers_that_names_itself_ends() {
    let mut pdf = Pdf::page("/OC /L BDC BT /F 9 Tf 99 99 Td (layer) Tj ET EMC");
    let layer = pdf.add("<< /Type /OCG >>");
    let expression = pdf.next_id();
    pdf.add(&format!("[/And {}]", format!("{expression} 0 R ").repeat(200)));
    let membership = pdf.add(&format!("<< /Type /OCMD /VE {expression} 0 R >>"));
    let bytes = pdf
        .catalog_entry(&format!("/OCProperties << /OCGs [{layer} 0 R] /D << /OFF [{layer} 0 R] >> >>"))
        .page_entry(&format!("/Resources << /Properties << /L {membership} 0 R >> >>"))
        .bytes();
    let read = read(&bytes, Limits { steps: Allowance::flat(1_000_000), ..Limits::default() });
    assert_eq!(read.diags[0].code, DiagCode::LimitReached);
}
