//! Whole kernels: memory after a launch, and what stops one.

use interp::{Access, Arg, LaunchConfig, Limits, Machine, Trap, TrapKind, Uninit};
use ir::{FuncId, Module};
use source::Span;
use target::Target;
use target::amd::AmdArch;

/// Parses and verifies; gives every instruction a span of its own (its number) so that traps can be placed.
fn module(text: &str) -> Module {
    let mut m = ir::parse::parse_module(text).unwrap_or_else(|e| panic!("{e}"));
    for f in m.functions.values_mut() {
        let insts: Vec<_> = f.layout.blocks().flat_map(|b| f.layout.insts(b).collect::<Vec<_>>()).collect();
        for (n, i) in insts.into_iter().enumerate() {
            f.dfg.set_span(i, Span::new(n as u32 + 1, n as u32 + 2));
        }
    }
    ir::verify::verify_module(&m).unwrap_or_else(|e| panic!("{}", e[0]));
    m
}

fn kernel(m: &Module) -> FuncId {
    m.find("k").expect("a kernel @k")
}

/// Runs `@k` of `items` work-items on one buffer of `i32`s; its contents after.
fn run_i32(text: &str, items: u32, data: &[i32]) -> Result<Vec<i32>, Box<Trap>> {
    run_with(text, items, data, 32, &Limits::default())
}

fn run_with(text: &str, items: u32, data: &[i32], warp: u32, limits: &Limits) -> Result<Vec<i32>, Box<Trap>> {
    let m = module(text);
    let mut machine = Machine::new(&m);
    let gpus = [Target::default(), AmdArch::parse("gfx90a").expect("a GPU").target()];
    machine.set_target(gpus.iter().find_map(|t| t.with_warp_size(warp)).expect("a GPU with such warps"));
    let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_le_bytes()).collect();
    let buffer = machine.alloc_bytes(&bytes).expect("small");
    machine.launch(kernel(&m), &LaunchConfig::items(items), &[Arg::Pointer(buffer)], limits)?;
    let out = machine.read(buffer, bytes.len() as u64).expect("in bounds");
    Ok(out.chunks(4).map(|c| i32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// The opening of a kernel that has its work-item's element in v4 and its number in v1.
const HEAD: &str = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: i32 = special tid.x
  v2: i64 = zext v1
  v3: i64 = shl v2, i64:2
  v4: ptr<global> = ptradd v0, v3
";

#[test]
fn loop_sums() {
    let text = "kernel @k(ptr<global>) {
  loop0:
block0(v0: ptr<global>):
  jump block1(i32:0, i32:0)
block1(v1: i32, v2: i32):
  v3: i32 = add v1, v2
  v4: i32 = add nsw v2, i32:1
  v5: i1 = icmp slt v4, i32:101
  br v5, block1(v3, v4), block2 !loop0
block2:
  store align 4 v0, v3
  return
}";
    assert_eq!(run_i32(text, 1, &[0]).unwrap(), [5050]);
}

#[test]
fn shared_memory_and_barrier_reverse() {
    let text = format!(
        "global @tile: shared size 256 align 4 elem i32
{HEAD}  v5: i32 = load align 4 v4
  v6: ptr<shared> = ptradd @tile, v3
  store align 4 v6, v5
  intrinsic barrier i32:0
  v7: i64 = sub i64:63, v2
  v8: i64 = shl v7, i64:2
  v9: ptr<shared> = ptradd @tile, v8
  v10: i32 = load align 4 v9
  store align 4 v4, v10
  return
}}"
    );
    let data: Vec<i32> = (0..64).collect();
    let reversed: Vec<i32> = (0..64).rev().collect();
    assert_eq!(run_i32(&text, 64, &data).unwrap(), reversed);
    // The same without the barrier races.
    let racy = text.replace("  intrinsic barrier i32:0\n", "");
    let trap = run_i32(&racy, 64, &data).unwrap_err();
    assert!(
        matches!(trap.kind, TrapKind::DataRace { access: Access::Write, .. })
            || matches!(trap.kind, TrapKind::UninitialisedRead { .. } | TrapKind::DataRace { .. }),
        "{trap}"
    );
}

