//! The command line of `unspool cc`: what PGI's and NVIDIA's compilers take, and what goes to the host's compiler.

use super::arithmetic::GpuMath;
use super::compat::{self, Meaning};
use super::foreign::Foreign;
use super::managed::Memory;
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
  -gpu=cc75,…                           for which GPUs, in the words of NVIDIA's compilers
  -gpu=managed, -gpu=unified            what the program allocates, or all of its memory, is the GPU's, too: nothing of it
                                        is copied. All files of a program that allocate or free want the same
  -mp -c99 -c11 -gopt -V -Kpic -tp=…    PGI's words for options of the host's compiler
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
        for word in words.split(',').map(str::trim) {
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
    /// A source of another language.
    Foreign(Foreign),
    /// Anything else, for the host's compiler.
    Other(OsString),
}

/// The command line.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    pub(super) help: bool,
    /// What is asked about: `-help -Minline`.
    pub(super) topics: Vec<String>,
    /// A question about the host's compiler, which answers: `--version`, `-print-…`.
    pub(super) question: bool,
    pub(super) step: Step,
    /// Directives are read.
    pub(super) directives: bool,
    /// `acc_device_t` of what is compiled for.
    pub(super) device: i32,
    /// A device was named.
    has_device: bool,
    /// `acc_device_t` of where programs for GPUs run if there is none.
    pub(super) fallback: i32,
    /// Compute capabilities of GPUs that code is made for; empty without `nvidia`.
    pub(super) capabilities: Vec<u32>,
    /// `fma`, `flushz`, `fastmath` and their opposites.
    pub(super) gpu_math: GpuMath,
    /// `managed`, `unified`, `separate`
    pub(super) memory: Memory,
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
        let mut words = words.into_iter().peekable();
        let mut language: Option<String> = None;
        while let Some(word) = words.next() {
            let Some(text) = word.to_str().map(str::to_owned) else {
                o.words.push(Word::Other(word));
                continue;
            };
            match text.as_str() {
                "--help" | "-help" => o.help = true,
                "-V" | "-qversion" => {
                    o.question = true;
                    o.words.push(Word::Other("--version".into()));
                }
                _ if compat::is_question(&text) => {
                    o.question = true;
                    o.words.push(Word::Other(word));
                }
                "-E" => o.step = Step::Preprocess,
                _ if super::dependencies::is_alone(&text) => {
                    o.step = Step::Preprocess;
                    o.words.push(Word::Other(word));
                }
                "-S" => o.step = Step::Assembly,
                "-c" => o.step = Step::Object,
                // The second is gcc's and clang's, which CMake's `FindOpenACC` takes, too.
                "-acc" | "-fopenacc" => o.directives = true,
                "-noacc" | "-fno-openacc" => o.directives = false,
                "-Minfo" => o.info.add("all", false),
                "-Mneginfo" => o.info.add("all", true),
                "-fast" | "-fastsse" => {
                    o.fast = true;
                    o.words.push(Word::Other("-O2".into()));
                }
                // The second is how the document on PGI's directives spells it.
                "-pgcpplibs" | "-pgcpllibs" | "-pgc++libs" | "-c++libs" => o.cxx = true,
                "-Mbounds" => o.checked = true,
                "-Mnobounds" => o.checked = false,
                "-o" => o.output = Some(argument(&mut words, "-o")?),
                _ if text.strip_prefix("-x").is_some_and(|l| !l.starts_with('-')) => {
                    let l = match &text[2..] {
                        "" => argument(&mut words, "-x")?,
                        joined => joined.to_owned(),
                    };
                    // C is what its sources are taken for; the host's compiler hears of what else there is, and of the end of it.
                    let was_other = language.as_deref().is_some_and(|l| l != "c");
                    if l != "c" && l != "none" || was_other {
                        let name = if l == "c" { "none".to_owned() } else { l.clone() };
                        o.words.extend([Word::Other("-x".into()), Word::Other(name.into())]);
                    }
                    language = (l != "none").then_some(l);
                }
                _ if compat::goes_on(&text) => {
                    o.word(&text, word, language.as_deref(), &mut words)?;
                    while words
                        .next_if(|w| w.to_str().is_some_and(compat::is_names))
                        .is_some_and(|w| w.to_str().is_some_and(|w| w.ends_with(',')))
                    {}
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
            return self.devices(&text[..text.len() - list.len() - 1], list);
        }
        // NVIDIA's: for which GPUs, whether or not directives are read.
        if let Some(list) = text.strip_prefix("-gpu=") {
            return self.devices("-gpu", list);
        }
        if self.help && text.starts_with('-') {
            self.topics.push(text.to_owned());
        }
        for (option, negative) in [("-Minfo=", false), ("-Mneginfo=", true)] {
            if let Some(list) = text.strip_prefix(option) {
                self.info.add(list, negative);
                let option = &option[..option.len() - 1];
                self.notes.extend(list.split(',').filter_map(|w| compat::unknown_info(option, w.trim())));
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
        match compat::meaning(text) {
            Some(Meaning::Host(all)) => {
                self.words.extend(all.iter().map(|w| Word::Other(w.into())));
                return Ok(());
            }
            Some(Meaning::Nothing(why)) => {
                self.notes.push(format!("`{text}` {why}"));
                return Ok(());
            }
            Some(Meaning::NothingOfTwo(why)) => {
                self.notes.push(format!("`{text} {}` {why}", argument(rest, text)?));
                return Ok(());
            }
            None => {}
        }
        if takes_argument(text) {
            self.words.push(Word::Other(word));
            self.words.push(Word::Other(argument(rest, text)?.into()));
            return Ok(());
        }
        let is_c = match language {
            Some(l) => l == "c",
            None => Path::new(text).extension().is_some_and(|e| e == "c" || e == "i"),
        };
        let is_file = !text.starts_with('-') || text == "-";
        self.words.push(match Foreign::of(text, language) {
            Some(foreign) => Word::Foreign(foreign),
            None if is_c && is_file => Word::Source(text.to_owned()),
            None => Word::Other(word),
        });
        Ok(())
    }

    /// `nvidia,cc20,time`, `multicore`, … as `-ta`, `-acc` or `-gpu` has them.
    fn devices(&mut self, option: &str, list: &str) -> Result<(), String> {
        let words = ["host", "multicore", "discrete", "nvidia", "tesla", "gpu", "time", "keepgpu"];
        let (mut devices, mut capabilities) = (Vec::new(), Vec::new());
        // `-gpu` is about GPUs, which are meant unless another device was named.
        if option == "-gpu" && !self.has_device {
            devices.push(NVIDIA);
        }
        let mut before = "";
        for word in list.split([',', ':']) {
            let last = std::mem::replace(&mut before, word);
            match word {
                "host" => devices.push(HOST),
                "multicore" => devices.push(MULTICORE),
                "discrete" => devices.push(DISCRETE),
                "nvidia" | "tesla" | "gpu" => devices.push(NVIDIA),
                "time" => self.timed = true,
                "keepgpu" | "keep" | "keepptx" => self.keep = true,
                "" => {}
                "ccall" | "ccnative" => {}
                "fma" | "nofma" => self.gpu_math.fused = Some(word == "fma"),
                "flushz" | "noflushz" => self.gpu_math.flushed = Some(word == "flushz"),
                "fastmath" | "nofastmath" => self.gpu_math.fast = word == "fastmath",
                _ if Memory::of(word).is_some() => self.memory = Memory::of(word).unwrap_or_default(),
                _ if compat::is_sub_option(word, last) => {
                    if compat::is_noted(word) {
                        self.notes.push(format!("`{word}` in `{option}` has no effect here"));
                    }
                }
                _ if word.starts_with("cc") && word[2..].bytes().all(|b| b.is_ascii_digit()) => {
                    capabilities.push(self.capability(word)?);
                }
                _ => {
                    let near = source::words::nearest(word, words)
                        .map(|n| format!("; did you mean `{n}`?"))
                        .unwrap_or_default();
                    return Err(format!("unknown device or sub-option `{word}` in `{option}`{near}"));
                }
            }
        }
        if let Some(&first) = devices.first() {
            self.has_device = option != "-gpu";
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
            Word::Source(_) | Word::Foreign(_) => true,
            Word::Other(w) if w == "-" => true,
            Word::Other(w) => !w.to_string_lossy().starts_with('-') || w.to_string_lossy().starts_with("-l"),
        };
        self.words.iter().any(is_file)
    }

    /// What is asked with `-help`: all of it, or what it says of the options named behind that.
    pub(super) fn helped(&self) -> String {
        let name = |w: &str| w.split(['=', ',', '[', ' ']).next().unwrap_or("").to_owned();
        let mut entries: Vec<String> = Vec::new();
        for line in HELP.lines().filter(|l| l.starts_with("  ")) {
            match entries.last_mut() {
                Some(e) if line.starts_with("    ") => e.push_str(&format!("{line}\n")),
                _ => entries.push(format!("{line}\n")),
            }
        }
        let names = |e: &str| e.trim_start().split("  ").next().unwrap_or("").split(", ").map(name).collect::<Vec<_>>();
        entries.retain(|e| self.topics.iter().any(|t| names(e).contains(&name(t))));
        if entries.is_empty() { HELP.to_owned() } else { entries.concat() }
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
            | "-isysroot"
            | "-iprefix"
            | "-iwithprefix"
            | "-iwithprefixbefore"
            | "-B"
            | "-e"
            | "-dumpbase"
            | "-dumpdir"
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
        let o = parse("-pgcpllibs -ta=nvidia:time main.o csub.o");
        assert!(o.cxx && o.timed && o.words.len() == 2);
        let o = parse("-Minline=func1, func2 a.c");
        assert_eq!((o.words.len(), o.notes.len()), (1, 1));
        assert!(parse("-help -Minline").helped().lines().all(|l| l.contains("-Minline")));
        assert_eq!(parse("-help -Mnone").helped(), HELP);
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
    fn languages_end_and_may_be_joined() {
        let words = |line: &str| parse(line).words;
        let other = |w: &str| Word::Other(w.into());
        assert_eq!(words("-x c a.txt -x none b.o"), [Word::Source("a.txt".into()), other("b.o")]);
        assert_eq!(words("-xc -"), [Word::Source("-".into())]);
        let foreign = Word::Foreign(Foreign { path: "a.x".into(), language: Some("f95".into()) });
        let mixed = words("-x f95 a.x -x c b.x");
        assert_eq!(mixed, [other("-x"), other("f95"), foreign, other("-x"), other("none"), Word::Source("b.x".into())]);
        assert!(parse("-acc p.i").has_sources());
    }

    #[test]
    fn what_nvidia_s_compiler_takes_is_taken() {
        let o = parse("-acc -gpu=cc80,managed -Minfo=accle a.c");
        assert_eq!((o.device, o.capabilities.as_slice(), o.notes.len()), (NVIDIA, &[80][..], 1));
        assert_eq!(o.memory, Memory::Managed);
        assert_eq!(parse("-acc -gpu=mem:unified a.c").memory, Memory::Unified);
        assert_eq!(parse("-ta=tesla:managed -gpu=mem:separate a.c").memory, Memory::Separate);
        let o = parse("-acc=multicore -gpu=cc80,lineinfo a.c");
        assert_eq!((o.device, o.capabilities.len()), (MULTICORE, 0));
        let o = parse("-ta=tesla:cc80,pinned,maxregcount:32 -mp -Kieee -c11 -tp haswell a.c");
        assert_eq!((o.words.len(), o.capabilities.as_slice()), (3, &[80][..]));
    }

    #[test]
    fn response_files_are_split_as_shells_do() {
        assert_eq!(split("a 'b c' \"d\\\"e\"\nf\\ g"), ["a", "b c", "d\"e", "f g"]);
    }
}
