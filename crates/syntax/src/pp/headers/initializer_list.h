/* The name of std::initializer_list, and what `std::max` and `std::min` make of one: written for unspool. */
namespace std {
template <class T> class initializer_list {
    const T *first;
    size_t count;

  public:
    initializer_list() = default;
    __host__ __device__ constexpr size_t size() const { return count; }
    __host__ __device__ constexpr const T *begin() const { return first; }
    __host__ __device__ constexpr const T *end() const { return first + count; }
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
