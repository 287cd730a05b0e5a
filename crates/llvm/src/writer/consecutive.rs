//! Gathers and scatters that are loads and stores of a whole vector most of the time.
//!
//! Of `a[clamp(x + dx, 0, width - 1)]` nobody knows when the code is made that lanes read neighbours; but nearly all do, all
//! but those at the edges. Where an index is made by minimum, maximum or selection, the code asks whether the lanes'
//! indices follow each other, and loads the vector at once if so. The same is asked of `ring[(x + dx) & (size - 1)]`, which
//! begins again where the ring ends, if the lanes count up and the ring is not a few vectors long. Asking costs four instructions, a gather lane by lane
//! some thirty; those of processors count as many and more. Where a loop adds the same to all lanes each time around, what
//! they begin with is asked about, before the loop.

use super::func::FuncGen;
use super::ll::{Ipred, Val};
use cranelift_entity::SecondaryMap;
use ir::{Function, Inst, Opcode, Type, Value, ValueDef};

/// How many operations back from an index a minimum, maximum or selection is looked for.
const DEPTH: u32 = 4;

/// Vectors that a ring has at least: of fewer, too many would lie across its end, as those of `lid & 7` all do.
const LEAST_VECTORS: u64 = 8;

/// Most sums with what is the same for all lanes from a variable of a loop to its next value.
const MOST_STEPS: u32 = 16;

/// What vectors of indices that are variables of loops begin with, where each round adds the same to all lanes.
#[derive(Default)]
pub(super) struct Begins(SecondaryMap<Value, Begin>);

#[derive(Clone, Copy, Default, PartialEq)]
enum Begin {
    /// No edge has been seen.
    #[default]
    Open,
    /// The only value that comes from elsewhere, so that it stands before the loop.
    With(Value),
    /// Several.
    Many,
}

impl Begins {
    /// Looks at what edges pass. Linear in the function; nothing is done where nothing is gathered.
    pub(super) fn new(f: &Function) -> Self {
        let mut begins = Self::default();
        let gathers = |b| f.layout.insts(b).any(|i| f.dfg.op(i) == Opcode::Gather);
        if !f.layout.blocks().any(gathers) {
            return begins;
        }
        for b in f.layout.blocks() {
            let t = f.layout.terminator(b);
            for n in 0..f.dfg.successor_count(t) {
                let params = f.dfg.params(f.dfg.successor(t, n));
                for (&p, &passed) in params.iter().zip(f.dfg.branch_args(t, n)) {
                    let passed = f.dfg.resolve(passed);
                    let ty = f.dfg.ty(p);
                    if ty.is_vector() && ty.scalar() == Type::I32 && steps_back(f, passed, p) != p {
                        let begin = &mut begins.0[p];
                        let known = [Begin::Open, Begin::With(passed)].contains(begin);
                        *begin = if known { Begin::With(passed) } else { Begin::Many };
                    }
                }
            }
        }
        begins
    }

    /// What a variable of a loop begins with.
    fn of(&self, f: &Function, v: Value) -> Option<Value> {
        let Begin::With(v) = self.0[v] else { return None };
        Some(f.dfg.resolve(v))
    }
}

/// A value without what is added to all lanes alike, or where that leads to `end`, that.
fn steps_back(f: &Function, v: Value, end: Value) -> Value {
    let mut v = v;
    for _ in 0..MOST_STEPS {
        match without_step(f, v) {
            Some(before) if v != end => v = before,
            _ => break,
        }
    }
    v
}

/// The vector that the same number is added to in all lanes, if this is such a sum.
fn without_step(f: &Function, v: Value) -> Option<Value> {
    let dfg = &f.dfg;
    let same = |v: Value| dfg.def_op(v, Opcode::Splat).is_some() || dfg.as_bits(v).is_some();
    let inst = dfg.def_inst(v)?;
    let (a, b) = match dfg.op(inst) {
        Opcode::Add | Opcode::Sub => (dfg.resolve(dfg.arg(inst, 0)), dfg.resolve(dfg.arg(inst, 1))),
        _ => return None,
    };
    match (same(a), same(b)) {
        (false, true) => Some(a),
        (true, false) if dfg.op(inst) == Opcode::Add => Some(b),
        _ => None,
    }
}

