//! Compiles the functions of the builtin library that a program needs into its module.

use builtins::library::{self, LibFn};
use ir::{MathMode, Module};
use sema::SemaOptions;
use source::{Diagnostic, Session, Span};
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

/// Adds `needed` and all that they use to `module`, before the program that calls them is lowered.
///
/// Library code means what it says: no contraction, no fast math, subnormals kept (see [`builtins::library`]).
pub(crate) fn add(session: &mut Session, needed: &[LibFn], options: &lower::Options, module: &mut Module) {
    let mut text = String::new();
    for f in library::closure(needed, options.target) {
        text.push_str(f.text(options.target));
        text.push('\n');
    }
    let before = session.diagnostics.error_count();
    let Ok(file) = session.sources.add("<builtin library>", text) else { return };
    let tokens = preprocess(session, &PpOptions::new(Dialect::OPENCL), file);
    let ast = syntax::parse::parse(session, &Dialect::OPENCL, &tokens);
    let mut options_of_library = SemaOptions::new(Dialect::OPENCL);
    options_of_library.emit_internal_functions = true;
    options_of_library.target = options.target;
    let program = sema::check(session, &options_of_library, &ast);
    if session.diagnostics.error_count() > before {
        let d = Diagnostic::error("E0498", Span::NONE, "internal error: the builtin library does not compile")
            .help("this is a bug of unspool; please report it with the source");
        return session.report(d);
    }
    let options = lower::Options {
        opencl: true,
        fast: ir::Flags::NONE,
        math: MathMode { fmad: false, ..MathMode::default() },
        typed_memory: false,
        library: true,
        checks: false,
        ..options.clone()
    };
    lower::lower(session, &program, &options, module);
}
