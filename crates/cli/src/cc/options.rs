//! The command line of `unspool cc`: what PGI's and NVIDIA's compilers take, and what goes to the host's compiler.

use source::Diagnostics;
use std::ffi::OsString;
use std::path::Path;
use target::ArchVariant;
use unspool::Arch;

/// What `--help` prints.
pub(super) const HELP: &str = "\
Compiles C programs with accelerator directives (OpenACC, PGI's dialect).

usage: unspool cc [options] files…

  -acc, -acc=multicore|discrete|host   read directives, and for which device
  -ta=DEVICE[,…]                        the same, in PGI's words: nvidia, tesla, multicore, discrete, host; the second is
                                        where programs for GPUs run if there is none. With `time` a timing table at the
                                        program's end; `cc75`…: for which GPUs; `keepgpu`: their code stays in files
  -Minfo[=accel,all,loop,…]             tell what became of each directive, or of loops
  -Mneginfo                             tell what was not done, and why
  -Minline[=f,…], -Mipa=inline          accepted: what regions call is always part of their kernels
  -Mbounds                              end programs whose regions access arrays out of their bounds
  -fast                                 -O2 for the host's compiler; kernels fuse products with sums, and sum in any order
  --host-cc=PROGRAM                     the host's C compiler (else UNSPOOL_HOST_CC, else cc)
  -c -E -S -o FILE -I -D -U -L -l …     as the host's compiler takes them; so is everything else
";

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Step {
    /// `-E`
    Preprocess,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// All of it.
    #[default]
    Link,
}

/// What is told of directives besides warnings.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Telling {
    /// All of it: `-Minfo`, `-Minfo=accel`, `-Minfo=all`.
    all: bool,
    /// What became of loops: `-Minfo=loop`.
    loops: bool,
    /// What was not done, and why: `-Mneginfo`.
    negative: bool,
}

impl Telling {
    /// Whether a line is told.
    pub(super) fn tells(self, line: &str) -> bool {
        let not = ["restriction", "prevents", "dependence", "would require", "serial kernel", "ignored"];
        let is_negative = not.iter().any(|w| line.contains(w));
        let is_loop = line.starts_with("Loop") || line.starts_with("#pragma acc loop") || line.contains(" code");
        self.all || self.negative && is_negative || self.loops && (is_negative || is_loop)
    }

    /// Takes the words of `-Minfo=…` or `-Mneginfo=…`; what is left is not about directives.
    fn add(&mut self, words: &str, negative: bool) {
        for word in words.split(',') {
            match (word, negative) {
                ("accel" | "acc" | "all", false) => self.all = true,
                ("loop" | "vect" | "par" | "mp", false) => self.loops = true,
                ("accel" | "acc" | "all" | "loop" | "vect" | "par" | "mp", true) => self.negative = true,
                _ => {}
            }
        }
    }
}

/// A word of the command line that is not ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A C source.
    Source(String),
    /// Anything else, for the host's compiler.
    Other(OsString),
}

/// The command line.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub(super) help: bool,
    pub(super) step: Step,
    /// Directives are read.
    pub(super) directives: bool,
    /// `acc_device_t` of what is compiled for.
    pub(super) device: i32,
    /// `acc_device_t` of where programs for GPUs run if there is none.
    pub(super) fallback: i32,
    /// Compute capabilities of GPUs that code is made for; empty without `nvidia`.
    pub(super) capabilities: Vec<u32>,
    /// `keepgpu`
    pub(super) keep: bool,
    /// `-Minfo`, `-Mneginfo`
    pub(super) info: Telling,
    /// `-w` and `-W…`, for warnings about directives.
    pub(super) warnings: Vec<String>,
    /// `-Mbounds`
    pub(super) checked: bool,
    /// `-fast`: kernels may fuse products with sums and add in another order.
    pub(super) fast: bool,
    /// `-ta=…,time`: the timing table is printed.
    pub(super) timed: bool,
    /// C++'s library is linked, too.
    pub(super) cxx: bool,
    /// `-o`
    pub(super) output: Option<String>,
    pub(super) host_cc: String,
    pub(super) words: Vec<Word>,
    /// What there is to say about options.
    pub(super) notes: Vec<String>,
}

/// `acc_device_t` of `openacc.h`.
const HOST: i32 = 2;
const NVIDIA: i32 = 4;
const MULTICORE: i32 = 10;
const DISCRETE: i32 = 11;
/// What code for GPUs is made for if nobody says: the oldest that current toolkits assemble for; newer ones run it, too.
const OLDEST: u32 = 75;
/// Response files in response files.
const MAX_RESPONSE: usize = 16;

