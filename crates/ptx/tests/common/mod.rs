//! What the tests share: emitting, finding lines, assembling.
#![allow(dead_code, clippy::print_stderr)]

use ir::{AddrSpace, Builder, FnKind, FuncId, Function, Module, Param, ParamAttrs, Type, Value};
use ptx::{EmitOptions, PtxTarget, emit};
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use target::Arch;

/// A pointer to global memory.
pub(crate) const GLOBAL: Type = Type::ptr(AddrSpace::Global);

pub(crate) fn target(sm: u32) -> PtxTarget {
    PtxTarget::new(Arch::from_number(sm).expect("known architecture"))
}

pub(crate) fn param(ty: Type) -> Param {
    Param { ty, name: String::new(), attrs: ParamAttrs::default() }
}

/// Adds a function whose entry block is built by `f`.
pub(crate) fn add(
    m: &mut Module,
    name: &str,
    kind: FnKind,
    params: &[Type],
    ret: Type,
    f: impl FnOnce(&mut Builder, &[Value]),
) -> FuncId {
    let mut func = Function::new(name, kind);
    func.params = params.iter().map(|&t| param(t)).collect();
    func.ret = ret;
    let entry = func.new_entry_block();
    let args = func.dfg.params(entry).to_vec();
    let mut b = Builder::at_end(&mut func, entry);
    f(&mut b, &args);
    m.functions.push(func)
}

pub(crate) fn kernel(m: &mut Module, name: &str, params: &[Type], f: impl FnOnce(&mut Builder, &[Value])) -> FuncId {
    add(m, name, FnKind::Kernel, params, Type::VOID, f)
}

pub(crate) fn emit_for(m: &Module, sm: u32) -> String {
    if let Err(errors) = ir::verify::verify_module(m) {
        panic!("the test's module is wrong: {}", errors[0]);
    }
    emit(m, &target(sm), &EmitOptions::default(), None).expect("emits")
}

/// `ptxas`, from `UNSPOOL_PTXAS` or a virtual environment.
pub(crate) fn ptxas() -> Option<&'static PathBuf> {
    static PATH: OnceLock<Option<PathBuf>> = OnceLock::new();
    PATH.get_or_init(|| {
        let found = std::env::var_os("UNSPOOL_PTXAS").map(PathBuf::from).filter(|p| p.is_file()).or_else(|| {
            let venv = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.venv/lib");
            let libs = std::fs::read_dir(venv).ok()?;
            libs.flatten().map(|d| d.path().join("site-packages/nvidia/cu13/bin/ptxas")).find(|p| p.is_file())
        });
        if found.is_none() {
            eprintln!("SKIPPED: no ptxas (set UNSPOOL_PTXAS, or pip install nvidia-cuda-nvcc)");
        }
        found
    })
    .as_ref()
}

/// Assembles; panics with the assembler's words and the text if it refuses.
pub(crate) fn assemble(text: &str, name: &str, sm: u32) {
    let Some(ptxas) = ptxas() else { return };
    let path = std::env::temp_dir().join(format!("unspool-ptx-{}-{name}-{sm}.ptx", std::process::id()));
    std::fs::write(&path, text).expect("temporary file");
    let sm = sm.max(75);
    let out = Command::new(ptxas)
        .args(["-O0", "-o", "/dev/null", &format!("-arch=sm_{sm}")])
        .arg(&path)
        .output()
        .expect("ptxas");
    if !out.status.success() {
        // Each complaint with the line that it is about.
        let words = String::from_utf8_lossy(&out.stderr).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let shown = words.lines().take(12).map(|w| {
            let n: usize = w.split("line ").nth(1).and_then(|r| r.split(';').next()?.parse().ok()).unwrap_or(0);
            format!("{w}\n    {}\n", n.checked_sub(1).and_then(|n| lines.get(n)).unwrap_or(&""))
        });
        panic!("ptxas refuses:\n{}", shown.collect::<String>());
    }
    let _ = std::fs::remove_file(&path);
}

/// Emits for every architecture that matters and assembles.
pub(crate) fn assemble_everywhere(m: &Module, name: &str) {
    for sm in [50, 75, 80, 90, 100] {
        assemble(&emit_for(m, sm), name, sm);
    }
}

/// Checks that the lines contain the fragments in this order, whitespace aside.
pub(crate) fn check(text: &str, wanted: &[&str]) {
    let squeeze = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = text.lines().map(squeeze);
    for w in wanted {
        assert!(lines.any(|l| l.contains(w)), "`{w}` not found (in order) in:\n{text}");
    }
}
