//! Names that tell documents of one file name apart.

/// Name for a document whose file is called `name`: that name if no other document has it, otherwise with the first of
/// `marks` that makes it a new one (its folder, its date), otherwise with a number: `contract (2023).pdf`,
/// `contract (2).pdf`. A name once given stays, so that citations of it stay true; the caller stores it.
pub fn distinct_name(name: &str, marks: &[&str], is_taken: &dyn Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let (stem, ending) = match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    };
    let marked = |mark: &str| format!("{stem} ({mark}){ending}");
    let by_mark =
        marks.iter().filter(|mark| !mark.is_empty()).map(|mark| marked(mark)).find(|name| !is_taken(name));
    // Of as many names as there are documents and one more, one is free.
    by_mark
        .or_else(|| (2..=u32::MAX).map(|n| marked(&n.to_string())).find(|name| !is_taken(name)))
        .unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_a_folder_a_date_or_a_number() {
        let cases: &[(&str, &[&str], &[&str], &str)] = &[
            ("a.pdf", &["2023"], &[], "a.pdf"),
            ("a.pdf", &["2023"], &["a.pdf"], "a (2023).pdf"),
            ("a.pdf", &["", "2023-07-01"], &["a.pdf"], "a (2023-07-01).pdf"),
            ("a.pdf", &["2023", "acme"], &["a.pdf", "a (2023).pdf"], "a (acme).pdf"),
            ("a.pdf", &[], &["a.pdf", "a (2).pdf"], "a (3).pdf"),
            ("deed", &[], &["deed"], "deed (2)"),
            (".pdf", &[], &[".pdf"], ".pdf (2)"),
            ("法 v1.2.docx", &[], &["法 v1.2.docx"], "法 v1.2 (2).docx"),
        ];
        for (name, marks, taken, expected) in cases {
            assert_eq!(distinct_name(name, marks, &|other| taken.contains(&other)), *expected, "{name}");
        }
    }
}
