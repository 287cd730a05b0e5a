//! Whole modules: control flow, calls, traps, globals, what cannot be compiled, and the forms of output.

mod common;

use common::{Case, OUT, check_on, parse};
use ir::{Module, Type};
use llvm::{HostMachine, LlvmError, OptLevel, Options};

fn host() -> HostMachine {
    HostMachine::detect().unwrap()
}

fn whole(name: &str, inputs: &[Type], output: Type, text: &str) -> Case {
    Case {
        name: name.to_owned(),
        body: text.to_owned(),
        inputs: inputs.to_vec(),
        output,
        compare: common::Compare::Exact,
        undefined: false,
    }
}

const CONTROL: &str = r#"
fn @control(ptr, ptr) {
  loop0: done
  loop1: must_progress
block0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: ptr = ptradd v0, i64:4
  v4: i32 = load align 4 v3
  v5: i32 = and v2, i32:15
  jump block1(v5, i32:1, v4)
block1(v6: i32, v7: i32, v8: i32):
  v9: i1 = icmp eq v6, i32:0
  br v9, block3(v7), block2
block2:
  v10: i32 = add v7, v8
  v11: i32 = sub v6, i32:1
  switch v11, [0: block1(v11, v10, v7), 3: block4(v10), 5: block4(v7), 7: block1(v11, v7, v10)], block1(v11, v8, v10)
block3(v12: i32):
  br v9, block5(v12), block5(v8)
block4(v13: i32):
  v14: i1 = icmp slt v13, i32:0
  br v14, block5(v13), block5(v7)
block5(v15: i32):
  v16: ptr = ptradd v1, i64:128
  store align 4 v16, v15
  return
}
"#;

#[test]
fn branches_with_arguments_to_one_target_and_switches() {
    for opt in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        let cases = [whole("control", &[Type::I32, Type::I32], Type::I32, CONTROL)];
        check_on(&host(), &cases, opt, 200, Options::default());
    }
}

/// Loops whose masks are phis and live in several blocks, of as many lanes as there are vectors.
#[test]
fn masks_that_cross_blocks() {
    let text = r#"
fn @masks_LANES(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  v2: VINT = load align 4 v0
  v3: VINT = and v2, VINT:31
  v4: MASK = icmp ne v3, VINT:7
  v5: MASK = icmp ult v3, VINT:29
  jump block1(v3, v4, MASK:true, VINT:0, i32:0)
block1(v6: VINT, v7: MASK, v8: MASK, v9: VINT, v10: i32):
  v11: MASK = icmp sgt v6, VINT:0
  v12: MASK = and v7, v11
  v13: i1 = anylane v12
  br v13, block2, block4(v9, v12)
block2:
  v14: VINT = select v12, VINT:3, VINT:0
  v15: VINT = sub v6, v14
  v16: VINT = select v5, VINT:1, VINT:100
  v17: VINT = add v9, v16
  v18: VINT = select v12, v17, v9
  v19: i32 = add v10, i32:1
  v20: i1 = icmp eq v19, i32:8
  v21: MASK = xor v12, v8
  br v20, block4(v18, v21), block3
block3:
  v22: i1 = alllanes v12
  br v22, block1(v15, v12, v12, v18, v19), block1(v15, v12, v8, v18, v19)
block4(v23: VINT, v24: MASK):
  v25: VINT = select v24, VINT:1000, VINT:0
  v26: VINT = select v4, VINT:2000, v25
  v27: VINT = add v23, v26
  v28: ptr = ptradd v1, i64:128
  store align 4 v28, v27
  return
}
"#;
    let cases: Vec<Case> = [2u8, 3, 4, 8, 16, 32]
        .into_iter()
        .map(|n| {
            let t = Type::I32.vector(n).unwrap();
            let text = text.replace("LANES", &n.to_string()).replace("VINT", &t.to_string());
            whole(&format!("masks_{n}"), &[t], t, &text.replace("MASK", &format!("i1x{n}")))
        })
        .collect();
    for (machine, opt) in [(host(), OptLevel::O2), (HostMachine::named("x86-64-v2").unwrap(), OptLevel::O1)] {
        check_on(&machine, &cases, opt, 100, Options::default());
    }
}

