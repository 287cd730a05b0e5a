/* The description of a tensor that the driver makes and bulk copies take, as of CUDA 13: written for unspool. */
struct alignas(128) CUtensorMap_st { unsigned long long opaque[16]; };
typedef CUtensorMap_st CUtensorMap;
