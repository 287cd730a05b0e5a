//! Inequalities between sums of integers, as numbers without a width.
//!
//! Each value has two readings, which are one where the sign is known to be clear. A sum is taken apart where it is known
//! not to wrap in a reading; what is not a sum is a variable, about which its definition says more (a quotient, a
//! minimum, a masked number). That the inequalities have no solution is found by eliminating one variable after the
//! other.
//!
//! Limits: [`MAX_VARIABLES`], [`MAX_INEQUALITIES`], [`MAX_FACTOR`].

use super::State;
use super::info::{Residue, gcd, signed};
use ir::{Flags, Inst, IntCC, Opcode, Value};
use std::collections::BTreeMap;

/// Most variables of a system.
const MAX_VARIABLES: usize = 28;
/// Most inequalities at any time.
const MAX_INEQUALITIES: usize = 400;
/// Largest factor of a variable.
const MAX_FACTOR: i128 = 1 << 80;
/// Deepest nesting of systems for whether a difference wraps.
const MAX_NEST: u32 = 1;
/// Deepest chain of instructions that becomes a sum.
const MAX_DEPTH: u32 = 12;

/// A value as a signed number, or as an unsigned one.
type Variable = (Value, bool);

/// A sum of multiples of variables and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sum {
    terms: BTreeMap<Variable, i128>,
    constant: i128,
}

impl Sum {
    fn constant(constant: i128) -> Self {
        Self { constant, ..Self::default() }
    }

    fn variable(v: Variable) -> Self {
        Self { terms: BTreeMap::from([(v, 1)]), constant: 0 }
    }

    /// `self + k × other`, where nothing becomes too large.
    fn plus(mut self, k: i128, other: &Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(k)?)?;
        for (v, c) in &other.terms {
            let e = self.terms.entry(*v).or_default();
            *e = e.checked_add(c.checked_mul(k)?)?;
            if e.abs() > MAX_FACTOR {
                return None;
            }
        }
        self.terms.retain(|_, c| *c != 0);
        Some(self)
    }

    /// Of `self >= 0`: the common factor goes, and what is left of the constant is rounded down.
    fn tightened(mut self) -> Self {
        let wide = |c: &i128| u64::try_from(c.unsigned_abs()).unwrap_or(1);
        let g = self.terms.values().fold(0, |g, c| if g == 0 { wide(c) } else { gcd(g, wide(c)) });
        if g > 1 {
            self.terms.values_mut().for_each(|c| *c /= i128::from(g));
            self.constant = self.constant.div_euclid(i128::from(g));
        }
        self
    }
}

/// Inequalities `sum >= 0`, and the variables whose definitions are in.
#[derive(Default)]
struct System {
    sums: Vec<Sum>,
    seen: Vec<Variable>,
    residues: BTreeMap<Variable, Residue>,
}

impl System {
    /// `a - b + k >= 0`.
    fn at_least(&mut self, a: &Sum, b: &Sum, k: i128) {
        if let Some(s) = a.clone().plus(-1, b).and_then(|s| s.plus(1, &Sum::constant(k))) {
            self.sums.push(s.tightened());
        }
    }

    /// A sum of multiples that is positive is at least the next of the numbers that it can be.
    fn round(&mut self) {
        for s in &mut self.sums {
            let mut r = Residue::exact(s.constant);
            for (v, c) in &s.terms {
                r = r.plus(*c, self.residues.get(v).copied().unwrap_or(Residue::ANY));
            }
            if let Some(up) = r.least() {
                s.constant -= up;
            }
        }
    }

    /// Whether no numbers satisfy all of it.
    fn has_no_solution(mut self) -> bool {
        self.round();
        loop {
            self.sums.sort_unstable_by(|a, b| (a.terms.iter().cmp(b.terms.iter())).then(a.constant.cmp(&b.constant)));
            // Of those with the same terms the first is the strongest.
            self.sums.dedup_by(|next, first| next.terms == first.terms);
            if self.sums.iter().any(|s| s.terms.is_empty() && s.constant < 0) {
                return true;
            }
            let mut counts: BTreeMap<Variable, (usize, usize)> = BTreeMap::new();
            for s in &self.sums {
                for (v, c) in &s.terms {
                    let e = counts.entry(*v).or_default();
                    if *c > 0 { e.0 += 1 } else { e.1 += 1 }
                }
            }
            let Some((&v, _)) = counts.iter().min_by_key(|(_, (p, n))| p * n) else { return false };
            let (with, without): (Vec<Sum>, Vec<Sum>) = self.sums.into_iter().partition(|s| s.terms.contains_key(&v));
            self.sums = without;
            for up in with.iter().filter(|s| s.terms[&v] > 0) {
                for down in with.iter().filter(|s| s.terms[&v] < 0) {
                    let (p, n) = (up.terms[&v], -down.terms[&v]);
                    let scaled = Sum::default().plus(n, up).and_then(|s| s.plus(p, down));
                    if let Some(s) = scaled.filter(|s| !s.terms.is_empty() || s.constant < 0) {
                        self.sums.push(s.tightened());
                    }
                }
                if self.sums.len() > MAX_INEQUALITIES {
                    return false;
                }
            }
        }
    }
}

