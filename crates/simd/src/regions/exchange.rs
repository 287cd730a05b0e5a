//! What happens at a cut between work-items: reductions at barriers, and warp operations through memory.
//!
//! Each work-item that reaches the cut has put its operands into arrays (one element per work-item). Before the region
//! behind the cut runs, each that takes part computes its result from them. The lanes that take part are those of its
//! warp that wait at the same cut, live, and are named by its own mask. A shuffle from a lane that does not take
//! part gives whatever was in the array, as on the GPU.

use super::emit::Emitter;
use super::nest::{ITEM, Nest};
use super::plan::Mode;
use super::prepare::is_barrier;
use super::storage::{Offset, Storage, stride};
use ir::{Block, Builder, ConstKind, Flags, Function, Inst, IntCC, Intrinsic, Opcode, Payload, Type, Value};

/// The operands of a cut that must be kept for others to read: those that are not constants.
pub(super) fn kept_operands(func: &Function, cut: Inst) -> impl Iterator<Item = Value> + '_ {
    let none = matches!(
        func.dfg.insts[cut].intrinsic(),
        Some(Intrinsic::Barrier | Intrinsic::WarpSync | Intrinsic::Yield) | None
    );
    let args = if none { &[] } else { func.dfg.args(cut) };
    args.iter().copied().filter(|&v| func.dfg.as_bits(v).is_none())
}

/// One cut's operation.
struct Meeting {
    op: Intrinsic,
    inst: Inst,
    /// The block at whose end it stands.
    block: Block,
    /// State of those who wait here.
    key: u32,
}

