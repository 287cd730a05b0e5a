//! Loops and their hints.

use crate::check::Checker;
use crate::check::call::Arg;
use crate::program::{ExprId, ExprKind, LocalId, StmtId, StmtKind};
use crate::types::{Quals, Ty, TyId};
use smallvec::SmallVec;
use source::{Span, Symbol};
use syntax::ast::{self, Condition, DeclKind, StmtKind as A};

impl Checker<'_> {
    pub(super) fn attributed(
        &mut self,
        hints: ast::List<ast::LoopHint>,
        attrs: ast::List<ast::Attr>,
        stmt: ast::StmtId,
    ) -> StmtId {
        let ast = self.ast;
        self.stmt_attrs(attrs);
        let mut all: Vec<ast::LoopHint> = ast.list(hints).to_vec();
        let mut inner = stmt;
        while let A::Attributed { hints, attrs, stmt } = ast[inner].kind {
            all.extend_from_slice(ast.list(hints));
            self.stmt_attrs(attrs);
            inner = stmt;
        }
        match ast[inner].kind {
            A::While { .. } | A::Do { .. } | A::For { .. } | A::RangeFor { .. } => {
                self.loop_stmt(inner, &all, ast[inner].span)
            }
            _ => {
                for h in &all {
                    self.hint_before_non_loop(h);
                }
                self.stmt(inner)
            }
        }
    }

    pub(super) fn loop_stmt(&mut self, id: ast::StmtId, hints: &[ast::LoopHint], span: Span) -> StmtId {
        let index = self.cx.loops.len() as u32;
        let place = self.loop_keyword(id);
        self.cx.loops.push(crate::program::LoopHints { span: place, ..Default::default() });
        let resolved = self.loop_hints(hints, place);
        self.cx.loops[index as usize] = resolved;
        let b = self.open_block();
        let mut pre = Vec::new();
        let s = match self.ast[id].kind {
            A::While { cond, body } => self.while_loop(cond, body, index, span),
            A::Do { body, cond } => {
                let body = self.loop_body(body);
                let c = self.cond(Condition::Expr(cond), &mut pre);
                self.push_stmt(StmtKind::DoWhile { body, cond: c, hints: index }, span)
            }
            A::For { init, cond, step, body } => self.for_loop(init, cond, step, body, index, span),
            A::RangeFor { init, decl, range, body } => {
                if let Some(i) = init {
                    let s = self.stmt_in_scope(i);
                    pre.extend(s);
                }
                self.range_for(decl, range, body, index, &mut pre, span)
            }
            _ => self.push_stmt(StmtKind::Empty, span),
        };
        self.wrap(pre, s, &b, span)
    }

    /// The keyword of a loop.
    fn loop_keyword(&self, id: ast::StmtId) -> Span {
        let s = self.ast[id];
        let len = match s.kind {
            A::While { .. } => 5,
            A::Do { .. } => 2,
            _ => 3,
        };
        Span { lo: s.span.lo, hi: (s.span.lo + len).min(s.span.hi.max(s.span.lo)), expn: s.span.expn }
    }

    fn loop_body(&mut self, body: ast::StmtId) -> StmtId {
        self.loop_body_from(body, self.cx.live.len())
    }

    /// The body of a loop that ends the objects from `height` on in each round.
    fn loop_body_from(&mut self, body: ast::StmtId, height: usize) -> StmtId {
        self.cx.loop_depth += 1;
        self.cx.breakable += 1;
        self.cx.break_marks.push(height);
        self.cx.continue_marks.push(height);
        let s = self.scoped(body);
        self.cx.break_marks.pop();
        self.cx.continue_marks.pop();
        self.cx.breakable -= 1;
        self.cx.loop_depth -= 1;
        s
    }

    fn while_loop(&mut self, cond: Condition, body: ast::StmtId, index: u32, span: Span) -> StmtId {
        match cond {
            Condition::Expr(_) => {
                let c = self.cond(cond, &mut Vec::new());
                let body = self.loop_body(body);
                self.push_stmt(StmtKind::While { cond: c, body, hints: index }, span)
            }
            Condition::Decl(d) => {
                // while (T x = e) body  =  while (true) { T x = e; if (!x) break; body }
                let around = self.open_block();
                let mut stmts = Vec::new();
                let v = self.cond_decl(d, &mut stmts);
                let c = self.condition(v);
                let test = self.leave_unless(c, around.live, span);
                stmts.push(test);
                let body = self.loop_body_from(body, around.live);
                stmts.push(body);
                self.close_block(&around, &mut stmts, span);
                let body = self.block(&stmts, span);
                let yes = self.int(1, TyId::BOOL, span);
                self.push_stmt(StmtKind::While { cond: yes, body, hints: index }, span)
            }
        }
    }

    fn for_loop(
        &mut self,
        init: Option<ast::StmtId>,
        cond: Option<Condition>,
        step: Option<ast::ExprId>,
        body: ast::StmtId,
        index: u32,
        span: Span,
    ) -> StmtId {
        let init = init.and_then(|i| {
            let mut s = self.stmt_in_scope(i);
            match s.len() {
                0 => None,
                1 => s.pop(),
                _ => Some(self.block(&s, self.ast[i].span)),
            }
        });
        let mut test = Vec::new();
        let around = self.open_block();
        let c = cond.map(|c| self.cond(c, &mut test));
        if !test.is_empty() {
            // A declared condition variable: evaluated in the body before everything else.
            let step = step.map(|e| self.expr(e));
            if let Some(c) = c {
                let s = self.leave_unless(c, around.live, span);
                test.push(s);
            }
            let body = self.loop_body_from(body, around.live);
            test.push(body);
            self.close_block(&around, &mut test, span);
            let body = self.block(&test, span);
            return self.push_stmt(StmtKind::For { init, cond: None, step, body, hints: index }, span);
        }
        self.close_block(&around, &mut test, span);
        let step = step.map(|e| self.expr(e));
        let body = self.loop_body(body);
        self.push_stmt(StmtKind::For { init, cond: c, step, body, hints: index }, span)
    }

    /// Ends a loop where its condition does not hold, and the objects from `height` on.
    fn leave_unless(&mut self, cond: ExprId, height: usize, span: Span) -> StmtId {
        let mut out = Vec::new();
        self.destroy_down_to(height, &mut out, span);
        out.push(self.push_stmt(StmtKind::Break, span));
        let leave = self.block(&out, span);
        let empty = self.push_stmt(StmtKind::Empty, span);
        self.push_stmt(StmtKind::If { cond, then: empty, other: Some(leave) }, span)
    }

    /// `for (decl : range)` over an array, or an object with `begin()` and `end()`.
    fn range_for(
        &mut self,
        decl: ast::DeclId,
        range: ast::ExprId,
        body: ast::StmtId,
        index: u32,
        pre: &mut Vec<StmtId>,
        span: Span,
    ) -> StmtId {
        let at = self.ast[range].span;
        let r = match self.ast[range].kind {
            ast::ExprKind::InitList(items) => self.listed_range(items, pre, at),
            _ => self.expr(range),
        };
        let r = self.place(r);
        let r = self.held_range(r, pre, at);
        let (begin, end) = match *self.p.types.get(self.ty(r)) {
            Ty::Array { len: Some(n), .. } => {
                let first = self.decay(r);
                let n = self.int(i128::from(n), TyId::LONG, at);
                let ty = self.ty(first);
                let last = self.rv(ExprKind::PtrOffset { ptr: first, index: n, negative: false }, ty, at);
                (first, last)
            }
            Ty::Record(_) => {
                let (b, e) = (self.sess.intern("begin"), self.sess.intern("end"));
                let (first, last) = match self.free_ends(r, b, e, at) {
                    Some(ends) => ends,
                    None => (self.call_named_member(r, b, &[], at), self.call_named_member(r, e, &[], at)),
                };
                (self.rvalue(first), self.rvalue(last))
            }
            Ty::Error => return self.range_of_unknown(decl, range, body, span),
            _ => {
                let name = self.show(self.ty(r));
                self.error("E0381", at, format!("cannot range over a value of type `{name}`"));
                return self.push_stmt(StmtKind::Empty, span);
            }
        };
        if self.is_err(begin) || self.is_err(end) {
            return self.range_of_unknown(decl, range, body, span);
        }
        let it = self.temp_with(begin, pre, at);
        let last = self.temp_with(end, pre, at);
        let (a, b) = (self.local_place(it, at), self.local_place(last, at));
        let test = self.built_binary(ast::BinaryOp::Ne, a, b, at);
        let test = self.condition(test);
        let step_place = self.local_place(it, at);
        let step = self.built_incdec(step_place, true, true, at);
        let inner = self.open_block();
        let item = self.local_place(it, at);
        let item = self.built_deref(item, at);
        let mut stmts: Vec<StmtId> = Vec::new();
        let mut first: SmallVec<[StmtId; 2]> = SmallVec::new();
        // The loop variable's initialiser is the item: handed over as already checked.
        self.range_variable(decl, item, self.element_key(range), &mut first);
        stmts.extend(first);
        let body = self.loop_body(body);
        stmts.push(body);
        self.close_block(&inner, &mut stmts, span);
        let body = self.block(&stmts, span);
        self.push_stmt(StmtKind::For { init: None, cond: Some(test), step: Some(step), body, hints: index }, span)
    }

    /// `begin(r)` and `end(r)` of the class's namespace, where it has neither as a member (C++17, 9.5.4).
    fn free_ends(&mut self, r: ExprId, begin: Symbol, end: Symbol, at: Span) -> Option<(ExprId, ExprId)> {
        let record = self.p.types.as_record(self.ty(r))?;
        self.complete_record(record);
        let scope = self.decls[record].scope;
        if self.lookup_in(scope, begin).is_some() || self.lookup_in(scope, end).is_some() {
            return None;
        }
        let args = [Arg::Expr(r)];
        let (b, e) = (self.adl(begin, &args), self.adl(end, &args));
        if b.is_empty() || e.is_empty() {
            return None;
        }
        let first = self.call_overloads(&b, None, &args, None, at, at);
        Some((first, self.call_overloads(&e, None, &args, None, at, at)))
    }

    /// `for (… : {a, b, c})`: an array of these, which have one type (C++17, 9.5.4 and 11.6.4p6).
    fn listed_range(&mut self, items: ast::List<ast::InitItem>, pre: &mut Vec<StmtId>, at: Span) -> ExprId {
        let Some((elem, n)) = self.listed_type(items, at) else { return self.err(at) };
        let ty = self.p.types.intern(Ty::Array { elem, len: Some(n) });
        let list = self.init_list(items, ty, at);
        if self.is_err(list) {
            return list;
        }
        let l = self.temp_with(list, pre, at);
        self.local_place(l, at)
    }

    /// The expression in whose place an element is handed over: not a list, which would be an initialiser of its own.
    fn element_key(&self, range: ast::ExprId) -> ast::ExprId {
        match self.ast[range].kind {
            ast::ExprKind::InitList(items) => self.ast.list(items).first().map_or(range, |i| i.value),
            _ => range,
        }
    }

    /// A loop over what was wrong or, in host code, is not known. There its body may launch.
    fn range_of_unknown(&mut self, decl: ast::DeclId, range: ast::ExprId, body: ast::StmtId, span: Span) -> StmtId {
        if self.reads_host() {
            let inner = self.open_block();
            let item = self.err(span);
            let mut stmts = SmallVec::new();
            self.range_variable(decl, item, self.element_key(range), &mut stmts);
            self.loop_body(body);
            self.close_block(&inner, &mut Vec::new(), span);
        }
        self.push_stmt(StmtKind::Empty, span)
    }

    /// The object that a loop runs over, which is evaluated once and, if it is a temporary, lives as long as the loop.
    fn held_range(&mut self, r: ExprId, pre: &mut Vec<StmtId>, at: Span) -> ExprId {
        let x = *self.e(r);
        let named = matches!(x.kind, ExprKind::Local(_) | ExprKind::Global(_));
        if named || self.p.types.as_record(x.ty).is_none() {
            return r;
        }
        let ty = self.p.types.pointer(x.ty, x.quals, x.space);
        let address = self.rv(ExprKind::AddrOf(r), ty, at);
        let held = self.temp_with(address, pre, at);
        self.outlive(address);
        let held = self.local_place(held, at);
        let held = self.rvalue(held);
        self.deref(held, at)
    }

    pub(super) fn temp_with(&mut self, v: ExprId, pre: &mut Vec<StmtId>, span: Span) -> LocalId {
        let ty = self.ty(v);
        let l = self.new_local(None, ty, Quals::NONE, span);
        let s = self.push_stmt(StmtKind::Decl { local: l, init: Some(v) }, span);
        pre.push(s);
        l
    }

    fn range_variable(&mut self, decl: ast::DeclId, item: ExprId, key: ast::ExprId, out: &mut SmallVec<[StmtId; 2]>) {
        let d = self.ast[decl];
        let init = ast::Init::Copy(key);
        self.cx.prechecked = Some((key, item));
        match d.kind {
            DeclKind::Var { ty, .. } => self.local_var(decl, ty, init, out),
            DeclKind::Bindings { names, ty, .. } => self.bindings(&d, names, ty, init, out),
            _ => {}
        }
        self.cx.prechecked = None;
    }

    pub(super) fn leave(&mut self, is_break: bool, span: Span) -> StmtId {
        let ok = if is_break { self.cx.breakable > 0 } else { self.cx.loop_depth > 0 };
        if !ok {
            let what = if is_break {
                "`break` statement not in a loop or switch"
            } else {
                "`continue` statement not in a loop"
            };
            self.error("E0382", span, what);
            return self.push_stmt(StmtKind::Empty, span);
        }
        let marks = if is_break { &self.cx.break_marks } else { &self.cx.continue_marks };
        let height = marks.last().copied().unwrap_or(0);
        let mut out = Vec::new();
        self.destroy_down_to(height, &mut out, span);
        let s = self.push_stmt(if is_break { StmtKind::Break } else { StmtKind::Continue }, span);
        if out.is_empty() {
            return s;
        }
        out.push(s);
        self.block(&out, span)
    }
}
