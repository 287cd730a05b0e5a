//! Type traits that the compiler answers: `__is_same(A, B)`, `__is_constructible(T, Args...)`.
//!
//! The names and meanings are those of GCC and clang, as libraries use them.

use super::{BodySource, Checker, RTy};
use crate::check::call::Arg;
use crate::program::{ExprId, ExprKind};
use crate::types::{OperatorName, Ty, TyId};
use source::{Span, Symbol};
use syntax::ast;

/// Whether a trait tells of an incomplete class what it tells of a complete one: it must not be instantiated, which may not
/// be possible yet (a reference's proxy whose member is the pointer being defined).
fn needs_no_definition(trait_: &str) -> bool {
    const KINDS: &[&str] = &[
        "builtin_types_compatible_p",
        "is_arithmetic",
        "is_array",
        "is_bounded_array",
        "is_class",
        "is_compound",
        "is_const",
        "is_enum",
        "is_floating_point",
        "is_function",
        "is_fundamental",
        "is_integral",
        "is_lvalue_reference",
        "is_member_function_pointer",
        "is_member_object_pointer",
        "is_member_pointer",
        "is_object",
        "is_pointer",
        "is_reference",
        "is_rvalue_reference",
        "is_same",
        "is_same_as",
        "is_scalar",
        "is_scoped_enum",
        "is_signed",
        "is_unbounded_array",
        "is_union",
        "is_unsigned",
        "is_void",
        "is_volatile",
    ];
    KINDS.binary_search(&trait_).is_ok()
}

