//! Source programs with what they compute: `run/*.cl`, `run/*.cu` and `run/*.c` (in both languages).
//!
//! A file holds kernels written `BEGIN(name) … END`. In one, `I(e)` stores an integer, `F(e)` a floating-point value
//! and `N(e)` a pointer's or address's truth; what is stored is written behind it, in order of execution:
//!
//! ```c
//! //@ block=32
//! BEGIN(promotions)
//!     uchar a = V(200), b = V(100);
//!     I(a + b); //= 300
//!     F(a / 8.0f); //= 25
//!     F(sqrt((float)b)); //~ 10.0
//! END
//! ```
//!
//! `//=` is exact, `//~` within 2e-6 of the value. Each work-item has results of its own and all must be alike; in an
//! expected value `id` is the global linear index of the work-item, `lid` the one in its group, `gid` the group's; they
//! may be added and multiplied (`3*id+1`). `V(x)` is `x`, which the compiler sees or does not. Directives before a kernel:
//! `//@ grid=G block=B shared=S` (launch; `block=warp`: one whole warp), `//@ printf=TEXT` (all that it prints), `//@ trap=TEXT` (the launch ends so, in
//! the interpreter's words), `//@ races=off`, `//@ symbol=NAME` (of a template's instance, written `TEMPLATE(name, int R)`
//! in CUDA: that there is one is the file's host code to see to), and, first in the file, `//@ file …` with `arch=sm_90` (or
//! several, `arch=sm_80,sm_90`: the file is compiled for each), `define=NAME=VALUE`, `std=300` (of OpenCL C; else 120) or `std=20` (of C++; else 17).

use interp::{Arg, LaunchConfig, Limits, Machine};
use ir::Module;
use libtest_mimic::{Failed, Trial};
use source::Span;
use source::render::{Colour, diagnostics_to_text};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unspool::{Arch, Compilation, Dialect, Emit, Input, OptLevel, Options, Target, compile_with_log as compile};

/// What every OpenCL file starts with.
const OPENCL_PRELUDE: &str = "#define BEGIN(name) kernel void name(global long *out_, int zero_, int count_) { \
     out_ += ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)) * count_;
#define I(e) (*out_++ = (long)(e))
#define F(e) (*out_++ = as_long((double)(e)))
#define FN
#define CONST constant
";

/// What every CUDA file starts with.
const CUDA_PRELUDE: &str =
    "#define BEGIN(name) extern \"C\" __global__ void name(long long *out_, int zero_, int count_) { \
     out_ += (blockIdx.x * blockDim.x + threadIdx.x) * count_;
#define TEMPLATE(name, ...) template <__VA_ARGS__> __global__ void name(long long *out_, int zero_, int count_) { \
     out_ += (blockIdx.x * blockDim.x + threadIdx.x) * count_;
#define I(...) (*out_++ = (long long)(__VA_ARGS__))
#define F(...) (*out_++ = __double_as_longlong((double)(__VA_ARGS__)))
#define FN __device__
#define CONST __constant__ const
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
";

const COMMON_PRELUDE: &str = "#define END }
#ifdef KNOWN
#define V(x) (x)
#else
#define V(x) ((x) + zero_)
#endif
";

/// What fills results before the launch.
pub const SENTINEL: u8 = 0xa5;

/// A test file, in one language, for one architecture.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, with the language where it is for both, and the architecture where it is for several.
    pub name: String,
    /// Its text, with the prelude.
    pub text: String,
    /// Its kernels.
    pub kernels: Vec<Kernel>,
    /// The architectures that it names.
    archs: Vec<Arch>,
    /// How it is compiled, but for what varies.
    pub options: Options,
}

/// A kernel and what it does.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The launch.
    pub config: LaunchConfig,
    /// What each work-item stores.
    pub expected: Vec<Expected>,
    /// What all of them print.
    pub printf: Option<String>,
    /// How the launch ends, in the interpreter's words.
    pub trap: Option<String>,
    /// Whether races are looked for.
    pub races: bool,
    /// Whether a group is one whole warp, of whatever size: `config` has 32.
    pub whole_warp: bool,
}

impl Default for Kernel {
    fn default() -> Self {
        Self {
            name: String::new(),
            config: LaunchConfig::items(1),
            expected: Vec::new(),
            printf: None,
            trap: None,
            races: true,
            whole_warp: false,
        }
    }
}

/// A stored value.
#[derive(Clone, Debug)]
pub struct Expected {
    line: usize,
    text: String,
    about: bool,
}

/// How a file is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// For what; `None` for the GPU that the file names.
    pub target: Option<Target>,
    /// How hard.
    pub level: OptLevel,
    /// Whether the compiler sees constants.
    pub known: bool,
}

