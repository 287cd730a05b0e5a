//! Expressions as values.

use crate::func::FunctionLowering;
use crate::types::value_type;
use ir::{Block, Flags, FloatCC, IntCC, Opcode, Payload, Type, Value};
use sema::program::{BinaryOp, Category, CompareOp, ExprId, ExprKind, UnaryOp};
use sema::types::TyId;
use smallvec::SmallVec;

impl FunctionLowering<'_, '_> {
    /// The value type of an expression; `void` for aggregates.
    pub(crate) fn type_of(&self, id: ExprId) -> Type {
        value_type(self.cx.types(), self.cx.program.expr(id).ty)
    }

    pub(crate) fn is_signed(&self, id: ExprId) -> bool {
        let types = self.cx.types();
        types.is_signed(types.scalar_of(self.cx.program.expr(id).ty))
    }

    /// Evaluates a scalar or vector expression.
    pub(crate) fn expr(&mut self, id: ExprId) -> Value {
        match self.expr_value(id) {
            Some(v) => v,
            None => {
                let ty = self.type_of(id);
                self.func.dfg.undef(if ty.is_void() { Type::I32 } else { ty })
            }
        }
    }

    /// Evaluates an expression for its effects.
    pub(crate) fn effect(&mut self, id: ExprId) {
        let e = *self.cx.program.expr(id);
        if e.cat == Category::LValue {
            self.place(id);
        } else if self.cx.types().is_aggregate(e.ty) {
            self.effect_of_aggregate(id);
        } else {
            self.expr_value(id);
        }
    }

    /// Evaluates any expression that is no aggregate; `None` for `void`. A place is evaluated and not read.
    pub(crate) fn expr_value(&mut self, id: ExprId) -> Option<Value> {
        let span = self.cx.program.expr(id).span;
        if !self.enter(span) {
            self.depth -= 1;
            return None;
        }
        let outer = std::mem::replace(&mut self.span, span);
        let v = self.expr_inner(id);
        self.span = outer;
        self.depth -= 1;
        v
    }

