//! The builtin library is read by our own front end without a complaint, every function with what it needs on its own.

use source::Session;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};
use target::Target;

fn complaints(name: &str, text: String) -> Vec<String> {
    let mut session = Session::default();
    let file = session.sources.add(name, text).expect("fits");
    let dialect = Dialect::OPENCL;
    let tokens = preprocess(&mut session, &PpOptions::new(dialect), file);
    let _ = syntax::parse::parse(&mut session, &dialect, &tokens);
    session
        .diagnostics
        .iter()
        .map(|d| format!("{}: {} [{}]", session.sources.display(d.span()), d.message, d.code))
        .collect()
}

#[test]
fn every_function_parses_with_its_closure() {
    let both = [Target::default(), Target::host()];
    for (target, f) in both.into_iter().flat_map(|m| builtins::library::all(m).map(move |f| (m, f))) {
        let text: String = builtins::library::closure(&[f], target).iter().map(|f| f.text(target)).collect();
        let said = complaints(f.name(), text);
        assert!(said.is_empty(), "{}:\n{}", f.name(), said.join("\n"));
    }
}
