//! Virtual functions (C++17, 13.3).
//!
//! An object of a class with virtual functions begins, as the Itanium ABI has it, with eight bytes that tell its class.
//! Here they hold a *number*: one for each part with virtual functions of each class that is constructed. A call is one of
//! a [dispatcher](crate::program::Function::overriders), a function that stands for the virtual function where it was
//! declared first and branches on the number. So what a call can lead to is known to every later stage.

use super::Layout;
use crate::check::{BodySource, BodyState, Checker, FnDecl, FnId, FnKind};
use crate::program::{CastKind, ExprId, ExprKind, FuncId, Overrider, StmtId, StmtKind};
use crate::types::{NameKind as TreeName, Quals, RecordId, Ty, TyId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind, DeclSpecs};

/// A virtual function that a class has, its own or inherited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The function as it was declared first.
    root: FnId,
    /// Where in the class the part is whose class declared it.
    root_offset: u64,
    /// The function that a call comes to.
    function: FnId,
    /// Where in the class the part is that `function` is a member of.
    offset: u64,
}

/// A number that objects carry.
#[derive(Debug)]
struct Number {
    class: RecordId,
    /// Which part of the object carries it.
    part: u64,
    /// The functions that store it.
    users: FxHashSet<FuncId>,
}

/// What is known of virtual functions.
#[derive(Debug, Default)]
pub(crate) struct Virtuals {
    /// The function that a virtual one overrides, as it was declared first; itself if it overrides none.
    roots: FxHashMap<FnId, FnId>,
    /// Functions without a meaning of their own, `= 0`.
    pure: FxHashSet<FnId>,
    /// The dispatchers of functions, in the order in which they were needed.
    dispatchers: Vec<(FnId, FnId)>,
    /// By the number less one.
    numbers: Vec<Number>,
}

