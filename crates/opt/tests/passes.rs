//! Each pass on programs in text: what it makes of them, and that they compute the same as before.

use interp::{Arg, Limits, Machine};
use ir::{FnKind, Function, Module, Opcode};
use opt::PassContext;
use opt::pass::{Options, Pass};
use source::Session;

fn parse(body: &str) -> Module {
    let text = format!("module \"t\"\nmath prec_div prec_sqrt fmad\n\n{body}");
    let m = ir::parse::parse_module(&text).unwrap_or_else(|e| panic!("{e}"));
    verify(&m, "before");
    m
}

fn verify(m: &Module, when: &str) {
    if let Err(e) = ir::verify::verify_module(m) {
        panic!("{when}: {}\n{}", e[0], ir::print::module_to_text(m));
    }
}

fn apply(m: &mut Module, pass: Pass) -> bool {
    let mut changed = false;
    let mut session = Session::default();
    let options = Options::default();
    let ids: Vec<_> = m.functions.keys().collect();
    for id in ids {
        let mut f = std::mem::replace(&mut m.functions[id], Function::new("", FnKind::Device));
        let mut cx = PassContext::new(m, id, &mut session, &options);
        changed |= pass(&mut f, &mut cx);
        m.functions[id] = f;
    }
    verify(m, "after");
    changed
}

/// Number of instructions of an opcode in the first function.
fn count(m: &Module, op: Opcode) -> usize {
    let f = m.functions.values().next().unwrap();
    f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| f.dfg.op(i) == op).count()
}

/// Runs the first function: scalars as given, pointers to a buffer of 64 words each; the result and the buffers.
fn run(m: &Module, args: &[u64]) -> (Vec<Option<u64>>, Vec<Vec<u8>>) {
    let mut machine = Machine::new(m);
    let (id, f) = m.functions.iter().next().unwrap();
    let mut buffers = Vec::new();
    let mut given = args.iter();
    let args: Vec<Arg> = f
        .params
        .iter()
        .map(|p| {
            if p.ty.is_ptr() {
                let n = buffers.len() as u32;
                let data: Vec<u8> = (0..64u32).flat_map(|k| (k * 7 + n * 100).to_le_bytes()).collect();
                let at = machine.alloc_bytes(&data).unwrap();
                buffers.push(at);
                Arg::Pointer(at)
            } else {
                Arg::Value(*given.next().unwrap())
            }
        })
        .collect();
    let r = machine.call(id, &args, &Limits { races: false, ..Limits::default() });
    let r = r.unwrap_or_else(|t| panic!("{t:?}\n{}", ir::print::module_to_text(m)));
    (r, buffers.into_iter().map(|at| machine.read(at, 256).unwrap().to_vec()).collect())
}

/// Applies passes; the program must do the same for all arguments.
fn check(body: &str, passes: &[Pass], runs: &[&[u64]]) -> Module {
    let before = parse(body);
    let mut after = before.clone();
    for &p in passes {
        apply(&mut after, p);
    }
    for args in runs {
        let (x, y) = (run(&before, args), run(&after, args));
        for (a, b) in x.0.iter().zip(&y.0) {
            assert!(a.is_none() || a == b, "{args:?}: {a:?} {b:?}\n{}", ir::print::module_to_text(&after));
        }
        assert_eq!(x.1, y.1, "{args:?}\n{}", ir::print::module_to_text(&after));
    }
    after
}

fn text(m: &Module) -> String {
    ir::print::module_to_text(m)
}

#[test]
fn gvn_merges_across_blocks() {
    let m = check(
        "fn @f(i32, i32) -> i32 {
block0(v0: i32, v1: i32):
  v2: i32 = add nsw v0, v1
  v3: i1 = icmp slt v0, v1
  br v3, block1, block2
block1:
  v4: i32 = add v1, v0
  v5: i32 = mul v4, v2
  jump block3(v5)
block2:
  v6: i1 = icmp sgt v1, v0
  v7: i32 = zext v6
  jump block3(v7)
block3(v8: i32):
  v9: i32 = add v0, v1
  v10: i32 = add v9, v8
  return v10
}",
        &[opt::gvn::run],
        &[&[1, 2], &[5, 3], &[0x7fff_ffff, 1]],
    );
    assert_eq!((count(&m, Opcode::Add), count(&m, Opcode::Icmp)), (2, 1));
    assert!(!text(&m).contains("nsw"));
}

