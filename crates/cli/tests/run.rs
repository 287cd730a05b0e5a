//! `unspool run` as users type it: arguments, results, checks, errors. What needs machine code runs where this build
//! has it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const SAXPY: &str = "kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
";

const MANDEL: &str = "extern \"C\" __global__ void mandel(int *out, int width, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = -2.0f + px * 3.0f / width, cy = -1.5f + py * 3.0f / width, x = 0, y = 0;
    int n = 0;
    while (n < limit && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    out[py * width + px] = n;
}
";

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        let d = Self(path);
        d.write("saxpy.cl", SAXPY).write("mandel.cu", MANDEL);
        d
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.0.join(name), text).unwrap();
        self
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    /// `unspool run` with these words, and without the user's cache.
    fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).env("UNSPOOL_CACHE", "0"))
    }

    fn command(&self, line: &str) -> Command {
        let words = ["run"].into_iter().chain(line.split_whitespace());
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// The same, on every executor of this build.
    fn everywhere(&self, line: &str, check: impl Fn(&Ran, &str)) {
        let mut ways = vec!["--check"];
        if cfg!(feature = "llvm") {
            ways.extend(["--scalar", "--threads 3"]);
        }
        for way in ways {
            check(&self.run(&format!("{line} {way}")), way);
        }
    }
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |b: Vec<u8>| String::from_utf8_lossy(&b).into_owned();
        Self { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    #[track_caller]
    fn succeeds(&self, way: &str) -> &Self {
        assert_eq!(self.code, Some(0), "{way}: {}{}", self.err, self.out);
        self
    }

    #[track_caller]
    fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{words:?}: {}{}", self.err, self.out);
        for w in words {
            assert!(self.err.contains(w), "no `{w}` in: {}", self.err);
        }
    }
}

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.push_str(&" ".repeat(63 - (10 + header.len()) % 64));
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

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

#[cfg(feature = "llvm")]
mod host {
    use super::*;

    #[test]
    fn times_and_vectors_are_shown() {
        let d = Dir::new("times");
        let line = "saxpy.cl --global 4096 --arg 2 --arg random:1:4096 --arg inout:zeros:4096";
        let ran = d.run(&format!("{line} --time --repeat 3 --flops 2 -v --explain"));
        let out = &ran.succeeds("").out;
        for words in ["first launch", "median of 3", "GB/s", "GFLOP/s", "LLVM", "lanes", "saxpy: ", "y: 4096 x f32"] {
            assert!(out.contains(words), "no `{words}` in {out}");
        }
        let ran = d.run(&format!("{line} --time --repeat 3 --time-format json --out y.npy"));
        let json: serde_json::Value = serde_json::from_str(ran.succeeds("").out.lines().last().unwrap()).unwrap();
        assert_eq!(json["global"][0], 4096);
        assert!(json["median"].as_f64().unwrap() > 0.0 && json["first"].as_f64() >= json["first_launch"].as_f64());
    }

    #[test]
    fn repeats_do_not_change_the_result() {
        let d = Dir::new("repeats");
        let line = "saxpy.cl --global 64 --arg 1 --arg ones:64 --arg inout:zeros:64 --out - --repeat 5";
        assert!(d.run(line).succeeds("").out.lines().all(|l| l == "1"));
    }

    #[test]
    fn traps_are_errors() {
        let d = Dir::new("traps");
        d.write(
            "k.cu",
            "__global__ void k(int *p) { if (blockIdx.x == 3 && threadIdx.x == 5) __trap(); p[threadIdx.x] = 1; }",
        );
        d.run("k.cu --grid 8 --block 64 --arg out:64 --out -").fails(1, &["E0712", "work-group 3,0,0"]);
        d.run("k.cu --grid 8 --block 64 --arg out:64 --out - --check").fails(1, &["k.cu:1:", "stopped itself"]);
    }

    #[test]
    fn wild_accesses_end_with_a_message() {
        let d = Dir::new("wild");
        d.write("k.cl", "kernel void k(global int *p) { p[get_global_id(0) * 0x100000000L] = 1; }");
        let ran = d.run("k.cl --global 64 --arg out:64 --out y.npy");
        ran.fails(1, &["E0716", "kernel `k`", "--check"]);
        assert!(!d.files().iter().any(|f| f == "y.npy"));
    }

    #[test]
    fn groups_of_several_sizes() {
        let d = Dir::new("several");
        let text = "kernel void k(global int *p) { p[get_global_id(0)] = get_local_size(0); }";
        d.write("k.cl", text);
        let ran = d.run("k.cl -cl-std=CL3.0 --global 1009 --local 64 --arg out:1009 --out -");
        let sizes = &ran.succeeds("").out;
        assert!(sizes.lines().enumerate().all(|(i, l)| l == if i < 960 { "64" } else { "49" }), "{sizes}");
    }

