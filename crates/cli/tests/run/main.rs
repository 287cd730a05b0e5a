//! `unspool run` as users type it: arguments, results, checks, errors. What needs machine code runs where this build
//! has it.

#[cfg(feature = "llvm")]
mod host;
mod user;
mod variables;
mod warps;

use std::time::{Duration, Instant};
use user::{Dir, floats, npy};

#[test]
fn saxpy_from_file_to_file() {
    let d = Dir::new("saxpy");
    d.write("x.npy", npy("<f4", "(64, 4)", &floats((0..256).map(|i| i as f32))));
    d.write("y.npy", npy("<f4", "(256,)", &floats([1.0; 256])));
    let line = "saxpy.cl --kernel saxpy --global 256 --local 64 --arg 2.0 --arg x.npy --arg inout:y.npy --out y2.npy";
    let want = npy("<f4", "(256,)", &floats((0..256).map(|i| 2.0 * i as f32 + 1.0)));
    d.everywhere(line, |ran, way| {
        ran.succeeds(way);
        assert_eq!(d.bytes("y2.npy"), want, "{way}");
        assert_eq!(d.bytes("y.npy").len(), want.len(), "the input stays");
    });
}

#[test]
fn mandelbrot_to_a_picture() {
    let d = Dir::new("mandel");
    let line = "mandel.cu --grid 4,4 --block 8,8 --arg out:i32:1024 --arg 32 --arg 64 --image out.png --out n.txt";
    let mut pictures = Vec::new();
    d.everywhere(line, |ran, way| {
        ran.succeeds(way);
        let file = d.bytes("out.png");
        assert_eq!(file[16..24], [0, 0, 0, 32, 0, 0, 0, 32], "width and height");
        assert!(d.text("n.txt").lines().any(|l| l == "64"), "{way}: points of the set");
    });
    for way in ["", "--scalar", "--lanes 4", "--threads 1"] {
        if cfg!(feature = "llvm") {
            d.run(&format!("{line} {way}")).succeeds(way);
            pictures.push(d.bytes("n.txt"));
        }
    }
    assert!(pictures.windows(2).all(|w| w[0] == w[1]));
}

