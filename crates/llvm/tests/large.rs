//! Functions that are so long that LLVM's cost must be bounded: they are cut into pieces, or made in cheaper ways, and
//! compute the same.

mod common;

use common::{Case, check_on, parse};
use ir::Type;
use llvm::{Effort, HostMachine, OptLevel, Options};

/// `length` operations in a row.
fn chain(name: &str, length: usize) -> Case {
    let mut body = String::new();
    for n in 0..length {
        let from = if n == 0 { "va".to_owned() } else { format!("v{}", 1000 + n - 1) };
        let (op, with) = [("add", "vb"), ("xor", "va"), ("mul", "i32:5")][n % 3];
        body += &format!("  v{}: i32 = {op} {from}, {with}\n", 1000 + n);
    }
    // The helper names values by numbers anew, one after another, which takes too long here.
    let last = 1000 + length - 1;
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n{}  v5: ptr = ptradd v1, i64:128\n  store align 4 v5, v{last}\n  return\n}}\n",
        body.replace("va", "v2").replace("vb", "v4")
    );
    Case {
        name: name.to_owned(),
        body: text,
        inputs: vec![Type::I32, Type::I32],
        output: Type::I32,
        compare: common::Compare::Exact,
        undefined: false,
    }
}

/// A `switch` of as many cases, whose values meet again.
fn meeting(name: &str, cases: usize) -> Case {
    let table: Vec<String> = (0..cases).map(|n| format!("{n}: block1(i32:{}, v5)", n * 7919 % 10007)).collect();
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n  v5: i32 = and v4, i32:4095\n  switch v5, [{}], block1(v2, v4)\n\
         block1(v6: i32, v7: i32):\n  v8: i32 = xor v6, v7\n  v9: ptr = ptradd v1, i64:128\n  store align 4 v9, v8\n  \
         return\n}}\n",
        table.join(", ")
    );
    Case { body: text, ..chain(name, 1) }
}

fn compiled(case: &Case) -> llvm::Compiled {
    let module = parse(&format!("module \"t\"\nmath prec_div prec_sqrt fmad\n{}", case.body));
    let options = Options { entries: &[&case.name], ..Options::default() };
    llvm::compile(&module, &HostMachine::detect().unwrap(), &options).unwrap()
}

#[test]
fn long_blocks_are_cut_into_pieces_and_others_are_not() {
    let pieces = |case: &Case| compiled(case).llvm_ir().matches(" asm ").count();
    let (short, long) = (chain("short", 1500), chain("long", 4500));
    assert_eq!((pieces(&short), pieces(&long)), (0, 17));
    let host = HostMachine::detect().unwrap();
    for opt in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        check_on(&host, &[chain("short", 1500), chain("long", 4500)], opt, 20, Options::default());
    }
}

#[test]
fn effort_falls_with_size_and_results_stay() {
    let cases = [
        (chain("full", 3_000), Effort::Full),
        (chain("quick", Effort::MAX_FULL), Effort::Quick),
        (chain("least", Effort::MAX_QUICK), Effort::Least),
    ];
    for (case, effort) in cases {
        let compiled = compiled(&case);
        assert_eq!(compiled.effort(), effort, "{}", case.name);
        assert_eq!(compiled.llvm_ir().contains("optnone"), effort == Effort::Quick, "{}", case.name);
        check_on(&HostMachine::detect().unwrap(), &[case], OptLevel::O2, 2, Options::default());
    }
}

#[test]
fn many_edges_meet_in_groups_where_llvm_passes_over_the_function() {
    let many = meeting("many", Effort::MAX_MEETING as usize + 200);
    let compiled = compiled(&many);
    assert_eq!(compiled.effort(), Effort::Quick);
    let ir = compiled.llvm_ir();
    let widest = ir.lines().filter(|l| l.contains(" phi ")).map(|l| l.matches('[').count()).max();
    assert!(widest.is_some_and(|n| n <= 128), "{widest:?}");
    let host = HostMachine::detect().unwrap();
    check_on(&host, &[many, meeting("few", 300)], OptLevel::O2, 300, Options::default());
}

