//! The IR's text form and its verifier, on files.
//!
//! * Each `round_trip/*.uir` verifies, and prints exactly as it stands there.
//! * Each `rejected/*.uir` is refused with what its first line says after `; error:`, or `; line N:` where the text
//!   cannot be read.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn files(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(dir);
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 5, "the files are missing");
    files
}

#[test]
fn what_is_printed_reads_back() {
    for path in files("round_trip") {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(&path).unwrap();
        let module = ir::parse::parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("{name}: {}", e[0]));
        let printed = ir::print::module_to_text(&module);
        assert_eq!(printed, text, "{name}");
    }
}

#[test]
fn broken_modules_are_refused_with_the_reason() {
    for path in files("rejected") {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap();
        let module = ir::parse::parse_module(&text);
        if let Some(wanted) = first.strip_prefix("; error: ") {
            let module = module.unwrap_or_else(|e| panic!("{name}: {e}"));
            let errors = ir::verify::verify_module(&module).expect_err(&name);
            let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
            assert!(said.iter().any(|e| e.contains(wanted)), "{name}: {said:?}");
        } else {
            let (line, wanted) = first.strip_prefix("; line ").and_then(|l| l.split_once(": ")).expect(&name);
            let e = module.expect_err(&name);
            assert!(e.message.contains(wanted) && e.line.to_string() == line, "{name}: {e}");
        }
    }
}
