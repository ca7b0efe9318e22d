//! The module works in the engine's memory, so it imports one, and it needs neither a stack of its own nor data.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--import-memory");
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=0");
    }
}
