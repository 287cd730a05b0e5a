//! What a kernel takes, laid out for keeping.

use crate::core::launch::Prepared;
use crate::core::program::executable::Footprint;
use launch::kernels::{Access, ImageDims, KernelInfo, ParamKind, Space};
use opencl_sys as cl;
use std::sync::OnceLock;

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// So many bytes.
    Value(usize),
    /// A memory object, or an address of shared virtual memory.
    Memory {
        /// Where the pointer points: global or constant memory.
        constant: bool,
    },
    /// Work-group memory, by its size.
    Local,
    /// An image of this kind.
    Image {
        /// `CL_MEM_OBJECT_IMAGE2D` and so on.
        kind: cl::cl_mem_object_type,
        /// What the kernel does with it.
        access: Access,
    },
    /// A sampler; kernels get a number.
    Sampler,
    /// A queue; there are no such objects here.
    Opaque,
}

impl Takes {
    /// Bytes that are kept of a value.
    pub(super) fn value_bytes(self) -> usize {
        match self {
            Self::Value(size) => size,
            Self::Sampler => size_of::<u32>(),
            Self::Memory { .. } | Self::Local | Self::Image { .. } | Self::Opaque => 0,
        }
    }
}

/// A kernel as its callers see it.
#[derive(Debug)]
pub struct Signature {
    /// As the compiler knows it.
    pub info: KernelInfo,
    /// What each parameter takes.
    pub takes: Box<[Takes]>,
    /// Machine code for devices and local sizes that were used lately.
    pub prepared: Prepared,
    /// The memory that it takes, once somebody has asked: libraries ask before each launch.
    pub(crate) footprint: OnceLock<Footprint>,
    /// Where the bytes of each value stand among the bytes of all.
    pub(super) places: Box<[usize]>,
    /// Bytes of all values.
    pub(super) bytes: usize,
}

impl Signature {
    /// The signature of a kernel.
    pub fn new(info: KernelInfo) -> Self {
        let takes: Box<[Takes]> = info.params.iter().map(|p| takes(&p.kind)).collect();
        let mut bytes = 0usize;
        let places = takes
            .iter()
            .map(|t| {
                let place = bytes;
                bytes = bytes.saturating_add(t.value_bytes());
                place
            })
            .collect();
        Self { info, takes, prepared: Prepared::default(), footprint: OnceLock::new(), places, bytes }
    }

    /// The name by which devices know it.
    pub fn symbol(&self) -> &str {
        &self.info.symbol
    }
}

fn takes(kind: &ParamKind) -> Takes {
    let size = |bytes: u64| Takes::Value(usize::try_from(bytes).unwrap_or(usize::MAX));
    match kind {
        ParamKind::Value(e) => size(e.bytes),
        ParamKind::Bytes { bytes } => size(*bytes),
        ParamKind::Pointer { space: Space::Local, .. } => Takes::Local,
        ParamKind::Pointer { space, .. } => Takes::Memory { constant: *space == Space::Constant },
        ParamKind::Image { access, dims } => Takes::Image { kind: image_kind(*dims), access: *access },
        ParamKind::Sampler => Takes::Sampler,
        ParamKind::Opaque => Takes::Opaque,
    }
}

/// The kind of image that a type takes.
fn image_kind(dims: ImageDims) -> cl::cl_mem_object_type {
    match dims {
        ImageDims::D1 => cl::CL_MEM_OBJECT_IMAGE1D,
        ImageDims::D1Array => cl::CL_MEM_OBJECT_IMAGE1D_ARRAY,
        ImageDims::D1Buffer => cl::CL_MEM_OBJECT_IMAGE1D_BUFFER,
        ImageDims::D2 => cl::CL_MEM_OBJECT_IMAGE2D,
        ImageDims::D2Array => cl::CL_MEM_OBJECT_IMAGE2D_ARRAY,
        ImageDims::D3 => cl::CL_MEM_OBJECT_IMAGE3D,
    }
}
