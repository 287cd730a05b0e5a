use super::*;
use crate::pp::{HostHeaders, PpLimits};

#[test]
fn conditions() {
    for (expr, want) in [
        ("1", true),
        ("0", false),
        ("-1 > 0u", true),
        ("-1 < 0", true),
        ("-1 >> 63 == -1", true),
        ("0xffffffffffffffff == -1", true),
        ("18446744073709551615u + 1 == 0", true),
        ("(2 || 1/0) && !(0 && 1/0)", true),
        ("1 ? 2 : 1/0", true),
        ("(0 ? 1 : -1) < 0", true),
        ("(0 ? 1u : -1) > 0", true),
        ("1 << 63 < 0", true),
        ("1 << 64", false),
        ("7 % 4 == 3 && -7 / 2 == -3 && -7 % 2 == -1", true),
        ("'a' == 97 && '\\n' == 10 && '\\377' < 0", true),
        ("defined(FOO) || defined BAR", false),
        ("defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 700", true),
        ("undefined_name", false),
        ("true && !false", true),
        ("not 0 and 1", true),
        ("(1, 0) == 0", true),
        ("0b11 == 3 && 0x10 == 020 - 0", true),
        ("1'000 == 1000", true),
        ("__has_builtin(__builtin_expect)", true),
        ("__has_builtin(__builtin_nonsense)", false),
        ("__has_attribute(aligned) && __has_attribute(__packed__)", true),
        ("__has_cpp_attribute(clang::loop_unroll)", true),
        ("defined __has_include && !defined _Pragma", true),
        ("__has_include(<stdint.h>) && !__has_include(\"nothing.h\")", true),
        ("~0u == 18446744073709551615u", true),
    ] {
        let text = clean(&format!("#if {expr}\nyes\n#else\nno\n#endif"));
        assert_eq!(text, if want { "yes" } else { "no" }, "{expr}");
    }
}

#[test]
fn groups() {
    table(&[
        ("#if 0\na\n#elif 1\nb\n#elif 1/0\nc\n#else\nd\n#endif", "b"),
        ("#if 0\n#if 1\nx\n#else\ny\n#endif\n#bogus\n\"unterminated\ndon't\n#else\nz\n#endif", "z"),
        ("#ifdef A\na\n#elifndef A\nb\n#elifdef B\nc\n#endif", "b"),
        ("#if 0\n/* #endif\n#else */ // #else\n\"#endif\n\\\n#else\n#endif\nend", "end"),
        ("#if 0\nR\"(\n#endif\n)\"\n#endif\nend", "end"),
        ("#if 1 /* c */ // d\na\n#endif /* e */", "a"),
        ("# /* null */\n#\n %: define X 1\nX", "1"),
        ("#ifndef A\n#define A\na\n#endif\n#ifndef A\nb\n#endif", "a"),
        ("#define f(x) x\nf(1\n#if 1\n2\n#else\n3\n#endif\n#define G 4\nG)", "1 2 4"),
        ("#define E defined(X)\n#if E\na\n#else\nb\n#endif", "b"),
    ]);
}

#[test]
fn command_line() {
    let def = |n: &str, b: Option<&str>| Define::Define(n.into(), b.map(Into::into));
    let o = defines(&[
        def("A", None),
        def("B", Some("a b")),
        def("F(x)", Some("x+x")),
        Define::Undef("A".into()),
        Define::Undef("__CUDA_ARCH__".into()),
    ]);
    assert_eq!(run_with(&o, &[], "A B F(1) __CUDA_ARCH__").text, "A a b 1 + 1 __CUDA_ARCH__");
    let o = PpOptions { forced_includes: vec!["pre.h".into()], ..PpOptions::new(Dialect::CUDA) };
    assert_eq!(run_with(&o, &[("pre.h", "#define Z 9\npre")], "Z").text, "pre 9");
}

