//! Inherited constructors: `using Base::Base;` (C++17, 10.3.3 and 15.6.3).
//!
//! Each constructor of the base but those that copy becomes one of the class, with the same parameters: it hands them
//! on to the base's, and initialises what else the class has as if nothing were written for it.

use crate::check::call::Arg;
use crate::check::names::Qualifier;
use crate::check::{BodySource, BodyState, Checker, Entity, FnDecl, FnId, ScopeKind};
use crate::program::{LocalId, StmtId, StmtKind};
use crate::types::{NameKind as TreeName, RecordId, Ty};
use source::Span;
use syntax::ast;

impl Checker<'_> {
    /// The base class whose constructors a `using` declaration in a class names.
    pub(super) fn inherits_from(&mut self, r: RecordId, d: &ast::Decl) -> Option<RecordId> {
        let last = self.last_symbol(d.name)?;
        let before = self.ast.list(self.ast[d.name].qualifier).last()?.kind;
        let bases: Vec<RecordId> = self.p.types.record(r).bases.iter().map(|b| b.record).collect();
        let own_name = |c: &Self, b: RecordId| match c.p.types.name(c.p.types.record(b).name).kind {
            TreeName::Type(n) | TreeName::Local(n, _) => n == last,
            _ => false,
        };
        if before != ast::SegmentKind::Ident(last) && !bases.iter().any(|&b| own_name(self, b)) {
            return None;
        }
        let mark = self.sess.diagnostics.len();
        let q = self.qualifier(d.name);
        self.sess.diagnostics.truncate(mark);
        let Qualifier::Scope(s) = q else { return None };
        let ScopeKind::Record(base) = self.decls[s].kind else { return None };
        let names_it = before == ast::SegmentKind::Ident(last) || own_name(self, base);
        (names_it && bases.contains(&base)).then_some(base)
    }

    /// The constructor templates of a class, those that it inherits among them.
    pub(crate) fn constructor_templates(&mut self, r: RecordId) -> Vec<Entity> {
        let name = self.sess.intern("constructor template");
        let (mut out, mut seen) = (Vec::new(), vec![r]);
        let mut at = 0;
        while let Some(&class) = seen.get(at) {
            out.extend(self.decls.bound(self.decls[class].scope, name));
            for &base in &self.decls[class].inherits {
                if !seen.contains(&base) {
                    seen.push(base);
                }
            }
            at += 1;
        }
        out
    }

    /// The constructor of class `r` that stands for one that overload resolution found: that itself, or what inherits the
    /// instance of a base's template.
    pub(crate) fn own_constructor(&mut self, r: RecordId, f: FnId) -> FnId {
        let Some(of) = self.decls[f].record.filter(|&of| of != r) else { return f };
        if let Some(&known) = self.inst.inherited.get(&(r, f)) {
            return known;
        }
        let bases = self.decls[r].inherits.clone();
        let Some(base) = bases.into_iter().find(|&b| b == of || self.base_offset(b, of).is_some()) else { return f };
        let of_base = self.own_constructor(base, f);
        let made = self.inherited_constructor(r, of_base);
        self.inst.inherited.insert((r, f), made);
        made
    }

    /// A constructor of class `r` that hands on to one of its base.
    fn inherited_constructor(&mut self, r: RecordId, f: FnId) -> FnId {
        let d = self.decls[f].clone();
        let made = self.made_constructor(r);
        let body = match d.body {
            BodySource::Host | BodySource::Deleted => d.body,
            _ => BodySource::Inherited(f),
        };
        let specs = d.specs.with(ast::DeclSpecs::INLINE);
        let made = FnDecl { span: d.span, params: d.params, specs, explicit: d.explicit, body, ..made };
        let made = FnDecl { scope: d.scope, ..made };
        self.push_fn(made)
    }

    /// Declares the constructors that class `r` has of its base.
    pub(super) fn inherit_constructors(&mut self, r: RecordId, base: RecordId) {
        self.decls[r].inherits.push(base);
        let of_base = self.decls[base].ctors.clone();
        let own = self.decls[r].ctors.clone();
        let default_of_base =
            of_base.is_empty() || of_base.iter().any(|&f| self.decls[f].params.iter().all(|p| p.default.is_some()));
        if !self.decls[r].has_ctor && default_of_base {
            // Inheriting takes no default constructor away.
            let f = self.made_constructor(r);
            let f = self.push_fn(f);
            self.decls[r].ctors.push(f);
        }
        self.decls[r].has_ctor = true;
        for f in of_base {
            let d = self.decls[f].clone();
            let hidden = own.iter().any(|&o| {
                let o = &self.decls[o].params;
                o.len() == d.params.len() && o.iter().zip(&d.params).all(|(a, b)| a.ty == b.ty)
            });
            if d.params.is_empty() || hidden || self.copies(base, &d) {
                continue;
            }
            let f = self.inherited_constructor(r, f);
            self.decls[r].ctors.push(f);
        }
    }

    /// Whether a constructor copies or moves objects of its class.
    fn copies(&self, class: RecordId, d: &FnDecl) -> bool {
        let Some(first) = d.params.first() else { return false };
        let rest = d.params.iter().skip(1).all(|p| p.default.is_some());
        rest && matches!(*self.p.types.get(first.ty), Ty::Reference { pointee, .. }
            if self.p.types.as_record(pointee) == Some(class))
    }

    /// The body of an inherited constructor.
    pub(crate) fn inherited_body(&mut self, f: FnId, of_base: FnId) -> Option<StmtId> {
        let span = self.decls[f].span;
        let (_, r, _) = self.cx.this?;
        let base = self.decls[of_base].record?;
        // The names of parameters mean nothing to the initialisers of members.
        let (names, scope) = (std::mem::take(&mut self.cx.names), self.scope);
        self.scope = self.decls[r].scope;
        let mut out = Vec::new();
        for b in self.p.types.record(r).bases.clone() {
            let ty = self.p.types.intern(Ty::Record(b.record));
            let object = self.this_object(span)?;
            let place = self.base_place(object, ty, b.offset as u32);
            if b.record != base {
                self.init_subobject(place, ty, None, None, &mut out, span);
                continue;
            }
            let args: Vec<Arg> = (0..self.decls[f].params.len())
                .map(|i| Arg::Expr(self.handed_on(LocalId(i as u32 + 1), f, i, span)))
                .collect();
            let place = self.unqualified(place);
            let call = self.call_fn(of_base, Some(place), &args, span, span);
            let s = self.push_stmt(StmtKind::Expr(call), span);
            out.push(s);
        }
        self.become_class(span, &mut out);
        self.init_members(r, span, &mut out);
        (self.cx.names, self.scope) = (names, scope);
        Some(self.block(&out, span))
    }

    /// A parameter as an argument for the base's constructor: moved, unless it is a reference to a place.
    fn handed_on(&mut self, l: LocalId, f: FnId, param: usize, span: Span) -> crate::program::ExprId {
        let place = self.local_value_place(l, span);
        let ty = self.decls[f].params[param].ty;
        if !matches!(self.p.types.get(ty), Ty::Reference { rvalue: false, .. }) {
            self.cx.xvalues.insert(place);
        }
        place
    }

    /// Initialises the members of an object as a constructor that says nothing of them.
    fn init_members(&mut self, r: RecordId, span: Span, out: &mut Vec<StmtId>) {
        for f in 0..self.p.types.record(r).fields.len() {
            let ty = self.p.types.record(r).fields[f].ty;
            let default = self.decls[r].inits.get(f).copied().flatten();
            let Some(object) = self.this_object(span) else { return };
            if matches!(self.p.types.get(ty), Ty::Reference { .. }) {
                self.error("E0361", span, "constructor must initialise the reference members");
                continue;
            }
            let place = self.field_place(object, r, f as u32, span);
            let place = self.unqualified(place);
            self.init_subobject(place, ty, None, default, out, span);
        }
    }

    /// A constructor without parameters that nobody wrote.
    pub(super) fn made_constructor(&mut self, r: RecordId) -> FnDecl {
        let (name, span) = (self.p.types.record(r).name, self.p.types.record(r).span);
        let own_name = match self.p.types.name(name).kind {
            TreeName::Type(n) | TreeName::Local(n, _) => n,
            _ => self.sess.intern("constructor"),
        };
        FnDecl {
            name: own_name,
            kind: crate::check::FnKind::Constructor,
            path: self.p.types.child_name(name, TreeName::Constructor),
            span,
            ast: None,
            scope: self.decls[r].scope,
            default_scope: None,
            record: Some(r),
            is_static: false,
            this_quals: crate::types::Quals::NONE,
            ref_qual: ast::RefQual::None,
            ret: crate::types::TyId::VOID,
            params: Vec::new(),
            variadic: false,
            unprototyped: false,
            specs: self.made_specs(),
            explicit: false,
            deduced_ret: false,
            body: if !self.reads_host() && self.objects_are_hosts(r) {
                BodySource::Host
            } else {
                BodySource::Defaulted
            },
            state: BodyState::Unchecked,
            func: None,
            template: None,
            asm_label: None,
            overloadable: false,
            depth: self.inst.depth,
        }
    }

    /// The words of a function that the compiler makes. In host code it is followed as one that is written is.
    fn made_specs(&self) -> ast::DeclSpecs {
        let made = ast::DeclSpecs::DEVICE.with(ast::DeclSpecs::INLINE);
        if self.reads_host() { made.with(ast::DeclSpecs::HOST) } else { made }
    }
}