impl State<'_, '_> {
    /// Whether the comparisons cannot all hold.
    pub(super) fn contradicts_sums(&mut self, comparisons: &[(IntCC, Value, Value)]) -> bool {
        let mut system = System::default();
        for &(cc, a, b) in comparisons {
            let ty = self.prover.func.dfg.ty(a);
            if ty.is_vector() || ty.is_float() {
                continue;
            }
            self.comparison(&mut system, cc, a, b);
        }
        let mut next = 0;
        while next < system.sums.len() && system.seen.len() <= MAX_VARIABLES {
            let variables: Vec<Variable> = system.sums[next].terms.keys().copied().collect();
            next += 1;
            for v in variables {
                if !system.seen.contains(&v) {
                    system.seen.push(v);
                    self.bounds(&mut system, v);
                    self.definition(&mut system, v);
                }
            }
        }
        self.dead || system.has_no_solution()
    }

    fn comparison(&mut self, system: &mut System, cc: IntCC, a: Value, b: Value) {
        use IntCC::*;
        let readings: &[bool] = match cc {
            Eq => &[true, false],
            Ne => return,
            _ if cc.is_signed() => &[true],
            _ => &[false],
        };
        for &signed in readings {
            let (x, y) = (self.sum(a, signed, 0), self.sum(b, signed, 0));
            match cc {
                Slt | Ult => system.at_least(&y, &x, -1),
                Sle | Ule => system.at_least(&y, &x, 0),
                Sgt | Ugt => system.at_least(&x, &y, -1),
                Sge | Uge => system.at_least(&x, &y, 0),
                _ => {
                    system.at_least(&x, &y, 0);
                    system.at_least(&y, &x, 0);
                }
            }
        }
    }

    /// The value in a reading, taken apart as far as nothing wraps.
    fn sum(&mut self, v: Value, is_signed: bool, depth: u32) -> Sum {
        let dfg = &self.prover.func.dfg;
        let v = dfg.resolve(v);
        let bits = dfg.ty(v).bits();
        if let Some(c) = dfg.as_bits(v) {
            return Sum::constant(if is_signed { signed(c, bits).into() } else { c.into() });
        }
        let info = self.eval(v);
        if let Some(c) = info.single() {
            return Sum::constant(if is_signed { signed(c, bits).into() } else { c.into() });
        }
        // Where the sign is clear the readings are one.
        let is_signed = is_signed || info.slo >= 0;
        let whole = || Sum::variable((v, is_signed));
        let Some(i) = dfg.def_inst(v).filter(|_| depth < MAX_DEPTH && bits > 1) else { return whole() };
        self.sum_of(i, is_signed, depth).unwrap_or_else(whole)
    }

