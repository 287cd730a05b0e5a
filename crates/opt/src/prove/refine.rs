//! What is known about a result, carried back to what it is computed from.

use super::info::{Info, Residue, mask, signed};
use super::{Fact, MAX_FACTS, State};
use ir::{Inst, IntCC, Opcode, Type, Value};

/// Deepest chain of instructions that is followed back.
const MAX_DEPTH: u32 = 10;

impl State<'_, '_> {
    /// The truth value `cond` is `truth`.
    pub(super) fn assert(&mut self, cond: Value, truth: bool, depth: u32) {
        let func = self.prover.func;
        let cond = func.dfg.resolve(cond);
        if func.dfg.ty(cond) != Type::I1 {
            return;
        }
        self.note(cond, &Info::constant(u64::from(truth), 1));
        let Some(i) = func.dfg.def_inst(cond).filter(|_| depth < MAX_DEPTH && !self.dead) else { return };
        let arg = |n: usize| func.dfg.resolve(func.dfg.arg(i, n));
        match func.dfg.op(i) {
            Opcode::And | Opcode::Or => {
                // One side decided by the other.
                let settles = truth == (func.dfg.op(i) == Opcode::And);
                for (x, y) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    if settles || self.eval(y).single() == Some(u64::from(!truth)) {
                        self.assert(x, truth, depth + 1);
                    }
                }
            }
            Opcode::Xor => {
                for (x, y) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    if let Some(c) = self.eval(y).single() {
                        self.assert(x, truth != (c == 1), depth + 1);
                    }
                }
            }
            Opcode::Select => {
                let (c, yes, no) = (arg(0), arg(1), arg(2));
                let other = Some(u64::from(!truth));
                if self.eval(yes).single() == other {
                    self.assert(c, false, depth + 1);
                    self.assert(no, truth, depth + 1);
                } else if self.eval(no).single() == other {
                    self.assert(c, true, depth + 1);
                    self.assert(yes, truth, depth + 1);
                }
            }
            Opcode::Icmp => {
                if let Some(cc) = func.dfg.insts[i].int_cc() {
                    // What follows is something that holds, too.
                    let fact = Fact::Truth(cond, truth);
                    if depth > 0 && self.facts.len() < MAX_FACTS && !self.facts.contains(&fact) {
                        self.facts.push(fact);
                    }
                    self.compare(if truth { cc } else { cc.inverse() }, arg(0), arg(1), depth + 1);
                }
            }
            _ => {}
        }
    }

    /// `a cc b` holds.
    pub(super) fn compare(&mut self, cc: IntCC, a: Value, b: Value, depth: u32) {
        let ty = self.prover.func.dfg.ty(a);
        if ty.is_vector() || ty.is_float() {
            return;
        }
        if a == b {
            self.dead |= !cc.eval(0, 0, 8);
            return;
        }
        for (x, y, cc) in [(a, b, cc), (b, a, cc.swapped())] {
            let (now, other) = (self.eval(x), self.eval(y));
            match now.where_compares(cc, &other) {
                Some(info) => self.refine(x, &info, depth),
                None => self.dead = true,
            }
        }
    }

    /// Notes what `v` is. Whether that is news.
    fn note(&mut self, v: Value, info: &Info) -> Option<Info> {
        let now = self.eval(v);
        match now.and(info) {
            None => {
                self.dead = true;
                None
            }
            Some(both) if both == now => None,
            Some(both) => {
                if self.prover.func.dfg.as_const(v).is_none() {
                    self.overlay.insert(v, both);
                    self.memo.clear();
                }
                Some(both)
            }
        }
    }

    /// `v` is what `info` says, and what it is computed from accordingly.
    pub(super) fn refine(&mut self, v: Value, info: &Info, depth: u32) {
        let func = self.prover.func;
        let v = func.dfg.resolve(v);
        let _ = self.note(v, info);
        let known = self.eval(v);
        let Some(i) = func.dfg.def_inst(v).filter(|_| depth < MAX_DEPTH && !self.dead && self.prover.has_steps())
        else {
            return;
        };
        if func.dfg.ty(v) == Type::I1 {
            if let Some(c) = known.single() {
                self.assert(v, c == 1, depth + 1);
            }
            return;
        }
        let args = func.dfg.args(i);
        if args.iter().any(|&a| func.dfg.ty(a).is_vector() || func.dfg.ty(a).is_float()) {
            return;
        }
        match args {
            [a] => self.back_unary(i, func.dfg.resolve(*a), &known, depth),
            [a, b] => {
                let (a, b) = (func.dfg.resolve(*a), func.dfg.resolve(*b));
                self.back_binary(i, (a, b), &known, depth);
                let swaps = func.dfg.op(i).is_commutative();
                if swaps && !self.dead {
                    self.back_binary(i, (b, a), &known, depth);
                }
            }
            _ => {}
        }
    }

    fn back_unary(&mut self, i: Inst, a: Value, known: &Info, depth: u32) {
        let func = self.prover.func;
        let bits = func.dfg.ty(a).bits();
        let full = Info::full(bits);
        let low = Info { zeros: known.zeros & mask(bits), ones: known.ones & mask(bits), ..full };
        let info = match func.dfg.op(i) {
            Opcode::ZExt => Info { ulo: known.ulo, uhi: known.uhi.min(full.uhi), ures: known.ures, ..low },
            Opcode::SExt => {
                Info { slo: known.slo.max(full.slo), shi: known.shi.min(full.shi), sres: known.sres, ..low }
            }
            Opcode::Trunc => Info { zeros: known.zeros & mask(known.bits), ones: known.ones, ..full },
            Opcode::PtrToInt | Opcode::IntToPtr if bits == known.bits => *known,
            Opcode::AddrSpaceCast if self.prover.is_same_address(a) => *known,
            Opcode::Popcnt if known.ulo > 0 => Info { ulo: 1, ..full },
            _ => return,
        };
        match info.reduced() {
            Some(info) => self.refine(a, &info, depth + 1),
            None => self.dead = true,
        }
    }

    /// What is known about `a` of `v = a op b`.
    fn back_binary(&mut self, i: Inst, (a, b): (Value, Value), known: &Info, depth: u32) {
        let func = self.prover.func;
        let data = &func.dfg.insts[i];
        if func.dfg.as_const(a).is_some() || func.dfg.ty(a).bits() != known.bits || func.dfg.ty(b).bits() != known.bits
        {
            return;
        }
        let bits = known.bits;
        let full = Info::full(bits);
        let (own, other) = (self.eval(a), self.eval(b));
        let c = other.single();
        let unwrapped = data.flags.has(ir::Flags::NSW);
        let info = match data.op {
            Opcode::Add | Opcode::PtrAdd => back_sum(&own, &other, known, unwrapped, false),
            // b - a is not looked at: `sub` does not commute.
            Opcode::Sub => back_sum(&own, &other, known, unwrapped, true),
            Opcode::And => Info { zeros: known.zeros & other.ones, ones: known.ones, ulo: known.ulo, ..full },
            Opcode::Or => Info { zeros: known.zeros, ones: known.ones & other.zeros, uhi: known.uhi, ..full },
            Opcode::Xor => Info {
                zeros: known.zeros & other.zeros | known.ones & other.ones,
                ones: known.ones & other.zeros | known.zeros & other.ones,
                ..full
            },
            Opcode::UMin => Info { ulo: known.ulo, ..full },
            Opcode::UMax => Info { uhi: known.uhi, ..full },
            Opcode::SMin => Info { slo: known.slo, ..full },
            Opcode::SMax => Info { shi: known.shi, ..full },
            _ => match c {
                Some(c) => match back_constant(data.op, data.flags, &own, known, c) {
                    Some(info) => info,
                    None => return,
                },
                None => return,
            },
        };
        match info.reduced() {
            Some(info) => self.refine(a, &info, depth + 1),
            None => self.dead = true,
        }
    }
}

