//! What a builtin means: semantic operations that `lower` maps to IR, one variant per meaning.
//!
//! Operands stand in the order of the call's arguments unless a variant says otherwise; operand and result types are
//! those of the [`Resolved`](crate::Resolved) signature. Operations on vectors act lane by lane unless they say
//! otherwise. The `_explicit` atomics of OpenCL 2 pass their order and scope (constants) as further operands; an operation
//! without them has the order and scope that the variant names.

/// IEEE rounding direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Round {
    /// To nearest, ties to even (`rn`, `_rte`).
    Nearest,
    /// Toward zero (`rz`, `_rtz`).
    Zero,
    /// Toward +∞ (`ru`, `_rtp`).
    Up,
    /// Toward −∞ (`rd`, `_rtn`).
    Down,
}

/// x, y or z of a grid position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Who observes an atomic or a fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Scope {
    Warp,
    /// Work-group, block.
    Group,
    Device,
    System,
}

/// Memory order of an atomic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Read-modify-write operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rmw {
    /// `old + v` (integer, `float`, `double`, `half`, `half2`).
    Add,
    /// `old - v`.
    Sub,
    /// `v`.
    Exchange,
    /// Minimum; signedness from the type.
    Min,
    /// Maximum; signedness from the type.
    Max,
    /// `old & v`.
    And,
    /// `old | v`.
    Or,
    /// `old ^ v`.
    Xor,
    /// CUDA `atomicInc`: `old >= v ? 0 : old + 1`.
    IncWrap,
    /// CUDA `atomicDec`: `old == 0 || old > v ? v : old - 1`.
    DecWrap,
}

/// Which lane a warp shuffle reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Shuffle {
    Index,
    Up,
    Down,
    Xor,
}

/// Warp vote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Vote {
    All,
    Any,
    Ballot,
    /// `__uni_sync`: all lanes agree.
    Uniform,
}

/// Reduction across a block, a sub-group or a work-group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Reduce {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// Cache operator of a load or store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cache {
    /// `ld.global.nc`.
    NonCoherent,
    /// `.cg`: cache globally.
    Global,
    /// `.ca`: cache at all levels.
    All,
    /// `.cs`: streaming.
    Streaming,
    /// `.lu`: last use.
    LastUse,
    /// `.cv`: don't cache, fetch again.
    Volatile,
    /// `.wb`: write back.
    WriteBack,
    /// `.wt`: write through.
    WriteThrough,
}

/// A value that the hardware or the launch provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Special {
    /// `threadIdx`, `get_local_id`.
    ThreadId(Axis),
    /// `blockDim`, `get_local_size`.
    GroupSize(Axis),
    /// `blockIdx`, `get_group_id`.
    GroupId(Axis),
    /// `gridDim`, `get_num_groups`.
    NumGroups(Axis),
    WarpSize,
    LaneId,
    WarpId,
    NumWarps,
    SmId,
    Clock32,
    Clock64,
    GlobalTimer,
    LaneMaskLt,
    LaneMaskLe,
    LaneMaskEq,
    LaneMaskGe,
    LaneMaskGt,
    DynamicSharedSize,
}

/// Work-item functions that take a dimension; a dimension out of range gives the stated default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum WorkItem {
    /// `get_global_id` (default 0).
    GlobalId,
    /// `get_local_id` (0).
    LocalId,
    /// `get_group_id` (0).
    GroupId,
    /// `get_global_size` (1).
    GlobalSize,
    /// `get_local_size` (1).
    LocalSize,
    /// `get_enqueued_local_size` (1).
    EnqueuedLocalSize,
    /// `get_num_groups` (1).
    NumGroups,
    /// `get_global_offset` (0).
    GlobalOffset,
}

/// Class of a floating-point value to test for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FClass {
    Nan,
    Inf,
    Finite,
    Normal,
    SignBit,
}

/// Quiet floating-point comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FCmp {
    /// Ordered and equal.
    Eq,
    /// Unordered or not equal.
    Ne,
    /// Ordered and less.
    Lt,
    /// Ordered and less or equal.
    Le,
    /// Ordered and greater.
    Gt,
    /// Ordered and greater or equal.
    Ge,
    /// Ordered and less or greater.
    LtGt,
    /// Both are numbers.
    Ordered,
    /// At least one is a NaN.
    Unordered,
}

