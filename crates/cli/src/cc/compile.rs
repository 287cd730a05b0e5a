//! One file after another: preprocess, translate, compile, put together, link.

use super::arithmetic::Arithmetic;
use super::dependencies::{self, Made};
use super::explain::loops::Loops;
use super::folder::Folder;
use super::foreign::Foreign;
use super::gpu::Gpus;
use super::host_run::Host;
use super::in_source::in_source;
use super::late;
use super::layouts::Layouts;
use super::managed::Memory;
use super::options::{self, Options, Step, Word};
use super::preprocess::{Early, GIVEN, OPENACC_DATE};
use super::records::{self, Region};
use super::workshop::{Code, Known, Workshop};
use acc::{GpuCode, KernelCode, KernelSource, Translation};
use source::Diagnostics;
use source::render::diagnostic_to_text;
use std::cell::{Cell, OnceCell};
use std::collections::hash_map::DefaultHasher;
use std::ffi::{OsStr, OsString};
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use unspool::{Backend, Define, Dialect, Emit, Input, Product, compile_with_log as compile};

/// What a source is called in messages.
pub(super) fn shown(path: &str) -> &str {
    if path == "-" { "<stdin>" } else { path }
}

/// The object of a region's kernels.
enum Part {
    /// It was made before.
    Known(Vec<u8>),
    /// The workshop's number of it.
    Begun(usize),
}

/// A source whose parts are being compiled.
struct Begun {
    translated: Translated,
    /// The host's compiler, unless there are errors.
    host: Option<Host>,
}

/// What a source became.
struct Translated {
    translation: Translation,
    /// The objects of its kernels.
    objects: Vec<Part>,
    /// Regions whose kernels the link makes.
    later: Vec<Region>,
}

impl Translated {
    /// Where the host's compiler puts its object.
    fn of_host(&self, object: &Path, folder: &Path) -> PathBuf {
        if self.objects.is_empty() { object.to_owned() } else { folder.join("host.o") }
    }
}

/// A run of the command.
pub(super) struct Driver<'a> {
    pub(super) options: &'a Options,
    backends: &'a [&'static dyn Backend],
    /// The preprocessor that was started before this program; it is done before the folder goes.
    pub(super) early: Cell<Option<Early>>,
    /// Files that vanish at the end.
    pub(super) folder: Folder,
    arithmetic: OnceCell<Arithmetic>,
}

