//! What may throw: `noexcept(e)`, requirements that end in `noexcept`, and traits that ask for it.
//!
//! Nothing throws in device code. The answer is nevertheless what functions promise (C++17, 8.3.7), since libraries choose
//! by it: whether values are moved or copied, and which overload is there.

use super::call::Arg;
use super::convert::Why;
use super::{BodySource, Checker, FnId, FnKind, RTy};
use crate::program::{ExprId, ExprKind};
use crate::types::{Promise, Quals, RecordId, Ty, TyId};
use source::Span;
use syntax::ast::{self, DeclKind, Noexcept};

/// How many functions are asked, one for the other: members of members, and promises that name functions.
const MAX_ASKED: u32 = 32;

impl Checker<'_> {
    /// `noexcept(e)`.
    pub(super) fn noexcept_expr(&mut self, e: ast::ExprId, span: Span) -> ExprId {
        self.cx.unevaluated += 1;
        let v = self.expr(e);
        self.cx.unevaluated -= 1;
        if self.is_err(v) {
            return self.err(span);
        }
        let holds = !self.may_throw(v);
        self.int(i128::from(holds), TyId::BOOL, span)
    }

    /// Whether an expression calls something that does not promise not to throw.
    pub(super) fn may_throw(&mut self, v: ExprId) -> bool {
        let (mut called, mut unknown) = (Vec::new(), false);
        super::walk::visit_expr(&self.p, v, |kind| match kind {
            ExprKind::Call { callee, .. } => called.push(callee),
            ExprKind::CallPtr { callee, .. } => unknown |= !self.promises(self.ty(callee)),
            _ => {}
        });
        // What is made here ends here.
        if unknown || !self.is_lv(v) && self.end_may_throw(self.ty(v)) {
            return true;
        }
        called.into_iter().any(|f| {
            let f = self.decls.func_decls[f.index()];
            let made = self.decls[f].record.filter(|_| self.decls[f].kind == FnKind::Constructor);
            self.function_may_throw(f, 0) || made.is_some_and(|r| self.ends_loudly(r, 0))
        })
    }

    /// Whether functions that pointers of this type point to are `noexcept`.
    fn promises(&self, pointer: TyId) -> bool {
        let Ty::Pointer { pointee, .. } = *self.p.types.get(pointer) else { return false };
        matches!(self.p.types.get(pointee), Ty::Function(f) if f.promise != Promise::None)
    }

    /// Whether objects of a type end with an exception.
    pub(super) fn end_may_throw(&mut self, ty: TyId) -> bool {
        self.array_record(ty).is_some_and(|r| self.ends_loudly(r, 0))
    }

    fn ends_loudly(&mut self, r: RecordId, depth: u32) -> bool {
        self.complete_record(r);
        if let Some(&known) = self.inst.loud_ends.get(&r) {
            return known;
        }
        let loud = match self.decls[r].dtor {
            Some(f) => self.function_may_throw(f, depth + 1),
            None => self.parts_end_loudly(r, depth),
        };
        // Classes made of classes by twos and threes have many parts, and few kinds of them.
        if self.p.types.record(r).complete {
            self.inst.loud_ends.insert(r, loud);
        }
        loud
    }

    /// Whether the members and bases of a class do: what its destructor promises that says nothing of it (C++17, 18.4, 8).
    fn parts_end_loudly(&mut self, r: RecordId, depth: u32) -> bool {
        depth <= MAX_ASKED && self.parts_of(r).into_iter().any(|part| self.ends_loudly(part, depth + 1))
    }

    /// The classes of a class's members and bases.
    pub(crate) fn parts_of(&self, r: RecordId) -> Vec<RecordId> {
        let rec = self.p.types.record(r);
        let members = rec.fields.iter().filter_map(|f| self.array_record(f.ty));
        members.chain(rec.bases.iter().map(|b| b.record)).collect()
    }

    pub(super) fn function_may_throw(&mut self, f: FnId, depth: u32) -> bool {
        if depth > MAX_ASKED {
            return true;
        }
        let d = &self.decls[f];
        let promise = match d.body {
            BodySource::Inherited(of) | BodySource::Invoker(of) => return self.function_may_throw(of, depth + 1),
            BodySource::ClosurePointer(_) => return false,
            BodySource::Lambda(l) => Some(self.ast[l].ty),
            _ => d.ast.and_then(|d| match self.ast[d].kind {
                DeclKind::Function(f) => match self.ast[self.ast[f].ty].kind {
                    ast::TypeKind::Function(ty) => Some(ty),
                    _ => None,
                },
                _ => None,
            }),
        };
        let promise = promise.map_or(Noexcept::None, |ty| self.ast[ty].noexcept);
        match (promise, d.kind, d.body) {
            (Noexcept::Yes, ..) => false,
            (Noexcept::Expr(e), ..) => !self.keeps_promise(f, e),
            (Noexcept::None, FnKind::Destructor, _) => {
                let of = self.decls[f].record;
                of.is_some_and(|r| self.parts_end_loudly(r, depth))
            }
            (Noexcept::None, FnKind::Constructor, BodySource::Defaulted) => {
                if let Some(&known) = self.inst.loud_makers.get(&f) {
                    return known;
                }
                let loud = self.parts_may_throw(f, depth);
                self.inst.loud_makers.insert(f, loud);
                loud
            }
            (Noexcept::None, _, BodySource::Defaulted) => false,
            (Noexcept::None, ..) => true,
        }
    }

    /// Whether the condition of `noexcept(condition)` behind a function's parameters holds.
    fn keeps_promise(&mut self, f: FnId, condition: ast::ExprId) -> bool {
        let d = self.decls[f].clone();
        if !self.may_ask(d.span) {
            return false;
        }
        self.apart(d.scope, |c| {
            c.declare_params(f);
            c.is_true(condition)
        })
    }

    /// Whether a constructor that the compiler makes calls one that may throw.
    fn parts_may_throw(&mut self, f: FnId, depth: u32) -> bool {
        let Some(r) = self.decls[f].record else { return true };
        let constructors: Vec<FnId> =
            self.parts_of(r).into_iter().filter_map(|x| self.default_constructor(x)).collect();
        constructors.into_iter().any(|f| self.function_may_throw(f, depth + 1))
    }

    /// Whether an object of a type is made of others without an exception; that it can be made is known.
    pub(super) fn is_made_quietly(&mut self, made: RTy, args: &[RTy], span: Span) -> bool {
        !self.end_may_throw(made.ty)
            && self.quietly(|c| {
                let probes: Vec<ExprId> = args.iter().map(|&a| c.declval(a, span)).collect();
                match (c.p.types.as_record(made.ty), &probes[..]) {
                    (Some(r), _) => {
                        let args: Vec<Arg> = probes.into_iter().map(Arg::Expr).collect();
                        Some(c.construct(r, made.ty, &args, span, true))
                    }
                    (None, &[e]) => Some(c.converted(e, made.ty)),
                    (None, _) => None,
                }
            })
    }

    /// Whether a value of a type is converted to another one without an exception; that it can be is known.
    pub(super) fn is_converted_quietly(&mut self, from: RTy, to: RTy, span: Span) -> bool {
        self.quietly(|c| {
            let probe = c.declval(from, span);
            Some(c.converted(probe, to.ty))
        })
    }

    /// Whether a value of a type is assigned to another one without an exception; that it can be is known.
    pub(super) fn is_assigned_quietly(&mut self, to: RTy, from: RTy, span: Span) -> bool {
        self.quietly(|c| {
            let (target, value) = (c.declval(to, span), c.declval(from, span));
            Some(c.assign_checked(None, target, value, span))
        })
    }

    fn converted(&mut self, e: ExprId, to: TyId) -> ExprId {
        match self.p.types.get(to) {
            Ty::Reference { .. } => self.bind_reference(e, to, Why::Init),
            _ => self.implicit(e, to, Why::Init),
        }
    }

    /// Whether the expression that is made, if it is one at all, throws nothing.
    fn quietly(&mut self, make: impl FnOnce(&mut Self) -> Option<ExprId>) -> bool {
        let (quiet, failed) = self.tried(|c| {
            c.cx.unevaluated += 1;
            let made = make(c);
            c.cx.unevaluated -= 1;
            made.is_none_or(|e| !c.may_throw(e))
        });
        quiet && !failed
    }

    /// What `std::declval` of a type is: a place that may be moved from, or one of a reference's type.
    pub(super) fn declval(&mut self, t: RTy, span: Span) -> ExprId {
        let (ty, quals, moved) = match *self.p.types.get(t.ty) {
            Ty::Reference { pointee, quals, rvalue, .. } => (pointee, quals, rvalue),
            _ => (t.ty, t.quals, true),
        };
        let space = self.default_space();
        let ptr = self.p.types.pointer(ty, Quals::NONE, space);
        let at = self.rv(ExprKind::Null, ptr, span);
        let place = self.lv(ExprKind::Deref(at), ty, quals, space, span);
        if moved {
            self.cx.xvalues.insert(place);
        }
        place
    }
}
