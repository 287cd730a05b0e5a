//! Contradictions found by looking at alternatives one by one.

use super::info::{Info, mask};
use super::{Fact, State};
use analysis::fold;
use ir::{ConstKind, Function, IntCC, Opcode, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Deepest nesting of alternatives.
pub(super) const MAX_SPLITS: u32 = 3;
/// Most places with alternatives that are tried at one depth.
const MAX_TRIED: usize = 5;
/// Most inputs that are tried one by one.
const MAX_INPUTS: u64 = 4096;
/// Most numbers that a value may be to be tried one by one.
const MAX_DOMAIN: u64 = 256;
/// Most low bits of all inputs together.
const MAX_LOW_INPUTS: u32 = 12;
/// Most low bits of an input that are tried.
const MAX_LOW: u32 = 4;
/// Most instructions that are computed.
const MAX_SIZE: u32 = 96;

/// Values computed from inputs that are given.
pub(super) struct Fixed<'a> {
    func: &'a Function,
    values: FxHashMap<Value, u64>,
}

impl<'a> Fixed<'a> {
    pub(super) fn new(func: &'a Function) -> Self {
        Self { func, values: FxHashMap::default() }
    }

    pub(super) fn set(&mut self, v: Value, n: u64) {
        self.values.insert(v, n);
    }

    /// What `v` is, if the inputs decide it.
    pub(super) fn value(&mut self, v: Value) -> Option<u64> {
        self.at(v, 0)
    }

    fn at(&mut self, v: Value, depth: u32) -> Option<u64> {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        if let Some(&n) = self.values.get(&v) {
            return Some(n);
        }
        if let Some(c) = dfg.as_bits(v) {
            return Some(c);
        }
        let i = dfg.def_inst(v).filter(|_| depth < 32)?;
        if !dfg.insts[i].is_pure() || dfg.args(i).iter().any(|&a| dfg.ty(a).is_vector()) {
            return None;
        }
        for &a in dfg.args(i) {
            // A selection needs only one of its sides; the fold says if what is missing matters.
            let _ = self.at(a, depth + 1);
        }
        let values = &self.values;
        let lookup = |a: Value| {
            let a = dfg.resolve(a);
            values.get(&a).copied().or_else(|| dfg.as_bits(a)).map(ConstKind::Bits)
        };
        match fold::fold_inst(dfg, i, lookup)? {
            ConstKind::Bits(n) => {
                self.values.insert(v, n);
                Some(n)
            }
            _ => None,
        }
    }
}

impl State<'_, '_> {
    /// Whether what is known here cannot be. `goals` are the truth values that were assumed last.
    pub(super) fn is_contradictory(&mut self, goals: &[Value], splits: u32) -> bool {
        if self.dead {
            return true;
        }
        if !self.prover.has_steps() {
            return false;
        }
        let comparisons = self.comparisons();
        if self.contradicts_algebra(&comparisons)
            || self.contradicts_sums(&comparisons)
            || goals.iter().any(|&g| self.fails_for_all(g) || self.low_bits_fail(g))
        {
            return true;
        }
        if splits == 0 {
            return false;
        }
        for alternatives in self.alternatives(goals, &comparisons).into_iter().take(MAX_TRIED) {
            let all_fail = alternatives.iter().all(|facts| {
                let mut case = self.fork();
                case.facts.extend_from_slice(facts);
                case.propagate();
                case.is_contradictory(goals, splits - 1)
            });
            if all_fail {
                return true;
            }
        }
        false
    }

    /// Places where one of several things holds.
    fn alternatives(&self, goals: &[Value], comparisons: &[(IntCC, Value, Value)]) -> Vec<Vec<Vec<Fact>>> {
        let dfg = &self.prover.func.dfg;
        let mut out = Vec::new();
        let mut roots: Vec<Value> = goals.to_vec();
        for f in self.facts.iter().rev() {
            let Fact::Truth(v, truth) = *f else { continue };
            roots.push(v);
            let Some(i) = dfg.def_inst(v) else { continue };
            let either = truth == (dfg.op(i) == Opcode::Or);
            if matches!(dfg.op(i), Opcode::And | Opcode::Or) && either && dfg.ty(v).bits() == 1 {
                out.push(dfg.args(i).iter().map(|&a| vec![Fact::Truth(a, truth)]).collect());
            }
        }
        for &b in &self.merges {
            let ways: Vec<_> = self.prover.cfg.preds(b).iter().filter(|e| !self.prover.is_back(e, b)).collect();
            if ways.len() > 1 && ways.len() <= 8 && ways.len() == self.prover.cfg.preds(b).len() {
                out.push(ways.iter().map(|e| State::on_edge(self.prover, **e).facts).collect());
            }
        }
        let mut seen = Vec::new();
        for &root in &roots {
            self.choices(root, &mut seen, &mut out, 0);
        }
        for &(cc, a, b) in comparisons.iter().rev() {
            if cc == IntCC::Ne && dfg.ty(a).is_int() && dfg.ty(a).bits() > 1 {
                for (lt, gt) in [(IntCC::Slt, IntCC::Sgt), (IntCC::Ult, IntCC::Ugt)] {
                    out.push(vec![vec![Fact::Compare(lt, a, b)], vec![Fact::Compare(gt, a, b)]]);
                }
            }
        }
        self.by_sign(goals, &mut out);
        out
    }