#[test]
fn shuffles() {
    for (warp, word, expect) in [(32u32, 31, 496), (64, 63, 2016)] {
        let mask = if warp == 32 { "i32:-1" } else { "i64:-1" };
        let mut text = HEAD.to_owned() + "  v5: i32 = load align 4 v4\n";
        let mut last = 5;
        let mut step = warp / 2;
        while step > 0 {
            text += &format!("  v{}: i32 = intrinsic shfl.bfly {mask}, v{last}, i32:{step}, i32:{word}\n", last + 1);
            text += &format!("  v{}: i32 = add v{last}, v{}\n", last + 2, last + 1);
            last += 2;
            step /= 2;
        }
        text += &format!("  store align 4 v4, v{last}\n  return\n}}");
        let data: Vec<i32> = (0..warp as i32).collect();
        let out = run_with(&text, warp, &data, warp, &Limits::default()).unwrap();
        assert!(out.iter().all(|&x| x == expect), "{out:?}");
    }
}

#[test]
fn shuffle_up_keeps_the_first() {
    let text = format!(
        "{HEAD}  v5: i32 = load align 4 v4
  v6: i32 = intrinsic shfl.up i32:-1, v5, i32:1, i32:0
  store align 4 v4, v6
  return
}}"
    );
    let data: Vec<i32> = (0..32).map(|n| n * 10).collect();
    let out = run_i32(&text, 32, &data).unwrap();
    assert_eq!((out[0], out[1], out[31]), (0, 0, 300));
}

#[test]
fn votes_and_reductions() {
    let text = format!(
        "{HEAD}  v5: i1 = icmp ult v1, i32:3
  v6: i32 = intrinsic vote.ballot i32:-1, v5
  v7: i32 = intrinsic redux.add i32:-1, v1
  v8: i1 = intrinsic vote.any i32:-1, v5
  v9: i1 = intrinsic vote.all i32:-1, v5
  v10: i32 = and v1, i32:1
  v11: i32 = intrinsic match.any i32:-1, v10
  v12: i32 = zext v8
  v13: i32 = zext v9
  v14: i32 = add v6, v7
  v15: i32 = add v14, v12
  v16: i32 = add v15, v13
  v17: i32 = xor v16, v11
  store align 4 v4, v17
  return
}}"
    );
    let out = run_i32(&text, 32, &[0; 32]).unwrap();
    assert_eq!(out[0] as u32, (7 + 496 + 1) ^ 0x5555_5555);
    assert_eq!(out[1] as u32, (7 + 496 + 1) ^ 0xaaaa_aaaa);
}

#[test]
fn divergent_warps_meet_by_mask() {
    // Even and odd lanes reduce apart, with masks of their own.
    let text = format!(
        "{HEAD}  v5: i32 = and v1, i32:1
  v6: i1 = icmp eq v5, i32:0
  br v6, block1, block2
block1:
  v7: i32 = intrinsic redux.add i32:0x55555555, v1
  jump block3(v7)
block2:
  v8: i32 = intrinsic redux.add i32:0xaaaaaaaa, v1
  jump block3(v8)
block3(v9: i32):
  intrinsic warpsync i32:-1
  store align 4 v4, v9
  return
}}"
    );
    let out = run_i32(&text, 32, &[0; 32]).unwrap();
    assert_eq!((out[0], out[1], out[30], out[31]), (240, 256, 240, 256));
    // A full mask in a branch that half the warp takes never completes.
    let bad = text.replace("i32:0x55555555", "i32:-1");
    let trap = run_i32(&bad, 32, &[0; 32]).unwrap_err();
    assert!(matches!(trap.kind, TrapKind::WarpDivergence { here: 0x5555_5555, .. }), "{trap}");
    assert_eq!(trap.span, Span::new(8, 9));
}

#[test]
fn barrier_divergence() {
    let text = format!(
        "{HEAD}  v5: i1 = icmp ult v1, i32:3
  br v5, block1, block2
block1:
  intrinsic barrier i32:0
  jump block2
block2:
  intrinsic barrier i32:0
  return
}}"
    );
    let trap = run_i32(&text, 8, &[0; 8]).unwrap_err();
    assert_eq!(trap.kind, TrapKind::BarrierDivergence { waiting: 3, elsewhere: 5 });
    assert_eq!(trap.span, Span::new(7, 8));
}

