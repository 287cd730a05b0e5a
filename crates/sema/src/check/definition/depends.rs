//! Whether types, names and expressions depend on template parameters.

use super::{Definitions, Dep, Kind};
use syntax::ast::{self, ArraySize, BuiltinType, ExprKind as E, SegmentKind, TemplateArg, TypeKind};

impl Definitions<'_, '_> {
    pub(super) fn is_auto(&self, ty: ast::TypeId) -> bool {
        match self.ast[ty].kind {
            TypeKind::Builtin(b) => {
                matches!(b, BuiltinType::Auto | BuiltinType::DecltypeAuto | BuiltinType::AutoType)
            }
            TypeKind::LvalueRef(t) | TypeKind::RvalueRef(t) | TypeKind::Pointer(t) => self.is_auto(t),
            _ => false,
        }
    }

    pub(super) fn init_dep(&mut self, init: ast::Init) -> Dep {
        match init {
            ast::Init::None => Dep::No,
            ast::Init::Copy(e) | ast::Init::Brace(e) => self.expr_dep(e),
            ast::Init::Paren(list) => self.any(list),
        }
    }

    fn any(&mut self, list: ast::List<ast::ExprId>) -> Dep {
        let ast = self.ast;
        ast.list(list).iter().map(|&e| self.expr_dep(e)).max().unwrap_or(Dep::No)
    }

    pub(super) fn type_dep(&mut self, ty: ast::TypeId) -> Dep {
        let ast = self.ast;
        match ast[ty].kind {
            TypeKind::Name(n) | TypeKind::Elaborated { name: n, .. } => self.name_dep(n),
            TypeKind::TypeofExpr(e) | TypeKind::Decltype(e) => self.expr_dep(e),
            // A pointer to the class that is being defined has members that are known, when it is followed.
            TypeKind::Pointer(t)
            | TypeKind::LvalueRef(t)
            | TypeKind::RvalueRef(t)
            | TypeKind::TypeofType(t)
            | TypeKind::Underlying(t)
            | TypeKind::Atomic(t) => self.type_dep(t),
            TypeKind::Array { element, size } => {
                let n = match size {
                    ArraySize::Expr(e) | ArraySize::Static(e) => self.expr_dep(e),
                    _ => Dep::No,
                };
                self.type_dep(element).max(if n == Dep::No { Dep::No } else { Dep::Current })
            }
            TypeKind::Attributed { ty, attrs } => {
                let numbers = ast.list(attrs).iter().flat_map(|a| ast.list(a.args));
                let of_number = |d: &mut Self, arg: &ast::AttrArg| match *arg {
                    ast::AttrArg::Expr(e) | ast::AttrArg::Named(_, e) => d.expr_dep(e),
                    ast::AttrArg::Type(t) => d.type_dep(t),
                };
                let n = numbers.map(|arg| of_number(self, arg)).max().unwrap_or(Dep::No);
                self.type_dep(ty).max(if n == Dep::No { Dep::No } else { Dep::Current })
            }
            TypeKind::Function(f) => {
                let f = ast[f];
                let of_param = |d: &mut Self, p: &ast::DeclId| match ast[*p].kind {
                    ast::DeclKind::Param { ty, .. } => d.type_dep(ty),
                    _ => Dep::No,
                };
                let params = ast.list(f.params).iter().map(|p| of_param(self, p)).max().unwrap_or(Dep::No);
                params.max(self.type_dep(f.ret))
            }
            TypeKind::Pack(_) | TypeKind::MemberPointer { .. } => Dep::Yes,
            TypeKind::Tag(_) => Dep::Current,
            TypeKind::Builtin(_) | TypeKind::Error => Dep::No,
        }
    }

    /// Whether a name, its qualifier and arguments taken together, depends.
    pub(super) fn name_dep(&mut self, n: ast::NameId) -> Dep {
        let name = self.ast[n];
        let qualifier = self.qualifier_dep(n);
        if qualifier != Dep::No {
            return qualifier;
        }
        let args = name.args.map_or(Dep::No, |a| self.args_dep(a));
        let Some(sym) = self.c.last_symbol(n) else { return args };
        let plain = name.qualifier.is_empty() && !name.global;
        match self.find(sym).filter(|_| plain) {
            Some(Kind::Type(Dep::Current)) => Dep::Current,
            Some(Kind::Type(dep) | Kind::Value { dep, .. }) => dep.max(args),
            _ => args,
        }
    }