    /// It corrupted the heap, and the C library ended the process.
    #[test]
    fn too_small_local_memory_is_a_fault_and_not_an_abort() {
        let d = Dir::new("local");
        d.write(
            "k.cl",
            "kernel void k(global int *p, local int *l) {
                int i = get_local_id(0);
                l[64 * i] = i;
                barrier(CLK_LOCAL_MEM_FENCE);
                p[i] = l[64 * (255 - i)];
            }",
        );
        let line = "k.cl --global 256 --local 256 --arg out:256 --out - --arg";
        d.run(&format!("{line} local:65536")).succeeds("");
        d.run(&format!("{line} local:16")).fails(1, &["E0716", "--check"]);
    }

    /// So it was with buffers.
    #[test]
    fn too_small_buffers_are_a_fault_and_not_an_abort() {
        let d = Dir::new("small");
        d.write("k.cl", "kernel void k(global int *p, int step) { p[step * (int)get_global_id(0)] = 1; }");
        for step in ["64", "-64"] {
            let ran = d.run(&format!("k.cl --global 1024 --local 256 --arg out:64 --arg {step} --out -"));
            ran.fails(1, &["E0716", "--check"]);
        }
    }

    #[test]
    fn machine_code_is_kept() {
        let d = Dir::new("cache");
        let line = "saxpy.cl --global 64 --arg 2.0 --arg ones:f32:64 --arg inout:ones:f32:64 -v";
        let run = |more: &str| Ran::of(d.command(&format!("{line} {more}")).env("UNSPOOL_CACHE_DIR", d.0.join("kept")));
        let (stored, found) = ("machine code: compiled, and stored in the cache", "machine code: from the cache");
        assert!(run("").succeeds("").out.contains(stored));
        let second = run("");
        assert!(second.succeeds("").out.contains(found), "{}", second.out);
        // Other code, no look at what is there, hints answered anew.
        assert!(run("--scalar").succeeds("").out.contains(stored));
        assert!(!run("--no-cache").succeeds("").out.contains("machine code:"));
        assert!(!run("--explain").succeeds("").out.contains("machine code:"));
        assert!(!d.run(line).succeeds("").out.contains("machine code:"));
        d.write("saxpy.cl", SAXPY.replace("a *", "3 *"));
        assert!(run("").succeeds("").out.contains(stored));
    }

    #[test]
    fn code_for_the_host() {
        let d = Dir::new("code");
        let compile = |words: &str| {
            let words = ["compile"].into_iter().chain(words.split_whitespace());
            Ran::of(Command::new(env!("CARGO_BIN_EXE_unspool")).args(words).current_dir(&d.0))
        };
        compile("saxpy.cl --target host").succeeds("");
        assert!(d.bytes("saxpy.o").starts_with(b"\x7fELF") || !cfg!(target_os = "linux"));
        let ran = compile("saxpy.cl --target host --emit llvm-ir --local 64");
        assert!(ran.succeeds("").out.contains("define"), "{}", ran.out);
        assert!(ran.out.contains("saxpy.wg64x1x1"), "{}", ran.out);
        let ran = compile("saxpy.cl --target host --emit asm -o -");
        assert!(ran.succeeds("").out.contains("saxpy.wg256x1x1"), "{}", ran.out);
        if cfg!(target_arch = "x86_64") {
            let ran = compile("saxpy.cl --target host --emit asm --cpu x86-64-v2 -o -");
            assert!(!ran.succeeds("").out.contains("ymm"), "{}", ran.out);
        }
        assert!(compile("saxpy.cl --target host --emit ir").succeeds("").out.contains("kernel @"));
        compile("saxpy.cl --emit obj").fails(2, &["--target host"]);
        compile("saxpy.cl --target host --emit obj --cpu pentium9").fails(1, &["pentium9"]);
        compile("saxpy.cl --target host --local 0").fails(2, &["--local 0"]);
    }

    /// What loads LLVM takes longer to start than a kernel to compile.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_command_itself_does_not_load_llvm() {
        let Ok(o) = Command::new("ldd").arg(env!("CARGO_BIN_EXE_unspool")).output() else { return };
        let text = String::from_utf8_lossy(&o.stdout);
        assert!(text.contains("libc"), "{text}");
        assert!(!text.contains("LLVM"), "{text}");
    }

    #[test]
    fn without_the_back_end_there_is_advice() {
        let d = Dir::new("alone");
        let copy = d.0.join("unspool");
        std::fs::copy(env!("CARGO_BIN_EXE_unspool"), &copy).unwrap();
        let run = |words: &[&str]| Ran::of(Command::new(&copy).args(words).current_dir(&d.0));
        let args = ["--arg", "1", "--arg", "ones:64", "--arg", "inout:ones:64"];
        let alone = run(&[&["run", "saxpy.cl", "--global", "64"][..], &args].concat());
        alone.fails(1, &["E0704", "unspool-host", "--check"]);
        run(&[&["run", "saxpy.cl", "--global", "64", "--check"][..], &args].concat()).succeeds("");
        run(&["compile", "saxpy.cl", "--target", "host"]).fails(1, &["E0704"]);
    }
}

