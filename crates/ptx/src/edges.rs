//! Branches, and the copies on edges that stand for block parameters.
//!
//! The arguments of a branch are copied into the registers of the target's parameters, as if all at once: a copy waits
//! until nobody reads the register it writes, and cycles go through a temporary. Copies for the two targets of a
//! conditional branch stand behind the branch, on the edge they belong to, with two exceptions that leave one branch
//! where there would be two. A loop's back edge may have its copies before the branch when the exit needs none of the
//! registers they write. So may a way around the block that stands next: ptxas predicates such a block, and combines
//! the tests of several bits (`R2P`) where they stand in a row.

use crate::error::EmitError;
use crate::func::Fx;
use crate::regs::{Class, Opnd, Reg, push_opnd};
use crate::select::condition;
use cranelift_entity::EntityRef;
use ir::{Block, Inst, Intrinsic, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// Copies of one edge.
pub(crate) type Moves = SmallVec<[(Reg, Opnd); 8]>;

/// Fewest cases for which a jump table pays.
const TABLE_CASES: usize = 5;
/// Most entries of a jump table per case.
const TABLE_SPARSITY: u64 = 3;

impl Fx<'_> {
    /// Writes a terminator.
    pub(crate) fn terminator(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        match f.dfg.op(i) {
            Opcode::Jump => {
                let moves = self.moves(i, 0);
                self.copy(moves);
                self.go(i, f.dfg.successor(i, 0));
            }
            Opcode::Br => self.branch(i),
            Opcode::Switch => self.switch(i),
            Opcode::Return => self.ret(i),
            _ => self.unreachable(i),
        }
        Ok(())
    }

    fn unreachable(&mut self, i: Inst) {
        let ended = self
            .f
            .layout
            .prev_inst(i)
            .is_some_and(|p| matches!(self.f.dfg.insts[p].intrinsic(), Some(Intrinsic::Trap | Intrinsic::Exit)));
        if !ended {
            self.line(&["trap"], &[]);
        }
    }

    // ---- copies -------------------------------------------------------------------------------------------------

    /// The copies for successor `n` of `i`.
    fn moves(&mut self, i: Inst, n: usize) -> Moves {
        let f = self.f;
        let mut moves = Moves::new();
        let target = f.dfg.successor(i, n);
        for (&p, &v) in f.dfg.params(target).iter().zip(f.dfg.branch_args(i, n)) {
            if !self.sel.is_needed(p) {
                continue;
            }
            for lane in 0..usize::from(f.dfg.ty(p).lanes()) {
                let from = self.lane(v, lane);
                if let Some(to) = self.phi_lane(p, lane).reg()
                    && from != Opnd::Reg(to)
                {
                    moves.push((to, from));
                }
            }
        }
        moves
    }

    /// Copies as if all at once.
    fn copy(&mut self, mut moves: Moves) {
        for (_, from) in &moves {
            if let Opnd::Reg(r) = from {
                *self.readers(*r) += 1;
            }
        }
        while !moves.is_empty() {
            let before = moves.len();
            let mut k = 0;
            while k < moves.len() {
                let (to, from) = moves[k];
                if *self.readers(to) > 0 {
                    k += 1;
                    continue;
                }
                self.mov(to, from);
                if let Opnd::Reg(r) = from {
                    *self.readers(r) -= 1;
                }
                moves.swap_remove(k);
            }
            if moves.len() == before {
                // Only cycles are left: free the first target by saving what it holds.
                let held = moves[0].0;
                let saved = self.tmp(held.class());
                self.mov(saved, held.into());
                for (_, from) in &mut moves {
                    if *from == Opnd::Reg(held) {
                        *from = saved.into();
                    }
                }
                *self.readers(saved) = std::mem::take(self.readers(held));
            }
        }
    }

    fn readers(&mut self, r: Reg) -> &mut u32 {
        let table = &mut self.pending[r.class() as usize];
        let n = r.number() as usize;
        if table.len() <= n {
            table.resize(n + 1 + n / 2, 0);
        }
        &mut table[n]
    }

    // ---- loop variables ----------------------------------------------------------------------------------------

    /// Whether the latch of the loop of `header` would overwrite the loop variable `p` before its branch although its
    /// value is read on the way out: then the header reads it from another register than the latch writes, and a branch
    /// ends the iteration instead of two.
    pub(crate) fn is_overwritten_early(&self, header: Block, p: Value) -> bool {
        let f = self.f;
        let Some((l, t, n)) = self.cfg.loop_headed_by(header).and_then(|l| self.latch_branch(l, header)) else {
            return false;
        };
        let at = f.dfg.params(header).iter().position(|&q| q == p);
        let Some(next) = at.map(|k| f.dfg.branch_args(t, n)[k]) else { return false };
        let read_outside = !self.cfg.contains(l, self.sel.home(p)) || f.dfg.branch_args(t, 1 - n).contains(&p);
        next != p && self.sel.shared(next) != Some(p) && read_outside
    }

    /// The branch that ends the iterations of a loop with one latch, and its side that goes back.
    fn latch_branch(&self, l: u32, header: Block) -> Option<(u32, Inst, usize)> {
        let f = self.f;
        if self.cfg.loops[l as usize].latches != 1 {
            return None;
        }
        let start = self.cfg.position(header)?;
        let blocks = self.cfg.order[start..].iter().take_while(|b| self.cfg.contains(l, self.cfg.loop_of(**b)));
        let (t, n) = blocks.into_iter().find_map(|&b| {
            let t = f.layout.terminator(b);
            (0..f.dfg.successor_count(t)).find(|&n| f.dfg.successor(t, n) == header).map(|n| (t, n))
        })?;
        let leaves = f.dfg.op(t) == Opcode::Br && !self.cfg.contains(l, self.cfg.loop_of(f.dfg.successor(t, 1 - n)));
        leaves.then_some((l, t, n))
    }

    /// At the start of a header: loop variables into the registers that are read.
    pub(crate) fn read_phis(&mut self, b: Block) {
        let f = self.f;
        for &p in f.dfg.params(b) {
            if self.phis[p.index()] == Opnd::None {
                continue;
            }
            for lane in 0..usize::from(f.dfg.ty(p).lanes()) {
                if let Some(to) = self.lane(p, lane).reg() {
                    let from = self.phi_lane(p, lane);
                    self.mov(to, from);
                }
            }
        }
    }

    // ---- branches -----------------------------------------------------------------------------------------------

    fn is_next(&self, i: Inst, target: Block) -> bool {
        let here = self.f.layout.inst_block(i).and_then(|b| self.cfg.position(b));
        here.is_some_and(|k| self.cfg.order.get(k + 1) == Some(&target))
    }

    /// Goes to `target`, by falling through if it stands next.
    fn go(&mut self, i: Inst, target: Block) {
        if !self.is_next(i, target) {
            self.goto(target);
        }
    }

    fn goto(&mut self, target: Block) {
        self.out.push_str("\tbra.uni \t");
        Self::push_label(&mut self.out, self.number, target);
        self.out.push_str(";\n");
    }

    fn guard(&mut self, p: Opnd, negated: bool) {
        self.out.push_str(if negated { "\t@!" } else { "\t@" });
        push_opnd(&mut self.out, p);
        self.out.push_str(" bra \t");
    }

    fn goto_if(&mut self, p: Opnd, negated: bool, target: Block) {
        self.guard(p, negated);
        Self::push_label(&mut self.out, self.number, target);
        self.out.push_str(";\n");
    }

    /// As [`Fx::goto_if`], to a label that is no block's.
    pub(crate) fn goto_label_if(&mut self, p: Opnd, negated: bool, label: u32) {
        self.guard(p, negated);
        Self::push_extra_label(&mut self.out, self.number, label);
        self.out.push_str(";\n");
    }

    /// Goes to a label that is no block's.
    pub(crate) fn jump_label(&mut self, label: u32) {
        self.out.push_str("\tbra.uni \t");
        Self::push_extra_label(&mut self.out, self.number, label);
        self.out.push_str(";\n");
    }

    fn branch(&mut self, i: Inst) {
        let f = self.f;
        let (cond, negated) = condition(&f.dfg, f.dfg.arg(i, 0));
        let (yes, no) = (f.dfg.successor(i, 0), f.dfg.successor(i, 1));
        let mut moves = [self.moves(i, 0), self.moves(i, 1)];
        let o = self.lane(cond, 0);
        if let Opnd::Bool(known) = o {
            let n = usize::from(known == negated);
            self.copy(std::mem::take(&mut moves[n]));
            return self.go(i, [yes, no][n]);
        }
        let p = self.direct(o);
        if yes == no && moves[0] == moves[1] {
            self.copy(std::mem::take(&mut moves[0]));
            return self.go(i, yes);
        }
        for n in 0..2 {
            if self.may_hoist(i, n, &moves, p) || self.goes_around(i, n, &moves, p) {
                self.copy(std::mem::take(&mut moves[n]));
            }
        }
        let [yes_moves, no_moves] = moves;
        match (yes_moves.is_empty(), no_moves.is_empty()) {
            (true, true) if self.is_next(i, yes) => self.goto_if(p, !negated, no),
            (true, _) => {
                self.goto_if(p, negated, yes);
                self.copy(no_moves);
                self.go(i, no);
            }
            (false, true) => {
                self.goto_if(p, !negated, no);
                self.copy(yes_moves);
                self.go(i, yes);
            }
            (false, false) => {
                let label = self.new_label();
                self.goto_label_if(p, !negated, label);
                self.copy(yes_moves);
                self.goto(yes);
                self.place_label(label);
                self.copy(no_moves);
                self.go(i, no);
            }
        }
    }

    /// Whether the copies for successor `n` may run before the branch: it is a back edge, the other edge leaves the
    /// loop, and nothing outside the loop, nor the other edge, nor the branch reads what the copies overwrite.
    fn may_hoist(&self, i: Inst, n: usize, moves: &[Moves; 2], p: Opnd) -> bool {
        let f = self.f;
        let (header, other) = (f.dfg.successor(i, n), f.dfg.successor(i, 1 - n));
        let Some(here) = f.layout.inst_block(i) else { return false };
        let Some(l) = self.cfg.loop_headed_by(header) else { return false };
        if moves[n].is_empty()
            || !self.cfg.contains(l, self.cfg.loop_of(here))
            || self.cfg.contains(l, self.cfg.loop_of(other))
        {
            return false;
        }
        let kept = f.dfg.params(header).iter().zip(f.dfg.branch_args(i, n)).all(|(&p, &v)| {
            let stays = v == p || !self.sel.is_needed(p) || self.phis[p.index()] != Opnd::None;
            stays || self.cfg.contains(l, self.sel.home(p))
        });
        let read = |r: Reg| p == Opnd::Reg(r) || moves[1 - n].iter().any(|m| m.1 == Opnd::Reg(r));
        kept && moves[n].iter().all(|m| !read(m.0))
    }

    /// Whether successor `n` is where a way around the next block leads, and its copies may run before the branch. The
    /// registers they write belong to parameters of a block that is no loop's header. It does not dominate the branch,
    /// hence not the block next either: nothing there reads them.
    fn goes_around(&self, i: Inst, n: usize, moves: &[Moves; 2], p: Opnd) -> bool {
        let (to, other) = (self.f.dfg.successor(i, n), self.f.dfg.successor(i, 1 - n));
        to != other
            && moves[1 - n].is_empty()
            && self.is_next(i, other)
            && self.cfg.loop_headed_by(to).is_none()
            && moves[n].iter().all(|m| p != Opnd::Reg(m.0))
    }

    // ---- switches -----------------------------------------------------------------------------------------------

    /// Writes a switch: a jump table if the cases are dense, else a binary search over compares.
    fn switch(&mut self, i: Inst) {
        let f = self.f;
        let Payload::Switch(s) = f.dfg.insts[i].payload else { return };
        let table = &f.dfg.switches[s];
        let ty = f.dfg.ty(f.dfg.arg(i, 0));
        let count = table.cases.len();
        let v = self.operand(f.dfg.arg(i, 0), 0);
        let v = if ty == Type::I1 { self.bool_to_int(v) } else { self.normalised(v, ty, false) };
        // One label per edge that has copies; other edges go straight to their block.
        let mut edges: Vec<(Option<u32>, Moves)> = Vec::with_capacity(count + 1);
        for n in 0..=count {
            let moves = self.moves(i, n);
            let label = if moves.is_empty() { None } else { Some(self.new_label()) };
            edges.push((label, moves));
        }
        let mut cases: Vec<(u64, usize)> = table.cases.iter().enumerate().map(|(n, c)| (c.0, n)).collect();
        cases.sort_unstable();
        let wide = ty.bits() == 64;
        let span = match (cases.first(), cases.last()) {
            (Some(a), Some(b)) => b.0 - a.0,
            _ => 0,
        };
        if count >= TABLE_CASES && span < TABLE_SPARSITY * count as u64 {
            self.jump_table(i, v, wide, &cases, &edges);
        } else {
            self.search(i, v, ty, &cases, &edges);
        }
        for (n, (label, moves)) in edges.into_iter().enumerate() {
            if let Some(label) = label {
                self.place_label(label);
                self.copy(moves);
                self.goto(f.dfg.successor(i, n));
            }
        }
    }

    fn bool_to_int(&mut self, p: Opnd) -> Opnd {
        self.op_tmp(Class::B32, &["selp.u32"], &[Opnd::Int(1), Opnd::Int(0), p])
    }

    fn push_edge(&mut self, i: Inst, n: usize, edges: &[(Option<u32>, Moves)]) {
        match edges[n].0 {
            Some(label) => Self::push_extra_label(&mut self.out, self.number, label),
            None => Self::push_label(&mut self.out, self.number, self.f.dfg.successor(i, n)),
        }
    }

    fn jump_table(&mut self, i: Inst, v: Opnd, wide: bool, cases: &[(u64, usize)], edges: &[(Option<u32>, Moves)]) {
        let (first, last) = (cases[0].0, cases[cases.len() - 1].0);
        let default = edges.len() - 1;
        let class = v.reg().map_or(Class::B32, Reg::class);
        let (sub, cmp) = match class {
            Class::B64 => ("sub.s64", "setp.gt.u64"),
            Class::B16 => ("sub.s16", "setp.gt.u16"),
            _ => ("sub.s32", "setp.gt.u32"),
        };
        let from_first = self.op(class, &[sub], &[v, Opnd::Int(first as i64)]);
        let p = self.op(Class::Pred, &[cmp], &[from_first, Opnd::Int((last - first) as i64)]);
        self.guard(p, false);
        self.push_edge(i, default, edges);
        self.out.push_str(";\n");
        let index = match class {
            Class::B64 if wide => self.op(Class::B32, &["cvt.u32.u64"], &[from_first]),
            Class::B16 => self.op(Class::B32, &["cvt.u32.u16"], &[from_first]),
            _ => from_first,
        };
        let label = self.new_label();
        Self::push_extra_label(&mut self.out, self.number, label);
        self.out.push_str(": .branchtargets\n");
        let mut at = 0;
        for n in first..=last {
            self.out.push_str("\t\t");
            let edge = if cases[at].0 == n {
                at += 1;
                cases[at - 1].1
            } else {
                default
            };
            self.push_edge(i, edge, edges);
            self.out.push_str(if n == last { ";\n" } else { ",\n" });
        }
        self.out.push_str("\tbrx.idx \t");
        push_opnd(&mut self.out, index);
        self.out.push_str(", ");
        Self::push_extra_label(&mut self.out, self.number, label);
        self.out.push_str(";\n");
    }

    /// Compares: halves the sorted cases while there are more than four, then tries them in turn.
    fn search(&mut self, i: Inst, v: Opnd, ty: Type, cases: &[(u64, usize)], edges: &[(Option<u32>, Moves)]) {
        let default = edges.len() - 1;
        let width = match ty.bits() {
            64 => "64",
            1 | 32 => "32",
            _ => "16",
        };
        let imm = |n: u64| Opnd::Int(n as i64);
        let mut work = vec![(cases, None)];
        while let Some((part, label)) = work.pop() {
            if let Some(label) = label {
                self.place_label(label);
            }
            if part.len() > 4 {
                let (low, high) = part.split_at(part.len() / 2);
                let upper = self.new_label();
                let p = self.op(Class::Pred, &["setp.ge.u", width], &[v, imm(high[0].0)]);
                self.goto_label_if(p, false, upper);
                work.push((high, Some(upper)));
                work.push((low, None));
                continue;
            }
            for &(n, edge) in part {
                let p = self.op(Class::Pred, &["setp.eq.b", width], &[v, imm(n)]);
                self.guard(p, false);
                self.push_edge(i, edge, edges);
                self.out.push_str(";\n");
            }
            let last = work.is_empty() && edges.iter().all(|e| e.0.is_none());
            if !(last && self.is_next(i, self.f.dfg.successor(i, default))) {
                self.out.push_str("\tbra.uni \t");
                self.push_edge(i, default, edges);
                self.out.push_str(";\n");
            }
        }
    }
}
