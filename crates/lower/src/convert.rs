//! Conversions.

use crate::func::Fn;
use crate::types::value_type;
use builtins::{Meaning, Op, Special, WorkItem};
use ir::{AddrSpace, Flags, FloatCC, IntCC, Opcode, Payload, Type, Value};
use sema::program::{CastKind, ExprId, ExprKind};
use sema::types::TyId;

impl Fn<'_, '_> {
    /// A cast expression; `None` for `void`.
    pub(crate) fn cast_expr(&mut self, id: ExprId, kind: CastKind, operand: ExprId) -> Option<Value> {
        let program = self.cx.program;
        let e = *program.expr(id);
        let from = program.expr(operand).ty;
        match kind {
            CastKind::ToVoid => {
                self.effect(operand);
                None
            }
            CastKind::ArrayToPtr => {
                let place = self.place(operand);
                let (ptr, _) = self.memory(&place);
                let space = self.type_of(id).space().unwrap_or(AddrSpace::Generic);
                Some(self.in_space(ptr, space))
            }
            _ if program.types.is_aggregate(e.ty) || e.cat == sema::program::Category::LValue => {
                self.effect(operand);
                None
            }
            CastKind::IntToInt => {
                if let Some(v) = self.narrow_global_id(operand, self.type_of(id)) {
                    return Some(v);
                }
                let v = self.expr(operand);
                Some(self.convert(v, kind, from, e.ty))
            }
            _ => {
                let v = self.expr(operand);
                Some(self.convert(v, kind, from, e.ty))
            }
        }
    }

    /// `(int)get_global_id(d)` in 32 bits from the start: the low half of the sum is the sum of the low halves.
    fn narrow_global_id(&mut self, operand: ExprId, ty: Type) -> Option<Value> {
        if ty != Type::I32 {
            return None;
        }
        let program = self.cx.program;
        let ExprKind::Builtin { meaning: Meaning::Op(Op::WorkItem(what)), args } = program.expr(operand).kind else {
            return None;
        };
        if !matches!(what, WorkItem::GlobalId | WorkItem::GlobalSize) {
            return None;
        }
        if what == WorkItem::GlobalSize && self.cx.options.partial_groups {
            return None;
        }
        let ExprKind::Int(axis) = program.expr(*program.exprs(args).first()?).kind else { return None };
        let axis = crate::builtin::work_item::axis(axis)?;
        let reg = |s: Special| crate::builtin::work_item::register(s);
        let size = reg(Special::GroupSize(axis))?;
        let size = self.build(|b| b.special(size));
        let group = reg(match what {
            WorkItem::GlobalId => Special::GroupId(axis),
            _ => Special::NumGroups(axis),
        })?;
        let group = self.build(|b| b.special(group));
        let product = self.build(|b| b.mul(group, size));
        if what == WorkItem::GlobalSize {
            return Some(product);
        }
        let local = reg(Special::ThreadId(axis))?;
        let local = self.build(|b| b.special(local));
        let sum = self.build(|b| b.add(product, local));
        if !self.cx.options.global_offset {
            return Some(sum);
        }
        let offset = crate::builtin::work_item::offset_register(axis);
        let offset = self.build(|b| b.special(offset));
        let offset = self.build(|b| b.cast(Opcode::Trunc, offset, Type::I32));
        Some(self.build(|b| b.add(sum, offset)))
    }

