//! Halves: `half` in OpenCL C, `__half` in CUDA C++. Operands stand in memory often, on either side, and what is tested
//! decides often: machines that have few instructions for halves compare and select in ways of their own.

use super::Gen;
use super::integers::cl_name;
use crate::sourcegen::tree::{Expr, Form, Scalar, Space, Ty};
use Scalar::{F16, F32, F64, I16, I32, U16};

/// Values of halves: ordinary ones, the smallest and largest of either kind, and neighbours of a power of two.
const VALUES: [f32; 14] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.25,
    -7.75,
    100.0,
    65504.0,
    6.103_515_6e-5,
    5.960_464_5e-8,
    -6.097_555e-5,
    2048.0,
    0.333_251_95,
];

/// The tests of two halves that OpenCL C has functions for.
const TESTS: [&str; 9] = [
    "isless",
    "isgreater",
    "islessequal",
    "isgreaterequal",
    "isequal",
    "isnotequal",
    "islessgreater",
    "isordered",
    "isunordered",
];

const OPERATORS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];

/// How integers and longer floats may be rounded; the first as a cast does.
const MODES: [&str; 5] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

impl Gen {
    /// Whether a half stands where one may.
    pub(super) fn half_here(&mut self) -> bool {
        self.rng.chance(self.halves)
    }

    /// A type of floats for a variable.
    pub(super) fn float_type(&mut self) -> Scalar {
        if self.half_here() { F16 } else { self.rng.pick(&[F32, F64]) }
    }

    /// A type for a variable or for an array's elements: an integer, where halves are frequent often one of them.
    pub(super) fn element_type(&mut self) -> Scalar {
        if self.halves > 10 && self.half_here() { F16 } else { self.rng.pick(&Scalar::INTEGERS) }
    }

    /// Whether a vector is of floats.
    pub(super) fn float_vectors(&mut self) -> bool {
        let percent = 15 + self.halves;
        self.rng.chance(percent)
    }

