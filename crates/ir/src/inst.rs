//! Instructions: opcodes, flags, and what an instruction carries besides its operands.

use crate::{AsmId, Block, FuncId, Intrinsic, LoopMd, SpecialReg, Switch, Type, Value};
use cranelift_entity::EntityList;
use cranelift_entity::packed_option::PackedOption;

macro_rules! opcodes {
    ($($(#[$doc:meta])* $name:ident $text:literal $args:literal;)*) => {
        /// What an instruction does. The comment of each gives its operands; all operands of arithmetic have the type
        /// of the result unless said otherwise, and vectors work lane by lane.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Opcode { $($(#[$doc])* $name,)* }

        impl Opcode {
            /// Every opcode.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The word for it in text IR.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($text),*];
                NAMES[self as usize]
            }

            /// Number of value operands, or `None` if it varies. Branch arguments are not operands.
            pub fn operand_count(self) -> Option<usize> {
                const COUNTS: &[i8] = &[$($args),*];
                usize::try_from(COUNTS[self as usize]).ok()
            }
        }
    };
}

opcodes! {
    /// `a + b`
    Add "add" 2;
    /// `a - b`
    Sub "sub" 2;
    /// `a * b`, low half.
    Mul "mul" 2;
    /// High half of the signed product.
    MulHiS "mulhi.s" 2;
    /// High half of the unsigned product.
    MulHiU "mulhi.u" 2;
    /// Signed quotient, towards zero.
    SDiv "sdiv" 2;
    /// Unsigned quotient.
    UDiv "udiv" 2;
    /// Signed remainder, sign of the dividend.
    SRem "srem" 2;
    /// Unsigned remainder.
    URem "urem" 2;
    /// Bitwise and.
    And "and" 2;
    /// Bitwise or.
    Or "or" 2;
    /// Bitwise exclusive or.
    Xor "xor" 2;
    /// Shift left; the amount has the type of the value.
    Shl "shl" 2;
    /// Logical shift right.
    LShr "lshr" 2;
    /// Arithmetic shift right.
    AShr "ashr" 2;
    /// Signed minimum.
    SMin "smin" 2;
    /// Signed maximum.
    SMax "smax" 2;
    /// Unsigned minimum.
    UMin "umin" 2;
    /// Unsigned maximum.
    UMax "umax" 2;
    /// Absolute value of a signed integer; `MIN` stays.
    Abs "abs" 1;
    /// Leading zeros; the width for 0.
    Clz "clz" 1;
    /// Trailing zeros; the width for 0.
    Ctz "ctz" 1;
    /// Number of ones.
    Popcnt "popcnt" 1;
    /// Bits in reverse order.
    BitRev "bitrev" 1;
    /// Bytes in reverse order.
    ByteSwap "bswap" 1;
    /// Funnel shift left: the high word of `(a:b) << (c mod width)`; operands hi, lo, amount.
    Fshl "fshl" 3;
    /// Funnel shift right: the low word of `(a:b) >> (c mod width)`; operands hi, lo, amount.
    Fshr "fshr" 3;

    /// `a + b`
    FAdd "fadd" 2;
    /// `a - b`
    FSub "fsub" 2;
    /// `a * b`
    FMul "fmul" 2;
    /// `a / b`
    FDiv "fdiv" 2;
    /// Remainder as C's `fmod`.
    FRem "frem" 2;
    /// IEEE minNum: a NaN operand yields the other one.
    FMin "fmin" 2;
    /// IEEE maxNum.
    FMax "fmax" 2;
    /// Magnitude of the first, sign of the second operand.
    FCopysign "fcopysign" 2;
    /// `a * b + c`, rounded once.
    Fma "fma" 3;
    /// Negation: the sign bit flips.
    FNeg "fneg" 1;
    /// Absolute value: the sign bit clears.
    FAbs "fabs" 1;
    /// Square root, correctly rounded.
    FSqrt "fsqrt" 1;
    /// Largest integral value not above.
    FFloor "ffloor" 1;
    /// Smallest integral value not below.
    FCeil "fceil" 1;
    /// Integral part.
    FTrunc "ftrunc" 1;
    /// Nearest integral value, ties to even.
    FRint "frint" 1;

    /// Integer or pointer comparison ([`Payload::IntCC`]); result `i1` or a vector of it.
    Icmp "icmp" 2;
    /// Float comparison ([`Payload::FloatCC`]); result `i1` or a vector of it.
    Fcmp "fcmp" 2;
    /// `cond ? a : b`; the condition is `i1`, or a vector of `i1` with the lanes of the result.
    Select "select" 3;

    /// Integer to a narrower one: low bits.
    Trunc "trunc" 1;
    /// Integer to a wider one, zeros above.
    ZExt "zext" 1;
    /// Integer to a wider one, sign above.
    SExt "sext" 1;
    /// Float to a narrower one.
    FpTrunc "fptrunc" 1;
    /// Float to a wider one.
    FpExt "fpext" 1;
    /// Float to signed integer: saturating, NaN gives 0; rounds to zero unless [`Payload::Round`] says otherwise.
    FpToSi "fptosi" 1;
    /// Float to unsigned integer, likewise.
    FpToUi "fptoui" 1;
    /// Signed integer to float.
    SiToFp "sitofp" 1;
    /// Unsigned integer to float.
    UiToFp "uitofp" 1;
    /// Same bits, other type of the same total size. Not for pointers.
    Bitcast "bitcast" 1;
    /// Address of a pointer as `i64`.
    PtrToInt "ptrtoint" 1;
    /// Pointer from an `i64`.
    IntToPtr "inttoptr" 1;
    /// Pointer to another address space: one of the two is generic.
    AddrSpaceCast "addrspacecast" 1;

    /// Pointer plus a byte offset of type `i64`; operands pointer, offset.
    PtrAdd "ptradd" 2;
    /// Value in memory ([`Payload::Mem`]); operand pointer.
    Load "load" 1;
    /// Puts a value into memory ([`Payload::Mem`]); operands pointer, value.
    Store "store" 2;
    /// Copies non-overlapping memory ([`Payload::Mem`] gives the alignment of both); operands destination, source, `i64` bytes.
    MemCpy "memcpy" 3;
    /// Fills memory; operands destination, `i8` value, `i64` bytes.
    MemSet "memset" 3;
    /// Atomic read-modify-write ([`Payload::Atomic`]); operands pointer, value; result the old value.
    AtomicRmw "atomicrmw" 2;
    /// Atomic compare and swap ([`Payload::Atomic`]); operands pointer, expected, new; result the old value.
    AtomicCas "atomiccas" 3;
    /// Memory fence ([`Payload::Fence`]).
    Fence "fence" 0;
    /// Consecutive elements where the mask is true ([`Payload::Mem`], alignment of one element's access); operands
    /// pointer to lane 0, mask, value of the other lanes. Masked-off lanes touch no memory.
    MaskedLoad "maskedload" 3;
    /// Puts the lanes whose mask is true at consecutive elements; operands pointer to lane 0, mask, value.
    MaskedStore "maskedstore" 3;
    /// One element per lane from base plus the lane's byte offset, where the mask is true ([`Payload::Mem`], alignment
    /// of each element); operands base pointer, offsets (vector of `i32`, sign-extended, or `i64`), mask, value of the
    /// other lanes.
    Gather "gather" 4;
    /// Puts lanes at base plus the lane's byte offset where the mask is true, in order of the lanes; operands base
    /// pointer, offsets as for [`Opcode::Gather`], mask, value.
    Scatter "scatter" 4;

    /// Vector from its lanes, in order.
    VecBuild "vec" -1;
    /// One lane ([`Payload::Lane`]) of a vector.
    Extract "extract" 1;
    /// Vector with one lane ([`Payload::Lane`]) replaced; operands vector, scalar.
    Insert "insert" 2;
    /// The lane named by an `i32`, modulo nothing: out of range gives `undef`; operands vector, index.
    ExtractDyn "extractdyn" 2;
    /// Vector with the lane named by an `i32` replaced; operands vector, scalar, index.
    InsertDyn "insertdyn" 3;
    /// Vector with the scalar operand in every lane.
    Splat "splat" 1;
    /// `0, 1, 2, …` in the lanes of an integer vector.
    Iota "iota" 0;
    /// Whether any lane of an `i1` vector is true.
    AnyLane "anylane" 1;
    /// Whether all lanes of an `i1` vector are true.
    AllLanes "alllanes" 1;
    /// Lane `i` of the result is the lane of the first operand that lane `i` of the second, an `i32` vector, names,
    /// modulo the number of lanes.
    Permute "permute" 2;
    /// Lanes picked from the concatenation of two vectors of one type ([`Payload::Shuffle`]).
    Shuffle "shuffle" 2;

    /// Calls a function of the module ([`Payload::Call`]).
    Call "call" -1;
    /// A target operation ([`Payload::Intrinsic`]).
    Intrinsic "intrinsic" -1;
    /// Reads a special register ([`Payload::Special`]); result `i32`, or `i64` for 64-bit ones.
    Special "special" 0;
    /// Inline target assembly ([`Payload::Asm`]); operands the inputs; result the output, or a vector of the outputs.
    InlineAsm "asm" -1;
    /// The `i1` operand is true here; nothing happens.
    Assume "assume" 1;
    /// `__builtin_provable`: true if the optimiser proves the `i1` operand true, else false; answers its hint
    /// ([`Payload::Hint`]). Gone before code generation.
    Provable "provable" 1;

    /// Goes to a block ([`Payload::Jump`]).
    Jump "jump" 0;
    /// Goes to the first block if the `i1` operand is true, else to the second ([`Payload::Br`]).
    Br "br" 1;
    /// Goes where the table says ([`Payload::Switch`]) for the integer operand.
    Switch "switch" 1;
    /// Ends the function, with its result if it has one.
    Return "return" -1;
    /// Is never reached.
    Unreachable "unreachable" 0;
}

impl Opcode {
    /// Whether it ends a block.
    #[inline]
    pub fn is_terminator(self) -> bool {
        self >= Self::Jump
    }

    /// Whether it converts one value to another type.
    #[inline]
    pub fn is_cast(self) -> bool {
        (Self::Trunc..=Self::AddrSpaceCast).contains(&self)
    }

    /// Whether `op(a, b) == op(b, a)`.
    #[inline]
    pub fn is_commutative(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            Add | Mul | MulHiS | MulHiU | And | Or | Xor | SMin | SMax | UMin | UMax | FAdd | FMul | FMin | FMax
        )
    }

    /// Whether the result is a function of the operands and the payload alone: no memory, no other work-items, no
    /// traps. Such instructions may be removed, duplicated, merged and moved anywhere that their operands reach.
    ///
    /// Integer division is pure here (division by zero gives an unspecified value), but dear: passes that speculate
    /// ask [`Opcode::is_cheap`] as well. Intrinsics, special registers and calls are asked about elsewhere
    /// ([`InstData::is_pure`]).
    #[inline]
    pub fn is_pure(self) -> bool {
        self < Self::Load || (Self::VecBuild..=Self::Shuffle).contains(&self)
    }

    /// Whether it is cheap enough to execute needlessly.
    #[inline]
    pub fn is_cheap(self) -> bool {
        use Opcode::*;
        self.is_pure() && !matches!(self, SDiv | UDiv | SRem | URem | FDiv | FRem | FSqrt)
    }
}

