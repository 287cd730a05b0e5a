//! Tidies control flow.
//!
//! * Unreachable blocks go; a block and its only predecessor that jumps to it become one.
//! * Block parameters that get the same value from every predecessor (or themselves) are that value; parameters that
//!   always get the same arguments are one.
//! * Branches go past empty blocks, and past a block that only branches on what is known on the way in: a parameter
//!   (the tail of `a && b`), or a condition that was asked before (`if (c) f(); if (c) g();`).
//! * A branch around a few cheap instructions becomes selects; so does one whose targets are the same block.
//! * Switch cases that do what the default does go; a switch with one case is a branch; a branch to `unreachable` is an
//!   assumption.
//!
//! What must hold: verified IR. Loop headers keep their preheaders and latches: no branch is moved past the block
//! before a header, nor past one that jumps back to it. Metadata stays on its back edge.
//!
//! Limits: [`MAX_ROUNDS`] rounds; [`MAX_SPECULATED`] instructions and [`MAX_SELECTS`] selects per branch.
//!
//! Cost: linear per round; most functions take two.

use crate::PassContext;
use analysis::Cfg;
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::edit;
use ir::{Block, BlockCall, Builder, ConstKind, Flags, Function, Inst, IntCC, Opcode, Payload, Type, Value, ValueDef};
use smallvec::SmallVec;
use std::rc::Rc;

/// Most rounds.
const MAX_ROUNDS: u32 = 6;
/// Most instructions executed needlessly to save a branch.
const MAX_SPECULATED: usize = 3;
/// Most selects that take the place of a branch.
const MAX_SELECTS: usize = 4;
/// Most parameters of a block among which duplicates are sought.
const MAX_COMPARED: usize = 24;
/// Most blocks up from a branch in which the same condition is sought.
const MAX_UP: usize = 8;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let (mut changed, mut again) = round(func, &cx.cfg(func));
    if !changed {
        cx.keep_graph();
    }
    for _ in 1..MAX_ROUNDS {
        if !again {
            break;
        }
        let cfg = Rc::new(Cfg::new(func));
        let this = round(func, &cfg);
        changed |= this.0;
        again = this.1;
        if !this.0 {
            cx.leave_graph(cfg);
        }
    }
    changed
}

/// One round: whether it changed anything, and whether that may allow more.
fn round(func: &mut Function, cfg: &Cfg) -> (bool, bool) {
    let mut changed = edit::remove_unreachable(func, cfg.order());
    let mut t = Tidy::new(func, cfg);
    t.params();
    for &b in cfg.rpo() {
        if t.func.layout.is_placed(b) {
            t.block(b);
        }
    }
    let (merged, again) = (t.merged, t.changed);
    if t.aliased {
        func.resolve_aliases();
    }
    changed |= merged | again;
    (changed, again)
}

struct Tidy<'a> {
    func: &'a mut Function,
    /// The control flow as the round began.
    cfg: &'a Cfg,
    /// Branches to each block, kept up to date.
    preds: SecondaryMap<Block, u32>,
    /// Blocks with a branch back to them.
    headers: EntitySet<Block>,
    /// Uses of each value, counted when first asked for; may be too high.
    uses: Option<SecondaryMap<Value, u32>>,
    /// Something changed that may let something else change.
    changed: bool,
    /// Blocks became one, which lets nothing else change.
    merged: bool,
    aliased: bool,
}

impl<'a> Tidy<'a> {
    fn new(func: &'a mut Function, cfg: &'a Cfg) -> Self {
        let mut preds = ir::side_table(func.dfg.blocks.len());
        let mut headers = EntitySet::new();
        for &b in cfg.rpo() {
            preds[b] = cfg.preds(b).len() as u32;
            if cfg.preds(b).iter().any(|e| cfg.rpo_number(e.from) >= cfg.rpo_number(b)) {
                headers.insert(b);
            }
        }
        Self { func, cfg, preds, headers, uses: None, changed: false, merged: false, aliased: false }
    }

