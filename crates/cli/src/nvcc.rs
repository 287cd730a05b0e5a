//! Options of nvcc that concern the host's compiler, the assembler and the linker, so that a build's own command line can
//! be given as it is: they are taken, and what device code can see of them is defined.

use std::ffi::OsString;
use std::io::Write;

/// Options that take a value, after `=` or in the next word.
const WITH_VALUE: &[&str] = &[
    "Ofast-compile",
    "Ofc",
    "Xarchive",
    "Xcompiler",
    "Xcudafe",
    "Xfatbin",
    "Xlinker",
    "Xnvlink",
    "Xptxas",
    "archive-options",
    "archiver-binary",
    "ccbin",
    "compiler-bindir",
    "compiler-options",
    "cudadevrt",
    "cudart",
    "default-stream",
    "diag-error",
    "diag-suppress",
    "diag-warn",
    "fdevice-time-trace",
    "keep-dir",
    "library",
    "library-path",
    "linker-options",
    "machine",
    "maxrregcount",
    "nvlink-options",
    "ptxas-options",
    "split-compile",
    "t",
    "target-dir",
    "threads",
    "MF",
    "MT",
    "MQ",
];

/// Options without a value, or with one after `=` only.
const FLAGS: &[&str] = &[
    "M64",
    "MD",
    "MMD",
    "MP",
    "debug",
    "display-error-number",
    "extra-device-vectorization",
    "forward-unknown-to-host-compiler",
    "forward-unknown-to-host-linker",
    "forward-unknown-opts",
    "g",
    "keep",
    "m64",
    "minimal",
    "no-align-double",
    "no-compress",
    "no-device-link",
    "no-exceptions",
    "no-host-device-initializer-list",
    "no-host-device-move-forward",
    "nodlink",
    "objdir-as-tempdir",
    "pg",
    "profile",
    "res-usage",
    "resource-usage",
    "restrict",
    "save-temps",
    "source-in-ptx",
    "src-in-ptx",
    "static-global-template-stub",
];

/// Options that device code sees by a macro.
const MACROS: &[(&str, &str)] = &[
    ("extended-lambda", "__CUDACC_EXTENDED_LAMBDA__=1"),
    ("expt-extended-lambda", "__CUDACC_EXTENDED_LAMBDA__=1"),
    ("expt-relaxed-constexpr", "__CUDACC_RELAXED_CONSTEXPR__=1"),
    ("rdc", "__CUDACC_RDC__=1"),
    ("relocatable-device-code", "__CUDACC_RDC__=1"),
    ("dc", "__CUDACC_RDC__=1"),
    ("device-c", "__CUDACC_RDC__=1"),
    ("ewp", "__CUDACC_EWP__=1"),
    ("G", "__CUDACC_DEBUG__=1"),
    ("device-debug", "__CUDACC_DEBUG__=1"),
];

/// Options that ask for something of device code which is not done here: what to do about it.
const HINTS: &[(&str, &str)] = &[
    ("maxrregcount", "registers are given by ptxas: pass it there, or write `__launch_bounds__` or `__maxnreg__`"),
    ("Xptxas", "its options are for ptxas: pass them there"),
    ("ptxas-options", "its options are for ptxas: pass them there"),
    ("restrict", "write `__restrict__` on the parameters"),
    ("extra-device-vectorization", "nothing here corresponds to it"),
];

/// Kinds of warnings that nvcc's `-Werror` takes in a word of its own.
const WERROR_KINDS: &[&str] = &[
    "all-warnings",
    "cross-execution-space-call",
    "reorder",
    "default-stream-launch",
    "ext-lambda-captures-this",
    "deprecated-declarations",
];

/// Takes an option of nvcc's that is none of ours; whether it was one.
///
/// # Errors
/// An option without its value.
pub(crate) fn option(
    text: &str,
    rest: &mut std::iter::Peekable<impl Iterator<Item = OsString>>,
    out: &mut Vec<OsString>,
) -> Result<bool, String> {
    let body = text.trim_start_matches('-');
    let (name, value) = body.split_once('=').map_or((body, None), |(n, v)| (n, Some(v)));
    if let Some((_, what)) = HINTS.iter().find(|(n, _)| *n == name) {
        let _ = writeln!(std::io::stderr(), "note: `{text}` has no effect here: {what}");
    }
    if let Some((_, macro_text)) = MACROS.iter().find(|(n, _)| *n == name) {
        if value != Some("false") {
            out.push("--macro".into());
            out.push(format!("D{macro_text}").into());
        }
        return Ok(true);
    }
    if WITH_VALUE.contains(&name) {
        if value.is_none() && rest.next().is_none() {
            return Err(format!("`{text}` needs a value"));
        }
        return Ok(true);
    }
    if body == "Werror" && rest.peek().and_then(|w| w.to_str()).is_some_and(|w| WERROR_KINDS.contains(&w)) {
        if rest.next().is_some_and(|kind| kind == "all-warnings") {
            out.push("-Werror".into());
        }
        return Ok(true);
    }
    Ok(FLAGS.contains(&name))
}

/// `-lcudart`, `-L/usr/lib`; whether the option is another one's is to be asked before.
pub(crate) fn is_library(text: &str) -> bool {
    !text.starts_with("--") && text.len() > 2 && (text.starts_with("-l") || text.starts_with("-L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(line: &str) -> Option<String> {
        let mut words = line.split(' ').map(OsString::from).peekable();
        let first = words.next()?;
        let mut out = Vec::new();
        let known = option(first.to_str()?, &mut words, &mut out).ok()?;
        out.extend(words);
        known.then(|| out.iter().filter_map(|w| w.to_str()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_builds_pass_to_nvcc() {
        for (given, left) in [
            ("--expt-relaxed-constexpr", "--macro D__CUDACC_RELAXED_CONSTEXPR__=1"),
            ("-extended-lambda a.cu", "--macro D__CUDACC_EXTENDED_LAMBDA__=1 a.cu"),
            ("-rdc=false", ""),
            ("-rdc=true", "--macro D__CUDACC_RDC__=1"),
            ("-Xcompiler -fPIC a.cu", "a.cu"),
            ("-Xcompiler=-fPIC a.cu", "a.cu"),
            ("--ptxas-options=-v", ""),
            ("-Werror all-warnings", "-Werror"),
            ("-g", ""),
        ] {
            assert_eq!(taken(given).as_deref(), Some(left), "{given}");
        }
        for other in ["-Werror", "-lineinfo", "-zzz", "-cubin"] {
            assert_eq!(taken(other), None, "{other}");
        }
    }
}
