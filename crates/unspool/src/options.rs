//! Options of a compilation.

use crate::backend::{Backends, CodeOptions};
use ir::{Flags, MathMode, OptLevel};
use sema::Mode;
use std::ops::Range;
use std::path::PathBuf;
use syntax::Dialect;
use syntax::pp::Define;
use target::{Arch, Target};
use unroll::Knobs;

/// Floating-point options, each unset until the user or the dialect sets it.
#[derive(Clone, Copy, Debug, Default)]
pub struct MathOptions {
    /// `--use_fast_math`: approximate functions, flushed subnormals, fast division and square root.
    pub cuda_fast: bool,
    /// `-cl-fast-relaxed-math`: as above, and values may change as if numbers were real.
    pub cl_fast: bool,
    /// `-cl-unsafe-math-optimizations`.
    pub cl_unsafe: bool,
    /// `-cl-finite-math-only`.
    pub finite_only: bool,
    /// `-cl-no-signed-zeros`.
    pub no_signed_zeros: bool,
    /// `-ftz`, `-cl-denorms-are-zero`.
    pub ftz: Option<bool>,
    /// `-prec-div`, `-cl-fp32-correctly-rounded-divide-sqrt`.
    pub prec_div: Option<bool>,
    /// `-prec-sqrt`, likewise.
    pub prec_sqrt: Option<bool>,
    /// `-fmad`.
    pub fmad: Option<bool>,
    /// `-cl-single-precision-constant`.
    pub single_precision_constants: bool,
    /// Sums and products may be put together in another order, as `-fast` of compilers with directives has it: loops that sum become
    /// vectors.
    pub reassociate: bool,
}

impl MathOptions {
    /// What code generation does. CUDA divides exactly by default; OpenCL allows 2.5 ulp for division and 3 for square
    /// root in single precision (OpenCL 1.2, table 7.1).
    pub fn mode(&self, dialect: Dialect) -> MathMode {
        let fast = self.cuda_fast || self.cl_fast;
        let exact = !fast && !dialect.is_opencl();
        MathMode {
            ftz: self.ftz.unwrap_or(fast),
            prec_div: self.prec_div.unwrap_or(exact),
            prec_sqrt: self.prec_sqrt.unwrap_or(exact),
            fmad: self.fmad.unwrap_or(true),
        }
    }

    /// Fast-math flags of operators in the source.
    pub fn flags(&self) -> Flags {
        let mut f = Flags::NONE;
        if self.cl_fast {
            f = f.with(Flags::FAST);
        }
        if self.cuda_fast || self.cl_unsafe {
            f = f.with(Flags::AFN).with(Flags::ARCP);
        }
        if self.cl_unsafe {
            f = f.with(Flags::NSZ).with(Flags::REASSOC);
        }
        if self.reassociate {
            f = f.with(Flags::REASSOC);
        }
        if self.finite_only {
            f = f.with(Flags::NNAN).with(Flags::NINF);
        }
        if self.no_signed_zeros {
            f = f.with(Flags::NSZ);
        }
        f
    }
}

/// Which remarks are diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// `-Rpass=loop-unroll`
    pub passed: bool,
    /// `-Rpass-missed=loop-unroll`
    pub missed: bool,
    /// `-Rpass-analysis=loop-unroll`
    pub analysis: bool,
    /// `-Rpass-analysis=memory`: arrays that stay in memory, accesses that are not coalesced, bank conflicts, divergence.
    pub memory: bool,
    /// `-Rpass=matrix`: what products of matrices are made of.
    pub matrix: bool,
}

/// An unroll factor for the loops that begin at one place, as if the source asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopFactor {
    /// The line of the main file that the loop's keyword stands on, from 1.
    pub line: u32,
    /// Copies of the body; 1 keeps the loop as it is.
    pub factor: u32,
    /// They are jammed: iterations of the loop run side by side in the loop inside.
    pub jam: bool,
}

