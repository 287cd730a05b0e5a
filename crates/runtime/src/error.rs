//! Why a kernel could not be made ready, or did not run to its end.

use crate::FaultKind;
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
    /// LLVM does not come to an end, not in the cheapest way either.
    #[error(
        "LLVM has not finished the code of `{kernel}` after {limit:?} of processor time, nor code made in the cheapest way; \
         divide the kernel, or try another optimisation level"
    )]
    Endless {
        /// The function.
        kernel: String,
        /// What LLVM may take.
        limit: std::time::Duration,
    },
    /// LLVM gives up, in the cheapest way, too.
    #[error("LLVM cannot make the code of `{kernel}`: {reason}; change the kernel, or try another optimisation level")]
    Refused {
        /// The function.
        kernel: String,
        /// The first line of what LLVM says.
        reason: String,
    },
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
    /// No memory for what is allocated on a device, or for the variables of a program.
    #[error("{0}")]
    Allocation(BufferError),
    /// An address that is none of the device's memory.
    #[error("{what} is no memory of the device: {address:#x} is free there, or an address of the host's")]
    NotDeviceMemory {
        /// Whose address it is.
        what: &'static str,
        /// The address.
        address: u64,
    },
    /// Bytes that leave the allocation in which they begin.
    #[error("{what} leaves its allocation: {bytes} bytes from byte {offset} on, and there are {size}")]
    OutsideAllocation {
        /// Whose bytes they are.
        what: &'static str,
        /// Where they begin in the allocation.
        offset: u64,
        /// How many they are.
        bytes: u64,
        /// Bytes of the allocation.
        size: u64,
    },
    /// An address of the device's memory where one of the host's is wanted.
    #[error("{what} is memory of the device, {address:#x}: say so, or copy to memory of the host's")]
    NotHostMemory {
        /// Whose address it is.
        what: &'static str,
        /// The address.
        address: u64,
    },
    /// Rows or slices that overlap, or more bytes than addresses count.
    #[error("rows of {what} overlap: {extent:?} bytes, rows and slices, {pitch:?} bytes from one to the next")]
    Pitch {
        /// The side of the copy.
        what: &'static str,
        /// Bytes of a row, rows, slices.
        extent: [u64; 3],
        /// Bytes from a row to the next, from a slice to the next.
        pitch: [u64; 2],
    },
    /// An argument that is an address which the device does not reach.
    #[error(
        "argument {index}{} is {address:#x}, which is no memory of the device: allocate it there, and copy",
        name.as_ref().map(|n| format!(" (`{n}`)")).unwrap_or_default()
    )]
    HostAddress {
        /// Which, from 0.
        index: usize,
        /// The parameter's name, if it is known.
        name: Option<String>,
        /// The address.
        address: u64,
    },
    /// The system lacks what a queue needs.
    #[error("a queue cannot be made: {why}")]
    Thread {
        /// What the system says.
        why: String,
    },
    /// The program has no variable of this name that callers may reach.
    #[error("the program has no variable `{name}` that outlives its kernels")]
    NoVariable {
        /// The symbol that was asked for.
        name: String,
    },
    /// The processor stopped the kernel.
    #[error(
        "kernel `{kernel}` {kind}, and the processor stopped it in work-group {},{},{}{}",
        group[0], group[1], group[2],
        place.as_ref().map(|at| format!(", at {}:{}", at.0, at.1)).unwrap_or_default()
    )]
    Fault {
        /// What the source calls it.
        kernel: String,
        /// What it did.
        kind: FaultKind,
        /// The first work-group in which that was seen.
        group: [u32; 3],
        /// The local sizes that its code was made for.
        code: launch::CodeSize,
        /// Where in its code, if that is known.
        offset: Option<u64>,
        /// The file and the line, if somebody has asked ([`HostDevice::place_of`](crate::HostDevice::place_of)).
        place: Option<Box<(String, u32)>>,
    },
    /// The kernel stopped itself.
    #[error("{} in work-group {},{},{}", launch::context::trap::words(*code), group[0], group[1], group[2])]
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
            Self::Trap { code: launch::context::trap::STACK, .. } => {
                Diagnostic::error("E0712", Span::NONE, self.to_string())
                    .help("end the recursion earlier, or use a loop with a stack in an array")
            }
            Self::Trap { .. } => Diagnostic::error("E0712", Span::NONE, self.to_string())
                .note("an `assert` that failed, `__trap()`, or code that must not be reached")
                .help("run with `--check` to see the place"),
            Self::NoVariable { .. } => Diagnostic::error("E0717", Span::NONE, self.to_string())
                .help("variables that are `const`, and those that no kernel needs, are parts of the code or left out"),
            Self::Fault { kind, .. } => {
                let fault = Diagnostic::error("E0716", Span::NONE, self.to_string());
                match kind {
                    FaultKind::Stack => fault.help("use smaller private arrays, or fewer calls within calls"),
                    _ => fault.help(
                        "run it with `unspool run --check` to see the line, the buffer, the index and the work-item",
                    ),
                }
            }
            Self::Memory(_) => {
                Diagnostic::error("E0715", Span::NONE, self.to_string()).help("use smaller local arrays or groups")
            }
            _ => Diagnostic::error("E0712", Span::NONE, self.to_string()),
        }
    }
}
