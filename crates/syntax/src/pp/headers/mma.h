/* Products of matrices that a warp makes together: written for unspool. The instructions are PTX's; elsewhere they
   become shuffles and sums. */
namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major { static constexpr char __name[] = "row"; };
struct col_major { static constexpr char __name[] = "col"; };
struct matrix_a { static constexpr char __part[] = "a"; };
struct matrix_b { static constexpr char __part[] = "b"; };
struct accumulator { static constexpr char __part[] = "c"; };

namespace precision {
struct tf32 {};
}
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

/* Types of elements: what stands for them in memory and in fragments, in what registers they are, how many to one, and
   their names in instructions: alone, and where factors are named. */
template <class T> struct __element { static constexpr bool __known = false; };
#define __wmma_element(T, Stored, Memory, Register, packed, name, factors)                                             \
    template <> struct __element<T> {                                                                                  \
        static constexpr bool __known = true;                                                                          \
        typedef Stored __stored;                                                                                       \
        typedef Memory __memory;                                                                                       \
        typedef Register __register;                                                                                   \
        static constexpr int __packed = packed;                                                                        \
        static constexpr char __type[] = name;                                                                         \
        static constexpr char __factors[] = factors;                                                                   \
    };
__wmma_element(__half, __half, __half, unsigned, 2, "f16", "")
__wmma_element(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, unsigned, 2, "bf16", ".bf16.bf16")
__wmma_element(precision::tf32, float, float, unsigned, 1, "tf32", ".tf32.tf32")
__wmma_element(float, float, float, float, 1, "f32", "")
__wmma_element(double, double, double, double, 1, "f64", ".f64.f64")
__wmma_element(signed char, signed char, signed char, unsigned, 4, "s8", ".s8.s8")
__wmma_element(char, char, char, unsigned, 4, "s8", ".s8.s8")
__wmma_element(unsigned char, unsigned char, unsigned char, unsigned, 4, "u8", ".u8.u8")
__wmma_element(experimental::precision::s4, int, void, unsigned, 8, "s4", ".s4.s4")
__wmma_element(experimental::precision::u4, unsigned, void, unsigned, 8, "u4", ".u4.u4")
__wmma_element(experimental::precision::b1, unsigned, void, unsigned, 32, "b1", ".b1.b1")
__wmma_element(int, int, int, unsigned, 1, "s32", "")
#undef __wmma_element

template <class T, class U> struct __same_type { static constexpr bool __value = false; };
template <class T> struct __same_type<T, T> { static constexpr bool __value = true; };
template <class T, class U> constexpr bool __same = __same_type<T, U>::__value;
template <class T> constexpr bool __subbyte = __same<T, experimental::precision::s4> || __same<T, experimental::precision::u4> || __same<T, experimental::precision::b1>;
template <class T> constexpr bool __byte = __same<T, signed char> || __same<T, char> || __same<T, unsigned char>;

/* The shapes that there are. */
template <int m, int n, int k> struct __shape_of { static constexpr int __family = 0; static constexpr char __shape[] = ""; };
#define __wmma_shape(m, n, k, family)                                                                                  \
    template <> struct __shape_of<m, n, k> {                                                                           \
        static constexpr int __family = family;                                                                        \
        static constexpr char __shape[] = "m" #m "n" #n "k" #k;                                                        \
    };
__wmma_shape(16, 16, 16, 1)
__wmma_shape(32, 8, 16, 1)
__wmma_shape(8, 32, 16, 1)
__wmma_shape(16, 16, 8, 2)
__wmma_shape(8, 8, 4, 3)
__wmma_shape(8, 8, 32, 4)
__wmma_shape(8, 8, 128, 5)
#undef __wmma_shape

template <class Use, class T> constexpr bool __factor_of(int family) {
    return family == 1   ? __same<T, __half> || __same<T, __nv_bfloat16> || __byte<T>
           : family == 2 ? __same<T, precision::tf32>
           : family == 3 ? __same<T, double>
           : family == 4 ? __same<T, experimental::precision::s4> || __same<T, experimental::precision::u4>
           : family == 5 ? __same<T, experimental::precision::b1>
                         : false;
}
template <class T> constexpr bool __sum_of(int family) {
    return family == 1   ? __same<T, float> || __same<T, __half> || __same<T, int>
           : family == 2 ? __same<T, float>
           : family == 3 ? __same<T, double>
                         : family != 0 && __same<T, int>;
}

