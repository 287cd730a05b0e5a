//! What users are told: warnings about missed hints, explanations as text, SARIF and a page, and tables of factors.
//!
//! Snapshots stand in `tests/snapshots`; `INSTA_UPDATE=always cargo test -p unspool --test report` renews them, and what
//! changed is to be read before it is committed.

use serde_json::Value;
use unspool::explain::{self, FactorError};
use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

/// A loop unrolled fully, a refused hint, an adjusted one, and a loop that nobody hinted at.
const LOOPS: &str = "\
__global__ void __launch_bounds__(128) k(float *out, const float *in, int n) {
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++)
        s += in[i];
#pragma unroll
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 1000; j++)
            s += in[i * 64 + j];
    }
#pragma unroll 9000
    for (int i = 0; i < 10000; i++)
        s = s * in[i] + in[i + 1];
    out[threadIdx.x] = s;
}
";

fn options() -> Options {
    let mut o = Options { explain: true, line_info: true, ..Options::new(Dialect::CUDA) };
    o.set_arch(unspool::Arch::parse("sm_90").unwrap().arch);
    o
}

fn run(text: &str, options: &Options) -> Compilation {
    compile(&Input::text("k.cu", text), options, &Emit::PTX)
}

fn said(c: &Compilation) -> String {
    source::render::diagnostics_to_text(&c.session.sources, c.session.diagnostics.iter(), source::render::Colour::Never)
}

#[test]
fn missed_hints_are_errors_when_asked_for() {
    let quiet = run(LOOPS, &options());
    assert_eq!((quiet.succeeded(), quiet.session.diagnostics.len()), (true, 0), "off by default");
    let mut o = options();
    o.enabled_groups = vec!["unroll".into()];
    let warned = run(LOOPS, &o);
    assert!(warned.succeeded() && warned.output().is_some());
    insta::assert_snapshot!("missed_hints", said(&warned));
    o.groups_as_errors = vec!["unroll".into()];
    let refused = run(LOOPS, &o);
    assert!(!refused.succeeded() && refused.output().is_none());
    assert!(said(&refused).contains("[-Werror,-Wunroll]"), "{}", said(&refused));
    // Honoured hints are no errors, and neither is what no kernel reaches.
    let fine = "__global__ void k(float *p) {\n#pragma unroll 4\n for (int i = 0; i < 64; i++) p[i] = i; }\n\
                static __device__ void f(float *p, int n) {\n#pragma unroll\n for (int i = 0; i < n; i++) p[i] = i; }\n";
    assert!(run(fine, &o).succeeded(), "{}", said(&run(fine, &o)));
}

#[test]
fn hints_are_missed_without_optimisation() {
    let mut o = options();
    o.level = unspool::OptLevel::O0;
    o.groups_as_errors = vec!["unroll".into()];
    let c = run(LOOPS, &o);
    assert!(!c.succeeded() && said(&c).contains("-O0"), "{}", said(&c));
}

#[test]
fn unknown_groups_are_named_with_the_nearest() {
    let mut o = options();
    o.muted_groups = vec!["unrol".into()];
    o.groups_as_errors = vec!["zzzzzzzzz".into()];
    insta::assert_snapshot!("unknown_groups", said(&run("", &o)));
    // The warning is in a group of its own.
    o.muted_groups.push("unknown-warning-option".into());
    assert!(run("", &o).session.diagnostics.is_empty());
}

#[test]
fn explanation_as_text() {
    let c = run(LOOPS, &options());
    let e = c.explanation.as_ref().unwrap();
    insta::assert_snapshot!("text", explain::to_text(e, &c.session, source::render::Colour::Never));
}

/// The objects that SARIF 2.1.0 wants in a log, with their required members (sections 3.13 to 3.58).
fn check_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().unwrap() {
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = driver["rules"].as_array().unwrap();
        for r in rules {
            assert!(r["id"].is_string() && r["shortDescription"]["text"].is_string() && r["help"]["text"].is_string());
        }
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        for r in run["results"].as_array().unwrap() {
            assert!(!r["message"]["text"].as_str().unwrap().is_empty());
            let index = r["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], r["ruleId"]);
            let level = r["level"].as_str().unwrap();
            assert_eq!(r["kind"] == "fail", level != "none", "{r}");
            for l in r["locations"].as_array().unwrap() {
                let p = &l["physicalLocation"];
                assert!(p["artifactLocation"]["uri"].is_string());
                let region = |name: &str| p["region"][name].as_u64().unwrap();
                assert!(region("startLine") >= 1 && region("startColumn") >= 1);
                assert!((region("endLine"), region("endColumn")) >= (region("startLine"), region("startColumn")));
            }
            for f in r["fixes"].as_array().into_iter().flatten() {
                assert!(f["artifactChanges"][0]["replacements"][0]["deletedRegion"]["startLine"].is_u64());
            }
        }
    }
}

