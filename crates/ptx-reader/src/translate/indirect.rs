//! Calls through pointers.
//!
//! The address of a function is a number, [`STEP`] times its place among those whose addresses the module takes, counted
//! from 1. A call through a register goes to a *dispatcher*, a function that branches on the number to calls of what has
//! the signature that the call names; any other number stops the kernel.

use super::func::Fx;
use super::{Cx, Pass, pass};
use crate::ast::{Name, Prototype};
use crate::error::{Outcome, PtxError};
use ir::{AddrSpace, Builder, Flags, FnKind, FuncId, Function, Intrinsic, Linkage, Opcode, Payload, Type, Value};

/// Numbers are so far apart: pointers to member functions have a flag in the lowest bit.
const STEP: u64 = 16;

/// What a call through a pointer says of the functions it may lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callees<'a> {
    /// Their signature.
    Prototype(&'a Prototype<'a>),
    /// Their names.
    List(&'a [Name<'a>]),
}

/// How the functions that a call may lead to take and give values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub(crate) params: Vec<Pass>,
    pub(crate) result: Option<Pass>,
    pub(crate) noreturn: bool,
}

/// A function that branches on a number.
#[derive(Debug)]
pub(crate) struct Dispatcher {
    shape: Shape,
    id: FuncId,
}

/// Whether values passed one way can be taken the other way.
fn same(a: Pass, b: Pass) -> bool {
    match (a, b) {
        (Pass::Value(a), Pass::Value(b)) => a.bits() == b.bits(),
        (Pass::Memory(a, _), Pass::Memory(b, _)) => a == b,
        _ => false,
    }
}

impl<'a> Cx<'a> {
    /// The number that stands for the address of a function.
    pub(crate) fn function_number(&mut self, name: &str) -> Option<u64> {
        let &n = self.functions.get(name)?;
        let at = self.addressed.iter().position(|&a| a == n).unwrap_or_else(|| {
            self.addressed.push(n);
            self.addressed.len() - 1
        });
        Some((at as u64 + 1) * STEP)
    }

    /// What a call's `.callprototype` or `.calltargets` comes to.
    pub(crate) fn shape(&self, callees: Callees<'a>, at: Name<'a>) -> Outcome<Shape> {
        match callees {
            Callees::Prototype(p) => {
                let params = p.params.iter().map(pass).collect::<Outcome<Vec<_>>>()?;
                let result = match p.results.as_slice() {
                    [] => None,
                    [r] => Some(pass(r)?),
                    _ => return Err(PtxError::unsupported(at.span, "more than one result")),
                };
                Ok(Shape { params, result, noreturn: p.noreturn })
            }
            Callees::List(list) => {
                let known = list.iter().find_map(|n| self.functions.get(n.text));
                let Some(&n) = known else {
                    return Err(PtxError::name(at.span, format!("`{}` names no function that is declared", at.text)));
                };
                let s = &self.signatures[n];
                Ok(Shape { params: s.params.clone(), result: s.result, noreturn: s.decl.noreturn })
            }
        }
    }

    /// The dispatcher for calls of a shape: it takes the number first. It is filled when all addresses are known.
    fn dispatcher(&mut self, shape: &Shape) -> FuncId {
        if let Some(d) = self.dispatchers.iter().find(|d| d.shape == *shape) {
            return d.id;
        }
        let mut f = Function::new(format!("__unspool_call${}", self.dispatchers.len()), FnKind::Device);
        f.display = "call through a pointer".to_owned();
        f.linkage = Linkage::Internal;
        f.attrs.noreturn = shape.noreturn;
        let pointer = Type::ptr(AddrSpace::Private);
        f.params.push(super::plain(Type::I64, "target"));
        if let Some(Pass::Memory(..)) = shape.result {
            f.params.push(super::plain(pointer, "result"));
        }
        f.params.extend(shape.params.iter().map(|p| match p {
            Pass::Value(ty) => super::plain(*ty, ""),
            Pass::Memory(..) => super::plain(pointer, ""),
        }));
        if let Some(Pass::Value(ty)) = shape.result {
            f.ret = ty;
        }
        let id = self.module.functions.push(f);
        self.dispatchers.push(Dispatcher { shape: shape.clone(), id });
        id
    }

    /// Gives the dispatchers their bodies.
    pub(crate) fn fill_dispatchers(&mut self) {
        for d in std::mem::take(&mut self.dispatchers) {
            let mut f = self.module.functions[d.id].clone();
            let entry = f.new_entry_block();
            let mut values: Vec<Value> = f.dfg.params(entry).to_vec();
            let number = values.remove(0);
            let mut cases = Vec::new();
            for (at, &n) in self.addressed.iter().enumerate() {
                let s = &self.signatures[n];
                let results = match (s.result, d.shape.result) {
                    (None, None) => true,
                    (Some(a), Some(b)) => same(a, b),
                    _ => false,
                };
                let params = s.params.len() == d.shape.params.len()
                    && s.params.iter().zip(&d.shape.params).all(|(a, b)| same(*a, *b));
                if s.decl.kernel || !results || !params {
                    continue;
                }
                let block = f.new_block();
                self.call_target(&mut f, block, s.id, &values);
                cases.push(((at as u64 + 1) * STEP, block));
            }
            let none = f.new_block();
            Builder::at_end(&mut f, entry).switch(number, &cases, none);
            let mut b = Builder::at_end(&mut f, none);
            b.intrinsic(Intrinsic::Trap, Type::VOID, &[]);
            b.unreachable();
            self.module.functions[d.id] = f;
        }
    }

    fn call_target(&self, f: &mut Function, block: ir::Block, id: FuncId, values: &[Value]) {
        let callee = &self.module.functions[id];
        let cast = |f: &mut Function, v: Value, ty: Type| match f.dfg.ty(v) == ty {
            true => v,
            false => Builder::at_end(f, block).cast(Opcode::Bitcast, v, ty),
        };
        let args: Vec<Value> = values.iter().zip(&callee.params).map(|(&v, p)| cast(f, v, p.ty)).collect();
        let (ret, wanted) = (callee.ret, f.ret);
        let call = Builder::at_end(f, block).inst(Opcode::Call, ret, Flags::NONE, &args, Payload::Call(id));
        let result = f.dfg.result(call).map(|v| cast(f, v, wanted));
        Builder::at_end(f, block).ret(result.filter(|_| !wanted.is_void()));
    }
}

impl<'a> Fx<'a, '_> {
    /// The function to call for the number in a register, and that number.
    pub(super) fn through(&mut self, target: Name<'a>, table: Name<'a>) -> Outcome<(FuncId, Shape, Value)> {
        let Some(callees) = self.callees(table.text) else {
            let message = format!("there is no `.callprototype` or `.calltargets` with the name `{}`", table.text);
            return Err(PtxError::name(table.span, message));
        };
        let shape = self.cx.shape(callees, table)?;
        if let Callees::List(list) = callees {
            for n in list {
                self.cx.function_number(n.text);
            }
        }
        let number = self.value_argument(target, Type::I64)?;
        Ok((self.cx.dispatcher(&shape), shape, number))
    }
}
