//! The guess at registers: what takes none, what is scheduled late, what overlaps.

use analysis::registers::estimate;
use analysis::{Cfg, Liveness};
use ir::{AddrSpace, Builder, Flags, FnKind, Function, MemInfo, Opcode, Param, ParamAttrs, Type, Value};

fn kernel(kind: FnKind, params: &[Type]) -> (Function, Vec<Value>) {
    let mut f = Function::new("k", kind);
    let param = |&ty| Param { ty, name: String::new(), attrs: ParamAttrs::default() };
    f.params = params.iter().map(param).collect();
    let entry = f.new_entry_block();
    let p = f.dfg.params(entry).to_vec();
    (f, p)
}

fn guess(f: &Function, free: u32) -> u32 {
    let cfg = Cfg::new(f);
    estimate(f, &cfg, &Liveness::new(f, &cfg), free)
}

/// The result of a new instruction.
fn result(b: &mut Builder<'_>, op: Opcode, ty: Type, args: [Value; 2]) -> Value {
    let i = b.inst(op, ty, Flags::NONE, &args, ir::Payload::None);
    b.func.dfg.result(i).expect("a result")
}

/// The sum of `n` elements, all loaded before the first addition, stored at the end.
fn sum(kind: FnKind, n: i64) -> Function {
    let global = Type::ptr(AddrSpace::Global);
    let (mut f, p) = kernel(kind, &[global, global]);
    let entry = f.layout.entry();
    let mut b = Builder::at_end(&mut f, entry);
    let loads: Vec<Value> = (0..n)
        .map(|k| {
            let distance = b.iconst(Type::I64, 4 * k);
            let address = result(&mut b, Opcode::PtrAdd, global, [p[0], distance]);
            b.load(Type::F32, address, MemInfo::aligned(4), Flags::NONE)
        })
        .collect();
    let total = loads[1..].iter().fold(loads[0], |s, &x| result(&mut b, Opcode::FAdd, Type::F32, [s, x]));
    b.store(p[1], total, MemInfo::aligned(4), Flags::NONE);
    b.ret(None);
    f
}

#[test]
fn loads_overlap_while_registers_are_free_and_wait_where_they_are_not() {
    let many = sum(FnKind::Kernel, 100);
    assert_eq!(guess(&many, 32), 32, "up to the free registers");
    assert_eq!(guess(&many, 64), 64);
    assert!(guess(&many, 10) <= 10, "late loads need few");
    let few = sum(FnKind::Kernel, 4);
    assert!((5..=14).contains(&guess(&few, 32)), "{}", guess(&few, 32));
}

#[test]
fn parameters_of_kernels_take_registers_where_they_are_used() {
    // One pointer is loaded through, then the other is stored through: one pair at a time, and two for a function.
    let (kernel, device) = (sum(FnKind::Kernel, 1), sum(FnKind::Device, 1));
    assert!(guess(&kernel, 255) <= guess(&device, 255));
    let many = (sum(FnKind::Kernel, 64), sum(FnKind::Device, 64));
    assert!(guess(&many.0, 255).abs_diff(guess(&many.1, 255)) <= 4);
}

#[test]
fn an_empty_function_has_its_stack_pointer() {
    let (mut f, _) = kernel(FnKind::Kernel, &[]);
    let entry = f.layout.entry();
    Builder::at_end(&mut f, entry).ret(None);
    assert!((1..=4).contains(&guess(&f, 32)));
}

/// The function in this text, at 64 free registers.
fn of(text: &str) -> u32 {
    let module = ir::parse::parse_module(text).expect("the text is right");
    let f = module.functions.values().next().expect("a function");
    guess(f, 64)
}