/// Options of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The language.
    pub dialect: Dialect,
    /// `-fmode`.
    pub mode: Mode,
    /// What the code is for: `-arch`, or this machine. What can be made of it depends on the [back ends](Self::backends);
    /// [`Emit::Ir`](crate::Emit::Ir) and [`Compilation::module`](crate::Compilation::module) are there for all.
    pub target: Target,
    /// What `__CUDA_ARCH__` says where the target is no NVIDIA architecture.
    pub stand_in_arch: Arch,
    /// `-O`.
    pub level: OptLevel,
    /// `-D`, `-U` in order.
    pub defines: Vec<Define>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`.
    pub system_dirs: Vec<PathBuf>,
    /// Where the host's own headers are, searched last; none by default.
    pub host_dirs: Vec<PathBuf>,
    /// `-include`.
    pub forced_includes: Vec<String>,
    /// Headers in memory: the name by which `#include "…"` and `#include <…>` find them, before any directory, and
    /// the text (`clCompileProgram`'s headers). A quoted name is first looked up beside the file that includes it.
    pub virtual_headers: Vec<(String, Vec<u8>)>,
    /// Floating point.
    pub math: MathOptions,
    /// `-lineinfo`: places of the source in the output.
    pub line_info: bool,
    /// Knobs of the unroller.
    pub knobs: Knobs,
    /// Remarks of the unroller.
    pub remarks: Remarks,
    /// `-w`.
    pub no_warnings: bool,
    /// `-Werror`.
    pub warnings_are_errors: bool,
    /// `-Werror=GROUP`.
    pub groups_as_errors: Vec<String>,
    /// `-Wno-GROUP`.
    pub muted_groups: Vec<String>,
    /// `-WGROUP`: groups that are off by default.
    pub enabled_groups: Vec<String>,
    /// `-Wno-error=GROUP`: stays a warning under `-Werror`.
    pub groups_as_warnings: Vec<String>,
    /// GPUs that the command line names again: a warning, since they are compiled for once.
    pub repeated_gpus: Vec<String>,
    /// `--verify-each`: check the IR after every pass.
    pub verify_each: bool,
    /// Measure how long each stage and pass takes.
    pub time: bool,
    /// Collect what `explain` shows.
    pub explain: bool,
    /// Threads of a block, for the occupancy that `explain` shows where the source does not say.
    pub block: Option<u32>,
    /// Experiments: factors for loops of the main file, instead of what the source asks for.
    pub factors: Vec<LoopFactor>,
    /// Experiments: tokens of the preprocessed source that are left out, by their numbers.
    pub without: Vec<Range<u32>>,
    /// This compilation is an experiment of an explanation: no others are made for it.
    pub experiment: bool,
    /// Kernels may be launched over ranges whose local size does not divide their global size: OpenCL C 2.0 and later
    /// unless `-cl-uniform-work-group-size`. For the host and the interpreter; PTX has groups of one size.
    pub partial_groups: bool,
    /// The program keeps to C's rules about the types of what is in memory ([`ir::FnAttrs::typed_memory`]): what compilers of C
    /// assume unless `-fno-strict-aliasing` is among their options.
    pub typed_memory: bool,
    /// Collect what a host must know to call the kernels.
    pub kernel_info: bool,
    /// The source is one of several: functions may be defined elsewhere, and what others may call is kept. The module is
    /// not optimised; [`Compilation::into_linkable`](crate::Compilation::into_linkable) makes what [`link`](crate::link())
    /// takes.
    pub separate: bool,
    /// What the file's own names are told apart by where host code of nvcc asks for them: the contents of its `FILE.module_id`.
    pub module_id: Option<String>,
    /// The module is for the interpreter, which checks it: fences, asynchronous copies and indices of arrays are in it as
    /// the source has them ([`ir::Intrinsic::is_check`]). Machines run it, too, and take no notice.
    pub checks: bool,
    /// Who makes products of the IR: PTX, and what the program registers.
    pub backends: Backends,
    /// What they must know besides.
    pub code: CodeOptions,
}

impl Options {
    /// The defaults of a dialect, for `sm_75`, the oldest architecture that CUDA 13 assembles for.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            mode: Mode::default(),
            target: Target::default(),
            stand_in_arch: Arch::DEFAULT,
            level: OptLevel::O3,
            defines: Vec::new(),
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            host_dirs: Vec::new(),
            forced_includes: Vec::new(),
            virtual_headers: Vec::new(),
            math: MathOptions::default(),
            line_info: false,
            knobs: Knobs::default(),
            remarks: Remarks::default(),
            no_warnings: false,
            warnings_are_errors: false,
            groups_as_errors: Vec::new(),
            muted_groups: Vec::new(),
            enabled_groups: Vec::new(),
            groups_as_warnings: Vec::new(),
            repeated_gpus: Vec::new(),
            verify_each: cfg!(debug_assertions),
            time: false,
            explain: false,
            block: None,
            factors: Vec::new(),
            without: Vec::new(),
            experiment: false,
            partial_groups: false,
            typed_memory: dialect.is_c11(),
            kernel_info: false,
            separate: false,
            module_id: None,
            checks: false,
            backends: Backends::new(),
            code: CodeOptions::default(),
        }
    }

    /// The defaults of a dialect for the machine that runs the compiler.
    pub fn host(dialect: Dialect) -> Self {
        let partial_groups = Self::has_partial_groups(dialect);
        Self { target: Target::here(None), partial_groups, ..Self::new(dialect) }
    }

    /// Whether a language has groups of several sizes in a launch.
    pub fn has_partial_groups(dialect: Dialect) -> bool {
        matches!(dialect, Dialect::OpenClC { version: 200.. })
    }

    /// Compiles for an NVIDIA architecture; a target that is none, set later, still stands in for this one.
    pub fn set_arch(&mut self, arch: Arch) {
        self.target = arch.target();
        self.stand_in_arch = arch;
    }

    /// The architecture that `__CUDA_ARCH__` names.
    pub fn cuda_arch(&self) -> Arch {
        self.target.ptx_arch().unwrap_or(self.stand_in_arch)
    }
}
