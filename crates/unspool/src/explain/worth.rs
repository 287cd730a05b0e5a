//! What a promise is worth: the source is compiled once more without it, and the code compared.
//!
//! What is said is what the passes did: loads that left a loop, became one or go through the read-only cache, products
//! that were joined with sums, registers. "Nothing to gain" means that the code is the same without the promise.

use super::promises::{self, Promise};
use super::usage;
use crate::compile::Run;
use crate::{Emit, Input, Options, compile_with_log as compile};
use analysis::LoopInfo;
use ir::{AddrSpace, FuncId, Function, Module, Opcode};
use source::{Answer, Fate, HintKind, SourceMap, Span, TrailStep};
use std::collections::BTreeMap;

/// What is said of a promise without which the code is the same.
pub(super) const NOTHING_TO_GAIN: &str = "nothing to gain";
/// Compilations that one explanation makes; kernels are looked at together.
const MAX_TRIALS: usize = 64;
/// Instructions that those compilations may have together, about as many as take ten seconds.
const MAX_INSTRUCTIONS: usize = 500_000;
/// Registers that an instruction can name, where the target does not say.
const MOST_REGISTERS: u32 = 255;
/// Findings that one answer names.
const MAX_FINDINGS: usize = 4;

/// Accesses of one line of the source in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Accesses {
    /// How many.
    all: u32,
    /// How many of them are in loops.
    in_loops: u32,
    /// Loads of what surely does not change.
    invariant: u32,
}

/// What is counted of a kernel, with what it calls.
#[derive(Clone, PartialEq, Eq, Default)]
struct Shape {
    name: String,
    span: Span,
    /// The code, without what was promised about it.
    text: String,
    loads: BTreeMap<u32, Accesses>,
    stores: BTreeMap<u32, Accesses>,
    fused: u32,
    calls: u32,
    instructions: u32,
    registers: Option<u32>,
    most_registers: u32,
}

impl Run<'_> {
    /// Answers for the promises of a source that was compiled.
    pub(crate) fn weigh_promises(&mut self, input: &Input) {
        if self.failed() || self.promises.is_empty() {
            return;
        }
        let promises = std::mem::take(&mut self.promises);
        let hints: Vec<_> = promises.iter().map(|p| promises::hint(&mut self.out.session.ledger, p)).collect();
        let base = shapes(&self.out.module, &self.out.session.sources, self.options);
        let rounds = rounds(&promises);
        let each = super::effort(&self.out.module, &self.out.session.sources);
        for (n, round) in rounds.iter().enumerate() {
            let trial = if n >= MAX_TRIALS {
                Err(format!("not measured: there are more than {MAX_TRIALS} such promises"))
            } else if n > 0 && n.saturating_mul(each) > MAX_INSTRUCTIONS {
                Err(format!("not measured: the code is large, and {n} other promises were"))
            } else {
                self.without(input, &promises, round)
            };
            for &p in round {
                let (promise, hint) = (&promises[p], hints[p]);
                match &trial {
                    Ok(other) => self.settle(promise, hint, &base, other),
                    Err(why) => self.settle_unmeasured(promise, hint, why),
                }
            }
        }
    }

    /// The kernels without the promises of a round.
    fn without(&self, input: &Input, promises: &[Promise], round: &[usize]) -> Result<Vec<Shape>, String> {
        let mut o = self.options.clone();
        super::be_experiment(&mut o);
        o.explain = false;
        o.without = round.iter().flat_map(|&p| promises[p].tokens.iter().cloned()).collect();
        let c = compile(input, &o, &Emit::Nothing);
        if !c.succeeded() {
            return Err("the source does not compile without it".to_owned());
        }
        Ok(shapes(&c.module, &c.session.sources, &o))
    }

    fn settle(&mut self, p: &Promise, hint: source::HintId, base: &[Shape], other: &[Shape]) {
        if base.len() != other.len() {
            return self.settle_unmeasured(p, hint, "other kernels are there without it");
        }
        let mut any = false;
        for (with, without) in base.iter().zip(other) {
            if p.kernel.as_ref().is_some_and(|k| k.name != with.span) {
                continue;
            }
            let load = if self.options.target.ptx_arch().is_some() { " (`ld.global.nc`)" } else { "" };
            let found = findings(with, without, p.kind, load);
            if !found.is_empty() {
                any = true;
                self.tell(p, hint, &with.name, &found.join("; "));
            }
        }
        if !any {
            self.tell_nothing(p, hint, base);
        }
    }

    /// A kernel that is better, or worse, for it.
    fn tell(&mut self, p: &Promise, hint: source::HintId, kernel: &str, found: &str) {
        let ledger = &mut self.out.session.ledger;
        if !is_ours(p.kind, ledger.hint(hint)) {
            return ledger.amend(hint, Some(kernel), measured(format!("{found}, compared with the code without it")));
        }
        ledger.answer(
            hint,
            Answer {
                fate: Fate::Honoured,
                done: found.to_owned(),
                reason: "the code was compared with what it is without it".to_owned(),
                function: kernel.to_owned(),
                place: p.span,
                trail: Vec::new(),
            },
        );
    }

    fn tell_nothing(&mut self, p: &Promise, hint: source::HintId, base: &[Shape]) {
        let ledger = &mut self.out.session.ledger;
        if !is_ours(p.kind, ledger.hint(hint)) {
            let why = match (p.kind, base.iter().find(|s| p.kernel.as_ref().is_some_and(|k| k.name == s.span))) {
                (HintKind::LaunchBounds, Some(Shape { registers: Some(n), most_registers, .. })) => {
                    let named = self.options.target.registers_per_item().unwrap_or(MOST_REGISTERS);
                    let most = (*most_registers).min(named);
                    format!("nothing to gain: it leaves a thread {most} registers, and the estimate is {n}")
                }
                _ => "nothing to gain: the code is the same without it".to_owned(),
            };
            return ledger.amend(hint, None, measured(why));
        }
        ledger.settle(hint, Fate::Unused, NOTHING_TO_GAIN, "the code is the same without it");
    }

    fn settle_unmeasured(&mut self, p: &Promise, hint: source::HintId, why: &str) {
        let ledger = &mut self.out.session.ledger;
        if !is_ours(p.kind, ledger.hint(hint)) {
            return ledger.amend(hint, None, measured(why.to_owned()));
        }
        ledger.settle(hint, Fate::Honoured, "given to the optimiser as a fact", why);
    }
}