/// What is known about `a` where `a + b`, or `a - b`, is known.
fn back_sum(own: &Info, b: &Info, known: &Info, unwrapped: bool, minus: bool) -> Info {
    let bits = known.bits;
    let full = Info::full(bits);
    let mut r = full;
    let (blo, bhi) = if minus { (-i128::from(b.shi), -i128::from(b.slo)) } else { (b.slo.into(), b.shi.into()) };
    let fits = |own: (i128, i128), least: i128, most: i128| own.0 + blo >= least && own.1 + bhi <= most;
    if unwrapped || fits((own.slo.into(), own.shi.into()), full.slo.into(), full.shi.into()) {
        r.slo = (i128::from(known.slo) - bhi).clamp(full.slo.into(), full.shi.into()) as i64;
        r.shi = (i128::from(known.shi) - blo).clamp(full.slo.into(), full.shi.into()) as i64;
        let k = if minus { 1 } else { -1 };
        r.sres = known.sres.plus(k, b.sres);
    }
    // The unsigned reading with `b` as a signed number.
    if fits((own.ulo.into(), own.uhi.into()), 0, full.uhi.into()) {
        r.ulo = (i128::from(known.ulo) - bhi).clamp(0, full.uhi.into()) as u64;
        r.uhi = (i128::from(known.uhi) - blo).clamp(0, full.uhi.into()) as u64;
    }
    if let Some(c) = b.single() {
        // An interval that comes back from wrapping in one piece.
        let c = if minus { c.wrapping_neg() } else { c };
        let (lo, hi) = (known.ulo.wrapping_sub(c) & mask(bits), known.uhi.wrapping_sub(c) & mask(bits));
        if lo <= hi {
            r.ulo = r.ulo.max(lo);
            r.uhi = r.uhi.min(hi);
        } else {
            let (slo, shi) = (signed(lo, bits), signed(hi, bits));
            if slo <= shi {
                r.slo = r.slo.max(slo);
                r.shi = r.shi.min(shi);
            }
        }
    }
    // Low bits that both have.
    let low = known.known_low().min(b.known_low());
    if low > 0 {
        let value = if minus { known.ones.wrapping_add(b.ones) } else { known.ones.wrapping_sub(b.ones) };
        r.zeros |= !value & mask(low);
        r.ones |= value & mask(low);
    }
    r
}