#[test]
fn arguments_of_every_kind() {
    let d = Dir::new("kinds");
    d.write(
        "k.cl",
        "typedef struct { int a; float b; } S;
         kernel void k(char c, ulong u, float4 v, S s, global int *ints, local int *l, constant double *t, global uchar *n) {
             int i = get_local_id(0);
             l[i] = ints[i] + c;
             barrier(CLK_LOCAL_MEM_FENCE);
             ints[i] = l[get_local_size(0) - 1 - i] + (int)u + (int)v.w + s.a + (int)s.b + (int)t[i] + (n == 0);
         }",
    );
    d.write("t.raw", [1.0f64, 2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>());
    let line = "k.cl --global 4 --local 4 --arg -1 --arg 0x10 --arg 0,0,0,100 --arg hex:e803000000007a45 \
                --arg inout:iota:i32:4 --arg local:16 --arg t.raw --arg null --out -";
    // 4000 is 0x457a0000 as a float.
    let all = 16 + 100 + 1000 + 4000 - 1 + 1;
    let want: Vec<String> = (0..4).map(|i| (all + (3 - i) + (i + 1)).to_string()).collect();
    d.everywhere(line, |ran, way| {
        assert_eq!(ran.succeeds(way).out.split_whitespace().collect::<Vec<_>>(), want, "{way}");
    });
}

#[test]
fn results_in_every_form_and_a_summary() {
    let d = Dir::new("forms");
    d.write(
        "k.cu",
        "__global__ void k(float *a, unsigned char *b) { int i = threadIdx.x; a[i] = i * 0.5f; b[i] = i; }",
    );
    let line = "k.cu --grid 1 --block 4 --arg out:f32:2x2 --arg out:u8:4";
    let ran = d.run(&format!("{line} --check --out a.npy --out b=b.bin --image b=b.png:4x1"));
    ran.succeeds("");
    assert_eq!(d.bytes("a.npy"), npy("<f4", "(2, 2)", &floats([0.0, 0.5, 1.0, 1.5])));
    assert_eq!(d.bytes("b.bin"), [0, 1, 2, 3]);
    assert!(d.bytes("b.png").starts_with(b"\x89PNG"));
    let ran = d.run(&format!("{line} --check"));
    assert!(ran.succeeds("").out.contains("a: 4 x f32, from 0 to 1.5: 0 0.5 1 1.5"), "{}", ran.out);
    assert!(ran.out.contains("b: 4 x u8, from 0 to 3: 0 1 2 3"), "{}", ran.out);
    let ran = d.run(&format!("{line} --check --out a=- "));
    assert_eq!(ran.succeeds("").out, "0 0.5\n1 1.5\n");
}

#[test]
fn kernels_by_name() {
    let d = Dir::new("names");
    d.write(
        "t.cu",
        "template <int N> __global__ void scale(int *p) { p[threadIdx.x] = N; }
         template __global__ void scale<3>(int *); template __global__ void scale<4>(int *);
         extern \"C\" __global__ void plain(int *p) { *p = 9; }",
    );
    let run = |name: &str| d.run(&format!("t.cu {name} --grid 1 --arg out:1 --out - --check"));
    assert_eq!(run("--kernel scale<3>").succeeds("").out, "3\n");
    assert_eq!(run("--kernel scale<4>(int*)").succeeds("").out, "4\n");
    assert_eq!(run("-k plain").succeeds("").out, "9\n");
    run("--kernel scale").fails(1, &["E0709", "several kernels", "scale<3>", "scale<4>"]);
    run("--kernel plan").fails(1, &["no kernel `plan`", "did you mean `plain`"]);
    run("").fails(1, &["which kernel", "`plain(int *)`"]);
    d.write("none.cu", "__device__ int f() { return 1; }");
    d.run("none.cu --grid 1 --check").fails(1, &["no kernel"]);
}

#[test]
fn arguments_that_do_not_fit_name_the_parameter() {
    let d = Dir::new("misfits");
    d.write("f8.npy", npy("<f8", "(4,)", &[0; 32]));
    d.write("short.npy", npy("<f4", "(400,)", &[0; 16]));
    d.write("not.npy", "not numpy");
    d.write("odd.raw", [0; 7]);
    let x = "--arg zeros:f32:64";
    for (args, words) in [
        (format!("--arg 1.0 {x}"), &["E0705", "takes 3 arguments, 2 given", "parameter 3 `y`"][..]),
        (format!("--arg 1.0 {x} {x} --arg 4"), &["takes 3 arguments, 4 given", "--arg 4"]),
        (format!("{x} {x} {x}"), &["E0706", "parameter 1 `a` (float)", "is a buffer"]),
        (format!("--arg one {x} {x}"), &["parameter 1 `a` (float)", "`one` is no number"]),
        (format!("--arg 1,2 {x} {x}"), &["parameter 1 `a`", "2 numbers given, it has 1 component"]),
        (format!("--arg 1 --arg 2.0 {x}"), &["parameter 2 `x`", "float", "`2.0` is a number"]),
        (format!("--arg 1 --arg zeros:i32:64 {x}"), &["parameter 2 `x`", "type i32, it points to f32"]),
        (format!("--arg 1 --arg f8.npy {x}"), &["parameter 2 `x`", "type f64", "astype(numpy.float32)"]),
        (format!("--arg 1 --arg missing.npy {x}"), &["parameter 2 `x`", "`missing.npy` does not exist"]),
        (format!("--arg 1 --arg short.npy {x}"), &["parameter 2 `x`", "cut short"]),
        (format!("--arg 1 --arg not.npy {x}"), &["parameter 2 `x`", "no .npy file"]),
        (format!("--arg 1 --arg odd.raw {x}"), &["parameter 2 `x`", "7 bytes"]),
        (format!("--arg 1 --arg . {x}"), &["parameter 2 `x`", "cannot tell what `.` is"]),
        (format!("--arg 1 --arg out:f32:64 {x}"), &["parameter 2 `x`", "only reads it"]),
        (format!("--arg 1 --arg local:64 {x}"), &["parameter 2 `x`", "global memory"]),
        (format!("--arg 1 --arg zeros:q32:64 {x}"), &["parameter 2 `x`", "unknown type `q32`"]),
        (format!("--arg 1 --arg zeros:f32:-1 {x}"), &["parameter 2 `x`", "no number of elements"]),
        (format!("--arg 1 --arg zeros:f32:0 {x}"), &["parameter 2 `x`", "empty"]),
        (format!("--arg 1 --arg random:f32:64 {x}"), &["parameter 2 `x`", "no seed"]),
        (format!("--arg 1 {x} --arg out:f32:10^15"), &["parameter 3 `y`", "no memory", "PiB"]),
        (format!("--arg 1 {x} --arg out:f32:10^30"), &["parameter 3 `y`"]),
        (format!("--arg 1 {x} --arg out:f64:10^18"), &["parameter 3 `y`"]),
    ] {
        let ran = d.run(&format!("saxpy.cl --global 64 {args} --check --out y.npy"));
        ran.fails(1, words);
    }
    assert!(!d.files().iter().any(|f| f == "y.npy" || f.starts_with(".unspool")));
}

#[test]
fn launches_that_cannot_be() {
    let d = Dir::new("shapes");
    d.write("r.cl", "__attribute__((reqd_work_group_size(8, 1, 1))) kernel void r(global int *p) { p[0] = 1; }");
    let args = "--arg 1 --arg zeros:64 --arg inout:zeros:64 --out y.npy";
    for (shape, words) in [
        ("--global 1000 --local 256", &["E0710", "256 does not divide the global size 1000"][..]),
        ("--global 0", &["global size is zero"]),
        ("--global 64 --local 0", &["local size is zero"]),
        ("--global 64,0", &["zero in dimension 1"]),
        ("--global 1,1,1,1", &["1 to 3 dimensions"]),
        ("--global 8192 --local 8192", &["too large"]),
        ("--grid 4294967296 --block 1", &["too many"]),
        ("--global 64 --offset 18446744073709551615", &["offset"]),
    ] {
        d.run(&format!("saxpy.cl {shape} {args} --check")).fails(1, words);
    }
    d.run("r.cl --global 64 --local 16 --arg out:1 --check").fails(1, &["requires a local size of 8,1,1"]);
    d.run("r.cl --global 64 --arg out:i32:1 --check --out -").succeeds("");
    for (line, words) in [
        (format!("saxpy.cl {args} --check"), &["how many work-items"][..]),
        (format!("saxpy.cl --global x {args} --check"), &["`x`", "no size"]),
        (format!("saxpy.cl --global 64 --grid 4 {args} --check"), &["--grid"]),
        (format!("saxpy.cl mandel.cu --global 64 {args} --check"), &["one source file"]),
        (format!("saxpy.cl --global 64 {args} --timeout 0 --check"), &["--timeout"]),
        (format!("saxpy.cl --global 64 {args} --lanes 5"), &[]),
        ("saxpy.cl --global 64 --arg".to_owned(), &["needs an argument"]),
    ] {
        d.run(&line).fails(2, words);
    }
}

#[test]
fn local_sizes_need_not_divide_global_sizes_in_opencl_2() {
    let d = Dir::new("partial");
    d.write(
        "k.cl",
        "kernel void k(global int *p) { p[get_global_id(0)] = 100 * get_group_id(0) + get_local_size(0); }",
    );
    let line = "k.cl --global 10 --local 4 --arg out:10 --check --out -";
    let want = "4\n4\n4\n4\n104\n104\n104\n104\n202\n202\n";
    assert_eq!(d.run(&format!("{line} -cl-std=CL2.0")).succeeds("").out, want);
    d.run(line).fails(1, &["E0710", "4 does not divide the global size 10", "-cl-std=CL2.0"]);
    d.run(&format!("{line} -cl-std=CL3.0 -cl-uniform-work-group-size")).fails(1, &["E0710"]);
}

#[test]
fn outputs_that_cannot_be() {
    let d = Dir::new("outputs");
    let line = "saxpy.cl --global 64 --arg 1 --arg zeros:64 --arg inout:zeros:64 --check";
    d.run(&format!("{line} --out a.npy --out b.npy")).fails(1, &["E0707", "nothing is left for `b.npy`"]);
    d.run(&format!("{line} --out x=a.npy")).fails(1, &["parameter 2 `x`", "no output"]);
    d.run(&format!("{line} --out a.jpg")).fails(2, &[".npy"]);
    d.run(&format!("{line} --image a.npy")).fails(2, &[".png"]);
    d.run(&format!("{line} --image a.png:9x9")).fails(1, &["E0708", "9x9", "64"]);
    d.run(&format!("{line} --out no/such/dir/a.npy")).fails(1, &["E0708", "no/such/dir"]);
    // The first file is not written if the second cannot be.
    d.run(&format!("{line} --out y=a.npy --image no/such.png")).fails(1, &["E0708"]);
    assert!(!d.files().iter().any(|f| f.starts_with("a.") || f.starts_with(".unspool")), "{:?}", d.files());
}

#[test]
fn an_output_is_untouched_when_the_run_fails() {
    let d = Dir::new("untouched");
    d.write("y.npy", "precious").write("bad.cl", "kernel void k(global int *y) { y[get_global_id(0) + 60] = 1; }");
    let ran = d.run("bad.cl --global 64 --local 8 --arg out:64 --out y.npy --check");
    ran.fails(1, &["out-of-bounds"]);
    assert_eq!(d.text("y.npy"), "precious");
    d.write("broken.cl", "kernel void k(global int *y) { y[0] = ; }");
    d.run("broken.cl --global 64 --arg out:64 --out y.npy --check").fails(1, &["broken.cl:1"]);
    assert_eq!(d.text("y.npy"), "precious");
    assert!(d.files().iter().all(|f| !f.starts_with(".unspool")), "{:?}", d.files());
}

#[test]
fn check_names_line_buffer_index_and_work_item() {
    let d = Dir::new("check");
    for (name, source, args, words) in [
        (
            "bounds",
            "kernel void k(global float *y, int n) {\n    size_t i = get_global_id(0);\n    y[i + n] = 1.0f;\n}",
            "--arg out:64 --arg 4",
            &[
                "E0711",
                "bounds.cl:3:",
                "out-of-bounds write",
                "`y`[64]",
                "`y` has 64 elements",
                "(global id 60)",
                "work-item 12 of work-group 3",
            ][..],
        ),
        (
            "zero",
            "kernel void k(global int *y, int n) {\n    int i = get_global_id(0);\n    y[i] = 100 % (i - n);\n}",
            "--arg out:64 --arg 21",
            &["E0711", "zero.cl:3:", "divided by zero", "(global id 21)", "test the divisor"],
        ),
        (
            "before",
            "kernel void k(global const float4 *x, global float *y) {\n    y[get_global_id(0)] = x[-1].x;\n}",
            "--arg zeros:f32:256 --arg out:64",
            &["before.cl:2:", "out-of-bounds read of 16 bytes: `x`[-1]", "64 elements", "(global id 0)"],
        ),
        (
            "local",
            "kernel void k(global int *y) {\n    local int t[16];\n    t[get_local_id(0) * 2] = 1;\n    y[get_global_id(0)] = 1;\n}",
            "--arg out:64",
            &["local.cl:3:", "out-of-bounds write", "64 bytes"],
        ),
        (
            "uninitialised",
            "kernel void k(global int *y, global int *z) {\n    size_t i = get_global_id(0);\n    z[i] = y[i];\n}",
            "--arg out:64 --arg out:64",
            &["uninitialised.cl:3:", "read of uninitialised memory: `y`[0]"],
        ),
        (
            // A variable without a value that only went into a buffer was not told.
            "stored",
            "kernel void k(global int *y, int n) {\n    int u;\n    if (n > 100) u = 1;\n    y[get_global_id(0)] = u;\n}",
            "--arg out:64 --arg 3",
            &["stored.cl:4:", "an uninitialised value is used as what a buffer gets", "give the variable a value"],
        ),
        (
            "race",
            "kernel void k(global int *y) {\n    int l = get_local_id(0);\n    y[l] = l;\n    y[l + 16] = y[15 - l];\n}",
            "--arg inout:zeros:64",
            &[
                "race.cl:3:",
                "data race on `y`[8]",
                "write here, read by another work-item",
                "no barrier between them",
                "work-item 8 of work-group 0",
                "the read of work-item 7",
            ],
        ),
        (
            "missing",
            "kernel void k(global int *y) {\n    local int t[16];\n    int l = get_local_id(0);\n    t[l] = l;\n    y[get_global_id(0)] = t[15 - l];\n}",
            "--arg out:64",
            &["missing.cl:5:", "read of uninitialised memory: byte 60 of `k.t`", "put a barrier between"],
        ),
        (
            "divergence",
            "kernel void k(global int *y) {\n    if (get_local_id(0) < 8)\n        barrier(CLK_LOCAL_MEM_FENCE);\n    y[get_global_id(0)] = 1;\n}",
            "--arg out:64",
            &["divergence.cl:3:", "divergent barrier: 8 work-items of the group reach it, 8 do not"],
        ),
        (
            "null",
            "kernel void k(global int *y) {\n    y[get_global_id(0)] = 1;\n}",
            "--arg null",
            &["null.cl:2:", "null pointer"],
        ),
    ] {
        let file = format!("{name}.cl");
        d.write(&file, source).write("y.npy", "precious");
        let out = if args.contains("out:") { "--out y.npy" } else { "" };
        let ran = d.run(&format!("{file} --global 64 --local 16 {args} --check {out}"));
        ran.fails(1, words);
        assert_eq!(d.text("y.npy"), "precious", "{name}");
    }
}

#[test]
fn check_finds_all_faults_of_a_launch_and_not_just_the_first() {
    let d = Dir::new("all_faults");
    d.write(
        "k.cl",
        "kernel void k(global int *y, local int *t) {\n    int l = get_local_id(0);\n    t[l] = 100 / l;\n    \
         barrier(CLK_GLOBAL_MEM_FENCE);\n    y[l * 2] = t[15 - l];\n}",
    );
    let ran = d.run("k.cl --global 16 --local 16 --arg out:16 --arg local:64 --check");
    ran.fails(
        1,
        &[
            "k.cl:3:",
            "divided by zero",
            "k.cl:5:",
            "out-of-bounds write",
            "the first of 8 times",
            "data race on `t`[",
            "CLK_LOCAL_MEM_FENCE",
        ],
    );
}

#[test]
fn a_buffer_too_small_is_found() {
    let d = Dir::new("small");
    let ran = d.run("saxpy.cl --global 128 --local 64 --arg 1 --arg zeros:128 --arg inout:zeros:100 --check");
    ran.fails(1, &["saxpy.cl:3:", "`y`[100]", "`y` has 100 elements", "global id 100"]);
}

#[test]
fn division_by_zero_is_no_fault() {
    let d = Dir::new("division");
    d.write(
        "k.cl",
        "kernel void k(global const int *x, global int *y, global uint *z) {
             size_t i = get_global_id(0);
             y[i] = (x[i] / (x[i] - x[i]) | 1) != 0 ? 7 : 7;
             z[i] = (uint)x[i] % (uint)(x[i] & 0);
             y[i] += (int)0x80000000 / (x[i] | -1) * 0;
         }",
    );
    if cfg!(feature = "llvm") {
        for way in ["", "--scalar", "-O0"] {
            let ran = d.run(&format!("k.cl --global 64 --arg iota:64 --arg out:64 --arg out:64 --out y=- {way}"));
            assert!(ran.succeeds(way).out.lines().all(|l| l == "7"), "{way}: {}", ran.out);
        }
    }
}

