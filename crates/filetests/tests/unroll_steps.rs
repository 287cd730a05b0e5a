//! Which loops nvcc 13.5 counts before they start, by what the counter steps by and what it is compared with: for sm_90, and for
//! sm_100, whose compiler knows how large groups are and how far signed numbers reach (`docs/unrolling.md`). Each line was
//! measured with `g[i] = h[i]` as the loop's body.

use unspool::{Dialect, Emit, Input, Options};

/// The loop, and how many copies nvcc makes for sm_90 and for sm_100.
const ROWS: &[(&str, u32, u32)] = &[
    // A signed counter that is promised not to wrap.
    ("int i = a; i < n; i += 32", 4, 16),
    ("int i = threadIdx.x; i < n; i += s", 4, 4),
    ("int i = threadIdx.x; i < n; i += (int)blockDim.x", 4, 4),
    // One that may wrap: not if the bound is a group's size away from the largest number.
    ("int i = threadIdx.x; i < n; i += blockDim.x", 1, 1),
    ("int i = threadIdx.x; i < n / 2; i += blockDim.x", 1, 4),
    ("int i = threadIdx.x; i < 256; i += blockDim.x", 1, 4),
    ("int i = a; i < min(n, 1024); i += blockDim.x", 1, 4),
    ("int i = threadIdx.x; i < (int)gridDim.x; i += blockDim.x", 1, 1),
    ("int i = threadIdx.x; i < n / 2; i += blockDim.x * gridDim.x", 1, 1),
    ("int i = threadIdx.x; i < n / 2; i += um", 1, 1),
    // One that may wrap comes to the same values again if its step is a power of two, and ends at the first time.
    ("int i = threadIdx.x; i < n; i += 32u", 1, 4),
    ("int i = a; i < n; i += 32u", 1, 16),
    ("int i = a; i < n; i += 4ull", 1, 16),
    ("int i = threadIdx.x; i < n; i += 30u", 1, 1),
    // Unsigned counters.
    ("unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x", 1, 4),
    ("unsigned i = threadIdx.x; i < un / 2; i += blockDim.x", 1, 4),
    ("unsigned i = threadIdx.x; i < un; i += blockDim.x", 1, 1),
    ("unsigned i = a; i < un; i += 3", 1, 1),
    ("unsigned i = a; i < un; i += 32", 1, 16),
    ("unsigned i = a; i < gridDim.x; i += 32", 1, 4),
    // Down to a number that a step of a group's size cannot pass and wrap.
    ("int i = a; i >= 0; i -= blockDim.x", 1, 4),
    ("int i = a; i >= -5; i -= blockDim.x", 1, 4),
    ("int i = a; i >= n; i -= blockDim.x", 1, 1),
    // Signed counters compared as unsigned numbers.
    ("int i = a; i < un; i += 3", 1, 16),
    ("int i = a; i < un; i += 32", 1, 16),
    ("int i = a; i < un; i += (int)blockDim.x", 1, 4),
    ("int i = a; i < un; i += s", 1, 1),
];

/// The same of loops up to `warpSize`, which is a number for sm_100, and a value of the machine until loops are decided for sm_90.
const WARPS: &[(&str, u32, u32)] = &[
    ("for (int i = warpSize / 2; i > 0; i /= 2) s += __shfl_xor_sync(~0u, s, i);", 1, 5),
    ("for (int i = 1; i < warpSize; i *= 2) s += __shfl_xor_sync(~0u, s, i);", 1, 5),
    ("\n#pragma unroll\nfor (int i = 1; i < warpSize; i *= 2) s += __shfl_xor_sync(~0u, s, i);", 1, 5),
    ("const int w = warpSize / 2; for (int i = w; i > 0; i >>= 1) s += __shfl_down_sync(~0u, s, i, warpSize);", 1, 5),
    ("for (int i = 0; i < warpSize; i++) g[i] = h[i];", 4, 32),
    ("\n#pragma unroll\nfor (int i = 0; i < warpSize; i++) g[i] = h[i];", 4, 32),
    ("for (int i = threadIdx.x & (warpSize - 1); i < n; i += warpSize) g[i] = h[i];", 4, 4),
    ("for (int i = 0; i < n / warpSize; i++) g[i] = h[i];", 4, 16),
];

