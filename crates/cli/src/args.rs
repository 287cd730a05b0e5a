//! The command line, as clap knows it. [`crate::normalise`] turns what users of nvcc and clang type into this form.

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A GPU kernel compiler that answers for every hint.
#[derive(Parser, Debug)]
#[command(name = "unspool", version, about, max_term_width = 100, after_help = HELP, args_override_self = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Compile OpenCL C or CUDA C++ to PTX, or to code for AMD GPUs or this machine.
    #[command(after_help = COMPILE_HELP)]
    Compile(Box<CompileArgs>),
    /// Say for every loop and every hint what was asked, what was done, and why.
    #[command(after_help = EXPLAIN_HELP)]
    Explain(Box<ExplainArgs>),
    /// Run a kernel on this machine's processors, or check it in the interpreter.
    #[command(after_help = RUN_HELP)]
    Run(Box<RunArgs>),
    /// Compile C programs with accelerator directives (OpenACC, PGI's dialect), as a C compiler does
    ///
    /// Its options are those of C compilers: `unspool cc --help` lists them.
    Cc {
        /// Options and files, as for the host's C compiler
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS AND FILES")]
        words: Vec<std::ffi::OsString>,
    },
    /// Let OpenCL programs find unspool.
    #[command(subcommand, name = "opencl")]
    OpenCl(OpenClCommand),
    /// Write man pages, one for each command, into a folder.
    Man {
        /// The folder; it is made if it is not there
        folder: std::path::PathBuf,
    },
    /// Print a completion script for a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum OpenClCommand {
    /// Tell the OpenCL loader about unspool's driver.
    Install {
        #[command(flatten)]
        place: Place,
        /// The driver [default: libunspool_opencl.so beside this command]
        #[arg(long, value_name = "PATH")]
        lib: Option<std::path::PathBuf>,
    },
    /// Undo that.
    Uninstall {
        #[command(flatten)]
        place: Place,
    },
    /// Say which drivers the loader is told about.
    Status,
}

/// For whom a driver is.
#[derive(Args, Debug)]
pub(crate) struct Place {
    /// For all users, in /etc/OpenCL/vendors [default for root]
    #[arg(long)]
    pub(crate) system: bool,
    /// For this user, in a folder that OCL_ICD_VENDORS must name [default for others]
    #[arg(long)]
    pub(crate) user: bool,
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

/// What to compile for.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub(crate) enum Target {
    /// A GPU.
    #[default]
    Gpu,
    /// This machine's processors.
    Host,
}

/// Form of diagnostics and explanations.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For code review: SARIF 2.1.0.
    Sarif,
}

/// Headings of `--help`.
const GPU: &str = "What code is made for";
const LANG: &str = "Language and preprocessor";
const CODE: &str = "Optimisation";
const MATH: &str = "Floating point";
const SAID: &str = "Warnings and messages";

/// Ends of `--help`.
const HELP: &str = "\
Examples:
  unspool compile kernel.cu -arch=sm_90 -o kernel.ptx    # PTX
  unspool explain kernel.cu -arch=sm_90                  # every loop and every hint: asked, done, why
  unspool run saxpy.cl --global 4096 --local 256 --arg inout:ones:f32:4096 --arg iota:f32:4096 --arg 2.0 --arg 4096
  unspool cc -acc=multicore -Minfo=accel -O2 prog.c -o prog

`unspool COMMAND --help` has the options of a command, in groups, and examples.";
const COMPILE_HELP: &str = "\
Examples:
  unspool compile kernel.cu -arch=sm_90 -o kernel.ptx
  unspool compile kernel.cu -arch=sm_90 -Rpass=loop-unroll -Rpass-analysis=memory
  unspool compile kernel.cu -Werror=unroll               # a missed hint about unrolling fails the build
  unspool compile saxpy.cl -cl-std=CL1.2 -o -            # to standard output
  unspool compile kernel.cu --arch gfx90a                # a code object for an AMD GPU
  unspool compile kernel.cl --target host --emit asm -o -";
