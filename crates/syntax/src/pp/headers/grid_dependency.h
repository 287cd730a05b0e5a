/* Dependent launches (PTX `griddepcontrol`): written for unspool. */
__device__ __forceinline__ void cudaGridDependencySynchronize() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
