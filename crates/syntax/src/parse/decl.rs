//! Declarations: translation unit, namespaces, linkage, variables, typedefs.

use super::declarator::{Declarator, Form};
use super::keywords::Kw;
use super::name::NameUse;
use super::names::Known;
use super::spec::{Attrs, SpecCx, Specs};
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    BuiltinType, Decl, DeclId, DeclKind, DeclSpecs, Ident, Init, List, NameId, NameKind, NameSegment, SegmentKind,
    StrId, TypeKind,
};
use smallvec::SmallVec;
use source::{Diagnostic, Span};

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclCx {
    /// File or namespace.
    File,
    /// Class.
    Member,
    /// Block.
    Block,
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) {
        let mut top = Vec::new();
        while !self.is(T::Eof) {
            let before = self.pos;
            if self.is(T::RBrace) {
                let span = self.bump().span;
                self.error("E0208", span, "this `}` closes nothing");
                continue;
            }
            self.declarations_step(&mut top, before);
        }
        self.ast.top = top;
    }

    /// One declaration, with recovery.
    fn declarations_step(&mut self, out: &mut Vec<DeclId>, before: usize) {
        if self.declaration(DeclCx::File, out).is_err() {
            self.sync();
            if self.pos == before && !matches!(self.tok.kind, T::RBrace | T::Eof) {
                self.bump();
            }
        }
    }

    /// `{ declaration … }`
    fn declaration_block(&mut self) -> PResult<Vec<DeclId>> {
        let open = self.expect(T::LBrace)?;
        let mut out = Vec::new();
        while !matches!(self.tok.kind, T::RBrace | T::Eof) {
            let before = self.pos;
            self.declarations_step(&mut out, before);
        }
        self.expect_closer(T::RBrace, open)?;
        Ok(out)
    }

    /// Any declaration outside functions.
    pub(super) fn declaration(&mut self, cx: DeclCx, out: &mut Vec<DeclId>) -> PResult<()> {
        match self.tok.kind {
            T::Semi => {
                self.bump();
                return Ok(());
            }
            T::Pragma => {
                self.file_pragma(cx, out);
                return Ok(());
            }
            _ => {}
        }
        if self.dialect.is_cuda() && !self.lenient {
            if self.structural_declaration(cx, out)? {
                return Ok(());
            }
            return self.cuda_declaration(cx, out);
        }
        self.plain_declaration(cx, out)
    }

    /// Namespaces and linkage blocks: what only holds other declarations.
    fn structural_declaration(&mut self, cx: DeclCx, out: &mut Vec<DeclId>) -> PResult<bool> {
        match self.kw() {
            Kw::Namespace => self.nested(|p| p.namespace(out))?,
            Kw::Inline if self.kw_of(self.peek(1)) == Kw::Namespace => self.nested(|p| p.namespace(out))?,
            Kw::Extern if self.peek(1).kind == T::String && cx == DeclCx::File => {
                self.nested(|p| p.linkage_specification(out))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A declaration that is parsed in full.
    pub(super) fn plain_declaration(&mut self, cx: DeclCx, out: &mut Vec<DeclId>) -> PResult<()> {
        if self.structural_declaration(cx, out)? {
            return Ok(());
        }
        match self.kw() {
            Kw::Using => return self.using(out),
            Kw::Template => return self.nested(|p| p.template_declaration(cx, out)),
            Kw::Extern if self.kw_of(self.peek(1)) == Kw::Template => {
                return self.nested(|p| p.template_declaration(cx, out));
            }
            Kw::StaticAssert | Kw::StaticAssertWord => {
                let d = self.static_assert()?;
                out.push(d);
                return Ok(());
            }
            Kw::Asm => {
                let d = self.file_asm()?;
                out.push(d);
                return Ok(());
            }
            Kw::Friend if cx == DeclCx::Member => return self.friend_declaration(out),
            Kw::Concept => {
                let d = self.concept()?;
                out.push(d);
                return Ok(());
            }
            _ => {}
        }
        let mut attrs = Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        if self.kw() == Kw::Using || self.kw() == Kw::StaticAssertWord {
            return self.plain_declaration(cx, out);
        }
        self.simple_declaration(cx, attrs, out)
    }

    /// `namespace a::b { … }`, `namespace a = b;`
    fn namespace(&mut self, out: &mut Vec<DeclId>) -> PResult<()> {
        let start = self.tok.span;
        let inline = self.eat_kw(Kw::Inline);
        self.bump();
        let mut attrs = Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        let mut path: SmallVec<[(NameId, bool); 2]> = SmallVec::new();
        let mut spaces: SmallVec<[source::Symbol; 2]> = SmallVec::new();
        while self.is_ident(self.tok) {
            let t = self.bump();
            self.names.declare(t.sym, Known::Namespace);
            if path.is_empty() && self.eat(T::Eq) {
                return self.namespace_alias(t.sym, t.span, start, out);
            }
            path.push((self.plain_name(t.sym, t.span), inline));
            spaces.push(t.sym);
            self.attributes_if_any(&mut attrs)?;
            if !self.eat(T::ColonColon) {
                break;
            }
            if self.eat_kw(Kw::Inline) && self.is_ident(self.tok) {
                // `namespace a::inline b`: its names are those of `a`.
                let t = self.bump();
                path.push((self.plain_name(t.sym, t.span), true));
                break;
            }
        }
        if path.is_empty() {
            let name = self.no_name();
            path.push((name, inline));
        }
        if path.len() as u32 + self.depth > crate::ast::Ast::MAX_NESTING {
            return Err(self.too_deep());
        }
        let names: SmallVec<[source::Symbol; 2]> = if inline { SmallVec::new() } else { spaces };
        let outer = self.names.enter_spaces(&names);
        let members = self.declaration_block();
        self.names.leave_spaces(outer);
        let mut members = members?;
        let span = self.span_from(start);
        let attrs = self.ast.push_list(&attrs);
        for &(name, inline) in path.iter().rev() {
            let kind = DeclKind::Namespace { inline, members: self.ast.push_list(&members) };
            members = vec![self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs, span })];
        }
        out.append(&mut members);
        Ok(())
    }

    fn namespace_alias(&mut self, sym: source::Symbol, at: Span, start: Span, out: &mut Vec<DeclId>) -> PResult<()> {
        let target = self.name(NameUse::Declarator)?;
        self.expect(T::Semi)?;
        if let Some(space) = self.space_named(target) {
            self.names.rename_space(sym, space);
        }
        let name = self.plain_name(sym, at);
        let span = self.span_from(start);
        let kind = DeclKind::NamespaceAlias { target };
        out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        Ok(())
    }

    /// `extern "C" { … }`, `extern "C" declaration`
    fn linkage_specification(&mut self, out: &mut Vec<DeclId>) -> PResult<()> {
        let start = self.bump().span;
        let language = self.bump();
        let c = match self.session.str(language.sym) {
            "\"C\"" => true,
            "\"C++\"" => false,
            _ => {
                let d = Diagnostic::error("E0202", language.span, "unknown language linkage");
                return Err(self.report(d.help("`\"C\"` and `\"C++\"` are known")));
            }
        };
        let outer = self.linkage;
        self.linkage = if c { outer.with(DeclSpecs::EXTERN_C) } else { outer.without(DeclSpecs::EXTERN_C) };
        let members = if self.is(T::LBrace) {
            self.declaration_block()
        } else {
            let mut one = Vec::new();
            // `extern "C" int x;` declares; `extern "C" { int x; }` defines.
            let saved = self.linkage;
            self.linkage = saved.with(DeclSpecs::EXTERN);
            let r = self.declaration(DeclCx::File, &mut one);
            r.map(|()| one)
        };
        self.linkage = outer;
        let members = members?;
        let members = self.ast.push_list(&members);
        let d = self.simple_decl(DeclKind::Linkage { c, members }, start);
        out.push(d);
        Ok(())
    }

    /// `using namespace a;`, `using a::b;`, `using x = T;`
    pub(super) fn using(&mut self, out: &mut Vec<DeclId>) -> PResult<()> {
        let start = self.bump().span;
        let mut attrs = Attrs::new();
        if self.eat_kw(Kw::Namespace) {
            let name = self.name(NameUse::Declarator)?;
            self.attributes_if_any(&mut attrs)?;
            self.expect(T::Semi)?;
            if let Some(space) = self.space_named(name) {
                self.names.open_space(space);
            }
            return self.push_using(DeclKind::UsingDirective, name, &attrs, start, out);
        }
        if self.is_kw(Kw::Enum) {
            return self.using_enum(start, out);
        }
        if self.is_ident(self.tok) && self.alias_ahead() {
            let t = self.bump();
            self.attributes_if_any(&mut attrs)?;
            self.expect(T::Eq)?;
            let unknown = self.unknown_types;
            let ty = self.type_id()?;
            self.attributes_if_any(&mut attrs)?;
            let ty = self.attributed_type(ty, &attrs);
            self.expect(T::Semi)?;
            let known = match (self.template_heads.is_empty(), self.unknown_types > unknown) {
                (true, false) => Known::Type,
                (true, true) => Known::HostType,
                (false, _) => Known::TypeTemplate,
            };
            self.names.declare(t.sym, known);
            let name = self.plain_name(t.sym, t.span);
            return self.push_using(DeclKind::Typedef { ty }, name, &attrs, start, out);
        }
        loop {
            self.eat_kw(Kw::Typename);
            let name = self.name(NameUse::Declarator)?;
            if let NameKind::Ident(sym) = self.ast[name].kind {
                // The name comes into this scope as whatever it is there.
                let known = self.known_qualified(self.pos - 1);
                // Of a variable in one namespace and a class template in another nobody knows which it is.
                let either = known == Known::Value && self.names.is_also_template(sym);
                if known != Known::Unknown && !either {
                    self.names.declare(sym, known);
                }
            }
            self.eat(T::Ellipsis);
            self.push_using(DeclKind::Using, name, &attrs, start, out)?;
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::Semi)?;
        Ok(())
    }

    /// `using enum e;` as a `using` of each enumerator.
    fn using_enum(&mut self, start: Span, out: &mut Vec<DeclId>) -> PResult<()> {
        self.bump();
        let name = self.name(NameUse::Declarator)?;
        let of = self.ast[name];
        let known = match of.kind {
            NameKind::Ident(sym) => self.enumerators.get(&sym).cloned().map(|all| (sym, all)),
            _ => None,
        };
        let Some((sym, all)) = known else {
            return Err(self.error("E0200", of.span, "`using enum` of something that is no enumeration known here"));
        };
        let mut path: smallvec::SmallVec<[NameSegment; 4]> = self.ast.list(of.qualifier).iter().copied().collect();
        path.push(NameSegment { kind: SegmentKind::Ident(sym), args: None, template: false, span: of.span });
        let qualifier = self.ast.push_list(&path);
        for e in all {
            self.names.declare(e, Known::Value);
            let name = self.ast.push_name(crate::ast::Name { kind: NameKind::Ident(e), qualifier, ..of });
            self.push_using(DeclKind::Using, name, &Attrs::new(), start, out)?;
        }
        self.expect(T::Semi)?;
        Ok(())
    }

    fn alias_ahead(&self) -> bool {
        let next = self.peek(1);
        next.kind == T::Eq
            || next.kind == T::LBracket && self.peek(2).kind == T::LBracket
            || self.kw_of(next) == Kw::Attribute
    }

    fn push_using(
        &mut self,
        kind: DeclKind,
        name: NameId,
        attrs: &Attrs,
        start: Span,
        out: &mut Vec<DeclId>,
    ) -> PResult<()> {
        let attrs = self.ast.push_list(attrs);
        let span = self.span_from(start);
        out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs, span }));
        Ok(())
    }

    /// `static_assert(e, "message");`
    pub(super) fn static_assert(&mut self) -> PResult<DeclId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let cond = self.in_parens(Self::constant_expr)?;
        let message = if self.eat(T::Comma) { Some(self.string()?) } else { None };
        self.expect_closer(T::RParen, open)?;
        self.expect(T::Semi)?;
        Ok(self.simple_decl(DeclKind::StaticAssert { cond, message }, start))
    }

    /// Specifiers and declarators, up to `;` or a function's body.
    pub(super) fn simple_declaration(&mut self, cx: DeclCx, attrs: Attrs, out: &mut Vec<DeclId>) -> PResult<()> {
        let unknown = self.unknown_types;
        let spec_cx = if cx == DeclCx::Member { SpecCx::Member } else { SpecCx::Decl };
        let mut specs = self.decl_specs(spec_cx, attrs)?;
        // Headers of the host's library are C++ wherever they are included.
        if cx == DeclCx::File && self.linkage != DeclSpecs::NONE && !self.in_stand_in() {
            let typedef = specs.specs.has(DeclSpecs::TYPEDEF);
            let given = if typedef { self.linkage.without(DeclSpecs::EXTERN) } else { self.linkage };
            specs.specs = specs.specs.with(given);
        }
        if let Some(tag) = specs.tag {
            out.push(tag);
        }
        if self.is(T::Semi) {
            return self.bare_specifiers(cx, &specs, out);
        }
        if self.bindings_ahead(&specs) {
            let d = self.bindings(&specs)?;
            out.push(d);
            self.expect(T::Semi)?;
            return Ok(());
        }
        let host = self.unknown_types > unknown;
        let mut first = true;
        loop {
            let (d, bodied) = self.init_declarator(cx, &specs, first, host)?;
            let d = if self.is_cxx() { self.abbreviated(d)? } else { d };
            out.push(d);
            if bodied {
                return Ok(());
            }
            first = false;
            if !self.eat(T::Comma) {
                break;
            }
            let mut more = Attrs::new();
            self.attributes_if_any(&mut more)?;
        }
        self.expect(T::Semi)?;
        Ok(())
    }

    /// `struct S {…};`, and what declares nothing.
    fn bare_specifiers(&mut self, cx: DeclCx, specs: &Specs, out: &mut Vec<DeclId>) -> PResult<()> {
        self.bump();
        if let Some(tag) = specs.tag {
            let mut attrs = specs.attrs.clone();
            attrs.extend_from_slice(self.ast.list(self.ast[tag].attrs));
            let list = self.ast.push_list(&attrs);
            let d = self.ast[tag];
            self.ast[tag].attrs = list;
            // An unnamed structure in a structure is a member without a name.
            let unnamed = self.ast[d.name].kind == NameKind::None;
            if cx == DeclCx::Member && unnamed && matches!(d.kind, DeclKind::Record(_)) {
                let kind = DeclKind::Field { ty: specs.ty, bits: None, init: None };
                let field = Decl { kind, name: d.name, specs: specs.specs, attrs: List::EMPTY, span: d.span };
                out.push(self.ast.push_decl(field));
            }
            // In a block it is a variable without a name, whose members are.
            if let (DeclCx::Block, true, DeclKind::Record(r)) = (cx, unnamed && self.is_cxx(), d.kind) {
                for i in 0..self.ast[r].members.len() {
                    let member = self.ast.list(self.ast[r].members)[i];
                    if let Some(sym) = self.ast.plain_name(self.ast[member].name) {
                        self.names.declare(sym, Known::Value);
                    }
                }
                let kind = DeclKind::Var { ty: specs.ty, init: Init::None, asm_label: None };
                let var = Decl { kind, name: d.name, specs: specs.specs, attrs: List::EMPTY, span: d.span };
                out.push(self.ast.push_decl(var));
            }
            return Ok(());
        }
        let elaborated = matches!(self.ast[specs.ty].kind, TypeKind::Elaborated { .. });
        if !elaborated {
            let span = self.span_from(specs.start);
            let d = Diagnostic::warning("W0203", span, "declaration declares nothing").group("missing-declarations");
            self.report(d);
        }
        Ok(())
    }

    /// One declarator with its initialiser or body. True if it had a body.
    fn init_declarator(&mut self, cx: DeclCx, specs: &Specs, first: bool, host: bool) -> PResult<(DeclId, bool)> {
        let unnamed_bits = cx == DeclCx::Member && self.is(T::Colon);
        let mut d = if unnamed_bits {
            let name = self.no_name();
            Declarator { name, ty: specs.ty, attrs: Attrs::new(), pack: false }
        } else {
            self.late_specs = DeclSpecs::default();
            self.declarator(specs.ty, Form::Named)?
        };
        let late = std::mem::take(&mut self.late_specs);
        let with_late;
        let specs = if late == DeclSpecs::default() {
            specs
        } else {
            with_late = Specs { specs: specs.specs.with(late), ..specs.clone() };
            &with_late
        };
        let is_typedef = specs.specs.has(DeclSpecs::TYPEDEF);
        if matches!(self.ast[d.ty].kind, TypeKind::Function(_)) && !is_typedef {
            return self.function_rest(cx, specs, d, first);
        }
        if specs.no_type {
            return Err(self.expected("parameters"));
        }
        let asm_label = self.asm_label_if_any()?;
        self.attributes_if_any(&mut d.attrs)?;
        d.ty = self.attributed_type(d.ty, &d.attrs);
        // C's members have names of their own, and hide nothing.
        if cx != DeclCx::Member || self.is_cxx() {
            self.declare_variable(d.name, is_typedef, host);
        }
        let kind = if is_typedef {
            DeclKind::Typedef { ty: d.ty }
        } else if cx == DeclCx::Member && !specs.specs.any(DeclSpecs(DeclSpecs::STATIC.0 | DeclSpecs::CONSTEXPR.0)) {
            self.field_rest(d.ty, &mut d.attrs)?
        } else {
            let init = self.initializer(cx)?;
            DeclKind::Var { ty: d.ty, init, asm_label }
        };
        self.attributes_if_any(&mut d.attrs)?;
        let mut attrs = specs.attrs.clone();
        attrs.append(&mut d.attrs);
        let attrs = self.ast.push_list(&attrs);
        let span = self.span_from(specs.start);
        Ok((self.ast.push_decl(Decl { kind, name: d.name, specs: specs.specs, attrs, span }), false))
    }

    fn declare_variable(&mut self, name: NameId, is_typedef: bool, host: bool) {
        let Some(sym) = self.ast.plain_name(name) else { return };
        let known = match (is_typedef, host) {
            (true, true) => Known::HostType,
            (true, false) => Known::Type,
            (false, _) if !self.template_heads.is_empty() => Known::ValueTemplate,
            (false, _) => return self.declare_value(sym),
        };
        self.names.declare(sym, known);
    }

    /// `: bits`, `= e`, `{…}`
    fn field_rest(&mut self, ty: crate::ast::TypeId, attrs: &mut Attrs) -> PResult<DeclKind> {
        let bits = if self.eat(T::Colon) { Some(self.in_parens(Self::constant_expr)?) } else { None };
        self.attributes_if_any(attrs)?;
        let init = if self.is_cxx() && self.eat(T::Eq) {
            Some(self.init_clause()?)
        } else if self.is_cxx() && self.is(T::LBrace) {
            Some(self.braced_init()?)
        } else {
            None
        };
        Ok(DeclKind::Field { ty, bits, init })
    }

    /// Whether `auto [a, b]` stands here, `auto` taken.
    pub(super) fn bindings_ahead(&self, specs: &Specs) -> bool {
        let auto = matches!(self.ast[specs.ty].kind, TypeKind::Builtin(BuiltinType::Auto));
        let after = usize::from(matches!(self.tok.kind, T::Amp | T::AmpAmp));
        auto && self.peek(after).kind == T::LBracket
    }

    /// `[a, b] = e`
    pub(super) fn bindings(&mut self, specs: &Specs) -> PResult<DeclId> {
        use crate::ast::{Quals, Type};
        let mut ty = specs.ty;
        let make: Option<fn(crate::ast::TypeId) -> TypeKind> = match self.tok.kind {
            T::Amp => Some(TypeKind::LvalueRef),
            T::AmpAmp => Some(TypeKind::RvalueRef),
            _ => None,
        };
        if let Some(make) = make {
            let span = self.bump().span;
            ty = self.ast.push_type(Type { kind: make(ty), quals: Quals::default(), span });
        }
        let open = self.expect(T::LBracket)?;
        let mut names: SmallVec<[Ident; 4]> = SmallVec::new();
        loop {
            let (sym, span) = self.ident("a name")?;
            self.names.declare(sym, Known::Value);
            names.push(Ident { sym, span });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect_closer(T::RBracket, open)?;
        let init = self.initializer(DeclCx::Block)?;
        let names = self.ast.push_list(&names);
        let name = self.no_name();
        let attrs = self.ast.push_list(&specs.attrs);
        let span = self.span_from(specs.start);
        let kind = DeclKind::Bindings { names, ty, init };
        Ok(self.ast.push_decl(Decl { kind, name, specs: specs.specs, attrs, span }))
    }

    /// `= e`, `(…)`, `{…}` or nothing.
    pub(super) fn initializer(&mut self, _cx: DeclCx) -> PResult<Init> {
        match self.tok.kind {
            T::Eq => {
                self.bump();
                Ok(Init::Copy(self.init_clause()?))
            }
            T::LParen if self.is_cxx() => Ok(Init::Paren(self.call_args()?)),
            T::LBrace if self.is_cxx() => Ok(Init::Brace(self.braced_init()?)),
            _ => Ok(Init::None),
        }
    }

    /// `asm("name")` after a declarator.
    pub(super) fn asm_label_if_any(&mut self) -> PResult<Option<StrId>> {
        if !self.is_kw(Kw::Asm) {
            return Ok(None);
        }
        self.bump();
        let open = self.expect(T::LParen)?;
        let s = self.string()?;
        self.expect_closer(T::RParen, open)?;
        Ok(Some(s))
    }
}
