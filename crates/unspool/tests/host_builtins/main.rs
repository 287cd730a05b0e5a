//! OpenCL C's builtin functions on the host: every one compiles for every type and width, and those whose results are
//! exact give, in the interpreter, what plain Rust gives. (How exact the others are is measured in `sema`; here a few
//! values of each show that our own front end compiles the library to what a C compiler makes of it.)

mod compile_all;
mod convert;
mod cuda;
mod integers;
mod maths;
mod relational;
mod vectors;

use interp::{Arg, LaunchConfig, Limits, Machine};
use unspool::{Compilation, Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

/// Whether IR asks for an approximation that processors do not give; they do estimate inverse roots, and make roots of them.
fn only_gpus_have(ir: &str) -> bool {
    ir.match_indices(".approx").any(|(at, _)| !ir[..at].ends_with("sqrt"))
}

/// A program compiled for the host.
struct Program(Compilation);

impl Program {
    fn new(text: &str, level: OptLevel) -> Self {
        Self::check(text, level, &Emit::Ir)
    }

    fn check(text: &str, level: OptLevel, emit: &Emit) -> Self {
        let mut options = Options::host(Dialect::OPENCL);
        options.level = level;
        let out = compile(&Input::text("builtins.cl", text), &options, emit);
        assert!(out.succeeded(), "{}", said(&out));
        let ir = out.output().unwrap_or_default();
        assert!(!only_gpus_have(ir), "an instruction that only GPUs have:\n{ir}");
        Self(out)
    }

    /// Runs a kernel over `n` work-items with buffers of these contents and a result of so many bytes; the result.
    fn run(&self, kernel: &str, n: u32, inputs: &[Vec<u8>], bytes: usize) -> Vec<u8> {
        let mut machine = Machine::new(&self.0.module);
        let mut args = Vec::new();
        for data in inputs {
            args.push(Arg::Pointer(machine.alloc_bytes(data).expect("memory")));
        }
        let out = machine.alloc_global(bytes as u64).expect("memory");
        args.push(Arg::Pointer(out));
        let id = self.0.module.find(kernel).unwrap_or_else(|| panic!("no kernel {kernel}"));
        if let Err(t) = machine.launch(id, &LaunchConfig::items(n), &args, &Limits::default()) {
            panic!("{kernel}: {t}");
        }
        machine.read(out, bytes as u64).expect("the result").to_vec()
    }
}

/// The first complaints of a compilation.
fn said(out: &Compilation) -> String {
    let lines: Vec<_> = out
        .session
        .diagnostics
        .iter()
        .take(5)
        .map(|d| format!("{}: {} {}", out.session.sources.display(d.span()), d.code, d.message))
        .collect();
    lines.join("\n")
}

/// The eight integer types: name, bits, signedness.
const INTEGERS: [(&str, u32, bool); 8] = [
    ("char", 8, true),
    ("uchar", 8, false),
    ("short", 16, true),
    ("ushort", 16, false),
    ("int", 32, true),
    ("uint", 32, false),
    ("long", 64, true),
    ("ulong", 64, false),
];

/// Widths of a vector type as they are written.
const WIDTHS: [&str; 6] = ["", "2", "3", "4", "8", "16"];

/// The low bytes of a number, as memory has them.
fn bytes_of(v: i128, bits: u32) -> Vec<u8> {
    v.to_le_bytes()[..bits as usize / 8].to_vec()
}

/// A number from memory.
fn number(bytes: &[u8], signed: bool) -> i128 {
    let mut all = [0u8; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    if signed && bytes.last().is_some_and(|b| b & 0x80 != 0) {
        all[bytes.len()..].fill(0xff);
    }
    i128::from_le_bytes(all)
}

/// The least and largest number of an integer type.
fn range(bits: u32, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// A number reduced to a type as C does.
fn wrap(v: i128, bits: u32, signed: bool) -> i128 {
    number(&bytes_of(v, bits), signed)
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Numbers worth trying of an integer type: the ends, what is near zero and powers of two, some others.
fn samples(bits: u32, signed: bool) -> Vec<i128> {
    let (low, high) = range(bits, signed);
    let mut all = vec![low, low + 1, high, high - 1, 0, 1, 2, 3, 7, high / 2, high / 2 + 1, high / 3];
    if signed {
        all.extend([-1, -2, -3, -7, low / 2, low / 3]);
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    all.extend((0..8).map(|_| wrap(i128::from(random.next()), bits, signed)));
    all
}