    /// Selections, and parameters of blocks where ways meet, that `v` is computed from.
    fn choices(&self, v: Value, seen: &mut Vec<Value>, out: &mut Vec<Vec<Vec<Fact>>>, depth: u32) {
        let prover = self.prover;
        let dfg = &prover.func.dfg;
        let v = dfg.resolve(v);
        if depth > 8 || seen.len() > 64 || seen.contains(&v) {
            return;
        }
        seen.push(v);
        match dfg.def(v) {
            ValueDef::Inst(i) => {
                if dfg.op(i) == Opcode::Select && !self.is_known(dfg.arg(i, 0)) && dfg.ty(dfg.arg(i, 0)).bits() == 1 {
                    let (c, yes, no) = (dfg.arg(i, 0), dfg.arg(i, 1), dfg.arg(i, 2));
                    out.push(vec![
                        vec![Fact::Truth(c, true), equal(dfg, v, yes)],
                        vec![Fact::Truth(c, false), equal(dfg, v, no)],
                    ]);
                }
                if depth > 0 && dfg.op(i) == Opcode::Icmp && dfg.ty(v).bits() == 1 && !self.is_known(v) {
                    out.push(vec![vec![Fact::Truth(v, true)], vec![Fact::Truth(v, false)]]);
                }
                if matches!(dfg.op(i), Opcode::UMin | Opcode::UMax | Opcode::SMin | Opcode::SMax) {
                    let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
                    let cc = if matches!(dfg.op(i), Opcode::UMin | Opcode::UMax) { IntCC::Ult } else { IntCC::Slt };
                    let first = matches!(dfg.op(i), Opcode::UMin | Opcode::SMin);
                    let (small, large) = if first { (a, b) } else { (b, a) };
                    out.push(vec![
                        vec![Fact::Compare(cc, a, b), Fact::Compare(IntCC::Eq, v, small)],
                        vec![Fact::Compare(cc.inverse(), a, b), Fact::Compare(IntCC::Eq, v, large)],
                    ]);
                }
                for &a in dfg.args(i) {
                    self.choices(a, seen, out, depth + 1);
                }
            }
            ValueDef::Param(b, n) if b != prover.func.layout.entry() => {
                let ways = prover.cfg.preds(b);
                if ways.len() > 4 || ways.iter().any(|e| prover.is_back(e, b)) {
                    return;
                }
                let mut cases = Vec::new();
                for e in ways {
                    let mut facts = State::on_edge(prover, *e).facts;
                    let args = dfg.branch_args(e.inst, e.index as usize);
                    facts.extend(dfg.params(b).iter().zip(args).map(|(&p, &a)| equal(dfg, p, a)));
                    cases.push(facts);
                }
                out.push(cases);
                for e in ways {
                    if let Some(&a) = dfg.branch_args(e.inst, e.index as usize).get(n as usize) {
                        self.choices(a, seen, out, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_known(&self, v: Value) -> bool {
        self.overlay.get(&v).is_some_and(|i| i.single().is_some())
    }

    /// The inputs of the goals, negative or not.
    fn by_sign(&self, goals: &[Value], out: &mut Vec<Vec<Vec<Fact>>>) {
        let dfg = &self.prover.func.dfg;
        let mut work: Vec<Value> = goals.to_vec();
        let mut found: Vec<Value> = Vec::new();
        for _ in 0..MAX_SIZE {
            let Some(v) = work.pop() else { break };
            let v = dfg.resolve(v);
            match dfg.def(v) {
                ValueDef::Inst(i) if dfg.insts[i].is_pure() && !dfg.args(i).is_empty() => work.extend(dfg.args(i)),
                ValueDef::Const(_) => {}
                _ if found.contains(&v) || !dfg.ty(v).is_int() || dfg.ty(v).is_vector() || dfg.ty(v).bits() < 8 => {}
                _ => found.push(v),
            }
        }
        for v in found.into_iter().take(2) {
            let info = self.overlay.get(&v).copied().unwrap_or(Info::full(dfg.ty(v).bits()));
            if info.slo < 0 && info.shi >= 0 {
                let full = Info::full(info.bits);
                out.push(vec![
                    vec![Fact::Known(v, Info { shi: -1, ..full })],
                    vec![Fact::Known(v, Info { slo: 0, ..full })],
                ]);
            }
        }
    }

    // ---- numbers one by one ---------------------------------------------------------------------------------------

    /// Whether `goal`, which is taken to be false, is true for every choice of the few numbers that it depends on.
    fn fails_for_all(&mut self, goal: Value) -> bool {
        let truth = match self.eval(goal).single() {
            Some(c) => c,
            None => return false,
        };
        let mut inputs: Vec<(Value, Info)> = Vec::new();
        let mut left = MAX_SIZE;
        if !self.decomposes(goal, &mut inputs, &mut left) || inputs.is_empty() {
            return false;
        }
        let total = inputs.iter().try_fold(1u64, |t, (_, i)| t.checked_mul(i.uhi - i.ulo + 1));
        let Some(total) = total.filter(|&t| t <= MAX_INPUTS) else { return false };
        let others: Vec<(Value, u64)> = self
            .facts
            .iter()
            .filter_map(|f| if let Fact::Truth(v, t) = *f { Some((v, u64::from(t))) } else { None })
            .filter(|(v, _)| *v != goal)
            .collect();
        for n in 0..total {
            let mut env = Fixed::new(self.prover.func);
            let mut n = n;
            let mut possible = true;
            for (v, info) in &inputs {
                let size = info.uhi - info.ulo + 1;
                let c = info.ulo + n % size;
                n /= size;
                possible &= c & info.zeros == 0 && !c & info.ones == 0;
                env.set(*v, c);
            }
            if !possible || others.iter().any(|&(v, t)| env.value(v).is_some_and(|now| now != t)) {
                continue;
            }
            if !self.prover.spend() || env.value(goal) != Some(1 - truth) {
                return false;
            }
        }
        true
    }

    /// Whether `v` is computed from constants and values that are few numbers each.
    fn decomposes(&mut self, v: Value, inputs: &mut Vec<(Value, Info)>, left: &mut u32) -> bool {
        let dfg = &self.prover.func.dfg;
        let v = dfg.resolve(v);
        if dfg.as_bits(v).is_some() || inputs.iter().any(|(i, _)| *i == v) {
            return true;
        }
        *left = left.saturating_sub(1);
        if *left == 0 || dfg.ty(v).is_vector() {
            return false;
        }
        let before = inputs.len();
        if let Some(i) = dfg.def_inst(v)
            && dfg.insts[i].is_pure()
            && !dfg.args(i).is_empty()
        {
            if dfg.args(i).iter().all(|&a| self.decomposes(a, inputs, left)) {
                return true;
            }
            inputs.truncate(before);
        }
        if !dfg.ty(v).is_int() || dfg.ty(v).bits() == 1 && dfg.def_op(v, Opcode::Icmp).is_some() {
            return false;
        }
        let info = self.eval(v);
        let few = info.uhi - info.ulo < MAX_DOMAIN;
        if few {
            inputs.push((v, info));
        }
        few
    }

    /// The same for what depends on a few low bits of its inputs only: sums, products and bitwise operations.
    fn low_bits_fail(&mut self, goal: Value) -> bool {
        let Some(truth) = self.eval(goal).single() else { return false };
        let (mut inputs, mut left, mut low) = (Vec::new(), MAX_SIZE, 1);
        if !self.is_low(goal, &mut inputs, &mut left, &mut low)
            || inputs.is_empty()
            || inputs.len() as u32 * low > MAX_LOW_INPUTS
        {
            return false;
        }
        for n in 0..1u64 << (inputs.len() as u32 * low) {
            let mut env = Fixed::new(self.prover.func);
            let mut possible = true;
            for (k, &v) in inputs.iter().enumerate() {
                let c = n >> (k as u32 * low) & mask(low);
                let info = self.eval(v);
                possible &= c & info.zeros == 0 && !c & info.ones & mask(low) == 0;
                env.set(v, c & mask(info.bits));
            }
            if possible && (!self.prover.spend() || env.value(goal).is_none_or(|v| v == truth)) {
                return false;
            }
        }
        true
    }

    /// Whether `v` is decided by a few low bits of the inputs: all that it is computed from goes through a mask, a narrow
    /// type, or a remainder that is compared with zero.
    fn is_low(&self, v: Value, inputs: &mut Vec<Value>, left: &mut u32, low: &mut u32) -> bool {
        let dfg = &self.prover.func.dfg;
        let v = dfg.resolve(v);
        if dfg.as_bits(v).is_some() {
            return true;
        }
        *left = left.saturating_sub(1);
        let Some(i) = dfg.def_inst(v).filter(|_| *left > 0 && !dfg.ty(v).is_vector()) else { return false };
        if let Some((of, bits)) = self.low_part(v) {
            *low = bits.max(*low);
            return self.is_low_closed(of, inputs, left);
        }
        if let (Opcode::Icmp, Some(cc)) = (dfg.op(i), dfg.insts[i].int_cc())
            && matches!(cc, IntCC::Eq | IntCC::Ne)
            && dfg.as_bits(dfg.arg(i, 1)) == Some(0)
            && let Some(d) = dfg.def_op(dfg.arg(i, 0), Opcode::SRem)
            && let Some(m) = dfg.as_bits(dfg.arg(d, 1)).filter(|m| m.is_power_of_two() && *m <= 1 << MAX_LOW)
        {
            *low = m.trailing_zeros().max(*low);
            return self.is_low_closed(dfg.arg(d, 0), inputs, left);
        }
        dfg.insts[i].is_pure()
            && !dfg.args(i).is_empty()
            && dfg.args(i).iter().all(|&a| self.is_low(a, inputs, left, low))
    }

    /// What `v` is the low bits of, and how many.
    fn low_part(&self, v: Value) -> Option<(Value, u32)> {
        let dfg = &self.prover.func.dfg;
        let i = dfg.def_inst(v)?;
        let n = match dfg.op(i) {
            Opcode::Trunc => dfg.ty(v).bits(),
            Opcode::And | Opcode::URem => {
                let c = dfg.as_bits(dfg.arg(i, 1))?;
                let powers = dfg.op(i) == Opcode::And || c.is_power_of_two();
                if c == 0 || !powers {
                    return None;
                }
                let top = if dfg.op(i) == Opcode::And { c } else { c - 1 };
                64 - top.leading_zeros()
            }
            _ => return None,
        };
        (n <= MAX_LOW).then(|| (dfg.arg(i, 0), n))
    }

    fn is_low_closed(&self, v: Value, inputs: &mut Vec<Value>, left: &mut u32) -> bool {
        let dfg = &self.prover.func.dfg;
        let v = dfg.resolve(v);
        if dfg.as_bits(v).is_some() || inputs.contains(&v) {
            return true;
        }
        *left = left.saturating_sub(1);
        if *left == 0 || !dfg.ty(v).is_int() || dfg.ty(v).is_vector() {
            return false;
        }
        if let Some(i) = dfg.def_inst(v) {
            let narrow = matches!(dfg.op(i), Opcode::ZExt | Opcode::SExt) && dfg.ty(dfg.arg(i, 0)).bits() < MAX_LOW;
            match dfg.op(i) {
                Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor => {
                    return dfg.args(i).iter().all(|&a| self.is_low_closed(a, inputs, left));
                }
                Opcode::Trunc | Opcode::ZExt | Opcode::SExt if !narrow => {
                    return self.is_low_closed(dfg.arg(i, 0), inputs, left);
                }
                Opcode::Shl if dfg.as_bits(dfg.arg(i, 1)).is_some() => {
                    return self.is_low_closed(dfg.arg(i, 0), inputs, left);
                }
                _ => {}
            }
        }
        inputs.push(v);
        inputs.len() <= 4
    }
}

/// That a value is another.
fn equal(dfg: &ir::Dfg, v: Value, other: Value) -> Fact {
    let other = dfg.resolve(other);
    let bits = dfg.ty(v).bits();
    match dfg.as_bits(other) {
        Some(c) if dfg.ty(v).is_int() && !dfg.ty(v).is_vector() => Fact::Known(v, Info::constant(c, bits)),
        _ => Fact::Compare(IntCC::Eq, v, other),
    }
}
