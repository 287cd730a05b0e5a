//! Target operations that are no plain arithmetic, and special registers.

/// What an intrinsic does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effects(u8);

impl Effects {
    /// Nothing: a pure function.
    pub const NONE: Self = Self(0);
    /// May read memory.
    pub const READS: Self = Self(1);
    /// May write memory, or must stay for another reason.
    pub const WRITES: Self = Self(2);
    /// Must be reached by the work-items of a warp or group together.
    pub const CONVERGENT: Self = Self(4);
    /// Does not come back.
    pub const NORETURN: Self = Self(8);

    /// Whether all of `other` are set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is set.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it is pure.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::ops::BitOr for Effects {
    type Output = Self;
    fn bitor(self, rhs: Self) -> Self {
        Self(self.0 | rhs.0)
    }
}

const NONE: u8 = 0;
const R: u8 = 1;
const W: u8 = 2;
const C: u8 = 4;
const X: u8 = 8;

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $name:ident $text:literal $args:literal $effects:expr;)*) => {
        /// A target operation. Unless said otherwise operands and results are `i32`, and `f32` for `…Approx`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Intrinsic { $($(#[$doc])* $name,)* }

        impl Intrinsic {
            /// Every intrinsic.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The word for it in text IR.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($text),*];
                NAMES[self as usize]
            }

            /// Number of operands, or `None` if it varies.
            pub fn operand_count(self) -> Option<usize> {
                const COUNTS: &[i8] = &[$($args),*];
                usize::try_from(COUNTS[self as usize]).ok()
            }

            /// What it does besides computing its result.
            pub fn effects(self) -> Effects {
                const EFFECTS: &[u8] = &[$($effects),*];
                Effects(EFFECTS[self as usize])
            }
        }
    };
}

