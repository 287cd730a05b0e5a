//! The pipeline, from text to output.

use crate::backend::Unit;
use crate::explain::Explanation;
use crate::explain::promises::{self, Promise};
use crate::product::{Artefact, Emit, Product};
use crate::watch::Watch;
use crate::{CompileError, Options, library, missed_hints};
use ir::{Module, UnrollRequest};
use launch::kernels::{KernelInfo, VariableInfo};
use opt::pass::Observer;
use ptx_reader::Origins;
use source::{Diagnostic, Fate, FileId, Session, SourceError, Span};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use syntax::pp::{PpOptions, TokenStream, preprocess, print_preprocessed};

/// What to compile.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file on disk.
    File(PathBuf),
    /// A text and the name by which diagnostics call it.
    Text {
        /// The name.
        name: String,
        /// The text, which must be UTF-8.
        bytes: Vec<u8>,
    },
}

impl Input {
    /// A text in memory.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text { name: name.into(), bytes: text.into().into_bytes() }
    }

    /// Its name in diagnostics.
    pub fn name(&self) -> String {
        match self {
            Self::File(p) => p.display().to_string(),
            Self::Text { name, .. } => name.clone(),
        }
    }
}

/// How long a stage or pass took.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a pass inside the stage `optimise`.
    pub is_pass: bool,
    /// How often it ran.
    pub runs: u32,
    /// Total time.
    pub time: Duration,
}

/// What came of a compilation.
#[derive(Debug, Default)]
pub struct Compilation {
    /// Sources, diagnostics and the hint ledger.
    pub session: Session,
    /// What was asked for; nothing if there were errors.
    pub artefacts: Vec<Artefact>,
    /// The module as far as it got: optimised if there were no errors.
    pub module: Module,
    /// The kernels as their callers see them, with [`Options::kernel_info`].
    pub kernels: Vec<KernelInfo>,
    /// The variables that kernels share, with [`Options::kernel_info`].
    pub variables: Vec<VariableInfo>,
    /// What `explain` shows, if it was asked for.
    pub explanation: Option<Explanation>,
    /// The source is PTX.
    pub is_ptx: bool,
    /// Of a source that is PTX: what it says it was made of.
    pub origins: Origins,
    /// How long each stage and, with [`Options::time`], each pass took.
    pub timings: Vec<Timing>,
}

impl Compilation {
    /// Whether there was no error.
    pub fn succeeded(&self) -> bool {
        !self.session.diagnostics.has_errors()
    }

    /// The text that was asked for: that of the first artefact. `None` if there were errors.
    pub fn output(&self) -> Option<&str> {
        self.artefacts.first()?.as_text()
    }
}

/// What shows remarks about memory, as the unroller's are shown: an option of its own, no `-W` group.
const MEMORY: &str = "pass-analysis=memory";

/// The same of remarks about products of matrices.
pub(crate) const MATRIX: &str = "pass=matrix";

/// Stack for the stages that recurse over trees; reserved address space, touched only as deep as the source nests.
const STACK: usize = 256 << 20;

/// Compiles one source.
///
/// # Errors
/// The source has errors: what there is to say about them is the error's text, and the [`Compilation`] is in it as far as
/// it got.
pub fn compile(input: &Input, options: &Options, emit: &Emit) -> Result<Compilation, CompileError> {
    let c = compile_with_log(input, options, emit);
    if c.succeeded() { Ok(c) } else { Err(CompileError { compilation: Box::new(c) }) }
}

/// Compiles one source: what came of it, with or without errors.
pub fn compile_with_log(input: &Input, options: &Options, emit: &Emit) -> Compilation {
    on_large_stack(|| {
        let mut run = Run { out: Compilation::default(), options, emit, promises: Vec::new() };
        run.session_options();
        match run.load(input) {
            Some(file) if crate::ptx_input::is_ptx(&input.name()) => run.read_ptx(file),
            Some(file) => {
                let tokens = run.preprocessed(file);
                run.stages(file, tokens);
            }
            None => {}
        }
        run.weigh_promises(input);
        run.try_fixes(input);
        run.end(&input.name())
    })
}

