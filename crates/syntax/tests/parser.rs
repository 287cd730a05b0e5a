//! Golden tests of the parser: each file under `tests/parser` is parsed; its diagnostics and its tree must equal the
//! `.ast` file beside it. `UNSPOOL_BLESS=1` writes the expected files anew.

use source::{Session, Severity};
use std::fmt::Write;
use std::path::Path;
use syntax::Dialect;
use syntax::pp::{PpOptions, preprocess};

fn dialect_of(path: &str) -> Dialect {
    match Path::new(path).extension().and_then(|e| e.to_str()) {
        Some("cl") => Dialect::OPENCL,
        Some("cu") => Dialect::CUDA,
        _ => Dialect::C11,
    }
}

/// Parses a text; gives the diagnostics, a line each, and the tree.
fn parse(name: &str, text: &str) -> (String, String) {
    let mut session = Session::default();
    let dialect = dialect_of(name);
    let file = session.sources.add(name, text.to_owned()).unwrap();
    let options = PpOptions { implied: false, ..PpOptions::new(dialect) };
    let tokens = preprocess(&mut session, &options, file);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    let mut said = String::new();
    for d in session.diagnostics.iter() {
        let kind = if d.severity == Severity::Error { "error" } else { "warning" };
        let place = session.sources.display(d.span());
        let _ = writeln!(said, "{place}: {kind}: {} [{}]", d.message, d.code);
    }
    (said, syntax::ast::dump(&ast, &session))
}

#[test]
fn golden() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parser");
    let bless = std::env::var_os("UNSPOOL_BLESS").is_some();
    let mut files: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e != "ast")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (said, tree) = parse(name, &std::fs::read_to_string(path).unwrap());
        let got = format!("{said}----\n{tree}");
        let golden = dir.join(format!("{name}.ast"));
        if bless {
            std::fs::write(&golden, &got).unwrap();
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != got {
            wrong.push(format!("{name}:\n{got}"));
        }
    }
    assert!(wrong.is_empty(), "trees differ (UNSPOOL_BLESS=1 accepts them):\n{}", wrong.join("\n"));
}

/// `else if`s were statements within one another: 255 of them were too many.
#[test]
fn else_ifs_do_not_nest() {
    let chain = |n: usize| format!("kernel void k(int x) {{ {} x = 1; }}", "if (x) x = 2; else ".repeat(n));
    // As much as compilations have.
    let on_large_stack = |text: String| {
        let run = move || parse_only("h.cl", &text).0;
        std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap()
    };
    assert_eq!(on_large_stack(chain(2000)), "");
    assert!(on_large_stack(chain(5000)).contains("nesting too deep"));
    let deep = |n: usize| format!("kernel void k(int x) {{ {} x = 1; }}", "if (x) ".repeat(n));
    assert!(parse_only("h.cl", &deep(2000)).0.contains("nesting too deep"));
}

/// Lists of more than 2,000 arguments of a template were comparisons, and too deep as such.
#[test]
fn long_lists_of_template_arguments() {
    let list: Vec<String> = (0..30_000).map(|n| n.to_string()).collect();
    let text = format!("template <int... N> struct L {{ }}; L<{}> x;", list.join(", "));
    assert_eq!(parse_only("h.cu", &text).0, "");
}

/// What is said about hostile texts: at least one error, without panic, overflow or long waits.
#[test]
fn hostile_nesting() {
    let n = 1 << 20;
    let prefixes = [
        "(",
        "{",
        "-",
        "*",
        "[",
        "if(1)",
        "a<",
        "f(",
        "a?",
        "!",
        "{{",
        "({",
        "[]{",
        "(int)",
        "x=",
        "do ",
        "else ",
        "case 1:",
        "for(;;)",
        "l: ",
        "sizeof ",
        "&&",
        "int(*",
        "::",
        "a::",
        "while(1)",
        "\n#pragma unroll\n",
        "a+(",
        "a,",
        "a+",
        "a.b",
        "a[0]",
        "f()",
        "new ",
        "struct{",
        "template<class T>",
        "T<T<",
        "-(",
        "?",
        "decltype(",
    ];
    for prefix in prefixes {
        for (name, head) in [
            ("h.cu", "__device__ void k() { "),
            ("h.cl", "kernel void k() { "),
            ("h.cu", "__device__ int x = "),
            ("h.cu", ""),
        ] {
            let body = prefix.repeat(n / prefix.len() / 8);
            let (said, _) = parse_only(name, &format!("{head}{body}"));
            assert!(said.len() < 1 << 20, "{prefix}");
        }
    }
}

/// As [`parse`], without dumping the tree.
fn parse_only(name: &str, text: &str) -> (String, usize) {
    let mut session = Session::default();
    let dialect = dialect_of(name);
    let file = session.sources.add(name, text.to_owned()).unwrap();
    let options = PpOptions { implied: false, ..PpOptions::new(dialect) };
    let tokens = preprocess(&mut session, &options, file);
    let ast = syntax::parse::parse(&mut session, &dialect, &tokens);
    let said: Vec<String> = session.diagnostics.iter().map(|d| d.message.clone()).collect();
    (said.join("\n"), ast.exprs.len())
}

/// Twice the text takes about twice the time: nothing is read again and again.
#[test]
fn linear_time() {
    let unit = "template <class T> struct A { T x; __device__ T get(int i) const { return x < i ? A<T>{x}.x : x; } };\n\
                void host() { std::vector<A<int>> v; }\n\
                __global__ void k(float *p, int n) { for (int i = 0; i < n; ++i) p[i] += f<A<int>>(i) + (float)n; }\n";
    let time = |n: usize| {
        let text = unit.repeat(n);
        let start = std::time::Instant::now();
        let (said, _) = parse_only("t.cu", &text);
        assert_eq!(said, "");
        start.elapsed().as_secs_f64()
    };
    time(10);
    let (small, large) = (time(200), time(2000));
    assert!(large < small * 40.0 + 0.05, "200 units {small} s, 2000 units {large} s");
}

/// Found by mutated inputs: the front of a qualified name was asked for its text.
#[test]
fn global_qualifier_before_a_parenthesis_is_an_error() {
    let (said, _) = parse("a.cu", "__global__ void k(int *p) { p[0] = 3 -:: (p[1]); p[1] = ::; }");
    assert!(said.contains("error"), "{said}");
}