/// Whether nobody else answers for it: what is answered elsewhere gets a step more in its trail.
fn is_ours(kind: HintKind, hint: &source::Hint) -> bool {
    let kind_is = matches!(kind, HintKind::Restrict | HintKind::Const | HintKind::Align);
    kind_is || hint.asked.starts_with("[[")
}

fn measured(finding: String) -> TrailStep {
    TrailStep { rule: "measured", finding, decided: false }
}

/// Promises that are left out together: those of different kernels, one of each.
fn rounds(promises: &[Promise]) -> Vec<Vec<usize>> {
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    let mut apart = Vec::new();
    let mut taken: Vec<(Span, usize)> = Vec::new();
    for (n, p) in promises.iter().enumerate() {
        let Some(k) = &p.kernel else {
            apart.push(vec![n]);
            continue;
        };
        let round = match taken.iter_mut().find(|t| t.0 == k.name) {
            Some(t) => {
                t.1 += 1;
                t.1
            }
            None => {
                taken.push((k.name, 0));
                0
            }
        };
        if round == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[round].push(n);
    }
    rounds.extend(apart);
    rounds
}

/// The kernels of a module, in order.
fn shapes(module: &Module, sources: &SourceMap, options: &Options) -> Vec<Shape> {
    let usage = usage::kernels(module, options.target, options.block);
    let kernels = module.functions.iter().filter(|(_, f)| f.kind == ir::FnKind::Kernel && !f.is_declaration());
    kernels
        .map(|(id, f)| {
            let mut s = Shape { name: f.display.clone(), span: f.span, ..Shape::default() };
            s.registers = usage.iter().find(|u| u.symbol == f.name).map(|u| u.registers);
            s.most_registers = usage::most_registers(f, options.target);
            for g in usage::reachable(module, id) {
                s.add(module, g, sources);
            }
            s
        })
        .collect()
}

impl Shape {
    fn add(&mut self, module: &Module, id: FuncId, sources: &SourceMap) {
        let f = &module.functions[id];
        self.text.push_str(&bare(module, f));
        let info = LoopInfo::new(f);
        for b in f.layout.blocks() {
            let looped = u32::from(info.loops.innermost(b).is_some());
            for i in f.layout.insts(b) {
                let data = &f.dfg.insts[i];
                self.instructions += 1;
                let map = match data.op {
                    Opcode::Load if is_device(f, f.dfg.arg(i, 0)) => &mut self.loads,
                    Opcode::Store if is_device(f, f.dfg.arg(i, 0)) => &mut self.stores,
                    Opcode::Fma => {
                        self.fused += 1;
                        continue;
                    }
                    Opcode::Call => {
                        self.calls += 1;
                        continue;
                    }
                    _ => continue,
                };
                let line = sources.line_col(sources.call_site(f.dfg.span(i)).lo).map_or(0, |(_, at)| at.line);
                let a = map.entry(line).or_default();
                a.all += 1;
                a.in_loops += looped;
                let device = data.op == Opcode::Load && f.dfg.ty(f.dfg.arg(i, 0)).space() == Some(AddrSpace::Global);
                a.invariant += u32::from(device && data.flags.has(ir::Flags::INVARIANT));
            }
        }
    }
}

