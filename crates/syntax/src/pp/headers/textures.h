/* Texture and surface objects on NVIDIA's GPUs, as PTX has them (ISA, "Texture Instructions", "Surface Instructions"):
   written for unspool. */
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

/* How the four words of a fetch become a value of type T. */
template <class T> struct __unspool_texel;
#define __UNSPOOL_TEXEL(T, W, ...)                                                                                     \
    template <> struct __unspool_texel<T> {                                                                            \
        typedef W words;                                                                                               \
        static __device__ inline T from(W w) { return __VA_ARGS__; }                                                   \
    };
#define __UNSPOOL_TEXELS(S, V, W)                                                                                      \
    __UNSPOOL_TEXEL(S, W, (S)w.x)                                                                                      \
    __UNSPOOL_TEXEL(V##1, W, make_##V##1((S)w.x))                                                                      \
    __UNSPOOL_TEXEL(V##2, W, make_##V##2((S)w.x, (S)w.y))                                                              \
    __UNSPOOL_TEXEL(V##4, W, make_##V##4((S)w.x, (S)w.y, (S)w.z, (S)w.w))
__UNSPOOL_TEXELS(signed char, char, int4)
__UNSPOOL_TEXEL(char, int4, (char)w.x)
__UNSPOOL_TEXELS(unsigned char, uchar, uint4)
__UNSPOOL_TEXELS(short, short, int4)
__UNSPOOL_TEXELS(unsigned short, ushort, uint4)
__UNSPOOL_TEXELS(int, int, int4)
__UNSPOOL_TEXELS(unsigned int, uint, uint4)
__UNSPOOL_TEXELS(float, float, float4)
#undef __UNSPOOL_TEXELS
#undef __UNSPOOL_TEXEL

#define __UNSPOOL_WORDS(C) : "=" C(r.x), "=" C(r.y), "=" C(r.z), "=" C(r.w)
#define __UNSPOOL_FETCH(V, S, C, NAME, GEOMETRY, COORDINATES, PARAMETERS, ...)                                         \
    __device__ inline V __unspool_##NAME(V, cudaTextureObject_t t, PARAMETERS) {                                       \
        V r;                                                                                                           \
        asm(GEOMETRY ".v4." S COORDINATES ";" __UNSPOOL_WORDS(C) : "l"(t), __VA_ARGS__);                               \
        return r;                                                                                                      \
    }
#define __UNSPOOL_COMMA ,
#define __UNSPOOL_FETCHES(V, S, C)                                                                                     \
    __UNSPOOL_FETCH(V, S, C, tex1Dfetch, "tex.1d", ".s32 {%0, %1, %2, %3}, [%4, {%5}]", int x, "r"(x))                 \
    __UNSPOOL_FETCH(V, S, C, tex1D, "tex.1d", ".f32 {%0, %1, %2, %3}, [%4, {%5}]", float x, "f"(x))                    \
    __UNSPOOL_FETCH(V, S, C, tex2D, "tex.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}]",                                 \
                    float x __UNSPOOL_COMMA float y, "f"(x), "f"(y))                                                   \
    __UNSPOOL_FETCH(V, S, C, tex3D, "tex.3d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}]",                         \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z, "f"(x), "f"(y), "f"(z))                   \
    __UNSPOOL_FETCH(V, S, C, texCubemap, "tex.cube", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}]",                  \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z, "f"(x), "f"(y), "f"(z))                   \
    __UNSPOOL_FETCH(V, S, C, tex1DLayered, "tex.a1d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}]",                         \
                    float x __UNSPOOL_COMMA int layer, "r"(layer), "f"(x))                                             \
    __UNSPOOL_FETCH(V, S, C, tex2DLayered, "tex.a2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}]",                 \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA int layer, "r"(layer), "f"(x), "f"(y))             \
    __UNSPOOL_FETCH(V, S, C, texCubemapLayered, "tex.acube", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %8}]",          \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z __UNSPOOL_COMMA int layer,                 \
                    "r"(layer), "f"(x), "f"(y), "f"(z))                                                                \
    __UNSPOOL_FETCH(V, S, C, tex1DLod, "tex.level.1d", ".f32 {%0, %1, %2, %3}, [%4, {%5}], %6",                        \
                    float x __UNSPOOL_COMMA float level, "f"(x), "f"(level))                                           \
    __UNSPOOL_FETCH(V, S, C, tex2DLod, "tex.level.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7",                    \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float level, "f"(x), "f"(y), "f"(level))           \
    __UNSPOOL_FETCH(V, S, C, tex3DLod, "tex.level.3d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8",            \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z __UNSPOOL_COMMA float level,               \
                    "f"(x), "f"(y), "f"(z), "f"(level))                                                                \
    __UNSPOOL_FETCH(V, S, C, tex1DGrad, "tex.grad.1d", ".f32 {%0, %1, %2, %3}, [%4, {%5}], {%6}, {%7}",                \
                    float x __UNSPOOL_COMMA float dx __UNSPOOL_COMMA float dy, "f"(x), "f"(dx), "f"(dy))               \
    __UNSPOOL_FETCH(V, S, C, tex2DGrad, "tex.grad.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}], {%7, %8}, {%9, %10}",   \
                    float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float2 dx __UNSPOOL_COMMA float2 dy,               \
                    "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))                                        \
    __UNSPOOL_FETCH(V, S, C, tex2Dgather0, "tld4.r.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}]",                       \
                    float x __UNSPOOL_COMMA float y, "f"(x), "f"(y))                                                   \
    __UNSPOOL_FETCH(V, S, C, tex2Dgather1, "tld4.g.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}]",                       \
                    float x __UNSPOOL_COMMA float y, "f"(x), "f"(y))                                                   \
    __UNSPOOL_FETCH(V, S, C, tex2Dgather2, "tld4.b.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}]",                       \
                    float x __UNSPOOL_COMMA float y, "f"(x), "f"(y))                                                   \
    __UNSPOOL_FETCH(V, S, C, tex2Dgather3, "tld4.a.2d", ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}]",                       \
                    float x __UNSPOOL_COMMA float y, "f"(x), "f"(y))
