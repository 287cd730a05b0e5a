//! Advice is tried before it is given: a factor or a knob that is to make a hint work is compiled, and what does not work
//! is not suggested.

use crate::compile::Run;
use crate::{Compilation, Emit, Input, LoopFactor, Options, compile_with_log as compile};
use ir::Module;
use source::{Advice, Attempt, LoopReport};

/// Compilations that the advice of one source may take.
const MAX_TRIALS: usize = 32;
/// Factors that are tried where any would do.
const FACTORS: [u32; 3] = [4, 2, 8];

/// What an attempt came to.
struct Outcome {
    /// What was done to the loop.
    done: String,
    /// Registers, and resident warps of so many, of the kernel that holds it.
    registers: Option<(u32, u32, u32)>,
}

struct Trials<'a> {
    input: &'a Input,
    options: &'a Options,
    /// Those made: the loop's line, and what was tried.
    made: Vec<(u32, Attempt, Compilation)>,
    /// The registers of each kernel as the source has it.
    now: Vec<(String, u32)>,
}

impl Run<'_> {
    /// Tries what is advised about the loops of a source that was compiled.
    pub(crate) fn try_fixes(&mut self, input: &Input) {
        let ledger = &self.out.session.ledger;
        if !ledger.explain || self.options.experiment || self.options.separate || self.failed() {
            return;
        }
        if ledger.loops().iter().all(|l| l.advice.is_empty()) {
            return;
        }
        let usage = super::usage::kernels(&self.out.module, self.options.target, self.options.block);
        let now = usage.into_iter().map(|k| (k.name, k.registers)).collect();
        let mut trials = Trials { input, options: self.options, made: Vec::new(), now };
        let mut known: Vec<(LoopReport, Vec<Advice>, Option<String>)> = Vec::new();
        let all: Vec<LoopReport> = ledger.loops().to_vec();
        for (n, report) in all.iter().enumerate().filter(|(_, l)| !l.advice.is_empty()) {
            let same =
                |k: &LoopReport| (k.place, &k.function, &k.advice) == (report.place, &report.function, &report.advice);
            let (advice, tried) = match known.iter().find(|(k, ..)| same(k)) {
                Some((_, advice, tried)) => (advice.clone(), tried.clone()),
                None => {
                    let (advice, tried) = self.weigh(&mut trials, report);
                    known.push((report.clone(), advice.clone(), tried.clone()));
                    (advice, tried)
                }
            };
            let fix = Advice::sentence(&advice);
            let whole = match (&fix, &tried) {
                (Some(fix), Some(tried)) => Some(format!("{fix} (tried: {tried})")),
                _ => fix.clone(),
            };
            let ledger = &mut self.out.session.ledger;
            ledger.set_fix(&report.function, report.place, whole.as_deref());
            let l = &mut ledger.loops_mut()[n];
            (l.advice, l.fix, l.tried) = (advice, fix, tried);
        }
    }

    /// The advice that holds, with what came of it.
    fn weigh(&self, trials: &mut Trials<'_>, report: &LoopReport) -> (Vec<Advice>, Option<String>) {
        let mut kept = Vec::new();
        let mut told = Vec::new();
        for a in &report.advice {
            let attempts: Vec<Attempt> = match &a.attempt {
                None => {
                    kept.push(a.clone());
                    continue;
                }
                Some(Attempt::AnyFactor) => FACTORS.iter().map(|&n| Attempt::Factor(n)).collect(),
                Some(one) => vec![one.clone()],
            };
            for attempt in attempts {
                match self.attempt(trials, report, &attempt) {
                    Err(()) => {}
                    // Nothing is known of it: it is advice as any other.
                    Ok(None) => {
                        kept.push(a.clone());
                        break;
                    }
                    Ok(Some(outcome)) => {
                        told.push(tell(&attempt, &outcome, trials, report));
                        let text = match attempt {
                            Attempt::Factor(n) => a.text.replace("{}", &n.to_string()),
                            _ => a.text.clone(),
                        };
                        kept.push(Advice { text, attempt: Some(attempt) });
                        break;
                    }
                }
            }
        }
        (kept, (!told.is_empty()).then(|| told.join("; ")))
    }

    /// What an attempt came to; `None` if it could not be made, an error if it does not help.
    fn attempt(&self, trials: &mut Trials<'_>, report: &LoopReport, attempt: &Attempt) -> Result<Option<Outcome>, ()> {
        let map = &self.out.session.sources;
        let span = map.call_site(report.place);
        let place = map.line_col(span.lo).filter(|(file, _)| file.0 == 0 && !span.is_none());
        let Some((_, at)) = place else { return Ok(None) };
        let found = trials.made.iter().position(|(line, tried, _)| (*line, tried) == (at.line, attempt));
        let n = match found {
            Some(n) => n,
            None if trials.made.len() >= MAX_TRIALS => return Ok(None),
            None => {
                let mut o = trials.options.clone();
                super::be_experiment(&mut o);
                o.explain = true;
                match attempt {
                    Attempt::Factor(factor) => o.factors = vec![LoopFactor { line: at.line, factor: *factor }],
                    Attempt::Knob(name, value) => o.knobs.set(name, Some(value), None).map_err(|_| ())?,
                    Attempt::AnyFactor => return Ok(None),
                }
                let c = compile(trials.input, &o, &Emit::Nothing);
                trials.made.push((at.line, attempt.clone(), Compilation { module: Module::default(), ..c }));
                trials.made.len() - 1
            }
        };
        let c = &trials.made[n].2;
        outcome(c, report, attempt).map(Some).ok_or(())
    }
}

/// What became of a loop in an experiment, if that is what was wanted.
fn outcome(c: &Compilation, report: &LoopReport, attempt: &Attempt) -> Option<Outcome> {
    let e = c.explanation.as_ref().filter(|_| c.succeeded())?;
    let same =
        |k: &&LoopReport| (k.place, &k.function, &k.instance) == (report.place, &report.function, &report.instance);
    let look = c.session.ledger.loops().iter().rfind(|k| same(k) && k.changed)?;
    let honoured = match attempt {
        Attempt::Factor(n) => look.copies == *n || matches!(look.kind, "full" | "upper-bound"),
        _ => look.fix.is_none() && look.copies > report.copies,
    };
    if !honoured {
        return None;
    }
    let kernel =
        e.kernels.iter().find(|k| k.name == report.function).or_else(|| e.kernels.iter().max_by_key(|k| k.registers));
    let registers = kernel.map(|k| (k.registers, k.occupancy.warps, k.occupancy.max_warps));
    Some(Outcome { done: look.done.clone(), registers })
}

fn tell(attempt: &Attempt, o: &Outcome, trials: &Trials<'_>, report: &LoopReport) -> String {
    let what = match attempt {
        Attempt::Factor(n) => format!("`#pragma unroll {n}`"),
        Attempt::Knob(name, value) => format!("`-{name}={value}`"),
        Attempt::AnyFactor => String::new(),
    };
    let mut out = format!("{what}: {}", o.done);
    if let Some((registers, warps, most)) = o.registers {
        let now = trials.now.iter().find(|(name, _)| *name == report.function).map(|k| k.1);
        let now = match now {
            Some(n) if n == registers => " as now".to_owned(),
            Some(n) => format!(" instead of {n}"),
            None => String::new(),
        };
        out.push_str(&format!("; about {registers} registers{now}, {warps} of {most} warps"));
    }
    out
}
