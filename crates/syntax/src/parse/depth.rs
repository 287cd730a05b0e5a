//! Depths of expression trees, so that no tree is made that a recursive walk could overflow the stack on.
//!
//! Recursion in the grammar is bounded by [`Parser::nested`]; the loops for left-associative operators and postfix
//! forms, however, make trees as deep as they run long. Each expression therefore gets its depth when it is made.

use super::{PResult, Parser};
use crate::ast::{Ast, Expr, ExprId, ExprKind, NameId, TypeId};
use source::{Diagnostic, Span};

/// Depths of nodes made so far.
#[derive(Default)]
pub(super) struct Depths {
    exprs: Vec<u16>,
    /// Depths of the expressions within types; shorter than the arena where the rest has none.
    types: Vec<u16>,
    /// Likewise for names with template arguments.
    names: Vec<u16>,
    /// The deepest expression made since the last reset.
    pub(super) deepest: u16,
}

fn set(list: &mut Vec<u16>, i: usize, depth: u16) {
    if depth > 0 {
        if list.len() <= i {
            list.resize(i + 1, 0);
        }
        list[i] = depth;
    }
}

impl Parser<'_> {
    /// Runs `f` and gives the depth of the deepest expression that it made.
    fn measured<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (R, u16) {
        let before = std::mem::take(&mut self.depths.deepest);
        let r = f(self);
        let inner = self.depths.deepest;
        self.depths.deepest = before.max(inner);
        (r, inner)
    }

    /// Parses a type with `f`, remembering how deep the expressions in it are.
    pub(super) fn measured_type(&mut self, f: impl FnOnce(&mut Self) -> PResult<TypeId>) -> PResult<TypeId> {
        let (r, depth) = self.measured(f);
        if let Ok(ty) = r {
            set(&mut self.depths.types, ty.index(), depth);
        }
        r
    }

    /// Parses a name with `f`, remembering how deep the expressions in it are.
    pub(super) fn measured_name(&mut self, f: impl FnOnce(&mut Self) -> PResult<NameId>) -> PResult<NameId> {
        let (r, depth) = self.measured(f);
        if let Ok(name) = r {
            set(&mut self.depths.names, name.index(), depth);
        }
        r
    }

    /// Makes, with `f`, an expression that has statements inside.
    pub(super) fn measured_expr(&mut self, f: impl FnOnce(&mut Self) -> PResult<(ExprKind, Span)>) -> PResult<ExprId> {
        let (r, depth) = self.measured(f);
        let (kind, span) = r?;
        self.push_expr(kind, span, depth)
    }

    /// Makes an expression; from the current `start` to the last token taken.
    pub(super) fn expr_from(&mut self, kind: ExprKind, start: Span) -> PResult<ExprId> {
        let span = self.span_from(start);
        self.make(kind, span)
    }

    /// Makes an expression.
    pub(super) fn make(&mut self, kind: ExprKind, span: Span) -> PResult<ExprId> {
        let below = self.depth_below(&kind);
        self.push_expr(kind, span, below)
    }

    fn push_expr(&mut self, kind: ExprKind, span: Span, below: u16) -> PResult<ExprId> {
        let depth = below + 1;
        if depth > Ast::MAX_DEPTH {
            let d = Diagnostic::error("E0203", span, "expression too deep")
                .note(format!("an expression tree may be {} operations deep", Ast::MAX_DEPTH))
                .help("split the expression with variables");
            self.session.report(d);
            self.stop();
            return Err(super::Reported);
        }
        let id = self.ast.push_expr(Expr { kind, span });
        self.depths.exprs.push(depth);
        self.depths.deepest = self.depths.deepest.max(depth);
        Ok(id)
    }

    fn expr_depth(&self, e: ExprId) -> u16 {
        self.depths.exprs.get(e.index()).copied().unwrap_or(0)
    }

    fn type_depth(&self, t: TypeId) -> u16 {
        self.depths.types.get(t.index()).copied().unwrap_or(0)
    }

    fn name_depth(&self, n: NameId) -> u16 {
        self.depths.names.get(n.index()).copied().unwrap_or(0)
    }

    fn list_depth(&self, list: crate::ast::List<ExprId>) -> u16 {
        self.ast.list(list).iter().map(|&e| self.expr_depth(e)).max().unwrap_or(0)
    }

    fn path_depth(&self, path: crate::ast::List<crate::ast::Designator>) -> u16 {
        use crate::ast::Designator as D;
        let depth = |d: &D| match *d {
            D::Field(_) => 0,
            D::Index(e) => self.expr_depth(e),
            D::Range(a, b) => self.expr_depth(a).max(self.expr_depth(b)),
        };
        self.ast.list(path).iter().map(depth).max().unwrap_or(0)
    }

    fn depth_below(&self, kind: &ExprKind) -> u16 {
        use ExprKind as K;
        let e = |id: ExprId| self.expr_depth(id);
        let o = |id: Option<ExprId>| id.map_or(0, e);
        match *kind {
            K::Error
            | K::Int(_)
            | K::Float(_)
            | K::Char(_)
            | K::Str(_)
            | K::Bool(_)
            | K::Nullptr
            | K::This
            | K::FuncName(_)
            | K::SizeofPack(_)
            | K::LabelAddr(_)
            | K::StmtExpr(_)
            | K::Lambda(_) => 0,
            K::Name(n) => self.name_depth(n),
            K::UserLiteral { literal: a, .. }
            | K::Paren(a)
            | K::Unary(_, a)
            | K::SizeofExpr(a)
            | K::AlignofExpr(a)
            | K::Noexcept(a)
            | K::Pack(a)
            | K::Delete { operand: a, .. }
            | K::TypeidExpr(a) => e(a),
            K::Binary(_, a, b) | K::Assign(_, a, b) | K::Comma(a, b) => e(a).max(e(b)),
            K::Index { base, index } => e(base).max(e(index)),
            K::Cond { cond, then, els } => e(cond).max(o(then)).max(e(els)),
            K::Choose { cond, then, els } => e(cond).max(e(then)).max(e(els)),
            K::Cast { ty, operand, .. } | K::BitCast { ty, operand } | K::VaArg { ty, list: operand } => {
                self.type_depth(ty).max(e(operand))
            }
            K::VectorLit { ty, elems } => self.type_depth(ty).max(self.list_depth(elems)),
            K::Construct { ty, args, .. } => self.type_depth(ty).max(self.list_depth(args)),
            K::CompoundLit { ty, init } => self.type_depth(ty).max(e(init)),
            K::InitList(items) => {
                let depth = |i: &crate::ast::InitItem| e(i.value).max(self.path_depth(i.designators));
                self.ast.list(items).iter().map(depth).max().unwrap_or(0)
            }
            K::Call { callee, args } => e(callee).max(self.list_depth(args)),
            K::Launch { callee, config, args } => e(callee).max(self.list_depth(config)).max(self.list_depth(args)),
            K::Member { base, name, .. } => e(base).max(self.name_depth(name)),
            K::SizeofType(t) | K::AlignofType(t) | K::TypeidType(t) => self.type_depth(t),
            K::Generic { control, arms } => {
                let depth = |a: &crate::ast::GenericArm| e(a.value).max(a.ty.map_or(0, |t| self.type_depth(t)));
                self.ast.list(arms).iter().map(depth).max().unwrap_or(0).max(e(control))
            }
            K::Offsetof { ty, path } => self.type_depth(ty).max(self.path_depth(path)),
            K::TypeTrait { args, .. } => self.ast.list(args).iter().map(|&t| self.type_depth(t)).max().unwrap_or(0),
            K::Fold { left, right, .. } => o(left).max(o(right)),
            K::New(n) => {
                let n = &self.ast[n];
                let init = n.init.map_or(0, |l| self.list_depth(l));
                self.type_depth(n.ty).max(self.list_depth(n.placement)).max(init)
            }
            K::Throw(a) => o(a),
            // Measured as it was parsed.
            K::Requires(_) => 0,
        }
    }
}
