//! Why a launch stopped.

use source::Span;

/// How memory was touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Read and written by an atomic operation.
    Atomic,
}

impl Access {
    fn word(self) -> &'static str {
        ["read", "write", "atomic"][self as usize]
    }
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TrapKind {
    /// An access to memory that belongs to no object, or that reaches past the end of one.
    OutOfBounds {
        /// How.
        access: Access,
        /// First byte.
        address: u64,
        /// Number of bytes.
        bytes: u64,
        /// The object that the address points into or just past, and its size; empty if there is none.
        object: String,
        /// First byte relative to the object's start.
        offset: i64,
        /// Size of the object in bytes.
        size: u64,
    },
    /// An access through a pointer into one address space to memory of another.
    WrongSpace {
        /// First byte.
        address: u64,
        /// What the pointer's type says.
        space: ir::AddrSpace,
    },
    /// Memory was freed that was not allocated, or that was freed before.
    BadFree {
        /// Its address.
        address: u64,
    },
    /// An access at an address that is no multiple of the alignment it promises.
    Misaligned {
        /// First byte.
        address: u64,
        /// Alignment that the instruction promises.
        align: u64,
    },
    /// A write to memory that may only be read.
    ReadOnly {
        /// The object.
        object: String,
    },
    /// A read of memory that may only be written.
    WriteOnly {
        /// The object.
        object: String,
    },
    /// A read of memory that nothing has written ([`crate::Uninit::OnRead`]).
    UninitialisedRead {
        /// First byte.
        address: u64,
        /// The object.
        object: String,
        /// Offset of the first unwritten byte in the object.
        offset: u64,
    },
    /// An integer was divided by zero ([`crate::Machine::set_divisions_checked`]).
    DivisionByZero,
    /// An undefined value decides something: a branch, an address, a lane mask.
    UndefinedUse {
        /// What it decides.
        what: &'static str,
    },
    /// Two work-items of a group touch the same byte without a barrier in between, and one of them writes.
    DataRace {
        /// The byte.
        address: u64,
        /// The object.
        object: String,
        /// The byte's offset in the object.
        offset: u64,
        /// The other work-item, by its linear number in the group.
        other: u32,
        /// Where the other one touched it.
        other_span: Span,
        /// How the other one touched it.
        other_access: Access,
        /// How this one touched it.
        access: Access,
    },
    /// Two work-groups touch the same byte of global memory, not both by atomic operations, and one of them writes.
    GroupRace {
        /// The object.
        object: String,
        /// The byte's offset in the object.
        offset: u64,
        /// The other work-group, by its linear number in the launch.
        other_group: u32,
        /// The other work-item, by its linear number in its group.
        other: u32,
        /// Where the other one touched it.
        other_span: Span,
        /// How the other one touched it.
        other_access: Access,
        /// How this one touched it.
        access: Access,
    },
    /// A barrier that not all work-items of the group reach.
    BarrierDivergence {
        /// How many wait here.
        waiting: u32,
        /// How many wait elsewhere or have ended.
        elsewhere: u32,
    },
    /// Work-items of a group do not all ask for the same where all must.
    GroupDivergence {
        /// What they ask for.
        what: &'static str,
    },
    /// A wait for an event of no asynchronous copy, or a copy that is to have such an event.
    NoEvent,
    /// The kernel ends, and nobody has waited for an asynchronous copy.
    NotWaited,
    /// An index is outside of the array that it is applied to, though inside of the object that the array is a part of.
    IndexOutside {
        /// The index.
        index: i64,
        /// How many elements the array has.
        len: u64,
    },
    /// A warp operation whose mask names lanes that never get to it.
    WarpDivergence {
        /// The mask.
        mask: u64,
        /// Lanes of the mask that wait at this instruction.
        here: u64,
    },
    /// A warp operation whose mask does not name the lane that executes it.
    LaneNotInMask {
        /// The mask.
        mask: u64,
    },
    /// An `unreachable` was reached.
    Unreachable,
    /// An `assume` of something false.
    AssumeViolated,
    /// The program asked for it (`trap`).
    Trap,
    /// What the interpreter does not execute: inline assembly, calls of functions without a body.
    Unsupported {
        /// What.
        what: String,
    },
    /// The step limit is used up.
    StepLimit,
    /// The memory limit is used up.
    MemoryLimit,
    /// Calls nest too deep.
    StackOverflow,
    /// The launch itself is wrong: sizes, arguments.
    BadLaunch {
        /// In which way.
        why: String,
    },
}

impl TrapKind {
    /// How memory was touched and which object it was, where that is known.
    pub fn subject(&self) -> (Option<Access>, &str) {
        match self {
            Self::OutOfBounds { access, object, .. }
            | Self::DataRace { access, object, .. }
            | Self::GroupRace { access, object, .. } => (Some(*access), object),
            Self::ReadOnly { object } => (Some(Access::Write), object),
            Self::WriteOnly { object } | Self::UninitialisedRead { object, .. } => (Some(Access::Read), object),
            _ => (None, ""),
        }
    }

