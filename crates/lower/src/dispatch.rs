//! Calls through pointers to functions, and of virtual functions.
//!
//! A pointer to a function is a number: the function's place in [`sema::program::Program::addressed`], counted from 1, so
//! that null is 0. A call through one goes to a *dispatcher*, a function that branches on the number to calls of the
//! functions whose signature is the pointer's. No target needs calls through registers for that, a number that is known
//! makes the call a direct one, and what a pointer can lead to is inlined as other calls are. A number that is none of
//! theirs stops the kernel.
//!
//! A virtual function is called by way of such a dispatcher, too. It branches on the number that constructors leave at the
//! head of an object ([`sema::program::Overrider`]).

use crate::Cx;
use crate::func::FunctionLowering;
use crate::types::{memory_type, value_type};
use ir::{
    AddrSpace, Block, Builder, Flags, FnKind, Function, InlineHint, IntCC, Intrinsic, Linkage, MemInfo, Opcode, Param,
    ParamAttrs, Type, Value,
};
use sema::program::{ExprId, ExprList, FuncId, Overrider};
use sema::types::{Ty, TyId};
use smallvec::SmallVec;
use source::Span;

/// Dispatchers of at most so many calls are inlined where they are called.
const MAX_INLINED: usize = 4;

impl Cx<'_> {
    /// The number that a pointer to the function is; reports if the module is one of several.
    pub(crate) fn function_number(&mut self, f: FuncId, span: Span) -> u64 {
        if self.options.kernels_are_callable {
            self.error(
                "E0474",
                span,
                "pointers to functions are not supported in code that is linked later",
                "compile the program as a whole, or call the function directly",
            );
        }
        self.program.addressed.binary_search(&f).map_or(0, |at| at as u64 + 1)
    }

    /// The function that calls what a pointer to functions of type `ty` leads to: it takes the pointer as a number, then
    /// the arguments.
    fn dispatcher(&mut self, ty: TyId) -> ir::FuncId {
        if let Some(&id) = self.dispatchers.get(&ty) {
            return id;
        }
        let name = format!("__unspool_call${}", self.dispatchers.len());
        let mut f = Function::new(name, FnKind::Device);
        f.display = "call through a pointer".to_owned();
        f.linkage = Linkage::Internal;
        let wanted = self.pointer_signature(ty);
        f.ret = wanted.1;
        f.params.clone_from(&wanted.0);
        let at = usize::from(self.returns_aggregate(ty));
        f.params.insert(at, Param { ty: Type::I64, name: "target".to_owned(), attrs: ParamAttrs::default() });
        let fits = |&(_, id): &(u64, ir::FuncId)| {
            let g = &self.module.functions[id];
            g.ret == f.ret
                && g.params.len() == wanted.0.len()
                && g.params.iter().zip(&wanted.0).all(|(a, b)| a.ty == b.ty && a.attrs.byval == b.attrs.byval)
        };
        let numbered = self.program.addressed.iter().enumerate();
        let targets: Vec<(u64, ir::FuncId)> =
            numbered.map(|(n, f)| (n as u64 + 1, self.funcs[f.index()])).filter(fits).collect();
        f.attrs.inline = if targets.len() <= MAX_INLINED { InlineHint::Always } else { InlineHint::None };
        let entry = f.new_entry_block();
        let mut values: SmallVec<[Value; 8]> = f.dfg.params(entry).into();
        let number = values.remove(at);
        let mut cases = Vec::new();
        for (n, id) in targets {
            let block = f.new_block();
            let ret = f.ret;
            let mut b = Builder::at_end(&mut f, block);
            let result = b.call(id, ret, &values);
            b.ret(result.filter(|_| !ret.is_void()));
            cases.push((n, block));
        }
        finish_switch(&mut f, entry, number, &cases);
        let id = self.module.functions.push(f);
        self.dispatchers.insert(ty, id);
        id
    }

    fn returns_aggregate(&self, ty: TyId) -> bool {
        matches!(self.types().get(ty), Ty::Function(f) if self.types().is_aggregate(f.ret))
    }

    /// Parameters and result of functions of a type, as [`Cx::declare_functions`] makes them of the same types.
    fn pointer_signature(&self, ty: TyId) -> (Vec<Param>, Type) {
        let types = self.types();
        let Ty::Function(f) = types.get(ty) else { return (Vec::new(), Type::VOID) };
        let plain = |ty| Param { ty, name: String::new(), attrs: ParamAttrs::default() };
        let mut params = Vec::with_capacity(f.params.len() + 1);
        let aggregate = types.is_aggregate(f.ret);
        if aggregate {
            let mut p = plain(Type::ptr(AddrSpace::Private));
            p.attrs = ParamAttrs { align: types.align_of(f.ret), noalias: true, ..ParamAttrs::default() };
            params.push(p);
        }
        for &p in &f.params {
            let mut param = plain(memory_type(value_type(types, p)));
            if types.is_aggregate(p) {
                param.ty = Type::ptr(AddrSpace::Private);
                param.attrs.byval = Some(u32::try_from(types.size_of(p).unwrap_or(0)).unwrap_or(u32::MAX));
                param.attrs.align = types.align_of(p);
            }
            params.push(param);
        }
        if f.variadic {
            // The address of what stands for `...`.
            params.push(plain(Type::ptr(AddrSpace::Generic)));
        }
        (params, if aggregate { Type::VOID } else { memory_type(value_type(types, f.ret)) })
    }

    /// The body of the program's function `n`, a virtual function that calls the one for the object's class.
    pub(crate) fn lower_virtual(&mut self, n: usize, overriders: &[Overrider]) {
        let id = self.funcs[n];
        let declared = &mut self.module.functions[id];
        let placeholder = Function::new("", declared.kind);
        let mut f = std::mem::replace(declared, placeholder);
        f.linkage = Linkage::Internal;
        f.attrs.inline = if overriders.len() <= MAX_INLINED { InlineHint::Always } else { InlineHint::None };
        let entry = f.new_entry_block();
        let values: SmallVec<[Value; 8]> = f.dfg.params(entry).into();
        let at = usize::from(self.types().is_aggregate(self.program.functions[n].ret));
        let this = values[at];
        let number = Builder::at_end(&mut f, entry).load(Type::I64, this, MemInfo::aligned(8), Flags::NONE);
        let mut cases: Vec<(u64, Block)> = Vec::new();
        let mut made: Vec<(Overrider, Block)> = Vec::new();
        for o in overriders {
            // Classes that share a function share the call.
            let same = |(m, _): &&(Overrider, Block)| Overrider { number: o.number, ..*m } == *o;
            if let Some(&(_, block)) = made.iter().find(same) {
                cases.push((o.number, block));
                continue;
            }
            let block = f.new_block();
            let callee = o.function.map(|g| self.funcs[g.index()]);
            call_overrider(&mut f, block, (o, callee), &values, at);
            made.push((*o, block));
            cases.push((o.number, block));
        }
        finish_switch(&mut f, entry, number, &cases);
        self.module.functions[id] = f;
    }
}

