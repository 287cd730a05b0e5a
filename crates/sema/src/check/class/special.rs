//! Special member functions.

use super::MAX_DESTROYED;
use crate::check::call::Arg;
use crate::check::convert::Why;
use crate::check::{BodySource, Checker, FnId, FnKind, with_scope};
use crate::program::{ExprId, ExprKind, StmtId, StmtKind};
use crate::types::{OperatorName, Quals, RecordId, Ty, TyId};
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind};

impl Checker<'_> {
    /// A constructor the user wrote for copying.
    pub(crate) fn copy_constructor(&mut self, r: RecordId) -> Option<FnId> {
        let ctors = self.decls[r].ctors.clone();
        ctors.into_iter().find(|c| {
            let d = &self.decls[*c];
            let rest = d.params.iter().skip(1).all(|p| p.default.is_some());
            !d.params.is_empty()
                && rest
                && d.body != BodySource::Deleted
                && matches!(*self.p.types.get(d.params[0].ty), Ty::Reference { pointee, rvalue: false, .. }
                    if self.p.types.as_record(pointee) == Some(r))
        })
    }

    /// The destructor, if destroying does anything.
    pub(crate) fn destructor_of(&mut self, r: RecordId) -> Option<FnId> {
        self.complete_record(r);
        let d = self.decls[r].dtor?;
        let decl = &self.decls[d];
        if matches!(decl.body, BodySource::Defaulted | BodySource::Deleted) {
            return None;
        }
        if let BodySource::Ast(a) = decl.body
            && let DeclKind::Function(f) = self.ast[a].kind
            && let ast::Body::Stmt(s) = self.ast[f].body
            && matches!(self.ast[s].kind, ast::StmtKind::Compound(l) if l.is_empty())
        {
            return None;
        }
        Some(d)
    }

    /// Whether default initialisation runs code.
    pub(crate) fn has_nontrivial_default(&mut self, r: RecordId) -> bool {
        if !self.is_cxx() {
            return false;
        }
        self.default_constructor(r).is_some() || self.only_host_makes(r) || {
            let info = &self.decls[r];
            // `C() = default;` that has nothing to do is as none.
            let defaulted = info.ctors.iter().any(|f| {
                let d = &self.decls[*f];
                d.body == BodySource::Defaulted && d.params.is_empty()
            });
            info.has_ctor && info.cuda_vec.is_none() && !defaulted
        }
    }

    /// Whether the constructor without arguments, if there is one, is empty, and so are those of bases and members.
    pub(crate) fn constructs_nothing(&mut self, r: RecordId) -> bool {
        if !self.has_nontrivial_default(r) {
            return true;
        }
        let Some(f) = self.default_constructor(r) else { return false };
        let empty = match self.decls[f].body {
            BodySource::Ast(d) => match self.ast[d].kind {
                ast::DeclKind::Function(f) => self.empty_function(f),
                _ => false,
            },
            BodySource::Defaulted => true,
            _ => false,
        };
        if !empty || self.is_polymorphic(r) || self.decls[r].inits.iter().any(Option::is_some) {
            return false;
        }
        self.parts_of(r).into_iter().all(|x| x != r && self.constructs_nothing(x))
    }

    fn empty_function(&self, f: ast::FunctionId) -> bool {
        let f = self.ast[f];
        let empty_body = match f.body {
            ast::Body::Stmt(s) => {
                matches!(self.ast[s].kind, ast::StmtKind::Compound(list) if self.ast.list(list).is_empty())
            }
            _ => false,
        };
        empty_body && f.inits.is_empty()
    }

    /// The constructor without arguments: written, made from a template, or made up when members need one.
    pub(crate) fn default_constructor(&mut self, r: RecordId) -> Option<FnId> {
        self.complete_record(r);
        if let Some(known) = self.decls[r].default_ctor {
            return known;
        }
        let ctors = self.decls[r].ctors.clone();
        let without = |c: &Self, f: FnId| c.decls[f].params.iter().all(|p| p.default.is_some());
        let says = ctors.iter().chain(&self.decls[r].declared).any(|&f| without(self, f));
        let written = ctors.into_iter().find(|&f| without(self, f) && self.decls[f].body != BodySource::Deleted);
        let found = match written {
            Some(f) => Some(f),
            None if says => None,
            None if self.decls[r].has_ctor => self.default_of_template(r),
            None => self.implicit_default(r),
        };
        // `= default` runs code only if some member does.
        let found = found.filter(|f| self.decls[*f].body != BodySource::Defaulted || self.members_need_code(r));
        self.decls[r].default_ctor = Some(found);
        found
    }

    /// The constructor without arguments that one of a class's templates gives.
    fn default_of_template(&mut self, r: RecordId) -> Option<FnId> {
        let name = self.sess.strings.get("constructor template")?;
        let templates = self.decls.bound(self.decls[r].scope, name).to_vec();
        if templates.is_empty() {
            return None;
        }
        // The templates' conditions may ask for it: there is none, then.
        self.decls[r].default_ctor = Some(None);
        let ty = self.p.types.intern(Ty::Record(r));
        let span = self.p.types.record(r).span;
        let object = self.rv(ExprKind::ZeroInit, ty, span);
        self.resolve_ranked(&templates, Some(object), &[]).map(|(f, _)| f)
    }

    fn members_need_code(&mut self, r: RecordId) -> bool {
        if self.is_polymorphic(r) || self.decls[r].inits.iter().any(Option::is_some) {
            return true;
        }
        self.parts_of(r)
            .into_iter()
            .any(|x| x != r && (self.default_constructor(x).is_some() || self.only_host_makes(x)))
    }

    fn implicit_default(&mut self, r: RecordId) -> Option<FnId> {
        if !self.members_need_code(r) {
            return None;
        }
        let f = self.made_constructor(r);
        Some(self.push_fn(f))
    }

    /// The body of a defaulted function.
    pub(crate) fn defaulted_body(&mut self, f: FnId) -> Option<StmtId> {
        let span = self.decls[f].span;
        if let FnKind::Operator(OperatorName::Eq | OperatorName::Ne | OperatorName::ThreeWay)
        | FnKind::Operator(OperatorName::Lt | OperatorName::Gt | OperatorName::Le | OperatorName::Ge) =
            self.decls[f].kind
        {
            let body = self.compared_members(f);
            if body.is_none() {
                self.error("E0309", span, "this comparison cannot be left to the compiler: some member has none");
            }
            return body;
        }
        let mut out = Vec::new();
        match self.decls[f].kind {
            FnKind::Constructor => self.constructor_inits(ast::List::EMPTY, span, &mut out),
            FnKind::Destructor => self.destructor_tail(span, &mut out),
            _ => {}
        }
        Some(self.block(&out, span))
    }

    /// What a constructor does before its body: bases and members, in order.
    pub(crate) fn constructor_inits(&mut self, inits: ast::List<ast::CtorInit>, span: Span, out: &mut Vec<StmtId>) {
        let ast = self.ast;
        let Some((_, r, _)) = self.cx.this else { return };
        let items = ast.list(inits);
        // Delegation to another constructor of the class.
        for i in items.iter().filter(|i| !i.pack) {
            if let Some(t) = self.init_target_type(i)
                && self.p.types.as_record(t) == Some(r)
            {
                let Some(obj) = self.this_object(span) else { return };
                self.init_subobject(obj, t, Some(i), None, out, i.span);
                return;
            }
        }
        let packs = self.expanded_inits(items);
        let bases = self.p.types.record(r).bases.clone();
        for b in bases {
            let bt = self.p.types.intern(Ty::Record(b.record));
            let written = items.iter().filter(|i| !i.pack).find(|i| self.init_target_type(i) == Some(bt));
            let written = written.map(|i| (i, self.cx.pack_index));
            let init = written.or_else(|| {
                let of_pack = packs.iter().find(|(_, _, t)| *t == Some(bt));
                of_pack.map(|&(i, n, _)| (i, Some(n)))
            });
            let Some(obj) = self.this_object(span) else { return };
            let place = self.base_place(obj, bt, b.offset as u32);
            let (init, element) = init.unzip();
            let at = init.map_or(span, |i| i.span);
            let element = element.unwrap_or(self.cx.pack_index);
            self.at_element(element, |c| c.init_subobject(place, bt, init, None, out, at));
        }
        self.become_class(span, out);
        let n = self.p.types.record(r).fields.len();
        let mut used = vec![false; items.len()];
        for f in 0..n {
            let field = self.p.types.record(r).fields[f].clone();
            let at = items.iter().position(|i| field.name.is_some() && self.last_symbol(i.name) == field.name);
            if let Some(k) = at {
                used[k] = true;
            }
            let default = self.decls[r].inits.get(f).copied().flatten();
            let init = at.map(|k| &items[k]);
            if self.p.types.record(r).is_union && init.is_none() && default.is_none() {
                continue;
            }
            let here = init.map_or(span, |i| i.span);
            let Some(obj) = self.this_object(here) else { return };
            if let Ty::Reference { .. } = self.p.types.get(field.ty) {
                self.init_reference_field(obj, r, f as u32, field.ty, init, out, here);
                continue;
            }
            let place = self.field_place(obj, r, f as u32, here);
            let place = self.unqualified(place);
            self.init_subobject(place, field.ty, init, default, out, here);
        }
        for (i, used) in items.iter().zip(used) {
            if !used && !i.pack && self.init_target_type(i).is_none() {
                let sym = self.last_symbol(i.name);
                let through = sym.and_then(|s| self.field_path(r, s));
                if let (Some(path), Some(mut at)) = (through, self.this_object(i.span)) {
                    for (rec, f) in path {
                        at = self.field_place(at, rec, f, i.span);
                    }
                    let t = self.ty(at);
                    self.init_subobject(at, t, Some(i), None, out, i.span);
                    continue;
                }
                let text = self.name_text(i.name);
                self.error(
                    "E0457",
                    i.span,
                    format!("member initialiser `{text}` does not name a member or base class"),
                );
            }
        }
    }

    /// Member initialisers that are expansions: for each the element and the base that it names.
    fn expanded_inits<'i>(&mut self, items: &'i [ast::CtorInit]) -> Vec<(&'i ast::CtorInit, usize, Option<TyId>)> {
        let mut out = Vec::new();
        for i in items.iter().filter(|i| i.pack) {
            let Some(n) = self.pack_len_in_name(i.name, 0) else {
                self.error("E0471", i.span, "pack expansion does not contain a parameter pack");
                continue;
            };
            for k in 0..n {
                let t = self.at_element(Some(k), |c| c.init_target_type(i));
                if t.is_none() {
                    let text = self.name_text(i.name);
                    let what = format!("member initialiser `{text}` does not name a member or base class");
                    self.error("E0457", i.span, what);
                }
                out.push((i, k, t));
            }
        }
        out
    }

    fn init_target_type(&mut self, i: &ast::CtorInit) -> Option<TyId> {
        if let Some(sym) = self.last_symbol(i.name)
            && self.ast[i.name].qualifier.is_empty()
            && let Some((_, r, _)) = self.cx.this
            && self.field_path(r, sym).is_some()
        {
            return None;
        }
        let mark = self.sess.diagnostics.len();
        let t = self.try_type_name(i.name);
        self.sess.diagnostics.truncate(mark);
        t.ok().flatten().map(|t| self.half_object(t.ty))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a member initialiser")]
    fn init_reference_field(
        &mut self,
        obj: ExprId,
        r: RecordId,
        field: u32,
        ty: TyId,
        init: Option<&ast::CtorInit>,
        out: &mut Vec<StmtId>,
        span: Span,
    ) {
        let Some(i) = init else {
            self.error("E0361", span, "constructor must initialise the reference members");
            return;
        };
        let args = self.args(i.args);
        let [Arg::Expr(e)] = args[..] else { return };
        let p = self.bind_reference(e, ty, Why::Init);
        let x = *self.e(obj);
        let ptr = self.lowered_ty(ty);
        let place = self.lv(ExprKind::Field { base: obj, record: r, field }, ptr, Quals::NONE, x.space, span);
        let s = self.store(place, p, span);
        let s = self.push_stmt(StmtKind::Expr(s), span);
        out.push(s);
    }

    pub(super) fn init_subobject(
        &mut self,
        place: ExprId,
        ty: TyId,
        init: Option<&ast::CtorInit>,
        default: Option<ast::ExprId>,
        out: &mut Vec<StmtId>,
        span: Span,
    ) {
        let how = match (init, default) {
            (Some(i), _) if i.braces => {
                let list = self.ast.list(i.args);
                list.first().map_or(ast::Init::Paren(i.args), |&e| ast::Init::Brace(e))
            }
            (Some(i), _) => ast::Init::Paren(i.args),
            // `C c{1};` in a class is no `= {1}`: constructors that are `explicit` do.
            (None, Some(e)) if matches!(self.ast[e].kind, ast::ExprKind::InitList(_)) => ast::Init::Brace(e),
            (None, Some(e)) => ast::Init::Copy(e),
            (None, None) => ast::Init::None,
        };
        match (init, default, self.cx.this) {
            // The parameters of the constructor mean nothing to what the class says of its members.
            (None, Some(_), Some((_, class, _))) => {
                let (scope, decl) = (self.decls[class].scope, self.decls[class].ast);
                let names = std::mem::take(&mut self.cx.names);
                self.as_declared(scope, decl, |c| with_scope!(c, scope, c.init_place(place, ty, how, out, span)));
                self.cx.names = names;
            }
            _ => self.init_place(place, ty, how, out, span),
        }
    }

    /// Makes an object of type `ty` at `place`, which was none before.
    pub(crate) fn init_place(&mut self, place: ExprId, ty: TyId, how: ast::Init, out: &mut Vec<StmtId>, span: Span) {
        let place = self.unqualified(place);
        let stored = if let Some(r) = self.p.types.as_record(ty)
            && self.needs_constructor(r, how)
        {
            self.construct_init(place, r, how, span)
        } else {
            match how {
                ast::Init::None => self.array_default(ty, how, span).map(|v| self.store_first(place, v, span)),
                _ => self.init_value(ty, how, span).map(|v| self.store_first(place, v, span)),
            }
        };
        // What is not understood stays, too: a function that would run without a part of its text is refused.
        if let Some(e) = stored {
            let s = self.push_stmt(StmtKind::Expr(e), span);
            out.push(s);
        }
    }

    /// What a destructor does after its body: members and bases end.
    pub(crate) fn destructor_tail(&mut self, span: Span, out: &mut Vec<StmtId>) {
        let Some((_, r, _)) = self.cx.this else { return };
        if let Some(obj) = self.this_object(span) {
            self.destroy_parts(obj, r, span, out);
        }
    }

    /// Whether ending the life of an object of this type runs code.
    pub(crate) fn needs_destruction(&mut self, ty: TyId) -> bool {
        let Some(r) = self.array_record(ty) else { return false };
        self.complete_record(r);
        if self.destructor_of(r).is_some() || self.only_host_ends(r) {
            return true;
        }
        let rec = self.p.types.record(r);
        if rec.is_union || rec.trivial {
            return false;
        }
        let parts: Vec<TyId> = rec.fields.iter().map(|f| f.ty).collect();
        let bases: Vec<RecordId> = rec.bases.iter().map(|b| b.record).collect();
        parts.into_iter().any(|t| self.needs_destruction(t))
            || bases.into_iter().any(|b| {
                let t = self.p.types.intern(Ty::Record(b));
                self.needs_destruction(t)
            })
    }

    /// The calls that end the life of the object at `place`.
    pub(crate) fn destroy(&mut self, place: ExprId, span: Span, out: &mut Vec<StmtId>) {
        let ty = self.ty(place);
        if !self.needs_destruction(ty) {
            return;
        }
        match *self.p.types.get(ty) {
            Ty::Array { elem, len: Some(len) } => {
                if len > MAX_DESTROYED {
                    let d = Diagnostic::error(
                        "E0489",
                        span,
                        format!("array of more than {MAX_DESTROYED} objects with destructors is not supported"),
                    );
                    return self
                        .report(d.help("put the array into shared or global memory, or do without the destructor"));
                }
                let size = self.p.types.size_of(elem).unwrap_or(0);
                for i in (0..len).rev() {
                    let element = self.base_place(place, elem, (i * size) as u32);
                    self.destroy(element, span, out);
                }
            }
            Ty::Record(r) => match self.destructor_of(r) {
                Some(d) => {
                    let place = self.unqualified(place);
                    let call = self.call_member_fn(d, place, &[], span);
                    let s = self.push_stmt(StmtKind::Expr(call), span);
                    out.push(s);
                }
                None if self.only_host_ends(r) => {
                    let call = self.host_member_call(r, "~", Some(TyId::VOID), span);
                    let s = self.push_stmt(StmtKind::Expr(call), span);
                    out.push(s);
                }
                None => self.destroy_parts(place, r, span, out),
            },
            _ => {}
        }
    }

    /// Ends the members and bases of an object, the last first.
    fn destroy_parts(&mut self, object: ExprId, r: RecordId, span: Span, out: &mut Vec<StmtId>) {
        if self.p.types.record(r).is_union {
            return;
        }
        for f in (0..self.p.types.record(r).fields.len()).rev() {
            let ty = self.p.types.record(r).fields[f].ty;
            if self.needs_destruction(ty) {
                let place = self.field_place(object, r, f as u32, span);
                self.destroy(place, span, out);
            }
        }
        for b in self.p.types.record(r).bases.clone().into_iter().rev() {
            let ty = self.p.types.intern(Ty::Record(b.record));
            let place = self.base_place(object, ty, b.offset as u32);
            self.destroy(place, span, out);
        }
    }
}
