//! What has no vector form runs once per lane that is on, in a loop over the lanes: calls, copies of memory, volatile
//! accesses, atomics. Atomics on one address whose old value nobody wants become one atomic on what all lanes bring.

use super::emit::Emitter;
use super::shape::Shape;
use super::wide::{Pieces, Wide};
use cranelift_entity::EntitySet;
use ir::{AtomicOp, Flags, Inst, IntCC, Intrinsic, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

impl Emitter<'_> {
    /// Emits an instruction once per lane of `mask`.
    pub(super) fn per_lane(&mut self, i: Inst, mask: Option<Value>) {
        let data = &self.r.func.dfg.insts[i];
        if matches!(data.intrinsic(), Some(Intrinsic::PrefetchL1 | Intrinsic::PrefetchL2 | Intrinsic::AsyncWaitAll))
            || data.intrinsic().is_some_and(|op| op.is_check() && data.ty.is_void())
        {
            return;
        }
        if data.intrinsic() == Some(Intrinsic::Nanosleep) {
            // Once for all lanes, and no matter how long.
            let payload = data.payload.clone();
            let none = self.func.dfg.iconst(Type::I32, 0);
            self.put_inst(Opcode::Intrinsic, Type::VOID, Flags::NONE, &[none], payload);
            return;
        }
        if data.op == Opcode::AtomicRmw && self.reduced_atomic(i, mask) {
            return;
        }
        self.figures.serial += 1;
        let args: SmallVec<[Value; 8]> = self.r.func.dfg.args(i).into();
        let wides: Vec<Wide> = args.iter().map(|&v| self.wide(v)).collect();
        let (op, ty, flags, payload) = (data.op, data.ty, data.flags, data.payload.clone());
        let types = if ty.is_void() { SmallVec::new() } else { self.piece_types(Shape::Varying, ty) };
        let undef: Pieces = types.iter().map(|&t| self.func.dfg.undef(t)).collect();
        let pieces = self.lane_loop(mask, undef, |e, lane, old| {
            let scalars: SmallVec<[Value; 8]> =
                wides.iter().zip(&args).map(|(w, &v)| e.lane(w, e.r.func.dfg.ty(v), lane)).collect();
            let made = e.put_inst(op, ty, flags, &scalars, payload.clone());
            let Some(v) = e.func.dfg.result(made) else { return Pieces::new() };
            e.insert_lane(v, ty, lane, old)
        });
        if let Some(result) = self.r.func.dfg.result(i) {
            let w = self.assembled(&pieces, Shape::Varying, ty);
            self.define(result, w);
        }
    }

    /// The pieces of a varying value with one lane replaced.
    fn insert_lane(&mut self, v: Value, ty: Type, lane: Value, old: &[Value]) -> Pieces {
        (0..ty.lanes())
            .map(|n| {
                let mut part = v;
                if ty.is_vector() {
                    part = self.put(Opcode::Extract, ty.scalar(), Flags::NONE, &[v], Payload::Lane(n));
                } else if ty.is_ptr() {
                    part = self.plain(Opcode::PtrToInt, Type::I64, &[v]);
                }
                let into = old[usize::from(n)];
                let wide = self.func.dfg.ty(into);
                self.plain(Opcode::InsertDyn, wide, &[into, part, lane])
            })
            .collect()
    }

    /// A loop over the lanes of `mask` that carries vectors.
    pub(super) fn lane_loop(
        &mut self,
        mask: Option<Value>,
        init: Pieces,
        body: impl FnOnce(&mut Self, Value, &[Value]) -> Pieces,
    ) -> Pieces {
        let (top, next, after) = (self.new_block(), self.new_block(), self.new_block());
        let zero = self.func.dfg.iconst(Type::I32, 0);
        let mut args: SmallVec<[Value; 8]> = SmallVec::from_slice(&[zero]);
        args.extend_from_slice(&init);
        self.jump(top, &args);
        let lane = self.func.dfg.add_param(top, Type::I32);
        let types: SmallVec<[Type; 4]> = init.iter().map(|&v| self.func.dfg.ty(v)).collect();
        let old: Pieces = types.iter().map(|&t| self.func.dfg.add_param(top, t)).collect();
        let new: Pieces = types.iter().map(|&t| self.func.dfg.add_param(next, t)).collect();
        self.here = top;
        if let Some(m) = mask {
            let on = self.plain(Opcode::ExtractDyn, Type::I1, &[m, lane]);
            let run = self.new_block();
            self.branch(on, (run, &[]), (next, &old), None);
            self.here = run;
        }
        let made = body(self, lane, &old);
        self.jump(next, &made);
        self.here = next;
        let one = self.func.dfg.iconst(Type::I32, 1);
        let following = self.plain(Opcode::Add, Type::I32, &[lane, one]);
        let count = self.func.dfg.iconst(Type::I32, self.lanes.into());
        let more = self.icmp(IntCC::Ult, following, count);
        let mut args: SmallVec<[Value; 8]> = SmallVec::from_slice(&[following]);
        args.extend_from_slice(&new);
        self.branch(more, (top, &args), (after, &[]), None);
        self.here = after;
        new
    }

    // ---- atomics on one address ---------------------------------------------------------------------------------------

    /// Makes one atomic of all lanes', if they have one address, an operation whose order does not matter, and nobody
    /// wants the old value.
    fn reduced_atomic(&mut self, i: Inst, mask: Option<Value>) -> bool {
        let dfg = &self.r.func.dfg;
        let data = &dfg.insts[i];
        let Payload::Atomic(how, order, scope) = data.payload else { return false };
        let (flags, ty) = (data.flags, data.ty);
        let Some((op, identity)) = reduction(how, ty) else { return false };
        if flags.has(Flags::VOLATILE) || dfg.result(i).is_some_and(|v| self.is_used(v)) {
            return false;
        }
        let (p, v) = (dfg.arg(i, 0), dfg.arg(i, 1));
        let Wide::Uniform(p) = self.wide(p) else { return false };
        let w = self.wide(v);
        let mut lanes = self.lanes_of(&w, ty);
        let wide = self.wide_type(ty);
        if let Some(m) = mask {
            let other = self.func.dfg.bits(wide, identity);
            lanes = self.select(m, lanes, other);
        }
        let all = self.reduce(op, lanes);
        let make = |e: &mut Self| {
            e.put_inst(Opcode::AtomicRmw, ty, flags, &[p, all], Payload::Atomic(how, order, scope));
        };
        match self.any_if_own(mask) {
            Some(any) => self.only_if(any, make),
            None => make(self),
        }
        true
    }

    /// All lanes combined by an operation whose order does not matter.
    pub(super) fn reduce(&mut self, op: Opcode, v: Value) -> Value {
        let ty = self.func.dfg.ty(v);
        let mut v = v;
        let mut half = self.lanes / 2;
        while half > 0 {
            let other = if self.lanes <= 16 {
                let lanes: Vec<u8> = (0..self.lanes).map(|l| l ^ half).collect();
                self.shuffle(v, v, &lanes)
            } else {
                let iota = self.steps(Type::I32, 1);
                let index_ty = self.func.dfg.ty(iota);
                let flip = self.func.dfg.iconst(index_ty, half.into());
                let index = self.plain(Opcode::Xor, index_ty, &[iota, flip]);
                self.plain(Opcode::Permute, ty, &[v, index])
            };
            v = self.plain(op, ty, &[v, other]);
            half /= 2;
        }
        self.put(Opcode::Extract, ty.scalar(), Flags::NONE, &[v], Payload::Lane(0))
    }

    /// Whether anything reads a value, also behind the loop over work-items: a store that all of them make to one place has
    /// been moved there.
    fn is_used(&self, v: Value) -> bool {
        let func = self.r.func;
        let read = self.read.get_or_init(|| {
            let mut read = EntitySet::new();
            for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
                func.dfg.for_each_use(i, |u| {
                    read.insert(func.dfg.resolve(u));
                });
            }
            read
        });
        read.contains(v)
    }
}

/// The operation that combines what lanes bring to an atomic, and what changes nothing under it.
fn reduction(how: AtomicOp, ty: Type) -> Option<(Opcode, u64)> {
    let (ones, sign) = (ty.mask(), 1u64 << (ty.bits().max(1) - 1));
    if !ty.is_int() {
        return None;
    }
    Some(match how {
        AtomicOp::Add | AtomicOp::Sub => (Opcode::Add, 0),
        AtomicOp::And => (Opcode::And, ones),
        AtomicOp::Or => (Opcode::Or, 0),
        AtomicOp::Xor => (Opcode::Xor, 0),
        AtomicOp::SMin => (Opcode::SMin, ones ^ sign),
        AtomicOp::SMax => (Opcode::SMax, sign),
        AtomicOp::UMin => (Opcode::UMin, ones),
        AtomicOp::UMax => (Opcode::UMax, 0),
        _ => return None,
    })
}
