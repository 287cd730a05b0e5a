//! What the tests of CUDA files share.

use sema::{SemaOptions, check};
use source::Session;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

/// The symbols of a CUDA file's kernels, in the program's order, and what is said of it.
pub(crate) fn compiled(text: &str) -> (Vec<String>, Vec<String>) {
    let mut session = Session::default();
    let id = session.sources.add("t.cu", text.to_owned()).expect("a small file");
    let dialect = Dialect::CUDA;
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), id);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    let program = check(&mut session, &SemaOptions::new(dialect), &ast);
    let kernels = program.functions.iter().filter(|f| f.is_kernel).map(|f| f.symbol.clone()).collect();
    (kernels, session.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect())
}
