//! Inverse roots by the processor's estimate: every exponent, both signs, and what is no normal number.

use ir::Type;
use llvm::{HostMachine, Options};

/// `1 / sqrt` of `lanes` singles at a time.
fn text(lanes: u32) -> String {
    let ty = if lanes == 1 { Type::F32 } else { Type::F32.vector(lanes as u8).unwrap() };
    format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @roots(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: {ty} = load align 4 v0\n  v3: {ty} = intrinsic rsqrt.approx v2\n  store align 4 v1, v3\n  return\n}}\n"
    )
}

fn ulps(got: f32, exact: f64) -> f64 {
    let near = exact as f32;
    let unit = f64::from(near.next_up()) - f64::from(near);
    (f64::from(got) - exact).abs() / unit
}

fn sweep(lanes: usize) -> f64 {
    let module = ir::parse::parse_module(&text(lanes as u32)).unwrap();
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
            let exact = 1.0 / f64::from(x).sqrt();
            if exact.is_nan() || exact.is_infinite() || exact == 0.0 {
                let same = exact.is_nan() && got.is_nan() || f64::from(got) == exact;
                assert!(same, "{lanes} lanes: {x:e} ({:#x}) gives {got:e}, not {exact:e}", x.to_bits());
            } else {
                worst = worst.max(ulps(got, exact));
            }
        }
    }
    worst
}

#[test]
fn every_exponent_in_every_width() {
    for lanes in [1, 2, 3, 4, 8, 16, 32, 64] {
        let worst = sweep(lanes);
        assert!(worst <= 1.5, "{lanes} lanes: {worst} ulp");
    }
}
