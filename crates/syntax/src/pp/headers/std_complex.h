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
    __host__ __device__ constexpr complex &operator+=(T v) {
        __re += v;
        return *this;
    }
    __host__ __device__ constexpr complex &operator-=(T v) {
        __re -= v;
        return *this;
    }
    __host__ __device__ constexpr complex &operator*=(T v) {
        __re *= v;
        __im *= v;
        return *this;
    }
    __host__ __device__ constexpr complex &operator/=(T v) {
        __re /= v;
        __im /= v;
        return *this;
    }
    template <class U> __host__ __device__ constexpr complex &operator=(const complex<U> &c) {
        __re = c.real();
        __im = c.imag();
        return *this;
    }
    template <class U> __host__ __device__ constexpr complex &operator+=(const complex<U> &c) {
        __re += c.real();
        __im += c.imag();
        return *this;
    }
    template <class U> __host__ __device__ constexpr complex &operator-=(const complex<U> &c) {
        __re -= c.real();
        __im -= c.imag();
        return *this;
    }
    template <class U> __host__ __device__ constexpr complex &operator*=(const complex<U> &c) {
        T re = __re * c.real() - __im * c.imag();
        __im = __re * c.imag() + __im * c.real();
        __re = re;
        return *this;
    }
    template <class U> __host__ __device__ constexpr complex &operator/=(const complex<U> &c) {
        T d = c.real() * c.real() + c.imag() * c.imag();
        T re = (__re * c.real() + __im * c.imag()) / d;
        __im = (__im * c.real() - __re * c.imag()) / d;
        __re = re;
        return *this;
    }
};
template <class T> __host__ __device__ constexpr complex<T> operator+(const complex<T> &a, const complex<T> &b) { return complex<T>(a) += b; }
template <class T> __host__ __device__ constexpr complex<T> operator+(const complex<T> &a, const T &b) { return complex<T>(a) += b; }
template <class T> __host__ __device__ constexpr complex<T> operator+(const T &a, const complex<T> &b) { return complex<T>(a) += b; }
template <class T> __host__ __device__ constexpr complex<T> operator-(const complex<T> &a, const complex<T> &b) { return complex<T>(a) -= b; }
template <class T> __host__ __device__ constexpr complex<T> operator-(const complex<T> &a, const T &b) { return complex<T>(a) -= b; }
template <class T> __host__ __device__ constexpr complex<T> operator-(const T &a, const complex<T> &b) { return complex<T>(a) -= b; }
template <class T> __host__ __device__ constexpr complex<T> operator*(const complex<T> &a, const complex<T> &b) { return complex<T>(a) *= b; }
template <class T> __host__ __device__ constexpr complex<T> operator*(const complex<T> &a, const T &b) { return complex<T>(a) *= b; }
template <class T> __host__ __device__ constexpr complex<T> operator*(const T &a, const complex<T> &b) { return complex<T>(a) *= b; }
template <class T> __host__ __device__ constexpr complex<T> operator/(const complex<T> &a, const complex<T> &b) { return complex<T>(a) /= b; }
template <class T> __host__ __device__ constexpr complex<T> operator/(const complex<T> &a, const T &b) { return complex<T>(a) /= b; }
template <class T> __host__ __device__ constexpr complex<T> operator/(const T &a, const complex<T> &b) { return complex<T>(a) /= b; }
template <class T> __host__ __device__ constexpr complex<T> operator+(const complex<T> &a) { return a; }
template <class T> __host__ __device__ constexpr complex<T> operator-(const complex<T> &a) { return complex<T>(-a.real(), -a.imag()); }
template <class T> __host__ __device__ constexpr bool operator==(const complex<T> &a, const complex<T> &b) {
    return a.real() == b.real() && a.imag() == b.imag();
}
template <class T> __host__ __device__ constexpr bool operator==(const complex<T> &a, const T &b) { return a.real() == b && a.imag() == T(); }
template <class T> __host__ __device__ constexpr bool operator==(const T &a, const complex<T> &b) { return a == b.real() && T() == b.imag(); }
template <class T> __host__ __device__ constexpr bool operator!=(const complex<T> &a, const complex<T> &b) { return !(a == b); }
template <class T> __host__ __device__ constexpr bool operator!=(const complex<T> &a, const T &b) { return !(a == b); }
template <class T> __host__ __device__ constexpr bool operator!=(const T &a, const complex<T> &b) { return !(a == b); }
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