    fn expr_inner(&mut self, id: ExprId) -> Option<Value> {
        let program = self.cx.program;
        let e = *program.expr(id);
        let ty = value_type(&program.types, e.ty);
        Some(match e.kind {
            ExprKind::Error | ExprKind::Aggregate { .. } => return None,
            ExprKind::Int(bits) if self.is_wide(e.ty) => self.wide_constant(bits.into()),
            ExprKind::Int(bits) => self.func.dfg.bits(ty, bits),
            ExprKind::Wide(n) => self.wide_constant(program.wide.get(n as usize).copied().unwrap_or_default()),
            ExprKind::Float(bits) => self.func.dfg.fconst(ty, f64::from_bits(bits)),
            ExprKind::Null | ExprKind::ZeroInit if ty.is_void() => return None,
            ExprKind::Null | ExprKind::ZeroInit => self.func.dfg.bits(ty, 0),
            ExprKind::FuncAddr(f) if self.has_kernel_symbol(f) => self.kernel_symbol(f, ty),
            ExprKind::FuncAddr(f) => {
                let number = self.cx.function_number(f, e.span);
                self.func.dfg.bits(ty, number)
            }
            ExprKind::Field { .. } if e.cat == Category::RValue => self.load_place(id, ty),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::ArrayElem { .. }
            | ExprKind::Field { .. }
            | ExprKind::Materialize { .. } => return self.place_only(id),
            ExprKind::Swizzle { .. } | ExprKind::VectorElem { .. } if e.cat == Category::LValue => {
                return self.place_only(id);
            }
            ExprKind::Load(place) if program.types.is_aggregate(e.ty) => return self.place_only(place),
            ExprKind::Load(place) => self.load_place(place, ty),
            ExprKind::AddrOf(place) => self.address_of(place, ty),
            ExprKind::Swizzle { base, comps } => {
                let v = self.expr(base);
                self.swizzle(v, comps)
            }
            ExprKind::VectorElem { base, index } => {
                let v = self.expr(base);
                let i = self.expr(index);
                let i = self.resize(i, Type::I32, false);
                self.make(Opcode::ExtractDyn, ty, Flags::NONE, &[v, i], Payload::None)
            }
            ExprKind::VectorBuild(list) => self.vector_build(program.exprs(list)),
            ExprKind::Cast { kind, operand } => return self.cast_expr(id, kind, operand),
            ExprKind::Unary { op, operand } => self.unary(op, operand, ty),
            ExprKind::Binary { op, lhs, rhs } if self.is_wide(e.ty) => {
                let signed = self.is_signed(id);
                let a = self.expr(lhs);
                let b = if op.is_shift() { self.shift_operand(rhs) } else { self.expr(rhs) };
                self.wide_arithmetic(op, a, b, signed)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let signed = self.is_signed(id);
                let a = self.expr(lhs);
                let b = if op.is_shift() { self.shift_operand(rhs) } else { self.expr(rhs) };
                let v = self.arithmetic(op, a, b, signed);
                self.contract_within(v, &[(lhs, a), (rhs, b)]);
                v
            }
            ExprKind::Compare { op, lhs, rhs } => self.compare(op, lhs, rhs, ty),
            ExprKind::LogAnd { .. } | ExprKind::LogOr { .. } => self.short_circuit(id, ty),
            ExprKind::PtrOffset { ptr, index, negative } => {
                let size = self.pointee_size(e.ty);
                let p = self.expr(ptr);
                let i = self.expr(index);
                self.element_ptr(p, i, size, negative)
            }
            ExprKind::PtrDiff { lhs, rhs } => self.pointer_difference(lhs, rhs),
            ExprKind::Cond { cond, then, other } => return self.conditional(id, cond, then, other),
            ExprKind::VectorSelect { cond, then, other } => self.vector_select(cond, then, other),
            ExprKind::Assign { place, value, first } => return self.assign(place, value, first).1,
            ExprKind::AssignOp { .. } | ExprKind::AssignPtr { .. } => self.update(id).new,
            ExprKind::IncDec { prefix, .. } => {
                let u = self.update(id);
                if prefix { u.new } else { u.old }
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                return self.last_value(rhs, e.ty);
            }
            ExprKind::Call { callee, args } => return self.call_expr(id, callee, args, None),
            ExprKind::CallPtr { callee, args } => return self.call_through(id, callee, args, None),
            ExprKind::Builtin { meaning, args } => return self.builtin(id, meaning, program.exprs(args)),
            ExprKind::Provable { cond, hint } => self.provable(cond, hint),
            ExprKind::Assume { cond, hint } => return self.assume(cond, hint),
            ExprKind::Expect { value, hint, .. } => return self.expected(value, hint),
            ExprKind::AssumeAligned { ptr, align, hint } => return self.alignment_promise(ptr, align, hint),
            ExprKind::BitCast(operand) => self.bit_cast(id, operand, ty),
            ExprKind::StmtExpr { body, result } => {
                return self.statement_expr(body, |this| this.last_value(result?, e.ty));
            }
        })
    }

    /// Evaluates a place, which is not read.
    fn place_only(&mut self, id: ExprId) -> Option<Value> {
        self.place(id);
        None
    }

    fn load_place(&mut self, id: ExprId, ty: Type) -> Value {
        let place = self.place(id);
        self.load(&place, ty)
    }

    fn address_of(&mut self, place: ExprId, ty: Type) -> Value {
        let elsewhere = self.is_made_elsewhere(place);
        let place = match self.cx.program.expr(place).kind {
            ExprKind::ArrayElem { base, index } => self.array_element(place, base, index, true),
            _ => self.place(place),
        };
        let (ptr, _) = self.memory(&place);
        match ty.space() {
            Some(space) if !elsewhere => self.in_space(ptr, space),
            _ => ptr,
        }
    }