    pub(super) fn args_dep(&mut self, args: ast::List<TemplateArg>) -> Dep {
        let ast = self.ast;
        let one = |d: &mut Self, a: &TemplateArg| match *a {
            TemplateArg::Type(t) => d.type_dep(t),
            TemplateArg::Expr(e) => d.expr_dep(e),
            TemplateArg::TypePack(_) | TemplateArg::ExprPack(_) => Dep::Yes,
        };
        let most = ast.list(args).iter().map(|a| one(self, a)).max().unwrap_or(Dep::No);
        if most == Dep::No { Dep::No } else { Dep::Yes }
    }

    /// Whether what stands before the last `::` depends: `Yes` where its members cannot be known.
    pub(super) fn qualifier_dep(&mut self, n: ast::NameId) -> Dep {
        let segments = self.ast[n].qualifier;
        self.segments_dep(segments)
    }

    /// As [`Self::qualifier_dep`], of the leading segments of a qualifier.
    pub(super) fn segments_dep(&mut self, segments: ast::List<ast::NameSegment>) -> Dep {
        let ast = self.ast;
        let mut dep = Dep::No;
        for (i, s) in ast.list(segments).iter().enumerate() {
            let own = match s.kind {
                SegmentKind::Decltype(e) => self.expr_dep(e),
                SegmentKind::Ident(sym) if i == 0 => match self.find(sym) {
                    // `C<T>::` inside of `C` is `C` itself, whatever the arguments are called.
                    Some(Kind::Type(Dep::Current)) => Dep::Current,
                    Some(Kind::Type(Dep::Yes)) => Dep::Yes,
                    _ => s.args.map_or(Dep::No, |a| self.args_dep(a)),
                },
                SegmentKind::Ident(_) => s.args.map_or(Dep::No, |a| self.args_dep(a)),
            };
            dep = dep.max(own);
        }
        dep
    }

    /// Whether the type of an expression depends. Where this cannot be seen it does not.
    pub(super) fn expr_dep(&mut self, e: ast::ExprId) -> Dep {
        let ast = self.ast;
        match ast[e].kind {
            E::Name(n) => self.name_dep(n),
            E::This => Dep::Current,
            E::Paren(e) | E::Unary(_, e) | E::Pack(e) => self.expr_dep(e),
            E::Binary(op, l, r) => {
                use ast::BinaryOp as B;
                let dep = self.expr_dep(l).max(self.expr_dep(r));
                // Of built-in types these are `bool`; of classes they could be anything, and mostly are not.
                if matches!(op, B::Lt | B::Gt | B::Le | B::Ge | B::Eq | B::Ne | B::LogAnd | B::LogOr) {
                    dep.min(Dep::Current)
                } else {
                    dep
                }
            }
            E::Assign(_, l, _) => self.expr_dep(l),
            E::Comma(_, r) => self.expr_dep(r),
            E::Cond { then, els, .. } => then.map_or(Dep::No, |t| self.expr_dep(t)).max(self.expr_dep(els)),
            E::Cast { ty, .. }
            | E::Construct { ty, .. }
            | E::BitCast { ty, .. }
            | E::VaArg { ty, .. }
            | E::CompoundLit { ty, .. } => self.type_dep(ty),
            E::Call { callee, args } => {
                let own = self.expr_dep(callee);
                if own == Dep::Yes { own } else { own.max(self.any(args)) }
            }
            E::Index { base, .. } => self.expr_dep(base),
            E::Member { base, name, .. } => match self.expr_dep(base) {
                Dep::Current => self.member_dep(name),
                dep => dep,
            },
            E::Lambda(_) | E::Fold { .. } | E::StmtExpr(_) => Dep::Current,
            _ => Dep::No,
        }
    }

    /// Whether a member of the class that is being defined depends.
    pub(super) fn member_dep(&self, name: ast::NameId) -> Dep {
        let Some(sym) = self.c.last_symbol(name) else { return Dep::Current };
        let of = self.scopes.iter().rev().filter(|s| s.class.is_some()).find_map(|s| s.names.get(&sym));
        match of {
            Some(Kind::Type(dep) | Kind::Value { dep, .. }) => *dep,
            _ => Dep::Current,
        }
    }
}
