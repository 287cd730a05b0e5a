//! Lambdas: a closure record with a field per capture, and a call operator whose body is checked at once.
//!
//! Captures are found as the body names them: a look-up that fails in the body goes on in the names of the function
//! around it and adds a field. The bodies of [generic lambdas](super::generic_lambda) wait for their calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use source::{Span, Symbol};
use syntax::ast::{self, CaptureDefault, DeclSpecs};

use super::block_names::BlockNames;
use super::{BodySource, BodyState, Checker, Entity, FnDecl, FnId, FnKind};
use crate::num::ConstInt;
use crate::program::{ExprId, ExprKind, InitElem, ListId, LocalId, StmtId, StmtKind};
use crate::types::{AddrSpace, Field, FnTy, NameKind, OperatorName, QualTy, Quals, RecordId, Ty, TyId};

/// What a lambda can capture from the function around it.
#[derive(Debug)]
pub(crate) struct Outer {
    pub(super) names: BlockNames,
    /// The variables that have a name there.
    locals: FxHashMap<LocalId, OuterLocal>,
    this: Option<(LocalId, RecordId, Quals)>,
    lambda: ast::LambdaId,
    /// The closure whose body the lambda stands in.
    closure: Option<RecordId>,
    /// The element for which it is, in an expansion.
    pack_index: Option<usize>,
}

/// A variable of the function around a lambda.
#[derive(Clone, Copy, Debug)]
struct OuterLocal {
    /// Type and qualifiers; of a reference those of what it refers to.
    ty: (TyId, Quals),
    /// What it is where it is not captured: the value of a constant (C++17, 8.1.5.2), or nothing but a type.
    outside: Entity,
}

impl Outer {
    /// The class whose member the function is.
    pub(super) fn class(&self) -> Option<RecordId> {
        self.this.filter(|_| self.closure.is_none()).map(|(_, class, _)| class)
    }

    /// What stands for a name where there is no object of the function: the value, of a constant.
    pub(super) fn without_object(&self, e: Entity) -> Option<Entity> {
        match e {
            Entity::Local(l) => self.locals.get(&l).map(|l| l.outside),
            e => super::class::needs_no_object(e),
        }
    }

    /// The constants among the names.
    pub(crate) fn named_constants(&self) -> Vec<(Symbol, i64, TyId)> {
        let constant = |&(name, e): &(Symbol, Entity)| match self.without_object(e)? {
            Entity::Const(value, ty) => Some((name, value, ty)),
            _ => None,
        };
        self.names.iter().filter_map(constant).collect()
    }

    /// The variables among the names, and what they are: their objects are not there.
    pub(crate) fn named_objects(&self) -> Vec<(Symbol, QualTy)> {
        let object = |&(name, e): &(Symbol, Entity)| match self.without_object(e)? {
            Entity::Outside(ty, quals) => Some((name, QualTy { ty, quals })),
            _ => None,
        };
        self.names.iter().filter_map(object).collect()
    }

    /// The types among the names.
    pub(crate) fn named_types(&self) -> Vec<(Symbol, QualTy)> {
        let of = |&(name, e): &(Symbol, Entity)| match e {
            Entity::Type(t) => Some((name, QualTy { ty: t.ty, quals: t.quals })),
            _ => None,
        };
        self.names.iter().filter_map(of).collect()
    }
}