    /// An expression of type `half`.
    pub(super) fn half(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.half_leaf();
        }
        let d = depth - 1;
        match self.rng.below(16) {
            0..3 => self.half_leaf(),
            3..7 => {
                let (a, b) = (self.half(d), self.half(d));
                Expr::binary(F16, self.rng.pick(&["+", "-", "*", "/"]), a, b)
            }
            7 => {
                let a = self.half(d);
                Expr::call(F16, self.half_function(&["fabs", "floor", "ceil", "trunc", "rint"]), vec![a])
            }
            8 | 9 => {
                // Which zero is smaller is left open.
                let plain = |e: Expr| Expr::binary(F16, "+", e, Expr::literal(F16, 0));
                let (a, b) = (plain(self.half(d)), plain(self.half(0)));
                Expr::call(F16, self.half_function(&["fmin", "fmax"]), vec![a, b])
            }
            10 => {
                let args = vec![self.half(d), self.half(0), self.half(0)];
                Expr::call(F16, self.half_function(&["fma"]), args)
            }
            11 => {
                let c = if self.rng.chance(60) { self.half_test(d) } else { self.condition(d) };
                let (a, b) = (self.half(d), self.half(d));
                Expr::new(F16, Form::Ternary, vec![c, a, b])
            }
            12 => self.half_of_other(d),
            13 if self.opencl => {
                let c = self.half_test(d);
                let c = Expr::prefix(I16, "-", c).cast(I16);
                let (a, b) = (self.half(d), self.half(0));
                Expr::call(F16, "select", vec![a, b, c])
            }
            14 if self.opencl => {
                let (_, n) = self.vector_type(true);
                let v = self.half_vector(n, d);
                let c = self.rng.below(usize::from(n)) as u8;
                self.component(v, F16, n, c)
            }
            _ => {
                let a = self.half(d);
                Expr::prefix(F16, "-", a)
            }
        }
    }

    /// One of some functions, by OpenCL's names, in the program's language.
    fn half_function(&mut self, names: &[&'static str]) -> &'static str {
        let name = names[self.rng.below(names.len())];
        match (self.opencl, name) {
            (true, name) => name,
            (_, "fabs") => "__habs",
            (_, "floor") => "hfloor",
            (_, "ceil") => "hceil",
            (_, "trunc") => "htrunc",
            (_, "rint") => "hrint",
            (_, "fmin") => "__hmin",
            (_, "fmax") => "__hmax",
            (_, _) => "__hfma",
        }
    }

    fn half_leaf(&mut self) -> Expr {
        match self.rng.below(10) {
            0..4 => {
                if let Some(e) = self.half_place() {
                    return e;
                }
            }
            4..8 => {
                if let Some(e) = self.half_of_input() {
                    return e;
                }
            }
            8 => {
                let e = self.int(0).cast(I16);
                return e.cast(F16);
            }
            _ => {}
        }
        let v = self.rng.pick(&VALUES);
        Expr::literal(F16, v.to_bits().into())
    }

    /// A half in the input, which has all kinds of bits.
    fn half_of_input(&mut self) -> Option<Expr> {
        if !self.in_kernel || !self.locked.is_empty() {
            return None;
        }
        let index = self.index(super::INPUT * 2);
        let from = self.input_as_halves();
        Some(if self.opencl && self.rng.chance(20) {
            Expr::call(F32, "vload_half", vec![index, from]).cast(F16)
        } else {
            from.index(F16, index)
        })
    }

    fn input_as_halves(&self) -> Expr {
        Expr::name(Ty::Void, "in").cast(Ty::ConstPointer(Space::Global, Box::new(F16.into())))
    }

    /// A half made of an integer or a longer float.
    fn half_of_other(&mut self, depth: u32) -> Expr {
        let e = match self.rng.below(3) {
            0 => self.int(depth),
            1 => self.float(F32, depth),
            _ => self.float(F64, depth),
        };
        if self.opencl && self.rng.chance(60) {
            let mode = self.rng.pick(&MODES);
            return Expr::call(F16, format!("convert_half{mode}"), vec![e]);
        }
        e.cast(F16)
    }

    /// A question about halves, whose answer is 0 or 1.
    pub(super) fn half_test(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.half(depth), self.half(0));
        let (a, b) = if self.rng.chance(50) { (a, b) } else { (b, a) };
        if self.rng.chance(70) {
            return Expr::binary(I32, self.rng.pick(&OPERATORS), a, b);
        }
        if !self.opencl {
            let f =
                self.rng.pick(&["__hlt", "__hgt", "__hle", "__hge", "__heq", "__hne", "__hltu", "__hneu", "__hgeu"]);
            return Expr::call(I32, f, vec![a, b]);
        }
        if self.rng.chance(25) {
            return Expr::call(I32, self.rng.pick(&["isnan", "isinf", "isfinite", "isnormal"]), vec![a]);
        }
        Expr::call(I32, self.rng.pick(&TESTS), vec![a, b])
    }

    /// A mask of `short`s that halves decide.
    pub(super) fn half_vector_test(&mut self, n: u8, depth: u32) -> Expr {
        let ty = Ty::Vector(I16, n);
        let (a, b) = (self.half_vector(n, depth), self.half_vector(n, 0));
        let (a, b) = if self.rng.chance(50) { (a, b) } else { (b, a) };
        match self.rng.below(10) {
            0..6 => Expr::binary(ty, self.rng.pick(&OPERATORS), a, b),
            6..9 => Expr::call(ty, self.rng.pick(&TESTS), vec![a, b]),
            _ => Expr::call(ty, self.rng.pick(&["isnan", "isinf", "isfinite", "isnormal"]), vec![a]),
        }
    }

    /// A vector of halves.
    pub(super) fn half_vector(&mut self, n: u8, depth: u32) -> Expr {
        let ty = Ty::Vector(F16, n);
        if depth == 0 {
            return self.half_vector_leaf(n);
        }
        let d = depth - 1;
        match self.rng.below(14) {
            0..4 => {
                let a = self.half_vector(n, d);
                // The other operand may be a scalar, which is widened.
                let b = if self.rng.chance(20) { self.half(d) } else { self.half_vector(n, d) };
                Expr::binary(ty, self.rng.pick(&["+", "-", "*", "/"]), a, b)
            }
            4 => {
                let from = self.rng.pick(&Scalar::INTEGERS);
                let v = self.vector(from, n, d);
                Expr::call(ty, format!("convert_half{n}{}", self.rng.pick(&MODES)), vec![v])
            }
            5 => {
                let v = self.float_vector(F32, n, d);
                Expr::call(ty, format!("convert_half{n}{}", self.rng.pick(&MODES)), vec![v])
            }
            6 | 7 => {
                let c = self.half_vector_test(n, d);
                let (a, b) = (self.half_vector(n, d), self.half_vector(n, 0));
                if self.rng.chance(50) {
                    return Expr::new(ty, Form::Ternary, vec![c, a, b]);
                }
                let c = if self.rng.chance(50) { c } else { super::vectors::reinterpret(c, U16, n) };
                Expr::call(ty, "select", vec![a, b, c])
            }
            8 => {
                let plain = |e: Expr| Expr::binary(Ty::Vector(F16, n), "+", e, Expr::literal(F16, 0));
                let (a, b) = (plain(self.half_vector(n, d)), plain(self.half_vector(n, 0)));
                Expr::call(ty, self.rng.pick(&["fmin", "fmax"]), vec![a, b])
            }
            9 => {
                let args = vec![self.half_vector(n, d), self.half_vector(n, 0), self.half_vector(n, 0)];
                Expr::call(ty, "fma", args)
            }
            10 => {
                let a = self.half_vector(n, d);
                Expr::call(ty, self.rng.pick(&["fabs", "floor", "ceil", "trunc", "rint"]), vec![a])
            }
            11 if n <= 8 && n != 3 => {
                let v = self.half_vector(n * 2, d);
                v.member(ty, self.rng.pick(&["lo", "hi", "even", "odd"]))
            }
            _ => self.half_vector_leaf(n),
        }
    }

    fn half_vector_leaf(&mut self, n: u8) -> Expr {
        let ty = Ty::Vector(F16, n);
        if self.rng.chance(60)
            && let Some(e) = self.whole_place(&ty)
        {
            return e;
        }
        if self.rng.chance(60)
            && let Some(e) = self.loaded_halves(n, "vload")
        {
            return e;
        }
        let parts = (0..n).map(|_| self.half_leaf()).collect();
        Expr::new(ty, Form::Construct, parts)
    }

    fn loaded_halves(&mut self, n: u8, function: &str) -> Option<Expr> {
        if !self.in_kernel || !self.locked.is_empty() {
            return None;
        }
        let at = self.index(super::INPUT * 2 / u32::from(n));
        let ty = Ty::Vector(if function == "vload" { F16 } else { F32 }, n);
        Some(Expr::call(ty, format!("{function}{n}"), vec![at, self.input_as_halves()]))
    }

    /// A vector of `float` that was one of halves.
    pub(super) fn half_vector_as_float(&mut self, n: u8, depth: u32) -> Expr {
        if self.rng.chance(40)
            && let Some(e) = self.loaded_halves(n, "vload_half")
        {
            return e;
        }
        let v = self.half_vector(n, depth);
        Expr::call(Ty::Vector(F32, n), format!("convert_{}{n}", cl_name(F32)), vec![v])
    }
}
