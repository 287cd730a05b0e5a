//! Inline assembly.

use super::keywords::Kw;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{Asm, AsmId, AsmOperand, DeclId, DeclKind, List, StmtId, StmtKind, StrId};
use smallvec::SmallVec;
use source::Symbol;

impl Parser<'_> {
    /// `asm volatile ("…" : outputs : inputs : clobbers);`
    pub(super) fn asm_statement(&mut self) -> PResult<StmtId> {
        let start = self.tok.span;
        let asm = self.asm()?;
        self.expect(T::Semi)?;
        Ok(self.stmt_from(StmtKind::Asm(asm), start))
    }

    /// `asm("…");` outside functions.
    pub(super) fn file_asm(&mut self) -> PResult<DeclId> {
        let start = self.tok.span;
        let asm = self.asm()?;
        self.expect(T::Semi)?;
        Ok(self.simple_decl(DeclKind::Asm(asm), start))
    }

    fn asm(&mut self) -> PResult<AsmId> {
        let start = self.bump().span;
        let (mut volatile, mut goto) = (false, false);
        loop {
            match self.kw() {
                Kw::Volatile => volatile = true,
                Kw::Goto => goto = true,
                Kw::Inline => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(T::LParen)?;
        let mut asm = Asm {
            volatile,
            goto,
            template: self.string()?,
            outputs: List::EMPTY,
            inputs: List::EMPTY,
            clobbers: List::EMPTY,
            extended: false,
        };
        self.in_parens(|p| p.asm_sections(&mut asm))?;
        self.expect_closer(T::RParen, open)?;
        if goto {
            let span = self.span_from(start);
            self.unsupported(span, "`asm goto`", "branch in C instead");
        }
        Ok(self.ast.push_asm(asm))
    }

    /// The sections after the template; `::` is two colons.
    fn asm_sections(&mut self, asm: &mut Asm) -> PResult<()> {
        let mut section = 0;
        loop {
            match self.tok.kind {
                T::Colon => section += 1,
                T::ColonColon => section += 2,
                _ => return Ok(()),
            }
            self.bump();
            asm.extended = true;
            if matches!(self.tok.kind, T::Colon | T::ColonColon | T::RParen) {
                continue;
            }
            match section {
                1 => asm.outputs = self.asm_operands()?,
                2 => asm.inputs = self.asm_operands()?,
                3 => asm.clobbers = self.asm_clobbers()?,
                _ => return Err(self.expected("`)`")),
            }
        }
    }

    fn asm_operands(&mut self) -> PResult<List<AsmOperand>> {
        let mut list: SmallVec<[AsmOperand; 4]> = SmallVec::new();
        loop {
            let start = self.tok.span;
            let name = self.asm_operand_name()?;
            let constraint = self.string()?;
            let open = self.expect(T::LParen)?;
            let value = self.in_parens(Self::full_expr)?;
            self.expect_closer(T::RParen, open)?;
            list.push(AsmOperand { name, constraint, value, span: self.span_from(start) });
            if !self.asm_list_goes_on() {
                return Ok(self.ast.push_list(&list));
            }
        }
    }

    fn asm_operand_name(&mut self) -> PResult<Option<Symbol>> {
        if !self.is(T::LBracket) {
            return Ok(None);
        }
        let open = self.bump().span;
        let (sym, _) = self.ident("an operand's name")?;
        self.expect_closer(T::RBracket, open)?;
        Ok(Some(sym))
    }

    fn asm_clobbers(&mut self) -> PResult<List<StrId>> {
        let mut list: SmallVec<[StrId; 4]> = SmallVec::new();
        loop {
            list.push(self.string()?);
            if !self.asm_list_goes_on() {
                return Ok(self.ast.push_list(&list));
            }
        }
    }

    /// Whether another operand follows; nvcc wants no comma between two.
    fn asm_list_goes_on(&mut self) -> bool {
        if self.eat(T::Comma) {
            return true;
        }
        let more = self.dialect.is_cuda() && matches!(self.tok.kind, T::String | T::LBracket);
        if more {
            let gap = self.prev.after();
            self.only_nvcc(gap, "a list of `asm` operands without commas", ",");
        }
        more
    }
}