/// `count` numbers `n + k` computed at the beginning, each used in a block of its own.
fn held(name: &str, count: usize) -> Case {
    let mut body = String::new();
    for k in 0..count {
        body += &format!("  v{}: i32 = add v2, i32:{}\n", 10 + k, 3 * k + 1);
    }
    let mut last = "v4".to_owned();
    for k in 0..count {
        let v = 10 + count + 4 * k;
        let (when, then) = (2 * k + 1, 2 * k + 2);
        body += &format!("  v{v}: i1 = icmp ugt v4, i32:{}\n  br v{v}, block{when}, block{then}({last})\n", k * 50);
        body += &format!("block{when}:\n  v{}: i32 = mul {last}, v{}\n", v + 1, 10 + k);
        body += &format!("  v{}: i32 = udiv v{}, i32:3\n  jump block{then}(v{})\n", v + 2, v + 1, v + 2);
        body += &format!("block{then}(v{}: i32):\n", v + 3);
        last = format!("v{}", v + 3);
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n{body}  v5: ptr = ptradd v1, i64:128\n  store align 4 v5, {last}\n  return\n}}\n"
    );
    Case { body: text, ..chain(name, 1) }
}

#[test]
fn hundreds_of_sums_of_one_number_are_computed_where_they_are_used() {
    let sums_at_begin = |case: &Case| {
        let ir = compiled(case).llvm_ir();
        let begin = ir.split(" br ").next().unwrap_or_default();
        begin.matches(" add ").count()
    };
    let (few, many) = (held("few", 20), held("many", 200));
    assert!(sums_at_begin(&few) >= 19);
    assert!(sums_at_begin(&many) <= 2);
    let host = HostMachine::detect().unwrap();
    for opt in [OptLevel::O0, OptLevel::O2, OptLevel::O3] {
        check_on(&host, &[few.clone(), many.clone()], opt, 50, Options::default());
    }
}

/// As many times in a row one of three operations on a number, by what it is.
fn web(name: &str, count: usize) -> Case {
    let mut body = String::new();
    let mut last = "v4".to_owned();
    for k in 0..count {
        let (v, b) = (10 + 5 * k, 4 * k);
        let [one, two, three, next] = [b + 1, b + 2, b + 3, b + 4];
        body += &format!("  v{v}: i32 = and {last}, i32:3\n");
        body += &format!("  switch v{v}, [0: block{one}, 1: block{two}], block{three}\n");
        for (n, (block, op)) in [(one, "add"), (two, "xor"), (three, "mul")].into_iter().enumerate() {
            let (r, with) = (v + 1 + n, if op == "add" { "v2".to_owned() } else { format!("i32:{}", 2 * k + 3) });
            body += &format!("block{block}:\n  v{r}: i32 = {op} {last}, {with}\n  jump block{next}(v{r})\n");
        }
        body += &format!("block{next}(v{}: i32):\n", v + 4);
        last = format!("v{}", v + 4);
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n{body}  v5: ptr = ptradd v1, i64:128\n  store align 4 v5, {last}\n  return\n}}\n"
    );
    Case { body: text, ..chain(name, 1) }
}

#[test]
fn switches_in_a_row_do_not_all_share_one_register() {
    let cuts = |case: &Case| compiled(case).llvm_ir().matches("load volatile").count();
    let (few, many) = (web("few", 100), web("many", 600));
    assert_eq!(cuts(&few), 0);
    assert!((10..30).contains(&cuts(&many)), "{}", cuts(&many));
    check_on(&HostMachine::detect().unwrap(), &[few, many], OptLevel::O2, 50, Options::default());
}

