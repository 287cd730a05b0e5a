//! Golden tests of lowering: each source under `tests/lower` becomes the IR in the `.uir` file beside it, which verifies
//! and reads back. `UNSPOOL_BLESS=1` writes the expected files anew: read the difference before it is committed.
#![allow(clippy::unwrap_used)]

use ir::Module;
use sema::{SemaOptions, check};
use source::Session;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

fn dialect_of(path: &Path) -> Dialect {
    match path.extension().and_then(|e| e.to_str()) {
        Some("cl") => Dialect::OPENCL,
        _ => Dialect::CUDA,
    }
}

/// The IR of a source that has no errors.
fn lowered(name: &str, dialect: Dialect, text: &str) -> Module {
    let mut session = Session::default();
    let file = session.sources.add(name, text.to_owned()).unwrap();
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), file);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    let program = check(&mut session, &SemaOptions::new(dialect), &ast);
    let mut module = Module::default();
    if !session.diagnostics.has_errors() {
        let opencl = dialect.is_opencl();
        let options = lower::Options { opencl, global_offset: opencl, ..lower::Options::default() };
        assert!(lower::library_functions(&program).is_empty(), "{name}: these tests have no library");
        lower::lower(&mut session, &program, &options, &mut module);
    }
    let said: Vec<&str> = session.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(!session.diagnostics.has_errors(), "{name}: {said:?}");
    module
}

fn sources() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "cl" || e == "cu"));
    files.sort();
    assert!(files.len() > 5, "the files are missing");
    files
}

#[test]
fn sources_become_the_ir_beside_them() {
    let bless = std::env::var_os("UNSPOOL_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in sources() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let module = lowered(name, dialect_of(&path), &std::fs::read_to_string(&path).unwrap());
        let text = ir::print::module_to_text(&module);
        ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("{name}: {}\n{text}", e[0]));
        let again = ir::parse::parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(ir::print::module_to_text(&again), text, "{name} prints differently when read back");
        let golden = path.with_file_name(format!("{name}.uir"));
        if bless {
            std::fs::write(&golden, &text).unwrap();
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != text {
            wrong.push(format!("{name}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "the IR differs (UNSPOOL_BLESS=1 accepts it):\n{}", wrong.join("\n"));
}

/// Each case was compared with all before it, and each branch to one looked through all of the switch's targets.
#[test]
fn switches_took_time_with_the_square_of_their_cases() {
    let time = |n: usize| {
        let cases: String = (0..n).map(|i| format!("case {}: r = {i}; break;\n", 3 * i)).collect();
        let text = format!(
            "kernel void k(global int *o, global const int *x) {{
                int r = 0;
                switch (x[0]) {{ {cases} }}
                o[0] = r;
            }}"
        );
        let best = (0..3).map(|_| {
            let start = processor_time();
            lowered("switch.cl", Dialect::OPENCL, &text);
            processor_time() - start
        });
        best.min().unwrap()
    };
    time(10);
    let (small, large) = (time(1500), time(15_000));
    assert!(large < small * 40, "{small} ns, {large} ns");
}

/// What this thread has run, in nanoseconds: other work on the machine does not count.
fn processor_time() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ran = said.split_whitespace().next().and_then(|n| n.parse().ok());
    ran.unwrap_or_else(|| START.elapsed().as_nanos() as u64)
}
