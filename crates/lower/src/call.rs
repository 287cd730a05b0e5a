//! Calls of functions.

use crate::func::Fn;
use crate::types::{memory_type, value_type};
use ir::{AddrSpace, FnKind, Intrinsic, Opcode, Type, Value};
use sema::program::{ExprId, ExprKind, ExprList, FuncId};
use smallvec::SmallVec;

impl Fn<'_, '_> {
    /// A call; an aggregate result goes to `dst`, or to a temporary.
    pub(crate) fn call_expr(
        &mut self,
        id: ExprId,
        callee: FuncId,
        args: ExprList,
        dst: Option<Value>,
    ) -> Option<Value> {
        let program = self.cx.program;
        let target = program.function(callee);
        let function = if target.is_kernel { self.cx.twin(callee.index()) } else { self.cx.funcs[callee.index()] };
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        let aggregate = program.types.is_aggregate(target.ret);
        let temp = aggregate.then(|| self.result_memory(target.ret, dst));
        values.extend(temp);
        for &a in program.exprs(args) {
            values.push(self.argument(a));
        }
        // The callee's own idea of its pointers' spaces decides (library functions take generic ones).
        let first = usize::from(aggregate);
        let wanted: SmallVec<[Type; 8]> = self.cx.module.functions[function].params.iter().map(|p| p.ty).collect();
        for (v, ty) in values.iter_mut().zip(&wanted).skip(first) {
            if let Some(space) = ty.space()
                && self.func.dfg.ty(*v).is_ptr()
            {
                *v = self.in_space(*v, space);
            }
        }
        let ret = self.cx.module.functions[function].ret;
        debug_assert_eq!(self.cx.module.functions[function].kind, FnKind::Device);
        let result = self.build(|b| b.call(function, ret, &values));
        if let (Some(temp), Some(dst)) = (temp, dst)
            && temp != dst
        {
            let align = program.types.align_of(target.ret);
            self.copy(dst, temp, target.ret, align);
        }
        let ty = value_type(&program.types, program.expr(id).ty);
        match result {
            Some(v) if !ty.is_void() => Some(self.unpacked(v, ty)),
            _ => None,
        }
    }

    /// Private memory for an aggregate result: `dst` itself if it is a slot of this function.
    fn result_memory(&mut self, ty: sema::types::TyId, dst: Option<Value>) -> Value {
        match dst {
            Some(d) if self.slot_of(d).is_some() => d,
            _ => self.temp(ty),
        }
    }

    /// An argument as signatures have it: aggregates by the address of a private copy.
    fn argument(&mut self, id: ExprId) -> Value {
        let program = self.cx.program;
        let e = *program.expr(id);
        if program.types.is_aggregate(e.ty) {
            let temp = self.temp(e.ty);
            self.expr_into(id, temp, program.types.align_of(e.ty));
            return temp;
        }
        let v = self.expr(id);
        self.packed(v)
    }

    /// `printf`: arguments go to a private buffer, each at its natural alignment, as CUDA's `vprintf` wants them.
    pub(crate) fn printf(&mut self, args: &[ExprId]) -> Value {
        let Some((&format, rest)) = args.split_first() else { return self.iconst(Type::I32, 0) };
        let format = self.expr(format);
        let format = self.in_space(format, AddrSpace::Generic);
        let mut values: SmallVec<[(Value, u32); 8]> = SmallVec::new();
        let mut size = 0u32;
        for &a in rest {
            let v = self.expr(a);
            let ty = self.ty(v);
            let v = if ty.is_ptr() {
                self.in_space(v, AddrSpace::Generic)
            } else if ty.is_int() && !ty.is_vector() && ty.bits() < 32 {
                let signed = self.is_signed(a);
                self.resize(v, Type::I32, signed)
            } else if ty.is_float() && !ty.is_vector() && ty.bits() < 64 {
                self.float_to_float(v, Type::F64)
            } else {
                v
            };
            let ty = memory_type(self.ty(v));
            let bytes = ty.scalar_bytes() * if ty.lanes() == 3 { 4 } else { u32::from(ty.lanes()) };
            let align = bytes.clamp(1, 16);
            size = size.next_multiple_of(align);
            values.push((v, size));
            size += bytes;
        }
        let buffer = if values.is_empty() {
            self.func.dfg.bits(Type::ptr(AddrSpace::Private), 0)
        } else {
            let data = ir::SlotData { size, align: 16, dims: SmallVec::new(), name: String::new() };
            let slot = self.func.slots.push(data);
            self.func.slot_addr(slot)
        };
        for (v, at) in values {
            let ptr = self.offset(buffer, u64::from(at));
            let align = if at == 0 { 16 } else { 1 << at.trailing_zeros().min(4) };
            self.store_scalar(ptr, v, align, ir::Flags::NONE);
        }
        let r = self.build(|b| b.intrinsic(Intrinsic::VPrintf, Type::I32, &[format, buffer]));
        r.unwrap_or_else(|| self.func.dfg.undef(Type::I32))
    }

    /// A function of the library, which the driver lowers before its callers; its absence is a fault of ours.
    fn library_callee(&mut self, name: &str) -> Option<ir::FuncId> {
        let callee = self.cx.symbols.get(name).copied();
        if callee.is_none() {
            let span = self.span;
            self.cx.error(
                "E0476",
                span,
                format!("the builtin library lacks `{name}`"),
                "report this as a bug of unspool",
            );
        }
        callee
    }