const EXPLAIN_HELP: &str = "\
Examples:
  unspool explain kernel.cu -arch=sm_90                  # every loop and every hint: asked, done, why
  unspool explain kernel.cu -v                           # with the rules that were asked
  unspool explain kernel.cu --html report.html           # one page: source, reasoning, PTX
  unspool explain kernel.cu --factors 1,2,4,8 --loop 12  # what other factors would give
  unspool explain kernel.cu --format json -o kernel.json";

/// What both `compile` and `explain` take.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Source files; `-` is standard input
    #[arg(required = true, value_name = "FILE", help_heading = "Arguments")]
    pub(crate) inputs: Vec<String>,
    /// Language of every input, instead of by file name
    #[arg(short = 'x', long = "language", value_name = "LANG", help_heading = LANG)]
    pub(crate) language: Option<Language>,
    /// GPU architecture: sm_50 to sm_121, compute_90, gfx90a, …
    #[arg(long, visible_alias = "gpu-architecture", value_name = "ARCH", help_heading = GPU)]
    pub(crate) arch: Option<String>,
    /// AMD GPU as clang's users name it: gfx90a, gfx90a:xnack+:sramecc-, gfx1100, …
    #[arg(long, value_name = "GPU", help_heading = GPU)]
    pub(crate) march: Option<String>,
    /// AMD GPU as HIP's users name it; several give a bundle
    #[arg(long, value_name = "GPU", value_delimiter = ',', help_heading = GPU)]
    pub(crate) offload_arch: Vec<String>,
    /// Waves of 64 lanes on GPUs that have both sizes
    #[arg(long, overrides_with = "mno_wavefrontsize64", help_heading = GPU)]
    pub(crate) mwavefrontsize64: bool,
    /// Waves of 32 lanes; the default where there are such
    #[arg(long, help_heading = GPU)]
    pub(crate) mno_wavefrontsize64: bool,
    /// Warps as large as waves of 64 lanes, not halves of them; OpenCL has it always. With `run`: warps of 64 lanes
    #[arg(long, overrides_with = "warp_emulation", help_heading = GPU)]
    pub(crate) fwarp64: bool,
    /// Lanes of a warp: 32 makes two warps of a wave of 64 lanes, the default for CUDA
    #[arg(long, visible_alias = "warp", value_name = "LANES", help_heading = GPU)]
    pub(crate) warp_emulation: Option<String>,
    /// Version of AMD's code objects: 4, 5 or 6 [default: 5]
    #[arg(long, value_name = "VERSION", help_heading = GPU)]
    pub(crate) mcode_object_version: Option<String>,
    /// `arch=compute_90,code=sm_90`
    #[arg(long, visible_alias = "generate-code", value_name = "SPEC", help_heading = GPU)]
    pub(crate) gencode: Vec<String>,
    /// What the file's own names are told apart by, as nvcc's host code has it: the contents of its `FILE.module_id`
    #[arg(long, value_name = "ID", help_heading = GPU)]
    pub(crate) module_id: Option<String>,
    /// Optimisation level, 0 to 3 [default: 3; 0 with `run --check`]
    #[arg(short = 'O', long = "optimize", value_name = "LEVEL", help_heading = CODE)]
    pub(crate) optimize: Option<String>,
    /// Define or undefine macros; kept in order by the normaliser as `D…` and `U…`
    #[arg(long = "macro", value_name = "MACRO", hide = true, allow_hyphen_values = true, help_heading = LANG)]
    pub(crate) macros: Vec<String>,
    /// Define a macro (`-D NAME[=VALUE]`; `-U NAME` undefines)
    #[arg(short = 'D', long = "define-macro", value_name = "NAME[=VALUE]", help_heading = LANG)]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', long = "undefine-macro", value_name = "NAME", help_heading = LANG)]
    pub(crate) undefine: Vec<String>,
    /// Search a directory for included files
    #[arg(short = 'I', long = "include-path", value_name = "DIR", help_heading = LANG)]
    pub(crate) include_path: Vec<String>,
    /// Search a directory for system headers
    #[arg(long, visible_alias = "system-include", value_name = "DIR", help_heading = LANG)]
    pub(crate) isystem: Vec<String>,
    /// Do not search the host's own directories for headers that nothing else has
    #[arg(long, help_heading = LANG)]
    pub(crate) nostdinc: bool,
    /// Include a file before the source
    #[arg(long = "include", visible_alias = "pre-include", value_name = "FILE", help_heading = LANG)]
    pub(crate) include: Vec<String>,
    /// Language standard of CUDA C++: c++11 to c++20
    #[arg(long, value_name = "STD", help_heading = LANG)]
    pub(crate) std: Option<String>,
    /// Language standard of OpenCL C: CL1.0 to CL3.0
    #[arg(long, value_name = "STD", help_heading = LANG)]
    pub(crate) cl_std: Option<String>,
    /// Whose dialect differences to follow: nvcc or clang
    #[arg(long, value_name = "MODE", help_heading = LANG)]
    pub(crate) fmode: Option<String>,
    #[command(flatten)]
    pub(crate) math: MathArgs,
    /// Places of the source in the output
    #[arg(long, visible_alias = "generate-line-info", help_heading = CODE)]
    pub(crate) lineinfo: bool,
    /// A knob of the unroller, e.g. `unroll-threshold=50` or `unroll-count@kernel=2`
    #[arg(long = "knob", value_name = "KNOB=VALUE", allow_hyphen_values = true, help_heading = CODE)]
    pub(crate) knobs: Vec<String>,
    /// A knob as nvcc's users pass it (also `-Xcicc "-unroll-threshold=50"`)
    #[arg(long = "xcicc", value_name = "OPTION", allow_hyphen_values = true, help_heading = CODE)]
    pub(crate) xcicc: Vec<String>,
    /// A knob as clang's users pass it
    #[arg(long = "mllvm", value_name = "OPTION", allow_hyphen_values = true, help_heading = CODE)]
    pub(crate) mllvm: Vec<String>,
    /// Warnings: error, error=GROUP, no-GROUP, GROUP, all
    #[arg(short = 'W', value_name = "WARNING", help_heading = SAID)]
    pub(crate) warn: Vec<String>,
    /// No warnings
    #[arg(short = 'w', long = "disable-warnings", help_heading = SAID)]
    pub(crate) no_warnings: bool,
    /// Form of diagnostics and explanations
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = SAID)]
    pub(crate) format: Format,
    /// When to colour
    #[arg(long, visible_alias = "colour", value_name = "WHEN", default_value = "auto", help_heading = SAID)]
    pub(crate) color: When,
    /// Check the IR after every pass
    #[arg(long, help_heading = CODE)]
    pub(crate) verify_each: bool,
    /// Print how long each stage and pass took
    #[arg(long, help_heading = SAID)]
    pub(crate) time_report: bool,
}

