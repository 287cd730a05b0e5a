//! What is known about values before any code is made: how each differs from lane to lane, and where lanes part.
//!
//! A value is *strided* when lane `l` holds the value of lane 0 plus `l` times a constant, modulo the width of its
//! type; with stride 0 it is *uniform* and stays a scalar. Otherwise it is *varying* and becomes a vector. Whether the
//! sum stays below the width, so that extending it lane by lane gives a strided value again, is kept apart
//! (`nsw`, `nuw`): it follows from flags and from bounds of values ([`super::bounds`]).
//!
//! All starts unknown and is lowered until nothing changes; a branch on a varying condition makes the merges within
//! its influence (up to its post-dominator in the level) varying, and the loops uneven that its lanes leave at
//! different times. What an uneven loop computed is varying outside of it.
//!
//! Cost: a few walks over the region.

use super::bounds::{Bounds, Limit};
use super::region::{Region, Way};
use super::variance::Variance;
use super::warp;
use analysis::Loop;
use cranelift_entity::SecondaryMap;
use ir::{Block, Flags, Inst, IntCC, Opcode, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How a value differs from lane to lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Shape {
    /// Nothing is known yet.
    #[default]
    Unknown,
    /// Lane 0's value plus lane × stride, modulo the width.
    Strided {
        /// Per lane, sign-extended from the width; bytes for pointers.
        stride: i64,
        /// The signed numbers of the lanes are that sequence, without wrapping.
        nsw: bool,
        /// The unsigned ones are.
        nuw: bool,
    },
    /// A vector.
    Varying,
}

impl Shape {
    pub(super) const UNIFORM: Self = Self::Strided { stride: 0, nsw: true, nuw: true };

    pub(super) fn is_uniform(self) -> bool {
        matches!(self, Self::Strided { stride: 0, .. } | Self::Unknown)
    }

    fn strided(stride: i64, nsw: bool, nuw: bool) -> Self {
        if stride == 0 { Self::UNIFORM } else { Self::Strided { stride, nsw, nuw } }
    }

    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, x) | (x, Self::Unknown) => x,
            (Self::Strided { stride: a, nsw, nuw }, Self::Strided { stride: b, nsw: s, nuw: u }) if a == b => {
                Self::Strided { stride: a, nsw: nsw && s, nuw: nuw && u }
            }
            _ => Self::Varying,
        }
    }
}

/// How values differ, as something else than their operands says.
pub(super) type Known = FxHashMap<Value, Shape>;

/// Shapes of all values of a region, and where lanes part.
pub(super) struct Shapes {
    of: SecondaryMap<Value, Shape>,
    /// Blocks where lanes meet that came by different ways.
    merges: SecondaryMap<Block, bool>,
    /// The level and the end of the last walk that came by a node ([`Self::influence`]).
    walked: SecondaryMap<Block, Option<(Loop, Option<Block>)>>,
    /// Nodes whose lanes go on in different ways; an inner loop by its header, for its exits.
    parted: SecondaryMap<Block, bool>,
    /// Loops that lanes leave in different iterations, or by different exits.
    uneven: SecondaryMap<Loop, bool>,
    /// Bytes between the lanes' copies of each stack slot.
    slot_strides: SecondaryMap<ir::Slot, i64>,
    /// Whether numbers are taken not to wrap where they are extended.
    unless_wrapped: bool,
}

impl Shapes {
    /// Computes them; `x` is the number of the lane's work-item.
    /// `variance` says which values differ between the vectors of an iteration.
    pub(super) fn new(r: &Region<'_>, x: Value, bounds: &Bounds<'_>, variance: &Variance, known: &Known) -> Self {
        Self::made(r, x, bounds, variance, known, false)
    }

    /// The shapes that one vector's values have if no index wraps that is extended.
    pub(super) fn unless_wrapped(r: &Region<'_>, x: Value, bounds: &Bounds<'_>, known: &Known) -> Self {
        Self::made(r, x, bounds, &Variance::none(), known, true)
    }

