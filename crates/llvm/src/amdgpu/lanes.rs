//! What lanes of a warp do together.
//!
//! A warp is a wave, or a half of a wave of 64 lanes. A ballot gives a bit for each active lane of the wave, of which a
//! warp's are shifted to the bottom. Reductions and matches look at one bit of the values after the other with ballots:
//! no lane has to wait in a loop, and lanes that are not active or not in the mask do not count.

use super::convention::{Amd, is_integer};
use crate::LlvmError;
use crate::writer::convention::Call;
use crate::writer::ll::{Ipred, Ll, Val};
use inkwell::llvm_sys::core::LLVMGetIntTypeWidth;
use ir::{Intrinsic, SpecialReg};

impl Amd<'_> {
    fn wave(&self) -> u32 {
        self.machine.target.wave_size()
    }

    fn warp(&self) -> u32 {
        self.machine.target.warp_size()
    }

    /// Bits of a lane mask.
    fn mask_bits(&self) -> u32 {
        self.machine.target.lane_mask_bits()
    }

    /// The lane's number in its wave.
    fn wave_lane(&self, ll: &Ll<'_>) -> Val {
        let (all, none) = (ll.iconst(32, 1, u64::MAX), ll.iconst(32, 1, 0));
        let low = ll.intrinsic("llvm.amdgcn.mbcnt.lo", &[], &[all, none]);
        if self.wave() == 32 { low } else { ll.intrinsic("llvm.amdgcn.mbcnt.hi", &[], &[all, low]) }
    }

    /// The lane's number in its warp.
    pub(super) fn lane(&self, ll: &Ll<'_>) -> Val {
        let lane = self.wave_lane(ll);
        if self.warp() == self.wave() { lane } else { ll.and(lane, ll.iconst(32, 1, u64::from(self.warp()) - 1)) }
    }

    pub(super) fn lane_mask(&self, ll: &Ll<'_>, which: SpecialReg) -> Val {
        let bits = self.mask_bits();
        let lane = self.lane(ll);
        let at = if bits == 64 { ll.zext(lane, ll.int(64, 1)) } else { lane };
        let own = ll.shl(ll.iconst(bits, 1, 1), at);
        let below = ll.sub(own, ll.iconst(bits, 1, 1));
        let mask = match which {
            SpecialReg::LaneMaskEq => own,
            SpecialReg::LaneMaskLt => below,
            SpecialReg::LaneMaskLe => ll.or(own, below),
            SpecialReg::LaneMaskGt => ll.not(ll.or(own, below)),
            _ => ll.not(below),
        };
        // The register has 32 bits, the lower ones.
        self.resized(ll, mask, which.bits())
    }

    /// The active lanes of the warp in which `p` is true.
    fn ballot(&self, ll: &Ll<'_>, p: Val) -> Val {
        let all = ll.intrinsic("llvm.amdgcn.ballot", &[ll.int(self.wave(), 1)], &[p]);
        if self.warp() == self.wave() {
            return all;
        }
        let upper = ll.and(self.wave_lane(ll), ll.iconst(32, 1, u64::from(self.warp())));
        ll.trunc(ll.lshr(all, ll.zext(upper, ll.int(64, 1))), ll.int(self.mask_bits(), 1))
    }

    /// An operation of a warp; `None` if it is none.
    pub(super) fn warp_operation(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Option<Val>, LlvmError> {
        use Intrinsic::*;
        let arg = |n| (call.arg)(n);
        let among = |p| ll.and(self.ballot(ll, p), arg(0));
        let none = ll.iconst(self.mask_bits(), 1, 0);
        let is = |v, what| ll.icmp(Ipred::LLVMIntEQ, v, what);
        Ok(Some(match call.op {
            ActiveMask => self.ballot(ll, ll.iconst(1, 1, 1)),
            Ballot => among(arg(1)),
            VoteAny => ll.not(is(among(arg(1)), none)),
            VoteAll => is(among(ll.not(arg(1))), none),
            VoteUni => ll.or(is(among(arg(1)), none), is(among(ll.not(arg(1))), none)),
            MatchAny => self.equal_lanes(ll, arg(0), arg(1)),
            MatchAll => {
                // All lanes are alike if a lane finds everybody.
                let here = among(ll.iconst(1, 1, 1));
                ll.select(is(self.equal_lanes(ll, arg(0), arg(1)), here), here, none)
            }
            ReduxAdd | ReduxSMin | ReduxSMax | ReduxUMin | ReduxUMax | ReduxAnd | ReduxOr | ReduxXor => {
                self.reduce(ll, call)?
            }
            ShflIdx | ShflUp | ShflDown | ShflBfly => self.shuffle(ll, call),
            MatrixF16 | MatrixBf16 | MatrixS8 | MatrixU8 => self.matrix_product(ll, call)?,
            WarpSync => {
                self.fence_wave(ll);
                return Ok(None);
            }
            op => {
                return Err(LlvmError::unsupported(
                    format!("the operation `{}`", op.name()),
                    call.span,
                    "give this GPU a version without it, e.g. under `#ifdef __AMDGCN__`",
                ));
            }
        }))
    }

    /// The lanes of the mask that hold the same value.
    fn equal_lanes(&self, ll: &Ll<'_>, mask: Val, v: Val) -> Val {
        let bits = self.width(ll, v);
        let one = ll.iconst(1, 1, 1);
        let mut equal = ll.and(self.ballot(ll, one), mask);
        for n in 0..bits {
            let bit = ll.trunc(ll.lshr(v, ll.iconst(bits, 1, n.into())), ll.int(1, 1));
            let set = self.ballot(ll, bit);
            equal = ll.and(equal, ll.select(bit, set, ll.not(set)));
        }
        equal
    }

    fn width(&self, ll: &Ll<'_>, v: Val) -> u32 {
        // SAFETY: a type of the module; the verifier allows integers only.
        unsafe { LLVMGetIntTypeWidth(ll.type_of(v).0) }
    }

    /// A reduction over the lanes of a mask.
    fn reduce(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Val, LlvmError> {
        use Intrinsic::*;
        let (mask, v) = ((call.arg)(0), (call.arg)(1));
        if !is_integer(ll, v) {
            return Err(LlvmError::unsupported(
                format!("`{}` of floating-point numbers", call.op.name()),
                call.span,
                "add in a loop of shuffles",
            ));
        }
        let bits = self.width(ll, v);
        let c = |n: u64| ll.iconst(bits, 1, n);
        let (ty, mask_ty) = (ll.int(bits, 1), ll.int(self.mask_bits(), 1));
        let none = ll.iconst(self.mask_bits(), 1, 0);
        let here = ll.and(self.ballot(ll, ll.iconst(1, 1, 1)), mask);
        let signed = matches!(call.op, ReduxSMin | ReduxSMax);
        let least = matches!(call.op, ReduxSMin | ReduxUMin);
        // Signed order is unsigned order with the sign turned round, and the least is the greatest turned round.
        let turn = c(if signed { 1 << (bits - 1) } else { 0 } ^ if least { u64::MAX } else { 0 });
        let turned = ll.xor(v, turn);
        let (mut candidates, mut result) = (here, c(0));
        for n in (0..bits).rev() {
            let bit = |v| ll.trunc(ll.lshr(v, c(n.into())), ll.int(1, 1));
            let at = c(1u64 << n);
            match call.op {
                ReduxAnd | ReduxOr | ReduxXor | ReduxAdd => {
                    let set = ll.and(self.ballot(ll, bit(v)), mask);
                    let yes = match call.op {
                        ReduxAnd => ll.icmp(Ipred::LLVMIntEQ, set, here),
                        ReduxOr => ll.icmp(Ipred::LLVMIntNE, set, none),
                        _ => {
                            let count = ll.intrinsic("llvm.ctpop", &[mask_ty], &[set]);
                            let count = self.resized(ll, count, bits);
                            let part = ll.shl(count, c(n.into()));
                            result = if call.op == ReduxAdd {
                                ll.add(result, part)
                            } else {
                                ll.or(result, ll.and(part, at))
                            };
                            continue;
                        }
                    };
                    result = ll.or(result, ll.select(yes, at, c(0)));
                }
                _ => {
                    let set = ll.and(self.ballot(ll, bit(turned)), candidates);
                    let some = ll.icmp(Ipred::LLVMIntNE, set, none);
                    candidates = ll.select(some, set, candidates);
                    result = ll.or(result, ll.select(some, at, c(0)));
                }
            }
        }
        debug_assert!(ll.type_of(result) == ty);
        let ordered = matches!(call.op, ReduxSMin | ReduxSMax | ReduxUMin | ReduxUMax);
        Ok(if ordered { ll.xor(result, turn) } else { result })
    }

    fn resized(&self, ll: &Ll<'_>, v: Val, bits: u32) -> Val {
        match self.width(ll, v) {
            b if b < bits => ll.zext(v, ll.int(bits, 1)),
            b if b > bits => ll.trunc(v, ll.int(bits, 1)),
            _ => v,
        }
    }

    /// PTX's `shfl`, with its word for clamp and segments.
    fn shuffle(&self, ll: &Ll<'_>, call: &Call<'_>) -> Val {
        use Intrinsic::*;
        let c = |n: u64| ll.iconst(32, 1, n);
        let last = c(u64::from(self.warp()) - 1);
        let (v, word) = ((call.arg)(1), (call.arg)(3));
        let by = ll.and((call.arg)(2), last);
        let clamp = ll.and(word, last);
        let segment = ll.and(ll.lshr(word, c(8)), last);
        let wave_lane = self.wave_lane(ll);
        let lane = self.lane(ll);
        let first = ll.and(lane, segment);
        let limit = ll.or(first, ll.and(clamp, ll.not(segment)));
        let at_most = |a, b| ll.icmp(Ipred::LLVMIntSLE, a, b);
        let (from, inside) = match call.op {
            ShflUp => {
                let from = ll.sub(lane, by);
                (from, at_most(limit, from))
            }
            ShflDown => {
                let from = ll.add(lane, by);
                (from, at_most(from, limit))
            }
            ShflBfly => {
                let from = ll.xor(lane, by);
                (from, at_most(from, limit))
            }
            _ => {
                let from = ll.or(first, ll.and(by, ll.not(segment)));
                (from, at_most(from, limit))
            }
        };
        let from = ll.select(inside, from, lane);
        let start = ll.sub(wave_lane, lane);
        let from = ll.add(start, from);
        let (ty, word_ty) = (ll.type_of(v), ll.int(32, 1));
        let picked = self.pick(ll, ll.bitcast(v, word_ty), (from, wave_lane));
        ll.bitcast(picked, ty)
    }

    /// A word of another lane of the wave.
    fn pick(&self, ll: &Ll<'_>, v: Val, (from, own): (Val, Val)) -> Val {
        let c = |n: u64| ll.iconst(32, 1, n);
        let address = ll.shl(from, c(2));
        let near = |v| ll.intrinsic("llvm.amdgcn.ds.bpermute", &[], &[address, v]);
        // From gfx10 on the instruction reaches 32 lanes, also in waves of 64.
        if self.machine.generation() < 10 || self.warp() == 32 {
            return near(v);
        }
        let far = near(self.halves_swapped(ll, v));
        let same_half = ll.icmp(Ipred::LLVMIntULT, ll.xor(from, own), c(32));
        ll.select(same_half, near(v), far)
    }

    /// A word of the lane 32 lanes on. On gfx10 no instruction moves words between the halves of a wave: they go through scalar
    /// registers, one after another.
    fn halves_swapped(&self, ll: &Ll<'_>, v: Val) -> Val {
        let word = ll.int(32, 1);
        if self.machine.generation() >= 11 {
            return ll.intrinsic("llvm.amdgcn.permlane64", &[word], &[v]);
        }
        (0..64).fold(v, |out, lane| {
            let (from, to) = (ll.iconst(32, 1, lane ^ 32), ll.iconst(32, 1, lane));
            let moved = ll.intrinsic("llvm.amdgcn.readlane", &[word], &[v, from]);
            ll.intrinsic("llvm.amdgcn.writelane", &[word], &[moved, to, out])
        })
    }

    /// What lanes of a warp wrote before, they all see afterwards.
    fn fence_wave(&self, ll: &Ll<'_>) {
        use crate::writer::ll::Ordering;
        ll.fence(Ordering::LLVMAtomicOrderingRelease, "wavefront");
        ll.intrinsic("llvm.amdgcn.wave.barrier", &[], &[]);
        ll.fence(Ordering::LLVMAtomicOrderingAcquire, "wavefront");
    }
}
