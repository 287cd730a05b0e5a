//! Whole kernels: loops, calls, memory.

mod common;
use common::*;
use ir::*;

/// `y[i] = a * x[i] + y[i]`
fn saxpy(m: &mut Module) {
    kernel(m, "saxpy", &[Type::I32, Type::F32, GLOBAL, GLOBAL], |b, args| {
        let [n, a, x, y] = [args[0], args[1], args[2], args[3]];
        let (body, exit) = (b.func.new_block(), b.func.new_block());
        let (tid, ntid, ctaid) =
            (b.special(SpecialReg::TidX), b.special(SpecialReg::NtidX), b.special(SpecialReg::CtaidX));
        let first = b.mul(ctaid, ntid);
        let i = b.add(first, tid);
        let inside = b.icmp(IntCC::Slt, i, n);
        b.br(inside, (body, &[]), (exit, &[]));
        b.switch_to(body);
        let wide = b.cast(Opcode::SExt, i, Type::I64);
        let four = b.iconst(Type::I64, 4);
        let offset = b.mul(wide, four);
        let px = b.ptradd(x, offset, Flags::INBOUNDS);
        let py = b.ptradd(y, offset, Flags::INBOUNDS);
        let vx = b.load(Type::F32, px, MemInfo::aligned(4), Flags::INVARIANT);
        let vy = b.load(Type::F32, py, MemInfo::aligned(4), Flags::NONE);
        let product = b.op(Opcode::FMul, Flags::CONTRACT, &[a, vx]);
        let sum = b.op(Opcode::FAdd, Flags::CONTRACT, &[product, vy]);
        b.store(py, sum, MemInfo::aligned(4), Flags::NONE);
        b.jump(exit, &[]);
        b.switch_to(exit);
        b.ret(None);
    });
}

#[test]
fn saxpy_folds() {
    let mut m = Module::default();
    saxpy(&mut m);
    let text = emit_for(&m, 90);
    check(
        &text,
        &[
            ".visible .entry saxpy(",
            ".param .u32 saxpy_param_0",
            "ld.param.b32 %r1, [saxpy_param_0]",
            "mad.lo.s32",
            "setp.lt.s32",
            "@!%p1 bra",
            "mul.wide.s32",
            "ld.global.nc.f32",
            "ld.global.f32",
            "fma.rn.f32",
            "st.global.f32",
            "ret;",
        ],
    );
    assemble_everywhere(&m, "saxpy");
}

/// A sum over an array in a bottom-tested loop.
fn sum_loop(m: &mut Module, nounroll: bool) {
    kernel(m, "sum", &[GLOBAL, GLOBAL, Type::I32], |b, args| {
        let (head, exit) = (b.func.new_block(), b.func.new_block());
        let i = b.func.dfg.add_param(head, Type::I32);
        let acc = b.func.dfg.add_param(head, Type::F32);
        let ptr = b.func.dfg.add_param(head, GLOBAL);
        let total = b.func.dfg.add_param(exit, Type::F32);
        let (zero, fzero) = (b.iconst(Type::I32, 0), b.fconst(Type::F32, 0.0));
        b.jump(head, &[zero, fzero, args[0]]);
        b.switch_to(head);
        let x = b.load(Type::F32, ptr, MemInfo::aligned(4), Flags::NONE);
        let next_acc = b.binary(Opcode::FAdd, acc, x);
        let one = b.iconst(Type::I32, 1);
        let next = b.add(i, one);
        let four = b.iconst(Type::I64, 4);
        let next_ptr = b.ptradd(ptr, four, Flags::NONE);
        let more = b.icmp(IntCC::Slt, next, args[2]);
        let md = b.func.loops.push(LoopMeta { nounroll, ..LoopMeta::default() });
        b.br_md(more, (head, &[next, next_acc, next_ptr]), (exit, &[next_acc]), Some(md));
        b.switch_to(exit);
        b.store(args[1], total, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
}

#[test]
fn loop_variables_share_registers() {
    let mut m = Module::default();
    sum_loop(&mut m, true);
    let text = emit_for(&m, 90);
    check(
        &text,
        &[
            "$L__BB0_1:",
            ".pragma \"nounroll\";",
            "ld.global.f32",
            "add.rn.f32 %f1, %f1, %f3",
            "add.s32 %r2, %r2, 1",
            "add.s64 %rd3, %rd3, 4",
            "setp.lt.s32",
            "@%p1 bra $L__BB0_1",
        ],
    );
    assemble_everywhere(&m, "sum");
}

#[test]
fn swapped_loop_variables() {
    // Fibonacci: (a, b) = (b, a + b), and a swap.
    let mut m = Module::default();
    kernel(&mut m, "fib", &[GLOBAL, Type::I32], |b, args| {
        let (head, exit) = (b.func.new_block(), b.func.new_block());
        let p: Vec<Value> = (0..4).map(|_| b.func.dfg.add_param(head, Type::I32)).collect();
        let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
        b.jump(head, &[zero, one, zero, one]);
        b.switch_to(head);
        let sum = b.add(p[0], p[1]);
        let more = b.icmp(IntCC::Slt, sum, args[1]);
        b.br(more, (head, &[p[1], sum, p[3], p[2]]), (exit, &[]));
        b.switch_to(exit);
        b.store(args[0], p[2], MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
    let text = emit_for(&m, 90);
    // p2 is read after the loop: its copies may not run before the exit branch.
    check(&text, &["add.s32", "setp.lt.s32", "@!%p1 bra $L__BB0_2", "mov.b32", "mov.b32", "bra.uni $L__BB0_1", "$L__BB0_2:"]);
    assemble_everywhere(&m, "fib");
}
