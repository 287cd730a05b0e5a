//! What calls of mathematics count in the sizes of loops.
//!
//! The unroller sees such a call as what it was replaced by. nvcc does, too, but its functions are others, and loops near a
//! limit would be decided otherwise only for that. So what comes from a function of the builtin library counts as much as
//! nvcc's: measured with nvcc 13 for sm_90 by the size that its remarks give for a loop of 1000 calls, less that of the loop
//! without, and for sm_100 by the limits that loops come to.

use crate::cost::{Users, inst_cost};
use crate::params::Profile;
use ir::{Function, Inst, Opcode, Payload, Type, Value};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// How the library's functions begin.
const PREFIX: &str = "__unspool_";

/// Sizes in nvcc's units, by name.
#[rustfmt::skip]
static SIZES: &[(&str, u16)] = &[
    ("acos", 81), ("acosf", 29), ("acosh", 117), ("acoshf", 49), ("asin", 62), ("asinf", 26), ("asinh", 118),
    ("asinhf", 47), ("atan", 35), ("atan2", 51), ("atan2f", 40), ("atanf", 21), ("atanh", 102), ("atanhf", 42),
    ("cbrt", 53), ("cbrtf", 16), ("cos", 56), ("cosf", 99), ("cosh", 40), ("coshf", 18), ("cospi", 55), ("cospif", 28),
    ("cyl_bessel_i0f", 59), ("erf", 55), ("erfc", 103), ("erfcf", 53), ("erfcinv", 225), ("erfcinvf", 40),
    ("erfcx", 122), ("erfcxf", 63), ("erff", 25), ("erfinv", 124), ("erfinvf", 28), ("exp", 44), ("exp10", 49),
    ("exp10f", 12), ("exp2", 48), ("exp2f", 1), ("expf", 12), ("expm1", 47), ("expm1f", 28), ("fdim", 3), ("fdimf", 3),
    ("fmod", 235), ("fmodf", 65), ("hypot", 34), ("hypotf", 24), ("j0", 171), ("j0f", 152), ("j1", 173), ("j1f", 155),
    ("ldexp", 4), ("ldexpf", 4), ("lgamma", 140), ("lgammaf", 225), ("log", 66), ("log10", 68), ("log10f", 30),
    ("log1p", 93), ("log1pf", 33), ("log2", 68), ("log2f", 31), ("logb", 25), ("logbf", 17), ("logf", 29),
    ("nextafter", 35), ("nextafterf", 36), ("norm3d", 33), ("norm3df", 25), ("norm4d", 38), ("norm4df", 30),
    ("normcdf", 122), ("normcdff", 71), ("normcdfinv", 229), ("normcdfinvf", 42), ("pow", 74), ("powf", 110),
    ("pown", 74), ("pownf", 110), ("rcbrt", 55), ("rcbrtf", 19), ("remainder", 251), ("remainderf", 88), ("rhypot", 38),
    ("rhypotf", 18), ("rnorm3d", 30), ("rnorm3df", 24), ("round", 3), ("roundf", 3), ("rsqrt", 1), ("rsqrtf", 1),
    ("scalbn", 4), ("scalbnf", 4), ("sin", 55), ("sincos", 53), ("sincosf", 103), ("sincospi", 58), ("sincospif", 40),
    ("sinf", 98), ("sinh", 61), ("sinhf", 27), ("sinpi", 53), ("sinpif", 27), ("tan", 50), ("tanf", 96), ("tanh", 55),
    ("tanhf", 17), ("tgamma", 411), ("tgammaf", 167), ("y0", 442), ("y0f", 367), ("y1", 452), ("y1f", 375),
];