#[test]
fn includes() {
    let files: &[(&str, &str)] = &[
        ("a.h", "#pragma once\na"),
        ("g.h", "// guard\n#ifndef G\n#define G\ng __INCLUDE_LEVEL__\n#endif\n"),
        ("n.h", "#if !defined(N)\n#define N\nn\n#endif"),
        ("inc/d.h", "d1\n#include_next <d.h>\n"),
        ("sys/d.h", "d2"),
        ("sub/x.h", "#include \"y.h\""),
        ("sub/y.h", "y"),
        ("twice.h", "t"),
    ];
    let mut o = PpOptions::new(Dialect::CUDA);
    o.include_dirs = vec!["inc".into()];
    o.system_dirs = vec!["sys".into()];
    for (source, expected) in [
        ("#include \"a.h\"\n#include \"./a.h\"\n#include \"sub/../a.h\"", "a"),
        ("#include \"g.h\"\n#include \"g.h\"\n#undef G\n#include \"g.h\"", "g 1 g 1"),
        ("#include \"n.h\"\n#include \"n.h\"", "n"),
        ("#include <d.h>", "d1 d2"),
        ("#include \"sub/x.h\"", "y"),
        ("#include \"twice.h\"\n#include \"twice.h\"", "t t"),
        ("#import \"twice.h\"\n#import \"twice.h\"", "t"),
        ("#define H <d.h>\n#define Q \"a.h\"\n#include H\n#include Q", "d1 d2 a"),
        ("#include <cuda_runtime_api.h>\n#include <vector>\n#if __has_include(<d.h>)\nok\n#endif", ""),
    ] {
        let out = run_with(&o, files, source);
        assert_eq!(out.problems, Vec::<String>::new(), "{source}");
        if expected.is_empty() {
            assert!(out.text.contains("typedef unsigned int uint32_t ;") && out.text.ends_with("ok"), "{}", out.text);
            assert_eq!(out.text.matches("typedef int int32_t").count(), 1);
        } else {
            assert_eq!(out.text, expected, "{source}");
        }
    }
    // The host's own directories come last: a stand-in is taken before what they have, and a library's header is found.
    let of_host: &[(&str, &str)] =
        &[("host/gmp.h", "g"), ("host/vector", "no stand-in"), ("sys/d.h", "d2"), ("host/d.h", "d3")];
    assert_eq!(run_with(&o, of_host, "#include <gmp.h>").problems, ["E0125: `gmp.h` file not found"]);
    o.host_dirs = vec!["host".into()];
    let out = run_with(&o, of_host, "#include <gmp.h>\n#include <d.h>\n#include <vector>");
    assert!(out.problems.is_empty() && out.text.starts_with("g d2"), "{:?} {}", out.problems, out.text);
    assert!(!out.text.contains("stand-in"), "{}", out.text);
    o.host_headers = HostHeaders::Reject;
    o.host_dirs.clear();
    assert_eq!(run_with(&o, files, "#include <vector>").problems, ["E0125: `vector` file not found"]);
}

/// ggml includes `common.cuh` and `../ggml-cuda/common.cuh`, which are one file: its templates were there twice.
#[test]
fn a_file_that_is_named_by_two_paths_was_read_twice_under_pragma_once() {
    let files =
        [("real/a.h", "#pragma once\none"), ("link/a.h", "#pragma once\none"), ("real/b.h", "b"), ("link/b.h", "b")];
    let source = "#include \"real/a.h\"\n#include \"link/a.h\"\n#include \"real/b.h\"\n#include \"link/b.h\"";
    assert_eq!(run_with(&PpOptions::new(Dialect::CUDA), &files, source).text, "one b b");
}

#[test]
fn headers_of_system_directories_gave_warnings() {
    let mut o = PpOptions::new(Dialect::CUDA);
    o.include_dirs = vec!["inc".into()];
    o.system_dirs = vec!["sys".into()];
    o.host_dirs = vec!["usr/include".into()];
    let warns = "#warning told\n";
    let files = [
        ("inc/a.h", warns),
        ("sys/b.h", "#include \"part/b.h\"\n"),
        ("sys/part/b.h", warns),
        ("usr/include/c.h", warns),
    ];
    assert_eq!(run_with(&o, &files, "#include <b.h>\n#include <c.h>").problems, Vec::<String>::new());
    assert_eq!(run_with(&o, &files, "#include <a.h>").problems.len(), 1);
}

/// CUDA's toolkit in the include path, as most builds have it.
#[test]
fn a_toolkit_in_the_include_path_hid_our_own_headers_and_kernels() {
    let mut o = PpOptions::new(Dialect::CUDA);
    o.include_dirs = vec!["own".into(), "cuda".into()];
    let toolkit = [("cuda/cuda_runtime_api.h", "theirs"), ("cuda/cooperative_groups.h", "theirs")];
    let out = run_with(&o, &toolkit, "#include <cooperative_groups.h>");
    assert!(
        out.problems.is_empty() && out.text.contains("cooperative_groups") && !out.text.contains("theirs"),
        "{}",
        out.text
    );
    let toolkit = [
        ("cuda/cuda_runtime_api.h", "#define __global__ __attribute__((global))"),
        ("cuda/cuda_runtime.h", "#include \"cuda_runtime_api.h\"\ntheirs"),
        ("cuda/cusolver_of_theirs.h", "#include \"cuda_runtime_api.h\"\n#include \"cuda_fp16.h\"\ntheirs"),
        ("cuda/cuda_fp16.h", "#define __device__"),
    ];
    for (header, text) in
        [("cuda_runtime.h", "__global__ __device__"), ("cusolver_of_theirs.h", "theirs __global__ __device__")]
    {
        let out = run_with(&o, &toolkit, &format!("#include <{header}>\n__global__ __device__"));
        assert!(out.problems.is_empty() && out.text.ends_with(text), "{header}: {:?} {}", out.problems, out.text);
    }
    // By a longer path, as TensorFlow's are: their functions were left without bodies.
    let toolkit = [
        ("cuda/gpus/include/cuda_runtime_api.h", "theirs"),
        ("cuda/gpus/include/cuda_fp16.h", "theirs"),
        ("cuda/gpus/other/cuda_fp16.h", "other"),
    ];
    let text = |header: &str| run_with(&o, &toolkit, &format!("#include \"gpus/{header}/cuda_fp16.h\"")).text;
    assert!(!text("include").contains("theirs"));
    assert_eq!(text("other"), "other");
    // A header of that name that is no toolkit's.
    let own = [("own/cooperative_groups.h", "own")];
    assert_eq!(run_with(&o, &own, "#include <cooperative_groups.h>").text, "own");
    // What they ask of the C library.
    let asks = "#include <features.h>\n#if __GLIBC_PREREQ(2, 17) && !__GLIBC_PREREQ(9, 0)\nold\n#endif";
    let out = run_with(&o, &[], asks);
    assert!(out.problems.is_empty() && out.text.ends_with("old"), "{:?}", out.problems);
}

