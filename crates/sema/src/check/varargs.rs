//! Functions with variable arguments in CUDA: `va_list` and what reads it.
//!
//! The caller puts what stands for `...` side by side into memory of its own, each argument in as many words of eight bytes as
//! it needs, and hands its address on as a parameter behind the others. A `va_list` is laid out as the host has it; of its
//! members `overflow_arg_area` is that address here, and `gp_offset` says how many bytes of it have been read.

use source::Span;
use syntax::ast;

use super::call::Arg;
use super::complex::Before;
use super::{Checker, FnDecl, ScopeId};
use crate::program::{BinaryOp, ExprId, ExprKind, InitElem, ListId};
use crate::types::{AddrSpace, Field, NameId, NameKind, Quals, RecordId, Ty, TyId};
use syntax::ast::DeclSpecs;

/// Bytes that each argument takes a multiple of.
const WORD: u64 = 8;
/// Which member of a `va_list` says how many bytes have been read.
const READ: u32 = 0;
/// Which member is the address of the arguments.
const ARGUMENTS: u32 = 2;

impl Checker<'_> {
    /// Whether a function has the parameter for what stands for `...`.
    pub(crate) fn takes_more(&self, d: &FnDecl) -> bool {
        d.variadic && self.is_cuda() && !d.specs.has(DeclSpecs::GLOBAL)
    }

    /// The default argument promotions.
    pub(crate) fn default_promote(&mut self, e: ExprId) -> ExprId {
        let v = self.promote(e);
        let ty = self.ty(v);
        if matches!(ty, TyId::FLOAT | TyId::HALF | TyId::LONG_DOUBLE) {
            // OpenCL's printf keeps vectors and, without doubles, floats; doubles exist on every device here.
            return self.arith_cast(v, TyId::DOUBLE);
        }
        v
    }

    /// Declares that parameter.
    pub(crate) fn declare_more(&mut self, d: &FnDecl) {
        if self.takes_more(d) {
            let ty = self.bytes_pointer(TyId::VOID);
            let more = self.new_local(None, ty, Quals::NONE, d.span);
            self.cx.more = Some(more);
        }
    }

    fn bytes_pointer(&mut self, to: TyId) -> TyId {
        self.p.types.pointer(to, Quals::NONE, AddrSpace::Generic)
    }

    /// The argument for what stands for `...`: the address of the values.
    pub(crate) fn more_arguments(&mut self, args: &[Arg], span: Span) -> ExprId {
        let pointer = self.bytes_pointer(TyId::VOID);
        // What is not evaluated may be of any type (C++17, 8.2.2, 9).
        if args.is_empty() || self.cx.unevaluated > 0 {
            return self.rv(ExprKind::Null, pointer, span);
        }
        let (mut elems, mut end, mut align) = (Vec::with_capacity(args.len()), 0u64, WORD);
        for &a in args {
            let Arg::Expr(e) = a else {
                let at = self.arg_span(a);
                self.error("E0460", at, "an argument that `...` takes must be a value");
                return self.err(span);
            };
            let value = self.default_promote(e);
            let ty = self.ty(value);
            if self.is_err(value) {
                return value;
            }
            let Some(size) = self.p.types.size_of(ty).filter(|_| self.may_be_more(ty)) else {
                let (name, at) = (self.show(ty), self.span(value));
                self.error("E0460", at, format!("a value of type `{name}` cannot be passed through `...`"));
                return self.err(span);
            };
            let own = u64::from(self.p.types.align_of(ty)).max(WORD);
            let offset = end.next_multiple_of(own);
            elems.push(InitElem { offset, bits: None, value, repeat: 1 });
            (end, align) = (offset + size.next_multiple_of(WORD), align.max(own));
        }
        let ty = self.p.types.intern(Ty::Array { elem: TyId::ULONG, len: Some(end / WORD) });
        let local = self.new_local(None, ty, Quals::NONE, span);
        self.cx.locals[local.index()].align = align as u32;
        let start = self.p.init_pool.len() as u32;
        let len = elems.len() as u32;
        self.p.init_pool.extend(elems);
        let init = self.rv(ExprKind::Aggregate { elems: ListId { start, len }, zero_fill: true }, ty, span);
        let place = self.lv(ExprKind::Materialize { local, init }, ty, Quals::NONE, AddrSpace::Private, span);
        let words = self.decay(place);
        self.pointer_cast(words, pointer)
    }

    /// Whether values of a type are copied as their bytes are, and nothing is to be done at their end.
    fn may_be_more(&mut self, ty: TyId) -> bool {
        ty != TyId::VOID && self.specials_of(ty).is_none_or(|s| s.copies_bytes())
    }

    /// `__builtin_va_list`: an array of one record, as on the host.
    pub(crate) fn va_list_ty(&mut self) -> TyId {
        let tag = match self.decls.va_list {
            Some(tag) => tag,
            None => self.va_list_tag(),
        };
        self.p.types.intern(Ty::Array { elem: tag, len: Some(1) })
    }

    fn va_list_tag(&mut self) -> TyId {
        let name = self.sess.intern("__va_list_tag");
        let path = self.p.types.child_name(NameId::ROOT, NameKind::Type(name));
        let ty = self.new_record(path, false, Span::NONE, ScopeId(0));
        let pointer = self.bytes_pointer(TyId::VOID);
        if let Some(r) = self.p.types.as_record(ty) {
            let members = [
                ("gp_offset", TyId::UINT, 0),
                ("fp_offset", TyId::UINT, 4),
                ("overflow_arg_area", pointer, 8),
                ("reg_save_area", pointer, 16),
            ];
            for (name, ty, offset) in members {
                let (name, quals, span) = (Some(self.sess.intern(name)), Quals::NONE, Span::NONE);
                let field = Field { name, ty, quals, mutable: false, offset, bits: None, span };
                self.p.types.records[r.0 as usize].fields.push(field);
            }
            let record = &mut self.p.types.records[r.0 as usize];
            (record.size, record.data_size, record.align) = (24, 24, 8);
            (record.empty, record.complete) = (false, true);
        }
        self.decls.va_list = Some(ty);
        ty
    }

    /// The record that an operand, a `va_list` or a pointer to its record, stands for: its place, found once.
    fn list_place(&mut self, e: ExprId, before: &mut Before, span: Span) -> Option<(ExprId, RecordId)> {
        let p = self.rvalue(e);
        if self.is_err(p) {
            return None;
        }
        let record = match *self.p.types.get(self.ty(p)) {
            Ty::Pointer { pointee, .. } if self.decls.va_list == Some(pointee) => self.p.types.as_record(pointee),
            _ => None,
        };
        let Some(record) = record else {
            let name = self.show(self.ty(e));
            self.error("E0460", span, format!("expected a `va_list`, not a value of type `{name}`"));
            return None;
        };
        let p = self.reusable(p, before);
        Some((self.deref(p, span), record))
    }

    fn list_member(&mut self, (base, record): (ExprId, RecordId), field: u32) -> ExprId {
        let x = *self.e(base);
        let ty = self.p.types.record(record).fields[field as usize].ty;
        self.lv(ExprKind::Field { base, record, field }, ty, x.quals, x.space, x.span)
    }

    /// A call of one of the functions that are written `va_start`, `va_end` and `va_copy`.
    pub(crate) fn va_call(&mut self, name: &str, args: ast::List<ast::ExprId>, span: Span) -> Option<ExprId> {
        if !self.is_cuda() {
            return None;
        }
        let takes = match name {
            "__builtin_va_start" | "__builtin_va_copy" => 2,
            "__builtin_va_end" => 1,
            _ => return None,
        };
        let given = self.ast.list(args);
        // What is behind the list in `va_start` has no meaning any more (C23).
        let enough = given.len() == takes || name == "__builtin_va_start" && given.len() == 1;
        let &[list, ..] = given else {
            self.error("E0438", span, format!("`{name}` takes {takes} arguments, 0 given"));
            return Some(self.err(span));
        };
        if !enough {
            self.error("E0438", span, format!("`{name}` takes {takes} arguments, {} given", given.len()));
            return Some(self.err(span));
        }
        let from = if takes == 2 && name == "__builtin_va_copy" { Some(self.expr(given[1])) } else { None };
        let list = self.expr(list);
        let mut before = Before::default();
        let Some(to) = self.list_place(list, &mut before, span) else { return Some(self.err(span)) };
        let value = match name {
            "__builtin_va_start" => self.started(to, span),
            "__builtin_va_copy" => match from.and_then(|f| self.list_place(f, &mut before, span)) {
                Some((from, _)) => {
                    let v = self.rvalue(from);
                    self.store(to.0, v, span)
                }
                None => self.err(span),
            },
            _ => to.0,
        };
        let done = self.rv(ExprKind::ZeroInit, TyId::VOID, span);
        let value = self.comma(value, done, span);
        Some(self.after(before, value, span))
    }

    fn started(&mut self, list: (ExprId, RecordId), span: Span) -> ExprId {
        let Some(more) = self.cx.more else {
            self.error("E0372", span, "`va_start` in a function without variable arguments");
            return self.err(span);
        };
        let place = self.list_member(list, ARGUMENTS);
        let from = self.local_place(more, span);
        let v = self.rvalue(from);
        let lhs = self.store(place, v, span);
        let read = self.list_member(list, READ);
        let zero = self.int(0, TyId::UINT, span);
        let rhs = self.store(read, zero, span);
        self.comma(lhs, rhs, span)
    }

    /// `__builtin_va_arg(list, T)`
    pub(crate) fn va_arg(&mut self, list: ast::ExprId, ty: ast::TypeId, span: Span) -> ExprId {
        if !self.is_cuda() {
            return self.unsupported(span, "variable arguments", "use a fixed list of parameters");
        }
        let wanted = self.resolve_ty(ty);
        let list = self.expr(list);
        let mut before = Before::default();
        let Some(of) = self.list_place(list, &mut before, span) else { return self.err(span) };
        // Arguments are there as the default promotions make them.
        let ty = if matches!(wanted, TyId::FLOAT | TyId::HALF | TyId::LONG_DOUBLE) {
            TyId::DOUBLE
        } else {
            self.promoted(wanted)
        };
        let Some(size) = self.p.types.size_of(ty).filter(|_| ty != TyId::VOID && ty != TyId::ERROR) else {
            if ty != TyId::ERROR {
                let name = self.show(ty);
                self.error("E0353", span, format!("`va_arg` of incomplete type `{name}`"));
            }
            return self.err(span);
        };
        let align = u64::from(self.p.types.align_of(ty)).max(WORD);
        let read = self.list_member(of, READ);
        let mut at = self.rvalue(read);
        if align > WORD {
            let more = self.int(i128::from(align) - 1, TyId::UINT, span);
            let mask = self.int(-i128::from(align), TyId::UINT, span);
            let sum = self.binary(BinaryOp::Add, at, more, TyId::UINT, span);
            at = self.binary(BinaryOp::And, sum, mask, TyId::UINT, span);
        }
        let at = self.reusable(at, &mut before);
        let size = self.int(i128::from(size.next_multiple_of(WORD)), TyId::UINT, span);
        let next = self.binary(BinaryOp::Add, at, size, TyId::UINT, span);
        let read = self.list_member(of, READ);
        let stored = self.store(read, next, span);
        before.push(stored);
        let place = self.list_member(of, ARGUMENTS);
        let start = self.rvalue(place);
        let chars = self.bytes_pointer(TyId::CHAR);
        let ptr = self.pointer_cast(start, chars);
        let index = self.arith_cast(at, TyId::LONG);
        let p = self.rv(ExprKind::PtrOffset { ptr, index, negative: false }, chars, span);
        let pty = self.bytes_pointer(ty);
        let p = self.pointer_cast(p, pty);
        let place = self.deref(p, span);
        let v = self.rvalue(place);
        let v = if ty == wanted { v } else { self.explicit(v, wanted, ast::CastKind::C, span) };
        self.after(before, v, span)
    }
}