#[test]
fn atomics_count_and_wrap() {
    let text = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: i32 = atomicrmw add relaxed device v0, i32:2
  v2: ptr<global> = ptradd v0, i64:4
  v3: i32 = atomicrmw inc relaxed device v2, i32:9
  v4: ptr<global> = ptradd v0, i64:8
  v5: i32 = atomiccas relaxed device v4, i32:7, i32:1
  v6: ptr<global> = ptradd v0, i64:12
  v7: f32 = atomicrmw fadd relaxed device v6, f32:0.5
  return
}";
    assert_eq!(run_i32(text, 25, &[0, 0, 7, 0]).unwrap(), [50, 5, 1, 12.5f32.to_bits() as i32]);
}

#[test]
fn out_of_bounds_has_its_place() {
    let text = format!("{HEAD}  store align 4 v4, v1\n  return\n}}");
    let trap = run_i32(&text, 5, &[0; 4]).unwrap_err();
    let TrapKind::OutOfBounds { access: Access::Write, bytes: 4, offset: 16, size: 16, .. } = trap.kind else {
        panic!("{trap}")
    };
    assert_eq!((trap.span, trap.work_item, trap.function.as_str()), (Span::new(5, 6), [4, 0, 0], "k"));
    // Before the start, and null.
    for (ptr, what) in [("v9: ptr<global> = ptradd v0, i64:-4", "v9"), ("", "ptr<global>:0x0")] {
        let text = format!("{HEAD}  {ptr}\n  v10: i32 = load align 4 {what}\n  store align 4 v4, v10\n  return\n}}");
        let trap = run_i32(&text, 1, &[0; 4]).unwrap_err();
        assert!(matches!(trap.kind, TrapKind::OutOfBounds { access: Access::Read, .. }), "{trap}");
    }
}

#[test]
fn misaligned_and_read_only() {
    let text = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: ptr<global> = ptradd v0, i64:4
  v2: i64 = load align 8 v1
  return
}";
    assert!(matches!(run_i32(text, 1, &[0; 4]).unwrap_err().kind, TrapKind::Misaligned { align: 8, .. }));
    let text = "global @c: constant size 4 align 4 elem i32 constant = x01000000
kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  store align 4 @c, i32:0
  return
}";
    assert!(matches!(run_i32(text, 1, &[0]).unwrap_err().kind, TrapKind::ReadOnly { .. }));
}

#[test]
fn slots_are_unwritten_at_first() {
    let text = "kernel @k(ptr<global>) {
  slot0: size 8 align 4 \"tmp\"
block0(v0: ptr<global>):
  v1: ptr<private> = ptradd &slot0, i64:4
  store align 4 &slot0, i32:7
  v2: i32 = load align 4 v1
  v3: i1 = icmp eq v2, i32:0
  br v3, block1, block1
block1:
  v4: i32 = load align 4 &slot0
  store align 4 v0, v4
  return
}";
    let run = |uninit| run_with(text, 1, &[0], 32, &Limits { uninit, ..Limits::default() });
    assert_eq!(run(Uninit::Ignore).unwrap(), [7]);
    let trap = run(Uninit::OnUse).unwrap_err();
    assert_eq!((&trap.kind, trap.span), (&TrapKind::UndefinedUse { what: "a branch condition" }, Span::new(5, 6)));
    let trap = run(Uninit::OnRead).unwrap_err();
    let TrapKind::UninitialisedRead { offset: 4, object, .. } = &trap.kind else { panic!("{trap}") };
    assert_eq!((object.as_str(), trap.span), ("`tmp`", Span::new(3, 4)));
}

/// A structure `{int; char; double}` that is moved by words, of which one and a part of another hold nothing.
#[test]
fn copied_padding_was_read() {
    let text = |use_of: &str| {
        format!(
            "kernel @k(ptr<global>) {{
  slot0: size 16 align 16 \"s\"
block0(v0: ptr<global>):
  v1: ptr<private> = ptradd &slot0, i64:4
  store align 4 &slot0, i32:7
  store align 1 v1, i8:3
  v2: i32x4 = load align 16 &slot0
  v3: i32 = extract lane 0 v2
  v4: i32 = extract lane 1 v2
  v5: i32 = extract lane 2 v2
  {use_of}
  return
}}"
        )
    };
    let run =
        |text: &str| run_with(text, 1, &[0; 4], 32, &Limits { uninit: Uninit::OnReadOfValues, ..Limits::default() });
    assert_eq!(run(&text("v6: i32x4 = vec v3, v4, v5, v5\n  store align 4 v0, v6")).unwrap()[0], 7);
    // A part of a word may be used, and all of one only be copied.
    assert_eq!(run(&text("v6: i32 = and v4, i32:255\n  store align 4 v0, v6")).unwrap()[0], 3);
    let trap = run(&text("v6: i32 = add v5, i32:1\n  store align 4 v0, v6")).unwrap_err();
    assert!(matches!(trap.kind, TrapKind::UninitialisedRead { offset: 8, .. }), "{trap}");
}

