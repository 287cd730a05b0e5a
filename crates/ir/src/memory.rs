//! How memory is accessed, and how results are rounded.

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
