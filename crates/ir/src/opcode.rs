//! What instructions do.

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
