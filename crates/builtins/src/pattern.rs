//! Signature patterns: the compact type language of the builtin tables, and matching of argument types against it.
//!
//! A pattern is `RESULT:PARAMETERS`, each type a few characters; a trailing `.` means variadic, a `[` starts optional
//! parameters.
//!
//! | code | type |
//! |---|---|
//! | `v b c a h s t i j l m x y` | `void bool char schar uchar short ushort int uint long ulong`, CUDA's `long long`, `unsigned long long` |
//! | `e q f d w` | half, bfloat16, float, double, `event_t` |
//! | a scalar code, then `2 3 4 8` | vector of that |
//! | `P`, space `a g l k p`, then `c` const, `o` volatile in `<` `>` | pointer: `Pa<co>f` |
//! | `?` | any type at all |
//!
//! One generic type `T` may be bound, by a class letter at its first use (the class holds at every use):
//!
//! | code | class |
//! |---|---|
//! | `G` / `V` | floating scalars and vectors / of `float` only; integers become `float` in OpenCL, else `double` |
//! | `C` | floating vectors of 3 and 4 lanes |
//! | `F` | `float` and `double` scalars; integers become `double` (C++) |
//! | `I` / `J` | integers, scalars and vectors / scalars of 32 and 64 bits, narrower ones are promoted |
//! | `A` / `B` | arithmetic, scalars and vectors / scalars of 32 and 64 bits and `half` |
//! | `L` / `W` | arithmetic scalars / integer scalars, of any width, none of them promoted |
//! | `H` / `E` | half and bfloat16, scalars and vectors / vectors of any element |
//! | `T` | the bound type again |
//! | `S K U N R D M O` | of T: element; int with its lanes; unsigned; signed; comparison result; twice the width; int of its width; float of its width |

use crate::{BType, Lang, Pointer, Scalar, Space};
use smallvec::SmallVec;

/// A successful match.
#[derive(Clone, Debug)]
pub struct Match {
    /// How much the arguments have to be converted; less is better.
    pub cost: u32,
    /// Concrete parameter types.
    pub params: SmallVec<[BType; 4]>,
    /// Concrete result type.
    pub ret: BType,
    /// More arguments may follow.
    pub variadic: bool,
    /// What the generic type is bound to; the first parameter's type if the pattern has none.
    pub bound: BType,
}