impl Options {
    pub(super) fn parse(words: Vec<OsString>) -> Result<Self, String> {
        let host_cc =
            std::env::var("UNSPOOL_HOST_CC").ok().filter(|c| !c.is_empty()).unwrap_or_else(|| "cc".to_owned());
        let mut o = Self { device: MULTICORE, fallback: MULTICORE, host_cc, ..Self::default() };
        let words = responses(words, 0)?;
        let mut words = words.into_iter();
        let mut language: Option<String> = None;
        while let Some(word) = words.next() {
            let Some(text) = word.to_str().map(str::to_owned) else {
                o.words.push(Word::Other(word));
                continue;
            };
            match text.as_str() {
                "--help" => o.help = true,
                "-E" => o.step = Step::Preprocess,
                _ if super::dependencies::is_alone(&text) => {
                    o.step = Step::Preprocess;
                    o.words.push(Word::Other(word));
                }
                "-S" => o.step = Step::Assembly,
                "-c" => o.step = Step::Object,
                "-acc" => o.directives = true,
                "-noacc" => o.directives = false,
                "-Minfo" => o.info.add("all", false),
                "-Mneginfo" => o.info.add("all", true),
                "-fast" | "-fastsse" => {
                    o.fast = true;
                    o.words.push(Word::Other("-O2".into()));
                }
                "-O4" => o.words.push(Word::Other("-O3".into())),
                "-pgcpplibs" | "-pgc++libs" => o.cxx = true,
                "-Mbounds" => o.checked = true,
                "-Mnobounds" => o.checked = false,
                "-o" => o.output = Some(argument(&mut words, "-o")?),
                "-x" => {
                    let l = argument(&mut words, "-x")?;
                    language = (l != "none").then_some(l.clone());
                    if l != "c" {
                        o.words.extend([Word::Other("-x".into()), Word::Other(l.into())]);
                    }
                }
                _ => o.word(&text, word, language.as_deref(), &mut words)?,
            }
        }
        Ok(o)
    }

    fn word(
        &mut self,
        text: &str,
        word: OsString,
        language: Option<&str>,
        rest: &mut dyn Iterator<Item = OsString>,
    ) -> Result<(), String> {
        if let Some(list) = text.strip_prefix("-ta=").or_else(|| text.strip_prefix("-acc=")) {
            self.directives = true;
            return self.devices(list);
        }
        for (option, negative) in [("-Minfo=", false), ("-Mneginfo=", true)] {
            if let Some(list) = text.strip_prefix(option) {
                self.info.add(list, negative);
                return Ok(());
            }
        }
        if text == "-w" || text.starts_with("-W") && !text.starts_with("-Wl,") {
            self.warnings.push(text.to_owned());
            // The host's compiler knows no such group.
            if text.ends_with("ignored-pragmas") {
                return Ok(());
            }
        }
        if let Some(program) = text.strip_prefix("--host-cc=") {
            program.clone_into(&mut self.host_cc);
            return Ok(());
        }
        if let Some(path) = text.strip_prefix("-o").filter(|p| !p.is_empty() && !text.starts_with("-openacc")) {
            self.output = Some(path.to_owned());
            return Ok(());
        }
        // PGI's own `-M…`; `-M`, `-MM`, `-MD`, `-MF file` and their like are the host's.
        let pgi = text.strip_prefix("-M").is_some_and(|t| t.len() > 1 && t.as_bytes()[1].is_ascii_lowercase());
        if pgi && !matches!(text, "-MMD" | "-MD" | "-MF" | "-MP" | "-MT" | "-MQ" | "-MG" | "-MM") {
            let inlines = ["-Minline", "-Mipa"].iter().any(|o| text.starts_with(o));
            let why = if inlines {
                "is not needed: what regions call is part of their kernels"
            } else {
                "has no effect here"
            };
            self.notes.push(format!("`{text}` {why}"));
            return Ok(());
        }
        if takes_argument(text) {
            self.words.push(Word::Other(word));
            self.words.push(Word::Other(argument(rest, text)?.into()));
            return Ok(());
        }
        let is_c = match language {
            Some(l) => l == "c",
            None => Path::new(text).extension().is_some_and(|e| e == "c"),
        };
        let is_file = !text.starts_with('-') || text == "-";
        self.words.push(if is_c && is_file { Word::Source(text.to_owned()) } else { Word::Other(word) });
        Ok(())
    }