/// All files, in each of their languages.
///
/// # Panics
/// If they cannot be read.
pub fn files() -> Vec<Arc<File>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("run");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&dir).map_or_else(
        |e| panic!("{}: {e}", dir.display()),
        |entries| entries.filter_map(|e| Some(e.ok()?.path())).collect(),
    );
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let stem = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let extension = path.extension().unwrap_or_default();
        for (dialect, suffix) in [(Dialect::OPENCL, "cl"), (Dialect::CUDA, "cu")] {
            if extension == "c" || extension == suffix {
                let mut file = File::parse(dialect, &stem, &text);
                if extension == "c" {
                    file.name = format!("{stem}[{suffix}]");
                }
                let others: Vec<_> = file.archs.iter().skip(1).map(|&arch| file.for_arch(arch)).collect();
                files.extend([file].into_iter().chain(others).map(Arc::new));
            }
        }
    }
    files
}

/// The trial of a file: it is compiled once a variant, and each of its [kernels](File::asked) runs what came of it. That is
/// one trial, not one a kernel, since test runners that give each trial a process of its own would compile the file in each.
pub fn trial<C>(
    file: &Arc<File>,
    variants: &'static [Variant],
    compile: fn(&File, Variant) -> Result<C, String>,
    run: fn(&File, &Kernel, Variant, &C) -> Result<(), String>,
) -> Trial
where
    C: 'static,
{
    let shared = Arc::clone(file);
    Trial::test(&file.name, move || {
        let file = &*shared;
        let mut wrong = String::new();
        for &variant in variants {
            let made = compile(file, variant).map_err(|e| format!("{variant:?}: the file does not compile\n{e}"))?;
            for kernel in file.asked() {
                if let Err(e) = run(file, kernel, variant, &made) {
                    let (target, known) =
                        (file.options_for(variant).target, ["unknown", "known"][usize::from(variant.known)]);
                    let name = &kernel.name;
                    wrong.push_str(&format!("`{name}` at {:?} for {target:?}, constants {known}:\n{e}", variant.level));
                }
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong)) }
    })
}

impl File {
    /// Reads a file.
    ///
    /// # Panics
    /// If a directive in it is wrong: these are our own files.
    pub fn parse(dialect: Dialect, name: &str, text: &str) -> Self {
        let mut options = Options::new(dialect);
        options.verify_each = true;
        let (mut kernels, mut archs) = (Vec::new(), Vec::new());
        let mut next = Kernel::default();
        let mut open = false;
        for (n, line) in text.lines().enumerate() {
            let trimmed = line.trim();
            if let Some(words) = trimmed.strip_prefix("//@ file ") {
                for w in words.split_whitespace() {
                    match w.split_once('=') {
                        Some(("arch", v)) => {
                            let parse = |v| match Arch::parse(v) {
                                Ok(parsed) => parsed.arch,
                                Err(e) => panic!("{name}:{}: {e}", n + 1),
                            };
                            archs = v.split(',').map(parse).collect();
                            options.set_arch(archs[0]);
                        }
                        Some(("define", v)) => define(&mut options, v),
                        Some(("std", v)) => match v.parse() {
                            Ok(version) if dialect.is_opencl() => options.dialect = Dialect::OpenClC { version },
                            Ok(version) => options.dialect = Dialect::CudaCxx { std: version },
                            Err(e) => panic!("{name}:{}: {e}", n + 1),
                        },
                        _ => panic!("{name}:{}: unknown directive `{w}`", n + 1),
                    }
                }
            } else if let Some(words) = trimmed.strip_prefix("//@ ") {
                next.directive(words, name, n + 1);
            } else if let Some(rest) = trimmed.strip_prefix("BEGIN(").or_else(|| trimmed.strip_prefix("TEMPLATE(")) {
                if next.name.is_empty() {
                    next.name = rest.split([',', ')']).next().unwrap_or("").to_owned();
                }
                open = true;
            } else if open && trimmed == "END" {
                kernels.push(std::mem::take(&mut next));
                open = false;
            }
            if open {
                next.expect(line, n + 1);
            }
        }
        let prelude = if dialect.is_opencl() { OPENCL_PRELUDE } else { CUDA_PRELUDE };
        let text = format!("{prelude}{COMMON_PRELUDE}#line 1 \"{name}\"\n{text}");
        Self { name: name.to_owned(), text, kernels, archs, options }
    }

