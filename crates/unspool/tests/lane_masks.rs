//! Diagnostics about lane masks: small programs that break where warps have 64 lanes, and such as do not. Each is checked
//! for warps of 64 lanes (`gfx90a`, `-fwarp64`) and for those of 32, where only narrowing is said, to help those who port.

use target::Target;
use target::amd::AmdArch;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const NARROWED: &str = "W0307";
const SHIFTED: &str = "W0315";
const LITERAL: &str = "W0318";

/// Statements of a kernel, or (with `@` first) declarations before it; what is warned of, in order.
const PROGRAMS: &[(&str, &[&str])] = &[
    // ---- narrowing, in every place -------------------------------------------------------------------------------
    ("unsigned m = __ballot_sync(~cudaLaneMask_t(0), p[0]); p[1] = m;", &[NARROWED]),
    ("unsigned m; m = __ballot_sync(~cudaLaneMask_t(0), p[0]); p[1] = m;", &[NARROWED]),
    ("int m = __activemask(); p[1] = m;", &[NARROWED]),
    ("unsigned m = 0; m |= __ballot_sync(~cudaLaneMask_t(0), p[0]); p[1] = m;", &[NARROWED]),
    ("unsigned m[2] = {__activemask(), 0}; p[1] = m[p[0] & 1];", &[NARROWED]),
    ("unsigned m{(unsigned)p[1]}; m = __match_any_sync(__activemask(), p[0]); p[1] = m;", &[NARROWED]),
    ("@__device__ int count(unsigned m) { return m & 7; }\np[1] = count(__activemask());", &[NARROWED]),
    ("@__device__ unsigned mask() { return __activemask(); }\np[1] = mask();", &[NARROWED]),
    ("@struct S { unsigned m; };\nS s = {__activemask()}; p[1] = s.m;", &[NARROWED]),
    ("@struct S { unsigned m; };\nS s; s.m = __activemask(); p[1] = s.m;", &[NARROWED]),
    ("cudaLaneMask_t a = __activemask(); unsigned m = a & ~(a - 1); p[1] = m;", &[NARROWED]),
    ("unsigned m = p[0] ? __activemask() : cudaLaneMask_t(0); p[1] = m;", &[NARROWED]),
    ("cudaLaneMask_t a = __activemask(); unsigned short m = a; p[1] = m;", &[NARROWED]),
    ("cudaLaneMask_t a = __activemask(); unsigned m = a >> 1; p[1] = m;", &[NARROWED]),
    ("p[1] = __popc(__activemask() & 3); unsigned m = __activemask(); p[2] = m;", &[NARROWED]),
    // ---- shifts ---------------------------------------------------------------------------------------------------
    ("p[1] = (__activemask() & (1u << (threadIdx.x % warpSize))) != 0;", &[SHIFTED]),
    ("int lane = threadIdx.x % warpSize; p[1] = (__activemask() & (1u << lane)) != 0;", &[SHIFTED]),
    (
        "const unsigned lane = threadIdx.x & (warpSize - 1); p[1] = __popc(__activemask() & ((1 << lane) - 1));",
        &[SHIFTED],
    ),
    // A shift by what is not visibly a lane number made a mask of 32 lanes unnoticed.
    ("p[1] = (__activemask() & (1u << threadIdx.x)) != 0;", &[SHIFTED]),
    ("cudaLaneMask_t m = __activemask(); m &= ~cudaLaneMask_t(0); m |= 1 << p[0]; p[1] = __popc(m);", &[SHIFTED]),
    ("cudaLaneMask_t m = 1u << p[0]; p[1] = __popc(m);", &[SHIFTED]),
    ("cudaLaneMask_t m = 1ull << p[0]; m |= cudaLaneMask_t(1) << p[1]; m >>= 1u << p[2]; p[1] = __popc(m);", &[]),
    // ---- literal masks --------------------------------------------------------------------------------------------
    ("p[1] = __shfl_sync(0xffffffff, p[0], 0);", &[LITERAL]),
    ("__syncwarp(0xffffffffu);", &[LITERAL]),
    ("p[1] = __all_sync(~0u, p[0]);", &[LITERAL]),
    ("cudaLaneMask_t m = 0xffffffff; p[1] = __any_sync(m, p[0]);", &[LITERAL]),
    ("p[1] = __activemask() == 0xffffffff;", &[LITERAL]),
    ("cudaLaneMask_t m = __activemask(); if (m != 0xffffffffu) p[1] = 1;", &[LITERAL]),
    ("p[1] = __popc(__ballot_sync(0xffffffff, p[0]));", &[LITERAL]),
    // Variables that began as such were not noticed.
    ("unsigned m = 0xffffffff; p[1] = __shfl_xor_sync(m, p[0], 1);", &[LITERAL]),
    ("unsigned m = 0xffffffff; for (int i = 16; i; i /= 2) p[0] += __shfl_down_sync(m, p[0], i);", &[LITERAL]),
    ("unsigned m = ~0u; p[1] = m; p[2] = __popc(m); int n = 0xffffffff; p[3] = __any_sync(n, p[0]);", &[]),
    // ---- what is right --------------------------------------------------------------------------------------------
    ("cudaLaneMask_t m = __ballot_sync(~cudaLaneMask_t(0), p[0]); p[1] = __popc(m);", &[]),
    ("auto m = __activemask(); p[1] = __ffs(m) - 1;", &[]),
    ("p[1] = __clz(__activemask());", &[]),
    ("cudaLaneMask_t m = __brev(__activemask()); p[1] = __popc(m);", &[]),
    ("if (__ballot_sync(~cudaLaneMask_t(0), p[0])) p[1] = 1;", &[]),
    ("bool any = __ballot_sync(~cudaLaneMask_t(0), p[0]); p[1] = any;", &[]),
    ("p[1] = !__activemask(); while (__activemask() == 0) p[1]++;", &[]),
    ("unsigned m = (unsigned)__activemask(); p[1] = m;", &[]),
    ("unsigned long long m = __activemask(); p[1] = m >> 40;", &[]),
    ("cudaLaneMask_t m = __activemask(); int bit = (m >> (threadIdx.x % warpSize)) & 1; p[1] = bit;", &[]),
    ("p[1] = (__activemask() & (cudaLaneMask_t(1) << (threadIdx.x % warpSize))) != 0;", &[]),
    ("for (cudaLaneMask_t m = __activemask(); m; m &= m - 1) p[__ffs(m)] = 1;", &[]),
    ("@template <class M> __device__ int leader(M m) { return __ffs(m) - 1; }\np[1] = leader(__activemask());", &[]),
    ("p[1] = __shfl_sync(__activemask(), p[0], 0); __syncwarp();", &[]),
    ("p[1] = 1u << p[0]; p[2] = 1u << (p[0] & 31); unsigned all = 0xffffffff; p[3] = all;", &[]),
    ("p[1] = __any_sync(-1, p[0]); p[2] = __shfl_sync(~cudaLaneMask_t(0), p[0], 1);", &[]),
    ("cudaLaneMask_t m = 0xff; p[1] = __any_sync(m, p[0]);", &[]),
];

