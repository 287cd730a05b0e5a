//! Random programs as kernels and as work-group functions. `UNSPOOL_FUZZ_PROGRAMS` sets another number of them,
//! `UNSPOOL_FUZZ_SEED` the first seed.

mod support;

use filetests::Rng;
use filetests::program::{DOUBLES, FLOATS, INPUT, WINDOW, generate_for};
use opt::OptLevel;
use support::{A, Launch, Outcome};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// The arguments of a generated program, small numbers in every second.
fn inputs(seed: u64, items: u64) -> Vec<A> {
    let mut rng = Rng::new(seed ^ 0x51d0);
    let mut out = Vec::new();
    for _ in 0..items {
        out.extend((0..FLOATS).map(|_| if rng.chance(30) { 0 } else { rng.bits() as u8 }));
        (0..(DOUBLES - FLOATS) / 4).for_each(|_| out.extend((rng.range(-100, 100) as f32 / 4.0).to_le_bytes()));
        (0..(WINDOW - DOUBLES) / 8).for_each(|_| out.extend((rng.range(-100, 100) as f64 / 4.0).to_le_bytes()));
    }
    let input = (0..INPUT).map(|_| rng.bits() as u8).collect();
    let small = seed.is_multiple_of(2);
    let number = |rng: &mut Rng| if small { rng.below(20) as u64 } else { rng.bits() };
    let (n, m, x) = (number(&mut rng) as u32, number(&mut rng), rng.range(-50, 50) as f32 / 4.0);
    vec![
        A::Buf(out),
        A::Buf(input),
        A::Val(n.to_le_bytes().to_vec()),
        A::Val(m.to_le_bytes().to_vec()),
        A::Val(x.to_le_bytes().to_vec()),
    ]
}

/// Where results differ; any NaN may stand for another.
fn difference(kernel: &Outcome, groups: &Outcome) -> Option<String> {
    let (a, b) = match (kernel, groups) {
        (Ok(a), Ok(b)) => (&a.0[0], &b.0[0]),
        (Ok(_), Err(e)) => return Some(format!("{e:?}")),
        _ => return None,
    };
    let mut at = 0;
    while at < a.0.len() {
        let size = match at as u64 % WINDOW {
            0..FLOATS => 1,
            FLOATS..DOUBLES => 4,
            _ => 8,
        };
        let range = at..at + size;
        at += size;
        if a.1[range.clone()].iter().any(|&u| u != 0) {
            continue;
        }
        let (x, y) = (&a.0[range.clone()], &b.0[range.clone()]);
        let nan = |v: &[u8]| match v.len() {
            4 => f32::from_le_bytes(v.try_into().expect("four")).is_nan(),
            8 => f64::from_le_bytes(v.try_into().expect("eight")).is_nan(),
            _ => false,
        };
        if (x != y || b.1[range.clone()].iter().any(|&u| u != 0)) && !(nan(x) && nan(y)) {
            return Some(format!("byte {}: {x:?} and {y:?}, undefined {:?}", range.start, &b.1[range.clone()]));
        }
    }
    None
}

const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

fn run_one(seed: u64) -> Result<bool, String> {
    run(seed, [[4, 1, 1], [2, 2, 1], [7, 1, 1], [3, 1, 2]][seed as usize % 4], None)
}

/// Runs a program in groups of `block`; in vectors of so many bits if they are given.
fn run(seed: u64, block: [u32; 3], bits: Option<u32>) -> Result<bool, String> {
    let items = block.iter().product::<u32>();
    let mut module = generate_for(seed, items);
    let mut session = source::Session::default();
    let level = LEVELS[(seed / 4) as usize % 4];
    let options = opt::Options { target: target::Target::host(), level, ..opt::Options::default() };
    opt::optimise(&mut module, &mut session, &options, None).map_err(|e| e.to_string())?;
    let kernel = module.find("k").ok_or("no kernel")?;
    let launch = Launch::new([2, 1, 1], block);
    let args = inputs(seed, 2 * u64::from(items));
    let expected = support::run_kernel(&module, kernel, &launch, &args);
    if expected.is_err() {
        return Ok(false);
    }
    let mut made_for = support::options(&launch);
    if let Some(bits) = bits {
        made_for.vectorise = true;
        made_for.machine.vector_bits = bits;
    }
    let host =
        simd::work_group(&mut module, &mut session, kernel, &made_for).map_err(|e| format!("seed {seed}: {e}"))?;
    let found = support::run_groups(&module, &host, &launch, &args);
    match difference(&expected, &found) {
        None => Ok(bits.is_none() || host.lanes > 1 && host.reason.is_none()),
        Some(why) => Err(format!("seed {seed}, {} lanes: {why}", host.lanes)),
    }
}