    /// The kernels that are to run: all, or those whose names contain what `UNSPOOL_KERNEL` says.
    pub fn asked(&self) -> impl Iterator<Item = &Kernel> {
        let part = std::env::var("UNSPOOL_KERNEL").unwrap_or_default();
        self.kernels.iter().filter(move |k| k.name.contains(&part))
    }

    /// The same file for another of the GPUs that it names.
    fn for_arch(&self, arch: Arch) -> Self {
        let mut options = self.options.clone();
        options.set_arch(arch);
        Self { name: format!("{}[{arch}]", self.name), options, ..self.clone() }
    }

    /// Compiles it to IR.
    ///
    /// # Errors
    /// The diagnostics, as text.
    pub fn compile(&self, variant: Variant) -> Result<Compilation, String> {
        let mut options = self.options_for(variant);
        // Code for a GPU keeps its inline assembly and its products of matrices, unless it is for the interpreter's checks.
        let units = options.target.matrix_units().is_some();
        options.checks = units || self.text.contains("asm(") || self.text.contains("asm volatile(");
        let c = compile(&Input::text(&self.name, &self.text), &options, &Emit::Ir);
        if c.succeeded() { Ok(c) } else { Err(render(&c)) }
    }

    /// Compiles it to PTX, which must succeed for whatever runs.
    ///
    /// # Errors
    /// The diagnostics, as text.
    pub fn to_ptx(&self, variant: Variant) -> Result<String, String> {
        let c = compile(&Input::text(&self.name, &self.text), &self.options_for(variant), &Emit::PTX);
        match c.output() {
            Some(text) if c.succeeded() => Ok(text.to_owned()),
            _ => Err(render(&c)),
        }
    }