__UNSPOOL_FETCHES(float4, "f32", "f")
__UNSPOOL_FETCHES(int4, "s32", "r")
__UNSPOOL_FETCHES(uint4, "u32", "r")
#undef __UNSPOOL_FETCHES
#undef __UNSPOOL_FETCH
#undef __UNSPOOL_WORDS

/* The functions of CUDA, which give a value or write through a pointer. */
#define __UNSPOOL_TEXTURE(NAME, PARAMETERS, ...)                                                                       \
    template <class T> __device__ inline T NAME(cudaTextureObject_t t, PARAMETERS) {                                   \
        typename __unspool_texel<T>::words w = {};                                                                     \
        return __unspool_texel<T>::from(__unspool_##NAME(w, t, __VA_ARGS__));                                          \
    }                                                                                                                  \
    template <class T> __device__ inline void NAME(T *p, cudaTextureObject_t t, PARAMETERS) {                          \
        *p = NAME<T>(t, __VA_ARGS__);                                                                                  \
    }
__UNSPOOL_TEXTURE(tex1Dfetch, int x, x)
__UNSPOOL_TEXTURE(tex1D, float x, x)
__UNSPOOL_TEXTURE(tex2D, float x __UNSPOOL_COMMA float y, x, y)
__UNSPOOL_TEXTURE(tex3D, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z, x, y, z)
__UNSPOOL_TEXTURE(texCubemap, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z, x, y, z)
__UNSPOOL_TEXTURE(tex1DLayered, float x __UNSPOOL_COMMA int layer, x, layer)
__UNSPOOL_TEXTURE(tex2DLayered, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA int layer, x, y, layer)
__UNSPOOL_TEXTURE(texCubemapLayered, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z __UNSPOOL_COMMA int layer,
                  x, y, z, layer)
__UNSPOOL_TEXTURE(tex1DLod, float x __UNSPOOL_COMMA float level, x, level)
__UNSPOOL_TEXTURE(tex2DLod, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float level, x, y, level)
__UNSPOOL_TEXTURE(tex3DLod, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float z __UNSPOOL_COMMA float level,
                  x, y, z, level)
__UNSPOOL_TEXTURE(tex1DGrad, float x __UNSPOOL_COMMA float dx __UNSPOOL_COMMA float dy, x, dx, dy)
__UNSPOOL_TEXTURE(tex2DGrad, float x __UNSPOOL_COMMA float y __UNSPOOL_COMMA float2 dx __UNSPOOL_COMMA float2 dy,
                  x, y, dx, dy)
#undef __UNSPOOL_TEXTURE
/* One component of the four texels that linear filtering would mix. */
template <class T> __device__ inline T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
    typename __unspool_texel<T>::words w = {};
    if (component == 0) w = __unspool_tex2Dgather0(w, t, x, y);
    else if (component == 1) w = __unspool_tex2Dgather1(w, t, x, y);
    else if (component == 2) w = __unspool_tex2Dgather2(w, t, x, y);
    else w = __unspool_tex2Dgather3(w, t, x, y);
    return __unspool_texel<T>::from(w);
}

