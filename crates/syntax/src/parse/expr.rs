//! Expressions: comma, assignment, conditional, binary operators by precedence, unary, casts, postfix.

use super::keywords::Kw;
use super::name::NameUse;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{BinaryOp, CastKind, ExprId, ExprKind, FoldOp, List, NameKind, UnaryOp};
use smallvec::SmallVec;
use source::Span;

/// Precedence of `&&`-like operators and tighter: higher binds tighter.
const LOWEST: u8 = 1;

impl Parser<'_> {
    /// Runs `f` inside brackets: `>` is an operator again.
    pub(super) fn in_parens<R>(&mut self, f: impl FnOnce(&mut Self) -> PResult<R>) -> PResult<R> {
        let outer = std::mem::replace(&mut self.angle, false);
        let r = self.nested(f);
        self.angle = outer;
        r
    }

    fn join_exprs(&self, a: ExprId, b: ExprId) -> Span {
        let (a, b) = (self.ast[a].span, self.ast[b].span);
        if a.expn == b.expn { a.to(b) } else { self.session.sources.join(a, b) }
    }

    /// expression: assignments with commas between.
    pub(super) fn full_expr(&mut self) -> PResult<ExprId> {
        let mut left = self.assign_expr()?;
        while self.is(T::Comma) {
            self.bump();
            let right = self.assign_expr()?;
            let span = self.join_exprs(left, right);
            left = self.make(ExprKind::Comma(left, right), span)?;
        }
        Ok(left)
    }

    /// assignment-expression
    pub(super) fn assign_expr(&mut self) -> PResult<ExprId> {
        if self.is_kw(Kw::Throw) {
            return self.throw();
        }
        let left = self.conditional()?;
        let Some(op) = assignment(self.tok.kind) else { return Ok(left) };
        let folds = self.is_cxx() && self.peek(1).kind == T::Ellipsis;
        if folds || self.angle && matches!(self.tok.kind, T::GreaterGreaterEq) {
            return Ok(left);
        }
        self.bump();
        let right = self.init_clause()?;
        let span = self.join_exprs(left, right);
        self.make(ExprKind::Assign(op, left, right), span)
    }

    /// conditional-expression; also constant-expression.
    pub(super) fn constant_expr(&mut self) -> PResult<ExprId> {
        self.conditional()
    }

    fn conditional(&mut self) -> PResult<ExprId> {
        let cond = self.binary(LOWEST)?;
        if !self.is(T::Question) {
            return Ok(cond);
        }
        self.bump();
        let then = if self.is(T::Colon) { None } else { Some(self.in_parens(Self::full_expr)?) };
        self.expect(T::Colon)?;
        let els = self.nested(|p| if p.is_cxx() { p.assign_expr() } else { p.conditional() })?;
        let span = self.join_exprs(cond, els);
        self.make(ExprKind::Cond { cond, then, els }, span)
    }

    /// Binary operators of precedence `min` and tighter.
    fn binary(&mut self, min: u8) -> PResult<ExprId> {
        let left = self.unary()?;
        self.binary_rest(left, min)
    }

    fn binary_rest(&mut self, mut left: ExprId, min: u8) -> PResult<ExprId> {
        while let Some((op, prec)) = self.binary_op()
            && prec >= min
        {
            self.bump();
            if self.is(T::Ellipsis) && self.is_cxx() {
                return Err(self.expected("an operand: a fold expression is written in parentheses"));
            }
            let right = self.binary(prec + 1)?;
            let span = self.join_exprs(left, right);
            left = self.make(ExprKind::Binary(op, left, right), span)?;
        }
        Ok(left)
    }

    /// The binary operator at the current token, unless it is the end of a template's list or part of a fold.
    fn binary_op(&self) -> Option<(BinaryOp, u8)> {
        if self.angle && matches!(self.tok.kind, T::Greater | T::GreaterGreater) {
            return None;
        }
        let found = binary(self.tok.kind)?;
        if self.peek(1).kind == T::Ellipsis && self.is_cxx() {
            return None;
        }
        // `<<<` is a launch, met only after a name in postfix position.
        Some(found)
    }

    /// unary-expression, cast-expression
    pub(super) fn unary(&mut self) -> PResult<ExprId> {
        let op = match self.tok.kind {
            T::Plus => UnaryOp::Plus,
            T::Minus => UnaryOp::Minus,
            T::Bang => UnaryOp::Not,
            T::Tilde => UnaryOp::BitNot,
            T::Star => UnaryOp::Deref,
            T::Amp => UnaryOp::AddrOf,
            T::PlusPlus => UnaryOp::PreInc,
            T::MinusMinus => UnaryOp::PreDec,
            T::AmpAmp => return self.label_address(),
            T::LParen => return self.paren(),
            T::Ident => match self.kw() {
                Kw::None => return self.postfix_of(Self::name_or_construct),
                Kw::Extension => UnaryOp::Extension,
                Kw::Real => UnaryOp::Real,
                Kw::Imag => UnaryOp::Imag,
                Kw::Sizeof => return self.sizeof(),
                Kw::Alignof | Kw::AlignofWord => return self.alignof(),
                Kw::Noexcept => return self.noexcept_expr(),
                Kw::New => return self.new_expr(false),
                Kw::Delete => return self.delete_expr(),
                _ => return self.postfix_of(Self::primary),
            },
            T::ColonColon if self.is_cxx() => match self.kw_of(self.peek(1)) {
                Kw::New => {
                    self.bump();
                    return self.new_expr(true);
                }
                Kw::Delete => {
                    self.bump();
                    return self.delete_expr();
                }
                _ => return self.postfix_of(Self::name_or_construct),
            },
            _ => return self.postfix_of(Self::primary),
        };
        let start = self.bump().span;
        let operand = self.nested(Self::unary)?;
        let span = self.session.sources.join(start, self.ast[operand].span);
        self.make(ExprKind::Unary(op, operand), span)
    }

    /// GNU `&&label`
    fn label_address(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let (sym, _) = self.ident("a label")?;
        let span = self.span_from(start);
        self.unsupported(span, "taking the address of a label", "use a `switch`");
        self.make(ExprKind::LabelAddr(sym), span)
    }

    fn sizeof(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        if self.is_cxx() && self.eat(T::Ellipsis) {
            let open = self.expect(T::LParen)?;
            let (sym, _) = self.ident("a parameter pack")?;
            self.expect_closer(T::RParen, open)?;
            return self.expr_from(ExprKind::SizeofPack(sym), start);
        }
        match self.parenthesised_type()? {
            Some(ty) if self.is(T::LBrace) => {
                // `sizeof (T){…}`
                let init = self.braced_init()?;
                let literal = self.expr_from(ExprKind::CompoundLit { ty, init }, start)?;
                let e = self.postfix(literal)?;
                self.expr_from(ExprKind::SizeofExpr(e), start)
            }
            Some(ty) => self.expr_from(ExprKind::SizeofType(ty), start),
            None => {
                let e = self.nested(Self::unary)?;
                self.expr_from(ExprKind::SizeofExpr(e), start)
            }
        }
    }

    fn alignof(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        match self.parenthesised_type()? {
            Some(ty) => self.expr_from(ExprKind::AlignofType(ty), start),
            None => {
                let e = self.nested(Self::unary)?;
                self.expr_from(ExprKind::AlignofExpr(e), start)
            }
        }
    }

    /// `( type-id )`, if that is what stands here.
    fn parenthesised_type(&mut self) -> PResult<Option<crate::ast::TypeId>> {
        if !self.is(T::LParen) || !self.cast_type_ahead() {
            return Ok(None);
        }
        let open = self.bump().span;
        let ty = self.in_parens(Self::type_id)?;
        self.expect_closer(T::RParen, open)?;
        Ok(Some(ty))
    }

    fn noexcept_expr(&mut self) -> PResult<ExprId> {
        let start = self.bump().span;
        let open = self.expect(T::LParen)?;
        let e = self.in_parens(Self::full_expr)?;
        self.expect_closer(T::RParen, open)?;
        self.expr_from(ExprKind::Noexcept(e), start)
    }

    /// Whether the `(` here holds a type-id.
    fn cast_type_ahead(&mut self) -> bool {
        let i = self.pos + 1;
        if !self.type_at(i) {
            return false;
        }
        if !self.is_cxx() {
            return true;
        }
        // `(T(x))`, `(T{x})`, `(float(x) + 1)`: an expression that starts with a type.
        let t = self.at(i);
        let after = match self.kw_of(t) {
            Kw::None => self.scan_name(i, true).map_or(i + 1, |n| n.end),
            Kw::Typename => self.scan_name(i + 1, false).map_or(i + 1, |n| n.end),
            Kw::Decltype | Kw::Typeof | Kw::UnderlyingType => self.after_group(i + 1).unwrap_or(i + 1),
            kw if kw.starts_type() => {
                let mut j = i;
                while matches!(self.kw_of(self.at(j)), Kw::Unsigned | Kw::Signed | Kw::Long | Kw::Short) {
                    j += 1;
                }
                if j == i || self.kw_of(self.at(j)).starts_type() { j + 1 } else { j }
            }
            _ => i + 1,
        };
        match self.at(after).kind {
            T::LBrace | T::ColonColon => false,
            T::LParen => {
                // `(int (*)[4])` is a type. A function's type, `(T())`, `(T(int))`, would be of no use here.
                matches!(self.at(after + 1).kind, T::Star | T::Amp | T::AmpAmp)
                    && self.after_group(after).is_some_and(|e| matches!(self.at(e).kind, T::LParen | T::LBracket))
            }
            T::RParen | T::Star | T::Amp | T::AmpAmp | T::LBracket | T::Ellipsis | T::Ident => true,
            // `(C == x)`: a member with the name of some template elsewhere.
            _ => false,
        }
    }

    /// `(` in operand position: cast, compound literal, vector literal, statement expression, fold, parentheses.
    fn paren(&mut self) -> PResult<ExprId> {
        if self.peek(1).kind == T::LBrace {
            return self.postfix_of(Self::statement_expr);
        }
        if self.cast_type_ahead() {
            return self.nested(Self::cast);
        }
        self.postfix_of(Self::parenthesised)
    }

    /// `(T) operand`
    fn cast(&mut self) -> PResult<ExprId> {
        let open = self.bump().span;
        let ty = self.in_parens(Self::type_id)?;
        self.expect_closer(T::RParen, open)?;
        if self.is(T::LBrace) {
            let init = self.braced_init()?;
            let e = self.expr_from(ExprKind::CompoundLit { ty, init }, open)?;
            return self.postfix(e);
        }
        if self.dialect.is_opencl() && self.is(T::LParen) && self.vector_literal_ahead() {
            let elems = self.call_args()?;
            let e = self.expr_from(ExprKind::VectorLit { ty, elems }, open)?;
            return self.postfix(e);
        }
        let operand = self.unary()?;
        let span = self.session.sources.join(open, self.ast[operand].span);
        self.make(ExprKind::Cast { kind: CastKind::C, ty, operand }, span)
    }

    /// Whether the parenthesis here has a comma of its own and is no cast itself.
    fn vector_literal_ahead(&mut self) -> bool {
        let Some(end) = self.after_group(self.pos) else { return false };
        let mut i = self.pos + 1;
        while i + 1 < end {
            match self.at(i).kind {
                T::Comma => return true,
                T::LParen | T::LBracket | T::LBrace => match self.after_group(i) {
                    Some(e) => i = e,
                    None => return false,
                },
                _ => i += 1,
            }
        }
        false
    }

    fn postfix_of(&mut self, head: impl FnOnce(&mut Self) -> PResult<ExprId>) -> PResult<ExprId> {
        let e = head(self)?;
        self.postfix(e)
    }

    /// `[i]`, `(args)`, `.x`, `->x`, `++`, `--`, `<<<…>>>(…)` after `e`.
    pub(super) fn postfix(&mut self, mut e: ExprId) -> PResult<ExprId> {
        loop {
            let start = self.ast[e].span;
            let token = self.tok.kind;
            let kind = match token {
                T::LBracket => {
                    let open = self.bump().span;
                    let index = self.in_parens(|p| if p.is(T::LBrace) { p.braced_init() } else { p.full_expr() })?;
                    self.expect_closer(T::RBracket, open)?;
                    ExprKind::Index { base: e, index }
                }
                T::LParen if self.is_vec_step(e) => ExprKind::Call { callee: e, args: self.vec_step_arg()? },
                T::LParen => ExprKind::Call { callee: e, args: self.call_args()? },
                T::Dot | T::Arrow => {
                    let arrow = self.bump().kind == T::Arrow;
                    let name = self.member_name()?;
                    ExprKind::Member { base: e, arrow, name }
                }
                T::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostInc, e)
                }
                T::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDec, e)
                }
                T::LessLess if self.launch_ahead() => self.launch(e)?,
                _ => return Ok(e),
            };
            let span = self.span_from(start);
            e = self.make(kind, span)?;
        }
    }

    fn member_name(&mut self) -> PResult<crate::ast::NameId> {
        // A member may bear a word that is a keyword of the dialect only (`v.half`, `s.kernel` in OpenCL C).
        if self.is(T::Ident) && self.kw() != Kw::None && !self.is_cxx() {
            let t = self.bump();
            return Ok(self.plain_name(t.sym, t.span));
        }
        self.name(NameUse::Member)
    }

    /// Whether `<<<` stands here; `<< <` is a launch, too, for nvcc.
    fn launch_ahead(&self) -> bool {
        self.dialect.is_cuda() && self.peek(1).kind == T::Less
    }

    /// `<<<config>>>(args)`
    fn launch(&mut self, callee: ExprId) -> PResult<ExprKind> {
        self.bump();
        self.bump();
        let outer = std::mem::replace(&mut self.angle, true);
        let config = self.nested(|p| {
            let mut list: SmallVec<[ExprId; 4]> = SmallVec::new();
            loop {
                list.push(p.assign_expr()?);
                if !p.eat(T::Comma) {
                    break;
                }
            }
            Ok(p.ast.push_list(&list))
        });
        self.angle = outer;
        let config = config?;
        for _ in 0..3 {
            self.expect_angle_close()?;
        }
        let args = self.call_args()?;
        Ok(ExprKind::Launch { callee, config, args })
    }

    /// `( e, … )`
    pub(super) fn call_args(&mut self) -> PResult<List<ExprId>> {
        let open = self.tok.span;
        self.in_parens(|p| {
            p.expect(T::LParen)?;
            let mut args: SmallVec<[ExprId; 8]> = SmallVec::new();
            while !p.is(T::RParen) {
                let mut e = if p.is(T::LBrace) { p.braced_init()? } else { p.assign_expr()? };
                if p.is_cxx() && p.is(T::Ellipsis) {
                    p.bump();
                    let start = p.ast[e].span;
                    e = p.expr_from(ExprKind::Pack(e), start)?;
                }
                args.push(e);
                if !p.eat(T::Comma) {
                    break;
                }
            }
            p.expect_closer(T::RParen, open)?;
            Ok(p.ast.push_list(&args))
        })
    }

    /// Whether `e`, before a parenthesis, is OpenCL's `vec_step` with a type for an argument.
    fn is_vec_step(&mut self, e: ExprId) -> bool {
        let ExprKind::Name(name) = self.ast[e].kind else { return false };
        let NameKind::Ident(sym) = self.ast[name].kind else { return false };
        !self.is_cxx() && self.session.strings.str(sym) == "vec_step" && self.type_at(self.pos + 1)
    }

    /// `(T)` after `vec_step`: a value of that type, which is never computed.
    fn vec_step_arg(&mut self) -> PResult<List<ExprId>> {
        let open = self.expect(T::LParen)?;
        let ty = self.type_id()?;
        self.expect_closer(T::RParen, open)?;
        let number = self.expr_from(ExprKind::SizeofType(ty), open)?;
        let value = self.expr_from(ExprKind::Cast { kind: CastKind::C, ty, operand: number }, open)?;
        Ok(self.ast.push_list(&[value]))
    }

    /// `( e )`, `( … op e )`, `( e op … )`, `( e op … op e )`
    pub(super) fn parenthesised(&mut self) -> PResult<ExprId> {
        let open = self.tok.span;
        let kind = self.in_parens(|p| {
            p.bump();
            let kind = p.parenthesised_inner()?;
            p.expect_closer(T::RParen, open)?;
            Ok(kind)
        })?;
        self.expr_from(kind, open)
    }

    fn parenthesised_inner(&mut self) -> PResult<ExprKind> {
        if self.is_cxx() && self.eat(T::Ellipsis) {
            let op = self.fold_op()?;
            let right = self.unary()?;
            return Ok(ExprKind::Fold { op, left: None, right: Some(right) });
        }
        let e = self.full_expr_or_fold()?;
        if self.is_cxx() && self.peek(1).kind == T::Ellipsis && self.fold_operator(self.tok.kind).is_some() {
            let op = self.fold_op()?;
            self.bump();
            if self.is(T::RParen) {
                return Ok(ExprKind::Fold { op, left: Some(e), right: None });
            }
            let again = self.fold_op()?;
            if again != op {
                return Err(self.error("E0200", self.prev, "both operators of a fold expression must be the same"));
            }
            let right = self.unary()?;
            return Ok(ExprKind::Fold { op, left: Some(e), right: Some(right) });
        }
        Ok(ExprKind::Paren(e))
    }

    /// As [`Self::full_expr`], stopping before `, …`.
    fn full_expr_or_fold(&mut self) -> PResult<ExprId> {
        let mut left = self.assign_expr_or_fold()?;
        while self.is(T::Comma) && !(self.is_cxx() && self.peek(1).kind == T::Ellipsis) {
            self.bump();
            let right = self.assign_expr()?;
            let span = self.join_exprs(left, right);
            left = self.make(ExprKind::Comma(left, right), span)?;
        }
        Ok(left)
    }

    fn assign_expr_or_fold(&mut self) -> PResult<ExprId> {
        self.assign_expr()
    }

    fn fold_operator(&self, kind: T) -> Option<FoldOp> {
        match kind {
            T::Comma => Some(FoldOp::Comma),
            _ => match assignment(kind) {
                Some(op) => Some(FoldOp::Assign(op)),
                None => binary(kind).map(|(op, _)| FoldOp::Binary(op)),
            },
        }
    }

    fn fold_op(&mut self) -> PResult<FoldOp> {
        match self.fold_operator(self.tok.kind) {
            Some(op) => {
                self.bump();
                Ok(op)
            }
            None => Err(self.expected("an operator")),
        }
    }
}