    fn alias(&mut self, old: Value, new: Value) {
        let new = self.func.dfg.resolve(new);
        if let Some(uses) = &mut self.uses {
            uses[new] += uses[old];
        }
        self.func.dfg.replace_value(old, new);
        self.aliased = true;
    }

    fn uses(&mut self) -> &SecondaryMap<Value, u32> {
        let func = &*self.func;
        self.uses.get_or_insert_with(|| {
            let mut uses = ir::side_table(func.dfg.values.len());
            for b in func.layout.blocks() {
                for i in func.layout.insts(b) {
                    func.dfg.for_each_use(i, |v| uses[func.dfg.resolve(v)] += 1);
                }
            }
            uses
        })
    }

    fn args(&self, inst: Inst, n: usize) -> SmallVec<[Value; 8]> {
        self.func.dfg.branch_args(inst, n).iter().map(|&v| self.func.dfg.resolve(v)).collect()
    }

    // ---- parameters -----------------------------------------------------------------------------------------------

    fn params(&mut self) {
        let cfg = self.cfg;
        for &b in &cfg.rpo()[1..] {
            let params: SmallVec<[Value; 8]> = self.func.dfg.params(b).into();
            if params.is_empty() {
                continue;
            }
            let mut keep: SmallVec<[bool; 16]> = SmallVec::from_elem(true, params.len());
            for (n, &p) in params.iter().enumerate() {
                if let Some(v) =
                    self.same_everywhere(cfg, b, n, p).or_else(|| self.duplicate_parameter(cfg, b, n, &params, &keep))
                {
                    self.alias(p, v);
                    keep[n] = false;
                }
            }
            if keep.contains(&false) {
                edit::retain_params(self.func, b, cfg.preds(b), &keep);
                self.changed = true;
            }
        }
    }

    /// The one value that parameter `n` gets, other than itself.
    fn same_everywhere(&self, cfg: &Cfg, b: Block, n: usize, p: Value) -> Option<Value> {
        let mut found = None;
        for e in cfg.preds(b) {
            let v = self.func.dfg.resolve(self.func.dfg.branch_args(e.inst, e.index as usize)[n]);
            if v == p || found == Some(v) {
                continue;
            }
            // Where one way brings nothing in particular, the other ways decide - if that is available, which a
            // constant always is.
            if found.is_some() {
                return None;
            }
            found = Some(v);
        }
        found
    }

    /// An earlier parameter that always gets the same argument.
    fn duplicate_parameter(&self, cfg: &Cfg, b: Block, n: usize, params: &[Value], keep: &[bool]) -> Option<Value> {
        let ty = self.func.dfg.ty(params[n]);
        let candidates = (0..n.min(MAX_COMPARED)).filter(|&k| keep[k] && self.func.dfg.ty(params[k]) == ty);
        for k in candidates {
            let same = cfg.preds(b).iter().all(|e| {
                let args = self.func.dfg.branch_args(e.inst, e.index as usize);
                let (x, y) = (self.func.dfg.resolve(args[n]), self.func.dfg.resolve(args[k]));
                x == y || x == params[n] && y == params[k]
            });
            if same {
                return Some(params[k]);
            }
        }
        None
    }

    // ---- blocks ---------------------------------------------------------------------------------------------------

    fn block(&mut self, b: Block) {
        self.merge_successors(b);
        let t = self.func.layout.terminator(b);
        match self.func.dfg.op(t) {
            Opcode::Br => self.br(b, t),
            Opcode::Switch => self.switch(t),
            _ => {}
        }
        // A block that became unreachable in this round goes when the cycle that it is in breaks.
        let Some(t) = self.func.layout.last_inst(b) else { return };
        for n in 0..self.func.dfg.successor_count(t) {
            self.skip_empty(t, n);
        }
        self.merge_successors(b);
    }

