//! What instructions compute: each row is a few lines of PTX that leave a word in `%r0` (or `%rd0`), and that word as the
//! manual of PTX gives it.

use interp::{Arg, LaunchConfig, Limits, Machine};

/// Runs lines of PTX in one work-item; what `%rd0` holds at the end.
fn run(lines: &str) -> u64 {
    run_below("", lines)
}

/// The same below declarations.
fn run_below(above: &str, lines: &str) -> u64 {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n{above}\n.visible .entry k(.param .u64 out) {{\n\
         .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>; .reg .f64 %fd<9>;\n\
         mov.b64 %rd0, 0; mov.b32 %r0, 0;\n{lines}\n\
         ld.param.u64 %rd98, [out]; cvta.to.global.u64 %rd97, %rd98;\n\
         st.global.u64 [%rd97], %rd0; ret; }}"
    );
    let read = match ptx_reader::read(&text, 1, "t.ptx") {
        Ok(r) => r,
        Err(e) => panic!("{}\n{lines}", e[0]),
    };
    let mut machine = Machine::new(&read.module);
    let out = machine.alloc_bytes(&[0; 8]).expect("little");
    let kernel = read.module.find("k").expect("there");
    machine
        .launch(kernel, &LaunchConfig::items(1), &[Arg::Pointer(out)], &Limits::default())
        .unwrap_or_else(|t| panic!("{t}\n{lines}"));
    let bytes = machine.read(out, 8).expect("there");
    u64::from_le_bytes(bytes.try_into().expect("eight"))
}

fn check(rows: &[(&str, u64)]) {
    for (lines, want) in rows {
        // Words go through the wide register, so that one kernel serves all.
        let lines =
            if lines.contains("%rd0") { (*lines).to_owned() } else { format!("{lines}\ncvt.u64.u32 %rd0, %r0;") };
        let got = run(&lines);
        assert_eq!(got, *want, "{got:#x}, not {want:#x}: {lines}");
    }
}

#[test]
fn integers() {
    check(&[
        ("mov.u32 %r1, 7; add.s32 %r0, %r1, -9;", 0xffff_fffe),
        ("mov.u32 %r1, 0x7fffffff; add.sat.s32 %r0, %r1, 5;", 0x7fff_ffff),
        ("mov.u32 %r1, 0x80000000; sub.sat.s32 %r0, %r1, 5;", 0x8000_0000),
        ("mov.u32 %r1, 0x12345678; mul.hi.u32 %r0, %r1, 0x10000;", 0x1234),
        ("mov.u32 %r1, -3; mul.hi.s32 %r0, %r1, 5;", 0xffff_ffff),
        ("mov.u32 %r1, -3; mul.wide.s32 %rd0, %r1, 5;", (-15i64).cast_unsigned()),
        ("mov.u32 %r1, -3; mul.wide.u32 %rd0, %r1, 5;", 0xffff_fffdu64 * 5),
        ("mov.u32 %r1, -3; mov.u64 %rd1, 100; mad.wide.s32 %rd0, %r1, 5, %rd1;", 85),
        ("mov.u32 %r1, 6; mad.lo.s32 %r0, %r1, 7, 8;", 50),
        ("mov.u32 %r1, 0x40000000; mov.u32 %r2, 0x7fffffff; mad.hi.sat.s32 %r0, %r1, 8, %r2;", 0x7fff_ffff),
        ("mov.b16 %rs1, 300; mov.b16 %rs2, 300; mul.wide.u16 %r0, %rs1, %rs2;", 90_000),
        ("mov.u32 %r1, -7; div.s32 %r0, %r1, 2;", (-3i32).cast_unsigned().into()),
        ("mov.u32 %r1, -7; rem.s32 %r0, %r1, 2;", (-1i32).cast_unsigned().into()),
        ("mov.u32 %r1, 10; sad.s32 %r0, %r1, -5, 1;", 16),
        ("mov.u32 %r1, 0x01000003; mul24.lo.u32 %r0, %r1, 5;", 15),
        ("mov.u32 %r1, 0x00800000; mul24.hi.u32 %r0, %r1, 0x00800000;", 0x4000_0000),
        ("mov.u32 %r1, 0x80000000; abs.s32 %r0, %r1;", 0x8000_0000),
        ("mov.u32 %r1, 0x04030201; mov.u32 %r2, 0xff01ff01; dp4a.u32.s32 %r0, %r1, %r2, 10;", 8),
        ("mov.u32 %r1, 0x00030002; mov.u32 %r2, 0x04050607; dp2a.hi.u32.u32 %r0, %r1, %r2, 1;", 2 * 5 + 3 * 4 + 1),
    ]);
}