    /// Converts a value of type `from` to type `to`.
    pub(crate) fn convert(&mut self, v: Value, kind: CastKind, from: TyId, to: TyId) -> Value {
        let types = self.cx.types();
        let ty = value_type(types, to);
        let signed_from = types.is_signed(types.scalar_of(from));
        let signed_to = types.is_signed(types.scalar_of(to));
        match kind {
            CastKind::NoOp => match ty.space() {
                Some(space) if self.ty(v).is_ptr() => self.in_space(v, space),
                _ => v,
            },
            CastKind::IntToInt => self.resize(v, ty, signed_from),
            CastKind::IntToFloat => self.int_to_float(v, ty, signed_from),
            CastKind::FloatToInt => self.float_to_int(v, ty, signed_to),
            CastKind::FloatToFloat => self.float_to_float(v, ty),
            CastKind::IntToBool | CastKind::FloatToBool => {
                let v = self.truth(v);
                self.truth_as(v, ty)
            }
            CastKind::PtrToBool => {
                let null = self.func.dfg.bits(self.ty(v), 0);
                self.build(|b| b.icmp(IntCC::Ne, v, null))
            }
            CastKind::PtrToInt => {
                // A generic address, so that the integer means the same wherever it is turned back.
                let v = self.build(|b| b.cast(Opcode::PtrToInt, v, Type::I64));
                self.resize(v, ty, false)
            }
            CastKind::IntToPtr => {
                let v = self.resize(v, Type::I64, signed_from);
                self.build(|b| b.cast(Opcode::IntToPtr, v, ty))
            }
            CastKind::PtrToPtr | CastKind::AddrSpace => match ty.space() {
                Some(space) => self.in_space(v, space),
                None => v,
            },
            CastKind::Splat => self.splat(v, ty.lanes()),
            CastKind::DerivedToBase { offset } => self.adjust(v, i64::from(offset)),
            CastKind::BaseToDerived { offset } => self.adjust(v, -i64::from(offset)),
            CastKind::ArrayToPtr | CastKind::ToVoid => v,
        }
    }

    /// A pointer moved by `bytes`, null staying null.
    fn adjust(&mut self, ptr: Value, bytes: i64) -> Value {
        if bytes == 0 {
            return ptr;
        }
        let n = self.iconst(Type::I64, bytes);
        let moved = self.build(|b| b.ptradd(ptr, n, Flags::INBOUNDS));
        let null = self.func.dfg.bits(self.ty(ptr), 0);
        let is_null = self.build(|b| b.icmp(IntCC::Eq, ptr, null));
        self.build(|b| b.select(is_null, ptr, moved))
    }