    fn sum_of(&mut self, i: Inst, is_signed: bool, depth: u32) -> Option<Sum> {
        let dfg = &self.prover.func.dfg;
        let args: smallvec::SmallVec<[Value; 4]> = dfg.args(i).iter().map(|&v| dfg.resolve(v)).collect();
        let op = dfg.op(i);
        if args.iter().any(|&a| dfg.ty(a).is_vector() || dfg.ty(a).is_float()) {
            return None;
        }
        let (first, second) = (*args.first()?, args.get(1).copied());
        match op {
            Opcode::Add | Opcode::PtrAdd | Opcode::Sub => {
                let (a, b) = (first, second?);
                let k = if op == Opcode::Sub { -1 } else { 1 };
                let b_signed = self.exact(i, a, b, is_signed, k)?;
                let (x, y) = (self.sum(a, is_signed, depth + 1), self.sum(b, b_signed, depth + 1));
                x.plus(k, &y)
            }
            // Without a bit in common there is no carry.
            Opcode::Or | Opcode::Xor => {
                let (x, y) = (self.eval(first), self.eval(second?));
                let apart = (x.zeros | y.zeros).count_ones() == dfg.ty(first).bits();
                if !apart || is_signed && (x.slo < 0 && y.slo < 0) {
                    return None;
                }
                let (x, y) = (self.sum(first, is_signed, depth + 1), self.sum(second?, is_signed, depth + 1));
                x.plus(1, &y)
            }
            Opcode::Mul | Opcode::Shl => {
                let bits = dfg.ty(first).bits();
                let c = dfg.as_bits(second?)?;
                let k = match op {
                    Opcode::Mul if is_signed => i128::from(signed(c, bits)),
                    Opcode::Mul => i128::from(c),
                    _ if c + 1 < u64::from(bits) => 1i128 << c,
                    _ => return None,
                };
                let info = self.eval(first);
                let flags = dfg.insts[i].flags;
                let full = super::Info::full(bits);
                let (lo, hi, least, most, flag): (i128, i128, i128, i128, Flags) = if is_signed {
                    (info.slo.into(), info.shi.into(), full.slo.into(), full.shi.into(), Flags::NSW)
                } else {
                    (i128::from(info.ulo), info.uhi.into(), 0, i128::from(full.uhi), Flags::NUW)
                };
                let (x, y) = (k * lo, k * hi);
                if !flags.has(flag) && (x.min(y) < least || x.max(y) > most) {
                    return None;
                }
                let x = self.sum(first, is_signed, depth + 1);
                Sum::default().plus(k, &x)
            }
            Opcode::ZExt => Some(self.sum(first, false, depth + 1)),
            Opcode::SExt if is_signed => Some(self.sum(first, true, depth + 1)),
            Opcode::Trunc => {
                let (from, to) = (self.eval(first), super::Info::full(dfg.insts[i].ty.bits()));
                let fits = if is_signed { from.slo >= to.slo && from.shi <= to.shi } else { from.uhi <= to.uhi };
                fits.then(|| self.sum(first, is_signed, depth + 1))
            }
            Opcode::PtrToInt | Opcode::IntToPtr => Some(self.sum(first, is_signed, depth + 1)),
            _ => None,
        }
    }

    /// Whether `a ± b` is what it is without a width, and in which reading of `b`.
    fn exact(&mut self, i: Inst, a: Value, b: Value, is_signed: bool, k: i128) -> Option<bool> {
        let data = &self.prover.func.dfg.insts[i];
        let (x, y) = (self.eval(a), self.eval(b));
        let full = super::Info::full(x.bits);
        let fits = |alo: i128, ahi: i128, blo: i128, bhi: i128, least: i128, most: i128| {
            let (p, q) = (k * blo, k * bhi);
            alo + p.min(q) >= least && ahi + p.max(q) <= most
        };
        if is_signed {
            let ok = data.flags.has(Flags::NSW)
                || fits(x.slo.into(), x.shi.into(), y.slo.into(), y.shi.into(), full.slo.into(), full.shi.into());
            return ok.then_some(true);
        }
        let (ulo, uhi, most) = (i128::from(x.ulo), i128::from(x.uhi), i128::from(full.uhi));
        if data.flags.has(Flags::NUW) || fits(ulo, uhi, y.ulo.into(), y.uhi.into(), 0, most) {
            return Some(false);
        }
        if fits(ulo, uhi, y.slo.into(), y.shi.into(), 0, most) {
            return Some(true);
        }
        // What is taken away is at most what there is.
        let smaller = k < 0 && (self.prover.is_place_in(b, a) || self.is_never_less(a, b));
        smaller.then_some(false)
    }

    /// Whether `a >= b` as unsigned numbers, by sums.
    fn is_never_less(&mut self, a: Value, b: Value) -> bool {
        if !self.prover.enter(MAX_NEST) {
            return false;
        }
        let mut all = self.comparisons();
        all.push((IntCC::Ult, a, b));
        let found = self.contradicts_sums(&all);
        self.prover.leave();
        found
    }

    fn bounds(&mut self, system: &mut System, (v, is_signed): Variable) {
        let info = self.eval(v);
        let (lo, hi) =
            if is_signed { (info.slo.into(), info.shi.into()) } else { (i128::from(info.ulo), info.uhi.into()) };
        let x = Sum::variable((v, is_signed));
        system.at_least(&x, &Sum::constant(lo), 0);
        system.at_least(&Sum::constant(hi), &x, 0);
        system.residues.insert((v, is_signed), if is_signed { info.sres } else { info.ures });
    }

