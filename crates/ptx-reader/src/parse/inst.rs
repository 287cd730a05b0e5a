//! Instructions and their operands.

use super::{MAX_DEPTH, Parser};
use crate::ast::{Instruction, Name, Operand};
use crate::error::{Outcome, PtxError};
use crate::lex::Tok;

/// Most operands of an instruction, and of a vector or list in it.
const MAX_OPERANDS: usize = 4096;

impl<'a> Parser<'a, '_> {
    pub(super) fn instruction(&mut self) -> Outcome<Instruction<'a>> {
        let start = self.span();
        let guard = if self.eat('@') {
            let negated = self.eat('!');
            Some((self.name("a predicate")?, negated))
        } else {
            None
        };
        let name = self.name("an instruction")?.text;
        let mut modifiers = Vec::new();
        while let Tok::Dot(word) = self.peek() {
            modifiers.push(word);
            self.at += 1;
        }
        let mut operands = Vec::new();
        while !self.eat(';') {
            if !operands.is_empty() {
                self.expect(',')?;
            }
            if operands.len() >= MAX_OPERANDS {
                return Err(PtxError::limit(self.span(), format!("more than {MAX_OPERANDS} operands")));
            }
            let o = self.operand(0)?;
            operands.push(o);
        }
        Ok(Instruction { guard, name, modifiers, operands, span: start.to(self.before()) })
    }

    fn operand(&mut self, depth: usize) -> Outcome<Operand<'a>> {
        let start = self.span();
        if depth > 4 {
            return Err(PtxError::limit(start, "operands are nested too deep"));
        }
        match self.peek() {
            Tok::Word(_) => self.named(),
            Tok::F32(b) => {
                self.at += 1;
                Ok(Operand::F32(b, start))
            }
            Tok::F64(b) => {
                self.at += 1;
                Ok(Operand::F64(b, start))
            }
            Tok::Punct('-') if matches!(self.peek_at(1), Tok::F64(_)) => {
                self.at += 1;
                let Tok::F64(b) = self.next() else { return Err(self.unexpected("a number")) };
                Ok(Operand::F64(b ^ 1 << 63, start.to(self.before())))
            }
            Tok::Punct('!') if matches!(self.peek_at(1), Tok::Word(_)) => {
                self.at += 1;
                Ok(Operand::Not(self.name("a predicate")?))
            }
            Tok::Punct('{') => {
                self.at += 1;
                let mut list = Vec::new();
                while !self.eat('}') {
                    if !list.is_empty() {
                        self.expect(',')?;
                    }
                    if list.len() >= MAX_OPERANDS {
                        return Err(PtxError::limit(start, format!("more than {MAX_OPERANDS} elements")));
                    }
                    let o = self.operand(depth + 1)?;
                    list.push(o);
                }
                Ok(Operand::Vector(list, start.to(self.before())))
            }
            Tok::Punct('[') => self.address(),
            Tok::Punct('(') if !matches!(self.peek_at(1), Tok::Int(_) | Tok::Punct('-' | '(')) => {
                self.at += 1;
                let mut list: Vec<Name<'a>> = Vec::new();
                while !self.eat(')') {
                    if !list.is_empty() {
                        self.expect(',')?;
                    }
                    if list.len() >= MAX_OPERANDS {
                        return Err(PtxError::limit(start, format!("more than {MAX_OPERANDS} elements")));
                    }
                    list.push(self.name("a parameter")?);
                }
                Ok(Operand::Tuple(list, start.to(self.before())))
            }
            _ => {
                let n = self.integer(0)?;
                Ok(Operand::Int(n.cast_unsigned(), start.to(self.before())))
            }
        }
    }

    /// An operand that begins with a name.
    fn named(&mut self) -> Outcome<Operand<'a>> {
        let name = self.name("an operand")?;
        match self.peek() {
            Tok::Dot(member) => {
                self.at += 1;
                Ok(Operand::Member(name, member))
            }
            Tok::Punct('|') => {
                self.at += 1;
                Ok(Operand::Pair(name, self.name("a predicate")?))
            }
            Tok::Punct('+' | '-') => Ok(Operand::Sum(name, self.offset()?)),
            _ => Ok(Operand::Name(name)),
        }
    }

    /// `[x]`, `[x+8]`, `[%rd1+-8]`, `[64]`
    fn address(&mut self) -> Outcome<Operand<'a>> {
        let start = self.span();
        self.at += 1;
        let (base, offset) = match self.peek() {
            Tok::Word(_) => (Some(self.name("an address")?), self.offset()?),
            _ => (None, self.integer(0)?),
        };
        if !self.eat(']') {
            if self.peek() == Tok::Punct(',') {
                return Err(PtxError::unsupported(start, "an address of several parts: textures are not covered"));
            }
            return Err(self.unexpected("`]`"));
        }
        Ok(Operand::Address(base, offset, start.to(self.before())))
    }

    /// What is added behind a name: nothing, or `+` and `-` with integers.
    pub(super) fn offset(&mut self) -> Outcome<i64> {
        let mut sum = 0i64;
        loop {
            if self.eat('+') {
                sum = sum.wrapping_add(self.term(0)?);
            } else if self.eat('-') {
                sum = sum.wrapping_sub(self.term(0)?);
            } else {
                return Ok(sum);
            }
        }
    }

    /// A constant expression of integers.
    pub(super) fn integer(&mut self, depth: usize) -> Outcome<i64> {
        let first = self.term(depth)?;
        Ok(first.wrapping_add(self.offset()?))
    }

    fn term(&mut self, depth: usize) -> Outcome<i64> {
        if depth > MAX_DEPTH {
            return Err(PtxError::limit(self.span(), "an expression is nested too deep"));
        }
        let mut value = match self.peek() {
            Tok::Int(n) => {
                self.at += 1;
                n.cast_signed()
            }
            Tok::Punct('-') => {
                self.at += 1;
                self.term(depth + 1)?.wrapping_neg()
            }
            Tok::Punct('~') => {
                self.at += 1;
                !self.term(depth + 1)?
            }
            Tok::Punct('(') => {
                self.at += 1;
                let n = self.integer(depth + 1)?;
                self.expect(')')?;
                n
            }
            _ => return Err(self.unexpected("an operand")),
        };
        while self.eat('*') {
            value = value.wrapping_mul(self.term(depth + 1)?);
        }
        Ok(value)
    }
}