/// Integer comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum IntCC {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl IntCC {
    /// Every condition.
    pub const ALL: [Self; 10] =
        [Self::Eq, Self::Ne, Self::Slt, Self::Sle, Self::Sgt, Self::Sge, Self::Ult, Self::Ule, Self::Ugt, Self::Uge];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"][self as usize]
    }

    /// `!(a cc b) == a cc.inverse() b`
    pub fn inverse(self) -> Self {
        use IntCC::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// `a cc b == b cc.swapped() a`
    pub fn swapped(self) -> Self {
        use IntCC::*;
        match self {
            Eq => Eq,
            Ne => Ne,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }

    /// Whether it compares signed numbers (not: equality).
    pub fn is_signed(self) -> bool {
        (Self::Slt..=Self::Sge).contains(&self)
    }

    /// Whether it compares unsigned numbers (not: equality).
    pub fn is_unsigned(self) -> bool {
        self >= Self::Ult
    }

    /// Compares two `bits`-wide integers held zero-extended.
    pub fn eval(self, a: u64, b: u64, bits: u32) -> bool {
        let sext = |x: u64| ((x << (64 - bits)) as i64) >> (64 - bits);
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Slt => sext(a) < sext(b),
            Self::Sle => sext(a) <= sext(b),
            Self::Sgt => sext(a) > sext(b),
            Self::Sge => sext(a) >= sext(b),
            Self::Ult => a < b,
            Self::Ule => a <= b,
            Self::Ugt => a > b,
            Self::Uge => a >= b,
        }
    }
}