/// As many times in a row one of two operations on a vector, or none, by bits of a number.
fn web_of_vectors(name: &str, count: usize) -> Case {
    let mut body = "  v5: i32x4 = splat v4\n".to_owned();
    let mut last = "v5".to_owned();
    for k in 0..count {
        let (v, b) = (10 + 6 * k, 4 * k);
        let [one, two, three, next] = [b + 1, b + 2, b + 3, b + 4];
        body += &format!("  v{v}: i32 = lshr v2, i32:{}\n  v{}: i32 = and v{v}, i32:3\n", k % 29, v + 1);
        body += &format!("  switch v{}, [0: block{one}, 1: block{two}], block{three}\n", v + 1);
        for (n, (block, op)) in [(one, "add"), (two, "xor")].into_iter().enumerate() {
            let r = v + 2 + n;
            body +=
                &format!("block{block}:\n  v{r}: i32x4 = {op} {last}, i32x4:{}\n  jump block{next}(v{r})\n", 2 * k + 3);
        }
        body += &format!("block{three}:\n  jump block{next}({last})\n");
        body += &format!("block{next}(v{}: i32x4):\n", v + 5);
        last = format!("v{}", v + 5);
    }
    let end = 10 + 6 * count;
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n{body}  v{end}: i32 = extract lane 1 {last}\n  v{}: ptr = ptradd v1, i64:128\n  \
         store align 4 v{}, v{end}\n  return\n}}\n",
        end + 1,
        end + 1
    );
    Case { body: text, ..chain(name, 1) }
}

/// Those of vectors stayed whole, which took the allocator as long.
#[test]
fn webs_of_vectors_were_not_cut() {
    let cuts = |case: &Case| {
        let ir = compiled(case).llvm_ir();
        ir.lines().filter(|l| l.contains("load volatile <4 x i32>")).count()
    };
    let (few, many) = (web_of_vectors("few", 100), web_of_vectors("many", 600));
    assert_eq!(cuts(&few), 0);
    assert!((10..30).contains(&cuts(&many)), "{}", cuts(&many));
    check_on(&HostMachine::detect().unwrap(), &[few, many], OptLevel::O2, 50, Options::default());
}

#[test]
fn what_a_thousand_blocks_use_was_walked_through_for_each_copy() {
    let loads = |case: &Case| compiled(case).llvm_ir().matches("load volatile").count();
    let (few, many) = (web("few", 900), web("many", 1100));
    assert!(loads(&few) < 100, "{}", loads(&few));
    assert!(loads(&many) > 1100, "{}", loads(&many));
    check_on(&HostMachine::detect().unwrap(), &[many], OptLevel::O2, 50, Options::default());
}

/// As many loops in a row, each a block, around steps with one number, to one end.
fn loops(name: &str, count: usize) -> Case {
    let mut body = String::new();
    let mut last = "v4".to_owned();
    for k in 0..count {
        let (v, block) = (10 + 6 * k, 1 + k);
        let [j, s, product, next, after, more] = [v, v + 1, v + 2, v + 3, v + 4, v + 5];
        body += &format!("  jump block{block}(i32:0, {last})\nblock{block}(v{j}: i32, v{s}: i32):\n");
        body += &format!("  v{product}: i32 = mul v{s}, i32:{}\n  v{next}: i32 = xor v{product}, v2\n", 2 * k + 3);
        body += &format!("  v{after}: i32 = add v{j}, i32:1\n  v{more}: i1 = icmp ule v{after}, v5\n");
        body += &format!("  br v{more}, block{block}(v{after}, v{next}), block{}\nblock{}:\n", 9000 + k, 9000 + k);
        last = format!("v{next}");
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n  v5: i32 = and v4, i32:3\n{body}  v6: ptr = ptradd v1, i64:128\n  store align 4 v6, {last}\n  \
         return\n}}\n"
    );
    Case { body: text, ..chain(name, 1) }
}

/// Their end was another in each iteration for all that LLVM knew: 1280 loops took it seven times as long as 960.
#[test]
fn what_a_thousand_loops_use_was_loaded_in_each_iteration() {
    let (few, many) = (loops("few", 900), loops("many", 1100));
    let ir = compiled(&many).llvm_ir();
    let name = |text: &str| text.split([':', ',', ' ', '\n']).next().unwrap_or_default().to_owned();
    let is_loop = |block: &&str| block.split("label %").skip(1).any(|to| name(to) == name(block));
    let own: Vec<&str> = ir.split("\n\n").filter(is_loop).collect();
    assert_eq!(own.len(), 1100);
    // Of a web of phis some go through memory in a block of their own.
    let loading = own.iter().find(|b| b.contains("load volatile") && !b.contains("store volatile"));
    assert!(loading.is_none(), "{loading:?}");
    assert!(ir.matches("load volatile").count() >= 2 * 1099, "{}", ir.matches("load volatile").count());
    check_on(&HostMachine::detect().unwrap(), &[few, many], OptLevel::O2, 50, Options::default());
}

