//! Bodies that walk along more rows of memory than prefetchers follow.

mod support;

use ir::Opcode;
use support::{Launch, cl, compile, f64s, options};
use unspool::Dialect;

/// More rows than prefetchers follow: vectors side by side take the lines that are fetched together, more of them where rows share
/// few sets of a cache.
#[test]
fn bodies_that_walk_along_many_rows_run_several_vectors_side_by_side() {
    let kernel = |rows: usize| {
        let scale: String = (0..rows).map(|r| format!("y[{r} * 64 + i] *= w;\n")).collect();
        format!(
            "kernel void k(global double *y, global const double *x) {{
                int i = get_local_id(0);
                double w = x[i];
                {scale}
            }}"
        )
    };
    let args = |rows: usize| [f64s(rows * 64), f64s(64)];
    let many = cl(&kernel(30), &Launch::line(1, 64), &args(30));
    assert_eq!(many.figures.contiguous, 4 * 61, "{many:?}");
    let few = cl(&kernel(10), &Launch::line(1, 64), &args(10));
    assert_eq!(few.figures.contiguous, 21, "{few:?}");
    cl(&kernel(30), &Launch::line(1, 50), &args(30));
    // Rows that share sets.
    let apart = kernel(50).replace("* 64", "* 4096");
    let far = cl(&apart, &Launch::line(1, 64), &[f64s(50 * 4096), f64s(64)]);
    assert_eq!(far.figures.contiguous, 8 * 101, "{far:?}");
}

/// SHOC's S3D of doubles: eight lines of a row at once took Intel's processors a third longer than two, which AMD's gain by.
#[test]
fn as_many_lines_of_a_row_are_taken_at_once_as_suit_the_machine() {
    let sums: String = (0..50).map(|r| format!("y[{r} * 4096 + i] *= w;\n")).collect();
    let text = format!("kernel void k(global double *y) {{ int i = get_local_id(0); double w = y[i]; {sums} }}");
    let stores = |lines_at_once: u32| {
        let (mut module, mut session) = compile(Dialect::OPENCL, &text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
        let o = options(&Launch::line(1, 64));
        let machine = simd::VectorIsa { lines_at_once, ..o.machine };
        let o = simd::Options { machine, vectorise: true, ..o };
        let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
        let func = &module.functions[host.func];
        let is_row = |i: ir::Inst| {
            let data = &func.dfg.insts[i];
            data.op == Opcode::Store && func.dfg.ty(func.dfg.arg(i, 1)).is_vector()
        };
        func.layout.blocks().flat_map(|b| func.layout.insts(b)).filter(|&i| is_row(i)).count()
    };
    assert_eq!([8, 4, 2, 1].map(stores), [8, 4, 2, 1].map(|cells| cells * 50));
}

/// Sums along rows (`PolyBench`'s `gemver_kernel3`): four vectors of two lanes took a Sapphire Rapids three times as long as one of eight.
#[test]
fn as_many_rows_are_walked_side_by_side_as_suit_the_machine() {
    let text = "kernel void k(global const float *a, global float *y, int n) {
        int i = get_global_id(0);
        float s = 0;
        for (int j = 0; j < n; j++) s += a[i * n + j];
        y[i] = s;
    }";
    let gathers = |rows_at_once: u32| {
        let (mut module, mut session) = compile(Dialect::OPENCL, text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
        let o = options(&Launch::line(1, 64));
        let machine = simd::VectorIsa { rows_at_once, ..o.machine };
        let o = simd::Options { machine, vectorise: true, ..o };
        let host = simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}"));
        let func = &module.functions[host.func];
        let insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
        let lanes = insts.filter(|&i| func.dfg.op(i) == Opcode::Gather).map(|i| func.dfg.insts[i].ty.lanes());
        lanes.collect::<Vec<_>>()
    };
    let two = gathers(2);
    assert!(two.len() > 1 && two.iter().all(|&lanes| lanes == 2), "{two:?}");
    assert_eq!(gathers(8), [8]);
}

/// CLBlast's `TransposePadMatrix`: a tile in work-group memory that is read across was taken for rows of memory, and work-items of
/// floats went one after another.
#[test]
fn tiles_that_are_read_across_and_stored_along_were_taken_for_rows() {
    let lanes = |element: &str| {
        let text = format!(
            "kernel void k(global const {element} *in, global {element} *out, int rows, int columns, int step) {{
                local {element} tile[32 * 32];
                int x = get_local_id(0), y = get_local_id(1), to = get_group_id(0) * 32, from = get_group_id(1) * 32;
                #pragma unroll
                for (int a = 0; a < 4; a++)
                    #pragma unroll
                    for (int b = 0; b < 4; b++) {{
                        int i = from + b * 8 + x, j = to + a * 8 + y;
                        tile[(y * 4 + b) * 32 + x * 4 + a] = i < rows && j < columns ? in[j * step + i] : 0;
                    }}
                barrier(CLK_LOCAL_MEM_FENCE);
                #pragma unroll
                for (int a = 0; a < 4; a++)
                    #pragma unroll
                    for (int b = 0; b < 4; b++) {{
                        int i = to + a * 8 + x, j = from + b * 8 + y;
                        if (i < columns && j < rows) out[j * step + i] = 2 * tile[(x * 4 + b) * 32 + y * 4 + a];
                    }}
            }}"
        );
        let (mut module, mut session) = compile(Dialect::OPENCL, &text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
        let o = options(&Launch::new([2, 2, 1], [8, 8, 1]));
        let o = simd::Options { vectorise: true, ..o };
        simd::work_group(&mut module, &mut session, kernel, &o).unwrap_or_else(|e| panic!("{e}")).lanes
    };
    assert_eq!(["float", "double"].map(lanes), [8, 1]);
}
