//! `docs/unrolling.md` keeps up with the knobs.

use unroll::{KNOBS, Knobs, Profile, SizeLevel, UnrollParams};

fn page() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/unrolling.md");
    std::fs::read_to_string(path).expect("docs/unrolling.md")
}

#[test]
fn the_table_of_knobs_is_that_of_the_source() {
    let row =
        |k: &unroll::Knob| format!("| `{}` | {} | {} | {} | {} |", k.name, k.default, k.llvm_default, k.doc, k.source);
    let want: Vec<String> = KNOBS.iter().map(row).collect();
    let page = page();
    let table = page.split("| knob | default |").nth(1).expect("the table of knobs");
    let have: Vec<&str> = table.lines().skip(2).take_while(|l| l.starts_with("| `")).collect();
    assert_eq!(have, want, "the rows should read:\n{}", want.join("\n"));
}

/// A default in the table is what a compilation starts from: setting it changes nothing.
#[test]
fn defaults_of_the_table_are_the_parameters_defaults() {
    for k in KNOBS {
        for (profile, text) in [(Profile::Cicc, k.default), (Profile::Llvm, k.llvm_default)] {
            let value = if text == "unlimited" { "4294967295" } else { text };
            let plain = UnrollParams::new(profile, 3, SizeLevel::Speed);
            if value == "unset" {
                continue;
            }
            let mut knobs = Knobs::default();
            (knobs.profile, knobs.opt_level) = (Some(profile), Some(3));
            let before = knobs.params_for(&[], SizeLevel::Speed, unroll::Invocation::Early);
            assert_eq!(before, plain, "the early invocation has the defaults");
            let mut set = knobs.clone();
            set.assign(&format!("{}={value}", k.name)).expect("a knob of the table");
            let after = set.params_for(&[], SizeLevel::Speed, unroll::Invocation::Early);
            assert_eq!(after, before, "{profile:?}: `{}` is said to be {text}", k.name);
        }
    }
}

/// The numbers that the cascade's diagram names are those of the parameters.
#[test]
fn the_diagram_has_the_thresholds() {
    let p = UnrollParams::default();
    let page = page();
    let cascade = page.split("## The cascade").nth(1).and_then(|t| t.split("\n## ").next()).expect("the cascade");
    for words in [
        format!("size < {}", p.threshold),
        format!("size < {}", p.pragma_threshold),
        format!("fits {}", p.partial_threshold),
        format!("body <= {}", p.runtime_threshold),
        format!("bound <= {}", p.max_pragma_upperbound),
        format!("bound not <= {}", p.few_iterations - 1),
        format!("x min(elements, {})", p.max_local_multiplier),
        format!("at most {} iterations", p.max_peel_count),
        format!("up to {} iterations", p.max_iteration_count_to_analyze),
        format!("at most {}x", p.max_percent_threshold_boost / 100),
    ] {
        assert!(cascade.contains(&words), "the cascade does not say `{words}`");
    }
}
