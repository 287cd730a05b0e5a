//! The rewrite rules of `simplify`, a line or a few for each: `rules/*.txt`.
//!
//! ```text
//! ; x + 0 = x
//! (i32) v1: i32 = add v0, i32:0
//! => v0
//! ```
//!
//! A case is a function's parameter types and its instructions, in the text form of the IR; it returns what the last one
//! computes. After `=>` stands what the pass leaves of it, and, unless that is the last instruction's result, what is
//! returned then. Lines that begin with `global` before the first case belong to every case.
//!
//! Each case is also executed by the reference interpreter, before and after, on all combinations of telling values,
//! except where fast-math flags allow other results.
//!
//! `UNSPOOL_BLESS=1 cargo test -p unspool-opt --test rules` writes what the pass does now into the files.
#![allow(clippy::unwrap_used)]

use interp::{Arg, Limits, Machine};
use ir::{FnKind, Function, Module, Type};
use opt::PassContext;
use source::Session;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Most executions of one case.
const MAX_RUNS: usize = 3_000;

/// One rule.
struct Case {
    /// Its first line in the file, from 1.
    line: usize,
    params: Vec<String>,
    body: Vec<String>,
    expected: Vec<String>,
}

/// A file of rules.
struct File {
    globals: String,
    cases: Vec<Case>,
}

fn read(text: &str) -> File {
    let mut file = File { globals: String::new(), cases: Vec::new() };
    let mut after_arrow = false;
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(';') {
            after_arrow |= line.is_empty();
        } else if line.starts_with("global") {
            let _ = writeln!(file.globals, "{line}");
        } else if let Some(rest) = line.strip_prefix('(') {
            let (params, body) = rest.split_once(')').unwrap_or_else(|| panic!("line {}: no `)`", n + 1));
            let params = params.split(',').map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
            let body = vec![body.trim().to_owned()];
            file.cases.push(Case { line: n + 1, params, body, expected: Vec::new() });
            after_arrow = false;
        } else {
            let case = file.cases.last_mut().unwrap_or_else(|| panic!("line {}: no case begins", n + 1));
            match line.strip_prefix("=>") {
                Some(rest) => {
                    after_arrow = true;
                    case.expected.push(rest.trim().to_owned());
                }
                None if after_arrow => case.expected.push(line.to_owned()),
                None => case.body.push(line.to_owned()),
            }
        }
    }
    file
}

/// `v3` and its type, of `v3: i32 = …`.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (left, _) = line.split_once(" = ")?;
    left.split_once(": ")
}

impl Case {
    fn module(&self, globals: &str) -> Module {
        let (value, ty) = self.body.iter().rev().find_map(|l| definition(l)).expect("a case computes something");
        let mut text = format!("module \"t\"\nmath prec_div prec_sqrt fmad\n{globals}\n");
        let params: Vec<String> = self.params.iter().enumerate().map(|(n, p)| format!("v{n}: {p}")).collect();
        let _ = writeln!(text, "fn @f({}) -> {ty} external {{\nblock0({}):", self.params.join(", "), params.join(", "));
        for line in &self.body {
            let _ = writeln!(text, "  {line}");
        }
        let _ = writeln!(text, "  return {value}\n}}");
        let text = text.replace("block0():", "block0:");
        let module = ir::parse::parse_module(&text).unwrap_or_else(|e| panic!("line {}: {e}\n{text}", self.line));
        ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("line {}: {}\n{text}", self.line, e[0]));
        module
    }

    /// Whether the program allows other results.
    fn is_fast(&self) -> bool {
        let fast = ["nnan", "ninf", "nsz", "arcp", "afn", "reassoc", "fast"];
        self.body.iter().any(|l| l.split(' ').any(|w| fast.contains(&w)))
    }

    fn values(&self, param: &str) -> Vec<Arg> {
        let ty = self.type_of(param);
        if ty.is_vector() {
            let lanes = u64::from(ty.lanes());
            return (0..5)
                .map(|k| Arg::Vector((0..lanes).map(|n| (n * 77 + k * 1001) & ty.mask()).collect()))
                .collect();
        }
        telling(ty).into_iter().map(Arg::Value).collect()
    }

    fn type_of(&self, text: &str) -> Type {
        let module = format!("fn @f({text}) {{\nblock0(v0: {text}):\n  return\n}}");
        ir::parse::parse_module(&module).unwrap().functions.values().next().unwrap().params[0].ty
    }
}

