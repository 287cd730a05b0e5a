//! Vector expressions, and scalars made of vectors.

use super::Gen;
use super::integers::{TWO, cl_name};
use crate::sourcegen::tree::{Expr, Form, Scalar, Ty};

/// Lengths of vectors, the usual ones more often.
const LENGTHS: [u8; 12] = [2, 2, 2, 4, 4, 4, 4, 3, 3, 2, 8, 16];

impl Gen {
    /// A vector type of the language.
    pub(super) fn vector_type(&mut self, float: bool) -> (Scalar, u8) {
        let n = if self.opencl { self.rng.pick(&LENGTHS) } else { self.rng.pick(&[2, 3, 4]) };
        let half = self.opencl && self.half_here();
        let s = match float {
            true if half => Scalar::F16,
            true => Scalar::F32,
            false => self.rng.pick(&Scalar::INTEGERS),
        };
        (s, n)
    }

    /// An integer that comes out of a vector.
    pub(super) fn of_vector(&mut self, depth: u32) -> Expr {
        let (s, n) = self.vector_type(false);
        if !self.opencl {
            return self.int(depth - 1);
        }
        match self.rng.below(6) {
            0 => {
                let test = self.vector_comparison(s, n, depth - 1);
                let f = self.rng.pick(&["any", "all"]);
                Expr::call(Scalar::I32, f, vec![test])
            }
            1 if n.is_power_of_two() && s.bits() * u32::from(n) <= 64 && s.bits() * u32::from(n) >= 16 => {
                let whole = match s.bits() * u32::from(n) {
                    16 => Scalar::U16,
                    32 => Scalar::U32,
                    _ => Scalar::I64,
                };
                let v = self.vector(s, n, depth - 1);
                Expr::call(whole, format!("as_{}", cl_name(whole)), vec![v])
            }
            _ => {
                let v = self.vector(s, n, depth - 1);
                let c = self.rng.below(usize::from(n)) as u8;
                self.component(v, s, n, c)
            }
        }
    }

    /// An integer vector of this type.
    pub(super) fn vector(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let ty = Ty::Vector(s, n);
        if !self.opencl || depth == 0 || self.rng.chance(20) {
            return self.vector_leaf(s, n);
        }
        let d = depth - 1;
        match self.rng.below(16) {
            0..4 => self.vector_binary(s, n, d),
            4 => {
                let m = self.vector_comparison(s, n, d);
                if s.is_signed() { m } else { Expr::call(ty, format!("convert_{}{n}", cl_name(s)), vec![m]) }
            }
            5 | 6 => {
                let (a, b) = (self.vector(s, n, d), self.vector(s, n, d));
                let f = self.rng.pick(&TWO);
                if f == "abs_diff" && s.is_signed() {
                    let e = Expr::call(Ty::Vector(s.unsigned(), n), f, vec![a, b]);
                    return reinterpret(e, s, n);
                }
                Expr::call(ty, f, vec![a, b])
            }
            7 => {
                let (a, b, c) = (self.vector(s, n, d), self.vector(s, n, d), self.vector(s.signed(), n, d));
                Expr::call(ty, "select", vec![a, b, c])
            }
            8 => {
                let c = self.vector_comparison(s, n, d);
                let (a, b) = (self.vector(s, n, d), self.vector(s, n, 0));
                Expr::new(ty, Form::Ternary, vec![c, a, b])
            }
            9 => {
                let v = if self.rng.chance(25) {
                    self.float_vector(Scalar::F32, n, d)
                } else {
                    let from = self.rng.pick(&Scalar::INTEGERS);
                    self.vector(from, n, d)
                };
                let mode = if self.rng.chance(40) { "_sat" } else { "" };
                Expr::call(ty, format!("convert_{}{n}{mode}", cl_name(s)), vec![v])
            }
            10 if n != 3 => self.swizzled(s, n, d),
            11 if n != 3 => self.shuffled(s, n, d),
            12 if n != 3 => self.reinterpreted(s, n, d),
            13 => {
                let v = self.vector(s, n, d);
                Expr::prefix(ty, "~", v)
            }
            14 => self.loaded(s, n).unwrap_or_else(|| self.vector_leaf(s, n)),
            _ => self.vector_pieces(s, n, d),
        }
    }

    fn vector_leaf(&mut self, s: Scalar, n: u8) -> Expr {
        let ty = Ty::Vector(s, n);
        if self.rng.chance(75)
            && let Some(e) = self.whole_place(&ty)
        {
            return e;
        }
        match self.rng.below(3) {
            0 => {
                let x = self.int(0).cast(s);
                Expr::new(ty, Form::Construct, vec![x])
            }
            _ => {
                let parts = (0..n).map(|_| self.int(0).cast(s)).collect();
                Expr::new(ty, Form::Construct, parts)
            }
        }
    }

    /// A vector put together of smaller ones.
    fn vector_pieces(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let mut parts = Vec::new();
        let mut left = n;
        while left > 0 {
            let fits: Vec<u8> = [1, 2, 3, 4, 8].into_iter().filter(|&k| k <= left && k < n).collect();
            let k = self.rng.pick(&fits);
            parts.push(if k == 1 { self.int_of(s, depth.min(1)) } else { self.vector(s, k, depth.min(1)) });
            left -= k;
        }
        Expr::new(Ty::Vector(s, n), Form::Construct, parts)
    }

