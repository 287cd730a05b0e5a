//! Operations between the lanes of a warp, where the lanes of a vector are exactly those of a warp.
//!
//! The lanes that take part are those that execute the operation and are named by its mask: what PTX asks of a program
//! that obeys its rules. A mask that is the same for all lanes makes votes, ballots and reductions the same for all;
//! masks of their own give each lane its own result. Shuffles are permutations; a lane that reads one that does not
//! take part gets what that lane last computed, or anything.
//!
//! Between instructions all lanes are at the same place, so `warpsync` is nothing.

use super::emit::Emitter;
use super::wide::Wide;
use crate::regions::is_warp_op;
use ir::{Inst, InstData, IntCC, Intrinsic, Opcode, Type, Value};
use smallvec::SmallVec;

/// Whether it is an operation that this module emits.
pub(super) fn is_known(data: &InstData) -> bool {
    data.intrinsic().is_some_and(is_warp_op)
}

/// Whether all lanes that execute it get the same, if they name the same lanes.
pub(super) fn is_same_for_all(data: &InstData) -> bool {
    use Intrinsic::*;
    match data.intrinsic() {
        Some(VoteAll | VoteAny | VoteUni | Ballot | ActiveMask) => true,
        // Sums of floats are made in the order of the lanes.
        Some(op) => data.ty.is_int() && reduction(op, data.ty).is_some(),
        None => false,
    }
}

