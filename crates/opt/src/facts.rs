//! Uses what branches and assumptions say.
//!
//! In a block that is only entered when a condition holds, and after `assume(condition)`, the condition is true: its
//! other uses become constants, a value that equals a constant becomes it, and comparisons are decided by what is known
//! about their operands there: ranges, bits (`assume(n % 4 == 0)`), and relations (`i < n` decides `i >= n`).
//!
//! In a loop, what counts up from a constant and does not wrap is never below it.
//!
//! A walk over the dominator tree keeps the facts that hold; leaving a subtree takes its facts back.
//!
//! What must hold: verified IR. Only operands change; what becomes useless is left to others.
//!
//! Limits: [`MAX_FACTS`] facts in force at once; conjunctions are taken apart [`MAX_TERMS`] deep.
//!
//! Cost: linear in instructions, with one table look-up per operand where facts are in force.

use crate::PassContext;
use crate::known::{Bits, Known, Overlay, Range};
use crate::known_float;
use crate::simplify::{decide_unsigned, unsigned_cc};
use analysis::Cfg;
use cranelift_entity::SecondaryMap;
use ir::{Block, Flags, Function, Inst, IntCC, Opcode, Payload, Type, Value};
use rustc_hash::FxHashMap;
use target::Target;

/// Most facts in force at once.
const MAX_FACTS: usize = 512;
/// Deepest conjunction taken apart.
const MAX_TERMS: u32 = 8;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    cx.keep_graph();
    let conditional = |b: Block| func.dfg.op(func.layout.terminator(b)) != Opcode::Jump;
    let assumes = |b: Block| func.layout.insts(b).any(|i| func.dfg.op(i) == Opcode::Assume);
    if !cfg.rpo().iter().any(|&b| conditional(b) && func.succs(b).len() > 0 || assumes(b)) {
        return false;
    }
    let dom = cx.dom(func);
    let noted = ir::side_table(func.dfg.values.len());
    let target = cx.options.target;
    let mut w = Walk { func, target, facts: Facts::default(), noted, undo: Vec::new(), changed: false };
    for &b in dom.preorder() {
        w.block(&cfg, b, dom.depth(b));
    }
    w.changed
}

/// Takes out every assumption, with which what only they need may go. Runs when nothing asks for facts any more.
pub fn drop_assumptions(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let mut changed = false;
    let mut block = func.layout.first_block();
    while let Some(b) = block {
        block = func.layout.next_block(b);
        let mut next = func.layout.first_inst(b);
        while let Some(i) = next {
            next = func.layout.next_inst(i);
            if func.dfg.op(i) == Opcode::Assume {
                func.layout.remove_inst(i);
                changed = true;
            }
        }
    }
    changed
}

/// What is known about one value.
#[derive(Clone, Copy, Debug)]
struct Fact {
    range: Range,
    bits: Bits,
}

/// The facts in force.
#[derive(Default)]
struct Facts {
    values: FxHashMap<Value, Fact>,
    /// Possible outcomes of comparing two values: bit 0 less, 1 equal, 2 greater; signed, then unsigned.
    relations: FxHashMap<(Value, Value), [u8; 2]>,
}

impl Overlay for Facts {
    fn bits(&self, v: Value) -> Option<Bits> {
        self.values.get(&v).map(|f| f.bits)
    }
    fn range(&self, v: Value) -> Option<Range> {
        self.values.get(&v).map(|f| f.range)
    }
}

/// What to put back when the walk leaves a subtree.
enum Undo {
    Value(Value, Option<Fact>),
    Relation((Value, Value), Option<[u8; 2]>),
}

struct Walk<'a> {
    func: &'a mut Function,
    target: Target,
    facts: Facts,
    /// Values about which there has been a fact: most operands are none, and need no look into `facts`.
    noted: SecondaryMap<Value, bool>,
    undo: Vec<(u32, Undo)>,
    changed: bool,
}

