//! Virtual registers and operands.

use crate::out::{push_hex, push_i64, push_u64};
use ir::{Global, ScalarKind, Type};

/// A class of virtual registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Class {
    /// Predicates: `i1`.
    Pred,
    /// `i8` and `i16`. The upper half of a register that holds an `i8` is arbitrary.
    B16,
    /// `f16` and `bf16`.
    H,
    /// `i32`.
    B32,
    /// `i64` and pointers.
    B64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

impl Class {
    /// Number of classes.
    pub(crate) const COUNT: usize = 7;
    /// Every class.
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Pred, Self::B16, Self::H, Self::B32, Self::B64, Self::F32, Self::F64];

    /// The class of a scalar type; `None` for void.
    pub(crate) fn of(ty: Type) -> Option<Self> {
        Some(match ty.kind() {
            ScalarKind::Void => return None,
            ScalarKind::I1 => Self::Pred,
            ScalarKind::I8 | ScalarKind::I16 => Self::B16,
            ScalarKind::I32 => Self::B32,
            ScalarKind::I64 | ScalarKind::Ptr => Self::B64,
            ScalarKind::F16 | ScalarKind::BF16 => Self::H,
            ScalarKind::F32 => Self::F32,
            ScalarKind::F64 => Self::F64,
        })
    }

    /// What register names of the class start with.
    pub(crate) fn prefix(self) -> &'static str {
        ["%p", "%rs", "%h", "%r", "%rd", "%f", "%fd"][self as usize]
    }

    /// The type in `.reg` and `mov`.
    pub(crate) fn decl(self) -> &'static str {
        [".pred", ".b16", ".b16", ".b32", ".b64", ".f32", ".f64"][self as usize]
    }

    /// The untyped form of the same width.
    pub(crate) fn untyped(self) -> &'static str {
        [".pred", ".b16", ".b16", ".b32", ".b64", ".b32", ".b64"][self as usize]
    }
}

/// A virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reg(u32);

impl Reg {
    /// Its class.
    pub(crate) fn class(self) -> Class {
        Class::ALL[(self.0 & 7) as usize]
    }

    /// Its number in the class, from 1.
    pub(crate) fn number(self) -> u32 {
        self.0 >> 3
    }
}

/// Hands out registers.
#[derive(Default, Clone)]
pub(crate) struct RegFile {
    counts: [u32; Class::COUNT],
}

impl RegFile {
    /// A new register.
    pub(crate) fn fresh(&mut self, class: Class) -> Reg {
        let n = &mut self.counts[class as usize];
        *n += 1;
        Reg(*n << 3 | class as u32)
    }

    /// How many of a class were handed out.
    pub(crate) fn count(&self, class: Class) -> u32 {
        self.counts[class as usize]
    }

    /// Writes the `.reg` lines.
    pub(crate) fn declare(&self, out: &mut String) {
        for class in Class::ALL {
            let n = self.count(class);
            if n > 0 {
                out.push_str("\t.reg ");
                out.push_str(class.decl());
                out.push_str(" \t");
                out.push_str(class.prefix());
                out.push('<');
                push_u64(out, u64::from(n) + 1);
                out.push_str(">;\n");
            }
        }
    }
}

/// Parameter memory that is no parameter of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallSym {
    /// Argument of the call being written.
    Arg(u16),
    /// Result of the call being written.
    Result,
    /// Result of the function.
    Return,
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opnd {
    /// Nothing assigned yet.
    None,
    /// A register.
    Reg(Reg),
    /// An integer, in decimal.
    Int(i64),
    /// Bits of an `f32`.
    F32(u32),
    /// Bits of an `f64`.
    F64(u64),
    /// Bits of an `f16` or `bf16`: no immediate in PTX, goes through a register.
    Half(u16),
    /// A truth value: no immediate either.
    Bool(bool),
    /// Address of a global plus an offset.
    Global(Global, i32),
    /// Address in the function's stack frame.
    Frame(i32),
    /// Address of a parameter of the function plus an offset.
    Param(u16, i32),
    /// Parameter memory of a call or return.
    Call(CallSym),
    /// A vector: the first of its lanes in the lane table.
    Lanes(u32),
}

impl Opnd {
    /// The register, if it is one.
    pub(crate) fn reg(self) -> Option<Reg> {
        if let Self::Reg(r) = self { Some(r) } else { None }
    }

    /// Whether an instruction takes it as it is.
    pub(crate) fn is_direct(self) -> bool {
        matches!(self, Self::Reg(_) | Self::Int(_) | Self::F32(_) | Self::F64(_))
    }

    /// Zero of a scalar type.
    pub(crate) fn constant(ty: Type, bits: u64) -> Self {
        match ty.kind() {
            ScalarKind::I1 => Self::Bool(bits & 1 != 0),
            ScalarKind::F16 | ScalarKind::BF16 => Self::Half(bits as u16),
            ScalarKind::F32 => Self::F32(bits as u32),
            ScalarKind::F64 => Self::F64(bits),
            _ => {
                let n = ty.bits().max(1);
                Self::Int(((bits << (64 - n)) as i64) >> (64 - n))
            }
        }
    }
}

impl From<Reg> for Opnd {
    fn from(r: Reg) -> Self {
        Self::Reg(r)
    }
}

/// Writes a register.
pub(crate) fn push_reg(out: &mut String, r: Reg) {
    out.push_str(r.class().prefix());
    push_u64(out, u64::from(r.number()));
}

/// Writes an operand that [`Opnd::is_direct`]; others have gone through a register before.
pub(crate) fn push_opnd(out: &mut String, o: Opnd) {
    match o {
        Opnd::Reg(r) => push_reg(out, r),
        Opnd::Int(n) => push_i64(out, n),
        Opnd::F32(b) => {
            out.push_str("0f");
            push_hex(out, u64::from(b), 8);
        }
        Opnd::F64(b) => {
            out.push_str("0d");
            push_hex(out, b, 16);
        }
        Opnd::Bool(b) => out.push(if b { '1' } else { '0' }),
        Opnd::Half(h) => {
            out.push_str("0x");
            push_hex(out, u64::from(h), 4);
        }
        Opnd::None | Opnd::Global(..) | Opnd::Frame(_) | Opnd::Param(..) | Opnd::Call(_) | Opnd::Lanes(_) => {
            debug_assert!(false, "operand {o:?} has no text of its own");
            out.push('0');
        }
    }
}
