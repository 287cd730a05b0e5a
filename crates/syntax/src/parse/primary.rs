//! Primary expressions, and the builtins whose arguments are types.

use super::keywords::Kw;
use super::names::Known;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    CastKind, Designator, ExprId, ExprKind, FuncName, GenericArm, Ident, List, New, Quals, Type, TypeId, TypeKind,
};
use smallvec::SmallVec;
use source::Span;

impl Parser<'_> {
    /// A name; or, in C++, a type by name followed by `(` or `{`; or a question about types.
    pub(super) fn name_or_construct(&mut self) -> PResult<ExprId> {
        if !self.is_cxx() {
            let next = self.peek(1);
            if self.type_at(self.pos) && next.kind != T::LParen {
                let name = self.describe(self.tok);
                return Err(self.error("E0201", self.tok.span, format!("{name} is a type, not a value")));
            }
            return self.name_expr();
        }
        if self.peek(1).kind == T::LParen && self.is_type_trait() {
            return self.type_trait();
        }
        let next = self.peek(1).kind;
        if !matches!(next, T::LParen | T::LBrace | T::Less | T::ColonColon) && !self.is(T::ColonColon) {
            return self.name_expr();
        }
        let Some(name) = self.scan_name(self.pos, true) else { return self.name_expr() };
        let after = self.at(name.end).kind;
        // What a name means is known by its last part alone: in another namespace it may be a value.
        let is_qualified = self.is(T::ColonColon) || self.peek(1).kind == T::ColonColon;
        let unknown = name.known == Known::Unknown || is_qualified;
        let braces = after == T::LBrace && (name.known.is_type() || unknown && self.brace_is_initialiser(name.end));
        if after == T::LParen && name.known.is_type() || braces {
            let start = self.tok.span;
            let ty = self.measured_type(|p| p.type_name_ref(Quals::default()))?;
            return self.construct(ty, start);
        }
        self.name_expr()
    }

    /// Whether `x {` can only be an initialiser: not the body of a statement that `x` ends.
    fn brace_is_initialiser(&self, open: usize) -> bool {
        let Some(end) = self.after_group(open) else { return false };
        matches!(
            self.at(end).kind,
            T::Semi
                | T::Comma
                | T::RParen
                | T::LParen
                | T::RBracket
                | T::LBracket
                | T::Dot
                | T::Plus
                | T::Minus
                | T::Star
                | T::Slash
                | T::RBrace
                | T::EqEq
                | T::BangEq
                | T::AmpAmp
                | T::PipePipe
                | T::Question
        )
    }

    /// `T(args)`, `T{args}`, the type taken.
    fn construct(&mut self, ty: TypeId, start: Span) -> PResult<ExprId> {
        if self.is(T::LBrace) {
            let init = self.braced_init()?;
            let args = self.ast.push_list(&[init]);
            return self.expr_from(ExprKind::Construct { ty, args, braces: true }, start);
        }
        let args = self.call_args()?;
        self.expr_from(ExprKind::Construct { ty, args, braces: false }, start)
    }

    /// Everything that starts neither with a name nor with a prefix operator or parenthesis.
    pub(super) fn primary(&mut self) -> PResult<ExprId> {
        let t = self.tok;
        match t.kind {
            T::Number => return self.number(),
            T::Char => return self.character(),
            T::String => return self.string_expr(),
            T::LBracket if self.is_cxx() => return self.nested(Self::lambda),
            T::Ident => {}
            _ => return Err(self.expected_expression()),
        }
        let kind = match self.kw() {
            Kw::True => ExprKind::Bool(true),
            Kw::False => ExprKind::Bool(false),
            Kw::Nullptr => ExprKind::Nullptr,
            Kw::This => ExprKind::This,
            Kw::Func => ExprKind::FuncName(FuncName::Func),
            Kw::Function => ExprKind::FuncName(FuncName::Function),
            Kw::PrettyFunction => ExprKind::FuncName(FuncName::Pretty),
            _ => return self.keyword_primary(),
        };
        self.bump();
        self.make(kind, t.span)
    }

    fn keyword_primary(&mut self) -> PResult<ExprId> {
        match self.kw() {
            Kw::Generic => self.generic(),
            Kw::Offsetof => self.offsetof(),
            Kw::VaArg => self.va_arg(),
            Kw::TypesCompatible => self.type_trait(),
            Kw::ChooseExpr => self.choose(),
            Kw::BitCast => self.bit_cast(),
            Kw::Astype => self.astype(),
            Kw::StaticCast => self.named_cast(CastKind::Static),
            Kw::ReinterpretCast => self.named_cast(CastKind::Reinterpret),
            Kw::ConstCast => self.named_cast(CastKind::Const),
            Kw::DynamicCast => self.named_cast(CastKind::Dynamic),
            Kw::Typeid => self.typeid(),
            Kw::Operator => self.name_expr(),
            Kw::Requires => self.requires_expression(),
            Kw::Decltype if self.decltype_is_qualifier() => self.name_expr(),
            kw if kw.starts_type() && self.is_cxx() => self.type_construct(),
            _ => Err(self.expected_expression()),
        }
    }

    fn decltype_is_qualifier(&self) -> bool {
        self.after_group(self.pos + 1).is_some_and(|end| self.at(end).kind == T::ColonColon)
    }

    /// `int(x)`, `unsigned long{3}`, `typename T::X(…)`.
    fn type_construct(&mut self) -> PResult<ExprId> {
        let start = self.tok.span;
        let ty = self.measured_type(Self::type_specs)?;
        if !matches!(self.tok.kind, T::LParen | T::LBrace) {
            return Err(self.expected("`(` or `{` after the type"));
        }
        self.construct(ty, start)
    }

    fn expected_expression(&mut self) -> super::Reported {
        let found = self.describe(self.tok);
        let place = if matches!(self.tok.kind, T::Eof | T::EndPragma) { self.prev.after() } else { self.tok.span };
        self.error("E0201", place, format!("expected an expression, found {found}"))
    }

    fn named_cast(&mut self, kind: CastKind) -> PResult<ExprId> {
        let start = self.bump().span;
        self.expect(T::Less)?;
        let outer = std::mem::replace(&mut self.angle, true);
        let ty = self.nested(Self::type_id);
        self.angle = outer;
        let ty = ty?;
        self.expect_angle_close()?;
        let open = self.expect(T::LParen)?;
        let operand = self.in_parens(Self::full_expr)?;
        self.expect_closer(T::RParen, open)?;
        let e = self.expr_from(ExprKind::Cast { kind, ty, operand }, start)?;
        if kind == CastKind::Dynamic {
            let span = self.ast[e].span;
            self.unsupported(span, "`dynamic_cast`", "there is no run-time type information on devices");
        }
        Ok(e)
    }

    fn typeid(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = if self.type_at(self.pos) {
            ExprKind::TypeidType(self.in_parens(Self::type_id)?)
        } else {
            ExprKind::TypeidExpr(self.in_parens(Self::full_expr)?)
        };
        self.expect_closer(T::RParen, open)?;
        let e = self.expr_from(kind, start)?;
        let span = self.ast[e].span;
        self.unsupported(span, "`typeid`", "there is no run-time type information on devices");
        Ok(e)
    }

    /// `_Generic(e, T: a, default: b)`
    fn generic(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let control = p.assign_expr()?;
            let mut arms: SmallVec<[GenericArm; 4]> = SmallVec::new();
            while p.eat(T::Comma) {
                let ty = if p.eat_kw(Kw::Default) { None } else { Some(p.type_id()?) };
                p.expect(T::Colon)?;
                arms.push(GenericArm { ty, value: p.assign_expr()? });
            }
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::Generic { control, arms: p.ast.push_list(&arms) })
        })?;
        self.expr_from(kind, start)
    }

    fn offsetof(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let ty = p.type_id()?;
            p.expect(T::Comma)?;
            let mut path: SmallVec<[Designator; 2]> = SmallVec::new();
            let (sym, span) = p.ident("a member")?;
            path.push(Designator::Field(Ident { sym, span }));
            loop {
                if p.eat(T::Dot) {
                    let (sym, span) = p.ident("a member")?;
                    path.push(Designator::Field(Ident { sym, span }));
                } else if p.is(T::LBracket) {
                    path.push(p.index_designator()?);
                } else {
                    break;
                }
            }
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::Offsetof { ty, path: p.ast.push_list(&path) })
        })?;
        self.expr_from(kind, start)
    }

    fn va_arg(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let list = p.assign_expr()?;
            p.expect(T::Comma)?;
            let ty = p.type_id()?;
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::VaArg { list, ty })
        })?;
        self.expr_from(kind, start)
    }

    fn choose(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let cond = p.assign_expr()?;
            p.expect(T::Comma)?;
            let then = p.assign_expr()?;
            p.expect(T::Comma)?;
            let els = p.assign_expr()?;
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::Choose { cond, then, els })
        })?;
        self.expr_from(kind, start)
    }

    fn bit_cast(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let ty = p.type_id()?;
            p.expect(T::Comma)?;
            let operand = p.assign_expr()?;
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::BitCast { ty, operand })
        })?;
        self.expr_from(kind, start)
    }

    /// `__builtin_astype(e, T)`, which clang's headers and some programs write for `as_T(e)`.
    fn astype(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let operand = p.assign_expr()?;
            p.expect(T::Comma)?;
            let ty = p.type_id()?;
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::BitCast { ty, operand })
        })?;
        self.expr_from(kind, start)
    }

    /// Whether the identifier here is one of the compiler's questions about types.
    pub(super) fn is_type_trait(&mut self) -> bool {
        // A qualified name may start here with `::`, which has no text. What a program declares is its own.
        if self.tok.kind != T::Ident || self.known(self.tok.sym) != Known::Unknown {
            return false;
        }
        let text = self.session.strings.str(self.tok.sym);
        let asks = text.starts_with("__is_")
            || text.starts_with("__has_trivial")
            || text.starts_with("__nv_is_extended_")
            || matches!(text, "__has_virtual_destructor" | "__has_unique_object_representations");
        asks && !text.starts_with("__is_constant")
    }

    /// `__is_same(A, B)`, `__builtin_types_compatible_p(A, B)`
    pub(super) fn type_trait(&mut self) -> PResult<ExprId> {
        let t = self.bump();
        let open = self.expect(T::LParen)?;
        let kind = self.in_parens(|p| {
            let mut args: SmallVec<[TypeId; 2]> = SmallVec::new();
            loop {
                let start = p.tok.span;
                let ty = p.type_id()?;
                let expands = !matches!(p.ast[ty].kind, TypeKind::Pack(_)) && p.eat(T::Ellipsis);
                args.push(if expands {
                    let span = p.span_from(start);
                    p.ast.push_type(Type { kind: TypeKind::Pack(ty), quals: Quals::default(), span })
                } else {
                    ty
                });
                if !p.eat(T::Comma) {
                    break;
                }
            }
            p.expect_closer(T::RParen, open)?;
            Ok(ExprKind::TypeTrait { name: t.sym, args: p.ast.push_list(&args) })
        })?;
        self.expr_from(kind, t.span)
    }

    /// `({ … })`
    pub(super) fn statement_expr(&mut self) -> PResult<ExprId> {
        let open = self.tok.span;
        self.measured_expr(|p| {
            let body = p.in_parens(|p| {
                p.bump();
                let body = p.compound()?;
                p.expect_closer(T::RParen, open)?;
                Ok(body)
            })?;
            Ok((ExprKind::StmtExpr(body), p.span_from(open)))
        })
    }

    pub(super) fn throw(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let operand = if matches!(self.tok.kind, T::Semi | T::RParen | T::Comma | T::Colon) {
            None
        } else {
            Some(self.nested(Self::assign_expr)?)
        };
        self.expr_from(ExprKind::Throw(operand), start)
    }

    pub(super) fn new_expr(&mut self, _global: bool) -> PResult<ExprId> {
        let start = self.bump().span;
        let placement = if self.is(T::LParen) && !self.type_at(self.pos + 1) { self.call_args()? } else { List::EMPTY };
        let ty = if self.is(T::LParen) {
            let open = self.bump().span;
            let ty = self.in_parens(Self::type_id)?;
            self.expect_closer(T::RParen, open)?;
            ty
        } else {
            self.measured_type(|p| p.nested(Self::new_type))?
        };
        let init = match self.tok.kind {
            T::LParen => Some(self.call_args()?),
            T::LBrace => {
                let e = self.braced_init()?;
                Some(self.ast.push_list(&[e]))
            }
            _ => None,
        };
        let new = self.ast.push_new(New { placement, ty, init });
        self.expr_from(ExprKind::New(new), start)
    }

    pub(super) fn delete_expr(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let array = self.is(T::LBracket) && self.peek(1).kind == T::RBracket;
        if array {
            self.bump();
            self.bump();
        }
        let operand = self.nested(Self::unary)?;
        self.expr_from(ExprKind::Delete { array, operand }, start)
    }
}
