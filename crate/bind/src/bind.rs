//! `bind WASM FOLDER`: the glue and the types of a compiled engine, as `wasm-bindgen --target web` writes them.

use std::path::PathBuf;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: bind WASM FOLDER";

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let wasm = arguments.next().context(USAGE)?;
    let folder = arguments.next().context(USAGE)?;
    // The names of functions would be half a megabyte more to download; a panic's message says where it was anyway.
    Bindgen::new()
        .input_path(&wasm)
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&folder)
        .with_context(|| format!("binding {}", wasm.display()))
}
