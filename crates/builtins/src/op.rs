//! What a builtin means: semantic operations, one variant per meaning, in families.
//!
//! The crate `builtin-lower` says what each one is in IR, in one exhaustive match a family: an operation that it forgets
//! does not compile. Operands stand in the order of the call's arguments unless a variant says otherwise; operand and
//! result types are those of the [`Resolved`](crate::Resolved) signature. Operations on vectors act lane by lane unless
//! they say otherwise.

use crate::Space;
use crate::vocabulary::{
    Cache, FClass, FCmp, LaneSet, Order, Over, Reduce, Rmw, Round, Scope, Shuffle, Special, Vote, WorkItem,
};

/// An operation with a direct meaning in IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// On floating-point numbers.
    Float(FloatOp),
    /// On geometric vectors.
    Geometric(GeometricOp),
    /// On integers.
    Integer(IntegerOp),
    /// On values of any kind.
    Value(ValueOp),
    /// On memory.
    Memory(MemoryOp),
    /// Atomic, on memory.
    Atomic(AtomicOp),
    /// Of several work-items.
    Sync(SyncOp),
    /// About the work-item.
    Item(ItemOp),
    /// On the flow of control.
    Control(ControlOp),
}

/// Approximations that the library needs for normal numbers alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flushed {
    /// `2^a` by `ex2.approx.ftz`.
    Exp2,
    /// `log2 a` by `lg2.approx.ftz`.
    Log2,
    /// `1 / a` by `rcp.approx.ftz`.
    Rcp,
    /// `1 / sqrt(a)` by `rsqrt.approx.ftz`.
    Rsqrt,
}

/// Floating-point operations: on scalars, and on vectors lane by lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// `a + b`, never contracted.
    Add(Round),
    /// `a - b`, never contracted.
    Sub(Round),
    /// `a * b`, never contracted.
    Mul(Round),
    /// IEEE `a / b`.
    Div(Round),
    /// `a / b` by `div.approx` (2 ulp; `__fdividef`, `native_divide`, `half_divide`).
    DivApprox,
    /// `1 / a`, correctly rounded.
    Rcp(Round),
    /// `1 / a` by `rcp.approx`.
    RcpApprox,
    /// `1 / a` to eleven bits, or as [`Self::RcpApprox`].
    RcpRough,
    /// Square root, correctly rounded.
    Sqrt(Round),
    /// `sqrt.approx`.
    SqrtApprox,
    /// `1 / sqrt(a)` by `rsqrt.approx`.
    RsqrtApprox,
    /// `1 / sqrt(a)` to eleven bits, or as [`Self::RsqrtApprox`].
    RsqrtRough,
    /// The square root of a positive, finite number, to the last place or next to it.
    RootOfPositive,
    /// `a * b + c` with one rounding.
    Fma(Round),
    /// `a * b + c`, contracted or not (`mad`).
    MulAdd,
    /// `sin.approx`.
    SinApprox,
    /// `cos.approx`.
    CosApprox,
    /// `2^a` by `ex2.approx`.
    Exp2Approx,
    /// `log2 a` by `lg2.approx`.
    Log2Approx,
    /// `a * 2^floor(b)`, rounded once.
    ScaleBy,
    /// The whole number below the logarithm to base 2 of the size: of 0 negative infinity, of infinity that.
    Exponent,
    /// `a` without the power of two that leaves it from 3/4 up to 3/2; of 0 and infinity 1 with their sign, of what else is
    /// negative NaN.
    Significand,
    /// `tanh.approx` (sm_75).
    TanhApprox,
    /// An approximation that takes subnormal arguments for zeros and gives zeros for subnormal results: one instruction where
    /// the others are several.
    Flushed(Flushed),
    /// Absolute value: clears the sign bit.
    Abs,
    /// Negation: flips the sign bit.
    Neg,
    /// IEEE 754-2008 `minNum`: a NaN operand is ignored.
    Min,
    /// IEEE 754-2008 `maxNum`.
    Max,
    /// IEEE 754-2019 `minimum`: a NaN operand wins (`__hmin_nan`).
    MinNan,
    /// IEEE 754-2019 `maximum`.
    MaxNan,
    /// Magnitude of `a`, sign of `b`.
    CopySign,
    /// Rounds to an integral value of the same type (`floor`, `ceil`, `trunc`, `rint`).
    RoundToInt(Round),
    /// `max(0, min(1, a))`, NaN gives +0 (`__saturatef`).
    Saturate,
    /// Tests the class; the result is `int` 0/1 (or −1 per lane for vectors).
    Class(FClass),
    /// Compares; the result is `int` 0/1 (or −1 per lane for vectors).
    Compare(FCmp),
    /// Compares all lanes of two vectors: whether all of them compare so.
    CompareAll(FCmp),
    /// Compares the lanes of two vectors; the result is an integer of their size with all bits of a lane, or none.
    CompareMask(FCmp),
    /// A fused multiply-add, clamped to `[0, 1]`; a NaN gives 0.
    FmaSaturated,
    /// A fused multiply-add, or 0 where that is negative; a NaN stays one.
    FmaRelu,
    /// `__hcmadd(a, b, c)`: product and sum of complex numbers, real part first: fused, the products of the first real part
    /// before those of the second imaginary one.
    ComplexFma,
    /// `(a < b) ? b : a` (OpenCL `max` on floats) — NaN as C says.
    MaxC,
    /// `(b < a) ? b : a` (OpenCL `min` on floats).
    MinC,
    /// `clamp(x, lo, hi)` = `FMin(FMax(x, lo), hi)`.
    Clamp,
    /// OpenCL `mix`: `a + (b - a) * t`.
    Mix,
    /// OpenCL `step(edge, x)`: `x < edge ? 0 : 1`.
    Step,
    /// Multiplies by the given constant, whose `f64` bits this is (`degrees`, `radians`).
    Scale(u64),
    /// The quiet NaN of the result type (`__builtin_nan("")`, `nan(payload)` with an operand for the payload).
    Nan,
    /// Infinity of the result type.
    Inf,
    /// A constant of the result type, given as `f64` bits.
    Const(u64),
}

