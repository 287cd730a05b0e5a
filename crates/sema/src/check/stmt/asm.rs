//! Inline assembly.

use crate::check::Checker;
use crate::program::{Asm, AsmOperand, StmtId, StmtKind};
use source::Span;
use syntax::ast::{self};

impl Checker<'_> {
    pub(super) fn asm_stmt(&mut self, a: ast::AsmId, span: Span) -> StmtId {
        let ast = self.ast;
        let asm = ast[a];
        if asm.goto {
            self.error("E0391", span, "`asm goto` is not supported in device code");
            return self.push_stmt(StmtKind::Empty, span);
        }
        let mut outputs = Vec::new();
        for op in ast.list(asm.outputs) {
            let constraint = self.string_text(op.constraint);
            let e = self.expr(op.value);
            if !self.is_err(e) && !self.is_lv(e) {
                self.error("E0392", op.span, "output operand of an asm statement must be a place that can be assigned");
            }
            if !constraint.starts_with(['=', '+']) {
                self.error("E0393", op.span, format!("output constraint `{constraint}` must begin with `=` or `+`"));
            }
            outputs.push(AsmOperand { constraint, name: op.name, expr: e });
        }
        let mut inputs = Vec::new();
        for op in ast.list(asm.inputs) {
            let constraint = self.string_text(op.constraint);
            let e = self.expr(op.value);
            let v = self.rvalue(e);
            inputs.push(AsmOperand { constraint, name: op.name, expr: v });
        }
        let clobbers = ast.list(asm.clobbers).iter().map(|&s| self.string_text(s)).collect();
        let template = self.string_text(asm.template);
        let volatile = asm.volatile || outputs.is_empty();
        let template = if asm.extended { template } else { template.replace('%', "%%") };
        self.p.asms.push(Asm { template, outputs, inputs, clobbers, volatile });
        let index = self.p.asms.len() as u32 - 1;
        self.push_stmt(StmtKind::Asm(index), span)
    }
}
