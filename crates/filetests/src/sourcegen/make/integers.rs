//! Integer expressions.

use super::{Gen, Var};
use crate::sourcegen::tree::{Expr, Form, Scalar, Ty};
use Scalar::{I32, I64, U8, U32, U64};

impl Gen {
    /// A literal that programs trip over, of a type.
    pub(super) fn interesting(&mut self, s: Scalar) -> Expr {
        let bits = s.bits();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let small = self.rng.range(-3, 40) as u64;
        let value = match self.rng.below(7) {
            0..4 => small,
            4 => self.rng.pick(&[0x7f, 0xff, 0x80, 0x7fff, 0xffff, 0x8000]),
            5 => self.rng.pick(&[1 << (bits - 1), (1 << (bits - 1)) - 1, u64::MAX]),
            _ => self.rng.bits(),
        } & mask;
        // Literals hold what an expression of their type is: sign-extended.
        let value = if s.is_signed() { ((value << (64 - bits)) as i64 >> (64 - bits)) as u64 } else { value };
        Expr::literal(s, value)
    }

    /// An integer of any type.
    pub(super) fn int(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.int_leaf();
        }
        match self.rng.below(22) {
            0..3 => self.int_leaf(),
            3..8 => self.int_binary(depth),
            8 => self.small_sum(depth),
            9 => self.comparison(depth),
            10 => self.condition(depth),
            11 => {
                let c = self.condition(depth - 1);
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                let s = scalar(&a).common(scalar(&b));
                Expr::new(s, Form::Ternary, vec![c, a, b])
            }
            12 => {
                let (e, s) = (self.int(depth - 1), self.rng.pick(&Scalar::INTEGERS));
                e.cast(s)
            }
            13 => self.int_unary(depth),
            14..17 => self.int_builtin(depth),
            17 | 18 => self.of_vector(depth),
            19 => self.float_to_int(depth),
            20 => self.pure_call(false).unwrap_or_else(|| self.int_leaf()),
            _ => self.rare_int(depth),
        }
    }

    /// The same, of this type.
    pub(super) fn int_of(&mut self, s: Scalar, depth: u32) -> Expr {
        let e = self.int(depth);
        if e.ty == Ty::Scalar(s) {
            return e;
        }
        if self.opencl && self.rng.chance(15) {
            let mode = if self.rng.chance(50) { "_sat" } else { "" };
            return Expr::call(s, format!("convert_{}{mode}", cl_name(s)), vec![e]);
        }
        e.cast(s)
    }

    fn int_leaf(&mut self) -> Expr {
        if self.rng.chance(75) {
            if self.shared_readable
                && self.rng.chance(40)
                && let Some(e) = self.shared_read()
            {
                return e;
            }
            if let Some(e) = self.readable_place(false) {
                return e;
            }
        }
        let s = self.rng.pick(&[I32, I32, U32, I64, U64, U8]);
        self.interesting(s)
    }

    fn rare_int(&mut self, depth: u32) -> Expr {
        match self.rng.below(4) {
            0 => {
                let (a, b) = (self.int(0), self.int(depth - 1));
                Expr::binary(b.ty.clone(), ",", a, b)
            }
            1 => {
                let named = self.records.last().filter(|r| r.sized).map(|r| r.name.clone());
                let of = named.unwrap_or_else(|| if self.opencl { "short3".to_owned() } else { "short4".to_owned() });
                Expr::name(U64, format!("sizeof({of})")).cast(U32)
            }
            2 => {
                let e = self.input_view();
                e.unwrap_or_else(|| self.int_leaf())
            }
            _ => self.comparison(depth),
        }
    }

    /// The input read as elements of another size.
    fn input_view(&mut self) -> Option<Expr> {
        if !self.in_kernel || !self.locked.is_empty() {
            return None;
        }
        let s = self.rng.pick(&Scalar::INTEGERS);
        let len = super::INPUT * 32 / s.bits();
        let index = self.index(len);
        let ty = Ty::ConstPointer(crate::sourcegen::tree::Space::Global, Box::new(s.into()));
        Some(Expr::name(Ty::Void, "in").cast(ty).index(s, index))
    }

    /// Two operands and what an operator makes of them without overflow.
    fn int_binary(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let op = self.rng.pick(&["+", "-", "*", "+", "-", "&", "|", "^", "/", "%", "<<", ">>"]);
        self.guarded(op, a, b)
    }

    /// `a op b`, with `b` or `a` changed so that it is defined.
    pub(super) fn guarded(&mut self, op: &'static str, a: Expr, b: Expr) -> Expr {
        let (x, y) = (scalar(&a), scalar(&b));
        let common = x.common(y);
        match op {
            "&" | "|" | "^" => Expr::binary(common, op, a, b),
            "/" | "%" => {
                let b = self.divisor(b);
                Expr::binary(x.common(scalar(&b)), op, a, b)
            }
            "<<" | ">>" => {
                let left = op == "<<" && (x.is_signed() || x.bits() < 32);
                let to = if x.bits() == 64 { U64 } else { U32 };
                let a = if left { a.cast(to) } else { a };
                let bits = scalar(&a).promoted().bits();
                let b = self.shift_amount(b, bits);
                Expr::binary(scalar(&a).promoted(), op, a, b)
            }
            _ => {
                let narrow = x.bits() <= 16 && y.bits() <= 16;
                let fits = narrow && (op != "*" || x.is_signed() || y.is_signed());
                if !common.is_signed() || fits {
                    return Expr::binary(common, op, a, b);
                }
                let u = common.unsigned();
                if self.rng.chance(50) {
                    let a = a.cast(u);
                    Expr::binary(u, op, a, b)
                } else {
                    let b = b.cast(u);
                    Expr::binary(u, op, a, b)
                }
            }
        }
    }

    /// Something that is positive, whatever its type.
    pub(super) fn divisor(&mut self, b: Expr) -> Expr {
        let s = scalar(&b).promoted();
        if !s.is_signed() && self.rng.chance(50) {
            return Expr::binary(s, "|", b, Expr::literal(U32, 1));
        }
        if self.rng.chance(30) {
            let n = self.rng.pick(&[1, 2, 3, 7, 10, 16, 100]);
            return Expr::literal(I32, n);
        }
        let mask = self.rng.pick(&[7, 63, 127]);
        let masked = Expr::binary(s, "&", b, Expr::literal(I32, mask));
        Expr::binary(s, "|", masked, Expr::literal(I32, 1))
    }

    fn shift_amount(&mut self, b: Expr, bits: u32) -> Expr {
        match self.rng.below(5) {
            0 => Expr::literal(I32, self.rng.below(bits as usize) as u64),
            // OpenCL C, 6.3.j: modulo the width.
            1 if self.opencl => b,
            _ => Expr::binary(scalar(&b).common(I32), "&", b, Expr::literal(I32, u64::from(bits - 1))),
        }
    }

    fn int_unary(&mut self, depth: u32) -> Expr {
        let a = self.int(depth - 1);
        let s = scalar(&a);
        match self.rng.below(3) {
            0 => Expr::prefix(s.promoted(), "~", a),
            1 => Expr::prefix(I32, "!", a),
            _ => {
                let a = if s.bits() >= 32 { a.cast(s.unsigned()) } else { a };
                Expr::prefix(scalar(&a).promoted(), "-", a)
            }
        }
    }

    /// An `int` of at most so many bits besides the sign.
    fn small(&mut self, bits: u32) -> Expr {
        let counters: Vec<Expr> = self
            .vars
            .iter()
            .filter(|v| v.below.is_some_and(|b| b <= 1 << bits.min(16)) && v.ty == Ty::Scalar(I32))
            .filter(|v| v.uniform || !self.only_uniform)
            .map(Var::expr)
            .collect();
        match self.rng.below(4) {
            0 if !counters.is_empty() => counters[self.rng.below(counters.len())].clone(),
            1 => Expr::literal(I32, self.rng.range(-9, 9) as u64),
            2 => {
                let e = self.int(0).cast(I32);
                Expr::binary(I32, ">>", e, Expr::literal(I32, u64::from(31 - bits.min(30))))
            }
            _ => {
                let e = self.int(0).cast(I32);
                Expr::binary(I32, "&", e, Expr::literal(I32, (1 << bits) - 1))
            }
        }
    }

    /// Signed arithmetic, as is, on values that leave it room.
    fn small_sum(&mut self, depth: u32) -> Expr {
        let mut e = self.small(12);
        for _ in 0..depth.min(2) {
            let b = self.small(5);
            let op = self.rng.pick(&["+", "-", "*"]);
            e = Expr::binary(I32, op, e, b);
        }
        e
    }

    pub(super) fn comparison(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&["<", ">", "<=", ">=", "==", "!="]);
        if self.half_here() {
            return self.half_test(depth.saturating_sub(1));
        }
        if self.rng.chance(12) {
            let (a, b) = (self.float(Scalar::F32, depth - 1), self.float(Scalar::F32, depth - 1));
            return Expr::binary(I32, op, a, b);
        }
        let (a, b) = (self.int(depth.saturating_sub(1)), self.int(depth.saturating_sub(1)));
        Expr::binary(I32, op, a, b)
    }

    /// What is tested by a branch.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(55) {
            return self.comparison(depth.max(1));
        }
        match self.rng.below(4) {
            0 => Expr::prefix(I32, "!", self.condition(depth - 1)),
            1 => self.int(depth - 1),
            n => {
                let op = if n == 2 { "&&" } else { "||" };
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                Expr::binary(I32, op, a, b)
            }
        }
    }

    fn int_builtin(&mut self, depth: u32) -> Expr {
        if !self.opencl {
            return self.cuda_builtin(depth);
        }
        if self.rng.chance(8) {
            return self.dot_of_bytes(depth);
        }
        let s = self.rng.pick(&Scalar::INTEGERS);
        let (a, b) = (self.int(depth - 1).cast(s), self.int_of(s, depth - 1));
        match self.rng.below(8) {
            0..4 => {
                let f = self.rng.pick(&TWO);
                let ty = if f == "abs_diff" { s.unsigned() } else { s };
                Expr::call(ty, f, vec![a, b])
            }
            4 => {
                let f = self.rng.pick(&["clz", "popcount", "abs"]);
                Expr::call(if f == "abs" { s.unsigned() } else { s }, f, vec![a])
            }
            5 => {
                let c = self.int_of(s, 0);
                let f = self.rng.pick(&["mad_hi", "mad_sat", "bitselect"]);
                Expr::call(s, f, vec![a, b, c])
            }
            6 => {
                let w = if self.rng.chance(50) { I32 } else { U32 };
                let cut = |e: Expr| Expr::binary(w, "&", e.cast(w), Expr::literal(w, 0x3fff));
                if self.rng.chance(50) {
                    let c = self.int(0).cast(w);
                    // The sum wraps where it is of unsigned numbers only.
                    let c = Expr::binary(w, "&", c, Expr::literal(w, 0xffff));
                    Expr::call(w, "mad24", vec![cut(a), cut(b), c])
                } else {
                    Expr::call(w, "mul24", vec![cut(a), cut(b)])
                }
            }
            _ if s.bits() < 64 => {
                let hi = a;
                let lo = b.cast(s.unsigned());
                let wide = Scalar::INTEGERS[s as usize + 2];
                Expr::call(wide, "upsample", vec![hi, lo])
            }
            _ => {
                let c = self.int_of(s.signed(), depth - 1);
                Expr::call(s, "select", vec![a, b, c])
            }
        }
    }

    /// A sum of products of the bytes of words, of all signs, which may be added to a word and saturate.
    fn dot_of_bytes(&mut self, depth: u32) -> Expr {
        let (signs, of) = self.rng.pick(&[("ss_int", I32), ("su_int", I32), ("us_int", I32), ("uu_uint", U32)]);
        let mut words = vec![self.int(depth - 1).cast(U32), self.int(depth - 1).cast(U32)];
        let accumulates = self.rng.chance(50);
        if accumulates {
            words.push(self.int(0).cast(of));
        }
        Expr::call(of, if accumulates { "dot_acc_sat_4x8packed_" } else { "dot_4x8packed_" }.to_owned() + signs, words)
    }

    fn cuda_builtin(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        let u = |e: Expr| e.cast(U32);
        let i = |e: Expr| e.cast(I32);
        match self.rng.below(13) {
            0 => Expr::call(U32, "__umulhi", vec![u(a), u(b)]),
            1 => Expr::call(I32, "__mulhi", vec![i(a), i(b)]),
            2 => Expr::call(I32, "__clz", vec![i(a)]),
            3 => Expr::call(I32, "__popc", vec![u(a)]),
            4 => Expr::call(U32, "__brev", vec![u(a)]),
            5 => Expr::call(I32, "__ffs", vec![i(a)]),
            6 => Expr::call(U32, "__byte_perm", vec![u(a), u(b), Expr::literal(U32, self.rng.bits() & 0x7777)]),
            7 => {
                let c = self.int(0).cast(U32);
                let f = self.rng.pick(&["__funnelshift_l", "__funnelshift_r", "__funnelshift_lc"]);
                Expr::call(U32, f, vec![u(a), u(b), c])
            }
            8 => Expr::call(U64, "__umul64hi", vec![a.cast(U64), b.cast(U64)]),
            9 => Expr::call(I32, self.rng.pick(&["__hadd", "__rhadd"]), vec![i(a), i(b)]),
            10 => Expr::call(U32, "__usad", vec![u(a), u(b), Expr::literal(U32, 5)]),
            n => {
                let s = self.rng.pick(&[I32, U32, I64, U64]);
                Expr::call(s, if n == 11 { "min" } else { "max" }, vec![a.cast(s), b.cast(s)])
            }
        }
    }
}

/// Integer functions of two operands of one type.
pub(super) const TWO: [&str; 9] = ["add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate", "abs_diff", "min", "max"];

/// A type's name in OpenCL C.
pub(super) fn cl_name(s: Scalar) -> &'static str {
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"][s as usize]
}

/// The scalar type of an expression that has one.
pub(super) fn scalar(e: &Expr) -> Scalar {
    e.ty.scalar().unwrap_or(I32)
}