#[test]
fn random_programs_keep_their_meaning_in_vectors() {
    let first = setting("UNSPOOL_FUZZ_SEED", 0);
    let count = setting("UNSPOOL_FUZZ_PROGRAMS", 60);
    let mut wide = 0;
    let mut failures = Vec::new();
    for seed in first..first + count {
        let bits = [128, 256, 512][seed as usize % 3];
        let block = [[13, 1, 1], [8, 4, 1], [32, 1, 1], [5, 4, 1], [16, 2, 1]][seed as usize % 5];
        match run(seed, block, Some(bits)) {
            Ok(yes) => wide += u64::from(yes),
            Err(e) => failures.push(e),
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    // Most of the others do what is undefined, as kernels too.
    assert!(wide * 3 > count, "only {wide} of {count} programs ran in vectors");
}

#[test]
fn random_programs_keep_their_meaning() {
    let first = setting("UNSPOOL_FUZZ_SEED", 0);
    let count = setting("UNSPOOL_FUZZ_PROGRAMS", 60);
    let mut same = 0;
    let mut failures = Vec::new();
    for seed in first..first + count {
        match run_one(seed) {
            Ok(yes) => same += u64::from(yes),
            Err(e) => failures.push(e),
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    assert!(same * 2 > count, "only {same} of {count} programs say something");
}

/// A random CUDA kernel, and functions that it calls, with barriers where the whole group comes by, warp operations where a
/// whole warp does, and pointers to private variables everywhere.
struct Text {
    rng: Rng,
    text: String,
    /// Names of loop counters in scope.
    loops: Vec<String>,
    next: u32,
    statements: u32,
    /// For each function whether it may be called only by the whole group.
    functions: Vec<bool>,
    rows: Rows,
}

/// Vectors in memory: each work-item has some of them, one behind the other, and rows of them are loaded and stored at once.
#[derive(Clone, Copy)]
struct Rows {
    element: &'static str,
    elements: i64,
    /// Vectors of a work-item.
    each: i64,
}

/// Most bytes of a work-item's vectors.
const ROW_BYTES: usize = 3 * 16 * 8;

/// Who takes the same way here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Together {
    Nobody,
    Warp,
    Group,
}

impl Text {
    fn kernel(seed: u64) -> String {
        let mut rng = Rng::new(seed ^ 0xbaff1e);
        let rows = Rows {
            element: rng.pick(&["signed char", "unsigned short", "int", "long long"]),
            elements: rng.pick(&[2, 3, 4, 8, 16]),
            each: rng.range(1, 3),
        };
        let mut t =
            Self { rng, rows, text: String::new(), loops: Vec::new(), next: 0, statements: 0, functions: Vec::new() };
        let mut functions = String::new();
        for _ in 0..t.rng.below(3) {
            functions.push_str(&t.function());
        }
        t.statements = 0;
        t.block(Together::Group, 0);
        let Rows { element, elements, each } = rows;
        format!(
            "typedef {element} E;\ntypedef E R __attribute__((ext_vector_type({elements})));
union Odd {{ struct __attribute__((packed)) {{ short pad; int n; }} high; int n; }};
{functions}extern \"C\" __global__ void k(int *out, const int *in, int n, R *all) {{
  __shared__ int s[128];
  int t = threadIdx.x + blockDim.x * threadIdx.y, g = blockIdx.x * blockDim.x * blockDim.y + t;
  int w = t / 32, l = t % 32, size = blockDim.x * blockDim.y;
  int a = in[g], b = t, c = n, d = in[0], p[4] = {{a, b, c, d}}, *q = &a, *r = p;
  R *rows = all + g * {each}, u = rows[0], v = u + (E)3, few[4] = {{u, v, u, v}};
  Odd odd[3]; odd[0].high.n = a; odd[1].high.n = b; odd[2].high.n = t; odd[0].n = odd[1].n = odd[2].n = n;
{}  out[g] = a ^ b * 3 ^ c * 5 ^ d * 7 ^ p[a & 3] ^ *q * 9 ^ *r * 11;
  out[g] += odd[(unsigned)a % 3].high.n; rows[0] = u ^ few[a & 3]; rows[{each} - 1] += v;\n}}\n",
            t.text
        )
    }

    /// A function with the same names in scope.
    fn function(&mut self) -> String {
        let together = if self.rng.chance(60) { Together::Group } else { Together::Nobody };
        self.statements = 30;
        self.block(together, 1);
        let n = self.functions.len();
        self.functions.push(together == Together::Group);
        format!(
            "__device__ int f{n}(int *q, int *r, int a, int b, int n, int t, int w, int l, int size, int *s, const int *in) {{
  int c = *q, d = *r + 1, p[4] = {{a, b, c, d}};
  R u = (R)(E)a, v = u + (E)c, few[4] = {{v, u, v, u}}, *rows = few;
  Odd odd[3]; odd[0].high.n = c; odd[1].high.n = d; odd[2].high.n = t; odd[0].n = odd[1].n = odd[2].n = n;
{}  return a + b * 3 + c * 5 + d * 7 + p[b & 3];\n}}\n",
            std::mem::take(&mut self.text)
        )
    }

    /// An address of an integer.
    fn address(&mut self) -> String {
        let (x, y) = (self.var(), self.var());
        match self.rng.below(6) {
            0 => "q".to_owned(),
            1 => "r".to_owned(),
            2 => format!("p + ({x} & 3)"),
            3 => format!("({x} & 1 ? &{y} : q)"),
            4 => format!("(n & 2 ? r : &{x})"),
            _ => format!("&{x}"),
        }
    }

    fn call(&mut self, together: Together) -> Option<String> {
        let may = |&n: &usize| together == Together::Group || !self.functions[n];
        let callable: Vec<usize> = (0..self.functions.len()).filter(may).collect();
        if callable.is_empty() {
            return None;
        }
        let n = self.rng.pick(&callable);
        let (p, q, x, y) = (self.address(), self.address(), self.expr(), self.var());
        Some(format!("f{n}({p}, {q}, {x}, {y}, n, t, w, l, size, s, in)"))
    }

    fn var(&mut self) -> &'static str {
        self.rng.pick(&["a", "b", "c", "d"])
    }

    fn expr(&mut self) -> String {
        let (x, y) = (self.var(), self.var());
        let n = self.rng.range(1, 9);
        match self.rng.below(8) {
            0 => format!("{x} + {y}"),
            1 => format!("{x} * {n} - {y}"),
            2 => format!("({x} ^ {y}) + t"),
            3 => format!("({x} >> {n}) + {y}"),
            4 => format!("p[{x} & 3] + {n}"),
            5 => match self.loops.last() {
                Some(i) => format!("{x} + {i} * {n}"),
                None => format!("{x} | {n}"),
            },
            6 => format!("in[({x} & 63)] - {y}"),
            _ => format!("max({x}, {y}) + {n}"),
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str("  ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, together: Together, depth: u32) {
        for _ in 0..2 + self.rng.below(4) {
            if self.statements < 40 {
                self.statement(together, depth);
            }
        }
    }

    fn statement(&mut self, together: Together, depth: u32) {
        self.statements += 1;
        let (x, e) = (self.var(), self.expr());
        match self.rng.below(23) {
            12 => self.line(&format!("*{} = {e};", ["q", "r"][self.statements as usize % 2])),
            13 => {
                let (p, q) = (self.address(), self.rng.pick(&["q", "r"]));
                self.line(&format!("{q} = {p};"));
            }
            14 => {
                let q = self.rng.pick(&["q", "r"]);
                self.line(&format!("{x} ^= *{q} + 1;"));
            }
            15 => match self.call(together) {
                Some(call) => self.line(&format!("{x} = {call};")),
                None => self.line(&format!("{x} = {e};")),
            },
            0 | 1 if together == Together::Group => {
                let (y, k) = (self.var(), self.rng.range(0, 63));
                self.line("__syncthreads();");
                self.line(&format!("s[t] = {e};"));
                self.line("__syncthreads();");
                self.line(&format!("{x} = s[(t + {k}) % size] ^ {y};"));
            }
            2 if together == Together::Group => {
                let f = self.rng.pick(&["count", "and", "or"]);
                self.line(&format!("{x} += __syncthreads_{f}({e} & 3);"));
            }
            3 | 4 if together >= Together::Warp => {
                let k = self.rng.range(0, 31);
                let op = match self.rng.below(6) {
                    0 => format!("__shfl_sync(~0u, {e}, {k})"),
                    1 => format!("__shfl_xor_sync(~0u, {e}, {k})"),
                    2 => format!("__shfl_down_sync(~0u, {e}, {k})"),
                    3 => format!("(int)__ballot_sync(~0u, ({e}) & 1)"),
                    4 => format!("__any_sync(~0u, ({e}) > 100)"),
                    _ => format!("__shfl_up_sync(~0u, {e}, {k}, 16)"),
                };
                self.line(&format!("{x} += {op};"));
            }
            5 | 6 if depth < 3 => {
                let (cond, inner) = match self.rng.below(3) {
                    0 => (format!("n > {}", self.rng.range(0, 8)), Together::Group),
                    1 => (format!("w == {}", self.rng.range(0, 2)), Together::Warp),
                    _ => (format!("({e}) & 1"), Together::Nobody),
                };
                self.line(&format!("if ({cond}) {{"));
                self.block(inner.min(together), depth + 1);
                if self.rng.chance(50) {
                    self.line("} else {");
                    self.block(inner.min(together), depth + 1);
                }
                self.line("}");
            }
            7 | 8 if depth < 3 => {
                let i = format!("i{}", self.next);
                self.next += 1;
                let (bound, inner) = match self.rng.below(4) {
                    0 => (self.rng.range(1, 4).to_string(), Together::Group),
                    1 => ("(n & 3)".to_owned(), Together::Group),
                    2 => ("(w + 1)".to_owned(), Together::Warp),
                    _ => (format!("({e} & 3)"), Together::Nobody),
                };
                let bound_name = format!("bound_{i}");
                self.line(&format!("int {bound_name} = {bound};"));
                self.line(&format!("for (int {i} = 0; {i} < {bound_name}; {i}++) {{"));
                self.loops.push(i);
                let together = inner.min(together);
                self.block(together, depth + 1);
                if self.rng.chance(30) {
                    let word = self.rng.pick(&["break", "continue"]);
                    let k = self.rng.range(0, 8);
                    self.line(&format!("if (n == {k}) {word};"));
                    self.block(together, depth + 1);
                }
                self.loops.pop();
                self.line("}");
            }
            9 => self.line(&format!("p[{x} & 3] = {e};")),
            16 | 17 if together == Together::Group => self.guarded(),
            18 if depth < 3 => self.cycle(together, depth),
            19..=21 => self.vectors(),
            _ => self.line(&format!("{x} = {e};")),
        }
    }

    /// A step of a tree in work-group memory: between two barriers, what some work-items of each row do.
    fn guarded(&mut self) {
        let (x, e, f) = (self.var(), self.expr(), self.expr());
        let (k, m) = (self.rng.range(0, 63), self.rng.range(0, 4));
        let bounds = [
            "blockDim.x >> threadIdx.y",
            "threadIdx.y * 3 + M",
            "n + threadIdx.y",
            "blockDim.x / 2",
            "in[threadIdx.y] & 15",
        ];
        let bound = self.rng.pick(&bounds).replace('M', &m.to_string());
        let less = self.rng.pick(&["<", "<="]);
        self.line(&format!("s[t] = {e};"));
        self.line("__syncthreads();");
        // Rows of work-items that read the same are computed together: what a row has in common is loaded once.
        let product =
            "int z = 0; for (int k = 0; k < n; k++) z += in[threadIdx.y * 8 + k] * in[k * 8 + threadIdx.x]; s[t] ^= z;";
        let step = if self.rng.chance(60) { product.to_owned() } else { format!("s[t] += {f};") };
        self.line(&format!("if (threadIdx.x {less} {bound}) {{ {step} }}"));
        self.line("__syncthreads();");
        self.line(&format!("{x} ^= s[(t + {k}) % size];"));
        self.line("__syncthreads();");
    }

    /// Loads and stores of vectors of small elements, whole and by element, in memory of the work-item's own and in variables.
    fn vectors(&mut self) {
        let (x, e, n) = (self.var(), self.expr(), self.rows.elements);
        // Functions have four rows, which are variables.
        let row = self.rng.below(self.rows.each as usize);
        let k = self.rng.below(n as usize);
        let (u, v) = self.rng.pick(&[("u", "v"), ("v", "u")]);
        let line = match self.rng.below(12) {
            0 => format!("{u} = rows[{row}] * {v};"),
            1 => format!("rows[{row}] = {u} + (E)({e});"),
            2 => format!("few[{x} & 3] = {u} ^ {v};"),
            3 => format!("{u} += few[({e}) & 3];"),
            4 => format!("{u}[{k}] = {e};"),
            5 => format!("{x} += (int){u}[({e}) & 1];"),
            6 => format!("((E *)few)[({x} & 3) * sizeof(R) / sizeof(E) + {k}] = {e};"),
            7 => format!("((E *)rows)[{row} * sizeof(R) / sizeof(E) + {k}] ^= {e};"),
            8 | 9 => format!("odd[(unsigned)({e}) % 3].n += {x};"),
            10 => format!("{x} -= odd[(unsigned)({e}) % 3].high.n;"),
            _ => format!("{x} ^= (int)few[{x} & 3][{k}] + (int)rows[{row}][{k}];"),
        };
        self.line(&line);
    }

    /// A cycle with two entries, which is no loop, and what lives on from it.
    fn cycle(&mut self, together: Together, depth: u32) {
        let (n, x, e, f) = (self.next, self.var(), self.expr(), self.expr());
        self.next += 1;
        self.line(&format!("int c{n} = 0, most{n} = {f} & 3;"));
        // One entry for the whole group half of the time: then only the way out sets work-items apart.
        let enters = if self.rng.chance(50) { "n".to_owned() } else { format!("({e})") };
        self.line(&format!("if ({enters} & 1) goto second{n};"));
        self.line(&format!("first{n}: {{ c{n}++;"));
        self.block(Together::Nobody, depth + 1);
        self.line(&format!("}} second{n}: {{ c{n}++;"));
        self.block(Together::Nobody, depth + 1);
        self.line(&format!("}} if (c{n} < most{n}) goto first{n};"));
        if together == Together::Group {
            self.line("__syncthreads();");
        }
        self.line(&format!("{x} ^= c{n} * 3;"));
    }
}

fn run_text(seed: u64) -> Result<bool, String> {
    let text = Text::kernel(seed);
    let level = LEVELS[(seed / 4) as usize % 4];
    let (module, mut session) = support::compile_at(level, unspool::Dialect::CUDA, &text);
    let kernel = module.find("k").ok_or("no kernel")?;
    let launch = Launch::new([2, 1, 1], [[64, 1, 1], [32, 4, 1], [4, 16, 1], [8, 8, 1], [96, 1, 1]][seed as usize % 5]);
    let items = 2 * launch.block.iter().product::<u32>() as usize;
    let args = [
        support::zeros(items * 4),
        support::i32s(items),
        support::int(seed as i32 % 9),
        support::i32s(items * ROW_BYTES / 4),
    ];
    let expected = support::run_kernel(&module, kernel, &launch, &args);
    if expected.is_err() {
        return Ok(false);
    }
    // One work-item after another, and in vectors: of whole warps where rows are.
    for (vectorise, rows) in [(false, simd::Rows::X), (true, simd::Rows::X), (true, simd::Rows::Y)] {
        let options = simd::Options { vectorise, rows, ..support::options(&launch) };
        let mut module = module.clone();
        let host = simd::work_group(&mut module, &mut session, kernel, &options)
            .map_err(|e| format!("seed {seed}: {e}\n{text}"))?;
        let found = support::run_groups(&module, &host, &launch, &args);
        if let Some(why) = support::difference(&expected, &found) {
            return Err(format!("seed {seed}, {level:?}, {} lanes in {rows:?}: {why}\n{text}", host.lanes));
        }
    }
    Ok(true)
}

#[test]
fn random_kernels_with_barriers_keep_their_meaning() {
    let first = setting("UNSPOOL_FUZZ_SEED", 0);
    let count = setting("UNSPOOL_FUZZ_PROGRAMS", 24);
    let mut same = 0;
    let mut failures = Vec::new();
    for seed in first..first + count {
        match run_text(seed) {
            Ok(yes) => same += u64::from(yes),
            Err(e) => failures.push(e),
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    assert!(same * 2 > count, "only {same} of {count} programs say something");
}
