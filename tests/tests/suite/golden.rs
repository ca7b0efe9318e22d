//! Readable dumps against the files in `tests/{layout,sections,chunks}`.
//!
//! `UPDATE_GOLDENS=1 cargo test -p pincite-tests golden` rewrites them; the diff is what is reviewed.

use std::fs;
use std::path::PathBuf;

use pincite_tests::stages::read;
use pincite_tests::{corpus, dump, hostile, invariants};

use crate::env::{TestSample, samples};

fn check(stage: &str, id: &str, found: &str, wrong: &mut Vec<String>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(stage).join(format!("{id}.txt"));
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected == found {
        return;
    }
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
        return;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let line = |lines: &[&str]| lines.get(same).copied().unwrap_or("(end)").to_owned();
    wrong.push(format!("{stage}/{id}.txt line {}:\n  - {}\n  + {}", same + 1, line(&old), line(&new)));
}

#[test]
fn dumps_of_the_samples_are_as_reviewed() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let document = &read.document;
        check("layout", made.id, &dump::layout(&document.layout), &mut wrong);
        check("sections", made.id, &dump::sections(&document.layout, &document.tree), &mut wrong);
        check("chunks", made.id, &dump::chunks(document), &mut wrong);
    }
    crate::env::assert_none("golden files differ", &wrong);
}

#[test]
fn dumps_of_the_corpus_are_as_reviewed() {
    let mut wrong = Vec::new();
    for drawn in corpus::all().unwrap() {
        let read = read(&drawn.id, &drawn.pdf, None).unwrap();
        let document = &read.document;
        wrong.extend(invariants::broken(document).into_iter().map(|fault| format!("{}: {fault}", drawn.id)));
        check("layout", &drawn.id, &dump::layout(&document.layout), &mut wrong);
        check("sections", &drawn.id, &dump::sections(&document.layout, &document.tree), &mut wrong);
    }
    crate::env::assert_none("golden files differ", &wrong);
}

#[test]
fn dumps_of_the_hostile_files_are_as_reviewed() {
    let mut found = String::new();
    for odd in hostile::all().unwrap() {
        found.push_str(&format!("== {} ({})\n", odd.file_name, odd.why));
        match read(odd.file_name, &odd.bytes, None) {
            Err(error) => found.push_str(&format!("error {:?}: {error}\n", error.kind())),
            Ok(read) => {
                found.push_str(&format!("{} pages\n", read.source.pages.len()));
                for diag in &read.diags {
                    let page = diag.page.map_or("-".to_owned(), |page| format!("p{}", page.idx() + 1));
                    found
                        .push_str(&format!("{:?} {:?} {page}: {}\n", diag.severity, diag.code, diag.message));
                }
                found.extend(
                    dump::layout(&read.document.layout).lines().take(12).map(|line| format!("{line}\n")),
                );
            }
        }
    }
    let mut wrong = Vec::new();
    check("layout", "hostile", &found, &mut wrong);
    crate::env::assert_none("golden files differ", &wrong);
}
