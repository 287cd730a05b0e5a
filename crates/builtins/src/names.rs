//! Builtins whose names carry types: `convert_uchar4_sat_rte`, `as_float4`, `vload4`, `vstorea_half8_rtz`,
//! `make_float4`. Parsed, not enumerated.

use crate::{BType, Callee, Lang, Meaning, MemoryOp, Op, Pointer, ResolveError, Resolved, Round, Scalar, ValueOp};
use smallvec::{SmallVec, smallvec};

/// A parsed name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamePattern {
    /// `convert_<type>[_sat][_rte…]`.
    Convert {
        /// Result type.
        to: BType,
        /// Rounding suffix.
        round: Option<Round>,
        /// `_sat`.
        saturate: bool,
    },
    /// `as_<type>`.
    As {
        /// Result type.
        to: BType,
    },
    /// `vload<n>`.
    VLoad {
        /// Lanes.
        lanes: u8,
    },
    /// `vstore<n>`.
    VStore {
        /// Lanes.
        lanes: u8,
    },
    /// `vload_half[n]`, `vloada_half[n]`.
    VLoadHalf {
        /// Lanes.
        lanes: u8,
        /// `vloada`.
        aligned: bool,
    },
    /// `vstore_half[n][_rte…]`, `vstorea_half[n][_rte…]`.
    VStoreHalf {
        /// Lanes.
        lanes: u8,
        /// `vstorea`.
        aligned: bool,
        /// Rounding suffix; to nearest without.
        round: Round,
    },
    /// `shuffle(x, mask)`, `shuffle2(x, y, mask)`: the mask sets the lanes of the result.
    Shuffle {
        /// Vectors before the mask.
        sources: u8,
    },
    /// CUDA `make_<vector type>`.
    Make {
        /// Result type.
        to: BType,
    },
}

/// Parses a name of the dialect.
pub fn parse(lang: Lang, name: &str) -> Option<NamePattern> {
    match lang {
        Lang::OpenCl => opencl(name),
        Lang::Cuda => cuda(name),
        Lang::C => None,
    }
}

fn opencl(name: &str) -> Option<NamePattern> {
    match name {
        "shuffle" => return Some(NamePattern::Shuffle { sources: 1 }),
        "shuffle2" => return Some(NamePattern::Shuffle { sources: 2 }),
        _ => {}
    }
    if let Some(rest) = name.strip_prefix("convert_") {
        let (rest, round) = rounding(rest);
        let (rest, saturate) = match rest.strip_suffix("_sat") {
            Some(r) => (r, true),
            None => (rest, false),
        };
        let to = opencl_type(rest)?;
        // Saturation is for integer results only.
        return (!(saturate && to.scalar.is_float())).then_some(NamePattern::Convert { to, round, saturate });
    }
    if let Some(rest) = name.strip_prefix("as_") {
        return Some(NamePattern::As { to: opencl_type(rest)? });
    }
    let rest = name.strip_prefix('v')?;
    if let Some(n) = rest.strip_prefix("loada_half") {
        let lanes = if n.is_empty() { 1 } else { lanes(n)? };
        return Some(NamePattern::VLoadHalf { lanes, aligned: true });
    }
    if let Some(n) = rest.strip_prefix("load_half") {
        let lanes = if n.is_empty() { 1 } else { lanes(n)? };
        return Some(NamePattern::VLoadHalf { lanes, aligned: false });
    }
    if let Some(n) = rest.strip_prefix("load") {
        return Some(NamePattern::VLoad { lanes: lanes(n)? });
    }
    let rest = rest.strip_prefix("store")?;
    if let Some(n) = rest.strip_prefix("a_half") {
        let (n, round) = rounding(n);
        let round = round.unwrap_or(Round::Nearest);
        let lanes = if n.is_empty() { 1 } else { lanes(n)? };
        return Some(NamePattern::VStoreHalf { lanes, aligned: true, round });
    }
    if let Some(n) = rest.strip_prefix("_half") {
        let (n, round) = rounding(n);
        let lanes = if n.is_empty() { 1 } else { lanes(n)? };
        return Some(NamePattern::VStoreHalf { lanes, aligned: false, round: round.unwrap_or(Round::Nearest) });
    }
    Some(NamePattern::VStore { lanes: lanes(rest)? })
}

fn rounding(s: &str) -> (&str, Option<Round>) {
    let table = [("_rte", Round::Nearest), ("_rtz", Round::Zero), ("_rtp", Round::Up), ("_rtn", Round::Down)];
    for (suffix, round) in table {
        if let Some(rest) = s.strip_suffix(suffix) {
            return (rest, Some(round));
        }
    }
    (s, None)
}

fn lanes(s: &str) -> Option<u8> {
    Some(match s {
        "2" => 2,
        "3" => 3,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    })
}