#[test]
fn calls_stack_slots_globals_and_aggregates_by_value() {
    let text = r#"
global @table: constant size 16 align 4 elem i32 constant = x01000000ffffffff0700000000000080
global @links: global size 24 align 8 elem ptr = x0000000000000000 reloc 8 @table 4 generic reloc 16 @links 0

fn @pick(ptr byval 16 align 4, i32) -> i32 noinline {
block0(v0: ptr, v1: i32):
  v2: i32 = and v1, i32:3
  v3: i64 = zext v2
  v4: i64 = shl v3, i64:2
  v5: ptr = ptradd v0, v4
  v6: i32 = load align 4 v5
  store align 4 v5, i32:99
  return v6
}

fn @calls(ptr, ptr) {
  slot0: size 16 align 16
block0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: ptr = addrspacecast &slot0
  memcpy align 4 v3, v0, i64:16
  v4: i32 = call @pick v3, v2
  v5: i32 = call @pick v3, v2
  v6: ptr = addrspacecast @links
  v7: ptr = ptradd v6, i64:8
  v8: ptr = load align 8 v7
  v9: i32 = load align 4 v8
  v10: ptr = ptradd v6, i64:16
  v11: ptr = load align 8 v10
  v12: i64 = load align 8 v11
  v13: i32 = trunc v12
  v14: i32x4 = vec v4, v5, v9, v13
  v15: ptr = ptradd v1, i64:128
  store align 4 v15, v14
  return
}
"#;
    let four = Type::I32.vector(4).unwrap();
    check_on(&host(), &[whole("calls", &[four], four, text)], OptLevel::O2, 50, Options::default());
}

fn run(module: &Module, name: &str, input: &[u32], opt: OptLevel) -> Vec<u32> {
    let options = Options { entries: &[name], opt, ..Options::default() };
    let jit = llvm::compile(module, &host(), &options).unwrap().jit(&[]).unwrap();
    let mut output = vec![0u32; 64];
    // SAFETY: the test's function stays within the two blocks.
    unsafe { jit.entry(name).unwrap()(input.as_ptr().cast(), output.as_mut_ptr().cast()) };
    output
}

#[test]
fn a_trap_deep_in_calls_leaves_the_work_group_function() {
    let module = parse(
        r#"module "t"
fn @inner(i32) -> i32 noinline {
block0(v0: i32):
  v1: i1 = icmp sgt v0, i32:10
  br v1, block1, block2
block1:
  intrinsic trap
  unreachable
block2:
  v2: i32 = add v0, i32:1
  return v2
}
fn @outer(i32) -> i32 noinline {
block0(v0: i32):
  v1: i32 = call @inner v0
  v2: i32 = mul v1, i32:2
  return v2
}
fn @group(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: i32 = call @outer v2
  v4: ptr = ptradd v1, i64:128
  store align 4 v4, v3
  return
}
"#,
    );
    for opt in [OptLevel::O0, OptLevel::O2] {
        let good = run(&module, "group", &[5], opt);
        assert_eq!((good[20], good[32]), (0, 12));
        let bad = run(&module, "group", &[11], opt);
        assert_eq!((bad[20], bad[32]), (launch::context::trap::TRAP, 0));
    }
}

#[test]
fn functions_and_variables_named_as_the_librarys() {
    let module = parse(
        r#"module "t"
global @fmodf: constant size 4 align 4 elem i32 constant = x07000000

fn @memset(ptr, ptr) noinline {
block0(v0: ptr, v1: ptr):
  store align 4 v0, i32:77
  return
}
fn @f(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  v2: ptr = ptradd v1, i64:128
  v3: i64 = load align 8 v0
  memset align 1 v2, i8:1, v3
  v4: f32 = sitofp v3
  v5: f32 = frem v4, f32:7.0
  v6: i32 = fptosi v5
  v7: ptr = ptradd v1, i64:160
  call @memset v7, v7
  v8: ptr = ptradd v1, i64:164
  v9: i32 = load align 4 @fmodf
  v10: i32 = add v9, v6
  store align 4 v8, v10
  return
}
"#,
    );
    let out = run(&module, "f", &[20, 0], OptLevel::O2);
    assert_eq!(out[32..37], [0x0101_0101; 5]);
    assert_eq!(out[37], 0);
    assert_eq!(out[40..42], [77, 13]);
}