const COUNTS: &str = "__device__ int total = 100;
__constant__ float scale[4];
namespace stats { __device__ unsigned long long most; }
__device__ const int fixed = 3;
extern \"C\" __global__ void count(float *out, int by) {
    static __device__ int calls = 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&total, by);
    atomicMax(&stats::most, (unsigned long long)i);
    if (i == 0) calls += 1;
    out[i] = scale[i % 4] + fixed;
}
extern \"C\" __global__ void show(int *out) { *out = total; }
";

#[test]
fn device_variables_are_set_before_a_launch_and_written_after_it() {
    let d = Dir::new("symbols");
    d.write("k.cu", COUNTS);
    let line = "k.cu -k count --grid 4 --block 8 --arg out:f32:32 --arg 2 --symbol scale=1,2,3,4 --symbol stats::most=7 \
                --symbol-out total=total.txt --symbol-out most=most.npy --symbol-out scale=- --symbol-out count::calls=-";
    d.everywhere(line, |ran, way| {
        assert_eq!(ran.succeeds(way).out, "1\n2\n3\n4\n2\n", "{way}");
        assert_eq!(d.text("total.txt"), "164\n", "{way}");
        assert_eq!(d.bytes("most.npy"), npy("<u8", "(1,)", &31u64.to_le_bytes()), "{way}");
    });
    // Another kernel of the program; contents from generators and files; results are those of the first launch.
    d.write("four.npy", npy("<f4", "(4,)", &floats([0.5; 4])));
    for (set, want) in [
        ("iota:f32:4", "3\n"),
        ("four.npy", "3.5\n"),
        ("2.5", "5.5\n"),
        ("hex:0000803f0000803f0000803f0000803f", "4\n"),
    ] {
        let line = format!("k.cu -k count --grid 1 --block 1 --arg out:f32:1 --arg 0 --symbol scale={set} --out -");
        d.everywhere(&line, |ran, way| assert_eq!(ran.succeeds(way).out, want, "{way} {set}"));
    }
    d.everywhere("k.cu -k show --grid 1 --arg out:1 --symbol total=-5 --out -", |ran, way| {
        assert_eq!(ran.succeeds(way).out, "-5\n", "{way}");
    });
    let again = "k.cu -k count --grid 1 --block 8 --arg out:f32:8 --arg 1 --repeat 3 --symbol-out total=-";
    d.everywhere(again, |ran, way| assert_eq!(ran.succeeds(way).out, "108\n", "{way}"));
}

#[test]
fn symbols_that_are_no_variables_are_refused() {
    let d = Dir::new("no-symbols");
    d.write("k.cu", COUNTS);
    let fails = |option: &str, code: i32, words: &[&str]| {
        d.run(&format!("k.cu -k show --grid 1 --arg out:1 --check {option}")).fails(code, words);
    };
    fails("--symbol totl=1", 1, &["E0717", "no variable `totl`", "did you mean `total`", "`stats::most`"]);
    fails("--symbol fixed=1", 1, &["E0717", "variable `fixed` is part of the kernels' code"]);
    fails("--symbol total=x", 1, &["E0706", "variable `total` (int)", "`x` is no number"]);
    fails("--symbol scale=1,2", 1, &["E0706", "variable `scale`", "2 numbers given, it has 4 components"]);
    fails("--symbol scale=iota:f32:8", 1, &["32 bytes given, it has 16"]);
    fails("--symbol scale=iota:i64:2", 1, &["E0706", "variable `scale`", "numbers of type i64"]);
    fails("--symbol total", 2, &["--symbol NAME=ARG"]);
    fails("--symbol-out total=x.pdf", 2, &["must end in .npy"]);
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

/// What lanes of a warp tell each other, where warps have 32 or 64 lanes: votes, shuffles, matches, tiles, inline PTX.
const LANES: &str = r#"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned long long *o) {
  int t = threadIdx.x;
  cudaLaneMask_t full = ~(cudaLaneMask_t)0;
  unsigned long long *p = o + t * 13;
  p[0] = (unsigned long long)__ballot_sync(full, t % 3 == 0);
  p[1] = __shfl_down_sync(full, t, 20);
  p[2] = warpSize;
  p[3] = __shfl_xor_sync(full, t, warpSize / 2 + 1);
  p[4] = (unsigned long long)__activemask();
  p[5] = (unsigned long long)__match_any_sync(full, t % 5);
  p[6] = __shfl_sync(full, t, 50);
  p[7] = __all_sync(full, t < 64) * 2 + __any_sync(full, t == 60);
  int s = t;
  for (int d = warpSize / 2; d; d /= 2) s += __shfl_xor_sync(full, s, d);
  p[8] = s;
  auto w = cg::tiled_partition<16>(cg::this_thread_block());
  p[9] = w.shfl_down(t, 8) + w.ballot(t % 7 == 0) * 1000;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  p[10] = lane;
  if (t % 2) p[11] = cg::coalesced_threads().size(); else p[11] = 7;
  p[12] = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), t, cg::plus<int>());
}"#;

