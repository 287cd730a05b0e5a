//! A pass must not change what a program computes: random programs, random passes, the interpreter as judge.

use crate::oracle::{self, Inputs};
use crate::{Rng, passes, program, reduce};
use ir::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a seed says to do.
#[derive(Clone, Debug)]
pub struct Case {
    /// Of the program and its inputs.
    pub seed: u64,
    /// Passes, in order.
    pub passes: Vec<&'static str>,
}

impl Case {
    /// The case of a seed: a single pass, several in a row, or a whole pipeline.
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x5eed);
        let single: Vec<&'static str> = passes::FUNCTION_PASSES.iter().map(|p| p.0).collect();
        let names = match rng.below(10) {
            0..3 => vec![rng.pick(&["O1", "O2", "O3", "O3-newer"])],
            3..6 => {
                let before = rng.pick(&[&[][..], &["sroa", "simplify"][..], &["inline", "sroa", "loop-rotate"][..]]);
                let mut v = before.to_vec();
                v.push("unroll-chaos");
                if rng.chance(50) {
                    v.extend(["simplify", "simplify-cfg"]);
                }
                v
            }
            6 => vec!["inline", rng.pick(&single)],
            7 | 8 => vec!["sroa", "simplify", rng.pick(&single), rng.pick(&single)],
            _ => (0..2 + rng.below(7)).map(|_| rng.pick(&single)).collect(),
        };
        Self { seed, passes: names }
    }
}

impl Case {
    /// The program of a seed under passes named in a list, with commas between.
    ///
    /// # Errors
    /// There is no such pass.
    pub fn with_passes(seed: u64, list: &str) -> Result<Self, String> {
        let known = passes::names();
        let find =
            |name: &str| known.iter().copied().find(|k| *k == name).ok_or_else(|| format!("no such pass: `{name}`"));
        Ok(Self { seed, passes: list.split(',').map(|n| find(n.trim())).collect::<Result<_, _>>()? })
    }
}

/// How a case ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The passes kept the program's meaning.
    Same,
    /// The program decides on undefined values, or takes too long: it says nothing.
    Discarded,
    /// The passes changed the program's meaning, or broke the IR: what happened, and after how many passes.
    Failed(String, usize),
}

/// Judges one program under a list of passes.
pub fn judge(module: &Module, inputs: &Inputs, names: &[&'static str], seed: u64) -> Verdict {
    if ir::verify::verify_module(module).is_err() {
        return Verdict::Discarded;
    }
    let Ok(expected) = oracle::run(module, inputs) else { return Verdict::Discarded };
    let mut current = module.clone();
    // All passes first; only if the outcome differs, one by one.
    match transform(&mut current, names, seed).and_then(|()| agrees(&current, inputs, &expected)) {
        Ok(()) => return Verdict::Same,
        Err(why) if names.len() == 1 => return Verdict::Failed(why, 1),
        Err(_) => {}
    }
    let mut current = module.clone();
    for n in 0..names.len() {
        let step = transform(&mut current, &names[n..=n], seed).and_then(|()| agrees(&current, inputs, &expected));
        if let Err(why) = step {
            return Verdict::Failed(format!("after `{}`: {why}", names[n]), n + 1);
        }
    }
    Verdict::Same
}

fn transform(module: &mut Module, names: &[&'static str], seed: u64) -> Result<(), String> {
    for name in names {
        let outcome = catch_unwind(AssertUnwindSafe(|| passes::apply(name, module, seed)));
        match outcome {
            Ok(Ok(_)) => {}
            Ok(Err(why)) => return Err(why),
            Err(_) => return Err(format!("`{name}` panicked")),
        }
    }
    Ok(())
}

fn agrees(module: &Module, inputs: &Inputs, expected: &oracle::Outcome) -> Result<(), String> {
    let outcome = oracle::run_transformed(module, inputs).map_err(|t| t.to_string())?;
    oracle::difference(expected, &outcome).map_or(Ok(()), Err)
}

/// A failure, made small.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The case.
    pub case: Case,
    /// What happened.
    pub why: String,
    /// The program that shows it, before the last of the passes that are needed.
    pub before: String,
    /// That program after the pass.
    pub after: String,
    /// The pass.
    pub pass: &'static str,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "seed {}: passes {:?}: {}", self.case.seed, self.case.passes, self.why)?;
        writeln!(f, "---- before `{}`:\n{}", self.pass, self.before)?;
        write!(f, "---- after:\n{}", self.after)
    }
}

/// Runs the case of a seed; a failure is reduced to one pass on a small program.
pub fn run(seed: u64) -> Result<Verdict, Box<Failure>> {
    run_case(&Case::new(seed))
}

/// Runs a case.
pub fn run_case(case: &Case) -> Result<Verdict, Box<Failure>> {
    let module = program::generate(case.seed);
    if let Err(e) = ir::verify::verify_module(&module) {
        let text = ir::print::module_to_text(&module);
        return Err(Box::new(failure(case, format!("the generator's fault: {}", e[0]), text, String::new(), "verify")));
    }
    let inputs = Inputs::new(case.seed);
    let verdict = judge(&module, &inputs, &case.passes, case.seed);
    let Verdict::Failed(why, n) = &verdict else { return Ok(verdict) };
    // The program right before the guilty pass; if that alone is not enough, the whole list is.
    let pass = case.passes[n - 1];
    let mut before = module.clone();
    let alone = transform(&mut before, &case.passes[..n - 1], case.seed).is_ok()
        && matches!(judge(&before, &inputs, &[pass], case.seed), Verdict::Failed(..));
    let (before, names): (Module, &[&'static str]) =
        if alone { (before, &case.passes[n - 1..*n]) } else { (module, &case.passes[..*n]) };
    let small = reduce::reduce(before, |m| matches!(judge(m, &inputs, names, case.seed), Verdict::Failed(..)));
    let why = match judge(&small, &inputs, names, case.seed) {
        Verdict::Failed(why, _) => why,
        _ => why.clone(),
    };
    let mut after = small.clone();
    let _ = transform(&mut after, names, case.seed);
    let texts = (ir::print::module_to_text(&small), ir::print::module_to_text(&after));
    Err(Box::new(failure(case, why, texts.0, texts.1, pass)))
}

fn failure(case: &Case, why: String, before: String, after: String, pass: &'static str) -> Failure {
    Failure { case: case.clone(), why, before, after, pass }
}