#[test]
fn calls_that_were_left_stay_whatever_was_asked_for() {
    let helper = "fn @helper(i32) -> i32 alwaysinline {\nblock0(v0: i32):\n  v1: i32 = mul v0, v0\n  return v1\n}\n";
    let caller = "fn @caller(ptr, ptr) {\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  \
                  v3: i32 = call @helper v2\n  v4: i32 = call @helper v3\n  v5: ptr = ptradd v1, i64:128\n  \
                  store align 4 v5, v4\n  return\n}\n";
    let case = Case { body: format!("{helper}{caller}"), ..chain("caller", 1) };
    let ir = compiled(&case).llvm_ir();
    assert_eq!(ir.matches("call i32 @unspool.fn.helper").count(), 2, "{ir}");
    let case = Case { inputs: vec![Type::I32], ..case };
    check_on(&HostMachine::detect().unwrap(), &[case], OptLevel::O2, 20, Options::default());
}

/// As many pairs of a load and a store, any of which may be of the same memory.
#[cfg(target_os = "linux")]
fn accesses(name: &str, pairs: usize) -> Case {
    let mut body = String::new();
    for n in 0..pairs {
        let v = 10 + 5 * n;
        body += &format!(
            "  v{v}: i64 = mul v3, i64:{}\n  v{}: ptr = ptradd v1, v{v}\n  v{}: i32 = load align 4 v{}\n  \
             v{}: ptr = ptradd v{}, i64:{}\n  store align 4 v{}, v{}\n",
            4 * n + 4,
            v + 1,
            v + 2,
            v + 1,
            v + 3,
            v + 1,
            4 * n,
            v + 3,
            v + 2
        );
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v3: i64 = load align 8 v0\n{body}  return\n}}\n"
    );
    Case { body: text, ..chain(name, 1) }
}

/// Nanoseconds of processor time that this thread has had.
#[cfg(target_os = "linux")]
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap()
}

// A CLSmith program of 57 KB took LLVM's scheduler 11 of its 12 seconds.
#[cfg(target_os = "linux")]
#[test]
fn a_block_of_many_accesses_takes_time_as_its_length() {
    takes_time_as_its_length(&accesses("accesses", 98), &accesses("accesses", 390));
}

/// What only the end of a long block uses was moved there, all of it: the pieces were empty, and five nested loops with hints to
/// unroll took minutes.
#[test]
fn pieces_of_a_chain_that_only_its_end_uses_were_empty() {
    let text = compiled(&chain("chain", 9000)).llvm_ir();
    let blocks = text.split("\n\n").map(|b| b.lines().filter(|l| l.contains(" = mul ")).count());
    assert!(blocks.clone().max() < Some(500), "{:?}", blocks.collect::<Vec<_>>());
}

/// A loop around as many steps of `s += a * i + a`, which strength reduction wrote as one sum of all.
fn sums(name: &str, steps: usize) -> Case {
    let mut body = String::new();
    for n in 0..steps {
        let v = 100 + 3 * n;
        let from = if n == 0 { "v10".to_owned() } else { format!("v{}", v - 1) };
        body += &format!(
            "  v{v}: i32 = mul v11, i32:{}\n  v{}: i32 = add v2, v{v}\n  v{}: i32 = add {from}, v{}\n",
            n + 2,
            v + 1,
            v + 2,
            v + 1
        );
    }
    let last = 100 + 3 * steps - 1;
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  jump block1(v2, i32:0)\n\
         block1(v10: i32, v11: i32):\n{body}  v12: i32 = add v11, i32:1\n  v13: i1 = icmp ult v12, i32:9\n  \
         br v13, block1(v{last}, v12), block2\nblock2:\n  v14: ptr = ptradd v1, i64:128\n  store align 4 v14, v{last}\n  \
         return\n}}\n"
    );
    Case { body: text, inputs: vec![Type::I32], ..chain(name, 1) }
}

