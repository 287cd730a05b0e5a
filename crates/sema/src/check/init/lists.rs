//! Braced lists as objects of their own, and what is initialised like one: `std::initializer_list`, constructors that take
//! it, aggregates from parentheses.

use super::Items;
use crate::check::call::Arg;
use crate::check::convert::{Rank, Why};
use crate::check::{Checker, Entity, FnId, ScopeId};
use crate::program::{ExprId, ExprKind, InitElem};
use crate::types::{AddrSpace, BitField, NameKind as TreeName, QualTy, Quals, RecordId, TemplateArg, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// What a `std::initializer_list` is a list of.
    pub(crate) fn list_element(&self, ty: TyId) -> Option<TyId> {
        let r = self.p.types.as_record(ty)?;
        let (t, args) = self.decls[r].instance.as_ref()?;
        match args.first()? {
            TemplateArg::Type(elem) if self.is_list_template(self.decls[*t].path) => Some(elem.ty),
            _ => None,
        }
    }

    /// Whether a template is `std::initializer_list`.
    pub(crate) fn is_list_template(&self, path: crate::types::NameId) -> bool {
        let name = self.p.types.name(path);
        let in_std = matches!(self.p.types.name(name.parent).kind, TreeName::Namespace(n) if self.text(n) == "std");
        in_std && matches!(name.kind, TreeName::Type(n) if self.text(n) == "initializer_list")
    }

    /// The one type of a list's elements, and their number; reports if there is none.
    pub(crate) fn listed_type(&mut self, items: ast::List<ast::InitItem>, at: Span) -> Option<(TyId, u64)> {
        self.cx.unevaluated += 1;
        let given = self.list_args(items);
        let types: Vec<Option<TyId>> = given
            .iter()
            .map(|a| match *a {
                Arg::Expr(e) => Some(self.value_ty(e)),
                Arg::List(_) | Arg::Overload(_) => None,
            })
            .collect();
        self.cx.unevaluated -= 1;
        let Some(&Some(elem)) = types.first() else {
            self.error("E0381", at, "the type of the list's elements is not known: name it, as in `T list[] = {…}`");
            return None;
        };
        if elem == TyId::ERROR {
            return None;
        }
        if let Some(other) = types.iter().flatten().find(|&&t| t != elem) {
            let (a, b) = (self.show(elem), self.show(*other));
            self.error("E0381", at, format!("the list has elements of several types, `{a}` and `{b}`"));
            return None;
        }
        Some((elem, types.len() as u64))
    }

    /// What `auto` stands for where it is initialised from `{a, b}`: a `std::initializer_list`, if the program has that.
    pub(crate) fn auto_of_list(&mut self, items: ast::List<ast::InitItem>, at: Span) -> TyId {
        let Some((elem, _)) = self.listed_type(items, at) else { return TyId::ERROR };
        let (space, name) = (self.sess.intern("std"), self.sess.intern("initializer_list"));
        let found = match self.lookup_in(ScopeId(0), space).and_then(|f| f.entities.first().copied()) {
            Some(Entity::Namespace(s)) => self.lookup_in(s, name),
            _ => None,
        };
        match found.and_then(|f| f.entities.first().copied()) {
            Some(Entity::Template(t)) => {
                let args = vec![TemplateArg::Type(QualTy::plain(elem))];
                self.class_instance(t, args, at).unwrap_or(TyId::ERROR)
            }
            _ => {
                let message = "`auto` from a list is a `std::initializer_list`, which is not declared";
                let d = Diagnostic::error("E0359", at, message).help("`#include <initializer_list>`");
                self.report(d);
                TyId::ERROR
            }
        }
    }

    /// `{a, b}` as a `std::initializer_list`: an array that lives as long as a temporary object does, and where it is
    /// (C++17, 11.6.4, 5).
    pub(super) fn list_object(&mut self, list: ast::List<ast::InitItem>, elem: TyId, ty: TyId, span: Span) -> ExprId {
        if let [one] = self.ast.list(list)
            && !matches!(self.ast[one.value].kind, ast::ExprKind::InitList(_) | ast::ExprKind::Pack(_))
        {
            let v = self.expr(one.value);
            if self.ty(v) == ty {
                return self.copy_record(v, ty);
            }
            self.cx.prechecked = Some((one.value, v));
        }
        let Some(r) = self.p.types.as_record(ty) else { return self.err(span) };
        self.complete_record(r);
        let fields: Vec<(u64, TyId)> = self.p.types.record(r).fields.iter().map(|f| (f.offset, f.ty)).collect();
        let [(at, pointer), (behind, count_ty)] = fields[..] else { return self.err(span) };
        let mut items: Items<'_> = self.items(list);
        let mut values = Vec::new();
        // Of lists of lists nobody may have asked anything yet.
        if let Some(class) = self.array_record(elem) {
            self.complete_record(class);
        }
        let size = self.p.types.size_of(elem).unwrap_or(1);
        while let Some(item) = items.items.get(items.at).copied() {
            let value = self.at_element(items.element(), |c| c.init_from(item.value, elem, Why::Init));
            values.push(InitElem { offset: values.len() as u64 * size, bits: None, value, repeat: 1 });
            items.at += 1;
        }
        let n = values.len() as u64;
        let first = if n == 0 {
            self.zero(pointer, span)
        } else {
            let array = self.p.types.array(elem, Some(n));
            let v = self.finish_aggregate(&values, array, span);
            if self.is_err(v) {
                return v;
            }
            let local = self.new_local(None, array, Quals::NONE, span);
            let kind = ExprKind::Materialize { local, init: v };
            let place = self.lv(kind, array, Quals::CONST, AddrSpace::Private, span);
            let p = self.decay(place);
            self.pointer_cast(p, pointer)
        };
        let count = self.int(i128::from(n), count_ty, span);
        let parts =
            [(at, first), (behind, count)].map(|(offset, value)| InitElem { offset, bits: None, value, repeat: 1 });
        self.finish_aggregate(&parts, ty, span)
    }

    /// An object that a constructor makes of a list as one argument, which goes before all others (C++17, 16.3.1.7).
    pub(crate) fn list_constructed(
        &mut self,
        r: RecordId,
        list: ast::List<ast::InitItem>,
        span: Span,
    ) -> Option<ExprId> {
        let (f, v) = self.list_constructor(r, list, span)?;
        Some(self.construct_with(f, r, &[v], span))
    }

    /// That constructor, and the list.
    pub(crate) fn list_constructor(
        &mut self,
        r: RecordId,
        list: ast::List<ast::InitItem>,
        span: Span,
    ) -> Option<(FnId, ExprId)> {
        let all = self.list_constructors(r, list);
        if all.is_empty() || list.is_empty() && self.default_constructor(r).is_some() {
            return None;
        }
        let mut best: Option<(Rank, (FnId, TyId, TyId))> = None;
        for one in all {
            if let Some(rank) = self.rank_list(list, one.2)
                && best.is_none_or(|(b, _)| rank.against(b).is_lt())
            {
                best = Some((rank, one));
            }
        }
        let (_, (f, ty, elem)) = best?;
        let v = self.list_object(list, elem, ty, span);
        Some((self.own_constructor(r, f), v))
    }

    /// The constructors that take a `std::initializer_list` and nothing else, that type and its elements'.
    pub(crate) fn list_constructors(&mut self, r: RecordId, list: ast::List<ast::InitItem>) -> Vec<(FnId, TyId, TyId)> {
        let mut ctors = self.decls[r].ctors.clone();
        for entity in self.constructor_templates(r) {
            if let Entity::Template(t) = entity
                && !list.is_empty()
                && let Some(f) = self.list_instance(t, list)
                && !ctors.contains(&f)
            {
                ctors.push(f);
            }
        }
        let takes = |f: FnId| {
            let (first, rest) = self.decls[f].params.split_first()?;
            rest.iter().all(|p| p.default.is_some()).then_some(())?;
            let ty = self.strip_reference(first.ty);
            self.list_element(ty).map(|elem| (f, ty, elem))
        };
        ctors.into_iter().filter_map(takes).collect()
    }

    /// The worst conversion of an item to an element's type.
    pub(crate) fn rank_list(&mut self, list: ast::List<ast::InitItem>, elem: TyId) -> Option<Rank> {
        let mut worst = Rank::EXACT;
        for a in self.list_args(list) {
            let rank = self.rank_arg(a, elem)?;
            if worst.against(rank).is_lt() {
                worst = rank;
            }
        }
        Some(Rank { bind: None, ..worst })
    }

    /// The address that a reference made from `{…}` holds: the only element's if that is of the type or derived from it, else
    /// a temporary's of the type that it refers to (C++17, 11.6.4, 3.9).
    pub(super) fn reference_list(
        &mut self,
        list: ast::List<ast::InitItem>,
        ty: TyId,
        pointee: TyId,
        span: Span,
    ) -> ExprId {
        let before = self.cx.prechecked;
        if let [one] = self.ast.list(list)
            && one.designators.is_empty()
            && let Some(v) = self.only_element(one.value)
        {
            let own = self.ty(v);
            let derived = match (self.p.types.as_record(own), self.p.types.as_record(pointee)) {
                (Some(d), Some(b)) => self.base_offset(d, b).is_some(),
                _ => false,
            };
            if derived || self.is_same_place(own, pointee) {
                return self.bind_reference(v, ty, Why::Init);
            }
            if !matches!(self.ast[one.value].kind, ast::ExprKind::Pack(_)) {
                self.cx.prechecked = Some((one.value, v));
            }
        }
        let v = self.init_list(list, pointee, span);
        self.cx.prechecked = before;
        self.bind_reference(v, ty, Why::Init)
    }

    /// `T(a, b)` for a class that has no constructors (C++20, 9.4.1): bases and members from arguments in their order; parts of members
    /// may stand without braces, as nvcc has it. `None` where the class is no aggregate, or has fewer.
    pub(crate) fn aggregate_of(&mut self, r: RecordId, args: &[Arg], span: Span) -> Option<ExprId> {
        let mut out: Vec<InitElem> = Vec::new();
        let mut rest = args;
        self.fill_members(r, 0, &mut rest, &mut out, span)?;
        if !rest.is_empty() {
            return None;
        }
        let ty = self.p.types.intern(Ty::Record(r));
        Some(self.finish_aggregate(&out, ty, span))
    }

    /// The bases and members of an object at `base` from the first arguments that are left.
    fn fill_members(
        &mut self,
        r: RecordId,
        base: u64,
        rest: &mut &[Arg],
        out: &mut Vec<InitElem>,
        span: Span,
    ) -> Option<()> {
        let rec = self.p.types.record(r);
        let (n, is_union, bases) = (rec.fields.len(), rec.is_union, rec.bases.clone());
        if !self.is_cxx() || is_union || self.decls[r].has_private {
            return None;
        }
        let from = out.len();
        for b in bases {
            let ty = self.p.types.intern(Ty::Record(b.record));
            match rest.split_first() {
                Some((&a, left)) => {
                    *rest = left;
                    out.push(self.placed(a, ty, base + b.offset, None));
                }
                None => self.default_part(ty, base + b.offset, out, span),
            }
        }
        let mut given = vec![false; n];
        for (i, given) in given.iter_mut().enumerate() {
            let f = self.p.types.record(r).fields[i].clone();
            if f.name.is_none() && f.bits.is_some() {
                continue;
            }
            let Some((&a, left)) = rest.split_first() else { break };
            *given = true;
            if f.bits.is_some() {
                *rest = left;
                out.push(self.placed(a, f.ty, base + f.offset, f.bits));
            } else {
                self.fill_part(f.ty, base + f.offset, rest, out, span)?;
            }
        }
        self.default_members(r, &given, base, from, out);
        Some(())
    }

    /// A member or element from the first argument that is left; one with parts that the argument is none of from several.
    fn fill_part(
        &mut self,
        ty: TyId,
        offset: u64,
        rest: &mut &[Arg],
        out: &mut Vec<InitElem>,
        span: Span,
    ) -> Option<()> {
        let (&a, left) = rest.split_first()?;
        let array = match *self.p.types.get(ty) {
            Ty::Array { elem, len } => Some((elem, len)),
            _ => None,
        };
        match (array, self.p.types.as_record(ty), a) {
            (Some((elem, len)), _, Arg::Expr(_)) => {
                let (size, len) = (self.p.types.size_of(elem)?, len?);
                for k in 0..len {
                    if rest.is_empty() {
                        let others = self.p.types.intern(Ty::Array { elem, len: Some(len - k) });
                        self.default_part(others, offset + k * size, out, span);
                        break;
                    }
                    self.fill_part(elem, offset + k * size, rest, out, span)?;
                }
            }
            (_, Some(m), Arg::Expr(e)) if !self.decls[m].has_ctor && self.rank(e, ty).is_none() => {
                self.complete_record(m);
                self.fill_members(m, offset, rest, out, span)?;
            }
            _ => {
                *rest = left;
                out.push(self.placed(a, ty, offset, None));
            }
        }
        Some(())
    }

    /// A whole part of an object, from one argument.
    fn placed(&mut self, a: Arg, ty: TyId, offset: u64, bits: Option<BitField>) -> InitElem {
        InitElem { offset, bits, value: self.convert_arg(a, ty), repeat: 1 }
    }
}
