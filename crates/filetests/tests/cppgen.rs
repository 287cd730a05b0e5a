//! C++ means what another compiler says it means: a slice of random programs in each run of the tests, where this machine
//! has clang or gcc. Long runs: `cargo run --profile fast -p unspool-filetests --example cpp -- --seeds 0..2000`.

use filetests::Rng;
use filetests::cppgen::expand::expand;
use filetests::cppgen::peer::{CLANG, Verdict, judge, peer};
use filetests::cppgen::{texts, topics};
use std::io::Write;

/// Topics of which no program is known that is understood otherwise. The others have findings that are not mended:
/// `docs/adding-a-test.md` lists them.
const SETTLED: [&str; 34] = [
    "aliases_with_computed_arguments",
    "bit_fields",
    "brought",
    "comparisons",
    "constant_evaluation",
    "converted",
    "deduction_guides",
    "deduction_of_functions",
    "early_exits",
    "expression_templates",
    "flow",
    "folds_and_packs",
    "hierarchy",
    "layouts",
    "members_and_initialisers",
    "nearest_templates",
    "numbers",
    "objects_in_arrays",
    "operators_of_bases",
    "order_of_construction",
    "outside",
    "own_iterators",
    "packs_of_lambdas",
    "proxies_and_iterators",
    "results_that_are_nothing",
    "special_members",
    "static_members",
    "tag_dispatch",
    "templates_of_classes",
    "unions_and_placement",
    "values",
    "values_of_empty_braces",
    "what_only_the_host_has",
    "types_that_are_values_elsewhere",
];

/// Programs of this test.
const PROGRAMS: usize = 60;

#[test]
fn programs_mean_what_another_compiler_says() {
    // Of bit-fields' types, and other corners of what is settled here, g++ 12 has another opinion.
    let Some(peer) = peer().filter(|p| *p == CLANG) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: C++ as another compiler understands it: no {CLANG}");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (mut ran, mut same) = (0, 0);
    for seed in 0.. {
        for topic in topics(seed).into_iter().filter(|t| SETTLED.contains(&&*t.name)) {
            match judge(peer, std::slice::from_ref(&topic), folder.path()) {
                Ok(Verdict::Wrong(f)) => {
                    panic!("seed {seed}: {}: {f:?}\n(`--example cpp -- --seeds {seed}`)", topic.name)
                }
                Ok(Verdict::Same) => same += 1,
                Ok(Verdict::BothRefuse | Verdict::OnlyOurs(_)) => {}
                Err(e) => panic!("seed {seed}: {e}"),
            }
            ran += 1;
        }
        if ran >= PROGRAMS {
            break;
        }
    }
    assert!(same * 2 > ran, "only {same} of {ran} programs are valid");
}

/// The same seed is the same program, and every text with alternatives is well-formed.
#[test]
fn texts_expand_to_the_same_each_time() {
    let all = texts();
    assert!(all.len() > 20, "{} texts", all.len());
    for (name, text) in all {
        let (a, b) = (expand(text, &mut Rng::new(7)), expand(text, &mut Rng::new(7)));
        assert_eq!(a, b, "{name}");
        assert!(!a.contains(['«', '¦', '»']), "{name}: {a}");
    }
}