/// Floating-point options of both worlds.
#[derive(Args, Debug)]
pub(crate) struct MathArgs {
    /// Approximate functions, flushed subnormals, fast division and square root (CUDA)
    #[arg(long = "use_fast_math", visible_alias = "use-fast-math", help_heading = MATH)]
    pub(crate) use_fast_math: bool,
    /// Contract multiplications and additions: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true, help_heading = MATH)]
    pub(crate) fmad: Option<bool>,
    /// Flush single-precision subnormals: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true, help_heading = MATH)]
    pub(crate) ftz: Option<bool>,
    /// IEEE single-precision division: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true, help_heading = MATH)]
    pub(crate) prec_div: Option<bool>,
    /// IEEE single-precision square root: true or false
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true, help_heading = MATH)]
    pub(crate) prec_sqrt: Option<bool>,
    /// Values may change as if numbers were real (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_fast_relaxed_math: bool,
    /// Unsafe simplifications (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_unsafe_math_optimizations: bool,
    /// No NaN and no infinity (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_finite_math_only: bool,
    /// The sign of zero does not matter (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_no_signed_zeros: bool,
    /// Allow `a * b + c` to be contracted; the default (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_mad_enable: bool,
    /// Flush single-precision subnormals (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_denorms_are_zero: bool,
    /// Floating literals without suffix are single precision (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_single_precision_constant: bool,
    /// IEEE single-precision division and square root (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_fp32_correctly_rounded_divide_sqrt: bool,
    /// No optimisation (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_opt_disable: bool,
    /// Local sizes divide global sizes, as before OpenCL C 2.0 (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_uniform_work_group_size: bool,
    /// Accepted: kernel argument names are always kept (OpenCL)
    #[arg(long, help_heading = MATH)]
    pub(crate) cl_kernel_arg_info: bool,
}

