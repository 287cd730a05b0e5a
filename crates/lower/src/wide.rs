//! Integers of 128 bits: no instruction knows them, so they are vectors of two halves, the low one first.

use crate::func::FunctionLowering;
use crate::types::value_type;
use builtin_lower::{OperandType, Operands};
use builtins::library::{self, LibFn};
use ir::{Flags, IntCC, Opcode, Payload, Type, Value};
use sema::program::{BinaryOp, CastKind, CompareOp, ExprId, ExprKind, Program};
use sema::types::TyId;

const DIVIDE: &str = "__unspool_divide_wide";
const TO_FLOAT: &str = "__unspool_wide_to_float";
const TO_DOUBLE: &str = "__unspool_wide_to_double";
const MAGNITUDE: &str = "__unspool_wide_magnitude";

/// The two lanes.
const PAIR: u8 = 2;

#[derive(Clone, Copy)]
struct Halves {
    low: Value,
    high: Value,
}

/// The library's functions that an expression needs for integers of 128 bits.
pub(crate) fn needed(program: &Program, kind: ExprKind, ty: TyId) -> impl Iterator<Item = LibFn> {
    let types = &program.types;
    let converted = |kind: CastKind, from: TyId, to: TyId| match kind {
        CastKind::IntToFloat if types.is_wide(from) => [Some(TO_FLOAT), Some(TO_DOUBLE)],
        CastKind::FloatToInt if types.is_wide(to) => [Some(MAGNITUDE), None],
        _ => [None; 2],
    };
    let divided =
        |op: BinaryOp, ty: TyId| (matches!(op, BinaryOp::Div | BinaryOp::Rem) && types.is_wide(ty)).then_some(DIVIDE);
    let (a, [b, c], [d, e]) = match kind {
        ExprKind::Binary { op, .. } => (divided(op, ty), [None; 2], [None; 2]),
        ExprKind::Cast { kind, operand } => (None, converted(kind, program.expr(operand).ty, ty), [None; 2]),
        ExprKind::AssignOp { op, place, compute, widen, narrow, .. } => {
            let place = program.expr(place).ty;
            (divided(op, compute), converted(widen, place, compute), converted(narrow, compute, place))
        }
        _ => (None, [None; 2], [None; 2]),
    };
    [a, b, c, d, e].into_iter().flatten().filter_map(library::find)
}

impl FunctionLowering<'_, '_> {
    pub(crate) fn is_wide(&self, ty: TyId) -> bool {
        self.cx.types().is_wide(ty)
    }

    /// A constant.
    pub(crate) fn wide_constant(&mut self, bits: u128) -> Value {
        let low = self.func.dfg.bits(Type::I64, bits as u64);
        let high = self.func.dfg.bits(Type::I64, (bits >> 64) as u64);
        self.join(Halves { low, high })
    }

    fn join(&mut self, v: Halves) -> Value {
        self.build(|b| b.vec_build(&[v.low, v.high]))
    }

    fn halves(&mut self, v: Value) -> Halves {
        let low = self.build(|b| b.extract(v, 0));
        let high = self.build(|b| b.extract(v, PAIR - 1));
        Halves { low, high }
    }

    /// The low half of a value of `ty`, if it has two: how far a shift goes, and what fewer bits are made of.
    pub(crate) fn narrow_half(&mut self, v: Value, ty: TyId) -> Value {
        if self.is_wide(ty) { self.build(|b| b.extract(v, 0)) } else { v }
    }

    /// Whether a value of the type is unequal to 0.
    pub(crate) fn truth_of(&mut self, v: Value, ty: TyId) -> Value {
        if !self.is_wide(ty) {
            return self.truth(v);
        }
        let v = self.halves(v);
        let any = self.op2(Opcode::Or, v.low, v.high);
        self.truth(any)
    }

