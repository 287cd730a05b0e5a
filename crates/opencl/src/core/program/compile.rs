//! From a program's source to code, and the log that tells of it.

use super::build::{Outcome, Product};
use super::executable::Executable;
use source::render::{Colour, diagnostics_to_text};
use std::sync::Arc;
use unspool::{Compilation, Dialect, Emit, Input, Options, compile};

/// What diagnostics call the source.
const NAME: &str = "program.cl";

/// Compiles a source to code that runs.
pub fn source(text: &[u8]) -> Outcome {
    let input = Input::Text { name: NAME.to_owned(), bytes: text.to_vec() };
    let mut options = Options::host(Dialect::OPENCL);
    options.kernel_info = true;
    let mut made = compile(&input, &options, &Emit::Nothing);
    let log = log(&made);
    if !made.succeeded() {
        return Outcome { product: Product::None, log };
    }
    let program = runtime::Program::new(std::mem::take(&mut made.module), Dialect::OPENCL)
        .with_kernels(std::mem::take(&mut made.kernels));
    Outcome { product: Product::Executable(Arc::new(Executable::new(program))), log }
}

/// The diagnostics as text.
fn log(made: &Compilation) -> String {
    diagnostics_to_text(&made.session.sources, made.session.diagnostics.iter(), Colour::Never)
}
