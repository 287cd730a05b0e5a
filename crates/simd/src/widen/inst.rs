//! Instructions for all lanes of a vector.
//!
//! What is uniform stays a scalar instruction; what is strided, one on lane 0's value (without promises, which lane 0
//! need not keep if it is off); the rest works on vectors. Vectors of the kernel are taken apart into a vector of lanes
//! per component, so that their shuffles cost nothing.

use super::emit::Emitter;
use super::one_by_one::THIS_ROW;
use super::shape::Shape;
use super::variance::Y;
use super::warp;
use super::wide::{Perhaps, Wide};
use ir::{ConstKind, Flags, Inst, IntCC, Opcode, Payload, Type, Value, ValueDef};
use smallvec::SmallVec;

/// Most instructions that are widened again to find lane 0's index in 64 bits.
const MAX_EXACT_DEPTH: u32 = 8;

/// Flags that make a result meaningless when they do not hold.
const PROMISES: Flags = Flags::NUW.with(Flags::NSW).with(Flags::EXACT).with(Flags::INBOUNDS);

impl Emitter<'_> {
    /// Emits an instruction that is no terminator, for the lanes `mask`.
    pub(super) fn inst(&mut self, i: Inst, mask: Option<Value>) {
        let data = &self.r.func.dfg.insts[i];
        match data.op {
            Opcode::Load => self.load(i, mask),
            Opcode::Store => self.store(i, mask),
            Opcode::Assume | Opcode::Provable => {}
            Opcode::Fence => self.copy_plain(i),
            op if op.is_pure() => self.pure(i, mask),
            Opcode::Intrinsic if data.is_pure() => self.pure(i, mask),
            Opcode::Intrinsic if warp::is_known(data) => self.warp(i, mask),
            _ => self.per_lane(i, mask),
        }
    }

    /// The instruction once for all lanes, as it is.
    fn copy_plain(&mut self, i: Inst) {
        let copy = self.func.dfg.clone_inst(i);
        self.func.layout.append_inst(copy, self.here);
    }

    fn pure(&mut self, i: Inst, mask: Option<Value>) {
        let Some(result) = self.r.func.dfg.result(i) else { return };
        let shape = self.shapes.of(self.r, result);
        let args: SmallVec<[Value; 4]> = self.r.func.dfg.args(i).into();
        let wides: SmallVec<[Wide; 4]> = args.iter().map(|&v| self.wide(v)).collect();
        let all_uniform = wides.iter().all(|w| matches!(w, Wide::Uniform(_)));
        let w = match shape {
            _ if all_uniform => self.scalar(i, &wides, true),
            Shape::Strided { stride, .. } if stride != 0 => match self.scalar(i, &wides, false) {
                Wide::Uniform(base) => {
                    let base = self.exact(i, mask).unwrap_or(base);
                    Wide::Strided(base, stride)
                }
                other => other,
            },
            // Lanes that lie in one line have one quotient.
            Shape::Strided { .. } if wides.iter().all(Wide::is_strided) => self.scalar(i, &wides, false),
            _ => self.varying(i, &args, &wides),
        };
        self.define(result, w);
    }

    /// The instruction on the lane-0 values of operands that are uniform or strided.
    fn scalar(&mut self, i: Inst, wides: &[Wide], keep_flags: bool) -> Wide {
        let args: SmallVec<[Value; 4]> = wides
            .iter()
            .filter_map(|w| if let Wide::Uniform(v) | Wide::Strided(v, _) = w { Some(*v) } else { None })
            .collect();
        if args.len() != wides.len() {
            self.broken = Some("a value that should be the same for all work-items is not");
            return Wide::Uniform(self.func.dfg.undef(self.r.func.dfg.insts[i].ty));
        }
        let data = &self.r.func.dfg.insts[i];
        // A strided `or` is a sum; on lane 0 it is both.
        let flags = if keep_flags { data.flags } else { data.flags.without(PROMISES) };
        let (op, ty, payload) = (data.op, data.ty, data.payload.clone());
        Wide::Uniform(self.put(op, ty, flags, &args, payload))
    }

    /// Lane 0's value of an extension, computed in 64 bits where lane 0 may be off and break the promise not to wrap
    /// that the other lanes keep.
    fn exact(&mut self, i: Inst, mask: Option<Value>) -> Option<Value> {
        let dfg = &self.r.func.dfg;
        let op = dfg.op(i);
        mask?;
        if op != Opcode::SExt || dfg.insts[i].ty != Type::I64 {
            return None;
        }
        let v = dfg.arg(i, 0);
        Some(self.exact_value(v, MAX_EXACT_DEPTH))
    }

    /// The number that lane 0 of the strided `v` would hold if it were 64 bits wide.
    fn exact_value(&mut self, v: Value, depth: u32) -> Value {
        let v = self.r.func.dfg.resolve(v);
        let w = self.wide(v);
        let narrow = match w {
            Wide::Uniform(v) | Wide::Strided(v, _) => v,
            _ => return self.func.dfg.undef(Type::I64),
        };
        let dfg = &self.r.func.dfg;
        if matches!(w, Wide::Strided(..))
            && depth > 0
            && let ValueDef::Inst(i) = dfg.def(v)
            && dfg.insts[i].flags.has(Flags::NSW)
            && matches!(dfg.op(i), Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl)
        {
            let (op, a, b) = (dfg.op(i), dfg.arg(i, 0), dfg.arg(i, 1));
            let (a, b) = (self.exact_value(a, depth - 1), self.exact_value(b, depth - 1));
            return self.plain(op, Type::I64, &[a, b]);
        }
        match self.func.dfg.as_int(narrow) {
            Some(n) => self.i64(n),
            None => self.plain(Opcode::SExt, Type::I64, &[narrow]),
        }
    }

    // ---- vectors ----------------------------------------------------------------------------------------------------

    fn varying(&mut self, i: Inst, args: &[Value], wides: &[Wide]) -> Wide {
        let data = &self.r.func.dfg.insts[i];
        let (op, ty) = (data.op, data.ty);
        match op {
            Opcode::VecBuild => return Wide::Parts(wides.to_vec()),
            Opcode::Splat => return Wide::Parts(vec![wides[0].clone(); ty.lanes().into()]),
            Opcode::Extract | Opcode::Insert | Opcode::ExtractDyn | Opcode::InsertDyn | Opcode::Shuffle => {
                return self.rearrange(i, args, wides);
            }
            Opcode::Bitcast if self.r.func.dfg.ty(args[0]).lanes() != ty.lanes() => {
                return self.recut(args[0], &wides[0], ty);
            }
            Opcode::PtrAdd => return self.pointer_sum(wides, ty),
            Opcode::AddrSpaceCast => return self.space_cast(&wides[0], ty),
            Opcode::PtrToInt => {
                let from = self.r.func.dfg.ty(args[0]);
                return Wide::Lanes(self.lanes_of(&wides[0], from), None);
            }
            Opcode::IntToPtr => {
                let offsets = self.lanes_of(&wides[0], Type::I64);
                return Wide::Far { base: self.func.dfg.bits(ty, 0), offsets, perhaps: None };
            }
            _ => {}
        }
        if ty.is_vector() {
            let parts = (0..ty.lanes())
                .map(|n| {
                    let part: SmallVec<[Wide; 4]> = args
                        .iter()
                        .zip(wides)
                        .map(|(&v, w)| {
                            let from = self.r.func.dfg.ty(v);
                            if from.is_vector() { self.part(w, from, n) } else { w.clone() }
                        })
                        .collect();
                    self.lanewise(i, args, &part, ty.scalar())
                })
                .collect();
            return Wide::Parts(parts);
        }
        let w = self.lanewise(i, args, wides, ty);
        self.perhaps(i, args, wides, w)
    }

    /// An operation that works lane by lane, on scalars of the kernel.
    fn lanewise(&mut self, i: Inst, args: &[Value], wides: &[Wide], ty: Type) -> Wide {
        let data = &self.r.func.dfg.insts[i];
        let (op, flags, payload) = (data.op, data.flags, data.payload.clone());
        let args_uniform: SmallVec<[Value; 4]> =
            wides.iter().filter_map(|w| if let Wide::Uniform(v) = w { Some(*v) } else { None }).collect();
        if args_uniform.len() == wides.len() {
            let args = args_uniform;
            return Wide::Uniform(self.put(op, ty, flags, &args, payload));
        }
        let mut lanes: SmallVec<[Value; 4]> = SmallVec::new();
        for (n, w) in wides.iter().enumerate() {
            // A scalar condition picks whole vectors.
            if let (Opcode::Select, 0, Wide::Uniform(c)) = (op, n, w) {
                lanes.push(*c);
                continue;
            }
            let from = self.r.func.dfg.ty(args[n]).scalar();
            lanes.push(self.lanes_of(w, from));
        }
        let lane = if ty.is_ptr() { Type::I64 } else { ty };
        let wide = self.wide_type(lane);
        // Lanes that are off need not keep promises.
        let v = self.put(op, wide, flags.without(PROMISES), &lanes, payload);
        if ty.is_ptr() {
            return Wide::Far { base: self.func.dfg.bits(ty, 0), offsets: v, perhaps: None };
        }
        Wide::Lanes(v, None)
    }

    fn pointer_sum(&mut self, wides: &[Wide], ty: Type) -> Wide {
        let perhaps = self.perhaps_sum(Opcode::PtrAdd, ty, &wides[0], &wides[1]);
        let (base, old) = self.far(&wides[0]);
        let offsets = match (&wides[0], &wides[1]) {
            (Wide::Uniform(_), w) => self.lanes_of(w, Type::I64),
            (_, Wide::Uniform(n)) => {
                // Goes to the base: one scalar addition.
                let base = self.plain(Opcode::PtrAdd, ty, &[base, *n]);
                return Wide::Far { base, offsets: old, perhaps };
            }
            (_, Wide::Strided(n, stride)) => {
                let base = self.plain(Opcode::PtrAdd, ty, &[base, *n]);
                let steps = self.steps(Type::I64, *stride);
                let wide = self.wide_type(Type::I64);
                let offsets = self.plain(Opcode::Add, wide, &[old, steps]);
                return Wide::Far { base, offsets, perhaps };
            }
            (_, w) => {
                let more = self.lanes_of(w, Type::I64);
                let wide = self.wide_type(Type::I64);
                self.plain(Opcode::Add, wide, &[old, more])
            }
        };
        Wide::Far { base, offsets, perhaps }
    }

    fn space_cast(&mut self, w: &Wide, ty: Type) -> Wide {
        let (base, offsets) = self.far(w);
        // Null is null in every space, and the addresses of the host are the same in all.
        let cast = |e: &mut Self, p: Value| match e.func.dfg.as_bits(p) {
            Some(n) => e.func.dfg.bits(ty, n),
            None if e.func.dfg.ty(p) == ty => p,
            None => e.plain(Opcode::AddrSpaceCast, ty, &[p]),
        };
        let base = cast(self, base);
        let perhaps = match w {
            Wide::Far { perhaps: Some(p), .. } => {
                let lane0 = cast(self, p.base);
                Some(Perhaps { base: lane0, ..*p })
            }
            _ => None,
        };
        Wide::Far { base, offsets, perhaps }
    }

    fn rearrange(&mut self, i: Inst, args: &[Value], wides: &[Wide]) -> Wide {
        let dfg = &self.r.func.dfg;
        let data = &dfg.insts[i];
        let (op, ty, payload) = (data.op, data.ty, data.payload.clone());
        let from = dfg.ty(args[0]);
        match (op, payload) {
            (Opcode::Extract, Payload::Lane(n)) => self.part(&wides[0], from, n),
            (Opcode::Insert, Payload::Lane(n)) => {
                let mut parts = self.parts(&wides[0], from);
                parts[usize::from(n)] = wides[1].clone();
                Wide::Parts(parts)
            }
            (Opcode::Shuffle, Payload::Shuffle(mask)) => {
                let mut all = self.parts(&wides[0], from);
                all.extend(self.parts(&wides[1], from));
                let undef = self.func.dfg.undef(ty.scalar());
                let pick = |n: u8| all.get(usize::from(n)).cloned().unwrap_or(Wide::Uniform(undef));
                Wide::Parts(mask[..usize::from(ty.lanes())].iter().map(|&n| pick(n)).collect())
            }
            (Opcode::ExtractDyn, _) => {
                let parts = self.parts(&wides[0], from);
                let index = self.lanes_of(&wides[1], Type::I32);
                let mut out = self.lanes_of(&parts[0], from.scalar());
                for (n, p) in parts.iter().enumerate().skip(1) {
                    let hit = self.equals(index, n);
                    let lanes = self.lanes_of(p, from.scalar());
                    out = self.select(hit, lanes, out);
                }
                Wide::Lanes(out, None)
            }
            _ => {
                let parts = self.parts(&wides[0], from);
                let index = self.lanes_of(&wides[2], Type::I32);
                let new = self.lanes_of(&wides[1], ty.scalar());
                let mut out = Vec::new();
                for (n, p) in parts.iter().enumerate() {
                    let hit = self.equals(index, n);
                    let old = self.lanes_of(p, ty.scalar());
                    out.push(Wide::Lanes(self.select(hit, new, old), None));
                }
                Wide::Parts(out)
            }
        }
    }

    fn equals(&mut self, index: Value, n: usize) -> Value {
        let ty = self.func.dfg.ty(index);
        let n = self.func.dfg.iconst(ty, n as i64);
        self.icmp(IntCC::Eq, index, n)
    }

    pub(super) fn parts(&mut self, w: &Wide, ty: Type) -> Vec<Wide> {
        (0..ty.lanes()).map(|n| self.part(w, ty, n)).collect()
    }

    // ---- bits cut anew ----------------------------------------------------------------------------------------------

    /// The bits of a value as another number of components.
    fn recut(&mut self, v: Value, w: &Wide, to: Type) -> Wide {
        let from = self.r.func.dfg.ty(v);
        let parts = if from.is_vector() { self.parts(w, from) } else { vec![w.clone()] };
        let narrow = self.int_lanes(&parts, from.scalar());
        let (a, b) = (from.bits(), to.bits());
        let out_int = Type::int(b).unwrap_or(Type::I64);
        let wide_out = self.wide_type(out_int);
        let mut pieces: Vec<Value> = Vec::new();
        if a > b {
            let wide_in = self.func.dfg.ty(narrow[0]);
            for &p in &narrow {
                for k in 0..a / b {
                    let amount = self.func.dfg.iconst(wide_in, i64::from(k * b));
                    let shifted = if k == 0 { p } else { self.plain(Opcode::LShr, wide_in, &[p, amount]) };
                    pieces.push(self.plain(Opcode::Trunc, wide_out, &[shifted]));
                }
            }
        } else {
            for group in narrow.chunks((b / a) as usize) {
                let mut sum: Option<Value> = None;
                for (k, &p) in group.iter().enumerate() {
                    let x = if a == b { p } else { self.plain(Opcode::ZExt, wide_out, &[p]) };
                    let amount = self.func.dfg.iconst(wide_out, (k as i64) * i64::from(a));
                    let x = if k == 0 { x } else { self.plain(Opcode::Shl, wide_out, &[x, amount]) };
                    sum = Some(match sum {
                        None => x,
                        Some(s) => self.plain(Opcode::Or, wide_out, &[s, x]),
                    });
                }
                pieces.extend(sum);
            }
        }
        let lanes: Vec<Wide> = pieces
            .into_iter()
            .map(|p| {
                let ty = self.wide_type(to.scalar());
                Wide::Lanes(if to.is_int() { p } else { self.plain(Opcode::Bitcast, ty, &[p]) }, None)
            })
            .collect();
        match (to.is_vector(), lanes.first()) {
            (false, Some(only)) => only.clone(),
            _ => Wide::Parts(lanes),
        }
    }

    /// Components as vectors of integers.
    fn int_lanes(&mut self, parts: &[Wide], ty: Type) -> Vec<Value> {
        parts
            .iter()
            .map(|p| {
                let v = self.lanes_of(p, ty);
                let int = Type::int(ty.bits()).unwrap_or(Type::I64);
                if ty.is_int() { v } else { self.plain(Opcode::Bitcast, self.wide_type(int), &[v]) }
            })
            .collect()
    }

    // ---- what may turn out to be strided ----------------------------------------------------------------------------

    /// Notes with varying integers what they are if an index does not wrap.
    fn perhaps(&mut self, i: Inst, args: &[Value], wides: &[Wide], w: Wide) -> Wide {
        let Wide::Lanes(v, None) = w else { return w };
        let data = &self.r.func.dfg.insts[i];
        let (op, ty) = (data.op, data.ty);
        let found = match op {
            Opcode::ZExt | Opcode::SExt => self.perhaps_extended(op, args[0], &wides[0], ty),
            Opcode::Add | Opcode::Sub => self.perhaps_sum(op, ty, &wides[0], &wides[1]),
            Opcode::Mul | Opcode::Shl => self
                .perhaps_product(op, ty, &wides[0], &wides[1])
                .or_else(|| self.perhaps_increment(i, (args[0], &wides[0]), (args[1], &wides[1])))
                .or_else(|| self.perhaps_increment(i, (args[1], &wides[1]), (args[0], &wides[0]))),
            Opcode::And => self.perhaps_masked(ty, &wides[0], &wides[1]),
            _ => None,
        };
        Wide::Lanes(v, found)
    }

    /// A strided number, extended: strided unless it wraps between the lanes.
    fn perhaps_extended(&mut self, op: Opcode, v: Value, w: &Wide, ty: Type) -> Option<Perhaps> {
        let (Wide::Strided(..) | Wide::Lanes(_, Some(_))) = w else { return None };
        let Perhaps { base, stride, holds: before } = self.as_perhaps(w)?;
        let narrow = self.r.func.dfg.ty(v);
        let span = stride.checked_mul(i64::from(self.lanes) - 1)?;
        let (low, high) = if op == Opcode::ZExt {
            (0, narrow.mask() as i64)
        } else {
            (-((narrow.mask() >> 1) as i64) - 1, (narrow.mask() >> 1) as i64)
        };
        if narrow.bits() >= 64 || span.unsigned_abs() >= narrow.mask() >> 1 {
            return None;
        }
        let (cc, limit) = match (op == Opcode::ZExt, stride > 0) {
            (true, true) => (IntCC::Ule, high - span),
            (true, false) => (IntCC::Uge, low - span),
            (false, true) => (IntCC::Sle, high - span),
            (false, false) => (IntCC::Sge, low - span),
        };
        let limit = self.func.dfg.iconst(narrow, limit);
        let holds = self.icmp(cc, base, limit);
        let holds = self.both(before, holds);
        let base = self.plain(op, ty, &[base]);
        Some(Perhaps { base, stride, holds })
    }

    fn as_perhaps(&mut self, w: &Wide) -> Option<Perhaps> {
        match w {
            Wide::Lanes(_, p) | Wide::Far { perhaps: p, .. } => *p,
            Wide::Uniform(v) => Some(Perhaps { base: *v, stride: 0, holds: self.func.dfg.bits(Type::I1, 1) }),
            Wide::Strided(v, stride) => {
                Some(Perhaps { base: *v, stride: *stride, holds: self.func.dfg.bits(Type::I1, 1) })
            }
            Wide::Parts(_) => None,
        }
    }

    fn perhaps_sum(&mut self, op: Opcode, ty: Type, a: &Wide, b: &Wide) -> Option<Perhaps> {
        let (a, b) = (self.as_perhaps(a)?, self.as_perhaps(b)?);
        let stride =
            if op == Opcode::Sub { a.stride.checked_sub(b.stride)? } else { a.stride.checked_add(b.stride)? };
        let base = self.plain(op, ty, &[a.base, b.base]);
        let holds = self.both(a.holds, b.holds);
        Some(Perhaps { base, stride, holds })
    }

    fn perhaps_product(&mut self, op: Opcode, ty: Type, a: &Wide, b: &Wide) -> Option<Perhaps> {
        let constant = |w: &Wide, e: &Self| if let Wide::Uniform(v) = w { e.func.dfg.as_int(*v) } else { None };
        let (x, factor, other) = match (constant(b, self), constant(a, self)) {
            (Some(s), _) if op == Opcode::Shl => (a, 1i64.checked_shl(u32::try_from(s).ok()?)?, b),
            (Some(c), _) => (a, c, b),
            (None, Some(c)) if op == Opcode::Mul => (b, c, a),
            _ => return None,
        };
        let p = self.as_perhaps(x)?;
        let Wide::Uniform(other) = other else { return None };
        let stride = p.stride.checked_mul(factor)?;
        let base = self.plain(op, ty, &[p.base, *other]);
        Some(Perhaps { base, stride, holds: p.holds })
    }

    /// A number that lanes count in a loop, times one that is fixed before: libraries of linear algebra take the distance of
    /// the elements as an argument, and mostly it is 1. Where the number does not change in the loop, the lanes walk along
    /// rows of that length.
    fn perhaps_increment(&mut self, i: Inst, counted: (Value, &Wide), fixed: (Value, &Wide)) -> Option<Perhaps> {
        let r = self.r;
        let l = r.loop_of(r.func.layout.inst_block(i)?);
        let inside = |v| r.home(v).is_some_and(|b| r.loop_of(b) == l);
        let Wide::Uniform(by) = *fixed.1 else { return None };
        if r.func.dfg.op(i) != Opcode::Mul || l == r.root || !inside(counted.0) || inside(fixed.0) {
            return None;
        }
        let p = self.as_perhaps(counted.1).filter(|p| p.stride != 0)?;
        let one = self.func.dfg.iconst(r.func.dfg.ty(fixed.0), 1);
        let holds = self.icmp(IntCC::Eq, by, one);
        let holds = self.both(p.holds, holds);
        Some(Perhaps { holds, ..p })
    }

    /// A strided number and a mask that is the same for all: the lanes stay as far apart if they count up from a multiple
    /// of their span, and the mask keeps every bit that they count in. Sorting networks and transforms index so.
    fn perhaps_masked(&mut self, ty: Type, a: &Wide, b: &Wide) -> Option<Perhaps> {
        let (x, mask) = match (a, b) {
            (Wide::Uniform(m), x) | (x, Wide::Uniform(m)) => (x, *m),
            _ => return None,
        };
        let p = self.as_perhaps(x)?;
        let stride = u64::try_from(p.stride).ok().filter(|s| s.is_power_of_two())?;
        let span = stride.checked_mul(u64::from(self.lanes)).filter(|s| s.is_power_of_two() && *s <= ty.mask() >> 1)?;
        let (below, counted) = (span - 1, span - stride);
        let zero = self.func.dfg.bits(ty, 0);
        let (below, counted) = (self.func.dfg.bits(ty, below), self.func.dfg.bits(ty, counted));
        let low = self.plain(Opcode::And, ty, &[p.base, below]);
        let aligned = self.icmp(IntCC::Eq, low, zero);
        let kept = self.plain(Opcode::And, ty, &[mask, counted]);
        let kept = self.icmp(IntCC::Eq, kept, counted);
        let base = self.plain(Opcode::And, ty, &[p.base, mask]);
        let holds = self.both(aligned, kept);
        let holds = self.both(p.holds, holds);
        Some(Perhaps { base, stride: p.stride, holds })
    }

    pub(super) fn both(&mut self, a: Value, b: Value) -> Value {
        match (self.func.dfg.as_bits(a), self.func.dfg.as_bits(b)) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ if a == b => a,
            _ => self.plain(Opcode::And, Type::I1, &[a, b]),
        }
    }

    /// A value from outside of the loop over work-items: the same for all lanes, unless it points into a stack slot, of
    /// which each lane has a copy; in other rows of the grid it may have another value.
    pub(super) fn outside(&mut self, v: Value) -> Wide {
        let Some(slot) = self.r.slot(v) else {
            let row = if self.one { THIS_ROW } else { self.cell / self.grid.columns };
            return Wide::Uniform(if row > 0 { self.in_row(v, row) } else { v });
        };
        let stride = self.shapes.slot_stride(slot);
        let (copies, each) = self.layouts.copies(self.func, slot, stride, self.lanes, self.grid.cells());
        let address = self.copied_address(v, copies);
        let address = self.ptradd(address, i64::from(self.cell) * each);
        Wide::Strided(address, stride)
    }

    /// A value from outside of the loop as it is so many rows further.
    pub(super) fn in_row(&mut self, v: Value, row: u8) -> Value {
        if self.variance.of(v) & Y == 0 {
            return v;
        }
        if let Some(&found) = self.row_values.get(&(v, row)) {
            return found;
        }
        let here = std::mem::replace(&mut self.here, self.before);
        let made = match self.r.func.dfg.def_inst(v) {
            Some(i) => {
                let args: SmallVec<[Value; 4]> = self.r.func.dfg.args(i).iter().map(|&a| self.in_row(a, row)).collect();
                let data = &self.r.func.dfg.insts[i];
                let (op, ty, flags, payload) = (data.op, data.ty, data.flags, data.payload.clone());
                self.put(op, ty, flags, &args, payload)
            }
            None => {
                let ty = self.func.dfg.ty(v);
                let n = self.func.dfg.iconst(ty, row.into());
                self.plain(Opcode::Add, ty, &[v, n])
            }
        };
        self.here = here;
        self.row_values.insert((v, row), made);
        made
    }

    /// The address `v` in a slot, made anew for the slot `copies`.
    fn copied_address(&mut self, v: Value, copies: ir::Slot) -> Value {
        let dfg = &self.r.func.dfg;
        let Some(i) = dfg.def_inst(v) else {
            let ty = dfg.ty(v);
            return self.func.dfg.constant(ty, ConstKind::Slot(copies));
        };
        let (op, ty) = (dfg.op(i), dfg.insts[i].ty);
        let mut args: SmallVec<[Value; 2]> = dfg.args(i).into();
        args[0] = self.copied_address(args[0], copies);
        for a in &mut args[1..] {
            if let Wide::Uniform(v) = self.outside(*a) {
                *a = v;
            }
        }
        self.plain(op, ty, &args)
    }
}
