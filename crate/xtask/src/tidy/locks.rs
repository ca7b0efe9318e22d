//! Locks by hash: whatever is installed is named by its hash in every lock of cargo, npm and pip, those of tools too.
//!
//! Cargo, npm and pip check the hashes that a lock has and pass over those it lacks: this finds the latter. Which
//! registries and licences are allowed is in `.cargo/deny.toml`.

use super::problem::Problem;

const CRATES_IO: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
const NPM: &str = "https://registry.npmjs.org/";

/// Entries of a lock without a hash, or from elsewhere than the registry; other files have none.
pub fn check(path: &str, text: &str) -> Vec<Problem> {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    match name {
        "Cargo.lock" => cargo(path, text),
        "package-lock.json" => npm(path, text),
        _ if name.starts_with("requirements") && name.ends_with(".txt") => pip(path, text),
        _ => Vec::new(),
    }
}

fn cargo(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((line_idx, line)) = lines.next() {
        if !line.starts_with("source = ") {
            continue;
        }
        if line != CRATES_IO {
            problems.push(Problem::new(path, line_idx + 1, format!("{line}, expected crates.io")));
        } else if lines.peek().is_none_or(|(_, next)| !next.starts_with("checksum = ")) {
            problems.push(Problem::new(path, line_idx + 1, "a package without a checksum"));
        }
    }
    problems
}

/// npm writes a package's entry as a key of four spaces, closed by a brace of four spaces.
fn npm(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut entry: Option<(usize, bool)> = None;
    for (line_idx, line) in text.lines().enumerate() {
        let field = line.trim_start();
        if line.starts_with("    \"node_modules/") {
            entry = Some((line_idx, false));
        } else if let Some((at, has_hash)) = &mut entry {
            *has_hash |= field.starts_with("\"integrity\": \"sha512-");
            let elsewhere = field.strip_prefix("\"resolved\": \"").is_some_and(|url| !url.starts_with(NPM));
            if elsewhere {
                problems.push(Problem::new(path, line_idx + 1, format!("{field} is not below {NPM}")));
            }
            if line.starts_with("    }") {
                if !*has_hash {
                    problems.push(Problem::new(path, *at + 1, "a package without an integrity of sha512"));
                }
                entry = None;
            }
        }
    }
    problems
}

/// A requirement is a line `name==version`, continued by lines with its hashes.
fn pip(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((line_idx, line)) = lines.next() {
        if line.is_empty() || line.starts_with(['#', ' ']) {
            continue;
        }
        let hashed = lines.peek().is_some_and(|(_, next)| next.trim_start().starts_with("--hash=sha256:"));
        if !line.contains("==") || !hashed {
            let message =
                format!("`{line}` has no version with hashes: `uv pip compile --generate-hashes` makes them");
            problems.push(Problem::new(path, line_idx + 1, message));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_with_hashes_from_the_registry_are_in_order() {
        let cases = [
            (
                "crate/bind/Cargo.lock",
                "name = \"a\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"00\"\n\nname = \"ours\"\n",
            ),
            (
                "www/package-lock.json",
                "    \"\": {\n    },\n    \"node_modules/a\": {\n      \"resolved\": \"https://registry.npmjs.org/a.tgz\",\n      \"integrity\": \"sha512-x\",\n      \"bin\": {\n        \"a\": \"a\"\n      }\n    }\n",
            ),
            (
                "models/requirements.txt",
                "# What it needs.\na==1 \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n",
            ),
            ("notes.txt", "a\n"),
        ];
        for (path, text) in cases {
            assert_eq!(check(path, text), [], "{path}");
        }
    }

    #[test]
    fn an_entry_without_a_hash_or_from_elsewhere_is_named_with_its_line() {
        let cases = [
            ("Cargo.lock", "source = \"git+https://example.org/a\"\n", 1, "expected crates.io"),
            (
                "Cargo.lock",
                "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n",
                1,
                "without a checksum",
            ),
            (
                "package-lock.json",
                "    \"node_modules/a\": {\n      \"version\": \"1\"\n    },\n",
                1,
                "sha512",
            ),
            (
                "package-lock.json",
                "    \"node_modules/a\": {\n      \"resolved\": \"https://example.org/a.tgz\",\n      \"integrity\": \"sha512-x\"\n    }\n",
                2,
                "is not below https://registry.npmjs.org/",
            ),
            ("requirements-x.txt", "a==1\nb==2 \\\n    --hash=sha256:00\n", 1, "`a==1` has no version"),
            ("requirements.txt", "a>=1 \\\n    --hash=sha256:00\n", 1, "`a>=1 \\` has no version"),
        ];
        for (path, text, line, message) in cases {
            let found = check(path, text);
            assert_eq!(found.len(), 1, "{text:?}: {found:?}");
            assert_eq!(found[0].line, line, "{text:?}");
            assert!(found[0].message.contains(message), "{found:?}");
        }
    }
}