    fn made(
        r: &Region<'_>,
        x: Value,
        bounds: &Bounds<'_>,
        variance: &Variance,
        known: &Known,
        unless_wrapped: bool,
    ) -> Self {
        let mut s = Self {
            unless_wrapped,
            of: SecondaryMap::new(),
            merges: SecondaryMap::new(),
            walked: SecondaryMap::new(),
            parted: SecondaryMap::new(),
            uneven: SecondaryMap::new(),
            slot_strides: SecondaryMap::new(),
        };
        for (slot, data) in r.func.slots.iter() {
            s.slot_strides[slot] = match r.interleaved[slot] {
                Some(bytes) => bytes.into(),
                None => slot_stride(data.size, data.align),
            };
        }
        s.of[x] = Shape::Strided { stride: 1, nsw: true, nuw: true };
        while s.round(r, x, bounds, variance, known) {}
        s
    }

    /// How `v` differs where it is defined.
    pub(super) fn of(&self, r: &Region<'_>, v: Value) -> Shape {
        if r.home(v).is_some() {
            return self.of[r.func.dfg.resolve(v)];
        }
        match r.slot(v) {
            Some(slot) => Shape::Strided { stride: self.slot_strides[slot], nsw: true, nuw: true },
            None => Shape::UNIFORM,
        }
    }

    /// How `v` differs when `at` uses it: what an uneven loop computed differs outside of it.
    pub(super) fn at(&self, r: &Region<'_>, v: Value, at: Block) -> Shape {
        let shape = self.of(r, v);
        if shape == Shape::Varying || shape == Shape::Unknown {
            return shape;
        }
        let Some(home) = r.home(v) else { return shape };
        let Some(left) = r.left(r.loop_of(home), at) else { return shape };
        // All uses outside see one value: what holds for the outermost of them holds for all.
        let outermost = match r.escapes.get(&v) {
            Some(&l) if r.info.loops.encloses(l, left) => l,
            _ => left,
        };
        self.after_loops(r, shape, home, outermost)
    }

    /// How `v` differs for uses outside of the loops that it leaves.
    pub(super) fn outside(&self, r: &Region<'_>, v: Value) -> Shape {
        let shape = self.of(r, v);
        match (r.home(v), r.escapes.get(&v)) {
            (Some(home), Some(&l)) => self.after_loops(r, shape, home, l),
            _ => shape,
        }
    }

    /// The shape of a value from block `home` once loop `last` around it has been left.
    fn after_loops(&self, r: &Region<'_>, shape: Shape, home: Block, last: Loop) -> Shape {
        let mut l = r.loop_of(home);
        loop {
            if self.uneven[l] && shape != Shape::Unknown {
                return Shape::Varying;
            }
            match r.info.loops.parent(l) {
                Some(parent) if l != last => l = parent,
                _ => return shape,
            }
        }
    }

    /// Whether lanes part, meet and leave loops at the same places as in `other`.
    pub(super) fn parts_like(&self, r: &Region<'_>, other: &Self) -> bool {
        r.blocks.iter().all(|&b| {
            let l = r.loop_of(b);
            self.parted[b] == other.parted[b] && self.merges[b] == other.merges[b] && self.uneven[l] == other.uneven[l]
        })
    }

    /// Whether lanes that came by different ways meet at `b`.
    pub(super) fn is_merge(&self, b: Block) -> bool {
        self.merges[b]
    }

    /// Whether the lanes that execute `b` leave it in different ways.
    pub(super) fn is_parted(&self, b: Block) -> bool {
        self.parted[b]
    }

    /// Whether a loop that `v` leaves on its way to `at` is left at different times.
    pub(super) fn leaves_uneven(&self, r: &Region<'_>, v: Value, at: Block) -> bool {
        let Some(home) = r.home(v) else { return false };
        let Some(left) = r.left(r.loop_of(home), at) else { return false };
        let outermost = match r.escapes.get(&v) {
            Some(&l) if r.info.loops.encloses(l, left) => l,
            _ => left,
        };
        self.after_loops(r, Shape::UNIFORM, home, outermost) == Shape::Varying
    }