/// Bounds that are reached themselves, and the copies for sm_90: none where the step is two or more and bound and start may be the
/// last numbers that there are.
const INCLUSIVE: &[(&str, u32)] = &[
    ("int i = threadIdx.x; i <= n; i += 512", 1),
    ("int i = a; i <= n; i += 2", 1),
    ("int i = threadIdx.x; i <= n + 1; i += 2", 1),
    ("int i = threadIdx.x; i <= (int)blockIdx.x; i += 2", 1),
    ("int i = n; i >= a; i -= 2", 1),
    ("int i = threadIdx.x; i <= n; i++", 4),
    ("int i = 0; i <= n; i += 2", 4),
    ("int i = a & 7; i <= n; i += 2", 4),
    ("int i = threadIdx.x; i <= n / 2; i += 2", 4),
    ("int i = threadIdx.x; i <= n * 2; i += 2", 4),
    ("int i = n; i >= 0; i -= 2", 4),
    ("long long i = threadIdx.x; i <= (long long)n; i += 2", 4),
];

#[test]
fn loops_that_reach_the_last_number_have_no_copies_for_sm_90() {
    for &(header, expected) in INCLUSIVE {
        assert_eq!(copies(&format!("float t = 0; for ({header}) t += h[i]; g[0] = t;"))[0], expected, "{header}");
    }
}

/// How many copies of the first loop are made for sm_90 and for sm_100.
fn copies(body: &str) -> [u32; 2] {
    let text = format!(
        "__global__ void k(float *g, const float *h, int n, unsigned un, unsigned um, int a, int s) {{\n\
         {body} g[n] = s; }}"
    );
    ["sm_90", "sm_100"].map(|arch| {
        let mut options = Options::new(Dialect::CUDA);
        options.explain = true;
        options.set_arch(arch.parse().expect("an architecture"));
        let out = unspool::compile_with_log(&Input::text("steps.cu", &text), &options, &Emit::PTX);
        let look = out.session.ledger.loops().first().unwrap_or_else(|| panic!("no loop in {body}"));
        look.copies.max(1)
    })
}

/// That all of these have the copies that nvcc makes.
fn agree(rows: impl Iterator<Item = (String, u32, u32)>) {
    let mut wrong = String::new();
    for (body, narrow, wide) in rows {
        let got = copies(&body);
        if got != [narrow, wide] {
            wrong.push_str(&format!("{body}: {got:?} copies for sm_90 and sm_100, nvcc makes {narrow} and {wide}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn loops_are_counted_where_nvcc_counts_them() {
    agree(ROWS.iter().map(|&(header, narrow, wide)| (format!("for ({header}) g[i] = h[i];"), narrow, wide)));
}

/// A step with a limit needs no small body, as one does of which nothing shows the sign.
#[test]
fn large_loops_step_by_sizes_of_groups() {
    let large = "{ float v = h[i]; q += expf(n - v); q += expf(n - 2 * v); q += expf(n - 3 * v); }";
    let rows = [
        ("int i = n; i >= 0; i -= blockDim.x", 4),
        ("int i = threadIdx.x; i < 256; i += blockDim.x", 4),
        ("int i = n; i > 0; i -= (a & 7)", 1),
    ];
    agree(rows.iter().map(|&(header, wide)| (format!("float q = 0; for ({header}) {large} g[1] = q;"), 1, wide)));
}

#[test]
fn a_warp_is_no_constant_for_sm_90_when_loops_are_decided() {
    agree(WARPS.iter().map(|&(body, narrow, wide)| (body.to_owned(), narrow, wide)));
}