/// Fills the block of one overrider: the object's address moved to that of the class that has it, the call, the result
/// moved to the class that the caller expects.
fn call_overrider(
    f: &mut Function,
    block: Block,
    (o, callee): (&Overrider, Option<ir::FuncId>),
    values: &[Value],
    at: usize,
) {
    let ret = f.ret;
    let mut args: SmallVec<[Value; 8]> = values.into();
    let moved = |f: &mut Function, v: Value, bytes: i64| {
        if bytes == 0 {
            return v;
        }
        let n = f.dfg.iconst(Type::I64, bytes);
        Builder::at_end(f, block).ptradd(v, n, Flags::INBOUNDS)
    };
    args[at] = moved(f, values[at], o.this_offset);
    let result = callee.and_then(|callee| {
        let ret = if o.gives_start { Type::VOID } else { ret };
        Builder::at_end(f, block).call(callee, ret, &args)
    });
    let result = if o.gives_start {
        Some(moved(f, values[at], o.result_offset))
    } else {
        match result {
            Some(v) if o.result_offset != 0 => {
                let there = moved(f, v, o.result_offset);
                let null = f.dfg.bits(ret, 0);
                let mut b = Builder::at_end(f, block);
                let is_null = b.icmp(IntCC::Eq, v, null);
                Some(b.select(is_null, v, there))
            }
            v => v,
        }
    };
    Builder::at_end(f, block).ret(result.filter(|_| !ret.is_void()));
}

/// Ends `entry` with the branch on a number; one that is not listed stops the kernel.
fn finish_switch(f: &mut Function, entry: Block, number: Value, cases: &[(u64, Block)]) {
    let none = f.new_block();
    Builder::at_end(f, entry).switch(number, cases, none);
    let mut b = Builder::at_end(f, none);
    b.intrinsic(Intrinsic::Trap, Type::VOID, &[]);
    b.unreachable();
}

impl FunctionLowering<'_, '_> {
    /// A call through a pointer to a function; an aggregate result goes to `dst`, or to a temporary.
    pub(crate) fn call_through(
        &mut self,
        id: ExprId,
        callee: ExprId,
        args: ExprList,
        dst: Option<Value>,
    ) -> Option<Value> {
        let program = self.cx.program;
        let Ty::Pointer { pointee, .. } = *program.types.get(program.expr(callee).ty) else { return None };
        let Ty::Function(f) = program.types.get(pointee) else { return None };
        let function = self.cx.dispatcher(pointee);
        let target = self.expr(callee);
        // Of a member it is a number already.
        let target = match self.ty(target).is_ptr() {
            true => self.build(|b| b.cast(Opcode::PtrToInt, target, Type::I64)),
            false => target,
        };
        self.call_function(id, (function, f.ret), (Some(target), args), dst)
    }
}
