//! `routine`: what it says of functions, and those that this file has as texts for regions of other files.

use crate::scope::{Scopes, Site};
use crate::sources::Declarations;
use crate::unit::{Unit, words};
use directives::{ClauseKind, Directive, Kind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a `routine` directive says of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Routine {
    /// Kernels call this one instead: `bind(name)`.
    pub(crate) bind: Option<String>,
    /// It has loops that gangs share: `gang`.
    pub(crate) gang: bool,
    /// One of [`LEVELS`], where a directive says it.
    pub(crate) level: Option<ClauseKind>,
}

/// The levels of parallelism, the highest first.
pub(crate) const LEVELS: [ClauseKind; 4] = [ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector, ClauseKind::Seq];

/// A function that regions of other files may call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoutineSource {
    /// Its name.
    pub name: String,
    /// The file and the line of its definition.
    pub place: String,
    /// C with all that it needs; why it cannot be compiled for devices, if that is known.
    pub text: Result<String, String>,
    /// Functions of other files that it calls.
    pub externals: Vec<String>,
}

/// A definition that a `routine` directive names.
pub(crate) struct Made {
    /// The function.
    pub(crate) function: String,
    /// What `-Minfo` says.
    pub(crate) text: String,
    /// Its text, unless it is its file's own (`static`).
    pub(crate) source: Option<RoutineSource>,
}

/// What `routine` directives say.
pub(crate) fn all(unit: &Unit, sites: &[Site]) -> FxHashMap<String, Routine> {
    let mut out: FxHashMap<String, Routine> = FxHashMap::default();
    for s in sites.iter().filter(|s| s.directive.kind == Kind::Routine) {
        let Some(name) = named(unit, &s.directive) else { continue };
        let bind = s.directive.all(ClauseKind::Bind).find(|c| !is_name(&c.modifiers));
        let bind =
            bind.and_then(|c| c.operands.first()).map(|o| unit.text[o.text.clone()].trim_matches('"').to_owned());
        let entry = out.entry(name).or_default();
        entry.gang |= s.directive.has(ClauseKind::Gang);
        entry.level = entry.level.or_else(|| LEVELS.into_iter().find(|&l| s.directive.has(l)));
        if bind.is_some() {
            entry.bind = bind;
        }
    }
    out
}

/// Whether an operand of `bind`'s kind is the name in `routine(name)`.
pub(crate) fn is_name(modifiers: &[String]) -> bool {
    modifiers == ["name"]
}

/// The function that a `routine` directive is about: without a name it is the one declared next, whose name stands before the
/// first parenthesis.
pub(crate) fn named(unit: &Unit, d: &Directive) -> Option<String> {
    let given = d.all(ClauseKind::Bind).find(|c| is_name(&c.modifiers)).and_then(|c| c.operands.first());
    if let Some(o) = given {
        return Some(unit.text[o.text.clone()].trim_matches('"').to_owned());
    }
    let i = unit.externals.partition_point(|r| r.start < d.span.end);
    let text = &unit.text[unit.externals.get(i)?.clone()];
    declared_name(text).map(str::to_owned)
}

/// The name before the first parenthesis of a declaration that is not an attribute's, a type's or an alignment's.
fn declared_name(text: &str) -> Option<&str> {
    const WITH_OPERANDS: [&str; 10] = [
        "__attribute__",
        "__attribute",
        "__declspec",
        "_Alignas",
        "__typeof__",
        "__typeof",
        "typeof",
        "_Atomic",
        "__asm__",
        "asm",
    ];
    let mut from = 0;
    loop {
        let open = from + text[from..].find('(')?;
        let name = words(&text[from..open]).last();
        match name {
            Some(word) if WITH_OPERANDS.contains(&word) => from = open + closed(&text[open..])?,
            _ => return name,
        }
    }
}

/// How long the parenthesis is that a text begins with.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at + 1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The definitions in this file that `routine` directives name: the directive, the line of the definition, and what was made
/// of it. Each function once.
pub(crate) fn sources(unit: &Unit, scopes: &Scopes) -> Vec<(usize, u32, Made)> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    for (at, site) in scopes.sites.iter().enumerate().filter(|(_, s)| s.directive.kind == Kind::Routine) {
        let Some(name) = named(unit, &site.directive) else { continue };
        let definition = crate::captured::definition(unit, &name);
        let Some(i) = definition.filter(|_| seen.insert(name.clone())) else { continue };
        let range = unit.externals[i].clone();
        let head = unit.text[range.clone()].split('{').next().unwrap_or("");
        let is_static = words(head).any(|w| w == "static");
        let (line, file) = unit.line(range.start);
        let place = format!("{file}:{line}");
        let source = (!is_static).then(|| {
            let needs = std::iter::once(name.clone()).collect();
            let made = Declarations::of(unit, scopes, needs, range.start, Some(&name));
            let (text, externals) = match made {
                Ok(d) => (Ok(crate::sources::with_library(unit, d.text)), d.externals),
                Err(why) => (Err(why), Vec::new()),
            };
            RoutineSource { name: name.clone(), place, text, externals }
        });
        let level = LEVELS.into_iter().find(|&c| site.directive.has(c)).unwrap_or(ClauseKind::Seq).word();
        let text = format!("Generating acc routine {level}");
        out.push((at, line, Made { function: name, text, source }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::declared_name;

    #[test]
    fn attributes_before_the_name_are_not_the_function() {
        for (text, name) in [
            ("static int __attribute__((noinline)) f(int a);", Some("f")),
            ("__attribute__((noinline, section(\"a\"))) void f(void) { g(); }", Some("f")),
            ("int *f(int);", Some("f")),
            ("typeof(g(1)) f(void);", Some("f")),
            ("int a;", None),
        ] {
            assert_eq!(declared_name(text), name, "{text}");
        }
    }
}