/// Whether a pointer is to memory that others see.
fn is_device(f: &Function, ptr: ir::Value) -> bool {
    !matches!(f.dfg.ty(ptr).space(), Some(AddrSpace::Private | AddrSpace::Param))
}

/// A function's code without what was promised about it: attributes, alignments beyond the access's own size, and its
/// own symbol, which tells the types of its parameters and is part of the names of its variables.
fn bare(module: &Module, f: &Function) -> String {
    let mut f = f.clone();
    let symbol = std::mem::take(&mut f.name);
    f.display = String::new();
    f.attrs = ir::FnAttrs::default();
    for p in &mut f.params {
        (p.attrs.noalias, p.attrs.readonly, p.attrs.align) = (false, false, 0);
    }
    let all: Vec<ir::Inst> = f.layout.blocks().flat_map(|b| f.layout.insts(b)).collect();
    for i in all {
        let moved = f.dfg.result(i).or_else(|| f.dfg.args(i).get(1).copied());
        if let (Some(m), Some(v)) = (f.dfg.insts[i].mem(), moved) {
            let own = f.dfg.ty(v).bytes().max(1).next_power_of_two().ilog2() as u8;
            f.dfg.insts[i].payload = ir::Payload::Mem(ir::MemInfo { align_log2: m.align_log2.min(own), ..m });
        }
    }
    for l in f.loops.values_mut() {
        l.hints.clear();
        l.expected = None;
    }
    let text = ir::print::function_to_text(module, &f);
    match symbol.strip_prefix("_Z").filter(|s| !s.is_empty()) {
        Some(own) => text.replace(own, ""),
        None => text,
    }
}

fn plural(n: u32, word: &str) -> String {
    if n == 0 {
        return format!("no {word}");
    }
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// What is different with the promise, in words; `load` names the instruction that loads what does not change.
fn findings(with: &Shape, without: &Shape, kind: HintKind, load: &str) -> Vec<String> {
    let mut out = Vec::new();
    if kind == HintKind::LaunchBounds
        && with.most_registers < without.most_registers
        && let Some(n) = without.registers.filter(|&n| n > with.most_registers)
    {
        out.push(format!("at most {} registers, where {n} are wanted by estimate", with.most_registers));
    }
    if with.text == without.text {
        return out;
    }
    accesses(&mut out, &with.loads, &without.loads, "load");
    accesses(&mut out, &with.stores, &without.stores, "store");
    let invariant = |s: &Shape| s.loads.values().map(|a| a.invariant).sum::<u32>();
    let (more, less) = (invariant(with), invariant(without));
    if more > less {
        out.push(format!("{} of what does not change{load} instead of {less}", plural(more, "load")));
    }
    if out.len() > MAX_FINDINGS {
        let rest = out.len() - MAX_FINDINGS;
        out.truncate(MAX_FINDINGS);
        out.push(format!("{rest} lines more"));
    }
    let mut count = |now: u32, then: u32, word: &str| {
        if now != then {
            out.push(format!("{} instead of {then}", plural(now, word)));
        }
    };
    count(with.fused, without.fused, "fused multiply-add");
    count(with.calls, without.calls, "call");
    count(with.instructions, without.instructions, "instruction");
    if let (Some(now), Some(then)) = (with.registers, without.registers) {
        count(now, then, "estimated register");
    }
    if out.is_empty() {
        out.push("other instructions, but as many".to_owned());
    }
    out
}

/// Lines whose accesses differ.
fn accesses(out: &mut Vec<String>, with: &BTreeMap<u32, Accesses>, without: &BTreeMap<u32, Accesses>, word: &str) {
    for (&line, &then) in without {
        let now = with.get(&line).copied().unwrap_or_default();
        let place = if line == 0 { String::new() } else { format!(" of line {line}") };
        if now.in_loops == 0 && then.in_loops > 0 && now.all > 0 {
            let made = if word == "load" { "before" } else { "behind" };
            out.push(format!("{}{place} {made} the loop instead of {} in it", plural(now.all, word), then.in_loops));
        } else if now.all != then.all {
            out.push(format!("{}{place} instead of {}", plural(now.all, word), then.all));
        } else if now.in_loops < then.in_loops {
            out.push(format!("{}{place} in loops instead of {}", plural(now.in_loops, word), then.in_loops));
        }
    }
}
