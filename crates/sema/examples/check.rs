//! Checks a file and prints diagnostics and, with `-d`, the typed program: `cargo run --example check -- file.cu [-d]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let dialect = if path.ends_with(".cl") { syntax::Dialect::OPENCL } else { syntax::Dialect::CUDA };
    let mut s = source::Session::default();
    let id = s.sources.load(std::path::Path::new(&path)).unwrap();
    let opts = syntax::pp::PpOptions::new(dialect);
    let tokens = syntax::pp::preprocess(&mut s, &opts, id);
    let t = std::time::Instant::now();
    let ast = syntax::parse::parse(&mut s, &dialect, &tokens);
    let parsed = t.elapsed();
    let p = sema::check(&mut s, &sema::SemaOptions::new(dialect), &ast);
    let checked = t.elapsed() - parsed;
    for d in s.diagnostics.iter() {
        println!("{} {:?} {} {:?} {:?}", s.sources.display(d.span()), d.severity, d.message, d.help, d.labels.len());
    }
    if std::env::args().any(|a| a == "-d") && !s.diagnostics.has_errors() {
        println!("{}", sema::dump::dump(&p, &s, dialect));
    }
    println!("parse {parsed:?} check {checked:?}");
}
