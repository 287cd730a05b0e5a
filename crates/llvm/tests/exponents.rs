//! Parts and scales of floating-point numbers, by instructions where the machine has them and in other operations elsewhere: the same
//! as the interpreter's, in every width.

use ir::Intrinsic;
use llvm::{HostMachine, Options};

const OPERATIONS: [Intrinsic; 3] = [Intrinsic::Scale, Intrinsic::Exponent, Intrinsic::Significand];

fn text(op: Intrinsic, single: bool, lanes: usize) -> String {
    let (scalar, bytes) = if single { ("f32", 4) } else { ("f64", 8) };
    let ty = if lanes == 1 { scalar.to_owned() } else { format!("{scalar}x{lanes}") };
    let operands = if op == Intrinsic::Scale { "v2, v4" } else { "v2" };
    format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @f(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: {ty} = load align 4 v0\n  v3: ptr = ptradd v0, i64:{}\n  v4: {ty} = load align 4 v3\n  v5: {ty} = intrinsic {} {operands}\n  store align 4 v1, v5\n  return\n}}\n",
        lanes * bytes,
        op.name()
    )
}

/// Numbers and what is none, and exponents.
fn operands() -> Vec<(f64, f64)> {
    let tiny = f64::from_bits(3);
    let near = [1.0, 1.5, 1.499_999_9, 0.75, -1.25, 3.0e38, 1.0e-40, 2.0f64.powi(-149), 6.5e4, -0.0, 0.0];
    let far = [tiny, f64::MIN_POSITIVE, 1.7e308, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -1.0e-310];
    let exponents = [0.0, 0.99, -0.01, 1.0, -126.5, -149.0, 127.9, 128.0, -1022.5, -1074.0, 1023.0, 5000.0, -5000.0];
    let odd = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let all = || near.iter().chain(&far);
    all().flat_map(|&x| exponents.iter().chain(&odd).map(move |&y| (x, y))).collect()
}

fn same_everywhere(op: Intrinsic, single: bool, lanes: usize, machine: &HostMachine) {
    let module = ir::parse::parse_module(&text(op, single, lanes)).unwrap();
    let compiled = llvm::compile(&module, machine, &Options { entries: &["f"], ..Options::default() }).unwrap();
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("f").unwrap();
    let mut all = operands();
    all.resize(all.len().next_multiple_of(lanes), (1.0, 1.0));
    let bits = |x: f64| if single { u64::from((x as f32).to_bits()) } else { x.to_bits() };
    let put = |x: f64| bits(x).to_le_bytes()[..if single { 4 } else { 8 }].to_vec();
    for part in all.chunks(lanes) {
        let input: Vec<u8> = part.iter().map(|p| p.0).chain(part.iter().map(|p| p.1)).flat_map(put).collect();
        let mut out = vec![0u8; input.len() / 2];
        // SAFETY: the code reads twice `lanes` numbers and writes as many once.
        unsafe { entry(input.as_ptr().cast(), out.as_mut_ptr().cast()) };
        for (&(x, y), got) in part.iter().zip(out.chunks(out.len() / lanes)) {
            let want = ir::exponent::eval(op, single, bits(x), bits(y)).unwrap();
            let got = got.iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b));
            let nan = |v: u64| if single { f32::from_bits(v as u32).is_nan() } else { f64::from_bits(v).is_nan() };
            let fits = got == want || nan(got) && nan(want);
            assert!(fits, "{} of {x:e}, {y:e}, {lanes} lanes, single {single}: {got:#x}, not {want:#x}", op.name());
        }
    }
}

#[test]
fn exponents_are_the_interpreters_in_every_width() {
    let machine = HostMachine::detect().unwrap();
    for op in OPERATIONS {
        for (single, lanes) in [true, false].into_iter().flat_map(|s| [1, 2, 4, 8, 16, 32].map(|l| (s, l))) {
            same_everywhere(op, single, lanes, &machine);
        }
    }
}

/// Code that was made for others is right on machines without the instructions.
#[test]
fn exponents_are_right_without_instructions_for_them() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let machine = HostMachine::named("x86-64-v2").unwrap();
    for op in OPERATIONS {
        for (single, lanes) in [(true, 1), (false, 1), (true, 4), (false, 2), (false, 8)] {
            same_everywhere(op, single, lanes, &machine);
        }
    }
}