    /// Integer to integer of any width: truncates, or extends by `signed`. `i1` is never signed.
    pub(crate) fn resize(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        let from = self.ty(v);
        let ty = from.with_scalar(ty.scalar());
        let op = match from.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Equal => return v,
            std::cmp::Ordering::Greater if ty.scalar() == Type::I1 => return self.truth(v),
            std::cmp::Ordering::Greater => Opcode::Trunc,
            std::cmp::Ordering::Less if signed && from.scalar() != Type::I1 => Opcode::SExt,
            std::cmp::Ordering::Less => Opcode::ZExt,
        };
        if let Some(bits) = self.func.dfg.as_bits(v) {
            let bits = if op == Opcode::SExt { self.func.dfg.as_int(v).unwrap_or(0) as u64 } else { bits };
            return self.func.dfg.bits(ty, bits);
        }
        self.build(|b| b.cast(op, v, ty))
    }

    pub(crate) fn splat(&mut self, v: Value, lanes: u8) -> Value {
        if lanes == 1 || self.ty(v).is_vector() {
            return v;
        }
        if let Some(bits) = self.func.dfg.as_bits(v)
            && let Some(ty) = self.ty(v).vector(lanes)
        {
            return self.func.dfg.bits(ty, bits);
        }
        let parts: smallvec::SmallVec<[Value; 16]> = (0..lanes).map(|_| v).collect();
        self.build(|b| b.vec_build(&parts))
    }

    pub(crate) fn int_to_float(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        // Truth values first become 0 or 1.
        let v = if self.ty(v).scalar() == Type::I1 { self.resize(v, Type::I32, false) } else { v };
        self.build(|b| b.cast(if signed { Opcode::SiToFp } else { Opcode::UiToFp }, v, ty))
    }

    pub(crate) fn float_to_int(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        if ty.scalar() == Type::I1 {
            let zero = self.func.dfg.bits(self.ty(v), 0);
            return self.build(|b| b.fcmp(FloatCC::Une, Flags::NONE, v, zero));
        }
        let flags = self.ftz(self.ty(v));
        let op = if signed { Opcode::FpToSi } else { Opcode::FpToUi };
        self.make(op, ty, flags, &[v], Payload::None)
    }

    pub(crate) fn float_to_float(&mut self, v: Value, ty: Type) -> Value {
        let from = self.ty(v);
        if from == ty {
            return v;
        }
        let single = if from.scalar() == Type::F32 || ty.scalar() == Type::F32 {
            self.ftz(from.with_scalar(Type::F32))
        } else {
            Flags::NONE
        };
        match from.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Less => self.make(Opcode::FpExt, ty, single, &[v], Payload::None),
            std::cmp::Ordering::Greater => self.make(Opcode::FpTrunc, ty, single, &[v], Payload::None),
            std::cmp::Ordering::Equal => {
                // f16 and bf16: by way of single precision.
                let mid = from.with_scalar(Type::F32);
                let wide = self.make(Opcode::FpExt, mid, Flags::NONE, &[v], Payload::None);
                self.make(Opcode::FpTrunc, ty, Flags::NONE, &[wide], Payload::None)
            }
        }
    }

    /// Same bits, other type: values, or aggregates by way of memory.
    pub(crate) fn bit_cast(&mut self, id: ExprId, operand: ExprId, ty: Type) -> Value {
        let program = self.cx.program;
        let from = program.expr(operand).ty;
        let to = program.expr(id).ty;
        if program.types.is_aggregate(from) {
            // Into a vector (or scalar): the aggregate's memory is read as one.
            let align = program.types.align_of(from).max(program.types.align_of(to));
            let ptr = match program.expr(operand).kind {
                ExprKind::Load(place) => {
                    let place = self.place(place);
                    let (ptr, align) = self.memory(&place);
                    return self.load_scalar(ptr, ty, align, Flags::NONE);
                }
                _ => self.temp(from),
            };
            self.expr_into(operand, ptr, program.types.align_of(from));
            return self.load_scalar(ptr, ty, align.min(program.types.align_of(from)), Flags::NONE);
        }
        let v = self.expr(operand);
        self.reinterpret(v, ty)
    }

    /// Same bits as another scalar or vector type of the same size; 3-vectors count as 4 where sizes ask for it.
    pub(crate) fn reinterpret(&mut self, v: Value, ty: Type) -> Value {
        let from = self.ty(v);
        if from == ty {
            return v;
        }
        if from.is_ptr() || ty.is_ptr() {
            return match (from.is_ptr(), ty.is_ptr()) {
                (true, true) => self.in_space(v, ty.space().unwrap_or(AddrSpace::Generic)),
                (true, false) => {
                    let n = self.build(|b| b.cast(Opcode::PtrToInt, v, Type::I64));
                    self.reinterpret(n, ty)
                }
                _ => {
                    let n = self.reinterpret(v, Type::I64);
                    self.build(|b| b.cast(Opcode::IntToPtr, n, ty))
                }
            };
        }
        let bits = |t: Type| t.bits() * u32::from(t.lanes());
        if bits(from) == bits(ty) {
            return self.build(|b| b.cast(Opcode::Bitcast, v, ty));
        }
        if from.lanes() == 3 {
            let wide = self.build(|b| b.shuffle(v, v, &[0, 1, 2, 255]));
            return self.reinterpret(wide, ty);
        }
        if ty.lanes() == 3
            && let Some(four) = ty.scalar().vector(4)
        {
            let wide = self.reinterpret(v, four);
            return self.build(|b| b.shuffle(wide, wide, &[0, 1, 2]));
        }
        // Sema compares sizes; only an error already reported gets here.
        self.func.dfg.undef(ty)
    }
}
