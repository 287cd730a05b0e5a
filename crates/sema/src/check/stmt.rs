//! Statements.

use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, Condition, DeclKind, StmtKind as A};

use super::convert::Why;
use super::{Checker, Entity, LabelInfo, SwitchCx};
use crate::program::{Asm, AsmOperand, Case, ExprId, ExprKind, LabelId, ListId, LocalId, StmtId, StmtKind};
use crate::types::{AddrSpace, Quals, Ty, TyId};

/// What a block restores when it ends.
struct Block {
    names: usize,
    live: usize,
    start: usize,
    tags: usize,
}

impl Checker<'_> {
    fn open_block(&mut self) -> Block {
        let b = Block {
            names: self.cx.names.len(),
            live: self.cx.live.len(),
            start: self.block_start,
            tags: self.block_tags.len(),
        };
        self.block_start = b.names;
        self.cx.block_depth += 1;
        b
    }

    /// Ends a block: names go, objects are destroyed.
    fn close_block(&mut self, b: &Block, out: &mut Vec<StmtId>, span: Span) {
        self.destroy_down_to(b.live, out, span);
        self.cx.live.truncate(b.live);
        self.cx.names.truncate(b.names);
        self.block_start = b.start;
        self.block_tags.truncate(b.tags);
        self.cx.block_depth -= 1;
    }

    /// Destructor calls for the objects that leaving to `height` ends.
    pub(crate) fn destroy_down_to(&mut self, height: usize, out: &mut Vec<StmtId>, span: Span) {
        let live: Vec<_> = self.cx.live[height.min(self.cx.live.len())..].to_vec();
        for (l, _) in live.into_iter().rev() {
            let place = self.local_place(l, span);
            self.destroy(place, span, out);
        }
    }

    /// The outermost block of a function: parameters and its variables share a scope for redeclaration.
    pub(crate) fn function_block(&mut self, s: ast::StmtId) -> StmtId {
        self.stmt(s)
    }

    /// A statement.
    pub(crate) fn stmt(&mut self, id: ast::StmtId) -> StmtId {
        let s = self.ast[id];
        let span = s.span;
        match s.kind {
            A::Error | A::Empty | A::Pragma(_) | A::LocalLabels(_) => self.push_stmt(StmtKind::Empty, span),
            A::Expr(e) => {
                let v = self.expr(e);
                self.push_stmt(StmtKind::Expr(v), span)
            }
            A::Decl(list) => {
                let mut out = Vec::new();
                self.decl_stmt(list, &mut out);
                match out[..] {
                    [one] => one,
                    _ => self.block(&out, span),
                }
            }
            A::Compound(list) => self.compound(list, span),
            A::Labelled(list) => {
                let ast = self.ast;
                let items: Vec<StmtId> = ast.list(list).iter().map(|&s| self.stmt(s)).collect();
                self.block(&items, span)
            }
            A::If { is_constexpr, init, cond, then, els } => self.if_stmt(is_constexpr, init, cond, then, els, span),
            A::While { .. } | A::Do { .. } | A::For { .. } | A::RangeFor { .. } => self.loop_stmt(id, &[], span),
            A::Switch { init, cond, body } => self.switch(init, cond, body, span),
            A::Case { lo, hi } => self.case(lo, hi, span),
            A::Default => self.default_case(span),
            A::Label(sym) => {
                let l = self.label(sym, span);
                let info = &mut self.cx.labels[l.index()];
                if let Some(there) = info.defined.replace(span) {
                    let name = self.text(sym).to_owned();
                    let d = Diagnostic::error("E0355", span, format!("redefinition of label `{name}`"))
                        .label(there, "previous definition is here");
                    self.report(d);
                }
                self.push_stmt(StmtKind::Label(l), span)
            }
            A::Goto(sym) => {
                let l = self.label(sym, span);
                self.cx.labels[l.index()].used.get_or_insert(span);
                if !self.cx.live.is_empty() {
                    self.error("E0377", span, "`goto` past objects with destructors is not supported");
                }
                self.push_stmt(StmtKind::Goto(l), span)
            }
            A::GotoIndirect(_) => {
                self.error("E0378", span, "computed `goto` is not supported in device code");
                self.push_stmt(StmtKind::Empty, span)
            }
            A::Break => self.leave(true, span),
            A::Continue => self.leave(false, span),
            A::Return(e) => self.return_stmt(e, span),
            A::Asm(a) => self.asm_stmt(a, span),
            A::Attributed { hints, attrs, stmt } => self.attributed(hints, attrs, stmt, span),
            A::Try { body } => {
                self.report(
                    Diagnostic::error("E0379", span, "exceptions are not supported in device code")
                        .help("report failure through a return value"),
                );
                self.stmt(body)
            }
        }
    }

    fn compound(&mut self, list: ast::List<ast::StmtId>, span: Span) -> StmtId {
        let ast = self.ast;
        let b = self.open_block();
        let mut out = Vec::with_capacity(list.len());
        for &s in ast.list(list) {
            if let A::Decl(d) = ast[s].kind {
                self.decl_stmt(d, &mut out);
            } else {
                let st = self.stmt(s);
                out.push(st);
            }
        }
        let end = span.after();
        let falls = out.last().is_none_or(|&s| self.falls_through(s));
        if falls {
            self.close_block(&b, &mut out, end);
        } else {
            let mut dropped = Vec::new();
            self.close_block(&b, &mut dropped, end);
        }
        self.block(&out, span)
    }

    /// A declaration statement, as the statements it becomes.
    fn decl_stmt(&mut self, list: ast::List<ast::DeclId>, out: &mut Vec<StmtId>) {
        let ast = self.ast;
        for &id in ast.list(list) {
            let d = ast[id];
            let mut stmts: SmallVec<[StmtId; 2]> = SmallVec::new();
            match d.kind {
                DeclKind::Var { ty, init, .. } => {
                    self.local_var(id, ty, init, &mut stmts);
                    self.var_attrs(d.attrs);
                }
                DeclKind::Bindings { names, ty, init } => self.bindings(&d, names, ty, init, &mut stmts),
                DeclKind::Function(f) => {
                    // A block-scope declaration declares the function of the namespace.
                    let saved = self.scope;
                    self.scope = self.namespace_of(saved);
                    let depth = std::mem::take(&mut self.cx.block_depth);
                    self.declare_function(id, f, None);
                    self.cx.block_depth = depth;
                    self.scope = saved;
                }
                DeclKind::Record(_) | DeclKind::Enum { .. } => {
                    self.declare_tag(id);
                }
                DeclKind::Typedef { ty } => self.typedef(id, ty),
                DeclKind::Using => self.using(&d),
                DeclKind::UsingDirective => self.using_directive(&d),
                DeclKind::NamespaceAlias { target } => self.namespace_alias(&d, target),
                DeclKind::StaticAssert { cond, message } => self.static_assert(cond, message, d.span),
                DeclKind::Template { params, decl } => self.declare_template(id, params, decl, None),
                _ => {}
            }
            out.extend(stmts);
        }
    }

    // ---- conditions --------------------------------------------------------------------------------------------

    /// The condition of a statement; a declared variable's statements go to `pre`.
    fn cond(&mut self, c: Condition, pre: &mut Vec<StmtId>) -> ExprId {
        match c {
            Condition::Expr(e) => {
                let v = self.expr(e);
                self.warn_assign_condition(e);
                self.condition(v)
            }
            Condition::Decl(d) => {
                let v = self.cond_decl(d, pre);
                self.condition(v)
            }
        }
    }

    fn cond_decl(&mut self, d: ast::DeclId, pre: &mut Vec<StmtId>) -> ExprId {
        let decl = self.ast[d];
        let mut stmts: SmallVec<[StmtId; 2]> = SmallVec::new();
        let DeclKind::Var { ty, init, .. } = decl.kind else { return self.err(decl.span) };
        self.local_var(d, ty, init, &mut stmts);
        pre.extend(stmts);
        match self.cx.names.last() {
            Some((_, Entity::Local(l))) => {
                let l = *l;
                self.local_value_place(l, decl.span)
            }
            _ => self.err(decl.span),
        }
    }

    fn warn_assign_condition(&mut self, e: ast::ExprId) {
        let x = self.ast[e];
        if let ast::ExprKind::Assign(None, ..) = x.kind {
            self.warn(
                Diagnostic::warning(
                    "W0312",
                    x.span,
                    "using the result of an assignment as a condition without parentheses",
                )
                .help("write `==` to compare, or put parentheses around the assignment")
                .group("parentheses"),
            );
        }
    }

    fn if_stmt(
        &mut self,
        is_constexpr: bool,
        init: Option<ast::StmtId>,
        cond: Condition,
        then: ast::StmtId,
        els: Option<ast::StmtId>,
        span: Span,
    ) -> StmtId {
        let b = self.open_block();
        let mut pre = Vec::new();
        if let Some(i) = init {
            let s = self.stmt_in_scope(i);
            pre.extend(s);
        }
        let mut c = self.cond(cond, &mut pre);
        let result = if is_constexpr {
            if self.constant(c).is_none()
                && let Some(v) = self.evaluate(c)
            {
                c = v;
            }
            match self.truth(c) {
                // The branch not taken is not instantiated.
                Some(true) => self.stmt(then),
                Some(false) => match els {
                    Some(e) => self.stmt(e),
                    None => self.push_stmt(StmtKind::Empty, span),
                },
                None => {
                    if !self.is_err(c) {
                        let at = self.span(c);
                        self.error("E0380", at, "the condition of `if constexpr` is not a constant expression");
                    }
                    self.push_stmt(StmtKind::Empty, span)
                }
            }
        } else {
            let known = self.truth(c);
            self.dead += u32::from(known == Some(false));
            let t = self.scoped(then);
            self.dead -= u32::from(known == Some(false));
            self.dead += u32::from(known == Some(true));
            let o = els.map(|e| self.scoped(e));
            self.dead -= u32::from(known == Some(true));
            self.push_stmt(StmtKind::If { cond: c, then: t, other: o }, span)
        };
        self.wrap(pre, result, &b, span)
    }

    /// A statement in a block of its own, as substatements are.
    fn scoped(&mut self, s: ast::StmtId) -> StmtId {
        if matches!(self.ast[s].kind, A::Compound(_)) {
            return self.stmt(s);
        }
        let span = self.ast[s].span;
        let b = self.open_block();
        let st = self.stmt(s);
        let mut out = vec![st];
        self.close_block(&b, &mut out, span);
        match out[..] {
            [one] => one,
            _ => self.block(&out, span),
        }
    }

    /// A statement whose names stay in the block around it.
    fn stmt_in_scope(&mut self, s: ast::StmtId) -> Vec<StmtId> {
        let mut out = Vec::new();
        if let A::Decl(list) = self.ast[s].kind {
            self.decl_stmt(list, &mut out);
        } else {
            let st = self.stmt(s);
            out.push(st);
        }
        out
    }

    /// Puts `pre` before a statement and ends the block that holds both.
    fn wrap(&mut self, mut pre: Vec<StmtId>, s: StmtId, b: &Block, span: Span) -> StmtId {
        pre.push(s);
        self.close_block(b, &mut pre, span);
        match pre[..] {
            [one] => one,
            _ => self.block(&pre, span),
        }
    }

    // ---- loops -------------------------------------------------------------------------------------------------

    fn attributed(
        &mut self,
        hints: ast::List<ast::LoopHint>,
        attrs: ast::List<ast::Attr>,
        stmt: ast::StmtId,
        span: Span,
    ) -> StmtId {
        let ast = self.ast;
        self.stmt_attrs(attrs, stmt);
        let mut all: Vec<ast::LoopHint> = ast.list(hints).to_vec();
        let mut inner = stmt;
        while let A::Attributed { hints, attrs, stmt } = ast[inner].kind {
            all.extend_from_slice(ast.list(hints));
            self.stmt_attrs(attrs, stmt);
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
                let _ = span;
                self.stmt(inner)
            }
        }
    }

    fn loop_stmt(&mut self, id: ast::StmtId, hints: &[ast::LoopHint], span: Span) -> StmtId {
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
        self.cx.loop_depth += 1;
        self.cx.breakable += 1;
        self.cx.break_marks.push(self.cx.live.len());
        self.cx.continue_marks.push(self.cx.live.len());
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
                let mut stmts = Vec::new();
                let v = self.cond_decl(d, &mut stmts);
                let c = self.condition(v);
                let brk = self.push_stmt(StmtKind::Break, span);
                let empty = self.push_stmt(StmtKind::Empty, span);
                let test = self.push_stmt(StmtKind::If { cond: c, then: empty, other: Some(brk) }, span);
                stmts.push(test);
                let body = self.loop_body(body);
                stmts.push(body);
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
        let c = cond.map(|c| self.cond(c, &mut test));
        if !test.is_empty() {
            // A declared condition variable: evaluated in the body before everything else.
            let step = step.map(|e| self.expr(e));
            let brk = self.push_stmt(StmtKind::Break, span);
            let empty = self.push_stmt(StmtKind::Empty, span);
            if let Some(c) = c {
                let s = self.push_stmt(StmtKind::If { cond: c, then: empty, other: Some(brk) }, span);
                test.push(s);
            }
            let body = self.loop_body(body);
            test.push(body);
            let body = self.block(&test, span);
            return self.push_stmt(StmtKind::For { init, cond: None, step, body, hints: index }, span);
        }
        let step = step.map(|e| self.expr(e));
        let body = self.loop_body(body);
        self.push_stmt(StmtKind::For { init, cond: c, step, body, hints: index }, span)
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
        let r = self.expr(range);
        let r = self.place(r);
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
                let first = self.call_named_member(r, b, &[], at);
                let last = self.call_named_member(r, e, &[], at);
                (self.rvalue(first), self.rvalue(last))
            }
            Ty::Error => return self.push_stmt(StmtKind::Empty, span),
            _ => {
                let name = self.show(self.ty(r));
                self.error("E0381", at, format!("cannot range over a value of type `{name}`"));
                return self.push_stmt(StmtKind::Empty, span);
            }
        };
        if self.is_err(begin) || self.is_err(end) {
            return self.push_stmt(StmtKind::Empty, span);
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
        self.range_variable(decl, item, range, &mut first);
        stmts.extend(first);
        let body = self.loop_body(body);
        stmts.push(body);
        self.close_block(&inner, &mut stmts, span);
        let body = self.block(&stmts, span);
        self.push_stmt(StmtKind::For { init: None, cond: Some(test), step: Some(step), body, hints: index }, span)
    }

    fn temp_with(&mut self, v: ExprId, pre: &mut Vec<StmtId>, span: Span) -> LocalId {
        let ty = self.ty(v);
        let l = self.new_local(None, ty, Quals::NONE, span);
        let s = self.push_stmt(StmtKind::Decl { local: l, init: Some(v) }, span);
        pre.push(s);
        l
    }

    fn range_variable(&mut self, decl: ast::DeclId, item: ExprId, key: ast::ExprId, out: &mut SmallVec<[StmtId; 2]>) {
        let d = self.ast[decl];
        let init = ast::Init::Copy(key);
        self.prechecked = Some((key, item));
        match d.kind {
            DeclKind::Var { ty, .. } => self.local_var(decl, ty, init, out),
            DeclKind::Bindings { names, ty, .. } => self.bindings(&d, names, ty, init, out),
            _ => {}
        }
        self.prechecked = None;
    }

    fn leave(&mut self, is_break: bool, span: Span) -> StmtId {
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

    // ---- switch ------------------------------------------------------------------------------------------------

    fn switch(&mut self, init: Option<ast::StmtId>, cond: Condition, body: ast::StmtId, span: Span) -> StmtId {
        let b = self.open_block();
        let mut pre = Vec::new();
        if let Some(i) = init {
            let s = self.stmt_in_scope(i);
            pre.extend(s);
        }
        let v = match cond {
            Condition::Expr(e) => self.expr(e),
            Condition::Decl(d) => self.cond_decl(d, &mut pre),
        };
        let mut v = self.rvalue(v);
        if self.p.types.as_record(self.ty(v)).is_some()
            && let Some(c) = self.user_convert_to_scalar(v, None)
        {
            v = c;
        }
        let at = self.span(v);
        let ty = self.ty(v);
        let value = match self.p.types.get(ty) {
            Ty::Enum(e) if self.p.types.enumeration(*e).scoped => v,
            Ty::Bool | Ty::Int(_) | Ty::Enum(_) => self.promote(v),
            Ty::Error => v,
            _ => {
                let name = self.show(ty);
                self.error("E0383", at, format!("switch on a value of type `{name}`: it must be an integer"));
                self.err(at)
            }
        };
        let ty = self.ty(value);
        self.cx.switches.push(SwitchCx { ty, cases: Vec::new(), default: None });
        self.cx.breakable += 1;
        self.cx.break_marks.push(self.cx.live.len());
        let body = self.scoped(body);
        self.cx.break_marks.pop();
        self.cx.breakable -= 1;
        let sw = self.cx.switches.pop();
        let s = match sw {
            Some(sw) => {
                let start = self.p.case_pool.len() as u32;
                let len = sw.cases.len() as u32;
                self.p.case_pool.extend(sw.cases);
                let has_default = sw.default.is_some();
                self.renumber_default(body, len, 0);
                self.push_stmt(StmtKind::Switch { value, cases: ListId { start, len }, has_default, body }, span)
            }
            None => self.push_stmt(StmtKind::Empty, span),
        };
        self.wrap(pre, s, &b, span)
    }

    /// The default's mark is numbered after the last case; until then it is `u32::MAX`.
    fn renumber_default(&mut self, s: StmtId, number: u32, depth: u32) {
        if depth > 1024 {
            return;
        }
        match self.p.stmt(s).kind {
            StmtKind::Case(u32::MAX) => self.p.stmts[s.index()].kind = StmtKind::Case(number),
            StmtKind::Block(list) => {
                for i in list.range() {
                    let inner = self.p.stmt_pool[i];
                    self.renumber_default(inner, number, depth + 1);
                }
            }
            StmtKind::If { then, other, .. } => {
                self.renumber_default(then, number, depth + 1);
                if let Some(o) = other {
                    self.renumber_default(o, number, depth + 1);
                }
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                self.renumber_default(body, number, depth + 1);
            }
            _ => {}
        }
    }

    fn case(&mut self, lo: ast::ExprId, hi: Option<ast::ExprId>, span: Span) -> StmtId {
        let Some(ty) = self.cx.switches.last().map(|s| s.ty) else {
            self.error("E0384", span, "`case` statement not in a switch");
            return self.push_stmt(StmtKind::Empty, span);
        };
        let low = self.case_value(lo, ty);
        let high = match hi {
            Some(h) => self.case_value(h, ty),
            None => low,
        };
        let (Some(lo), Some(hi)) = (low, high) else { return self.push_stmt(StmtKind::Empty, span) };
        let (a, b) = (lo.value(), hi.value());
        if a > b {
            self.warn(Diagnostic::warning("W0313", span, "empty case range").group("case-range"));
            return self.push_stmt(StmtKind::Empty, span);
        }
        let (w, s) = self.int_shape(ty).unwrap_or((32, true));
        let Some(sw) = self.cx.switches.last_mut() else { return self.push_stmt(StmtKind::Empty, span) };
        let value = |bits| crate::num::ConstInt::new(bits, w, s).value();
        let clash = sw.cases.iter().find(|c| value(c.lo) <= b && a <= value(c.hi)).map(|c| c.span);
        let n = sw.cases.len() as u32;
        sw.cases.push(Case { lo: lo.bits(), hi: hi.bits(), span });
        if let Some(there) = clash {
            let d = Diagnostic::error("E0385", span, format!("duplicate case value `{a}`"))
                .label(there, "previous case is here");
            self.report(d);
        }
        self.push_stmt(StmtKind::Case(n), span)
    }

    fn case_value(&mut self, e: ast::ExprId, ty: TyId) -> Option<crate::num::ConstInt> {
        let span = self.ast[e].span;
        let v = self.constant_expr(e)?;
        if self.constant(v).is_none() {
            self.error("E0386", span, "case value is not an integer constant expression");
            return None;
        }
        let v = self.implicit(v, ty, Why::Operand);
        match self.constant(v) {
            Some(super::fold::Const::Int(i)) => Some(i),
            _ => {
                if !self.is_err(v) {
                    self.error("E0386", span, "case value is not an integer constant expression");
                }
                None
            }
        }
    }

    fn default_case(&mut self, span: Span) -> StmtId {
        match self.cx.switches.last_mut() {
            Some(sw) => {
                if let Some(there) = sw.default.replace(span) {
                    let d = Diagnostic::error("E0387", span, "multiple default labels in one switch")
                        .label(there, "previous default is here");
                    self.report(d);
                }
                self.push_stmt(StmtKind::Case(u32::MAX), span)
            }
            None => {
                self.error("E0384", span, "`default` statement not in a switch");
                self.push_stmt(StmtKind::Empty, span)
            }
        }
    }

    fn label(&mut self, name: Symbol, _span: Span) -> LabelId {
        if let Some(i) = self.cx.labels.iter().position(|l| l.name == name) {
            return LabelId(i as u32);
        }
        self.cx.labels.push(LabelInfo { name, defined: None, used: None });
        LabelId(self.cx.labels.len() as u32 - 1)
    }

    // ---- return ------------------------------------------------------------------------------------------------

    fn return_stmt(&mut self, e: Option<ast::ExprId>, span: Span) -> StmtId {
        let value = match (self.cx.ret, e) {
            (None, e) => self.deduced_return(e, span),
            (Some(TyId::VOID), None) => None,
            (Some(TyId::VOID), Some(e)) => {
                let v = self.expr(e);
                if self.ty(v) == TyId::VOID {
                    let s = self.push_stmt(StmtKind::Expr(v), span);
                    let r = self.finish_return(None, span);
                    return self.block(&[s, r], span);
                }
                if !self.is_err(v) {
                    let name = self.cx.decl.map(|f| self.text(self.fns[f.0 as usize].name).to_owned());
                    let at = self.span(v);
                    self.error(
                        "E0388",
                        at,
                        format!("void function `{}` should not return a value", name.unwrap_or_default()),
                    );
                }
                None
            }
            (Some(ret), None) => {
                if ret != TyId::ERROR {
                    self.error("E0389", span, "non-void function should return a value");
                }
                None
            }
            (Some(ret), Some(e)) => Some(self.init_from(e, ret, Why::Return)),
        };
        if let Some(v) = value {
            self.warn_local_address(v);
        }
        self.finish_return(value, span)
    }

    fn deduced_return(&mut self, e: Option<ast::ExprId>, span: Span) -> Option<ExprId> {
        let Some(e) = e else {
            self.cx.deduced.get_or_insert(TyId::VOID);
            return None;
        };
        let v = self.expr(e);
        let by_ref = self.deduced_by_reference();
        let ty = match by_ref {
            Some(is_const) if self.is_lv(v) => {
                let x = *self.e(v);
                let q = if is_const { x.quals.with(Quals::CONST) } else { x.quals };
                let space = self.default_space();
                self.p.types.reference(x.ty, q, space, false)
            }
            _ => self.value_ty(v),
        };
        if ty == TyId::VOID {
            self.cx.deduced.get_or_insert(TyId::VOID);
            return Some(v).filter(|_| false);
        }
        match self.cx.deduced {
            Some(t) if t != ty && t != TyId::ERROR && ty != TyId::ERROR => {
                let (a, b) = (self.show(t), self.show(ty));
                self.error("E0390", span, format!("return type deduced as `{b}` here but as `{a}` before"));
            }
            _ => self.cx.deduced = Some(ty),
        }
        Some(self.implicit(v, ty, Why::Return))
    }

    /// Whether the function's return type is `auto &` or `decltype(auto)`.
    fn deduced_by_reference(&self) -> Option<bool> {
        let f = self.cx.decl?;
        let ty = match self.fns[f.0 as usize].body {
            super::BodySource::Ast(d) => match self.ast[d].kind {
                DeclKind::Function(fid) => match self.ast[self.ast[fid].ty].kind {
                    ast::TypeKind::Function(ft) => self.ast[ft].ret,
                    _ => return None,
                },
                _ => return None,
            },
            super::BodySource::Lambda(l) => self.ast[self.ast[l].ty].ret,
            _ => return None,
        };
        match self.ast[ty].kind {
            ast::TypeKind::LvalueRef(inner) => Some(self.ast[inner].quals.is_const),
            _ => None,
        }
    }

    fn finish_return(&mut self, value: Option<ExprId>, span: Span) -> StmtId {
        let mut out = Vec::new();
        if self.cx.live.is_empty() {
            return self.push_stmt(StmtKind::Return(value), span);
        }
        // The value is computed before the objects are destroyed.
        let value = value.map(|v| {
            let l = self.temp_with(v, &mut out, span);
            let p = self.local_place(l, span);
            let ty = self.ty(v);
            self.rv(ExprKind::Load(p), ty, span)
        });
        self.destroy_down_to(0, &mut out, span);
        let s = self.push_stmt(StmtKind::Return(value), span);
        out.push(s);
        self.block(&out, span)
    }

    fn warn_local_address(&mut self, v: ExprId) {
        let mut at = v;
        while let ExprKind::Cast { operand, .. } = self.e(at).kind {
            at = operand;
        }
        if let ExprKind::AddrOf(p) = self.e(at).kind {
            at = p;
        }
        if let ExprKind::Local(l) = self.e(at).kind
            && at != v
            && self.p.types.is_pointer(self.ty(v))
            && self.e(at).space == AddrSpace::Private
        {
            let name = self.cx.locals[l.index()].name.map(|n| self.text(n).to_owned());
            if let Some(name) = name {
                let span = self.span(v);
                self.warn(
                    Diagnostic::warning("W0314", span, format!("address of stack memory of `{name}` returned"))
                        .group("return-stack-address"),
                );
            }
        }
    }

    // ---- assembly ----------------------------------------------------------------------------------------------

    fn asm_stmt(&mut self, a: ast::AsmId, span: Span) -> StmtId {
        let ast = self.ast;
        let asm = ast[a];
        if asm.goto {
            self.error("E0391", span, "`asm goto` is not supported in device code");
            return self.push_stmt(StmtKind::Empty, span);
        }
        let mut outputs = Vec::new();
        for op in ast.list(asm.outputs) {
            let constraint = self.string_text(op.constraint);
            let e = self.expr(op.value);
            if !self.is_err(e) && !self.is_lv(e) {
                self.error("E0392", op.span, "output operand of an asm statement must be a place that can be assigned");
            }
            if !constraint.starts_with(['=', '+']) {
                self.error("E0393", op.span, format!("output constraint `{constraint}` must begin with `=` or `+`"));
            }
            outputs.push(AsmOperand { constraint, name: op.name, expr: e });
        }
        let mut inputs = Vec::new();
        for op in ast.list(asm.inputs) {
            let constraint = self.string_text(op.constraint);
            let e = self.expr(op.value);
            let v = self.rvalue(e);
            inputs.push(AsmOperand { constraint, name: op.name, expr: v });
        }
        let clobbers = ast.list(asm.clobbers).iter().map(|&s| self.string_text(s)).collect();
        let template = self.string_text(asm.template);
        let volatile = asm.volatile || outputs.is_empty();
        let template = if asm.extended { template } else { template.replace('%', "%%") };
        self.p.asms.push(Asm { template, outputs, inputs, clobbers, volatile });
        let index = self.p.asms.len() as u32 - 1;
        self.push_stmt(StmtKind::Asm(index), span)
    }
}
