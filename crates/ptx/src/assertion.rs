//! Assertions that fail: what they say, by the driver's `__assertfail`.
//!
//! The IR has a trap, with the place of the assertion. The words come from the source: the condition, the file, the line. The driver
//! prints them with the block and the thread, and ends the launch with an error of its own, which programs ask for.

use crate::func::Fx;
use crate::out::push_u64;
use crate::regs::{CallSym, Class, Opnd, push_reg};
use ir::{Flags, Inst, Type};
use source::SourceMap;

/// Declaration of what the driver provides.
pub(crate) const DECLARATION: &str = ".extern .func __assertfail(.param .b64 __assertfail_param_0, .param .b64 \
     __assertfail_param_1, .param .b32 __assertfail_param_2, .param .b64 __assertfail_param_3, .param .b64 \
     __assertfail_param_4);\n";

/// The words of an assertion: condition, file, line.
fn words(sources: &SourceMap, span: source::Span) -> Option<(&str, &str, u32)> {
    if span.is_none() {
        return None;
    }
    let at = sources.call_site(span).lo;
    let f = sources.file(sources.file_at(at)?);
    let text = f.text.get((at - f.base) as usize..)?;
    let condition = parenthesised(text.strip_prefix("assert")?.trim_start())?;
    let (file, place) = sources.presumed(at)?;
    Some((condition, file, place.line))
}

/// What stands in the parentheses at the start of a text.
fn parenthesised(text: &str) -> Option<&str> {
    let (mut depth, mut quote, mut escaped) = (0u32, None, false);
    for (n, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(text[1..n].trim());
                }
            }
            (None, _) if depth == 0 => return None,
            (None, _) => {}
        }
    }
    None
}

impl Fx<'_> {
    /// A trap: an assertion whose words are known says them.
    pub(crate) fn trap(&mut self, i: Inst) {
        let said = match self.f.dfg.insts[i].flags.has(Flags::ASSERTION) {
            true => self.sources.and_then(|s| words(s, self.f.dfg.span(i))),
            false => None,
        };
        let Some((condition, file, line)) = said else {
            self.out.push_str("\ttrap;\n");
            return;
        };
        let texts = [condition, file, &self.f.display].map(|t| self.text_address(t));
        let line = Opnd::Int(i64::from(line));
        let args = [(texts[0], Type::I64), (texts[1], Type::I64), (line, Type::I32), (texts[2], Type::I64)];
        self.out.push_str("\t{ // callseq ");
        push_u64(&mut self.out, u64::from(self.calls));
        self.out.push_str("\n\t.param .b64 param0;\n\t.param .b64 param1;\n\t.param .b32 param2;\n");
        self.out.push_str("\t.param .b64 param3;\n\t.param .b64 param4;\n");
        self.calls += 1;
        // The last is the size of a character.
        for (n, (o, ty)) in args.into_iter().chain([(Opnd::Int(1), Type::I64)]).enumerate() {
            self.store_call_sym(CallSym::Arg(n as u16), ty, &[o]);
        }
        self.call_line(false, 5, |out| out.push_str("__assertfail"));
        // Control does not come back, which the assembler cannot know; another trap would take the place of the driver's error.
        self.out.push_str("\t}\n\texit;\n");
    }

    /// The generic address of a text in a register.
    fn text_address(&mut self, text: &str) -> Opnd {
        let known = self.texts.iter().position(|t| t == text);
        let at = known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        let r = self.regs.fresh(Class::B64);
        self.out.push_str("\tmov.u64 \t");
        push_reg(&mut self.out, r);
        self.out.push_str(", ");
        push_text_name(&mut self.out, at);
        self.out.push_str(";\n");
        self.op_tmp(Class::B64, &["cvta.global.u64"], &[r.into()])
    }
}

fn push_text_name(out: &mut String, at: usize) {
    out.push_str("__assert_text_");
    push_u64(out, at as u64);
}

/// Writes the texts as variables.
pub(crate) fn push_texts(out: &mut String, texts: &[String]) {
    for (n, text) in texts.iter().enumerate() {
        out.push_str(".global .align 1 .b8 ");
        push_text_name(out, n);
        out.push('[');
        push_u64(out, text.len() as u64 + 1);
        out.push_str("] = {");
        for byte in text.bytes() {
            push_u64(out, u64::from(byte));
            out.push_str(", ");
        }
        out.push_str("0};\n");
    }
}

#[cfg(test)]
mod tests {
    use super::parenthesised;

    #[test]
    fn the_condition_ends_with_its_parenthesis() {
        assert_eq!(parenthesised("(a < f(b[1])) ; g()"), Some("a < f(b[1])"));
        assert_eq!(parenthesised(r#"( s == ")\"" && c != ')' )"#), Some(r#"s == ")\"" && c != ')'"#));
        for no in ["", "x(1)", "(a", ")", "(\"a)"] {
            assert_eq!(parenthesised(no), None, "{no}");
        }
    }
}
