//! What `__builtin_provable` proves, and what it must not.

use unspool::{Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

/// A condition on `x` and `n` (int), `u` and `w` (unsigned), with statements before it. All of them hold.
const TRUE: &[(&str, &str)] = &[
    // Low bits through signed remainders, after inlining.
    ("", "even(n * 2)"),
    ("", "even(n << 3)"),
    ("", "even(x & ~7)"),
    ("", "(n * 12) % 4 == 0"),
    ("", "n / 4 * 4 % 4 == 0"),
    ("", "(x & ~15) % 16 == 0"),
    ("", "(n * 8 + x * 4) % 4 == 0"),
    ("", "(x | 1) % 2 != 0"),
    ("", "(x | 1) != 0"),
    ("", "(x | 4) != (n & 3)"),
    ("", "(x | 1) != n * 2"),
    ("", "(u | 8) % 16 != 0"),
    // Ranges of signed operations.
    ("", "x % 8 < 8"),
    ("", "x % 8 > -8"),
    ("", "x % -8 < 8"),
    ("", "x / 2 <= 1073741823"),
    ("", "x / 2 >= -1073741824"),
    ("", "(x >> 4) < 134217728"),
    ("", "x % 10 + n % 10 <= 18"),
    ("", "(x % 10) * (n % 10) <= 81"),
    ("", "(x % 10) * (n % 10) >= -81"),
    ("", "x % 5 - n % 3 < 7"),
    ("", "(signed char)x < 128"),
    ("", "(short)x >= -32768"),
    ("", "(long long)x + n <= 4294967294LL"),
    ("", "max(x % 4, -2) >= -2"),
    ("", "min(x, 5) < 6"),
    ("", "(x > 3 ? 1 : -1) <= 1"),
    // What a launch promises.
    ("", "threadIdx.x < 1024"),
    ("", "blockDim.x <= 1024"),
    ("", "gridDim.x > 0"),
    ("", "threadIdx.x < blockDim.x"),
    ("", "blockIdx.x < gridDim.x"),
    ("", "blockDim.y > threadIdx.y"),
    ("", "blockIdx.z != gridDim.z"),
    ("", "(int)threadIdx.x >= 0"),
    ("", "warpSize == 32"),
    ("", "threadIdx.x % warpSize < 32"),
    // What branches say.
    ("if (n > 10)", "n + 1 > 11"),
    ("for (int i = 0; i < n; i++)", "i < n"),
];

/// Conditions that some values refute.
const UNKNOWN: &[(&str, &str)] = &[
    ("", "even(n)"),
    ("", "even(n * 3)"),
    ("", "(n * 4) % 8 == 0"),
    ("", "(x & ~3) % 8 == 0"),
    ("", "x % 8 >= 0"),
    ("", "x % 8 < 7"),
    ("", "x % 8 > -7"),
    ("", "x / 2 < 1073741823"),
    ("", "x / -1 <= 2147483646"),
    ("", "(x % 10) * (n % 10) <= 80"),
    ("", "x % 10 + n % 10 <= 17"),
    ("", "x + 1 > x % 8"),
    ("", "(x | 1) != 1"),
    ("", "(signed char)x < 127"),
    ("", "threadIdx.x < 1023"),
    ("", "threadIdx.x < blockDim.y"),
    ("", "blockIdx.x + 1 < gridDim.x"),
    ("", "threadIdx.x <= blockIdx.x"),
    ("if (n > 10)", "n > 11"),
    ("", "(u | 8) % 16 == 8"),
];

/// Whether the condition is proved.
fn proved(dialect: Dialect, before: &str, condition: &str) -> bool {
    let source = if dialect.is_opencl() {
        format!(
            "static int even(int x) {{ return __builtin_provable(x % 2 == 0); }}
            kernel void k(global int *p, int x, int n, uint u, uint w) {{ {before} p[0] = __builtin_provable({condition}); }}"
        )
    } else {
        let asked = if condition.starts_with("even(") {
            condition.to_owned()
        } else {
            format!("__builtin_provable({condition})")
        };
        format!(
            "__device__ int even(int x) {{ return __builtin_provable(x % 2 == 0); }}
            extern \"C\" __global__ void k(int *p, int x, int n, unsigned u, unsigned w) {{ {before} p[0] = {asked}; }}"
        )
    };
    let c = compile(&Input::text("k", source), &Options::new(dialect), &Emit::Ir);
    let all = c.session.diagnostics.iter().map(|d| d.message.clone());
    assert!(c.succeeded(), "{before} {condition}: {:?}", all.collect::<Vec<_>>());
    let f = &c.module.functions[c.module.find("k").expect("the kernel")];
    let stores = f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| f.dfg.op(i) == ir::Opcode::Store);
    let stored: Vec<Option<u64>> = stores.map(|i| f.dfg.as_bits(f.dfg.arg(i, 1))).collect();
    assert!(stored.iter().all(Option::is_some), "{before} {condition}: a branch or a computation is left");
    stored.iter().all(|v| *v == Some(1))
}