/// `unspool compile`
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
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
    /// What to write: ptx, ir, ir-lowered, ir-after=PASS, ast, tokens; for the host obj, asm, llvm-ir, ir
    #[arg(long, value_name = "WHAT")]
    pub(crate) emit: Option<String>,
    /// What to compile for: gpu, or host (this machine's processors)
    #[arg(long, value_name = "TARGET", default_value = "gpu")]
    pub(crate) target: Target,
    /// For the host: the processor, by LLVM's name [default: the one here]
    #[arg(long, value_name = "NAME")]
    pub(crate) cpu: Option<String>,
    /// For the host: work-items of a group [default: what the kernel requires or hints at, else 256]
    #[arg(long, visible_alias = "block", value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub(crate) local: Option<String>,
    /// For the host: work-items one after another, not in the lanes of vectors
    #[arg(long)]
    pub(crate) scalar: bool,
    /// Accepted for nvcc's users: PTX is the default
    #[arg(long, hide = true)]
    pub(crate) ptx: bool,
    #[command(flatten)]
    pub(crate) remarks: RemarkArgs,
}

/// Remarks that are asked for as clang's users do.
#[derive(Args, Debug)]
pub(crate) struct RemarkArgs {
    /// Show what the unroller did (`loop-unroll`)
    #[arg(long = "rpass", value_name = "PASS")]
    pub(crate) rpass: Vec<String>,
    /// Show what the unroller did not do
    #[arg(long = "rpass-missed", value_name = "PASS")]
    pub(crate) rpass_missed: Vec<String>,
    /// Show the unroller's reasoning (`loop-unroll`); remarks about memory and divergence (`memory`)
    #[arg(long = "rpass-analysis", value_name = "PASS")]
    pub(crate) rpass_analysis: Vec<String>,
}

/// `unspool explain`
#[derive(Args, Debug)]
#[command(next_help_heading = "Explanation")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// Output file; `-` is standard output
    #[arg(short = 'o', long = "output-file", value_name = "FILE", default_value = "-")]
    pub(crate) output: String,
    /// Write one page with source, reasoning, PTX and occupancy; replaces the text on standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<String>,
    /// Try unroll factors, e.g. 1,2,4,8,16: size, registers, occupancy; with ptxas its registers and spills
    #[arg(long, value_name = "LIST")]
    pub(crate) factors: Option<String>,
    /// The line of the loop for --factors [default: every innermost loop]
    #[arg(long = "loop", value_name = "LINE")]
    pub(crate) at_loop: Option<u32>,
    /// Threads of a block, for occupancy where the source does not say [default: 256]
    #[arg(long, value_name = "N")]
    pub(crate) block: Option<u32>,
    /// With the trail of every look at every loop: each rule that was asked, and what it found
    #[arg(short = 'v', long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) remarks: RemarkArgs,
}

/// What an argument of a kernel may be.
const RUN_HELP: &str = "\
Arguments, in the order of the kernel's parameters:
  2.0  -1  0xff  1,2,3,4     a value, or the components of a vector
  x.npy                      a NumPy file
  raw:FILE                   the bytes of a file (also FILE.raw, FILE.bin)
  zeros:TYPE:N  ones:TYPE:N  so many zeros, ones
  iota:TYPE:N                0, 1, 2, …
  random:SEED:TYPE:N         uniform in [0, 1), or over all integers of the type
  out:TYPE:N                 a buffer whose contents are wanted; inout:… before any of the above likewise
  null                       a null pointer
  local:BYTES  local:TYPE:N  work-group memory of an OpenCL `local` parameter
  hex:0000803f…              the bytes of a structure passed by value
TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 bool or C's name (float4); left out, it is the parameter's.
N is 1024, 64x32, 10^6, 16K or 4M.

