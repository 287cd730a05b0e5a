//! Types of CUDA's run-time library and driver: what structures with them are as large as, and what kernels are called.

mod common;

fn compiled(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut kernels, said) = common::compiled(text);
    kernels.sort();
    (kernels, said)
}

/// Classes with such members were incomplete. The sizes are those of CUDA 13's headers.
#[test]
fn structures_of_the_runtime_library_had_no_size() {
    let (kernels, said) = compiled(
        "struct Texture { cudaArray_t array; cudaTextureObject_t object; __device__ float at(int i) const { return i; } };
        struct Device { cudaDeviceProp p; int n; };
        struct Many { cudaGraph_t g; cudaGraphExec_t e; cudaMemPool_t m; CUdevice d; CUcontext c; CUdeviceptr a; cudaFunction_t f; };
        static_assert(sizeof(Texture) == 16 && sizeof(Device) == 1016 && sizeof(Many) == 56, \"\");
        static_assert(sizeof(cudaResourceDesc) == 144 && sizeof(cudaTextureDesc) == 72 && sizeof(cudaResourceViewDesc) == 112, \"\");
        static_assert(sizeof(cudaMemcpy3DParms) == 160 && sizeof(cudaFuncAttributes) == 144 && sizeof(cudaUUID_t) == 16, \"\");
        static_assert(sizeof(cudaLaunchConfig_t) == 56 && sizeof(cudaLaunchAttribute) == 72 && sizeof(cudaChannelFormatDesc) == 20, \"\");
        static_assert(sizeof(cudaPointerAttributes) == 88 && sizeof(cudaKernelNodeParams) == 64 - 8 && sizeof(cudaMemPoolProps) == 88, \"\");
        static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 128, \"\");
        __global__ void sample(Texture t, float *out) { *out = t.at(3); }
        __global__ void copy(const __grid_constant__ CUtensorMap m, char *out) {}
        template <class T, cudaMemcpyKind K> __global__ void move(T *p) {}
        template <class T> __global__ void use(T v) {}
        struct Owner { cudaStream_t s; cudaDeviceProp p; void run() { move<float, cudaMemcpyHostToDevice><<<1, p.warpSize, 0, s>>>(nullptr); use<<<1, 1>>>(p.major); } };
        int main() { Owner o; o.run(); cudaArray_t a; use<<<1, 1>>>(a); }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(
        kernels,
        [
            "_Z3useIP9cudaArrayEvT_",
            "_Z3useIiEvT_",
            "_Z4copy14CUtensorMap_stPc",
            "_Z4moveIfL14cudaMemcpyKind1EEvPT_",
            "_Z6sample7TexturePf"
        ]
    );
}

/// A program that brings the headers themselves has them once.
#[test]
fn the_runtime_librarys_own_declarations_are_taken() {
    let (kernels, said) = compiled(
        "typedef struct CUuuid_st { char bytes[16]; } CUuuid;
        typedef struct cudaArray *cudaArray_t;
        struct cudaDeviceProp { int warpSize; };
        struct S { CUuuid u; cudaArray_t a; cudaDeviceProp p; };
        static_assert(sizeof(S) == 32, \"\");
        __global__ void k(S s) {}",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1k1S"]);
}