#[test]
fn conditions_that_hold() {
    let missed: Vec<String> =
        TRUE.iter().filter(|(b, c)| !proved(Dialect::CUDA, b, c)).map(|(b, c)| format!("{b} {c}")).collect();
    assert!(missed.is_empty(), "not proved:\n{}", missed.join("\n"));
}

/// For GPUs before sm_100 `warpSize` is a number only when loops are decided, and without optimisation nothing decides.
#[test]
fn the_size_of_a_warp_is_known_at_every_level() {
    let source = "extern \"C\" __global__ void k0(int *p) { p[0] = __builtin_provable(warpSize == 32); }
        extern \"C\" __global__ void k1(int *p) { p[0] = __builtin_provable(threadIdx.x % warpSize < 32); }
        extern \"C\" __global__ void k2(int *p, int n) {
            for (int i = 0; i < n; i++) p[i] = __builtin_provable(i / warpSize < 67108864); }
        extern \"C\" __global__ void k3(int *p, int n) {
            for (int i = 0; i < warpSize; i++) p[i] = __builtin_provable(i < 32); }";
    for arch in ["sm_70", "sm_90", "sm_100"] {
        for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
            let mut options = Options { level, ..Options::new(Dialect::CUDA) };
            options.set_arch(arch.parse().expect("an architecture"));
            assert_eq!(answers_with(source.to_owned(), &options, 4), [true; 4], "{arch} {level:?}");
        }
    }
}

#[test]
fn conditions_that_some_values_refute() {
    let wrong: Vec<String> =
        UNKNOWN.iter().filter(|(b, c)| proved(Dialect::CUDA, b, c)).map(|(b, c)| format!("{b} {c}")).collect();
    assert!(wrong.is_empty(), "proved, and not true:\n{}", wrong.join("\n"));
}

/// A line of the table that scripts/provable.py writes.
struct Row {
    clang: bool,
    proved: bool,
    before: String,
    condition: &'static str,
    family: &'static str,
}

fn table() -> Vec<Row> {
    let row = |line: &'static str| {
        let f: Vec<&str> = line.split('\t').collect();
        Row {
            family: f[0],
            clang: f[1] == "clang",
            proved: f[2] == "proved",
            before: f[3].replace("@@", "\n"),
            condition: f[4],
        }
    };
    include_str!("provable/conditions.txt").lines().map(row).collect()
}

const PARAMETERS: &str = "int x, int n, int m, unsigned u, unsigned w, long long l, unsigned long long h, short s, signed char c, \
                          unsigned char b, int *q";

const FORMS: &str = "#define T(e) __builtin_provable(e)
#define ASSUME(e) __builtin_assume(e)
#define UNREACHABLE_UNLESS(e) if (!(e)) __builtin_unreachable()
#define ASSERT(e) assert(e)
";