    /// Appends the only successor as long as this is its only predecessor.
    fn merge_successors(&mut self, b: Block) {
        while let Some(t) = self.func.layout.last_inst(b) {
            if self.func.dfg.op(t) != Opcode::Jump || self.func.dfg.insts[t].flags.has(Flags::APART) {
                return;
            }
            let s = self.func.dfg.successor(t, 0);
            if self.preds[s] != 1 || s == b || s == self.func.layout.entry() {
                return;
            }
            let Self { func, uses, aliased, .. } = self;
            edit::merge_successor(func, b, |dfg, param, value| {
                let value = dfg.resolve(value);
                if let Some(uses) = uses.as_mut() {
                    uses[value] += uses[param];
                }
                dfg.replace_value(param, value);
                *aliased = true;
            });
            self.preds[s] = 0;
            self.merged = true;
        }
    }

    /// One branch to `b` is gone.
    fn lose_edge(&mut self, b: Block) {
        self.preds[b] -= 1;
        if self.preds[b] > 0 || b == self.func.layout.entry() {
            return;
        }
        let t = self.func.layout.terminator(b);
        let lost: SmallVec<[Block; 2]> = self.func.dfg.successors(t).collect();
        self.func.layout.remove_block(b);
        for s in lost {
            // Not deep: a chain of blocks each reached only through the one before.
            if self.preds[s] == 1 {
                self.preds[s] = 0;
                self.orphan(s);
            } else {
                self.preds[s] -= 1;
            }
        }
    }

    /// Takes out a block that nothing reaches any more, and what follows from it, without recursion.
    fn orphan(&mut self, b: Block) {
        let mut work: SmallVec<[Block; 8]> = SmallVec::new();
        work.push(b);
        while let Some(b) = work.pop() {
            if !self.func.layout.is_placed(b) {
                continue;
            }
            let t = self.func.layout.terminator(b);
            let lost: SmallVec<[Block; 2]> = self.func.dfg.successors(t).collect();
            self.func.layout.remove_block(b);
            for s in lost {
                self.preds[s] = self.preds[s].saturating_sub(1);
                if self.preds[s] == 0 {
                    work.push(s);
                }
            }
        }
    }

    /// Makes a terminator jump to its successor `n` with these arguments.
    fn jump_instead(&mut self, t: Inst, n: usize, args: &[Value]) {
        let targets: SmallVec<[Block; 4]> = self.func.dfg.successors(t).collect();
        let md = self.func.dfg.insts[t].loop_md();
        let call = self.func.dfg.block_call(targets[n], args);
        self.func.dfg.rewrite(t, Opcode::Jump, Flags::NONE, &[], Payload::Jump(call, md.into()));
        for (k, &b) in targets.iter().enumerate() {
            if k != n {
                self.lose_edge(b);
            }
        }
        self.changed = true;
    }

    // ---- branches -------------------------------------------------------------------------------------------------

    fn br(&mut self, b: Block, t: Inst) {
        let cond = self.func.dfg.resolve(self.func.dfg.arg(t, 0));
        let (yes, no) = (self.func.dfg.successor(t, 0), self.func.dfg.successor(t, 1));
        let has_md = self.func.dfg.insts[t].loop_md().is_some();
        if let Some(c) = self.func.dfg.as_bits(cond)
            && !has_md
        {
            let n = if c == 1 { 0 } else { 1 };
            let args = self.args(t, n);
            return self.jump_instead(t, n, &args);
        }
        if yes == no {
            return self.same_target(t, cond);
        }
        if !has_md && let Some(n) = self.answered_before(b, cond) {
            let args = self.args(t, n);
            return self.jump_instead(t, n, &args);
        }
        if let Some(n) = [yes, no].iter().position(|&s| self.is_unreachable_block(s)) {
            return self.assume_instead(t, cond, n);
        }
        if !has_md {
            self.speculate(b, t, cond, yes, no);
        }
    }

    fn is_unreachable_block(&self, b: Block) -> bool {
        edit::only_inst(self.func, b).is_some_and(|i| self.func.dfg.op(i) == Opcode::Unreachable)
    }