#[test]
fn carry_chains() {
    check(&[
        // 0xffffffff_ffffffff + 1 in three words.
        ("mov.u32 %r1, -1; add.cc.u32 %r2, %r1, 1; addc.cc.u32 %r3, %r1, 0; addc.u32 %r0, 0, 0;", 1),
        ("mov.u32 %r1, 0; sub.cc.u32 %r2, %r1, 1; subc.u32 %r0, 5, 0;", 4),
        // What a difference leaves is the carry of a sum with the complement.
        ("mov.u32 %r1, 0; sub.cc.u32 %r2, %r1, 1; addc.u32 %r0, 5, 0;", 5),
        ("mov.u32 %r1, 1; sub.cc.u32 %r2, %r1, 1; addc.u32 %r0, 5, 0;", 6),
        ("mov.u32 %r1, 0; add.cc.u32 %r2, %r1, 1; subc.u32 %r0, 5, 0;", 4),
        ("mov.u32 %r1, -1; mad.lo.cc.u32 %r2, %r1, %r1, %r1; madc.hi.u32 %r0, %r1, %r1, 0;", 0xffff_ffff),
        // The carry in makes the sum wrap.
        ("mov.u32 %r1, -1; add.cc.u32 %r2, %r1, 1; addc.cc.u32 %r3, %r1, 0; addc.u32 %r0, %r3, 7;", 8),
        ("mov.u32 %r1, 0; sub.cc.u32 %r2, %r1, 1; subc.cc.u32 %r3, %r1, 0; subc.u32 %r0, 9, 0;", 8),
    ]);
}