    fn vector_binary(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let ty = Ty::Vector(s, n);
        let op = self.rng.pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]);
        let a = self.vector(s, n, depth);
        // The other operand may be a scalar, which is widened.
        let scalar = self.rng.chance(25);
        let b = if scalar { self.int(0).cast(s) } else { self.vector(s, n, depth) };
        match op {
            "&" | "|" | "^" | ">>" | "<<" => Expr::binary(ty, op, a, b),
            "/" | "%" => {
                let mask = |bits| Expr::literal(s, bits);
                let b = Expr::binary(b.ty.clone(), "&", b, mask(63));
                let b = if scalar { b.cast(s) } else { b };
                let b = Expr::binary(b.ty.clone(), "|", b, mask(1));
                let b = if scalar { b.cast(s) } else { b };
                Expr::binary(ty, op, a, b)
            }
            // What overflows wraps around, with and without a cast that says so.
            _ if s.is_signed() && self.rng.chance(50) => {
                let u = s.unsigned();
                let b = if scalar { b.cast(u) } else { reinterpret(b, u, n) };
                let sum = Expr::binary(Ty::Vector(u, n), op, reinterpret(a, u, n), b);
                reinterpret(sum, s, n)
            }
            _ => Expr::binary(ty, op, a, b),
        }
    }

    /// A mask of signed integers of the same size.
    pub(super) fn vector_comparison(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let ty = Ty::Vector(s.signed(), n);
        if s.bits() == 16 && self.half_here() {
            return self.half_vector_test(n, depth);
        }
        let (a, b) = (self.vector(s, n, depth), self.vector(s, n, 0));
        match self.rng.below(8) {
            0 => Expr::prefix(ty, "!", a),
            1 => Expr::binary(ty, self.rng.pick(&["&&", "||"]), a, b),
            _ => {
                let op = self.rng.pick(&["<", ">", "<=", ">=", "==", "!="]);
                Expr::binary(ty, op, a, b)
            }
        }
    }

    /// Components of a vector in any order.
    fn swizzled(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let ty = Ty::Vector(s, n);
        let half = self.rng.pick(&["lo", "hi", "even", "odd"]);
        if n <= 8 && self.rng.chance(40) {
            let v = self.vector(s, n * 2, depth);
            return v.member(ty, half);
        }
        let from = self.rng.pick(&[2, 3, 4, 8, 16]);
        let v = self.vector(s, from, depth);
        let name = self.selection(from, usize::from(n), true);
        v.member(ty, name)
    }

    /// The name of `n` components of a vector of `from`; each at most once unless `repeat`.
    pub(super) fn selection(&mut self, from: u8, n: usize, repeat: bool) -> String {
        let mut left: Vec<u8> = (0..from).collect();
        let mut picked = Vec::new();
        for _ in 0..n {
            let i = self.rng.below(left.len());
            picked.push(if repeat { left[i] } else { left.remove(i) });
        }
        if from <= 4 && self.rng.chance(60) {
            picked.iter().map(|&c| ['x', 'y', 'z', 'w'][usize::from(c)]).collect()
        } else {
            let digits = picked.iter().map(|&c| char::from_digit(c.into(), 16).unwrap_or('0'));
            std::iter::once('s').chain(digits).collect()
        }
    }

    fn shuffled(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let from = self.rng.pick(&[2, 4, 8]);
        let a = self.vector(s, from, depth);
        let mask = self.vector(s.unsigned(), n, 0);
        if self.rng.chance(50) {
            return Expr::call(Ty::Vector(s, n), "shuffle", vec![a, mask]);
        }
        let b = self.vector(s, from, 0);
        Expr::call(Ty::Vector(s, n), "shuffle2", vec![a, b, mask])
    }

    fn reinterpreted(&mut self, s: Scalar, n: u8, depth: u32) -> Expr {
        let total = s.bits() * u32::from(n);
        let from = self.rng.pick(&Scalar::INTEGERS);
        let lanes = total / from.bits();
        if !matches!(lanes, 2 | 4 | 8 | 16) {
            return self.vector_leaf(s, n);
        }
        let v = self.vector(from, lanes as u8, depth);
        reinterpret(v, s, n)
    }

    fn loaded(&mut self, s: Scalar, n: u8) -> Option<Expr> {
        if !self.in_kernel || !self.locked.is_empty() {
            return None;
        }
        let words = super::INPUT * 32 / (s.bits() * u32::from(n));
        let at = self.index(words);
        let ty = Ty::ConstPointer(crate::sourcegen::tree::Space::Global, Box::new(s.into()));
        let from = Expr::name(Ty::Void, "in").cast(ty);
        Some(Expr::call(Ty::Vector(s, n), format!("vload{n}"), vec![at, from]))
    }
}

/// The same bits as another vector.
pub(super) fn reinterpret(e: Expr, s: Scalar, n: u8) -> Expr {
    let ty = Ty::Vector(s, n);
    if e.ty == ty { e } else { Expr::call(ty, format!("as_{}{n}", cl_name(s)), vec![e]) }
}
