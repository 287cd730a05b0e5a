//! Mathematical functions, compiled by our own front end and optimiser, against Rust's.

use crate::Program;
use unspool::OptLevel;

/// Function, reference, largest error of `float` results in ulp (OpenCL C 1.2, table 7.1).
type One = (&'static str, fn(f64) -> f64, f64);
type Two = (&'static str, fn(f64, f64) -> f64, f64);

const ONE: &[One] = &[
    ("acos", f64::acos, 4.0),
    ("acosh", f64::acosh, 4.0),
    ("asin", f64::asin, 4.0),
    ("asinh", asinh, 4.0),
    ("atan", f64::atan, 5.0),
    ("atanh", f64::atanh, 5.0),
    ("cbrt", f64::cbrt, 2.0),
    ("ceil", f64::ceil, 0.0),
    ("cos", f64::cos, 4.0),
    ("cosh", f64::cosh, 4.0),
    ("exp", f64::exp, 3.0),
    ("exp2", f64::exp2, 3.0),
    ("exp10", |x| 10f64.powf(x), 3.0),
    ("expm1", f64::exp_m1, 3.0),
    ("fabs", f64::abs, 0.0),
    ("floor", f64::floor, 0.0),
    ("log", f64::ln, 3.0),
    ("log2", f64::log2, 3.0),
    ("log10", f64::log10, 3.0),
    ("log1p", f64::ln_1p, 2.0),
    ("rint", f64::round_ties_even, 0.0),
    ("round", f64::round, 0.0),
    ("rsqrt", |x| 1.0 / x.sqrt(), 2.0),
    ("sin", f64::sin, 4.0),
    ("sinh", f64::sinh, 4.0),
    ("sqrt", f64::sqrt, 3.0),
    ("tan", f64::tan, 5.0),
    ("tanh", f64::tanh, 5.0),
    ("trunc", f64::trunc, 0.0),
    ("half_sqrt", f64::sqrt, 8192.0),
    ("half_rsqrt", |x| 1.0 / x.sqrt(), 8192.0),
    ("half_recip", |x| 1.0 / x, 8192.0),
    ("half_exp", f64::exp, 8192.0),
    ("half_log", f64::ln, 8192.0),
    ("half_sin", f64::sin, 8192.0),
    ("half_tan", f64::tan, 8192.0),
];

/// The standard library's loses the small ones' digits.
fn asinh(x: f64) -> f64 {
    let a = x.abs();
    if a > 1e9 {
        return (a.ln() + std::f64::consts::LN_2).copysign(x);
    }
    (a + a * a / (1.0 + a.hypot(1.0))).ln_1p().copysign(x)
}

/// `pow` without negative bases, and without what is an indeterminate form.
fn powr(a: f64, b: f64) -> f64 {
    let open = b == 0.0 && (a == 0.0 || a.is_infinite()) || a == 1.0 && b.is_infinite();
    if a < 0.0 || a.is_nan() || b.is_nan() || open { f64::NAN } else { a.abs().powf(b) }
}

const TWO: &[Two] = &[
    ("atan2", f64::atan2, 6.0),
    ("copysign", f64::copysign, 0.0),
    ("fdim", |a, b| if a <= b { 0.0 } else { a - b }, 0.0),
    ("fmax", f64::max, 0.0),
    ("fmin", f64::min, 0.0),
    ("fmod", |a, b| a % b, 0.0),
    ("hypot", f64::hypot, 4.0),
    ("pow", f64::powf, 16.0),
    ("half_divide", |a, b| a / b, 8192.0),
    ("half_powr", powr, 8192.0),
];

const VALUES: [f32; 28] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    -3.0,
    0.1,
    1e-3,
    1e-6,
    -1e-6,
    10.0,
    -10.0,
    20.5,
    33.25,
    88.0,
    -87.0,
    100.0,
    1e5,
    -1e6,
    1e20,
    1e-20,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    0.999_999_9,
];

fn ulps(got: f32, reference: f64) -> f64 {
    let near = reference as f32;
    if near.is_nan() || got.is_nan() {
        return if near.is_nan() == got.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if near == got {
        return 0.0;
    }
    if near.is_infinite() {
        return if got.is_infinite() { f64::INFINITY } else { 1.0 };
    }
    let exponent = reference.abs().log2().floor().max(-126.0);
    (f64::from(got) - reference).abs() / (exponent - 23.0).exp2()
}

#[test]
fn functions_of_float_keep_opencls_limits() {
    let mut text = String::new();
    for (f, ..) in ONE {
        text += &format!(
            "kernel void {f}_(global float *a, global float *r) {{ int i = get_global_id(0); r[i] = {f}(a[i]); }}\n"
        );
    }
    for (f, ..) in TWO {
        text += &format!(
            "kernel void {f}_(global float *a, global float *b, global float *r) \
             {{ int i = get_global_id(0); r[i] = {f}(a[i], b[i]); }}\n"
        );
    }
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().expect("4 bytes"))).collect()
    };
    let program = Program::new(&text, OptLevel::O3);
    let data: Vec<u8> = VALUES.iter().flat_map(|v| v.to_le_bytes()).collect();
    for (f, reference, limit) in ONE {
        let got =
            floats(&program.run(&format!("{f}_"), VALUES.len() as u32, std::slice::from_ref(&data), VALUES.len() * 4));
        for (&x, &y) in VALUES.iter().zip(&got) {
            let error = ulps(y, reference(f64::from(x)));
            assert!(error <= *limit, "{f}({x}) = {y}: {error} ulp");
        }
    }
    let pairs: Vec<(f32, f32)> = VALUES.iter().flat_map(|&a| VALUES.iter().map(move |&b| (a, b))).collect();
    let first: Vec<u8> = pairs.iter().flat_map(|(a, _)| a.to_le_bytes()).collect();
    let second: Vec<u8> = pairs.iter().flat_map(|(_, b)| b.to_le_bytes()).collect();
    for (f, reference, limit) in TWO {
        let inputs = [first.clone(), second.clone()];
        let got = floats(&program.run(&format!("{f}_"), pairs.len() as u32, &inputs, pairs.len() * 4));
        for (&(a, b), &y) in pairs.iter().zip(&got) {
            // Half functions need not know quotients of large numbers.
            if *f == "half_divide" && (b.abs() > 1e20 || a.abs() > 1e20) {
                continue;
            }
            if *f == "fdim" && (a.is_nan() || b.is_nan()) {
                assert!(y.is_nan(), "fdim({a}, {b}) = {y}");
                continue;
            }
            let error = ulps(y, reference(f64::from(a), f64::from(b)));
            assert!(error <= limit.max(0.5), "{f}({a}, {b}) = {y}: {error} ulp");
        }
    }
}

#[test]
fn zeros_and_ones_are_exact() {
    let text = "kernel void k(global float *p, global float *r) {
        float z = p[0];
        r[0] = cos(z); r[1] = native_cos(z); r[2] = exp(z); r[3] = native_exp(z); r[4] = pow(z, 0.0f); r[5] = exp2(z);
        r[6] = cosh(z); r[7] = exp10(z); r[8] = native_exp2(z); r[9] = tgamma(1.0f + z);
    }";
    let got = Program::new(text, OptLevel::O3).run("k", 1, &[vec![0; 4]], 40);
    for (n, b) in got.chunks(4).enumerate() {
        assert_eq!(f32::from_le_bytes(b.try_into().expect("4 bytes")), 1.0, "result {n}");
    }
}
