//! Inline assembly.
//!
//! `%0`, `%1`, … name outputs, then inputs; `%%` is a percent sign and `%=` a number that differs for each copy.
//! Constraints: `h` 16 bits, `r` 32 bits, `l` 64 bits, `q` 128 bits, `f` and `d` floats, `b` a predicate, `c` 8 bits,
//! `n` (also `i`) a constant; a digit ties an input to that output. `+` before an input says that the text writes it:
//! it gets a register of its own. Everything else in the text goes through as it is.

use crate::error::EmitError;
use crate::func::Fx;
use crate::memory::Lanes;
use crate::out::{push_i64, push_u64};
use crate::regs::{Class, Opnd, push_opnd};
use ir::{Inst, Payload, ScalarKind, Type};

/// The class of registers that a constraint names; `None` for constants and unknown letters.
fn class_of(constraint: &str) -> Option<Class> {
    let letter = constraint.trim_start_matches(['=', '+', '&']).chars().next()?;
    Some(match letter {
        'h' | 'c' => Class::B16,
        'r' => Class::B32,
        'l' => Class::B64,
        'f' => Class::F32,
        'd' => Class::F64,
        'b' => Class::Pred,
        _ => return None,
    })
}

/// A type that a class stands for, to convert from and to.
fn type_of(class: Class) -> Type {
    match class {
        Class::Pred => Type::I1,
        Class::B16 | Class::H => Type::I16,
        Class::B32 => Type::I32,
        Class::B64 => Type::I64,
        Class::F32 => Type::F32,
        Class::F64 => Type::F64,
    }
}

/// Whether a constraint names a register of 128 bits.
fn is_wide(constraint: &str) -> bool {
    constraint.trim_start_matches(['=', '+', '&']).starts_with('q')
}

/// An operand of 128 bits: a register of the assembly's own, which two registers are moved to or from.
struct Wide {
    operand: usize,
    /// The input that is tied to this output.
    tied: Option<usize>,
    from: Option<[Opnd; 2]>,
    to: Option<[Opnd; 2]>,
}