/// Eight loads, each stored, behind conditions of their own or not.
fn guarded(guards: bool) -> String {
    let mut text = String::from(
        "kernel @k(ptr<global> \"in\", ptr<global> \"out\", i32 \"n\") {\nblock0(v0: ptr<global>, v1: ptr<global>, v2: i32):\n  \
         v3: i32 = special tid.x\n  v4: i64 = zext v3\n  v5: i64 = shl v4, i64:2\n  v6: ptr<global> = ptradd v0, v5\n",
    );
    let mut n = 10;
    for k in 0..8 {
        let (c, p, x, q) = (n, n + 1, n + 2, n + 3);
        n += 4;
        let access = format!(
            "  v{p}: ptr<global> = ptradd v6, i64:{}\n  v{x}: f32 = load invariant align 4 v{p}\n  v{q}: ptr<global> = ptradd v1, i64:{}\n  \
             store align 4 v{q}, v{x}\n",
            4 * k,
            4 * k
        );
        if guards {
            let (inside, behind) = (2 * k + 1, 2 * k + 2);
            text += &format!(
                "  v{c}: i1 = icmp sgt v3, i32:{k}\n  br v{c}, block{inside}, block{behind}\nblock{inside}:\n"
            );
            text += &access;
            text += &format!("  jump block{behind}\nblock{behind}:\n");
        } else {
            text += &access;
        }
    }
    text + "  return\n}\n"
}

#[test]
fn short_branches_are_predicated_so_that_their_loads_overlap() {
    let (with, without) = (of(&guarded(true)), of(&guarded(false)));
    assert!(with + 4 >= without && with >= 14, "{with} behind conditions, {without} without");
}

/// A loop that adds elements, in steps of a constant or of a parameter.
fn adding(step: &str, hint: &str) -> String {
    format!(
        "kernel @k(ptr<global> \"in\", ptr<global> \"out\", i32 \"n\") {{\n  loop0: {hint}must_progress\n\
         block0(v0: ptr<global>, v1: ptr<global>, v2: i32):\n  v3: i32 = special tid.x\n  jump block1(v3, f32:0.0)\n\
         block1(v4: i32, v5: f32):\n  v6: i64 = sext v4\n  v7: i64 = shl v6, i64:2\n  v8: ptr<global> = ptradd v0, v7\n  \
         v9: f32 = load align 4 v8\n  v10: f32 = fadd v5, v9\n  v11: i32 = add v4, {step}\n  v12: i1 = icmp slt v11, v2\n  \
         br v12, block1(v11, v10), block2 !loop0\nblock2:\n  store align 4 v1, v10\n  return\n}}\n"
    )
}

#[test]
fn counted_loops_run_four_rounds_at_once_unless_that_is_forbidden() {
    let (four, kept) = (of(&adding("i32:1", "")), of(&adding("i32:1", "nounroll ")));
    assert!(four >= kept + 2, "{four} and {kept}");
    assert_eq!(of(&adding("v2", "")), kept, "the step is not a constant");
}