#[test]
fn bits() {
    check(&[
        (
            "mov.u32 %r1, 0xf0f0aaaa; mov.u32 %r2, 0xff00cccc; mov.u32 %r3, 0x0ff0f0f0; lop3.b32 %r0, %r1, %r2, %r3, 0xe8;",
            0xfff0_e8e8,
        ),
        ("mov.u32 %r1, 0xf0; mov.u32 %r2, 0xcc; mov.u32 %r3, 0xaa; lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 0x96),
        ("mov.u32 %r1, 0xf0; mov.u32 %r2, 0xcc; mov.u32 %r3, 0xaa; lop3.b32 %r0, %r1, %r2, %r3, 0x1b;", 0xffff_ff1b),
        ("mov.u32 %r1, 0x33221100; mov.u32 %r2, 0x77665544; prmt.b32 %r0, %r1, %r2, 0x7250;", 0x7722_5500),
        ("mov.u32 %r1, 0x80221100; prmt.b32 %r0, %r1, 0, 0xb3b0;", 0xff80_ff00),
        ("mov.u32 %r1, 0x33221100; mov.u32 %r2, 0x77665544; prmt.b32.f4e %r0, %r1, %r2, 1;", 0x4433_2211),
        ("mov.u32 %r1, 0x12345678; bfe.u32 %r0, %r1, 8, 12;", 0x456),
        ("mov.u32 %r1, 0x00000f00; bfe.s32 %r0, %r1, 8, 4;", 0xffff_ffff),
        ("mov.u64 %rd1, 0x123456789abcdef0; bfe.u64 %rd0, %rd1, 36, 16;", 0x4567),
        ("mov.u32 %r1, 0xab; mov.u32 %r2, 0xffffffff; bfi.b32 %r0, %r1, %r2, 4, 8;", 0xffff_fabf),
        ("mov.u32 %r1, 0x11111111; mov.u32 %r2, 0x88888888; shf.l.wrap.b32 %r0, %r1, %r2, 36;", 0x8888_8881),
        ("mov.u32 %r1, 0x11111111; mov.u32 %r2, 0x88888888; shf.l.clamp.b32 %r0, %r1, %r2, 36;", 0x1111_1111),
        ("mov.u32 %r1, 0x11111111; mov.u32 %r2, 0x88888888; shf.r.clamp.b32 %r0, %r1, %r2, 36;", 0x8888_8888),
        ("mov.u32 %r1, 0x80000000; mov.u32 %r2, 40; shr.s32 %r0, %r1, %r2;", 0xffff_ffff),
        ("mov.b16 %rs1, 0x8000; shr.u16 %rs2, %rs1, 70000; cvt.u32.u16 %r0, %rs2;", 0),
        ("mov.u32 %r1, 0x00f00000; bfind.u32 %r0, %r1;", 23),
        ("mov.u32 %r1, -1; bfind.s32 %r0, %r1;", 0xffff_ffff),
        ("mov.u32 %r1, 0x00f00000; bfind.shiftamt.u32 %r0, %r1;", 8),
        ("mov.u64 %rd1, 0xff00; popc.b64 %r0, %rd1;", 8),
        ("mov.u32 %r1, 1; brev.b32 %r0, %r1;", 0x8000_0000),
        ("mov.u32 %r1, 0; cnot.b32 %r0, %r1;", 1),
        ("mov.u32 %r1, 4; bmsk.clamp.b32 %r0, %r1, 8;", 0xff0),
        ("mov.u32 %r1, 0x1f8; szext.clamp.s32 %r0, %r1, 4;", 0xffff_fff8),
    ]);
}

/// nvcc's `__fns`, `cvt.pack`; they were refused.
#[test]
fn bits_in_order_and_packed_numbers() {
    check(&[
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 0, 1;", 2),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 3, 2;", 5),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 0, 4;", 7),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 0, 5;", 0xffff_ffff),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 5, 0;", 5),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 6, 0;", 0xffff_ffff),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 6, -1;", 5),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 31, -4;", 2),
        ("mov.u32 %r1, 0xb4; fns.b32 %r0, %r1, 1, -1;", 0xffff_ffff),
        ("mov.u32 %r1, -1; mov.u32 %r2, 0x80000000; fns.b32 %r0, %r1, 31, %r2;", 0xffff_ffff),
        ("mov.u32 %r1, -1; mov.u32 %r2, 32; fns.b32 %r0, %r1, %r2, 1;", 0xffff_ffff),
        ("mov.u32 %r1, 40000; mov.u32 %r2, -5; cvt.pack.sat.s16.s32 %r0, %r1, %r2;", 0x7fff_fffb),
        ("mov.u32 %r1, 70000; mov.u32 %r2, -5; cvt.pack.sat.u16.s32 %r0, %r1, %r2;", 0xffff_0000),
        (
            "mov.u32 %r1, 300; mov.u32 %r2, 7; mov.u32 %r3, 0xaabbccdd; cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;",
            0xccdd_ff07,
        ),
        ("mov.u32 %r1, -300; mov.u32 %r2, 7; cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, 1;", 0x0001_8007),
        ("mov.u32 %r1, -9; mov.u32 %r2, 9; cvt.pack.sat.s4.s32.b32 %r0, %r1, %r2, 3;", 0x387),
        ("mov.u32 %r1, 9; mov.u32 %r2, 1; cvt.pack.sat.u2.s32.b32 %r0, %r1, %r2, 3;", 0x3d),
    ]);
}

/// Approximate functions of pairs and of `bf16`: as one operation on a vector they could not be written as PTX again.
#[test]
fn functions_of_pairs() {
    check(&[
        ("mov.b32 %r1, 0x40004080; ex2.approx.ftz.bf16x2 %r0, %r1;", 0x4080_4180),
        ("mov.b32 %r1, 0x3c004000; ex2.approx.f16x2 %r0, %r1;", 0x4000_4400),
        ("mov.b16 %rs1, 0x4000; ex2.approx.ftz.bf16 %rs2, %rs1; cvt.u32.u16 %r0, %rs2;", 0x4080),
        ("mov.b32 %r1, 0x00007c00; tanh.approx.f16x2 %r0, %r1;", 0x3c00),
    ]);
}

/// Sines of turns, as `__sin2pif` of sm_75 is; the counters of performance monitors are some numbers.
#[test]
fn turns_and_monitors() {
    check(&[
        ("mov.f32 %f1, 0f3e800000; sin.approx.2pi.ftz.f32 %f2, %f1; mov.b32 %r0, %f2;", 0x3f80_0000),
        ("mov.f32 %f1, 0f4b800000; cos.approx.2pi.ftz.f32 %f2, %f1; mov.b32 %r0, %f2;", 0x3f80_0000),
        ("mov.f32 %f1, 0f80000000; sin.approx.2pi.ftz.f32 %f2, %f1; mov.b32 %r0, %f2;", 0x8000_0000),
        ("mov.u32 %r1, %pm0; mov.u64 %rd1, %pm7_64; mov.u32 %r0, 3;", 3),
    ]);
}

