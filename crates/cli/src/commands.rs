//! What commands share: options, inputs, diagnostics.

use crate::args::{Common, Format, Language, When};
use crate::{gpu, warnings};
use source::render::{Colour, diagnostic_to_text, diagnostics_to_json, diagnostics_to_text, sarif_log};
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use unspool::{Compilation, Define, Dialect, Input, Mode, OptLevel, Options};

/// An error on the command line, in words.
pub(crate) type Usage<T> = Result<T, String>;

/// An error that has no place in a source.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

pub(crate) fn read(name: &str) -> Result<Input, String> {
    /// Largest input from a pipe.
    const MAX: u64 = source::SourceMap::MAX_FILE as u64 + 1;
    if name != "-" {
        return Ok(Input::File(name.into()));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX).read_to_end(&mut bytes);
    read.map_err(|e| format!("cannot read standard input: {e}"))?;
    Ok(Input::Text { name: "<stdin>".into(), bytes })
}

pub(crate) fn colour(when: When, terminal: bool) -> Colour {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    match when {
        When::Always => Colour::Always,
        When::Auto if terminal && !plain => Colour::Always,
        _ => Colour::Never,
    }
}

/// Diagnostics to standard error.
pub(crate) fn report(result: &Compilation, common: &Common) {
    let mut err = std::io::stderr().lock();
    let session = &result.session;
    if common.format == Format::Sarif {
        let _ = writeln!(err, "{:#}", sarif_log(&[unspool::explain::to_sarif(result)]));
        return;
    }
    if common.format == Format::Json {
        let all = diagnostics_to_json(&session.sources, session.diagnostics.iter());
        if all.as_array().is_some_and(|a| !a.is_empty()) {
            let _ = writeln!(err, "{all}");
        }
        return;
    }
    let colour = colour(common.color, std::io::stderr().is_terminal());
    for d in session.diagnostics.iter() {
        let _ = write!(err, "{}", diagnostic_to_text(&session.sources, d, colour));
    }
    let (errors, warnings) = (session.diagnostics.error_count(), session.diagnostics.warning_count());
    if errors > 1 || (errors > 0 && warnings > 0) {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let _ = writeln!(err, "{}, {}", count(errors, "error"), count(warnings, "warning"));
    }
}

/// One diagnostic that came up after the compilation, to standard error.
pub(crate) fn show(session: &source::Session, d: &source::Diagnostic, common: &Common) {
    show_all(session, std::slice::from_ref(d), common);
}

/// Shows diagnostics that came after the compilation's.
pub(crate) fn show_all(session: &source::Session, all: &[source::Diagnostic], common: &Common) {
    let mut err = std::io::stderr().lock();
    let _ = match common.format {
        Format::Json | Format::Sarif => writeln!(err, "{}", diagnostics_to_json(&session.sources, all)),
        Format::Text => {
            let colour = colour(common.color, std::io::stderr().is_terminal());
            write!(err, "{}", diagnostics_to_text(&session.sources, all, colour))
        }
    };
}

pub(crate) fn time_report(result: &Compilation) {
    let mut err = std::io::stderr().lock();
    let total: std::time::Duration = result.timings.iter().filter(|t| !t.is_pass).map(|t| t.time).sum();
    for t in &result.timings {
        let share = 100.0 * t.time.as_secs_f64() / total.as_secs_f64().max(1e-9);
        let indent = if t.is_pass { "  " } else { "" };
        let runs = if t.is_pass { format!(" ({} runs)", t.runs) } else { String::new() };
        let _ = writeln!(err, "{:9.1} us {share:5.1} %  {indent}{}{runs}", t.time.as_secs_f64() * 1e6, t.name);
    }
    let _ = writeln!(err, "{:9.1} us         total", total.as_secs_f64() * 1e6);
}

fn dialect(c: &Common, input: &str) -> Usage<Dialect> {
    let language = match c.language {
        Some(l) => l,
        None => match Path::new(input).extension().and_then(|e| e.to_str()) {
            Some("cl" | "ocl" | "clh") => Language::Cl,
            Some("c" | "h") => Language::C,
            // PTX is read by its suffix, whatever the dialect.
            Some("cu" | "cuh" | "cpp" | "cc" | "cxx" | "hpp" | "ptx") => Language::Cu,
            _ if c.cl_std.is_some() => Language::Cl,
            _ if input == "-" => {
                return Err("standard input has no suffix; name its language with `-x cu` or `-x cl`".into());
            }
            _ => return Err(format!("cannot tell the language of `{input}`; name it with `-x cu`, `-x cl` or `-x c`")),
        },
    };
    Ok(match language {
        Language::C => Dialect::C11,
        Language::Cl => {
            let version = match c.cl_std.as_deref() {
                None => return Ok(Dialect::OPENCL),
                Some("CL1.0" | "cl1.0") => 100,
                Some("CL1.1" | "cl1.1") => 110,
                Some("CL1.2" | "cl1.2") => 120,
                Some("CL2.0" | "cl2.0") => 200,
                Some("CL3.0" | "cl3.0") => 300,
                Some(s) => {
                    return Err(format!(
                        "unknown OpenCL C version `{s}`; versions are CL1.0, CL1.1, CL1.2, CL2.0, CL3.0"
                    ));
                }
            };
            Dialect::OpenClC { version }
        }
        Language::Cu => {
            let std = match c
                .std
                .as_deref()
                .map(|s| s.trim_start_matches("gnu").trim_start_matches("c").trim_start_matches("++"))
            {
                None => return Ok(Dialect::CUDA),
                Some("03" | "98" | "11" | "0x") => 11,
                Some("14") => 14,
                Some("17") => 17,
                Some("20" | "2a") => 20,
                Some(_) => {
                    let s = c.std.as_deref().unwrap_or("");
                    return Err(format!("unknown language standard `{s}`; standards are c++11, c++14, c++17, c++20"));
                }
            };
            Dialect::CudaCxx { std }
        }
    })
}