#[test]
fn long_straight_code_takes_no_long_time() {
    let start = std::time::Instant::now();
    let long = sum(FnKind::Kernel, 30_000);
    assert!(guess(&long, 32) >= 8);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn an_assertion_that_fails_is_a_call() {
    let stops = |flags: Flags| {
        let (mut f, _) = kernel(FnKind::Kernel, &[]);
        let entry = f.layout.entry();
        let mut b = Builder::at_end(&mut f, entry);
        let i = b.inst(Opcode::Intrinsic, Type::VOID, flags, &[], ir::Payload::Intrinsic(ir::Intrinsic::Trap));
        assert!(b.func.dfg.result(i).is_none());
        b.ret(None);
        guess(&f, 32)
    };
    assert_eq!(stops(Flags::ASSERTION), 24);
    assert!(stops(Flags::NONE) < 24);
}

/// Eight integers of 64 bits, of which `kept` is kept over a loop and `stored` is written.
fn over_a_loop(kept: &str, stored: &str, ty: &str) -> u32 {
    let mut text = String::from(
        "kernel @k(ptr<global> \"in\", ptr<global> \"out\") {\nblock0(v0: ptr<global>, v1: ptr<global>):\n  \
         v2: i32 = special tid.x\n  v3: i64 = zext v2\n  v4: i64 = shl v3, i64:8\n  v5: ptr<global> = ptradd v0, v4\n  \
         v6: ptr<global> = ptradd v1, v4\n",
    );
    for k in 0..8 {
        let (p, x, y) = (10 + 10 * k, 11 + 10 * k, 12 + 10 * k);
        text += &format!("  v{p}: ptr<global> = ptradd v5, i64:{}\n  v{x}: i64 = load align 8 v{p}\n", 8 * k);
        text += &format!("  v{y}: i64 = {kept} v{x}, i64:5\n");
    }
    text += "  jump block1(i32:0)\nblock1(v200: i32):\n  v201: i32 = add v200, v2\n  v202: i1 = icmp slt v201, i32:1000\n  \
             br v202, block1(v201), block2\nblock2:\n";
    for k in 0..8 {
        let (q, y, z) = (13 + 10 * k, 12 + 10 * k, 14 + 10 * k);
        text += &format!("  v{q}: ptr<global> = ptradd v6, i64:{}\n  v{z}: {ty} = {stored}\n", 8 * k)
            .replace("V", &format!("v{y}"));
        text += &format!("  store align {} v{q}, v{z}\n", if ty == "i64" { 8 } else { 4 });
    }
    of(&(text + "  return\n}\n"))
}

#[test]
fn upper_words_that_are_zero_or_not_read_take_no_register() {
    let both = over_a_loop("mul", "add V, i64:1", "i64");
    let zero = over_a_loop("and", "add V, i64:1", "i64");
    let unread = over_a_loop("mul", "trunc V", "i32");
    assert!(zero < both, "{zero} with upper words that are zero, {both} with both");
    assert!(unread + 4 <= both, "{unread} with upper words that nothing reads, {both} with both");
    // The bound of a sum of bits has 64 of them itself.
    let large = over_a_loop("and", "or V, i64:9223372036854775807", "i64");
    assert!(large >= zero, "{large} with upper words of a constant, {zero} with upper words that are zero");
}

#[test]
fn numbers_of_groups_stay_in_registers_where_they_are_scaled() {
    let kernel = |index: &str| {
        let mut text = String::from(
            "kernel @k(ptr<global> \"out\") {\nblock0(v0: ptr<global>):\n  v1: i32 = special tid.x\n  v2: i32 = special ctaid.x\n  \
             v3: i32 = special ctaid.y\n  v4: i32 = special ctaid.z\n  v90: i32 = special ntid.x\n",
        );
        let mut sum = 1;
        for k in 0..6 {
            let (a, b) = (10 + 2 * k, 11 + 2 * k);
            text += &format!("  v{a}: i32 = {index}\n  v{b}: i32 = add v{sum}, v{a}\n")
                .replace("V", &format!("v{}", 2 + k % 3));
            text += if k == 2 { "  intrinsic barrier i32:0\n" } else { "" };
            sum = b;
        }
        let end = format!(
            "  v80: i64 = sext v{sum}\n  v81: i64 = shl v80, i64:2\n  v82: ptr<global> = ptradd v0, v81\n  store align 4 v82, v{sum}\n  \
             return\n}}\n"
        );
        of(&(text + &end))
    };
    let (scaled, uniform) = (kernel("shl V, i32:9"), kernel("mul V, v90"));
    assert!(
        scaled > uniform,
        "{scaled} where they are shifted, {uniform} where they are multiplied with a uniform number"
    );
}

#[test]
fn loops_that_were_unrolled_before_run_more_rounds_at_once_only_if_they_load_from_device_memory() {
    let shared = |step: &str| of(&adding(step, "").replace("ptr<global>", "ptr<shared>"));
    assert!(shared("i32:4") < shared("i32:1"), "{} and {}", shared("i32:4"), shared("i32:1"));
    assert_eq!(of(&adding("i32:4", "")), of(&adding("i32:1", "")));
}

#[test]
fn words_out_of_bytes_are_made_one_after_the_other_where_registers_are_few() {
    let mut text = String::from(
        "kernel @k(ptr<global> \"in\", ptr<global> \"out\") {\nblock0(v0: ptr<global>, v1: ptr<global>):\n  v2: i32 = special tid.x\n  \
         v3: i64 = zext v2\n  v4: i64 = shl v3, i64:6\n  v5: ptr<global> = ptradd v1, v4\n",
    );
    for k in 0..64 {
        let (p, x) = (100 + 2 * k, 101 + 2 * k);
        text += &format!("  v{p}: ptr<global> = ptradd v0, i64:{k}\n  v{x}: i8 = load align 1 v{p}\n");
    }
    for w in 0..16 {
        let mut all = String::new();
        for b in 0..4 {
            let (z, s, o) = (300 + 16 * w + 3 * b, 301 + 16 * w + 3 * b, 302 + 16 * w + 3 * b);
            text += &format!("  v{z}: i32 = zext v{}\n  v{s}: i32 = shl v{z}, i32:{}\n", 101 + 2 * (4 * w + b), 8 * b);
            text += &if b == 0 { String::new() } else { format!("  v{o}: i32 = or {all}, v{s}\n") };
            all = if b == 0 { format!("v{s}") } else { format!("v{o}") };
        }
        let q = 313 + 16 * w;
        text += &format!("  v{q}: ptr<global> = ptradd v5, i64:{}\n  store align 4 v{q}, {all}\n", 4 * w);
    }
    let module = ir::parse::parse_module(&(text + "  return\n}\n")).expect("the text is right");
    let f = module.functions.values().next().expect("a function");
    assert!(guess(f, 32) <= 32, "{}", guess(f, 32));
}

/// `count` values that live through `between`.
fn through(count: i32, between: &str) -> String {
    let mut text = String::from(
        "kernel @k(ptr<global> \"in\", ptr<global> \"out\") {\nblock0(v0: ptr<global>, v1: ptr<global>):\n  \
         v2: i32 = special tid.x\n  v3: i64 = zext v2\n  v4: i64 = shl v3, i64:9\n  v5: ptr<global> = ptradd v0, v4\n",
    );
    for k in 0..count {
        let (p, x) = (10 + 3 * k, 11 + 3 * k);
        text += &format!("  v{p}: ptr<global> = ptradd v5, i64:{}\n  v{x}: f32 = load align 4 v{p}\n", 4 * k);
    }
    text += &format!("  {between}\n");
    for k in 0..count {
        let (x, q) = (11 + 3 * k, 12 + 3 * k);
        text += &format!("  v{q}: ptr<global> = ptradd v1, i64:{}\n  store align 4 v{q}, v{x}\n", 4 * k);
    }
    text + "  return\n}\n"
}

#[test]
fn what_lives_through_a_call_stands_above_what_callees_may_write() {
    let call = |n| of(&(through(n, "call @f") + "fn @f() {\nblock0():\n  return\n}\n"));
    let barrier = |n| of(&through(n, "intrinsic barrier i32:0"));
    assert_eq!(call(2), 24, "conventions");
    assert_eq!((call(8), call(12)), (28, 32));
    assert!(barrier(8) < call(8), "{} without a call", barrier(8));
}

#[test]
fn a_function_comes_below_a_limit_where_its_registers_leave_no_gaps() {
    // The values, the stack pointer and two.
    let text = |n| through(n, "intrinsic barrier i32:0");
    let at_32 = |n| {
        let module = ir::parse::parse_module(&text(n)).expect("the text is right");
        guess(module.functions.values().next().expect("a function"), 32)
    };
    assert_eq!(at_32(43), 48);
    assert!(at_32(50) > 48, "{}", at_32(50));
}

/// A loop that changes four numbers by `change`, in which `V` is the number and `U` one that is the same for all.
fn changing(uniform: &str, change: &str) -> u32 {
    let mut text = String::from(
        "kernel @k(ptr<global> \"out\", i32 \"a\", i32 \"b\", i32 \"c\", i32 \"d\") {\n  loop0: nounroll must_progress\n\
         block0(v0: ptr<global>, v1: i32, v2: i32, v3: i32, v4: i32):\n  v5: i32 = special tid.x\n  v6: i32 = special tid.y\n  \
         v7: i32 = special ntid.x\n",
    );
    for k in 0..4 {
        text += &format!("  v{}: i32 = {}\n", 10 + k, uniform.replace('P', &format!("v{}", 1 + k)));
    }
    text += "  jump block1(v5, v6, v5, v6)\nblock1(v20: i32, v21: i32, v22: i32, v23: i32):\n";
    for k in 0..4 {
        let change = change.replace('V', &format!("v{}", 20 + k)).replace('U', &format!("v{}", 10 + k));
        text += &format!("  v{}: i32 = {change}\n", 30 + k);
    }
    text += "  v40: i1 = icmp slt v30, v1\n  br v40, block1(v30, v31, v32, v33), block2 !loop0\nblock2:\n";
    for k in 0..4 {
        text += &format!(
            "  v{}: ptr<global> = ptradd v0, i64:{}\n  store align 4 v{}, v{}\n",
            50 + k,
            4 * k,
            50 + k,
            30 + k
        );
    }
    of(&(text + "  return\n}\n"))
}

#[test]
fn a_product_that_is_the_same_for_all_keeps_a_factor_in_a_register_where_each_thread_adds_to_it() {
    // One instruction is both, and one of its operands at most is no register.
    let (sum, product) = (changing("add P, v7", "add V, U"), changing("mul P, v3", "add V, U"));
    assert!(sum + 2 <= product, "{sum} with sums, {product} with products");
}

#[test]
fn divisors_that_are_the_same_for_all_stand_in_registers() {
    let (constant, same) = (changing("add P, v7", "sdiv V, i32:7"), changing("add P, v7", "sdiv V, U"));
    assert!(constant + 2 <= same, "{constant} with constants, {same} with numbers that are the same for all");
}

#[test]
fn so_many_loads_of_shared_memory_run_ahead_as_hide_the_latency() {
    let mut text = String::from(
        "kernel @k(ptr<shared> \"in\", ptr<global> \"out\") {\nblock0(v0: ptr<shared>, v1: ptr<global>):\n  v2: i32 = special tid.x\n  \
         v3: i64 = zext v2\n  v4: i64 = shl v3, i64:8\n  v5: ptr<shared> = ptradd v0, v4\n",
    );
    let mut sum = String::from("f32:0.0");
    for k in 0..60 {
        let (p, x, s) = (10 + 3 * k, 11 + 3 * k, 12 + 3 * k);
        text += &format!("  v{p}: ptr<shared> = ptradd v5, i64:{}\n  v{x}: f32 = load align 4 v{p}\n", 4 * k);
        text += &format!("  v{s}: f32 = fadd {sum}, v{x}\n");
        sum = format!("v{s}");
    }
    text += &format!("  store align 4 v1, {sum}\n  return\n}}\n");
    let (shared, global) = (of(&text), of(&text.replace("ptr<shared>", "ptr<global>")));
    assert!((16..=30).contains(&shared), "{shared}");
    assert!(global >= 60, "{global}");
}

/// Eight numbers that are loaded, changed and stored again, one after the other, with `between` behind each store.
fn in_turns(between: &str) -> u32 {
    let mut text = String::from(
        "kernel @k(ptr<global> \"out\") {\nblock0(v0: ptr<global>):\n  v1: i32 = special tid.x\n  v2: i64 = zext v1\n  \
         v3: i64 = shl v2, i64:2\n  v4: ptr<global> = ptradd v0, v3\n",
    );
    for k in 0..8 {
        let (x, y) = (10 + 2 * k, 11 + 2 * k);
        text += &format!(
            "  v{x}: i32 = load align 4 v4\n  v{y}: i32 = add v{x}, i32:1\n  store align 4 v4, v{y}\n{between}"
        );
    }
    of(&(text + "  return\n}\n"))
}

#[test]
fn what_was_stored_keeps_its_register_for_four_stores_or_until_a_barrier() {
    let (turns, barriers) = (in_turns(""), in_turns("  intrinsic barrier i32:0\n"));
    assert!(barriers + 2 <= turns, "{turns}, with barriers {barriers}");
}

#[test]
fn a_quotient_of_floats_takes_registers_beside_it_unless_it_may_be_rough() {
    let quotient = |flags: &str| {
        let mut text = String::from(
            "kernel @k(ptr<global> \"out\") {\nblock0(v0: ptr<global>):\n  v1: i32 = special tid.x\n  v2: i64 = zext v1\n  \
             v3: i64 = shl v2, i64:2\n  v4: ptr<global> = ptradd v0, v3\n",
        );
        for k in 0..4 {
            text += &format!(
                "  v{}: ptr<global> = ptradd v4, i64:{}\n  v{}: f32 = load align 4 v{}\n",
                10 + k,
                4 * k,
                20 + k,
                10 + k
            );
        }
        for k in 0..4 {
            text += &format!("  v{}: f32 = fdiv{flags} v{}, v{}\n", 30 + k, 20 + k, 20 + (k + 1) % 4);
        }
        for k in 0..4 {
            text += &format!("  store align 4 v{}, v{}\n", 10 + k, 30 + k);
        }
        of(&(text + "  return\n}\n"))
    };
    assert!(quotient(" afn") < quotient(""), "{} and {}", quotient(" afn"), quotient(""));
}

#[test]
fn a_choice_waits_for_its_condition() {
    // Thirty words out of a table, each taken where a bit is set: they are not all under way at once.
    let mut text = String::from(
        "global @t: constant size 124 align 4\nkernel @k(ptr<global> \"out\", i32 \"bits\") {\nblock0(v0: ptr<global>, v1: i32):\n  \
         v2: i32 = special tid.x\n  v3: i32 = add v1, v2\n  v4: i64 = zext v2\n  v5: ptr<constant> = ptradd @t, v4\n",
    );
    let mut sum = String::from("i32:0");
    for k in 0..30 {
        let (m, c, p, x, s, to) = (10 + 6 * k, 11 + 6 * k, 12 + 6 * k, 13 + 6 * k, 14 + 6 * k, 15 + 6 * k);
        let (inside, behind) = (2 * k + 1, 2 * k + 2);
        text += &format!(
            "  v{m}: i32 = and v3, i32:{}\n  v{c}: i1 = icmp ne v{m}, i32:0\n  br v{c}, block{inside}, block{behind}({sum})\n\
             block{inside}:\n  v{p}: ptr<constant> = ptradd v5, i64:{}\n  v{x}: i32 = load invariant align 4 v{p}\n  \
             v{s}: i32 = xor {sum}, v{x}\n  jump block{behind}(v{s})\nblock{behind}(v{to}: i32):\n",
            1 << k,
            4 * k
        );
        sum = format!("v{to}");
    }
    text += &format!(
        "  v500: i64 = shl v4, i64:2\n  v501: ptr<global> = ptradd v0, v500\n  store align 4 v501, {sum}\n  return\n}}\n"
    );
    let found = of(&text);
    assert!((16..=30).contains(&found), "{found}");
}

#[test]
fn what_a_warp_adds_to_one_place_is_joined_in_registers() {
    let adding = |place: &str| {
        of(&format!(
            "kernel @k(ptr<global> \"out\") {{\nblock0(v0: ptr<global>):\n  v1: i32 = special tid.x\n  v2: i64 = zext v1\n  \
             v3: i64 = shl v2, i64:2\n  v4: ptr<global> = ptradd v0, v3\n  v5: i32 = load align 4 v4\n  \
             v6: i32 = atomicrmw add relaxed device {place}, v5\n  return\n}}\n"
        ))
    };
    assert!(adding("v4") + 2 <= adding("v0"), "{} and {}", adding("v4"), adding("v0"));
}
