//! Classes: bodies, layout, special member functions.

mod comparison;
mod copies;
mod eligible;
pub(in crate::check) mod friends;
mod host_members;
mod inherited;
mod layout;
mod local;
mod provided;
mod special;
mod specials;
mod unplaced;
mod using;
mod virtuals;

pub(super) use local::needs_no_object;
pub(crate) use virtuals::{Slot, Virtuals};

pub(crate) use host_members::HostMembers;
use layout::{Layout, Member};
pub(crate) use provided::Copier;
use smallvec::SmallVec;
use source::{Diagnostic, Span};
pub(crate) use specials::{Special, Specials};
use syntax::ast::{self, AccessSpec, DeclKind, DeclSpecs};

use super::{BodySource, Checker, Entity, FnDecl, FnKind, RTy, ScopeKind, VarDecl, VarId, with_scope};
use crate::program::Side;
use crate::types::{AddrSpace, Base, Field, Quals, RecordId, Ty, TyId};

impl Checker<'_> {
    /// `struct S …`: declared, and defined if it has a body.
    pub(crate) fn declare_record(&mut self, id: ast::DeclId, d: &ast::Decl, r: ast::RecordId) -> TyId {
        let rec = self.ast[r];
        let sym = self.decl_symbol(d);
        let scope = self.scope;
        let is_union = rec.tag == ast::TagKind::Union;
        let existing = sym.and_then(|s| {
            let here = if self.cx.block_depth > 0 {
                let block = self.cx.block_start;
                self.cx.names.of(s).take_while(|(at, _)| *at >= block).find_map(|(_, e)| tag_of(&e))
            } else {
                self.decls.bound(scope, s).iter().find_map(tag_of)
            };
            here.filter(|t| self.p.types.as_record(*t).is_some())
        });
        if let (Some(s), None, false) = (sym, existing, rec.defined)
            && let Some(provided) = self.declared_elsewhere(s)
        {
            return provided;
        }
        if let (Some(s), None, 0) = (sym, existing, self.cx.block_depth)
            && let Some(there) = self.class_template_here(s)
        {
            self.redefined(s, d.span, there);
        }
        let ty = existing.unwrap_or_else(|| {
            let path = self.tag_path(sym);
            let ty = self.new_record(path, is_union, d.span, scope);
            if let Some(s) = sym {
                self.bind_tag(s, ty, self.cx.block_depth == 0, scope);
            }
            ty
        });
        let Some(rid) = self.p.types.as_record(ty) else { return ty };
        if !rec.defined {
            return ty;
        }
        if self.p.types.record(rid).complete {
            let (name, there) = (self.show(ty), self.p.types.record(rid).span);
            let dg = Diagnostic::error("E0355", d.span, format!("redefinition of `{name}`"))
                .label(there, "previous definition is here");
            self.report(dg);
            return ty;
        }
        if self.is_cxx() && self.cx.block_depth > 0 {
            let own = self.decls[rid].scope;
            let around = self.block_scope();
            self.decls[own].parent = Some(around);
        }
        // A class in an instance of a template is made when it is used: the class around it may be a member of it.
        let inner = matches!(self.decls[scope].kind, ScopeKind::Record(_)) && self.decls.is_in_template(scope);
        if inner && sym.is_some() && self.cx.decl.is_none() && self.cx.block_depth == 0 {
            self.decls[rid].lazy = Some((id, scope));
        } else {
            self.holding_class(rid, |c| c.define_record(rid, id));
        }
        ty
    }

    /// Where this scope has a class template of a name.
    fn class_template_here(&self, sym: source::Symbol) -> Option<Span> {
        self.decls.bound(self.scope, sym).iter().find_map(|e| match *e {
            Entity::Template(t) if self.decls[t].kind == super::TemplateKind::Class => Some(self.decls[t].span),
            _ => None,
        })
    }

    /// The type that `struct __half;` or `struct float4;` outside of everything means: headers that want to know no more
    /// than the names of CUDA's own types declare them so.
    fn declared_elsewhere(&mut self, sym: source::Symbol) -> Option<TyId> {
        let outside = self.cx.block_depth == 0 && self.decls[self.scope].name == crate::types::NameId::ROOT;
        if outside { self.provided_class(sym) } else { None }
    }

    /// CUDA's own class of a name, as `struct float4` means it: `half`, `uint` and the like are other names of types.
    pub(crate) fn provided_class(&mut self, sym: source::Symbol) -> Option<TyId> {
        if !self.is_cuda() {
            return None;
        }
        let name = self.text(sym);
        if name.starts_with("__half") || name.starts_with("__nv_bfloat") {
            return self.provided_type(sym);
        }
        self.cuda_vec_type(sym)
    }

    /// The class that stands for a half-precision type where others are derived from it; other types are themselves.
    pub(crate) fn half_object(&mut self, t: TyId) -> TyId {
        let name = match t {
            TyId::HALF => "__half_object",
            TyId::BFLOAT16 => "__nv_bfloat16_object",
            _ => return t,
        };
        let class = self.sess.strings.get(name).and_then(|s| self.lookup_in(super::ScopeId(0), s));
        match class.as_ref().and_then(|found| found.entities.first()) {
            Some(&super::Entity::Tag(class)) => class,
            Some(super::Entity::Type(class)) => class.ty,
            _ => t,
        }
    }

    /// Reads the body of an instance of a class template, if that is still to be done.
    pub(crate) fn complete_record(&mut self, r: RecordId) {
        self.choose_again(r);
        let lazy = if self.decls[r].lazy.is_some() { self.decls[r].lazy.take() } else { None };
        let Some((decl, scope)) = lazy.or_else(|| self.body_outside(r)) else {
            return self.repeat_errors(r);
        };
        if self.inst.depth >= super::MAX_INSTANTIATION_DEPTH {
            let span = self.p.types.record(r).span;
            self.error("E0450", span, format!("templates nest deeper than {}", super::MAX_INSTANTIATION_DEPTH));
            return;
        }
        self.inst.depth += 1;
        let ty = self.p.types.intern(Ty::Record(r));
        self.inst.within.push(super::instance_notes::Within::Class(ty));
        let saved_cx = std::mem::take(&mut self.cx);
        self.substituting(false, |c| c.holding_record(r, |c| with_scope!(c, scope, c.define_record(r, decl))));
        self.cx = saved_cx;
        self.inst.within.pop();
        self.inst.depth -= 1;
    }

    /// Reads a class's body: members, layout, and what follows from them.
    pub(crate) fn define_record(&mut self, r: RecordId, id: ast::DeclId) {
        let ast = self.ast;
        let d = ast[id];
        let DeclKind::Record(ar) = d.kind else { return };
        let rec = ast[ar];
        self.decls[r].ast = Some(id);
        let scope = self.decls[r].scope;
        let ty = self.p.types.intern(Ty::Record(r));
        // The injected name.
        if self.is_cxx()
            && let Some(sym) = self.decl_symbol(&d)
        {
            self.decls.bind(scope, sym, Entity::Type(RTy::plain(ty)));
        }
        let (saved_cx_depth, saved) = (self.cx.block_depth, self.scope);
        // In C a structure is no scope: tags and enumerators in it belong to what is around it (C11 6.2.1p4).
        if self.is_cxx() {
            self.cx.block_depth = 0;
            self.read_bases(r, &rec, d.span);
            self.scope = scope;
        }
        self.note_host_members(r, d.name, &rec);
        let mut layout = Layout::new(self, r, &rec, d.attrs);
        let mut functions: SmallVec<[(ast::DeclId, ast::FunctionId); 8]> = SmallVec::new();
        let (mut private, mut public) = (false, false);
        let mut inherited: SmallVec<[RecordId; 2]> = SmallVec::new();
        let mut brought = Vec::new();
        for &m in ast.list(rec.members) {
            let m = self.member_as_seen(m);
            let md = ast[m];
            let asks = !matches!(md.kind, DeclKind::Function(_) | DeclKind::Access(_) | DeclKind::Friend(_));
            if asks && !functions.is_empty() {
                self.static_functions(r, &mut functions);
            }
            match md.kind {
                DeclKind::Field { ty, bits, init } => {
                    (private, public) = (private || layout.private, public || !layout.private);
                    self.read_field(r, m, ty, bits, init, &mut layout);
                }
                DeclKind::HostOnly(ast::HostReason::Member) if !self.reads_host() => {
                    self.unplaced_from_here(r, md.span)
                }
                DeclKind::Access(a) => layout.private = a != ast::AccessSpec::Public,
                // `__device__ friend T f(…)`: the word need not stand first.
                DeclKind::Function(f) if md.specs.has(DeclSpecs::FRIEND) => {
                    let ns = self.decls.namespace_of(self.scope);
                    with_scope!(self, ns, self.declare_friend(m, f, scope));
                }
                DeclKind::Function(f) => functions.push((m, f)),
                DeclKind::Var { ty, init, .. } => self.static_member(r, m, ty, init),
                DeclKind::Record(_) | DeclKind::Enum { .. } => {
                    // What it declares, anonymous members too, stands behind it as fields.
                    self.declare_tag(m);
                }
                DeclKind::Typedef { ty } => self.typedef(m, ty),
                DeclKind::Using => match self.inherits_from(r, &md) {
                    Some(base) => inherited.push(base),
                    None => {
                        self.using(&md);
                        brought.extend(self.name_in_scope(md.name));
                    }
                },
                DeclKind::StaticAssert { cond, message } => self.assertion(cond, message, md.span),
                DeclKind::Template { params, decl } if self.is_friend_function(decl) => {
                    self.declare_friend_template(params, decl);
                }
                DeclKind::Template { params, decl } => {
                    self.declare_template(params, decl, Some(r));
                    if matches!(ast[decl].kind, DeclKind::Function(f) if ast[f].kind == syntax::ast::FunctionKind::Constructor)
                    {
                        self.decls[r].has_ctor = true;
                    }
                }
                DeclKind::Friend(inner) => self.befriend(inner, scope),
                _ => {}
            }
        }
        layout.finish(self, r);
        self.inherit_slots(r);
        (self.decls[r].has_private, self.decls[r].mixes_access) = (private, private && public);
        self.p.types.records[r.0 as usize].complete = true;
        for (m, f) in functions {
            self.member_function(r, m, f);
        }
        self.hide_brought(r, brought);
        for base in inherited {
            self.inherit_constructors(r, base);
        }
        self.scope = saved;
        self.finish_class(r);
        self.cx.block_depth = saved_cx_depth;
        if self.cx.decl.is_none() || self.cx.block_depth > 0 {
            self.check_deferred();
        }
    }

    /// What a member is for who reads: the host's code or the device's.
    fn member_as_seen(&self, m: ast::DeclId) -> ast::DeclId {
        match self.ast[m].kind {
            DeclKind::HostView(inner) if self.reads_host() => inner,
            DeclKind::DeviceView(inner) if !self.reads_host() => inner,
            _ => m,
        }
    }

    /// A friend of the class with this scope.
    fn befriend(&mut self, friend: ast::DeclId, scope: super::ScopeId) {
        if let DeclKind::Function(f) = self.ast[friend].kind {
            let ns = self.decls.namespace_of(self.scope);
            with_scope!(self, ns, self.declare_friend(friend, f, scope));
        }
    }

    /// Declares the static ones of the member functions read so far: `decltype(f())` in the class may name them, before the
    /// class is complete.
    fn static_functions(&mut self, r: RecordId, functions: &mut SmallVec<[(ast::DeclId, ast::FunctionId); 8]>) {
        let is_static = |c: &Self, m: ast::DeclId| c.ast[m].specs.has(DeclSpecs::STATIC);
        let now: SmallVec<[_; 8]> = functions.iter().copied().filter(|&(m, _)| is_static(self, m)).collect();
        functions.retain(|&mut (m, _)| !is_static(self, m));
        for (m, f) in now {
            self.member_function(r, m, f);
        }
    }

    /// The bodies of a class's members can use all of it, so they come when it is complete.
    pub(crate) fn check_deferred(&mut self) {
        let all = std::mem::take(&mut self.inst.deferred_members);
        // A nested class, or one that a constant of the class needs, is complete before the class around it is.
        let (waiting, ready): (Vec<_>, Vec<_>) = all.into_iter().partition(|&f| self.is_of_open_class(f));
        self.inst.deferred_members = waiting;
        for f in ready {
            self.check_body(f);
        }
    }

    /// Whether a class around a function is not complete yet.
    fn is_of_open_class(&self, f: crate::check::FnId) -> bool {
        let mut at = Some(self.decls[f].scope);
        while let Some(s) = at {
            if self.record_of_scope(s).is_some_and(|r| !self.p.types.record(r).complete) {
                return true;
            }
            at = self.decls[s].parent;
        }
        false
    }

    fn read_bases(&mut self, r: RecordId, rec: &ast::Record, span: Span) {
        let ast = self.ast;
        for b in ast.list(rec.bases) {
            if b.is_virtual {
                self.decls.virtual_bases.insert(r);
            }
            let mark = self.sess.diagnostics.len();
            let expanded = if b.pack { self.expand_type_pack(b.ty) } else { vec![self.resolve(b.ty)] };
            if expanded.iter().any(|t| t.ty == TyId::ERROR)
                && let Some(there) = self.base_of_host(b.ty)
            {
                self.sess.diagnostics.truncate(mark);
                self.unplaced_from_here(r, there);
                continue;
            }
            for t in expanded {
                let access = b.access.unwrap_or(match rec.tag {
                    ast::TagKind::Class => AccessSpec::Private,
                    _ => AccessSpec::Public,
                });
                self.read_base(r, t.ty, access, span);
            }
        }
    }

    fn read_base(&mut self, r: RecordId, t: TyId, access: AccessSpec, span: Span) {
        let t = self.half_object(t);
        let Some(base) = self.p.types.as_record(t) else {
            if t != TyId::ERROR && !self.p.types.is_dependent(t) {
                let name = self.show(t);
                self.error("E0452", span, format!("base `{name}` is not a class"));
            }
            return;
        };
        if let Some(there) = self.held_class(base) {
            return self.unplaced_from_here(r, there);
        }
        self.complete_record(base);
        if !self.p.types.record(base).complete {
            if let Some(there) = self.record_of_host(base) {
                self.unplaced_from_here(r, there);
                let (own, its) = (self.decls[r].scope, self.decls[base].scope);
                self.decls.see_through(own, its);
                return;
            }
            let name = self.show(t);
            self.error("E0353", span, format!("base class `{name}` is incomplete"));
            return;
        }
        if let Some((_, there)) = self.decls[base].unplaced {
            self.unplaced_from_here(r, there);
        }
        self.p.types.records[r.0 as usize].bases.push(Base { record: base, offset: 0, access });
    }

    fn read_field(
        &mut self,
        r: RecordId,
        id: ast::DeclId,
        ty: ast::TypeId,
        bits: Option<ast::ExprId>,
        init: Option<ast::ExprId>,
        layout: &mut Layout,
    ) {
        let d = self.ast[id];
        let t = self.resolve(ty);
        let name = self.decl_symbol(&d);
        self.refuse_getter(&d);
        if t.ty == TyId::ERROR {
            // Of a header's class that is an error only where it matters: nobody knows where what lies behind it does.
            if self.is_of_header(d.span) {
                self.unplaced_from_here(r, d.span);
            }
            return;
        }
        if self.refuse_opaque(t.ty, d.span, "field of type") {
            return;
        }
        let flexible = matches!(self.p.types.get(t.ty), Ty::Array { len: None, .. });
        let class = self.array_record(t.ty);
        if let Some(there) = class.and_then(|class| self.held_class(class)) {
            return self.unplaced_from_here(r, there);
        }
        if let Some(rec) = class {
            self.complete_record(rec);
        }
        if !flexible && self.p.types.size_of(t.ty).is_none() && !self.inst.in_pattern {
            if let Some(there) = class.and_then(|class| self.record_of_host(class)) {
                return self.unplaced_from_here(r, there);
            }
            let n = self.show(t.ty);
            self.error("E0353", d.span, format!("field has incomplete type `{n}`"));
            return;
        }
        if self.is_opencl() && t.space.is_some_and(|s| s != AddrSpace::Private) {
            self.error("E0453", d.span, "field may not be qualified with an address space");
        }
        let width = match bits {
            None => None,
            Some(e) => {
                let span = self.ast[e].span;
                let w = self.constant_expr(e).and_then(|v| self.int_constant(v));
                let max = self.p.types.size_of(t.ty).unwrap_or(0) * 8;
                match w {
                    Some(w)
                        if w >= 0
                            && w <= i128::from(max)
                            && self.p.types.is_integral(t.ty)
                            && !self.p.types.is_wide(t.ty) =>
                    {
                        Some(w as u32)
                    }
                    _ => {
                        self.error(
                            "E0454",
                            span,
                            "the width of a bit-field must be a constant that fits its integer type",
                        );
                        None
                    }
                }
            }
        };
        self.add_field(r, name, t, width, Some((d.attrs, d.specs)), d.span, layout);
        if let Some((_, there)) = class.and_then(|inner| self.decls[inner].unplaced) {
            self.unplaced_from_here(r, there);
        }
        if let Some(e) = init {
            let i = self.p.types.record(r).fields.len() - 1;
            let inits = &mut self.decls[r].inits;
            inits.resize(i + 1, None);
            inits[i] = Some(e);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what a field declaration says")]
    fn add_field(
        &mut self,
        r: RecordId,
        name: Option<source::Symbol>,
        t: RTy,
        width: Option<u32>,
        more: Option<(ast::List<ast::Attr>, DeclSpecs)>,
        span: Span,
        layout: &mut Layout,
    ) {
        if let Some(n) = name
            && let Some(path) = self.field_path(r, n)
        {
            let (rec, f) = path[path.len() - 1];
            let there = self.p.types.record(rec).fields[f as usize].span;
            let text = self.text(n).to_owned();
            let d = Diagnostic::error("E0455", span, format!("duplicate member `{text}`"))
                .label(there, "previous declaration is here");
            self.report(d);
            return;
        }
        let align = more.and_then(|(a, _)| self.decl_align(a));
        let packed = more.is_some_and(|(a, _)| self.is_packed(a));
        let overlaps = more.is_some_and(|(a, _)| self.shares_its_bytes(a));
        let natural = t.align.unwrap_or_else(|| self.p.types.align_of(t.ty));
        let width = width.map(|w| (w, name.is_some()));
        let member = Member { ty: t.ty, natural, asked: align, packed, width, overlaps };
        let (offset, bits) = layout.place(&mut self.p.types, &member);
        let index = self.p.types.record(r).fields.len() as u32;
        self.p.types.records[r.0 as usize].fields.push(Field {
            name,
            ty: t.ty,
            quals: t.quals,
            mutable: more.is_some_and(|(_, s)| s.has(DeclSpecs::MUTABLE)),
            offset,
            bits,
            span,
        });
        let scope = self.decls[r].scope;
        match name {
            Some(n) => self.decls.bind(scope, n, Entity::Field(r, index)),
            None => {
                // Members of an anonymous member are visible in the class.
                if width.is_none()
                    && let Some(inner) = self.p.types.as_record(t.ty)
                {
                    self.bind_anonymous(scope, inner);
                }
            }
        }
    }

    fn bind_anonymous(&mut self, scope: super::ScopeId, inner: RecordId) {
        let fields = self.p.types.record(inner).fields.clone();
        for (i, f) in fields.iter().enumerate() {
            match f.name {
                Some(n) => self.decls.bind(scope, n, Entity::Field(inner, i as u32)),
                None => {
                    if let Some(deeper) = self.p.types.as_record(f.ty) {
                        self.bind_anonymous(scope, deeper);
                    }
                }
            }
        }
    }

    /// `static T x;` in a class: its initialiser is checked on first use.
    fn static_member(&mut self, r: RecordId, id: ast::DeclId, ty: ast::TypeId, init: ast::Init) {
        let d = self.ast[id];
        let Some(sym) = self.decl_symbol(&d) else { return };
        let mut t = if self.has_auto(ty) { self.resolve_auto(ty, init, d.span) } else { self.resolve(ty) };
        if d.specs.has(DeclSpecs::CONSTEXPR) {
            t.quals = t.quals.with(Quals::CONST);
        }
        let side = if d.specs.any(DeclSpecs::DEVICE.with(DeclSpecs::CONSTANT)) { Side::Device } else { Side::Host };
        let v = VarId(self.decls.vars.len() as u32);
        self.decls.vars.push(VarDecl {
            align: t.align,
            name: sym,
            ty: t.ty,
            quals: t.quals,
            span: d.span,
            global: None,
            space: if side == Side::Host || d.specs.has(DeclSpecs::CONSTANT) {
                AddrSpace::Constant
            } else {
                AddrSpace::Global
            },
            value: None,
            side,
            args: None,
            is_reference: matches!(self.p.types.get(t.ty), Ty::Reference { .. }),
            pending: (!matches!(init, ast::Init::None)).then_some((id, self.scope)),
        });
        let scope = self.decls[r].scope;
        self.decls.bind(scope, sym, Entity::Var(v));
        self.note_getter(v, &d);
    }

    fn member_function(&mut self, r: RecordId, id: ast::DeclId, f: ast::FunctionId) {
        let func = self.ast[f];
        let d = self.ast[id];
        if self.is_cuda() && func.host_only && !d.specs.any(DeclSpecs::DEVICE) {
            self.tolerate(id, |c| c.read_member_function(r, id, f));
        } else if self.is_of_header(d.span) {
            self.holding_declaration(id, |c| c.read_member_function(r, id, f));
        } else {
            self.read_member_function(r, id, f);
        }
    }

    fn read_member_function(&mut self, r: RecordId, id: ast::DeclId, f: ast::FunctionId) {
        let func = self.ast[f];
        let d = self.ast[id];
        let Some(sig) = self.signature(func.ty) else { return };
        let is_host = self.is_cuda()
            && (func.host_only || matches!(func.body, ast::Body::Skipped))
            && !d.specs.any(DeclSpecs::DEVICE);
        let decl = self.make_fn(id, &d, &func, sig, Some(r), is_host);
        let (kind, name, scope) = (decl.kind, decl.name, decl.scope);
        let has_body = matches!(decl.body, BodySource::Ast(_));
        let special = self.special_kind(&decl, r);
        let fid = self.push_fn(decl);
        self.decls.any_destructor |= kind == FnKind::Destructor;
        self.note_virtual(r, fid, d.specs.has(DeclSpecs::VIRTUAL) || func.pure, func.pure);
        let info = &mut self.decls[r];
        match kind {
            FnKind::Constructor => {
                info.has_ctor = true;
                info.declared.push(fid);
                if special {
                    // `= default` of copying is copying the bytes.
                } else {
                    info.ctors.push(fid);
                }
            }
            FnKind::Destructor => {
                info.dtor = Some(fid);
                info.dtors.push(fid);
            }
            FnKind::Conversion => info.conversions.push(fid),
            _ => {
                let s = info.scope;
                self.decls.bind(s, name, Entity::Fn(fid));
            }
        }
        if has_body && !self.decls.is_in_template(scope) {
            self.inst.deferred_members.push(fid);
        }
    }

    /// Whether it is a defaulted copy or move operation, which needs no function.
    fn special_kind(&mut self, d: &FnDecl, r: RecordId) -> bool {
        if d.body != BodySource::Defaulted || d.params.len() != 1 {
            return false;
        }
        let p = self.strip_reference(d.params[0].ty);
        self.p.types.as_record(p) == Some(r)
    }

    /// Whether the class is a POD of C++03, which is what the Itanium ABI asks for.
    fn is_plain(&mut self, r: RecordId) -> bool {
        if self.is_polymorphic(r) {
            return false;
        }
        let (rec, info) = (self.p.types.record(r), &self.decls[r]);
        // What is left to the compiler does not count (nvcc and clang; deleted constructors do to nvcc since C++20).
        let left_out = |f: super::FnId| matches!(self.decls[f].body, BodySource::Defaulted | BodySource::Deleted);
        let is_20 = self.is_20();
        let plainly_made = |&f: &super::FnId| {
            left_out(f) && !self.decls[f].explicit && !(is_20 && self.decls[f].body == BodySource::Deleted)
        };
        let made = !self.has_constructor_template(r)
            && info.inherits.is_empty()
            && (!info.declared.is_empty() || !info.has_ctor)
            && info.declared.iter().all(plainly_made);
        // One that takes something else is no assignment of the class.
        let own = |e: &Entity| match *e {
            Entity::Fn(f) => {
                let taken = self.decls[f].params.first().map(|p| self.strip_reference(p.ty));
                taken.is_some_and(|t| self.p.types.as_record(t) == Some(r)) && !left_out(f)
            }
            _ => false,
        };
        let assigns =
            self.sess.strings.get("operator=").is_some_and(|s| self.decls.bound(info.scope, s).iter().any(own));
        rec.bases.is_empty()
            && made
            && info.dtor.is_none_or(left_out)
            && !info.has_private
            && !assigns
            && !(info.host.constructor || info.host.destructor || info.host.assigns)
            && info.inits.iter().all(Option::is_none)
            && rec.fields.iter().all(|f| {
                !matches!(self.p.types.get(f.ty), Ty::Reference { .. })
                    && self.array_record(f.ty).is_none_or(|m| self.p.types.record(m).plain)
            })
    }

    fn has_constructor_template(&self, r: RecordId) -> bool {
        let name = self.sess.strings.get("constructor template");
        name.is_some_and(|s| !self.decls.bound(self.decls[r].scope, s).is_empty())
    }

    /// Whether the program is written in C++20 or later.
    pub(crate) fn is_20(&self) -> bool {
        self.opts.dialect.cplusplus().is_some_and(|v| v > 201_703)
    }

    /// Whether constructors keep a class from being an aggregate: since C++20 any that it declares, before not those that it
    /// leaves to the compiler (C++17, 11.6.1p1).
    pub(crate) fn makes_by_constructor(&self, r: RecordId) -> bool {
        let info = &self.decls[r];
        if !info.has_ctor || !self.is_cuda() || self.is_20() {
            return info.has_ctor || info.host.constructor && self.refuses_host();
        }
        let left_out = |f: super::FnId| self.decls[f].body == BodySource::Defaulted && !self.decls[f].explicit;
        let default = info.declared.iter().any(|&f| self.decls[f].params.is_empty());
        let templates = self.has_constructor_template(r);
        let aggregate =
            default && !templates && !info.has_private && info.inherits.is_empty() && !self.is_polymorphic(r);
        !aggregate || !info.declared.iter().all(|&f| left_out(f))
    }

    fn finish_class(&mut self, r: RecordId) {
        self.keep_eligible(r);
        self.p.types.records[r.0 as usize].plain = self.is_plain(r);
        self.made_equality(r);
        self.made_destructor(r);
        self.leave_objects_to_host(r);
        let own = self.copy_constructor(r).is_some() || self.destructor_of(r).is_some();
        let rec = self.p.types.record(r);
        let member = |t| self.array_record(t).is_some_and(|m| !self.p.types.record(m).trivial);
        let parts = rec.bases.iter().any(|b| !self.p.types.record(b.record).trivial)
            || !rec.is_union && rec.fields.iter().any(|f| member(f.ty));
        self.p.types.records[r.0 as usize].trivial = !own && !parts;
        self.decls[r].finished = true;
    }
}

/// Largest array whose elements' destructors are called one by one.
const MAX_DESTROYED: u64 = 256;

fn tag_of(e: &Entity) -> Option<TyId> {
    match e {
        Entity::Type(t) => Some(t.ty),
        Entity::Tag(t) => Some(*t),
        _ => None,
    }
}

impl Checker<'_> {
    /// Whether a scope belongs to a record.
    pub(crate) fn record_of_scope(&self, s: super::ScopeId) -> Option<RecordId> {
        match self.decls[s].kind {
            ScopeKind::Record(r) => Some(r),
            _ => None,
        }
    }
}