/// Float comparisons: `O…` are false, `U…` true when an operand is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum FloatCC {
    Oeq,
    One,
    Olt,
    Ole,
    Ogt,
    Oge,
    Ord,
    Uno,
    Ueq,
    Une,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl FloatCC {
    /// Every condition.
    pub const ALL: [Self; 14] = [
        Self::Oeq,
        Self::One,
        Self::Olt,
        Self::Ole,
        Self::Ogt,
        Self::Oge,
        Self::Ord,
        Self::Uno,
        Self::Ueq,
        Self::Une,
        Self::Ult,
        Self::Ule,
        Self::Ugt,
        Self::Uge,
    ];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["oeq", "one", "olt", "ole", "ogt", "oge", "ord", "uno", "ueq", "une", "ult", "ule", "ugt", "uge"]
            [self as usize]
    }

    /// `!(a cc b) == a cc.inverse() b`
    pub fn inverse(self) -> Self {
        use FloatCC::*;
        match self {
            Oeq => Une,
            One => Ueq,
            Olt => Uge,
            Ole => Ugt,
            Ogt => Ule,
            Oge => Ult,
            Ord => Uno,
            Uno => Ord,
            Ueq => One,
            Une => Oeq,
            Ult => Oge,
            Ule => Ogt,
            Ugt => Ole,
            Uge => Olt,
        }
    }

    /// `a cc b == b cc.swapped() a`
    pub fn swapped(self) -> Self {
        use FloatCC::*;
        match self {
            Olt => Ogt,
            Ole => Oge,
            Ogt => Olt,
            Oge => Ole,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
            same => same,
        }
    }

    /// Compares two numbers.
    pub fn eval(self, a: f64, b: f64) -> bool {
        let nan = a.is_nan() || b.is_nan();
        match self {
            Self::Oeq => a == b,
            Self::One => !nan && a != b,
            Self::Olt => a < b,
            Self::Ole => a <= b,
            Self::Ogt => a > b,
            Self::Oge => a >= b,
            Self::Ord => !nan,
            Self::Uno => nan,
            Self::Ueq => nan || a == b,
            Self::Une => a != b,
            Self::Ult => nan || a < b,
            Self::Ule => nan || a <= b,
            Self::Ugt => nan || a > b,
            Self::Uge => nan || a >= b,
        }
    }
}

