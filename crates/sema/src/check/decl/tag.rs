//! Structures, unions and enumerations.

use super::enumerator_ty;
use crate::check::names::Qualifier;
use crate::check::{Checker, Entity, ScopeId, ScopeKind};
use crate::types::{EnumId, NameKind as TreeName, Ty, TyId};
use source::Symbol;
use std::ops::RangeInclusive;
use syntax::ast::{self, DeclKind};

impl Checker<'_> {
    /// `struct S {…}`, `enum E {…}`, also inside another declaration.
    pub(crate) fn declare_tag(&mut self, id: ast::DeclId) -> TyId {
        let key = (id, self.scope);
        if self.cx.block_depth == 0
            && let Some(&t) = self.decls.ast_tags.get(&key)
        {
            return t;
        }
        if self.cx.block_depth > 0
            && let Some(&(_, t)) = self.cx.block_tags.iter().rev().find(|(k, _)| *k == key)
        {
            return t;
        }
        let d = self.ast[id];
        let ty = if self.ast[d.name].qualifier.is_empty() { self.tag_here(id, &d) } else { self.tag_elsewhere(id, &d) };
        if self.cx.block_depth == 0 {
            self.decls.ast_tags.insert(key, ty);
        } else if !self.cx.block_tags.iter().any(|(k, _)| *k == key) {
            self.cx.block_tags.push((key, ty));
        }
        ty
    }

    /// What a declaration declares in this scope.
    fn tag_here(&mut self, id: ast::DeclId, d: &ast::Decl) -> TyId {
        match d.kind {
            DeclKind::Record(r) => self.declare_record(id, d, r),
            DeclKind::Enum { scoped, underlying, members } => self.declare_enum(d, scoped, underlying, members),
            _ => TyId::ERROR,
        }
    }

    /// `class C::M {…};`, `enum E n::F : int {…};`: what a class or a namespace has declared before (C++17, 12.1.7, 10.2).
    fn tag_elsewhere(&mut self, id: ast::DeclId, d: &ast::Decl) -> TyId {
        let Some(sym) = self.decl_symbol(d) else { return TyId::ERROR };
        let scope = match self.qualifier(d.name) {
            Qualifier::Scope(s) => s,
            _ => return TyId::ERROR,
        };
        let is_tag = |e: &Entity| matches!(e, Entity::Tag(_) | Entity::Type(_));
        if !self.decls.bound(scope, sym).iter().any(is_tag) {
            let name = self.name_text(d.name);
            let tag = if matches!(d.kind, DeclKind::Enum { .. }) { "an enumeration" } else { "a class" };
            self.error("E0343", d.span, format!("`{name}` is not declared as {tag} there"));
            return TyId::ERROR;
        }
        let depth = std::mem::take(&mut self.cx.block_depth);
        let ty = crate::check::with_scope!(self, scope, self.tag_here(id, d));
        self.cx.block_depth = depth;
        ty
    }

    pub(crate) fn tag_path(&mut self, sym: Option<Symbol>) -> crate::types::NameId {
        let local = self.cx.decl.filter(|_| self.cx.block_depth > 0);
        let parent = match local {
            // Functions of one name may each have a class of one name.
            Some(f) if self.is_cxx() => self.body_scope(f),
            Some(f) => self.decls[f].path,
            None => self.decls[self.scope].name,
        };
        let kind = match sym {
            Some(s) if local.is_some() => {
                let count = self.cx.tag_names.entry(s).or_default();
                *count += 1;
                if *count == 1 { TreeName::Type(s) } else { TreeName::Local(s, *count - 1) }
            }
            Some(s) => TreeName::Type(s),
            None => {
                self.decls.unnamed += 1;
                TreeName::Unnamed(self.decls.unnamed)
            }
        };
        self.p.types.child_name(parent, kind)
    }

    fn declare_enum(
        &mut self,
        d: &ast::Decl,
        scoped: bool,
        underlying: Option<ast::TypeId>,
        members: Option<ast::List<ast::DeclId>>,
    ) -> TyId {
        let sym = self.decl_symbol(d);
        let fixed = underlying.map(|t| self.resolve_ty(t));
        let scope = self.scope;
        let ty = self.declared_enum(sym).unwrap_or_else(|| {
            let path = self.tag_path(sym);
            let ty = self.new_enum(path, scoped, d.span);
            if let Some(s) = sym {
                self.bind_tag(s, ty, self.cx.block_depth == 0, scope);
            }
            ty
        });
        let Ty::Enum(id) = *self.p.types.get(ty) else { return TyId::ERROR };
        if fixed.is_some_and(|t| !matches!(self.p.types.get(t), Ty::Int(_) | Ty::Bool | Ty::Error)) {
            self.error("E0346", d.span, "the underlying type of an enumeration must be an integer type");
        }
        if fixed.is_some() || scoped {
            let e = &mut self.p.types.enums[id.0 as usize];
            e.underlying = fixed.unwrap_or(e.underlying);
            (e.fixed, e.complete) = (true, true);
        }
        let outside = if members.is_none() { sym.and_then(|s| self.enumerators_outside(s)) } else { None };
        let (values_in, members) = match (members, outside) {
            (Some(members), _) => (scope, members),
            (None, Some(found)) => found,
            (None, None) => return ty,
        };
        let values = self.enumerators(ty, id, scoped, (values_in, members));
        let packed = self.is_packed(d.attrs);
        let promotes = self.is_cxx().then(|| promoted_of(&values));
        let e = &mut self.p.types.enums[id.0 as usize];
        if !e.fixed {
            e.promotes_to = promotes;
            e.underlying = if packed { packed_of(&values) } else { underlying_of(&values) };
        }
        e.complete = true;
        ty
    }

    /// The enumeration that this scope has under a name.
    fn declared_enum(&self, sym: Option<Symbol>) -> Option<TyId> {
        self.decls.bound(self.scope, sym?).iter().find_map(|e| match e {
            Entity::Tag(t) if matches!(self.p.types.get(*t), Ty::Enum(_)) => Some(*t),
            Entity::Type(t) if matches!(self.p.types.get(t.ty), Ty::Enum(_)) => Some(t.ty),
            _ => None,
        })
    }

    /// The value that is written, or `next` where it is an error that it is none, and its type.
    fn enumerator_value(&mut self, e: ast::ExprId, next: i128) -> (i128, TyId) {
        let v = self.constant_expr(e);
        let value = v.and_then(|v| self.int_constant(v));
        if value.is_none() && !self.inst.in_pattern {
            self.error("E0347", self.ast[e].span, "the value of an enumerator must be an integer constant");
        }
        let ty = v.map_or(TyId::INT, |v| self.value_ty(v));
        (value.unwrap_or(next), ty)
    }

    /// Declares the enumerators, with values as a scope knows names; the range of their values, and zero.
    fn enumerators(
        &mut self,
        ty: TyId,
        id: EnumId,
        scoped: bool,
        (values_in, members): (ScopeId, ast::List<ast::DeclId>),
    ) -> RangeInclusive<i128> {
        let (ast, scope) = (self.ast, self.scope);
        let inner = self.decls.enum_scopes.get(&ty).copied();
        // Between the braces the enumerators have the underlying type that is fixed, or else the type of their value (C++17, 10.2).
        let fixed = self.p.types.enumeration(id).fixed;
        let body = self.decls.new_scope(values_in, ScopeKind::Namespace, self.decls[scope].name);
        let body_ty = self.p.types.enumeration(id).underlying;
        let (mut next, mut lo, mut hi) = (0i128, 0i128, 0i128);
        let (mut qualified, mut local) = (Vec::new(), Vec::new());
        let mut of_value = TyId::INT;
        let mut unknown = None;
        for &m in ast.list(members) {
            let DeclKind::Enumerator { value } = ast[m].kind else { continue };
            if let Some(e) = value {
                let read = |c: &mut Self| crate::check::with_scope!(c, body, c.enumerator_value(e, next));
                match self.holding_enumerator(ast[m].span, read) {
                    Ok((v, ty)) => (next, of_value, unknown) = (v, ty, None),
                    Err(why) => unknown = Some(why),
                }
            }
            if let Some(why) = &unknown {
                if let Some(s) = self.decl_symbol(&ast[m]) {
                    self.hold_name(s, why);
                }
                continue;
            }
            lo = lo.min(next);
            hi = hi.max(next);
            if let Some(s) = self.decl_symbol(&ast[m]) {
                // In C an enumerator has type int where it fits; the enumeration's type is as good for overloads.
                let ety = if self.is_cxx() { ty } else { enumerator_ty(next) };
                let e = Entity::Const(next as i64, ety);
                let of_body = match enumerator_ty(next) {
                    _ if fixed => body_ty,
                    TyId::INT if self.is_cxx() => of_value,
                    wide => wide,
                };
                let inside = Entity::Const(next as i64, of_body);
                self.decls.bind(body, s, inside);
                self.decls.enumerators.entry((id, next as i64)).or_insert(s);
                if let Some(i) = inner {
                    qualified.push((self.decls.entities.len(), e));
                    self.decls.bind(i, s, inside);
                }
                if !scoped && self.cx.block_depth > 0 {
                    local.push((s, e));
                    self.cx.names.push((s, inside));
                } else if !scoped {
                    self.decls.bind(scope, s, e);
                }
            }
            next = next.saturating_add(1);
        }
        qualified.into_iter().for_each(|(at, e)| self.decls.entities[at].entity = e);
        local.into_iter().for_each(|named| self.cx.names.push(named));
        lo..=hi
    }
}

