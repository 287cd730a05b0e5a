//! The words that operations are qualified by: rounding directions, axes, scopes, orders, cache operators, special values.

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
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// Over which lanes of a sub-group something is combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Over {
    /// All.
    All,
    /// Those up to the own one.
    UpToOwn,
    /// Those before the own one.
    BeforeOwn,
    /// Those in the own one's cluster, whose size is the last operand.
    Cluster,
}

/// Lanes of a sub-group, by how their numbers compare with the own one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum LaneSet {
    All,
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
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
    /// Unordered or equal.
    EqOrNan,
    /// Unordered or less.
    LtOrNan,
    /// Unordered, less or equal.
    LeOrNan,
    /// Unordered or greater.
    GtOrNan,
    /// Unordered, greater or equal.
    GeOrNan,
}
