//! Names as written: qualifiers, template arguments, and what they stand for.

use smallvec::smallvec;
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, NameKind, SegmentKind, TagKind};

use super::{Checker, Entity, Found, RTy, ScopeId, ScopeKind, TemplateKind};
use crate::types::{Enum, NameKind as TreeName, Record, TemplateArg, Ty, TyId};

/// Where a qualifier leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Qualifier {
    /// There is none.
    None,
    Scope(ScopeId),
    /// A type that has no scope: an enumeration, a dependent type.
    Type(TyId),
    /// A name of the standard library, whose headers are empty here.
    Std,
    /// An error was reported.
    Error,
}

impl Checker<'_> {
    /// The identifier of a name's last component.
    pub(crate) fn last_symbol(&self, name: ast::NameId) -> Option<Symbol> {
        match self.ast[name].kind {
            NameKind::Ident(s) | NameKind::Destructor(s) | NameKind::Literal(s) => Some(s),
            _ => None,
        }
    }

    /// Follows the qualifier of a name.
    pub(crate) fn qualifier(&mut self, name: ast::NameId) -> Qualifier {
        let n = self.ast[name];
        let ast = self.ast;
        if n.qualifier.is_empty() {
            return if n.global { Qualifier::Scope(ScopeId(0)) } else { Qualifier::None };
        }
        let mut at = if n.global { Qualifier::Scope(ScopeId(0)) } else { Qualifier::None };
        for seg in ast.list(n.qualifier) {
            at = self.follow(at, seg);
            if matches!(at, Qualifier::Error) {
                break;
            }
        }
        at
    }

    fn follow(&mut self, at: Qualifier, seg: &ast::NameSegment) -> Qualifier {
        let sym = match seg.kind {
            SegmentKind::Ident(s) => s,
            SegmentKind::Decltype(e) => {
                self.cx.unevaluated += 1;
                let e = self.expr(e);
                self.cx.unevaluated -= 1;
                return self.type_qualifier(self.ty(e), seg.span);
            }
        };
        let found = match at {
            Qualifier::None => match self.lookup(sym) {
                // What is no type or namespace does not count before `::` (C++17, 6.4.3).
                Some(f)
                    if !matches!(
                        f.entities.first(),
                        Some(
                            Entity::Type(_)
                                | Entity::Tag(_)
                                | Entity::Pack(_)
                                | Entity::Namespace(_)
                                | Entity::Template(_)
                        ) | None
                    ) || self.is_value_template(&f) =>
                {
                    if let Some(t) = self.lookup_tag(sym) {
                        return self.type_qualifier(t, seg.span);
                    }
                    Some(self.lookup_space(sym).unwrap_or(f))
                }
                f => f,
            },
            Qualifier::Scope(s) => self.lookup_after(s, sym),
            Qualifier::Type(t) if self.p.types.is_dependent(t) => {
                let t = self.p.types.intern(Ty::DependentMember { base: t, name: sym });
                return Qualifier::Type(t);
            }
            Qualifier::Std => return Qualifier::Std,
            Qualifier::Type(_) | Qualifier::Error => None,
        };
        self.bring_out(sym, found.as_ref().map_or(&[], |f| &f.entities));
        let Some(found) = found else {
            if matches!(at, Qualifier::None) {
                if self.text(sym) == "std" || self.text(sym) == "cuda" || self.text(sym) == "cub" {
                    return Qualifier::Std;
                }
                if let Some(t) = self.provided_type(sym) {
                    return self.type_qualifier(t, seg.span);
                }
            }
            let name = self.text(sym).to_owned();
            let near = self.nearest(sym);
            let mut d =
                Diagnostic::error("E0330", seg.span, format!("`{name}` is not a class, namespace or enumeration"));
            if let Some(n) = near {
                d = d.help(format!("did you mean `{n}`?"));
            }
            self.report(d);
            return Qualifier::Error;
        };
        for e in &found.entities {
            match *e {
                Entity::Namespace(s) => return Qualifier::Scope(s),
                Entity::Type(t) => {
                    // The injected name of a class template, with arguments, is the template again.
                    if let Some(tpl) = self.injected(t.ty).filter(|_| seg.args.is_some()) {
                        let Some(r) = self.template_type(tpl, seg.args, seg.span) else { return Qualifier::Error };
                        return self.type_qualifier(r.ty, seg.span);
                    }
                    return self.type_qualifier(t.ty, seg.span);
                }
                Entity::Tag(t) => return self.type_qualifier(t, seg.span),
                // The element of a pack that is being expanded.
                Entity::Pack(p) => {
                    let element = self.cx.pack_index.and_then(|i| self.inst.packs[p.0 as usize].get(i).cloned());
                    if let Some(crate::types::TemplateArg::Type(t)) = element {
                        return self.type_qualifier(t.ty, seg.span);
                    }
                }
                Entity::Template(t) if self.decls[t].kind != TemplateKind::Function => {
                    let Some(r) = self.template_type(t, seg.args, seg.span) else { return Qualifier::Error };
                    return self.type_qualifier(r.ty, seg.span);
                }
                _ => {}
            }
        }
        let name = self.text(sym).to_owned();
        self.error("E0330", seg.span, format!("`{name}` is not a class, namespace or enumeration"));
        Qualifier::Error
    }

    /// Whether a name is that of function or variable templates.
    fn is_value_template(&self, found: &Found) -> bool {
        matches!(found.entities.first(), Some(Entity::Template(t))
            if matches!(self.decls[*t].kind, TemplateKind::Function | TemplateKind::Variable))
    }

    fn type_qualifier(&mut self, ty: TyId, span: Span) -> Qualifier {
        let ty = self.half_object(ty);
        match *self.p.types.get(ty) {
            Ty::Record(r) => {
                self.complete_record(r);
                Qualifier::Scope(self.decls[r].scope)
            }
            Ty::Error => Qualifier::Error,
            Ty::Enum(_) => Qualifier::Type(ty),
            _ if self.p.types.is_dependent(ty) => Qualifier::Type(ty),
            _ => {
                let name = self.show(ty);
                self.error(
                    "E0330",
                    span,
                    format!("`{name}` has no members: it is not a class, namespace or enumeration"),
                );
                Qualifier::Error
            }
        }
    }

    /// What a name's last component stands for.
    pub(crate) fn find_name(&mut self, name: ast::NameId) -> Option<Found> {
        let n = self.ast[name];
        let sym = match n.kind {
            NameKind::Ident(s) => s,
            NameKind::Operator(op) => self.operator_symbol(op),
            _ => return None,
        };
        let found = match self.qualifier(name) {
            Qualifier::None => self.lookup(sym),
            Qualifier::Scope(s) => self.lookup_after(s, sym),
            Qualifier::Type(t) => {
                let Ty::Enum(_) = self.p.types.get(t) else { return None };
                let scope = self.decls.enum_scopes.get(&t).copied()?;
                self.lookup_in(scope, sym)
            }
            Qualifier::Std | Qualifier::Error => None,
        };
        self.bring_out(sym, found.as_ref().map_or(&[], |f| &f.entities));
        let plain = !n.global && n.qualifier.is_empty();
        found.map(|f| if plain { self.element_named(f) } else { f })
    }

    /// Of a pack of functions or objects that is being expanded the element.
    fn element_named(&mut self, found: Found) -> Found {
        let (Some(&Entity::Pack(p)), Some(i)) = (found.entities.first(), self.cx.pack_index) else { return found };
        match self.inst.packs[p.0 as usize].get(i).cloned() {
            Some(a @ (TemplateArg::Function { .. } | TemplateArg::Variable { .. } | TemplateArg::Object { .. })) => {
                Found { entities: smallvec![self.arg_entity(&a)], record: None }
            }
            _ => found,
        }
    }

    /// The type that a name stands for; reports if it is none.
    pub(crate) fn resolve_type_name(&mut self, name: ast::NameId) -> RTy {
        match self.try_type_name(name) {
            Ok(Some(t)) => t,
            Ok(None) => {
                let n = self.ast[name];
                let text = self.name_text(name);
                let mut d = Diagnostic::error("E0331", n.span, format!("unknown type name `{text}`"));
                if let Some(s) = self.last_symbol(name)
                    && let Some(near) = self.nearest(s)
                {
                    d = d.help(format!("did you mean `{near}`?"));
                }
                self.report(d);
                RTy::plain(TyId::ERROR)
            }
            Err(()) => RTy::plain(TyId::ERROR),
        }
    }

    /// The type that a name stands for, if any; `Err` after a report.
    pub(crate) fn try_type_name(&mut self, name: ast::NameId) -> Result<Option<RTy>, ()> {
        let n = self.ast[name];
        let NameKind::Ident(sym) = n.kind else { return Ok(None) };
        let q = self.qualifier(name);
        let found = match q {
            Qualifier::None => self.lookup(sym),
            Qualifier::Scope(s) => self.lookup_after(s, sym),
            Qualifier::Type(t) if self.p.types.is_dependent(t) => {
                let t = self.p.types.intern(Ty::DependentMember { base: t, name: sym });
                return Ok(Some(RTy::plain(t)));
            }
            Qualifier::Type(_) => None,
            Qualifier::Std => return Ok(self.provided_type(sym).map(RTy::plain)),
            Qualifier::Error => return Err(()),
        };
        self.bring_out(sym, found.as_ref().map_or(&[], |f| &f.entities));
        if let Some(found) = found {
            if let Some(t) = self.entity_type(&found, n.args, n.span)? {
                return Ok(Some(t));
            }
            // A function or variable hides the type in its own scope; the tag may still be found.
            if !found.entities.is_empty() {
                return Ok(self.lookup_tag(sym).map(RTy::plain));
            }
        }
        let library = match q {
            Qualifier::Scope(s) => s == ScopeId(0) || self.is_namespace_std(s),
            _ => matches!(q, Qualifier::None),
        };
        if library {
            return Ok(self.provided_type(sym).map(RTy::plain));
        }
        Ok(None)
    }

    /// `std`, which headers that stand in for the real ones fill only in part.
    fn is_namespace_std(&self, s: ScopeId) -> bool {
        let scope = &self.decls[s];
        scope.parent == Some(ScopeId(0))
            && matches!(self.p.types.name(scope.name).kind, TreeName::Namespace(n) if self.text(n) == "std")
    }

    /// The class template of which a type is an instance, or one with its own parameters for arguments.
    pub(crate) fn injected(&self, ty: TyId) -> Option<super::TemplateId> {
        match *self.p.types.get(ty) {
            Ty::Record(r) => self.decls[r].instance.as_ref().map(|(t, _)| *t),
            Ty::TemplateSpec { name, .. } => self.decls.template_at(name),
            _ => None,
        }
    }

    fn entity_type(
        &mut self,
        found: &Found,
        args: Option<ast::List<ast::TemplateArg>>,
        span: Span,
    ) -> Result<Option<RTy>, ()> {
        for e in &found.entities {
            match *e {
                Entity::Type(t) => {
                    // The injected name of a class template, with arguments, is the template again.
                    if let Some(tpl) = self.injected(t.ty).filter(|_| args.is_some()) {
                        return self.template_type(tpl, args, span).map(Some).ok_or(());
                    }
                    return Ok(Some(t));
                }
                Entity::Tag(t) if self.is_cxx() => return Ok(Some(RTy::plain(t))),
                Entity::Template(t) if matches!(self.decls[t].kind, TemplateKind::Class | TemplateKind::Alias) => {
                    return self.template_type(t, args, span).map(Some).ok_or(());
                }
                Entity::DependentConst(param) if self.inst.in_pattern && args.is_some() => {
                    return Ok(args.and_then(|list| self.named_by_parameter(param, list)));
                }
                Entity::Pack(p) => {
                    return match self.cx.pack_index.and_then(|i| self.inst.packs[p.0 as usize].get(i).cloned()) {
                        Some(crate::types::TemplateArg::Type(t)) => {
                            Ok(Some(RTy { quals: t.quals, ..RTy::plain(t.ty) }))
                        }
                        Some(crate::types::TemplateArg::Template(name)) => {
                            let t = self.decls.template_at(name).ok_or(())?;
                            self.template_type(t, args, span).map(Some).ok_or(())
                        }
                        _ if self.inst.in_pattern => Ok(Some(RTy::plain(TyId::DEPENDENT))),
                        _ => {
                            self.error("E0332", span, "parameter pack is not expanded: `...` is missing");
                            Err(())
                        }
                    };
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// A name as written.
    pub(crate) fn name_text(&self, name: ast::NameId) -> String {
        let span = self.ast[name].span;
        let s = self.sess.sources.snippet(span);
        if s.is_empty() {
            self.last_symbol(name).map(|s| self.text(s).to_owned()).unwrap_or_default()
        } else {
            s.to_owned()
        }
    }

    /// `struct S`, `enum E` without a body.
    pub(crate) fn elaborated(&mut self, tag: TagKind, name: ast::NameId) -> TyId {
        let n = self.ast[name];
        if let Some(sym) = self.ast.plain_name(name) {
            self.bring_out(sym, &[]);
            if let Some(t) = self.lookup_tag(sym) {
                return t;
            }
            if let Some(t) = self.provided_class(sym).filter(|_| matches!(tag, TagKind::Struct | TagKind::Class)) {
                return t;
            }
            if tag == TagKind::Enum {
                let text = self.text(sym).to_owned();
                self.error("E0333", n.span, format!("enumeration `{text}` is not declared"));
                return TyId::ERROR;
            }
            return self.forward_record(sym, tag == TagKind::Union, n.span);
        }
        self.resolve_type_name(name).ty
    }

    /// Declares an incomplete record in the innermost block or namespace.
    pub(crate) fn forward_record(&mut self, sym: Symbol, is_union: bool, span: Span) -> TyId {
        let scope = self.decls.namespace_of(self.scope);
        let parent = self.decls[scope].name;
        let path = self.p.types.child_name(parent, TreeName::Type(sym));
        let ty = self.new_record(path, is_union, span, self.scope);
        self.bind_tag(sym, ty, self.cx.block_depth == 0, scope);
        ty
    }

    /// Makes a record known by name: in C in the tag namespace, in C++ as a type.
    pub(crate) fn bind_tag(&mut self, sym: Symbol, ty: TyId, at_scope: bool, scope: ScopeId) {
        let entity = if self.is_cxx() { Entity::Type(RTy::plain(ty)) } else { Entity::Tag(ty) };
        if at_scope {
            self.decls.bind(scope, sym, entity);
        } else {
            self.cx.names.push((sym, entity));
        }
    }

    /// A new, incomplete record.
    pub(crate) fn new_record(
        &mut self,
        path: crate::types::NameId,
        is_union: bool,
        span: Span,
        parent: ScopeId,
    ) -> TyId {
        let (id, ty) = self.p.types.add_record(Record {
            name: path,
            is_union,
            complete: false,
            fields: Vec::new(),
            bases: Vec::new(),
            size: 0,
            align: 1,
            data_size: 0,
            plain: false,
            shares_tail: false,
            empty: true,
            empties: Vec::new(),
            trivial: true,
            span,
        });
        let scope = self.decls.new_scope(parent, ScopeKind::Record(id), path);
        self.decls.records.push(super::RecordInfo::new(scope));
        ty
    }

    /// A new enumeration.
    pub(crate) fn new_enum(&mut self, path: crate::types::NameId, scoped: bool, span: Span) -> TyId {
        let (_, ty) = self.p.types.add_enum(Enum {
            name: path,
            underlying: TyId::INT,
            promotes_to: None,
            scoped,
            complete: false,
            fixed: false,
            span,
        });
        let scope = self.decls.new_scope(self.scope, ScopeKind::Namespace, path);
        self.decls.enum_scopes.insert(ty, scope);
        ty
    }
}
