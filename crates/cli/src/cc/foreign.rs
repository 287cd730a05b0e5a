//! Sources of other languages (C++, Fortran, assembler): the host's compiler compiles them, and a warning tells of directives in
//! them, which nobody does.

use super::options::Options;
use source::{Diagnostic, SourceMap, Span};
use std::io::Write;
use std::path::Path;

/// A source of another language than C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Foreign {
    pub(super) path: String,
    /// As `-x` names it.
    pub(super) language: Option<String>,
}

/// The families of languages that GNU's compilers tell apart by the names of files.
const EXTENSIONS: [(&str, &[&str]); 3] = [
    ("C++", &["cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"]),
    (
        "Fortran",
        &["f", "for", "ftn", "fpp", "F", "FOR", "FTN", "FPP", "f90", "f95", "f03", "f08", "F90", "F95", "F03", "F08"],
    ),
    ("assembler", &["s", "S", "sx"]),
];

impl Foreign {
    /// What a word of the command line is, if it names such a source.
    pub(super) fn of(word: &str, language: Option<&str>) -> Option<Self> {
        if word.starts_with('-') && word != "-" {
            return None;
        }
        let is_one = language.map_or_else(|| by_extension(word).is_some(), |l| l != "c" && l != "none");
        is_one.then(|| Self { path: word.to_owned(), language: language.map(str::to_owned) })
    }

    /// The language's name.
    pub(super) fn family(&self) -> &'static str {
        match self.language.as_deref() {
            Some(l) if l.starts_with("c++") => "C++",
            Some(l) if l.starts_with('f') => "Fortran",
            Some(_) => "another language",
            None => by_extension(&self.path).unwrap_or("another language"),
        }
    }

    /// The library that the language's programs need, which the compiler of C does not link.
    pub(super) fn library(&self) -> Option<&'static str> {
        match self.family() {
            "C++" => Some("-lstdc++"),
            "Fortran" => Some("-lgfortran"),
            _ => None,
        }
    }

    /// Says that directives in the file are not compiled; whether that is an error.
    pub(super) fn report(&self, options: &Options) -> bool {
        // The host's compiler says what is wrong with a file; its comments may be in any encoding.
        let Ok(bytes) = std::fs::read(&self.path) else { return false };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((at, count)) = directives(&text) else { return false };
        let mut sources = SourceMap::default();
        let Ok(file) = sources.add(&self.path, text) else { return false };
        let base = sources.file(file).base;
        let span = Span::new(base + at.start as u32, base + at.end as u32);
        let what = match count {
            1 => "this directive is".to_owned(),
            n => format!("this directive and {} more are", n - 1),
        };
        let message = format!("{what} not compiled, in a file in {}: regions run on the host", self.family());
        let mut said = options.diagnostics();
        said.report(
            Diagnostic::warning("W0815", span, message)
                .group("ignored-pragmas")
                .help("directives are compiled in C; a region can stand in a function of a C file"),
        );
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let colour = crate::commands::colour(crate::args::When::Auto, terminal);
        for d in said.iter() {
            let _ = write!(std::io::stderr(), "{}", source::render::diagnostic_to_text(&sources, d, colour));
        }
        said.has_errors()
    }
}

/// The family of languages that a file's name tells of.
fn by_extension(path: &str) -> Option<&'static str> {
    let extension = Path::new(path).extension()?;
    EXTENSIONS.iter().find(|(_, all)| all.iter().any(|e| extension == *e)).map(|(family, _)| *family)
}

/// The first directive of a text, and how many there are.
fn directives(text: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let (mut first, mut count, mut start) = (None, 0, 0);
    for line in text.split_inclusive('\n') {
        if is_directive(line) {
            let indent = line.len() - line.trim_start().len();
            first.get_or_insert(start + indent..start + line.trim_end().len());
            count += 1;
        }
        start += line.len();
    }
    first.map(|f| (f, count))
}

/// `#pragma acc …`, `_Pragma("acc …")`, Fortran's `!$acc …` (in the old form `c$acc`), which may go on with `!$acc&`.
fn is_directive(line: &str) -> bool {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix('#') {
        let mut words = rest.split_whitespace();
        return words.next() == Some("pragma") && words.next() == Some("acc");
    }
    let sentinel =
        line.get(1..5).is_some_and(|s| s.eq_ignore_ascii_case("$acc")) && line.starts_with(['!', 'c', 'C', '*']);
    sentinel && !line[5..].starts_with('&') || line.contains("_Pragma(\"acc ")
}

#[cfg(test)]
mod tests {
    use super::{Foreign, directives};

    #[test]
    fn sources_are_told_by_their_names_and_by_x() {
        let family = |w: &str, l: Option<&str>| Foreign::of(w, l).map(|f| f.family());
        assert_eq!(family("a.cpp", None), Some("C++"));
        assert_eq!(family("b.F90", None), Some("Fortran"));
        assert_eq!(family("x", Some("c++")), Some("C++"));
        for not in ["a.o", "liba.a", "-lm", "a.c", "-g.cpp"] {
            assert_eq!(family(not, None), None, "{not}");
        }
        assert_eq!(family("a.cpp", Some("c")), None);
    }

    #[test]
    fn directives_of_three_languages_are_seen() {
        let text = "// #pragma acc no\n  # pragma  acc parallel\n_Pragma(\"acc loop\") for (;;);\n#pragma omp for\n#pragma accept\n";
        assert_eq!(directives(text), Some((20..42, 2)));
        assert_eq!(directives("!$acc parallel &\n!$acc& copy(a)\nC$ACC loop\n! acc\n").map(|d| d.1), Some(2));
        assert_eq!(directives("int main() {}"), None);
    }
}