impl Checker<'_> {
    pub(super) fn type_trait(&mut self, name: Symbol, args: ast::List<ast::TypeId>, span: Span) -> ExprId {
        let ast = self.ast;
        let mut types: Vec<RTy> = Vec::new();
        for &t in ast.list(args) {
            match ast[t].kind {
                ast::TypeKind::Pack(pattern) => types.extend(self.expand_type_pack(pattern)),
                _ => types.push(self.resolve(t)),
            }
        }
        let text = self.text(name).to_owned();
        let trait_ = text.trim_start_matches('_');
        let opaque = needs_no_definition(trait_);
        for (i, t) in types.iter().enumerate() {
            // Of `is_base_of` only the derived class is looked into.
            let asked = !opaque && (trait_ != "is_base_of" || i == 1);
            if let Some(r) = self.p.types.as_record(t.ty).filter(|_| asked) {
                self.complete_record(r);
            }
        }
        let answer = match types[..] {
            [a] => self.unary_trait(trait_, a).or_else(|| self.making_trait(trait_, &types, span)),
            [a, b] => self.binary_trait(&text, a, b, span).or_else(|| self.making_trait(trait_, &types, span)),
            _ => self.making_trait(trait_, &types, span),
        };
        let Some(answer) = answer else {
            self.error("E0412", span, format!("type trait `{text}` is not supported"));
            return self.err(span);
        };
        let ty = self.bool_ty();
        self.int(i128::from(answer), ty, span)
    }

    fn unary_trait(&self, name: &str, a: RTy) -> Option<bool> {
        let t = &self.p.types;
        let ty = t.get(a.ty);
        let record = t.as_record(a.ty).map(|r| t.record(r));
        let is_reference = matches!(ty, Ty::Reference { .. });
        let is_integer = matches!(ty, Ty::Int(_) | Ty::Bool);
        // CUDA's halves and pairs of them are classes.
        let is_half = self.is_cuda() && matches!(t.scalar_of(a.ty), TyId::HALF | TyId::BFLOAT16);
        let is_float = t.is_float(a.ty) && !is_half;
        let is_number = is_integer || is_float;
        let is_scalar = is_number || t.is_pointer(a.ty) || matches!(ty, Ty::Enum(_) | Ty::NullPtr);
        Some(match name {
            "is_integral" => is_integer,
            "is_floating_point" => is_float,
            "is_arithmetic" => is_number,
            "is_fundamental" => is_number || a.ty == TyId::VOID || matches!(ty, Ty::NullPtr),
            "is_compound" => !(is_number || a.ty == TyId::VOID || matches!(ty, Ty::NullPtr)),
            "is_scalar" => is_scalar,
            "is_signed" => t.is_signed(a.ty) || is_float,
            "is_unsigned" => is_integer && !t.is_signed(a.ty),
            "is_pointer" => t.is_pointer(a.ty),
            "is_reference" => is_reference,
            "is_lvalue_reference" => matches!(ty, Ty::Reference { rvalue: false, .. }),
            "is_rvalue_reference" => matches!(ty, Ty::Reference { rvalue: true, .. }),
            "is_array" => matches!(ty, Ty::Array { .. }),
            "is_function" => matches!(ty, Ty::Function(_)),
            "is_object" => !is_reference && !matches!(ty, Ty::Function(_)) && a.ty != TyId::VOID,
            "is_enum" => matches!(ty, Ty::Enum(_)),
            "is_class" => is_half || record.is_some_and(|r| !r.is_union),
            "is_union" => record.is_some_and(|r| r.is_union),
            "is_void" => a.ty == TyId::VOID,
            "is_const" => a.quals.is_const(),
            "is_volatile" => a.quals.is_volatile(),
            "is_empty" => record.is_some_and(|r| r.empty),
            "is_abstract" => t.as_record(a.ty).is_some_and(|r| self.is_abstract(r)),
            "is_polymorphic" => t.as_record(a.ty).is_some_and(|r| self.is_polymorphic(r)),
            "has_virtual_destructor" => t.as_record(a.ty).is_some_and(|r| self.has_virtual_destructor(r)),
            "has_unique_object_representations" => self.is_all_value(a.ty),
            "is_member_pointer" => matches!(ty, Ty::MemberPointer { .. }),
            "is_member_function_pointer" => self.points_to_function(a.ty),
            "is_member_object_pointer" => matches!(ty, Ty::MemberPointer { .. }) && !self.points_to_function(a.ty),
            "is_bounded_array" => matches!(ty, Ty::Array { len: Some(_), .. }),
            "is_unbounded_array" => matches!(ty, Ty::Array { len: None, .. }),
            "is_scoped_enum" => matches!(*ty, Ty::Enum(e) if t.enumeration(e).scoped),
            "is_aggregate" => {
                matches!(ty, Ty::Array { .. }) || t.as_record(a.ty).is_some_and(|r| self.is_aggregate_class(r))
            }
            "is_final" => t.as_record(a.ty).is_some_and(|r| self.is_final(r)),
            // NVIDIA's pairs say how they are copied.
            "is_trivially_copyable" | "is_trivial" | "is_pod" if is_half && t.lanes(a.ty) > 1 => false,
            "is_trivially_copyable" | "is_trivial" | "is_pod" | "is_standard_layout" => {
                !is_reference && record.is_none_or(|r| r.trivial)
            }
            "is_destructible" | "is_nothrow_destructible" => a.ty != TyId::VOID && !matches!(ty, Ty::Function(_)),
            "is_trivially_destructible" | "has_trivial_destructor" => record.is_none_or(|r| r.trivial),
            _ => return None,
        })
    }

    /// Whether objects of a type that are equal have the same bytes: no padding, no floating-point numbers.
    fn is_all_value(&self, ty: TyId) -> bool {
        let t = &self.p.types;
        match t.get(ty) {
            Ty::Int(_) | Ty::Bool | Ty::Pointer { .. } | Ty::Enum(_) | Ty::MemberPointer { .. } => true,
            Ty::Array { elem, .. } => self.is_all_value(*elem),
            Ty::Record(r) => {
                let r = t.record(*r);
                let parts = r.fields.iter().map(|f| f.ty);
                let bases = r.bases.iter().filter(|b| !t.record(b.record).empty);
                let size = |ty| t.size_of(ty).unwrap_or(0);
                let whole: u64 =
                    parts.clone().map(size).sum::<u64>() + bases.clone().map(|b| t.record(b.record).size).sum::<u64>();
                r.trivial
                    && !r.empty
                    && (whole == r.size || r.is_union && r.fields.iter().all(|f| size(f.ty) == r.size))
                    && parts.into_iter().all(|p| self.is_all_value(p))
                    && bases.into_iter().all(|b| t.record(b.record).trivial)
            }
            _ => false,
        }
    }

    /// An aggregate (C++17, 11.6.1).
    fn is_aggregate_class(&self, r: crate::types::RecordId) -> bool {
        let info = &self.decls[r];
        !info.has_ctor && !info.has_private && info.slots.is_empty()
    }

    fn is_final(&self, r: crate::types::RecordId) -> bool {
        let decl = self.decls[r].ast.map(|d| self.ast[d].kind);
        matches!(decl, Some(ast::DeclKind::Record(r)) if self.ast[r].is_final)
    }

    fn binary_trait(&mut self, text: &str, a: RTy, b: RTy, span: Span) -> Option<bool> {
        Some(match text.trim_start_matches('_') {
            "is_same" | "is_same_as" | "builtin_types_compatible_p" => {
                self.p.types.canonical(a.ty) == self.p.types.canonical(b.ty)
                    && (text == "__builtin_types_compatible_p" || a.quals == b.quals)
            }
            "is_base_of" => match (self.p.types.as_record(a.ty), self.p.types.as_record(b.ty)) {
                (Some(base), Some(derived)) => base == derived || self.base_offset(derived, base).is_some(),
                _ => false,
            },
            trait_ @ ("is_convertible" | "is_convertible_to" | "is_nothrow_convertible") => {
                if a.ty == TyId::VOID || b.ty == TyId::VOID {
                    return Some(a.ty == b.ty);
                }
                let probe = self.probe(a, span);
                self.rank(probe, b.ty).is_some()
                    && (trait_ != "is_nothrow_convertible" || self.is_converted_quietly(a, b, span))
            }
            "is_assignable" => self.is_assignable(a, b, span),
            "is_nothrow_assignable" => self.is_assignable(a, b, span) && self.is_assigned_quietly(a, b, span),
            "is_trivially_assignable" => self.is_assignable(a, b, span) && self.is_trivial(a) && self.is_trivial(b),
            _ => return None,
        })
    }

    /// Traits that ask whether a type is made of others, of any number.
    fn making_trait(&mut self, name: &str, types: &[RTy], span: Span) -> Option<bool> {
        let (&made, args) = types.split_first()?;
        Some(match name {
            "is_constructible" => self.is_constructible(made, args, span),
            "is_nothrow_constructible" => {
                self.is_constructible(made, args, span) && self.is_made_quietly(made, args, span)
            }
            "is_trivially_constructible" => {
                let made_plainly =
                    !args.is_empty() || self.p.types.as_record(made.ty).is_none_or(|r| !self.has_nontrivial_default(r));
                // Of constructors only those that copy are ever trivial.
                let is_copied = |c: &mut Self| {
                    let class = |c: &Self, t: RTy| c.p.types.as_record(c.strip_reference(t.ty));
                    match (class(c, made), args) {
                        (None, _) | (_, []) => true,
                        (Some(r), &[a]) => class(c, a).is_some_and(|d| d == r || c.base_offset(d, r).is_some()),
                        _ => false,
                    }
                };
                made_plainly
                    && is_copied(self)
                    && self.is_constructible(made, args, span)
                    && args.iter().chain([&made]).all(|&t| self.is_trivial(t))
            }
            _ => return None,
        })
    }

    /// Whether values of a type, or of what it refers to, are copied as bytes.
    fn is_trivial(&self, t: RTy) -> bool {
        let ty = match *self.p.types.get(t.ty) {
            Ty::Reference { pointee, .. } => pointee,
            _ => t.ty,
        };
        self.p.types.as_record(ty).is_none_or(|r| self.p.types.record(r).trivial)
    }

    /// An expression of a type, as `std::declval` makes one: a place if the type is a reference to one.
    fn probe(&mut self, t: RTy, span: Span) -> ExprId {
        match *self.p.types.get(t.ty) {
            Ty::Reference { pointee, quals, space, rvalue: false } => {
                self.lv(ExprKind::ZeroInit, pointee, quals, space, span)
            }
            Ty::Reference { pointee, .. } => self.rv(ExprKind::ZeroInit, pointee, span),
            _ => self.rv(ExprKind::ZeroInit, t.ty, span),
        }
    }

    fn is_constructible(&mut self, made: RTy, args: &[RTy], span: Span) -> bool {
        let probes: Vec<ExprId> = args.iter().map(|&a| self.probe(a, span)).collect();
        let Some(r) = self.p.types.as_record(made.ty) else {
            let is_object = !matches!(self.p.types.get(made.ty), Ty::Reference { .. } | Ty::Function(_));
            return match probes[..] {
                [] => is_object && made.ty != TyId::VOID,
                [e] => made.ty != TyId::VOID && self.rank(e, made.ty).is_some(),
                _ => false,
            };
        };
        if probes.is_empty() && (!self.decls[r].has_ctor || self.default_constructor(r).is_some()) {
            return true;
        }
        // What the class declares is asked first: it may be deleted.
        let entities = self.constructors(r, true);
        let object = self.rv(ExprKind::ZeroInit, made.ty, span);
        let args: Vec<Arg> = probes.iter().copied().map(Arg::Expr).collect();
        match self.resolve_ranked(&entities, Some(object), &args) {
            Some((f, _)) => self.decls[f].body != BodySource::Deleted,
            None => matches!(probes[..], [e] if self.rank(e, made.ty).is_some()),
        }
    }

    fn is_assignable(&mut self, to: RTy, from: RTy, span: Span) -> bool {
        let (target, value) = (self.probe(to, span), self.probe(from, span));
        let ty = self.ty(target);
        if self.p.types.as_record(ty).is_none() {
            return self.is_lv(target) && !self.e(target).quals.is_const() && self.rank(value, ty).is_some();
        }
        let class = self.p.types.as_record(ty);
        let own = match (class, self.sess.strings.get("operator=")) {
            (Some(r), Some(sym)) => {
                self.complete_record(r);
                self.decls.bound(self.decls[r].scope, sym)
            }
            _ => Default::default(),
        };
        match self.resolve_ranked(&own, Some(target), &[Arg::Expr(value)]) {
            Some((f, _)) => self.decls[f].body != BodySource::Deleted,
            None => {
                !self.e(target).quals.is_const() && self.rank(value, ty).is_some()
                    || self.user_operator(OperatorName::Assign, &[target, value], span).is_some()
            }
        }
    }
}