#[test]
fn gvn_forwards_and_forgets() {
    let m = check(
        "fn @f(ptr<global>, ptr<global>, i32) -> i32 {
block0(v0: ptr<global>, v1: ptr<global>, v2: i32):
  store align 4 v0, v2
  v3: i32 = load align 4 v0
  v4: ptr<global> = ptradd v0, i64:4
  v5: i32 = load align 4 v4
  store align 4 v4, v3
  v6: i32 = load align 4 v0
  v7: i32 = load align 4 v4
  v8: i32 = load align 4 v1
  store align 4 v0, v8
  v9: i32 = load align 4 v4
  v10: i32 = load align 4 v1
  v11: f32 = load align 4 v0
  v12: i32 = bitcast v11
  v13: i32 = add v3, v5
  v14: i32 = add v13, v6
  v15: i32 = add v14, v7
  v16: i32 = add v15, v9
  v17: i32 = add v16, v10
  v18: i32 = add v17, v12
  return v18
}",
        &[opt::gvn::run],
        &[&[3], &[4]],
    );
    // v3, v6, v7, v9 and v11 are known; v10 may have been overwritten through v0.
    assert_eq!(count(&m, Opcode::Load), 3);
}

/// An index of as many parts as there are in kernels of directives was not compared, and every load came twice.
#[test]
fn gvn_compares_addresses_of_many_parts() {
    let m = check(
        "kernel @f(ptr<global>, i32, i32, i32, i32, i32, i32, i32, i32) {
block0(v0: ptr<global>, v1: i32, v2: i32, v3: i32, v4: i32, v5: i32, v6: i32, v7: i32, v8: i32):
  v9: i32 = add nsw v1, v2
  v10: i32 = add nsw v3, v4
  v11: i32 = add nsw v5, v6
  v12: i32 = add nsw v7, v8
  v13: i32 = add nsw v9, v10
  v14: i32 = add nsw v11, v12
  v15: i32 = add nsw v13, v14
  v16: i32 = sub nsw v15, i32:1
  v17: i64 = sext v15
  v18: i64 = mul v17, i64:8
  v19: ptr<global> = ptradd v0, v18
  v20: i64 = sext v16
  v21: i64 = mul v20, i64:8
  v22: ptr<global> = ptradd v0, v21
  v23: i32 = load align 4 v22
  store align 4 v19, v23
  v24: i32 = load align 4 v22
  v25: i32 = load align 4 v19
  v26: i32 = add v24, v25
  store align 4 v19, v26
  return
}",
        &[opt::gvn::run],
        &[&[1, 0, 0, 0, 0, 0, 0, 1]],
    );
    assert_eq!(count(&m, Opcode::Load), 1);
}

#[test]
fn gvn_restrict_and_barriers() {
    let m = check(
        "kernel @f(ptr<global> noalias, ptr<global>) {
block0(v0: ptr<global>, v1: ptr<global>):
  v2: i32 = load align 4 v0
  store align 4 v1, v2
  v3: i32 = load align 4 v0
  v4: i32 = add v3, v2
  intrinsic barrier i32:0
  v5: i32 = load align 4 v0
  v6: i32 = add v4, v5
  store align 4 v1, v6
  store align 4 v1, v4
  return
}",
        &[opt::gvn::run],
        &[&[]],
    );
    assert_eq!((count(&m, Opcode::Load), count(&m, Opcode::Store)), (2, 2));
}

