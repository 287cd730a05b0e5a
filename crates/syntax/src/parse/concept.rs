//! Concepts and constraints (C++20): `concept`, `requires` clauses and expressions, constrained parameters.
//!
//! A concept is a variable template of a truth value that [`crate::ast::Ast::concepts`] lists. Whatever says that arguments
//! must satisfy something ends up as an expression in [`crate::ast::Ast::constraints`] of what it constrains.

use super::keywords::Kw;
use super::name::NameUse;
use super::names::Known;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    BinaryOp, BuiltinType, Decl, DeclId, DeclKind, DeclSpecs, ExprId, ExprKind, FoldOp, Init, List, Name, NameId,
    Quals, Requirement, Requires, TemplateArg, Type, TypeId, TypeKind,
};
use smallvec::SmallVec;

impl Parser<'_> {
    /// `concept C = constraint;`
    pub(super) fn concept(&mut self) -> PResult<DeclId> {
        let start = self.bump().span;
        if self.template_heads.is_empty() {
            return Err(self.error(
                "E0202",
                start,
                "a concept is a template: `template <class T> concept …` is missing",
            ));
        }
        let (sym, span) = self.ident("the name of a concept")?;
        let mut attrs = super::spec::Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        self.expect(T::Eq)?;
        let value = self.constant_expr()?;
        self.expect(T::Semi)?;
        let quals = Quals { is_const: true, ..Quals::default() };
        let ty = self.ast.push_type(Type { kind: TypeKind::Builtin(BuiltinType::Bool), quals, span });
        let name = self.plain_name(sym, span);
        let kind = DeclKind::Var { ty, init: Init::Copy(value), asm_label: None };
        let span = self.span_from(start);
        let d = self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::CONSTEXPR, attrs: List::EMPTY, span });
        self.ast.concepts.insert(d);
        self.concepts.insert(sym);
        Ok(d)
    }

    /// Where the name of a concept that starts at the token `i` ends, its arguments included.
    pub(super) fn concept_at(&mut self, i: usize) -> Option<usize> {
        if self.concepts.is_empty() {
            return None;
        }
        let mut at = i + usize::from(self.at(i).kind == T::ColonColon);
        while self.is_ident(self.at(at)) && self.at(at + 1).kind == T::ColonColon {
            at += 2;
        }
        let t = self.at(at);
        if !self.is_ident(t) || !self.concepts.contains(&t.sym) {
            return None;
        }
        let known = if at == i { self.known(t.sym) } else { self.known_qualified(at) };
        if !matches!(known, Known::ValueTemplate | Known::Unknown) {
            return None;
        }
        if self.at(at + 1).kind == T::Less { self.angle_end(at + 1) } else { Some(at + 1) }
    }

    /// Whether a constrained `auto` or `decltype(auto)` stands at `i`.
    pub(super) fn constrained_auto_at(&mut self, i: usize) -> bool {
        let Some(end) = self.concept_at(i) else { return false };
        let is_auto = |i: usize| self.kw_of(self.at(i)) == Kw::Auto;
        match self.kw_of(self.at(end)) {
            Kw::Decltype => is_auto(end + 2) && self.at(end + 3).kind == T::RParen,
            _ => is_auto(end),
        }
    }

    /// The concept of a constrained `auto` or `decltype(auto)`, if one stands here.
    pub(super) fn constraint_of_auto(&mut self) -> PResult<Option<NameId>> {
        if self.constrained_auto_at(self.pos) { Ok(Some(self.name(NameUse::Expr)?)) } else { Ok(None) }
    }

    /// The concept of a type parameter, if one stands here: `std::integral T`.
    pub(super) fn constraint_of_type(&mut self) -> PResult<Option<NameId>> {
        let Some(end) = self.concept_at(self.pos) else { return Ok(None) };
        let next = self.at(end);
        let ends = matches!(next.kind, T::Ellipsis | T::Comma | T::Eq | T::Greater | T::GreaterGreater);
        if ends || self.is_ident(next) { Ok(Some(self.name(NameUse::Expr)?)) } else { Ok(None) }
    }

    /// `C<T, arguments…>` for the parameter `T` that `C<arguments…>` constrains; of a pack, that all do.
    pub(super) fn constrain(&mut self, concept: NameId, parameter: NameId, pack: bool) -> PResult<()> {
        let of = self.ast[concept];
        let ty = TypeKind::Name(parameter);
        let ty = self.ast.push_type(Type { kind: ty, quals: Quals::default(), span: of.span });
        let mut e = self.concept_of(concept, ty)?;
        if pack {
            let op = FoldOp::Binary(BinaryOp::LogAnd);
            e = self.make(ExprKind::Fold { op, left: Some(e), right: None }, of.span)?;
        }
        self.head_constraints.push(e);
        Ok(())
    }

    /// `C<T, arguments…>` for a type and the concept `C<arguments…>`.
    pub(super) fn concept_of(&mut self, concept: NameId, ty: TypeId) -> PResult<ExprId> {
        let of = self.ast[concept];
        let mut args: SmallVec<[TemplateArg; 4]> = SmallVec::new();
        args.push(TemplateArg::Type(ty));
        args.extend(of.args.into_iter().flat_map(|l| self.ast.list(l).to_vec()));
        let args = Some(self.ast.push_list(&args));
        let name = self.ast.push_name(Name { args, ..of });
        self.make(ExprKind::Name(name), of.span)
    }

    /// `requires constraint`, if it stands here.
    pub(super) fn requires_clause(&mut self) -> PResult<Option<ExprId>> {
        if !self.is_kw(Kw::Requires) {
            return Ok(None);
        }
        self.bump();
        let outer = std::mem::replace(&mut self.angle, false);
        let r = self.nested(Self::either_constraint);
        self.angle = outer;
        r.map(Some)
    }

    /// Where the constraint ends that starts at the token `i`.
    pub(super) fn constraint_end(&mut self, mut i: usize) -> usize {
        loop {
            let t = self.at(i);
            i = match (t.kind, self.kw_of(t)) {
                (T::LParen, _) => self.after_group(i).unwrap_or(i + 1),
                (_, Kw::Requires) => {
                    let open = if self.at(i + 1).kind == T::LParen { self.after_group(i + 1) } else { Some(i + 1) };
                    open.and_then(|o| self.after_group(o)).unwrap_or(i + 1)
                }
                _ => {
                    let end = self.scan_name(i, true).map_or(i + 1, |n| n.end);
                    // A question about types; behind other names no call may stand.
                    let asks = self.at(end).kind == T::LParen && self.session.strings.str(t.sym).starts_with("__");
                    if asks && t.kind == T::Ident { self.after_group(end).unwrap_or(end) } else { end }
                }
            };
            if !matches!(self.at(i).kind, T::AmpAmp | T::PipePipe) {
                return i;
            }
            i += 1;
        }
    }

    fn either_constraint(&mut self) -> PResult<ExprId> {
        let mut left = self.both_constraints()?;
        while self.eat(T::PipePipe) {
            let right = self.both_constraints()?;
            let span = self.ast[left].span.to(self.ast[right].span);
            left = self.make(ExprKind::Binary(BinaryOp::LogOr, left, right), span)?;
        }
        Ok(left)
    }

    fn both_constraints(&mut self) -> PResult<ExprId> {
        let mut left = self.one_constraint()?;
        while self.eat(T::AmpAmp) {
            let right = self.one_constraint()?;
            let span = self.ast[left].span.to(self.ast[right].span);
            left = self.make(ExprKind::Binary(BinaryOp::LogAnd, left, right), span)?;
        }
        Ok(left)
    }

    fn one_constraint(&mut self) -> PResult<ExprId> {
        let asks = self.peek(1).kind == T::LParen && self.is_type_trait();
        match self.tok.kind {
            T::LParen => self.nested(Self::parenthesised),
            T::Ident if asks => self.type_trait(),
            T::Ident if self.kw() == Kw::None => self.name_expr(),
            T::ColonColon => self.name_expr(),
            _ => self.primary(),
        }
    }

    /// Remembers what constrains a declaration, what is known of it already coming last.
    pub(super) fn constrained(&mut self, decl: DeclId, mut by: Vec<ExprId>) {
        if by.is_empty() {
            return;
        }
        let known = self.ast.constraints.entry(decl).or_default();
        by.append(known);
        *known = by;
    }

    /// `requires { … }`, `requires(parameters) { … }`
    pub(super) fn requires_expression(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let angle = std::mem::replace(&mut self.angle, false);
        self.names.push_scope();
        let r = self.measured_expr(|p| {
            let requires = p.nested(Self::requires_rest)?;
            let id = p.ast.push_requires(requires);
            Ok((ExprKind::Requires(id), p.span_from(start)))
        });
        self.names.pop_scope();
        self.angle = angle;
        r
    }

    fn requires_rest(&mut self) -> PResult<Requires> {
        let mut params = List::EMPTY;
        if self.is(T::LParen) {
            params = self.parameters()?.params;
            self.redeclare(params);
        }
        let open = self.expect(T::LBrace)?;
        let mut list = Vec::new();
        while !self.is(T::RBrace) {
            list.push(self.in_parens(Self::requirement)?);
            self.expect(T::Semi)?;
        }
        self.expect_closer(T::RBrace, open)?;
        Ok(Requires { params, list })
    }

    fn requirement(&mut self) -> PResult<Requirement> {
        if self.is_kw(Kw::Typename) && !self.construction_ahead() {
            let ty: TypeId = self.measured_type(|p| p.type_id())?;
            return Ok(Requirement::Type(ty));
        }
        // `requires requires { … }` nests, `requires { … }` alone is an expression.
        if self.is_kw(Kw::Requires) && !matches!(self.peek(1).kind, T::LBrace) {
            self.bump();
            return Ok(Requirement::Nested(self.constant_expr()?));
        }
        if !self.is(T::LBrace) {
            return Ok(Requirement::Expr { value: self.full_expr()?, noexcept: false, result: None });
        }
        let open = self.bump().span;
        let value = self.full_expr()?;
        self.expect_closer(T::RBrace, open)?;
        let noexcept = self.eat_kw(Kw::Noexcept);
        let result = if self.eat(T::Arrow) { Some(self.name(NameUse::Expr)?) } else { None };
        Ok(Requirement::Expr { value, noexcept, result })
    }

    /// Whether `typename T::x` is followed by what makes an object of it.
    fn construction_ahead(&mut self) -> bool {
        self.scan_name(self.pos + 1, false).is_some_and(|n| matches!(self.at(n.end).kind, T::LParen | T::LBrace))
    }
}