#[test]
fn undefined_bytes_are_tracked() {
    // A masked-out undefined byte does not matter; a wrapped nsw sum does.
    let text = "kernel @k(ptr<global>) {
  slot0: size 4 align 4
block0(v0: ptr<global>):
  store align 2 &slot0, i16:0x1234
  v1: i32 = load align 4 &slot0
  v2: i32 = and v1, i32:65535
  store align 4 v0, v2
  v3: i1 = icmp eq v2, i32:0x1234
  br v3, block1, block2
block1:
  v4: i32 = add nsw v2, i32:2147483647
  v5: ptr<global> = ptradd v0, i64:4
  store align 4 v5, v4
  return
block2:
  unreachable
}";
    let m = module(text);
    let mut machine = Machine::new(&m);
    let buffer = machine.alloc_global(8).unwrap();
    machine.launch(kernel(&m), &LaunchConfig::items(1), &[Arg::Pointer(buffer)], &Limits::default()).unwrap();
    assert_eq!(machine.read(buffer, 4).unwrap(), 0x1234u32.to_le_bytes());
    assert_eq!(machine.read_shadow(buffer, 8).unwrap(), [0, 0, 0, 0, 1, 1, 1, 1]);
}

/// A random program had a byte put beside undefined ones, and taken out again by a shift.
#[test]
fn undefined_bytes_move_with_shifts() {
    let text = "kernel @k(ptr<global>) {
  slot0: size 4 align 4
block0(v0: ptr<global>):
  v1: ptr<private> = ptradd &slot0, i64:2
  store align 1 v1, i8:0x92
  v2: i32 = load align 4 &slot0
  v3: i32 = lshr v2, i32:16
  store align 4 v0, v3
  v4: i32 = shl v2, i32:12
  v5: ptr<global> = ptradd v0, i64:4
  store align 4 v5, v4
  v6: i32 = shl v2, i32:8
  v7: i32 = ashr v6, i32:20
  v8: ptr<global> = ptradd v0, i64:8
  store align 4 v8, v7
  return
}";
    let m = module(text);
    let mut machine = Machine::new(&m);
    let buffer = machine.alloc_global(12).unwrap();
    machine.launch(kernel(&m), &LaunchConfig::items(1), &[Arg::Pointer(buffer)], &Limits::default()).unwrap();
    assert_eq!(machine.read(buffer, 1).unwrap(), [0x92]);
    assert_eq!(machine.read_shadow(buffer, 12).unwrap(), [0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0]);
}

#[test]
fn limits_end_it() {
    let text = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  jump block1
block1:
  jump block1
}";
    let limits = Limits { steps: 1000, ..Limits::default() };
    assert_eq!(run_with(text, 2, &[0], 32, &limits).unwrap_err().kind, TrapKind::StepLimit);
    let text = "fn @f() {
  slot0: size 1000 align 8
block0:
  call @f
  return
}
kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  call @f
  return
}";
    assert_eq!(run_i32(text, 1, &[0]).unwrap_err().kind, TrapKind::StackOverflow);
    let limits = Limits { memory: 100_000, ..Limits::default() };
    assert_eq!(run_with(text, 1, &[0], 32, &limits).unwrap_err().kind, TrapKind::MemoryLimit);
}

#[test]
fn spinning_lanes_let_others_on() {
    // Work-item 1 waits in a loop for work-item 2's atomic store: nobody starves.
    let text = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: i32 = special tid.x
  v2: i1 = icmp eq v1, i32:0
  br v2, block1, block2
block1:
  v3: i32 = atomicrmw add acquire group v0, i32:0
  v4: i1 = icmp eq v3, i32:0
  br v4, block1, block3
block2:
  v5: i32 = atomicrmw xchg release group v0, i32:5
  return
block3:
  v6: ptr<global> = ptradd v0, i64:4
  store align 4 v6, v3
  return
}";
    assert_eq!(run_i32(text, 2, &[0, 0]).unwrap(), [5, 5]);
}

