//! What the preprocessor is told from outside.

use crate::Dialect;
use source::SourceError;
use std::path::{Path, PathBuf};

/// `-D` or `-U`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Define {
    /// `-DNAME`, `-DNAME=BODY`, `-DNAME(PARAMS)=BODY`.
    Define(String, Option<String>),
    /// `-UNAME`.
    Undef(String),
}

/// What to do about an `#include` of a well-known host header that is nowhere on the search path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HostHeaders {
    /// Accept it as empty, or give our own small text (`<stdint.h>`, `<limits.h>`, …).
    #[default]
    Accept,
    /// An error, as for any other file.
    Reject,
}

/// Bounds on what one compilation may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PpLimits {
    /// Tokens handed to the parser.
    pub output_tokens: usize,
    /// Tokens made by macro expansion, counting those expanded again.
    pub expanded_tokens: usize,
    /// Macro expansions.
    pub expansions: usize,
    /// Bytes of text made by `#` and `##`.
    pub made_text: usize,
    /// Depth of `#include`.
    pub include_depth: usize,
    /// Depth of macro calls within arguments of macro calls.
    pub expansion_depth: usize,
    /// Depth of `#if`.
    pub conditional_depth: usize,
}

impl Default for PpLimits {
    fn default() -> Self {
        Self {
            output_tokens: 16 << 20,
            expanded_tokens: 32 << 20,
            expansions: 2 << 20,
            made_text: 16 << 20,
            include_depth: 200,
            expansion_depth: 128,
            conditional_depth: 1 << 16,
        }
    }
}

/// Options of a compilation that the preprocessor needs.
#[derive(Clone, Debug)]
pub struct PpOptions {
    /// The language.
    pub dialect: Dialect,
    /// `-D` and `-U`, in the order given.
    pub defines: Vec<Define>,
    /// `-iquote`: for `#include "…"` only.
    pub quote_dirs: Vec<PathBuf>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`.
    pub system_dirs: Vec<PathBuf>,
    /// Where the host's own headers are: searched last, for what neither a directory nor a stand-in has.
    pub host_dirs: Vec<PathBuf>,
    /// `-include`, in the order given.
    pub forced_includes: Vec<String>,
    /// Headers in memory: the name by which `#include` finds them, before any directory, and the text.
    pub virtual_headers: Vec<(String, Vec<u8>)>,
    /// Host headers that are not there.
    pub host_headers: HostHeaders,
    /// Macros say that the code becomes PTX.
    pub ptx: bool,
    /// Macros say that kernels may read and write images.
    pub images: bool,
    /// What CUDA's compiler declares without an `#include` is put before a program that names it: not wanted where
    /// somebody looks at the tokens.
    pub implied: bool,
    /// Textures and surfaces are among that.
    pub textures: bool,
    /// Macros say that kernels may compute with `half`.
    pub half: bool,
    /// `__CUDA_ARCH__`: 900 for `sm_90`.
    pub cuda_arch: u32,
    /// `-cl-fast-relaxed-math`: defines `__FAST_RELAXED_MATH__` and `__FINITE_MATH_ONLY__`.
    pub fast_relaxed_math: bool,
    /// `-cl-finite-math-only`: defines `__FINITE_MATH_ONLY__`.
    pub finite_math_only: bool,
    /// `-use_fast_math`: defines `__USE_FAST_MATH__`.
    pub use_fast_math: bool,
    /// Whether `__OPTIMIZE__` is defined.
    pub optimize: bool,
    /// Whether `__CUDACC_DEBUG__` is defined (`-G`).
    pub debug: bool,
    /// Whether `acc` directives are read: defines `_OPENACC`.
    pub openacc: bool,
    /// Bounds.
    pub limits: PpLimits,
}

impl PpOptions {
    /// The defaults of a dialect.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            defines: Vec::new(),
            quote_dirs: Vec::new(),
            include_dirs: Vec::new(),
            host_dirs: Vec::new(),
            system_dirs: Vec::new(),
            forced_includes: Vec::new(),
            virtual_headers: Vec::new(),
            host_headers: HostHeaders::Accept,
            ptx: true,
            images: false,
            implied: true,
            textures: true,
            half: true,
            cuda_arch: 900,
            fast_relaxed_math: false,
            finite_math_only: false,
            use_fast_math: false,
            optimize: true,
            debug: false,
            openacc: false,
            limits: PpLimits::default(),
        }
    }
}

/// Where `#include` gets files from.
pub trait FileLoader {
    /// The bytes of the file at `path`; `None` where there is none.
    ///
    /// # Errors
    /// When there is something at `path` that can't be read as a file.
    fn load(&self, path: &Path) -> Option<Result<Vec<u8>, SourceError>>;

    /// Whether there is a file at `path`.
    fn exists(&self, path: &Path) -> bool;

    /// The path by which a file is the same file, whichever path it is named by: symbolic links and `..` resolved.
    fn identity(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &Path) -> Option<Result<Vec<u8>, SourceError>> {
        match source::read_source(path, false) {
            Err(SourceError::IsDirectory(_)) => None,
            _ if std::fs::metadata(path).is_err() => None,
            read => Some(read),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|m| !m.is_dir())
    }

    fn identity(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }
}
