//! The committed TypeScript of the modules is that of the Rust types, and every type that their API names is declared.
//! `UPDATE_TYPES=1 cargo test --workspace --test typescript` writes the files.

#![cfg(not(target_arch = "wasm32"))]

/// A module's declarations: those generated, those committed, their file, and the sources that name types.
struct Module {
    generated: String,
    committed: &'static str,
    file: &'static str,
    sources: &'static [&'static str],
}

fn modules() -> [Module; 4] {
    [
        Module {
            generated: pincite_wasm::typescript(),
            committed: include_str!("../src/types.d.ts"),
            file: concat!(env!("CARGO_MANIFEST_DIR"), "/src/types.d.ts"),
            sources: &[include_str!("../src/api.rs"), include_str!("../src/asking.rs")],
        },
        Module {
            generated: wasm_ingest::typescript(),
            committed: include_str!("../../wasm-ingest/src/types.d.ts"),
            file: concat!(env!("CARGO_MANIFEST_DIR"), "/../wasm-ingest/src/types.d.ts"),
            sources: &[include_str!("../../wasm-ingest/src/lib.rs")],
        },
        Module {
            generated: wasm_encoder::typescript(),
            committed: include_str!("../../wasm-encoder/src/types.d.ts"),
            file: concat!(env!("CARGO_MANIFEST_DIR"), "/../wasm-encoder/src/types.d.ts"),
            sources: &[include_str!("../../wasm-encoder/src/lib.rs")],
        },
        Module {
            generated: wasm_lab::typescript(),
            committed: include_str!("../../wasm-lab/src/types.d.ts"),
            file: concat!(env!("CARGO_MANIFEST_DIR"), "/../wasm-lab/src/types.d.ts"),
            sources: &[include_str!("../../wasm-lab/src/lib.rs")],
        },
    ]
}

#[test]
fn the_committed_typescript_is_that_of_the_rust_types() {
    for Module { generated, committed, file, .. } in modules() {
        if std::env::var_os("UPDATE_TYPES").is_some() {
            std::fs::write(file, generated).unwrap();
            continue;
        }
        assert!(
            generated == committed,
            "{file} is stale: UPDATE_TYPES=1 cargo test --workspace --test typescript"
        );
    }
}

#[test]
fn the_types_of_arguments_and_results_are_declared() {
    for Module { generated, sources, .. } in modules() {
        // In `unchecked_return_type = "Answer"` and its like.
        let annotated = sources.iter().flat_map(|source| source.split("unchecked_").skip(1));
        let annotated = annotated.filter_map(|rest| rest.split('"').nth(1));
        let words = annotated.flat_map(|types| types.split(|c: char| !c.is_alphanumeric()));
        for name in words.filter(|word| word.starts_with(char::is_uppercase) && *word != "OnProgress") {
            assert!(generated.contains(&format!("export type {name} = ")), "{name} has no declaration");
        }
    }
}