    /// The same for all uses of `v` outside.
    pub(super) fn escape_is_uneven(&self, r: &Region<'_>, v: Value) -> bool {
        match (r.home(v), r.escapes.get(&v)) {
            (Some(home), Some(&l)) => self.after_loops(r, Shape::UNIFORM, home, l) == Shape::Varying,
            _ => false,
        }
    }

    /// Whether lanes leave `l` in different iterations.
    pub(super) fn is_uneven(&self, l: Loop) -> bool {
        self.uneven[l]
    }

    /// Bytes between the lanes' copies of a slot.
    pub(super) fn slot_stride(&self, slot: ir::Slot) -> i64 {
        self.slot_strides[slot]
    }

    fn set(&mut self, v: Value, shape: Shape) -> bool {
        // Only ever lower, so that it ends.
        let new = if self.of[v] == Shape::Unknown { shape } else { self.of[v].meet(shape) };
        let changed = self.of[v] != new;
        self.of[v] = new;
        changed
    }

    fn round(&mut self, r: &Region<'_>, x: Value, bounds: &Bounds<'_>, variance: &Variance, known: &Known) -> bool {
        let mut changed = false;
        for &b in &r.blocks {
            for (n, &p) in r.func.dfg.params(b).iter().enumerate() {
                if p != x {
                    let shape = self.param(r, b, n);
                    changed |= self.set(p, shape);
                }
            }
            for i in r.func.layout.insts(b) {
                if let Some(v) = r.func.dfg.result(i) {
                    let shape = known.get(&v).copied().unwrap_or_else(|| self.inst(r, b, i, bounds));
                    changed |= self.set(v, shape);
                }
            }
            changed |= self.branch(r, b, variance);
        }
        changed
    }

    fn param(&self, r: &Region<'_>, b: Block, n: usize) -> Shape {
        let mut shape = Shape::Unknown;
        let mut first: Option<Value> = None;
        let mut same = true;
        for e in r.info.cfg.preds(b) {
            let v = r.func.dfg.branch_args(e.inst, e.index as usize)[n];
            shape = shape.meet(self.at(r, v, b));
            same &= *first.get_or_insert(v) == v;
        }
        if self.merges[b] && !same && shape != Shape::Unknown { Shape::Varying } else { shape }
    }

    /// Whether the terminator of `b` sends lanes different ways, and what follows from it.
    fn branch(&mut self, r: &Region<'_>, b: Block, variance: &Variance) -> bool {
        let t = r.func.layout.terminator(b);
        let varying = matches!(r.func.dfg.op(t), Opcode::Br | Opcode::Switch)
            && r.func.succs(b).len() > 1
            && b != r.latch()
            && (!self.at(r, r.func.dfg.arg(t, 0), b).is_uniform() || variance.parts(r, self, r.func.dfg.arg(t, 0), b));
        if !varying || self.parted[b] {
            return false;
        }
        self.parted[b] = true;
        self.influence(r, b, r.loop_of(b));
        true
    }

    /// Lanes part at `node` of level `l`: marks where they meet again.
    fn influence(&mut self, r: &Region<'_>, node: Block, l: Loop) {
        let stop = r.post(node, l);
        // A walk to the same end that came by here found all that this one would: branches behind each other to one end
        // would walk the same way each.
        if self.walked[node] == Some((l, stop)) {
            return;
        }
        let mut arrivals: SmallVec<[(Block, u32); 8]> = SmallVec::new();
        let (mut backs, mut outs) = (0, 0);
        let mut work = vec![node];
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        while let Some(n) = work.pop() {
            self.walked[n] = Some((l, stop));
            r.edges(n, l, |_, _, way| match way {
                Way::Node(t) => {
                    match arrivals.iter_mut().find(|a| a.0 == t) {
                        Some(a) => a.1 += 1,
                        None => arrivals.push((t, 1)),
                    }
                    if Some(t) != stop && !seen[t] {
                        seen[t] = true;
                        work.push(t);
                    }
                }
                Way::Back => backs += 1,
                Way::Out => outs += 1,
            });
        }
        for (t, n) in arrivals {
            self.merges[t] |= n > 1;
        }
        self.merges[r.info.loops.header(l)] |= backs > 1;
        if outs > 0 && outs + backs > 1 && l != r.root && !self.uneven[l] {
            self.uneven[l] = true;
            // Its lanes come out at different times: merges right behind it are theirs, too.
            let header = r.info.loops.header(l);
            if let Some(parent) = r.info.loops.parent(l) {
                self.influence(r, header, parent);
            }
        }
    }