/// OpenCL's geometric functions: on vectors as wholes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GeometricOp {
    /// OpenCL `dot`: lanes summed in order, contracted or not.
    Dot,
    /// OpenCL `length(v)`: `sqrt(dot(v, v))`, guarded against overflow and underflow unless `fast`.
    Length {
        /// `fast_length`: plain and with `sqrt.approx`.
        fast: bool,
    },
    /// OpenCL `distance(a, b)`: the length of `a - b`.
    Distance {
        /// `fast_distance`.
        fast: bool,
    },
    /// OpenCL `normalize(v)`; a zero vector stays.
    Normalize {
        /// `fast_normalize`: `v * rsqrt.approx(dot(v, v))`.
        fast: bool,
    },
    /// OpenCL `cross` on 3 or 4 lanes; lane 3 of the result is 0.
    Cross,
}

/// Integer operations: on scalars, and on vectors lane by lane. Signedness is that of the first operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntegerOp {
    /// Absolute value; the result has the type's width (`abs` of the minimum wraps).
    Abs,
    /// `|a - b|` without overflow, unsigned result.
    AbsDiff,
    /// Minimum; signedness from the type.
    Min,
    /// Maximum; signedness from the type.
    Max,
    /// `min(max(x, lo), hi)`.
    Clamp,
    /// Saturating addition.
    AddSat,
    /// Saturating subtraction.
    SubSat,
    /// `(a + b) >> 1` without overflow.
    HalfAdd,
    /// `(a + b + 1) >> 1` without overflow.
    RoundedHalfAdd,
    /// High half of the product.
    MulHi,
    /// `mul_hi(a, b) + c`.
    MadHi,
    /// Saturating `a * b + c`.
    MadSat,
    /// Product of the low 24 bits.
    Mul24 {
        /// The operands fit 24 bits, or the result is undefined (OpenCL).
        in_range: bool,
    },
    /// High 32 bits of the 48-bit product of the low 24 bits (`__[u]mulhi24`).
    Mul24Hi,
    /// `mul24(a, b) + c`.
    Mad24 {
        /// The operands fit 24 bits, or the result is undefined (OpenCL).
        in_range: bool,
    },
    /// `|a - b| + c` (`__sad`, `__usad`).
    Sad,
    /// Leading zeros; the width for 0.
    Clz,
    /// Trailing zeros; the width for 0.
    Ctz,
    /// 1 + index of the lowest set bit, 0 for 0.
    Ffs,
    /// Number of set bits.
    PopCount,
    /// Parity of the number of set bits.
    Parity,
    /// Redundant sign bits (`__builtin_clrsb`).
    Clrsb,
    /// Bits in reverse order.
    BitReverse,
    /// Bytes in reverse order.
    ByteSwap,
    /// Rotates left.
    RotateLeft,
    /// OpenCL `upsample(hi, lo)`.
    Upsample,
    /// `__byte_perm` = `prmt.b32` with (a, b, selector).
    BytePerm,
    /// `__funnelshift_l/r(lo, hi, shift)`; `clamp` bounds the shift to 32 instead of masking it.
    FunnelShift {
        /// Shift to the left, result the high word; else to the right, result the low word.
        left: bool,
        /// Clamp the amount at 32 instead of taking it modulo 32.
        clamp: bool,
    },
    /// 4-way byte dot product with accumulation; signedness from the types of (a, b, c).
    Dp4a,
    /// 2-way dot product of 16-bit with bytes; `hi` takes the upper two bytes of b.
    Dp2a {
        /// Use bytes 2 and 3 of b.
        hi: bool,
    },
    /// OpenCL `dot` and `dot_acc_sat` of four bytes, as vectors or packed in words; the result is signed if any of them is.
    DotBytes {
        /// The bytes of the first operand have signs.
        a: bool,
        /// Those of the second.
        b: bool,
        /// A third operand is added and the sum saturates.
        accumulate: bool,
    },
    /// Bit-field extract (value, pos, len).
    BitExtract,
}

