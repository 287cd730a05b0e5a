//! Return statements.

use crate::check::Checker;
use crate::check::convert::Why;
use crate::program::{ExprId, ExprKind, StmtId, StmtKind};
use crate::types::{AddrSpace, Quals, TyId};
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind};

impl Checker<'_> {
    pub(super) fn return_stmt(&mut self, e: Option<ast::ExprId>, span: Span) -> StmtId {
        let value = match (self.cx.ret, e) {
            (None, e) => match self.deduced_return(e, span) {
                Some(v) if self.ty(v) == TyId::VOID => return self.return_void(v, span),
                value => value,
            },
            (Some(TyId::VOID), None) => None,
            (Some(TyId::VOID), Some(e)) => {
                let v = self.expr(e);
                if self.ty(v) == TyId::VOID {
                    return self.return_void(v, span);
                }
                if !self.is_err(v) {
                    let name = self.cx.decl.map(|f| self.text(self.decls[f].name).to_owned());
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
            (Some(ret), Some(e)) => {
                self.move_result(e, ret);
                let v = self.init_from(e, ret, Why::Return);
                self.cx.prechecked = None;
                Some(v)
            }
        };
        if let Some(v) = value {
            self.warn_local_address(v);
        }
        self.finish_return(value, span)
    }

    /// `return f();` of a function that returns nothing.
    fn return_void(&mut self, v: ExprId, span: Span) -> StmtId {
        let s = self.push_stmt(StmtKind::Expr(v), span);
        let r = self.finish_return(None, span);
        self.block(&[s, r], span)
    }

    /// A variable of the function that is all of what is returned gives what it holds away (C++17, 15.8.3p3).
    fn move_result(&mut self, e: ast::ExprId, ret: TyId) {
        if !self.is_cxx()
            || self.p.types.as_record(ret).is_none()
            || !matches!(self.ast[e].kind, ast::ExprKind::Name(_))
        {
            return;
        }
        let v = self.expr(e);
        self.give_away(e, v, ret);
        self.cx.prechecked = Some((e, v));
    }

    fn give_away(&mut self, e: ast::ExprId, v: ExprId, ret: TyId) {
        let named = self.is_cxx() && matches!(self.ast[e].kind, ast::ExprKind::Name(_));
        if named
            && matches!(self.e(v).kind, ExprKind::Local(_))
            && self.ty(v) == ret
            && self.p.types.as_record(ret).is_some()
            && self.e(v).quals == Quals::NONE
        {
            self.cx.xvalues.insert(v);
        }
    }

    fn deduced_return(&mut self, e: Option<ast::ExprId>, span: Span) -> Option<ExprId> {
        let Some(e) = e else {
            self.cx.deduced.get_or_insert(TyId::VOID);
            return None;
        };
        let v = self.expr(e);
        let ty = self.deduced_from(e, v);
        if ty == TyId::VOID {
            self.cx.deduced.get_or_insert(TyId::VOID);
            return Some(v);
        }
        match self.cx.deduced {
            Some(t) if t != ty && t != TyId::ERROR && ty != TyId::ERROR => {
                let (a, b) = (self.show(t), self.show(ty));
                self.error("E0390", span, format!("return type deduced as `{b}` here but as `{a}` before"));
            }
            _ => self.cx.deduced = Some(ty),
        }
        self.give_away(e, v, ty);
        Some(self.implicit(v, ty, Why::Return))
    }

    /// What a function returns that says `auto`, `auto &`, `auto &&` or `decltype(auto)`, of a value in a `return`.
    fn deduced_from(&mut self, e: ast::ExprId, v: ExprId) -> TyId {
        let (x, is_place, is_xvalue) = (*self.e(v), self.is_lv(v), self.is_xvalue(v));
        let space = self.default_space();
        match self.written_result().map(|t| self.ast[t].kind) {
            Some(ast::TypeKind::LvalueRef(inner)) if is_place => {
                let q = if self.ast[inner].quals.is_const { x.quals.with(Quals::CONST) } else { x.quals };
                self.p.types.reference(x.ty, q, space, false)
            }
            // `const auto &&` is none that anything is bound to.
            Some(ast::TypeKind::RvalueRef(_)) if is_place => self.p.types.reference(x.ty, x.quals, space, is_xvalue),
            Some(ast::TypeKind::RvalueRef(_)) => self.p.types.reference(x.ty, x.quals, space, true),
            Some(ast::TypeKind::Builtin(ast::BuiltinType::DecltypeAuto)) => {
                let of = self.decltype_of(e, v);
                if of.quals.is_const()
                    && self.p.types.as_record(of.ty).is_some()
                    && let Some(f) = self.cx.decl
                {
                    self.decls.const_results.insert(f);
                }
                of.ty
            }
            _ => self.value_ty(v),
        }
    }

    /// The function's return type as it is written.
    pub(crate) fn written_result(&self) -> Option<ast::TypeId> {
        let f = self.cx.decl?;
        Some(match self.decls[f].body {
            crate::check::BodySource::Ast(d) => match self.ast[d].kind {
                DeclKind::Function(fid) => match self.ast[self.ast[fid].ty].kind {
                    ast::TypeKind::Function(ft) => self.ast[ft].ret,
                    _ => return None,
                },
                _ => return None,
            },
            crate::check::BodySource::Lambda(l) => self.ast[self.ast[l].ty].ret,
            _ => return None,
        })
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
}
