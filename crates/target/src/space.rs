//! Address spaces, by the numbers that NVPTX and AMDGPU share for the spaces of a kernel.

/// What is true of an address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpaceInfo {
    /// Number in the IR and in LLVM's NVPTX.
    pub number: u8,
    /// Name in this compiler's messages.
    pub name: &'static str,
    /// PTX suffix of loads and stores.
    pub ptx: &'static str,
    /// Number in LLVM's AMDGPU.
    pub amdgpu: u8,
    /// May be stored to.
    pub writable: bool,
    /// Each work-item sees its own.
    pub per_item: bool,
    /// Each work-group sees its own.
    pub per_group: bool,
}

const fn row(number: u8, name: &'static str, ptx: &'static str, amdgpu: u8, writable: bool) -> SpaceInfo {
    SpaceInfo { number, name, ptx, amdgpu, writable, per_item: number == 5, per_group: number == 3 }
}

/// Every address space, by number.
pub const SPACES: [SpaceInfo; 6] = [
    row(0, "generic", "", 0, true),
    row(1, "global", ".global", 1, true),
    row(2, "param", ".param", 4, false),
    row(3, "shared", ".shared", 3, true),
    row(4, "constant", ".const", 4, false),
    row(5, "private", ".local", 5, true),
];

/// Bytes of the constant bank that user variables may take.
pub const CONSTANT_BYTES: u64 = 64 * 1024;

/// Bytes of kernel parameters before PTX 8.1 and sm_70.
pub const PARAM_BYTES: u32 = 4352;

/// Bytes of kernel parameters from PTX 8.1 and sm_70 on.
pub const PARAM_BYTES_LARGE: u32 = 32764;

/// Most bytes of private memory of one work-item.
pub const PRIVATE_BYTES: u64 = 512 * 1024;

#[cfg(test)]
mod tests {
    #[test]
    fn numbered_by_position() {
        for (n, s) in super::SPACES.iter().enumerate() {
            assert_eq!(usize::from(s.number), n);
        }
    }
}
