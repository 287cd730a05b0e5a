//! Statements.

use crate::func::{FunctionLowering, Targets};
use ir::{Block, LoopMd, LoopMeta, UnrollRequest, Value};
use sema::program::{ExprId, ExprKind, ListId, StmtId, StmtKind, UnaryOp};
use source::Fate;

/// Iterations expected of a loop whose condition is expected to hold; the odds that compilers give
/// `__builtin_expect`, 2000 to 1.
const EXPECTED_LIKELY: u32 = 2000;
/// Iterations expected of a loop whose condition is expected to fail.
const EXPECTED_UNLIKELY: u32 = 1;

fn request(r: sema::program::UnrollRequest) -> UnrollRequest {
    match r {
        sema::program::UnrollRequest::None => UnrollRequest::None,
        sema::program::UnrollRequest::Disable => UnrollRequest::Disable,
        sema::program::UnrollRequest::Enable => UnrollRequest::Enable,
        sema::program::UnrollRequest::Full => UnrollRequest::Full,
        sema::program::UnrollRequest::Count(n) => UnrollRequest::Count(n),
    }
}

impl FunctionLowering<'_, '_> {
    pub(crate) fn stmt(&mut self, id: StmtId) {
        let s = *self.cx.program.stmt(id);
        if self.enter(s.span) {
            self.span = s.span;
            self.stmt_inner(s.kind);
        }
        self.depth -= 1;
    }

    /// A statement expression: its statements, then its value, for which the pragmas among the statements hold too.
    pub(crate) fn statement_expr<R>(&mut self, body: StmtId, value: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.contract;
        let program = self.cx.program;
        match program.stmt(body).kind {
            StmtKind::Block(list) => program.stmts(list).iter().for_each(|&s| self.stmt(s)),
            _ => self.stmt(body),
        }
        let r = value(self);
        self.contract = outer;
        r
    }

    fn stmt_inner(&mut self, kind: StmtKind) {
        let program = self.cx.program;
        match kind {
            StmtKind::Empty => {}
            StmtKind::Block(list) => {
                let outer = self.contract;
                for &s in program.stmts(list) {
                    self.stmt(s);
                }
                self.contract = outer;
            }
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Decl { local, init } => self.init_local(local, init),
            StmtKind::If { cond, then, other } => self.if_stmt(cond, then, other),
            StmtKind::While { cond, body, hints } => self.while_stmt(cond, body, hints),
            StmtKind::DoWhile { body, cond, hints } => self.do_stmt(body, cond, hints),
            StmtKind::For { init, cond, step, body, hints } => {
                if let Some(i) = init {
                    self.stmt(i);
                }
                self.for_loop(cond, step, body, hints);
            }
            StmtKind::Switch { value, cases, has_default, body } => self.switch_stmt(value, cases, has_default, body),
            StmtKind::Case(n) => {
                self.entries += 1;
                if let Some(&block) = self.cases.last().and_then(|c| c.get(n as usize)) {
                    self.jump(block);
                    // It may still get predecessors: the switch seals it.
                    self.start(block);
                }
            }
            StmtKind::Break => {
                if let Some(t) = self.targets.last().copied() {
                    self.jump(t.break_to);
                    self.start_dead();
                }
            }
            StmtKind::Continue => {
                if let Some(to) = self.targets.iter().rev().find_map(|t| t.continue_to) {
                    self.jump(to);
                    self.start_dead();
                }
            }
            StmtKind::Return(e) => self.return_stmt(e),
            StmtKind::Goto(label) => {
                let b = self.label(label.index());
                self.jump(b);
                self.start_dead();
            }
            StmtKind::Label(label) => {
                self.entries += 1;
                let b = self.label(label.index());
                self.jump(b);
                self.start(b);
            }
            StmtKind::FpContract(setting) => self.contract = setting,
            StmtKind::Asm(n) => self.asm_stmt(&program.asms[n as usize]),
        }
    }

    fn label(&mut self, n: usize) -> Block {
        if let Some(b) = self.labels[n] {
            return b;
        }
        let b = self.new_block();
        self.labels[n] = Some(b);
        b
    }

    fn if_stmt(&mut self, cond: ExprId, then: StmtId, other: Option<StmtId>) {
        let yes = self.new_block();
        let no = self.new_block();
        let end = if other.is_some() { self.new_block() } else { no };
        self.branch(cond, yes, no);
        self.start_sealed(yes);
        self.stmt(then);
        self.jump(end);
        if let Some(other) = other {
            self.start_sealed(no);
            self.stmt(other);
            self.jump(end);
        }
        self.start_sealed(end);
    }

    /// The metadata of loop `n` of the program's function.
    fn loop_md(&mut self, n: u32) -> LoopMd {
        if let Some(md) = self.loops[n as usize] {
            return md;
        }
        let h = &self.cx.program.functions[self.n].loops[n as usize];
        let meta = LoopMeta {
            instance: None,
            span: h.span,
            unroll: request(h.unroll),
            jam: request(h.and_jam),
            expected: None,
            held: None,
            hints: h.hints.iter().copied().collect(),
            done: false,
            nounroll: false,
            must_progress: true,
            keeps_loads: false,
            rare: false,
            overlaps: false,
            any_order: h.any_order,
        };
        for &hint in &h.hints {
            self.cx.session.ledger.govern(hint, &self.func.display);
        }
        let md = self.func.loops.push(meta);
        self.loops[n as usize] = Some(md);
        md
    }

    /// `__builtin_expect` around a loop's condition says how often the loop is expected to run.
    fn expect_iterations(&mut self, md: LoopMd, cond: Option<ExprId>) {
        let Some((likely, hint)) = cond.and_then(|c| self.expectation(c)) else { return };
        let expected = if likely { EXPECTED_LIKELY } else { EXPECTED_UNLIKELY };
        self.func.loops[md].expected = Some(expected);
        let done = format!("the loop is expected to run {expected} times");
        self.answer(hint, Fate::Honoured, &done, "the unroller weighs the expected trip count");
    }