    /// Arithmetic; `b` has the type of `a`, but how far a shift goes, which is an integer of at most 64 bits.
    pub(crate) fn wide_arithmetic(&mut self, op: BinaryOp, a: Value, b: Value, signed: bool) -> Value {
        match op {
            BinaryOp::Shl | BinaryOp::Shr => {
                let a = self.halves(a);
                let by = self.resize(b, Type::I64, false);
                let r = if op == BinaryOp::Shl { self.shift_left(a, by) } else { self.shift_right(a, by, signed) };
                return self.join(r);
            }
            // Lane by lane.
            BinaryOp::And => return self.op2(Opcode::And, a, b),
            BinaryOp::Or => return self.op2(Opcode::Or, a, b),
            BinaryOp::Xor => return self.op2(Opcode::Xor, a, b),
            _ => {}
        }
        let (a, b) = (self.halves(a), self.halves(b));
        let r = match op {
            BinaryOp::Add => self.sum(a, b),
            BinaryOp::Sub => self.difference(a, b),
            BinaryOp::Mul => self.product(a, b),
            BinaryOp::Div => self.quotient(a, b, signed, false),
            _ => self.quotient(a, b, signed, true),
        };
        self.join(r)
    }

    fn less(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        self.build(|x| x.icmp(cc, a, b))
    }

    fn sum(&mut self, a: Halves, b: Halves) -> Halves {
        let low = self.op2(Opcode::Add, a.low, b.low);
        let carry = self.less(IntCC::Ult, low, b.low);
        let carry = self.resize(carry, Type::I64, false);
        let high = self.op2(Opcode::Add, a.high, b.high);
        let high = self.op2(Opcode::Add, high, carry);
        Halves { low, high }
    }

    fn difference(&mut self, a: Halves, b: Halves) -> Halves {
        let low = self.op2(Opcode::Sub, a.low, b.low);
        let borrow = self.less(IntCC::Ult, a.low, b.low);
        let borrow = self.resize(borrow, Type::I64, false);
        let high = self.op2(Opcode::Sub, a.high, b.high);
        let high = self.op2(Opcode::Sub, high, borrow);
        Halves { low, high }
    }

    fn product(&mut self, a: Halves, b: Halves) -> Halves {
        let low = self.op2(Opcode::Mul, a.low, b.low);
        let high = self.op2(Opcode::MulHiU, a.low, b.low);
        let left = self.op2(Opcode::Mul, a.low, b.high);
        let right = self.op2(Opcode::Mul, a.high, b.low);
        let high = self.op2(Opcode::Add, high, left);
        let high = self.op2(Opcode::Add, high, right);
        Halves { low, high }
    }

    /// The number with the sign of `mask`, which is 0 or all bits: negated if the latter.
    fn negated_by(&mut self, v: Halves, mask: Value) -> Halves {
        let low = self.op2(Opcode::Xor, v.low, mask);
        let high = self.op2(Opcode::Xor, v.high, mask);
        self.difference(Halves { low, high }, Halves { low: mask, high: mask })
    }

    /// All bits if the number is negative, otherwise 0.
    fn sign(&mut self, v: Halves) -> Value {
        let top = self.iconst(Type::I64, 63);
        self.op2(Opcode::AShr, v.high, top)
    }

    fn quotient(&mut self, a: Halves, b: Halves, signed: bool, rest: bool) -> Halves {
        if !signed {
            return self.unsigned_quotient(a, b, rest);
        }
        let (sa, sb) = (self.sign(a), self.sign(b));
        let (x, y) = (self.negated_by(a, sa), self.negated_by(b, sb));
        let r = self.unsigned_quotient(x, y, rest);
        // The rest has the dividend's sign.
        let sign = if rest { sa } else { self.op2(Opcode::Xor, sa, sb) };
        self.negated_by(r, sign)
    }

    fn unsigned_quotient(&mut self, a: Halves, b: Halves, rest: bool) -> Halves {
        let four = Type::I64.vector(4).unwrap_or(Type::I64);
        let v = self.wide_call(DIVIDE, four, &[a.low, a.high, b.low, b.high]);
        let first = if rest { PAIR } else { 0 };
        let low = self.build(|b| b.extract(v, first));
        let high = self.build(|b| b.extract(v, first + 1));
        Halves { low, high }
    }

