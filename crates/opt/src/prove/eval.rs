//! What a value can be, from the values that it is computed from.

use super::info::{Info, Residue, mask, signed};
use super::{Edge, Prover, State};
use analysis::launch;
use ir::{AddrSpace, Block, ConstKind, Flags, Inst, Opcode, SpecialReg, Value, ValueDef};

/// Deepest chain of instructions looked through.
const MAX_DEPTH: u32 = 24;
/// Most ways into a block that are looked at.
const MAX_INCOMING: usize = 8;
/// Most blocks and loops looked into for one another's sake.
const MAX_NEST: u32 = 4;
/// Rounds of an induction before its bounds go to the type's own, and altogether.
const ROUNDS: (u32, u32) = (3, 8);

impl State<'_, '_> {
    /// What is known about `v` here.
    pub(super) fn eval(&mut self, v: Value) -> Info {
        self.eval_at(v, 0)
    }

    fn eval_at(&mut self, v: Value, depth: u32) -> Info {
        let v = self.prover.func.dfg.resolve(v);
        if let Some(i) = self.memo.get(&v) {
            return *i;
        }
        let bits = self.prover.func.dfg.ty(v).bits();
        if depth > MAX_DEPTH || !self.prover.spend() {
            return self.overlay.get(&v).copied().unwrap_or(Info::full(bits));
        }
        let mut info = self.computed(v, bits, depth);
        if let Some(more) = self.overlay.get(&v) {
            match info.and(more) {
                Some(both) => info = both,
                None => self.dead = true,
            }
        }
        self.memo.insert(v, info);
        info
    }

    fn computed(&mut self, v: Value, bits: u32, depth: u32) -> Info {
        let func = self.prover.func;
        let ty = func.dfg.ty(v);
        let full = Info::full(bits);
        if ty.is_vector() || ty.is_float() {
            return full;
        }
        match func.dfg.def(v) {
            ValueDef::Const(ConstKind::Bits(c)) => Info::constant(c, bits),
            ValueDef::Const(ConstKind::Global(g)) => {
                self.prover.module.globals.get(g).map_or(full, |data| address(data.align, bits))
            }
            ValueDef::Const(ConstKind::Slot(s)) => address(func.slots[s].align, bits),
            ValueDef::Const(ConstKind::Undef) | ValueDef::Alias(_) => full,
            ValueDef::Param(b, n) => self.prover.param(b, n as usize, v),
            ValueDef::Inst(i) => self.instruction(i, bits, depth),
        }
    }

    fn instruction(&mut self, i: Inst, bits: u32, depth: u32) -> Info {
        use Opcode::*;
        let func = self.prover.func;
        let data = &func.dfg.insts[i];
        let args = func.dfg.args(i);
        let full = Info::full(bits);
        if data.op == Special {
            let known = data.special().and_then(|r| launch::register_fact(func, self.prover.target, r));
            return known.map_or(full, |(lo, hi)| Info::unsigned(lo, hi, bits));
        }
        if data.op == Select {
            return self.select(i, depth);
        }
        if args.is_empty() || args.iter().any(|&a| func.dfg.ty(a).is_vector() || func.dfg.ty(a).is_float()) {
            return full;
        }
        if !(data.op.is_pure() || data.op == PtrAdd) {
            return full;
        }
        let a = self.eval_at(args[0], depth + 1);
        if data.op == AddrSpaceCast {
            return self.cast_address(args[0], &a);
        }
        let Some(&second) = args.get(1) else { return unary(data.op, data.flags, &a, bits) };
        if args.len() > 2 {
            return full;
        }
        let b = self.eval_at(second, depth + 1);
        if data.op == Icmp {
            let answer =
                data.int_cc().and_then(|cc| if args[0] == second { Some(cc.eval(0, 0, 8)) } else { a.compare(cc, &b) });
            return answer.map_or(full, |t| Info::constant(u64::from(t), 1));
        }
        let square = args[0] == second;
        let info = binary(data.op, data.flags, &a, &b, square);
        match (data.op, self.prover.is_place_in(args[0], second), self.prover.is_place_in(second, args[0])) {
            // An id is below its size.
            (URem, true, _) => a,
            (UDiv, true, _) => Info::constant(0, bits),
            (Sub, _, true) => info.and(&Info::unsigned(1, a.uhi, bits)).unwrap_or(info),
            _ => info,
        }
    }

