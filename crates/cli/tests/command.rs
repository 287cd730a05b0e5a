//! The command as users type it: outputs, exit statuses, errors.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The kernel of the source document's "Test this", with a pragma and a bound to put in.
fn unroll_test(pragma: &str, bound: u32) -> String {
    format!(
        "__global__ void unroll_test(float* out, const float* in) {{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    {pragma}
    for (int i = 0; i < {bound}; i++) {{
        sum += in[tid + i * 128];
    }}
    out[tid] = sum;
}}
"
    )
}

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.0.join(name), text).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        self.run_with(args, "")
    }

    fn run_with(&self, args: &[&str], stdin: &str) -> Output {
        use std::io::Write;
        let mut child = Command::new(env!("CARGO_BIN_EXE_unspool"))
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The command may end without reading.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        child.wait_with_output().unwrap()
    }
}

fn out(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn err(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

fn back_edges(ptx: &str) -> usize {
    let lines: Vec<&str> = ptx.lines().map(str::trim).collect();
    let label = |name: &str| lines.iter().position(|l| *l == format!("{name}:"));
    lines
        .iter()
        .enumerate()
        .filter(|(i, l)| {
            let target = l.split_once("bra").map(|(_, t)| t.trim_start_matches(".uni").trim().trim_end_matches(';'));
            target.and_then(label).is_some_and(|at| at <= *i)
        })
        .count()
}

fn loads(ptx: &str) -> usize {
    ptx.lines().filter(|l| l.contains("ld.global")).count()
}

#[test]
fn test_this_in_all_its_variants() {
    let d = Dir::new("variants");
    let shape = |pragma: &str, bound| {
        d.write("k.cu", unroll_test(pragma, bound));
        let o = d.run(&["compile", "k.cu", "-arch=sm_90", "-o", "k.ptx"]);
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
        let ptx = d.read("k.ptx");
        (loads(&ptx), back_edges(&ptx))
    };
    assert_eq!(shape("#pragma unroll", 8), (8, 0));
    assert_eq!(shape("", 8), (8, 0));
    assert_eq!(shape("#pragma unroll 1", 8), (1, 1));
    assert_eq!(shape("#pragma unroll", 6), (6, 0));
    d.write("k.cu", unroll_test("#pragma unroll", 8));
    d.run(&["compile", "k.cu", "-arch=sm_90", "-o", "k.ptx"]);
    // Eight loads from one base, 128 floats apart.
    for n in 1..8 {
        assert!(d.read("k.ptx").contains(&format!("+{}]", n * 512)), "offset {}", n * 512);
    }
}

#[test]
fn remarks_have_places() {
    let d = Dir::new("remarks");
    d.write("k.cu", unroll_test("#pragma unroll", 8));
    let o = d.run(&["compile", "k.cu", "-arch=sm_90", "-o", "k.ptx", "-Rpass=loop-unroll"]);
    let e = err(&o);
    assert!(e.contains("completely unrolled loop with 8 iterations"), "{e}");
    assert!(e.contains("k.cu:5:5"), "{e}");
    assert!(e.contains("for (int i = 0; i < 8; i++)"), "{e}");
}

#[test]
fn opencl_to_ptx() {
    let d = Dir::new("opencl");
    d.write("saxpy.cl", "__kernel void saxpy(__global const float *x, __global float *y, float a) { size_t i = get_global_id(0); y[i] += a * x[i]; }\n");
    let o = d.run(&["compile", "saxpy.cl", "-arch=sm_80", "-cl-std=CL1.2", "--emit", "ptx", "-o", "saxpy.ptx"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let ptx = d.read("saxpy.ptx");
    assert!(ptx.contains(".target sm_80") && ptx.contains(".entry saxpy") && ptx.contains("fma.rn.f32"), "{ptx}");
}

#[test]
fn explanations() {
    let d = Dir::new("explain");
    d.write("k.cu", unroll_test("#pragma unroll 3", 8));
    let o = d.run(&["explain", "k.cu", "-arch=sm_90"]);
    let t = out(&o);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(t.contains("#pragma unroll 3") && t.contains("^^^"), "{t}");
    let o = d.run(&["explain", "k.cu", "-arch=sm_90", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&o.stdout).unwrap();
    assert_eq!(json["schema"], "unspool.explain");
    let hints = json["hints"].as_array().unwrap();
    assert!(hints.iter().any(|h| h["kind"] == "unroll" && h["asked"] == "#pragma unroll 3"), "{hints:?}");
    assert!(hints.iter().any(|h| h["kind"] == "const" && h["asked"] == "const float *in"), "{hints:?}");
    assert!(!t.contains("=>"), "the trail is there with -v: {t}");
    assert!(out(&d.run(&["explain", "k.cu", "-arch=sm_90", "-v"])).contains("=>"));
    assert_eq!(json["functions"][0]["loops"][0]["place"]["line"], 5);
}

#[test]
fn several_inputs_and_default_names() {
    let d = Dir::new("several");
    d.write("a.cu", "__global__ void a() {}").write("b.cl", "kernel void b() {}");
    let o = d.run(&["compile", "a.cu", "b.cl"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(d.read("a.ptx").contains(".entry") && d.read("b.ptx").contains(".entry b"));
    let o = d.run(&["compile", "a.cu", "b.cl", "-o", "c.ptx"]);
    assert_eq!(o.status.code(), Some(2));
}

#[test]
fn standard_input_and_output() {
    let d = Dir::new("stdin");
    let o = d.run_with(&["compile", "-", "-x", "cu", "-o", "-"], "extern \"C\" __global__ void k() {}");
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(out(&o).contains(".entry k"));
    let o = d.run_with(&["compile", "-"], "");
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("-x cu"));
}

#[test]
fn stages_can_be_seen() {
    let d = Dir::new("stages");
    d.write("k.cu", "#define N 3\n__global__ void k(int *p) { p[N] = N; }\n");
    for (args, want) in [
        (&["-E"][..], "p[3] = 3"),
        (&["--emit", "tokens"], "Ident"),
        (&["--emit", "ast"], "k"),
        (&["--emit", "ir-lowered"], "kernel @"),
        (&["--emit", "ir"], "kernel @"),
        (&["--emit", "ir-after=simplify"], "after simplify"),
    ] {
        let o = d.run(&[&["compile", "k.cu"], args].concat());
        assert_eq!(o.status.code(), Some(0), "{args:?}: {}", err(&o));
        assert!(out(&o).contains(want), "{args:?}: {}", out(&o));
    }
    let o = d.run(&["compile", "k.cu", "--emit", "ir-after=nonsense"]);
    assert_eq!(o.status.code(), Some(1));
    assert!(err(&o).contains("passes that ran"), "{}", err(&o));
    let o = d.run(&["compile", "k.cu", "--time-report", "--verify-each"]);
    assert!(err(&o).contains("optimise") && err(&o).contains("total"), "{}", err(&o));
}

#[test]
fn errors_leave_no_output() {
    let d = Dir::new("errors");
    d.write("bad.cu", "__global__ void k( { int x = ; }\n").write("bin.cu", b"a\0b").write("latin.cu", b"int \xe9;\n");
    d.write("self.cu", "#include \"self.cu\"\n");
    std::fs::create_dir(d.0.join("dir.cu")).unwrap();
    for (file, want) in [
        ("bad.cu", "bad.cu:1:"),
        ("missing.cu", "no such file"),
        ("dir.cu", "is a directory"),
        ("bin.cu", "binary file"),
        ("latin.cu", "not UTF-8"),
        ("self.cu", "include"),
    ] {
        let o = d.run(&["compile", file, "-o", "x.ptx"]);
        assert_eq!(o.status.code(), Some(1), "{file}: {}", err(&o));
        assert!(err(&o).contains(want), "{file}: {}", err(&o));
        assert!(!d.0.join("x.ptx").exists(), "{file}");
    }
    d.write("good.cu", "__global__ void k() {}");
    let o = d.run(&["compile", "good.cu", "-o", "no/such/dir/x.ptx"]);
    assert_eq!(o.status.code(), Some(1));
    let left: Vec<_> = std::fs::read_dir(&d.0).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|n| !n.to_string_lossy().starts_with(".unspool")), "{left:?}");
}

#[test]
fn wrong_command_lines() {
    let d = Dir::new("usage");
    d.write("k.cu", "__global__ void k() {}").write("k.txt", "");
    for (args, want) in [
        (&["compile"][..], "FILE"),
        (&["compile", "k.cu", "-archh=sm_90"], "did you mean `-arch`"),
        (&["compile", "k.cu", "-arch=sm_91"], "sm_90"),
        (&["compile", "k.cu", "-O7"], "-O7"),
        (&["compile", "k.cu", "-unroll-treshold=3"], "unroll-threshold"),
        (&["compile", "k.cu", "-std=c++99"], "c++17"),
        (&["compile", "k.cu", "--emit", "elf"], "outputs are"),
        (&["compile", "k.txt"], "-x cu"),
        (
            &["compile", "k.cu", "-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"],
            "one architecture",
        ),
        (&["compile", "k.cu", "-Rpass=inline"], "loop-unroll"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let o = d.run(args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", err(&o));
        assert!(err(&o).contains(want), "{args:?}: {}", err(&o));
    }
}

/// Host code of nvcc asks for these names.
#[test]
fn the_files_own_names_have_its_module_in_them() {
    let d = Dir::new("module");
    d.write("k.cu", "namespace { __device__ int n; __global__ void k(int *p) { *p = n; } }");
    let o = d.run(&["compile", "k.cu", "--module-id", "_0b1c_4_k_cu_n", "-o", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(out(&o).contains(".entry _ZN25_GLOBAL__N__0b1c_4_k_cu_n1kEPi("), "{}", out(&o));
    assert!(out(&o).contains("_ZN23_INTERNAL_0b1c_4_k_cu_n25_GLOBAL__N__0b1c_4_k_cu_n1nE"), "{}", out(&o));
}

#[test]
fn options_as_nvcc_and_clang_have_them() {
    let d = Dir::new("options");
    d.write(
        "k.cu",
        "#ifndef A\n#error no A\n#endif\nextern \"C\" __global__ void k(float *p) { p[0] = p[1] * p[2] + p[3]; p[4] = p[5] / p[6]; }",
    );
    let ptx = |args: &[&str]| {
        let o = d.run(&[&["compile", "k.cu", "-DA=1", "-o", "-"], args].concat());
        assert_eq!(o.status.code(), Some(0), "{args:?}: {}", err(&o));
        out(&o)
    };
    assert!(ptx(&[]).contains("fma.rn.f32") && ptx(&[]).contains("div.rn.f32"));
    assert!(!ptx(&["-fmad=false"]).contains("fma.rn"));
    let fast = ptx(&["--use_fast_math"]);
    assert!(fast.contains("fma.rn.ftz.f32") && !fast.contains("div.rn"), "{fast}");
    assert!(ptx(&["-lineinfo"]).contains(".loc"));
    // nvcc takes a flag twice, and the last of two values.
    assert!(!ptx(&["-w", "-w", "-fmad=true", "-fmad=false"]).contains("fma.rn"));
    assert!(ptx(&["--gpu-architecture=compute_80"]).contains(".target sm_80"));
    let o = d.run(&["compile", "k.cu", "-DA", "-UA", "-o", "-"]);
    assert_eq!(o.status.code(), Some(1));
    assert!(err(&o).contains("no A"));
    // What asks for something is not dropped without a word.
    let o = d.run(&["compile", "k.cu", "-DA", "-Xcompiler", "-fPIC", "-lcudart", "-maxrregcount=32", "-o", "-"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(
        err(&o).contains("note: `-maxrregcount=32` has no effect here") && !err(&o).contains("fPIC"),
        "{}",
        err(&o)
    );
}

#[test]
fn warnings_can_be_errors_or_silent() {
    let d = Dir::new("warnings");
    d.write("k.cu", unroll_test("#pragma unroll 0", 8));
    let run = |args: &[&str]| d.run(&[&["compile", "k.cu", "-o", "-"], args].concat());
    let plain = run(&[]);
    assert_eq!(plain.status.code(), Some(0));
    assert!(err(&plain).contains("warning"), "{}", err(&plain));
    assert_eq!(run(&["-Werror"]).status.code(), Some(1));
    assert!(err(&run(&["-w"])).is_empty());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let d = Dir::new("deterministic");
    d.write("k.cu", unroll_test("#pragma unroll 3", 100));
    let all: Vec<String> = (0..5).map(|_| out(&d.run(&["compile", "k.cu", "-o", "-"]))).collect();
    assert!(all.windows(2).all(|w| w[0] == w[1]));
}

#[test]
fn completions() {
    let d = Dir::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let o = d.run(&["completions", shell]);
        assert!(out(&o).contains("unspool"), "{shell}");
    }
}

#[test]
fn amd_gpus_are_named_as_clang_and_hip_name_them() {
    let dir = Dir::new("amd_names");
    dir.write("k.cu", "extern \"C\" __global__ void k(int *p) { p[threadIdx.x] = warpSize; }");
    let refused = |args: &[&str], why: &str| {
        let out = dir.run(&[&["compile", "k.cu"], args].concat());
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.code() == Some(2) && text.contains(why), "{args:?}: {text}");
    };
    refused(&["--arch", "gfx90b"], "unknown AMD GPU `gfx90b`; did you mean `gfx90a`?");
    refused(&["-march=gfx1100:xnack+"], "`gfx1100` has no settings");
    refused(&["--offload-arch=gfx90a", "-arch=sm_90"], "GPUs of two vendors");
    refused(&["--arch", "gfx90a,sm_90"], "GPUs of two vendors");
    refused(&["--arch", "sm_80,sm_90"], "`sm_80` and `sm_90` are named; compile once for each");
    refused(&["--arch", "gfx90a,gfx1000"], "unknown AMD GPU `gfx1000`; did you mean `gfx1030`?");
    refused(&["--offload-arch=gfx1100", "-fwarp64"], "`-mwavefrontsize64` gives waves of 64");
    refused(&["--arch", "gfx90a", "-mno-wavefrontsize64"], "waves of `gfx90a` have 64 lanes, and there are no others");
    refused(&["--arch", "gfx90a", "-mcode-object-version=3"], "4, 5 and 6 can be made");
    refused(&["-fwarp64"], "`-fwarp64` is for AMD GPUs");
    refused(&["--arch", "gfx90a", "--warp-emulation=16"], "32 or 64 lanes");
    let ir = |args: &[&str]| {
        let out = dir.run(&[&["compile", "k.cu", "--emit", "ir", "-o", "-"], args].concat());
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert!(ir(&["--arch", "gfx90a"]).contains("i32:32"));
    for twice in [&["--arch", "gfx90a,gfx90a"][..], &["--offload-arch=gfx90a", "--offload-arch=gfx90a"]] {
        let out = dir.run(&[&["compile", "k.cu", "--emit", "ir", "-o", "-"], twice].concat());
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success() && text.contains("`gfx90a` is named again"), "{twice:?}: {text}");
    }
    let out = dir.run(&["compile", "k.cu", "-arch=sm_90,sm_90", "-o", "-"]);
    assert!(out.status.success() && String::from_utf8_lossy(&out.stderr).contains("`sm_90` is named again"));
    assert!(ir(&["--arch", "gfx90a", "-fwarp64"]).contains("i32:64"));
    assert!(ir(&["--arch", "gfx1100", "-mwavefrontsize64", "-fwarp64"]).contains("i32:64"));
}

#[test]
fn help_is_in_groups_and_ends_with_examples() {
    let d = Dir::new("help");
    for (command, group) in [("compile", "Output:"), ("explain", "Explanation:"), ("run", "Launch:")] {
        let text = out(&d.run(&[command, "--help"]));
        let groups =
            [group, "Language and preprocessor:", "What code is made for:", "Optimisation:", "Warnings and messages:"];
        for g in groups {
            assert_eq!(text.lines().filter(|l| *l == g).count(), 1, "{command}: {g}\n{text}");
        }
        let option = if command == "run" { "--grid" } else { "--output-file" };
        assert!(text.split(group).nth(1).is_some_and(|t| t.contains(option)), "{text}");
        let floats = text.split("Floating point:").nth(1).and_then(|t| t.split("Warnings and messages:").next());
        assert!(floats.is_some_and(|t| !t.contains(option)), "{text}");
        let examples = text.find("Examples:").expect("examples");
        assert!(!text[examples..].lines().skip(1).any(|l| !l.starts_with("  unspool ")), "they end it: {text}");
    }
}

#[test]
fn man_pages_are_written() {
    let d = Dir::new("man");
    let o = d.run(&["man", "pages/man1"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let page = d.read("pages/man1/unspool-explain.1");
    assert!(page.starts_with(".ie") || page.contains(".TH unspool-explain 1"), "{page}");
    assert!(page.contains("factors") && page.contains("Examples"), "{page}");
    d.write("file", "");
    assert_eq!(d.run(&["man", "file"]).status.code(), Some(1));
}
