//! Names of constants that the dialects' headers define: limits, mathematical constants, fence flags.

use crate::{Lang, Scalar};

/// A named constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// An integer; the bits of unsigned 64-bit values.
    Int {
        /// Value.
        value: i64,
        /// Type.
        scalar: Scalar,
    },
    /// A floating value, to be rounded to its type.
    Float {
        /// Value.
        value: f64,
        /// Type.
        scalar: Scalar,
    },
}

/// Where a name is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    Both,
    OpenCl,
    Cuda,
}

/// The constant of this name, for names that neither the user nor a macro defines.
pub fn constant(lang: Lang, name: &str) -> Option<Constant> {
    let i = ROWS.binary_search_by(|r| r.0.cmp(name)).ok()?;
    let (_, known, value) = ROWS[i];
    let here = match lang {
        Lang::OpenCl => known != In::Cuda,
        Lang::Cuda | Lang::C => known != In::OpenCl,
    };
    here.then_some(value)
}

#[rustfmt::skip]
static ROWS: &[(&str, In, Constant)] = &[
    ("CHAR_BIT", In::Both, Constant::Int { value: 8, scalar: Scalar::Int }),
    ("CHAR_MAX", In::Both, Constant::Int { value: 127, scalar: Scalar::Int }),
    ("CHAR_MIN", In::Both, Constant::Int { value: -128, scalar: Scalar::Int }),
    ("CLK_GLOBAL_MEM_FENCE", In::OpenCl, Constant::Int { value: 2, scalar: Scalar::UInt }),
    ("CLK_IMAGE_MEM_FENCE", In::OpenCl, Constant::Int { value: 4, scalar: Scalar::UInt }),
    ("CLK_LOCAL_MEM_FENCE", In::OpenCl, Constant::Int { value: 1, scalar: Scalar::UInt }),
    ("CUDART_INF", In::Cuda, Constant::Float { value: f64::INFINITY, scalar: Scalar::Double }),
    ("CUDART_INF_F", In::Cuda, Constant::Float { value: f64::INFINITY, scalar: Scalar::Float }),
    ("CUDART_MAX_NORMAL_F", In::Cuda, Constant::Float { value: f32::MAX as f64, scalar: Scalar::Float }),
    ("CUDART_MIN_DENORM_F", In::Cuda, Constant::Float { value: 1.401298464324817e-45, scalar: Scalar::Float }),
    ("CUDART_NAN", In::Cuda, Constant::Float { value: f64::NAN, scalar: Scalar::Double }),
    ("CUDART_NAN_F", In::Cuda, Constant::Float { value: f64::NAN, scalar: Scalar::Float }),
    ("CUDART_ONE_F", In::Cuda, Constant::Float { value: 1.0, scalar: Scalar::Float }),
    ("CUDART_PI", In::Cuda, Constant::Float { value: std::f64::consts::PI, scalar: Scalar::Double }),
    ("CUDART_PI_F", In::Cuda, Constant::Float { value: std::f64::consts::PI, scalar: Scalar::Float }),
    ("CUDART_ZERO_F", In::Cuda, Constant::Float { value: 0.0, scalar: Scalar::Float }),
    ("DBL_DIG", In::Both, Constant::Int { value: 15, scalar: Scalar::Int }),
    ("DBL_EPSILON", In::Both, Constant::Float { value: f64::EPSILON, scalar: Scalar::Double }),
    ("DBL_MANT_DIG", In::Both, Constant::Int { value: 53, scalar: Scalar::Int }),
    ("DBL_MAX", In::Both, Constant::Float { value: f64::MAX, scalar: Scalar::Double }),
    ("DBL_MAX_10_EXP", In::Both, Constant::Int { value: 308, scalar: Scalar::Int }),
    ("DBL_MAX_EXP", In::Both, Constant::Int { value: 1024, scalar: Scalar::Int }),
    ("DBL_MIN", In::Both, Constant::Float { value: f64::MIN_POSITIVE, scalar: Scalar::Double }),
    ("DBL_MIN_10_EXP", In::Both, Constant::Int { value: -307, scalar: Scalar::Int }),
    ("DBL_MIN_EXP", In::Both, Constant::Int { value: -1021, scalar: Scalar::Int }),
    ("FLT_DIG", In::Both, Constant::Int { value: 6, scalar: Scalar::Int }),
    ("FLT_EPSILON", In::Both, Constant::Float { value: f32::EPSILON as f64, scalar: Scalar::Float }),
    ("FLT_MANT_DIG", In::Both, Constant::Int { value: 24, scalar: Scalar::Int }),
    ("FLT_MAX", In::Both, Constant::Float { value: f32::MAX as f64, scalar: Scalar::Float }),
    ("FLT_MAX_10_EXP", In::Both, Constant::Int { value: 38, scalar: Scalar::Int }),
    ("FLT_MAX_EXP", In::Both, Constant::Int { value: 128, scalar: Scalar::Int }),
    ("FLT_MIN", In::Both, Constant::Float { value: f32::MIN_POSITIVE as f64, scalar: Scalar::Float }),
    ("FLT_MIN_10_EXP", In::Both, Constant::Int { value: -37, scalar: Scalar::Int }),
    ("FLT_MIN_EXP", In::Both, Constant::Int { value: -125, scalar: Scalar::Int }),
    ("FLT_RADIX", In::Both, Constant::Int { value: 2, scalar: Scalar::Int }),
    ("FP_ILOGB0", In::OpenCl, Constant::Int { value: -0x8000_0000, scalar: Scalar::Int }),
    ("FP_ILOGBNAN", In::OpenCl, Constant::Int { value: -0x8000_0000, scalar: Scalar::Int }),
    ("HALF_DIG", In::OpenCl, Constant::Int { value: 3, scalar: Scalar::Int }),
    ("HALF_EPSILON", In::OpenCl, Constant::Float { value: 9.765625e-4, scalar: Scalar::Half }),
    ("HALF_MANT_DIG", In::OpenCl, Constant::Int { value: 11, scalar: Scalar::Int }),
    ("HALF_MAX", In::OpenCl, Constant::Float { value: 65504.0, scalar: Scalar::Half }),
    ("HALF_MAX_10_EXP", In::OpenCl, Constant::Int { value: 4, scalar: Scalar::Int }),
    ("HALF_MAX_EXP", In::OpenCl, Constant::Int { value: 16, scalar: Scalar::Int }),
    ("HALF_MIN", In::OpenCl, Constant::Float { value: 6.103515625e-5, scalar: Scalar::Half }),
    ("HALF_MIN_10_EXP", In::OpenCl, Constant::Int { value: -4, scalar: Scalar::Int }),
    ("HALF_MIN_EXP", In::OpenCl, Constant::Int { value: -13, scalar: Scalar::Int }),
    ("HALF_RADIX", In::OpenCl, Constant::Int { value: 2, scalar: Scalar::Int }),
    ("HUGE_VAL", In::Both, Constant::Float { value: f64::INFINITY, scalar: Scalar::Double }),
    ("HUGE_VALF", In::Both, Constant::Float { value: f64::INFINITY, scalar: Scalar::Float }),
    ("INFINITY", In::Both, Constant::Float { value: f64::INFINITY, scalar: Scalar::Float }),
    ("INT_MAX", In::Both, Constant::Int { value: 0x7fff_ffff, scalar: Scalar::Int }),
    ("INT_MIN", In::Both, Constant::Int { value: -0x8000_0000, scalar: Scalar::Int }),
    ("LLONG_MAX", In::Cuda, Constant::Int { value: i64::MAX, scalar: Scalar::LongLong }),
    ("LLONG_MIN", In::Cuda, Constant::Int { value: i64::MIN, scalar: Scalar::LongLong }),
    ("LONG_MAX", In::Both, Constant::Int { value: i64::MAX, scalar: Scalar::Long }),
    ("LONG_MIN", In::Both, Constant::Int { value: i64::MIN, scalar: Scalar::Long }),
    ("MAXFLOAT", In::OpenCl, Constant::Float { value: f32::MAX as f64, scalar: Scalar::Float }),
    ("M_1_PI", In::Both, Constant::Float { value: std::f64::consts::FRAC_1_PI, scalar: Scalar::Double }),
    ("M_1_PI_F", In::OpenCl, Constant::Float { value: std::f64::consts::FRAC_1_PI, scalar: Scalar::Float }),
    ("M_2_PI", In::Both, Constant::Float { value: std::f64::consts::FRAC_2_PI, scalar: Scalar::Double }),
    ("M_2_PI_F", In::OpenCl, Constant::Float { value: std::f64::consts::FRAC_2_PI, scalar: Scalar::Float }),
    ("M_2_SQRTPI", In::Both, Constant::Float { value: std::f64::consts::FRAC_2_SQRT_PI, scalar: Scalar::Double }),
    ("M_2_SQRTPI_F", In::OpenCl, Constant::Float { value: std::f64::consts::FRAC_2_SQRT_PI, scalar: Scalar::Float }),
    ("M_E", In::Both, Constant::Float { value: std::f64::consts::E, scalar: Scalar::Double }),
    ("M_E_F", In::OpenCl, Constant::Float { value: std::f64::consts::E, scalar: Scalar::Float }),
    ("M_LN10", In::Both, Constant::Float { value: std::f64::consts::LN_10, scalar: Scalar::Double }),
    ("M_LN10_F", In::OpenCl, Constant::Float { value: std::f64::consts::LN_10, scalar: Scalar::Float }),
    ("M_LN2", In::Both, Constant::Float { value: std::f64::consts::LN_2, scalar: Scalar::Double }),
    ("M_LN2_F", In::OpenCl, Constant::Float { value: std::f64::consts::LN_2, scalar: Scalar::Float }),
    ("M_LOG10E", In::Both, Constant::Float { value: std::f64::consts::LOG10_E, scalar: Scalar::Double }),
    ("M_LOG10E_F", In::OpenCl, Constant::Float { value: std::f64::consts::LOG10_E, scalar: Scalar::Float }),
    ("M_LOG2E", In::Both, Constant::Float { value: std::f64::consts::LOG2_E, scalar: Scalar::Double }),
    ("M_LOG2E_F", In::OpenCl, Constant::Float { value: std::f64::consts::LOG2_E, scalar: Scalar::Float }),
    ("M_PI", In::Both, Constant::Float { value: std::f64::consts::PI, scalar: Scalar::Double }),
    ("M_PI_2", In::Both, Constant::Float { value: std::f64::consts::FRAC_PI_2, scalar: Scalar::Double }),
    ("M_PI_2_F", In::OpenCl, Constant::Float { value: std::f64::consts::FRAC_PI_2, scalar: Scalar::Float }),
    ("M_PI_4", In::Both, Constant::Float { value: std::f64::consts::FRAC_PI_4, scalar: Scalar::Double }),
    ("M_PI_4_F", In::OpenCl, Constant::Float { value: std::f64::consts::FRAC_PI_4, scalar: Scalar::Float }),
    ("M_PI_F", In::OpenCl, Constant::Float { value: std::f64::consts::PI, scalar: Scalar::Float }),
    ("M_SQRT1_2", In::Both, Constant::Float { value: std::f64::consts::FRAC_1_SQRT_2, scalar: Scalar::Double }),
    ("M_SQRT1_2_F", In::OpenCl, Constant::Float { value: std::f64::consts::FRAC_1_SQRT_2, scalar: Scalar::Float }),
    ("M_SQRT2", In::Both, Constant::Float { value: std::f64::consts::SQRT_2, scalar: Scalar::Double }),
    ("M_SQRT2_F", In::OpenCl, Constant::Float { value: std::f64::consts::SQRT_2, scalar: Scalar::Float }),
    ("NAN", In::Both, Constant::Float { value: f64::NAN, scalar: Scalar::Float }),
    ("SCHAR_MAX", In::Both, Constant::Int { value: 127, scalar: Scalar::Int }),
    ("SCHAR_MIN", In::Both, Constant::Int { value: -128, scalar: Scalar::Int }),
    ("SHRT_MAX", In::Both, Constant::Int { value: 32767, scalar: Scalar::Int }),
    ("SHRT_MIN", In::Both, Constant::Int { value: -32768, scalar: Scalar::Int }),
    ("UCHAR_MAX", In::Both, Constant::Int { value: 255, scalar: Scalar::Int }),
    ("UINT_MAX", In::Both, Constant::Int { value: 0xffff_ffff, scalar: Scalar::UInt }),
    ("ULLONG_MAX", In::Cuda, Constant::Int { value: -1, scalar: Scalar::ULongLong }),
    ("ULONG_MAX", In::Both, Constant::Int { value: -1, scalar: Scalar::ULong }),
    ("USHRT_MAX", In::Both, Constant::Int { value: 65535, scalar: Scalar::Int }),
    ("memory_order_acq_rel", In::OpenCl, Constant::Int { value: 4, scalar: Scalar::Int }),
    ("memory_order_acquire", In::OpenCl, Constant::Int { value: 2, scalar: Scalar::Int }),
    ("memory_order_relaxed", In::OpenCl, Constant::Int { value: 0, scalar: Scalar::Int }),
    ("memory_order_release", In::OpenCl, Constant::Int { value: 3, scalar: Scalar::Int }),
    ("memory_order_seq_cst", In::OpenCl, Constant::Int { value: 5, scalar: Scalar::Int }),
    ("memory_scope_all_devices", In::OpenCl, Constant::Int { value: 3, scalar: Scalar::Int }),
    ("memory_scope_all_svm_devices", In::OpenCl, Constant::Int { value: 3, scalar: Scalar::Int }),
    ("memory_scope_device", In::OpenCl, Constant::Int { value: 2, scalar: Scalar::Int }),
    ("memory_scope_sub_group", In::OpenCl, Constant::Int { value: 4, scalar: Scalar::Int }),
    ("memory_scope_work_group", In::OpenCl, Constant::Int { value: 1, scalar: Scalar::Int }),
    ("memory_scope_work_item", In::OpenCl, Constant::Int { value: 0, scalar: Scalar::Int }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_found() {
        assert!(ROWS.windows(2).all(|w| w[0].0 < w[1].0));
        let fence = Constant::Int { value: 1, scalar: Scalar::UInt };
        assert_eq!(constant(Lang::OpenCl, "CLK_LOCAL_MEM_FENCE"), Some(fence));
        assert_eq!(constant(Lang::Cuda, "CLK_LOCAL_MEM_FENCE"), None);
        assert_eq!(constant(Lang::OpenCl, "nothing"), None);
    }
}
