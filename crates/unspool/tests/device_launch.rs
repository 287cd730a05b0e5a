//! Kernels that launch kernels, and ask CUDA's runtime.

use std::path::PathBuf;
use std::process::Command;
use unspool::{Dialect, Emit, Input, Options, compile};

fn ptx(text: &str) -> Result<String, String> {
    let out =
        compile(&Input::text("m.cu", text), &Options::new(Dialect::CUDA), &Emit::PTX).map_err(|e| e.to_string())?;
    Ok(out.output().expect("PTX").to_owned())
}

const LAUNCHES: &str = "
struct Pair { double x; char y; };
template <class T> __global__ void made(char a, T b, Pair p, int more = 7) {}
__global__ void later(int *p, int n);
__global__ void first(int *p, void (*any)(int *, int)) {
    made<<<dim3(2, 3), 32, 16>>>('a', 3.0f, Pair{1.0, 'b'});
    later<<<gridDim, blockDim, 0, cudaStreamTailLaunch>>>(p, 5);
    any<<<1, 2>>>(p, 5);
    int device, warp;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    p[0] = warp + (cudaGetLastError() == cudaSuccess);
}
__global__ void decide(cudaGraphConditionalHandle node, const int *p) { cudaGraphSetConditional(node, *p > 3); }
__global__ void later(int *p, int n) { if (n) later<<<1, 1>>>(p, n - 1); }
";

#[test]
fn kernels_launched_no_kernels() {
    let text = ptx(LAUNCHES).unwrap();
    for part in [
        ".extern .func (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2(",
        ".extern .func (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2(",
        "__cudaCDP2GetDevice",
        ".extern .func cudaGraphSetConditional(",
        "mov.b64 %rd",
        ", _Z4madeIfEvcT_4Pairi;",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    // Arguments lie as parameters do: at 0, 4, 8 and 24.
    let stores: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with("st.") && l.contains("[%rd")).collect();
    assert!(stores.iter().any(|l| l.contains("+24]") && l.contains(" 7")), "{stores:?}");
    // A kernel that is launched before it is defined is declared.
    let declared = text.find(".visible .entry _Z5laterPii(").unwrap();
    assert!(declared < text.find(".visible .entry _Z5firstPiPFvS_iE(").unwrap());
}

/// cudadevrt has all that is called, under these names.
#[test]
#[allow(clippy::print_stderr, reason = "says that it is skipped")]
fn launches_of_kernels_link() {
    let Some(nvidia) = nvidia() else {
        eprintln!("SKIPPED: no ptxas (pip install nvidia-cuda-nvcc nvidia-cuda-runtime)");
        return;
    };
    let library = nvidia.join("lib/libcudadevrt.a");
    let dir = std::env::temp_dir().join(format!("unspool-device-launch-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, object, whole) = (dir.join("m.ptx"), dir.join("m.o"), dir.join("m.cubin"));
    std::fs::write(&source, ptx(LAUNCHES).unwrap()).unwrap();
    let run = |tool: &str, args: &[&std::ffi::OsStr]| {
        let out = Command::new(nvidia.join("bin").join(tool)).arg("-arch=sm_75").args(args).output().unwrap();
        assert!(out.status.success(), "{tool}: {}", String::from_utf8_lossy(&out.stderr));
    };
    run("ptxas", &["-c".as_ref(), source.as_os_str(), "-o".as_ref(), object.as_os_str()]);
    if library.is_file() && nvidia.join("bin/nvlink").is_file() {
        run("nvlink", &[object.as_os_str(), library.as_os_str(), "-o".as_ref(), whole.as_os_str()]);
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn launches_that_cannot_be_are_explained() {
    let k = |body: &str| format!("__global__ void c(int) {{}} __global__ void k() {{ {body} }}");
    let error = |body: &str| ptx(&k(body)).unwrap_err();
    assert!(error("c<<<1>>>(1);").contains("E0400"));
    assert!(error("c<<<1, 1>>>();").contains("too few arguments"));
    assert!(error("c<<<1, 1>>>(1, 2);").contains("too many arguments"));
    let host = compile(&Input::text("m.cu", k("c<<<1, 1>>>(1);")), &Options::host(Dialect::CUDA), &Emit::Ir);
    let log = host.map(|_| ()).unwrap_err().to_string();
    assert!(log.contains("E0403") && log.contains("only NVIDIA GPUs launch from kernels"), "{log}");
}

/// Where NVIDIA's tools are, in the virtual environment of the tests.
fn nvidia() -> Option<PathBuf> {
    let libs = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.venv/lib")).ok()?;
    libs.flatten().map(|d| d.path().join("site-packages/nvidia/cu13")).find(|p| p.join("bin/ptxas").is_file())
}
