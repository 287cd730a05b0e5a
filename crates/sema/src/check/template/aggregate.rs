//! Deduction of the arguments of a class template that is an aggregate, from the initialisers of its members: `Pair{1, 2.f}`
//! (C++20, 12.4.1.8, 1.4).

use smallvec::SmallVec;
use syntax::ast::{self, DeclKind, FunctionKind};

use super::Bound;
use crate::check::call::Arg;
use crate::check::{Checker, Template, TemplateId, with_scope};
use crate::types::{TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// The arguments that a list of initialisers makes of an aggregate's parameters; `None` if the template is none, or if
    /// they do not say.
    pub(super) fn aggregate_args(&mut self, t: TemplateId, args: &[Arg]) -> Option<Vec<TemplateArg>> {
        if args.is_empty() {
            return None;
        }
        let tpl = self.decls[t].clone();
        let members = self.aggregate_members(&tpl)?;
        let mut patterns: SmallVec<[TyId; 8]> = SmallVec::new();
        let scope = self.pattern_scope(&tpl.params, tpl.scope);
        let mark = self.sess.diagnostics.len();
        let saved = std::mem::replace(&mut self.inst.in_pattern, true);
        for ty in members {
            let ty = with_scope!(self, scope, self.resolve_ty(ty));
            patterns.push(if ty == TyId::ERROR { TyId::DEPENDENT } else { ty });
        }
        self.inst.in_pattern = saved;
        self.sess.diagnostics.truncate(mark);
        let mut bound: Bound = vec![None; tpl.params.len()];
        let mut left = args;
        for pattern in patterns {
            if left.is_empty() {
                break;
            }
            left = self.deduce_member(pattern, left, &mut bound)?;
        }
        if !left.is_empty() {
            return None;
        }
        self.completed(&tpl, bound).ok()
    }

    /// The types of the members of an aggregate, in order.
    fn aggregate_members(&self, tpl: &Template) -> Option<Vec<ast::TypeId>> {
        let ast = self.ast;
        let DeclKind::Record(r) = ast[tpl.decl].kind else { return None };
        let record = ast[r];
        if !record.defined || !record.bases.is_empty() || record.tag == ast::TagKind::Union {
            return None;
        }
        let mut public = record.tag != ast::TagKind::Class;
        let mut out = Vec::new();
        for &m in ast.list(record.members) {
            let mut d = ast[m];
            match d.kind {
                DeclKind::HostView(inner)
                    if !self.reads_host() && matches!(ast[inner].kind, DeclKind::Field { .. }) =>
                {
                    continue;
                }
                DeclKind::DeviceView(_) if self.reads_host() => continue,
                DeclKind::DeviceView(inner) => d = ast[inner],
                _ => {}
            }
            while let DeclKind::HostView(inner) | DeclKind::Template { decl: inner, .. } = d.kind {
                d = ast[inner];
            }
            match d.kind {
                DeclKind::Access(a) => public = a == ast::AccessSpec::Public,
                DeclKind::Field { ty, .. } if public => out.push(ty),
                DeclKind::Field { .. } => return None,
                DeclKind::Function(f)
                    if ast[f].kind == FunctionKind::Constructor || d.specs.has(ast::DeclSpecs::VIRTUAL) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        Some(out)
    }

    /// Deduces from the initialisers of one member; those that are left. The elements of an array whose length is known may
    /// stand without braces.
    fn deduce_member<'a>(&mut self, pattern: TyId, args: &'a [Arg], bound: &mut Bound) -> Option<&'a [Arg]> {
        let (&first, rest) = args.split_first()?;
        match first {
            Arg::List(e) => self.deduce_list(pattern, e, bound, &Bound::default()).then_some(rest),
            Arg::Overload(_) => (!self.p.types.is_dependent(pattern)).then_some(rest),
            Arg::Expr(e) => {
                if let Ty::Array { elem, len: Some(n) } = *self.p.types.get(pattern)
                    && !matches!(self.p.types.get(self.ty(e)), Ty::Array { .. })
                {
                    let mut left = args;
                    for _ in 0..n {
                        if left.is_empty() {
                            break;
                        }
                        left = self.deduce_member(elem, left, bound)?;
                    }
                    return Some(left);
                }
                let fits = !self.p.types.is_dependent(pattern) || self.deduce_arg(pattern, e, bound);
                fits.then_some(rest)
            }
        }
    }
}
