//! How many copies nvcc 13.5 for sm_100 makes of loops with a condition beside what all lanes do together, of loops whose bound or
//! start is chosen, and of loops that only write what nobody reads (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// What stands before the kernels.
const HEAD: &str = "#define V(x) asm volatile(\"mov.u32 %0, %0;\" :: \"r\"(x))\n\
    #define A(x, y) asm(\"mov.u32 %0, %1;\" : \"=r\"(x) : \"r\"(y))\n\
    __device__ __noinline__ int alone(int x) { return x * x * 3 + 5; }\n";

/// A kernel's body and the copies of its only loop that is told of, 0 for straight-line code.
const KERNELS: &[(&str, u32)] = &[
    // Meetings beside a condition.
    ("for (int i = 0; i < n; i++) { if (o[i] >= m) o[i + k] = 5; __syncthreads(); }", 4),
    ("for (int i = 0; i < n; i++) if (o[i] >= m) __syncthreads();", 4),
    ("for (int i = 0; i < n; i++) { int t = __shfl_down_sync(~0u, o[i], 1); if (t >= m) o[i + k] = 5; }", 4),
    ("for (int i = 0; i < n; i++) if (__any_sync(~0u, o[i] > m)) o[i + k] = 5;", 4),
    ("for (int i = 0; i < n; i++) { __syncwarp(); if (o[i] > m) o[i + k] = 5; }", 4),
    ("for (int i = 0; i < n; i++) { if (i >= m) o[i & k] ^= 1; V(i); }", 4),
    ("t = 0; for (int i = 0; i < n; i++) { t += o[i]; if (i >= m) V(i); } o[0] = t;", 4),
    ("for (int i = 0; i < n; i++) if (o[i] > m) o[i + k] = __ldcs(o + i);", 4),
    // Either alone.
    ("for (int i = 0; i < n; i++) { o[i] = 1 - o[i]; __syncthreads(); }", 16),
    ("for (int i = 0; i < n; i++) { int x = o[i]; o[i] = __ballot_sync(~0u, x); }", 16),
    ("for (int i = 0; i < n; i++) if (i >= m) o[i & k] ^= 1;", 16),
    ("int c = 0; for (int i = 0; i < n; i++) { int t = o[i]; if (t > m) c++; V(t); } o[0] = c;", 16),
    // What only some lanes may do.
    ("for (int i = 0; i < n; i++) { __threadfence(); if (o[i] > m) o[i + k] = 5; }", 8),
    ("for (int i = 0; i < n; i++) if (o[i] > m) atomicAdd(o, 1);", 16),
    ("for (int i = 0; i < n; i++) if (o[i] > m) A(o[i], k);", 16),
    ("for (int i = 0; i < n; i++) if (o[i] > m) o[i + k] = alone(i);", 8),
    // A start that is a difference or nothing is a maximum.
    ("for (int i = n > m ? n - m : 0; i < n; i++) o[i] ^= 1;", 4),
    ("for (int i = m < n ? n - m : 0; i < n; i++) o[i] ^= 1;", 4),
    ("for (int i = n - m; i < n; i++) o[i] ^= 1;", 16),
    // A minimum of a difference has no bound.
    ("float p[64]; int c = min(n - 1, 64); for (int i = 0; i < c; i++) p[i] = f[i]; f[0] = p[m & 63];", 4),
    ("float p[64]; int c = min(n + 1, 64); for (int i = 0; i < c; i++) p[i] = f[i]; f[0] = p[m & 63];", 0),
    ("float p[64]; int c = min(n, 64); for (int i = 0; i < c; i++) p[i] = f[i]; f[0] = p[m & 63];", 0),
    ("float p[64]; int c = min(k, min(n - 1, 64)); for (int i = 0; i < c; i++) p[i] = f[i]; f[0] = p[m & 63];", 0),
    (
        "if (threadIdx.x >= n) return; float p[64]; int c = min(k, min(n - 1, 64)); for (int i = 0; i < c; i++) p[i] = f[i]; f[0] = p[m & 63];",
        4,
    ),
    (
        "if (n < 1) return; float p[64]; int c = min(n - 1, 64); for (int i = 0; i < c; i++) p[i] = f[i]; f[0] = p[m & 63];",
        0,
    ),
    // A quotient that a condition chooses is computed in any case, with anything beside it is not.
    ("float q = k; for (int i = 0; i < n; i++) { float x = f[i]; s += x > 1e-6f ? q / x : 1.0f; } f[0] = s;", 16),
    ("float q = k; for (int i = 0; i < n; i++) { float x = f[i]; s += x > 1e-6f ? q / x + q : 1.0f; } f[0] = s;", 8),
    // Products that indices share count once.
    (
        "t = k; for (int i = 0; i < n; i++) { float x = f[i * 6], y = f[i * 6 + 1], z = f[i * 6 + 2]; s += x * x + y * y + z * z; \
         t = t * k; t = t ^ m; t = t * k; } f[0] = s; o[0] = t;",
        8,
    ),
];

/// Kinds and copies of the loops of a kernel that change.
fn fates(body: &str, arch: &str) -> Vec<(String, u32)> {
    let text = format!(
        "{HEAD}__global__ void kernel(int *o, float *f, int n, int m, int k) {{ float s = 0; int t = threadIdx.x;\n {body} \n}}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("conditions.cu", &text), &options, &Emit::PTX);
    assert!(out.output().is_some(), "{body}");
    let changed = out.session.ledger.loops().iter().filter(|l| l.changed);
    changed.map(|l| (l.kind.to_owned(), l.copies)).collect()
}

#[test]
fn conditions_beside_meetings_and_chosen_bounds_have_the_copies_that_nvcc_makes() {
    let mut wrong = String::new();
    for &(body, copies) in KERNELS {
        let is = fates(body, "sm_100");
        let right = match copies {
            0 => is.iter().any(|(kind, _)| kind == "upper-bound" || kind == "full"),
            _ => is.iter().any(|f| *f == ("runtime".to_owned(), copies)),
        };
        if !right {
            wrong.push_str(&format!("{body}: {is:?}, nvcc: {copies}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
