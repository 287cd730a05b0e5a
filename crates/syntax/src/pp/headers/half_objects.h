/* The half-precision types as classes, which others are derived from: written for unspool. */
struct __half_object {
    unsigned short __x;
    __half_object() = default;
    __host__ __device__ __half_object(__half h) : __x(__half_as_ushort(h)) {}
    __host__ __device__ operator __half() const { return __ushort_as_half(__x); }
};
struct __nv_bfloat16_object {
    unsigned short __x;
    __nv_bfloat16_object() = default;
    __host__ __device__ __nv_bfloat16_object(__nv_bfloat16 h) : __x(__bfloat16_as_ushort(h)) {}
    __host__ __device__ operator __nv_bfloat16() const { return __ushort_as_bfloat16(__x); }
};