/// Rounding modes of arithmetic and conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Round {
    /// To nearest, ties to even.
    NearestEven,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

impl Round {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::NearestEven, Self::Zero, Self::Down, Self::Up];

    /// The word for it in text IR, as PTX has it.
    pub fn name(self) -> &'static str {
        ["rn", "rz", "rm", "rp"][self as usize]
    }
}

/// Memory orders of atomics and fences.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum MemOrder {
    /// No ordering.
    Relaxed,
    /// Later accesses stay later.
    Acquire,
    /// Earlier accesses stay earlier.
    Release,
    /// Both.
    AcqRel,
    /// Both, in one total order.
    SeqCst,
}

impl MemOrder {
    /// Every order.
    pub const ALL: [Self; 5] = [Self::Relaxed, Self::Acquire, Self::Release, Self::AcqRel, Self::SeqCst];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["relaxed", "acquire", "release", "acqrel", "seqcst"][self as usize]
    }
}

/// Who observes an atomic or a fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Scope {
    /// The work-group (CUDA block).
    Group,
    /// The device.
    Device,
    /// The system.
    System,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Group, Self::Device, Self::System];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["group", "device", "system"][self as usize]
    }
}

/// What an [`Opcode::AtomicRmw`] does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum AtomicOp {
    /// Integer addition.
    Add,
    /// Integer subtraction.
    Sub,
    /// Exchange.
    Xchg,
    /// Signed minimum.
    SMin,
    /// Signed maximum.
    SMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned maximum.
    UMax,
    /// And.
    And,
    /// Or.
    Or,
    /// Exclusive or.
    Xor,
    /// CUDA's wrapping increment: `old >= v ? 0 : old + 1`.
    Inc,
    /// CUDA's wrapping decrement: `old == 0 || old > v ? v : old - 1`.
    Dec,
    /// Float addition.
    FAdd,
    /// Float minimum.
    FMin,
    /// Float maximum.
    FMax,
}

