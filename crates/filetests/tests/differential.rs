//! Passes keep what programs compute: a fixed number of random programs. `UNSPOOL_FUZZ_PROGRAMS` sets another number,
//! `UNSPOOL_FUZZ_SEED` the first seed,
//! `UNSPOOL_FUZZ_PASSES` the passes (a list with commas), `UNSPOOL_FUZZ_FAILURES` after how many failures to stop.

use filetests::differential::{self, Case, Verdict};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

#[test]
fn passes_keep_the_meaning_of_random_programs() {
    let first = setting("UNSPOOL_FUZZ_SEED", 0);
    let count = setting("UNSPOOL_FUZZ_PROGRAMS", 80);
    let most = setting("UNSPOOL_FUZZ_FAILURES", 1);
    let (mut same, mut discarded, mut failures) = (0u64, 0u64, Vec::new());
    for seed in first..first + count {
        let case = match std::env::var("UNSPOOL_FUZZ_PASSES") {
            Ok(list) => Case::with_passes(seed, &list).unwrap_or_else(|e| panic!("{e}")),
            Err(_) => Case::new(seed),
        };
        match differential::run_case(&case) {
            Ok(Verdict::Same) => same += 1,
            Ok(_) => discarded += 1,
            Err(failure) => {
                failures.push(failure.to_string());
                if failures.len() as u64 >= most {
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(same * 2 > count, "only {same} of {count} programs say something, {discarded} were discarded");
}

/// The harness notices wrong code: a good part of the programs in which one operation is another compute something
/// else (in the others the operation's result is masked out, or stands where no work-item comes by).
#[test]
fn mutations_are_noticed() {
    use filetests::oracle::{self, Inputs};
    use ir::Opcode;
    let (mut tried, mut noticed) = (0, 0);
    for seed in 0..60 {
        let module = filetests::program::generate(seed);
        let inputs = Inputs::new(seed);
        let Ok(expected) = oracle::run(&module, &inputs) else { continue };
        let Some(kernel) = module.find("k") else { continue };
        let f = &module.functions[kernel];
        let insts = f.layout.blocks().flat_map(|b| f.layout.insts(b).collect::<Vec<_>>());
        let candidates: Vec<_> = insts.filter(|&i| matches!(f.dfg.op(i), Opcode::Add | Opcode::Xor)).collect();
        let Some(&victim) = candidates.last() else { continue };
        let mut mutant = module.clone();
        let dfg = &mut mutant.functions[kernel].dfg;
        dfg.insts[victim].op = if dfg.op(victim) == Opcode::Add { Opcode::Sub } else { Opcode::Add };
        tried += 1;
        noticed += u32::from(match oracle::run_transformed(&mutant, &inputs) {
            Ok(outcome) => oracle::difference(&expected, &outcome).is_some(),
            Err(_) => true,
        });
    }
    assert!(tried > 30 && noticed * 3 > tried, "{noticed} of {tried} mutations were noticed");
}

/// The generator makes nests of both sorts: such as may be jammed, by any or by a limited factor, and such as may not.
#[test]
fn programs_hold_nests_to_jam_and_nests_not_to_jam() {
    use unroll::{Jam, Kind, Knobs, LoopFacts, RemarkFilter, UnrollContext};
    let (mut free, mut limited) = (0, 0);
    for seed in 0..250 {
        let mut module = filetests::program::generate(seed);
        let Some(kernel) = module.find("k") else { continue };
        let mut func = module.functions[kernel].clone();
        module.functions[kernel] = ir::Function::new(String::new(), ir::FnKind::Device);
        let (mut session, knobs) = (source::Session::default(), Knobs::default());
        let mut chaos = |facts: &LoopFacts, d: unroll::Decision| {
            if let Jam::Yes(nest) = facts.jam {
                if nest.most == u32::MAX { free += 1 } else { limited += 1 }
            }
            unroll::Decision { kind: Kind::Keep, ..d }
        };
        let mut cx = UnrollContext {
            target: target::Target::default(),
            module: &module,
            session: &mut session,
            knobs: &knobs,
            remarks: RemarkFilter::default(),
            chaos: Some(&mut chaos),
        };
        unroll::run_jam(&mut func, &mut cx);
    }
    assert!(free >= 15 && limited >= 2, "{free} nests without limit, {limited} with one");
}