#[test]
fn clocks_printf_and_things_that_do_nothing() {
    extern "C" fn printf(format: *const u8, arguments: *const u8) -> i32 {
        // SAFETY: the test's function passes its own two blocks, which are larger.
        unsafe { i32::from(*format) + i32::from(*arguments) }
    }
    let module = parse(
        r#"module "t"
fn @f(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  v2: i64 = special clock64
  v3: i32 = special clock
  v4: i64 = special globaltimer
  intrinsic nanosleep i32:5
  intrinsic brkpt
  intrinsic async.waitall
  intrinsic prefetch.l1 v0
  v5: i32 = intrinsic vprintf v0, v0
  v6: i1 = intrinsic isspace.global v0
  v7: i1 = intrinsic isspace.shared v0
  assume v6
  v8: i32 = select v7, i32:1, i32:2
  v9: ptr = ptradd v1, i64:128
  v10: i32 = trunc v4
  v11: i32x4 = vec v3, v10, v5, v8
  store align 4 v9, v11
  return
}
"#,
    );
    let options = Options { entries: &["f"], ..Options::default() };
    let compiled = llvm::compile(&module, &host(), &options).unwrap();
    assert!(matches!(compiled.jit(&[]), Err(LlvmError::Load { message }) if message.contains("unspool_rt_printf")));
    let jit = compiled.jit(&[("unspool_rt_printf", printf as *const () as usize)]).unwrap();
    let mut output = [0u32; 64];
    // SAFETY: as in `run`.
    unsafe { jit.entry("f").unwrap()([20u32; 4].as_ptr().cast(), output.as_mut_ptr().cast()) };
    assert!(output[32] != 0 && output[33] != 0, "clocks stand still");
    assert_eq!(output[34..36], [40, 2]);
    assert!(jit.entry("g").is_none());
}

/// Work-group and private memory need no atomics: the type of the pointer tells.
#[test]
fn atomics_on_work_group_memory_are_plain_accesses() {
    let module = parse(
        r#"module "t"
fn @f(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  v2: ptr = ptradd v1, i64:128
  v3: i64 = ptrtoint v2
  v4: ptr<shared> = inttoptr v3
  v5: i32 = atomicrmw add relaxed group v4, i32:5
  v6: i32 = atomicrmw add relaxed group v4, i32:5
  v7: ptr<shared> = ptradd v4, i64:4
  v8: i32 = atomicrmw inc relaxed group v7, i32:5
  v9: i32 = atomicrmw dec relaxed group v7, i32:9
  v10: i32 = atomicrmw dec relaxed group v7, i32:9
  v11: ptr<shared> = ptradd v4, i64:8
  v12: f32 = atomicrmw fadd relaxed group v11, f32:1.5
  v13: ptr<shared> = ptradd v4, i64:12
  v14: i32 = atomiccas relaxed group v13, i32:0, i32:7
  v15: i32 = atomiccas relaxed group v13, i32:0, i32:8
  return
}
"#,
    );
    let out = run(&module, "f", &[0], OptLevel::O2);
    assert_eq!(out[32..36], [10, 9, 1.5f32.to_bits(), 7]);
    let compiled = llvm::compile(&module, &host(), &Options { entries: &["f"], ..Options::default() }).unwrap();
    assert!(!compiled.llvm_ir().contains("atomic"));
}

#[test]
fn many_threads_call_one_loaded_function() {
    let module = parse(
        r#"module "t"
fn @count(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  jump block1(i32:0)
block1(v2: i32):
  v3: ptr = load align 8 v0
  v4: f32 = atomicrmw fadd relaxed device v3, f32:1.0
  v5: i32 = add v2, i32:1
  v6: i1 = icmp slt v5, i32:1000
  br v6, block1(v5), block2
block2:
  return
}
"#,
    );
    let options = Options { entries: &["count"], ..Options::default() };
    let jit = llvm::compile(&module, &host(), &options).unwrap().jit(&[]).unwrap();
    let sum = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                let args = [sum.as_ptr() as usize];
                let mut group = [0u64; 16];
                // SAFETY: the function adds to the word that its argument points to, atomically.
                unsafe { jit.entry("count").unwrap()(args.as_ptr().cast(), group.as_mut_ptr().cast()) };
            });
        }
    });
    assert_eq!(f32::from_bits(sum.into_inner()), 4000.0);
}

fn error(text: &str) -> LlvmError {
    let module = parse(&format!("module \"t\"\n{text}"));
    llvm::compile(&module, &host(), &Options { entries: &["f"], ..Options::default() }).unwrap_err()
}

fn body(inst: &str) -> String {
    format!("fn @f(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  {inst}\n  return\n}}\n")
}

