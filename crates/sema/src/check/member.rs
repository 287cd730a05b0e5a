//! Members: fields, swizzles, implicit `this`.

use source::{Diagnostic, Span};
use syntax::ast;

use super::{Checker, Entity, FnId};
use crate::program::{CastKind, Category, Components, ExprId, ExprKind, InitElem, ListId};
use crate::types::{AddrSpace, OperatorName, Quals, RecordId, Ty, TyId};
use builtins::{Axis, CudaVariable, ItemOp, Meaning, Op, Special};

/// What a member name led to.
pub(crate) enum Member {
    Value(ExprId),
    /// Member functions or templates, to be called on the object.
    Functions(Vec<Entity>, ExprId),
    Error,
}

impl Checker<'_> {
    /// `a.x`, `a->x` as a value.
    pub(crate) fn member_expr(&mut self, base: ast::ExprId, arrow: bool, name: ast::NameId, span: Span) -> ExprId {
        match self.member(base, arrow, name, span) {
            Member::Value(v) => v,
            Member::Error => self.err(span),
            Member::Functions(..) => {
                self.report(
                    Diagnostic::error("E0431", span, "reference to a member function must be called")
                        .help("put `()` after it"),
                );
                self.err(span)
            }
        }
    }

    pub(crate) fn member(&mut self, base: ast::ExprId, arrow: bool, name: ast::NameId, span: Span) -> Member {
        if let Some(v) = self.special_component(base, arrow, name, span) {
            return Member::Value(v);
        }
        match self.member_object_of(base, arrow, span) {
            Some(object) => self.member_of(object, name, span),
            None => Member::Error,
        }
    }

    /// The object whose member is named behind `.` or `->`; an error is told if there is none.
    pub(crate) fn member_object_of(&mut self, base: ast::ExprId, arrow: bool, span: Span) -> Option<ExprId> {
        let mut b = self.expr(base);
        if self.is_err(b) {
            return None;
        }
        if arrow {
            for _ in 0..8 {
                if self.p.types.as_record(self.ty(b)).is_none() {
                    break;
                }
                match self.user_operator(OperatorName::Arrow, &[b], span) {
                    Some(v) => b = v,
                    None => break,
                }
            }
            let v = self.rvalue(b);
            if !self.p.types.is_pointer(self.ty(v)) {
                if self.is_err(v) {
                    return None;
                }
                let t = self.show(self.ty(v));
                self.report(
                    Diagnostic::error("E0432", span, format!("member reference type `{t}` is not a pointer"))
                        .help("use `.` in place of `->`"),
                );
                return None;
            }
            b = self.deref(v, span);
        }
        Some(b)
    }

    fn member_of(&mut self, b: ExprId, name: ast::NameId, span: Span) -> Member {
        let ty = self.ty(b);
        match *self.p.types.get(ty) {
            Ty::Vector { n, .. } => match self.last_symbol(name) {
                Some(s) => {
                    let text = self.text(s).to_owned();
                    Member::Value(self.swizzle(b, n, &text, span))
                }
                None => Member::Error,
            },
            Ty::Record(r) => self.record_member(b, r, name, span),
            // `p.~T()` of a `T` that is a pointer.
            Ty::Pointer { .. } if matches!(self.ast[name].kind, ast::NameKind::Destructor(_)) => {
                Member::Functions(Vec::new(), b)
            }
            Ty::Pointer { .. } => {
                let t = self.show(ty);
                self.report(
                    Diagnostic::error("E0432", span, format!("member reference type `{t}` is a pointer"))
                        .help("use `->` in place of `.`"),
                );
                Member::Error
            }
            Ty::Error => Member::Error,
            _ => {
                // `x.~T()` of a number does nothing, as that of many a class.
                if matches!(self.ast[name].kind, ast::NameKind::Destructor(_)) {
                    return Member::Functions(Vec::new(), b);
                }
                let t = self.show(ty);
                self.error("E0432", span, format!("member reference base type `{t}` is not a structure or vector"));
                Member::Error
            }
        }
    }

    fn record_member(&mut self, b: ExprId, r: RecordId, name: ast::NameId, span: Span) -> Member {
        self.complete_record(r);
        if !self.p.types.record(r).complete {
            self.note_host_class(r);
            let t = self.show(self.ty(b));
            self.error("E0433", span, format!("member access into incomplete type `{t}`"));
            return Member::Error;
        }
        let n = self.ast[name];
        let sym = match n.kind {
            ast::NameKind::Ident(s) => s,
            ast::NameKind::Operator(op) => self.operator_symbol(op),
            ast::NameKind::Destructor(_) => {
                if self.decls[r].dtor.is_some_and(|f| self.is_hidden_function(f)) {
                    let t = self.show(self.ty(b));
                    self.error("E0411", span, format!("the destructor of `{t}` is not for everybody"));
                    return Member::Error;
                }
                // It ends objects that are `const` or `volatile`, too (C++17, 15.4, 2).
                let x = *self.e(b);
                let b = self.push_expr(crate::program::Expr { quals: Quals::NONE, ..x });
                return match self.destructor_of(r) {
                    Some(d) => Member::Functions(vec![Entity::Fn(d)], b),
                    None => Member::Functions(Vec::new(), b),
                };
            }
            _ => return Member::Error,
        };
        // `x.Base::f`
        let scope = match self.qualifier(name) {
            super::names::Qualifier::Scope(s) => s,
            _ => self.decls[r].scope,
        };
        if let Some(path) = self.field_path(r, sym)
            && !path.last().is_some_and(|&(owner, _)| self.is_hidden(owner, sym))
        {
            let mut at = b;
            for (rec, f) in path {
                let place = self.place_keep(at);
                at = self.field_of(at, place, (rec, f), span);
            }
            return Member::Value(at);
        }
        let Some(found) = self.lookup_after(scope, sym) else {
            if self.refuses_host() && self.has_host_function(r, sym) {
                let (m, there) = (self.text(sym).to_owned(), self.p.types.record(r).span);
                self.call_of_host(&m, there, None, n.span, span);
                return Member::Error;
            }
            self.note_host_missed(Some(r), sym);
            self.note_host_class(r);
            let (m, t) = (self.text(sym).to_owned(), self.show(self.ty(b)));
            let near = self.nearest_member(r, sym);
            let mut d = Diagnostic::error("E0411", n.span, format!("no member named `{m}` in `{t}`"));
            if let Some(near) = near {
                d = d.help(format!("did you mean `{near}`?"));
            }
            self.report(d);
            return Member::Error;
        };
        // A member of a base class: the object is that base's part.
        let obj = match found.record {
            Some(owner) if owner != r => {
                let p = self.place_keep(b);
                match self.base_offset(r, owner) {
                    Some(o) => {
                        let bt = self.p.types.intern(Ty::Record(owner));
                        let part = self.base_place(p, bt, o);
                        self.part_of(b, part)
                    }
                    None => p,
                }
            }
            _ => b,
        };
        match found.entities.first() {
            Some(Entity::Field(rec, f)) => {
                let (rec, f) = (*rec, *f);
                let p = self.place_keep(obj);
                Member::Value(self.field_of(obj, p, (rec, f), span))
            }
            Some(Entity::Var(v)) => Member::Value(self.var_place(*v, span)),
            Some(Entity::Const(v, t)) => Member::Value(self.int(i128::from(*v), *t, span)),
            Some(Entity::Fn(_) | Entity::Template(_)) => Member::Functions(found.entities.to_vec(), obj),
            _ => Member::Error,
        }
    }

    fn nearest_member(&self, r: RecordId, sym: source::Symbol) -> Option<String> {
        let want = self.text(sym);
        let fields = self.p.types.record(r).fields.iter().filter_map(|f| f.name).map(|s| self.text(s));
        source::words::nearest(want, fields).map(str::to_owned)
    }

    /// A place to reach into: values are put into a temporary.
    fn place_keep(&mut self, b: ExprId) -> ExprId {
        self.place(b)
    }

    /// A field of an object, whose place is `place`; of an object that rvalue references bind to it is one, too.
    fn field_of(&mut self, object: ExprId, place: ExprId, (rec, f): (RecordId, u32), span: Span) -> ExprId {
        let field = self.field_place(place, rec, f, span);
        let refers = matches!(self.p.types.get(self.p.types.record(rec).fields[f as usize].ty), Ty::Reference { .. });
        if refers { field } else { self.part_of(object, field) }
    }

    /// The place of a field.
    pub(crate) fn field_place(&mut self, base: ExprId, record: RecordId, field: u32, span: Span) -> ExprId {
        let x = *self.e(base);
        if let Some((cond, then, other)) = self.mixed_choice(base) {
            let (then, other) =
                (self.field_place(then, record, field, span), self.field_place(other, record, field, span));
            let t = *self.e(then);
            let quals = t.quals.with(self.e(other).quals);
            let place = self.lv(ExprKind::Cond { cond, then, other }, t.ty, quals, x.space, span);
            return self.part_of(base, place);
        }
        if self.refuse_virtual_bases_of(record, span) {
            return self.err(span);
        }
        let f = self.p.types.record(record).fields[field as usize].clone();
        if let Some((before, there)) = self.decls[record].unplaced
            && field >= before
            && !self.reads_host()
        {
            let name = f.name.map(|n| self.text(n).to_owned()).unwrap_or_default();
            let d = Diagnostic::error("E0433", span, format!("where `{name}` lies in its class is not known"));
            self.report(d.label(there, "only the host knows how large this is"));
            return self.err(span);
        }
        let mut quals = f.quals.with(x.quals.without(Quals::RESTRICT));
        if f.mutable {
            quals = quals.without(Quals::CONST);
        }
        if let Ty::Reference { .. } = *self.p.types.get(f.ty) {
            let ptr = self.lowered_ty(f.ty);
            let p = self.lv(ExprKind::Field { base, record, field }, ptr, Quals::NONE, x.space, span);
            let v = self.rv(ExprKind::Load(p), ptr, span);
            return self.deref(v, span);
        }
        self.lv(ExprKind::Field { base, record, field }, f.ty, quals, x.space, span)
    }

    /// A field named without object: through `this`.
    pub(crate) fn implicit_member(&mut self, rec: RecordId, field: u32, span: Span) -> ExprId {
        if self.cx.unevaluated > 0 && (self.cx.this.is_none() || self.cx.in_result_type) {
            let f = self.p.types.record(rec).fields[field as usize].clone();
            return self.lv(ExprKind::Error, f.ty, f.quals, AddrSpace::Generic, span);
        }
        let Some(obj) = self.this_object(span) else {
            let name = self.p.types.record(rec).fields[field as usize].name;
            let name = name.map(|n| self.text(n).to_owned()).unwrap_or_default();
            self.error("E0434", span, format!("member `{name}` needs an object"));
            return self.err(span);
        };
        let own = self.p.types.as_record(self.ty(obj));
        let obj = match own {
            Some(d) if d != rec => match self.base_offset(d, rec) {
                Some(o) => {
                    let bt = self.p.types.intern(Ty::Record(rec));
                    self.base_place(obj, bt, o)
                }
                None => return self.anonymous_member(obj, d, rec, field, span),
            },
            _ => obj,
        };
        self.field_place(obj, rec, field, span)
    }

    /// A field of an anonymous member of the object.
    fn anonymous_member(&mut self, obj: ExprId, d: RecordId, rec: RecordId, field: u32, span: Span) -> ExprId {
        let Some(name) = self.p.types.record(rec).fields[field as usize].name else { return self.err(span) };
        let Some(path) = self.field_path(d, name) else { return self.err(span) };
        let mut at = obj;
        for (r, f) in path {
            at = self.field_place(at, r, f, span);
        }
        at
    }

    /// `*this`.
    pub(crate) fn this_object(&mut self, span: Span) -> Option<ExprId> {
        if let Some(p) = self.captured_this(span) {
            return Some(self.deref(p, span));
        }
        let (l, ..) = self.cx.this?;
        let place = self.local_place(l, span);
        let ty = self.ty(place);
        let p = self.rv(ExprKind::Load(place), ty, span);
        Some(self.deref(p, span))
    }

    // ---- vectors -----------------------------------------------------------------------------------------------

    fn swizzle(&mut self, base: ExprId, n: u8, text: &str, span: Span) -> ExprId {
        let comps = match swizzle_components(text, n) {
            Ok(c) => c,
            Err(why) => {
                let t = self.show(self.ty(base));
                self.report(Diagnostic::error("E0435", span, format!("`{text}` is no component of `{t}`")).note(why));
                return self.err(span);
            }
        };
        let elem = self.p.types.scalar_of(self.ty(base));
        let ty = if comps.len() == 1 { elem } else { self.p.types.vector(elem, comps.len() as u8) };
        let x = *self.e(base);
        // A swizzle of a swizzle names components of the vector beneath.
        if let ExprKind::Swizzle { base: inner, comps: outer } = x.kind {
            let all: Vec<u8> = outer.iter().collect();
            let mapped: Vec<u8> = comps.iter().filter_map(|&c| all.get(c as usize).copied()).collect();
            let kind = ExprKind::Swizzle { base: inner, comps: Components::new(&mapped) };
            return self.push_expr(crate::program::Expr { kind, ty, span, ..x });
        }
        let kind = ExprKind::Swizzle { base, comps: Components::new(&comps) };
        if x.cat == Category::LValue { self.lv(kind, ty, x.quals, x.space, span) } else { self.rv(kind, ty, span) }
    }

    // ---- CUDA's variables --------------------------------------------------------------------------------------

    fn special(&mut self, s: Special, ty: TyId, span: Span) -> ExprId {
        self.rv(ExprKind::Builtin { meaning: Meaning::Op(Op::Item(ItemOp::Special(s))), args: ListId::EMPTY }, ty, span)
    }

    /// `threadIdx.x` and its like.
    fn special_component(&mut self, base: ast::ExprId, arrow: bool, name: ast::NameId, span: Span) -> Option<ExprId> {
        if !self.is_cuda() || arrow {
            return None;
        }
        let ast::ExprKind::Name(n) = self.ast[base].kind else { return None };
        let sym = self.ast.plain_name(n)?;
        let var = CudaVariable::from_name(self.text(sym))?;
        if var == CudaVariable::WarpSize || self.lookup(sym).is_some() {
            return None;
        }
        let axis = match self.last_symbol(name).map(|s| self.text(s)) {
            Some("x") => Axis::X,
            Some("y") => Axis::Y,
            Some("z") => Axis::Z,
            _ => {
                let base = self.text(sym).to_owned();
                self.error("E0411", span, format!("`{base}` has the members `x`, `y` and `z`"));
                return Some(self.err(span));
            }
        };
        Some(self.special(var.special(axis), TyId::UINT, span))
    }

    /// `threadIdx` as a whole, `warpSize`.
    pub(crate) fn special_variable(&mut self, sym: source::Symbol, span: Span) -> Option<ExprId> {
        if !self.is_cuda() {
            return None;
        }
        let var = CudaVariable::from_name(self.text(sym))?;
        if var == CudaVariable::WarpSize {
            return Some(if self.opts.target.has_late_warp_size() {
                self.special(Special::WarpSize, TyId::INT, span)
            } else {
                self.int(i128::from(self.opts.target.warp_size()), TyId::INT, span)
            });
        }
        let dims = matches!(var, CudaVariable::BlockDim | CudaVariable::GridDim);
        let ty = self.sess.intern(if dims { "dim3" } else { "uint3" });
        let ty = self.cuda_vec_type(ty)?;
        let start = self.p.init_pool.len() as u32;
        let mut elems = Vec::new();
        for (i, axis) in [Axis::X, Axis::Y, Axis::Z].into_iter().enumerate() {
            let value = self.special(var.special(axis), TyId::UINT, span);
            elems.push(InitElem { offset: 4 * i as u64, bits: None, value, repeat: 1 });
        }
        self.p.init_pool.extend(elems);
        let kind = ExprKind::Aggregate { elems: ListId { start, len: 3 }, zero_fill: false };
        Some(self.rv(kind, ty, span))
    }

    /// The functions among entities, for messages.
    pub(crate) fn functions_of(entities: &[Entity]) -> Vec<FnId> {
        entities.iter().filter_map(|e| if let Entity::Fn(f) = e { Some(*f) } else { None }).collect()
    }

    /// Pointer to generic of a place, without conversions beyond what the dialect does.
    pub(crate) fn place_pointer(&mut self, place: ExprId, to: TyId) -> ExprId {
        let a = self.address(place);
        let from = self.ty(a);
        if from == to {
            return a;
        }
        let same_space = match (self.p.types.get(from), self.p.types.get(to)) {
            (Ty::Pointer { space: x, .. }, Ty::Pointer { space: y, .. }) => x == y,
            _ => true,
        };
        let kind = if same_space { CastKind::PtrToPtr } else { CastKind::AddrSpace };
        let span = self.span(place);
        self.rv(ExprKind::Cast { kind, operand: a }, to, span)
    }
}

