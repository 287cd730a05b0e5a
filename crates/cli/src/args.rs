//! The command line, as clap knows it. [`crate::normalise`] turns what users of nvcc and clang type into this form.

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A GPU kernel compiler that answers for every hint.
#[derive(Parser, Debug)]
#[command(name = "unspool", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Compile OpenCL C or CUDA C++ to PTX.
    Compile(Box<CompileArgs>),
    /// Say for every loop and every hint what was asked, what was done, and why.
    Explain(Box<ExplainArgs>),
    /// Print a completion script for a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

/// Language of a source.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// OpenCL C.
    Cl,
    /// CUDA C++.
    Cu,
    /// Plain C.
    C,
}

/// When to colour.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub(crate) enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Yes.
    Always,
    /// No.
    Never,
}

/// Form of diagnostics and explanations.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// What both `compile` and `explain` take.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Source files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) inputs: Vec<String>,
    /// Language of every input, instead of by file name
    #[arg(short = 'x', long = "language", value_name = "LANG")]
    pub(crate) language: Option<Language>,
    /// GPU architecture: sm_50 to sm_100, compute_90, …
    #[arg(long, visible_alias = "gpu-architecture", value_name = "ARCH")]
    pub(crate) arch: Option<String>,
    /// `arch=compute_90,code=sm_90`
    #[arg(long, visible_alias = "generate-code", value_name = "SPEC")]
    pub(crate) gencode: Vec<String>,
    /// Optimisation level, 0 to 3
    #[arg(short = 'O', long = "optimize", value_name = "LEVEL", default_value = "3")]
    pub(crate) optimize: String,
    /// Define or undefine macros; kept in order by the normaliser as `D…` and `U…`
    #[arg(long = "macro", value_name = "MACRO", hide = true, allow_hyphen_values = true)]
    pub(crate) macros: Vec<String>,
    /// Define a macro (`-D NAME[=VALUE]`; `-U NAME` undefines)
    #[arg(short = 'D', long = "define-macro", value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', long = "undefine-macro", value_name = "NAME")]
    pub(crate) undefine: Vec<String>,
    /// Search a directory for included files
    #[arg(short = 'I', long = "include-path", value_name = "DIR")]
    pub(crate) include_path: Vec<String>,
    /// Search a directory for system headers
    #[arg(long, visible_alias = "system-include", value_name = "DIR")]
    pub(crate) isystem: Vec<String>,
    /// Include a file before the source
    #[arg(long = "include", visible_alias = "pre-include", value_name = "FILE")]
    pub(crate) include: Vec<String>,
    /// Language standard of CUDA C++: c++11 to c++20
    #[arg(long, value_name = "STD")]
    pub(crate) std: Option<String>,
    /// Language standard of OpenCL C: CL1.0 to CL3.0
    #[arg(long, value_name = "STD")]
    pub(crate) cl_std: Option<String>,
    /// Whose dialect differences to follow: nvcc or clang
    #[arg(long, value_name = "MODE")]
    pub(crate) fmode: Option<String>,
    #[command(flatten)]
    pub(crate) math: MathArgs,
    /// Places of the source in the output
    #[arg(long, visible_alias = "generate-line-info")]
    pub(crate) lineinfo: bool,
    /// A knob of the unroller, e.g. `unroll-threshold=50` or `unroll-count@kernel=2`
    #[arg(long = "knob", value_name = "KNOB=VALUE", allow_hyphen_values = true)]
    pub(crate) knobs: Vec<String>,
    /// A knob as nvcc's users pass it (also `-Xcicc "-unroll-threshold=50"`)
    #[arg(long = "xcicc", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) xcicc: Vec<String>,
    /// A knob as clang's users pass it
    #[arg(long = "mllvm", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) mllvm: Vec<String>,
    /// Warnings: error, error=GROUP, no-GROUP, GROUP, all
    #[arg(short = 'W', value_name = "WARNING")]
    pub(crate) warn: Vec<String>,
    /// No warnings
    #[arg(short = 'w', long = "disable-warnings")]
    pub(crate) no_warnings: bool,
    /// Form of diagnostics and explanations
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// When to colour
    #[arg(long, visible_alias = "colour", value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// Check the IR after every pass
    #[arg(long)]
    pub(crate) verify_each: bool,
    /// Print how long each stage and pass took
    #[arg(long)]
    pub(crate) time_report: bool,
}

