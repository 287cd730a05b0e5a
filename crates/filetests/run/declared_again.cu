// What the toolkit's libraries have under C names, declared once more: generated code does that instead of including headers.

extern "C" __device__ float __nv_logf(float);
extern "C" __device__ int __nv_clz(int);
extern "C" {
__device__ unsigned __nvvm_get_smem_pointer(void *);
__device__ double fabs(double);
}

BEGIN(functions_of_libdevice_were_left_for_the_linker)
    __shared__ int s[4];
    s[1] = 3;
    F(__nv_logf(1.0f)); F(fabs(-2.5)); //= 0.0 2.5
    I(__nv_clz(255)); I(__nvvm_get_smem_pointer(s + 1) - __nvvm_get_smem_pointer(s)); //= 24 4
END