    fn inst(&self, r: &Region<'_>, b: Block, i: Inst, bounds: &Bounds<'_>) -> Shape {
        let dfg = &r.func.dfg;
        let data = &dfg.insts[i];
        let args: SmallVec<[Shape; 4]> = dfg.args(i).iter().map(|&v| self.at(r, v, b)).collect();
        if args.contains(&Shape::Unknown) {
            return Shape::Unknown;
        }
        let uniform = args.iter().all(|s| s.is_uniform());
        if uniform && (data.is_pure() || data.op == Opcode::Load && !data.flags.has(Flags::VOLATILE)) {
            return if data.op == Opcode::Special { Shape::Varying } else { Shape::UNIFORM };
        }
        if warp::is_same_for_all(data) && args.first().is_none_or(|named| named.is_uniform()) {
            return Shape::UNIFORM;
        }
        if data.op == Opcode::Icmp && !data.ty.is_vector() && answers_alike(r, i, &args, bounds) {
            return Shape::UNIFORM;
        }
        if data.ty.is_vector() || !(data.ty.is_int() || data.ty.is_ptr()) || data.ty == Type::I1 {
            return Shape::Varying;
        }
        let strided = |n: usize| match args[n] {
            Shape::Strided { stride, nsw, nuw } => Some((stride, nsw, nuw)),
            _ => None,
        };
        self.strided(r, i, bounds, &strided).unwrap_or(Shape::Varying)
    }

