//! Advice is tried before it is given: a factor, a knob, a bound, a constant count that is to make a hint work is compiled,
//! and what does not work is not suggested. What means to write a loop anew is told without.

use super::header::{self, Limit};
use crate::compile::Run;
use crate::{Compilation, Emit, Input, LoopFactor, Options, compile_with_log as compile};
use source::{Advice, Attempt, LoopReport, Span};

/// Compilations that the advice of one source may take,
const MAX_TRIALS: usize = 64;
/// and instructions that they may have together, about as many as take ten seconds.
const MAX_INSTRUCTIONS: usize = 500_000;
/// Factors that are tried where any would do.
const FACTORS: [u32; 3] = [4, 8, 2];

/// What an attempt came to.
struct Outcome {
    /// What was done to the loop.
    done: String,
    /// The kernel that holds it.
    kernel: Option<Costs>,
}

/// What a kernel takes.
#[derive(Clone, Copy)]
struct Costs {
    instructions: u32,
    registers: u32,
    /// Resident warps, of so many.
    warps: (u32, u32),
}

impl Costs {
    fn of(k: &super::KernelUsage) -> Self {
        let warps = (k.occupancy.warps, k.occupancy.max_warps);
        Self { instructions: k.instructions, registers: k.registers, warps }
    }
}

/// One compilation that was made.
struct Trial {
    /// The place that it was about, as [`Trials::about`] gives it.
    about: u32,
    attempt: Attempt,
    /// What is new in the loop's header, if that was changed.
    shown: Option<String>,
    compilation: Compilation,
}

struct Trials<'a> {
    input: &'a Input,
    options: &'a Options,
    made: Vec<Trial>,
    /// Instructions of those made.
    instructions: usize,
    /// What each kernel takes as the source has it.
    now: Vec<(String, Costs)>,
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
        let now = usage.into_iter().map(|k| (k.name.clone(), Costs::of(&k))).collect();
        let mut trials = Trials { input, options: self.options, made: Vec::new(), instructions: 0, now };
        let mut known: Vec<(LoopReport, Vec<Advice>, Vec<String>)> = Vec::new();
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
            let whole = match &fix {
                Some(fix) if !tried.is_empty() => Some(format!("{fix} (tried: {})", tried.join("; "))),
                _ => fix.clone(),
            };
            let ledger = &mut self.out.session.ledger;
            ledger.set_fix(&report.function, report.place, whole.as_deref());
            let l = &mut ledger.loops_mut()[n];
            (l.advice, l.fix, l.tried) = (advice, fix, tried);
        }
    }

    /// The advice that holds, with what came of it.
    fn weigh(&self, trials: &mut Trials<'_>, report: &LoopReport) -> (Vec<Advice>, Vec<String>) {
        let mut kept = Vec::new();
        let mut told = Vec::new();
        for a in &report.advice {
            let attempts: Vec<Attempt> = match a.attempt.clone() {
                None => {
                    kept.push(a.clone());
                    continue;
                }
                // Nothing is gained by asking for what is done anyway.
                Some(Attempt::AnyFactor) => {
                    FACTORS.iter().filter(|&&n| n != report.copies).map(|&n| Attempt::Factor(n)).collect()
                }
                Some(Attempt::AnyJam(place, below)) => {
                    FACTORS.iter().filter(|&&n| n < below).map(|&n| Attempt::Jam(place, n)).collect()
                }
                Some(one) => vec![one],
            };
            for attempt in attempts {
                match self.attempt(trials, report, &attempt) {
                    Err(()) => {}
                    // Nothing is known of it: it is advice as any other.
                    Ok(None) => {
                        kept.push(a.clone());
                        break;
                    }
                    Ok(Some((what, outcome))) => {
                        told.push(tell(&what, &outcome, trials, report));
                        let known = match &attempt {
                            Attempt::Factor(n) | Attempt::Jam(_, n) => n.to_string(),
                            // As code, of which the text has the marks.
                            _ => what.trim_matches('`').to_owned(),
                        };
                        kept.push(Advice { text: a.text.replace("{}", &known), attempt: Some(attempt) });
                        break;
                    }
                }
            }
        }
        (kept, told)
    }

    /// What was tried in words, and what came of it; `None` if it could not be made, an error if it does not help.
    fn attempt(
        &self,
        trials: &mut Trials<'_>,
        report: &LoopReport,
        attempt: &Attempt,
    ) -> Result<Option<(String, Outcome)>, ()> {
        let target = match attempt {
            Attempt::Jam(place, _) => *place,
            _ => report.place,
        };
        let Some((span, line)) = self.place(target) else { return Ok(None) };
        let about = match attempt {
            Attempt::Knob(..) => 0,
            Attempt::Mask(_) | Attempt::Trips(_) => span.lo,
            _ => line,
        };
        let found = trials.made.iter().position(|t| (t.about, &t.attempt) == (about, attempt));
        let n = match found {
            Some(n) => n,
            None if trials.made.len() >= MAX_TRIALS || trials.instructions > MAX_INSTRUCTIONS => return Ok(None),
            None => {
                let mut o = trials.options.clone();
                super::be_experiment(&mut o);
                o.explain = true;
                let (mut shown, mut input) = (None, None);
                match *attempt {
                    Attempt::Factor(factor) => o.factors = vec![LoopFactor { line, factor, jam: false }],
                    Attempt::Jam(_, factor) => o.factors = vec![LoopFactor { line, factor, jam: true }],
                    Attempt::Knob(name, ref value) => o.knobs.set(name, Some(value), None).map_err(|_| ())?,
                    Attempt::Mask(mask) => (input, shown) = self.limited(span, Limit::Mask(mask)).unzip(),
                    Attempt::Trips(n) => (input, shown) = self.limited(span, Limit::Number(n)).unzip(),
                    Attempt::AnyFactor | Attempt::AnyJam(..) => return Ok(None),
                }
                if matches!(attempt, Attempt::Mask(_) | Attempt::Trips(_)) && input.is_none() {
                    return Ok(None);
                }
                let mut c = compile(input.as_ref().unwrap_or(trials.input), &o, &Emit::Nothing);
                let module = std::mem::take(&mut c.module);
                trials.instructions += super::effort(&module, &self.out.session.sources);
                trials.made.push(Trial { about, attempt: attempt.clone(), shown, compilation: c });
                trials.made.len() - 1
            }
        };
        let trial = &trials.made[n];
        let outcome = outcome(&trial.compilation, report, attempt).ok_or(())?;
        let what = match attempt {
            Attempt::Factor(n) => format!("`#pragma unroll {n}`"),
            Attempt::Jam(place, n) if *place == report.place => format!("`#pragma unroll_and_jam {n}`"),
            Attempt::Jam(_, n) => format!("`#pragma unroll_and_jam {n}` on line {line}"),
            Attempt::Knob(name, value) => format!("`-{name}={value}`"),
            _ => format!("`{}`", trial.shown.as_deref().unwrap_or_default()),
        };
        Ok(Some((what, outcome)))
    }

    /// A place in the main file, and its line.
    fn place(&self, at: Span) -> Option<(Span, u32)> {
        let map = &self.out.session.sources;
        let span = map.call_site(at);
        let (file, at) = map.line_col(span.lo).filter(|_| !span.is_none())?;
        (file.0 == 0).then_some((span, at.line))
    }

    /// The source with another bound of the loop at `span`, and what is new in its header.
    fn limited(&self, span: Span, limit: Limit) -> Option<(Input, String)> {
        let map = &self.out.session.sources;
        let (file, _) = map.line_col(span.lo)?;
        let file = map.file(file);
        let new = header::limited(&file.text, (span.lo - file.base) as usize, limit)?;
        Some((Input::text(file.name.clone(), new.text), new.shown))
    }
}

