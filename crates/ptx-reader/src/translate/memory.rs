//! Loads, stores, address spaces.

use super::func::{Entity, Fx};
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{AddrSpace, CacheOp, Flags, Intrinsic, MemInfo, MemOrder, Opcode, Scope, Type, Value};
use source::Span;

/// The words for scopes.
pub(super) const SCOPES: [(&str, Scope); 4] =
    [("cta", Scope::Group), ("cluster", Scope::Device), ("gpu", Scope::Device), ("sys", Scope::System)];

/// Where an access goes.
enum Place {
    /// A parameter or result that is one value: its register, and the byte.
    Value(u32, i64),
    /// A kernel's parameter: its value, and the byte.
    Param(Value, i64),
    /// Memory.
    Pointer(Value),
}

/// What stands behind the name of an access.
struct Access {
    space: Space,
    cache: CacheOp,
    flags: Flags,
    /// `.acquire` or `.release`.
    ordered: bool,
    scope: Scope,
    lanes: u8,
    ty: PtxType,
    /// An operand more says how to cache.
    hint: bool,
}

impl<'a> Fx<'a, '_> {
    fn access(&self, i: &Instruction<'_>, m: &mut Mods<'_, 'a>) -> Outcome<Access> {
        const CACHES: [(&str, CacheOp); 8] = [
            ("nc", CacheOp::NonCoherent),
            ("ca", CacheOp::All),
            ("cg", CacheOp::Global),
            ("cs", CacheOp::Streaming),
            ("lu", CacheOp::LastUse),
            ("cv", CacheOp::Volatile),
            ("wt", CacheOp::Volatile),
            ("wb", CacheOp::WriteBack),
        ];
        let orders = [("weak", (false, false)), ("volatile", (true, false)), ("relaxed", (true, false))];
        let sync = [("acquire", (true, true)), ("release", (true, true)), ("mmio", (true, false))];
        let mut volatile = false;
        let mut ordered = false;
        while let Some((v, o)) = m.one_of(&orders).or_else(|| m.one_of(&sync)) {
            volatile |= v;
            ordered |= o;
        }
        let scope = m.one_of(&SCOPES).unwrap_or(Scope::System);
        let space = m.pick(Space::named).unwrap_or(Space::Generic);
        let mut cache = CacheOp::None;
        // `.nc` may stand beside another.
        while let Some(c) = m.one_of(&CACHES) {
            if cache != CacheOp::NonCoherent {
                cache = c;
            }
        }
        let mut hint = false;
        // How long caches keep it, and how much is fetched: nothing that changes a value.
        while let Some(w) = m.pick(|w| (w.starts_with("L1::") || w.starts_with("L2::") || w == "unified").then_some(w))
        {
            hint |= w.ends_with("cache_hint");
        }
        let lanes = m.one_of(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1);
        let ty = m.ty()?;
        if ty == PtxType::Pred || ty.ir().is_none() || space == Space::Reg {
            return Err(PtxError::unsupported(i.span, format!("`{}`", i.full_name())));
        }
        let mut flags = if volatile { Flags::VOLATILE } else { Flags::NONE };
        if cache == CacheOp::NonCoherent && !volatile {
            flags = flags.with(Flags::INVARIANT);
        }
        Ok(Access { space, cache, flags, ordered, scope, lanes, ty, hint })
    }

    /// What an address leads to.
    fn place(&mut self, o: &'a Operand<'a>, space: Space) -> Outcome<Place> {
        let Operand::Address(base, offset, _) = o else {
            return Err(PtxError::operand(o.span(), "an address in brackets expected"));
        };
        let Some(name) = base else {
            let v = self.int(Type::I64, *offset);
            let p = self.cast(Opcode::IntToPtr, v, Type::ptr(space.ir()));
            return Ok(Place::Pointer(p));
        };
        match self.entity(*name)? {
            Entity::Value(var) if space == Space::Param => Ok(Place::Value(var, *offset)),
            Entity::Param(v) if space == Space::Param => Ok(Place::Param(v, *offset)),
            Entity::Value(_) | Entity::Param(_) => {
                Err(PtxError::operand(name.span, format!("`{}` is in .param memory", name.text)))
            }
            Entity::Memory(p, own) => {
                if own != space && !(own == Space::Global && space == Space::Generic) {
                    let message = format!("`{}` is in {} memory, not in {}", name.text, own.name(), space.name());
                    return Err(PtxError::operand(name.span, message));
                }
                Ok(Place::Pointer(self.moved(p, *offset)))
            }
            Entity::Window(_) => Err(PtxError::operand(name.span, format!("`{}` has no place", name.text))),
            Entity::Register(var, ty) => {
                if ty.is_float() {
                    let message = format!("`{}` is declared {}: addresses are integers", name.text, ty.name());
                    return Err(PtxError::operand(name.span, message));
                } else if ty.bits() == 32 && space == Space::Shared {
                    self.short(*name, Type::I32, space)?;
                } else if ty.bits() != 64 {
                    let message = format!("`{}` is declared {}: addresses have 64 bits", name.text, ty.name());
                    return Err(PtxError::operand(name.span, message));
                }
                let v = self.ssa.read(&mut self.func, self.block, var);
                let p = self.pointer(v, space, *name)?;
                Ok(Place::Pointer(self.moved(p, *offset)))
            }
        }
    }

    /// The pointer that an address is.
    pub(super) fn address(&mut self, o: &'a Operand<'a>, space: Space) -> Outcome<Value> {
        match self.place(o, space)? {
            Place::Pointer(p) => Ok(p),
            _ => Err(PtxError::operand(o.span(), "an address of memory expected, not of a parameter")),
        }
    }

    /// The elements of a value that is loaded or stored.
    pub(super) fn elements(&self, o: &'a Operand<'a>, lanes: u8) -> Outcome<&'a [Operand<'a>]> {
        let list = match o {
            Operand::Vector(list, _) => list.as_slice(),
            one => std::slice::from_ref(one),
        };
        if list.len() == usize::from(lanes) {
            return Ok(list);
        }
        Err(PtxError::operand(o.span(), format!("{lanes} elements expected, here are {}", list.len())))
    }

    /// `ld`, `ldu`
    pub(super) fn load(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let a = self.access(i, m)?;
        let [d, from] = if a.hint {
            let [d, from, _] = self.operands(i)?;
            [d, from]
        } else {
            self.operands(i)?
        };
        let elements = self.elements(d, a.lanes)?;
        let own = a.ty.ir().unwrap_or(Type::I32);
        let p = match self.place(from, a.space)? {
            Place::Pointer(p) => p,
            Place::Value(var, at) => {
                let v = self.ssa.read(&mut self.func, self.block, var);
                let v = self.part_of(v, at, a.ty, from.span())?;
                return self.set_relaxed(self.single(elements, d)?, v, a.ty);
            }
            Place::Param(v, at) => {
                let v = self.part_of(v, at, a.ty, from.span())?;
                return self.set_relaxed(self.single(elements, d)?, v, a.ty);
            }
        };
        if a.ty.bits() > 64 && a.lanes > 1 {
            return Err(PtxError::unsupported(i.span, format!("`{}`", i.full_name())));
        }
        let whole = if own.is_vector() { Type::int(a.ty.bits()).unwrap_or(own) } else { own };
        let whole = whole.vector(a.lanes).unwrap_or(whole);
        let mem = MemInfo { cache: a.cache, ..MemInfo::aligned(whole.bytes()) };
        let v = self.builder().load(whole, p, mem, a.flags);
        if a.ordered {
            self.builder().fence(MemOrder::Acquire, a.scope);
        }
        for (n, o) in elements.iter().enumerate() {
            let lane = if a.lanes > 1 { self.builder().extract(v, n as u8) } else { v };
            self.set_relaxed(o, lane, a.ty)?;
        }
        Ok(())
    }

    fn single(&self, elements: &'a [Operand<'a>], d: &'a Operand<'a>) -> Outcome<&'a Operand<'a>> {
        match elements {
            [one] => Ok(one),
            _ => Err(PtxError::operand(d.span(), "a parameter that is one value has no elements")),
        }
    }

    /// Some bytes of a value.
    fn part_of(&mut self, v: Value, at: i64, ty: PtxType, span: Span) -> Outcome<Value> {
        let to = ty.ir().unwrap_or(Type::I32);
        let size = i64::from(self.ty(v).bits());
        let wanted = i64::from(ty.bits());
        if at < 0 || at.checked_mul(8).is_none_or(|bit| bit + wanted > size) {
            return Err(PtxError::operand(span, "the access is outside of the parameter"));
        }
        if wanted == size {
            return Ok(self.reinterpret(v, to));
        }
        let int = Type::int(size as u32).unwrap_or(Type::I64);
        let mut bits = self.reinterpret(v, int);
        if at > 0 {
            let by = self.int(int, at * 8);
            bits = self.op(Opcode::LShr, &[bits, by]);
        }
        let narrow = self.resize(bits, Type::int(ty.bits()).unwrap_or(Type::I32), false);
        Ok(self.reinterpret(narrow, to))
    }

    /// `st`
    pub(super) fn store(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        if m.take("async") {
            return self.store_async(i, m);
        }
        let a = self.access(i, m)?;
        let [to, from] = if a.hint {
            let [to, from, _] = self.operands(i)?;
            [to, from]
        } else {
            self.operands(i)?
        };
        let elements = self.elements(from, a.lanes)?;
        let mut lanes = Vec::new();
        for o in elements {
            let v = self.value_relaxed(o, a.ty)?;
            let flat = if self.ty(v).is_vector() { Type::int(a.ty.bits()).unwrap_or(self.ty(v)) } else { self.ty(v) };
            lanes.push(self.reinterpret(v, flat));
        }
        if a.ty.bits() > 64 && a.lanes > 1 {
            return Err(PtxError::unsupported(i.span, format!("`{}`", i.full_name())));
        }
        let p = match self.place(to, a.space)? {
            Place::Pointer(p) => p,
            Place::Value(var, at) => {
                let [v] = lanes.as_slice() else {
                    return Err(PtxError::operand(to.span(), "a parameter that is one value has no elements"));
                };
                return self.store_part(var, at, *v, to.span());
            }
            Place::Param(..) => return Err(PtxError::operand(to.span(), "a kernel's parameters are not written")),
        };
        if matches!(a.space, Space::Const) || a.space == Space::Param && self.ty(p).space() == Some(AddrSpace::Param) {
            return Err(PtxError::operand(to.span(), "this memory is not written"));
        }
        if a.ordered {
            self.builder().fence(MemOrder::Release, a.scope);
        }
        let v = if lanes.len() > 1 { self.builder().vec_build(&lanes) } else { lanes[0] };
        let mem = MemInfo { cache: a.cache, ..MemInfo::aligned(self.ty(v).bytes()) };
        self.builder().store(p, v, mem, a.flags);
        Ok(())
    }

    /// `st.async` to memory of the group, made at once: the object then counts its bytes.
    fn store_async(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let counted = m.take("mbarrier::complete_tx::bytes");
        let a = self.access(i, m)?;
        if !counted || a.space != Space::Shared || a.ty.bits() > 64 {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        }
        let [to, from, object] = self.operands(i)?;
        let lanes: Vec<Value> =
            self.elements(from, a.lanes)?.iter().map(|o| self.value_relaxed(o, a.ty)).collect::<Outcome<_>>()?;
        let (to, object) = (self.address(to, a.space)?, self.address(object, a.space)?);
        let v = if lanes.len() > 1 { self.builder().vec_build(&lanes) } else { lanes[0] };
        let bytes = self.ty(v).bytes();
        self.builder().store(to, v, MemInfo::aligned(bytes), Flags::NONE);
        let bytes = self.int(Type::I64, bytes.into());
        self.bytes_come(object, bytes);
        Ok(())
    }

    /// Puts bytes into a parameter that is one value.
    fn store_part(&mut self, var: u32, at: i64, v: Value, span: Span) -> Outcome<()> {
        let ty = self.ssa.ty(var);
        let (size, given) = (i64::from(ty.bits()), i64::from(self.ty(v).bits()));
        if at < 0 || at.checked_mul(8).is_none_or(|bit| bit + given > size) {
            return Err(PtxError::operand(span, "the access is outside of the parameter"));
        }
        let known = self.pointers.get(&v).copied();
        if given == size {
            let v = self.reinterpret(v, ty);
            if let (Some(known), Type::I64) = (known, ty) {
                self.pointers.insert(v, known);
            }
            self.ssa.write(self.block, var, v);
            return Ok(());
        }
        let int = Type::int(size as u32).unwrap_or(Type::I64);
        let narrow = Type::int(given as u32).unwrap_or(Type::I32);
        let v = self.reinterpret(v, narrow);
        let mut bits = self.resize(v, int, false);
        if at > 0 {
            let by = self.int(int, at * 8);
            bits = self.op(Opcode::Shl, &[bits, by]);
        }
        let old = self.ssa.read(&mut self.func, self.block, var);
        if !crate::ssa::is_undef(&self.func, old) {
            let field = (narrow.mask() << (at * 8)) & int.mask();
            let rest = self.int(int, (!field).cast_signed());
            let old = self.reinterpret(old, int);
            let kept = self.op(Opcode::And, &[old, rest]);
            bits = self.op(Opcode::Or, &[bits, kept]);
        }
        let v = self.reinterpret(bits, ty);
        self.ssa.write(self.block, var, v);
        Ok(())
    }

    // ---- addresses ------------------------------------------------------------------------------------------------

    fn space(&self, i: &Instruction<'_>, m: &mut Mods<'_, 'a>) -> Outcome<Space> {
        let space = m.pick(Space::named).filter(|s| *s != Space::Reg);
        space.ok_or_else(|| PtxError::operand(i.span, format!("`{}` lacks a state space", i.full_name())))
    }

    /// `cvta`: an address of a space as a generic one, or back.
    pub(super) fn cvta(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let back = m.take("to");
        let space = self.space(i, m)?;
        let ty = m.ty()?;
        if ty.bits() != 64 {
            return Err(PtxError::unsupported(i.span, "addresses of 32 bits"));
        }
        let [d, a] = self.operands(i)?;
        let at = match a {
            Operand::Name(n) | Operand::Sum(n, _) => *n,
            _ => return Err(PtxError::operand(a.span(), "a register or variable expected")),
        };
        let v = self.value(a, ty)?;
        let (from, to) = if back { (Space::Generic, space) } else { (space, Space::Generic) };
        let mut p = self.pointer(v, from, at)?;
        if back && self.ty(p).space() == Some(AddrSpace::Generic) {
            p = self.builder().space_cast(p, space.ir());
        }
        let v = self.address_value(p, to);
        self.set(d, v, ty)
    }

    /// `isspacep`
    pub(super) fn isspacep(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let space = self.space(i, m)?;
        let op = match space {
            Space::Global => Intrinsic::IsGlobal,
            Space::Shared => Intrinsic::IsShared,
            Space::Const => Intrinsic::IsConst,
            Space::Local => Intrinsic::IsLocal,
            Space::Param => Intrinsic::IsParam,
            _ => return Err(PtxError::unsupported(i.span, format!("`{}`", i.full_name()))),
        };
        let [d, a] = self.operands(i)?;
        let v = self.value(a, PtxType::B(64))?;
        let p = match self.pointers.get(&v) {
            Some(&(p, Space::Generic | Space::Global)) => p,
            _ => self.cast(Opcode::IntToPtr, v, Type::PTR),
        };
        let v = self.intrinsic(op, Type::I1, &[p]);
        self.set(d, v, PtxType::Pred)
    }

    /// `prefetch`, `prefetchu`, `applypriority`, `discard`: hints. Only those that fetch are kept.
    pub(super) fn prefetch(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let space = m.pick(Space::named).unwrap_or(Space::Generic);
        let level = m.pick(|w| match w {
            "L1" => Some(Intrinsic::PrefetchL1),
            _ if w.starts_with("L2") => Some(Intrinsic::PrefetchL2),
            _ => None,
        });
        let Some(o) = i.operands.first() else {
            return Err(PtxError::operand(i.span, format!("`{}` lacks an address", i.full_name())));
        };
        let p = self.address(o, space)?;
        if let (Some(op), "prefetch") = (level, i.name) {
            self.builder().intrinsic(op, Type::VOID, &[p]);
        }
        Ok(())
    }
}
