//! Members of aggregates that a list leaves out.

use crate::check::convert::Why;
use crate::check::{Checker, with_scope};
use crate::program::{ExprId, ExprKind, InitElem, ListId};
use crate::types::{AddrSpace, Quals, RecordId, Ty, TyId};
use source::Span;
use syntax::ast;

impl Checker<'_> {
    /// Default member initialisers of the fields that a list leaves out; the elements from `from` on are the object's, which
    /// begins at `base`.
    pub(super) fn default_members(
        &mut self,
        r: RecordId,
        given: &[bool],
        base: u64,
        from: usize,
        out: &mut Vec<InitElem>,
    ) {
        let mut inits = self.decls[r].inits.clone();
        inits.resize(given.len(), None);
        // Those that name other members are computed when the rest of the object is there.
        let mut later: Vec<(u32, ExprId)> = Vec::new();
        let ty = self.p.types.intern(Ty::Record(r));
        let mut this = None;
        for (i, init) in inits.iter().enumerate() {
            if given.get(i).copied().unwrap_or(true) {
                continue;
            }
            let f = self.p.types.record(r).fields[i].clone();
            let Some(e) = init else {
                if !self.p.types.record(r).is_union {
                    self.default_part(f.ty, base + f.offset, out, f.span);
                }
                continue;
            };
            let pointer = *this.get_or_insert_with(|| {
                let to = self.p.types.pointer(ty, Quals::NONE, AddrSpace::Generic);
                self.new_local(None, to, Quals::NONE, f.span)
            });
            let around = self.cx.this.replace((pointer, r, Quals::NONE));
            let first = self.p.exprs.len();
            let value = self.default_member(r, *e, f.ty);
            self.cx.this = around;
            if self.p.exprs[first..].iter().any(|x| matches!(x.kind, ExprKind::Local(l) if l == pointer)) {
                later.push((i as u32, value));
            } else {
                out.push(InitElem { offset: base + f.offset, bits: f.bits, value, repeat: 1 });
            }
        }
        let (Some(pointer), false) = (this, later.is_empty()) else { return };
        let span = self.p.types.record(r).span;
        let there: Vec<InitElem> = out.drain(from..).map(|e| InitElem { offset: e.offset - base, ..e }).collect();
        let elems = ListId { start: self.p.init_pool.len() as u32, len: there.len() as u32 };
        self.p.init_pool.extend(there);
        let start = self.rv(ExprKind::Aggregate { elems, zero_fill: true }, ty, span);
        let value = self.completed_object((r, ty), pointer, start, &later, span);
        out.push(InitElem { offset: base, bits: None, value, repeat: 1 });
    }

    /// What a member's default initialiser gives it. `C c{1};` is no `= {1}`: constructors that are `explicit` do.
    fn default_value_of(&mut self, init: ast::ExprId, ty: TyId) -> ExprId {
        match self.ast[init].kind {
            ast::ExprKind::InitList(list) if self.p.types.as_record(ty).is_some() => {
                self.direct_list(list, ty, self.ast[init].span)
            }
            _ => self.init_from(init, ty, Why::Init),
        }
    }

    fn default_member(&mut self, r: RecordId, init: ast::ExprId, ty: TyId) -> ExprId {
        let (scope, class) = (self.decls[r].scope, self.decls[r].ast);
        self.as_declared(scope, class, |c| {
            if !c.in_block(r) {
                return c.beyond_blocks(scope, |c| c.default_value_of(init, ty));
            }
            let closure = c.cx.closure.take();
            let value = with_scope!(c, scope, c.default_value_of(init, ty));
            c.cx.closure = closure;
            value
        })
    }

    /// An object that begins as `start` and whose other members then get their values, of which some need `this`.
    fn completed_object(
        &mut self,
        (r, ty): (RecordId, TyId),
        this: crate::program::LocalId,
        start: ExprId,
        later: &[(u32, ExprId)],
        span: Span,
    ) -> ExprId {
        let object = self.new_local(None, ty, Quals::NONE, span);
        self.cx.locals[object.index()].is_made = true;
        let place = self.local_place(object, span);
        let at = self.address(place);
        let place = self.local_place(this, span);
        let to = self.ty(place);
        let at = self.pointer_cast(at, to);
        let mut done = self.store(place, at, span);
        let place = self.local_place(object, span);
        let first = self.store(place, start, span);
        done = self.rv(ExprKind::Comma { lhs: done, rhs: first }, TyId::VOID, span);
        for &(field, value) in later {
            let place = self.local_place(object, span);
            let place = self.field_place(place, r, field, span);
            let stored = self.store(place, value, span);
            done = self.rv(ExprKind::Comma { lhs: done, rhs: stored }, TyId::VOID, span);
        }
        let again = self.local_place(object, span);
        let x = *self.e(again);
        let both = self.lv(ExprKind::Comma { lhs: done, rhs: again }, ty, x.quals, x.space, span);
        self.rv(ExprKind::Load(both), ty, span)
    }

    /// A part of an aggregate that its list leaves out, which is initialised from `{}` (C++17, 11.6.1p8): objects whose
    /// class says more than zero.
    pub(super) fn default_part(&mut self, ty: TyId, offset: u64, out: &mut Vec<InitElem>, span: Span) {
        if !self.is_cxx() {
            return;
        }
        let Some(m) = self.array_record(ty) else { return };
        if self.decls[m].cuda_vec.is_some() || self.constructs_nothing(m) {
            return;
        }
        let elem = self.p.types.intern(Ty::Record(m));
        let (Some(size), Some(total)) = (self.p.types.size_of(elem), self.p.types.size_of(ty)) else { return };
        let value = self.construct(m, elem, &[], span, true);
        out.push(InitElem { offset, bits: None, value, repeat: total / size.max(1) });
    }

    /// The elements of an array that a list leaves out: those in `given` it has, from one index to another.
    pub(super) fn default_elements(
        &mut self,
        elem: TyId,
        given: &mut [(u64, u64)],
        len: u64,
        base: u64,
        out: &mut Vec<InitElem>,
        span: Span,
    ) {
        let Some(size) = self.p.types.size_of(elem) else { return };
        given.sort_unstable();
        let mut end = 0;
        for &mut (from, to) in given.iter_mut().chain([&mut (len, len)]) {
            if from > end {
                let gap = self.p.types.array(elem, Some(from - end));
                self.default_part(gap, base.saturating_add(end.saturating_mul(size)), out, span);
            }
            end = end.max(to);
        }
    }
}