/// An operation with a direct meaning in IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    // ---- floating point -------------------------------------------------------------------------------------
    /// `a + b`, never contracted.
    FAdd(Round),
    /// `a - b`, never contracted.
    FSub(Round),
    /// `a * b`, never contracted.
    FMul(Round),
    /// IEEE `a / b`.
    FDiv(Round),
    /// `a / b` by `div.approx` (2 ulp; `__fdividef`, `native_divide`, `half_divide`).
    FDivApprox,
    /// `1 / a`, correctly rounded.
    FRcp(Round),
    /// `1 / a` by `rcp.approx`.
    FRcpApprox,
    /// Square root, correctly rounded.
    FSqrt(Round),
    /// `sqrt.approx`.
    FSqrtApprox,
    /// `1 / sqrt(a)` by `rsqrt.approx`.
    FRsqrtApprox,
    /// `a * b + c` with one rounding.
    Fma(Round),
    /// `a * b + c`, contracted or not (`mad`).
    FMulAdd,
    /// `sin.approx`.
    SinApprox,
    /// `cos.approx`.
    CosApprox,
    /// `2^a` by `ex2.approx`.
    Exp2Approx,
    /// `log2 a` by `lg2.approx`.
    Log2Approx,
    /// `tanh.approx` (sm_75; `lower` falls back to the library before).
    TanhApprox,
    /// Absolute value: clears the sign bit.
    FAbs,
    /// Negation: flips the sign bit.
    FNeg,
    /// IEEE 754-2008 `minNum`: a NaN operand is ignored.
    FMin,
    /// IEEE 754-2008 `maxNum`.
    FMax,
    /// IEEE 754-2019 `minimum`: a NaN operand wins (`__hmin_nan`).
    FMinNan,
    /// IEEE 754-2019 `maximum`.
    FMaxNan,
    /// Magnitude of `a`, sign of `b`.
    CopySign,
    /// Rounds to an integral value of the same type (`floor`, `ceil`, `trunc`, `rint`).
    RoundToInt(Round),
    /// `max(0, min(1, a))`, NaN gives +0 (`__saturatef`).
    Saturate,
    /// Tests the class; the result is `int` 0/1 (or −1 per lane for vectors).
    FClass(FClass),
    /// Compares; the result is `int` 0/1 (or −1 per lane for vectors).
    FCmp(FCmp),
    /// `(a < b) ? b : a` (OpenCL `max` on floats) — NaN as C says.
    FMaxC,
    /// `(b < a) ? b : a` (OpenCL `min` on floats).
    FMinC,
    /// `clamp(x, lo, hi)` = `FMin(FMax(x, lo), hi)`.
    FClamp,
    /// OpenCL `mix`: `a + (b - a) * t`.
    Mix,
    /// OpenCL `step(edge, x)`: `x < edge ? 0 : 1`.
    Step,
    /// Multiplies by the given constant, whose `f64` bits this is (`degrees`, `radians`).
    FScale(u64),
    /// OpenCL `dot`: lanes summed in order, contracted.
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

    // ---- integer --------------------------------------------------------------------------------------------
    /// Absolute value; the result has the type's width (`abs` of the minimum wraps).
    IAbs,
    /// `|a - b|` without overflow, unsigned result.
    IAbsDiff,
    /// Minimum; signedness from the type.
    IMin,
    /// Maximum; signedness from the type.
    IMax,
    /// `min(max(x, lo), hi)`.
    IClamp,
    /// Saturating addition.
    IAddSat,
    /// Saturating subtraction.
    ISubSat,
    /// `(a + b) >> 1` without overflow.
    IHadd,
    /// `(a + b + 1) >> 1` without overflow.
    IRhadd,
    /// High half of the product.
    IMulHi,
    /// `mul_hi(a, b) + c`.
    IMadHi,
    /// Saturating `a * b + c`.
    IMadSat,
    /// Product of the low 24 bits.
    IMul24,
    /// High 32 bits of the 48-bit product of the low 24 bits (`__[u]mulhi24`).
    IMul24Hi,
    /// `mul24(a, b) + c`.
    IMad24,
    /// `|a - b| + c` (`__sad`, `__usad`).
    ISad,
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
    /// Bit-field extract (value, pos, len).
    BitExtract,
    /// `bitselect(a, b, c)`: bits of b where c is set, else of a. Floats as bits.
    BitSelect,
    /// OpenCL `select(a, b, c)`: scalar `c ? b : a`; vectors by the sign bit of each lane of c.
    Select,
    /// OpenCL `any`: the sign bit of any lane is set; scalar argument: its sign bit.
    Any,
    /// OpenCL `all`.
    All,

    // ---- conversions ----------------------------------------------------------------------------------------
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
    /// OpenCL `shuffle(x, mask)`.
    ShuffleVector,
    /// OpenCL `shuffle2(x, y, mask)`.
    ShuffleVector2,
    /// OpenCL `vec_step`: the number of lanes of the argument's type (4 for 3), a constant.
    VecStep,

    // ---- memory ---------------------------------------------------------------------------------------------
    /// `vloadn(offset, p)`: `lanes` elements of the pointee's type at `p + offset * lanes`, aligned to the element.
    VLoad,
    /// `vstoren(data, offset, p)`.
    VStore,
    /// `vload_halfn(offset, p)`; `aligned`: `vloada_halfn` (3 lanes then step by 4).
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
    IsSpace(crate::Space),
    /// Generic pointer to an integer address in a space: `__cvta_generic_to_shared`, …
    ToSpaceAddress(crate::Space),
    /// An integer address in a space to a generic pointer.
    FromSpaceAddress(crate::Space),
    /// Stack memory of the given size (`__builtin_alloca`).
    Alloca,

    // ---- atomics --------------------------------------------------------------------------------------------
    /// Read-modify-write of `*p` with (p, v); the result is the old value.
    Atomic {
        /// What is done.
        rmw: Rmw,
        /// Who sees it.
        scope: Scope,
        /// Its order.
        order: Order,
    },
    /// OpenCL `atomic_inc(p)` / `atomic_dec(p)`: adds or subtracts 1.
    AtomicStep {
        /// Subtract.
        down: bool,
        /// Who sees it.
        scope: Scope,
    },
    /// Compare and swap (p, expected, desired); the result is the old value.
    AtomicCas {
        /// Who sees it.
        scope: Scope,
        /// Its order.
        order: Order,
    },
    /// OpenCL 2 `atomic_compare_exchange_*(p, expected*, desired)`; the result is `bool`.
    AtomicCasPtr {
        /// Its order.
        order: Order,
    },
    /// Atomic load of `*p`.
    AtomicLoad {
        /// Its order.
        order: Order,
    },
    /// Atomic store of (p, v).
    AtomicStore {
        /// Its order.
        order: Order,
    },
    /// `atomic_init(p, v)`: a plain store.
    AtomicInit,
    /// `atomic_flag_test_and_set(p)`: sets the flag; whether it was set.
    AtomicFlagSet {
        /// Its order.
        order: Order,
    },
    /// `atomic_flag_clear(p)`.
    AtomicFlagClear {
        /// Its order.
        order: Order,
    },

    // ---- execution ------------------------------------------------------------------------------------------
    /// Work-group barrier with a fence (`__syncthreads`, `barrier(flags)`; flags, when present, name the spaces).
    Barrier,
    /// `__syncthreads_count/and/or(predicate)`.
    BarrierReduce(Reduce),
    /// `__syncwarp(mask)`, mask optional; `sub_group_barrier(flags)`.
    WarpBarrier,
    /// A fence (`mem_fence`, `__threadfence*`); flags, when present, name the spaces.
    Fence {
        /// Who sees it.
        scope: Scope,
        /// Its order.
        order: Order,
    },
    /// Warp shuffle (mask, value, lane/delta[, width]); without `sync` there is no mask operand.
    Shfl {
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
    /// `work_group_reduce_*`.
    GroupReduce(Reduce),
    /// `work_group_scan_*`.
    GroupScan {
        /// What is combined.
        reduce: Reduce,
        /// Includes the own work-item.
        inclusive: bool,
    },
    /// `work_group_broadcast(value, id…)`.
    GroupBroadcast,
    /// `work_group_all/any(predicate)`.
    GroupVote(Vote),
    /// A work-item function of one dimension.
    WorkItem(WorkItem),
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
    /// `__nanosleep(ns)`.
    NanoSleep,
    /// `__trap()`.
    Trap,
    /// `__brkpt()`.
    Breakpoint,
    /// Ends the thread.
    Exit,
    /// `printf(format, …)`.
    Printf,
    /// `__assert_fail(text, file, line, function)`.
    AssertFail,

    // ---- hints to the compiler ------------------------------------------------------------------------------
    /// `__builtin_expect(v, e)`: v.
    Expect,
    /// `__builtin_assume(c)`, `__builtin_assume_aligned` has its own.
    Assume,
    /// `__builtin_assume_aligned(p, align[, offset])`: p.
    AssumeAligned,
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_constant_p(e)`: answered after optimisation.
    ConstantP,
    /// `__builtin_provable(e)`: true exactly where the optimiser proves e true.
    Provable,
    /// The quiet NaN of the result type (`__builtin_nan("")`, `nan(payload)` with an operand for the payload).
    Nan,
    /// Infinity of the result type.
    Inf,
    /// A constant of the result type, given as `f64` bits.
    Const(u64),
    /// Recognised, but not supported: the resolver reports it and it never reaches `lower`.
    Unsupported(&'static str),
}

/// What a builtin does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effects {
    /// May read memory that others write.
    pub reads: bool,
    /// May write memory.
    pub writes: bool,
    /// Must not be moved across or made dependent on divergent control flow.
    pub convergent: bool,
    /// Does not return.
    pub noreturn: bool,
}

impl Effects {
    /// No effect: the result depends on the operands only.
    pub const PURE: Self = Self { reads: false, writes: false, convergent: false, noreturn: false };

    /// Whether the result depends on the operands only.
    pub const fn is_pure(self) -> bool {
        !(self.reads || self.writes || self.convergent || self.noreturn)
    }
}

impl Op {
    /// What the operation does besides computing its result.
    pub const fn effects(self) -> Effects {
        const R: Effects = Effects { reads: true, writes: false, convergent: false, noreturn: false };
        const W: Effects = Effects { reads: false, writes: true, convergent: false, noreturn: false };
        const RW: Effects = Effects { reads: true, writes: true, convergent: false, noreturn: false };
        const SYNC: Effects = Effects { reads: true, writes: true, convergent: true, noreturn: false };
        const LANES: Effects = Effects { reads: false, writes: false, convergent: true, noreturn: false };
        const END: Effects = Effects { reads: false, writes: true, convergent: false, noreturn: true };
        match self {
            Self::VLoad | Self::VLoadHalf { .. } | Self::LoadCache(_) => R,
            Self::VStore
            | Self::VStoreHalf { .. }
            | Self::StoreCache(_)
            | Self::MemSet
            | Self::AtomicInit
            | Self::Alloca
            | Self::Assume => W,
            Self::MemCpy
            | Self::MemMove
            | Self::Atomic { .. }
            | Self::AtomicStep { .. }
            | Self::AtomicCas { .. }
            | Self::AtomicCasPtr { .. }
            | Self::AtomicLoad { .. }
            | Self::AtomicStore { .. }
            | Self::AtomicFlagSet { .. }
            | Self::AtomicFlagClear { .. }
            | Self::Fence { .. }
            | Self::Printf
            | Self::NanoSleep
            | Self::Breakpoint
            | Self::Prefetch
            | Self::Special(Special::Clock32 | Special::Clock64 | Special::GlobalTimer) => RW,
            Self::Barrier
            | Self::BarrierReduce(_)
            | Self::WarpBarrier
            | Self::AsyncCopy
            | Self::AsyncStridedCopy
            | Self::WaitEvents
            | Self::MatchAll
            | Self::GroupReduce(_)
            | Self::GroupScan { .. }
            | Self::GroupBroadcast
            | Self::GroupVote(_) => SYNC,
            Self::Shfl { .. }
            | Self::Vote { .. }
            | Self::ActiveMask
            | Self::MatchAny
            | Self::WarpReduce(_)
            | Self::SubGroupReduce(_)
            | Self::SubGroupScan { .. }
            | Self::SubGroupBroadcast => LANES,
            Self::Trap | Self::Exit | Self::AssertFail | Self::Unreachable => END,
            _ => Effects::PURE,
        }
    }
}