/* How many elements a lane has. Half precision is held by two lanes or more. Matrices of 16x16 are over all of 64 lanes where the
   machine multiplies them so; all others are over 32, in both halves of 64 the same. */
template <int m, int n, int k> constexpr int __elements(int over_32) {
#ifdef __unspool_matrix_quarters
    return m == 16 && n == 16 && k == 16 ? 4 : over_32;
#else
    return over_32;
#endif
}

/* What all fragments have. */
template <class Use, int m, int n, int k, class T, int size> struct alignas(8) __fragment {
    typedef T element_type;
    typedef typename __element<T>::__stored storage_element_type;
    enum { num_elements = size };
    enum { num_storage_elements = __subbyte<T> ? (size + __element<T>::__packed - 1) / __element<T>::__packed : size };
    storage_element_type x[num_storage_elements];
    typedef typename __element<T>::__register __register;
    static constexpr int __registers = (size + __element<T>::__packed - 1) / __element<T>::__packed;
    static constexpr const char *__part = Use::__part, *__shape = __shape_of<m, n, k>::__shape, *__type = __element<T>::__type;
    __device__ __register *__words() { return reinterpret_cast<__register *>(x); }
    __device__ const __register *__words() const { return reinterpret_cast<const __register *>(x); }
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
    static_assert(__same<Use, fragment>, "there is no such nvcuda::wmma::fragment: multiplied are __half, __nv_bfloat16, signed char and unsigned char as 16x16x16, 32x8x16 and 8x32x16, precision::tf32 as 16x16x8, double as 8x8x4, s4 and u4 as 8x8x32, b1 as 8x8x128, each with row_major or col_major; accumulator fragments have no layout");
};
#define __wmma_factor(Use, Layout, size)                                                                               \
    template <int m, int n, int k, class T> class fragment<Use, m, n, k, T, Layout>                                    \
        : public __fragment<Use, m, n, k, T, __elements<m, n, k>(__same<T, __half> ? 16 : size * k / 32)> {           \
        static_assert(__factor_of<Use, T>(__shape_of<m, n, k>::__family), "there is no such nvcuda::wmma::fragment: __half, __nv_bfloat16, signed char and unsigned char have the shapes 16x16x16, 32x8x16 and 8x32x16, precision::tf32 has 16x16x8, double 8x8x4, s4 and u4 8x8x32, b1 8x8x128"); \
        static_assert(!__subbyte<T> || __same<Layout, row_major> == __same<Use, matrix_a>, "fragments of s4, u4 and b1 are row_major for matrix_a and col_major for matrix_b"); \
                                                                                                                       \
    public:                                                                                                            \
        static constexpr const char *__layout = Layout::__name;                                                        \
    };
__wmma_factor(matrix_a, row_major, m)
__wmma_factor(matrix_a, col_major, m)
__wmma_factor(matrix_b, row_major, n)
__wmma_factor(matrix_b, col_major, n)
#undef __wmma_factor
template <int m, int n, int k, class T> class fragment<accumulator, m, n, k, T, void> : public __fragment<accumulator, m, n, k, T, __elements<m, n, k>(m * n / 32)> {
    static_assert(__sum_of<T>(__shape_of<m, n, k>::__family), "there is no such nvcuda::wmma::fragment: sums are float or __half where __half is multiplied, float with __nv_bfloat16 and tf32, int with integers and bits, double with double, each in the shape of its factors");
};

