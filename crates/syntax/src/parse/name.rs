//! Names: qualified, operators, template-ids and their arguments.

use super::keywords::Kw;
use super::names::Known;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    ExprKind, List, Name, NameId, NameKind, NameSegment, Operator, Quals, SegmentKind, TemplateArg, Type, TypeId,
    TypeKind,
};
use smallvec::SmallVec;
use source::{Span, Symbol};

/// Where a name stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameUse {
    /// In an expression.
    Expr,
    /// After `.` or `->`.
    Member,
    /// Where a type is wanted.
    Type,
    /// The name that a declarator declares.
    Declarator,
}

/// What a template argument is.
#[derive(Clone, Copy)]
enum Ahead {
    Type,
    Value,
    /// To be seen when all of it is read.
    Either,
}

impl Parser<'_> {
    /// A name of one identifier.
    pub(super) fn plain_name(&mut self, sym: Symbol, span: Span) -> NameId {
        self.named(NameKind::Ident(sym), span)
    }

    /// A name without qualifier and arguments.
    pub(super) fn named(&mut self, kind: NameKind, span: Span) -> NameId {
        self.ast.push_name(Name {
            kind,
            span,
            global: false,
            typename: false,
            template: false,
            qualifier: List::EMPTY,
            args: None,
        })
    }

    /// The name of what has none.
    pub(super) fn no_name(&mut self) -> NameId {
        let span = self.tok.span;
        self.named(NameKind::None, Span { hi: span.lo, ..span })
    }

    /// `[::] { segment :: } last`
    pub(super) fn name(&mut self, usage: NameUse) -> PResult<NameId> {
        // By far the most names are one identifier.
        if self.is_ident(self.tok) {
            let next = self.peek(1).kind;
            if next != T::ColonColon && next != T::Less || !self.is_cxx() {
                let t = self.bump();
                return Ok(self.plain_name(t.sym, t.span));
            }
        }
        self.measured_name(|p| p.nested(|p| p.qualified_name(usage)))
    }

    fn qualified_name(&mut self, usage: NameUse) -> PResult<NameId> {
        let start = self.tok.span;
        let typename = self.eat_kw(Kw::Typename);
        let global = self.is_cxx() && self.eat(T::ColonColon);
        let mut qualifier: SmallVec<[NameSegment; 4]> = SmallVec::new();
        loop {
            let forced = (global || !qualifier.is_empty() || usage == NameUse::Member) && self.eat_kw(Kw::Template);
            let at = self.tok.span;
            if self.is_kw(Kw::Decltype) {
                let e = self.decltype_operand()?;
                let span = self.span_from(at);
                qualifier.push(NameSegment { kind: SegmentKind::Decltype(e), args: None, template: false, span });
                self.expect(T::ColonColon)?;
                continue;
            }
            let kind = self.last_component()?;
            let member = global || !qualifier.is_empty() || usage == NameUse::Member;
            let args = self.name_args(kind, usage, member, forced)?;
            let more = self.is(T::ColonColon) && self.peek(1).kind != T::Star && self.is_cxx();
            if let (true, NameKind::Ident(sym)) = (more, kind) {
                qualifier.push(NameSegment {
                    kind: SegmentKind::Ident(sym),
                    args,
                    template: forced,
                    span: self.span_from(at),
                });
                self.bump();
                if qualifier.len() > usize::from(u8::MAX) {
                    return Err(self.too_deep());
                }
                continue;
            }
            let qualifier = self.ast.push_list(&qualifier);
            let span = self.span_from(start);
            return Ok(self.ast.push_name(Name { kind, span, global, typename, template: forced, qualifier, args }));
        }
    }

    /// Template arguments after a component, if there are any.
    fn name_args(
        &mut self,
        kind: NameKind,
        usage: NameUse,
        member: bool,
        forced: bool,
    ) -> PResult<Option<List<TemplateArg>>> {
        if !self.is(T::Less) || !self.is_cxx() {
            return Ok(None);
        }
        let takes = match kind {
            NameKind::Ident(sym) if usage == NameUse::Member && !forced => {
                // `a.x < b`: a member template must be known, or be called with a type.
                let known = self.known_somewhere(sym);
                let template = matches!(known, Known::ValueTemplate | Known::TypeTemplate)
                    || known == Known::Unknown && self.type_at(self.pos + 1);
                template
                    && self.angle_end(self.pos).is_some_and(|e| matches!(self.at(e).kind, T::LParen | T::ColonColon))
            }
            NameKind::Ident(_) => forced || self.args_after(self.pos - 1, member, usage == NameUse::Expr).is_some(),
            NameKind::Operator(_) | NameKind::Destructor(_) => {
                self.angle_end(self.pos).is_some_and(|e| self.at(e).kind == T::LParen)
            }
            _ => false,
        };
        if takes { Ok(Some(self.template_args()?)) } else { Ok(None) }
    }

    /// An identifier, `~S`, `operator …`.
    fn last_component(&mut self) -> PResult<NameKind> {
        match self.tok.kind {
            T::Tilde if self.is_cxx() => {
                self.bump();
                let (sym, _) = self.ident("a class name")?;
                Ok(NameKind::Destructor(sym))
            }
            T::Ident if self.is_kw(Kw::Operator) => self.operator_name(),
            _ => self.ident("a name").map(|(sym, _)| NameKind::Ident(sym)),
        }
    }

    /// `operator` and what follows it.
    fn operator_name(&mut self) -> PResult<NameKind> {
        self.bump();
        if let Some(op) = self.operator_symbol()? {
            return Ok(NameKind::Operator(op));
        }
        if self.is(T::String) {
            let t = self.bump();
            if self.is(T::Ident) {
                let suffix = self.bump().sym;
                self.suffixes.insert(suffix);
                return Ok(NameKind::Literal(suffix));
            }
            // `operator""_x`: prefix and suffix in one token.
            let text = self.session.str(t.sym).trim_start_matches('"').to_owned();
            let sym = self.session.intern(&text);
            self.suffixes.insert(sym);
            return Ok(NameKind::Literal(sym));
        }
        let ty = self.conversion_type()?;
        Ok(NameKind::Conversion(ty))
    }

    /// The symbol of an operator; none where a type begins, that of a conversion.
    pub(super) fn operator_symbol(&mut self) -> PResult<Option<Operator>> {
        use Operator as O;
        let op = match self.tok.kind {
            T::Plus => O::Add,
            T::Minus => O::Sub,
            T::Star => O::Mul,
            T::Slash => O::Div,
            T::Percent => O::Rem,
            T::Caret => O::Xor,
            T::Amp => O::And,
            T::Pipe => O::Or,
            T::Tilde => O::Tilde,
            T::Bang => O::Not,
            T::Eq => O::Assign,
            T::Less => O::Lt,
            T::Greater => O::Gt,
            T::PlusEq => O::AddAssign,
            T::MinusEq => O::SubAssign,
            T::StarEq => O::MulAssign,
            T::SlashEq => O::DivAssign,
            T::PercentEq => O::RemAssign,
            T::CaretEq => O::XorAssign,
            T::AmpEq => O::AndAssign,
            T::PipeEq => O::OrAssign,
            T::LessLess => O::Shl,
            T::GreaterGreater => O::Shr,
            T::LessLessEq => O::ShlAssign,
            T::GreaterGreaterEq => O::ShrAssign,
            T::EqEq => O::Eq,
            T::BangEq => O::Ne,
            T::LessEq => O::Le,
            T::ThreeWay => O::ThreeWay,
            T::GreaterEq => O::Ge,
            T::AmpAmp => O::LogAnd,
            T::PipePipe => O::LogOr,
            T::PlusPlus => O::Inc,
            T::MinusMinus => O::Dec,
            T::Comma => O::Comma,
            T::ArrowStar => O::ArrowStar,
            T::Arrow => O::Arrow,
            T::LParen => {
                self.bump();
                self.expect(T::RParen)?;
                return Ok(Some(O::Call));
            }
            T::LBracket => {
                self.bump();
                self.expect(T::RBracket)?;
                return Ok(Some(O::Index));
            }
            T::Ident => {
                let (single, array) = match self.kw() {
                    Kw::New => (O::New, O::NewArray),
                    Kw::Delete => (O::Delete, O::DeleteArray),
                    _ => return Ok(None),
                };
                self.bump();
                if self.is(T::LBracket) && self.peek(1).kind == T::RBracket {
                    self.bump();
                    self.bump();
                    return Ok(Some(array));
                }
                return Ok(Some(single));
            }
            _ => return Ok(None),
        };
        self.bump();
        Ok(Some(op))
    }

    /// `< { argument } >`
    pub(super) fn template_args(&mut self) -> PResult<List<TemplateArg>> {
        self.nested(|p| {
            p.expect(T::Less)?;
            let outer = std::mem::replace(&mut p.angle, true);
            let args = p.template_arg_list();
            p.angle = outer;
            let args = args?;
            p.expect_angle_close()?;
            Ok(args)
        })
    }

    fn template_arg_list(&mut self) -> PResult<List<TemplateArg>> {
        let mut args: SmallVec<[TemplateArg; 4]> = SmallVec::new();
        while !self.at_angle_close() {
            args.push(self.template_arg()?);
            let comma = self.tok.span;
            if !self.eat(T::Comma) {
                break;
            }
            if self.at_angle_close() {
                self.only_nvcc(comma, "a comma behind the last template argument", "");
            }
        }
        Ok(self.ast.push_list(&args))
    }

    fn template_arg(&mut self) -> PResult<TemplateArg> {
        let ty = match self.argument_ahead() {
            Ahead::Type => Some(self.type_id()?),
            Ahead::Either => self.whole_type_argument(),
            Ahead::Value => None,
        };
        if let Some(ty) = ty {
            if let TypeKind::Pack(pattern) = self.ast[ty].kind {
                return Ok(TemplateArg::TypePack(pattern));
            }
            return Ok(if self.eat(T::Ellipsis) { TemplateArg::TypePack(ty) } else { TemplateArg::Type(ty) });
        }
        let e = self.constant_expr()?;
        if self.eat(T::Ellipsis) {
            return Ok(TemplateArg::ExprPack(e));
        }
        Ok(TemplateArg::Expr(e))
    }

    /// The type that a template argument is, if it is one as a whole; else the parser stays where it is: `bool(int(flags) & 1)`
    /// begins like the function type `bool(int(float))`.
    fn whole_type_argument(&mut self) -> Option<TypeId> {
        let begin = self.pos;
        // Arguments nest: none is tried twice.
        if self.no_types.contains(&begin) {
            return None;
        }
        let (tok, prev, depth, fatal) = (self.tok, self.prev, self.depth, self.fatal);
        let (errors, said) = (self.session.diagnostics.error_count(), self.session.diagnostics.len());
        let (unknown, pending) = (self.unknown_types, self.pending.len());
        let read = self.type_id();
        let ends = self.at_angle_close() || matches!(self.tok.kind, T::Comma | T::Ellipsis);
        if let Ok(ty) = read
            && ends
            && self.session.diagnostics.error_count() == errors
        {
            return Some(ty);
        }
        self.no_types.insert(begin);
        (self.pos, self.tok, self.prev, self.depth, self.fatal) = (begin, tok, prev, depth, fatal);
        self.session.diagnostics.truncate(said);
        self.pending.truncate(pending);
        self.unknown_types = unknown;
        None
    }

    /// Whether a template argument is a type or an expression, as far as its first words tell.
    fn argument_ahead(&mut self) -> Ahead {
        let value_if = |value| if value { Ahead::Value } else { Ahead::Type };
        if !self.type_likely_at(self.pos) {
            return Ahead::Value;
        }
        let t = self.tok;
        let after = match self.kw_of(t) {
            Kw::None => self.scan_name(self.pos, false).map_or(self.pos + 1, |n| n.end),
            Kw::Decltype => self.after_decltype(),
            Kw::Typeof | Kw::UnderlyingType | Kw::Const => return Ahead::Type,
            Kw::Typename => self.scan_name(self.pos + 1, false).map_or(self.pos + 1, |n| n.end),
            _ => self.pos + 1,
        };
        // `f<T::rank() == 1>`: a call.
        if self.at(after).kind == T::LParen && self.at(after + 1).kind == T::RParen && self.operator_at(after + 2) {
            return Ahead::Value;
        }
        if self.kw_of(t) == Kw::Typename {
            return Ahead::Type;
        }
        if self.kw_of(t) == Kw::Decltype {
            // `C<decltype(e)::value ? 0 : 1>`: a member's value.
            return value_if(self.operator_at(after));
        }
        match self.at(after).kind {
            // `f<int(3)>` and `f<S{}>` are values, `f<int(float)>` is a type.
            T::LParen => {
                let i = after + 1;
                let type_inside = matches!(self.at(i).kind, T::RParen | T::Star | T::Amp | T::AmpAmp)
                    || self.type_likely_at(i)
                    || self.member_pointer_at(i);
                if type_inside { Ahead::Either } else { Ahead::Value }
            }
            T::LBrace => Ahead::Value,
            _ => Ahead::Type,
        }
    }

    /// The index after `decltype(e)` and the members that it qualifies.
    fn after_decltype(&mut self) -> usize {
        let Some(end) = self.after_group(self.pos + 1) else { return self.pos + 1 };
        if self.at(end).kind != T::ColonColon { end } else { self.scan_name(end, false).map_or(end, |n| n.end) }
    }

    /// Whether an operator between two values stands at `i`, one that cannot end a type.
    fn operator_at(&self, i: usize) -> bool {
        let both = matches!(self.at(i).kind, T::AmpAmp | T::Star)
            && !matches!(self.at(i + 1).kind, T::Comma | T::Greater | T::GreaterGreater | T::Ellipsis);
        both || matches!(
            self.at(i).kind,
            T::EqEq
                | T::BangEq
                | T::Less
                | T::LessEq
                | T::ThreeWay
                | T::GreaterEq
                | T::PipePipe
                | T::Plus
                | T::Minus
                | T::Slash
                | T::Percent
                | T::Question
                | T::Dot
        )
    }

    /// Whether `C::*` stands at `i`.
    fn member_pointer_at(&mut self, i: usize) -> bool {
        let class = self.scan_name(i, false);
        class.is_some_and(|c| self.at(c.end).kind == T::ColonColon && self.at(c.end + 1).kind == T::Star)
    }

    /// Whether what is read depends on the arguments of a template.
    fn in_template(&self) -> bool {
        !self.template_heads.is_empty() || self.in_template_body || self.classes.iter().any(|c| !c.heads.is_empty())
    }

    /// A name where a type is wanted, as a type.
    pub(super) fn type_name_ref(&mut self, quals: Quals) -> PResult<TypeId> {
        let start = self.tok.span;
        if !self.is_kw(Kw::Typename) {
            let name = self.scan_name(self.pos, false);
            let known = name.map_or(Known::Unknown, |n| n.known);
            // In a list of bases `typename` is left out before such a member, and since C++20 nearly anywhere.
            let later = name.is_some_and(|n| n.of_instance) && self.in_template();
            let later = later || self.is_kw(Kw::Decltype);
            if known == Known::HostType || known == Known::Unknown && !later {
                self.unknown_types += 1;
            }
        }
        let name = if self.is_kw(Kw::Typename) {
            self.measured_name(|p| p.nested(|p| p.qualified_name(NameUse::Type)))?
        } else {
            self.name(NameUse::Type)?
        };
        let span = self.span_from(start);
        Ok(self.ast.push_type(Type { kind: TypeKind::Name(name), quals, span }))
    }

    /// A name in an expression, as an expression.
    pub(super) fn name_expr(&mut self) -> PResult<crate::ast::ExprId> {
        let name = self.name(NameUse::Expr)?;
        let span = self.ast[name].span;
        self.make(ExprKind::Name(name), span)
    }
}