intrinsics! {
    /// Barrier of the whole work-group, with a fence of shared and global memory for it; operand: barrier number.
    Barrier "barrier" 1 R|W|C;
    /// Barrier that counts the work-items whose `i1` operand is true; result `i32`.
    BarrierPopc "barrier.popc" 1 R|W|C;
    /// Barrier that ands an `i1`; result `i1`.
    BarrierAnd "barrier.and" 1 R|W|C;
    /// Barrier that ors an `i1`; result `i1`.
    BarrierOr "barrier.or" 1 R|W|C;
    /// Barrier of the lanes of a mask (`bar.warp.sync`).
    WarpSync "warpsync" 1 R|W|C;
    /// This work-item asks whether others have done something and may ask again: where work-items run in one another's place,
    /// the others' turn.
    Yield "yield" 0 R|W|C;

    /// Shuffle from a lane; operands mask, value (`i32` or `f32`), lane, clamp-and-segment word as PTX has it.
    ShflIdx "shfl.idx" 4 C;
    /// Shuffle from a lower lane.
    ShflUp "shfl.up" 4 C;
    /// Shuffle from a higher lane.
    ShflDown "shfl.down" 4 C;
    /// Shuffle from the lane with an exclusive-ored number.
    ShflBfly "shfl.bfly" 4 C;
    /// Whether the `i1` is true in all lanes of the mask; operands mask, predicate; result `i1`.
    VoteAll "vote.all" 2 C;
    /// Whether it is true in any.
    VoteAny "vote.any" 2 C;
    /// Whether it is the same in all.
    VoteUni "vote.uni" 2 C;
    /// The mask of lanes in which it is true; result `i32` (`i64` where warps have 64 lanes).
    Ballot "vote.ballot" 2 C;
    /// The lanes that are active.
    ActiveMask "activemask" 0 C;
    /// Mask of lanes of the mask that hold the same value (`i32` or `i64`); operands mask, value.
    MatchAny "match.any" 2 C;
    /// The mask if all its lanes hold the same value, else 0.
    MatchAll "match.all" 2 C;
    /// Warp reductions; operands mask, value.
    ReduxAdd "redux.add" 2 C;
    /// Signed minimum over the mask.
    ReduxSMin "redux.smin" 2 C;
    /// Signed maximum over the mask.
    ReduxSMax "redux.smax" 2 C;
    /// Unsigned minimum over the mask.
    ReduxUMin "redux.umin" 2 C;
    /// Unsigned maximum over the mask.
    ReduxUMax "redux.umax" 2 C;
    /// And over the mask.
    ReduxAnd "redux.and" 2 C;
    /// Or over the mask.
    ReduxOr "redux.or" 2 C;
    /// Exclusive or over the mask.
    ReduxXor "redux.xor" 2 C;

    /// Product of two matrices of 16×16 by matrix units, plus a third. Each lane of a wave of 32 has a row of the first
    /// factor and a column of the second in eight words, and of the sum (eight `f32`) in column `lane % 16` the rows
    /// `2 * n + lane / 16`; or, where units are of the other kind (`target::MatrixUnits`), the half `lane / 16` of row and column
    /// in half as many words, and the rows `n + 8 * (lane / 16)` of the sum; or, in waves of 64, the quarter `lane / 16` in a quarter
    /// as many words, and the rows `n + 4 * (lane / 16)`. Elements: `f16`.
    MatrixF16 "matrix.f16" 3 C;
    /// Likewise of `bf16`.
    MatrixBf16 "matrix.bf16" 3 C;
    /// Likewise of signed bytes in four words, the sum of `i32`.
    MatrixS8 "matrix.s8" 3 C;
    /// Of unsigned bytes.
    MatrixU8 "matrix.u8" 3 C;

    /// Sine, PTX `sin.approx`.
    SinApprox "sin.approx" 1 NONE;
    /// Cosine.
    CosApprox "cos.approx" 1 NONE;
    /// Power of two.
    Ex2Approx "ex2.approx" 1 NONE;
    /// Logarithm to base 2.
    Lg2Approx "lg2.approx" 1 NONE;
    /// Reciprocal (`f32` or `f64`).
    RcpApprox "rcp.approx" 1 NONE;
    /// Reciprocal square root (`f32` or `f64`).
    RsqrtApprox "rsqrt.approx" 1 NONE;
    /// Square root.
    SqrtApprox "sqrt.approx" 1 NONE;
    /// Hyperbolic tangent.
    TanhApprox "tanh.approx" 1 NONE;
    /// Quotient, PTX `div.approx`.
    DivApprox "div.approx" 2 NONE;
    /// Quotient, PTX `div.full`: 2 ulp over the whole range.
    DivFull "div.full" 2 NONE;
    /// Reciprocal, correctly rounded (`f32` or `f64`), rounding mode nearest even.
    RcpRn "rcp.rn" 1 NONE;

    /// The first operand times two to the whole number below the second, rounded once (`f32` or `f64`, as the next two):
    /// [`crate::exponent::scale`]. Hosts only.
    Scale "exp.scale" 2 NONE;
    /// The exponent: [`crate::exponent::exponent`].
    Exponent "exp.of" 1 NONE;
    /// The number without its exponent: [`crate::exponent::significand`].
    Significand "exp.without" 1 NONE;

    /// Bit field extract, signed; operands value (`i32` or `i64`), position, length.
    BfeS "bfe.s" 3 NONE;
    /// Bit field extract, unsigned.
    BfeU "bfe.u" 3 NONE;
    /// Bit field insert; operands field, base, position, length.
    Bfi "bfi" 4 NONE;
    /// Byte permute; operands a, b, selector.
    Prmt "prmt" 3 NONE;
    /// Sum of absolute differences, signed: |a - b| + c.
    SadS "sad.s" 3 NONE;
    /// Sum of absolute differences, unsigned.
    SadU "sad.u" 3 NONE;
    /// Product of the low 24 bits, signed.
    Mul24S "mul24.s" 2 NONE;
    /// Product of the low 24 bits, unsigned.
    Mul24U "mul24.u" 2 NONE;
    /// Four-way byte dot product and accumulate, signed × signed.
    Dp4aS "dp4a.s" 3 NONE;
    /// Unsigned × unsigned.
    Dp4aU "dp4a.u" 3 NONE;
    /// Two-way dot product and accumulate (low half of b), signed.
    Dp2aS "dp2a.s" 3 NONE;
    /// Unsigned.
    Dp2aU "dp2a.u" 3 NONE;

    /// Whether a generic pointer points to global memory; result `i1`.
    IsGlobal "isspace.global" 1 NONE;
    /// Whether it points to shared memory.
    IsShared "isspace.shared" 1 NONE;
    /// Whether it points to constant memory.
    IsConst "isspace.const" 1 NONE;
    /// Whether it points to private memory.
    IsLocal "isspace.local" 1 NONE;
    /// Whether it points to shared memory of a group of the cluster, this one or another.
    IsCluster "isspace.cluster" 1 NONE;
    /// Whether it points to a parameter of the kernel.
    IsParam "isspace.param" 1 NONE;

    /// Formatted output; operands format (generic pointer), arguments (pointer to a private buffer); result `i32`.
    VPrintf "vprintf" 2 R|W;
    /// Stops the kernel with an error.
    Trap "trap" 0 W|X;
    /// Ends this work-item.
    Exit "exit" 0 W|X;
    /// Breakpoint.
    Brkpt "brkpt" 0 W;
    /// Sleeps for about so many nanoseconds.
    Nanosleep "nanosleep" 1 W;
    /// Prefetch to the second-level cache; operand pointer.
    PrefetchL2 "prefetch.l2" 1 W;
    /// Prefetch to the first-level cache; operand pointer.
    PrefetchL1 "prefetch.l1" 1 W;
    /// Commits and waits for asynchronous copies; no operands.
    AsyncWaitAll "async.waitall" 0 R|W;

    /// For the interpreter's checks, as all of the `Check` family: nothing on machines, and only there where checks were
    /// asked for. The next barrier of this work-item orders only these spaces; operand: OpenCL's fence flags.
    CheckFences "check.fences" 1 W;
    /// An index must be inside of the array that it is applied to; operands index, length (`i64`).
    CheckIndex "check.index" 2 W;
    /// The group begins to copy; operands destination, source, elements, stride (`i64`), event; result: the event (`i64`).
    /// The work-item's accesses are the copy's until [`Self::CheckCopyEnd`].
    CheckCopy "check.copy" 5 W;
    /// The work-item's own accesses follow.
    CheckCopyEnd "check.copy.end" 0 W;
    /// The next barrier waits for the copies of this event, too (`i64`).
    CheckWait "check.wait" 1 W;
}

