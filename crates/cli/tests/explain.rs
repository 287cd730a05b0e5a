//! `explain` as users type it: SARIF, pages, factors, and `-W` options.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const LOOPS: &str = "__global__ void k(float *p, int n) {
#pragma unroll
    for (int i = 0; i < n; i++)
        p[i * 3] = p[i] + 1.0f;
    for (int j = 0; j < 64; j++)
        p[j] *= p[j + 7];
}
";

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("explain-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("k.cu"), LOOPS).unwrap();
        Self(path)
    }

    fn run(&self, args: &[&str]) -> Output {
        // The user's assembler must not change what tests see.
        Command::new(env!("CARGO_BIN_EXE_unspool"))
            .args(args)
            .current_dir(&self.0)
            .env("PATH", "")
            .env_remove("UNSPOOL_PTXAS")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

fn out(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn err(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

#[test]
fn missed_hints_are_errors_on_request() {
    let d = Dir::new("missed-hints");
    let o = d.run(&["compile", "k.cu", "-o", "k.ptx"]);
    assert_eq!((o.status.code(), err(&o).as_str()), (Some(0), ""));
    let o = d.run(&["compile", "k.cu", "-o", "warned.ptx", "-Wunroll"]);
    assert_eq!(o.status.code(), Some(0));
    assert!(err(&o).contains("warning[W0601]") && err(&o).contains("[-Wunroll]"), "{}", err(&o));
    for option in ["-Werror=unroll", "-Werror=pass-failed"] {
        let o = d.run(&["compile", "k.cu", "-o", "none.ptx", option]);
        assert_eq!(o.status.code(), Some(1), "{option}");
        let e = err(&o);
        assert!(e.contains("k.cu:2:1") && e.contains("because") && e.contains("help:"), "{e}");
        assert!(!d.0.join("none.ptx").exists());
    }
    assert_eq!(d.run(&["compile", "k.cu", "-o", "k.ptx", "-Werror=unroll", "-Wno-unroll"]).status.code(), Some(0));
    let o = d.run(&["compile", "k.cu", "-o", "k.ptx", "-Wunrol", "-Wall", "-Wextra"]);
    assert_eq!(o.status.code(), Some(0));
    assert!(err(&o).contains("did you mean `-Wunroll`?"), "{}", err(&o));
}

#[test]
fn sarif_from_both_commands() {
    let d = Dir::new("sarif");
    let o = d.run(&["explain", "k.cu", "--format", "sarif"]);
    assert_eq!(o.status.code(), Some(0));
    let log: Value = serde_json::from_str(&out(&o)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "hint/unroll");
    std::fs::write(d.0.join("bad.cu"), "__global__ void k() { undeclared; }").unwrap();
    let o = d.run(&["compile", "k.cu", "bad.cu", "--format", "sarif"]);
    assert_eq!(o.status.code(), Some(1));
    let log: Value = serde_json::from_str(&err(&o)).unwrap();
    assert_eq!(log["runs"].as_array().unwrap().len(), 2);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    assert_eq!(log["runs"][1]["results"][0]["level"], "error");
}

#[test]
fn a_page_replaces_the_text() {
    let d = Dir::new("page");
    let o = d.run(&["explain", "k.cu", "--html", "k.html", "--factors", "1,4", "--loop", "5"]);
    assert_eq!((o.status.code(), out(&o).as_str()), (Some(0), ""), "{}", err(&o));
    let page = d.read("k.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Other factors for the loop of"));
    let o = d.run(&["explain", "k.cu", "--html", "k2.html", "--format", "json"]);
    assert!(serde_json::from_str::<Value>(&out(&o)).is_ok());
    assert!(d.0.join("k2.html").exists());
    // Errors have a page too, and the exit status says so.
    let o = d.run(&["explain", "k.cu", "--html", "k3.html", "-Werror=unroll"]);
    assert_eq!(o.status.code(), Some(1));
    assert!(d.read("k3.html").contains("Errors and warnings"));
    let o = d.run(&["explain", "k.cu", "k.cu", "--html", "k4.html"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("one page"), "{}", err(&o));
}

#[test]
fn factors_of_a_loop_made_of_inlined_functions_have_a_row_each() {
    let d = Dir::new("factors-inlined");
    let text = "__device__ float step(float x, float y) {
    x = x * y + 1;
    x = x * x + y;
    x = x * y + 2;
    x = x * x - y;
    return x * y * x;
}
__global__ void k(float *o, const float *a, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s = step(s, a[i]);
    o[threadIdx.x] = s;
}
";
    std::fs::write(d.0.join("in.cu"), text).unwrap();
    let o = d.run(&["explain", "in.cu", "--factors", "1,2,4", "--loop", "10", "--format", "json"]);
    let v: serde_json::Value = serde_json::from_str(&out(&o)).unwrap();
    let rows = v["factors"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3, "{v}");
    assert!(rows.iter().all(|r| r["per_iteration"].as_f64().is_some_and(|n| n > 5.0)), "{v}");
}

#[test]
fn factors_as_text_and_json() {
    let d = Dir::new("factors");
    let o = d.run(&["explain", "k.cu", "--factors", "1,2,4"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert_eq!(out(&o).matches("factors for the loop of line").count(), 2);
    assert!(!out(&o).contains("ptxas"), "no assembler, no columns of it");
    let o = d.run(&["explain", "k.cu", "--factors=2", "--loop=5", "--format", "json"]);
    let v: Value = serde_json::from_str(&out(&o)).unwrap();
    assert_eq!(v["factors"][0]["line"], 5);
    assert_eq!(v["factors"][0]["rows"][0]["factor"], 2);
    assert!(v["factors"][0]["rows"][0]["assembled"].is_null());
}

#[test]
fn factors_that_mean_nothing_are_refused() {
    let d = Dir::new("refused");
    for (args, code, words) in [
        (&["--factors", "0"][..], 2, "a factor of 0 means nothing"),
        (&["--factors", "two"], 2, "`two` is no unroll factor"),
        (&["--factors", ""], 2, "no unroll factor"),
        (&["--loop", "3"], 2, "add `--factors"),
        (&["--factors", "2", "--format", "sarif"], 2, "no form in SARIF"),
        (&["--factors", "2", "--loop", "4"], 1, "loops begin on 3, 5"),
        (&["--block", "0"], 2, "1 to 1024"),
    ] {
        let o = d.run(&[&["explain", "k.cu"][..], args].concat());
        assert_eq!(o.status.code(), Some(code), "{args:?}: {}", err(&o));
        assert!(err(&o).contains(words), "{args:?}: {}", err(&o));
    }
    std::fs::write(d.0.join("none.cu"), "__global__ void k() {}").unwrap();
    let o = d.run(&["explain", "none.cu", "--factors", "2"]);
    assert_eq!(o.status.code(), Some(1));
    assert!(err(&o).contains("no loop"), "{}", err(&o));
}

#[test]
fn a_broken_assembler_is_said_once() {
    let d = Dir::new("assembler");
    let o = Command::new(env!("CARGO_BIN_EXE_unspool"))
        .args(["explain", "k.cu", "--factors", "1,2", "--loop", "3"])
        .current_dir(&d.0)
        .env("UNSPOOL_PTXAS", d.0.join("no-such-ptxas"))
        .output()
        .unwrap();
    assert_eq!(o.status.code(), Some(0));
    assert_eq!(err(&o).matches("ptxas gave no registers").count(), 1, "{}", err(&o));
}

#[test]
fn occupancy_follows_the_block() {
    let d = Dir::new("block");
    let warps = |block: &str| {
        let o = d.run(&["explain", "k.cu", "-arch=sm_90", "--block", block, "--format", "json"]);
        let v: Value = serde_json::from_str(&out(&o)).unwrap();
        assert_eq!(v["kernels"][0]["block_source"], "--block");
        v["kernels"][0]["occupancy"]["warps"].as_u64().unwrap()
    };
    // 32 blocks of one warp; 64 warps in blocks of eight.
    assert_eq!((warps("32"), warps("256")), (32, 64));
}

/// Kernels on this machine have lanes and caches, no warps.
#[cfg(feature = "llvm")]
#[test]
fn what_runs_here_is_explained_in_vectors_and_caches() {
    let d = Dir::new("here");
    let text =
        "kernel void k(global float *p) { local float t[32]; t[get_local_id(0)] = *p; barrier(1); *p = t[3]; }\n";
    std::fs::write(d.0.join("h.cl"), text).unwrap();
    let words = ["run", "h.cl", "--explain", "--global", "32", "--local", "32", "--arg", "out:1"];
    let out = String::from_utf8(d.run(&words).stdout).unwrap();
    for wanted in ["kernel `k` on this machine", "work-items share a vector", "128 bytes of work-group memory"] {
        assert!(out.contains(wanted), "{out}");
    }
    assert!(!out.contains("warp") && !out.contains("sm_"), "{out}");
}

#[test]
fn ptx_is_explained_for_the_target_that_it_names() {
    let d = Dir::new("ptx-target");
    assert!(d.run(&["compile", "k.cu", "-arch=sm_90", "-o", "k.ptx"]).status.success());
    assert!(out(&d.run(&["explain", "k.ptx"])).starts_with("k.ptx for sm_90"));
    assert!(out(&d.run(&["explain", "k.ptx", "-arch=sm_80"])).starts_with("k.ptx for sm_80"));
    assert!(d.run(&["compile", "k.ptx", "-o", "again.ptx"]).status.success());
    assert!(d.read("again.ptx").contains(".target sm_90"));
}

#[test]
fn explain_takes_the_remarks_of_compile() {
    let d = Dir::new("remarks");
    let remarks = |command: &str| {
        let options = ["-Rpass-analysis=memory", "-Rpass=loop-unroll", "-Rpass-missed=loop-unroll"];
        let o = d.run(&[&[command, "strided.cu", "-o", "out"], &options[..]].concat());
        assert!(o.status.success(), "{}", err(&o));
        err(&o)
    };
    let text = "__global__ void k(float *o, int n) { for (int i = 0; i < n; i++) o[threadIdx.x * 32 + i] = i; }";
    std::fs::write(d.0.join("strided.cu"), text).unwrap();
    let said = remarks("explain");
    assert!(said.contains("R0604") && said.contains("R0601"), "{said}");
    assert_eq!(said, remarks("compile"));
    let o = d.run(&["explain", "k.cu", "-Rpass-analysis=inline"]);
    assert!(err(&o).contains("no pass named `inline`") && o.status.code() == Some(2), "{}", err(&o));
}

/// The registers of an AMD GPU are its code object's, and occupancy follows from the tables of the GPU.
#[test]
#[allow(clippy::print_stderr, reason = "says that it is skipped")]
fn registers_of_amd_gpus_are_the_code_objects() {
    let host = Path::new(env!("CARGO_BIN_EXE_unspool")).with_file_name("unspool-host");
    if !host.is_file() {
        eprintln!("SKIPPED: no unspool-host");
        return;
    }
    let d = Dir::new("amd");
    std::fs::write(
        d.0.join("lds.cu"),
        "__global__ void k(float *o, int n) { __shared__ float t[1024]; t[threadIdx.x] = o[threadIdx.x]; __syncthreads();
            for (int i = 0; i < n; i++) t[threadIdx.x] += t[(threadIdx.x + i) & 1023];
            o[threadIdx.x] = t[threadIdx.x]; }",
    )
    .unwrap();
    let out = d.run(&[
        "explain",
        "lds.cu",
        "--arch",
        "gfx90a",
        "--factors",
        "1,8",
        "--html",
        "page.html",
        "--format",
        "json",
    ]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let v: Value = serde_json::from_slice(&out.stdout).unwrap();
    let k = &v["kernels"][0];
    assert!(k["registers"].as_u64().unwrap() >= 2 && k["scalar_registers"].as_u64().unwrap() >= 6, "{k}");
    assert_eq!((k["shared_bytes"].as_u64(), k["private_bytes"].as_u64()), (Some(4096), Some(0)), "{k}");
    // 65,536 bytes of LDS hold 16 such groups, 32 waves eight of 256 work-items.
    assert_eq!(k["occupancy"]["warps"].as_u64(), Some(32), "{k}");
    let rows = v["factors"][0]["rows"].as_array().unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|r| r["assembled"]["by"] == "LLVM"), "{rows:?}");
    let page = d.read("page.html");
    assert!(page.contains("scalar; LLVM; estimated"));
    // The page had no code for AMD GPUs. Instructions of the last line, the store among them, are marked as its.
    assert!(page.contains("<h3>Assembly</h3>") && !page.contains("PTX"), "{page}");
    let last = page.split("<span data-l=\"3\"").skip(1).filter_map(|s| s.split("</span>").next());
    assert!(last.into_iter().any(|s| s.contains("global_store_dword")), "{page}");
    assert!(!page.contains(".amdhsa_") && !page.contains(".loc"), "{page}");
    let text = d.run(&["explain", "lds.cu", "--arch", "gfx1100"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("vector registers (LLVM; the estimate is") && text.contains("scalar registers"), "{text}");
}
