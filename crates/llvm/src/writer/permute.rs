//! Lanes picked by lanes.
//!
//! On x86 with AVX2, `vpermd` picks 8 lanes of 32 bits. Other widths are brought to that: narrower elements are extended,
//! 64-bit ones become pairs, shorter vectors are padded, longer ones are put together from the picks of each 8 lanes.
//! Elsewhere the vector goes through memory.

use super::func::FuncGen;
use super::ll::Val;
use ir::{Inst, Type};

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
        if self.cx.target.picks_words(words) {
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
            let picked = self.cx.target.pick_words(ll, halves, both, 2 * lanes);
            if ty.is_ptr() {
                return ll.inttoptr(ll.bitcast(picked, ll.int(64, lanes)), self.cx.ty(ty));
            }
            return ll.bitcast(picked, self.cx.ty(ty));
        }
        let wide = if ty.bits() == 32 { ll.bitcast(v, word) } else { ll.zext(v, word) };
        let picked = self.cx.target.pick_words(ll, wide, index, lanes);
        if ty.bits() == 32 { ll.bitcast(picked, self.cx.ty(ty)) } else { ll.trunc(picked, self.cx.ty(ty)) }
    }

    fn permute_in_memory(&mut self, v: Val, ty: Type, index: Val) -> Val {
        let ll = self.ll;
        let lanes = u32::from(ty.lanes());
        let size = ty.scalar_bytes();
        let memory = self.stack_memory(ty.bytes().into(), 64);
        ll.store(memory, self.to_memory(v, ty), size);
        let element = self.cx.memory_ty(ty.scalar());
        let mut out = ll.poison(self.cx.memory_ty(ty));
        for n in 0..lanes {
            let lane = ll.zext(ll.lane(index, n), ll.int(64, 1));
            let at = ll.offset(memory, ll.mul(lane, ll.iconst(64, 1, size.into())), true);
            out = ll.set_lane(out, ll.load(element, at, size), n);
        }
        self.loaded(out, ty)
    }
}