impl Intrinsic {
    /// Whether it is a product of matrices by units for it.
    pub fn is_matrix(self) -> bool {
        matches!(self, Self::MatrixF16 | Self::MatrixBf16 | Self::MatrixS8 | Self::MatrixU8)
    }

    /// Whether it is a part or scale of floating-point numbers, for hosts.
    pub fn is_exponent(self) -> bool {
        matches!(self, Self::Scale | Self::Exponent | Self::Significand)
    }

    /// Whether it means something to the interpreter's checks only.
    pub fn is_check(self) -> bool {
        matches!(self, Self::CheckFences | Self::CheckIndex | Self::CheckCopy | Self::CheckCopyEnd | Self::CheckWait)
    }
}

macro_rules! special_regs {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// A special register.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum SpecialReg { $($(#[$doc])* $name,)* }

        impl SpecialReg {
            /// Every register.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The word for it in text IR, as PTX has it without the `%`.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($text),*];
                NAMES[self as usize]
            }
        }
    };
}

special_regs! {
    /// Work-item number in the group.
    TidX "tid.x";
    /// Work-item number in the group.
    TidY "tid.y";
    /// Work-item number in the group.
    TidZ "tid.z";
    /// Work-group size.
    NtidX "ntid.x";
    /// Work-group size.
    NtidY "ntid.y";
    /// Work-group size.
    NtidZ "ntid.z";
    /// Work-group number.
    CtaidX "ctaid.x";
    /// Work-group number.
    CtaidY "ctaid.y";
    /// Work-group number.
    CtaidZ "ctaid.z";
    /// Number of work-groups.
    NctaidX "nctaid.x";
    /// Number of work-groups.
    NctaidY "nctaid.y";
    /// Number of work-groups.
    NctaidZ "nctaid.z";
    /// First global id: OpenCL's global offset; where groups are of several sizes, of those of this size.
    OffsetX "offset.x";
    /// First global id.
    OffsetY "offset.y";
    /// First global id.
    OffsetZ "offset.z";
    /// OpenCL's number of the group that `ctaid` calls 0: other than 0 only where groups are of several sizes, which
    /// are numbered from 0 within those of each size.
    GroupBaseX "groupbase.x";
    /// Number of the first group of this size.
    GroupBaseY "groupbase.y";
    /// Number of the first group of this size.
    GroupBaseZ "groupbase.z";
    /// OpenCL's enqueued local size: that of all groups but the last ones, which may be smaller.
    EnqueuedX "enqueued.x";
    /// Enqueued local size.
    EnqueuedY "enqueued.y";
    /// Enqueued local size.
    EnqueuedZ "enqueued.z";
    /// OpenCL's global size.
    GlobalSizeX "globalsize.x";
    /// Global size.
    GlobalSizeY "globalsize.y";
    /// Global size.
    GlobalSizeZ "globalsize.z";
    /// OpenCL's global offset, also where `offset` is that of a part of the groups.
    RangeOffsetX "rangeoffset.x";
    /// Global offset.
    RangeOffsetY "rangeoffset.y";
    /// Global offset.
    RangeOffsetZ "rangeoffset.z";
    /// OpenCL number of dimensions.
    WorkDim "workdim";
    /// Lane number in the warp.
    LaneId "laneid";
    /// Warp number in the group (may change).
    WarpId "warpid";
    /// Lanes per warp.
    WarpSize "warpsize";
    /// Mask with this lane's bit.
    LaneMaskEq "lanemask_eq";
    /// Mask of lower lanes.
    LaneMaskLt "lanemask_lt";
    /// Mask of lower lanes and this one.
    LaneMaskLe "lanemask_le";
    /// Mask of higher lanes.
    LaneMaskGt "lanemask_gt";
    /// Mask of higher lanes and this one.
    LaneMaskGe "lanemask_ge";
    /// Multiprocessor number.
    SmId "smid";
    /// Number of multiprocessors.
    NsmId "nsmid";
    /// Grid number.
    GridId "gridid";
    /// Cycle counter, 32 bits.
    Clock "clock";
    /// Cycle counter, 64 bits.
    Clock64 "clock64";
    /// Nanosecond timer, 64 bits.
    GlobalTimer "globaltimer";
    /// Bytes of dynamic shared memory.
    DynamicSharedSize "dynamic_smem_size";
}

impl SpecialReg {
    /// Whether its value stays the same while a work-item lives, so that reads of it may be merged and moved.
    pub fn is_invariant(self) -> bool {
        use SpecialReg::*;
        !matches!(self, Clock | Clock64 | GlobalTimer | WarpId | SmId)
    }

    /// Bits of its value.
    pub fn bits(self) -> u32 {
        use SpecialReg::*;
        match self {
            Clock64 | GlobalTimer | GridId => 64,
            OffsetX | OffsetY | OffsetZ | RangeOffsetX | RangeOffsetY | RangeOffsetZ => 64,
            GlobalSizeX | GlobalSizeY | GlobalSizeZ => 64,
            _ => 32,
        }
    }
}