    /// A call of a function of the library.
    fn wide_call(&mut self, name: &str, ret: Type, args: &[Value]) -> Value {
        let callee = library::find(name).and_then(|f| self.library_callee(f));
        let mut o = Operands::new(ret, false);
        for &a in args {
            o.push(a, OperandType::default());
        }
        let v = callee.and_then(|c| self.emit(|e| e.call_plain(&c, &o)));
        v.unwrap_or_else(|| self.func.dfg.undef(ret))
    }

    /// How far each half moves, what is left of 64 less one, and whether that is by a whole half or more.
    fn distances(&mut self, by: Value) -> (Value, Value, Value) {
        let most = self.iconst(Type::I64, 63);
        let within = self.op2(Opcode::And, by, most);
        let left = self.op2(Opcode::Xor, within, most);
        let far = self.less(IntCC::Ugt, by, most);
        (within, left, far)
    }

    fn shift_left(&mut self, a: Halves, by: Value) -> Halves {
        let (within, left, far) = self.distances(by);
        let (zero, one) = (self.iconst(Type::I64, 0), self.iconst(Type::I64, 1));
        let low = self.op2(Opcode::Shl, a.low, within);
        let high = self.op2(Opcode::Shl, a.high, within);
        let over = self.op2(Opcode::LShr, a.low, one);
        let over = self.op2(Opcode::LShr, over, left);
        let high = self.op2(Opcode::Or, high, over);
        let high = self.build(|b| b.select(far, low, high));
        let low = self.build(|b| b.select(far, zero, low));
        Halves { low, high }
    }

    fn shift_right(&mut self, a: Halves, by: Value, signed: bool) -> Halves {
        let (within, left, far) = self.distances(by);
        let one = self.iconst(Type::I64, 1);
        let high = self.op2(if signed { Opcode::AShr } else { Opcode::LShr }, a.high, within);
        let low = self.op2(Opcode::LShr, a.low, within);
        let over = self.op2(Opcode::Shl, a.high, one);
        let over = self.op2(Opcode::Shl, over, left);
        let low = self.op2(Opcode::Or, low, over);
        let fill = if signed { self.sign(a) } else { self.iconst(Type::I64, 0) };
        let low = self.build(|b| b.select(far, high, low));
        let high = self.build(|b| b.select(far, fill, high));
        Halves { low, high }
    }