    /// What a condition is expected to be, and the hint that says so.
    fn expectation(&self, cond: ExprId) -> Option<(bool, source::HintId)> {
        let (mut at, mut negated) = (cond, false);
        // Conversions and negations in front of it; a bound, should there be many.
        for _ in 0..16 {
            match self.cx.program.expr(at).kind {
                ExprKind::Expect { expected, hint, .. } => return Some(((expected != 0) != negated, hint)),
                ExprKind::Cast { operand, .. } => at = operand,
                ExprKind::Unary { op: UnaryOp::LogNot, operand } => (at, negated) = (operand, !negated),
                _ => return None,
            }
        }
        None
    }

    fn body(&mut self, body: StmtId, break_to: Block, continue_to: Block) {
        self.targets.push(Targets { break_to, continue_to: Some(continue_to) });
        self.stmt(body);
        self.targets.pop();
        self.jump(continue_to);
    }

    fn while_stmt(&mut self, cond: ExprId, body: StmtId, hints: u32) {
        self.for_loop(Some(cond), None, body, hints);
    }

    fn for_loop(&mut self, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId, hints: u32) {
        let md = self.loop_md(hints);
        self.expect_iterations(md, cond);
        let span = self.cx.program.functions[self.n].loops[hints as usize].span;
        let (head, start, latch, end) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        match cond {
            Some(c) => self.branch(c, start, end),
            None => self.jump(start),
        }
        self.start_sealed(start);
        let entries = self.entries;
        self.body(body, end, latch);
        self.start_sealed(latch);
        if let Some(s) = step {
            self.effect(s);
        }
        self.span = span;
        self.back_edge(head, md, entries);
        self.ssa.seal(&mut self.func, head);
        self.start_sealed(end);
    }

    /// Jumps back to the head of a loop before whose body `entries` labels had been met.
    fn back_edge(&mut self, head: Block, md: LoopMd, entries: u32) {
        self.jump_md(head, Some(md));
        if self.entries != entries
            && let Some(jump) = self.func.layout.last_inst(self.block)
        {
            self.entered.push((jump, head));
        }
    }

    fn do_stmt(&mut self, body: StmtId, cond: ExprId, hints: u32) {
        let md = self.loop_md(hints);
        self.expect_iterations(md, Some(cond));
        let (head, test, latch, end) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let entries = self.entries;
        self.body(body, end, test);
        self.start_sealed(test);
        self.branch(cond, latch, end);
        self.start_sealed(latch);
        self.back_edge(head, md, entries);
        self.ssa.seal(&mut self.func, head);
        self.start_sealed(end);
    }

    fn return_stmt(&mut self, e: Option<ExprId>) {
        let program = self.cx.program;
        let ret = program.functions[self.n].ret;
        let v = match (e, self.sret) {
            (Some(e), Some(dst)) => {
                self.expr_into(e, dst, program.types.align_of(ret));
                None
            }
            (Some(e), None) => {
                if self.func.ret.is_void() {
                    self.effect(e);
                    None
                } else {
                    let v = self.expr(e);
                    Some(self.packed(v))
                }
            }
            // Falling out of a function that returns something: whatever.
            (None, _) => (!self.func.ret.is_void()).then(|| self.func.dfg.undef(self.func.ret)),
        };
        if !self.is_terminated() {
            self.build(|b| b.ret(v));
        }
        self.start_dead();
    }

    fn switch_stmt(&mut self, value: ExprId, cases: ListId, has_default: bool, body: StmtId) {
        let program = self.cx.program;
        let v = self.expr(value);
        let list = program.cases(cases);
        let end = self.new_block();
        let mut blocks: Vec<Block> = Vec::with_capacity(list.len() + 1);
        for _ in 0..list.len() {
            blocks.push(self.new_block());
        }
        let default = if has_default {
            let b = self.new_block();
            blocks.push(b);
            b
        } else {
            end
        };
        self.dispatch(v, list, &blocks, default);
        self.cases.push(blocks.clone());
        self.targets.push(Targets { break_to: end, continue_to: None });
        // What stands before the first case is unreachable.
        self.start_dead();
        self.stmt(body);
        self.jump(end);
        self.targets.pop();
        self.cases.pop();
        for b in blocks {
            self.ssa.seal(&mut self.func, b);
        }
        self.start_sealed(end);
    }

    /// Branches to the block of the matching case: ranges that are too wide for the table are compared one by one.
    fn dispatch(&mut self, v: Value, list: &[sema::program::Case], blocks: &[Block], default: Block) {
        /// A range of more values is compared instead of listed.
        const MAX_LISTED: u64 = 64;
        let ty = self.ty(v);
        let mut table: Vec<(u64, Block)> = Vec::with_capacity(list.len());
        for (case, &block) in list.iter().zip(blocks) {
            let width = case.hi.wrapping_sub(case.lo) & ty.mask();
            if width < MAX_LISTED {
                table.extend((0..=width).map(|k| (case.lo.wrapping_add(k) & ty.mask(), block)));
                continue;
            }
            let lo = self.func.dfg.bits(ty, case.lo);
            let width = self.func.dfg.bits(ty, width);
            let from_lo = self.op2(ir::Opcode::Sub, v, lo);
            let inside = self.build(|b| b.icmp(ir::IntCC::Ule, from_lo, width));
            let next = self.new_block();
            self.br(inside, block, next, None);
            self.start_sealed(next);
        }
        if !self.is_terminated() {
            let i = self.build(|b| b.switch(v, &table, default));
            self.edges(i);
        }
    }
}
