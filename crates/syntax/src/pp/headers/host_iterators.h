/* What CCCL asks a host's standard library of iterators, whose traits no program here specialises: written for unspool. */
#if __has_include(<cuda/std/__type_traits/is_primary_template.h>)
namespace cuda {
namespace std {
template <class I> struct __is_primary_std_template {
    static constexpr bool value = true;
};
}
}
#endif
