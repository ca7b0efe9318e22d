//! A module that registers things when it starts (tract's `inventory`) would do so again at every call from
//! JavaScript: the linker wraps each export for a program that is run once. Exporting the constructors says that this
//! is a library; the worker calls them once, before anything else.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--export=__wasm_call_ctors");
    }
}
