//! Inline assembly.
//!
//! In CUDA its text is PTX, and looked at: what nvcc leaves undefined about operands has a meaning here, as in SCALE.
//! Inputs may be written, which nobody outside sees; outputs may be read before they are written; structures and vectors of
//! the size of a register are passed in one.

mod text;
mod warnings;

use crate::Mode;
use crate::check::Checker;
use crate::program::{Asm, AsmOperand, ExprId, ExprKind, StmtId, StmtKind};
use crate::types::{Quals, TyId};
use source::{Diagnostic, Span};
use syntax::ast::{self};
use text::{Statement, numbers};
use warnings::Checked;

impl Checker<'_> {
    pub(super) fn asm_stmt(&mut self, a: ast::AsmId, span: Span) -> StmtId {
        let ast = self.ast;
        let asm = ast[a];
        if asm.goto {
            self.error("E0391", span, "`asm goto` is not supported in device code");
            return self.push_stmt(StmtKind::Empty, span);
        }
        let (mut outputs, mut through) = (Vec::new(), Vec::new());
        for op in ast.list(asm.outputs) {
            let (output, register) = self.asm_output(op);
            through.extend(register.map(|place| (outputs.len(), place)));
            outputs.push(output);
        }
        let (mut inputs, mut places) = (Vec::new(), Vec::new());
        let mut strings = Vec::new();
        for op in ast.list(asm.inputs) {
            let constraint = self.string_text(op.constraint);
            let e = self.expr(op.value);
            let v = self.rvalue(e);
            if constraint == "C" && self.is_cuda() {
                let text = self.constant_text(v, op.span);
                strings.push((outputs.len() + inputs.len() + strings.len(), text));
                continue;
            }
            let v = self.in_a_register(v, op.span);
            inputs.push(AsmOperand { constraint, expr: v });
            places.push(op.span);
        }
        let clobbers = ast.list(asm.clobbers).iter().map(|&s| self.string_text(s)).collect();
        let mut template = self.numbered(self.string_text(asm.template), &asm);
        if !strings.is_empty() {
            template = with_strings(&template, &strings);
        }
        if !asm.extended {
            template = template.replace('%', "%%");
        }
        if self.is_cuda() {
            let plain = text::without_comments(&template);
            let statements = text::statements(&plain);
            self.check_ends(&statements, span);
            self.asm_bindings(&statements, &mut outputs, &mut inputs, &places);
            self.warn_of_ptx(&Checked {
                statements: &statements,
                outputs: &outputs,
                inputs: &inputs,
                places: &places,
                span,
            });
        }
        let registers: Vec<(ExprId, bool, ExprId)> = through
            .into_iter()
            .map(|(n, place)| (outputs[n].expr, outputs[n].constraint.starts_with('+'), place))
            .collect();
        let volatile = asm.volatile || outputs.is_empty();
        self.p.asms.push(Asm { template, outputs, inputs, clobbers, volatile });
        let index = self.p.asms.len() as u32 - 1;
        let statement = self.push_stmt(StmtKind::Asm(index), span);
        if registers.is_empty() { statement } else { self.around_registers(statement, &registers, span) }
    }

    /// A template with numbers for the operands that it calls by name.
    fn numbered(&self, mut template: String, asm: &ast::Asm) -> String {
        let operands = self.ast.list(asm.outputs).iter().chain(self.ast.list(asm.inputs));
        for (n, operand) in operands.enumerate() {
            if let Some(name) = operand.name {
                template = template.replace(&format!("%[{}]", self.text(name)), &format!("%{n}"));
            }
        }
        template
    }

    /// The statement with the variables that stand for structures filled before it and stored behind it: each with
    /// whether its old value is wanted, and its place.
    fn around_registers(&mut self, asm: StmtId, registers: &[(ExprId, bool, ExprId)], span: Span) -> StmtId {
        let mut stmts = Vec::new();
        for &(register, wanted, place) in registers {
            let ExprKind::Local(local) = self.e(register).kind else { continue };
            let old = wanted.then(|| {
                let value = self.rvalue(place);
                let ty = self.ty(register);
                self.bit_cast(value, ty, span)
            });
            stmts.push(self.push_stmt(StmtKind::Decl { local, init: old }, span));
        }
        stmts.push(asm);
        for &(register, _, place) in registers {
            let ty = self.ty(place);
            let value = self.rvalue(register);
            let value = self.bit_cast(value, ty, span);
            let set = self.rv(ExprKind::Assign { place, value, first: false }, ty, span);
            stmts.push(self.push_stmt(StmtKind::Expr(set), span));
        }
        self.block(&stmts, span)
    }

    /// An output, and the place of a structure or vector for which a variable stands as long as the statement runs.
    fn asm_output(&mut self, op: &ast::AsmOperand) -> (AsmOperand, Option<ExprId>) {
        let constraint = self.string_text(op.constraint);
        let mut e = self.expr(op.value);
        let mut place = None;
        if !self.is_err(e) && !self.is_lv(e) {
            self.error("E0392", op.span, "output operand of an asm statement must be a place that can be assigned");
        } else if let Some(register) = self.register_type(self.ty(e), op.span) {
            place = Some(e);
            let local = self.new_local(None, register, Quals::NONE, op.span);
            e = self.local_place(local, op.span);
        }
        if !constraint.starts_with(['=', '+']) {
            self.error("E0393", op.span, format!("output constraint `{constraint}` must begin with `=` or `+`"));
        }
        (AsmOperand { constraint, expr: e }, place)
    }

    /// The integer that a structure or vector goes through a register as; `None` for what is a scalar itself.
    fn register_type(&mut self, ty: TyId, span: Span) -> Option<TyId> {
        if !self.is_cuda() || ty == TyId::ERROR || self.p.types.as_record(ty).is_none() && !self.p.types.is_vector(ty) {
            return None;
        }
        let size = self.p.types.size_of(ty);
        let register = match size {
            Some(1) => TyId::UCHAR,
            Some(2) => TyId::USHORT,
            Some(4) => TyId::UINT,
            Some(8) => TyId::ULONGLONG,
            _ => {
                let name = self.show(ty);
                let bytes = size.map_or_else(String::new, |s| format!(" of {s} bytes"));
                self.report(
                    Diagnostic::error("E0336", span, format!("an operand of type `{name}`{bytes} fits no register"))
                        .help("pass its members one by one; registers hold 1, 2, 4 or 8 bytes"),
                );
                return None;
            }
        };
        Some(register)
    }

    /// A value as a register holds it.
    fn in_a_register(&mut self, v: ExprId, span: Span) -> ExprId {
        match self.register_type(self.ty(v), span) {
            Some(register) => self.bit_cast(v, register, span),
            None => v,
        }
    }

    /// The characters that a `"C"` operand puts into the text.
    fn constant_text(&mut self, v: ExprId, span: Span) -> String {
        if self.is_err(v) {
            return String::new();
        }
        let text = self.evaluate_address(v).and_then(|(g, offset)| {
            let g = &self.p.globals[g.index()];
            let bytes = g.init.as_ref().filter(|_| g.quals.is_const())?.bytes.get(usize::try_from(offset).ok()?..)?;
            let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
            Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
        });
        text.unwrap_or_else(|| {
            self.report(
                Diagnostic::error("E0337", span, "the operand of a `\"C\"` constraint is no constant string")
                    .help("pass a literal, a `constexpr` array of characters, or a call of a `constexpr` function"),
            );
            String::new()
        })
    }

    /// Instructions end with a semicolon, directives for debuggers with the line.
    fn check_ends(&mut self, statements: &[Statement<'_>], span: Span) {
        const LINES: [&str; 3] = [".loc", ".file", ".section"];
        let Some(s) = statements.iter().find(|s| !s.ends && !LINES.contains(&s.opcode)) else { return };
        self.report(
            Diagnostic::error("E0339", span, format!("`;` expected behind `{}` in inline PTX", s.opcode))
                .help("each instruction of PTX ends with a semicolon, the last one, too"),
        );
    }

    /// What the text does with its operands beyond their constraints: inputs that it writes are copies of its own, outputs
    /// that it reads first come in with their values. clang's mode refuses the former.
    fn asm_bindings(
        &mut self,
        statements: &[Statement<'_>],
        outputs: &mut [AsmOperand],
        inputs: &mut [AsmOperand],
        places: &[Span],
    ) {
        let mut written = vec![false; outputs.len() + inputs.len()];
        for (k, s) in statements.iter().enumerate().filter(|(_, s)| !s.opcode.starts_with('.')) {
            for n in s.read().flat_map(numbers) {
                if let (Some(o), false) = (outputs.get_mut(n), written.get(n).copied().unwrap_or(true))
                    && o.constraint.starts_with('=')
                {
                    o.constraint.replace_range(..1, "+");
                }
            }
            for n in s.written().into_iter().flat_map(numbers) {
                let Some(w) = written.get_mut(n) else { continue };
                // Under a guard the old value may stay.
                if let (Some(o), Some(guard), false) = (outputs.get_mut(n), s.guard, *w)
                    && o.constraint.starts_with('=')
                    && !statements[k + 1..].iter().any(|later| writes_otherwise(later, n, guard))
                {
                    o.constraint.replace_range(..1, "+");
                }
                *w = true;
            }
        }
        let first = outputs.len();
        for (i, input) in inputs.iter_mut().enumerate().filter(|(i, _)| written[first + i]) {
            let letter = input.constraint.starts_with(|c: char| c.is_ascii_lowercase());
            if !letter || matches!(input.constraint.as_str(), "n" | "i") {
                continue;
            }
            if self.opts.mode == Mode::Clang {
                let n = first + i;
                self.report(
                    Diagnostic::error("E0335", places[i], format!("`%{n}` is an input of this `asm`, which writes it"))
                        .help(format!(
                            "make it an output, `\"+{}\"`, or compile with `-fmode=nvcc`, where it is a copy",
                            input.constraint
                        )),
                );
            } else {
                input.constraint.insert(0, '+');
            }
        }
    }
}

/// Whether a statement writes operand `n` where one under `guard` has not.
fn writes_otherwise(s: &Statement<'_>, n: usize, guard: &str) -> bool {
    let other = match guard.strip_prefix('!') {
        Some(p) => s.guard == Some(p),
        None => s.guard.and_then(|g| g.strip_prefix('!')) == Some(guard),
    };
    (s.guard.is_none() || other) && s.written().into_iter().flat_map(numbers).any(|w| w == n)
}

/// A template with the texts of its `"C"` operands in their places, and the other operands numbered without them.
fn with_strings(template: &str, strings: &[(usize, String)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push_str("%%");
            rest = after;
            continue;
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match rest[..digits].parse::<usize>() {
            Ok(n) => match strings.iter().find(|(k, _)| *k == n) {
                Some((_, text)) => out.push_str(&text.replace('%', "%%")),
                None => {
                    let before = strings.iter().filter(|(k, _)| *k < n).count();
                    out.push_str(&format!("%{}", n - before));
                }
            },
            Err(_) => {
                out.push('%');
                out.push_str(&rest[..digits]);
            }
        }
        rest = &rest[digits..];
    }
    out.push_str(rest);
    out
}