impl<'a> Driver<'a> {
    pub(super) fn new(options: &'a Options, backends: &'a [&'static dyn Backend]) -> Result<Self, String> {
        let arithmetic = OnceCell::new();
        if let Some((folder, early)) = Early::of_this_process() {
            return Ok(Self { options, backends, folder, early: Cell::new(Some(early)), arithmetic });
        }
        let folder = Folder::new()?;
        for (name, text) in HEADERS {
            std::fs::write(folder.path().join(name), text).map_err(|e| format!("cannot write {name}: {e}"))?;
        }
        Ok(Self { options, backends, folder, early: Cell::new(None), arithmetic })
    }

    pub(super) fn run(&mut self) -> Result<ExitCode, String> {
        for note in &self.options.notes {
            let _ = writeln!(std::io::stderr(), "note: {note}");
        }
        if self.memory() != self.options.memory {
            let _ = writeln!(std::io::stderr(), "note: with `-flto` no memory is shared with the GPU: data is copied");
        }
        let o = self.options;
        if o.question || !o.has_files() && self.flags().any(|f| f == "-v" || f == "-###") {
            let words = o.words.iter().filter_map(|w| match w {
                Word::Other(w) => Some(w),
                Word::Source(_) | Word::Foreign(_) => None,
            });
            return finish(self.cc().args(words));
        }
        if !o.has_files() {
            return Err("no input files: name C sources, objects or libraries".to_owned());
        }
        let sources = o.words.iter().filter(|w| !matches!(w, Word::Other(_))).count();
        if o.step != Step::Link && sources > 1 && o.output.is_some() {
            return Err("`-o` names one file and there are several sources".to_owned());
        }
        if o.step == Step::Preprocess || o.step == Step::Assembly {
            return self.plain();
        }
        let mut link: Vec<OsString> = Vec::new();
        let mut words = o.words.iter();
        while let Some(word) = words.next() {
            let (path, foreign) = match word {
                Word::Source(path) => (path, None),
                Word::Foreign(f) => (&f.path, Some(f)),
                Word::Other(w) => {
                    // Objects have no language.
                    if w == "-x" {
                        words.next();
                    } else {
                        link.push(w.clone());
                    }
                    continue;
                }
            };
            let object = match o.step {
                Step::Object => PathBuf::from(o.output.clone().unwrap_or_else(|| object_name(path))),
                _ => self.folder.path().join(format!("{}.o", link.len())),
            };
            let code = match foreign {
                Some(f) => self.foreign(f, &object)?,
                None => self.source(path, &object)?,
            };
            if let Some(failed) = code {
                return Ok(failed);
            }
            link.push(object.into());
        }
        if o.step == Step::Object {
            return Ok(ExitCode::SUCCESS);
        }
        if o.timed {
            let (source, object) = (self.folder.path().join("timed.c"), self.folder.path().join("timed.o"));
            std::fs::write(&source, TIMED).map_err(|e| format!("cannot write a temporary file: {e}"))?;
            if let Some(code) = failed(self.cc().arg("-c").arg(source).arg("-o").arg(&object))? {
                return Ok(code);
            }
            link.push(object.into());
        }
        match late::objects(self, &link)? {
            Ok(objects) => link.extend(objects.into_iter().map(OsString::from)),
            Err(code) => return Ok(code),
        }
        let mut c = self.cc();
        // Rust's library has functions that compilers call, too (`__divdc3`). The program's are those of its own compiler.
        let chosen = |a: &OsString| a.to_str().is_some_and(|a| a.contains("-rtlib") || a.starts_with("-nostdlib"));
        let own = (!link.iter().any(chosen)).then_some("-lgcc");
        c.args(link);
        c.arg("-o").arg(o.output.as_deref().unwrap_or("a.out")).args(own);
        let mut languages: Vec<&str> = self.options.cxx.then_some("-lstdc++").into_iter().collect();
        for word in &o.words {
            if let Word::Foreign(f) = word {
                languages.extend(f.library().filter(|l| !languages.contains(l)));
            }
        }
        if !o.words.iter().any(|w| matches!(w, Word::Other(w) if w == "-shared" || w == "-static" || w == "-r")) {
            c.arg(self.exports()?);
        }
        c.arg(library()?).args(languages).args(["-lpthread", "-ldl", "-lm"]);
        finish(&mut c)
    }

    /// The linker's option with which libraries that a program loads as it runs use the program's present table: each has the
    /// run-time library in it, whose functions give way to the program's.
    fn exports(&self) -> Result<OsString, String> {
        let list = self.folder.path().join("exports");
        std::fs::write(&list, "{ acc_*; __unspool_acc_*; };\n")
            .map_err(|e| format!("cannot write a temporary file: {e}"))?;
        let mut option = OsString::from("-Wl,--dynamic-list=");
        option.push(list);
        Ok(option)
    }

    pub(super) fn cc(&self) -> Command {
        Command::new(&self.options.host_cc)
    }

    pub(super) fn backends(&self) -> &[&'static dyn Backend] {
        self.backends
    }

    /// How its kernels compute.
    pub(super) fn arithmetic(&self) -> Arithmetic {
        *self.arithmetic.get_or_init(|| Arithmetic::of(self.options, self.cc()))
    }

    /// What host and device share. Code that the linker makes may be apart from what its file says to the assembler.
    fn memory(&self) -> Memory {
        let late = self.flags().any(|f| f.to_str().is_some_and(|f| f.starts_with("-flto")));
        if late { Memory::Separate } else { self.options.memory }
    }

    pub(super) fn keeps_gpu(&self) -> bool {
        self.options.keep
    }

    /// Writes a file that vanishes at the end.
    pub(super) fn keep(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).map_err(|e| format!("cannot write a temporary file: {e}"))?;
        Ok(path)
    }

