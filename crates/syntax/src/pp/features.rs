//! What `__has_builtin`, `__has_attribute`, `__has_feature` and their family answer.

use crate::Dialect;

/// Which table is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Query {
    Builtin,
    Attribute,
    CppAttribute,
    Feature,
    Extension,
    Warning,
}

/// Builtin functions of the compiler, sorted.
static BUILTINS: &[&str] = &[
    "__builtin_abs",
    "__builtin_add_overflow",
    "__builtin_addressof",
    "__builtin_alloca",
    "__builtin_assume",
    "__builtin_assume_aligned",
    "__builtin_bit_cast",
    "__builtin_bswap16",
    "__builtin_bswap32",
    "__builtin_bswap64",
    "__builtin_ceil",
    "__builtin_ceilf",
    "__builtin_clrsb",
    "__builtin_clrsbl",
    "__builtin_clrsbll",
    "__builtin_clz",
    "__builtin_clzl",
    "__builtin_clzll",
    "__builtin_constant_p",
    "__builtin_copysign",
    "__builtin_copysignf",
    "__builtin_ctz",
    "__builtin_ctzl",
    "__builtin_ctzll",
    "__builtin_expect",
    "__builtin_expect_with_probability",
    "__builtin_fabs",
    "__builtin_fabsf",
    "__builtin_ffs",
    "__builtin_ffsl",
    "__builtin_ffsll",
    "__builtin_floor",
    "__builtin_floorf",
    "__builtin_fma",
    "__builtin_fmaf",
    "__builtin_fmax",
    "__builtin_fmaxf",
    "__builtin_fmin",
    "__builtin_fminf",
    "__builtin_huge_val",
    "__builtin_huge_valf",
    "__builtin_inf",
    "__builtin_inff",
    "__builtin_is_constant_evaluated",
    "__builtin_isfinite",
    "__builtin_isgreater",
    "__builtin_isgreaterequal",
    "__builtin_isinf",
    "__builtin_isless",
    "__builtin_islessequal",
    "__builtin_islessgreater",
    "__builtin_isnan",
    "__builtin_isnormal",
    "__builtin_isunordered",
    "__builtin_labs",
    "__builtin_launder",
    "__builtin_llabs",
    "__builtin_memcpy",
    "__builtin_memmove",
    "__builtin_memset",
    "__builtin_mul_overflow",
    "__builtin_nan",
    "__builtin_nanf",
    "__builtin_nearbyint",
    "__builtin_nearbyintf",
    "__builtin_offsetof",
    "__builtin_parity",
    "__builtin_parityl",
    "__builtin_parityll",
    "__builtin_popcount",
    "__builtin_popcountl",
    "__builtin_popcountll",
    "__builtin_printf",
    "__builtin_provable",
    "__builtin_rint",
    "__builtin_rintf",
    "__builtin_signbit",
    "__builtin_signbitf",
    "__builtin_sqrt",
    "__builtin_sqrtf",
    "__builtin_sub_overflow",
    "__builtin_trap",
    "__builtin_trunc",
    "__builtin_truncf",
    "__builtin_unreachable",
    "__builtin_va_copy",
    "__builtin_va_end",
    "__builtin_va_start",
];

/// Traits of types among those of C++ that GNU's compiler has: nvcc answers as that does. Sorted.
static TRAITS: &[&str] = &[
    "__has_trivial_destructor",
    "__has_unique_object_representations",
    "__has_virtual_destructor",
    "__is_abstract",
    "__is_aggregate",
    "__is_assignable",
    "__is_base_of",
    "__is_class",
    "__is_constructible",
    "__is_empty",
    "__is_enum",
    "__is_final",
    "__is_literal_type",
    "__is_pod",
    "__is_polymorphic",
    "__is_same",
    "__is_same_as",
    "__is_standard_layout",
    "__is_trivial",
    "__is_trivially_assignable",
    "__is_trivially_constructible",
    "__is_trivially_copyable",
    "__is_union",
    "__underlying_type",
];

