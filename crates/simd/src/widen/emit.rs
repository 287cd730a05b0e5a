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
use super::one_by_one;
use super::region::Region;
use super::shape::{Shape, Shapes};
use super::state::{Held, Mask, Masks, Set, State, Var};
use super::switch::Case;
use super::variance::{Grid, Variance};
use super::wide::Wide;
use super::{Figures, Target};
use analysis::Loop;
use cranelift_entity::EntitySet;
use ir::{Block, Flags, Function, Inst, IntCC, LoopMd, Opcode, Payload, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use source::Span;
use std::cell::OnceCell;

/// Bytes of stack that a block's code needs, without that of its children.
const ENOUGH_STACK: usize = 256 << 10;
/// Bytes of stack that are added where less is left.
const MORE_STACK: usize = 4 << 20;

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
    /// As [`Target::masked_rows`].
    pub(super) masked_rows: bool,
    pub(super) span: Span,
    /// The block of the kernel that is being emitted.
    pub(super) home: Block,
    /// What values are, by value and cell.
    pub(super) values: FxHashMap<(Value, u8), Wide>,
    pub(super) state: State,
    /// Who goes to the cases of switches that are to come.
    pub(super) cases: FxHashMap<Block, Case>,
    pub(super) variance: &'a Variance,
    pub(super) grid: Grid,
    /// The cell that instructions are emitted for.
    pub(super) cell: u8,
    /// Code is emitted for this cell alone.
    pub(super) only: Option<u8>,
    pub(super) sets: Vec<Masks>,
    pub(super) set_numbers: FxHashMap<Masks, Set>,
    /// Where values of other rows are computed, before the loop.
    pub(super) before: Block,
    pub(super) row_values: FxHashMap<(Value, u8), Value>,
    /// The local id in y, where the grid has several rows.
    pub(super) y: Option<Value>,
    /// Code is emitted for one vector of a grid of several, in a loop over them.
    pub(super) one: bool,
    /// The lanes that the iteration is emitted for, if not all.
    pub(super) iteration_mask: Option<Value>,
    /// By the components of vectors that stand one after the other in memory: the rows that they were loaded as.
    pub(super) rows: FxHashMap<Vec<Value>, Vec<Value>>,
    /// What something in the function as it was reads, once somebody asks.
    pub(super) read: OnceCell<EntitySet<Value>>,
    /// Code is a version of its own already.
    versioned: bool,
    /// Code is emitted that hardly ever runs.
    pub(super) rare: bool,
    /// The lanes for which a block is emitted.
    current_mask: Option<Set>,
    /// The instruction that is emitted is the same for all cells.
    pub(super) for_everyone: bool,
    pub(super) figures: Figures,
    /// Code and analysis disagree: what was emitted must not be used.
    pub(super) broken: Option<&'static str>,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        r: &'a Region<'a>,
        (shapes, variance): (&'a Shapes, &'a Variance),
        (target, grid): (&'a Target, Grid),
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
            masked_rows: target.masked_rows,
            span: Span::NONE,
            home: r.header(),
            values: FxHashMap::default(),
            state: State::new(),
            cases: FxHashMap::default(),
            variance,
            grid,
            cell: 0,
            only: None,
            sets: Vec::new(),
            set_numbers: FxHashMap::default(),
            before: here,
            row_values: FxHashMap::default(),
            y: None,
            one: false,
            iteration_mask: None,
            rows: FxHashMap::default(),
            read: OnceCell::new(),
            versioned: false,
            rare: false,
            current_mask: None,
            for_everyone: false,
            figures: Figures::default(),
            broken: None,
        }
    }

    /// Emits one iteration: a vector of work-items from `base` on in each cell's row, columns side by side; of each only
    /// the lanes `mask`, if there is one. Goes on in [`Emitter::here`].
    pub(super) fn iteration(&mut self, x: Value, base: Value, mask: Option<Value>) {
        self.values.clear();
        self.state.clear();
        self.cases.clear();
        self.iteration_mask = mask;
        for column in 0..self.grid.columns {
            let start = self.func.dfg.iconst(Type::I32, i64::from(column) * i64::from(self.lanes));
            let base = if column == 0 { base } else { self.plain(Opcode::Add, Type::I32, &[base, start]) };
            self.values.insert((x, column), Wide::Strided(base, 1));
        }
        let mask = mask.map(|m| self.set(SmallVec::from_elem(m, self.grid.cells().into())));
        let header = self.r.header();
        self.block(header, mask);
        self.children(header, mask, None);
    }

    /// Emits code that hardly ever runs, with other shapes of the values: once, one vector at a time.
    pub(super) fn rarely(&mut self, shapes: &'a Shapes, body: impl FnOnce(&mut Self)) {
        let (kept, versioned) =
            (std::mem::replace(&mut self.shapes, shapes), std::mem::replace(&mut self.versioned, true));
        self.rare = true;
        body(self);
        (self.shapes, self.versioned, self.rare) = (kept, versioned, false);
    }

    /// The cells for which what differs in these ways is computed.
    pub(super) fn owners(&self, ways: u8) -> SmallVec<[u8; 8]> {
        match self.only {
            Some(c) => SmallVec::from_slice(&[c]),
            None => (0..self.grid.cells()).filter(|&c| self.grid.owner(c, ways) == c).collect(),
        }
    }

    /// The cell by which a variable of the current cell goes that differs in these ways: the same in code for one cell
    /// and in code for all.
    fn owner(&self, ways: u8) -> u8 {
        self.grid.owner(self.cell, ways)
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
    fn tree(&mut self, b: Block, mask: Option<Set>) {
        // Thousands of blocks one after the other are as deep a tree.
        stacker::maybe_grow(ENOUGH_STACK, MORE_STACK, || match self.r.inner_loop(b) {
            Some(l) => self.inner(l, b, mask),
            None => {
                self.block(b, mask);
                self.children(b, mask, None);
            }
        });
    }

    /// Emits the children of `parent`: those in the loop it heads, if `inside` names it; else those outside of it.
    pub(super) fn children(&mut self, parent: Block, mask: Option<Set>, inside: Option<Loop>) {
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
            let Some(m) = self.lanes_at(c) else {
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

    /// The lanes that wait at a block, if any may.
    fn lanes_at(&mut self, c: Block) -> Option<Mask> {
        match self.state.remove(&Var::Mask(c)) {
            Some(Held::Mask(m)) => Some(m),
            _ => self.case_lanes(c),
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
        self.either(cond, |e| e.tree(sides[0], m.lanes), |e| e.tree(sides[1], m.lanes));
    }

    /// Goes on where two ways have met.
    fn go_on(&mut self, block: Block, state: State) {
        self.func.layout.append_block(block);
        self.here = block;
        self.state = state;
    }

    /// Emits the subtree of `c` for the lanes `m`, within code that runs for the lanes `around`.
    fn one_side(&mut self, c: Block, around: Option<Set>, m: Mask) {
        let parts = m.lanes.filter(|_| m.lanes != around);
        let versions = parts.is_some() && !self.versioned && self.only.is_none() && self.is_worth_versions(c);
        let tested = parts.filter(|_| versions || m.scalar.is_some() || !self.is_cheap(c));
        let any = tested.map(|l| self.any_lane(l));
        let cond = match (m.scalar, any) {
            (Some(s), Some(a)) => Some(self.plain(Opcode::And, Type::I1, &[s, a])),
            (s, a) => s.or(a),
        };
        let body = |e: &mut Self| match tested {
            Some(set) if versions => e.versions(c, set),
            _ => e.tree(c, m.lanes),
        };
        match cond {
            None => body(self),
            Some(cond) => self.only_if(cond, body),
        }
    }

    /// Whether the subtree of `b` is worth a version of its own for when all lanes are on: it has loops, or it accesses memory in
    /// each iteration of one, behind a test that all lanes pass until the last iterations (`first + lane < n`).
    fn is_worth_versions(&self, b: Block) -> bool {
        let ends_late = self.r.loop_of(b) != self.r.root && self.is_behind_bound(b);
        let mut work = vec![b];
        while let Some(b) = work.pop() {
            if self.r.inner_loop(b).is_some() || ends_late && self.accesses_rows(b) {
                return true;
            }
            work.extend_from_slice(self.r.children(b));
        }
        false
    }

    /// Whether the only way to `b` is a branch on a comparison of what goes up from lane to lane with what is the same for all.
    fn is_behind_bound(&self, b: Block) -> bool {
        let Some(edge) = self.r.info.cfg.single_pred(b) else { return false };
        let parent = edge.from;
        let (dfg, t) = (&self.r.func.dfg, self.r.func.layout.terminator(parent));
        if dfg.op(t) != Opcode::Br {
            return false;
        }
        let ValueDef::Inst(test) = dfg.def(dfg.arg(t, 0)) else { return false };
        let Payload::IntCC(cc) = dfg.insts[test].payload else { return false };
        let shapes = [0, 1].map(|n: usize| self.shapes.at(self.r, dfg.arg(test, n), parent));
        let goes_up = |s: &Shape| matches!(s, Shape::Strided { stride, .. } if *stride != 0);
        !matches!(cc, IntCC::Eq | IntCC::Ne) && shapes.iter().any(goes_up) && shapes.iter().any(|s| s.is_uniform())
    }

    /// Whether a block accesses neighbours in memory, which takes a mask where some lanes are off.
    fn accesses_rows(&self, b: Block) -> bool {
        let at_row = |i: Inst| {
            let s = self.shapes.at(self.r, self.r.func.dfg.arg(i, 0), b);
            matches!(s, Shape::Strided { stride, .. } if stride != 0)
        };
        let is_access = |i: Inst| matches!(self.r.func.dfg.op(i), Opcode::Load | Opcode::Store);
        self.r.func.layout.insts(b).any(|i| is_access(i) && at_row(i))
    }

    /// Emits a subtree twice: for all lanes without a mask, and for some, vector by vector.
    fn versions(&mut self, c: Block, set: Set) {
        self.versioned = true;
        let all = self.all_lanes_on(set);
        self.either(
            all,
            |e| e.tree(c, None),
            |e| {
                if e.grid.cells() == 1 {
                    return e.tree(c, Some(set));
                }
                if one_by_one::has_all_effects(e.r, c) {
                    return e.one_by_one();
                }
                for cell in 0..e.grid.cells() {
                    (e.only, e.cell) = (Some(cell), cell);
                    let some = e.any_lane(set);
                    e.only_if(some, |e| e.tree(c, Some(set)));
                }
                (e.only, e.cell) = (None, 0);
            },
        );
        self.versioned = false;
    }

    /// Emits one of two pieces of code as a condition says.
    fn either(&mut self, cond: Value, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        let start = self.here;
        let count = self.func.dfg.values.len();
        let before = self.state.clone();
        let entries = [self.new_block(), self.new_block()];
        self.here = entries[0];
        yes(self);
        let mut ends = [self.here; 2];
        let first = std::mem::replace(&mut self.state, before);
        self.here = entries[1];
        no(self);
        ends[1] = self.here;
        let second = std::mem::take(&mut self.state);
        self.here = start;
        self.branch(cond, (entries[0], &[]), (entries[1], &[]), None);
        let meeting = self.meet(ends, [&first, &second], count);
        for (end, args) in ends.into_iter().zip(&meeting.args) {
            self.here = end;
            self.jump(meeting.block, args);
        }
        self.go_on(meeting.block, meeting.state);
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
        self.is_one_by_one(i) || self.shapes.at(self.r, self.r.func.dfg.arg(i, 0), b).is_uniform()
    }

    // ---- blocks and edges -------------------------------------------------------------------------------------------

    pub(super) fn block(&mut self, b: Block, mask: Option<Set>) {
        self.home = b;
        self.current_mask = mask;
        let params: SmallVec<[Value; 8]> = self.r.func.dfg.params(b).into();
        for (n, &p) in params.iter().enumerate() {
            for cell in self.owners(self.variance.of(p)) {
                self.cell = cell;
                let key = self.owner(self.variance.of(p));
                if let Some(Held::Value(pieces)) = self.state.remove(&Var::Param(b, n as u32, key)) {
                    let (shape, ty) = (self.shapes.of(self.r, p), self.r.func.dfg.ty(p));
                    let w = self.assembled(&pieces, shape, ty);
                    self.define(p, w);
                } else if !self.values.contains_key(&(p, cell)) {
                    // No edge brings anything: unreachable, or undefined.
                    let ty = self.r.func.dfg.ty(p);
                    let undef = self.func.dfg.undef(ty);
                    self.define(p, Wide::Uniform(undef));
                }
            }
        }
        let insts: Vec<Inst> = self.r.func.layout.insts(b).collect();
        for i in insts {
            self.home = b;
            self.span = self.r.func.dfg.span(i);
            if self.r.func.dfg.op(i).is_terminator() {
                self.terminator(b, i, mask);
                continue;
            }
            let ways = self.variance.inst(self.r, self.shapes, i, b);
            self.for_everyone = ways == 0;
            for cell in self.owners(ways) {
                self.cell = cell;
                let lanes = self.shared_mask(i, mask, ways);
                self.inst(i, lanes);
            }
        }
        self.cell = self.only.unwrap_or(0);
    }

    /// Notes what `v` is in the current cell, also for uses outside of its loop.
    pub(super) fn define(&mut self, v: Value, w: Wide) {
        let cell = self.cell;
        if self.r.escapes.contains_key(&v) {
            let (shape, ty) = (self.shapes.outside(self.r, v), self.r.func.dfg.ty(v));
            // What is the same for all cells inside may differ outside.
            let ways = self.variance.outside(self.r, self.shapes, v);
            for to in self.owners(ways) {
                if self.only.is_none() && self.grid.owner(to, self.variance.of(v)) != cell {
                    continue;
                }
                self.cell = to;
                let key = self.owner(ways);
                let mut pieces = self.pieces(&w, shape, ty);
                // Of this cell alone, also where the value was computed for several.
                let mask = self.lane_mask(self.current_mask);
                if shape == Shape::Varying
                    && let (Some(m), Some(Held::Value(old))) = (mask, self.state.get(&Var::Escape(v, key)).cloned())
                {
                    for (new, old) in pieces.iter_mut().zip(old) {
                        *new = self.select(m, *new, old);
                    }
                }
                self.state.insert(Var::Escape(v, key), Held::Value(pieces));
            }
            self.cell = cell;
        }
        self.values.insert((v, cell), w);
    }

    /// The value `v` of the kernel where code is emitted now.
    pub(super) fn wide(&mut self, v: Value) -> Wide {
        let v = self.r.func.dfg.resolve(v);
        let Some(home) = self.r.home(v) else { return self.outside(v) };
        if !self.r.info.loops.contains(self.r.loop_of(home), self.home) {
            let (shape, ty) = (self.shapes.outside(self.r, v), self.r.func.dfg.ty(v));
            let cell = self.owner(self.variance.outside(self.r, self.shapes, v));
            if let Some(Held::Value(pieces)) = self.state.get(&Var::Escape(v, cell)).cloned() {
                return self.assembled(&pieces, shape, ty);
            }
        }
        let shared = self.owner(self.variance.of(v));
        let own = self.only.and_then(|c| self.values.get(&(v, c)));
        match own.or_else(|| self.values.get(&(v, shared))) {
            Some(w) => w.clone(),
            None => Wide::Uniform(self.func.dfg.undef(self.r.func.dfg.ty(v))),
        }
    }

    fn terminator(&mut self, b: Block, t: Inst, mask: Option<Set>) {
        let all = Mask { scalar: None, lanes: mask };
        self.cell = self.only.unwrap_or(0);
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
                let (yes, no) = if self.shapes.is_parted(b) {
                    let conds = self.conditions(c);
                    let not = self.each_cell(|e, c| e.not(conds[usize::from(c)]));
                    let (yes, no) = (self.mask_and(mask, &conds), self.mask_and(mask, &not));
                    (Mask { scalar: None, lanes: Some(yes) }, Mask { scalar: None, lanes: Some(no) })
                } else {
                    let c = self.uniform(c);
                    let not = self.not(c);
                    (Mask { scalar: Some(c), lanes: mask }, Mask { scalar: Some(not), lanes: mask })
                };
                self.edge(b, t, 0, yes);
                self.edge(b, t, 1, no);
            }
            Opcode::Switch => self.switch(b, t, mask),
            _ => {}
        }
    }

    /// A truth value of the kernel as masks, for all cells.
    fn conditions(&mut self, v: Value) -> Masks {
        self.each_cell(|e, _| {
            let w = e.wide(v);
            e.lanes_of(&w, Type::I1)
        })
    }

    /// A value that is the same for all lanes and cells.
    pub(super) fn uniform(&mut self, v: Value) -> Value {
        match self.wide(v) {
            Wide::Uniform(v) => v,
            _ => {
                self.broken = Some("a value that should be the same for all work-items is not");
                self.func.dfg.undef(self.r.func.dfg.ty(v))
            }
        }
    }

    /// How many of a terminator's ways stay in the region.
    fn real_ways(&self, t: Inst) -> usize {
        self.r.func.dfg.successors(t).filter(|&s| self.stays(s)).count()
    }

    /// Whether an edge leads on in the same iteration of the loop over work-items.
    pub(super) fn stays(&self, to: Block) -> bool {
        self.r.contains(to) && to != self.r.header()
    }

    /// The lanes `m` go along edge `n` of the terminator `t` of `from`.
    pub(super) fn edge(&mut self, from: Block, t: Inst, n: usize, m: Mask) {
        let to = self.r.func.dfg.successor(t, n);
        if !self.stays(to) {
            return;
        }
        let args: SmallVec<[Value; 8]> = self.r.func.dfg.branch_args(t, n).into();
        // Who does not leave by the last branch of a loop goes around again: what came from before does not matter.
        let brought = if self.is_last_exit(from, t, to) { Mask { scalar: None, ..m } } else { m };
        // The same for lanes that stay in an uneven loop: they bring something when they leave. So all may bring this.
        let rest_stays = self.is_exit_of_uneven(from, t, to);
        for (k, &v) in args.iter().enumerate() {
            let p = self.r.func.dfg.params(to)[k];
            let (shape, ty) = (self.shapes.of(self.r, p), self.r.func.dfg.ty(p));
            for cell in self.owners(self.variance.of(p)) {
                self.cell = cell;
                let w = self.wide(v);
                let pieces = self.pieces(&w, shape, ty);
                let key = self.owner(self.variance.of(p));
                let brought = if shape == Shape::Varying && rest_stays {
                    Mask { scalar: None, lanes: self.current_mask }
                } else {
                    brought
                };
                self.bring(Var::Param(to, k as u32, key), pieces, shape, brought);
            }
        }
        self.cell = self.only.unwrap_or(0);
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

    /// Whether an edge leaves a loop that all lanes leave together, by a branch whose other way leads back.
    fn is_last_exit(&self, from: Block, t: Inst, to: Block) -> bool {
        let l = self.r.loop_of(from);
        l != self.r.root
            && !self.shapes.is_uneven(l)
            && self.r.func.dfg.op(t) == Opcode::Br
            && !self.r.info.loops.contains(l, to)
            && self.r.func.dfg.successors(t).any(|s| s == self.r.info.loops.header(l))
    }

    /// Whether an edge leaves an uneven loop by a branch whose other way stays in it.
    fn is_exit_of_uneven(&self, from: Block, t: Inst, to: Block) -> bool {
        let l = self.r.loop_of(from);
        let inside = |b: Block| self.r.info.loops.contains(l, b);
        l != self.r.root
            && self.shapes.is_uneven(l)
            && self.r.func.dfg.op(t) == Opcode::Br
            && !inside(to)
            && self.r.func.dfg.successors(t).any(inside)
    }

    /// Whether it matters which lanes come to `to`: not if all do.
    pub(super) fn needs_mask(&self, from: Block, to: Block) -> bool {
        let back = self.r.inner_loop(to).is_some_and(|l| self.r.info.loops.contains(l, from));
        back || self.r.parent(to).is_none_or(|p| !self.r.is_always_reached(to, p))
    }

    /// Lanes `m` bring a value for a variable.
    fn bring(&mut self, var: Var, mut pieces: super::wide::Pieces, shape: Shape, m: Mask) {
        if let Some(Held::Value(old)) = self.state.get(&var).cloned() {
            let lanes = if shape == Shape::Varying && m.lanes.is_some() {
                Some(self.cell_lanes(m, self.cell))
            } else {
                m.scalar
            };
            if let Some(c) = lanes {
                for (new, old) in pieces.iter_mut().zip(old) {
                    *new = self.select(c, *new, old);
                }
            }
        }
        self.state.insert(var, Held::Value(pieces));
    }
}