/// Why a pattern does not match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Wrong number of arguments.
    Arity {
        /// The fewest it takes.
        min: u8,
        /// The most it takes.
        max: u8,
    },
    /// This argument does not fit.
    Arg(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Fixed(Scalar, u8),
    Class(u8),
    Derived(u8),
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Code {
    term: Term,
    ptr: Option<(Option<Space>, bool, bool)>,
}

fn scalar_code(c: u8) -> Option<Scalar> {
    Some(match c {
        b'v' => Scalar::Void,
        b'b' => Scalar::Bool,
        b'c' => Scalar::Char,
        b'a' => Scalar::SChar,
        b'h' => Scalar::UChar,
        b's' => Scalar::Short,
        b't' => Scalar::UShort,
        b'i' => Scalar::Int,
        b'j' => Scalar::UInt,
        b'l' => Scalar::Long,
        b'm' => Scalar::ULong,
        b'x' => Scalar::LongLong,
        b'y' => Scalar::ULongLong,
        b'e' => Scalar::Half,
        b'q' => Scalar::BFloat,
        b'f' => Scalar::Float,
        b'd' => Scalar::Double,
        b'w' => Scalar::Event,
        _ => return None,
    })
}

/// Reads one type code from the front of `s`.
fn read(s: &mut &[u8]) -> Option<Code> {
    let mut ptr = None;
    if s.first() == Some(&b'P') {
        let space = match s.get(1)? {
            b'a' => None,
            b'g' => Some(Space::Global),
            b'l' => Some(Space::Local),
            b'k' => Some(Space::Constant),
            b'p' => Some(Space::Private),
            _ => return None,
        };
        *s = &s[2..];
        let (mut is_const, mut is_volatile) = (false, false);
        if s.first() == Some(&b'<') {
            let end = s.iter().position(|&c| c == b'>')?;
            is_const = s[..end].contains(&b'c');
            is_volatile = s[..end].contains(&b'o');
            *s = &s[end + 1..];
        }
        ptr = Some((space, is_const, is_volatile));
    }
    let (&c, rest) = s.split_first()?;
    *s = rest;
    let term = match c {
        b'?' => Term::Any,
        b'G' | b'V' | b'C' | b'F' | b'I' | b'J' | b'A' | b'B' | b'L' | b'W' | b'H' | b'E' => Term::Class(c),
        b'T' | b'S' | b'K' | b'U' | b'N' | b'R' | b'D' | b'M' | b'O' => Term::Derived(c),
        _ => {
            let scalar = scalar_code(c)?;
            let lanes = match s.first() {
                Some(d @ (b'2' | b'3' | b'4' | b'8')) => {
                    let lanes = d - b'0';
                    *s = &s[1..];
                    lanes
                }
                _ => 1,
            };
            Term::Fixed(scalar, lanes)
        }
    };
    Some(Code { term, ptr })
}

struct Parsed {
    ret: Code,
    params: SmallVec<[Code; 6]>,
    required: usize,
    variadic: bool,
}

fn parse(pattern: &str) -> Option<Parsed> {
    let mut s = pattern.as_bytes();
    let ret = read(&mut s)?;
    s = s.strip_prefix(b":")?;
    let mut params: SmallVec<[Code; 6]> = SmallVec::new();
    let mut required = None;
    let mut variadic = false;
    while let Some(&c) = s.first() {
        match c {
            b'.' => {
                variadic = true;
                s = &s[1..];
            }
            b'[' => {
                required = Some(params.len());
                s = &s[1..];
            }
            _ => params.push(read(&mut s)?),
        }
    }
    let required = required.unwrap_or(params.len());
    Some(Parsed { ret, params, required, variadic })
}

/// Whether a pattern is well-formed: every code known, a class before what is derived from it.
#[cfg(test)]
pub(crate) fn is_valid(pattern: &str) -> bool {
    parse(pattern).is_some_and(|p| {
        let has_class = |c: &Code| matches!(c.term, Term::Class(_));
        let derived = |c: &Code| matches!(c.term, Term::Derived(_));
        let classes = p.params.iter().filter(|c| has_class(c)).count();
        classes <= 1 && !has_class(&p.ret) && (classes == 1 || !(derived(&p.ret) || p.params.iter().any(derived)))
    })
}

/// Matches argument types against a pattern.
pub fn matches(pattern: &str, lang: Lang, args: &[BType]) -> Result<Match, Mismatch> {
    let Some(p) = parse(pattern) else { return Err(Mismatch::Arg(0)) };
    if args.len() < p.required || (args.len() > p.params.len() && !p.variadic) {
        let count = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        let max = if p.variadic { u8::MAX } else { count(p.params.len()) };
        return Err(Mismatch::Arity { min: count(p.required), max });
    }
    let bound = bind(&p, lang, args)?;
    let mut cost = 0;
    let mut params = SmallVec::new();
    for (i, (code, &arg)) in p.params.iter().zip(args).enumerate() {
        let fail = Mismatch::Arg(u8::try_from(i).unwrap_or(u8::MAX));
        let (ty, c) = fit(*code, arg, bound).ok_or(fail)?;
        cost += c;
        params.push(ty);
    }
    let ret = concrete(p.ret, bound.unwrap_or(BType::VOID), BType::VOID).ok_or(Mismatch::Arg(0))?;
    let bound = bound.or_else(|| params.first().copied()).unwrap_or(BType::VOID);
    Ok(Match { cost, params, ret, variadic: p.variadic, bound })
}

/// Binds the generic type from all arguments that stand at it: a pointer's pointee wins, else values combine.
fn bind(p: &Parsed, lang: Lang, args: &[BType]) -> Result<Option<BType>, Mismatch> {
    let Some(class) = p.params.iter().find_map(|c| if let Term::Class(k) = c.term { Some(k) } else { None }) else {
        return Ok(None);
    };
    let mut bound: Option<BType> = None;
    for (i, (code, &arg)) in p.params.iter().zip(args).enumerate() {
        if !matches!(code.term, Term::Class(_) | Term::Derived(b'T')) {
            continue;
        }
        let fail = Mismatch::Arg(u8::try_from(i).unwrap_or(u8::MAX));
        if code.ptr.is_some() {
            let pointee = BType { ptr: None, ..arg };
            if arg.ptr.is_none() || !in_class(class, pointee) {
                return Err(fail);
            }
            return Ok(Some(pointee));
        }
        if arg.is_pointer() || arg.scalar == Scalar::Other && p.params.len() == 1 {
            return Err(fail);
        }
        bound = Some(match bound {
            None => arg,
            // C++: an integer beside a `float` makes both `double`.
            Some(b) if class == b'F' && b.scalar.is_int() != arg.scalar.is_int() => BType::scalar(Scalar::Double),
            // A number of 16 bits is a class of CUDA's, which every other number converts to.
            Some(b) if class == b'H' && in_class(class, b) && is_wider_number(arg) => b,
            Some(b) if class == b'H' && in_class(class, arg) && is_wider_number(b) => arg,
            Some(b) => combine(b, arg).ok_or(fail)?,
        });
    }
    let bound = bound.map(|b| promote(class, lang, b));
    match bound {
        Some(b) if in_class(class, b) => Ok(Some(b)),
        _ => Err(Mismatch::Arg(0)),
    }
}

/// Whether it is one number, none of CUDA's of 16 bits.
fn is_wider_number(t: BType) -> bool {
    let s = t.scalar;
    t.lanes == 1 && !t.is_pointer() && (s.is_int() || s.is_float() && s.bits() > 16)
}

/// The common type of two arguments at one generic type.
fn combine(a: BType, b: BType) -> Option<BType> {
    if a == b || b.scalar == Scalar::Other {
        return Some(a);
    }
    if a.scalar == Scalar::Other {
        return Some(b);
    }
    match (a.lanes, b.lanes) {
        (1, 1) => Some(BType::scalar(usual(a.scalar, b.scalar))),
        (_, 1) => Some(a),
        (1, _) => Some(b),
        _ => None,
    }
}

/// The usual arithmetic conversions.
fn usual(a: Scalar, b: Scalar) -> Scalar {
    let rank = |s: Scalar| match s {
        Scalar::Double => 20,
        Scalar::Float => 19,
        Scalar::Half => 18,
        Scalar::BFloat => 17,
        Scalar::ULongLong => 9,
        Scalar::LongLong => 8,
        Scalar::ULong => 7,
        Scalar::Long => 6,
        Scalar::UInt => 5,
        _ => 4,
    };
    let (hi, lo) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    // `unsigned long` with `long long`: the unsigned type of the higher rank.
    if hi == Scalar::LongLong && lo == Scalar::ULong {
        return Scalar::ULongLong;
    }
    if rank(hi) == 4 { Scalar::Int } else { hi }
}

fn promote(class: u8, lang: Lang, b: BType) -> BType {
    if b.lanes > 1 {
        return b;
    }
    let scalar = match class {
        b'F' if b.scalar.is_int() => Scalar::Double,
        b'F' if b.scalar.is_float() && b.scalar.bits() == 16 => Scalar::Float,
        b'V' => Scalar::Float,
        b'G' if b.scalar.is_int() => {
            if lang == Lang::OpenCl {
                Scalar::Float
            } else {
                Scalar::Double
            }
        }
        b'J' | b'B' if b.scalar.is_int() && b.scalar.bits() < 32 => Scalar::Int,
        _ => b.scalar,
    };
    BType::scalar(scalar)
}

fn in_class(class: u8, t: BType) -> bool {
    let s = t.scalar;
    match class {
        b'G' => s.is_float(),
        b'V' => s == Scalar::Float,
        b'C' => s.is_float() && matches!(t.lanes, 3 | 4),
        b'F' => t.lanes == 1 && matches!(s, Scalar::Float | Scalar::Double),
        b'I' => s.is_int() && s != Scalar::Bool,
        b'J' => t.lanes == 1 && s.is_int() && s.bits() >= 32,
        b'A' => s.is_int() || s.is_float(),
        b'B' => t.lanes == 1 && (s.is_float() || s.is_int() && s.bits() >= 32),
        b'L' => t.lanes == 1 && (s.is_int() || s.is_float()),
        b'W' => t.lanes == 1 && s.is_int(),
        b'H' => matches!(s, Scalar::Half | Scalar::BFloat),
        b'E' => t.lanes > 1 && (s.is_int() || s.is_float()),
        _ => false,
    }
}

/// A type derived from the bound one.
fn derived(code: u8, t: BType) -> Option<BType> {
    let s = t.scalar;
    Some(match code {
        b'T' => t,
        b'S' => BType::scalar(s),
        b'K' => BType::vector(Scalar::Int, t.lanes),
        b'U' => BType::vector(s.to_unsigned(), t.lanes),
        b'N' => BType::vector(s.to_signed(), t.lanes),
        b'R' if t.lanes == 1 => BType::scalar(Scalar::Int),
        b'R' => BType::vector(Scalar::int_of_bits(s.bits()), t.lanes),
        b'M' if s.is_int() => t,
        b'M' => BType::vector(Scalar::int_of_bits(s.bits()), t.lanes),
        b'D' => {
            let wide = Scalar::int_of_bits(s.bits() * 2);
            if wide == Scalar::Other {
                return None;
            }
            BType::vector(if s.is_signed() { wide } else { wide.to_unsigned() }, t.lanes)
        }
        b'O' => {
            let scalar = match s.bits() {
                16 => Scalar::Half,
                32 => Scalar::Float,
                64 => Scalar::Double,
                _ => return None,
            };
            BType::vector(scalar, t.lanes)
        }
        _ => return None,
    })
}

fn concrete(code: Code, bound: BType, arg: BType) -> Option<BType> {
    let value = match code.term {
        Term::Fixed(s, lanes) => BType::vector(s, lanes),
        Term::Class(_) => bound,
        Term::Derived(c) => derived(c, bound)?,
        Term::Any => BType { ptr: None, ..arg },
    };
    Some(match code.ptr {
        None if code.term == Term::Any => arg,
        None => value,
        Some((space, is_const, is_volatile)) => {
            let space = space.unwrap_or_else(|| arg.ptr.map_or(Space::Generic, |p| p.space));
            BType { ptr: Some(Pointer { space, is_const, is_volatile }), ..value }
        }
    })
}

/// The concrete type of a parameter and the cost of passing `arg` to it.
fn fit(code: Code, arg: BType, bound: Option<BType>) -> Option<(BType, u32)> {
    let param = concrete(code, bound.unwrap_or(BType::VOID), arg)?;
    if code.term == Term::Any && code.ptr.is_none() {
        return Some((param, 0));
    }
    match (param.ptr, arg.ptr) {
        (None, None) => {
            let either_sign = code.term == Term::Derived(b'M');
            let cost = value_cost(arg, param, either_sign)?;
            // A selector vector may be unsigned: it stays as it is.
            Some((if either_sign && arg.lanes > 1 { arg } else { param }, cost))
        }
        (Some(to), Some(from)) => pointer_cost(arg, from, param, to, code.term == Term::Any),
        // A null pointer constant, or a class with a conversion: the checker has the last word.
        (Some(_), None) if arg.lanes == 1 && (arg.scalar.is_int() || arg.scalar == Scalar::Other) => Some((param, 8)),
        (None, Some(_)) if param.scalar == Scalar::Bool => Some((param, 4)),
        _ => None,
    }
}

fn value_cost(arg: BType, param: BType, either_sign: bool) -> Option<u32> {
    if arg == param {
        return Some(0);
    }
    if arg.scalar == Scalar::Other {
        return (arg.lanes == 1).then_some(8);
    }
    let number = |s: Scalar| s.is_int() || s.is_float();
    if !number(arg.scalar) || !number(param.scalar) {
        return (param.scalar == Scalar::Event && arg.scalar.is_int()).then_some(1);
    }
    if arg.lanes > 1 {
        let same_width = arg.scalar.bits() == param.scalar.bits();
        let same = arg.scalar.to_signed() == param.scalar.to_signed() && same_width;
        return (arg.lanes == param.lanes && same && either_sign).then_some(1);
    }
    let scalar = match (arg.scalar.is_float(), param.scalar.is_float()) {
        _ if arg.scalar == param.scalar => 0,
        (true, true) if param.scalar.bits() > arg.scalar.bits() => 1,
        (false, false) if param.scalar.bits() > arg.scalar.bits() => 1,
        (false, false) => 2,
        (false, true) => 2,
        _ => 3,
    };
    Some(scalar + if param.lanes > 1 { 4 } else { 0 })
}

fn pointer_cost(arg: BType, from: Pointer, param: BType, to: Pointer, any: bool) -> Option<(BType, u32)> {
    if from.is_const && !to.is_const {
        return None;
    }
    if from.space != to.space && to.space != Space::Generic && from.space != Space::Generic {
        return None;
    }
    let same = arg.scalar == param.scalar && arg.lanes == param.lanes;
    // `int` and `unsigned int` pointees pass each other's atomics in real code; so do `long` and `long long`.
    let close = arg.lanes == param.lanes && arg.scalar.is_int() && arg.scalar.bits() == param.scalar.bits();
    let cost = match () {
        () if any || same => 0,
        () if param.scalar == Scalar::Void => 1,
        () if close && arg.scalar.is_signed() == param.scalar.is_signed() => 1,
        () if arg.scalar == Scalar::Other => 8,
        () => return None,
    };
    // A pointer keeps its own space and qualifiers: builtins work in any.
    let space = if to.space == Space::Generic { from.space } else { to.space };
    let ptr = Pointer { space, is_const: to.is_const, is_volatile: from.is_volatile || to.is_volatile };
    Some((BType { ptr: Some(ptr), ..param }, cost))
}

/// A signature in words, for diagnostics: classes as the specifications call them.
pub fn describe(name: &str, pattern: &str) -> String {
    let Some(p) = parse(pattern) else { return name.to_string() };
    let class = p.params.iter().find_map(|c| if let Term::Class(k) = c.term { Some(k) } else { None });
    let word = |c: &Code| {
        let base = match c.term {
            Term::Fixed(s, 1) => s.name().to_string(),
            Term::Fixed(s, n) => format!("{}{n}", s.name()),
            Term::Any => "any".to_string(),
            Term::Class(_) | Term::Derived(b'T') => class_word(class).to_string(),
            Term::Derived(d) => derived_word(d, class),
        };
        if c.ptr.is_some() { format!("{base} *") } else { base }
    };
    let mut params: Vec<String> = p.params.iter().map(word).collect();
    if p.variadic {
        params.push("...".to_string());
    }
    format!("{} {name}({})", word(&p.ret), params.join(", "))
}

fn class_word(class: Option<u8>) -> &'static str {
    match class {
        Some(b'G' | b'V' | b'C') => "gentype",
        Some(b'F') => "floating",
        Some(b'I') => "igentype",
        Some(b'J') => "integer",
        Some(b'B') => "arithmetic",
        Some(b'H') => "half[2]",
        Some(b'E') => "vector",
        _ => "type",
    }
}

fn derived_word(code: u8, class: Option<u8>) -> String {
    let t = class_word(class);
    match code {
        b'S' => format!("element of {t}"),
        b'K' | b'R' => "intn".to_string(),
        b'U' => format!("unsigned {t}"),
        b'N' => format!("signed {t}"),
        b'D' => format!("{t} of twice the width"),
        b'M' => format!("integer of the width of {t}"),
        _ => format!("float of the width of {t}"),
    }
}