#[test]
fn conversions() {
    check(&[
        ("mov.u32 %r1, 300; cvt.sat.u8.u32 %r0, %r1;", 255),
        ("mov.u32 %r1, -300; cvt.sat.s8.s32 %r0, %r1;", 0xffff_ff80),
        ("mov.u32 %r1, -300; cvt.sat.u8.s32 %r0, %r1;", 0),
        ("mov.u32 %r1, 0xffffffff; cvt.sat.s32.u32 %r0, %r1;", 0x7fff_ffff),
        ("mov.u32 %r1, 0x1ff; cvt.s32.s8 %r0, %r1;", 0xffff_ffff),
        ("mov.f32 %f1, 2.5; cvt.rni.s32.f32 %r0, %f1;", 2),
        ("mov.f32 %f1, -2.5; cvt.rmi.s32.f32 %r0, %f1;", (-3i32).cast_unsigned().into()),
        ("mov.f32 %f1, 1e20; cvt.rzi.s32.f32 %r0, %f1;", 0x7fff_ffff),
        ("mov.f32 %f1, 0f7fc00000; cvt.rzi.s32.f32 %r0, %f1;", 0),
        ("mov.f32 %f1, 0f7fc00000; cvt.rzi.s64.f32 %rd0, %f1;", 1 << 63),
        ("mov.f64 %fd1, 0d7ff8000000000000; cvt.rzi.u32.f64 %r0, %fd1;", 1 << 31),
        ("mov.f32 %f1, 2.5; cvt.rpi.f32.f32 %f2, %f1; mov.b32 %r0, %f2;", 3f32.to_bits().into()),
        ("mov.f32 %f1, 2.5; cvt.sat.f32.f32 %f2, %f1; mov.b32 %r0, %f2;", 1f32.to_bits().into()),
        ("mov.f32 %f1, 1.5; mov.f32 %f2, -2.0; cvt.rn.f16x2.f32 %r0, %f1, %f2;", 0x3e00_c000),
        ("mov.u32 %r1, 0x01000001; cvt.rz.f32.u32 %f1, %r1; mov.b32 %r0, %f1;", 0x4b80_0000),
        ("mov.u32 %r1, 0x01000001; cvt.rp.f32.u32 %f1, %r1; mov.b32 %r0, %f1;", 0x4b80_0001),
        (
            "mov.b64 %rd1, 0x1122334455667788; mov.b64 {%r1, %r2}, %rd1; mov.b64 %rd0, {%r2, %r1};",
            0x5566_7788_1122_3344,
        ),
        ("mov.b32 %r1, 0xaaaabbbb; mov.b32 {_, %rs2}, %r1; cvt.u32.u16 %r0, %rs2;", 0xaaaa),
    ]);
}