impl Fx<'_> {
    /// Writes inline assembly.
    pub(crate) fn inline_asm(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let span = f.dfg.span(i);
        let Payload::Asm(id) = f.dfg.insts[i].payload else { return Ok(()) };
        let data = &f.dfg.asms[id];
        if let Some(feature) = crate::matrix::needs(&data.text) {
            self.require(feature, i)?;
        }
        let args = f.dfg.args(i);
        let bad =
            |what: String| EmitError::unsupported(what, span, "use h, r, l, q, f, d, b, n or the digit of an output");
        let mut operands = Vec::with_capacity(data.outputs.len() + args.len());
        let mut wide: Vec<Wide> = Vec::new();
        for c in &data.outputs {
            // Outputs come back as the lanes of one vector: of two words there is no other.
            if is_wide(c) && f.dfg.result(i).map(|v| f.dfg.ty(v)) == Type::I64.vector(2) && data.outputs.len() == 1 {
                let to = [self.tmp(Class::B64).into(), self.tmp(Class::B64).into()];
                wide.push(Wide { operand: operands.len(), tied: None, from: None, to: Some(to) });
                operands.push(Opnd::Int(0));
                continue;
            }
            let class = class_of(c).ok_or_else(|| bad(format!("the output constraint \"{c}\"")))?;
            operands.push(Opnd::Reg(self.tmp(class)));
        }
        for (c, &v) in data.inputs.iter().zip(args) {
            let ty = f.dfg.ty(v).scalar();
            let number = c.parse::<usize>().ok();
            let tied_wide = wide.iter().position(|w| number == Some(w.operand));
            if is_wide(c) || tied_wide.is_some() {
                let from = Some(self.two_words(v).ok_or_else(|| mismatch(c, f.dfg.ty(v), span))?);
                match tied_wide {
                    Some(at) => (wide[at].from, wide[at].tied) = (from, Some(operands.len())),
                    None => wide.push(Wide { operand: operands.len(), tied: None, from, to: None }),
                }
                operands.push(Opnd::Int(0));
                continue;
            }
            let tied = number.and_then(|n| operands.get(n).copied());
            let o = match (class_of(c), tied) {
                (_, Some(Opnd::Reg(out))) => {
                    let o = self.as_class(v, ty, out.class()).ok_or_else(|| mismatch(c, ty, span))?;
                    self.mov(out, o);
                    out.into()
                }
                (Some(class), _) => {
                    let o = self.as_class(v, ty, class).ok_or_else(|| mismatch(c, ty, span))?;
                    if c.starts_with('+') {
                        let own = self.tmp(class);
                        self.mov(own, o);
                        own.into()
                    } else {
                        o
                    }
                }
                (None, _) if matches!(c.as_str(), "n" | "i") => match self.lane(v, 0) {
                    o @ (Opnd::Int(_) | Opnd::F32(_) | Opnd::F64(_)) => o,
                    _ => {
                        return Err(EmitError::unsupported(
                            format!("an operand for the constraint \"{c}\" that is not constant"),
                            span,
                            "pass a constant expression, or use the constraint \"r\"",
                        ));
                    }
                },
                _ => return Err(bad(format!("the constraint \"{c}\""))),
            };
            operands.push(o);
        }
        let is_tied = |n: usize| data.inputs.iter().any(|c| c.parse() == Ok(n));
        let only_written = operands.iter().take(data.outputs.len()).enumerate().filter(|&(n, _)| !is_tied(n));
        let names = only_written.filter_map(|(_, &o)| {
            let mut name = String::new();
            push_opnd(&mut name, o);
            o.reg().is_some().then_some(name)
        });
        self.asm_outputs.push(names.collect());
        self.asm_text(&data.text, &operands, &wide, span)?;
        let Some(v) = f.dfg.result(i) else { return Ok(()) };
        if let Some(lanes) = wide.iter().find_map(|w| w.to) {
            self.set_lanes(v, &lanes);
            return Ok(());
        }
        let ty = f.dfg.ty(v).scalar();
        let mut lanes = Lanes::new();
        for &o in operands.iter().take(usize::from(f.dfg.ty(v).lanes())) {
            lanes.push(self.as_type(o, ty));
        }
        while lanes.len() < usize::from(f.dfg.ty(v).lanes()) {
            lanes.push(Opnd::constant(ty, 0));
        }
        self.set_lanes(v, &lanes);
        Ok(())
    }

    /// A value in a register of the class a constraint asks for.
    fn as_class(&mut self, v: ir::Value, ty: Type, class: Class) -> Option<Opnd> {
        let o = self.lane(v, 0);
        let own = Class::of(ty)?;
        if own == class {
            return Some(self.in_register(o, ty));
        }
        let to = type_of(class);
        if ty.bits() == to.bits() {
            let o = self.reinterpret(o, ty, to);
            return Some(self.in_register(o, to));
        }
        // A shorter integer in a longer register.
        let longer = ty.is_int() && to.is_int() && ty.bits() < to.bits() && ty != Type::I1;
        longer.then(|| {
            let o = self.in_register(o, ty);
            let from = if ty.bits() == 8 {
                ".u8"
            } else if ty.bits() == 16 {
                ".u16"
            } else {
                ".u32"
            };
            self.op_tmp(class, &["cvt", if class == Class::B64 { ".u64" } else { ".u32" }, from], &[o])
        })
    }

    /// An output register as a value of type `ty`.
    fn as_type(&mut self, o: Opnd, ty: Type) -> Opnd {
        let class = o.reg().map_or(Class::B32, |r| r.class());
        if Class::of(ty) == Some(class) {
            return o;
        }
        let from = type_of(class);
        match ty.kind() {
            _ if ty.bits() == from.bits() => self.reinterpret(o, from, ty),
            // Outputs of several types come back in the longest.
            _ if ty.is_int() && ty.bits() > 16 && ty.bits() > from.bits() && class != Class::Pred => {
                let short = Type::int(from.bits()).unwrap_or(Type::I32);
                let o = self.reinterpret(o, from, short);
                let to = if ty.bits() == 64 { (Class::B64, ".u64") } else { (Class::B32, ".u32") };
                self.op_tmp(to.0, &["cvt", to.1, if short.bits() == 16 { ".u16" } else { ".u32" }], &[o])
            }
            ScalarKind::I1 => {
                let zero = ["setp.ne.s16", "setp.ne.s32", "setp.ne.s64"][(from.bits() / 32) as usize];
                self.op_tmp(Class::Pred, &[zero], &[o, Opnd::Int(0)])
            }
            ScalarKind::I8 | ScalarKind::I16 if from.is_int() && from.bits() > 16 => {
                self.op_tmp(Class::B16, &["cvt.u16", if class == Class::B64 { ".u64" } else { ".u32" }], &[o])
            }
            _ => o,
        }
    }

    /// The registers of a vector of two words, which is what 128 bits are in the IR; `None` for any other type.
    fn two_words(&mut self, v: ir::Value) -> Option<[Opnd; 2]> {
        (Some(self.f.dfg.ty(v)) == Type::I64.vector(2)).then(|| {
            [0, 1].map(|k| {
                let o = self.lane(v, k);
                self.in_register(o, Type::I64)
            })
        })
    }

    fn asm_text(&mut self, text: &str, operands: &[Opnd], wide: &[Wide], span: source::Span) -> Result<(), EmitError> {
        let copy = self.new_label();
        let number = u64::from(self.number);
        let out = &mut self.out;
        out.push_str("\t// begin inline asm\n\t");
        if !wide.is_empty() {
            out.push_str("{\n\t.reg .b128 %q<");
            push_u64(out, operands.len() as u64);
            out.push_str(">;\n\t");
        }
        for w in wide {
            push_wide(out, w, w.from, true);
        }
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits > 0 {
                let number = rest[..digits].parse::<usize>().ok();
                let n: Option<&Opnd> = number.and_then(|n| operands.get(n));
                match n {
                    Some(_)
                        if let Some(w) =
                            wide.iter().find(|w| Some(w.operand) == number || number.is_some() && w.tied == number) =>
                    {
                        push_name(out, w)
                    }
                    Some(Opnd::Int(n)) => push_i64(out, *n),
                    Some(o) => push_opnd(out, *o),
                    None => {
                        return Err(EmitError::unsupported(
                            format!("the operand `%{}` of inline assembly", &rest[..digits.min(20)]),
                            span,
                            format!("there are {} operands, numbered from 0, outputs first", operands.len()),
                        ));
                    }
                }
                rest = &rest[digits..];
            } else if let Some(after) = rest.strip_prefix('%') {
                out.push('%');
                rest = after;
            } else if let Some(after) = rest.strip_prefix('=') {
                push_u64(out, number);
                out.push('_');
                push_u64(out, u64::from(copy));
                rest = after;
            } else {
                // A register by name, as in `mov.u32 r, %tid.x` with a single percent sign.
                out.push('%');
            }
        }
        out.push_str(rest);
        for w in wide {
            out.push_str("\n\t");
            push_wide(out, w, w.to, false);
        }
        out.push_str(if wide.is_empty() { "\n\t// end inline asm\n" } else { "\n\t}\n\t// end inline asm\n" });
        Ok(())
    }
}

fn push_name(out: &mut String, w: &Wide) {
    out.push_str("%q");
    push_u64(out, w.operand as u64);
}

/// The move of two words to an operand of 128 bits, or from it.
fn push_wide(out: &mut String, w: &Wide, words: Option<[Opnd; 2]>, into: bool) {
    let Some([lo, hi]) = words else { return };
    out.push_str("mov.b128 ");
    if into {
        push_name(out, w);
        out.push_str(", ");
    }
    out.push('{');
    push_opnd(out, lo);
    out.push_str(", ");
    push_opnd(out, hi);
    out.push('}');
    if !into {
        out.push_str(", ");
        push_name(out, w);
    }
    out.push_str(";\n\t");
}

fn mismatch(constraint: &str, ty: Type, span: source::Span) -> EmitError {
    EmitError::unsupported(
        format!("an operand of type `{ty}` for the constraint \"{constraint}\""),
        span,
        "constraints are h for 16 bits, r for 32, l for 64, q for 128, f for float and d for double",
    )
}
