//! `-MD`, `-MMD`, `-M`, `-MM`: what a source is made of, for `make`. The host's preprocessor writes it; here is what it cannot know
//! (what the object is called, and where the file goes), and what is no file of the program's (our headers, and copies of sources, in
//! the run's own folder) goes out again.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a source becomes, as the command line says it.
pub(super) struct Made<'a> {
    /// The source.
    pub(super) source: &'a str,
    /// What `-o` says.
    pub(super) output: Option<&'a str>,
    /// A program is linked.
    pub(super) links: bool,
    /// There are other sources.
    pub(super) several: bool,
}

/// What a run is asked to write.
pub(super) struct Asked {
    /// Where.
    pub(super) file: PathBuf,
    /// What the host's compiler is told besides what it was told.
    pub(super) words: Vec<OsString>,
}

/// Whether an option asks for dependencies alone.
pub(super) fn is_alone(flag: &str) -> bool {
    matches!(flag, "-M" | "-MM")
}

/// The options that are not about dependencies.
pub(super) fn without<'f>(flags: impl Iterator<Item = &'f OsStr>) -> impl Iterator<Item = &'f OsStr> {
    let mut argument = false;
    flags.filter(move |flag| {
        if std::mem::take(&mut argument) {
            return false;
        }
        let text = flag.to_str().unwrap_or_default();
        argument = matches!(text, "-MF" | "-MT" | "-MQ");
        let joined = ["-MF", "-MT", "-MQ"].iter().any(|o| text.starts_with(o));
        !joined && !matches!(text, "-MD" | "-MMD" | "-MP" | "-MG" | "-M" | "-MM")
    })
}

/// What the options ask for beside an object, by the host's compiler's rules.
pub(super) fn asked<'f>(flags: impl Iterator<Item = &'f OsStr>, made: &Made<'_>) -> Option<Asked> {
    let flags: Vec<&str> = flags.filter_map(OsStr::to_str).collect();
    if !flags.iter().any(|f| matches!(*f, "-MD" | "-MMD")) {
        return None;
    }
    // `-MF file` or `-MFfile`.
    let given = flags.iter().enumerate().rev().find_map(|(n, f)| match f.strip_prefix("-MF")? {
        "" => flags.get(n + 1).copied(),
        joined => Some(joined),
    });
    let stem = Path::new(made.source).file_stem().unwrap_or_default().display().to_string();
    let (target, file) = match (made.output, made.links) {
        (Some(output), true) if made.several => {
            (format!("{stem}.o"), PathBuf::from(format!("{}-{stem}.d", Path::new(output).with_extension("").display())))
        }
        (Some(output), _) => (output.to_owned(), Path::new(output).with_extension("d")),
        (None, true) => (format!("{stem}.o"), PathBuf::from(format!("a-{stem}.d"))),
        (None, false) => (format!("{stem}.o"), PathBuf::from(format!("{stem}.d"))),
    };
    let mut words = Vec::new();
    if given.is_none() {
        words.extend(["-MF".into(), file.clone().into_os_string()]);
    }
    if !flags.iter().any(|f| f.starts_with("-MT") || f.starts_with("-MQ")) {
        words.extend(["-MQ".into(), target.into()]);
    }
    Some(Asked { file: given.map_or(file, PathBuf::from), words })
}

/// Rules without what lies in `folder`; a source's copy there is `source`.
pub(super) fn mended(rules: &str, folder: &Path, source: &str) -> String {
    let ours = |word: &str| Path::new(word.trim_end_matches(':')).starts_with(folder);
    let is_copy = |word: &str| Path::new(word).extension().is_some_and(|e| e == "c");
    let mut out = String::new();
    for rule in rules.replace("\\\n", " ").lines() {
        let words = words(rule);
        if words.first().is_some_and(|w| ours(w)) {
            continue;
        }
        let kept = words.iter().filter_map(|w| match (ours(w), is_copy(w) && source != "-") {
            (false, _) => Some(w.as_str()),
            (true, true) => Some(source),
            (true, false) => None,
        });
        out.push_str(&kept.collect::<Vec<_>>().join(" \\\n "));
        out.push('\n');
    }
    out
}

/// The words of a rule; `\ ` is a space in one.
fn words(rule: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut escaped = false;
    for c in rule.chars() {
        if c.is_whitespace() && !escaped {
            out.push(String::new());
        } else if let Some(word) = out.last_mut() {
            word.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    out.retain(|w| !w.is_empty());
    out
}

/// The same of a file.
pub(super) fn mend(file: &Path, folder: &Path, source: &str) -> Result<(), String> {
    // Where there is none the host's compiler has been told something else.
    let Ok(rules) = std::fs::read_to_string(file) else { return Ok(()) };
    std::fs::write(file, mended(&rules, folder, source)).map_err(|e| format!("cannot write `{}`: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::mended;
    use std::path::Path;

    #[test]
    fn what_lies_in_the_runs_folder_is_no_dependency() {
        let rules =
            "p.o: /made/up/in.c a\\ b.h \\\n /made/up/openacc.h /usr/include/stdio.h\n/made/up/openacc.h:\na\\ b.h:\n";
        let wanted = "p.o: \\\n dir/p.c \\\n a\\ b.h \\\n /usr/include/stdio.h\na\\ b.h:\n";
        assert_eq!(mended(rules, Path::new("/made/up"), "dir/p.c"), wanted);
    }
}