    /// Runs one of its kernels in the reference interpreter; `place` says where in the text a span is.
    ///
    /// # Errors
    /// What it did wrong, in words.
    pub fn interpret(
        &self,
        kernel: &Kernel,
        module: &Module,
        target: Target,
        place: impl Fn(Span) -> String,
    ) -> Result<(), String> {
        let mut machine = Machine::new(module);
        machine.set_target(target);
        let out = machine.alloc_bytes(&vec![SENTINEL; kernel.result_bytes()]).ok_or("results too large")?;
        let id = module.find(&kernel.name).ok_or("the kernel is not in the module")?;
        let args = [Arg::Pointer(out), Arg::Value(0), Arg::Value(kernel.expected.len() as u64)];
        let limits = Limits { steps: 50_000_000, races: kernel.races, ..Limits::default() };
        let ran = machine.launch(id, &kernel.config, &args, &limits);
        match (&ran, &kernel.trap) {
            (Err(t), Some(wanted)) if t.to_string().contains(wanted.as_str()) => {}
            (Err(t), _) => return Err(format!("  {}: {t}\n", place(t.span))),
            (Ok(_), Some(wanted)) => return Err(format!("  no trap `{wanted}`\n")),
            (Ok(_), None) => {}
        }
        let mut wrong = kernel.printed(machine.output()).unwrap_or_default();
        if ran.is_ok() {
            let len = kernel.result_bytes() as u64;
            let bytes = machine.read(out, len).unwrap_or_default();
            let shadow = machine.read_shadow(out, len).unwrap_or_default();
            wrong.push_str(&self.compare(kernel, bytes, |i| shadow[i] != 0));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// How it is compiled.
    pub fn options_for(&self, variant: Variant) -> Options {
        let mut options = self.options.clone();
        options.level = variant.level;
        options.target = variant.target.unwrap_or(options.target);
        if variant.known {
            define(&mut options, "KNOWN=1");
        }
        options
    }

    /// What differs between the bytes that a kernel stored and what it should have stored; empty if nothing does.
    /// `undefined` says which bytes have no value.
    pub fn compare(&self, kernel: &Kernel, bytes: &[u8], undefined: impl Fn(usize) -> bool) -> String {
        /// Differences told in full.
        const TOLD: usize = 12;
        let mut wrong = String::new();
        let count = kernel.expected.len();
        let word = |i: usize| {
            let mut w = [0; 8];
            w.copy_from_slice(&bytes[i * 8..i * 8 + 8]);
            (u64::from_le_bytes(w), (i * 8..i * 8 + 8).any(&undefined))
        };
        let block: u64 = kernel.config.block.iter().map(|&b| u64::from(b)).product();
        let mut failures = 0;
        for item in 0..kernel.items() {
            for (n, e) in kernel.expected.iter().enumerate() {
                let (bits, undefined) = word(item as usize * count + n);
                let verdict = if undefined { Some("undefined".to_owned()) } else { e.mismatch(bits, item, block) };
                if let Some(got) = verdict {
                    failures += 1;
                    if failures <= TOLD {
                        let (name, line, text) = (&self.name, e.line, &e.text);
                        wrong
                            .push_str(&format!("  {name}:{line}: result {n} of work-item {item}: {got}, not {text}\n"));
                    }
                }
            }
        }
        if word(kernel.items() as usize * count).0 != u64::from_le_bytes([SENTINEL; 8]) {
            wrong.push_str("  more results than are expected\n");
        }
        wrong
    }
}

impl Kernel {
    /// Work-items of the launch.
    pub fn items(&self) -> u64 {
        (0..3).map(|d| u64::from(self.config.grid[d]) * u64::from(self.config.block[d])).product()
    }

    /// Bytes of the buffer of results, to be filled with [`SENTINEL`].
    pub fn result_bytes(&self) -> usize {
        (self.items() as usize * self.expected.len() + 2) * 8
    }

    /// Of each result, whether it may differ a little from what is expected.
    pub fn approximate(&self) -> Vec<bool> {
        self.expected.iter().map(|e| e.about).collect()
    }

    /// What is wrong with what was printed.
    pub fn printed(&self, text: &[u8]) -> Option<String> {
        let wanted = self.printf.as_ref()?;
        let got = String::from_utf8_lossy(text).replace('\n', "\\n");
        (got != *wanted).then(|| format!("  printed `{got}`, not `{wanted}`\n"))
    }

    fn directive(&mut self, words: &str, file: &str, line: usize) {
        if let Some(text) = words.strip_prefix("printf=") {
            self.printf.get_or_insert_default().push_str(text);
            return;
        }
        if let Some(text) = words.strip_prefix("trap=") {
            self.trap = Some(text.to_owned());
            return;
        }
        if let Some(name) = words.strip_prefix("symbol=") {
            self.name = name.to_owned();
            return;
        }
        for w in words.split_whitespace() {
            let number = || w.split_once('=').and_then(|(_, v)| v.parse().ok());
            match (w.split('=').next(), number()) {
                (Some("grid"), Some(n)) => self.config.grid[0] = n,
                (Some("block"), Some(n)) => self.config.block[0] = n,
                (Some("shared"), Some(n)) => self.config.dynamic_shared = n.into(),
                (Some("races"), None) => self.races = false,
                _ if w == "block=warp" => (self.config.block[0], self.whole_warp) = (32, true),
                _ => panic!("{file}:{line}: unknown directive `{w}`"),
            }
        }
    }

    fn expect(&mut self, line: &str, number: usize) {
        for (mark, about) in [("//= ", false), ("//~ ", true)] {
            let Some((_, values)) = line.split_once(mark) else { continue };
            let values = values.split(" //").next().unwrap_or(values);
            for text in values.split_whitespace() {
                self.expected.push(Expected { line: number, text: text.to_owned(), about });
            }
        }
    }
}

impl Expected {
    /// What was computed, if that is not it.
    fn mismatch(&self, bits: u64, item: u64, block: u64) -> Option<String> {
        if self.about || self.text.contains(['.', 'n']) {
            let got = f64::from_bits(bits);
            let want: f64 = self.text.parse().unwrap_or_else(|_| panic!("line {}: `{}`", self.line, self.text));
            let near = self.about && (got - want).abs() <= want.abs().max(1e-30) * 2e-6;
            let same = got == want && got.is_sign_negative() == want.is_sign_negative();
            return (!(near || same || got.is_nan() && want.is_nan())).then(|| format!("{got:?}"));
        }
        let want = evaluate(&self.text, item, block).unwrap_or_else(|| panic!("line {}: `{}`", self.line, self.text));
        (bits != want).then(|| format!("{} ({bits:#x})", bits as i64))
    }
}

/// A sum of products of numbers and indices.
fn evaluate(text: &str, item: u64, block: u64) -> Option<u64> {
    text.split('+').try_fold(0u64, |sum, product| {
        let term = product.split('*').try_fold(1u64, |p, factor| {
            let value = match factor {
                "id" => item,
                "lid" => item % block,
                "gid" => item / block,
                _ => number(factor)?,
            };
            Some(p.wrapping_mul(value))
        })?;
        Some(sum.wrapping_add(term))
    })
}

fn number(text: &str) -> Option<u64> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    text.parse().ok().or_else(|| text.parse::<i64>().ok().map(|v| v as u64))
}

fn define(options: &mut Options, text: &str) {
    let (macro_name, body) = text.split_once('=').unwrap_or((text, "1"));
    options.defines.push(unspool::Define::Define(macro_name.to_owned(), Some(body.to_owned())));
}

fn render(c: &Compilation) -> String {
    diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), Colour::Never)
}
