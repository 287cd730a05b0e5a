//! PTX changed at random is read or refused: nothing crashes, hangs or grows without bound. Longer:
//! `UNSPOOL_MUTATIONS=20000 cargo nextest run -p unspool-filetests --test ptx_mutated`, others with `UNSPOOL_MUTATIONS_FROM=SEED`.

use filetests::corpus::{self, Variant};
use filetests::{Rng, mutate};
use interp::{Arg, Limits, Machine};
use std::time::{Duration, Instant};
use unspool::OptLevel;

/// Changed texts in each run of the tests.
const MUTATIONS: u64 = 300;
/// The longest that reading one may take, on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

#[test]
fn changed_texts_crash_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let count = number("UNSPOOL_MUTATIONS").unwrap_or(MUTATIONS);
    let from = number("UNSPOOL_MUTATIONS_FROM").unwrap_or(0);
    let texts: Vec<String> = corpus::files()
        .iter()
        .map(|f| f.to_ptx(Variant { target: None, level: OptLevel::O3, known: false }).expect("the corpus compiles"))
        .filter(|t| t.len() < 400_000)
        .collect();
    let mut read = 0;
    for seed in from..from + count {
        let mut rng = Rng::new(seed ^ 0x9f3b);
        let text = mutate::mutate(&texts[seed as usize % texts.len()], &mut rng);
        let start = Instant::now();
        let found = ptx_reader::read(&text, 1, "mutated.ptx");
        assert!(start.elapsed() < LONGEST, "mutation {seed} took {:?}", start.elapsed());
        match found {
            Ok(r) => {
                read += 1;
                execute(&r.module);
            }
            Err(errors) => {
                let s = errors[0].span;
                assert!(s.lo >= 1 && s.lo <= s.hi && s.hi as usize <= text.len() + 1, "mutation {seed}: {errors:?}");
                assert!(!errors[0].message.contains("breaks a rule"), "mutation {seed}: {}", errors[0]);
            }
        }
    }
    assert!(read * 20 > count && read * 10 < count * 9, "{read} of {count} were read");
}

/// What was read may do anything but crash the interpreter.
fn execute(module: &ir::Module) {
    let limits = Limits { steps: 20_000, memory: 1 << 24, ..Limits::default() };
    let kernels = module.functions.iter().filter(|(_, f)| f.kind == ir::FnKind::Kernel && f.params.len() == 3);
    for (id, _) in kernels.take(2) {
        let mut machine = Machine::new(module);
        let Some(out) = machine.alloc_bytes(&[0; 4096]) else { return };
        let args = [Arg::Pointer(out), Arg::Value(0), Arg::Value(1)];
        // Either way is good.
        let _ = machine.launch(id, &interp::LaunchConfig::items(2), &args, &limits);
    }
}