    /// Whether no other group of the launch can get further than this one.
    pub(crate) fn ends_launch(&self) -> bool {
        matches!(self, Self::Unsupported { .. } | Self::StepLimit | Self::MemoryLimit | Self::BadLaunch { .. })
    }

    /// Whether the operation can be left out, with 0 as what it would have read.
    pub(crate) fn may_be_skipped(&self) -> bool {
        matches!(
            self,
            Self::OutOfBounds { .. } | Self::WrongSpace { .. } | Self::ReadOnly { .. } | Self::UndefinedUse { .. }
        )
    }
}

impl std::fmt::Display for TrapKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfBounds { access, address, bytes, object, .. } if object.is_empty() => {
                write!(f, "out-of-bounds {} of {bytes} bytes at {address:#x}, which is in no object", access.word())
            }
            Self::OutOfBounds { access, bytes, object, offset, size, .. } => {
                write!(
                    f,
                    "out-of-bounds {} of {bytes} bytes at offset {offset} of {object} of {size} bytes",
                    access.word()
                )
            }
            Self::WrongSpace { address, space } => {
                write!(f, "access at {address:#x}, which is not in {} memory as the pointer's type says", space.name())
            }
            Self::Misaligned { address, align } => {
                write!(f, "misaligned access: address {address:#x} is no multiple of {align}")
            }
            Self::ReadOnly { object } => write!(f, "write to {object}, which is read-only"),
            Self::WriteOnly { object } => write!(f, "read of {object}, which is write-only"),
            Self::UninitialisedRead { object, offset, .. } => {
                write!(f, "uninitialised read at offset {offset} of {object}")
            }
            Self::UndefinedUse { what } => write!(f, "undefined value used as {what}"),
            Self::DataRace { object, offset, other, other_access, access, .. } => write!(
                f,
                "data race at offset {offset} of {object}: {} here, {} by work-item {other} with no barrier in between",
                access.word(),
                other_access.word()
            ),
            Self::GroupRace { object, offset, other_group, other_access, access, .. } => write!(
                f,
                "data race at offset {offset} of {object}: {} here, {} by work-group {other_group}",
                access.word(),
                other_access.word()
            ),
            Self::BarrierDivergence { waiting, elsewhere } => {
                write!(f, "barrier reached by {waiting} work-items of the group, but not by {elsewhere}")
            }
            Self::GroupDivergence { what } => {
                write!(f, "divergent: work-items of the group do not all ask for the same with {what}")
            }
            Self::NoEvent => f.write_str("no event of an asynchronous copy"),
            Self::NotWaited => f.write_str("the kernel ends without waiting for an asynchronous copy"),
            Self::IndexOutside { index, len } => {
                write!(f, "out-of-bounds index {index} of an array of {len} elements")
            }
            Self::WarpDivergence { mask, here } => {
                write!(f, "warp operation with mask {mask:#x} reached by lanes {here:#x} only")
            }
            Self::LaneNotInMask { mask } => write!(f, "warp operation by a lane that its mask {mask:#x} does not name"),
            Self::DivisionByZero => f.write_str("an integer is divided by zero"),
            Self::Unreachable => f.write_str("unreachable code was reached"),
            Self::AssumeViolated => f.write_str("an assumption does not hold"),
            Self::Trap => f.write_str("the program trapped"),
            Self::BadFree { address } => {
                write!(
                    f,
                    "{address:#x} is freed, where nothing begins that `malloc` or `new` gave and that is still there"
                )
            }
            Self::Unsupported { what } => write!(f, "the interpreter does not execute {what}"),
            Self::StepLimit => f.write_str("step limit exceeded: the program may not end"),
            Self::MemoryLimit => f.write_str("memory limit exceeded"),
            Self::StackOverflow => f.write_str("calls nest too deep"),
            Self::BadLaunch { why } => write!(f, "bad launch: {why}"),
        }
    }
}

/// A launch that stopped early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// Why.
    pub kind: TrapKind,
    /// Source place of the instruction.
    pub span: Span,
    /// Symbol name of the function that was executing; empty before the first instruction.
    pub function: String,
    /// The work-group.
    pub group: [u32; 3],
    /// The work-item in its group.
    pub work_item: [u32; 3],
}

impl Trap {
    /// A launch that could not begin.
    pub fn of_launch(why: String) -> Self {
        let kind = TrapKind::BadLaunch { why };
        Self { kind, span: Span::NONE, function: String::new(), group: [0; 3], work_item: [0; 3] }
    }
}

impl std::fmt::Display for Trap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.kind)?;
        if self.function.is_empty() {
            return Ok(());
        }
        write!(f, " (in `{}`, work-item {:?} of group {:?})", self.function, self.work_item, self.group)
    }
}

impl std::error::Error for Trap {}
