//! Statements.

use super::decl::DeclCx;
use super::keywords::Kw;
use super::spec::{Attrs, SpecCx};
use super::{PResult, Parser, Reported};
use crate::TokenKind as T;
use crate::ast::{Ast, Attr, Condition, DeclId, ExprKind, Ident, List, LoopHint, Stmt, StmtId, StmtKind, UnaryOp};
use smallvec::SmallVec;
use source::{Diagnostic, Span};

/// Hints and attributes before a statement.
#[derive(Default)]
struct Prefix {
    hints: SmallVec<[LoopHint; 2]>,
    attrs: Attrs,
    /// Pragmas of later stages that stand between hints and the statement.
    kept: SmallVec<[StmtId; 1]>,
    start: Option<Span>,
}

impl Prefix {
    fn is_empty(&self) -> bool {
        self.hints.is_empty() && self.attrs.is_empty()
    }
}

impl Parser<'_> {
    /// Makes a statement, from `start` to the last token taken.
    pub(super) fn stmt_from(&mut self, kind: StmtKind, start: Span) -> StmtId {
        let span = self.span_from(start);
        self.ast.push_stmt(Stmt { kind, span })
    }

    /// `{ statement … }` with a scope of its own.
    pub(super) fn compound(&mut self) -> PResult<StmtId> {
        let start = self.expect(T::LBrace)?;
        self.names.push_scope();
        let angle = std::mem::replace(&mut self.angle, false);
        let outer = (self.contract, std::mem::replace(&mut self.at_block_start, true));
        let r = self.block_items();
        (self.contract, self.at_block_start) = outer;
        self.angle = angle;
        self.names.pop_scope();
        let list = r?;
        self.expect_closer(T::RBrace, start)?;
        Ok(self.stmt_from(StmtKind::Compound(list), start))
    }

    /// Statements up to `}`; each recovers by itself.
    fn block_items(&mut self) -> PResult<List<StmtId>> {
        let mut items: SmallVec<[StmtId; 16]> = SmallVec::new();
        while !matches!(self.tok.kind, T::RBrace | T::Eof) {
            let before = self.pos;
            match self.block_item() {
                Ok(Some(s)) => items.push(s),
                Ok(None) => {}
                Err(super::Reported) if self.lenient && self.skip_head(before) => {}
                Err(super::Reported) => {
                    let start = self.at(before).span;
                    self.sync();
                    if self.pos == before && !matches!(self.tok.kind, T::RBrace | T::Eof) {
                        self.bump();
                    }
                    let s = self.stmt_from(StmtKind::Error, start);
                    items.push(s);
                }
            }
        }
        Ok(self.ast.push_list(&items))
    }

    /// One statement or label of a block. `None` for pragmas that leave nothing.
    fn block_item(&mut self) -> PResult<Option<StmtId>> {
        let prefix = self.prefix()?;
        if let Some(label) = self.label()? {
            if prefix.is_empty() {
                return Ok(Some(label));
            }
            // Hints before a label bind to what it labels.
            let rest = self.nested(Self::block_item)?;
            let list = [Some(label), rest].into_iter().flatten().collect::<SmallVec<[StmtId; 2]>>();
            let list = self.ast.push_list(&list);
            let start = self.ast[label].span;
            let s = self.stmt_from(StmtKind::Labelled(list), start);
            return Ok(Some(self.attributed(prefix, s)));
        }
        if self.is(T::Pragma) {
            return Ok(self.kept_pragma_statement());
        }
        if prefix.is_empty() && matches!(self.tok.kind, T::RBrace | T::Eof) {
            return Ok(None);
        }
        if !prefix.hints.is_empty() && self.is(T::RBrace) {
            let s = self.stmt_from(StmtKind::Empty, prefix.start.unwrap_or(self.tok.span));
            return Ok(Some(self.attributed(prefix, s)));
        }
        let mut prefix = prefix;
        let s = self.nested(|p| p.statement_or_declaration(&mut prefix.attrs))?;
        Ok(Some(self.attributed(prefix, s)))
    }

    /// A statement where the grammar wants exactly one (bodies).
    fn statement(&mut self) -> PResult<StmtId> {
        self.nested(|p| {
            p.names.push_scope();
            let r = p.statement_inner();
            p.names.pop_scope();
            r
        })
    }

    fn statement_inner(&mut self) -> PResult<StmtId> {
        let start = self.tok.span;
        let mut labels: SmallVec<[StmtId; 4]> = SmallVec::new();
        let mut prefix = self.prefix()?;
        while let Some(label) = self.label()? {
            labels.push(label);
            let more = self.prefix()?;
            prefix.hints.extend(more.hints);
            prefix.attrs.extend(more.attrs);
            prefix.kept.extend(more.kept);
            prefix.start = prefix.start.or(more.start);
        }
        while self.is(T::Pragma) {
            if let Some(kept) = self.kept_pragma_statement() {
                labels.push(kept);
            }
        }
        let body = if !labels.is_empty() && self.is(T::RBrace) {
            self.stmt_from(StmtKind::Empty, self.prev)
        } else {
            self.statement_or_declaration(&mut prefix.attrs)?
        };
        let s = self.attributed(prefix, body);
        if labels.is_empty() {
            return Ok(s);
        }
        labels.push(s);
        let list = self.ast.push_list(&labels);
        Ok(self.stmt_from(StmtKind::Labelled(list), start))
    }

    /// Loop pragmas and attributes before a statement.
    fn prefix(&mut self) -> PResult<Prefix> {
        let mut p = Prefix::default();
        loop {
            let at = self.tok.span;
            if self.is(T::Pragma) {
                if !self.statement_pragma(&mut p.hints) {
                    if p.is_empty() {
                        break;
                    }
                    p.kept.extend(self.kept_pragma_statement());
                }
            } else if self.at_cxx_attribute() || self.is_kw(Kw::Attribute) {
                let outer = std::mem::take(&mut self.attr_hints);
                let r = self.loop_attributes(&mut p.attrs);
                let found = std::mem::replace(&mut self.attr_hints, outer);
                p.hints.extend(found);
                r?;
            } else {
                break;
            }
            p.start = p.start.or(Some(at));
        }
        Ok(p)
    }

    fn attributed(&mut self, prefix: Prefix, stmt: StmtId) -> StmtId {
        if prefix.is_empty() {
            return stmt;
        }
        let hints = self.ast.push_list(&prefix.hints);
        let attrs: List<Attr> = self.ast.push_list(&prefix.attrs);
        let start = prefix.start.unwrap_or(self.ast[stmt].span);
        let s = self.stmt_from(StmtKind::Attributed { hints, attrs, stmt }, start);
        if prefix.kept.is_empty() {
            return s;
        }
        let mut list = prefix.kept;
        list.push(s);
        let list = self.ast.push_list(&list);
        self.stmt_from(StmtKind::Labelled(list), start)
    }

    /// `case e:`, `default:`, `name:`
    fn label(&mut self) -> PResult<Option<StmtId>> {
        let start = self.tok.span;
        let kind = match self.kw() {
            Kw::None if self.is_ident(self.tok) && self.peek(1).kind == T::Colon => StmtKind::Label(self.bump().sym),
            Kw::Case => {
                self.bump();
                let lo = self.in_parens(Self::constant_expr)?;
                let hi = if self.eat(T::Ellipsis) { Some(self.in_parens(Self::constant_expr)?) } else { None };
                StmtKind::Case { lo, hi }
            }
            Kw::Default if self.peek(1).kind == T::Colon => {
                self.bump();
                StmtKind::Default
            }
            _ => return Ok(None),
        };
        self.expect(T::Colon)?;
        self.at_block_start = false;
        Ok(Some(self.stmt_from(kind, start)))
    }

    /// Any statement without its labels; attributes before it are handed to a declaration.
    fn statement_or_declaration(&mut self, attrs: &mut Attrs) -> PResult<StmtId> {
        let start = self.tok.span;
        self.at_block_start = false;
        match self.tok.kind {
            T::LBrace => return self.compound(),
            T::Semi => {
                self.bump();
                return Ok(self.stmt_from(StmtKind::Empty, start));
            }
            T::Eof => return Err(self.expected("a statement")),
            _ => {}
        }
        match self.kw() {
            Kw::If => self.if_statement(),
            Kw::For => self.for_statement(),
            Kw::While => self.while_statement(),
            Kw::Do => self.do_statement(),
            Kw::Switch => self.switch_statement(),
            Kw::Return => self.return_statement(),
            Kw::Break => self.jump(StmtKind::Break),
            Kw::Continue => self.jump(StmtKind::Continue),
            Kw::Goto => self.goto(),
            Kw::Asm => self.asm_statement(),
            Kw::Label => self.local_labels(),
            Kw::Try => {
                self.bump();
                let body = self.compound()?;
                let s = self.try_rest(body, start)?;
                let span = self.ast[s].span;
                self.unsupported(span, "`try`", "there are no exceptions on devices");
                Ok(s)
            }
            Kw::Else => Err(self.expected("a statement: this `else` belongs to no `if`")),
            _ if self.declaration_ahead() => self.declaration_statement(std::mem::take(attrs)),
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> PResult<StmtId> {
        let start = self.tok.span;
        let e = self.full_expr()?;
        self.expect(T::Semi)?;
        Ok(self.stmt_from(StmtKind::Expr(e), start))
    }

    fn declaration_statement(&mut self, attrs: Attrs) -> PResult<StmtId> {
        let start = attrs.first().map_or(self.tok.span, |a| a.span);
        while self.is_kw(Kw::Extension) {
            self.bump();
        }
        let mut decls: Vec<DeclId> = Vec::new();
        match self.kw() {
            Kw::Using => self.using(&mut decls)?,
            Kw::Namespace | Kw::StaticAssert | Kw::StaticAssertWord => {
                self.plain_declaration(DeclCx::Block, &mut decls)?;
            }
            Kw::Template => return Err(self.expected("a statement: templates cannot be declared in a function")),
            _ => self.simple_declaration(DeclCx::Block, attrs, &mut decls)?,
        }
        let list = self.ast.push_list(&decls);
        Ok(self.stmt_from(StmtKind::Decl(list), start))
    }

    fn jump(&mut self, kind: StmtKind) -> PResult<StmtId> {
        let start = self.bump().span;
        self.expect(T::Semi)?;
        Ok(self.stmt_from(kind, start))
    }

    fn return_statement(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        let value = match self.tok.kind {
            T::Semi => None,
            T::LBrace if self.is_cxx() => Some(self.braced_init()?),
            _ => Some(self.full_expr()?),
        };
        self.expect(T::Semi)?;
        Ok(self.stmt_from(StmtKind::Return(value), start))
    }

    fn goto(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        if self.eat(T::Star) {
            let e = self.full_expr()?;
            self.expect(T::Semi)?;
            let s = self.stmt_from(StmtKind::GotoIndirect(e), start);
            let span = self.ast[s].span;
            self.unsupported(span, "a computed `goto`", "use a `switch`");
            return Ok(s);
        }
        let (sym, _) = self.ident("a label")?;
        self.expect(T::Semi)?;
        Ok(self.stmt_from(StmtKind::Goto(sym), start))
    }

    fn local_labels(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        let mut labels: SmallVec<[Ident; 2]> = SmallVec::new();
        loop {
            let (sym, span) = self.ident("a label")?;
            labels.push(Ident { sym, span });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::Semi)?;
        let list = self.ast.push_list(&labels);
        Ok(self.stmt_from(StmtKind::LocalLabels(list), start))
    }

    /// Runs `f` in a scope of its own.
    fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> PResult<R>) -> PResult<R> {
        self.names.push_scope();
        let r = f(self);
        self.names.pop_scope();
        r
    }

    /// `if (init; cond) s else s`
    fn if_statement(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        let is_constexpr = self.eat_kw(Kw::Constexpr);
        let negated = self.is(T::Bang) && self.kw_of(self.peek(1)) == Kw::Consteval;
        self.scoped(|p| {
            let (init, cond) = match negated || p.is_kw(Kw::Consteval) {
                true => (None, p.consteval_condition(negated)?),
                false => p.condition_clause()?,
            };
            let then = p.statement()?;
            let els = match p.eat_kw(Kw::Else) {
                true if p.is_kw(Kw::If) => Some(p.else_if()?),
                true => Some(p.statement()?),
                false => None,
            };
            Ok(p.stmt_from(StmtKind::If { is_constexpr, init, cond, then, els }, start))
        })
    }

    /// The `if` behind an `else`: written programs choose among hundreds so, and to them nothing nests.
    fn else_if(&mut self) -> PResult<StmtId> {
        if self.else_ifs >= Ast::MAX_ELSE_IFS {
            let limit = Ast::MAX_ELSE_IFS;
            let d = Diagnostic::error("E0203", self.tok.span, "nesting too deep")
                .note(format!("{limit} `if`s may stand behind one another's `else`"))
                .help("use a `switch`, or a table");
            self.session.report(d);
            self.stop();
            return Err(Reported);
        }
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        self.else_ifs += 1;
        let r = self.statement();
        self.else_ifs -= 1;
        self.depth = depth;
        r
    }

    /// The condition of `if consteval` (C++23, which nvcc takes in C++20, too): whether a constant is evaluated.
    fn consteval_condition(&mut self, negated: bool) -> PResult<Condition> {
        let start = self.tok.span;
        if negated {
            self.bump();
        }
        self.bump();
        if !self.is(T::LBrace) {
            return Err(self.expected("`{`"));
        }
        let sym = self.session.intern("__builtin_is_constant_evaluated");
        let name = self.plain_name(sym, start);
        let callee = self.expr_from(ExprKind::Name(name), start)?;
        let mut cond = self.expr_from(ExprKind::Call { callee, args: List::EMPTY }, start)?;
        if negated {
            cond = self.expr_from(ExprKind::Unary(UnaryOp::Not, cond), start)?;
        }
        Ok(Condition::Expr(cond))
    }

    fn switch_statement(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        self.scoped(|p| {
            let (init, cond) = p.condition_clause()?;
            let body = p.statement()?;
            Ok(p.stmt_from(StmtKind::Switch { init, cond, body }, start))
        })
    }

    fn while_statement(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        self.scoped(|p| {
            let open = p.expect(T::LParen)?;
            let cond = p.in_parens(Self::condition)?;
            p.expect_closer(T::RParen, open)?;
            let body = p.statement()?;
            Ok(p.stmt_from(StmtKind::While { cond, body }, start))
        })
    }

    fn do_statement(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        let body = self.statement()?;
        if !self.eat_kw(Kw::While) {
            return Err(self.expected("`while` after the body of `do`"));
        }
        let open = self.expect(T::LParen)?;
        let cond = self.in_parens(Self::full_expr)?;
        self.expect_closer(T::RParen, open)?;
        self.expect(T::Semi)?;
        Ok(self.stmt_from(StmtKind::Do { body, cond }, start))
    }

    /// `( [init;] condition )`
    fn condition_clause(&mut self) -> PResult<(Option<StmtId>, Condition)> {
        let open = self.expect(T::LParen)?;
        let r = self.in_parens(|p| {
            if !p.semicolon_in_group() {
                return Ok((None, p.condition()?));
            }
            let init = p.for_init()?;
            Ok((init, p.condition()?))
        })?;
        self.expect_closer(T::RParen, open)?;
        Ok(r)
    }

    /// Whether a `;` stands in the group whose first token this is.
    fn semicolon_in_group(&self) -> bool {
        if !self.is_cxx() {
            return false;
        }
        let mut i = self.pos;
        loop {
            match self.at(i).kind {
                T::Semi => return true,
                T::RParen | T::RBrace | T::Eof => return false,
                T::LParen | T::LBrace | T::LBracket => match self.after_group(i) {
                    Some(end) => i = end,
                    None => return false,
                },
                _ => i += 1,
            }
        }
    }

    /// An expression, or in C++ a declaration with its initialiser.
    fn condition(&mut self) -> PResult<Condition> {
        if !self.is_cxx() || !self.declaration_ahead() {
            return Ok(Condition::Expr(self.full_expr()?));
        }
        let mut decls = Vec::new();
        self.single_declaration(&mut decls)?;
        match decls.pop() {
            Some(d) => Ok(Condition::Decl(d)),
            None => Err(self.expected("a condition")),
        }
    }

    /// Specifiers and one declarator with initialiser, without `;`.
    fn single_declaration(&mut self, out: &mut Vec<DeclId>) -> PResult<()> {
        use super::declarator::Form;
        use crate::ast::{Decl, DeclKind};
        let mut attrs = Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        let specs = self.decl_specs(SpecCx::Decl, attrs)?;
        if self.bindings_ahead(&specs) {
            let d = self.bindings(&specs)?;
            out.push(d);
            return Ok(());
        }
        let d = self.declarator(specs.ty, Form::Named)?;
        if let Some(sym) = self.ast.plain_name(d.name) {
            self.names.declare(sym, super::names::Known::Value);
        }
        let init = self.initializer(DeclCx::Block)?;
        let mut all = specs.attrs.clone();
        all.extend(d.attrs);
        let attrs = self.ast.push_list(&all);
        let span = self.span_from(specs.start);
        let kind = DeclKind::Var { ty: d.ty, init, asm_label: None };
        out.push(self.ast.push_decl(Decl { kind, name: d.name, specs: specs.specs, attrs, span }));
        Ok(())
    }

    /// The first part of a `for`, with its `;`.
    fn for_init(&mut self) -> PResult<Option<StmtId>> {
        if self.eat(T::Semi) {
            return Ok(None);
        }
        let mut attrs = Attrs::new();
        self.attributes_if_any(&mut attrs)?;
        if self.is_kw(Kw::Using) || self.declaration_ahead() {
            return Ok(Some(self.declaration_statement(attrs)?));
        }
        Ok(Some(self.expression_statement()?))
    }

    /// `for (init; cond; step) body`, `for (decl : range) body`
    fn for_statement(&mut self) -> PResult<StmtId> {
        let start = self.bump().span;
        self.scoped(|p| {
            let open = p.expect(T::LParen)?;
            let head = p.in_parens(|p| if p.range_for_ahead() { p.range_for_head() } else { p.for_head() })?;
            p.expect_closer(T::RParen, open)?;
            let body = p.statement()?;
            let kind = match head {
                ForHead::Plain { init, cond, step } => StmtKind::For { init, cond, step, body },
                ForHead::Range { init, decl, range } => StmtKind::RangeFor { init, decl, range, body },
            };
            Ok(p.stmt_from(kind, start))
        })
    }

    fn for_head(&mut self) -> PResult<ForHead> {
        let init = self.for_init()?;
        let cond = if self.is(T::Semi) { None } else { Some(self.condition()?) };
        self.expect(T::Semi)?;
        let step = if self.is(T::RParen) { None } else { Some(self.full_expr()?) };
        Ok(ForHead::Plain { init, cond, step })
    }

    /// Whether a `:` of its own stands in the head before a second `;`, with no `?` before it.
    fn range_for_ahead(&self) -> bool {
        if !self.is_cxx() {
            return false;
        }
        let mut i = self.pos;
        let mut semis = 0;
        loop {
            match self.at(i).kind {
                T::Colon => return true,
                T::Semi if semis == 0 => semis = 1,
                T::Semi | T::Question | T::RParen | T::RBrace | T::Eof => return false,
                T::LParen | T::LBrace | T::LBracket => match self.after_group(i) {
                    Some(end) => {
                        i = end;
                        continue;
                    }
                    None => return false,
                },
                _ => {}
            }
            i += 1;
        }
    }

    fn range_for_head(&mut self) -> PResult<ForHead> {
        let init = if self.semicolon_in_group() { self.for_init()? } else { None };
        let decl = self.range_declaration()?;
        self.expect(T::Colon)?;
        let range = if self.is(T::LBrace) { self.braced_init()? } else { self.full_expr()? };
        Ok(ForHead::Range { init, decl, range })
    }

    fn range_declaration(&mut self) -> PResult<DeclId> {
        let mut decls = Vec::new();
        self.single_declaration(&mut decls)?;
        match decls.pop() {
            Some(d) => Ok(d),
            None => Err(self.expected("a variable")),
        }
    }
}

/// What stands in the parentheses of a `for`.
enum ForHead {
    Plain { init: Option<StmtId>, cond: Option<Condition>, step: Option<crate::ast::ExprId> },
    Range { init: Option<StmtId>, decl: DeclId, range: crate::ast::ExprId },
}