/// What CUB's own headers declare and the stand-in does, too, was ambiguous (TensorFlow, with a CUB that lacks one of its headers).
#[test]
fn a_header_that_the_real_cub_lacks_was_made_up_beside_it() {
    let mut o = PpOptions::new(Dialect::CUDA);
    let text = "#include <cub/iterator/counting_input_iterator.cuh>";
    assert!(run_with(&o, &[], text).problems.is_empty());
    o.include_dirs = vec!["cccl".into()];
    let out = run_with(&o, &[("cccl/cub/version.cuh", "")], text);
    assert!(matches!(&out.problems[..], [p] if p.contains("file not found")), "{:?}", out.problems);
}

/// Eigen asks whether the C++ library has C99's functions, RAFT and PyTorch whether it has its complex numbers.
#[test]
fn the_host_s_library_lacked_c99() {
    let asks = "#if defined(_GLIBCXX_USE_C99) && defined(_GLIBCXX11_USE_C99_COMPLEX)\nhas\n#endif";
    assert_eq!(run_with(&PpOptions::new(Dialect::CUDA), &[], asks).text, "has");
}

/// OpenCV asks nvcc's version for what CUDA's C++ library has.
#[test]
fn macros_told_another_version_than_the_toolkit_in_the_include_path_is_of() {
    let mut o = PpOptions::new(Dialect::CUDA);
    o.include_dirs = vec!["own".into(), "cuda".into()];
    let asks = "__CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ CUDA_VERSION CUDART_VERSION";
    let of = |header: &str| run_with(&o, &[("own/a.h", ""), ("cuda/cuda.h", header)], asks).text;
    assert_eq!(of("/* driver */\n#define CUDA_VERSION 12060\n"), "12 6 12060 12060");
    assert_eq!(of("#define CUDA_VERSION of theirs\n"), "13 0 13000 13000");
    assert_eq!(run_with(&o, &[], asks).text, "13 0 13000 13000");
}

#[test]
fn include_from_disk() {
    let dir = std::env::temp_dir().join(format!("unspool-pp-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("loop.h"), "#include \"loop.h\"\n").unwrap();
    std::fs::write(dir.join("bin.h"), b"a\0b").unwrap();
    std::fs::write(dir.join("latin.h"), b"\xe9").unwrap();
    let o = PpOptions { include_dirs: vec![dir.clone()], ..PpOptions::new(Dialect::CUDA) };
    let problem = |text: &str| {
        let mut s = Session::default();
        let main = s.sources.add("m.cu", text.to_owned()).unwrap();
        crate::pp::preprocess(&mut s, &o, main);
        s.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(problem("#include <loop.h>"), "`#include` nested 200 deep exceeds the limit");
    assert!(problem("#include <bin.h>").contains("binary"));
    assert!(problem("#include <latin.h>").contains("UTF-8"));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn include_bomb_ends() {
    let files: &[(&str, &str)] = &[("b.h", "#if __INCLUDE_LEVEL__ < 60\n#include \"b.h\"\n#include \"b.h\"\n#endif\n")];
    let o = PpOptions { limits: PpLimits::default(), ..PpOptions::new(Dialect::CUDA) };
    let out = run_with(&o, files, "#include \"b.h\"");
    assert_eq!(out.problems, ["E0133: too much included text"]);
}

#[test]
fn files_in_old_encodings() {
    let mut s = Session::default();
    let o = PpOptions::new(Dialect::CUDA);
    let text = b"// caf\xe9\nint a; /* \xb5s */ const char *t = \"\xe9\";".to_vec();
    let main = s.sources.add_bytes("m.cu", text).unwrap();
    let tokens = crate::pp::preprocess(&mut s, &o, main);
    let said: Vec<_> = s.diagnostics.iter().map(|d| (d.code, d.span().lo)).collect();
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].0, "W0130");
    assert!(tokens.len() > 8);
}