/// The codes of what is said, but for variables that are not used.
fn said(text: &str, target: Target, requested: bool) -> Vec<String> {
    let (before, body) = match text.strip_prefix('@') {
        Some(rest) => rest.split_once('\n').expect("a line of declarations"),
        None => ("", text),
    };
    let source = format!("{before}\nextern \"C\" __global__ void k(int *p) {{ {body} }}\n");
    let mut options = Options::new(Dialect::CUDA);
    options.target = target;
    if requested {
        options.enabled_groups.push("lane-mask-portability".to_owned());
    }
    let c = compile(&Input::text("k.cu", source), &options, &Emit::Nothing);
    let all = c.session.diagnostics.iter();
    assert!(c.succeeded(), "{text}: {:?}", all.map(|d| d.message.clone()).collect::<Vec<_>>());
    c.session.diagnostics.iter().map(|d| d.code.to_string()).collect()
}

fn wide() -> Target {
    let gfx90a = AmdArch::parse("gfx90a").expect("a GPU").target();
    gfx90a.with_warp_size(64).expect("waves of 64")
}

#[test]
fn warps_of_64_lanes() {
    let wrong: Vec<String> = PROGRAMS
        .iter()
        .filter_map(|(text, want)| {
            let got = said(text, wide(), false);
            (got != *want).then(|| format!("{text}\n    wanted {want:?}, got {got:?}"))
        })
        .collect();
    assert!(PROGRAMS.len() >= 40 && wrong.is_empty(), "{} programs\n{}", PROGRAMS.len(), wrong.join("\n"));
}

#[test]
fn warps_of_32_lanes() {
    let gfx90a = AmdArch::parse("gfx90a").expect("a GPU").target();
    for target in [Target::default(), gfx90a] {
        for (text, want) in PROGRAMS {
            let narrowed: Vec<&str> = want.iter().copied().filter(|c| *c == NARROWED).collect();
            assert_eq!(said(text, target, false), narrowed, "{text}");
            // On request the rest is said, too.
            assert_eq!(said(text, target, true), *want, "{text}");
        }
    }
}

#[test]
fn literal_masks_are_said_for_32_lanes_if_asked_for_by_name() {
    let said = |enabled: &[&str], errors: &[&str]| {
        let mut o = Options::new(Dialect::CUDA);
        o.enabled_groups = enabled.iter().map(|&g| g.to_owned()).collect();
        o.groups_as_errors = errors.iter().map(|&g| g.to_owned()).collect();
        let text = "__global__ void k(int *p) { p[1] = __shfl_sync(0xffffffff, p[0], 0); }";
        let c = compile(&Input::text("k.cu", text), &o, &Emit::Nothing);
        (c.session.diagnostics.iter().map(|d| d.code.to_string()).collect::<Vec<_>>(), c.succeeded())
    };
    assert_eq!(said(&[], &[]), (vec![], true), "every CUDA program's idiom");
    assert_eq!(said(&["lane-mask-literal"], &[]), (vec![LITERAL.to_owned()], true));
    assert_eq!(said(&[], &["lane-mask-literal"]), (vec![LITERAL.to_owned()], false));
}
