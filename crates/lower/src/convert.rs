//! Conversions.

use crate::func::FunctionLowering;
use crate::types::value_type;
use builtins::{ItemOp, Meaning, Op};
use ir::{AddrSpace, Flags, IntCC, Opcode, Type, Value};
use sema::program::{CastKind, ExprId, ExprKind};
use sema::types::TyId;

impl FunctionLowering<'_, '_> {
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
        let ExprKind::Builtin { meaning: Meaning::Op(Op::Item(ItemOp::Query(what))), args } =
            program.expr(operand).kind
        else {
            return None;
        };
        let ExprKind::Int(dimension) = program.expr(*program.exprs(args).first()?).kind else { return None };
        self.emit(|e| e.narrow_query(what, dimension))
    }

    /// Converts a value of type `from` to type `to`.
    pub(crate) fn convert(&mut self, v: Value, kind: CastKind, from: TyId, to: TyId) -> Value {
        if (self.is_wide(from) || self.is_wide(to))
            && let Some(v) = self.wide_convert(v, kind, from, to)
        {
            return v;
        }
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
        // As in memory, where a `bool` is a byte.
        let v = self.expr(operand);
        let v = self.packed(v);
        let v = self.reinterpret(v, crate::types::memory_type(ty));
        self.unpacked(v, ty)
    }
}
