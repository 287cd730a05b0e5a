//! Source programs compute what they should: `run/*.cl`, `run/*.cu` and `run/*.c` (in both languages), executed by the
//! reference interpreter.
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
//! may be added and multiplied (`3*id+1`). `V(x)` is `x`, which the compiler sees or does not: every file is compiled
//! at each of -O0 and -O3 with constants that it knows and with constants that it does not know, for a GPU and for the
//! host, and must compute the same. Directives before a kernel: `//@ grid=G block=B shared=S` (launch), `//@ printf=TEXT` (all that it prints),
//! `//@ trap=TEXT` (the launch ends so), `//@ races=off`, and, first in the file, `//@ file …` with `arch=sm_90`,
//! `define=NAME=VALUE`.

use interp::{Arg, LaunchConfig, Limits, Machine};
use libtest_mimic::{Arguments, Failed, Trial};
use source::render::{Colour, diagnostics_to_text};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use unspool::Machine::{Gpu, Host};
use unspool::{Arch, Compilation, Dialect, Emit, Input, OptLevel, Options, compile};

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
const SENTINEL: u8 = 0xa5;

fn main() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("run");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir).map_or_else(
        |e| panic!("{}: {e}", dir.display()),
        |entries| entries.filter_map(|e| Some(e.ok()?.path())).collect(),
    );
    files.sort();
    let trials = files.iter().flat_map(|f| trials_of(f)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// One trial a kernel; the file is compiled when the first of them runs.
fn trials_of(path: &Path) -> Vec<Trial> {
    let stem = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let extension = path.extension().unwrap_or_default();
    let mut trials = Vec::new();
    for (dialect, suffix) in [(Dialect::OPENCL, "cl"), (Dialect::CUDA, "cu")] {
        if extension != "c" && extension != suffix {
            continue;
        }
        let file = Arc::new(File::parse(dialect, &stem, &text));
        trials.extend((0..file.kernels.len()).map(|n| {
            let file = Arc::clone(&file);
            let kind = if extension == "c" { format!("[{suffix}]") } else { String::new() };
            let name = format!("{stem}{kind}::{}", file.kernels[n].name);
            Trial::test(name, move || file.check(n).map_err(Failed::from))
        }));
    }
    trials
}

/// How a file is compiled.
#[derive(Clone, Copy, Debug)]
struct Variant {
    machine: unspool::Machine,
    level: OptLevel,
    known: bool,
}

const VARIANTS: [Variant; 6] = [
    Variant { machine: Gpu, level: OptLevel::O0, known: false },
    Variant { machine: Gpu, level: OptLevel::O0, known: true },
    Variant { machine: Gpu, level: OptLevel::O3, known: false },
    Variant { machine: Gpu, level: OptLevel::O3, known: true },
    Variant { machine: Host, level: OptLevel::O0, known: false },
    Variant { machine: Host, level: OptLevel::O3, known: false },
];

/// A test file.
struct File {
    name: String,
    text: String,
    kernels: Vec<Kernel>,
    options: Options,
    compiled: Mutex<[Option<Result<Compilation, String>>; VARIANTS.len()]>,
}

#[derive(Clone, Debug)]
struct Kernel {
    name: String,
    config: LaunchConfig,
    expected: Vec<Expected>,
    printf: Option<String>,
    trap: Option<String>,
    races: bool,
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
        }
    }
}

#[derive(Clone, Debug)]
struct Expected {
    line: usize,
    text: String,
    about: bool,
}