    /// `nvidia,cc20,time`, `multicore`, …
    fn devices(&mut self, list: &str) -> Result<(), String> {
        let words = [
            "host",
            "multicore",
            "discrete",
            "nvidia",
            "tesla",
            "gpu",
            "time",
            "keepgpu",
            "strict",
            "verystrict",
            "autopar",
            "noautopar",
        ];
        let (mut devices, mut capabilities) = (Vec::new(), Vec::new());
        for word in list.split([',', ':']) {
            match word {
                "host" => devices.push(HOST),
                "multicore" => devices.push(MULTICORE),
                "discrete" => devices.push(DISCRETE),
                "nvidia" | "tesla" | "gpu" => devices.push(NVIDIA),
                "time" => self.timed = true,
                "keepgpu" => self.keep = true,
                "strict" | "verystrict" | "autopar" | "noautopar" | "" => {}
                _ if word.starts_with("cc") && word[2..].bytes().all(|b| b.is_ascii_digit()) => {
                    capabilities.push(self.capability(word)?);
                }
                _ => {
                    let near = source::words::nearest(word, words)
                        .map(|n| format!("; did you mean `{n}`?"))
                        .unwrap_or_default();
                    return Err(format!("unknown device or sub-option `{word}` in `-ta`{near}"));
                }
            }
        }
        if let Some(&first) = devices.first() {
            self.device = first;
            self.fallback = devices.iter().copied().find(|&d| d != NVIDIA).unwrap_or(MULTICORE);
            self.capabilities.clear();
        }
        // Capabilities alone are for the device named before.
        let for_gpu = devices.contains(&NVIDIA) || devices.is_empty() && !self.capabilities.is_empty();
        if for_gpu && !capabilities.is_empty() {
            capabilities.sort_unstable();
            capabilities.dedup();
            self.capabilities = capabilities;
        } else if for_gpu && self.capabilities.is_empty() {
            self.capabilities = vec![OLDEST];
        }
        Ok(())
    }

    /// `cc90`: what code is made for. What no toolkit of today knows is taken for the oldest that it does.
    fn capability(&mut self, word: &str) -> Result<u32, String> {
        let known = || Arch::all().filter(|a| a.variant() == ArchVariant::Base).map(Arch::number);
        let asked: u32 = word[2..].parse().unwrap_or(0);
        if known().any(|n| n == asked) {
            return Ok(asked);
        }
        if (10..known().min().unwrap_or(OLDEST)).contains(&asked) {
            self.notes.push(format!("no toolkit of today makes code for `{word}`: it is made for cc{OLDEST}"));
            return Ok(OLDEST);
        }
        let all: Vec<String> = known().map(|n| format!("cc{n}")).collect();
        Err(format!("there is no compute capability `{word}`: there are {}", all.join(", ")))
    }

    /// Diagnostics about directives, as the `-W` options want them.
    pub(super) fn diagnostics(&self) -> Diagnostics {
        let mut words = unspool::Options::new(unspool::Dialect::C11);
        let group = |w: &String| w.strip_prefix("-W").map(str::to_owned);
        crate::warnings::apply(&self.warnings.iter().filter_map(group).collect::<Vec<_>>(), &mut words);
        let mut all = Diagnostics::default();
        all.no_warnings = words.no_warnings || self.warnings.iter().any(|w| w == "-w");
        all.warnings_are_errors = words.warnings_are_errors;
        all.groups_as_errors = words.groups_as_errors;
        all.groups_as_warnings = words.groups_as_warnings;
        all.muted_groups = words.muted_groups;
        all.enabled_groups = words.enabled_groups;
        all
    }

    /// Whether any file is named.
    pub(super) fn has_files(&self) -> bool {
        let is_file = |w: &Word| match w {
            Word::Source(_) => true,
            Word::Other(w) if w == "-" => true,
            Word::Other(w) => !w.to_string_lossy().starts_with('-') || w.to_string_lossy().starts_with("-l"),
        };
        self.words.iter().any(is_file)
    }

    pub(super) fn has_sources(&self) -> bool {
        self.words.iter().any(|w| matches!(w, Word::Source(_)))
    }
}

/// Whether an option of C compilers is for linking alone.
pub(super) fn is_for_linker(text: &str) -> bool {
    ["-l", "-L", "-Wl,"].iter().any(|o| text.starts_with(o)) || matches!(text, "-Xlinker" | "-T" | "-u" | "-z")
}