/// What of these counts otherwise for sm_100 and later: measured by where the copies of a loop that is filled up with single operations
/// become fewer.
#[rustfmt::skip]
static NEWER: &[(&str, u16)] = &[
    ("acos", 78), ("acosf", 30), ("acosh", 116), ("acoshf", 48), ("asin", 63), ("asinf", 27), ("atan", 36), ("atan2", 60),
    ("atan2f", 44), ("cbrt", 50), ("cos", 46), ("coshf", 19), ("cospi", 43), ("cospif", 27), ("cyl_bessel_i0f", 58),
    ("erf", 56), ("erfcf", 54), ("erff", 26), ("erfinv", 120), ("erfinvf", 29), ("expm1", 46), ("expm1f", 29),
    ("hypot", 33), ("hypotf", 23), ("j0", 170), ("j1", 172), ("lgamma", 127), ("log", 65), ("log10", 67), ("log10f", 29),
    ("log1p", 92), ("log1pf", 32), ("log2", 67), ("log2f", 30), ("logb", 28), ("logbf", 18), ("logf", 28),
    ("nextafter", 45), ("nextafterf", 39), ("normcdf", 123), ("normcdff", 73), ("pow", 73), ("rcbrt", 56),
    ("rhypotf", 19), ("round", 4), ("roundf", 4), ("sin", 47), ("sinhf", 29), ("sinpi", 45), ("sinpif", 26), ("tan", 51),
    ("tanh", 56), ("tanhf", 18), ("tgammaf", 170),
];

/// What functions of two arguments count of which the second one is a constant, and the first one: what that decides is gone.
/// Measured as they are when nvcc first looks at a loop; negative exponents count one more.
#[rustfmt::skip]
static BY_CONSTANTS: &[(&str, u16, u16)] = &[
    ("atan2", 42, 50), ("atan2f", 28, 39), ("hypot", 32, 32), ("hypotf", 22, 22), ("nextafterf", 30, 16), ("pow", 30, 25),
    ("powf", 86, 35),
];

/// Functions that raise their first argument to the power of their second one.
static POWERS: &[&str] = &["pow", "powf"];

/// What a call of a function of the builtin library counts, once it is replaced by the function's body. `constant` says which
/// arguments are constants.
pub fn call_size(name: &str, profile: Option<Profile>, constant: impl Fn(usize) -> bool) -> Option<u32> {
    let name = name.strip_prefix(PREFIX)?;
    match BY_CONSTANTS.iter().find(|p| p.0 == name) {
        Some(p) if constant(1) => return Some(p.1.into()),
        Some(p) if constant(0) => return Some(p.2.into()),
        _ => {}
    }
    let find = |table: &[(&str, u16)]| table.binary_search_by_key(&name, |s| s.0).ok().map(|n| table[n].1.into());
    let newer = if profile == Some(Profile::Cicc23) { find(NEWER) } else { None };
    newer.or_else(|| find(SIZES))
}

/// Those whose arguments are reduced, where they are large, with an array of seven words in private memory. Measured: nvcc's remarks speak of a local array of that size in loops that call them, and multiply thresholds for it.
static WITH_ARRAYS: &[&str] = &["cosf", "j0f", "j1f", "sincosf", "sinf", "tanf", "y0f", "y1f"];

/// Makes those of the instructions `copied` from a function of the builtin library that read its tables choose from an array
/// where nvcc's version of the function has one.
pub fn choose_as(func: &mut Function, copied: &[Inst], name: &str) {
    if name.strip_prefix(PREFIX).is_some_and(|name| WITH_ARRAYS.contains(&name)) {
        for &i in copied.iter().filter(|&&i| func.dfg.op(i) == Opcode::Load).collect::<Vec<_>>() {
            func.dfg.set_elements(i, 7);
        }
    }
}

/// Whether a function of the builtin library is called where nvcc calls its own for the same: what is left of a power after
/// the special cases.
pub fn stays_call(name: &str) -> bool {
    name.strip_prefix(PREFIX) == Some("pow_core")
}

/// Whether it is a function that raises its first argument to the power of its second one.
pub fn is_power(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|name| POWERS.contains(&name))
}