#[test]
fn warps_of_both_sizes_are_the_same_on_the_host_and_in_the_interpreter() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("lanes.cu");
    std::fs::write(&source, LANES).unwrap();
    let mut all = Vec::new();
    for warp in ["--warp=64", "--warp-emulation=32"] {
        for how in [&[][..], &["--scalar"], &["--check"]] {
            let done = std::process::Command::new(env!("CARGO_BIN_EXE_unspool-host"))
                .args(["run", source.to_str().unwrap(), warp, "--grid", "1", "--block", "128", "--no-cache"])
                .args(how)
                .args(["--arg", "out:u64:1664", "--out", "-"])
                .output()
                .unwrap();
            assert!(done.status.success(), "{warp} {how:?}: {}", String::from_utf8_lossy(&done.stderr));
            all.push(done.stdout);
        }
    }
    let text = |n: usize| String::from_utf8(all[n].clone()).unwrap();
    let third = |n: usize| text(n).lines().nth(2).map(str::to_owned);
    assert_eq!([third(0), third(3)], [Some("64".to_owned()), Some("32".to_owned())]);
    assert!(all[0] == all[1] && all[0] == all[2], "64: {}", text(2));
    assert!(all[3] == all[4] && all[3] == all[5], "32: {}", text(5));
    assert_ne!(all[0], all[3]);
}

/// What SCALE's page on inline PTX has of warps of 64 lanes: masks as wide as the warp, `WARP_SZ`, a shuffle's word with six
/// bits for the last lane.
const LANES_OF_ASSEMBLY: &str = r#"
__global__ void lanes(unsigned long long *o) {
  unsigned lane, size, low, other;
  unsigned long long below, votes, same, active;
  asm volatile("mov.u32 %0, %%laneid; mov.u32 %1, WARP_SZ;" : "=r"(lane), "=r"(size));
  asm volatile("mov.u64 %0, %%lanemask_lt;" : "=l"(below));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(low));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b64 %0, p, -1; }" : "=l"(votes) : "r"(lane & 1));
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=l"(same) : "r"(lane & 3));
  asm volatile("activemask.b64 %0;" : "=l"(active));
  float sum;
  asm(".reg .f32 x, y; .reg .pred p; mov.b32 x, %1;"
      "shfl.sync.down.b32 y|p, x, 0x01, %2, -1; @p add.f32 x, y, x; shfl.sync.down.b32 y|p, x, 0x02, %2, -1; @p add.f32 x, y, x;"
      "shfl.sync.down.b32 y|p, x, 0x04, %2, -1; @p add.f32 x, y, x; shfl.sync.down.b32 y|p, x, 0x08, %2, -1; @p add.f32 x, y, x;"
      "shfl.sync.down.b32 y|p, x, 0x10, %2, -1; @p add.f32 x, y, x; shfl.sync.down.b32 y|p, x, 0x20, %2, -1; @p add.f32 x, y, x;"
      "mov.b32 %0, x;" : "=f"(sum) : "f"(1.0f), "n"(warpSize - 1));
  if (threadIdx.x != 40) return;
  o[0] = lane; o[1] = size; o[2] = below; o[3] = low; o[4] = votes; o[5] = same; o[6] = active; o[7] = sum;
}"#;

#[test]
fn inline_assembly_took_warps_of_64_lanes_for_32() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("lanes.cu");
    std::fs::write(&source, LANES_OF_ASSEMBLY).unwrap();
    for how in [&[][..], &["--scalar"], &["--check"]] {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_unspool-host"))
            .args(["run", source.to_str().unwrap(), "--warp=64", "--grid", "1", "--block", "64", "--no-cache"])
            .args(how)
            .args(["--arg", "out:u64:8", "--out", "-"])
            .output()
            .unwrap();
        assert!(done.status.success(), "{how:?}: {}", String::from_utf8_lossy(&done.stderr));
        let got = String::from_utf8(done.stdout).unwrap();
        let got: Vec<u64> = got.lines().map(|l| l.parse().unwrap()).collect();
        let odd = 0xaaaa_aaaa_aaaa_aaaa;
        let want = [40, 64, (1 << 40) - 1, 0xffff_ffff, odd, 0x1111_1111_1111_1111, u64::MAX, 24];
        assert_eq!(got, want, "{how:?}");
    }
}
