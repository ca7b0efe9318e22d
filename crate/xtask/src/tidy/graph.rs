//! Who may depend on whom. `document ← text ← stages ← engine ← {border ← {wasm, wasm-ingest, wasm-encoder, wasm-lab}, native ← {cli, python}}`,
//! `evaluate ← {lambdamart ← {wasm-lab, cli}, testset, judge} ← cli`; stages never depend on each other, except that `retrieval` reads
//! `index` and `answer` checks with `citations`, and that `testset` and `judge` ask as `answer` does; a library from outside
//! is used only at home (see `homes`).
//!
//! Only normal dependencies are looked at: tests may use what they like.

use super::homes::Homes;
use super::problem::Problem;

/// A member of the workspace.
pub struct Package {
    /// The name of its folder, which is its name without `pincite-`.
    pub folder: String,
    /// Its manifest, relative to the root.
    pub place: String,
    /// Its normal dependencies.
    pub dependencies: Vec<Dependency>,
    /// The keys of what only its tests use.
    pub dev: Vec<String>,
}

/// A dependency as a manifest names it.
pub struct Dependency {
    /// Its key in the manifest.
    pub key: String,
    /// The folder, when it is one of ours.
    pub ours: Option<String>,
}

/// Each crate of ours with those of ours it may depend on, in pipeline order. `tests` is the harness: it may know all.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("document", &[]),
    ("text", &["document"]),
    ("pages", &["document", "text"]),
    ("blocks", &["document", "text"]),
    ("docx", &["document", "text"]),
    ("sections", &["document", "text"]),
    ("chunks", &["document", "text"]),
    ("embed", &["document", "text"]),
    ("encoder", &["embed"]),
    ("relaxed", &[]),
    ("index", &["document", "text"]),
    ("retrieval", &["document", "text", "index"]),
    ("citations", &["document", "text"]),
    ("answer", &["document", "text", "citations"]),
    ("evaluate", &["document", "text"]),
    ("lambdamart", &["evaluate"]),
    ("testset", &["document", "text", "sections", "citations", "answer", "evaluate"]),
    // A judge asks as an answerer does, in fences, and its verdicts are what the measures count.
    ("judge", &["document", "text", "citations", "answer", "evaluate"]),
    (
        "engine",
        &[
            "document",
            "text",
            "pages",
            "blocks",
            "docx",
            "sections",
            "chunks",
            "embed",
            "index",
            "retrieval",
            "citations",
            "answer",
        ],
    ),
    ("native", &["encoder", "index", "answer", "engine"]),
    ("border", &["engine"]),
    ("wasm", &["engine", "border"]),
    ("wasm-ingest", &["engine", "border"]),
    ("wasm-encoder", &["document", "encoder", "engine", "border"]),
    ("wasm-lab", &["evaluate", "lambdamart", "border"]),
    // `eval retrieval` measures the ranking itself, `eval sufficiency` the judge of evidence, below the use cases.
    (
        "cli",
        &[
            "document",
            "text",
            "encoder",
            "index",
            "retrieval",
            "answer",
            "engine",
            "native",
            "evaluate",
            "lambdamart",
            "testset",
            "judge",
        ],
    ),
    // Tables are of the document's parts, and postings of the index's.
    ("python", &["document", "encoder", "index", "retrieval", "engine", "native"]),
    ("xtask", &[]),
];

const HARNESS: &str = "tests";

/// Dependencies between our crates, and of our crates on others'.
pub fn check(packages: &[Package], homes: &Homes) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in packages {
        let may_know = MAY_KNOW.iter().find(|(folder, _)| *folder == package.folder).map(|(_, known)| *known);
        if may_know.is_none() && package.folder != HARNESS {
            let message =
                format!("`{}` has no place in the dependency graph: add it to {}", package.folder, file!());
            problems.push(Problem::new(&package.place, 0, message));
            continue;
        }
        for dependency in &package.dependencies {
            let problem = match &dependency.ours {
                Some(folder) => ours(package, folder, may_know),
                None => foreign(package, &dependency.key, homes),
            };
            problems.extend(problem.map(|message| Problem::new(&package.place, 0, message)));
        }
    }
    problems
}

/// Libraries that the root manifest lists and no crate asks for any more.
pub fn check_unused(place: &str, packages: &[Package], homes: &Homes) -> Vec<Problem> {
    homes
        .keys()
        .filter(|key| {
            !packages.iter().any(|package| {
                package.dependencies.iter().any(|dependency| dependency.key == *key)
                    || package.dev.iter().any(|dev| dev == key)
            })
        })
        .map(|key| Problem::new(place, 0, format!("`{key}` is used by no crate: take it out")))
        .collect()
}

