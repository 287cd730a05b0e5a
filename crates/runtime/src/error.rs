//! Why a kernel could not be made ready, or did not run to its end.

use launch::ShapeError;
use launch::buffer::BufferError;
use llvm::LlvmError;
use source::{Diagnostic, Span};

/// Why a kernel could not be made ready, or did not run to its end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The kernel does something that is not covered on the host.
    #[error("{0}")]
    Unsupported(#[from] simd::Unsupported),
    /// The program comes from bytes that hold none.
    #[error("{0}")]
    Object(#[from] unspool::object::ObjectError),
    /// The program has no kernel of this name.
    #[error("the program has no kernel `{name}`")]
    NoKernel {
        /// The symbol that was asked for.
        name: String,
    },
    /// There is no machine code.
    #[error("{0}")]
    Llvm(#[from] LlvmError),
    /// More or fewer arguments than parameters.
    #[error("{given} arguments given, the kernel takes {expected}")]
    ArgumentCount {
        /// Given.
        given: usize,
        /// Expected.
        expected: usize,
    },
    /// An argument that does not fit its parameter.
    #[error("argument {index} {why}")]
    Argument {
        /// Which, from 0.
        index: usize,
        /// In which way.
        why: String,
    },
    /// A launch with another local size than the kernel was made for.
    #[error("the kernel was made for groups of {made:?} work-items, not {asked:?}")]
    LocalSize {
        /// What it was made for.
        made: [u32; 3],
        /// What is asked for.
        asked: [u32; 3],
    },
    /// A launch so large that numbers of work-items in vectors may wrap.
    #[error(
        "in dimension {dimension} the launch reaches work-item {last}: code in vectors is made for up to {most}; launch \
         it in parts, or make the kernel without vectors"
    )]
    Extent {
        /// Which, from 0.
        dimension: usize,
        /// Global size or offset, the larger.
        last: u64,
        /// Most.
        most: u64,
    },
    /// A range that no device runs.
    #[error("{0}")]
    Range(#[from] ShapeError),
    /// Groups of several sizes for a kernel that was compiled for one.
    #[error(
        "in dimension {dimension} the local size {local} does not divide the global size {global}: only OpenCL C 2.0 and \
         later without `-cl-uniform-work-group-size` runs smaller groups at the end"
    )]
    NotUniform {
        /// Which, from 0.
        dimension: usize,
        /// Work-items in all.
        global: u64,
        /// Work-items of a group.
        local: u32,
    },
    /// A group too large for the device.
    #[error("a work-group of {items} work-items is too large: the host runs up to {most}")]
    GroupTooLarge {
        /// Work-items.
        items: u64,
        /// Most.
        most: u64,
    },
    /// No memory for local arrays or for what lives across barriers.
    #[error("no memory for a work-group: {0}")]
    Memory(#[from] BufferError),
    /// The kernel stopped itself.
    #[error("the kernel stopped itself in work-group {},{},{}", group[0], group[1], group[2])]
    Trap {
        /// The code that it left.
        code: u32,
        /// The first work-group in which that was seen.
        group: [u32; 3],
    },
}

impl Error {
    /// The diagnostic to report.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Unsupported(u) => {
                Diagnostic::error("E0714", u.span, format!("the host cannot run this kernel: {}", u.what))
                    .help(u.help.clone())
            }
            Self::Llvm(e) => e.diagnostic(),
            Self::Trap { .. } => Diagnostic::error("E0712", Span::NONE, self.to_string())
                .note("an `assert` that failed, `__trap()`, or code that must not be reached")
                .help("run with `--check` to see the place"),
            Self::Memory(_) => {
                Diagnostic::error("E0715", Span::NONE, self.to_string()).help("use smaller local arrays or groups")
            }
            _ => Diagnostic::error("E0712", Span::NONE, self.to_string()),
        }
    }
}
