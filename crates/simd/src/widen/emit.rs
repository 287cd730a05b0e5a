//! Control flow: one iteration of a loop over work-items for all lanes of a vector.
//!
//! Blocks are emitted along the emission tree ([`super::region`]), each under a mask: the lanes that execute it. An
//! edge adds its lanes to the mask of its target and its arguments, lane by lane, to the target's parameters, which are
//! variables ([`super::state`]) until the target is emitted. What is emitted for a block's subtree is one piece of code
//! with one way in and one out, so it can be jumped over:
//!
//! * a branch that all lanes take the same way stays a branch;
//! * where lanes part, both sides are emitted one after the other, each behind a test whether any lane wants it,
//!   unless it is so cheap that the test costs more;
//! * a block that everybody reaches again runs under the mask of its parent, and nobody computes a mask for it;
//! * a loop that all lanes leave together has no mask of its own; otherwise its mask is a parameter, from which lanes
//!   drop out, and it runs while any lane is in it. What lanes take out of it is kept for each as it leaves.
//!
//! At least one lane is on wherever code runs that is not skipped needlessly; so an access at an address that is the
//! same for all lanes is a scalar access.

use super::memory::Layouts;
use super::region::Region;
use super::shape::{Shape, Shapes};
use super::state::{Held, Mask, State, Var};
use super::wide::Wide;
use super::{Figures, Target};
use analysis::Loop;
use ir::{Block, Flags, Function, Inst, IntCC, LoopMd, Opcode, Payload, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use source::Span;

/// Most instructions of a part that runs under its mask without a test whether any lane wants it.
const MAX_UNTESTED: usize = 10;

/// Emits widened code into `func`.
pub(super) struct Emitter<'a> {
    /// The function as it was: what is widened.
    pub(super) r: &'a Region<'a>,
    pub(super) shapes: &'a Shapes,
    pub(super) layouts: &'a mut Layouts,
    pub(super) func: &'a mut Function,
    /// The block at whose end code is put.
    pub(super) here: Block,
    pub(super) lanes: u8,
    pub(super) span: Span,
    /// The block of the kernel that is being emitted.
    pub(super) home: Block,
    pub(super) values: FxHashMap<Value, Wide>,
    pub(super) state: State,
    pub(super) figures: Figures,
    /// Code and analysis disagree: what was emitted must not be used.
    pub(super) broken: Option<&'static str>,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        r: &'a Region<'a>,
        shapes: &'a Shapes,
        target: &'a Target,
        layouts: &'a mut Layouts,
        func: &'a mut Function,
        here: Block,
    ) -> Self {
        Self {
            r,
            shapes,
            layouts,
            func,
            here,
            lanes: target.lanes,
            span: Span::NONE,
            home: r.header(),
            values: FxHashMap::default(),
            state: State::new(),
            figures: Figures::default(),
            broken: None,
        }
    }

    /// Emits one iteration for the work-items `base .. base + lanes`, those of `mask` if there is one. Goes on in
    /// [`Emitter::here`].
    pub(super) fn iteration(&mut self, x: Value, base: Value, mask: Option<Value>) {
        self.values.clear();
        self.state.clear();
        self.values.insert(x, Wide::Strided(base, 1));
        let header = self.r.header();
        self.block(header, mask);
        self.children(header, mask, None);
    }

    pub(super) fn new_block(&mut self) -> Block {
        self.func.new_block()
    }

    /// Ends the current block by a jump.
    pub(super) fn jump(&mut self, to: Block, args: &[Value]) {
        let call = self.func.dfg.block_call(to, args);
        self.put_inst(Opcode::Jump, Type::VOID, Flags::NONE, &[], Payload::Jump(call, None.into()));
    }

    /// Ends the current block by a branch.
    pub(super) fn branch(&mut self, cond: Value, yes: (Block, &[Value]), no: (Block, &[Value]), md: Option<LoopMd>) {
        let calls = [self.func.dfg.block_call(yes.0, yes.1), self.func.dfg.block_call(no.0, no.1)];
        self.put_inst(Opcode::Br, Type::VOID, Flags::NONE, &[cond], Payload::Br(calls, md.into()));
    }

    // ---- the emission tree ------------------------------------------------------------------------------------------

    /// Emits a block or the loop that it heads, and what follows from it.
    fn tree(&mut self, b: Block, mask: Option<Value>) {
        match self.r.inner_loop(b) {
            Some(l) => self.inner(l, b, mask),
            None => {
                self.block(b, mask);
                self.children(b, mask, None);
            }
        }
    }

    /// Emits the children of `parent`: those in the loop it heads, if `inside` names it; else those outside of it.
    fn children(&mut self, parent: Block, mask: Option<Value>, inside: Option<Loop>) {
        let own = inside.or_else(|| self.r.inner_loop(parent));
        let list: Vec<Block> = self
            .r
            .children(parent)
            .iter()
            .copied()
            .filter(|&c| own.is_none_or(|l| self.r.info.loops.contains(l, c)) == (inside.is_some() || own.is_none()))
            .collect();
        let mut n = 0;
        while n < list.len() {
            let c = list[n];
            if self.r.is_always_reached(c, parent) {
                self.state.remove(&Var::Mask(c));
                self.tree(c, mask);
                n += 1;
                continue;
            }
            let Some(Held::Mask(m)) = self.state.remove(&Var::Mask(c)) else {
                // Nobody comes here.
                n += 1;
                continue;
            };
            let other = list.get(n + 1).copied().filter(|&d| self.is_other_side(parent, c, d, &m, inside));
            match other {
                Some(d) => {
                    self.state.remove(&Var::Mask(d));
                    self.two_sides([c, d], m);
                    n += 2;
                }
                None => {
                    self.one_side(c, mask, m);
                    n += 1;
                }
            }
        }
    }

    /// Whether `c` and `d` are the two sides of a branch at the end of `parent` that all lanes take the same way.
    fn is_other_side(&self, parent: Block, c: Block, d: Block, m: &Mask, inside: Option<Loop>) -> bool {
        let t = self.r.func.layout.terminator(parent);
        let alone = |b: Block| self.r.info.cfg.preds(b).len() == 1;
        self.r.func.dfg.op(t) == Opcode::Br
            && m.scalar.is_some()
            && alone(c)
            && alone(d)
            && self.r.func.succs(parent).any(|s| s == c)
            && self.r.func.succs(parent).any(|s| s == d)
            && self.r.inner_loop(parent) == inside
    }

    fn two_sides(&mut self, sides: [Block; 2], m: Mask) {
        let Some(cond) = m.scalar else { return };
        let start = self.here;
        let count = self.func.dfg.values.len();
        let before = self.state.clone();
        let entries = [self.new_block(), self.new_block()];
        let mut ends = entries;
        let mut states = [State::new(), State::new()];
        for n in 0..2 {
            self.state.clone_from(&before);
            self.here = entries[n];
            self.tree(sides[n], m.lanes);
            ends[n] = self.here;
            states[n] = std::mem::take(&mut self.state);
        }
        self.here = start;
        self.branch(cond, (entries[0], &[]), (entries[1], &[]), None);
        let meeting = self.meet(ends, [&states[0], &states[1]], count);
        for (end, args) in ends.into_iter().zip(&meeting.args) {
            self.here = end;
            self.jump(meeting.block, args);
        }
        self.go_on(meeting.block, meeting.state);
    }

    /// Goes on where two ways have met.
    fn go_on(&mut self, block: Block, state: State) {
        self.func.layout.append_block(block);
        self.here = block;
        self.state = state;
    }

    /// Emits the subtree of `c` for the lanes `m`, within code that runs for the lanes `around`.
    fn one_side(&mut self, c: Block, around: Option<Value>, m: Mask) {
        let any = if m.lanes == around || self.is_cheap(c) && m.scalar.is_none() {
            None
        } else {
            m.lanes.map(|l| self.plain(Opcode::AnyLane, Type::I1, &[l]))
        };
        let cond = match (m.scalar, any) {
            (Some(s), Some(a)) => Some(self.plain(Opcode::And, Type::I1, &[s, a])),
            (s, a) => s.or(a),
        };
        match cond {
            None => self.tree(c, m.lanes),
            Some(cond) => self.only_if(cond, |e| e.tree(c, m.lanes)),
        }
    }

    /// Emits code that runs only if `cond` holds.
    pub(super) fn only_if(&mut self, cond: Value, body: impl FnOnce(&mut Self)) {
        let start = self.here;
        let count = self.func.dfg.values.len();
        let before = self.state.clone();
        let entry = self.new_block();
        self.here = entry;
        body(self);
        let end = self.here;
        let after = std::mem::take(&mut self.state);
        let meeting = self.meet([end, start], [&after, &before], count);
        self.here = end;
        self.jump(meeting.block, &meeting.args[0]);
        self.here = start;
        self.branch(cond, (entry, &[]), (meeting.block, &meeting.args[1]), None);
        self.go_on(meeting.block, meeting.state);
    }

    /// Whether all that the subtree of `b` does may as well be done for nobody, at little cost.
    fn is_cheap(&self, b: Block) -> bool {
        let mut left = MAX_UNTESTED;
        let mut work = vec![b];
        while let Some(b) = work.pop() {
            if self.r.inner_loop(b).is_some() {
                return false;
            }
            for i in self.r.func.layout.insts(b) {
                let data = &self.r.func.dfg.insts[i];
                let cost = match data.op {
                    Opcode::Jump => 0,
                    Opcode::Br if !self.shapes.at(self.r, self.r.func.dfg.arg(i, 0), b).is_uniform() => 0,
                    Opcode::Store if !self.is_scalar_access(b, i) => 3,
                    Opcode::Load if !self.is_scalar_access(b, i) => 3,
                    _ if data.op.is_cheap() => 1,
                    Opcode::FDiv | Opcode::FSqrt => 4,
                    _ => return false,
                };
                if cost > left {
                    return false;
                }
                left -= cost;
            }
            work.extend_from_slice(self.r.children(b));
        }
        true
    }

    fn is_scalar_access(&self, b: Block, i: Inst) -> bool {
        self.r.func.dfg.insts[i].flags.has(Flags::VOLATILE)
            || self.shapes.at(self.r, self.r.func.dfg.arg(i, 0), b).is_uniform()
    }

    // ---- blocks and edges -------------------------------------------------------------------------------------------

    fn block(&mut self, b: Block, mask: Option<Value>) {
        self.home = b;
        let params: SmallVec<[Value; 8]> = self.r.func.dfg.params(b).into();
        for (n, &p) in params.iter().enumerate() {
            if let Some(Held::Value(pieces)) = self.state.remove(&Var::Param(b, n as u32)) {
                let (shape, ty) = (self.shapes.of(self.r, p), self.r.func.dfg.ty(p));
                let w = self.from_pieces(&pieces, shape, ty);
                self.define(p, w, mask);
            } else if !self.values.contains_key(&p) {
                // No edge brings anything: unreachable, or undefined.
                let ty = self.r.func.dfg.ty(p);
                let undef = self.func.dfg.undef(ty);
                self.define(p, Wide::Uniform(undef), mask);
            }
        }
        let insts: Vec<Inst> = self.r.func.layout.insts(b).collect();
        for i in insts {
            self.home = b;
            self.span = self.r.func.dfg.span(i);
            if self.r.func.dfg.op(i).is_terminator() {
                self.terminator(b, i, mask);
            } else {
                self.inst(i, mask);
            }
        }
    }

    /// Notes what `v` is, also for uses outside of its loop.
    pub(super) fn define(&mut self, v: Value, w: Wide, mask: Option<Value>) {
        if self.r.escapes.contains_key(&v) {
            let (shape, ty) = (self.escape_shape(v), self.r.func.dfg.ty(v));
            let mut pieces = self.pieces(&w, shape, ty);
            if shape == Shape::Varying
                && let (Some(m), Some(Held::Value(old))) = (mask, self.state.get(&Var::Escape(v)).cloned())
            {
                for (new, old) in pieces.iter_mut().zip(old) {
                    *new = self.select(m, *new, old);
                }
            }
            self.state.insert(Var::Escape(v), Held::Value(pieces));
        }
        self.values.insert(v, w);
    }

    /// Shape of a value of a loop outside of the loop.
    fn escape_shape(&self, v: Value) -> Shape {
        self.shapes.outside(self.r, v)
    }

    /// The value `v` of the kernel where code is emitted now.
    pub(super) fn wide(&mut self, v: Value) -> Wide {
        let v = self.r.func.dfg.resolve(v);
        let Some(home) = self.r.home(v) else { return self.outside(v) };
        if !self.r.info.loops.contains(self.r.loop_of(home), self.home) {
            let (shape, ty) = (self.escape_shape(v), self.r.func.dfg.ty(v));
            if let Some(Held::Value(pieces)) = self.state.get(&Var::Escape(v)).cloned() {
                return self.from_pieces(&pieces, shape, ty);
            }
        }
        match self.values.get(&v) {
            Some(w) => w.clone(),
            None => Wide::Uniform(self.func.dfg.undef(self.r.func.dfg.ty(v))),
        }
    }

    fn terminator(&mut self, b: Block, t: Inst, mask: Option<Value>) {
        let all = Mask { scalar: None, lanes: mask };
        match self.r.func.dfg.op(t) {
            Opcode::Jump => self.edge(b, t, 0, all),
            Opcode::Br if self.real_ways(t) == 1 => {
                // The test of the loop over work-items.
                for n in 0..2 {
                    self.edge(b, t, n, all);
                }
            }
            Opcode::Br if self.real_ways(t) > 0 => {
                let c = self.r.func.dfg.arg(t, 0);
                let c = self.wide(c);
                let (yes, no) = match c {
                    Wide::Uniform(c) => {
                        let not = self.not(c);
                        (Mask { scalar: Some(c), lanes: mask }, Mask { scalar: Some(not), lanes: mask })
                    }
                    w => {
                        let c = self.lanes_of(&w, Type::I1);
                        let not = self.not(c);
                        let (yes, no) = (self.mask_and(mask, c), self.mask_and(mask, not));
                        (Mask { scalar: None, lanes: Some(yes) }, Mask { scalar: None, lanes: Some(no) })
                    }
                };
                self.edge(b, t, 0, yes);
                self.edge(b, t, 1, no);
            }
            Opcode::Switch => self.switch(b, t, mask),
            _ => {}
        }
    }

    /// How many of a terminator's ways stay in the region.
    fn real_ways(&self, t: Inst) -> usize {
        self.r.func.dfg.successors(t).filter(|&s| self.stays(s)).count()
    }

    /// Whether an edge leads on in the same iteration of the loop over work-items.
    fn stays(&self, to: Block) -> bool {
        self.r.contains(to) && to != self.r.header()
    }

    fn switch(&mut self, b: Block, t: Inst, mask: Option<Value>) {
        let Payload::Switch(s) = self.r.func.dfg.insts[t].payload else { return };
        let cases: Vec<u64> = self.r.func.dfg.switches[s].cases.iter().map(|c| c.0).collect();
        let v = self.r.func.dfg.arg(t, 0);
        let ty = self.r.func.dfg.ty(v);
        let w = self.wide(v);
        let uniform = if let Wide::Uniform(v) = w { Some(v) } else { None };
        let value = uniform.unwrap_or_else(|| self.lanes_of(&w, ty));
        let vty = self.func.dfg.ty(value);
        let mut none = self.func.dfg.bits(vty.with_scalar(Type::I1), 1);
        for (n, &case) in cases.iter().enumerate() {
            let k = self.func.dfg.bits(vty, case);
            let hit = self.icmp(IntCC::Eq, value, k);
            let m = self.case_mask(hit, mask, uniform.is_some());
            self.edge(b, t, n, m);
            let miss = self.not(hit);
            let miss_ty = self.func.dfg.ty(miss);
            none = self.plain(Opcode::And, miss_ty, &[none, miss]);
        }
        let m = self.case_mask(none, mask, uniform.is_some());
        self.edge(b, t, cases.len(), m);
    }

    fn case_mask(&mut self, hit: Value, mask: Option<Value>, uniform: bool) -> Mask {
        if uniform {
            Mask { scalar: Some(hit), lanes: mask }
        } else {
            Mask { scalar: None, lanes: Some(self.mask_and(mask, hit)) }
        }
    }

    /// The lanes `m` go along edge `n` of the terminator `t` of `from`.
    fn edge(&mut self, from: Block, t: Inst, n: usize, m: Mask) {
        let to = self.r.func.dfg.successor(t, n);
        if !self.stays(to) {
            return;
        }
        let args: SmallVec<[Value; 8]> = self.r.func.dfg.branch_args(t, n).into();
        for (k, &v) in args.iter().enumerate() {
            let w = self.wide(v);
            let p = self.r.func.dfg.params(to)[k];
            let (shape, ty) = (self.shapes.of(self.r, p), self.r.func.dfg.ty(p));
            let pieces = self.pieces(&w, shape, ty);
            self.bring(Var::Param(to, k as u32), pieces, shape, m);
        }
        if self.needs_mask(from, to) {
            let m = match self.state.get(&Var::Mask(to)) {
                Some(Held::Mask(old)) => {
                    let old = *old;
                    self.mask_or(old, m)
                }
                _ => m,
            };
            self.state.insert(Var::Mask(to), Held::Mask(m));
        }
    }

    /// Whether it matters which lanes come to `to`: not if all do.
    fn needs_mask(&self, from: Block, to: Block) -> bool {
        let back = self.r.inner_loop(to).is_some_and(|l| self.r.info.loops.contains(l, from));
        back || self.r.parent(to).is_none_or(|p| !self.r.is_always_reached(to, p))
    }

    /// Lanes `m` bring a value for a variable.
    fn bring(&mut self, var: Var, mut pieces: super::wide::Pieces, shape: Shape, m: Mask) {
        if let Some(Held::Value(old)) = self.state.get(&var).cloned() {
            let lanes = if shape == Shape::Varying && m.lanes.is_some() { Some(self.mask_lanes(m)) } else { m.scalar };
            if let Some(c) = lanes {
                for (new, old) in pieces.iter_mut().zip(old) {
                    *new = self.select(c, *new, old);
                }
            }
        }
        self.state.insert(var, Held::Value(pieces));
    }

    // ---- inner loops ------------------------------------------------------------------------------------------------

    /// Emits an inner loop, entered by the lanes `mask`, and what follows from its header outside of it.
    fn inner(&mut self, l: Loop, header: Block, mask: Option<Value>) {
        let uneven = self.shapes.is_uneven(l);
        let params: Vec<(Value, Shape, Type)> = self
            .r
            .func
            .dfg
            .params(header)
            .iter()
            .map(|&p| (p, self.shapes.of(self.r, p), self.r.func.dfg.ty(p)))
            .collect();
        let mut args = self.take_params(header, &params);
        let carried = if uneven { self.carried(l) } else { Vec::new() };
        if uneven {
            args.push(self.mask_lanes(Mask { scalar: None, lanes: mask }));
            for (var, types) in &carried {
                args.extend(self.carry(*var, types));
            }
        }
        let top = self.new_block();
        self.jump(top, &args);
        self.here = top;
        let mut inner_mask = mask;
        let new: Vec<Value> = args
            .iter()
            .map(|&a| {
                let ty = self.func.dfg.ty(a);
                self.func.dfg.add_param(top, ty)
            })
            .collect();
        let mut at = 0;
        for (n, &(_, shape, ty)) in params.iter().enumerate() {
            let count = self.piece_types(shape, ty).len();
            let pieces = SmallVec::from_slice(&new[at..at + count]);
            self.state.insert(Var::Param(header, n as u32), Held::Value(pieces));
            at += count;
        }
        if uneven {
            inner_mask = Some(new[at]);
            at += 1;
            for (var, types) in &carried {
                let held = match var {
                    Var::Mask(_) => Held::Mask(Mask { scalar: None, lanes: Some(new[at]) }),
                    _ => Held::Value(SmallVec::from_slice(&new[at..at + types.len()])),
                };
                self.state.insert(*var, held);
                at += types.len();
            }
        }
        self.block(header, inner_mask);
        self.children(header, inner_mask, Some(l));
        self.close(l, header, top, &params, &carried, uneven);
        self.children(header, mask, None);
    }

    /// Takes what is held for the parameters of a loop's header.
    fn take_params(&mut self, header: Block, params: &[(Value, Shape, Type)]) -> Vec<Value> {
        let mut args = Vec::new();
        for (n, &(_, shape, ty)) in params.iter().enumerate() {
            let types = self.piece_types(shape, ty);
            match self.state.remove(&Var::Param(header, n as u32)) {
                Some(Held::Value(pieces)) if pieces.len() == types.len() => args.extend(pieces),
                _ => args.extend(types.iter().map(|&t| self.func.dfg.undef(t))),
            }
        }
        args
    }

    /// The variables that lanes may set when they leave the uneven loop `l`, with the types of their pieces.
    fn carried(&self, l: Loop) -> Vec<(Var, SmallVec<[Type; 4]>)> {
        let mut vars: Vec<(Var, SmallVec<[Type; 4]>)> = Vec::new();
        let loops = &self.r.info.loops;
        for t in loops.exit_blocks(self.r.func, l) {
            if !self.stays(t) {
                continue;
            }
            if self.needs_mask(loops.header(l), t) {
                vars.push((Var::Mask(t), SmallVec::from_slice(&[self.mask_type()])));
            }
            for (n, &p) in self.r.func.dfg.params(t).iter().enumerate() {
                let types = self.piece_types(self.shapes.of(self.r, p), self.r.func.dfg.ty(p));
                vars.push((Var::Param(t, n as u32), types));
            }
        }
        let mut out: Vec<Value> = self
            .r
            .escapes
            .iter()
            .filter(|&(&v, &to)| loops.encloses(to, l) && self.r.home(v).is_some_and(|h| loops.contains(l, h)))
            .map(|(&v, _)| v)
            .collect();
        out.sort_unstable();
        for v in out {
            vars.push((Var::Escape(v), self.piece_types(self.escape_shape(v), self.r.func.dfg.ty(v))));
        }
        vars
    }

    /// The pieces of a variable as they go around a loop.
    fn carry(&mut self, var: Var, types: &[Type]) -> SmallVec<[Value; 4]> {
        match self.state.get(&var).cloned() {
            Some(Held::Mask(m)) => SmallVec::from_slice(&[self.mask_lanes(m)]),
            Some(Held::Value(p)) => p,
            None if matches!(var, Var::Mask(_)) => SmallVec::from_slice(&[self.func.dfg.bits(types[0], 0)]),
            None => types.iter().map(|&t| self.func.dfg.undef(t)).collect(),
        }
    }

    /// Ends the code of a loop: back to its top while any lane stays, else on.
    fn close(
        &mut self,
        l: Loop,
        header: Block,
        top: Block,
        params: &[(Value, Shape, Type)],
        carried: &[(Var, SmallVec<[Type; 4]>)],
        uneven: bool,
    ) {
        let back = match self.state.remove(&Var::Mask(header)) {
            Some(Held::Mask(m)) => Some(m),
            _ => None,
        };
        let mut args = self.take_params(header, params);
        let Some(back) = back else { return };
        let mut cond = back.scalar;
        if uneven {
            let lanes = self.mask_lanes(Mask { scalar: None, ..back });
            let any = self.plain(Opcode::AnyLane, Type::I1, &[lanes]);
            cond = Some(match cond {
                Some(s) => self.plain(Opcode::And, Type::I1, &[s, any]),
                None => any,
            });
            args.push(lanes);
            for (var, types) in carried {
                args.extend(self.carry(*var, types));
            }
        }
        let after = self.new_block();
        let cond = cond.unwrap_or_else(|| self.func.dfg.bits(Type::I1, 1));
        let md = self.r.info.loops.md(self.r.func, l);
        self.branch(cond, (top, &args), (after, &[]), md);
        self.here = after;
    }
}
