//! Built-in functions under `-cl-fast-relaxed-math`: wherever a result is defined and finite, it stays near the exact one.
//!
//! OpenCL C's table of errors under unsafe mathematics (7.4) bounds some of them by far less than what is taken here; this
//! looks for functions that are plainly wrong on a part of their domain, of which a table of ulps over another part says nothing.

mod common;

use common::launch::{Setup, setup};
use opencl3::kernel::{ExecuteKernel, Kernel};
use std::f32::consts::{FRAC_PI_2, PI};

const UNARY: &str = "\
    acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi degrees erf erfc exp exp10 exp2 \
    expm1 fabs floor lgamma log log10 log1p log2 logb radians rint round rsqrt sign sin sinh sinpi sqrt tan tanh \
    tanpi tgamma trunc half_cos half_exp half_exp10 half_exp2 half_log half_log10 half_log2 half_recip half_rsqrt \
    half_sin half_sqrt half_tan native_cos native_exp native_exp10 native_exp2 native_log native_log10 native_log2 \
    native_recip native_rsqrt native_sin native_sqrt native_tan";

const BINARY: &str = "\
    atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag pow powr remainder step half_divide half_powr \
    native_divide native_powr nextafter";

/// The functions whose second argument is whole.
const WHOLE: &str = "ldexp pown rootn";

/// Signs, whole numbers, zeros, quarters, what is near the ends of domains, small and large ones.
fn points() -> Vec<f32> {
    let sizes = [
        0.0f32, 1e-30, 3e-10, 1e-5, 0.001, 0.1, 0.25, 0.5, 0.75, 0.99, 0.999_999, 1.0, 1.000_001, 1.5, FRAC_PI_2, 2.0,
        2.5, 3.0, PI, 4.0, 5.0, 7.0, 9.75, 20.0, 33.3, 80.0, 99.0,
    ];
    let mut all: Vec<f32> = sizes.iter().flat_map(|&x| [x, -x]).collect();
    all.resize(all.len().next_multiple_of(4), 6.0);
    all
}

/// A kernel that has `form` of every one of `functions` in a row of results each, of one number and of four.
fn source(functions: &[&str], form: impl Fn(&str, bool) -> String) -> String {
    let rows = functions.iter().enumerate().map(|(row, f)| {
        let (one, four) = (form(f, false), form(f, true));
        format!("  o[{} * n + i] = {one};\n  vstore4({four}, i / 4, o + {} * n);\n", 2 * row, 2 * row + 1)
    });
    format!(
        "kernel void k(global const float *a, global const float *b, global float *o, int n) {{
  int i = get_global_id(0);
  float x = a[i], y = b[i];
  float4 v = vload4(i / 4, a), w = vload4(i / 4, b);
{}}}\n",
        rows.collect::<String>()
    )
}

fn results(s: &Setup, source: &str, options: &str, a: &[f32], b: &[f32], rows: usize) -> Vec<f32> {
    let program = s.built(source, options);
    let k = Kernel::create(&program, "k").expect("a kernel");
    let (first, second) = (s.holding(&mut a.to_vec()), s.holding(&mut b.to_vec()));
    let out = s.holding(&mut vec![f32::NAN; rows * a.len()]);
    let n = a.len() as i32;
    // SAFETY: the kernel takes these; there are as many numbers and rows as it takes.
    unsafe {
        ExecuteKernel::new(&k)
            .set_arg(&first)
            .set_arg(&second)
            .set_arg(&out)
            .set_arg(&n)
            .set_global_work_size(a.len())
            .enqueue_nd_range(&s.queue)
    }
    .expect("a launch");
    s.read(&out, rows * a.len())
}

/// Compares what fast mathematics gives with what exact mathematics gives, and says where they are apart.
fn compare(s: &Setup, functions: &str, a: &[f32], b: &[f32], form: impl Fn(&str, bool) -> String) {
    let functions: Vec<&str> = functions.split_whitespace().collect();
    let source = source(&functions, form);
    let rows = 2 * functions.len();
    let exact = results(s, &source, "", a, b, rows);
    let fast = results(s, &source, "-cl-fast-relaxed-math", a, b, rows);
    let mut apart = Vec::new();
    for (at, (&e, &f)) in exact.iter().zip(&fast).enumerate() {
        // Denormal numbers may be zero then, and what is not finite is not defined.
        let defined = e.is_finite() && e.abs() < 1e37;
        if defined && ((e - f).abs() > 1e-3 * e.abs() + 1e-6 || f.is_nan()) {
            let (row, i) = (at / a.len(), at % a.len());
            let lanes = if row % 2 == 0 { "" } else { " of four" };
            apart.push(format!("{}{lanes}({:e}, {:e}): {f:e}, not {e:e}", functions[row / 2], a[i], b[i]));
        }
    }
    assert!(apart.is_empty(), "{} apart:\n{}", apart.len(), apart[..apart.len().min(40)].join("\n"));
}

#[test]
fn functions_of_one_number_stay_near_the_exact_ones() {
    let Some(s) = setup() else { return };
    let a = points();
    compare(&s, UNARY, &a, &a, |f, four| format!("{f}({})", if four { "v" } else { "x" }));
}

#[test]
fn functions_of_two_numbers_stay_near_the_exact_ones() {
    let Some(s) = setup() else { return };
    let points = points();
    let (a, b): (Vec<f32>, Vec<f32>) = points.iter().flat_map(|&x| points.iter().map(move |&y| (x, y))).unzip();
    compare(&s, BINARY, &a, &b, |f, four| format!("{f}({})", if four { "v, w" } else { "x, y" }));
    compare(&s, WHOLE, &a, &b, |f, four| format!("{f}({})", if four { "v, convert_int4(w)" } else { "x, (int)y" }));
}