/// Conversions, and what selects and rearranges values, their lanes and bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueOp {
    /// Converts to the result type, lane by lane; `round` `None` is the default of the conversion's kind (toward zero
    /// to integers, to nearest to floats); `saturate` clamps to the range, NaN gives 0.
    Convert {
        /// Rounding direction asked for.
        round: Option<Round>,
        /// Saturate at the limits of the result type.
        saturate: bool,
    },
    /// Reinterprets the bits as the result type of the same size.
    BitCast,
    /// `bitselect(a, b, c)`: bits of b where c is set, else of a. Floats as bits.
    BitSelect,
    /// OpenCL `select(a, b, c)`: scalar `c ? b : a`; vectors by the sign bit of each lane of c.
    Select,
    /// OpenCL `any`: the sign bit of any lane is set; scalar argument: its sign bit.
    Any,
    /// OpenCL `all`.
    All,
    /// Two words to one: `__hiloint2double(hi, lo)`.
    PackHiLo,
    /// The high 32 bits of a 64-bit value.
    HighWord,
    /// The low 32 bits of a 64-bit value.
    LowWord,
    /// Builds a vector from its lanes (`make_float4`, `__halves2half2`).
    MakeVector,
    /// One scalar to all lanes (`__half2half2`).
    Splat,
    /// One lane of a vector (`__low2half`, `__high2half`), converted to the result type.
    Lane(u8),
    /// One lane of a vector to all lanes (`__low2half2`).
    SplatLane(u8),
    /// A vector of two lanes, counted through all operands (`__lows2half2`).
    PickLanes(u8, u8),
    /// OpenCL `shuffle(x, mask)`.
    Shuffle,
    /// OpenCL `shuffle2(x, y, mask)`.
    Shuffle2,
    /// `__builtin_constant_p(e)`: whether the operand is a constant of the IR.
    IsConstant,
    /// `__builtin_is_constant_evaluated()`: false in code that is made; who evaluates constants says true.
    IsConstantEvaluated,
}

