//! What device code may use of a class of the host, which has no layout there: its enumerations, types and constants
//! (`Quantizer::QT_4bit` as a template argument).

use super::decl::DeclCx;
use super::keywords::Kw;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{Base, Decl, DeclId, DeclKind, DeclSpecs, List, Quals, Record, TagKind};

/// How often each token of a file may be read for the scopes of host classes: classes nest.
pub(super) const MAX_SCOPE_READINGS: usize = 8;

impl Parser<'_> {
    /// The scope of the host class whose definition begins here and ends before `end`, if anything in it is of use. The
    /// parser ends where it began.
    pub(super) fn host_scope(&mut self, end: usize) -> Option<DeclId> {
        let tag = matches!(self.kw(), Kw::Struct | Kw::Class | Kw::Union);
        let name = self.peek(1);
        let tokens = end.saturating_sub(self.pos);
        // One that is defined outside of its class has a scope in that.
        let outside = self.peek(2).kind == T::ColonColon;
        if !tag || !self.is_ident(name) || outside || self.fatal || self.scope_tokens < tokens {
            return None;
        }
        let open = (self.pos + 2..end).find(|&i| self.at(i).kind == T::LBrace)?;
        self.scope_tokens -= tokens;
        let (pos, tok, prev) = (self.pos, self.tok, self.prev);
        let start = tok.span;
        let mut members = Vec::new();
        self.names.push_scope();
        let bases = self.host_bases(self.pos + 2, open);
        self.seek(open + 1);
        while self.pos < end && !matches!(self.tok.kind, T::RBrace | T::Eof) {
            self.scope_member(end, &mut members);
        }
        self.names.pop_scope();
        let span = self.span_from(start);
        (self.pos, self.tok, self.prev) = (pos, tok, prev);
        if members.is_empty() && bases.is_empty() {
            return None;
        }
        let kind = DeclKind::HostScope { bases: self.ast.push_list(&bases), members: self.ast.push_list(&members) };
        let name = self.plain_name(name.sym, name.span);
        Some(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }))
    }

    /// The declaration `class C;` of the host class whose definition begins here: `C` may be an argument of templates, and
    /// pointed to. The parser stays where it is.
    pub(super) fn host_tag(&mut self) -> Option<DeclId> {
        let tag = match self.kw() {
            Kw::Struct => TagKind::Struct,
            Kw::Class => TagKind::Class,
            Kw::Union => TagKind::Union,
            _ => return None,
        };
        let (name, next) = (self.peek(1), self.peek(2));
        let defines = matches!(next.kind, T::LBrace | T::Colon) || next.is_ident(self.words.fin);
        if !defines || !self.is_ident(name) || self.fatal {
            return None;
        }
        let (bases, members) = (List::EMPTY, List::EMPTY);
        let record = Record { tag, defined: false, bases, members, is_final: false, pack: 0 };
        let kind = DeclKind::Record(self.ast.push_record(record));
        let name = self.plain_name(name.sym, name.span);
        let span = self.ast[name].span;
        Some(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }))
    }

    /// The names of base classes between a class's name and its `{`, which have no arguments.
    fn host_bases(&mut self, from: usize, open: usize) -> Vec<Base> {
        let mut bases = Vec::new();
        for i in from..open {
            let (t, next) = (self.at(i), self.at(i + 1).kind);
            if self.is_ident(t) && matches!(next, T::Comma | T::LBrace) {
                let mut first = i;
                while self.at(first - 1).kind == T::ColonColon && self.is_ident(self.at(first - 2)) {
                    first -= 2;
                }
                self.seek(first);
                // A base may be a class of the host, too.
                let read = |p: &mut Self| {
                    let unknown = p.unknown_types;
                    let ty = p.type_name_ref(Quals::default());
                    p.unknown_types = unknown;
                    ty
                };
                if let Ok(ty) = self.on_trial(read) {
                    bases.push(Base { ty, access: None, is_virtual: false, pack: false });
                }
            }
        }
        bases
    }

    /// A member: taken in if it is a type or a constant that can be read, else passed over.
    fn scope_member(&mut self, end: usize, members: &mut Vec<DeclId>) {
        let (start, first) = (self.pos, members.len());
        let next = self.member_end(start).min(end);
        let wanted = match self.kw() {
            Kw::Enum | Kw::Struct | Kw::Class | Kw::Union | Kw::Typedef => true,
            // Of `using Base::Base;` nothing is of use.
            Kw::Using => (start..next).any(|i| self.at(i).kind == T::Eq || self.kw_of(self.at(i)) == Kw::Enum),
            Kw::Static | Kw::Constexpr => {
                (start..next).any(|i| matches!(self.kw_of(self.at(i)), Kw::Const | Kw::Constexpr))
                    && (start..next).any(|i| self.at(i).kind == T::Eq)
                    && !(start..next).any(|i| self.at(i).kind == T::LParen)
            }
            _ => false,
        };
        if !wanted || self.on_trial(|p| p.declaration(DeclCx::File, members)).is_err() {
            members.truncate(first);
            self.seek(next.max(start + 1));
        }
        if self.pos <= start {
            self.seek(start + 1);
        }
    }

    /// Index behind the member at `i`: after its `;`, its body, or the `:` of an access specifier.
    fn member_end(&self, i: usize) -> usize {
        let mut j = i;
        loop {
            match self.at(j).kind {
                T::Semi => return j + 1,
                T::Colon if j == i + 1 => return j + 1,
                T::Eof | T::RBrace => return j,
                T::LBrace => {
                    j = self.after_group(j).unwrap_or(self.tokens.len());
                    return if self.at(j).kind == T::Semi { j + 1 } else { j };
                }
                T::LParen | T::LBracket => j = self.after_group(j).unwrap_or(self.tokens.len()),
                _ => j += 1,
            }
        }
    }

    /// Runs `f`; what it reports counts as failure, and is forgotten.
    fn on_trial<R>(&mut self, f: impl FnOnce(&mut Self) -> PResult<R>) -> Result<R, ()> {
        let (checkpoint, depth) = (self.session.diagnostics.len(), self.depth);
        let (errors, unknown) = (self.session.diagnostics.error_count(), self.unknown_types);
        let pending = self.pending.len();
        let r = f(self);
        let failed = r.is_err() || self.session.diagnostics.error_count() > errors || self.unknown_types > unknown;
        self.unknown_types = unknown;
        self.depth = depth;
        self.fatal = false;
        if failed {
            self.pending.truncate(pending);
            self.session.diagnostics.truncate(checkpoint);
        }
        r.ok().filter(|_| !failed).ok_or(())
    }
}
