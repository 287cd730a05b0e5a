//! Calls of functions of the builtin library: lane by lane, out-parameters by way of private scalars.

use crate::{Emitter, Operands};
use ir::{AddrSpace, Flags, FuncId, Module, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// A function of the library that stands in the module.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The function.
    pub func: FuncId,
    /// Types of its parameters.
    pub params: SmallVec<[Type; 4]>,
    /// Type of its result.
    pub ret: Type,
    /// Its pointers lead to arrays that it reads, and do not say where results go.
    pub reads: bool,
    /// It raises its first argument to the power of its second one, and squares may be multiplications: they are the power
    /// itself, rounded once, whatever the argument.
    pub squares: bool,
}

impl Callee {
    /// A function of a module.
    pub fn new(module: &Module, func: FuncId) -> Self {
        let f = &module.functions[func];
        Self { func, params: f.params.iter().map(|p| p.ty).collect(), ret: f.ret, reads: false, squares: false }
    }
}

/// A private scalar that a call writes, and its type.
type Slot = (Value, Type);

impl Emitter<'_> {
    /// A call with the operands as they are.
    pub fn call_plain(&mut self, callee: &Callee, o: &Operands) -> Option<Value> {
        self.build(|b| b.call(callee.func, callee.ret, o.values()))
    }

    /// A call of a function on scalars, once per lane. With `via_f32` operands narrower than the function's own are
    /// widened to `float` and results narrowed again.
    pub fn call_library(&mut self, callee: &Callee, via_f32: bool, o: &Operands) -> Option<Value> {
        if callee.squares
            && let [x, exponent] = *o.values()
            && self.func.dfg.as_float(exponent) == Some(2.0)
        {
            return self.build(|b| b.binary(Opcode::FMul, x, x)).into();
        }
        let lanes = o.values().iter().map(|&v| self.ty(v).lanes()).max().unwrap_or(1).max(o.ty.lanes());
        let outs: SmallVec<[usize; 2]> = (0..o.values().len()).filter(|&n| self.is_out(callee, o, n)).collect();
        let mut results: SmallVec<[Value; 16]> = SmallVec::new();
        let mut written: SmallVec<[SmallVec<[Value; 16]>; 2]> = outs.iter().map(|_| SmallVec::new()).collect();
        for lane in 0..lanes {
            let (result, slots) = self.call_lane(callee, via_f32, o, lane);
            if let Some(r) = result {
                results.push(self.library_result(r, o.ty.scalar()));
            }
            for ((list, &n), (addr, elem)) in written.iter_mut().zip(&outs).zip(slots) {
                let v = self.load_scalar(addr, elem, elem.scalar_bytes(), Flags::NONE);
                list.push(self.library_result(v, o.target_type(n).scalar()));
            }
        }
        for (list, n) in written.into_iter().zip(outs) {
            let v = if list.len() == 1 { list[0] } else { self.build(|b| b.vec_build(&list)) };
            self.store_scalar(o.get(n), v, o.pointee(n).align, Flags::NONE);
        }
        match results.as_slice() {
            [] => None,
            [one] if !o.ty.is_vector() => Some(*one),
            many => Some(self.build(|b| b.vec_build(many))),
        }
    }

    /// Whether an operand says where a result goes.
    fn is_out(&self, callee: &Callee, o: &Operands, n: usize) -> bool {
        !callee.reads && callee.params.get(n).is_some_and(|p| p.is_ptr()) && self.ty(o.get(n)).is_ptr()
    }

    /// The call for one lane: its result, and the scalars that it wrote.
    fn call_lane(
        &mut self,
        callee: &Callee,
        via_f32: bool,
        o: &Operands,
        lane: u8,
    ) -> (Option<Value>, SmallVec<[Slot; 2]>) {
        let mut actual: SmallVec<[Value; 4]> = SmallVec::new();
        let mut slots = SmallVec::new();
        for (n, &v) in o.values().iter().enumerate() {
            let want = callee.params.get(n).copied().unwrap_or(Type::VOID);
            if self.is_out(callee, o, n) {
                let elem = o.target_type(n).scalar();
                let elem = if via_f32 && elem.is_float() { Type::F32 } else { elem };
                let addr = self.slot(elem.scalar_bytes(), elem.scalar_bytes());
                slots.push((addr, elem));
                actual.push(self.in_space(addr, want.space().unwrap_or(AddrSpace::Generic)));
                continue;
            }
            if want.is_ptr() && self.ty(v).is_ptr() {
                actual.push(self.in_space(v, want.space().unwrap_or(AddrSpace::Generic)));
                continue;
            }
            let mut x = if self.ty(v).is_vector() { self.build(|b| b.extract(v, lane)) } else { v };
            if via_f32 && self.ty(x).is_float() {
                x = self.float_to_float(x, Type::F32);
            }
            if self.ty(x).is_int() && want.is_int() {
                x = self.resize(x, want, o.is_signed(n));
            }
            actual.push(x);
        }
        (self.build(|b| b.call(callee.func, callee.ret, &actual)), slots)
    }

    /// A library result as the caller's scalar type: half results are narrowed, truth values widened, and whole numbers
    /// (`lround` calls what `round` does) converted.
    fn library_result(&mut self, v: Value, ty: Type) -> Value {
        let from = self.ty(v);
        if ty.is_void() || from == ty {
            v
        } else if from.is_float() && ty.is_float() {
            self.float_to_float(v, ty)
        } else if from.is_int() && ty.is_int() {
            self.resize(v, ty, true)
        } else if from.is_float() && ty.is_int() && from.scalar() != ty.scalar() {
            self.float_to_wrapped(v, ty, true, Flags::NONE, Payload::None)
        } else {
            self.reinterpret(v, ty)
        }
    }
}
