/* `std::optional`: written for unspool. */
#if __cplusplus >= 201703L
#define __cpp_lib_optional 201606L
namespace std {
struct nullopt_t {
    __host__ __device__ constexpr explicit nullopt_t(int) {}
};
inline constexpr nullopt_t nullopt{0};
/* What lies in an optional lives as long as it is engaged. */
template <class T, bool = __is_trivially_destructible(T)> struct __optional_parts {
    union {
        char __none;
        T __value;
    };
    bool __engaged;
    __host__ __device__ constexpr __optional_parts() noexcept : __none(), __engaged(false) {}
    template <class... A>
    __host__ __device__ constexpr __optional_parts(in_place_t, A &&...a) : __value(static_cast<A &&>(a)...), __engaged(true) {}
    __host__ __device__ constexpr void __end() noexcept { __engaged = false; }
};
template <class T> struct __optional_parts<T, false> {
    union {
        char __none;
        T __value;
    };
    bool __engaged;
    __host__ __device__ constexpr __optional_parts() noexcept : __none(), __engaged(false) {}
    template <class... A>
    __host__ __device__ constexpr __optional_parts(in_place_t, A &&...a) : __value(static_cast<A &&>(a)...), __engaged(true) {}
    __host__ __device__ ~__optional_parts() { __end(); }
    __host__ __device__ void __end() noexcept {
        if (__engaged) __value.~T();
        __engaged = false;
    }
};
template <class T, bool = __is_trivially_copyable(T)> struct __optional_copies : __optional_parts<T> {
    using __optional_parts<T>::__optional_parts;
};
template <class T> struct __optional_copies<T, false> : __optional_parts<T> {
    using __optional_parts<T>::__optional_parts;
    constexpr __optional_copies() = default;
    __host__ __device__ constexpr __optional_copies(const __optional_copies &o) : __optional_parts<T>() {
        if (o.__engaged) this->__begin(o.__value);
    }
    __host__ __device__ constexpr __optional_copies(__optional_copies &&o) : __optional_parts<T>() {
        if (o.__engaged) this->__begin(static_cast<T &&>(o.__value));
    }
    __host__ __device__ constexpr __optional_copies &operator=(const __optional_copies &o) {
        if (!o.__engaged) this->__end();
        else if (this->__engaged) this->__value = o.__value;
        else this->__begin(o.__value);
        return *this;
    }
    __host__ __device__ constexpr __optional_copies &operator=(__optional_copies &&o) {
        if (!o.__engaged) this->__end();
        else if (this->__engaged) this->__value = static_cast<T &&>(o.__value);
        else this->__begin(static_cast<T &&>(o.__value));
        return *this;
    }
    template <class... A> __host__ __device__ constexpr void __begin(A &&...a) {
        ::new (static_cast<void *>(__builtin_addressof(this->__value))) T(static_cast<A &&>(a)...);
        this->__engaged = true;
    }
};
template <class T> struct optional;
template <class T> struct __is_optional : false_type {};
template <class T> struct __is_optional<optional<T>> : true_type {};
template <class T> struct optional : private __optional_copies<T> {
    typedef T value_type;
    typedef __optional_copies<T> __base;
    template <class U> friend struct optional;
    constexpr optional() = default;
    __host__ __device__ constexpr optional(nullopt_t) noexcept {}
    template <class... A> __host__ __device__ constexpr explicit optional(in_place_t, A &&...a)
        : __base(in_place, static_cast<A &&>(a)...) {}
    template <class U = T, enable_if_t<!__is_optional<remove_cvref_t<U>>::value && !is_same<remove_cvref_t<U>, in_place_t>::value &&
                                           __is_constructible(T, U),
                                       int> = 0>
    __host__ __device__ constexpr optional(U &&v) : __base(in_place, static_cast<U &&>(v)) {}
    template <class U, enable_if_t<!is_same<T, U>::value && __is_constructible(T, const U &), int> = 0>
    __host__ __device__ constexpr optional(const optional<U> &o) {
        if (o) emplace(*o);
    }
    constexpr optional(const optional &) = default;
    constexpr optional(optional &&) = default;
    optional &operator=(const optional &) = default;
    optional &operator=(optional &&) = default;
    __host__ __device__ constexpr optional &operator=(nullopt_t) noexcept {
        this->__end();
        return *this;
    }
    template <class U = T, enable_if_t<!__is_optional<remove_cvref_t<U>>::value && __is_constructible(T, U), int> = 0>
    __host__ __device__ constexpr optional &operator=(U &&v) {
        if (this->__engaged) this->__value = static_cast<U &&>(v);
        else emplace(static_cast<U &&>(v));
        return *this;
    }
    template <class U, enable_if_t<!is_same<T, U>::value && __is_constructible(T, const U &), int> = 0>
    __host__ __device__ constexpr optional &operator=(const optional<U> &o) {
        if (o) *this = *o;
        else this->__end();
        return *this;
    }
    template <class... A> __host__ __device__ constexpr T &emplace(A &&...a) {
        this->__end();
        ::new (static_cast<void *>(__builtin_addressof(this->__value))) T(static_cast<A &&>(a)...);
        this->__engaged = true;
        return this->__value;
    }
    __host__ __device__ constexpr void reset() noexcept { this->__end(); }
    __host__ __device__ constexpr void swap(optional &o) {
        optional kept = static_cast<optional &&>(*this);
        *this = static_cast<optional &&>(o);
        o = static_cast<optional &&>(kept);
    }
    __host__ __device__ constexpr explicit operator bool() const noexcept { return this->__engaged; }
    __host__ __device__ constexpr bool has_value() const noexcept { return this->__engaged; }
    __host__ __device__ constexpr T &operator*() & noexcept { return this->__value; }
    __host__ __device__ constexpr const T &operator*() const & noexcept { return this->__value; }
    __host__ __device__ constexpr T &&operator*() && noexcept { return static_cast<T &&>(this->__value); }
    __host__ __device__ constexpr T *operator->() noexcept { return __builtin_addressof(this->__value); }
    __host__ __device__ constexpr const T *operator->() const noexcept { return __builtin_addressof(this->__value); }
    __host__ __device__ constexpr T &value() & { return __there(), this->__value; }
    __host__ __device__ constexpr const T &value() const & { return __there(), this->__value; }
    __host__ __device__ constexpr T &&value() && { return __there(), static_cast<T &&>(this->__value); }
    template <class U> __host__ __device__ constexpr T value_or(U &&v) const & {
        return this->__engaged ? this->__value : static_cast<T>(static_cast<U &&>(v));
    }

private:
    /* The exception of a host. */
    __host__ __device__ constexpr void __there() const {
        if (!this->__engaged) __builtin_trap();
    }
};
template <class T> optional(T) -> optional<T>;
template <class T> __host__ __device__ constexpr optional<decay_t<T>> make_optional(T &&v) {
    return optional<decay_t<T>>(static_cast<T &&>(v));
}
template <class T, class... A> __host__ __device__ constexpr optional<T> make_optional(A &&...a) {
    return optional<T>(in_place, static_cast<A &&>(a)...);
}
template <class T> __host__ __device__ constexpr void swap(optional<T> &a, optional<T> &b) { a.swap(b); }
template <class T> __host__ __device__ constexpr bool operator==(const optional<T> &a, nullopt_t) noexcept { return !a; }
template <class T> __host__ __device__ constexpr bool operator!=(const optional<T> &a, nullopt_t) noexcept { return bool(a); }
#if __cplusplus < 202002L
template <class T> __host__ __device__ constexpr bool operator==(nullopt_t, const optional<T> &a) noexcept { return !a; }
template <class T> __host__ __device__ constexpr bool operator!=(nullopt_t, const optional<T> &a) noexcept { return bool(a); }
#endif
/* An empty one is less than any other. */
#define __UNSPOOL_COMPARISON(op, both, left, right)                                                                    \
    template <class T, class U> __host__ __device__ constexpr bool operator op(const optional<T> &a, const optional<U> &b) { \
        return a && b ? bool(*a op *b) : both;                                                                         \
    }                                                                                                                  \
    template <class T, class U, enable_if_t<!__is_optional<U>::value, int> = 0>                                        \
    __host__ __device__ constexpr auto operator op(const optional<T> &a, const U &b) -> decltype(bool(*a op b)) {      \
        return a ? bool(*a op b) : left;                                                                               \
    }                                                                                                                  \
    template <class T, class U, enable_if_t<!__is_optional<U>::value, int> = 0>                                        \
    __host__ __device__ constexpr auto operator op(const U &a, const optional<T> &b) -> decltype(bool(a op *b)) {      \
        return b ? bool(a op *b) : right;                                                                              \
    }
__UNSPOOL_COMPARISON(==, bool(a) == bool(b), false, false)
__UNSPOOL_COMPARISON(!=, bool(a) != bool(b), true, true)
__UNSPOOL_COMPARISON(<, !a && b, true, false)
__UNSPOOL_COMPARISON(>, a && !b, false, true)
__UNSPOOL_COMPARISON(<=, !a, true, false)
__UNSPOOL_COMPARISON(>=, !b, false, true)
#undef __UNSPOOL_COMPARISON
}
#endif
