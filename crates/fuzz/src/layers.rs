//! One entry per layer.

use source::Session;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};
use unspool::{Emit, Input, Options, compile_with_log as compile};

/// The dialects that a text is tried in, by the first byte of the input.
fn dialect(selector: u8) -> Dialect {
    match selector % 3 {
        0 => Dialect::CUDA,
        1 => Dialect::OPENCL,
        _ => Dialect::C11,
    }
}

/// Splits the input into the dialect and the text; `None` for what can never be a source.
fn split(data: &[u8]) -> Option<(Dialect, String)> {
    /// Longer inputs find nothing that shorter ones do not, and cost time.
    const MAX: usize = 64 << 10;
    let (&selector, text) = data.split_first()?;
    if text.len() > MAX {
        return None;
    }
    Some((dialect(selector), String::from_utf8_lossy(text).into_owned()))
}

/// Lexer and preprocessor.
pub fn preprocessor(data: &[u8]) {
    let Some((dialect, text)) = split(data) else { return };
    let mut session = Session::default();
    if let Ok(file) = session.sources.add("fuzz", text) {
        let mut options = PpOptions::new(dialect);
        // Macro bombs are stopped by the same limits, only sooner.
        options.limits.output_tokens = 1 << 18;
        preprocess(&mut session, &options, file);
    }
}

/// Parser.
pub fn parser(data: &[u8]) {
    run(data, &Emit::Ast);
}

/// Checker and lowering, with every pass verified, down to PTX.
pub fn compiler(data: &[u8]) {
    run(data, &Emit::PTX);
}

/// Everything down to an object file for the processor here; nothing is run. What is not covered must be refused with
/// a place or a name.
#[cfg(feature = "llvm")]
pub fn host(data: &[u8]) {
    /// Groups of these sizes: ragged, one line, a plane.
    const LOCAL: [[u32; 3]; 3] = [[37, 1, 1], [64, 1, 1], [8, 6, 1]];
    let Some((dialect, text)) = split(data) else { return };
    let mut options = Options::host(dialect);
    options.verify_each = true;
    options.backends.register(&runtime::HostBackend);
    options.code.local = Some(LOCAL[data.len() % 3]);
    options.code.scalar = data.len().is_multiple_of(4);
    let result = compile(&Input::text("fuzz", text), &options, &Emit::Product(unspool::Product::OBJECT));
    for d in result.session.diagnostics.iter() {
        assert!(!d.message.contains("internal error"), "{}: {}", d.code, d.message);
        let _ = source::render::diagnostic_to_text(&result.session.sources, d, source::render::Colour::Never);
    }
}

fn run(data: &[u8], emit: &Emit) {
    let Some((dialect, text)) = split(data) else { return };
    let mut options = Options::new(dialect);
    options.verify_each = true;
    options.explain = true;
    let result = compile(&Input::text("fuzz", text), &options, emit);
    for d in result.session.diagnostics.iter() {
        assert!(!d.message.starts_with("internal error"), "{}: {}", d.code, d.message);
        // Rendering must survive any span.
        let _ = source::render::diagnostic_to_text(&result.session.sources, d, source::render::Colour::Never);
    }
    assert_eq!(result.session.ledger.unanswered().count(), 0, "a hint without an answer");
    if result.succeeded() {
        round_trips(&result.module);
    }
}

/// What the compiler makes prints, and parses to the same text again.
fn round_trips(module: &ir::Module) {
    let printed = ir::print::module_to_text(module);
    let again = ir::parse::parse_module(&printed).map(|m| ir::print::module_to_text(&m));
    assert_eq!(again.as_deref(), Ok(printed.as_str()), "the text form does not round-trip");
}

/// The text form of the IR: what parses and verifies prints, and parses to the same text again.
pub fn ir_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(module) = ir::parse::parse_module(text) else { return };
    if ir::verify::verify_module(&module).is_err() {
        return;
    }
    round_trips(&module);
}
