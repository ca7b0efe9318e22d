//! `cargo +nightly fuzz run font`: see `pincite_tests::fuzz::font`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pincite_tests::fuzz::font(bytes));
