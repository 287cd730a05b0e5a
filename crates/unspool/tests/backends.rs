//! Back ends that others register.

use source::{Diagnostic, Span};
use unspool::{
    Artefact, Backend, Contents, Dialect, Emit, Input, Options, Product, Target, Unit, compile_with_log as compile,
};

/// A list of a program's kernels, and the same as bytes.
const KERNELS: Product = Product::kept("kernels", "list of kernels", "kernels");

/// Lists kernels of code for the host; refuses some.
struct Lister;

impl Backend for Lister {
    fn name(&self) -> &'static str {
        "lister"
    }

    fn products(&self, target: &Target) -> &'static [Product] {
        if target.ptx_arch().is_none() { &[KERNELS] } else { &[] }
    }

    fn emit(&self, product: Product, unit: Unit<'_>) -> Result<Vec<Artefact>, Box<Diagnostic>> {
        if let Some(k) = unit.kernels.iter().find(|k| k.name == "refused") {
            return Err(Box::new(Diagnostic::error("E0703", k.span, "not this one")));
        }
        unit.session.report(Diagnostic::warning("W0999", Span::NONE, "said by the back end"));
        let names = unit.kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>().join(" ");
        let mut second = Artefact::bytes(product, "k.cl", names.clone().into_bytes());
        second.name = "k.bytes".to_owned();
        Ok(vec![Artefact::text(product, &unit.module.name, names), second])
    }
}

fn options() -> Options {
    let mut options = Options { kernel_info: true, time: true, ..Options::host(Dialect::OPENCL) };
    options.backends.register(&Lister);
    options
}

#[test]
fn a_registered_back_end_is_asked_for_what_it_makes() {
    let text = "kernel void a(global int *p) { *p = 1; }\nkernel void b(global int *p) { *p = 2; }";
    let out = compile(&Input::text("dir/k.cl", text), &options(), &Emit::Product(KERNELS));
    let found: Vec<(&str, &Contents)> = out.artefacts.iter().map(|a| (a.name.as_str(), &a.contents)).collect();
    let (text, bytes) = (Contents::Text("a b".into()), Contents::Bytes(b"a b".to_vec()));
    assert_eq!(found, [("k.kernels", &text), ("k.bytes", &bytes)]);
    assert_eq!(out.output(), Some("a b"));
    assert_eq!(out.session.diagnostics.warning_count(), 1);
    assert!(out.timings.iter().any(|t| t.name == "lister"));
}

#[test]
fn what_a_back_end_refuses_leaves_no_artefacts() {
    let text = "kernel void refused(global int *p) { *p = 1; }";
    let out = compile(&Input::text("k.cl", text), &options(), &Emit::Product(KERNELS));
    assert!(!out.succeeded() && out.artefacts.is_empty());
}

#[test]
fn what_nobody_makes_for_a_target_says_what_there_is() {
    let text = Input::text("k.cl", "kernel void k(global int *p) { *p = 1; }");
    let help = |options: &Options, emit: Emit| {
        let out = compile(&text, options, &emit);
        let d = out.session.diagnostics.iter().find(|d| d.code == "E0703").expect("nobody makes it").clone();
        format!("{}; {:?}", d.message, d.help)
    };
    let on_host = help(&options(), Emit::PTX);
    assert!(on_host.contains("no PTX") && on_host.contains("ask for `kernels`"), "{on_host}");
    let on_gpu = help(&Options::new(Dialect::OPENCL), Emit::Product(KERNELS));
    assert!(on_gpu.contains("no list of kernels of code for `sm_75`") && on_gpu.contains("ask for `ptx`"), "{on_gpu}");
    let bare = help(&Options::host(Dialect::OPENCL), Emit::PTX);
    assert!(bare.contains("this program has no back end"), "{bare}");
}