/// Whether functions of the prelude ask within the condition.
fn asks(condition: &str) -> bool {
    ["even(", "quads(", "positive(", "small(", "ordered(", "twice(", "multiple<", "below<"]
        .iter()
        .any(|f| condition.contains(f))
}

/// For each kernel `k0`, `k1`, …: whether all that it stores is the constant 1.
fn answers(source: String, dialect: Dialect, count: usize) -> Vec<bool> {
    answers_with(source, &Options::new(dialect), count)
}

fn answers_with(source: String, options: &Options, count: usize) -> Vec<bool> {
    let c = compile(&Input::text("k", source), options, &Emit::Ir);
    let all = c.session.diagnostics.iter().map(|d| d.message.clone());
    assert!(c.succeeded(), "{:?}", all.collect::<Vec<_>>());
    let one = |n| {
        let f = &c.module.functions[c.module.find(&format!("k{n}")).expect("the kernel")];
        let mut stores =
            f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| f.dfg.op(i) == ir::Opcode::Store).peekable();
        let slot = |v| matches!(f.dfg.as_const(v), Some(ir::ConstKind::Slot(_)));
        stores.peek().is_some()
            && stores.filter(|&i| !slot(f.dfg.arg(i, 0))).all(|i| f.dfg.as_bits(f.dfg.arg(i, 1)) == Some(1))
    };
    (0..count).map(one).collect()
}

#[test]
fn everything_that_clang_proves_and_more() {
    let rows = table();
    let mut source = format!("#include <cassert>\n{FORMS}{}", include_str!("provable/prelude.cu"));
    for (n, row) in rows.iter().enumerate() {
        let (bounds, before) = match row.before.strip_prefix("@bounds 128\n") {
            Some(rest) => ("__launch_bounds__(128)", rest),
            None => ("", &row.before[..]),
        };
        let open = before.matches('{').count() - before.matches('}').count();
        let asked = if asks(row.condition) { row.condition.to_owned() } else { format!("T({})", row.condition) };
        source += &format!(
            "extern \"C\" __global__ void {bounds} k{n}(volatile int *p, {PARAMETERS}) {{\n{before}\np[0] = {asked}; {} }}\n",
            "}".repeat(open)
        );
    }
    let found = answers(source, Dialect::CUDA, rows.len());
    let differs = rows.iter().zip(&found).filter(|(r, f)| r.proved != **f);
    let differs: Vec<String> = differs.map(|(r, f)| format!("proved: {f}: {} {}", r.before, r.condition)).collect();
    assert!(differs.is_empty(), "the table says otherwise:\n{}", differs.join("\n"));
    assert!(rows.len() >= 300);
    assert!(rows.iter().all(|r| r.proved || !r.clang), "clang proves what is not proved here");
    assert!(rows.iter().filter(|r| r.proved && !r.clang).count() >= 60);
}

#[test]
fn opencl_has_the_same_prover() {
    let plain = |r: &Row| {
        let text = format!("{}{}", r.before, r.condition);
        let cuda = [
            "threadIdx",
            "blockIdx",
            "blockDim",
            "gridDim",
            "warpSize",
            "q",
            "clamp(",
            "up(",
            "ASSERT",
            "@bounds",
            "__shared__",
        ];
        matches!(r.family, "bits" | "ranges" | "congruences" | "relations" | "loops" | "assumptions" | "unrolling")
            && !asks(&text)
            && !cuda.iter().any(|c| text.contains(c))
    };
    let rows: Vec<Row> = table().into_iter().filter(plain).collect();
    assert!(rows.len() >= 300, "{}", rows.len());
    let words = |t: &str| {
        t.replace("unsigned long long", "ulong")
            .replace("long long", "long")
            .replace("__popc", "popcount")
            .replace("__clz", "clz")
            .replace("ull", "ul")
            .replace("ULL", "UL")
            .replace("LL", "L")
    };
    let mut source = FORMS.to_owned();
    for (n, row) in rows.iter().enumerate() {
        source += &words(&format!(
            "kernel void k{n}(volatile global int *p, {}) {{\n{}\np[0] = T({}); }}\n",
            PARAMETERS.replace("int *q", "global int *q"),
            row.before,
            row.condition
        ));
    }
    let found = answers(source, Dialect::OPENCL, rows.len());
    let differs = rows.iter().zip(&found).filter(|(r, f)| r.proved != **f);
    let differs: Vec<String> = differs.map(|(r, f)| format!("proved: {f}: {} {}", r.before, r.condition)).collect();
    assert!(differs.is_empty(), "{}", differs.join("\n"));
}