#[test]
fn a_kernel_that_never_ends_is_given_up() {
    let d = Dir::new("endless");
    d.write("k.cl", "kernel void k(global volatile int *y) { while (y[get_global_id(0)] == 0) { } }");
    d.write("y.npy", "precious");
    let ways: &[&str] = if cfg!(feature = "llvm") { &["--check", ""] } else { &["--check"] };
    for way in ways {
        let started = Instant::now();
        let ran = d.run(&format!("k.cl --global 64 --arg inout:zeros:64 --timeout 0.3 --out y.npy {way}"));
        ran.fails(1, &["E0713", "kernel `k` did not end within 0.3 s"]);
        assert!(started.elapsed() < Duration::from_secs(20), "{way}");
        assert_eq!(d.text("y.npy"), "precious");
    }
}

#[test]
fn printed_text_comes_in_the_order_of_the_groups() {
    let d = Dir::new("printf");
    d.write(
        "k.cl",
        "kernel void k(int n) { if (get_local_id(0) == 0) printf(\"group %d of %d: %s %.1f\\n\", (int)get_group_id(0), n, \"x\", 0.5f); }",
    );
    let want: String = (0..32).map(|g| format!("group {g} of 32: x 0.5\n")).collect();
    d.everywhere("k.cl --global 128 --local 4 --arg 32", |ran, way| assert_eq!(ran.succeeds(way).out, want, "{way}"));
}