impl FuncGen<'_> {
    /// Whether the addresses of a gather or scatter of this element follow each other, as a condition of the program, and the first
    /// lane's index; `None` where asking is not worth while.
    pub(super) fn consecutive(&self, i: Inst, element: Type) -> Option<(Val, Val)> {
        let ll = self.ll;
        let index = self.index_of(self.f.dfg.arg(i, 1), u64::from(element.bits() / 8))?;
        let ty = self.f.dfg.ty(index);
        if ty.scalar() != Type::I32 || !self.is_bent(index, DEPTH) {
            return None;
        }
        let lanes = u32::from(ty.lanes());
        // What is added to all lanes does not matter, and without it the question may be asked before a loop over rows.
        let (x, bent) = (self.value(index), self.value(self.without_uniform(index)));
        let each: Vec<Val> = (0..lanes).map(|n| ll.iconst(32, 1, n.into())).collect();
        let first = ll.lane(x, 0);
        let starts = ll.sub(bent, ll.const_vector(&each));
        let follow = ll.icmp(Ipred::LLVMIntEQ, starts, ll.splat(ll.lane(bent, 0), lanes));
        let all = ll.icmp(Ipred::LLVMIntEQ, ll.bitcast(follow, ll.int(lanes, 1)), ll.iconst(lanes, 1, u64::MAX));
        // Indices that wrap follow each other in 32 bits only.
        let last_start = u64::from(i32::MAX as u32 - lanes);
        Some((ll.and(all, ll.icmp(Ipred::LLVMIntSLT, first, ll.iconst(32, 1, last_start))), first))
    }

    /// The 32-bit index, if these 64-bit offsets are its product with the element's size; extending it by its sign gives them.
    pub(super) fn index_of(&self, offsets: Value, size: u64) -> Option<Value> {
        let dfg = &self.f.dfg;
        let (mut v, mut scale) = (dfg.resolve(offsets), 1u64);
        loop {
            let inst = dfg.def_inst(v)?;
            let constant = || dfg.as_bits(dfg.arg(inst, 1));
            match dfg.op(inst) {
                Opcode::Shl if dfg.ty(v).bits() == 64 => scale = scale.checked_shl(constant()?.try_into().ok()?)?,
                Opcode::Mul if dfg.ty(v).bits() == 64 => scale = scale.checked_mul(constant()?)?,
                Opcode::SExt if scale == size => return Some(dfg.resolve(dfg.arg(inst, 0))),
                Opcode::ZExt if scale == size && self.is_below_mask(dfg.arg(inst, 0)) => {
                    return Some(dfg.resolve(dfg.arg(inst, 0)));
                }
                _ => return None,
            }
            v = dfg.resolve(dfg.arg(inst, 0));
        }
    }

    /// A sum without what is the same for all lanes, as far as before the loops that add it.
    fn without_uniform(&self, v: Value) -> Value {
        let mut v = self.f.dfg.resolve(v);
        for _ in 0..MOST_STEPS {
            match without_step(self.f, v).or_else(|| self.begins.of(self.f, v)) {
                Some(before) => v = before,
                None => break,
            }
        }
        v
    }

    /// Whether lanes that follow each other elsewhere may not do so at an edge.
    fn is_bent(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.f.dfg;
        let v = dfg.resolve(v);
        if let ValueDef::Param(..) = dfg.def(v) {
            return depth > 0 && self.begins.of(self.f, v).is_some_and(|v| self.is_bent(v, depth - 1));
        }
        let Some(inst) = dfg.def_inst(v) else { return false };
        match dfg.op(inst) {
            Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax | Opcode::Select => true,
            Opcode::Add | Opcode::Sub if depth > 0 => dfg.args(inst).iter().any(|&a| self.is_bent(a, depth - 1)),
            Opcode::And => self.goes_around(inst),
            _ => false,
        }
    }

    /// Whether this `and` of indices begins again behind the last place of a ring.
    fn goes_around(&self, and: Inst) -> bool {
        let dfg = &self.f.dfg;
        let lanes = u64::from(dfg.insts[and].ty.lanes());
        let is_ring = |mask: Value| match dfg.as_int(mask) {
            Some(last) => last > 0 && (last as u64 + 1).is_power_of_two() && last as u64 + 1 >= LEAST_VECTORS * lanes,
            None => dfg.def_op(mask, Opcode::Splat).is_some(),
        };
        let [a, b] = [0, 1].map(|n| dfg.resolve(dfg.arg(and, n)));
        is_ring(b) && self.counts_up(a, DEPTH) || is_ring(a) && self.counts_up(b, DEPTH)
    }

    /// Whether lanes may count up: their numbers with something added, or the variable of a loop. What is loaded or made by
    /// other operations, as hashes are, does not.
    fn counts_up(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.f.dfg;
        let v = dfg.resolve(v);
        let Some(inst) = dfg.def_inst(v) else { return matches!(dfg.def(v), ValueDef::Param(..)) };
        match dfg.op(inst) {
            Opcode::Iota => true,
            Opcode::Add | Opcode::Sub | Opcode::And | Opcode::Or if depth > 0 => {
                dfg.args(inst).iter().any(|&a| self.counts_up(a, depth - 1))
            }
            _ => false,
        }
    }

    /// Whether a number is not negative, since it lies below a mask.
    fn is_below_mask(&self, v: Value) -> bool {
        let dfg = &self.f.dfg;
        let masked = dfg.def_op(v, Opcode::And);
        masked.is_some_and(|and| dfg.args(and).iter().any(|&a| dfg.as_int(a).is_some_and(|mask| mask >= 0)))
    }
}