    /// What the instruction says that computes a variable.
    fn definition(&mut self, system: &mut System, (v, is_signed): Variable) {
        use Opcode::*;
        let dfg = &self.prover.func.dfg;
        let Some(i) = dfg.def_inst(v) else { return };
        let data = &dfg.insts[i];
        let x = Sum::variable((v, is_signed));
        if data.special().is_some() {
            return self.places(system, v, &x);
        }
        let args: smallvec::SmallVec<[Value; 4]> = dfg.args(i).iter().map(|&v| dfg.resolve(v)).collect();
        if args.iter().any(|&a| dfg.ty(a).is_vector() || dfg.ty(a).is_float() || dfg.ty(a).is_ptr()) {
            return;
        }
        let (op, bits) = (data.op, data.ty.bits());
        let nonnegative = self.eval(v).slo >= 0;
        match (op, &args[..]) {
            (UMin | UMax | SMin | SMax, &[a, b]) => {
                let reading = matches!(op, SMin | SMax);
                if reading != is_signed && !nonnegative {
                    return;
                }
                for o in [a, b] {
                    let o = self.sum(o, reading, 0);
                    if matches!(op, UMin | SMin) { system.at_least(&o, &x, 0) } else { system.at_least(&x, &o, 0) }
                }
            }
            (And | Or | Xor, &[a, b]) if !is_signed || nonnegative => {
                let (p, q) = (self.sum(a, false, 0), self.sum(b, false, 0));
                for o in [&p, &q] {
                    match op {
                        And => system.at_least(o, &x, 0),
                        Or => system.at_least(&x, o, 0),
                        _ => {}
                    }
                }
                // What a constant mask takes away is at most its clear bits.
                if op == And
                    && let Some(m) = dfg.as_bits(b)
                {
                    system.at_least(&x, &p, i128::from(!m & super::info::mask(bits)));
                }
                if op != And
                    && let Some(both) = p.plus(1, &q)
                {
                    system.at_least(&both, &x, 0);
                }
            }
            (Abs, &[a]) => {
                let a = self.sum(a, true, 0);
                system.at_least(&x, &a, 0);
                if let Some(minus) = Sum::default().plus(-1, &a) {
                    system.at_least(&x, &minus, 0);
                }
            }
            (UDiv | URem | SDiv | SRem | LShr | AShr, &[a, b]) => {
                self.division(system, op, &x, (a, b), bits, is_signed)
            }
            _ => {}
        }
    }

    /// Ids are below sizes.
    fn places(&mut self, system: &mut System, id: Value, x: &Sum) {
        let func = self.prover.func;
        for size in self.prover.registers() {
            if self.prover.is_place_in(id, size) {
                let y = self.sum(func.dfg.resolve(size), false, 0);
                system.at_least(&y, x, -1);
            }
        }
    }

    fn division(
        &mut self,
        system: &mut System,
        op: Opcode,
        x: &Sum,
        (a, b): (Value, Value),
        bits: u32,
        is_signed: bool,
    ) {
        use Opcode::*;
        let signed_op = matches!(op, SDiv | SRem | AShr);
        let (p, q) = (self.eval(a), self.eval(b));
        if !signed_op && is_signed && p.slo < 0 && op != LShr {
            return;
        }
        let a = self.sum(a, signed_op, 0);
        match op {
            URem => {
                system.at_least(&a, x, 0);
                if q.ulo > 0 {
                    let b = self.sum(b, false, 0);
                    system.at_least(&b, x, -1);
                }
            }
            SRem if p.slo >= 0 => {
                system.at_least(&a, x, 0);
                if q.slo > 0 {
                    let b = self.sum(b, true, 0);
                    system.at_least(&b, x, -1);
                }
            }
            UDiv | SDiv | LShr | AShr => {
                let shifts = matches!(op, LShr | AShr);
                let c = match q.single() {
                    Some(n) if shifts && n < u64::from(bits) - 1 => 1i128 << n,
                    Some(n) if !shifts && n > 0 && signed(n, bits) > 0 => i128::from(n),
                    _ => {
                        // Some divisor of at least 1 makes nothing larger.
                        if p.slo >= 0 && (shifts || q.slo > 0) || op == UDiv && q.ulo > 0 || op == LShr {
                            system.at_least(&a, x, 0);
                        }
                        return;
                    }
                };
                // Towards zero, or down.
                let floor = op != SDiv || p.slo >= 0;
                let Some(cx) = Sum::default().plus(c, x) else { return };
                system.at_least(&a, &cx, if floor { 0 } else { c - 1 });
                system.at_least(&cx, &a, c - 1);
            }
            _ => {}
        }
    }
}