#[test]
fn subnormal_numbers_as_asked() {
    let d = Dir::new("denormals");
    d.write("k.cl", "kernel void k(global float *y) { y[get_global_id(0)] *= 0.5f; }");
    d.write("tiny.npy", npy("<f4", "(64,)", &floats([f32::MIN_POSITIVE; 64])));
    if cfg!(feature = "llvm") {
        let first = |o: &str| {
            let ran = d.run(&format!("k.cl --global 64 --arg inout:tiny.npy --out - {o}"));
            ran.succeeds(o).out.lines().next().unwrap().to_owned()
        };
        assert_eq!(first("-cl-denorms-are-zero"), "0");
        assert_ne!(first(""), "0");
    }
}

/// PTX runs as sources do; faults are told by its lines, and by those that it says it was made of.
#[test]
fn ptx_runs_and_is_checked() {
    let d = Dir::new("ptx");
    d.write(
        "twice.ptx",
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"twice.cu\"\n.visible .entry twice(.param .u64 .ptr .align 4 a) {\n\
         .reg .b32 %r<4>; .reg .b64 %rd<5>;\nld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n\
         add.s64 %rd3, %rd1, %rd2;\n.loc 1 12 5\nshl.b32 %r2, %r1, 1;\nst.global.u32 [%rd3], %r2;\nret;\n}\n",
    );
    d.everywhere("twice.ptx --grid 1 --block 4 --arg out:i32:4 --out -", |ran, way| {
        ran.succeeds(way);
        assert_eq!(ran.out.split_whitespace().collect::<Vec<_>>(), ["0", "2", "4", "6"], "{way}");
    });
    let ran = d.run("twice.ptx --grid 1 --block 8 --arg out:i32:4 --check");
    ran.fails(1, &["out-of-bounds write of 4 bytes", "twice.ptx:13:1", "made of twice.cu:12:5"]);
    d.run("twice.ptx --grid 1 --block 8 --arg 5 --check").fails(1, &["E0706"]);
}
