#![no_main]
//! `cargo fuzz run compiler`

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::layers::compiler(data));
