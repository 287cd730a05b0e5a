//! Statements.

mod asm;
mod condition;
pub(super) mod jumps;
mod loops;
mod returns;
mod switch;

use smallvec::SmallVec;
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind, StmtKind as A};

use super::Checker;
use crate::program::{StmtId, StmtKind};

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
            start: self.cx.block_start,
            tags: self.cx.block_tags.len(),
        };
        self.cx.block_start = b.names;
        self.cx.block_depth += 1;
        b
    }

    /// Ends a block: names go, objects are destroyed.
    fn close_block(&mut self, b: &Block, out: &mut Vec<StmtId>, span: Span) {
        self.destroy_down_to(b.live, out, span);
        self.cx.live.truncate(b.live);
        self.cx.names.truncate(b.names);
        self.cx.block_start = b.start;
        self.cx.block_tags.truncate(b.tags);
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
        let mark = self.sess.diagnostics.len();
        // What the condition of a loop calls is not for its body to answer.
        let before = std::mem::take(&mut self.cx.ends_here);
        let s = self.live_stmt(id);
        let s = self.ended_statement(mark, self.ast[id].span).unwrap_or(s);
        self.cx.ends_here = before;
        s
    }

    fn live_stmt(&mut self, id: ast::StmtId) -> StmtId {
        let s = self.ast[id];
        let span = s.span;
        match s.kind {
            A::Error | A::Empty | A::LocalLabels(_) => self.push_stmt(StmtKind::Empty, span),
            A::Pragma(p) => {
                let kind = match self.ast[p].kind {
                    ast::PragmaKind::FpContract(setting) => StmtKind::FpContract(setting),
                    _ => StmtKind::Empty,
                };
                self.push_stmt(kind, span)
            }
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
                let l = self.label(sym);
                let info = &mut self.cx.labels[l.index()];
                if let Some(there) = info.defined.replace(span) {
                    let name = self.text(sym).to_owned();
                    let d = Diagnostic::error("E0355", span, format!("redefinition of label `{name}`"))
                        .label(there, "previous definition is here");
                    self.report(d);
                }
                let live = self.cx.live.clone();
                if !live.is_empty() {
                    self.cx.label_live.insert(l, live);
                }
                self.push_stmt(StmtKind::Label(l), span)
            }
            A::Goto(sym) => self.goto_stmt(sym, span),
            A::GotoIndirect(_) => {
                self.error("E0378", span, "computed `goto` is not supported in device code");
                self.push_stmt(StmtKind::Empty, span)
            }
            A::Break => self.leave(true, span),
            A::Continue => self.leave(false, span),
            A::Return(e) => self.return_stmt(e, span),
            A::Asm(a) => self.asm_stmt(a, span),
            A::Attributed { hints, attrs, stmt } => self.attributed(hints, attrs, stmt),
            A::Try { body } => {
                self.report(
                    Diagnostic::error("E0379", span, "exceptions are not supported in device code")
                        .help("report failure through a return value"),
                );
                self.stmt(body)
            }
        }
    }

    pub(super) fn compound(&mut self, list: ast::List<ast::StmtId>, span: Span) -> StmtId {
        let ast = self.ast;
        let b = self.open_block();
        let mut out = Vec::with_capacity(list.len());
        let mut reached = true;
        for &s in ast.list(list) {
            reached |= matches!(ast[s].kind, A::Case { .. } | A::Default | A::Label(_) | A::Labelled(_));
            if !reached {
                continue;
            }
            let mark = self.sess.diagnostics.len();
            let made = out.len();
            if let A::Decl(d) = ast[s].kind {
                self.decl_stmt(d, &mut out);
            } else {
                let st = self.stmt(s);
                out.push(st);
            }
            self.forget_errors(mark);
            if let Some(end) = self.ended_statement(mark, ast[s].span) {
                out.truncate(made);
                out.push(end);
            }
            // Nothing behind the end of the program is reached but through a label.
            reached = out.last().is_none_or(|&s| self.cx.last_end != Some(s));
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
    pub(super) fn decl_stmt(&mut self, list: ast::List<ast::DeclId>, out: &mut Vec<StmtId>) {
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
                    self.scope = self.decls.namespace_of(saved);
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
                DeclKind::Template { params, decl } => self.declare_template(params, decl, None),
                _ => {}
            }
            out.extend(stmts);
        }
    }
}
