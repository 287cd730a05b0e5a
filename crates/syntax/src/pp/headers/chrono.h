/* Durations and points of time, which are numbers, and the host's clocks, which are declared only: written for unspool. */
namespace std {
namespace chrono {
template <class R> struct treat_as_floating_point : is_floating_point<R> {};
template <class R> inline constexpr bool treat_as_floating_point_v = treat_as_floating_point<R>::value;
template <class R, class P = ratio<1>> class duration;
template <class T> struct __is_duration : false_type {};
template <class R, class P> struct __is_duration<duration<R, P>> : true_type {};
template <class A, class B> using __common_period =
    ratio<__ratio_gcd(A::num, B::num), (A::den / __ratio_gcd(A::den, B::den)) * B::den>;
template <class To, class R, class P> constexpr enable_if_t<__is_duration<To>::value, To> duration_cast(const duration<R, P> &d);
template <class R> struct duration_values {
    static constexpr R zero() noexcept { return R(0); }
    static constexpr R min() noexcept { return numeric_limits<R>::lowest(); }
    static constexpr R max() noexcept { return numeric_limits<R>::max(); }
};
template <class R, class P> class duration {
public:
    typedef R rep;
    typedef typename P::type period;
    constexpr duration() = default;
    duration(const duration &) = default;
    template <class S, class = enable_if_t<is_convertible<const S &, R>::value &&
                                           (treat_as_floating_point<R>::value || !treat_as_floating_point<S>::value)>>
    constexpr explicit duration(const S &ticks) : __ticks(static_cast<R>(ticks)) {}
    template <class S, class Q, class = enable_if_t<treat_as_floating_point<R>::value ||
                                                    (ratio_divide<Q, P>::den == 1 && !treat_as_floating_point<S>::value)>>
    constexpr duration(const duration<S, Q> &d) : __ticks(duration_cast<duration>(d).count()) {}
    duration &operator=(const duration &) = default;
    constexpr R count() const { return __ticks; }
    constexpr duration operator+() const { return *this; }
    constexpr duration operator-() const { return duration(-__ticks); }
    constexpr duration &operator++() { ++__ticks; return *this; }
    constexpr duration operator++(int) { return duration(__ticks++); }
    constexpr duration &operator--() { --__ticks; return *this; }
    constexpr duration operator--(int) { return duration(__ticks--); }
    constexpr duration &operator+=(const duration &d) { __ticks += d.__ticks; return *this; }
    constexpr duration &operator-=(const duration &d) { __ticks -= d.__ticks; return *this; }
    constexpr duration &operator*=(const R &r) { __ticks *= r; return *this; }
    constexpr duration &operator/=(const R &r) { __ticks /= r; return *this; }
    constexpr duration &operator%=(const R &r) { __ticks %= r; return *this; }
    constexpr duration &operator%=(const duration &d) { __ticks %= d.__ticks; return *this; }
    static constexpr duration zero() noexcept { return duration(duration_values<R>::zero()); }
    static constexpr duration min() noexcept { return duration(duration_values<R>::min()); }
    static constexpr duration max() noexcept { return duration(duration_values<R>::max()); }

private:
    R __ticks;
};
}
template <class R, class P, class S, class Q> struct common_type<chrono::duration<R, P>, chrono::duration<S, Q>> {
    typedef chrono::duration<common_type_t<R, S>, typename chrono::__common_period<typename P::type, typename Q::type>::type> type;
};
namespace chrono {
template <class To, class R, class P> constexpr enable_if_t<__is_duration<To>::value, To> duration_cast(const duration<R, P> &d) {
    typedef ratio_divide<P, typename To::period> factor;
    typedef common_type_t<typename To::rep, R, __INTMAX_TYPE__> wide;
    return To(static_cast<typename To::rep>(static_cast<wide>(d.count()) * static_cast<wide>(factor::num) /
                                            static_cast<wide>(factor::den)));
}
template <class To, class R, class P> constexpr enable_if_t<__is_duration<To>::value, To> floor(const duration<R, P> &d) {
    To t = duration_cast<To>(d);
    return t > d ? t - To(1) : t;
}
template <class To, class R, class P> constexpr enable_if_t<__is_duration<To>::value, To> ceil(const duration<R, P> &d) {
    To t = duration_cast<To>(d);
    return t < d ? t + To(1) : t;
}
template <class R, class P, class S, class Q>
constexpr common_type_t<duration<R, P>, duration<S, Q>> operator+(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef common_type_t<duration<R, P>, duration<S, Q>> common;
    return common(common(a).count() + common(b).count());
}
template <class R, class P, class S, class Q>
constexpr common_type_t<duration<R, P>, duration<S, Q>> operator-(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef common_type_t<duration<R, P>, duration<S, Q>> common;
    return common(common(a).count() - common(b).count());
}
template <class R, class P, class S, class = enable_if_t<is_convertible<const S &, common_type_t<R, S>>::value>>
constexpr duration<common_type_t<R, S>, P> operator*(const duration<R, P> &d, const S &s) {
    typedef duration<common_type_t<R, S>, P> common;
    return common(common(d).count() * s);
}
template <class R, class P, class S, class = enable_if_t<is_convertible<const S &, common_type_t<R, S>>::value>>
constexpr duration<common_type_t<R, S>, P> operator*(const S &s, const duration<R, P> &d) { return d * s; }
template <class R, class P, class S, class = enable_if_t<!__is_duration<S>::value>>
constexpr duration<common_type_t<R, S>, P> operator/(const duration<R, P> &d, const S &s) {
    typedef duration<common_type_t<R, S>, P> common;
    return common(common(d).count() / s);
}
template <class R, class P, class S, class Q>
constexpr common_type_t<R, S> operator/(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef common_type_t<duration<R, P>, duration<S, Q>> common;
    return common(a).count() / common(b).count();
}
template <class R, class P, class S, class Q>
constexpr common_type_t<duration<R, P>, duration<S, Q>> operator%(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef common_type_t<duration<R, P>, duration<S, Q>> common;
    return common(common(a).count() % common(b).count());
}
template <class R, class P, class S, class Q> constexpr bool operator==(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef common_type_t<duration<R, P>, duration<S, Q>> common;
    return common(a).count() == common(b).count();
}
template <class R, class P, class S, class Q> constexpr bool operator<(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef common_type_t<duration<R, P>, duration<S, Q>> common;
    return common(a).count() < common(b).count();
}
template <class R, class P, class S, class Q> constexpr bool operator!=(const duration<R, P> &a, const duration<S, Q> &b) { return !(a == b); }
template <class R, class P, class S, class Q> constexpr bool operator>(const duration<R, P> &a, const duration<S, Q> &b) { return b < a; }
template <class R, class P, class S, class Q> constexpr bool operator<=(const duration<R, P> &a, const duration<S, Q> &b) { return !(b < a); }
template <class R, class P, class S, class Q> constexpr bool operator>=(const duration<R, P> &a, const duration<S, Q> &b) { return !(a < b); }
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60>> minutes;
typedef duration<long, ratio<3600>> hours;
#if __cplusplus >= 202002L
typedef duration<long, ratio<86400>> days;
typedef duration<long, ratio<604800>> weeks;
typedef duration<long, ratio<31556952>> years;
typedef duration<long, ratio<2629746>> months;
#endif
template <class C, class D = typename C::duration> class time_point {
public:
    typedef C clock;
    typedef D duration;
    typedef typename D::rep rep;
    typedef typename D::period period;
    constexpr time_point() : __since(D::zero()) {}
    constexpr explicit time_point(const D &d) : __since(d) {}
    template <class E, class = enable_if_t<is_convertible<E, D>::value>>
    constexpr time_point(const time_point<C, E> &t) : __since(t.time_since_epoch()) {}
    constexpr D time_since_epoch() const { return __since; }
    constexpr time_point &operator+=(const D &d) { __since += d; return *this; }
    constexpr time_point &operator-=(const D &d) { __since -= d; return *this; }
    static constexpr time_point min() noexcept { return time_point(D::min()); }
    static constexpr time_point max() noexcept { return time_point(D::max()); }

private:
    D __since;
};
template <class To, class C, class D> constexpr time_point<C, To> time_point_cast(const time_point<C, D> &t) {
    return time_point<C, To>(duration_cast<To>(t.time_since_epoch()));
}
template <class C, class D, class R, class P>
constexpr time_point<C, common_type_t<D, duration<R, P>>> operator+(const time_point<C, D> &t, const duration<R, P> &d) {
    return time_point<C, common_type_t<D, duration<R, P>>>(t.time_since_epoch() + d);
}
template <class C, class D, class R, class P>
constexpr time_point<C, common_type_t<D, duration<R, P>>> operator+(const duration<R, P> &d, const time_point<C, D> &t) { return t + d; }
template <class C, class D, class R, class P>
constexpr time_point<C, common_type_t<D, duration<R, P>>> operator-(const time_point<C, D> &t, const duration<R, P> &d) {
    return time_point<C, common_type_t<D, duration<R, P>>>(t.time_since_epoch() - d);
}
template <class C, class D, class E> constexpr common_type_t<D, E> operator-(const time_point<C, D> &a, const time_point<C, E> &b) {
    return a.time_since_epoch() - b.time_since_epoch();
}
template <class C, class D, class E> constexpr bool operator==(const time_point<C, D> &a, const time_point<C, E> &b) { return a.time_since_epoch() == b.time_since_epoch(); }
template <class C, class D, class E> constexpr bool operator!=(const time_point<C, D> &a, const time_point<C, E> &b) { return !(a == b); }
template <class C, class D, class E> constexpr bool operator<(const time_point<C, D> &a, const time_point<C, E> &b) { return a.time_since_epoch() < b.time_since_epoch(); }
template <class C, class D, class E> constexpr bool operator>(const time_point<C, D> &a, const time_point<C, E> &b) { return b < a; }
template <class C, class D, class E> constexpr bool operator<=(const time_point<C, D> &a, const time_point<C, E> &b) { return !(b < a); }
template <class C, class D, class E> constexpr bool operator>=(const time_point<C, D> &a, const time_point<C, E> &b) { return !(a < b); }
inline namespace _V2 {
struct system_clock {
    typedef nanoseconds duration;
    typedef duration::rep rep;
    typedef duration::period period;
    typedef chrono::time_point<system_clock, duration> time_point;
    static constexpr bool is_steady = false;
    static time_point now() noexcept;
    static long to_time_t(const time_point &) noexcept;
    static time_point from_time_t(long) noexcept;
};
struct steady_clock {
    typedef nanoseconds duration;
    typedef duration::rep rep;
    typedef duration::period period;
    typedef chrono::time_point<steady_clock, duration> time_point;
    static constexpr bool is_steady = true;
    static time_point now() noexcept;
};
typedef system_clock high_resolution_clock;
}
}
inline namespace literals {
inline namespace chrono_literals {
constexpr chrono::hours operator""h(unsigned long long n) { return chrono::hours(n); }
constexpr chrono::minutes operator""min(unsigned long long n) { return chrono::minutes(n); }
constexpr chrono::seconds operator""s(unsigned long long n) { return chrono::seconds(n); }
constexpr chrono::milliseconds operator""ms(unsigned long long n) { return chrono::milliseconds(n); }
constexpr chrono::microseconds operator""us(unsigned long long n) { return chrono::microseconds(n); }
constexpr chrono::nanoseconds operator""ns(unsigned long long n) { return chrono::nanoseconds(n); }
}
}
namespace chrono {
using namespace literals::chrono_literals;
}
}
