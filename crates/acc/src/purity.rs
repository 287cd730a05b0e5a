//! Calls in loops: functions that only compute.

use crate::access::place;
use crate::kernel::positions;
use crate::region::Cx;
use crate::scope::{Storage, Use};
use crate::unit::Unit;
use crate::verdict::Question;

/// Deepest chain of calls that is followed.
const MAX_CALLS: u32 = 8;

/// Functions of C's library that only compute, without the `f` behind those of `float`.
const PURE: [&str; 42] = [
    "abs", "labs", "llabs", "fabs", "sqrt", "cbrt", "hypot", "exp", "exp2", "expm1", "log", "log10", "log2", "log1p",
    "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "floor", "ceil", "round", "trunc", "rint", "fmax", "fmin", "fmod", "fdim", "fma", "copysign", "erf", "erfc",
    "ldexp",
];

/// Whether a name is that of a function of C's library that only computes, or that says where in a kernel it runs.
pub(crate) fn is_mathematical(name: &str) -> bool {
    if positions::NAMES.contains(&name) {
        return true;
    }
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    PURE.contains(&name) || name.strip_suffix('f').is_some_and(|n| PURE.contains(&n))
}

/// Whether a name may be a function that knows memory besides its arguments: one of this file's, or of others' that is not C's.
pub(crate) fn may_know_memory(unit: &Unit, name: &str) -> bool {
    unit.declared.contains_key(name) && (unit.defines(name) || !is_mathematical(name))
}

impl Question<'_, '_> {
    /// As [`Cx::is_pure`].
    pub(crate) fn is_pure(&self, name: &str) -> bool {
        self.cx.is_pure(name)
    }
}

impl Cx<'_> {
    /// Whether a function only computes: one of the library's, or one of this file that writes nothing but its own variables.
    pub(crate) fn is_pure(&self, name: &str) -> bool {
        self.is_pure_at(name, MAX_CALLS)
    }

    /// Whether this file has a function's body.
    pub(crate) fn is_defined_here(&self, name: &str) -> bool {
        self.unit.defines(name)
    }

    fn is_pure_at(&self, name: &str, left: u32) -> bool {
        if !self.is_defined_here(name) {
            // An assertion that fails ends the program.
            return is_mathematical(name) || name == "__assert_fail";
        }
        let unit = self.unit;
        let bodies = unit.declared.get(name).into_iter().flatten().map(|&i| &unit.externals[i]);
        left > 0
            && bodies.filter(|r| unit.text[(*r).clone()].ends_with('}')).all(|range| {
                let bad = |u: &Use| {
                    let var = self.scopes.var(u.var);
                    let p = place(unit, self.scopes, self.parents, u.expr);
                    var.storage == Storage::Static && !self.scopes.captured.is_constant(u.var)
                        || p.memory && p.access.written
                        || p.access.escapes
                        || var.storage == Storage::Other
                            && unit.declared.contains_key(&var.name)
                            && !self.is_pure_at(&var.name, left - 1)
                };
                !self.scopes.uses_in(range).iter().any(bad)
            })
    }
}
