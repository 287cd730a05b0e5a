//! Bodies of functions.

use crate::check::instance_notes::Within;
use crate::check::{BodyCx, BodySource, BodyState, Checker, FnDecl, FnId};
use crate::program::{FnAttrs, FpContract, FuncId, KernelText, StmtKind};
use crate::types::TyId;
use source::{Diagnostic, Span};
use syntax::ast::{self, Body, DeclKind, DeclSpecs, FunctionKind};

impl Checker<'_> {
    /// Checks a function's body, if it has one and was not checked before.
    pub(crate) fn check_body(&mut self, f: FnId) {
        let d = &self.decls[f];
        if d.state != BodyState::Unchecked
            || matches!(d.body, BodySource::None | BodySource::Host | BodySource::Deleted)
        {
            return;
        }
        // A signature's placeholders stand for no types that a body could be checked for.
        let args = self.p.types.name(d.path).args.as_deref().unwrap_or_default();
        if args.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            return;
        }
        if self.reads_host() && !self.may_launch(d) {
            return;
        }
        if self.inst.body_depth >= crate::check::MAX_INSTANTIATION_DEPTH {
            // Too deep for the stack: it waits for its turn.
            self.inst.pending.push_back(f);
            return;
        }
        self.inst.body_depth += 1;
        self.inst.within.push(Within::Function(f));
        self.decls[f].state = BodyState::Checking;
        let scope = self.decls[f].scope;
        let func = self.func_id(f);
        let substituting = std::mem::take(&mut self.inst.substituting);
        let saved = std::mem::take(&mut self.cx);
        let saved_scope = std::mem::replace(&mut self.scope, scope);
        let saved_depth = std::mem::replace(&mut self.inst.depth, self.decls[f].depth);
        let around = self.around_generic(f).map(|outers| std::mem::replace(&mut self.inst.outers, outers));
        self.holding(f, |c| c.body(f, func));
        if let Some(outers) = around {
            self.inst.outers = outers;
        }
        self.inst.depth = saved_depth;
        self.scope = saved_scope;
        self.cx = saved;
        self.inst.substituting = substituting;
        self.decls[f].state = BodyState::Done;
        self.inst.within.pop();
        self.inst.body_depth -= 1;
    }

    pub(super) fn body(&mut self, f: FnId, func: FuncId) {
        self.cx = BodyCx { decl: Some(f), func: Some(func), ..BodyCx::default() };
        let d = self.decls[f].clone();
        if let BodySource::Ast(a) = d.body {
            self.cx.horizon = Some((self.scope, self.time_of(a)));
        }
        self.cx.is_kernel = d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL));
        self.declare_params(f);
        self.param_defaults_order(&d);
        for p in &d.params {
            if let Some(record) = self.p.types.as_record(p.ty) {
                self.complete_record(record);
            }
            if self.p.types.size_of(p.ty).is_none() && p.ty != TyId::ERROR {
                let name = self.show(p.ty);
                self.error("E0353", p.span, format!("parameter has incomplete type `{name}`"));
            }
            if self.cx.is_kernel {
                self.has_known_size(p.ty, p.span);
            }
        }
        self.cx.ret = (!d.deduced_ret).then_some(d.ret);
        let params = self.cx.locals.len() as u32;
        self.own_params(params);
        let (body, attrs) = match d.body {
            BodySource::Ast(a) => {
                if d.template.is_none() || d.ast == Some(a) {
                    self.kernel_rules(f);
                }
                if self.around_generic(f).is_some() {
                    self.enter_closure(&d);
                }
                let attrs = self.function_attrs(f, a);
                (self.ast_body(a), attrs)
            }
            BodySource::Lambda(l) => {
                self.enter_closure(&d);
                let body = self.ast[l].body;
                self.cx.block_depth = 1;
                (Some(self.stmt(body)), FnAttrs { inlining: crate::program::Inlining::Hint, ..FnAttrs::default() })
            }
            BodySource::Inherited(of_base) => (self.inherited_body(f, of_base), FnAttrs::default()),
            BodySource::Defaulted => (self.defaulted_body(f), FnAttrs::default()),
            BodySource::Invoker(of) => {
                // The closure's call operator owns what is handed on to it.
                self.cx.live.clear();
                (self.invoker_body(of, d.span), FnAttrs::default())
            }
            _ => return,
        };
        let body = body.map(|b| self.end_params(b));
        body.into_iter().for_each(|b| self.end_temporaries(b));
        self.finish_labels();
        if d.deduced_ret {
            let ret = self.cx.deduced.unwrap_or(TyId::VOID);
            if let Some(written) = self.written_result() {
                self.check_result(written, ret, d.span);
            }
            self.decls[f].ret = ret;
            self.decls[f].deduced_ret = false;
            let low = self.lowered_ty(ret);
            self.p.functions[func.index()].ret = low;
        }
        let ret = self.decls[f].ret;
        if let Some(b) = body
            && ret != TyId::VOID
            && ret != TyId::ERROR
            && self.falls_through(b)
        {
            let name = self.text(d.name).to_owned();
            self.warn(
                Diagnostic::warning(
                    "W0311",
                    d.span,
                    format!("control can reach the end of non-void function `{name}`"),
                )
                .group("return-type"),
            );
        }
        let contract = self.contract_at(d.body);
        let cx = std::mem::take(&mut self.cx);
        let mut attrs = attrs;
        let text =
            if cx.is_kernel { self.kernel_text(&d, std::mem::take(&mut attrs.written)) } else { KernelText::default() };
        let out = &mut self.p.functions[func.index()];
        out.text = text;
        out.param_count = params;
        out.locals = cx.locals;
        out.labels = cx.labels.iter().map(|l| l.name).collect();
        out.loops = cx.loops;
        out.owned_globals = cx.owned;
        out.attrs = attrs;
        out.body = body;
        out.contract = contract;
        out.span = d.span;
    }

    /// What the pragmas before a function say about contraction.
    fn contract_at(&self, body: BodySource) -> FpContract {
        match body {
            BodySource::Ast(a) => match self.ast[a].kind {
                DeclKind::Function(f) => self.ast[f].contract,
                _ => FpContract::Default,
            },
            BodySource::Lambda(l) => self.ast[l].contract,
            _ => FpContract::Default,
        }
    }

    /// A function destroys the objects that it takes by value.
    fn own_params(&mut self, params: u32) {
        if !self.is_cxx() || self.cx.is_kernel {
            return;
        }
        for l in (0..params).map(crate::program::LocalId) {
            let ty = self.cx.locals[l.index()].ty;
            if let Some(rec) = self.array_record(ty)
                && self.needs_destruction(ty)
            {
                self.cx.live.push((l, rec));
            }
        }
    }

    /// The body with the destruction of parameters behind it, for ends without `return`.
    fn end_params(&mut self, body: crate::program::StmtId) -> crate::program::StmtId {
        if self.cx.live.is_empty() || !self.falls_through(body) {
            return body;
        }
        let span = self.p.stmt(body).span;
        let mut stmts = vec![body];
        self.destroy_down_to(0, &mut stmts, span);
        self.block(&stmts, span)
    }

    fn param_defaults_order(&mut self, d: &FnDecl) {
        let mut seen = false;
        for p in &d.params {
            if p.default.is_some() {
                seen = true;
            } else if seen && p.decl.is_some() && d.template.is_none() {
                self.error("E0375", p.span, "missing default argument on parameter");
                return;
            }
        }
    }

    fn ast_body(&mut self, a: ast::DeclId) -> Option<crate::program::StmtId> {
        let DeclKind::Function(fid) = self.ast[a].kind else { return None };
        let func = self.ast[fid];
        let Body::Stmt(s) = func.body else { return None };
        let span = self.ast[s].span;
        let mut stmts = Vec::new();
        if func.kind == FunctionKind::Constructor {
            self.constructor_inits(func.inits, span, &mut stmts);
        }
        if func.kind == FunctionKind::Destructor {
            self.become_class(span, &mut stmts);
        }
        let inner = self.function_block(s);
        if func.kind == FunctionKind::Destructor {
            stmts.push(inner);
            self.destructor_tail(span, &mut stmts);
            return Some(self.block(&stmts, span));
        }
        if stmts.is_empty() {
            return Some(inner);
        }
        stmts.push(inner);
        Some(self.block(&stmts, span))
    }

    fn finish_labels(&mut self) {
        self.finish_jumps();
        let labels = self.cx.labels.clone();
        for l in labels {
            if l.defined.is_none() {
                let name = self.text(l.name).to_owned();
                self.error("E0376", l.used.unwrap_or(Span::NONE), format!("use of undeclared label `{name}`"));
            }
        }
    }

    /// Whether control can reach the end of a statement, as far as its form tells.
    pub(crate) fn falls_through(&self, s: crate::program::StmtId) -> bool {
        let st = self.p.stmt(s);
        match st.kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => false,
            StmtKind::Block(list) => {
                let items = self.p.stmts(list);
                let mut falls = true;
                for &s in items {
                    match self.p.stmt(s).kind {
                        StmtKind::Case(_) | StmtKind::Label(_) => falls = true,
                        _ if falls => falls = self.falls_through(s),
                        _ => {}
                    }
                }
                falls
            }
            StmtKind::If { cond, then, other } => match self.truth(cond) {
                Some(true) => self.falls_through(then),
                Some(false) => other.is_none_or(|o| self.falls_through(o)),
                None => self.falls_through(then) || other.is_none_or(|o| self.falls_through(o)),
            },
            StmtKind::While { cond, body, .. } => self.truth(cond) != Some(true) || self.has_break(body, 0),
            StmtKind::DoWhile { cond, body, .. } => {
                self.truth(cond) != Some(true) && self.falls_or_continues(body) || self.has_break(body, 0)
            }
            StmtKind::For { cond, body, .. } => {
                cond.is_some_and(|c| self.truth(c) != Some(true)) || self.has_break(body, 0)
            }
            StmtKind::Switch { body, has_default, .. } => {
                !has_default || self.has_break(body, 0) || self.falls_through(body)
            }
            StmtKind::Expr(e) => !self.is_noreturn(e),
            _ => true,
        }
    }

    fn falls_or_continues(&self, s: crate::program::StmtId) -> bool {
        self.falls_through(s) || self.has_continue(s)
    }

    fn has_continue(&self, s: crate::program::StmtId) -> bool {
        match self.p.stmt(s).kind {
            StmtKind::Continue => true,
            StmtKind::Block(l) => self.p.stmts(l).iter().any(|&s| self.has_continue(s)),
            StmtKind::If { then, other, .. } => self.has_continue(then) || other.is_some_and(|o| self.has_continue(o)),
            StmtKind::Switch { body, .. } => self.has_continue(body),
            _ => false,
        }
    }

    fn has_break(&self, s: crate::program::StmtId, depth: u32) -> bool {
        match self.p.stmt(s).kind {
            StmtKind::Break => depth == 0,
            StmtKind::Block(l) => self.p.stmts(l).iter().any(|&s| self.has_break(s, depth)),
            StmtKind::If { then, other, .. } => {
                self.has_break(then, depth) || other.is_some_and(|o| self.has_break(o, depth))
            }
            StmtKind::Goto(_) => true,
            _ => false,
        }
    }

    fn is_noreturn(&self, e: crate::program::ExprId) -> bool {
        use crate::program::ExprKind as K;
        match self.e(e).kind {
            K::Builtin { meaning, .. } => meaning.effects().noreturn,
            K::Call { callee, .. } => {
                self.decls.func_decls.get(callee.index()).is_some_and(|f| self.decls[*f].specs.has(DeclSpecs::NORETURN))
            }
            K::Cast { operand, .. } => self.is_noreturn(operand),
            K::Comma { lhs, rhs } => self.is_noreturn(lhs) || self.is_noreturn(rhs),
            _ => false,
        }
    }
}