#[test]
fn gvn_memory_in_loops() {
    let m = check(
        "fn @f(ptr<global>, ptr<global> noalias, i32) -> i32 {
block0(v0: ptr<global>, v1: ptr<global>, v2: i32):
  v3: i32 = load align 4 v0
  v4: i32 = load align 4 v1
  jump block1(i32:0, i32:0)
block1(v5: i32, v6: i32):
  v7: i32 = load align 4 v0
  v8: i32 = load align 4 v1
  v9: i32 = add v7, v8
  v10: i32 = add v6, v9
  store align 4 v0, v10
  v11: i32 = add v5, i32:1
  v12: i1 = icmp slt v11, v2
  br v12, block1(v11, v10), block2
block2:
  v13: i32 = load align 4 v0
  v14: i32 = add v13, v3
  v15: i32 = add v14, v4
  return v15
}",
        &[opt::gvn::run],
        &[&[1], &[5]],
    );
    // The load of v1 in the loop goes, that of v0 stays; behind the loop the stored value is known.
    assert_eq!(count(&m, Opcode::Load), 3);
}

#[test]
fn vector_lanes_are_forwarded() {
    let m = check(
        "fn @f(ptr<global>) -> i32 {
block0(v0: ptr<global>):
  v1: i32x4 = load align 16 v0
  v2: ptr<global> = ptradd v0, i64:8
  v3: i32 = load align 4 v2
  v4: i32 = extract lane 0 v1
  v5: i32 = add v3, v4
  return v5
}",
        &[opt::gvn::run],
        &[&[]],
    );
    assert_eq!(count(&m, Opcode::Load), 1);
}

const SUM: &str = "fn @f(ptr<global> noalias, ptr<global> noalias, i32, i32) -> i32 {
block0(v0: ptr<global>, v1: ptr<global>, v2: i32, v3: i32):
  jump block1(i32:0)
block1(v4: i32):
  v5: i32 = mul v3, v3
  v6: i32 = sdiv v3, i32:3
  v7: i64 = sext v4
  v8: i64 = mul v7, i64:4
  v9: ptr<global> = ptradd v1, v8
  v10: i32 = load align 4 v9
  v11: i32 = load align 4 v0
  v12: i32 = add v10, v11
  v13: i32 = add v12, v5
  v14: i32 = add v13, v6
  store align 4 v0, v14
  v15: i32 = add nsw v4, i32:1
  v16: i1 = icmp slt v15, v2
  br v16, block1(v15), block2 !loop0
block2:
  v17: i32 = load align 4 v0
  return v17
}";

fn with_loop(body: &str) -> String {
    body.replacen("{\n", "{\n  loop0: unroll 4\n", 1)
}

#[test]
fn licm_hoists_and_promotes() {
    let m = check(&SUM.replace(" !loop0", ""), &[opt::licm::run], &[&[1, 7], &[9, 100]]);
    let f = m.functions.values().next().unwrap();
    let info = analysis::LoopInfo::new(f);
    let l = info.loops.iter().next().unwrap();
    let ops: Vec<_> = f.layout.insts(info.loops.header(l)).map(|i| f.dfg.op(i)).collect();
    assert!(!ops.contains(&Opcode::SDiv) && !ops.contains(&Opcode::Store), "{}", text(&m));
    assert_eq!(ops.iter().filter(|&&o| o == Opcode::Load).count(), 1);
}

#[test]
fn a_loop_that_shares_its_exit_with_the_way_around_it_keeps_its_sum_in_a_register() {
    let around = "  v20: i1 = icmp sgt v2, i32:9
  br v20, block1(i32:0), block2
block1(v4: i32):";
    let shared = SUM.replace(" !loop0", "").replacen("  jump block1(i32:0)\nblock1(v4: i32):", around, 1);
    let m = check(&shared, &[opt::licm::run], &[&[1, 7], &[9, 100]]);
    let f = m.functions.values().next().unwrap();
    let info = analysis::LoopInfo::new(f);
    let l = info.loops.iter().next().unwrap();
    let stores = f.layout.insts(info.loops.header(l)).filter(|&i| f.dfg.op(i) == Opcode::Store).count();
    assert_eq!(stores, 0, "{}", text(&m));
}

