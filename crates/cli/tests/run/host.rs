//! What needs machine code.

use crate::user::{Dir, Ran, SAXPY};
use std::process::Command;

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

/// To see what other machines would run; a name that nobody knows is no silent fallback.
#[test]
fn the_processor_that_code_is_made_for_can_be_named() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let d = Dir::new("processor");
    let line = "saxpy.cl --global 64 --arg 1 --arg ones:64 --arg inout:ones:64 --out -";
    let named = |cpu: &str, line: &str| Ran::of(d.command(line).env("UNSPOOL_CACHE", "0").env("UNSPOOL_CPU", cpu));
    let ran = named("x86-64-v2", &format!("{line} -v"));
    assert!(ran.succeeds("").out.contains("4 work-items share a vector"), "{}", ran.out);
    assert!(named("x86-64-v2", line).succeeds("").out.lines().all(|l| l == "2"));
    named("pentium-9000", line).fails(1, &["pentium-9000", "x86-64-v3"]);
    named(" ", line).succeeds("nothing is named");
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

/// A loop's sum stood in one register, added to in its order, also where the program leaves the order open.
#[test]
fn sums_may_be_in_vectors_where_the_program_asks() {
    let d = Dir::new("sums");
    for (state, vectors) in [("enable", true), ("disable", false)] {
        let text = format!(
            "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global float *o, global const float *a, int n) {{
                float s = 0;
                #pragma clang loop vectorize({state})
                for (int i = 0; i < n; i++) s += a[i];
                o[get_global_id(0)] = s;
            }}"
        );
        d.write("sum.cl", text);
        let words = ["compile", "sum.cl", "--target", "host", "--emit", "llvm-ir", "--local", "1", "-o", "-"];
        let ran = Ran::of(Command::new(env!("CARGO_BIN_EXE_unspool")).args(words).current_dir(&d.0));
        assert_eq!(ran.succeeds("").out.contains("vector.reduce.fadd"), vectors, "{state}: {}", ran.out);
    }
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
