//! From a program's source to code, and the log that tells of it.

use super::build::{Outcome, Product};
use super::executable::Executable;
use super::link::Part;
use crate::core::{check, device};
use runtime::Cache;
use source::render::{Colour, diagnostics_to_text};
use std::sync::Arc;
use unspool::cl::{BuildOptions, OptionError, Phase};
use unspool::object::Object;
use unspool::{Compilation, Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

/// What diagnostics call the source.
const NAME: &str = "program.cl";

/// The variable that asks for what became of the hints in build logs: any value but `0` and nothing.
const EXPLAIN: &str = "UNSPOOL_EXPLAIN";

/// The options of a build, as read and as they were given.
#[derive(Debug)]
pub struct ParsedOptions {
    options: BuildOptions,
    /// As they were given.
    pub spelt: String,
}

/// A header that is no file: the name that includes it, and its text.
pub type Header = (String, Arc<[u8]>);

impl ParsedOptions {
    /// Reads options.
    ///
    /// # Errors
    /// At the first that the call does not take.
    pub fn parse(phase: Phase, text: &str) -> Result<Self, OptionError> {
        Ok(Self { options: BuildOptions::parse_for(phase, text)?, spelt: text.to_owned() })
    }

    /// Whether a library is to be made (`-create-library`).
    pub fn create_library(&self) -> bool {
        self.options.create_library
    }

    /// Whether those who link the library may give it options (`-enable-link-options`).
    pub fn enable_link_options(&self) -> bool {
        self.options.enable_link_options
    }

    /// What the compiler is told.
    fn compiler(&self) -> Options {
        let mut options = Options { kernel_info: true, ..self.options.compiler() };
        if check::is_on() {
            // Accesses that do not matter are faults all the same; optimised away they would not be found.
            options.level = OptLevel::O0;
            options.checks = true;
        }
        explained(options)
    }

    /// The options of a compiled part for linking, with the warnings that the link asks for.
    pub(super) fn for_link(&self, part: &Options) -> Options {
        let own = self.options.compiler();
        explained(Options {
            no_warnings: own.no_warnings,
            warnings_are_errors: own.warnings_are_errors,
            explain: own.explain || part.explain,
            separate: false,
            ..part.clone()
        })
    }
}

fn explained(mut options: Options) -> Options {
    options.explain |= std::env::var_os(EXPLAIN).is_some_and(|v| !v.is_empty() && v != "0");
    options
}

/// The options that a stored part was compiled with.
pub(super) fn stored_options(object: &Object) -> Options {
    let stored = BuildOptions::parse_for(Phase::Compile, &object.options).unwrap_or_default().compiler();
    Options { dialect: object.dialect, ..stored }
}

/// Whether a build with these options says what became of hints.
pub(super) fn is_explained(options: &str) -> bool {
    ParsedOptions::parse(Phase::Build, options).is_ok_and(|w| w.compiler().explain)
}

fn input(text: &[u8]) -> Input {
    Input::Text { name: NAME.to_owned(), bytes: text.to_vec() }
}

/// Compiles a source to code that runs.
pub fn executable(text: &[u8], parsed: &ParsedOptions) -> Outcome {
    let options = parsed.compiler();
    // What was built before is not explained again.
    let cache = if options.explain || check::is_on() { &Cache::off() } else { device::cache() };
    let how = runtime::BuildOptions { options: &options, spelt: &parsed.spelt, cache, render: &log };
    built(runtime::build(&input(text), &how))
}

/// Compiles a source again that was built with these options; what comes of it and its language.
pub(super) fn again(text: &[u8], options: &str) -> Option<(Compilation, Dialect)> {
    let options = ParsedOptions::parse(Phase::Build, options).ok()?.compiler();
    let made = compile(&input(text), &options, &Emit::Nothing);
    made.succeeded().then_some((made, options.dialect))
}

/// Compiles a source to be linked.
pub fn part(text: &[u8], headers: &[Header], parsed: &ParsedOptions) -> Outcome {
    let mut options = Options { separate: true, ..parsed.compiler() };
    options.virtual_headers = headers.iter().map(|(name, text)| (name.clone(), text.to_vec())).collect();
    let made = compile(&input(text), &options, &Emit::Nothing);
    let log = log(&made);
    // The headers are in the code now.
    options.virtual_headers.clear();
    let part = Part::compiled(made, &Arc::new(options), &parsed.spelt);
    Outcome::new(part.map_or(Product::None, Product::Part), log)
}

/// Code that runs out of a binary.
pub fn loaded(object: &Arc<Object>) -> Outcome {
    let program = Arc::new(runtime::Program::from_object(Arc::clone(object)));
    Outcome::new(Product::Executable(Arc::new(Executable::new(program))), object.log.clone())
}

/// Code that runs out of a finished compilation.
pub(super) fn finish(made: Compilation, options: &Options, spelt: &str) -> Outcome {
    built(runtime::finish(made, &runtime::BuildOptions { options, spelt, cache: device::cache(), render: &log }))
}

fn built(built: runtime::Built) -> Outcome {
    let sources = built.compilation.filter(|_| check::is_on()).map(|c| c.session.sources);
    let executable = |p| Product::Executable(Arc::new(Executable::new(p).with_sources(sources)));
    let product = built.program.map_or(Product::None, executable);
    Outcome::new(product, built.log)
}

/// The diagnostics as text, and what became of the hints if that was asked for.
pub(super) fn log(made: &Compilation) -> String {
    let mut text = diagnostics_to_text(&made.session.sources, made.session.diagnostics.iter(), Colour::Never);
    if let Some(explanation) = &made.explanation {
        text.push_str(&unspool::explain::to_text(explanation, &made.session, Colour::Never));
    }
    text
}