    /// What the host's compiler does alone.
    fn plain(&self) -> Result<ExitCode, String> {
        let mut c = self.cc();
        if self.options.step == Step::Preprocess {
            c.arg("-E");
            self.preprocessing(&mut c);
        } else {
            // The host's compiler would make code of its own of the directives, for a library of its own.
            c.arg("-S").arg("-isystem").arg(self.folder.path());
            if self.options.directives && self.options.has_sources() {
                c.arg(format!("-D_OPENACC={OPENACC_DATE}")).arg("-Wno-unknown-pragmas");
                let _ = writeln!(std::io::stderr(), "note: `-S` shows the host's code: its regions have no kernels");
            }
        }
        for w in &self.options.words {
            match w {
                // What comes from standard input has no name that tells its language.
                Word::Source(p) if p == "-" => c.args(["-x", "c", "-", "-x", "none"]),
                Word::Source(p) if !p.ends_with(".c") && !p.ends_with(".i") => c.args(["-x", "c", p, "-x", "none"]),
                Word::Source(p) => c.arg(p),
                Word::Foreign(f) => c.arg(&f.path),
                Word::Other(w) => c.arg(w),
            };
        }
        if let Some(out) = &self.options.output {
            c.arg("-o").arg(out);
        }
        if !self.flags().any(|f| f.to_str().is_some_and(dependencies::is_alone)) {
            return finish(&mut c);
        }
        // `-M`: rules on standard output.
        let said = c.stderr(std::process::Stdio::inherit()).output();
        let said = said.map_err(|e| format!("cannot run the host's compiler `{}`: {e}", self.options.host_cc))?;
        let rules = dependencies::mended(&String::from_utf8_lossy(&said.stdout), self.folder.path(), "-");
        std::io::stdout().write_all(rules.as_bytes()).map_err(|e| format!("cannot write: {e}"))?;
        if let Some(out) = &self.options.output {
            dependencies::mend(Path::new(out), self.folder.path(), "-")?;
        }
        Ok(ExitCode::from(said.status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1)))
    }

    /// Options for compiling: all but objects and what is for the linker.
    pub(super) fn flags(&self) -> impl Iterator<Item = &OsStr> {
        let others = self.options.words.iter().filter_map(|w| match w {
            Word::Other(w) => Some(w.as_os_str()),
            Word::Source(_) | Word::Foreign(_) => None,
        });
        // Whether the word before wants this one, and was kept.
        let mut wanted = None;
        others.filter(move |w| {
            if let Some(kept) = wanted.take() {
                return kept;
            }
            let text = w.to_str().unwrap_or("-");
            let keep = text.starts_with('-') && text != "-x" && !options::is_for_linker(text);
            wanted = (text == "-x" || options::takes_argument(text)).then_some(keep);
            keep
        })
    }

    /// A source of another language to an object; the host's compiler's exit status if it fails.
    fn foreign(&self, f: &Foreign, object: &Path) -> Result<Option<ExitCode>, String> {
        if self.options.directives && f.report(self.options) {
            return Ok(Some(ExitCode::FAILURE));
        }
        self.by_host(&f.path, f.language.as_deref(), object)
    }

    /// A source to an object by the host's compiler alone.
    fn by_host(&self, path: &str, language: Option<&str>, object: &Path) -> Result<Option<ExitCode>, String> {
        let asked = dependencies::asked(self.flags(), &self.made(path));
        let mut c = self.cc();
        c.arg("-c").arg("-isystem").arg(self.folder.path()).args(self.flags());
        c.args(asked.iter().flat_map(|a| &a.words)).args(language.iter().flat_map(|l| ["-x", l]));
        let code = failed(c.arg(path).arg("-o").arg(object))?;
        asked.map_or(Ok(()), |a| dependencies::mend(&a.file, self.folder.path(), path))?;
        Ok(code)
    }

    /// One C source to an object; the host's compiler's exit status if it fails.
    fn source(&mut self, path: &str, object: &Path) -> Result<Option<ExitCode>, String> {
        if !self.options.directives {
            return self.by_host(path, Some("c"), object);
        }
        let text = match self.preprocess(path, true)? {
            Ok(text) => text,
            Err(code) => return Ok(Some(code)),
        };
        let path = shown(path);
        let (backends, arithmetic) = (self.backends, self.arithmetic());
        let compile = |source: &KernelSource| kernels(source, backends, arithmetic);
        let mut known = Known::default();
        loop {
            let shop = Workshop::new(&compile);
            let begun = std::thread::scope(|scope| {
                let begun = self.begin(path, &text, object, &known, &mut |k| shop.put(scope, k.clone()));
                shop.close(begun.as_ref().is_ok_and(|b| b.host.is_some()));
                begun
            });
            let Begun { translated, host } = begun?;
            let made = shop.results();
            if made.iter().all(|(_, m)| m.is_ok()) {
                return self.finished(path, translated, host, made, object);
            }
            known.learn(made);
        }
    }

    /// Translates a source and starts the host's compiler for what stands outside of kernels, unless there are errors.
    fn begin(
        &self,
        path: &str,
        text: &str,
        object: &Path,
        known: &Known,
        put: &mut dyn FnMut(&KernelSource) -> usize,
    ) -> Result<Begun, String> {
        let mut translated = self.translate(path, text.to_owned(), object, known, put)?;
        let Translated { translation, later, .. } = &mut translated;
        if self.said_of(translation).has_errors() {
            return Ok(Begun { translated, host: None });
        }
        if !translation.routines.is_empty() || !later.is_empty() {
            let kept = self.keep("records", &records::write(&translation.routines, later))?;
            translation.text.push_str(&records::inclusion(&kept));
        }
        let defined = &translation.defined;
        translation.text.push_str(&self.memory().text(|f| defined.iter().any(|d| d == f)));
        let out = self.keep("out.i", translation.text.as_bytes())?;
        let of_host = translated.of_host(object, self.folder.path());
        let mut c = self.cc();
        // The assembler reads while the compiler writes; files between them were asked for where they are kept.
        let keeps =
            self.flags().any(|f| f.to_str().is_some_and(|f| f.trim_start_matches('-').starts_with("save-temps")));
        c.args((!keeps).then_some("-pipe"));
        c.arg("-c").args(dependencies::without(self.flags())).args(["-x", "cpp-output"]);
        Ok(Begun { translated, host: Some(Host::start(c.arg(&out).arg("-o").arg(of_host))?) })
    }

    /// What there is to say of a source whose kernels all compile; then its object.
    fn finished(
        &self,
        path: &str,
        translated: Translated,
        host: Option<Host>,
        made: Vec<(KernelSource, Code)>,
        object: &Path,
    ) -> Result<Option<ExitCode>, String> {
        let is_wrong = self.report(path, &translated.translation);
        let Some(host) = host.filter(|_| !is_wrong) else { return Ok(Some(ExitCode::FAILURE)) };
        if let Some(code) = host.finish()? {
            return Ok(Some(code));
        }
        let of_host = translated.of_host(object, self.folder.path());
        let mut made: Vec<Vec<u8>> = made.into_iter().filter_map(|(_, m)| m.ok()).collect();
        let mut objects = Vec::new();
        for part in translated.objects {
            let bytes = match part {
                Part::Known(bytes) => bytes,
                Part::Begun(number) => made.get_mut(number).map(std::mem::take).ok_or("a kernel is missing")?,
            };
            objects.push(bytes);
        }
        if objects.is_empty() { Ok(None) } else { self.joined(object, &of_host, &objects) }
    }

    /// Puts the host's object and those of kernels into one, unless the objects hold the host's compiler's own code (`-flto`). Where that
    /// is not simple the linker is asked, without the host's compiler, which starts two programs for that; where there is none, or it
    /// fails, the compiler is.
    fn joined(&self, object: &Path, of_host: &Path, kernels: &[Vec<u8>]) -> Result<Option<ExitCode>, String> {
        let is_plain =
            !self.flags().any(|f| f.to_str().is_none_or(|f| f.starts_with("-flto") || f.starts_with("-fuse-ld")));
        let host = std::fs::read(of_host).ok().filter(|_| is_plain);
        if let Some(all) = host.and_then(|h| super::joined::joined(&h, kernels)) {
            std::fs::write(object, all).map_err(|e| format!("cannot write `{}`: {e}", object.display()))?;
            return Ok(None);
        }
        let name = |(i, bytes): (usize, &Vec<u8>)| self.keep(&format!("k{i}.o"), bytes);
        let kernels: Vec<PathBuf> = kernels.iter().enumerate().map(name).collect::<Result<_, _>>()?;
        if is_plain {
            let mut c = Command::new("ld");
            c.args(["-r", "-o"]).arg(object).arg(of_host).args(&kernels).stderr(std::process::Stdio::null());
            if c.status().is_ok_and(|s| s.success()) {
                return Ok(None);
            }
        }
        let mut c = self.cc();
        c.args(["-r", "-nostdlib", "-o"]).arg(object).arg(of_host).args(&kernels);
        failed(&mut c)
    }

    /// What a source becomes.
    pub(super) fn made<'s>(&'s self, source: &'s str) -> Made<'s> {
        let (links, output) = (self.options.step == Step::Link, self.options.output.as_deref());
        let several = self.options.words.iter().filter(|w| matches!(w, Word::Source(_))).count() > 1;
        Made { source, output, links, several }
    }

    /// The directives of a source, and the loops of its kernels, explained; no code is made.
    pub(super) fn explain(&self, path: &str) -> Result<Result<(Vec<acc::Told>, Loops), ExitCode>, String> {
        let text = match self.preprocess(path, false)? {
            Ok(text) => text,
            Err(code) => return Ok(Err(code)),
        };
        let path = shown(path);
        let (device, fallback) = (self.options.device, self.options.fallback);
        let gpu = !self.options.capabilities.is_empty();
        let typed_memory = self.arithmetic().typed_memory;
        let options = acc::Options { device, fallback, gpu, prefix: "__k".to_owned(), checked: false, typed_memory };
        let mut loops = Loops::default();
        // What the kernels' compiler refuses is refused here, too.
        let mut check = |source: &KernelSource| {
            late::check(source, self)?;
            loops.add(path, source, self.options, self.backends, self.arithmetic());
            Ok(KernelCode::default())
        };
        let made = acc::translate(path, text, &options, &mut check).map_err(|e| e.to_string())?;
        Ok(if self.report(path, &made) { Err(ExitCode::FAILURE) } else { Ok((made.told, loops)) })
    }

    fn translate(
        &self,
        path: &str,
        text: String,
        object: &Path,
        known: &Known,
        put: &mut dyn FnMut(&KernelSource) -> usize,
    ) -> Result<Translated, String> {
        let mut hash = DefaultHasher::new();
        (path, object, &text).hash(&mut hash);
        let options = acc::Options {
            device: self.options.device,
            fallback: self.options.fallback,
            gpu: !self.options.capabilities.is_empty(),
            prefix: format!("__unspool_k{:016x}", hash.finish()),
            checked: self.options.checked,
            typed_memory: self.arithmetic().typed_memory,
        };
        let (mut objects, mut later) = (Vec::new(), Vec::new());
        let gpus = Gpus::new(self.options, path, self.arithmetic());
        let layouts = Layouts::new(self.backends, self.arithmetic());
        let mut make = |source: &KernelSource| {
            let symbols = source.entries.iter().map(late::symbol).collect();
            if !source.externals.is_empty() {
                show(source);
                late::check(source, self)?;
                let capabilities = self.options.capabilities.clone();
                let gpu = (!capabilities.is_empty()).then(|| Ok(GpuCode::default()));
                later.push(Region { source: source.clone(), capabilities, of_archive: false });
                return Ok(KernelCode { symbols, gpu, later: true, layouts: layouts.of(source) });
            }
            objects.push(match known.of(source) {
                Some(made) => Part::Known(made.clone()?),
                None => {
                    show(source);
                    Part::Begun(put(source))
                }
            });
            Ok(KernelCode { symbols, gpu: gpus.code(source), later: false, layouts: layouts.of(source) })
        };
        let translation = acc::translate(path, text, &options, &mut make).map_err(|e| e.to_string())?;
        Ok(Translated { translation, objects, later })
    }

    /// What is said about a file, as the options want it.
    fn said_of(&self, t: &Translation) -> Diagnostics {
        let mut said = self.options.diagnostics();
        t.session.diagnostics.iter().for_each(|d| said.report(d.clone()));
        said
    }

    /// Says what there is to say about a file; whether it has errors.
    fn report(&self, path: &str, t: &Translation) -> bool {
        let said = self.said_of(t);
        let mut err = std::io::stderr().lock();
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let colour = crate::commands::colour(crate::args::When::Auto, terminal);
        // As the user's file has it: lines before the preprocessor.
        let mut original = source::SourceMap::default();
        let file = if path == shown("-") {
            let text = std::fs::read_to_string(self.folder.path().join(GIVEN)).unwrap_or_default();
            original.add(path, text).ok()
        } else {
            original.load(Path::new(path)).ok()
        };
        for d in said.iter() {
            let place = |s: source::Span| file.and_then(|f| in_source(&original, f, path, &t.session.sources, s));
            let places: Option<Vec<source::Span>> = d.labels.iter().map(|l| place(l.span)).collect();
            let text = match places {
                Some(places) => {
                    let mut d = d.clone();
                    d.labels.iter_mut().zip(places).for_each(|(l, s)| l.span = s);
                    diagnostic_to_text(&original, &d, colour)
                }
                None => diagnostic_to_text(&t.session.sources, d, colour),
            };
            let _ = write!(err, "{text}");
        }
        let tells = self.options.info;
        for (function, info) in &t.info {
            let mut lines = info.iter().filter(|i| tells.tells(&i.text)).peekable();
            if lines.peek().is_some() {
                let _ = writeln!(err, "{}:", if function.is_empty() { "(file)" } else { function });
            }
            let mut last = 0;
            for i in lines {
                let _ = if i.line == last {
                    writeln!(err, "         {}", i.text)
                } else {
                    writeln!(err, "{:7}, {}", i.line, i.text)
                };
                last = i.line;
            }
        }
        said.has_errors()
    }
}

