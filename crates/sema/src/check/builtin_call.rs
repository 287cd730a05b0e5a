//! Calls of functions that the language provides.

use smallvec::SmallVec;
use source::{Diagnostic, HintKind, Span, Symbol};
use syntax::ast;

use super::Checker;
use super::call::Arg;
use super::convert::Why;
use super::lane_mask::has_mask_argument;
use crate::program::{ExprId, ExprKind};
use crate::types::{AddrSpace, FloatKind, IntKind, Opaque, Quals, Ty, TyId};
use builtins::{BType, Callee, Form, Lang, Meaning, Op, Pointer, ResolveError, Scalar, Space, SyncOp};

impl Checker<'_> {
    pub(crate) fn lang(&self) -> Lang {
        if self.is_opencl() {
            Lang::OpenCl
        } else if self.is_cuda() {
            Lang::Cuda
        } else {
            Lang::C
        }
    }

    /// An enumerator or limit that the language provides and no macro stands for: `memory_order_relaxed` of OpenCL C,
    /// `cudaSuccess`.
    pub(crate) fn provided_constant(&mut self, sym: Symbol, span: Span) -> Option<ExprId> {
        if self.is_cuda() {
            let number = builtins::runtime_number(self.text(sym))?;
            return Some(self.int(number.into(), TyId::INT, span));
        }
        if !self.is_opencl() {
            return None;
        }
        let builtins::Constant::Int { value, scalar } = builtins::constant(Lang::OpenCl, self.text(sym))? else {
            return None;
        };
        let ty = self.scalar_ty(scalar);
        Some(self.int(i128::from(value), ty, span))
    }

    /// A call of a name that the source does not declare: a provided type or function.
    pub(crate) fn call_provided(
        &mut self,
        sym: Symbol,
        n: ast::NameId,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        if let Some(t) = self.provided_type(sym) {
            let a = self.args(args);
            if let Some(r) = self.p.types.as_record(t) {
                return Some(self.construct(r, t, &a, span, true));
            }
            return Some(match a[..] {
                [] => self.zero(t, span),
                [Arg::Expr(e)] => self.explicit(e, t, ast::CastKind::C, span),
                _ => self.err(span),
            });
        }
        if let Some(v) = self.heap_call(sym, args, span) {
            return Some(v);
        }
        let name = self.text(sym).to_owned();
        let name = name.as_str();
        let at = self.ast[n].span;
        if self.is_cuda() {
            if let Some((r, ty)) = self.made_vector(name) {
                let a = self.args(args);
                return Some(self.construct_cuda_vec(r, ty, &a, span));
            }
            if name == "assert" {
                self.args(args);
                return Some(self.rv(ExprKind::ZeroInit, TyId::VOID, span));
            }
        }
        if let Some(v) = self.va_call(name, args, span).or_else(|| self.overflow_call(name, args, span)) {
            return Some(v);
        }
        if let Some(v) = self.place_call(name, at) {
            return Some(v);
        }
        if name == "__builtin_complex" && self.lang() == Lang::C {
            let a = self.args(args);
            return Some(self.made_complex(&a, span));
        }
        if name == "__builtin_tgmath" && self.lang() == Lang::C {
            return Some(self.type_generic(args, at, span));
        }
        if name == "__builtin_addressof"
            && let &[one] = self.ast.list(args)
        {
            let e = self.expr(one);
            return Some(self.built_address(e, span));
        }
        if name == "__builtin_launder"
            && let &[one] = self.ast.list(args)
        {
            let e = self.expr(one);
            return Some(self.rvalue(e));
        }
        if name == "__builtin_constant_p" {
            self.cx.unevaluated += 1;
            let a = self.args(args);
            self.cx.unevaluated -= 1;
            let known = matches!(a[..], [Arg::Expr(e)]
                if self.is_string_literal(e) || { let v = self.rvalue(e); self.constant(v).is_some() });
            return Some(self.int(i128::from(known), TyId::INT, span));
        }
        let b = builtins::lookup(self.lang(), name)?;
        let a = self.args(args);
        if let ("min" | "max", &[Arg::List(list)]) = (name, &a[..])
            && let ast::ExprKind::InitList(items) = self.ast[list].kind
        {
            return Some(self.extreme_of_list(b, name, items, at, span));
        }
        if let ("min" | "max", &[list @ Arg::Expr(_)]) = (name, &a[..])
            && let Some(e) = self.extreme_of_list_object(name, list, at, span)
        {
            return Some(e);
        }
        if let "min" | "max" = name
            && let Some(e) = self.extreme_of_objects(name, n, &a, span)
        {
            return Some(e);
        }
        Some(self.call_builtin(b, name, &a, at, span))
    }

    /// Objects of classes that convert to several numbers, `operator float` and `operator __half`: as what the function takes
    /// as it is, or else as the number that is none of 16 bits.
    fn convert_class_arguments(&mut self, b: builtins::Builtin, values: &mut [ExprId]) {
        let Some(types) = self.class_arguments(b, values) else { return };
        for (e, to) in values.iter_mut().zip(types) {
            if self.p.types.as_record(self.ty(*e)).is_some()
                && let Some(v) = self.converted_by_class(*e, to)
            {
                *e = v;
            }
        }
    }

    /// The types as which such arguments are given, and the others'; `None` if there are no such, or they do not fit.
    fn class_arguments(&mut self, b: builtins::Builtin, values: &[ExprId]) -> Option<SmallVec<[TyId; 4]>> {
        let choices: SmallVec<[Vec<TyId>; 4]> = values.iter().map(|&e| self.scalar_conversions(e)).collect();
        let most = choices.iter().map(Vec::len).max().filter(|&n| n > 0 && self.is_cuda())?;
        let mut chosen = None;
        for k in 0..most {
            let types: SmallVec<[TyId; 4]> = values
                .iter()
                .zip(&choices)
                .map(|(&e, c)| c.get(k).or(c.last()).copied().unwrap_or_else(|| self.value_ty(e)))
                .collect();
            let given: SmallVec<[BType; 6]> = types.iter().map(|&t| self.btype(t)).collect();
            let Ok(resolved) = b.resolve(&given) else { continue };
            let exact = resolved.params.iter().zip(&given).all(|(p, t)| p == t);
            if exact {
                return Some(types);
            }
            chosen.get_or_insert(types);
        }
        chosen
    }

    /// The numbers that a class's conversion functions give, those of 16 bits last.
    fn scalar_conversions(&mut self, e: ExprId) -> Vec<TyId> {
        let Some(r) = self.p.types.as_record(self.ty(e)) else { return Vec::new() };
        let functions = self.conversions_of(r);
        let all = functions.into_iter().filter(|&f| !self.decls[f].explicit);
        let mut all: Vec<TyId> = all.map(|f| self.strip_reference(self.decls[f].ret)).collect();
        // A pair of numbers of 16 bits is one number of CUDA's, too.
        all.retain(|&t| self.p.types.is_arithmetic(t) || matches!(self.p.types.get(t), Ty::Vector { n: 2, .. }));
        all.sort_by_key(|&t| self.p.types.float_kind(t).is_some_and(|k| k.bits() == 16));
        all.dedup();
        all
    }

    /// Whether the language provides a function of this name.
    pub(crate) fn is_provided_function(&mut self, sym: Symbol) -> bool {
        builtins::lookup(self.lang(), self.text(sym)).is_some()
    }

    /// The vector that a function called `make_…` makes.
    fn made_vector(&mut self, name: &str) -> Option<(crate::types::RecordId, TyId)> {
        let t = self.sess.intern(name.strip_prefix("make_")?);
        let ty = self.cuda_vec_type(t)?;
        Some((self.p.types.as_record(ty)?, ty))
    }

    /// Whether the program has declared functions with OpenCL C's `overloadable`.
    pub(crate) fn is_overloadable(&self, entities: &[super::Entity]) -> bool {
        entities.iter().any(|e| matches!(*e, super::Entity::Fn(f) if self.decls[f].overloadable))
    }

    /// Whether a provided function of this name takes the arguments, and the program's overloads of it do not, or only
    /// with conversions that the provided one does without: in CUDA the two sets are one, and so they are in OpenCL C where the
    /// program says `overloadable`. What the program only declares there once more is the provided one.
    /// In a namespace that is `named` a template that takes the same is meant.
    pub(crate) fn provided_fits_better(
        &mut self,
        sym: Symbol,
        entities: &[super::Entity],
        args: &[Arg],
        named: bool,
    ) -> bool {
        let name = self.text(sym).to_owned();
        let fit = if let Some((r, _)) = self.made_vector(&name) {
            let n = self.decls[r].cuda_vec.map_or(0, |(_, n)| usize::from(n));
            let arithmetic = args.iter().all(|a| match *a {
                Arg::Expr(e) => {
                    let t = self.value_ty(e);
                    self.p.types.is_arithmetic(t)
                }
                Arg::List(_) | Arg::Overload(_) => false,
            });
            (n == args.len() && arithmetic).then_some(false)
        } else if let Some(b) = builtins::lookup(self.lang(), &name) {
            self.builtin_fit(b, args)
        } else {
            None
        };
        let Some(exact) = fit else { return false };
        match self.resolve_ranked(entities, None, args) {
            None => true,
            // A function is nearer than a template that takes the same (C++17, 16.3.3p1), unless the template's name hides it.
            Some((f, rank)) => {
                let template =
                    |c: &Self| c.is_cuda() && c.decls[f].template.is_some() && !named && !c.hides_provided(sym);
                exact && (rank.class > 0 || template(self) || self.is_opencl() && self.is_declared_only(f))
            }
        }
    }

    /// Whether a name is declared in a block or a namespace around, where what is declared outside of all is not found.
    fn hides_provided(&self, sym: Symbol) -> bool {
        let mut around = std::iter::successors(Some(self.scope), |&s| self.decls[s].parent);
        self.cx.names.of(sym).next().is_some()
            || around.any(|s| self.decls[s].parent.is_some() && !self.decls.bound(s, sym).is_empty())
    }

    /// Whether the source only declares once more what the language provides: `int printf(constant char *, ...);` in OpenCL C,
    /// in CUDA `extern "C" __device__ float __nv_logf(float);` and what else the toolkit's libraries have under C names.
    pub(crate) fn is_provided_again(&mut self, sym: Symbol, entities: &[super::Entity], args: &[Arg]) -> bool {
        let Some(b) = builtins::lookup(self.lang(), self.text(sym)) else { return false };
        let declared = entities.iter().all(|e| match *e {
            super::Entity::Fn(f) => self.is_declared_only(f) && (self.is_opencl() || self.is_c_function(f)),
            _ => false,
        });
        declared && (self.is_opencl() || self.is_cuda() && self.builtin_fit(b, args).is_some())
    }

    /// Whether a function has no body anywhere in the file.
    fn is_declared_only(&self, f: super::FnId) -> bool {
        // Definitions that follow are not bound yet.
        let defined = |d: &ast::DeclId| match (&self.ast[*d].kind, &self.ast[self.ast[*d].name].kind) {
            (&ast::DeclKind::Function(of), &ast::NameKind::Ident(s)) => {
                matches!(self.ast[of].body, ast::Body::Stmt(_)).then_some(s)
            }
            _ => None,
        };
        let names = self.with_body.get_or_init(|| self.ast.top.iter().filter_map(defined).collect());
        let of = &self.decls[f];
        of.body == super::BodySource::None && !names.contains(&of.name)
    }

    /// Whether a builtin takes the arguments; then, whether without conversions.
    fn builtin_fit(&mut self, b: builtins::Builtin, args: &[Arg]) -> Option<bool> {
        let mut values: SmallVec<[ExprId; 6]> = SmallVec::new();
        for a in args {
            let Arg::Expr(e) = *a else { return None };
            values.push(e);
        }
        if self.class_arguments(b, &values).is_some() {
            // Conversions of classes are needed.
            return Some(false);
        }
        let types = self.btypes(&values);
        let resolved = b.resolve(&types).ok()?;
        Some(resolved.params.iter().zip(&types).all(|(p, t)| p == t))
    }

    /// A call of a provided function with checked arguments.
    pub(crate) fn call_provided_with(&mut self, sym: Symbol, at: Span, args: &[Arg], span: Span) -> Option<ExprId> {
        let name = self.text(sym).to_owned();
        if let Some((r, ty)) = self.made_vector(&name) {
            return Some(self.construct_cuda_vec(r, ty, args, span));
        }
        let b = builtins::lookup(self.lang(), &name)?;
        Some(self.call_builtin(b, &name, args, at, span))
    }

    /// A value's bits as another type; in OpenCL C what `as_float3` does with a vector of four, too.
    pub(crate) fn reinterpreted(&mut self, v: ExprId, to: TyId, span: Span) -> ExprId {
        if self.is_opencl() && !self.is_err(v) {
            let name = format!("as_{}", self.btype(to));
            if let Some(b) = builtins::lookup(Lang::OpenCl, &name) {
                return self.call_builtin(b, &name, &[Arg::Expr(v)], span, span);
            }
        }
        self.bit_cast(v, to, span)
    }

    /// `{x, y}` as the only argument of a provided function that takes one of CUDA's vectors.
    fn vector_of_list(&mut self, b: builtins::Builtin, e: ast::ExprId) -> Option<ExprId> {
        let ast::ExprKind::InitList(list) = self.ast[e].kind else { return None };
        if !self.is_cuda() || !(2..=4).contains(&list.len()) {
            return None;
        }
        for elem in ["float", "double", "int", "uint", "short", "ushort", "char", "uchar"] {
            let name = self.sess.intern(&format!("{elem}{}", list.len()));
            let Some(ty) = self.cuda_vec_type(name) else { continue };
            let given = self.btype(ty);
            if b.resolve(&[given]).is_ok_and(|r| r.params.first() == Some(&given)) {
                return Some(self.init_list(list, ty, self.ast[e].span));
            }
        }
        None
    }

    pub(crate) fn call_builtin(
        &mut self,
        b: builtins::Builtin,
        name: &str,
        args: &[Arg],
        at: Span,
        span: Span,
    ) -> ExprId {
        let mut values = Vec::with_capacity(args.len());
        for &a in args {
            match a {
                Arg::Expr(e) => {
                    if self.is_err(e) {
                        return self.err(span);
                    }
                    values.push(e);
                }
                Arg::List(e)
                    if let [_] = args
                        && let Some(v) = self.vector_of_list(b, e) =>
                {
                    values.push(v);
                }
                Arg::List(_) | Arg::Overload(_) => {
                    let s = self.arg_span(a);
                    self.error("E0460", s, format!("argument of `{name}` must be a value"));
                    return self.err(span);
                }
            }
        }
        if let Some(e) = self.image_call(name, &values, at, span) {
            return e;
        }
        self.convert_class_arguments(b, &mut values);
        let on_mask = self.mask_overload(name, &mut values);
        let b = on_mask.unwrap_or(b);
        let types = self.btypes(&values);
        let resolved = match b.resolve(&types) {
            Ok(r) => r,
            Err(e) => {
                self.builtin_error(b, name, e, &values, at);
                return self.err(span);
            }
        };
        let mut meaning = match resolved.callee {
            Callee::Meaning(m) => m,
            Callee::Form(form) => return self.builtin_form(form, name, &values, span),
        };
        if self.opts.fast_math {
            meaning = builtins::fast_form(meaning, self.lang()).unwrap_or(meaning);
        }
        if !self.opts.target.has_approximate_functions() {
            meaning = builtins::host_form(meaning, resolved.ret, self.opts.fast_math).unwrap_or(meaning);
        }
        let mut list = Vec::with_capacity(values.len());
        // The tables say `unsigned`; masks are of a type of their own.
        let has_mask = has_mask_argument(meaning) && self.is_cuda();
        for (i, &v) in values.iter().enumerate() {
            let c = match resolved.params.get(i) {
                Some(_) if i == 0 && has_mask => self.implicit(v, self.lane_mask_ty(), Why::Arg),
                Some(&p) => self.convert_to_btype(v, p),
                None => self.default_promote(v),
            };
            if self.is_err(c) {
                return self.err(span);
            }
            list.push(c);
        }
        let args = self.expr_list(&list);
        let mask_result = matches!(
            meaning,
            Meaning::Op(Op::Sync(
                SyncOp::Vote { kind: builtins::Vote::Ballot, .. }
                    | SyncOp::ActiveMask
                    | SyncOp::MatchAny
                    | SyncOp::MatchAll
            ))
        );
        let is_mask = mask_result || on_mask.is_some() && name == "__brev";
        let ret = if is_mask && self.is_cuda() { self.lane_mask_ty() } else { self.type_of_btype(resolved.ret) };
        let call = self.rv(ExprKind::Builtin { meaning, args }, ret, span);
        // CUDA users know vectors as records.
        if self.is_cuda()
            && let Some(rec) = self.record_for(resolved.ret)
        {
            return self.rv(ExprKind::BitCast(call), rec, span);
        }
        call
    }

    /// The builtins that are questions or promises to the compiler. Resolution has counted the arguments.
    fn builtin_form(&mut self, form: Form, name: &str, values: &[ExprId], span: Span) -> ExprId {
        let &[first, ..] = values else { return self.err(span) };
        let text = self.sess.sources.snippet(span);
        let asked = if text.is_empty() || text.len() > 120 { format!("{name}(…)") } else { text.to_owned() };
        match form {
            Form::Provable => {
                let hint = self.enter_hint(HintKind::Provable, span, asked);
                let cond = self.condition(first);
                self.rv(ExprKind::Provable { cond, hint }, TyId::BOOL, span)
            }
            Form::Assume => {
                let hint = self.enter_hint(HintKind::Assume, span, asked);
                let cond = self.condition(first);
                self.rv(ExprKind::Assume { cond, hint }, TyId::VOID, span)
            }
            Form::Expect => self.expectation(values, asked, span),
            Form::AssumeAligned => self.alignment_promise(values, asked, span),
            Form::AccessProperty => self.access_property(first, asked, span),
            Form::VecStep => {
                let n = match self.p.types.lanes(self.ty(first)) {
                    3 => 4,
                    n => n,
                };
                self.int(i128::from(n), TyId::INT, span)
            }
        }
    }

    /// `__builtin_expect`.
    fn expectation(&mut self, values: &[ExprId], asked: String, span: Span) -> ExprId {
        let &[v, e, ..] = values else { return self.err(span) };
        let hint = self.enter_hint(HintKind::Assume, span, asked);
        let e = self.rvalue(e);
        let v = self.implicit(v, TyId::LONG, Why::Operand);
        let Some(expected) = self.int_constant(e) else {
            let why = "the expected value is not constant";
            self.sess.ledger.settle(hint, source::Fate::Refused, "nothing", why);
            return v;
        };
        self.rv(ExprKind::Expect { value: v, expected: expected as i64, hint }, TyId::LONG, span)
    }

    /// `__builtin_assume_aligned`.
    fn alignment_promise(&mut self, values: &[ExprId], asked: String, span: Span) -> ExprId {
        let &[p, a, ..] = values else { return self.err(span) };
        let hint = self.enter_hint(HintKind::Assume, span, asked);
        let p = self.rvalue(p);
        let a = self.rvalue(a);
        let align = self.int_constant(a).filter(|n| *n > 0 && (*n & (*n - 1)) == 0 && *n < 1 << 40);
        let Some(align) = align else {
            let at = self.span(a);
            self.error("E0461", at, "alignment must be a constant power of two");
            return self.err(span);
        };
        // With an offset it is another address that is aligned.
        let align = if values.len() > 2 { 1 } else { align };
        // GCC and nvcc make a `void *` of it, which C++ programs cast back.
        let ty = match *self.p.types.get(self.ty(p)) {
            Ty::Pointer { space, .. } if self.is_cuda() => self.p.types.pointer(TyId::VOID, Quals::NONE, space),
            _ => self.ty(p),
        };
        self.rv(ExprKind::AssumeAligned { ptr: p, align: align as u64, hint }, ty, span)
    }

    /// `__nv_associate_access_property`, by which `cuda::annotated_ptr` says how caches are to keep what is accessed.
    fn access_property(&mut self, p: ExprId, asked: String, span: Span) -> ExprId {
        let hint = self.enter_hint(HintKind::Assume, span, asked);
        let why = "accesses carry no cache policy: they are cached as others are";
        self.sess.ledger.settle(hint, source::Fate::Unused, "no code changed", why);
        let p = self.rvalue(p);
        let Ty::Pointer { space, .. } = *self.p.types.get(self.ty(p)) else { return self.err(span) };
        let to = self.p.types.pointer(TyId::VOID, Quals::NONE, space);
        self.pointer_cast(p, to)
    }

    fn builtin_error(&mut self, b: builtins::Builtin, name: &str, e: ResolveError, values: &[ExprId], at: Span) {
        let d = match e {
            ResolveError::Arity { min, max } => {
                let n = values.len();
                let what = if n < usize::from(min) { "few" } else { "many" };
                let expected = if min == max { format!("{min}") } else { format!("{min} to {max}") };
                Diagnostic::error(
                    "E0438",
                    at,
                    format!("too {what} arguments to function call `{name}`: expected {expected}, have {n}"),
                )
            }
            ResolveError::NoMatch { arg } => {
                let mut d = Diagnostic::error("E0446", at, format!("no matching function for call to `{name}`"));
                if let Some(&v) = values.get(usize::from(arg)) {
                    let ty = self.value_ty(v);
                    let (s, t) = (self.span(v), self.show(ty));
                    d = d.label(s, format!("argument {} has type `{t}`", arg + 1));
                }
                d
            }
            ResolveError::Unsupported(what) => {
                let d = Diagnostic::error("E0462", at, format!("`{name}`: {what} are not supported"));
                self.report(d);
                return;
            }
        };
        let mut d = d;
        for s in b.signatures().into_iter().take(4) {
            d = d.note(format!("candidate: {s}"));
        }
        self.report(d);
    }

    // ---- the tables' types ---------------------------------------------------------------------------------------

    /// The types of values in the vocabulary of the builtin tables.
    fn btypes(&mut self, values: &[ExprId]) -> SmallVec<[BType; 6]> {
        let types: SmallVec<[TyId; 6]> = values.iter().map(|&e| self.value_ty(e)).collect();
        types.into_iter().map(|t| self.btype(t)).collect()
    }

    /// A type in the vocabulary of the builtin tables.
    pub(crate) fn btype(&self, ty: TyId) -> BType {
        match self.p.types.get(ty) {
            Ty::Pointer { pointee, quals, space } => {
                let inner = self.btype(*pointee);
                let inner = if inner.ptr.is_some() { BType::OTHER } else { inner };
                let ptr = Pointer {
                    space: match space {
                        AddrSpace::Generic => Space::Generic,
                        AddrSpace::Global => Space::Global,
                        AddrSpace::Shared => Space::Local,
                        AddrSpace::Constant => Space::Constant,
                        AddrSpace::Private => Space::Private,
                    },
                    is_const: quals.is_const(),
                    is_volatile: quals.is_volatile(),
                };
                BType { ptr: Some(ptr), ..inner }
            }
            Ty::Vector { elem, n } => BType::vector(self.bscalar(*elem), *n),
            Ty::Record(r) => match self.decls[*r].cuda_vec {
                Some((elem, n)) if n > 1 && !self.decls[*r].has_ctor => BType::vector(self.bscalar(elem), n),
                _ => BType::OTHER,
            },
            Ty::Enum(e) => self.btype(self.p.types.enumeration(*e).underlying),
            _ => BType::scalar(self.bscalar(ty)),
        }
    }

    fn bscalar(&self, ty: TyId) -> Scalar {
        match self.p.types.get(ty) {
            Ty::Void => Scalar::Void,
            Ty::Bool => Scalar::Bool,
            Ty::Int(k) => match k {
                IntKind::Char => Scalar::Char,
                IntKind::SChar if self.is_opencl() => Scalar::Char,
                IntKind::SChar => Scalar::SChar,
                IntKind::UChar | IntKind::Char8 => Scalar::UChar,
                IntKind::Short => Scalar::Short,
                IntKind::UShort | IntKind::Char16 => Scalar::UShort,
                IntKind::Int | IntKind::WChar => Scalar::Int,
                IntKind::UInt | IntKind::Char32 | IntKind::LaneMask32 => Scalar::UInt,
                IntKind::Long => Scalar::Long,
                IntKind::ULong => Scalar::ULong,
                IntKind::LongLong => Scalar::LongLong,
                IntKind::ULongLong | IntKind::LaneMask64 => Scalar::ULongLong,
                IntKind::Int128 | IntKind::UInt128 => Scalar::Other,
            },
            Ty::Float(k) => match k {
                FloatKind::Half => Scalar::Half,
                FloatKind::BFloat16 => Scalar::BFloat,
                FloatKind::Float => Scalar::Float,
                FloatKind::Double | FloatKind::LongDouble => Scalar::Double,
            },
            Ty::Opaque(Opaque::Event) => Scalar::Event,
            _ => Scalar::Other,
        }
    }

    fn scalar_ty(&mut self, s: Scalar) -> TyId {
        match s {
            Scalar::Void => TyId::VOID,
            Scalar::Bool => TyId::BOOL,
            Scalar::Char => TyId::CHAR,
            Scalar::SChar => TyId::SCHAR,
            Scalar::UChar => TyId::UCHAR,
            Scalar::Short => TyId::SHORT,
            Scalar::UShort => TyId::USHORT,
            Scalar::Int => TyId::INT,
            Scalar::UInt => TyId::UINT,
            Scalar::Long => TyId::LONG,
            Scalar::ULong => TyId::ULONG,
            Scalar::LongLong => TyId::LONGLONG,
            Scalar::ULongLong => TyId::ULONGLONG,
            Scalar::Half => TyId::HALF,
            Scalar::BFloat => TyId::BFLOAT16,
            Scalar::Float => TyId::FLOAT,
            Scalar::Double => TyId::DOUBLE,
            Scalar::Event => self.p.types.intern(Ty::Opaque(Opaque::Event)),
            Scalar::Other => TyId::ERROR,
        }
    }

    /// A table type as a type: vectors as vectors.
    pub(crate) fn type_of_btype(&mut self, b: BType) -> TyId {
        let s = self.scalar_ty(b.scalar);
        let t = if b.lanes > 1 { self.p.types.vector(s, b.lanes) } else { s };
        let Some(p) = b.ptr else { return t };
        let mut q = Quals::NONE;
        if p.is_const {
            q = q.with(Quals::CONST);
        }
        if p.is_volatile {
            q = q.with(Quals::VOLATILE);
        }
        let t = if t == TyId::ERROR { TyId::VOID } else { t };
        let space = match p.space {
            Space::Generic => AddrSpace::Generic,
            Space::Global => AddrSpace::Global,
            Space::Local => AddrSpace::Shared,
            Space::Constant => AddrSpace::Constant,
            Space::Private => AddrSpace::Private,
        };
        self.p.types.pointer(t, q, space)
    }

    /// CUDA's record for a table's vector type.
    fn record_for(&mut self, b: BType) -> Option<TyId> {
        if b.lanes < 2 || b.lanes > 4 || b.ptr.is_some() || matches!(b.scalar, Scalar::Half | Scalar::BFloat) {
            return None;
        }
        let base = match b.scalar {
            Scalar::Char | Scalar::SChar => "char",
            Scalar::LongLong => "longlong",
            Scalar::ULongLong => "ulonglong",
            s => s.name(),
        };
        let sym = self.sess.intern(&format!("{base}{}", b.lanes));
        self.cuda_vec_type(sym)
    }

    /// Converts an argument to a table's parameter type.
    fn convert_to_btype(&mut self, v: ExprId, p: BType) -> ExprId {
        let from = self.value_ty(v);
        let span = self.span(v);
        if p.ptr.is_some() {
            // Pointers are matched by the table; what remains is qualification and the pointee's representation.
            if self.is_null_constant(v) {
                let to = self.type_of_btype(p);
                return self.rv(ExprKind::Null, to, span);
            }
            let value = self.rvalue(v);
            let to = self.type_of_btype(p);
            return self.pointer_cast(value, to);
        }
        if p.scalar == Scalar::Other || p.scalar == Scalar::Void {
            return self.rvalue(v);
        }
        let to = self.type_of_btype(p);
        if self.cuda_vec_of(from).is_some() && self.p.types.is_vector(to) {
            let value = self.rvalue(v);
            return self.rv(ExprKind::BitCast(value), to, span);
        }
        if let Ty::Vector { elem, .. } = *self.p.types.get(to)
            && self.p.types.is_arithmetic(from)
        {
            let s = self.implicit(v, elem, Why::Arg);
            return self.rv(ExprKind::Cast { kind: crate::program::CastKind::Splat, operand: s }, to, span);
        }
        self.implicit(v, to, Why::Arg)
    }
}
