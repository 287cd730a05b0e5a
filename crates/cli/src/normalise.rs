//! From what users of nvcc and clang type to what clap reads.
//!
//! GPU compilers write long options with one dash (`-arch=sm_90`, `-cl-std=CL1.2`, `-Rpass=loop-unroll`); clap wants
//! two. Knobs of the unroller may stand by their own names. `-D` and `-U` are merged into one list that keeps their
//! order.

use std::ffi::OsString;

/// Options that take their value in the next word when they have no `=`, and are written with one dash or two.
const WITH_VALUE: &[&str] = &[
    "arch",
    "march",
    "offload-arch",
    "warp",
    "warp-emulation",
    "mcode-object-version",
    "gpu-architecture",
    "gencode",
    "generate-code",
    "std",
    "cl-std",
    "include",
    "pre-include",
    "isystem",
    "system-include",
    "emit",
    "module-id",
    "format",
    "color",
    "colour",
    "knob",
    "Rpass",
    "Rpass-missed",
    "Rpass-analysis",
    "fmode",
    "output-file",
    "include-path",
    "define-macro",
    "undefine-macro",
    "optimize",
    "language",
    "target",
    "cpu",
    "kernel",
    "global",
    "grid",
    "local",
    "block",
    "offset",
    "shared",
    "arg",
    "out",
    "image",
    "symbol",
    "symbol-out",
    "time-format",
    "repeat",
    "flops",
    "timeout",
    "threads",
    "lanes",
    "html",
    "factors",
    "loop",
];

/// Options without a value, or with one after `=` only.
const FLAGS: &[&str] = &[
    "mwavefrontsize64",
    "mno-wavefrontsize64",
    "fwarp64",
    "use_fast_math",
    "use-fast-math",
    "fmad",
    "ftz",
    "prec-div",
    "prec-sqrt",
    "cl-fast-relaxed-math",
    "cl-unsafe-math-optimizations",
    "cl-finite-math-only",
    "cl-no-signed-zeros",
    "cl-mad-enable",
    "cl-denorms-are-zero",
    "cl-single-precision-constant",
    "cl-fp32-correctly-rounded-divide-sqrt",
    "cl-opt-disable",
    "cl-kernel-arg-info",
    "cl-uniform-work-group-size",
    "lineinfo",
    "nostdinc",
    "generate-line-info",
    "ptx",
    "preprocess",
    "verify-each",
    "time-report",
    "disable-warnings",
    "check",
    "time",
    "scalar",
    "no-cache",
    "explain",
    "verbose",
    "help",
    "version",
];

/// Rewrites the words of a command line.
///
/// # Errors
/// An option that nobody knows, with the nearest one.
pub(crate) fn normalise(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut out: Vec<OsString> = Vec::with_capacity(words.len() + 4);
    let mut it = words.into_iter();
    out.extend(it.next());
    // Only the commands that take sources speak other compilers' language.
    let mut it = it.peekable();
    if it.peek().is_some_and(|command| command == "opencl") {
        out.extend(it);
        return Ok(out);
    }
    let compiles = it.peek().is_some_and(|command| command == "compile" || command == "explain");
    while let Some(word) = it.next() {
        let Some(text) = word.to_str() else {
            out.push(word);
            continue;
        };
        if text == "--" {
            out.push(word);
            out.extend(it);
            break;
        }
        // Negative numbers are values.
        let number = text[1.min(text.len())..].starts_with(|c: char| c.is_ascii_digit());
        if !text.starts_with('-') || text == "-" || number {
            out.push(word);
            continue;
        }
        if compiles && crate::nvcc::option(text, &mut it, &mut out)? {
            continue;
        }
        option(text, &mut it, &mut out)
            .or_else(|e| if compiles && crate::nvcc::is_library(text) { Ok(()) } else { Err(e) })?;
    }
    Ok(out)
}

