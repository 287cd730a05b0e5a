//! Special cases of mathematical functions on the host, as OpenCL C states them: in vectors, one work-item after another,
//! and folded.

use runtime::{Arg, Device, HostDevice, HostOptions, Program, Run, Shape};
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

/// Runs the kernel `k` with these buffers, a work-item for each of `items`, in vectors and without.
fn run(text: &str, items: usize, buffers: &mut [Vec<f32>]) {
    let given = buffers.to_vec();
    for scalar in [true, false] {
        buffers.clone_from_slice(&given);
        let mut c = compile(&Input::text("k", text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
        let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
        assert!(c.succeeded(), "{all:?}");
        let program = Program::new(std::mem::take(&mut c.module), Dialect::OPENCL);
        let device =
            HostDevice::new(HostOptions { scalar, threads: Some(1), ..HostOptions::default() }).expect("a host");
        let local = [items as u32, 1, 1];
        let kernel = device.prepare(&program, "k", local, &mut c.session).unwrap_or_else(|e| panic!("{e}"));
        let shape = Shape { work_dim: 1, groups: [1; 3], local, offset: [0; 3], dynamic_shared: 0 };
        let args: Vec<_> = buffers.iter_mut().map(|b| Arg::Pointer(b.as_mut_ptr().cast())).collect();
        // SAFETY: the tests' kernels stay within their buffers.
        unsafe { kernel.launch(&shape, &args, &Run::default()) }.unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn ilogb_of_no_number_is_what_its_macro_says() {
    let text = "kernel void k(global float *x, global float *ok) {
        size_t i = get_global_id(0);
        int e = ilogb(x[i]), folded = i == 0 ? ilogb(NAN) : i == 1 ? ilogb(0.0f) : i == 2 ? ilogb(-INFINITY) : ilogb(0x1p-149f);
        int want = i == 0 ? FP_ILOGBNAN : i == 1 ? FP_ILOGB0 : i == 2 ? INT_MAX : -149;
        int wide = ilogb((double)x[i]);
        ok[i] = e == want && folded == want && wide == want;
    }";
    let tiny = f32::from_bits(1);
    let mut buffers = [vec![f32::NAN, -0.0, f32::INFINITY, tiny], vec![0.0; 4]];
    run(text, 4, &mut buffers);
    assert_eq!(buffers[1], [1.0; 4]);
}

/// `logb` took five times as long as Intel's while it was made of comparisons; of `hypot` a shorter iteration missed the root of 1/2, and an
/// earlier one roots of zeros and infinity.
#[test]
fn exponents_and_roots_of_squares_of_all_kinds_of_numbers() {
    let text = "kernel void k(global float *x, global float *ok) {
        size_t i = get_global_id(0);
        float e = logb(x[i]);
        double wide = logb((double)x[i]), h = hypot((double)x[i], (double)x[i]), side = hypot((double)x[i], 0.0);
        float want[9] = {-INFINITY, -INFINITY, INFINITY, INFINITY, NAN, -149, -127, -1, 127};
        bool same = i == 4 ? isnan(e) && isnan(wide) && isnan(h) : e == want[i] && wide == want[i] && side == fabs((double)x[i]);
        if (i == 7) same = same && h == sqrt(0.5);
        if (i < 4) same = same && h == fabs((double)x[i]);
        ok[i] = same;
    }";
    let (inf, half) = (f32::INFINITY, f32::MIN_POSITIVE / 2.0);
    let x = vec![0.0, -0.0, inf, -inf, f32::NAN, f32::from_bits(1), half, -0.5, f32::MAX];
    let mut buffers = [x, vec![0.0; 9]];
    run(text, 9, &mut buffers);
    assert_eq!(buffers[1], [1.0; 9]);
}

#[test]
fn angles_on_axes_and_between_them_are_exact_in_half_turns() {
    let inf = f32::INFINITY;
    // "atan2pi" of table "Additional requirements beyond C99 TC2": y, x, result; the same with the other sign of y.
    let cases = [
        (0.0, -0.0, 1.0),
        (0.0, 0.0, 0.0),
        (0.0, -3.0, 1.0),
        (0.0, 3.0, 0.0),
        (1.0, 0.0, 0.5),
        (1.0, -0.0, 0.5),
        (1e-40, -0.0, 0.5),
        (2.0, -inf, 1.0),
        (2.0, inf, 0.0),
        (inf, 5.0, 0.5),
        (inf, -5.0, 0.5),
        (inf, -inf, 0.75),
        (inf, inf, 0.25),
        (7.0, 7.0, 0.25),
        (7.0, -7.0, 0.75),
    ];
    let signed = cases.iter().flat_map(|&(y, x, r)| [(y, x, r), (-y, x, -r)]).collect::<Vec<(f32, f32, f32)>>();
    let text = "kernel void k(global float *y, global float *x, global float *turns, global float *radians) {
        size_t i = get_global_id(0);
        turns[i] = atan2pi(y[i], x[i]);
        radians[i] = atan2(y[i], x[i]);
        if (atan2pi((double)y[i], (double)x[i]) != turns[i]) turns[i] = NAN;
    }";
    let none = vec![0.0; signed.len()];
    let mut buffers =
        [signed.iter().map(|c| c.0).collect(), signed.iter().map(|c| c.1).collect::<Vec<_>>(), none.clone(), none];
    run(text, signed.len(), &mut buffers);
    for (n, &(y, x, want)) in signed.iter().enumerate() {
        assert_eq!(buffers[2][n].to_bits(), want.to_bits(), "atan2pi({y}, {x}) is {}", buffers[2][n]);
        let radians = (f64::from(want) * std::f64::consts::PI) as f32;
        assert_eq!(buffers[3][n].to_bits(), radians.to_bits(), "atan2({y}, {x}) is {}", buffers[3][n]);
    }
}

#[test]
fn inverse_functions_in_half_turns_end_exactly() {
    let text = "kernel void k(global float *x, global float *out) {
        size_t i = get_global_id(0);
        out[i] = i < 3 ? asinpi(x[i]) : i < 6 ? acospi(x[i]) : atanpi(x[i]);
    }";
    let inf = f32::INFINITY;
    let mut buffers = [vec![1.0, -1.0, -0.0, 1.0, -1.0, 0.0, inf, -inf, -0.0, 1.0], vec![9.0; 10]];
    run(text, 10, &mut buffers);
    let want: [f32; 10] = [0.5, -0.5, -0.0, 0.0, 1.0, 0.5, 0.5, -0.5, -0.0, 0.25];
    let bits = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&buffers[1]), bits(&want), "{:?}", buffers[1]);
}

