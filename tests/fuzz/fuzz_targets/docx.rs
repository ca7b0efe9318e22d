//! `cargo +nightly fuzz run docx`: see `pincite_tests::fuzz::docx`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::docx(bytes));
