/* The name of std::initializer_list, and what `std::max` and `std::min` make of one: written for unspool. */
namespace std {
template <class T> class initializer_list {
    const T *first;
    size_t count;

  public:
    typedef T value_type;
    typedef const T &reference, &const_reference;
    typedef size_t size_type;
    typedef const T *iterator, *const_iterator;
    constexpr initializer_list() noexcept = default;
    __host__ __device__ constexpr size_t size() const noexcept { return count; }
    __host__ __device__ constexpr const T *begin() const noexcept { return first; }
    __host__ __device__ constexpr const T *end() const noexcept { return first + count; }
};
template <class T> __host__ __device__ constexpr T __largest(initializer_list<T> all) {
    T best = *all.begin();
    for (const T *p = all.begin(); p != all.end(); ++p)
        if (best < *p) best = *p;
    return best;
}
template <class T> __host__ __device__ constexpr T __smallest(initializer_list<T> all) {
    T best = *all.begin();
    for (const T *p = all.begin(); p != all.end(); ++p)
        if (*p < best) best = *p;
    return best;
}
}
