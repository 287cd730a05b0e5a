//! Calls of functions.

use crate::func::FunctionLowering;
use crate::types::value_type;
use ir::{FnKind, Type, Value};
use sema::program::{ExprId, ExprList, FuncId};
use sema::types::TyId;
use smallvec::SmallVec;

impl FunctionLowering<'_, '_> {
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
        let function =
            if target.is_kernel { self.cx.device_clone(callee.index()) } else { self.cx.funcs[callee.index()] };
        self.call_function(id, (function, target.ret), (None, args), dst)
    }

    /// A call of a function of the module whose result is a `ret_ty`. `first_arg` stands before the other arguments.
    pub(crate) fn call_function(
        &mut self,
        id: ExprId,
        (function, ret_ty): (ir::FuncId, TyId),
        (first_arg, args): (Option<Value>, ExprList),
        dst: Option<Value>,
    ) -> Option<Value> {
        let program = self.cx.program;
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        let aggregate = program.types.is_aggregate(ret_ty);
        let temp = aggregate.then(|| self.result_memory(ret_ty, dst));
        values.extend(temp);
        values.extend(first_arg);
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
            let align = program.types.align_of(ret_ty);
            self.copy(dst, temp, ret_ty, align);
        }
        let ty = value_type(&program.types, program.expr(id).ty);
        match result {
            Some(v) if !ty.is_void() => Some(self.unpacked(v, ty)),
            _ => None,
        }
    }

    /// Private memory for an aggregate result: `dst` itself if it is a slot of this function.
    fn result_memory(&mut self, ty: TyId, dst: Option<Value>) -> Value {
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
}
