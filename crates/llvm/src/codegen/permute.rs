//! Lanes picked by lanes.
//!
//! On x86 with AVX2, `vpermd` picks 8 lanes of 32 bits. Other widths are brought to that: narrower elements are extended,
//! 64-bit ones become pairs, shorter vectors are padded, longer ones are put together from the picks of each 8 lanes.
//! Elsewhere the vector goes through memory.

use super::func::FuncGen;
use crate::ll::{Ipred, Val};
use ir::{Inst, Type};

/// Most lanes of 32 bits that are put together from picks of 8; beyond, memory is quicker.
const MAX_PICKED: u32 = 32;

impl FuncGen<'_> {
    pub(super) fn permute(&mut self, i: Inst) -> Val {
        let ll = self.ll;
        let ty = self.f.dfg.insts[i].ty;
        let lanes = u32::from(ty.lanes());
        let index = self.arg(i, 1);
        let count = ll.iconst(32, lanes, lanes.into());
        let index = if lanes.is_power_of_two() {
            ll.and(index, ll.iconst(32, lanes, u64::from(lanes) - 1))
        } else {
            ll.urem(index, count)
        };
        let words = lanes * ty.bits().div_ceil(32);
        if self.cx.machine.is_x86() && self.cx.machine.has("avx2") && words <= MAX_PICKED {
            self.permute_words(self.arg(i, 0), ty, index)
        } else {
            self.permute_in_memory(self.arg(i, 0), ty, index)
        }
    }

    /// Through lanes of 32 bits.
    fn permute_words(&self, v: Val, ty: Type, index: Val) -> Val {
        let ll = self.ll;
        let lanes = u32::from(ty.lanes());
        let word = ll.int(32, lanes);
        if ty.bits() == 64 {
            let raw = if ty.is_ptr() { ll.ptrtoint(v, ll.int(64, lanes)) } else { v };
            let halves = ll.bitcast(raw, ll.int(32, 2 * lanes));
            // The two halves of lane n are the words 2n and 2n + 1.
            let low = ll.shl(index, ll.iconst(32, lanes, 1));
            let high = ll.or(low, ll.iconst(32, lanes, 1));
            let both = ll.shuffle(low, high, (0..2 * lanes).map(|n| Some(n / 2 + n % 2 * lanes)));
            let picked = self.pick(halves, both, 2 * lanes);
            if ty.is_ptr() {
                return ll.inttoptr(ll.bitcast(picked, ll.int(64, lanes)), self.cx.ty(ty));
            }
            return ll.bitcast(picked, self.cx.ty(ty));
        }
        let wide = if ty.bits() == 32 { ll.bitcast(v, word) } else { ll.zext(v, word) };
        let picked = self.pick(wide, index, lanes);
        if ty.bits() == 32 { ll.bitcast(picked, self.cx.ty(ty)) } else { ll.trunc(picked, self.cx.ty(ty)) }
    }

    /// Lanes of 32 bits by index, which is in range.
    fn pick(&self, v: Val, index: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let padded = lanes.div_ceil(8) * 8;
        let pad = |v: Val| {
            if padded == lanes {
                return v;
            }
            ll.shuffle(v, v, (0..padded).map(|n| (n < lanes).then_some(n)))
        };
        let (v, index) = (pad(v), pad(index));
        let part = |v: Val, k: u32| {
            if padded == 8 { v } else { ll.shuffle(v, v, (0..8).map(|n| Some(8 * k + n))) }
        };
        let parts = padded / 8;
        let mut out: Vec<Val> = Vec::new();
        for to in 0..parts {
            let at = part(index, to);
            let group = ll.lshr(at, ll.iconst(32, 8, 3));
            // `vpermd` looks at the low three bits.
            let pick = |from| ll.intrinsic("llvm.x86.avx2.permd", &[], &[part(v, from), at]);
            let picked = (1..parts).fold(pick(0), |so_far, from| {
                let here = ll.icmp(Ipred::LLVMIntEQ, group, ll.iconst(32, 8, from.into()));
                ll.select(here, pick(from), so_far)
            });
            out.push(picked);
        }
        // Put together two by two; the number of parts is a power of two, or the last is doubled.
        let mut width = 8;
        while out.len() > 1 {
            if out.len() % 2 == 1 {
                out.extend(out.last().copied());
            }
            out = out.chunks(2).map(|p| ll.shuffle(p[0], p[1], (0..2 * width).map(Some))).collect();
            width *= 2;
        }
        if width == lanes { out[0] } else { ll.shuffle(out[0], out[0], (0..lanes).map(Some)) }
    }

    fn permute_in_memory(&mut self, v: Val, ty: Type, index: Val) -> Val {
        let ll = self.ll;
        let lanes = u32::from(ty.lanes());
        let size = ty.scalar_bytes();
        let memory = self.stack_memory(ty.bytes().into(), 64);
        ll.store(memory, self.to_memory(v, ty), size);
        let element = self.cx.memory_ty(ty.scalar());
        let mut out = ll.undef(self.cx.memory_ty(ty));
        for n in 0..lanes {
            let lane = ll.zext(ll.lane(index, n), ll.int(64, 1));
            let at = ll.offset(memory, ll.mul(lane, ll.iconst(64, 1, size.into())), true);
            out = ll.set_lane(out, ll.load(element, at, size), n);
        }
        self.loaded(out, ty)
    }
}