#[test]
fn licm_leaves_what_may_alias() {
    let m = check(&SUM.replace(" !loop0", "").replace(" noalias", ""), &[opt::licm::run], &[&[1, 7], &[9, 100]]);
    let f = m.functions.values().next().unwrap();
    let info = analysis::LoopInfo::new(f);
    let l = info.loops.iter().next().unwrap();
    let ops: Vec<_> = f.layout.insts(info.loops.header(l)).map(|i| f.dfg.op(i)).collect();
    assert!(ops.contains(&Opcode::Store), "{}", text(&m));
}

/// A table that nobody writes, as `exp` reads one, kept a sum in memory: its place was taken for one that the sum's might be.
#[test]
fn tables_that_do_not_change_kept_sums_in_memory() {
    let text_of = |flag: &str| {
        format!(
            "fn @f(ptr<global>, ptr<global>, i32) -> i32 {{
block0(v0: ptr<global>, v1: ptr<global>, v2: i32):
  jump block1(i32:0)
block1(v3: i32):
  v4: i32 = load {flag}align 4 v1
  v5: i32 = load align 4 v0
  v6: i32 = add v5, v4
  store align 4 v0, v6
  v7: i32 = add v3, i32:1
  v8: i1 = icmp slt v7, v2
  br v8, block1(v7), block2
block2:
  v9: i32 = load align 4 v0
  return v9
}}"
        )
    };
    for (flag, stores) in [("invariant ", 0), ("", 1)] {
        let m = check(&text_of(flag), &[opt::licm::run], &[&[1], &[100]]);
        let f = m.functions.values().next().unwrap();
        let info = analysis::LoopInfo::new(f);
        let l = info.loops.iter().next().unwrap();
        let found = f.layout.insts(info.loops.header(l)).filter(|&i| f.dfg.op(i) == Opcode::Store).count();
        assert_eq!(found, stores, "{}", text(&m));
    }
}

#[test]
fn licm_keeps_conditional_division_and_loads() {
    let m = check(
        "fn @f(ptr<global>, i32, i32) -> i32 {
block0(v0: ptr<global>, v1: i32, v2: i32):
  jump block1(i32:0, i32:0)
block1(v3: i32, v4: i32):
  v5: i1 = icmp slt v3, v1
  br v5, block2, block3
block2:
  v6: i32 = udiv v1, v2
  v7: i32 = load align 4 v0
  v8: i32 = add v6, v7
  v9: i32 = add v4, v8
  v10: i32 = add v3, i32:1
  jump block1(v10, v9)
block3:
  return v4
}",
        &[opt::licm::run],
        &[&[0, 1], &[3, 2]],
    );
    let f = m.functions.values().next().unwrap();
    let entry: Vec<_> = f.layout.insts(f.layout.entry()).map(|i| f.dfg.op(i)).collect();
    assert_eq!(entry, [Opcode::Jump]);
}

#[test]
fn inductions_share_a_pointer() {
    let m = check(
        "fn @f(ptr<global>, ptr<global>, i32) -> i32 {
block0(v0: ptr<global>, v1: ptr<global>, v2: i32):
  jump block1(i32:0, i32:0)
block1(v3: i32, v4: i32):
  v20: i32 = mul nsw v3, i32:2
  v5: i64 = sext v20
  v6: i64 = mul v5, i64:4
  v7: ptr<global> = ptradd v0, v6
  v8: i32 = load align 4 v7
  v9: i32 = add nsw v3, i32:1
  v21: i32 = mul nsw v9, i32:2
  v10: i64 = sext v21
  v11: i64 = mul v10, i64:4
  v12: ptr<global> = ptradd v0, v11
  v13: i32 = load align 4 v12
  v14: ptr<global> = ptradd v1, v6
  v15: i32 = add v8, v13
  store align 4 v14, v15
  v16: i32 = add v4, v15
  v17: i32 = add nsw v3, i32:2
  v18: i1 = icmp slt v17, v2
  br v18, block1(v17, v16), block2
block2:
  return v16
}",
        &[opt::strength::run, opt::dce::run],
        &[&[1], &[2], &[20]],
    );
    let f = m.functions.values().next().unwrap();
    let info = analysis::LoopInfo::new(f);
    let header = info.loops.header(info.loops.iter().next().unwrap());
    assert_eq!(f.dfg.params(header).iter().filter(|&&p| f.dfg.ty(p).is_ptr()).count(), 2, "{}", text(&m));
    assert_eq!(count(&m, Opcode::SExt), 0, "{}", text(&m));
}