/// Floating-point options of both worlds.
#[derive(Args, Debug)]
pub(crate) struct MathArgs {
    /// Approximate functions, flushed subnormals, fast division and square root (CUDA)
    #[arg(long = "use_fast_math", visible_alias = "use-fast-math")]
    pub(crate) use_fast_math: bool,
    /// Contract multiplications and additions: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) fmad: Option<bool>,
    /// Flush single-precision subnormals: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) ftz: Option<bool>,
    /// IEEE single-precision division: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) prec_div: Option<bool>,
    /// IEEE single-precision square root: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) prec_sqrt: Option<bool>,
    /// Values may change as if numbers were real (OpenCL)
    #[arg(long)]
    pub(crate) cl_fast_relaxed_math: bool,
    /// Unsafe simplifications (OpenCL)
    #[arg(long)]
    pub(crate) cl_unsafe_math_optimizations: bool,
    /// No NaN and no infinity (OpenCL)
    #[arg(long)]
    pub(crate) cl_finite_math_only: bool,
    /// The sign of zero does not matter (OpenCL)
    #[arg(long)]
    pub(crate) cl_no_signed_zeros: bool,
    /// Allow `a * b + c` to be contracted; the default (OpenCL)
    #[arg(long)]
    pub(crate) cl_mad_enable: bool,
    /// Flush single-precision subnormals (OpenCL)
    #[arg(long)]
    pub(crate) cl_denorms_are_zero: bool,
    /// Floating literals without suffix are single precision (OpenCL)
    #[arg(long)]
    pub(crate) cl_single_precision_constant: bool,
    /// IEEE single-precision division and square root (OpenCL)
    #[arg(long)]
    pub(crate) cl_fp32_correctly_rounded_divide_sqrt: bool,
    /// No optimisation (OpenCL)
    #[arg(long)]
    pub(crate) cl_opt_disable: bool,
    /// Accepted: kernel argument names are always kept (OpenCL)
    #[arg(long)]
    pub(crate) cl_kernel_arg_info: bool,
}

/// `unspool compile`
#[derive(Args, Debug)]
pub(crate) struct CompileArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Output file; `-` is standard output [default: the input's name with the output's suffix]
    #[arg(short = 'o', long = "output-file", value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// Preprocess only, to standard output
    #[arg(short = 'E', long = "preprocess")]
    pub(crate) preprocess: bool,
    /// With -E: no line markers
    #[arg(short = 'P')]
    pub(crate) no_line_markers: bool,
    /// What to write: ptx, ir, ir-lowered, ir-after=PASS, ast, tokens
    #[arg(long, value_name = "WHAT", default_value = "ptx")]
    pub(crate) emit: String,
    /// Accepted for nvcc's users: PTX is the default
    #[arg(long, hide = true)]
    pub(crate) ptx: bool,
    /// Show what the unroller did (`loop-unroll`)
    #[arg(long = "rpass", value_name = "PASS")]
    pub(crate) rpass: Vec<String>,
    /// Show what the unroller did not do
    #[arg(long = "rpass-missed", value_name = "PASS")]
    pub(crate) rpass_missed: Vec<String>,
    /// Show the unroller's reasoning
    #[arg(long = "rpass-analysis", value_name = "PASS")]
    pub(crate) rpass_analysis: Vec<String>,
}

/// `unspool explain`
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Output file; `-` is standard output
    #[arg(short = 'o', long = "output-file", value_name = "FILE", default_value = "-")]
    pub(crate) output: String,
}