/* Surfaces move 1, 2, 4, 8 or 16 bytes; `mode` says what happens outside. */
struct __unspool_b8 { unsigned short x; };
struct __unspool_b16 { unsigned short x; };
struct __unspool_b32 { unsigned int x; };
template <int Bytes> struct __unspool_moved;
template <> struct __unspool_moved<1> { typedef __unspool_b8 type; };
template <> struct __unspool_moved<2> { typedef __unspool_b16 type; };
template <> struct __unspool_moved<4> { typedef __unspool_b32 type; };
template <> struct __unspool_moved<8> { typedef uint2 type; };
template <> struct __unspool_moved<16> { typedef uint4 type; };

#define __UNSPOOL_SURFACE_MODE(M, G, PLACE, OPERANDS, W, REGISTERS, C, OUT, IN, S, X, Y, Z)                            \
    if (read)                                                                                                          \
        asm volatile("suld.b." G W M " " REGISTERS ", " PLACE(S, X, Y, Z) ";"                                          \
                     : OUT("=" C) : "l"(s), OPERANDS() : "memory");                                                    \
    else                                                                                                               \
        asm volatile("sust.b." G W M " " PLACE(S, X, Y, Z) ", " REGISTERS ";" ::IN(C), "l"(s), OPERANDS() : "memory");
#define __UNSPOOL_SURFACE(NAME, G, PLACE, PARAMETERS, OPERANDS, TYPE, ...)                                             \
    __device__ inline void __unspool_##NAME(bool read, TYPE &v, cudaSurfaceObject_t s, PARAMETERS(), int mode) {       \
        if (mode == cudaBoundaryModeTrap) {                                                                            \
            __UNSPOOL_SURFACE_MODE(".trap", G, PLACE, OPERANDS, __VA_ARGS__)                                           \
        } else if (mode == cudaBoundaryModeClamp) {                                                                    \
            __UNSPOOL_SURFACE_MODE(".clamp", G, PLACE, OPERANDS, __VA_ARGS__)                                          \
        } else {                                                                                                       \
            __UNSPOOL_SURFACE_MODE(".zero", G, PLACE, OPERANDS, __VA_ARGS__)                                           \
        }                                                                                                              \
    }