template <int n> struct __count {};
template <class F, class L> __device__ inline void __load(unsigned *r, __count<1>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%3.sync.aligned.%4.%5.%6 {%0}, [%1], %2;"
                 : "=r"(r[0])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __load(unsigned *r, __count<2>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%4.sync.aligned.%5.%6.%7 {%0, %1}, [%2], %3;"
                 : "=r"(r[0]), "=r"(r[1])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __load(unsigned *r, __count<4>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%6.sync.aligned.%7.%8.%9 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __load(unsigned *r, __count<8>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%10.sync.aligned.%11.%12.%13 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __load(float *r, __count<8>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%10.sync.aligned.%11.%12.%13 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __load(double *r, __count<1>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%3.sync.aligned.%4.%5.%6 {%0}, [%1], %2;"
                 : "=d"(r[0])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __load(double *r, __count<2>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%4.sync.aligned.%5.%6.%7 {%0, %1}, [%2], %3;"
                 : "=d"(r[0]), "=d"(r[1])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __store(void *p, const unsigned *r, __count<2>, unsigned ldm) {
    asm volatile("wmma.store.d.sync.aligned.%4.%5.%6 [%0], {%1, %2}, %3;"
                 :: "l"(p), "r"(r[0]), "r"(r[1]), "r"(ldm), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __store(void *p, const unsigned *r, __count<4>, unsigned ldm) {
    asm volatile("wmma.store.d.sync.aligned.%6.%7.%8 [%0], {%1, %2, %3, %4}, %5;"
                 :: "l"(p), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(ldm), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __store(void *p, const unsigned *r, __count<8>, unsigned ldm) {
    asm volatile("wmma.store.d.sync.aligned.%10.%11.%12 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
                 :: "l"(p), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]), "r"(ldm), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __store(void *p, const float *r, __count<8>, unsigned ldm) {
    asm volatile("wmma.store.d.sync.aligned.%10.%11.%12 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;"
                 :: "l"(p), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]), "f"(r[6]), "f"(r[7]), "r"(ldm), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __store(void *p, const double *r, __count<2>, unsigned ldm) {
    asm volatile("wmma.store.d.sync.aligned.%4.%5.%6 [%0], {%1, %2}, %3;"
                 :: "l"(p), "d"(r[0]), "d"(r[1]), "r"(ldm), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<8>, const unsigned *a, __count<8>, const unsigned *b, __count<8>, const float *c, __count<8>) {
    asm volatile("wmma.mma%38.sync.aligned.%32.%33.%34.%35%36.%37%39"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23},"
                 " {%24, %25, %26, %27, %28, %29, %30, %31};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<4>, const unsigned *a, __count<8>, const unsigned *b, __count<8>, const unsigned *c, __count<4>) {
    asm volatile("wmma.mma%30.sync.aligned.%24.%25.%26.%27%28.%29%31"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19},"
                 " {%20, %21, %22, %23};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
                   "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<8>, const unsigned *a, __count<8>, const unsigned *b, __count<8>, const unsigned *c, __count<4>) {
    asm volatile("wmma.mma%34.sync.aligned.%28.%29.%30.%31%32.%33%35"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23},"
                 " {%24, %25, %26, %27};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
                   "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<4>, const unsigned *a, __count<8>, const unsigned *b, __count<8>, const float *c, __count<8>) {
    asm volatile("wmma.mma%34.sync.aligned.%28.%29.%30.%31%32.%33%35"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19},"
                 " {%20, %21, %22, %23, %24, %25, %26, %27};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<8>, const unsigned *a, __count<4>, const unsigned *b, __count<4>, const float *c, __count<8>) {
    asm volatile("wmma.mma%30.sync.aligned.%24.%25.%26.%27%28.%29%31"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15},"
                 " {%16, %17, %18, %19, %20, %21, %22, %23};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<8>, const unsigned *a, __count<8>, const unsigned *b, __count<2>, const float *c, __count<8>) {
    asm volatile("wmma.mma%32.sync.aligned.%26.%27.%28.%29%30.%31%33"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17},"
                 " {%18, %19, %20, %21, %22, %23, %24, %25};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
                   "r"(b[0]), "r"(b[1]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<8>, const unsigned *a, __count<2>, const unsigned *b, __count<8>, const float *c, __count<8>) {
    asm volatile("wmma.mma%32.sync.aligned.%26.%27.%28.%29%30.%31%33"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17},"
                 " {%18, %19, %20, %21, %22, %23, %24, %25};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]), "=f"(d[7])
                 : "r"(a[0]), "r"(a[1]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]),
                   "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<8>, const unsigned *a, __count<2>, const unsigned *b, __count<2>, const unsigned *c, __count<8>) {
    asm volatile("wmma.mma%26.sync.aligned.%20.%21.%22.%23%24.%25%27"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11},"
                 " {%12, %13, %14, %15, %16, %17, %18, %19};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])
                 : "r"(a[0]), "r"(a[1]),
                   "r"(b[0]), "r"(b[1]),
                   "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<8>, const unsigned *a, __count<4>, const unsigned *b, __count<1>, const unsigned *c, __count<8>) {
    asm volatile("wmma.mma%27.sync.aligned.%21.%22.%23.%24%25.%26%28"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12},"
                 " {%13, %14, %15, %16, %17, %18, %19, %20};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                   "r"(b[0]),
                   "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<8>, const unsigned *a, __count<1>, const unsigned *b, __count<4>, const unsigned *c, __count<8>) {
    asm volatile("wmma.mma%27.sync.aligned.%21.%22.%23.%24%25.%26%28"
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12},"
                 " {%13, %14, %15, %16, %17, %18, %19, %20};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])
                 : "r"(a[0]),
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
                   "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<2>, const unsigned *a, __count<1>, const unsigned *b, __count<1>, const unsigned *c, __count<2>) {
    asm volatile("wmma.mma%12.sync.aligned.%6.%7.%8.%9%10.%11%13"
                 " {%0, %1}, {%2}, {%3},"
                 " {%4, %5};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]),
                   "r"(b[0]),
                   "r"(c[0]), "r"(c[1]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(double *d, __count<2>, const double *a, __count<1>, const double *b, __count<1>, const double *c, __count<2>) {
    asm volatile("wmma.mma%12.sync.aligned.%6.%7.%8.%9%10.%11%13"
                 " {%0, %1}, {%2}, {%3},"
                 " {%4, %5};"
                 : "=d"(d[0]), "=d"(d[1])
                 : "d"(a[0]),
                   "d"(b[0]),
                   "d"(c[0]), "d"(c[1]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
#ifdef __unspool_matrix_quarters
template <class F, class L> __device__ inline void __load(float *r, __count<4>, const void *p, unsigned ldm) {
    asm volatile("wmma.load.%6.sync.aligned.%7.%8.%9 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3])
                 : "l"(p), "r"(ldm), "C"(F::__part), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class F, class L> __device__ inline void __store(void *p, const float *r, __count<4>, unsigned ldm) {
    asm volatile("wmma.store.d.sync.aligned.%6.%7.%8 [%0], {%1, %2, %3, %4}, %5;"
                 :: "l"(p), "f"(r[0]), "f"(r[1]), "f"(r[2]), "f"(r[3]), "r"(ldm), "C"(L::__name), "C"(F::__shape), "C"(F::__type) : "memory");
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<4>, const unsigned *a, __count<2>, const unsigned *b, __count<2>, const float *c, __count<4>) {
    asm volatile("wmma.mma%18.sync.aligned.%12.%13.%14.%15%16.%17%19"
                 " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<2>, const unsigned *a, __count<2>, const unsigned *b, __count<2>, const unsigned *c, __count<2>) {
    asm volatile("wmma.mma%14.sync.aligned.%8.%9.%10.%11%12.%13%15"
                 " {%0, %1}, {%2, %3}, {%4, %5}, {%6, %7};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(float *d, __count<4>, const unsigned *a, __count<2>, const unsigned *b, __count<2>, const unsigned *c, __count<2>) {
    asm volatile("wmma.mma%16.sync.aligned.%10.%11.%12.%13%14.%15%17"
                 " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<2>, const unsigned *a, __count<2>, const unsigned *b, __count<2>, const float *c, __count<4>) {
    asm volatile("wmma.mma%16.sync.aligned.%10.%11.%12.%13%14.%15%17"
                 " {%0, %1}, {%2, %3}, {%4, %5}, {%6, %7, %8, %9};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
template <class O, class D, class A, class B, class C> __device__ inline void __multiply(unsigned *d, __count<4>, const unsigned *a, __count<1>, const unsigned *b, __count<1>, const unsigned *c, __count<4>) {
    asm volatile("wmma.mma%16.sync.aligned.%10.%11.%12.%13%14.%15%17"
                 " {%0, %1, %2, %3}, {%4}, {%5}, {%6, %7, %8, %9};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),
                   "C"(A::__layout), "C"(B::__layout), "C"(D::__shape), "C"(D::__type), "C"(O::__types), "C"(C::__type), "C"(O::__what), "C"(O::__end));
}
#endif

template <class Use, int m, int n, int k, class T, class Layout>
__device__ inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const typename __element<T>::__memory *p, unsigned ldm) {
    static_assert(!__same<Use, accumulator>, "load_matrix_sync of an accumulator needs the layout: mem_row_major or mem_col_major");
    __load<fragment<Use, m, n, k, T, Layout>, Layout>(f.__words(), __count<fragment<Use, m, n, k, T, Layout>::__registers>(), p, ldm);
}
template <int m, int n, int k, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned ldm, layout_t layout) {
    typedef fragment<accumulator, m, n, k, T> F;
    if (layout == mem_row_major) __load<F, row_major>(f.__words(), __count<F::__registers>(), p, ldm);
    else __load<F, col_major>(f.__words(), __count<F::__registers>(), p, ldm);
}
template <int m, int n, int k, class T>
__device__ inline void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ldm, layout_t layout) {
    typedef fragment<accumulator, m, n, k, T> F;
    if (layout == mem_row_major) __store<F, row_major>(p, f.__words(), __count<F::__registers>(), ldm);
    else __store<F, col_major>(p, f.__words(), __count<F::__registers>(), ldm);
}

template <class Use, int m, int n, int k, class T, class Layout>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const typename __element<T>::__stored &value) {
    typename __element<T>::__stored v = value;
    if constexpr (__same<T, experimental::precision::b1>) v = (v & 1) ? ~0u : 0u;
    else if constexpr (__subbyte<T>) v = (v & 15) * 0x11111111u;
#pragma unroll
    for (int i = 0; i < fragment<Use, m, n, k, T, Layout>::num_storage_elements; i++) f.x[i] = v;
}

/* The words of an instruction that depend on what is multiplied. */
template <class T> struct __plain {
    static constexpr const char *__types = __element<T>::__factors;
    static constexpr char __what[] = "";
    static constexpr char __end[] = "";
};
template <class T> struct __saturating {
    static constexpr const char *__types = __element<T>::__factors;
    static constexpr char __what[] = "";
    static constexpr char __end[] = ".satfinite";
};
struct __xor_popc {
    static constexpr char __types[] = ".b1.b1";
    static constexpr char __what[] = ".xor.popc";
    static constexpr char __end[] = "";
};
struct __and_popc {
    static constexpr char __types[] = ".b1.b1";
    static constexpr char __what[] = ".and.popc";
    static constexpr char __end[] = "";
};
template <class O, class D, class A, class B, class C> __device__ inline void __mma(D &d, const A &a, const B &b, const C &c) {
    __multiply<O, D, A, B, C>(d.__words(), __count<D::__registers>(), a.__words(), __count<A::__registers>(), b.__words(),
                              __count<B::__registers>(), c.__words(), __count<C::__registers>());
}

template <int m, int n, int k, class TD, class T, class LA, class LB, class TC>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, TD> &d, const fragment<matrix_a, m, n, k, T, LA> &a,
                                const fragment<matrix_b, m, n, k, T, LB> &b, const fragment<accumulator, m, n, k, TC> &c, bool satf = false) {
    constexpr bool integers = __byte<T> || __subbyte<T>;
    static_assert(!__same<T, experimental::precision::b1>, "bits are multiplied by bmma_sync");
    static_assert(integers ? __same<TD, int> && __same<TC, int>
                  : __same<T, __half> ? !__same<TD, int> && !__same<TC, int>
                  : __same<T, double> || __same<TD, float> && __same<TC, float>,
                  "mma_sync: sums are float or __half where __half is multiplied, float with __nv_bfloat16 and tf32, int with integers, double with double");
    if constexpr (integers) {
        if (satf) __mma<__saturating<T>>(d, a, b, c);
        else __mma<__plain<T>>(d, a, b, c);
    } else {
        __mma<__plain<T>>(d, a, b, c);
    }
}
template <int m, int n, int k>
__device__ inline void bmma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, experimental::precision::b1, row_major> &a,
                                 const fragment<matrix_b, m, n, k, experimental::precision::b1, col_major> &b,
                                 const fragment<accumulator, m, n, k, int> &c, experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                                 experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    if (op == experimental::bmmaBitOpAND) __mma<__and_popc>(d, a, b, c);
    else __mma<__xor_popc>(d, a, b, c);
}

/* A number of single precision rounded to what tensor cores keep of it, ten bits behind the point; halfway away from zero. */
__device__ inline float __float_to_tf32(float v) {
    float r;
    asm("{.reg .b32 t;\n\tcvt.rna.tf32.f32 t, %1;\n\tmov.b32 %0, t;}" : "=f"(r) : "f"(v));
    return r;
}
}
}
