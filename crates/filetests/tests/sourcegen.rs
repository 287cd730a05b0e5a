//! Random source programs compute the same however they are compiled and run: a fixed number of them in each run of the
//! tests. Long runs: `cargo run --profile fast -p unspool-filetests --example source -- --seeds 0..10000`.

use filetests::sourcegen::execute::{Executor, Fault, Share, ways};
use filetests::sourcegen::tree::{Expr, Form, Item, Program, Stmt};
use filetests::sourcegen::{make, print, reduce};
use std::io::Write;
use std::time::Duration;

/// Programs of this test, and how many of 100 of them run as machine code.
const PROGRAMS: u64 = 100;
const SHARE: Share = Share { second_interpreter: 10, ptx: 40, host: 35, second_host: 0, gpu: 0 };

#[test]
fn programs_compute_the_same_in_every_way() {
    let executor = Executor::new();
    if !executor.has_host() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: random source programs as machine code: no LLVM in this build");
    }
    let mut ran = 0;
    for seed in 0..PROGRAMS {
        let program = make::program(seed);
        let expected = match executor.reference(&program) {
            Ok(o) => o,
            Err(Fault::TooLong) => continue,
            Err(f) => panic!("seed {seed}: the reference: {f:?}"),
        };
        for way in ways(seed, &SHARE) {
            match executor.check(&program, &expected, way) {
                Ok(done) => ran += u64::from(done),
                Err(f) => panic!("seed {seed}: {way:?}: {f:?}\n(`--example source -- --seeds {seed} --reduce`)"),
            }
        }
    }
    assert!(ran >= PROGRAMS, "only {ran} of {PROGRAMS} programs ran");
}

/// The harness notices wrong code: most programs in which a number is another compute something else.
#[test]
fn a_changed_literal_is_noticed() {
    let executor = Executor::new();
    let (mut tried, mut noticed) = (0, 0);
    for seed in 0..30 {
        let program = make::program(seed);
        let Ok(expected) = executor.reference(&program) else { continue };
        let mut mutant = program.clone();
        if !change_last_literal(&mut mutant) {
            continue;
        }
        tried += 1;
        noticed += u32::from(executor.reference(&mutant).map_or(true, |got| got != expected));
    }
    assert!(tried > 10 && noticed * 2 > tried, "{noticed} of {tried} changes were noticed");
}

/// Changes a number in what a kernel assigns.
fn change_last_literal(p: &mut Program) -> bool {
    fn change(e: &mut Expr) -> bool {
        match &mut e.form {
            Form::Literal(bits) if e.ty.scalar().is_some_and(|s| !s.is_float()) => {
                *bits ^= 1;
                true
            }
            // The index stays where it is.
            Form::Index => false,
            _ => e.args.iter_mut().rev().any(change),
        }
    }
    for item in p.items.iter_mut().rev() {
        if let Item::Kernel(k) = item {
            for s in k.body.iter_mut().rev() {
                if let Stmt::Expr(e) = s
                    && e.form == Form::Binary("=")
                    && change(&mut e.args[1])
                {
                    return true;
                }
            }
        }
    }
    false
}

/// What the reducer leaves still does what it was asked for, and little else.
#[test]
fn the_reducer_leaves_what_matters() {
    let seed = (0..100).find(|&s| print::program(&make::program(s)).contains("goto ")).unwrap_or_default();
    let program = make::program(seed);
    let mut wanted = |p: &Program| print::program(p).contains("goto ");
    let small = reduce::reduce(program, Duration::from_secs(20), &mut wanted);
    let text = print::program(&small);
    assert!(text.contains("goto ") && text.lines().count() < 15, "{text}");
}
