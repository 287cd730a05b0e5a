//! The weakest of some facts about the inputs of a condition with which it would have been proved.
//!
//! Limits: [`MAX_INPUTS`] inputs; a few dozen proofs. Only explanations ask.

use super::info::{Info, Residue};
use super::{FEW_STEPS, Fact, Prover, State};
use ir::{AddrSpace, FnKind, Inst, IntCC, Opcode, Value, ValueDef};

/// Most inputs that are looked at.
const MAX_INPUTS: usize = 4;
/// Most instructions walked for inputs.
const MAX_WALK: usize = 64;

/// An input that is not known, and how to call it.
struct Input {
    value: Value,
    name: String,
}

impl Prover<'_> {
    /// What would have been enough, in words: `n` were a multiple of 2.
    pub(crate) fn weakest_fact(&self, cond: Value, at: Inst) -> Option<String> {
        let inputs = self.inputs(cond);
        // What cannot be proves everything, and is nothing to ask for.
        let enough = |facts: &[Fact]| self.holds_given(cond, at, facts) && self.is_possible(cond, at, facts);
        let mut here = State::at(self, at);
        here.propagate();
        for input in &inputs {
            let known = here.eval(input.value);
            if let Some(found) = self.about_one(input, (known.slo, known.shi), &enough) {
                return Some(found);
            }
        }
        for (n, a) in inputs.iter().enumerate() {
            for b in inputs.iter().skip(n + 1) {
                let (x, y) = (self.func.dfg.ty(a.value), self.func.dfg.ty(b.value));
                if x != y || !x.is_int() {
                    continue;
                }
                for (cc, words) in [
                    (IntCC::Ne, "different from"),
                    (IntCC::Sle, "at most"),
                    (IntCC::Sge, "at least"),
                    (IntCC::Slt, "less than"),
                    (IntCC::Sgt, "greater than"),
                    (IntCC::Eq, "equal to"),
                ] {
                    if enough(&[Fact::Compare(cc, a.value, b.value)]) {
                        return Some(format!("{} were {words} {}", a.name, b.name));
                    }
                }
                let multiples = |k: u64| [multiple(self.info(a), a.value, k), multiple(self.info(b), b.value, k)];
                for k in [2, 3, 4, 8, 16] {
                    if enough(&multiples(k)) {
                        return Some(format!("{} and {} were multiples of {k}", a.name, b.name));
                    }
                }
            }
        }
        None
    }

    fn info(&self, input: &Input) -> Info {
        Info::full(self.func.dfg.ty(input.value).bits())
    }

    /// Whether nothing speaks against that the condition is true with these facts.
    fn is_possible(&self, cond: Value, at: Inst, facts: &[Fact]) -> bool {
        self.steps.set(FEW_STEPS);
        let mut state = State::at(self, at);
        state.facts.extend_from_slice(facts);
        state.propagate();
        state.learn(cond, true);
        !state.is_contradictory(&[cond], 1)
    }

    /// What is known of the input here are the ends of its range.
    fn about_one(&self, input: &Input, (lo, hi): (i64, i64), enough: &impl Fn(&[Fact]) -> bool) -> Option<String> {
        let (v, full, name) = (input.value, self.info(input), &input.name);
        let with = |info: Info| enough(&[Fact::Known(v, info)]);
        let pointer = self.func.dfg.ty(v).is_ptr();
        if full.bits == 1 {
            let found = [1, 0].into_iter().find(|&c| with(Info::constant(c, 1)))?;
            return Some(format!("{name} were {}", found == 1));
        }
        if with(Info { ulo: 1, ..full }) {
            return Some(format!("{name} were not {}", if pointer { "null" } else { "0" }));
        }
        for k in [2u64, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64, 128, 256, 1024, 4096] {
            if enough(&[multiple(full, v, k)]) {
                return Some(if pointer {
                    format!("{name} were aligned to {k} bytes")
                } else {
                    format!("{name} were a multiple of {k}")
                });
            }
        }
        if pointer {
            return None;
        }
        if with(Info { ones: 1, ..full }) {
            return Some(format!("{name} were odd"));
        }
        let least = |n: i64| with(Info { slo: n, ..full });
        let most = |n: i64| with(Info { shi: n, ..full });
        // The largest range that is enough, between what is not and what is.
        if lo < hi && least(hi - 1) {
            let n = search(lo, hi - 1, &least);
            return Some(if n == 0 {
                format!("{name} were not negative")
            } else {
                format!("{name} were at least {n}")
            });
        }
        if lo < hi && most(lo + 1) {
            let n = search(hi, lo + 1, &most);
            return Some(format!("{name} were at most {n}"));
        }
        let positive = |n: i64| with(Info { slo: 0, shi: n, ..full });
        if positive(0) && positive(1) {
            let n = search(full.shi, 1, &positive);
            return Some(format!("{name} were between 0 and {n}"));
        }
        let known = [0u64, 1, 2].into_iter().find(|&c| with(Info::constant(c, full.bits)))?;
        Some(format!("{name} were {known}"))
    }

    /// What the condition depends on that is not computed, with names that users know.
    fn inputs(&self, cond: Value) -> Vec<Input> {
        let dfg = &self.func.dfg;
        let mut out: Vec<Input> = Vec::new();
        let mut work = vec![cond];
        let mut seen = Vec::new();
        while let Some(v) = work.pop() {
            let v = dfg.resolve(v);
            if seen.len() > MAX_WALK || out.len() >= MAX_INPUTS {
                break;
            }
            if seen.contains(&v) || dfg.ty(v).is_vector() || dfg.ty(v).is_float() {
                continue;
            }
            seen.push(v);
            match self.name(v) {
                Some(name) => out.push(Input { value: v, name }),
                None => {
                    if let Some(i) = dfg.def_inst(v) {
                        work.extend(dfg.args(i).iter().rev());
                    }
                }
            }
        }
        out
    }

    /// How to call a value that is not computed from others.
    fn name(&self, v: Value) -> Option<String> {
        let dfg = &self.func.dfg;
        match dfg.def(v) {
            ValueDef::Param(b, n) if b == self.func.layout.entry() => {
                let name = self.func.params.get(n as usize).map_or("", |p| p.name.as_str());
                let what = if self.func.kind == FnKind::Kernel { "the kernel's argument" } else { "the argument" };
                Some(if name.is_empty() { format!("{what} {}", n + 1) } else { format!("`{name}`") })
            }
            ValueDef::Param(..) => Some("the variable that changes from path to path".to_owned()),
            ValueDef::Inst(i) => match dfg.op(i) {
                Opcode::Load => {
                    let shared = dfg.ty(dfg.arg(i, 0)).space() == Some(AddrSpace::Shared);
                    Some(
                        if shared { "the number read from shared memory" } else { "the number read from memory" }
                            .to_owned(),
                    )
                }
                Opcode::AtomicRmw | Opcode::AtomicCas => Some("the number read from memory".to_owned()),
                Opcode::Special => dfg.insts[i].special().map(|r| format!("`{}`", r.name())),
                Opcode::Call | Opcode::Intrinsic | Opcode::InlineAsm => Some("the result of the call".to_owned()),
                _ => None,
            },
            _ => None,
        }
    }
}

fn multiple(full: Info, v: Value, k: u64) -> Fact {
    let r = Residue::new(k.into(), 0);
    let info = Info { sres: r, ures: r, ..full };
    Fact::Known(v, info.reduced().unwrap_or(full))
}

/// Between `no` and `yes`, the last number with which it holds.
fn search(no: i64, yes: i64, holds: &impl Fn(i64) -> bool) -> i64 {
    let (mut no, mut yes) = (i128::from(no), i128::from(yes));
    while (no - yes).abs() > 1 {
        let middle = no + (yes - no) / 2;
        if holds(middle as i64) { yes = middle } else { no = middle }
    }
    yes as i64
}
