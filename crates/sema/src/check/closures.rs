//! Closures of host code as arguments of kernels: which side a lambda is for follows from what it does.
//!
//! The checker that [reads host code](super::launches) knows what a lambda captures. Of that the checker of the device code
//! makes a closure of its own, with the same fields, and checks the body once more as device code. A body that only the host
//! could run, and captures that mean nothing on the device (references to the host's variables, its `this`), make it the
//! host's: then there is no such type, and the launch is named in a warning. What template parameters around the lambda stand
//! for comes with it.

use super::block_names::BlockNames;
use super::lambda::Outer;
use super::scope::ScopeKind;
use super::{Checker, Entity, FnId, RTy, ScopeId};
use crate::types::{LambdaName, NameId, NameKind, QualTy, RecordId, TemplateArg, Ty, TyId, TypeTable};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Span, Symbol};
use syntax::ast::{DeclSpecs, LambdaId};

/// What a lambda of host code is made of.
#[derive(Clone, Debug)]
pub(crate) struct HostClosure {
    pub(crate) lambda: LambdaId,
    /// Name and field of what it holds, and whether by reference.
    pub(crate) captures: Vec<(Symbol, u32, bool)>,
    /// Constants around it, which need no capture: value and type.
    pub(crate) constants: Vec<(Symbol, i64, TyId)>,
    /// Packs among what it holds: their fields.
    pub(crate) packs: Vec<(Symbol, Vec<u32>)>,
    /// Types that the functions around it declare.
    types: Vec<(Symbol, QualTy)>,
    /// Variables of those that it names and does not hold: `decltype(x)` of a parameter.
    objects: Vec<(Symbol, QualTy)>,
    /// Template parameters of the functions around it, and what they stand for.
    params: Vec<(Symbol, TemplateArg)>,
    pub(crate) span: Span,
}

/// Closures by their records, and what became of them in the device's checker.
#[derive(Debug, Default)]
pub(crate) struct HostClosures {
    pub(crate) found: FxHashMap<RecordId, HostClosure>,
    made: FxHashMap<RecordId, Option<TyId>>,
}