    /// The shape of an integer or pointer operation on strided operands, if it is strided.
    fn strided(
        &self,
        r: &Region<'_>,
        i: Inst,
        bounds: &Bounds<'_>,
        arg: &dyn Fn(usize) -> Option<(i64, bool, bool)>,
    ) -> Option<Shape> {
        let dfg = &r.func.dfg;
        let data = &dfg.insts[i];
        let args = dfg.args(i);
        let bits = data.ty.bits();
        let sext = |x: i64| (x << (64 - bits)) >> (64 - bits);
        let (flag_s, flag_u) = (data.flags.has(Flags::NSW), data.flags.has(Flags::NUW));
        let (umax, smax) = (data.ty.mask(), data.ty.mask() >> 1);
        let max = |n: usize| bounds.max(args[n]);
        Some(match data.op {
            Opcode::Add | Opcode::PtrAdd => {
                let (a, b) = (arg(0)?, arg(1)?);
                let sum = max(0).saturating_add(max(1));
                Shape::strided(
                    sext(a.0.wrapping_add(b.0)),
                    a.1 && b.1 && (flag_s || sum <= smax),
                    a.2 && b.2 && (flag_u || sum <= umax),
                )
            }
            Opcode::Or => {
                let (a, b) = (arg(0)?, arg(1)?);
                // Nothing in common: a sum without carries.
                let low = max(1);
                let disjoint = b.0 == 0 && low < u64::MAX && bounds.trailing_zeros(args[0]) >= 64 - low.leading_zeros();
                if !disjoint {
                    return None;
                }
                Shape::strided(a.0, a.1, a.2)
            }
            Opcode::Sub => {
                let (a, b) = (arg(0)?, arg(1)?);
                let small = max(0) <= smax && max(1) <= smax;
                Shape::strided(sext(a.0.wrapping_sub(b.0)), a.1 && b.1 && (flag_s || small), a.2 && b.2 && flag_u)
            }
            Opcode::Mul | Opcode::Shl => {
                let factor = |n: usize| dfg.as_int(args[n]);
                let (a, c) = match (factor(1), factor(0)) {
                    (Some(s), _) if data.op == Opcode::Shl => {
                        (0, 1i64.checked_shl(u32::try_from(s).ok()?).filter(|_| s < i64::from(bits))?)
                    }
                    (Some(c), _) => (0, c),
                    (None, Some(c)) if data.op == Opcode::Mul => (1, c),
                    _ => return None,
                };
                let (stride, nsw, nuw) = arg(a)?;
                let product = max(a).saturating_mul(c.unsigned_abs());
                Shape::strided(
                    sext(stride.wrapping_mul(c)),
                    nsw && (flag_s || product <= smax),
                    nuw && c > 0 && (flag_u || product <= umax),
                )
            }
            Opcode::Trunc => {
                let (stride, nsw, nuw) = arg(0)?;
                let fits = |limit: u64| (nsw || nuw) && max(0) <= limit;
                Shape::strided(sext(stride), fits(smax), fits(umax))
            }
            Opcode::ZExt | Opcode::SExt if dfg.ty(args[0]) != Type::I1 => {
                let (stride, nsw, nuw) = arg(0)?;
                let narrow = dfg.ty(args[0]);
                if stride == 0 {
                    return Some(Shape::UNIFORM);
                }
                let small = max(0) <= narrow.mask() >> 1;
                match data.op {
                    _ if self.unless_wrapped => Shape::strided(stride, true, true),
                    Opcode::ZExt if nuw || nsw && small => Shape::strided(stride, true, true),
                    Opcode::SExt if nsw || nuw && small => Shape::strided(stride, true, small),
                    _ => return None,
                }
            }
            Opcode::AddrSpaceCast | Opcode::PtrToInt | Opcode::IntToPtr => {
                let (stride, ..) = arg(0)?;
                Shape::strided(stride, false, false)
            }
            Opcode::Select => {
                let (c, a, b) = (arg(0)?, arg(1)?, arg(2)?);
                if c.0 != 0 || a.0 != b.0 {
                    return None;
                }
                Shape::strided(a.0, a.1 && b.1, a.2 && b.2)
            }
            _ => return None,
        })
    }
}

/// Whether a comparison of what goes up from lane to lane with what is the same for all has one answer for all lanes.
fn answers_alike(r: &Region<'_>, i: Inst, args: &[Shape], bounds: &Bounds<'_>) -> bool {
    let dfg = &r.func.dfg;
    let (Some(cc), &[a, b]) = (dfg.insts[i].int_cc(), args) else { return false };
    let (lanes, limit, cc) = match (a, b) {
        (Shape::Strided { stride, .. }, b) if b.is_uniform() => ((0, stride), 1, cc),
        (a, Shape::Strided { stride, .. }) if a.is_uniform() => ((1, stride), 0, cc.swapped()),
        _ => return false,
    };
    let ((n, stride), limit) = (lanes, dfg.arg(i, limit));
    let v = dfg.arg(i, n);
    if !dfg.ty(v).is_int() || stride <= 0 {
        return false;
    }
    let limit = match cc {
        IntCC::Slt | IntCC::Sge | IntCC::Ult | IntCC::Uge => Some(Limit::Value(limit)),
        // `x <= 31` is `x < 32`, where that is a number.
        IntCC::Sle | IntCC::Sgt | IntCC::Ule | IntCC::Ugt => {
            dfg.as_int(limit).map(|n| Limit::Number(n.wrapping_add(1)))
        }
        IntCC::Eq | IntCC::Ne => None,
    };
    limit.is_some_and(|limit| bounds.are_on_one_side(v, stride, limit))
}

/// Bytes between the lanes' copies of a slot: its size, rounded up to its alignment.
fn slot_stride(size: u32, align: u32) -> i64 {
    i64::from(size.max(1).checked_next_multiple_of(align.max(1)).unwrap_or(size))
}
