/* The type traits that device code uses: written for unspool. */
#define __cpp_lib_bool_constant 201505L
#define __cpp_lib_integer_sequence 201304L
#define __cpp_lib_integral_constant_callable 201304L
#define __cpp_lib_is_final 201402L
#define __cpp_lib_transformation_trait_aliases 201304L
#if __cplusplus >= 201703L
#define __cpp_lib_has_unique_object_representations 201606L
#define __cpp_lib_is_aggregate 201703L
#define __cpp_lib_logical_traits 201510L
#define __cpp_lib_type_trait_variable_templates 201510L
#define __cpp_lib_void_t 201411L
#endif
#if __cplusplus >= 202002L
#define __cpp_lib_remove_cvref 201711L
#define __cpp_lib_type_identity 201806L
#endif
namespace std {
template <class T, T V> struct integral_constant {
    static constexpr T value = V;
    typedef T value_type;
    typedef integral_constant type;
    __host__ __device__ constexpr operator T() const { return V; }
    __host__ __device__ constexpr T operator()() const { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;

template <class T> struct type_identity { typedef T type; };
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_volatile<typename remove_const<T>::type>::type type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type *type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct remove_cvref { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> struct decay { typedef typename remove_cv<typename remove_reference<T>::type>::type type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> using decay_t = typename decay<T>::type;

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class... T> using void_t = void;
template <unsigned long Size, unsigned long Align = (Size > 8 ? 16 : 8)> struct aligned_storage {
    struct type {
        alignas(Align) unsigned char data[Size];
    };
};
template <unsigned long Size, unsigned long Align = (Size > 8 ? 16 : 8)>
using aligned_storage_t = typename aligned_storage<Size, Align>::type;

template <class E> struct underlying_type { using type = __underlying_type(E); };
template <class E> using underlying_type_t = __underlying_type(E);
template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;

template <class T> struct __is_int : false_type {};
template <> struct __is_int<bool> : true_type {};
template <> struct __is_int<char> : true_type {};
template <> struct __is_int<signed char> : true_type {};
template <> struct __is_int<unsigned char> : true_type {};
template <> struct __is_int<short> : true_type {};
template <> struct __is_int<unsigned short> : true_type {};
template <> struct __is_int<int> : true_type {};
template <> struct __is_int<unsigned int> : true_type {};
template <> struct __is_int<long> : true_type {};
template <> struct __is_int<unsigned long> : true_type {};
template <> struct __is_int<long long> : true_type {};
template <> struct __is_int<unsigned long long> : true_type {};
template <> struct __is_int<wchar_t> : true_type {};
template <> struct __is_int<char16_t> : true_type {};
template <> struct __is_int<char32_t> : true_type {};
#ifdef __cpp_char8_t
template <> struct __is_int<char8_t> : true_type {};
#endif
template <class T> struct __is_float : false_type {};
template <> struct __is_float<float> : true_type {};
template <> struct __is_float<double> : true_type {};
template <> struct __is_float<long double> : true_type {};
template <class T> struct is_integral : __is_int<typename remove_cv<T>::type> {};
template <class T> struct is_floating_point : __is_float<typename remove_cv<T>::type> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> struct is_void : is_same<typename remove_cv<T>::type, void> {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T *> : true_type {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T &> : true_type {};
template <class T> struct is_reference<T &&> : true_type {};
template <class T, bool A> struct __signedness : false_type {};
template <class T> struct __signedness<T, true> : bool_constant<(T(-1) < T(0))> {};
template <class T> struct is_signed : __signedness<T, is_arithmetic<T>::value> {};
template <class T> struct is_unsigned : bool_constant<is_integral<T>::value && !is_signed<T>::value> {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> inline constexpr bool is_const_v = is_const<T>::value;
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_void_v = is_void<T>::value;

template <class T> inline constexpr bool is_reference_v = is_reference<T>::value;
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T &> : true_type {};
template <class T> inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<T>::value;
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T &&> : true_type {};
template <class T> inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<T>::value;
template <class T, T... I> struct integer_sequence {
    typedef T value_type;
    static constexpr unsigned long size() { return sizeof...(I); }
};
template <class A, class B> struct __joined_sequence;
template <class T, T... A, T... B> struct __joined_sequence<integer_sequence<T, A...>, integer_sequence<T, B...>> {
    typedef integer_sequence<T, A..., T(sizeof...(A) + B)...> type;
};
/* In halves, so that long sequences do not nest deeply. */
template <class T, unsigned long N> struct __made_sequence {
    typedef typename __joined_sequence<typename __made_sequence<T, N / 2>::type,
                                       typename __made_sequence<T, N - N / 2>::type>::type type;
};
template <class T> struct __made_sequence<T, 0> { typedef integer_sequence<T> type; };
template <class T> struct __made_sequence<T, 1> { typedef integer_sequence<T, T(0)> type; };
template <class T, T N> using make_integer_sequence = typename __made_sequence<T, N>::type;
template <unsigned long... I> using index_sequence = integer_sequence<unsigned long, I...>;
template <unsigned long N> using make_index_sequence = typename __made_sequence<unsigned long, N>::type;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;

struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
template <class C, class T, class D = long, class P = T *, class R = T &> struct iterator {
    typedef C iterator_category;
    typedef T value_type;
    typedef D difference_type;
    typedef P pointer;
    typedef R reference;
};
/* Of a class that is no iterator it has no members. The base is named as in GNU's library, by which CCCL knows that no program specialised it. */
template <class I, class = void> struct __iterator_traits {};
template <class I>
struct __iterator_traits<I, void_t<typename I::iterator_category, typename I::value_type, typename I::difference_type,
                                       typename I::pointer, typename I::reference>> {
    typedef typename I::iterator_category iterator_category;
    typedef typename I::value_type value_type;
    typedef typename I::difference_type difference_type;
    typedef typename I::pointer pointer;
    typedef typename I::reference reference;
};
template <class I> struct iterator_traits : __iterator_traits<I> {};
template <class T> struct iterator_traits<T *> {
    typedef random_access_iterator_tag iterator_category;
    typedef typename remove_cv<T>::type value_type;
    typedef long difference_type;
    typedef T *pointer;
    typedef T &reference;
};

/* A class that is a pointer says what it points to. */
template <class P> struct pointer_traits {
    typedef P pointer;
    typedef typename P::element_type element_type;
    typedef typename P::difference_type difference_type;
    template <class U> using rebind = typename P::template rebind<U>;
};
template <class T> struct pointer_traits<T *> {
    typedef T *pointer;
    typedef T element_type;
    typedef long difference_type;
    template <class U> using rebind = U *;
    static constexpr pointer pointer_to(T &to) noexcept { return __builtin_addressof(to); }
};

/* The types that allocators say; to allocate is the host's. */
template <class T> struct allocator {
    typedef T value_type;
    typedef unsigned long size_type;
    typedef long difference_type;
};
template <class A, class U> struct __rebound {};
template <template <class, class...> class C, class T, class... R, class U> struct __rebound<C<T, R...>, U> {
    typedef C<U, R...> type;
};
template <class A> struct allocator_traits {
    typedef A allocator_type;
    typedef typename A::value_type value_type;
    typedef value_type *pointer;
    typedef const value_type *const_pointer;
    typedef void *void_pointer;
    typedef unsigned long size_type;
    typedef long difference_type;
    template <class U> using rebind_alloc = typename __rebound<A, U>::type;
    template <class U> using rebind_traits = allocator_traits<rebind_alloc<U>>;
};

template <class T> __host__ __device__ T &&declval() noexcept;

template <class T> struct make_unsigned { typedef T type; };
template <> struct make_unsigned<char> { typedef unsigned char type; };
template <> struct make_unsigned<signed char> { typedef unsigned char type; };
template <> struct make_unsigned<short> { typedef unsigned short type; };
template <> struct make_unsigned<int> { typedef unsigned int type; };
template <> struct make_unsigned<long> { typedef unsigned long type; };
template <> struct make_unsigned<long long> { typedef unsigned long long type; };
template <> struct make_unsigned<wchar_t> { typedef unsigned int type; };
template <> struct make_unsigned<char16_t> { typedef unsigned short type; };
template <> struct make_unsigned<char32_t> { typedef unsigned int type; };
#ifdef __cpp_char8_t
template <> struct make_unsigned<char8_t> { typedef unsigned char type; };
#endif
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
template <class T> struct make_signed { typedef T type; };
template <> struct make_signed<char> { typedef signed char type; };
template <> struct make_signed<wchar_t> { typedef int type; };
template <> struct make_signed<char16_t> { typedef short type; };
template <> struct make_signed<char32_t> { typedef int type; };
#ifdef __cpp_char8_t
template <> struct make_signed<char8_t> { typedef signed char type; };
#endif
template <> struct make_signed<unsigned char> { typedef signed char type; };
template <> struct make_signed<unsigned short> { typedef short type; };
template <> struct make_signed<unsigned int> { typedef int type; };
template <> struct make_signed<unsigned long> { typedef long type; };
template <> struct make_signed<unsigned long long> { typedef long long type; };
template <class T> using make_signed_t = typename make_signed<T>::type;

/* What the compiler tells of types. */
#define __UNSPOOL_TRAIT(name)                                                                                          \
    template <class T> struct name : bool_constant<__##name(T)> {};                                                    \
    template <class T> inline constexpr bool name##_v = __##name(T);
__UNSPOOL_TRAIT(is_trivially_copyable)
__UNSPOOL_TRAIT(is_trivial)
__UNSPOOL_TRAIT(is_standard_layout)
__UNSPOOL_TRAIT(is_pod)
__UNSPOOL_TRAIT(is_empty)
__UNSPOOL_TRAIT(is_final)
__UNSPOOL_TRAIT(is_class)
__UNSPOOL_TRAIT(is_union)
__UNSPOOL_TRAIT(is_enum)
__UNSPOOL_TRAIT(is_array)
__UNSPOOL_TRAIT(is_function)
__UNSPOOL_TRAIT(is_object)
__UNSPOOL_TRAIT(is_scalar)
__UNSPOOL_TRAIT(is_fundamental)
__UNSPOOL_TRAIT(is_compound)
__UNSPOOL_TRAIT(is_volatile)
__UNSPOOL_TRAIT(is_destructible)
__UNSPOOL_TRAIT(is_nothrow_destructible)
__UNSPOOL_TRAIT(is_trivially_destructible)
#undef __UNSPOOL_TRAIT
#define __UNSPOOL_TRAIT(name)                                                                                          \
    template <class T, class U> struct name : bool_constant<__##name(T, U)> {};                                        \
    template <class T, class U> inline constexpr bool name##_v = __##name(T, U);
__UNSPOOL_TRAIT(is_base_of)
__UNSPOOL_TRAIT(is_convertible)
__UNSPOOL_TRAIT(is_nothrow_convertible)
__UNSPOOL_TRAIT(is_assignable)
__UNSPOOL_TRAIT(is_nothrow_assignable)
__UNSPOOL_TRAIT(is_trivially_assignable)
#undef __UNSPOOL_TRAIT
#define __UNSPOOL_TRAIT(name)                                                                                          \
    template <class T, class... A> struct name : bool_constant<__##name(T, A...)> {};                                  \
    template <class T, class... A> inline constexpr bool name##_v = __##name(T, A...);
__UNSPOOL_TRAIT(is_constructible)
__UNSPOOL_TRAIT(is_nothrow_constructible)
__UNSPOOL_TRAIT(is_trivially_constructible)
#undef __UNSPOOL_TRAIT
template <class T> struct is_default_constructible : is_constructible<T> {};
template <class T> inline constexpr bool is_default_constructible_v = is_constructible_v<T>;
template <class T> struct is_copy_constructible : is_constructible<T, const T &> {};
template <class T> inline constexpr bool is_copy_constructible_v = is_constructible_v<T, const T &>;
template <class T> struct is_move_constructible : is_constructible<T, T &&> {};
template <class T> inline constexpr bool is_move_constructible_v = is_constructible_v<T, T &&>;
template <class T> struct is_copy_assignable : is_assignable<T &, const T &> {};
template <class T> inline constexpr bool is_copy_assignable_v = is_assignable_v<T &, const T &>;
template <class T> struct is_move_assignable : is_assignable<T &, T &&> {};
template <class T> inline constexpr bool is_move_assignable_v = is_assignable_v<T &, T &&>;
#define __UNSPOOL_TRAIT(name, of, ...)                                                                                 \
    template <class T> struct name : of<__VA_ARGS__> {};                                                               \
    template <class T> inline constexpr bool name##_v = of##_v<__VA_ARGS__>;
__UNSPOOL_TRAIT(is_trivially_default_constructible, is_trivially_constructible, T)
__UNSPOOL_TRAIT(is_trivially_copy_constructible, is_trivially_constructible, T, const T &)
__UNSPOOL_TRAIT(is_trivially_move_constructible, is_trivially_constructible, T, T &&)
__UNSPOOL_TRAIT(is_trivially_copy_assignable, is_trivially_assignable, T &, const T &)
__UNSPOOL_TRAIT(is_trivially_move_assignable, is_trivially_assignable, T &, T &&)
__UNSPOOL_TRAIT(is_nothrow_default_constructible, is_nothrow_constructible, T)
__UNSPOOL_TRAIT(is_nothrow_copy_constructible, is_nothrow_constructible, T, const T &)
__UNSPOOL_TRAIT(is_nothrow_move_constructible, is_nothrow_constructible, T, T &&)
__UNSPOOL_TRAIT(is_nothrow_copy_assignable, is_nothrow_assignable, T &, const T &)
__UNSPOOL_TRAIT(is_nothrow_move_assignable, is_nothrow_assignable, T &, T &&)
#undef __UNSPOOL_TRAIT
template <class T> struct is_null_pointer : is_same<typename remove_cv<T>::type, decltype(nullptr)> {};
template <class T> inline constexpr bool is_null_pointer_v = is_null_pointer<T>::value;

template <class...> struct conjunction : true_type {};
template <class A> struct conjunction<A> : A {};
template <class A, class... B> struct conjunction<A, B...> : conditional_t<bool(A::value), conjunction<B...>, A> {};
template <class... T> inline constexpr bool conjunction_v = conjunction<T...>::value;
template <class...> struct disjunction : false_type {};
template <class A> struct disjunction<A> : A {};
template <class A, class... B> struct disjunction<A, B...> : conditional_t<bool(A::value), A, disjunction<B...>> {};
template <class... T> inline constexpr bool disjunction_v = disjunction<T...>::value;
template <class A> struct negation : bool_constant<!bool(A::value)> {};
template <class A> inline constexpr bool negation_v = !bool(A::value);

template <class T> struct remove_extent { typedef T type; };
template <class T> struct remove_extent<T[]> { typedef T type; };
template <class T, unsigned long N> struct remove_extent<T[N]> { typedef T type; };
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> struct remove_all_extents { typedef T type; };
template <class T> struct remove_all_extents<T[]> : remove_all_extents<T> {};
template <class T, unsigned long N> struct remove_all_extents<T[N]> : remove_all_extents<T> {};
template <class T> using remove_all_extents_t = typename remove_all_extents<T>::type;
template <class T> struct rank : integral_constant<unsigned long, 0> {};
template <class T> struct rank<T[]> : integral_constant<unsigned long, rank<T>::value + 1> {};
template <class T, unsigned long N> struct rank<T[N]> : integral_constant<unsigned long, rank<T>::value + 1> {};
template <class T> inline constexpr unsigned long rank_v = rank<T>::value;
template <class T, unsigned I = 0> struct extent : integral_constant<unsigned long, 0> {};
template <class T, unsigned I> struct extent<T[], I> : integral_constant<unsigned long, I == 0 ? 0 : extent<T, I - 1>::value> {};
template <class T, unsigned long N, unsigned I>
struct extent<T[N], I> : integral_constant<unsigned long, I == 0 ? N : extent<T, I - 1>::value> {};
template <class T, unsigned I = 0> inline constexpr unsigned long extent_v = extent<T, I>::value;
template <class T> inline constexpr unsigned long alignment_of_v = alignof(T);
template <class T> struct alignment_of : integral_constant<unsigned long, alignof(T)> {};
template <class T> struct add_volatile { typedef volatile T type; };
template <class T> using add_volatile_t = volatile T;
template <class T> struct add_cv { typedef const volatile T type; };
template <class T> using add_cv_t = const volatile T;
template <class T> using add_const_t = const T;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> struct add_lvalue_reference { typedef T &type; };
template <> struct add_lvalue_reference<void> { typedef void type; };
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> struct add_rvalue_reference { typedef T &&type; };
template <> struct add_rvalue_reference<void> { typedef void type; };
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
}
