#![no_main]
//! `cargo fuzz run parser`

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::layers::parser(data));