/// The components that `.xyz`, `.s01`, `.lo`, `.even` … name.
fn swizzle_components(text: &str, n: u8) -> Result<Vec<u8>, &'static str> {
    let half = n.div_ceil(2);
    // Halves of a 3-vector are those of a 4-vector, whose last component is undefined: index 3, which is no lane.
    let all: u8 = if n == 3 { 4 } else { n };
    let list: Vec<u8> = match text {
        "lo" => (0..half).collect(),
        "hi" => (half..all).collect(),
        "even" => (0..all).step_by(2).collect(),
        "odd" => (1..all).step_by(2).collect(),
        _ => {
            let bytes = text.as_bytes();
            if bytes.len() > 1 && matches!(bytes[0], b's' | b'S') {
                let digit = |b: &u8| (*b as char).to_digit(16).map(|d| d as u8);
                bytes[1..].iter().map(digit).collect::<Option<_>>().ok_or("`s` is followed by hexadecimal digits")?
            } else {
                let set: &[u8] = if bytes.iter().all(|b| b"xyzw".contains(b)) { b"xyzw" } else { b"rgba" };
                let index = |b: &u8| set.iter().position(|s| s == b).map(|i| i as u8);
                bytes
                    .iter()
                    .map(index)
                    .collect::<Option<_>>()
                    .ok_or("components are named by `xyzw`, by `s` and digits, or by `lo`, `hi`, `even`, `odd`")?
            }
        }
    };
    if !matches!(list.len(), 1 | 2 | 3 | 4 | 8 | 16) {
        return Err("a vector has 2, 3, 4, 8 or 16 components");
    }
    if list.iter().any(|&c| c >= all || (c >= n && !matches!(text, "hi" | "odd"))) {
        return Err("the vector has fewer components");
    }
    Ok(list)
}
