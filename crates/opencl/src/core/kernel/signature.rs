//! What a kernel takes, laid out for keeping.

use crate::core::launch::Prepared;
use unspool::kernels::{KernelInfo, ParamKind, Space};

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
    /// An image, sampler or queue; there are no such objects here.
    Opaque,
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
                if let Takes::Value(n) = t {
                    bytes = usize::saturating_add(bytes, *n);
                }
                place
            })
            .collect();
        Self { info, takes, prepared: Prepared::default(), places, bytes }
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
        ParamKind::Image { .. } | ParamKind::Sampler | ParamKind::Opaque => Takes::Opaque,
    }
}
