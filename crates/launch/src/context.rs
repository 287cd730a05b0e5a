//! What a work-group function and its caller agree on.
//!
//! A work-group function has the IR signature `void name(ptr args, ptr group)`:
//!
//! * `args` points to the kernel's arguments, one after the other, each at the next multiple of its alignment (the
//!   order and the offsets that [`ArgSlot`] gives). A pointer argument's slot holds an address; the slot of a pointer to
//!   work-group memory (an OpenCL `__local` argument) holds the address of that memory for the running group, so each
//!   thread of the caller has a copy of the block of its own.
//! * `group` points to a [`GroupContext`].
//!
//! A function is for one local size, whose numbers are part of the code, or it reads the size from the group's
//! description ([`crate::CodeSize`]). Where the groups of a
//! launch are of several sizes (OpenCL's non-uniform ranges), those of each size are run by a function of their own, to
//! which they are a launch with a later origin: `group_id` counts from 0 in it, and `first_group` says what is before.

/// Largest extent of a launch that a vectorised work-group function is right for: in each dimension, the global size
/// (groups × local size) and the first global id, also that of a part, are at most this. So global ids, also those of lanes
/// that are off, fit 31 bits, and indices made of them are known not to wrap. A launch beyond needs a function made with `simd::Options::vectorise` off.
pub const MAX_EXTENT: u64 = (1 << 30) - (1 << 17);

/// Alignment of the work-group's memory, of each local array in it, and of scratch memory.
pub const MEMORY_ALIGN: u64 = 128;

/// What a work-group function reads about the group it runs. Offsets are part of the contract: the generated code
/// reads fields at [`GroupContext`]'s `OFFSET_…` constants.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GroupContext {
    /// Which group this is, per dimension, among those of its size.
    pub group_id: [u32; 3],
    /// How many groups there are in all, per dimension.
    pub num_groups: [u32; 3],
    /// Number of dimensions of the launch, 1 to 3.
    pub work_dim: u32,
    /// Zero.
    pub reserved: u32,
    /// First global id of the groups of this size, per dimension.
    pub origin: [u64; 3],
    /// The group's memory: the statically declared variables, `simd::HostKernel::shared_bytes` of them,
    /// then, for CUDA kernels, the dynamic part. Aligned to [`MEMORY_ALIGN`].
    pub shared: *mut u8,
    /// `simd::HostKernel::scratch` for values that live across barriers. Aligned to [`MEMORY_ALIGN`].
    pub scratch: *mut u8,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u64,
    /// Set to a nonzero code of [`trap`] when a work-item stops the kernel.
    pub trap: u32,
    /// For code that runs several groups in one call (`simd::group_runs`): the number in x behind that of the last one.
    pub run_end: u32,
    /// Number of the group that [`Self::group_id`] calls 0, per dimension.
    pub first_group: [u32; 3],
    /// The local size that was asked for: that of all groups but the last ones, which may be smaller.
    pub enqueued_local: [u32; 3],
    /// Work-items in all, per dimension.
    pub global_size: [u64; 3],
    /// First global id of all, per dimension.
    pub range_offset: [u64; 3],
    /// Work-items of this group, per dimension; what is made for one size does not look.
    pub local_size: [u32; 3],
    /// As [`Self::run_end`], in y.
    pub rows_end: u32,
    /// Bytes at [`Self::shared`], with the dynamic part and the arrays of `__local` arguments.
    pub shared_bytes: u64,
}

/// How far below the [`GroupContext`] a work-group function's stack slots are at most: the context stands on the stack that
/// the function runs on, which goes on for at least so long. What a pointer there points to is private memory.
pub const STACK_BYTES: u64 = (1 << 20) + (64 << 10);

/// Codes in [`GroupContext::trap`].
pub mod trap {
    /// The kernel executed a trap.
    pub const TRAP: u32 = 1;
    /// An assertion of the kernel failed.
    pub const ASSERT: u32 = 2;
    /// Functions that call themselves took more of the stack than there is.
    pub const STACK: u32 = 3;