impl Walk<'_> {
    /// What is known here.
    fn known(&self) -> Known<'_, Facts> {
        Known::with(self.func, self.target, &self.facts)
    }

    fn block(&mut self, cfg: &Cfg, b: Block, depth: u32) {
        while self.undo.last().is_some_and(|(d, _)| *d >= depth) {
            match self.undo.pop() {
                Some((_, Undo::Value(v, old))) => put_back(&mut self.facts.values, v, old),
                Some((_, Undo::Relation(key, old))) => put_back(&mut self.facts.relations, key, old),
                None => {}
            }
        }
        if let Some(e) = cfg.single_pred(b) {
            self.edge(e.inst, e.index, depth);
        } else if self.undo.len() <= MAX_FACTS {
            self.counters(cfg, b, depth);
        }
        let mut next = self.func.layout.first_inst(b);
        while let Some(i) = next {
            next = self.func.layout.next_inst(i);
            self.use_facts(i);
            if self.func.dfg.op(i) == Opcode::Assume {
                let cond = self.func.dfg.arg(i, 0);
                self.assert(cond, true, depth, MAX_TERMS);
            }
        }
    }

    /// What counts up from a constant, and does not wrap, is never below it.
    fn counters(&mut self, cfg: &Cfg, b: Block, depth: u32) {
        for k in 0..self.func.dfg.params(b).len() {
            let v = self.func.dfg.params(b)[k];
            let ty = self.func.dfg.ty(v);
            if !ty.is_int() || ty.lanes() > 1 || ty == Type::I1 {
                continue;
            }
            if let Some(lo) = self.smallest_start(cfg, b, k, v) {
                self.narrow(v, Range { lo, hi: ty.mask() >> 1 }, depth);
            }
        }
    }

    /// The smallest of the constants that parameter `k` of `b` begins with, if all else that comes in is `v` with something added.
    fn smallest_start(&self, cfg: &Cfg, b: Block, k: usize, v: Value) -> Option<u64> {
        let dfg = &self.func.dfg;
        let half = dfg.ty(v).mask() >> 1;
        let (mut lo, mut counts) = (None, false);
        for e in cfg.preds(b) {
            let from = *dfg.branch_args(e.inst, e.index as usize).get(k)?;
            if let Some(c) = dfg.as_bits(from) {
                lo = Some(lo.map_or(c, |l: u64| l.min(c)));
                if c > half {
                    return None;
                }
                continue;
            }
            let next = dfg.def_op(from, Opcode::Add).filter(|&i| dfg.insts[i].flags.has(Flags::NSW))?;
            let step = dfg.as_bits(dfg.arg(next, 1))?;
            if dfg.arg(next, 0) != v || step > half {
                return None;
            }
            counts = true;
        }
        lo.filter(|_| counts)
    }

    fn edge(&mut self, t: Inst, n: u32, depth: u32) {
        match self.func.dfg.insts[t].payload {
            Payload::Br(..) => {
                let cond = self.func.dfg.arg(t, 0);
                self.assert(cond, n == 0, depth, MAX_TERMS);
            }
            Payload::Switch(s) => {
                if let Some(&(c, _)) = self.func.dfg.switches[s].cases.get(n as usize) {
                    let v = self.func.dfg.arg(t, 0);
                    self.narrow(v, Range { lo: c, hi: c }, depth);
                }
            }
            _ => {}
        }
    }

    // ---- what follows ---------------------------------------------------------------------------------------------

    /// The truth value `cond` is `truth`.
    fn assert(&mut self, cond: Value, truth: bool, depth: u32, terms: u32) {
        if self.undo.len() > MAX_FACTS || self.func.dfg.as_const(cond).is_some() || self.func.dfg.ty(cond) != Type::I1 {
            return;
        }
        self.narrow(cond, Range { lo: u64::from(truth), hi: u64::from(truth) }, depth);
        let Some(i) = self.func.dfg.def_inst(cond).filter(|_| terms > 0) else { return };
        let dfg = &self.func.dfg;
        match dfg.op(i) {
            Opcode::And if truth => {
                let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
                self.assert(a, true, depth, terms - 1);
                self.assert(b, true, depth, terms - 1);
            }
            Opcode::Or if !truth => {
                let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
                self.assert(a, false, depth, terms - 1);
                self.assert(b, false, depth, terms - 1);
            }
            Opcode::Xor => {
                let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
                if dfg.as_bits(b) == Some(1) {
                    self.assert(a, !truth, depth, terms - 1);
                }
            }
            Opcode::Icmp => {
                let Some(cc) = dfg.insts[i].int_cc() else { return };
                let (x, y) = (dfg.arg(i, 0), dfg.arg(i, 1));
                if dfg.ty(x).is_int() && !dfg.ty(x).is_vector() {
                    self.compare(if truth { cc } else { cc.inverse() }, x, y, depth);
                }
            }
            _ => {}
        }
    }

    /// `x cc y` holds.
    fn compare(&mut self, cc: IntCC, x: Value, y: Value, depth: u32) {
        self.relate(cc, x, y, depth);
        self.bound(cc, x, y, depth);
        self.bound(cc.swapped(), y, x, depth);
        if cc == IntCC::Eq
            && let Some(c) = self.func.dfg.as_bits(y)
        {
            self.equals(x, c, depth);
        }
    }

    /// What `x cc y` says about the range of `x`.
    fn bound(&mut self, cc: IntCC, x: Value, y: Value, depth: u32) {
        use IntCC::*;
        if self.func.dfg.as_const(x).is_some() {
            return;
        }
        let mask = self.func.dfg.ty(x).mask();
        let smax = mask >> 1;
        let other = self.known().range(y);
        let own = self.known().range(x);
        let up_to = |hi: Option<u64>| hi.map(|hi| Range { lo: 0, hi });
        let from = |lo: Option<u64>, hi: u64| lo.map(|lo| Range { lo, hi });
        let range = match cc {
            Eq => Some(other),
            Ne => match other.single() {
                Some(c) if c == own.lo => from(c.checked_add(1), mask),
                Some(c) if c == own.hi => up_to(c.checked_sub(1)),
                _ => None,
            },
            Ult => up_to(other.hi.checked_sub(1)),
            Ule => up_to(Some(other.hi)),
            Ugt => from(other.lo.checked_add(1), mask),
            Uge => from(Some(other.lo), mask),
            // Signed conditions give an unsigned range where the signs are known.
            Slt if own.hi <= smax && other.hi <= smax => up_to(other.hi.checked_sub(1)),
            Sle if own.hi <= smax && other.hi <= smax => up_to(Some(other.hi)),
            Sgt if other.hi <= smax => from(other.lo.checked_add(1), smax),
            Sgt if other.single() == Some(mask) => Some(Range { lo: 0, hi: smax }),
            Sge if other.hi <= smax => from(Some(other.lo), smax),
            Slt if other.single() == Some(0) => Some(Range { lo: smax + 1, hi: mask }),
            _ => None,
        };
        if let Some(r) = range {
            self.narrow(x, r, depth);
        }
    }

    /// `x` is the constant `c`: what that says about what it is computed from.
    fn equals(&mut self, x: Value, c: u64, depth: u32) {
        let Some(i) = self.func.dfg.def_inst(x) else { return };
        let dfg = &self.func.dfg;
        let Some(a) = dfg.args(i).first().copied() else { return };
        let k = dfg.args(i).get(1).and_then(|&b| dfg.as_bits(b));
        match (dfg.op(i), k) {
            (Opcode::And, Some(m)) => self.learn_bits(a, Bits { zeros: m & !c, ones: m & c }, depth),
            // Divisible by the power of two in the divisor, whatever the sign.
            (Opcode::URem | Opcode::SRem, Some(d)) if c == 0 && d != 0 => {
                let low = (1u64 << d.trailing_zeros()) - 1;
                self.learn_bits(a, Bits { zeros: low, ones: 0 }, depth);
            }
            (Opcode::ZExt, _) if c <= dfg.ty(a).mask() => self.narrow(a, Range { lo: c, hi: c }, depth),
            _ => {}
        }
    }

    fn relate(&mut self, cc: IntCC, x: Value, y: Value, depth: u32) {
        let allowed = outcomes(cc);
        let old = self.facts.relations.get(&(x, y)).copied();
        let mut sets = old.unwrap_or([7, 7]);
        if !cc.is_unsigned() {
            sets[0] &= allowed;
        }
        if !cc.is_signed() {
            sets[1] &= allowed;
        }
        self.facts.relations.insert((x, y), sets);
        self.undo.push((depth, Undo::Relation((x, y), old)));
    }

    fn learn_bits(&mut self, v: Value, bits: Bits, depth: u32) {
        let mut fact = self.fact(v);
        fact.bits = Bits { zeros: fact.bits.zeros | bits.zeros, ones: fact.bits.ones | bits.ones };
        self.set(v, fact, depth);
    }

    fn narrow(&mut self, v: Value, range: Range, depth: u32) {
        if self.func.dfg.as_const(v).is_some() {
            return;
        }
        let mut fact = self.fact(v);
        let (lo, hi) = (fact.range.lo.max(range.lo), fact.range.hi.min(range.hi));
        if lo > hi || (lo, hi) == (fact.range.lo, fact.range.hi) {
            return;
        }
        fact.range = Range { lo, hi };
        self.set(v, fact, depth);
    }

    fn fact(&self, v: Value) -> Fact {
        let full = Range { lo: 0, hi: self.func.dfg.ty(v).mask() };
        self.facts.values.get(&v).copied().unwrap_or(Fact { range: full, bits: Bits::default() })
    }

    fn set(&mut self, v: Value, fact: Fact, depth: u32) {
        self.noted[v] = true;
        let old = self.facts.values.insert(v, fact);
        self.undo.push((depth, Undo::Value(v, old)));
    }

    // ---- using it -------------------------------------------------------------------------------------------------

    fn use_facts(&mut self, i: Inst) {
        if self.facts.values.is_empty() && self.facts.relations.is_empty() {
            return;
        }
        // The assumption itself must keep its condition, and a branch's condition its meaning for the blocks below.
        let op = self.func.dfg.op(i);
        if op != Opcode::Assume {
            self.substitute(i);
        }
        match op {
            Opcode::Icmp => self.decide(i),
            Opcode::Fcmp => self.decide_float(i),
            Opcode::And | Opcode::URem | Opcode::SRem => self.known_result(i),
            _ => {}
        }
    }

    /// Operands that are constants here.
    fn substitute(&mut self, i: Inst) {
        let Walk { func, facts, noted, changed, .. } = self;
        let mut found: smallvec::SmallVec<[(Value, u64); 4]> = smallvec::SmallVec::new();
        func.dfg.for_each_use(i, |v| {
            if noted[v]
                && let Some(c) = facts.values.get(&v).and_then(|f| f.range.single())
            {
                found.push((v, c));
            }
        });
        for (v, c) in found {
            let ty = func.dfg.ty(v);
            if !ty.is_int() || ty.is_vector() {
                continue;
            }
            let k = func.dfg.bits(ty, c);
            func.dfg.for_each_use_mut(i, |u| {
                if *u == v {
                    *u = k;
                }
            });
            *changed = true;
        }
    }

    /// The same of numbers that are made of integers with known bounds: `sin((float)i)` below `i < 1000`.
    fn decide_float(&mut self, i: Inst) {
        let dfg = &self.func.dfg;
        let Some(cc) = dfg.insts[i].float_cc() else { return };
        let known = self.known();
        let Some(a) = known.float_range(dfg.arg(i, 0)) else { return };
        let Some(b) = known.float_range(dfg.arg(i, 1)) else { return };
        if let Some(outcome) = known_float::decide(cc, a, b) {
            self.becomes(i, u64::from(outcome));
        }
    }

    /// A comparison that the facts decide becomes a constant for everything it dominates.
    fn decide(&mut self, i: Inst) {
        let dfg = &self.func.dfg;
        let Some(cc) = dfg.insts[i].int_cc() else { return };
        let (x, y) = (dfg.arg(i, 0), dfg.arg(i, 1));
        let ty = dfg.ty(x);
        if !ty.is_int() || ty.is_vector() {
            return;
        }
        let answer = self.by_relation(cc, x, y).or_else(|| self.by_relation(cc.swapped(), y, x)).or_else(|| {
            let (a, b) = (self.known().range(x), self.known().range(y));
            let same_sign = a.hi <= ty.mask() >> 1 && b.hi <= ty.mask() >> 1;
            (same_sign || !cc.is_signed()).then(|| decide_unsigned(unsigned_cc(cc), a, b)).flatten()
        });
        if let Some(answer) = answer {
            self.becomes(i, u64::from(answer));
        }
    }

    fn by_relation(&self, cc: IntCC, x: Value, y: Value) -> Option<bool> {
        let sets = self.facts.relations.get(&(x, y))?;
        let wanted = outcomes(cc);
        let says = |set: u8| match (set & wanted, set & !wanted) {
            (_, 0) => Some(true),
            (0, _) => Some(false),
            _ => None,
        };
        let (signed, unsigned) = (says(sets[0]), says(sets[1]));
        if cc.is_signed() {
            signed
        } else if cc.is_unsigned() {
            unsigned
        } else {
            signed.or(unsigned)
        }
    }

    /// Low bits that are known.
    fn known_result(&mut self, i: Inst) {
        let dfg = &self.func.dfg;
        let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
        let Some(c) = dfg.as_bits(b).filter(|_| self.facts.values.contains_key(&a)) else { return };
        let bits = self.known().bits(a);
        let value = match dfg.op(i) {
            Opcode::And if c & !(bits.zeros | bits.ones) == 0 => Some(c & bits.ones),
            Opcode::URem | Opcode::SRem if c.is_power_of_two() && (c - 1) & !bits.zeros == 0 => Some(0),
            _ => None,
        };
        if let Some(value) = value {
            self.becomes(i, value);
        }
    }

    /// The instruction's result is this constant. The instruction stays, to be swept when nothing uses it.
    fn becomes(&mut self, i: Inst, c: u64) {
        let v = self.func.dfg.res(i);
        let ty = self.func.dfg.ty(v);
        let k = self.func.dfg.bits(ty, c);
        let op = if ty.bits() == 1 { Opcode::And } else { Opcode::Or };
        // `k | k`, for the next simplification to see; the value keeps its place in the tables of facts.
        self.func.dfg.rewrite(i, op, ir::Flags::NONE, &[k, k], Payload::None);
        self.changed = true;
    }
}

