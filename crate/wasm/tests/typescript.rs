//! The committed TypeScript is that of the Rust types, and every type that the API names is declared.
//! `UPDATE_TYPES=1 cargo test --workspace --test typescript` writes the file.

#![cfg(not(target_arch = "wasm32"))]

const COMMITTED: &str = include_str!("../src/types.d.ts");

#[test]
fn the_committed_typescript_is_that_of_the_rust_types() {
    let generated = pincite_wasm::typescript();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/types.d.ts"), generated).unwrap();
        return;
    }
    assert!(generated == COMMITTED, "stale: UPDATE_TYPES=1 cargo test --workspace --test typescript");
}

#[test]
fn the_types_of_arguments_and_results_are_declared() {
    let generated = pincite_wasm::typescript();
    for source in [include_str!("../src/api.rs"), include_str!("../src/asking.rs")] {
        // In `unchecked_return_type = "Answer"` and its like.
        let annotated = source.split("unchecked_").skip(1).filter_map(|rest| rest.split('"').nth(1));
        let words = annotated.flat_map(|types| types.split(|c: char| !c.is_alphanumeric()));
        for name in words.filter(|word| word.starts_with(char::is_uppercase) && *word != "OnProgress") {
            assert!(generated.contains(&format!("export type {name} = ")), "{name} has no declaration");
        }
    }
}