#[test]
fn squares_written_as_powers_are_products() {
    let text = "kernel void k(global float *x, global float *ok) {
        size_t i = get_global_id(0);
        float v = x[i], s = v * v, p = pow(v, 2), q = pow((float4)(v, 1, 2, 3), (float4)2.0f).x;
        double d = pow((double)v, 2.0), e = (double)v * v;
        ok[i] = isnan(v) ? isnan(p) && isnan(q) && isnan(d)
                         : as_int(p) == as_int(s) && as_int(q) == as_int(s) && as_long(d) == as_long(e);
    }";
    let tiny = f32::from_bits(1);
    let mut buffers = [vec![f32::NAN, -0.0, f32::NEG_INFINITY, tiny, -1.5e-20, 0.1, -1.7e19, 1.9e19], vec![0.0; 8]];
    run(text, 8, &mut buffers);
    assert_eq!(buffers[1], [1.0; 8]);
    // Not a call of `pow`, which is a hundred instructions.
    let c = compile(&Input::text("k", text), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let k = c.module.find("k").expect("a kernel");
    assert!(c.module.functions[k].inst_count() < 60, "{}", c.module.functions[k].inst_count());
}

/// What functions are where no table or polynomial has anything to say, and on both sides of a table's ends.
#[test]
fn exponentials_and_logarithms_at_their_ends() {
    let inf = f32::INFINITY;
    let text = "kernel void k(global float *x, global float *e, global float *l) {
        size_t i = get_global_id(0);
        double d = x[i];
        e[i] = exp2(x[i]);
        if (exp2(d) != e[i] && floor(d) == d && x[i] > -120 && x[i] < 127) e[i] = 77;
        if (isinf(exp(d)) != (x[i] > 709) || (exp(d) == 0) != (x[i] < -746)) e[i] = 78;
        if (isinf(exp10(x[i])) != (x[i] > 38.6f) || isnan(exp10(d)) != isnan(x[i])) e[i] = 79;
        l[i] = log2(x[i]);
        if (log2(d) != l[i] && floor(l[i]) == l[i]) l[i] = 77;
        if (isinf(log10(d)) != (x[i] == 0 || isinf(x[i]) && x[i] > 0) || isnan(log(d)) != (x[i] < 0 || isnan(x[i]))) l[i] = 78;
        if (isinf(log(x[i])) != isinf(log(d)) || isnan(log10(x[i])) != isnan(log10(d))) l[i] = 79;
    }";
    let x = vec![0.0, -0.0, 1.0, 2.0, 0.5, 8.0, -3.0, 16.0, 1024.0, inf, -inf, f32::NAN, 2000.0, -2000.0, 64.0, 4.0];
    let n = x.len();
    let mut buffers = [x.clone(), vec![0.0; n], vec![0.0; n]];
    run(text, n, &mut buffers);
    for (i, &x) in x.iter().enumerate() {
        let same = |got: f32, want: f32| got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
        assert!(same(buffers[1][i], x.exp2()), "exp2({x}) is {}", buffers[1][i]);
        assert!(same(buffers[2][i], x.log2()), "log2({x}) is {}", buffers[2][i]);
    }
}

/// A table of 16 numbers that a register or two hold is a permutation where there is one, whatever the bits above the index.
#[test]
fn small_tables_are_asked_by_low_bits() {
    let list = |suffix: &str| (0..16).map(|n| format!("{n}.25{suffix}")).collect::<Vec<_>>().join(", ");
    let text = format!(
        "constant float t[16] = {{{}}};
        constant double d[16] = {{{}}};
        kernel void k(global float *x, global float *y) {{
            size_t i = get_global_id(0);
            int n = (int)x[i] * 37 - 50;
            float s = t[n & 15];
            if (x[i] > 20) s += (float)d[n >> 1 & 15] + (float)d[(ulong)(long)n & 15];
            y[i] = s;
        }}",
        list("f"),
        list("")
    );
    let x: Vec<f32> = (0..64).map(|n| n as f32).collect();
    let want = x.iter().map(|&x| {
        let (n, at) = (x as i32 * 37 - 50, |n: i32| (n & 15) as f32 + 0.25);
        if x > 20.0 { at(n) + (at(n >> 1) + at(n)) } else { at(n) }
    });
    let want: Vec<f32> = want.collect();
    let mut buffers = [x, vec![0.0; 64]];
    run(&text, 64, &mut buffers);
    assert_eq!(buffers[1], want);
}
