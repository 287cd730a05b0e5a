// CUDA's C++ library in device code (<cuda/std/...>), and the comparisons of dynamic programming.

#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__device__ cuda::std::optional<int> find(const cuda::std::array<int, 4> &a, int what) {
    for (int i = 0; i < 4; i++)
        if (a[i] == what) return i;
    return cuda::std::nullopt;
}
template <class T> __device__ cuda::std::enable_if_t<cuda::std::is_floating_point<T>::value, T> half_of(T v) { return v / 2; }
template <class T> __device__ cuda::std::enable_if_t<cuda::std::is_integral<T>::value, T> half_of(T v) { return v >> 1; }

BEGIN(standard_library)
    cuda::std::array<int, 4> a{1, 2, V(3), 4};
    int s = 0;
    for (int v : a) s += v;
    I(s); I(a.size()); I(a.back()); //= 10 4 4
    auto at = find(a, V(3));
    I(at.has_value()); I(*at); I(find(a, V(9)).value_or(-1)); //= 1 2 -1
    cuda::std::tuple<int, float, char> t(V(7), 2.5f, 'x');
    I(cuda::std::get<0>(t)); F(cuda::std::get<1>(t)); I(cuda::std::get<2>(t) == 'x'); //= 7 2.5 1
    cuda::std::get<0>(t) = 8;
    I(cuda::std::get<0>(t)); I(cuda::std::tuple_size<decltype(t)>::value); //= 8 3
    auto p = cuda::std::make_pair(V(3), 4.5f);
    I(p.first); F(p.second); //= 3 4.5
    int x = V(1), y = V(2);
    cuda::std::swap(x, y);
    I(x); I(y); //= 2 1
    F(half_of(V(5.0f))); I(half_of(V(5))); //= 2.5 2
    I(cuda::std::numeric_limits<int>::max() == 0x7fffffff); //= 1
    F(cuda::std::sqrt(V(2.25f))); I(cuda::std::max(x, y)); //= 1.5 2
    cuda::std::complex<float> c(V(1.0f), 2.0f), d(3.0f, V(-1.0f));
    cuda::std::complex<float> e = c * d + c;
    F(e.real()); F(e.imag()); F(cuda::std::norm(c)); F(conj(c).imag()); //= 6.0 7.0 5.0 -2.0
END

__device__ int total;
BEGIN(library_atomics)
    cuda::atomic_ref<int, cuda::thread_scope_device> r(total);
    I(r.fetch_add(V(5)) >= 0); I(r.load() >= 5); //= 1 1
    __shared__ cuda::atomic<int, cuda::thread_scope_block> n;
    n.store(V(3));
    int expected = 3;
    I(n.compare_exchange_strong(expected, 4)); I(n.fetch_max(V(9))); I(n.load()); //= 1 4 9
END

BEGIN(dpx)
    I(__viaddmax_s32(V(5), -9, -2)); I(__viaddmax_s32_relu(V(5), -9, -2)); I(__viaddmin_s32(V(5), 9, 20)); //= -2 0 14
    I(__vimax3_s32(V(1), 7, -4)); I(__vimin3_s32_relu(V(1), 7, -4)); I(__vimax3_u32(V(1), 7u, 0xffffffffu)); //= 7 0 4294967295
    I(__viaddmax_s16x2(V(0x7fff0001), 0x00010002, 0x00050001)); //= 327683
    I(__viaddmax_s16x2_relu(V(0x00030001), 0xfff0fff0, 0x80008000)); //= 0
    I(__vimin3_u16x2(V(0x0003ffff), 0x00040005, 0x00090007)); //= 196613
    bool high, low;
    I(__vibmax_s16x2(V(0x0003ffff), 0x00040005, &high, &low)); I(high); I(low); //= 262149 0 0
    bool first;
    I(__vibmin_s32(V(-3), 4, &first)); I(first); //= -3 1
END
