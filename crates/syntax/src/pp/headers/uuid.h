/* How CUDA names a device: written for unspool. */
struct CUuuid_st { char bytes[16]; };
typedef CUuuid_st CUuuid;
typedef CUuuid_st cudaUUID_t;
