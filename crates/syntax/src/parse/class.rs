//! Members of structures, unions and classes.

use super::decl::DeclCx;
use super::keywords::Kw;
use super::names::Known;
use super::spec::Attrs;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{AccessSpec, Decl, DeclId, DeclKind, DeclSpecs, List};

impl Parser<'_> {
    /// `{ member … }`
    pub(super) fn member_list(&mut self) -> PResult<List<DeclId>> {
        let open = self.expect(T::LBrace)?;
        let mut members: Vec<DeclId> = Vec::new();
        while !matches!(self.tok.kind, T::RBrace | T::Eof) {
            let before = self.pos;
            if self.member(&mut members).is_err() {
                self.sync();
                if self.pos == before && !matches!(self.tok.kind, T::RBrace | T::Eof) {
                    self.bump();
                }
            }
        }
        self.expect_closer(T::RBrace, open)?;
        Ok(self.ast.push_list(&members))
    }

    /// One member-declaration; it may declare several members.
    fn member(&mut self, members: &mut Vec<DeclId>) -> PResult<()> {
        match self.tok.kind {
            T::Semi => {
                self.bump();
                return Ok(());
            }
            T::Pragma => {
                self.file_pragma(DeclCx::Member, members);
                return Ok(());
            }
            _ => {}
        }
        let kw = self.kw();
        if let Some(access) = access_word(kw)
            && self.is_cxx()
            && self.peek(1).kind == T::Colon
        {
            let span = self.bump().span;
            self.bump();
            let d = self.simple_decl(DeclKind::Access(access), span);
            members.push(d);
            return Ok(());
        }
        self.declaration(DeclCx::Member, members)
    }

    /// A declaration without name and attributes, from `start` to the last token taken.
    pub(super) fn simple_decl(&mut self, kind: DeclKind, start: source::Span) -> DeclId {
        let name = self.no_name();
        let span = self.span_from(start);
        self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span })
    }

    /// `friend …`, `friend` taken.
    pub(super) fn friend_declaration(&mut self, out: &mut Vec<DeclId>) -> PResult<()> {
        let start = self.tok.span;
        // `friend class S;`, `friend T;`
        let i = self.pos + 1;
        let tag = matches!(self.kw_of(self.at(i)), Kw::Class | Kw::Struct | Kw::Union);
        let end =
            if tag { self.scan_name(i + 1, false).map(|n| n.end) } else { self.scan_name(i, false).map(|n| n.end) };
        if end.is_some_and(|e| self.at(e).kind == T::Semi) {
            self.bump();
            let ty = if tag {
                // The `;` belongs to the friend declaration, not to a forward declaration.
                self.elaborated_friend()?
            } else {
                self.type_id()?
            };
            self.expect(T::Semi)?;
            let d = self.simple_decl(DeclKind::FriendType(ty), start);
            out.push(d);
            return Ok(());
        }
        let mut inner = Vec::new();
        self.simple_declaration(DeclCx::Member, Attrs::new(), &mut inner)?;
        for d in inner {
            let f = self.simple_decl(DeclKind::Friend(d), start);
            out.push(f);
        }
        Ok(())
    }

    fn elaborated_friend(&mut self) -> PResult<crate::ast::TypeId> {
        use crate::ast::{Quals, Type, TypeKind};
        let start = self.tok.span;
        let tag = self.tag_keyword();
        self.bump();
        let name = self.name(super::name::NameUse::Type)?;
        if let Some(sym) = self.ast.plain_name(name)
            && !self.known(sym).is_type()
        {
            let known = if self.template_heads.is_empty() { Known::Type } else { Known::TypeTemplate };
            self.names.declare(sym, known);
        }
        let span = self.span_from(start);
        Ok(self.ast.push_type(Type { kind: TypeKind::Elaborated { tag, name }, quals: Quals::default(), span }))
    }
}

fn access_word(kw: Kw) -> Option<AccessSpec> {
    match kw {
        Kw::Public => Some(AccessSpec::Public),
        Kw::Protected => Some(AccessSpec::Protected),
        Kw::Private => Some(AccessSpec::Private),
        _ => None,
    }
}