/// Options of C compilers whose argument is the next word.
pub(super) fn takes_argument(text: &str) -> bool {
    matches!(
        text,
        "-I" | "-D"
            | "-U"
            | "-L"
            | "-l"
            | "-include"
            | "-imacros"
            | "-isystem"
            | "-iquote"
            | "-idirafter"
            | "-MF"
            | "-MT"
            | "-MQ"
            | "-Xlinker"
            | "-T"
            | "-u"
            | "-z"
            | "-Xassembler"
            | "-Xpreprocessor"
            | "-aux-info"
            | "--param"
            | "-arch"
    )
}

fn argument(words: &mut dyn Iterator<Item = OsString>, of: &str) -> Result<String, String> {
    let word = words.next().ok_or_else(|| format!("`{of}` needs an argument"))?;
    word.into_string().map_err(|w| format!("the argument `{}` of `{of}` is not UTF-8", w.display()))
}

/// Words of `@file` in place of it.
fn responses(words: Vec<OsString>, depth: usize) -> Result<Vec<OsString>, String> {
    let mut out = Vec::new();
    for word in words {
        let file = word.to_str().and_then(|w| w.strip_prefix('@')).map(str::to_owned);
        let Some(file) = file.filter(|_| depth < MAX_RESPONSE) else {
            out.push(word);
            continue;
        };
        let text = std::fs::read_to_string(&file).map_err(|e| format!("cannot read `{file}`: {e}"))?;
        out.extend(responses(split(&text), depth + 1)?);
    }
    Ok(out)
}

/// Words as a response file has them: separated by white space, quotes and backslashes as in a shell.
fn split(text: &str) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', q) if q != Some('\'') => word.get_or_insert_default().extend(chars.next()),
            (c, Some(q)) if c == q => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => out.extend(word.take().map(OsString::from)),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word.map(OsString::from));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Options {
        Options::parse(line.split(' ').map(OsString::from).collect()).expect("a good line")
    }

    #[test]
    fn command_lines_of_the_document_are_read() {
        let o = parse("-ta=nvidia,cc20 -Minfo=accel private.c");
        assert!(o.directives && o.info.tells("Generating") && o.has_sources() && o.step == Step::Link);
        assert_eq!((o.device, o.fallback, o.capabilities.as_slice(), o.notes.len()), (NVIDIA, MULTICORE, &[75][..], 1));
        let o = parse("-ta=tesla:cc90,host -ta=time a.c");
        assert_eq!((o.device, o.fallback, o.capabilities.as_slice(), o.timed), (NVIDIA, HOST, &[90][..], true));
        assert!(parse("-ta=nvidia -acc=multicore a.c").capabilities.is_empty());
        let o = parse("-fast -ta=discrete -c csub.c -o x.o");
        assert_eq!((o.device, o.step, o.output.as_deref()), (DISCRETE, Step::Object, Some("x.o")));
        assert!(!parse("-pgcpplibs main.o csub.o").has_sources());
    }

    #[test]
    fn what_is_told_is_chosen() {
        let told = |line: &str| {
            let info = parse(line).info;
            ["Generating copyin(a)", "Loop is parallelizable", "Accelerator region ignored"].map(|t| info.tells(t))
        };
        assert_eq!(told("-acc a.c"), [false, false, false]);
        assert_eq!(told("-acc -Minfo=inline,all a.c"), [true, true, true]);
        assert_eq!(told("-acc -Minfo=loop a.c"), [false, true, true]);
        assert_eq!(told("-acc -Mneginfo=loop a.c"), [false, false, true]);
        assert!(parse("-acc -Mneginfo a.c").notes.is_empty());
    }

    #[test]
    fn options_of_the_host_stay_with_their_arguments() {
        let o = parse("-I inc -MD -MF deps.d -Wall a.c -lm");
        let others: Vec<_> = o.words.iter().filter(|w| matches!(w, Word::Other(_))).collect();
        assert_eq!(others.len(), 7, "{others:?}");
        assert!(Options::parse(vec!["-ta=nvida".into()]).is_err_and(|e| e.contains("did you mean `nvidia`")));
    }

    #[test]
    fn response_files_are_split_as_shells_do() {
        assert_eq!(split("a 'b c' \"d\\\"e\"\nf\\ g"), ["a", "b c", "d\"e", "f g"]);
    }
}
