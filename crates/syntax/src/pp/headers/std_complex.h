/* Complex numbers of the C++ library, for device code, too: written for unspool. */
namespace std {
template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    T __re, __im;
    __host__ __device__ constexpr complex(T re = T(), T im = T()) : __re(re), __im(im) {}
    template <class U> __host__ __device__ constexpr complex(const complex<U> &c) : __re(c.real()), __im(c.imag()) {}
    __host__ __device__ constexpr T real() const { return __re; }
    __host__ __device__ constexpr T imag() const { return __im; }
    __host__ __device__ constexpr void real(T v) { __re = v; }
    __host__ __device__ constexpr void imag(T v) { __im = v; }
    __host__ __device__ constexpr complex &operator=(T v) {
        __re = v;
        __im = T();
        return *this;
    }
    __host__ __device__ constexpr complex &operator+=(const complex &c) {
        __re += c.__re;
        __im += c.__im;
        return *this;
    }
    __host__ __device__ constexpr complex &operator-=(const complex &c) {
        __re -= c.__re;
        __im -= c.__im;
        return *this;
    }
    __host__ __device__ constexpr complex &operator*=(const complex &c) {
        T re = __re * c.__re - __im * c.__im;
        __im = __re * c.__im + __im * c.__re;
        __re = re;
        return *this;
    }
    __host__ __device__ constexpr complex &operator/=(const complex &c) {
        T d = c.__re * c.__re + c.__im * c.__im;
        T re = (__re * c.__re + __im * c.__im) / d;
        __im = (__im * c.__re - __re * c.__im) / d;
        __re = re;
        return *this;
    }
    __host__ __device__ friend constexpr complex operator+(complex a, const complex &b) { return a += b; }
    __host__ __device__ friend constexpr complex operator-(complex a, const complex &b) { return a -= b; }
    __host__ __device__ friend constexpr complex operator*(complex a, const complex &b) { return a *= b; }
    __host__ __device__ friend constexpr complex operator/(complex a, const complex &b) { return a /= b; }
    __host__ __device__ friend constexpr complex operator-(const complex &a) { return complex(-a.__re, -a.__im); }
    __host__ __device__ friend constexpr complex operator+(const complex &a) { return a; }
    __host__ __device__ friend constexpr bool operator==(const complex &a, const complex &b) {
        return a.__re == b.__re && a.__im == b.__im;
    }
    __host__ __device__ friend constexpr bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};
template <class T> __host__ __device__ constexpr T real(const complex<T> &c) { return c.real(); }
template <class T> __host__ __device__ constexpr T imag(const complex<T> &c) { return c.imag(); }
template <class T> __host__ __device__ constexpr complex<T> conj(const complex<T> &c) {
    return complex<T>(c.real(), -c.imag());
}
template <class T> __host__ __device__ constexpr T norm(const complex<T> &c) {
    return c.real() * c.real() + c.imag() * c.imag();
}
template <class T> __device__ T abs(const complex<T> &c) { return hypot(c.real(), c.imag()); }
template <class T> __device__ T arg(const complex<T> &c) { return atan2(c.imag(), c.real()); }
template <class T> __device__ complex<T> polar(const T &r, const T &phi) { return complex<T>(r * cos(phi), r * sin(phi)); }
template <class T> __device__ complex<T> exp(const complex<T> &c) {
    T r = ::exp(c.real());
    return complex<T>(r * ::cos(c.imag()), r * ::sin(c.imag()));
}
}