fn ours(package: &Package, folder: &str, may_know: Option<&[&str]>) -> Option<String> {
    let may_know = may_know?;
    if may_know.contains(&folder) {
        return None;
    }
    let allowed = if may_know.is_empty() { "none of our crates".to_owned() } else { may_know.join(", ") };
    Some(format!("`{}` must not depend on `{folder}`; it may know {allowed}", package.folder))
}

fn foreign(package: &Package, key: &str, homes: &Homes) -> Option<String> {
    match homes.of(key) {
        None => Some(format!(
            "`{key}` is not in [workspace.dependencies], where its version, home and reason are"
        )),
        Some(of) if package.folder == HARNESS || of.contains(&package.folder) => None,
        Some(of) => Some(format!(
            "`{key}` is not at home in `{}`: the root Cargo.toml says {}",
            package.folder,
            if of.is_empty() { "tests only".to_owned() } else { of.join(", ") }
        )),
    }
}

/// The architecture page has a row for every crate.
pub fn check_listed(place: &str, text: &str, packages: &[Package]) -> Vec<Problem> {
    packages
        .iter()
        .filter(|package| package.place.starts_with("crate/"))
        .filter(|package| {
            let row = format!("| `{}`", package.folder);
            !text.lines().any(|line| line.starts_with(&row))
        })
        .map(|package| {
            Problem::new(
                place,
                0,
                format!("has no row for `{}`: a table row must start with its name", package.folder),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::homes;

    fn package(folder: &str, ours: &[&str], foreign: &[&str]) -> Package {
        let ours = ours.iter().map(|name| Dependency { key: (*name).into(), ours: Some((*name).into()) });
        let foreign = foreign.iter().map(|name| Dependency { key: (*name).into(), ours: None });
        Package {
            folder: folder.into(),
            place: format!("crate/{folder}/Cargo.toml"),
            dependencies: ours.chain(foreign).collect(),
            dev: Vec::new(),
        }
    }

    fn messages(packages: &[Package]) -> Vec<String> {
        let manifest = "[workspace.dependencies]\nlopdf = \"=0.47.0\" # pages: objects\nproptest = \"=1.12.0\" # dev: properties\n";
        let (homes, problems) = homes::parse("Cargo.toml", manifest);
        assert_eq!(problems, []);
        check(packages, &homes).into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn the_pipeline_is_accepted() {
        let packages = [
            package("document", &[], &[]),
            package("pages", &["document", "text"], &["lopdf"]),
            package("retrieval", &["document", "text", "index"], &[]),
            package("cli", &["document", "engine", "evaluate"], &[]),
            package("tests", &["document", "blocks", "engine"], &["lopdf"]),
        ];
        assert_eq!(messages(&packages), Vec::<String>::new());
    }

    #[test]
    fn a_dependency_against_the_stream_or_between_stages_is_refused() {
        let cases: &[(&str, &str)] = &[
            ("document", "text"),
            ("blocks", "pages"),
            ("index", "retrieval"),
            ("engine", "wasm"),
            ("wasm", "retrieval"),
            ("engine", "evaluate"),
        ];
        for (from, to) in cases {
            let found = messages(&[package(from, &[to], &[])]);
            assert_eq!(found.len(), 1, "{from} on {to}");
            assert!(found[0].starts_with(&format!("`{from}` must not depend on `{to}`")), "{found:?}");
        }
    }

    #[test]
    fn a_library_is_used_only_at_home_and_test_tools_nowhere_else() {
        let found = messages(&[package("blocks", &[], &["lopdf", "proptest", "rayon"])]);
        assert_eq!(found.len(), 3);
        assert!(found[0].ends_with("says pages"), "{found:?}");
        assert!(found[1].ends_with("says tests only"), "{found:?}");
        assert!(found[2].starts_with("`rayon` is not in [workspace.dependencies]"), "{found:?}");
    }

    #[test]
    fn a_library_that_nobody_asks_for_is_named() {
        let manifest = "[workspace.dependencies]\nlopdf = \"=0.47.0\" # pages: objects\nproptest = \"=1.12.0\" # dev: properties\n";
        let (homes, _) = homes::parse("Cargo.toml", manifest);
        let mut pages = package("pages", &[], &["lopdf"]);
        assert_eq!(check_unused("Cargo.toml", &[pages], &homes).len(), 1);
        pages = package("pages", &[], &["lopdf"]);
        pages.dev.push("proptest".into());
        assert_eq!(check_unused("Cargo.toml", &[pages], &homes), []);
    }

    #[test]
    fn a_crate_without_a_place_is_named() {
        assert!(messages(&[package("helpers", &[], &[])])[0].starts_with("`helpers` has no place"));
    }

    #[test]
    fn the_architecture_page_must_list_every_crate() {
        let packages = [package("pages", &[], &[]), package("blocks", &[], &[])];
        let found = check_listed("crate/README.md", "| `pages` | bytes |\n`blocks` in prose\n", &packages);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("`blocks`"));
    }
}