#[test]
fn comparisons_and_floats() {
    check(&[
        ("mov.u32 %r1, -1; setp.lt.u32 %p1|%p2, %r1, 5; selp.b32 %r0, 1, 2, %p1; @%p2 add.u32 %r0, %r0, 4;", 6),
        ("mov.u32 %r1, 3; setp.ne.s32 %p1, %r1, 3; setp.eq.or.s32 %p2, %r1, 4, !%p1; selp.b32 %r0, 7, 8, %p2;", 7),
        ("mov.f32 %f1, 0f7fc00000; setp.gtu.f32 %p1, %f1, 0f00000000; selp.b32 %r0, 7, 8, %p1;", 7),
        ("mov.f32 %f1, 0f7fc00000; setp.ne.f32 %p1, %f1, %f1; selp.b32 %r0, 7, 8, %p1;", 8),
        ("mov.u32 %r1, 5; set.gt.u32.s32 %r0, %r1, 4;", 0xffff_ffff),
        ("mov.u32 %r1, -5; slct.b32.s32 %r0, 10, 20, %r1;", 20),
        ("mov.f32 %f1, 1.0; mov.f32 %f2, 3.0; div.rn.f32 %f3, %f1, %f2; mov.b32 %r0, %f3;", 0x3eaa_aaab),
        ("mov.f32 %f1, 1.0; mov.f32 %f2, 3.0; div.rz.f32 %f3, %f1, %f2; mov.b32 %r0, %f3;", 0x3eaa_aaaa),
        ("mov.f32 %f1, -1.0; copysign.f32 %f2, %f1, 0f40400000; mov.b32 %r0, %f2;", (-3f32).to_bits().into()),
        ("mov.f32 %f1, 0f00000001; testp.subnormal.f32 %p1, %f1; selp.b32 %r0, 7, 8, %p1;", 7),
        ("mov.f32 %f1, 0f00000001; add.rn.ftz.f32 %f2, %f1, %f1; mov.b32 %r0, %f2;", 0),
        (
            "mov.f32 %f1, 0f7fc00000; min.NaN.f32 %f2, %f1, 0f3f800000; setp.nan.f32 %p1, %f2, %f2; selp.b32 %r0, 7, 8, %p1;",
            7,
        ),
        ("mov.f32 %f1, -3.0; max.xorsign.abs.f32 %f2, %f1, 0f3f800000; mov.b32 %r0, %f2;", (-3f32).to_bits().into()),
        ("mov.b32 %r1, 0x3c004000; mov.b32 %r2, 0x44003800; fma.rn.f16x2 %r0, %r1, %r2, %r1;", 0x4500_4200),
    ]);
}

/// Each element of a vector is changed by itself: what was there, and what is there then.
#[test]
fn atomics_of_vectors() {
    let above = ".shared .align 16 .b8 w[16];";
    let lines = |atom: &str| {
        format!(
            "st.shared.v2.b32 [w], {{0x3f800000, 0x40000000}}; mov.b32 %r3, 0x40400000; mov.b32 %r4, 0x40800000;
             {atom} ld.shared.b32 %r7, [w+4]; xor.b32 %r0, %r0, %r7; cvt.u64.u32 %rd0, %r0;"
        )
    };
    let returning = lines("atom.shared.add.v2.f32 {%r5, %r6}, [w], {%r3, %r4}; mov.b32 %r0, %r6;");
    assert_eq!(run_below(above, &returning), 0x4000_0000 ^ 0x40c0_0000);
    let silent = lines("red.shared.gpu.add.v2.f32 [w], {%r3, %r4}; ld.shared.b32 %r0, [w];");
    assert_eq!(run_below(above, &silent), 0x4080_0000 ^ 0x40c0_0000);
    let halves =
        lines("mov.b32 %r8, 0x3c003c00; red.shared.add.noftz.v2.f16x2 [w], {%r8, %r8}; ld.shared.b32 %r0, [w];");
    assert_eq!(run_below(above, &halves), 0x41c0_3c00 ^ 0x4200_3c00);
}

/// Older compilers do not write `.ptr`, and inline assembly has no need of `cvta`: a parameter that addresses are counted
/// from is a pointer, one that is a distance is none.
#[test]
fn parameters_that_are_addresses() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 n, .param .u64 m) {\n\
         .reg .b32 %r<9>; .reg .b64 %rd<19>;\n\
         ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [n]; ld.param.u64 %rd4, [m];\n\
         mov.u32 %r1, %tid.x; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd1, %rd5; ld.b32 %r2, [%rd6];\n\
         cvta.to.global.u64 %rd7, %rd2; add.s64 %rd8, %rd7, %rd3; shl.b64 %rd9, %rd4, 2; add.s64 %rd10, %rd8, %rd9;\n\
         st.global.b32 [%rd10+4], %r2; ret; }";
    let read = ptx_reader::read(text, 1, "t.ptx").unwrap_or_else(|e| panic!("{}", e[0]));
    let kernel = read.module.find("k").expect("there");
    let pointers: Vec<bool> = read.module.functions[kernel].params.iter().map(|p| p.ty.is_ptr()).collect();
    assert_eq!(pointers, [true, true, false, false]);
}

/// Pairs of halves are added element by element; they were refused.
#[test]
fn atomics_of_pairs() {
    let shared = ".reg .b32 %cr; .shared .align 4 .b32 w; mov.b32 %r1, 0x3c004000; st.shared.b32 [w], %r1; mov.b32 %r2, 0x40003c00;";
    let row = |then: &str| format!("{shared} {then}");
    let (old, new) = (
        row("atom.shared.add.noftz.f16x2 %r0, [w], %r2;"),
        row("red.shared.gpu.add.noftz.f16x2 [w], %r2; ld.shared.b32 %r0, [w];"),
    );
    check(&[(&old, 0x3c00_4000), (&new, 0x4200_4200)]);
}