#[test]
fn each_instance_is_in_the_ledger_with_its_calls_and_what_would_be_enough() {
    let source = "template <int K> __device__ int half(int v) { return __builtin_provable(v % K == 0) ? v / K : 0; }
__device__ int outer(int v) { return half<2>(v) + half<4>(v); }
extern \"C\" __global__ void k(int *p, int n) {
  p[0] = outer(n * 2);
  for (int i = 0; i < 4; i++) p[i + 1] = half<2>(i);
}";
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    let c = compile(&Input::text("k.cu", source), &options, &Emit::Ir);
    let mut lines = Vec::new();
    for (_, h) in c.session.ledger.iter().filter(|(_, h)| h.kind == source::HintKind::Provable) {
        lines.extend(h.answers.iter().map(|a| format!("{}: {}", a.done, a.reason)));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// `n` is a multiple of 4: that it be odd cannot be asked for, though everything follows from it.
#[test]
fn what_contradicts_the_rest_was_said_to_be_enough() {
    let source = "extern \"C\" __global__ void k(bool *p, int n, int m) {
  __builtin_assume(n % 4 == 0);
  p[0] = __builtin_provable(n > 1000);
  if (m < 20) p[1] = __builtin_provable(m > 7);
  if (m < 20) p[2] = __builtin_provable(m * m == 7);
}";
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    let c = compile(&Input::text("k.cu", source), &options, &Emit::Ir);
    let asked = c.session.ledger.iter().filter(|(_, h)| h.kind == source::HintKind::Provable);
    let reasons: Vec<String> = asked.flat_map(|(_, h)| h.answers.iter().map(|a| a.reason.clone())).collect();
    let enough: Vec<_> = reasons.iter().map(|r| r.split_once("proved if ").map_or("", |(_, what)| what)).collect();
    assert_eq!(enough, ["`n` were at least 1001", "`m` were at least 8", ""], "{reasons:?}");
}

#[test]
fn no_branch_is_left_without_optimisation() {
    let source = "__device__ int f(int v) { bool even = __builtin_provable(v % 2 == 0); if (even && v > 3) return 1; return 2; }
extern \"C\" __global__ void k(int *p, int n) { const int t = 4; int c = __builtin_provable(t > 3); if (c) p[0] = 1; else p[1] = f(n); }";
    let mut options = Options::new(Dialect::CUDA);
    options.level = unspool::OptLevel::O0;
    let c = compile(&Input::text("k.cu", source), &options, &Emit::Ir);
    let branches = |f: &ir::Function| {
        f.layout.blocks().filter(|&b| matches!(f.dfg.op(f.layout.terminator(b)), ir::Opcode::Br)).count()
    };
    let asked = c.module.functions.values().filter(|f| !f.is_declaration());
    assert_eq!(asked.map(branches).collect::<Vec<_>>().iter().sum::<usize>(), 0);
}

#[test]
fn the_same_in_opencl() {
    for condition in
        ["(n * 12) % 4 == 0", "x % 8 < 8", "get_local_id(0) < get_local_size(0)", "get_group_id(1) < get_num_groups(1)"]
    {
        assert!(proved(Dialect::OPENCL, "", condition), "{condition}");
    }
    assert!(!proved(Dialect::OPENCL, "", "x % 8 >= 0"));
}