impl Emitter<'_> {
    /// Writes what the work-items exchange at the cut at the end of `b`, from the open block `before` on; the block
    /// that is open afterwards.
    pub(super) fn exchange(&mut self, before: Block, b: Block, key: u32) -> Block {
        let Some(inst) = self.p.cut[b].expand() else { return before };
        let (Some(op), Some(result)) = (self.p.func.dfg.insts[inst].intrinsic(), self.p.func.dfg.result(inst)) else {
            return before;
        };
        let storage = self.storage.of(result);
        if storage == Storage::None {
            return before;
        }
        let meeting = Meeting { op, inst, block: b, key };
        if is_barrier(op) {
            return self.reduce_group(before, &meeting, result);
        }
        let mut nest = self.open_nest(before);
        if let Some(state) = self.state {
            let linear = self.linear(&mut nest);
            nest.guard = Some(self.is_here(nest.body, state, linear, key));
        }
        let at = nest.at[usize::from(ITEM)];
        let (at, v) = match op {
            Intrinsic::ShflIdx | Intrinsic::ShflUp | Intrinsic::ShflDown | Intrinsic::ShflBfly => {
                (at, self.shuffle(&mut nest, at, &meeting))
            }
            _ => self.collect(&mut nest, at, &meeting),
        };
        self.deliver(&mut nest, at, storage, v);
        self.jump(at, nest.latch, &[]);
        self.close_nest(&nest)
    }

    fn deliver(&mut self, nest: &mut Nest, at: Block, storage: Storage, v: Value) {
        match storage {
            Storage::PerItem(offset) => self.store_element(nest, at, offset, v),
            Storage::Uniform(offset) => {
                let to = self.entry.scratch(&mut self.out, offset);
                self.store_to(at, to, v);
                nest.effects = true;
            }
            Storage::Group(_) | Storage::None | Storage::Rematerialised => {}
        }
    }

    // ---- small pieces -----------------------------------------------------------------------------------------------

    fn bin(&mut self, at: Block, op: Opcode, a: Value, b: Value) -> Value {
        let ty = self.out.dfg.ty(a);
        self.push(at, op, ty, Flags::NONE, &[a, b], Payload::None)
    }

    fn num(&mut self, ty: Type, n: i64) -> Value {
        self.out.dfg.iconst(ty, n)
    }

    fn cmp(&mut self, at: Block, cc: IntCC, a: Value, b: Value) -> Value {
        self.push(at, Opcode::Icmp, Type::I1, Flags::NONE, &[a, b], Payload::IntCC(cc))
    }

    fn cast(&mut self, at: Block, op: Opcode, v: Value, ty: Type) -> Value {
        if self.out.dfg.ty(v) == ty { v } else { self.push(at, op, ty, Flags::NONE, &[v], Payload::None) }
    }

    fn select(&mut self, at: Block, c: Value, a: Value, b: Value) -> Value {
        let ty = self.out.dfg.ty(a);
        self.push(at, Opcode::Select, ty, Flags::NONE, &[c, a, b], Payload::None)
    }

    /// Whether the work-item of a linear id waits here.
    fn is_here(&mut self, at: Block, state: Offset, linear: Value, key: u32) -> Value {
        let base = self.entry.scratch(&mut self.out, state);
        if self.plan.mode == Mode::Static {
            let from = self.scaled(at, base, linear, 1);
            return self.load_from(at, from, Type::I1);
        }
        let from = self.scaled(at, base, linear, 4);
        let now = self.load_from(at, from, Type::I32);
        let key = self.num(Type::I32, key.into());
        self.cmp(at, IntCC::Eq, now, key)
    }

    /// Operand `n` of the work-item of a linear id.
    fn operand_of(&mut self, at: Block, m: &Meeting, n: usize, linear: Value) -> Value {
        let v = self.p.func.dfg.arg(m.inst, n);
        let ty = self.p.func.dfg.ty(v);
        if let Some(bits) = self.p.func.dfg.as_bits(v) {
            return self.out.dfg.constant(ty, ConstKind::Bits(bits));
        }
        let before = self.p.func.dfg.args(m.inst)[..n].iter().filter(|&&a| self.p.func.dfg.as_bits(a).is_none());
        let offset = self.operands[m.block][before.count()];
        self.load_components(at, ty, |e, n, part| {
            let offset = e.component_offset(offset, ty, n);
            let base = e.entry.scratch(&mut e.out, offset);
            let from = e.scaled(at, base, linear, stride(part));
            e.load_from(at, from, part)
        })
    }

    /// The work-item's mask, 64 bits wide.
    fn mask_of(&mut self, at: Block, m: &Meeting, linear: Value) -> Value {
        let mask = self.operand_of(at, m, 0, linear);
        self.cast(at, Opcode::ZExt, mask, Type::I64)
    }

    // ---- barriers ---------------------------------------------------------------------------------------------------

    /// Counts those whose operand is true, and all that are here, and gives everybody the result.
    fn reduce_group(&mut self, before: Block, m: &Meeting, result: Value) -> Block {
        let (head, done) = (self.out.new_block(), self.out.new_block());
        let params: Vec<Value> = (0..3).map(|_| self.out.dfg.add_param(head, Type::I32)).collect();
        let zero = self.num(Type::I32, 0);
        self.jump(before, head, &[zero; 3]);
        let (i, mut yes, mut all) = (params[0], params[1], params[2]);
        let mut v = self.operand_of(head, m, 0, i);
        let here = match self.state {
            Some(state) => self.is_here(head, state, i, m.key),
            None => self.num(Type::I1, 1),
        };
        v = self.bin(head, Opcode::And, v, here);
        for (sum, bit) in [(&mut yes, v), (&mut all, here)] {
            let n = self.cast(head, Opcode::ZExt, bit, Type::I32);
            *sum = self.bin(head, Opcode::Add, *sum, n);
        }
        let one = self.num(Type::I32, 1);
        let up = self.bin(head, Opcode::Add, i, one);
        let items = self.entry.items(&mut self.out);
        let less = self.cmp(head, IntCC::Ult, up, items);
        Builder::at_end(&mut self.out, head).br(less, (head, &[up, yes, all]), (done, &[]));
        let v = match m.op {
            Intrinsic::BarrierAnd => self.cmp(done, IntCC::Eq, yes, all),
            Intrinsic::BarrierOr => self.cmp(done, IntCC::Ne, yes, zero),
            _ => yes,
        };
        match self.storage.of(result) {
            Storage::Group(s) => {
                let at = self.out.slot_addr(s);
                self.store_to(done, at, v);
                done
            }
            storage => {
                let mut nest = self.open_nest(done);
                if let Some(state) = self.state {
                    let linear = self.linear(&mut nest);
                    nest.guard = Some(self.is_here(nest.body, state, linear, m.key));
                }
                let at = nest.at[usize::from(ITEM)];
                self.deliver(&mut nest, at, storage, v);
                self.jump(at, nest.latch, &[]);
                self.close_nest(&nest)
            }
        }
    }

    // ---- warps ------------------------------------------------------------------------------------------------------

    /// The work-item's lane, and the linear id of its warp's first lane.
    fn lane(&mut self, nest: &mut Nest, at: Block) -> (Value, Value, Value) {
        let linear = self.linear(nest);
        let low = self.num(Type::I32, i64::from(self.options.target.warp_size()) - 1);
        let lane = self.bin(at, Opcode::And, linear, low);
        let first = self.bin(at, Opcode::Sub, linear, lane);
        (linear, lane, first)
    }

    /// PTX `shfl`: another lane's value; the own one if that lane is out of the segment.
    fn shuffle(&mut self, nest: &mut Nest, at: Block, m: &Meeting) -> Value {
        let (linear, lane, first) = self.lane(nest, at);
        let low = self.num(Type::I32, i64::from(self.options.target.warp_size()) - 1);
        let b = self.operand_of(at, m, 2, linear);
        let b = self.bin(at, Opcode::And, b, low);
        let c = self.operand_of(at, m, 3, linear);
        let clamp = self.bin(at, Opcode::And, c, low);
        let eight = self.num(Type::I32, 8);
        let segment = self.bin(at, Opcode::LShr, c, eight);
        let segment = self.bin(at, Opcode::And, segment, low);
        let ones = self.num(Type::I32, -1);
        let outside = self.bin(at, Opcode::Xor, segment, ones);
        let min = self.bin(at, Opcode::And, lane, segment);
        let max = self.bin(at, Opcode::And, clamp, outside);
        let max = self.bin(at, Opcode::Or, min, max);
        let (from, inside) = match m.op {
            Intrinsic::ShflUp => {
                // `lane >= b && lane - b >= max`
                let from = self.bin(at, Opcode::Sub, lane, b);
                let not_below = self.cmp(at, IntCC::Uge, lane, b);
                let in_segment = self.cmp(at, IntCC::Uge, from, max);
                (from, self.bin(at, Opcode::And, not_below, in_segment))
            }
            Intrinsic::ShflDown | Intrinsic::ShflBfly => {
                let op = if m.op == Intrinsic::ShflDown { Opcode::Add } else { Opcode::Xor };
                let from = self.bin(at, op, lane, b);
                (from, self.cmp(at, IntCC::Ule, from, max))
            }
            _ => {
                let inner = self.bin(at, Opcode::And, b, outside);
                let from = self.bin(at, Opcode::Or, min, inner);
                (from, self.cmp(at, IntCC::Ule, from, max))
            }
        };
        let from = self.select(at, inside, from, lane);
        let source = self.bin(at, Opcode::Add, first, from);
        // The last warp may be short.
        let items = self.entry.items(&mut self.out);
        let exists = self.cmp(at, IntCC::Ult, source, items);
        let source = self.select(at, exists, source, linear);
        self.operand_of(at, m, 1, source)
    }

    /// An operation over the lanes that take part, one after the other; the block in which the result is there.
    fn collect(&mut self, nest: &mut Nest, at: Block, m: &Meeting) -> (Block, Value) {
        use Intrinsic::*;
        let (linear, _, first) = self.lane(nest, at);
        let own = if m.op == ActiveMask { None } else { Some(self.operand_of(at, m, 1, linear)) };
        let mask = if m.op == ActiveMask { self.num(Type::I64, -1) } else { self.mask_of(at, m, linear) };
        let items = self.entry.items(&mut self.out);
        let left = self.bin(at, Opcode::Sub, items, first);
        let warp = self.num(Type::I32, self.options.target.warp_size().into());
        let count = self.bin(at, Opcode::UMin, left, warp);
        let (head, done) = (self.out.new_block(), self.out.new_block());
        let lane = self.out.dfg.add_param(head, Type::I32);
        // Lanes that take part, lanes of these for which it is true.
        let all = self.out.dfg.add_param(head, Type::I64);
        let truths = self.out.dfg.add_param(head, Type::I64);
        let (zero, zero64) = (self.num(Type::I32, 0), self.num(Type::I64, 0));
        let mut args = vec![zero, zero64, zero64];
        let sum = own.filter(|_| is_reduction(m.op)).map(|own| {
            args.push(own);
            let ty = self.out.dfg.ty(own);
            self.out.dfg.add_param(head, ty)
        });
        self.jump(at, head, &args);
        let other = self.bin(head, Opcode::Add, first, lane);
        let wide = self.cast(head, Opcode::ZExt, lane, Type::I64);
        let one64 = self.num(Type::I64, 1);
        let bit = self.bin(head, Opcode::Shl, one64, wide);
        let named = self.bin(head, Opcode::And, mask, bit);
        let mut inside = self.cmp(head, IntCC::Ne, named, zero64);
        if let Some(state) = self.state {
            let here = self.is_here(head, state, other, m.key);
            inside = self.bin(head, Opcode::And, inside, here);
        }
        let value = own.map(|own| (own, self.operand_of(head, m, 1, other)));
        let add = self.select(head, inside, bit, zero64);
        let all_next = self.bin(head, Opcode::Or, all, add);
        let mut truths_next = truths;
        let mut next = Vec::new();
        if let Some((own, v)) = value {
            match sum {
                Some(sum) => {
                    // The first lane's value begins.
                    let begins = self.cmp(head, IntCC::Eq, all, zero64);
                    let op = reduction(m.op, self.out.dfg.ty(v));
                    let both = self.bin(head, op, sum, v);
                    let now = self.select(head, begins, v, both);
                    next.push(self.select(head, inside, now, sum));
                }
                None => {
                    let truth = match m.op {
                        MatchAny | MatchAll => self.equal(head, v, own),
                        _ => v,
                    };
                    let yes = self.bin(head, Opcode::And, truth, inside);
                    let add = self.select(head, yes, bit, zero64);
                    truths_next = self.bin(head, Opcode::Or, truths, add);
                }
            }
        }
        let one = self.num(Type::I32, 1);
        let up = self.bin(head, Opcode::Add, lane, one);
        let less = self.cmp(head, IntCC::Ult, up, count);
        let result = next.first().copied();
        let mut back = vec![up, all_next, truths_next];
        back.append(&mut next);
        Builder::at_end(&mut self.out, head).br(less, (head, &back), (done, &[]));
        let ty = self.p.func.dfg.insts[m.inst].ty;
        let none = self.cmp(done, IntCC::Eq, truths_next, zero64);
        let every = self.cmp(done, IntCC::Eq, truths_next, all_next);
        let v = match (m.op, result) {
            (_, Some(sum)) => sum,
            (VoteAll, _) => every,
            (VoteAny, _) => self.cmp(done, IntCC::Ne, truths_next, zero64),
            (VoteUni, _) => self.bin(done, Opcode::Or, none, every),
            (ActiveMask, _) => self.cast(done, Opcode::Trunc, all_next, ty),
            (MatchAll, _) => {
                let v = self.select(done, every, all_next, zero64);
                self.cast(done, Opcode::Trunc, v, ty)
            }
            _ => self.cast(done, Opcode::Trunc, truths_next, ty),
        };
        (done, v)
    }

    /// Same bits.
    fn equal(&mut self, at: Block, a: Value, b: Value) -> Value {
        let ty = self.out.dfg.ty(a);
        if !ty.is_float() {
            return self.cmp(at, IntCC::Eq, a, b);
        }
        let int = Type::int(ty.bits()).unwrap_or(Type::I32);
        let (a, b) = (self.cast(at, Opcode::Bitcast, a, int), self.cast(at, Opcode::Bitcast, b, int));
        self.cmp(at, IntCC::Eq, a, b)
    }
}

fn is_reduction(op: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(op, ReduxAdd | ReduxSMin | ReduxSMax | ReduxUMin | ReduxUMax | ReduxAnd | ReduxOr | ReduxXor)
}

fn reduction(op: Intrinsic, ty: Type) -> Opcode {
    use Intrinsic::*;
    match op {
        ReduxAdd if ty.is_float() => Opcode::FAdd,
        ReduxAdd => Opcode::Add,
        ReduxSMin => Opcode::SMin,
        ReduxSMax => Opcode::SMax,
        ReduxUMin => Opcode::UMin,
        ReduxUMax => Opcode::UMax,
        ReduxAnd => Opcode::And,
        ReduxOr => Opcode::Or,
        _ => Opcode::Xor,
    }
}
