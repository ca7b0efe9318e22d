//! `cargo +nightly fuzz run segment`: see `pincite_tests::fuzz::segment`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::segment(bytes));