/// An OpenCL scalar or vector type by name (`uchar16`).
pub fn opencl_type(name: &str) -> Option<BType> {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let scalar = match &name[..digits] {
        "char" => Scalar::Char,
        "uchar" => Scalar::UChar,
        "short" => Scalar::Short,
        "ushort" => Scalar::UShort,
        "int" => Scalar::Int,
        "uint" => Scalar::UInt,
        "long" => Scalar::Long,
        "ulong" => Scalar::ULong,
        "half" => Scalar::Half,
        "float" => Scalar::Float,
        "double" => Scalar::Double,
        _ => return None,
    };
    let n = if digits == name.len() { 1 } else { lanes(&name[digits..])? };
    Some(BType::vector(scalar, n))
}

fn cuda(name: &str) -> Option<NamePattern> {
    cuda_vector(name.strip_prefix("make_")?).map(|to| NamePattern::Make { to })
}

const SCALARS: [&str; 11] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];
const LANES: [&str; 5] = ["2", "3", "4", "8", "16"];

/// The names that [`parse`] knows, without rounding and saturation.
pub(super) fn spelt(lang: Lang) -> impl Iterator<Item = String> {
    let joined = |heads: &'static [&'static str], tails: &'static [&'static str], lanes: &'static [&'static str]| {
        heads.iter().flat_map(move |h| tails.iter().flat_map(move |t| lanes.iter().map(move |n| format!("{h}{t}{n}"))))
    };
    let (opencl, cuda) = (lang == Lang::OpenCl, lang == Lang::Cuda);
    let vectors = joined(&["convert_", "as_"], &SCALARS, &LANES).chain(joined(&["convert_", "as_"], &SCALARS, &[""]));
    let memory = joined(&["vload", "vstore"], &["", "a_half", "_half"], &LANES);
    let others = ["vload_half", "vstore_half", "shuffle", "shuffle2"].map(str::to_owned).into_iter();
    let made = joined(&["make_"], &SCALARS, &LANES[..3]).filter(|name| parse(Lang::Cuda, name).is_some());
    let of_opencl = vectors.chain(memory).chain(others).filter(move |_| opencl);
    of_opencl.chain(made.filter(move |_| cuda))
}

/// A CUDA vector record by name (`float4`, `ulonglong2`); one-component records are not vectors here.
pub fn cuda_vector(name: &str) -> Option<BType> {
    let (base, n) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let scalar = match base {
        "char" => Scalar::SChar,
        "uchar" => Scalar::UChar,
        "short" => Scalar::Short,
        "ushort" => Scalar::UShort,
        "int" => Scalar::Int,
        "uint" => Scalar::UInt,
        "long" => Scalar::Long,
        "ulong" => Scalar::ULong,
        "longlong" => Scalar::LongLong,
        "ulonglong" => Scalar::ULongLong,
        "float" => Scalar::Float,
        "double" => Scalar::Double,
        _ => return None,
    };
    let lanes = match n {
        "2" => 2,
        "3" => 3,
        "4" => 4,
        _ => return None,
    };
    Some(BType::vector(scalar, lanes))
}

/// Whether a value is a number that converts to any arithmetic type.
fn is_arithmetic_scalar(t: BType) -> bool {
    !t.is_pointer() && t.lanes == 1 && (t.scalar.is_int() || t.scalar.is_float() || t.scalar == Scalar::Bool)
}

