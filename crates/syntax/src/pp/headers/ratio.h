/* Fractions as types: written for unspool. */
namespace std {
constexpr __INTMAX_TYPE__ __ratio_gcd(__INTMAX_TYPE__ a, __INTMAX_TYPE__ b) { return b == 0 ? (a < 0 ? -a : a) : __ratio_gcd(b, a % b); }
template <__INTMAX_TYPE__ N, __INTMAX_TYPE__ D = 1> struct ratio {
    static_assert(D != 0, "a fraction's denominator is not zero");
    static constexpr __INTMAX_TYPE__ num = (D < 0 ? -N : N) / __ratio_gcd(N, D);
    static constexpr __INTMAX_TYPE__ den = (D < 0 ? -D : D) / __ratio_gcd(N, D);
    typedef ratio<num, den> type;
};
template <class A, class B> using ratio_multiply =
    typename ratio<(A::num / __ratio_gcd(A::num, B::den)) * (B::num / __ratio_gcd(B::num, A::den)),
                   (A::den / __ratio_gcd(B::num, A::den)) * (B::den / __ratio_gcd(A::num, B::den))>::type;
template <class A, class B> using ratio_divide = ratio_multiply<A, ratio<B::den, B::num>>;
template <class A, class B> using ratio_add =
    typename ratio<A::num *(B::den / __ratio_gcd(A::den, B::den)) + B::num *(A::den / __ratio_gcd(A::den, B::den)),
                   A::den *(B::den / __ratio_gcd(A::den, B::den))>::type;
template <class A, class B> using ratio_subtract = ratio_add<A, ratio<-B::num, B::den>>;
template <class A, class B> struct ratio_equal : bool_constant<A::num == B::num && A::den == B::den> {};
template <class A, class B> struct ratio_not_equal : bool_constant<!ratio_equal<A, B>::value> {};
template <class A, class B> struct ratio_less : bool_constant<ratio_subtract<A, B>::num < 0> {};
template <class A, class B> struct ratio_greater : ratio_less<B, A> {};
template <class A, class B> struct ratio_less_equal : bool_constant<!ratio_less<B, A>::value> {};
template <class A, class B> struct ratio_greater_equal : bool_constant<!ratio_less<A, B>::value> {};
template <class A, class B> inline constexpr bool ratio_equal_v = ratio_equal<A, B>::value;
template <class A, class B> inline constexpr bool ratio_less_v = ratio_less<A, B>::value;
typedef ratio<1, 1000000000000000000> atto;
typedef ratio<1, 1000000000000000> femto;
typedef ratio<1, 1000000000000> pico;
typedef ratio<1, 1000000000> nano;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000> milli;
typedef ratio<1, 100> centi;
typedef ratio<1, 10> deci;
typedef ratio<10> deca;
typedef ratio<100> hecto;
typedef ratio<1000> kilo;
typedef ratio<1000000> mega;
typedef ratio<1000000000> giga;
typedef ratio<1000000000000> tera;
typedef ratio<1000000000000000> peta;
typedef ratio<1000000000000000000> exa;
}