    /// An address in another space: the same number where both are of global memory; and not null where it was not.
    fn cast_address(&mut self, from: Value, a: &Info) -> Info {
        if self.prover.is_same_address(from) {
            return *a;
        }
        let variable = matches!(self.prover.func.dfg.as_const(from), Some(ConstKind::Slot(_) | ConstKind::Global(_)));
        let low = Info::of_bits((1 << a.tz().min(16)) - 1, 0, 64);
        Info { ulo: low.ulo.max(u64::from(variable || a.ulo > 0)), ..low }.reduced().unwrap_or(low)
    }

    /// Either operand, each under what picking it says.
    fn select(&mut self, i: Inst, depth: u32) -> Info {
        let args = self.prover.func.dfg.args(i);
        match self.eval_at(args[0], depth + 1).single() {
            Some(1) => return self.eval_at(args[1], depth + 1),
            Some(_) => return self.eval_at(args[2], depth + 1),
            None => {}
        }
        let mut all: Option<Info> = None;
        for (n, truth) in [(1, true), (2, false)] {
            let info = if depth < 3 && self.prover.enter(MAX_NEST) {
                let mut side = self.fork();
                side.learn(args[0], truth);
                let info = side.eval(args[n]);
                self.prover.leave();
                if side.dead {
                    continue;
                }
                info
            } else {
                self.eval_at(args[n], depth + 1)
            };
            all = Some(all.map_or(info, |x| x.or(&info)));
        }
        all.unwrap_or(Info::full(self.prover.func.dfg.insts[i].ty.bits()))
    }
}

impl Prover<'_> {
    /// Whether `v` reads an id and `size` how many of that kind there are.
    pub(super) fn is_place_in(&self, v: Value, size: Value) -> bool {
        use SpecialReg::*;
        let register = |v| self.func.dfg.def_inst(v).and_then(|i| self.func.dfg.insts[i].special());
        match (register(v), register(size)) {
            (Some(id), Some(n)) => {
                let pairs = [
                    (TidX, NtidX),
                    (TidY, NtidY),
                    (TidZ, NtidZ),
                    (CtaidX, NctaidX),
                    (CtaidY, NctaidY),
                    (CtaidZ, NctaidZ),
                ];
                pairs.contains(&(id, n))
            }
            _ => false,
        }
    }

    /// Whether an address of generic or global memory is the same number in either.
    pub(super) fn is_same_address(&self, p: Value) -> bool {
        matches!(self.func.dfg.ty(p).space(), Some(AddrSpace::Generic | AddrSpace::Global))
            && !matches!(self.func.dfg.as_const(p), Some(ConstKind::Slot(_)))
    }

    /// What a block parameter can be, wherever it is defined.
    fn param(&self, b: Block, n: usize, v: Value) -> Info {
        let bits = self.func.dfg.ty(v).bits();
        let full = Info::full(bits);
        if b == self.func.layout.entry() {
            let align = self.func.params.get(n).filter(|p| p.ty.is_ptr()).map_or(1, |p| p.attrs.align);
            return Info::of_bits(
                u64::from(align.max(1).next_power_of_two() / if align.max(1).is_power_of_two() { 1 } else { 2 }) - 1,
                0,
                bits,
            );
        }
        if let Some(i) = self.hypotheses.borrow().get(&v).or(self.params.borrow().get(&v)) {
            return *i;
        }
        let ways = self.cfg.preds(b);
        if ways.is_empty() || ways.len() > MAX_INCOMING || !self.enter(MAX_NEST) {
            return full;
        }
        let (back, forward): (Vec<Edge>, Vec<Edge>) = ways.iter().partition(|e| self.is_back(e, b));
        let mut info = self.joined(&forward, n).unwrap_or(full);
        if !back.is_empty() {
            info = self.induction(v, n, info, &back);
        }
        self.leave();
        if self.hypotheses.borrow().is_empty() && self.has_steps() {
            self.params.borrow_mut().insert(v, info);
        }
        info
    }

    /// Whether the edge leads back to a block that it comes from.
    pub(super) fn is_back(&self, e: &Edge, to: Block) -> bool {
        self.func.layout.inst_block(e.inst).is_none_or(|from| self.dom.dominates(to, from))
    }

    /// Over the edges, what they hand to parameter `n`; an edge that cannot be taken hands nothing.
    fn joined(&self, edges: &[Edge], n: usize) -> Option<Info> {
        let mut all: Option<Info> = None;
        for e in edges {
            let v = *self.func.dfg.branch_args(e.inst, e.index as usize).get(n)?;
            let mut state = State::on_edge(self, *e);
            let info = state.eval(v);
            if !state.dead {
                all = Some(all.map_or(info, |x| x.or(&info)));
            }
        }
        all
    }

    /// The smallest description that holds at first and that each iteration keeps.
    fn induction(&self, v: Value, n: usize, first: Info, back: &[Edge]) -> Info {
        let mut now = first;
        for round in 0..ROUNDS.1 {
            self.hypotheses.borrow_mut().insert(v, now);
            let again = self.joined(back, n);
            self.hypotheses.borrow_mut().remove(&v);
            let next = match again {
                Some(again) if self.has_steps() => now.or(&again),
                None if self.has_steps() => now,
                _ => break,
            };
            if next == now {
                return now;
            }
            now = if round >= ROUNDS.0 { next.widened(&now) } else { next };
            now = now.reduced().unwrap_or(Info::full(now.bits));
        }
        Info::full(first.bits)
    }
}

