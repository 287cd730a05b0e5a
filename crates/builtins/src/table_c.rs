//! Builtins of C: the functions of its library that kernels may call, with the types that C gives them, and what code made
//! from accelerator directives is written with (`__unspool_…`).
//!
//! Sorted by name (a test checks it); patterns are explained in [`pattern`](crate::pattern).

use crate::op::{AtomicOp, ItemOp, SyncOp};
use crate::row::{Row, atomic, item, sync};
use crate::vocabulary::{Order, Rmw, Scope, Shuffle, WorkItem};

/// A read, change and write of memory that the whole device sees.
const fn rmw(rmw: Rmw) -> AtomicOp {
    AtomicOp::Rmw { rmw, scope: Scope::Device, order: Order::Relaxed }
}

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    Row { name: "__unspool_atomic_add", sigs: &[atomic("T:PaBT", rmw(Rmw::Add))] },
    Row { name: "__unspool_atomic_and", sigs: &[atomic("T:PaJT", rmw(Rmw::And))] },
    Row { name: "__unspool_atomic_cas", sigs: &[atomic("T:PaJTT", AtomicOp::Cas { scope: Scope::Device, order: Order::Relaxed })] },
    Row { name: "__unspool_atomic_exchange", sigs: &[atomic("T:PaBT", rmw(Rmw::Exchange))] },
    Row { name: "__unspool_atomic_max", sigs: &[atomic("T:PaJT", rmw(Rmw::Max))] },
    Row { name: "__unspool_atomic_min", sigs: &[atomic("T:PaJT", rmw(Rmw::Min))] },
    Row { name: "__unspool_atomic_or", sigs: &[atomic("T:PaJT", rmw(Rmw::Or))] },
    Row { name: "__unspool_atomic_xor", sigs: &[atomic("T:PaJT", rmw(Rmw::Xor))] },
    Row { name: "__unspool_barrier", sigs: &[sync("v:", SyncOp::Barrier)] },
    Row { name: "__unspool_global_id", sigs: &[item("m:j", ItemOp::Query(WorkItem::GlobalId))] },
    Row { name: "__unspool_global_size", sigs: &[item("m:j", ItemOp::Query(WorkItem::GlobalSize))] },
    Row { name: "__unspool_group_id", sigs: &[item("m:j", ItemOp::Query(WorkItem::GroupId))] },
    Row { name: "__unspool_groups", sigs: &[item("m:j", ItemOp::Query(WorkItem::NumGroups))] },
    Row { name: "__unspool_local_id", sigs: &[item("m:j", ItemOp::Query(WorkItem::LocalId))] },
    Row { name: "__unspool_shuffle_down", sigs: &[sync("T:jBj", SyncOp::Shuffle { kind: Shuffle::Down, sync: true })] },
];

/// Functions of `math.h`, `stdlib.h` and `string.h` that CUDA's table has, too; C has no overloads, so that those without
/// a suffix take doubles. Sorted.
#[rustfmt::skip]
pub(super) static LIBRARY: &[&str] = &[
    "abs", "acos", "acosf", "acosh", "acoshf", "asin", "asinf", "asinh", "asinhf", "atan", "atan2", "atan2f", "atanf",
    "atanh", "atanhf", "cbrt", "cbrtf", "ceil", "ceilf", "copysign", "copysignf", "cos", "cosf", "cosh", "coshf", "erf",
    "erfc", "erfcf", "erff", "exp", "exp2", "exp2f", "expf", "expm1", "expm1f", "fabs", "fabsf", "fdim", "fdimf", "floor",
    "floorf", "fma", "fmaf", "fmax", "fmaxf", "fmin", "fminf", "fmod", "fmodf", "frexp", "frexpf", "hypot", "hypotf",
    "ilogb", "ilogbf", "labs", "ldexp", "ldexpf", "lgamma", "lgammaf", "llabs", "llrint", "llrintf", "llround", "llroundf",
    "log", "log10", "log10f", "log1p", "log1pf", "log2", "log2f", "logb", "logbf", "logf", "lrint", "lrintf", "lround",
    "lroundf", "memcpy", "memmove", "memset", "modf", "modff", "nearbyint", "nearbyintf", "nextafter", "nextafterf", "pow",
    "powf", "printf", "remainder", "remainderf", "remquo", "remquof", "rint", "rintf", "round", "roundf", "scalbln",
    "scalblnf", "scalbn", "scalbnf", "sin", "sincos", "sincosf", "sinf", "sinh", "sinhf", "sqrt", "sqrtf", "tan", "tanf",
    "tanh", "tanhf", "tgamma", "tgammaf", "trunc", "truncf",
];
