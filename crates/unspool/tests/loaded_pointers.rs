//! Where pointers lead that kernels read from memory: to global memory, unless the kernel puts other addresses there
//! (as nvcc 13.5 has it, for sm_90).

use unspool::{Dialect, Emit, Input, Options};

/// Accesses without a state space in the PTX of a kernel.
fn generic(kernel: &str) -> usize {
    let text = format!(
        "struct C {{ float *a; float *b; int n; }};\nstruct N {{ N *next; int v; }};\n\
         __device__ float *gp; __device__ C gc; __constant__ float table[4];\n\
         __device__ __noinline__ void put(float **to, float *p) {{ *to = p; }}\n{kernel}\n"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.set_arch("sm_90".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("k.cu", &text), &options, &Emit::PTX);
    let said: Vec<_> = out.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(out.succeeded(), "{said:?}");
    let ptx = out.output().expect("text");
    let kernel = &ptx[ptx.find(".entry").expect("a kernel")..];
    let plain = |l: &&str| {
        let op = l.split_whitespace().next().unwrap_or_default();
        let mut words = op.split('.');
        let is_access = matches!(words.next(), Some("ld" | "st" | "atom" | "red"));
        is_access && !words.any(|w| matches!(w, "global" | "shared" | "local" | "param" | "const"))
    };
    kernel.lines().filter(plain).count()
}

#[test]
fn pointers_in_objects_of_global_memory_were_generic() {
    for kernel in [
        "__global__ void k(C *c, float *o) { o[threadIdx.x] = c->a[threadIdx.x]; }",
        "__global__ void k(float *o) { o[threadIdx.x] = gp[threadIdx.x] + gc.a[1]; }",
        "__global__ void k(C *c) { c->b[threadIdx.x] = c->a[threadIdx.x]; c->b[threadIdx.x + 1] = 3; }",
        "__global__ void k(float ***c, float *o) { *o = c[0][1][threadIdx.x]; atomicAdd(&c[0][2][threadIdx.x], 1.f); }",
        "__global__ void k(N *n, int *o) { int s = 0; while (n) { s += n->v; n = n->next; } *o = s; }",
        "__global__ void k(float **c, float *o) { __shared__ float *s[32]; s[threadIdx.x] = c[threadIdx.x];\n\
         __syncthreads(); o[threadIdx.x] = s[31 - threadIdx.x][0]; }",
        "__global__ void k(float **c, float *o, int q) { float *l[8]; for (int i = 0; i < 8; i++) l[i] = c[i];\n\
         o[threadIdx.x] = l[q & 7][0]; }",
    ] {
        assert_eq!(generic(kernel), 0, "{kernel}");
    }
}

/// Each of these kernels puts an address of another space where it might read it again.
#[test]
fn kernels_that_store_other_addresses_read_generic_pointers() {
    for kernel in [
        "__global__ void k(C **c, float *o) { __shared__ float s[32]; s[threadIdx.x] = o[3]; c[0]->a = s;\n\
         __syncthreads(); o[threadIdx.x] = c[0]->a[threadIdx.x]; }",
        "__global__ void k(float **c, float *o, int q) { float l[4]; l[q & 3] = o[1]; c[1] = l; *o = c[q][2]; }",
        "__global__ void k(float **c, float *o, int q) { __shared__ float s[4]; put(c, s); *o = c[q][2]; }",
        "__global__ void k(float **c, float *o, int q) { __shared__ float s[4]; *(unsigned long long *)c =\n\
         (unsigned long long)s; *o = c[q][2]; }",
        "__global__ void k(float **c, float *o, int q) { c[1] = q ? table : o; *o = c[q][2]; }",
    ] {
        assert_ne!(generic(kernel), 0, "{kernel}");
    }
    // What is chosen between memories stays generic, too.
    let either = "__global__ void k(C *c, float *o, int q) { __shared__ float s[32]; s[threadIdx.x] = o[3];\n\
                  float *p = q ? c->a : s; o[threadIdx.x] = p[threadIdx.x]; }";
    assert_ne!(generic(either), 0);
}