/// Bits at which rules tend to be wrong.
fn telling(ty: Type) -> Vec<u64> {
    let mask = ty.mask();
    let floats: &[f64] =
        &[0.0, -0.0, 1.0, -1.0, 1.5, -2.25, 3.0e-40, 6.0e-8, 1.0e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    match ty {
        Type::F32 => floats.iter().map(|&x| u64::from((x as f32).to_bits())).collect(),
        Type::F64 => floats.iter().map(|x| x.to_bits()).collect(),
        Type::F16 => vec![0, 0x8000, 0x3c00, 0xbc00, 0x3e00, 0x0001, 0x7bff, 0x7c00, 0xfc00, 0x7e00],
        _ if ty.bits() == 1 => vec![0, 1],
        _ => {
            let mut bits = vec![0, 1, 2, 3, 7, 8, 31, 32, 33, 100, mask, mask - 1, mask >> 1, (mask >> 1) + 1];
            bits.push(0x1234_5678_9abc_def0 & mask);
            bits.sort_unstable();
            bits.dedup();
            bits
        }
    }
}

/// What the pass leaves of the function: its instructions, and what it returns if that is not the last result.
fn simplified(module: &mut Module) -> Vec<String> {
    let id = module.functions.keys().next().unwrap();
    let mut func = std::mem::replace(&mut module.functions[id], Function::new("", FnKind::Device));
    let (mut session, options) = (Session::default(), opt::Options::default());
    let mut cx = PassContext::new(module, id, &mut session, &options);
    opt::simplify::run(&mut func, &mut cx);
    module.functions[id] = func;
    let text = ir::print::module_to_text(module);
    ir::verify::verify_module(module).unwrap_or_else(|e| panic!("{}\n{text}", e[0]));
    let body = text.lines().skip_while(|l| !l.starts_with("block0")).skip(1).take_while(|l| !l.starts_with('}'));
    let mut lines: Vec<String> = body.map(|l| l.trim().to_owned()).collect();
    let returned = lines.pop().and_then(|l| l.strip_prefix("return ").map(str::to_owned)).unwrap_or_default();
    if lines.last().and_then(|l| definition(l)).is_none_or(|(value, _)| value != returned) {
        lines.push(returned);
    }
    lines
}

fn run(module: &Module, args: &[Arg]) -> Option<Vec<Option<u64>>> {
    let mut machine = Machine::new(module);
    let id = module.functions.keys().next().unwrap();
    let args: Vec<Arg> = args
        .iter()
        .zip(&module.functions[id].params)
        .map(|(a, p)| if p.ty.is_ptr() { Arg::Pointer(machine.alloc_bytes(&[7; 64]).unwrap()) } else { a.clone() })
        .collect();
    machine.call(id, &args, &Limits { races: false, ..Limits::default() }).ok()
}

/// Executes a case before and after; where the program has a result, it must stay.
fn same_results(case: &Case, before: &Module, after: &Module) -> Result<(), String> {
    let values: Vec<Vec<Arg>> = case.params.iter().map(|p| case.values(p)).collect();
    let all: usize = values.iter().map(Vec::len).product();
    let ty = before.functions.values().next().unwrap().ret;
    let is_nan = |bits: u64| match ty.scalar() {
        Type::F32 => f32::from_bits(bits as u32).is_nan(),
        Type::F64 => f64::from_bits(bits).is_nan(),
        Type::F16 => bits & 0x7fff > 0x7c00,
        _ => false,
    };
    // An odd step that has no factor in common with the number of combinations visits all kinds of them.
    let step = if all > MAX_RUNS { all / MAX_RUNS * 2 + 1 } else { 1 };
    for n in (0..all).step_by(step) {
        let mut rest = n;
        let args: Vec<Arg> = values
            .iter()
            .map(|v| {
                let arg = v[rest % v.len()].clone();
                rest /= v.len();
                arg
            })
            .collect();
        let Some(old) = run(before, &args) else { continue };
        let new = run(after, &args).ok_or_else(|| format!("traps for {args:?}"))?;
        let same = |(a, b): (&Option<u64>, &Option<u64>)| match (*a, *b) {
            (None, _) => true,
            (Some(a), Some(b)) => a == b || is_nan(a) && is_nan(b),
            _ => false,
        };
        if !old.iter().zip(&new).all(same) {
            return Err(format!("{args:?} gave {old:x?} and gives {new:x?}"));
        }
    }
    Ok(())
}

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 5, "the files are missing");
    files
}

/// The file with other expectations.
fn blessed(text: &str, cases: &[(usize, Vec<String>)]) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for (n, line) in text.lines().enumerate() {
        skipping &= !line.trim().is_empty();
        if skipping {
            continue;
        }
        if line.trim_start().starts_with("=>") {
            let case = cases.iter().rev().find(|(at, _)| *at <= n + 1).unwrap();
            let _ = writeln!(out, "=> {}", case.1.join("\n   "));
            skipping = true;
        } else {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

#[test]
fn every_rule_does_what_its_line_says_and_keeps_the_result() {
    let mut wrong = String::new();
    let mut count = 0;
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = read(&text);
        let mut found = Vec::new();
        for case in &file.cases {
            let before = case.module(&file.globals);
            let mut after = before.clone();
            let lines = simplified(&mut after);
            let place = format!("{}:{}", path.file_name().unwrap().to_string_lossy(), case.line);
            if lines != case.expected {
                let _ = writeln!(wrong, "{place}: {}\n  found {lines:#?}", case.body.join("; "));
            }
            if !case.is_fast()
                && let Err(e) = same_results(case, &before, &after)
            {
                let _ = writeln!(wrong, "{place}: {}\n  {e}", case.body.join("; "));
            }
            found.push((case.line, lines));
            count += 1;
        }
        if std::env::var_os("UNSPOOL_BLESS").is_some() {
            std::fs::write(&path, blessed(&text, &found)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 200, "only {count} cases");
}
