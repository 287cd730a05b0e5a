/* The name of std::initializer_list, for headers that declare functions with it; none can be made: written for unspool. */
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
}