#[test]
fn straight_line_bases() {
    let m = check(
        "fn @f(ptr<global>, i32, i32) -> i32 {
block0(v0: ptr<global>, v1: i32, v2: i32):
  v3: i32 = mul nsw v1, v2
  v4: i32 = add nsw v3, i32:1
  v5: i64 = sext v3
  v6: i64 = mul v5, i64:4
  v7: ptr<global> = ptradd v0, v6
  v8: i32 = load align 4 v7
  v9: i64 = sext v4
  v10: i64 = mul v9, i64:4
  v11: ptr<global> = ptradd v0, v10
  v12: i32 = load align 4 v11
  v13: i32 = add nsw v1, i32:1
  v14: i32 = mul nsw v13, v2
  v15: i32 = add v12, v8
  v16: i32 = add v15, v14
  return v16
}",
        &[opt::strength::run, opt::dce::run],
        &[&[1, 5], &[2, 3]],
    );
    assert_eq!((count(&m, Opcode::SExt), count(&m, Opcode::Mul)), (1, 2), "{}", text(&m));
}

#[test]
fn if_converts_small_diamonds() {
    let m = check(
        "fn @f(i32, i32) -> i32 {
block0(v0: i32, v1: i32):
  v2: i1 = icmp slt v0, v1
  br v2, block1, block2
block1:
  v3: i32 = add v0, i32:3
  jump block3(v3, v0)
block2:
  v4: i32 = mul v1, v0
  jump block3(v4, v0)
block3(v5: i32, v6: i32):
  v7: i1 = icmp sgt v5, v6
  br v7, block4, block5(v5)
block4:
  v8: i32 = sub v5, v6
  jump block5(v8)
block5(v9: i32):
  return v9
}",
        &[opt::if_convert::run],
        &[&[1, 2], &[2, 1], &[9, 9]],
    );
    assert_eq!((count(&m, Opcode::Br), count(&m, Opcode::Select)), (0, 2));
}

#[test]
fn if_conversion_leaves_effects_and_faults() {
    let body = "fn @f(ptr<global>, i32) -> i32 {
block0(v0: ptr<global>, v1: i32):
  v2: i1 = icmp slt v1, i32:10
  br v2, block1, block2(i32:0)
block1:
  v3: i64 = sext v1
  v4: ptr<global> = ptradd v0, v3
  v5: i8 = load align 1 v4
  v6: i32 = sext v5
  jump block2(v6)
block2(v7: i32):
  return v7
}";
    let m = check(body, &[opt::if_convert::run], &[&[1], &[1_000_000]]);
    assert_eq!(count(&m, Opcode::Br), 1);
}

/// `if (c) n = p[i]; m = p[i];` reads the place in any case; behind a barrier it might not.
#[test]
fn a_load_that_is_repeated_where_the_sides_meet_may_come_before() {
    for (between, branches) in [("v5: i32 = add v1, i32:1", 0), ("intrinsic barrier i32:0", 1)] {
        let body = format!(
            "fn @f(ptr<global>, i32) -> i32 {{
block0(v0: ptr<global>, v1: i32):
  v2: i1 = icmp slt v1, i32:10
  br v2, block1, block2(i32:0)
block1:
  v3: i32 = load align 4 v0
  jump block2(v3)
block2(v4: i32):
  {between}
  v6: i32 = load align 4 v0
  v7: i32 = add v4, v6
  return v7
}}"
        );
        let m = check(&body, &[opt::if_convert::run], &[&[1], &[10]]);
        assert_eq!(count(&m, Opcode::Br), branches, "{}", text(&m));
    }
}