/// The address of a variable.
fn address(align: u32, bits: u32) -> Info {
    let low = align.max(1);
    let low = 1u64 << low.trailing_zeros();
    Info { ulo: low, ..Info::of_bits(low - 1, 0, bits) }.reduced().unwrap_or(Info::full(bits))
}

fn unary(op: Opcode, flags: Flags, a: &Info, bits: u32) -> Info {
    use Opcode::*;
    let full = Info::full(bits);
    let made = match op {
        ZExt => Info {
            zeros: a.zeros | mask(bits) & !mask(a.bits),
            ones: a.ones,
            ulo: a.ulo,
            uhi: a.uhi,
            ures: a.ures,
            sres: a.ures,
            ..full
        },
        SExt => Info { slo: a.slo, shi: a.shi, sres: a.sres, ..low_bits(a, bits) },
        Trunc => {
            let mut r = low_bits(a, bits);
            if a.uhi <= mask(bits) {
                (r.ulo, r.uhi, r.ures) = (a.ulo, a.uhi, a.ures);
            }
            if a.slo >= full.slo && a.shi <= full.shi {
                (r.slo, r.shi, r.sres) = (a.slo, a.shi, a.sres);
            }
            r
        }
        PtrToInt | IntToPtr if a.bits == bits => *a,
        Abs => {
            let (lo, hi) = (i128::from(a.slo), i128::from(a.shi));
            let least = if lo > 0 {
                lo
            } else if hi < 0 {
                -hi
            } else {
                0
            };
            let mut r = Info::of_bits((1u64 << a.tz().min(63)) - 1, 0, bits);
            // The smallest number stays what it is, unless that cannot be.
            if a.slo > full.slo || flags.has(Flags::NSW) {
                r.slo = least as i64;
                r.shi = (-lo).max(hi).min(full.shi.into()) as i64;
            } else {
                r.uhi = 1 << (bits - 1);
            }
            r
        }
        Clz => {
            let top = |v: u64| (v.leading_zeros() - (64 - bits)).min(bits);
            Info::unsigned(top(a.uhi).into(), top(a.ulo).into(), bits)
        }
        Ctz => {
            let most = if a.ulo > 0 { 63 - a.uhi.leading_zeros() } else { bits };
            let most = if a.ones != 0 { a.ones.trailing_zeros() } else { most };
            Info::unsigned(a.tz().min(most).into(), most.into(), bits)
        }
        Popcnt => {
            let most = bits - (a.zeros & mask(bits)).count_ones();
            let least = a.ones.count_ones().max(u32::from(a.ulo > 0));
            Info::unsigned(least.into(), most.into(), bits)
        }
        _ => full,
    };
    made.reduced().unwrap_or(full)
}