fn option(text: &str, rest: &mut impl Iterator<Item = OsString>, out: &mut Vec<OsString>) -> Result<(), String> {
    let body = text.trim_start_matches('-');
    let name = body.split(['=', '@']).next().unwrap_or("");
    // Passing knobs through.
    if name == "Xcicc" || name == "mllvm" {
        let value = match body.split_once('=') {
            Some((_, v)) => OsString::from(v),
            None => rest.next().ok_or_else(|| format!("`{text}` needs an option to pass on"))?,
        };
        out.push(if name == "Xcicc" { "--xcicc".into() } else { "--mllvm".into() });
        out.push(value);
        return Ok(());
    }
    // A kernel's argument may be a negative number.
    if matches!(body, "arg" | "a") {
        let value = rest.next().ok_or_else(|| format!("`{text}` needs an argument for the kernel"))?;
        let mut joined = OsString::from("--arg=");
        joined.push(value);
        out.push(joined);
        return Ok(());
    }
    if WITH_VALUE.contains(&name) || FLAGS.contains(&name) {
        out.push(format!("--{}{}", name.to_lowercase(), &body[name.len()..]).into());
        return Ok(());
    }
    let single = !text.starts_with("--");
    if single {
        if let Some(kind) = body.chars().next().filter(|c| matches!(c, 'D' | 'U')) {
            let value = match &body[1..] {
                "" => rest.next().ok_or_else(|| format!("`{text}` needs a macro"))?,
                v => v.into(),
            };
            let mut joined = OsString::from(kind.to_string());
            joined.push(value);
            out.push("--macro".into());
            out.push(joined);
            return Ok(());
        }
        // Short options, with or without their value.
        if body.starts_with(['I', 'O', 'W', 'o', 'x']) || matches!(body, "E" | "P" | "w" | "h" | "V" | "v" | "k") {
            // `-O` alone is -O2, as clang has it.
            out.push(if body == "O" { "-O2".into() } else { text.into() });
            return Ok(());
        }
        if body == "EP" {
            out.extend(["-E".into(), "-P".into()]);
            return Ok(());
        }
    }
    if unspool::Knobs::looks_like_knob(body) {
        out.push("--knob".into());
        out.push(body.into());
        return Ok(());
    }
    if !single && WITH_VALUE.iter().chain(FLAGS).any(|n| n.eq_ignore_ascii_case(name)) {
        out.push(text.into());
        return Ok(());
    }
    let near = source::words::nearest(name, WITH_VALUE.iter().chain(FLAGS).copied());
    Err(match near {
        Some(n) => format!("unknown option `{text}`; did you mean `-{n}`?"),
        None => format!("unknown option `{text}`; `unspool compile --help` lists them"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str) -> Result<String, String> {
        let words = std::iter::once("unspool").chain(line.split(' ')).map(OsString::from).collect();
        let out = normalise(words)?;
        Ok(out[1..].iter().map(|w| w.to_str().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn as_nvcc_and_clang_write_them() {
        for (given, want) in [
            ("compile a.cu -arch=sm_90 -o a.ptx", "compile a.cu --arch=sm_90 -o a.ptx"),
            ("compile a.cu -arch sm_90", "compile a.cu --arch sm_90"),
            ("compile --gpu-architecture=compute_90", "compile --gpu-architecture=compute_90"),
            ("compile -DN=4 -U M -D K", "compile --macro DN=4 --macro UM --macro DK"),
            ("compile -cl-std=CL1.2 -Rpass=loop-unroll", "compile --cl-std=CL1.2 --rpass=loop-unroll"),
            ("compile -unroll-threshold=50", "compile --knob unroll-threshold=50"),
            ("compile --unroll-count@k=2", "compile --knob unroll-count@k=2"),
            ("compile -Xcicc -unroll-count=3", "compile --xcicc -unroll-count=3"),
            ("compile -mllvm -unroll-count=3 -", "compile --mllvm -unroll-count=3 -"),
            ("compile -O -fmad=false --use_fast_math", "compile -O2 --fmad=false --use_fast_math"),
            ("compile -Werror -Iinc -I inc -x cl", "compile -Werror -Iinc -I inc -x cl"),
            ("run k.cl --arg -1 -arg x -local 4 -v", "run k.cl --arg=-1 --arg=x --local 4 -v"),
        ] {
            assert_eq!(run(given).as_deref(), Ok(want), "{given}");
        }
    }

    #[test]
    fn unknown_options_name_the_nearest() {
        assert!(run("compile -archh=sm_90").unwrap_err().contains("did you mean `-arch`"));
        assert!(run("compile -zzzzzz").unwrap_err().contains("lists them"));
    }
}