impl Checker<'_> {
    pub(crate) fn lambda_expr(&mut self, l: ast::LambdaId, span: Span) -> ExprId {
        let lambda = self.ast[l];
        if self.inst.outers.len() >= 16 {
            self.error("E0480", span, "lambdas are nested too deeply");
            return self.err(span);
        }
        let key = (l, self.scope);
        if self.cx.decl.is_none()
            && let Some(&of) = self.decls.closures.get(&key)
        {
            return self.closure_value(of, l, &[], span);
        }
        let Some((r, ty)) = self.closure_record(span) else { return self.err(span) };
        if self.cx.decl.is_none() && lambda.captures.is_empty() {
            self.decls.closures.insert(key, (r, ty));
        }
        if let Some(generic) = lambda.generic {
            let made = self.init_captures(r, l);
            let outer = self.outer_of(l);
            self.generic_closure(r, l, generic, outer, span);
            return self.closure_value((r, ty), l, &made, span);
        }
        let sig = self.fn_type_signature(lambda.ty);
        self.name_lambda(r, sig.params.iter().map(|p| p.ty).collect(), Box::default(), sig.variadic);
        let outer = self.outer_of(l);
        let made = self.init_captures(r, l);
        let f = self.call_operator(r, l, sig, span);
        self.inst.outers.push(outer);
        self.check_body(f);
        if let Some(outer) = self.inst.outers.pop() {
            self.note_closure(r, l, &outer, span);
        }
        if lambda.captures.is_empty() && lambda.default == CaptureDefault::None {
            self.closure_pointer(r, f, span);
        }
        self.closure_value((r, ty), l, &made, span)
    }

    /// Declares the conversion of a closure without captures to a pointer to a function (C++17, 8.1.5.1), and that
    /// function.
    fn closure_pointer(&mut self, r: RecordId, op: FnId, span: Span) {
        let d = self.decls[op].clone();
        let path = self.p.types.record(r).name;
        let name = self.sess.intern("__invoke");
        let params: Box<[TyId]> = d.params.iter().map(|p| p.ty).collect();
        let promise = self.fn_type_of(op).promise;
        let of = self.p.types.intern(Ty::Function(FnTy { promise, ..FnTy::plain(d.ret, params, false) }));
        let to = self.p.types.pointer(of, Quals::NONE, AddrSpace::Generic);
        let common = FnDecl { kind: FnKind::Plain, this_quals: Quals::NONE, span, ..d };
        let common = FnDecl { func: None, state: BodyState::Unchecked, deduced_ret: false, ..common };
        let invoker_path = self.p.types.child_name(path, NameKind::Entity(name));
        let invoker = self.push_fn(FnDecl {
            name,
            path: invoker_path,
            record: None,
            body: BodySource::Invoker(op),
            ..common.clone()
        });
        let path = self.p.types.child_name(path, NameKind::Conversion(to));
        let conversion = self.push_fn(FnDecl {
            name,
            kind: FnKind::Conversion,
            path,
            this_quals: Quals::CONST,
            ret: to,
            params: Vec::new(),
            body: BodySource::ClosurePointer(invoker),
            ..common
        });
        self.decls[r].conversions.push(conversion);
    }

    /// The body of the function that a closure converts to a pointer to: it calls the closure.
    pub(crate) fn invoker_body(&mut self, op: FnId, span: Span) -> Option<StmtId> {
        let r = self.decls[op].record?;
        let ty = self.p.types.intern(Ty::Record(r));
        let closure = self.new_local(None, ty, Quals::NONE, span);
        let place = self.local_place(closure, span);
        let at = self.address(place);
        let this = self.p.types.pointer(ty, self.decls[op].this_quals, AddrSpace::Generic);
        let mut args = vec![self.pointer_cast(at, this)];
        for i in 0..self.decls[op].params.len() {
            let place = self.local_place(LocalId(i as u32), span);
            let ty = self.ty(place);
            args.push(self.rv(ExprKind::Load(place), ty, span));
        }
        let args = self.expr_list(&args);
        let callee = self.func_id(op);
        let ret = self.decls[op].ret;
        let ret = self.lowered_ty(ret);
        let call = self.rv(ExprKind::Call { callee, args }, ret, span);
        let kind = if ret == TyId::VOID { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
        let s = self.push_stmt(kind, span);
        Some(self.block(&[s], span))
    }

    /// The function around a lambda.
    fn outer_of(&mut self, l: ast::LambdaId) -> Rc<Outer> {
        let packs = &self.inst.value_packs;
        let named = self.cx.names.iter().flat_map(|(_, e)| match e {
            Entity::ValuePack(p) => &packs[*p as usize][..],
            e => std::slice::from_ref(e),
        });
        let named: Vec<LocalId> =
            named.filter_map(|e| if let Entity::Local(l) = e { Some(*l) } else { None }).collect();
        let mut locals = FxHashMap::default();
        for l in named {
            locals.insert(l, OuterLocal { ty: self.local_type(l.index()), outside: self.outside(l.index()) });
        }
        Rc::new(Outer {
            names: self.cx.names.clone(),
            locals,
            this: self.cx.this,
            lambda: l,
            closure: self.cx.closure,
            pack_index: self.cx.pack_index,
        })
    }

    /// A new record for a closure.
    fn closure_record(&mut self, span: Span) -> Option<(RecordId, TyId)> {
        self.decls.unnamed += 1;
        let parent = match self.cx.decl {
            // Only names of kernels that the host launches are anybody's business.
            Some(f) if self.reads_host() => self.body_scope(f),
            Some(f) => self.decls[f].path,
            None => self.decls[self.scope].name,
        };
        let path = self.p.types.child_name(parent, NameKind::Lambda(self.decls.unnamed));
        let ty = self.new_record(path, false, span, self.scope);
        let r = self.p.types.as_record(ty)?;
        let rec = &mut self.p.types.records[r.0 as usize];
        (rec.complete, rec.size, rec.empties) = (true, 1, vec![(r, 0)]);
        Some((r, ty))
    }

    /// The closure of a lambda of host code, with these fields, of which some are elements of packs, as device code where the
    /// checker stands; `names` are those around it that need no capture.
    pub(crate) fn device_closure(
        &mut self,
        l: ast::LambdaId,
        fields: &[(Symbol, TyId, Quals)],
        packs: &[(Symbol, Vec<u32>)],
        names: BlockNames,
        span: Span,
    ) -> Option<TyId> {
        if self.inst.outers.len() >= 16 {
            return None;
        }
        let (r, ty) = self.closure_record(span)?;
        for &(sym, field, quals) in fields {
            self.add_capture(r, sym, field, quals, false);
        }
        for (pack, fields) in packs {
            self.bind_captured_pack(r, *pack, fields);
        }
        let locals = FxHashMap::default();
        // The parameters' types may be those of the function around.
        let here = std::mem::replace(&mut self.cx.names, names.clone());
        let outer = Rc::new(Outer { names, locals, this: None, lambda: l, closure: None, pack_index: None });
        let sig = self.ast[l].generic.is_none().then(|| self.fn_type_signature(self.ast[l].ty));
        self.cx.names = here;
        if let Some(generic) = self.ast[l].generic {
            self.generic_closure(r, l, generic, outer, span);
            return Some(ty);
        }
        let f = self.call_operator(r, l, sig?, span);
        self.inst.outers.push(outer);
        self.check_body(f);
        self.inst.outers.pop();
        Some(ty)
    }

    /// The call operator of a closure, declared.
    fn call_operator(
        &mut self,
        r: RecordId,
        l: ast::LambdaId,
        sig: super::function::Signature,
        span: Span,
    ) -> super::FnId {
        let lambda = self.ast[l];
        let path = self.p.types.record(r).name;
        let name = self.sess.intern("operator()");
        let op = self.p.types.child_name(path, NameKind::Operator(OperatorName::Call));
        let scope = self.decls[r].scope;
        // In a function for host and device it is for both, too.
        let shared = if self.is_shared_code() { DeclSpecs::HOST } else { DeclSpecs::NONE };
        let f = self.push_fn(FnDecl {
            name,
            kind: FnKind::Operator(OperatorName::Call),
            path: op,
            span,
            ast: None,
            scope,
            record: Some(r),
            is_static: false,
            this_quals: if lambda.mutable { Quals::NONE } else { Quals::CONST },
            ref_qual: ast::RefQual::None,
            ret: sig.ret,
            params: sig.params,
            variadic: sig.variadic,
            unprototyped: false,
            specs: lambda.specs.with(DeclSpecs::DEVICE).with(DeclSpecs::INLINE).with(shared),
            explicit: false,
            deduced_ret: sig.deduced_ret,
            body: BodySource::Lambda(l),
            state: BodyState::Unchecked,
            func: None,
            template: None,
            asm_label: None,
            overloadable: false,
            default_scope: None,
            depth: self.inst.depth,
        });
        self.decls.bind(scope, name, Entity::Fn(f));
        f
    }

    /// Adds the captures that have initialisers: those mean what they mean where the lambda stands. Their values, by name.
    fn init_captures(&mut self, r: RecordId, l: ast::LambdaId) -> Vec<(Symbol, ExprId)> {
        let ast = self.ast;
        let mut made = Vec::new();
        for c in ast.list(ast[l].captures) {
            let (Some(name), Some(init)) = (c.name, c.init) else { continue };
            if c.pack {
                self.init_capture_pack(r, name.sym, c, init);
                continue;
            }
            let v = self.expr(init);
            let (ty, quals) = if c.by_ref { (self.ty(v), self.e(v).quals) } else { (self.value_ty(v), Quals::NONE) };
            self.add_capture(r, name.sym, ty, quals, c.by_ref);
            made.push((name.sym, v));
        }
        made
    }

    /// The functions around the lambda whose body is being checked, the innermost first.
    pub(super) fn outers_in_reach(&self) -> Vec<Rc<Outer>> {
        let mut closure = self.cx.closure;
        let outers = self.inst.outers.iter().rev().map_while(|outer| {
            closure?;
            closure = outer.closure;
            Some(Rc::clone(outer))
        });
        outers.collect()
    }

    /// What a variable of this function is where its object is not.
    pub(super) fn outside(&mut self, i: usize) -> Entity {
        let (ty, quals) = self.local_type(i);
        match (self.local_constant(i), self.cx.infos[i].value) {
            (Some(value), _) => Entity::Const(value, ty),
            (None, Some(number @ ExprKind::Float(_))) => Entity::Alias(self.rv(number, ty, Span::NONE)),
            _ => Entity::Outside(ty, quals),
        }
    }

    fn local_type(&self, i: usize) -> (TyId, Quals) {
        let l = &self.cx.locals[i];
        if let Some(t) = self.cx.infos[i].decl_ty
            && let Ty::Reference { pointee, quals, .. } = *self.p.types.get(t)
        {
            return (pointee, quals);
        }
        (l.ty, l.quals)
    }

    fn local_constant(&self, i: usize) -> Option<i64> {
        let l = &self.cx.locals[i];
        let (width, signed) = self.int_shape(l.ty)?;
        match self.cx.infos[i].value? {
            ExprKind::Int(v) => Some(ConstInt::new(v, width, signed).as_i64()),
            _ => None,
        }
    }

    /// The closure object: its fields filled from the variables around.
    fn closure_value(
        &mut self,
        (r, ty): (RecordId, TyId),
        l: ast::LambdaId,
        made: &[(Symbol, ExprId)],
        span: Span,
    ) -> ExprId {
        let captures = self.decls[r].captures.clone();
        let mut elems = Vec::new();
        let this = self.sess.intern("this");
        for (sym, field, by_ref) in captures {
            let f = self.p.types.record(r).fields[field as usize].clone();
            let value = if sym == this {
                self.captured_object(f.ty, span)
            } else {
                let element = self.element_of_pack(sym);
                let init = made.iter().find(|(name, _)| *name == sym);
                let place = match (element, init) {
                    (Some((pack, index)), _) => self.element_place(l, pack, index, span),
                    (None, Some(&(_, value))) => value,
                    (None, None) => self.outer_place(sym, span),
                };
                if by_ref {
                    self.bind_reference(place, f.ty, super::convert::Why::Init)
                } else if self.is_plain_array(f.ty) && self.ty(place) == f.ty {
                    self.rv(ExprKind::Load(place), f.ty, span)
                } else if self.ty(place) == f.ty && self.p.types.as_record(f.ty).is_some() {
                    self.copy_explicitly(place, f.ty)
                } else {
                    self.implicit(place, f.ty, super::convert::Why::Init)
                }
            };
            if self.is_err(value) {
                return value;
            }
            elems.push(InitElem { offset: f.offset, bits: None, value, repeat: 1 });
        }
        let list = ListId { start: self.p.init_pool.len() as u32, len: elems.len() as u32 };
        self.p.init_pool.extend(elems);
        self.rv(ExprKind::Aggregate { elems: list, zero_fill: true }, ty, span)
    }

    /// Whether a type is an array whose elements are copied byte by byte: a capture by value holds all of it (C++17,
    /// 8.1.5.2).
    fn is_plain_array(&mut self, ty: TyId) -> bool {
        let Ty::Array { elem, .. } = *self.p.types.get(ty) else { return false };
        match self.p.types.as_record(elem) {
            Some(r) => self.copy_constructor(r).is_none(),
            None => !matches!(self.p.types.get(elem), Ty::Array { .. }) || self.is_plain_array(elem),
        }
    }

    /// What a closure holds for `this`: the pointer, or with `[*this]` a copy of the object.
    fn captured_object(&mut self, ty: TyId, span: Span) -> ExprId {
        match self.this_object(span) {
            Some(o) if self.p.types.as_record(ty).is_some() => self.copy_explicitly(o, ty),
            Some(o) => self.address(o),
            None => self.err(span),
        }
    }

    /// A captured variable where the lambda stands.
    fn outer_place(&mut self, sym: Symbol, span: Span) -> ExprId {
        match self.lookup(sym).and_then(|f| f.entities.first().copied()) {
            Some(Entity::Local(l)) => self.local_value_place(l, span),
            Some(Entity::Capture(i)) => self.capture_place(i, span),
            Some(Entity::Alias(a)) => a,
            _ => self.err(span),
        }
    }

    /// A name that the body of a lambda does not declare, among those around it.
    pub(crate) fn capture(&mut self, sym: Symbol) -> Option<Entity> {
        let r = self.cx.closure?;
        self.capture_at(self.inst.outers.len().checked_sub(1)?, r, sym)
    }

    /// The same for the closure `r` of the lambda at nesting level `level`: what a lambda takes from beyond the one
    /// around it, that one takes too.
    pub(super) fn capture_at(&mut self, level: usize, r: RecordId, sym: Symbol) -> Option<Entity> {
        if let Some(&(_, i, _)) = self.decls[r].captures.iter().find(|c| c.0 == sym) {
            return Some(Entity::Capture(i));
        }
        if let Some(&p) = self.inst.captured_packs.get(&(r, sym)) {
            return Some(Entity::ValuePack(p));
        }
        let outer = Rc::clone(&self.inst.outers[level]);
        let lambda = self.ast[outer.lambda];
        let listed = self.ast.list(lambda.captures).iter().find(|c| c.name.is_some_and(|n| n.sym == sym)).copied();
        let by_ref = match (listed, lambda.default) {
            (Some(c), _) => Some(c.by_ref),
            (None, CaptureDefault::Ref) => Some(true),
            (None, CaptureDefault::Copy) => Some(false),
            (None, CaptureDefault::None) => None,
        };
        let found = outer.names.of(sym).next().map(|(_, e)| e);
        let around = outer.closure;
        let (ty, quals) = match found {
            Some(Entity::Local(l)) => {
                let sealed = self.inst.generic_lambdas.contains_key(&r);
                let OuterLocal { ty: of, outside } = *outer.locals.get(&l)?;
                let constant = listed.is_none() && matches!(outside, Entity::Const(..));
                if constant || sealed || by_ref.is_none() {
                    return Some(outside);
                }
                of
            }
            Some(
                e @ (Entity::Var(_)
                | Entity::Type(_)
                | Entity::Tag(_)
                | Entity::Const(..)
                | Entity::Fn(_)
                | Entity::Template(_)
                | Entity::Namespace(_)),
            ) => return Some(e),
            // A structured binding (C++20, 7.5.5.2, 8).
            Some(Entity::Alias(a)) if a.0 != u32::MAX => {
                by_ref.filter(|_| !self.inst.generic_lambdas.contains_key(&r))?;
                let x = self.e(a);
                (x.ty, x.quals)
            }
            Some(Entity::ValuePack(p)) => {
                let of = |e: &Entity| match e {
                    Entity::Local(l) => outer.locals.get(l).map(|l| l.ty),
                    _ => None,
                };
                let elements: Option<Vec<_>> = self.inst.value_packs[p as usize].iter().map(of).collect();
                let outside = |_: &mut Self, e: Entity| match e {
                    Entity::Local(l) => outer.locals.get(&l).map(|l| l.outside),
                    _ => None,
                };
                return self.capture_pack(r, sym, &elements?, by_ref).or_else(|| self.pack_outside(p, outside));
            }
            Some(_) => return None,
            None => match self.capture_at(level.checked_sub(1)?, around?, sym)? {
                Entity::ValuePack(p) => {
                    let around = around?;
                    let fixed = by_ref == Some(true) && self.is_fixed_closure(level);
                    let of = |e: &Entity| match e {
                        Entity::Capture(i) => Some(self.captured_type(around, *i, fixed)),
                        _ => None,
                    };
                    let elements: Option<Vec<_>> = self.inst.value_packs[p as usize].iter().map(of).collect();
                    let outside = |c: &mut Self, e: Entity| match e {
                        Entity::Capture(i) => {
                            let (ty, quals) = c.captured_type(around, i, fixed);
                            Some(Entity::Outside(ty, quals))
                        }
                        e => Some(e),
                    };
                    return elements
                        .and_then(|all| self.capture_pack(r, sym, &all, by_ref))
                        .or_else(|| self.pack_outside(p, outside));
                }
                Entity::Capture(i) => {
                    by_ref.filter(|_| !self.inst.generic_lambdas.contains_key(&r))?;
                    let fixed = by_ref == Some(true) && self.is_fixed_closure(level);
                    self.captured_type(around?, i, fixed)
                }
                e => return Some(e),
            },
        };
        Some(Entity::Capture(self.add_capture(r, sym, ty, quals, by_ref?)))
    }

    /// Whether what the lambda around the one at a nesting level holds is `const` in its body: it is not `mutable`.
    fn is_fixed_closure(&self, level: usize) -> bool {
        level.checked_sub(1).is_some_and(|around| !self.ast[self.inst.outers[around].lambda].mutable)
    }

    /// Type and qualifiers of a captured variable; `const` besides if it is a copy in a closure that is.
    fn captured_type(&self, r: RecordId, field: u32, fixed: bool) -> (TyId, Quals) {
        let f = &self.p.types.record(r).fields[field as usize];
        match *self.p.types.get(f.ty) {
            Ty::Reference { pointee, quals, .. } => (pointee, quals),
            _ if fixed => (f.ty, f.quals.with(Quals::CONST)),
            _ => (f.ty, f.quals),
        }
    }

    pub(super) fn add_capture(&mut self, r: RecordId, sym: Symbol, ty: TyId, quals: Quals, by_ref: bool) -> u32 {
        let fty = if by_ref { self.p.types.reference(ty, quals, AddrSpace::Generic, false) } else { ty };
        let size = self.p.types.size_of(fty).unwrap_or(8);
        let align = self.p.types.align_of(fty);
        let rec = &mut self.p.types.records[r.0 as usize];
        let offset = rec.data_size.next_multiple_of(u64::from(align));
        rec.data_size = offset + size;
        (rec.empty, rec.empties) = (false, Vec::new());
        rec.align = rec.align.max(align);
        rec.size = rec.data_size.next_multiple_of(u64::from(rec.align));
        let index = rec.fields.len() as u32;
        rec.fields.push(Field {
            name: Some(sym),
            ty: fty,
            quals: if by_ref { Quals::NONE } else { quals },
            mutable: false,
            offset,
            bits: None,
            span: Span::NONE,
        });
        self.decls[r].captures.push((sym, index, by_ref));
        index
    }

    /// The place of a captured variable.
    pub(crate) fn capture_place(&mut self, field: u32, span: Span) -> ExprId {
        let Some((l, r, _)) = self.cx.this else { return self.err(span) };
        let place = self.local_place(l, span);
        let ty = self.ty(place);
        let p = self.rv(ExprKind::Load(place), ty, span);
        let object = self.deref(p, span);
        self.field_place(object, r, field, span)
    }

    /// `this` inside a lambda that captures it.
    pub(crate) fn captured_this(&mut self, span: Span) -> Option<ExprId> {
        let r = self.cx.closure?;
        let field = self.this_capture_at(self.inst.outers.len().checked_sub(1)?, r)?;
        let place = self.capture_place(field, span);
        let copied = self.p.types.as_record(self.ty(place)).is_some();
        Some(if copied { self.address(place) } else { self.rvalue(place) })
    }

    /// The field for `this` of the closure `r` at a nesting level.
    pub(super) fn this_capture_at(&mut self, level: usize, r: RecordId) -> Option<u32> {
        let sym = self.sess.intern("this");
        if let Some(c) = self.decls[r].captures.iter().find(|c| c.0 == sym) {
            return Some(c.1);
        }
        if self.inst.generic_lambdas.contains_key(&r) {
            return None;
        }
        let outer = Rc::clone(&self.inst.outers[level]);
        let (class, quals) = match outer.closure {
            Some(around) => {
                let i = self.this_capture_at(level.checked_sub(1)?, around)?;
                let held = self.p.types.record(around).fields[i as usize].ty;
                match *self.p.types.get(held) {
                    Ty::Pointer { pointee, quals, .. } => (pointee, quals),
                    _ => (held, Quals::NONE),
                }
            }
            None => {
                let (_, class, quals) = outer.this?;
                (self.p.types.intern(Ty::Record(class)), quals)
            }
        };
        let copies = |c: &ast::Capture| c.name.is_none() && !c.by_ref;
        let copied = self.ast.list(self.ast[outer.lambda].captures).iter().any(copies);
        let held = if copied { class } else { self.p.types.pointer(class, quals, AddrSpace::Generic) };
        Some(self.add_capture(r, sym, held, Quals::NONE, false))
    }

    /// Makes a closure's captures visible in its body.
    pub(crate) fn enter_closure(&mut self, d: &FnDecl) {
        self.cx.closure = d.record;
        self.cx.pack_index = self.inst.outers.last().and_then(|o| o.pack_index);
    }
}