impl Checker<'_> {
    /// Where a virtual base lies depends on the whole object, which device code does not find out.
    pub(in crate::check) fn refuse_virtual_base(&mut self, span: Span) {
        self.report(
            Diagnostic::error("E0451", span, "virtual base classes are not supported in device code")
                .help("inherit without `virtual`"),
        );
    }

    /// Whether the size of a class, or where its parts lie, depends on a virtual base, and device code asks: that is an error. The
    /// host may have such classes; bodies in its code that are the device's are checked once more as such.
    pub(in crate::check) fn refuse_virtual_bases_of(&mut self, r: RecordId, span: Span) -> bool {
        let device = !self.reads_host() && self.cx.decl.is_none_or(|f| self.side_of(f).on_device());
        let refused = device && self.has_virtual_base(r);
        if refused {
            self.refuse_virtual_base(span);
        }
        refused
    }

    /// Whether objects of a class have virtual bases in them.
    pub(in crate::check) fn has_virtual_base(&self, r: RecordId) -> bool {
        if self.decls.virtual_bases.is_empty() {
            return false;
        }
        let (mut seen, mut left) = (FxHashSet::default(), vec![r]);
        while let Some(r) = left.pop() {
            if self.decls.virtual_bases.contains(&r) {
                return true;
            }
            if seen.insert(r) {
                let record = self.p.types.record(r);
                left.extend(record.bases.iter().map(|b| b.record));
                left.extend(record.fields.iter().filter_map(|f| self.array_record(f.ty)));
            }
        }
        false
    }

    /// Whether objects of the class carry a number, or the host's address of a table in its place.
    pub(crate) fn is_polymorphic(&self, r: RecordId) -> bool {
        !self.decls[r].slots.is_empty() || self.decls[r].host.is_virtual
    }

    /// Whether a class has a function without a meaning, `= 0`.
    pub(crate) fn is_abstract(&self, r: RecordId) -> bool {
        self.decls[r].slots.iter().any(|s| self.decls.virtuals.pure.contains(&s.function))
    }

    pub(crate) fn has_virtual_destructor(&self, r: RecordId) -> bool {
        self.decls[r].slots.iter().any(|s| self.decls[s.function].kind == FnKind::Destructor)
    }

    /// Whether a class's body declares virtual functions.
    pub(super) fn declares_virtual(&self, rec: &ast::Record) -> bool {
        self.ast.list(rec.members).iter().any(|&m| {
            let m = match self.ast[m].kind {
                DeclKind::HostView(inner) => inner,
                _ => m,
            };
            let d = self.ast[m];
            match d.kind {
                DeclKind::Function(f) => d.specs.has(DeclSpecs::VIRTUAL) || self.ast[f].pure,
                DeclKind::HostOnly(_) => d.specs.has(DeclSpecs::VIRTUAL),
                _ => false,
            }
        })
    }

    /// Takes the virtual functions of the bases over, whose places are known.
    pub(super) fn inherit_slots(&mut self, r: RecordId) {
        for b in self.p.types.record(r).bases.clone() {
            let moved = self.decls[b.record].slots.iter().map(|s| Slot {
                root_offset: s.root_offset + b.offset,
                offset: s.offset + b.offset,
                ..*s
            });
            let moved: Vec<Slot> = moved.collect();
            self.decls[r].slots.extend(moved);
        }
    }

    /// Enters a member function among the virtual ones if it is declared so or overrides one.
    pub(super) fn note_virtual(&mut self, r: RecordId, f: FnId, declared: bool, pure: bool) {
        let d = self.decls[f].clone();
        if d.is_static || d.kind == FnKind::Constructor {
            return;
        }
        let slots = self.decls[r].slots.clone();
        let mut overrides = false;
        for (i, s) in slots.into_iter().enumerate() {
            let o = &self.decls[s.root];
            let named =
                d.kind == FnKind::Destructor || o.name == d.name && (d.kind != FnKind::Conversion || o.ret == d.ret);
            if named && self.same_signature(s.root, &d) {
                overrides = true;
                let slot = &mut self.decls[r].slots[i];
                (slot.function, slot.offset) = (f, 0);
                self.decls.virtuals.roots.entry(f).or_insert(s.root);
            }
        }
        if declared && !overrides {
            self.decls[r].slots.push(Slot { root: f, root_offset: 0, function: f, offset: 0 });
            self.decls.virtuals.roots.insert(f, f);
        }
        if pure {
            self.decls.virtuals.pure.insert(f);
        }
    }

    /// A class that is to be destroyed through a base, and says nothing of how, destroys its members.
    pub(super) fn made_destructor(&mut self, r: RecordId) {
        let inherited =
            |c: &Self, s: &Slot| c.decls[s.root].kind == FnKind::Destructor && c.decls[s.function].record != Some(r);
        let wanted: Vec<usize> =
            self.decls[r].slots.iter().enumerate().filter(|(_, s)| inherited(self, s)).map(|(i, _)| i).collect();
        let ty = self.p.types.intern(Ty::Record(r));
        if wanted.is_empty() || !self.needs_destruction(ty) {
            return;
        }
        let name = self.p.types.record(r).name;
        let made = self.made_constructor(r);
        let made = FnDecl {
            kind: FnKind::Destructor,
            path: self.p.types.child_name(name, TreeName::Destructor),
            name: self.sess.intern("~"),
            ..made
        };
        let f = self.push_fn(made);
        for i in wanted {
            let root = self.decls[r].slots[i].root;
            let slot = &mut self.decls[r].slots[i];
            (slot.function, slot.offset) = (f, 0);
            self.decls.virtuals.roots.entry(f).or_insert(root);
        }
    }

    // ---- numbers ---------------------------------------------------------------------------------------------------

    /// Where in an object of the class the numbers stand.
    fn numbered_parts(&self, r: RecordId) -> Vec<u64> {
        let mut parts: Vec<u64> = self.decls[r].slots.iter().map(|s| s.root_offset).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// The number of a part of objects of a class; what calls come to there is compiled.
    fn number(&mut self, r: RecordId, part: u64) -> u64 {
        let known = self.decls.virtuals.numbers.iter().position(|n| n.class == r && n.part == part);
        let at = known.unwrap_or_else(|| {
            let users = FxHashSet::default();
            self.decls.virtuals.numbers.push(Number { class: r, part, users });
            for s in self.decls[r].slots.clone() {
                if self.can_be_called(s.function) {
                    self.need(s.function);
                }
            }
            self.decls.virtuals.numbers.len() - 1
        });
        if let Some(f) = self.cx.func {
            self.decls.virtuals.numbers[at].users.insert(f);
        }
        at as u64 + 1
    }

    fn can_be_called(&self, f: FnId) -> bool {
        !self.decls.virtuals.pure.contains(&f)
            && (self.reads_host() || self.side_of(f).on_device())
            && !matches!(self.decls[f].body, BodySource::Deleted)
    }

    /// The assignments that give an object the numbers of a class.
    pub(super) fn number_stores(&mut self, object: ExprId, r: RecordId, span: Span) -> Vec<ExprId> {
        let parts = self.numbered_parts(r);
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            let n = self.number(r, part);
            let place = self.number_place(object, part, span);
            let v = self.int(i128::from(n), TyId::ULONG, span);
            out.push(self.store(place, v, span));
        }
        out
    }

    fn number_place(&mut self, object: ExprId, part: u64, span: Span) -> ExprId {
        let space = self.e(object).space;
        let kind = ExprKind::Cast { kind: CastKind::DerivedToBase { offset: part as u32 }, operand: object };
        self.lv(kind, TyId::ULONG, Quals::NONE, space, span)
    }

    /// What constructors and destructors do before their bodies: the object is one of their class.
    pub(crate) fn become_class(&mut self, span: Span, out: &mut Vec<StmtId>) {
        let Some((_, r, _)) = self.cx.this else { return };
        if !self.is_polymorphic(r) {
            return;
        }
        let Some(object) = self.this_object(span) else { return };
        for e in self.number_stores(object, r, span) {
            let s = self.push_stmt(StmtKind::Expr(e), span);
            out.push(s);
        }
    }

    /// A copy of an object whose class has no copy constructor of its own: what is copied may be a part of another's.
    pub(crate) fn copy_polymorphic(&mut self, e: ExprId, r: RecordId, ty: TyId) -> ExprId {
        let span = self.span(e);
        let l = self.new_local(None, ty, Quals::NONE, span);
        let place = self.local_place(l, span);
        let value = self.rv(ExprKind::Load(e), ty, span);
        let mut done = self.store(place, value, span);
        let object = self.local_place(l, span);
        for s in self.number_stores(object, r, span) {
            done = self.rv(ExprKind::Comma { lhs: done, rhs: s }, TyId::VOID, span);
        }
        let x = *self.e(object);
        let both = self.lv(ExprKind::Comma { lhs: done, rhs: object }, ty, x.quals, x.space, span);
        self.rv(ExprKind::Load(both), ty, span)
    }

    /// `place = value` for objects with numbers: those of the place stay.
    pub(crate) fn assign_polymorphic(&mut self, place: ExprId, value: ExprId, r: RecordId, span: Span) -> ExprId {
        let ty = self.ty(place);
        let at = self.address(place);
        let pty = self.ty(at);
        let l = self.new_local(None, pty, Quals::NONE, span);
        let held = self.local_place(l, span);
        let mut done = self.store(held, at, span);
        let mut back = Vec::new();
        for part in self.numbered_parts(r) {
            let keep = self.new_local(None, TyId::ULONG, Quals::NONE, span);
            let object = self.pointed_by(l, pty, span);
            let from = self.number_place(object, part, span);
            let old = self.rv(ExprKind::Load(from), TyId::ULONG, span);
            let kept = self.local_place(keep, span);
            let saved = self.store(kept, old, span);
            done = self.rv(ExprKind::Comma { lhs: done, rhs: saved }, TyId::VOID, span);
            let object = self.pointed_by(l, pty, span);
            let to = self.number_place(object, part, span);
            let kept = self.local_place(keep, span);
            let old = self.rv(ExprKind::Load(kept), TyId::ULONG, span);
            back.push(self.store(to, old, span));
        }
        let object = self.pointed_by(l, pty, span);
        let moved = self.store(object, value, span);
        for s in std::iter::once(moved).chain(back) {
            done = self.rv(ExprKind::Comma { lhs: done, rhs: s }, TyId::VOID, span);
        }
        let object = self.pointed_by(l, pty, span);
        let x = *self.e(object);
        self.lv(ExprKind::Comma { lhs: done, rhs: object }, ty, x.quals, x.space, span)
    }

    pub(super) fn pointed_by(&mut self, l: crate::program::LocalId, pty: TyId, span: Span) -> ExprId {
        let held = self.local_place(l, span);
        let p = self.rv(ExprKind::Load(held), pty, span);
        self.deref(p, span)
    }

    // ---- calls -----------------------------------------------------------------------------------------------------

    /// The dispatcher to call for a virtual function of an object that may be of a derived class.
    pub(crate) fn dispatcher_for(&mut self, f: FnId, object: Option<ExprId>) -> Option<FnId> {
        let root = *self.decls.virtuals.roots.get(&f)?;
        if self.reads_host() || object.is_some_and(|o| self.is_whole(o)) {
            return None;
        }
        Some(self.dispatcher(root))
    }

    /// The virtual destructor of a class, as it was declared first.
    pub(crate) fn virtual_destructor(&self, r: RecordId) -> Option<FnId> {
        let slots = &self.decls[r].slots;
        slots.iter().map(|s| s.root).find(|&f| self.decls[f].kind == FnKind::Destructor)
    }

    /// Whether a place is an object of just its type.
    fn is_whole(&self, place: ExprId) -> bool {
        match self.e(place).kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Materialize { .. } => true,
            ExprKind::Field { .. } | ExprKind::ArrayElem { .. } => true,
            _ => !self.is_lv(place),
        }
    }

    /// The dispatcher of a virtual function as it was declared first.
    pub(crate) fn dispatcher(&mut self, root: FnId) -> FnId {
        if let Some(&(_, d)) = self.decls.virtuals.dispatchers.iter().find(|(r, _)| *r == root) {
            return d;
        }
        let d = self.decls[root].clone();
        let class = d.record.map_or(crate::types::NameId::ROOT, |r| self.p.types.record(r).name);
        let tree = match d.kind {
            FnKind::Operator(op) => TreeName::Operator(op),
            FnKind::Conversion => TreeName::Conversion(d.ret),
            FnKind::Destructor => TreeName::Entity(self.sess.intern("destructor")),
            _ => TreeName::Entity(d.name),
        };
        let apart = self.sess.intern("virtual$");
        let class = self.p.types.child_name(class, TreeName::Namespace(apart));
        let path = self.p.types.child_name(class, tree);
        let ret = if d.kind == FnKind::Destructor {
            let space = self.default_space();
            self.p.types.pointer(TyId::VOID, Quals::NONE, space)
        } else {
            d.ret
        };
        let is_destructor = d.kind == FnKind::Destructor;
        let made = FnDecl {
            kind: FnKind::Plain,
            path,
            ret,
            this_quals: if is_destructor { Quals::CONST } else { d.this_quals },
            ast: None,
            specs: d.specs.with(DeclSpecs::DEVICE).with(DeclSpecs::INLINE),
            body: BodySource::Virtual,
            state: BodyState::Done,
            func: None,
            template: None,
            asm_label: None,
            overloadable: false,
            default_scope: None,
            deduced_ret: false,
            ..d
        };
        let made = self.push_fn(made);
        self.decls.virtuals.dispatchers.push((root, made));
        made
    }

    /// The result of a dispatcher's call as the static type's function gives it, which may be a pointer or reference to a
    /// class derived from the other's (C++17, 13.3.7).
    pub(crate) fn covariant(&mut self, v: ExprId, want: TyId, have: TyId, span: Span) -> ExprId {
        if want == have || self.is_err(v) {
            return v;
        }
        let Some(offset) = self.covariance(want, have) else { return v };
        let kind = ExprKind::Cast { kind: CastKind::BaseToDerived { offset: offset as u32 }, operand: v };
        if self.is_lv(v) {
            let x = *self.e(v);
            let to = self.strip_reference(want);
            return self.lv(kind, to, x.quals, x.space, span);
        }
        self.rv(kind, want, span)
    }

    /// Where in the class that `derived` points or refers to the one is that `base` does.
    fn covariance(&mut self, derived: TyId, base: TyId) -> Option<u64> {
        let (Ty::Pointer { pointee: d, .. } | Ty::Reference { pointee: d, .. }) = *self.p.types.get(derived) else {
            return None;
        };
        let (Ty::Pointer { pointee: b, .. } | Ty::Reference { pointee: b, .. }) = *self.p.types.get(base) else {
            return None;
        };
        let (d, b) = (self.p.types.as_record(d)?, self.p.types.as_record(b)?);
        if d == b { None } else { self.base_offset(d, b).map(u64::from) }
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /// Fills the dispatchers: what a call comes to for each number.
    pub(crate) fn fill_dispatchers(&mut self) {
        for (root, dispatcher) in self.decls.virtuals.dispatchers.clone() {
            let Some(func) = self.decls[dispatcher].func else { continue };
            let numbers = 1..=self.decls.virtuals.numbers.len() as u64;
            let out = numbers.filter_map(|n| self.overrider_of(root, n)).collect();
            self.p.functions[func.index()].overriders = Some(out);
        }
    }

    /// What a call of a dispatcher comes to for an object with this number.
    pub(crate) fn overrider(&mut self, dispatcher: FnId, number: u64) -> Option<Overrider> {
        let &(root, _) = self.decls.virtuals.dispatchers.iter().find(|(_, d)| *d == dispatcher)?;
        self.overrider_of(root, number)
    }

    fn overrider_of(&mut self, root: FnId, number: u64) -> Option<Overrider> {
        let n = self.decls.virtuals.numbers.get(usize::try_from(number.checked_sub(1)?).ok()?)?;
        let (class, part) = (n.class, n.part);
        let slot = self.decls[class].slots.iter().find(|s| s.root == root && s.root_offset == part);
        let s = *slot.filter(|s| self.can_be_called(s.function))?;
        let gives_start = self.decls[root].kind == FnKind::Destructor;
        let (want, have) = (self.decls[root].ret, self.decls[s.function].ret);
        let covariance = self.covariance(have, want).unwrap_or(0);
        Some(Overrider {
            number,
            function: Some(self.func_id(s.function)),
            this_offset: s.offset as i64 - part as i64,
            result_offset: if gives_start { -(part as i64) } else { covariance as i64 },
            gives_start,
        })
    }

    /// Whether something that is kept makes objects with this number.
    pub(crate) fn is_carried(&self, number: u64, keep: &[bool]) -> bool {
        let n = &self.decls.virtuals.numbers[number as usize - 1];
        n.users.iter().any(|f| keep.get(f.index()) == Some(&true))
    }
}

impl Layout {
    /// Puts the number, or the base that begins with one, at the head of the class (Itanium ABI, 2.4): which base that is.
    pub(super) fn place_number(&mut self, c: &Checker<'_>, r: RecordId, rec: &ast::Record) -> Option<usize> {
        let bases = &c.p.types.record(r).bases;
        let primary = bases.iter().position(|b| c.is_polymorphic(b.record));
        if primary.is_none() && c.declares_virtual(rec) {
            (self.offset, self.align) = (8, self.align.max(8));
        }
        primary
    }
}