/// Loads, stores and copies; questions about addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryOp {
    /// `vloadn(offset, p)`: `lanes` elements of the pointee's type at `p + offset * lanes`, aligned to the element.
    VLoad,
    /// `vstoren(data, offset, p)`.
    VStore,
    /// `vload_halfn(offset, p)`; `aligned`: `vloada_halfn` (3 lanes then step by 4). `__builtin_load_half` has no offset.
    VLoadHalf {
        /// Aligned to the whole vector.
        aligned: bool,
    },
    /// `vstore_halfn{_rte…}(data, offset, p)`.
    VStoreHalf {
        /// Aligned to the whole vector.
        aligned: bool,
        /// Rounding of the conversion to half.
        round: Round,
    },
    /// A load with a cache operator, of the pointee of its operand (`__ldg`, `__ldcg`, …).
    LoadCache(Cache),
    /// A store with a cache operator (pointer, value).
    StoreCache(Cache),
    /// `memcpy(dst, src, n)`; the result is dst.
    MemCpy,
    /// `memmove(dst, src, n)`.
    MemMove,
    /// `memset(dst, byte, n)`.
    MemSet,
    /// OpenCL `prefetch(p, n)`.
    Prefetch,
    /// OpenCL `async_work_group_copy(dst, src, n, event)`: the group copies together; the result is the event.
    AsyncCopy,
    /// OpenCL `async_work_group_strided_copy(dst, src, n, stride, event)`.
    AsyncStridedCopy,
    /// OpenCL `wait_group_events(n, events)`: a group barrier.
    WaitEvents,
    /// Whether a generic pointer points into a space: `__isGlobal`, `__isShared`, `__isConstant`, `__isLocal`.
    IsSpace(Space),
    /// Whether it points to shared memory of a group of the cluster: `__isClusterShared`.
    IsCluster,
    /// Whether it points to a parameter of the kernel: `__isGridConstant`.
    IsParam,
    /// `to_global(p)`, …: the pointer in a space, null if it does not point there.
    IntoSpace(Space),
    /// `get_fence(p)`: the flags of a barrier for what it points to.
    FenceOf,
    /// Generic pointer to an integer address in a space: `__cvta_generic_to_shared`, …
    ToSpaceAddress(Space),
    /// An integer address in a space to a generic pointer.
    FromSpaceAddress(Space),
}

/// Atomic operations. The `_explicit` ones of OpenCL 2 pass their order and scope (constants) as further operands; an
/// operation without them has the order and scope that the variant names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// Read-modify-write of `*p` with (p, v); the result is the old value.
    Rmw {
        /// What is done.
        rmw: Rmw,
        /// Who sees it.
        scope: Scope,
        /// Its order.
        order: Order,
    },
    /// OpenCL `atomic_inc(p)` / `atomic_dec(p)`: adds or subtracts 1.
    Step {
        /// Subtract.
        down: bool,
        /// Who sees it.
        scope: Scope,
    },
    /// Compare and swap (p, expected, desired); the result is the old value.
    Cas {
        /// Who sees it.
        scope: Scope,
        /// Its order.
        order: Order,
    },
    /// OpenCL 2 `atomic_compare_exchange_*(p, expected*, desired)`; the result is `bool`.
    CasPtr {
        /// Its order.
        order: Order,
    },
    /// Atomic load of `*p`.
    Load {
        /// Its order.
        order: Order,
    },
    /// Atomic store of (p, v).
    Store {
        /// Its order.
        order: Order,
    },
    /// `atomic_init(p, v)`: a plain store.
    Init,
    /// `atomic_flag_test_and_set(p)`: sets the flag; whether it was set.
    FlagSet {
        /// Its order.
        order: Order,
    },
    /// `atomic_flag_clear(p)`.
    FlagClear {
        /// Its order.
        order: Order,
    },
}

/// What work-items of a group or a warp do together: barriers, fences, votes, shuffles, reductions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SyncOp {
    /// Work-group barrier with a fence (`__syncthreads`, `barrier(flags)`; flags, when present, name the spaces).
    Barrier,
    /// `__syncthreads_count/and/or(predicate)`.
    BarrierReduce(Reduce),
    /// `work_group_all/any(predicate)`.
    GroupVote(Vote),
    /// `work_group_reduce_*(value)`, with memory ([`SyncOp::takes_memory`]).
    GroupReduce(Reduce),
    /// `work_group_scan_inclusive/exclusive_*(value)`, with memory.
    GroupScan {
        /// What is combined.
        reduce: Reduce,
        /// Includes the own work-item.
        inclusive: bool,
    },
    /// `work_group_broadcast(value, id …)`, with memory.
    GroupBroadcast,
    /// A fence (`mem_fence`, `__threadfence*`); flags, when present, name the spaces.
    Fence {
        /// Who sees it.
        scope: Scope,
        /// Its order.
        order: Order,
    },
    /// `__syncwarp(mask)`, mask optional.
    WarpBarrier,
    /// `sub_group_barrier(flags)`: of all lanes.
    SubGroupBarrier,
    /// Warp shuffle (mask, value, lane/delta[, width]); without `sync` there is no mask operand.
    Shuffle {
        /// Which lane.
        kind: Shuffle,
        /// The first operand is the member mask.
        sync: bool,
    },
    /// Warp vote (mask, predicate); without `sync` there is no mask operand.
    Vote {
        /// What is asked.
        kind: Vote,
        /// The first operand is the member mask.
        sync: bool,
    },
    /// `__activemask()`.
    ActiveMask,
    /// `__match_any_sync(mask, value)`.
    MatchAny,
    /// `__match_all_sync(mask, value, int *pred)`.
    MatchAll,
    /// `__reduce_*_sync(mask, value)`.
    WarpReduce(Reduce),
    /// `sub_group_reduce_*`, over the sub-group's active lanes.
    SubGroupReduce(Reduce),
    /// `sub_group_scan_inclusive/exclusive_*`.
    SubGroupScan {
        /// What is combined.
        reduce: Reduce,
        /// Includes the own lane.
        inclusive: bool,
    },
    /// `sub_group_broadcast(value, lane)`.
    SubGroupBroadcast,
    /// What the active lanes of a sub-group do together; the others need not come.
    Lanes(LaneOp),
}

