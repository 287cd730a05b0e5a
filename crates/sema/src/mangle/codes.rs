//! Codes of types and operators that are no names.

use crate::types::{ImageAccess, IntKind, Opaque, OperatorName};

pub(super) fn int_code(k: IntKind) -> &'static str {
    match k {
        IntKind::Char => "c",
        IntKind::SChar => "a",
        IntKind::UChar => "h",
        IntKind::WChar => "w",
        IntKind::Char8 => "Du",
        IntKind::Char16 => "Ds",
        IntKind::Char32 => "Di",
        IntKind::Short => "s",
        IntKind::UShort => "t",
        IntKind::Int => "i",
        IntKind::UInt | IntKind::LaneMask32 => "j",
        IntKind::Long => "l",
        IntKind::ULong => "m",
        IntKind::LongLong => "x",
        IntKind::ULongLong | IntKind::LaneMask64 => "y",
        IntKind::Int128 => "n",
        IntKind::UInt128 => "o",
    }
}

/// OpenCL C's types without a structure. Images that kernels may access differently are different types.
pub(super) fn opaque_name(o: Opaque) -> String {
    match o {
        Opaque::Event => "ocl_event".to_owned(),
        Opaque::Sampler => "ocl_sampler".to_owned(),
        Opaque::Image(dims, access) => {
            let access = match access {
                ImageAccess::ReadOnly => "ro",
                ImageAccess::WriteOnly => "wo",
                ImageAccess::ReadWrite => "rw",
            };
            format!("ocl_{}_{access}", dims.type_name().trim_end_matches("_t"))
        }
        Opaque::Other => "opaque".to_owned(),
    }
}

pub(super) fn operator_code(op: OperatorName) -> &'static str {
    use OperatorName as O;
    match op {
        O::Add => "pl",
        O::Sub => "mi",
        O::Mul => "ml",
        O::Div => "dv",
        O::Rem => "rm",
        O::Xor => "eo",
        O::And => "an",
        O::Or => "or",
        O::Shl => "ls",
        O::Shr => "rs",
        O::Plus => "ps",
        O::Neg => "ng",
        O::Deref => "de",
        O::AddrOf => "ad",
        O::Not => "co",
        O::LogNot => "nt",
        O::Assign => "aS",
        O::AddAssign => "pL",
        O::SubAssign => "mI",
        O::MulAssign => "mL",
        O::DivAssign => "dV",
        O::RemAssign => "rM",
        O::XorAssign => "eO",
        O::AndAssign => "aN",
        O::OrAssign => "oR",
        O::ShlAssign => "lS",
        O::ShrAssign => "rS",
        O::Eq => "eq",
        O::Ne => "ne",
        O::Lt => "lt",
        O::Gt => "gt",
        O::Le => "le",
        O::ThreeWay => "ss",
        O::Ge => "ge",
        O::LogAnd => "aa",
        O::LogOr => "oo",
        O::Inc => "pp",
        O::Dec => "mm",
        O::Comma => "cm",
        O::Arrow => "pt",
        O::ArrowStar => "pm",
        O::Call => "cl",
        O::Subscript => "ix",
        O::Other => "nw",
    }
}