    fn assume_instead(&mut self, t: Inst, cond: Value, never: usize) {
        let mut build = Builder::before(self.func, t);
        let fact = if never == 1 {
            cond
        } else {
            let one = build.iconst(Type::I1, 1);
            build.binary(Opcode::Xor, cond, one)
        };
        build.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[fact], Payload::None);
        let args = self.args(t, 1 - never);
        self.jump_instead(t, 1 - never, &args);
    }

    /// Both ways lead to one block: only the arguments depend on the condition.
    fn same_target(&mut self, t: Inst, cond: Value) {
        let (a, b) = (self.args(t, 0), self.args(t, 1));
        if let Some(args) = self.select_args(t, cond, &a, &b) {
            self.jump_instead(t, 0, &args);
        }
    }

    /// Selects between two lists of arguments, if that is cheap enough.
    fn select_args(&mut self, before: Inst, cond: Value, a: &[Value], b: &[Value]) -> Option<SmallVec<[Value; 8]>> {
        if a.iter().zip(b).filter(|(x, y)| x != y).count() > MAX_SELECTS {
            return None;
        }
        let mut build = Builder::before(self.func, before);
        Some(a.iter().zip(b).map(|(&x, &y)| if x == y { x } else { build.select(cond, x, y) }).collect())
    }

    /// An arm of a branch that may be executed needlessly: its instructions, and where it goes on.
    fn arm(&self, s: Block, insts: &mut SmallVec<[Inst; 8]>) -> Option<(Block, SmallVec<[Value; 8]>)> {
        if self.preds[s] != 1 || self.headers.contains(s) {
            return None;
        }
        for i in self.func.layout.insts(s) {
            let data = &self.func.dfg.insts[i];
            if data.op == Opcode::Jump {
                let (to, args) = (self.func.dfg.successor(i, 0), self.args(i, 0));
                return data.loop_md().is_none().then_some((to, args));
            }
            if !data.op.is_cheap() || insts.len() == MAX_SPECULATED {
                return None;
            }
            insts.push(i);
        }
        None
    }

    /// `if (c) { cheap } else { cheap }` becomes selects.
    fn speculate(&mut self, b: Block, t: Inst, cond: Value, yes: Block, no: Block) {
        let mut insts: SmallVec<[Inst; 8]> = SmallVec::new();
        // Either both arms are cheap and meet, or one arm is and falls into the other target.
        let first = self.arm(yes, &mut insts);
        let after_first = insts.len();
        let second = self.arm(no, &mut insts);
        let direct = |n: usize| (self.func.dfg.successor(t, n), self.args(t, n));
        let (join, a1, a2) = match (first, second) {
            (Some((j1, a1)), Some((j2, a2))) if j1 == j2 => (j1, a1, a2),
            (Some((j, a1)), _) if j == no => {
                insts.truncate(after_first);
                (j, a1, direct(1).1)
            }
            (_, Some((j, a2))) if j == yes => {
                insts.drain(..after_first);
                (j, direct(0).1, a2)
            }
            _ => return,
        };
        if self.headers.contains(join) && (join == yes || join == no) {
            return;
        }
        // Parameters of the arms are the branch's arguments.
        let mut renamed: SmallVec<[(Value, Value); 8]> = SmallVec::new();
        for (n, s) in [(0, yes), (1, no)] {
            if s != join {
                renamed.extend(self.func.dfg.params(s).iter().copied().zip(self.args(t, n)));
            }
        }
        let rename = |v: &Value| renamed.iter().find(|(p, _)| p == v).map_or(*v, |(_, v)| *v);
        let a1: SmallVec<[Value; 8]> = a1.iter().map(rename).collect();
        let a2: SmallVec<[Value; 8]> = a2.iter().map(rename).collect();
        if a1.iter().zip(&a2).filter(|(x, y)| x != y).count() > MAX_SELECTS {
            return;
        }
        for &(p, v) in &renamed {
            self.alias(p, v);
        }
        for i in insts {
            self.func.layout.remove_inst(i);
            self.func.layout.insert_inst_before(i, t);
        }
        let Some(args) = self.select_args(t, cond, &a1, &a2) else { return };
        let call = self.func.dfg.block_call(join, &args);
        self.func.dfg.rewrite(t, Opcode::Jump, Flags::NONE, &[], Payload::Jump(call, None.into()));
        self.preds[join] += 1;
        for s in [yes, no] {
            self.lose_edge(s);
        }
        self.changed = true;
        self.merge_successors(b);
    }

    // ---- switches -------------------------------------------------------------------------------------------------

    fn switch(&mut self, t: Inst) {
        let Payload::Switch(s) = self.func.dfg.insts[t].payload else { return };
        let table = &self.func.dfg.switches[s];
        let pool = &self.func.dfg.pool;
        let same = |x: &BlockCall, y: &BlockCall| x.block == y.block && x.args.as_slice(pool) == y.args.as_slice(pool);
        let useless: SmallVec<[bool; 16]> = table.cases.iter().map(|(_, c)| same(c, &table.default)).collect();
        if useless.contains(&true) {
            let default = table.default.block;
            let mut n = 0;
            self.func.dfg.switches[s].cases.retain(|_| {
                n += 1;
                !useless[n - 1]
            });
            self.preds[default] -= useless.iter().filter(|u| **u).count() as u32;
            self.changed = true;
        }
        if self.func.dfg.switches[s].cases.len() > 1 {
            return;
        }
        let v = self.func.dfg.arg(t, 0);
        let table = self.func.dfg.switches[s].clone();
        match table.cases.as_slice() {
            [] => {
                let payload = Payload::Jump(table.default, None.into());
                self.func.dfg.rewrite(t, Opcode::Jump, Flags::NONE, &[], payload);
                self.changed = true;
            }
            [(n, case)] => {
                let ty = self.func.dfg.ty(v);
                let k = self.func.dfg.bits(ty, *n);
                let c = Builder::before(self.func, t).icmp(IntCC::Eq, v, k);
                let payload = Payload::Br([case.clone(), table.default], None.into());
                self.func.dfg.rewrite(t, Opcode::Br, Flags::NONE, &[c], payload);
                self.changed = true;
            }
            _ => {}
        }
    }

    // ---- empty blocks ---------------------------------------------------------------------------------------------

    /// Makes successor `n` of `t` go past blocks that do nothing on the way.
    fn skip_empty(&mut self, t: Inst, n: usize) {
        // Each step leaves a block behind; a cycle of empty blocks has a header, where the walk ends.
        for _ in 0..16 {
            let e = self.func.dfg.successor(t, n);
            let Some((to, args)) = self.beyond(t, n, e) else { return };
            self.func.dfg.set_branch_args(t, n, &args);
            self.func.dfg.set_successor(t, n, to);
            if let Some(uses) = &mut self.uses {
                args.iter().for_each(|&v| uses[v] += 1);
            }
            self.preds[to] += 1;
            self.lose_edge(e);
            self.changed = true;
        }
    }

    /// Where a branch to `e` leads in the end, if `e` does nothing but lead there.
    fn beyond(&mut self, t: Inst, n: usize, e: Block) -> Option<(Block, SmallVec<[Value; 8]>)> {
        let only = edit::only_inst(self.func, e)?;
        let data = &self.func.dfg.insts[only];
        if self.headers.contains(e) || data.loop_md().is_some() || e == self.func.layout.entry() || only == t {
            return None;
        }
        let params: SmallVec<[Value; 8]> = self.func.dfg.params(e).into();
        let given = self.args(t, n);
        let pick = match data.op {
            Opcode::Jump => 0,
            Opcode::Br => {
                let cond = self.func.dfg.resolve(self.func.dfg.arg(only, 0));
                match self.func.dfg.values[cond].def {
                    ValueDef::Param(owner, k) if owner == e => {
                        let Some(ConstKind::Bits(c)) = self.func.dfg.as_const(given[k as usize]) else { return None };
                        if c == 1 { 0 } else { 1 }
                    }
                    _ => self.answered(t, n, cond)?,
                }
            }
            _ => return None,
        };
        let to = self.func.dfg.successor(only, pick);
        // Preheaders and latches stay.
        if self.headers.contains(to) || to == e {
            return None;
        }
        // The block's own parameters must not be wanted further on.
        let mut here: SecondaryCount = SmallVec::from_elem(0, params.len());
        self.func.dfg.for_each_use(only, |v| {
            if let Some(k) = params.iter().position(|&p| p == self.func.dfg.resolve(v)) {
                here[k] += 1;
            }
        });
        if !params.is_empty() {
            let uses = self.uses();
            if params.iter().zip(&here).any(|(&p, &count)| uses[p] > count) {
                return None;
            }
        }
        let args = self.args(only, pick);
        let substituted = args.iter().map(|&v| params.iter().position(|&p| p == v).map_or(v, |k| given[k])).collect();
        Some((to, substituted))
    }

    /// Which way a branch on `cond` goes where successor `n` of `t` is entered: as the last one on the same condition went.
    fn answered(&self, mut t: Inst, mut n: usize, cond: Value) -> Option<usize> {
        for _ in 0..MAX_UP {
            let dfg = &self.func.dfg;
            let place = |n: usize| dfg.successor(t, n);
            if dfg.op(t) == Opcode::Br && dfg.resolve(dfg.arg(t, 0)) == cond && place(0) != place(1) {
                return Some(n);
            }
            let b = self.func.layout.inst_block(t)?;
            (t, n) = self.only_way_to(b)?;
        }
        None
    }

    /// Which way a branch on `cond` at the end of `b` goes, if that was asked on the only way to `b`.
    fn answered_before(&self, b: Block, cond: Value) -> Option<usize> {
        let (t, n) = self.only_way_to(b)?;
        self.answered(t, n, cond)
    }

    /// The only branch that leads to a block, and which of its ways does. What the round has changed since may not be in the graph.
    fn only_way_to(&self, b: Block) -> Option<(Inst, usize)> {
        let &[e] = self.cfg.preds(b) else { return None };
        let (func, n) = (&*self.func, e.index as usize);
        let holds = self.preds[b] == 1
            && func.layout.is_placed(e.from)
            && func.layout.last_inst(e.from) == Some(e.inst)
            && func.dfg.successor_count(e.inst) > n
            && func.dfg.successor(e.inst, n) == b;
        holds.then_some((e.inst, n))
    }
}