    /// Whether a place is (in) an object that is made where it is going to be, which may be in any memory.
    fn is_made_elsewhere(&self, place: ExprId) -> bool {
        let program = self.cx.program;
        let mut at = place;
        loop {
            match program.expr(at).kind {
                ExprKind::Local(l) => return program.functions[self.n].locals[l.index()].is_made,
                ExprKind::Field { base, .. } | ExprKind::Cast { operand: base, .. } => at = base,
                _ => return false,
            }
        }
    }

    fn pointer_difference(&mut self, lhs: ExprId, rhs: ExprId) -> Value {
        let size = self.pointee_size(self.cx.program.expr(lhs).ty).max(1);
        let a = self.expr(lhs);
        let b = self.expr(rhs);
        let a = self.build(|x| x.cast(Opcode::PtrToInt, a, Type::I64));
        let b = self.build(|x| x.cast(Opcode::PtrToInt, b, Type::I64));
        let d = self.build(|x| x.binary(Opcode::Sub, a, b));
        let n = self.iconst(Type::I64, size as i64);
        self.make(Opcode::SDiv, Type::I64, Flags::EXACT, &[d, n], Payload::None)
    }

    fn vector_select(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Value {
        let c = self.expr(cond);
        let a = self.expr(then);
        let b = self.expr(other);
        let zero = self.iconst(self.ty(c), 0);
        let c = self.build(|x| x.icmp(IntCC::Slt, c, zero));
        self.build(|x| x.select(c, a, b))
    }

    /// The value of the last part of an expression, whose type is `ty`; aggregates have effects only.
    fn last_value(&mut self, id: ExprId, ty: TyId) -> Option<Value> {
        if self.cx.types().is_aggregate(ty) {
            self.effect(id);
            return None;
        }
        self.expr_value(id)
    }

    /// Bytes that a step of a pointer of this type takes; `void` and functions count as one.
    pub(crate) fn pointee_size(&self, ptr: TyId) -> u64 {
        match self.cx.types().get(ptr) {
            sema::types::Ty::Pointer { pointee, .. } => self.cx.types().size_of(*pointee).unwrap_or(1),
            _ => 1,
        }
    }

    fn vector_build(&mut self, parts: &[ExprId]) -> Value {
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        for &p in parts {
            let v = self.expr(p);
            let n = self.ty(v).lanes();
            if n == 1 {
                lanes.push(v);
            } else {
                for l in 0..n {
                    lanes.push(self.build(|b| b.extract(v, l)));
                }
            }
        }
        self.build(|b| b.vec_build(&lanes))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: Type) -> Value {
        let v = self.expr(operand);
        match op {
            UnaryOp::Neg if ty.is_float() => {
                let flags = self.ftz(ty);
                self.build(|b| b.op(Opcode::FNeg, flags, &[v]))
            }
            UnaryOp::Neg if self.is_wide(self.cx.program.expr(operand).ty) => self.wide_negative(v),
            UnaryOp::Neg => {
                let zero = self.iconst(ty, 0);
                let flags = no_wrap(self.is_signed(operand), ty);
                self.make(Opcode::Sub, ty, flags, &[zero, v], Payload::None)
            }
            UnaryOp::Not => {
                let ones = self.iconst(ty, -1);
                self.build(|b| b.binary(Opcode::Xor, v, ones))
            }
            UnaryOp::LogNot => {
                let one = self.iconst(Type::I1, 1);
                let v = self.truth_of(v, self.cx.program.expr(operand).ty);
                let v = self.build(|b| b.binary(Opcode::Xor, v, one));
                self.truth_as(v, ty)
            }
        }
    }

    /// Arithmetic on two values; the left one's type is the result's. `signed` tells the operands' signedness.
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value, signed: bool) -> Value {
        let ty = self.ty(a);
        if ty.is_float() {
            let code = match op {
                BinaryOp::Add => Opcode::FAdd,
                BinaryOp::Sub => Opcode::FSub,
                BinaryOp::Mul => Opcode::FMul,
                BinaryOp::Div => Opcode::FDiv,
                _ => Opcode::FRem,
            };
            let flags = self.fp_flags(ty);
            return self.build(|x| x.op(code, flags, &[a, b]));
        }
        let nsw = no_wrap(signed, ty);
        let (code, flags) = match op {
            BinaryOp::Add => (Opcode::Add, nsw),
            BinaryOp::Sub => (Opcode::Sub, nsw),
            BinaryOp::Mul => (Opcode::Mul, nsw),
            BinaryOp::Div => (if signed { Opcode::SDiv } else { Opcode::UDiv }, Flags::NONE),
            BinaryOp::Rem => (if signed { Opcode::SRem } else { Opcode::URem }, Flags::NONE),
            BinaryOp::And => (Opcode::And, Flags::NONE),
            BinaryOp::Or => (Opcode::Or, Flags::NONE),
            BinaryOp::Xor => (Opcode::Xor, Flags::NONE),
            BinaryOp::Shl | BinaryOp::Shr => {
                let amount = self.shift_amount(b, ty);
                let code = match op {
                    BinaryOp::Shl => Opcode::Shl,
                    _ if signed => Opcode::AShr,
                    _ => Opcode::LShr,
                };
                return self.build(|x| x.binary(code, a, amount));
            }
        };
        // `bool` arithmetic never gets here: operands are promoted. Pointers neither.
        self.build(|x| x.op(code, flags, &[a, b]))
    }

