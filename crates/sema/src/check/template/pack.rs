//! Parameter packs and fold expressions.

use source::{Span, Symbol};
use syntax::ast::{self};

use crate::check::{Checker, Entity, RTy, TemplateId};
use crate::program::{ExprId, ExprKind};
use crate::types::{Promise, TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// How many elements the packs named in the source have, by trying indices until one is out of range.
    pub(crate) fn pack_len_in_type(&mut self, ty: ast::TypeId, depth: u32) -> Option<usize> {
        if depth > 32 {
            return None;
        }
        use ast::TypeKind as K;
        match self.ast[ty].kind {
            K::Name(n) => self.pack_len_in_name(n, depth),
            K::Pointer(t)
            | K::LvalueRef(t)
            | K::RvalueRef(t)
            | K::Pack(t)
            | K::Atomic(t)
            | K::TypeofType(t)
            | K::Underlying(t) => self.pack_len_in_type(t, depth + 1),
            K::Array { element, .. } => self.pack_len_in_type(element, depth + 1),
            K::Decltype(e) | K::TypeofExpr(e) => self.pack_len_in_expr(e, depth + 1),
            K::Function(f) => self.pack_len_in_function(f, depth + 1),
            _ => None,
        }
    }

    fn pack_len_in_function(&mut self, f: ast::FnTypeId, depth: u32) -> Option<usize> {
        let ast = self.ast;
        let params = ast.list(ast[f].params).iter().filter_map(|&p| match ast[p].kind {
            ast::DeclKind::Param { ty, .. } if !matches!(ast[ty].kind, ast::TypeKind::Pack(_)) => Some(ty),
            _ => None,
        });
        std::iter::once(ast[f].ret).chain(params).find_map(|t| self.pack_len_in_type(t, depth))
    }

    pub(crate) fn pack_len_in_name(&mut self, n: ast::NameId, depth: u32) -> Option<usize> {
        let ast = self.ast;
        let name = ast[n];
        let first = match ast.list(name.qualifier).first() {
            Some(s) => match s.kind {
                ast::SegmentKind::Ident(s) => Some(s),
                ast::SegmentKind::Decltype(e) => return self.pack_len_in_expr(e, depth + 1),
            },
            None => self.last_symbol(n),
        };
        if let Some(sym) = first
            && let Some(found) = self.lookup(sym)
        {
            match found.entities.first() {
                Some(Entity::Pack(p)) => return Some(self.inst.packs[p.0 as usize].len()),
                Some(Entity::ValuePack(p)) => return Some(self.inst.value_packs[*p as usize].len()),
                _ => {}
            }
        }
        let args = name.args.into_iter().chain(ast.list(name.qualifier).iter().filter_map(|s| s.args));
        for list in args {
            for a in ast.list(list) {
                let found = match *a {
                    ast::TemplateArg::Type(t) => self.pack_len_in_type(t, depth + 1),
                    ast::TemplateArg::Expr(e) => self.pack_len_in_expr(e, depth + 1),
                    _ => None,
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    pub(crate) fn pack_len_in_expr(&mut self, e: ast::ExprId, depth: u32) -> Option<usize> {
        if depth > 64 {
            return None;
        }
        use ast::ExprKind as K;
        let ast = self.ast;
        match ast[e].kind {
            K::Name(n) => self.pack_len_in_name(n, depth),
            K::Paren(e) | K::Unary(_, e) | K::SizeofExpr(e) | K::AlignofExpr(e) | K::Noexcept(e) => {
                self.pack_len_in_expr(e, depth + 1)
            }
            K::Member { base, name, .. } => {
                self.pack_len_in_expr(base, depth + 1).or_else(|| self.pack_len_in_name(name, depth + 1))
            }
            K::Binary(_, l, r) | K::Assign(_, l, r) | K::Comma(l, r) | K::Index { base: l, index: r } => {
                self.pack_len_in_expr(l, depth + 1).or_else(|| self.pack_len_in_expr(r, depth + 1))
            }
            K::Cast { ty, operand, .. } => {
                self.pack_len_in_expr(operand, depth + 1).or_else(|| self.pack_len_in_type(ty, depth + 1))
            }
            K::InitList(items) => ast.list(items).iter().find_map(|i| self.pack_len_in_expr(i.value, depth + 1)),
            K::BitCast { ty, operand: e } | K::VaArg { list: e, ty } => {
                self.pack_len_in_expr(e, depth + 1).or_else(|| self.pack_len_in_type(ty, depth + 1))
            }
            K::SizeofType(t) | K::AlignofType(t) => self.pack_len_in_type(t, depth + 1),
            K::Call { callee, args } => self
                .pack_len_in_expr(callee, depth + 1)
                .or_else(|| ast.list(args).iter().find_map(|&a| self.pack_len_in_expr(a, depth + 1))),
            K::Construct { ty, args, .. } => self
                .pack_len_in_type(ty, depth + 1)
                .or_else(|| ast.list(args).iter().find_map(|&a| self.pack_len_in_expr(a, depth + 1))),
            K::Lambda(l) => {
                let (first, last) = ast[l].names;
                ast.names_between(first, last).find_map(|n| self.pack_len_in_name(n, depth + 1))
            }
            K::TypeTrait { args, .. } => ast.list(args).iter().find_map(|&t| self.pack_len_in_type(t, depth + 1)),
            K::Cond { cond, then, els } => self
                .pack_len_in_expr(cond, depth + 1)
                .or_else(|| then.and_then(|t| self.pack_len_in_expr(t, depth + 1)))
                .or_else(|| self.pack_len_in_expr(els, depth + 1)),
            _ => None,
        }
    }

    /// Does something for one element of the packs of an expansion.
    pub(crate) fn at_element<R>(&mut self, element: Option<usize>, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.cx.pack_index, element);
        let r = f(self);
        self.cx.pack_index = outer;
        r
    }

    /// `pattern...` in a template's signature.
    pub(super) fn expansion(&self, pattern: TemplateArg) -> TemplateArg {
        let names = |&i: &u32| self.arg_names_param(&pattern, i, 0);
        let packs = self.inst.pattern_packs.iter().copied().filter(names).collect();
        TemplateArg::Expansion { pattern: Box::new(pattern), packs }
    }

    /// `T...` among the parameters of a function type in a template's signature.
    pub(crate) fn expansion_of_type(&mut self, ty: ast::TypeId) -> Option<TyId> {
        if !self.inst.in_pattern || self.pack_len_in_type(ty, 0).is_some() {
            return None;
        }
        let t = self.resolve(ty);
        let pattern = self.adjust_param(t).ty;
        let arg = TemplateArg::Type(crate::types::QualTy::plain(pattern));
        let TemplateArg::Expansion { packs, .. } = self.expansion(arg) else { return None };
        (!packs.is_empty()).then(|| self.p.types.intern(Ty::Expansion { pattern, packs }))
    }

    /// Which parameters in a function template's signature are expansions of packs; empty where none is.
    pub(crate) fn expanded_params(&mut self, t: TemplateId) -> Vec<bool> {
        if !self.decls[t].params.iter().any(|p| p.pack) {
            return Vec::new();
        }
        let tpl = self.decls[t].clone();
        let first = self.pattern_pack(&tpl).map_or(tpl.pattern.len(), |(k, _)| k);
        let said = self.are_expansions(&tpl);
        // Others may follow, whose patterns are one each.
        let another = |i: usize| i > first && said.len() == tpl.pattern.len() && said[i];
        (0..tpl.pattern.len()).map(|i| i == first || another(i)).collect()
    }

    fn arg_names_param(&self, a: &TemplateArg, i: u32, depth: u32) -> bool {
        depth < 64
            && match a {
                TemplateArg::Type(q) => self.type_names_param(q.ty, i, depth + 1),
                TemplateArg::Param(n) => *n == i,
                TemplateArg::Pack(all) => all.iter().any(|a| self.arg_names_param(a, i, depth + 1)),
                // The packs of an expansion inside are expanded there.
                TemplateArg::Expansion { .. }
                | TemplateArg::Int { .. }
                | TemplateArg::Object { .. }
                | TemplateArg::Template(_)
                | TemplateArg::Function { .. }
                | TemplateArg::Variable { .. }
                | TemplateArg::Dependent(_) => false,
            }
    }

    /// Whether a type has the template parameter at position `i` in it, where it can be deduced.
    pub(super) fn type_names_param(&self, ty: TyId, i: u32, depth: u32) -> bool {
        match self.p.types.get(ty) {
            Ty::TemplateParam(n) => *n == i,
            Ty::Pointer { pointee: t, .. } | Ty::Reference { pointee: t, .. } | Ty::Array { elem: t, .. } => {
                depth < 64 && self.type_names_param(*t, i, depth + 1)
            }
            Ty::MemberPointer { class, pointee, .. } => {
                depth < 64
                    && (self.type_names_param(*class, i, depth + 1) || self.type_names_param(*pointee, i, depth + 1))
            }
            Ty::DependentArray { elem, len } => {
                depth < 64 && self.type_names_param(*elem, i, depth + 1) || self.arg_names_param(len, i, depth + 1)
            }
            Ty::TemplateParamSpec { param, args } => {
                *param == i || args.iter().any(|a| self.arg_names_param(a, i, depth + 1))
            }
            Ty::TemplateSpec { args, .. } => args.iter().any(|a| self.arg_names_param(a, i, depth + 1)),
            Ty::Function(f) => {
                depth < 64
                    && (self.type_names_param(f.ret, i, depth + 1)
                        || matches!(&f.promise, Promise::When(n) if self.arg_names_param(n, i, depth + 1))
                        || f.params.iter().any(|&p| self.type_names_param(p, i, depth + 1)))
            }
            _ => false,
        }
    }

    pub(crate) fn expand_type_pack(&mut self, ty: ast::TypeId) -> Vec<RTy> {
        let Some(n) = self.pack_len_in_type(ty, 0) else {
            // In a template's pattern a pack stands for one element.
            return vec![self.resolve(ty)];
        };
        (0..n).map(|i| self.at_element(Some(i), |c| c.resolve(ty))).collect()
    }

    pub(crate) fn expand_expr_pack(&mut self, e: ast::ExprId) -> Vec<ExprId> {
        let Some(n) = self.pack_len_in_expr(e, 0) else {
            let span = self.ast[e].span;
            self.error("E0471", span, "pack expansion does not contain a parameter pack");
            return vec![self.err(span)];
        };
        (0..n).map(|i| self.at_element(Some(i), |c| c.expr(e))).collect()
    }

    pub(crate) fn sizeof_pack(&mut self, s: Symbol, span: Span) -> ExprId {
        let n = self.lookup(s).and_then(|f| match f.entities.first() {
            Some(Entity::Pack(p)) => Some(self.inst.packs[p.0 as usize].len()),
            Some(Entity::ValuePack(p)) => Some(self.inst.value_packs[*p as usize].len()),
            _ => None,
        });
        match n {
            Some(n) => self.int(n as i128, TyId::ULONG, span),
            None => {
                if !self.inst.in_pattern {
                    self.error("E0471", span, "`sizeof...` needs a parameter pack");
                }
                self.err(span)
            }
        }
    }

    /// `(pack op …)` and its three relatives.
    pub(crate) fn fold_expr(
        &mut self,
        op: ast::FoldOp,
        left: Option<ast::ExprId>,
        right: Option<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let is_pack = |c: &mut Self, e: Option<ast::ExprId>| e.and_then(|e| c.pack_len_in_expr(e, 0)).is_some();
        let left_pack = is_pack(self, left);
        let (pack, init) = if left_pack { (left, right) } else { (right, left) };
        // `(f(i, a...), ...)`: of two sides the right one is said to have none.
        let Some(pack) = pack.or(init) else { return self.err(span) };
        let mut values = self.expand_expr_pack(pack);
        let init = init.map(|e| self.expr(e));
        // `(pack op …)` and `(pack op … op init)` associate to the right.
        let right_fold = left_pack;
        if let Some(i) = init {
            if right_fold { values.push(i) } else { values.insert(0, i) }
        }
        if values.is_empty() {
            return match op {
                ast::FoldOp::Binary(ast::BinaryOp::LogAnd) => self.int(1, TyId::BOOL, span),
                ast::FoldOp::Binary(ast::BinaryOp::LogOr) => self.int(0, TyId::BOOL, span),
                ast::FoldOp::Comma => self.rv(ExprKind::ZeroInit, TyId::VOID, span),
                _ => {
                    self.error("E0472", span, "fold of an empty pack has no value");
                    self.err(span)
                }
            };
        }
        if right_fold {
            values.reverse();
        }
        let mut it = values.into_iter();
        let Some(mut acc) = it.next() else { return self.err(span) };
        for v in it {
            let (l, r) = if right_fold { (v, acc) } else { (acc, v) };
            acc = self.fold_step(op, l, r, span);
        }
        acc
    }

    fn fold_step(&mut self, op: ast::FoldOp, l: ExprId, r: ExprId, span: Span) -> ExprId {
        match op {
            ast::FoldOp::Comma => self.comma_checked(l, r, span),
            ast::FoldOp::Binary(b @ (ast::BinaryOp::LogAnd | ast::BinaryOp::LogOr)) => {
                if let Some(v) = self.user_logical(b, l, r, span) {
                    return v;
                }
                let (a, b2) = (self.condition(l), self.condition(r));
                let kind = if b == ast::BinaryOp::LogAnd {
                    ExprKind::LogAnd { lhs: a, rhs: b2 }
                } else {
                    ExprKind::LogOr { lhs: a, rhs: b2 }
                };
                self.rv(kind, TyId::BOOL, span)
            }
            ast::FoldOp::Binary(b) => self.built_or_user(b, l, r, span),
            ast::FoldOp::Assign(op) => self.assign_checked(op, l, r, span),
        }
    }
}
