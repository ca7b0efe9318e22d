//! Golden files whose document is gone are dead: nothing compares with them, and they look like tests.
//!
//! A golden file is `tests/{layout,sections,chunks}/<id>.txt`. Its id is alive when a module of that name in `tests/src/`
//! or `tests/src/samples/` makes the documents, or when the corpus has a source of that name.

use super::problem::Problem;

const FOLDERS: &[&str] = &["tests/layout/", "tests/sections/", "tests/chunks/"];

/// `paths` are all files of the repository.
pub fn check(paths: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for path in paths {
        let Some(name) = FOLDERS.iter().find_map(|folder| path.strip_prefix(folder)) else { continue };
        let Some(id) = name.strip_suffix(".txt") else { continue };
        let made = [
            format!("tests/src/samples/{id}.rs"),
            format!("tests/src/{id}.rs"),
            format!("tests/corpus/{id}.txt"),
        ];
        if !made.iter().any(|module| paths.contains(module)) {
            let message = format!("no sample and no corpus document is called `{id}`: delete this file");
            problems.push(Problem::new(path, 0, message));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_golden_file_needs_its_document() {
        let paths: Vec<String> = [
            "tests/layout/rulebook.txt",
            "tests/layout/hostile.txt",
            "tests/sections/two-columns.txt",
            "tests/chunks/gone.txt",
            "tests/corpus/two-columns.txt",
            "tests/src/samples/rulebook.rs",
            "tests/src/hostile.rs",
        ]
        .map(str::to_owned)
        .to_vec();
        let found = check(&paths);
        assert_eq!(
            found.iter().map(|problem| problem.place.as_str()).collect::<Vec<_>>(),
            ["tests/chunks/gone.txt"]
        );
    }
}
