/* The pointers of the host that own what they point to, with the fields of GNU's: declared, so that host code which launches
   kernels can be followed and device code is told whose functions it calls. Written for unspool. */
namespace std {
template <class T> struct default_delete {
    void operator()(T *) const;
};
template <class T> struct default_delete<T[]> {
    void operator()(T *) const;
};
template <class T, class D = default_delete<T>> class unique_ptr {
public:
    typedef T *pointer;
    typedef T element_type;
    typedef D deleter_type;
    constexpr unique_ptr() noexcept;
    constexpr unique_ptr(decltype(nullptr)) noexcept;
    explicit unique_ptr(T *) noexcept;
    unique_ptr(T *, const D &) noexcept;
    unique_ptr(unique_ptr &&) noexcept;
    unique_ptr(const unique_ptr &) = delete;
    template <class U, class E> unique_ptr(unique_ptr<U, E> &&) noexcept;
    ~unique_ptr();
    unique_ptr &operator=(unique_ptr &&) noexcept;
    unique_ptr &operator=(decltype(nullptr)) noexcept;
    template <class U, class E> unique_ptr &operator=(unique_ptr<U, E> &&) noexcept;
    T &operator*() const;
    T *operator->() const noexcept;
    T *get() const noexcept;
    D &get_deleter() noexcept;
    explicit operator bool() const noexcept;
    T *release() noexcept;
    void reset(T * = nullptr) noexcept;
    void swap(unique_ptr &) noexcept;

private:
    tuple<T *, D> __held;
};
template <class T, class D> class unique_ptr<T[], D> {
public:
    typedef T *pointer;
    typedef T element_type;
    typedef D deleter_type;
    constexpr unique_ptr() noexcept;
    constexpr unique_ptr(decltype(nullptr)) noexcept;
    explicit unique_ptr(T *) noexcept;
    unique_ptr(T *, const D &) noexcept;
    unique_ptr(unique_ptr &&) noexcept;
    unique_ptr(const unique_ptr &) = delete;
    ~unique_ptr();
    unique_ptr &operator=(unique_ptr &&) noexcept;
    unique_ptr &operator=(decltype(nullptr)) noexcept;
    T &operator[](unsigned long) const;
    T *get() const noexcept;
    explicit operator bool() const noexcept;
    T *release() noexcept;
    void reset(T * = nullptr) noexcept;

private:
    tuple<T *, D> __held;
};
template <class T> class shared_ptr {
public:
    typedef remove_extent_t<T> element_type;
    constexpr shared_ptr() noexcept;
    constexpr shared_ptr(decltype(nullptr)) noexcept;
    template <class U> explicit shared_ptr(U *);
    template <class U, class D> shared_ptr(U *, D);
    shared_ptr(const shared_ptr &) noexcept;
    shared_ptr(shared_ptr &&) noexcept;
    template <class U, class = enable_if_t<__is_convertible(U *, T *)>> shared_ptr(const shared_ptr<U> &) noexcept;
    template <class U, class D> shared_ptr(unique_ptr<U, D> &&);
    ~shared_ptr();
    shared_ptr &operator=(const shared_ptr &) noexcept;
    shared_ptr &operator=(shared_ptr &&) noexcept;
    template <class U> shared_ptr &operator=(const shared_ptr<U> &) noexcept;
    element_type &operator*() const noexcept;
    element_type *operator->() const noexcept;
    element_type &operator[](long) const;
    element_type *get() const noexcept;
    long use_count() const noexcept;
    explicit operator bool() const noexcept;
    void reset() noexcept;
    template <class U> void reset(U *);
    void swap(shared_ptr &) noexcept;

private:
    element_type *__to;
    void *__count;
};
template <class T> class weak_ptr {
public:
    weak_ptr() noexcept;
    template <class U> weak_ptr(const shared_ptr<U> &) noexcept;
    weak_ptr(const weak_ptr &) noexcept;
    ~weak_ptr();
    weak_ptr &operator=(const weak_ptr &) noexcept;
    template <class U> weak_ptr &operator=(const shared_ptr<U> &) noexcept;
    shared_ptr<T> lock() const noexcept;
    bool expired() const noexcept;
    void reset() noexcept;

private:
    remove_extent_t<T> *__to;
    void *__count;
};
#define __UNSPOOL_BOTH(op)                                                                                             \
    template <class T, class D> bool operator op(const unique_ptr<T, D> &, decltype(nullptr)) noexcept;                \
    template <class T> bool operator op(const shared_ptr<T> &, decltype(nullptr)) noexcept;                            \
    template <class T, class U> bool operator op(const shared_ptr<T> &, const shared_ptr<U> &) noexcept;
__UNSPOOL_BOTH(==)
__UNSPOOL_BOTH(!=)
#undef __UNSPOOL_BOTH
/* These have bodies for what the constructors that they call launch. */
template <class T, class... A> enable_if_t<!is_array<T>::value, unique_ptr<T>> make_unique(A &&...a) {
    return unique_ptr<T>(new T(static_cast<A &&>(a)...));
}
template <class T> enable_if_t<is_array<T>::value, unique_ptr<T>> make_unique(unsigned long);
template <class T, class... A> shared_ptr<T> make_shared(A &&...a) { return shared_ptr<T>(new T(static_cast<A &&>(a)...)); }
template <class T, class U> shared_ptr<T> static_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T, class U> shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T, class U> shared_ptr<T> const_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T> class enable_shared_from_this {
protected:
    constexpr enable_shared_from_this() noexcept;
    enable_shared_from_this(const enable_shared_from_this &) noexcept;
    enable_shared_from_this &operator=(const enable_shared_from_this &) noexcept;
    ~enable_shared_from_this();

public:
    shared_ptr<T> shared_from_this();
    shared_ptr<const T> shared_from_this() const;

private:
    weak_ptr<T> __self;
};
}
