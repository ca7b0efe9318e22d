//! The product and `wasm-pack test` must be built from the same packages with the same features, or everything that
//! depends on the one that differs, tract above all, is compiled twice for wasm: five minutes of CPU.
//!
//! Dev-dependencies switch features on for the tests only; the mend is to ask for the same features in the normal
//! dependencies of the wasm crate.

use std::collections::BTreeSet;

use super::problem::Problem;

/// `product` and `tests` are what `cargo tree` prints without and with dev-dependencies, `name version [features]`, with an
/// empty line between two trees.
pub fn check(place: &str, product: &str, tests: &str) -> Vec<Problem> {
    let [product, tests] = [product, tests].map(packages);
    product
        .difference(&tests)
        .map(|line| {
            let name = line.rsplit_once(" [").map_or(*line, |(name, _)| name);
            let in_tests = tests
                .iter()
                .filter(|other| !product.contains(*other))
                .find(|other| other.starts_with(&format!("{name} [")))
                .map_or("absent", |other| other.get(name.len() + 1..).unwrap_or_default());
            let message =
                format!("in the tests, {line} is {in_tests}: what depends on it would be compiled twice");
            Problem::new(place, 0, message)
        })
        .collect()
}

/// Cargo marks a package that it has printed before with a star.
fn packages(tree: &str) -> BTreeSet<&str> {
    tree.lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.strip_suffix(" (*)").unwrap_or(line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_only_the_tests_have_do_not_matter() {
        let product = "memchr v2.8.3 [alloc,std]\nnom v8.0.0 []\nmemchr v2.8.3 [alloc,std] (*)\n";
        let tests = "memchr v2.8.3 [alloc,std]\nnom v8.0.0 []\npdf-writer v0.15.0 []\n";
        assert_eq!(check("crate/wasm/Cargo.toml", product, tests), []);
    }

    #[test]
    fn a_feature_that_only_the_tests_switch_on_is_named() {
        let product = "memchr v2.8.3 [alloc,std]\n";
        let tests = "memchr v2.8.3 [alloc,default,std]\n";
        let found = check("crate/wasm/Cargo.toml", product, tests);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].message.starts_with("in the tests, memchr v2.8.3 [alloc,std] is [alloc,default,std]")
        );
    }
}