/// The bits that an operand gives a value of `bits` bits, as far as both have them.
fn low_bits(a: &Info, bits: u32) -> Info {
    let m = mask(bits.min(a.bits));
    Info { zeros: a.zeros & m, ones: a.ones & m, ..Info::full(bits) }
}

fn binary(op: Opcode, flags: Flags, a: &Info, b: &Info, square: bool) -> Info {
    use Opcode::*;
    let bits = a.bits;
    let full = Info::full(bits);
    if a.bits != b.bits {
        return full;
    }
    let made = match op {
        Add | PtrAdd => sum(a, b, flags, false),
        Sub if square => Info::constant(0, bits),
        Sub => sum(a, b, flags, true),
        Mul => product(a, b, flags, square),
        And | Or | Xor => logic(op, a, b),
        Shl | LShr | AShr => match b.single() {
            Some(n) if n < u64::from(bits) => shift(op, a, n as u32, flags),
            _ if op == LShr => Info::unsigned(0, a.uhi, bits),
            _ if op == Shl => Info::of_bits((1u64 << a.tz().min(63)) - 1, 0, bits),
            _ => Info::signed(i128::from(a.slo.min(0)), i128::from(a.shi.max(-1)), bits),
        },
        UDiv => match b.ulo {
            // A division by zero may give anything.
            0 => full,
            least => {
                let r = Info::unsigned(a.ulo / b.uhi, a.uhi / least, bits);
                Info { ures: b.single().map_or(Residue::ANY, |d| divided(a.ures, d)), ..r }
            }
        },
        URem => match b.ulo {
            0 => full,
            _ => remainder_unsigned(a, b),
        },
        SDiv => quotient(a, b),
        SRem => remainder(a, b),
        UMin => Info { ulo: a.ulo.min(b.ulo), uhi: a.uhi.min(b.uhi), ..a.or(b) },
        UMax => Info { ulo: a.ulo.max(b.ulo), uhi: a.uhi.max(b.uhi), ..a.or(b) },
        SMin => Info { slo: a.slo.min(b.slo), shi: a.shi.min(b.shi), ..a.or(b) },
        SMax => Info { slo: a.slo.max(b.slo), shi: a.shi.max(b.shi), ..a.or(b) },
        MulHiU => {
            let high = |x: u64, y: u64| ((u128::from(x) * u128::from(y)) >> bits) as u64;
            Info::unsigned(high(a.ulo, b.ulo), high(a.uhi, b.uhi), bits)
        }
        _ => full,
    };
    made.reduced().unwrap_or(full)
}

fn sum(a: &Info, b: &Info, flags: Flags, minus: bool) -> Info {
    let bits = a.bits;
    let m = mask(bits);
    let full = Info::full(bits);
    // Known bits with the carries that are known.
    let (bz, bo) = if minus { (b.ones, b.zeros) } else { (b.zeros, b.ones) };
    let carry = u64::from(minus);
    let most = (!a.zeros & m).wrapping_add(!bz & m).wrapping_add(carry);
    let least = a.ones.wrapping_add(bo).wrapping_add(carry);
    let carry_zero = !(most ^ a.zeros ^ bz);
    let carry_one = least ^ a.ones ^ bo;
    let known = (a.zeros | a.ones) & (bz | bo) & (carry_zero | carry_one) & m;
    let mut r = Info { zeros: !most & known, ones: least & known, ..full };
    let k = if minus { -1 } else { 1 };
    let ends = |alo: i128, ahi: i128, blo: i128, bhi: i128| {
        if minus { (alo - bhi, ahi - blo) } else { (alo + blo, ahi + bhi) }
    };
    let (lo, hi) = ends(a.ulo.into(), a.uhi.into(), b.ulo.into(), b.uhi.into());
    if flags.has(Flags::NUW) || lo >= 0 && hi <= i128::from(m) {
        r.ulo = lo.clamp(0, m.into()) as u64;
        r.uhi = hi.clamp(0, m.into()) as u64;
        r.ures = a.ures.plus(k, b.ures);
    } else if lo > i128::from(m) || hi < 0 && lo >= -i128::from(m) - 1 {
        // Every pair wraps once.
        let turn = if hi < 0 { i128::from(m) + 1 } else { -i128::from(m) - 1 };
        r.ulo = (lo + turn) as u64;
        r.uhi = (hi + turn) as u64;
    }
    let (lo, hi) = ends(a.slo.into(), a.shi.into(), b.slo.into(), b.shi.into());
    if flags.has(Flags::NSW) || lo >= i128::from(full.slo) && hi <= i128::from(full.shi) {
        r.slo = lo.clamp(full.slo.into(), full.shi.into()) as i64;
        r.shi = hi.clamp(full.slo.into(), full.shi.into()) as i64;
        r.sres = a.sres.plus(k, b.sres);
    }
    // An unsigned number less a small constant, written as an addition of a negative one.
    if !minus && let Some(c) = b.single() {
        let c = i128::from(signed(c, bits));
        let (lo, hi) = (i128::from(a.ulo) + c, i128::from(a.uhi) + c);
        if lo >= 0 && hi <= i128::from(m) {
            r.ulo = r.ulo.max(lo as u64);
            r.uhi = r.uhi.min(hi as u64);
            r.ures = a.ures.plus(1, Residue::exact(c));
        }
    }
    r
}