/// Operations of a sub-group's active lanes: OpenCL's `cl_khr_subgroup_*`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LaneOp {
    /// `sub_group_elect()`: the first active lane says 1.
    Elect,
    /// `sub_group_non_uniform_all/any(predicate)`.
    Vote(Vote),
    /// `sub_group_non_uniform_all_equal(value)`.
    AllEqual,
    /// `sub_group_non_uniform_broadcast(value, lane)`, `sub_group_shuffle(value, lane)` and the like.
    Shuffle(Shuffle),
    /// `sub_group_broadcast_first(value)`.
    BroadcastFirst,
    /// `sub_group_ballot(predicate)`: a bit for each lane, in a `uint4`.
    Ballot,
    /// `sub_group_inverse_ballot(ballot)`: the own bit.
    InverseBallot,
    /// `sub_group_ballot_bit_extract(ballot, lane)`.
    BallotBit,
    /// `sub_group_ballot_bit_count/inclusive_scan/exclusive_scan(ballot)`.
    BallotCount(LaneSet),
    /// `sub_group_ballot_find_lsb(ballot)`.
    BallotFirst,
    /// `sub_group_ballot_find_msb(ballot)`.
    BallotLast,
    /// `get_sub_group_eq/ge/gt/le/lt_mask()`.
    Mask(LaneSet),
    /// `sub_group_non_uniform_reduce/scan_*(value)`, `sub_group_clustered_reduce_*(value, size)`.
    Combine {
        /// What is combined.
        reduce: Reduce,
        /// Of which lanes.
        over: Over,
        /// Truth values are.
        logical: bool,
    },
    /// `sub_group_rotate(value, distance)`; in clusters whose size is the last operand.
    Rotate {
        /// `sub_group_clustered_rotate`.
        clustered: bool,
    },
}

/// Where the work-item stands and how large the launch is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ItemOp {
    /// A work-item function of one dimension.
    Query(WorkItem),
    /// `get_work_dim()`.
    WorkDim,
    /// `get_global_linear_id()`.
    GlobalLinearId,
    /// `get_local_linear_id()`.
    LocalLinearId,
    /// A hardware or launch value.
    Special(Special),
    /// OpenCL sub-group queries: the number of sub-groups in the group.
    SubGroupCount,
    /// The number of sub-groups in a group of the enqueued local size.
    EnqueuedSubGroupCount,
    /// Number of work-items in the own sub-group: the last one of a group may be smaller than the warp.
    SubGroupSize,
    /// Index of the own sub-group in the group: the local linear id divided by the warp size.
    SubGroupId,
}

/// What ends or stops a work-item, and what it says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ControlOp {
    /// `__trap()`.
    Trap,
    /// `__assert_fail(text, file, line, function)`.
    AssertFail,
    /// Ends the thread.
    Exit,
    /// `__brkpt()`.
    Breakpoint,
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__nanosleep(ns)`.
    NanoSleep,
    /// `printf(format, …)`.
    Printf,
}

/// A builtin that is no operation on the values of its operands: the checker takes its call apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `__builtin_expect(v, e)`: v.
    Expect,
    /// `__builtin_assume(c)`.
    Assume,
    /// `__builtin_assume_aligned(p, align[, offset])`: p.
    AssumeAligned,
    /// `__nv_associate_access_property(p, property)`: p, as `void *`.
    AccessProperty,
    /// `__builtin_provable(e)`: true exactly where the optimiser proves e true.
    Provable,
    /// OpenCL `vec_step`: the number of lanes of the argument's type (4 for 3), a constant.
    VecStep,
}
