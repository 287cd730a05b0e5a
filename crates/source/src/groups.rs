//! The `-W` groups: every name that `-WNAME`, `-Wno-NAME` and `-Werror=NAME` take, and whether it is on.
//!
//! A test in `crates/conventions` compares the table with the groups that diagnostics are put into.

/// A `-W` group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name, as clang or gcc call it where they have it.
    pub name: &'static str,
    /// Whether its warnings show without being asked for.
    pub on: bool,
    /// What it warns about, for SARIF and for `docs/diagnostics.md`.
    pub about: &'static str,
}

const fn on(name: &'static str, about: &'static str) -> Group {
    Group { name, on: true, about }
}

/// Every group, sorted by name.
pub static GROUPS: &[Group] = &[
    on("#pragma-messages", "`#pragma message`"),
    on("#warnings", "`#warning`"),
    on("array-bounds", "constant indices outside an array"),
    on("backslash-newline-escape", "spaces between a backslash and the end of its line"),
    on("builtin-macro-redefined", "redefined predefined macros"),
    on("c99-whitespace", "no space after the name of a macro"),
    on("case-range", "empty ranges of `case`"),
    on("constant-conversion", "constants that a conversion changes"),
    on("division-by-zero", "division by a constant zero"),
    on("excess-initializers", "initialisers beyond the end of an aggregate or scalar"),
    on("execution-space", "functions that are defined for another side than they are declared for"),
    on("extra-tokens", "tokens after the end of a directive"),
    on("header-function", "functions of headers that are not understood and that no kernel reaches"),
    on("host-call", "calls of host functions in functions for host and device: a kernel that comes there ends"),
    on("ignored-pragmas", "pragmas that are known and cannot be obeyed"),
    on("implicit-int", "declarations without a type"),
    on("incompatible-pointer-types", "conversions between pointers to different types"),
    on("incompatible-pointer-types-discards-qualifiers", "conversions that drop `const` or `volatile`"),
    on("integer-overflow", "overflow in constant expressions"),
    on("invalid-pp-token", "unfinished literals"),
    on("invalid-utf8", "literals that are not UTF-8"),
    on("kernel-reference", "parameters of kernels that are references"),
    on("lane-mask-literal", "masks of 32 lanes where warps have 64; asked for by name, for any target"),
    on("lane-mask-narrowing", "lane masks in types too narrow for 64 lanes"),
    Group {
        name: "lane-mask-portability",
        on: false,
        about: "masks of 32 lanes that are right for this target and wrong where warps have 64",
    },
    on("literal-conversion", "floating literals that a conversion changes"),
    on("macro-redefined", "macros defined twice"),
    on("missing-declarations", "declarations that declare nothing"),
    on("multichar", "character constants of several characters"),
    on("overflow", "overflow in preprocessor expressions"),
    on("parentheses", "operators that are easily misread"),
    on("pedantic", "extensions of the language"),
    on("pointer-to-int-cast", "casts of pointers to smaller integers"),
    on("pragma-once-outside-header", "`#pragma once` in the main file"),
    on("ptx-binding-as-address", "pointers as addresses of one memory in inline PTX"),
    on("ptx-local-variable-leak", "variables of inline PTX that inlining declares twice"),
    on("ptx-unused-local-variable", "variables of inline PTX that nothing uses"),
    on("ptx-wave64", "masks of 32 lanes in inline PTX where warps have 64; asked for by name, for any target"),
    on("return-stack-address", "addresses of local variables that leave their function"),
    on("return-type", "functions that end without the value they promise"),
    on("shared-constructor", "shared variables whose constructors do not run"),
    on("shift-count-negative", "shifts by negative amounts"),
    on("shift-count-overflow", "shifts by the width of the type or more"),
    on("tautological-unsigned-zero-compare", "comparisons of unsigned values with zero"),
    on("unaligned-access", "pointers to what a typedef makes less aligned than its type"),
    on("unknown-attributes", "attributes that are not known"),
    on("unknown-pragmas", "pragmas that are not known"),
    on("unknown-warning-option", "`-W` groups that are not known"),
    on("unresolved-launch", "kernels that host code launches with template arguments that could not be found out"),
    Group { name: "unroll", on: false, about: "hints about unrolling that were refused or adjusted" },
    on("unroll-hints", "malformed or contradicting hints about unrolling"),
    on("writable-strings", "string literals where what may be written is asked for"),
];

/// Other compilers' names of groups.
const ALIASES: &[(&str, &str)] = &[
    ("pass-failed", "unroll"),
    ("transform-warning", "unroll"),
    ("shift-overflow", "shift-count-overflow"),
    ("div-by-zero", "division-by-zero"),
    ("attributes", "unknown-attributes"),
    ("return-local-addr", "return-stack-address"),
];

/// Groups of other compilers that hold others: they are accepted and change nothing, because what there is, is on.
const ACCEPTED: &[&str] = &["all", "extra", "default", "most", "everything", "system-headers"];

/// What a name after `-W` stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupName {
    /// A group.
    Known(&'static Group),
    /// A collection (`all`, `extra`, …).
    Collection,
    /// Nothing, with the nearest name if one is near.
    Unknown(Option<&'static str>),
}

/// Looks a name up.
pub fn group(name: &str) -> GroupName {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, real)| real);
    if let Ok(i) = GROUPS.binary_search_by(|g| g.name.cmp(name)) {
        return GroupName::Known(&GROUPS[i]);
    }
    if ACCEPTED.contains(&name) {
        return GroupName::Collection;
    }
    GroupName::Unknown(crate::words::nearest(name, GROUPS.iter().map(|g| g.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(GROUPS.windows(2).all(|w| w[0].name < w[1].name));
    }

    #[test]
    fn names_are_found_with_their_aliases_and_misspellings() {
        let known = |n: &str| match group(n) {
            GroupName::Known(g) => Some(g.name),
            _ => None,
        };
        assert_eq!(known("unroll"), Some("unroll"));
        assert_eq!(known("pass-failed"), Some("unroll"));
        assert_eq!(group("all"), GroupName::Collection);
        assert_eq!(group("unrol"), GroupName::Unknown(Some("unroll")));
        assert_eq!(group("macro-redefine"), GroupName::Unknown(Some("macro-redefined")));
        assert_eq!(group("zzzzzzzzzzzz"), GroupName::Unknown(None));
        assert_eq!(group(&"x".repeat(10_000)), GroupName::Unknown(None));
        assert_eq!(group(""), GroupName::Unknown(None));
    }
}
