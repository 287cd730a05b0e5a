//! Build options.

use super::{BuildOptions, OptionProblem, Phase, split};
use crate::{Define, OptLevel};

fn define(name: &str, body: Option<&str>) -> Define {
    Define::Define(name.to_owned(), body.map(str::to_owned))
}

#[test]
fn words_keep_quotes_and_escapes() {
    let words = |t| split::words(t).expect("closed quotes");
    assert_eq!(words("  -a  -b\t-c\n"), ["-a", "-b", "-c"]);
    assert_eq!(words("-I \"a dir/b\" '-D x=1 2'"), ["-I", "a dir/b", "-D x=1 2"]);
    assert_eq!(words(r#"-DS=\"text\" -I a\ b"#), ["-DS=\"text\"", "-I", "a b"]);
    assert_eq!(words(r#"-D"S=a \"b\"""#), ["-DS=a \"b\""]);
    assert_eq!(words(r"'a\n' '\'' x\"), [r"a\n", "'", r"x\"]);
    assert_eq!(words("\"\" ''"), ["", ""]);
    assert_eq!(words("-a\0-b"), ["-a"]);
    assert_eq!(split::words("-D 'x"), Err("x".to_owned()));
}

#[test]
fn defines_and_directories_with_and_without_space() {
    let o = BuildOptions::parse("-D A -DB -D C=3 -DD=\"4 + 4\" -D 'E(x)=x*2' -U A -Iinc -I \"my dir\"").expect("valid");
    assert_eq!(
        o.defines,
        [
            define("A", None),
            define("B", None),
            define("C", Some("3")),
            define("D", Some("4 + 4")),
            define("E(x)", Some("x*2")),
            Define::Undef("A".to_owned()),
        ]
    );
    assert_eq!(o.include_dirs, [std::path::Path::new("inc"), std::path::Path::new("my dir")]);
}

/// The options that OpenCL 1.0 to 3.0 have for compiling.
#[test]
fn every_compiler_option_of_the_specification() {
    let all = "-cl-single-precision-constant -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt \
        -cl-opt-disable -cl-strict-aliasing -cl-uniform-work-group-size -cl-mad-enable -cl-no-signed-zeros \
        -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -cl-no-subgroup-ifp -w -Werror \
        -cl-std=CL3.0 -cl-kernel-arg-info -g";
    let o = BuildOptions::parse(all).expect("valid");
    assert_eq!(o.version, Some(300));
    assert_eq!(o.level, Some(OptLevel::O0));
    assert!(o.kernel_arg_info && o.uniform_work_group_size && o.no_subgroup_progress && o.debug_info);
    assert!(o.no_warnings && o.warnings_are_errors && o.math.cl_fast && o.math.single_precision_constants);
    for (text, version) in [("CL1.0", 100), ("CL1.1", 110), ("CL1.2", 120), ("CL2.0", 200), ("CL3.0", 300)] {
        let o = BuildOptions::parse(&format!("-cl-std={text}")).expect("valid");
        assert_eq!(o.compiler().dialect, crate::Dialect::OpenClC { version });
    }
    assert_eq!(BuildOptions::parse("").expect("valid").compiler().dialect, crate::Dialect::OPENCL);
}

#[test]
fn the_ledger_is_asked_for_by_an_option() {
    assert!(BuildOptions::parse("-cl-unspool-ledger").expect("valid").compiler().explain);
    assert!(!BuildOptions::parse("").expect("valid").compiler().explain);
}

#[test]
fn linking_takes_its_own_options_and_those_about_floating_point() {
    let o = BuildOptions::parse_for(Phase::Link, "-create-library -enable-link-options -cl-finite-math-only");
    let o = o.expect("valid");
    assert!(o.create_library && o.enable_link_options && o.math.finite_only);
    for (phase, option) in [
        (Phase::Link, "-cl-std=CL1.2"),
        (Phase::Link, "-DX"),
        (Phase::Link, "-cl-opt-disable"),
        (Phase::Compile, "-create-library"),
        (Phase::Build, "-enable-link-options"),
    ] {
        let e = BuildOptions::parse_for(phase, option).expect_err("another call's option");
        assert_eq!((e.phase, e.problem), (phase, OptionProblem::OtherPhase), "{option}");
    }
}

#[test]
fn unknown_options_are_named_with_the_nearest() {
    let near = |text: &str| {
        let e = BuildOptions::parse(text).expect_err("no such option");
        (e.problem, e.nearest)
    };
    let unknown = |n: &str| (OptionProblem::Unknown, Some(n.to_owned()));
    assert_eq!(near("-w -cl-mad-enabel"), unknown("-cl-mad-enable"));
    assert_eq!(near("-cl-fast-relaxed-maths"), unknown("-cl-fast-relaxed-math"));
    assert_eq!(near("-cl-sdt=CL1.2"), unknown("-cl-std="));
    assert_eq!(near("-unroll-treshold=5"), unknown("-unroll-threshold"));
    assert_eq!(near("-this-is-none"), (OptionProblem::Unknown, None));
    assert_eq!(near("file.cl").0, OptionProblem::NotAnOption);
    assert_eq!(near("-D").0, OptionProblem::MissingValue);
    assert_eq!(near("-I 'x").0, OptionProblem::OpenQuote);
    assert!(matches!(near("-cl-std=CL9.9").0, OptionProblem::BadValue(_)));
    assert!(matches!(near("-unroll-threshold=many").0, OptionProblem::BadValue(_)));
    let text = BuildOptions::parse("-cl-mad-enabel").expect_err("no such option").to_string();
    assert_eq!(text, "unknown option `-cl-mad-enabel`; did you mean `-cl-mad-enable`?");
}

#[test]
fn knobs_of_the_unroller_are_options() {
    let o = BuildOptions::parse("-unroll-threshold=50 --unroll-count=4").expect("valid");
    assert_ne!(o.knobs, crate::Knobs::default());
}

fn compiles(text: &str, version: u16) -> bool {
    let options = crate::Options::host(crate::Dialect::OpenClC { version });
    crate::compile_with_log(&crate::Input::text("k.cl", text), &options, &crate::Emit::Nothing).succeeded()
}

fn macros_are(names: &[&str], defined: bool, version: u16) {
    let directive = if defined { "#ifndef" } else { "#ifdef" };
    let text: String = names.iter().map(|n| format!("{directive} {n}\n#error {n}\n#endif\n")).collect();
    assert!(compiles(&text, version), "{version}: {names:?}");
}

#[test]
fn programs_see_what_the_platform_reports() {
    for version in [100, 110, 120, 200, 300] {
        macros_are(super::EXTENSIONS, true, version);
        macros_are(super::FEATURES, version == 300, version);
        macros_are(&["__IMAGE_SUPPORT__"], true, version);
        let gpu_only = ["cl_khr_fp16", "cl_nv_compiler_options", "__NVPTX__", "__PTX__"];
        macros_are(&gpu_only, false, version);
        let absent = ["__opencl_c_pipes", "__opencl_c_device_enqueue"];
        macros_are(&absent, false, version);
        let text =
            format!("#if __OPENCL_C_VERSION__ != {version} || __OPENCL_VERSION__ != 300\n#error version\n#endif\n");
        assert!(compiles(&text, version), "{version}");
    }
}

#[test]
fn what_features_promise_compiles() {
    let text = "kernel void k(global atomic_int *a, global atomic_uint *b, global double *d, global long *l) {
        atomic_store_explicit(a, 1, memory_order_release, memory_scope_device);
        atomic_fetch_min_explicit(b, 1, memory_order_acquire, memory_scope_work_group);
        atomic_fetch_sub(a, atomic_load(a));
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
        work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
        d[0] = d[1] * l[0]; }";
    assert!(compiles(text, 300));
}

#[test]
fn uniform_work_groups_have_no_parts() {
    let parts = |text: &str| BuildOptions::parse(text).expect("options").compiler().partial_groups;
    assert!(parts("-cl-std=CL3.0"));
    assert!(!parts("-cl-std=CL3.0 -cl-uniform-work-group-size"));
    assert!(!parts("-cl-std=CL1.2"));
}

/// `DBL_RADIX` was not there (Khronos' `kernel_numeric_constants`).
#[test]
fn limits_of_floating_point_types_are_all_there() {
    let names = ["DIG", "MANT_DIG", "MAX_10_EXP", "MAX_EXP", "MIN_10_EXP", "MIN_EXP", "RADIX", "MAX", "MIN", "EPSILON"];
    for format in ["FLT", "DBL", "HALF"] {
        let all: Vec<String> = names.iter().map(|n| format!("{format}_{n}")).collect();
        macros_are(&all.iter().map(String::as_str).collect::<Vec<_>>(), true, 120);
    }
}
