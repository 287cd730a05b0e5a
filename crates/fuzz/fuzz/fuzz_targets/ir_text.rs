#![no_main]
//! `cargo fuzz run ir_text`

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::layers::ir_text(data));
