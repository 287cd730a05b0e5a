//! `cp.async`: copies that the machine makes while the program goes on. Here they are made at once, which is one of the times
//! at which they may happen.

use super::atomics::{WORDS, operation};
use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{Flags, IntCC, Intrinsic, MemInfo, MemOrder, Opcode, Scope, Type, Value};

/// The operands of a copy of many bytes, and the barrier object that counts them.
struct Bulk {
    to: Value,
    from: Value,
    size: Value,
    object: Option<Value>,
}

impl<'a> Fx<'a, '_> {
    /// `cp.async`
    pub(super) fn copy_async(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let bad = || PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name()));
        let reduces = m.take("reduce");
        if !m.take("async") {
            return Err(bad());
        }
        let bulk = m.take("bulk");
        if reduces {
            return if bulk { self.reduce_bulk(i, m) } else { Err(bad()) };
        }
        if m.take("commit_group") {
            return Ok(());
        }
        if m.take("wait_all") || m.take("wait_group") {
            m.take("read");
            self.builder().intrinsic(Intrinsic::AsyncWaitAll, Type::VOID, &[]);
            return Ok(());
        }
        if m.take("mbarrier") {
            return self.copies_arrive(i, m);
        }
        if bulk {
            return self.copy_bulk(i, m);
        }
        let cached = m.take("ca") || m.take("cg");
        let spaces = m.pick(Space::named) == Some(Space::Shared) && m.pick(Space::named) == Some(Space::Global);
        if !cached || !spaces {
            return Err(bad());
        }
        let mut hint = false;
        while let Some(w) = m.pick(|w| w.starts_with("L2::").then_some(w)) {
            hint |= w == "L2::cache_hint";
        }
        let operands = i.operands.as_slice();
        let operands = if hint { &operands[..operands.len().saturating_sub(1)] } else { operands };
        let (to, from, size, given) = match operands {
            [to, from, size] => (to, from, size, None),
            [to, from, size, given] => (to, from, size, Some(given)),
            _ => return Err(PtxError::operand(i.span, format!("`{}` with these operands", i.full_name()))),
        };
        let Operand::Int(bytes @ (4 | 8 | 16), _) = size else {
            return Err(PtxError::operand(size.span(), "4, 8 or 16 bytes are copied"));
        };
        let (to, from) = (self.address(to, Space::Shared)?, self.address(from, Space::Global)?);
        match given {
            None => self.copy_bytes(to, from, *bytes),
            Some(Operand::Int(n, _)) if n == bytes => self.copy_bytes(to, from, *bytes),
            Some(o) => {
                let given = self.bytes_given(o, *bytes)?;
                self.copy_some(to, from, *bytes, given);
            }
        }
        Ok(())
    }

    /// How many bytes of a copy come from the source: a number, or none where a predicate says so.
    fn bytes_given(&mut self, o: &'a Operand<'a>, bytes: u64) -> Outcome<Value> {
        let predicate = match o {
            Operand::Not(_) => true,
            Operand::Name(n) => {
                matches!(self.lookup(n.text), Some(super::func::Entity::Register(_, PtxType::Pred)))
            }
            _ => false,
        };
        if !predicate {
            return self.value(o, PtxType::U(32));
        }
        let ignored = self.condition(o)?;
        let (all, none) = (self.int(Type::I32, bytes.cast_signed()), self.int(Type::I32, 0));
        Ok(self.select(ignored, none, all))
    }

    fn copy_bytes(&mut self, to: Value, from: Value, bytes: u64) {
        let ty = Type::I32.vector((bytes / 4) as u8).unwrap_or(Type::I32);
        let mem = MemInfo::aligned(bytes as u32);
        let v = self.builder().load(ty, from, mem, Flags::NONE);
        self.builder().store(to, v, mem, Flags::NONE);
    }

    /// Copies as many bytes as are given; the rest becomes zero.
    fn copy_some(&mut self, to: Value, from: Value, bytes: u64, given: Value) {
        let (whole, part, done) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        let size = self.int(Type::I32, bytes.cast_signed());
        let enough = self.icmp(IntCC::Uge, given, size);
        self.builder().br(enough, (whole, &[]), (part, &[]));
        self.block = whole;
        self.copy_bytes(to, from, bytes);
        self.builder().jump(done, &[]);
        self.block = part;
        let ty = Type::I32.vector((bytes / 4) as u8).unwrap_or(Type::I32);
        let zero = self.int(Type::I32, 0);
        let zeros = if ty.is_vector() {
            let lanes = vec![zero; bytes as usize / 4];
            self.builder().vec_build(&lanes)
        } else {
            zero
        };
        self.builder().store(to, zeros, MemInfo::aligned(bytes as u32), Flags::NONE);
        let none = self.icmp(IntCC::Eq, given, zero);
        let some = self.func.new_block();
        self.builder().br(none, (done, &[]), (some, &[]));
        self.block = some;
        let count = self.resize(given, Type::I64, false);
        self.builder().memcpy(to, from, count, MemInfo::aligned(1));
        self.builder().jump(done, &[]);
        self.block = done;
    }

    /// `cp.async.bulk` between memory of the group and global memory, also with a barrier object that counts its bytes; prefetches.
    fn copy_bulk(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let bad = || PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name()));
        if m.take("prefetch") {
            let known = m.take("L2") && m.take("global") && i.operands.len() >= 2;
            m.take("L2::cache_hint");
            if !known {
                return Err(bad());
            }
            let p = self.address(&i.operands[0], Space::Global)?;
            self.builder().intrinsic(Intrinsic::PrefetchL2, Type::VOID, &[p]);
            return Ok(());
        }
        let Bulk { to, from, size, object } = self.bulk_operands(i, m)?;
        self.builder().memcpy(to, from, size, MemInfo::aligned(16));
        if let Some(object) = object {
            self.bytes_come(object, size);
        }
        Ok(())
    }

    /// Where a copy of many bytes goes to and comes from, by its words and operands.
    fn bulk_operands(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<Bulk> {
        let bad = || PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name()));
        let (Some(dst), Some(src)) = (m.pick(Space::named), m.pick(Space::named)) else { return Err(bad()) };
        let hint = m.take("L2::cache_hint");
        let signals = m.take("mbarrier::complete_tx::bytes");
        let known = match (dst, src) {
            (Space::Global, Space::Shared) => !signals && m.take("bulk_group"),
            (Space::Shared, Space::Global | Space::Shared) => signals,
            _ => false,
        };
        let (operands, object) = match i.operands.as_slice() {
            [rest @ .., _] if hint && rest.len() == 3 + usize::from(signals) => (rest, rest.get(3)),
            all if !hint && all.len() == 3 + usize::from(signals) => (all, all.get(3)),
            _ => return Err(bad()),
        };
        if !known {
            return Err(bad());
        }
        let (to, from) = (self.address(&operands[0], dst)?, self.address(&operands[1], src)?);
        let size = self.value(&operands[2], PtxType::U(32))?;
        let size = self.cast(Opcode::ZExt, size, Type::I64);
        let object = object.map(|o| self.address(o, Space::Shared)).transpose()?;
        Ok(Bulk { to, from, size, object })
    }

    /// `cp.reduce.async.bulk`: each element of the destination is changed atomically by that of the source.
    fn reduce_bulk(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let Bulk { to, from, size, object } = self.bulk_operands(i, m)?;
        m.take("noftz");
        let word = m.pick(|w| WORDS.contains(&w).then_some(w)).unwrap_or_default();
        let ty = m.ty()?;
        let (Some(op), Some(own), false) = (operation(word, ty), ty.ir(), matches!(word, "exch" | "cas")) else {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        };
        let (test, body, done) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        let at = self.func.dfg.add_param(test, Type::I64);
        let zero = self.int(Type::I64, 0);
        self.builder().jump(test, &[zero]);
        self.block = test;
        let more = self.icmp(IntCC::Ult, at, size);
        self.builder().br(more, (body, &[]), (done, &[]));
        self.block = body;
        let mut b = self.builder();
        let (target, source) = (b.ptradd(to, at, Flags::NONE), b.ptradd(from, at, Flags::NONE));
        let v = b.load(own, source, MemInfo::aligned(own.bytes()), Flags::NONE);
        b.atomic_rmw(op, MemOrder::Relaxed, Scope::Device, target, v);
        let bytes = b.iconst(Type::I64, own.bytes().into());
        let next = b.add(at, bytes);
        b.jump(test, &[next]);
        self.block = done;
        if let Some(object) = object {
            self.bytes_come(object, size);
        }
        Ok(())
    }
}
