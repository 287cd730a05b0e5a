//! What the operations of built-in functions do besides computing their results.

use crate::op::{AtomicOp, ControlOp, ItemOp, LaneOp, MemoryOp, Op, SyncOp};
use crate::vocabulary::Special;

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
    const READS: Self = Self { reads: true, ..Self::PURE };
    const WRITES: Self = Self { writes: true, ..Self::PURE };
    const READS_WRITES: Self = Self { reads: true, writes: true, ..Self::PURE };
    /// Work-items meet, and see what the others wrote.
    const MEETING: Self = Self { convergent: true, ..Self::READS_WRITES };
    /// Lanes of a warp tell each other values.
    const EXCHANGE: Self = Self { convergent: true, ..Self::PURE };
    const ENDS: Self = Self { noreturn: true, ..Self::WRITES };

    /// Whether the result depends on the operands only.
    pub const fn is_pure(self) -> bool {
        !(self.reads || self.writes || self.convergent || self.noreturn)
    }
}

impl Op {
    /// What the operation does besides computing its result.
    pub const fn effects(self) -> Effects {
        match self {
            Self::Float(_) | Self::Geometric(_) | Self::Integer(_) | Self::Value(_) => Effects::PURE,
            Self::Memory(op) => op.effects(),
            Self::Atomic(AtomicOp::Init) => Effects::WRITES,
            Self::Atomic(_) => Effects::READS_WRITES,
            Self::Sync(op) => op.effects(),
            Self::Item(ItemOp::Special(Special::Clock32 | Special::Clock64 | Special::GlobalTimer)) => {
                Effects::READS_WRITES
            }
            Self::Item(_) => Effects::PURE,
            Self::Control(op) => op.effects(),
        }
    }
}

impl MemoryOp {
    const fn effects(self) -> Effects {
        match self {
            Self::VLoad | Self::VLoadHalf { .. } | Self::LoadCache(_) => Effects::READS,
            Self::VStore | Self::VStoreHalf { .. } | Self::StoreCache(_) | Self::MemSet => Effects::WRITES,
            Self::MemCpy | Self::MemMove | Self::Prefetch => Effects::READS_WRITES,
            Self::AsyncCopy | Self::AsyncStridedCopy | Self::WaitEvents => Effects::MEETING,
            Self::IsSpace(_)
            | Self::IsCluster
            | Self::IsParam
            | Self::IntoSpace(_)
            | Self::FenceOf
            | Self::ToSpaceAddress(_)
            | Self::FromSpaceAddress(_) => Effects::PURE,
        }
    }
}

impl SyncOp {
    /// Whether there is an operand that no program passes: work-group memory of eight bytes for each sub-group.
    pub const fn takes_memory(self) -> bool {
        matches!(self, Self::GroupReduce(_) | Self::GroupScan { .. } | Self::GroupBroadcast)
    }

    const fn effects(self) -> Effects {
        match self {
            Self::Fence { .. } => Effects::READS_WRITES,
            Self::Barrier
            | Self::BarrierReduce(_)
            | Self::GroupVote(_)
            | Self::GroupReduce(_)
            | Self::GroupScan { .. }
            | Self::GroupBroadcast
            | Self::WarpBarrier
            | Self::SubGroupBarrier
            | Self::MatchAll => Effects::MEETING,
            Self::Shuffle { .. }
            | Self::Vote { .. }
            | Self::ActiveMask
            | Self::MatchAny
            | Self::WarpReduce(_)
            | Self::SubGroupReduce(_)
            | Self::SubGroupScan { .. }
            | Self::SubGroupBroadcast => Effects::EXCHANGE,
            Self::Lanes(
                LaneOp::InverseBallot
                | LaneOp::BallotBit
                | LaneOp::BallotCount(_)
                | LaneOp::BallotFirst
                | LaneOp::BallotLast
                | LaneOp::Mask(_),
            ) => Effects::PURE,
            Self::Lanes(_) => Effects::EXCHANGE,
        }
    }
}

impl ControlOp {
    const fn effects(self) -> Effects {
        match self {
            Self::Printf | Self::NanoSleep | Self::Breakpoint => Effects::READS_WRITES,
            Self::Trap | Self::Exit | Self::AssertFail | Self::Unreachable => Effects::ENDS,
        }
    }
}