    /// Where contraction ends with the expression: lets a sum be contracted with the products that are its operands.
    pub(crate) fn contract_within(&mut self, sum: Value, operands: &[(ExprId, Value)]) {
        if !self.contracts_expressions() {
            return;
        }
        let Some(add) = self.func.dfg.def_inst(sum) else { return };
        if !matches!(self.func.dfg.op(add), Opcode::FAdd | Opcode::FSub) {
            return;
        }
        for &(e, mut v) in operands {
            let mut at = e;
            while let ExprKind::Unary { op: UnaryOp::Neg, operand } = self.cx.program.expr(at).kind
                && let Some(n) = self.func.dfg.def_op(v, Opcode::FNeg)
            {
                (at, v) = (operand, self.func.dfg.arg(n, 0));
            }
            if !matches!(self.cx.program.expr(at).kind, ExprKind::Binary { op: BinaryOp::Mul, .. }) {
                continue;
            }
            if let Some(mul) = self.func.dfg.def_op(v, Opcode::FMul) {
                for i in [add, mul] {
                    let flags = self.func.dfg.insts[i].flags.with(Flags::CONTRACT);
                    self.func.dfg.insts[i].flags = flags;
                }
            }
        }
    }

    /// A shift amount in the width of the shifted value; OpenCL takes it modulo the width (6.3.j).
    fn shift_amount(&mut self, b: Value, ty: Type) -> Value {
        let mut b = self.resize(b, ty.scalar(), false);
        if ty.is_vector() && !self.ty(b).is_vector() {
            b = self.splat(b, ty.lanes());
        }
        if !self.cx.options.opencl || self.func.dfg.as_bits(b).is_some_and(|n| n < u64::from(ty.bits())) {
            return b;
        }
        let mask = self.iconst(ty, i64::from(ty.bits()) - 1);
        self.build(|x| x.binary(Opcode::And, b, mask))
    }