#[test]
fn what_has_no_meaning_on_a_host_is_an_error_with_help() {
    let what = |e: LlvmError| match e {
        LlvmError::Unsupported { what, help, .. } => {
            assert!(!help.is_empty());
            what
        }
        other => panic!("{other}"),
    };
    assert_eq!(what(error(&body("asm \"membar.gl;\" volatile"))), "this inline assembly");
    assert!(what(error(&body("intrinsic barrier i32:0"))).contains("barrier"));
    assert!(what(error(&body("v2: i32 = intrinsic shfl.idx i32:-1, i32:0, i32:1, i32:31"))).contains("shfl.idx"));
    assert!(what(error(&body("intrinsic exit"))).contains("exit"));
    assert!(what(error(&body("v2: i32 = special tid.x"))).contains("%tid.x"));
    assert!(what(error(&format!("declare fn @g()\n{}", body("call @g")))).contains("`g`"));
    assert!(
        what(error(&format!("global @s: shared size 4 align 4 elem i32\n{}", body("store align 4 @s, i32:1"))))
            .contains("work-group variable `s`")
    );
    assert!(
        what(error(&format!("global @s: global size 4 align 4 elem i32 extern\n{}", body("store align 4 @s, i32:1"))))
            .contains("defined elsewhere")
    );
    assert!(what(error("fn @f(i32) {\nblock0(v0: i32):\n  return\n}\n")).contains("no work-group function"));
    assert!(what(error(&body("v2: i32 = atomicrmw fadd relaxed device v0, i32:1"))).contains("atomic `fadd`"));
    assert!(what(error(&body("call @f v0, v1"))).contains("a call of the entry point"));
}

#[test]
fn missing_entries_unknown_processors_and_large_stacks() {
    let module = parse(&body("").replace("fn @f", "fn @g"));
    let options = Options { entries: &["f"], ..Options::default() };
    assert_eq!(llvm::compile(&module, &host(), &options).unwrap_err(), LlvmError::NoEntry { name: "f".to_owned() });
    assert!(matches!(HostMachine::named("pentium-9"), Err(LlvmError::Target { .. })));
    let e = error(
        "fn @f(ptr, ptr) {\n  slot0: size 2000000 align 4\nblock0(v0: ptr, v1: ptr):\n  store align 4 &slot0, i32:1\n  return\n}\n",
    );
    assert!(matches!(e, LlvmError::StackTooLarge { bytes: 2_000_000.., .. }));
    assert_eq!(e.diagnostic().code.to_string(), "E0512");
    assert!(matches!(llvm::Jit::load(b"no object", &[], &[]), Err(LlvmError::Load { .. })));
}

#[test]
fn object_assembly_and_text() {
    let module = parse(CONTROL);
    let options = Options { entries: &["control"], ..Options::default() };
    let compiled = llvm::compile(&module, &host(), &options).unwrap();
    let object = compiled.object().unwrap();
    assert_eq!(object[..4], *b"\x7fELF");
    // A relocatable file for this machine.
    assert_eq!(object[16], 1);
    assert_eq!(object[18], if cfg!(target_arch = "x86_64") { 62 } else { 183 });
    assert!(compiled.assembly().unwrap().contains("control:"));
    assert!(compiled.llvm_ir().contains("define void @control(ptr "));
    assert_eq!(object, compiled.object().unwrap(), "what was emitted first changed what is emitted next");
    let jit = llvm::Jit::load(&object, &["control"], &[]).unwrap();
    assert!(jit.entry("control").is_some());
}

#[test]
fn source_lines_reach_the_object() {
    let mut map = source::SourceMap::default();
    let file = map.add("kernel.cl", "void f(void)\n{\n  x = 1;\n}\n".to_owned()).unwrap();
    let base = map.file(file).base;
    let mut module = parse(&body("store align 4 v1, i32:1"));
    let id = module.find("f").unwrap();
    let f = &mut module.functions[id];
    f.span = source::Span::new(base, base + 4);
    let insts: Vec<_> = f.layout.blocks().flat_map(|b| f.layout.insts(b).collect::<Vec<_>>()).collect();
    f.dfg.set_span(insts[0], source::Span::new(base + 17, base + 18));
    let options = Options { entries: &["f"], debug_lines: Some(&map), ..Options::default() };
    let text = llvm::compile(&module, &host(), &options).unwrap().assembly().unwrap();
    assert!(text.contains("\"kernel.cl\""), "{text}");
    assert!(text.contains("3 3"), "{text}");
}

#[test]
fn results_start_behind_the_context() {
    assert!(OUT as u64 > launch::context::GroupContext::OFFSET_TRAP as u64 + 8);
}