#[test]
fn long_sums_are_cut_and_short_ones_are_not() {
    let cuts = |case: &Case| compiled(case).llvm_ir().matches(" = freeze ").count();
    assert_eq!(cuts(&sums("short", 20)), 0);
    assert!(cuts(&sums("long", 400)) >= 400 / 32);
    let host = HostMachine::detect().unwrap();
    check_on(&host, &[sums("short", 20), sums("long", 400)], OptLevel::O2, 20, Options::default());
}

#[cfg(target_os = "linux")]
fn time_of_object(case: &Case) -> u64 {
    let before = processor_time();
    compiled(case).object().unwrap();
    processor_time() - before
}

/// Machine code for a case and for one four times as long, in turns, the least of the rounds: with the square of the length it would
/// be 16 times. Where other tests take the processor there are more rounds: the least of five rounds of one and then of the other was 10.2 times as much once.
#[cfg(target_os = "linux")]
fn takes_time_as_its_length(short: &Case, long: &Case) {
    let mut least = [u64::MAX; 2];
    for _ in 0..20 {
        least = [least[0].min(time_of_object(short)), least[1].min(time_of_object(long))];
        if least[1] < 10 * least[0] {
            return;
        }
    }
    panic!("four times the length: {} ns, then {} ns", least[0], least[1]);
}

// Five nested loops of 1000 with hints to unroll took more than 30 seconds.
#[cfg(target_os = "linux")]
#[test]
fn a_long_sum_in_a_loop_takes_time_as_its_length() {
    takes_time_as_its_length(&sums("sums", 500), &sums("sums", 2000));
}

// 20,000 cases took LLVM's coalescer 20 seconds, 2000 half a second.
#[cfg(target_os = "linux")]
#[test]
fn a_switch_takes_time_as_its_cases() {
    takes_time_as_its_length(&meeting("meeting", 4000), &meeting("meeting", 16_000));
}

/// As many choices in a row between two vectors, each by one condition for all lanes.
fn choices(name: &str, count: usize) -> Case {
    let mut body = "  v5: i32x8 = splat v2\n".to_owned();
    let mut last = "v5".to_owned();
    for k in 0..count {
        let v = 10 + 4 * k;
        body += &format!("  v{v}: i1 = icmp ugt v4, i32:{}\n  v{}: i32x8 = add {last}, v5\n", k * 50, v + 1);
        body += &format!("  v{}: i32x8 = mul {last}, i32x8:3\n", v + 2);
        body += &format!("  v{}: i32x8 = select v{v}, v{}, v{}\n", v + 3, v + 1, v + 2);
        last = format!("v{}", v + 3);
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n{body}  v6: i32 = extract lane 5 {last}\n  v7: ptr = ptradd v1, i64:128\n  \
         store align 4 v7, v6\n  return\n}}\n"
    );
    Case { body: text, ..chain(name, 1) }
}

#[test]
fn hundreds_of_choices_between_vectors_by_one_condition_are_no_branches() {
    let branches = |case: &Case| compiled(case).llvm_ir().matches(" select i1 ").count();
    let (few, many) = (choices("few", 20), choices("many", 200));
    assert_eq!((branches(&few), branches(&many)), (20, 0));
    let host = HostMachine::detect().unwrap();
    for opt in [OptLevel::O0, OptLevel::O2, OptLevel::O3] {
        check_on(&host, &[few.clone(), many.clone()], opt, 50, Options::default());
    }
}

/// Masks each of which narrows the one before, as the conditions of `else if`s do, and what they choose.
fn narrowed(name: &str, count: usize) -> Case {
    let mut body = "  v5: i32x8 = splat v2\n  v6: i32x8 = splat v4\n  v7: i1x8 = icmp ne v5, v6\n".to_owned();
    let (mut mask, mut last) = ("v7".to_owned(), "v5".to_owned());
    for k in 0..count {
        let v = 10 + 5 * k;
        body +=
            &format!("  v{v}: i1x8 = icmp eq v6, i32x8:{}\n  v{}: i1x8 = icmp ne v6, i32x8:{}\n", 3 * k, v + 1, 3 * k);
        body += &format!("  v{}: i1x8 = and {mask}, v{v}\n  v{}: i1x8 = and {mask}, v{}\n", v + 2, v + 3, v + 1);
        body += &format!("  v{}: i32x8 = select v{}, i32x8:{}, {last}\n", v + 4, v + 2, 7 * k);
        (mask, last) = (format!("v{}", v + 3), format!("v{}", v + 4));
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  v3: ptr = ptradd v0, i64:4\n  \
         v4: i32 = load align 4 v3\n{body}  v8: i32 = extract lane 5 {last}\n  v9: ptr = ptradd v1, i64:128\n  \
         store align 4 v9, v8\n  return\n}}\n"
    );
    Case { body: text, ..chain(name, 1) }
}

