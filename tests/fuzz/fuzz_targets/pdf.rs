//! `cargo +nightly fuzz run pdf`: see `pincite_tests::fuzz::pdf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::pdf(bytes));
