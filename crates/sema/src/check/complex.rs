//! C's complex numbers, `_Complex` (C11 6.2.5 and annex G; GNU C's `__real__`, `__imag__` and `~`): records of two numbers whose
//! operators are taken apart here, so that lowering knows nothing of them.
//!
//! Real operands stay real, as annex G has it: `2 * z` is two products. A product of two complex numbers that comes out as not a
//! number is computed again by [`PRODUCT`], which finds the infinities of annex G, and a quotient always by [`QUOTIENT`]; a text
//! that does not have these functions gets the plain formulas.

use source::Span;
use syntax::ast::{BinaryOp as B, UnaryOp as U};

use super::call::Arg;
use super::convert::Why;
use super::ops::arith_op;
use super::{Checker, Entity, ScopeId};
use crate::program::{BinaryOp, CompareOp, ExprId, ExprKind, InitElem, ListId, LocalId, UnaryOp};
use crate::types::{AddrSpace, Field, NameId, NameKind, Quals, TyId};

/// `T _Complex f(T, T, T, T)`: the product of two complex numbers given by their parts, of `double` and of `float`.
const PRODUCT: [&str; 2] = ["__unspool_complex_product", "__unspool_complex_productf"];
/// The same of quotients.
const QUOTIENT: [&str; 2] = ["__unspool_complex_quotient", "__unspool_complex_quotientf"];

/// An operand taken apart.
struct Parts {
    re: ExprId,
    /// None of real operands.
    im: Option<ExprId>,
}

/// What is evaluated, in order, before a value that is made of parts.
#[derive(Default)]
pub(super) struct Before(Vec<ExprId>);

impl Before {
    /// Another expression, after the others.
    pub(super) fn push(&mut self, e: ExprId) {
        self.0.push(e);
    }
}