    /// What a code says of its kernel.
    pub fn words(code: u32) -> &'static str {
        match code {
            STACK => "functions that call themselves took more of the stack than there is",
            _ => "the kernel stopped itself",
        }
    }
}

impl GroupContext {
    /// Offset of [`Self::group_id`].
    pub const OFFSET_GROUP_ID: i64 = 0;
    /// Offset of [`Self::num_groups`].
    pub const OFFSET_NUM_GROUPS: i64 = 12;
    /// Offset of [`Self::work_dim`].
    pub const OFFSET_WORK_DIM: i64 = 24;
    /// Offset of [`Self::origin`].
    pub const OFFSET_ORIGIN: i64 = 32;
    /// Offset of [`Self::shared`].
    pub const OFFSET_SHARED: i64 = 56;
    /// Offset of [`Self::scratch`].
    pub const OFFSET_SCRATCH: i64 = 64;
    /// Offset of [`Self::dynamic_shared`].
    pub const OFFSET_DYNAMIC_SHARED: i64 = 72;
    /// Offset of [`Self::trap`].
    pub const OFFSET_TRAP: i64 = 80;
    /// Offset of [`Self::run_end`].
    pub const OFFSET_RUN_END: i64 = 84;
    /// Offset of [`Self::first_group`].
    pub const OFFSET_FIRST_GROUP: i64 = 88;
    /// Offset of [`Self::enqueued_local`].
    pub const OFFSET_ENQUEUED_LOCAL: i64 = 100;
    /// Offset of [`Self::global_size`].
    pub const OFFSET_GLOBAL_SIZE: i64 = 112;
    /// Offset of [`Self::range_offset`].
    pub const OFFSET_RANGE_OFFSET: i64 = 136;
    /// Offset of [`Self::local_size`].
    pub const OFFSET_LOCAL_SIZE: i64 = 160;
    /// Offset of [`Self::rows_end`].
    pub const OFFSET_ROWS_END: i64 = 172;
    /// Offset of [`Self::shared_bytes`].
    pub const OFFSET_SHARED_BYTES: i64 = 176;
}

/// Where one kernel argument stands in the block of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgSlot {
    /// Byte offset in the block.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Whether it is a pointer to work-group memory, whose slot the caller fills per group.
    pub local: bool,
}

#[cfg(test)]
mod tests {
    use super::GroupContext as G;
    use std::mem::offset_of;

    #[test]
    fn offsets_are_those_of_the_structure() {
        assert_eq!(offset_of!(G, group_id), G::OFFSET_GROUP_ID as usize);
        assert_eq!(offset_of!(G, num_groups), G::OFFSET_NUM_GROUPS as usize);
        assert_eq!(offset_of!(G, work_dim), G::OFFSET_WORK_DIM as usize);
        assert_eq!(offset_of!(G, origin), G::OFFSET_ORIGIN as usize);
        assert_eq!(offset_of!(G, shared), G::OFFSET_SHARED as usize);
        assert_eq!(offset_of!(G, scratch), G::OFFSET_SCRATCH as usize);
        assert_eq!(offset_of!(G, dynamic_shared), G::OFFSET_DYNAMIC_SHARED as usize);
        assert_eq!(offset_of!(G, trap), G::OFFSET_TRAP as usize);
        assert_eq!(offset_of!(G, run_end), G::OFFSET_RUN_END as usize);
        assert_eq!(offset_of!(G, rows_end), G::OFFSET_ROWS_END as usize);
        assert_eq!(offset_of!(G, first_group), G::OFFSET_FIRST_GROUP as usize);
        assert_eq!(offset_of!(G, enqueued_local), G::OFFSET_ENQUEUED_LOCAL as usize);
        assert_eq!(offset_of!(G, global_size), G::OFFSET_GLOBAL_SIZE as usize);
        assert_eq!(offset_of!(G, range_offset), G::OFFSET_RANGE_OFFSET as usize);
        assert_eq!(offset_of!(G, local_size), G::OFFSET_LOCAL_SIZE as usize);
        assert_eq!(offset_of!(G, shared_bytes), G::OFFSET_SHARED_BYTES as usize);
    }
}