fn product(a: &Info, b: &Info, flags: Flags, square: bool) -> Info {
    let bits = a.bits;
    let m = mask(bits);
    let full = Info::full(bits);
    let low = (a.known_low() + b.tz()).min(b.known_low() + a.tz()).min(bits);
    let (x, y) = (a.ones & mask(a.known_low().max(1)), b.ones & mask(b.known_low().max(1)));
    let (x, y) = (if a.known_low() == 0 { 0 } else { x }, if b.known_low() == 0 { 0 } else { y });
    let mut r = full;
    if low > 0 {
        let p = x.wrapping_mul(y);
        r.zeros = !p & mask(low);
        r.ones = p & mask(low);
    }
    // Bit 1 of a square is clear.
    if square && bits > 1 {
        r.zeros |= 2 & !r.ones;
    }
    let top = u128::from(a.uhi) * u128::from(b.uhi);
    if flags.has(Flags::NUW) || top <= u128::from(m) {
        r.ulo = a.ulo.saturating_mul(b.ulo).min(m);
        r.uhi = top.min(m.into()) as u64;
        r.ures = a.ures.times(b.ures);
    }
    let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let ends = [wide(a.slo, b.slo), wide(a.slo, b.shi), wide(a.shi, b.slo), wide(a.shi, b.shi)];
    let (mut lo, hi) = ends.iter().fold((ends[0], ends[0]), |(l, h), &e| (l.min(e), h.max(e)));
    if square {
        lo = if a.slo > 0 {
            ends[0]
        } else if a.shi < 0 {
            ends[3]
        } else {
            0
        };
    }
    if flags.has(Flags::NSW) || lo >= i128::from(full.slo) && hi <= i128::from(full.shi) {
        r.slo = lo.clamp(full.slo.into(), full.shi.into()) as i64;
        r.shi = hi.clamp(full.slo.into(), full.shi.into()) as i64;
        r.sres = a.sres.times(b.sres);
    }
    r
}

fn logic(op: Opcode, a: &Info, b: &Info) -> Info {
    let full = Info::full(a.bits);
    let mut r = match op {
        Opcode::And => Info { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, uhi: a.uhi.min(b.uhi), ..full },
        Opcode::Or => Info { zeros: a.zeros & b.zeros, ones: a.ones | b.ones, ulo: a.ulo.max(b.ulo), ..full },
        _ => Info { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros, ..full },
    };
    if op != Opcode::And {
        // No carry: at most the sum.
        r.uhi = r.uhi.min(a.uhi.saturating_add(b.uhi));
    }
    r
}

