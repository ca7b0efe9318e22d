//! `cargo +nightly fuzz run cmap`: see `pincite_tests::fuzz::cmap`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::cmap(bytes));
