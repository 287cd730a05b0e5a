//! Assignments, and what updates a place: `op=`, `++`, `--`.

use crate::bits::BitPlace;
use crate::expr::no_wrap;
use crate::func::FunctionLowering;
use crate::place::Place;
use ir::{AddrSpace, Flags, Opcode, Type, Value};
use sema::program::{ExprId, ExprKind};

/// What an updating assignment found and left.
pub(crate) struct Update {
    pub(crate) place: Place,
    pub(crate) old: Value,
    pub(crate) new: Value,
}

impl FunctionLowering<'_, '_> {
    /// Whether the object at a place may be a base class's or a member, or one of which that is not known.
    fn is_part(&self, place: ExprId) -> bool {
        let program = self.cx.program;
        match program.expr(place).kind {
            ExprKind::Local(l) => program.functions[self.n].locals[l.index()].is_made,
            _ => true,
        }
    }

    /// Assigns, or gives a new object its `first` value; gives the place and, for scalars and vectors, the value.
    pub(crate) fn assign(&mut self, place: ExprId, value: ExprId, first: bool) -> (Place, Option<Value>) {
        let program = self.cx.program;
        let ty = program.expr(place).ty;
        if program.types.is_aggregate(ty) {
            let part = self.is_part(place);
            let place = self.place(place);
            let (ptr, align) = self.memory(&place);
            // The value may read the place (`a = f(a)`), so it is complete before the place changes; a plain copy
            // reads and writes at once.
            if let (ExprKind::Load(source), false) = (program.expr(value).kind, first) {
                let source = self.place(source);
                let (src, other) = self.memory(&source);
                self.copy(ptr, src, ty, align.min(other));
            } else if first && part {
                self.part_into(value, ptr, align);
            } else if first {
                self.expr_into(value, ptr, align);
            } else {
                let temp = self.temp(ty);
                let natural = program.types.align_of(ty);
                self.expr_into(value, temp, natural);
                self.copy(ptr, temp, ty, align.min(natural));
            }
            return (place, None);
        }
        let v = self.expr(value);
        let place = self.place(place);
        let v = self.narrowed(&place, v);
        self.store(&place, v);
        (place, Some(v))
    }

    /// What a bit-field holds of a value.
    fn narrowed(&mut self, place: &Place, v: Value) -> Value {
        let Place::Bits(BitPlace { bits, signed, .. }) = place else { return v };
        let ty = self.ty(v);
        if ty == Type::I1 || u32::from(bits.width) >= ty.bits() {
            return v;
        }
        let n = self.iconst(ty, i64::from(ty.bits()) - i64::from(bits.width));
        let up = self.build(|b| b.binary(Opcode::Shl, v, n));
        self.build(|b| b.binary(if *signed { Opcode::AShr } else { Opcode::LShr }, up, n))
    }

    /// `op=`, `++`, `--`.
    pub(crate) fn update(&mut self, id: ExprId) -> Update {
        let program = self.cx.program;
        let e = *program.expr(id);
        match e.kind {
            ExprKind::AssignOp { op, place, value, compute, widen, narrow } => {
                let ty = self.type_of(place);
                let place_ty = program.expr(place).ty;
                let addend = if op.is_shift() { self.shift_operand(value) } else { self.expr(value) };
                let target = self.place(place);
                let old = self.load(&target, ty);
                let wide = self.convert(old, widen, place_ty, compute);
                let signed = program.types.is_signed(program.types.scalar_of(compute));
                let result = if self.is_wide(compute) {
                    self.wide_arithmetic(op, wide, addend, signed)
                } else {
                    self.arithmetic(op, wide, addend, signed)
                };
                self.contract_within(result, &[(value, addend)]);
                let new = self.convert(result, narrow, compute, place_ty);
                let new = self.narrowed(&target, new);
                self.store(&target, new);
                Update { place: target, old, new }
            }
            ExprKind::AssignPtr { place, index, negative } => {
                let ty = self.type_of(place);
                let size = self.pointee_size(program.expr(place).ty);
                let i = self.expr(index);
                let target = self.place(place);
                let old = self.load(&target, ty);
                let new = self.element_ptr(old, i, size, negative);
                self.store(&target, new);
                Update { place: target, old, new }
            }
            ExprKind::IncDec { place, increment, .. } => {
                let ty = self.type_of(place);
                let e_place = program.expr(place).ty;
                let signed = self.is_signed(place);
                let size = self.pointee_size(program.expr(place).ty);
                let target = self.place(place);
                let old = self.load(&target, ty);
                let new = if self.is_wide(e_place) {
                    self.wide_step(old, increment)
                } else {
                    self.step(old, ty, signed, increment, size)
                };
                let new = self.narrowed(&target, new);
                self.store(&target, new);
                Update { place: target, old, new }
            }
            _ => {
                debug_assert!(false, "not an update");
                let undef = self.func.dfg.undef(Type::I32);
                let ptr = self.func.dfg.undef(Type::ptr(AddrSpace::Private));
                Update { place: Place::Memory { ptr, align: 1, volatile: false }, old: undef, new: undef }
            }
        }
    }

    fn step(&mut self, old: Value, ty: Type, signed: bool, up: bool, size: u64) -> Value {
        if ty.is_ptr() {
            let n = self.iconst(Type::I64, if up { size as i64 } else { -(size as i64) });
            return self.build(|b| b.ptradd(old, n, Flags::INBOUNDS));
        }
        if ty.scalar() == Type::I1 {
            // `++` on bool sets it (C++14 and before; C); `--` on `_Bool` flips it.
            let one = self.iconst(ty, 1);
            return self.build(|b| b.binary(if up { Opcode::Or } else { Opcode::Xor }, old, one));
        }
        if ty.is_float() {
            let one = self.func.dfg.fconst(ty, if up { 1.0 } else { -1.0 });
            let flags = self.fp_flags(ty);
            return self.build(|b| b.op(Opcode::FAdd, flags, &[old, one]));
        }
        // Narrow types are promoted to `int`, so their increment cannot overflow; the conversion back wraps.
        let nsw = no_wrap(signed && ty.bits() >= 32, ty);
        let n = self.iconst(ty, if up { 1 } else { -1 });
        self.build(|b| b.op(Opcode::Add, nsw, &[old, n]))
    }
}