/// Attributes with the `__attribute__((…))` spelling, without underscores around, sorted.
static ATTRIBUTES: &[&str] = &[
    "address_space",
    "aligned",
    "always_inline",
    "cold",
    "const",
    "constructor",
    "constant",
    "deprecated",
    "device",
    "endian",
    "ext_vector_type",
    "flatten",
    "global",
    "hot",
    "host",
    "launch_bounds",
    "may_alias",
    "noinline",
    "noreturn",
    "nothrow",
    "opencl_unroll_hint",
    "packed",
    "pure",
    "reqd_work_group_size",
    "shared",
    "unspool_unroll",
    "unused",
    "used",
    "vec_type_hint",
    "vector_size",
    "visibility",
    "weak",
    "work_group_size_hint",
];

/// Standard attributes and the versions that introduced them, sorted by name.
static CPP_ATTRIBUTES: &[(&str, u32)] = &[
    ("carries_dependency", 200_809),
    ("clang::loop_unroll", 1),
    ("clang::noinline", 1),
    ("deprecated", 201_309),
    ("fallthrough", 201_603),
    ("gnu::always_inline", 1),
    ("gnu::noinline", 1),
    ("gnu::unused", 1),
    ("likely", 201_803),
    ("maybe_unused", 201_603),
    ("nodiscard", 201_603),
    ("noreturn", 200_809),
    ("unlikely", 201_803),
];

/// Features of C++ as clang names them, sorted.
static CXX_FEATURES: &[&str] = &[
    "cxx_alias_templates",
    "cxx_alignas",
    "cxx_alignof",
    "cxx_auto_type",
    "cxx_constexpr",
    "cxx_decltype",
    "cxx_default_function_template_args",
    "cxx_defaulted_functions",
    "cxx_deleted_functions",
    "cxx_explicit_conversions",
    "cxx_generalized_initializers",
    "cxx_inline_namespaces",
    "cxx_lambdas",
    "cxx_noexcept",
    "cxx_nullptr",
    "cxx_override_control",
    "cxx_range_for",
    "cxx_raw_string_literals",
    "cxx_relaxed_constexpr",
    "cxx_rvalue_references",
    "cxx_static_assert",
    "cxx_strong_enums",
    "cxx_trailing_return",
    "cxx_unicode_literals",
    "cxx_user_literals",
    "cxx_variable_templates",
    "cxx_variadic_templates",
];

/// Features of C as clang names them, sorted.
static C_FEATURES: &[&str] = &["c_alignas", "c_alignof", "c_atomic", "c_generic_selections", "c_static_assert"];

/// The answer: 0 for no.
pub(super) fn answer(query: Query, name: &str, dialect: Dialect) -> u32 {
    let bare = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
    let yes = |b: bool| u32::from(b);
    match query {
        Query::Builtin if dialect.is_cxx() && TRAITS.binary_search(&name).is_ok() => 1,
        Query::Builtin => yes(BUILTINS.binary_search(&name).is_ok()),
        Query::Attribute => yes(ATTRIBUTES.contains(&bare)),
        Query::CppAttribute if !dialect.is_cxx() => 0,
        Query::CppAttribute => CPP_ATTRIBUTES.iter().find(|(n, _)| *n == name).map_or(0, |&(_, v)| v),
        Query::Feature | Query::Extension if dialect.is_cxx() => yes(CXX_FEATURES.binary_search(&bare).is_ok()),
        Query::Feature | Query::Extension => yes(C_FEATURES.binary_search(&bare).is_ok()),
        Query::Warning => 1,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        assert!(super::BUILTINS.is_sorted());
        assert!(super::TRAITS.is_sorted());
        assert!(super::CXX_FEATURES.is_sorted());
        assert!(super::C_FEATURES.is_sorted());
        assert!(super::CPP_ATTRIBUTES.is_sorted());
    }
}
