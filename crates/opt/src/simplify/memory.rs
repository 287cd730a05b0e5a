//! Rules for addresses and memory accesses.

use super::{Found, Simplifier, Step};
use ir::{ConstKind, Flags, GlobalInit, Inst, Opcode, Payload, Type, Value};

impl Simplifier<'_> {
    pub(super) fn ptradd(&mut self, inst: Inst) -> Found {
        let (p, o, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        if self.is_zero(o) {
            return Some(Step::Value(p));
        }
        if let Some((q, c1, g)) = self.bin_c(p, Opcode::PtrAdd) {
            if let Some(c) = self.c(o) {
                // A member of a member, or of an element with a constant index, is a member.
                let member = if f.has(Flags::MEMBER) && !g.common(Flags::MEMBER | Flags::INBOUNDS).is_empty() {
                    Flags::MEMBER
                } else {
                    Flags::NONE
                };
                return self.rewrite2c_offset(inst, f.common(g) | member, q, c1.wrapping_add(c));
            }
            // (q + c) + o = (q + o) + c
            let inner = self.op2(Opcode::PtrAdd, Flags::NONE, q, o);
            return self.rewrite2c_offset(inst, g.common(Flags::MEMBER), inner, c1);
        }
        if let Some((x, c, _)) = self.bin_c(o, Opcode::Add) {
            let inner = self.op2(Opcode::PtrAdd, Flags::NONE, p, x);
            return self.rewrite2c_offset(inst, Flags::NONE, inner, c);
        }
        if self.is_zero(p) {
            return self.rewrite(inst, Opcode::IntToPtr, Flags::NONE, &[o], Payload::None);
        }
        None
    }

    fn rewrite2c_offset(&mut self, inst: Inst, f: Flags, p: Value, offset: u64) -> Found {
        let k = self.bits(Type::I64, offset);
        self.rewrite2(inst, Opcode::PtrAdd, f, p, k)
    }

    /// The variable that a pointer points into, and how far: only for constant offsets.
    fn base(&self, mut p: Value) -> Option<(ConstKind, u64)> {
        let mut offset = 0u64;
        // Constants are merged and casts are few: a short walk.
        for _ in 0..4 {
            if let Some(c) = self.func.dfg.as_const(p) {
                return Some((c, offset));
            }
            if let Some((q, c, _)) = self.bin_c(p, Opcode::PtrAdd) {
                offset = offset.wrapping_add(c);
                p = q;
            } else {
                p = self.un(p, Opcode::AddrSpaceCast)?;
            }
        }
        None
    }

    /// Raises the stated alignment of an access to what its address has.
    pub(super) fn better_alignment(&mut self, inst: Inst, pointer: usize) -> Found {
        let mem = self.func.dfg.insts[inst].mem()?;
        let (base, offset) = self.base(self.arg(inst, pointer))?;
        let align = match base {
            ConstKind::Global(g) => self.module.globals[g].align,
            ConstKind::Slot(s) => self.func.slots[s].align,
            _ => return None,
        };
        // More than 16 bytes is of no use to any access.
        let align = align.min(16).trailing_zeros().min(offset.trailing_zeros()) as u8;
        if align <= mem.align_log2 {
            return None;
        }
        self.func.dfg.insts[inst].payload = Payload::Mem(ir::MemInfo { align_log2: align, ..mem });
        Some(Step::Changed)
    }

    pub(super) fn load(&mut self, inst: Inst) -> Found {
        let data = &self.func.dfg.insts[inst];
        if !data.flags.has(Flags::VOLATILE)
            && let Some((ConstKind::Global(g), offset)) = self.base(self.arg(inst, 0))
            && let Some(bits) = self.constant_bytes(g, offset, data.ty)
        {
            return self.const_step(inst, bits);
        }
        self.better_alignment(inst, 0)
    }

    /// What a variable that never changes holds at an offset; of vectors only splats.
    fn constant_bytes(&self, g: ir::Global, offset: u64, ty: Type) -> Option<u64> {
        let data = &self.module.globals[g];
        if !data.constant || data.external {
            return None;
        }
        let end = offset.checked_add(u64::from(ty.bytes())).filter(|&e| e <= data.size)?;
        let bytes: &[u8] = match &data.init {
            GlobalInit::None => return None,
            GlobalInit::Zero => &[],
            GlobalInit::Bytes(bytes, relocs) => {
                let touches = |r: &ir::Reloc| u64::from(r.offset) < end && u64::from(r.offset) + 8 > offset;
                if relocs.iter().any(touches) {
                    return None;
                }
                bytes
            }
        };
        let lane = |n: u32| {
            let size = ty.scalar_bytes();
            (0..size).fold(0u64, |word, k| {
                let at = offset + u64::from(n * size + k);
                let byte = usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
                word | u64::from(byte) << (8 * k)
            })
        };
        let first = lane(0) & ty.mask();
        (1..u32::from(ty.lanes())).all(|n| lane(n) & ty.mask() == first).then_some(first)
    }

    pub(super) fn block_memory(&mut self, inst: Inst) -> Found {
        let bytes = self.arg(inst, 2);
        let same = self.func.dfg.op(inst) == Opcode::MemCpy && self.arg(inst, 0) == self.arg(inst, 1);
        (same || self.is_zero(bytes)).then_some(Step::Remove)
    }
}
