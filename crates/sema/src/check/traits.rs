//! Type traits that the compiler answers: `__is_same(A, B)`, `__is_constructible(T, Args...)`.
//!
//! The names and meanings are those of GCC and clang, as libraries use them.

use super::{BodySource, Checker, Entity, RTy};
use crate::check::call::Arg;
use crate::check::class::{Copier, Special};
use crate::program::{ExprId, ExprKind};
use crate::types::{Quals, RecordId, Ty, TyId};
use source::{Span, Symbol};
use syntax::ast::{self, DeclSpecs};

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
        let answer = self.substituting(true, |c| match types[..] {
            [a] => c
                .copying_trait(trait_, a)
                .or_else(|| c.unary_trait(trait_, a))
                .or_else(|| c.making_trait(trait_, &types, span)),
            [a, b] => c.binary_trait(&text, a, b, span).or_else(|| c.making_trait(trait_, &types, span)),
            _ => c.making_trait(trait_, &types, span),
        });
        let Some(answer) = answer else {
            self.error("E0412", span, format!("type trait `{text}` is not supported"));
            return self.err(span);
        };
        let ty = self.bool_ty();
        self.int(i128::from(answer), ty, span)
    }

    /// Traits that follow from a type's special member functions.
    fn copying_trait(&mut self, name: &str, a: RTy) -> Option<bool> {
        const NAMES: [&str; 9] = [
            "is_trivially_copyable",
            "is_trivial",
            "is_standard_layout",
            "is_pod",
            "is_literal_type",
            "is_destructible",
            "is_nothrow_destructible",
            "is_trivially_destructible",
            "has_trivial_destructor",
        ];
        // The others may be asked of classes that are not complete yet.
        if !NAMES.contains(&name) {
            return None;
        }
        let ty = self.p.types.get(a.ty).clone();
        let is_half = self.is_cuda() && matches!(self.p.types.scalar_of(a.ty), TyId::HALF | TyId::BFLOAT16);
        let no_object = a.ty == TyId::VOID || matches!(ty, Ty::Function(_) | Ty::Array { len: None, .. });
        let is_reference = matches!(ty, Ty::Reference { .. });
        let s = self.specials_of(a.ty);
        let is_type_of_objects = !is_reference && a.ty != TyId::VOID && !matches!(ty, Ty::Function(_));
        let copied = is_type_of_objects && s.is_none_or(|s| s.copies_bytes());
        let trivial = copied && s.is_none_or(|s| matches!(s.default_constructor, Special::Trivial | Special::Deleted));
        Some(match name {
            // NVIDIA's pairs say how they are copied.
            "is_trivially_copyable" | "is_trivial" | "is_pod" if is_half && self.p.types.lanes(a.ty) > 1 => false,
            "is_trivially_copyable" => copied,
            "is_trivial" => trivial,
            "is_standard_layout" => is_type_of_objects && self.is_laid_out_plainly(a.ty),
            "is_pod" => trivial && self.is_laid_out_plainly(a.ty),
            "is_literal_type" => !is_reference && s.is_none_or(|s| s.destructor == Special::Trivial),
            "is_destructible" | "is_nothrow_destructible" => {
                let exists = !no_object && s.is_none_or(|s| s.destructor.exists());
                let class = self.array_record(a.ty);
                let open = !class.is_some_and(|r| self.hides_destructor(r));
                exists && open && (name == "is_destructible" || !self.end_may_throw(a.ty))
            }
            "is_trivially_destructible" => !no_object && s.is_none_or(|s| s.destructor == Special::Trivial),
            "has_trivial_destructor" => s.is_none_or(|s| s.destructor == Special::Trivial),
            _ => return None,
        })
    }

    fn is_laid_out_plainly(&mut self, ty: TyId) -> bool {
        match self.array_record(ty) {
            Some(r) => self.has_standard_layout(r),
            None => true,
        }
    }

    /// Whether a type is that of a lambda marked `__device__`, for the host too or not (CUDA's extended lambdas).
    fn is_extended_lambda(&self, ty: TyId, for_host: bool) -> bool {
        let (Some(r), Some(call)) = (self.p.types.as_record(ty), self.sess.strings.get("operator()")) else {
            return false;
        };
        self.decls.bound(self.decls[r].scope, call).iter().any(|e| match *e {
            Entity::Fn(f) => match self.decls[f].body {
                BodySource::Lambda(l) => {
                    let specs = self.ast[l].specs;
                    specs.has(DeclSpecs::DEVICE) && specs.has(DeclSpecs::HOST) == for_host
                }
                _ => false,
            },
            _ => false,
        })
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
            "nv_is_extended_device_lambda_closure_type" => self.is_extended_lambda(a.ty, false),
            "nv_is_extended_host_device_lambda_closure_type" => self.is_extended_lambda(a.ty, true),
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
                if r.is_union && r.fields.is_empty() {
                    return false;
                }
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
        !self.makes_by_constructor(r) && !info.has_private && !self.is_polymorphic(r)
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
                let probe = self.declval(a, span);
                self.rank(probe, b.ty).is_some()
                    && self.copies_itself(b, &[a]).unwrap_or(true)
                    && !self.copies_explicitly(b, a, probe)
                    && (trait_ != "is_nothrow_convertible" || self.is_converted_quietly(a, b, span))
            }
            "is_assignable" => self.is_assignable(a, b, span),
            "is_nothrow_assignable" => self.is_assignable(a, b, span) && self.is_assigned_quietly(a, b, span),
            "is_trivially_assignable" => self.is_assignable(a, b, span) && self.is_assigned_as_bytes(a, b),
            _ => return None,
        })
    }

    /// Traits that ask whether a type is made of others, of any number.
    fn making_trait(&mut self, name: &str, types: &[RTy], span: Span) -> Option<bool> {
        let (&made, args) = types.split_first()?;
        Some(match name {
            "is_constructible" => {
                let holds = self.is_constructible(made, args, span);
                self.note_host_constructor(holds, made.ty);
                holds
            }
            "is_nothrow_constructible" => {
                self.is_constructible(made, args, span) && self.is_made_quietly(made, args, span)
            }
            "is_trivially_constructible" => {
                self.is_constructible(made, args, span) && self.is_made_as_bytes(made, args)
            }
            _ => return None,
        })
    }

    /// Whether making an object, which can be made, does nothing but what bytes do: of constructors only those without arguments
    /// and those that copy are ever trivial.
    fn is_made_as_bytes(&mut self, made: RTy, args: &[RTy]) -> bool {
        let Some(of) = self.specials_of(made.ty) else {
            // Conversions from a class are functions.
            return args.iter().all(|a| {
                matches!(self.p.types.get(made.ty), Ty::Reference { .. })
                    || self.specials_of(self.strip_reference(a.ty)).is_none()
            });
        };
        let does = match *args {
            [] => of.default_constructor,
            [a] => match self.own_object(made.ty, a) {
                Some(rvalue) => of.copying(rvalue),
                // Of the values of an aggregate's members (C++20) nvcc finds one trivial, if it is no class's.
                None if self.is_20() && self.is_aggregate(made.ty) && self.specials_of(a.ty).is_none() => {
                    if self.is_made_of_numbers(made.ty) { Special::Trivial } else { Special::Does }
                }
                None => Special::Does,
            },
            _ => Special::Does,
        };
        does == Special::Trivial && of.destructor == Special::Trivial
    }

    /// Whether no part of a class is of one whose constructor does something, or that has none without arguments.
    fn is_made_of_numbers(&mut self, ty: TyId) -> bool {
        let Some(r) = self.p.types.as_record(ty) else { return false };
        self.parts_of(r)
            .into_iter()
            .all(|part| self.specials(part).is_none_or(|s| s.default_constructor == Special::Trivial))
    }

    fn is_assigned_as_bytes(&mut self, to: RTy, from: RTy) -> bool {
        let to = self.strip_reference(to.ty);
        match (self.specials_of(to), self.own_object(to, from)) {
            (None, _) => self.specials_of(self.strip_reference(from.ty)).is_none(),
            (Some(of), Some(rvalue)) => of.assigning(rvalue) == Special::Trivial,
            (Some(_), None) => false,
        }
    }

    /// Whether an argument is an object of a class, or one derived from it; inside, whether it is an rvalue that may be taken
    /// apart.
    fn own_object(&mut self, class: TyId, a: RTy) -> Option<bool> {
        let r = self.p.types.as_record(class)?;
        let (ty, quals, rvalue) = match *self.p.types.get(a.ty) {
            Ty::Reference { pointee, quals, rvalue, .. } => (pointee, quals, rvalue),
            _ => (a.ty, a.quals, true),
        };
        let own = self.p.types.as_record(ty)?;
        (own == r || self.reachable_base(own, r).is_some()).then_some(rvalue && !quals.is_const())
    }

    /// Whether a class's object is made of nothing or of another one, where the special member functions alone answer that.
    fn copies_itself(&mut self, made: RTy, args: &[RTy]) -> Option<bool> {
        let r = self.p.types.as_record(made.ty)?;
        let s = self.specials(r)?;
        if !s.destructor.exists() || self.is_abstract(r) {
            return Some(false);
        }
        match *args {
            [] if s.default_constructor != Special::Absent => {
                Some(s.default_constructor.exists() && !self.hides_constructor(r, None))
            }
            // Whether objects that are `const` are copied is asked for each.
            [a] if self.constructor_templates(r).is_empty() && !self.moves_const(r) && s.copies_const => {
                let moves = self.own_object(made.ty, a)?;
                Some(s.copying(moves).exists() && !self.hides_constructor(r, Some(moves)))
            }
            _ => None,
        }
    }

    /// Whether the constructor that a class declares for itself is not for everybody: the one without arguments, or one that
    /// takes another object of the class, to be moved or not.
    fn hides_constructor(&mut self, r: RecordId, takes: Option<bool>) -> bool {
        let declared = self.decls[r].declared.clone();
        let hidden = match takes {
            None => {
                let plain = declared.into_iter().find(|&f| self.decls[f].params.iter().all(|p| p.default.is_some()));
                plain.is_some_and(|f| self.is_hidden_function(f))
            }
            Some(moves) => self.hides_copy(r, &declared, moves),
        };
        hidden || self.hides_destructor(r)
    }

    /// Whether that of a class's functions that copies or moves its objects is not for everybody.
    fn hides_copy(&mut self, r: RecordId, declared: &[super::FnId], moves: bool) -> bool {
        let copies = self.declared_copy(r, declared, false);
        let by = self.declared_copy(r, declared, true).filter(|_| moves).or(copies);
        by.is_some_and(|f| self.is_hidden_function(f))
    }

    fn hides_destructor(&mut self, r: RecordId) -> bool {
        self.decls[r].dtor.is_some_and(|f| self.is_hidden_function(f))
    }

    /// Whether only constructors that are `explicit` make an object of a class of another one.
    fn copies_explicitly(&mut self, made: RTy, a: RTy, object: ExprId) -> bool {
        let Some(r) = self.p.types.as_record(made.ty).filter(|_| self.own_object(made.ty, a).is_some()) else {
            return false;
        };
        let copies = |c: &Self, f: &super::FnId| {
            let d = &c.decls[*f];
            d.params.first().is_some_and(|p| c.p.types.as_record(c.strip_reference(p.ty)) == Some(r))
        };
        let ctors = self.decls[r].ctors.clone();
        let (explicit, others): (Vec<_>, Vec<_>) =
            ctors.into_iter().filter(|f| copies(self, f)).partition(|&f| self.decls[f].explicit);
        let others: Vec<super::Entity> = others.into_iter().map(super::Entity::Fn).collect();
        !explicit.is_empty() && self.resolve_ranked(&others, None, &[Arg::Expr(object)]).is_none()
    }

    /// Notes that a class that is not made so has constructors of the host's, one of which may do.
    fn note_host_constructor(&mut self, holds: bool, made: TyId) {
        let Some(r) = self.p.types.as_record(made).filter(|_| !holds && !self.reads_host()) else { return };
        self.decls.host_missed += u32::from(self.decls[r].host.constructor);
        self.note_host_class(r);
    }

    fn is_constructible(&mut self, made: RTy, args: &[RTy], span: Span) -> bool {
        if let Some(known) = self.copies_itself(made, args) {
            return known;
        }
        let probes: Vec<ExprId> = args.iter().map(|&a| self.declval(a, span)).collect();
        let Some(r) = self.p.types.as_record(made.ty) else {
            let is_object = !matches!(self.p.types.get(made.ty), Ty::Reference { .. } | Ty::Function(_));
            return match probes[..] {
                [] => is_object && made.ty != TyId::VOID,
                [e] => {
                    made.ty != TyId::VOID
                        && (self.rank(e, made.ty).is_some()
                            || is_object && self.explicitly_converted(e, made.ty).is_some()
                            || self.explicitly_referred(e, made.ty).is_some())
                }
                _ => false,
            };
        };
        if let ([e], Some(uint3)) = (&probes[..], self.uint3_of(r))
            && self.rank(*e, uint3).is_some()
        {
            return true;
        }
        if probes.is_empty() && (!self.decls[r].has_ctor || self.default_constructor(r).is_some()) {
            return true;
        }
        // Of an object of the class what copies or moves those.
        if let ([e], [a]) = (&probes[..], args)
            && self.own_object(made.ty, *a).is_some()
        {
            let by = self.copier(r, *e, true);
            return self.copies_exist(r, by, false) && !self.hides_destructor(r);
        }
        // What the class declares is asked first: it may be deleted.
        let entities = self.constructors(r, true);
        let object = self.rv(ExprKind::ZeroInit, made.ty, span);
        let args: Vec<Arg> = probes.iter().copied().map(Arg::Expr).collect();
        match self.resolve_ranked(&entities, Some(object), &args) {
            Some((f, _)) => self.is_usable(f) && !self.hides_destructor(r),
            None => matches!(probes[..], [e] if self.rank(e, made.ty).is_some()) || self.takes_values(r, &probes),
        }
    }

    /// Whether a function is neither deleted nor for its class alone.
    fn is_usable(&mut self, f: super::FnId) -> bool {
        self.decls[f].body != BodySource::Deleted && !self.is_hidden_function(f)
    }

    /// Whether what was chosen to copy or assign an object of a class does.
    fn copies_exist(&mut self, r: RecordId, by: Copier, assigned: bool) -> bool {
        match by {
            Copier::Declared(f) => self.is_usable(f),
            Copier::Provided(takes) => {
                let moves = matches!(self.p.types.get(takes), Ty::Reference { rvalue: true, .. });
                let s = self.specials(r);
                s.is_none_or(|s| if assigned { s.assigning(moves) } else { s.copying(moves) }.exists())
            }
            Copier::Ambiguous | Copier::Missing => false,
        }
    }

    fn is_aggregate(&self, ty: TyId) -> bool {
        self.p.types.as_record(ty).is_some_and(|r| self.is_aggregate_class(r))
    }

    /// Whether an aggregate is made of values in parentheses (C++20, 9.4.2p16.6.2.2).
    fn takes_values(&mut self, r: crate::types::RecordId, values: &[ExprId]) -> bool {
        let rec = self.p.types.record(r);
        if values.is_empty() || rec.is_union || !self.is_20() || !self.is_aggregate_class(r) {
            return false;
        }
        let rec = self.p.types.record(r);
        let bases: Vec<_> = rec.bases.iter().map(|b| b.record).collect();
        let named = rec.fields.iter().enumerate().filter(|(_, f)| f.name.is_some() || f.bits.is_none());
        let fields: Vec<(usize, TyId)> = named.map(|(i, f)| (i, f.ty)).collect();
        let mut parts: Vec<(bool, TyId)> = Vec::new();
        for b in bases {
            parts.push((false, self.p.types.intern(Ty::Record(b))));
        }
        let has_init = |i: usize| self.decls[r].inits.get(i).is_some_and(Option::is_some);
        parts.extend(fields.into_iter().map(|(i, t)| (has_init(i), t)));
        if values.len() > parts.len() {
            return false;
        }
        let (given, left_out) = parts.split_at(values.len());
        given.iter().zip(values).all(|(&(_, t), &v)| self.rank(v, t).is_some())
            && left_out.iter().all(|&(has_init, t)| {
                has_init
                    || !matches!(self.p.types.get(t), Ty::Reference { .. })
                        && self.specials_of(t).is_none_or(|s| s.default_constructor.exists())
            })
    }

    fn has_assignment_templates(&self, r: RecordId) -> bool {
        let Some(sym) = self.sess.strings.get("operator=") else { return false };
        self.decls.bound(self.decls[r].scope, sym).iter().any(|e| !matches!(e, super::Entity::Fn(_)))
    }

    fn is_assignable(&mut self, to: RTy, from: RTy, span: Span) -> bool {
        let (target, value) = (self.declval(to, span), self.declval(from, span));
        let ty = self.ty(target);
        let Some(r) = self.p.types.as_record(ty) else {
            let lasts = self.is_lv(target) && !self.is_xvalue(target);
            return lasts && !self.e(target).quals.is_const() && self.rank(value, ty).is_some();
        };
        // What the compiler provides assigns to no object that is `const` or `volatile`.
        let plain = self.e(target).quals == Quals::NONE;
        if let Some(s) = self.specials(r)
            && plain
            && let Some(moves) = self.own_object(ty, from)
            && !self.has_assignment_templates(r)
        {
            let declared = self.declared_assignments(r);
            return s.assigning(moves).exists() && !self.hides_copy(r, &declared, moves);
        }
        let by = self.assignment(r, target, Arg::Expr(value));
        (plain || matches!(by, Copier::Declared(_))) && self.copies_exist(r, by, true)
    }
}
