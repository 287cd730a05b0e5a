//! Inverse roots, and inverses that may be approximate, by the processor's estimate: every exponent, both signs, and what is no normal number.

use ir::Type;
use llvm::{HostMachine, Options};

/// One of the operations, on `lanes` singles at a time.
fn text(lanes: u32, operation: &str) -> String {
    let ty = if lanes == 1 { Type::F32 } else { Type::F32.vector(lanes as u8).unwrap() };
    let operation = operation.replace("ONE", &format!("{ty}:1.0"));
    format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @roots(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: {ty} = load align 4 v0\n  v3: {ty} = {operation} v2\n  store align 4 v1, v3\n  return\n}}\n"
    )
}

fn ulps(got: f32, exact: f64) -> f64 {
    let near = exact as f32;
    let unit = f64::from(near.next_up()) - f64::from(near);
    (f64::from(got) - exact).abs() / unit
}

/// The largest error where the result is a normal number. `rough`: subnormal numbers may count as zeros.
fn sweep(lanes: usize, operation: &str, rough: bool, function: fn(f64) -> f64) -> f64 {
    let module = ir::parse::parse_module(&text(lanes as u32, operation)).unwrap();
    let machine = HostMachine::detect().unwrap();
    let compiled = llvm::compile(&module, &machine, &Options { entries: &["roots"], ..Options::default() }).unwrap();
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("roots").unwrap();
    let mantissas = [0, 1, 2, 0x1234, 0x155_555, 0x2a_aaaa, 0x35_04f3, 0x40_0000, 0x5a_5a5a, 0x7f_fffe, 0x7f_ffff];
    let mut arguments: Vec<f32> =
        (0..512u32).flat_map(|exponent| mantissas.map(|m| f32::from_bits(exponent << 23 | m))).collect();
    arguments.resize(arguments.len().next_multiple_of(lanes), 1.0);
    let mut worst = 0.0f64;
    for part in arguments.chunks(lanes) {
        let mut out = vec![0.0f32; lanes];
        // SAFETY: the code reads and writes `lanes` numbers there.
        unsafe { entry(part.as_ptr().cast(), out.as_mut_ptr().cast()) };
        for (&x, &got) in part.iter().zip(&out) {
            let exact = function(f64::from(x));
            let tiny = |v: f64| v.abs() < f64::from(f32::MIN_POSITIVE);
            let exact = if exact.abs() > f64::from(f32::MAX) { f64::INFINITY.copysign(exact) } else { exact };
            if rough && (tiny(x.into()) || tiny(exact)) && !(x == 0.0 || exact == 0.0) {
                let flushed = function(0f64.copysign(x.into()));
                let fits = f64::from(got) == flushed || got == 0.0 || (ulps(got, exact) < 8192.0);
                assert!(fits || got.is_nan() == exact.is_nan(), "{lanes} lanes: {x:e} gives {got:e}");
            } else if exact.is_nan() || exact.is_infinite() || exact == 0.0 {
                let same = exact.is_nan() && got.is_nan() || f64::from(got) == exact;
                assert!(same, "{lanes} lanes: {x:e} ({:#x}) gives {got:e}, not {exact:e}", x.to_bits());
            } else {
                worst = worst.max(ulps(got, exact));
            }
        }
    }
    worst
}

fn inverse_root(x: f64) -> f64 {
    1.0 / x.sqrt()
}

#[test]
fn every_exponent_in_every_width() {
    for lanes in [1, 2, 3, 4, 8, 16, 32, 64] {
        let worst = sweep(lanes, "intrinsic rsqrt.approx", false, inverse_root);
        assert!(worst <= 1.5, "{lanes} lanes: {worst} ulp");
    }
}

/// `native_rsqrt`, `half_rsqrt`, `native_recip` and `half_recip` took a quarter longer than Intel's.
#[test]
fn what_may_be_rough_keeps_eleven_bits_and_inverses_nearly_all() {
    for lanes in [1, 3, 8, 16, 32, 64] {
        let worst = sweep(lanes, "intrinsic invariant rsqrt.approx", true, inverse_root);
        assert!(worst <= 8192.0, "{lanes} lanes, inverse root: {worst} ulp");
        let worst = sweep(lanes, "fdiv arcp afn invariant ONE,", true, |x| 1.0 / x);
        assert!(worst <= 8192.0, "{lanes} lanes, rough inverse: {worst} ulp");
        let worst = sweep(lanes, "fdiv arcp afn ONE,", false, |x| 1.0 / x);
        assert!(worst <= 1.0, "{lanes} lanes, inverse: {worst} ulp");
    }
}
