//! Operands to values, and values to registers.

use super::func::{Entity, Fx};
use crate::ast::{Instruction, Name, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{Flags, Opcode, Payload, Type, Value};

impl<'a> Fx<'a, '_> {
    /// The operands, of which there must be so many.
    pub(crate) fn operands<const N: usize>(&self, i: &'a Instruction<'a>) -> Outcome<[&'a Operand<'a>; N]> {
        if i.operands.len() != N {
            let message = format!("`{}` takes {N} operands, here are {}", i.full_name(), i.operands.len());
            return Err(PtxError::operand(i.span, message));
        }
        Ok(std::array::from_fn(|n| &i.operands[n]))
    }

    // ---- shorthands -----------------------------------------------------------------------------------------------

    pub(crate) fn op(&mut self, op: Opcode, args: &[Value]) -> Value {
        self.builder().op(op, Flags::NONE, args)
    }

    pub(crate) fn op_with(&mut self, op: Opcode, flags: Flags, payload: Payload, args: &[Value]) -> Value {
        let ty = self.ty(args[0]);
        self.make(op, ty, flags, payload, args)
    }

    /// An instruction that has a result.
    pub(crate) fn make(&mut self, op: Opcode, ty: Type, flags: Flags, payload: Payload, args: &[Value]) -> Value {
        let i = self.builder().inst(op, ty, flags, args, payload);
        self.func.dfg.res(i)
    }

    pub(crate) fn cast(&mut self, op: Opcode, v: Value, ty: Type) -> Value {
        if self.ty(v) == ty { v } else { self.builder().cast(op, v, ty) }
    }

    pub(crate) fn ty(&self, v: Value) -> Type {
        self.func.dfg.ty(v)
    }

    pub(crate) fn int(&mut self, ty: Type, n: i64) -> Value {
        self.func.dfg.iconst(ty, n)
    }

    pub(crate) fn icmp(&mut self, cc: ir::IntCC, a: Value, b: Value) -> Value {
        self.builder().icmp(cc, a, b)
    }

    pub(crate) fn select(&mut self, p: Value, a: Value, b: Value) -> Value {
        self.builder().select(p, a, b)
    }

    pub(crate) fn intrinsic(&mut self, op: ir::Intrinsic, ty: Type, args: &[Value]) -> Value {
        let i = self.builder().inst(Opcode::Intrinsic, ty, Flags::NONE, args, Payload::Intrinsic(op));
        self.func.dfg.res(i)
    }

    /// An integer made wider or narrower.
    pub(crate) fn resize(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        let from = self.ty(v);
        match ty.bits().cmp(&from.bits()) {
            std::cmp::Ordering::Less => self.cast(Opcode::Trunc, v, ty),
            std::cmp::Ordering::Equal => v,
            std::cmp::Ordering::Greater => self.cast(if signed { Opcode::SExt } else { Opcode::ZExt }, v, ty),
        }
    }

    // ---- reading --------------------------------------------------------------------------------------------------

    /// The value of a predicate register.
    pub(crate) fn predicate(&mut self, name: Name<'a>) -> Outcome<Value> {
        match self.entity(name)? {
            Entity::Register(var, PtxType::Pred) => Ok(self.ssa.read(&mut self.func, self.block, var)),
            _ => Err(PtxError::operand(name.span, format!("`{}` is no predicate", name.text))),
        }
    }

    /// A predicate operand, perhaps negated.
    pub(crate) fn condition(&mut self, o: &'a Operand<'a>) -> Outcome<Value> {
        match o {
            Operand::Name(n) => self.predicate(*n),
            Operand::Not(n) => {
                let p = self.predicate(*n)?;
                let one = self.int(Type::I1, 1);
                Ok(self.op(Opcode::Xor, &[p, one]))
            }
            Operand::Int(n, _) => Ok(self.int(Type::I1, i64::from(*n != 0))),
            _ => Err(PtxError::operand(o.span(), "a predicate expected")),
        }
    }

    /// An operand as a value of the type of an instruction, whose registers have just that size.
    pub(crate) fn value(&mut self, o: &'a Operand<'a>, ty: PtxType) -> Outcome<Value> {
        self.read(o, ty, false)
    }

    /// As [`Fx::value`]; the register may be larger (`ld`, `st`, `cvt`).
    pub(crate) fn value_relaxed(&mut self, o: &'a Operand<'a>, ty: PtxType) -> Outcome<Value> {
        self.read(o, ty, true)
    }

    fn read(&mut self, o: &'a Operand<'a>, ty: PtxType, relaxed: bool) -> Outcome<Value> {
        let Some(to) = ty.ir() else {
            return Err(PtxError::unsupported(self.span, format!("values of type {}", ty.name())));
        };
        match o {
            Operand::Name(n) => match self.lookup(n.text) {
                Some(Entity::Register(var, declared)) => {
                    fits(*n, declared, ty, relaxed)?;
                    let v = self.ssa.read(&mut self.func, self.block, var);
                    Ok(self.reinterpret(v, to))
                }
                Some(_) => self.address_operand(*n, 0, to),
                None if to == Type::I64 && self.cx.functions.contains_key(n.text) => {
                    let number = self.cx.function_number(n.text).unwrap_or(0);
                    Ok(self.int(to, number.cast_signed()))
                }
                None if n.text.starts_with('%') || n.text == "WARP_SZ" => self.special(*n, None, to),
                None => Err(self.undeclared(*n)),
            },
            Operand::Member(n, member) => self.special(*n, Some(member), to),
            Operand::Sum(n, offset) => self.address_operand(*n, *offset, to),
            Operand::Int(bits, span) => {
                if ty.is_float() {
                    return Err(PtxError::operand(*span, format!("an integer where {} is expected", ty.name()))
                        .help("write floats as 0f… or 0d… with their bits, or with a decimal point"));
                }
                let lane = to.scalar();
                let v = self.int(lane, bits.cast_signed());
                if !to.is_vector() {
                    return Ok(v);
                }
                let whole = self.int(Type::int(ty.bits()).unwrap_or(Type::I32), bits.cast_signed());
                Ok(self.reinterpret(whole, to))
            }
            Operand::F32(bits, _) => Ok(self.float_constant(u64::from(*bits), true, to)),
            Operand::F64(bits, _) => Ok(self.float_constant(*bits, false, to)),
            Operand::Not(_) if ty == PtxType::Pred => self.condition(o),
            _ => Err(PtxError::operand(o.span(), format!("an operand of type {} expected", ty.name()))),
        }
    }

    /// A float written in one format as one of another, or as bits.
    fn float_constant(&mut self, bits: u64, single: bool, to: Type) -> Value {
        let wide = if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
        let same = if single { Type::F32 } else { Type::F64 };
        if to.is_float() && to != same {
            self.func.dfg.fconst(to, wide)
        } else {
            self.func.dfg.bits(to, bits & to.mask())
        }
    }

    pub(crate) fn undeclared(&self, n: Name<'a>) -> PtxError {
        if self.cx.functions.contains_key(n.text) {
            return PtxError::operand(n.span, format!("the address of the function `{}` has 64 bits", n.text));
        }
        PtxError::name(n.span, format!("`{}` is not declared", n.text))
            .help("registers are declared by `.reg`, variables by their state space")
    }

    /// The same bits as another type; only the low ones where that is smaller.
    pub(crate) fn reinterpret(&mut self, v: Value, to: Type) -> Value {
        let from = self.ty(v);
        if from == to {
            return v;
        }
        let size = |t: Type| t.bits() * u32::from(t.lanes());
        if size(from) == size(to) {
            return self.cast(Opcode::Bitcast, v, to);
        }
        let v = match Type::int(size(from)) {
            Some(int) => self.cast(Opcode::Bitcast, v, int),
            None => v,
        };
        let v = self.resize(v, Type::int(size(to)).unwrap_or(Type::I64), false);
        self.cast(Opcode::Bitcast, v, to)
    }

    // ---- writing --------------------------------------------------------------------------------------------------

    /// Puts a value into a register.
    pub(crate) fn set(&mut self, o: &'a Operand<'a>, v: Value, ty: PtxType) -> Outcome<()> {
        self.write(o, v, ty, false)
    }

    /// As [`Fx::set`]; a larger register gets the value extended as its type says.
    pub(crate) fn set_relaxed(&mut self, o: &'a Operand<'a>, v: Value, ty: PtxType) -> Outcome<()> {
        self.write(o, v, ty, true)
    }

    fn write(&mut self, o: &'a Operand<'a>, v: Value, ty: PtxType, relaxed: bool) -> Outcome<()> {
        let Operand::Name(n) = o else {
            return Err(PtxError::operand(o.span(), "a register expected"));
        };
        self.set_name(*n, v, ty, relaxed)
    }

    /// Puts a value into the register of that name.
    pub(crate) fn set_name(&mut self, n: Name<'a>, v: Value, ty: PtxType, relaxed: bool) -> Outcome<()> {
        if n.text == "_" {
            return Ok(());
        }
        let Entity::Register(var, declared) = self.entity(n)? else {
            return Err(PtxError::operand(n.span, format!("`{}` is no register", n.text)));
        };
        fits(n, declared, ty, relaxed)?;
        let to = self.ssa.ty(var);
        let from = self.ty(v);
        let size = |t: Type| t.bits() * u32::from(t.lanes());
        let known = self.pointers.get(&v).copied();
        let v = if size(from) < size(to) {
            let int = Type::int(size(from)).unwrap_or(Type::I32);
            let v = self.cast(Opcode::Bitcast, v, int);
            let wide = Type::int(size(to)).unwrap_or(Type::I64);
            let v = self.resize(v, wide, ty.is_signed());
            self.cast(Opcode::Bitcast, v, to)
        } else {
            self.reinterpret(v, to)
        };
        if let (Some(known), Type::I64) = (known, to) {
            self.pointers.insert(v, known);
        }
        self.ssa.write(self.block, var, v);
        Ok(())
    }

    // ---- addresses ------------------------------------------------------------------------------------------------

    /// The address of a variable as a number.
    fn address_operand(&mut self, n: Name<'a>, offset: i64, to: Type) -> Outcome<Value> {
        let Some(e) = self.lookup(n.text) else { return Err(self.undeclared(n)) };
        let Entity::Memory(pointer, space) = e else {
            return Err(PtxError::operand(n.span, format!("`{}` has no address", n.text)));
        };
        let pointer = self.moved(pointer, offset);
        let v = self.address_value(pointer, space);
        if to == Type::I64 {
            return Ok(v);
        }
        self.short(n, to, space)?;
        Ok(self.resize(v, to, false))
    }

    /// An error unless addresses of the space may have 32 bits here.
    pub(crate) fn short(&mut self, n: Name<'a>, to: Type, space: Space) -> Outcome<()> {
        let shared = to == Type::I32 && space == Space::Shared;
        if shared && (self.cx.window.is_some() || self.cx.short_shared) {
            return Ok(());
        }
        // With shared memory in one piece it works.
        self.cx.wants_window |= shared;
        Err(PtxError::unsupported(n.span, format!("the address of `{}` in {} bits", n.text, to.bits()))
            .help("compile with 64-bit addresses for this state space"))
    }

    /// A pointer some bytes on.
    pub(crate) fn moved(&mut self, pointer: Value, offset: i64) -> Value {
        if offset == 0 {
            return pointer;
        }
        let offset = self.int(Type::I64, offset);
        self.builder().ptradd(pointer, offset, Flags::NONE)
    }

    /// The number that a pointer is in a space.
    pub(crate) fn address_value(&mut self, pointer: Value, space: Space) -> Value {
        let own = self.ty(pointer).space();
        if space == Space::Shared
            && own == Some(ir::AddrSpace::Shared)
            && let Some(v) = self.window_number(pointer)
        {
            self.pointers.insert(v, (pointer, space));
            return v;
        }
        // The number means the generic address if the program says so.
        let cast = space == Space::Generic && own != Some(ir::AddrSpace::Generic);
        let p = if cast { self.builder().space_cast(pointer, ir::AddrSpace::Generic) } else { pointer };
        let v = self.cast(Opcode::PtrToInt, p, Type::I64);
        self.pointers.insert(v, (pointer, space));
        v
    }

    /// The pointer that a number is in a space.
    pub(crate) fn pointer(&mut self, v: Value, space: Space, at: Name<'a>) -> Outcome<Value> {
        let ir = space.ir();
        let Some(&(p, domain)) = self.pointers.get(&v) else {
            if space == Space::Shared
                && let Some(p) = self.window_place(v)
            {
                return Ok(p);
            }
            let v = self.resize(v, Type::I64, false);
            return Ok(self.cast(Opcode::IntToPtr, v, Type::ptr(ir)));
        };
        // Global addresses are the same numbers as generic ones.
        let same = |s: Space| matches!(s, Space::Global | Space::Generic);
        // Pointers come into inline assembly as generic ones; used as what they point into, they mean that. The compiler warns.
        if self.inline && domain == Space::Generic {
            match self.ty(p).space() {
                Some(own) if own == ir => return Ok(p),
                Some(ir::AddrSpace::Generic) => return Ok(self.builder().space_cast(p, ir)),
                _ => {}
            }
        }
        if domain != space && !(same(domain) && same(space)) && domain != Space::Param {
            let what = |s: Space| if s == Space::Generic { "a generic" } else { s.name() };
            return Err(PtxError::operand(
                at.span,
                format!("`{}` is {} address, used as {} one", at.text, what(domain), what(space)),
            )
            .help("`cvta` makes generic addresses of others, `cvta.to` the other way round"));
        }
        let own = self.ty(p).space();
        if own == Some(ir) || space == Space::Generic || own != Some(ir::AddrSpace::Generic) {
            return Ok(p);
        }
        Ok(self.builder().space_cast(p, ir))
    }
}

/// An error unless a register declared with one type may hold an operand of another.
fn fits(n: Name<'_>, declared: PtxType, ty: PtxType, relaxed: bool) -> Outcome<()> {
    let (have, want) = (declared.bits(), ty.bits());
    let pred = (declared == PtxType::Pred) == (ty == PtxType::Pred);
    let size = have == want || relaxed && have > want && !declared.is_float() && !ty.is_float();
    // Bits are anything; floats are not integers.
    let kind = match (declared, ty) {
        (PtxType::B(_), _) | (_, PtxType::B(_)) => true,
        _ => declared.is_float() == ty.is_float(),
    };
    // Half precision lives in registers of any kind of 16 bits.
    let kind = kind || want == 16 && have == 16;
    if pred && size && kind {
        return Ok(());
    }
    Err(PtxError::operand(
        n.span,
        format!("`{}` is declared {}, where {} is expected", n.text, declared.name(), ty.name()),
    ))
}