fn back_constant(op: Opcode, flags: ir::Flags, own: &Info, known: &Info, c: u64) -> Option<Info> {
    let bits = known.bits;
    let full = Info::full(bits);
    let s = signed(c, bits);
    Some(match op {
        Opcode::URem | Opcode::SRem => {
            let d = if op == Opcode::URem { c } else { s.unsigned_abs() };
            if d == 0 {
                return None;
            }
            let mut r = full;
            let pow = (1u64 << d.trailing_zeros().min(63)) - 1;
            let low = pow & mask(known.known_low());
            r.zeros = known.zeros & low;
            r.ones = known.ones & low;
            match known.single() {
                Some(n) if op == Opcode::URem => r.ures = Residue::new(d.into(), n.into()),
                Some(n) => {
                    let n = signed(n, bits);
                    r.sres = Residue::new(d.into(), n.into());
                    // A remainder has the sign of what it is of.
                    if n > 0 {
                        r.slo = n;
                    } else if n < 0 {
                        r.shi = n;
                    }
                }
                None if op == Opcode::SRem && known.slo > 0 => r.slo = known.slo,
                None if op == Opcode::SRem && known.shi < 0 => r.shi = known.shi,
                None if op == Opcode::URem => r.ulo = known.ulo,
                None => return None,
            }
            r
        }
        Opcode::UDiv if c > 0 => Info {
            ulo: known.ulo.saturating_mul(c),
            uhi: known.uhi.saturating_mul(c).saturating_add(c - 1).min(full.uhi),
            ..full
        },
        Opcode::SDiv if s > 0 => {
            let c = i128::from(s);
            let lo = if known.slo > 0 { i128::from(known.slo) * c } else { (i128::from(known.slo) * c) - (c - 1) };
            let hi = if known.shi < 0 { i128::from(known.shi) * c } else { (i128::from(known.shi) * c) + (c - 1) };
            Info::signed(lo, hi, bits)
        }
        Opcode::LShr if c < u64::from(bits) => {
            let m = mask(bits);
            Info { zeros: known.zeros << c & m, ones: known.ones << c & m, ..full }
        }
        Opcode::AShr if c < u64::from(bits) => {
            let lo = i128::from(known.slo) << c;
            let hi = (i128::from(known.shi) << c) + (1i128 << c) - 1;
            Info::signed(lo, hi, bits)
        }
        Opcode::Shl if c < u64::from(bits) => back_product(own, known, flags, 1 << c, c + 1 == u64::from(bits), full),
        Opcode::Mul if c != 0 => back_product(own, known, flags, c, false, full),
        _ => return None,
    })
}

/// What is known about `a` where `a * c` is known.
fn back_product(own: &Info, known: &Info, flags: ir::Flags, c: u64, negative: bool, full: Info) -> Info {
    let bits = known.bits;
    let mut r = full;
    let s = i128::from(signed(c, bits));
    let fits = i128::from(own.slo) * s >= i128::from(full.slo) && i128::from(own.shi) * s <= i128::from(full.shi);
    if s > 0 && !negative && (flags.has(ir::Flags::NSW) || fits) {
        let floor = |x: i64| i128::from(x).div_euclid(s);
        let ceil = |x: i64| -((-i128::from(x)).div_euclid(s));
        r.slo = ceil(known.slo).clamp(full.slo.into(), full.shi.into()) as i64;
        r.shi = floor(known.shi).clamp(full.slo.into(), full.shi.into()) as i64;
    }
    let tops = u128::from(own.uhi) * u128::from(c) <= u128::from(full.uhi);
    if flags.has(ir::Flags::NUW) || tops {
        r.ulo = known.ulo.div_ceil(c);
        r.uhi = known.uhi / c;
    }
    // Zeros below move down by those of the factor.
    let tz = known.tz().saturating_sub(c.trailing_zeros());
    r.zeros |= mask(tz.min(bits)) & if tz == 0 { 0 } else { u64::MAX };
    r
}