impl AtomicOp {
    /// Every operation.
    pub const ALL: [Self; 15] = [
        Self::Add,
        Self::Sub,
        Self::Xchg,
        Self::SMin,
        Self::SMax,
        Self::UMin,
        Self::UMax,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Inc,
        Self::Dec,
        Self::FAdd,
        Self::FMin,
        Self::FMax,
    ];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["add", "sub", "xchg", "smin", "smax", "umin", "umax", "and", "or", "xor", "inc", "dec", "fadd", "fmin", "fmax"]
            [self as usize]
    }
}

/// Cache operators of loads and stores, as PTX has them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum CacheOp {
    /// The default.
    #[default]
    None,
    /// Read-only data path (`ld.global.nc`).
    NonCoherent,
    /// Cache at all levels.
    All,
    /// Cache at global level.
    Global,
    /// Streaming.
    Streaming,
    /// Last use.
    LastUse,
    /// Don't cache, fetch again (loads); write through (stores).
    Volatile,
    /// Write back (stores).
    WriteBack,
}

impl CacheOp {
    /// Every operator.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::NonCoherent,
        Self::All,
        Self::Global,
        Self::Streaming,
        Self::LastUse,
        Self::Volatile,
        Self::WriteBack,
    ];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["", "nc", "ca", "cg", "cs", "lu", "cv", "wb"][self as usize]
    }
}

/// What is known about a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemInfo {
    /// The address is a multiple of 2 to this power.
    pub align_log2: u8,
    /// Cache operator.
    pub cache: CacheOp,
}

impl MemInfo {
    /// An access aligned to `align` bytes (rounded down to a power of two; 0 counts as 1).
    pub fn aligned(align: u32) -> Self {
        Self { align_log2: align.max(1).ilog2() as u8, cache: CacheOp::None }
    }

    /// Alignment in bytes.
    pub fn align(self) -> u32 {
        1 << self.align_log2.min(31)
    }
}

/// Properties of an instruction, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u16);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident $bit:literal $text:literal;)*) => {
        impl Flags {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
            /// Every flag with the word for it in text IR.
            pub const NAMES: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),*];
        }
    };
}

flags! {
    /// Unsigned arithmetic does not wrap. If it does the result is poison: whatever depends on it is unspecified too,
    /// so that passes may compute in a wider type.
    NUW 0 "nuw";
    /// Signed arithmetic does not wrap; likewise.
    NSW 1 "nsw";
    /// A shift right or division leaves no remainder.
    EXACT 2 "exact";
    /// The access is volatile: it stays, in order.
    VOLATILE 3 "volatile";
    /// No NaN goes in or comes out.
    NNAN 4 "nnan";
    /// No infinity goes in or comes out.
    NINF 5 "ninf";
    /// The sign of zero does not matter.
    NSZ 6 "nsz";
    /// A division may become a multiplication by the reciprocal.
    ARCP 7 "arcp";
    /// May be fused with another operation (fma).
    CONTRACT 8 "contract";
    /// May be computed approximately.
    AFN 9 "afn";
    /// May be reassociated.
    REASSOC 10 "reassoc";
    /// The loaded memory is never written while the kernel runs.
    INVARIANT 11 "invariant";
    /// Pointer arithmetic stays inside its object.
    INBOUNDS 12 "inbounds";
    /// Subnormal inputs and results are flushed to zero (PTX `.ftz`).
    FTZ 13 "ftz";
    /// The result saturates to [0, 1] (PTX `.sat` on floats).
    SAT 14 "sat";
    /// The loaded pointer is `restrict`: what it points to is not accessed in another way. (What a parameter's attribute
    /// says, where a parameter has become a load from a block of arguments.)
    NOALIAS 15 "noalias";
}

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// Every fast-math flag that permits changes of value.
    pub const FAST: Self = Self(
        Self::NNAN.0 | Self::NINF.0 | Self::NSZ.0 | Self::ARCP.0 | Self::CONTRACT.0 | Self::AFN.0 | Self::REASSOC.0,
    );

    /// Whether all of `other` are set.
    #[inline]
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// `self` without `other`.
    #[must_use]
    #[inline]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// What both have: the flags that a merged instruction may keep.
    #[must_use]
    #[inline]
    pub fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether none is set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Flags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = Self::NAMES.iter().filter(|(n, _)| self.has(*n)).map(|(_, t)| *t).collect();
        write!(f, "Flags({})", names.join(" "))
    }
}