pub(crate) fn options_for(c: &Common, input: &str) -> Usage<Options> {
    options_of(c, input, false)
}

/// The same for code that may be for this machine, which has warps of any size.
pub(crate) fn options_here(c: &Common, input: &str) -> Usage<Options> {
    options_of(c, input, true)
}

/// Where no architecture is named, PTX is for the one that it names itself.
pub(crate) fn target_of_ptx(c: &Common, input: &Input, o: &mut Options) {
    if gpu::is_named(c) {
        return;
    }
    if let Some(arch) = unspool::ptx_target(input) {
        o.set_arch(arch);
    }
}

/// Where a host compiler looks for headers besides its own: a library's, such as `<gmp.h>`.
const HOST_DIRS: [&str; 3] = [
    "/usr/local/include",
    if cfg!(target_arch = "aarch64") { "/usr/include/aarch64-linux-gnu" } else { "/usr/include/x86_64-linux-gnu" },
    "/usr/include",
];

fn options_of(c: &Common, input: &str, here: bool) -> Usage<Options> {
    let mut o = Options::new(dialect(c, input)?);
    gpu::set(c, &mut o, here)?;
    o.level = level(c)?;
    for m in &c.macros {
        let (kind, body) = m.split_at(1);
        o.defines.push(if kind == "U" { Define::Undef(body.into()) } else { define(body) });
    }
    o.defines.extend(c.define.iter().map(|d| define(d)));
    o.defines.extend(c.undefine.iter().map(|d| Define::Undef(d.clone())));
    o.include_dirs = c.include_path.iter().map(Into::into).collect();
    o.system_dirs = c.isystem.iter().map(Into::into).collect();
    if matches!(o.dialect, Dialect::CudaCxx { .. }) && !c.nostdinc {
        o.host_dirs = HOST_DIRS.iter().map(Into::into).collect();
    }
    o.forced_includes.clone_from(&c.include);
    o.mode = match c.fmode.as_deref() {
        None | Some("nvcc") => Mode::Nvcc,
        Some("clang") => Mode::Clang,
        Some(m) => return Err(format!("unknown mode `-fmode={m}`; modes are nvcc and clang")),
    };
    math(c, &mut o);
    o.line_info = c.lineinfo;
    o.module_id.clone_from(&c.module_id);
    knobs(c, &mut o)?;
    o.no_warnings = c.no_warnings;
    warnings::apply(&c.warn, &mut o);
    o.verify_each |= c.verify_each;
    o.time = c.time_report;
    Ok(o)
}

fn level(c: &Common) -> Usage<OptLevel> {
    if c.math.cl_opt_disable {
        return Ok(OptLevel::O0);
    }
    Ok(match c.optimize.as_deref().unwrap_or("3") {
        "0" => OptLevel::O0,
        "1" => OptLevel::O1,
        "2" | "s" | "z" => OptLevel::O2,
        "3" | "fast" => OptLevel::O3,
        l => return Err(format!("unknown optimisation level `-O{l}`; levels are 0, 1, 2, 3")),
    })
}

/// `NAME` or `NAME=BODY`.
fn define(text: &str) -> Define {
    match text.split_once('=') {
        Some((name, body)) => Define::Define(name.into(), Some(body.into())),
        None => Define::Define(text.into(), None),
    }
}

fn math(c: &Common, o: &mut Options) {
    let (m, a) = (&mut o.math, &c.math);
    m.cuda_fast = a.use_fast_math;
    m.cl_fast = a.cl_fast_relaxed_math;
    m.cl_unsafe = a.cl_unsafe_math_optimizations;
    m.finite_only = a.cl_finite_math_only;
    m.no_signed_zeros = a.cl_no_signed_zeros;
    m.ftz = a.ftz.or(a.cl_denorms_are_zero.then_some(true));
    m.prec_div = a.prec_div.or(a.cl_fp32_correctly_rounded_divide_sqrt.then_some(true));
    m.prec_sqrt = a.prec_sqrt.or(a.cl_fp32_correctly_rounded_divide_sqrt.then_some(true));
    m.fmad = a.fmad.or(a.cl_mad_enable.then_some(true));
    m.single_precision_constants = a.cl_single_precision_constant;
}

fn knobs(c: &Common, o: &mut Options) -> Usage<()> {
    for k in &c.knobs {
        o.knobs.assign(k).map_err(|e| e.to_string())?;
    }
    // `-Xcicc "-a=1 -b=2"` holds several; `--Xllc -Xcicc X` is nvcc's own way of passing on.
    for text in c.xcicc.iter().chain(&c.mllvm) {
        for word in text.split_whitespace().filter(|w| !matches!(*w, "--Xllc" | "-Xllc")) {
            o.knobs.assign(word).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}