#[test]
fn swaps_in_branch_arguments() {
    let text = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  jump block1(i32:1, i32:2, i32:0)
block1(v1: i32, v2: i32, v3: i32):
  v4: i32 = add v3, i32:1
  v5: i1 = icmp ult v4, i32:4
  br v5, block1(v2, v1, v4), block2
block2:
  store align 4 v0, v1
  v6: ptr<global> = ptradd v0, i64:4
  store align 4 v6, v2
  return
}";
    assert_eq!(run_i32(text, 1, &[0, 0]).unwrap(), [2, 1]);
}

#[test]
fn switches_vectors_and_calls() {
    let text = "fn @twice(i32x4) -> i32x4 {
block0(v0: i32x4):
  v1: i32x4 = add v0, v0
  return v1
}
kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: i32x4 = load align 16 v0
  v2: i32x4 = call @twice v1
  v3: i32x4 = shuffle [3 2 5 0] v2, v1
  v4: i32 = extract lane 1 v3
  switch v4, [6: block1(i32:100), 8: block1(i32:200)], block1(i32:300)
block1(v5: i32):
  v6: i32x4 = insert lane 3 v3, v5
  v7: i32 = extractdyn v2, i32:2
  v8: i32x4 = insertdyn v6, v7, i32:0
  store align 16 v0, v8
  return
}";
    assert_eq!(run_i32(text, 1, &[1, 2, 3, 4]).unwrap(), [6, 6, 2, 100]);
}

#[test]
fn printf_is_captured() {
    let hex = |s: &str| s.bytes().chain([0]).map(|b| format!("{b:02x}")).collect::<String>();
    let text = format!(
        "global @f: constant size 64 align 1 elem i8 constant = x{}
global @s: constant size 8 align 1 elem i8 constant = x{}
kernel @k(ptr<global>) {{
  slot0: size 64 align 16
block0(v0: ptr<global>):
  store align 4 &slot0, i32:-5
  v1: ptr<private> = ptradd &slot0, i64:8
  store align 8 v1, f64:2.5
  v2: ptr<private> = ptradd &slot0, i64:16
  v3: ptr = addrspacecast @s
  store align 8 v2, v3
  v4: ptr<private> = ptradd &slot0, i64:24
  store align 8 v4, i64:255
  v5: ptr = addrspacecast @f
  v6: ptr = addrspacecast &slot0
  v7: i32 = intrinsic vprintf v5, v6
  store align 4 v0, v7
  return
}}",
        hex("%4d|%-6.2f|%s|%#06lx|%%\n"),
        hex("abc")
    );
    let m = module(&text);
    let mut machine = Machine::new(&m);
    let buffer = machine.alloc_global(4).unwrap();
    machine.launch(kernel(&m), &LaunchConfig::items(1), &[Arg::Pointer(buffer)], &Limits::default()).unwrap();
    assert_eq!(String::from_utf8_lossy(machine.output()), "  -5|2.50  |abc|0x00ff|%\n");
    assert_eq!(machine.read(buffer, 4).unwrap(), [4, 0, 0, 0]);
}

#[test]
fn a_negative_precision_is_as_none() {
    let hex = |s: &str| s.bytes().chain([0]).map(|b| format!("{b:02x}")).collect::<String>();
    let text = format!(
        "global @f: constant size 64 align 1 elem i8 constant = x{}
kernel @k() {{
  slot0: size 64 align 16
block0:
  store align 4 &slot0, i32:-1
  v1: ptr<private> = ptradd &slot0, i64:4
  store align 4 v1, i32:42
  v2: ptr<private> = ptradd &slot0, i64:8
  store align 4 v2, i32:-2
  v3: ptr<private> = ptradd &slot0, i64:16
  store align 8 v3, f64:0.25
  v5: ptr = addrspacecast @f
  v6: ptr = addrspacecast &slot0
  v7: i32 = intrinsic vprintf v5, v6
  return
}}",
        hex("%.*d|%.*f")
    );
    let m = module(&text);
    let mut machine = Machine::new(&m);
    machine.launch(kernel(&m), &LaunchConfig::items(1), &[], &Limits::default()).unwrap();
    assert_eq!(String::from_utf8_lossy(machine.output()), "42|0.250000");
}