/// Runs stages that recurse; constants are folded with the host's arithmetic, too, whatever the caller has made of it.
pub(crate) fn on_large_stack<T>(stages: impl FnOnce() -> T) -> T {
    fenv::in_default(|| stacker::grow(STACK, stages))
}

pub(crate) struct Run<'a> {
    pub(crate) out: Compilation,
    pub(crate) options: &'a Options,
    pub(crate) emit: &'a Emit,
    /// What explanations answer for by compiling once more.
    pub(crate) promises: Vec<Promise>,
}

impl Run<'_> {
    /// What remains when all stages ran or one failed.
    pub(crate) fn end(mut self, name: &str) -> Compilation {
        if !self.options.separate || self.failed() {
            self.settle_hints();
            missed_hints::report(&mut self.out.session);
        }
        if self.options.explain {
            let e = crate::explain::gather(&self.out.session, &self.out.module, self.options, name);
            self.out.explanation = Some(e);
        }
        if self.failed() {
            self.out.artefacts.clear();
        }
        self.out
    }

    pub(crate) fn session_options(&mut self) {
        let d = &mut self.out.session.diagnostics;
        d.no_warnings = self.options.no_warnings;
        d.warnings_are_errors = self.options.warnings_are_errors;
        d.groups_as_errors.clone_from(&self.options.groups_as_errors);
        d.muted_groups.clone_from(&self.options.muted_groups);
        d.enabled_groups.clone_from(&self.options.enabled_groups);
        d.groups_as_warnings.clone_from(&self.options.groups_as_warnings);
        missed_hints::check_groups(&mut self.out.session.diagnostics);
        for gpu in &self.options.repeated_gpus {
            let message = format!("`{gpu}` is named again; code for it is made once");
            self.out.session.diagnostics.report(Diagnostic::warning("W0702", Span::NONE, message));
        }
        // What is reported about missed hints names the fixes, which only explanations hold.
        let session = &mut self.out.session;
        session.ledger.explain = self.options.explain || session.diagnostics.shows(missed_hints::GROUP);
    }

    pub(crate) fn load(&mut self, input: &Input) -> Option<FileId> {
        let sources = &mut self.out.session.sources;
        let loaded = match input {
            Input::File(path) => sources.load(path),
            Input::Text { name, bytes } => sources.add_bytes(name.clone(), bytes.clone()),
        };
        match loaded {
            Ok(file) => Some(file),
            Err(e) => {
                let help = match &e {
                    SourceError::Io(..) => {
                        "check the path; a source file is named by the command line or an `#include`"
                    }
                    SourceError::IsDirectory(_) => "name a file in it",
                    SourceError::TooLarge(_) => "split the file",
                    SourceError::NotUtf8(..) | SourceError::Binary(_) => "source files are UTF-8 text",
                };
                let d = Diagnostic::error("E0701", Span::NONE, e.to_string()).help(help);
                self.out.session.report(d);
                None
            }
        }
    }

    pub(crate) fn timed<T>(&mut self, name: &'static str, stage: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = stage(self);
        self.out.timings.push(Timing { name, is_pass: false, runs: 1, time: start.elapsed() });
        result
    }

    pub(crate) fn failed(&self) -> bool {
        self.out.session.diagnostics.has_errors()
    }

    /// The first stage.
    pub(crate) fn preprocessed(&mut self, file: FileId) -> TokenStream {
        let preprocessor = self.preprocessor();
        let mut stream = self.timed("preprocess", |s| preprocess(&mut s.out.session, &preprocessor, file));
        let o = self.options;
        if !o.without.is_empty() {
            let mut n = 0..;
            let is_left_out = |n: u32| o.without.iter().any(|r| r.contains(&n));
            stream.tokens.retain(|t| !n.next().is_some_and(is_left_out) || t.kind == syntax::TokenKind::Eof);
        } else if o.explain && !o.experiment && !o.separate {
            self.promises = promises::find(&stream, &self.out.session.strings, o.dialect);
        }
        stream
    }

    /// The other stages.
    pub(crate) fn stages(&mut self, file: FileId, tokens: TokenStream) {
        let o = self.options;
        match self.emit {
            Emit::Preprocessed { line_markers } => {
                let text = print_preprocessed(&self.out.session, o.dialect, &tokens, *line_markers);
                return self.yield_text(Product::PREPROCESSED, file, text);
            }
            Emit::Tokens => {
                let text = token_list(&self.out.session, &tokens);
                return self.yield_text(Product::TOKENS, file, text);
            }
            _ => {}
        }
        let ast = self.timed("parse", |s| syntax::parse::parse_as(&mut s.out.session, &o.dialect, o.mode, &tokens));
        if *self.emit == Emit::Ast {
            let text = syntax::ast::dump(&ast, &self.out.session);
            return self.yield_text(Product::AST, file, text);
        }
        let checker = self.checker();
        let program = self.timed("check", |s| sema::check(&mut s.out.session, &checker, &ast));
        drop((ast, tokens));
        if self.failed() {
            return;
        }
        if o.kernel_info {
            self.out.kernels = crate::kernels::gather(&program, &self.out.session, o.dialect);
            self.out.variables = crate::kernels::variables(&program, &self.out.session, o.dialect);
        }
        self.out.module.name = self.out.session.sources.file(file).name.clone();
        self.timed("lower", |s| s.lower(&program));
        drop(program);
        if self.failed() || !self.verified() {
            return;
        }
        self.inline_assembly();
        if self.failed() {
            return;
        }
        if *self.emit == Emit::LoweredIr {
            return self.yield_ir(Product::LOWERED_IR);
        }
        if o.separate {
            return;
        }
        if o.dialect.is_opencl() {
            self.undefined();
        }
        self.finish_linked();
    }

    /// The program that tokens are, unless there are errors.
    pub(crate) fn checked(&mut self, tokens: &TokenStream) -> Option<sema::program::Program> {
        let ast = syntax::parse::parse_as(&mut self.out.session, &self.options.dialect, self.options.mode, tokens);
        let checker = self.checker();
        let program = sema::check(&mut self.out.session, &checker, &ast);
        (!self.failed()).then_some(program)
    }

    /// OpenCL has no linker after this one: what is used must be here.
    fn undefined(&mut self) {
        let problems = ir::link::undefined(&self.out.module);
        problems.iter().for_each(|p| self.out.session.report(crate::link::diagnostic(p)));
    }

    /// What comes after all code is there.
    pub(crate) fn finish_linked(&mut self) {
        if self.failed() {
            return;
        }
        self.timed("optimise", Self::optimise);
        if self.failed() {
            return;
        }
        if self.options.remarks.memory {
            self.memory_remarks();
        }
        match self.emit {
            Emit::Ir => self.yield_ir(Product::IR),
            Emit::Product(product) => self.make(*product),
            Emit::Products(products) => products.iter().for_each(|p| self.make(*p)),
            _ => {}
        }
    }

    fn preprocessor(&self) -> PpOptions {
        let o = self.options;
        let mut p = PpOptions::new(o.dialect);
        p.defines = crate::macros::of_target(o.target, o.checks);
        p.defines.extend(o.defines.iter().cloned());
        p.include_dirs.clone_from(&o.include_dirs);
        p.system_dirs.clone_from(&o.system_dirs);
        p.host_dirs.clone_from(&o.host_dirs);
        p.forced_includes.clone_from(&o.forced_includes);
        p.virtual_headers.clone_from(&o.virtual_headers);
        p.cuda_arch = o.cuda_arch().cuda_arch();
        p.ptx = o.target.ptx_arch().is_some();
        p.images = o.target.has_images();
        p.implied = !matches!(self.emit, Emit::Preprocessed { .. } | Emit::Tokens | Emit::Ast);
        // The interpreter has none, so that the checker shall say it.
        p.textures = p.ptx && !o.checks;
        p.half = o.target.has_half();
        p.fast_relaxed_math = o.math.cl_fast;
        p.finite_math_only = o.math.finite_only;
        p.use_fast_math = o.math.cuda_fast;
        p.optimize = o.level > opt::pass::OptLevel::O0;
        p
    }

    fn checker(&self) -> sema::SemaOptions {
        let o = self.options;
        let mut s = sema::SemaOptions::new(o.dialect);
        s.mode = o.mode;
        s.target = o.target;
        s.fast_math = o.math.cuda_fast || o.math.cl_fast;
        s.single_precision_constants = o.math.single_precision_constants;
        s.module.clone_from(&o.module_id);
        // Whole programs, as nvcc without `-rdc` and OpenCL have it: what no kernel uses is checked and left out.
        s.emit_external_functions = o.dialect.is_c11() || o.separate;
        s
    }

    fn lower(&mut self, program: &sema::program::Program) {
        let o = self.options;
        let options = lower::Options {
            opencl: o.dialect.is_opencl(),
            target: o.target,
            fast: o.math.flags(),
            math: o.math.mode(o.dialect),
            global_offset: o.dialect.is_opencl(),
            partial_groups: o.partial_groups,
            typed_memory: o.typed_memory,
            whole_program: !o.dialect.is_c11() && !o.separate,
            kernels_are_callable: o.separate,
            library: false,
            checks: o.checks,
        };
        let needed = lower::library_functions(program);
        if !needed.is_empty() {
            library::add(&mut self.out.session, &needed, &options, &mut self.out.module);
        }
        lower::lower(&mut self.out.session, program, &options, &mut self.out.module);
        self.set_factors();
    }

    /// Asks for the factors of [`Options::factors`] as a hint would.
    fn set_factors(&mut self) {
        if self.options.factors.is_empty() {
            return;
        }
        let sources = &self.out.session.sources;
        let main = sources.files().next().map(|(id, _)| id);
        for f in self.out.module.functions.values_mut() {
            for l in f.loops.values_mut() {
                let place = sources.line_col(sources.call_site(l.span).lo).filter(|p| Some(p.0) == main);
                let found = self.options.factors.iter().find(|f| place.is_some_and(|(_, at)| at.line == f.line));
                let Some(found) = found else { continue };
                let wanted = match found.factor {
                    0 | 1 => UnrollRequest::Disable,
                    n => UnrollRequest::Count(n),
                };
                let other = UnrollRequest::None;
                (l.unroll, l.jam) = if found.jam { (other, wanted) } else { (wanted, other) };
            }
        }
    }

    fn memory_remarks(&mut self) {
        let notes = crate::explain::memory::notes(&self.out.module, self.options.target, &self.out.session.sources);
        for n in notes {
            let d = Diagnostic::new(source::Severity::Remark, "R0604", n.span, n.text).group(MEMORY);
            self.out.session.report(d.note(format!("in `{}`", n.function)));
        }
    }

    /// Checks what lowering made; a broken rule is a bug of ours and an error, never a panic further down.
    fn verified(&mut self) -> bool {
        if !self.options.verify_each {
            return true;
        }
        let Err(errors) = ir::verify::verify_module(&self.out.module) else { return true };
        for e in errors {
            let d = Diagnostic::error("E0499", e.span, format!("internal error: invalid IR after lowering: {e}"))
                .help("this is a bug of unspool; please report it with the source");
            self.out.session.report(d);
        }
        false
    }

    fn optimise(&mut self) {
        let o = self.options;
        let opt_options = self.optimiser();
        let mut watch = Watch {
            wanted: if let Emit::IrAfter(pass) = self.emit { Some(pass) } else { None },
            dumps: String::new(),
            passes: Vec::new(),
        };
        let observer: Option<&mut dyn Observer> =
            if o.time || watch.wanted.is_some() { Some(&mut watch) } else { None };
        let result = opt::optimise(&mut self.out.module, &mut self.out.session, &opt_options, observer);
        for info in &mut self.out.kernels {
            let Some(found) = self.out.module.find(&info.symbol).map(|f| &self.out.module.functions[f]) else {
                continue;
            };
            (info.rows_in_y, info.streams) = (found.attrs.rows_in_y, found.attrs.streams);
            info.dimensions = launch::kernels::dimensions(found);
            info.element_bits = launch::kernels::element_bits(found);
        }
        if let Err(broken) = result {
            let span = broken.errors.first().map_or(Span::NONE, |e| e.span);
            let d = Diagnostic::error("E0599", span, broken.to_string())
                .help("this is a bug of unspool; please report it with the source, and compile with a lower `-O`");
            self.out.session.report(d);
        }
        if let Some(wanted) = watch.wanted {
            if !watch.passes.iter().any(|t| t.name == wanted) {
                let ran: Vec<&str> = watch.passes.iter().map(|t| t.name).collect();
                let d = Diagnostic::error("E0702", Span::NONE, format!("no pass `{wanted}` ran"))
                    .help(format!("passes that ran: {}", ran.join(", ")));
                self.out.session.report(d);
            }
            let artefact = Artefact::text(Product::IR_AFTER, &self.out.module.name, watch.dumps);
            self.out.artefacts.push(artefact);
        }
        self.out.timings.extend(watch.passes);
    }

    pub(crate) fn optimiser(&self) -> opt::pass::Options {
        let o = self.options;
        let mut knobs = o.knobs.clone();
        if knobs.opt_level.is_none() {
            knobs.opt_level = Some(o.level as u8);
        }
        if knobs.profile.is_none() && o.target.has_wide_unrolling() {
            knobs.profile = Some(unroll::Profile::Cicc23);
        }
        // Hints are followed and loops vanish everywhere; what is done unasked depends.
        let mut off = Vec::new();
        if !o.target.has_partial_unrolling() {
            off.push("unroll-allow-partial");
        }
        if !o.target.has_runtime_unrolling() {
            off.push("unroll-runtime");
        }
        if !o.target.has_convergent_operations() {
            off.push("unroll-full-convergent");
        }
        for knob in off {
            knobs.set_default(knob, "false").unwrap_or_else(|e| unreachable!("{e}"));
        }
        opt::pass::Options {
            level: o.level,
            target: o.target,
            verify_each: o.verify_each,
            knobs,
            remarks: unroll::RemarkFilter {
                passed: o.remarks.passed,
                missed: o.remarks.missed,
                analysis: o.remarks.analysis,
            },
        }
    }

    /// Has a back end make a product.
    fn make(&mut self, product: Product) {
        let o = self.options;
        let Some(backend) = o.backends.find(product, &o.target) else {
            let d = no_backend(product, o);
            return self.out.session.report(d);
        };
        self.timed(backend.name(), |s| {
            let Compilation { module, session, kernels, variables, artefacts, .. } = &mut s.out;
            match backend.emit(product, Unit { module, session, options: o, kernels, variables }) {
                Ok(made) => artefacts.extend(made),
                Err(d) => session.report(*d),
            }
        });
    }

    fn yield_text(&mut self, product: Product, file: FileId, text: String) {
        let artefact = Artefact::text(product, &self.out.session.sources.file(file).name, text);
        self.out.artefacts.push(artefact);
    }

    pub(crate) fn yield_ir(&mut self, product: Product) {
        let module = &self.out.module;
        let artefact = Artefact::text(product, &module.name, ir::print::module_to_text(module));
        self.out.artefacts.push(artefact);
    }

    /// Answers hints that no stage met: what they stood on is gone. A hint without an answer in a compilation without
    /// errors would be an internal error.
    fn settle_hints(&mut self) {
        let open: Vec<_> = self.out.session.ledger.unanswered().collect();
        if !self.failed() {
            self.out.session.ledger.answer_for_vanished_loops();
        }
        for id in open {
            let reason = if self.failed() {
                "the compilation stopped at an error"
            } else {
                "the code it stands on is never executed, or no kernel uses it, and was removed"
            };
            self.out.session.ledger.settle(id, Fate::Unused, "nothing", reason);
        }
    }
}

/// Nobody makes this product for the target.
fn no_backend(product: Product, options: &Options) -> Diagnostic {
    let target = options.target;
    let message = format!("there is no {} of code for `{target}`", product.title);
    let names: Vec<&str> = options.backends.products(&target).iter().map(|p| p.name).collect();
    let help = match names.as_slice() {
        [] => "ask for `ir`; this program has no back end for that target".to_owned(),
        names => format!("ask for `{}`, or compile for another target", names.join("`, `")),
    };
    Diagnostic::error("E0703", Span::NONE, message).help(help)
}

fn token_list(session: &Session, tokens: &[syntax::Token]) -> String {
    let mut out = String::new();
    for t in tokens {
        let place = session.sources.display(t.span);
        out.push_str(&format!("{place}: {:?} `{}`\n", t.kind, t.text(&session.strings)));
    }
    out
}