type SecondaryCount = SmallVec<[u32; 8]>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{LoopMeta, Module};

    #[test]
    fn short_circuit_becomes_straight() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I32, &[Type::I1, Type::I1, Type::I32], run, |f, entry, p| {
            let (rhs, merge, yes, no) = (f.new_block(), f.new_block(), f.new_block(), f.new_block());
            let x = f.dfg.add_param(merge, Type::I1);
            let mut b = Builder::at_end(f, entry);
            let no_const = b.iconst(Type::I1, 0);
            b.br(p[0], (rhs, &[]), (merge, &[no_const]));
            b.switch_to(rhs);
            b.jump(merge, &[p[1]]);
            b.switch_to(merge);
            b.br(x, (yes, &[]), (no, &[]));
            b.switch_to(yes);
            b.ret(Some(p[2]));
            b.switch_to(no);
            let zero = b.iconst(Type::I32, 0);
            b.ret(Some(zero));
        });
        let f = &module.functions[f];
        assert!(f.layout.blocks().count() <= 4);
        assert!(f.layout.blocks().all(|b| f.dfg.params(b).len() == usize::from(b == f.layout.entry()) * 3));
    }

    #[test]
    fn one_condition_asked_twice_is_one_branch() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::VOID, &[Type::I1], run, |f, entry, p| {
            let (first, between, second, end) = (f.new_block(), f.new_block(), f.new_block(), f.new_block());
            let fence = |b: &mut Builder<'_>| {
                b.inst(
                    Opcode::Fence,
                    Type::VOID,
                    Flags::NONE,
                    &[],
                    Payload::Fence(ir::MemOrder::SeqCst, ir::Scope::Group),
                );
            };
            let mut b = Builder::at_end(f, entry);
            b.br(p[0], (first, &[]), (between, &[]));
            b.switch_to(first);
            fence(&mut b);
            b.jump(between, &[]);
            b.switch_to(between);
            b.br(p[0], (second, &[]), (end, &[]));
            b.switch_to(second);
            fence(&mut b);
            b.jump(end, &[]);
            b.switch_to(end);
            b.ret(None);
        });
        let f = &module.functions[f];
        let branches = f.layout.blocks().filter(|&b| f.dfg.op(f.layout.terminator(b)) == Opcode::Br);
        assert_eq!((branches.count(), f.layout.blocks().count()), (1, 3));
    }

    #[test]
    fn diamond_becomes_a_select() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I32, &[Type::I1, Type::I32], run, |f, entry, p| {
            let (yes, join) = (f.new_block(), f.new_block());
            let x = f.dfg.add_param(join, Type::I32);
            let mut b = Builder::at_end(f, entry);
            b.br(p[0], (yes, &[]), (join, &[p[1]]));
            b.switch_to(yes);
            let one = b.iconst(Type::I32, 1);
            let y = b.add(p[1], one);
            b.jump(join, &[y]);
            b.switch_to(join);
            b.ret(Some(x));
        });
        let f = &module.functions[f];
        let ops: Vec<_> = f.layout.insts(f.layout.entry()).map(|i| f.dfg.op(i)).collect();
        assert_eq!(ops, [Opcode::Add, Opcode::Select, Opcode::Return]);
    }

    #[test]
    fn loops_keep_their_shape_and_metadata() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::VOID, &[Type::I32, Type::I32], run, |f, entry, p| {
            let (pre, head, latch, exit) = (f.new_block(), f.new_block(), f.new_block(), f.new_block());
            let i = f.dfg.add_param(head, Type::I32);
            let same = f.dfg.add_param(head, Type::I32);
            let md = f.loops.push(LoopMeta::default());
            let mut b = Builder::at_end(f, entry);
            let zero = b.iconst(Type::I32, 0);
            let c = b.icmp(IntCC::Slt, p[0], zero);
            b.br(c, (exit, &[]), (pre, &[]));
            b.switch_to(pre);
            b.jump(head, &[zero, p[1]]);
            b.switch_to(head);
            let next = b.add(i, same);
            let c = b.icmp(IntCC::Slt, next, p[0]);
            b.br(c, (latch, &[]), (exit, &[]));
            b.switch_to(latch);
            b.jump_md(head, &[next, same], Some(md));
            b.switch_to(exit);
            b.ret(None);
        });
        let f = &module.functions[f];
        assert_eq!(f.layout.blocks().count(), 5);
        let with_md = f.layout.blocks().filter(|&b| {
            let t = f.layout.terminator(b);
            f.dfg.insts[t].loop_md().is_some()
        });
        assert_eq!(with_md.count(), 1);
        let head = f.layout.blocks().nth(2).unwrap();
        assert_eq!(f.dfg.params(head).len(), 1, "the invariant parameter goes");
    }

    #[test]
    fn switch_of_one_case_is_a_branch() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::VOID, &[Type::I32], run, |f, entry, p| {
            let (a, d) = (f.new_block(), f.new_block());
            let mut b = Builder::at_end(f, entry);
            b.switch(p[0], &[(1, a), (2, d), (3, d)], d);
            b.switch_to(a);
            b.inst(Opcode::Fence, Type::VOID, Flags::NONE, &[], Payload::Fence(ir::MemOrder::SeqCst, ir::Scope::Group));
            b.jump(d, &[]);
            b.switch_to(d);
            b.ret(None);
        });
        let f = &module.functions[f];
        assert_eq!(f.dfg.op(f.layout.terminator(f.layout.entry())), Opcode::Br);
    }
}
