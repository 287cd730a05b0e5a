//! Options of PGI's and NVIDIA's compilers that have another name with the host's compiler, or nothing to do here.

/// What an option comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// These words of the host's compiler.
    Host(&'static [&'static str]),
    /// Nothing, and what is said about it.
    Nothing(&'static str),
    /// Nothing, and the next word belongs to it.
    NothingOfTwo(&'static str),
}

const NO_EFFECT: &str = "has no effect here";
const INLINED: &str = "is not needed: what regions call is part of their kernels";

/// What an option means, if it is one of theirs.
pub(super) fn meaning(text: &str) -> Option<Meaning> {
    use Meaning::{Host, Nothing, NothingOfTwo};
    Some(match text {
        "-O4" => Host(&["-O3"]),
        "-c89" | "-c90" => Host(&["-std=gnu89"]),
        "-c99" => Host(&["-std=gnu99"]),
        "-c11" | "-c1x" => Host(&["-std=gnu11"]),
        "-c17" | "-c18" => Host(&["-std=gnu17"]),
        "-gopt" => Host(&["-g"]),
        "-silent" => Host(&["-w"]),
        "-dryrun" => Host(&["-###"]),
        "-mp" => Host(&["-fopenmp"]),
        "-nomp" | "-Mnomp" => Host(&["-fno-openmp"]),
        "-Kpic" | "-KPIC" => Host(&["-fPIC"]),
        "-tp=native" | "-tp=host" => Host(&["-march=native"]),
        "-tp" => NothingOfTwo(NO_EFFECT),
        _ if text.starts_with("-mp=") => Host(&["-fopenmp"]),
        _ if ["-tp=", "-tp-", "-Bstatic_", "-Bdynamic_"].iter().any(|o| text.starts_with(o)) => Nothing(NO_EFFECT),
        _ if text.strip_prefix("-K").is_some_and(|k| matches!(k.strip_prefix("no").unwrap_or(k), "ieee" | "trap")) => {
            Nothing(NO_EFFECT)
        }
        // gcc's, about its own code for devices.
        _ if ["-fopenacc-", "-foffload"].iter().any(|o| text.starts_with(o)) => Nothing(NO_EFFECT),
        _ if is_m_option(text) && ["-Minline", "-Mipa"].iter().any(|o| text.starts_with(o)) => Nothing(INLINED),
        _ if is_m_option(text) => Nothing(NO_EFFECT),
        _ => return None,
    })
}

/// PGI's own `-M…`; `-M`, `-MM`, `-MD`, `-MF file` and their like are the host's.
fn is_m_option(text: &str) -> bool {
    text.strip_prefix("-M").is_some_and(|t| t.len() > 1 && t.as_bytes()[1].is_ascii_lowercase())
}

/// Whether the names of `-Minline=f, g` go on in the next word.
pub(super) fn goes_on(text: &str) -> bool {
    (text.starts_with("-Minline=") || text.starts_with("-Mipa=")) && text.ends_with(',')
}

/// Whether a word is the rest of such a list: names, and no file.
pub(super) fn is_names(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b',' | b':'))
}

/// Words of `-ta=…` and `-gpu=…` without a meaning here: they are about memory that moves by itself, about how GPUs' code is made
/// by another compiler, or say what is so anyway.
const SUB_OPTIONS: [&str; 31] = [
    "strict",
    "verystrict",
    "autopar",
    "noautopar",
    "legacy",
    "sync",
    "nosync",
    "wait",
    "nowait",
    "routineseq",
    "mem",
    "pinned",
    "lineinfo",
    "nolineinfo",
    "debug",
    "nodebug",
    "rdc",
    "nordc",
    "unroll",
    "nounroll",
    "loadcache",
    "maxregcount",
    "deepcopy",
    "nodeepcopy",
    "ptxinfo",
    "keepbin",
    "zeroinit",
    "safecache",
    "autocompare",
    "redundant",
    "beta",
];

/// Whether a word of `-ta=…` or `-gpu=…` is one of theirs that does nothing here; `before` is the word before it.
pub(super) fn is_sub_option(word: &str, before: &str) -> bool {
    let is_value = matches!(before, "maxregcount") && word.bytes().all(|b| b.is_ascii_digit())
        || before == "loadcache" && matches!(word, "L1" | "L2");
    let is_toolkit = word.strip_prefix("cuda").is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()));
    SUB_OPTIONS.contains(&word) || is_value || is_toolkit
}

/// Whether such a word is worth a note: what is so anyway is not.
pub(super) fn is_noted(word: &str) -> bool {
    SUB_OPTIONS.iter().position(|w| *w == word).is_some_and(|at| at >= 11)
}

/// The words of `-Minfo=…` that are about other things than directives.
const INFO_WORDS: [&str; 18] = [
    "inline",
    "ipa",
    "opt",
    "unroll",
    "stat",
    "time",
    "ccff",
    "ftn",
    "hpf",
    "intensity",
    "lre",
    "pfo",
    "prefetch",
    "pgo",
    "stdpar",
    "unified",
    "lto",
    "target",
];

/// Words of `-Minfo=…` and `-Mneginfo=…` that are about directives and loops.
pub(super) const TOLD: [&str; 7] = ["accel", "acc", "all", "loop", "vect", "par", "mp"];

/// What to say about a word of `-Minfo=…` that nobody knows.
pub(super) fn unknown_info(option: &str, word: &str) -> Option<String> {
    let device = word.strip_prefix("cc").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    if TOLD.contains(&word) || INFO_WORDS.contains(&word) || device || word.is_empty() {
        return None;
    }
    let near = source::words::nearest(word, TOLD).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    Some(format!("`{option}` knows no `{word}`{near}"))
}

/// Questions about the host's compiler, which answers them: what build systems ask before anything is compiled.
pub(super) fn is_question(text: &str) -> bool {
    matches!(text, "--version" | "-V" | "-qversion" | "--target-help")
        || ["-dump", "-print-", "--print-", "--help="].iter().any(|o| text.starts_with(o))
            && !text.starts_with("-dumpbase")
            && !text.starts_with("-dumpdir")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_host_are_not_theirs() {
        for text in ["-M", "-MM", "-MD", "-MF", "-MP", "-m64", "-mtune=native", "-c", "-O2", "-K", "-g", "-tpfoo"] {
            assert_eq!(meaning(text), None, "{text}");
        }
        assert_eq!(meaning("-Mvect=simd"), Some(Meaning::Nothing(NO_EFFECT)));
    }

    #[test]
    fn words_of_minfo_are_spelt_as_they_are() {
        assert_eq!(
            unknown_info("-Minfo", "accle").as_deref(),
            Some("`-Minfo` knows no `accle`; did you mean `accel`?")
        );
        assert!(["accel", "inline", "cc20", ""].iter().all(|w| unknown_info("-Minfo", w).is_none()));
    }
}
