//! Why there is no machine code.

use source::{Diagnostic, Span};

/// Why there is no machine code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LlvmError {
    /// A construct that has no meaning on the machine.
    #[error("{what} cannot be compiled for {machine} ({help})")]
    Unsupported {
        /// What it is, e.g. `printf`.
        what: String,
        /// Where it stands.
        span: Span,
        /// What to do.
        help: String,
        /// The machine: `the host`, or the name of a GPU in quotes.
        machine: String,
    },
    /// More private memory than the stack may hold.
    #[error("`{function}` needs {bytes} bytes of private memory, more than {limit}")]
    StackTooLarge {
        /// The entry point.
        function: String,
        /// Bytes along the deepest chain of calls.
        bytes: u64,
        /// The limit.
        limit: u64,
        /// Where the function is.
        span: Span,
    },
    /// An entry point that is not in the module, or has no body.
    #[error("there is no function `{name}` to compile")]
    NoEntry {
        /// Its name.
        name: String,
    },
    /// A processor or target that LLVM does not know.
    #[error("LLVM cannot compile for `{machine}`: {message}")]
    Target {
        /// The processor or target.
        machine: String,
        /// What LLVM says.
        message: String,
    },
    /// Machine code that could not be loaded into this process: a missing symbol, or no memory.
    #[error("machine code cannot be loaded: {message}")]
    Load {
        /// What LLVM says.
        message: String,
    },
    /// A fault of this crate: LLVM rejects what it was given.
    #[error("internal error: LLVM rejects the code: {message}")]
    Internal {
        /// What LLVM says.
        message: String,
    },
}

impl LlvmError {
    pub(crate) fn unsupported(what: impl Into<String>, span: Span, help: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), span, help: help.into(), machine: "the host".to_owned() }
    }

    /// The same about another machine than the host.
    pub(crate) fn on(mut self, name: &str) -> Self {
        if let Self::Unsupported { machine, .. } = &mut self {
            *machine = format!("`{name}`");
        }
        self
    }

    /// Where in the source, if a place is to blame.
    pub fn span(&self) -> Span {
        match self {
            Self::Unsupported { span, .. } | Self::StackTooLarge { span, .. } => *span,
            _ => Span::NONE,
        }
    }

    /// The diagnostic to report.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Unsupported { what, span, help, machine } => {
                Diagnostic::error("E0511", *span, format!("{what} cannot be compiled for {machine}")).help(help.clone())
            }
            Self::StackTooLarge { function, bytes, limit, span } => Diagnostic::error(
                "E0512",
                *span,
                format!("`{function}` needs {bytes} bytes of private memory, more than {limit}"),
            )
            .help("use a buffer in global memory, or fewer work-items per group"),
            other => Diagnostic::error("E0513", Span::NONE, format!("no machine code: {other}")),
        }
    }
}
