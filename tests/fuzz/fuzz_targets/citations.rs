//! `cargo +nightly fuzz run citations`: see `pincite_tests::fuzz::citations`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::citations(bytes));