impl std::ops::BitOr for Flags {
    type Output = Self;
    fn bitor(self, rhs: Self) -> Self {
        self.with(rhs)
    }
}

/// A branch target with the values for the target's parameters.
#[derive(Clone, Debug)]
pub struct BlockCall {
    /// Where to.
    pub block: Block,
    /// The target's parameters, in the pool of the [`crate::Dfg`].
    pub args: EntityList<Value>,
}

/// A switch's table.
#[derive(Clone, Debug)]
pub struct SwitchData {
    /// Case values (zero-extended bits of the operand's type) and targets; values are distinct.
    pub cases: Vec<(u64, BlockCall)>,
    /// Where to for any other value.
    pub default: BlockCall,
}

/// Inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmData {
    /// The text, with `%0`, `%1`… for outputs then inputs, as in GNU C.
    pub text: String,
    /// Output constraints, e.g. `=r`; one per output.
    pub outputs: Vec<String>,
    /// Input constraints, one per operand; `n` (a digit) ties to an output.
    pub inputs: Vec<String>,
    /// Clobbers; `memory` makes it a memory barrier.
    pub clobbers: Vec<String>,
    /// Whether it must stay even when its outputs are unused.
    pub volatile: bool,
}

/// What an instruction carries besides operands.
#[derive(Clone, Debug)]
pub enum Payload {
    /// Nothing.
    None,
    /// Condition of an [`Opcode::Icmp`].
    IntCC(IntCC),
    /// Condition of an [`Opcode::Fcmp`].
    FloatCC(FloatCC),
    /// Rounding mode of float arithmetic or a conversion; with [`Payload::None`] the opcode's default holds.
    Round(Round),
    /// A memory access.
    Mem(MemInfo),
    /// An atomic access.
    Atomic(AtomicOp, MemOrder, Scope),
    /// A fence.
    Fence(MemOrder, Scope),
    /// A lane number.
    Lane(u8),
    /// Lanes of a shuffle: `0..n` name the first operand's lanes, `n..2n` the second's, 255 is `undef`. The number of
    /// lanes used is that of the result.
    Shuffle([u8; 16]),
    /// The callee.
    Call(FuncId),
    /// The operation.
    Intrinsic(Intrinsic),
    /// The register.
    Special(SpecialReg),
    /// The assembly.
    Asm(AsmId),
    /// The hint that the instruction comes from and answers.
    Hint(source::HintId),
    /// Target of a jump; loop metadata if this is a back edge.
    Jump(BlockCall, PackedOption<LoopMd>),
    /// Targets of a conditional branch: taken if true, taken if false; loop metadata if one of them is a back edge.
    Br([BlockCall; 2], PackedOption<LoopMd>),
    /// A table.
    Switch(Switch),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct InstData {
    /// What it does.
    pub op: Opcode,
    /// Properties.
    pub flags: Flags,
    /// Type of the result; [`Type::VOID`] if it has none.
    pub ty: Type,
    /// Operands, in the pool of the [`crate::Dfg`].
    pub args: EntityList<Value>,
    /// The rest.
    pub payload: Payload,
}

impl InstData {
    /// The condition of an integer comparison.
    #[inline]
    pub fn int_cc(&self) -> Option<IntCC> {
        if let Payload::IntCC(cc) = self.payload { Some(cc) } else { None }
    }

