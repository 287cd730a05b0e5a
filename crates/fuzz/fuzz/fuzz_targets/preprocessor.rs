#![no_main]
//! `cargo fuzz run preprocessor`

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::layers::preprocessor(data));