#[test]
fn loops_keep_their_hints() {
    let m = check(
        &with_loop(
            "fn @f(i32) -> i32 {
block0(v0: i32):
  jump block1(i32:0, i32:0)
block1(v1: i32, v2: i32):
  v3: i1 = icmp slt v1, i32:3
  br v3, block2, block3(v2)
block2:
  v4: i32 = add v2, v1
  jump block3(v4)
block3(v5: i32):
  v6: i32 = add v1, i32:1
  v7: i1 = icmp slt v6, v0
  br v7, block1(v6, v5), block4 !loop0
block4:
  return v5
}",
        ),
        &[opt::if_convert::run, opt::licm::run, opt::gvn::run, opt::strength::run],
        &[&[1], &[8]],
    );
    assert!(text(&m).contains("!loop0"), "{}", text(&m));
}

const QUAD: &str = "fn @f(ptr<global> align 16, ptr<global>, i64) -> i32 {
block0(v0: ptr<global>, v1: ptr<global>, v2: i64):
  v3: i64 = shl v2, i64:4
  v4: ptr<global> = ptradd v0, v3
  v5: ptr<global> = ptradd v4, i64:4
  v6: ptr<global> = ptradd v4, i64:8
  v7: ptr<global> = ptradd v4, i64:12
  v8: i32 = load align 4 v6
  v9: i32 = load align 4 v4
  v10: i32 = load align 4 v5
  v11: i32 = load align 4 v7
  v12: i32 = add v8, v9
  v13: i32 = mul v10, v11
  store align 4 v7, v12
  store align 4 v5, v13
  store align 4 v4, v8
  store align 4 v6, v10
  v14: i32 = add v12, v13
  return v14
}";

#[test]
fn aligned_neighbours_become_vectors() {
    let m = check(QUAD, &[opt::vectorize::run], &[&[0], &[2]]);
    assert_eq!((count(&m, Opcode::Load), count(&m, Opcode::Store)), (1, 1), "{}", text(&m));
    assert!(text(&m).contains("i32x4 = load align 16"));
}

#[test]
fn unaligned_neighbours_do_not() {
    let m = check(&QUAD.replace(" align 16,", ","), &[opt::vectorize::run], &[&[0], &[2]]);
    assert_eq!(count(&m, Opcode::Load), 4);
    // Half the stride: pairs.
    let m = check(&QUAD.replace("shl v2, i64:4", "shl v2, i64:3"), &[opt::vectorize::run], &[&[0], &[2]]);
    assert_eq!((count(&m, Opcode::Load), count(&m, Opcode::Store)), (2, 2), "{}", text(&m));
}

#[test]
fn writes_in_between_keep_loads_apart() {
    let body = QUAD.replace("  v10: i32 = load", "  store align 4 v1, v9\n  v10: i32 = load");
    let m = check(&body, &[opt::vectorize::run], &[&[0], &[2]]);
    assert!(count(&m, Opcode::Load) >= 3, "{}", text(&m));
}

#[test]
fn contraction_of_every_form() {
    for (op, neg) in [("fadd", false), ("fadd", true), ("fsub", false), ("fsub", true)] {
        for swapped in [false, true] {
            let product = if neg { "v4" } else { "v3" };
            let (x, y) = if swapped { ("v2", product) } else { (product, "v2") };
            let body = format!(
                "fn @f(f32, f32, f32) -> f32 {{
block0(v0: f32, v1: f32, v2: f32):
  v3: f32 = fmul contract v0, v1
  v4: f32 = fneg {}
  v5: f32 = {op} contract {x}, {y}
  return v5
}}",
                if neg { "v3" } else { "v2" }
            );
            let bits = |x: f32| u64::from(x.to_bits());
            // Exact products: fusing changes nothing.
            let args = [bits(3.0), bits(-5.0), bits(0.25)];
            let m = check(&body, &[opt::contract::run], &[&args]);
            assert_eq!((count(&m, Opcode::Fma), count(&m, Opcode::FMul)), (1, 0), "{}", text(&m));
        }
    }
}

