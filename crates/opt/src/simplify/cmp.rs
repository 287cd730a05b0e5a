//! Rules for comparisons.

use super::{Found, Simplifier, Step};
use crate::{known, known_float};
use analysis::fold;
use ir::{Flags, FloatCC, Inst, IntCC, Opcode, Payload, Type, Value};

impl Simplifier<'_> {
    pub(super) fn icmp_rules(&mut self, inst: Inst) -> Found {
        let cc = self.func.dfg.insts[inst].int_cc()?;
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        if x == y {
            return self.bool_const(inst, holds_equal(cc));
        }
        if ty.is_ptr() {
            return self.compare_pointers(inst, cc, x, y);
        }
        if let Some(answer) = self.by_range(cc, x, y) {
            return self.bool_const(inst, answer);
        }
        if ty.bits() == 1 {
            return self.compare_bools(inst, cc, x, y);
        }
        if let Some(found) = self.compare_chosen(inst, x, y) {
            return Some(found);
        }
        if let Some(c) = self.c(y) {
            return self.icmp_const(inst, cc, x, c);
        }
        // Extended operands compare narrow.
        for (op, ok) in [(Opcode::ZExt, !cc.is_signed()), (Opcode::SExt, true), (Opcode::ZExt, true)] {
            if let (Some(a), Some(b)) = (self.un(x, op), self.un(y, op))
                && self.ty(a) == self.ty(b)
                && ok
            {
                let cc = if op == Opcode::ZExt { unsigned(cc) } else { cc };
                return self.rewrite_icmp(inst, cc, a, b);
            }
        }
        if matches!(cc, IntCC::Eq | IntCC::Ne) {
            return self.cancel_common(inst, cc, x, y);
        }
        // Both nonnegative: one canonical order.
        if cc.is_signed() && self.nonneg(x) && self.nonneg(y) {
            return self.rewrite_icmp(inst, unsigned(cc), x, y);
        }
        None
    }

    /// What the ranges of the operands decide.
    fn by_range(&self, cc: IntCC, x: Value, y: Value) -> Option<bool> {
        let mask = self.ty(x).mask();
        let (a, b) = (self.range(x), self.range(y));
        if self.known().bits(x).excludes(self.known().bits(y)) && matches!(cc, IntCC::Eq | IntCC::Ne) {
            return Some(cc == IntCC::Ne);
        }
        if !cc.is_signed() {
            return decide(cc, a, b).or_else(|| self.by_launch(cc, x, y));
        }
        let signed_ok = a.hi <= mask >> 1 && b.hi <= mask >> 1;
        if signed_ok {
            return decide(unsigned(cc), a, b).or_else(|| self.by_launch(unsigned(cc), x, y));
        }
        let (a, b) = (self.known().signed_range(x), self.known().signed_range(y));
        match cc {
            IntCC::Slt if a.hi < b.lo => Some(true),
            IntCC::Slt if a.lo >= b.hi => Some(false),
            IntCC::Sle if a.hi <= b.lo => Some(true),
            IntCC::Sle if a.lo > b.hi => Some(false),
            IntCC::Sgt if a.lo > b.hi => Some(true),
            IntCC::Sgt if a.hi <= b.lo => Some(false),
            IntCC::Sge if a.lo >= b.hi => Some(true),
            IntCC::Sge if a.hi < b.lo => Some(false),
            _ => None,
        }
    }

    /// Work-items are numbered below the size of their group, groups below their count.
    fn by_launch(&self, cc: IntCC, x: Value, y: Value) -> Option<bool> {
        let below = |id, size| {
            use ir::SpecialReg::*;
            matches!(
                (id, size),
                (TidX, NtidX)
                    | (TidY, NtidY)
                    | (TidZ, NtidZ)
                    | (CtaidX, NctaidX)
                    | (CtaidY, NctaidY)
                    | (CtaidZ, NctaidZ)
            )
        };
        let register = |v| self.func.dfg.def_inst(v).and_then(|i| self.func.dfg.insts[i].special());
        let (a, b) = (register(x)?, register(y)?);
        match cc {
            IntCC::Ult | IntCC::Ule | IntCC::Ne if below(a, b) => Some(true),
            IntCC::Ugt | IntCC::Uge | IntCC::Eq if below(a, b) => Some(false),
            IntCC::Ugt | IntCC::Uge | IntCC::Ne if below(b, a) => Some(true),
            IntCC::Ult | IntCC::Ule | IntCC::Eq if below(b, a) => Some(false),
            _ => None,
        }
    }

    fn compare_bools(&mut self, inst: Inst, cc: IntCC, x: Value, y: Value) -> Found {
        match cc {
            IntCC::Ne => self.rewrite2(inst, Opcode::Xor, Flags::NONE, x, y),
            IntCC::Eq => {
                let n = self.not(x);
                self.rewrite2(inst, Opcode::Xor, Flags::NONE, n, y)
            }
            _ => None,
        }
    }

    /// `a + p == a + q`, `a ^ p == a ^ q`, `a - b == 0` and their like.
    fn cancel_common(&mut self, inst: Inst, cc: IntCC, x: Value, y: Value) -> Found {
        let ty = self.ty(x);
        for op in [Opcode::Add, Opcode::Xor] {
            if let Some((a, b, _)) = self.bin(x, op) {
                if a == y || b == y {
                    let zero = self.zero(ty);
                    return self.rewrite_icmp(inst, cc, if a == y { b } else { a }, zero);
                }
                if let Some((c, d, _)) = self.bin(y, op) {
                    for (p, q, r, s) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
                        if p == r {
                            return self.rewrite_icmp(inst, cc, q, s);
                        }
                    }
                }
            }
            if let Some((a, b, _)) = self.bin(y, op)
                && (a == x || b == x)
            {
                let zero = self.zero(ty);
                return self.rewrite_icmp(inst, cc, if a == x { b } else { a }, zero);
            }
        }
        None
    }

    fn icmp_const(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        use IntCC::*;
        let ty = self.ty(x);
        let (mask, smin, smax) = (ty.mask(), ty.mask() ^ ty.mask() >> 1, ty.mask() >> 1);
        // Strict forms; what nothing or everything satisfies; equalities at the ends.
        let form = match cc {
            Sle if c == smax => return self.bool_const(inst, true),
            Sge if c == smin => return self.bool_const(inst, true),
            Slt if c == smin => return self.bool_const(inst, false),
            Sgt if c == smax => return self.bool_const(inst, false),
            Sle => Some((Slt, c.wrapping_add(1))),
            Sge => Some((Sgt, c.wrapping_sub(1))),
            Ule if c == mask => return self.bool_const(inst, true),
            Ule => Some((Ult, c + 1)),
            Uge if c == 0 => return self.bool_const(inst, true),
            Uge => Some((Ugt, c - 1)),
            Ult if c == 1 => Some((Eq, 0)),
            Ult if c == mask => Some((Ne, mask)),
            Ugt if c == 0 => Some((Ne, 0)),
            Ugt if c == mask - 1 => Some((Eq, mask)),
            Slt if c == smin + 1 => Some((Eq, smin)),
            Slt if c == smax => Some((Ne, smax)),
            Sgt if c == smax - 1 => Some((Eq, smax)),
            Sgt if c == smin => Some((Ne, smin)),
            // Signed comparisons of nonnegative numbers are unsigned ones.
            Slt | Sgt if c <= smax && self.nonneg(x) => Some((unsigned(cc), c)),
            _ => None,
        };
        if let Some((cc, c)) = form {
            let k = self.bits(ty, c);
            return self.rewrite_icmp(inst, cc, x, k);
        }
        self.icmp_of_form(inst, cc, x, c).or_else(|| self.icmp_low_bits(inst, cc, x, c))
    }

    /// What the instruction that computes `x` says.
    fn icmp_of_form(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        use IntCC::{Eq, Ne};
        let ty = self.ty(x);
        let dfg = &self.func.dfg;
        match dfg.def_inst(x).map(|i| dfg.op(i))? {
            Opcode::Add => self.icmp_add(inst, cc, x, c),
            Opcode::Sub => self.icmp_sub(inst, cc, x, c),
            Opcode::ZExt | Opcode::SExt => self.icmp_extended(inst, cc, x, c),
            Opcode::Select => self.icmp_select(inst, cc, x, c),
            Opcode::Xor if matches!(cc, Eq | Ne) => {
                let (a, b, _) = self.bin(x, Opcode::Xor)?;
                if let Some(c1) = self.c(b) {
                    let k = self.bits(ty, c ^ c1);
                    return self.rewrite_icmp(inst, cc, a, k);
                }
                if c == 0 { self.rewrite_icmp(inst, cc, a, b) } else { None }
            }
            Opcode::And if matches!(cc, Eq | Ne) => {
                let (_, m, _) = self.bin_c(x, Opcode::And)?;
                if m.is_power_of_two() && c == m {
                    let zero = self.zero(ty);
                    return self.rewrite_icmp(inst, cc.inverse(), x, zero);
                }
                if c & !m != 0 { self.bool_const(inst, cc == Ne) } else { self.icmp_shifted_bits(inst, cc, x, c) }
            }
            Opcode::Mul | Opcode::Shl => self.icmp_scaled(inst, cc, x, c),
            _ => None,
        }
    }

    /// Where low bits of `x` are known, several constants ask the same: `2 * t > 1022` is `2 * t > 1023`. The constant is the
    /// one next to a number that `x` can be, so that such tests are one.
    fn icmp_low_bits(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let ty = self.ty(x);
        let op = self.func.dfg.def_inst(x).map(|i| self.func.dfg.op(i))?;
        let shaped = matches!(op, Opcode::Shl | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Add | Opcode::Sub);
        if !shaped || ty.is_vector() || !matches!(cc, IntCC::Slt | IntCC::Sgt | IntCC::Ult | IntCC::Ugt) {
            return None;
        }
        let known = self.known().bits(x);
        let low = (1i128 << (known.zeros | known.ones).trailing_ones().min(ty.bits())) - 1;
        let above = 64 - ty.bits();
        let (at, max) = if cc.is_signed() {
            (i128::from(((c << above) as i64) >> above), i128::from(ty.mask() >> 1))
        } else {
            (i128::from(c), i128::from(ty.mask()))
        };
        let more = matches!(cc, IntCC::Sgt | IntCC::Ugt);
        // The least number from there on that has these bits.
        let from = at + i128::from(more);
        let next = from + ((i128::from(known.ones) - from) & low);
        if next > max {
            return self.bool_const(inst, !more);
        }
        let new = (next - i128::from(more)) as u64 & ty.mask();
        if new == c {
            return None;
        }
        let k = self.bits(ty, new);
        self.rewrite_icmp(inst, cc, x, k)
    }

    /// `(a >> k & m) == c` asks for bits of `a` where they stand.
    fn icmp_shifted_bits(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let (shifted, m, _) = self.bin_c(x, Opcode::And)?;
        let (a, k, _) = self.bin_c(shifted, Opcode::LShr)?;
        let ty = self.ty(x);
        let fits = k < u64::from(ty.bits()) && (m << k & ty.mask()) >> k == m;
        if !fits || !self.one_use(x) || !self.one_use(shifted) {
            return None;
        }
        let bits = self.op2c(Opcode::And, Flags::NONE, a, m << k);
        let c = self.bits(ty, c << k);
        self.rewrite_icmp(inst, cc, bits, c)
    }

    fn icmp_add(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let ty = self.ty(x);
        let (a, c1, f) = self.bin_c(x, Opcode::Add)?;
        let bits = ty.bits();
        let sext = |v: u64| i128::from(((v << (64 - bits)) as i64) >> (64 - bits));
        let k = c.wrapping_sub(c1) & ty.mask();
        let ok = match cc {
            IntCC::Eq | IntCC::Ne => true,
            IntCC::Slt | IntCC::Sgt => f.has(Flags::NSW) && sext(c) - sext(c1) == sext(k),
            IntCC::Ult | IntCC::Ugt => f.has(Flags::NUW) && c >= c1,
            _ => false,
        };
        if !ok {
            return None;
        }
        let k = self.bits(ty, k);
        self.rewrite_icmp(inst, cc, a, k)
    }

    fn icmp_sub(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let ty = self.ty(x);
        let (a, b, f) = self.bin(x, Opcode::Sub)?;
        if let (Some(k), true) = (self.c(a), matches!(cc, IntCC::Eq | IntCC::Ne)) {
            let k = self.bits(ty, k.wrapping_sub(c));
            return self.rewrite_icmp(inst, cc, b, k);
        }
        match cc {
            IntCC::Eq | IntCC::Ne if c == 0 => self.rewrite_icmp(inst, cc, a, b),
            IntCC::Slt | IntCC::Sgt if c == 0 && f.has(Flags::NSW) => self.rewrite_icmp(inst, cc, a, b),
            IntCC::Sgt if c == ty.mask() && f.has(Flags::NSW) => self.rewrite_icmp(inst, IntCC::Sge, a, b),
            IntCC::Slt if c == 1 && f.has(Flags::NSW) => self.rewrite_icmp(inst, IntCC::Sle, a, b),
            _ => None,
        }
    }

    fn icmp_extended(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let dfg = &self.func.dfg;
        let d = dfg.def_inst(x)?;
        let zero_ext = dfg.op(d) == Opcode::ZExt;
        let a = self.arg(d, 0);
        let from = self.ty(a);
        let wide = self.ty(x);
        let cc = if zero_ext && cc.is_signed() {
            if c > wide.mask() >> 1 {
                // A nonnegative number against a negative one.
                return self.bool_const(inst, cc == IntCC::Sgt);
            }
            unsigned(cc)
        } else {
            cc
        };
        let low = c & from.mask();
        let back = if zero_ext {
            low
        } else {
            let n = 64 - from.bits();
            (((low << n) as i64) >> n) as u64 & wide.mask()
        };
        if back == c {
            // Extending signs keeps the order of unsigned numbers, too.
            if from.bits() == 1 {
                return self.icmp_of_bool(inst, cc, a, c, zero_ext);
            }
            let k = self.bits(from, low);
            return self.rewrite_icmp(inst, cc, a, k);
        }
        match cc {
            IntCC::Eq => self.bool_const(inst, false),
            IntCC::Ne => self.bool_const(inst, true),
            // Ranges have decided the zero-extended ones; a sign-extended one lies between the type's limits.
            IntCC::Slt | IntCC::Sgt if !zero_ext => {
                let negative = c > wide.mask() >> 1;
                self.bool_const(inst, (cc == IntCC::Sgt) == negative)
            }
            _ => None,
        }
    }

    /// Comparison of an extended truth value: evaluate for both.
    fn icmp_of_bool(&mut self, inst: Inst, cc: IntCC, a: Value, c: u64, zero_ext: bool) -> Found {
        let wide = self.ty(self.arg(inst, 0));
        let one = if zero_ext { 1 } else { wide.mask() };
        let (no, yes) = (cc.eval(0, c, wide.bits()), cc.eval(one, c, wide.bits()));
        match (no, yes) {
            (false, true) => Some(Step::Value(a)),
            (true, false) => Some(Step::Value(self.not(a))),
            (answer, _) => self.bool_const(inst, answer),
        }
    }

    /// `(cond ? p : q) cc y` where it is known for both what is compared: `(x > 0 ? 0 : x) > 0`.
    fn compare_chosen(&mut self, inst: Inst, x: Value, y: Value) -> Found {
        for chosen in [x, y] {
            let Some(d) = self.func.dfg.def_op(chosen, Opcode::Select) else { continue };
            let cond = self.arg(d, 0);
            if self.ty(cond) != self.func.dfg.insts[inst].ty || self.ty(cond).is_vector() {
                continue;
            }
            let outcome = |way: usize| {
                let v = self.arg(d, 1 + way);
                let of = if chosen == x { (v, y) } else { (x, v) };
                self.compares(inst, of, (cond, way == 0))
            };
            match (outcome(0), outcome(1)) {
                (Some(true), Some(false)) => return Some(Step::Value(cond)),
                (Some(false), Some(true)) => return Some(Step::Value(self.not(cond))),
                (Some(always), Some(_)) => return self.bool_const(inst, always),
                _ => {}
            }
        }
        None
    }

    /// What the comparison says of two other values where a condition is known, as far as that is plain to see.
    fn compares(&self, inst: Inst, (x, y): (Value, Value), (cond, holds): (Value, bool)) -> Option<bool> {
        use FloatCC::*;
        let data = &self.func.dfg.insts[inst];
        let known = self.func.dfg.def_inst(cond).map(|i| &self.func.dfg.insts[i]);
        let alike = known.is_some_and(|k| k.op == data.op && k.flags == data.flags);
        let constants = self.c(x).zip(self.c(y));
        if let Some(cc) = data.int_cc() {
            if x == y {
                return Some(holds_equal(cc));
            }
            if let Some((a, b)) = constants {
                return Some(cc.eval(a, b, self.ty(x).bits()));
            }
            let (other, a, b) = self.icmp_of(cond).filter(|_| alike)?;
            let other = if (a, b) == (y, x) { other.swapped() } else { other };
            let same = (a, b) == (x, y) || (a, b) == (y, x);
            return if !same {
                None
            } else if other == cc {
                Some(holds)
            } else {
                (other == cc.inverse()).then_some(!holds)
            };
        }
        let cc = data.float_cc()?;
        if let Some((a, b)) = constants {
            let (a, b) = (fold::to_f64(self.ty(x), a)?, fold::to_f64(self.ty(x), b)?);
            // What a comparison that flushes takes for zero is not looked at here.
            let plain = |n: f64| n == 0.0 || n.abs() >= f64::from(f32::MIN_POSITIVE);
            return (!data.flags.has(Flags::FTZ) || plain(a) && plain(b)).then(|| cc.eval(a, b));
        }
        if x == y {
            return match cc {
                Olt | Ogt | One => Some(false),
                Ule | Uge | Ueq => Some(true),
                _ => None,
            };
        }
        let (other, a, b, _) = self.fcmp_of(cond).filter(|_| alike)?;
        let other = if (a, b) == (y, x) { other.swapped() } else { other };
        let same = (a, b) == (x, y) || (a, b) == (y, x);
        (same && other == cc).then_some(holds).or_else(|| (same && other == cc.inverse()).then_some(!holds))
    }

    /// `(cond ? k1 : k2) cc c`
    fn icmp_select(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let d = self.func.dfg.def_op(x, Opcode::Select)?;
        let (cond, p, q) = (self.arg(d, 0), self.arg(d, 1), self.arg(d, 2));
        let (k1, k2) = (self.c(p)?, self.c(q)?);
        let bits = self.ty(x).bits();
        if self.ty(cond) != self.func.dfg.insts[inst].ty {
            return None;
        }
        match (cc.eval(k1, c, bits), cc.eval(k2, c, bits)) {
            (true, false) => Some(Step::Value(cond)),
            (false, true) => Some(Step::Value(self.not(cond))),
            (answer, _) => self.bool_const(inst, answer),
        }
    }

    /// `a * k == 0` and `a << n == 0` where nothing wraps; `a << n < c`.
    fn icmp_scaled(&mut self, inst: Inst, cc: IntCC, x: Value, c: u64) -> Found {
        let ty = self.ty(x);
        let (a, k, f) = self.bin_c(x, Opcode::Mul).or_else(|| {
            self.bin_c(x, Opcode::Shl).filter(|t| t.1 < u64::from(ty.bits())).map(|(a, n, f)| (a, 1 << n, f))
        })?;
        let exact = f.has(Flags::NUW) || f.has(Flags::NSW);
        if k == 0 || !exact || k > ty.mask() >> 1 {
            return None;
        }
        if matches!(cc, IntCC::Eq | IntCC::Ne) && c <= ty.mask() >> 1 {
            if !c.is_multiple_of(k) {
                return self.bool_const(inst, cc == IntCC::Ne);
            }
            let q = self.bits(ty, c / k);
            return self.rewrite_icmp(inst, cc, a, q);
        }
        None
    }

    fn compare_pointers(&mut self, inst: Inst, cc: IntCC, x: Value, y: Value) -> Found {
        if !matches!(cc, IntCC::Eq | IntCC::Ne) {
            return None;
        }
        let split = |s: &Self, v: Value| s.bin(v, Opcode::PtrAdd).map_or((v, None), |(p, o, _)| (p, Some(o)));
        let ((p, a), (q, b)) = (split(self, x), split(self, y));
        if p == q && (a.is_some() || b.is_some()) {
            let zero = self.zero(Type::I64);
            return self.rewrite_icmp(inst, cc, a.unwrap_or(zero), b.unwrap_or(zero));
        }
        if let (Some(p), Some(q)) = (self.un(x, Opcode::AddrSpaceCast), self.un(y, Opcode::AddrSpaceCast))
            && self.ty(p) == self.ty(q)
        {
            return self.rewrite_icmp(inst, cc, p, q);
        }
        None
    }

    /// An integer that is converted to be compared with a constant: the integers tell, where the conversion is exact or rounds
    /// only what is further from zero than the constant. (LLVM: `foldFCmpIntToFPConst`.)
    fn compare_converted(&mut self, inst: Inst, cc: FloatCC, x: Value, number: f64) -> Found {
        use FloatCC::*;
        let signed = self.un(x, Opcode::SiToFp);
        let a = signed.or_else(|| self.un(x, Opcode::UiToFp))?;
        let (ty, to) = (self.ty(a), self.ty(x));
        if ty.is_vector() || number.is_subnormal() || number != 0.0 && number.abs() < f64::from(f32::MIN_POSITIVE) {
            return None;
        }
        let digits = ty.bits() - u32::from(signed.is_some());
        let exact = match to {
            Type::F16 => 11,
            Type::BF16 => 8,
            Type::F32 => 24,
            _ => 53,
        };
        if digits > exact && number.abs() >= (1_u64 << exact) as f64 {
            return None;
        }
        let most = (1_i128 << digits) - 1;
        let least = if signed.is_some() { -most - 1 } else { 0 };
        let (up, down) = (number.ceil() as i128, number.floor() as i128);
        let (cc, k) = match cc {
            Ord => return self.bool_const(inst, true),
            Uno => return self.bool_const(inst, false),
            Oeq | Ueq if up != down => return self.bool_const(inst, false),
            One | Une if up != down => return self.bool_const(inst, true),
            Oeq | Ueq => (IntCC::Eq, up),
            One | Une => (IntCC::Ne, up),
            Olt | Ult => (IntCC::Slt, up),
            Oge | Uge => (IntCC::Sge, up),
            Ole | Ule => (IntCC::Sle, down),
            Ogt | Ugt => (IntCC::Sgt, down),
        };
        if k < least || k > most {
            let above = k > most;
            return self.bool_const(
                inst,
                match cc {
                    IntCC::Eq => false,
                    IntCC::Ne => true,
                    IntCC::Slt | IntCC::Sle => above,
                    _ => !above,
                },
            );
        }
        let k = self.bits(ty, k as u64 & ty.mask());
        self.rewrite_icmp(inst, if signed.is_some() { cc } else { unsigned(cc) }, a, k)
    }

    pub(super) fn fcmp_rules(&mut self, inst: Inst) -> Found {
        use FloatCC::*;
        let data = &self.func.dfg.insts[inst];
        let (cc, f) = (data.float_cc()?, data.flags);
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        let put = |s: &mut Self, cc, a, b| s.rewrite(inst, Opcode::Fcmp, f, &[a, b], Payload::FloatCC(cc));
        if f.has(Flags::NNAN) && matches!(cc, Ord | Uno) {
            return self.bool_const(inst, cc == Ord);
        }
        if x == y && !matches!(cc, Ord | Uno) {
            return match cc {
                Olt | Ogt | One => self.bool_const(inst, false),
                Ule | Uge | Ueq => self.bool_const(inst, true),
                Oeq | Ole | Oge => put(self, Ord, x, y),
                _ => put(self, Uno, x, y),
            };
        }
        if let Some(found) = self.compare_chosen(inst, x, y) {
            return Some(found);
        }
        if let (Some(a), Some(b)) = (self.un(x, Opcode::FNeg), self.un(y, Opcode::FNeg)) {
            return put(self, cc.swapped(), a, b);
        }
        if let Some(c) = self.c(y) {
            let number = fold::to_f64(ty, c)?;
            if number.is_nan() {
                return self.bool_const(inst, cc.eval(f64::NAN, 0.0));
            }
            if let Some(found) = self.compare_converted(inst, cc, x, number) {
                return Some(found);
            }
            if let Some(a) = self.un(x, Opcode::FNeg) {
                let k = self.func.dfg.fconst(ty, -number);
                return put(self, cc.swapped(), a, k);
            }
            if let Some(a) = self.un(x, Opcode::FpExt) {
                let k = self.func.dfg.fconst(self.ty(a), number);
                let exact = self.func.dfg.as_float(k).is_some_and(|n| n.to_bits() == number.to_bits());
                return if exact && !f.has(Flags::FTZ) { put(self, cc, a, k) } else { None };
            }
        }
        if let Some(a) = self.known().float_range(x)
            && let Some(b) = self.known().float_range(y)
            && let Some(outcome) = known_float::decide(cc, a, b)
        {
            return self.bool_const(inst, outcome);
        }
        if let (Some(a), Some(b)) = (self.un(x, Opcode::FpExt), self.un(y, Opcode::FpExt))
            && self.ty(a) == self.ty(b)
        {
            return put(self, cc, a, b);
        }
        None
    }
}

/// Whether the condition holds of equal operands.
fn holds_equal(cc: IntCC) -> bool {
    use IntCC::*;
    matches!(cc, Eq | Sle | Sge | Ule | Uge)
}

/// The unsigned condition for a signed one.
pub(crate) fn unsigned(cc: IntCC) -> IntCC {
    use IntCC::*;
    match cc {
        Slt => Ult,
        Sle => Ule,
        Sgt => Ugt,
        Sge => Uge,
        same => same,
    }
}

/// What an unsigned condition or equality says of two ranges, if the same for all pairs.
pub(crate) fn decide(cc: IntCC, a: known::Range, b: known::Range) -> Option<bool> {
    use IntCC::*;
    let apart = a.hi < b.lo || b.hi < a.lo;
    match cc {
        Eq | Ne if apart => Some(cc == Ne),
        Eq | Ne if a.single().is_some() && a == b => Some(cc == Eq),
        Ult | Uge if a.hi < b.lo => Some(cc == Ult),
        Ult | Uge if a.lo >= b.hi => Some(cc == Uge),
        Ule | Ugt if a.hi <= b.lo => Some(cc == Ule),
        Ule | Ugt if a.lo > b.hi => Some(cc == Ugt),
        _ => None,
    }
}