    /// The condition of a float comparison.
    #[inline]
    pub fn float_cc(&self) -> Option<FloatCC> {
        if let Payload::FloatCC(cc) = self.payload { Some(cc) } else { None }
    }

    /// The rounding mode, if one is given.
    #[inline]
    pub fn round(&self) -> Option<Round> {
        if let Payload::Round(r) = self.payload { Some(r) } else { None }
    }

    /// What is known about a plain memory access.
    #[inline]
    pub fn mem(&self) -> Option<MemInfo> {
        if let Payload::Mem(m) = self.payload { Some(m) } else { None }
    }

    /// The lane number.
    #[inline]
    pub fn lane(&self) -> Option<u8> {
        if let Payload::Lane(l) = self.payload { Some(l) } else { None }
    }

    /// The callee.
    #[inline]
    pub fn callee(&self) -> Option<FuncId> {
        if let Payload::Call(f) = self.payload { Some(f) } else { None }
    }

    /// The target operation.
    pub fn intrinsic(&self) -> Option<Intrinsic> {
        if let Payload::Intrinsic(i) = self.payload { Some(i) } else { None }
    }

    /// The special register.
    pub fn special(&self) -> Option<SpecialReg> {
        if let Payload::Special(s) = self.payload { Some(s) } else { None }
    }

    /// The loop metadata of a back edge.
    #[inline]
    pub fn loop_md(&self) -> Option<LoopMd> {
        match &self.payload {
            Payload::Jump(_, md) | Payload::Br(_, md) => md.expand(),
            _ => None,
        }
    }

    /// Whether the result depends on operands and payload alone and nothing else happens; see [`Opcode::is_pure`].
    /// Special registers that stay the same for a work-item's life count as pure.
    #[inline]
    pub fn is_pure(&self) -> bool {
        match self.op {
            Opcode::Intrinsic => self.intrinsic().is_some_and(|i| i.effects().is_empty()),
            Opcode::Special => self.special().is_some_and(SpecialReg::is_invariant),
            op => op.is_pure(),
        }
    }

    /// Whether all work-items of a warp (or group) must reach it together, so that it may not be made dependent on
    /// more conditions. A call's answer is that of its callee: ask the module.
    pub fn is_convergent(&self) -> bool {
        match self.op {
            Opcode::Intrinsic => self.intrinsic().is_some_and(|i| i.effects().has(crate::Effects::CONVERGENT)),
            Opcode::InlineAsm => true,
            _ => false,
        }
    }

    /// Whether it may read memory that another instruction may write.
    #[inline]
    pub fn reads_memory(&self) -> bool {
        match self.op {
            Opcode::Load | Opcode::MaskedLoad | Opcode::Gather => {
                !self.flags.has(Flags::INVARIANT) || self.flags.has(Flags::VOLATILE)
            }
            Opcode::MemCpy
            | Opcode::AtomicRmw
            | Opcode::AtomicCas
            | Opcode::Fence
            | Opcode::Call
            | Opcode::InlineAsm => true,
            Opcode::Intrinsic => self.intrinsic().is_some_and(|i| i.effects().has(crate::Effects::READS)),
            Opcode::Special => !self.is_pure(),
            _ => false,
        }
    }

    /// Whether it may write memory, or orders other accesses, or has another effect that must stay.
    #[inline]
    pub fn has_side_effects(&self) -> bool {
        match self.op {
            Opcode::Store
            | Opcode::MaskedStore
            | Opcode::Scatter
            | Opcode::MemCpy
            | Opcode::MemSet
            | Opcode::AtomicRmw
            | Opcode::AtomicCas
            | Opcode::Fence
            | Opcode::Call
            | Opcode::InlineAsm
            | Opcode::Assume => true,
            Opcode::Load | Opcode::MaskedLoad | Opcode::Gather => self.flags.has(Flags::VOLATILE),
            Opcode::Intrinsic => self
                .intrinsic()
                .is_some_and(|i| i.effects().intersects(crate::Effects::WRITES | crate::Effects::CONVERGENT)),
            Opcode::Special => !self.is_pure(),
            op => op.is_terminator(),
        }
    }
}