// LLVM took 7 seconds for 250 `else if`s, and 28 for 500.
#[test]
fn long_chains_of_masks_are_cut_and_short_ones_are_not() {
    let (short, long) = (narrowed("short", 12), narrowed("long", 200));
    for cpu in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
        let Ok(machine) = HostMachine::named(cpu) else { continue };
        let cuts = |case: &Case| {
            let module = parse(&format!("module \"t\"\nmath prec_div prec_sqrt fmad\n{}", case.body));
            let options = Options { entries: &[&case.name], ..Options::default() };
            llvm::compile(&module, &machine, &options).unwrap().llvm_ir().matches(" asm ").count()
        };
        assert_eq!(cuts(&short), 0, "{cpu}");
        assert!(cuts(&long) >= 200 / 8 - 1, "{cpu}: {}", cuts(&long));
    }
    let host = HostMachine::detect().unwrap();
    for opt in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        check_on(&host, &[short.clone(), long.clone()], opt, 50, Options::default());
    }
}

/// A loop within a loop around as many steps that ask for a constant each; from the middle and from the end it is begun again.
fn around(name: &str, steps: usize) -> Case {
    let mut body = String::new();
    let mut last = "v11".to_owned();
    for n in 0..steps {
        let v = 100 + 4 * n;
        let (yes, next) = (10 + 2 * n, 11 + 2 * n);
        body += &format!("  v{v}: i32 = xor {last}, i32:{}\n", 7919 * n % 10007);
        body += &format!("  v{}: i1 = icmp ugt v{v}, i32:{}\n", v + 1, 104_729 * n);
        body += &format!("  br v{}, block{yes}, block{next}(v{v})\n", v + 1);
        body += &format!("block{yes}:\n  v{}: i32 = add v{v}, v10\n  jump block{next}(v{})\n", v + 2, v + 2);
        body += &format!("block{next}(v{}: i32):\n", v + 3);
        last = format!("v{}", v + 3);
        if n == steps / 2 {
            body += &format!(
                "  v12: i32 = add v10, i32:3\n  v13: i1 = icmp ult v12, i32:5\n  br v13, block1(v12, {last}), "
            );
            body += "block4\nblock4:\n";
        }
    }
    let text = format!(
        "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n  v2: i32 = load align 4 v0\n  jump block5(v2, i32:0)\n\
         block5(v3: i32, v4: i32):\n  jump block1(i32:0, v3)\n\
         block1(v10: i32, v11: i32):\n{body}  v14: i32 = add v10, i32:1\n  v15: i1 = icmp ult v14, i32:9\n  \
         br v15, block1(v14, {last}), block2\n\
         block2:\n  v16: i32 = add v4, i32:1\n  v17: i1 = icmp ult v16, i32:3\n  br v17, block5({last}, v16), block3\n\
         block3:\n  v18: ptr = ptradd v1, i64:128\n  store align 4 v18, {last}\n  return\n}}\n"
    );
    Case { body: text, inputs: vec![Type::I32], ..chain(name, 1) }
}

/// LLVM held each constant of a kernel through all of the loop over the vectors of a work-group: 320 `printf`s took four seconds.
#[test]
fn constants_of_large_loops_were_held_through_them() {
    let ways_in = |case: &Case| compiled(case).llvm_ir().matches("asm sideeffect").count();
    let (few, many) = (around("few", 100), around("many", 600));
    assert_eq!((ways_in(&few), ways_in(&many)), (0, 2));
    let host = HostMachine::detect().unwrap();
    for opt in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        check_on(&host, &[few.clone(), many.clone()], opt, 20, Options::default());
    }
}