/// The operator of an assignment: `Some(None)` for `=`.
fn assignment(kind: T) -> Option<Option<BinaryOp>> {
    Some(match kind {
        T::Eq => None,
        T::PlusEq => Some(BinaryOp::Add),
        T::MinusEq => Some(BinaryOp::Sub),
        T::StarEq => Some(BinaryOp::Mul),
        T::SlashEq => Some(BinaryOp::Div),
        T::PercentEq => Some(BinaryOp::Rem),
        T::AmpEq => Some(BinaryOp::BitAnd),
        T::PipeEq => Some(BinaryOp::BitOr),
        T::CaretEq => Some(BinaryOp::BitXor),
        T::LessLessEq => Some(BinaryOp::Shl),
        T::GreaterGreaterEq => Some(BinaryOp::Shr),
        _ => return None,
    })
}

/// A binary operator and its precedence.
fn binary(kind: T) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        T::PipePipe => (BinaryOp::LogOr, 1),
        T::AmpAmp => (BinaryOp::LogAnd, 2),
        T::Pipe => (BinaryOp::BitOr, 3),
        T::Caret => (BinaryOp::BitXor, 4),
        T::Amp => (BinaryOp::BitAnd, 5),
        T::EqEq => (BinaryOp::Eq, 6),
        T::BangEq => (BinaryOp::Ne, 6),
        T::Less => (BinaryOp::Lt, 7),
        T::Greater => (BinaryOp::Gt, 7),
        T::LessEq => (BinaryOp::Le, 7),
        T::GreaterEq => (BinaryOp::Ge, 7),
        T::ThreeWay => (BinaryOp::ThreeWay, 8),
        T::LessLess => (BinaryOp::Shl, 9),
        T::GreaterGreater => (BinaryOp::Shr, 9),
        T::Plus => (BinaryOp::Add, 10),
        T::Minus => (BinaryOp::Sub, 10),
        T::Star => (BinaryOp::Mul, 11),
        T::Slash => (BinaryOp::Div, 11),
        T::Percent => (BinaryOp::Rem, 11),
        T::DotStar => (BinaryOp::DotStar, 12),
        T::ArrowStar => (BinaryOp::ArrowStar, 12),
        _ => return None,
    })
}