/// Whether a constant argument leaves so much less of a function that it is measured by itself.
pub fn counts_by_constants(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|name| BY_CONSTANTS.iter().any(|p| p.0 == name))
}

/// Makes the instructions `copied` of `func`, which came from such a function, count `size` together: each its share by what
/// it costs, but for what computes again what one before it does, and what is made of nothing but constants (approximations
/// among it, which are not computed here): that is gone once loops are measured. Cost: linear in the function's blocks.
pub fn count_as(func: &mut Function, copied: &[Inst], size: u32) {
    let costs: Vec<u64> = {
        let users = Users::default();
        let again = repeats(func, copied);
        let known = of_constants(func, copied);
        let cost = |&i: &Inst| u64::from(inst_cost(func, &users, i, |_| 1));
        let gone = again.into_iter().zip(known).map(|(again, known)| again || known);
        copied.iter().zip(gone).map(|(i, gone)| if gone { 0 } else { cost(i) }).collect()
    };
    let all: u64 = costs.iter().sum();
    let mut sum = 0;
    for (&i, cost) in copied.iter().zip(costs) {
        let before = sum * u64::from(size) / all.max(1);
        sum += cost;
        let share = sum * u64::from(size) / all.max(1) - before;
        func.dfg.set_counted(i, share.min(254) as u8);
    }
}

/// Which of the instructions compute something of nothing but constants.
fn of_constants(func: &Function, insts: &[Inst]) -> Vec<bool> {
    let mut known: HashSet<Value> = HashSet::new();
    let mut is_known = |&i: &Inst| {
        let Some(result) = func.dfg.result(i).filter(|_| func.dfg.insts[i].is_pure()) else { return false };
        let args = func.dfg.args(i);
        let all = !args.is_empty() && args.iter().all(|v| func.dfg.as_bits(*v).is_some() || known.contains(v));
        all && known.insert(result)
    };
    insts.iter().map(&mut is_known).collect()
}

/// Which of the instructions compute the same as one before them.
fn repeats(func: &Function, insts: &[Inst]) -> Vec<bool> {
    type Key = (Opcode, Type, Option<u8>, SmallVec<[Value; 4]>);
    let mut first: HashMap<Key, Value> = HashMap::new();
    let mut same: HashMap<Value, Value> = HashMap::new();
    let mut is_again = |&i: &Inst| {
        let data = &func.dfg.insts[i];
        let condition = match data.payload {
            Payload::None => None,
            Payload::IntCC(cc) => Some(cc as u8),
            Payload::FloatCC(cc) => Some(cc as u8),
            _ => return false,
        };
        let Some(result) = func.dfg.result(i).filter(|_| data.op.is_pure()) else { return false };
        let args = func.dfg.args(i).iter().map(|v| *same.get(v).unwrap_or(v)).collect();
        let old = *first.entry((data.op, data.ty, condition, args)).or_insert(result);
        same.insert(result, old);
        old != result
    };
    insts.iter().map(&mut is_again).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_found() {
        for table in [SIZES, NEWER] {
            assert!(table.is_sorted_by_key(|s| s.0));
        }
        let never = |_| false;
        let call_size = |name, constant: fn(usize) -> bool| super::call_size(name, None, constant);
        assert_eq!(super::call_size("__unspool_log", Some(Profile::Cicc23), never), Some(65));
        assert_eq!(super::call_size("__unspool_exp", Some(Profile::Cicc23), never), Some(44));
        assert_eq!(call_size("__unspool_expf", never), Some(12));
        assert_eq!(call_size("expf", never), None);
        assert_eq!(call_size("__unspool_nothing", never), None);
        assert_eq!(call_size("__unspool_pow", never), Some(74));
        assert_eq!(call_size("__unspool_pow", |n| n == 1), Some(30));
        assert_eq!(call_size("__unspool_powf", |n| n == 0), Some(35));
    }
}
