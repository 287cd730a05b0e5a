//! Widened work-group functions compute what kernels do, bit for bit, for vectors of every width and sizes that are no
//! multiple of them.

mod support;

use simd::widen::Widened;
use support::{A, Launch, compile, difference, f32s, float, i32s, int, options, run_groups, run_kernel, zeros};
use unspool::Dialect;

/// Compiles, widens for vectors of 4, 8 and 16 floats, runs, compares; what became of the loops with 16.
fn check(dialect: Dialect, text: &str, launch: &Launch, args: &[A]) -> Widened {
    let mut last = Widened::default();
    for bits in [128, 256, 512] {
        let (mut module, mut session) = compile(dialect, text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("a kernel");
        let expected = run_kernel(&module, kernel, launch, args);
        assert!(expected.is_ok(), "{:?}", expected.err());
        let mut o = options(launch);
        o.vectorise = true;
        o.machine.vector_bits = bits;
        let made = simd::regions::run(&mut module, &mut session, kernel, &o, simd::regions::Warps::Exchange)
            .unwrap_or_else(|e| panic!("{e}"));
        let scalar = ir::print::function_to_text(&module, &module.functions[made.func]);
        last = simd::widen::run(&mut module, &mut session, &made, &o)
            .unwrap_or_else(|e| panic!("{e}\n{scalar}\n{}", ir::print::function_to_text(&module, &module.functions[made.func])));
        let host = simd::HostKernel {
            func: made.func,
            name: String::new(),
            args: made.args.clone(),
            args_bytes: made.args_bytes,
            shared_bytes: made.shared_bytes,
            scratch_bytes: made.scratch_bytes,
            lanes: last.lanes,
            reason: last.reason.clone(),
        };
        let found = run_groups(&module, &host, launch, args);
        if let Some(why) = difference(&expected, &found) {
            let wide = ir::print::function_to_text(&module, &module.functions[made.func]);
            panic!("{bits} bits: {why}\n{scalar}\n{wide}");
        }
        if std::env::var_os("UNSPOOL_PRINT").is_some() {
            println!("{bits} bits: {last:?}\n{}", ir::print::function_to_text(&module, &module.functions[made.func]));
        }
    }
    last
}

/// The same for a kernel of which every loop must be widened.
fn cl(text: &str, launch: &Launch, args: &[A]) -> Widened {
    let w = check(Dialect::OPENCL, text, launch, args);
    assert!(w.reason.is_none() && w.lanes > 1, "{w:?}");
    w
}

#[test]
fn saxpy_loads_rows() {
    let text = "kernel void k(global float *y, global const float *x, float a, int n) {
        int i = get_global_id(0);
        if (i >= n) return;
        y[i] = a * x[i] + y[i];
    }";
    let w = cl(text, &Launch::line(3, 32), &[f32s(96), f32s(96), float(1.5), int(77)]);
    assert_eq!((w.figures.contiguous, w.figures.gathers), (3, 0), "{w:?}");
    cl(text, &Launch::line(3, 37), &[f32s(111), f32s(111), float(1.5), int(107)]);
}
