//! The conditions of `#if`: 64-bit integer arithmetic as the standards define it.

use super::directives::TextOrEmpty;
use super::{Preprocessor, TokenKind as K};
use crate::literal::{NumberLiteral, decode_char, decode_number};
use crate::{Token, TokenFlags};
use source::{Diagnostic, Span, Symbol};

/// Deepest nesting of an expression.
const MAX_DEPTH: u32 = 200;

/// A value of `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy, Debug)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn bool(b: bool) -> Self {
        Self { bits: b.into(), unsigned: false }
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// Reads the tokens of one condition.
struct Parser<'p, 's> {
    pp: &'p mut Preprocessor<'s>,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    directive: Span,
}

/// An error was reported.
struct Failed;

type Result<T> = std::result::Result<T, Failed>;

impl Preprocessor<'_> {
    /// Reads and evaluates the rest of an `#if` or `#elif`. Also X where the condition is `!defined X` and no more.
    pub(super) fn condition(&mut self, directive: Span) -> (bool, Option<Symbol>) {
        let mut guard = None;
        let Some(tokens) = self.condition_tokens(&mut guard) else { return (false, None) };
        let mut p = Parser { pp: self, tokens, at: 0, depth: 0, directive };
        if p.tokens.is_empty() {
            p.pp.session.report(Diagnostic::error("E0120", directive, "`#if` with no expression"));
            return (false, None);
        }
        let Ok(value) = p.comma(true) else { return (false, None) };
        if let Some(t) = p.tokens.get(p.at) {
            let d = if t.kind == K::RParen {
                Diagnostic::error("E0120", t.span, "missing `(` in preprocessor expression")
            } else {
                Diagnostic::error("E0120", t.span, "missing binary operator before this token")
            };
            p.pp.session.report(d);
            return (false, None);
        }
        (value.is_true(), guard)
    }

    /// The tokens of a condition: macros expanded; `defined X` and `__has_…(…)` replaced by numbers.
    fn condition_tokens(&mut self, guard: &mut Option<Symbol>) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        let mut negated_first = false;
        loop {
            let t = self.next_unexpanded();
            match t.kind {
                K::EndOfDirective | K::Eof | K::EndOfArg => break,
                K::Ident if t.sym == self.words.defined => {
                    let (name, value) = self.defined_operator(t)?;
                    *guard = (negated_first && tokens.len() == 1).then_some(name);
                    tokens.push(self.make(K::Number, if value { "1" } else { "0" }, t));
                    continue;
                }
                K::Ident => {
                    if let Some(t) = self.try_expand(t) {
                        tokens.push(t);
                    }
                }
                _ => {
                    negated_first |= t.kind == K::Bang && tokens.is_empty();
                    tokens.push(t);
                }
            }
            // Anything but parentheses around a guard's name makes it another condition.
            if tokens.last().is_some_and(|t| t.kind != K::Bang) {
                *guard = None;
            }
        }
        if self.fatal { None } else { Some(tokens) }
    }

    /// `defined X` or `defined(X)`, after `defined`.
    fn defined_operator(&mut self, defined: Token) -> Option<(Symbol, bool)> {
        let mut t = self.next_unexpanded();
        let paren = t.kind == K::LParen;
        if paren {
            t = self.next_unexpanded();
        }
        if t.kind != K::Ident {
            let d = Diagnostic::error("E0120", defined.span, "operator `defined` requires an identifier");
            self.session.report(d);
            return None;
        }
        if paren {
            let close = self.next_unexpanded();
            if close.kind != K::RParen {
                let d = Diagnostic::error("E0120", t.span.after(), "missing `)` after `defined`");
                self.session.report(d);
                return None;
            }
        }
        Some((t.sym, self.is_defined(t.sym)))
    }
}

