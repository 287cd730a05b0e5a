//! Constructors.

use super::Arg;
use crate::check::class::Copier;
use crate::check::convert::Why;
use crate::check::{BodySource, Checker, Entity, FnId, FnKind, TemplateKind};
use crate::program::{ExprId, ExprKind};
use crate::types::{RecordId, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

impl Checker<'_> {
    /// `T(a, …)`, `T{a, …}`
    pub(crate) fn construct_expr(
        &mut self,
        ty: ast::TypeId,
        args: ast::List<ast::ExprId>,
        braces: bool,
        span: Span,
    ) -> ExprId {
        if self.has_auto(ty) {
            self.error("E0327", span, "`auto(…)` is not supported");
            return self.err(span);
        }
        let ast = self.ast;
        let items = ast.list(args);
        if !braces
            && let ast::TypeKind::Name(n) = ast[ty].kind
            && self.is_function_name(n)
        {
            return self.call_name(n, args, span);
        }
        let to = match self.placeholder_class(ty) {
            Some(t) => {
                let init = match items {
                    [one] if matches!(ast[*one].kind, ast::ExprKind::InitList(_)) => ast::Init::Brace(*one),
                    _ => ast::Init::Paren(args),
                };
                self.deduce_class_from(t, init, span).unwrap_or(TyId::ERROR)
            }
            None => self.resolve_ty(ty),
        };
        if to == TyId::ERROR {
            return self.err(span);
        }
        if let Ty::Reference { rvalue, .. } = *self.p.types.get(to)
            && let [one] = items
            && let ast::ExprKind::InitList(list) = ast[*one].kind
        {
            let address = self.init_list(list, to, span);
            let place = self.deref(address, span);
            if rvalue {
                self.cx.xvalues.insert(place);
            }
            return place;
        }
        if let [one] = items
            && let ast::ExprKind::InitList(list) = ast[*one].kind
            && (braces || self.p.types.as_record(to).is_none())
        {
            return self.direct_list(list, to, span);
        }
        if let Some(r) = self.p.types.as_record(to) {
            let a = self.args(args);
            if let Some(v) = self.copied_list(r, &a, span) {
                return v;
            }
            return self.construct(r, to, &a, span, true);
        }
        match items {
            [] => self.zero(to, span),
            _ if items.iter().any(|&e| matches!(ast[e].kind, ast::ExprKind::Pack(_))) => {
                let a = self.args(args);
                self.functional_cast(to, &a, span)
            }
            [one] => {
                let v = self.expr(*one);
                self.explicit(v, to, ast::CastKind::C, span)
            }
            _ if self.p.types.is_vector(to) => self.vector_from(items, to, span, false),
            _ => {
                let name = self.show(to);
                self.error("E0360", span, format!("excess arguments in the initialiser of a `{name}`"));
                self.err(span)
            }
        }
    }

    /// `T{…}`: of one object of the class a copy, by constructors too that are no conversions.
    pub(crate) fn direct_list(&mut self, list: ast::List<ast::InitItem>, ty: TyId, span: Span) -> ExprId {
        if let [one] = self.ast.list(list)
            && one.designators.is_empty()
            && !matches!(self.ast[one.value].kind, ast::ExprKind::InitList(_) | ast::ExprKind::Pack(_))
            && self.is_cxx()
            && let Some(r) = self.p.types.as_record(ty)
            && self.makes_by_constructor(r)
        {
            let v = self.expr(one.value);
            if self.ty(v) == ty {
                return self.copy_explicitly(v, ty);
            }
            self.cx.prechecked = Some((one.value, v));
            let made = self.init_list(list, ty, span);
            self.cx.prechecked = None;
            return made;
        }
        self.init_list(list, ty, span)
    }

    /// Whether a name before `(` is a function's. The parser may know a class of that name from another namespace, where the
    /// function is declared behind the template that calls it, or a type of another class, where a template's member is meant.
    fn is_function_name(&mut self, n: ast::NameId) -> bool {
        let plain = self.ast[n].qualifier.is_empty() && !self.ast[n].global;
        let found =
            if plain { self.last_symbol(n).and_then(|sym| self.lookup(sym)) } else { self.tried(|c| c.find_name(n)).0 };
        match found.and_then(|f| f.entities.first().copied()) {
            Some(Entity::Fn(_)) => true,
            Some(Entity::Template(t)) => self.decls[t].kind == TemplateKind::Function,
            Some(_) => false,
            // `max(a, b)` and `std::max(a, b)` where another namespace has a class `max`.
            None => {
                let of_std = match self.ast.list(self.ast[n].qualifier) {
                    [one] => matches!(one.kind, ast::SegmentKind::Ident(s) if self.text(s) == "std"),
                    _ => false,
                };
                (plain || of_std) && self.last_symbol(n).is_some_and(|sym| self.is_provided_function(sym))
            }
        }
    }

    /// An object of class `r` made by a constructor with these arguments, as a value.
    pub(crate) fn construct(&mut self, r: RecordId, ty: TyId, args: &[Arg], span: Span, explicit: bool) -> ExprId {
        self.complete_record(r);
        if self.bad_arg(args) {
            return self.err(span);
        }
        if self.decls[r].cuda_vec.is_some() {
            return self.construct_cuda_vec(r, ty, args, span);
        }
        if let [Arg::Expr(e)] = args
            && let Some(own) = self.p.types.as_record(self.ty(*e))
            && (own == r || self.base_offset(own, r).is_some())
        {
            if own != r {
                return match self.copier(r, *e, explicit) {
                    Copier::Declared(f) => self.construct_args(f, r, args, span),
                    _ => self.implicit(*e, ty, Why::Init),
                };
            }
            return if explicit { self.copy_explicitly(*e, ty) } else { self.copy_record(*e, ty) };
        }
        if let [Arg::Expr(e)] = args
            && let Some(f) = self.find_user_conversion(*e, ty)
            && self.decls[f].kind == FnKind::Conversion
        {
            let v = self.call_member_fn(f, *e, &[], span);
            return self.implicit(v, ty, Why::Init);
        }
        if self.is_made_by_host(r, args, explicit) {
            return self.host_member_call(r, "", Some(ty), span);
        }
        if args.is_empty() && !self.has_nontrivial_default(r) {
            if self.decls[r].inits.iter().any(Option::is_some) && !self.decls[r].has_ctor {
                return self.init_list(ast::List::EMPTY, ty, span);
            }
            return self.zero(ty, span);
        }
        if !self.decls[r].has_ctor && !args.is_empty() {
            if let ([Arg::Expr(e)], true) = (args, explicit)
                && let Some(v) = self.explicitly_converted(*e, ty)
            {
                return self.implicit(v, ty, Why::Init);
            }
            if let Some(v) = self.aggregate_of(r, args, span) {
                return v;
            }
            return self.no_constructor(r, args.len(), span);
        }
        // `T{x}` of what only converts itself: its constructors would copy what that makes.
        if let ([Arg::Expr(e)], true) = (args, explicit)
            && self.p.types.as_record(self.ty(*e)).is_some()
            && self.constructor_for(r, args, true).is_none()
            && let Some(v) = self.explicitly_converted(*e, ty)
        {
            return self.implicit(v, ty, Why::Init);
        }
        let Some(f) = self.resolve_constructor(r, args, span, explicit) else { return self.err(span) };
        self.construct_args(f, r, args, span)
    }

    /// `T({…})`: where no constructor that the class declares takes the list, or only a template for a `T`, than which those that
    /// the compiler makes fit better, it is a copy of what the list makes.
    pub(crate) fn copied_list(&mut self, r: RecordId, args: &[Arg], span: Span) -> Option<ExprId> {
        let [Arg::List(e)] = *args else { return None };
        let ast::ExprKind::InitList(list) = self.ast[e].kind else { return None };
        self.complete_record(r);
        let ty = self.p.types.intern(Ty::Record(r));
        if self.makes_by_constructor(r)
            && let Some(f) = self.constructor_for(r, args, true)
        {
            let d = &self.decls[f];
            if d.template.is_none() || d.params.first().is_none_or(|p| self.strip_reference(p.ty) != ty) {
                return None;
            }
        }
        Some(self.init_list(list, ty, span))
    }

    fn no_constructor(&mut self, r: RecordId, n: usize, span: Span) -> ExprId {
        let ty = self.p.types.intern(Ty::Record(r));
        let name = self.show(ty);
        let there = self.p.types.record(r).span;
        let d = Diagnostic::error("E0444", span, format!("no matching constructor of `{name}` for {n} arguments"))
            .label(there, "it has only the implicit constructors")
            .help("initialise an aggregate with braces");
        self.report(d);
        self.err(span)
    }

    /// Picks a constructor; reports if there is none.
    pub(crate) fn resolve_constructor(
        &mut self,
        r: RecordId,
        args: &[Arg],
        span: Span,
        explicit: bool,
    ) -> Option<FnId> {
        if args.is_empty()
            && let Some(f) = self.default_constructor(r)
        {
            return Some(f);
        }
        let entities = self.constructors(r, explicit);
        let ty = self.p.types.intern(Ty::Record(r));
        let probe = self.rv(ExprKind::ZeroInit, ty, span);
        let f = self.resolve_overload(&entities, Some(probe), args, None, span, true)?;
        Some(self.own_constructor(r, f))
    }

    /// The constructors of a class and their templates; `explicit`: those too that are no conversions.
    pub(crate) fn constructors(&mut self, r: RecordId, explicit: bool) -> Vec<Entity> {
        let all = self.decls[r].ctors.clone();
        let mut entities: Vec<Entity> =
            all.into_iter().filter(|f| explicit || !self.decls[*f].explicit).map(Entity::Fn).collect();
        entities.extend(self.constructor_templates(r));
        entities
    }

    pub(crate) fn construct_with(&mut self, f: FnId, r: RecordId, args: &[ExprId], span: Span) -> ExprId {
        let args: Vec<Arg> = args.iter().map(|&e| Arg::Expr(e)).collect();
        self.construct_args(f, r, &args, span)
    }

    /// A temporary made by a constructor, as a value.
    fn construct_args(&mut self, f: FnId, r: RecordId, args: &[Arg], span: Span) -> ExprId {
        let ty = self.p.types.intern(Ty::Record(r));
        let l = self.new_local(None, ty, crate::types::Quals::NONE, span);
        self.cx.locals[l.index()].is_made = true;
        let place = self.local_place(l, span);
        let mut call = self.call_fn(f, Some(place), args, span, span);
        if self.is_err(call) {
            return call;
        }
        if self.is_zeroed_first(f, args) {
            let place = self.local_place(l, span);
            let zeroed = self.zeroed(place, span);
            call = self.rv(ExprKind::Comma { lhs: zeroed, rhs: call }, TyId::VOID, span);
        }
        let again = self.local_place(l, span);
        let x = *self.e(again);
        let both = self.lv(ExprKind::Comma { lhs: call, rhs: again }, ty, x.quals, x.space, span);
        self.rv(ExprKind::Load(both), ty, span)
    }

    /// Whether an object made without arguments is all zeros before its constructor: where that is none that a program
    /// wrote (C++17, 11.6p8).
    fn is_zeroed_first(&self, f: FnId, args: &[Arg]) -> bool {
        args.is_empty() && self.decls[f].body == BodySource::Defaulted && self.decls[f].kind == FnKind::Constructor
    }

    fn zeroed(&mut self, place: ExprId, span: Span) -> ExprId {
        let ty = self.ty(place);
        let zero = self.zero(ty, span);
        self.store_first(place, zero, span)
    }

    /// Whether no constructor that the class declares takes an object that converts itself to the class: what that gives is
    /// copied.
    pub(super) fn only_converts(&mut self, r: RecordId, args: &[Arg], explicit: bool) -> bool {
        let &[Arg::Expr(e)] = args else { return false };
        let ty = self.p.types.intern(Ty::Record(r));
        let conversion = self.find_user_conversion(e, ty).is_some_and(|f| self.decls[f].kind == FnKind::Conversion);
        if !(conversion || explicit && self.converts_itself(e, ty)) {
            return false;
        }
        self.constructor_for(r, args, explicit).is_none()
    }

    /// The constructor that the class declares for these arguments, silently; `explicit`: those too that are no conversions.
    pub(crate) fn constructor_for(&mut self, r: RecordId, args: &[Arg], explicit: bool) -> Option<FnId> {
        let entities = self.constructors(r, explicit);
        self.resolve_ranked(&entities, None, args).map(|(f, _)| f)
    }

    /// The call that constructs a declared variable in place.
    pub(crate) fn construct_init(&mut self, place: ExprId, r: RecordId, init: ast::Init, span: Span) -> Option<ExprId> {
        if let ast::Init::Brace(e) | ast::Init::Copy(e) = init
            && let ast::ExprKind::InitList(list) = self.ast[e].kind
            && self.makes_by_constructor(r)
            && let Some((f, v)) = self.list_constructor(r, list, span)
        {
            let call = self.call_fn(f, Some(place), &[Arg::Expr(v)], span, span);
            return Some(call).filter(|&c| !self.is_err(c));
        }
        let args = self.init_args(init);
        if self.bad_arg(&args) {
            return None;
        }
        if matches!(init, ast::Init::Paren(_))
            && let Some(v) = self.copied_list(r, &args, span)
        {
            return Some(self.store_first(place, v, span)).filter(|_| !self.is_err(v));
        }
        let special = self.decls[r].cuda_vec.is_some() || !self.decls[r].has_ctor && !args.is_empty();
        let of = match args[..] {
            [Arg::Expr(e)] => self.p.types.as_record(self.ty(e)),
            _ => None,
        };
        // A class that declares no constructor for copies has one all the same, which takes derived objects, too.
        let copies = of.is_some_and(|of| of == r || self.base_offset(of, r).is_some());
        let explicit = !matches!(init, ast::Init::Copy(_));
        if !copies && self.is_made_by_host(r, &args, explicit) {
            return Some(self.host_member_call(r, "", Some(TyId::VOID), span)).filter(|&c| !self.is_err(c));
        }
        if special || copies || of.is_some() && self.only_converts(r, &args, explicit) {
            let ty = self.p.types.intern(Ty::Record(r));
            let v = self.construct(r, ty, &args, span, explicit || !copies);
            return Some(self.store_first(place, v, span));
        }
        if args.is_empty() && !self.has_nontrivial_default(r) {
            // `T x;` has no value yet; what is written with parentheses or braces is zero.
            return if matches!(init, ast::Init::None) { None } else { Some(self.zeroed(place, span)) };
        }
        let f = self.resolve_constructor(r, &args, span, explicit)?;
        let call = self.call_fn(f, Some(place), &args, span, span);
        if self.is_err(call) {
            return None;
        }
        if matches!(init, ast::Init::None) || !self.is_zeroed_first(f, &args) {
            return Some(call);
        }
        let zeroed = self.zeroed(place, span);
        Some(self.rv(ExprKind::Comma { lhs: zeroed, rhs: call }, TyId::VOID, span))
    }
}
