//! What `__builtin_provable` proves, and what it must not.

use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

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

/// Conditions that hold and are not proved yet.
const NOT_YET: &[(&str, &str)] = &[
    ("__builtin_assume(n % 4 == 0);", "even(n)"),
    ("if (n % 8 == 0)", "even(n / 2)"),
    ("if (n % 8 == 0)", "even(n + 4)"),
    ("if (x < n)", "x != n"),
    ("for (int i = 0; i < n; i++)", "i >= 0"),
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

#[test]
fn conditions_that_some_values_refute() {
    let wrong: Vec<String> =
        UNKNOWN.iter().filter(|(b, c)| proved(Dialect::CUDA, b, c)).map(|(b, c)| format!("{b} {c}")).collect();
    assert!(wrong.is_empty(), "proved, and not true:\n{}", wrong.join("\n"));
}

#[test]
fn what_is_proved_is_no_longer_listed_as_missing() {
    for (before, condition) in NOT_YET {
        assert!(!proved(Dialect::CUDA, before, condition), "`{before} {condition}` is proved now: move it");
    }
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