#[test]
fn arguments_by_value_and_local() {
    let text = "kernel @k(ptr<param> byval 8, ptr<shared> local, ptr<global>, i16) {
block0(v0: ptr<param>, v1: ptr<shared>, v2: ptr<global>, v3: i16):
  v4: i64 = load align 8 v0
  store align 8 v1, v4
  v5: i64 = load align 8 v1
  v6: i64 = sext v3
  v7: i64 = add v5, v6
  store align 8 v2, v7
  return
}";
    let m = module(text);
    let mut machine = Machine::new(&m);
    let buffer = machine.alloc_global(8).unwrap();
    let args = [Arg::Bytes(100u64.to_le_bytes().to_vec()), Arg::Local(8), Arg::Pointer(buffer), Arg::Value(0xffff)];
    machine.launch(kernel(&m), &LaunchConfig::new([3, 1, 1], [1, 1, 1]), &args, &Limits::default()).unwrap();
    assert_eq!(machine.read(buffer, 8).unwrap(), 99u64.to_le_bytes());
    let wrong = machine.launch(kernel(&m), &LaunchConfig::items(1), &args[..3], &Limits::default()).unwrap_err();
    assert!(matches!(wrong.kind, TrapKind::BadLaunch { .. }));
    let wide = machine.launch(kernel(&m), &LaunchConfig::items(2000), &args, &Limits::default()).unwrap_err();
    assert!(matches!(wide.kind, TrapKind::BadLaunch { .. }));
}

#[test]
fn wrong_space_is_caught() {
    let text = "kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: ptr = addrspacecast v0
  v2: ptr<shared> = addrspacecast v1
  v3: i32 = load align 4 v2
  return
}";
    assert!(matches!(run_i32(text, 1, &[0]).unwrap_err().kind, TrapKind::WrongSpace { .. }));
}

#[test]
fn pointers_in_memory_and_unsupported() {
    let text = "kernel @k(ptr<global>) {
  slot0: size 8 align 8
block0(v0: ptr<global>):
  store align 8 &slot0, v0
  v1: i64 = load align 8 &slot0
  v2: ptr<global> = inttoptr v1
  store align 4 v2, i32:3
  asm \"nop;\" volatile
  return
}";
    let trap = run_i32(text, 1, &[0]).unwrap_err();
    assert!(matches!(trap.kind, TrapKind::Unsupported { .. }) && trap.span == Span::new(5, 6), "{trap}");
}

#[test]
fn division_by_zero_is_an_error_where_it_is_asked_for() {
    let text = "kernel @k(ptr<global>, i32) {\nblock0(v0: ptr<global>, v1: i32):\n  v2: i32 = sdiv i32:7, v1\n  store align 4 v0, v2\n  return\n}\n";
    let module = ir::parse::parse_module(text).unwrap();
    let id = module.find("k").unwrap();
    for (checked, divisor, fails) in [(true, 0, true), (true, 2, false), (false, 0, false)] {
        let mut m = Machine::new(&module);
        m.set_divisions_checked(checked);
        let p = m.alloc_bytes(&[0; 4]).unwrap();
        let ran = m.launch(id, &LaunchConfig::items(1), &[Arg::Pointer(p), Arg::Value(divisor)], &Limits::default());
        assert_eq!(ran.is_err_and(|t| t.kind == TrapKind::DivisionByZero), fails, "{checked} {divisor}");
    }
}

/// `volatile int *v = data; v[i] += v[i + 16]; v[i] += v[i + 8]; …`, as reductions of older programs end, without a barrier.
/// A GPU's warp adds what all of its lanes have read before; so does the interpreter.
#[test]
fn lanes_that_exchange_values_through_volatile_memory_take_turns() {
    let mut text = format!("{HEAD}  v5: i1 = icmp ult v1, i32:16\n  br v5, block1, block2\nblock1:\n");
    for (n, step) in [16, 8, 4, 2, 1].into_iter().enumerate() {
        let v = 10 + 10 * n;
        text += &format!(
            "  v{v}: ptr<global> = ptradd v4, i64:{}
  v{}: i32 = load volatile align 4 v4
  v{}: i32 = load volatile align 4 v{v}
  v{}: i32 = add v{}, v{}
  store volatile align 4 v4, v{}
",
            4 * step,
            v + 1,
            v + 2,
            v + 3,
            v + 1,
            v + 2,
            v + 3
        );
    }
    text += "  jump block2\nblock2:\n  return\n}\n";
    let data: Vec<i32> = (0..48).collect();
    let left = run_i32(&text, 32, &data).expect("volatile accesses are no race");
    assert_eq!(left[0], (0..32).sum::<i32>());
}