    /// A call of a library function over images: operands as they are.
    pub(crate) fn image_call(&mut self, id: ExprId, name: &str, args: &[ExprId]) -> Option<Value> {
        let ty = self.type_of(id);
        let values: SmallVec<[Value; 4]> = args.iter().map(|&a| self.expr(a)).collect();
        let Some(callee) = self.library_callee(name) else {
            return (!ty.is_void()).then(|| self.func.dfg.undef(ty));
        };
        let ret = self.cx.module.functions[callee].ret;
        self.build(|b| b.call(callee, ret, &values))
    }

    /// A call of a function of the builtin library: lane by lane, out-parameters by way of private scalars.
    pub(crate) fn library_call(&mut self, id: ExprId, name: &str, via_f32: bool, args: &[ExprId]) -> Option<Value> {
        let program = self.cx.program;
        let ty = self.type_of(id);
        let Some(callee) = self.library_callee(name) else {
            return (!ty.is_void()).then(|| self.func.dfg.undef(ty));
        };
        let params: SmallVec<[Type; 4]> = self.cx.module.functions[callee].params.iter().map(|p| p.ty).collect();
        let ret = self.cx.module.functions[callee].ret;
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        let mut signs: SmallVec<[bool; 4]> = SmallVec::new();
        for &a in args {
            values.push(self.expr(a));
            signs.push(self.is_signed(a));
        }
        let lanes = ty.lanes().max(values.iter().map(|&v| self.ty(v).lanes()).max().unwrap_or(1));
        // Out-parameters: what they point to, and a private scalar per call.
        let pointee = |this: &Self, n: usize| match this.cx.program.types.get(program.expr(args[n]).ty) {
            sema::types::Ty::Pointer { pointee, .. } => value_type(&program.types, *pointee),
            _ => Type::VOID,
        };
        let mut results: SmallVec<[Value; 16]> = SmallVec::new();
        let mut outs: Vec<(usize, SmallVec<[Value; 16]>)> = Vec::new();
        for (n, p) in params.iter().enumerate().take(values.len()) {
            if p.is_ptr() && self.ty(values[n]).is_ptr() {
                outs.push((n, SmallVec::new()));
            }
        }
        for lane in 0..lanes {
            let mut actual: SmallVec<[Value; 4]> = SmallVec::new();
            let mut slots: SmallVec<[(usize, Value, Type); 2]> = SmallVec::new();
            for (n, &v) in values.iter().enumerate() {
                let want = params.get(n).copied().unwrap_or(Type::VOID);
                if outs.iter().any(|(k, _)| *k == n) {
                    let elem = self.out_type(pointee(self, n).scalar(), via_f32);
                    let size = elem.scalar_bytes();
                    let data = ir::SlotData { size, align: size, dims: SmallVec::new(), name: String::new() };
                    let slot = self.func.slots.push(data);
                    let addr = self.func.slot_addr(slot);
                    slots.push((n, addr, elem));
                    actual.push(self.in_space(addr, want.space().unwrap_or(AddrSpace::Generic)));
                    continue;
                }
                let mut x = if self.ty(v).is_vector() { self.build(|b| b.extract(v, lane)) } else { v };
                if via_f32 && self.ty(x).is_float() {
                    x = self.float_to_float(x, Type::F32);
                }
                if self.ty(x).is_int() && want.is_int() {
                    x = self.resize(x, want, signs[n]);
                }
                actual.push(x);
            }
            let r = self.build(|b| b.call(callee, ret, &actual));
            if let Some(r) = r {
                results.push(self.library_result(r, ty.scalar()));
            }
            for (n, addr, elem) in slots {
                let v = self.load_scalar(addr, elem, elem.scalar_bytes(), ir::Flags::NONE);
                let v = self.library_result(v, pointee(self, n).scalar());
                if let Some((_, list)) = outs.iter_mut().find(|(k, _)| *k == n) {
                    list.push(v);
                }
            }
        }
        for (n, list) in outs {
            let v = if list.len() == 1 { list[0] } else { self.build(|b| b.vec_build(&list)) };
            let ptr = values[n];
            let align = match program.types.get(program.expr(args[n]).ty) {
                sema::types::Ty::Pointer { pointee, .. } => program.types.align_of(*pointee),
                _ => 1,
            };
            self.store_scalar(ptr, v, align, ir::Flags::NONE);
        }
        match results.as_slice() {
            [] => None,
            [one] if !ty.is_vector() => Some(*one),
            many => {
                let many: SmallVec<[Value; 16]> = many.into();
                Some(self.build(|b| b.vec_build(&many)))
            }
        }
    }

    /// Type of an out-parameter's scalar inside the library.
    fn out_type(&self, ty: Type, via_f32: bool) -> Type {
        if via_f32 && ty.is_float() { Type::F32 } else { ty }
    }

    /// A library result as the caller's scalar type: half results are narrowed, truth values widened.
    fn library_result(&mut self, v: Value, ty: Type) -> Value {
        let from = self.ty(v);
        if ty.is_void() || from == ty {
            v
        } else if from.is_float() && ty.is_float() {
            self.float_to_float(v, ty)
        } else if from.is_int() && ty.is_int() {
            self.resize(v, ty, true)
        } else {
            self.reinterpret(v, ty)
        }
    }

    /// Whether an expression is an integer constant, and which.
    pub(crate) fn constant(&self, id: ExprId) -> Option<u64> {
        match self.cx.program.expr(id).kind {
            ExprKind::Int(n) => Some(n),
            ExprKind::Cast { operand, .. } => self.constant(operand),
            _ => None,
        }
    }

    pub(crate) fn op1(&mut self, op: Opcode, v: Value) -> Value {
        self.build(|b| b.unary(op, v))
    }

    pub(crate) fn op2(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        self.build(|x| x.binary(op, a, b))
    }
}