#[test]
fn control() {
    check(&[
        // Labels are those of the innermost braces.
        ("{ bra L; L: add.u32 %r0, %r0, 1; } { bra L; add.u32 %r0, %r0, 8; L: add.u32 %r0, %r0, 2; }", 3),
        (
            "mov.u32 %r1, 2; ts: .branchtargets A, B, C; brx.idx %r1, ts; A: add.u32 %r0, %r0, 1; B: add.u32 %r0, %r0, 2; \
          C: add.u32 %r0, %r0, 4;",
            4,
        ),
        (
            "mov.u32 %r1, 5; L: .pragma \"nounroll\"; add.u32 %r0, %r0, %r1; sub.u32 %r1, %r1, 1; \
          setp.ne.u32 %p1, %r1, 0; @%p1 bra L;",
            15,
        ),
        ("{ .reg .b32 %r<4>; mov.b32 %r1, 9; mov.b32 %r3, %r1; .reg .b32 x; mov.b32 x, %r3; cvt.u64.u32 %rd0, x; }", 9),
    ]);
}

#[test]
fn video() {
    check(&[
        ("mov.u32 %r1, 0x00000080; vshr.u32.u32.u32.clamp.add %r0, %r1, 4, 100;", 108),
        ("mov.u32 %r1, -1; vshr.u32.u32.u32.clamp %r0, %r1, 40;", 0),
        ("mov.u32 %r1, 1; vshl.u32.u32.u32.wrap %r0, %r1, 33;", 2),
        ("mov.u32 %r1, 0x7fffffff; vadd.s32.s32.s32.sat %r0, %r1, 5;", 0x7fff_ffff),
        ("mov.u32 %r1, 0x12f48056; vadd.s32.s32.s32 %r0, %r1.b2, %r1.h0;", (-12i32 - 0x7faa).cast_unsigned().into()),
        ("mov.u32 %r1, 3; mov.u32 %r2, 9; vabsdiff.u32.u32.u32.add %r0, %r1, %r2, 10;", 16),
        ("mov.u32 %r1, 300; mov.u32 %r2, 0x11223344; vadd.u32.u32.u32.sat %r0.b1, %r1, 5, %r2;", 0x1122_ff44),
        ("mov.u32 %r1, -2; vmin.s32.u32.s32 %r0, 7, %r1;", 0xffff_fffe),
        ("mov.u32 %r1, 0x01ff7f80; mov.u32 %r2, 0x01010101; vadd4.s32.s32.s32.sat %r0, %r1, %r2, 0;", 0x0200_7f81),
        ("mov.u32 %r1, 0x0003fffd; mov.u32 %r2, 0x0002fffe; vavrg2.s32.s32.s32 %r0, %r1, %r2, 0;", 0x0003_fffd),
        ("mov.u32 %r1, 0x10203040; mov.u32 %r2, 0x40302010; vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, 1;", 0x81),
    ]);
}

#[test]
fn clusters_of_one_group() {
    check(&[
        (".reg .b32 %cr; mov.u32 %r1, %cluster_nctaid.x; mov.u32 %r2, %cluster_ctarank; add.u32 %r0, %r1, %r2;", 1),
        (
            "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; mov.u32 %r0, %nclusterid.x;",
            1,
        ),
        ("mov.u64 %rd1, 99; mapa.u64 %rd0, %rd1, 0;", 99),
        ("elect.sync %r1|%p1, 1; selp.u32 %r0, 5, 6, %p1;", 5),
        ("griddepcontrol.wait; createpolicy.fractional.L2::evict_first.b64 %rd1, 1.0; mov.u32 %r0, 3;", 3),
        ("fence.proxy.async.shared::cta; fence.mbarrier_init.release.cluster; mov.u32 %r0, 4;", 4),
        (".reg .b128 %q; mov.b128 %q, {7, 9}; mov.b128 {%rd1, %rd0}, %q;", 9),
    ]);
}