impl Parser<'_, '_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn fail<T>(&mut self, span: Span, what: &str) -> Result<T> {
        self.pp.session.report(Diagnostic::error("E0120", span, what));
        Err(Failed)
    }

    /// Where the expression ends.
    fn end(&self) -> Span {
        self.tokens.last().map_or(self.directive, |t| t.span)
    }

    /// `a, b`: `live` says whether the value matters, as it does not beside a decided `&&`.
    fn comma(&mut self, live: bool) -> Result<Value> {
        let mut v = self.conditional(live)?;
        while self.peek().is_some_and(|t| t.kind == K::Comma) {
            self.at += 1;
            v = self.conditional(live)?;
        }
        Ok(v)
    }

    fn conditional(&mut self, live: bool) -> Result<Value> {
        let cond = self.binary(0, live)?;
        if self.peek().is_none_or(|t| t.kind != K::Question) {
            return Ok(cond);
        }
        self.at += 1;
        self.nested(|p| {
            let a = p.comma(live && cond.is_true())?;
            match p.peek() {
                Some(t) if t.kind == K::Colon => p.at += 1,
                t => {
                    let span = t.map_or(p.end(), |t| t.span);
                    return p.fail(span, "`?` without a following `:`");
                }
            }
            let b = p.conditional(live && !cond.is_true())?;
            let chosen = if cond.is_true() { a } else { b };
            Ok(Value { bits: chosen.bits, unsigned: a.unsigned || b.unsigned })
        })
    }

    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.peek().map_or(self.directive, |t| t.span);
            return self.fail(span, "preprocessor expression is nested too deeply");
        }
        let r = f(self);
        self.depth -= 1;
        r
    }

    /// The operator here, its precedence, 0 binding least.
    fn operator(&self) -> Option<(crate::TokenKind, u8)> {
        let t = self.peek()?;
        let kind = match t.kind {
            K::Ident if self.pp.opts.dialect.is_cxx() => match self.pp.session.str(t.sym) {
                "and" => K::AmpAmp,
                "or" => K::PipePipe,
                "bitand" => K::Amp,
                "bitor" => K::Pipe,
                "xor" => K::Caret,
                "not_eq" => K::BangEq,
                _ => return None,
            },
            k => k,
        };
        let precedence = match kind {
            K::PipePipe => 0,
            K::AmpAmp => 1,
            K::Pipe => 2,
            K::Caret => 3,
            K::Amp => 4,
            K::EqEq | K::BangEq => 5,
            K::Less | K::Greater | K::LessEq | K::GreaterEq => 6,
            K::LessLess | K::GreaterGreater => 7,
            K::Plus | K::Minus => 8,
            K::Star | K::Slash | K::Percent => 9,
            _ => return None,
        };
        Some((kind, precedence))
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<Value> {
        let mut lhs = self.unary(live)?;
        while let Some((op, precedence)) = self.operator().filter(|&(_, p)| p >= least) {
            let at = self.tokens[self.at].span;
            self.at += 1;
            let rhs_live = match op {
                K::AmpAmp => live && lhs.is_true(),
                K::PipePipe => live && !lhs.is_true(),
                _ => live,
            };
            let rhs = self.nested(|p| p.binary(precedence + 1, rhs_live))?;
            lhs = self.apply(op, lhs, rhs, at, rhs_live)?;
        }
        Ok(lhs)
    }

    fn apply(&mut self, op: crate::TokenKind, a: Value, b: Value, at: Span, live: bool) -> Result<Value> {
        let unsigned = a.unsigned || b.unsigned;
        let (x, y) = (a.bits, b.bits);
        let (i, j) = (x as i64, y as i64);
        let arith = |bits: u64| Ok(Value { bits, unsigned });
        let shift = |left: bool| {
            // A negative count shifts the other way, and a large one shifts everything out.
            let negative = !b.unsigned && j < 0;
            let n = if negative { j.unsigned_abs() } else { y };
            let bits = match (left != negative, a.unsigned) {
                (true, _) => {
                    if n < 64 {
                        x << n
                    } else {
                        0
                    }
                }
                (false, true) => {
                    if n < 64 {
                        x >> n
                    } else {
                        0
                    }
                }
                (false, false) => (i >> n.min(63)) as u64,
            };
            Ok(Value { bits, unsigned: a.unsigned })
        };
        match op {
            K::PipePipe => Ok(Value::bool(a.is_true() || b.is_true())),
            K::AmpAmp => Ok(Value::bool(a.is_true() && b.is_true())),
            K::Pipe => arith(x | y),
            K::Caret => arith(x ^ y),
            K::Amp => arith(x & y),
            K::EqEq => Ok(Value::bool(x == y)),
            K::BangEq => Ok(Value::bool(x != y)),
            K::Less => Ok(Value::bool(if unsigned { x < y } else { i < j })),
            K::Greater => Ok(Value::bool(if unsigned { x > y } else { i > j })),
            K::LessEq => Ok(Value::bool(if unsigned { x <= y } else { i <= j })),
            K::GreaterEq => Ok(Value::bool(if unsigned { x >= y } else { i >= j })),
            K::LessLess => shift(true),
            K::GreaterGreater => shift(false),
            K::Plus => self.checked(x.wrapping_add(y), unsigned || i.checked_add(j).is_some() || !live, unsigned, at),
            K::Minus => self.checked(x.wrapping_sub(y), unsigned || i.checked_sub(j).is_some() || !live, unsigned, at),
            K::Star => self.checked(x.wrapping_mul(y), unsigned || i.checked_mul(j).is_some() || !live, unsigned, at),
            _ if y == 0 && live => {
                self.pp.session.report(Diagnostic::error("E0121", at, "division by zero in preprocessor expression"));
                Err(Failed)
            }
            _ if y == 0 => arith(0),
            K::Slash if unsigned => arith(x / y),
            K::Slash => self.checked(i.wrapping_div(j) as u64, i.checked_div(j).is_some() || !live, false, at),
            _ if unsigned => arith(x % y),
            _ => arith(i.wrapping_rem(j) as u64),
        }
    }

    fn checked(&mut self, bits: u64, fits: bool, unsigned: bool, at: Span) -> Result<Value> {
        if !fits {
            self.pp.session.report(
                Diagnostic::warning("W0109", at, "integer overflow in preprocessor expression").group("overflow"),
            );
        }
        Ok(Value { bits, unsigned })
    }

    fn unary(&mut self, live: bool) -> Result<Value> {
        let Some(t) = self.peek() else {
            let end = self.end();
            return self.fail(end, "expected a value in preprocessor expression");
        };
        self.at += 1;
        let signed = |bits| Value { bits, unsigned: false };
        match t.kind {
            K::Plus => self.nested(|p| p.unary(live)),
            K::Minus => self.nested(|p| p.unary(live)).map(|v| Value { bits: v.bits.wrapping_neg(), ..v }),
            K::Tilde => self.nested(|p| p.unary(live)).map(|v| Value { bits: !v.bits, ..v }),
            K::Bang => self.nested(|p| p.unary(live)).map(|v| Value::bool(!v.is_true())),
            K::LParen => {
                let v = self.nested(|p| p.comma(live))?;
                if self.peek().is_none_or(|t| t.kind != K::RParen) {
                    self.pp.session.report(
                        Diagnostic::error("E0120", t.span, "missing `)` in preprocessor expression")
                            .at("this `(` is never closed"),
                    );
                    return Err(Failed);
                }
                self.at += 1;
                Ok(v)
            }
            K::Number => self.number(t),
            K::Char => match decode_char(self.pp.session.str(t.sym), self.pp.opts.dialect) {
                Ok(c) => Ok(signed(c.value as u64)),
                Err(e) => self.fail(t.span, &e.to_string()),
            },
            K::Ident => self.identifier(t, live),
            K::String => self.fail(t.span, "a string cannot stand in a preprocessor expression"),
            _ => {
                let text = self.pp.session.str_or_empty(&t).to_owned();
                self.fail(t.span, &format!("token `{text}` is not valid in a preprocessor expression"))
            }
        }
    }

    fn number(&mut self, t: Token) -> Result<Value> {
        match decode_number(self.pp.session.str(t.sym), self.pp.opts.dialect) {
            Ok(NumberLiteral::Int(i)) => {
                // What does not fit intmax_t is unsigned, as every compiler has it.
                Ok(Value { bits: i.value, unsigned: i.unsigned || i.value > i64::MAX as u64 })
            }
            Ok(NumberLiteral::Float(_)) => {
                self.fail(t.span, "a floating-point constant cannot stand in a preprocessor expression")
            }
            Err(e) => self.fail(t.span, &e.to_string()),
        }
    }

    /// An identifier that is no macro is 0; in C++ `true`, and the words for operators, are what they say.
    fn identifier(&mut self, t: Token, live: bool) -> Result<Value> {
        let cxx = self.pp.opts.dialect.is_cxx();
        let text = self.pp.session.str(t.sym);
        match text {
            "true" if cxx => return Ok(Value::bool(true)),
            "not" if cxx => return self.nested(|p| p.unary(live)).map(|v| Value::bool(!v.is_true())),
            "compl" if cxx => return self.nested(|p| p.unary(live)).map(|v| Value { bits: !v.bits, ..v }),
            _ => {}
        }
        let called = self.peek().is_some_and(|n| n.kind == K::LParen);
        if called && !t.flags.has(TokenFlags::NO_EXPAND) {
            let what = format!("function-like macro `{text}` is not defined");
            self.pp.session.report(Diagnostic::error("E0120", t.span, what).help("test it with `#ifdef` first"));
            return Err(Failed);
        }
        Ok(Value { bits: 0, unsigned: false })
    }
}
