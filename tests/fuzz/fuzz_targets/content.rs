//! `cargo +nightly fuzz run content`: see `pincite_tests::fuzz::content`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::content(bytes));