/// What is written to shared memory, and what a copy of some bytes leaves there.
#[test]
fn copies_that_are_made_at_once() {
    let above =
        ".shared .align 16 .b8 tile[32]; .global .align 16 .b8 words[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};";
    let rows = [
        ("cp.async.ca.shared.global [%rd1], [%rd2], 8; cp.async.wait_all;", 0x0807_0605_0403_0201),
        ("cp.async.ca.shared.global [%rd1], [%rd2], 8, 3; cp.async.wait_group 0;", 0x0003_0201),
        ("mov.u32 %r1, 0; cp.async.cg.shared.global.L2::128B [%rd1], [%rd2], 16, %r1;", 0),
        ("mov.u32 %r1, 16; cp.async.cg.shared.global [%rd1], [%rd2], 16, %r1;", 0x0807_0605_0403_0201),
        ("setp.eq.u32 %p1, 1, 1; cp.async.ca.shared.global [%rd1], [%rd2], 8, %p1;", 0),
        (
            "mov.u64 %rd3, 5; st.shared.u64 [tile+16], %rd3; add.u64 %rd4, %rd1, 16; cp.async.bulk.global.shared::cta.bulk_group \
             [%rd2], [%rd4], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; \
             cp.async.ca.shared.global [%rd1], [%rd2], 8;",
            5,
        ),
        (
            "mov.u32 %r1, 7; st.shared.u32 [tile], %r1; st.shared.u32 [tile+4], %r1; st.shared.u32 [tile+8], %r1; \
             st.shared.u32 [tile+12], %r1; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%rd1], 16; \
             cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; cp.async.ca.shared.global [%rd1], [%rd2], 8;",
            0x0807_060c_0403_0208,
        ),
    ];
    for (lines, want) in rows {
        let lines = format!(
            "mov.u64 %rd5, -1; st.shared.u64 [tile], %rd5; st.shared.u64 [tile+24], %rd5;
             mov.u64 %rd1, tile; mov.u64 %rd2, words; {lines} ld.shared.u64 %rd0, [tile];"
        );
        let got = run_below(above, &lines);
        assert_eq!(got, want, "{got:#x}, not {want:#x}: {lines}");
    }
}

/// Functions that are called through pointers.
const FUNCTIONS: &str = "
.func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }
.func (.param .f32 r) half(.param .f32 a) { .reg .f32 %f<3>; ld.param.f32 %f1, [a]; mul.f32 %f2, %f1, 0f3f000000; st.param.f32 [r], %f2; ret; }
.func (.param .align 8 .b8 r[16]) both(.param .align 8 .b8 a[16]) {
    .reg .b64 %rd<3>; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [a+8]; st.param.b64 [r], %rd2; st.param.b64 [r+8], %rd1; ret; }
.global .align 8 .u64 table[3] = {0, twice, half};
.global .align 8 .b8 bytes[8] = {0xFF(twice), 0xFF00(twice), 0xFF0000(twice), 0xFF000000(twice), 0, 0, 0, 0};
";

/// Calls through a register that holds the address of a function of one word.
fn through(register: &str, argument: &str) -> String {
    format!(
        "{{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], {argument};
        prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
        call (p1), {register}, (p0), prototype_0; ld.param.b32 %r0, [p1]; }}"
    )
}

#[test]
fn calls_through_pointers() {
    let rows = [
        (format!("mov.u64 %rd1, twice; {}", through("%rd1", "21")), 42),
        // From a table, whole and byte by byte.
        (format!("ld.global.u64 %rd1, [table+8]; {}", through("%rd1", "4")), 8),
        (format!("ld.global.u64 %rd1, [bytes]; {}", through("%rd1", "5")), 10),
        // A float in a register that the prototype calls bits.
        (format!("ld.global.u64 %rd1, [table+16]; {}", through("%rd1", "0x40000000")), 0x3f80_0000),
        // Two prototypes of one name, in different scopes; the flag of pointers to virtual members is not part of a number.
        (
            format!(
                "mov.u64 %rd1, twice; and.b64 %rd2, %rd1, 1; cvt.u32.u64 %r5, %rd2; {} add.u32 %r6, %r0, %r5; {}",
                through("%rd1", "1"),
                through("%rd1", "%r6")
            ),
            4,
        ),
        (
            "mov.u64 %rd1, both; mov.u64 %rd2, 7; { .param .align 8 .b8 p0[16]; .param .align 8 .b8 p1[16];
             st.param.b64 [p0], %rd2; st.param.b64 [p0+8], 9;
             q : .callprototype (.param .align 8 .b8 _[16]) _ (.param .align 8 .b8 _[16]);
             call (p1), %rd1, (p0), q; ld.param.b32 %r0, [p1]; }"
                .to_owned(),
            9,
        ),
        (
            "mov.u64 %rd1, twice; mov.u32 %r1, 8; { .param .b32 p0; .param .b32 p1; st.param.b32 [p0], %r1;
             q : .calltargets twice; call (p1), %rd1, (p0), q; ld.param.b32 %r0, [p1]; }"
                .to_owned(),
            16,
        ),
    ];
    for (lines, want) in rows {
        let got = run_below(FUNCTIONS, &format!("{lines}\ncvt.u64.u32 %rd0, %r0;"));
        assert_eq!(got, want, "{got:#x}, not {want:#x}: {lines}");
    }
}