/// The object file of kernels.
fn kernels(source: &KernelSource, backends: &[&'static dyn Backend], arithmetic: Arithmetic) -> Code {
    let options = kernel_options(backends, arithmetic);
    let input = Input::text("region.c", source.text.clone());
    let made = compile(&input, &options, &Emit::Product(Product::OBJECT));
    if !made.succeeded() {
        return Err(wrong(&made.session));
    }
    let object = made.artefacts.first().ok_or("there is no back end for this machine")?;
    Ok(object.as_bytes().to_vec())
}

/// Prints kernels for those who want to see them.
fn show(source: &KernelSource) {
    if std::env::var_os("UNSPOOL_CC_KERNELS").is_some_and(|v| !v.is_empty()) {
        let _ = writeln!(std::io::stderr(), "{}", source.text);
    }
}

/// Options for kernels on this machine.
pub(super) fn kernel_options(backends: &[&'static dyn Backend], arithmetic: Arithmetic) -> unspool::Options {
    let mut options = unspool::Options::host(Dialect::C11);
    options.no_warnings = true;
    arithmetic.ask(&mut options);
    options.code.group_runs = true;
    options.defines.extend(items([acc::LOCAL, acc::LOCAL_SHARING, 1]));
    backends.iter().for_each(|b| options.backends.register(*b));
    options
}

/// How many work-items a group of a kernel has, one whose work-items share iterations, and one whose vectors are for the loops inside.
pub(super) fn items(of: [u32; 3]) -> [Define; 3] {
    let names = [acc::ITEMS, acc::SHARING, acc::NARROW];
    std::array::from_fn(|i| Define::Define(names[i].to_owned(), Some(of[i].to_string())))
}

/// The first error, and where.
pub(super) fn wrong(s: &source::Session) -> String {
    let error = s.diagnostics.iter().find(|d| d.severity == source::Severity::Error);
    error
        .map_or("its kernels do not compile".to_owned(), |d| format!("{} ({})", d.message, s.sources.display(d.span())))
}

fn object_name(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    format!("{}.o", stem.display())
}

/// Runs a program; its status if that is not success.
pub(super) fn failed(c: &mut Command) -> Result<Option<ExitCode>, String> {
    let status =
        c.status().map_err(|e| format!("cannot run the host's compiler `{}`: {e}", c.get_program().display()))?;
    let code = status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1);
    Ok((!status.success()).then(|| ExitCode::from(code)))
}

fn finish(c: &mut Command) -> Result<ExitCode, String> {
    Ok(failed(c)?.unwrap_or(ExitCode::SUCCESS))
}

/// The run-time library's headers.
const HEADERS: [(&str, &str); 3] = [
    ("openacc.h", include_str!("openacc.h")),
    ("acc_prof.h", include_str!("acc_prof.h")),
    ("accelmath.h", include_str!("accelmath.h")),
];

/// Linked with programs that print the timing table.
const TIMED: &str = "extern void __unspool_acc_timed(void);
static void __attribute__((constructor)) __unspool_acc_time(void) { __unspool_acc_timed(); }
";

/// The run-time library: beside the command, or where `UNSPOOL_ACC_LIB` says.
fn library() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("UNSPOOL_ACC_LIB").filter(|p| !p.is_empty()) {
        return Ok(path.into());
    }
    let exe = std::env::current_exe().map_err(|e| format!("cannot tell where the command is: {e}"))?;
    let beside = exe.with_file_name("libunspool_acc.a");
    if beside.is_file() {
        return Ok(beside);
    }
    Err(format!(
        "the run-time library `{}` is not there: build it with `cargo build --release -p unspool-accrt`, or name it by UNSPOOL_ACC_LIB",
        beside.display()
    ))
}