impl NamePattern {
    pub(super) fn resolve(self, args: &[BType]) -> Result<Resolved, ResolveError> {
        let expect = |n: usize| {
            let count = u8::try_from(n).unwrap_or(u8::MAX);
            if args.len() == n { Ok(()) } else { Err(ResolveError::Arity { min: count, max: count }) }
        };
        let bad = |arg: u8| ResolveError::NoMatch { arg };
        let done = |op, params: SmallVec<[BType; 4]>, ret| {
            Ok(Resolved { callee: Callee::Meaning(Meaning::Op(op)), params, ret, variadic: false })
        };
        match self {
            Self::Convert { to, round, saturate } => {
                expect(1)?;
                if args[0].is_pointer() || args[0].bytes() == 0 || args[0].lanes != to.lanes {
                    return Err(bad(0));
                }
                done(Op::Value(ValueOp::Convert { round, saturate }), smallvec![args[0]], to)
            }
            Self::As { to } => {
                expect(1)?;
                let same = args[0].bytes() == to.bytes() && args[0].bytes() != 0;
                if args[0].is_pointer() || !same {
                    return Err(bad(0));
                }
                done(Op::Value(ValueOp::BitCast), smallvec![args[0]], to)
            }
            Self::VLoad { lanes } => {
                expect(2)?;
                let p = element_pointer(args[1], false).ok_or(bad(1))?;
                done(
                    Op::Memory(MemoryOp::VLoad),
                    smallvec![offset(args[0]).ok_or(bad(0))?, p],
                    BType::vector(p.scalar, lanes),
                )
            }
            Self::VStore { lanes } => {
                expect(3)?;
                let p = element_pointer(args[2], true).ok_or(bad(2))?;
                let data = BType::vector(p.scalar, lanes);
                // As where a vector is assigned, a scalar stands for all components.
                if args[0] != data && !is_arithmetic_scalar(args[0]) {
                    return Err(bad(0));
                }
                done(Op::Memory(MemoryOp::VStore), smallvec![data, offset(args[1]).ok_or(bad(1))?, p], BType::VOID)
            }
            Self::VLoadHalf { lanes, aligned } => {
                expect(2)?;
                let p = element_pointer(args[1], false).filter(|p| p.scalar == Scalar::Half).ok_or(bad(1))?;
                let params = smallvec![offset(args[0]).ok_or(bad(0))?, p];
                done(Op::Memory(MemoryOp::VLoadHalf { aligned }), params, BType::vector(Scalar::Float, lanes))
            }
            Self::VStoreHalf { lanes, aligned, round } => {
                expect(3)?;
                let p = element_pointer(args[2], true).filter(|p| p.scalar == Scalar::Half).ok_or(bad(2))?;
                let data = match args[0].scalar {
                    Scalar::Double => BType::vector(Scalar::Double, lanes),
                    _ => BType::vector(Scalar::Float, lanes),
                };
                if args[0] != data && !is_arithmetic_scalar(args[0]) {
                    return Err(bad(0));
                }
                let params = smallvec![data, offset(args[1]).ok_or(bad(1))?, p];
                done(Op::Memory(MemoryOp::VStoreHalf { aligned, round }), params, BType::VOID)
            }
            Self::Shuffle { sources } => {
                expect(usize::from(sources) + 1)?;
                let (x, mask) = (args[0], args[usize::from(sources)]);
                if x.is_pointer() || x.lanes < 2 || args[usize::from(sources) - 1] != x {
                    return Err(bad(0));
                }
                let unsigned = mask.scalar.is_int() && !mask.scalar.is_signed();
                if mask.is_pointer() || mask.lanes < 2 || !unsigned || mask.scalar.bits() != x.scalar.bits() {
                    return Err(bad(sources));
                }
                let op = if sources == 1 { Op::Value(ValueOp::Shuffle) } else { Op::Value(ValueOp::Shuffle2) };
                done(op, args.iter().copied().collect(), BType::vector(x.scalar, mask.lanes))
            }
            Self::Make { to } => {
                expect(usize::from(to.lanes))?;
                for (i, a) in (0u8..).zip(args) {
                    if a.is_pointer() || a.lanes > 1 {
                        return Err(bad(i));
                    }
                }
                let params = (0..to.lanes).map(|_| BType::scalar(to.scalar)).collect();
                done(Op::Value(ValueOp::MakeVector), params, to)
            }
        }
    }

    pub(super) fn signature(self) -> String {
        match self {
            Self::Convert { to, .. } => format!("{to} convert(a vector or scalar of {} lanes)", to.lanes),
            Self::As { to } => format!("{to} as(a type of {} bytes)", to.bytes()),
            Self::VLoad { lanes } => format!("gentype{lanes} vload{lanes}(size_t, const gentype *)"),
            Self::VStore { lanes } => format!("void vstore{lanes}(gentype{lanes}, size_t, gentype *)"),
            Self::VLoadHalf { lanes, .. } => format!("float{lanes} vload_half(size_t, const half *)"),
            Self::VStoreHalf { lanes, .. } => format!("void vstore_half(float{lanes}, size_t, half *)"),
            Self::Shuffle { sources: 1 } => "gentypen shuffle(gentypem, ugentypen)".to_string(),
            Self::Shuffle { .. } => "gentypen shuffle2(gentypem, gentypem, ugentypen)".to_string(),
            Self::Make { to } => format!("{to} make_{to}(… {} × {})", to.lanes, to.scalar.name()),
        }
    }
}

/// `size_t` for an offset that is a number.
fn offset(arg: BType) -> Option<BType> {
    (!arg.is_pointer() && arg.lanes == 1 && arg.scalar != Scalar::Void).then_some(BType::scalar(Scalar::ULong))
}

/// The pointer of a vector load or store: to a scalar, and writable for a store.
fn element_pointer(arg: BType, store: bool) -> Option<BType> {
    let ptr = arg.ptr?;
    let ok = arg.lanes == 1 && arg.scalar.bits() != 0 && !(store && ptr.is_const);
    let ptr = Pointer { is_const: !store, ..ptr };
    ok.then_some(BType { ptr: Some(ptr), ..arg })
}