#[test]
fn barrier_objects() {
    let above = ".shared .align 8 .b64 bar;";
    let rows: &[(&str, u64)] = &[
        // The first phase is not complete, that before it is.
        ("mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u64 %rd0, 1, 0, %p1;", 0),
        ("mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [bar], 1; selp.u64 %rd0, 1, 0, %p1;", 1),
        ("mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.pending_count.b64 %r1, %rd1; cvt.u64.u32 %rd0, %r1;", 2),
        (
            "mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [bar], 2; mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; \
             selp.u64 %rd0, 1, 0, %p1;",
            1,
        ),
        // Bytes are still to come, and have come before they are expected.
        (
            "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16; mbarrier.arrive.shared.b64 _, [bar]; \
             mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; selp.u64 %rd0, 1, 0, %p1;",
            0,
        ),
        (
            "mbarrier.complete_tx.shared::cta.relaxed.cta.b64 [bar], 16; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16; \
             mbarrier.arrive.shared.b64 _, [bar]; mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; selp.u64 %rd0, 1, 0, %p1;",
            1,
        ),
        // The second phase has the other parity, and waits for one less.
        (
            "mbarrier.arrive_drop.shared.b64 _, [bar]; mbarrier.arrive.shared.b64 _, [bar]; mbarrier.arrive.shared.b64 %rd1, [bar]; \
             mbarrier.pending_count.b64 %r1, %rd1; mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1; selp.u32 %r2, 16, 0, %p1; \
             add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd0, %r1;",
            17,
        ),
        (
            "cp.async.mbarrier.arrive.shared.b64 [bar]; mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.pending_count.b64 %r1, %rd1; cvt.u64.u32 %rd0, %r1;",
            2,
        ),
        (
            "cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.pending_count.b64 %r1, %rd1; cvt.u64.u32 %rd0, %r1;",
            1,
        ),
    ];
    for (lines, want) in rows {
        let got = run_below(above, &format!("mbarrier.init.shared.b64 [bar], 2; {lines}"));
        assert_eq!(got, *want, "{lines}");
    }
}

/// The last warp gives a barrier object up, as the destructor of libcu++'s pipelines does. It was taken for a race with the others'
/// arrivals.
#[test]
fn the_last_one_gives_objects_up() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n\
        .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 8 .b64 bar; .shared .align 4 .b32 left;\n\
        mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra $set;\n\
        mbarrier.init.shared.b64 [bar], 64; st.shared.u32 [left], 2;\n\
        $set: bar.sync 0; mbarrier.arrive.shared::cta.b64 %rd1, [bar];\n\
        bar.warp.sync -1; and.b32 %r2, %r1, 31; setp.ne.u32 %p2, %r2, 0; @%p2 bra $end;\n\
        fence.sc.cta; atom.shared.add.acquire.cta.u32 %r3, [left], -1; setp.ne.u32 %p3, %r3, 1; @%p3 bra $end;\n\
        mbarrier.inval.shared.b64 [bar];\n\
        $end: ret; }";
    let read = ptx_reader::read(text, 1, "t.ptx").unwrap_or_else(|e| panic!("{}", e[0]));
    let kernel = read.module.find("k").expect("there");
    let done = Machine::new(&read.module).launch(kernel, &LaunchConfig::items(64), &[], &Limits::default());
    assert!(done.is_ok(), "{done:?}");
}