Examples:
  unspool run saxpy.cl --kernel saxpy --global 1048576 --local 256 --arg 2.0 --arg x.npy --arg inout:y.npy --out y2.npy
  unspool run mandel.cu --grid 64,64 --block 16,16 --arg out:i32:1024x1024 --arg 1024 --arg 256 --image out.png
  unspool run k.cl --global 4096 --arg random:1:f32:4096 --arg out:4096 --check";

/// Form of `--time`.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug, Default)]
pub(crate) enum TimeFormat {
    /// For people.
    #[default]
    Text,
    /// For programs: one line, seconds.
    Json,
}

/// `unspool run`
#[derive(Args, Debug)]
#[command(next_help_heading = "Launch")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// The kernel; may be left out where there is only one. Of a template, the name of one instance: `scale<4>`
    #[arg(short = 'k', long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Work-items in each dimension (OpenCL's way)
    #[arg(long, value_name = "X[,Y[,Z]]", conflicts_with = "grid", allow_hyphen_values = true)]
    pub(crate) global: Option<String>,
    /// Work-groups in each dimension (CUDA's way)
    #[arg(long, value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub(crate) grid: Option<String>,
    /// Work-items of a group in each dimension [default: chosen, if --global is given]
    #[arg(long, visible_alias = "block", value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub(crate) local: Option<String>,
    /// First global id in each dimension
    #[arg(long, value_name = "X[,Y[,Z]]", allow_hyphen_values = true)]
    pub(crate) offset: Option<String>,
    /// Bytes of dynamic shared memory (`extern __shared__`)
    #[arg(long, value_name = "BYTES", default_value = "0")]
    pub(crate) shared: String,
    /// An argument of the kernel; one for each parameter, in order or by its name
    #[arg(short = 'a', long = "arg", value_name = "[NAME=]ARG", allow_hyphen_values = true)]
    pub(crate) args: Vec<String>,
    /// What a `__device__` or `__constant__` variable holds before the launch; written as an --arg. Elements of an array are
    /// given with commas, one for all of them, or as a buffer
    #[arg(long = "symbol", value_name = "NAME=ARG")]
    pub(crate) symbols: Vec<String>,
    /// Write a variable after the launch, as --out does
    #[arg(long = "symbol-out", value_name = "NAME=FILE")]
    pub(crate) symbol_out: Vec<String>,
    /// Write an output: .npy, .raw, .bin, .txt, .png, `-` for text; in order of the outputs, or NAME=FILE
    #[arg(long = "out", value_name = "[NAME=]FILE")]
    pub(crate) out: Vec<String>,
    /// Write a picture of an output: FILE.png[:WxH][:gray|colormap|log|rgba]
    #[arg(long = "image", value_name = "[NAME=]FILE.png[:…]")]
    pub(crate) image: Vec<String>,
    /// Run in the interpreter and report accesses out of bounds, uninitialised values, races, divergent barriers
    #[arg(long)]
    pub(crate) check: bool,
    /// Print how long compiling and running took
    #[arg(long)]
    pub(crate) time: bool,
    /// Form of --time
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) time_format: TimeFormat,
    /// Launch so many times more and take the median [default: 10 with --time]; results are those of the first launch
    #[arg(long, value_name = "N")]
    pub(crate) repeat: Option<u32>,
    /// Floating-point operations of a work-item, for GFLOP/s
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) flops: Option<f64>,
    /// Give up after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Threads [default: UNSPOOL_THREADS, or one for each processor]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Run work-items one after another, not in the lanes of vectors
    #[arg(long, conflicts_with = "lanes")]
    pub(crate) scalar: bool,
    /// 32-bit lanes of a vector: 2, 4, 8, 16, 32 or 64 [default: the machine's]
    #[arg(long, value_name = "N")]
    pub(crate) lanes: Option<u32>,
    /// Compile to machine code even if that was done before, and keep nothing on disk
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Print every hint and loop with what became of it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Say how the kernel was vectorised, and whether its machine code was there already
    #[arg(short = 'v', long)]
    pub(crate) verbose: bool,
}
