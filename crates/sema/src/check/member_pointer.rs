//! Pointers to members (C++17, 11.3.3 and 8.5).
//!
//! As a value each is 64 bits. One to a data member is the member's offset, and -1 if it is null, as in the Itanium ABI.
//! One to a member function is a pointer to a function that takes the object's address first, null being 0; its upper half
//! holds what is added to that address, which is not 0 where the function is a base's that does not stand first. A virtual
//! function's is its [dispatcher](super::class::Virtuals).

use super::call::Arg;
use super::convert::Why;
use super::{Checker, Entity, FnId};
use crate::program::{BinaryOp, CastKind, CompareOp, ExprId, ExprKind};
use crate::types::{AddrSpace, FnTy, OperatorName, Quals, RecordId, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast;

/// Where the offset for the object begins in a pointer to a member function.
const OFFSET_BIT: u32 = 32;

impl Checker<'_> {
    /// `&C::member`, if that is what is written.
    pub(crate) fn member_address(&mut self, operand: ast::ExprId, span: Span) -> Option<ExprId> {
        let ast::ExprKind::Name(n) = self.ast[operand].kind else { return None };
        if self.ast[n].qualifier.is_empty() {
            return None;
        }
        let mark = self.sess.diagnostics.len();
        let found = self.find_name(n);
        self.sess.diagnostics.truncate(mark);
        let found = found?;
        match (*found.entities.first()?, &found.entities[..]) {
            (Entity::Field(class, field), _) => {
                let f = &self.p.types.record(class).fields[field as usize];
                let (mut offset, pointee, quals, is_bits) = (f.offset, f.ty, f.quals, f.bits.is_some());
                if is_bits {
                    self.error("E0419", span, "address of bit-field requested");
                    return Some(self.err(span));
                }
                // What an anonymous union or structure has is a member of the class around it.
                let named = found.record.unwrap_or(class);
                if named != class {
                    let path = self.field_path(named, self.last_symbol(n)?)?;
                    offset = path.iter().map(|&(r, f)| self.p.types.record(r).fields[f as usize].offset).sum();
                }
                let class = self.p.types.intern(Ty::Record(named));
                let ty = self.p.types.intern(Ty::MemberPointer { class, pointee, quals });
                Some(self.rv(ExprKind::Int(offset), ty, span))
            }
            (Entity::Fn(f), [_]) if self.is_member(f) => Some(self.member_function_address(f, span)),
            (Entity::Template(t), [_]) => {
                let list = self.ast[n].args?;
                let f = self.explicit_instance(t, list)?;
                self.is_member(f).then(|| self.member_function_address(f, span))
            }
            _ => None,
        }
    }

    pub(crate) fn is_member(&self, f: FnId) -> bool {
        self.decls[f].record.is_some() && !self.decls[f].is_static
    }

    /// The type of a pointer to a member function.
    fn member_function_type(&mut self, f: FnId, class: RecordId) -> TyId {
        let of = self.fn_type_of(f);
        let pointee = self.p.types.intern(Ty::Function(of));
        let class = self.p.types.intern(Ty::Record(class));
        self.p.types.intern(Ty::MemberPointer { class, pointee, quals: Quals::NONE })
    }

    pub(crate) fn member_function_address(&mut self, f: FnId, span: Span) -> ExprId {
        let Some(class) = self.decls[f].record else { return self.err(span) };
        let callee = self.dispatcher_for(f, None).unwrap_or(f);
        if callee == f {
            self.need(f);
        }
        let ty = self.member_function_type(f, class);
        let of = self.decls[callee].record.unwrap_or(class);
        let offset = if of == class { 0 } else { self.base_offset(class, of).unwrap_or(0) };
        let id = self.func_id(callee);
        let v = self.rv(ExprKind::FuncAddr(id), ty, span);
        self.moved_function(v, offset, ty)
    }

    /// The overload of a member function that a pointer of type `to` can point to.
    pub(crate) fn overloaded_member(&mut self, entities: &[Entity], to: TyId, span: Span) -> Option<ExprId> {
        let fits = |c: &mut Self, f: FnId| {
            let class = c.decls[f].record.filter(|_| c.is_member(f))?;
            let ty = c.member_function_type(f, class);
            (c.quieter_member(ty, to) == to).then_some(f)
        };
        let all: Vec<FnId> =
            entities.iter().filter_map(|e| if let Entity::Fn(f) = e { Some(*f) } else { None }).collect();
        let f = all.into_iter().find_map(|f| fits(self, f))?;
        Some(self.member_function_address(f, span))
    }

    // ---- conversions -------------------------------------------------------------------------------------------------

    /// How far a base's members lie in the class that a pointer to members converts to (C++17, 7.12).
    pub(crate) fn member_conversion(&mut self, from: TyId, to: TyId) -> Option<u32> {
        let from = self.quieter_member(from, to);
        let Ty::MemberPointer { class: b, pointee: p, quals: q } = *self.p.types.get(from) else { return None };
        let Ty::MemberPointer { class: d, pointee: r, quals: s } = *self.p.types.get(to) else { return None };
        if p != r || !s.has(q) {
            return None;
        }
        if b == d {
            return Some(0);
        }
        let (b, d) = (self.p.types.as_record(b)?, self.p.types.as_record(d)?);
        self.base_offset(d, b)
    }

    /// A pointer to a member of a base as one to a member of the class whose part that is.
    pub(crate) fn member_of_derived(&mut self, v: ExprId, offset: u32, to: TyId) -> ExprId {
        let span = self.span(v);
        if self.points_to_function(to) {
            return self.moved_function(v, offset, to);
        }
        match self.e(v).kind {
            ExprKind::Int(n) if n != u64::MAX => self.rv(ExprKind::Int(n + u64::from(offset)), to, span),
            _ if offset == 0 => self.rv(ExprKind::Cast { kind: CastKind::NoOp, operand: v }, to, span),
            _ => self.moved(v, i128::from(offset), -1, to),
        }
    }

    fn moved_function(&mut self, v: ExprId, offset: u32, to: TyId) -> ExprId {
        let span = self.span(v);
        match self.e(v).kind {
            ExprKind::FuncAddr(f) if offset == 0 => self.rv(ExprKind::FuncAddr(f), to, span),
            _ if offset == 0 => self.rv(ExprKind::Cast { kind: CastKind::NoOp, operand: v }, to, span),
            _ => self.moved(v, i128::from(offset) << OFFSET_BIT, 0, to),
        }
    }

    /// A number that is used several times: what stores it into a local, and loads of that.
    fn kept<const N: usize>(&mut self, bits: ExprId) -> (ExprId, [ExprId; N]) {
        let span = self.span(bits);
        let l = self.new_local(None, TyId::LONG, Quals::NONE, span);
        let place = self.local_place(l, span);
        let first = self.store(place, bits, span);
        let loads = std::array::from_fn(|_| {
            let place = self.local_place(l, span);
            self.rv(ExprKind::Load(place), TyId::LONG, span)
        });
        (first, loads)
    }

    /// `v == null ? v : v + by`, by way of a local.
    fn moved(&mut self, v: ExprId, by: i128, null: i128, to: TyId) -> ExprId {
        let span = self.span(v);
        let bits = self.member_bits(v);
        let (first, [a, b, same]) = self.kept(bits);
        let null = self.int(null, TyId::LONG, span);
        let cond = self.compare(CompareOp::Eq, a, null, TyId::BOOL, span);
        let by = self.int(by, TyId::LONG, span);
        let sum = self.rv(ExprKind::Binary { op: BinaryOp::Add, lhs: b, rhs: by }, TyId::LONG, span);
        let v = self.rv(ExprKind::Cond { cond, then: same, other: sum }, TyId::LONG, span);
        let v = self.rv(ExprKind::Comma { lhs: first, rhs: v }, TyId::LONG, span);
        self.rv(ExprKind::Cast { kind: CastKind::NoOp, operand: v }, to, span)
    }

    /// The null pointer of a type of pointers to members.
    pub(crate) fn null_member(&mut self, ty: TyId, span: Span) -> ExprId {
        let bits = if self.points_to_function(ty) { 0 } else { u64::MAX };
        self.rv(ExprKind::Int(bits), ty, span)
    }

    pub(crate) fn points_to_function(&self, ty: TyId) -> bool {
        matches!(*self.p.types.get(ty), Ty::MemberPointer { pointee, .. }
            if matches!(self.p.types.get(pointee), Ty::Function(_)))
    }

    fn member_bits(&mut self, v: ExprId) -> ExprId {
        let span = self.span(v);
        self.rv(ExprKind::Cast { kind: CastKind::NoOp, operand: v }, TyId::LONG, span)
    }

    /// Whether a pointer to a member is not null.
    pub(crate) fn member_condition(&mut self, v: ExprId) -> ExprId {
        let (ty, span) = (self.ty(v), self.span(v));
        let null = self.null_member(ty, span);
        self.member_comparison(CompareOp::Ne, v, null, TyId::BOOL, span)
    }

    /// `==` or `!=` of two pointers to members of one type.
    pub(crate) fn member_comparison(&mut self, op: CompareOp, a: ExprId, b: ExprId, ty: TyId, span: Span) -> ExprId {
        let (a, b) = (self.member_bits(a), self.member_bits(b));
        self.compare(op, a, b, ty, span)
    }

    // ---- use ---------------------------------------------------------------------------------------------------------

    /// The object's address for a pointer to a member of its class or a base, and the type of the object's place.
    fn member_base(
        &mut self,
        arrow: bool,
        object: ExprId,
        pm: ExprId,
        span: Span,
    ) -> Option<(ExprId, Quals, AddrSpace)> {
        let Ty::MemberPointer { class, .. } = *self.p.types.get(self.ty(pm)) else {
            if !self.is_err(pm) {
                let name = self.show(self.ty(pm));
                let message = format!("the right operand is a `{name}`, not a pointer to a member");
                self.error("E0322", span, message);
            }
            return None;
        };
        let place = if arrow {
            let p = self.scalar_operand(object);
            if !self.p.types.is_pointer(self.ty(p)) {
                let name = self.show(self.ty(p));
                self.error("E0432", span, format!("member reference type `{name}` is not a pointer"));
                return None;
            }
            self.deref(p, span)
        } else {
            self.place(object)
        };
        let x = *self.e(place);
        let (own, wanted) = (self.p.types.as_record(x.ty), self.p.types.as_record(class)?);
        let place = match own {
            Some(own) if own == wanted => place,
            Some(own) => match self.base_offset(own, wanted) {
                Some(o) => self.base_place(place, class, o),
                None => return self.other_class(x.ty, class, span),
            },
            None => return self.other_class(x.ty, class, span),
        };
        Some((self.address(place), x.quals, x.space))
    }

    fn other_class<T>(&mut self, have: TyId, want: TyId, span: Span) -> Option<T> {
        let (have, want) = (self.show(have), self.show(want));
        self.error("E0322", span, format!("a pointer to a member of `{want}` does not fit an object of type `{have}`"));
        None
    }

    /// `object.*pm`, `pointer->*pm`.
    pub(crate) fn member_access(&mut self, arrow: bool, object: ExprId, pm: ExprId, span: Span) -> ExprId {
        let pm = self.scalar_operand(pm);
        // A member of an object that may be taken apart may be, too.
        let lasts = arrow || self.is_lv(object) && !self.is_xvalue(object);
        let Some((base, quals, space)) = self.member_base(arrow, object, pm, span) else { return self.err(span) };
        let Ty::MemberPointer { pointee, quals: own, .. } = *self.p.types.get(self.ty(pm)) else {
            return self.err(span);
        };
        if self.points_to_function(self.ty(pm)) {
            self.report(
                Diagnostic::error("E0431", span, "reference to a member function must be called")
                    .help("put `()` after it, and parentheses around: `(object.*pointer)()`"),
            );
            return self.err(span);
        }
        let offset = self.member_bits(pm);
        let at = self.moved_address(base, offset, quals, space);
        let to = self.p.types.pointer(pointee, quals.with(own), space);
        let at = self.pointer_cast(at, to);
        let member = self.deref(at, span);
        if !lasts {
            self.cx.xvalues.insert(member);
        }
        member
    }

    fn moved_address(&mut self, base: ExprId, bytes: ExprId, quals: Quals, space: AddrSpace) -> ExprId {
        let span = self.span(base);
        let chars = self.p.types.pointer(TyId::CHAR, quals, space);
        let ptr = self.pointer_cast(base, chars);
        self.rv(ExprKind::PtrOffset { ptr, index: bytes, negative: false }, chars, span)
    }

    /// `(object.*pm)(args)`, `(pointer->*pm)(args)`.
    pub(crate) fn call_member_pointer(
        &mut self,
        (op, l, r): (ast::BinaryOp, ast::ExprId, ast::ExprId),
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let object = self.expr(l);
        let pm = self.expr(r);
        let pm = self.rvalue(pm);
        let given = self.args(args);
        if self.is_err(object) || self.is_err(pm) {
            return self.err(span);
        }
        if op == ast::BinaryOp::ArrowStar
            && self.p.types.as_record(self.ty(object)).is_some()
            && let Some(v) = self.user_operator(OperatorName::ArrowStar, &[object, pm], span)
        {
            return self.call_value(v, &given, span);
        }
        let pm = self.scalar_operand(pm);
        if !self.points_to_function(self.ty(pm)) {
            let v = self.member_access(op == ast::BinaryOp::ArrowStar, object, pm, span);
            return self.call_value(v, &given, span);
        }
        let Some((base, quals, space)) = self.member_base(op == ast::BinaryOp::ArrowStar, object, pm, span) else {
            return self.err(span);
        };
        let Ty::MemberPointer { class, pointee, .. } = *self.p.types.get(self.ty(pm)) else {
            return self.err(span);
        };
        let Ty::Function(f) = self.p.types.get(pointee).clone() else { return self.err(span) };
        let (this_quals, ref_qual) = (f.quals, f.ref_qual);
        if given.len() != f.params.len() {
            let message = format!("this call takes {} arguments, {} given", f.params.len(), given.len());
            self.error("E0438", span, message);
            return self.err(span);
        }
        if !this_quals.has(quals.without(Quals::RESTRICT)) {
            self.error("E0440", span, "the object is const, and the member function that is pointed to is not");
            return self.err(span);
        }
        let lasts = op == ast::BinaryOp::ArrowStar || self.is_lv(object) && !self.is_xvalue(object);
        if match ref_qual {
            ast::RefQual::None => false,
            ast::RefQual::Lvalue => !lasts && !this_quals.is_const(),
            ast::RefQual::Rvalue => lasts,
        } {
            let what = if lasts { "temporary objects (`&&`)" } else { "objects that last (`&`)" };
            self.error("E0440", span, format!("the member function that is pointed to is for {what}"));
            return self.err(span);
        }
        let generic = self.default_space();
        let this_ty = self.p.types.pointer(class, this_quals, generic);
        let (target, base) = self.split_member(pm, base, (class, quals, space));
        let mut list = vec![self.pointer_cast(base, this_ty)];
        for (a, &p) in given.iter().zip(f.params.iter()) {
            list.push(self.member_argument(*a, p));
        }
        if list.iter().any(|&e| self.is_err(e)) {
            return self.err(span);
        }
        let params: Box<[TyId]> = std::iter::once(this_ty).chain(f.params.iter().copied()).collect();
        let of = self.p.types.intern(Ty::Function(FnTy::plain(f.ret, params, f.variadic)));
        let to = self.p.types.pointer(of, Quals::NONE, AddrSpace::Generic);
        let callee = self.rv(ExprKind::Cast { kind: CastKind::NoOp, operand: target }, to, span);
        let args = self.expr_list(&list);
        self.call_result(ExprKind::CallPtr { callee, args }, f.ret, span)
    }

    fn member_argument(&mut self, a: Arg, to: TyId) -> ExprId {
        match a {
            Arg::Expr(e) => self.implicit(e, to, Why::Arg),
            a => self.convert_arg(a, to),
        }
    }

    /// The function that a pointer to a member function points to, as a number, and the address of the object for it.
    fn split_member(&mut self, pm: ExprId, base: ExprId, of: (TyId, Quals, AddrSpace)) -> (ExprId, ExprId) {
        let span = self.span(pm);
        let bits = self.member_bits(pm);
        let (class, quals, space) = of;
        let has_bases = self.p.types.as_record(class).is_some_and(|r| !self.p.types.record(r).bases.is_empty());
        if !has_bases || matches!(self.e(pm).kind, ExprKind::FuncAddr(_)) {
            // Only members of bases lie further on.
            return (bits, base);
        }
        let (first, [a, b]) = self.kept(bits);
        let mask = self.int((1 << OFFSET_BIT) - 1, TyId::LONG, span);
        let number = self.rv(ExprKind::Binary { op: BinaryOp::And, lhs: a, rhs: mask }, TyId::LONG, span);
        let number = self.rv(ExprKind::Comma { lhs: first, rhs: number }, TyId::LONG, span);
        let by = self.int(i128::from(OFFSET_BIT), TyId::LONG, span);
        let offset = self.rv(ExprKind::Binary { op: BinaryOp::Shr, lhs: b, rhs: by }, TyId::LONG, span);
        (number, self.moved_address(base, offset, quals, space))
    }
}