#define __UNSPOOL_OUT1(C) C(v.x)
#define __UNSPOOL_OUT2(C) C(v.x), C(v.y)
#define __UNSPOOL_OUT4(C) C(v.x), C(v.y), C(v.z), C(v.w)
/* The functions of CUDA for one geometry: bytes count along x. */
#define __UNSPOOL_SURFACES(NAME, G, PLACE, PARAMETERS, OPERANDS, ARGUMENTS)                                            \
    __UNSPOOL_SURFACE(NAME, G, PLACE, PARAMETERS, OPERANDS, __unspool_b8, ".b8", "{%0}", "h", __UNSPOOL_OUT1,          \
                      __UNSPOOL_OUT1, "%1", "%2", "%3", "%4")                                                          \
    __UNSPOOL_SURFACE(NAME, G, PLACE, PARAMETERS, OPERANDS, __unspool_b16, ".b16", "{%0}", "h", __UNSPOOL_OUT1,        \
                      __UNSPOOL_OUT1, "%1", "%2", "%3", "%4")                                                          \
    __UNSPOOL_SURFACE(NAME, G, PLACE, PARAMETERS, OPERANDS, __unspool_b32, ".b32", "{%0}", "r", __UNSPOOL_OUT1,        \
                      __UNSPOOL_OUT1, "%1", "%2", "%3", "%4")                                                          \
    __UNSPOOL_SURFACE(NAME, G, PLACE, PARAMETERS, OPERANDS, uint2, ".v2.b32", "{%0, %1}", "r", __UNSPOOL_OUT2,         \
                      __UNSPOOL_OUT2, "%2", "%3", "%4", "%5")                                                          \
    __UNSPOOL_SURFACE(NAME, G, PLACE, PARAMETERS, OPERANDS, uint4, ".v4.b32", "{%0, %1, %2, %3}", "r",                 \
                      __UNSPOOL_OUT4, __UNSPOOL_OUT4, "%4", "%5", "%6", "%7")                                          \
    template <class T>                                                                                                 \
    __device__ inline T NAME##read(cudaSurfaceObject_t s, PARAMETERS(),                                                \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                              \
        typename __unspool_moved<sizeof(T)>::type v;                                                                   \
        __unspool_##NAME(true, v, s, ARGUMENTS(), mode);                                                               \
        T r;                                                                                                           \
        memcpy(&r, &v, sizeof(T));                                                                                     \
        return r;                                                                                                      \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    __device__ inline void NAME##read(T *p, cudaSurfaceObject_t s, PARAMETERS(),                                       \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                           \
        *p = NAME##read<T>(s, ARGUMENTS(), mode);                                                                      \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    __device__ inline void NAME##write(T value, cudaSurfaceObject_t s, PARAMETERS(),                                   \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
        typename __unspool_moved<sizeof(T)>::type v = {};                                                              \
        memcpy(&v, &value, sizeof(T));                                                                                 \
        __unspool_##NAME(false, v, s, ARGUMENTS(), mode);                                                              \
    }
#define __UNSPOOL_PLACE1(S, X, Y, Z) "[" S ", {" X "}]"
#define __UNSPOOL_PLACE2(S, X, Y, Z) "[" S ", {" X ", " Y "}]"
#define __UNSPOOL_PLACE3(S, X, Y, Z) "[" S ", {" X ", " Y ", " Z ", " Z "}]"
#define __UNSPOOL_PARAMETERS1() int x
#define __UNSPOOL_PARAMETERS2() int x, int y
#define __UNSPOOL_PARAMETERS3() int x, int y, int z
#define __UNSPOOL_OPERANDS1() "r"(x)
#define __UNSPOOL_OPERANDS2() "r"(x), "r"(y)
#define __UNSPOOL_OPERANDS3() "r"(x), "r"(y), "r"(z)
/* The layer is the first coordinate in PTX and the last in CUDA. */
#define __UNSPOOL_LAYER1() "r"(y), "r"(x)
#define __UNSPOOL_LAYER2() "r"(z), "r"(x), "r"(y)
#define __UNSPOOL_ARGUMENTS1() x
#define __UNSPOOL_ARGUMENTS2() x, y
#define __UNSPOOL_ARGUMENTS3() x, y, z
__UNSPOOL_SURFACES(surf1D, "1d", __UNSPOOL_PLACE1, __UNSPOOL_PARAMETERS1, __UNSPOOL_OPERANDS1, __UNSPOOL_ARGUMENTS1)
__UNSPOOL_SURFACES(surf2D, "2d", __UNSPOOL_PLACE2, __UNSPOOL_PARAMETERS2, __UNSPOOL_OPERANDS2, __UNSPOOL_ARGUMENTS2)
__UNSPOOL_SURFACES(surf3D, "3d", __UNSPOOL_PLACE3, __UNSPOOL_PARAMETERS3, __UNSPOOL_OPERANDS3, __UNSPOOL_ARGUMENTS3)
__UNSPOOL_SURFACES(surf1DLayered, "a1d", __UNSPOOL_PLACE2, __UNSPOOL_PARAMETERS2, __UNSPOOL_LAYER1, __UNSPOOL_ARGUMENTS2)
__UNSPOOL_SURFACES(surf2DLayered, "a2d", __UNSPOOL_PLACE3, __UNSPOOL_PARAMETERS3, __UNSPOOL_LAYER2, __UNSPOOL_ARGUMENTS3)
