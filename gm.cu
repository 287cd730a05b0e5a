#ifdef _GNU_SOURCE
int HAVE__GNU_SOURCE;
#endif
#ifdef _LP64
int HAVE__LP64;
#endif
#ifdef _STDC_PREDEF_H
int HAVE__STDC_PREDEF_H;
#endif
#ifdef __ATOMIC_ACQUIRE
int HAVE___ATOMIC_ACQUIRE;
#endif
#ifdef __ATOMIC_ACQ_REL
int HAVE___ATOMIC_ACQ_REL;
#endif
#ifdef __ATOMIC_CONSUME
int HAVE___ATOMIC_CONSUME;
#endif
#ifdef __ATOMIC_HLE_ACQUIRE
int HAVE___ATOMIC_HLE_ACQUIRE;
#endif
#ifdef __ATOMIC_HLE_RELEASE
int HAVE___ATOMIC_HLE_RELEASE;
#endif
#ifdef __ATOMIC_RELAXED
int HAVE___ATOMIC_RELAXED;
#endif
#ifdef __ATOMIC_RELEASE
int HAVE___ATOMIC_RELEASE;
#endif
#ifdef __ATOMIC_SEQ_CST
int HAVE___ATOMIC_SEQ_CST;
#endif
#ifdef __BIGGEST_ALIGNMENT__
int HAVE___BIGGEST_ALIGNMENT__;
#endif
#ifdef __BYTE_ORDER__
int HAVE___BYTE_ORDER__;
#endif
#ifdef __CHAR16_TYPE__
int HAVE___CHAR16_TYPE__;
#endif
#ifdef __CHAR32_TYPE__
int HAVE___CHAR32_TYPE__;
#endif
#ifdef __CHAR8_TYPE__
int HAVE___CHAR8_TYPE__;
#endif
#ifdef __CHAR_BIT__
int HAVE___CHAR_BIT__;
#endif
#ifdef __DBL_DECIMAL_DIG__
int HAVE___DBL_DECIMAL_DIG__;
#endif
#ifdef __DBL_DENORM_MIN__
int HAVE___DBL_DENORM_MIN__;
#endif
#ifdef __DBL_DIG__
int HAVE___DBL_DIG__;
#endif
#ifdef __DBL_EPSILON__
int HAVE___DBL_EPSILON__;
#endif
#ifdef __DBL_HAS_DENORM__
int HAVE___DBL_HAS_DENORM__;
#endif
#ifdef __DBL_HAS_INFINITY__
int HAVE___DBL_HAS_INFINITY__;
#endif
#ifdef __DBL_HAS_QUIET_NAN__
int HAVE___DBL_HAS_QUIET_NAN__;
#endif
#ifdef __DBL_IS_IEC_60559__
int HAVE___DBL_IS_IEC_60559__;
#endif
#ifdef __DBL_MANT_DIG__
int HAVE___DBL_MANT_DIG__;
#endif
#ifdef __DBL_MAX_10_EXP__
int HAVE___DBL_MAX_10_EXP__;
#endif
#ifdef __DBL_MAX_EXP__
int HAVE___DBL_MAX_EXP__;
#endif
#ifdef __DBL_MAX__
int HAVE___DBL_MAX__;
#endif
#ifdef __DBL_MIN_10_EXP__
int HAVE___DBL_MIN_10_EXP__;
#endif
#ifdef __DBL_MIN_EXP__
int HAVE___DBL_MIN_EXP__;
#endif
#ifdef __DBL_MIN__
int HAVE___DBL_MIN__;
#endif
#ifdef __DBL_NORM_MAX__
int HAVE___DBL_NORM_MAX__;
#endif
#ifdef __DEC128_EPSILON__
int HAVE___DEC128_EPSILON__;
#endif
#ifdef __DEC128_MANT_DIG__
int HAVE___DEC128_MANT_DIG__;
#endif
#ifdef __DEC128_MAX_EXP__
int HAVE___DEC128_MAX_EXP__;
#endif
#ifdef __DEC128_MAX__
int HAVE___DEC128_MAX__;
#endif
#ifdef __DEC128_MIN_EXP__
int HAVE___DEC128_MIN_EXP__;
#endif
#ifdef __DEC128_MIN__
int HAVE___DEC128_MIN__;
#endif
#ifdef __DEC128_SUBNORMAL_MIN__
int HAVE___DEC128_SUBNORMAL_MIN__;
#endif
#ifdef __DEC32_EPSILON__
int HAVE___DEC32_EPSILON__;
#endif
#ifdef __DEC32_MANT_DIG__
int HAVE___DEC32_MANT_DIG__;
#endif
#ifdef __DEC32_MAX_EXP__
int HAVE___DEC32_MAX_EXP__;
#endif
#ifdef __DEC32_MAX__
int HAVE___DEC32_MAX__;
#endif
#ifdef __DEC32_MIN_EXP__
int HAVE___DEC32_MIN_EXP__;
#endif
#ifdef __DEC32_MIN__
int HAVE___DEC32_MIN__;
#endif
#ifdef __DEC32_SUBNORMAL_MIN__
int HAVE___DEC32_SUBNORMAL_MIN__;
#endif
#ifdef __DEC64_EPSILON__
int HAVE___DEC64_EPSILON__;
#endif
#ifdef __DEC64_MANT_DIG__
int HAVE___DEC64_MANT_DIG__;
#endif
#ifdef __DEC64_MAX_EXP__
int HAVE___DEC64_MAX_EXP__;
#endif
#ifdef __DEC64_MAX__
int HAVE___DEC64_MAX__;
#endif
#ifdef __DEC64_MIN_EXP__
int HAVE___DEC64_MIN_EXP__;
#endif
#ifdef __DEC64_MIN__
int HAVE___DEC64_MIN__;
#endif
#ifdef __DEC64_SUBNORMAL_MIN__
int HAVE___DEC64_SUBNORMAL_MIN__;
#endif
#ifdef __DECIMAL_BID_FORMAT__
int HAVE___DECIMAL_BID_FORMAT__;
#endif
#ifdef __DECIMAL_DIG__
int HAVE___DECIMAL_DIG__;
#endif
#ifdef __DEC_EVAL_METHOD__
int HAVE___DEC_EVAL_METHOD__;
#endif
#ifdef __DEPRECATED
int HAVE___DEPRECATED;
#endif
#ifdef __ELF__
int HAVE___ELF__;
#endif
#ifdef __EXCEPTIONS
int HAVE___EXCEPTIONS;
#endif
#ifdef __FINITE_MATH_ONLY__
int HAVE___FINITE_MATH_ONLY__;
#endif
#ifdef __FLOAT_WORD_ORDER__
int HAVE___FLOAT_WORD_ORDER__;
#endif
#ifdef __FLT128_DECIMAL_DIG__
int HAVE___FLT128_DECIMAL_DIG__;
#endif
#ifdef __FLT128_DENORM_MIN__
int HAVE___FLT128_DENORM_MIN__;
#endif
#ifdef __FLT128_DIG__
int HAVE___FLT128_DIG__;
#endif
#ifdef __FLT128_EPSILON__
int HAVE___FLT128_EPSILON__;
#endif
#ifdef __FLT128_HAS_DENORM__
int HAVE___FLT128_HAS_DENORM__;
#endif
#ifdef __FLT128_HAS_INFINITY__
int HAVE___FLT128_HAS_INFINITY__;
#endif
#ifdef __FLT128_HAS_QUIET_NAN__
int HAVE___FLT128_HAS_QUIET_NAN__;
#endif
#ifdef __FLT128_IS_IEC_60559__
int HAVE___FLT128_IS_IEC_60559__;
#endif
#ifdef __FLT128_MANT_DIG__
int HAVE___FLT128_MANT_DIG__;
#endif
#ifdef __FLT128_MAX_10_EXP__
int HAVE___FLT128_MAX_10_EXP__;
#endif
#ifdef __FLT128_MAX_EXP__
int HAVE___FLT128_MAX_EXP__;
#endif
#ifdef __FLT128_MAX__
int HAVE___FLT128_MAX__;
#endif
#ifdef __FLT128_MIN_10_EXP__
int HAVE___FLT128_MIN_10_EXP__;
#endif
#ifdef __FLT128_MIN_EXP__
int HAVE___FLT128_MIN_EXP__;
#endif
#ifdef __FLT128_MIN__
int HAVE___FLT128_MIN__;
#endif
#ifdef __FLT128_NORM_MAX__
int HAVE___FLT128_NORM_MAX__;
#endif
#ifdef __FLT16_DECIMAL_DIG__
int HAVE___FLT16_DECIMAL_DIG__;
#endif
#ifdef __FLT16_DENORM_MIN__
int HAVE___FLT16_DENORM_MIN__;
#endif
#ifdef __FLT16_DIG__
int HAVE___FLT16_DIG__;
#endif
#ifdef __FLT16_EPSILON__
int HAVE___FLT16_EPSILON__;
#endif
#ifdef __FLT16_HAS_DENORM__
int HAVE___FLT16_HAS_DENORM__;
#endif
#ifdef __FLT16_HAS_INFINITY__
int HAVE___FLT16_HAS_INFINITY__;
#endif
#ifdef __FLT16_HAS_QUIET_NAN__
int HAVE___FLT16_HAS_QUIET_NAN__;
#endif
#ifdef __FLT16_IS_IEC_60559__
int HAVE___FLT16_IS_IEC_60559__;
#endif
#ifdef __FLT16_MANT_DIG__
int HAVE___FLT16_MANT_DIG__;
#endif
#ifdef __FLT16_MAX_10_EXP__
int HAVE___FLT16_MAX_10_EXP__;
#endif
#ifdef __FLT16_MAX_EXP__
int HAVE___FLT16_MAX_EXP__;
#endif
#ifdef __FLT16_MAX__
int HAVE___FLT16_MAX__;
#endif
#ifdef __FLT16_MIN_10_EXP__
int HAVE___FLT16_MIN_10_EXP__;
#endif
#ifdef __FLT16_MIN_EXP__
int HAVE___FLT16_MIN_EXP__;
#endif
#ifdef __FLT16_MIN__
int HAVE___FLT16_MIN__;
#endif
#ifdef __FLT16_NORM_MAX__
int HAVE___FLT16_NORM_MAX__;
#endif
#ifdef __FLT32X_DECIMAL_DIG__
int HAVE___FLT32X_DECIMAL_DIG__;
#endif
#ifdef __FLT32X_DENORM_MIN__
int HAVE___FLT32X_DENORM_MIN__;
#endif
#ifdef __FLT32X_DIG__
int HAVE___FLT32X_DIG__;
#endif
#ifdef __FLT32X_EPSILON__
int HAVE___FLT32X_EPSILON__;
#endif
#ifdef __FLT32X_HAS_DENORM__
int HAVE___FLT32X_HAS_DENORM__;
#endif
#ifdef __FLT32X_HAS_INFINITY__
int HAVE___FLT32X_HAS_INFINITY__;
#endif
#ifdef __FLT32X_HAS_QUIET_NAN__
int HAVE___FLT32X_HAS_QUIET_NAN__;
#endif
#ifdef __FLT32X_IS_IEC_60559__
int HAVE___FLT32X_IS_IEC_60559__;
#endif
#ifdef __FLT32X_MANT_DIG__
int HAVE___FLT32X_MANT_DIG__;
#endif
#ifdef __FLT32X_MAX_10_EXP__
int HAVE___FLT32X_MAX_10_EXP__;
#endif
#ifdef __FLT32X_MAX_EXP__
int HAVE___FLT32X_MAX_EXP__;
#endif
#ifdef __FLT32X_MAX__
int HAVE___FLT32X_MAX__;
#endif
#ifdef __FLT32X_MIN_10_EXP__
int HAVE___FLT32X_MIN_10_EXP__;
#endif
#ifdef __FLT32X_MIN_EXP__
int HAVE___FLT32X_MIN_EXP__;
#endif
#ifdef __FLT32X_MIN__
int HAVE___FLT32X_MIN__;
#endif
#ifdef __FLT32X_NORM_MAX__
int HAVE___FLT32X_NORM_MAX__;
#endif
#ifdef __FLT32_DECIMAL_DIG__
int HAVE___FLT32_DECIMAL_DIG__;
#endif
#ifdef __FLT32_DENORM_MIN__
int HAVE___FLT32_DENORM_MIN__;
#endif
#ifdef __FLT32_DIG__
int HAVE___FLT32_DIG__;
#endif
#ifdef __FLT32_EPSILON__
int HAVE___FLT32_EPSILON__;
#endif
#ifdef __FLT32_HAS_DENORM__
int HAVE___FLT32_HAS_DENORM__;
#endif
#ifdef __FLT32_HAS_INFINITY__
int HAVE___FLT32_HAS_INFINITY__;
#endif
#ifdef __FLT32_HAS_QUIET_NAN__
int HAVE___FLT32_HAS_QUIET_NAN__;
#endif
#ifdef __FLT32_IS_IEC_60559__
int HAVE___FLT32_IS_IEC_60559__;
#endif
#ifdef __FLT32_MANT_DIG__
int HAVE___FLT32_MANT_DIG__;
#endif
#ifdef __FLT32_MAX_10_EXP__
int HAVE___FLT32_MAX_10_EXP__;
#endif
#ifdef __FLT32_MAX_EXP__
int HAVE___FLT32_MAX_EXP__;
#endif
#ifdef __FLT32_MAX__
int HAVE___FLT32_MAX__;
#endif
#ifdef __FLT32_MIN_10_EXP__
int HAVE___FLT32_MIN_10_EXP__;
#endif
#ifdef __FLT32_MIN_EXP__
int HAVE___FLT32_MIN_EXP__;
#endif
#ifdef __FLT32_MIN__
int HAVE___FLT32_MIN__;
#endif
#ifdef __FLT32_NORM_MAX__
int HAVE___FLT32_NORM_MAX__;
#endif
#ifdef __FLT64X_DECIMAL_DIG__
int HAVE___FLT64X_DECIMAL_DIG__;
#endif
#ifdef __FLT64X_DENORM_MIN__
int HAVE___FLT64X_DENORM_MIN__;
#endif
#ifdef __FLT64X_DIG__
int HAVE___FLT64X_DIG__;
#endif
#ifdef __FLT64X_EPSILON__
int HAVE___FLT64X_EPSILON__;
#endif
#ifdef __FLT64X_HAS_DENORM__
int HAVE___FLT64X_HAS_DENORM__;
#endif
#ifdef __FLT64X_HAS_INFINITY__
int HAVE___FLT64X_HAS_INFINITY__;
#endif
#ifdef __FLT64X_HAS_QUIET_NAN__
int HAVE___FLT64X_HAS_QUIET_NAN__;
#endif
#ifdef __FLT64X_IS_IEC_60559__
int HAVE___FLT64X_IS_IEC_60559__;
#endif
#ifdef __FLT64X_MANT_DIG__
int HAVE___FLT64X_MANT_DIG__;
#endif
#ifdef __FLT64X_MAX_10_EXP__
int HAVE___FLT64X_MAX_10_EXP__;
#endif
#ifdef __FLT64X_MAX_EXP__
int HAVE___FLT64X_MAX_EXP__;
#endif
#ifdef __FLT64X_MAX__
int HAVE___FLT64X_MAX__;
#endif
#ifdef __FLT64X_MIN_10_EXP__
int HAVE___FLT64X_MIN_10_EXP__;
#endif
#ifdef __FLT64X_MIN_EXP__
int HAVE___FLT64X_MIN_EXP__;
#endif
#ifdef __FLT64X_MIN__
int HAVE___FLT64X_MIN__;
#endif
#ifdef __FLT64X_NORM_MAX__
int HAVE___FLT64X_NORM_MAX__;
#endif
#ifdef __FLT64_DECIMAL_DIG__
int HAVE___FLT64_DECIMAL_DIG__;
#endif
#ifdef __FLT64_DENORM_MIN__
int HAVE___FLT64_DENORM_MIN__;
#endif
#ifdef __FLT64_DIG__
int HAVE___FLT64_DIG__;
#endif
#ifdef __FLT64_EPSILON__
int HAVE___FLT64_EPSILON__;
#endif
#ifdef __FLT64_HAS_DENORM__
int HAVE___FLT64_HAS_DENORM__;
#endif
#ifdef __FLT64_HAS_INFINITY__
int HAVE___FLT64_HAS_INFINITY__;
#endif
#ifdef __FLT64_HAS_QUIET_NAN__
int HAVE___FLT64_HAS_QUIET_NAN__;
#endif
#ifdef __FLT64_IS_IEC_60559__
int HAVE___FLT64_IS_IEC_60559__;
#endif
#ifdef __FLT64_MANT_DIG__
int HAVE___FLT64_MANT_DIG__;
#endif
#ifdef __FLT64_MAX_10_EXP__
int HAVE___FLT64_MAX_10_EXP__;
#endif
#ifdef __FLT64_MAX_EXP__
int HAVE___FLT64_MAX_EXP__;
#endif
#ifdef __FLT64_MAX__
int HAVE___FLT64_MAX__;
#endif
#ifdef __FLT64_MIN_10_EXP__
int HAVE___FLT64_MIN_10_EXP__;
#endif
#ifdef __FLT64_MIN_EXP__
int HAVE___FLT64_MIN_EXP__;
#endif
#ifdef __FLT64_MIN__
int HAVE___FLT64_MIN__;
#endif
#ifdef __FLT64_NORM_MAX__
int HAVE___FLT64_NORM_MAX__;
#endif
#ifdef __FLT_DECIMAL_DIG__
int HAVE___FLT_DECIMAL_DIG__;
#endif
#ifdef __FLT_DENORM_MIN__
int HAVE___FLT_DENORM_MIN__;
#endif
#ifdef __FLT_DIG__
int HAVE___FLT_DIG__;
#endif
#ifdef __FLT_EPSILON__
int HAVE___FLT_EPSILON__;
#endif
#ifdef __FLT_EVAL_METHOD_TS_18661_3__
int HAVE___FLT_EVAL_METHOD_TS_18661_3__;
#endif
#ifdef __FLT_EVAL_METHOD__
int HAVE___FLT_EVAL_METHOD__;
#endif
#ifdef __FLT_HAS_DENORM__
int HAVE___FLT_HAS_DENORM__;
#endif
#ifdef __FLT_HAS_INFINITY__
int HAVE___FLT_HAS_INFINITY__;
#endif
#ifdef __FLT_HAS_QUIET_NAN__
int HAVE___FLT_HAS_QUIET_NAN__;
#endif
#ifdef __FLT_IS_IEC_60559__
int HAVE___FLT_IS_IEC_60559__;
#endif
#ifdef __FLT_MANT_DIG__
int HAVE___FLT_MANT_DIG__;
#endif
#ifdef __FLT_MAX_10_EXP__
int HAVE___FLT_MAX_10_EXP__;
#endif
#ifdef __FLT_MAX_EXP__
int HAVE___FLT_MAX_EXP__;
#endif
#ifdef __FLT_MAX__
int HAVE___FLT_MAX__;
#endif
#ifdef __FLT_MIN_10_EXP__
int HAVE___FLT_MIN_10_EXP__;
#endif
#ifdef __FLT_MIN_EXP__
int HAVE___FLT_MIN_EXP__;
#endif
#ifdef __FLT_MIN__
int HAVE___FLT_MIN__;
#endif
#ifdef __FLT_NORM_MAX__
int HAVE___FLT_NORM_MAX__;
#endif
#ifdef __FLT_RADIX__
int HAVE___FLT_RADIX__;
#endif
#ifdef __FXSR__
int HAVE___FXSR__;
#endif
#ifdef __GCC_ASM_FLAG_OUTPUTS__
int HAVE___GCC_ASM_FLAG_OUTPUTS__;
#endif
#ifdef __GCC_ATOMIC_BOOL_LOCK_FREE
int HAVE___GCC_ATOMIC_BOOL_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_CHAR16_T_LOCK_FREE
int HAVE___GCC_ATOMIC_CHAR16_T_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_CHAR32_T_LOCK_FREE
int HAVE___GCC_ATOMIC_CHAR32_T_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_CHAR8_T_LOCK_FREE
int HAVE___GCC_ATOMIC_CHAR8_T_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_CHAR_LOCK_FREE
int HAVE___GCC_ATOMIC_CHAR_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_INT_LOCK_FREE
int HAVE___GCC_ATOMIC_INT_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_LLONG_LOCK_FREE
int HAVE___GCC_ATOMIC_LLONG_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_LONG_LOCK_FREE
int HAVE___GCC_ATOMIC_LONG_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_POINTER_LOCK_FREE
int HAVE___GCC_ATOMIC_POINTER_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_SHORT_LOCK_FREE
int HAVE___GCC_ATOMIC_SHORT_LOCK_FREE;
#endif
#ifdef __GCC_ATOMIC_TEST_AND_SET_TRUEVAL
int HAVE___GCC_ATOMIC_TEST_AND_SET_TRUEVAL;
#endif
#ifdef __GCC_ATOMIC_WCHAR_T_LOCK_FREE
int HAVE___GCC_ATOMIC_WCHAR_T_LOCK_FREE;
#endif
#ifdef __GCC_CONSTRUCTIVE_SIZE
int HAVE___GCC_CONSTRUCTIVE_SIZE;
#endif
#ifdef __GCC_DESTRUCTIVE_SIZE
int HAVE___GCC_DESTRUCTIVE_SIZE;
#endif
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
int HAVE___GCC_HAVE_DWARF2_CFI_ASM;
#endif
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_1
int HAVE___GCC_HAVE_SYNC_COMPARE_AND_SWAP_1;
#endif
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_2
int HAVE___GCC_HAVE_SYNC_COMPARE_AND_SWAP_2;
#endif
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_4
int HAVE___GCC_HAVE_SYNC_COMPARE_AND_SWAP_4;
#endif
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8
int HAVE___GCC_HAVE_SYNC_COMPARE_AND_SWAP_8;
#endif
#ifdef __GCC_IEC_559
int HAVE___GCC_IEC_559;
#endif
#ifdef __GCC_IEC_559_COMPLEX
int HAVE___GCC_IEC_559_COMPLEX;
#endif
#ifdef __GNUC_EXECUTION_CHARSET_NAME
int HAVE___GNUC_EXECUTION_CHARSET_NAME;
#endif
#ifdef __GNUC_MINOR__
int HAVE___GNUC_MINOR__;
#endif
#ifdef __GNUC_PATCHLEVEL__
int HAVE___GNUC_PATCHLEVEL__;
#endif
#ifdef __GNUC_STDC_INLINE__
int HAVE___GNUC_STDC_INLINE__;
#endif
#ifdef __GNUC_WIDE_EXECUTION_CHARSET_NAME
int HAVE___GNUC_WIDE_EXECUTION_CHARSET_NAME;
#endif
#ifdef __GNUC__
int HAVE___GNUC__;
#endif
#ifdef __GNUG__
int HAVE___GNUG__;
#endif
#ifdef __GXX_ABI_VERSION
int HAVE___GXX_ABI_VERSION;
#endif
#ifdef __GXX_EXPERIMENTAL_CXX0X__
int HAVE___GXX_EXPERIMENTAL_CXX0X__;
#endif
#ifdef __GXX_RTTI
int HAVE___GXX_RTTI;
#endif
#ifdef __GXX_WEAK__
int HAVE___GXX_WEAK__;
#endif
#ifdef __HAVE_SPECULATION_SAFE_VALUE
int HAVE___HAVE_SPECULATION_SAFE_VALUE;
#endif
#ifdef __INT16_C
int HAVE___INT16_C;
#endif
#ifdef __INT16_MAX__
int HAVE___INT16_MAX__;
#endif
#ifdef __INT16_TYPE__
int HAVE___INT16_TYPE__;
#endif
#ifdef __INT32_C
int HAVE___INT32_C;
#endif
#ifdef __INT32_MAX__
int HAVE___INT32_MAX__;
#endif
#ifdef __INT32_TYPE__
int HAVE___INT32_TYPE__;
#endif
#ifdef __INT64_C
int HAVE___INT64_C;
#endif
#ifdef __INT64_MAX__
int HAVE___INT64_MAX__;
#endif
#ifdef __INT64_TYPE__
int HAVE___INT64_TYPE__;
#endif
#ifdef __INT8_C
int HAVE___INT8_C;
#endif
#ifdef __INT8_MAX__
int HAVE___INT8_MAX__;
#endif
#ifdef __INT8_TYPE__
int HAVE___INT8_TYPE__;
#endif
#ifdef __INTMAX_C
int HAVE___INTMAX_C;
#endif
#ifdef __INTMAX_MAX__
int HAVE___INTMAX_MAX__;
#endif
#ifdef __INTMAX_TYPE__
int HAVE___INTMAX_TYPE__;
#endif
#ifdef __INTMAX_WIDTH__
int HAVE___INTMAX_WIDTH__;
#endif
#ifdef __INTPTR_MAX__
int HAVE___INTPTR_MAX__;
#endif
#ifdef __INTPTR_TYPE__
int HAVE___INTPTR_TYPE__;
#endif
#ifdef __INTPTR_WIDTH__
int HAVE___INTPTR_WIDTH__;
#endif
#ifdef __INT_FAST16_MAX__
int HAVE___INT_FAST16_MAX__;
#endif
#ifdef __INT_FAST16_TYPE__
int HAVE___INT_FAST16_TYPE__;
#endif
#ifdef __INT_FAST16_WIDTH__
int HAVE___INT_FAST16_WIDTH__;
#endif
#ifdef __INT_FAST32_MAX__
int HAVE___INT_FAST32_MAX__;
#endif
#ifdef __INT_FAST32_TYPE__
int HAVE___INT_FAST32_TYPE__;
#endif
#ifdef __INT_FAST32_WIDTH__
int HAVE___INT_FAST32_WIDTH__;
#endif
#ifdef __INT_FAST64_MAX__
int HAVE___INT_FAST64_MAX__;
#endif
#ifdef __INT_FAST64_TYPE__
int HAVE___INT_FAST64_TYPE__;
#endif
#ifdef __INT_FAST64_WIDTH__
int HAVE___INT_FAST64_WIDTH__;
#endif
#ifdef __INT_FAST8_MAX__
int HAVE___INT_FAST8_MAX__;
#endif
#ifdef __INT_FAST8_TYPE__
int HAVE___INT_FAST8_TYPE__;
#endif
#ifdef __INT_FAST8_WIDTH__
int HAVE___INT_FAST8_WIDTH__;
#endif
#ifdef __INT_LEAST16_MAX__
int HAVE___INT_LEAST16_MAX__;
#endif
#ifdef __INT_LEAST16_TYPE__
int HAVE___INT_LEAST16_TYPE__;
#endif
#ifdef __INT_LEAST16_WIDTH__
int HAVE___INT_LEAST16_WIDTH__;
#endif
#ifdef __INT_LEAST32_MAX__
int HAVE___INT_LEAST32_MAX__;
#endif
#ifdef __INT_LEAST32_TYPE__
int HAVE___INT_LEAST32_TYPE__;
#endif
#ifdef __INT_LEAST32_WIDTH__
int HAVE___INT_LEAST32_WIDTH__;
#endif
#ifdef __INT_LEAST64_MAX__
int HAVE___INT_LEAST64_MAX__;
#endif
#ifdef __INT_LEAST64_TYPE__
int HAVE___INT_LEAST64_TYPE__;
#endif
#ifdef __INT_LEAST64_WIDTH__
int HAVE___INT_LEAST64_WIDTH__;
#endif
#ifdef __INT_LEAST8_MAX__
int HAVE___INT_LEAST8_MAX__;
#endif
#ifdef __INT_LEAST8_TYPE__
int HAVE___INT_LEAST8_TYPE__;
#endif
#ifdef __INT_LEAST8_WIDTH__
int HAVE___INT_LEAST8_WIDTH__;
#endif
#ifdef __INT_MAX__
int HAVE___INT_MAX__;
#endif
#ifdef __INT_WIDTH__
int HAVE___INT_WIDTH__;
#endif
#ifdef __LDBL_DECIMAL_DIG__
int HAVE___LDBL_DECIMAL_DIG__;
#endif
#ifdef __LDBL_DENORM_MIN__
int HAVE___LDBL_DENORM_MIN__;
#endif
#ifdef __LDBL_DIG__
int HAVE___LDBL_DIG__;
#endif
#ifdef __LDBL_EPSILON__
int HAVE___LDBL_EPSILON__;
#endif
#ifdef __LDBL_HAS_DENORM__
int HAVE___LDBL_HAS_DENORM__;
#endif
#ifdef __LDBL_HAS_INFINITY__
int HAVE___LDBL_HAS_INFINITY__;
#endif
#ifdef __LDBL_HAS_QUIET_NAN__
int HAVE___LDBL_HAS_QUIET_NAN__;
#endif
#ifdef __LDBL_IS_IEC_60559__
int HAVE___LDBL_IS_IEC_60559__;
#endif
#ifdef __LDBL_MANT_DIG__
int HAVE___LDBL_MANT_DIG__;
#endif
#ifdef __LDBL_MAX_10_EXP__
int HAVE___LDBL_MAX_10_EXP__;
#endif
#ifdef __LDBL_MAX_EXP__
int HAVE___LDBL_MAX_EXP__;
#endif
#ifdef __LDBL_MAX__
int HAVE___LDBL_MAX__;
#endif
#ifdef __LDBL_MIN_10_EXP__
int HAVE___LDBL_MIN_10_EXP__;
#endif
#ifdef __LDBL_MIN_EXP__
int HAVE___LDBL_MIN_EXP__;
#endif
#ifdef __LDBL_MIN__
int HAVE___LDBL_MIN__;
#endif
#ifdef __LDBL_NORM_MAX__
int HAVE___LDBL_NORM_MAX__;
#endif
#ifdef __LONG_LONG_MAX__
int HAVE___LONG_LONG_MAX__;
#endif
#ifdef __LONG_LONG_WIDTH__
int HAVE___LONG_LONG_WIDTH__;
#endif
#ifdef __LONG_MAX__
int HAVE___LONG_MAX__;
#endif
#ifdef __LONG_WIDTH__
int HAVE___LONG_WIDTH__;
#endif
#ifdef __LP64__
int HAVE___LP64__;
#endif
#ifdef __MMX_WITH_SSE__
int HAVE___MMX_WITH_SSE__;
#endif
#ifdef __MMX__
int HAVE___MMX__;
#endif
#ifdef __NO_INLINE__
int HAVE___NO_INLINE__;
#endif
#ifdef __ORDER_BIG_ENDIAN__
int HAVE___ORDER_BIG_ENDIAN__;
#endif
#ifdef __ORDER_LITTLE_ENDIAN__
int HAVE___ORDER_LITTLE_ENDIAN__;
#endif
#ifdef __ORDER_PDP_ENDIAN__
int HAVE___ORDER_PDP_ENDIAN__;
#endif
#ifdef __PIC__
int HAVE___PIC__;
#endif
#ifdef __PIE__
int HAVE___PIE__;
#endif
#ifdef __PRAGMA_REDEFINE_EXTNAME
int HAVE___PRAGMA_REDEFINE_EXTNAME;
#endif
#ifdef __PTRDIFF_MAX__
int HAVE___PTRDIFF_MAX__;
#endif
#ifdef __PTRDIFF_TYPE__
int HAVE___PTRDIFF_TYPE__;
#endif
#ifdef __PTRDIFF_WIDTH__
int HAVE___PTRDIFF_WIDTH__;
#endif
#ifdef __REGISTER_PREFIX__
int HAVE___REGISTER_PREFIX__;
#endif
#ifdef __SCHAR_MAX__
int HAVE___SCHAR_MAX__;
#endif
#ifdef __SCHAR_WIDTH__
int HAVE___SCHAR_WIDTH__;
#endif
#ifdef __SEG_FS
int HAVE___SEG_FS;
#endif
#ifdef __SEG_GS
int HAVE___SEG_GS;
#endif
#ifdef __SHRT_MAX__
int HAVE___SHRT_MAX__;
#endif
#ifdef __SHRT_WIDTH__
int HAVE___SHRT_WIDTH__;
#endif
#ifdef __SIG_ATOMIC_MAX__
int HAVE___SIG_ATOMIC_MAX__;
#endif
#ifdef __SIG_ATOMIC_MIN__
int HAVE___SIG_ATOMIC_MIN__;
#endif
#ifdef __SIG_ATOMIC_TYPE__
int HAVE___SIG_ATOMIC_TYPE__;
#endif
#ifdef __SIG_ATOMIC_WIDTH__
int HAVE___SIG_ATOMIC_WIDTH__;
#endif
#ifdef __SIZEOF_DOUBLE__
int HAVE___SIZEOF_DOUBLE__;
#endif
#ifdef __SIZEOF_FLOAT128__
int HAVE___SIZEOF_FLOAT128__;
#endif
#ifdef __SIZEOF_FLOAT80__
int HAVE___SIZEOF_FLOAT80__;
#endif
#ifdef __SIZEOF_FLOAT__
int HAVE___SIZEOF_FLOAT__;
#endif
#ifdef __SIZEOF_INT128__
int HAVE___SIZEOF_INT128__;
#endif
#ifdef __SIZEOF_INT__
int HAVE___SIZEOF_INT__;
#endif
#ifdef __SIZEOF_LONG_DOUBLE__
int HAVE___SIZEOF_LONG_DOUBLE__;
#endif
#ifdef __SIZEOF_LONG_LONG__
int HAVE___SIZEOF_LONG_LONG__;
#endif
#ifdef __SIZEOF_LONG__
int HAVE___SIZEOF_LONG__;
#endif
#ifdef __SIZEOF_POINTER__
int HAVE___SIZEOF_POINTER__;
#endif
#ifdef __SIZEOF_PTRDIFF_T__
int HAVE___SIZEOF_PTRDIFF_T__;
#endif
#ifdef __SIZEOF_SHORT__
int HAVE___SIZEOF_SHORT__;
#endif
#ifdef __SIZEOF_SIZE_T__
int HAVE___SIZEOF_SIZE_T__;
#endif
#ifdef __SIZEOF_WCHAR_T__
int HAVE___SIZEOF_WCHAR_T__;
#endif
#ifdef __SIZEOF_WINT_T__
int HAVE___SIZEOF_WINT_T__;
#endif
#ifdef __SIZE_MAX__
int HAVE___SIZE_MAX__;
#endif
#ifdef __SIZE_TYPE__
int HAVE___SIZE_TYPE__;
#endif
#ifdef __SIZE_WIDTH__
int HAVE___SIZE_WIDTH__;
#endif
#ifdef __SSE2_MATH__
int HAVE___SSE2_MATH__;
#endif
#ifdef __SSE2__
int HAVE___SSE2__;
#endif
#ifdef __SSE_MATH__
int HAVE___SSE_MATH__;
#endif
#ifdef __SSE__
int HAVE___SSE__;
#endif
#ifdef __STDCPP_DEFAULT_NEW_ALIGNMENT__
int HAVE___STDCPP_DEFAULT_NEW_ALIGNMENT__;
#endif
#ifdef __STDCPP_THREADS__
int HAVE___STDCPP_THREADS__;
#endif
#ifdef __STDC_HOSTED__
int HAVE___STDC_HOSTED__;
#endif
#ifdef __STDC_IEC_559_COMPLEX__
int HAVE___STDC_IEC_559_COMPLEX__;
#endif
#ifdef __STDC_IEC_559__
int HAVE___STDC_IEC_559__;
#endif
#ifdef __STDC_IEC_60559_BFP__
int HAVE___STDC_IEC_60559_BFP__;
#endif
#ifdef __STDC_IEC_60559_COMPLEX__
int HAVE___STDC_IEC_60559_COMPLEX__;
#endif
#ifdef __STDC_ISO_10646__
int HAVE___STDC_ISO_10646__;
#endif
#ifdef __STDC_UTF_16__
int HAVE___STDC_UTF_16__;
#endif
#ifdef __STDC_UTF_32__
int HAVE___STDC_UTF_32__;
#endif
#ifdef __STDC__
int HAVE___STDC__;
#endif
#ifdef __STRICT_ANSI__
int HAVE___STRICT_ANSI__;
#endif
#ifdef __UINT16_C
int HAVE___UINT16_C;
#endif
#ifdef __UINT16_MAX__
int HAVE___UINT16_MAX__;
#endif
#ifdef __UINT16_TYPE__
int HAVE___UINT16_TYPE__;
#endif
#ifdef __UINT32_C
int HAVE___UINT32_C;
#endif
#ifdef __UINT32_MAX__
int HAVE___UINT32_MAX__;
#endif
#ifdef __UINT32_TYPE__
int HAVE___UINT32_TYPE__;
#endif
#ifdef __UINT64_C
int HAVE___UINT64_C;
#endif
#ifdef __UINT64_MAX__
int HAVE___UINT64_MAX__;
#endif
#ifdef __UINT64_TYPE__
int HAVE___UINT64_TYPE__;
#endif
#ifdef __UINT8_C
int HAVE___UINT8_C;
#endif
#ifdef __UINT8_MAX__
int HAVE___UINT8_MAX__;
#endif
#ifdef __UINT8_TYPE__
int HAVE___UINT8_TYPE__;
#endif
#ifdef __UINTMAX_C
int HAVE___UINTMAX_C;
#endif
#ifdef __UINTMAX_MAX__
int HAVE___UINTMAX_MAX__;
#endif
#ifdef __UINTMAX_TYPE__
int HAVE___UINTMAX_TYPE__;
#endif
#ifdef __UINTPTR_MAX__
int HAVE___UINTPTR_MAX__;
#endif
#ifdef __UINTPTR_TYPE__
int HAVE___UINTPTR_TYPE__;
#endif
#ifdef __UINT_FAST16_MAX__
int HAVE___UINT_FAST16_MAX__;
#endif
#ifdef __UINT_FAST16_TYPE__
int HAVE___UINT_FAST16_TYPE__;
#endif
#ifdef __UINT_FAST32_MAX__
int HAVE___UINT_FAST32_MAX__;
#endif
#ifdef __UINT_FAST32_TYPE__
int HAVE___UINT_FAST32_TYPE__;
#endif
#ifdef __UINT_FAST64_MAX__
int HAVE___UINT_FAST64_MAX__;
#endif
#ifdef __UINT_FAST64_TYPE__
int HAVE___UINT_FAST64_TYPE__;
#endif
#ifdef __UINT_FAST8_MAX__
int HAVE___UINT_FAST8_MAX__;
#endif
#ifdef __UINT_FAST8_TYPE__
int HAVE___UINT_FAST8_TYPE__;
#endif
#ifdef __UINT_LEAST16_MAX__
int HAVE___UINT_LEAST16_MAX__;
#endif
#ifdef __UINT_LEAST16_TYPE__
int HAVE___UINT_LEAST16_TYPE__;
#endif
#ifdef __UINT_LEAST32_MAX__
int HAVE___UINT_LEAST32_MAX__;
#endif
#ifdef __UINT_LEAST32_TYPE__
int HAVE___UINT_LEAST32_TYPE__;
#endif
#ifdef __UINT_LEAST64_MAX__
int HAVE___UINT_LEAST64_MAX__;
#endif
#ifdef __UINT_LEAST64_TYPE__
int HAVE___UINT_LEAST64_TYPE__;
#endif
#ifdef __UINT_LEAST8_MAX__
int HAVE___UINT_LEAST8_MAX__;
#endif
#ifdef __UINT_LEAST8_TYPE__
int HAVE___UINT_LEAST8_TYPE__;
#endif
#ifdef __USER_LABEL_PREFIX__
int HAVE___USER_LABEL_PREFIX__;
#endif
#ifdef __VERSION__
int HAVE___VERSION__;
#endif
#ifdef __WCHAR_MAX__
int HAVE___WCHAR_MAX__;
#endif
#ifdef __WCHAR_MIN__
int HAVE___WCHAR_MIN__;
#endif
#ifdef __WCHAR_TYPE__
int HAVE___WCHAR_TYPE__;
#endif
#ifdef __WCHAR_WIDTH__
int HAVE___WCHAR_WIDTH__;
#endif
#ifdef __WINT_MAX__
int HAVE___WINT_MAX__;
#endif
#ifdef __WINT_MIN__
int HAVE___WINT_MIN__;
#endif
#ifdef __WINT_TYPE__
int HAVE___WINT_TYPE__;
#endif
#ifdef __WINT_WIDTH__
int HAVE___WINT_WIDTH__;
#endif
#ifdef __amd64
int HAVE___amd64;
#endif
#ifdef __amd64__
int HAVE___amd64__;
#endif
#ifdef __code_model_small__
int HAVE___code_model_small__;
#endif
#ifdef __cplusplus
int HAVE___cplusplus;
#endif
#ifdef __cpp_aggregate_bases
int HAVE___cpp_aggregate_bases;
#endif
#ifdef __cpp_aggregate_nsdmi
int HAVE___cpp_aggregate_nsdmi;
#endif
#ifdef __cpp_aggregate_paren_init
int HAVE___cpp_aggregate_paren_init;
#endif
#ifdef __cpp_alias_templates
int HAVE___cpp_alias_templates;
#endif
#ifdef __cpp_aligned_new
int HAVE___cpp_aligned_new;
#endif
#ifdef __cpp_attributes
int HAVE___cpp_attributes;
#endif
#ifdef __cpp_binary_literals
int HAVE___cpp_binary_literals;
#endif
#ifdef __cpp_capture_star_this
int HAVE___cpp_capture_star_this;
#endif
#ifdef __cpp_char8_t
int HAVE___cpp_char8_t;
#endif
#ifdef __cpp_concepts
int HAVE___cpp_concepts;
#endif
#ifdef __cpp_conditional_explicit
int HAVE___cpp_conditional_explicit;
#endif
#ifdef __cpp_consteval
int HAVE___cpp_consteval;
#endif
#ifdef __cpp_constexpr
int HAVE___cpp_constexpr;
#endif
#ifdef __cpp_constexpr_dynamic_alloc
int HAVE___cpp_constexpr_dynamic_alloc;
#endif
#ifdef __cpp_constexpr_in_decltype
int HAVE___cpp_constexpr_in_decltype;
#endif
#ifdef __cpp_constinit
int HAVE___cpp_constinit;
#endif
#ifdef __cpp_decltype
int HAVE___cpp_decltype;
#endif
#ifdef __cpp_decltype_auto
int HAVE___cpp_decltype_auto;
#endif
#ifdef __cpp_deduction_guides
int HAVE___cpp_deduction_guides;
#endif
#ifdef __cpp_delegating_constructors
int HAVE___cpp_delegating_constructors;
#endif
#ifdef __cpp_designated_initializers
int HAVE___cpp_designated_initializers;
#endif
#ifdef __cpp_digit_separators
int HAVE___cpp_digit_separators;
#endif
#ifdef __cpp_enumerator_attributes
int HAVE___cpp_enumerator_attributes;
#endif
#ifdef __cpp_exceptions
int HAVE___cpp_exceptions;
#endif
#ifdef __cpp_fold_expressions
int HAVE___cpp_fold_expressions;
#endif
#ifdef __cpp_generic_lambdas
int HAVE___cpp_generic_lambdas;
#endif
#ifdef __cpp_guaranteed_copy_elision
int HAVE___cpp_guaranteed_copy_elision;
#endif
#ifdef __cpp_hex_float
int HAVE___cpp_hex_float;
#endif
#ifdef __cpp_if_constexpr
int HAVE___cpp_if_constexpr;
#endif
#ifdef __cpp_impl_coroutine
int HAVE___cpp_impl_coroutine;
#endif
#ifdef __cpp_impl_destroying_delete
int HAVE___cpp_impl_destroying_delete;
#endif
#ifdef __cpp_impl_three_way_comparison
int HAVE___cpp_impl_three_way_comparison;
#endif
#ifdef __cpp_inheriting_constructors
int HAVE___cpp_inheriting_constructors;
#endif
#ifdef __cpp_init_captures
int HAVE___cpp_init_captures;
#endif
#ifdef __cpp_initializer_lists
int HAVE___cpp_initializer_lists;
#endif
#ifdef __cpp_inline_variables
int HAVE___cpp_inline_variables;
#endif
#ifdef __cpp_lambdas
int HAVE___cpp_lambdas;
#endif
#ifdef __cpp_namespace_attributes
int HAVE___cpp_namespace_attributes;
#endif
#ifdef __cpp_nested_namespace_definitions
int HAVE___cpp_nested_namespace_definitions;
#endif
#ifdef __cpp_noexcept_function_type
int HAVE___cpp_noexcept_function_type;
#endif
#ifdef __cpp_nontype_template_args
int HAVE___cpp_nontype_template_args;
#endif
#ifdef __cpp_nontype_template_parameter_auto
int HAVE___cpp_nontype_template_parameter_auto;
#endif
#ifdef __cpp_nontype_template_parameter_class
int HAVE___cpp_nontype_template_parameter_class;
#endif
#ifdef __cpp_nsdmi
int HAVE___cpp_nsdmi;
#endif
#ifdef __cpp_range_based_for
int HAVE___cpp_range_based_for;
#endif
#ifdef __cpp_raw_strings
int HAVE___cpp_raw_strings;
#endif
#ifdef __cpp_ref_qualifiers
int HAVE___cpp_ref_qualifiers;
#endif
#ifdef __cpp_return_type_deduction
int HAVE___cpp_return_type_deduction;
#endif
#ifdef __cpp_rtti
int HAVE___cpp_rtti;
#endif
#ifdef __cpp_runtime_arrays
int HAVE___cpp_runtime_arrays;
#endif
#ifdef __cpp_rvalue_reference
int HAVE___cpp_rvalue_reference;
#endif
#ifdef __cpp_rvalue_references
int HAVE___cpp_rvalue_references;
#endif
#ifdef __cpp_sized_deallocation
int HAVE___cpp_sized_deallocation;
#endif
#ifdef __cpp_static_assert
int HAVE___cpp_static_assert;
#endif
#ifdef __cpp_structured_bindings
int HAVE___cpp_structured_bindings;
#endif
#ifdef __cpp_template_auto
int HAVE___cpp_template_auto;
#endif
#ifdef __cpp_template_template_args
int HAVE___cpp_template_template_args;
#endif
#ifdef __cpp_threadsafe_static_init
int HAVE___cpp_threadsafe_static_init;
#endif
#ifdef __cpp_unicode_characters
int HAVE___cpp_unicode_characters;
#endif
#ifdef __cpp_unicode_literals
int HAVE___cpp_unicode_literals;
#endif
#ifdef __cpp_user_defined_literals
int HAVE___cpp_user_defined_literals;
#endif
#ifdef __cpp_using_enum
int HAVE___cpp_using_enum;
#endif
#ifdef __cpp_variable_templates
int HAVE___cpp_variable_templates;
#endif
#ifdef __cpp_variadic_templates
int HAVE___cpp_variadic_templates;
#endif
#ifdef __cpp_variadic_using
int HAVE___cpp_variadic_using;
#endif
#ifdef __gnu_linux__
int HAVE___gnu_linux__;
#endif
#ifdef __k8
int HAVE___k8;
#endif
#ifdef __k8__
int HAVE___k8__;
#endif
#ifdef __linux
int HAVE___linux;
#endif
#ifdef __linux__
int HAVE___linux__;
#endif
#ifdef __pic__
int HAVE___pic__;
#endif
#ifdef __pie__
int HAVE___pie__;
#endif
#ifdef __unix
int HAVE___unix;
#endif
#ifdef __unix__
int HAVE___unix__;
#endif
#ifdef __x86_64
int HAVE___x86_64;
#endif
#ifdef __x86_64__
int HAVE___x86_64__;
#endif
