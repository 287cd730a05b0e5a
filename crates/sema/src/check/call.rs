//! Calls: arguments, callees, constructors, operators.

mod assignment;
mod associated;
pub(crate) mod built_in;
mod construct;
mod conversion;
mod defaults;
mod device_launch;
mod extremes;
mod host_only;
mod operator;

use source::{Diagnostic, Span, Symbol};
use syntax::ast;

use super::convert::Why;
use super::member::Member;
use super::scope::new_among;
use super::template::Explicit;
use super::{BodySource, BodyState, Checker, Entity, FnId, Found};
use crate::program::{ExprId, ExprKind};
use crate::types::{Quals, Ty, TyId};

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg {
    /// Checked.
    Expr(ExprId),
    /// `{…}`: means something only for a parameter.
    List(ast::ExprId),
    /// The name of overloaded functions: resolved by the parameter's type.
    Overload(ast::ExprId),
}

impl Checker<'_> {
    /// Checks arguments, expanding packs.
    pub(crate) fn args(&mut self, list: ast::List<ast::ExprId>) -> Vec<Arg> {
        let ast = self.ast;
        let mut out = Vec::with_capacity(list.len());
        for &e in ast.list(list) {
            if let ast::ExprKind::Pack(inner) = ast[e].kind {
                for v in self.expand_expr_pack(inner) {
                    out.push(Arg::Expr(v));
                }
            } else {
                let a = self.arg(e);
                out.push(a);
            }
        }
        out
    }

    pub(crate) fn arg(&mut self, e: ast::ExprId) -> Arg {
        match self.ast[e].kind {
            ast::ExprKind::InitList(_) => Arg::List(e),
            ast::ExprKind::Name(n) if self.is_cxx() && self.names_overloads(n) => self.named_instance(e, n),
            _ => Arg::Expr(self.expr(e)),
        }
    }

    /// The argument that an overloaded function's name is. With all of its template arguments written it is one function
    /// (`Reduce(v, max_of<T>)`), of which a parameter's type can be deduced; so is a kernel that host code hands to a template.
    fn named_instance(&mut self, e: ast::ExprId, n: ast::NameId) -> Arg {
        if let Some(list) = self.ast[n].args
            && let Some(found) = self.find_name(n)
            && let [f, more @ ..] = &self.whole_instances(&found.entities, list)[..]
            && (more.is_empty() || self.reads_host())
        {
            let span = self.ast[e].span;
            return Arg::Expr(self.function_place(*f, span));
        }
        Arg::Overload(e)
    }

    fn names_overloads(&mut self, n: ast::NameId) -> bool {
        if !self.ast[n].qualifier.is_empty() && self.last_symbol(n).is_none() {
            return false;
        }
        let mark = self.sess.diagnostics.len();
        let found = self.find_name(n);
        self.sess.diagnostics.truncate(mark);
        found.is_some_and(|f| {
            matches!(f.entities.first(), Some(Entity::Fn(_)) if f.entities.len() > 1)
                || matches!(f.entities.first(), Some(Entity::Template(t))
                    if self.decls[*t].kind == super::TemplateKind::Function)
        })
    }

    pub(crate) fn arg_span(&self, a: Arg) -> Span {
        match a {
            Arg::Expr(e) => self.span(e),
            Arg::List(e) | Arg::Overload(e) => self.ast[e].span,
        }
    }

    /// Whether an argument has an error, so that nothing more should be said about the call.
    pub(crate) fn bad_arg(&self, args: &[Arg]) -> bool {
        !self.reads_host() && args.iter().any(|a| matches!(a, Arg::Expr(e) if self.is_err(*e)))
    }

    /// Converts an argument to a parameter's type.
    pub(crate) fn convert_arg(&mut self, a: Arg, to: TyId) -> ExprId {
        match a {
            Arg::Expr(e) => self.implicit(e, to, Why::Arg),
            Arg::List(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(l) => {
                    let span = self.ast[e].span;
                    if self.refuses_list(l, to, span) {
                        return self.err(span);
                    }
                    self.init_list(l, to, span)
                }
                _ => self.init_from(e, to, Why::Arg),
            },
            Arg::Overload(e) => self.init_from(e, to, Why::Arg),
        }
    }

    // ---- callees -----------------------------------------------------------------------------------------------

    pub(crate) fn call_expr(&mut self, callee: ast::ExprId, args: ast::List<ast::ExprId>, span: Span) -> ExprId {
        let mut at = callee;
        while let ast::ExprKind::Paren(inner) = self.ast[at].kind {
            at = inner;
        }
        if let Some(call) = self.named_conversion(at, args, span) {
            return call;
        }
        if let Some(call) = self.named_assignment(at, args, span) {
            return call;
        }
        match self.ast[at].kind {
            ast::ExprKind::Name(n) => self.call_name(n, args, span),
            ast::ExprKind::Member { base, arrow, name } => {
                let at = self.ast[at].span;
                match self.member(base, arrow, name, at) {
                    Member::Functions(entities, obj) => {
                        let a = self.args(args);
                        if entities.is_empty() {
                            // A destructor that does nothing.
                            return self.rv(ExprKind::ZeroInit, TyId::VOID, span);
                        }
                        // `s.~S<T>()` repeats the class's arguments.
                        let destroys = matches!(self.ast[name].kind, ast::NameKind::Destructor(_));
                        let explicit = self.ast[name].args.filter(|_| !destroys).map(Explicit::Written);
                        if self.ast[name].qualifier.is_empty() || self.bad_arg(&a) {
                            return self.call_overloads(&entities, Some(obj), &a, explicit, at, span);
                        }
                        // `x.Base::f()` means just that one.
                        let f = self.resolve_overload(&entities, Some(obj), &a, explicit, at, true);
                        match f {
                            Some(f) => self.call_direct((f, f), Some(obj), &a, at, span),
                            None => self.err(span),
                        }
                    }
                    Member::Value(v) => {
                        let a = self.args(args);
                        self.call_value(v, &a, span)
                    }
                    Member::Error => {
                        self.args(args);
                        self.err(span)
                    }
                }
            }
            // What it chooses may be a function of the library, which is no value.
            ast::ExprKind::Generic { control, arms } => match self.generic_choice(control, arms, self.ast[at].span) {
                Some(chosen) => self.call_expr(chosen, args, span),
                None => {
                    self.args(args);
                    self.err(span)
                }
            },
            ast::ExprKind::Binary(op @ (ast::BinaryOp::DotStar | ast::BinaryOp::ArrowStar), l, r) => {
                self.call_member_pointer((op, l, r), args, span)
            }
            _ => {
                let v = self.expr(at);
                let a = self.args(args);
                self.call_value(v, &a, span)
            }
        }
    }

    fn call_name(&mut self, n: ast::NameId, args: ast::List<ast::ExprId>, span: Span) -> ExprId {
        let name = self.ast[n];
        let mark = self.sess.diagnostics.error_count();
        if let Some(sym) = self.has_overload_table(n) {
            let a = self.args(args);
            if self.bad_arg(&a) {
                return self.err(span);
            }
            if let Some(v) = self.call_overload(sym, &a, name.span, span) {
                return v;
            }
            return match self.find_name(n) {
                Some(found) => self.call_overloads(&found.entities, None, &a, None, name.span, span),
                None => self.err(span),
            };
        }
        let found = self.find_name(n);
        if found.is_none() && self.sess.diagnostics.error_count() > mark {
            self.args(args);
            return self.err(span);
        }
        let plain = name.qualifier.is_empty();
        if let Some(f) = &found {
            match f.entities.first() {
                Some(Entity::Fn(_) | Entity::Template(_))
                    if !matches!(f.entities.first(), Some(Entity::Template(t))
                        if self.decls[*t].kind != super::TemplateKind::Function) =>
                {
                    return self.call_found(f.clone(), n, plain, args, span);
                }
                Some(Entity::Type(_) | Entity::Tag(_)) => {
                    let t = self.resolve_type_name(n);
                    let a = self.args(args);
                    return self.functional_cast(t.ty, &a, span);
                }
                Some(Entity::Template(t)) if self.decls[*t].kind != super::TemplateKind::Variable => {
                    if let Some(class) = self.placeholder_name(n) {
                        let a = self.args(args);
                        let ty = self.deduce_class(class, &a, span).unwrap_or(TyId::ERROR);
                        return self.functional_cast(ty, &a, span);
                    }
                    let t = self.resolve_type_name(n);
                    let a = self.args(args);
                    return self.functional_cast(t.ty, &a, span);
                }
                _ => {
                    let callee = self.name_value(n, name.span);
                    let a = self.args(args);
                    return self.call_value(callee, &a, span);
                }
            }
        }
        let Some(sym) = self.called_symbol(n) else {
            self.args(args);
            return self.err(span);
        };
        let checked = self.cx.checked_args.len();
        if plain && let Some(r) = self.call_beside_provided(sym, n, args, span) {
            return r;
        }
        let provided = self.call_provided(sym, n, args, span);
        self.cx.checked_args.truncate(checked);
        if let Some(r) = provided {
            return r;
        }
        // Argument-dependent look-up may find what ordinary look-up does not.
        let a = self.args(args);
        if self.is_cxx() && plain {
            let extra = self.adl(sym, &a);
            if !extra.is_empty() {
                return self.call_overloads(&extra, None, &a, name.args.map(Explicit::Written), name.span, span);
            }
        }
        if self.bad_arg(&a) && self.lookup(sym).is_some() {
            return self.err(span);
        }
        if self.cx.unevaluated > 0 && self.declare_host_functions(sym) {
            return self.call_name(n, args, span);
        }
        if let Some(there) = self.host_function_called(n, sym) {
            let text = self.text(sym).to_owned();
            return self.call_of_host(&text, there, None, name.span, span);
        }
        self.undeclared_function(sym, name.span);
        self.err(span)
    }

    /// The name that a call has, be it an operator's (`operator*(a, b)`).
    fn called_symbol(&mut self, n: ast::NameId) -> Option<Symbol> {
        match self.ast[n].kind {
            ast::NameKind::Operator(op) => Some(self.operator_symbol(op)),
            _ => self.last_symbol(n),
        }
    }

    fn undeclared_function(&mut self, sym: Symbol, span: Span) {
        self.note_host_missed(None, sym);
        if self.cx.unknown.contains(&sym) {
            return;
        }
        self.cx.unknown.push(sym);
        let name = self.text(sym).to_owned();
        let mut d = Diagnostic::error("E0406", span, format!("use of undeclared function `{name}`"));
        let near = self.nearest_function(sym);
        if let Some(near) = near {
            d = d.help(format!("did you mean `{near}`?")).fix(span, near);
        }
        self.report(d);
        self.bring_out_held(sym);
    }

    /// `T(args)` where `T` was found as a type.
    pub(crate) fn functional_cast(&mut self, ty: TyId, args: &[Arg], span: Span) -> ExprId {
        if ty == TyId::ERROR || self.bad_arg(args) {
            return self.err(span);
        }
        if let Some(r) = self.p.types.as_record(ty) {
            if let Some(v) = self.copied_list(r, args, span) {
                return v;
            }
            return self.construct(r, ty, args, span, true);
        }
        match args {
            [] => self.zero(ty, span),
            [Arg::Expr(e)] => self.explicit(*e, ty, ast::CastKind::C, span),
            _ if self.p.types.is_vector(ty) && args.iter().all(|a| matches!(a, Arg::Expr(_))) => {
                let values: Vec<ExprId> =
                    args.iter().filter_map(|a| if let Arg::Expr(e) = a { Some(*e) } else { None }).collect();
                self.vector_of(&values, ty, span, false)
            }
            _ => {
                let name = self.show(ty);
                self.error("E0360", span, format!("excess arguments in the initialiser of a `{name}`"));
                self.err(span)
            }
        }
    }

    fn call_found(
        &mut self,
        found: Found,
        n: ast::NameId,
        plain: bool,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let name = self.ast[n];
        let a = self.args(args);
        let mut entities = found.entities.to_vec();
        if plain
            && self.is_cxx()
            && found.record.is_none()
            && let Some(sym) = self.called_symbol(n)
        {
            let associated = self.adl(sym, &a);
            entities.extend(new_among(&entities, associated));
        }
        let object = if found.record.is_some() { self.member_object(&found, span) } else { None };
        let named = !self.ast[n].qualifier.is_empty();
        let explicit = name.args.map(Explicit::Written);
        if found.record.is_none()
            && name.args.is_none()
            && let Some(sym) = self.last_symbol(n)
            && ((self.is_cuda() || self.is_overloadable(&entities))
                && self.provided_fits_better(sym, &entities, &a, named && !self.is_of_std(n))
                || self.is_provided_again(sym, &entities, &a))
            && let Some(v) = self.call_provided_with(sym, name.span, &a, span)
        {
            return v;
        }
        if named && object.is_some() && !self.bad_arg(&a) {
            // `Base::f()` means just that one.
            let f = self.resolve_overload(&entities, object, &a, explicit, name.span, true);
            return match f {
                Some(f) => self.call_direct((f, f), object, &a, name.span, span),
                None => self.err(span),
            };
        }
        self.call_overloads(&entities, object, &a, explicit, name.span, span)
    }

    /// The object of an unqualified call of a member function.
    fn member_object(&mut self, found: &Found, span: Span) -> Option<ExprId> {
        // A lambda holds `this` only for members of its class.
        let (owner, own) = (found.record?, self.class_of_this()?);
        let o = if owner == own { None } else { Some(self.base_offset(own, owner)?) };
        let obj = self.this_object(span)?;
        let Some(o) = o else { return Some(obj) };
        let bt = self.p.types.intern(Ty::Record(owner));
        Some(self.base_place(obj, bt, o))
    }

    /// Calls the best of a set of overloads.
    pub(crate) fn call_overloads(
        &mut self,
        entities: &[Entity],
        object: Option<ExprId>,
        args: &[Arg],
        explicit: Option<Explicit>,
        at: Span,
        span: Span,
    ) -> ExprId {
        if self.bad_arg(args) {
            return self.err(span);
        }
        let Some(f) = self.resolve_overload(entities, object, args, explicit, at, true) else {
            return self.err(span);
        };
        self.call_fn(f, object, args, at, span)
    }

    /// A value that is called: a function pointer or an object with `operator()`.
    pub(crate) fn call_value(&mut self, v: ExprId, args: &[Arg], span: Span) -> ExprId {
        if self.is_err(v) || self.bad_arg(args) {
            return self.err(span);
        }
        if let Some(r) = self.p.types.as_record(self.ty(v)) {
            let sym = self.sess.intern("operator()");
            let scope = self.decls[r].scope;
            if let Some(found) = self.lookup_in(scope, sym) {
                let at = self.span(v);
                return self.call_overloads(&found.entities, Some(v), args, None, at, span);
            }
        }
        let callee = self.rvalue(v);
        let ty = self.ty(callee);
        let Ty::Pointer { pointee, .. } = *self.p.types.get(ty) else { return self.not_callable(callee, span) };
        let Ty::Function(f) = self.p.types.get(pointee).clone() else { return self.not_callable(callee, span) };
        if self.is_opencl() {
            self.error("E0437", span, "function pointers are not allowed in OpenCL C");
            return self.err(span);
        }
        let takes_more = f.variadic && self.is_cuda();
        if args.len() < f.params.len() || args.len() > f.params.len() && !takes_more {
            self.error("E0438", span, format!("this call takes {} arguments, {} given", f.params.len(), args.len()));
            return self.err(span);
        }
        let mut list = Vec::with_capacity(args.len());
        for (&a, &p) in args.iter().zip(f.params.iter()) {
            list.push(self.convert_arg(a, p));
        }
        if takes_more && !self.reads_host() {
            let v = self.more_arguments(&args[f.params.len()..], span);
            list.push(v);
        }
        if list.iter().any(|&e| self.is_err(e)) {
            return self.err(span);
        }
        if let ExprKind::FuncAddr(callee) = self.e(callee).kind {
            let args = self.expr_list(&list);
            return self.call_result(ExprKind::Call { callee, args }, f.ret, span);
        }
        let args = self.expr_list(&list);
        self.call_result(ExprKind::CallPtr { callee, args }, f.ret, span)
    }

    fn not_callable(&mut self, v: ExprId, span: Span) -> ExprId {
        let name = self.show(self.ty(v));
        self.error("E0439", span, format!("called object type `{name}` is not a function or function pointer"));
        self.err(span)
    }

    /// A call's value; a returned reference is the place it refers to.
    pub(crate) fn call_result(&mut self, kind: ExprKind, ret: TyId, span: Span) -> ExprId {
        if let Ty::Reference { rvalue, .. } = *self.p.types.get(ret) {
            let ptr = self.lowered_ty(ret);
            let p = self.rv(kind, ptr, span);
            let place = self.deref(p, span);
            if rvalue {
                self.cx.xvalues.insert(place);
            }
            return place;
        }
        self.rv(kind, ret, span)
    }

    /// Calls a function with arguments converted, defaults inserted; a virtual one as the object has it.
    pub(crate) fn call_fn(&mut self, f: FnId, object: Option<ExprId>, args: &[Arg], at: Span, span: Span) -> ExprId {
        let callee = self.dispatcher_for(f, object).unwrap_or(f);
        let r = self.call_direct((f, callee), object, args, at, span);
        if self.is_const_result(f) && !self.is_lv(r) {
            let quals = self.e(r).quals.with(Quals::CONST);
            self.p.exprs[r.index()].quals = quals;
        }
        r
    }

    /// Whether a function returns an object of a class that is `const`; of other values that says nothing.
    fn is_const_result(&self, f: FnId) -> bool {
        let d = &self.decls[f];
        let Some(ast::DeclKind::Function(fid)) = d.ast.map(|a| self.ast[a].kind) else { return false };
        let ast::TypeKind::Function(ty) = self.ast[self.ast[fid].ty].kind else { return false };
        self.decls.const_results.contains(&f)
            || self.ast[self.ast[ty].ret].quals.is_const && self.p.types.as_record(d.ret).is_some()
    }

    /// Counts a call that is not evaluated of a function of the host's, or of a constant one that may call such for what it returns.
    fn note_host_call(&mut self, f: FnId) {
        let d = &self.decls[f];
        if self.reads_host()
            && self.cx.unevaluated > 0
            && !d.specs.has(ast::DeclSpecs::DEVICE)
            && (d.deduced_ret || !d.specs.has(ast::DeclSpecs::CONSTEXPR))
            && let Some(l) = &mut self.launches
        {
            l.host_calls += 1;
        }
    }

    /// Calls `callee`, which stands for the function `f`, to whose parameters the arguments are converted.
    pub(crate) fn call_direct(
        &mut self,
        (f, callee): (FnId, FnId),
        object: Option<ExprId>,
        args: &[Arg],
        at: Span,
        span: Span,
    ) -> ExprId {
        if let Some(refused) = self.refused_call(f, at, span) {
            return refused;
        }
        self.note_host_call(f);
        if let BodySource::ClosurePointer(invoker) = self.decls[f].body {
            return self.function_address(invoker, span);
        }
        let d = self.decls[f].clone();
        let mut list = Vec::with_capacity(args.len() + 1);
        if d.record.is_some() && !d.is_static {
            let Some(obj) = object else {
                let name = self.show_fn(f);
                self.error("E0434", at, format!("call of member function `{name}` without an object"));
                return self.err(span);
            };
            let of = if callee == f { d.clone() } else { self.decls[callee].clone() };
            let this = self.this_arg(obj, &of, at);
            list.push(this);
        }
        for (i, p) in d.params.iter().enumerate() {
            let v = match args.get(i) {
                Some(&a) => {
                    let a = self.deduced_mask(&d, i, a);
                    self.convert_arg(a, p.ty)
                }
                None => match p.default {
                    Some(e) => self.default_value(&d, i, e, span),
                    None => self.err(span),
                },
            };
            list.push(v);
        }
        let more = args.get(d.params.len()..).unwrap_or_default();
        if self.takes_more(&d) && !self.reads_host() {
            let v = self.more_arguments(more, span);
            list.push(v);
        } else {
            for &a in more {
                if let Arg::Expr(e) = a {
                    let v = self.default_promote(e);
                    list.push(v);
                }
            }
        }
        if list.iter().any(|&e| self.is_err(e)) && !self.reads_host() {
            return self.err(span);
        }
        if callee == f {
            self.note_use(f, at);
            self.need(f);
        }
        let (want, ret) = (self.decls[f].ret, self.decls[callee].ret);
        let func = self.func_id(callee);
        let args = self.expr_list(&list);
        let v = self.call_result(ExprKind::Call { callee: func, args }, ret, span);
        if callee == f { v } else { self.covariant(v, want, ret, span) }
    }

    fn this_arg(&mut self, obj: ExprId, d: &super::FnDecl, at: Span) -> ExprId {
        let p = self.place(obj);
        let x = *self.e(p);
        let rec = match d.record {
            Some(r) => r,
            None => return self.err(at),
        };
        if !d.this_quals.has(x.quals.without(crate::types::Quals::RESTRICT))
            && !matches!(d.kind, super::FnKind::Constructor | super::FnKind::Destructor)
        {
            let (t, name) = (self.show_q(x.ty, x.quals), self.text(d.name).to_owned());
            let dg = Diagnostic::error(
                "E0440",
                at,
                format!("`this` argument of `{name}` has type `{t}`, but the function is not marked const"),
            )
            .label(d.span, "declared here");
            self.report(dg);
            return self.err(at);
        }
        let p = match self.p.types.as_record(x.ty) {
            Some(own) if own != rec => match self.base_offset(own, rec) {
                Some(o) => {
                    let bt = self.p.types.intern(Ty::Record(rec));
                    self.base_place(p, bt, o)
                }
                None => p,
            },
            _ => p,
        };
        let rty = self.p.types.intern(Ty::Record(rec));
        let space = self.default_space();
        let to = self.p.types.pointer(rty, d.this_quals, space);
        self.place_pointer(p, to)
    }

    /// Sees to it that a called function's body is checked.
    pub(crate) fn need(&mut self, f: FnId) {
        self.find_definition(f);
        if self.reads_host() {
            self.host_uses(f);
            if self.inst.elsewhere.contains(&f) {
                return;
            }
        }
        let d = &self.decls[f];
        if d.state != BodyState::Unchecked {
            if d.state == BodyState::Checking && d.deduced_ret {
                let (span, name) = (d.span, self.show_fn(f));
                self.error("E0443", span, format!("`{name}` with deduced return type is used before it is defined"));
                self.decls[f].deduced_ret = false;
            }
            return;
        }
        if d.deduced_ret {
            self.check_body(f);
        } else if self.cx.unevaluated == 0 && !self.inst.queued.contains(&f) {
            self.inst.queued.insert(f);
            self.inst.pending.push_back(f);
        }
    }

    /// Checks the bodies that uses asked for.
    pub(crate) fn run_pending(&mut self) {
        loop {
            let before = self.inst.deferred_members.len();
            self.check_deferred();
            let Some(f) = self.inst.pending.pop_front() else {
                // What is left waits for the end of a class.
                if self.inst.deferred_members.is_empty() || self.inst.deferred_members.len() == before {
                    break;
                }
                continue;
            };
            // Its template may have been defined after the call.
            self.find_definition(f);
            self.check_body(f);
            if self.sess.diagnostics.is_full() {
                break;
            }
        }
    }

    // ---- member functions, constructors, operators ---------------------------------------------------------------

    /// Calls a member function on an object.
    pub(crate) fn call_member_fn(&mut self, f: FnId, obj: ExprId, args: &[Arg], span: Span) -> ExprId {
        if self.decls[f].kind == super::FnKind::Destructor {
            // Of an object whose class is known.
            return self.call_direct((f, f), Some(obj), args, span, span);
        }
        self.call_fn(f, Some(obj), args, span, span)
    }

    /// Calls a member function by name.
    pub(crate) fn call_named_member(&mut self, obj: ExprId, name: Symbol, args: &[Arg], span: Span) -> ExprId {
        let Some(r) = self.p.types.as_record(self.ty(obj)) else { return self.err(span) };
        let scope = self.decls[r].scope;
        match self.lookup_in(scope, name) {
            Some(found) => self.call_overloads(&found.entities, Some(obj), args, None, span, span),
            None => {
                self.note_host_missed(Some(r), name);
                let (n, t) = (self.text(name).to_owned(), self.show(self.ty(obj)));
                self.error("E0411", span, format!("no member named `{n}` in `{t}`"));
                self.err(span)
            }
        }
    }
}
