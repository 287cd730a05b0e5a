//! The options of `clBuildProgram`, `clCompileProgram` and `clLinkProgram`.

use super::split;
use crate::{Define, Dialect, KnobError, Knobs, MathOptions, OptLevel, Options};
use std::path::PathBuf;

/// Which call of the host API brings the options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// `clBuildProgram`: what [`Phase::Compile`] takes; a wrong one is `CL_INVALID_BUILD_OPTIONS`.
    Build,
    /// `clCompileProgram`; a wrong one is `CL_INVALID_COMPILER_OPTIONS`.
    Compile,
    /// `clLinkProgram`; a wrong one is `CL_INVALID_LINKER_OPTIONS`.
    Link,
}

/// What is wrong with an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionProblem {
    /// There is no such option.
    Unknown,
    /// It stands at the end and wants a value after it.
    MissingValue,
    /// Its value is none that it takes; what it takes.
    BadValue(String),
    /// It is an option of another call: of linking where one compiles, and the reverse.
    OtherPhase,
    /// It is none: no `-` before it.
    NotAnOption,
    /// A quote is not closed.
    OpenQuote,
}

/// An option that the compiler does not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError {
    /// Which call it was given to; says which error code the platform returns.
    pub phase: Phase,
    /// The option as written.
    pub option: String,
    /// What is wrong.
    pub problem: OptionProblem,
    /// The option whose name is nearest, if one is near.
    pub nearest: Option<String>,
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let option = &self.option;
        match &self.problem {
            OptionProblem::Unknown => write!(f, "unknown option `{option}`")?,
            OptionProblem::MissingValue => write!(f, "option `{option}` needs a value after it")?,
            OptionProblem::BadValue(takes) => write!(f, "option `{option}` takes {takes}")?,
            OptionProblem::OtherPhase => {
                let here = if self.phase == Phase::Link {
                    "linking: give it to clCompileProgram"
                } else {
                    "clLinkProgram only"
                };
                let verb = if self.phase == Phase::Link { "is not for" } else { "is for" };
                write!(f, "option `{option}` {verb} {here}")?;
            }
            OptionProblem::NotAnOption => write!(f, "`{option}` is no option: options begin with `-`")?,
            OptionProblem::OpenQuote => write!(f, "the quote in `{option}` is not closed")?,
        }
        match &self.nearest {
            Some(n) => write!(f, "; did you mean `{n}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for OptionError {}

/// Options of a program as its host gave them.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// `-cl-std=CLx.y` as `__OPENCL_C_VERSION__` has it (110, 120, 200, 300); `None` where it is not given.
    pub version: Option<u16>,
    /// `-D`, in order.
    pub defines: Vec<Define>,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// Floating point.
    pub math: MathOptions,
    /// `-cl-opt-disable`, `-O`.
    pub level: Option<OptLevel>,
    /// `-w`
    pub no_warnings: bool,
    /// `-Werror`
    pub warnings_are_errors: bool,
    /// `-Werror=GROUP`
    pub groups_as_errors: Vec<String>,
    /// `-Wno-GROUP`
    pub muted_groups: Vec<String>,
    /// `-WGROUP`
    pub enabled_groups: Vec<String>,
    /// `-Wno-error=GROUP`
    pub groups_as_warnings: Vec<String>,
    /// `-g`
    pub debug_info: bool,
    /// `-cl-kernel-arg-info`. The compiler always keeps what `clGetKernelArgInfo` tells; the specification wants
    /// `CL_KERNEL_ARG_INFO_NOT_AVAILABLE` of programs from binaries only, where it is not stored.
    pub kernel_arg_info: bool,
    /// `-cl-uniform-work-group-size`: the local size divides the global size.
    pub uniform_work_group_size: bool,
    /// `-cl-no-subgroup-ifp`: no forward progress among sub-groups is needed.
    pub no_subgroup_progress: bool,
    /// Knobs of the unroller.
    pub knobs: Knobs,
    /// `-cl-unspool-ledger`: the build log tells what became of every hint ([`Options::explain`]).
    pub ledger: bool,
    /// `-create-library`
    pub create_library: bool,
    /// `-enable-link-options`: those who link the library may give it other floating-point options.
    pub enable_link_options: bool,
}

/// What an option does, when it is one word and takes no value.
type Switch = fn(&mut BuildOptions);

/// An option without a value.
struct Flag {
    name: &'static str,
    /// Compiling takes it.
    compile: bool,
    /// Linking takes it.
    link: bool,
    set: Switch,
}

const fn flag(name: &'static str, set: Switch) -> Flag {
    Flag { name, compile: true, link: false, set }
}

const fn both(name: &'static str, set: Switch) -> Flag {
    Flag { name, compile: true, link: true, set }
}

const fn linking(name: &'static str, set: Switch) -> Flag {
    Flag { name, compile: false, link: true, set }
}

/// OpenCL 3.0 API, sections 5.8.6 (compiler options) and 5.8.7 (linker options). `clLinkProgram` takes the
/// floating-point options, too.
const FLAGS: &[Flag] = &[
    both("-cl-denorms-are-zero", |o| o.math.ftz = Some(true)),
    both("-cl-fast-relaxed-math", |o| o.math.cl_fast = true),
    both("-cl-finite-math-only", |o| o.math.finite_only = true),
    flag("-cl-fp32-correctly-rounded-divide-sqrt", |o| {
        o.math.prec_div = Some(true);
        o.math.prec_sqrt = Some(true);
    }),
    flag("-cl-kernel-arg-info", |o| o.kernel_arg_info = true),
    // Contraction is on without it: OpenCL C's `FP_CONTRACT` is.
    flag("-cl-mad-enable", |o| o.math.fmad = Some(true)),
    both("-cl-no-signed-zeros", |o| o.math.no_signed_zeros = true),
    both("-cl-no-subgroup-ifp", |o| o.no_subgroup_progress = true),
    flag("-cl-opt-disable", |o| o.level = Some(OptLevel::O0)),
    flag("-cl-single-precision-constant", |o| o.math.single_precision_constants = true),
    // Of OpenCL 1.0, kept by 1.1: types have no aliases that the optimiser would believe in anyhow.
    flag("-cl-strict-aliasing", |_| {}),
    flag("-cl-uniform-work-group-size", |o| o.uniform_work_group_size = true),
    both("-cl-unsafe-math-optimizations", |o| o.math.cl_unsafe = true),
    both("-cl-unspool-ledger", |o| o.ledger = true),
    linking("-create-library", |o| o.create_library = true),
    linking("-enable-link-options", |o| o.enable_link_options = true),
    flag("-g", |o| o.debug_info = true),
    flag("-w", |o| o.no_warnings = true),
    flag("-O0", |o| o.level = Some(OptLevel::O0)),
    flag("-O1", |o| o.level = Some(OptLevel::O1)),
    flag("-O2", |o| o.level = Some(OptLevel::O2)),
    flag("-O3", |o| o.level = Some(OptLevel::O3)),
];

/// Options with a value, for suggestions.
const WITH_VALUE: &[&str] = &["-cl-std=", "-D", "-I", "-Werror", "-x"];

/// Versions of the language; CL1.0 is not among those of the specification but of compilers.
const VERSIONS: &[(&str, u16)] = &[("CL1.0", 100), ("CL1.1", 110), ("CL1.2", 120), ("CL2.0", 200), ("CL3.0", 300)];

impl BuildOptions {
    /// Reads the options of `clBuildProgram`.
    ///
    /// # Errors
    /// At the first option that is none.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        Self::parse_for(Phase::Build, text)
    }

    /// Reads the options of one of the three calls.
    ///
    /// # Errors
    /// At the first option that the call does not take.
    pub fn parse_for(phase: Phase, text: &str) -> Result<Self, OptionError> {
        let error = |option: &str, problem, nearest| OptionError { phase, option: option.to_owned(), problem, nearest };
        let words = split::words(text).map_err(|w| error(&w, OptionProblem::OpenQuote, None))?;
        let mut out = Self::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            out.take(phase, word, &mut rest).map_err(|(problem, nearest)| error(word, problem, nearest))?;
        }
        Ok(out)
    }

    /// Takes one option, and the word after it where it is the option's value.
    fn take(
        &mut self,
        phase: Phase,
        word: &str,
        rest: &mut std::slice::Iter<'_, String>,
    ) -> Result<(), (OptionProblem, Option<String>)> {
        if let Some(flag) = FLAGS.iter().find(|f| f.name == word) {
            let fits = if phase == Phase::Link { flag.link } else { flag.compile };
            if !fits {
                return Err((OptionProblem::OtherPhase, None));
            }
            (flag.set)(self);
            return Ok(());
        }
        if !word.starts_with('-') {
            return Err((OptionProblem::NotAnOption, None));
        }
        let compiling = self.take_with_value(word, rest)?;
        if !compiling {
            return Err((OptionProblem::Unknown, nearest(word)));
        }
        if phase == Phase::Link {
            return Err((OptionProblem::OtherPhase, None));
        }
        Ok(())
    }

    /// Options with values, all of compiling; `false` if it is none.
    fn take_with_value(
        &mut self,
        word: &str,
        rest: &mut std::slice::Iter<'_, String>,
    ) -> Result<bool, (OptionProblem, Option<String>)> {
        let mut value = |glued: &str| match glued {
            "" => rest.next().cloned().ok_or((OptionProblem::MissingValue, None)),
            glued => Ok(glued.to_owned()),
        };
        if let Some(v) = word.strip_prefix("-cl-std=") {
            self.version = Some(version(v)?);
        } else if let Some(v) = word.strip_prefix("-D") {
            self.defines.push(define(&value(v)?));
        } else if let Some(v) = word.strip_prefix("-U") {
            self.defines.push(Define::Undef(value(v)?));
        } else if let Some(v) = word.strip_prefix("-I") {
            self.include_dirs.push(PathBuf::from(value(v)?));
        } else if word == "-x" {
            // SPIR's way to say what a binary is; the language is the only one that source may have here.
            let v = value("")?;
            if v != "cl" && v != "clc" {
                return Err((OptionProblem::BadValue("`cl`".to_owned()), None));
            }
        } else if let Some(v) = word.strip_prefix("-W") {
            self.warning(v)?;
        } else if Knobs::looks_like_knob(word) {
            self.knobs.assign(word).map_err(knob_problem)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// What stands after `-W`.
    fn warning(&mut self, what: &str) -> Result<(), (OptionProblem, Option<String>)> {
        let (list, group) = if what == "error" {
            self.warnings_are_errors = true;
            return Ok(());
        } else if what == "all" || what == "extra" {
            return Ok(());
        } else if let Some(group) = what.strip_prefix("error=") {
            (&mut self.groups_as_errors, group)
        } else if let Some(group) = what.strip_prefix("no-error=") {
            (&mut self.groups_as_warnings, group)
        } else if let Some(group) = what.strip_prefix("no-") {
            (&mut self.muted_groups, group)
        } else {
            (&mut self.enabled_groups, what)
        };
        if group.is_empty() {
            return Err((OptionProblem::BadValue("`error` or the name of a group of warnings".to_owned()), None));
        }
        list.push(group.to_owned());
        Ok(())
    }

    /// The compiler's options for this machine.
    pub fn compiler(&self) -> Options {
        // "If the -cl-std build option is not specified, the highest OpenCL C 1.x language version supported by each
        // device is used."
        let dialect = Dialect::OpenClC { version: self.version.unwrap_or(120) };
        let mut o = Options::host(dialect);
        o.level = self.level.unwrap_or(o.level);
        o.defines.clone_from(&self.defines);
        o.include_dirs.clone_from(&self.include_dirs);
        o.math = self.math;
        o.line_info = self.debug_info;
        o.knobs = self.knobs.clone();
        o.no_warnings = self.no_warnings;
        o.warnings_are_errors = self.warnings_are_errors;
        o.groups_as_errors.clone_from(&self.groups_as_errors);
        o.muted_groups.clone_from(&self.muted_groups);
        o.enabled_groups.clone_from(&self.enabled_groups);
        o.groups_as_warnings.clone_from(&self.groups_as_warnings);
        // "This requires that the global work-size be a multiple of the work-group size specified to clEnqueueNDRangeKernel."
        o.partial_groups &= !self.uniform_work_group_size;
        o.explain = self.ledger;
        o.kernel_info = true;
        o
    }
}

/// `NAME`, `NAME=BODY`, `NAME(PARAMS)=BODY`.
fn define(text: &str) -> Define {
    match text.split_once('=') {
        Some((name, body)) => Define::Define(name.to_owned(), Some(body.to_owned())),
        None => Define::Define(text.to_owned(), None),
    }
}

fn version(text: &str) -> Result<u16, (OptionProblem, Option<String>)> {
    match VERSIONS.iter().find(|v| v.0.eq_ignore_ascii_case(text)) {
        Some(v) => Ok(v.1),
        None => {
            let names: Vec<&str> = VERSIONS.iter().map(|v| v.0).collect();
            Err((OptionProblem::BadValue(names.join(", ")), None))
        }
    }
}

fn knob_problem(e: KnobError) -> (OptionProblem, Option<String>) {
    match e {
        KnobError::Unknown { nearest, .. } => (OptionProblem::Unknown, nearest.map(|n| format!("-{n}"))),
        KnobError::BadValue { kind: unroll::KnobKind::Bool, .. } => {
            (OptionProblem::BadValue("`true` or `false`".to_owned()), None)
        }
        KnobError::BadValue { .. } | KnobError::NoValue { .. } => {
            (OptionProblem::BadValue("a number from 0 to 4294967295".to_owned()), None)
        }
    }
}

/// The option whose name is nearest.
fn nearest(word: &str) -> Option<String> {
    let name = word.find('=').map_or(word, |at| &word[..=at]);
    let names = FLAGS.iter().map(|f| f.name).chain(WITH_VALUE.iter().copied());
    source::words::nearest(name, names).map(str::to_owned)
}