fn shift(op: Opcode, a: &Info, n: u32, flags: Flags) -> Info {
    let bits = a.bits;
    let m = mask(bits);
    let full = Info::full(bits);
    match op {
        Opcode::Shl => {
            // The same as a product; at the last place the factor is negative.
            let flags = if n + 1 == bits { flags.without(Flags::NSW) } else { flags };
            let mut r = product(a, &Info::constant(1 << n, bits), flags, false);
            r.zeros |= (a.zeros << n | mask(n)) & m;
            r.ones |= a.ones << n & m;
            if n == 0 { *a } else { r }
        }
        Opcode::LShr => {
            Info { zeros: a.zeros >> n | m & !(m >> n), ones: a.ones >> n, ulo: a.ulo >> n, uhi: a.uhi >> n, ..full }
        }
        _ => {
            let sign = m ^ m >> 1;
            let fill = m & !(m >> n);
            let (z, o) = (a.zeros & sign != 0, a.ones & sign != 0);
            Info {
                zeros: a.zeros >> n | if z { fill } else { 0 },
                ones: a.ones >> n | if o { fill } else { 0 },
                slo: a.slo >> n,
                shi: a.shi >> n,
                sres: divided(a.sres, 1 << n.min(62)),
                ..full
            }
        }
    }
}

fn remainder_unsigned(a: &Info, b: &Info) -> Info {
    let bits = a.bits;
    if a.uhi < b.ulo {
        return *a;
    }
    let mut r = Info::unsigned(0, a.uhi.min(b.uhi - 1), bits);
    if let Some(d) = b.single() {
        let low = (1u64 << d.trailing_zeros()) - 1;
        r.zeros |= a.zeros & low;
        r.ones |= a.ones & low;
        if let Some(n) = a.ures.modulo(d) {
            return Info::constant(n, bits);
        }
        r.ures = a.ures.reduced_by(d);
    }
    r
}

fn remainder(a: &Info, b: &Info) -> Info {
    let bits = a.bits;
    let full = Info::full(bits);
    let size = |x: i64| x.unsigned_abs();
    // A remainder by zero may be anything.
    if b.slo <= 0 && b.shi >= 0 {
        return full;
    }
    let most = size(b.slo).max(size(b.shi)) - 1;
    let most = i128::from(most);
    let least = i128::from(size(b.slo).min(size(b.shi)));
    if i128::from(a.slo) > -least && i128::from(a.shi) < least {
        return *a;
    }
    let lo = if a.slo >= 0 { 0 } else { i128::from(a.slo).max(-most) };
    let hi = if a.shi <= 0 { 0 } else { i128::from(a.shi).min(most) };
    let mut r = Info { slo: lo as i64, shi: hi as i64, ..full };
    if let Some(d) = b.single() {
        let d = size(signed(d, bits));
        let low = (1u64 << d.trailing_zeros().min(63)) - 1;
        r.zeros |= a.zeros & low & mask(bits);
        r.ones |= a.ones & low & mask(bits);
        match a.sres.modulo(d) {
            Some(0) => return Info::constant(0, bits),
            // The sign is that of the dividend.
            Some(n) if a.slo >= 0 => return Info::constant(n, bits),
            Some(n) if a.shi <= 0 => r.shi = (i128::from(n) - i128::from(d)) as i64,
            _ => {}
        }
        r.sres = a.sres.reduced_by(d);
    }
    r
}

/// The residue of a quotient without a remainder.
fn divided(r: Residue, d: u64) -> Residue {
    match r.modulo(d) {
        Some(0) => Residue::new((r.modulus / d).into(), r.rem / i128::from(d)),
        _ => Residue::ANY,
    }
}

fn quotient(a: &Info, b: &Info) -> Info {
    let bits = a.bits;
    if b.slo <= 0 && b.shi >= 0 {
        return Info::full(bits);
    }
    let ends = [(a.slo, b.slo), (a.slo, b.shi), (a.shi, b.slo), (a.shi, b.shi)];
    let mut all = ends.iter().map(|&(x, y)| i128::from(x) / i128::from(y)).collect::<Vec<_>>();
    if a.slo <= 0 && a.shi >= 0 {
        all.push(0);
    }
    let (lo, hi) = all.iter().fold((all[0], all[0]), |(l, h), &e| (l.min(e), h.max(e)));
    // The smallest number divided by -1 leaves the type, and may give anything.
    if hi > i128::from(Info::full(bits).shi) {
        return Info::full(bits);
    }
    let mut r = Info::signed(lo, hi, bits);
    if let Some(d) = b.single().map(|d| signed(d, bits)).filter(|&d| d > 0) {
        r.sres = divided(a.sres, d as u64);
    }
    r
}