impl Checker<'_> {
    /// The complex type whose parts are of type `elem`, made on first use.
    pub(crate) fn complex_of(&mut self, elem: TyId) -> TyId {
        if let Some(&t) = self.decls.complex.get(&elem) {
            return t;
        }
        let name = self.sess.intern(if elem == TyId::FLOAT { "float _Complex" } else { "double _Complex" });
        let path = self.p.types.child_name(NameId::ROOT, NameKind::Type(name));
        let ty = self.new_record(path, false, Span::NONE, ScopeId(0));
        let size = self.p.types.size_of(elem).unwrap_or(8);
        if let Some(r) = self.p.types.as_record(ty) {
            for (i, part) in ["re", "im"].into_iter().enumerate() {
                let name = Some(self.sess.intern(part));
                let offset = size * i as u64;
                let (quals, span) = (Quals::NONE, Span::NONE);
                let field = Field { name, ty: elem, quals, mutable: false, offset, bits: None, span };
                self.p.types.records[r.0 as usize].fields.push(field);
            }
            let record = &mut self.p.types.records[r.0 as usize];
            (record.size, record.data_size, record.align) = (2 * size, 2 * size, size as u32);
            (record.empty, record.complete) = (false, true);
            self.decls[r].complex = Some(elem);
            // Braces around one are those around a scalar: there are no members to go through.
            self.decls[r].has_ctor = true;
        }
        self.decls.complex.insert(elem, ty);
        ty
    }

    /// The type of a complex number's parts, if a type is one.
    pub(crate) fn complex_parts(&self, ty: TyId) -> Option<TyId> {
        let r = self.p.types.as_record(ty)?;
        self.decls[r].complex
    }

    /// The type of a complex operand's parts; `None` of others.
    pub(crate) fn complex_operand(&mut self, e: ExprId) -> Option<TyId> {
        if self.decls.complex.is_empty() {
            return None;
        }
        let ty = self.value_ty(e);
        self.complex_parts(ty)
    }

    /// The common type of two operands, one of them complex.
    pub(crate) fn complex_common(&mut self, a: TyId, b: TyId) -> Option<TyId> {
        let (x, y) = (self.complex_parts(a), self.complex_parts(b));
        if x.is_none() && y.is_none() {
            return None;
        }
        let (x, y) = (x.unwrap_or(a), y.unwrap_or(b));
        if !self.p.types.is_arithmetic(x) || !self.p.types.is_arithmetic(y) {
            return None;
        }
        let elem = self.common_arithmetic(x, y);
        Some(self.complex_of(elem))
    }

    /// A number with the imaginary unit behind it.
    pub(crate) fn imaginary(&mut self, im: ExprId, span: Span) -> ExprId {
        let elem = if self.ty(im) == TyId::FLOAT { TyId::FLOAT } else { TyId::DOUBLE };
        let re = self.zero(elem, span);
        let im = self.arith_cast(im, elem);
        self.complex_value(re, im, span)
    }

    /// The complex number with these parts, which have one type.
    pub(crate) fn complex_value(&mut self, re: ExprId, im: ExprId, span: Span) -> ExprId {
        if self.is_err(re) || self.is_err(im) {
            return self.err(span);
        }
        let elem = self.ty(re);
        let ty = self.complex_of(elem);
        let size = self.p.types.size_of(elem).unwrap_or(8);
        let start = self.p.init_pool.len() as u32;
        for (offset, value) in [(0, re), (size, im)] {
            self.p.init_pool.push(InitElem { offset, bits: None, value, repeat: 1 });
        }
        self.rv(ExprKind::Aggregate { elems: ListId { start, len: 2 }, zero_fill: false }, ty, span)
    }

    /// `__builtin_complex(re, im)`: what `CMPLX` stands for.
    pub(crate) fn made_complex(&mut self, args: &[Arg], span: Span) -> ExprId {
        let [Arg::Expr(re), Arg::Expr(im)] = *args else {
            self.error("E0438", span, format!("`__builtin_complex` takes 2 values, {} given", args.len()));
            return self.err(span);
        };
        let (re, im) = (self.rvalue(re), self.rvalue(im));
        let ty = self.ty(re);
        if !self.is_err(re) && !self.is_err(im) && (!self.p.types.is_float(ty) || ty != self.ty(im)) {
            self.error("E0460", span, "`__builtin_complex` takes two values of one floating type");
            return self.err(span);
        }
        self.complex_value(re, im, span)
    }

    /// A conversion to or from a complex type; `None` where neither is one.
    pub(crate) fn complex_conversion(&mut self, e: ExprId, to: TyId, span: Span) -> Option<ExprId> {
        if self.decls.complex.is_empty() {
            return None;
        }
        let from = self.value_ty(e);
        if from == to {
            return None;
        }
        if let Some(elem) = self.complex_parts(to) {
            let inner = self.complex_parts(from).unwrap_or(from);
            if !self.p.types.is_arithmetic(inner) {
                return None;
            }
            let mut before = Before::default();
            let p = self.take_apart(e, elem, &mut before);
            let im = match p.im {
                Some(im) => im,
                None => self.zero(elem, span),
            };
            let v = self.complex_value(p.re, im, span);
            return Some(self.after(before, v, span));
        }
        let elem = self.complex_parts(from)?;
        if to == TyId::BOOL {
            return Some(self.complex_condition(e, elem));
        }
        if !self.p.types.is_arithmetic(to) {
            return None;
        }
        let mut before = Before::default();
        let p = self.take_apart(e, elem, &mut before);
        let re = self.arith_cast(p.re, to);
        Some(self.after(before, re, span))
    }

    /// Whether a complex number is not 0.
    pub(crate) fn complex_condition(&mut self, e: ExprId, elem: TyId) -> ExprId {
        let span = self.span(e);
        let mut before = Before::default();
        let p = self.take_apart(e, elem, &mut before);
        let zero = self.zero(elem, span);
        let lhs = self.compare(CompareOp::Ne, p.re, zero, TyId::BOOL, span);
        let rhs = self.compare(CompareOp::Ne, p.im.unwrap_or(zero), zero, TyId::BOOL, span);
        let v = self.rv(ExprKind::LogOr { lhs, rhs }, TyId::BOOL, span);
        self.after(before, v, span)
    }

    /// A binary operator with a complex operand; `None` where neither is, or where complex numbers have none such.
    pub(crate) fn complex_binary(&mut self, op: B, l: ExprId, r: ExprId, span: Span) -> Option<ExprId> {
        if self.decls.complex.is_empty() {
            return None;
        }
        let (a, b) = (self.value_ty(l), self.value_ty(r));
        let ty = self.complex_common(a, b)?;
        let elem = self.complex_parts(ty)?;
        let mut before = Before::default();
        let l = self.take_apart(l, elem, &mut before);
        let r = self.take_apart(r, elem, &mut before);
        let v = match op {
            B::Eq | B::Ne => self.complex_equal(op, &l, &r, elem, span),
            B::Add | B::Sub => self.complex_sum(op, &l, &r, elem, span),
            B::Mul => self.complex_product(&l, &r, elem, &mut before, span),
            B::Div => self.complex_quotient(&l, &r, elem, &mut before, span),
            _ => return None,
        };
        Some(self.after(before, v, span))
    }

    /// `l op= r` where either is complex.
    pub(crate) fn complex_assign(&mut self, op: B, l: ExprId, r: ExprId, span: Span) -> Option<ExprId> {
        let (a, b) = (self.ty(l), self.value_ty(r));
        self.complex_common(a, b)?;
        arith_op(op)?;
        // The place is found once.
        let mut before = Before::default();
        let place = self.once(l, &mut before);
        let value = self.complex_binary(op, place, r, span)?;
        let value = self.implicit(value, a, Why::Assign);
        let stored = self.store(place, value, span);
        Some(self.after(before, stored, span))
    }

    /// `++` and `--`, which count the real part.
    pub(crate) fn complex_step(&mut self, e: ExprId, increment: bool, prefix: bool, span: Span) -> Option<ExprId> {
        let elem = self.complex_parts(self.ty(e))?;
        let mut before = Before::default();
        let place = self.once(e, &mut before);
        let old = self.rvalue(place);
        let old = self.hold(old, &mut before);
        let one = self.int(1, TyId::INT, span);
        let one = self.arith_cast(one, elem);
        let from = self.local_place(old, span);
        let value = self.complex_binary(if increment { B::Add } else { B::Sub }, from, one, span)?;
        let stored = self.store(place, value, span);
        let v = if prefix {
            stored
        } else {
            before.0.push(stored);
            self.rvalue(from)
        };
        Some(self.after(before, v, span))
    }

    /// `+`, `-` and `~` (the conjugate) of a complex number.
    pub(crate) fn complex_unary(&mut self, op: U, e: ExprId, span: Span) -> Option<ExprId> {
        let elem = self.complex_operand(e)?;
        let mut before = Before::default();
        let p = self.take_apart(e, elem, &mut before);
        let (mut re, mut im) = (p.re, p.im?);
        if op == U::Minus {
            re = self.unary(UnaryOp::Neg, re, elem, span);
        }
        if matches!(op, U::Minus | U::BitNot) {
            im = self.unary(UnaryOp::Neg, im, elem, span);
        }
        let v = self.complex_value(re, im, span);
        Some(self.after(before, v, span))
    }

    /// `__real__ e` and `__imag__ e`: of a place a place. A real number is its real part.
    pub(crate) fn complex_part(&mut self, op: U, e: ExprId, span: Span) -> ExprId {
        let ty = self.value_ty(e);
        let field = u32::from(op == U::Imag);
        match self.complex_parts(ty) {
            Some(elem) => {
                let place = self.place(e);
                let part = self.part_place(place, field, elem);
                if self.is_lv(e) { part } else { self.rvalue(part) }
            }
            None if self.is_err(e) => e,
            None if !self.p.types.is_arithmetic(ty) => {
                let name = self.show(ty);
                self.error("E0414", span, format!("`{name}` has no real and no imaginary part"));
                self.err(span)
            }
            None if op == U::Real => e,
            None => {
                let v = self.zero(ty, span);
                self.comma(e, v, span)
            }
        }
    }

    // ---- parts -------------------------------------------------------------------------------------------------

    /// The place of a part of a complex number's place.
    fn part_place(&mut self, place: ExprId, field: u32, elem: TyId) -> ExprId {
        let x = *self.e(place);
        let Some(record) = self.p.types.as_record(x.ty) else { return place };
        self.lv(ExprKind::Field { base: place, record, field }, elem, x.quals, x.space, x.span)
    }

    /// A value in a new local.
    fn hold(&mut self, value: ExprId, before: &mut Before) -> LocalId {
        let (ty, span) = (self.ty(value), self.span(value));
        let local = self.new_local(None, ty, Quals::NONE, span);
        let kind = ExprKind::Materialize { local, init: value };
        before.0.push(self.lv(kind, ty, Quals::NONE, AddrSpace::Private, span));
        local
    }

    /// A place whose address is computed before.
    fn once(&mut self, place: ExprId, before: &mut Before) -> ExprId {
        if !self.is_lv(place) || matches!(self.e(place).kind, ExprKind::Local(_) | ExprKind::Global(_)) {
            return place;
        }
        let x = *self.e(place);
        let address = self.address(place);
        let local = self.hold(address, before);
        let pointer = self.local_place(local, x.span);
        let pointer = self.rvalue(pointer);
        self.deref(pointer, x.span)
    }

    /// The parts of an operand, of type `elem`, which may be read any number of times.
    fn take_apart(&mut self, e: ExprId, elem: TyId, before: &mut Before) -> Parts {
        let x = *self.e(e);
        let own = self.complex_operand(e);
        let Some(own) = own else {
            let v = self.rvalue(e);
            let v = self.arith_cast(v, elem);
            let re = self.reusable(v, before);
            return Parts { re, im: None };
        };
        if let ExprKind::Aggregate { elems, .. } = x.kind
            && let [re, im] = self.p.init_pool[elems.range()]
            && self.constant(re.value).is_some()
            && self.constant(im.value).is_some()
        {
            return Parts { re: self.arith_cast(re.value, elem), im: Some(self.arith_cast(im.value, elem)) };
        }
        let place = match x.kind {
            ExprKind::Local(_) if !x.quals.is_volatile() => e,
            _ => {
                let v = self.rvalue(e);
                let local = self.hold(v, before);
                self.local_place(local, x.span)
            }
        };
        let [re, im] = [0, 1].map(|field| {
            let part = self.part_place(place, field, own);
            let v = self.rvalue(part);
            self.arith_cast(v, elem)
        });
        Parts { re, im: Some(im) }
    }

    /// A value that may be read again: a constant, or what a local holds.
    pub(super) fn reusable(&mut self, v: ExprId, before: &mut Before) -> ExprId {
        if self.is_err(v) || self.constant(v).is_some() {
            return v;
        }
        let span = self.span(v);
        let local = self.hold(v, before);
        let place = self.local_place(local, span);
        self.rvalue(place)
    }

    /// A value behind what is evaluated before it.
    pub(super) fn after(&mut self, before: Before, value: ExprId, span: Span) -> ExprId {
        before.0.into_iter().rev().fold(value, |v, b| self.comma(b, v, span))
    }

    // ---- operators ---------------------------------------------------------------------------------------------

    fn complex_equal(&mut self, op: B, l: &Parts, r: &Parts, elem: TyId, span: Span) -> ExprId {
        let zero = self.zero(elem, span);
        let compare = if op == B::Eq { CompareOp::Eq } else { CompareOp::Ne };
        let lhs = self.compare(compare, l.re, r.re, TyId::BOOL, span);
        let rhs = self.compare(compare, l.im.unwrap_or(zero), r.im.unwrap_or(zero), TyId::BOOL, span);
        let kind = if op == B::Eq { ExprKind::LogAnd { lhs, rhs } } else { ExprKind::LogOr { lhs, rhs } };
        let ty = self.bool_ty();
        self.rv(kind, ty, span)
    }

    fn complex_sum(&mut self, op: B, l: &Parts, r: &Parts, elem: TyId, span: Span) -> ExprId {
        let bop = if op == B::Sub { BinaryOp::Sub } else { BinaryOp::Add };
        let re = self.binary(bop, l.re, r.re, elem, span);
        let im = match (l.im, r.im) {
            (Some(a), Some(b)) => self.binary(bop, a, b, elem, span),
            (None, Some(b)) if op == B::Sub => self.unary(UnaryOp::Neg, b, elem, span),
            (a, b) => match a.or(b) {
                Some(v) => v,
                None => self.zero(elem, span),
            },
        };
        self.complex_value(re, im, span)
    }

    fn complex_product(&mut self, l: &Parts, r: &Parts, elem: TyId, before: &mut Before, span: Span) -> ExprId {
        let times = |c: &mut Self, x, y| c.binary(BinaryOp::Mul, x, y, elem, span);
        let (Some(a), Some(b)) = (l.im, r.im) else {
            let (real, other) = if l.im.is_none() { (l.re, r) } else { (r.re, l) };
            let re = times(self, real, other.re);
            let im = match other.im {
                Some(im) => times(self, real, im),
                None => self.zero(elem, span),
            };
            return self.complex_value(re, im, span);
        };
        let (rr, ii) = (times(self, l.re, r.re), times(self, a, b));
        let (ri, ir) = (times(self, l.re, b), times(self, a, r.re));
        let re = self.binary(BinaryOp::Sub, rr, ii, elem, span);
        let im = self.binary(BinaryOp::Add, ri, ir, elem, span);
        let plain = self.complex_value(re, im, span);
        if self.constant(re).is_some() && self.constant(im).is_some() {
            return plain;
        }
        let Some(again) = self.complex_call(PRODUCT, [l.re, a, r.re, b], elem, span) else { return plain };
        let local = self.hold(plain, before);
        let place = self.local_place(local, span);
        let [lhs, rhs] = [0, 1].map(|field| {
            let part = self.part_place(place, field, elem);
            let v = self.rvalue(part);
            self.compare(CompareOp::Ne, v, v, TyId::BOOL, span)
        });
        let cond = self.rv(ExprKind::LogAnd { lhs, rhs }, TyId::BOOL, span);
        let (ty, other) = (self.ty(place), self.rvalue(place));
        self.rv(ExprKind::Cond { cond, then: again, other }, ty, span)
    }

    fn complex_quotient(&mut self, l: &Parts, r: &Parts, elem: TyId, before: &mut Before, span: Span) -> ExprId {
        let zero = self.zero(elem, span);
        let a = l.im.unwrap_or(zero);
        let Some(b) = r.im else {
            let re = self.binary(BinaryOp::Div, l.re, r.re, elem, span);
            let im = self.binary(BinaryOp::Div, a, r.re, elem, span);
            return self.complex_value(re, im, span);
        };
        let constant = [l.re, a, r.re, b].iter().all(|&v| self.constant(v).is_some());
        if !constant && let Some(v) = self.complex_call(QUOTIENT, [l.re, a, r.re, b], elem, span) {
            return v;
        }
        let op = |c: &mut Self, op, x, y| c.binary(op, x, y, elem, span);
        let (cc, dd) = (op(self, BinaryOp::Mul, r.re, r.re), op(self, BinaryOp::Mul, b, b));
        let norm = op(self, BinaryOp::Add, cc, dd);
        let norm = self.reusable(norm, before);
        let (ac, bd) = (op(self, BinaryOp::Mul, l.re, r.re), op(self, BinaryOp::Mul, a, b));
        let (bc, ad) = (op(self, BinaryOp::Mul, a, r.re), op(self, BinaryOp::Mul, l.re, b));
        let (re, im) = (op(self, BinaryOp::Add, ac, bd), op(self, BinaryOp::Sub, bc, ad));
        let (re, im) = (op(self, BinaryOp::Div, re, norm), op(self, BinaryOp::Div, im, norm));
        self.complex_value(re, im, span)
    }

    /// A call of one of the text's own functions for complex numbers.
    fn complex_call(&mut self, names: [&str; 2], parts: [ExprId; 4], elem: TyId, span: Span) -> Option<ExprId> {
        let sym = self.sess.intern(names[usize::from(elem == TyId::FLOAT)]);
        let Some(&Entity::Fn(f)) = self.lookup_in(ScopeId(0), sym)?.entities.first() else { return None };
        Some(self.call_fn(f, None, &parts.map(Arg::Expr), span, span))
    }
}