impl Emitter<'_> {
    /// Emits a warp operation for the lanes `mask`.
    pub(super) fn warp(&mut self, i: Inst, mask: Option<Value>) {
        use Intrinsic::*;
        let data = &self.r.func.dfg.insts[i];
        let (ty, args): (Type, SmallVec<[Value; 4]>) = (data.ty, self.r.func.dfg.args(i).into());
        let (Some(op), Some(result)) = (data.intrinsic(), self.r.func.dfg.result(i)) else { return };
        let wides: SmallVec<[Wide; 4]> = args.iter().map(|&v| self.wide(v)).collect();
        let w = match op {
            ShflIdx | ShflUp | ShflDown | ShflBfly => self.warp_shuffle(op, &args, &wides, ty),
            ActiveMask => {
                let here = self.bits_here(mask);
                Wide::Uniform(self.as_result(here, ty))
            }
            _ => {
                let value_ty = self.r.func.dfg.ty(args[1]);
                let same = self.shapes.of(self.r, result).is_uniform();
                let value = self.lanes_of(&wides[1], value_ty);
                match (&wides[0], reduction(op, ty)) {
                    (&Wide::Uniform(named), Some((how, neutral))) if same => {
                        let here = self.named_here(named, mask);
                        let wide = self.wide_type(ty);
                        let other = self.func.dfg.bits(wide, neutral);
                        let lanes = self.select(here, value, other);
                        Wide::Uniform(self.reduce(how, lanes))
                    }
                    (_, Some(_)) => self.reduce_named(op, &wides[0], value, ty, mask),
                    (&Wide::Uniform(named), None) if same => {
                        let here = self.named_here(named, mask);
                        let none = self.func.dfg.bits(self.mask_type(), 0);
                        let true_here = self.select(here, value, none);
                        let (all, truths) = (self.mask_bits(here), self.mask_bits(true_here));
                        Wide::Uniform(self.vote(op, all, truths, ty))
                    }
                    _ => self.vote_named(op, &wides[0], value, ty, mask),
                }
            }
        };
        self.define(result, w);
    }

    // ---- masks ------------------------------------------------------------------------------------------------------

    /// The integer with a bit per lane.
    fn bits_type(&self) -> Type {
        Type::int(self.lanes.into()).unwrap_or(Type::I64)
    }

    fn mask_bits(&mut self, mask: Value) -> Value {
        let ty = self.bits_type();
        self.plain(Opcode::Bitcast, ty, &[mask])
    }

    /// The lanes that execute, a bit each.
    fn bits_here(&mut self, mask: Option<Value>) -> Value {
        match mask {
            Some(m) => self.mask_bits(m),
            None => {
                let ty = self.bits_type();
                self.func.dfg.iconst(ty, -1)
            }
        }
    }

    /// A mask of lanes, an operand of the kernel's (one number, or one per lane), with a bit per lane.
    fn lane_bits(&mut self, named: Value) -> Value {
        let ty = self.bits_type();
        self.as_result(named, ty)
    }

    /// Bits of lanes in the width of a result.
    fn as_result(&mut self, bits: Value, ty: Type) -> Value {
        let from = self.func.dfg.ty(bits);
        let to = from.with_scalar(ty);
        match from.bits().cmp(&to.bits()) {
            std::cmp::Ordering::Equal => bits,
            std::cmp::Ordering::Greater => self.plain(Opcode::Trunc, to, &[bits]),
            std::cmp::Ordering::Less => self.plain(Opcode::ZExt, to, &[bits]),
        }
    }

    /// The lanes that execute and are in the mask `named`, which is the same for all.
    fn named_here(&mut self, named: Value, mask: Option<Value>) -> Value {
        let ty = self.mask_type();
        let named = if self.func.dfg.as_int(named) == Some(-1) {
            self.func.dfg.bits(ty, 1)
        } else {
            let bits = self.lane_bits(named);
            self.plain(Opcode::Bitcast, ty, &[bits])
        };
        match mask {
            Some(m) => {
                let none = self.func.dfg.bits(ty, 0);
                self.select(m, named, none)
            }
            None => named,
        }
    }

    // ---- votes ------------------------------------------------------------------------------------------------------

    /// What a vote says of the lanes `all` that take part and those of them for which it is true; numbers, or vectors.
    fn vote(&mut self, op: Intrinsic, all: Value, truths: Value, ty: Type) -> Value {
        let zero = self.func.dfg.bits(self.func.dfg.ty(all), 0);
        match op {
            Intrinsic::VoteAll => self.icmp(IntCC::Eq, truths, all),
            Intrinsic::VoteAny => self.icmp(IntCC::Ne, truths, zero),
            Intrinsic::VoteUni => {
                let (every, none) = (self.icmp(IntCC::Eq, truths, all), self.icmp(IntCC::Eq, truths, zero));
                let ty = self.func.dfg.ty(every);
                self.plain(Opcode::Or, ty, &[every, none])
            }
            Intrinsic::MatchAll => {
                let every = self.icmp(IntCC::Eq, truths, all);
                let bits = self.select(every, all, zero);
                self.as_result(bits, ty)
            }
            _ => self.as_result(truths, ty),
        }
    }

    /// A vote or match with a result for each lane.
    fn vote_named(&mut self, op: Intrinsic, named: &Wide, value: Value, ty: Type, mask: Option<Value>) -> Wide {
        let wide = self.wide_type(self.bits_type());
        let here = self.bits_here(mask);
        let here = self.splat(here);
        let own = self.named_lanes(named);
        let all = self.plain(Opcode::And, wide, &[here, own]);
        let truths = match op {
            Intrinsic::MatchAny | Intrinsic::MatchAll => self.matches(value, mask),
            _ => {
                let none = self.func.dfg.bits(self.mask_type(), 0);
                let yes = match mask {
                    Some(m) => self.select(m, value, none),
                    None => value,
                };
                let bits = self.mask_bits(yes);
                self.splat(bits)
            }
        };
        let truths = self.plain(Opcode::And, wide, &[truths, all]);
        Wide::Lanes(self.vote(op, all, truths, ty), None)
    }

    /// For each lane the lanes that it names, a bit each.
    fn named_lanes(&mut self, named: &Wide) -> Value {
        match named {
            Wide::Lanes(v, _) => self.lane_bits(*v),
            Wide::Uniform(v) => {
                let bits = self.lane_bits(*v);
                self.splat(bits)
            }
            other => {
                let v = self.lanes_of(other, Type::I32);
                self.lane_bits(v)
            }
        }
    }

    /// For each lane those of `mask` whose value has the same bits.
    fn matches(&mut self, value: Value, mask: Option<Value>) -> Value {
        let of = self.func.dfg.ty(value);
        let value = if of.is_float() {
            let int = of.with_scalar(Type::int(of.bits()).unwrap_or(Type::I32));
            self.plain(Opcode::Bitcast, int, &[value])
        } else {
            value
        };
        let scalar = self.func.dfg.ty(value).scalar();
        let wide = self.wide_type(self.bits_type());
        let zero = self.func.dfg.bits(wide, 0);
        self.lane_loop(mask, SmallVec::from_slice(&[zero]), |e, lane, old| {
            let one = e.plain(Opcode::ExtractDyn, scalar, &[value, lane]);
            let one = e.splat(one);
            let same = e.icmp(IntCC::Eq, value, one);
            let bit = e.lane_bit(lane);
            let with = e.plain(Opcode::Or, wide, &[old[0], bit]);
            SmallVec::from_slice(&[e.select(same, with, old[0])])
        })[0]
    }

    /// The bit of a lane, the same in all lanes.
    fn lane_bit(&mut self, lane: Value) -> Value {
        let ty = self.bits_type();
        let lane = if ty.bits() > 32 { self.plain(Opcode::ZExt, ty, &[lane]) } else { lane };
        let one = self.func.dfg.iconst(ty, 1);
        let bit = self.plain(Opcode::Shl, ty, &[one, lane]);
        self.splat(bit)
    }

    /// A reduction with a result for each lane, in the order of the lanes.
    fn reduce_named(&mut self, op: Intrinsic, named: &Wide, value: Value, ty: Type, mask: Option<Value>) -> Wide {
        let Some((how, _)) = reduction(op, ty) else { return Wide::Lanes(value, None) };
        let own = self.named_lanes(named);
        let (bits, wide) = (self.func.dfg.ty(own), self.wide_type(ty));
        let nobody = self.func.dfg.bits(self.mask_type(), 0);
        let done = self.lane_loop(mask, SmallVec::from_slice(&[value, nobody]), |e, lane, old| {
            let one = e.plain(Opcode::ExtractDyn, ty, &[value, lane]);
            let one = e.splat(one);
            let bit = e.lane_bit(lane);
            let hit = e.plain(Opcode::And, bits, &[own, bit]);
            let zero = e.func.dfg.bits(bits, 0);
            let takes = e.icmp(IntCC::Ne, hit, zero);
            let both = e.plain(how, wide, &[old[0], one]);
            // The first lane's value begins.
            let now = e.select(old[1], both, one);
            let mask_ty = e.mask_type();
            SmallVec::from_slice(&[e.select(takes, now, old[0]), e.plain(Opcode::Or, mask_ty, &[old[1], takes])])
        });
        Wide::Lanes(done[0], None)
    }

    // ---- shuffles ---------------------------------------------------------------------------------------------------

    /// PTX `shfl`: another lane's value; the own one if that lane is out of the segment.
    fn warp_shuffle(&mut self, op: Intrinsic, args: &[Value], wides: &[Wide], ty: Type) -> Wide {
        if matches!(wides[1], Wide::Uniform(_)) {
            return wides[1].clone();
        }
        let wide = self.wide_type(Type::I32);
        let low = i64::from(self.lanes) - 1;
        let and = |e: &mut Self, v: Value, n: i64| {
            let n = e.func.dfg.iconst(wide, n);
            e.plain(Opcode::And, wide, &[v, n])
        };
        let lane = self.steps(Type::I32, 1);
        let [b, c] = [2, 3].map(|n| self.lanes_of(&wides[n], self.r.func.dfg.ty(args[n])));
        let b = and(self, b, low);
        let clamp = and(self, c, low);
        let eight = self.func.dfg.iconst(wide, 8);
        let segment = self.plain(Opcode::LShr, wide, &[c, eight]);
        let segment = and(self, segment, low);
        let ones = self.func.dfg.iconst(wide, -1);
        let outside = self.plain(Opcode::Xor, wide, &[segment, ones]);
        let min = self.plain(Opcode::And, wide, &[lane, segment]);
        let max = self.plain(Opcode::And, wide, &[clamp, outside]);
        let max = self.plain(Opcode::Or, wide, &[min, max]);
        let (from, inside) = match op {
            Intrinsic::ShflUp => {
                // `lane >= b && lane - b >= max`
                let from = self.plain(Opcode::Sub, wide, &[lane, b]);
                let not_below = self.icmp(IntCC::Uge, lane, b);
                let in_segment = self.icmp(IntCC::Uge, from, max);
                let ty = self.mask_type();
                (from, self.plain(Opcode::And, ty, &[not_below, in_segment]))
            }
            Intrinsic::ShflDown | Intrinsic::ShflBfly => {
                let how = if op == Intrinsic::ShflDown { Opcode::Add } else { Opcode::Xor };
                let from = self.plain(how, wide, &[lane, b]);
                (from, self.icmp(IntCC::Ule, from, max))
            }
            _ => {
                let inner = self.plain(Opcode::And, wide, &[b, outside]);
                let from = self.plain(Opcode::Or, wide, &[min, inner]);
                (from, self.icmp(IntCC::Ule, from, max))
            }
        };
        let from = self.select(inside, from, lane);
        let value = self.lanes_of(&wides[1], ty);
        let of = self.func.dfg.ty(value);
        Wide::Lanes(self.plain(Opcode::Permute, of, &[value, from]), None)
    }
}

/// The operation of a reduction, and for integers what changes nothing under it.
fn reduction(op: Intrinsic, ty: Type) -> Option<(Opcode, u64)> {
    use Intrinsic::*;
    if ty.is_float() {
        return (op == ReduxAdd).then_some((Opcode::FAdd, 0));
    }
    let (ones, sign) = (ty.mask(), 1u64 << (ty.bits().max(1) - 1));
    Some(match op {
        ReduxAdd => (Opcode::Add, 0),
        ReduxSMin => (Opcode::SMin, ones ^ sign),
        ReduxSMax => (Opcode::SMax, sign),
        ReduxUMin => (Opcode::UMin, ones),
        ReduxUMax => (Opcode::UMax, 0),
        ReduxAnd => (Opcode::And, ones),
        ReduxOr => (Opcode::Or, 0),
        ReduxXor => (Opcode::Xor, 0),
        _ => return None,
    })
}