impl File {
    fn parse(dialect: Dialect, name: &str, text: &str) -> Self {
        let mut options = Options::new(dialect);
        options.verify_each = true;
        let mut kernels = Vec::new();
        let mut next = Kernel::default();
        let mut open = false;
        for (n, line) in text.lines().enumerate() {
            let trimmed = line.trim();
            if let Some(words) = trimmed.strip_prefix("//@ file ") {
                for w in words.split_whitespace() {
                    match w.split_once('=') {
                        Some(("arch", v)) => match Arch::parse(v) {
                            Ok(parsed) => options.arch = parsed.arch,
                            Err(e) => panic!("{name}:{}: {e}", n + 1),
                        },
                        Some(("define", v)) => define(&mut options, v),
                        _ => panic!("{name}:{}: unknown directive `{w}`", n + 1),
                    }
                }
            } else if let Some(words) = trimmed.strip_prefix("//@ ") {
                next.directive(words, name, n + 1);
            } else if let Some(rest) = trimmed.strip_prefix("BEGIN(") {
                next.name = rest.split(')').next().unwrap_or("").to_owned();
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
        Self { name: name.to_owned(), text, kernels, options, compiled: Mutex::default() }
    }

    fn compile(&self, variant: Variant) -> Result<Compilation, String> {
        let mut options = self.options.clone();
        options.level = variant.level;
        options.machine = variant.machine;
        if variant.known {
            define(&mut options, "KNOWN=1");
        }
        let c = compile(&Input::text(&self.name, &self.text), &options, &Emit::Ir);
        if !c.succeeded() {
            return Err(render(&c));
        }
        if variant.machine == Host {
            return Ok(c);
        }
        // Whatever runs must also be code that the back end accepts.
        let ptx = compile(&Input::text(&self.name, &self.text), &options, &Emit::Ptx);
        if ptx.succeeded() { Ok(c) } else { Err(render(&ptx)) }
    }

    /// Runs kernel `n` of every variant.
    fn check(&self, n: usize) -> Result<(), String> {
        let mut wrong = String::new();
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        for (v, &variant) in VARIANTS.iter().enumerate() {
            let compilation = match compiled[v].get_or_insert_with(|| self.compile(variant)) {
                Ok(c) => c,
                // Why is said once per file.
                Err(e) => return Err(format!("{variant:?}: the file does not compile\n{}", std::mem::take(e))),
            };
            if let Err(e) = self.run(&self.kernels[n], compilation) {
                wrong.push_str(&format!(
                    "{:?}, {:?}, constants {}:\n{e}",
                    variant.machine,
                    variant.level,
                    ["unknown", "known"][usize::from(variant.known)]
                ));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn run(&self, kernel: &Kernel, compilation: &Compilation) -> Result<(), String> {
        let mut machine = Machine::new(&compilation.module);
        machine.set_warp_size(self.options.arch.warp_size());
        let items: u64 = (0..3).map(|d| u64::from(kernel.config.grid[d]) * u64::from(kernel.config.block[d])).product();
        let count = kernel.expected.len() as u64;
        let len = (items * count + 2) * 8;
        let out = machine.alloc_bytes(&vec![SENTINEL; len as usize]).ok_or("results too large")?;
        let id = compilation.module.find(&kernel.name).ok_or("the kernel is not in the module")?;
        let args = [Arg::Pointer(out), Arg::Value(0), Arg::Value(count)];
        let limits = Limits { steps: 50_000_000, races: kernel.races, ..Limits::default() };
        let ran = machine.launch(id, &kernel.config, &args, &limits);
        match (&ran, &kernel.trap) {
            (Err(t), Some(wanted)) if t.to_string().contains(wanted.as_str()) => {}
            (Err(t), _) => {
                let place = compilation.session.sources.display(t.span);
                return Err(format!("  {place}: {t}\n"));
            }
            (Ok(_), Some(wanted)) => return Err(format!("  no trap `{wanted}`\n")),
            (Ok(_), None) => {}
        }
        let mut wrong = String::new();
        if let Some(text) = &kernel.printf {
            let got = String::from_utf8_lossy(machine.output()).replace('\n', "\\n");
            if got != *text {
                wrong.push_str(&format!("  printed `{got}`, not `{text}`\n"));
            }
        }
        if ran.is_ok() {
            self.compare(kernel, &machine, out, items, &mut wrong);
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn compare(&self, kernel: &Kernel, machine: &Machine, out: u64, items: u64, wrong: &mut String) {
        let count = kernel.expected.len() as u64;
        let len = (items * count + 2) * 8;
        let bytes = machine.read(out, len).unwrap_or_default();
        let shadow = machine.read_shadow(out, len).unwrap_or_default();
        let word = |i: u64| {
            let at = i as usize * 8;
            let mut w = [0; 8];
            w.copy_from_slice(&bytes[at..at + 8]);
            (u64::from_le_bytes(w), shadow[at..at + 8].iter().any(|&s| s != 0))
        };
        let block: u64 = kernel.config.block.iter().map(|&b| u64::from(b)).product();
        let mut failures = 0;
        for item in 0..items {
            for (n, e) in kernel.expected.iter().enumerate() {
                let (bits, undefined) = word(item * count + n as u64);
                let verdict = if undefined { Some("undefined".to_owned()) } else { e.mismatch(bits, item, block) };
                if let Some(got) = verdict {
                    failures += 1;
                    if failures <= 12 {
                        let (name, line, text) = (&self.name, e.line, &e.text);
                        wrong
                            .push_str(&format!("  {name}:{line}: result {n} of work-item {item}: {got}, not {text}\n"));
                    }
                }
            }
        }
        if word(items * count).0 != u64::from_le_bytes([SENTINEL; 8]) {
            wrong.push_str("  more results than are expected\n");
        }
    }
}

impl Kernel {
    fn directive(&mut self, words: &str, file: &str, line: usize) {
        if let Some(text) = words.strip_prefix("printf=") {
            self.printf.get_or_insert_default().push_str(text);
            return;
        }
        if let Some(text) = words.strip_prefix("trap=") {
            self.trap = Some(text.to_owned());
            return;
        }
        for w in words.split_whitespace() {
            let number = || w.split_once('=').and_then(|(_, v)| v.parse().ok());
            match (w.split('=').next(), number()) {
                (Some("grid"), Some(n)) => self.config.grid[0] = n,
                (Some("block"), Some(n)) => self.config.block[0] = n,
                (Some("shared"), Some(n)) => self.config.dynamic_shared = n.into(),
                (Some("races"), None) => self.races = false,
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
