//! Which parameters of a kernel are addresses.

use crate::ast::{self, Operand, Statement};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a register.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// It holds this parameter, or the parameter and a distance.
    Param(&'a str),
    /// A product, a widened number or a constant: nothing that is an address.
    Distance,
}

/// Parameters of 64 bits whose value is made a pointer to global memory, or is what an address is counted from: older
/// compilers do not write `.ptr`, and inline assembly has no need of `cvta`.
pub(super) fn pointer_params<'a>(f: &'a ast::Function<'a>) -> FxHashSet<&'a str> {
    let mut known: FxHashMap<&str, Known<'a>> = FxHashMap::default();
    let mut found = FxHashSet::default();
    let instructions = f.body.iter().flatten().filter_map(|s| match s {
        Statement::Instruction(i) => Some(i),
        _ => None,
    });
    for i in instructions {
        let of = |o: &Operand<'a>| match o {
            Operand::Name(n) => known.get(n.text).copied(),
            Operand::Int(..) => Some(Known::Distance),
            _ => None,
        };
        let result = match (i.name, i.operands.as_slice()) {
            ("ld", [_, Operand::Address(Some(p), 0, _)]) if i.modifiers.contains(&"param") => {
                Some(Known::Param(p.text))
            }
            ("cvta", [_, from]) if i.modifiers.starts_with(&["to", "global"]) => {
                let from = of(from);
                if let Some(Known::Param(p)) = from {
                    found.insert(p);
                }
                from
            }
            ("mov", [_, from]) => of(from),
            ("add", [_, a, b]) => sum(of(a), of(b), &found),
            ("sub", [_, a, b]) => of(a).filter(|_| matches!(of(b), Some(Known::Distance))),
            ("mad", [_, _, _, c]) => of(c),
            ("mul" | "shl" | "cvt" | "and", _) => Some(Known::Distance),
            (name, operands) => {
                if is_access(name, &i.modifiers)
                    && let Some(Known::Param(p)) = base(operands).and_then(|base| known.get(base).copied())
                {
                    found.insert(p);
                }
                None
            }
        };
        // What is stored to is no register that gets a value.
        let Some(Operand::Name(to)) = i.operands.first() else { continue };
        match result {
            Some(result) => known.insert(to.text, result),
            None => known.remove(to.text),
        };
    }
    found
}

/// What a sum is of two: of two parameters either may be the address, unless one is known to be.
fn sum<'a>(a: Option<Known<'a>>, b: Option<Known<'a>>, found: &FxHashSet<&str>) -> Option<Known<'a>> {
    Some(match (a?, b?) {
        (Known::Distance, other) | (other, Known::Distance) => other,
        (Known::Param(p), Known::Param(q)) => match (found.contains(p), found.contains(q)) {
            (true, false) => Known::Param(p),
            (false, true) => Known::Param(q),
            _ => return None,
        },
    })
}

/// Whether an instruction accesses global memory, or what a generic address names.
fn is_access(name: &str, modifiers: &[&str]) -> bool {
    const ELSEWHERE: [&str; 6] = ["param", "shared", "shared::cta", "shared::cluster", "local", "const"];
    matches!(name, "ld" | "ldu" | "st" | "atom" | "red") && !modifiers.iter().any(|m| ELSEWHERE.contains(m))
}

/// The register that an address is counted from.
fn base<'a>(operands: &'a [Operand<'a>]) -> Option<&'a str> {
    operands.iter().find_map(|o| match o {
        Operand::Address(Some(base), ..) => Some(base.text),
        _ => None,
    })
}
