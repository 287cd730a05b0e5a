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
    // p2 is read after the loop: the header reads it from another register than the copies before the branch write.
    check(
        &text,
        &["$L__BB0_1:", "mov.b32 %r4, %r5", "add.s32", "setp.lt.s32", "mov.b32 %r5", "@%p1 bra $L__BB0_1", "], %r4;"],
    );
    assert!(!text.contains("bra.uni"), "{text}");
    assemble_everywhere(&m, "fib");
}

// ---- control flow ---------------------------------------------------------------------------------------------------

fn switch_kernel(m: &mut Module, ty: Type, cases: &[u64]) {
    let name = format!("sw{}", m.functions.len());
    kernel(m, &name, &[GLOBAL, Type::I32], |b, args| {
        let v = b.load(ty, args[0], MemInfo::aligned(8), Flags::NONE);
        let join = b.func.new_block();
        let r = b.func.dfg.add_param(join, Type::I32);
        let blocks: Vec<Block> = cases.iter().map(|_| b.func.new_block()).collect();
        let other = b.func.new_block();
        let list: Vec<(u64, Block)> = cases.iter().copied().zip(blocks.iter().copied()).collect();
        b.switch(v, &list, other);
        for (n, &block) in blocks.iter().enumerate() {
            b.switch_to(block);
            let k = b.iconst(Type::I32, n as i64);
            let x = b.mul(args[1], k);
            b.jump(join, &[x]);
        }
        b.switch_to(other);
        b.jump(join, &[args[1]]);
        b.switch_to(join);
        b.store(args[0], r, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
}

#[test]
fn switches() {
    let mut m = Module::default();
    for ty in [Type::I8, Type::I16, Type::I32, Type::I64] {
        switch_kernel(&mut m, ty, &[]);
        switch_kernel(&mut m, ty, &[7]);
        switch_kernel(&mut m, ty, &[0, 1, 2, 3, 5, 6, 7]);
        switch_kernel(&mut m, ty, &[250, 251, 252, 253, 254, 255]);
        switch_kernel(&mut m, ty, &[3, 17, 33, 66, 99, 120, 200, 210, 220]);
    }
    switch_kernel(&mut m, Type::I32, &[0xffff_ffff, 0, 0x8000_0000]);
    switch_kernel(&mut m, Type::I64, &[u64::MAX, 0, 1, 2, 3, 4, 5]);
    switch_kernel(&mut m, Type::I1, &[0, 1]);
    check(&emit_for(&m, 90), &["brx.idx"]);
    assemble_everywhere(&m, "switch");
}

#[test]
fn odd_graphs() {
    let mut m = Module::default();
    // An infinite loop; unreachable blocks; both edges to one block with different arguments; a constant condition.
    kernel(&mut m, "forever", &[GLOBAL], |b, args| {
        let (l, dead) = (b.func.new_block(), b.func.new_block());
        b.jump(l, &[]);
        b.switch_to(l);
        let one = b.iconst(Type::I32, 1);
        b.store(args[0], one, MemInfo::aligned(4), Flags::VOLATILE);
        b.jump(l, &[]);
        b.switch_to(dead);
        b.unreachable();
    });
    kernel(&mut m, "diamond", &[GLOBAL, Type::I32], |b, args| {
        let end = b.func.new_block();
        let r = b.func.dfg.add_param(end, Type::I32);
        let p = b.func.dfg.add_param(end, Type::I1);
        let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
        let (yes, no) = (b.iconst(Type::I1, 1), b.iconst(Type::I1, 0));
        let c = b.icmp(IntCC::Eq, args[1], zero);
        b.br(c, (end, &[one, no]), (end, &[args[1], yes]));
        b.switch_to(end);
        let s = b.select(p, r, one);
        b.store(args[0], s, MemInfo::aligned(4), Flags::NONE);
        let last = b.func.new_block();
        b.br(yes, (last, &[]), (end, &[zero, no]));
        b.switch_to(last);
        b.ret(None);
    });
    // Irreducible: two entries into a cycle.
    kernel(&mut m, "irreducible", &[GLOBAL, Type::I32], |b, args| {
        let (x, y, out) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        let px = b.func.dfg.add_param(x, Type::I32);
        let py = b.func.dfg.add_param(y, Type::I32);
        let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
        let c = b.icmp(IntCC::Eq, args[1], zero);
        b.br(c, (x, &[zero]), (y, &[one]));
        b.switch_to(x);
        let nx = b.add(px, one);
        b.jump(y, &[nx]);
        b.switch_to(y);
        let c = b.icmp(IntCC::Slt, py, args[1]);
        b.br(c, (x, &[py]), (out, &[]));
        b.switch_to(out);
        b.store(args[0], py, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
    // A nest with vectors as loop variables and a rotation of three.
    kernel(&mut m, "nest", &[GLOBAL, Type::I32], |b, args| {
        let v4 = Type::F32.vector(4).unwrap();
        let (outer, inner, latch, out) =
            (b.func.new_block(), b.func.new_block(), b.func.new_block(), b.func.new_block());
        let i = b.func.dfg.add_param(outer, Type::I32);
        let acc = b.func.dfg.add_param(outer, v4);
        let j = b.func.dfg.add_param(inner, Type::I32);
        let r: Vec<Value> = (0..3).map(|_| b.func.dfg.add_param(inner, Type::F32)).collect();
        let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
        let init = b.fconst(v4, 0.0);
        b.jump(outer, &[zero, init]);
        b.switch_to(outer);
        let lanes: Vec<Value> = (0..3).map(|n| b.extract(acc, n)).collect();
        b.jump(inner, &[zero, lanes[0], lanes[1], lanes[2]]);
        b.switch_to(inner);
        let nj = b.add(j, one);
        let c = b.icmp(IntCC::Slt, nj, args[1]);
        b.br(c, (inner, &[nj, r[1], r[2], r[0]]), (latch, &[]));
        b.switch_to(latch);
        let built = b.vec_build(&[r[2], r[0], r[1], r[0]]);
        let sum = b.binary(Opcode::FAdd, built, acc);
        let ni = b.add(i, one);
        let c = b.icmp(IntCC::Slt, ni, args[1]);
        b.br(c, (outer, &[ni, sum]), (out, &[]));
        b.switch_to(out);
        b.store(args[0], sum, MemInfo::aligned(16), Flags::NONE);
        b.ret(None);
    });
    assemble_everywhere(&m, "odd");
}

#[test]
fn a_way_around_the_next_block_takes_one_branch() {
    let mut m = Module::default();
    kernel(&mut m, "around", &[GLOBAL, Type::I32], |b, args| {
        let (block, join) = (b.func.new_block(), b.func.new_block());
        let met = b.func.dfg.add_param(join, Type::I32);
        let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
        let bit = b.op(Opcode::And, Flags::NONE, &[args[1], one]);
        let c = b.icmp(IntCC::Ne, bit, zero);
        b.br(c, (block, &[]), (join, &[args[1]]));
        b.switch_to(block);
        let loaded = b.load(Type::I32, args[0], MemInfo::aligned(4), Flags::NONE);
        let sum = b.op(Opcode::Xor, Flags::NONE, &[loaded, args[1]]);
        b.jump(join, &[sum]);
        b.switch_to(join);
        b.store(args[0], met, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
    let text = emit_for(&m, 90);
    assert_eq!(text.matches("bra").count(), 1, "{text}");
    assemble_everywhere(&m, "around");
}

// ---- functions ------------------------------------------------------------------------------------------------------

#[test]
fn calls() {
    let mut m = Module::default();
    let types = [
        Type::I1,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::F16,
        Type::BF16,
        Type::F32,
        Type::F64,
        Type::PTR,
        Type::F32.vector(2).unwrap(),
        Type::F32.vector(3).unwrap(),
        Type::I8.vector(16).unwrap(),
        Type::I16.vector(8).unwrap(),
        Type::F64.vector(4).unwrap(),
        Type::I1.vector(2).unwrap(),
    ];
    for ty in types {
        // The callee comes after the caller, so that a declaration is needed.
        let callee = FuncId::from_u32(m.functions.len() as u32 + 1);
        let name = format!("caller{}", m.functions.len());
        kernel(&mut m, &name, &[ty, GLOBAL], |b, args| {
            let r = b.call(callee, ty, &[args[0], args[0]]).unwrap();
            b.store(args[1], r, MemInfo::aligned(1), Flags::NONE);
            b.ret(None);
        });
        let name = format!("callee{}", m.functions.len());
        add(&mut m, &name, FnKind::Device, &[ty, ty], ty, |b, args| {
            b.ret(Some(args[1]));
        });
    }
    let text = emit_for(&m, 90);
    check(&text, &[".func (.param .b32 func_retval0) callee1", ");", "call (retval0), callee1, (param0, param1);"]);
    assemble_everywhere(&m, "calls");
}

#[test]
fn recursion_and_unused_functions() {
    let mut m = Module::default();
    let f = FuncId::from_u32(0);
    add(&mut m, "fact", FnKind::Device, &[Type::I32], Type::I32, |b, args| {
        let (rec, end) = (b.func.new_block(), b.func.new_block());
        let one = b.iconst(Type::I32, 1);
        let c = b.icmp(IntCC::Sgt, args[0], one);
        b.br(c, (rec, &[]), (end, &[]));
        b.switch_to(rec);
        let minus = b.iconst(Type::I32, -1);
        let n = b.add(args[0], minus);
        let r = b.call(f, Type::I32, &[n]).unwrap();
        let r = b.mul(r, args[0]);
        b.ret(Some(r));
        b.switch_to(end);
        b.ret(Some(one));
    });
    add(&mut m, "unused", FnKind::Device, &[], Type::VOID, |b, _| {
        b.ret(None);
    });
    kernel(&mut m, "k", &[GLOBAL, Type::I32], |b, args| {
        let r = b.call(f, Type::I32, &[args[1]]).unwrap();
        b.store(args[0], r, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
    let text = emit_for(&m, 75);
    assert!(!text.contains("unused"), "{text}");
    assemble(&text, "fact", 75);
}

#[test]
fn aggregates_by_value() {
    let mut m = Module::default();
    let byval = |ty: Type, size: u32| Param {
        ty,
        name: "s".into(),
        attrs: ParamAttrs { byval: Some(size), align: 8, ..ParamAttrs::default() },
    };
    for (n, ty) in [Type::ptr(AddrSpace::Param), Type::ptr(AddrSpace::Private), Type::PTR].into_iter().enumerate() {
        for kind in [FnKind::Kernel, FnKind::Device] {
            let mut f = Function::new(format!("f{n}{kind:?}"), kind);
            f.linkage = Linkage::External;
            f.params = vec![byval(ty, 200), param(GLOBAL), param(Type::I64)];
            let entry = f.new_entry_block();
            let args = f.dfg.params(entry).to_vec();
            let mut b = Builder::at_end(&mut f, entry);
            let eight = b.iconst(Type::I64, 8);
            let p = b.ptradd(args[0], eight, Flags::NONE);
            let q = b.ptradd(args[0], args[2], Flags::NONE);
            let x = b.load(Type::F64, p, MemInfo::aligned(8), Flags::NONE);
            let y = b.load(Type::F64, q, MemInfo::aligned(8), Flags::NONE);
            let z = b.binary(Opcode::FAdd, x, y);
            b.store(args[1], z, MemInfo::aligned(8), Flags::NONE);
            let bytes = b.iconst(Type::I64, 200);
            b.memcpy(args[1], args[0], bytes, MemInfo::aligned(8));
            b.ret(None);
            m.functions.push(f);
        }
        let callee = m.find(&format!("f{n}Device")).unwrap();
        let mut f = Function::new(format!("caller{n}"), FnKind::Kernel);
        f.params = vec![byval(ty, 200), param(GLOBAL), param(Type::I64)];
        let entry = f.new_entry_block();
        let args = f.dfg.params(entry).to_vec();
        let mut b = Builder::at_end(&mut f, entry);
        b.call(callee, Type::VOID, &args);
        b.ret(None);
        m.functions.push(f);
    }
    assemble_everywhere(&m, "byval");
}

#[test]
fn launch_bounds() {
    let mut m = Module::default();
    let k = kernel(&mut m, "k", &[], |b, _| {
        b.ret(None);
    });
    m.functions[k].attrs.max_threads = Some(256);
    m.functions[k].attrs.min_blocks = Some(2);
    m.functions[k].attrs.max_cluster = Some(4);
    check(&emit_for(&m, 90), &[".maxntid 256, 1, 1", ".minnctapersm 2", ".maxclusterrank 4"]);
    assemble_everywhere(&m, "bounds");
    m.functions[k].attrs =
        FnAttrs { reqd_work_group_size: Some([8, 8, 1]), max_registers: Some(64), ..FnAttrs::default() };
    check(&emit_for(&m, 90), &[".reqntid 8, 8, 1", ".maxnreg 64"]);
    assemble_everywhere(&m, "bounds2");
    m.functions[k].attrs = FnAttrs { cluster_dims: Some([2, 1, 1]), ..FnAttrs::default() };
    check(&emit_for(&m, 90), &[".reqnctapercluster 2, 1, 1", ".explicitcluster"]);
    assert!(!emit_for(&m, 86).contains("cluster"), "{}", emit_for(&m, 86));
    assemble_everywhere(&m, "clusters");
    m.functions[k].attrs.cluster_dims = Some([0; 3]);
    assert!(!emit_for(&m, 90).contains("reqncta"));
    assemble_everywhere(&m, "clusters of the launch");
}

#[test]
fn kernel_names_and_opencl_parameters() {
    let mut m = Module::default();
    let local = Type::ptr(AddrSpace::Shared);
    let k = kernel(
        &mut m,
        "sum.part",
        &[GLOBAL, local, Type::ptr(AddrSpace::Constant), Type::F32.vector(3).unwrap()],
        |b, args| {
            let x = b.load(Type::F32, args[2], MemInfo::aligned(4), Flags::NONE);
            b.store(args[1], x, MemInfo::aligned(4), Flags::NONE);
            let y = b.load(Type::F32, args[1], MemInfo::aligned(4), Flags::NONE);
            let z = b.extract(args[3], 2);
            let y = b.binary(Opcode::FMul, y, z);
            b.store(args[0], y, MemInfo::aligned(4), Flags::NONE);
            b.ret(None);
        },
    );
    m.functions[k].params[1].attrs.local = true;
    m.functions[k].params[0].attrs.align = 4;
    let mut t = target(75);
    t.opencl_abi = true;
    let text = ptx::emit(&m, &t, &ptx::EmitOptions::default(), None).unwrap();
    check(
        &text,
        &[
            ".visible .entry _$sum$2Epart(",
            ".param .u64 .ptr .global .align 4 _$sum$2Epart_param_0",
            ".param .u64 .ptr .shared .align 1",
            ".param .u64 .ptr .const .align 1",
            ".param .align 16 .b8 _$sum$2Epart_param_3[16]",
            "ld.const.f32",
            "st.shared.f32",
        ],
    );
    assemble(&text, "cl", 75);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

#[test]
fn stack_slots_and_printf() {
    let mut m = Module::default();
    let fmt = m.globals.push(GlobalData {
        name: "$str".into(),
        space: AddrSpace::Global,
        size: 6,
        align: 1,
        init: GlobalInit::Bytes(b"x=%d\n\0".to_vec(), vec![]),
        constant: true,
        linkage: Linkage::Internal,
        external: false,
        elem: Type::I8,
        span: source::Span::NONE,
    });
    let k = kernel(&mut m, "k", &[Type::I32, Type::I64], |b, args| {
        let a = b.func.slots.push(SlotData { size: 4, align: 4, dims: Default::default(), name: "a".into() });
        let t = b.func.slots.push(SlotData { size: 400, align: 16, dims: Default::default(), name: "t".into() });
        let (pa, pt) = (b.func.slot_addr(a), b.func.slot_addr(t));
        b.store(pa, args[0], MemInfo::aligned(4), Flags::NONE);
        let q = b.ptradd(pt, args[1], Flags::NONE);
        b.store(q, args[0], MemInfo::aligned(4), Flags::NONE);
        let generic = b.space_cast(q, AddrSpace::Generic);
        let x = b.load(Type::I32, generic, MemInfo::aligned(4), Flags::NONE);
        b.store(pa, x, MemInfo::aligned(4), Flags::NONE);
        let f = b.func.dfg.constant(GLOBAL, ConstKind::Global(fmt));
        let f = b.space_cast(f, AddrSpace::Generic);
        b.intrinsic(Intrinsic::VPrintf, Type::I32, &[f, pa]);
        b.ret(None);
    });
    let text = emit_for(&m, 75);
    check(
        &text,
        &[
            ".global .align 1 .b8 $str[6] = {120, 61, 37, 100, 10};",
            ".extern .func (.param .b32 func_retval0) vprintf",
            ".local .align 16 .b8 __local_depot0[416];",
            "st.local.b32 [__local_depot0], %r1",
            "call (retval0), vprintf, (param0, param1);",
        ],
    );
    assemble_everywhere(&m, "printf");
    // A slot that nothing names needs no memory; one that is used must fit.
    m.functions[k].slots.push(SlotData { size: u32::MAX, align: 1, dims: Default::default(), name: String::new() });
    assert_eq!(emit_for(&m, 75), text);
    for slot in m.functions[k].slots.values_mut() {
        slot.size = u32::MAX;
    }
    let e = ptx::emit(&m, &target(75), &ptx::EmitOptions::default(), None).unwrap_err();
    assert_eq!(e.diagnostic().code, "E0502");
}

#[test]
fn bulk_memory() {
    let mut m = Module::default();
    for align in [1, 2, 4, 8, 16] {
        for size in [Some(0), Some(7), Some(64), Some(1000), None] {
            for space in [AddrSpace::Generic, AddrSpace::Shared] {
                let name = format!("k{}", m.functions.len());
                kernel(&mut m, &name, &[Type::ptr(space), GLOBAL, Type::I64, Type::I8], |b, args| {
                    let n = size.map_or(args[2], |n| b.iconst(Type::I64, n));
                    b.memcpy(args[0], args[1], n, MemInfo::aligned(align));
                    b.memset(args[1], args[3], n, MemInfo::aligned(align));
                    let seven = b.iconst(Type::I8, -7);
                    b.memset(args[1], seven, n, MemInfo::aligned(align));
                    b.ret(None);
                });
            }
        }
    }
    assemble(&emit_for(&m, 75), "bulk", 75);
}

fn global(name: &str, space: AddrSpace, size: u64, align: u32, init: GlobalInit, elem: Type) -> GlobalData {
    GlobalData {
        name: name.into(),
        space,
        size,
        align,
        init,
        constant: false,
        linkage: Linkage::External,
        external: false,
        elem,
        span: source::Span::NONE,
    }
}

#[test]
fn globals() {
    let mut m = Module::default();
    let floats: Vec<u8> = [1.0f32, -2.5].iter().flat_map(|f| f.to_le_bytes()).collect();
    let ptr = |offset, global, addend, generic| Reloc { offset, global, addend, generic };
    // The one that names the others comes first in the module.
    let late = [1, 2].map(Global::from_u32);
    m.globals.push(global(
        "table",
        AddrSpace::Global,
        24,
        8,
        GlobalInit::Bytes(vec![0, 0, 0, 0, 0, 0, 0, 0, 9], vec![ptr(0, late[0], 4, true), ptr(16, late[1], 0, false)]),
        Type::PTR,
    ));
    m.globals.push(global("weights", AddrSpace::Constant, 16, 4, GlobalInit::Bytes(floats, vec![]), Type::F32));
    m.globals.push(global("counter", AddrSpace::Global, 4, 4, GlobalInit::Bytes(vec![7], vec![]), Type::I32));
    m.globals.push(global("big", AddrSpace::Global, 1 << 20, 16, GlobalInit::Zero, Type::F64));
    m.globals.push(global("tile", AddrSpace::Shared, 4096, 4, GlobalInit::None, Type::F32));
    m.globals.push(global("dyn", AddrSpace::Shared, 0, 16, GlobalInit::None, Type::I8));
    m.globals.push(global(
        "packed",
        AddrSpace::Global,
        13,
        1,
        GlobalInit::Bytes(vec![1, 2, 3], vec![ptr(4, late[1], 0, true)]),
        Type::I8,
    ));
    let all: Vec<Global> = m.globals.keys().collect();
    kernel(&mut m, "k", &[GLOBAL], |b, args| {
        for g in all {
            let space = [1, 4, 1, 1, 3, 3, 1][g.as_u32() as usize];
            let space = AddrSpace::from_number(space).unwrap();
            let p = b.func.dfg.constant(Type::ptr(space), ConstKind::Global(g));
            let four = b.iconst(Type::I64, 4);
            let q = b.ptradd(p, four, Flags::NONE);
            let x = b.load(Type::I8, q, MemInfo::aligned(1), Flags::NONE);
            b.store(args[0], x, MemInfo::aligned(1), Flags::NONE);
            let generic = b.space_cast(p, AddrSpace::Generic);
            let y = b.load(Type::I8, generic, MemInfo::aligned(1), Flags::NONE);
            b.store(args[0], y, MemInfo::aligned(1), Flags::NONE);
        }
        b.ret(None);
    });
    let text = emit_for(&m, 75);
    check(
        &text,
        &[
            ".visible .const .align 4 .f32 weights[4] = {0f3F800000, 0fC0200000};",
            ".visible .global .align 4 .u32 counter = 7;",
            ".visible .global .align 8 .u64 table[3] = {generic(weights)+4, 9, counter};",
            ".visible .global .align 16 .f64 big[131072];",
            ".extern .shared .align 16 .b8 dyn[];",
            "ld.shared.u8 %rs",
        ],
    );
    assemble_everywhere(&m, "globals");
    // A variable whose value is its own address.
    m.globals[late[1]].init = GlobalInit::Bytes(vec![], vec![ptr(0, late[1], 0, true)]);
    m.globals[late[1]].size = 8;
    assert!(ptx::emit(&m, &target(75), &ptx::EmitOptions::default(), None).is_err());
    m.globals[late[0]].size = 1 << 20;
    assert!(ptx::emit(&m, &target(75), &ptx::EmitOptions::default(), None).is_err());
}

#[test]
fn inline_assembly() {
    let mut m = Module::default();
    let asm = |m: &mut Module, text: &str, outputs: &[&str], inputs: &[(&str, Type)], ty: Type| {
        let name = format!("k{}", m.functions.len());
        let params: Vec<Type> = inputs.iter().map(|i| i.1).chain([GLOBAL]).collect();
        kernel(m, &name, &params, |b, args| {
            let id = b.func.dfg.asms.push(AsmData {
                text: text.into(),
                outputs: outputs.iter().map(|s| s.to_string()).collect(),
                inputs: inputs.iter().map(|s| s.0.to_string()).collect(),
                clobbers: vec![],
                volatile: true,
            });
            let mut operands = args[..inputs.len()].to_vec();
            for (n, (c, ty)) in inputs.iter().enumerate() {
                if *c == "n" {
                    operands[n] = b.iconst(*ty, 42);
                }
            }
            let i = b.inst(Opcode::InlineAsm, ty, Flags::NONE, &operands, Payload::Asm(id));
            if let Some(v) = b.func.dfg.result(i) {
                b.store(args[inputs.len()], v, MemInfo::aligned(4), Flags::NONE);
            }
            b.ret(None);
        });
    };
    asm(&mut m, "mov.u32 %0, %%laneid;", &["=r"], &[], Type::I32);
    asm(
        &mut m,
        "{ .reg .u32 t; add.u32 t, %1, %2; mul.lo.u32 %0, t, %3; }",
        &["=r"],
        &[("r", Type::I32), ("0", Type::I32), ("n", Type::I32)],
        Type::I32,
    );
    asm(&mut m, "add.f32 %0, %1, %2;", &["=f"], &[("f", Type::F32), ("f", Type::F32)], Type::F32);
    asm(&mut m, "mov.b64 {%0, %1}, %2;", &["=r", "=r"], &[("l", Type::I64)], Type::I32.vector(2).unwrap());
    asm(&mut m, "add.u16 %0, %1, %1;", &["=h"], &[("h", Type::F16)], Type::F16);
    asm(&mut m, "L%=: bar.sync 0;", &[], &[], Type::VOID);
    asm(&mut m, "mov.u32 %0, %1;", &["=r"], &[("r", Type::I8)], Type::I8);
    assemble_everywhere(&m, "asm");
    for (text, output, input) in
        [("%7", "=r", "r"), ("", "=q", "r"), ("", "=r", "x"), ("", "=r", "d"), ("%99999999999999999999999", "=r", "r")]
    {
        let mut m = Module::default();
        asm(&mut m, text, &[output], &[(input, Type::I32)], Type::I32);
        assert!(ptx::emit(&m, &target(75), &ptx::EmitOptions::default(), None).is_err(), "{text} {output} {input}");
    }
}

/// DeepSeek's FlashMLA writes 16 bytes to shared memory so.
#[test]
fn operands_of_128_bits_were_refused_in_inline_assembly() {
    let pair = Type::I64.vector(2).unwrap();
    let mut m = Module::default();
    kernel(&mut m, "wide", &[pair, GLOBAL], |b, args| {
        let data = |text: &str, outputs: &[&str], inputs: &[&str]| AsmData {
            text: text.into(),
            outputs: outputs.iter().map(ToString::to_string).collect(),
            inputs: inputs.iter().map(ToString::to_string).collect(),
            clobbers: vec![],
            volatile: true,
        };
        let load = b.func.dfg.asms.push(data("ld.global.b128 %0, [%1];", &["=q"], &["l"]));
        let i = b.inst(Opcode::InlineAsm, pair, Flags::NONE, &[args[1]], Payload::Asm(load));
        let loaded = b.func.dfg.result(i).unwrap();
        let swap = b.func.dfg.asms.push(data("mov.b128 %0, %1;", &["=q"], &["0"]));
        let i = b.inst(Opcode::InlineAsm, pair, Flags::NONE, &[loaded], Payload::Asm(swap));
        let tied = b.func.dfg.result(i).unwrap();
        let store = b.func.dfg.asms.push(data("st.global.b128 [%0], %1; // %%", &[], &["l", "q"]));
        b.inst(Opcode::InlineAsm, Type::VOID, Flags::NONE, &[args[1], tied], Payload::Asm(store));
        b.ret(None);
    });
    let text = emit_for(&m, 90);
    check(
        &text,
        &[".version 8.3", "ld.global.b128 %q0, [", "mov.b128 {%rd", "mov.b128 %q0, {%rd", "mov.b128 %q0, %q0;"],
    );
    check(&text, &["mov.b128 %q1, {%rd", "], %q1;"]);
    assemble(&text, "wide", 90);
}

#[test]
fn line_information() {
    let mut sources = source::SourceMap::default();
    sources.add("dir/a \"b\".cu", "line one\nline two\n".into()).unwrap();
    let mut m = Module::default();
    kernel(&mut m, "k", &[GLOBAL], |b, args| {
        b.set_span(source::Span::new(10, 12));
        let x = b.load(Type::I32, args[0], MemInfo::aligned(4), Flags::NONE);
        b.store(args[0], x, MemInfo::aligned(4), Flags::NONE);
        b.set_span(source::Span::new(15, 16));
        b.ret(None);
    });
    let text = ptx::emit(&m, &target(75), &ptx::EmitOptions { lineinfo: true }, Some(&sources)).unwrap();
    check(&text, &[".loc 1 2 1", "ld.global", "st.global", ".loc 1 2 6", "ret;", ".file 1 \"dir/a ?b?.cu\""]);
    assemble(&text, "loc", 75);
}

// ---- speed ----------------------------------------------------------------------------------------------------------

/// A straight line of `n` multiply-adds between loads and stores.
fn long_kernel(n: usize) -> Module {
    let mut m = Module::default();
    kernel(&mut m, "long", &[GLOBAL, GLOBAL], |b, args| {
        let mut acc = b.fconst(Type::F32, 0.0);
        for k in 0..n / 5 {
            let off = b.iconst(Type::I64, 4 * k as i64);
            let p = b.ptradd(args[0], off, Flags::NONE);
            let x = b.load(Type::F32, p, MemInfo::aligned(4), Flags::NONE);
            let y = b.op(Opcode::FMul, Flags::NONE, &[x, x]);
            acc = b.op(Opcode::FAdd, Flags::NONE, &[acc, y]);
            let q = b.ptradd(args[1], off, Flags::NONE);
            b.store(q, acc, MemInfo::aligned(4), Flags::NONE);
        }
        b.ret(None);
    });
    m
}

#[test]
fn text_grows_linearly() {
    let time = |n| {
        let m = long_kernel(n);
        let best = (0..5).map(|_| {
            let t = std::time::Instant::now();
            let text = emit_for(&m, 90);
            assert!(text.len() > n * 10);
            t.elapsed()
        });
        best.min().unwrap()
    };
    let (small, large) = (time(10_000), time(100_000));
    assert!(large < small * 40, "{small:?} {large:?}");
}
