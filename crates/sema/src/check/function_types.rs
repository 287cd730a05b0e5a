//! Types of functions: what they promise (`noexcept`, part of the type since C++17), types of member functions with
//! qualifiers, and the conversions that take a promise away (C++17, 7.13).

use super::{Checker, FnId};
use crate::types::{FnTy, Promise, Ty, TyId};
use source::Span;
use syntax::ast::Noexcept;

impl Checker<'_> {
    /// Whether `noexcept` is part of a function's type.
    fn has_promises(&self) -> bool {
        self.opts.dialect.cplusplus().is_some_and(|v| v >= 201_703)
    }

    /// What `noexcept` behind the parameters of a function type says.
    pub(crate) fn promise(&mut self, spec: Noexcept) -> Promise {
        match spec {
            Noexcept::None => Promise::None,
            _ if !self.has_promises() => Promise::None,
            Noexcept::Yes => Promise::Noexcept,
            Noexcept::Expr(e) => match self.dependent_const(e) {
                Some(n) => Promise::When(Box::new(n)),
                None if self.is_true(e) => Promise::Noexcept,
                None => Promise::None,
            },
        }
    }

    /// The type of a function; of a member function that has qualifiers with these.
    pub(crate) fn fn_type_of(&mut self, f: FnId) -> FnTy {
        let d = &self.decls[f];
        let params = d.params.iter().map(|p| p.ty).collect();
        let (ret, variadic, quals, ref_qual) = (d.ret, d.variadic, d.this_quals, d.ref_qual);
        let promises = self.has_promises() && !self.function_may_throw(f, 0);
        let promise = if promises { Promise::Noexcept } else { Promise::None };
        FnTy { ret, params, variadic, quals, ref_qual, promise }
    }

    /// Says that there is no pointer or reference to a type, which is a member function's with qualifiers.
    pub(crate) fn refuse_qualified(&mut self, ty: TyId, span: Span, what: &str) -> bool {
        let qualified = matches!(self.p.types.get(ty), Ty::Function(f) if !f.is_referenceable());
        if qualified {
            let name = self.show(ty);
            self.error("E0321", span, format!("{what} to `{name}`, the type of member functions with qualifiers"));
        }
        qualified
    }

    /// A function's type for a place that takes functions of type `to`: without its promise where `to` has none.
    pub(crate) fn quieter_function(&mut self, from: TyId, to: TyId) -> TyId {
        let (Ty::Function(f), Ty::Function(t)) = (self.p.types.get(from), self.p.types.get(to)) else { return from };
        if f.promise == t.promise || t.promise != Promise::None {
            return from;
        }
        let f = FnTy { promise: Promise::None, ..f.clone() };
        self.p.types.intern(Ty::Function(f))
    }

    /// The same of the types of pointers to functions.
    pub(crate) fn quieter_pointer(&mut self, from: TyId, to: TyId) -> TyId {
        let Ty::Pointer { pointee, quals, space } = *self.p.types.get(from) else { return from };
        let Ty::Pointer { pointee: wanted, .. } = *self.p.types.get(to) else { return from };
        let pointee = self.quieter_function(pointee, wanted);
        self.p.types.intern(Ty::Pointer { pointee, quals, space })
    }

    /// The same of the types of pointers to member functions.
    pub(crate) fn quieter_member(&mut self, from: TyId, to: TyId) -> TyId {
        let Ty::MemberPointer { class, pointee, quals } = *self.p.types.get(from) else { return from };
        let Ty::MemberPointer { pointee: wanted, .. } = *self.p.types.get(to) else { return from };
        let pointee = self.quieter_function(pointee, wanted);
        self.p.types.intern(Ty::MemberPointer { class, pointee, quals })
    }
}