#[test]
fn explanation_as_sarif() {
    let mut o = options();
    o.enabled_groups = vec!["unroll".into()];
    let c = run(LOOPS, &o);
    let log = source::render::sarif_log(&[explain::to_sarif(&c)]);
    check_sarif(&log);
    let shown = format!("{log:#}").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!("sarif", shown);
    let broken = run("__global__ void k() { undeclared; }", &o);
    check_sarif(&source::render::sarif_log(&[explain::to_sarif(&c), explain::to_sarif(&broken)]));
}

#[test]
fn a_suggested_factor_is_honoured() {
    let c = run(LOOPS, &options());
    let looks = c.session.ledger.loops().iter();
    let n = looks.filter_map(|l| l.suggested).next().expect("a smaller factor for the third hint");
    let mended = run(&LOOPS.replace("9000", &n.to_string()), &options());
    let hint = mended.session.ledger.iter().map(|(_, h)| h).find(|h| h.asked.contains(&n.to_string())).unwrap();
    assert_eq!(hint.fate(), Some(source::Fate::Honoured), "{:?}", hint.answers);
}

/// The page without its style, its script and the PTX.
fn essence(html: &str) -> String {
    let cut = |text: &str, from: &str, to: &str| {
        let start = text.find(from).expect(from);
        let end = start + text[start..].find(to).expect(to);
        format!("{}{}", &text[..start + from.len()], &text[end..])
    };
    let text = cut(html, "<style>", "</style>");
    let text = cut(&text, "<script>", "</script>");
    cut(&text, "<pre class=\"ptx code\">", "</pre>").replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn explanation_as_a_page() {
    let c = run(LOOPS, &options());
    let html = explain::to_html(&c, &[]);
    insta::assert_snapshot!("page", essence(&html));
    assert_eq!(html, explain::to_html(&run(LOOPS, &options()), &[]), "the same bytes each time");
    // Nothing comes from elsewhere.
    for outside in ["http:", "https:", " src=", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    // Lines of the loops lead to their PTX.
    for line in [5, 9, 13] {
        assert!(html.contains(&format!("data-l=\"{line}\"")), "no PTX of line {line}");
    }
}

#[test]
fn hostile_text_stays_text() {
    let long = "x".repeat(50_000);
    let text = format!(
        "// </script><script>alert(1)</script><img src=x onerror=alert(1)> & \"q\" 'q' \u{202e}\u{200b}\r\n\
         #define M \"</style></pre></p><b onmouseover=alert(1)>\"\n\
         __global__ void k(float *p, int n) {{ /* <!-- {long} --> */\n\
         #pragma unroll 4 // <img src=x>\n\
         \tfor (int i = 0; i < n; i++) p[i] = i; // ä€𝄞\u{7f}\n\
         #pragma <img src=y onerror=alert(2)>\n}}\n"
    );
    let name = "\"><img src=x onerror=alert(3)>.cu";
    let c = compile(&Input::text(name, text), &options(), &Emit::PTX);
    let html = explain::to_html(&c, &[]);
    assert_eq!(html.matches("<script").count(), 1);
    assert_eq!(html.matches("</script>").count(), 1);
    assert_eq!(html.matches("<img").count(), 0);
    assert_eq!(html.matches("<b onmouseover").count(), 0);
    assert!(!html.contains(['\u{202e}', '\u{200b}', '\u{7f}']));
    assert!(html.len() < 60_000, "{} bytes", html.len());
    assert!(html.contains("more characters"));
}

#[test]
fn pages_of_large_files_stay_small() {
    let mut text = String::new();
    for k in 0..250 {
        text.push_str(&format!(
            "__global__ void k{k}(float *out, const float *in, int n) {{\n    float s = 0.0f;\n\
             #pragma unroll 2\n    for (int i = 0; i < n; i++) {{\n        s += in[i];\n    }}\n"
        ));
        text.push_str(&"    // nothing much\n".repeat(12));
        text.push_str("    out[0] = s;\n}\n");
    }
    assert!(text.lines().count() >= 5000);
    let html = explain::to_html(&run(&text, &options()), &[]);
    assert!(html.len() < 2 << 20, "{} bytes", html.len());
    assert_eq!(html.matches("data-a=\"").count(), 250, "one mark for each loop");
}

#[test]
fn sources_with_errors_have_a_page() {
    let html = explain::to_html(&run("__global__ void k() { undeclared; }", &options()), &[]);
    assert!(html.contains("undeclared identifier") && html.contains("the source has errors"));
    assert!(explain::to_html(&run("", &options()), &[]).contains("0 loops, 0 hints"));
}

#[test]
fn macros_templates_and_headers_have_marks() {
    let text = "#define LOOP(n) for (int i = 0; i < n; i++)\n\
                template <int N> __device__ float f(const float *p) {\n  float s = 0;\n#pragma unroll\n  LOOP(N) s += p[i];\n  return s; }\n\
                __global__ void k(float *p) { p[0] = f<4>(p) + f<300>(p); }\n";
    let html = explain::to_html(&run(text, &options()), &[]);
    assert!(html.contains("id=\"L5\""), "{html}");
    assert!(html.contains("data-a=\"5\""), "{html}");
}

fn tried(text: &str, line: Option<u32>, list: &[u32]) -> Result<Vec<explain::FactorTable>, FactorError> {
    let base = run(text, &options());
    explain::factors(&Input::text("k.cu", text), &options(), &base, line, list, None)
}

#[test]
fn factors_are_done_and_counted() {
    let tables = tried(LOOPS, Some(8), &[1, 2, 4, 8]).unwrap();
    assert_eq!((tables.len(), tables[0].line, tables[0].rows.len()), (1, 8, 4));
    let rows = &tables[0].rows;
    // Copies share the loop's test and branch, so that an iteration gets cheaper and the kernel larger.
    let per: Vec<f64> = rows.iter().map(|r| r.per_iteration.unwrap()).collect();
    assert!(per.windows(2).all(|w| w[1] < w[0]), "{per:?}");
    assert!(rows.windows(2).all(|w| w[1].instructions > w[0].instructions));
    assert!(rows[0].done.contains("kept") && rows[2].done.contains("unrolled by 4"), "{rows:?}");
    // Every innermost loop, where none is named.
    let lines: Vec<u32> = tried(LOOPS, None, &[2]).unwrap().iter().map(|t| t.line).collect();
    assert_eq!(lines, [4, 8, 12]);
    let json = explain::factors_to_json(&tables);
    assert_eq!(json[0]["rows"][2]["factor"], 4);
    assert_eq!(explain::factors_to_text(&tables).lines().count(), 1 + 2 + 4);
}

#[test]
fn factors_need_a_loop() {
    assert_eq!(tried("__global__ void k() {}", None, &[2]).unwrap_err(), FactorError::NoLoops);
    let e = tried(LOOPS, Some(2), &[2]).unwrap_err();
    assert_eq!(e.to_string(), "no loop begins on line 2; loops begin on 4, 7, 8, 12");
    let many: String = (0..20).map(|_| "for (int i = 0; i < n; i++)\np[i] += i;\n").collect();
    let e = tried(&format!("__global__ void k(int *p, int n) {{\n{many}}}"), None, &[2]).unwrap_err();
    assert!(e.to_string().contains("20 innermost loops"), "{e}");
}

#[test]
fn kernels_have_blocks_and_shared_memory() {
    let text = "__global__ void __launch_bounds__(128) a(int *p) { __shared__ int s[1000]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[0]; }\n\
                __global__ void b(int *p) { extern __shared__ int d[]; d[threadIdx.x] = p[0]; __syncthreads(); p[1] = d[0]; }\n";
    let c = run(text, &Options { block: Some(512), ..options() });
    let k = &c.explanation.as_ref().unwrap().kernels;
    assert_eq!((k[0].block, k[0].block_source, k[0].shared), (512, explain::BlockSource::Option, 4000));
    assert!(k[1].dynamic_shared && k[1].shared == 0 && !k[0].dynamic_shared);
    let c = run(text, &options());
    let k = &c.explanation.as_ref().unwrap().kernels;
    assert_eq!((k[0].block, k[0].block_source), (128, explain::BlockSource::LaunchBounds));
    assert_eq!((k[1].block, k[1].block_source), (explain::DEFAULT_BLOCK, explain::BlockSource::Assumed));
    assert!(k.iter().all(|k| (1..=40).contains(&k.registers) && k.occupancy.warps > 0));
}