#[test]
fn contraction_needs_permission_and_a_single_use() {
    for (mul, add, extra) in [("", "contract ", ""), ("contract ", "", ""), ("contract ", "contract ", "v3")] {
        let last = if extra.is_empty() { "v4" } else { "v5" };
        let second = if extra.is_empty() { "" } else { "  v5: f32 = fdiv v4, v3\n" };
        let body = format!(
            "fn @f(f32, f32) -> f32 {{
block0(v0: f32, v1: f32):
  v3: f32 = fmul {mul}v0, v1
  v4: f32 = fadd {add}v3, v1
{second}  return {last}
}}"
        );
        let mut m = parse(&body);
        assert!(!apply(&mut m, opt::contract::run));
    }
}

#[test]
fn divisions_by_constants() {
    for (ty, bits) in [("i8", 8u32), ("i16", 16), ("i32", 32), ("i64", 64)] {
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let min = 1u64 << (bits - 1);
        for d in [1u64, 2, 3, 5, 7, 10, 16, 25, 100, 127, mask, mask - 1, mask - 6, mask - 15, min, min + 1, min - 1] {
            let d = d & mask;
            let signed = ((d << (64 - bits)) as i64) >> (64 - bits);
            for op in ["udiv", "urem", "sdiv", "srem"] {
                let c = if op.starts_with('s') { signed.to_string() } else { d.to_string() };
                let body = format!(
                    "fn @f({ty}) -> {ty} {{\nblock0(v0: {ty}):\n  v1: {ty} = {op} v0, {ty}:{c}\n  return v1\n}}"
                );
                let Ok(_) = ir::parse::parse_module(&format!("module \"\"\nmath\n{body}")) else {
                    panic!("{body}");
                };
                let near = |k: u64| [k.wrapping_sub(1) & mask, k & mask, k.wrapping_add(1) & mask];
                let mut runs: Vec<[u64; 1]> = vec![[0], [1], [mask], [min], [min - 1], [min + 1], [mask / 3]];
                runs.extend(near(d).map(|x| [x]));
                runs.extend(near(d.wrapping_mul(3)).map(|x| [x]));
                let runs: Vec<&[u64]> = runs.iter().map(|r| &r[..]).collect();
                let m = check(&body, &[opt::div::run], &runs);
                let left = [Opcode::UDiv, Opcode::URem, Opcode::SDiv, Opcode::SRem].map(|o| count(&m, o));
                assert_eq!(left, [0; 4], "{}", text(&m));
            }
        }
    }
}

#[test]
fn wide_division_of_narrow_numbers() {
    let m = check(
        "fn @f(i32, i32) -> i64 {
block0(v0: i32, v1: i32):
  v2: i64 = zext v0
  v3: i64 = zext v1
  v4: i64 = udiv v2, v3
  v5: i64 = urem v2, v3
  v6: i64 = add v4, v5
  return v6
}",
        &[opt::div::run],
        &[&[100, 7], &[u32::MAX.into(), 3]],
    );
    assert!(text(&m).contains("i32 = udiv"), "{}", text(&m));
}

/// Four neighbours per iteration of a pointer that walks: aligned if its start and step are.
#[test]
fn walking_pointers_keep_their_alignment() {
    let body = "fn @f(ptr<global> align 16, i32) -> i32 {
block0(v0: ptr<global>, v1: i32):
  jump block1(i32:0, v0, i32:0)
block1(v2: i32, v3: ptr<global>, v4: i32):
  v5: i32 = load align 4 v3
  v6: ptr<global> = ptradd v3, i64:4
  v7: i32 = load align 4 v6
  v8: ptr<global> = ptradd v3, i64:8
  v9: i32 = load align 4 v8
  v10: ptr<global> = ptradd v3, i64:12
  v11: i32 = load align 4 v10
  v12: i32 = mul v5, v7
  v13: i32 = mul v9, v11
  v14: i32 = add v12, v13
  v15: i32 = add v4, v14
  v16: i32 = add nsw v2, i32:1
  v17: ptr<global> = ptradd v3, i64:16
  v18: i1 = icmp slt v16, v1
  br v18, block1(v16, v17, v15), block2
block2:
  return v15
}";
    let m = check(body, &[opt::vectorize::run], &[&[1], &[4]]);
    assert_eq!(count(&m, Opcode::Load), 1, "{}", text(&m));
    let m = check(&body.replace("ptradd v3, i64:16", "ptradd v3, i64:24"), &[opt::vectorize::run], &[&[1], &[4]]);
    assert_eq!(count(&m, Opcode::Load), 2, "{}", text(&m));
}

