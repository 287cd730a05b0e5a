//! Structured bindings: names for the parts of an object (C++17, 11.5).

use smallvec::SmallVec;
use source::Span;
use syntax::ast::{self, Init};

use crate::check::call::Arg;
use crate::check::convert::Why;
use crate::check::template::Explicit;
use crate::check::{Checker, Entity, TemplateKind};
use crate::program::{ExprId, ExprKind, InitElem, StmtId, StmtKind};
use crate::types::{QualTy, Quals, RecordId, TemplateArg, Ty, TyId};

/// Most bytes of an array that a declaration copies, element by element.
const MAX_COPIED: u64 = 1 << 16;

impl Checker<'_> {
    /// `auto [a, b] = e;`
    pub(crate) fn bindings(
        &mut self,
        d: &ast::Decl,
        names: ast::List<ast::Ident>,
        ty: ast::TypeId,
        init: Init,
        out: &mut SmallVec<[StmtId; 2]>,
    ) {
        let Some((object, lasting)) = self.bound_object(ty, init, d.span, out) else { return };
        let names = self.ast.list(names);
        let ty = self.ty(object);
        let fields = match *self.p.types.get(ty) {
            Ty::Record(rec) => {
                if let Some(size) = self.tuple_size(object, d.span) {
                    if self.counts(ty, size, names.len(), d.span) {
                        names.iter().zip(0..).for_each(|(n, i)| self.bind_element(*n, object, lasting, i, out));
                    }
                    return;
                }
                self.bound_fields(rec)
            }
            _ => None,
        };
        let count = match *self.p.types.get(ty) {
            Ty::Record(_) => fields.as_ref().map_or(0, |(_, fields)| fields.len() as u64),
            Ty::Array { len: Some(n), .. } => n,
            Ty::Error => return,
            _ => 0,
        };
        if !self.counts(ty, count, names.len(), d.span) {
            return;
        }
        let object = match fields {
            Some((owner, _)) => self.as_base(object, owner),
            None => object,
        };
        for (i, name) in names.iter().enumerate() {
            let part = if let Some((owner, fields)) = &fields {
                self.field_place(object, *owner, fields[i], d.span)
            } else {
                let i = self.int(i as i128, TyId::LONG, d.span);
                self.array_elem(object, i, d.span)
            };
            self.cx.names.push((name.sym, Entity::Alias(part)));
        }
    }

    /// The object whose parts are named, and whether it is there without the declaration (`auto &[a, b] = e`).
    fn bound_object(
        &mut self,
        ty: ast::TypeId,
        init: Init,
        span: Span,
        out: &mut SmallVec<[StmtId; 2]>,
    ) -> Option<(ExprId, bool)> {
        if let Some((of, quals, array)) = self.array_to_copy(ty, init) {
            if self.p.types.size_of(of).is_none_or(|bytes| bytes > MAX_COPIED) {
                let name = self.show(of);
                let said =
                    format!("an array of type `{name}` is too large to be copied: bind its elements by `auto &[…]`");
                self.error("E0341", span, said);
                return None;
            }
            let local = self.new_local(None, of, quals, span);
            let copy = self.copied_array(array, span);
            let s = self.push_stmt(StmtKind::Decl { local, init: Some(copy) }, span);
            out.push(s);
            return Some((self.local_place(local, span), false));
        }
        let r = self.resolve_auto(ty, init, span);
        let Ty::Reference { pointee, quals, space, rvalue } = *self.p.types.get(r.ty) else {
            let value = self.init_value(r.ty, init, span);
            let local = self.new_local(None, r.ty, r.quals, span);
            let s = self.push_stmt(StmtKind::Decl { local, init: value }, span);
            out.push(s);
            return Some((self.local_place(local, span), false));
        };
        let ptr = self.p.types.pointer(pointee, quals, space);
        let value = self.reference_init(r.ty, init, span)?;
        let local = self.new_local(None, ptr, Quals::NONE, span);
        let s = self.push_stmt(StmtKind::Decl { local, init: Some(value) }, span);
        out.push(s);
        self.outlive(value);
        let place = self.local_place(local, span);
        let p = self.rvalue(place);
        Some((self.deref(p, span), !rvalue))
    }

    /// Whether as many names are bound as there are parts; says so if not.
    fn counts(&mut self, ty: TyId, parts: u64, names: usize, span: Span) -> bool {
        if parts != names as u64 {
            let name = self.show(ty);
            let said = format!("type `{name}` has {parts} elements, but {names} names are bound");
            self.error("E0341", span, said);
        }
        parts == names as u64
    }

    /// Type, qualifiers and place of an array that `auto [a, b] = array;` copies: such an `auto` does not decay (11.5, 1).
    fn array_to_copy(&mut self, ty: ast::TypeId, init: Init) -> Option<(TyId, Quals, ExprId)> {
        let e = match init {
            Init::Copy(e) => e,
            Init::Paren(l) if l.len() == 1 => self.ast.list(l)[0],
            _ => return None,
        };
        let plain = matches!(self.ast[ty].kind, ast::TypeKind::Builtin(ast::BuiltinType::Auto));
        if !plain || matches!(self.ast[e].kind, ast::ExprKind::InitList(_)) {
            return None;
        }
        let v = self.expr(e);
        // Whoever checks the initialiser next gets this value: it is checked once.
        self.cx.prechecked = Some((e, v));
        let of = self.ty(v);
        matches!(self.p.types.get(of), Ty::Array { len: Some(_), .. }).then(|| {
            self.cx.prechecked = None;
            let quals = if self.ast[ty].quals.is_const { Quals::CONST } else { Quals::NONE };
            (of, quals, v)
        })
    }

    /// The elements of an array, each copied.
    fn copied_array(&mut self, array: ExprId, span: Span) -> ExprId {
        let ty = self.ty(array);
        let Ty::Array { elem, len: Some(n) } = *self.p.types.get(ty) else { return self.err(span) };
        let size = self.p.types.size_of(elem).unwrap_or(1);
        let mut values = Vec::new();
        for i in 0..n {
            let index = self.int(i128::from(i), TyId::LONG, span);
            let from = self.array_elem(array, index, span);
            let value = match *self.p.types.get(elem) {
                Ty::Array { .. } => self.copied_array(from, span),
                _ => self.implicit(from, elem, Why::Init),
            };
            values.push(InitElem { offset: i * size, bits: None, value, repeat: 1 });
        }
        self.finish_aggregate(&values, ty, span)
    }

    /// The class whose members are bound, the object's own or that of its one base class that has some, and which these are.
    fn bound_fields(&mut self, rec: RecordId) -> Option<(RecordId, Vec<u32>)> {
        self.complete_record(rec);
        let record = self.p.types.record(rec);
        let own: Vec<u32> = (0..).zip(&record.fields).filter(|(_, f)| f.name.is_some()).map(|(i, _)| i).collect();
        if !own.is_empty() {
            return Some((rec, own));
        }
        let bases: Vec<RecordId> = record.bases.iter().map(|b| b.record).collect();
        bases.into_iter().find_map(|b| self.bound_fields(b))
    }

    fn as_base(&mut self, object: ExprId, owner: RecordId) -> ExprId {
        let own = self.p.types.as_record(self.ty(object));
        let Some(offset) = own.filter(|&o| o != owner).and_then(|o| self.base_offset(o, owner)) else { return object };
        let base = self.p.types.intern(Ty::Record(owner));
        self.base_place(object, base, offset)
    }

    // ---- what is like a tuple ----------------------------------------------------------------------------------

    /// `std::tuple_size<E>::value`, if that class is defined and has it.
    fn tuple_size(&mut self, object: ExprId, span: Span) -> Option<u64> {
        let class = self.of_tuple("tuple_size", object, None, span)?;
        let scope = self.decls[class].scope;
        let name = self.sess.intern("value");
        let Some(&Entity::Var(value)) = self.lookup_in(scope, name)?.entities.first() else { return None };
        let value = self.var_place(value, span);
        let value = self.rvalue(value);
        let super::super::fold::Const::Int(n) = self.constant(value)? else { return None };
        u64::try_from(n.value()).ok()
    }

    /// `std::tuple_size<E>`, `std::tuple_element<i, E>` where they are complete.
    fn of_tuple(&mut self, name: &str, object: ExprId, index: Option<u32>, span: Span) -> Option<RecordId> {
        let found = self.in_std(name)?;
        let Some(&Entity::Template(t)) = found.entities.first() else { return None };
        if self.decls[t].kind != TemplateKind::Class {
            return None;
        }
        let x = *self.e(object);
        let index = index.map(|i| TemplateArg::Int { value: i64::from(i), ty: TyId::ULONG });
        let of = TemplateArg::Type(QualTy { ty: x.ty, quals: x.quals.without(Quals::RESTRICT) });
        let args: Vec<TemplateArg> = index.into_iter().chain([of]).collect();
        let class = self.class_instance(t, args, span)?;
        let class = self.p.types.as_record(class)?;
        self.complete_record(class);
        self.p.types.record(class).complete.then_some(class)
    }

    /// A variable that refers to what `get` gives: a member, or a function found by the argument (11.5, 3).
    fn bind_element(
        &mut self,
        name: ast::Ident,
        object: ExprId,
        lasting: bool,
        i: u32,
        out: &mut SmallVec<[StmtId; 2]>,
    ) {
        let span = name.span;
        let Some(class) = self.of_tuple("tuple_element", object, Some(i), span) else {
            let ty = self.show(self.ty(object));
            return self.error("E0341", span, format!("`std::tuple_element<{i}, {ty}>` is not defined"));
        };
        let (scope, member) = (self.decls[class].scope, self.sess.intern("type"));
        let element = match self.lookup_in(scope, member).and_then(|f| f.entities.first().copied()) {
            Some(Entity::Type(t)) => t,
            _ => {
                let ty = self.show(self.ty(object));
                return self.error("E0341", span, format!("`std::tuple_element<{i}, {ty}>` has no `type`"));
            }
        };
        let x = *self.e(object);
        let from = self.push_expr(crate::program::Expr { span, ..x });
        if !lasting {
            self.cx.xvalues.insert(from);
        }
        let value = self.call_get(from, i, span);
        if self.is_err(value) {
            self.cx.names.push((name.sym, Entity::Alias(value)));
            return;
        }
        let lvalue = self.is_lv(value) && !self.is_xvalue(value);
        let refers = match *self.p.types.get(element.ty) {
            Ty::Reference { pointee, quals, space, rvalue } => {
                self.p.types.reference(pointee, quals, space, rvalue && !lvalue)
            }
            _ => {
                let space = self.default_space();
                self.p.types.reference(element.ty, element.quals, space, !lvalue)
            }
        };
        let Ty::Reference { pointee, quals, space, .. } = *self.p.types.get(refers) else { return };
        let value = self.bind_reference(value, refers, Why::Init);
        let ptr = self.p.types.pointer(pointee, quals, space);
        let local = self.new_local(None, ptr, Quals::NONE, span);
        if matches!(self.p.types.get(element.ty), Ty::Reference { .. }) {
            // What `decltype` says of the name.
            self.cx.infos[local.index()].decl_ty = Some(element.ty);
        }
        let s = self.push_stmt(StmtKind::Decl { local, init: Some(value) }, span);
        out.push(s);
        self.outlive(value);
        let place = self.local_place(local, span);
        let ty = self.ty(place);
        let held = self.rv(ExprKind::Load(place), ty, span);
        let part = self.deref(held, span);
        self.cx.names.push((name.sym, Entity::Alias(part)));
    }

    /// `e.get<i>()` if the class has such templates, else `get<i>(e)`.
    fn call_get(&mut self, e: ExprId, i: u32, span: Span) -> ExprId {
        let get = self.sess.intern("get");
        let index = Some(Explicit::Index(i));
        let members = self.p.types.as_record(self.ty(e)).and_then(|r| {
            let scope = self.decls[r].scope;
            self.lookup_in(scope, get)
        });
        let members = members.filter(|f| f.entities.iter().any(|&m| self.takes_number_first(m)));
        if let Some(found) = members {
            let object = match found.record {
                Some(owner) => self.as_base(e, owner),
                None => e,
            };
            return self.call_overloads(&found.entities, Some(object), &[], index, span, span);
        }
        let args = [Arg::Expr(e)];
        let found = self.adl(get, &args);
        if found.is_empty() {
            let ty = self.show(self.ty(e));
            self.error("E0341", span, format!("there is no `get` for the elements of `{ty}`"));
            return self.err(span);
        }
        self.call_overloads(&found, None, &args, index, span, span)
    }

    /// Whether something is a template of functions whose first parameter is a value.
    fn takes_number_first(&self, e: Entity) -> bool {
        let Entity::Template(t) = e else { return false };
        let t = &self.decls[t];
        t.kind == TemplateKind::Function && t.params.first().is_some_and(|p| !p.is_type && !p.is_template)
    }
}
