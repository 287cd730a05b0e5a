//! Calls of functions.

use super::Pass;
use super::func::{Entity, Fx};
use super::indirect::Shape;
use super::mods::Mods;
use crate::ast::{Instruction, Name, Operand};
use crate::error::{Outcome, PtxError};
use ir::{Flags, Intrinsic, Opcode, Payload, Type, Value};

impl<'a> Fx<'a, '_> {
    /// `call (result), name, (arguments);`
    pub(super) fn call(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("uni");
        // A result, if there is one, what is called, arguments, and of a call through a pointer what it may lead to.
        let (results, rest): (&[Name<'a>], _) = match i.operands.as_slice() {
            [Operand::Tuple(r, _), rest @ ..] => (r, rest),
            rest => (&[], rest),
        };
        let (name, args, table): (_, &[Name<'a>], _) = match rest {
            [Operand::Name(n)] => (*n, &[], None),
            [Operand::Name(n), Operand::Tuple(a, _)] => (*n, a, None),
            [Operand::Name(n), Operand::Tuple(a, _), Operand::Name(t)] => (*n, a, Some(*t)),
            [Operand::Name(n), Operand::Name(t)] => (*n, &[], Some(*t)),
            _ => return Err(PtxError::operand(i.span, "`call` takes a result, a function's name and arguments")),
        };
        let (id, shape, number) = match (self.cx.functions.get(name.text).copied(), table) {
            (Some(n), _) => {
                let s = &self.cx.signatures[n];
                if s.decl.kernel {
                    let message = format!("`{}` is a kernel, which is not called", name.text);
                    return Err(PtxError::operand(name.span, message));
                }
                let shape = Shape { params: s.params.clone(), result: s.result, noreturn: s.decl.noreturn };
                let (id, body) = (s.id, s.decl.body.is_some());
                if !body && args.len() == shape.params.len() && self.system_call(name, results, args)? {
                    return Ok(());
                }
                (id, shape, None)
            }
            (None, Some(table)) => {
                let (id, shape, number) = self.through(name, table)?;
                (id, shape, Some(number))
            }
            (None, None) => {
                if matches!(self.lookup(name.text), Some(Entity::Register(..))) {
                    return Err(PtxError::operand(name.span, "a call through a register lacks what it may lead to")
                        .help("name a `.callprototype` or `.calltargets` behind the arguments"));
                }
                return Err(PtxError::name(name.span, format!("the function `{}` is not declared", name.text)));
            }
        };
        if args.len() != shape.params.len() || results.len() != usize::from(shape.result.is_some()) {
            let message = format!("`{}` takes {} arguments, here are {}", name.text, shape.params.len(), args.len());
            return Err(PtxError::operand(i.span, message));
        }
        let mut values: Vec<Value> = number.into_iter().collect();
        if let (Some(Pass::Memory(size, _)), [r]) = (shape.result, results) {
            values.push(self.memory_argument(*r, size)?);
        }
        for (&a, how) in args.iter().zip(&shape.params) {
            values.push(match *how {
                Pass::Memory(size, _) => self.memory_argument(a, size)?,
                Pass::Value(ty) => self.value_argument(a, ty)?,
            });
        }
        let ret = match shape.result {
            Some(Pass::Value(ty)) => ty,
            _ => Type::VOID,
        };
        let call = self.builder().inst(Opcode::Call, ret, Flags::NONE, &values, Payload::Call(id));
        if let (Some(v), [r]) = (self.func.dfg.result(call), results) {
            self.give(*r, v)?;
        }
        if shape.noreturn {
            self.builder().unreachable();
            self.live = false;
        }
        Ok(())
    }

    /// An argument that is memory: the address of the caller's.
    fn memory_argument(&mut self, n: Name<'a>, size: u64) -> Outcome<Value> {
        match self.entity(n)? {
            Entity::Memory(p, crate::types::Space::Param) => {
                if self.ty(p) == Type::ptr(ir::AddrSpace::Private) {
                    return Ok(p);
                }
                Err(PtxError::unsupported(n.span, format!("`{}`, a kernel's parameter, as an argument", n.text)))
            }
            _ => Err(PtxError::operand(n.span, format!("`{}`: {size} bytes of .param memory expected", n.text))),
        }
    }

    /// An argument that is one value.
    pub(super) fn value_argument(&mut self, n: Name<'a>, ty: Type) -> Outcome<Value> {
        match self.entity(n)? {
            Entity::Value(var) | Entity::Register(var, _) => {
                let v = self.ssa.read(&mut self.func, self.block, var);
                if self.ty(v).bits() != ty.bits() {
                    let message = format!("`{}` has {} bits, {} expected", n.text, self.ty(v).bits(), ty.bits());
                    return Err(PtxError::operand(n.span, message));
                }
                Ok(self.reinterpret(v, ty))
            }
            _ => Err(PtxError::operand(n.span, format!("`{}`: a value of {} bits expected", n.text, ty.bits()))),
        }
    }

    /// Puts a result where the caller wants it.
    fn give(&mut self, n: Name<'a>, v: Value) -> Outcome<()> {
        match self.entity(n)? {
            Entity::Value(var) | Entity::Register(var, _) => {
                let to = self.ssa.ty(var);
                if to.bits() != self.ty(v).bits() {
                    let message = format!("`{}` has {} bits, the result {}", n.text, to.bits(), self.ty(v).bits());
                    return Err(PtxError::operand(n.span, message));
                }
                let v = self.reinterpret(v, to);
                self.ssa.write(self.block, var, v);
                Ok(())
            }
            _ => Err(PtxError::operand(n.span, format!("`{}` cannot hold the result", n.text))),
        }
    }

    /// What the driver provides; whether it is that.
    fn system_call(&mut self, name: Name<'a>, results: &[Name<'a>], args: &[Name<'a>]) -> Outcome<bool> {
        match (name.text, args) {
            ("vprintf", [format, arguments]) => {
                let mut pointers = Vec::new();
                for n in [*format, *arguments] {
                    let v = self.value_argument(n, Type::I64)?;
                    pointers.push(self.pointer(v, crate::types::Space::Generic, n)?);
                }
                let v = self.intrinsic(Intrinsic::VPrintf, Type::I32, &pointers);
                if let [r] = results {
                    self.give(*r, v)?;
                }
                Ok(true)
            }
            // Says where it happened, and stops the kernel.
            ("__assertfail" | "__assert_fail", _) => {
                self.stop(Intrinsic::Trap);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
