//@ file std=20
// Durations and points of time, and the library's suffixes for them.

#include <chrono>

using namespace std::chrono_literals;
namespace cl = std::chrono;
typedef cl::duration<float> cl_float_seconds;
typedef cl::duration<long, std::ratio<1, 30>> cl_frames;

BEGIN(durations_of_any_unit_are_numbers)
    constexpr auto ms = cl::duration_cast<cl::milliseconds>(cl::seconds(3) + 250us);
    I(ms.count()); I((2h + 3min).count()); I((7s % 4s).count()); I((10s / 4).count()); I(10s / 3s); //= 3000 123 3 2 3
    cl_float_seconds f = cl::milliseconds(V(1500));
    F(f.count()); F((f * 2).count()); F((0.5f * f).count()); //= 1.5 3.0 0.75
    I(cl::floor<cl::seconds>(-cl::milliseconds(V(1500))).count()); I(cl::ceil<cl::seconds>(cl::milliseconds(V(1001))).count()); //= -2 2
    cl_frames frames(V(90));
    I(cl::duration_cast<cl::milliseconds>(frames).count()); I((frames == cl::seconds(3)) + (frames < 4s) + (frames >= 2999ms)); //= 3000 3
    I((cl::milliseconds(V(7)) + cl::microseconds(V(3))).count()); I((cl::hours(V(1)) - cl::minutes(V(90))).count()); //= 7003 -30
    auto n = cl::nanoseconds(V(5));
    ++n; n += 2ns; n *= V(3);
    I(n.count()); I((-n).count()); I(cl::seconds::zero().count()); //= 24 -24 0
    I(std::is_convertible<cl::seconds, cl::milliseconds>::value); I(std::is_convertible<cl::milliseconds, cl::seconds>::value); //= 1 0
    I(std::is_same<std::common_type_t<cl::milliseconds, cl_frames>::period, std::ratio<1, 3000>>::value); //= 1
END

BEGIN(points_of_time_are_durations_since)
    typedef cl::steady_clock::time_point point;
    point a(cl::nanoseconds(V(1000))), b = a + cl::microseconds(V(2));
    I((b - a).count()); I(b > a); I(point().time_since_epoch().count()); I(sizeof(point)); //= 2000 1 0 8
    I(cl::time_point_cast<cl::microseconds>(b).time_since_epoch().count()); //= 3
END

// A number of more digits than any type has is taken by its spelling.
template <char... C> __device__ constexpr int cl_digits() { return sizeof...(C); }
template <char... C> __device__ constexpr int operator""_digits() { return cl_digits<C...>(); }
__device__ constexpr int operator""_first(const char *s) { return s[2]; }
template <int N> struct ClHolds {
    template <class T> struct mapping {
        T v;
        __device__ mapping(T a, int) : v(a + N) {}
    };
};
struct ClOther { int mapping; };
BEGIN(numbers_that_fit_no_type_had_no_spelling)
    I(0xb3b3'b3b3'b3b3'b3b3'b3b3'b3b3'b3b3'b3b3_digits); I(0x17b1a7b1a7b1a7b1a7b1a_first); //= 41 49
    ClHolds<4>::template mapping<int> a(V(3), 1), b(V(4), 2);
    I(a.v); I(b.v); I(sizeof(ClOther)); //= 7 8 4
END
