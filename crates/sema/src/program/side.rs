//! Host and device.

/// Where a function may be called, or a variable be used by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// In kernels only: all of OpenCL C; CUDA's `__global__`, `__device__`, `__shared__` and `__constant__`.
    Device,
    /// In host code only: what CUDA marks by nothing, or by `__host__` alone.
    Host,
    /// In both: `__host__ __device__`, `constexpr`, `__managed__`; host constants whose value kernels use; all of plain C,
    /// which says nothing about it.
    Both,
}

impl Side {
    /// Whether device code has it.
    pub const fn on_device(self) -> bool {
        !matches!(self, Self::Host)
    }

    /// Whether host code has it.
    pub const fn on_host(self) -> bool {
        !matches!(self, Self::Device)
    }
}

/// A function or variable of the host, which the program has no code or memory for: nothing but its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostEntity {
    /// Its unqualified name as written.
    pub name: source::Symbol,
    /// Where it is declared.
    pub span: source::Span,
    /// Whether it is a function.
    pub is_function: bool,
}