impl Checker<'_> {
    /// Notes a lambda of host code, once its body has been checked.
    pub(crate) fn note_closure(&mut self, r: RecordId, lambda: LambdaId, outer: &Outer, span: Span) {
        if !self.reads_host() {
            return;
        }
        let captures = self.decls[r].captures.clone();
        let constants = self.constants_around(outer);
        let packs = self.captured_packs(r);
        let types = self.types_around(outer);
        let objects = self.objects_around(lambda, outer, &captures);
        let params = self.template_params_around();
        if let Some(l) = &mut self.launches {
            let found = HostClosure { lambda, captures, constants, packs, types, objects, params, span };
            l.closures.found.insert(r, found);
        }
    }

    /// The scope of names in the body of a function.
    pub(crate) fn body_scope(&mut self, f: FnId) -> NameId {
        if let Some(&known) = self.decls.bodies.get(&f) {
            return known;
        }
        let name = self.body_name(f);
        let number = self.p.types.bodies.len() as u32;
        let scope = self.p.types.child_name(name.path, NameKind::Body(number));
        self.p.types.bodies.push(name);
        self.decls.bodies.insert(f, scope);
        scope
    }

    /// Notes the name in symbols of a closure of host code: its parameters, and how many with the same are before it.
    pub(super) fn name_lambda(&mut self, r: RecordId, params: Box<[TyId]>, expansions: Box<[bool]>, variadic: bool) {
        let types = &mut self.p.types;
        let node = types.name(types.record(r).name);
        let (parent, NameKind::Lambda(n)) = (node.parent, node.kind) else { return };
        if !matches!(types.name(parent).kind, NameKind::Body(_)) {
            return;
        }
        let number = self.decls.lambdas.entry((parent, params.clone(), variadic)).or_default();
        let level = types.templates_around(types.record(r).name);
        types.lambdas.insert(n, LambdaName { params, expansions, variadic, level, number: *number });
        *number += 1;
    }

    /// The constants that the functions around a lambda declare, outermost first.
    fn constants_around(&self, outer: &Outer) -> Vec<(Symbol, i64, TyId)> {
        let all = self.inst.outers.iter().map(|o| &**o).chain([outer]);
        all.flat_map(Outer::named_constants).collect()
    }

    /// The types that the functions around a lambda declare, outermost first.
    fn types_around(&self, outer: &Outer) -> Vec<(Symbol, QualTy)> {
        let all = self.inst.outers.iter().map(|o| &**o).chain([outer]);
        all.flat_map(Outer::named_types).collect()
    }

    /// The variables of the functions around a lambda that are named in it and that it does not hold, outermost first.
    fn objects_around(
        &self,
        lambda: LambdaId,
        outer: &Outer,
        captures: &[(Symbol, u32, bool)],
    ) -> Vec<(Symbol, QualTy)> {
        let (first, end) = self.ast[lambda].names;
        let named: FxHashSet<Symbol> =
            self.ast.names_between(first, end).filter_map(|n| self.ast.plain_name(n)).collect();
        let all = self.inst.outers.iter().map(|o| &**o).chain([outer]);
        let free = |sym: Symbol| named.contains(&sym) && captures.iter().all(|c| c.0 != sym);
        all.flat_map(Outer::named_objects).filter(|o| free(o.0)).collect()
    }

    /// What the template parameters between here and the namespace or class around stand for.
    fn template_params_around(&mut self) -> Vec<(Symbol, TemplateArg)> {
        let mut found: Vec<(Symbol, TemplateArg)> = Vec::new();
        let mut scope = self.scope;
        while self.decls[scope].kind == ScopeKind::Template {
            let names: Vec<Symbol> =
                self.decls.templates.iter().flat_map(|t| t.params.iter().filter_map(|p| p.name)).collect();
            for sym in names {
                let arg = match self.decls.bound(scope, sym).first() {
                    Some(Entity::Type(t)) => TemplateArg::Type(QualTy { ty: t.ty, quals: t.quals }),
                    Some(&Entity::Const(value, ty)) => TemplateArg::Int { value, ty },
                    Some(&Entity::Fn(f)) => self.function_arg(f),
                    Some(Entity::Template(t)) => TemplateArg::Template(self.decls[*t].path),
                    Some(Entity::Pack(id)) => match self.inst.packs.get(id.0 as usize) {
                        Some(all) => TemplateArg::Pack(all.clone().into()),
                        None => continue,
                    },
                    _ => continue,
                };
                if !found.iter().any(|(s, _)| *s == sym) {
                    found.push((sym, arg));
                }
            }
            let Some(parent) = self.decls[scope].parent else { break };
            scope = parent;
        }
        found
    }

    /// The device's closure of a lambda of host code; `None` if it can only be the host's.
    pub(crate) fn carry_closure(&mut self, r: RecordId, types: &TypeTable, depth: usize) -> Option<TyId> {
        if let Some(&made) = self.host_closures.made.get(&r) {
            return made;
        }
        // A closure does not hold itself.
        self.host_closures.made.insert(r, None);
        let closure = self.host_closures.found.get(&r).cloned()?;
        let made = self.make_closure(r, &closure, types, depth);
        self.host_closures.made.insert(r, made);
        made
    }

    fn make_closure(&mut self, r: RecordId, c: &HostClosure, types: &TypeTable, depth: usize) -> Option<TyId> {
        let specs = self.ast[c.lambda].specs;
        let host_only = specs.has(DeclSpecs::HOST) && !specs.has(DeclSpecs::DEVICE);
        if host_only || c.captures.iter().any(|&(_, _, by_ref)| by_ref) {
            return None;
        }
        let this = self.sess.intern("this");
        let mut fields = Vec::new();
        for &(sym, field, _) in &c.captures {
            let f = &types.record(r).fields[field as usize];
            if sym == this {
                return None;
            }
            fields.push((sym, self.carry(f.ty, types, depth)?, f.quals));
        }
        let mut names = BlockNames::default();
        for &(sym, of) in &c.objects {
            if let Some(ty) = self.carry(of.ty, types, depth) {
                names.push((sym, Entity::Outside(ty, of.quals)));
            }
        }
        for &(sym, of) in &c.types {
            // A type that the device does not have is an error only where the body names it.
            if let Some(ty) = self.carry(of.ty, types, depth) {
                names.push((sym, Entity::Type(RTy { quals: of.quals, ..RTy::plain(ty) })));
            }
        }
        for &(sym, value, ty) in &c.constants {
            // An enumeration of the function has no name here: its constants are integers.
            let plain = match types.get(ty) {
                Ty::Enum(e) => {
                    let e = types.enumeration(*e);
                    e.promotes_to.unwrap_or(e.underlying)
                }
                _ => ty,
            };
            if let Some(ty) = self.carry(ty, types, depth).or_else(|| self.carry(plain, types, depth)) {
                names.push((sym, Entity::Const(value, ty)));
            }
        }
        let scope = self.scope_around(types.record(r).name, types, depth).unwrap_or(ScopeId(0));
        let name = self.decls[scope].name;
        let scope = self.decls.new_scope(scope, ScopeKind::Template, name);
        for (sym, arg) in &c.params {
            // Of a parameter without a type on the device the body has no use, or does not compile.
            if let Ok(arg) = self.carry_arg(arg, types, depth) {
                let e = self.arg_entity(&arg);
                self.decls.bind(scope, *sym, e);
            }
        }
        let (mark, held) = (self.sess.diagnostics.len(), self.held_functions());
        let saved = std::mem::replace(&mut self.scope, scope);
        let ty = self.device_closure(c.lambda, &fields, &c.packs, names, c.span);
        self.scope = saved;
        if ty.and_then(|ty| self.p.types.as_record(ty)).is_some_and(|class| self.take_back_held(class, held)) {
            return None;
        }
        if self.sess.diagnostics.iter().skip(mark).any(|d| d.severity == source::Severity::Error) {
            // What its body says is the host's.
            self.sess.diagnostics.truncate(mark);
            return None;
        }
        ty
    }

    /// The namespace or class around the function in which a closure of the host's checker stands.
    fn scope_around(&mut self, name: NameId, types: &TypeTable, depth: usize) -> Option<ScopeId> {
        let mut at = types.name(name).parent;
        while !matches!(types.name(at).kind, NameKind::Root) {
            if matches!(
                types.name(at).kind,
                NameKind::Namespace(_) | NameKind::AnonNamespace | NameKind::Type(_) | NameKind::Local(..)
            ) && let Some((scope, _)) = self.carry_path(at, types, depth)
            {
                return Some(scope);
            }
            at = types.name(at).parent;
        }
        None
    }
}