fn put_back<K: std::hash::Hash + Eq, V>(map: &mut FxHashMap<K, V>, key: K, old: Option<V>) {
    match old {
        Some(v) => map.insert(key, v),
        None => map.remove(&key),
    };
}

fn outcomes(cc: IntCC) -> u8 {
    use IntCC::*;
    match cc {
        Eq => 2,
        Ne => 5,
        Slt | Ult => 1,
        Sle | Ule => 3,
        Sgt | Ugt => 4,
        Sge | Uge => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{apply, run_pass};
    use ir::{Builder, Flags, Module};

    fn returned(module: &Module, f: ir::FuncId) -> Vec<Option<i64>> {
        let f = &module.functions[f];
        let rets = f.layout.blocks().map(|b| f.layout.terminator(b)).filter(|&t| f.dfg.op(t) == Opcode::Return);
        rets.map(|t| f.dfg.as_int(f.dfg.arg(t, 0))).collect()
    }

    #[test]
    fn a_branch_decides_what_it_dominates() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I1, &[Type::I32, Type::I32], run, |f, entry, p| {
            let (yes, no) = (f.new_block(), f.new_block());
            let mut b = Builder::at_end(f, entry);
            let c = b.icmp(IntCC::Slt, p[0], p[1]);
            b.br(c, (yes, &[]), (no, &[]));
            b.switch_to(yes);
            let again = b.icmp(IntCC::Sge, p[0], p[1]);
            b.ret(Some(again));
            b.switch_to(no);
            let flipped = b.icmp(IntCC::Sgt, p[1], p[0]);
            let both = b.binary(Opcode::Or, flipped, c);
            b.ret(Some(both));
        });
        apply(&mut module, f, crate::simplify::run);
        assert_eq!(returned(&module, f), [Some(0), Some(0)]);
    }

    #[test]
    fn assumptions_about_multiples_and_ranges() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I32, &[Type::I32], run, |f, entry, p| {
            let mut b = Builder::at_end(f, entry);
            let (zero, four, hundred) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 4), b.iconst(Type::I32, 100));
            let r = b.binary(Opcode::SRem, p[0], four);
            let c = b.icmp(IntCC::Eq, r, zero);
            b.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[c], Payload::None);
            let small = b.icmp(IntCC::Ult, p[0], hundred);
            b.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[small], Payload::None);
            let two = b.iconst(Type::I32, 2);
            let even = b.binary(Opcode::SRem, p[0], two);
            let big = b.icmp(IntCC::Sgt, p[0], hundred);
            let w = b.cast(Opcode::ZExt, big, Type::I32);
            let sum = b.add(even, w);
            b.ret(Some(sum));
        });
        apply(&mut module, f, crate::simplify::run);
        assert_eq!(returned(&module, f), [Some(0)]);
    }
}
