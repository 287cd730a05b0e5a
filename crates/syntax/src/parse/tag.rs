//! `struct`, `class`, `union` and `enum` specifiers.

use super::keywords::Kw;
use super::name::NameUse;
use super::names::Known;
use super::spec::{Attrs, SpecCx};
use super::{ClassScope, PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    AccessSpec, Base, Decl, DeclId, DeclKind, DeclSpecs, List, NameId, NameKind, Record, TagKind, Type, TypeId,
    TypeKind,
};
use smallvec::SmallVec;
use source::{Span, Symbol};

impl Parser<'_> {
    /// `struct … name`, with or without a body. Gives the declaration where it declares something.
    pub(super) fn tag_specifier(&mut self, cx: SpecCx, outer: &mut Attrs) -> PResult<(TypeKind, Option<DeclId>)> {
        let start = self.tok.span;
        let tag = self.tag_keyword();
        self.bump();
        let scoped = tag == TagKind::Enum
            && self.is_cxx()
            && (self.is_kw(Kw::Class) || self.is_kw(Kw::Struct))
            && self.bump().kind == T::Ident;
        let mut attrs = Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        let mut space = DeclSpecs::NONE;
        loop {
            match self.kw() {
                Kw::CudaHost | Kw::CudaDevice if tag != TagKind::Enum => {
                    space = space.with(if self.is_kw(Kw::CudaHost) { DeclSpecs::HOST } else { DeclSpecs::DEVICE });
                    self.bump();
                }
                Kw::Alignas | Kw::AlignasWord => self.alignas(&mut attrs)?,
                Kw::Align => self.keyword_attribute(&mut attrs)?,
                Kw::Attribute | Kw::Declspec => self.gnu_attributes(&mut attrs)?,
                _ => break,
            }
        }
        let named = self.is_ident(self.tok) || self.is_cxx() && self.is(T::ColonColon);
        let name = if named { self.name(NameUse::Declarator)? } else { self.no_name() };
        let is_final = self.is_cxx() && self.tok.is_ident(self.words.fin) && {
            self.bump();
            true
        };
        let underlying = tag == TagKind::Enum && self.is(T::Colon) && (self.is_cxx() || self.dialect.is_c11());
        let bases = tag != TagKind::Enum && self.is(T::Colon) && self.is_cxx() && named && cx != SpecCx::Type;
        if self.is(T::LBrace) || bases || underlying && !matches!(self.peek(1).kind, T::Number) {
            let kind = if tag == TagKind::Enum {
                self.declare_tag(name);
                self.enum_rest(scoped, name)?
            } else {
                self.record_rest(tag, name, is_final, space)?
            };
            self.attributes_if_any(&mut attrs)?;
            let attrs = self.ast.push_list(&attrs);
            let span = self.span_from(start);
            let decl = self.ast.push_decl(Decl { kind, name, specs: space, attrs, span });
            return Ok((TypeKind::Tag(decl), Some(decl)));
        }
        if !named {
            return Err(self.expected(&format!("a name or `{{` after `{}`", tag.as_str())));
        }
        // `using array = struct A<4>;` declares none.
        if cx == SpecCx::Type && self.ast[name].args.is_some() {
            outer.append(&mut attrs);
            return Ok((TypeKind::Elaborated { tag, name }, None));
        }
        self.mentioned_tag(tag, name, scoped, attrs, outer, start)
    }

    /// `struct S` without a body: a forward declaration where `;` follows.
    fn mentioned_tag(
        &mut self,
        tag: TagKind,
        name: NameId,
        scoped: bool,
        mut attrs: Attrs,
        outer: &mut Attrs,
        start: Span,
    ) -> PResult<(TypeKind, Option<DeclId>)> {
        if let Some(sym) = self.ast.plain_name(name)
            && self.is_cxx()
            && !self.known(sym).is_type()
        {
            self.declare_tag(name);
        }
        if !self.is(T::Semi) {
            outer.append(&mut attrs);
            return Ok((TypeKind::Elaborated { tag, name }, None));
        }
        let kind = if tag == TagKind::Enum {
            DeclKind::Enum { scoped, underlying: None, members: None }
        } else {
            DeclKind::Record(self.ast.push_record(Record {
                tag,
                defined: false,
                bases: List::EMPTY,
                members: List::EMPTY,
                is_final: false,
                pack: 0,
            }))
        };
        let attrs = self.ast.push_list(&attrs);
        let span = self.span_from(start);
        let decl = self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs, span });
        Ok((TypeKind::Tag(decl), Some(decl)))
    }

    /// In C++ a tag is a type name.
    fn declare_tag(&mut self, name: NameId) {
        if !self.is_cxx() {
            return;
        }
        if let Some(sym) = self.ast.plain_name(name) {
            let known = if self.template_heads.is_empty() { Known::Type } else { Known::TypeTemplate };
            self.names.declare(sym, known);
        }
    }

    /// `: T { a, b = 1 }`
    fn enum_rest(&mut self, scoped: bool, name: NameId) -> PResult<DeclKind> {
        let underlying = if self.eat(T::Colon) { Some(self.type_id()?) } else { None };
        if !self.is(T::LBrace) {
            return Ok(DeclKind::Enum { scoped, underlying, members: None });
        }
        let open = self.bump().span;
        let mut members: SmallVec<[DeclId; 16]> = SmallVec::new();
        while !self.is(T::RBrace) {
            self.skip_pragmas();
            let start = self.tok.span;
            let (sym, span) = self.ident("an enumerator")?;
            let mut attrs = Attrs::new();
            self.attributes_if_any(&mut attrs)?;
            let value = if self.eat(T::Eq) { Some(self.in_parens(Self::constant_expr)?) } else { None };
            if let NameKind::Ident(of) = self.ast[name].kind {
                let all = self.enumerators.entry(of).or_default();
                if members.is_empty() {
                    all.clear();
                }
                all.push(sym);
            }
            match self.ast[name].kind {
                NameKind::Ident(of) if scoped => {
                    self.scoped_enumerators.insert((of, sym));
                }
                _ if scoped => {}
                _ => self.names.declare(sym, Known::Value),
            }
            let name = self.plain_name(sym, span);
            let attrs = self.ast.push_list(&attrs);
            let kind = DeclKind::Enumerator { value };
            let span = self.span_from(start);
            members.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs, span }));
            self.skip_pragmas();
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.skip_pragmas();
        self.expect_closer(T::RBrace, open)?;
        Ok(DeclKind::Enum { scoped, underlying, members: Some(self.ast.push_list(&members)) })
    }

    /// `: bases { members }`
    fn record_rest(&mut self, tag: TagKind, name: NameId, is_final: bool, space: DeclSpecs) -> PResult<DeclKind> {
        self.declare_tag(name);
        let sym = match self.ast[name].kind {
            NameKind::Ident(sym) => Some(sym),
            _ => None,
        };
        let bases = if self.eat(T::Colon) { self.base_clause()? } else { List::EMPTY };
        let local = self.in_function || self.classes.is_empty();
        let first_pending = self.pending.len();
        let heads = std::mem::take(&mut self.template_heads);
        let outer = self.enter_function(false);
        let angle = std::mem::replace(&mut self.angle, false);
        let pack = self.pack;
        if let (Some(sym), true) = (sym, space.has(DeclSpecs::DEVICE)) {
            self.device_classes.insert(sym, space);
        }
        self.classes.push(ClassScope { name: sym, space, heads: heads.clone() });
        let scopes = if self.is_cxx() { self.open_class(name, sym, bases, heads.is_empty()) } else { 0 };
        let members = self.member_list();
        if local {
            self.parse_pending(first_pending);
        } else {
            self.leave_inner_class(first_pending);
        }
        if let (Some(sym), true) = (sym, self.is_cxx()) {
            self.remember_members(sym);
        }
        (0..scopes).for_each(|_| self.names.pop_scope());
        self.classes.pop();
        self.angle = angle;
        self.enter_function(outer);
        self.template_heads = heads;
        let members = members?;
        let r = Record { tag, defined: true, bases, members, is_final, pack };
        Ok(DeclKind::Record(self.ast.push_record(r)))
    }

    /// Opens the scope of the class `name` with what its bases declare; for one that is defined outside of the class around it
    /// (`struct Outer<T>::Inner {…}`) that class's before. How many scopes are open now.
    fn open_class(&mut self, name: NameId, sym: Option<Symbol>, bases: List<Base>, plain: bool) -> usize {
        let entered = self.enter_class_of(name);
        self.names.push_scope();
        for i in 0..bases.len() {
            let base = self.ast.list(bases)[i].ty;
            self.declare_base_members(base);
        }
        // In the body of `class Outer::mapping` its own name is a type, whatever it is around.
        if let Some(sym) = sym.filter(|_| self.ast.plain_name(name).is_none()) {
            self.names.declare_parameter(sym, if plain { Known::Type } else { Known::TypeTemplate });
        }
        usize::from(entered) + 1
    }

    /// The class that a base names: `C<T>`, `decltype(f())`.
    fn base_type(&mut self) -> PResult<TypeId> {
        let quals = crate::ast::Quals::default();
        let behind = self.after_group(self.pos + 1);
        if !self.is_kw(Kw::Decltype) || behind.is_none_or(|i| self.at(i).kind == T::ColonColon) {
            return self.type_name_ref(quals);
        }
        let start = self.tok.span;
        let kind = TypeKind::Decltype(self.decltype_operand()?);
        let span = self.span_from(start);
        Ok(self.ast.push_type(Type { kind, quals, span }))
    }

    /// `access virtual T, …`
    fn base_clause(&mut self) -> PResult<List<Base>> {
        let mut bases: SmallVec<[Base; 2]> = SmallVec::new();
        loop {
            let (mut access, mut is_virtual) = (None, false);
            loop {
                match self.kw() {
                    Kw::Public => access = Some(AccessSpec::Public),
                    Kw::Protected => access = Some(AccessSpec::Protected),
                    Kw::Private => access = Some(AccessSpec::Private),
                    Kw::Virtual => is_virtual = true,
                    _ => break,
                }
                self.bump();
            }
            let ty = self.base_type()?;
            let pack = self.eat(T::Ellipsis);
            bases.push(Base { ty, access, is_virtual, pack });
            if !self.eat(T::Comma) {
                return Ok(self.ast.push_list(&bases));
            }
        }
    }
}
