//! What the active lanes of a sub-group do together: OpenCL's `cl_khr_subgroup_*`. Lanes that do not come take no part, so
//! every exchange names those that have.
//!
//! Ballots are a `uint4`, of which the first word or two have bits of lanes.

use crate::{Emitter, Operands};
use builtins::{LaneOp, LaneSet, Over, Reduce, Shuffle, Vote};
use ir::{Flags, IntCC, Intrinsic, Opcode, Payload, SpecialReg, Type, Value};

impl Emitter<'_> {
    pub(crate) fn lanes(&mut self, op: LaneOp, o: &Operands) -> Value {
        match op {
            LaneOp::Elect => {
                let (active, me) = (self.active_lanes(), self.own_lane());
                let first = self.first_of(active);
                let chosen = self.build(|b| b.icmp(IntCC::Eq, me, first));
                self.truth_as(chosen, o.ty)
            }
            LaneOp::Vote(kind) => {
                let (active, p) = (self.active_lanes(), self.truth(o.get(0)));
                let op = if kind == Vote::All { Intrinsic::VoteAll } else { Intrinsic::VoteAny };
                self.vote_among(op, active, p, o.ty)
            }
            LaneOp::AllEqual => {
                let active = self.active_lanes();
                let first = self.first_of(active);
                let v = o.get(0);
                let theirs = self.read_lane(active, v, first);
                let same = if self.ty(v).is_float() {
                    let flags = self.ftz(self.ty(v));
                    self.build(|b| b.fcmp(ir::FloatCC::Oeq, flags, v, theirs))
                } else {
                    self.build(|b| b.icmp(IntCC::Eq, v, theirs))
                };
                self.vote_among(Intrinsic::VoteAll, active, same, o.ty)
            }
            LaneOp::Shuffle(kind) => {
                let active = self.active_lanes();
                let lane = self.resize(o.get(1), Type::I32, false);
                let (op, clamp) = match kind {
                    Shuffle::Index => (Intrinsic::ShflIdx, self.last_lane()),
                    Shuffle::Up => (Intrinsic::ShflUp, 0),
                    Shuffle::Down => (Intrinsic::ShflDown, self.last_lane()),
                    Shuffle::Xor => (Intrinsic::ShflBfly, self.last_lane()),
                };
                self.shuffle_words(op, active, o.get(0), lane, clamp)
            }
            LaneOp::BroadcastFirst => {
                let active = self.active_lanes();
                let first = self.first_of(active);
                self.read_lane(active, o.get(0), first)
            }
            LaneOp::Ballot => {
                let (active, p) = (self.active_lanes(), self.truth(o.get(0)));
                let v = self.mask_intrinsic(Intrinsic::Ballot, &[active, p]);
                self.as_ballot(v)
            }
            LaneOp::InverseBallot => {
                let me = self.own_lane();
                self.ballot_bit(o.get(0), me, o.ty)
            }
            LaneOp::BallotBit => {
                let lane = self.resize(o.get(1), Type::I32, false);
                self.ballot_bit(o.get(0), lane, o.ty)
            }
            LaneOp::BallotCount(which) => {
                let all = self.of_ballot(o.get(0));
                let named = self.lanes_where(which);
                let counted = self.op2(Opcode::And, all, named);
                let n = self.op1(Opcode::Popcnt, counted);
                self.resize(n, o.ty, false)
            }
            LaneOp::BallotFirst => {
                let all = self.of_ballot(o.get(0));
                self.first_of(all)
            }
            LaneOp::BallotLast => {
                let all = self.of_ballot(o.get(0));
                self.last_of(all)
            }
            LaneOp::Mask(which) => {
                let named = self.lanes_where(which);
                self.as_ballot(named)
            }
            LaneOp::Combine { reduce, over, logical: false } => {
                self.combine_lanes(reduce, over, o.get(0), o.is_signed(0), o)
            }
            LaneOp::Combine { reduce, over, logical: true } => {
                let p = self.truth(o.get(0));
                let v = self.build(|b| b.cast(Opcode::ZExt, p, Type::I32));
                let one = self.iconst(Type::I32, 1);
                let v = self.combine_lanes(reduce, over, v, false, o);
                // Of no lanes it is what changes nothing, all bits for `and`.
                let v = self.op2(Opcode::And, v, one);
                self.resize(v, o.ty, false)
            }
            LaneOp::Rotate { clustered } => self.rotate_lanes(clustered, o),
        }
    }

    // ---- lanes and masks ------------------------------------------------------------------------------------------

    fn own_lane(&mut self) -> Value {
        self.build(|b| b.special(SpecialReg::LaneId))
    }

    fn active_lanes(&mut self) -> Value {
        self.mask_intrinsic(Intrinsic::ActiveMask, &[])
    }

    /// The number of the first lane of a mask that has some, `i32`.
    fn first_of(&mut self, mask: Value) -> Value {
        let n = self.op1(Opcode::Ctz, mask);
        self.resize(n, Type::I32, false)
    }

    /// The number of the last lane of a mask, `i32`; -1 if it has none.
    fn last_of(&mut self, mask: Value) -> Value {
        let ty = self.ty(mask);
        let n = self.op1(Opcode::Clz, mask);
        let top = self.iconst(ty, i64::from(ty.bits()) - 1);
        let n = self.op2(Opcode::Sub, top, n);
        self.resize(n, Type::I32, false)
    }

    /// The mask of the lanes whose numbers compare so with the own one.
    fn lanes_where(&mut self, which: LaneSet) -> Value {
        let ty = self.lane_mask_type();
        let ones = self.iconst(ty, -1);
        if which == LaneSet::All {
            return ones;
        }
        let (me, one) = (self.own_lane(), self.iconst(ty, 1));
        let me = self.resize(me, ty, false);
        let own = self.op2(Opcode::Shl, one, me);
        let less = self.op2(Opcode::Sub, own, one);
        match which {
            LaneSet::All | LaneSet::Equal => own,
            LaneSet::Less => less,
            LaneSet::LessEqual => self.op2(Opcode::Or, own, less),
            LaneSet::GreaterEqual => self.op2(Opcode::Xor, less, ones),
            LaneSet::Greater => {
                let rest = self.op2(Opcode::Or, own, less);
                self.op2(Opcode::Xor, rest, ones)
            }
        }
    }

    /// A value of another lane that takes part.
    fn read_lane(&mut self, active: Value, v: Value, lane: Value) -> Value {
        self.shuffle_words(Intrinsic::ShflIdx, active, v, lane, self.last_lane())
    }

    fn vote_among(&mut self, op: Intrinsic, mask: Value, p: Value, ty: Type) -> Value {
        let v = self.make(Opcode::Intrinsic, Type::I1, Flags::NONE, &[mask, p], Payload::Intrinsic(op));
        self.truth_as(v, ty)
    }

    // ---- ballots --------------------------------------------------------------------------------------------------

    /// A mask as a `uint4`.
    fn as_ballot(&mut self, mask: Value) -> Value {
        let zero = self.iconst(Type::I32, 0);
        let low = self.resize(mask, Type::I32, false);
        let high = if self.ty(mask) == Type::I64 {
            let n = self.iconst(Type::I64, 32);
            let high = self.op2(Opcode::LShr, mask, n);
            self.resize(high, Type::I32, false)
        } else {
            zero
        };
        self.build(|b| b.vec_build(&[low, high, zero, zero]))
    }

    /// The mask in a `uint4`.
    fn of_ballot(&mut self, ballot: Value) -> Value {
        let low = self.build(|b| b.extract(ballot, 0));
        if self.lane_mask_type() == Type::I32 {
            return low;
        }
        let high = self.build(|b| b.extract(ballot, 1));
        let (low, high) = (self.resize(low, Type::I64, false), self.resize(high, Type::I64, false));
        let n = self.iconst(Type::I64, 32);
        let high = self.op2(Opcode::Shl, high, n);
        self.op2(Opcode::Or, high, low)
    }

    /// The bit of a lane, of which there may be fewer than the number says.
    fn ballot_bit(&mut self, ballot: Value, lane: Value, ty: Type) -> Value {
        let all = self.of_ballot(ballot);
        let of = self.ty(all);
        let (last, one) = (self.iconst(of, self.last_lane()), self.iconst(of, 1));
        let lane = self.resize(lane, of, false);
        let lane = self.op2(Opcode::And, lane, last);
        let moved = self.op2(Opcode::LShr, all, lane);
        let bit = self.op2(Opcode::And, moved, one);
        self.resize(bit, ty, false)
    }

    // ---- reductions and scans -------------------------------------------------------------------------------------

    fn combine_lanes(&mut self, r: Reduce, over: Over, v: Value, signed: bool, o: &Operands) -> Value {
        let active = self.active_lanes();
        let ty = self.ty(v);
        let is_word = ty.is_int() && !ty.is_vector() && ty.bits() <= 32;
        if over == Over::All && r != Reduce::Mul && is_word && self.context.target.has_warp_reductions() {
            let wide = self.resize(v, Type::I32, signed);
            let all = self.redux(r, active, wide, signed);
            return self.resize(all, ty, signed);
        }
        let members = if over == Over::Cluster {
            let cluster = self.own_cluster(o.get(1));
            self.op2(Opcode::And, active, cluster)
        } else {
            active
        };
        let (sums, before) = self.scan_members(r, active, members, v, signed);
        match over {
            Over::UpToOwn => sums,
            Over::All | Over::Cluster => {
                let last = self.last_of(members);
                self.read_lane(active, sums, last)
            }
            Over::BeforeOwn => {
                let (me, zero) = (self.own_lane(), self.iconst(Type::I32, 0));
                let some = self.build(|b| b.icmp(IntCC::Sge, before, zero));
                let from = self.build(|b| b.select(some, before, me));
                let theirs = self.read_lane(active, sums, from);
                let identity = self.identity(r, ty, signed);
                self.build(|b| b.select(some, theirs, identity))
            }
        }
    }

    /// The lanes of the own cluster; sizes are powers of two.
    fn own_cluster(&mut self, size: Value) -> Value {
        let ty = self.lane_mask_type();
        let size = self.resize(size, ty, false);
        let me = self.own_lane();
        let me = self.resize(me, ty, false);
        let (zero, bits, most) =
            (self.iconst(ty, 0), self.iconst(ty, ty.bits().into()), self.iconst(ty, i64::from(ty.bits()) - 1));
        let back = self.op2(Opcode::Sub, zero, size);
        let first = self.op2(Opcode::And, me, back);
        let others = self.op2(Opcode::Sub, bits, size);
        let others = self.op2(Opcode::And, others, most);
        let ones = self.iconst(ty, -1);
        let low = self.op2(Opcode::LShr, ones, others);
        self.op2(Opcode::Shl, low, first)
    }

    /// What a lane and the members before it make together, and the number of the member before it, -1 if it is the first.
    /// `members` are the lane's own choice of the active ones.
    ///
    /// In each step a lane takes in what the member that it points to has, and points to where that one did: as in Hillis and
    /// Steele's scan, but over lanes with gaps.
    fn scan_members(&mut self, r: Reduce, active: Value, members: Value, v: Value, signed: bool) -> (Value, Value) {
        let (me, zero) = (self.own_lane(), self.iconst(Type::I32, 0));
        let below = self.lanes_where(LaneSet::Less);
        let below = self.op2(Opcode::And, members, below);
        let before = self.last_of(below);
        let (mut acc, mut at) = (v, before);
        let steps = self.context.target.warp_size().ilog2();
        for step in 0..steps {
            let some = self.build(|b| b.icmp(IntCC::Sge, at, zero));
            let from = self.build(|b| b.select(some, at, me));
            let theirs = self.read_lane(active, acc, from);
            let sum = self.combine(r, theirs, acc, signed);
            acc = self.build(|b| b.select(some, sum, acc));
            if step + 1 < steps {
                // Who points nowhere reads that from himself.
                at = self.read_lane(active, at, from);
            }
        }
        (acc, before)
    }

    /// `sub_group_rotate`: the lane so far ahead, from the last one on to the first.
    fn rotate_lanes(&mut self, clustered: bool, o: &Operands) -> Value {
        let (active, me) = (self.active_lanes(), self.own_lane());
        let distance = self.resize(o.get(1), Type::I32, false);
        let one = self.iconst(Type::I32, 1);
        let size = if clustered {
            self.resize(o.get(2), Type::I32, false)
        } else {
            self.iconst(Type::I32, self.last_lane() + 1)
        };
        let inside = self.op2(Opcode::Sub, size, one);
        let ahead = self.op2(Opcode::Add, me, distance);
        let ahead = self.op2(Opcode::And, ahead, inside);
        let zero = self.iconst(Type::I32, 0);
        let back = self.op2(Opcode::Sub, zero, size);
        let first = self.op2(Opcode::And, me, back);
        let from = self.op2(Opcode::Or, first, ahead);
        self.read_lane(active, o.get(0), from)
    }
}