    /// Whether `a op b`, as a truth value.
    pub(crate) fn wide_compare(&mut self, op: CompareOp, a: Value, b: Value, signed: bool) -> Value {
        let (a, b) = match op {
            CompareOp::Gt | CompareOp::Le => (b, a),
            _ => (a, b),
        };
        let (a, b) = (self.halves(a), self.halves(b));
        let same = self.less(IntCC::Eq, a.high, b.high);
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let low = self.less(IntCC::Eq, a.low, b.low);
            let equal = self.op2(Opcode::And, same, low);
            return if op == CompareOp::Eq { equal } else { self.inverted(equal) };
        }
        let low = self.less(IntCC::Ult, a.low, b.low);
        let high = self.less(if signed { IntCC::Slt } else { IntCC::Ult }, a.high, b.high);
        let less = self.build(|x| x.select(same, low, high));
        if matches!(op, CompareOp::Lt | CompareOp::Gt) { less } else { self.inverted(less) }
    }

    fn inverted(&mut self, truth: Value) -> Value {
        let one = self.iconst(Type::I1, 1);
        self.op2(Opcode::Xor, truth, one)
    }

    /// `-v`.
    pub(crate) fn wide_negative(&mut self, v: Value) -> Value {
        let zero = self.iconst(Type::I64, 0);
        let v = self.halves(v);
        let r = self.difference(Halves { low: zero, high: zero }, v);
        self.join(r)
    }

    /// `v` and one more or less.
    pub(crate) fn wide_step(&mut self, v: Value, up: bool) -> Value {
        let one = self.wide_constant(1);
        self.wide_arithmetic(if up { BinaryOp::Add } else { BinaryOp::Sub }, v, one, false)
    }

    /// A conversion from or to an integer of 128 bits; `None` for others, and where it changes nothing.
    pub(crate) fn wide_convert(&mut self, v: Value, kind: CastKind, from: TyId, to: TyId) -> Option<Value> {
        let types = self.cx.types();
        let ty = value_type(types, to);
        let (signed_from, signed_to) = (types.is_signed(from), types.is_signed(to));
        match (kind, self.is_wide(from), self.is_wide(to)) {
            (CastKind::IntToInt, true, true) => Some(v),
            (CastKind::IntToInt | CastKind::IntToPtr, true, false) => {
                let low = self.build(|b| b.extract(v, 0));
                Some(self.convert(low, kind, TyId::ULONG, to))
            }
            (CastKind::IntToBool, true, _) => {
                let v = self.truth_of(v, from);
                Some(self.truth_as(v, ty))
            }
            (CastKind::IntToFloat, true, _) => Some(self.wide_to_float(v, signed_from, ty)),
            (CastKind::FloatToInt, _, true) => Some(self.wide_of_float(v, signed_to)),
            (CastKind::IntToInt | CastKind::PtrToInt, false, true) => {
                let low = self.convert(v, kind, from, if signed_from { TyId::LONG } else { TyId::ULONG });
                let zero = self.iconst(Type::I64, 0);
                let high = if signed_from { self.sign(Halves { low: zero, high: low }) } else { zero };
                Some(self.join(Halves { low, high }))
            }
            _ => None,
        }
    }

    fn wide_to_float(&mut self, v: Value, signed: bool, ty: Type) -> Value {
        let v = self.halves(v);
        let sign = signed.then(|| self.sign(v));
        let v = match sign {
            Some(s) => self.negated_by(v, s),
            None => v,
        };
        // Half precision holds no integer that single precision does not, and what rounds to infinity does so twice.
        let (name, wide) = if ty == Type::F64 { (TO_DOUBLE, Type::F64) } else { (TO_FLOAT, Type::F32) };
        let r = self.wide_call(name, wide, &[v.low, v.high]);
        let r = match sign {
            Some(s) => {
                let negative = self.truth(s);
                let minus = self.make(Opcode::FNeg, wide, Flags::NONE, &[r], Payload::None);
                self.build(|b| b.select(negative, minus, r))
            }
            None => r,
        };
        self.float_to_float(r, ty)
    }

    fn wide_of_float(&mut self, v: Value, signed: bool) -> Value {
        let x = self.float_to_float(v, Type::F64);
        let pair = Type::I64.vector(PAIR).unwrap_or(Type::I64);
        let size = self.wide_call(MAGNITUDE, pair, &[x]);
        let size = self.halves(size);
        let bits = self.reinterpret(x, Type::I64);
        let (top, ones) = (self.iconst(Type::I64, 63), self.iconst(Type::I64, -1));
        let mask = self.op2(Opcode::AShr, bits, top);
        let positive = self.op2(Opcode::Xor, mask, ones);
        if !signed {
            // What is negative becomes 0.
            let low = self.op2(Opcode::And, size.low, positive);
            let high = self.op2(Opcode::And, size.high, positive);
            return self.join(Halves { low, high });
        }
        // What is too large becomes the largest number, or the least one.
        let most = self.iconst(Type::I64, i64::MAX);
        let limit = self.op2(Opcode::Xor, most, mask);
        let zero = self.iconst(Type::I64, 0);
        let over = self.less(IntCC::Slt, size.high, zero);
        let r = self.negated_by(size, mask);
        let low = self.build(|b| b.select(over, positive, r.low));
        let high = self.build(|b| b.select(over, limit, r.high));
        self.join(Halves { low, high })
    }

    /// A value of an expression as how far a shift goes.
    pub(crate) fn shift_operand(&mut self, id: ExprId) -> Value {
        let v = self.expr(id);
        self.narrow_half(v, self.cx.program.expr(id).ty)
    }
}