    fn compare(&mut self, op: CompareOp, lhs: ExprId, rhs: ExprId, ty: Type) -> Value {
        let signed = self.is_signed(lhs);
        let a = self.expr(lhs);
        let b = self.expr(rhs);
        let v = if self.is_wide(self.cx.program.expr(lhs).ty) {
            self.wide_compare(op, a, b, signed)
        } else if self.ty(a).is_float() {
            let cc = match op {
                CompareOp::Eq => FloatCC::Oeq,
                CompareOp::Ne => FloatCC::Une,
                CompareOp::Lt => FloatCC::Olt,
                CompareOp::Le => FloatCC::Ole,
                CompareOp::Gt => FloatCC::Ogt,
                CompareOp::Ge => FloatCC::Oge,
            };
            let flags = self.cx.options.fast.with(self.ftz(self.ty(a)));
            self.build(|x| x.fcmp(cc, flags, a, b))
        } else {
            let cc = match (op, signed) {
                (CompareOp::Eq, _) => IntCC::Eq,
                (CompareOp::Ne, _) => IntCC::Ne,
                (CompareOp::Lt, true) => IntCC::Slt,
                (CompareOp::Le, true) => IntCC::Sle,
                (CompareOp::Gt, true) => IntCC::Sgt,
                (CompareOp::Ge, true) => IntCC::Sge,
                (CompareOp::Lt, false) => IntCC::Ult,
                (CompareOp::Le, false) => IntCC::Ule,
                (CompareOp::Gt, false) => IntCC::Ugt,
                (CompareOp::Ge, false) => IntCC::Uge,
            };
            let b = match self.ty(a).space() {
                Some(space) => self.in_space(b, space),
                None => b,
            };
            self.build(|x| x.icmp(cc, a, b))
        };
        self.truth_as(v, ty)
    }

    // ---- control flow inside expressions --------------------------------------------------------------------------

    /// Branches on a condition, short circuits taken apart.
    pub(crate) fn branch(&mut self, cond: ExprId, yes: Block, no: Block) {
        let e = *self.cx.program.expr(cond);
        if !self.enter(e.span) {
            self.depth -= 1;
            return self.jump(no);
        }
        match e.kind {
            ExprKind::LogAnd { lhs, rhs } => {
                let mid = self.new_block();
                self.branch(lhs, mid, no);
                self.start_sealed(mid);
                self.branch(rhs, yes, no);
            }
            ExprKind::LogOr { lhs, rhs } => {
                let mid = self.new_block();
                self.branch(lhs, yes, mid);
                self.start_sealed(mid);
                self.branch(rhs, yes, no);
            }
            ExprKind::Unary { op: UnaryOp::LogNot, operand } => self.branch(operand, no, yes),
            ExprKind::Int(bits) => self.jump(if bits != 0 { yes } else { no }),
            _ => {
                let v = self.expr(cond);
                let v = self.truth_of(v, e.ty);
                let outer = std::mem::replace(&mut self.span, e.span);
                self.br(v, yes, no, None);
                self.span = outer;
            }
        }
        self.depth -= 1;
    }

    fn short_circuit(&mut self, id: ExprId, ty: Type) -> Value {
        let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
        let var = self.ssa.declare(Type::I1);
        self.branch(id, yes, no);
        for (block, bit) in [(yes, 1), (no, 0)] {
            self.start_sealed(block);
            let v = self.iconst(Type::I1, bit);
            self.ssa.write(self.block, var, v);
            self.jump(end);
        }
        self.start_sealed(end);
        let v = self.ssa.read(&mut self.func, self.block, var);
        self.truth_as(v, ty)
    }

    fn conditional(&mut self, id: ExprId, cond: ExprId, then: ExprId, other: ExprId) -> Option<Value> {
        let ty = self.type_of(id);
        let var = (!ty.is_void()).then(|| self.ssa.declare(ty));
        let (yes, no, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(cond, yes, no);
        for (block, arm) in [(yes, then), (no, other)] {
            self.start_sealed(block);
            match var {
                Some(var) => {
                    let v = self.expr(arm);
                    self.ssa.write(self.block, var, v);
                }
                None => self.effect(arm),
            }
            self.jump(end);
        }
        self.start_sealed(end);
        var.map(|var| self.ssa.read(&mut self.func, self.block, var))
    }
}

/// What arithmetic promises: that signed scalars do not overflow. Components of vectors are not promoted to `int`, so that
/// `char16` overflows easily; they wrap around, as in other compilers.
pub(crate) fn no_wrap(signed: bool, ty: Type) -> Flags {
    if signed && !ty.is_vector() { Flags::NSW } else { Flags::NONE }
}