/// What became of a loop in an experiment, if that is what was wanted.
fn outcome(c: &Compilation, report: &LoopReport, attempt: &Attempt) -> Option<Outcome> {
    let e = c.explanation.as_ref().filter(|_| c.succeeded())?;
    let loops = c.session.ledger.loops();
    let here = |k: &&LoopReport| (&k.function, &k.instance) == (&report.function, &report.instance) && k.changed;
    let look = match *attempt {
        Attempt::Jam(place, n) => {
            loops.iter().rfind(|k| here(k) && k.place == place && (k.kind, k.copies) == ("jam", n))?
        }
        _ => loops.iter().rfind(|k| here(k) && k.place == report.place)?,
    };
    let straight = matches!(look.kind, "full" | "upper-bound");
    let honoured = match attempt {
        Attempt::Factor(n) => look.copies == *n || straight,
        Attempt::Jam(..) => true,
        Attempt::Mask(_) | Attempt::Trips(_) => straight,
        _ => look.fix.is_none() && look.copies > report.copies,
    };
    if !honoured {
        return None;
    }
    let kernel =
        e.kernels.iter().find(|k| k.name == report.function).or_else(|| e.kernels.iter().max_by_key(|k| k.registers));
    Some(Outcome { done: look.done.clone(), kernel: kernel.map(Costs::of) })
}

/// What was tried, what it did, and what the kernel takes then.
fn tell(what: &str, o: &Outcome, trials: &Trials<'_>, report: &LoopReport) -> String {
    let mut out = format!("{what}: {}", o.done);
    let Some(with) = o.kernel else { return out };
    let now = trials.now.iter().find(|(name, _)| *name == report.function).map(|k| k.1);
    let beside = |new: u32, old: Option<u32>| match old {
        Some(n) if n == new => " as now".to_owned(),
        Some(n) => format!(" instead of {n}"),
        None => String::new(),
    };
    let (instructions, registers) = (with.instructions, with.registers);
    out.push_str(&format!(
        "; {instructions} instructions{}, about {registers} registers{}, {} of {} warps",
        beside(instructions, now.map(|n| n.instructions)),
        beside(registers, now.map(|n| n.registers)),
        with.warps.0,
        with.warps.1
    ));
    out
}