#[test]
fn a_value_passes_one_loop_on_its_way_from_another() {
    // The search loop's counter is used behind the loop that follows a hit, and that loop has a test at the top too.
    let m = check(
        "fn @f(ptr<global>, i32) -> i32 {
block0(v0: ptr<global>, v1: i32):
  jump block1(i32:0)
block1(v2: i32):
  v3: i1 = icmp slt v2, i32:4
  br v3, block2, block9
block2:
  jump block3(i32:0)
block3(v4: i32):
  v5: i1 = icmp slt v4, i32:5
  br v5, block4, block8
block4:
  v6: i32 = add v4, v2
  v7: i1 = icmp eq v6, v1
  br v7, block5, block10
block10:
  v8: i32 = add v4, i32:1
  jump block3(v8)
block5:
  jump block6(i32:3)
block6(v9: i32):
  v10: i1 = icmp sge v9, v4
  br v10, block7, block11
block7:
  v11: i64 = sext v9
  v12: i64 = shl v11, i64:2
  v13: ptr<global> = ptradd v0, v12
  store align 4 v13, v2
  v14: i32 = add v9, i32:-1
  jump block6(v14)
block11:
  v15: i64 = sext v4
  v16: i64 = shl v15, i64:2
  v17: ptr<global> = ptradd v0, v16
  store align 4 v17, i32:77
  jump block8
block8:
  v18: i32 = add v2, i32:1
  jump block1(v18)
block9:
  return v2
}",
        &[opt::loop_rotate::run],
        &[&[0], &[2], &[5], &[9]],
    );
    assert_eq!(count(&m, Opcode::Store), 2, "{}", text(&m));
}

/// `b[i] = a[i] + a[i + 1]` loaded both in each iteration, though the one before had loaded one of them; nvcc carries it along.
#[test]
fn what_the_iteration_before_has_loaded_was_loaded_again() {
    let window = |promise: &str, stored: &str, at: u32| {
        format!(
            "fn @f(ptr<global>{promise}, ptr<global>{promise}, i32) -> i32 {{
block0(v0: ptr<global>, v1: ptr<global>, v2: i32):
  jump block1(i32:0, i32:0)
block1(v3: i32, v4: i32):
  v5: i64 = sext v3
  v6: i64 = shl v5, i64:2
  v7: ptr<global> = ptradd v0, v6
  v8: i32 = load align 4 v7
  v9: ptr<global> = ptradd v7, i64:4
  v10: i32 = load align 4 v9
  v11: i32 = add v8, v10
  v12: ptr<global> = ptradd {stored}, v6
  v16: ptr<global> = ptradd v12, i64:{at}
  store align 4 v16, v11
  v13: i32 = add v4, v11
  v14: i32 = add nsw v3, i32:1
  v15: i1 = icmp slt v14, v2
  br v15, block1(v14, v13), block2
block2:
  return v13
}}"
        )
    };
    // Not where the loop may write what it has loaded.
    for (promise, stored, at, loads) in
        [(" noalias", "v1", 0, 1), ("", "v1", 0, 2), (" noalias", "v0", 0, 2), (" noalias", "v0", 4, 2)]
    {
        let m = check(&window(promise, stored, at), &[opt::carried_loads::run], &[&[0], &[1], &[2], &[60]]);
        let f = m.functions.values().next().unwrap();
        let info = analysis::LoopInfo::new(f);
        let l = info.loops.iter().next().unwrap();
        let left = f.layout.insts(info.loops.header(l)).filter(|&i| f.dfg.op(i) == Opcode::Load).count();
        assert_eq!(left, loads, "{}", text(&m));
    }
}