/// The smallest integer that holds the values, of a `packed` enumeration.
fn packed_of(values: &RangeInclusive<i128>) -> TyId {
    let (lo, hi) = (*values.start(), *values.end());
    let narrow = if lo < 0 {
        [
            (i128::from(i8::MIN), i128::from(i8::MAX), TyId::SCHAR),
            (i128::from(i16::MIN), i128::from(i16::MAX), TyId::SHORT),
        ]
    } else {
        [(0, i128::from(u8::MAX), TyId::UCHAR), (0, i128::from(u16::MAX), TyId::USHORT)]
    };
    let fits = narrow.iter().find(|&&(least, most, _)| least <= lo && hi <= most);
    fits.map_or_else(|| underlying_of(values), |&(.., ty)| ty)
}

/// The first of `int`, `unsigned`, `long` and `unsigned long` that has all values.
fn promoted_of(values: &RangeInclusive<i128>) -> TyId {
    let within = |low: i128, high: i128| *values.start() >= low && *values.end() <= high;
    if within(i32::MIN.into(), i32::MAX.into()) {
        TyId::INT
    } else if within(0, u32::MAX.into()) {
        TyId::UINT
    } else if within(i64::MIN.into(), i64::MAX.into()) {
        TyId::LONG
    } else {
        TyId::ULONG
    }
}

/// The type that holds all values of an enumeration which names none.
fn underlying_of(values: &RangeInclusive<i128>) -> TyId {
    let (lo, hi) = (*values.start(), *values.end());
    if lo < 0 {
        if lo >= i128::from(i32::MIN) && hi <= i128::from(i32::MAX) { TyId::INT } else { TyId::LONG }
    } else if hi <= i128::from(u32::MAX) {
        TyId::UINT
    } else {
        TyId::ULONG
    }
}
