//! Where a library from outside is at home. The root `Cargo.toml` says it in the comment behind each dependency, and
//! this reads it, so that the reason and the rule cannot part:
//!
//! ```text
//! sha2 = "=0.11.1"   # index: checksums of stored bytes; engine: identity of a file
//! ```
//!
//! Homes are separated by commas, pairs of homes and reason by semicolons; `dev` stands for the tests of every crate.
//! The few libraries that define a boundary have their home written down here as well: a comment cannot move them.

use std::collections::BTreeMap;

use super::problem::Problem;

/// Boundaries of the architecture.
const FIXED: &[(&str, &[&str])] = &[
    ("lopdf", &["pages"]),
    ("tract-onnx", &["encoder"]),
    ("instant-distance", &["index"]),
    ("wasm-bindgen", &["border", "wasm", "wasm-ingest", "wasm-encoder", "wasm-lab"]),
    ("js-sys", &["border", "wasm", "wasm-ingest", "wasm-encoder", "wasm-lab"]),
    ("web-sys", &["border"]),
    ("serde-wasm-bindgen", &["border", "wasm", "wasm-ingest", "wasm-encoder", "wasm-lab"]),
    ("console_error_panic_hook", &["border"]),
    ("clap", &["cli"]),
    ("anyhow", &["tests", "xtask"]),
];

/// The crates that may use each dependency, by its key.
pub struct Homes(BTreeMap<String, Vec<String>>);

impl Homes {
    /// The homes of a dependency, in the order written; none when it is for tests only; `None` when it is not listed.
    pub fn of(&self, key: &str) -> Option<&[String]> {
        self.0.get(key).map(Vec::as_slice)
    }

    /// Every dependency that is listed.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Reads `[workspace.dependencies]`: our own crates, given by path, are passed over.
pub fn parse(place: &str, manifest: &str) -> (Homes, Vec<Problem>) {
    let mut homes = BTreeMap::new();
    let mut problems = Vec::new();
    let mut inside = false;
    for (line_idx, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim() == "[workspace.dependencies]";
            continue;
        }
        let Some((key, value)) = line.split_once(" = ").filter(|_| inside && !line.starts_with('#')) else {
            continue;
        };
        if value.contains("path = ") {
            continue;
        }
        let mut complain = |message: String| problems.push(Problem::new(place, line_idx + 1, message));
        if !value.contains("\"=") {
            complain(format!("`{key}` is not pinned: write its version as \"=x.y.z\""));
        }
        let named = value.split_once(" # ").map(|(_, comment)| named(comment)).unwrap_or_default();
        if named.is_empty() {
            complain(format!(
                "`{key}` has no home: say behind it which crate uses it and why, as `# crate: reason`"
            ));
        }
        let at_home: Vec<String> =
            named.iter().filter(|home| **home != "dev").map(|home| (*home).to_owned()).collect();
        if let Some((_, fixed)) = FIXED.iter().find(|(library, _)| *library == key)
            && let Some(home) = at_home.iter().find(|home| !fixed.contains(&home.as_str()))
        {
            complain(format!("`{key}` may be at home in {} only, not in {home}", fixed.join(", ")));
        }
        homes.insert(key.trim().to_owned(), at_home);
    }
    (Homes(homes), problems)
}

/// `wasm, cli: JSON shapes; embed: manifest` names wasm, cli and embed.
fn named(comment: &str) -> Vec<&str> {
    comment
        .split(';')
        .map(|part| part.split_once(':').map_or(part, |(homes, _)| homes))
        .flat_map(|homes| homes.split(','))
        .map(str::trim)
        .filter(|home| !home.is_empty() && home.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> (Homes, Vec<String>) {
        let (homes, problems) =
            parse("Cargo.toml", &format!("[workspace.dependencies]\n{line}\n[workspace.lints]\nx = 1\n"));
        (homes, problems.into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn homes_are_read_from_the_comment() {
        let cases: &[(&str, &str, &[&str])] = &[
            (
                "lopdf = { version = \"=0.47.0\", features = [\"wasm_js\"] } # pages: PDF objects",
                "lopdf",
                &["pages"],
            ),
            (
                "serde = \"=1.0.0\" # document: stored form; wasm, cli: JSON",
                "serde",
                &["document", "wasm", "cli"],
            ),
            ("proptest = \"=1.12.0\" # dev: property tests", "proptest", &[]),
            ("wasm-bindgen-test = \"=0.3.80\" # wasm, dev: tests", "wasm-bindgen-test", &["wasm"]),
            ("anyhow = \"=1.0.104\" # xtask, tests", "anyhow", &["xtask", "tests"]),
            ("js-sys = \"=0.3.107\" # wasm, wasm-encoder: values", "js-sys", &["wasm", "wasm-encoder"]),
        ];
        for (line, key, expected) in cases {
            let (homes, problems) = parsed(line);
            assert_eq!(problems, Vec::<String>::new(), "{line}");
            assert_eq!(homes.of(key).unwrap(), *expected, "{line}");
        }
    }

    #[test]
    fn our_own_crates_and_other_tables_are_passed_over() {
        let (homes, problems) = parsed("text = { package = \"pincite-text\", path = \"crate/text\" }");
        assert!(homes.of("text").is_none() && homes.of("x").is_none() && problems.is_empty());
    }

    #[test]
    fn a_dependency_needs_a_pin_and_a_home() {
        let cases = [
            ("memchr = \"2.8\" # pages: search", "`memchr` is not pinned"),
            ("memchr = \"=2.8.3\"", "`memchr` has no home"),
            (
                "lopdf = \"=0.47.0\" # pages: objects; blocks: more",
                "`lopdf` may be at home in pages only, not in blocks",
            ),
        ];
        for (line, expected) in cases {
            let (_, problems) = parsed(line);
            assert_eq!(problems.len(), 1, "{line}");
            assert!(problems[0].starts_with(expected), "{problems:?}");
        }
    }
}
