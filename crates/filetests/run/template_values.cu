// Values as template arguments: the types they have in packs, and which parameters take them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <long... N> __device__ auto tv_sum() { return (N + ...); }
template <unsigned... N> struct TvBelow { static constexpr bool any = ((N - 5 < 0) || ...); };
template <class T, T... N> struct TvSequence { static constexpr int size = sizeof(decltype((N, ...))); static constexpr T sum = (T(0) + ... + N); };
template <class... T> struct TvEach { template <T... V> __device__ static int size() { return (int)sizeof(decltype((V, ...))); } };

BEGIN(packs_of_values_have_their_parameters_type)
    I(sizeof(tv_sum<1, 2>())); I(TvBelow<1, 2>::any); I(TvSequence<long, 1, 2>::size); I(TvSequence<char, 100, 100>::size); //= 8 0 8 1
    I(TvSequence<unsigned char, 200, 100>::sum); I(TvEach<char, short>::size<1, 2>()); //= 44 2
END

enum class TvOp : int { add, most, least };
enum TvPlain { tv_one = 1, tv_two };
template <class T, TvOp O, int W = 32> __device__ int tv_reduce(T v) { return v * 10 + W; }
template <class T, TvOp O, TvOp P, int W = 32> __device__ int tv_reduce(T v) { return v * 1000 + W; }
template <TvOp O, TvOp... More> __device__ int tv_count() { return 1 + sizeof...(More); }
template <int N> __device__ int tv_of() { return N; }
template <TvPlain N> __device__ int tv_of() { return 100 + N; }

BEGIN(numbers_are_no_enumerators)
    I(tv_reduce<int, TvOp::add, 4>(V(3))); I(tv_reduce<int, TvOp::add, TvOp::most, 4>(V(3))); //= 34 3004
    I(tv_reduce<int, TvOp::add, TvOp::most>(V(3))); I(tv_reduce<int, TvOp::least>(V(3))); //= 3032 62
    I(tv_count<TvOp::add, TvOp::most, TvOp::least>()); I(tv_of<7>()); I(tv_of<3 - 1>()); //= 3 7 2
END

template <class K, class W> struct alignas(16) TvPair { K key; W value; };
template <class T> struct TvWord { static constexpr int size = sizeof(T), align = alignof(T); };

BEGIN(arrays_complete_the_class_of_their_elements)
    I(TvWord<TvPair<int, char>[3]>::size); I(TvWord<TvPair<char, char>[2][2]>::align); //= 48 16
    I(alignof(TvPair<short, long>[5])); I(sizeof(TvPair<long, short>[2][3])); //= 16 96
END

struct TvParts { int a; union { float f; int i; int list[4]; struct { short x, y; } in; }; double d; struct { int p, q; }; };
template <int TvParts::*M> __device__ int tv_member(const TvParts &s) { return s.*M; }
template <class T, class C> __device__ T tv_read(const C &c, T C::*m) { return c.*m; }

BEGIN(members_of_anonymous_unions_are_the_classs_own)
    TvParts s;
    s.a = V(1); s.q = V(9); s.i = V(7);
    int TvParts::*m = &TvParts::i;
    I(s.*m); I(tv_member<&TvParts::i>(s) + tv_member<&TvParts::a>(s) + tv_member<&TvParts::q>(s)); //= 7 17
    I(tv_read(s, &TvParts::i)); //= 7
    int (TvParts::*list)[4] = &TvParts::list;
    (s.*list)[2] = V(5);
    I(s.list[2]); //= 5
END

BEGIN(the_bits_of_half_precision_numbers)
    constexpr __half2_raw zero = {0x0001, 0x7C00};
    __half_raw r = __float2half(V(1.0f)), two = {0x4000}, one;
    one.x = 0x3c00;
    __nv_bfloat16_raw b = __float2bfloat16(V(2.0f));
    __half s = __half(one) + __half(two);
    I(r.x); I(b.x); I(__half_as_ushort(s)); I(sizeof(zero) + alignof(__half2_raw)); I(zero.y); //= 15360 16384 16896 8 31744
END
