//! Where kernels run.

/// The kind of machine that code is made for. The stages before code generation differ little: a GPU runs every
/// work-item as a thread of its own, the host runs many in the lanes of a vector and has LLVM behind it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Machine {
    /// A GPU, by way of PTX.
    #[default]
    Gpu,
    /// The processor that runs the program.
    Host,
}

impl Machine {
    /// Whether this is [`Machine::Host`].
    pub fn is_host(self) -> bool {
        self == Self::Host
    }
}
